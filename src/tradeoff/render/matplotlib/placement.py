"""Placement of annotations and legends in matplotlib figures, where they hide the least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.render.chart import Bars, Chart, Line, Points, Ribbon
from tradeoff.render.matplotlib.style import GID_PREFIX, escape_for_matplotlib, text_colour

OFFSETS = (
    *((1, -1), (1, 0), (-1, 1), (1, 1), (-1, 0), (-1, -1), (0, -1), (0, 1)),
    *((2, -2), (-2, 2), (2, 2), (-2, -2), (0, -3), (0, 3), (4, -1), (-4, 1)),
)
"""Positions of an annotation, in steps from its point, the preferred one first."""
OFFSET_STEP = 7.0
"""Size of a step of `OFFSETS` in pixels."""
LEGEND_LOCATIONS = {
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
    """Rectangle in pixels, for the placement of annotations and legends."""

    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: Box) -> bool:
        """Whether two rectangles overlap."""
        side_by_side = self.left < other.right and other.left < self.right
        return side_by_side and self.bottom < other.top and other.bottom < self.top

    def count_inside(self, pixels: NDArray[np.float64]) -> int:
        """Number of pixels inside the rectangle."""
        x, y = pixels[:, 0], pixels[:, 1]
        is_inside = (x > self.left) & (x < self.right) & (y > self.bottom) & (y < self.top)
        return int(is_inside.sum())

    def overhang(self, other: Box) -> float:
        """Number of pixels by which this rectangle extends beyond another."""
        horizontal = (other.left - self.left, self.right - other.right)
        return sum(
            max(excess, 0.0)
            for excess in (*horizontal, other.bottom - self.bottom, self.top - other.top)
        )


def annotation_box(
    point: tuple[float, float],
    size: tuple[float, float],
    area: Box,
    occupied: Sequence[Box],
    line_pixels: NDArray[np.float64],
) -> Box:
    """Rectangle for an annotation beside its point that avoids lines and other annotations.

    Args:
        point: Position of the point.
        size: Width and height of the annotation.
        area: Area that annotations should stay within.
        occupied: Rectangles of other annotations.
        line_pixels: Pixels of the lines.

    Example:
        >>> area, no_lines = Box(0, 0, 100, 100), np.empty((0, 2))
        >>> annotation_box((50, 50), (20, 10), area, [], no_lines)
        Box(left=57.0, bottom=33.0, right=77.0, top=43.0)
        >>> annotation_box((95, 50), (20, 10), area, [], no_lines).right <= 95
        True
    """
    width, height = size
    best_box, min_penalty = None, np.inf
    for rank, (right, up) in enumerate(OFFSETS):
        x = (
            point[0]
            + OFFSET_STEP * right
            - (width if right < 0 else width / 2 if right == 0 else 0)
        )
        y = point[1] + OFFSET_STEP * up - (height if up < 0 else height / 2 if up == 0 else 0)
        box = Box(x, y, x + width, y + height)
        overlap_count = sum(box.overlaps(other) for other in occupied)
        penalty = 1000 * overlap_count + 50 * box.overhang(area)
        penalty += 5 * box.count_inside(line_pixels) + rank
        if penalty < min_penalty:
            best_box, min_penalty = box, penalty
    assert best_box is not None  # noqa: S101 - OFFSETS is not empty
    return best_box


def emptiest_location(
    size: tuple[float, float], area: Box, occupied: Sequence[Box], line_pixels: NDArray[np.float64]
) -> tuple[str, int]:
    """Location in the axes at which a legend hides the fewest pixels, and their number.

    Example:
        >>> area = Box(0, 0, 100, 100)
        >>> emptiest_location((30, 20), area, [], np.array([[90.0, 10.0]]))
        ('upper right', 0)
    """
    width, height = size
    candidates = []
    for name, (right, up) in LEGEND_LOCATIONS.items():
        left = area.left + right * (area.right - area.left - width)
        bottom = area.bottom + up * (area.top - area.bottom - height)
        box = Box(left, bottom, left + width, bottom + height)
        hidden_count = box.count_inside(line_pixels) + 50 * sum(
            box.overlaps(other) for other in occupied
        )
        candidates.append((hidden_count, name))
    hidden_count, name = min(candidates, key=lambda pair: pair[0])
    return name, hidden_count


def _pixels_along(points: NDArray[np.float64], spacing: float = 5.0) -> NDArray[np.float64]:
    """Points along a line, at most `spacing` pixels apart; none within its breaks.

    Example:
        >>> len(_pixels_along(np.array([[0.0, 0.0], [20.0, 0.0]])))
        5
    """
    is_finite = np.asarray(np.isfinite(points).all(axis=1))
    is_joined = is_finite[1:] & is_finite[:-1]
    first = points[:-1][is_joined]
    step = points[1:][is_joined] - first
    lengths = np.minimum(np.hypot(step[:, 0], step[:, 1]), 10_000)
    point_counts = np.maximum(np.ceil(lengths / spacing).astype(np.intp), 1)
    ends = np.cumsum(point_counts)
    step_index = np.arange(int(point_counts.sum())) - np.repeat(ends - point_counts, point_counts)
    fraction = np.asarray(step_index / np.repeat(point_counts, point_counts)).reshape(-1, 1)
    pixels = np.repeat(first, point_counts, axis=0) + fraction * np.repeat(
        step, point_counts, axis=0
    )
    return np.concatenate([pixels, points[is_finite][-1:]])


LEGEND_ORDER = (
    "model",
    "average",
    "positive",
    "negative",
    "mark",
    "hull",
    "iso",
    "chance",
    "ideal",
)
MAX_HIDDEN_PIXELS = 12
"""Maximum number of line pixels that a legend may hide before it is placed beside the axes."""
ANNOTATION_BOX = {"boxstyle": "square,pad=0.1", "ec": "none", "alpha": 0.7}
MAX_LEGEND_WIDTH_FRACTION = 0.62
"""Fraction of the axes' width above which a legend gets a smaller font."""


