"""Values with their intervals, one below the other, beside their names."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tradeoff.presentation.charts.chart import Line, Ranges
from tradeoff.presentation.terminal.legend import Entry, Pens, legend
from tradeoff.presentation.terminal.plane import cell_at, centred, floor_lines
from tradeoff.presentation.terminal.scales import Side
from tradeoff.text import number, padded, width_of

if TYPE_CHECKING:
    from tradeoff.presentation.charts.chart import Chart, Scale
    from tradeoff.presentation.terminal.writing import Style


@dataclass(frozen=True)
class Ruler:
    """The measured side as columns of characters; guides are upright lines across all rows."""

    side: Side
    span: int
    style: Style
    guides: frozenset[int] = frozenset()

    def column(self, place: float) -> int:
        """The column of a place; the last one there is for what lies beyond."""
        return cell_at(min(max(place, 0.0), 1.0), self.span, self.style, upright=False)

    def drawn(self, value: float, low: float, high: float) -> str:
        """An interval with its value; an end beyond the side is an arrow."""
        signs = _ASCII if self.style.ascii_only else _UNICODE
        cells = [signs.guide if column in self.guides else " " for column in range(self.span)]
        at, start, end = (float(place) for place in self.side.units([value, low, high]))
        start, end = min(start, end), max(start, end)
        if start <= 1 and end >= 0:  # neither is NaN
            first, last = self.column(start), self.column(end)
            for column in range(first, last + 1):
                cells[column] = signs.crossed if column in self.guides else signs.rule
            cells[first] = signs.left if start >= 0 else signs.less
            cells[last] = signs.right if end <= 1 else signs.more
        if not math.isnan(at):
            cells[self.column(at)] = signs.less if at < 0 else signs.more if at > 1 else signs.dot
        return "".join(cells)


class Signs(NamedTuple):
    """The characters of an interval."""

    left: str
    rule: str
    right: str
    dot: str
    less: str
    more: str
    guide: str
    crossed: str


_UNICODE = Signs(*"├─┤●◂▸┊┼")
_ASCII = Signs(*"[-]o<>:+")


def forest_lines(chart: Chart, style: Style, width: int) -> tuple[list[str], list[Entry]]:
    """The lines of a forest plot, and its legend."""
    named, measured = (chart.x, chart.y) if chart.x.kind == "names" else (chart.y, chart.x)
    pens = Pens.of(chart.layers)
    layers = [
        (layer, pen)
        for layer in chart.layers
        if isinstance(layer, Ranges) and (pen := pens.pen(layer)) is not None
    ]
    names = _names(named, [layer for layer, _ in layers], style, max(width // 3, 8))
    texts = [[_written(layer, at) for layer, _ in layers] for at in range(len(names))]
    longest = max((width_of(text) for row in texts for text in row), default=0)
    letters = [f" {pen.letter}" if len(layers) > 1 else "" for _, pen in layers]
    margin = max(map(width_of, names), default=0)
    whole = margin + len(letters[0])
    room = width - whole - 2
    beside = room - longest - 2 >= 24
    ruler = Ruler(Side.of(measured), room - longest - 2 if beside else room, style)
    ruler = replace(ruler, guides=_guides(chart, ruler))
    bar = "|" if style.ascii_only else "│"
    lines = []
    for at, name in enumerate(names):
        for turn, (layer, pen) in enumerate(layers):
            first = padded("" if turn else name, margin) + letters[turn]
            field = ruler.drawn(*_parts(layer, at)).rstrip()
            text = " " * (ruler.span + 2 - len(field)) + texts[at][turn] if beside else ""
            lines.append(f"{first} {bar}{style.painted(field, pen.colour)}{text}".rstrip())
    lines += floor_lines(ruler.side, ruler.span, whole, style)
    middle = whole + 2 + ruler.span // 2
    return lines + centred(measured.label, style, middle, width), _entries(chart, pens, style)


def _entries(chart: Chart, pens: Pens, style: Style) -> list[Entry]:
    guide = (_ASCII if style.ascii_only else _UNICODE).guide
    lines = {layer.label for layer in chart.layers if isinstance(layer, Line)}
    return [
        replace(entry, sample=guide) if entry.text in lines else entry
        for entry in legend(chart.layers, pens, style)
    ]


def _names(scale: Scale, layers: list[Ranges], style: Style, most: int) -> list[str]:
    places = max((len(layer.value) for layer in layers), default=0)
    names = [*scale.names, *([""] * places)][:places]
    return [style.cut(style.shown(name), most) for name in names]


def _parts(layer: Ranges, at: int) -> tuple[float, float, float]:
    if at >= len(layer.value):
        return math.nan, math.nan, math.nan
    return float(layer.value[at]), float(layer.low[at]), float(layer.high[at])


def _written(layer: Ranges, at: int) -> str:
    value, low, high = _parts(layer, at)
    if math.isnan(low) or math.isnan(high):
        return number(value)
    return f"{number(value)} ({number(low)} to {number(high)})"


def _guides(chart: Chart, ruler: Ruler) -> frozenset[int]:
    """Columns of upright lines, such as the one of no difference."""
    lines = [layer for layer in chart.layers if isinstance(layer, Line) and len(layer.x)]
    across = [line.y if chart.x.kind == "names" else line.x for line in lines]
    places = [ruler.side.units(values) for values in across]
    level = [float(p[0]) for p in places if (p == p[0]).all()]
    return frozenset(ruler.column(place) for place in level if 0 <= place <= 1)
