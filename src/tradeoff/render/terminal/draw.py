"""Charts drawn as text, for terminals and logs."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tradeoff.formatting import printable
from tradeoff.render.axes import Axis
from tradeoff.render.chart import Bars, Cells, Chart, Intervals, Layer, Ribbon
from tradeoff.render.terminal.forest_plots import MatrixTable, forest_lines
from tradeoff.render.terminal.legend import (
    MAX_MODELS,
    LegendEntry,
    Pens,
    legend_entries,
    legend_lines,
)
from tradeoff.render.terminal.plane import Plane, centred_label, tick_label_width
from tradeoff.text_layout import display_width

MAX_CAPTION_LENGTH = 2000
"""Maximum length of a caption; names are truncated much earlier."""

# ASCII spelling of characters that Unicode does not decompose.
_ASCII_SPELLINGS = str.maketrans(
    dict.fromkeys("–—−‐‑", "-")
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”„«»", '"')
    | {"≥": ">=", "≤": "<=", "≠": "!=", "≈": "~", "±": "+/-", "→": "->", "←": "<-", "½": "1/2"}
    | {"×": "x", "·": ".", "•": "*", "…": "...", "ß": "ss", "æ": "ae", "Æ": "AE"}
    | {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"}
)
_VARIATION_SELECTORS = dict.fromkeys(range(0xFE00, 0xFE10))  # zero-width
_RESET = "\x1b[0m"


@dataclass(frozen=True)
class Style:
    """Characters and colours that a terminal can show."""

    ascii_only: bool = False
    colour: bool = False

    def displayable_text(self, text: str, max_length: int = 60) -> str:
        r"""Text as one line of characters that the terminal can show.

        Example:
            >>> Style(ascii_only=True).displayable_text("naïve – 95% ≥ \x1b[31m日")
            'naive - 95% >= ?[31m\\u65e5'
        """
        text = printable(text.translate(_VARIATION_SELECTORS), max_length)
        if not self.ascii_only:
            return text
        decomposed = unicodedata.normalize("NFKD", text.translate(_ASCII_SPELLINGS))
        without_marks = "".join(c for c in decomposed if not unicodedata.combining(c))
        return without_marks.encode("ascii", "backslashreplace").decode("ascii")

    def truncate(self, text: str, width: int) -> str:
        """Text truncated to a width, with an ellipsis if anything was cut.

        Example:
            >>> Style().truncate("naive Bayes", 6), Style().truncate("日本語", 4)
            ('naive…', '日…')
        """
        if display_width(text) <= width:
            return text
        ellipsis = ".." if self.ascii_only else "…"
        if width <= len(ellipsis):
            return ellipsis[: max(width, 0)]
        while text and display_width(text) > width - len(ellipsis):
            text = text[:-1]
        return text + ellipsis

    def wrap(self, text: str, width: int) -> list[str]:
        """Text wrapped into lines of at most this width; longer words are split."""
        lines, line = [], ""
        for word in text.split():
            longer_line = f"{line} {word}" if line else word
            if display_width(longer_line) <= width:
                line = longer_line
                continue
            lines += [line] if line else []
            *full_lines, line = _split_word(word, width)
            lines += full_lines
        return [*lines, line] if line else lines

    def colour_text(self, text: str, colour: int | None) -> str:
        """Text in one of 256 terminal colours, if colours are enabled."""
        if not self.colour or colour is None or not text.strip():
            return text
        return f"\x1b[38;5;{colour}m{text}{_RESET}"

    def bold(self, text: str) -> str:
        """Text in bold, if colours are enabled."""
        return f"\x1b[1m{text}{_RESET}" if self.colour and text else text


def _split_word(word: str, width: int) -> list[str]:
    """A word split into parts that each fit on a line."""
    parts = [""]
    for character in word:
        if parts[-1] and display_width(parts[-1] + character) > width:
            parts.append("")
        parts[-1] += character
    return parts


MAX_DEFAULT_WIDTH = 100
MIN_CHART_WIDTH = 24
_MIN_LEGEND_WIDTH = 28
_HIDDEN_BANDS_NOTE = "Confidence bands are drawn in charts of one model only."
_NOTHING_TO_DRAW = "Nothing to draw: no point is defined. Most charts need rows of both classes."


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
    has_given_width = width is not None
    width = min(shutil.get_terminal_size().columns, MAX_DEFAULT_WIDTH) if width is None else width
    if width < MIN_CHART_WIDTH:
        message = f"A chart needs at least {MIN_CHART_WIDTH} columns."
        return "\n".join(style.wrap(message, max(width, 1)))
    lines = [
        style.bold(line) for line in style.wrap(style.displayable_text(chart.title, 200), width)
    ]
    body = _body_lines(chart, style, width, height, allow_tall=has_given_width)
    caption = style.wrap(style.displayable_text(chart.caption, MAX_CAPTION_LENGTH), width)
    parts = [lines, body, caption]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _body_lines(
    chart: Chart, style: Style, width: int, height: int | None, *, allow_tall: bool
) -> list[str]:
    cells = [layer for layer in chart.layers if isinstance(layer, Cells)]
    if cells and cells[0].shares.size:
        return MatrixTable(chart, cells[0], style, width).lines()
    if not any(_has_values(layer) for layer in chart.layers):
        return style.wrap(_NOTHING_TO_DRAW, width)
    if any(isinstance(layer, Intervals) for layer in chart.layers):
        lines, entries = forest_lines(chart, style, width)
        return [*lines, *legend_lines(entries, style, width)]
    bars = sorted(
        (layer for layer in chart.layers if isinstance(layer, Bars)), key=lambda bar: bar.order
    )
    if len(bars) > 1:
        return _histogram_panels(chart, bars, style, width, height)
    return _plot_lines(chart, style, width, height, allow_tall=allow_tall)


def _plot_lines(
    chart: Chart, style: Style, width: int, height: int | None, *, allow_tall: bool
) -> list[str]:
    chart, notes = _without_overlapping_ribbons(chart)
    pens = Pens.from_layers(chart.layers)
    margin = tick_label_width(Axis.from_scale(chart.y), height or 10, style, max(width // 4, 6))
    plot_width = width - margin - 2
    if height is None and chart.square:
        height = min(max(plot_width // 2, 5), 24 if allow_tall else 18)
        plot_width = min(plot_width, round(2.2 * height))
    height = max(height or min(max(plot_width // 4, 6), 16), 2)
    plane = Plane(chart, pens, style, (plot_width, height))
    entries = [*legend_entries(chart.layers, pens, style), *plane.entries, *notes]
    if chart.legend_title and entries:
        entries.insert(0, LegendEntry("", chart.legend_title))
    y_label = _axis_label(chart.y.label, style, width)
    plot_lines = plane.lines_with_axes(margin)
    x_label = centred_label(chart.x.label, style, margin + 2 + plot_width // 2, width)
    free_width = width - margin - plot_width - 5
    if free_width >= _MIN_LEGEND_WIDTH:
        legend_block = legend_lines(entries, style, free_width)
        if len(legend_block) <= height:
            return [
                *y_label,
                *_join_legend(plot_lines, legend_block, margin + plot_width + 5),
                *x_label,
            ]
    legend_block = legend_lines(entries, style, width)
    return [*y_label, *plot_lines, *x_label, *([""] if legend_block else []), *legend_block]


def _without_overlapping_ribbons(chart: Chart) -> tuple[Chart, list[LegendEntry]]:
    """Chart without its ribbons if several would overlap, and a note that they are omitted."""
    ribbons = [layer for layer in chart.layers if isinstance(layer, Ribbon)]
    if len({(ribbon.role, ribbon.order) for ribbon in ribbons}) < 2:
        return chart, []
    layers = tuple(layer for layer in chart.layers if layer not in ribbons)
    return replace(chart, layers=layers), [LegendEntry("", _HIDDEN_BANDS_NOTE)]


def _join_legend(plot_lines: list[str], legend_block: list[str], start: int) -> list[str]:
    """Lines of the plotting area with the legend to its right."""
    joined = [
        line + " " * (start - _visible_width(line)) + text
        for line, text in zip(plot_lines, legend_block, strict=False)
    ]
    return joined + plot_lines[len(legend_block) :]


def _histogram_panels(
    chart: Chart, bars: Sequence[Bars], style: Style, width: int, height: int | None
) -> list[str]:
    """Panels of several histograms, one below the other, on the same scale."""
    other_layers = tuple(layer for layer in chart.layers if not isinstance(layer, Bars))
    visible_bars = bars[:MAX_MODELS]
    panel_height = max((height or 14) // len(visible_bars), 3)
    margin = tick_label_width(Axis.from_scale(chart.y), panel_height, style, max(width // 4, 6))
    plot_width = width - margin - 2
    lines: list[str] = _axis_label(chart.y.label, style, width)
    entries: list[LegendEntry] = []
    for i, layer in enumerate(visible_bars):
        pens = Pens((*Pens.from_layers(bars).keys,))
        plane = Plane(
            replace(chart, layers=(layer, *other_layers)), pens, style, (plot_width, panel_height)
        )
        name = style.truncate(style.displayable_text(layer.label), plot_width)
        pen = pens.pen(layer)
        lines.append(" " * (margin + 2) + style.colour_text(name, pen.colour if pen else None))
        lines += plane.lines_with_axes(margin, x_labels=i == len(visible_bars) - 1)
        entries = [*legend_entries(other_layers, Pens(()), style), *plane.entries]
    lines += centred_label(chart.x.label, style, margin + 2 + plot_width // 2, width)
    if len(bars) > len(visible_bars):
        entries.append(LegendEntry("", f"and {len(bars) - len(visible_bars):,} more"))
    legend_block = legend_lines(entries, style, width)
    return [*lines, *([""] if legend_block else []), *legend_block]


def _axis_label(text: str, style: Style, width: int) -> list[str]:
    return style.wrap(style.displayable_text(text, 200), width)


def _visible_width(line: str) -> int:
    """Width of a line without its colour codes."""
    return display_width(re.sub(r"\x1b\[[0-9;]*m", "", line))


def _has_values(layer: Layer) -> bool:
    """Whether a data layer has any finite values to draw."""
    if isinstance(layer, Cells) or layer.role in {"chance", "ideal", "iso", "mark"}:
        return False
    if isinstance(layer, Intervals):
        return bool(np.isfinite(layer.values).any())
    if isinstance(layer, Bars):
        return bool(np.isfinite(layer.heights).any() and np.isfinite(layer.edges).all())
    heights = layer.low + layer.high if isinstance(layer, Ribbon) else layer.y
    return bool((np.isfinite(layer.x) & np.isfinite(heights)).any())
