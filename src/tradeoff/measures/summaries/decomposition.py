"""CORP decomposition of the Brier score and log loss: miscalibration, discrimination, uncertainty.

The probabilities are compared with their isotonic recalibration by pooling adjacent violators
(PAV). The pools are the edges of the convex hull of the ROC points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, format_list
from tradeoff.formatting import format_number
from tradeoff.measures.probabilities import require_probabilities
from tradeoff.measures.summaries.probabilities import brier, log_loss

if TYPE_CHECKING:
    from tradeoff.measures.probabilities import Probabilities

Score = Literal["brier", "log_loss"]


@dataclass(frozen=True, repr=False)
class Decomposition:
    """CORP decomposition of a score: miscalibration - discrimination + uncertainty.

    `miscalibration` is the reduction in the score by isotonic recalibration, `uncertainty`
    the score of always predicting the prevalence, and `discrimination` the difference between
    `uncertainty` and the score after recalibration. All three are non-negative.

    Example:
        >>> Decomposition("brier", 0.2, 0.05, 0.1, 0.25)
        Decomposition(brier 0.2000: miscalibration 0.0500 - discrimination 0.1000 + 0.2500)
    """

    score: Score
    value: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    note: str | None = None

    def __repr__(self) -> str:
        """One line: the score and its components."""
        return (
            f"Decomposition({self.score} {format_number(self.value)}: miscalibration "
            f"{format_number(self.miscalibration)} - discrimination "
            f"{format_number(self.discrimination)} + "
            f"{format_number(self.uncertainty)})"
        )


class Pools(NamedTuple):
    """Pools of an isotonic regression of the class on the score, highest proportion first.

    A pool holds the scores after index `after` of the ranking, up to index `last`.
    """

    after: NDArray[np.intp]
    last: NDArray[np.intp]
    positives: NDArray[Any]
    rows: NDArray[Any]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Proportion of positives in each pool: the recalibrated probability of its rows."""
        shares: NDArray[np.float64] = self.positives / self.rows
        return shares

    @property
    def fitted(self) -> NDArray[np.float64]:
        """Recalibrated probability of each distinct score."""
        return np.repeat(self.shares, self.last - self.after)


def isotonic_pools(ranking: Ranking) -> Pools:
    """Isotonic regression of a ranking's classes on its scores, for the CORP decomposition.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))
        >>> isotonic_pools(ranking).fitted.tolist()
        [1.0, 0.5, 0.5, 0.0]
    """
    vertices = ranking.hull_places
    positives, negatives = (
        np.diff(column[vertices]) for column in (ranking.true_positives, ranking.false_positives)
    )
    # Negligible weights add no vertex; their scores belong to the last pool.
    ends = np.append(vertices[1:-1], len(ranking) - 1)
    return Pools(np.append(0, ends[:-1]), ends, positives, positives + negatives)


def decompose(ranking: Ranking, score: Score = "brier") -> Decomposition:
    """CORP decomposition of the Brier score or log loss of a ranking's probabilities.

    Dimitriadis, Gneiting & Jordan 2021, doi:10.1073/pnas.2016191118.

    Args:
        ranking: Ranking whose scores are probabilities.
        score: "brier" or "log_loss" (natural logarithm; probabilities are clipped to 2.2e-16 from
            0 and 1, as in the summary of that name).

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))
        >>> parts = decompose(ranking)
        >>> round(parts.miscalibration, 4), parts.discrimination, parts.uncertainty
        (0.13, 0.125, 0.25)
    """
    if score not in get_args(Score):
        raise InputError(f"`score` must be one of {format_list(get_args(Score))}, not {score!r}.")
    p = require_probabilities(ranking, "A decomposition")
    return _DECOMPOSITIONS[score](ranking, p)


def _decompose_brier(ranking: Ranking, p: Probabilities) -> Decomposition:
    pools, rows = isotonic_pools(ranking), p.positives + p.negatives
    total = float(rows.sum())
    prevalence = float(p.positives.sum()) / total
    # The difference between both scores, factored: exactly 0 for calibrated probabilities.
    fitted = pools.fitted
    reductions = (fitted - p.values) * (2 * p.positives - rows * (p.values + fitted))
    return Decomposition(
        "brier",
        brier(ranking),
        max(float(reductions.sum()) / total, 0.0),
        float((pools.rows * (pools.shares - prevalence) ** 2).sum()) / total,
        prevalence * (1 - prevalence),
    )


def _decompose_log_loss(ranking: Ranking, p: Probabilities) -> Decomposition:
    loss, pools = log_loss(ranking), isotonic_pools(ranking)
    # A pool with a proportion of 0 or 1 holds one class only, so its log loss is 0.
    recalibrated = _entropy(pools.positives, pools.rows)
    uncertainty = _entropy(*(column.sum() for column in (p.positives, p.positives + p.negatives)))
    return Decomposition(
        "log_loss",
        loss.value,
        max(loss.value - recalibrated, 0.0),
        max(uncertainty - recalibrated, 0.0),
        uncertainty,
        loss.note,
    )


def _entropy(positives: Any, rows: Any) -> float:
    """Mean log loss if the proportion of positives in each group is its prediction."""
    from scipy.special import xlogy

    negatives = rows - positives
    logs = xlogy(positives, positives / rows) + xlogy(negatives, negatives / rows)
    return float(-logs.sum() / rows.sum()) + 0.0  # no negative zero


_DECOMPOSITIONS = {"brier": _decompose_brier, "log_loss": _decompose_log_loss}
