"""Texts and legends where there is room for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.render.chart import Bars, Chart, Line, Points, Ribbon
from tradeoff.render.matplotlib.style import TAG, ink, shown

# Where texts and legends find room: beside their points, off the lines, off each other.


AROUND = (
    *((1, -1), (1, 0), (-1, 1), (1, 1), (-1, 0), (-1, -1), (0, -1), (0, 1)),
    *((2, -2), (-2, 2), (2, 2), (-2, -2), (0, -3), (0, 3), (4, -1), (-4, 1)),
)
"""Where a text is tried, in steps from its point, the best place first."""
STEP = 7.0
CORNERS = {
    "lower right": (1.0, 0.0),
    "upper right": (1.0, 1.0),
    "lower left": (0.0, 0.0),
    "upper left": (0.0, 1.0),
    "lower center": (0.5, 0.0),
    "upper center": (0.5, 1.0),
    "center right": (1.0, 0.5),
    "center left": (0.0, 0.5),
}


class Box(NamedTuple):
    """A rectangle on the page."""

    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: Box) -> bool:
        """Whether two rectangles share some room."""
        across = self.left < other.right and other.left < self.right
        return across and self.bottom < other.top and other.bottom < self.top

    def holds(self, dots: NDArray[np.float64]) -> int:
        """How many dots lie inside."""
        x, y = dots[:, 0], dots[:, 1]
        inside = (x > self.left) & (x < self.right) & (y > self.bottom) & (y < self.top)
        return int(inside.sum())

    def beyond(self, other: Box) -> float:
        """How far this rectangle reaches out of another."""
        over = (other.left - self.left, self.right - other.right)
        return sum(
            max(out, 0.0) for out in (*over, other.bottom - self.bottom, self.top - other.top)
        )


def beside(
    point: tuple[float, float],
    size: tuple[float, float],
    page: Box,
    taken: Sequence[Box],
    dots: NDArray[np.float64],
) -> Box:
    """The best place for a text beside a point.

    Args:
        point: Where the point is.
        size: Width and height of the text.
        page: Where texts belong.
        taken: Where other texts are.
        dots: Where lines run.

    Example:
        >>> page, nothing = Box(0, 0, 100, 100), np.empty((0, 2))
        >>> beside((50, 50), (20, 10), page, [], nothing)
        Box(left=57.0, bottom=33.0, right=77.0, top=43.0)
        >>> beside((95, 50), (20, 10), page, [], nothing).right <= 95
        True
    """
    width, height = size
    best, least = None, np.inf
    for rank, (right, up) in enumerate(AROUND):
        x = point[0] + STEP * right - (width if right < 0 else width / 2 if right == 0 else 0)
        y = point[1] + STEP * up - (height if up < 0 else height / 2 if up == 0 else 0)
        box = Box(x, y, x + width, y + height)
        clash = sum(box.overlaps(other) for other in taken)
        pain = 1000 * clash + 50 * box.beyond(page) + 5 * box.holds(dots) + rank
        if pain < least:
            best, least = box, pain
    assert best is not None  # noqa: S101 - there are places to try
    return best


def corner(
    size: tuple[float, float], page: Box, taken: Sequence[Box], dots: NDArray[np.float64]
) -> tuple[str, int]:
    """The corner where a legend hides least, and how much it hides there.

    Example:
        >>> page = Box(0, 0, 100, 100)
        >>> corner((30, 20), page, [], np.array([[90.0, 10.0]]))
        ('upper right', 0)
    """
    width, height = size
    found = []
    for name, (right, up) in CORNERS.items():
        left = page.left + right * (page.right - page.left - width)
        bottom = page.bottom + up * (page.top - page.bottom - height)
        box = Box(left, bottom, left + width, bottom + height)
        hidden = box.holds(dots) + 50 * sum(box.overlaps(other) for other in taken)
        found.append((hidden, name))
    hidden, name = min(found, key=lambda pair: pair[0])
    return name, hidden


def along(points: NDArray[np.float64], apart: float = 5.0) -> NDArray[np.float64]:
    """Dots along a line on the page, none farther apart than some pixels; breaks have none.

    Example:
        >>> len(along(np.array([[0.0, 0.0], [20.0, 0.0]])))
        5
    """
    known = np.asarray(np.isfinite(points).all(axis=1))
    both = known[1:] & known[:-1]
    first = points[:-1][both]
    step = points[1:][both] - first
    lengths = np.minimum(np.hypot(step[:, 0], step[:, 1]), 10_000)
    sizes = np.maximum(np.ceil(lengths / apart).astype(np.intp), 1)
    ends = np.cumsum(sizes)
    place = np.arange(int(sizes.sum())) - np.repeat(ends - sizes, sizes)
    share = np.asarray(place / np.repeat(sizes, sizes)).reshape(-1, 1)
    dots = np.repeat(first, sizes, axis=0) + share * np.repeat(step, sizes, axis=0)
    return np.concatenate([dots, points[known][-1:]])


IN_LEGEND = ("model", "average", "positive", "negative", "mark", "hull", "iso", "chance", "ideal")
HIDES = 12
"""Dots of lines that a legend may hide before it goes beside the chart."""
BEHIND = {"boxstyle": "square,pad=0.1", "ec": "none", "alpha": 0.7}
WIDE = 0.62
"""A legend that takes more of the width than this is written smaller."""


def texts(chart: Chart, ax: Any, dots: Any, page: Box) -> list[Box]:
    """The texts beside points, each where it finds room."""
    taken: list[Box] = []
    for layer in chart.layers:
        if not isinstance(layer, Points):
            continue
        points = ax.transData.transform(np.column_stack([layer.x, layer.y]))
        own = np.repeat(points, 3, axis=0)  # a text must not hide another point
        dots = np.concatenate([dots, own])
    for layer in chart.layers:
        if not isinstance(layer, Points):
            continue
        points = ax.transData.transform(np.column_stack([layer.x, layer.y]))
        for point, at, text in zip(
            points, zip(layer.x, layer.y, strict=True), layer.texts, strict=False
        ):
            if not text:
                continue
            note = ax.annotate(
                shown(text), at, xytext=(0, 0), textcoords="offset pixels", fontsize=8, zorder=5
            )
            note.set_color(ink(ax))
            note.set_in_layout(False)
            note.set_bbox({**BEHIND, "fc": ax.get_facecolor()})
            size = note.get_window_extent()
            box = beside(tuple(point), (size.width, size.height), page, taken, dots)
            note.set_position((box.left - point[0], box.bottom - point[1]))
            taken.append(box)
    return taken


def occupied(chart: Chart, ax: Any) -> Any:
    """Dots on the page where something is drawn."""
    found = [np.empty((0, 2))]
    for layer in chart.layers:
        if isinstance(layer, Line):
            points = np.column_stack([layer.x, layer.y])
            found.append(along(ax.transData.transform(points)))
        elif isinstance(layer, Bars):
            x, y = np.repeat(layer.edges, 2)[1:-1], np.repeat(layer.heights, 2)
            found += [along(ax.transData.transform(np.column_stack([x, s * y]))) for s in (0.5, 1)]
        elif isinstance(layer, Ribbon):
            for ends in (layer.low, layer.high):
                points = np.column_stack([layer.x, ends])
                found.append(along(ax.transData.transform(points), 15.0))
    return np.concatenate(found)


def box(bbox: Any) -> Box:
    """Where texts belong: inside the frame, not on it."""
    return Box(bbox.x0 + 4, bbox.y0 + 4, bbox.x1 - 4, bbox.y1 - 4)


def _entries(ax: Any) -> tuple[list[Any], list[str]]:
    """What a legend names, models first."""
    pairs = sorted(zip(*ax.get_legend_handles_labels(), strict=True), key=lambda p: _rank(p[0]))
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def inside(ax: Any, dots: Any, page: Box, taken: list[Box], *, anyway: bool = False) -> bool:
    """A legend in the freest corner; False if it would hide too much there."""
    handles, labels = _entries(ax)
    if not handles:
        return True
    own = {"facecolor": ax.get_facecolor(), "labelcolor": ink(ax)}
    legend = ax.legend(handles, labels, loc="lower right", **own)
    if legend.get_window_extent().width > WIDE * (page.right - page.left):
        own["fontsize"] = 7
        legend = ax.legend(handles, labels, loc="lower right", **own)
    size = legend.get_window_extent()
    place, hidden = corner((size.width + 6, size.height + 6), page, taken, dots)
    legend.remove()
    if hidden > HIDES and not anyway:
        return False
    ax.legend(handles, labels, loc=place, **own)
    return True


def outside(ax: Any, *, fixed: bool) -> None:
    """A legend to the right of the axes, for which the figure grows unless its size is fixed."""
    handles, labels = _entries(ax)
    legend = ax.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)
    ax.set_anchor("W")  # a square chart leaves the room on its right to the legend
    figure = ax.figure
    if not fixed:
        wider = legend.get_window_extent().width / figure.dpi + 0.3
        figure.set_size_inches(figure.get_figwidth() + wider, figure.get_figheight())


def _rank(handle: Any) -> int:
    artist = getattr(handle, "patches", [handle])[0]  # bars come in a container
    role = (artist.get_gid() or "").removeprefix(TAG).partition(":")[0]
    return IN_LEGEND.index(role) if role in IN_LEGEND else len(IN_LEGEND)
