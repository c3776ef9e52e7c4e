"""Confidence intervals for proportions: Wilson, Clopper–Pearson, Jeffreys, Agresti–Coull.

Never Wald's: 3 of 3 would be certain. `hits` and `trials` may be arrays, and real numbers where
rows have weights (`trials` is then the effective number of rows).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import UnknownName, did_you_mean, format_list
from tradeoff.stats.interval_methods import interval_method, methods_by_name
from tradeoff.stats.normal import critical_value, require_level

Bounds = tuple["NDArray[np.float64]", "NDArray[np.float64]"]


@interval_method("wilson", of="shares", label="Wilson")
def wilson_interval(hits: Any, trials: Any, level: float = 0.95) -> Bounds:
    """Wilson score interval for a proportion (1927, doi:10.2307/2276774).

    Example:
        >>> [round(float(end), 4) for end in wilson_interval(3, 3)]
        [0.4385, 1.0]
    """
    z2 = critical_value(level) ** 2
    hits, trials = _as_float_arrays(hits, trials)
    middle = (hits + z2 / 2) / (trials + z2)
    half_width = np.sqrt(z2 * (hits * (trials - hits) / trials + z2 / 4)) / (trials + z2)
    # Rounding would leave 1e-17 beside 0 and 1.
    lower = np.where(hits == 0, 0.0, middle - half_width)
    upper = np.where(hits == trials, 1.0, middle + half_width)
    return np.clip(lower, 0, 1), np.clip(upper, 0, 1)


@interval_method("clopper-pearson", of="shares", label="Clopper–Pearson")
def clopper_pearson_interval(hits: Any, trials: Any, level: float = 0.95) -> Bounds:
    """Clopper–Pearson exact interval for a proportion (1934, doi:10.2307/2331986).

    Example:
        >>> [round(float(end), 4) for end in clopper_pearson_interval(3, 3)]
        [0.2924, 1.0]
    """
    from scipy.special import betaincinv

    tail = (1 - require_level(level)) / 2
    hits, trials = _as_float_arrays(hits, trials)
    misses = trials - hits
    lower = np.where(hits > 0, betaincinv(np.maximum(hits, 1e-300), misses + 1, tail), 0.0)
    upper = np.where(misses > 0, betaincinv(hits + 1, np.maximum(misses, 1e-300), 1 - tail), 1.0)
    return lower, upper


@interval_method("jeffreys", of="shares", label="Jeffreys")
def jeffreys_interval(hits: Any, trials: Any, level: float = 0.95) -> Bounds:
    """Jeffreys interval for a proportion: equal tails of Beta(hits + ½, misses + ½).

    Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286. At 0 hits the lower limit is above 0.

    Example:
        >>> [round(float(end), 4) for end in jeffreys_interval(3, 3)]
        [0.4644, 0.9998]
    """
    from scipy.special import betaincinv

    tail = (1 - require_level(level)) / 2
    hits, trials = _as_float_arrays(hits, trials)
    a, b = hits + 0.5, trials - hits + 0.5
    return betaincinv(a, b, tail), betaincinv(a, b, 1 - tail)


@interval_method("agresti-coull", of="shares", label="Agresti–Coull")
def agresti_coull_interval(hits: Any, trials: Any, level: float = 0.95) -> Bounds:
    """Agresti–Coull interval for a proportion (1998, doi:10.2307/2685469).

    Example:
        >>> [round(float(end), 4) for end in agresti_coull_interval(3, 3)]
        [0.3825, 1.0]
    """
    z = critical_value(level)
    hits, trials = _as_float_arrays(hits, trials)
    adjusted_trials = trials + z**2
    share = (hits + z**2 / 2) / adjusted_trials
    half_width = z * np.sqrt(share * (1 - share) / adjusted_trials)
    return np.clip(share - half_width, 0, 1), np.clip(share + half_width, 0, 1)


def proportion_interval(
    hits: Any, trials: Any, level: float = 0.95, method: str = "wilson"
) -> Bounds:
    """Confidence interval for a proportion by the method's name; NaN without trials."""
    methods = methods_by_name("shares")
    if method not in methods:
        raise UnknownName(
            f"No interval for proportions is called {method!r}.{did_you_mean(method, methods)} "
            f"There are {format_list(methods)}."
        )
    with np.errstate(invalid="ignore", divide="ignore"):
        lower, upper = methods[method].function(hits, trials, level)
    empty = ~(np.asarray(trials, np.float64) > 0)
    return np.where(empty, np.nan, lower), np.where(empty, np.nan, upper)


def _as_float_arrays(*numbers: Any) -> list[NDArray[np.float64]]:
    return [np.asarray(values, np.float64) for values in numbers]
