"""How a CSV file is laid out: its delimiter and its header. Nothing else is guessed.

Quotes are ", doubled inside quoted cells; no line is a comment; the first line that is not empty is
the header. A guess would take a '#3' for a comment and an apostrophe for a quote, and rows would
vanish.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tradeoff.errors import InputError
from tradeoff.sources.quoting import text

DELIMITERS = ",;\t|"
LINES = 100
"""So many lines decide on the delimiter."""
HEAD, LONGEST = 1 << 16, 1 << 21
"""Characters that hold those lines, and the longest line that DuckDB reads."""
RAW_LINES = """
    FROM read_csv({file}, auto_detect = false, header = false, columns = {{'line': 'VARCHAR'}},
                  delim = '', quote = '', escape = '', comment = '', strict_mode = false)
    LIMIT {most}
"""


class CsvLayout(NamedTuple):
    """The delimiter of a file, its header, and how many empty lines are above that."""

    delimiter: str
    header: tuple[str, ...]
    above: int = 0

    @property
    def names(self) -> list[str]:
        """Names of columns, no two alike: a second `s` is `s_1`, and one without a name `column3`.

        Example:
            >>> CsvLayout(",", ("s", "S", "", "t")).names
            ['s', 'S_1', 'column2', 't']
        """
        names: list[str] = []
        taken: set[str] = set()
        for place, title in enumerate(self.header):
            name = title or f"column{place}"
            again = 0
            while (unique := name if not again else f"{name}_{again}").casefold() in taken:
                again += 1
            taken.add(unique.casefold())
            names.append(unique)
        return names


def csv_layout(connection: Any, path: Path) -> CsvLayout:
    """The layout of a file, by its first lines."""
    lines = _first_lines(connection, path)
    if not lines:
        raise InputError(f"{str(path)!r} is empty.")
    above = next((at for at, line in enumerate(lines) if line.strip("\r\n")), 0)
    ordered = sorted(DELIMITERS, key=lambda mark: mark != "\t") if _is_tsv(path) else DELIMITERS
    try:
        tried = [(mark, _records(lines[above:], mark)) for mark in ordered]
    except csv.Error as problem:
        raise InputError(f"{path} has no header that can be read: {problem}.") from problem
    delimiter, records = max(tried, key=lambda one: _fit(one[1]))
    return CsvLayout(delimiter, tuple(title.strip() for title in records[0]), above)


def _is_tsv(path: Path) -> bool:
    return ".tsv" in (suffix.lower() for suffix in path.suffixes)


def _records(lines: list[str], delimiter: str) -> list[list[str]]:
    records = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    return [record for record in records if record] or [[""]]


def _fit(records: list[list[str]]) -> tuple[bool, int, int]:
    """Whether there are columns at all, how many records have all of them, how many there are."""
    columns = len(records[0])
    return columns > 1, sum(len(record) == columns for record in records), columns


def _first_lines(connection: Any, path: Path) -> list[str]:
    if path.suffix.lower() == ".zst":  # of which Python knows nothing
        found = connection.sql(RAW_LINES.format(file=text(str(path)), most=LINES)).fetchall()
        return [f"{line or ''}\n" for (line,) in found]
    opener: Any = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as file:
            head = file.read(HEAD)
            if "\n" not in head and "\r" not in head:
                head += file.read(LONGEST)
            rest = file.read(1)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(f"{path} cannot be read: {str(problem).rstrip('.')}.") from problem
    lines = list(islice(io.StringIO(head, newline=""), LINES + 1))
    if rest and 1 < len(lines) <= LINES:  # the last one may be cut off
        lines.pop()
    return lines[:LINES]
