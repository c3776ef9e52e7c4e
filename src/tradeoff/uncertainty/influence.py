"""Intervals of numbers that are a mean over rows, or nearly one.

To first order such a number moves by the mean of its rows' *influences*: how far one more row of
this score and class would move it (Hampel 1974, doi:10.1080/01621459.1974.10482962). Their variance
is its variance. Where few rows are positive, influences are skewed, and so is the estimate; Hall's
transformation (1992, doi:10.1111/j.2517-6161.1992.tb01872.x) corrects the t interval for that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.stats.special import t_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking

    Numbers = NDArray[np.float64]

NO_SKEW = 1e-9


@dataclass(frozen=True)
class Moments:
    """The variance of an estimate, its skewness, and the number of rows behind it."""

    variance: float
    skewness: float
    rows: float

    def scaled(self, factor: float) -> Moments:
        """The moments of a multiple of the estimate."""
        sign = math.copysign(1.0, factor)
        return Moments(self.variance * factor**2, self.skewness * sign, self.rows)


def moments(
    ranking: Ranking, of_positives: Numbers, of_negatives: Numbers, *, by_class: bool
) -> Moments:
    """The moments of a mean over rows, from its values by score for either class.

    Args:
        ranking: The rows by score and class.
        of_positives: The value of a positive row of each score, highest first.
        of_negatives: The value of a negative row.
        by_class: Whether class totals are given, so that only rows within a class vary.
    """
    weights = [np.diff(side).astype(np.float64) for side in ranking.tally[1:]]
    squares = weights
    if ranking.squares is not None:
        squares = [np.diff(side).astype(np.float64) for side in ranking.squares.tally[1:]]
    # Rows of one score and class count as equally heavy.
    cubes = [
        np.divide(s**2, w, out=np.zeros(len(w)), where=w > 0)
        for w, s in zip(weights, squares, strict=True)
    ]
    values = [of_positives, of_negatives]
    total = sum(float(side.sum()) for side in weights)
    means = [_mean([v], [w]) for v, w in zip(values, weights, strict=True)]
    if not by_class:
        means = [_mean(values, weights)] * 2
    deviations = [value - mean for value, mean in zip(values, means, strict=True)]
    rows = total**2 / sum(float(side.sum()) for side in squares)
    second = sum(float(s @ d**2) for s, d in zip(squares, deviations, strict=True)) / total**2
    third = sum(float(c @ d**3) for c, d in zip(cubes, deviations, strict=True)) / total**3
    if not second > 0:
        return Moments(0.0, 0.0, rows)
    return Moments(second * rows / max(rows - 1, 1.0), third / second**1.5, rows)


def _mean(values: list[Numbers], weights: list[Numbers]) -> float:
    total = sum(float(side.sum()) for side in weights)
    weighted = sum(float(v @ w) for v, w in zip(values, weights, strict=True))
    return weighted / total if total else 0.0


def hall_interval(value: float, about: Moments, level: float = 0.95) -> tuple[float, float]:
    """The t interval of a mean, corrected for its skewness.

    Example:
        >>> ends = hall_interval(0.1, Moments(0.0004, 0.0, 101))  # 0.1 ± 1.984 * 0.02
        >>> [round(end, 4) for end in ends]
        [0.0603, 0.1397]
        >>> ends = hall_interval(0.1, Moments(0.0004, 0.3, 101))
        >>> [round(end, 4) for end in ends]
        [0.067, 0.1539]
    """
    error = math.sqrt(about.variance)
    reach = t_quantile(max(about.rows - 1, 1.0), (1 + level) / 2)
    low, high = (value - error * _unskewed(end, about.skewness) for end in (reach, -reach))
    return low, high


def _unskewed(quantile: float, skewness: float) -> float:
    """Hall's monotone transformation, turned around."""
    if abs(skewness) < NO_SKEW:
        return quantile
    inner = 1 + skewness * (quantile - skewness / 6)
    return 3 * (math.copysign(abs(inner) ** (1 / 3), inner) - 1) / skewness
