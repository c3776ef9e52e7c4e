"""The one sort: rows become distinct scores with cumulative counts. Nothing here checks input.

Rows are sorted once, as integers that carry their class in the lowest bit (see `Coding`), in as
many parts as there are cores. What follows the sort is done block by block, so that the
intermediate arrays stay in the cache and the peak memory is little more than the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff import threads
from tradeoff.threads import Span, blocks, each, spans

# Scores as integers: a falling score becomes a rising code, at least one bit shorter.
#
# The bit that is saved holds the row's class, so that one plain sort (the fastest that NumPy has)
# orders the rows and carries their classes along.


Unsigned = type[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class Coding:
    """A falling map from scores to integers from 0 to `bottom`.

    A float's magnitude bits order positive floats as integers. Codes count down from the highest
    score: `zero` minus the magnitude for positive scores, `zero` plus the magnitude for negative
    ones. Magnitudes up to `floor` are taken for zero, which makes room for both signs; whoever
    uses a coding with a floor must see to it that nothing but zeros got the code `zero`.
    """

    unsigned: Unsigned
    floor: int
    zero: int
    bottom: int

    @property
    def sorts_as_float(self) -> bool:
        """Whether codes with a class bit are bits of finite floats too, which sort faster."""
        return self.unsigned is np.uint64 and self.bottom <= _largest(self.unsigned, as_float=True)

    def encode(self, scores: NDArray[Any], out: NDArray[Any], spare: NDArray[Any]) -> None:
        """Write the code of each score into `out`; `spare` is overwritten."""
        u = self.unsigned
        bits = scores.view(u)
        np.bitwise_and(bits, u(_sign(u) - 1), out=out)
        if self.floor:
            np.maximum(out, u(self.floor), out=out)
        if self.bottom == self.zero:  # no negative scores
            np.subtract(u(self.zero + self.floor), out, out=out)
            return
        np.subtract(out, u(self.floor), out=out)
        # All ones for a positive score, all zeros for a negative one: x ^ flip - flip negates.
        flip = np.right_shift(bits, u(_width(u) - 1), out=spare)
        np.subtract(flip, u(1), out=flip)
        np.bitwise_xor(out, flip, out=out)
        np.subtract(out, flip, out=out)
        np.add(out, u(self.zero), out=out)

    def decode(self, codes: NDArray[Any]) -> None:
        """Turn sorted, distinct codes, in place, into the bits of their scores."""
        u = self.unsigned
        place = int(np.searchsorted(codes, u(self.zero)))
        above, below = codes[:place], codes[place:]
        np.subtract(u(self.zero + self.floor), above, out=above)
        if len(below) and below[0] == self.zero:
            below[0], below = 0, below[1:]
        # Wraps round where the sum passes the width, as it should.
        back = (_sign(u) + self.floor - self.zero) % (2 * _sign(u))
        np.add(below, u(back), out=below)


def _coding_of(low: np.floating[Any], high: np.floating[Any]) -> Coding:
    """The coding for scores from `low` to `high`, its floor as low as a fast sort allows.

    For scores below a million, the floor lies near 1e-150: in practice, nothing but zero is zero.
    """
    unsigned = _unsigned(low)
    above, below = _magnitude(high, unsigned, 1), _magnitude(low, unsigned, -1)
    stretches = (above > 0) + (below > 0)
    surplus = above + below - _largest(unsigned, as_float=True)
    floor = max(0, -(-surplus // stretches)) if stretches else 0
    return _coding(unsigned, above, below, floor)


def _exact_coding(low: np.floating[Any], high: np.floating[Any]) -> Coding:
    """The coding without a floor, for scores of one sign."""
    unsigned = _unsigned(low)
    return _coding(unsigned, _magnitude(high, unsigned, 1), _magnitude(low, unsigned, -1), 0)


def _coding(unsigned: Unsigned, above: int, below: int, floor: int) -> Coding:
    zero = max(above - floor, 0)
    return Coding(unsigned, floor, zero, zero + max(below - floor, 0))


def _unsigned(score: np.floating[Any]) -> Unsigned:
    return np.uint64 if score.dtype.itemsize == 8 else np.uint32


def _magnitude(score: np.floating[Any], unsigned: Unsigned, sign: int) -> int:
    """The magnitude bits of a score of that sign; 0 for one of the other sign."""
    return int(abs(score).view(unsigned)) if sign * score > 0 else 0


def _largest(unsigned: Unsigned, *, as_float: bool) -> int:
    """The largest code that leaves room for the class bit."""
    if as_float and unsigned is np.uint64:
        return (int(np.float64(np.inf).view(np.uint64)) - 2) // 2
    return _sign(unsigned) - 1


def _width(unsigned: Unsigned) -> int:
    return 8 * np.dtype(unsigned).itemsize


def _sign(unsigned: Unsigned) -> int:
    """The sign bit of a float of that width."""
    return int(1 << (_width(unsigned) - 1))


# The tally by sorting row numbers: for few rows, and for weights, which must follow their rows.


def _ordered_columns(
    scores: NDArray[Any], positive: NDArray[np.bool_], weights: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Distinct scores from high to low and the counts at or above each, behind a row "none"."""
    order = falling_order(scores)
    thresholds = _behind_none(scores, order, np.inf)
    positive = positive[order]
    if weights is None:
        found = _behind_none(positive, None, kind=np.int64)
        np.cumsum(found, out=found)
        alarms = np.arange(len(found)) - found
    else:
        # Each class by itself: with real weights, total minus positives could fall.
        alarms = _behind_none(weights, order)
        del order
        found = np.empty_like(alarms)
        found[0] = 0
        np.multiply(alarms[1:], positive, out=found[1:])
        alarms[1:][positive] = 0
        for own in (found, alarms):
            np.cumsum(own, out=own)
    # Of equal scores keep the last: only there have all of them been counted. "None" stays.
    last = np.ones(len(thresholds), np.bool_)
    np.not_equal(thresholds[2:], thresholds[1:-1], out=last[1:-1])
    thresholds += 0.0  # no negative zero
    if last.all():
        return thresholds, found, alarms
    return thresholds[last], found[last], alarms[last]


