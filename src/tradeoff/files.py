"""Writing files atomically, temporary folders, JSON files, and tables as Parquet or CSV."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from tradeoff.errors import InputError, StorageError, did_you_mean

if TYPE_CHECKING:
    from typing import BinaryIO


EXAMPLES = Path(__file__).parent / "data"
"""Folder of the example data sets, which `tradeoff datasets` lists."""


def missing_file(path: str | os.PathLike[str]) -> InputError:
    """Error about a file that does not exist: files of similar names, or how to get an example.

    Example:
        >>> missing_file("asah.csv")
        InputError("There is no file 'asah.csv'. To write the example data set: tradeoff datasets \
asah -o asah.csv")
    """
    name = Path(path).name
    message = f"There is no file {str(path)!r}."
    for suffix in (".csv", ".arff"):
        file = name.removesuffix(suffix) + suffix
        if name and (EXAMPLES / file).is_file():
            command = f"tradeoff datasets {Path(file).stem} -o {file}"
            return InputError(f"{message} To write the example data set: {command}")
    return InputError(f"{message}{similar_files(path)}")


def similar_files(path: str | os.PathLike[str]) -> str:
    """Sentence that suggests files of similar names in the folder; empty if there are none."""
    folder = Path(path).parent
    try:
        names = [file.name for file in folder.iterdir() if file.is_file()]
    except OSError:
        return ""
    prefix = "" if str(folder) == "." else f"{folder}/"
    stem = Path(path).name.partition(".")[0]
    siblings = [name for name in names if name.partition(".")[0] == stem]
    if len(siblings) == 1:
        return f" Did you mean {f'{prefix}{siblings[0]}'!r}?"
    return did_you_mean(str(path), [f"{prefix}{name}" for name in names])


def write_atomically(path: str | os.PathLike[str], write: Callable[[BinaryIO], Any]) -> None:
    """Write a file atomically: it appears under its name only when complete."""
    path = Path(path)
    if path.is_symlink():  # its target is replaced, and the link is kept
        path = path.resolve()
    if path.is_dir():
        raise StorageError(f"{path} is a directory: name a file.")
    try:
        _write_completely(path, write)
    except OSError as problem:
        reason = problem.strerror or problem
        raise StorageError(f"{path} cannot be written: {reason}.") from problem


def _write_completely(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Write to an unnamed file, which is linked when complete; devices are written to directly."""
    if path.exists() and not path.is_file():  # a device or pipe must not be replaced by a file
        with path.open("wb") as file:
            write(file)
        return
    handle = _open_unnamed_file(path.parent)
    if handle is None:
        _write_and_rename(path, write)
        return
    with os.fdopen(handle, "w+b") as file:
        write(file)
        file.flush()
        _link_name(handle, path)


