"""Layout of a CSV file: its delimiter and header. Nothing else is guessed.

The quote character is ", doubled inside quoted cells; there are no comments; the first non-empty
line is the header. Guessing could take '#3' for a comment or an apostrophe for a quote, and thus
lose rows.
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
from tradeoff.sources.sql_quoting import quote_string

DELIMITERS = ",;\t|"
SAMPLE_LINES = 100
"""Number of lines from which the delimiter is detected."""
HEAD_LENGTH, MAX_LINE_LENGTH = 1 << 16, 1 << 21
"""Number of characters read for these lines; length of the longest line that DuckDB reads."""
RAW_LINES_SQL = """
    FROM read_csv({file}, auto_detect = false, header = false, columns = {{'line': 'VARCHAR'}},
                  delim = '', quote = '', escape = '', comment = '', strict_mode = false)
    LIMIT {limit}
"""


class CsvLayout(NamedTuple):
    """Delimiter and header of a CSV file, and the number of empty lines above the header."""

    delimiter: str
    header: tuple[str, ...]
    empty_lines: int = 0

    @property
    def names(self) -> list[str]:
        """Unique column names: a second `s` becomes `s_1`, an unnamed fourth column `column3`.

        Example:
            >>> CsvLayout(",", ("s", "S", "", "t")).names
            ['s', 'S_1', 'column2', 't']
        """
        names: list[str] = []
        used_names: set[str] = set()
        for index, title in enumerate(self.header):
            name = title or f"column{index}"
            suffix = 0
            while (
                unique_name := name if not suffix else f"{name}_{suffix}"
            ).casefold() in used_names:
                suffix += 1
            used_names.add(unique_name.casefold())
            names.append(unique_name)
        return names


def csv_layout(connection: Any, path: Path) -> CsvLayout:
    """Detect the layout of a CSV file (delimiter, header) from its first lines."""
    lines = _first_lines(connection, path)
    if not lines:
        raise InputError(f"{str(path)!r} is empty.")
    empty_lines = next((index for index, line in enumerate(lines) if line.strip("\r\n")), 0)
    delimiters = (
        sorted(DELIMITERS, key=lambda character: character != "\t") if _is_tsv(path) else DELIMITERS
    )
    try:
        candidates = [
            (delimiter, _records(lines[empty_lines:], delimiter)) for delimiter in delimiters
        ]
    except csv.Error as error:
        raise InputError(f"{path} has no readable header: {error}.") from error
    delimiter, records = max(candidates, key=lambda candidate: _delimiter_score(candidate[1]))
    return CsvLayout(delimiter, tuple(title.strip() for title in records[0]), empty_lines)


def _is_tsv(path: Path) -> bool:
    return ".tsv" in (suffix.lower() for suffix in path.suffixes)


def _records(lines: list[str], delimiter: str) -> list[list[str]]:
    records = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    return [record for record in records if record] or [[""]]


def _delimiter_score(records: list[list[str]]) -> tuple[bool, int, int]:
    """Sort key for choosing a delimiter, from the records that it yields.

    It consists of whether there are several columns, the number of records with as many columns as
    the header, and the number of columns.
    """
    columns = len(records[0])
    return columns > 1, sum(len(record) == columns for record in records), columns


def _first_lines(connection: Any, path: Path) -> list[str]:
    if path.suffix.lower() == ".zst":  # Python cannot decompress it
        rows = connection.sql(
            RAW_LINES_SQL.format(file=quote_string(str(path)), limit=SAMPLE_LINES)
        ).fetchall()
        return [f"{line or ''}\n" for (line,) in rows]
    opener: Any = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as file:
            head = file.read(HEAD_LENGTH)
            if "\n" not in head and "\r" not in head:
                head += file.read(MAX_LINE_LENGTH)
            remainder = file.read(1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {str(error).rstrip('.')}.") from error
    lines = list(islice(io.StringIO(head, newline=""), SAMPLE_LINES + 1))
    if remainder and 1 < len(lines) <= SAMPLE_LINES:  # the last line may be incomplete
        lines.pop()
    return lines[:SAMPLE_LINES]
