"""Charts drawn as text, for terminals and logs."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tradeoff.render.chart import Bars, Cells, Chart, Layer, Ranges, Ribbon
from tradeoff.render.terminal.legend import MAX_MODELS, Entry, Pens, legend_entries, legend_lines
from tradeoff.render.terminal.plane import Axis, Plane, centred_label, tick_label_width
from tradeoff.render.terminal.tables import MatrixTable, forest_lines
from tradeoff.text import display_width, printable

PROSE = 2000
"""Most characters of a caption; names are cut much earlier."""

# ASCII spelling of characters that Unicode does not decompose.
_TYPED = str.maketrans(
    dict.fromkeys("–—−‐‑", "-")
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”„«»", '"')
    | {"≥": ">=", "≤": "<=", "≠": "!=", "≈": "~", "±": "+/-", "→": "->", "←": "<-", "½": "1/2"}
    | {"×": "x", "·": ".", "•": "*", "…": "...", "ß": "ss", "æ": "ae", "Æ": "AE"}
    | {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"}
)
_SELECTORS = dict.fromkeys(range(0xFE00, 0xFE10))  # they have no width
_RESET = "\x1b[0m"


@dataclass(frozen=True)
class Style:
    """Characters and colours that a terminal can show."""

    ascii_only: bool = False
    colour: bool = False

    def displayable(self, text: str, longest: int = 60) -> str:
        r"""Text as one line of characters that the terminal can show.

        Example:
            >>> Style(ascii_only=True).displayable("naïve – 95% ≥ \x1b[31m日")
            'naive - 95% >= ?[31m\\u65e5'
        """
        text = printable(text.translate(_SELECTORS), longest)
        if not self.ascii_only:
            return text
        decomposed = unicodedata.normalize("NFKD", text.translate(_TYPED))
        typed = "".join(c for c in decomposed if not unicodedata.combining(c))
        return typed.encode("ascii", "backslashreplace").decode("ascii")

    def cut(self, text: str, width: int) -> str:
        """Text cut to a width, with an ellipsis where some of it is missing.

        Example:
            >>> Style().cut("naive Bayes", 6), Style().cut("日本語", 4)
            ('naive…', '日…')
        """
        if display_width(text) <= width:
            return text
        dots = ".." if self.ascii_only else "…"
        if width <= len(dots):
            return dots[: max(width, 0)]
        while text and display_width(text) > width - len(dots):
            text = text[:-1]
        return text + dots

    def wrapped(self, text: str, width: int) -> list[str]:
        """Lines of a text of at most this width; longer words are broken."""
        lines, line = [], ""
        for word in text.split():
            longer = f"{line} {word}" if line else word
            if display_width(longer) <= width:
                line = longer
                continue
            lines += [line] if line else []
            *full_lines, line = _split_word(word, width)
            lines += full_lines
        return [*lines, line] if line else lines

    def coloured(self, text: str, colour: int | None) -> str:
        """Text in one of 256 terminal colours, if colours are on."""
        if not self.colour or colour is None or not text.strip():
            return text
        return f"\x1b[38;5;{colour}m{text}{_RESET}"

    def strong(self, text: str) -> str:
        """Text in bold, if colours are on."""
        return f"\x1b[1m{text}{_RESET}" if self.colour and text else text


def _split_word(word: str, width: int) -> list[str]:
    """Parts of a word that fit into a line."""
    parts = [""]
    for character in word:
        if parts[-1] and display_width(parts[-1] + character) > width:
            parts.append("")
        parts[-1] += character
    return parts


WIDEST = 100
NARROWEST = 24
_LEGEND_WIDTH = 28
_BANDS_HIDDEN = "Confidence bands are drawn in charts of one model only."
_NOTHING = "Nothing to draw: no point is defined. Most charts need rows of both classes."


def chart_text(
    chart: Chart,
    *,
    width: int | None = None,
    height: int | None = None,
    ascii_only: bool = False,
    colour: bool = False,
) -> str:
    """Chart drawn as text, at most `width` columns wide.

    The default width is the terminal's, up to 100. `height` is that of the plotting area, in
    lines. Lines are braille dots, or ASCII characters with `ascii_only`. `colour` adds terminal
    colours; nothing depends on colour alone.

    Example:
        >>> from tradeoff.render.chart import Chart, Line, Scale
        >>> roc = Line(np.array([0, 0, 0.5, 1]), np.array([0, 0.5, 1, 1]), label="score")
        >>> chart = Chart("ROC curve", Scale("fpr", 0, 1), Scale("tpr", 0, 1), (roc,))
        >>> print(chart_text(chart, width=24, height=5, ascii_only=True))
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
    requested_width = width
    width = min(shutil.get_terminal_size().columns, WIDEST) if width is None else width
    if width < NARROWEST:
        message = f"A chart needs at least {NARROWEST} columns."
        return "\n".join(style.wrapped(message, max(width, 1)))
    lines = [
        style.strong(line) for line in style.wrapped(style.displayable(chart.title, 200), width)
    ]
    body = _body(chart, style, width, height, tall=requested_width is not None)
    caption = style.wrapped(style.displayable(chart.caption, PROSE), width)
    parts = [lines, body, caption]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _body(chart: Chart, style: Style, width: int, height: int | None, *, tall: bool) -> list[str]:
    cells = [layer for layer in chart.layers if isinstance(layer, Cells)]
    if cells and cells[0].shares.size:
        return MatrixTable(chart, cells[0], style, width).lines()
    if not any(_has_values(layer) for layer in chart.layers):
        return style.wrapped(_NOTHING, width)
    if any(isinstance(layer, Ranges) for layer in chart.layers):
        lines, entries = forest_lines(chart, style, width)
        return [*lines, *legend_lines(entries, style, width)]
    bars = sorted(
        (layer for layer in chart.layers if isinstance(layer, Bars)), key=lambda bar: bar.order
    )
    if len(bars) > 1:
        return _histogram_panels(chart, bars, style, width, height)
    return _field_chart(chart, style, width, height, tall=tall)


