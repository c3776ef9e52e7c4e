"""Intervals for shares of rows. Never Wald's: 3 of 3 would be certain.

`hits` and `trials` may be arrays, and real numbers where rows have weights (`trials` is then the
effective number of rows).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import UnknownName, did_you_mean, listed
from tradeoff.stats.interval_methods import interval_method, methods_by_name
from tradeoff.stats.normal import demand_level, quantile

Ends = tuple["NDArray[np.float64]", "NDArray[np.float64]"]


@interval_method("wilson", of="shares", label="Wilson")
def wilson(hits: Any, trials: Any, level: float = 0.95) -> Ends:
    """The shares that a score test would not reject (Wilson 1927, doi:10.2307/2276774).

    Example:
        >>> [round(float(end), 4) for end in wilson(3, 3)]
        [0.4385, 1.0]
    """
    z2 = quantile(level) ** 2
    hits, trials = _floats(hits, trials)
    middle = (hits + z2 / 2) / (trials + z2)
    half = np.sqrt(z2 * (hits * (trials - hits) / trials + z2 / 4)) / (trials + z2)
    # At the ends rounding would leave 1e-17 beside 0 and 1.
    low = np.where(hits == 0, 0.0, middle - half)
    high = np.where(hits == trials, 1.0, middle + half)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


@interval_method("clopper-pearson", of="shares", label="Clopper–Pearson")
def clopper_pearson(hits: Any, trials: Any, level: float = 0.95) -> Ends:
    """Never covers less than its level, mostly more (Clopper & Pearson 1934, doi:10.2307/2331986).

    Example:
        >>> [round(float(end), 4) for end in clopper_pearson(3, 3)]
        [0.2924, 1.0]
    """
    from scipy.special import betaincinv

    tail = (1 - demand_level(level)) / 2
    hits, trials = _floats(hits, trials)
    misses = trials - hits
    low = np.where(hits > 0, betaincinv(np.maximum(hits, 1e-300), misses + 1, tail), 0.0)
    high = np.where(misses > 0, betaincinv(hits + 1, np.maximum(misses, 1e-300), 1 - tail), 1.0)
    return low, high


@interval_method("jeffreys", of="shares", label="Jeffreys")
def jeffreys(hits: Any, trials: Any, level: float = 0.95) -> Ends:
    """Equal tails of Beta(hits + ½, misses + ½): what a neutral observer would now believe.

    Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286. At 0 hits the lower end is not quite 0.

    Example:
        >>> [round(float(end), 4) for end in jeffreys(3, 3)]
        [0.4644, 0.9998]
    """
    from scipy.special import betaincinv

    tail = (1 - demand_level(level)) / 2
    hits, trials = _floats(hits, trials)
    a, b = hits + 0.5, trials - hits + 0.5
    return betaincinv(a, b, tail), betaincinv(a, b, 1 - tail)


@interval_method("agresti-coull", of="shares", label="Agresti–Coull")
def agresti_coull(hits: Any, trials: Any, level: float = 0.95) -> Ends:
    """Wald's after adding z² trials, half of them hits (Agresti & Coull 1998, doi:10.2307/2685469).

    Example:
        >>> [round(float(end), 4) for end in agresti_coull(3, 3)]
        [0.3825, 1.0]
    """
    z = quantile(level)
    hits, trials = _floats(hits, trials)
    more = trials + z**2
    share = (hits + z**2 / 2) / more
    half = z * np.sqrt(share * (1 - share) / more)
    return np.clip(share - half, 0, 1), np.clip(share + half, 0, 1)


def proportion(hits: Any, trials: Any, level: float = 0.95, method: str = "wilson") -> Ends:
    """An interval for a share by a method's name; NaN where there are no trials."""
    methods = methods_by_name("shares")
    if method not in methods:
        raise UnknownName(
            f"No interval for a share is called {method!r}.{did_you_mean(method, methods)} "
            f"There are {listed(methods)}."
        )
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = methods[method].function(hits, trials, level)
    empty = ~(np.asarray(trials, np.float64) > 0)
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)


def _floats(*numbers: Any) -> list[NDArray[np.float64]]:
    return [np.asarray(given, np.float64) for given in numbers]
