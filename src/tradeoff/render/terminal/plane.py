"""Lines, ribbons, points and bars between two sides, and the round numbers beside these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.render.chart import Bars, Chart, Layer, Line, Points, Ribbon
from tradeoff.render.terminal.canvas import Canvas, Pen, line_dots, ribbon_dots
from tradeoff.render.terminal.legend import LETTERS, PALETTE, Entry, Key, Pens, is_guide
from tradeoff.text import padded, width_of

if TYPE_CHECKING:
    from tradeoff.render.chart import Kind, Scale
    from tradeoff.render.terminal.draw import Style

    Dots = NDArray[np.bool_]

FAR = 1e3
"""Infinity in units of a side: far outside, so that lines run out of the picture."""

# Probabilities worth writing, the most telling first.
_PROBABILITIES = (
    *(0.5, 0.1, 0.9, 0.01, 0.99, 0.001, 0.999, 0.2, 0.8, 0.05, 0.95, 0.02, 0.98, 0.005, 0.995),
    *(0.3, 0.7, 0.4, 0.6, 0.0001, 0.9999, 0.002, 0.998, 0.00001, 0.99999),
)


@dataclass(frozen=True)
class Tick:
    """A number beside a side: its place from 0 to 1 and how it is written."""

    place: float
    text: str


@dataclass(frozen=True)
class Side:
    """A scale with usable ends: the first and the last value, as they are spaced.

    Example:
        >>> from tradeoff.render.chart import Scale
        >>> side = Side.of(Scale("depth", 0, 1, "share"))
        >>> side.units(np.array([0.25])), [tick.text for tick in side.ticks(4)]
        (array([0.25]), ['0 %', '25 %', '50 %', '75 %', '100 %'])
    """

    kind: Kind
    low: float
    high: float
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, scale: Scale) -> Side:
        """The ends of a scale; where it has none that can be drawn, the nearest that can."""
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
        first, last = (float(end) for end in _spaced(np.array([low, high]), scale.kind))
        if first == last:
            first, last = first - 0.5, last + 0.5
        return cls(scale.kind, first, last, scale.names)

    def units(self, values: Any) -> NDArray[np.float64]:
        """Values as places: 0 is the low end and 1 the high one; outside is beyond."""
        spaced = _spaced(np.asarray(values, np.float64), self.kind)
        return np.clip((spaced - self.low) / (self.high - self.low), -FAR, FAR)

    def ticks(self, wanted: int) -> list[Tick]:
        """Round numbers within the side: about as many as wanted, rising."""
        if self.kind == "names":
            return [Tick(float(self.units(at)), name) for at, name in enumerate(self.names)]
        if self.kind == "normal":
            return self._probabilities(wanted)
        if self.kind == "log":
            return self._powers(wanted)
        return self._even(wanted)

    def _even(self, wanted: int) -> list[Tick]:
        """Round numbers, at least two: one alone does not say how far apart they are."""
        return next(
            (found for more in range(4) if len(found := self._spread(wanted + more)) > 1),
            [],
        )

    def _spread(self, wanted: int) -> list[Tick]:
        low, high = sorted((self.low, self.high))
        rough = (high - low) / max(wanted, 1)
        size = 10.0 ** math.floor(math.log10(rough))
        factors = (1, 2, 2.5, 5, 10) if self.kind == "share" else (1, 2, 5, 10)
        step = next(f * size for f in factors if f * size >= rough * (1 - 1e-9))
        values = step * np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        return sorted(
            (
                Tick(float(self.units(value)), self._written(float(value) + 0.0, step))
                for value in values
            ),
            key=lambda tick: tick.place,
        )

    def _written(self, value: float, step: float) -> str:
        if self.kind == "share":
            value, step = 100 * value, 100 * step
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        digits += not math.isclose(round(step, digits), step, rel_tol=1e-6)
        largest = max(abs(self.low), abs(self.high))
        if self.kind == "share":
            return f"{value:.{digits}f} %"
        return f"{value:.4g}" if largest >= 1e7 or digits > 5 else f"{value:,.{digits}f}"

    def _powers(self, wanted: int) -> list[Tick]:
        low, high = sorted((self.low, self.high))
        powers = np.arange(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        if len(powers) < 2:  # within one power of ten: round numbers, unevenly spaced
            even = Side("plain", 10.0**self.low, 10.0**self.high)
            values = [even.low + t.place * (even.high - even.low) for t in even.ticks(wanted)]
        else:
            every = -(-len(powers) // max(wanted + 1, 2))
            values = [10.0**power for power in powers[::every]]
        return [
            Tick(float(self.units(v)), f"{v:,.0f}" if 1000 <= v < 1e6 else f"{v:.3g}")
            for v in values
            if v > 0
        ]

    def _probabilities(self, wanted: int) -> list[Tick]:
        kept: list[Tick] = []
        for value in _PROBABILITIES:
            place = float(self.units(value))
            apart = all(abs(place - other.place) > 0.8 / max(wanted, 1) for other in kept)
            if -1e-9 <= place <= 1 + 1e-9 and apart:
                kept.append(Tick(place, f"{100 * value:.6g} %"))
        return sorted(kept, key=lambda tick: tick.place)


def _spaced(values: NDArray[np.float64], kind: Kind) -> NDArray[np.float64]:
    """Values as a scale spaces them; what it cannot show is infinitely far away."""
    if kind == "log":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(
                values > 0, np.log10(values), np.where(np.isnan(values), values, -np.inf)
            )
    if kind == "normal":
        from scipy.special import ndtri

        return np.asarray(ndtri(np.clip(values, 0, 1)))
    return values


_BEHIND = {"fold": 1, "chance": 1, "ideal": 1, "iso": 1, "hull": 2}
_FEW = 60
_MOST_TOLD = 9


class Plane:
    """A chart while it is drawn: its sides, the field, and what the legend must add."""

    def __init__(self, chart: Chart, pens: Pens, style: Style, size: tuple[int, int]) -> None:
        self.x, self.y = Side.of(chart.x), Side.of(chart.y)
        self.style, self.pens = style, pens
        self.canvas = Canvas(*size, style)
        self.entries: list[Entry] = []
        self._lines: dict[Key, Dots] = {}
        layers = sorted(chart.layers, key=_depth)
        for layer in layers:
            pen = pens.pen(layer)
            if pen is not None:
                self._paint(layer, pen)
        self._letters()
        drawn = {order for _, order, _ in pens.keys}
        self._points(
            [
                layer
                for layer in layers
                if isinstance(layer, Points) and (layer.order in drawn or not pens.hidden)
            ]
        )

    def _paint(self, layer: Layer, pen: Pen) -> None:
        if isinstance(layer, Line):
            self._line(layer, pen)
        elif isinstance(layer, Ribbon):
            x = self.x.units(layer.x)
            low, high = self.y.units(layer.low), self.y.units(layer.high)
            tint = Pen(":", colour=pen.colour)
            self.canvas.shade(ribbon_dots(x, low, high, self.canvas.shape), tint)
        elif isinstance(layer, Bars):
            self._bars(layer, pen)

    def _line(self, layer: Line, pen: Pen) -> None:
        x, y = self.x.units(layer.x), self.y.units(layer.y)
        dash = pen.dash_in(self.style)
        dots = line_dots(x, y, self.canvas.shape, steps=layer.steps, dash=dash)
        if is_guide(layer):
            for row, column in np.argwhere(self.canvas.cells(dots)):
                self.canvas.put(row, column, "|" if self.style.ascii_only else "│", pen.colour)
            return
        self.canvas.paint(dots, pen)
        key = self.pens.key(layer)
        if key is not None:
            self._lines[key] = self._lines.get(key, False) | self.canvas.cells(dots)

    def _bars(self, layer: Bars, pen: Pen) -> None:
        if not len(layer.heights):
            return
        edges, floor = self.x.units(layer.edges), max(float(self.y.units(0.0)), 0.0)
        heights = self.y.units(layer.heights) - floor
        width = self.canvas.width
        middles = (np.arange(width) + 0.5) / width
        own = np.searchsorted(edges, middles, "right") - 1
        inside = (own >= 0) & (own < len(heights))
        columns = np.where(inside, heights[np.clip(own, 0, len(heights) - 1)], 0.0)
        # Bars thinner than a column must not vanish between two middles.
        thin = np.clip(((edges[:-1] + edges[1:]) / 2 * width).astype(np.intp), 0, width - 1)
        shown = (edges[1:] >= 0) & (edges[:-1] <= 1) & (np.diff(edges) * width <= 1)
        np.maximum.at(columns, thin[shown], heights[shown])
        self.canvas.fill(columns, pen)

    def _letters(self) -> None:
        """Each of several lines has its letter where it runs alone."""
        if len(self.pens.keys) < 2 or self.style.ascii_only:
            return
        several = 3 if self.canvas.width >= 56 else 2
        total = sum((cells.astype(int) for cells in self._lines.values()), start=np.array(0))
        for at, key in enumerate(self.pens.keys):
            cells = self._lines.get(key)
            if cells is None:
                continue
            free = cells & (self.canvas.glyphs == "")
            alone = free & (total == 1)
            columns, rows = np.nonzero((alone if alone.any() else free)[::-1].T)
            for turn in range(several if len(rows) > 4 * several else min(len(rows), 1)):
                share = (turn + (at + 1) / (len(self.pens.keys) + 1)) / several
                place = int(share * len(rows))
                row = self.canvas.height - 1 - int(rows[place])
                self.canvas.put(row, int(columns[place]), LETTERS[at], PALETTE[at])

    def _points(self, layers: Sequence[Points]) -> None:
        """Points, in front of all else; chosen ones are numbered if there are several."""
        told = sum(bool(text) for layer in layers if _is_told(layer) for text in layer.texts)
        numbers = iter(map(str, range(1, told + 1)) if 1 < told <= _MOST_TOLD else ())
        for layer in layers:
            pen = self.pens.pen(layer)
            if pen is None:
                continue
            x, y = self.x.units(layer.x), self.y.units(layer.y)
            if len(x) > _FEW:
                self._crowd(x, y, pen)
                continue
            glyph = self._glyph(layer, pen)
            texts = layer.texts if _is_told(layer) else ()
            if layer.label and _is_told(layer) and not any(texts):
                self.entries.append(Entry(glyph, layer.label, pen.colour))
            for at, place in enumerate(zip(x, y, strict=True)):
                text = texts[at] if at < len(texts) else ""
                own = next(numbers, glyph) if text else glyph
                self._point(place, own, pen, layer, text)
        if len(self.entries) > _MOST_TOLD:
            rest = len(self.entries) - _MOST_TOLD + 1
            self.entries[_MOST_TOLD - 1 :] = [Entry("", f"and {rest:,} more points")]

    def _point(
        self, place: tuple[float, float], glyph: str, pen: Pen, layer: Points, text: str
    ) -> None:
        x, y = place
        if not (-1e-9 <= x <= 1 + 1e-9 and -1e-9 <= y <= 1 + 1e-9):
            return
        column = cell_at(x, self.canvas.width, self.style, upright=False)
        row = self.canvas.height - 1 - cell_at(y, self.canvas.height, self.style)
        own = next((k for k in self.pens.keys if k[1] == layer.order), None)
        where = ""
        if own in self._lines and self._lines[own][row, column] and layer.role == "mark":
            pen = self.pens.model(self.pens.keys.index(own))
            where = f" (on {pen.stroke(self.style)})" if pen.letter else ""
        self.canvas.put(row, column, glyph, pen.colour)
        if text:
            what = f"{layer.label}: " if layer.label else ""
            self.entries.append(Entry(glyph, f"{what}{text}{where}", pen.colour))

    def _glyph(self, layer: Points, pen: Pen) -> str:
        if layer.role == "mark":
            return "@" if self.style.ascii_only else "●"
        if self.style.ascii_only:
            return pen.character if pen.letter else "o"
        return pen.letter or "•"

    def _crowd(self, x: NDArray[np.float64], y: NDArray[np.float64], pen: Pen) -> None:
        """Many points are dots."""
        apart = np.column_stack([x, np.full_like(x, np.nan)]).ravel()
        self.canvas.paint(line_dots(apart, np.repeat(y, 2), self.canvas.shape), pen)

    def framed(self, margin: int, *, numbers: bool = True) -> list[str]:
        """The field with its sides; `numbers` are those below it."""
        side, tick = ("|", "+") if self.style.ascii_only else ("│", "┤")
        height = self.canvas.height
        marks = {
            height - 1 - cell_at(t.place, height, self.style): t.text
            for t in _y_ticks(self.y, height)
        }
        lines = [
            f"{padded(self._name(marks.get(at, ''), margin), margin, flush_left=False)} "
            f"{tick if at in marks else side}{row}".rstrip()
            for at, row in enumerate(self.canvas.rows())
        ]
        return lines + floor_lines(self.x, self.canvas.width, margin, self.style, numbers=numbers)

    def _name(self, text: str, margin: int) -> str:
        return self.style.cut(self.style.shown(text), margin)


def _y_ticks(side: Side, height: int) -> list[Tick]:
    """The numbers beside the field, as many as its height allows."""
    return side.ticks(4 if height >= 9 else 2 if height >= 4 else 1)


def margin_of(side: Side, height: int, style: Style, most: int) -> int:
    """How much room the numbers beside the field need."""
    texts = [width_of(style.shown(tick.text)) for tick in _y_ticks(side, height)]
    return min(max(texts, default=1), most)


def cell_at(place: float, cells: int, style: Style, *, upright: bool = True) -> int:
    """The character in which a place lies: that of its dot."""
    dots = cells if style.ascii_only else cells * (4 if upright else 2)
    return int(np.clip(round(place * (dots - 1)) // (dots // cells), 0, cells - 1))


def floor_lines(
    side: Side, width: int, margin: int, style: Style, *, numbers: bool = True
) -> list[str]:
    """The lower side: a rule with marks and the numbers below it."""
    corner, rule, mark = ("+", "-", "+") if style.ascii_only else ("└", "─", "┬")
    line, below, end = [rule] * width, [" "] * (margin + 2 + width), -1
    texts = []
    for tick in side.ticks(max(width // 11, 2)):
        text = style.cut(style.shown(tick.text), max(width // 2, 4))
        column = cell_at(tick.place, width, style, upright=False)
        long = width_of(text)
        start = min(max(margin + 2 + column - (long - 1) // 2, 0), len(below) - long)
        if start <= end:
            continue
        end = start + long
        line[column] = rule if style.ascii_only and not column else mark  # "++" is no corner
        texts.append((start, text))
    if not numbers:
        return [" " * (margin + 1) + corner + rule * width]
    written = ""
    for start, text in texts:
        written = padded(written, start) + text
    return [" " * (margin + 1) + corner + "".join(line), written]


def centred(text: str, style: Style, middle: int, width: int) -> list[str]:
    """A label below the middle of the field; a long one may reach beyond it."""
    lines = style.wrapped(style.shown(text, 200), width)
    starts = (min(max(middle - width_of(line) // 2, 0), width - width_of(line)) for line in lines)
    return [" " * start + line for start, line in zip(starts, lines, strict=True)]


def _is_told(layer: Points) -> bool:
    """Whether the legend tells the texts of points: of chosen ones, not of every bin."""
    return layer.role in {"mark", "hull", "iso"}


def _depth(layer: Layer) -> int:
    if isinstance(layer, Ribbon | Bars):
        return 0
    role = layer.role if isinstance(layer, Line) else ""
    return _BEHIND.get(role, 3)
