"""A chart as lines of text: for terminals, logs and everything else that shows characters."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tradeoff.render.chart import Bars, Cells, Chart, Layer, Ranges, Ribbon
from tradeoff.render.terminal.legend import MOST, Entry, Pens, legend, legend_lines
from tradeoff.render.terminal.plane import Plane, Side, centred, margin_of
from tradeoff.render.terminal.tables import Table, forest_lines
from tradeoff.text import plain, width_of

# Text in a drawing made of characters: cleaned, cut, wrapped, and coloured if wished.


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


WIDEST = 100
NARROWEST = 24
_BESIDE = 28
_ONE_AT_A_TIME = "Bands can be seen in a chart of one model."
_NOTHING = "There is nothing to draw: no point has a value. Many charts need rows of both classes."


def drawn(
    chart: Chart,
    *,
    width: int | None = None,
    height: int | None = None,
    ascii_only: bool = False,
    colour: bool = False,
) -> str:
    """A chart drawn with characters, never wider than `width` columns.

    Without a width the terminal's is taken, up to 100. `height` is that of the field alone, in
    lines. Lines are braille dots, or characters of their own with `ascii_only`. Colours are added
    with `colour`, but nothing is told by colour alone.

    Example:
        >>> from tradeoff.render.chart import Chart, Line, Scale
        >>> roc = Line(np.array([0, 0, 0.5, 1]), np.array([0, 0.5, 1, 1]), label="score")
        >>> chart = Chart("ROC curve", Scale("fpr", 0, 1), Scale("tpr", 0, 1), (roc,))
        >>> print(drawn(chart, width=24, height=5, ascii_only=True))
        ROC curve
        <BLANKLINE>
        tpr
        1.0 +       ************
            |   ****
        0.5 +***
            |*
        0.0 +*
            +---------+--------+
            0.0      0.5     1.0
                     fpr
        <BLANKLINE>
        ***  score
    """
    style = Style(ascii_only, colour)
    given = width
    width = min(shutil.get_terminal_size().columns, WIDEST) if width is None else width
    if width < NARROWEST:
        words = f"A chart needs {NARROWEST} columns."
        return "\n".join(style.wrapped(words, max(width, 1)))
    lines = [style.strong(line) for line in style.wrapped(style.shown(chart.title, 200), width)]
    body = _body(chart, style, width, height, tall=given is not None)
    caption = style.wrapped(style.shown(chart.caption, PROSE), width)
    parts = [lines, body, caption]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _body(chart: Chart, style: Style, width: int, height: int | None, *, tall: bool) -> list[str]:
    cells = [layer for layer in chart.layers if isinstance(layer, Cells)]
    if cells and cells[0].shares.size:
        return Table(chart, cells[0], style, width).lines()
    if not any(_is_finite(layer) for layer in chart.layers):
        return style.wrapped(_NOTHING, width)
    if any(isinstance(layer, Ranges) for layer in chart.layers):
        lines, entries = forest_lines(chart, style, width)
        return [*lines, *legend_lines(entries, style, width)]
    bars = sorted(
        (layer for layer in chart.layers if isinstance(layer, Bars)), key=lambda bar: bar.order
    )
    if len(bars) > 1:
        return _panels(chart, bars, style, width, height)
    return _single(chart, style, width, height, tall=tall)


def _single(chart: Chart, style: Style, width: int, height: int | None, *, tall: bool) -> list[str]:
    chart, notes = _without_tangle(chart)
    pens = Pens.of(chart.layers)
    margin = margin_of(Side.of(chart.y), height or 10, style, max(width // 4, 6))
    room = width - margin - 2
    if height is None and chart.square:
        height = min(max(room // 2, 5), 24 if tall else 18)
        room = min(room, round(2.2 * height))
    height = max(height or min(max(room // 4, 6), 16), 2)
    plane = Plane(chart, pens, style, (room, height))
    entries = [*legend(chart.layers, pens, style), *plane.entries, *notes]
    head = _label(chart.y.label, style, width)
    field = plane.framed(margin)
    foot = centred(chart.x.label, style, margin + 2 + room // 2, width)
    beside = width - margin - room - 5
    if beside >= _BESIDE:
        words = legend_lines(entries, style, beside)
        if len(words) <= height:
            return [*head, *_beside(field, words, margin + room + 5), *foot]
    below = legend_lines(entries, style, width)
    return [*head, *field, *foot, *([""] if below else []), *below]


def _without_tangle(chart: Chart) -> tuple[Chart, list[Entry]]:
    """Ribbons that lie over one another cannot be told apart in dots: they are left out."""
    ribbons = [layer for layer in chart.layers if isinstance(layer, Ribbon)]
    if len({(ribbon.role, ribbon.order) for ribbon in ribbons}) < 2:
        return chart, []
    layers = tuple(layer for layer in chart.layers if layer not in ribbons)
    return replace(chart, layers=layers), [Entry("", _ONE_AT_A_TIME)]


def _beside(field: list[str], words: list[str], start: int) -> list[str]:
    """The legend to the right of the field."""
    told = [line + " " * (start - _seen(line)) + w for line, w in zip(field, words, strict=False)]
    return told + field[len(words) :]


def _panels(
    chart: Chart, bars: Sequence[Bars], style: Style, width: int, height: int | None
) -> list[str]:
    """One panel for each histogram, one below the other, over the same scale."""
    others = tuple(layer for layer in chart.layers if not isinstance(layer, Bars))
    shown = bars[:MOST]
    each = max((height or 14) // len(shown), 3)
    margin = margin_of(Side.of(chart.y), each, style, max(width // 4, 6))
    room = width - margin - 2
    lines: list[str] = _label(chart.y.label, style, width)
    entries: list[Entry] = []
    for at, layer in enumerate(shown):
        pens = Pens((*Pens.of(bars).keys,))
        plane = Plane(replace(chart, layers=(layer, *others)), pens, style, (room, each))
        name = style.cut(style.shown(layer.label), room)
        pen = pens.pen(layer)
        lines.append(" " * (margin + 2) + style.painted(name, pen.colour if pen else None))
        lines += plane.framed(margin, numbers=at == len(shown) - 1)
        entries = [*legend(others, Pens(()), style), *plane.entries]
    lines += centred(chart.x.label, style, margin + 2 + room // 2, width)
    if len(bars) > len(shown):
        entries.append(Entry("", f"and {len(bars) - len(shown):,} more"))
    below = legend_lines(entries, style, width)
    return [*lines, *([""] if below else []), *below]


def _label(text: str, style: Style, width: int) -> list[str]:
    return style.wrapped(style.shown(text, 200), width)


def _seen(line: str) -> int:
    """The columns of a line without its colours."""
    return width_of(re.sub(r"\x1b\[[0-9;]*m", "", line))


def _is_finite(layer: Layer) -> bool:
    """Whether a layer of data has anything to show."""
    if isinstance(layer, Cells) or layer.role in {"chance", "ideal", "iso", "mark"}:
        return False
    if isinstance(layer, Ranges):
        return bool(np.isfinite(layer.value).any())
    if isinstance(layer, Bars):
        return bool(np.isfinite(layer.heights).any() and np.isfinite(layer.edges).all())
    heights = layer.low + layer.high if isinstance(layer, Ribbon) else layer.y
    return bool((np.isfinite(layer.x) & np.isfinite(heights)).any())
