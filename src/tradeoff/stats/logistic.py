"""Logistic regression on one variable: fits of a line, and of a shift with the slope given."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.stats.special import expit, logit

ROUNDS = 200
SETTLED = 1e-20
"""What the last step may still promise a row: so small that it is right to the last digits."""
MANY = 20_000
"""From so many distinct scores on, steps begin where neighbours taken together lead."""


class Line(NamedTuple):
    """Log odds of being positive as a line over x: intercept + slope * x."""

    intercept: float
    slope: float


def fit_line(x: NDArray[np.float64], hits: NDArray[Any], rows: NDArray[Any]) -> Line | None:
    """The logistic regression of hits / rows on x, by Newton's steps, halved where they overshoot.

    `x` is in order and has two values at least; `hits` need not be whole. None where no finite
    line is found.

    Example:
        >>> line = fit_line(np.array([-1.0, 1.0]), np.array([1.0, 3.0]), np.array([4.0, 4.0]))
        >>> round(line.intercept, 6) + 0.0, round(line.slope, 6)
        (0.0, 1.098612)
    """
    total = float(rows.sum())
    line, best = _begun(x, hits, rows)
    for _ in range(ROUNDS):
        p, weights = chances(line.intercept + line.slope * x, rows)
        middle, spread = moments(x, weights)
        if not spread > 0:
            return None
        left, weight = hits - rows * p, float(weights.sum())
        tilt, gap = float((left * (x - middle)).sum()), float(left.sum())
        slope = tilt / spread
        step = Line(gap / weight - middle * slope, slope)
        if tilt * slope + gap**2 / weight <= SETTLED * total:
            return Line(line.intercept + step.intercept, line.slope + step.slope)
        line, best = _halved(line, step, best, (x, hits, rows))
    return None


def fit_shift(x: NDArray[np.float64], hits: NDArray[Any], rows: NDArray[Any]) -> float:
    """What to add to log odds `x`, in order, for as many expected hits as there are.

    Newton's steps between two bounds; some rows are hits and some are not.

    Example:
        >>> round(fit_shift(np.array([0.0]), np.array([1.0]), np.array([4.0])), 4)
        -1.0986
    """
    found, total = float(hits.sum()), float(rows.sum())
    share = float(logit(found / total))
    # Were all log odds the largest (or smallest) of them, this would be the answer.
    low, high = sorted((share - float(x[0]), share - float(x[-1])))
    begun = fit_shift(*_coarse(x, hits, rows)) if len(x) > MANY else 0.0
    shift = min(max(begun, low), high)
    for _ in range(ROUNDS):
        p, weights = chances(shift + x, rows)
        gap, weight = found - float((rows * p).sum()), float(weights.sum())
        low, high = (shift, high) if gap > 0 else (low, shift)
        stepped = shift + (gap / weight if weight else math.inf)
        if gap**2 <= SETTLED * total * weight:
            return stepped
        shift = stepped if low < stepped < high else (low + high) / 2
    return shift


def chances(odds: NDArray[np.float64], rows: Any) -> tuple[Any, Any]:
    """Probabilities for log odds, and the variances of the numbers of positives.

    Example:
        >>> [float(number[0]) for number in chances(np.array([0.0]), 4)]
        [0.5, 1.0]
    """
    p = expit(odds)
    return p, rows * p * expit(-odds)


def moments(x: NDArray[np.float64], weights: NDArray[Any]) -> tuple[float, float]:
    """The weighted mean of x, and the sum of squares around it; NaN where nothing weighs.

    Example:
        >>> moments(np.array([1.0, 5.0]), np.array([3.0, 1.0]))
        (2.0, 12.0)
    """
    total = float(weights.sum())
    middle = float((weights * x).sum()) / total if total else math.nan
    return middle, float((weights * (x - middle) ** 2).sum())


def _begun(x: NDArray[np.float64], hits: Any, rows: Any) -> tuple[Line, float]:
    """A level line, or that of neighbours taken together if it fits better."""
    lines = [Line(float(logit(hits.sum() / rows.sum())), 0.0)]
    if len(x) > MANY:
        near = fit_line(*_coarse(x, hits, rows))
        lines += [] if near is None else [near]
    fits = [_log_likelihood(line, x, hits, rows) for line in lines]
    at = int(np.argmax(fits))
    return lines[at], fits[at]


def _coarse(x: NDArray[np.float64], hits: Any, rows: Any) -> tuple[NDArray[Any], ...]:
    starts = np.arange(0, len(x), 20 * len(x) // MANY)
    places, found, sizes = (np.add.reduceat(c, starts) for c in (rows * x, hits, rows))
    kept = sizes > 0  # weights may vanish beside others
    return places[kept] / sizes[kept], found[kept], sizes[kept]


def _halved(line: Line, step: Line, best: float, data: tuple[Any, ...]) -> tuple[Line, float]:
    """The step, or as much of it as makes the classes no less likely."""
    for halvings in range(ROUNDS):
        share = 0.5**halvings
        tried = Line(line.intercept + share * step.intercept, line.slope + share * step.slope)
        likelihood = _log_likelihood(tried, *data)
        # Near the top a right step may lose a last digit.
        if likelihood >= best - 1e-13 * abs(best) or tried == line:
            return tried, likelihood
    return Line(math.nan, math.nan), math.nan


def _log_likelihood(line: Line, x: NDArray[np.float64], hits: Any, rows: Any) -> float:
    odds = line.intercept + line.slope * x
    return float((hits * odds - rows * np.logaddexp(0, odds)).sum())
