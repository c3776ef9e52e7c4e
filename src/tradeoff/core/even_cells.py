"""Log-linear cells for counting scores: equally many per power of two, found by bit shifts.

Most scores of most models lie within a few orders of magnitude and are about equally dense there.
They do not need a `Grid`, whose cells take longer to locate. Rows outside the range are left to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.cells import has_crowded_cell, is_fine_enough, ranking_of_cells
from tradeoff.core.grid_cells import BLOCK_ROWS
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort_keys import SIGN_BIT, scores_of_integers, sortable_integers

TAIL_DIVISOR = 1 << 10
"""At either end, one in this many rows of the sample may lie outside the range of the cells."""
THRESHOLDS_PER_CELL = 4
"""Allowed thresholds per cell: counting in more cells would take longer."""


class EvenCells:
    """Counts of rows in log-linear cells over a range of positive scores.

    Args:
        first_bits: Leading bits of the scores in the first cell.
        size: Number of cells.
        shift: Number of trailing bits in which the scores of a cell may differ.
    """

    def __init__(self, first_bits: int, size: int, shift: int) -> None:
        self.size = size
        self.fits = True
        self._shift, self._outside_cell = np.uint64(shift), np.uint64(size)
        self._lowest_bits = np.uint64(first_bits << shift)
        # The last counter is for rows outside the range.
        self._rows = np.zeros(size + 1, np.int64)
        self._positives = np.zeros_like(self._rows)
        self._rows_seen = self._next_check = 0
        self._scratch = np.empty(BLOCK_ROWS, np.int64)

    @classmethod
    def fitting(cls, sample: Ranking, max_thresholds: int) -> EvenCells | None:
        """Cells for rows like those of a sample, or None if they would be too coarse."""
        bits = sortable_integers(sample.thresholds[1:]) ^ SIGN_BIT
        at_or_above = sample.true_positives[1:] + sample.false_positives[1:]
        total = at_or_above[-1]
        tail_indices = np.searchsorted(
            at_or_above, [total // TAIL_DIVISOR, total - total // TAIL_DIVISOR]
        )
        high, low = (int(bits[index]) for index in tail_indices)
        if not 0 < low <= high < int(SIGN_BIT):
            return None
        shift = max((high - low) // max(max_thresholds // THRESHOLDS_PER_CELL, 1), 1).bit_length()
        even_cells = cls(low >> shift, (high >> shift) - (low >> shift) + 1, shift)
        cells = np.concatenate([block.copy() for block in even_cells._cell_blocks(bits)])
        return (
            even_cells if is_fine_enough(sample, cells, even_cells.size, max_thresholds) else None
        )

    def count(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Count the rows within the range, and return the indices of all others."""
        bits = scores.astype(np.float64, copy=False).view(np.uint64)
        outside_rows, outside_count = [], self._rows[-1]
        for start, cells in zip(
            range(0, len(bits), BLOCK_ROWS), self._cell_blocks(bits), strict=True
        ):
            np.add.at(self._rows, cells, 1)
            positive_rows = np.flatnonzero(positive[start : start + BLOCK_ROWS])
            np.add.at(self._positives, cells[positive_rows], 1)
            if self._rows[-1] > outside_count:
                outside_count = self._rows[-1]
                outside_rows.append(np.flatnonzero(cells == self.size) + start)
        self._rows_seen += len(bits)
        if self._rows_seen >= self._next_check:
            self._check_fit()
        return np.concatenate(outside_rows) if outside_rows else np.zeros(0, np.intp)

    def _check_fit(self) -> None:
        """Check whether the cells still fit; repeated whenever the number of rows has doubled."""
        self._next_check = 2 * self._rows_seen
        is_crowded = has_crowded_cell(self._rows[:-1], self._rows_seen)
        self.fits = not is_crowded and 2 * self._rows[-1] <= self._rows_seen

    def ranking(self) -> Ranking:
        """Ranking of the counted rows."""
        cells = np.arange(self.size, dtype=np.uint64)
        lows = scores_of_integers(((cells << self._shift) + self._lowest_bits) ^ SIGN_BIT)
        levels = np.full(self.size, self._shift)
        return ranking_of_cells(lows, levels, self._rows[:-1], self._positives[:-1])

    def _cell_blocks(self, bits: NDArray[np.uint64]) -> Iterator[NDArray[np.int64]]:
        """Cell index of each score, block by block; `size` for scores outside the range."""
        for start in range(0, len(bits), BLOCK_ROWS):
            part = bits[start : start + BLOCK_ROWS]
            cells = self._scratch[: len(part)]
            offsets = cells.view(np.uint64)
            np.subtract(part, self._lowest_bits, out=offsets)
            np.right_shift(offsets, self._shift, out=offsets)
            np.minimum(offsets, self._outside_cell, out=offsets)
            yield cells
