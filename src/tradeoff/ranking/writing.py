"""Files that appear whole or not at all, whenever the process ends."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradeoff.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable
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
