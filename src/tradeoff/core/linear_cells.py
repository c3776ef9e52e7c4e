"""Cells of equal width, located by one multiplication, which any engine can do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.cells import has_crowded_cell, is_fine_enough, ranking_of_cells
from tradeoff.core.grid_cells import BLOCK
from tradeoff.core.ranking import Ranking

FRACTION = 52
"""The bits of a float behind its exponent."""
LARGEST = 1 << 24
FARTHEST = 900
"""Scores are multiplied by a power of two, which must itself be a float of full precision."""


class LinearCells:
    """Counts of rows in cells of equal width, by code: twice the cell, plus 1 if positive.

    The cells are 2**-bits wide. In all but the first scores share their leading bits; so the first
    must stay empty.

    Args:
        bits: What scores are multiplied with, as a power of two.
        size: How many cells there are.
    """

    def __init__(self, bits: int, size: int) -> None:
        self.bits = bits
        self.size = size
        self._counts = np.zeros(2 * size, np.int64)
        self._rows_seen = self._next_check = 0
        self._scratch = np.empty(BLOCK, np.int64)

    @classmethod
    def fitting(cls, sample: Ranking, maximum: int, low: float, high: float) -> LinearCells | None:
        """Cells of equal width for scores in a range, or None where they would be too coarse."""
        if not 0 < low <= high < np.inf:
            return None
        coarse = int(np.floor(np.log2(max(maximum // 2, 1)) - np.log2(high)))
        if abs(coarse) >= FARTHEST:
            return None
        for bits in (coarse, coarse + 1):
            size = int(np.ldexp(high, bits)) + 1
            if size > LARGEST or np.ldexp(low, bits) < 1:
                return None
            cells = np.ldexp(sample.thresholds[1:], bits).astype(np.int64)
            if is_fine_enough(sample, cells, size, maximum):
                return cls(bits, size)
        return None

    def count(self, codes: NDArray[np.int32]) -> bool:
        """Count rows by code; False where cells do not fit them, which voids all counts.

        Some are in no cell, or so many are in one that cells would have been chosen otherwise.
        """
        if codes.min(initial=2) < 2 or codes.max(initial=2) >= 2 * self.size:
            return False
        for start in range(0, len(codes), BLOCK):
            part = codes[start : start + BLOCK]
            # Numbers of the machine's own width are counted without being converted in between.
            scratch = self._scratch[: len(part)]
            scratch[:] = part
            np.add.at(self._counts, scratch, 1)
        self._rows_seen += len(codes)
        if self._rows_seen < self._next_check:
            return True
        self._next_check = 2 * self._rows_seen  # as rarely as that can change
        return not has_crowded_cell(self._counts, self._rows_seen)

    def ranking(self) -> Ranking:
        """Ranking of the rows counted in cells of equal width."""
        negatives, positives = self._counts[::2], self._counts[1::2]
        cells = np.arange(self.size, dtype=np.float64)
        # A cell ends where the bits of its number do, in as many as it has behind the first.
        levels = FRACTION + 1 - np.frexp(cells)[1]
        return ranking_of_cells(
            np.ldexp(cells, -self.bits), levels, negatives + positives, positives
        )
