"""Lines of CSV files that cannot be read: where they are and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.files import (
    Query,
    Source,
    connected,
    demand_single,
    files_of,
    is_csv,
    is_database,
    is_parquet,
    relation,
)

SHOWN = 3
LONG = 80
REJECTED = """
    SELECT s.file_path, e.line, any_value(e.column_name), any_value(e.error_message),
           any_value(e.csv_line)
    FROM reject_errors e JOIN reject_scans s USING (scan_id, file_id)
    GROUP BY s.file_path, e.line ORDER BY s.file_path, e.line LIMIT {most}
"""
STOPPED = re.compile(
    r"CSV Error on Line: (?P<line>\d+)\s*Original Line: ?(?P<text>.*?)\n"
    r"(?P<reason>(Error when converting|Expected Number of Columns|Invalid unicode|"
    r"Value with unterminated).*?)(\n\n|$)",
    re.DOTALL,
)
# A quote that is not closed makes one of several lines.
LINES = """
    SELECT coalesce(sum(1 + len(text) - len(replace(text, chr(10), ''))), 0)::BIGINT
    FROM (
        SELECT any_value(trim(e.csv_line, chr(10) || chr(13))) AS text
        FROM reject_errors e JOIN reject_scans s USING (scan_id, file_id)
        GROUP BY s.file_path, e.line
    )
"""


class BadLine(NamedTuple):
    """One line that was not read."""

    file: str
    line: int
    column: str | None
    reason: str
    text: str

    def __str__(self) -> str:
        """Where it is, what is wrong, and what stands there."""
        reason, column = _reason(self.reason, self.column), self.column
        where = f"line {self.line:,}" + (f", column {column}" if column and reason.cell else "")
        return f"{where}: {reason.words} (in {_short(self.text.strip())!r})"

    @property
    def lines(self) -> int:
        """How many lines it takes: a quote that is not closed makes one of several."""
        return 1 + self.text.strip("\r\n").count("\n")


class Reason(NamedTuple):
    """Why a line was not read, and whether one of its cells is to blame."""

    words: str
    cell: bool


def _short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def _reason(told: str, column: str | None) -> Reason:
    """What DuckDB says of a line, in fewer words."""
    told = told.strip().removeprefix(f'Error when converting column "{column}". ')
    cell = re.match(r"Could not convert string \"(.*)\" to '(DOUBLE|BIGINT)'", told, re.DOTALL)
    if cell:
        return Reason(f"{_short(cell[1])!r} is no number", cell=True)
    sizes = re.match(r"Expected Number of Columns: (\d+) Found: (\d+)", told)
    if sizes:
        wanted, found = map(int, sizes.groups())
        # Of too many columns DuckDB counts one.
        own = "more columns" if found > wanted else f"{found:,} column{'s' * (found != 1)}"
        return Reason(f"it has {own} and should have {wanted:,}", cell=False)
    return Reason(_short(told.partition("\n")[0].rstrip(".")), cell="convert" in told)


def _bad_lines(connection: Any, most: int) -> list[BadLine]:
    """The first lines that readings of this connection left out."""
    return [BadLine(*row) for row in connection.sql(REJECTED.format(most=most)).fetchall()]


def skipped_note(connection: Any, source: Source) -> str:
    """What was left out; nothing where all lines were read."""
    if not is_csv(source):
        return ""
    found = _bad_lines(connection, SHOWN)
    if not found:
        return ""
    ((lines,),) = connection.sql(LINES).fetchall()
    several = len(files_of(source)) > 1 if not isinstance(source, Query) else False
    shown = "; ".join(f"{line.file}, {line}" if several else str(line) for line in found)
    others = lines - sum(line.lines for line in found)
    more = f"; and {others:,} more" if others > 0 else ""
    counted = "1 line was" if lines == 1 else f"{lines:,} lines were"
    return f"{counted} skipped: {shown}{more}"


@contextmanager
def demand_whole(
    source: Source, names: Sequence[str], types: Mapping[str, str] | None = None
) -> Iterator[None]:
    """What cannot be read stops with the file that lacks a column, or a bad line."""
    import duckdb

    try:
        yield
    except duckdb.Error as problem:
        try:
            _demand_lines(source, names, types)
        except InputError as bad:
            raise bad from problem
        raise


def _demand_lines(
    source: Source, names: Sequence[str], types: Mapping[str, str] | None = None
) -> None:
    """Every file has the columns and every line can be read, or an exception is told."""
    _demand_everywhere(source, names)
    line = _bad_line(source, types or {}) if is_csv(source) else None
    if line is not None:
        raise InputError(
            f"{line.file}, {line}. Mend it, or leave such lines out with bad_rows='skip'."
        )


def _demand_everywhere(source: Source, names: Sequence[str]) -> None:
    """All of several files have the columns that some have."""
    if isinstance(source, Query) or is_database(source) or len(files := files_of(source)) < 2:
        return
    with connected(source) as connection:
        columns = {file: relation(connection, file).columns for file in files}
    for name in names:
        some = [file for file in files if name not in columns[file]]
        if 0 < len(some) < len(files):
            raise InputError(
                f"{some[0]} has no column {name!r}, which others of the {len(files):,} files have."
            )


def _bad_line(source: Source, types: Mapping[str, str]) -> BadLine | None:
    """The line at which a reading by one thread stops, or the first that a patient one skips.

    It is among the first that cannot be read: columns are counted before cells are looked at.
    """
    import duckdb

    with connected(source) as connection:
        connection.execute("SET threads = 1")
        for skip in (False, True):
            try:
                table = relation(connection, source, types=types, skip=skip)
                table.aggregate("count(COLUMNS(*))").fetchall()  # count(*) would not look at values
                found = _bad_lines(connection, 1) if skip else []
            except duckdb.Error as problem:
                found = _told_of(str(problem))
            if found:
                return found[0]
    return None


def _told_of(problem: str) -> list[BadLine]:
    """The line that DuckDB stopped at, if its message tells."""
    told = STOPPED.search(problem)
    file = re.search(r"^  file = (.*)$", problem, re.MULTILINE)
    if told is None or file is None:
        return []
    column = re.match(r'Error when converting column "(.*)"[.] Could not', told["reason"])
    line, text = int(told["line"]), told["text"]
    return [BadLine(file[1], line, column and column[1], told["reason"], text)]


def demand_columns(
    connection: Any, source: Source, names: Sequence[str], found: Sequence[str]
) -> None:
    """Every column is there, once, in every file."""
    if is_parquet(source) or is_csv(source):
        _demand_everywhere(source, names)
    for name in names:
        if name not in found:
            _demand_lines(source, names)
            raise ColumnError.missing(name, found)
        if not isinstance(source, Query):
            demand_single(connection, source, name, found)
