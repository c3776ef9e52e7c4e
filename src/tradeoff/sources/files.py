"""Read files, databases and SQL queries with DuckDB, which runs within this process.

CSV, TSV, JSON lines and Parquet are recognized by their extensions, even if they are compressed
(.gz, .zst). A folder, or a pattern with *, stands for all its files. Spreadsheets, ARFF files and
those of statistics programs have readers of their own. DuckDB cannot access the network.
"""

from __future__ import annotations

import glob
import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from tradeoff.errors import InputError, format_list
from tradeoff.files import missing_file, temporary_folder
from tradeoff.sources.csv_layout import CsvFormat, CsvLayout, csv_layout
from tradeoff.sources.sql_quoting import (
    quote_name,
    quote_string,
    quote_string_list,
    quote_string_struct,
)
from tradeoff.sources.text_encoding import require_encoding, utf_8_file, with_original_names
from tradeoff.sources.text_values import cell_kinds, cell_value_sql
from tradeoff.sources.user_queries import query_with_file_views, require_no_type_guessing

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


def _csv_format(source: Source) -> CsvFormat:
    return source.csv_format if isinstance(source, File) else CsvFormat()


def is_database(path: object) -> bool:
    """Whether a path is a DuckDB database file."""
    if isinstance(path, File):
        path = path.paths[0] if len(path.paths) == 1 else ""
    return Path(str(path)).suffix.lstrip(".").lower() in DATABASE_EXTENSIONS


def source_name(source: Source) -> str:
    """Name of a file, database or query in messages."""
    return source.name if isinstance(source, Query) else str(source)


@contextmanager
def duckdb_connection(source: Source, memory: int | None = None) -> Iterator[Any]:
    """Open a DuckDB connection for a source, with a memory limit and a temporary folder."""
    import duckdb

    # Without extensions DuckDB cannot access the network, whatever the name of a file.
    settings: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    if memory is not None:
        settings["memory_limit"] = f"{memory}B"
    database = source.database if isinstance(source, Query) else source
    is_database_file = database is not None and is_database(database)
    if is_database_file:
        _require_readable(Path(str(database)))
    with temporary_folder() as folder, translate_duckdb_errors(source):
        settings["temp_directory"] = str(folder)
        path = str(database) if is_database_file else ":memory:"
        with duckdb.connect(path, read_only=is_database_file, config=settings) as connection:
            connection.execute("SET enable_progress_bar = false")  # it would appear in the output
            connection.execute(f"SET streaming_buffer_size = '{STREAM_BUFFER_SIZE}'")
            yield connection


@contextmanager
def translate_duckdb_errors(source: Source) -> Iterator[None]:
    """Turn DuckDB errors into one-sentence input errors that name the source."""
    import duckdb

    try:
        yield
    except duckdb.Error as problem:
        raise InputError(
            with_original_names(f"{source_name(source)} cannot be read: {_duckdb_reason(problem)}")
        ) from problem


def _duckdb_reason(problem: Exception) -> str:
    """DuckDB's message, without advice on settings that users cannot change."""
    if "state machine reached an invalid state" in str(problem):
        return r"its lines have mixed endings (\n, \r\n or \r): use the same one throughout."
    # The first paragraph says where and why; advice on settings follows.
    message = " ".join(str(problem).strip().partition("\n\n")[0].split())
    return re.split(r" (?:Possible fixes:|Try (?:setting|increasing) ')", message)[0]


def duckdb_relation(
    connection: Any,
    source: Source,
    *,
    names: Sequence[str] | None = None,
    types: Mapping[str, str] | None = None,
    skip: bool = False,
) -> Any:
    """DuckDB relation over a file, database or query; no rows are read yet.

    Columns of text files are VARCHAR or JSON cells as written: see `text_values`.

    Args:
        connection: A connection from `duckdb_connection`.
        source: A file, several files, a database or a query.
        names: The columns to read; all if None.
        types: Types to enforce for columns of a text file.
        skip: Skip lines that cannot be parsed; `csv_errors` reports them.
    """
    if isinstance(source, Query):
        return _query_relation(connection, source)
    if is_database(source):
        return _query_relation(
            connection, Query(f"FROM {_single_table(connection, source)}", str(source))
        )
    files = source_files(source)
    require_intact_files(files)
    file_format = FORMATS[_known_extension(files[0])]
    _require_applicable_options(source, file_format)
    if file_format == CSV:
        sql = _csv_sql(connection, files, _csv_format(source), types or {}, skip=skip)
    elif file_format == JSON:
        sql = _json_sql(connection, files, names, types or {})
    else:
        sql = _parquet_sql(connection, files)
    return connection.sql(f"FROM {sql}")


