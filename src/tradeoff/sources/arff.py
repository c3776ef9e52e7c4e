"""Reader for ARFF files (Weka's format): a header declares the columns, and the rows follow.

Stricter than Weka: anything Weka would guess or skip is reported as an error with its line number.
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, did_you_mean, format_list
from tradeoff.files.missing_files import missing_file
from tradeoff.formatting import printable

Cell = str | None  # None is a missing value, an unquoted ?
Cells = list[Cell]
ColumnReader = Callable[[Cells], NDArray[Any]]


# Tokens of a line: values, commas, braces, quoted strings and comments.


# Spaces and control characters separate values, as commas do.
TOKEN = re.compile(
    r"""[\x00-\x20]*(?:(?P<comma>,)|(?P<brace>[{}])|(?P<comment>%.*)
    |'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)"|(?P<open>['"])
    |(?P<word>[^\x00-\x20,{}'"%]+))""",
    re.VERBOSE | re.DOTALL,
)
SPECIAL_CHARACTER = re.compile(r"['\"%{}]")
BLANK_CHARACTER = re.compile(r"[\x00-\x09\x0b-\x20]")
SEPARATOR = re.compile(r"[\x00-\x09\x0b-\x20]*,[\x00-\x09\x0b-\x20]*|[\x00-\x09\x0b-\x20]+")
ESCAPE_SEQUENCE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)", re.DOTALL)
ESCAPED_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}


class Token(NamedTuple):
    """Token of an ARFF line: a word, a quoted string, a comma or a brace."""

    kind: str  # word, quoted, comma or brace
    text: str

    def is_delimiter(self, delimiter: str) -> bool:
        """Whether the token is the given delimiter, a comma or brace, rather than quoted text."""
        return self.kind in {"comma", "brace"} and self.text == delimiter


@dataclass
class Position:
    """Current position in an ARFF file (path and line number), for error messages."""

    path: Path | None
    line: int = 0

    def error(self, reason: str) -> InputError:
        """Input error that gives the path, the line number and the reason."""
        location = f", line {self.line:,}" if self.line else ""  # an empty file has no lines
        return InputError(f"{self.path}{location}: {reason}")


def _line_tokens(line: str, position: Position) -> list[Token]:
    r"""Split a line of an ARFF file into tokens, dropping any comment.

    Example:
        >>> [token.text for token in _line_tokens("a, 'b\\'s' {2}% so", Position(path=None))]
        ['a', ',', "b's", '{', '2', '}']
    """
    tokens = []
    for match in TOKEN.finditer(line):
        kind, text = match.lastgroup, match[match.lastgroup or 0]
        if kind == "open":
            raise position.error(
                f"a quote starts at {printable(line[match.start(kind) :], 20)!r} and is not "
                "closed: close it, or write \\ before a quote inside a quoted string."
            )
        if kind in {"single", "double"}:
            tokens.append(Token("quoted", _unescape(text)))
        elif kind in {"word", "comma", "brace"}:
            tokens.append(Token(kind, text))
    return tokens


def _unescape(text: str) -> str:
    return ESCAPE_SEQUENCE.sub(_unescape_match, text) if "\\" in text else text


def _unescape_match(match: re.Match[str]) -> str:
    escape = match[1]
    if escape[0] == "u" and len(escape) > 1:
        return chr(int(escape[1:], 16))
    if escape.isdigit() and escape not in "89":
        return chr(int(escape, 8))
    return ESCAPED_CHARACTERS.get(escape, escape)


def _drop_commas(tokens: list[Token], position: Position) -> list[Token]:
    """Drop the commas between the values of a row; an empty value is an error.

    Example:
        >>> position = Position(path=None)
        >>> tokens = _drop_commas(_line_tokens("a, b c", position), position)
        >>> [token.text for token in tokens]
        ['a', 'b', 'c']
    """
    after_comma = True
    for token in tokens:
        if token.kind == "comma" and after_comma:
            break
        after_comma = token.kind == "comma"
    else:
        if not tokens or not after_comma:
            return [token for token in tokens if token.kind != "comma"]
    raise position.error("there is an empty value next to a comma: write ? for a missing value.")


