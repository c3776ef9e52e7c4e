"""Confidence intervals for proportions and for their differences, and validation of counts.

The Wald interval is not offered: with 3 hits in 3 trials its width is 0. `hits` (successes) and
`trials` may be arrays, and real numbers if rows have weights (`trials` is then the effective sample
size).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.stats.interval_methods import interval_method, methods_by_name, require_level
from tradeoff.stats.normal import critical_value

Numbers = NDArray[np.float64]
Bounds = tuple[Numbers, Numbers]


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
    # Rounding would give 1e-17 instead of 0, or slightly less than 1.
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

    Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286. With 0 hits, the lower limit is above 0.

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
    proportion = (hits + z**2 / 2) / adjusted_trials
    half_width = z * np.sqrt(proportion * (1 - proportion) / adjusted_trials)
    return np.clip(proportion - half_width, 0, 1), np.clip(proportion + half_width, 0, 1)


def proportion_interval(
    hits: Any, trials: Any, level: float = 0.95, method: str = "wilson"
) -> Bounds:
    """Confidence interval for a proportion by a named method; NaN without trials."""
    methods = methods_by_name("shares")
    if method not in methods:
        raise UnknownName(
            f"No interval for proportions is called {method!r}.{did_you_mean(method, methods)} "
            f"Available methods: {format_list(methods)}."
        )
    with np.errstate(invalid="ignore", divide="ignore"):
        lower, upper = methods[method].function(hits, trials, level)
    has_no_trials = ~(np.asarray(trials, np.float64) > 0)
    return np.where(has_no_trials, np.nan, lower), np.where(has_no_trials, np.nan, upper)


def _as_float_arrays(*counts: Any) -> list[Numbers]:
    return [np.asarray(values, np.float64) for values in counts]


def newcombe_interval(
    hits1: Any, trials1: Any, hits2: Any, trials2: Any, level: float = 0.95
) -> Bounds:
    """Newcombe interval for the difference between two independent proportions, first - second.

    It combines their Wilson intervals: method 10 of Newcombe 1998
    (doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I).

    Example:
        >>> [round(float(end), 4) for end in newcombe_interval(56, 70, 48, 80)]
        [0.0524, 0.3339]
    """
    first, second = (
        require_hits_and_trials(hits1, trials1, "1"),
        require_hits_and_trials(hits2, trials2, "2"),
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        proportion1, proportion2 = first[0] / first[1], second[0] / second[1]
    lower1, upper1 = proportion_interval(*first, level)
    lower2, upper2 = proportion_interval(*second, level)
    lower = proportion1 - proportion2 - np.hypot(proportion1 - lower1, upper2 - proportion2)
    upper = proportion1 - proportion2 + np.hypot(upper1 - proportion1, proportion2 - lower2)
    return np.maximum(lower, -1), np.minimum(upper, 1)  # rounding may exceed the limits


def require_counts(**counts: Any) -> list[Numbers]:
    """Require finite, non-negative counts or sums of weights, and return them as arrays.

    Example:
        >>> require_counts(hits=3, trials=-4)
        Traceback (most recent call last):
        tradeoff.errors.InputError: Counts must be finite and non-negative, but trials is -4.
    """
    arrays = []
    for name, value in counts.items():
        try:
            array = np.asarray(value, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"Counts must be numbers, but {name} is {value!r}.") from None
        is_invalid = ~((array >= 0) & np.isfinite(array))
        if is_invalid.any():
            raise InputError(
                "Counts must be finite and non-negative, but "
                f"{name} is {array[is_invalid].flat[0]:g}."
            )
        arrays.append(array)
    return arrays


def require_hits_and_trials(hits: Any, trials: Any, suffix: str = "") -> tuple[Numbers, Numbers]:
    """Require counts of hits and trials, with no more hits than trials; return them as arrays.

    Example:
        >>> require_hits_and_trials(5, 3)
        Traceback (most recent call last):
        tradeoff.errors.InputError: There cannot be more hits than trials: 5 of 3.
    """
    hits, trials = np.broadcast_arrays(
        *require_counts(**{f"hits{suffix}": hits, f"trials{suffix}": trials})
    )
    # Sums of weights may differ in their last digits.
    is_excessive = hits > trials * (1 + 1e-9)
    if is_excessive.any():
        raise InputError(
            f"There cannot be more hits{suffix} than trials{suffix}: "
            f"{hits[is_excessive].flat[0]:g} of {trials[is_excessive].flat[0]:g}."
        )
    return np.minimum(hits, trials), trials
