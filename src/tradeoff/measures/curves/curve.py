"""A curve: its points along a ranking, readings between them, and its area."""

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
from tradeoff.measures.curves.interpolation import Between
from tradeoff.measures.estimate import Estimate
from tradeoff.results import Result

if TYPE_CHECKING:
    from tradeoff.measures.registry import Better

JUST_BEHIND = 2.0**-40
Line = tuple[tuple[float, float], ...]
"""Corners of a line to be drawn beside a curve."""


@dataclass(frozen=True, eq=False)
class Axis:
    """One axis of a curve: its name, its values, and which direction is better."""

    name: str
    values: NDArray[np.float64]
    better: Better = None


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Result, views="tradeoff.views.curves", charts="tradeoff.views.curve_chart"):
    """A curve: one quantity over another, one point per threshold (or as its kind defines).

    `chance` is the line of guessing, `ideal` that of a perfect ranking, `also` further quantities
    over the same x. `y_at` and `x_at` read the curve anywhere, `area` integrates it. Where scores
    are in bins the points are exact, and what lies between them has bounds, for which the curve is
    made `again` of the worst and the best order (with `by_cases` no order is beyond them at any x);
    pickle makes it again of its ranking.
    """

    name: str
    ranking: Ranking
    across: Axis
    up: Axis
    between: Between | None = None
    formula: Callable[[Any], Any] | None = None
    also: tuple[Axis, ...] = ()
    chance: Line | None = None
    ideal: Line | None = None
    table: Callable[[], Mapping[str, NDArray[Any]]] = field(default=dict)
    integral: Callable[[Curve, float, float], float] | None = None
    again: Callable[[Ranking], Curve] | None = None
    by_cases: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        """What pickle keeps: the ranking, and how the curve was asked for."""
        if self.again is None:
            return super().__reduce__()  # type: ignore[return-value]
        return self.again, (self.ranking,)

    @property
    def x(self) -> NDArray[np.float64]:
        """The values to the right; NaN where undefined."""
        return self.across.values

    @property
    def y(self) -> NDArray[np.float64]:
        """The values upwards; NaN where undefined."""
        return self.up.values

    def columns(self) -> dict[str, NDArray[Any]]:
        """The curve as a table: what makes each point, then x, y and further quantities."""
        axes = {axis.name: axis.values for axis in (self.across, self.up, *self.also)}
        return {**self.table(), **axes}

    def y_at(self, x: float) -> float:
        """The height of the curve at x; the better one where it has several, NaN outside it."""
        if np.isnan(x):
            return nan
        if not self.ranking.exact:
            return bin_bounds.require_exact(bin_bounds.height_in_bins(self, x))
        if self.formula is not None:
            return float(self.formula(np.float64(x)))
        return _read(self._way(), x, self.x, self.y, self.up.better, along_x=True)

    def x_at(self, y: float) -> float:
        """Where the curve has this height; the better place where it has it several times."""
        if not self.ranking.exact:
            return bin_bounds.require_exact(bin_bounds.x_in_bins(self, y))
        return _read(self._way(), y, self.y, self.x, self.across.better, along_x=False)

    def limits(self, x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The heights on arriving at each x from the left and on leaving it to the right."""
        if self.formula is not None:
            heights = np.asarray(self.formula(x))
            return heights, heights
        segments, last = self._way(), len(self) - 1
        if not (self.x[1:] >= self.x[:-1]).all():
            raise InputError(f"{self.up.name} is no function of {self.across.name} here.")
        reached = np.clip(np.searchsorted(self.x, x, "left"), 0, last)
        departed = np.clip(np.searchsorted(self.x, x, "right") - 1, 0, last)
        inside = np.flatnonzero(self.x[reached] != x)
        arriving, leaving = self.y[reached], self.y[departed]
        if not last:
            return arriving, leaving
        after = np.clip(reached[inside] - 1, 0, last - 1)
        arriving[inside] = leaving[inside] = segments.y(after, segments.share(after, x[inside]))
        # Just behind a point that has no height (precision of nothing) there is one.
        undefined = np.flatnonzero(np.isnan(leaving) & (departed < last))
        leaving[undefined] = segments.y(departed[undefined], np.full(len(undefined), JUST_BEHIND))
        for side in (arriving, leaving):
            side[(x < self.x[0]) | (x > self.x[-1])] = nan
        return arriving, leaving

    def area(self, low: float | None = None, high: float | None = None) -> Estimate:
        """The area under the curve, whole or between two values of x."""
        name = f"area under {self.name}"
        if self.integral is None:
            return Estimate(name, nan, reason="an area under this curve has no meaning")
        if not len(self) or np.isnan(self.y).all() or np.isnan(self.x).all():
            return Estimate(name, nan, reason="the curve is nowhere defined")
        first, last = float(np.nanmin(self.x)), float(np.nanmax(self.x))
        if first == last:
            reason = f"{self.across.name} is the same at every point"
            return Estimate(name, nan, reason=reason)
        low, high = first if low is None else low, last if high is None else high
        if not first <= low < high <= last:
            raise InputError(
                f"The curve runs over {self.across.name} from {first:g} to {last:g}: no area from "
                f"{low:g} to {high:g}."
            )
        if not self.ranking.exact:
            return bin_bounds.area_in_bins(self, name, low, high)
        return Estimate(name, float(self.integral(self, low, high)))

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.x)

    def __repr__(self) -> str:
        """One line: what is drawn over what."""
        axes = f"{self.up.name} over {self.across.name}"
        named = "" if self.name == axes else f"{self.name}, "
        return f"Curve({named}{axes}, of {self.ranking.name}, {len(self):,} points)"

    def _way(self) -> Between:
        if self.between is None:
            raise InputError(
                f"The {self.name} curve cannot be read between its points; `best` finds thresholds."
            )
        return self.between


def _read(  # noqa: PLR0913 - both axes, each with its values
    segments: Between,
    target: float,
    along: NDArray[np.float64],
    other: NDArray[np.float64],
    better: Better,
    *,
    along_x: bool,
) -> float:
    """The other coordinate where one has a value; of several, the better one."""
    low, high = np.fmin(along[:-1], along[1:]), np.fmax(along[:-1], along[1:])
    starts = np.flatnonzero((low <= target) & (target <= high))
    at_points = other[along == target]
    share = (segments.share if along_x else segments.share_of_y)(starts, target)
    crossing = (segments.y if along_x else segments.x)(starts, share)
    # A level stretch holds the value all along: its ends are among the points.
    candidates = np.concatenate([at_points, crossing[along[starts] != along[starts + 1]]])
    candidates = candidates[~np.isnan(candidates)]
    if not len(candidates):
        return nan
    return float(candidates.max() if better == "higher" else candidates.min())


def counts_table(ranking: Ranking, counts: ConfusionMatrix) -> Mapping[str, NDArray[Any]]:
    """Table of the threshold and counts at each point of a curve."""
    size = len(ranking)
    rejected = {}
    if np.any(counts.rejected):  # without them the rates could not be checked
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
