"""Rectangles in pixels, and where text fits between the lines of a chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.float64]
"""Points in pixels, one per row."""

DIRECTIONS = ((1, -1), (1, 0), (-1, 1), (1, 1), (-1, 0), (-1, -1), (0, -1), (0, 1))
"""Sides of a point at which text is placed, right and up; the preferred one first."""
ANNOTATION_GAPS = (7.0, 14.0, 24.0, 38.0, 56.0, 76.0)
"""Distances of an annotation from its point in pixels."""
LABEL_GAPS = (8.0, 12.0, 20.0, 32.0, 48.0)
"""Distances of a label from its line in pixels."""
MAX_GAP_WITHOUT_LEADER = 15.0
"""Text farther away is connected with its point or line by a thin line."""
TEXT_MARGIN = 4.0
"""Free space around text, in pixels."""
MIN_CLEARANCE = 9.0
"""A label without a leader is closer to its own line than to others by so many pixels."""
WANTED_CLEARANCE = 30.0
"""Distance from other lines beyond which more space is no better."""
POOR_PLACE = 130.0
"""Penalty from which on an annotation that is not essential is left out."""
WANTED_EDGE_DISTANCE = 25.0
"""Distance from the edges of the axes beyond which more space is no better."""
CHUNK_SIZE = 500


class Box(NamedTuple):
    """Rectangle in pixels, for the placement of annotations, labels and legends."""

    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: Box) -> bool:
        """Whether two rectangles overlap."""
        side_by_side = self.left < other.right and other.left < self.right
        return side_by_side and self.bottom < other.top and other.bottom < self.top

    def count_inside(self, pixels: Pixels) -> int:
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

    def padded(self, margin: float) -> Box:
        """The rectangle with a margin on all sides."""
        return Box(self.left - margin, self.bottom - margin, self.right + margin, self.top + margin)

    def nearest(self, point: Sequence[float]) -> tuple[float, float]:
        """Point of the rectangle that is nearest to another point."""
        x, y = point
        return min(max(x, self.left), self.right), min(max(y, self.bottom), self.top)

    def distance(self, point: Sequence[float]) -> float:
        """Distance of a point from the rectangle."""
        x, y = self.nearest(point)
        return float(np.hypot(point[0] - x, point[1] - y))


class LabelPlace(NamedTuple):
    """Where a label fits, and the point of its line that it belongs to."""

    box: Box
    anchor: tuple[float, float]

    @property
    def needs_leader(self) -> bool:
        """Whether a thin line should connect the label with its line."""
        return self.box.distance(self.anchor) > MAX_GAP_WITHOUT_LEADER

    @property
    def occupied(self) -> list[Box]:
        """Rectangles of the label and, if there is one, of its leader."""
        if not self.needs_leader:
            return [self.box]
        return [self.box, *(Box(x, y, x, y).padded(1) for x, y in _leader_points(self).tolist())]


def annotation_box(  # noqa: PLR0913 - what is annotated, and what is in the way
    point: tuple[float, float],
    size: tuple[float, float],
    area: Box,
    occupied: Sequence[Box],
    line_pixels: Pixels,
    *,
    max_penalty: float = np.inf,
) -> Box | None:
    """Rectangle for an annotation beside its point that avoids lines and other annotations.

    Args:
        point: Position of the point.
        size: Width and height of the annotation.
        area: Area that annotations should stay within.
        occupied: Rectangles of other annotations.
        line_pixels: Pixels of the lines.
        max_penalty: The annotation is left out if every place is worse; `POOR_PLACE` is one that
            hides a part of a line or is far away.

    Returns:
        The best place; None if it is worse than `max_penalty`.

    Example:
        >>> area, no_lines = Box(0, 0, 100, 100), np.empty((0, 2))
        >>> annotation_box((50, 50), (20, 10), area, [], no_lines)
        Box(left=57.0, bottom=33.0, right=77.0, top=43.0)
        >>> annotation_box((50, 50), (95, 10), area, [], no_lines, max_penalty=POOR_PLACE)
    """
    boxes = _boxes_around(np.array([point], np.float64), size, ANNOTATION_GAPS)
    gaps = np.repeat(ANNOTATION_GAPS, len(DIRECTIONS))
    best_box, min_penalty = None, max_penalty
    for rank, (sides, gap) in enumerate(zip(boxes.tolist(), gaps, strict=True)):
        box = Box(*sides)
        padded = box.padded(TEXT_MARGIN)
        overlap_count = sum(padded.overlaps(other) for other in occupied)
        penalty = 1000 * overlap_count + 50 * box.overhang(area) + 2.5 * gap
        penalty += 25 * padded.count_inside(line_pixels) + rank % len(DIRECTIONS)
        if gap > MAX_GAP_WITHOUT_LEADER:
            penalty += _leader_penalty(LabelPlace(box, point), occupied, line_pixels)
        if penalty < min_penalty:
            best_box, min_penalty = box, penalty
    return best_box


def label_place(
    size: tuple[float, float],
    area: Box,
    occupied: Sequence[Box],
    own_pixels: Pixels,
    other_pixels: Pixels,
) -> LabelPlace | None:
    """Where the label of a line fits: beside it, over no line, and nearer to it than to others.

    Args:
        size: Width and height of the label.
        area: Area that labels stay within.
        occupied: Rectangles of annotations and other labels.
        own_pixels: Pixels of the line.
        other_pixels: Pixels of all other lines.

    Returns:
        The best place; None if there is none.

    Example:
        >>> line = np.column_stack([np.arange(0.0, 200, 5), np.full(40, 50.0)])
        >>> place = label_place((60, 10), Box(0, 0, 200, 100), [], line, line[:0])
        >>> round(place.box.distance(place.anchor)), place.needs_leader
        (8, False)
        >>> label_place((60, 10), Box(0, 0, 200, 100), [], line, line) is None
        True
    """
    anchors = own_pixels[:: max(len(own_pixels) // 80, 1)]
    boxes = _boxes_around(anchors, size, LABEL_GAPS)
    anchor_index = np.tile(np.repeat(np.arange(len(anchors)), len(DIRECTIONS)), len(LABEL_GAPS))
    is_free = _are_inside(boxes, area)
    for other in occupied:
        is_free &= ~_overlap(boxes, other)
    boxes, anchor_index = boxes[is_free], anchor_index[is_free]
    if not len(boxes):
        return None
    own_distance = _distances(boxes, own_pixels)
    other_distance = _distances(boxes, other_pixels)
    gap = _anchor_distances(boxes, anchors[anchor_index])
    has_leader = gap > MAX_GAP_WITHOUT_LEADER
    is_clear = (own_distance > TEXT_MARGIN) & (other_distance > TEXT_MARGIN)
    is_clear &= has_leader | (other_distance >= own_distance + MIN_CLEARANCE)
    cost = gap + 15 * has_leader - 0.7 * np.minimum(other_distance, WANTED_CLEARANCE)
    cost -= 0.5 * np.minimum(_edge_distances(boxes, area), WANTED_EDGE_DISTANCE)
    for index in np.argsort(np.where(is_clear, cost, np.inf), kind="stable"):
        if not is_clear[index]:
            return None
        x, y = anchors[anchor_index[index]].tolist()
        place = LabelPlace(Box(*boxes[index].tolist()), (x, y))
        if not place.needs_leader or _is_leader_clear(place, occupied, other_pixels):
            return place
    return None


def _boxes_around(points: Pixels, size: tuple[float, float], gaps: Sequence[float]) -> Pixels:
    """Rectangles beside points, one per row: for each gap, for each point, for each direction."""
    width, height = size
    corners = [
        (
            gap * right - (width if right < 0 else width / 2 if right == 0 else 0),
            gap * up - (height if up < 0 else height / 2 if up == 0 else 0),
        )
        for gap in gaps
        for right, up in DIRECTIONS
    ]
    offsets = np.array(corners).reshape(len(gaps), 1, len(DIRECTIONS), 2)
    lower_left = (points[None, :, None, :] + offsets).reshape(-1, 2)
    return np.column_stack([lower_left, lower_left + np.array(size)])


def _are_inside(boxes: Pixels, area: Box) -> NDArray[np.bool_]:
    is_above = (boxes[:, :2] >= (area.left, area.bottom)).all(axis=1)
    return np.asarray(is_above & (boxes[:, 2:] <= (area.right, area.top)).all(axis=1))


def _edge_distances(boxes: Pixels, area: Box) -> NDArray[np.float64]:
    """Distance of each rectangle inside an area from its nearest edge."""
    inner = np.minimum(
        boxes[:, :2] - (area.left, area.bottom), (area.right, area.top) - boxes[:, 2:]
    )
    return np.asarray(inner.min(axis=1))


def _overlap(boxes: Pixels, other: Box) -> NDArray[np.bool_]:
    left, bottom, right, top = other.padded(TEXT_MARGIN)
    return np.asarray(
        (boxes[:, 0] < right) & (boxes[:, 2] > left) & (boxes[:, 1] < top) & (boxes[:, 3] > bottom)
    )


def _distances(boxes: Pixels, pixels: Pixels) -> NDArray[np.float64]:
    """Distance of each rectangle from the nearest pixel; infinite without pixels."""
    distances = np.full(len(boxes), np.inf)
    if not len(pixels):
        return distances
    x, y = pixels.T
    for start in range(0, len(boxes), CHUNK_SIZE):
        left, bottom, right, top = boxes[start : start + CHUNK_SIZE].T[:, :, None]
        horizontal = np.maximum(np.maximum(left - x, x - right), 0)
        vertical = np.maximum(np.maximum(bottom - y, y - top), 0)
        distances[start : start + CHUNK_SIZE] = np.hypot(horizontal, vertical).min(axis=1)
    return distances


def _anchor_distances(boxes: Pixels, anchors: Pixels) -> NDArray[np.float64]:
    """Distance of each rectangle from its own anchor."""
    excess = np.maximum(np.maximum(boxes[:, :2] - anchors, anchors - boxes[:, 2:]), 0)
    return np.asarray(np.hypot(excess[:, 0], excess[:, 1]))


def _is_leader_clear(place: LabelPlace, occupied: Sequence[Box], other_pixels: Pixels) -> bool:
    """Whether the line from a label to its anchor meets no other line and no other text."""
    points = _leader_points(place)
    if _distances(np.column_stack([points, points]), other_pixels).min() <= 2 * TEXT_MARGIN:
        return False
    return not any(box.count_inside(points) for box in occupied)


def _leader_penalty(place: LabelPlace, occupied: Sequence[Box], line_pixels: Pixels) -> float:
    """Penalty for the texts and lines that the leader of an annotation would cross."""
    points = _leader_points(place)
    hidden_texts = sum(box.count_inside(points) > 0 for box in occupied)
    from_anchor = np.hypot(*(points - place.anchor).T)
    free = points[from_anchor > 2 * TEXT_MARGIN]  # the anchor is on lines
    crossings = _distances(np.column_stack([free, free]), line_pixels) <= TEXT_MARGIN
    return float(1000 * hidden_texts + 40 * crossings.sum())


def _leader_points(place: LabelPlace) -> Pixels:
    """Points along the line that connects a text with its anchor."""
    start = np.array(place.box.nearest(place.anchor))
    return np.asarray(start + np.linspace(0, 1, 12)[:, None] * (np.array(place.anchor) - start))
