"""Cells of equal width, located by a single multiplication, which any query engine can do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.cells import has_crowded_cell, is_fine_enough, ranking_of_cells
from tradeoff.core.grid_cells import BLOCK_ROWS
from tradeoff.core.ranking import Ranking

FRACTION_BITS = 52
"""Number of fraction bits of a float64."""
MAX_CELLS = 1 << 24
MAX_EXPONENT = 900
"""Largest exponent of the scale, which must be a power of two within the range of floats."""


class LinearCells:
    """Counts of positive and negative rows in cells of equal width.

    Rows are given as codes: twice the number of the cell, plus 1 if the row is positive. Cells are
    2**-bits wide. Scores in the same cell share their leading bits, except in the first cell, which
    must therefore stay empty.

    Args:
        bits: Binary logarithm of the scale by which scores are multiplied.
        size: Number of cells.
    """

    def __init__(self, bits: int, size: int) -> None:
        self.bits = bits
        self.size = size
        self._counts = np.zeros(2 * size, np.int64)
        self._rows_seen = self._next_check = 0
        self._scratch = np.empty(BLOCK_ROWS, np.int64)

    @classmethod
    def fitting(
        cls, sample: Ranking, max_thresholds: int, low: float, high: float
    ) -> LinearCells | None:
        """Cells for scores from `low` to `high`, or None if they would be too coarse."""
        if not 0 < low <= high < np.inf:
            return None
        min_bits = int(np.floor(np.log2(max(max_thresholds // 2, 1)) - np.log2(high)))
        if abs(min_bits) >= MAX_EXPONENT:
            return None
        for bits in (min_bits, min_bits + 1):
            size = int(np.ldexp(high, bits)) + 1
            if size > MAX_CELLS or np.ldexp(low, bits) < 1:
                return None
            cells = np.ldexp(sample.thresholds[1:], bits).astype(np.int64)
            if is_fine_enough(sample, cells, size, max_thresholds):
                return cls(bits, size)
        return None

    def count(self, codes: NDArray[np.int32]) -> bool:
        """Count rows by code; return False if the cells do not fit, which invalidates all counts.

        They do not fit if a row lies outside all cells, or if too many rows lie in a single one.
        """
        if codes.min(initial=2) < 2 or codes.max(initial=2) >= 2 * self.size:
            return False
        for start in range(0, len(codes), BLOCK_ROWS):
            part = codes[start : start + BLOCK_ROWS]
            # Integers of the native width are counted without conversion.
            scratch = self._scratch[: len(part)]
            scratch[:] = part
            np.add.at(self._counts, scratch, 1)
        self._rows_seen += len(codes)
        if self._rows_seen < self._next_check:
            return True
        self._next_check = 2 * self._rows_seen  # when the number of rows has doubled
        return not has_crowded_cell(self._counts, self._rows_seen)

    def ranking(self) -> Ranking:
        """Ranking of the counted rows."""
        negatives, positives = self._counts[::2], self._counts[1::2]
        cells = np.arange(self.size, dtype=np.float64)
        # A k-bit cell number fixes k - 1 bits of the fraction; scores may differ in the others.
        levels = FRACTION_BITS + 1 - np.frexp(cells)[1]
        return ranking_of_cells(
            np.ldexp(cells, -self.bits), levels, negatives + positives, positives
        )
