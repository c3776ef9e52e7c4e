"""ARFF files, the format of Weka: a header that declares the columns, then the rows.

Read as Weka reads them, but strictly: what Weka would guess or pass over is an error here that
names its line.
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

from tradeoff.errors import InputError, did_you_mean, listed
from tradeoff.text import plain

Cell = str | None  # None is a missing value, an unquoted ?
Cells = list[Cell]
Reader = Callable[[Cells], NDArray[Any]]


# The words of ARFF files: what is a value, a comma, a quoted text or a comment in a line.


# Blanks and all characters below them part values, as commas do.
TOKEN = re.compile(
    r"""[\x00-\x20]*(?:(?P<comma>,)|(?P<brace>[{}])|(?P<comment>%.*)
    |'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)"|(?P<open>['"])
    |(?P<word>[^\x00-\x20,{}'"%]+))""",
    re.VERBOSE | re.DOTALL,
)
ROUGH = re.compile(r"['\"%{}]")
BLANK = re.compile(r"[\x00-\x09\x0b-\x20]")
SEPARATOR = re.compile(r"[\x00-\x09\x0b-\x20]*,[\x00-\x09\x0b-\x20]*|[\x00-\x09\x0b-\x20]+")
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}


class Token(NamedTuple):
    """A word, a quoted text, a comma or a brace of a line."""

    kind: str  # word, quoted, comma or brace
    text: str

    def is_mark(self, mark: str) -> bool:
        """Whether this is the comma or brace itself and not a quoted one."""
        return self.kind in {"comma", "brace"} and self.text == mark


@dataclass
class Place:
    """Where in a file the reading is, so that messages can say it."""

    path: Path | None
    line: int = 0

    def error(self, what: str) -> InputError:
        """What to raise: a message that tells where."""
        where = f", line {self.line:,}" if self.line else ""  # an empty file has no lines
        return InputError(f"{self.path}{where}: {what}")


def _words_of(line: str, place: Place) -> list[Token]:
    r"""The words, quoted texts, commas and braces of a line, without its comment.

    Example:
        >>> [token.text for token in _words_of("a, 'b\\'s' {2} % so", Place(path=None))]
        ['a', ',', "b's", '{', '2', '}']
    """
    found = []
    for match in TOKEN.finditer(line):
        kind, text = match.lastgroup, match[match.lastgroup or 0]
        if kind == "open":
            raise place.error(
                f"a quote begins at {plain(line[match.start(kind) :], 20)!r} and does not end: "
                "close it, or write a \\ before a quote that belongs to a text within quotes."
            )
        if kind in {"single", "double"}:
            found.append(Token("quoted", _unescaped(text)))
        elif kind in {"word", "comma", "brace"}:
            found.append(Token(kind, text))
    return found


def _unescaped(text: str) -> str:
    return ESCAPE.sub(_meant, text) if "\\" in text else text


def _meant(match: re.Match[str]) -> str:
    escaped = match[1]
    if escaped[0] == "u" and len(escaped) > 1:
        return chr(int(escaped[1:], 16))
    if escaped.isdigit() and escaped not in "89":
        return chr(int(escaped, 8))
    return ESCAPES.get(escaped, escaped)


def _without_commas(tokens: list[Token], place: Place) -> list[Token]:
    """The values alone; blanks part them, too, so a comma more than needed is an empty value.

    Example:
        >>> [token.text for token in _without_commas(_words_of("a, b c", Place(None)), Place(None))]
        ['a', 'b', 'c']
    """
    was_comma = True
    for token in tokens:
        if token.kind == "comma" and was_comma:
            break
        was_comma = token.kind == "comma"
    else:
        if not tokens or not was_comma:
            return [token for token in tokens if token.kind != "comma"]
    raise place.error("there is an empty value beside a comma: write ? for a missing one.")


def _plain_columns(lines: list[str], width: int) -> list[list[str | None]] | None:
    r"""The columns of many simple rows at once, which most are, at a fraction of the time.

    None where it takes more: quotes, braces, comments, empty lines, a value too few or too many.

    Example:
        >>> _plain_columns(["sunny, 85\n", "rainy, ?\n"], width=2)
        [['sunny', 'rainy'], ['85', None]]
    """
    text = "".join(lines)
    if ROUGH.search(text):
        return None
    if BLANK.search(text):
        text = SEPARATOR.sub(",", text)
    text = text.removesuffix("\n")
    if {row.count(",") for row in text.split("\n")} != {width - 1}:
        return None
    cells: list[str | None] = list(text.replace("\n", ",").split(","))
    if "" in cells:
        return None
    if "?" in cells:
        cells = [None if cell == "?" else cell for cell in cells]
    return [cells[at::width] for at in range(width)]


def _cell_of(token: Token) -> str | None:
    """The value that a word stands for; a quoted question mark is one and not missing.

    Example:
        >>> _cell_of(Token("word", "?")) is None, _cell_of(Token("quoted", "?"))
        (True, '?')
    """
    return None if token == ("word", "?") else token.text


# The rows of ARFF files, turned into arrays batch by batch.


BATCH = 1 << 14
"""Rows that are turned into arrays at once."""


class Rows:
    """The rows of a file: collected as text, then arrays, so that little text is held at once."""

    def __init__(self, attributes: tuple[Attribute, ...], place: Place) -> None:
        self.attributes = attributes
        self.place = place
        self.readers = [_reader(attribute, place) for attribute in attributes]
        # Each column begins with no rows: a file without any has columns of the right kind, too.
        self.parts = [[reader([])] for reader in self.readers]
        self.rows = 0
        self.weighted: dict[int, float] = {}

    def read(self, lines: Iterator[str]) -> None:
        """Take in all rows."""
        while batch := list(islice(lines, BATCH)):
            last = self.place.line
            first = last - len(batch) + 1
            columns = _plain_columns(batch, len(self.attributes))
            if columns is None:
                self._store(*self._one_by_one(batch, first))
                self.place.line = last
            else:
                self.rows += len(batch)
                self._store(columns, range(first, last + 1))

    def columns(self) -> dict[str, NDArray[Any]]:
        """Each attribute's values."""
        return {
            attribute.name: np.concatenate(parts)
            for attribute, parts in zip(self.attributes, self.parts, strict=True)
        }

    def weights(self) -> NDArray[np.float64] | None:
        """Each row's weight, 1 where it has none; None where no row has one."""
        if not self.weighted:
            return None
        weights = np.ones(self.rows)
        weights[list(self.weighted)] = list(self.weighted.values())
        return weights

    def _one_by_one(self, batch: list[str], first: int) -> tuple[list[Cells], list[int]]:
        """The columns of rows that are not all simple, and the line of each row."""
        rows: list[Cells] = []
        numbers: list[int] = []
        for self.place.line, line in enumerate(batch, first):
            cells = self._cells(_words_of(line, self.place))
            if cells is None:
                continue
            if len(cells) != len(self.attributes):
                raise self.place.error(
                    f"the row has {len(cells):,} values and {len(self.attributes):,} attributes "
                    "are declared: write one value for each, ? where it is missing, and quotes "
                    "around values with blanks or commas."
                )
            rows.append(cells)
            numbers.append(self.place.line)
            self.rows += 1
        return [list(column) for column in zip(*rows, strict=True)], numbers

    def _store(self, columns: list[Cells], numbers: Sequence[int]) -> None:
        if not numbers:
            return
        for attribute, reader, parts, cells in zip(
            self.attributes, self.readers, self.parts, columns, strict=True
        ):
            try:
                parts.append(reader(cells))
            except (InputError, KeyError, ValueError) as problem:
                raise self._first_error(attribute, reader, cells, numbers) from problem

    def _first_error(
        self, attribute: Attribute, reader: Reader, cells: Cells, numbers: Sequence[int]
    ) -> InputError:
        """Find the cell that made its batch fail."""
        for line, cell in zip(numbers, cells, strict=True):
            try:
                reader([cell])
            except (InputError, KeyError, ValueError) as problem:
                self.place.line = line
                return self.place.error(_complaint(attribute, cell or "", problem))
        raise AssertionError  # a batch fails only where one of its cells does

    def _cells(self, tokens: list[Token]) -> Cells | None:
        """The cells of a row that has quotes, braces, comments or blanks; None for no row."""
        if not tokens:
            return None
        if tokens[0].is_mark("{"):
            end = next((n for n, token in enumerate(tokens) if token.is_mark("}")), None)
            if end is None:
                raise self.place.error(
                    "a sparse row begins with { and does not end with }: close it."
                )
            self._weigh(tokens[end + 1 :])
            return self._sparse(_without_commas(tokens[1:end], self.place))
        end = next((n for n, token in enumerate(tokens) if token.kind == "brace"), len(tokens))
        gap = end < len(tokens) and tokens[end - 1].is_mark(",")
        self._weigh(tokens[end:])
        return [_cell_of(token) for token in _without_commas(tokens[: end - gap], self.place)]

    def _sparse(self, tokens: list[Token]) -> Cells:
        cells: Cells = [
            attribute.values[0] if attribute.values else "0" for attribute in self.attributes
        ]
        given: set[int] = set()
        for index, value in zip(tokens[::2], tokens[1::2], strict=False):
            number = int(index.text) if re.fullmatch("[0-9]+", index.text) else -1
            if not 0 <= number < len(cells) or number <= max(given, default=-1):
                raise self.place.error(
                    f"{plain(index.text)!r} does not say which attribute: sparse rows count them "
                    f"from 0 to {len(cells) - 1}, rising, each with one value: {{0 x, 3 4.5}}."
                )
            given.add(number)
            cells[number] = _cell_of(value)
        if len(tokens) % 2:
            raise self.place.error(
                f"attribute {plain(tokens[-1].text)} of the sparse row has no value."
            )
        for number, attribute in enumerate(self.attributes):
            if number not in given and not (attribute.values or attribute.kind == "numeric"):
                raise self.place.error(
                    f"the sparse row leaves out {attribute.name!r}, a {attribute.kind} attribute, "
                    "for which no value stands for 0: write it, or ? where it is missing."
                )
        return cells

    def _weigh(self, tokens: list[Token]) -> None:
        if not tokens:
            return
        if tokens[0].is_mark(","):
            tokens = tokens[1:]
        if len(tokens) == 3 and tokens[0].is_mark("{") and tokens[2].is_mark("}"):
            try:
                weight = _number(tokens[1].text)
            except ValueError:
                weight = -1.0
            if 0 <= weight < np.inf:
                self.weighted[self.rows] = weight
                return
        raise self.place.error(
            "after the values only a weight may stand, a number from 0 on in braces such as {2.5}; "
            "values with braces need quotes."
        )


def _complaint(attribute: Attribute, text: str, problem: Exception) -> str:
    if attribute.kind == "date":
        return f"in {attribute.name!r}, {problem}: correct it, or write ? if it is missing."
    if attribute.kind == "numeric":
        return (
            f"{plain(text)!r} in {attribute.name!r} is no number: correct it, write ? if it is "
            "missing, or declare the attribute as string."
        )
    return (
        f"{plain(text)!r} is not among the declared values of {attribute.name!r}, "
        f"{listed(attribute.values)}.{did_you_mean(text, attribute.values)} "
        "Correct it, or add it to the declaration."
    )


def _reader(attribute: Attribute, place: Place) -> Reader:
    """The function that turns a column's cells into an array."""
    if attribute.kind == "numeric":
        return _numbers
    if attribute.kind == "nominal":
        known: dict[Cell, Cell] = {None: None, **{value: value for value in attribute.values}}
        return lambda cells: _objects([known[cell] for cell in cells])
    if attribute.kind == "string":
        return _objects
    try:
        return _dates(DateReader.of(attribute.pattern))
    except InputError as problem:
        raise place.error(f"attribute {attribute.name!r} cannot be read: {problem}.") from None


def _numbers(cells: Cells) -> NDArray[np.float64]:
    known = [cell for cell in cells if cell is not None]
    together = "".join(known)
    # Python reads 1_000 and digits of other scripts, which ARFF does not have.
    read = float if together.isascii() and "_" not in together else _number
    if len(known) == len(cells):
        return np.array(list(map(read, known)), dtype=np.float64)
    return np.array([np.nan if cell is None else read(cell) for cell in cells], dtype=np.float64)


def _number(text: str) -> float:
    if "_" in text or not text.isascii():
        raise ValueError
    return float(text)


def _objects(cells: Cells) -> NDArray[Any]:
    found = np.empty(len(cells), dtype=object)
    found[:] = cells
    return found


def _dates(reader: DateReader) -> Reader:
    seen: dict[Cell, np.datetime64] = {None: np.datetime64("NaT", "ms")}

    def read(cells: Cells) -> NDArray[Any]:
        for cell in cells:
            if cell not in seen and cell is not None:
                seen[cell] = reader.read(cell)
        return np.array([seen[cell] for cell in cells], dtype="datetime64[ms]")

    return read


KEYWORDS = ("@relation", "@attribute", "@data")
NUMERIC = {"numeric", "real", "integer"}


@dataclass(frozen=True)
class Attribute:
    """A declared column: nominal (with its values), numeric, string or date (with its pattern)."""

    name: str
    kind: Literal["nominal", "numeric", "string", "date"]
    values: tuple[str, ...] = ()
    pattern: str = ""


@dataclass(frozen=True, eq=False)
class Relation:
    """What an ARFF file holds.

    Numbers are float64 with NaN for missing ones, dates datetime64 with NaT, nominal and string
    columns are object arrays with None. `weights` is None where no row has a weight; `notes` say
    what a reader should know.
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


def read_arff(path: str | os.PathLike[str], *, header_alone: bool = False) -> Relation:
    """Read an ARFF file (.arff, or .arff.gz), dense or sparse, with weights if it has them.

    The text is UTF-8; a file that is not is read as Latin-1, and a note says so.

    Args:
        path: The file.
        header_alone: Read what is declared, and no rows.

    Raises:
        InputError: Something in the file is not as declared, or not ARFF. The message names the
            line and what to do. Relational attributes are not supported.

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
        raise InputError(f"There is no file {str(path)!r}.")
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder; name a file in it.")
    try:
        return _read(path, "utf-8-sig", header_alone=header_alone)
    except UnicodeDecodeError:
        told = f"{path.name} is not UTF-8 and was read as Latin-1"
        return replace(_read(path, "latin-1", header_alone=header_alone), notes=(told,))
    except (gzip.BadGzipFile, EOFError) as problem:
        raise InputError(f"{path} cannot be unpacked: {problem}.") from problem


def _read(path: Path, encoding: str, *, header_alone: bool) -> Relation:
    place = Place(path)
    opener = gzip.open if path.suffix.lower() == ".gz" else open
    with opener(path, "rt", encoding=encoding) as file:
        lines = _counted(file, place)
        header = _header(lines, place)
        attributes = tuple(header.attributes.values())
        if header_alone:
            return Relation(header.name or "", attributes, {})
        rows = Rows(attributes, place)
        rows.read(lines)
    return Relation(header.name or "", attributes, rows.columns(), rows.weights())


def _counted(file: Any, place: Place) -> Iterator[str]:
    for place.line, line in enumerate(file, 1):
        yield line


def _header(lines: Iterator[str], place: Place) -> _Header:
    """Read up to and including the line @data."""
    header = _Header()
    for line in lines:
        tokens = _words_of(line, place)
        if not tokens:
            continue
        keyword = tokens[0].text.lower() if tokens[0].kind == "word" else ""
        if keyword == "@relation":
            header.name = _relation_name(header, tokens[1:], place)
        elif keyword not in KEYWORDS:
            raise _unknown_keyword(tokens[0].text, place)
        elif header.name is None:
            raise place.error(
                f"{keyword} comes before @relation: begin the file with @relation <name>."
            )
        elif keyword == "@attribute":
            attribute = _attribute(tokens[1:], place)
            if attribute.name in header.attributes:
                raise place.error(f"a second attribute is called {attribute.name!r}: rename one.")
            header.attributes[attribute.name] = attribute
        elif len(tokens) > 1:
            raise place.error("@data stands alone on its line: begin the rows on the next one.")
        elif not header.attributes:
            raise place.error("there is no @attribute before @data: declare the columns.")
        else:
            return header
    raise place.error("the file ends without @data: it has no rows, or is not an ARFF file.")


def _unknown_keyword(word: str, place: Place) -> InputError:
    return place.error(
        f"{plain(word)!r} is none of {', '.join(KEYWORDS)}, one of which begins each line before "
        f"the rows.{did_you_mean(word, KEYWORDS)} A comment begins with %."
    )


def _relation_name(header: _Header, tokens: list[Token], place: Place) -> str:
    if header.name is not None:
        raise place.error("there is a second @relation: one file holds one.")
    if len(tokens) != 1 or tokens[0].kind not in {"word", "quoted"}:
        raise place.error("@relation is followed by one name; put a name with blanks into quotes.")
    return tokens[0].text


def _attribute(tokens: list[Token], place: Place) -> Attribute:
    if len(tokens) < 2 or tokens[0].kind not in {"word", "quoted"}:
        raise place.error(
            "@attribute is followed by a name and a type: write @attribute <name> <type>."
        )
    name, kind, rest = tokens[0].text, tokens[1], tokens[2:]
    if kind.is_mark("{"):
        return Attribute(name, "nominal", _nominal_values(name, rest, place))
    word = kind.text.lower()
    if word == "date" and len(rest) == 1 and rest[0].kind in {"word", "quoted"}:
        return Attribute(name, "date", pattern=rest[0].text)
    if word == "relational":
        raise place.error(
            f"attribute {name!r} is relational, which is not supported: "
            "save the data without it, one row a line."
        )
    if word not in {*NUMERIC, "string", "date"}:
        raise place.error(
            f"attribute {plain(name)!r} has the type {plain(kind.text)!r}. Types are numeric, "
            "real, integer, string, date and lists of values in { }; "
            "put a name with blanks into quotes."
        )
    if rest:
        raise place.error(
            f"after the type of attribute {plain(name)!r} comes {plain(rest[0].text)!r}: remove it "
            "(or put a date pattern into quotes)."
        )
    if word == "date":
        return Attribute(name, "date", pattern=DEFAULT_PATTERN)
    return Attribute(name, "string" if word == "string" else "numeric")


def _nominal_values(name: str, tokens: list[Token], place: Place) -> tuple[str, ...]:
    braces = [at for at, token in enumerate(tokens) if token.kind == "brace"]
    if braces != [len(tokens) - 1] or not tokens[-1].is_mark("}"):
        raise place.error(
            f"the values of {name!r} do not end with one }} on the same line. "
            "Values with blanks, braces, commas or % need quotes."
        )
    values = tuple(token.text for token in _without_commas(tokens[:-1], place))
    if len(set(values)) < len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise place.error(f"the value {twice!r} of {name!r} is declared twice: remove one.")
    return values


# Dates are read by their declared patterns, those of Java's SimpleDateFormat.

DEFAULT_PATTERN = "yyyy-MM-dd'T'HH:mm:ss"
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
NUMBERS = "yMdHhkKmsS"
OTHERS = {
    "a": r"(?P<a>[AaPp][Mm])",
    "E": r"[^\W\d_]+\.?",  # the name of the day says nothing that the date does not say
    # Java takes a name for an offset and the other way round.
    "z": r"(?P<zone>(?:GMT|UTC)?[+-]\d{2}:?\d{2}|GMT|UTC|Z)",
    "Z": r"(?P<zone>(?:GMT|UTC)?[+-]\d{2}:?\d{2}|GMT|UTC|Z)",
    "X": r"(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)",
}
PIECES = re.compile(r"'((?:[^']|'')*)'|(([A-Za-z])\3*)|([^A-Za-z']+)|(.)", re.DOTALL)


@dataclass(frozen=True)
class DateReader:
    """Reads dates of one pattern; times without a zone stay as written, others become UTC."""

    pattern: str
    expression: re.Pattern[str]

    @classmethod
    def of(cls, pattern: str = DEFAULT_PATTERN) -> DateReader:
        """The reader of a pattern of SimpleDateFormat.

        Example:
            >>> str(DateReader.of("d MMM yyyy").read("5 Nov 2003"))
            '2003-11-05T00:00:00.000'
        """
        pieces = list(PIECES.finditer(pattern))
        parts: list[str] = []
        for place, piece in enumerate(pieces):
            quoted, run, letter, plain, stray = piece.groups()
            if stray is not None:
                raise InputError(f"the date pattern {pattern!r} has a quote that does not end")
            if letter is None:
                text = plain if quoted is None else (quoted.replace("''", "'") or "'")
                parts.append(re.escape(text))
            else:
                after = pieces[place + 1] if place + 1 < len(pieces) else None
                parts.append(_field(pattern, letter, len(run), _is_number(after)))
        try:
            return cls(pattern, re.compile("".join(parts)))
        except re.error:  # two groups of one name
            raise InputError(
                f"the date pattern {pattern!r} asks for the same thing twice"
            ) from None

    def read(self, text: str) -> np.datetime64:
        """The moment that a text names.

        Example:
            >>> str(DateReader.of().read("2001-04-03T12:12:12"))
            '2001-04-03T12:12:12.000'
        """
        match = self.expression.fullmatch(text.strip())
        if match is None:
            raise InputError(f"{text!r} is no date of the form {self.pattern}")
        found = {name: value for name, value in match.groupdict().items() if value is not None}
        try:
            return np.datetime64(_moment(found), "ms")
        except (ValueError, OverflowError):
            raise InputError(f"there is no such date as {text!r}") from None


def _field(pattern: str, letter: str, length: int, number_follows: bool) -> str:
    if letter == "M" and length > 2:
        return r"(?P<name>[A-Za-z]+)\.?"
    if letter in NUMBERS:
        # Numbers without a gap can be told apart by their lengths alone.
        digits = f"{{{length}}}" if number_follows else "+"
        name = "short" if letter == "y" and length == 2 else letter
        return rf"(?P<{name}>[0-9]{digits})"
    if letter in OTHERS:
        return OTHERS[letter]
    raise InputError(
        f"the date pattern {pattern!r} uses {letter!r}, which is not supported; "
        f"{', '.join((*NUMBERS, *OTHERS))} are"
    )


def _is_number(piece: re.Match[str] | None) -> bool:
    return (
        piece is not None
        and piece[3] is not None
        and piece[3] in NUMBERS
        and not (piece[3] == "M" and len(piece[2]) > 2)
    )


def _moment(found: dict[str, str]) -> datetime:
    milliseconds = int(found.get("S", 0))
    if milliseconds > 999:
        raise ValueError
    written = datetime(  # noqa: DTZ001 - numpy's times have no zone
        _year(found),
        _month(found),
        int(found.get("d", 1)),
        _hour(found),
        int(found.get("m", 0)),
        int(found.get("s", 0)),
        milliseconds * 1000,
    )
    return written - _offset(found.get("zone", "Z"))


def _year(found: dict[str, str]) -> int:
    if "short" not in found:
        return int(found.get("y", 1970))
    year = int(found["short"])
    if len(found["short"]) != 2:
        return year
    # Java looks at today's date; a file must mean the same in every year, so POSIX's rule is used.
    return year + (1900 if year >= 69 else 2000)


def _month(found: dict[str, str]) -> int:
    if "name" not in found:
        return int(found.get("M", 1))
    name = found["name"].lower()
    # Not by strptime, whose names of months depend on where a program runs.
    return [name in {month, month[:3]} for month in MONTHS].index(True) + 1


def _hour(found: dict[str, str]) -> int:
    """Hours run from 0 to 23 (H), 1 to 24 (k), or twice a day from 1 to 12 (h) or 0 to 11 (K)."""
    for letter, low, high in (("k", 1, 24), ("h", 1, 12), ("K", 0, 11)):
        if letter in found:
            hour = int(found[letter])
            if not low <= hour <= high:
                raise ValueError
            afternoon = letter != "k" and found.get("a", "am").lower() == "pm"
            return hour % (24 if letter == "k" else 12) + 12 * afternoon
    return int(found.get("H", 0))


def _offset(zone: str) -> timedelta:
    ahead = zone.lstrip("GMTUCZ")
    if not ahead:
        return timedelta(0)
    digits = ahead[1:].replace(":", "").ljust(4, "0")
    distance = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -distance if ahead[0] == "-" else distance
