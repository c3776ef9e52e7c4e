"""Where texts and legends find room: beside their points, off the lines, off each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

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
