"""Logistic regression on one variable: intercept and slope, or intercept alone."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.stats.special import expit, logit

ROUNDS = 200
SETTLED = 1e-20
"""Expected gain per row of the last step: so small that all digits are right."""
MANY = 20_000
"""From so many distinct scores on, the fit to pooled neighbours is the start."""


class LogisticLine(NamedTuple):
    """Coefficients of a logistic regression on one variable: intercept + slope * x."""

    intercept: float
    slope: float


def fit_logistic_line(
    x: NDArray[np.float64], hits: NDArray[Any], rows: NDArray[Any]
) -> LogisticLine | None:
    """Logistic regression of hits / rows on x, by Newton's method with step halving.

    `x` is sorted and has at least two values; `hits` need not be whole. None where there is no
    finite solution.

    Example:
        >>> x, hits, rows = np.array([-1.0, 1.0]), np.array([1.0, 3.0]), np.array([4.0, 4.0])
        >>> line = fit_logistic_line(x, hits, rows)
        >>> round(line.intercept, 6) + 0.0, round(line.slope, 6)
        (0.0, 1.098612)
    """
    total = float(rows.sum())
    line, best = _start_line(x, hits, rows)
    for _ in range(ROUNDS):
        p, weights = logistic_probabilities(line.intercept + line.slope * x, rows)
        mean, sum_of_squares = weighted_moments(x, weights)
        if not sum_of_squares > 0:
            return None
        residuals, weight = hits - rows * p, float(weights.sum())
        slope_score, intercept_score = float((residuals * (x - mean)).sum()), float(residuals.sum())
        slope = slope_score / sum_of_squares
        step = LogisticLine(intercept_score / weight - mean * slope, slope)
        if slope_score * slope + intercept_score**2 / weight <= SETTLED * total:
            return LogisticLine(line.intercept + step.intercept, line.slope + step.slope)
        line, best = _halve_step(line, step, best, (x, hits, rows))
    return None


def fit_logistic_shift(x: NDArray[np.float64], hits: NDArray[Any], rows: NDArray[Any]) -> float:
    """Logistic regression with slope 1: intercept at which expected hits match the observed.

    `x` are the log odds, sorted. Newton's steps between two bounds; some rows are hits and some
    are not.

    Example:
        >>> round(fit_logistic_shift(np.array([0.0]), np.array([1.0]), np.array([4.0])), 4)
        -1.0986
    """
    positives, total = float(hits.sum()), float(rows.sum())
    share = float(logit(positives / total))
    # If all log odds were equal to the largest (or smallest), this would be the solution.
    low, high = sorted((share - float(x[0]), share - float(x[-1])))
    start = fit_logistic_shift(*_pool_neighbours(x, hits, rows)) if len(x) > MANY else 0.0
    shift = min(max(start, low), high)
    for _ in range(ROUNDS):
        p, weights = logistic_probabilities(shift + x, rows)
        gap, weight = positives - float((rows * p).sum()), float(weights.sum())
        low, high = (shift, high) if gap > 0 else (low, shift)
        candidate = shift + (gap / weight if weight else math.inf)
        if gap**2 <= SETTLED * total * weight:
            return candidate
        shift = candidate if low < candidate < high else (low + high) / 2
    return shift


def logistic_probabilities(odds: NDArray[np.float64], rows: Any) -> tuple[Any, Any]:
    """Probabilities of log odds, and the variances of the numbers of positives.

    Example:
        >>> [float(number[0]) for number in logistic_probabilities(np.array([0.0]), 4)]
        [0.5, 1.0]
    """
    p = expit(odds)
    return p, rows * p * expit(-odds)


def weighted_moments(x: NDArray[np.float64], weights: NDArray[Any]) -> tuple[float, float]:
    """Weighted mean of x and sum of squares around it; NaN where all weights are 0.

    Example:
        >>> weighted_moments(np.array([1.0, 5.0]), np.array([3.0, 1.0]))
        (2.0, 12.0)
    """
    total = float(weights.sum())
    mean = float((weights * x).sum()) / total if total else math.nan
    return mean, float((weights * (x - mean) ** 2).sum())


def _start_line(x: NDArray[np.float64], hits: Any, rows: Any) -> tuple[LogisticLine, float]:
    """Start of the Newton steps: a constant, or the fit to pooled neighbours if it is better."""
    lines = [LogisticLine(float(logit(hits.sum() / rows.sum())), 0.0)]
    if len(x) > MANY:
        pooled_line = fit_logistic_line(*_pool_neighbours(x, hits, rows))
        lines += [] if pooled_line is None else [pooled_line]
    likelihoods = [_log_likelihood(line, x, hits, rows) for line in lines]
    best = int(np.argmax(likelihoods))
    return lines[best], likelihoods[best]


def _pool_neighbours(x: NDArray[np.float64], hits: Any, rows: Any) -> tuple[NDArray[Any], ...]:
    """Neighbouring x pooled to few groups, for a fast approximate fit."""
    starts = np.arange(0, len(x), 20 * len(x) // MANY)
    weighted_x, pooled_hits, sizes = (np.add.reduceat(c, starts) for c in (rows * x, hits, rows))
    nonempty = sizes > 0  # weights may vanish beside others
    return weighted_x[nonempty] / sizes[nonempty], pooled_hits[nonempty], sizes[nonempty]


def _halve_step(
    line: LogisticLine, step: LogisticLine, best: float, data: tuple[Any, ...]
) -> tuple[LogisticLine, float]:
    """Newton step, halved until the likelihood does not decrease."""
    for halvings in range(ROUNDS):
        share = 0.5**halvings
        candidate = LogisticLine(
            line.intercept + share * step.intercept, line.slope + share * step.slope
        )
        likelihood = _log_likelihood(candidate, *data)
        # Near the maximum a correct step may lose a last digit.
        if likelihood >= best - 1e-13 * abs(best) or candidate == line:
            return candidate, likelihood
    return LogisticLine(math.nan, math.nan), math.nan


def _log_likelihood(line: LogisticLine, x: NDArray[np.float64], hits: Any, rows: Any) -> float:
    odds = line.intercept + line.slope * x
    return float((hits * odds - rows * np.logaddexp(0, odds)).sum())
