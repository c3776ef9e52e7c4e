"""Encoding of text files: recognized from their first bytes, and converted to UTF-8 for DuckDB.

UTF-8 is read as it is. UTF-16, and the Western European code page of Windows, are recognized; any
other encoding must be named, as a wrong guess would garble names without any error.
"""

from __future__ import annotations

import codecs
import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from tradeoff.errors import InputError
from tradeoff.files.temporary_files import new_temporary_path

UTF_8, WESTERN = "utf-8", "cp1252"
SAMPLE_BYTES = 1 << 20
"""Number of bytes from which the encoding is recognized."""
CHUNK_BYTES = 1 << 20
MAX_COPIES = 8
"""Maximum number of converted copies that are kept until the program ends."""
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: UTF_8,
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark is a prefix of it
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
LETTERS_OF_OTHER_ALPHABETS = re.compile(r"[À-ÿŠŒŽšœžŸƒ]{3}")
"""Three accented letters in a row, which Western European words do not have."""


def text_encoding(path: Path) -> str:
    """Encoding of a text file: that of its byte order mark, else as its first bytes suggest."""
    sample = _first_bytes(path)
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if sample.startswith(mark):
            return encoding
    if b"\0" in sample:
        return _utf_16_without_mark(sample, path)
    if _is_encoded_as(UTF_8, sample):
        return UTF_8
    if _is_encoded_as(WESTERN, sample) and not LETTERS_OF_OTHER_ALPHABETS.search(
        sample.decode(WESTERN, errors="ignore")
    ):
        return WESTERN
    raise InputError(unknown_encoding_message(str(path)))


def unknown_encoding_message(title: str) -> str:
    """Message that a text file is not in UTF-8, with the remedy.

    Example:
        >>> unknown_encoding_message("churn.csv")
        "churn.csv is not encoded in UTF-8: name its encoding, for example encoding='cp1251'."
    """
    return f"{title} is not encoded in UTF-8: name its encoding, for example encoding='cp1251'."


def require_encoding(name: str) -> str:
    """Require an encoding that Python knows; return its canonical name.

    Example:
        >>> require_encoding("Latin-1"), require_encoding("windows-1252")
        ('iso8859-1', 'cp1252')
    """
    try:
        "".encode(name)  # which refuses codecs that are not for text, such as zip
        return codecs.lookup(name).name
    except LookupError as error:
        raise InputError(
            f"There is no text encoding {name!r}: write, for example, utf-8, utf-16, latin-1 or "
            "cp1252."
        ) from error


def require_utf_8(path: Path) -> None:
    """Refuse a file that is not encoded in UTF-8, as far as its first bytes show."""
    if not _is_encoded_as(UTF_8, _first_bytes(path)):
        raise InputError(unknown_encoding_message(str(path)))


def utf_8_file(path: Path, encoding: str) -> Path:
    """File with the same text in the encoding UTF-8: the file itself, or a temporary copy."""
    if encoding == UTF_8:
        return path
    if path.suffix.lower() == ".zst":
        raise InputError(f"{path} is compressed and in {encoding}: decompress it first.")
    status = path.stat()
    key = (str(path.absolute()), status.st_mtime_ns, status.st_size, encoding)
    copy = _COPIES.get(key)
    if copy is None:
        copy = _converted_copy(path, encoding, new_temporary_path("utf-8.csv"))
        _COPIES[key] = copy
        TITLES_OF_COPIES[str(copy)] = str(path)
        while len(_COPIES) > MAX_COPIES:
            oldest = _COPIES.pop(next(iter(_COPIES)))
            oldest.unlink(missing_ok=True)
            del TITLES_OF_COPIES[str(oldest)]
    return copy


_COPIES: dict[tuple[str, int, int, str], Path] = {}
TITLES_OF_COPIES: dict[str, str] = {}
"""Names in messages of the files whose copies are read, by the path of the copy."""


def with_original_names(message: str) -> str:
    """A message with the names of files instead of the paths of their temporary copies."""
    for copy, title in TITLES_OF_COPIES.items():
        message = message.replace(copy, title)
    return message


def _converted_copy(path: Path, encoding: str, copy: Path) -> Path:
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        with open_decompressed(path) as source, copy.open("wb") as target:
            for chunk in _chunks(source):
                target.write(decoder.decode(chunk).encode())
            target.write(decoder.decode(b"", final=True).encode())
    except UnicodeError as error:
        copy.unlink(missing_ok=True)
        raise InputError(
            f"{path} cannot be decoded as {encoding} ({error}): name another encoding, for example "
            "encoding='latin-1'."
        ) from error
    return copy


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK_BYTES):
        yield chunk


def open_decompressed(path: Path) -> Any:
    """Open a file for reading bytes; one that ends in .gz is decompressed."""
    return gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb")


def _first_bytes(path: Path) -> bytes:
    if path.suffix.lower() == ".zst":  # Python cannot decompress it
        return b""
    try:
        with open_decompressed(path) as file:
            sample: bytes = file.read(SAMPLE_BYTES)
    except (OSError, EOFError):
        return b""  # reported when the file is read
    return sample


def _is_encoded_as(encoding: str, sample: bytes) -> bool:
    """Whether bytes are valid in an encoding; a character at the end may be incomplete."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        decoder.decode(sample, final=len(sample) < SAMPLE_BYTES)
    except UnicodeDecodeError:
        return False
    return True


def _utf_16_without_mark(sample: bytes, path: Path) -> str:
    """UTF-16 in the byte order that its many ASCII characters show."""
    even_zeros, odd_zeros = sample[::2].count(0), sample[1::2].count(0)
    pairs = max(len(sample) // 2, 1)
    if odd_zeros > 0.5 * pairs and not even_zeros:
        return "utf-16-le"
    if even_zeros > 0.5 * pairs and not odd_zeros:
        return "utf-16-be"
    raise InputError(
        f"{path} is not a text file: it contains zero bytes. If it is text, name its encoding, for "
        "example encoding='utf-16'."
    )
