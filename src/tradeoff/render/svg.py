"""Charts drawn as small SVG pictures for notebooks, without any other package.

Text and axes have the colour of the surrounding text, so that pictures suit dark pages.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.formatting import printable
from tradeoff.render.axes import Axis
from tradeoff.render.chart import Bars, Cells, Chart, Intervals, Layer, Line, Points, Ribbon
from tradeoff.text_layout import display_width, wrap_sentences

if TYPE_CHECKING:
    from tradeoff.render.chart import Scale

    Floats = NDArray[np.float64]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Colours of Okabe and Ito (2008), as in the matplotlib charts; the seventh is that of the text."""
DASHES = ("", "7 3", "9 3 3 3", "3 2", "12 3")
GREY = "#8A8A8A"
REFERENCE_STYLES = {
    "fold": f'stroke="{GREY}" stroke-width="0.8"',
    "chance": f'stroke="{GREY}" stroke-dasharray="5 4"',
    "ideal": f'stroke="{GREY}" stroke-dasharray="1 3"',
    "hull": 'stroke="currentColor" stroke-width="1.2" stroke-dasharray="10 2"',
    "iso": 'stroke="currentColor" stroke-dasharray="4 2 1 2"',
    "mark": 'stroke="currentColor" stroke-width="1.2"',
}
UNITS_PER_PIXEL = 2
"""Lines are rounded to half pixels, which bounds the size of a picture."""
CHARACTER_WIDTH, LINE_HEIGHT = 6.3, 15
MAX_LEGEND_ENTRIES = 12
MAX_NAME_LENGTH, MAX_TITLE_LENGTH = 60, 200
MAX_CELLS = 30
"""Larger tables of cells are shaded but have no numbers."""


def chart_svg(chart: Chart, *, width: int = 440, with_caption: bool = True) -> str:
    """Chart as an SVG element of this width, with its title, legend and caption.

    Example:
        >>> from tradeoff.render.chart import Chart, Line, Scale
        >>> line = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), label="a < b")
        >>> picture = chart_svg(Chart("ROC", Scale("fpr", 0, 1), Scale("tpr", 0, 1), (line,)))
        >>> picture.startswith("<svg"), "a &lt; b" in picture
        (True, True)
    """
    title_lines = _title_lines(chart.title, width)
    frame = _Frame.for_chart(chart, width, (len(title_lines) - 1) * LINE_HEIGHT)
    body = [*_axes(chart, frame)]
    for layer in sorted(chart.layers, key=_z_order):
        body += _draw(layer, frame)
    top = frame.top + frame.height + 2.9 * LINE_HEIGHT + frame.x_margin
    legend, top = _legend(chart, frame, top)
    body += legend
    if with_caption and chart.caption:
        columns = int(width / (0.88 * CHARACTER_WIDTH))
        for line in textwrap.wrap(printable(chart.caption, 1000), columns):
            body.append(_text(4, top, line, size=10, opacity=0.7))
            top += LINE_HEIGHT - 2
    height = round(top)
    title = _label(chart.title, 200)
    body[:0] = [
        _text(4, 15 + i * LINE_HEIGHT, line, bold=True) for i, line in enumerate(title_lines)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11" '
        f'fill="none">{"".join(body)}</svg>'
    )