def _field_chart(
    chart: Chart, style: Style, width: int, height: int | None, *, tall: bool
) -> list[str]:
    chart, notes = _without_overlapping_ribbons(chart)
    pens = Pens.of(chart.layers)
    margin = tick_label_width(Axis.of(chart.y), height or 10, style, max(width // 4, 6))
    field_width = width - margin - 2
    if height is None and chart.square:
        height = min(max(field_width // 2, 5), 24 if tall else 18)
        field_width = min(field_width, round(2.2 * height))
    height = max(height or min(max(field_width // 4, 6), 16), 2)
    plane = Plane(chart, pens, style, (field_width, height))
    entries = [*legend_entries(chart.layers, pens, style), *plane.entries, *notes]
    y_label = _axis_label(chart.y.label, style, width)
    field = plane.framed_lines(margin)
    x_label = centred_label(chart.x.label, style, margin + 2 + field_width // 2, width)
    free_width = width - margin - field_width - 5
    if free_width >= _LEGEND_WIDTH:
        legend_block = legend_lines(entries, style, free_width)
        if len(legend_block) <= height:
            return [
                *y_label,
                *_join_legend(field, legend_block, margin + field_width + 5),
                *x_label,
            ]
    legend_block = legend_lines(entries, style, width)
    return [*y_label, *field, *x_label, *([""] if legend_block else []), *legend_block]


def _without_overlapping_ribbons(chart: Chart) -> tuple[Chart, list[Entry]]:
    """Chart without ribbons where several would overlap indistinguishably, and a note on it."""
    ribbons = [layer for layer in chart.layers if isinstance(layer, Ribbon)]
    if len({(ribbon.role, ribbon.order) for ribbon in ribbons}) < 2:
        return chart, []
    layers = tuple(layer for layer in chart.layers if layer not in ribbons)
    return replace(chart, layers=layers), [Entry("", _BANDS_HIDDEN)]


def _join_legend(field: list[str], words: list[str], start: int) -> list[str]:
    """Lines of the field with the legend to its right."""
    joined = [
        line + " " * (start - _visible_width(line)) + text
        for line, text in zip(field, words, strict=False)
    ]
    return joined + field[len(words) :]


def _histogram_panels(
    chart: Chart, bars: Sequence[Bars], style: Style, width: int, height: int | None
) -> list[str]:
    """Panels of several histograms, one below the other, on the same scale."""
    others = tuple(layer for layer in chart.layers if not isinstance(layer, Bars))
    visible_bars = bars[:MAX_MODELS]
    panel_height = max((height or 14) // len(visible_bars), 3)
    margin = tick_label_width(Axis.of(chart.y), panel_height, style, max(width // 4, 6))
    field_width = width - margin - 2
    lines: list[str] = _axis_label(chart.y.label, style, width)
    entries: list[Entry] = []
    for i, layer in enumerate(visible_bars):
        pens = Pens((*Pens.of(bars).keys,))
        plane = Plane(
            replace(chart, layers=(layer, *others)), pens, style, (field_width, panel_height)
        )
        name = style.cut(style.displayable(layer.label), field_width)
        pen = pens.pen(layer)
        lines.append(" " * (margin + 2) + style.coloured(name, pen.colour if pen else None))
        lines += plane.framed_lines(margin, numbers=i == len(visible_bars) - 1)
        entries = [*legend_entries(others, Pens(()), style), *plane.entries]
    lines += centred_label(chart.x.label, style, margin + 2 + field_width // 2, width)
    if len(bars) > len(visible_bars):
        entries.append(Entry("", f"and {len(bars) - len(visible_bars):,} more"))
    legend_block = legend_lines(entries, style, width)
    return [*lines, *([""] if legend_block else []), *legend_block]


def _axis_label(text: str, style: Style, width: int) -> list[str]:
    return style.wrapped(style.displayable(text, 200), width)


def _visible_width(line: str) -> int:
    """Width of a line without its colour codes."""
    return display_width(re.sub(r"\x1b\[[0-9;]*m", "", line))


def _has_values(layer: Layer) -> bool:
    """Whether a layer of data has a finite value to draw."""
    if isinstance(layer, Cells) or layer.role in {"chance", "ideal", "iso", "mark"}:
        return False
    if isinstance(layer, Ranges):
        return bool(np.isfinite(layer.value).any())
    if isinstance(layer, Bars):
        return bool(np.isfinite(layer.heights).any() and np.isfinite(layer.edges).all())
    heights = layer.low + layer.high if isinstance(layer, Ribbon) else layer.y
    return bool((np.isfinite(layer.x) & np.isfinite(heights)).any())