def _require_applicable_options(source: Source, file_format: str) -> None:
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


def reading_notes(source: Source) -> list[str]:
    """Notes on how an unusual CSV file is read: its encoding, delimiter and numbers."""
    if isinstance(source, Query) or is_database(source) or whole_file_reader(source):
        return []
    if not is_csv(source):
        return []
    with ExitStack() as stack:
        file = source_files(source)[0]
        is_zstd = file.suffix.lower() == ".zst"  # which only DuckDB can decompress
        connection = stack.enter_context(duckdb_connection(source)) if is_zstd else None
        layout = csv_layout(connection, file, _csv_format(source))
    notes = [] if layout.encoding == "utf-8" else [f"text encoding {layout.encoding}"]
    if layout.delimiter not in {",", "\t"}:
        notes.append(f"columns separated by {layout.delimiter!r}")
    for names, description in (
        (layout.comma_columns, "decimal commas in {}"),
        (layout.percent_columns, "percentages in {} as proportions"),
    ):
        if names:
            listed = [repr(name) for name in layout.names if name in names]
            notes.append(description.format(_joined(listed)))
    return notes


def _joined(names: Sequence[str], max_names: int = 4) -> str:
    more = len(names) - max_names
    return ", ".join(names[:max_names]) + (f" and {more:,} more" if more > 0 else "")


def typed_relation(table: Any, source: Source, names: Sequence[str]) -> Any:
    """Select columns of a DuckDB relation; those of text files get the type that fits all cells."""
    if not is_text(source):
        return table.project(", ".join(quote_name(name) for name in names))
    is_json = _is_json(source)
    declared_types = dict(zip(table.columns, map(str, table.types), strict=True))
    cell_types = cell_kinds(
        table,
        [name for name in names if declared_types[name] == ("JSON" if is_json else "VARCHAR")],
    )
    value_sql = {
        name: cell_value_sql(name, cell_types[name], json=is_json)
        if name in cell_types
        else quote_name(name)
        for name in names
    }
    return table.project(
        ", ".join(f"{sql} AS {quote_name(name)}" for name, sql in value_sql.items())
    )


def _query_relation(connection: Any, query: Query) -> Any:
    """DuckDB relation of a query, with each file that it names replaced by a view of its rows."""
    tables = {name for (name,) in connection.sql("SELECT name FROM (SHOW TABLES)").fetchall()}
    views: set[str] = set()

    def create_view(name: str) -> bool:
        if name in tables or _file_extension(Path(name)) not in FORMATS or not _matches_files(name):
            return False
        if name.casefold() not in views:
            table = duckdb_relation(connection, name)
            table = typed_relation(table, name, table.columns)
            connection.execute(f"CREATE TEMP VIEW {quote_name(name)} AS {table.sql_query()}")
            views.add(name.casefold())
        return True

    result = connection.sql(query_with_file_views(query.sql, create_view))
    if result is None:
        raise InputError("The query returns no rows: it must be a SELECT.")
    require_no_type_guessing(connection, result, query.sql)
    return result


def _matches_files(name: str) -> bool:
    return Path(name).exists() or (glob.has_magic(name) and bool(glob.glob(name, recursive=True)))  # noqa: PTH207


