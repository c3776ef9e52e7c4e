"""Bounds of metrics, readings and areas where scores are in bins, over every order inside them.

A bin leads from one operating point to the next. Whatever the order of its rows, the exact curve
stays inside the rectangle that these two span, and `worst_case` and `best_case` walk along the
rectangle's sides. A metric that is a ratio of straight lines in the counts is monotone on every
straight line through the rectangle, and so is a metric that more hits and fewer alarms never make
worse on lines of equal tpr, fpr or depth. Such metrics are extreme where the line leaves the
rectangle. Nothing here estimates: bounds hold for every order, ties inside bins included.
"""

from __future__ import annotations

import math
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves.interpolation import Mixed, values_along
from tradeoff.measures.estimate import Estimate
from tradeoff.text import format_number

if TYPE_CHECKING:
    from tradeoff.measures.curves.curve import Curve
    from tradeoff.measures.registry import Better, Measure


def is_bounded(measure: Measure) -> bool:
    """Whether a metric's bounds in a bin are attained at the corners of the bin's rectangle."""
    return measure.is_ratio or measure.directed


def is_bounded_along(x_metric: Measure, y_metric: Measure) -> bool:
    """Whether a metric's bounds in bins lie at the ends of lines of another, constant one."""
    if not x_metric.is_ratio:
        return False
    return y_metric.is_ratio or (x_metric.sweeps and y_metric.directed)


def preserves_order(x_metric: Measure, y_metric: Measure) -> bool:
    """Whether a better ranking gives a better curve: a better y metric at every x metric."""
    return x_metric.sweeps and y_metric.directed


def _open_reason(ranking: Ranking) -> str:
    """Why bins leave a number undefined."""
    return f"scores are in {ranking.distinct:,} bins, and it depends on what is inside them"


def between_bins_note(ranking: Ranking) -> str:
    """Note that a threshold was searched only between bins, not inside them."""
    return (
        f"only the {ranking.distinct:,} thresholds between bins were searched; one inside a bin "
        "may be better"
    )


def extreme_cases(ranking: Ranking) -> tuple[Ranking, Ranking]:
    """The worst and the best order of rows inside bins, as rankings with squared weights."""
    worst, best = ranking.worst_case, ranking.best_case
    if ranking.squares is None or ranking.levels is None:
        return worst, best
    squares = replace(ranking.squares, levels=ranking.levels)
    return (
        replace(worst, squares=squares.worst_case),
        replace(best, squares=squares.best_case),
    )


def reading_in_bins(
    ranking: Ranking, x_metric: Measure, y_metric: Measure, value: float, name: str
) -> Estimate:
    """Bounds of a metric where another one has a value, over every order inside bins.

    Where the exact curve passes the value several times, the better reading counts, as for exact
    rankings. It passes it for sure in bins whose two ends lie on both sides of it.
    """
    if not is_bounded_along(x_metric, y_metric):
        return Estimate(name, math.nan, reason=_open_reason(ranking))
    path = _path(ranking, x_metric, y_metric)
    cases = (ranking.worst_case, ranking.best_case)
    sides = [_crossings(_path(case, x_metric, y_metric), value, ranking) for case in cases]
    bins, heights = (np.concatenate(part) for part in zip(*sides, strict=True))
    open_bins, open_heights = _undefined_ends(path.xs, path.ys, bins, ranking)
    bins, heights = np.append(bins, open_bins), np.append(heights, open_heights)
    if not len(bins):
        return Estimate(name, math.nan, reason=f"{x_metric.name} is never {value:g}")
    guaranteed = _guaranteed_reading(path.xs, path.ys, value, (bins, heights), y_metric.better)
    if guaranteed is None:
        return Estimate(name, math.nan, reason=_open_reason(ranking))
    defined = heights[~np.isnan(heights)]
    if len(defined) < len(heights) and not y_metric.is_ratio:
        # A ratio is constant on the way to where it is 0/0; nothing is known of other metrics.
        return Estimate(name, math.nan, reason=_open_reason(ranking))
    best = float(defined.max() if y_metric.better == "higher" else defined.min())
    return Estimate.between(name, guaranteed, best, ranking.distinct)


