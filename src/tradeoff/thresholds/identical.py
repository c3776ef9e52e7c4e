"""Thresholds between scores: which of them decide the same, and the roundest of those."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import high_ends, order_of, score_of

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking


# The roundest number in an interval: a threshold that people can remember and type.


def roundest(above: float, at_most: float) -> float:
    """The number with the fewest digits in (above, at_most]; the largest of several.

    Example:
        >>> roundest(0.4839, 0.5213), roundest(0.4839, 0.4871), roundest(-7.0, 3.0)
        (0.5, 0.485, 0.0)
        >>> roundest(0.926, math.inf), roundest(-math.inf, 0.07)
        (1.0, 0.0)
    """
    if at_most == -math.inf:
        return at_most
    if math.isinf(at_most):
        return math.inf if math.isinf(above) else _next(above, ROUND_CEILING)
    if math.isinf(above):
        return _next(at_most, ROUND_FLOOR)
    if above < 0 <= at_most:
        return 0.0
    low, high = Decimal(repr(above)), Decimal(repr(at_most))  # as people write them
    # The first place after the point at which two numbers so far apart can differ, or one before.
    digits = -(high - low).adjusted() - 1
    for places in range(digits, digits + 3):
        unit = Decimal(1).scaleb(-places)
        # Multiples of 5 of the next place are rounder than any other of its digits.
        for step in (unit, unit / 2):
            rounded = (high / step).to_integral_value(ROUND_FLOOR) * step
            if rounded > low and above < float(rounded) <= at_most:
                return float(rounded)
    return at_most


def _next(score: float, way: str) -> float:
    """A round number beyond all scores."""
    if way == ROUND_FLOOR and score > 0:
        return 0.0
    digits = 0 if score == 0 else -Decimal(repr(score)).adjusted()
    unit = Decimal(1).scaleb(-digits)
    rounded = (Decimal(repr(score)) / unit).to_integral_value(way) * unit
    if way == ROUND_CEILING and float(rounded) <= score:
        rounded += unit
    return float(rounded) + 0.0


class Interval(NamedTuple):
    """Thresholds above `low`, up to and including `high` (`lower_is_positive`: mirrored)."""

    low: float
    high: float


def identical(ranking: Ranking, place: int) -> Interval:
    """All thresholds that call just the rows up to a place positive."""
    at = ranking.tally.thresholds
    end = -math.inf if not ranking.lower_is_positive else math.inf
    beyond = _highest(ranking, place + 1) if place + 1 < len(at) else end
    # Also below the lowest score everything is positive.
    return Interval(beyond, float(at[place]))


def _highest(ranking: Ranking, place: int) -> float:
    """The score farthest up that rows of a place may have: in a bin, not the one it is known by."""
    at = float(ranking.tally.thresholds[place])
    if ranking.levels is None or not ranking.levels[place]:
        return at
    sign = -1 if ranking.lower_is_positive else 1
    ends = high_ends(order_of(np.array([sign * at])), ranking.levels[place : place + 1])
    # The integers of a wide bin may go on beyond that of infinity.
    return sign * float(score_of(np.minimum(ends, order_of(np.array([np.inf]))))[0])


def rounded(ranking: Ranking, interval: Interval) -> float:
    """The roundest threshold of an interval."""
    if ranking.lower_is_positive:
        return -roundest(-interval.low, -interval.high) + 0.0
    return roundest(*interval)


def runs(ranking: Ranking, good: NDArray[np.bool_]) -> tuple[Interval, ...]:
    """Neighbouring good places as intervals, the highest first."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], good, [False]]).astype(np.int8)))
    return tuple(
        Interval(identical(ranking, int(stop) - 1).low, float(ranking.thresholds[start]))
        for start, stop in edges.reshape(-1, 2)
    )
