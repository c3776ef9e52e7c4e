"""Confidence intervals for metrics of a confusion matrix.

Proportions have Wilson intervals, odds ratios Woolf's; a few metrics are a known function of
another one. Every other two-class metric has a MOVER interval, derived from those for its rates
(`measures.mover`); every other multiclass metric has a delta-method interval. The bootstrap is
available on request.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.measures import mover
from tradeoff.measures.averages import Average, average
from tradeoff.measures.estimate import ConfidenceInterval, Estimate, missing_interval
from tradeoff.measures.mover import CELLS, Mover, Proportion, confusion_cells
from tradeoff.measures.registry import Measure
from tradeoff.stats.normal import critical_value
from tradeoff.stats.proportions import proportion_interval, wilson_interval
from tradeoff.uncertainty.bootstrap import bca_acceleration, percentile_interval
from tradeoff.uncertainty.summary_intervals import (
    clip_interval,
    with_coverage_warning,
    with_interval,
)

if TYPE_CHECKING:
    from tradeoff.uncertainty.confidence import Confidence

    Numbers = NDArray[np.float64]

Matrix = ConfusionMatrix | ClassMatrix
RELATIVE_TOLERANCE = 1e-12
"""An interval of at most this relative width is a single value, up to rounding error."""
CLASS_TOTALS = frozenset({"positives", "negatives"})
FIXED_TOTALS = "no interval: class totals are fixed"
BIASED_IF_WEAK = (
    "no interval: with more than two classes, its estimate is biased upwards if the association is "
    "weak"
)


def metrics_with_intervals(
    measures: Iterable[Measure], matrix: Matrix, confidence: Confidence
) -> dict[str, Estimate]:
    """Estimates of metrics of a confusion matrix with their confidence intervals."""
    measures = list(measures)
    estimates = {measure.name: measure.estimate(matrix) for measure in measures}
    reason = _no_interval_reason(matrix)
    if reason:
        return {name: _without_interval(estimate, reason) for name, estimate in estimates.items()}
    intervals = _MatrixIntervals(matrix, confidence)
    return {
        measure.name: with_interval(estimate, intervals.interval(measure), confidence.level)
        if estimate.is_defined
        else estimate
        for measure, estimate in zip(measures, estimates.values(), strict=True)
    }


def metric_with_interval(measure: Measure, matrix: Matrix, confidence: Confidence) -> Estimate:
    """Estimate of one metric of a confusion matrix with its confidence interval."""
    return metrics_with_intervals([measure], matrix, confidence)[measure.name]


def _effective_rows(matrix: Matrix, trials: str) -> float:
    """Kish's effective number of rows, or of "positives" or "negatives"."""
    total = float(getattr(matrix, trials))
    squares = getattr(matrix, "squares", None)
    return total if squares is None or not total else total**2 / float(getattr(squares, trials))


def _no_interval_reason(matrix: Matrix) -> str | None:
    rows = float(matrix.rows)
    if not rows:
        return None  # undefined anyway
    cells = _table(matrix)
    is_weighted = getattr(matrix, "squares", None) is not None
    if not is_weighted and rows <= 1 + RELATIVE_TOLERANCE and (cells != np.floor(cells)).any():
        return "a matrix of proportions does not give the number of rows"
    return None


def _without_interval(estimate: Estimate, reason: str) -> Estimate:
    notes = [estimate.note, f"no interval: {reason}"]
    return replace(estimate, note="; ".join(filter(None, notes)))


