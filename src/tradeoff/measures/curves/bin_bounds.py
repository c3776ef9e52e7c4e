"""Bounds on metrics, curve values and areas for binned scores, over all orders inside bins.

A bin leads from one operating point to the next. Whatever the order of its rows, the exact curve
stays inside the rectangle spanned by these two points, and `worst_case` and `best_case` follow the
sides of the rectangle. A metric that is a ratio of linear functions of the counts is monotone on
every straight line through the rectangle, and a metric that more true and fewer false positives
never make worse is monotone on lines of equal TPR, FPR or depth. The extremes of such metrics are
where the line leaves the rectangle. Nothing here is an estimate: the bounds hold for all orders,
including ties inside bins.
"""

from __future__ import annotations

import math
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import split_bin_index
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import format_number
from tradeoff.measures.curves.interpolation import CountInterpolation, values_along
from tradeoff.measures.estimate import Estimate

if TYPE_CHECKING:
    from tradeoff.measures.curves.curve import Curve
    from tradeoff.measures.registry import Better, Measure


def is_bounded(measure: Measure) -> bool:
    """Whether the extremes of a metric inside a bin are at the corners of the bin's rectangle."""
    return measure.is_ratio or measure.monotone


def is_reading_bounded(x_metric: Measure, y_metric: Measure) -> bool:
    """Whether a metric has known bounds inside bins where another metric has a given value."""
    if not x_metric.is_ratio:
        return False
    return y_metric.is_ratio or (x_metric.monotone_along_ranking and y_metric.monotone)


def is_curve_bounded(x_metric: Measure, y_metric: Measure) -> bool:
    """Whether the worst and the best order inside bins bound the whole curve of two metrics."""
    return x_metric.monotone_along_ranking and y_metric.monotone


def _unbounded_reason(ranking: Ranking) -> str:
    """Reason why a value is undefined for binned scores."""
    return f"scores are in {ranking.distinct:,} bins, and it depends on the order inside them"


def between_bins_note(ranking: Ranking) -> str:
    """Note that thresholds were searched only between bins, not inside them."""
    return (
        f"only the {ranking.distinct:,} thresholds between bins were searched; one inside a bin "
        "may be better"
    )


def reading_in_bins(
    ranking: Ranking, x_metric: Measure, y_metric: Measure, value: float, name: str
) -> Estimate:
    """Bounds on a metric where another one has a given value, over all orders inside bins.

    If the exact curve crosses the value several times, the better reading counts, as for exact
    rankings. It certainly crosses the value in bins whose two ends lie on opposite sides of it.
    """
    if not is_reading_bounded(x_metric, y_metric):
        return Estimate(name, math.nan, reason=_unbounded_reason(ranking))
    curve = _operating_curve(ranking, x_metric, y_metric)
    cases = (ranking.worst_case, ranking.best_case)
    sides = [
        _crossings(_operating_curve(case, x_metric, y_metric), value, ranking) for case in cases
    ]
    bins, heights = (np.concatenate(part) for part in zip(*sides, strict=True))
    end_bins, end_heights = _undefined_ends(curve.xs, curve.ys, bins, ranking)
    bins, heights = np.append(bins, end_bins), np.append(heights, end_heights)
    if not len(bins):
        return Estimate(name, math.nan, reason=f"{x_metric.name} is never {value:g}")
    guaranteed_height = _guaranteed_reading(
        curve.xs, curve.ys, value, (bins, heights), y_metric.better
    )
    if guaranteed_height is None:
        return Estimate(name, math.nan, reason=_unbounded_reason(ranking))
    defined_heights = heights[~np.isnan(heights)]
    if len(defined_heights) < len(heights) and not y_metric.is_ratio:
        # A ratio is constant on lines that lead to 0/0; for other metrics nothing is known.
        return Estimate(name, math.nan, reason=_unbounded_reason(ranking))
    best_height = float(
        defined_heights.max() if y_metric.better == "higher" else defined_heights.min()
    )
    return Estimate.between(name, guaranteed_height, best_height, ranking.distinct)


