"""Logistic regression on one variable: intercept and slope, or intercept alone."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.stats.special import expit, logit

MAX_ITERATIONS = 200
TOLERANCE = 1e-20
"""Expected gain in log-likelihood per row at which to stop: all digits are then correct."""
POOLING_LIMIT = 20_000
"""With more distinct values than this, a fit to pooled neighbours is the starting point."""


class LogisticLine(NamedTuple):
    """Coefficients of a logistic regression on one variable: intercept + slope * x."""

    intercept: float
    slope: float


def fit_logistic_line(
    x: NDArray[np.float64], hits: NDArray[Any], rows: NDArray[Any]
) -> LogisticLine | None:
    """Fit a logistic regression of hits / rows on x, by Newton's method with step halving.

    `x` is sorted and has at least two values; `hits` need not be whole. None if there is no
    finite solution.

    Example:
        >>> x, hits, rows = np.array([-1.0, 1.0]), np.array([1.0, 3.0]), np.array([4.0, 4.0])
        >>> line = fit_logistic_line(x, hits, rows)
        >>> round(line.intercept, 6) + 0.0, round(line.slope, 6)
        (0.0, 1.098612)
    """
    total = float(rows.sum())
    line, best = _start_line(x, hits, rows)
    for _ in range(MAX_ITERATIONS):
        p, weights = logistic_probabilities(line.intercept + line.slope * x, rows)
        mean, sum_of_squares = weighted_moments(x, weights)
        if not sum_of_squares > 0:
            return None
        residuals, weight = hits - rows * p, float(weights.sum())
        slope_score, intercept_score = float((residuals * (x - mean)).sum()), float(residuals.sum())
        slope = slope_score / sum_of_squares
        step = LogisticLine(intercept_score / weight - mean * slope, slope)
        if slope_score * slope + intercept_score**2 / weight <= TOLERANCE * total:
            return LogisticLine(line.intercept + step.intercept, line.slope + step.slope)
        line, best = _take_halved_step(line, step, best, (x, hits, rows))
    return None


def fit_logistic_shift(x: NDArray[np.float64], hits: NDArray[Any], rows: NDArray[Any]) -> float:
    """Intercept of a logistic regression with slope 1: expected hits equal the observed hits.

    `x` holds log odds, sorted. Newton's method is safeguarded by bisection between two bounds; some
    rows must be hits and some must not.

    Example:
        >>> round(fit_logistic_shift(np.array([0.0]), np.array([1.0]), np.array([4.0])), 4)
        -1.0986
    """
    positives, total = float(hits.sum()), float(rows.sum())
    log_odds = float(logit(positives / total))
    # If all log odds equalled the smallest (or the largest), these would be the solutions.
    low, high = sorted((log_odds - float(x[0]), log_odds - float(x[-1])))
    start = fit_logistic_shift(*_pool_neighbours(x, hits, rows)) if len(x) > POOLING_LIMIT else 0.0
    shift = min(max(start, low), high)
    for _ in range(MAX_ITERATIONS):
        p, weights = logistic_probabilities(shift + x, rows)
        gap, weight = positives - float((rows * p).sum()), float(weights.sum())
        low, high = (shift, high) if gap > 0 else (low, shift)
        candidate = shift + (gap / weight if weight else math.inf)
        if gap**2 <= TOLERANCE * total * weight:
            return candidate
        shift = candidate if low < candidate < high else (low + high) / 2
    return shift


def logistic_probabilities(log_odds: NDArray[np.float64], rows: Any) -> tuple[Any, Any]:
    """Probabilities from log odds, and the binomial variances of the numbers of positives.

    Example:
        >>> [float(values[0]) for values in logistic_probabilities(np.array([0.0]), 4)]
        [0.5, 1.0]
    """
    p = expit(log_odds)
    return p, rows * p * expit(-log_odds)


def weighted_moments(x: NDArray[np.float64], weights: NDArray[Any]) -> tuple[float, float]:
    """Weighted mean of x, and the weighted sum of squares around it; NaN if all weights are 0.

    Example:
        >>> weighted_moments(np.array([1.0, 5.0]), np.array([3.0, 1.0]))
        (2.0, 12.0)
    """
    total = float(weights.sum())
    mean = float((weights * x).sum()) / total if total else math.nan
    return mean, float((weights * (x - mean) ** 2).sum())


def _start_line(x: NDArray[np.float64], hits: Any, rows: Any) -> tuple[LogisticLine, float]:
    """Starting point for Newton's method: intercept alone, or a fit to pooled rows if better."""
    lines = [LogisticLine(float(logit(hits.sum() / rows.sum())), 0.0)]
    if len(x) > POOLING_LIMIT:
        pooled_line = fit_logistic_line(*_pool_neighbours(x, hits, rows))
        lines += [] if pooled_line is None else [pooled_line]
    log_likelihoods = [_log_likelihood(line, x, hits, rows) for line in lines]
    best = int(np.argmax(log_likelihoods))
    return lines[best], log_likelihoods[best]


def _pool_neighbours(x: NDArray[np.float64], hits: Any, rows: Any) -> tuple[NDArray[Any], ...]:
    """Pool neighbouring values of x into a few groups, for a fast approximate fit."""
    starts = np.arange(0, len(x), 20 * len(x) // POOLING_LIMIT)
    weighted_x, pooled_hits, sizes = (np.add.reduceat(c, starts) for c in (rows * x, hits, rows))
    nonempty = sizes > 0  # small weights may underflow
    return weighted_x[nonempty] / sizes[nonempty], pooled_hits[nonempty], sizes[nonempty]


def _take_halved_step(
    line: LogisticLine, step: LogisticLine, best: float, data: tuple[Any, ...]
) -> tuple[LogisticLine, float]:
    """Take a Newton step, halved until the log-likelihood does not decrease."""
    for halvings in range(MAX_ITERATIONS):
        fraction = 0.5**halvings
        candidate = LogisticLine(
            line.intercept + fraction * step.intercept, line.slope + fraction * step.slope
        )
        log_likelihood = _log_likelihood(candidate, *data)
        # Near the maximum, rounding may make a correct step appear to lose.
        if log_likelihood >= best - 1e-13 * abs(best) or candidate == line:
            return candidate, log_likelihood
    return LogisticLine(math.nan, math.nan), math.nan


def _log_likelihood(line: LogisticLine, x: NDArray[np.float64], hits: Any, rows: Any) -> float:
    log_odds = line.intercept + line.slope * x
    return float((hits * log_odds - rows * np.logaddexp(0, log_odds)).sum())
