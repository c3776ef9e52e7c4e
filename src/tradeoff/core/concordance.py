"""Concordant pairs of a positive and a negative row, counted exactly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.threads import Span, cache_blocks, map_in_threads, thread_spans

if TYPE_CHECKING:
    from tradeoff.core.sort import Tally

Ties = Literal["half", "won", "lost"]


def twice_roc_area(
    true_positives: NDArray[Any], false_positives: NDArray[Any], *, ties: Ties = "half"
) -> int | float:
    """Twice the area under the ROC steps in counts: AUC · 2·P·N, exact for integer counts.

    Tied pairs count half, or as concordant ("won") or discordant ("lost").
    """
    last = len(true_positives) - 1
    exact = true_positives.dtype.kind == "i" and false_positives.dtype.kind == "i"
    wide: Any = np.int64 if exact else np.float64
    if exact and 2 * int(true_positives[-1]) * int(false_positives[-1]) > np.iinfo(np.int64).max:
        wide = object  # Python's integers
    left, right = {"half": (0, 1), "won": (1, 1), "lost": (0, 0)}[ties]

    def part(span: Span) -> int | float:
        areas = []
        for start, stop in cache_blocks(span):
            up = true_positives[start : stop + 1].astype(wide)
            over = false_positives[start : stop + 1].astype(wide)
            heights = up[left : len(up) - 1 + left] + up[right : len(up) - 1 + right]
            areas.append((over[1:] - over[:-1]).dot(heights))
        return sum(map(int, areas)) if exact else math.fsum(areas)

    return sum(map_in_threads(part, thread_spans(last)))


def twice_concordant_pairs(scores: NDArray[Any], positive: NDArray[np.bool_]) -> int:
    """Twice the concordant pairs (the positive row scores higher); a tie is half a pair.

    The same number as `twice_roc_area` without a tally: faster for few rows.
    """
    negatives = scores[~positive]
    negatives.sort()
    positives = scores[positive]
    lower = negatives.searchsorted(positives, "left").sum()
    return int(lower + negatives.searchsorted(positives, "right").sum())


# Concordant pairs counted from every score, although the ranking has bins.


class Pairs(NamedTuple):
    """Concordant pairs and sums of squared placements, which the AUC and its variance need.

    `twice_won` is twice the concordant pairs, ties half. The others are sums of squared deviations
    of placements (see `tradeoff.uncertainty.auc`) from the area, over the rows of each class.
    """

    twice_won: int
    positive_squares: float
    negative_squares: float


class KnownPairs(NamedTuple):
    """Concordant pairs counted from all scores, valid for one tally only."""

    pairs: Pairs
    column: NDArray[Any]

    def of(self, tally: Tally) -> Pairs | None:
        """The concordant pairs, if they belong to this tally."""
        return self.pairs if tally.true_positives is self.column else None
