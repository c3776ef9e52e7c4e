"""Text in a drawing made of characters: cleaned, cut, wrapped, and coloured if wished."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from tradeoff.text import plain, width_of

PROSE = 2000
"""The longest caption; names alone are cut much earlier."""

# What Unicode does not take apart by itself, as people write it on a typewriter.
_TYPED = str.maketrans(
    dict.fromkeys("–—−‐‑", "-")
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”„«»", '"')
    | {"≥": ">=", "≤": "<=", "≠": "!=", "≈": "~", "±": "+/-", "→": "->", "←": "<-", "½": "1/2"}
    | {"×": "x", "·": ".", "•": "*", "…": "...", "ß": "ss", "æ": "ae", "Æ": "AE"}
    | {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"}
)
_SELECTORS = dict.fromkeys(range(0xFE00, 0xFE10))  # they have no width of their own
_RESET = "\x1b[0m"


@dataclass(frozen=True)
class Style:
    """Which characters and colours a terminal can show."""

    ascii_only: bool = False
    colour: bool = False

    def shown(self, text: str, longest: int = 60) -> str:
        r"""A text from data or prose as one line that can be shown.

        Example:
            >>> Style(ascii_only=True).shown("naïve – 95 % ≥ \x1b[31m日")
            'naive - 95 % >= ?[31m\\u65e5'
        """
        text = plain(text.translate(_SELECTORS), longest)
        if not self.ascii_only:
            return text
        apart = unicodedata.normalize("NFKD", text.translate(_TYPED))
        typed = "".join(c for c in apart if not unicodedata.combining(c))
        return typed.encode("ascii", "backslashreplace").decode("ascii")

    def cut(self, text: str, width: int) -> str:
        """A text that fits into a width, with dots where some of it is missing.

        Example:
            >>> Style().cut("naive Bayes", 6), Style().cut("日本語", 4)
            ('naive…', '日…')
        """
        if width_of(text) <= width:
            return text
        dots = ".." if self.ascii_only else "…"
        if width <= len(dots):
            return dots[: max(width, 0)]
        while text and width_of(text) > width - len(dots):
            text = text[:-1]
        return text + dots

    def wrapped(self, text: str, width: int) -> list[str]:
        """A text as lines of at most this width; words that are longer are broken."""
        lines, line = [], ""
        for word in text.split():
            longer = f"{line} {word}" if line else word
            if width_of(longer) <= width:
                line = longer
                continue
            lines += [line] if line else []
            *full, line = _pieces(word, width)
            lines += full
        return [*lines, line] if line else lines

    def painted(self, text: str, colour: int | None) -> str:
        """A text in one of 256 colours, where colours are wished."""
        if not self.colour or colour is None or not text.strip():
            return text
        return f"\x1b[38;5;{colour}m{text}{_RESET}"

    def strong(self, text: str) -> str:
        """A heading."""
        return f"\x1b[1m{text}{_RESET}" if self.colour and text else text


def _pieces(word: str, width: int) -> list[str]:
    """A word, broken where it is longer than a line."""
    pieces = [""]
    for character in word:
        if pieces[-1] and width_of(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces
