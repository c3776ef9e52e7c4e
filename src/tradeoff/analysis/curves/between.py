"""How a curve runs from one of its points to the next, and so what its value is anywhere.

Between two operating points lies a random mix of them: its expected counts are a straight line,
and so are rates by class; precision and lift are not, and go along a hyperbola.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tradeoff.analysis.curves.along import Path
    from tradeoff.analysis.registry import Measure
    from tradeoff.core.confusion import ConfusionMatrix

Values = Any  # an array, or one number
HALVINGS = 60


class Between(Protocol):
    """The way from each point to the next."""

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
    """A straight line from each point to the next."""

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
    """Expected counts of a random mix of the two neighbours."""

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


def _linear_share(values: NDArray[np.float64], after: NDArray[np.intp], wanted: Values) -> Values:
    first, second = values[after], values[after + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (wanted - first) / (second - first)
    return np.where(first == second, 0.0, np.clip(share, 0.0, 1.0))


def _halved(value: Callable[[Values], Values], first: Values, second: Values, wanted: Any) -> Any:
    """The share at which a function that runs from `first` to `second` has the wanted value."""
    low, high = np.zeros(np.shape(first)), np.ones(np.shape(first))
    rising = second >= first
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        beyond = (value(middle) >= wanted) == rising
        low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
    return np.where(first == wanted, 0.0, high)
