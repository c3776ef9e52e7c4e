"""Errors in CSV files: lines that DuckDB cannot parse, with reasons, and notes on skipped lines."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.csv_layout import csv_layout
from tradeoff.sources.duckdb_relations import duckdb_connection, duckdb_relation, paths_sql
from tradeoff.sources.files import (
    File,
    Query,
    Source,
    given_csv_format,
    is_csv,
    is_database,
    is_json,
    is_parquet,
    source_files,
)
from tradeoff.sources.row_messages import require_decimal_points
from tradeoff.sources.text_encoding import unknown_encoding_message, with_original_names

MAX_EXAMPLE_LINES = 3
MAX_EXCERPT_LENGTH = 80
"""Maximum number of characters of a line, cell or reason that a message quotes."""
REJECTED_LINES_SQL = """
    SELECT s.file_path, e.line, any_value(e.column_name), any_value(e.error_message),
           any_value(e.csv_line)
    FROM reject_errors e JOIN reject_scans s USING (scan_id, file_id)
    GROUP BY s.file_path, e.line ORDER BY s.file_path, e.line LIMIT {limit}
"""
CSV_ERROR_MESSAGE = re.compile(
    r"CSV Error on Line: (?P<line>\d+)\s*Original Line: ?(?P<text>.*?)\n"
    r"(?P<reason>(Error when converting|Expected Number of Columns|Invalid unicode|"
    r"Value with unterminated).*?)(\n\n|$)",
    re.DOTALL,
)
UNPARSED_CELL = re.compile(r"Could not convert string \"(.*)\" to '(DOUBLE|BIGINT)'", re.DOTALL)
"""DuckDB's reason for a cell that is not a number."""
# An unclosed quote joins several lines into one.
REJECTED_LINE_COUNT_SQL = """
    SELECT coalesce(sum(1 + len(text) - len(replace(text, chr(10), ''))), 0)::BIGINT
    FROM (
        SELECT any_value(trim(e.csv_line, chr(10) || chr(13))) AS text
        FROM reject_errors e JOIN reject_scans s USING (scan_id, file_id)
        GROUP BY s.file_path, e.line
    )
"""


class BadLine(NamedTuple):
    """CSV line that could not be parsed."""

    file: str
    line: int
    column: str | None
    reason: str
    text: str

    def __str__(self) -> str:
        """Line number, reason and text."""
        reason, column = _short_reason(self.reason, self.column), self.column
        location = f"line {self.line:,}" + (
            f", column {column}" if column and reason.is_in_cell else ""
        )
        return f"{location}: {reason.text} (in {_truncate(self.text.strip())!r})"

    @property
    def line_count(self) -> int:
        """Number of lines that it spans: an unclosed quote joins several."""
        return 1 + self.text.strip("\r\n").count("\n")


class Reason(NamedTuple):
    """Reason why a CSV line cannot be parsed, and whether a single cell is the cause."""

    text: str
    is_in_cell: bool


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_EXCERPT_LENGTH else f"{text[:MAX_EXCERPT_LENGTH]}…"


