"""Tables in a terminal: values with their intervals, and matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat, zip_longest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tradeoff.render.chart import Cells, Chart, Line, Ranges, Scale
from tradeoff.render.terminal.legend import Entry, Pens, legend
from tradeoff.render.terminal.plane import Side, cell_at, centred, floor_lines
from tradeoff.text import number, padded, share, width_of

if TYPE_CHECKING:
    from tradeoff.render.terminal.draw import Style


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


# A confusion matrix: counts in aligned columns, or one shade a cell where classes are many.


_BLOCKS = 3
_FEW = 12
_DARKER = (0.0, 0.1, 0.25, 0.5, 0.75)


class Table:
    """A table while it is written: its names cut to size, its texts, the room for columns."""

    def __init__(self, chart: Chart, cells: Cells, style: Style, width: int) -> None:
        rows, columns = cells.shares.shape
        self.style, self.width, self.shares = style, width, cells.shares
        self.across = style.shown(chart.x.label)
        self.corner = style.cut(style.shown(chart.y.label), width // 3)
        self.heads = [style.shown(name) for name in _filled(chart.x.names, columns)]
        most = max(width // 4, 6)
        self.names = [style.cut(style.shown(name), most) for name in _filled(chart.y.names, rows)]
        self.margin = max(map(width_of, [self.corner, *self.names]))
        self.room = width - self.margin - 3
        told = any("%" in text for row in cells.texts for text in row) or max(rows, columns) > _FEW
        self.texts = [
            [self._parts(text, math.nan if told else float(part)) for text, part in pair]
            for pair in (
                zip(row, shares, strict=True)
                for row, shares in zip(cells.texts, cells.shares, strict=True)
            )
        ]
        self.needed = max(width_of(part) for row in self.texts for cell in row for part in cell)
        self.bar, self.rule, self.cross = ("|", "-", "+") if style.ascii_only else ("│", "─", "┼")

    def lines(self) -> list[str]:
        """The table; one that is too wide goes on below, a far too wide one becomes shades."""
        columns = len(self.heads)
        fit = self.room // (max(self.needed, 3) + 3)
        if fit < 1 or columns > fit * _BLOCKS:
            return self._shades()
        lines: list[str] = []
        for start in range(0, columns, fit):
            lines += [""] if lines else []
            lines += self._block(slice(start, start + fit))
        return lines

    def _block(self, columns: slice) -> list[str]:
        shown = self.heads[columns]
        most = max(self.room // len(shown) - 3, self.needed)
        shown = [self.style.cut(name, most) for name in shown]
        wide = max(self.needed, *map(width_of, shown))
        lines = [" " * (self.margin + 3) + self.style.cut(self.across, self.room)]
        lines.append(self._line(self.corner, shown, wide))
        rule = self.rule * (self.margin + 1) + self.cross
        lines.append(rule + self.rule * (len(shown) * (wide + 2) - 1))
        for name, row in zip(self.names, self.texts, strict=True):
            parts = zip_longest(*row[columns], fillvalue="")
            firsts = chain([name], repeat(""))
            lines += [self._line(first, part, wide) for part, first in zip(parts, firsts)]  # noqa: B905
        return lines

    def _line(self, first: str, cells: Sequence[str], wide: int) -> str:
        inside = "  ".join(padded(cell, wide, flush_left=False) for cell in cells)
        return f"{padded(first, self.margin)} {self.bar} {inside}".rstrip()

    def _parts(self, text: str, part: float) -> list[str]:
        """What stands in a cell, line by line, and its share if it is not told otherwise."""
        parts = [self.style.shown(line, 24) for line in text.splitlines() or [""]]
        return parts if math.isnan(part) else [*parts, share(part)]

    def _shades(self) -> list[str]:
        """One character a cell, the darker the larger its share."""
        tones = " .:+*#" if self.style.ascii_only else " ·░▒▓█"
        darkness = np.searchsorted(_DARKER, np.nan_to_num(self.shares))
        margin = max(map(width_of, self.names))
        room = self.width - margin - 3
        lines: list[str] = []
        columns = len(self.heads)
        for start in range(0, columns, room):
            end = min(start + room, columns)
            head = f"{self.across}: {start + 1:,} to {end:,}, in the order of the lines"
            lines += ["", *self.style.wrapped(head, self.width)][not lines :]
            for name, row in zip(self.names, darkness[:, start:end], strict=True):
                tinted = "".join(tones[tone] for tone in row)
                lines.append(f"{padded(name, margin)} {self.bar} {tinted}".rstrip())
        steps = [f"{t} above {100 * d:g} %" for t, d in zip(tones[1:], _DARKER, strict=True)]
        return [*lines, "", *self.style.wrapped(", ".join(steps), self.width)]


def _filled(names: Sequence[str], places: int) -> list[str]:
    return [*names, *([""] * places)][:places]
