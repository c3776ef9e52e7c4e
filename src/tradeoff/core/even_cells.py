"""Even cells: equally many per factor of two, located by a subtraction and a shift.

Most scores of most models lie within a few powers of ten, about equally dense throughout. Then a
`Grid` is not needed, whose cells take longer to locate. Rows outside the range are left to one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import SIGN, scores_of_integers, sortable_integers
from tradeoff.core.cells import has_crowded_cell, is_fine_enough, ranking_of_cells
from tradeoff.core.grid_cells import BLOCK
from tradeoff.core.ranking import Ranking

TAIL = 1 << 10
"""At either end of the known rows, one of so many may lie elsewhere."""
SPARE = 4
"""Of so many thresholds as there may be, one is used: more cells take longer to count in."""


class EvenCells:
    """Counts of rows in even cells over a range of positive scores.

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
        self._rows_seen = self._next_check = 0
        self._scratch = np.empty(BLOCK, np.int64)

    @classmethod
    def fitting(cls, sample: Ranking, maximum: int) -> EvenCells | None:
        """Even cells for rows like a sample's, or None where they would be too coarse."""
        bits = sortable_integers(sample.thresholds[1:]) ^ SIGN
        at_or_above = sample.true_positives[1:] + sample.false_positives[1:]
        total = at_or_above[-1]
        tail_indices = np.searchsorted(at_or_above, [total // TAIL, total - total // TAIL])
        high, low = (int(bits[index]) for index in tail_indices)
        if not 0 < low <= high < int(SIGN):
            return None
        shift = max((high - low) // max(maximum // SPARE, 1), 1).bit_length()
        grid = cls(low >> shift, (high >> shift) - (low >> shift) + 1, shift)
        cells = np.concatenate([block.copy() for block in grid._cell_blocks(bits)])
        return grid if is_fine_enough(sample, cells, grid.size, maximum) else None

    def count(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Count rows in even cells; returns the indices of rows outside their range."""
        bits = scores.astype(np.float64, copy=False).view(np.uint64)
        elsewhere, outside = [], self._rows[-1]
        for start, cells in zip(range(0, len(bits), BLOCK), self._cell_blocks(bits), strict=True):
            np.add.at(self._rows, cells, 1)
            positive_rows = np.flatnonzero(positive[start : start + BLOCK])
            np.add.at(self._positives, cells[positive_rows], 1)
            if self._rows[-1] > outside:
                outside = self._rows[-1]
                elsewhere.append(np.flatnonzero(cells == self.size) + start)
        self._rows_seen += len(bits)
        if self._rows_seen >= self._next_check:
            self._check_fit()
        return np.concatenate(elsewhere) if elsewhere else np.zeros(0, np.intp)

    def _check_fit(self) -> None:
        """Check whether the cells still fit, each time the number of rows has doubled."""
        self._next_check = 2 * self._rows_seen
        crowded = has_crowded_cell(self._rows[:-1], self._rows_seen)
        self.fits = not crowded and 2 * self._rows[-1] <= self._rows_seen

    def ranking(self) -> Ranking:
        """Ranking of the rows counted in even cells."""
        cells = np.arange(self.size, dtype=np.uint64)
        lows = scores_of_integers(((cells << self._shift) + self._low) ^ SIGN)
        levels = np.full(self.size, self._shift)
        return ranking_of_cells(lows, levels, self._rows[:-1], self._positives[:-1])

    def _cell_blocks(self, bits: NDArray[np.uint64]) -> Iterator[NDArray[np.int64]]:
        """Cells of scores, one block at a time; differences below the range wrap around."""
        for start in range(0, len(bits), BLOCK):
            part = bits[start : start + BLOCK]
            cells = self._scratch[: len(part)]
            offsets = cells.view(np.uint64)
            np.subtract(part, self._low, out=offsets)
            np.right_shift(offsets, self._shift, out=offsets)
            np.minimum(offsets, self._last, out=offsets)
            yield cells
