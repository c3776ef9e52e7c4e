"""Read files, databases and SQL queries with DuckDB, which runs within this process.

CSV, TSV, JSON lines and Parquet are recognized by their extensions, even if they are compressed
(.gz, .zst). A folder, or a pattern with *, stands for all its files. Spreadsheets, ARFF files and
those of statistics programs have readers of their own. DuckDB cannot access the network.
"""

from __future__ import annotations

import glob
import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from tradeoff.errors import InputError, format_list
from tradeoff.files.missing_files import missing_file
from tradeoff.sources.csv_layout import CsvFormat
from tradeoff.sources.text_encoding import require_encoding

CSV, PARQUET, JSON = "CSV", "Parquet", "JSON"
FORMATS = {
    "csv": CSV,
    "tsv": CSV,
    "txt": CSV,
    "parquet": PARQUET,
    "pq": PARQUET,
    "json": JSON,
    "jsonl": JSON,
    "ndjson": JSON,
}


def _arff_columns(path: str, _sheet: str | None) -> Mapping[str, Any]:
    from tradeoff.sources.arff import read_arff

    return read_arff(path).columns


def _spreadsheet_columns(path: str, sheet: str | None) -> Mapping[str, Any]:
    from tradeoff.sources.spreadsheets import read_spreadsheet

    return read_spreadsheet(path, sheet)


def _statistics_columns(path: str, _sheet: str | None) -> Mapping[str, Any]:
    from tradeoff.sources.statistics_files import read_statistics_file

    return read_statistics_file(path)


WholeFileReader = Callable[[str, str | None], Mapping[str, Any]]
SPREADSHEETS = ("xlsx", "xlsm", "xlsb", "xls", "ods")
STATISTICS_FILES = ("dta", "sav", "zsav", "por", "sas7bdat", "xpt")
WHOLE_FILE_READERS: dict[str, WholeFileReader] = {
    "arff": _arff_columns,
    **dict.fromkeys(SPREADSHEETS, _spreadsheet_columns),
    **dict.fromkeys(STATISTICS_FILES, _statistics_columns),
}
"""Readers of file formats that DuckDB does not support, by extension; each reads a whole file.

Their arguments are the path and, for spreadsheets, the sheet.
"""
DATABASE_EXTENSIONS = {"duckdb", "ddb", "db"}
COMPRESSIONS = {"gz", "zst"}
SAMPLE_ROWS = 200_000
"""Number of rows from which column types in text files are inferred; later rows may differ."""
STREAM_BUFFER_SIZE = "32MB"
"""Size of DuckDB's buffer while rows are counted; a smaller one would make DuckDB wait."""


@dataclass(frozen=True)
class Query:
    """SQL query for DuckDB, on a database file or on files that the query names.

    Example:
        >>> Query("SELECT * FROM 'scores/*.parquet' WHERE day > '2026-01-01'").name
        'The query'
    """

    sql: str
    database: str | os.PathLike[str] | None = None

    @property
    def name(self) -> str:
        """Name of the query in messages."""
        return "The query"


