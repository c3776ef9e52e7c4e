"""What is certain where rows lie in bins: the least and the most that any order inside them allows.

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
from tradeoff.measures.curves.interpolation import Mixed, along
from tradeoff.measures.estimate import Estimate
from tradeoff.text import number

if TYPE_CHECKING:
    from tradeoff.measures.curves.curve import Curve
    from tradeoff.measures.registry import Better, Measure


def is_bounded(measure: Measure) -> bool:
    """Whether the corners of a rectangle of operating points hold a metric's extremes."""
    return measure.is_ratio or measure.directed


def is_bounded_along(across: Measure, measure: Measure) -> bool:
    """Whether a metric is extreme at the ends of a line on which another one is constant."""
    if not across.is_ratio:
        return False
    return measure.is_ratio or (across.sweeps and measure.directed)


def lies_above(across: Measure, measure: Measure) -> bool:
    """Whether a better ranking has a better metric wherever the other one is the same."""
    return across.sweeps and measure.directed


def _depends(ranking: Ranking) -> str:
    """Why there is no number."""
    return f"scores are in {ranking.distinct:,} bins, and it depends on what is inside them"


def only_between_bins(ranking: Ranking) -> str:
    """What must be known of a choice whose best value inside bins is not known."""
    return (
        f"only the {ranking.distinct:,} thresholds between bins were looked at; one inside a bin "
        "may be better"
    )


def cases(ranking: Ranking) -> tuple[Ranking, Ranking]:
    """The worst and the best case with what intervals need to know of weights."""
    worst, best = ranking.worst_case, ranking.best_case
    if ranking.squares is None or ranking.levels is None:
        return worst, best
    squares = replace(ranking.squares, levels=ranking.levels)
    return (
        replace(worst, squares=squares.worst_case),
        replace(best, squares=squares.best_case),
    )


def reading(
    ranking: Ranking, across: Measure, measure: Measure, value: float, name: str
) -> Estimate:
    """A metric where another one has a value, along any order of the rows inside bins.

    Where the exact curve passes the value several times, the better reading counts, as for exact
    rankings. It passes it for sure in bins whose two ends lie on both sides of it.
    """
    if not is_bounded_along(across, measure):
        return Estimate(name, math.nan, reason=_depends(ranking))
    own = _way(ranking, across, measure)
    cases = (ranking.worst_case, ranking.best_case)
    sides = [_passing(_way(case, across, measure), value, ranking) for case in cases]
    bins, heights = (np.concatenate(part) for part in zip(*sides, strict=True))
    more_bins, more = _nowhere(own.xs, own.ys, bins, ranking)
    bins, heights = np.append(bins, more_bins), np.append(heights, more)
    if not len(bins):
        return Estimate(name, math.nan, reason=f"{across.name} never is {value:g}")
    certain = _certain(own.xs, own.ys, value, (bins, heights), measure.better)
    if certain is None:
        return Estimate(name, math.nan, reason=_depends(ranking))
    known = heights[~np.isnan(heights)]
    if len(known) < len(heights) and not measure.is_ratio:
        # A ratio is constant on the way to where it is 0/0; nothing is known of other metrics.
        return Estimate(name, math.nan, reason=_depends(ranking))
    hopeful = float(known.max() if measure.better == "higher" else known.min())
    return Estimate.between(name, certain, hopeful, ranking.distinct)


def _way(ranking: Ranking, across: Measure, measure: Measure) -> Mixed:
    return Mixed(ranking, across, measure, *along(ranking, [across, measure]))


def _passing(way: Mixed, value: float, ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any]]:
    """In which bins a side of the rectangles has the value, and the heights there."""
    x, y = way.xs, way.ys
    levels = np.zeros(ranking.distinct) if ranking.levels is None else ranking.levels[1:]
    # Between two ends of a bin of several scores lies one corner.
    bin_of = np.repeat(np.arange(ranking.distinct), np.where(levels > 0, 2, 1))
    low, high = np.fmin(x[:-1], x[1:]), np.fmax(x[:-1], x[1:])
    after = np.flatnonzero((low <= value) & (value <= high))
    slanted = after[x[after] != x[after + 1]]
    crossing = way.y(slanted, way.share(slanted, value))
    starts, ends = after[x[after] == value], after[x[after + 1] == value]
    bins = bin_of[np.concatenate([slanted, starts, ends])]
    return bins, np.concatenate([crossing, y[starts], y[ends + 1]])


def _nowhere(
    x: NDArray[Any], y: NDArray[Any], bins: NDArray[np.intp], ranking: Ranking
) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """Ends at which x is 0/0: lines of every value of x lead there, unseen from the sides."""
    touched = np.unique(bins)
    touched = touched[ranking.levels[touched + 1] > 0] if ranking.levels is not None else touched
    ends = np.concatenate([touched, touched + 1])
    open_ones = np.isnan(x[ends]) & ~np.isnan(y[ends])
    return np.tile(touched, 2)[open_ones], y[ends][open_ones]


