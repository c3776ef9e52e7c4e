"""Exact counts of concordant pairs (positive ranked above negative), and sums of placements."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.threads import Span, cache_blocks, map_in_threads, thread_spans

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking
    from tradeoff.core.sort import Tally

Ties = Literal["half", "won", "lost"]


def twice_pairs_from_counts(
    true_positives: NDArray[Any], false_positives: NDArray[Any], *, ties: Ties = "half"
) -> int | float:
    """Twice the number of concordant pairs, from cumulative counts; exact for integer counts.

    This is 2·P·N·AUC, twice the area under the ROC curve in units of counts. Tied pairs count
    half, or as concordant ("won"), or as discordant ("lost").
    """
    last = len(true_positives) - 1
    is_integer = true_positives.dtype.kind == "i" and false_positives.dtype.kind == "i"
    dtype: Any = np.int64 if is_integer else np.float64
    if (
        is_integer
        and 2 * int(true_positives[-1]) * int(false_positives[-1]) > np.iinfo(np.int64).max
    ):
        dtype = object  # Python's integers
    left, right = {"half": (0, 1), "won": (1, 1), "lost": (0, 0)}[ties]

    def area_of_span(span: Span) -> int | float:
        areas = []
        for start, stop in cache_blocks(span):
            tp = true_positives[start : stop + 1].astype(dtype)
            fp = false_positives[start : stop + 1].astype(dtype)
            heights = tp[left : len(tp) - 1 + left] + tp[right : len(tp) - 1 + right]
            areas.append((fp[1:] - fp[:-1]).dot(heights))
        return sum(map(int, areas)) if is_integer else math.fsum(areas)

    return sum(map_in_threads(area_of_span, thread_spans(last)))


def twice_concordant_pairs(scores: NDArray[Any], positive: NDArray[np.bool_]) -> int:
    """Twice the number of concordant pairs, from scores; a tied pair counts half.

    The same as `twice_pairs_from_counts`, but faster for few rows, as it needs no tally.
    """
    negatives = scores[~positive]
    negatives.sort()
    positives = scores[positive]
    lower = negatives.searchsorted(positives, "left").sum()
    return int(lower + negatives.searchsorted(positives, "right").sum())


# Concordant pairs of a binned ranking, counted from the original scores.


class Pairs(NamedTuple):
    """Concordant pairs and sums of squared placements, as needed for the AUC and its variance.

    `twice_won` is twice the number of concordant pairs, ties counting half. The other fields are
    sums, over the rows of each class, of squared deviations of placements from the AUC (see
    `tradeoff.uncertainty.auc`).
    """

    twice_won: int
    positive_squares: float
    negative_squares: float


class KnownPairs(NamedTuple):
    """Concordant pairs counted from the original scores, valid only for one binned tally."""

    pairs: Pairs
    true_positives: NDArray[Any]

    def of_tally(self, tally: Tally) -> Pairs | None:
        """The concordant pairs if they belong to this tally, else None."""
        return self.pairs if tally.true_positives is self.true_positives else None


def concordant_pairs(ranking: Ranking) -> Pairs:
    """Concordant pairs of a ranking without bins, with sums of squared placements."""
    totals = int(ranking.positives), int(ranking.negatives)
    twice_won = int(ranking.twice_pairs_won())
    auc = twice_won / (2 * totals[0] * totals[1])
    _, squares = placement_sums(ranking.tally, np.zeros(2, np.int64), totals, auc)
    return Pairs(twice_won, *squares.tolist())


def placement_sums(
    tally: Tally, rows_above: NDArray[np.int64], totals: tuple[int, int], approximate_auc: float
) -> NDArray[np.float64]:
    """Sums of the deviations of placements from an approximate AUC, and of their squares, by class.

    `rows_above` holds the numbers of positives and negatives that rank above the rows of this
    tally, `totals` the numbers of all positives and negatives.
    """
    true_positives = tally.true_positives.astype(np.float64) + rows_above[0]
    false_positives = tally.false_positives.astype(np.float64) + rows_above[1]
    deviations = [
        1 - (false_positives[1:] + false_positives[:-1]) / (2 * totals[1]) - approximate_auc,
        (true_positives[1:] + true_positives[:-1]) / (2 * totals[0]) - approximate_auc,
    ]
    rows = [np.diff(true_positives), np.diff(false_positives)]
    return np.array(
        [[n @ x**power for n, x in zip(rows, deviations, strict=True)] for power in (1, 2)]
    )


def placements(
    positives: NDArray[Any],
    negatives: NDArray[Any],
    weights: tuple[NDArray[Any] | None, NDArray[Any] | None] = (None, None),
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """DeLong placements: proportion of concordant pairs of each positive and of each negative.

    Example:
        >>> above, below = placements(np.array([3.0, 1.0]), np.array([2.0, 1.0, 0.0]))
        >>> above.round(4).tolist(), below.tolist()
        ([1.0, 0.5], [0.5, 0.75, 1.0])
    """
    return (
        _proportion_below(positives, negatives, weights[1]),
        1 - _proportion_below(negatives, positives, weights[0]),
    )


def _proportion_below(
    scores: NDArray[Any], other_scores: NDArray[Any], other_weights: NDArray[Any] | None
) -> NDArray[np.float64]:
    """The proportion of other scores below each score; ties count one half."""
    if other_weights is None:
        ordered_scores = np.sort(other_scores)
        twice_counts_below = ordered_scores.searchsorted(
            scores, "left"
        ) + ordered_scores.searchsorted(scores, "right")
        return twice_counts_below / (2 * len(ordered_scores))
    order = np.argsort(other_scores, kind="stable")
    ordered_scores = other_scores[order]
    sums = np.concatenate([[0.0], np.cumsum(other_weights[order], dtype=np.float64)])
    sums_below, sums_up_to = (
        sums[ordered_scores.searchsorted(scores, side)] for side in ("left", "right")
    )
    return np.asarray((sums_below + sums_up_to) / (2 * sums[-1]))