@dataclass(frozen=True)
class File:
    """File, or several of the same format, with options for what cannot be detected from it.

    Args:
        path: A path, pattern or folder; or several of these.
        delimiter: Character between the columns of a CSV file.
        encoding: Text encoding of a CSV file, such as "cp1252" or "utf-16".
        decimal: "," if numbers in a CSV file are written as 0,73.
        sheet: Name of a sheet of a spreadsheet; by default the first.
        title: Name of the file in messages, if it is not its path.

    Example:
        >>> str(File("churn.csv", delimiter=";", decimal=","))
        'churn.csv'
    """

    path: str | os.PathLike[str] | tuple[str, ...]
    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    title: str | None = None

    def __post_init__(self) -> None:
        """Reject invalid options."""
        if self.decimal not in {None, ".", ","}:
            raise InputError(f"`decimal` must be '.' or ',', not {self.decimal!r}.")
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '\r\n"'):
            raise InputError(
                f"`delimiter` must be one character, such as ';' or a tab, not {self.delimiter!r}."
            )
        if self.encoding is not None:
            require_encoding(self.encoding)

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths, patterns or folders."""
        return self.path if isinstance(self.path, tuple) else (os.fspath(self.path),)

    @property
    def csv_format(self) -> CsvFormat:
        """Layout of its CSV files as given by the user."""
        return CsvFormat(self.delimiter, self.encoding, self.decimal)

    def __str__(self) -> str:
        """Name of the files in messages."""
        if self.title is not None or len(self.paths) == 1:
            return self.title or self.paths[0]
        return f"{self.paths[0]} and {len(self.paths) - 1:,} more"


Source = str | os.PathLike[str] | File | Query


def is_file_or_query(data: Any) -> bool:
    """Whether data is a path, a list of files or a query."""
    return isinstance(data, str | File | Query) or hasattr(data, "__fspath__")


def given_csv_format(source: Source) -> CsvFormat:
    """Format of the CSV files of a source, as given by the user."""
    return source.csv_format if isinstance(source, File) else CsvFormat()


def is_database(path: object) -> bool:
    """Whether a path is a DuckDB database file."""
    if isinstance(path, File):
        path = path.paths[0] if len(path.paths) == 1 else ""
    return Path(str(path)).suffix.lstrip(".").lower() in DATABASE_EXTENSIONS


def source_name(source: Source) -> str:
    """Name of a file, database or query in messages."""
    return source.name if isinstance(source, Query) else str(source)


def require_applicable_options(source: Source, file_format: str) -> None:
    """Refuse options about the layout of a CSV file, or a sheet, for a file without them."""
    if not isinstance(source, File):
        return
    options = {name: getattr(source, name) for name in ("delimiter", "encoding", "decimal")}
    for name, value in options.items():
        if value is not None and file_format != CSV:
            raise InputError(
                f"`{name}` is for CSV files, and {source} is not one ({file_format}): leave it out."
            )
    if source.sheet is not None and file_format not in SPREADSHEETS:
        raise InputError(
            f"`sheet` is for spreadsheets ({', '.join(SPREADSHEETS)}), and {source} is not one: "
            "leave it out."
        )


def is_csv(source: Source) -> bool:
    """Whether a source consists of CSV files."""
    return _file_format(source) == CSV


def is_json(source: Source) -> bool:
    """Whether a source consists of JSON files."""
    return _file_format(source) == JSON


def is_text(source: Source) -> bool:
    """Whether a source consists of text files (CSV or JSON), which have no column types."""
    return is_csv(source) or is_json(source)


def is_parquet(source: Source) -> bool:
    """Whether a source consists of Parquet files."""
    return _file_format(source) == PARQUET


def _file_format(source: Source) -> str | None:
    if isinstance(source, Query) or is_database(source):
        return None
    return FORMATS[known_extension(source_files(source)[0])]


def source_files(source: str | os.PathLike[str] | File) -> list[Path]:
    """List the files of a path, folder or glob pattern, which must have the same format."""
    files = _matching_files(source)
    formats = {FORMATS[known_extension(require_readable_file(file))] for file in files}
    if len(formats) > 1:
        raise InputError(
            f"{str(source)!r} has files of several formats ({format_list(_extensions(files))}): "
            "select those of one format, for example with a pattern."
        )
    return files


def _matching_files(source: str | os.PathLike[str] | File) -> list[Path]:
    if isinstance(source, File):
        return [
            path for path_or_pattern in source.paths for path in _matching_files(path_or_pattern)
        ]
    path = Path(source)
    if path.is_dir():
        files = [
            file
            for file in sorted(path.rglob("*"))
            if file.is_file() and not _is_hidden(file, path)
        ]
        files = [file for file in files if file_extension(file) in FORMATS]
        if not files:
            raise InputError(
                f"{str(path)!r} is a folder without files of a known format: {', '.join(FORMATS)}."
            )
    elif path.exists() or not glob.has_magic(str(source)):
        files = [path]
    else:
        files = [Path(file) for file in sorted(glob.glob(str(source), recursive=True))]  # noqa: PTH207
        files = [file for file in files if file.is_file()]
        if not files:
            raise InputError(f"No file matches {str(source)!r}.")
    return files


def _is_hidden(path: Path, folder: Path) -> bool:
    """Whether a file is hidden, such as the marker _SUCCESS that Spark writes."""
    return any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)


def require_readable_file(path: Path) -> Path:
    """Require a file that exists and can be opened, and return its path."""
    if not path.exists():
        raise missing_file(path)
    if not os.access(path, os.R_OK):
        raise InputError(f"{str(path)!r} cannot be read: you have no permission.")
    if not path.stat().st_size:
        raise InputError(f"{str(path)!r} is empty.")
    return path


def known_extension(path: Path) -> str:
    """Extension of a file that DuckDB reads; an InputError lists them for any other."""
    extension = file_extension(path)
    if extension not in FORMATS:
        raise InputError(
            f"{str(path)!r} has an unknown extension, {extension!r}. Known extensions are "
            f"{', '.join(FORMATS)} (each also with .gz or .zst), arff (also with .gz), duckdb, "
            f"{', '.join(SPREADSHEETS)}, {', '.join(STATISTICS_FILES[:-1])} and "
            f"{STATISTICS_FILES[-1]}."
        )
    return extension


def file_extension(path: Path) -> str:
    """Extension of a file in lower case, without that of its compression."""
    extensions = [extension.lstrip(".").lower() for extension in path.suffixes]
    if extensions and extensions[-1] in COMPRESSIONS:
        extensions.pop()
    return extensions[-1] if extensions else ""


def whole_file_reader(source: Any) -> Callable[[], Mapping[str, Any]] | None:
    """Function that reads all columns of a file at once; None if DuckDB reads its format."""
    sheet = source.sheet if isinstance(source, File) else None
    if isinstance(source, File) and len(source.paths) == 1:
        path = source.paths[0]
    elif isinstance(source, str | os.PathLike):
        path = os.fspath(source)
    else:
        return None
    extension = file_extension(Path(path))
    reader = WHOLE_FILE_READERS.get(extension)
    if reader is None:
        return None
    require_applicable_options(source, extension)
    return lambda: reader(path, sheet)


def _extensions(files: Sequence[Path]) -> list[str]:
    return sorted({file_extension(file) for file in files})


# Integrity of compressed files, where DuckDB does not verify it.
#
# DuckDB ignores the checksum and length at the end of a gzip file, and reads a truncated zstd file
# as if it were shorter. It does verify the checksum of a zstd file.

CHUNK_BYTES = 1 << 18
ZSTD_FRAME_MAGIC = 0xFD2FB528
ZSTD_SKIPPABLE_MAGIC = 0x184D2A50
"""First of the sixteen magic numbers of frames without data."""
RLE_BLOCK, RESERVED_BLOCK = 1, 3
"""Types of blocks: a repeated byte, and an invalid type."""


def require_intact_files(files: Iterable[Path]) -> None:
    """Require compressed files to be complete, and gzip files to match their checksums."""
    for file in files:
        if file.suffix.lower() in INTEGRITY_CHECKS:
            status = file.stat()
            _require_intact(file, status.st_mtime_ns, status.st_size)


@lru_cache
def _require_intact(path: Path, _modified_ns: int, _size: int) -> None:
    """Verify a compressed file, again only if it has been modified."""
    try:
        INTEGRITY_CHECKS[path.suffix.lower()](path)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(
            f"{path} is damaged ({str(problem).rstrip('.')}): create or download it again."
        ) from problem


def _verify_gzip(path: Path) -> None:
    """Verify a gzip file by decompressing it in chunks."""
    with gzip.open(path) as file:
        while file.read(CHUNK_BYTES):
            pass


def _verify_zstd(path: Path) -> None:
    """Verify a zstd file by the lengths of its blocks, without decompressing it (RFC 8878, 3.1)."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(0)
        while file.tell() < end:
            magic = _read_integer(file, 4)
            if magic & ~0xF == ZSTD_SKIPPABLE_MAGIC:
                size = _read_integer(file, 4)
                file.seek(size, os.SEEK_CUR)
            elif magic == ZSTD_FRAME_MAGIC:
                _skip_zstd_frame(file)
            else:
                raise EOFError("it is not a zstd file, or has trailing data")
        if file.tell() > end:
            raise EOFError("it ends in the middle of a block")


def _skip_zstd_frame(file: BinaryIO) -> None:
    descriptor = _read_integer(file, 1)
    is_single_segment = descriptor >> 5 & 1
    window_size = 1 - is_single_segment
    dictionary_size = (0, 1, 2, 4)[descriptor & 3]
    content_size = (is_single_segment, 2, 4, 8)[descriptor >> 6]
    file.seek(window_size + dictionary_size + content_size, os.SEEK_CUR)
    is_last = 0
    while not is_last:
        block = _read_integer(file, 3)
        is_last, block_type, size = block & 1, block >> 1 & 3, block >> 3
        if block_type == RESERVED_BLOCK:
            raise EOFError("it has a block of unknown type")
        file.seek(1 if block_type == RLE_BLOCK else size, os.SEEK_CUR)
    file.seek(4 * (descriptor >> 2 & 1), os.SEEK_CUR)  # the checksum


def _read_integer(file: BinaryIO, size: int) -> int:
    raw_bytes = file.read(size)
    if len(raw_bytes) < size:
        raise EOFError("it ends before its last block")
    return int.from_bytes(raw_bytes, "little")


INTEGRITY_CHECKS = {".gz": _verify_gzip, ".zst": _verify_zstd}
