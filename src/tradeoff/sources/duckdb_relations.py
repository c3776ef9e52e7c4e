"""DuckDB connections and relations over files, databases and queries."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from tradeoff.errors import InputError, format_list
from tradeoff.files.temporary_files import temporary_folder
from tradeoff.sources.csv_layout import CsvFormat, CsvLayout, csv_layout
from tradeoff.sources.files import (
    CSV,
    FORMATS,
    JSON,
    STREAM_BUFFER_SIZE,
    Query,
    Source,
    file_extension,
    given_csv_format,
    is_database,
    is_json,
    is_text,
    known_extension,
    require_applicable_options,
    require_intact_files,
    require_readable_file,
    source_files,
    source_name,
)
from tradeoff.sources.sql_quoting import (
    quote_name,
    quote_string,
    quote_string_list,
    quote_string_struct,
)
from tradeoff.sources.text_encoding import utf_8_file, with_original_names
from tradeoff.sources.text_values import cell_kinds, cell_value_sql
from tradeoff.sources.user_queries import query_with_file_views, require_no_type_guessing


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
        require_readable_file(Path(str(database)))
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
    file_format = FORMATS[known_extension(files[0])]
    require_applicable_options(source, file_format)
    if file_format == CSV:
        sql = _csv_sql(connection, files, given_csv_format(source), types or {}, skip=skip)
    elif file_format == JSON:
        sql = _json_sql(connection, files, names, types or {})
    else:
        sql = _parquet_sql(connection, files)
    return connection.sql(f"FROM {sql}")


def typed_relation(table: Any, source: Source, names: Sequence[str]) -> Any:
    """Select columns of a DuckDB relation; those of text files get the type that fits all cells."""
    if not is_text(source):
        return table.project(", ".join(quote_name(name) for name in names))
    has_json_cells = is_json(source)
    declared_types = dict(zip(table.columns, map(str, table.types), strict=True))
    cell_types = cell_kinds(
        table,
        [
            name
            for name in names
            if declared_types[name] == ("JSON" if has_json_cells else "VARCHAR")
        ],
    )
    value_sql = {
        name: cell_value_sql(name, cell_types[name], json=has_json_cells)
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
        if name in tables or file_extension(Path(name)) not in FORMATS or not _matches_files(name):
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
        f"read_csv({paths_sql(files)}, auto_detect = false, header = true, quote = '\"', "
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
    paths = paths_sql(files)
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
    return f"read_parquet({paths_sql(files)}{options}{_hive_option(conflicting_files)})"


def _parquet_names(connection: Any, file: Path) -> list[str]:
    sql = f"FROM read_parquet({paths_sql([file])}, hive_partitioning = false)"
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


def paths_sql(files: Sequence[Path]) -> str:
    """List of file paths as SQL, which DuckDB takes literally, not as patterns."""
    return quote_string_list(_escape_glob(str(file)) for file in files)


def _single_table(connection: Any, source: Source) -> str:
    names = [name for (name,) in connection.sql("SELECT name FROM (SHOW TABLES)").fetchall()]
    if len(names) != 1:
        description = (
            f"the tables {format_list(names)}: choose one (--table)" if names else "no table"
        )
        raise InputError(f"{source_name(source)} has {description}.")
    return quote_name(names[0])


def _matches_files(name: str) -> bool:
    return Path(name).exists() or (glob.has_magic(name) and bool(glob.glob(name, recursive=True)))  # noqa: PTH207


def _escape_glob(path: str) -> str:
    """Escape *, ? and [ in a path, which DuckDB would take for a pattern."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in path)
