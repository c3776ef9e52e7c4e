"""Whether packed files are whole, as far as DuckDB does not look.

It reads past the checksum and the length at the end of a gzip file, and takes a zstd file that was
cut off for a shorter one. It does check the checksum of a zstd file, where there is one.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from tradeoff.errors import InputError

PIECE = 1 << 18
ZSTD_FRAME = 0xFD2FB528
ZSTD_SKIPPABLE = 0x184D2A50
"""The first of sixteen marks of frames that hold no rows."""
REPEATED, RESERVED = 1, 3
"""Kinds of blocks: a byte that is repeated, and one that does not exist."""


def demand_sound(files: Iterable[Path]) -> None:
    """Packed files end where they should; gzip files have the checksum that they say."""
    for file in files:
        if file.suffix.lower() in CHECKS:
            state = file.stat()
            _demand_sound(file, state.st_mtime_ns, state.st_size)


@lru_cache
def _demand_sound(path: Path, _changed: int, _size: int) -> None:
    """Look at a file once; again only when it has changed."""
    try:
        CHECKS[path.suffix.lower()](path)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(
            f"{path} is damaged ({str(problem).rstrip('.')}): make or fetch it again."
        ) from problem


def _check_gzip(path: Path) -> None:
    """Unpack it in small pieces, which costs a quarter of what reading it does."""
    with gzip.open(path) as file:
        while file.read(PIECE):
            pass


def _check_zstd(path: Path) -> None:
    """Go from block to block by their lengths, without unpacking any (RFC 8878, section 3.1)."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(0)
        while file.tell() < end:
            mark = _integer(file, 4)
            if mark & ~0xF == ZSTD_SKIPPABLE:
                size = _integer(file, 4)
                file.seek(size, os.SEEK_CUR)
            elif mark == ZSTD_FRAME:
                _pass_frame(file)
            else:
                raise EOFError("it is no zstd file, or has something else at its end")
        if file.tell() > end:
            raise EOFError("it ends in the middle of a block")


def _pass_frame(file: BinaryIO) -> None:
    described = _integer(file, 1)
    is_single = described >> 5 & 1
    of_window = 1 - is_single
    of_dictionary = (0, 1, 2, 4)[described & 3]
    of_content = (is_single, 2, 4, 8)[described >> 6]
    file.seek(of_window + of_dictionary + of_content, os.SEEK_CUR)
    is_last = 0
    while not is_last:
        block = _integer(file, 3)
        is_last, kind, size = block & 1, block >> 1 & 3, block >> 3
        if kind == RESERVED:
            raise EOFError("it has a block of no known kind")
        file.seek(1 if kind == REPEATED else size, os.SEEK_CUR)
    file.seek(4 * (described >> 2 & 1), os.SEEK_CUR)  # the checksum


def _integer(file: BinaryIO, size: int) -> int:
    raw = file.read(size)
    if len(raw) < size:
        raise EOFError("it ends before its last block")
    return int.from_bytes(raw, "little")


CHECKS = {".gz": _check_gzip, ".zst": _check_zstd}
