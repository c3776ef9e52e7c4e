"""Folders for what does not fit into memory: there for a while, and gone when it ends or stops."""

from __future__ import annotations

import signal
import tempfile
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def passing_folder() -> Iterator[Path]:
    """A folder of our own, removed at the end."""
    with ExitStack() as stack:
        with _not_now():
            # Stopped between making the folder and taking note of it, we would leave it behind.
            name = stack.enter_context(tempfile.TemporaryDirectory(prefix="tradeoff-"))
        yield Path(name)


@contextmanager
def _not_now() -> Iterator[None]:
    """Ctrl-C and requests to end wait for a moment; only the main thread can see to that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[int] = []
    numbers = (signal.SIGTERM, signal.SIGINT)  # in the end Ctrl-C is heard last, when all is done
    before = {number: signal.getsignal(number) for number in numbers}
    ours = [number for number, handler in before.items() if handler is not None]
    for number in reversed(ours):
        signal.signal(number, lambda request, _: asked.append(request))
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, before[number])
        for request in asked[:1]:
            signal.raise_signal(request)
