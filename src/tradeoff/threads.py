"""Threads: work divided among the available cores, and into blocks that fit the cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

Span = tuple[int, int]
Result = TypeVar("Result")
Item = TypeVar("Item")

BLOCK_ROWS = 1 << 17
"""Rows per block after the sort: enough for the overhead of NumPy calls to be negligible."""

ROWS_PER_CORE = 1 << 17
"""Below this many rows, starting a thread costs more than it saves."""

MAX_CORES = 8
"""Maximum number of threads: rows are split serially, and more threads would only wait for that."""


def thread_spans(size: int) -> list[Span]:
    """Split `size` rows into nearly equal spans, one for each thread that pays off."""
    if size < 2 * ROWS_PER_CORE:
        return [(0, size)]
    span_count = min(size // ROWS_PER_CORE, available_cores(), MAX_CORES)
    return list(pairwise([size * i // span_count for i in range(span_count + 1)]))


def cache_blocks(span: Span) -> Iterator[Span]:
    """Split a span of rows into blocks that fit the cache."""
    start, stop = span
    for first in range(start, stop, BLOCK_ROWS):
        yield first, min(first + BLOCK_ROWS, stop)


def available_cores() -> int:
    """Number of CPU cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_in_threads(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Apply a function to each item in its own thread, which pays off as NumPy releases the GIL."""
    if len(items) == 1:
        return [work(items[0])]
    with ThreadPoolExecutor(len(items)) as threads:
        return list(threads.map(work, items))


def map_in_thread_pool(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    report: Callable[[int], None] | None = None,
    *,
    parallel: bool = True,
) -> list[Result]:
    """Apply a function to many items in a thread pool with one thread per core, in order.

    `report` is called with the number of completed items. An interruption cancels pending items.
    Work that is mostly pure Python is faster without threads (`parallel=False`).
    """
    thread_count = min(available_cores(), MAX_CORES, len(items)) if parallel else 1
    threads = ThreadPoolExecutor(thread_count) if thread_count > 1 else None
    results = []
    try:
        for result in map(work, items) if threads is None else threads.map(work, items):
            results.append(result)
            if report is not None:
                report(len(results))
    finally:
        if threads is not None:
            threads.shutdown(wait=True, cancel_futures=True)
    return results
