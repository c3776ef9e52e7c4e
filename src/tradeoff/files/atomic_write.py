"""Write files atomically: a file appears under its name only when complete."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradeoff.errors import StorageError

if TYPE_CHECKING:
    from typing import BinaryIO


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
