"""Temporary files and folders, removed also when the program is interrupted."""

from __future__ import annotations

import atexit
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from pathlib import Path


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Context manager for a temporary folder, which is removed at the end."""
    with ExitStack() as stack:
        with _delay_signals():
            # An interruption between creating and registering the folder would leave it behind.
            name = stack.enter_context(tempfile.TemporaryDirectory(prefix="tradeoff-"))
        yield Path(name)


@contextmanager
def _delay_signals() -> Iterator[None]:
    """Delay Ctrl-C and termination for a moment, which only the main thread can do."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pending_signals: list[int] = []
    signals = (signal.SIGTERM, signal.SIGINT)  # Ctrl-C is restored last
    handlers = {number: signal.getsignal(number) for number in signals}
    delayed_signals = [number for number, handler in handlers.items() if handler is not None]
    for number in reversed(delayed_signals):
        signal.signal(number, lambda received_signal, _: pending_signals.append(received_signal))
    try:
        yield
    finally:
        for number in delayed_signals:
            signal.signal(number, handlers[number])
        for received_signal in pending_signals[:1]:
            signal.raise_signal(received_signal)


def new_temporary_path(name: str) -> Path:
    """Path of a new temporary file, which is removed when the program ends."""
    return _session_folder() / f"{next(_SERIAL_NUMBERS)}-{name}"


_SERIAL_NUMBERS = count()


@cache
def _session_folder() -> Path:
    """Temporary folder that is removed when the program ends."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(temporary_folder())
