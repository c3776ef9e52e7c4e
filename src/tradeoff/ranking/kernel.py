"""The one sort: rows become distinct scores with cumulative counts. Nothing here checks input.

Rows are sorted once, as integers that carry their class in the lowest bit (see `keys`), in as
many parts as there are cores. What follows the sort is done block by block, so that the
intermediate arrays stay in the cache and the peak memory is little more than the result.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import numpy as np

from tradeoff.ranking.keys import Coding, coding_of, smallest_magnitude

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

BLOCK = 1 << 17
"""Rows handled at a time after the sort: large enough that NumPy's own overhead vanishes."""

ROWS_PER_CORE = 1 << 17
"""Below this, starting a thread costs more than it saves."""

MOST_CORES = 8
"""The split into parts is serial, so more cores than this would only wait for it."""

FEW = 1 << 13
"""Below this many rows an argsort is cheaper than making keys."""

Span = tuple[int, int]
Ties = Literal["half", "won", "lost"]
Result = TypeVar("Result")
Item = TypeVar("Item")


class Tally(NamedTuple):
    """Distinct scores from high to low, with the counts at or above each; first row: none."""

    thresholds: NDArray[np.float64]
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
        return _tally_ordered(scores, positive, weights)
    scores = np.ascontiguousarray(scores)
    coding = _choose_coding(scores)
    if coding is None:
        return _tally_by_sign(scores, positive)
    return _tally_coded(scores, positive, coding)


def twice_area(
    true_positives: NDArray[Any], false_positives: NDArray[Any], *, ties: Ties = "half"
) -> int | float:
    """Twice the area under the steps of counts: the AUC times 2·P·N, exact for integer counts.

    Pairs with equal scores count half, or as won or lost altogether.
    """
    last = len(true_positives) - 1
    exact = true_positives.dtype.kind in "iu" and false_positives.dtype.kind in "iu"
    if exact and 2 * int(true_positives[-1]) * int(false_positives[-1]) > np.iinfo(np.int64).max:
        true_positives = true_positives.astype(object)
        false_positives = false_positives.astype(object)
    left, right = {"half": (0, 1), "won": (1, 1), "lost": (0, 0)}[ties]

    def part(span: Span) -> int | float:
        areas = []
        for start, stop in _blocks(span):
            widths = false_positives[start + 1 : stop + 1] - false_positives[start:stop]
            heights = (
                true_positives[start + left : stop + left]
                + true_positives[start + right : stop + right]
            )
            areas.append(widths.dot(heights))
        return sum(map(int, areas)) if exact else math.fsum(areas)

    return sum(_each(part, _spans(last)))


def twice_pairs_won(scores: NDArray[Any], positive: NDArray[np.bool_]) -> int:
    """Twice the pairs in which the positive row scores higher, a tie being half a pair.

    The same number as `twice_area` without making the tally: quicker for few rows.
    """
    negatives = scores[~positive]
    negatives.sort()
    positives = scores[positive]
    lower = negatives.searchsorted(positives, "left").sum()
    return int(lower + negatives.searchsorted(positives, "right").sum())


def _tally_coded(scores: NDArray[Any], positive: NDArray[np.bool_], coding: Coding) -> Tally:
    # One place more than rows: the sorted keys turn into thresholds where they stand, behind
    # the row "none". This saves a whole array at the peak.
    buffer = np.empty(len(scores) + 1, coding.unsigned)
    keys = buffer[1:]
    spans = _sort_keys(keys, scores, positive, coding)
    found = np.cumsum([0, *_each(lambda span: _positives(keys, span), spans)])

    columns = Tally(buffer, *(np.empty(len(buffer), np.int64) for _ in range(2)))
    parts = list(zip(spans, found[:-1].tolist(), strict=True))
    sizes = _each(lambda part: _fill(keys, columns, coding, *part), parts)
    groups = _close_gaps(columns, spans, sizes)
    columns = Tally(buffer.view(scores.dtype), *columns[1:])
    for column, first in zip(columns, (np.inf, 0, 0), strict=True):
        column[0] = first
    # With many ties a slice would keep the whole column alive.
    many_ties = 2 * groups < len(scores)
    thresholds, *counts = (
        column[: groups + 1].copy() if many_ties else column[: groups + 1] for column in columns
    )
    return Tally(thresholds.astype(np.float64, copy=False), *counts)


def _close_gaps(columns: Tally, spans: list[Span], sizes: list[int]) -> int:
    """Move the groups of each span behind those of the span before; return how many there are."""
    to = 1
    for (start, _), size in zip(spans, sizes, strict=True):
        if to != start + 1:
            for column in columns:
                column[to : to + size] = column[start + 1 : start + 1 + size]
        to += size
    return to - 1


def _choose_coding(scores: NDArray[Any]) -> Coding | None:
    spans = _spans(len(scores))
    low = min(_each(lambda span: scores[slice(*span)].min(), spans))
    high = max(_each(lambda span: scores[slice(*span)].max(), spans))
    if low >= 0 or high <= 0:
        return coding_of(low, high)
    smallest = min(
        _each(lambda span: min(smallest_magnitude(scores[slice(*b)]) for b in _blocks(span)), spans)
    )
    return coding_of(low, high, smallest)