def _open_unnamed_file(folder: Path) -> int | None:
    """Open a file without a name, which disappears with the process; None if unsupported."""
    if not (hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").exists()):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        raise
    except OSError:
        return None  # the file system does not support unnamed files


def _link_name(handle: int, path: Path) -> None:
    """Give a complete file its name, replacing any file of that name."""
    temporary_path = Path(tempfile.mktemp(dir=path.parent, prefix=f".{path.name}."))  # noqa: S306 - link() fails if it exists
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        # Python follows the link to the unnamed file only if given a folder.
        os.link(f"/proc/self/fd/{handle}", temporary_path, src_dir_fd=folder, follow_symlinks=True)
        temporary_path.replace(path)
    finally:
        os.close(folder)
        temporary_path.unlink(missing_ok=True)


def _write_and_rename(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Write a temporary file and rename it; a killed process may leave it behind."""
    handle, temporary_path = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
        # mkstemp makes files private; the result gets the permissions of any new file.
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary_path).chmod(0o666 & ~mask)
        Path(temporary_path).replace(path)
    except BaseException:
        Path(temporary_path).unlink(missing_ok=True)
        raise


def write_json_file(path: str | os.PathLike[str], document: Any) -> None:
    """Write a document atomically to a JSON file."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    write_atomically(path, lambda file: file.write(text.encode()))


def read_json(path: str | os.PathLike[str], expected: str) -> Any:
    """Read a JSON file; errors name the `expected` kind of document."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        return json.loads(
            text, parse_constant=_reject_constant, object_pairs_hook=_require_distinct_keys
        )
    except OSError as problem:
        reason = problem.strerror or problem
        raise StorageError(f"{path} cannot be read: {reason}.") from problem
    except ValueError as problem:
        raise StorageError(f"{path} is not JSON. `save` writes {expected}.") from problem


def _reject_constant(constant: str) -> None:
    """Reject NaN and Infinity, which are not valid JSON but which Python's parser accepts."""
    raise ValueError(constant)


def _require_distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Require distinct keys in a JSON object; Python's parser would silently keep the last."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError(pairs)
    return fields


# Temporary folders for data that do not fit in memory.


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


# Tables as Parquet or CSV files.


def write_table(columns: Mapping[str, NDArray[Any]], path: str | os.PathLike[str]) -> None:
    r"""Write columns to a .parquet or .csv file.

    Example:
        >>> import tempfile, numpy as np
        >>> path = tempfile.mkdtemp() + "/scores.csv"
        >>> write_table({"row": np.arange(2), "score": np.array([0.5, 0.25])}, path)
        >>> Path(path).read_text()
        'row,score\n0,0.5\n1,0.25\n'
    """
    with table_writer(path) as writer:
        writer.add(columns)
        writer.write()


TABLE_ENDINGS = (".parquet", ".csv")


def require_table_path(path: str | os.PathLike[str]) -> None:
    """Require a file name that ends in .parquet or .csv."""
    if Path(path).suffix.lower() not in TABLE_ENDINGS:
        raise InputError(f"{path} should end in .parquet or .csv.")


class TableWriter:
    """Rows collected in a temporary database, to be written to one file in any order."""

    def __init__(self, path: str | os.PathLike[str], folder: Path, connection: Any) -> None:
        self.path, self.folder, self.connection = path, folder, connection
        self.is_empty = True

    def add(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Add rows to the file, given as columns; columns of objects contain strings."""
        relation = _duckdb_relation(self.connection, dict(columns))
        if self.is_empty:
            relation.create("collected_rows")
            self.is_empty = False
        else:
            relation.insert_into("collected_rows")

    def clear(self) -> None:
        """Remove all collected rows."""
        self.connection.execute("DROP TABLE IF EXISTS collected_rows")
        self.is_empty = True

    def value(self, sql: str) -> Any:
        """Value of an SQL aggregate over the collected rows."""
        ((value,),) = self.connection.sql(f"SELECT {sql} FROM collected_rows").fetchall()  # noqa: S608 - the caller's SQL
        return value

    def write(self, select: str = "FROM collected_rows") -> None:
        """Write the rows that an SQL query of `collected_rows` selects, atomically."""
        import duckdb

        ending = Path(self.path).suffix.lower()
        file = self.folder / f"table{ending}"
        try:
            relation = self.connection.sql(select)
            if ending == ".parquet":
                relation.write_parquet(str(file))
            else:
                relation.write_csv(str(file))
        except duckdb.Error as problem:
            raise StorageError(f"{self.path} cannot be written: {problem}.") from problem
        with file.open("rb") as source:
            write_atomically(self.path, lambda target: shutil.copyfileobj(source, target, 1 << 20))


@contextmanager
def table_writer(path: str | os.PathLike[str]) -> Iterator[TableWriter]:
    """Context manager that collects rows on disk for a .parquet or .csv file."""
    require_table_path(path)
    import duckdb

    with temporary_folder() as folder, duckdb.connect(str(folder / "rows.duckdb")) as connection:
        connection.execute("SET enable_progress_bar = false")
        yield TableWriter(path, folder, connection)


def _duckdb_relation(connection: Any, table_columns: dict[str, NDArray[Any]]) -> Any:
    """DuckDB relation of the columns; DuckDB finds the argument by its name in the query.

    Columns of objects are read as strings even if all their values are missing.
    """
    relation = connection.sql("FROM table_columns")
    names = [name.replace('"', '""') for name in table_columns]
    kinds = [getattr(values, "dtype", None) for values in table_columns.values()]
    return relation.project(
        ", ".join(
            f'"{name}"::VARCHAR AS "{name}"'
            if kind is not None and kind.kind == "O"
            else f'"{name}"'
            for name, kind in zip(names, kinds, strict=True)
        )
    )


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
