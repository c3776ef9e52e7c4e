"""Tests of whether models are right equally often on the same rows: McNemar's and Cochran's Q."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.formatting import format_count
from tradeoff.stats.proportions import require_counts, wilson_interval
from tradeoff.stats.significance import Test

Numbers = NDArray[np.float64]

MCNEMAR_METHODS = ("mid-p", "exact", "chi-squared", "chi-squared, corrected")
"""Methods for the p-value of McNemar's test."""


def mcnemar_test(only_first: float, only_second: float, method: str = "mid-p") -> Test:
    """McNemar's test (1947): whether the labels of two models are right equally often, row by row.

    Only discordant rows matter, on which one model is right and the other is wrong. The mid-p
    version counts half the probability of the observed outcome and is more powerful than the exact
    test, which is conservative (Fagerland, Lydersen & Laake 2013, doi:10.1186/1471-2288-13-91).

    Args:
        only_first: Number of rows on which only the first model is right.
        only_second: Number of rows on which only the second model is right.
        method: One of `MCNEMAR_METHODS`. The statistic is the smaller count, or chi-squared.

    Example:
        >>> mcnemar_test(5, 15, "exact")
        Test(McNemar: 5 against 15, p = 0.04)
        >>> mcnemar_test(5, 15)
        Test(McNemar: 5 against 15, p = 0.03)
    """
    if method not in MCNEMAR_METHODS:
        raise UnknownName(
            f"McNemar's test has no method {method!r}.{did_you_mean(method, MCNEMAR_METHODS)} "
            f"Available methods: {format_list(MCNEMAR_METHODS)}."
        )
    first, second = _require_whole_numbers(only_first=only_first, only_second=only_second)
    name, rows = f"McNemar: {format_count(first)} against {format_count(second)}", first + second
    is_exact = method in {"mid-p", "exact"}
    degrees_of_freedom = None if is_exact else 1.0
    if not rows:
        note = "both models are right on the same rows"
        return Test(name, 0.0, 1.0, method, degrees_of_freedom, note=note)
    if is_exact:
        smaller = min(first, second)
        return Test(name, smaller, _binomial_p_value(smaller, rows, mid=method == "mid-p"), method)
    from scipy.special import chdtrc

    difference = abs(first - second) - (method == "chi-squared, corrected")
    return Test(
        name,
        difference**2 / rows,
        float(chdtrc(1, difference**2 / rows)),
        method,
        degrees_of_freedom,
    )


def paired_difference_interval(
    both: float, only_first: float, only_second: float, neither: float, level: float = 0.95
) -> tuple[float, float]:
    """Newcombe interval for the difference between two paired proportions, on the same rows.

    It combines the Wilson intervals of both proportions with their correlation, reduced as in
    method 10 of Newcombe 1998 (Statistics in Medicine 17, 2635; recommended by Fagerland, Lydersen
    & Laake 2014, doi:10.1002/sim.6148, whose example follows).

    Args:
        both: Number of rows that are hits of both models.
        only_first: Number of rows that are hits of the first model alone.
        only_second: Number of rows that are hits of the second model alone.
        neither: Number of rows that are hits of neither model.
        level: Confidence level.

    Example:
        >>> [round(limit, 3) for limit in paired_difference_interval(1, 1, 7, 12)]
        [-0.507, -0.026]
    """
    cells = [
        float(count)
        for count in require_counts(
            both=both, only_first=only_first, only_second=only_second, neither=neither
        )
    ]
    both, only_first, only_second, neither = cells
    rows = sum(cells)
    if not rows:
        return math.nan, math.nan
    hits = both + only_first, both + only_second
    first, second = hits[0] / rows, hits[1] / rows
    (low1, high1), (low2, high2) = (
        map(float, wilson_interval(count, rows, level)) for count in hits
    )
    margins = hits[0] * (rows - hits[0]) * hits[1] * (rows - hits[1])
    covariance = both * neither - only_first * only_second
    if covariance > 0:
        covariance = max(covariance - rows / 2, 0.0)
    correlation = covariance / math.sqrt(margins) if margins else 0.0

    def half_width(first_side: float, second_side: float) -> float:
        square = first_side**2 - 2 * correlation * first_side * second_side + second_side**2
        return math.sqrt(max(square, 0.0))

    difference = first - second
    low = difference - half_width(first - low1, high2 - second)
    high = difference + half_width(high1 - first, second - low2)
    return max(low, -1.0), min(high, 1.0)