@dataclass(frozen=True)
class _Frame:
    """Plotting area in pixels, with its axes; `x_margin` is the room for rotated tick labels."""

    left: float
    top: float
    width: float
    height: float
    x: Axis
    y: Axis
    x_margin: float = 0.0

    @classmethod
    def for_chart(cls, chart: Chart, width: int, title_margin: int = 0) -> _Frame:
        x, y = Axis.from_scale(chart.x), Axis.from_scale(chart.y)
        longest = max((display_width(text) for text in _tick_texts(y)), default=1)
        left = min(28 + CHARACTER_WIDTH * longest, 0.45 * width)
        right = 14 + max(map(_text_width, _interval_texts(chart)), default=0)
        plot_width = width - left - right
        height = plot_width if chart.square else 0.62 * plot_width
        if chart.square:  # a square as high as the width would be larger than other pictures
            height = plot_width = min(plot_width, 0.72 * width)
        if chart.y.names:
            has_cells = any(isinstance(layer, Cells) for layer in chart.layers)
            height = min(max((44 if has_cells else 26) * len(chart.y.names), 52), 400)
        x_margin = 0.0
        if chart.x.names and _are_rotated(chart.x, plot_width):
            x_margin = CHARACTER_WIDTH * min(max(map(display_width, chart.x.names)), 20)
        top = 26 + LINE_HEIGHT + title_margin
        return cls(left, top, plot_width, height, x, y, x_margin)

    def across(self, values: Any) -> Floats:
        """Horizontal positions of values in pixels; infinite values stay far outside."""
        return self.left + self.x.positions(values) * self.width

    def up(self, values: Any) -> Floats:
        """Vertical positions of values in pixels; names are listed from the top."""
        positions = self.y.positions(values)
        downwards = positions if self.y.kind == "names" else 1 - positions
        return self.top + downwards * self.height

    def clip(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Positions moved to the border of the area, where values are off the scale."""
        return (
            np.clip(x, self.left, self.left + self.width),
            np.clip(y, self.top, self.top + self.height),
        )


def _title_lines(title: str, width: int) -> list[str]:
    """Title wrapped to a width in pixels, never between a sign and its number.

    Example:
        >>> _title_lines("model: yes if score ≥ 0.5", 150)
        ['model: yes if score', '≥ 0.5']
    """
    columns = max(int(width / (1.1 * CHARACTER_WIDTH)), 12)
    return wrap_sentences([printable(title, MAX_TITLE_LENGTH)], columns, shorten=True)


def _text_width(text: str) -> float:
    return CHARACTER_WIDTH * display_width(text) + 10


def _interval_texts(chart: Chart) -> list[str]:
    """Texts beside the intervals of a forest plot."""
    return [text for layer in chart.layers if isinstance(layer, Intervals) for text in layer.texts]


def _z_order(layer: Layer) -> int:
    if isinstance(layer, Ribbon | Bars | Cells):
        return 0
    return 2 if isinstance(layer, Points) else 1


def _axes(chart: Chart, frame: _Frame) -> Iterator[str]:
    """Grid lines, tick labels and axis labels."""
    has_cells = any(isinstance(layer, Cells) for layer in chart.layers)
    bottom, right = frame.top + frame.height, frame.left + frame.width
    grid = []
    for position, text in _ticks(frame.x, max(int(frame.width / 70), 2)):
        x = frame.left + position * frame.width
        grid.append(f"M{x:.1f} {frame.top:.1f}V{bottom:.1f}")
        if frame.x_margin:
            yield _text(x + 4, bottom + 8, text[:20], anchor="end", rotate=-90)
        else:
            yield _text(x, bottom + LINE_HEIGHT, text, anchor="middle")
    names_are_listed = frame.y.kind == "names"
    for position, text in _ticks(frame.y, max(int(frame.height / 45), 2)):
        y = frame.top + (position if names_are_listed else 1 - position) * frame.height
        grid.append(f"M{frame.left:.1f} {y:.1f}H{right:.1f}")
        limit = max(int((frame.left - 8) / CHARACTER_WIDTH), 3)
        yield _text(frame.left - 6, y + 4, _cut(text, limit), anchor="end")
    if not has_cells:
        yield f'<path d="{"".join(grid)}" stroke="currentColor" stroke-opacity="0.13"/>'
        yield (
            f'<path d="M{frame.left:.1f} {frame.top:.1f}V{bottom:.1f}H{right:.1f}" '
            'stroke="currentColor" stroke-opacity="0.6"/>'
        )
    yield _text(4, frame.top - 9, _shorten(chart.y.label, right))
    middle = frame.left + frame.width / 2
    label = _shorten(chart.x.label, frame.left + frame.width)
    yield _text(middle, bottom + frame.x_margin + 2.1 * LINE_HEIGHT, label, anchor="middle")


def _ticks(axis: Axis, count: int) -> list[tuple[float, str]]:
    """Positions and labels of the ticks; of many names, as many as there is room for."""
    ticks = [(tick.position, printable(tick.text, MAX_NAME_LENGTH)) for tick in axis.ticks(count)]
    step = -(-len(ticks) // 60) if axis.kind == "names" else 1
    return ticks[::step]


def _tick_texts(axis: Axis) -> list[str]:
    return [text for _, text in _ticks(axis, 5)]


def _are_rotated(scale: Scale, width: float) -> bool:
    longest = max(map(display_width, scale.names), default=1)
    return CHARACTER_WIDTH * longest > 0.95 * width / max(len(scale.names), 1)


def _draw(layer: Layer, frame: _Frame) -> Iterator[str]:
    """SVG elements of a layer."""
    if isinstance(layer, Line):
        yield _line(layer, frame)
    elif isinstance(layer, Ribbon):
        yield _ribbon(layer, frame)
    elif isinstance(layer, Bars):
        yield _bars(layer, frame)
    elif isinstance(layer, Intervals):
        yield from _intervals(layer, frame)
    elif isinstance(layer, Cells):
        yield from _cells(layer, frame)
    else:
        yield from _points(layer, frame)


def _line(layer: Line, frame: _Frame) -> str:
    x, y = np.asarray(layer.x, np.float64), np.asarray(layer.y, np.float64)
    if layer.steps and len(x) > 1:
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    return f'<path d="{_path(frame, x, y)}" {_stroke(layer)}/>'


def _stroke(layer: Line) -> str:
    """Colour, width and dashes of a line."""
    if layer.role in REFERENCE_STYLES:
        return REFERENCE_STYLES[layer.role]
    dashes = DASHES[layer.order % len(DASHES)]
    dash_style = f' stroke-dasharray="{dashes}"' if dashes else ""
    width = 2.2 if layer.role == "average" else 1.7
    return f'stroke="{_colour(layer.order)}" stroke-width="{width}"{dash_style}'


def _colour(order: int) -> str:
    index = order % (len(COLOURS) + 1)
    return COLOURS[index] if index < len(COLOURS) else "currentColor"


def _path(frame: _Frame, x: Floats, y: Floats) -> str:
    """Path through points, in pixels; broken where a value is undefined.

    Points are rounded to half pixels, and those in the middle of a straight line are left out.
    """
    is_defined = ~(np.isnan(x) | np.isnan(y))
    across, up = frame.clip(frame.across(x), frame.up(y))
    parts = []
    starts = np.flatnonzero(is_defined & ~np.append(False, is_defined[:-1]))
    ends = np.flatnonzero(is_defined & ~np.append(is_defined[1:], False)) + 1
    for start, end in zip(starts, ends, strict=True):
        pixels = np.column_stack([across[start:end], up[start:end]])
        points = _corners((pixels * UNITS_PER_PIXEL).round().astype(np.int64))
        first = points[0] / UNITS_PER_PIXEL
        steps = np.diff(points, axis=0) / UNITS_PER_PIXEL
        numbers = " ".join(f"{step:g}" for step in steps.ravel())
        parts.append(f"M{first[0]:g} {first[1]:g}" + (f"l{numbers}" if numbers else "h0"))
    return "".join(parts)


def _corners(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Points of a line without repeated ones and without those in the middle of a straight line.

    Example:
        >>> _corners(np.array([[0, 0], [0, 0], [1, 1], [2, 2], [2, 5]])).tolist()
        [[0, 0], [2, 2], [2, 5]]
    """
    is_new = np.append(True, (np.diff(points, axis=0) != 0).any(axis=1))
    points = points[is_new]
    if len(points) < 3:
        return points
    steps = np.diff(points, axis=0)
    before, after = steps[:-1], steps[1:]
    turns = before[:, 0] * after[:, 1] != before[:, 1] * after[:, 0]
    reverses = (before * after).sum(axis=1) < 0
    is_corner = np.concatenate([[True], turns | reverses, [True]])
    return points[np.flatnonzero(is_corner)]


def _ribbon(layer: Ribbon, frame: _Frame) -> str:
    x, low, high = (np.asarray(v, np.float64) for v in (layer.x, layer.low, layer.high))
    is_defined = ~(np.isnan(x) | np.isnan(low) | np.isnan(high))
    x, low, high = x[is_defined], low[is_defined], high[is_defined]
    if not len(x):
        return ""
    outline = _path(frame, np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]]))
    colour = GREY if layer.role == "mark" else _colour(layer.order)
    return f'<path d="{outline}z" fill="{colour}" fill-opacity="0.18"/>'


