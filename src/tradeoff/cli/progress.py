"""Long work tells how far it is and how long it will take: on a terminal, and on stderr alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 0.7
"""Seconds of silence: work that is done by then needs no bar."""


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function to be told how many steps are done, of how many; None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(what)
    try:
        yield bar.told
    finally:
        bar.close()


@contextmanager
def rows_bar() -> Iterator[Callable[[int, int | None], None] | None]:
    """A function to be told how many rows are read, of how many where that is known."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar("Reading rows", rows=True)
    try:
        yield bar.told
    finally:
        bar.close()


@contextmanager
def spinner(what: str) -> Iterator[None]:
    """A sign of life while others work, who do not tell how far they are."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


class _Bar:
    """Appears when work takes longer than a moment, and leaves nothing behind."""

    def __init__(self, what: str, *, rows: bool = False) -> None:
        self.what = what
        self.rows = rows
        self.since = time.monotonic()
        self.shown: Any = None
        self.task: Any = None

    def told(self, done: int, total: int | None) -> None:
        if self.shown is None and time.monotonic() - self.since > PATIENCE:
            self._open(done, total)
        if self.shown is not None:
            rate = done / max(time.monotonic() - self.since, 1e-9)
            self.shown.update(self.task, completed=done, total=total, rate=rate)

    def close(self) -> None:
        if self.shown is not None:
            self.shown.stop()

    def _open(self, done: int, total: int | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.shown = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:,.0f}" + (" of {task.total:,.0f}" if total else "")),
            *([TextColumn("{task.fields[rate]:,.0f} rows/s")] if self.rows else []),
            *([TimeRemainingColumn()] if total else []),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.shown.add_task(self.what, completed=done, total=total, rate=0.0)
        self.shown.start()