def _plain_columns(lines: list[str], width: int) -> list[list[str | None]] | None:
    r"""Split a batch of simple rows into columns, all rows at once.

    None if a row has quotes, braces or a comment, is empty, or has too few or too many values.

    Example:
        >>> _plain_columns(["sunny, 85\n", "rainy, ?\n"], width=2)
        [['sunny', 'rainy'], ['85', None]]
    """
    text = "".join(lines)
    if SPECIAL_CHARACTER.search(text):
        return None
    if BLANK_CHARACTER.search(text):
        text = SEPARATOR.sub(",", text)
    text = text.removesuffix("\n")
    if {row.count(",") for row in text.split("\n")} != {width - 1}:
        return None
    cells: list[str | None] = list(text.replace("\n", ",").split(","))
    if "" in cells:
        return None
    if "?" in cells:
        cells = [None if cell == "?" else cell for cell in cells]
    return [cells[column::width] for column in range(width)]


def _token_value(token: Token) -> str | None:
    """Value of a token; an unquoted ? is missing, a quoted one is a string.

    Example:
        >>> _token_value(Token("word", "?")) is None, _token_value(Token("quoted", "?"))
        (True, '?')
    """
    return None if token == ("word", "?") else token.text


# Rows, converted to arrays in batches.


BATCH_LINES = 1 << 14
"""Number of lines whose rows are converted to arrays together."""


