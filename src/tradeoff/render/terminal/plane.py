"""Plotting area of a text chart: lines, ribbons, points and bars between two axes with ticks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tradeoff.render.axes import Axis, Tick
from tradeoff.render.chart import Bars, Chart, Layer, Line, Points, Ribbon, is_guide
from tradeoff.render.terminal.canvas import Canvas, Pen, line_dots, ribbon_dots
from tradeoff.render.terminal.legend import LETTERS, PALETTE, LegendEntry, PenKey, Pens
from tradeoff.text_layout import display_width, pad_cell

if TYPE_CHECKING:
    from tradeoff.render.terminal.draw import Style

    Dots = NDArray[np.bool_]

_Z_ORDERS = {"fold": 1, "chance": 1, "ideal": 1, "iso": 1, "hull": 2}
_MAX_MARKERS = 60
_MAX_ANNOTATIONS = 9


class Plane:
    """Plotting area of a chart: its axes, the canvas, and entries for the legend."""

    def __init__(self, chart: Chart, pens: Pens, style: Style, size: tuple[int, int]) -> None:
        self.x, self.y = Axis.from_scale(chart.x), Axis.from_scale(chart.y)
        self.style, self.pens = style, pens
        self.canvas = Canvas(*size, style)
        self.entries: list[LegendEntry] = []
        self._lines: dict[PenKey, Dots] = {}
        layers = sorted(chart.layers, key=_z_order)
        for layer in layers:
            pen = pens.pen(layer)
            if pen is not None:
                self._paint(layer, pen)
        self._draw_letters()
        visible_orders = {order for _, order, _ in pens.keys}
        self._draw_points(
            [
                layer
                for layer in layers
                if isinstance(layer, Points)
                and (layer.order in visible_orders or not pens.hidden_count)
            ]
        )

    def _paint(self, layer: Layer, pen: Pen) -> None:
        if isinstance(layer, Line):
            self._draw_line(layer, pen)
        elif isinstance(layer, Ribbon):
            x = self.x.positions(layer.x)
            low, high = self.y.positions(layer.low), self.y.positions(layer.high)
            tint = Pen(":", colour=pen.colour)
            self.canvas.shade(ribbon_dots(x, low, high, self.canvas.shape), tint)
        elif isinstance(layer, Bars):
            self._draw_bars(layer, pen)

    def _draw_line(self, layer: Line, pen: Pen) -> None:
        x, y = self.x.positions(layer.x), self.y.positions(layer.y)
        dash = pen.dash_in(self.style)
        dots = line_dots(x, y, self.canvas.shape, steps=layer.steps, dash=dash)
        if is_guide(layer):
            for row, column in np.argwhere(self.canvas.character_mask(dots)):
                self.canvas.put(row, column, "|" if self.style.ascii_only else "│", pen.colour)
            return
        self.canvas.paint(dots, pen)
        key = self.pens.key(layer)
        if key is not None:
            self._lines[key] = self._lines.get(key, False) | self.canvas.character_mask(dots)

    def _draw_bars(self, layer: Bars, pen: Pen) -> None:
        if not len(layer.heights):
            return
        edges, baseline = self.x.positions(layer.edges), max(float(self.y.positions(0.0)), 0.0)
        heights = self.y.positions(layer.heights) - baseline
        width = self.canvas.width
        centres = (np.arange(width) + 0.5) / width
        bar_index = np.searchsorted(edges, centres, "right") - 1
        is_inside = (bar_index >= 0) & (bar_index < len(heights))
        column_heights = np.where(is_inside, heights[np.clip(bar_index, 0, len(heights) - 1)], 0.0)
        # Bars narrower than a column must not vanish between the centres of two columns.
        bar_columns = np.clip(((edges[:-1] + edges[1:]) / 2 * width).astype(np.intp), 0, width - 1)
        is_thin = (edges[1:] >= 0) & (edges[:-1] <= 1) & (np.diff(edges) * width <= 1)
        np.maximum.at(column_heights, bar_columns[is_thin], heights[is_thin])
        self.canvas.paint_bars(column_heights, pen)

    def _draw_letters(self) -> None:
        """Put the letter of each model on its line, where no other line runs."""
        if len(self.pens.keys) < 2 or self.style.ascii_only:
            return
        repeats = 3 if self.canvas.width >= 56 else 2
        line_counts = sum((cells.astype(int) for cells in self._lines.values()), start=np.array(0))
        for i, key in enumerate(self.pens.keys):
            cells = self._lines.get(key)
            if cells is None:
                continue
            is_free = cells & (self.canvas.glyphs == "")
            is_alone = is_free & (line_counts == 1)
            columns, rows = np.nonzero((is_alone if is_alone.any() else is_free)[::-1].T)
            for repeat in range(repeats if len(rows) > 4 * repeats else min(len(rows), 1)):
                fraction = (repeat + (i + 1) / (len(self.pens.keys) + 1)) / repeats
                index = int(fraction * len(rows))
                row = self.canvas.height - 1 - int(rows[index])
                self.canvas.put(row, int(columns[index]), LETTERS[i], PALETTE[i])

    def _draw_points(self, layers: Sequence[Points]) -> None:
        """Draw points in front of all other layers; several annotated points are numbered."""
        annotation_count = sum(
            bool(text)
            for layer in layers
            if _is_annotated(layer) and layer.role != "point"
            for text in layer.texts
        )
        names: list[tuple[int, int, str]] = []
        numbers = iter(
            map(str, range(1, annotation_count + 1))
            if 1 < annotation_count <= _MAX_ANNOTATIONS
            else ()
        )
        for layer in layers:
            pen = self.pens.pen(layer)
            if pen is None:
                continue
            x, y = self.x.positions(layer.x), self.y.positions(layer.y)
            if len(x) > _MAX_MARKERS:
                self._draw_dense_points(x, y, pen)
                continue
            glyph = self._glyph(layer, pen)
            texts = layer.texts if _is_annotated(layer) else ()
            if layer.label and _is_annotated(layer) and not any(texts):
                self.entries.append(LegendEntry(glyph, layer.label, pen.colour))
            for i, position in enumerate(zip(x, y, strict=True)):
                text = texts[i] if i < len(texts) else ""
                if layer.role == "point":
                    names.append((*self._put_point(position, glyph, pen), text))
                    continue
                marker = next(numbers, glyph) if text else glyph
                self._draw_point(position, marker, pen, layer, text)
        for row, column, name in names:  # after all points, so that no name covers one
            if not self._write_beside(row, column, name):
                self.entries.append(LegendEntry(str(self.canvas.glyphs[row, column]), name))
        if len(self.entries) > _MAX_ANNOTATIONS:
            rest = len(self.entries) - _MAX_ANNOTATIONS + 1
            self.entries[_MAX_ANNOTATIONS - 1 :] = [LegendEntry("", f"and {rest:,} more points")]

    def _draw_point(
        self, position: tuple[float, float], glyph: str, pen: Pen, layer: Points, text: str
    ) -> None:
        x, y = position
        if not (-1e-9 <= x <= 1 + 1e-9 and -1e-9 <= y <= 1 + 1e-9):
            return
        row, column = self._put_point(position, glyph, pen)
        key = next((k for k in self.pens.keys if k[1] == layer.order), None)
        model_note = ""
        if key in self._lines and self._lines[key][row, column] and layer.role == "mark":
            pen = self.pens.model_pen(self.pens.keys.index(key))
            model_note = f" (on {pen.stroke(self.style)})" if pen.letter else ""
            self.canvas.put(row, column, glyph, pen.colour)
        if text:
            prefix = f"{layer.label}: " if layer.label else ""
            self.entries.append(LegendEntry(glyph, f"{prefix}{text}{model_note}", pen.colour))

    def _put_point(self, position: tuple[float, float], glyph: str, pen: Pen) -> tuple[int, int]:
        """Put a glyph at a position; return its row and column."""
        x, y = position
        column = character_index(x, self.canvas.width, self.style, vertical=False)
        row = self.canvas.height - 1 - character_index(y, self.canvas.height, self.style)
        self.canvas.put(row, column, glyph, pen.colour)
        return row, column

    def _write_beside(self, row: int, column: int, text: str) -> bool:
        """Write a name beside a point, if there is room for it without covering another point."""
        name = self.style.displayable_text(text)
        size = display_width(name)
        if size != len(name):  # wide characters need more than one column
            return False
        for start in (column + 2, column - 1 - size):
            if start < 0 or start + size > self.canvas.width:
                continue
            gaps = range(max(start - 1, 0), min(start + size + 1, self.canvas.width))
            if any(self.canvas.glyphs[row, i] for i in gaps if i != column):
                continue
            for i, character in enumerate(name, start):
                self.canvas.put(row, i, character, None)
            return True
        return False

    def _glyph(self, layer: Points, pen: Pen) -> str:
        if layer.role in {"mark", "point"}:
            return "@" if self.style.ascii_only else "●"
        if self.style.ascii_only:
            return pen.character if pen.letter else "o"
        return pen.letter or "•"

    def _draw_dense_points(self, x: NDArray[np.float64], y: NDArray[np.float64], pen: Pen) -> None:
        """Draw many points as dots."""
        separate_x = np.column_stack([x, np.full_like(x, np.nan)]).ravel()
        self.canvas.paint(line_dots(separate_x, np.repeat(y, 2), self.canvas.shape), pen)

    def lines_with_axes(self, margin: int, *, x_labels: bool = True) -> list[str]:
        """Lines of the canvas with its axes; `x_labels` adds the tick labels of the x-axis."""
        side, tick = ("|", "+") if self.style.ascii_only else ("│", "┤")
        height = self.canvas.height
        labels = {
            height - 1 - character_index(t.position, height, self.style): t.text
            for t in _y_ticks(self.y, height)
        }
        lines = [
            f"{pad_cell(self._row_label(labels.get(i, ''), margin), margin, flush_left=False)} "
            f"{tick if i in labels else side}{row}".rstrip()
            for i, row in enumerate(self.canvas.text_lines())
        ]
        return lines + x_axis_lines(
            self.x, self.canvas.width, margin, self.style, x_labels=x_labels
        )

    def _row_label(self, text: str, margin: int) -> str:
        return self.style.truncate(self.style.displayable_text(text), margin)


def _y_ticks(axis: Axis, height: int) -> list[Tick]:
    """Ticks of the y-axis, as many as the height allows."""
    return axis.ticks(4 if height >= 9 else 2 if height >= 4 else 1)


def tick_label_width(axis: Axis, height: int, style: Style, limit: int) -> int:
    """Width of the tick labels of the y-axis, at most `limit`."""
    texts = [display_width(style.displayable_text(tick.text)) for tick in _y_ticks(axis, height)]
    return min(max(texts, default=1), limit)


def character_index(
    position: float, character_count: int, style: Style, *, vertical: bool = True
) -> int:
    """Index of the plotting area's character that contains a position from 0 to 1."""
    dots = character_count if style.ascii_only else character_count * (4 if vertical else 2)
    return int(
        np.clip(round(position * (dots - 1)) // (dots // character_count), 0, character_count - 1)
    )


def x_axis_lines(
    axis: Axis, width: int, margin: int, style: Style, *, x_labels: bool = True
) -> list[str]:
    """Text lines of the x-axis: a rule with ticks, and the tick labels below it."""
    corner, rule, mark = ("+", "-", "+") if style.ascii_only else ("└", "─", "┬")
    line, label_row, end = [rule] * width, [" "] * (margin + 2 + width), -1
    texts = []
    for tick in axis.ticks(max(width // 11, 2)):
        text = style.truncate(style.displayable_text(tick.text), max(width // 2, 4))
        column = character_index(tick.position, width, style, vertical=False)
        length = display_width(text)
        start = min(max(margin + 2 + column - (length - 1) // 2, 0), len(label_row) - length)
        if start <= end:
            continue
        end = start + length
        line[column] = rule if style.ascii_only and not column else mark  # not "++"
        texts.append((start, text))
    if not x_labels:
        return [" " * (margin + 1) + corner + rule * width]
    labels = ""
    for start, text in texts:
        labels = pad_cell(labels, start) + text
    return [" " * (margin + 1) + corner + "".join(line), labels]


def centred_label(text: str, style: Style, centre: int, width: int) -> list[str]:
    """Lines of an axis label, centred below the plotting area; a long label may be wider."""
    lines = style.wrap(style.displayable_text(text, 200), width)
    starts = (
        min(max(centre - display_width(line) // 2, 0), width - display_width(line))
        for line in lines
    )
    return [" " * start + line for start, line in zip(starts, lines, strict=True)]


def _is_annotated(layer: Points) -> bool:
    """Whether the legend lists the annotations of a layer, as for marks but not for bins."""
    return layer.role in {"mark", "hull", "iso", "point"}


def _z_order(layer: Layer) -> int:
    if isinstance(layer, Ribbon | Bars):
        return 0
    role = layer.role if isinstance(layer, Line) else ""
    return _Z_ORDERS.get(role, 3)
