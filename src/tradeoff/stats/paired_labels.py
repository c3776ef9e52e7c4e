"""Tests of predicted classes, from counts of rows on which models agree or differ.

Models judged on the same rows: McNemar's and Cochran's tests. On different rows: Newcombe's
interval of the difference of two shares. Several tests at once: their p-values adjusted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.stats.proportions import Ends, proportion
from tradeoff.stats.ratios import as_counts, as_shares
from tradeoff.stats.significance import Test
from tradeoff.text import count

Numbers = NDArray[np.float64]

MCNEMAR = ("mid-p", "exact", "chi-squared", "chi-squared, corrected")
"""Ways to find the p-value of McNemar's test."""


def mcnemar(only_first: float, only_second: float, method: str = "mid-p") -> Test:
    """Whether two models are right equally often on the same rows (McNemar 1947).

    Only the rows tell on which one model is right and the other wrong. The mid-p version counts
    half of what is as probable as the data, and keeps its promise better than the exact one, which
    finds too little (Fagerland, Lydersen & Laake 2013, doi:10.1186/1471-2288-13-91).

    Args:
        only_first: Rows that only the first model has right.
        only_second: Rows that only the second model has right.
        method: One of `MCNEMAR`. The statistic is the smaller count, or chi-squared.

    Example:
        >>> mcnemar(5, 15, "exact")
        Test(McNemar: 5 against 15, p = 0.0414)
        >>> mcnemar(5, 15)
        Test(McNemar: 5 against 15, p = 0.0266)
    """
    if method not in MCNEMAR:
        raise UnknownName(
            f"McNemar's test has no method {method!r}.{did_you_mean(method, MCNEMAR)} "
            f"There are {listed(MCNEMAR)}."
        )
    first, second = _whole(only_first=only_first, only_second=only_second)
    name, rows = f"McNemar: {count(first)} against {count(second)}", first + second
    exact = method in {"mid-p", "exact"}
    degrees = None if exact else 1.0
    if not rows:
        note = "both models are right on the same rows"
        return Test(name, 0.0, 1.0, method, degrees, note=note)
    if exact:
        few = min(first, second)
        return Test(name, few, _binomial(few, rows, mid=method == "mid-p"), method)
    from scipy.special import chdtrc

    apart = abs(first - second) - (method == "chi-squared, corrected")
    return Test(name, apart**2 / rows, float(chdtrc(1, apart**2 / rows)), method, degrees)


def cochrans_q(right: Any, counts: Any = None) -> Test:
    """Whether several models are right equally often on the same rows (Cochran 1950).

    Of two models it is McNemar's test by chi-squared. doi:10.1093/biomet/37.3-4.256

    Args:
        right: Which model (first axis) is right on which row (second axis), as 0 and 1.
        counts: How often each column occurs, if `right` lists distinct patterns; else each once.

    Example:
        >>> patterns = [[0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 1, 1], [0, 1, 0, 1, 0, 0, 1]]
        >>> cochrans_q(patterns, counts=[3, 3, 1, 9, 2, 2, 80])
        Test(3 models are right equally often, p = 0.0232)
    """
    from scipy.special import chdtrc

    table = _zeros_and_ones(right)
    models, columns = table.shape
    times = None if counts is None else np.asarray(_whole_array("counts", counts))
    if times is not None and times.shape != (columns,):
        raise InputError(
            f"Counts say how often each of the {columns:,} columns occurs, but their shape is "
            f"{times.shape}."
        )
    hits = np.array([row.sum() if times is None else times[row].sum() for row in table], np.float64)
    agreeing = table.sum(axis=0, dtype=np.int32)
    sizes = np.bincount(agreeing, weights=times, minlength=models + 1).astype(np.float64)
    some = np.arange(models + 1.0)
    # Written so that no large sums are subtracted from each other.
    parted = float((sizes * some * (models - some)).sum())
    degrees = float(models - 1)
    if not parted:
        note = "all models are right on the same rows"
        name = f"{models} models are right equally often"
        return Test(name, 0.0, 1.0, "Cochran's Q, chi-squared", degrees, note=note)
    q = float(degrees * models * ((hits - hits.mean()) ** 2).sum() / parted)
    name = f"{models} models are right equally often"
    return Test(name, q, float(chdtrc(degrees, q)), "Cochran's Q, chi-squared", degrees)


