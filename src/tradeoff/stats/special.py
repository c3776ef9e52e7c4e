"""Special functions without SciPy: quantiles, logit, incomplete beta.

Importing `scipy.special` takes a third of the time of evaluating a small file, so the functions
that `evaluate` needs are implemented here. Each agrees with SciPy's to eleven digits or more.
Functions that are rarely needed use SciPy.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

MIN_SERIES_DF = 500
"""From this many degrees of freedom on, a series in 1 / df gives t quantiles to eleven digits."""
TINY = 1e-300
TOLERANCE = 1e-16


def expit(log_odds: Any) -> Any:
    """Logistic function: probability with the given log odds, without overflow.

    Example:
        >>> expit(np.array([0.0, -1000.0])).tolist()
        [0.5, 0.0]
    """
    decay = np.exp(-np.abs(log_odds))
    return np.where(np.less(log_odds, 0), decay, 1.0) / (1 + decay)


def logit(probability: Any) -> Any:
    """Logit: log odds of a probability, accurate near 0 and 1/2; infinite at 0 and 1.

    Example:
        >>> logit(np.array([0.5, 1.0])).tolist()
        [0.0, inf]
    """
    with np.errstate(divide="ignore"):
        # 2p - 1 is exact for p of at least a quarter, but loses digits of smaller probabilities.
        return np.where(
            np.less(probability, 0.25),
            np.log(probability) - np.log1p(np.negative(probability)),
            2 * np.arctanh(2 * np.maximum(probability, 0.25) - 1),
        )


@lru_cache
def normal_quantile(probability: float) -> float:
    """Quantile of the standard normal distribution.

    Example:
        >>> round(normal_quantile(0.975), 4)
        1.96
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)


@lru_cache
def t_quantile(df: float, probability: float) -> float:
    """Quantile of Student's t distribution, for probabilities of at least 1/2.

    Example:
        >>> round(t_quantile(10, 0.975), 4), round(t_quantile(1000, 0.975), 4)
        (2.2281, 1.9623)
    """
    if df >= MIN_SERIES_DF:
        return _t_quantile_by_series(df, normal_quantile(probability))
    log_constant = math.lgamma((df + 1) / 2) - math.lgamma(df / 2)
    t = normal_quantile(probability)
    # The quantile is above t, and the probability within ±t is concave: no step overshoots.
    for _ in range(200):
        slope = 2 * math.exp(log_constant - (df + 1) / 2 * math.log1p(t * t / df))
        step = (
            (2 * probability - 1 - _central_t_probability(t, df)) * math.sqrt(df * math.pi) / slope
        )
        t += step
        if step <= 1e-15 * t:
            break
    return t


def _central_t_probability(t: float, df: float) -> float:
    """Probability that a Student t variable is between -t and t."""
    squared = t * t
    if squared < df:
        return float(incomplete_beta(0.5, df / 2, squared / (df + squared)))
    return 1 - float(incomplete_beta(df / 2, 0.5, df / (df + squared)))


def _t_quantile_by_series(df: float, z: float) -> float:
    """Quantile of Student's t by a series around the normal one (Abramowitz & Stegun 26.7.5)."""
    coefficients = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(coefficient / df**power for power, coefficient in enumerate(coefficients, 1))


@lru_cache
def kolmogorov_quantile(tail: float) -> float:
    """Upper quantile of the Kolmogorov distribution.

    Example:
        >>> round(kolmogorov_quantile(0.05), 4)
        1.3581
    """
    low, high = 0.0, 40.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _kolmogorov_tail(middle) > tail else (low, middle)
    return (low + high) / 2


def _kolmogorov_tail(x: float) -> float:
    """Upper tail probability of Kolmogorov's limit distribution (1933), by the shorter series."""
    if x < 0.2:
        return 1.0
    if x < 1:
        terms = (math.exp(-(((2 * k - 1) * math.pi / x) ** 2) / 8) for k in range(1, 6))
        return 1 - math.sqrt(2 * math.pi) / x * sum(terms)
    return 2 * sum(math.copysign(math.exp(-2 * (k * x) ** 2), k % 2 - 0.5) for k in range(1, 8))


def incomplete_beta(a: float, b: float, x: Any) -> NDArray[np.float64]:
    """Regularised incomplete beta function I_x(a, b), by its continued fraction.

    DLMF 8.17.22, evaluated by Lentz's method on the side on which it converges fast.

    Example:
        >>> incomplete_beta(2, 2, 0.25).round(6)
        np.float64(0.15625)
    """
    x = np.asarray(x, dtype=np.float64)
    is_mirrored = x > (a + 1) / (a + b + 2)
    y = np.where(is_mirrored, 1 - x, x)
    p, q = np.where(is_mirrored, b, a), np.where(is_mirrored, a, b)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    with np.errstate(divide="ignore"):
        prefactor = np.exp(p * np.log(y) + q * np.log1p(-y) + scale) / p
    tail = prefactor * _beta_continued_fraction(p, q, y)
    regularised: NDArray[np.float64] = np.where(is_mirrored, 1 - tail, tail)[()]
    return regularised


def _beta_continued_fraction(p: Any, q: Any, y: Any) -> Any:
    """Continued fraction of the incomplete beta function, by Lentz's method."""
    c = np.ones_like(y)
    d = 1 / _avoid_zero(1 - (p + q) * y / (p + 1))
    fraction = d
    for m in range(1, 10_000):
        even = m * (q - m) * y / ((p + 2 * m - 1) * (p + 2 * m))
        odd = -(p + m) * (p + q + m) * y / ((p + 2 * m) * (p + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _avoid_zero(1 + term * d)
            c = _avoid_zero(1 + term / c)
            fraction = fraction * c * d
        if np.all(np.abs(c * d - 1) <= 4 * TOLERANCE):
            break
    return fraction


def _avoid_zero(x: Any) -> Any:
    """Values bounded away from 0, so that Lentz's method can divide by them."""
    return np.where(np.abs(x) < TINY, TINY, x)