def _sort_keys(
    keys: NDArray[Any], scores: NDArray[Any], positive: NDArray[np.bool_], coding: Coding
) -> list[Span]:
    """Fill and sort `keys`; return spans of it that no group of equal scores straddles."""

    def encode(span: Span) -> None:
        spare = np.empty(BLOCK, coding.unsigned)
        for block in _blocks(span):
            out = keys[slice(*block)]
            coding.encode(scores[slice(*block)], out, spare[: len(out)])
            np.left_shift(out, coding.unsigned(1), out=out)
            np.bitwise_or(out, positive[slice(*block)], out=out)

    spans = _spans(len(keys))
    _each(encode, spans)
    cuts = [start for start, _ in spans[1:]]
    sortable = keys.view(np.float64) if coding.sorts_as_float else keys
    if cuts:
        sortable.partition(cuts)
    _each(lambda span: sortable[slice(*span)].sort(), spans)
    one = coding.unsigned(1)
    moved = [int(np.searchsorted(keys, keys[cut] >> one << one)) for cut in cuts]
    return list(pairwise([0, *moved, len(keys)]))


def _positives(keys: NDArray[Any], span: Span) -> int:
    spare = np.empty(BLOCK, keys.dtype)
    one = keys.dtype.type(1)
    return sum(
        int(np.bitwise_and(keys[start:stop], one, out=spare[: stop - start]).sum())
        for start, stop in _blocks(span)
    )


def _fill(keys: NDArray[Any], columns: Tally, coding: Coding, span: Span, positives: int) -> int:
    """Write the groups of one span from its start on; return how many there are.

    A group is never written behind the keys still to be read, so thresholds replace keys.
    """
    buffer, true_positives, false_positives = columns
    scratch = _Scratch.like(keys)
    one = coding.unsigned(1)
    to = span[0] + 1
    for start, stop in _blocks(span):
        block = keys[start:stop]
        last = _last_of_group(keys, start, stop, span[1], scratch)
        found = np.bitwise_and(block, one, out=scratch.counts[: stop - start], casting="unsafe")
        found[0] += positives
        np.cumsum(found, out=found)
        positives = int(found[-1])
        seen = np.add(scratch.ramp[: stop - start], start, out=scratch.more[: stop - start])
        size = int(np.count_nonzero(last))
        if size < len(block):
            at = np.flatnonzero(last)
            block, found, seen = block[at], found[at], seen[at]
        true_positives[to : to + size] = found
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
    counts: NDArray[np.int64]
    more: NDArray[np.int64]
    ramp: NDArray[np.int64]

    @classmethod
    def like(cls, keys: NDArray[Any]) -> _Scratch:
        size = min(BLOCK, len(keys))
        return cls(
            np.empty(size, keys.dtype),
            np.empty(size, np.bool_),
            np.empty(size, np.int64),
            np.empty(size, np.int64),
            np.arange(1, size + 1),
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
    """Scores of both signs over more than a thousand powers of two: each sign by itself."""
    above = scores >= 0
    high = tally(scores[above], positive[above])
    low = tally(scores[~above], positive[~above])
    return Tally(
        np.concatenate([high.thresholds, low.thresholds[1:]]),
        np.concatenate([high.true_positives, low.true_positives[1:] + high.true_positives[-1]]),
        np.concatenate([high.false_positives, low.false_positives[1:] + high.false_positives[-1]]),
    )


def _tally_ordered(
    scores: NDArray[Any], positive: NDArray[np.bool_], weights: NDArray[Any] | None
) -> Tally:
    """By sorting row numbers: slower for many rows, but weights can follow."""
    order = _falling_order(scores)
    ordered, positive = scores[order], positive[order]
    last = np.empty(len(order), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=last[:-1])
    last[-1] = True
    ends = last.nonzero()[0]
    kind = np.int64 if weights is None else weights.dtype
    thresholds = np.empty(len(ends) + 1)
    counts = np.zeros((2, len(ends) + 1), kind)
    thresholds[0] = np.inf
    np.add(ordered[ends], 0.0, out=thresholds[1:])  # no negative zero
    if weights is None:
        counts[0, 1:] = positive.cumsum()[ends]
        np.subtract(ends + 1, counts[0, 1:], out=counts[1, 1:])
    else:
        # Each class by itself: with real weights, total minus positives could fall.
        weights = weights[order]
        counts[0, 1:] = np.where(positive, weights, 0).cumsum()[ends]
        counts[1, 1:] = np.where(positive, 0, weights).cumsum()[ends]
    return Tally(thresholds, counts[0], counts[1])


def _falling_order(scores: NDArray[Any]) -> NDArray[np.intp]:
    """Row numbers from the highest score to the lowest, sorted in as many parts as cores."""
    spans = _spans(len(scores))
    if len(spans) == 1:
        return np.argsort(scores)[::-1]
    few = np.sort(scores[:: len(scores) // 4096 + 1])
    pivots = [few[len(few) * i // len(spans)] for i in range(1, len(spans))]
    part = np.searchsorted(pivots, scores, side="right").astype(np.int8)

    def order(i: int) -> NDArray[np.intp]:
        rows = np.flatnonzero(part == i)
        return rows[np.argsort(scores[rows])[::-1]]

    return np.concatenate(_each(order, range(len(spans) - 1, -1, -1)))


def _spans(size: int) -> list[Span]:
    """As many nearly equal spans as cores are worth using for `size` rows."""
    if size < 2 * ROWS_PER_CORE:
        return [(0, size)]
    parts = min(size // ROWS_PER_CORE, _cores(), MOST_CORES)
    return list(pairwise([size * i // parts for i in range(parts + 1)]))


def _blocks(span: Span) -> Iterator[Span]:
    start, stop = span
    for at in range(start, stop, BLOCK):
        yield at, min(at + BLOCK, stop)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _each(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """The work done on each item, in threads when there is more than one: NumPy frees the GIL."""
    if len(items) == 1:
        return [work(items[0])]
    with ThreadPoolExecutor(len(items)) as threads:
        return list(threads.map(work, items))
