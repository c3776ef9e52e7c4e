"""Grid of cells chosen from a sample, in which any number of rows is counted.

Counting rows in cells takes a fraction of the time of sorting them. The leading 16 bits of a score
(sign, exponent and the first bits of the fraction) determine how many of the next bits select its
cell: many where the sample is dense, none where it is empty. So every float has a cell, and cells
are dyadic, as bins are. One score of a cell may be known exactly: rows with just that score are
counted separately, so that nothing is lost where scores repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import SIGN, scores_of_integers, sortable_integers
from tradeoff.core.merge import merge_bins
from tradeoff.core.ranking import Ranking

Keys = NDArray[np.int64]
Batch = tuple[NDArray[Any], NDArray[np.bool_]]

LEADING = 16
REST = 64 - LEADING
HALF = 1 << (LEADING - 1)
NO_KEY = np.int64(-(1 << 63))
"""The key of a NaN, which no row has."""
BLOCK = 1 << 16
"""Rows handled at a time: what they need stays in a core's own cache."""
HEAVY = 16
"""A score with more rows than so many cells is known by name."""
COARSE = 1 << 12
"""A batch whose fullest cell has more than this part of its rows does not fit the grid."""


class Cells(NamedTuple):
    """Lookup tables from the leading bits of a score to its cell.

    By leading bits: the first cell, the bits behind that do not matter, and what a key without
    these must be moved by to be its cell.
    """

    first: NDArray[np.int64]
    shift: NDArray[np.int64]
    offset: NDArray[np.int64]
    size: int


