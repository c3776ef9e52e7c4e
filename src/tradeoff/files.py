"""Files that appear whole or not at all, temporary folders, JSON files and tables."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from tradeoff.errors import InputError, StorageError

if TYPE_CHECKING:
    from typing import BinaryIO


def write_atomically(path: str | os.PathLike[str], write: Callable[[BinaryIO], Any]) -> None:
    """Let `write` fill a file that appears under its name only when it is complete."""
    path = Path(path)
    if path.is_symlink():  # what it leads to is written, and the link stays
        path = path.resolve()
    if path.is_dir():
        raise StorageError(f"{path} is a directory: name a file.")
    try:
        _write(path, write)
    except OSError as problem:
        reason = problem.strerror or problem
        raise StorageError(f"{path} cannot be written: {reason}.") from problem


def _write(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    if path.exists() and not path.is_file():  # a device or a pipe is not replaced by a file
        with path.open("wb") as file:
            write(file)
        return
    handle = _nameless(path.parent)
    if handle is None:
        _by_another_name(path, write)
        return
    with os.fdopen(handle, "w+b") as file:
        write(file)
        file.flush()
        _name(handle, path)


def _nameless(folder: Path) -> int | None:
    """A file that vanishes with the process unless it is named; None where there is no such."""
    if not (hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").exists()):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        raise
    except OSError:
        return None  # the file system knows no nameless files


def _name(handle: int, path: Path) -> None:
    """Give a whole file its name, in place of any other of that name."""
    temporary = Path(tempfile.mktemp(dir=path.parent, prefix=f".{path.name}."))  # noqa: S306 - link() fails if it exists
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        # Only with a folder does Python let the system follow the link to the nameless file.
        os.link(f"/proc/self/fd/{handle}", temporary, src_dir_fd=folder, follow_symlinks=True)
        temporary.replace(path)
    finally:
        os.close(folder)
        temporary.unlink(missing_ok=True)


def _by_another_name(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    """The same by a file beside it, which a killed process may leave."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
        # mkstemp makes files private; the result gets the rights of any new file.
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_json(path: str | os.PathLike[str], document: Any) -> None:
    """Write a document as JSON, whole or not at all."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    write_atomically(path, lambda file: file.write(text.encode()))


def read_json(path: str | os.PathLike[str], what: str) -> Any:
    """The document that `write_json` wrote; `what` says what was expected."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_without_repeats)
    except OSError as problem:
        reason = problem.strerror or problem
        raise StorageError(f"{path} cannot be read: {reason}.") from problem
    except ValueError as problem:
        raise StorageError(f"{path} is not JSON. `save` writes {what}.") from problem


def _refuse(constant: str) -> None:
    """JSON has no NaN and no Infinity; Python's reader would take them."""
    raise ValueError(constant)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose fields are there once; Python's reader would take the last."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError(pairs)
    return fields


# Folders for what does not fit into memory: there for a while, and gone when it ends or stops.


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


# Tables to files: columns as Parquet or CSV, whole or not at all.


def write_table(columns: Mapping[str, NDArray[Any]], path: str | os.PathLike[str]) -> None:
    r"""Write columns to a file that ends in .parquet or .csv.

    Example:
        >>> import tempfile, numpy as np
        >>> path = tempfile.mkdtemp() + "/scores.csv"
        >>> write_table({"row": np.arange(2), "score": np.array([0.5, 0.25])}, path)
        >>> Path(path).read_text()
        'row,score\n0,0.5\n1,0.25\n'
    """
    ending = Path(path).suffix.lower()
    if ending not in {".parquet", ".csv"}:
        raise InputError(f"{path} should end in .parquet or .csv.")
    import duckdb

    with passing_folder() as folder, duckdb.connect(":memory:") as connection:
        made = folder / f"table{ending}"
        try:
            table = _relation(connection, dict(columns))
            if ending == ".parquet":
                table.write_parquet(str(made))
            else:
                table.write_csv(str(made))
        except duckdb.Error as problem:
            raise StorageError(f"{path} cannot be written: {problem}.") from problem
        content = made.read_bytes()
    write_atomically(path, lambda file: file.write(content))


def _relation(connection: Any, given_columns: dict[str, NDArray[Any]]) -> Any:  # noqa: ARG001
    """The columns as DuckDB sees them: it finds the argument by its name in the query."""
    return connection.sql("FROM given_columns")
