"""The one sort: rows become distinct scores with cumulative counts. Nothing here checks input.

Rows are sorted once, as integers that carry their class in the lowest bit (see `keys`), in as
many parts as there are cores. What follows the sort is done block by block, so that the
intermediate arrays stay in the cache and the peak memory is little more than the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.ranking import cores
from tradeoff.ranking.cores import Span, blocks, each, spans
from tradeoff.ranking.keys import Coding, coding_of, exact_coding
from tradeoff.ranking.ordered import ordered_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
        return Tally(*ordered_columns(scores, positive, weights))
    scores = np.ascontiguousarray(scores)
    return _tally_coded(scores, positive, coding_of(*_extremes(scores))) or _tally_by_sign(
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
        spare = np.empty(cores.BLOCK, coding.unsigned)
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
    spare = np.empty(cores.BLOCK, keys.dtype)
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
        size = min(cores.BLOCK, len(keys))
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
            parts.append(_tally_coded(own, positive[rows], exact_coding(own.min(), own.max())))
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
