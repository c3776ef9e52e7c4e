"""Interpolation of curves between their points, and the areas under them.

Between two operating points lies a random mix of them: its expected counts are a straight line,
and so are rates by class; precision and lift are not, and go along a hyperbola.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tradeoff.threads import Span, cache_blocks, map_in_threads, thread_spans

if TYPE_CHECKING:
    from tradeoff.core.confusion import ConfusionMatrix
    from tradeoff.measures.curves.curve import Curve
    from tradeoff.measures.registry import Measure


# Metrics at every threshold of a ranking, block by block: whole columns would leave the cache.


class Path(Protocol):
    """A sequence of confusion matrices: a ranking, its resamples or reject bands."""

    def matrices(self, places: Any) -> ConfusionMatrix:
        """Those at some places (a slice, or an array of them)."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many there are; places are the last axis."""


def values_along(path: Path, measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
    """Values of measures at every point of a path, to interpolate; NaN where undefined."""
    values = [np.empty(path.shape) for _ in measures]

    def fill(span: Span) -> None:
        for start, stop in cache_blocks(span):
            places = ..., slice(start, stop)
            matrix = path.matrices(places).as_floats()  # once for all measures
            for measure, out in zip(measures, values, strict=True):
                out[places] = measure(matrix)

    map_in_threads(fill, thread_spans(path.shape[-1]))
    return values


Values = Any  # an array, or one number
HALVINGS = 60


class Between(Protocol):
    """Interpolation between neighbouring points of a curve."""

    def x(self, after: NDArray[np.intp], share: Values) -> Values:
        """The x a share of the way beyond the points `after`."""

    def y(self, after: NDArray[np.intp], share: Values) -> Values:
        """The y a share of the way beyond the points `after`."""

    def share(self, after: NDArray[np.intp], x: Values) -> Values:
        """How far beyond the points `after` the curve has this x."""

    def share_of_y(self, after: NDArray[np.intp], y: Values) -> Values:
        """How far beyond the points `after` the curve has this y."""

    @property
    def is_straight(self) -> bool:
        """Whether the way between two points is a straight line."""

    def turned(self) -> Between:
        """The same way with its axes exchanged."""


@dataclass(frozen=True)
class Straight:
    """Linear interpolation between neighbouring points."""

    xs: NDArray[np.float64]
    ys: NDArray[np.float64]

    def x(self, after: NDArray[np.intp], share: Values) -> Values:
        """The x a share of the way beyond the points `after`."""
        return _mix(self.xs, after, share)

    def y(self, after: NDArray[np.intp], share: Values) -> Values:
        """The y a share of the way beyond the points `after`."""
        return _mix(self.ys, after, share)

    def share(self, after: NDArray[np.intp], x: Values) -> Values:
        """How far beyond the points `after` the curve has this x."""
        return _linear_share(self.xs, after, x)

    def share_of_y(self, after: NDArray[np.intp], y: Values) -> Values:
        """How far beyond the points `after` the curve has this y."""
        return _linear_share(self.ys, after, y)

    @property
    def is_straight(self) -> bool:
        """Always."""
        return True

    def turned(self) -> Straight:
        """The same way with its axes exchanged."""
        return Straight(self.ys, self.xs)


@dataclass(frozen=True)
class Mixed:
    """Interpolation by expected counts of a random mix of two neighbours (as for precision)."""

    path: Path
    x_metric: Measure
    y_metric: Measure
    xs: NDArray[np.float64]
    ys: NDArray[np.float64]

    def matrix(self, after: NDArray[np.intp], share: Values) -> ConfusionMatrix:
        """The expected counts a share of the way beyond the points `after`."""
        return self.path.matrices(after).mixed(self.path.matrices(after + 1), share)

    def x(self, after: NDArray[np.intp], share: Values) -> Values:
        """The x a share of the way beyond the points `after`."""
        return self.x_metric(self.matrix(after, share))

    def y(self, after: NDArray[np.intp], share: Values) -> Values:
        """The y a share of the way beyond the points `after`."""
        return self.y_metric(self.matrix(after, share))

    def share(self, after: NDArray[np.intp], x: Values) -> Values:
        """How far beyond the points `after` the curve has this x."""
        if self.x_metric.linear:
            return _linear_share(self.xs, after, x)
        return _halved(lambda share: self.x(after, share), self.xs[after], self.xs[after + 1], x)

    def share_of_y(self, after: NDArray[np.intp], y: Values) -> Values:
        """How far beyond the points `after` the curve has this y."""
        if self.y_metric.linear:
            return _linear_share(self.ys, after, y)
        return _halved(lambda share: self.y(after, share), self.ys[after], self.ys[after + 1], y)

    @property
    def is_straight(self) -> bool:
        """Where both metrics are straight lines in the counts."""
        return self.x_metric.linear and self.y_metric.linear

    def turned(self) -> Mixed:
        """The same way with its axes exchanged."""
        return Mixed(self.path, self.y_metric, self.x_metric, self.ys, self.xs)


def _mix(values: NDArray[np.float64], after: NDArray[np.intp], share: Values) -> Values:
    # Not first + share * step: the ends must come out exactly, also when one is infinite.
    first, second = values[after], values[after + 1]
    with np.errstate(invalid="ignore"):
        mixed = (1 - share) * first + share * second
    return np.where(share == 0, first, np.where(share == 1, second, mixed))


def _linear_share(values: NDArray[np.float64], after: NDArray[np.intp], target: Values) -> Values:
    first, second = values[after], values[after + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (target - first) / (second - first)
    return np.where(first == second, 0.0, np.clip(share, 0.0, 1.0))


def _halved(value: Callable[[Values], Values], first: Values, second: Values, target: Any) -> Any:
    """Bisection: the share at which a function from `first` to `second` has a value."""
    low, high = np.zeros(np.shape(first)), np.ones(np.shape(first))
    rising = second >= first
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_past = (value(middle) >= target) == rising
        low, high = np.where(is_past, low, middle), np.where(is_past, middle, high)
    return np.where(first == target, 0.0, high)


# Areas under curves, exact for the way each curve runs between its points.


def trapezoids(curve: Curve, low: float, high: float) -> float:
    """Area under linear interpolation between points (trapezoidal rule)."""
    first, last = _inner(curve.x, low, high)
    (_, start), (end, _) = (curve.limits(np.array([at])) for at in (low, high))
    xs = np.concatenate([[low], curve.x[first:last], [high]])
    return float(np.trapezoid(np.concatenate([start, curve.y[first:last], end]), xs))


def hyperbolas(
    above: Callable[[ConfusionMatrix], Any], below: Callable[[ConfusionMatrix], Any]
) -> Callable[[Curve, float, float], float]:
    """Area under the ratio of two counts, both linear in a third, between points."""

    def integral(curve: Curve, low: float, high: float) -> float:
        segments = curve.between
        if not isinstance(segments, Mixed):
            raise TypeError(f"{curve.name} does not run along counts")
        first, last = _inner(curve.x, low, high)
        inner = segments.path.matrices(slice(first, last)).as_floats()
        ends = []
        for at, index in ((low, first), (high, last)):
            after = np.clip(np.array([index - 1]), 0, len(curve) - 2)
            ends.append(segments.matrix(after, segments.share(after, at)))
        xs = np.concatenate([[low], curve.x[first:last], [high]])
        parts = [
            np.concatenate([count(ends[0]), count(inner), count(ends[1])])
            for count in (above, below)
        ]
        return ratio_area(parts[0], parts[1], xs)

    return integral


def ratio_area(above: NDArray[Any], below: NDArray[Any], x: NDArray[Any]) -> float:
    """Area under above / below, where both and x are linear between points."""
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
    """The points strictly between two values of an increasing x."""
    first, last = np.searchsorted(x, low, "right"), np.searchsorted(x, high, "left")
    return int(first), int(last)
