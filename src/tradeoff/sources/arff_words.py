"""The words of ARFF files: what is a value, a comma, a quoted text or a comment in a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tradeoff.errors import InputError
from tradeoff.text import plain

if TYPE_CHECKING:
    from pathlib import Path

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


def words_of(line: str, place: Place) -> list[Token]:
    r"""The words, quoted texts, commas and braces of a line, without its comment.

    Example:
        >>> [token.text for token in words_of("a, 'b\\'s' {2} % so", Place(path=None))]
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


def without_commas(tokens: list[Token], place: Place) -> list[Token]:
    """The values alone; blanks part them, too, so a comma more than needed is an empty value.

    Example:
        >>> [token.text for token in without_commas(words_of("a, b c", Place(None)), Place(None))]
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


def plain_columns(lines: list[str], width: int) -> list[list[str | None]] | None:
    r"""The columns of many simple rows at once, which most are, at a fraction of the time.

    None where it takes more: quotes, braces, comments, empty lines, a value too few or too many.

    Example:
        >>> plain_columns(["sunny, 85\n", "rainy, ?\n"], width=2)
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


def cell_of(token: Token) -> str | None:
    """The value that a word stands for; a quoted question mark is one and not missing.

    Example:
        >>> cell_of(Token("word", "?")) is None, cell_of(Token("quoted", "?"))
        (True, '?')
    """
    return None if token == ("word", "?") else token.text
