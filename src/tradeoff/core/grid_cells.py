"""A grid: cells chosen once from the first rows, in which any number of rows is counted.

Counting rows in cells takes a fraction of the time of sorting them. The leading 16 bits of a score
(sign, exponent and the first bits behind it) say how many of the next bits tell its cell: many
where the first rows crowd, none where there were none. So every float has a cell, and cells are
dyadic, as bins are. One score of a cell may be known by name: rows with just that score are
counted apart, so that where scores repeat nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import SIGN, order_of, score_of
from tradeoff.core.merge import tally_of_bins
from tradeoff.core.ranking import Ranking

Keys = NDArray[np.int64]
Batch = tuple[NDArray[Any], NDArray[np.bool_]]

LEADING = 16
REST = 64 - LEADING
HALF = 1 << (LEADING - 1)
NOBODY = np.int64(-(1 << 63))
"""The key of a NaN, which no row has."""
BLOCK = 1 << 16
"""Rows handled at a time: what they need stays in a core's own cache."""
HEAVY = 16
"""A score with more rows than so many cells is known by name."""
COARSE = 1 << 12
"""A batch whose fullest cell has more than this part of its rows does not fit the grid."""


class Cells(NamedTuple):
    """How leading bits lead to cells.

    By leading bits: the first cell, the bits behind that do not matter, and what a key without
    these must be moved by to be its cell.
    """

    first: NDArray[np.int64]
    shift: NDArray[np.int64]
    offset: NDArray[np.int64]
    size: int


