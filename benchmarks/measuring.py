"""What benchmarks share: how time is taken, and where tables are kept."""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"

# A virtual machine hands freed memory back to its host every few seconds, and whoever allocates
# next waits for new pages. Memory that glibc keeps in the process lets work be measured instead.
KEPT = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 35)}


def keep_memory():
    """Start again with an allocator that keeps freed memory, for all contestants alike."""
    if not KEPT.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **KEPT})


def timed(run):
    """Seconds of a second run in a row: the first pays for threads that still spin from before."""
    run()
    gc.collect()
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def summary_table(claims):
    """Claims as a table: what was measured, the value, what is wanted."""
    lines = [f"| {what} | {value:.2f} | {wanted} |" for what, value, wanted in claims]
    return "\n".join(["| measured | value | wanted |", "|---|---|---|", *lines])


def write(name, text):
    """Keep a table in its place in the docs."""
    start, end = f"<!-- {name}: start -->", f"<!-- {name}: end -->"
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.split(start)[0], page.split(end)[1]
    PAGE.write_text(f"{before}{start}\n\n{text}\n\n{end}{after}", encoding="utf-8")