def annotate_points(chart: Chart, ax: Any, line_pixels: Any, area: Box) -> list[Box]:
    """Annotate the points of a chart where there is room; return the annotations' rectangles."""
    boxes: list[Box] = []
    for layer in chart.layers:
        if not isinstance(layer, Points):
            continue
        points = ax.transData.transform(np.column_stack([layer.x, layer.y]))
        point_pixels = np.repeat(points, 3, axis=0)  # weights: hiding a point is worse than a line
        line_pixels = np.concatenate([line_pixels, point_pixels])
    for layer in chart.layers:
        if not isinstance(layer, Points):
            continue
        points = ax.transData.transform(np.column_stack([layer.x, layer.y]))
        for point, position, text in zip(
            points, zip(layer.x, layer.y, strict=True), layer.texts, strict=False
        ):
            if not text:
                continue
            annotation = ax.annotate(
                escape_for_matplotlib(text),
                position,
                xytext=(0, 0),
                textcoords="offset points",
                fontsize=8,
                zorder=5,
            )
            annotation.set_color(text_colour(ax))
            annotation.set_in_layout(False)
            annotation.set_bbox({**ANNOTATION_BOX, "fc": ax.get_facecolor()})
            size = annotation.get_window_extent()
            box = annotation_box(tuple(point), (size.width, size.height), area, boxes, line_pixels)
            points_per_pixel = 72 / ax.figure.dpi  # a file may be saved at another resolution
            annotation.set_position(
                (
                    points_per_pixel * (box.left - point[0]),
                    points_per_pixel * (box.bottom - point[1]),
                )
            )
            boxes.append(box)
    return boxes


def occupied_pixels(chart: Chart, ax: Any) -> Any:
    """Pixels of the lines, bars and bands of a chart."""
    pixels = [np.empty((0, 2))]
    for layer in chart.layers:
        if isinstance(layer, Line):
            points = np.column_stack([layer.x, layer.y])
            pixels.append(_pixels_along(ax.transData.transform(points)))
        elif isinstance(layer, Bars):
            x, y = np.repeat(layer.edges, 2)[1:-1], np.repeat(layer.heights, 2)
            pixels += [
                _pixels_along(ax.transData.transform(np.column_stack([x, s * y]))) for s in (0.5, 1)
            ]
        elif isinstance(layer, Ribbon):
            for limits in (layer.low, layer.high):
                points = np.column_stack([layer.x, limits])
                pixels.append(_pixels_along(ax.transData.transform(points), 15.0))
    return np.concatenate(pixels)


def text_area(bbox: Any) -> Box:
    """Rectangle for annotations and legends: the axes without their frame."""
    return Box(bbox.x0 + 4, bbox.y0 + 4, bbox.x1 - 4, bbox.y1 - 4)


def _legend_entries(ax: Any) -> tuple[list[Any], list[str]]:
    """Handles and labels of a legend, models first."""
    pairs = sorted(
        zip(*ax.get_legend_handles_labels(), strict=True), key=lambda p: _legend_rank(p[0])
    )
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def place_legend_inside(
    ax: Any, line_pixels: Any, area: Box, boxes: list[Box], *, force: bool = False
) -> bool:
    """Place the legend in the emptiest corner; False if it would hide too much there."""
    handles, labels = _legend_entries(ax)
    if not handles:
        return True
    options = {"facecolor": ax.get_facecolor(), "labelcolor": text_colour(ax)}
    legend = ax.legend(handles, labels, loc="lower right", **options)
    if legend.get_window_extent().width > MAX_LEGEND_WIDTH_FRACTION * (area.right - area.left):
        options["fontsize"] = 7
        legend = ax.legend(handles, labels, loc="lower right", **options)
    size = legend.get_window_extent()
    location, hidden_count = emptiest_location(
        (size.width + 6, size.height + 6), area, boxes, line_pixels
    )
    legend.remove()
    if hidden_count > MAX_HIDDEN_PIXELS and not force:
        return False
    ax.legend(handles, labels, loc=location, **options)
    return True


def place_legend_outside(ax: Any, *, has_fixed_size: bool) -> None:
    """Place the legend to the right of the axes; the figure grows unless its size is fixed."""
    handles, labels = _legend_entries(ax)
    legend = ax.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)
    ax.set_anchor("W")  # a square chart leaves room for the legend on its right
    figure = ax.figure
    if not has_fixed_size:
        extra_width = legend.get_window_extent().width / figure.dpi + 0.3
        figure.set_size_inches(figure.get_figwidth() + extra_width, figure.get_figheight())


def _legend_rank(handle: Any) -> int:
    artist = getattr(handle, "patches", [handle])[0]  # bars come in a container
    role = (artist.get_gid() or "").removeprefix(GID_PREFIX).partition(":")[0]
    return LEGEND_ORDER.index(role) if role in LEGEND_ORDER else len(LEGEND_ORDER)
