"""How many pairs of a positive and a negative row are ranked rightly, as exact integers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.threads import Span, blocks, each, spans

if TYPE_CHECKING:
    from tradeoff.core.sort import Tally

Ties = Literal["half", "won", "lost"]


def twice_area(
    true_positives: NDArray[Any], false_positives: NDArray[Any], *, ties: Ties = "half"
) -> int | float:
    """Twice the area under the steps of counts: the AUC times 2·P·N, exact for integer counts.

    Pairs with equal scores count half, or as won or lost altogether.
    """
    last = len(true_positives) - 1
    exact = true_positives.dtype.kind == "i" and false_positives.dtype.kind == "i"
    wide: Any = np.int64 if exact else np.float64
    if exact and 2 * int(true_positives[-1]) * int(false_positives[-1]) > np.iinfo(np.int64).max:
        wide = object  # Python's integers
    left, right = {"half": (0, 1), "won": (1, 1), "lost": (0, 0)}[ties]

    def part(span: Span) -> int | float:
        areas = []
        for start, stop in blocks(span):
            up = true_positives[start : stop + 1].astype(wide)
            over = false_positives[start : stop + 1].astype(wide)
            heights = up[left : len(up) - 1 + left] + up[right : len(up) - 1 + right]
            areas.append((over[1:] - over[:-1]).dot(heights))
        return sum(map(int, areas)) if exact else math.fsum(areas)

    return sum(each(part, spans(last)))


def twice_pairs_won(scores: NDArray[Any], positive: NDArray[np.bool_]) -> int:
    """Twice the pairs in which the positive row scores higher, a tie being half a pair.

    The same number as `twice_area` without making the tally: quicker for few rows.
    """
    negatives = scores[~positive]
    negatives.sort()
    positives = scores[positive]
    lower = negatives.searchsorted(positives, "left").sum()
    return int(lower + negatives.searchsorted(positives, "right").sum())


# Pairs of rows counted by every score, although a ranking keeps bins.


class Pairs(NamedTuple):
    """What the area and its variance need to know of all pairs of a positive and a negative row.

    `twice_won` is twice the pairs in which the positive row scores higher, ties half. The others
    are sums of squares, over the rows of each class: how far placements (see
    `tradeoff.uncertainty.auc`) are from the area.
    """

    twice_won: int
    of_positives: float
    of_negatives: float


class KnownPairs(NamedTuple):
    """Pairs that belong to one tally: of any other, such as one drawn anew, they say nothing."""

    pairs: Pairs
    column: NDArray[Any]

    def of(self, tally: Tally) -> Pairs | None:
        """The pairs, if they are those of this tally."""
        return self.pairs if tally.true_positives is self.column else None
