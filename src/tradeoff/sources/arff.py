"""ARFF files, the format of Weka: a header that declares the columns, then the rows.

Read as Weka reads them, but strictly: what Weka would guess or pass over is an error here that
names its line.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tradeoff.errors import InputError, did_you_mean
from tradeoff.sources.arff_dates import DEFAULT_PATTERN
from tradeoff.sources.arff_rows import Rows
from tradeoff.sources.arff_words import Place, Token, without_commas, words_of
from tradeoff.text import plain

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

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
        tokens = words_of(line, place)
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
    values = tuple(token.text for token in without_commas(tokens[:-1], place))
    if len(set(values)) < len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise place.error(f"the value {twice!r} of {name!r} is declared twice: remove one.")
    return values
