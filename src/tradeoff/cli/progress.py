"""Progress bars for long commands, on stderr and only in a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

DELAY_SECONDS = 0.7
"""Seconds before a bar appears; shorter work does not need one."""


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """Progress bar on a terminal, updated with completed and total steps; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(title)
    try:
        yield bar.update
    finally:
        bar.close()


@contextmanager
def rows_bar() -> Iterator[Callable[[int, int | None], None] | None]:
    """Progress bar for reading rows, updated with rows read and, if known, total rows."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar("Reading rows", shows_rate=True)
    try:
        yield bar.update
    finally:
        bar.close()


@contextmanager
def spinner(title: str) -> Iterator[None]:
    """Spinner on a terminal for work whose progress is unknown, such as a Spark job."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(title):
        yield


class _Bar:
    """A bar that appears after a delay and is erased at the end."""

    def __init__(self, title: str, *, shows_rate: bool = False) -> None:
        self.title = title
        self.shows_rate = shows_rate
        self.start_time = time.monotonic()
        self.display: Any = None
        self.task: Any = None

    def update(self, completed_steps: int, total: int | None) -> None:
        if self.display is None and time.monotonic() - self.start_time > DELAY_SECONDS:
            self._open(completed_steps, total)
        if self.display is not None:
            rate = completed_steps / max(time.monotonic() - self.start_time, 1e-9)
            self.display.update(self.task, completed=completed_steps, total=total, rate=rate)

    def close(self) -> None:
        if self.display is not None:
            self.display.stop()

    def _open(self, completed_steps: int, total: int | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.display = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:,.0f}" + (" of {task.total:,.0f}" if total else "")),
            *([TextColumn("{task.fields[rate]:,.0f} rows/s")] if self.shows_rate else []),
            *([TimeRemainingColumn()] if total else []),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.display.add_task(
            self.title, completed=completed_steps, total=total, rate=0.0
        )
        self.display.start()
