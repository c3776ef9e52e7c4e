"""Lines of CSV files that cannot be read: where they are and what is wrong with them."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from tradeoff.errors import InputError
from tradeoff.sources.relations import (
    SOME,
    Query,
    connected,
    files_of,
    is_csv,
    is_database,
    relation,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tradeoff.sources.relations import Source

SHOWN = 3
LONG = 80
REJECTED = """
    SELECT any_value(s.file_path), e.line, any_value(e.column_name),
           any_value(e.error_message), any_value(e.csv_line)
    FROM reject_errors e JOIN reject_scans s USING (scan_id, file_id)
    GROUP BY s.file_path, e.line ORDER BY s.file_path, e.line
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
        where = f"line {self.line:,}" + (f", column {self.column}" if self.column else "")
        reason = re.sub('^Error when converting column ".*?"[.] ', "", self.reason.strip())
        reason = reason.partition("\n")[0].rstrip(".")
        text = self.text if len(self.text) <= LONG else f"{self.text[:LONG]}…"
        return f"{where}: {reason} (in {text!r})"


def bad_lines(connection: Any) -> list[BadLine]:
    """Every line that readings of this connection left out."""
    return [BadLine(*row) for row in connection.sql(REJECTED).fetchall()]


def skipped_note(connection: Any, source: Source) -> str:
    """What was left out; nothing where all lines were read."""
    if not is_csv(source):
        return ""
    found = bad_lines(connection)
    if not found:
        return ""
    shown = "; ".join(map(str, found[:SHOWN]))
    more = f"; and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    lines = "1 line was" if len(found) == 1 else f"{len(found):,} lines were"
    return f"{lines} skipped: {shown}{more}"


@contextmanager
def demand_whole(
    source: Source, names: Sequence[str], types: Mapping[str, str] | None = None
) -> Iterator[None]:
    """What cannot be read stops with the file that lacks a column, or the first bad line."""
    import duckdb

    try:
        yield
    except duckdb.Error as problem:
        try:
            demand_lines(source, names, types)
        except InputError as bad:
            raise bad from problem
        raise


def demand_lines(
    source: Source, names: Sequence[str], types: Mapping[str, str] | None = None
) -> None:
    """Every file has the columns and every line can be read, or the first exception is told."""
    demand_everywhere(source, names)
    line = _first_bad(source, types or {}) if is_csv(source) else None
    if line is not None:
        raise InputError(
            f"{line.file}, {line}. Mend it, or leave such lines out with bad_rows='skip'."
        )


def demand_everywhere(source: Source, names: Sequence[str]) -> None:
    """All of several files have the columns that some have."""
    if isinstance(source, Query) or is_database(source) or len(files := files_of(source)) < 2:
        return
    with connected(source) as connection:
        columns = {file: relation(connection, file, sample=SOME).columns for file in files}
    for name in names:
        some = [file for file in files if name not in columns[file]]
        if 0 < len(some) < len(files):
            raise InputError(
                f"{some[0]} has no column {name!r}, which others of the {len(files):,} files have."
            )


def _first_bad(source: Source, types: Mapping[str, str]) -> BadLine | None:
    """The first line that a more patient reading leaves out."""
    import duckdb

    with connected(source) as connection:
        try:
            table = relation(connection, source, sample=SOME, types=types, skip=True)
            table.aggregate("count(COLUMNS(*))").fetchall()  # count(*) would not look at values
            found = bad_lines(connection)
        except duckdb.Error:
            return None
    return found[0] if found else None
