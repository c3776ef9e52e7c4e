"""Texts and legends where there is room for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tradeoff.presentation.charts.chart import Bars, Chart, Line, Points, Ribbon
from tradeoff.presentation.charts.placing import Box, along, beside, corner
from tradeoff.presentation.matplotlib.styling import TAG, ink, shown

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


def entries(ax: Any) -> tuple[list[Any], list[str]]:
    """What a legend names, models first."""
    pairs = sorted(zip(*ax.get_legend_handles_labels(), strict=True), key=lambda p: _rank(p[0]))
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def inside(ax: Any, dots: Any, page: Box, taken: list[Box], *, anyway: bool = False) -> bool:
    """A legend in the freest corner; False if it would hide too much there."""
    handles, labels = entries(ax)
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
    handles, labels = entries(ax)
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
