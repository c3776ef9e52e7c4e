"""Normal distribution: critical values, p-values, simultaneous intervals and confidence bands."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, require_number
from tradeoff.stats.special import normal_quantile


def require_level(level: float) -> float:
    """Require a confidence level strictly between 0 and 1.

    Example:
        >>> require_level(95)
        Traceback (most recent call last):
        tradeoff.errors.InputError: A level must lie between 0 and 1, not at 95 (95% is 0.95).
    """
    if not 0 < require_number(level, "A level") < 1:
        percent = f" ({level:g}% is {level / 100:g})" if 1 < level < 100 else ""
        raise InputError(f"A level must lie between 0 and 1, not at {level:g}{percent}.")
    return float(level)


@cache
def critical_value(level: float) -> float:
    """Two-sided critical value of the standard normal distribution, such as 1.96 for 95%.

    Example:
        >>> round(critical_value(0.95), 4)
        1.96
    """
    # The lower tail: 1 - tail would lose digits.
    return -normal_quantile((1 - require_level(level)) / 2)


def two_sided_p_value(z: float) -> float:
    """Two-sided p-value of a standard normal deviate.

    Example:
        >>> round(two_sided_p_value(1.96), 4)
        0.05
    """
    from scipy.special import ndtr

    return float(2 * ndtr(-abs(z)))


def normal_cdf(z: float) -> float:
    """Cumulative distribution function of the standard normal distribution."""
    from scipy.special import ndtr

    return float(ndtr(z))


DRAWS = 100_000


class LargestDeviation(NamedTuple):
    """Null distribution of the largest of several standardised deviations, by simulation.

    The p-value of a deviation is the share of simulations in which any is as large; the data count
    as one of them, so p is never 0. Intervals agree with it: they exclude 0 exactly where p is
    below one minus the level.

    Example:
        >>> largest = LargestDeviation(np.arange(1.0, 100.0))
        >>> largest.p_value(91.0), largest.critical_value(0.9)
        (0.1, 91.0)
    """

    draws: NDArray[np.float64]

    def p_value(self, deviation: float) -> float:
        """Simultaneous p-value: how often the largest deviation is at least this large."""
        as_large = np.count_nonzero(self.draws >= abs(deviation))
        return float((1 + as_large) / (1 + len(self.draws)))

    def critical_value(self, level: float) -> float:
        """Simultaneous critical value in standard errors; infinite with too few simulations."""
        is_significant = (1 + np.arange(len(self.draws))) / (1 + len(self.draws)) < 1 - level
        significant = np.count_nonzero(
            is_significant
        )  # so many draws and p would no longer be small
        return float(np.sort(self.draws)[-significant]) if significant else math.inf


def simulate_largest_deviation(
    covariance: NDArray[np.float64], seed: int
) -> LargestDeviation | None:
    """Simulate the largest of correlated normal deviates; None where none of them varies."""
    errors = np.sqrt(np.diag(covariance))
    varying = errors > 0
    if np.isnan(covariance).any() or not varying.any():
        return None
    correlation = covariance[np.ix_(varying, varying)] / np.outer(errors[varying], errors[varying])
    values, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(values.clip(min=0))
    generator = np.random.default_rng(seed)
    deviates = generator.standard_normal((DRAWS, len(correlation))) @ root.T
    return LargestDeviation(np.abs(deviates).max(axis=1))


def simultaneous_critical_value(
    covariance: NDArray[np.float64], level: float, seed: int = 0
) -> float:
    """Critical value at which several intervals of correlated normals hold simultaneously.

    Example:
        >>> round(simultaneous_critical_value(np.array([[2.0]]), 0.95), 1)
        2.0
    """
    largest = simulate_largest_deviation(covariance, seed)
    return critical_value(level) if largest is None else largest.critical_value(level)


# Simultaneous confidence bands of a distribution function.
#
# A band that every order statistic leaves with the same small probability is narrow in the tails,
# which a band of fixed width (Kolmogorov, Smirnov) is not. It is one of *equal local levels*:
# Weine, McPeek & Abney 2023, doi:10.18637/jss.v106.i10.

MOST_ROWS = 1000
"""Up to so many rows coverage is exact; beyond, it falls evenly with the logarithm of rows."""

FARTHEST = 4.0
"""Standard errors by which a band may be wider than a pointwise interval."""

HALVINGS = 12


def band_critical_value(rows: float, level: float) -> float:
    """Critical value of a simultaneous confidence band for all order statistics.

    Rows are rounded up to two digits, so that rankings of about the same size share a value.

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
    upper = lower + FARTHEST
    for _ in range(HALVINGS):
        middle = (lower + upper) / 2
        if _approximate_band_coverage(rows, middle) < level:
            lower = middle
        else:
            upper = middle
    return upper


def _approximate_band_coverage(rows: int, z: float) -> float:
    """Coverage of the confidence band, extrapolated for very many rows."""
    from scipy.special import ndtr

    tail = float(ndtr(-z))
    if rows <= MOST_ROWS:
        return band_coverage(rows, tail)
    fewer, more = (band_coverage(size, tail) for size in (MOST_ROWS // 2, MOST_ROWS))
    if not fewer * more:
        return 0.0
    return float(more * (more / fewer) ** math.log2(rows / MOST_ROWS))


def band_coverage(rows: int, tail: float) -> float:
    """Probability that all uniform order statistics lie inside their confidence band.

    `tail` is the probability of either tail. The number of rows below t is a Poisson process that
    must stay between two boundaries from 0 to 1 and end at all rows (Moscovich & Nadler 2017,
    doi:10.1016/j.spl.2016.11.027).

    Example:
        >>> round(band_coverage(1, 0.025), 6)
        0.95
    """
    from scipy.special import betaincinv

    ranks = np.arange(1, rows + 1)
    lowest = betaincinv(ranks, rows - ranks + 1, tail)
    highest = 1 - lowest[::-1]
    times = np.append(np.unique(np.concatenate([lowest, highest])), 1.0)
    most = np.searchsorted(lowest, times, "left")
    least = np.searchsorted(highest, times, "right")
    log_factorials = np.concatenate([[0.0], np.cumsum(np.log(ranks))])

    def poisson(mean: float, up_to: int) -> NDArray[np.float64]:
        # Larger counts are so rare that they do not change the probability.
        counts = np.arange(min(up_to, int(mean + 12 * math.sqrt(mean) + 20)) + 1)
        return np.asarray(np.exp(counts * math.log(mean) - mean - log_factorials[counts]))

    chances, fewest = np.ones(1), 0
    for step, upper, lower in zip(np.diff(times, prepend=0.0), most, least, strict=True):
        room = upper - fewest
        chances = np.convolve(chances, poisson(rows * step, room))[: room + 1]
        chances, fewest = chances[lower - fewest :], lower
        if not len(chances):
            return 0.0
    all_rows = rows * math.log(rows) - rows - log_factorials[rows]
    return float(chances[-1] / math.exp(all_rows))