def _bars(layer: Bars, frame: _Frame) -> str:
    edges = np.repeat(np.asarray(layer.edges, np.float64), 2)
    heights = np.concatenate([[0.0], np.repeat(np.asarray(layer.heights, np.float64), 2), [0.0]])
    orders = {"positive": 0, "negative": 1}
    colour = _colour(orders.get(layer.role, layer.order))
    path = _path(frame, edges, np.nan_to_num(heights))
    return f'<path d="{path}z" fill="{colour}" fill-opacity="0.35" stroke="{colour}"/>'


def _intervals(layer: Intervals, frame: _Frame) -> Iterator[str]:
    colour = _colour(layer.order)
    for i, (value, low, high) in enumerate(zip(layer.values, layer.low, layer.high, strict=True)):
        y = float(frame.up(i))
        if np.isfinite(low) and np.isfinite(high):
            first, last = frame.clip(frame.across(np.array([low, high])), np.zeros(2))[0]
            path = f"M{first:.1f} {y:.1f}H{last:.1f}"
            yield f'<path d="{path}" stroke="{colour}" stroke-width="1.6"/>'
        if np.isfinite(value):
            x = float(frame.across(value))
            yield f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{colour}"/>'
        if i < len(layer.texts):
            yield _text(frame.left + frame.width + 10, y + 4, layer.texts[i])


