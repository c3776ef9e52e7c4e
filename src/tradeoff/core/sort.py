"""Sort rows into distinct scores with cumulative counts. Input is not validated here.

Rows are sorted once, as integers with their class in the lowest bit (see `ScoreEncoding`), in as
many parts as there are cores. The steps after the sort run block by block, so that intermediate
arrays stay in the cache and peak memory is little more than the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff import threads
from tradeoff.core.sort_keys import ScoreEncoding, choose_encoding, exact_encoding
from tradeoff.threads import Span, cache_blocks, map_in_threads, thread_spans

# Tallies by argsort: for few rows, and for weighted rows, whose weights must be reordered too.


def _ordered_columns(
    scores: NDArray[Any], positive: NDArray[np.bool_], weights: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Distinct scores from high to low with the counts at or above each, after a row "none"."""
    order = descending_order(scores)
    thresholds = _prepend_none(scores, order, np.inf)
    positive = positive[order]
    if weights is None:
        true_positives = _prepend_none(positive, None, dtype=np.int64)
        np.cumsum(true_positives, out=true_positives)
        false_positives = np.arange(len(true_positives)) - true_positives
    else:
        # Each class separately: with real-valued weights, total minus positives could decrease.
        false_positives = _prepend_none(weights, order)
        del order
        true_positives = np.empty_like(false_positives)
        true_positives[0] = 0
        np.multiply(false_positives[1:], positive, out=true_positives[1:])
        false_positives[1:][positive] = 0
        for counts in (true_positives, false_positives):
            np.cumsum(counts, out=counts)
    # Keep the last of equal scores, where all of them have been counted, and the row "none".
    is_last = np.ones(len(thresholds), np.bool_)
    np.not_equal(thresholds[2:], thresholds[1:-1], out=is_last[1:-1])
    thresholds += 0.0  # no negative zero
    if is_last.all():
        return thresholds, true_positives, false_positives
    return thresholds[is_last], true_positives[is_last], false_positives[is_last]


def _prepend_none(
    values: NDArray[Any], order: NDArray[Any] | None, first: float = 0, *, dtype: Any = None
) -> NDArray[Any]:
    """Reorder values and prepend that of the row "none", without an intermediate copy."""
    column = np.empty(len(values) + 1, dtype or values.dtype)
    column[0] = first
    if order is None:
        column[1:] = values
    else:
        np.take(values, order, out=column[1:], mode="clip")
    return column