class ArffRows:
    """Rows of an ARFF file, converted to arrays in batches to save memory."""

    def __init__(self, attributes: tuple[Attribute, ...], position: Position) -> None:
        self.attributes = attributes
        self.position = position
        self.readers = [_column_reader(attribute, position) for attribute in attributes]
        # Empty first parts give columns their types even if the file has no rows.
        self.parts = [[reader([])] for reader in self.readers]
        self.rows = 0
        self.weight_by_row: dict[int, float] = {}

    def read(self, lines: Iterator[str]) -> None:
        """Read all rows."""
        while batch := list(islice(lines, BATCH_LINES)):
            last_line = self.position.line
            first_line = last_line - len(batch) + 1
            columns = _plain_columns(batch, len(self.attributes))
            if columns is None:
                self._store(*self._parse_rows(batch, first_line))
                self.position.line = last_line
            else:
                self.rows += len(batch)
                self._store(columns, range(first_line, last_line + 1))

    def columns(self) -> dict[str, NDArray[Any]]:
        """Values of each attribute, by name."""
        return {
            attribute.name: np.concatenate(parts)
            for attribute, parts in zip(self.attributes, self.parts, strict=True)
        }

    def weights(self) -> NDArray[np.float64] | None:
        """Weight of each row (1 by default); None if no row has a weight."""
        if not self.weight_by_row:
            return None
        weights = np.ones(self.rows)
        weights[list(self.weight_by_row)] = list(self.weight_by_row.values())
        return weights

    def _parse_rows(self, batch: list[str], first_line: int) -> tuple[list[Cells], list[int]]:
        """Columns of a batch, parsed row by row, and the line number of each row."""
        rows: list[Cells] = []
        line_numbers: list[int] = []
        for self.position.line, line in enumerate(batch, first_line):
            cells = self._row_cells(_line_tokens(line, self.position))
            if cells is None:
                continue
            if len(cells) != len(self.attributes):
                raise self.position.error(
                    f"the row has {len(cells):,} values, but {len(self.attributes):,} attributes "
                    "are declared: write one value for each (? if it is missing), and put values "
                    "with spaces or commas in quotes."
                )
            rows.append(cells)
            line_numbers.append(self.position.line)
            self.rows += 1
        return [list(column) for column in zip(*rows, strict=True)], line_numbers

    def _store(self, columns: list[Cells], line_numbers: Sequence[int]) -> None:
        if not line_numbers:
            return
        for attribute, reader, parts, cells in zip(
            self.attributes, self.readers, self.parts, columns, strict=True
        ):
            try:
                parts.append(reader(cells))
            except (InputError, KeyError, ValueError) as problem:
                raise self._first_error(attribute, reader, cells, line_numbers) from problem

    def _first_error(
        self, attribute: Attribute, reader: ColumnReader, cells: Cells, line_numbers: Sequence[int]
    ) -> InputError:
        """Error for the first invalid cell of a batch."""
        for line, cell in zip(line_numbers, cells, strict=True):
            try:
                reader([cell])
            except (InputError, KeyError, ValueError) as problem:
                self.position.line = line
                return self.position.error(_cell_error_message(attribute, cell or "", problem))
        raise AssertionError  # a batch is invalid only if one of its cells is

    def _row_cells(self, tokens: list[Token]) -> Cells | None:
        """Values of a dense or sparse row; None for an empty line."""
        if not tokens:
            return None
        if tokens[0].is_delimiter("{"):
            end = next((n for n, token in enumerate(tokens) if token.is_delimiter("}")), None)
            if end is None:
                raise self.position.error(
                    "a sparse row starts with { but has no closing }: close it."
                )
            self._record_weight(tokens[end + 1 :])
            return self._sparse_cells(_drop_commas(tokens[1:end], self.position))
        end = next((n for n, token in enumerate(tokens) if token.kind == "brace"), len(tokens))
        ends_in_comma = end < len(tokens) and tokens[end - 1].is_delimiter(",")
        self._record_weight(tokens[end:])
        return [
            _token_value(token)
            for token in _drop_commas(tokens[: end - ends_in_comma], self.position)
        ]

    def _sparse_cells(self, tokens: list[Token]) -> Cells:
        cells: Cells = [
            attribute.values[0] if attribute.values else "0" for attribute in self.attributes
        ]
        written_indices: set[int] = set()
        for index_token, value_token in zip(tokens[::2], tokens[1::2], strict=False):
            text = index_token.text
            index = int(text) if re.fullmatch("[0-9]+", text) else -1
            if not 0 <= index < len(cells) or index <= max(written_indices, default=-1):
                raise self.position.error(
                    f"{printable(text)!r} is not the index of an attribute: a sparse row "
                    f"lists indices from 0 to {len(cells) - 1} in increasing order, each followed "
                    "by a value, as in {0 x, 3 4.5}."
                )
            written_indices.add(index)
            cells[index] = _token_value(value_token)
        if len(tokens) % 2:
            raise self.position.error(
                f"attribute {printable(tokens[-1].text)} of the sparse row has no value."
            )
        for index, attribute in enumerate(self.attributes):
            if index not in written_indices and not (
                attribute.values or attribute.kind == "numeric"
            ):
                raise self.position.error(
                    f"the sparse row leaves out {attribute.name!r}, a {attribute.kind} attribute, "
                    "which has no default value: write the value, or ? if it is missing."
                )
        return cells

    def _record_weight(self, tokens: list[Token]) -> None:
        if not tokens:
            return
        if tokens[0].is_delimiter(","):
            tokens = tokens[1:]
        if len(tokens) == 3 and tokens[0].is_delimiter("{") and tokens[2].is_delimiter("}"):
            try:
                weight = _parse_number(tokens[1].text)
            except ValueError:
                weight = -1.0
            if 0 <= weight < np.inf:
                self.weight_by_row[self.rows] = weight
                return
        raise self.position.error(
            "only a weight may follow the values: a non-negative number in braces, such as {2.5}. "
            "Values that contain braces need quotes."
        )