def _points(layer: Points, frame: _Frame) -> Iterator[str]:
    across, up = frame.across(layer.x), frame.up(layer.y)
    colour = "currentColor" if layer.role == "hull" else _colour(layer.order)
    radius = 2.5 if layer.role == "hull" or len(across) > 12 else 3.5
    right = frame.left + frame.width
    for i, (x, y) in enumerate(zip(across.tolist(), up.tolist(), strict=True)):
        is_inside = frame.left - 1 <= x <= right + 1 and frame.top - 1 <= y <= frame.top + (
            frame.height + 1
        )
        if not is_inside:
            continue
        if layer.role != "iso":
            yield (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" stroke="{colour}" '
                'stroke-width="1.8"/>'
            )
        if i < len(layer.texts) and layer.texts[i]:
            text = layer.texts[i]
            is_on_left = x + 8 + CHARACTER_WIDTH * display_width(text) > right
            anchor = "end" if is_on_left else ""
            yield _text(x - 7 if is_on_left else x + 7, y + 14, text, anchor=anchor)


def _cells(layer: Cells, frame: _Frame) -> Iterator[str]:
    """A table of shaded cells, each with its text if there is room."""
    rows, columns = layer.shares.shape
    width, height = frame.width / columns, frame.height / rows
    has_texts = max(rows, columns) <= MAX_CELLS
    for (i, j), share in np.ndenumerate(layer.shares):
        x, y = frame.left + j * width, frame.top + i * height
        opacity = 0.06 if np.isnan(share) else 0.06 + 0.6 * float(share)
        yield (
            f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{width - 2:.1f}" '
            f'height="{height - 2:.1f}" fill="{COLOURS[0]}" fill-opacity="{opacity:.2f}"/>'
        )
        if has_texts:
            count, _, percent = layer.texts[i][j].partition(" ")
            middle = x + width / 2
            yield _text(middle, y + height / 2 + (0 if percent else 4), count, anchor="middle")
            if percent:
                yield _text(middle, y + height / 2 + 13, percent, anchor="middle", size=9)


def _legend(chart: Chart, frame: _Frame, top: float) -> tuple[list[str], float]:
    """Legend below the chart: a sample and the label of each layer, one per line."""
    entries: dict[str, str] = {}
    for layer in chart.layers:
        if isinstance(layer, Cells) or not layer.label or layer.label in entries:
            continue
        entries[layer.label] = _sample(layer)
    elements = []
    if chart.legend_title and entries:
        elements.append(_text(frame.left + 32, top + 4, chart.legend_title, opacity=0.7))
        top += LINE_HEIGHT
    for label, sample in list(entries.items())[:MAX_LEGEND_ENTRIES]:
        elements.append(f'<g transform="translate({frame.left:.1f} {top:.1f})">{sample}</g>')
        limit = frame.width - 34
        elements.append(_text(frame.left + 32, top + 4, _shorten(label, limit + 34)))
        top += LINE_HEIGHT
    if len(entries) > MAX_LEGEND_ENTRIES:
        rest = len(entries) - MAX_LEGEND_ENTRIES
        elements.append(_text(frame.left + 32, top + 4, f"and {rest:,} more"))
        top += LINE_HEIGHT
    return elements, top + 4


def _sample(layer: Layer) -> str:
    """Sample of a layer for the legend, 26 pixels wide."""
    if isinstance(layer, Line):
        return f'<path d="M0 0h26" {_stroke(layer)}/>'
    if isinstance(layer, Points):
        return (
            f'<circle cx="13" cy="0" r="3.5" stroke="{_colour(layer.order)}" stroke-width="1.8"/>'
        )
    order = 0
    if not isinstance(layer, Cells):
        order = {"positive": 0, "negative": 1}.get(layer.role, layer.order)
    return f'<rect y="-4" width="26" height="9" fill="{_colour(order)}" fill-opacity="0.3"/>'


def _text(  # noqa: PLR0913 - attributes of a text element
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "",
    size: int = 0,
    bold: bool = False,
    opacity: float = 1.0,
    rotate: int = 0,
) -> str:
    """A text element; the text comes from data and is escaped."""
    attributes = [f'x="{x:.1f}" y="{y:.1f}" fill="currentColor"']
    attributes += [f'text-anchor="{anchor}"'] if anchor else []
    attributes += [f'font-size="{size}"'] if size else []
    attributes += ['font-weight="bold"'] if bold else []
    attributes += [f'fill-opacity="{opacity:g}"'] if opacity < 1 else []
    attributes += [f'transform="rotate({rotate} {x:.1f} {y:.1f})"'] if rotate else []
    return f"<text {' '.join(attributes)}>{_label(text, 400)}</text>"


def _label(text: str, max_length: int) -> str:
    return escape(printable(text, max_length))


def _shorten(text: str, width: float) -> str:
    """Text shortened to a width in pixels."""
    return _cut(text, max(int(width / CHARACTER_WIDTH), 4))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
