"""Placement of annotations, direct labels and legends in matplotlib figures."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.render.chart import Chart, Points
from tradeoff.render.matplotlib.boxes import (
    POOR_PLACE,
    Box,
    LabelPlace,
    Pixels,
    annotation_box,
    label_place,
)
from tradeoff.render.matplotlib.style import (
    GID_PREFIX,
    ChartStyle,
    escape_for_matplotlib,
    label_colour,
    text_colour,
)

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
MAX_HIDDEN_PIXELS = 3
"""Maximum number of line pixels that a legend may hide before it is placed beside the axes."""
MAX_LEGEND_WIDTH_FRACTION = 0.62
"""Fraction of the axes' width above which a legend gets a smaller font."""
SMALL_LEGEND_SIZE = 7.0
PIXEL_SPACING = 5.0
"""Distance between the points that stand for a line."""
BAR_LEVELS = (0.05, 0.25, 0.5, 0.75, 1.0)
"""Heights at which a bar counts as occupied."""
OPTIONAL_ROLES = frozenset({"iso", "hull"})
"""Roles of points whose annotations are left out where there is no room."""
LINE_GAP = 3.0
"""Space between a label and the title above it in pixels."""
LABEL_GID = f"{GID_PREFIX}label"


@dataclass(frozen=True)
class DrawnLine:
    """A line on axes: the artist, and the points in pixels that stand for it."""

    artist: Any
    pixels: Pixels

    @property
    def role(self) -> str:
        """Role of the layer that was drawn."""
        return _role(self.artist)

    @property
    def label(self) -> str:
        """Label of the line; empty if it has none."""
        label = str(self.artist.get_label())
        return "" if label.startswith("_") else label


@dataclass(frozen=True)
class Occupancy:
    """What is drawn on axes: its lines, the pixels of everything, and the area for text."""

    lines: tuple[DrawnLine, ...]
    pixels: Pixels
    area: Box

    @classmethod
    def of(cls, ax: Any) -> Occupancy:
        """What is drawn on axes whose layout is final."""
        bbox = ax.bbox
        area = Box(bbox.x0 + 4, bbox.y0 + 4, bbox.x1 - 4, bbox.y1 - 4)
        lines, others = [], [np.empty((0, 2))]
        for line in ax.lines:
            points = ax.transData.transform(line.get_path().vertices)
            if line.get_linestyle() == "None":
                others += [np.repeat(points[np.isfinite(points).all(axis=1)], 3, axis=0)]
            else:
                lines.append(DrawnLine(line, _inside(_pixels_along(points), area)))
        for patch in ax.patches:
            others += [_bar_pixels(patch, ax)]
        for collection in ax.collections:
            for path in collection.get_paths():
                outline = _pixels_along(ax.transData.transform(path.vertices), 3 * PIXEL_SPACING)
                others += [outline]
        pixels = np.concatenate([*(line.pixels for line in lines), *others])
        return cls(tuple(lines), pixels, area)


def _role(artist: Any) -> str:
    return (artist.get_gid() or "").removeprefix(GID_PREFIX).partition(":")[0]


