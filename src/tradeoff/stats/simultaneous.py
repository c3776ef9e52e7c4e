"""Simultaneous inference: critical values, p-values and confidence bands for several estimates."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.stats.normal import critical_value

SIMULATIONS = 100_000


class LargestDeviation(NamedTuple):
    """Null distribution of the largest of several standardised deviations, for simultaneous tests.

    `deviations` holds simulated values. The p-value of a deviation is the proportion of
    simulations in which the largest is at least as large; the data count as one of them, so that p
    is never 0. Intervals agree with it: they exclude 0 exactly if p is below one minus the level.

    Example:
        >>> largest = LargestDeviation(np.arange(1.0, 100.0))
        >>> largest.p_value(91.0), largest.critical_value(0.9)
        (0.1, 91.0)
    """

    deviations: NDArray[np.float64]

    def p_value(self, deviation: float) -> float:
        """Simultaneous p-value: how often the largest deviation is at least this large."""
        exceedances = np.count_nonzero(self.deviations >= abs(deviation))
        return float((1 + exceedances) / (1 + len(self.deviations)))

    def critical_value(self, level: float) -> float:
        """Simultaneous critical value in standard errors; infinite with too few simulations."""
        p_values = (1 + np.arange(len(self.deviations))) / (1 + len(self.deviations))
        # A deviation is significant if fewer simulations than this are at least as large.
        rank = np.count_nonzero(p_values < 1 - level)
        return float(np.sort(self.deviations)[-rank]) if rank else math.inf


def simulate_largest_deviation(
    covariance: NDArray[np.float64], seed: int
) -> LargestDeviation | None:
    """Simulate the largest of correlated normal deviates; None if none of them varies."""
    standard_errors = np.sqrt(np.diag(covariance))
    is_variable = standard_errors > 0
    if np.isnan(covariance).any() or not is_variable.any():
        return None
    correlation = covariance[np.ix_(is_variable, is_variable)] / np.outer(
        standard_errors[is_variable], standard_errors[is_variable]
    )
    values, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(values.clip(min=0))
    generator = np.random.default_rng(seed)
    deviates = generator.standard_normal((SIMULATIONS, len(correlation))) @ root.T
    return LargestDeviation(np.abs(deviates).max(axis=1))


def simultaneous_critical_value(
    covariance: NDArray[np.float64], level: float, seed: int = 0
) -> float:
    """Critical value for simultaneous confidence intervals of correlated normal estimates.

    Example:
        >>> round(simultaneous_critical_value(np.array([[2.0]]), 0.95), 1)
        2.0
    """
    largest = simulate_largest_deviation(covariance, seed)
    return critical_value(level) if largest is None else largest.critical_value(level)


# Simultaneous confidence bands for a distribution function.
#
# A band of *equal local levels*, which every order statistic leaves with the same small
# probability, is narrow in the tails, unlike a band of fixed width (Kolmogorov, Smirnov): Weine,
# McPeek & Abney 2023, doi:10.18637/jss.v106.i10.

MAX_EXACT_ROWS = 1000
"""Up to this many rows, coverage is exact; beyond, it is extrapolated in their logarithm."""

MAX_EXCESS = 4.0
"""Largest difference between the critical values of a band and of a pointwise interval."""

BISECTIONS = 12


def band_critical_value(rows: float, level: float) -> float:
    """Critical value of a simultaneous confidence band for all order statistics.

    The number of rows is rounded up to two significant digits, so that rankings of similar size
    share a cached value.

    Example:
        >>> round(band_critical_value(1, 0.95), 2), round(band_critical_value(1000, 0.95), 2)
        (1.96, 3.27)
    """
    unit = 10 ** max(math.floor(math.log10(max(rows, 1))) - 1, 0)
    return _rounded_band_critical_value(max(math.ceil(rows / unit), 1) * unit, level)


@lru_cache(maxsize=1024)
def _rounded_band_critical_value(rows: int, level: float) -> float:
    """Critical value of a simultaneous confidence band, by bisection."""
    lower = critical_value(level)
    upper = lower + MAX_EXCESS
    for _ in range(BISECTIONS):
        middle = (lower + upper) / 2
        if _approximate_band_coverage(rows, middle) < level:
            lower = middle
        else:
            upper = middle
    return upper


def _approximate_band_coverage(rows: int, z: float) -> float:
    """Coverage of the simultaneous confidence band, extrapolated for very many rows."""
    from scipy.special import ndtr

    tail = float(ndtr(-z))
    if rows <= MAX_EXACT_ROWS:
        return band_coverage(rows, tail)
    half_coverage, full_coverage = (
        band_coverage(size, tail) for size in (MAX_EXACT_ROWS // 2, MAX_EXACT_ROWS)
    )
    if not half_coverage * full_coverage:
        return 0.0
    return float(
        full_coverage * (full_coverage / half_coverage) ** math.log2(rows / MAX_EXACT_ROWS)
    )


def band_coverage(rows: int, tail: float) -> float:
    """Coverage of a simultaneous confidence band for all order statistics of uniform values.

    `tail` is the probability in either tail of each order statistic. The number of values below t
    is a Poisson process that must stay between two boundaries from t = 0 to 1, conditional on its
    final value (Moscovich & Nadler 2017, doi:10.1016/j.spl.2016.11.027).

    Example:
        >>> round(band_coverage(1, 0.025), 6)
        0.95
    """
    from scipy.special import betaincinv

    ranks = np.arange(1, rows + 1)
    lowest = betaincinv(ranks, rows - ranks + 1, tail)
    highest = 1 - lowest[::-1]
    points = np.append(np.unique(np.concatenate([lowest, highest])), 1.0)
    max_counts = np.searchsorted(lowest, points, "left")
    min_counts = np.searchsorted(highest, points, "right")
    log_factorials = np.concatenate([[0.0], np.cumsum(np.log(ranks))])

    def poisson(mean: float, max_count: int) -> NDArray[np.float64]:
        # Larger counts are so rare that they do not change the probability.
        counts = np.arange(min(max_count, int(mean + 12 * math.sqrt(mean) + 20)) + 1)
        return np.asarray(np.exp(counts * math.log(mean) - mean - log_factorials[counts]))

    probabilities, first_count = np.ones(1), 0
    steps = np.diff(points, prepend=0.0)
    for step, max_count, min_count in zip(steps, max_counts, min_counts, strict=True):
        width = max_count - first_count
        probabilities = np.convolve(probabilities, poisson(rows * step, width))[: width + 1]
        probabilities, first_count = probabilities[min_count - first_count :], min_count
        if not len(probabilities):
            return 0.0
    log_all_rows = rows * math.log(rows) - rows - log_factorials[rows]
    return float(probabilities[-1] / math.exp(log_all_rows))