class Grid:
    """Counts of rows in cells, and of rows that have the known scores.

    Args:
        known: Rows so far, ranked: where they crowd, cells are fine.
        most: How many cells there may be, or little more.
        exact: Know as many scores as there are cells for, and give back rows of other scores.
    """

    def __init__(self, known: Ranking, most: int, *, exact: bool) -> None:
        keys = _signed(order_of(known.thresholds[1:]))
        rows = np.diff(known.true_positives) + np.diff(known.false_positives)
        self.exact = exact
        spread = np.ones(len(keys)) if exact else rows.astype(np.float64)
        self.cells = _cells(keys, spread, most)
        heavy = slice(None) if exact else rows * most > HEAVY * rows.sum()
        self.names = self._names(keys[heavy])
        banks = 1 if self.names is None else 2
        # Rows of known scores are counted behind all others.
        self.rows = np.zeros(banks * self.cells.size, np.int64)
        self.positives = np.zeros_like(self.rows)
        self._places = np.zeros(0, np.int64)
        self._scratch = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)

    @property
    def size(self) -> int:
        """How many counts are held."""
        return 2 * len(self.rows)

    def count(self, batches: Sequence[Batch]) -> list[NDArray[np.bool_]] | None:
        """Count rows; None where they do not fit, else which of each batch have no place here."""
        size = sum(len(scores) for scores, _ in batches)
        places = self._room(size)
        strays, start = [], 0
        for scores, _ in batches:
            stop = start + len(scores)
            strays.append(self._place(scores, places[start:stop]))
            start = stop
        positive = np.concatenate([own for _, own in batches])
        if self.exact:
            kept = ~np.concatenate(strays)
            places, positive = places[kept], positive[kept]
        rows = np.bincount(places, minlength=len(self.rows))
        if not self.exact and rows[: self.cells.size].max() > self._full(size):
            return None
        self.rows += rows
        self._count_positives(places, positive, rows)
        return strays

    def _count_positives(
        self, places: NDArray[np.int64], positive: NDArray[np.bool_], rows: NDArray[np.int64]
    ) -> None:
        """Only the rows of the rarer class are counted by themselves."""
        rare = 2 * np.count_nonzero(positive) <= len(positive)
        own = places[np.flatnonzero(positive if rare else ~positive)]
        counted = np.bincount(own, minlength=len(self.rows))
        self.positives += counted if rare else rows - counted

    def _room(self, rows: int) -> NDArray[np.int64]:
        """Memory for places that is used again and again: fresh memory costs more than the work."""
        if len(self._places) < rows:
            self._places = np.empty(rows, np.int64)
        return self._places[:rows]

    def _place(self, scores: NDArray[Any], out: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Write where rows are counted, and tell which of them have no place."""
        strays = np.zeros(len(scores) if self.exact else 0, np.bool_)
        for start in range(0, len(scores), BLOCK):
            part = slice(start, start + BLOCK)
            known = self._locate(scores[part], out[part])
            if self.exact and known is not None:
                np.logical_not(known, out=strays[part])
        return strays

    def _full(self, rows: int) -> int:
        """How many of so many rows a cell may have, if cells are as they should be."""
        return max(rows // COARSE, HEAVY * rows // self.cells.size, HEAVY)

    def rankings(self) -> list[Ranking]:
        """What was counted: in cells, and at known scores."""
        rows, positives = (own.reshape(-1, self.cells.size) for own in (self.rows, self.positives))
        places = [np.flatnonzero(bank) for bank in rows]
        found = [_ranking(*self._ends(places[0]), rows[0][places[0]], positives[0][places[0]])]
        if self.names is not None:
            own = places[1]
            scores = score_of(_unsigned(self.names[own]))
            levels = np.zeros(len(own), np.uint8)
            found.append(_ranking(scores, levels, rows[1][own], positives[1][own]))
        return [ranking for ranking in found if ranking.rows]

    def _locate(self, scores: NDArray[Any], out: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        """Write the cell of each score, and tell which are known by name."""
        keys, spare = (column[: len(scores)] for column in self._scratch)
        _write_keys(scores, keys, spare)
        leading = np.right_shift(keys, REST, out=out)
        np.take(self.cells.shift, leading, mode="wrap", out=spare)
        np.right_shift(keys, spare, out=spare)
        np.take(self.cells.offset, leading, mode="wrap", out=out)
        np.add(out, spare, out=out)
        if self.names is None:
            return None
        known = np.asarray(np.take(self.names, out, mode="clip", out=spare) == keys)
        np.add(out, np.multiply(known, self.cells.size, out=spare), out=out)
        return known

    def _names(self, keys: Keys) -> Keys | None:
        if not len(keys):
            return None
        leading = keys >> REST
        cells = (keys >> self.cells.shift[leading]) + self.cells.offset[leading]
        names = np.full(self.cells.size, NOBODY)
        names[cells] = keys
        return names

    def _ends(self, cells: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
        """The lowest score that each cell could hold, and its level."""
        rising = _rising(self.cells.first)
        leading = np.searchsorted(rising, cells, "right") - 1 - HALF
        shift = self.cells.shift[leading]
        inside = (cells - self.cells.first[leading]) << shift
        lows = score_of(_unsigned((leading << REST) | inside))
        # Below -inf there are only NaNs, of which no row has one.
        return np.where(np.isnan(lows), -np.inf, lows), shift.astype(np.uint8)


def _cells(keys: Keys, spread: NDArray[np.float64], most: int) -> Cells:
    """Cells in proportion to what is spread over the keys."""
    share = np.bincount((keys >> REST) + HALF, weights=spread, minlength=2 * HALF)
    wanted = most * share / (share.sum() or 1)
    bits = np.where(wanted > 1, np.floor(np.log2(np.maximum(wanted, 1))), 0)
    bits = np.minimum(bits, REST).astype(np.int64)
    ends = np.cumsum(np.int64(1) << bits)
    first = np.append([0], ends[:-1])
    shift = REST - bits
    offset = first - ((np.arange(-HALF, HALF) << REST) >> shift)
    return Cells(_rising(first), _rising(shift), _rising(offset), int(ends[-1]))


def _rising(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """A table by leading bits from the lowest, or by the same as an index: -1 is its last."""
    return np.roll(table, HALF)


def _write_keys(scores: NDArray[Any], keys: Keys, spare: Keys) -> None:
    """Signed integers that rise as scores do; -0 and 0 are one."""
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
    scores: NDArray[np.float64], levels: NDArray[np.uint8], rows: NDArray[Any], found: NDArray[Any]
) -> Ranking:
    tally, own = tally_of_bins(scores, levels, found, rows - found)
    return Ranking(tally, int(rows.sum()), levels=own if own.any() else None)
