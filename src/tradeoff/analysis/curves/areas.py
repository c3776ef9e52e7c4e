"""Areas under curves, exact for the way each curve runs between its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.curves.between import Mixed

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tradeoff.analysis.curves.curve import Curve
    from tradeoff.core.confusion import ConfusionMatrix


def trapezoids(curve: Curve, low: float, high: float) -> float:
    """Under straight lines between the points."""
    first, last = _inner(curve.x, low, high)
    (_, start), (end, _) = (curve.limits(np.array([at])) for at in (low, high))
    xs = np.concatenate([[low], curve.x[first:last], [high]])
    return float(np.trapezoid(np.concatenate([start, curve.y[first:last], end]), xs))


def hyperbolas(
    above: Callable[[ConfusionMatrix], Any], below: Callable[[ConfusionMatrix], Any]
) -> Callable[[Curve, float, float], float]:
    """Under the ratio of two counts that both grow in straight lines, over a third that does."""

    def integral(curve: Curve, low: float, high: float) -> float:
        way = curve.between
        if not isinstance(way, Mixed):
            raise TypeError(f"{curve.name} does not run along counts")
        first, last = _inner(curve.x, low, high)
        inner = way.path.matrices(slice(first, last)).as_floats()
        ends = []
        for at, place in ((low, first), (high, last)):
            after = np.clip(np.array([place - 1]), 0, len(curve) - 2)
            ends.append(way.matrix(after, way.share(after, at)))
        xs = np.concatenate([[low], curve.x[first:last], [high]])
        parts = [
            np.concatenate([count(ends[0]), count(inner), count(ends[1])])
            for count in (above, below)
        ]
        return ratio_area(parts[0], parts[1], xs)

    return integral


def ratio_area(above: NDArray[Any], below: NDArray[Any], x: NDArray[Any]) -> float:
    """The area under above / below, where both and x run straight between their points."""
    a, b, c, d = above[:-1], np.diff(above), below[:-1], np.diff(below)
    level, begins = d == 0, c == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = b / d
        curved = slope + (a - slope * c) / d * np.log1p(d / c)
        heights = np.where(level, (a + b / 2) / c, np.where(begins, slope, curved))
    # A step that goes nowhere has no area, whatever its height.
    widths = np.diff(x)
    return float((heights[widths > 0] * widths[widths > 0]).sum())


def _inner(x: NDArray[Any], low: float, high: float) -> tuple[int, int]:
    """The points strictly between two values of a rising x."""
    first, last = np.searchsorted(x, low, "right"), np.searchsorted(x, high, "left")
    return int(first), int(last)
