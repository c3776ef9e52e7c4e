"""Pairs of rows counted by every score, although a ranking keeps bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.ranking.kernel import Tally


class Pairs(NamedTuple):
    """What the area and its variance need to know of all pairs of a positive and a negative row.

    `twice_won` is twice the pairs in which the positive row scores higher, ties half. The others
    are sums of squares, over the rows of each class: how far placements (see
    `tradeoff.analysis.intervals.areas`) are from the area.
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