def _path(ranking: Ranking, x_metric: Measure, y_metric: Measure) -> Mixed:
    return Mixed(ranking, x_metric, y_metric, *values_along(ranking, [x_metric, y_metric]))


def _crossings(path: Mixed, value: float, ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any]]:
    """Bins in which a side of the rectangle has the value, and the heights there."""
    x, y = path.xs, path.ys
    levels = np.zeros(ranking.distinct) if ranking.levels is None else ranking.levels[1:]
    # Between two ends of a bin of several scores lies one corner.
    bin_of = np.repeat(np.arange(ranking.distinct), np.where(levels > 0, 2, 1))
    low, high = np.fmin(x[:-1], x[1:]), np.fmax(x[:-1], x[1:])
    after = np.flatnonzero((low <= value) & (value <= high))
    slanted = after[x[after] != x[after + 1]]
    crossing = path.y(slanted, path.share(slanted, value))
    starts, ends = after[x[after] == value], after[x[after + 1] == value]
    bins = bin_of[np.concatenate([slanted, starts, ends])]
    return bins, np.concatenate([crossing, y[starts], y[ends + 1]])


def _undefined_ends(
    x: NDArray[Any], y: NDArray[Any], bins: NDArray[np.intp], ranking: Ranking
) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """Bin ends at which x is 0/0, and their heights: lines of every value of x lead there."""
    touched_bins = np.unique(bins)
    if ranking.levels is not None:
        touched_bins = touched_bins[ranking.levels[touched_bins + 1] > 0]
    ends = np.concatenate([touched_bins, touched_bins + 1])
    is_open = np.isnan(x[ends]) & ~np.isnan(y[ends])
    return np.tile(touched_bins, 2)[is_open], y[ends][is_open]


def _guaranteed_reading(
    x: NDArray[Any],
    y: NDArray[Any],
    value: float,
    crossings: tuple[NDArray[np.intp], NDArray[Any]],
    better: Better,
) -> float | None:
    """The reading that every order reaches; None where some orders may have none."""
    bins, heights = crossings
    worst = np.full(len(x) - 1, np.inf if better == "higher" else -np.inf)
    gather = np.minimum if better == "higher" else np.maximum
    with np.errstate(invalid="ignore"):  # NaN stays: such an order may have no reading
        gather.at(worst, bins, heights)
    is_certain = ((x[:-1] <= value) & (value <= x[1:])) | ((x[1:] <= value) & (value <= x[:-1]))
    is_certain[np.setdiff1d(np.arange(len(is_certain)), bins)] = False
    candidates = np.concatenate([worst[is_certain], y[x == value]])
    candidates = candidates[~np.isnan(candidates)]
    if not len(candidates):
        return None
    return float(candidates.max() if better == "higher" else candidates.min())


def bin_index(ranking: Ranking, threshold: float) -> int | None:
    """Index of the bin that a threshold splits; None where it splits none."""
    index = ranking.index(threshold) + 1
    is_inside = index < len(ranking) and ranking.is_inside(threshold, index)
    return index if is_inside else None


def bin_corners(ranking: Ranking, index: int) -> list[ConfusionMatrix]:
    """Confusion matrices at the corners of a bin, the one above the bin first."""
    above, below = ranking.at_place(index - 1), ranking.at_place(index)
    return [above, _corner(below, above), _corner(above, below), below]


def _corner(positive_calls: ConfusionMatrix, negative_calls: ConfusionMatrix) -> ConfusionMatrix:
    """Positive rows as in one confusion matrix, negative rows as in another."""
    squares = None
    if positive_calls.squares is not None and negative_calls.squares is not None:
        squares = _corner(positive_calls.squares, negative_calls.squares)
    return replace(
        positive_calls,
        false_positives=negative_calls.false_positives,
        true_negatives=negative_calls.true_negatives,
        squares=squares,
    )