class _MatrixIntervals:
    """Intervals for the metrics of one matrix; shared intermediate results are cached."""

    def __init__(self, matrix: Matrix, confidence: Confidence) -> None:
        self.matrix = matrix
        self.confidence = confidence
        self.fixed_classes = confidence.by_class or getattr(matrix, "prevalence_known", False)
        self._cached_mover: Mover | None = None
        self._resamples: Matrix | None = None

    def interval(self, measure: Measure) -> ConfidenceInterval:
        """Interval for a metric with a defined value."""
        if self.confidence.is_bootstrap:
            return with_coverage_warning(self._bootstrap_interval(measure), measure)
        if measure.no_interval:
            return missing_interval(f"no interval: {measure.no_interval}")
        if isinstance(self.matrix, ConfusionMatrix):
            return self._two_class_interval(measure, self.matrix)
        return self._multiclass_interval(measure, self.matrix)

    def _two_class_interval(self, measure: Measure, matrix: ConfusionMatrix) -> ConfidenceInterval:
        if measure.trials and (measure.trials in CLASS_TOTALS or not self.fixed_classes):
            return self._proportion_interval(measure, matrix)
        formula_interval = measure.interval(self.mover) if measure.interval else None
        if formula_interval is not None:
            return formula_interval
        low, high = (float(limit) for limit in self.mover.interval(measure))
        if math.isinf(float(measure(matrix))):
            return missing_interval("no interval: the value is infinite")
        if high - low <= RELATIVE_TOLERANCE * max(abs(low), abs(high)):
            return missing_interval(FIXED_TOTALS)
        return ConfidenceInterval(low, high, mover.METHOD)

    @property
    def mover(self) -> Mover:
        """The matrix with each of its rates varied across its confidence interval."""
        if self._cached_mover is None:
            if not isinstance(self.matrix, ConfusionMatrix):
                raise TypeError("a Mover needs a matrix of two classes")
            level = self.confidence.level
            self._cached_mover = Mover.of(self.matrix, level, fixed_classes=self.fixed_classes)
        return self._cached_mover

    def _proportion_interval(self, measure: Measure, matrix: ConfusionMatrix) -> ConfidenceInterval:
        proportion = _proportion_cells(measure)
        squares = None if matrix.squares is None else confusion_cells(matrix.squares)
        trials = float(proportion.trials(confusion_cells(matrix), squares))
        value = float(measure(matrix))
        return self._interval_from_trials(value, trials)

    def _interval_from_trials(self, proportion: float, trials: float) -> ConfidenceInterval:
        method = self.confidence.method_for("shares")
        low, high = proportion_interval(
            proportion * trials, trials, self.confidence.level, method.name
        )
        return ConfidenceInterval(float(low), float(high), method.label)

    def _multiclass_interval(self, measure: Measure, matrix: ClassMatrix) -> ConfidenceInterval:
        value = float(measure(matrix))
        if measure.trials and not self.fixed_classes:
            return self._interval_from_trials(value, _effective_rows(matrix, measure.trials))
        if measure.minimal_at_independence:
            return missing_interval(BIASED_IF_WEAK)

        def metric(tables: NDArray[np.float64]) -> Any:
            return measure(ClassMatrix(tables[:, :-1], matrix.classes, tables[:, -1]))

        variance = _delta_variance(metric, _table(matrix), fixed_classes=self.fixed_classes)
        limits = measure.low, measure.high
        low, high = _delta_interval(value, variance, limits, self.confidence.level)
        if math.isnan(low):
            return missing_interval(
                FIXED_TOTALS if self.fixed_classes else "no interval: its variance is 0"
            )
        return ConfidenceInterval(min(low, value), max(high, value), DELTA_METHOD)

    def _bootstrap_interval(self, measure: Measure) -> ConfidenceInterval:
        if self._resamples is None:
            self._resamples = _resample_matrix(
                self.matrix, self.confidence, by_class=self.fixed_classes
            )
        value = float(measure(self.matrix))
        size = self.confidence.replicates
        values = np.broadcast_to(np.asarray(measure(self._resamples)), (size,))
        acceleration = 0.0
        if self.confidence.method == "bca":
            acceleration = _acceleration(measure, self.matrix, by_class=self.fixed_classes)
        interval = percentile_interval(values, value, self.confidence, acceleration=acceleration)
        return clip_interval(interval, measure)


