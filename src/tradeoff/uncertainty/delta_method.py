"""Intervals by the delta method: metrics of many classes, and averages over classes.

To first order a metric moves by its slopes times the changes of the counts, whose covariance is
that of a multinomial draw of rows (Agresti 2013, Categorical Data Analysis, section 16.1; for
averages of F measures Takahashi et al. 2022, doi:10.1007/s10489-021-02635-5). The variance V says
how many rows n = p(1 - p) / V of a plain share p would be known as well, and the interval is
Wilson's for these: unlike p ± 1.96 √V it stays within the metric's range and is not too short near
its ends. Where a cell is empty, 1/2 is added to every cell for V.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.measures.averages import Average, average
from tradeoff.measures.estimate import Estimate, Spread
from tradeoff.measures.registry import Measure
from tradeoff.stats.normal import quantile
from tradeoff.stats.proportions import wilson
from tradeoff.uncertainty.summaries import with_spread

if TYPE_CHECKING:
    from tradeoff.uncertainty.confidence import Confidence

    Numbers = NDArray[np.float64]

METHOD = "delta method, Wilson"
ROUNDING = 1e-18
"""Less variance than this is what rounding leaves of none."""
STEP = float(np.cbrt(np.finfo(np.float64).eps))
"""Of a central difference, as a share of the cell: its two errors are then about equal."""


def delta_variance(
    metric: Callable[[Numbers], Any], table: Numbers, *, fixed_classes: bool = False
) -> float:
    """The variance of a metric, to first order.

    Args:
        metric: Takes a table of counts, or many along the last axis, and returns their values.
        table: Actual classes down, predicted ones across; a last column may be rejected rows.
        fixed_classes: Whether the totals of the actual classes are given, not drawn.

    Example:
        >>> accuracy = lambda t: (t[0, 0] + t[1, 1]) / t.sum(axis=(0, 1))
        >>> round(delta_variance(accuracy, np.array([[40.0, 10], [20, 30]])), 6)  # 0.7 * 0.3 / 100
        0.0021
    """
    counts = table.astype(np.float64)
    varies = _varying(counts)
    if (counts[varies] == 0).any():
        counts = counts + 0.5 * varies
    places = np.argwhere(varies)
    moved = np.repeat(counts[..., None], 2 * len(places), axis=-1)
    for at, (row, column) in enumerate(places):
        step = STEP * counts[row, column]
        moved[row, column, 2 * at] += step
        moved[row, column, 2 * at + 1] -= step
    values = np.asarray(metric(moved), np.float64)
    slopes = np.zeros_like(counts)
    rows, columns = places.T
    ahead, behind = moved[rows, columns, ::2], moved[rows, columns, 1::2]
    slopes[rows, columns] = (values[::2] - values[1::2]) / np.diagonal(ahead - behind)
    axis = 1 if fixed_classes else None
    total = counts.sum(axis=axis, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nan_to_num((counts * slopes).sum(axis=axis, keepdims=True) / total)
    return float((counts * (slopes - mean) ** 2).sum())


def _varying(counts: Numbers) -> NDArray[np.bool_]:
    """Cells that could hold rows: not those of classes that nobody is, or that nobody rejects."""
    varies = np.ones(counts.shape, np.bool_)
    varies[counts.sum(axis=1) == 0] = False
    if counts.shape[1] > counts.shape[0] and not counts[:, -1].any():
        varies[:, -1] = False
    return varies


def delta_interval(
    value: float, variance: float, limits: tuple[float, float], level: float = 0.95
) -> tuple[float, float]:
    """The interval of a value with this variance, inside the limits of its metric.

    Example:
        >>> [round(end, 4) for end in delta_interval(0.7, 0.0021, (0.0, 1.0))]
        [0.6042, 0.7811]
    """
    least, most = limits
    if not variance > ROUNDING:
        return math.nan, math.nan
    if not (math.isfinite(least) and math.isfinite(most)):
        half = quantile(level) * math.sqrt(variance)
        return max(value - half, least), min(value + half, most)
    width = most - least
    share = (value - least) / width
    trials = max(share * (1 - share), _smallest(variance, width)) * width**2 / variance
    low, high = wilson(share * trials, trials, level)
    return least + width * float(low), least + width * float(high)


def _smallest(variance: float, width: float) -> float:
    """Stands in for p(1 - p) at the ends of the range: as if one standard error away from them."""
    error = math.sqrt(variance) / width
    return error * max(1 - error, 0.5)


# Intervals of two-class metrics averaged over the classes of a matrix, by the delta method.


def sure_average(
    matrix: ClassMatrix, measure: Measure, how: Average, confidence: Confidence
) -> Estimate:
    """A metric averaged over classes, with its interval.

    Example:
        >>> import tradeoff as to
        >>> from tradeoff.uncertainty.confidence import Confidence
        >>> from tradeoff.core.confusion import ClassMatrix
        >>> matrix = ClassMatrix(np.array([[30, 5, 5], [4, 20, 6], [2, 8, 20]]), ("a", "b", "c"))
        >>> sure_average(matrix, to.METRICS["f1"], "macro", Confidence())
        Estimate(f_measure = 0.6934, 95 % from 0.5973 to 0.7752)
    """
    estimate = average(matrix, measure, how)
    if not (estimate.is_defined and math.isfinite(estimate.value)):
        return estimate
    if measure.no_interval or measure.least_at_independence:
        why = measure.no_interval or "its estimate is biased upwards where association is weak"
        return with_spread(estimate, _none(f"no interval: {why}"), confidence.level)
    rejections = matrix.rejections
    table = np.column_stack(
        [matrix.counts, np.zeros(len(matrix.classes)) if rejections is None else rejections]
    ).astype(np.float64)

    def averaged(tables: Numbers) -> Numbers:
        return _averaged(measure, how, tables)

    variance = delta_variance(averaged, table, fixed_classes=confidence.by_class)
    limits = measure.low, measure.high
    low, high = delta_interval(estimate.value, variance, limits, confidence.level)
    if math.isnan(low):
        return with_spread(estimate, _none("no interval: its variance is 0"), confidence.level)
    ends = Spread(min(low, estimate.value), max(high, estimate.value), METHOD)
    return with_spread(estimate, ends, confidence.level)


def _none(note: str) -> Spread:
    return Spread(math.nan, math.nan, "", note)


def _averaged(measure: Measure, how: Average, tables: Numbers) -> Numbers:
    """The average for many tables along the last axis."""
    size = len(tables)
    total = tables.sum(axis=(0, 1))
    parts = [_against_rest(tables, at, total) for at in range(size)]
    if how == "micro":
        return np.asarray(measure(_matrix(*np.sum(parts, axis=0))))
    values = np.array([np.broadcast_to(measure(_matrix(*part)), total.shape) for part in parts])
    weights = np.ones((size, *total.shape))
    if how == "weighted":
        weights = tables.sum(axis=1)
    weights = np.where(np.isnan(values), 0.0, weights)
    return np.asarray((np.nan_to_num(values) * weights).sum(axis=0) / weights.sum(axis=0))


def _against_rest(tables: Numbers, at: int, total: Numbers) -> list[Numbers]:
    """True positives, false negatives, false positives, true negatives and rejected rows."""
    hits = tables[at, at]
    misses = tables[at, :-1].sum(axis=0) - hits
    alarms = tables[:, at].sum(axis=0) - hits
    rejected = tables[at, -1]
    others_rejected = tables[:, -1].sum(axis=0) - rejected
    rest = total - hits - misses - alarms - rejected - others_rejected
    return [hits, misses, alarms, rest, rejected, others_rejected]


def _matrix(*counts: Any) -> ConfusionMatrix:
    return ConfusionMatrix(*counts)