def _certain(
    x: NDArray[Any],
    y: NDArray[Any],
    value: float,
    passed: tuple[NDArray[np.intp], NDArray[Any]],
    better: Better,
) -> float | None:
    """The reading that every order reaches; None where some orders may have none."""
    bins, heights = passed
    worst = np.full(len(x) - 1, np.inf if better == "higher" else -np.inf)
    gather = np.minimum if better == "higher" else np.maximum
    with np.errstate(invalid="ignore"):  # NaN stays: such an order may have no reading
        gather.at(worst, bins, heights)
    sure = ((x[:-1] <= value) & (value <= x[1:])) | ((x[1:] <= value) & (value <= x[:-1]))
    sure[np.setdiff1d(np.arange(len(sure)), bins)] = False
    found = np.concatenate([worst[sure], y[x == value]])
    found = found[~np.isnan(found)]
    if not len(found):
        return None
    return float(found.max() if better == "higher" else found.min())


def place_inside(ranking: Ranking, threshold: float) -> int | None:
    """The place of the bin whose rows a threshold may part; None where it parts no bin."""
    place = ranking.index(threshold) + 1
    inside = place < len(ranking) and ranking.is_inside(threshold, place)
    return place if inside else None


def corners(ranking: Ranking, place: int) -> list[ConfusionMatrix]:
    """The matrices at the corners of a bin's rectangle, that above the bin first."""
    above, below = ranking.at_place(place - 1), ranking.at_place(place)
    return [above, _corner(below, above), _corner(above, below), below]


def _corner(found: ConfusionMatrix, alarms: ConfusionMatrix) -> ConfusionMatrix:
    """Positive rows called as in one matrix, negative rows as in another."""
    squares = None
    if found.squares is not None and alarms.squares is not None:
        squares = _corner(found.squares, alarms.squares)
    return replace(
        found,
        false_positives=alarms.false_positives,
        true_negatives=alarms.true_negatives,
        squares=squares,
    )


def spread_over(measure: Measure | None, found: list[Estimate], ranking: Ranking) -> Estimate:
    """A number at a threshold inside a bin, from those at the corners, that counted first.

    The value stays that of the counts which are shown; `within` tells how far off it may be.
    """
    here = found[0]
    values = [one.value for one in found]
    if (measure is not None and not is_bounded(measure)) or not np.isfinite(values).all():
        return Estimate(
            here.name, math.nan, reason=f"the threshold parts a bin: {_depends(ranking)}"
        )
    within = max(abs(value - here.value) for value in values)
    ends = f"{min(values):.6g} to {max(values):.6g}"
    note = f"the threshold parts a bin: by all scores it is from {ends}"
    told = "; ".join(filter(None, [here.note, note]))
    if not all(one.has_interval for one in found):
        return replace(here, within=within, note=told, low=math.nan, high=math.nan)
    low, high = min(one.low for one in found), max(one.high for one in found)
    return replace(here, within=within, note=told, low=low, high=high)


# Curves of rankings in bins, read between their points: by the worst and the best order alone.


def height(curve: Curve, x: float) -> Estimate:
    """The height of a curve at x, with what bins leave open."""
    name = f"{curve.up.name} where {curve.across.name} = {x:g}"
    ranking, way = curve.ranking, curve.between
    if isinstance(way, Mixed) and way.path is ranking:
        return reading(ranking, way.x_metric, way.y_metric, x, name)
    if curve.formula is not None:
        parts = curve.across.name == "threshold" and place_inside(ranking, x) is not None
        return _unknown(curve, name) if parts else Estimate(name, float(curve.formula(x)))
    if curve.by_cases and curve.again is not None:
        cases = (ranking.worst_case, ranking.best_case)
        worst, best = (curve.again(case).y_at(x) for case in cases)
        return Estimate.between(name, worst, best, ranking.distinct)
    return _unknown(curve, name)


def place(curve: Curve, y: float) -> Estimate:
    """Where a curve has a height, with what bins leave open."""
    name = f"{curve.across.name} where {curve.up.name} = {y:g}"
    way = curve.between
    if isinstance(way, Mixed) and way.path is curve.ranking:
        return reading(curve.ranking, way.y_metric, way.x_metric, y, name)
    return _unknown(curve, name)


def area(curve: Curve, name: str, low: float, high: float) -> Estimate:
    """The area under a curve, with what bins leave open."""
    ranking = curve.ranking
    if curve.again is None or not _is_ordered(curve):
        return _unknown(curve, name)
    cases = (ranking.worst_case, ranking.best_case)
    worst, best = (curve.again(case).area(low, high).value for case in cases)
    return Estimate.between(name, worst, best, ranking.distinct)


def demanded(found: Estimate) -> float:
    """The value where bins leave nothing open; else an error that tells what they do."""
    if not found.is_defined and found.reason and "bins" in found.reason:
        raise InputError(f"There is no {found.name}: {found.reason}.")
    if found.within:
        low, high = found.value - found.within, found.value + found.within
        raise InputError(
            f"{found.name} is not known beyond {number(low)} to {number(high)}, as scores are in "
            "bins: `estimate` gives such numbers with their bounds."
        )
    return found.value


def demand_bounds(curve: Curve) -> None:
    """A band needs a curve that lies between those of the worst and of the best order."""
    if not _is_ordered(curve):
        raise InputError(f"The {curve.name} curve has no band: {_depends(curve.ranking)}.")


def _is_ordered(curve: Curve) -> bool:
    way = curve.between
    if isinstance(way, Mixed) and way.path is curve.ranking:
        return lies_above(way.x_metric, way.y_metric)
    return curve.by_cases


def _unknown(curve: Curve, name: str) -> Estimate:
    return Estimate(name, nan, reason=_depends(curve.ranking))