def _operating_curve(ranking: Ranking, x_metric: Measure, y_metric: Measure) -> CountInterpolation:
    return CountInterpolation(
        ranking, x_metric, y_metric, *values_along(ranking, [x_metric, y_metric])
    )


def _crossings(
    curve: CountInterpolation, value: float, ranking: Ranking
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Bins in which a side of the rectangle has the x value, and the heights there."""
    x, y = curve.xs, curve.ys
    levels = np.zeros(ranking.distinct) if ranking.levels is None else ranking.levels[1:]
    # A bin with several scores has one corner between its two ends.
    segment_bins = np.repeat(np.arange(ranking.distinct), np.where(levels > 0, 2, 1))
    low, high = np.fmin(x[:-1], x[1:]), np.fmax(x[:-1], x[1:])
    segments = np.flatnonzero((low <= value) & (value <= high))
    nonvertical_segments = segments[x[segments] != x[segments + 1]]
    crossing_heights = curve.y(
        nonvertical_segments, curve.fraction_at_x(nonvertical_segments, value)
    )
    starts, ends = segments[x[segments] == value], segments[x[segments + 1] == value]
    bins = segment_bins[np.concatenate([nonvertical_segments, starts, ends])]
    return bins, np.concatenate([crossing_heights, y[starts], y[ends + 1]])


def _undefined_ends(
    x: NDArray[Any], y: NDArray[Any], bins: NDArray[np.intp], ranking: Ranking
) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """Ends of bins at which x is 0/0, with their heights: its level lines all meet there."""
    touched_bins = np.unique(bins)
    if ranking.levels is not None:
        touched_bins = touched_bins[ranking.levels[touched_bins + 1] > 0]
    ends = np.concatenate([touched_bins, touched_bins + 1])
    is_undefined = np.isnan(x[ends]) & ~np.isnan(y[ends])
    return np.tile(touched_bins, 2)[is_undefined], y[ends][is_undefined]


def _guaranteed_reading(
    x: NDArray[Any],
    y: NDArray[Any],
    value: float,
    crossings: tuple[NDArray[np.intp], NDArray[Any]],
    better: Better,
) -> float | None:
    """Worst reading over all orders; None if some orders may have no reading."""
    bins, heights = crossings
    worst = np.full(len(x) - 1, np.inf if better == "higher" else -np.inf)
    worse_of = np.minimum if better == "higher" else np.maximum
    with np.errstate(invalid="ignore"):  # NaN propagates: such an order may have no reading
        worse_of.at(worst, bins, heights)
    is_crossed = ((x[:-1] <= value) & (value <= x[1:])) | ((x[1:] <= value) & (value <= x[:-1]))
    is_crossed[np.setdiff1d(np.arange(len(is_crossed)), bins)] = False
    candidates = np.concatenate([worst[is_crossed], y[x == value]])
    candidates = candidates[~np.isnan(candidates)]
    if not len(candidates):
        return None
    return float(candidates.max() if better == "higher" else candidates.min())


def bin_corner_matrices(ranking: Ranking, index: int) -> list[ConfusionMatrix]:
    """Confusion matrices at the corners of a bin, which bound metrics inside it; top first."""
    above, below = ranking.at_place(index - 1), ranking.at_place(index)
    return [above, _corner_matrix(below, above), _corner_matrix(above, below), below]


def _corner_matrix(
    positives_from: ConfusionMatrix, negatives_from: ConfusionMatrix
) -> ConfusionMatrix:
    """Confusion matrix with the positive rows of one matrix and the negative rows of another."""
    squares = None
    if positives_from.squares is not None and negatives_from.squares is not None:
        squares = _corner_matrix(positives_from.squares, negatives_from.squares)
    return replace(
        positives_from,
        false_positives=negatives_from.false_positives,
        true_negatives=negatives_from.true_negatives,
        squares=squares,
    )


def estimate_inside_bin(
    measure: Measure | None, estimates: list[Estimate], ranking: Ranking
) -> Estimate:
    """Estimate at a threshold inside a bin, with bounds from the estimates at its corners.

    The value is that of the first corner, whose counts are shown; `within` bounds its error.
    """
    estimate = estimates[0]
    values = [corner.value for corner in estimates]
    if (measure is not None and not is_bounded(measure)) or not np.isfinite(values).all():
        return Estimate(
            estimate.name,
            math.nan,
            reason=f"the threshold splits a bin: {_unbounded_reason(ranking)}",
            label=estimate.label,
        )
    within = max(abs(value - estimate.value) for value in values)
    bounds = f"{min(values):.6g} and {max(values):.6g}"
    bin_note = f"the threshold splits a bin: the exact value lies between {bounds}"
    note = "; ".join(filter(None, [estimate.note, bin_note]))
    if not all(corner.has_interval for corner in estimates):
        return replace(estimate, within=within, note=note, low=math.nan, high=math.nan)
    low, high = min(corner.low for corner in estimates), max(corner.high for corner in estimates)
    return replace(estimate, within=within, note=note, low=low, high=high)


# Curves of binned rankings, bounded by the curves for the worst and the best order.


def height_in_bins(curve: Curve, x: float) -> Estimate:
    """Bounds on the height of a curve at x if scores are binned."""
    name = f"{curve.up.name} where {curve.across.name} = {x:g}"
    ranking, interpolation = curve.ranking, curve.between
    if isinstance(interpolation, CountInterpolation) and interpolation.path is ranking:
        return reading_in_bins(ranking, interpolation.x_metric, interpolation.y_metric, x, name)
    if curve.formula is not None:
        splits_bin = curve.across.name == "threshold" and split_bin_index(ranking, x) is not None
        return (
            _undefined_estimate(curve, name)
            if splits_bin
            else Estimate(name, float(curve.formula(x)))
        )
    if curve.by_cases and curve.again is not None:
        cases = (ranking.worst_case, ranking.best_case)
        worst, best = (curve.again(case).y_at(x) for case in cases)
        return Estimate.between(name, worst, best, ranking.distinct)
    return _undefined_estimate(curve, name)


def x_in_bins(curve: Curve, y: float) -> Estimate:
    """Bounds on the x at which a curve has a given height if scores are binned."""
    name = f"{curve.across.name} where {curve.up.name} = {y:g}"
    interpolation = curve.between
    if isinstance(interpolation, CountInterpolation) and interpolation.path is curve.ranking:
        return reading_in_bins(
            curve.ranking, interpolation.y_metric, interpolation.x_metric, y, name
        )
    return _undefined_estimate(curve, name)


def area_in_bins(curve: Curve, name: str, low: float, high: float) -> Estimate:
    """Bounds on the area under a curve if scores are binned."""
    ranking = curve.ranking
    if curve.again is None or not _is_bounded_curve(curve):
        return _undefined_estimate(curve, name)
    cases = (ranking.worst_case, ranking.best_case)
    worst, best = (curve.again(case).area(low, high).value for case in cases)
    return Estimate.between(name, worst, best, ranking.distinct)


def exact_value_in_bins(estimate: Estimate) -> float:
    """Value of an estimate that binned scores determine exactly; otherwise raise an error."""
    if not estimate.is_defined and estimate.reason and "bins" in estimate.reason:
        raise InputError(f"{estimate.name} is undefined: {estimate.reason}.")
    if estimate.within:
        low, high = estimate.value - estimate.within, estimate.value + estimate.within
        raise InputError(
            f"{estimate.name} is only known to lie between {format_number(low)} and "
            f"{format_number(high)}, because "
            "scores are in bins: `estimate` returns such values with their bounds."
        )
    return estimate.value


def require_bounded_curve(curve: Curve) -> None:
    """Raise an error unless the worst and the best order inside bins bound a curve."""
    if not _is_bounded_curve(curve):
        raise InputError(f"The {curve.name} curve has no band: {_unbounded_reason(curve.ranking)}.")


def _is_bounded_curve(curve: Curve) -> bool:
    interpolation = curve.between
    if isinstance(interpolation, CountInterpolation) and interpolation.path is curve.ranking:
        return is_curve_bounded(interpolation.x_metric, interpolation.y_metric)
    return curve.by_cases


def _undefined_estimate(curve: Curve, name: str) -> Estimate:
    return Estimate(name, nan, reason=_unbounded_reason(curve.ranking))
