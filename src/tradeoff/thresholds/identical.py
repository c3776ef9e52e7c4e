"""Intervals of thresholds that give identical predictions, and the roundest number in each."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import highest_integers
from tradeoff.core.sort_keys import scores_of_integers, sortable_integers

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking


def roundest_number(low: float, high: float) -> float:
    """The roundest (fewest digits) of identical thresholds in (low, high]; the largest if several.

    Example:
        >>> roundest_number(0.4839, 0.5213), roundest_number(0.4839, 0.4871)
        (0.5, 0.485)
        >>> roundest_number(0.926, math.inf), roundest_number(-math.inf, 0.07)
        (1.0, 0.0)
    """
    if high == -math.inf:
        return high
    if math.isinf(high):
        return math.inf if math.isinf(low) else _round_threshold_beyond(low, ROUND_CEILING)
    if math.isinf(low):
        return _round_threshold_beyond(high, ROUND_FLOOR)
    if low < 0 <= high:
        return 0.0
    exact_low, exact_high = Decimal(repr(low)), Decimal(repr(high))  # in shortest notation
    # The first decimal in which two numbers with this difference can differ, or the one before it.
    digits = -(exact_high - exact_low).adjusted() - 1
    for decimals in range(digits, digits + 3):
        unit = Decimal(1).scaleb(-decimals)
        # In the next decimal, 5 is rounder than any other digit.
        for step in (unit, unit / 2):
            candidate = (exact_high / step).to_integral_value(ROUND_FLOOR) * step
            if candidate > exact_low and low < float(candidate) <= high:
                return float(candidate)
    return high


def _round_threshold_beyond(extreme_score: float, rounding: str) -> float:
    """A round threshold above the highest or below the lowest score."""
    if rounding == ROUND_FLOOR and extreme_score > 0:
        return 0.0
    digits = 0 if extreme_score == 0 else -Decimal(repr(extreme_score)).adjusted()
    unit = Decimal(1).scaleb(-digits)
    threshold = (Decimal(repr(extreme_score)) / unit).to_integral_value(rounding) * unit
    if rounding == ROUND_CEILING and float(threshold) <= extreme_score:
        threshold += unit
    return float(threshold) + 0.0


class Interval(NamedTuple):
    """Half-open interval of thresholds: above `low`, up to and including `high`.

    If `lower_is_positive`, it is mirrored: from `high` up to, but not including, `low`.
    """

    low: float
    high: float


def identical_thresholds(ranking: Ranking, index: int) -> Interval:
    """Interval of thresholds that give the same predictions as the one at an index."""
    thresholds = ranking.tally.thresholds
    # Below the lowest score every threshold predicts all rows positive.
    infinite_limit = -math.inf if not ranking.lower_is_positive else math.inf
    next_score = (
        _highest_score(ranking, index + 1) if index + 1 < len(thresholds) else infinite_limit
    )
    return Interval(next_score, float(thresholds[index]))


def identical_limits(ranking: Ranking) -> NDArray[np.float64]:
    """For each threshold, the limit above which others decide the same: the next score.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> identical_limits(ranking).tolist()
        [0.9, 0.2, -inf]
    """
    sign = -1 if ranking.lower_is_positive else 1
    scores = sign * ranking.thresholds
    if ranking.levels is not None:
        integers = highest_integers(sortable_integers(scores), ranking.levels)
        highest = scores_of_integers(np.minimum(integers, sortable_integers(np.array([np.inf]))))
        scores = np.where(ranking.levels > 0, highest, scores)
    return sign * np.append(scores[1:], -np.inf)


def _highest_score(ranking: Ranking, index: int) -> float:
    """The highest score that rows at an index may have; in a bin, its upper edge."""
    threshold = float(ranking.tally.thresholds[index])
    if ranking.levels is None or not ranking.levels[index]:
        return threshold
    sign = -1 if ranking.lower_is_positive else 1
    highest_integer = highest_integers(
        sortable_integers(np.array([sign * threshold])), ranking.levels[index : index + 1]
    )
    # The integers of a wide bin may extend beyond that of infinity.
    return sign * float(
        scores_of_integers(np.minimum(highest_integer, sortable_integers(np.array([np.inf]))))[0]
    )


def roundest_threshold(ranking: Ranking, interval: Interval) -> float:
    """The roundest threshold in an interval of identical thresholds."""
    if ranking.lower_is_positive:
        return -roundest_number(-interval.low, -interval.high) + 0.0
    return roundest_number(*interval)


def threshold_intervals(ranking: Ranking, mask: NDArray[np.bool_]) -> tuple[Interval, ...]:
    """Intervals of adjacent thresholds that a mask selects, highest first."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return tuple(
        Interval(identical_thresholds(ranking, int(stop) - 1).low, float(ranking.thresholds[start]))
        for start, stop in edges.reshape(-1, 2)
    )