def _proportion_cells(measure: Measure) -> Proportion:
    """Cells that a proportion counts as successes (hits) and as failures (misses).

    If only one cell has rows, the proportion is 1 for a cell of hits and 0 for a cell of misses.
    """
    single_row_counts: dict[str, Any] = dict(zip(CELLS, np.eye(len(CELLS)), strict=True))
    values = np.asarray(measure(ConfusionMatrix(**single_row_counts)))
    hits, misses = (np.flatnonzero(values == value).tolist() for value in (1.0, 0.0))
    return Proportion(tuple(hits), tuple(misses))


def _table(matrix: Matrix) -> NDArray[np.float64]:
    """Counts by actual and predicted class, rejected rows in the last column."""
    rejections = matrix.rejections
    if rejections is None:
        rejections = np.zeros(len(matrix.classes))
    return np.column_stack([matrix.counts, rejections]).astype(np.float64)


def _resample_matrix(matrix: Matrix, confidence: Confidence, *, by_class: bool) -> Matrix:
    """Bootstrap resamples of a matrix, as one matrix whose counts are arrays."""
    random = np.random.default_rng(confidence.seed)
    tables = _table(matrix)
    strata = list(tables) if by_class else [tables.ravel()]
    sizes = [_effective_rows(matrix, "rows")] if not by_class else _class_sizes(matrix, tables)
    resampled_counts = [
        _resample_counts(counts, round(rows), random, confidence.replicates)
        for counts, rows in zip(strata, sizes, strict=True)
    ]
    return _matrix_from_cells(np.concatenate(resampled_counts), matrix)


def _class_sizes(matrix: Matrix, tables: NDArray[np.float64]) -> list[float]:
    """Kish's effective number of rows of each class."""
    squares = getattr(matrix, "squares", None)
    square_tables = tables if squares is None else _table(squares)
    return [
        counts.sum() ** 2 / square.sum() if square.any() else 0.0
        for counts, square in zip(tables, square_tables, strict=True)
    ]


def _resample_counts(
    counts: NDArray[np.float64], rows: int, random: np.random.Generator, size: int
) -> NDArray[np.float64]:
    total = counts.sum()
    if not total or not rows:
        return np.zeros((len(counts), size))
    return np.asarray(random.multinomial(rows, counts / total, size).T * (total / rows))


def _matrix_from_cells(cells: NDArray[np.float64], matrix: Matrix) -> Matrix:
    size = len(matrix.classes)
    table = cells.reshape(size, size + 1, -1)
    if isinstance(matrix, ClassMatrix):
        return ClassMatrix(table[:, :-1], matrix.classes, table[:, -1])
    (tp, fn, rp), (fp, tn, rn) = table
    return replace(
        matrix,
        true_positives=tp,
        false_negatives=fn,
        false_positives=fp,
        true_negatives=tn,
        rejected_positives=rp,
        rejected_negatives=rn,
        squares=None,
    )