def _inside(pixels: Pixels, area: Box) -> Pixels:
    """Pixels inside an area with a small margin: lines are clipped to the axes."""
    left, bottom, right, top = area.padded(5)
    x, y = pixels.T
    is_inside = (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
    return np.asarray(pixels[is_inside])


def _bar_pixels(patch: Any, ax: Any) -> Pixels:
    """Points within a bar or a histogram, which text should not cover."""
    if hasattr(patch, "get_data"):
        points = np.asarray(patch.get_path().vertices, np.float64)  # the outline of a histogram
    elif hasattr(patch, "get_width"):
        (x, y), width = patch.get_xy(), patch.get_width()
        top = y + patch.get_height()
        points = np.array([(x, top), (x + width, top)], np.float64)
    else:
        return np.empty((0, 2))
    levels = [ax.transData.transform(points * (1, level)) for level in BAR_LEVELS]
    return np.concatenate([_pixels_along(level) for level in levels])


def _pixels_along(
    points: NDArray[np.float64], spacing: float = PIXEL_SPACING
) -> NDArray[np.float64]:
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
    pixels = np.concatenate([pixels, points[is_finite][-1:]])
    if len(pixels) < 2:
        return pixels
    # Curves of many points have several in a pixel.
    cells = (pixels / spacing).round().astype(np.int64)
    is_new = np.append(True, (np.diff(cells, axis=0) != 0).any(axis=1))
    return np.asarray(pixels[is_new])


# Annotations


def annotate_points(
    chart: Chart, ax: Any, drawn: Occupancy, style: ChartStyle, earlier_models: int = 0
) -> list[Box]:
    """Annotate the points of a chart where there is room; return the rectangles occupied.

    Thresholds and names have the colour of their model, counted from `earlier_models` on.
    A single point without an annotation of its own is annotated with the label of its layer.
    """
    boxes: list[Box] = []
    layers = [layer for layer in chart.layers if isinstance(layer, Points)]
    for layer in sorted(layers, key=is_annotated_point, reverse=True):
        texts = layer.texts
        if is_annotated_point(layer) and not any(texts):
            texts = (layer.label,)
        for x, y, text in zip(layer.x, layer.y, texts, strict=False):
            if not text or not np.isfinite((x, y)).all():
                continue
            annotation = _text(escape_for_matplotlib(text), ax, text_colour(ax), style)
            if layer.role not in OPTIONAL_ROLES:
                colour = style.colour(layer.order + earlier_models)
                annotation.set_color(label_colour(colour, ax.get_facecolor()))
            max_penalty = POOR_PLACE if layer.role in OPTIONAL_ROLES else np.inf
            boxes += _attach_beside(annotation, (float(x), float(y)), drawn, boxes, max_penalty)
    return boxes


def is_annotated_point(layer: Points) -> bool:
    """Whether a layer is a single point, whose label is written beside it, not in the legend."""
    return len(layer.x) == 1


def _attach_beside(
    annotation: Any,
    position: tuple[float, float],
    drawn: Occupancy,
    occupied: Sequence[Box],
    max_penalty: float,
) -> list[Box]:
    """Put an annotation beside its point, or remove it; return the rectangles that it occupies."""
    ax = annotation.axes
    point = tuple(ax.transData.transform(position).tolist())
    size = annotation.get_window_extent()
    box = annotation_box(
        point,
        (size.width, size.height),
        drawn.area,
        occupied,
        drawn.pixels,
        max_penalty=max_penalty,
    )
    if box is None:
        annotation.remove()
        return []
    _attach(annotation, box, position, point)
    _set_background(annotation)
    place = LabelPlace(box, point)
    if place.needs_leader:
        _draw_leader(place, position, ax, annotation.get_color())
    return place.occupied


def _text(text: str, ax: Any, colour: Any, style: ChartStyle) -> Any:
    """Text on axes, to be placed when its size is known."""
    annotation = ax.annotate(
        text,
        (0.5, 0.5),
        xycoords="axes fraction",
        xytext=(0, 0),
        textcoords="offset points",
        fontsize=style.annotation_size,
        color=colour,
        zorder=5,
        gid=LABEL_GID,
    )
    annotation.set_in_layout(False)
    return annotation


def _attach(
    annotation: Any, box: Box, position: tuple[float, float], point: tuple[float, float]
) -> None:
    """Put a text into a rectangle, in points from its position in the data.

    A file may be saved at another resolution, so that pixels would not do.
    """
    points_per_pixel = 72 / annotation.axes.figure.dpi
    annotation.xy, annotation.xycoords = position, "data"
    annotation.set_position(
        (points_per_pixel * (box.left - point[0]), points_per_pixel * (box.bottom - point[1]))
    )


def _set_background(annotation: Any) -> None:
    """Put a pale background behind an annotation, which may have to cover a line."""
    annotation.set_bbox(
        {
            "boxstyle": "square,pad=0.1",
            "ec": "none",
            "alpha": 0.7,
            "fc": annotation.axes.get_facecolor(),
        }
    )


def _draw_leader(place: LabelPlace, position: tuple[float, float], ax: Any, colour: Any) -> None:
    """Draw a thin line from a text to the point or line that it belongs to."""
    points_per_pixel = 72 / ax.figure.dpi
    end = np.array(place.box.nearest(place.anchor)) - place.anchor
    leader = ax.annotate(
        "",
        position,
        xytext=tuple(points_per_pixel * end),
        textcoords="offset points",
        arrowprops={
            "arrowstyle": "-",
            "color": colour,
            "linewidth": 0.6,
            "shrinkA": 0,
            "shrinkB": 2,
        },
        zorder=4.5,
        gid=LABEL_GID,
    )
    leader.set_in_layout(False)


def remove_labels(ax: Any) -> None:
    """Remove the direct labels and annotations of an earlier chart from axes."""
    _remove_texts(ax, keep=[text for text in ax.texts if text.get_gid() != LABEL_GID])


def _remove_texts(ax: Any, keep: Sequence[Any]) -> None:
    for text in [text for text in ax.texts if text not in keep]:
        text.remove()


# Direct labels


def label_lines(
    ax: Any, drawn: Occupancy, boxes: Sequence[Box], style: ChartStyle, title: str
) -> dict[Any, list[Box]]:
    """Write the labels of lines beside them, if there is room for those of all models.

    Args:
        ax: The axes, with their final layout.
        drawn: What is drawn on them.
        boxes: Rectangles of annotations.
        style: The style of the chart.
        title: What the numbers in the labels are, written above the first model's label.

    Returns:
        The rectangles that labels occupy, by artist; nothing if the models need a legend.
    """
    background = ax.get_facecolor()
    lines = [line for line in drawn.lines if line.label and len(line.pixels)]
    models = [line for line in lines if line.role in {"model", "average"}]
    if not models or len(models) != sum(
        _role(artist) in {"model", "average"} for artist in ax.get_legend_handles_labels()[0]
    ):
        return {}
    labels: dict[Any, list[Box]] = {}
    texts_before = list(ax.texts)
    references = [line for line in lines if line.role in {"chance", "ideal", "iso", "hull", "mark"}]
    for line in [*models, *references]:
        texts = [_text(line.label, ax, label_colour(line.artist.get_color(), background), style)]
        if title and line is models[0]:
            texts.append(_text(escape_for_matplotlib(title), ax, text_colour(ax), style))
        extents = [text.get_window_extent() for text in texts]
        size = max(e.width for e in extents), sum(e.height + LINE_GAP for e in extents) - LINE_GAP
        place = _place_beside(line, size, drawn, [*boxes, *chain(*labels.values())])
        if place is None:
            _remove_texts(ax, keep=[text for text in ax.texts if text not in texts])
            if line in models:
                _remove_texts(ax, keep=texts_before)
                return {}
            continue
        x, y = ax.transData.inverted().transform(place.anchor).tolist()
        bottom = place.box.bottom
        for text, extent in zip(texts, extents, strict=True):
            _attach(text, place.box._replace(bottom=bottom), (x, y), place.anchor)
            bottom += extent.height + LINE_GAP
        if place.needs_leader:
            _draw_leader(place, (x, y), ax, texts[0].get_color())
        labels[line.artist] = place.occupied
    return labels


def _place_beside(
    line: DrawnLine, size: tuple[float, float], drawn: Occupancy, occupied: Sequence[Box]
) -> LabelPlace | None:
    others = [other.pixels for other in drawn.lines if other is not line]
    line_pixel_count = sum(len(other.pixels) for other in drawn.lines)
    other_pixels = np.concatenate([*others, drawn.pixels[line_pixel_count:]])
    return label_place(size, drawn.area, occupied, line.pixels, other_pixels)


# Legends


def emptiest_location(
    size: tuple[float, float], area: Box, occupied: Sequence[Box], line_pixels: Pixels
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


@dataclass(frozen=True)
class LegendEntries:
    """Handles and labels of a legend, models first, and its title."""

    handles: tuple[Any, ...]
    labels: tuple[str, ...]
    title: str = ""

    @classmethod
    def of(cls, ax: Any, labelled: Collection[Any] = (), title: str = "") -> LegendEntries:
        """Entries of the artists on axes, without those that are labelled directly."""
        pairs = sorted(
            zip(*ax.get_legend_handles_labels(), strict=True),
            key=lambda pair: _legend_rank(pair[0]),
        )
        pairs = [pair for pair in pairs if pair[0] not in labelled]
        has_models = any(_role(_artist(handle)) in {"model", "average"} for handle, _ in pairs)
        return cls(
            tuple(pair[0] for pair in pairs),
            tuple(pair[1] for pair in pairs),
            escape_for_matplotlib(title) if has_models else "",
        )

    def __len__(self) -> int:
        """Number of entries."""
        return len(self.handles)

    def draw(self, ax: Any, **options: Any) -> Any:
        """Draw the legend on axes."""
        return ax.legend(
            self.handles,
            self.labels,
            title=self.title or None,
            alignment="left",
            facecolor=ax.get_facecolor(),
            labelcolor=text_colour(ax),
            **options,
        )


def place_legend_inside(
    ax: Any, entries: LegendEntries, drawn: Occupancy, boxes: Sequence[Box], *, force: bool = False
) -> bool:
    """Place the legend in the emptiest corner; False if it would hide too much there."""
    if not len(entries):
        return True
    options: dict[str, Any] = {}
    legend = entries.draw(ax, loc="lower right")
    area = drawn.area
    if legend.get_window_extent().width > MAX_LEGEND_WIDTH_FRACTION * (area.right - area.left):
        options = {"fontsize": SMALL_LEGEND_SIZE, "title_fontsize": SMALL_LEGEND_SIZE}
        legend = entries.draw(ax, loc="lower right", **options)
    size = legend.get_window_extent()
    location, hidden_count = emptiest_location(
        (size.width + 6, size.height + 6), area, boxes, drawn.pixels
    )
    legend.remove()
    if hidden_count > MAX_HIDDEN_PIXELS and not force:
        return False
    entries.draw(ax, loc=location, **options)
    return True


def place_legend_outside(ax: Any, entries: LegendEntries, *, has_fixed_size: bool) -> None:
    """Place the legend to the right of the axes; the figure grows unless its size is fixed."""
    legend = entries.draw(ax, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)
    ax.set_anchor("W")  # a square chart leaves room for the legend on its right
    figure = ax.figure
    if not has_fixed_size:
        extra_width = legend.get_window_extent().width / figure.dpi + 0.3
        figure.set_size_inches(figure.get_figwidth() + extra_width, figure.get_figheight())


def place_legend_below(ax: Any, entries: LegendEntries) -> None:
    """Place the legend below the axes of a figure of fixed width, which becomes higher."""
    figure = ax.figure
    legend = figure.legend(
        entries.handles,
        entries.labels,
        title=entries.title or None,
        alignment="left",
        loc="outside lower left",
    )
    extra_height = legend.get_window_extent().height / figure.dpi
    figure.set_size_inches(figure.get_figwidth(), figure.get_figheight() + extra_height)


def _artist(handle: Any) -> Any:
    return getattr(handle, "patches", [handle])[0]  # bars come in a container


def _legend_rank(handle: Any) -> int:
    role = _role(_artist(handle))
    return LEGEND_ORDER.index(role) if role in LEGEND_ORDER else len(LEGEND_ORDER)