def _csv_sql(
    connection: Any,
    files: Sequence[Path],
    csv_format: CsvFormat,
    types: Mapping[str, str],
    *,
    skip: bool,
) -> str:
    """SQL that reads CSV files; files of different layouts are combined by column name."""
    layouts = [
        (layout := csv_layout(connection, file, csv_format), utf_8_file(file, layout.encoding))
        for file in files
    ]
    hive_option = _hive_option(
        file for layout, file in layouts if _has_hive_column(file, layout.names)
    )
    parts = [
        _csv_reader_sql(
            layout, [file for _, file in group], types, f"{hive_option}{_rejects_option(skip=skip)}"
        )
        for layout, group in groupby(layouts, key=lambda pair: pair[0])
    ]
    if len(parts) == 1:
        return parts[0]
    return f"({' UNION ALL BY NAME '.join(f'FROM {part}' for part in parts)})"


def _csv_reader_sql(
    layout: CsvLayout, files: Sequence[Path], types: Mapping[str, str], options: str
) -> str:
    # R and pandas write NA for a missing value.
    columns = {name: types.get(name, "VARCHAR") for name in layout.names}
    converted = {name: sql for name in columns if (sql := layout.converted_sql(name))}
    if types and types.keys() <= layout.comma_columns - layout.percent_columns:
        # DuckDB parses decimal commas itself, and reports or skips the lines that it cannot parse.
        options += ", decimal_separator = ','"
        converted = {name: sql for name, sql in converted.items() if name not in types}
    columns |= dict.fromkeys(converted, "VARCHAR")
    reader = (
        f"read_csv({_paths_sql(files)}, auto_detect = false, header = true, quote = '\"', "
        f"escape = '\"', comment = '', delim = {quote_string(layout.delimiter)}, "
        f"skip = {layout.empty_lines}, nullstr = ['', 'NA'], "
        f"columns = {quote_string_struct(columns)}{options})"
    )
    if not converted:
        return reader
    replacements = ", ".join(
        f"CAST({sql} AS {types.get(name, 'VARCHAR')}) AS {quote_name(name)}"
        for name, sql in converted.items()
    )
    return f"(SELECT * REPLACE ({replacements}) FROM {reader})"  # noqa: S608 - names are quoted


def _rejects_option(*, skip: bool) -> str:
    return ", store_rejects = true" if skip else ""


def _json_sql(
    connection: Any,
    files: Sequence[Path],
    names: Sequence[str] | None,
    types: Mapping[str, str],
) -> str:
    paths = _paths_sql(files)
    available_columns = connection.sql(
        f"FROM read_json({paths}, hive_partitioning = false)"
    ).columns
    # A later row may have an additional column.
    if names is None or set(names) - set(available_columns):
        query = f"FROM read_json({paths}, hive_partitioning = false, sample_size = -1)"
        available_columns = connection.sql(query).columns
    hive_option = _hive_option(file for file in files if _has_hive_column(file, available_columns))
    columns = {name: types.get(name, "JSON") for name in available_columns}
    return f"read_json({paths}, columns = {quote_string_struct(columns)}{hive_option})"


def _parquet_sql(connection: Any, files: Sequence[Path]) -> str:
    options = ", union_by_name = true" if len(files) > 1 else ""
    hive_files = [file for file in files if _hive_keys(file)]
    conflicting_files = (
        file for file in hive_files if _has_hive_column(file, _parquet_names(connection, file))
    )
    # By default DuckDB uses the types of the first file for all files.
    return f"read_parquet({_paths_sql(files)}{options}{_hive_option(conflicting_files)})"


def _parquet_names(connection: Any, file: Path) -> list[str]:
    sql = f"FROM read_parquet({_paths_sql([file])}, hive_partitioning = false)"
    names: list[str] = connection.sql(sql).columns
    return names


def _hive_keys(file: Path) -> set[str]:
    """Column names in Hive-style folder names (column=value)."""
    return {part.partition("=")[0].casefold() for part in file.parts[:-1] if "=" in part}


def _has_hive_column(file: Path, names: Sequence[str]) -> bool:
    """Whether a file already has a column that its folder name would add."""
    return not _hive_keys(file).isdisjoint(map(str.casefold, names))


def _hive_option(conflicting_files: Iterable[Path]) -> str:
    """SQL option that disables Hive partitioning if it conflicts with columns of a file."""
    return ", hive_partitioning = false" if any(True for _ in conflicting_files) else ""