def estimate_inside_bin(
    measure: Measure | None, estimates: list[Estimate], ranking: Ranking
) -> Estimate:
    """Estimate at a threshold inside a bin, with bounds from the estimates at the bin's corners.

    The value stays that of the first corner, whose counts are shown; `within` bounds its error.
    """
    estimate = estimates[0]
    values = [corner.value for corner in estimates]
    if (measure is not None and not is_bounded(measure)) or not np.isfinite(values).all():
        return Estimate(
            estimate.name, math.nan, reason=f"the threshold splits a bin: {_open_reason(ranking)}"
        )
    within = max(abs(value - estimate.value) for value in values)
    bounds = f"{min(values):.6g} and {max(values):.6g}"
    bin_note = f"the threshold splits a bin: the exact value lies between {bounds}"
    note = "; ".join(filter(None, [estimate.note, bin_note]))
    if not all(corner.has_interval for corner in estimates):
        return replace(estimate, within=within, note=note, low=math.nan, high=math.nan)
    low, high = min(corner.low for corner in estimates), max(corner.high for corner in estimates)
    return replace(estimate, within=within, note=note, low=low, high=high)


# Curves of rankings in bins, bounded by those of the worst and the best order.


def height_in_bins(curve: Curve, x: float) -> Estimate:
    """Bounds of the height of a curve at x where scores are in bins."""
    name = f"{curve.up.name} where {curve.across.name} = {x:g}"
    ranking, segments = curve.ranking, curve.between
    if isinstance(segments, Mixed) and segments.path is ranking:
        return reading_in_bins(ranking, segments.x_metric, segments.y_metric, x, name)
    if curve.formula is not None:
        splits_bin = curve.across.name == "threshold" and bin_index(ranking, x) is not None
        return _undefined(curve, name) if splits_bin else Estimate(name, float(curve.formula(x)))
    if curve.by_cases and curve.again is not None:
        cases = (ranking.worst_case, ranking.best_case)
        worst, best = (curve.again(case).y_at(x) for case in cases)
        return Estimate.between(name, worst, best, ranking.distinct)
    return _undefined(curve, name)


def x_in_bins(curve: Curve, y: float) -> Estimate:
    """Bounds of the x at which a curve has a height where scores are in bins."""
    name = f"{curve.across.name} where {curve.up.name} = {y:g}"
    segments = curve.between
    if isinstance(segments, Mixed) and segments.path is curve.ranking:
        return reading_in_bins(curve.ranking, segments.y_metric, segments.x_metric, y, name)
    return _undefined(curve, name)


def area_in_bins(curve: Curve, name: str, low: float, high: float) -> Estimate:
    """Bounds of the area under a curve where scores are in bins."""
    ranking = curve.ranking
    if curve.again is None or not _is_ordered(curve):
        return _undefined(curve, name)
    cases = (ranking.worst_case, ranking.best_case)
    worst, best = (curve.again(case).area(low, high).value for case in cases)
    return Estimate.between(name, worst, best, ranking.distinct)


def require_exact(estimate: Estimate) -> float:
    """Require a value that bins leave exact; the error states its bounds."""
    if not estimate.is_defined and estimate.reason and "bins" in estimate.reason:
        raise InputError(f"There is no {estimate.name}: {estimate.reason}.")
    if estimate.within:
        low, high = estimate.value - estimate.within, estimate.value + estimate.within
        raise InputError(
            f"{estimate.name} is only known to lie between {format_number(low)} and "
            f"{format_number(high)}, as "
            "scores are in bins: `estimate` gives such numbers with their bounds."
        )
    return estimate.value


def require_ordered_curve(curve: Curve) -> None:
    """Require a curve whose band in bins follows from the worst and the best order."""
    if not _is_ordered(curve):
        raise InputError(f"The {curve.name} curve has no band: {_open_reason(curve.ranking)}.")


def _is_ordered(curve: Curve) -> bool:
    segments = curve.between
    if isinstance(segments, Mixed) and segments.path is curve.ranking:
        return preserves_order(segments.x_metric, segments.y_metric)
    return curve.by_cases


def _undefined(curve: Curve, name: str) -> Estimate:
    return Estimate(name, nan, reason=_open_reason(curve.ranking))
