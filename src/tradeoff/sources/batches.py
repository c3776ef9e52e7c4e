"""The rows of a DuckDB relation in batches, as NumPy columns: whatever its size, few are held."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from itertools import pairwise
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

TEXT = "string"
Item = TypeVar("Item")


def batches(relation: Any) -> Generator[dict[str, NDArray[Any]]]:
    """Columns of some rows after the other, in the relation's order.

    Missing numbers are NaN (integers become floats then), missing texts None.
    """
    import duckdb
    from nanoarrow import c_array_stream
    from nanoarrow._utils import NanoarrowException

    try:
        with c_array_stream(relation) as stream:
            names = [child.name for child in stream.get_schema().children]
            for batch in stream:
                yield {name: _column(batch.child(place)) for place, name in enumerate(names)}
    except NanoarrowException as problem:  # what DuckDB had to say comes through the stream
        raise duckdb.Error(str(problem).partition("failed (")[2].partition("): ")[2]) from problem


def cut(source: Iterator[dict[str, NDArray[Any]]], most: int) -> Generator[dict[str, NDArray[Any]]]:
    """The same rows in batches of at most so many.

    Example:
        >>> [batch["a"].tolist() for batch in cut(iter([{"a": np.arange(5)}]), 2)]
        [[0, 1], [2, 3], [4]]
    """
    for batch in source:
        size = len(next(iter(batch.values())))
        for start in range(0, size, most):
            yield {name: values[start : start + most] for name, values in batch.items()}


def ahead(
    source: Iterator[Item], stop: Callable[[], None] = lambda: None, room: int = 16
) -> Generator[Item]:
    """The same items, of which a thread fetches some more while one is worked on.

    `stop` makes it give up fetching when nobody wants more.

    Example:
        >>> list(ahead(iter([1, 2, 3])))
        [1, 2, 3]
    """
    waiting: Queue[Any] = Queue(room)
    stopped = Event()

    def fill() -> None:
        try:
            for item in source:
                waiting.put((item, None))
                if stopped.is_set():
                    return
            waiting.put((None, None))
        except BaseException as problem:  # noqa: BLE001 - raised again where items are wanted
            waiting.put((None, problem))

    thread = Thread(target=fill, daemon=True)
    thread.start()
    try:
        while True:
            item, problem = waiting.get()
            if problem is not None:
                raise problem
            if item is None:
                return
            yield item
    finally:
        stopped.set()
        if thread.is_alive():
            stop()
        while thread.is_alive():
            with suppress(Empty):
                waiting.get(timeout=0.01)


def _column(array: Any) -> NDArray[Any]:
    view = array.view()
    rows = slice(view.offset, view.offset + view.length)
    absent = _absent(view, rows) if view.null_count else None
    if view.storage_type == TEXT:
        return _texts(view, absent)
    values = np.asarray(view.buffer(1))[rows]
    if absent is None:
        return values
    numbers = values.astype(np.float64)
    numbers[absent] = np.nan
    return numbers


def _absent(view: Any, rows: slice) -> NDArray[np.bool_]:
    bits = np.frombuffer(view.buffer(0), np.uint8)
    there = np.unpackbits(bits, count=rows.stop, bitorder="little")[rows]
    return np.asarray(there == 0)


def _texts(view: Any, absent: NDArray[np.bool_] | None) -> NDArray[Any]:
    ends = np.asarray(view.buffer(1))[view.offset : view.offset + view.length + 1].tolist()
    data = bytes(view.buffer(2))
    texts = np.empty(view.length, object)
    # Most columns of texts have few different ones: each is decoded once.
    known: dict[bytes, str] = {}
    texts[:] = [known.get(raw := data[a:b]) or _known(known, raw) for a, b in pairwise(ends)]
    if absent is not None:
        texts[absent] = None
    return texts


def _known(known: dict[bytes, str], raw: bytes) -> str:
    return known.setdefault(raw, raw.decode(errors="replace"))
