"""Tests of predicted classes of several models: McNemar, Cochran's Q, Newcombe, Holm.

For models on the same rows: McNemar's and Cochran's tests. On different rows: Newcombe's interval
for the difference of two proportions. For several tests: adjusted p-values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.stats.proportions import Bounds, proportion_interval
from tradeoff.stats.ratios import require_counts, require_hits_and_trials
from tradeoff.stats.significance import Test
from tradeoff.text import format_count

Numbers = NDArray[np.float64]

MCNEMAR = ("mid-p", "exact", "chi-squared", "chi-squared, corrected")
"""Methods for the p-value of McNemar's test."""


def mcnemar_test(only_first: float, only_second: float, method: str = "mid-p") -> Test:
    """McNemar's test: whether two models are right equally often on the same rows (1947).

    Only discordant rows matter, on which one model is right and the other wrong. The mid-p version
    counts half the probability of the observed outcome and has better power than the exact test,
    which is conservative (Fagerland, Lydersen & Laake 2013, doi:10.1186/1471-2288-13-91).

    Args:
        only_first: Rows that only the first model has right.
        only_second: Rows that only the second model has right.
        method: One of `MCNEMAR`. The statistic is the smaller count, or chi-squared.

    Example:
        >>> mcnemar_test(5, 15, "exact")
        Test(McNemar: 5 against 15, p = 0.0414)
        >>> mcnemar_test(5, 15)
        Test(McNemar: 5 against 15, p = 0.0266)
    """
    if method not in MCNEMAR:
        raise UnknownName(
            f"McNemar's test has no method {method!r}.{did_you_mean(method, MCNEMAR)} "
            f"There are {format_list(MCNEMAR)}."
        )
    first, second = _require_whole_numbers(only_first=only_first, only_second=only_second)
    name, rows = f"McNemar: {format_count(first)} against {format_count(second)}", first + second
    exact = method in {"mid-p", "exact"}
    degrees = None if exact else 1.0
    if not rows:
        note = "both models are right on the same rows"
        return Test(name, 0.0, 1.0, method, degrees, note=note)
    if exact:
        few = min(first, second)
        return Test(name, few, _binomial_p_value(few, rows, mid=method == "mid-p"), method)
    from scipy.special import chdtrc

    difference = abs(first - second) - (method == "chi-squared, corrected")
    return Test(name, difference**2 / rows, float(chdtrc(1, difference**2 / rows)), method, degrees)


def cochran_q_test(right: Any, counts: Any = None) -> Test:
    """Cochran's Q test: whether several models are right equally often on the same rows (1950).

    For two models it is McNemar's chi-squared test. doi:10.1093/biomet/37.3-4.256

    Args:
        right: Which model (first axis) is right on which row (second axis), as 0 and 1.
        counts: How often each column occurs, if `right` lists distinct patterns; else each once.

    Example:
        >>> patterns = [[0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 1, 1], [0, 1, 0, 1, 0, 0, 1]]
        >>> cochran_q_test(patterns, counts=[3, 3, 1, 9, 2, 2, 80])
        Test(3 models are right equally often, p = 0.0232)
    """
    from scipy.special import chdtrc

    table = _require_binary(right)
    models, columns = table.shape
    times = None if counts is None else np.asarray(_require_whole_counts("counts", counts))
    if times is not None and times.shape != (columns,):
        raise InputError(
            f"Counts say how often each of the {columns:,} columns occurs, but their shape is "
            f"{times.shape}."
        )
    hits = np.array([row.sum() if times is None else times[row].sum() for row in table], np.float64)
    agreeing = table.sum(axis=0, dtype=np.int32)
    sizes = np.bincount(agreeing, weights=times, minlength=models + 1).astype(np.float64)
    agreements = np.arange(models + 1.0)
    # No large sums are subtracted from each other.
    disagreement = float((sizes * agreements * (models - agreements)).sum())
    degrees = float(models - 1)
    if not disagreement:
        note = "all models are right on the same rows"
        name = f"{models} models are right equally often"
        return Test(name, 0.0, 1.0, "Cochran's Q, chi-squared", degrees, note=note)
    q = float(degrees * models * ((hits - hits.mean()) ** 2).sum() / disagreement)
    name = f"{models} models are right equally often"
    return Test(name, q, float(chdtrc(degrees, q)), "Cochran's Q, chi-squared", degrees)


def newcombe_interval(
    hits1: Any, trials1: Any, hits2: Any, trials2: Any, level: float = 0.95
) -> Bounds:
    """Newcombe interval for the difference of two independent proportions, first minus second.

    Wilson's intervals combined by their squares: method 10 of Newcombe 1998
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
        share1, share2 = first[0] / first[1], second[0] / second[1]
    lower1, upper1 = proportion_interval(*first, level)
    lower2, upper2 = proportion_interval(*second, level)
    lower = share1 - share2 - np.hypot(share1 - lower1, upper2 - share2)
    upper = share1 - share2 + np.hypot(upper1 - share1, share2 - lower2)
    return np.maximum(lower, -1), np.minimum(upper, 1)  # rounding may exceed these


def holm_adjusted(p_values: Any) -> Numbers:
    """Holm-adjusted p-values of several tests (1979).

    They control the familywise error rate. NaN is left out.

    Example:
        >>> [round(float(p), 4) for p in holm_adjusted([0.01, 0.04, 0.03, 0.005])]
        [0.03, 0.06, 0.06, 0.02]
    """
    values = np.asarray(p_values, np.float64)
    defined = ~np.isnan(values)
    wrong = defined & ~((values >= 0) & (values <= 1))
    if wrong.any():
        raise InputError(f"A p-value must lie between 0 and 1, not at {values[wrong].flat[0]:g}.")
    order = np.argsort(values[defined], kind="stable")
    adjusted = np.empty(len(order))
    scaled = values[defined][order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    result = np.full(values.shape, np.nan)
    result[defined] = adjusted
    return result


def _binomial_p_value(few: float, rows: float, *, mid: bool) -> float:
    """Two-sided binomial p-value at probability 1/2, exact or mid-p."""
    from scipy.special import betainc

    up_to = float(betainc(rows - few, few + 1, 0.5))
    if 2 * few == rows:  # the most probable outcome, which has no twin
        return 1.5 - up_to if mid else 1.0
    less = float(betainc(rows - few + 1, few, 0.5)) if few else 0.0
    return up_to + less if mid else min(1.0, 2 * up_to)


def _require_binary(right: Any) -> NDArray[np.bool_]:
    """Require a table of 0 and 1 with a line for each of two or more models."""
    table = np.asarray(right)
    if table.ndim != 2 or len(table) < 2:
        raise InputError(
            "Cochran's Q needs a line for each of at least 2 models and a column for each row, not "
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
        raise InputError(f"One number is needed for {name}, not a shape of {value.shape}.")
    return float(value)


def _require_whole_counts(name: str, value: Any) -> Numbers:
    (counts,) = require_counts(**{name: value})
    broken = counts != np.floor(counts)
    if broken.any():
        raise InputError(
            f"A test needs counts of rows, not sums of weights: {name} is "
            f"{counts[broken].flat[0]:g}."
        )
    return counts
