"""Curves of rankings in bins, read between their points: by the worst and the best order alone."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from tradeoff.analysis.curves.between import Mixed
from tradeoff.analysis.estimate import Estimate
from tradeoff.analysis.in_bins import depends, lies_above, place_inside, reading
from tradeoff.errors import InputError
from tradeoff.text import number

if TYPE_CHECKING:
    from tradeoff.analysis.curves.curve import Curve

BY_CASES = frozenset({"cost", "profit"})
"""Curves that no order makes better than the best case does, nor worse than the worst, at any x."""


def height(curve: Curve, x: float) -> Estimate:
    """The height of a curve at x, with what bins leave open."""
    name = f"{curve.up.name} where {curve.across.name} = {x:g}"
    ranking, way = curve.ranking, curve.between
    if isinstance(way, Mixed) and way.path is ranking:
        return reading(ranking, way.x_metric, way.y_metric, x, name)
    if curve.formula is not None:
        parts = curve.across.name == "threshold" and place_inside(ranking, x) is not None
        return _unknown(curve, name) if parts else Estimate(name, float(curve.formula(x)))
    if curve.name in BY_CASES and curve.again is not None:
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
        raise InputError(f"The {curve.name} curve has no band: {depends(curve.ranking)}.")


def _is_ordered(curve: Curve) -> bool:
    way = curve.between
    if isinstance(way, Mixed) and way.path is curve.ranking:
        return lies_above(way.x_metric, way.y_metric)
    return curve.name in BY_CASES


def _unknown(curve: Curve, name: str) -> Estimate:
    return Estimate(name, nan, reason=depends(curve.ranking))