def _paths_sql(files: Sequence[Path]) -> str:
    return quote_string_list(_escape_glob(str(file)) for file in files)


def is_csv(source: Source) -> bool:
    """Whether a source consists of CSV files."""
    return _file_format(source) == CSV


def _is_json(source: Source) -> bool:
    """Whether a source consists of JSON files."""
    return _file_format(source) == JSON


def is_text(source: Source) -> bool:
    """Whether a source consists of text files (CSV or JSON), which have no column types."""
    return is_csv(source) or _is_json(source)


def is_parquet(source: Source) -> bool:
    """Whether a source consists of Parquet files."""
    return _file_format(source) == PARQUET


def _file_format(source: Source) -> str | None:
    if isinstance(source, Query) or is_database(source):
        return None
    return FORMATS[_known_extension(source_files(source)[0])]


def source_files(source: str | os.PathLike[str] | File) -> list[Path]:
    """List the files of a path, folder or glob pattern, which must have the same format."""
    files = _matching_files(source)
    formats = {FORMATS[_known_extension(_require_readable(file))] for file in files}
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
        files = [file for file in files if _file_extension(file) in FORMATS]
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


def require_unique_column(
    connection: Any, source: str | os.PathLike[str] | File, name: str, columns: Sequence[str]
) -> None:
    """Require a column name to be unique in each file, as DuckDB would rename duplicates."""
    if f"{name}_1" not in columns or _is_json(source) or is_database(source):
        return
    for path in source_files(source):
        if is_csv(source):
            header: Sequence[str] = csv_layout(connection, path, _csv_format(source)).header
        else:
            header = _parquet_header(connection, path)
        if header.count(name) > 1:
            raise InputError(f"{path} has several columns called {name!r}: rename them.")


def _parquet_header(connection: Any, path: Path) -> list[str]:
    """Top-level column names in the schema of a Parquet file."""
    fields = iter(
        connection.sql(f"FROM parquet_schema({_paths_sql([path])})")
        .project("name, coalesce(num_children, 0)")
        .fetchall()[1:]
    )

    def skip_children(count: int) -> None:
        for _ in range(count):
            skip_children(next(fields)[1])

    names = []
    for name, children in fields:
        names.append(name)
        skip_children(children)
    return names


def _single_table(connection: Any, source: Source) -> str:
    names = [name for (name,) in connection.sql("SELECT name FROM (SHOW TABLES)").fetchall()]
    if len(names) != 1:
        description = (
            f"the tables {format_list(names)}: choose one (--table)" if names else "no table"
        )
        raise InputError(f"{source_name(source)} has {description}.")
    return quote_name(names[0])


def _is_hidden(path: Path, folder: Path) -> bool:
    """Whether a file is hidden, such as the marker _SUCCESS that Spark writes."""
    return any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)


def _escape_glob(path: str) -> str:
    """Escape *, ? and [ in a path, which DuckDB would take for a pattern."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in path)


def _require_readable(path: Path) -> Path:
    if not path.exists():
        raise missing_file(path)
    if not os.access(path, os.R_OK):
        raise InputError(f"{str(path)!r} cannot be read: you have no permission.")
    if not path.stat().st_size:
        raise InputError(f"{str(path)!r} is empty.")
    return path


def _known_extension(path: Path) -> str:
    extension = _file_extension(path)
    if extension not in FORMATS:
        raise InputError(
            f"{str(path)!r} has an unknown extension, {extension!r}. Known extensions are "
            f"{', '.join(FORMATS)} (each also with .gz or .zst), arff (also with .gz), duckdb, "
            f"{', '.join(SPREADSHEETS)}, {', '.join(STATISTICS_FILES[:-1])} and "
            f"{STATISTICS_FILES[-1]}."
        )
    return extension


def _file_extension(path: Path) -> str:
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
    extension = _file_extension(Path(path))
    reader = WHOLE_FILE_READERS.get(extension)
    if reader is None:
        return None
    _require_applicable_options(source, extension)
    return lambda: reader(path, sheet)


def _extensions(files: Sequence[Path]) -> list[str]:
    return sorted({_file_extension(file) for file in files})


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