def _cell_error_message(attribute: Attribute, text: str, problem: Exception) -> str:
    if attribute.kind == "date":
        return f"in {attribute.name!r}, {problem}: correct it, or write ? if it is missing."
    if attribute.kind == "numeric":
        return (
            f"{printable(text)!r} in {attribute.name!r} is not a number: correct it, write ? if "
            "it is missing, or declare the attribute as string."
        )
    return (
        f"{printable(text)!r} is not among the declared values of {attribute.name!r}, "
        f"{format_list(attribute.values)}.{did_you_mean(text, attribute.values)} "
        "Correct it, or add it to the declaration."
    )


def _column_reader(attribute: Attribute, position: Position) -> ColumnReader:
    """Function that converts the cells of an attribute to an array."""
    if attribute.kind == "numeric":
        return _parse_numbers
    if attribute.kind == "nominal":
        values: dict[Cell, Cell] = {None: None, **{value: value for value in attribute.values}}
        return lambda cells: _object_array([values[cell] for cell in cells])
    if attribute.kind == "string":
        return _object_array
    try:
        return _date_column_reader(DateReader.from_pattern(attribute.pattern))
    except InputError as problem:
        raise position.error(f"attribute {attribute.name!r} cannot be read: {problem}.") from None


def _parse_numbers(cells: Cells) -> NDArray[np.float64]:
    present_cells = [cell for cell in cells if cell is not None]
    joined_cells = "".join(present_cells)
    # Python also parses 1_000 and digits of other scripts, which ARFF does not allow.
    parse = float if joined_cells.isascii() and "_" not in joined_cells else _parse_number
    if len(present_cells) == len(cells):
        return np.array(list(map(parse, present_cells)), dtype=np.float64)
    return np.array([np.nan if cell is None else parse(cell) for cell in cells], dtype=np.float64)


def _parse_number(text: str) -> float:
    if "_" in text or not text.isascii():
        raise ValueError
    return float(text)


def _object_array(cells: Cells) -> NDArray[Any]:
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


def _date_column_reader(reader: DateReader) -> ColumnReader:
    parsed_dates: dict[Cell, np.datetime64] = {None: np.datetime64("NaT", "ms")}

    def read(cells: Cells) -> NDArray[Any]:
        for cell in cells:
            if cell not in parsed_dates and cell is not None:
                parsed_dates[cell] = reader.read(cell)
        return np.array([parsed_dates[cell] for cell in cells], dtype="datetime64[ms]")

    return read


KEYWORDS = ("@relation", "@attribute", "@data")
NUMERIC_TYPES = {"numeric", "real", "integer"}


@dataclass(frozen=True)
class Attribute:
    """Declared column of an ARFF file: nominal (with values), numeric, string or date (pattern)."""

    name: str
    kind: Literal["nominal", "numeric", "string", "date"]
    values: tuple[str, ...] = ()
    pattern: str = ""


@dataclass(frozen=True, eq=False)
class Relation:
    """Contents of an ARFF file (Weka calls it a relation): attributes, columns and weights.

    Missing values are NaN in numeric columns (float64), NaT in dates (datetime64) and None in
    nominal and string columns (object). `weights` is None if no row has a weight.
    """

    name: str
    attributes: tuple[Attribute, ...]
    columns: dict[str, NDArray[Any]]
    weights: NDArray[np.float64] | None = None
    notes: tuple[str, ...] = ()


@dataclass
class _Header:
    name: str | None = None
    attributes: dict[str, Attribute] = field(default_factory=dict)


