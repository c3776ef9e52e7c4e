"""Grid of cells, adapted to a sample, in which any number of rows can be counted.

Counting rows in cells takes a fraction of the time of sorting them. The leading 16 bits of a score
(sign, exponent and the first bits of the fraction) determine how many of the next bits select its
cell: many where the sample is dense, none where it is empty. So every float has a cell, and cells
are dyadic, as bins are. One score in each cell may be known exactly: rows with exactly that score
are counted separately, so that nothing is lost where scores repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.merge import merge_bins
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort_keys import SIGN_BIT, scores_of_integers, sortable_integers

Keys = NDArray[np.int64]
Batch = tuple[NDArray[Any], NDArray[np.bool_]]

LEADING_BITS = 16
TRAILING_BITS = 64 - LEADING_BITS
HALF_TABLE_SIZE = 1 << (LEADING_BITS - 1)
"""Number of combinations of leading bits for either sign."""
NO_KEY = np.int64(-(1 << 63))
"""Key of a NaN, which marks cells without a known score."""
BLOCK_ROWS = 1 << 16
"""Number of rows processed at a time, so that their temporary arrays stay in the cache."""
HEAVY_MULTIPLE = 16
"""A score with more rows than this multiple of the mean per cell is counted exactly."""
CROWDING_LIMIT = 1 << 12
"""A grid does not fit a batch if one cell holds more than one in this many of its rows."""


class CellTable(NamedTuple):
    """Lookup tables from the leading bits of a score to its cell.

    For each combination of leading bits: the first cell, the number of trailing bits in which the
    scores in a cell may differ, and the offset from a key without these bits to its cell.
    """

    first_cell: NDArray[np.int64]
    shift: NDArray[np.int64]
    offset: NDArray[np.int64]
    size: int


class Grid:
    """Counts of rows in the cells of a grid, and of rows with exactly known scores.

    Args:
        sample: Ranking of the rows so far; cells are finer where these are dense.
        max_cells: Maximum number of cells, which may be slightly exceeded.
        exact: Count each score of the sample exactly, and leave rows with other scores uncounted.
    """

    def __init__(self, sample: Ranking, max_cells: int, *, exact: bool) -> None:
        keys = _keys_of_integers(sortable_integers(sample.thresholds[1:]))
        rows = np.diff(sample.true_positives) + np.diff(sample.false_positives)
        self.exact = exact
        weights = np.ones(len(keys)) if exact else rows.astype(np.float64)
        self.cells = _choose_cells(keys, weights, max_cells)
        known_keys = keys if exact else keys[rows * max_cells > HEAVY_MULTIPLE * rows.sum()]
        self.exact_keys = self._exact_key_table(known_keys)
        bank_count = 1 if self.exact_keys is None else 2
        # Rows with exactly known scores are counted in the second bank.
        self.rows = np.zeros(bank_count * self.cells.size, np.int64)
        self.positives = np.zeros_like(self.rows)
        self._cells_of_rows = np.zeros(0, np.int64)
        self._scratch = np.empty(BLOCK_ROWS, np.int64), np.empty(BLOCK_ROWS, np.int64)

    @property
    def size(self) -> int:
        """Number of counters."""
        return 2 * len(self.rows)

    def count(self, batches: Sequence[Batch]) -> list[NDArray[np.bool_]] | None:
        """Count rows; return None if they do not fit, else a mask of uncounted rows per batch."""
        size = sum(len(scores) for scores, _ in batches)
        cells = self._cell_buffer(size)
        uncounted, start = [], 0
        for scores, _ in batches:
            stop = start + len(scores)
            uncounted.append(self._locate_rows(scores, cells[start:stop]))
            start = stop
        positive = np.concatenate([class_mask for _, class_mask in batches])
        if self.exact:
            has_cell = ~np.concatenate(uncounted)
            cells, positive = cells[has_cell], positive[has_cell]
        rows = np.bincount(cells, minlength=len(self.rows))
        if not self.exact and rows[: self.cells.size].max() > self._max_rows_in_cell(size):
            return None
        self.rows += rows
        self._count_positives(cells, positive, rows)
        return uncounted

    def _count_positives(
        self, cells: NDArray[np.int64], positive: NDArray[np.bool_], rows: NDArray[np.int64]
    ) -> None:
        """Count positives by counting only the rarer class."""
        positives_are_rarer = 2 * np.count_nonzero(positive) <= len(positive)
        rarer_cells = cells[np.flatnonzero(positive if positives_are_rarer else ~positive)]
        rarer_counts = np.bincount(rarer_cells, minlength=len(self.rows))
        self.positives += rarer_counts if positives_are_rarer else rows - rarer_counts

    def _cell_buffer(self, rows: int) -> NDArray[np.int64]:
        """Reusable buffer for the cells of rows: allocating memory takes longer than the work."""
        if len(self._cells_of_rows) < rows:
            self._cells_of_rows = np.empty(rows, np.int64)
        return self._cells_of_rows[:rows]

    def _locate_rows(self, scores: NDArray[Any], out: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Write the cell of each row to `out`, and return a mask of rows without a cell."""
        has_no_cell = np.zeros(len(scores) if self.exact else 0, np.bool_)
        for start in range(0, len(scores), BLOCK_ROWS):
            part = slice(start, start + BLOCK_ROWS)
            is_exact = self._locate(scores[part], out[part])
            if self.exact and is_exact is not None:
                np.logical_not(is_exact, out=has_no_cell[part])
        return has_no_cell

    def _max_rows_in_cell(self, rows: int) -> int:
        """Maximum number of rows in a cell if the grid fits."""
        return max(rows // CROWDING_LIMIT, HEAVY_MULTIPLE * rows // self.cells.size, HEAVY_MULTIPLE)

    def rankings(self) -> list[Ranking]:
        """Rankings of the counted rows: those in cells, and those with exactly known scores."""
        rows, positives = (
            counts.reshape(-1, self.cells.size) for counts in (self.rows, self.positives)
        )
        cells = [np.flatnonzero(bank) for bank in rows]
        rankings = [
            _ranking(*self._lowest_scores(cells[0]), rows[0][cells[0]], positives[0][cells[0]])
        ]
        if self.exact_keys is not None:
            exact_cells = cells[1]
            scores = scores_of_integers(_integers_of_keys(self.exact_keys[exact_cells]))
            levels = np.zeros(len(exact_cells), np.uint8)
            rankings.append(
                _ranking(scores, levels, rows[1][exact_cells], positives[1][exact_cells])
            )
        return [ranking for ranking in rankings if ranking.rows]

    def _locate(self, scores: NDArray[Any], out: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        """Write the cell of each score to `out`, and return a mask of exactly known scores."""
        keys, scratch = (column[: len(scores)] for column in self._scratch)
        _write_keys(scores, keys, scratch)
        leading_bits = np.right_shift(keys, TRAILING_BITS, out=out)
        np.take(self.cells.shift, leading_bits, mode="wrap", out=scratch)
        np.right_shift(keys, scratch, out=scratch)
        np.take(self.cells.offset, leading_bits, mode="wrap", out=out)
        np.add(out, scratch, out=out)
        if self.exact_keys is None:
            return None
        is_exact = np.asarray(np.take(self.exact_keys, out, mode="clip", out=scratch) == keys)
        np.add(out, np.multiply(is_exact, self.cells.size, out=scratch), out=out)
        return is_exact

    def _exact_key_table(self, keys: Keys) -> Keys | None:
        """Key of the exactly known score in each cell; None if no score is known exactly."""
        if not len(keys):
            return None
        leading_bits = keys >> TRAILING_BITS
        cells = (keys >> self.cells.shift[leading_bits]) + self.cells.offset[leading_bits]
        exact_keys = np.full(self.cells.size, NO_KEY)
        exact_keys[cells] = keys
        return exact_keys

    def _lowest_scores(
        self, cells: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
        """Lowest score that each cell could contain, and its level."""
        first_cells = _swap_halves(self.cells.first_cell)
        leading_bits = np.searchsorted(first_cells, cells, "right") - 1 - HALF_TABLE_SIZE
        shift = self.cells.shift[leading_bits]
        trailing_bits = (cells - self.cells.first_cell[leading_bits]) << shift
        lows = scores_of_integers(
            _integers_of_keys((leading_bits << TRAILING_BITS) | trailing_bits)
        )
        # Only NaNs lie below -inf, and no row has one.
        return np.where(np.isnan(lows), -np.inf, lows), shift.astype(np.uint8)


def _choose_cells(keys: Keys, weights: NDArray[np.float64], max_cells: int) -> CellTable:
    """Choose cells in proportion to the density of the keys."""
    density = np.bincount(
        (keys >> TRAILING_BITS) + HALF_TABLE_SIZE, weights=weights, minlength=2 * HALF_TABLE_SIZE
    )
    cell_counts = max_cells * density / (density.sum() or 1)
    bits = np.where(cell_counts > 1, np.floor(np.log2(np.maximum(cell_counts, 1))), 0)
    bits = np.minimum(bits, TRAILING_BITS).astype(np.int64)
    stops = np.cumsum(np.int64(1) << bits)
    first_cell = np.append([0], stops[:-1])
    shift = TRAILING_BITS - bits
    offset = first_cell - ((np.arange(-HALF_TABLE_SIZE, HALF_TABLE_SIZE) << TRAILING_BITS) >> shift)
    return CellTable(
        _swap_halves(first_cell), _swap_halves(shift), _swap_halves(offset), int(stops[-1])
    )


def _swap_halves(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Swap the halves of a table by leading bits: from ascending to index order, or back.

    In index order, negative leading bits count from the end.
    """
    return np.roll(table, HALF_TABLE_SIZE)


def _write_keys(scores: NDArray[Any], keys: Keys, scratch: Keys) -> None:
    """Write the key of each score: signed integers in the same order, with -0 and 0 equal."""
    np.add(scores, 0.0, out=keys.view(np.float64))
    if keys.min(initial=0) < 0:
        np.right_shift(keys, 63, out=scratch)
        np.bitwise_and(scratch, np.int64((1 << 63) - 1), out=scratch)
        np.bitwise_xor(keys, scratch, out=keys)


def _keys_of_integers(integers: NDArray[np.uint64]) -> Keys:
    return (integers ^ SIGN_BIT).view(np.int64)


def _integers_of_keys(keys: Keys) -> NDArray[np.uint64]:
    return keys.view(np.uint64) ^ SIGN_BIT


def _ranking(
    scores: NDArray[np.float64],
    levels: NDArray[np.uint8],
    rows: NDArray[Any],
    positives: NDArray[Any],
) -> Ranking:
    tally, merged_levels = merge_bins(scores, levels, positives, rows - positives)
    return Ranking(tally, int(rows.sum()), levels=merged_levels if merged_levels.any() else None)
