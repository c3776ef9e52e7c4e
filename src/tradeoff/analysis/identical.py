"""Thresholds between scores: which of them decide the same, and the roundest of those."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tradeoff.analysis.rounding import roundest
from tradeoff.core.bins import high_ends, order_of, score_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking


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