def descending_order(scores: NDArray[Any]) -> NDArray[Any]:
    """Row numbers from the highest score to the lowest, sorted in parallel threads."""
    parts = len(thread_spans(len(scores)))
    if parts == 1:
        return np.argsort(scores)[::-1]
    sample = np.sort(scores[:: len(scores) // 4096 + 1])
    part_of_row = np.zeros(len(scores), np.int8)
    for i in range(1, parts):
        part_of_row += scores >= sample[len(sample) * i // parts]
    sizes = np.bincount(part_of_row, minlength=parts)[::-1]
    stops = np.cumsum(sizes)
    order = np.empty(len(scores), np.intp)

    def sort(i: int) -> None:
        in_part = part_of_row == parts - 1 - i
        descending = np.argsort(-scores[in_part])  # negated: a reversed result would be copied
        destination = slice(stops[i] - sizes[i], stops[i])
        np.take(np.flatnonzero(in_part), descending, out=order[destination], mode="clip")

    map_in_threads(sort, range(parts))
    return order


MIN_KEYED_ROWS = 1 << 13
"""Below this many rows, an argsort is cheaper than building sort keys."""


class Tally(NamedTuple):
    """Distinct scores, sorted from high to low, with counts at or above each, after a row "none".

    Columns are as narrow as exactness allows: thresholds have the width of the scores, and counts
    have 32 bits if these suffice.
    """

    thresholds: NDArray[Any]
    true_positives: NDArray[Any]
    false_positives: NDArray[Any]


def tally_scores(
    scores: NDArray[Any], positive: NDArray[np.bool_], weights: NDArray[Any] | None = None
) -> Tally:
    """Sort rows and count positives and negatives at or above each distinct score.

    Args:
        scores: float32 or float64, one dimension, no NaN; ±inf are ordinary ranks.
        positive: Whether each row is positive.
        weights: int64 or float64, above 0; counts are then sums of weights.
    """
    if not scores.size:
        zero_counts = np.zeros(1, np.int64 if weights is None else weights.dtype)
        return Tally(np.array([np.inf]), zero_counts, zero_counts.copy())
    if weights is not None or len(scores) < MIN_KEYED_ROWS:
        return Tally(*_ordered_columns(scores, positive, weights))
    scores = np.ascontiguousarray(scores)
    return _tally_by_keys(
        scores, positive, choose_encoding(*_score_extremes(scores))
    ) or _tally_by_sign(scores, positive)


def _tally_by_keys(
    scores: NDArray[Any], positive: NDArray[np.bool_], encoding: ScoreEncoding
) -> Tally | None:
    """Tally by sorted keys; None if a nonzero score underflowed to zero in the encoding."""
    # One more element than rows: the sorted keys become thresholds in place, after the row "none",
    # which reduces peak memory by a whole array.
    buffer = np.empty(len(scores) + 1, encoding.integer_type)
    keys = buffer[1:]
    parts = _sort_keys(keys, scores, positive, encoding)
    if encoding.underflow_limit and not _only_zeros_have_zero_key(keys, scores, encoding):
        return None
    positives_before = np.cumsum(
        [0, *map_in_threads(lambda span: _count_positives(keys, span), parts)]
    )

    dtype = np.int32 if len(scores) < 2**31 else np.int64
    counts = np.empty(len(buffer), dtype), np.empty(len(buffer), dtype)
    tasks = list(zip(parts, positives_before[:-1].tolist(), strict=True))
    sizes = map_in_threads(
        lambda part: _write_groups(keys, Tally(buffer, *counts), encoding, *part), tasks
    )
    columns = Tally(buffer.view(scores.dtype), *counts)
    group_count = _close_gaps(columns, parts, sizes)
    for column, first in zip(columns, (np.inf, 0, 0), strict=True):
        column[0] = first
    # With many ties, a slice would keep the whole column in memory.
    has_many_ties = 2 * group_count < len(scores)
    used_columns = (column[: group_count + 1] for column in columns)
    return Tally(*(column.copy() if has_many_ties else column for column in used_columns))


def _close_gaps(columns: Tally, parts: list[Span], sizes: list[int]) -> int:
    """Close the gaps between the groups of all spans; return the number of groups."""
    destination = 1
    for (start, _), size in zip(parts, sizes, strict=True):
        if destination != start + 1:
            for column in columns:
                column[destination : destination + size] = column[start + 1 : start + 1 + size]
        destination += size
    return destination - 1


def _score_extremes(scores: NDArray[Any]) -> tuple[Any, Any]:
    parts = thread_spans(len(scores))
    lows = map_in_threads(lambda span: scores[slice(*span)].min(), parts)
    highs = map_in_threads(lambda span: scores[slice(*span)].max(), parts)
    return min(lows), max(highs)


def _only_zeros_have_zero_key(
    keys: NDArray[Any], scores: NDArray[Any], encoding: ScoreEncoding
) -> bool:
    first, last = (encoding.integer_type(2 * encoding.zero_code + bit) for bit in (0, 1))
    zero_keys = int(np.searchsorted(keys, last, "right") - np.searchsorted(keys, first, "left"))
    if not zero_keys:
        return True
    counts = map_in_threads(
        lambda span: len(scores[slice(*span)]) - int(np.count_nonzero(scores[slice(*span)])),
        thread_spans(len(scores)),
    )
    return zero_keys == sum(counts)


def _sort_keys(
    keys: NDArray[Any], scores: NDArray[Any], positive: NDArray[np.bool_], encoding: ScoreEncoding
) -> list[Span]:
    """Fill and sort `keys`; return spans whose borders do not split groups of tied scores."""

    def encode(span: Span) -> None:
        scratch = np.empty(threads.BLOCK_ROWS, encoding.integer_type)
        for block in cache_blocks(span):
            out = keys[slice(*block)]
            encoding.encode(scores[slice(*block)], out, scratch[: len(out)])
            np.left_shift(out, encoding.integer_type(1), out=out)
            np.bitwise_or(out, positive[slice(*block)], out=out)

    parts = thread_spans(len(keys))
    map_in_threads(encode, parts)
    cuts = [start for start, _ in parts[1:]]
    key_view = keys.view(np.float64) if encoding.keys_sort_as_floats else keys
    if cuts:
        key_view.partition(cuts)
    map_in_threads(lambda span: key_view[slice(*span)].sort(), parts)
    class_bit = encoding.integer_type(1)
    group_starts = [int(np.searchsorted(keys, keys[cut] >> class_bit << class_bit)) for cut in cuts]
    return list(pairwise([0, *group_starts, len(keys)]))


def _count_positives(keys: NDArray[Any], span: Span) -> int:
    scratch = np.empty(threads.BLOCK_ROWS, keys.dtype)
    class_bit = keys.dtype.type(1)
    return sum(
        int(np.bitwise_and(keys[start:stop], class_bit, out=scratch[: stop - start]).sum())
        for start, stop in cache_blocks(span)
    )


def _write_groups(
    keys: NDArray[Any], columns: Tally, encoding: ScoreEncoding, span: Span, positives: int
) -> int:
    """Write the groups of a span from its start onwards; return the number of groups.

    Writing never overtakes reading, so thresholds can replace keys in place.
    """
    buffer, true_positives, false_positives = columns
    scratch = _Scratch.of(keys, true_positives)
    class_bit = encoding.integer_type(1)
    destination = span[0] + 1
    for start, stop in cache_blocks(span):
        block = keys[start:stop]
        is_last = _is_last_of_group(keys, start, stop, span[1], scratch)
        size = int(np.count_nonzero(is_last))
        true_positive_counts = np.bitwise_and(
            block, class_bit, out=scratch.positives[: stop - start], casting="unsafe"
        )
        true_positive_counts[0] += positives
        rows_above = np.add(
            scratch.row_numbers[: stop - start], start, out=scratch.rows[: stop - start]
        )
        if size == len(block):
            true_positive_counts = np.cumsum(
                true_positive_counts, out=true_positives[destination : destination + size]
            )
            positives = int(true_positive_counts[-1])
        else:
            np.cumsum(true_positive_counts, out=true_positive_counts)
            positives = int(true_positive_counts[-1])
            indices = np.flatnonzero(is_last)
            block, rows_above = block[indices], rows_above[indices]
            true_positive_counts = np.take(
                true_positive_counts,
                indices,
                out=true_positives[destination : destination + size],
                mode="clip",
            )
        np.subtract(
            rows_above, true_positive_counts, out=false_positives[destination : destination + size]
        )
        codes = buffer[destination : destination + size]
        np.right_shift(block, class_bit, out=codes)
        encoding.decode(codes)
        destination += size
    return destination - 1 - span[0]


@dataclass(frozen=True)
class _Scratch:
    """Reusable buffers for one block: allocating memory takes longer than the work."""

    keys: NDArray[Any]
    is_last: NDArray[np.bool_]
    positives: NDArray[Any]
    rows: NDArray[Any]
    row_numbers: NDArray[Any]

    @classmethod
    def of(cls, keys: NDArray[Any], counts: NDArray[Any]) -> _Scratch:
        size = min(threads.BLOCK_ROWS, len(keys))
        return cls(
            np.empty(size, keys.dtype),
            np.empty(size, np.bool_),
            np.empty(size, counts.dtype),
            np.empty(size, counts.dtype),
            np.arange(1, size + 1, dtype=counts.dtype),
        )


def _is_last_of_group(
    keys: NDArray[Any], start: int, stop: int, end: int, scratch: _Scratch
) -> NDArray[np.bool_]:
    """Mask of the last key of each group of equal scores, where all of them have been counted.

    Two keys belong to the same score if they differ at most in the class bit.
    """
    is_last = scratch.is_last[: stop - start]
    is_last[-1] = True
    inner_stop = min(stop, end - 1)
    differing_bits = scratch.keys[: inner_stop - start]
    np.bitwise_xor(keys[start:inner_stop], keys[start + 1 : inner_stop + 1], out=differing_bits)
    np.greater(differing_bits, keys.dtype.type(1), out=is_last[: inner_stop - start])
    return is_last


def _tally_by_sign(scores: NDArray[Any], positive: NDArray[np.bool_]) -> Tally:
    """Tally of scores from tiny to huge magnitudes: each sign alone can be encoded exactly."""
    parts = []
    for rows in (scores >= 0, scores < 0):
        sign_scores = scores[rows]
        if sign_scores.size:
            parts.append(
                _tally_by_keys(
                    sign_scores,
                    positive[rows],
                    exact_encoding(sign_scores.min(), sign_scores.max()),
                )
            )
    # 64 bits: counts of each sign may fit into 32 bits although their sums do not.
    merged, *others = (
        Tally(part[0], *(column.astype(np.int64) for column in part[1:]))
        for part in parts
        if part is not None
    )
    for lower in others:
        merged = Tally(
            np.concatenate([merged.thresholds, lower.thresholds[1:]]),
            *(
                np.concatenate([a, b[1:] + a[-1]])
                for a, b in zip(merged[1:], lower[1:], strict=True)
            ),
        )
    return merged