def read_arff(path: str | os.PathLike[str], *, header_only: bool = False) -> Relation:
    """Read an ARFF file (.arff or .arff.gz) with dense or sparse rows, and weights if any.

    The encoding is UTF-8; a file that is not valid UTF-8 is read as Latin-1, with a note.

    Args:
        path: The file.
        header_only: Read only the declarations, no rows.

    Raises:
        InputError: The file is not valid ARFF; the message gives the line and the remedy.
            Relational attributes are not supported.

    Example:
        >>> from importlib.resources import files
        >>> weather = read_arff(files("tradeoff.data") / "weather.arff")
        >>> weather.name, weather.attributes[-1]
        ('weather', Attribute(name='play', kind='nominal', values=('yes', 'no'), pattern=''))
        >>> weather.columns["outlook"][:3].tolist()
        ['sunny', 'sunny', 'overcast']
    """
    path = Path(path)
    if not path.exists():
        raise missing_file(path)
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder; name a file in it.")
    try:
        return _read_file(path, "utf-8-sig", header_only=header_only)
    except UnicodeDecodeError:
        note = f"{path.name} is not UTF-8 and was read as Latin-1"
        return replace(_read_file(path, "latin-1", header_only=header_only), notes=(note,))
    except (gzip.BadGzipFile, EOFError) as problem:
        raise InputError(f"{path} cannot be unpacked: {problem}.") from problem


def _read_file(path: Path, encoding: str, *, header_only: bool) -> Relation:
    position = Position(path)
    opener = gzip.open if path.suffix.lower() == ".gz" else open
    with opener(path, "rt", encoding=encoding) as file:
        lines = _numbered_lines(file, position)
        header = _read_header(lines, position)
        attributes = tuple(header.attributes.values())
        if header_only:
            return Relation(header.name or "", attributes, {})
        rows = ArffRows(attributes, position)
        rows.read(lines)
    return Relation(header.name or "", attributes, rows.columns(), rows.weights())


def _numbered_lines(file: Any, position: Position) -> Iterator[str]:
    for position.line, line in enumerate(file, 1):
        yield line


def _read_header(lines: Iterator[str], position: Position) -> _Header:
    """Read the header of an ARFF file, up to and including the line @data."""
    header = _Header()
    for line in lines:
        tokens = _line_tokens(line, position)
        if not tokens:
            continue
        keyword = tokens[0].text.lower() if tokens[0].kind == "word" else ""
        if keyword == "@relation":
            header.name = _parse_relation_name(header, tokens[1:], position)
        elif keyword not in KEYWORDS:
            raise _unknown_keyword(tokens[0].text, position)
        elif header.name is None:
            raise position.error(
                f"{keyword} comes before @relation: start the file with @relation <name>."
            )
        elif keyword == "@attribute":
            attribute = _parse_attribute(tokens[1:], position)
            if attribute.name in header.attributes:
                raise position.error(f"two attributes are called {attribute.name!r}: rename one.")
            header.attributes[attribute.name] = attribute
        elif len(tokens) > 1:
            raise position.error("@data must be alone on its line: start the rows on the next one.")
        elif not header.attributes:
            raise position.error("there is no @attribute before @data: declare the columns.")
        else:
            return header
    raise position.error("the file has no @data line: it has no rows or is not an ARFF file.")


def _unknown_keyword(word: str, position: Position) -> InputError:
    return position.error(
        f"{printable(word)!r} is none of {', '.join(KEYWORDS)}. Every header line starts with "
        f"one of these.{did_you_mean(word, KEYWORDS)} A comment starts with %."
    )


def _parse_relation_name(header: _Header, tokens: list[Token], position: Position) -> str:
    if header.name is not None:
        raise position.error("there is a second @relation, but a file can have only one.")
    if len(tokens) != 1 or tokens[0].kind not in {"word", "quoted"}:
        raise position.error("@relation takes one name; put a name with spaces in quotes.")
    return tokens[0].text


