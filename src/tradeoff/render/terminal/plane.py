"""Plotting area of a text chart: lines, ribbons, points and bars between two axes with ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.formatting import display_width, pad_cell
from tradeoff.render.chart import Bars, Chart, Layer, Line, Points, Ribbon
from tradeoff.render.terminal.canvas import Canvas, Pen, line_dots, ribbon_dots
from tradeoff.render.terminal.legend import LETTERS, PALETTE, LegendEntry, PenKey, Pens, is_guide

if TYPE_CHECKING:
    from tradeoff.render.chart import Scale, ScaleKind
    from tradeoff.render.terminal.draw import Style

    Dots = NDArray[np.bool_]

OFF_SCALE_POSITION = 1e3
"""Position of infinity on an axis: far outside, so that lines leave the plotting area."""

# Ticks of a normal quantile scale, the most important first.
_QUANTILE_TICKS = (
    *(0.5, 0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.2, 0.8, 0.05, 0.95, 0.02, 0.98, 0.005, 0.995),
    *(0.3, 0.7, 0.4, 0.6, 0.0001, 0.9999, 0.002, 0.998, 0.00001, 0.99999),
)


@dataclass(frozen=True)
class Tick:
    """Tick of an axis: its position from 0 to 1 and its label."""

    position: float
    text: str


@dataclass(frozen=True)
class Axis:
    """Axis of a text chart: a scale whose limits are finite and already transformed.

    Example:
        >>> from tradeoff.render.chart import Scale
        >>> axis = Axis.from_scale(Scale("depth", 0, 1, "share"))
        >>> axis.positions(np.array([0.25])), [tick.text for tick in axis.ticks(4)]
        (array([0.25]), ['0%', '25%', '50%', '75%', '100%'])
    """

    kind: ScaleKind
    low: float
    high: float
    names: tuple[str, ...] = ()

    @classmethod
    def from_scale(cls, scale: Scale) -> Axis:
        """Axis for a scale; limits that cannot be drawn are replaced by nearby ones that can."""
        low, high = scale.low, scale.high
        if scale.kind == "names":
            low, high = -0.5, max(len(scale.names), 1) - 0.5
        elif not (math.isfinite(low) and math.isfinite(high)):
            low, high = 0.0, 1.0
        if scale.kind == "log":
            high = high if high > 0 else 1.0
            low = low if low > 0 else high / 1000
        if scale.kind == "normal":
            low, high = (
                min(max(end, 0.001), 0.999) if end <= 0 or end >= 1 else end for end in (low, high)
            )
        first, last = (float(end) for end in _transform(np.array([low, high]), scale.kind))
        if first == last:
            first, last = first - 0.5, last + 0.5
        return cls(scale.kind, first, last, scale.names)

    def positions(self, values: Any) -> NDArray[np.float64]:
        """Positions of values: 0 at the lower limit, 1 at the upper; below 0 or above 1 outside."""
        transformed = _transform(np.asarray(values, np.float64), self.kind)
        return np.clip(
            (transformed - self.low) / (self.high - self.low),
            -OFF_SCALE_POSITION,
            OFF_SCALE_POSITION,
        )

    def ticks(self, target_count: int) -> list[Tick]:
        """Ticks at round values, about `target_count` of them, in ascending order."""
        if self.kind == "names":
            return [Tick(float(self.positions(i)), name) for i, name in enumerate(self.names)]
        if self.kind == "normal":
            return self._quantile_ticks(target_count)
        if self.kind == "log":
            return self._log_ticks(target_count)
        return self._two_or_more_ticks(target_count)

    def _two_or_more_ticks(self, target_count: int) -> list[Tick]:
        """Linear ticks, at least two, as a single one does not show the scale."""
        return next(
            (
                ticks
                for extra in range(4)
                if len(ticks := self._linear_ticks(target_count + extra)) > 1
            ),
            [],
        )

    def _linear_ticks(self, target_count: int) -> list[Tick]:
        low, high = sorted((self.low, self.high))
        rough_step = (high - low) / max(target_count, 1)
        size = 10.0 ** math.floor(math.log10(rough_step))
        factors = (1, 2, 2.5, 5, 10) if self.kind == "share" else (1, 2, 5, 10)
        step = next(f * size for f in factors if f * size >= rough_step * (1 - 1e-9))
        values = step * np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        return sorted(
            (
                Tick(float(self.positions(value)), self._tick_label(float(value) + 0.0, step))
                for value in values
            ),
            key=lambda tick: tick.position,
        )

    def _tick_label(self, value: float, step: float) -> str:
        if self.kind == "share":
            value, step = 100 * value, 100 * step
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        digits += not math.isclose(round(step, digits), step, rel_tol=1e-6)
        largest = max(abs(self.low), abs(self.high))
        if self.kind == "share":
            return f"{value:.{digits}f}%"
        return f"{value:.4g}" if largest >= 1e7 or digits > 5 else f"{value:,.{digits}f}"

    def _log_ticks(self, target_count: int) -> list[Tick]:
        low, high = sorted((self.low, self.high))
        powers = np.arange(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        if len(powers) < 2:  # within one power of ten: round numbers
            linear_axis = Axis("plain", 10.0**self.low, 10.0**self.high)
            values = [
                linear_axis.low + t.position * (linear_axis.high - linear_axis.low)
                for t in linear_axis.ticks(target_count)
            ]
        else:
            stride = -(-len(powers) // max(target_count + 1, 2))
            values = [10.0**power for power in powers[::stride]]
        return [
            Tick(float(self.positions(v)), f"{v:,.0f}" if 1000 <= v < 1e6 else f"{v:.3g}")
            for v in values
            if v > 0
        ]

    def _quantile_ticks(self, target_count: int) -> list[Tick]:
        ticks: list[Tick] = []
        for value in _QUANTILE_TICKS:
            position = float(self.positions(value))
            is_separate = all(
                abs(position - other.position) > 0.8 / max(target_count, 1) for other in ticks
            )
            if -1e-9 <= position <= 1 + 1e-9 and is_separate:
                ticks.append(Tick(position, f"{100 * value:.6g}%"))
        return sorted(ticks, key=lambda tick: tick.position)


def _transform(values: NDArray[np.float64], kind: ScaleKind) -> NDArray[np.float64]:
    """Values transformed for a kind of scale; values that it cannot show become infinite."""
    if kind == "log":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(
                values > 0, np.log10(values), np.where(np.isnan(values), values, -np.inf)
            )
    if kind == "normal":
        from scipy.special import ndtri

        return np.asarray(ndtri(np.clip(values, 0, 1)))
    return values


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
            bool(text) for layer in layers if _is_annotated(layer) for text in layer.texts
        )
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
                marker = next(numbers, glyph) if text else glyph
                self._draw_point(position, marker, pen, layer, text)
        if len(self.entries) > _MAX_ANNOTATIONS:
            rest = len(self.entries) - _MAX_ANNOTATIONS + 1
            self.entries[_MAX_ANNOTATIONS - 1 :] = [LegendEntry("", f"and {rest:,} more points")]

    def _draw_point(
        self, position: tuple[float, float], glyph: str, pen: Pen, layer: Points, text: str
    ) -> None:
        x, y = position
        if not (-1e-9 <= x <= 1 + 1e-9 and -1e-9 <= y <= 1 + 1e-9):
            return
        column = character_index(x, self.canvas.width, self.style, vertical=False)
        row = self.canvas.height - 1 - character_index(y, self.canvas.height, self.style)
        key = next((k for k in self.pens.keys if k[1] == layer.order), None)
        model_note = ""
        if key in self._lines and self._lines[key][row, column] and layer.role == "mark":
            pen = self.pens.model_pen(self.pens.keys.index(key))
            model_note = f" (on {pen.stroke(self.style)})" if pen.letter else ""
        self.canvas.put(row, column, glyph, pen.colour)
        if text:
            prefix = f"{layer.label}: " if layer.label else ""
            self.entries.append(LegendEntry(glyph, f"{prefix}{text}{model_note}", pen.colour))

    def _glyph(self, layer: Points, pen: Pen) -> str:
        if layer.role == "mark":
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
    """Index of the character that contains a position from 0 to 1."""
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
    return layer.role in {"mark", "hull", "iso"}


def _z_order(layer: Layer) -> int:
    if isinstance(layer, Ribbon | Bars):
        return 0
    role = layer.role if isinstance(layer, Line) else ""
    return _Z_ORDERS.get(role, 3)
