"""Read DuckDB relations in batches of NumPy columns."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from itertools import pairwise
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

STRING_TYPE = "string"
AnyBatch = TypeVar("AnyBatch")


def relation_batches(relation: Any) -> Generator[dict[str, NDArray[Any]]]:
    """Yield the rows of a DuckDB relation in order, in batches of NumPy columns.

    Missing numbers are NaN (integers then become floats), and missing strings are None.
    """
    import duckdb
    from nanoarrow import c_array_stream
    from nanoarrow._utils import NanoarrowException

    try:
        with c_array_stream(relation) as stream:
            names = [child.name for child in stream.get_schema().children]
            for batch in stream:
                yield {name: _column(batch.child(index)) for index, name in enumerate(names)}
    except NanoarrowException as error:  # DuckDB's own message
        raise duckdb.Error(str(error).partition("failed (")[2].partition("): ")[2]) from error


def split_batches(
    batches: Iterator[dict[str, NDArray[Any]]], max_rows: int
) -> Generator[dict[str, NDArray[Any]]]:
    """Split batches into smaller ones of at most `max_rows` rows.

    Example:
        >>> [batch["a"].tolist() for batch in split_batches(iter([{"a": np.arange(5)}]), 2)]
        [[0, 1], [2, 3], [4]]
    """
    for batch in batches:
        rows = len(next(iter(batch.values())))
        for start in range(0, rows, max_rows):
            yield {name: values[start : start + max_rows] for name, values in batch.items()}


def prefetch_batches(
    batches: Iterator[AnyBatch], interrupt: Callable[[], None] = lambda: None, capacity: int = 16
) -> Generator[AnyBatch]:
    """Fetch batches in a background thread while the current one is processed.

    `interrupt` is called to stop the thread if the consumer finishes first.

    Example:
        >>> list(prefetch_batches(iter([1, 2, 3])))
        [1, 2, 3]
    """
    queue: Queue[Any] = Queue(capacity)
    stop_event = Event()

    def fetch_batches() -> None:
        try:
            for batch in batches:
                queue.put((batch, None))
                if stop_event.is_set():
                    return
            queue.put((None, None))
        except BaseException as error:  # noqa: BLE001 - raised again in the consumer
            queue.put((None, error))

    thread = Thread(target=fetch_batches, daemon=True)
    thread.start()
    try:
        while True:
            batch, error = queue.get()
            if error is not None:
                raise error
            if batch is None:
                return
            yield batch
    finally:
        stop_event.set()
        if thread.is_alive():
            interrupt()
        while thread.is_alive():
            with suppress(Empty):
                queue.get(timeout=0.01)


def _column(array: Any) -> NDArray[Any]:
    view = array.view()
    rows = slice(view.offset, view.offset + view.length)
    missing = _missing_rows(view, rows) if view.null_count else None
    if view.storage_type == STRING_TYPE:
        return _string_column(view, missing)
    values = np.asarray(view.buffer(1))[rows]
    if missing is None:
        return values
    numbers = values.astype(np.float64)
    numbers[missing] = np.nan
    return numbers


def _missing_rows(view: Any, rows: slice) -> NDArray[np.bool_]:
    bits = np.frombuffer(view.buffer(0), np.uint8)
    is_present = np.unpackbits(bits, count=rows.stop, bitorder="little")[rows]
    return np.asarray(is_present == 0)


def _string_column(view: Any, missing: NDArray[np.bool_] | None) -> NDArray[Any]:
    offsets = np.asarray(view.buffer(1))[view.offset : view.offset + view.length + 1].tolist()
    data = bytes(view.buffer(2))
    strings = np.empty(view.length, object)
    # Most string columns have few distinct values: each is decoded once.
    decoded_strings: dict[bytes, str] = {}
    strings[:] = [
        decoded_strings.get(raw_bytes := data[start:end]) or _decode(decoded_strings, raw_bytes)
        for start, end in pairwise(offsets)
    ]
    if missing is not None:
        strings[missing] = None
    return strings


def _decode(decoded_strings: dict[bytes, str], raw_bytes: bytes) -> str:
    return decoded_strings.setdefault(raw_bytes, raw_bytes.decode(errors="replace"))
