"""Layout of a CSV file: its encoding, delimiter and header, decimal commas and percent signs.

The quote character is ", doubled inside quoted cells; there are no comments; the first non-empty
line is the header. Guessing could take '#3' for a comment or an apostrophe for a quote, and thus
lose rows. Numbers are written with decimal commas if those of the first lines are, in a file whose
delimiter is not a comma.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tradeoff.errors import InputError
from tradeoff.sources.sql_quoting import quote_name, quote_string
from tradeoff.sources.text_encoding import (
    UTF_8,
    require_encoding,
    require_utf_8,
    text_encoding,
    utf_8_file,
)
from tradeoff.sources.text_values import (
    PERCENT_PATTERN,
    has_decimal_comma,
    is_number,
    plain_number_sql,
)

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


class CsvFormat(NamedTuple):
    """Layout of a CSV file as given by the user; None where it is detected."""

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None


DETECTED_FORMAT = CsvFormat()


class CsvLayout(NamedTuple):
    """Delimiter and header of a CSV file, and the number of empty lines above the header.

    Numbers in `comma_columns` have decimal commas; those in `percent_columns` have percent signs
    (and are read as proportions), with decimal commas if they are in both.
    """

    delimiter: str
    header: tuple[str, ...]
    empty_lines: int = 0
    comma_columns: frozenset[str] = frozenset()
    percent_columns: frozenset[str] = frozenset()
    encoding: str = UTF_8

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

    def converted_sql(self, name: str) -> str | None:
        """SQL for the cells of a column as plain numbers; None if they are read as written."""
        has_comma, is_percentage = name in self.comma_columns, name in self.percent_columns
        if not (has_comma or is_percentage):
            return None
        return plain_number_sql(quote_name(name), has_comma=has_comma, is_percentage=is_percentage)


def csv_layout(connection: Any, path: Path, csv_format: CsvFormat = DETECTED_FORMAT) -> CsvLayout:
    """Detect the layout of a CSV file from its first lines, except for what its format says."""
    encoding = file_encoding(path, csv_format)
    lines = _first_lines(connection, utf_8_file(path, encoding))
    if not lines:
        raise InputError(f"{str(path)!r} is empty.")
    empty_lines = next((index for index, line in enumerate(lines) if line.strip("\r\n")), 0)
    delimiters: Iterable[str] = (
        sorted(DELIMITERS, key=lambda character: character != "\t") if _is_tsv(path) else DELIMITERS
    )
    if csv_format.delimiter is not None:
        delimiters = [csv_format.delimiter]
    try:
        candidates = [
            (delimiter, _records(lines[empty_lines:], delimiter)) for delimiter in delimiters
        ]
    except csv.Error as error:
        raise InputError(f"{path} has no readable header: {error}.") from error
    delimiter, records = max(candidates, key=lambda candidate: _delimiter_score(candidate[1]))
    layout = CsvLayout(
        delimiter, tuple(title.strip() for title in records[0]), empty_lines, encoding=encoding
    )
    columns = _column_cells(layout.names, records[1:])
    decimal = csv_format.decimal or ("." if delimiter == "," else None)
    return layout._replace(
        comma_columns=_comma_columns(columns, decimal), percent_columns=_percent_columns(columns)
    )


def file_encoding(path: Path, csv_format: CsvFormat = DETECTED_FORMAT) -> str:
    """Encoding of a CSV file: the one that its format names, else the one recognized."""
    if csv_format.encoding is None:
        return text_encoding(path)
    encoding = require_encoding(csv_format.encoding)
    if encoding == UTF_8:  # DuckDB would read it as it is, and Python garble the header
        require_utf_8(path)
    return encoding


def _column_cells(names: list[str], records: list[list[str]]) -> dict[str, list[str]]:
    """Cells of each column that hold a value, in records that have all columns."""
    whole_records = [record for record in records if len(record) == len(names)]
    return {
        name: [cell for record in whole_records if (cell := record[index]) not in {"", "NA"}]
        for index, name in enumerate(names)
    }


def _comma_columns(columns: dict[str, list[str]], decimal: str | None) -> frozenset[str]:
    """Columns of numbers with decimal commas; `decimal` says whether there are any, if known.

    Example:
        >>> sorted(_comma_columns({"p": ["0,5", "1"], "n": ["1", "2"], "s": ["1,5", "b"]}, None))
        ['p']
        >>> sorted(_comma_columns({"p": ["0,5", "1"], "n": ["1", "2"], "s": ["1,5", "b"]}, ","))
        ['n', 'p']
        >>> sorted(_comma_columns({"mixed": ["0,5", "1.5"]}, ","))  # the point is then refused
        ['mixed']
    """
    if decimal == ".":
        return frozenset()
    return frozenset(
        name
        for name, cells in columns.items()
        if cells and (_has_decimal_commas(cells) or (decimal == "," and _reads_commas(cells)))
    )


def _has_decimal_commas(cells: Sequence[str]) -> bool:
    return any("," in cell for cell in cells) and all(_is_comma_number(cell) for cell in cells)


def _reads_commas(cells: Sequence[str]) -> bool:
    """Whether numbers are read as having decimal commas when the user says so.

    If some have points, these are refused: 1.234 beside 0,5 may be a thousand.
    """
    return all(_is_comma_number(cell) for cell in cells) or (
        any("," in cell for cell in cells)
        and all(_is_comma_number(cell) or is_number(cell) for cell in cells)
    )


def _is_comma_number(cell: str) -> bool:
    number = re.sub(PERCENT_PATTERN, "", cell)
    return has_decimal_comma(number) or (is_number(number) and "." not in number)


def _percent_columns(columns: dict[str, list[str]]) -> frozenset[str]:
    """Columns of numbers with percent signs.

    Example:
        >>> sorted(_percent_columns({"p": ["73%", "5,5 %"], "q": ["1%", "high"], "n": ["1"]}))
        ['p']
    """
    return frozenset(
        name
        for name, cells in columns.items()
        if cells
        and all(re.search(PERCENT_PATTERN, cell) for cell in cells)
        and all(is_number(re.sub(PERCENT_PATTERN, "", cell).replace(",", ".")) for cell in cells)
    )


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
