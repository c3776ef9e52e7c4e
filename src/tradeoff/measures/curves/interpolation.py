"""Interpolation of curves between their points, and the areas under them.

The points between two operating points are random mixtures of them: expected counts are linear, and
so are the rates of each class; precision and lift follow a hyperbola.
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


# Metrics at every threshold of a ranking, block by block: whole columns exceed the cache.


class MatrixPath(Protocol):
    """Confusion matrices to interpolate between: a ranking, its resamples or reject bands."""

    def matrices(self, indices: Any) -> ConfusionMatrix:
        """The matrices at some indices (a slice, or an array of indices)."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the sequence; its last axis runs over the points of the path."""


def values_along(path: MatrixPath, measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
    """Values of metrics at every point of a path; NaN where undefined."""
    values = [np.empty(path.shape) for _ in measures]

    def fill(span: Span) -> None:
        for start, stop in cache_blocks(span):
            indices = ..., slice(start, stop)
            matrix = path.matrices(indices).as_floats()  # shared by all measures
            for measure, out in zip(measures, values, strict=True):
                out[indices] = measure(matrix)

    map_in_threads(fill, thread_spans(path.shape[-1]))
    return values


Values = Any  # an array, or one number
BISECTION_STEPS = 60


class Interpolation(Protocol):
    """Interpolation between neighboring points of a curve."""

    def x(self, start: NDArray[np.intp], fraction: Values) -> Values:
        """The x at a fraction of the way from point `start` to the next point."""

    def y(self, start: NDArray[np.intp], fraction: Values) -> Values:
        """The y at a fraction of the way from point `start` to the next point."""

    def fraction_at_x(self, start: NDArray[np.intp], x: Values) -> Values:
        """Fraction of the way from point `start` to the next where the curve has this x."""

    def fraction_at_y(self, start: NDArray[np.intp], y: Values) -> Values:
        """Fraction of the way from point `start` to the next where the curve has this y."""

    @property
    def is_straight(self) -> bool:
        """Whether the curve between two points is a straight line."""

    def with_axes_exchanged(self) -> Interpolation:
        """The same interpolation with its axes exchanged."""


@dataclass(frozen=True)
class LinearInterpolation:
    """Linear interpolation between neighboring points."""

    xs: NDArray[np.float64]
    ys: NDArray[np.float64]

    def x(self, start: NDArray[np.intp], fraction: Values) -> Values:
        """The x at a fraction of the way from point `start` to the next point."""
        return _interpolate_linearly(self.xs, start, fraction)

    def y(self, start: NDArray[np.intp], fraction: Values) -> Values:
        """The y at a fraction of the way from point `start` to the next point."""
        return _interpolate_linearly(self.ys, start, fraction)

    def fraction_at_x(self, start: NDArray[np.intp], x: Values) -> Values:
        """Fraction of the way from point `start` to the next where the curve has this x."""
        return _linear_fraction(self.xs, start, x)

    def fraction_at_y(self, start: NDArray[np.intp], y: Values) -> Values:
        """Fraction of the way from point `start` to the next where the curve has this y."""
        return _linear_fraction(self.ys, start, y)

    @property
    def is_straight(self) -> bool:
        """Always true."""
        return True

    def with_axes_exchanged(self) -> LinearInterpolation:
        """The same interpolation with its axes exchanged."""
        return LinearInterpolation(self.ys, self.xs)


@dataclass(frozen=True)
class CountInterpolation:
    """Interpolation by the expected counts of random mixtures of two points, as for precision."""

    path: MatrixPath
    x_metric: Measure
    y_metric: Measure
    xs: NDArray[np.float64]
    ys: NDArray[np.float64]

    def matrix(self, start: NDArray[np.intp], fraction: Values) -> ConfusionMatrix:
        """Expected counts at a fraction of the way from point `start` to the next point."""
        return self.path.matrices(start).mixed(self.path.matrices(start + 1), fraction)

    def x(self, start: NDArray[np.intp], fraction: Values) -> Values:
        """The x at a fraction of the way from point `start` to the next point."""
        return self.x_metric(self.matrix(start, fraction))

    def y(self, start: NDArray[np.intp], fraction: Values) -> Values:
        """The y at a fraction of the way from point `start` to the next point."""
        return self.y_metric(self.matrix(start, fraction))

    def fraction_at_x(self, start: NDArray[np.intp], x: Values) -> Values:
        """Fraction of the way from point `start` to the next where the curve has this x."""
        if self.x_metric.linear:
            return _linear_fraction(self.xs, start, x)
        return _bisect(
            lambda fraction: self.x(start, fraction), self.xs[start], self.xs[start + 1], x
        )

    def fraction_at_y(self, start: NDArray[np.intp], y: Values) -> Values:
        """Fraction of the way from point `start` to the next where the curve has this y."""
        if self.y_metric.linear:
            return _linear_fraction(self.ys, start, y)
        return _bisect(
            lambda fraction: self.y(start, fraction), self.ys[start], self.ys[start + 1], y
        )

    @property
    def is_straight(self) -> bool:
        """Whether both metrics are linear in the counts."""
        return self.x_metric.linear and self.y_metric.linear

    def with_axes_exchanged(self) -> CountInterpolation:
        """The same interpolation with its axes exchanged."""
        return CountInterpolation(self.path, self.y_metric, self.x_metric, self.ys, self.xs)


def _interpolate_linearly(
    values: NDArray[np.float64], start: NDArray[np.intp], fraction: Values
) -> Values:
    # Not first + fraction * step: both ends must be exact, even if one is infinite.
    first, second = values[start], values[start + 1]
    with np.errstate(invalid="ignore"):
        mixed = (1 - fraction) * first + fraction * second
    return np.where(fraction == 0, first, np.where(fraction == 1, second, mixed))


def _linear_fraction(
    values: NDArray[np.float64], start: NDArray[np.intp], target: Values
) -> Values:
    first, second = values[start], values[start + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        fraction = (target - first) / (second - first)
    return np.where(first == second, 0.0, np.clip(fraction, 0.0, 1.0))


def _bisect(
    function: Callable[[Values], Values], first: Values, second: Values, target: Any
) -> Any:
    """Fraction where a function running from `first` to `second` equals `target`, by bisection."""
    low, high = np.zeros(np.shape(first)), np.ones(np.shape(first))
    is_increasing = second >= first
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        is_past = (function(middle) >= target) == is_increasing
        low, high = np.where(is_past, low, middle), np.where(is_past, middle, high)
    return np.where(first == target, 0.0, high)


# Areas under curves, exact for each curve's interpolation between its points.


def linear_interpolation_area(curve: Curve, low: float, high: float) -> float:
    """Area under a curve by linear interpolation between points (trapezoidal rule)."""
    first, last = _inner_range(curve.x, low, high)
    (_, first_y), (last_y, _) = (curve.limits(np.array([x])) for x in (low, high))
    xs = np.concatenate([[low], curve.x[first:last], [high]])
    return float(np.trapezoid(np.concatenate([first_y, curve.y[first:last], last_y]), xs))


def count_interpolation_area(
    numerator: Callable[[ConfusionMatrix], Any], denominator: Callable[[ConfusionMatrix], Any]
) -> Callable[[Curve, float, float], float]:
    """Integral of a curve that is a ratio of two counts, interpolated by expected counts."""

    def integral(curve: Curve, low: float, high: float) -> float:
        interpolation = curve.between
        if not isinstance(interpolation, CountInterpolation):
            raise TypeError(f"{curve.name} is not interpolated by counts")
        first, last = _inner_range(curve.x, low, high)
        inner = interpolation.path.matrices(slice(first, last)).as_floats()
        ends = []
        for x, index in ((low, first), (high, last)):
            start = np.clip(np.array([index - 1]), 0, len(curve) - 2)
            ends.append(interpolation.matrix(start, interpolation.fraction_at_x(start, x)))
        xs = np.concatenate([[low], curve.x[first:last], [high]])
        parts = [
            np.concatenate([count(ends[0]), count(inner), count(ends[1])])
            for count in (numerator, denominator)
        ]
        return interpolated_ratio_area(parts[0], parts[1], xs)

    return integral


def interpolated_ratio_area(
    numerator: NDArray[Any], denominator: NDArray[Any], x: NDArray[Any]
) -> float:
    """Area under a ratio whose numerator, denominator and x are linear between points."""
    a, b = numerator[:-1], np.diff(numerator)
    c, d = denominator[:-1], np.diff(denominator)
    is_constant, starts_at_zero = d == 0, c == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = b / d
        curved = slope + (a - slope * c) / d * np.log1p(d / c)
        heights = np.where(is_constant, (a + b / 2) / c, np.where(starts_at_zero, slope, curved))
    # A step of width 0 has no area, whatever its height.
    widths = np.diff(x)
    return float((heights[widths > 0] * widths[widths > 0]).sum())


def _inner_range(x: NDArray[Any], low: float, high: float) -> tuple[int, int]:
    """Index range of the points strictly between two values of an increasing x."""
    first, last = np.searchsorted(x, low, "right"), np.searchsorted(x, high, "left")
    return int(first), int(last)
