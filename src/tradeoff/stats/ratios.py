"""Intervals for odds ratios, likelihood ratios and predictive values at a given prevalence.

Counts may be arrays, and real numbers where rows have weights.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, listed
from tradeoff.stats.normal import quantile
from tradeoff.text import number

Numbers = NDArray[np.float64]

NOTHING = 1e-12
"""A cell with less than this share of its rows is empty: weights that cancel leave dust."""


class Ratio(NamedTuple):
    """Values, the ends of their intervals and how these were found, all of one shape.

    The interval holds its value: where a cell is empty and the value 0, 1 or infinite, it reaches
    that far. An undefined value has no interval.
    """

    value: Numbers
    low: Numbers
    high: Numbers
    method: NDArray[np.str_]


def odds_ratio(tp: Any, fn: Any, fp: Any, tn: Any, level: float = 0.95) -> Ratio:
    """The odds of being called positive, of positive rows against negative ones.

    The logarithm is nearly normal (Woolf 1955, doi:10.1111/j.1469-1809.1955.tb01348.x). Where a
    cell is empty, 1/2 is added to every cell for the interval (Haldane 1956, Anscombe 1956); the
    value stays as counted.

    Example:
        >>> found = odds_ratio(10, 5, 15, 70)
        >>> [round(float(part), 4) for part in found[:3]]
        [9.3333, 2.784, 31.2903]
    """
    z = quantile(level)
    counted = np.broadcast_arrays(*as_counts(tp=tp, fn=fn, fp=fp, tn=tn))
    (tp, fn), (fp, tn) = _dusted(*counted[:2]), _dusted(*counted[2:])
    empty = _any_empty((tp, fn, fp, tn))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (tp * tn) / (fp * fn)
    a, b, c, d = (cell + 0.5 * empty for cell in (tp, fn, fp, tn))
    middle = np.log(a) + np.log(d) - np.log(b) - np.log(c)
    half = z * np.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    return _holding(value, _exp(middle, half), np.where(empty, "Woolf, with 1/2 added", "Woolf"))


def likelihood_ratio(
    hits1: Any, trials1: Any, hits2: Any, trials2: Any, level: float = 0.95
) -> Ratio:
    """How many times as large one share is as another, of different rows.

    With the positive rows first and the negative ones second, rows called positive give the
    positive likelihood ratio and rows called negative the negative one. The logarithm is nearly
    normal (Simel, Samsa & Matchar 1991, doi:10.1016/0895-4356(91)90128-V; Katz et al. 1978,
    doi:10.2307/2530610). Where a cell is empty, 1/2 is added to every cell for the interval.

    Example:
        >>> found = likelihood_ratio(10, 15, 15, 85)
        >>> [round(float(part), 4) for part in found[:3]]
        [3.7778, 2.1105, 6.7621]
        >>> found = likelihood_ratio(10, 15, 0, 85)
        >>> str(found.method), round(float(found.low), 2), float(found.high)
        ('log, with 1/2 added', 6.96, inf)
    """
    z = quantile(level)
    cells = _cells(hits1, trials1, hits2, trials2)
    empty = _any_empty(cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (cells[0] / (cells[0] + cells[1])) / (cells[2] / (cells[2] + cells[3]))
    middle, half = _log_ratio(cells, np.where(empty, 0.5, 0.0), z)
    return _holding(value, _exp(middle, half), np.where(empty, "log, with 1/2 added", "log"))


def predictive_value(  # noqa: PLR0913, PLR0917 - two shares, a prevalence, two wishes
    tpr_hits: Any,
    positives: Any,
    fpr_hits: Any,
    negatives: Any,
    prevalence: Any,
    level: float = 0.95,
    which: Literal["positive", "negative"] = "positive",
) -> Ratio:
    """How often a prediction is right where the share of positives is another one, and known.

    The logit is nearly normal (Mercaldo, Lau & Zhou 2007, doi:10.1002/sim.2677). Where a rate is 0
    or 1, z²/2 rows are added to every cell for the interval, as in their adjusted version; the
    value stays as counted.

    Args:
        tpr_hits: Positive rows that are called positive.
        positives: All positive rows.
        fpr_hits: Negative rows that are called positive.
        negatives: All negative rows.
        prevalence: The share of positives where predictions will be used.
        level: How sure the interval shall be.
        which: The predictive value of a positive prediction, or of a negative one.

    Example:
        >>> found = predictive_value(240, 418, 87, 375, prevalence=0.03)
        >>> [round(float(part), 4) for part in found[:3]]
        [0.0711, 0.0589, 0.0856]
    """
    if which not in {"positive", "negative"}:
        raise UnknownName(
            f"No predictive value is called {which!r}. "
            f"There are {listed(['positive', 'negative'])}."
        )
    z = quantile(level)
    prior = np.asarray(prevalence, np.float64)
    if not np.all((prior > 0) & (prior < 1)):
        wrong = prior[~((prior > 0) & (prior < 1))].flat[0]
        raise InputError(f"A prevalence lies between 0 and 1, not at {number(float(wrong))}.")
    found, missed, alarms, passed = _cells(tpr_hits, positives, fpr_hits, negatives)
    # A negative prediction is right for negative rows: the same with both classes exchanged.
    cells = (found, missed, alarms, passed)
    if which == "negative":
        cells, prior = (passed, alarms, missed, found), 1 - prior
    empty = _any_empty(cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        right = cells[0] / (cells[0] + cells[1]) * prior
        value = right / (right + cells[2] / (cells[2] + cells[3]) * (1 - prior))
    middle, half = _log_ratio(cells, np.where(empty, z**2 / 2, 0.0), z)
    middle = middle + np.log(prior) - np.log1p(-prior)
    # The odds against, from their ends: 1 / (1 + odds) keeps its digits near 0.
    high, low = (1 / (1 + odds) for odds in _exp(-middle, half))
    return _holding(value, (low, high), np.where(empty, "logit, with z²/2 added", "logit"))


def as_counts(**given: Any) -> list[Numbers]:
    """Numbers of rows (or sums of weights) as arrays, or a sentence on the one that is none.

    Example:
        >>> as_counts(hits=3, trials=-4)
        Traceback (most recent call last):
        tradeoff.errors.InputError: Counts are finite numbers from 0 on, but trials is -4.
    """
    counts = []
    for name, value in given.items():
        try:
            count = np.asarray(value, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"Counts are numbers, but {name} is {value!r}.") from None
        wrong = ~((count >= 0) & np.isfinite(count))
        if wrong.any():
            raise InputError(
                f"Counts are finite numbers from 0 on, but {name} is {count[wrong].flat[0]:g}."
            )
        counts.append(count)
    return counts


def as_shares(hits: Any, trials: Any, of: str = "") -> tuple[Numbers, Numbers]:
    """Hits and trials as arrays, hits not being more than trials.

    Example:
        >>> as_shares(5, 3)
        Traceback (most recent call last):
        tradeoff.errors.InputError: There cannot be more hits than trials: 5 of 3.
    """
    hits, trials = np.broadcast_arrays(*as_counts(**{f"hits{of}": hits, f"trials{of}": trials}))
    # Sums of weights may differ in their last digits.
    wrong = hits > trials * (1 + 1e-9)
    if wrong.any():
        raise InputError(
            f"There cannot be more hits{of} than trials{of}: "
            f"{hits[wrong].flat[0]:g} of {trials[wrong].flat[0]:g}."
        )
    return np.minimum(hits, trials), trials


def _cells(hits1: Any, trials1: Any, hits2: Any, trials2: Any) -> tuple[Numbers, ...]:
    """Hits and misses of the first rows, then of the second."""
    first, second = as_shares(hits1, trials1, "1"), as_shares(hits2, trials2, "2")
    hits1, trials1, hits2, trials2 = np.broadcast_arrays(*first, *second)
    return *_dusted(hits1, trials1 - hits1), *_dusted(hits2, trials2 - hits2)


def _dusted(one: Numbers, other: Numbers) -> tuple[Numbers, Numbers]:
    dust = NOTHING * (one + other)
    return np.where(one <= dust, 0.0, one), np.where(other <= dust, 0.0, other)


def _any_empty(cells: tuple[Numbers, ...]) -> NDArray[np.bool_]:
    a, b, c, d = cells
    return np.asarray((a == 0) | (b == 0) | (c == 0) | (d == 0))


def _log_ratio(cells: tuple[Numbers, ...], added: Numbers, z: float) -> tuple[Numbers, Numbers]:
    """The logarithm of a ratio of shares, and how far its interval reaches to each side."""
    a, b, c, d = (cell + added for cell in cells)
    middle = np.log(a) - np.log(a + b) - np.log(c) + np.log(c + d)
    # 1/a - 1/(a + b), without subtracting what is nearly equal.
    return middle, z * np.sqrt(b / (a * (a + b)) + d / (c * (c + d)))


def _exp(middle: Numbers, half: Numbers) -> tuple[Numbers, Numbers]:
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(middle - half), np.exp(middle + half)


def _holding(value: Numbers, ends: tuple[Numbers, Numbers], method: NDArray[np.str_]) -> Ratio:
    # NaN of the value spreads to both ends.
    value = np.asarray(value)
    return Ratio(value, np.minimum(ends[0], value), np.maximum(ends[1], value), method)
