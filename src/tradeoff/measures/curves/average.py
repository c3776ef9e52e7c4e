"""Average of a curve over folds, such as those of a cross-validation.

The methods answer different questions. *Pooled*: one threshold is used for all folds, and scores
are comparable between folds. *Threshold*: one threshold is used for all folds, but each fold is
evaluated by itself. *Vertical*: each fold may have its own threshold, chosen for the same x (such
as the same false positive rate). *Horizontal* is vertical with the axes exchanged.
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
from tradeoff.measures.curves.metric_curves import THRESHOLD
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS
from tradeoff.results import Result, find_view, renderer

if TYPE_CHECKING:
    from tradeoff.results import Chart, ChartStyleName

Method = Literal["vertical", "horizontal", "threshold", "pooled"]
Spread = Literal["sd", "se", "t"]
ROUNDING_TOLERANCE = 1e-12
MAX_POINTS = 1000
"""Maximum number of positions at which all points of the curves are used."""
GRID_POINTS = 201
"""Number of positions of a band if the curves have more than `MAX_POINTS` points."""


class PointwiseBand(NamedTuple):
    """Pointwise band around an average curve: the spread of the folds at each x."""

    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    method: str


@dataclass(frozen=True, eq=False, repr=False)
class AverageCurve(
    Result, views="tradeoff.views.curves", charts="tradeoff.views.curve_chart", picture=True
):
    """Average of the curves of several folds.

    Where the average jumps, it has two points at the same x: the left and the right limit.
    `folds` holds the averaged curves by fold, `left_out` the reason for each fold left out. With a
    `spread` ("t", "sd" or "se"), tables include a band around the average.
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
        """Area under the average; for a vertical average the mean of the folds' areas."""
        name = f"area under the {self.method} average of {self.name}"
        curves = list(self.folds.values())
        if self.method in {"vertical", "pooled"}:
            areas = [curve.area() for curve in curves]
            reason = next((area.reason for area in areas if not area.is_defined), None)
            mean = math.nan if reason else float(np.mean([area.value for area in areas]))
            return Estimate(name, mean, reason=reason)
        is_increasing = bool((np.diff(self.x) >= -ROUNDING_TOLERANCE).all())
        if not is_increasing or not all(_is_straight(curve) for curve in curves):
            reason = "its points are not connected by straight lines from left to right"
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
        """Pointwise band that shows how much the folds vary.

        Args:
            spread: "sd": one standard deviation of the folds. "se": one standard error of the mean.
                "t": a t interval for the mean; NaN where all folds agree, as at the top of a
                ROC curve, since such agreement may be due to chance.
            level: Confidence level of "t".
            cross_validation: Whether folds share their training rows: "se" and "t" are then
                corrected for test and training sizes (Nadeau & Bengio 2003,
                doi:10.1023/A:1024068626366).
            at: Positions; by default all points if there are few, else 201 positions.
        """
        if self.method not in {"vertical", "horizontal"}:
            raise InputError(
                f"A band needs a vertical or horizontal average, not a {self.method} one."
            )
        if spread not in get_args(Spread):
            raise UnknownName(
                f"The spread of a band must be one of {format_list(get_args(Spread))}, not "
                f"{spread!r}."
            )
        positions = self._positions() if at is None else np.asarray(at, np.float64)
        heights = self._heights(positions)
        mean = _nanmean(heights)
        half_width, method = self._half_width(heights - mean, spread, level, cross_validation)
        low, high = self._range()
        limits = np.clip([mean - half_width, mean + half_width], low, high)
        return PointwiseBand(positions, limits[0], limits[1], f"{method}, pointwise")

    def _half_width(
        self, deviations: NDArray[np.float64], spread: Spread, level: float, cross_validation: bool
    ) -> tuple[NDArray[np.float64], str]:
        """Half-width of a band, and its method as text."""
        size = len(self.folds)
        fold_counts = (~np.isnan(deviations)).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            sd = np.sqrt(np.nansum(deviations**2, axis=0) / np.maximum(fold_counts - 1, 0))
        if spread == "sd":
            return sd, "one standard deviation of a fold"
        test_to_training_ratio = 1 / (size - 1) if cross_validation and size > 1 else 0.0
        standard_error = sd * math.sqrt(1 / size + test_to_training_ratio)
        correction = " with the factor of Nadeau and Bengio" if cross_validation else ""
        if spread == "se":
            return standard_error, f"one standard error{correction}"
        method = f"{level:.0%} t interval over {size} folds{correction}, none where they all agree"
        standard_error = np.where(sd > ROUNDING_TOLERANCE, standard_error, math.nan)
        return standard_error * _t_quantile(level, size), method

    def y_at(self, x: float) -> float:
        """Mean of the folds' right limits at x (of a horizontal average: mean x at height y)."""
        if self.method == "threshold":
            raise InputError(
                "A threshold average has no height at x: read it by threshold, from its table."
            )
        return float(_nanmean(self._heights(np.array([x], np.float64)))[0])

    def columns(self) -> dict[str, NDArray[Any]]:
        """Table of the average curve."""
        table = {} if self.thresholds is None else {"threshold": self.thresholds}
        table |= {self.x_name: self.x, self.y_name: self.y}
        if self.spread is not None:
            band = self.band(self.spread, at=self.y if self.method == "horizontal" else self.x)
            table |= {"band_low": band.low, "band_high": band.high}
        return table

    def __len__(self) -> int:
        """Number of points."""
        return len(self.x)

    @suggest_arguments
    def chart(self, *, spread: Spread | None = "t", level: float = 0.95) -> Chart:
        """Chart of the average, with the curves of the folds and a band."""
        chart: Chart = find_view(self, "chart")(self, spread=spread, level=level)
        return chart

    @suggest_arguments
    def plot(
        self,
        *,
        spread: Spread | None = "t",
        level: float = 0.95,
        ax: Any = None,
        style: ChartStyleName = "default",
    ) -> Any:
        """Plot the chart with matplotlib, on `ax` if given; `style` is "default" or "paper"."""
        return renderer("matplotlib")(self.chart(spread=spread, level=level), ax, style)

    def __repr__(self) -> str:
        """One line: the curve, the method of averaging and the number of folds."""
        missing = f", {len(self.left_out)} left out" if self.left_out else ""
        return f"AverageCurve({self.name}, {self.method}, {len(self.folds)} folds{missing})"

    def _positions(self) -> NDArray[np.float64]:
        values = self.y if self.method == "horizontal" else self.x
        if len(values) <= MAX_POINTS:
            return values
        return np.linspace(values[0], values[-1], GRID_POINTS)

    def _range(self) -> tuple[float, float]:
        """Range of the averaged quantity, to which a band is clipped."""
        name = self.x_name if self.method == "horizontal" else self.y_name
        if name not in METRICS:
            return -math.inf, math.inf
        return METRICS[name].low, METRICS[name].high

    def _heights(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        is_horizontal = self.method == "horizontal"
        curves = (_transposed(c) if is_horizontal else c for c in self.folds.values())
        # The first of two equal positions stands for the left limit.
        is_left = np.append(positions[:-1] == positions[1:], False)
        return np.array([np.where(is_left, *_heights(curve, positions)) for curve in curves])


def average_curve(
    folds: Mapping[str, Ranking],
    name: str | None = None,
    *,
    method: Method = "vertical",
    x: str | None = None,
    y: str | None = None,
    **parameters: Any,
) -> AverageCurve:
    """Average of a curve over folds; folds of one class are left out and reported."""
    if method not in get_args(Method):
        raise UnknownName(
            f"No average is called {method!r}. Available averages: {format_list(get_args(Method))}."
        )
    if y is not None and not isinstance(y, str):
        raise InputError("Only one metric can be averaged at a time: give one y.")
    usable, left_out = folds_with_both_classes(folds)
    if not all(ranking.exact for ranking in usable.values()):
        raise InputError("Averages of curves need all scores of each fold, but these are in bins.")
    rankings = {"pooled": pool_folds(usable)} if method == "pooled" else usable
    if isinstance(parameters.get("costs"), RowCosts):
        raise InputError(
            "Costs that differ between rows belong to the ranking of all rows and cannot be "
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
        x_values, y_values, thresholds = _threshold_mean(list(curves.values()))
        points = x_values, y_values
    else:
        mean = _vertical_mean if method == "vertical" else _horizontal_mean
        points = mean(list(curves.values()))
    names = first.across.name, first.up.name
    return AverageCurve(first.name, method, *names, *points, curves, left_out, thresholds)


def pool_folds(folds: Mapping[str, Ranking]) -> Ranking:
    """Pool the rows of all folds into one ranking, as a pooled average does."""
    first, *others = folds.values()
    return sum(others, start=first)


def folds_with_both_classes(
    folds: Mapping[str, Ranking],
) -> tuple[dict[str, Ranking], dict[str, str]]:
    """Folds with both classes, whose curves can be averaged, and why others are left out."""
    left_out = {}
    for fold, ranking in folds.items():
        if not ranking.distinct:
            left_out[fold] = "it has no scored rows"
        elif not ranking.positives:
            left_out[fold] = f"no row belongs to class {ranking.positive}"
        elif not ranking.negatives:
            left_out[fold] = f"every row belongs to class {ranking.positive}"
    usable = {fold: ranking for fold, ranking in folds.items() if fold not in left_out}
    if not usable:
        raise InputError("No fold has rows of both classes, so nothing can be averaged.")
    return usable, left_out


def _vertical_mean(curves: Sequence[Curve]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if all(_is_straight(curve) for curve in curves) and _have_equal_ends(
        [curve.x for curve in curves]
    ):
        return _mean_of_linear_curves([(curve.x, curve.y) for curve in curves])
    positions = np.unique(np.concatenate([curve.x[np.isfinite(curve.x)] for curve in curves]))
    if len(positions) * len(curves) > MAX_POINTS * GRID_POINTS * 10:
        positions = np.linspace(positions[0], positions[-1], MAX_POINTS)
    heights = np.array([_heights(curve, positions) for curve in curves])
    return _points_with_jumps(positions, *_nanmean(heights))


def _horizontal_mean(curves: Sequence[Curve]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    is_increasing = all(_is_straight(curve) and (np.diff(curve.y) >= 0).all() for curve in curves)
    if is_increasing and _have_equal_ends([curve.y for curve in curves]):
        y, x = _mean_of_linear_curves([(curve.y, curve.x) for curve in curves])
        return x, y
    positions = np.unique(np.concatenate([curve.y[np.isfinite(curve.y)] for curve in curves]))
    if len(positions) > GRID_POINTS:
        positions = np.linspace(positions[0], positions[-1], GRID_POINTS)
    heights = np.array([_heights(_transposed(curve), positions) for curve in curves])
    return _nanmean(heights)[0], positions


def _have_equal_ends(values: Sequence[NDArray[np.float64]]) -> bool:
    return len({(coordinates[0], coordinates[-1]) for coordinates in values}) == 1


def _threshold_mean(
    curves: Sequence[Curve],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Mean of the folds' step functions at every threshold of any fold."""
    if any(len(curve.ranking) != len(curve) for curve in curves):
        raise InputError(f"The {curves[0].name} curve does not have one point per threshold.")
    sign = -1 if curves[0].ranking.lower_is_positive else 1
    scores = np.concatenate([curve.ranking.thresholds[1:] for curve in curves])
    thresholds = np.concatenate([[sign * np.inf], sign * np.unique(sign * scores)[::-1]])
    curve_indices = [curve.ranking.places(thresholds) for curve in curves]
    for indices in curve_indices:
        indices[0] = 0  # no row predicted positive, even if inf is a score
    indexed_curves = list(zip(curves, curve_indices, strict=True))
    x = thresholds
    if curves[0].across.name != THRESHOLD:
        x = _nanmean(np.array([curve.x[indices] for curve, indices in indexed_curves]))
    y = _nanmean(np.array([curve.y[indices] for curve, indices in indexed_curves]))
    return x, y, thresholds


def _heights(
    curve: Curve, positions: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Left and right limits of a curve at each x."""
    if curve.formula is None and not (curve.x[1:] >= curve.x[:-1]).all():
        heights = np.array([curve.y_at(float(position)) for position in positions])
        return heights, heights
    return curve.limits(positions)


def _transposed(curve: Curve) -> Curve:
    """The curve with its axes exchanged."""
    if curve.between is None:
        raise InputError(f"The {curve.name} curve cannot be averaged horizontally.")
    return replace(
        curve, across=curve.up, up=curve.across, between=curve.between.with_axes_exchanged()
    )


def _is_straight(curve: Curve) -> bool:
    is_linear = curve.between is not None and curve.between.is_straight
    return is_linear and bool((np.diff(curve.x) >= 0).all())


def _mean_of_linear_curves(
    curves: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Exact mean of piecewise linear functions: jumps and changes of slope add up.

    Functions are not interpolated at each other's points; slopes are summed from left to right.
    """
    parts = [_breakpoints(x, y) for x, y in curves]
    x, jumps, slope_changes = (np.concatenate(column) for column in zip(*parts, strict=True))
    positions, position_indices = np.unique(x, return_inverse=True)
    mean_jumps = np.bincount(position_indices, jumps) / len(curves)
    mean_slopes = np.cumsum(np.bincount(position_indices, slope_changes))[:-1] / len(curves)
    sloped_rise = np.concatenate([[0.0], np.cumsum(mean_slopes * np.diff(positions))])
    right = sum(float(y[0]) for _, y in curves) / len(curves) + np.cumsum(mean_jumps) + sloped_rise
    return _points_with_jumps(positions, right - mean_jumps, right)


def _breakpoints(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Positions, jumps and slope changes of a piecewise linear function, including both ends."""
    run, rise = np.diff(x), np.diff(y)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(run > 0, rise / run, 0.0)
    jump = np.concatenate([[0.0], np.where(run > 0, 0.0, rise)])
    slope_change = np.diff(slope, prepend=0.0, append=0.0)
    is_breakpoint = (jump != 0) | (slope_change != 0)
    is_breakpoint[[0, -1]] = True
    return x[is_breakpoint], jump[is_breakpoint], slope_change[is_breakpoint]


def _points_with_jumps(
    positions: NDArray[np.float64], left: NDArray[np.float64], right: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points of a piecewise linear function: one per x, two where it jumps."""
    has_jump = (left != right) & ~np.isnan(left)
    heights = np.column_stack([left, right]).ravel()
    is_point = np.column_stack([has_jump, np.ones(len(positions), np.bool_)]).ravel()
    return np.repeat(positions, 2)[is_point], heights[is_point]


def _nanmean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean over folds; a fold is left out where it is undefined."""
    is_defined = ~np.isnan(values)
    sums = np.where(is_defined, values, 0.0).sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / is_defined.sum(axis=0))


def _t_quantile(level: float, folds: int) -> float:
    from scipy.special import stdtrit

    if not 0 < level < 1:
        raise InputError(f"The level must be between 0 and 1, not {level:g}.")
    return float(stdtrit(folds - 1, (1 + level) / 2)) if folds > 1 else math.nan
