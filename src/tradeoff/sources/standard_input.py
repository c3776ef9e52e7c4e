"""Rows from standard input, whose format is recognized by its content."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import BinaryIO

from tradeoff.errors import InputError
from tradeoff.files.temporary_files import new_temporary_path
from tradeoff.sources.files import File
from tradeoff.sources.text_encoding import TITLES_OF_COPIES

TITLE = "standard input"
EXTENSIONS_BY_CONTENT = {
    b"PAR1": "parquet",
    b"\x1f\x8b": "csv.gz",
    b"\x28\xb5\x2f\xfd": "csv.zst",
    b"PK\x03\x04": "xlsx",
    b"\xd0\xcf\x11\xe0": "xls",
    b"$FL2": "sav",
    b"<stata_dta>": "dta",
}
"""Extension of a file by its first bytes."""
START_BYTES = 1 << 16


def read_standard_input(
    stream: BinaryIO,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
) -> File:
    """Copy standard input to a temporary file, which is removed when the program ends."""
    start = stream.read(START_BYTES)
    if not start.strip():
        raise InputError(f"{TITLE.capitalize()} is empty.")
    path = new_temporary_path(f"input.{extension_by_content(start)}")
    write_stream(stream, path, start)
    TITLES_OF_COPIES[str(path)] = TITLE
    return File(path, delimiter, encoding, decimal, sheet, title=TITLE)


def extension_by_content(start: bytes) -> str:
    """Extension of a file that begins with these bytes: csv if nothing else is recognized.

    Example:
        >>> [extension_by_content(start) for start in (b"PAR1...", b' [{"y": 1}]', b"y,p")]
        ['parquet', 'json', 'csv']
    """
    for first_bytes, extension in EXTENSIONS_BY_CONTENT.items():
        if start.startswith(first_bytes):
            return extension
    is_json = start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[{", b"[ {", b"[\n"))
    if is_json or start.lstrip().startswith(b"@"):
        return "json" if is_json else "arff"
    return "csv"


def write_stream(stream: BinaryIO, path: Path, start: bytes = b"") -> None:
    """Write the rest of a stream to a file, after the bytes that were read from it before."""
    with path.open("wb") as file:
        file.write(start)
        shutil.copyfileobj(stream, file)