def newcombe(hits1: Any, trials1: Any, hits2: Any, trials2: Any, level: float = 0.95) -> Ends:
    """An interval for the difference of two shares of different rows, first minus second.

    Wilson's intervals, squared and added: method 10 of Newcombe 1998
    (doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I).

    Example:
        >>> [round(float(end), 4) for end in newcombe(56, 70, 48, 80)]
        [0.0524, 0.3339]
    """
    first, second = as_shares(hits1, trials1, "1"), as_shares(hits2, trials2, "2")
    with np.errstate(invalid="ignore", divide="ignore"):
        one, other = first[0] / first[1], second[0] / second[1]
    low1, high1 = proportion(*first, level)
    low2, high2 = proportion(*second, level)
    low = one - other - np.hypot(one - low1, high2 - other)
    high = one - other + np.hypot(high1 - one, other - low2)
    return np.maximum(low, -1), np.minimum(high, 1)  # rounding may lead beyond


def holm(p_values: Any) -> Numbers:
    """P-values of several tests, adjusted so that all can be read together (Holm 1979).

    The chance that any of them is small by luck alone stays what it says. NaN is left out.

    Example:
        >>> [round(float(p), 4) for p in holm([0.01, 0.04, 0.03, 0.005])]
        [0.03, 0.06, 0.06, 0.02]
    """
    given = np.asarray(p_values, np.float64)
    known = ~np.isnan(given)
    wrong = known & ~((given >= 0) & (given <= 1))
    if wrong.any():
        raise InputError(f"A p-value lies between 0 and 1, not at {given[wrong].flat[0]:g}.")
    order = np.argsort(given[known], kind="stable")
    adjusted = np.empty(len(order))
    rising = given[known][order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(rising), 1.0)
    all_of_them = np.full(given.shape, np.nan)
    all_of_them[known] = adjusted
    return all_of_them


def _binomial(few: float, rows: float, *, mid: bool) -> float:
    """Twice the chance of so few among fair draws; mid: what is as probable counts half."""
    from scipy.special import betainc

    up_to = float(betainc(rows - few, few + 1, 0.5))
    if 2 * few == rows:  # the most probable outcome, which has no twin
        return 1.5 - up_to if mid else 1.0
    less = float(betainc(rows - few + 1, few, 0.5)) if few else 0.0
    return up_to + less if mid else 2 * up_to


def _zeros_and_ones(right: Any) -> NDArray[np.bool_]:
    table = np.asarray(right)
    if table.ndim != 2 or len(table) < 2:
        raise InputError(
            "Cochran's Q needs 2 or more models as rows and the rows they judged as columns, not "
            f"a shape of {table.shape}."
        )
    if table.dtype == np.bool_:
        return table
    if not ((table == 0) | (table == 1)).all():
        raise InputError("Whether a model is right is told by 0 and 1 (or False and True).")
    return np.asarray(table == 1)


def _whole(**given: Any) -> list[float]:
    return [_one(name, _whole_array(name, value)) for name, value in given.items()]


def _one(name: str, value: Numbers) -> float:
    if value.ndim:
        raise InputError(f"One number is needed for {name}, not a shape of {value.shape}.")
    return float(value)


def _whole_array(name: str, value: Any) -> Numbers:
    (counts,) = as_counts(**{name: value})
    broken = counts != np.floor(counts)
    if broken.any():
        raise InputError(
            f"A test needs counts of rows, not sums of weights: {name} is "
            f"{counts[broken].flat[0]:g}."
        )
    return counts