def _short_reason(message: str, column: str | None) -> Reason:
    """Short reason from DuckDB's message about a CSV line."""
    message = message.strip().removeprefix(f'Error when converting column "{column}". ')
    cell_match = UNPARSED_CELL.match(message)
    if cell_match:
        return Reason(f"{_truncate(cell_match[1])!r} is not a number", is_in_cell=True)
    count_match = re.match(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if count_match:
        expected, actual = map(int, count_match.groups())
        # DuckDB counts only the first extra column.
        columns = "more columns" if actual > expected else f"{actual:,} column{'s' * (actual != 1)}"
        return Reason(f"it has {columns} and should have {expected:,}", is_in_cell=False)
    return Reason(
        _truncate(message.partition("\n")[0].rstrip(".")), is_in_cell="convert" in message
    )


def _unparsed_cell(line: BadLine) -> str | None:
    """Cell of a line that is not a number, if that is why the line cannot be parsed."""
    match = UNPARSED_CELL.search(line.reason)
    return None if match is None else match[1]


def _bad_lines(connection: Any, limit: int) -> list[BadLine]:
    """First CSV lines that a connection skipped."""
    return [
        BadLine(with_original_names(file), *details)
        for file, *details in connection.sql(REJECTED_LINES_SQL.format(limit=limit)).fetchall()
    ]


def skipped_lines_note(connection: Any, source: Source) -> str:
    """Note on the CSV lines that were skipped; empty if none were skipped."""
    if not is_csv(source):
        return ""
    examples = _bad_lines(connection, MAX_EXAMPLE_LINES)
    if not examples:
        return ""
    ((skipped_lines,),) = connection.sql(REJECTED_LINE_COUNT_SQL).fetchall()
    has_several_files = len(source_files(source)) > 1 if not isinstance(source, Query) else False
    text = "; ".join(
        f"{line.file}, {line}" if has_several_files else str(line) for line in examples
    )
    remaining_lines = skipped_lines - sum(line.line_count for line in examples)
    more = f"; and {remaining_lines:,} more" if remaining_lines > 0 else ""
    subject = "1 line was" if skipped_lines == 1 else f"{skipped_lines:,} lines were"
    return f"{subject} skipped: {text}{more}"


@contextmanager
def explain_csv_errors(
    source: Source, names: Sequence[str], types: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Replace a DuckDB error with one naming the bad CSV line or the file that lacks a column."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        try:
            _require_readable_lines(source, names, types)
        except InputError as cause:
            raise cause from error
        raise


def _require_readable_lines(
    source: Source, names: Sequence[str], types: Mapping[str, str] | None = None
) -> None:
    """Require every file to have all columns, and CSV lines that can be parsed."""
    _require_columns_in_all_files(source, names)
    line = _bad_line(source, types or {}) if is_csv(source) else None
    if line is not None and (cell := _unparsed_cell(line)) is not None:
        require_decimal_points(cell, line.column or "")
    if line is not None and "nicode" in line.reason:
        raise InputError(unknown_encoding_message(f"{line.file}, line {line.line:,},"))
    if line is not None:
        raise InputError(
            f"{line.file}, {line}. Correct it, or skip such lines with bad_rows='skip'."
        )


def _require_columns_in_all_files(source: Source, names: Sequence[str]) -> None:
    """Require each column that occurs in some of the files to occur in all of them."""
    if isinstance(source, Query) or is_database(source) or len(files := source_files(source)) < 2:
        return
    with duckdb_connection(source) as connection:
        columns = {file: duckdb_relation(connection, file).columns for file in files}
    for name in names:
        files_without_column = [file for file in files if name not in columns[file]]
        if 0 < len(files_without_column) < len(files):
            raise InputError(
                f"{files_without_column[0]} has no column {name!r}, unlike others of the "
                f"{len(files):,} files."
            )


def _bad_line(source: Source, types: Mapping[str, str]) -> BadLine | None:
    """First CSV line at which a single-threaded read fails, or the first line that it skips.

    Other bad lines may precede it, as DuckDB counts columns before it parses cells.
    """
    import duckdb

    with duckdb_connection(source) as connection:
        connection.execute("SET threads = 1")
        for skip in (False, True):
            try:
                table = duckdb_relation(connection, source, types=types, skip=skip)
                table.aggregate("count(COLUMNS(*))").fetchall()  # count(*) would not parse values
                lines = _bad_lines(connection, 1) if skip else []
            except duckdb.Error as error:
                lines = _lines_in_message(str(error))
            if lines:
                return lines[0]
    return None


def _lines_in_message(message: str) -> list[BadLine]:
    """CSV line named in a DuckDB error message, as a list; empty if none is."""
    match = CSV_ERROR_MESSAGE.search(message)
    file = re.search(r"^  file = (.*)$", message, re.MULTILINE)
    if match is None or file is None:
        return []
    column = re.match(r'Error when converting column "(.*)"[.] Could not', match["reason"])
    line, text = int(match["line"]), match["text"]
    return [
        BadLine(with_original_names(file[1]), line, column and column[1], match["reason"], text)
    ]


def require_file_columns(
    connection: Any, source: Source, names: Sequence[str], available_columns: Sequence[str]
) -> None:
    """Require each column exactly once in every file; errors in CSV lines are reported first."""
    if is_parquet(source) or is_csv(source):
        _require_columns_in_all_files(source, names)
    for name in names:
        if name not in available_columns:
            _require_readable_lines(source, names)
            raise ColumnError.missing(name, available_columns)
        if not isinstance(source, Query):
            require_unique_column(connection, source, name, available_columns)


def require_unique_column(
    connection: Any, source: str | os.PathLike[str] | File, name: str, columns: Sequence[str]
) -> None:
    """Require a column name to be unique in each file, as DuckDB would rename duplicates."""
    if f"{name}_1" not in columns or is_json(source) or is_database(source):
        return
    for path in source_files(source):
        if is_csv(source):
            header: Sequence[str] = csv_layout(connection, path, given_csv_format(source)).header
        else:
            header = _parquet_header(connection, path)
        if header.count(name) > 1:
            raise InputError(f"{path} has several columns called {name!r}: rename them.")


def _parquet_header(connection: Any, path: Path) -> list[str]:
    """Top-level column names in the schema of a Parquet file."""
    fields = iter(
        connection.sql(f"FROM parquet_schema({paths_sql([path])})")
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
