"""A curve: its points along a ranking, values read off between them, and its area."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves import bin_bounds
from tradeoff.measures.curves.interpolation import Interpolation
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.vocabulary import USUAL_LABELS
from tradeoff.results import Result

if TYPE_CHECKING:
    from tradeoff.measures.registry import Better

SMALL_FRACTION = 2.0**-40
"""Fraction of a segment at which the height just beyond its first point is computed."""
Line = tuple[tuple[float, float], ...]
"""Vertices of a reference line that is drawn with a curve."""


@dataclass(frozen=True, eq=False)
class Axis:
    """One axis of a curve: its name, its values, and which direction is better.

    `spelling` is the name by which its metric was requested; empty if the curve chose the metric.
    """

    name: str
    values: NDArray[np.float64]
    better: Better = None
    spelling: str = field(default="", compare=False)

    @property
    def label(self) -> str:
        """Label of the axis: the requested name, else the usual label of its metric."""
        return self.spelling or USUAL_LABELS.get(self.name) or self.name.replace("_", " ")


@dataclass(frozen=True, eq=False, repr=False)
class Curve(
    Result, views="tradeoff.views.curves", charts="tradeoff.views.curve_chart", picture=True
):
    """A curve of one quantity against another: its points, and the interpolation between them.

    `chance` is the reference line for random guessing, `ideal` that for a perfect ranking; `also`
    holds further quantities at the same x. `y_at` and `x_at` read values off the curve, `area`
    integrates it. If scores are binned, the points are exact and values between them have bounds:
    `again` recomputes the curve for the worst and the best order (with `by_cases`, the curve for
    any other order lies between them at every x). Unpickling recomputes the curve from its ranking.
    """

    name: str
    ranking: Ranking
    across: Axis
    up: Axis
    between: Interpolation | None = None
    formula: Callable[[Any], Any] | None = None
    also: tuple[Axis, ...] = ()
    chance: Line | None = None
    ideal: Line | None = None
    table: Callable[[], Mapping[str, NDArray[Any]]] = field(default=dict)
    integral: Callable[[Curve, float, float], float] | None = None
    again: Callable[[Ranking], Curve] | None = None
    by_cases: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the ranking and the recipe for the curve instead of its points."""
        if self.again is None:
            return super().__reduce__()  # type: ignore[return-value]
        return self.again, (self.ranking,)

    @property
    def x(self) -> NDArray[np.float64]:
        """Values of x; NaN where undefined."""
        return self.across.values

    @property
    def y(self) -> NDArray[np.float64]:
        """Values of y; NaN where undefined."""
        return self.up.values

    @property
    def is_named(self) -> bool:
        """Whether the curve has a name of its own, not one made of its axes."""
        return self.name != f"{self.up.name} over {self.across.name}"

    def columns(self) -> dict[str, NDArray[Any]]:
        """Table of the points: what defines them (threshold, counts), then their coordinates."""
        axes = {axis.name: axis.values for axis in (self.across, self.up, *self.also)}
        return {**self.table(), **axes}

    def y_at(self, x: float) -> float:
        """Height of the curve at x; the better one if there are several, NaN beyond its ends."""
        if np.isnan(x):
            return nan
        if not self.ranking.exact:
            return bin_bounds.exact_value_in_bins(bin_bounds.height_in_bins(self, x))
        if self.formula is not None:
            return float(self.formula(np.float64(x)))
        return _read_off(self._interpolation(), x, self.x, self.y, self.up.better, along_x=True)

    def x_at(self, y: float) -> float:
        """The x at which the curve has a height; the better one if there are several."""
        if not self.ranking.exact:
            return bin_bounds.exact_value_in_bins(bin_bounds.x_in_bins(self, y))
        return _read_off(
            self._interpolation(), y, self.y, self.x, self.across.better, along_x=False
        )

    def limits(self, x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Left and right limits of the curve at each x, which differ at jumps."""
        if self.formula is not None:
            heights = np.asarray(self.formula(x))
            return heights, heights
        interpolation, last = self._interpolation(), len(self) - 1
        if not (self.x[1:] >= self.x[:-1]).all():
            raise InputError(f"{self.up.name} is not a function of {self.across.name} here.")
        first = np.clip(np.searchsorted(self.x, x, "left"), 0, last)
        last_at_x = np.clip(np.searchsorted(self.x, x, "right") - 1, 0, last)
        between = np.flatnonzero(self.x[first] != x)
        left, right = self.y[first], self.y[last_at_x]
        if not last:
            return left, right
        starts = np.clip(first[between] - 1, 0, last - 1)
        fractions = interpolation.fraction_at_x(starts, x[between])
        left[between] = right[between] = interpolation.y(starts, fractions)
        # Where a point is undefined (precision without predictions), the height just beyond it.
        undefined = np.flatnonzero(np.isnan(right) & (last_at_x < last))
        right[undefined] = interpolation.y(
            last_at_x[undefined], np.full(len(undefined), SMALL_FRACTION)
        )
        for heights in (left, right):
            heights[(x < self.x[0]) | (x > self.x[-1])] = nan
        return left, right

    def area(self, low: float | None = None, high: float | None = None) -> Estimate:
        """Area under the whole curve, or between two values of x."""
        name = f"area under {self.name}"
        if self.integral is None:
            return Estimate(name, nan, reason="the area under this curve has no meaning")
        if not len(self) or np.isnan(self.y).all() or np.isnan(self.x).all():
            return Estimate(name, nan, reason="the curve is undefined everywhere")
        first, last = float(np.nanmin(self.x)), float(np.nanmax(self.x))
        if first == last:
            reason = f"{self.across.name} is the same at every point"
            return Estimate(name, nan, reason=reason)
        low, high = first if low is None else low, last if high is None else high
        if not first <= low < high <= last:
            raise InputError(
                f"The curve covers {self.across.name} from {first:g} to {last:g}: there is no area "
                f"from {low:g} to {high:g}."
            )
        if not self.ranking.exact:
            return bin_bounds.area_in_bins(self, name, low, high)
        return Estimate(name, float(self.integral(self, low, high)))

    def __len__(self) -> int:
        """Number of points."""
        return len(self.x)

    def __repr__(self) -> str:
        """One line: the name, both axes, the model and the number of points."""
        axes = " over ".join(axis.spelling or axis.name for axis in (self.up, self.across))
        prefix = f"{self.name}, " if self.is_named else ""
        return f"Curve({prefix}{axes}, of {self.ranking.name}, {len(self):,} points)"

    def _interpolation(self) -> Interpolation:
        if self.between is None:
            raise InputError(
                f"The {self.name} curve has no values between its points; use `best` to find "
                "thresholds."
            )
        return self.between


def _read_off(  # noqa: PLR0913 - both axes, each with its values
    interpolation: Interpolation,
    target: float,
    given_values: NDArray[np.float64],
    sought_values: NDArray[np.float64],
    better: Better,
    *,
    along_x: bool,
) -> float:
    """Find one coordinate where the other equals `target`; the better one of several."""
    low, high = (
        np.fmin(given_values[:-1], given_values[1:]),
        np.fmax(given_values[:-1], given_values[1:]),
    )
    starts = np.flatnonzero((low <= target) & (target <= high))
    at_points = sought_values[given_values == target]
    fraction_at = interpolation.fraction_at_x if along_x else interpolation.fraction_at_y
    fractions = fraction_at(starts, target)
    crossings = (interpolation.y if along_x else interpolation.x)(starts, fractions)
    # On a constant segment the value holds throughout; its ends are among the points.
    candidates = np.concatenate(
        [at_points, crossings[given_values[starts] != given_values[starts + 1]]]
    )
    candidates = candidates[~np.isnan(candidates)]
    if not len(candidates):
        return nan
    return float(candidates.max() if better == "higher" else candidates.min())


def counts_table(ranking: Ranking, counts: ConfusionMatrix) -> Mapping[str, NDArray[Any]]:
    """Columns of a curve's table: the threshold and the counts at each point."""
    size = len(ranking)
    rejected = {}
    if np.any(counts.rejected):  # needed to recompute the rates
        for name in ("rejected_positives", "rejected_negatives"):
            rejected[name] = np.full(size, getattr(counts, name))
    return {
        "threshold": ranking.thresholds,
        "true_positives": counts.true_positives,
        "false_positives": counts.false_positives,
        "false_negatives": counts.false_negatives,
        "true_negatives": counts.true_negatives,
        **rejected,
    }
