"""Work split over the cores that exist, and into blocks that stay in the cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

Span = tuple[int, int]
Result = TypeVar("Result")
Item = TypeVar("Item")

BLOCK = 1 << 17
"""Rows handled at a time after the sort: large enough that NumPy's own overhead vanishes."""

ROWS_PER_CORE = 1 << 17
"""Below this, starting a thread costs more than it saves."""

MOST_CORES = 8
"""The split into parts is serial, so more cores than this would only wait for it."""


def spans(size: int) -> list[Span]:
    """As many nearly equal spans as cores are worth using for `size` rows."""
    if size < 2 * ROWS_PER_CORE:
        return [(0, size)]
    parts = min(size // ROWS_PER_CORE, cores(), MOST_CORES)
    return list(pairwise([size * i // parts for i in range(parts + 1)]))


def blocks(span: Span) -> Iterator[Span]:
    """A span, cut into blocks."""
    start, stop = span
    for at in range(start, stop, BLOCK):
        yield at, min(at + BLOCK, stop)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """The work done on each item, in threads when there is more than one: NumPy frees the GIL."""
    if len(items) == 1:
        return [work(items[0])]
    with ThreadPoolExecutor(len(items)) as threads:
        return list(threads.map(work, items))


def pooled(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    told: Callable[[int], None] | None = None,
    *,
    together: bool = True,
) -> list[Result]:
    """The work done on each of many items by as many threads as cores, results in order.

    `told` hears how many are done. An interruption drops what has not begun. Work that is mostly
    Python's own is quicker alone (`together=False`): threads would wait for each other.
    """
    most = min(cores(), MOST_CORES, len(items)) if together else 1
    threads = ThreadPoolExecutor(most) if most > 1 else None
    results = []
    try:
        for result in map(work, items) if threads is None else threads.map(work, items):
            results.append(result)
            if told is not None:
                told(len(results))
    finally:
        if threads is not None:
            threads.shutdown(wait=True, cancel_futures=True)
    return results