def _behind_none(
    values: NDArray[Any], order: NDArray[Any] | None, first: float = 0, *, kind: Any = None
) -> NDArray[Any]:
    """The values in order, behind one for the row "none", without a copy in between."""
    column = np.empty(len(values) + 1, kind or values.dtype)
    column[0] = first
    if order is None:
        column[1:] = values
    else:
        np.take(values, order, out=column[1:], mode="clip")
    return column


def falling_order(scores: NDArray[Any]) -> NDArray[Any]:
    """Row numbers from the highest score to the lowest, sorted in as many parts as cores."""
    parts = len(spans(len(scores)))
    if parts == 1:
        return np.argsort(scores)[::-1]
    few = np.sort(scores[:: len(scores) // 4096 + 1])
    part = np.zeros(len(scores), np.int8)
    for i in range(1, parts):
        part += scores >= few[len(few) * i // parts]
    sizes = np.bincount(part, minlength=parts)[::-1]
    stops = np.cumsum(sizes)
    order = np.empty(len(scores), np.intp)

    def sort(i: int) -> None:
        own = part == parts - 1 - i
        falling = np.argsort(-scores[own])  # negated: a reversed result would be copied
        place = slice(stops[i] - sizes[i], stops[i])
        np.take(np.flatnonzero(own), falling, out=order[place], mode="clip")

    each(sort, range(parts))
    return order


FEW = 1 << 13
"""Below this many rows an argsort is cheaper than making keys."""


class Tally(NamedTuple):
    """Distinct scores from high to low, with the counts at or above each; first row: none.

    As narrow as is exact: thresholds of the scores' own width, counts of 32 bits where they fit.
    """

    thresholds: NDArray[Any]
    true_positives: NDArray[Any]
    false_positives: NDArray[Any]


def tally(
    scores: NDArray[Any], positive: NDArray[np.bool_], weights: NDArray[Any] | None = None
) -> Tally:
    """Count positives and negatives at or above each distinct score.

    Args:
        scores: float32 or float64, one dimension, no NaN; ±inf are ordinary ranks.
        positive: Whether each row is positive.
        weights: int64 or float64, above zero; counts are then sums of weights.
    """
    if not scores.size:
        nothing = np.zeros(1, np.int64 if weights is None else weights.dtype)
        return Tally(np.array([np.inf]), nothing, nothing.copy())
    if weights is not None or len(scores) < FEW:
        return Tally(*_ordered_columns(scores, positive, weights))
    scores = np.ascontiguousarray(scores)
    return _tally_coded(scores, positive, _coding_of(*_extremes(scores))) or _tally_by_sign(
        scores, positive
    )


def _tally_coded(scores: NDArray[Any], positive: NDArray[np.bool_], coding: Coding) -> Tally | None:
    """The tally by sorted keys; None when a score too small for the coding's floor got lost."""
    # One place more than rows: the sorted keys turn into thresholds where they stand, behind
    # the row "none". This saves a whole array at the peak.
    buffer = np.empty(len(scores) + 1, coding.unsigned)
    keys = buffer[1:]
    parts = _sort_keys(keys, scores, positive, coding)
    if coding.floor and not _only_zeros_are_zero(keys, scores, coding):
        return None
    found = np.cumsum([0, *each(lambda span: _positives(keys, span), parts)])

    kind = np.int32 if len(scores) < 2**31 else np.int64
    counts = np.empty(len(buffer), kind), np.empty(len(buffer), kind)
    work = list(zip(parts, found[:-1].tolist(), strict=True))
    sizes = each(lambda part: _fill(keys, Tally(buffer, *counts), coding, *part), work)
    columns = Tally(buffer.view(scores.dtype), *counts)
    groups = _close_gaps(columns, parts, sizes)
    for column, first in zip(columns, (np.inf, 0, 0), strict=True):
        column[0] = first
    # With many ties a slice would keep the whole column alive.
    many_ties = 2 * groups < len(scores)
    kept = (column[: groups + 1] for column in columns)
    return Tally(*(column.copy() if many_ties else column for column in kept))


def _close_gaps(columns: Tally, parts: list[Span], sizes: list[int]) -> int:
    """Move the groups of each span behind those of the span before; return how many there are."""
    to = 1
    for (start, _), size in zip(parts, sizes, strict=True):
        if to != start + 1:
            for column in columns:
                column[to : to + size] = column[start + 1 : start + 1 + size]
        to += size
    return to - 1


def _extremes(scores: NDArray[Any]) -> tuple[Any, Any]:
    parts = spans(len(scores))
    lows = each(lambda span: scores[slice(*span)].min(), parts)
    highs = each(lambda span: scores[slice(*span)].max(), parts)
    return min(lows), max(highs)


def _only_zeros_are_zero(keys: NDArray[Any], scores: NDArray[Any], coding: Coding) -> bool:
    first, last = (coding.unsigned(2 * coding.zero + bit) for bit in (0, 1))
    found = int(np.searchsorted(keys, last, "right") - np.searchsorted(keys, first, "left"))
    if not found:
        return True
    counts = each(
        lambda span: len(scores[slice(*span)]) - int(np.count_nonzero(scores[slice(*span)])),
        spans(len(scores)),
    )
    return found == sum(counts)


def _sort_keys(
    keys: NDArray[Any], scores: NDArray[Any], positive: NDArray[np.bool_], coding: Coding
) -> list[Span]:
    """Fill and sort `keys`; return spans of it that no group of equal scores straddles."""

    def encode(span: Span) -> None:
        spare = np.empty(threads.BLOCK, coding.unsigned)
        for block in blocks(span):
            out = keys[slice(*block)]
            coding.encode(scores[slice(*block)], out, spare[: len(out)])
            np.left_shift(out, coding.unsigned(1), out=out)
            np.bitwise_or(out, positive[slice(*block)], out=out)

    parts = spans(len(keys))
    each(encode, parts)
    cuts = [start for start, _ in parts[1:]]
    sortable = keys.view(np.float64) if coding.sorts_as_float else keys
    if cuts:
        sortable.partition(cuts)
    each(lambda span: sortable[slice(*span)].sort(), parts)
    one = coding.unsigned(1)
    moved = [int(np.searchsorted(keys, keys[cut] >> one << one)) for cut in cuts]
    return list(pairwise([0, *moved, len(keys)]))


def _positives(keys: NDArray[Any], span: Span) -> int:
    spare = np.empty(threads.BLOCK, keys.dtype)
    one = keys.dtype.type(1)
    return sum(
        int(np.bitwise_and(keys[start:stop], one, out=spare[: stop - start]).sum())
        for start, stop in blocks(span)
    )


def _fill(keys: NDArray[Any], columns: Tally, coding: Coding, span: Span, positives: int) -> int:
    """Write the groups of one span from its start on; return how many there are.

    A group is never written behind the keys still to be read, so thresholds replace keys.
    """
    buffer, true_positives, false_positives = columns
    scratch = _Scratch.of(keys, true_positives)
    one = coding.unsigned(1)
    to = span[0] + 1
    for start, stop in blocks(span):
        block = keys[start:stop]
        last = _last_of_group(keys, start, stop, span[1], scratch)
        size = int(np.count_nonzero(last))
        found = np.bitwise_and(block, one, out=scratch.found[: stop - start], casting="unsafe")
        found[0] += positives
        seen = np.add(scratch.ramp[: stop - start], start, out=scratch.seen[: stop - start])
        if size == len(block):
            found = np.cumsum(found, out=true_positives[to : to + size])
            positives = int(found[-1])
        else:
            np.cumsum(found, out=found)
            positives = int(found[-1])
            at = np.flatnonzero(last)
            block, seen = block[at], seen[at]
            found = np.take(found, at, out=true_positives[to : to + size], mode="clip")
        np.subtract(seen, found, out=false_positives[to : to + size])
        codes = buffer[to : to + size]
        np.right_shift(block, one, out=codes)
        coding.decode(codes)
        to += size
    return to - 1 - span[0]


@dataclass(frozen=True)
class _Scratch:
    """One block of each kind, used again and again: fresh memory costs more than the work."""

    keys: NDArray[Any]
    last: NDArray[np.bool_]
    found: NDArray[Any]
    seen: NDArray[Any]
    ramp: NDArray[Any]

    @classmethod
    def of(cls, keys: NDArray[Any], counts: NDArray[Any]) -> _Scratch:
        size = min(threads.BLOCK, len(keys))
        return cls(
            np.empty(size, keys.dtype),
            np.empty(size, np.bool_),
            np.empty(size, counts.dtype),
            np.empty(size, counts.dtype),
            np.arange(1, size + 1, dtype=counts.dtype),
        )


def _last_of_group(
    keys: NDArray[Any], start: int, stop: int, end: int, scratch: _Scratch
) -> NDArray[np.bool_]:
    # Of equal scores keep the last: only there have all of them been counted. Two keys belong
    # to one score when they differ at most in the class bit.
    last = scratch.last[: stop - start]
    last[-1] = True
    inner = min(stop, end - 1)
    change = scratch.keys[: inner - start]
    np.bitwise_xor(keys[start:inner], keys[start + 1 : inner + 1], out=change)
    np.greater(change, keys.dtype.type(1), out=last[: inner - start])
    return last


def _tally_by_sign(scores: NDArray[Any], positive: NDArray[np.bool_]) -> Tally:
    """Scores from tiny to huge: each sign by itself needs no floor."""
    parts = []
    for rows in (scores >= 0, scores < 0):
        own = scores[rows]
        if own.size:
            parts.append(_tally_coded(own, positive[rows], _exact_coding(own.min(), own.max())))
    # 64 bits: each sign may fit 32 where both together do not.
    high, *rest = (
        Tally(part[0], *(column.astype(np.int64) for column in part[1:]))
        for part in parts
        if part is not None
    )
    for low in rest:
        high = Tally(
            np.concatenate([high.thresholds, low.thresholds[1:]]),
            *(np.concatenate([a, b[1:] + a[-1]]) for a, b in zip(high[1:], low[1:], strict=True)),
        )
    return high
