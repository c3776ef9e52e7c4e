"""The micro area: all decisions "is this row of that class?" pooled into one ranking."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.multiclass.areas import Area
from tradeoff.analysis.multiclass.components import NOISE, effective_rows
from tradeoff.core.ranking import Ranking
from tradeoff.uncertainty.class_bootstrap import draw_again

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tradeoff.core.class_scores import ClassScores


LARGEST_SUM = 2**62


def pooled_ranking(rows: ClassScores) -> Ranking:
    """Every score of every row as one ranking; it is positive where the row is of that class.

    Scores of different classes are compared with each other, so they must mean the same, as
    probabilities do.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.6, 0.9])
        >>> pooled_ranking(ClassScores(scores, np.array([0, 0, 1]), ("a", "b")))
        Ranking(all scores: 6 rows, 3 'own class' and 3 'other class', 4 distinct scores)
    """
    own = [rows.codes == at for at in range(len(rows.classes))]
    weights = None if rows.weights is None else np.tile(rows.weights, len(rows.classes))
    if weights is not None and float(weights.sum(dtype=np.float64)) >= LARGEST_SUM:
        weights = weights.astype(np.float64)  # every row counts once a class: integers overflow
    return Ranking.of(
        np.concatenate(rows.scores),
        np.concatenate(own),
        weights,
        positive="own class",
        negative="other class",
        name="all scores",
        notes=rows.notes,
    )


def micro_area(rows: ClassScores, *, replicates: int | None = None, seed: int = 0) -> Area:
    """The area of the pooled ranking; its variance is that of bootstrap resamples of rows.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.6, 0.9])
        >>> micro_area(ClassScores(scores, np.array([0, 0, 1]), ("a", "b"))).value
        0.8888888888888888
    """
    if not rows.rows:
        return Area(math.nan, reason="there are no rows")
    ranking = pooled_ranking(rows)
    pairs = 2.0 * float(ranking.positives) * float(ranking.negatives)
    value = min(max(float(ranking.twice_pairs_won() / pairs), 0.0), 1.0)
    size = effective_rows(rows.weights, rows.rows)
    if size - 1 <= NOISE:
        return Area(value, note="no interval: there is only one row")
    # A pair of independent decisions takes two rows, so there are half as many of them.
    if value in {0.0, 1.0}:
        return Area(value, 0.0, size / 2)
    drawn = draw_again(rows, _pooled_area(rows), replicates=replicates, seed=seed)
    variance = 0.0 if np.ptp(drawn) <= NOISE else float(drawn.var(ddof=1))
    method = f"bootstrap standard error, {len(drawn)} resamples, logit"
    return Area(value, variance, size / 2, method=method)


def _pooled_area(rows: ClassScores) -> Callable[[NDArray[Any]], float]:
    """The area of the pooled ranking for any weights of rows, without sorting again."""
    distinct, places = np.unique(np.concatenate(rows.scores), return_inverse=True)
    size, classes = len(distinct), len(rows.classes)
    own = places.reshape(classes, rows.rows)[rows.codes, np.arange(rows.rows)]

    def area(weights: NDArray[Any]) -> float:
        positives = np.bincount(own, weights, size)
        negatives = np.bincount(places, np.tile(weights, classes), size) - positives
        below = np.cumsum(negatives) - negatives / 2
        return float(positives @ below / (positives.sum() * negatives.sum()))

    return area
