"""The upper convex hull of a ranking's ROC points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.ranking.ranking import Ranking

MANY = 20_000
"""Beyond this many corners, isotonic regression thins them out before the exact pass."""


def hull_places(ranking: Ranking) -> NDArray[np.intp]:
    """Places in the ranking of the hull's vertices, from (0, 0) to (1, 1).

    Points on a straight line between two others are not vertices.
    """
    up, right = ranking.true_positives, ranking.false_positives
    corners = _corners(up, right)
    if len(corners) > MANY:
        corners = _isotonic_ends(up, right, corners)
    places: list[int] = []
    for place in corners.tolist():
        while len(places) > 1 and not _turns_right(up, right, places[-2], places[-1], place):
            places.pop()
        places.append(place)
    return np.array(places, np.intp)


def _corners(up: NDArray[np.generic], right: NDArray[np.generic]) -> NDArray[np.intp]:
    """The ends, and points after a step up and before a step to the right."""
    # A tiny weight may vanish beside large ones: steps that go nowhere are no steps.
    moves = np.flatnonzero((np.diff(up) > 0) | (np.diff(right) > 0)) + 1
    points = np.concatenate([[0], moves])
    rises, runs = np.diff(up[points]) > 0, np.diff(right[points]) > 0
    inner = points[1:-1][rises[:-1] & runs[1:]]
    return np.unique(np.concatenate([[0], inner, [len(up) - 1]]))


def _isotonic_ends(
    up: NDArray[np.generic], right: NDArray[np.generic], corners: NDArray[np.intp]
) -> NDArray[np.intp]:
    # The slopes of a concave hull fall: they are the falling isotonic regression of the steps'
    # shares of positives (Fawcett & Niculescu-Mizil 2007, doi:10.1007/s10994-007-5011-0).
    from scipy.optimize import isotonic_regression

    rises = np.diff(up[corners]).astype(np.float64)
    sizes = rises + np.diff(right[corners])
    blocks = isotonic_regression(rises / sizes, weights=sizes, increasing=False).blocks
    kept: NDArray[np.intp] = corners[blocks]
    return kept


def _turns_right(
    up: NDArray[np.generic], right: NDArray[np.generic], first: int, second: int, third: int
) -> bool:
    # Python's integers: the products of counts are exact at any size.
    x1, y1 = right[second].item() - right[first].item(), up[second].item() - up[first].item()
    x2, y2 = right[third].item() - right[second].item(), up[third].item() - up[second].item()
    return bool(x1 * y2 < x2 * y1)