def _parse_attribute(tokens: list[Token], position: Position) -> Attribute:
    if len(tokens) < 2 or tokens[0].kind not in {"word", "quoted"}:
        raise position.error("@attribute takes a name and a type: write @attribute <name> <type>.")
    name, type_token, other_tokens = tokens[0].text, tokens[1], tokens[2:]
    if type_token.is_delimiter("{"):
        return Attribute(name, "nominal", _parse_nominal_values(name, other_tokens, position))
    type_name = type_token.text.lower()
    if (
        type_name == "date"
        and len(other_tokens) == 1
        and other_tokens[0].kind in {"word", "quoted"}
    ):
        return Attribute(name, "date", pattern=other_tokens[0].text)
    if type_name == "relational":
        raise position.error(
            f"attribute {name!r} is relational, which is not supported: "
            "save the data without this attribute, with one row per line."
        )
    if type_name not in {*NUMERIC_TYPES, "string", "date"}:
        raise position.error(
            f"attribute {printable(name)!r} has the type {printable(type_token.text)!r}. Types are "
            "numeric, real, integer, string, date and lists of values in { }; "
            "put a name with spaces in quotes."
        )
    if other_tokens:
        raise position.error(
            f"{printable(other_tokens[0].text)!r} follows the type of attribute "
            f"{printable(name)!r}: remove it (or put a date pattern in quotes)."
        )
    if type_name == "date":
        return Attribute(name, "date", pattern=DEFAULT_PATTERN)
    return Attribute(name, "string" if type_name == "string" else "numeric")


def _parse_nominal_values(name: str, tokens: list[Token], position: Position) -> tuple[str, ...]:
    braces = [index for index, token in enumerate(tokens) if token.kind == "brace"]
    if braces != [len(tokens) - 1] or not tokens[-1].is_delimiter("}"):
        raise position.error(
            f"the values of {name!r} do not end with one }} on the same line. "
            "Values with spaces, braces, commas or % need quotes."
        )
    values = tuple(token.text for token in _drop_commas(tokens[:-1], position))
    if len(set(values)) < len(values):
        duplicate = next(value for value in values if values.count(value) > 1)
        raise position.error(f"the value {duplicate!r} of {name!r} is declared twice: remove one.")
    return values


# Dates are parsed by their declared patterns, in the syntax of Java's SimpleDateFormat.

DEFAULT_PATTERN = "yyyy-MM-dd'T'HH:mm:ss"
MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
NUMERIC_FIELDS = "yMdHhkKmsS"
OTHER_FIELDS = {
    "a": r"(?P<a>[AaPp][Mm])",
    "E": r"[^\W\d_]+\.?",  # the weekday, which is redundant
    # Java accepts names for offsets and offsets for names.
    "z": r"(?P<zone>(?:GMT|UTC)?[+-]\d{2}:?\d{2}|GMT|UTC|Z)",
    "Z": r"(?P<zone>(?:GMT|UTC)?[+-]\d{2}:?\d{2}|GMT|UTC|Z)",
    "X": r"(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)",
}
PATTERN_PARTS = re.compile(r"'((?:[^']|'')*)'|(([A-Za-z])\3*)|([^A-Za-z']+)|(.)", re.DOTALL)


@dataclass(frozen=True)
class DateReader:
    """Parser for ARFF dates in a given pattern; times with a time zone are converted to UTC."""

    pattern: str
    expression: re.Pattern[str]

    @classmethod
    def from_pattern(cls, pattern: str = DEFAULT_PATTERN) -> DateReader:
        """Date parser for a SimpleDateFormat pattern.

        Example:
            >>> str(DateReader.from_pattern("d MMM yyyy").read("5 Nov 2003"))
            '2003-11-05T00:00:00.000'
        """
        matches = list(PATTERN_PARTS.finditer(pattern))
        expressions: list[str] = []
        for index, part in enumerate(matches):
            quoted, letters, letter, literal, unmatched = part.groups()
            if unmatched is not None:
                raise InputError(f"the date pattern {pattern!r} has an unclosed quote")
            if letter is None:
                text = literal if quoted is None else (quoted.replace("''", "'") or "'")
                expressions.append(re.escape(text))
            else:
                next_part = matches[index + 1] if index + 1 < len(matches) else None
                expressions.append(
                    _field_pattern(pattern, letter, len(letters), _is_numeric_field(next_part))
                )
        try:
            return cls(pattern, re.compile("".join(expressions)))
        except re.error:  # two groups of the same name
            raise InputError(f"the date pattern {pattern!r} has the same field twice") from None

    def read(self, text: str) -> np.datetime64:
        """Parse a date.

        Example:
            >>> str(DateReader.from_pattern().read("2001-04-03T12:12:12"))
            '2001-04-03T12:12:12.000'
        """
        match = self.expression.fullmatch(text.strip())
        if match is None:
            raise InputError(f"{text!r} does not match the date pattern {self.pattern}")
        fields = {name: value for name, value in match.groupdict().items() if value is not None}
        try:
            return np.datetime64(_parse_datetime(fields), "ms")
        except (ValueError, OverflowError):
            raise InputError(f"{text!r} is not a valid date") from None


