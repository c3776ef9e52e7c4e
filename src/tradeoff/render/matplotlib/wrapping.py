"""Titles and captions of matplotlib figures, wrapped by their measured width."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from tradeoff.render.matplotlib.style import escape_for_matplotlib
from tradeoff.text_layout import NON_BREAKING_SPACES

SENTENCE_END = re.compile(r"(?<=\.) (?=[A-Z0-9])")


def set_wrapped_text(artist: Any, text: str, width: float) -> None:
    """Set the text of an artist, wrapped to a width in pixels.

    Lines are not broken between a sign and its number, as in "score ≥ 0.5", and words that are
    wider, such as names of models, are not broken at all.
    """
    artist.set_text("\n".join(_wrapped_lines(artist, text, width)))


def set_wrapped_sentences(artist: Any, text: str, width: float) -> None:
    """Set the text of an artist; if it needs several lines, each sentence begins a new one."""
    lines = _wrapped_lines(artist, text, width)
    if len(lines) > 1:
        lines = [
            line
            for sentence in SENTENCE_END.split(text)
            for line in _wrapped_lines(artist, sentence, width)
        ]
    artist.set_text("\n".join(lines))


def balanced_lines(text: str, columns: int) -> str:
    r"""Text in as few lines of at most so many characters as possible, of about equal length.

    Example:
        >>> balanced_lines("False positive rate (share of 'no' predicted 'yes')", 45)
        "False positive rate (share\nof 'no' predicted 'yes')"
    """
    lines = textwrap.wrap(escape_for_matplotlib(text), columns)
    for narrower in range(columns - 1, 0, -1):
        shorter_lines = textwrap.wrap(escape_for_matplotlib(text), narrower)
        if len(lines) < 2 or len(shorter_lines) > len(lines):
            break
        lines = shorter_lines
    return "\n".join(lines)


def _wrapped_lines(artist: Any, text: str, width: float) -> list[str]:
    """Lines of escaped text that are at most as wide as possible without breaking words."""
    lines: list[str] = []
    words = NON_BREAKING_SPACES.sub("\u00a0", escape_for_matplotlib(text)).split(" ")
    for word in words:
        longer_line = f"{lines[-1]} {word}" if lines else word
        if lines and _text_width(artist, longer_line) > width:
            lines.append(word)
        else:
            lines[-1:] = [longer_line]
    return [line.replace("\u00a0", " ") for line in lines]


def _text_width(artist: Any, text: str) -> float:
    artist.set_text(text)
    return float(artist.get_window_extent().width)