def cochran_q_test(right: Any, counts: Any = None) -> Test:
    """Cochran's Q test (1950): whether several models are right equally often on the same rows.

    For two models, it is McNemar's chi-squared test. doi:10.1093/biomet/37.3-4.256

    Args:
        right: Whether each model (first axis) is right on each row (second axis), as 0 and 1.
        counts: How often each column occurs, if `right` lists distinct patterns; by default once.

    Example:
        >>> patterns = [[0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 1, 1], [0, 1, 0, 1, 0, 0, 1]]
        >>> cochran_q_test(patterns, counts=[3, 3, 1, 9, 2, 2, 80])
        Test(3 models are right equally often, p = 0.02)
    """
    from scipy.special import chdtrc

    table = _require_binary(right)
    models, columns = table.shape
    pattern_counts = None if counts is None else np.asarray(_require_whole_counts("counts", counts))
    if pattern_counts is not None and pattern_counts.shape != (columns,):
        raise InputError(
            f"Counts must say how often each of the {columns:,} columns occurs, but their shape "
            f"is {pattern_counts.shape}."
        )
    hits = np.array(
        [row.sum() if pattern_counts is None else pattern_counts[row].sum() for row in table],
        np.float64,
    )
    right_counts = table.sum(axis=0, dtype=np.int32)
    sizes = np.bincount(right_counts, weights=pattern_counts, minlength=models + 1).astype(
        np.float64
    )
    numbers_right = np.arange(models + 1.0)
    # Computed without subtracting large sums from each other.
    disagreement = float((sizes * numbers_right * (models - numbers_right)).sum())
    degrees_of_freedom = float(models - 1)
    if not disagreement:
        note = "all models are right on the same rows"
        name = f"{models} models are right equally often"
        return Test(name, 0.0, 1.0, "Cochran's Q, chi-squared", degrees_of_freedom, note=note)
    q = float(degrees_of_freedom * models * ((hits - hits.mean()) ** 2).sum() / disagreement)
    name = f"{models} models are right equally often"
    return Test(
        name,
        q,
        float(chdtrc(degrees_of_freedom, q)),
        "Cochran's Q, chi-squared",
        degrees_of_freedom,
    )


def _binomial_p_value(smaller: float, rows: float, *, mid: bool) -> float:
    """Two-sided binomial p-value for probability 1/2, exact or mid-p."""
    from scipy.special import betainc

    at_most = float(betainc(rows - smaller, smaller + 1, 0.5))
    if 2 * smaller == rows:  # the most probable outcome has no mirror image
        return 1.5 - at_most if mid else 1.0
    below = float(betainc(rows - smaller + 1, smaller, 0.5)) if smaller else 0.0
    return at_most + below if mid else min(1.0, 2 * at_most)


def _require_binary(right: Any) -> NDArray[np.bool_]:
    """Require a table of 0 and 1 with one row for each of two or more models."""
    table = np.asarray(right)
    if table.ndim != 2 or len(table) < 2:
        raise InputError(
            "Cochran's Q needs one line for each of at least 2 models and one column per row, not "
            f"a shape of {table.shape}."
        )
    if table.dtype == np.bool_:
        return table
    if not ((table == 0) | (table == 1)).all():
        raise InputError("Whether a model is right must be given as 0 and 1 (or False and True).")
    return np.asarray(table == 1)


def _require_whole_numbers(**numbers: Any) -> list[float]:
    return [
        _require_scalar(name, _require_whole_counts(name, value)) for name, value in numbers.items()
    ]


def _require_scalar(name: str, value: Numbers) -> float:
    if value.ndim:
        raise InputError(
            f"A single number is needed for {name}, not an array of shape {value.shape}."
        )
    return float(value)


def _require_whole_counts(name: str, value: Any) -> Numbers:
    (counts,) = require_counts(**{name: value})
    is_fractional = counts != np.floor(counts)
    if is_fractional.any():
        raise InputError(
            f"A test needs counts of rows, not sums of weights: {name} is "
            f"{counts[is_fractional].flat[0]:g}."
        )
    return counts