class Grid:
    """Counts of rows in the cells of a grid, and of rows with exactly known scores.

    Args:
        known: Rows so far, ranked: where they crowd, cells are fine.
        most: How many cells there may be, or little more.
        exact: Know as many scores as there are cells for, and give back rows of other scores.
    """

    def __init__(self, sample: Ranking, maximum: int, *, exact: bool) -> None:
        keys = _signed(sortable_integers(sample.thresholds[1:]))
        rows = np.diff(sample.true_positives) + np.diff(sample.false_positives)
        self.exact = exact
        spread = np.ones(len(keys)) if exact else rows.astype(np.float64)
        self.cells = _cells(keys, spread, maximum)
        heavy = slice(None) if exact else rows * maximum > HEAVY * rows.sum()
        self.names = self._names(keys[heavy])
        banks = 1 if self.names is None else 2
        # Rows of known scores are counted behind all others.
        self.rows = np.zeros(banks * self.cells.size, np.int64)
        self.positives = np.zeros_like(self.rows)
        self._places = np.zeros(0, np.int64)
        self._scratch = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)

    @property
    def size(self) -> int:
        """Number of counters."""
        return 2 * len(self.rows)

    def count(self, batches: Sequence[Batch]) -> list[NDArray[np.bool_]] | None:
        """Count rows; None where they do not fit, else a mask of uncounted rows for each batch."""
        size = sum(len(scores) for scores, _ in batches)
        cells = self._cell_buffer(size)
        strays, start = [], 0
        for scores, _ in batches:
            stop = start + len(scores)
            strays.append(self._locate_rows(scores, cells[start:stop]))
            start = stop
        positive = np.concatenate([positive_rows for _, positive_rows in batches])
        if self.exact:
            has_cell = ~np.concatenate(strays)
            cells, positive = cells[has_cell], positive[has_cell]
        rows = np.bincount(cells, minlength=len(self.rows))
        if not self.exact and rows[: self.cells.size].max() > self._largest_cell(size):
            return None
        self.rows += rows
        self._count_positives(cells, positive, rows)
        return strays

    def _count_positives(
        self, cells: NDArray[np.int64], positive: NDArray[np.bool_], rows: NDArray[np.int64]
    ) -> None:
        """Count positives by counting only the rarer class."""
        rare = 2 * np.count_nonzero(positive) <= len(positive)
        rare_cells = cells[np.flatnonzero(positive if rare else ~positive)]
        rare_counts = np.bincount(rare_cells, minlength=len(self.rows))
        self.positives += rare_counts if rare else rows - rare_counts

    def _cell_buffer(self, rows: int) -> NDArray[np.int64]:
        """Buffer for cells, reused: allocating memory costs more than the work."""
        if len(self._places) < rows:
            self._places = np.empty(rows, np.int64)
        return self._places[:rows]

    def _locate_rows(self, scores: NDArray[Any], out: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Write the cell of each row; returns a mask of rows without one."""
        strays = np.zeros(len(scores) if self.exact else 0, np.bool_)
        for start in range(0, len(scores), BLOCK):
            part = slice(start, start + BLOCK)
            is_named = self._locate(scores[part], out[part])
            if self.exact and is_named is not None:
                np.logical_not(is_named, out=strays[part])
        return strays

    def _largest_cell(self, rows: int) -> int:
        """Number of rows that a cell may contain if the grid fits."""
        return max(rows // COARSE, HEAVY * rows // self.cells.size, HEAVY)

    def rankings(self) -> list[Ranking]:
        """Rankings of the counted rows: those in cells, and those with exactly known scores."""
        rows, positives = (
            bank_counts.reshape(-1, self.cells.size) for bank_counts in (self.rows, self.positives)
        )
        cells = [np.flatnonzero(bank) for bank in rows]
        rankings = [
            _ranking(*self._lowest_scores(cells[0]), rows[0][cells[0]], positives[0][cells[0]])
        ]
        if self.names is not None:
            bank_counts = cells[1]
            scores = scores_of_integers(_unsigned(self.names[bank_counts]))
            levels = np.zeros(len(bank_counts), np.uint8)
            rankings.append(
                _ranking(scores, levels, rows[1][bank_counts], positives[1][bank_counts])
            )
        return [ranking for ranking in rankings if ranking.rows]

    def _locate(self, scores: NDArray[Any], out: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        """Write the cell of each score; returns a mask of scores known exactly."""
        keys, spare = (column[: len(scores)] for column in self._scratch)
        _write_keys(scores, keys, spare)
        leading = np.right_shift(keys, REST, out=out)
        np.take(self.cells.shift, leading, mode="wrap", out=spare)
        np.right_shift(keys, spare, out=spare)
        np.take(self.cells.offset, leading, mode="wrap", out=out)
        np.add(out, spare, out=out)
        if self.names is None:
            return None
        is_named = np.asarray(np.take(self.names, out, mode="clip", out=spare) == keys)
        np.add(out, np.multiply(is_named, self.cells.size, out=spare), out=out)
        return is_named

    def _names(self, keys: Keys) -> Keys | None:
        """Exactly known score of each cell, as a key."""
        if not len(keys):
            return None
        leading = keys >> REST
        cells = (keys >> self.cells.shift[leading]) + self.cells.offset[leading]
        names = np.full(self.cells.size, NO_KEY)
        names[cells] = keys
        return names

    def _lowest_scores(
        self, cells: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
        """Lowest score that each cell could contain, and its level."""
        rising = _from_lowest(self.cells.first)
        leading = np.searchsorted(rising, cells, "right") - 1 - HALF
        shift = self.cells.shift[leading]
        inside = (cells - self.cells.first[leading]) << shift
        lows = scores_of_integers(_unsigned((leading << REST) | inside))
        # Below -inf there are only NaNs, of which no row has one.
        return np.where(np.isnan(lows), -np.inf, lows), shift.astype(np.uint8)


def _cells(keys: Keys, spread: NDArray[np.float64], maximum: int) -> Cells:
    """Cells in proportion to the distribution of the keys."""
    share = np.bincount((keys >> REST) + HALF, weights=spread, minlength=2 * HALF)
    cell_shares = maximum * share / (share.sum() or 1)
    bits = np.where(cell_shares > 1, np.floor(np.log2(np.maximum(cell_shares, 1))), 0)
    bits = np.minimum(bits, REST).astype(np.int64)
    stops = np.cumsum(np.int64(1) << bits)
    first = np.append([0], stops[:-1])
    shift = REST - bits
    offset = first - ((np.arange(-HALF, HALF) << REST) >> shift)
    return Cells(_from_lowest(first), _from_lowest(shift), _from_lowest(offset), int(stops[-1]))


def _from_lowest(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Table by leading bits, rotated: from the lowest, or as an index in which -1 is the last."""
    return np.roll(table, HALF)


def _write_keys(scores: NDArray[Any], keys: Keys, spare: Keys) -> None:
    """Write signed integers in the order of the scores; -0 and 0 are equal."""
    np.add(scores, 0.0, out=keys.view(np.float64))
    if keys.min(initial=0) < 0:
        np.right_shift(keys, 63, out=spare)
        np.bitwise_and(spare, np.int64((1 << 63) - 1), out=spare)
        np.bitwise_xor(keys, spare, out=keys)


def _signed(orders: NDArray[np.uint64]) -> Keys:
    return (orders ^ SIGN).view(np.int64)


def _unsigned(keys: Keys) -> NDArray[np.uint64]:
    return keys.view(np.uint64) ^ SIGN


def _ranking(
    scores: NDArray[np.float64],
    levels: NDArray[np.uint8],
    rows: NDArray[Any],
    positives: NDArray[Any],
) -> Ranking:
    tally, merged_levels = merge_bins(scores, levels, positives, rows - positives)
    return Ranking(tally, int(rows.sum()), levels=merged_levels if merged_levels.any() else None)
