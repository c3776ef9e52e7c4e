"""Forest plots (values with intervals) and confusion matrices drawn as text tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat, zip_longest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tradeoff.formatting import format_percent, format_screen_number
from tradeoff.render.axes import Axis
from tradeoff.render.chart import Cells, Chart, Intervals, Line, Scale
from tradeoff.render.terminal.legend import LegendEntry, Pens, legend_entries
from tradeoff.render.terminal.plane import centred_label, character_index, x_axis_lines
from tradeoff.text_layout import display_width, pad_cell

if TYPE_CHECKING:
    from tradeoff.render.terminal.draw import Style


@dataclass(frozen=True)
class IntervalScale:
    """Value axis of a forest plot; `guides` are the columns of vertical reference lines."""

    axis: Axis
    width: int
    style: Style
    guides: frozenset[int] = frozenset()

    def column_at(self, position: float) -> int:
        """Column at a position; the first or last column for a position outside the axis."""
        return character_index(min(max(position, 0.0), 1.0), self.width, self.style, vertical=False)

    def interval_text(self, value: float, low: float, high: float) -> str:
        """Interval and its value as characters; a limit outside the axis is drawn as an arrow."""
        signs = _ASCII_SIGNS if self.style.ascii_only else _UNICODE_SIGNS
        cells = [signs.guide if column in self.guides else " " for column in range(self.width)]
        position, start, end = (float(limit) for limit in self.axis.positions([value, low, high]))
        start, end = min(start, end), max(start, end)
        if start <= 1 and end >= 0:  # neither is NaN
            first, last = self.column_at(start), self.column_at(end)
            for column in range(first, last + 1):
                cells[column] = signs.crossing if column in self.guides else signs.rule
            cells[first] = signs.left_end if start >= 0 else signs.left_arrow
            cells[last] = signs.right_end if end <= 1 else signs.right_arrow
        if not math.isnan(position):
            cells[self.column_at(position)] = (
                signs.left_arrow
                if position < 0
                else signs.right_arrow
                if position > 1
                else signs.dot
            )
        return "".join(cells)


class IntervalSigns(NamedTuple):
    """Characters that draw an interval."""

    left_end: str
    rule: str
    right_end: str
    dot: str
    left_arrow: str
    right_arrow: str
    guide: str
    crossing: str


_UNICODE_SIGNS = IntervalSigns(*"├─┤●◂▸┊┼")
_ASCII_SIGNS = IntervalSigns(*"[-]o<>:+")


def forest_lines(chart: Chart, style: Style, width: int) -> tuple[list[str], list[LegendEntry]]:
    """Text lines of a forest plot, and its legend entries."""
    names_scale, value_scale = (chart.x, chart.y) if chart.x.kind == "names" else (chart.y, chart.x)
    pens = Pens.from_layers(chart.layers)
    layers = [
        (layer, pen)
        for layer in chart.layers
        if isinstance(layer, Intervals) and (pen := pens.pen(layer)) is not None
    ]
    names = _row_names(names_scale, [layer for layer, _ in layers], style, max(width // 3, 8))
    texts = [
        [style.displayable_text(_interval_text(layer, row)) for layer, _ in layers]
        for row in range(len(names))
    ]
    max_text_width = max((display_width(text) for row in texts for text in row), default=0)
    letters = [f" {pen.letter}" if len(layers) > 1 else "" for _, pen in layers]
    margin = max(map(display_width, names), default=0)
    left_width = margin + len(letters[0])
    right_width = width - left_width - 2
    has_room = right_width - max_text_width - 2 >= 24
    scale = IntervalScale(
        Axis.from_scale(value_scale),
        right_width - max_text_width - 2 if has_room else right_width,
        style,
    )
    scale = replace(scale, guides=_guide_columns(chart, scale))
    bar = "|" if style.ascii_only else "│"
    lines = []
    for row, name in enumerate(names):
        for i, (layer, pen) in enumerate(layers):
            name_cell = pad_cell("" if i else name, margin) + letters[i]
            interval_line = scale.interval_text(*_value_and_limits(layer, row)).rstrip()
            text = " " * (scale.width + 2 - len(interval_line)) + texts[row][i] if has_room else ""
            lines.append(
                f"{name_cell} {bar}{style.colour_text(interval_line, pen.colour)}{text}".rstrip()
            )
    lines += x_axis_lines(scale.axis, scale.width, left_width, style)
    centre = left_width + 2 + scale.width // 2
    return lines + centred_label(value_scale.label, style, centre, width), _legend_entries(
        chart, pens, style
    )


def _legend_entries(chart: Chart, pens: Pens, style: Style) -> list[LegendEntry]:
    guide = (_ASCII_SIGNS if style.ascii_only else _UNICODE_SIGNS).guide
    lines = {layer.label for layer in chart.layers if isinstance(layer, Line)}
    return [
        replace(entry, sample=guide) if entry.text in lines else entry
        for entry in legend_entries(chart.layers, pens, style)
    ]


def _row_names(scale: Scale, layers: list[Intervals], style: Style, limit: int) -> list[str]:
    rows = max((len(layer.values) for layer in layers), default=0)
    names = [*scale.names, *([""] * rows)][:rows]
    return [style.truncate(style.displayable_text(name), limit) for name in names]


def _value_and_limits(layer: Intervals, row: int) -> tuple[float, float, float]:
    if row >= len(layer.values):
        return math.nan, math.nan, math.nan
    return float(layer.values[row]), float(layer.low[row]), float(layer.high[row])


def _interval_text(layer: Intervals, row: int) -> str:
    if row < len(layer.texts):
        return layer.texts[row]
    numbers = _value_and_limits(layer, row)
    value, low, high = (format_screen_number(number) for number in numbers)
    return value if any(map(math.isnan, numbers)) else f"{value} ({low} to {high})"


def _guide_columns(chart: Chart, scale: IntervalScale) -> frozenset[int]:
    """Columns of vertical reference lines, such as the line of no difference."""
    lines = [layer for layer in chart.layers if isinstance(layer, Line) and len(layer.x)]
    values_by_line = [line.y if chart.x.kind == "names" else line.x for line in lines]
    positions = [scale.axis.positions(values) for values in values_by_line]
    constant_positions = [float(p[0]) for p in positions if (p == p[0]).all()]
    return frozenset(
        scale.column_at(position) for position in constant_positions if 0 <= position <= 1
    )


_MAX_BLOCKS = 3
_MAX_CLASSES_WITH_PERCENT = 12
_SHADE_LIMITS = (0.0, 0.1, 0.25, 0.5, 0.75)


class MatrixTable:
    """Confusion matrix as text: aligned counts, or shaded cells if there are many classes."""

    def __init__(self, chart: Chart, cells: Cells, style: Style, width: int) -> None:
        rows, columns = cells.shares.shape
        self.style, self.width, self.shares = style, width, cells.shares
        self.x_label = style.displayable_text(chart.x.label)
        self.y_label = style.truncate(style.displayable_text(chart.y.label), width // 3)
        self.column_names = [
            style.displayable_text(name) for name in _padded_names(chart.x.names, columns)
        ]
        limit = max(width // 4, 6)
        self.row_names = [
            style.truncate(style.displayable_text(name), limit)
            for name in _padded_names(chart.y.names, rows)
        ]
        self.margin = max(map(display_width, [self.y_label, *self.row_names]))
        self.field_width = width - self.margin - 3
        omits_shares = (
            any("%" in text for row in cells.texts for text in row)
            or max(rows, columns) > _MAX_CLASSES_WITH_PERCENT
        )
        self.texts = [
            [
                self._cell_lines(text, math.nan if omits_shares else float(share))
                for text, share in row
            ]
            for row in (
                zip(row, shares, strict=True)
                for row, shares in zip(cells.texts, cells.shares, strict=True)
            )
        ]
        self.cell_width = max(
            display_width(part) for row in self.texts for cell in row for part in cell
        )
        self.bar, self.rule, self.cross = ("|", "-", "+") if style.ascii_only else ("│", "─", "┼")

    def lines(self) -> list[str]:
        """Lines of the table; a wide one is split into blocks, a very wide one is shaded."""
        columns = len(self.column_names)
        columns_per_block = self.field_width // (max(self.cell_width, 3) + 3)
        if columns_per_block < 1 or columns > columns_per_block * _MAX_BLOCKS:
            return self._shaded_lines()
        lines: list[str] = []
        for start in range(0, columns, columns_per_block):
            lines += [""] if lines else []
            lines += self._block(slice(start, start + columns_per_block))
        return lines

    def _block(self, columns: slice) -> list[str]:
        headers = self.column_names[columns]
        max_width = max(self.field_width // len(headers) - 3, self.cell_width)
        headers = [self.style.truncate(name, max_width) for name in headers]
        cell_width = max(self.cell_width, *map(display_width, headers))
        lines = [" " * (self.margin + 3) + self.style.truncate(self.x_label, self.field_width)]
        lines.append(self._line(self.y_label, headers, cell_width))
        rule = self.rule * (self.margin + 1) + self.cross
        lines.append(rule + self.rule * (len(headers) * (cell_width + 2) - 1))
        for name, row in zip(self.row_names, self.texts, strict=True):
            cell_lines = zip_longest(*row[columns], fillvalue="")
            labels = chain([name], repeat(""))
            line_parts = zip(labels, cell_lines)  # noqa: B905 - the labels never end
            lines += [self._line(label, cells, cell_width) for label, cells in line_parts]
        return lines

    def _line(self, label: str, cells: Sequence[str], cell_width: int) -> str:
        row_text = "  ".join(pad_cell(cell, cell_width, flush_left=False) for cell in cells)
        return f"{pad_cell(label, self.margin)} {self.bar} {row_text}".rstrip()

    def _cell_lines(self, text: str, share: float) -> list[str]:
        """Lines of a cell: its label, and its percentage unless `share` is NaN."""
        lines = [self.style.displayable_text(line, 24) for line in text.splitlines() or [""]]
        return lines if math.isnan(share) else [*lines, format_percent(share)]

    def _shaded_lines(self) -> list[str]:
        """Lines with one character per cell: the larger its proportion, the darker."""
        tones = " .:+*#" if self.style.ascii_only else " ·░▒▓█"
        darkness = np.searchsorted(_SHADE_LIMITS, np.nan_to_num(self.shares))
        margin = max(map(display_width, self.row_names))
        field_width = self.width - margin - 3
        lines: list[str] = []
        columns = len(self.column_names)
        for start in range(0, columns, field_width):
            end = min(start + field_width, columns)
            heading = f"{self.x_label}: {start + 1:,} to {end:,}, in the order of the rows"
            lines += ["", *self.style.wrap(heading, self.width)][not lines :]
            for name, row in zip(self.row_names, darkness[:, start:end], strict=True):
                shaded_row = "".join(tones[tone] for tone in row)
                lines.append(f"{pad_cell(name, margin)} {self.bar} {shaded_row}".rstrip())
        steps = [f"{t} above {100 * d:g}%" for t, d in zip(tones[1:], _SHADE_LIMITS, strict=True)]
        return [*lines, "", *self.style.wrap(", ".join(steps), self.width)]


def _padded_names(names: Sequence[str], length: int) -> list[str]:
    return [*names, *([""] * length)][:length]
