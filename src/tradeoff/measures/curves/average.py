"""Average of several curves, such as the folds of a cross-validation.

Three questions, three methods. *Pooled*: one threshold will serve all, and scores mean the same
in every fold. *Threshold*: one threshold will serve all, and each fold is judged by itself.
*Vertical*: each fold may have its own threshold, chosen for the same x (the same false positive
rate). They are never mixed. *Horizontal* is vertical with the axes exchanged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import RowCosts
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, format_list, suggest_arguments
from tradeoff.measures.curves import any_curve
from tradeoff.measures.curves.curve import Curve
from tradeoff.measures.curves.registry import THRESHOLD
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS
from tradeoff.results import Result, find_view, renderer

if TYPE_CHECKING:
    from tradeoff.results import Chart

Method = Literal["vertical", "horizontal", "threshold", "pooled"]
Spread = Literal["sd", "se", "t"]
ROUNDING = 1e-12
MOST_POINTS = 1000
GRID_POINTS = 201
"""Where a band is shown when the curves have more points than anybody can see."""


class PointwiseBand(NamedTuple):
    """Pointwise band of an average curve: the spread of folds at each x."""

    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    method: str


@dataclass(frozen=True, eq=False, repr=False)
class AverageCurve(Result, views="tradeoff.views.curves", charts="tradeoff.views.curve_chart"):
    """Average of the curves of several folds.

    At an x where curves jump there are two points, one for the height on arriving and one for that
    on leaving. `folds` are the curves averaged, `left_out` those that have none, with the reason.
    With a `spread` tables have a band around the average: "t", "sd" or "se".
    """

    name: str
    method: Method
    x_name: str
    y_name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    folds: Mapping[str, Curve]
    left_out: Mapping[str, str]
    thresholds: NDArray[np.float64] | None = None
    spread: Spread | None = None

    def area(self) -> Estimate:
        """The area under the average; of a vertical one, the mean of the folds' areas."""
        name = f"area under the {self.method} average of {self.name}"
        curves = list(self.folds.values())
        if self.method in {"vertical", "pooled"}:
            areas = [curve.area() for curve in curves]
            reason = next((area.reason for area in areas if not area.is_defined), None)
            mean = math.nan if reason else float(np.mean([area.value for area in areas]))
            return Estimate(name, mean, reason=reason)
        rises = bool((np.diff(self.x) >= -ROUNDING).all())
        if not rises or not all(_is_straight(curve) for curve in curves):
            reason = "its points are not joined by straight lines from left to right"
            return Estimate(name, math.nan, reason=reason)
        return Estimate(name, float(np.trapezoid(self.y, self.x)))

    def band(
        self,
        spread: Spread = "t",
        *,
        level: float = 0.95,
        cross_validation: bool = True,
        at: NDArray[np.float64] | None = None,
    ) -> PointwiseBand:
        """How far the folds lie apart, at each point by itself.

        Args:
            spread: "sd": one standard deviation of a fold. "se": one standard error of the mean.
                "t": an interval for the mean at the level; NaN where all folds agree, as at the
                top of a ROC curve, since rows that happen to agree prove nothing.
            level: Of "t".
            cross_validation: Folds share their training rows: "se" and "t" take the factor of
                Nadeau and Bengio (2003, doi:10.1023/A:1024068626366) for test and training sizes.
            at: Where; at all points if there are few, else at 201 places.
        """
        if self.method not in {"vertical", "horizontal"}:
            raise InputError(f"A band goes with a vertical average, not with a {self.method} one.")
        if spread not in get_args(Spread):
            raise UnknownName(f"A band is one of {format_list(get_args(Spread))}, not {spread!r}.")
        positions = self._positions() if at is None else np.asarray(at, np.float64)
        heights = self._heights(positions)
        mean = _nanmean(heights)
        half, method = self._half_width(heights - mean, spread, level, cross_validation)
        low, high = self._range()
        limits = np.clip([mean - half, mean + half], low, high)
        return PointwiseBand(positions, limits[0], limits[1], f"{method}, pointwise")

    def _half_width(
        self, deviations: NDArray[np.float64], spread: Spread, level: float, correct: bool
    ) -> tuple[NDArray[np.float64], str]:
        """Half the width of a band, and what it is called."""
        size = len(self.folds)
        defined = (~np.isnan(deviations)).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            sd = np.sqrt(np.nansum(deviations**2, axis=0) / np.maximum(defined - 1, 0))
        if spread == "sd":
            return sd, "one standard deviation of a fold"
        overlap = 1 / (size - 1) if correct and size > 1 else 0.0
        error = sd * math.sqrt(1 / size + overlap)
        correction = " with the factor of Nadeau and Bengio" if correct else ""
        if spread == "se":
            return error, f"one standard error{correction}"
        name = f"{level:.0%} t interval over {size} folds{correction}, none where they all agree"
        error = np.where(sd > ROUNDING, error, math.nan)
        return error * _t_quantile(level, size), name

    def y_at(self, x: float) -> float:
        """The mean height of the folds on leaving x (of a horizontal average: the mean x at y)."""
        if self.method == "threshold":
            raise InputError("A threshold average is read at thresholds: its table has them.")
        return float(_nanmean(self._heights(np.array([x], np.float64)))[0])

    def columns(self) -> dict[str, NDArray[Any]]:
        """The average as a table."""
        table = {} if self.thresholds is None else {"threshold": self.thresholds}
        table |= {self.x_name: self.x, self.y_name: self.y}
        if self.spread is not None:
            band = self.band(self.spread, at=self.y if self.method == "horizontal" else self.x)
            table |= {"band_low": band.low, "band_high": band.high}
        return table

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.x)

    @suggest_arguments
    def chart(self, *, spread: Spread | None = "t", level: float = 0.95) -> Chart:
        """Chart of the average with the curves of its folds and a band."""
        chart: Chart = find_view(self, "chart")(self, spread=spread, level=level)
        return chart

    @suggest_arguments
    def plot(self, *, spread: Spread | None = "t", level: float = 0.95, ax: Any = None) -> Any:
        """Plot the chart with matplotlib, on `ax` if given; returns the axes."""
        return renderer("matplotlib")(self.chart(spread=spread, level=level), ax)

    def __repr__(self) -> str:
        """One line: what was averaged, how, and over how many folds."""
        missing = f", {len(self.left_out)} left out" if self.left_out else ""
        return f"AverageCurve({self.name}, {self.method}, {len(self.folds)} folds{missing})"

    def _positions(self) -> NDArray[np.float64]:
        values = self.y if self.method == "horizontal" else self.x
        if len(values) <= MOST_POINTS:
            return values
        return np.linspace(values[0], values[-1], GRID_POINTS)

    def _range(self) -> tuple[float, float]:
        """No rate lies outside 0 to 1, whatever an interval would say."""
        name = self.x_name if self.method == "horizontal" else self.y_name
        if name not in METRICS:
            return -math.inf, math.inf
        return METRICS[name].low, METRICS[name].high

    def _heights(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        is_horizontal = self.method == "horizontal"
        curves = (_transposed(c) if is_horizontal else c for c in self.folds.values())
        # Of two equal places the first is where a curve arrives.
        is_arrival = np.append(positions[:-1] == positions[1:], False)
        return np.array([np.where(is_arrival, *_heights(curve, positions)) for curve in curves])


def average_curve(
    folds: Mapping[str, Ranking],
    name: str | None = None,
    *,
    method: Method = "vertical",
    x: str | None = None,
    y: str | None = None,
    **parameters: Any,
) -> AverageCurve:
    """Average of a curve over folds; folds of one class are left out and listed."""
    if method not in get_args(Method):
        raise UnknownName(
            f"No average is called {method!r}: there are {format_list(get_args(Method))}."
        )
    if y is not None and not isinstance(y, str):
        raise InputError("One metric is averaged at a time: give one y.")
    usable, left_out = usable_folds(folds)
    if not all(ranking.exact for ranking in usable.values()):
        raise InputError("Curves are averaged from all scores of each fold, and these are in bins.")
    rankings = {"pooled": pooled_ranking(usable)} if method == "pooled" else usable
    if isinstance(parameters.get("costs"), RowCosts):
        raise InputError(
            "Costs that differ from row to row belong to the ranking of all rows: they cannot be "
            "averaged over folds."
        )
    curves = {
        fold: any_curve(ranking, name, x=x, y=y, **parameters) for fold, ranking in rankings.items()
    }
    first = next(iter(curves.values()))
    thresholds = None
    if method == "pooled":
        points = first.x, first.y
    elif method == "threshold":
        x_values, y_values, thresholds = _by_threshold(list(curves.values()))
        points = x_values, y_values
    else:
        mean = _vertical if method == "vertical" else _horizontal
        points = mean(list(curves.values()))
    names = first.across.name, first.up.name
    return AverageCurve(first.name, method, *names, *points, curves, left_out, thresholds)


def pooled_ranking(folds: Mapping[str, Ranking]) -> Ranking:
    """Pool the rows of all folds into one ranking."""
    first, *others = folds.values()
    return sum(others, start=first)


def usable_folds(folds: Mapping[str, Ranking]) -> tuple[dict[str, Ranking], dict[str, str]]:
    """Folds with both classes, which can be averaged, and notes on the others."""
    left_out = {}
    for fold, ranking in folds.items():
        if not ranking.distinct:
            left_out[fold] = "it has no scored rows"
        elif not ranking.positives:
            left_out[fold] = f"no row is {ranking.positive}"
        elif not ranking.negatives:
            left_out[fold] = f"every row is {ranking.positive}"
    usable = {fold: ranking for fold, ranking in folds.items() if fold not in left_out}
    if not usable:
        raise InputError("No fold has rows of both classes, so nothing can be averaged.")
    return usable, left_out


def _vertical(curves: Sequence[Curve]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if all(_is_straight(curve) for curve in curves) and _same_ends([curve.x for curve in curves]):
        return _mean_of_lines([(curve.x, curve.y) for curve in curves])
    positions = np.unique(np.concatenate([curve.x[np.isfinite(curve.x)] for curve in curves]))
    if len(positions) * len(curves) > MOST_POINTS * GRID_POINTS * 10:
        positions = np.linspace(positions[0], positions[-1], MOST_POINTS)
    sides = np.array([_heights(curve, positions) for curve in curves])
    return _both_sides(positions, *_nanmean(sides))


def _horizontal(curves: Sequence[Curve]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rising = all(_is_straight(curve) and (np.diff(curve.y) >= 0).all() for curve in curves)
    if rising and _same_ends([curve.y for curve in curves]):
        y, x = _mean_of_lines([(curve.y, curve.x) for curve in curves])
        return x, y
    positions = np.unique(np.concatenate([curve.y[np.isfinite(curve.y)] for curve in curves]))
    if len(positions) > GRID_POINTS:
        positions = np.linspace(positions[0], positions[-1], GRID_POINTS)
    sides = np.array([_heights(_transposed(curve), positions) for curve in curves])
    return _nanmean(sides)[0], positions


def _same_ends(values: Sequence[NDArray[np.float64]]) -> bool:
    return len({(coordinates[0], coordinates[-1]) for coordinates in values}) == 1


def _by_threshold(
    curves: Sequence[Curve],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The step functions of each fold, read at every threshold of any fold."""
    if any(len(curve.ranking) != len(curve) for curve in curves):
        raise InputError(f"The {curves[0].name} curve has no point for each threshold.")
    sign = -1 if curves[0].ranking.lower_is_positive else 1
    scores = np.concatenate([curve.ranking.thresholds[1:] for curve in curves])
    thresholds = np.concatenate([[sign * np.inf], sign * np.unique(sign * scores)[::-1]])
    places = [curve.ranking.places(thresholds) for curve in curves]
    for indices in places:
        indices[0] = 0  # "none", also where inf is a score
    indexed_curves = list(zip(curves, places, strict=True))
    x = thresholds
    if curves[0].across.name != THRESHOLD:
        x = _nanmean(np.array([curve.x[indices] for curve, indices in indexed_curves]))
    y = _nanmean(np.array([curve.y[indices] for curve, indices in indexed_curves]))
    return x, y, thresholds


def _heights(
    curve: Curve, positions: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Heights on arriving at each x and on leaving it."""
    if curve.formula is None and not (curve.x[1:] >= curve.x[:-1]).all():
        heights = np.array([curve.y_at(float(position)) for position in positions])
        return heights, heights
    return curve.limits(positions)


def _transposed(curve: Curve) -> Curve:
    """The curve with its axes exchanged."""
    if curve.between is None:
        raise InputError(f"The {curve.name} curve cannot be averaged horizontally.")
    return replace(curve, across=curve.up, up=curve.across, between=curve.between.turned())


def _is_straight(curve: Curve) -> bool:
    straight = curve.between is not None and curve.between.is_straight
    return straight and bool((np.diff(curve.x) >= 0).all())


def _mean_of_lines(
    lines: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The exact mean of piecewise linear functions: jumps and changes of slope add up.

    No function is interpolated at the others' points; their sum is followed from left to right.
    """
    parts = [_bends(x, y) for x, y in lines]
    x, jumps, bends = (np.concatenate(column) for column in zip(*parts, strict=True))
    positions, position_of = np.unique(x, return_inverse=True)
    jump = np.bincount(position_of, jumps) / len(lines)
    slope = np.cumsum(np.bincount(position_of, bends))[:-1] / len(lines)
    steps = np.concatenate([[0.0], np.cumsum(slope * np.diff(positions))])
    leaving = sum(float(y[0]) for _, y in lines) / len(lines) + np.cumsum(jump) + steps
    return _both_sides(positions, leaving - jump, leaving)


def _bends(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Jumps and changes of slope of a piecewise linear function, and its two ends."""
    run, rise = np.diff(x), np.diff(y)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(run > 0, rise / run, 0.0)
    jump = np.concatenate([[0.0], np.where(run > 0, 0.0, rise)])
    bend = np.diff(slope, prepend=0.0, append=0.0)
    is_kink = (jump != 0) | (bend != 0)
    is_kink[[0, -1]] = True
    return x[is_kink], jump[is_kink], bend[is_kink]


def _both_sides(
    positions: NDArray[np.float64], arriving: NDArray[np.float64], leaving: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One point per x, two where the function jumps."""
    jumps = (arriving != leaving) & ~np.isnan(arriving)
    heights = np.column_stack([arriving, leaving]).ravel()
    is_point = np.column_stack([jumps, np.ones(len(positions), np.bool_)]).ravel()
    return np.repeat(positions, 2)[is_point], heights[is_point]


def _nanmean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean over folds; a fold that is undefined somewhere is left out there."""
    is_defined = ~np.isnan(values)
    sums = np.where(is_defined, values, 0.0).sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / is_defined.sum(axis=0))


def _t_quantile(level: float, folds: int) -> float:
    from scipy.special import stdtrit

    if not 0 < level < 1:
        raise InputError(f"A level lies between 0 and 1, not at {level:g}.")
    return float(stdtrit(folds - 1, (1 + level) / 2)) if folds > 1 else math.nan