def _field_pattern(pattern: str, letter: str, length: int, is_before_number: bool) -> str:
    if letter == "M" and length > 2:
        return r"(?P<month_name>[A-Za-z]+)\.?"
    if letter in NUMERIC_FIELDS:
        # Adjacent numbers are separated only by their lengths.
        digits = f"{{{length}}}" if is_before_number else "+"
        name = "short_year" if letter == "y" and length == 2 else letter
        return rf"(?P<{name}>[0-9]{digits})"
    if letter in OTHER_FIELDS:
        return OTHER_FIELDS[letter]
    raise InputError(
        f"the date pattern {pattern!r} uses {letter!r}, which is not supported; "
        f"{', '.join((*NUMERIC_FIELDS, *OTHER_FIELDS))} are"
    )


def _is_numeric_field(part: re.Match[str] | None) -> bool:
    return (
        part is not None
        and part[3] is not None
        and part[3] in NUMERIC_FIELDS
        and not (part[3] == "M" and len(part[2]) > 2)
    )


def _parse_datetime(fields: dict[str, str]) -> datetime:
    milliseconds = int(fields.get("S", 0))
    if milliseconds > 999:
        raise ValueError
    local_time = datetime(  # noqa: DTZ001 - NumPy's times have no zone
        _year(fields),
        _month(fields),
        int(fields.get("d", 1)),
        _hour(fields),
        int(fields.get("m", 0)),
        int(fields.get("s", 0)),
        milliseconds * 1000,
    )
    return local_time - _utc_offset(fields.get("zone", "Z"))


def _year(fields: dict[str, str]) -> int:
    if "short_year" not in fields:
        return int(fields.get("y", 1970))
    year = int(fields["short_year"])
    if len(fields["short_year"]) != 2:
        return year
    # Java's rule depends on today's date; POSIX's rule gives the same result every year.
    return year + (1900 if year >= 69 else 2000)


def _month(fields: dict[str, str]) -> int:
    if "month_name" not in fields:
        return int(fields.get("M", 1))
    name = fields["month_name"].lower()
    # Not with strptime, whose month names depend on the locale.
    return [name in {month, month[:3]} for month in MONTH_NAMES].index(True) + 1


def _hour(fields: dict[str, str]) -> int:
    """Hour of the day from 0-23 (H), 1-24 (k), or 1-12 (h) and 0-11 (K) with AM or PM."""
    for letter, lowest, highest in (("k", 1, 24), ("h", 1, 12), ("K", 0, 11)):
        if letter in fields:
            hour = int(fields[letter])
            if not lowest <= hour <= highest:
                raise ValueError
            is_afternoon = letter != "k" and fields.get("a", "am").lower() == "pm"
            return hour % (24 if letter == "k" else 12) + 12 * is_afternoon
    return int(fields.get("H", 0))


def _utc_offset(zone: str) -> timedelta:
    offset = zone.lstrip("GMTUCZ")
    if not offset:
        return timedelta(0)
    digits = offset[1:].replace(":", "").ljust(4, "0")
    difference = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -difference if offset[0] == "-" else difference