def _acceleration(measure: Measure, matrix: Matrix, *, by_class: bool) -> float:
    """BCa acceleration for a metric, from leaving out one row of each cell in turn."""
    if isinstance(matrix, ClassMatrix):
        return 0.0
    names = [f.name for f in fields(matrix)[:6]]
    counts = _counts(matrix, names)
    squares = counts if matrix.squares is None else _counts(matrix.squares, names)
    row_weights = np.divide(squares, counts, out=np.zeros(6), where=counts > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        jackknife_values = [
            float(measure(replace(matrix, **{name: max(count - weight, 0)}))) if count else 0.0
            for name, count, weight in zip(names, counts, row_weights, strict=True)
        ]
    values = np.where(np.isfinite(jackknife_values), jackknife_values, 0.0)
    deviations = np.zeros(6)
    for cells in [[0, 1, 4], [2, 3, 5]] if by_class else [[0, 1, 2, 3, 4, 5]]:
        rows = counts[cells]
        if rows.any():
            deviations[cells] = rows @ values[cells] / rows.sum() - values[cells]
    rows = np.divide(counts**2, squares, out=np.zeros(6), where=squares > 0)
    return float(bca_acceleration(deviations[:, None], rows)[0])


def _counts(matrix: ConfusionMatrix, names: list[str]) -> NDArray[np.float64]:
    return np.array([float(getattr(matrix, name)) for name in names])


# The delta method: metrics of many classes, and averages over classes.
#
# To first order, a metric changes by its gradient times the changes of the counts, whose covariance
# is that of a multinomial sample of rows (Agresti 2013, Categorical Data Analysis, section 16.1;
# for averages of F measures Takahashi et al. 2022, doi:10.1007/s10489-021-02635-5). The variance V
# implies an effective number of rows n = p(1 - p) / V for a proportion p, and the interval is
# Wilson's for that number: unlike p ± 1.96 √V, it stays within the metric's range and is not too
# short near the bounds. If a cell is empty, 1/2 is added to every cell to compute V.

DELTA_METHOD = "delta method, Wilson"
MIN_VARIANCE = 1e-18
"""Smaller variances are attributed to rounding error."""
RELATIVE_STEP = float(np.cbrt(np.finfo(np.float64).eps))
"""Relative step of central differences, which balances rounding and truncation errors."""


def _delta_variance(
    metric: Callable[[Numbers], Any], table: Numbers, *, fixed_classes: bool = False
) -> float:
    """Delta-method variance of a metric.

    Args:
        metric: Function of a table of counts, or of many along the last axis.
        table: Counts by actual and predicted class; the last column may be rejected rows.
        fixed_classes: Whether the totals of the actual classes are fixed rather than random.

    Example:
        >>> accuracy = lambda t: (t[0, 0] + t[1, 1]) / t.sum(axis=(0, 1))
        >>> round(_delta_variance(accuracy, np.array([[40.0, 10], [20, 30]])), 6)  # 0.7 * 0.3 / 100
        0.0021
    """
    counts = table.astype(np.float64)
    can_vary = _varying_cells(counts)
    if (counts[can_vary] == 0).any():
        counts = counts + 0.5 * can_vary
    cells = np.argwhere(can_vary)
    tables = np.repeat(counts[..., None], 2 * len(cells), axis=-1)
    for index, (row, column) in enumerate(cells):
        step = RELATIVE_STEP * counts[row, column]
        tables[row, column, 2 * index] += step
        tables[row, column, 2 * index + 1] -= step
    values = np.asarray(metric(tables), np.float64)
    slopes = np.zeros_like(counts)
    rows, columns = cells.T
    forward, backward = tables[rows, columns, ::2], tables[rows, columns, 1::2]
    slopes[rows, columns] = (values[::2] - values[1::2]) / np.diagonal(forward - backward)
    axis = 1 if fixed_classes else None
    total = counts.sum(axis=axis, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nan_to_num((counts * slopes).sum(axis=axis, keepdims=True) / total)
    return float((counts * (slopes - mean) ** 2).sum())


def _varying_cells(counts: Numbers) -> NDArray[np.bool_]:
    """Mask of cells that may hold rows: all but empty classes and an unused reject option."""
    can_vary = np.ones(counts.shape, np.bool_)
    can_vary[counts.sum(axis=1) == 0] = False
    if counts.shape[1] > counts.shape[0] and not counts[:, -1].any():
        can_vary[:, -1] = False
    return can_vary


def _delta_interval(
    value: float, variance: float, limits: tuple[float, float], level: float = 0.95
) -> tuple[float, float]:
    """Wilson-type interval for a value from its variance, within the range of its metric.

    Example:
        >>> [round(limit, 4) for limit in _delta_interval(0.7, 0.0021, (0.0, 1.0))]
        [0.6042, 0.7811]
    """
    lowest, highest = limits
    if not variance > MIN_VARIANCE:
        return math.nan, math.nan
    if not (math.isfinite(lowest) and math.isfinite(highest)):
        half_width = critical_value(level) * math.sqrt(variance)
        return max(value - half_width, lowest), min(value + half_width, highest)
    width = highest - lowest
    proportion = (value - lowest) / width
    unit_variance = max(proportion * (1 - proportion), _min_unit_variance(variance, width))
    trials = unit_variance * width**2 / variance
    low, high = wilson_interval(proportion * trials, trials, level)
    return lowest + width * float(low), lowest + width * float(high)


def _min_unit_variance(variance: float, width: float) -> float:
    """Lower bound on p(1 - p) at the ends of the range: its value one standard error away."""
    standard_error = math.sqrt(variance) / width
    return standard_error * max(1 - standard_error, 0.5)


def average_with_interval(
    matrix: ClassMatrix, measure: Measure, how: Average, confidence: Confidence
) -> Estimate:
    """Estimate of a metric averaged over classes with its confidence interval.

    Example:
        >>> import tradeoff as to
        >>> from tradeoff.uncertainty.confidence import Confidence
        >>> from tradeoff.core.confusion import ClassMatrix
        >>> matrix = ClassMatrix(np.array([[30, 5, 5], [4, 20, 6], [2, 8, 20]]), ("a", "b", "c"))
        >>> average_with_interval(matrix, to.METRICS["f1"], "macro", Confidence())
        0.693 (95% CI 0.597–0.775, delta method, Wilson)
    """
    estimate = average(matrix, measure, how)
    if not (estimate.is_defined and math.isfinite(estimate.value)):
        return estimate
    if measure.no_interval or measure.minimal_at_independence:
        reason = measure.no_interval or "its estimate is biased upwards if the association is weak"
        return with_interval(estimate, missing_interval(f"no interval: {reason}"), confidence.level)
    rejections = matrix.rejections
    table = np.column_stack(
        [matrix.counts, np.zeros(len(matrix.classes)) if rejections is None else rejections]
    ).astype(np.float64)

    def averaged_metric(tables: Numbers) -> Numbers:
        return _average_of_tables(measure, how, tables)

    variance = _delta_variance(averaged_metric, table, fixed_classes=confidence.by_class)
    limits = measure.low, measure.high
    low, high = _delta_interval(estimate.value, variance, limits, confidence.level)
    if math.isnan(low):
        return with_interval(
            estimate, missing_interval("no interval: its variance is 0"), confidence.level
        )
    limits = min(low, estimate.value), max(high, estimate.value)
    interval = ConfidenceInterval(*limits, DELTA_METHOD)
    return with_interval(estimate, interval, confidence.level)


def _average_of_tables(measure: Measure, how: Average, tables: Numbers) -> Numbers:
    """Average a metric over classes, for many tables along the last axis."""
    size = len(tables)
    total = tables.sum(axis=(0, 1))
    parts = [_one_vs_rest(tables, index, total) for index in range(size)]
    if how == "micro":
        return np.asarray(measure(_matrix(*np.sum(parts, axis=0))))
    values = np.array([np.broadcast_to(measure(_matrix(*part)), total.shape) for part in parts])
    weights = np.ones((size, *total.shape))
    if how == "weighted":
        weights = tables.sum(axis=1)
    weights = np.where(np.isnan(values), 0.0, weights)
    return np.asarray((np.nan_to_num(values) * weights).sum(axis=0) / weights.sum(axis=0))


def _one_vs_rest(tables: Numbers, index: int, total: Numbers) -> list[Numbers]:
    """Counts of the one-vs-rest matrix of a class, in the order of its fields."""
    tp = tables[index, index]
    fn = tables[index, :-1].sum(axis=0) - tp
    fp = tables[:, index].sum(axis=0) - tp
    rejected = tables[index, -1]
    others_rejected = tables[:, -1].sum(axis=0) - rejected
    tn = total - tp - fn - fp - rejected - others_rejected
    return [tp, fn, fp, tn, rejected, others_rejected]


def _matrix(*counts: Any) -> ConfusionMatrix:
    return ConfusionMatrix(*counts)
