"""Intervals of two-class metrics averaged over the classes of a matrix, by the delta method."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.intervals.delta import METHOD, delta_interval, delta_variance
from tradeoff.analysis.intervals.percentiles import Spread
from tradeoff.analysis.intervals.summaries import with_spread
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.measures.averages import average

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.core.confusion import ClassMatrix
    from tradeoff.measures.averages import Average
    from tradeoff.measures.estimate import Estimate
    from tradeoff.measures.registry import Measure

    Numbers = NDArray[np.float64]


def sure_average(
    matrix: ClassMatrix, measure: Measure, how: Average, confidence: Confidence
) -> Estimate:
    """A metric averaged over classes, with its interval.

    Example:
        >>> import tradeoff as to
        >>> from tradeoff.analysis.intervals.confidence import Confidence
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
