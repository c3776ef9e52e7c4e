"""Even cells: equally many for every factor of two, found by a subtraction and a shift.

Most scores of most models lie within a few powers of ten, and nowhere much closer than elsewhere.
Then a `Grid` is not needed, whose cells take longer to find. Rows that lie elsewhere are left to
one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import SIGN, order_of, score_of
from tradeoff.core.cells import are_fine, is_crowded, ranking_of_cells
from tradeoff.core.grid_cells import BLOCK
from tradeoff.core.ranking import Ranking

TAIL = 1 << 10
"""At either end of the known rows, one of so many may lie elsewhere."""
SPARE = 4
"""Of so many thresholds as there may be, one is used: more cells take longer to count in."""


class EvenCells:
    """Counts of rows whose scores lie in a range above 0.

    Args:
        lowest: The first cell: the bits of its scores, without those that do not matter.
        size: How many cells there are.
        shift: How many bits do not matter.
    """

    def __init__(self, lowest: int, size: int, shift: int) -> None:
        self.size = size
        self.fits = True
        self._shift, self._last = np.uint64(shift), np.uint64(size)
        self._low = np.uint64(lowest << shift)
        # The last one counts the rows that lie elsewhere.
        self._rows = np.zeros(size + 1, np.int64)
        self._positives = np.zeros_like(self._rows)
        self._seen = self._look = 0
        self._scratch = np.empty(BLOCK, np.int64)

    @classmethod
    def fitting(cls, known: Ranking, most: int) -> EvenCells | None:
        """Cells for rows like those known, or None where they would be too coarse."""
        bits = order_of(known.thresholds[1:]) ^ SIGN
        at_or_above = known.true_positives[1:] + known.false_positives[1:]
        total = at_or_above[-1]
        ends = np.searchsorted(at_or_above, [total // TAIL, total - total // TAIL])
        high, low = (int(bits[place]) for place in ends)
        if not 0 < low <= high < int(SIGN):
            return None
        shift = max((high - low) // max(most // SPARE, 1), 1).bit_length()
        found = cls(low >> shift, (high >> shift) - (low >> shift) + 1, shift)
        places = np.concatenate([own.copy() for own in found._located(bits)])
        return found if are_fine(known, places, found.size, most) else None

    def count(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Count rows, and tell which lie elsewhere."""
        bits = scores.astype(np.float64, copy=False).view(np.uint64)
        elsewhere, outside = [], self._rows[-1]
        for start, places in zip(range(0, len(bits), BLOCK), self._located(bits), strict=True):
            np.add.at(self._rows, places, 1)
            own = np.flatnonzero(positive[start : start + BLOCK])
            np.add.at(self._positives, places[own], 1)
            if self._rows[-1] > outside:
                outside = self._rows[-1]
                elsewhere.append(np.flatnonzero(places == self.size) + start)
        self._seen += len(bits)
        if self._seen >= self._look:
            self._look_at_them()
        return np.concatenate(elsewhere) if elsewhere else np.zeros(0, np.intp)

    def _look_at_them(self) -> None:
        """Whether the cells still fit, as rarely as this can change."""
        self._look = 2 * self._seen
        crowded = is_crowded(self._rows[:-1], self._seen)
        self.fits = not crowded and 2 * self._rows[-1] <= self._seen

    def ranking(self) -> Ranking:
        """What was counted."""
        cells = np.arange(self.size, dtype=np.uint64)
        lows = score_of(((cells << self._shift) + self._low) ^ SIGN)
        levels = np.full(self.size, self._shift)
        return ranking_of_cells(lows, levels, self._rows[:-1], self._positives[:-1])

    def _located(self, bits: NDArray[np.uint64]) -> Iterator[NDArray[np.int64]]:
        """The cells of scores, a block at a time; below the range differences wrap around."""
        for start in range(0, len(bits), BLOCK):
            part = bits[start : start + BLOCK]
            places = self._scratch[: len(part)]
            own = places.view(np.uint64)
            np.subtract(part, self._low, out=own)
            np.right_shift(own, self._shift, out=own)
            np.minimum(own, self._last, out=own)
            yield places
