"""Intervals of metrics of a confusion matrix.

Shares of rows have Wilson's interval, odds ratios Woolf's; a few metrics are a known function of
another one. Every other metric of two classes has its interval from those of the rates it is made
of (`mover`), and every other one of more classes by the delta method. A user may ask for the
bootstrap by name.
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
from tradeoff.measures.estimate import Estimate, Spread, no_spread
from tradeoff.measures.mover import CELLS, MovedShares, Share, cells_of
from tradeoff.measures.registry import Measure
from tradeoff.stats.normal import quantile
from tradeoff.stats.proportions import proportion, wilson
from tradeoff.uncertainty.bootstrap import acceleration, percentile_interval
from tradeoff.uncertainty.summaries import cautioned, inside, with_spread

if TYPE_CHECKING:
    from tradeoff.uncertainty.confidence import Confidence

    Numbers = NDArray[np.float64]

Matrix = ConfusionMatrix | ClassMatrix
CONSTANT = 1e-12
OF_ONE_CLASS = frozenset({"positives", "negatives"})
GIVEN = "no interval: class totals are taken as given"
AT_INDEPENDENCE = (
    "no interval: with more than two classes its estimate is biased upwards where association is "
    "weak"
)


def sure_metrics(
    measures: Iterable[Measure], matrix: Matrix, confidence: Confidence
) -> dict[str, Estimate]:
    """Metrics with their intervals."""
    measures = list(measures)
    estimates = {measure.name: measure.estimate(matrix) for measure in measures}
    reason = _no_interval(matrix)
    if reason:
        return {name: _without(estimate, reason) for name, estimate in estimates.items()}
    spreads = _Spreads(matrix, confidence)
    return {
        measure.name: with_spread(estimate, spreads.of(measure), confidence.level)
        if estimate.is_defined
        else estimate
        for measure, estimate in zip(measures, estimates.values(), strict=True)
    }


def sure_metric(measure: Measure, matrix: Matrix, confidence: Confidence) -> Estimate:
    """A metric with its interval."""
    return sure_metrics([measure], matrix, confidence)[measure.name]


def _effective(matrix: Matrix, trials: str) -> float:
    """How many equally weighted rows say as much as these, such as the "positives"."""
    total = float(getattr(matrix, trials))
    squares = getattr(matrix, "squares", None)
    return total if squares is None or not total else total**2 / float(getattr(squares, trials))


def _no_interval(matrix: Matrix) -> str | None:
    rows = float(matrix.rows)
    if not rows:
        return None  # undefined anyway
    cells = _tables(matrix)
    weighed = getattr(matrix, "squares", None) is not None
    if not weighed and rows <= 1 + CONSTANT and (cells != np.floor(cells)).any():
        return "proportions do not tell how many rows they come from"
    return None


def _without(estimate: Estimate, why: str) -> Estimate:
    return replace(estimate, note="; ".join(filter(None, [estimate.note, f"no interval: {why}"])))


class _Spreads:
    """The intervals of one matrix: what several metrics need is computed once."""

    def __init__(self, matrix: Matrix, confidence: Confidence) -> None:
        self.matrix = matrix
        self.confidence = confidence
        known = getattr(matrix, "prevalence_known", False)
        self.fixed_classes = confidence.by_class or known
        self._moved: MovedShares | None = None
        self._resamples: Matrix | None = None

    def of(self, measure: Measure) -> Spread:
        """The interval of a metric that is defined."""
        if self.confidence.draws:
            return cautioned(self._by_bootstrap(measure), measure)
        if measure.no_interval:
            return no_spread(f"no interval: {measure.no_interval}")
        if isinstance(self.matrix, ConfusionMatrix):
            return self._of_two_classes(measure, self.matrix)
        return self._of_classes(measure, self.matrix)

    def _of_two_classes(self, measure: Measure, matrix: ConfusionMatrix) -> Spread:
        if measure.trials and (measure.trials in OF_ONE_CLASS or not self.fixed_classes):
            return self._of_share(measure, matrix)
        by_formula = measure.interval(self.moved) if measure.interval else None
        if by_formula is not None:
            return by_formula
        low, high = (float(end) for end in self.moved.interval(measure))
        if math.isinf(float(measure(matrix))):
            return no_spread("no interval: the value is infinite")
        if high - low <= CONSTANT * max(abs(low), abs(high)):
            return no_spread(GIVEN)
        return Spread(low, high, mover.METHOD)

    @property
    def moved(self) -> MovedShares:
        """The matrix with every share moved across its interval."""
        if self._moved is None:
            if not isinstance(self.matrix, ConfusionMatrix):
                raise TypeError("shares are those of two classes")
            level = self.confidence.level
            self._moved = MovedShares.of(self.matrix, level, fixed_classes=self.fixed_classes)
        return self._moved

    def _of_share(self, measure: Measure, matrix: ConfusionMatrix) -> Spread:
        share = _share_of(measure)
        squares = None if matrix.squares is None else cells_of(matrix.squares)
        trials = float(share.trials(cells_of(matrix), squares))
        value = float(measure(matrix))
        return self._proportion(value, trials)

    def _proportion(self, share: float, trials: float) -> Spread:
        method = self.confidence.method_for("shares")
        low, high = proportion(share * trials, trials, self.confidence.level, method.name)
        return Spread(float(low), float(high), method.label)

    def _of_classes(self, measure: Measure, matrix: ClassMatrix) -> Spread:
        value = float(measure(matrix))
        if measure.trials and not self.fixed_classes:
            return self._proportion(value, _effective(matrix, measure.trials))
        if measure.least_at_independence:
            return no_spread(AT_INDEPENDENCE)

        def metric(tables: NDArray[np.float64]) -> Any:
            return measure(ClassMatrix(tables[:, :-1], matrix.classes, tables[:, -1]))

        variance = _delta_variance(metric, _tables(matrix), fixed_classes=self.fixed_classes)
        limits = measure.low, measure.high
        low, high = _delta_interval(value, variance, limits, self.confidence.level)
        if math.isnan(low):
            return no_spread(GIVEN if self.fixed_classes else "no interval: its variance is 0")
        return Spread(min(low, value), max(high, value), DELTA_METHOD)

    def _by_bootstrap(self, measure: Measure) -> Spread:
        if self._resamples is None:
            self._resamples = _resampled(self.matrix, self.confidence, by_class=self.fixed_classes)
        value = float(measure(self.matrix))
        size = self.confidence.replicates
        values = np.broadcast_to(np.asarray(measure(self._resamples)), (size,))
        skew = 0.0
        if self.confidence.method == "bca":
            skew = _skew(measure, self.matrix, by_class=self.fixed_classes)
        return inside(percentile_interval(values, value, self.confidence, skew=skew), measure)


def _share_of(measure: Measure) -> Share:
    """Which cells are hits and which are misses: the metric is 1 for some and 0 for others."""
    units: dict[str, Any] = dict(zip(CELLS, np.eye(len(CELLS)), strict=True))
    values = np.asarray(measure(ConfusionMatrix(**units)))
    hits, misses = (np.flatnonzero(values == end).tolist() for end in (1.0, 0.0))
    return Share(tuple(hits), tuple(misses))


def _tables(matrix: Matrix) -> NDArray[np.float64]:
    """One line a class: its counts by prediction, rejected ones last."""
    rejections = matrix.rejections
    if rejections is None:
        rejections = np.zeros(len(matrix.classes))
    return np.column_stack([matrix.counts, rejections]).astype(np.float64)


def _resampled(matrix: Matrix, confidence: Confidence, *, by_class: bool) -> Matrix:
    """Bootstrap resamples of the rows as one matrix, whose counts are arrays."""
    random = np.random.default_rng(confidence.seed)
    tables = _tables(matrix)
    strata = list(tables) if by_class else [tables.ravel()]
    sizes = [_effective(matrix, "rows")] if not by_class else _class_sizes(matrix, tables)
    drawn = [
        _drawn(counts, round(rows), random, confidence.replicates)
        for counts, rows in zip(strata, sizes, strict=True)
    ]
    return _matrix_of(np.concatenate(drawn), matrix)


def _class_sizes(matrix: Matrix, tables: NDArray[np.float64]) -> list[float]:
    """How many equally weighted rows each class says as much as."""
    squares = getattr(matrix, "squares", None)
    squared = tables if squares is None else _tables(squares)
    return [
        counts.sum() ** 2 / square.sum() if square.any() else 0.0
        for counts, square in zip(tables, squared, strict=True)
    ]


def _drawn(
    counts: NDArray[np.float64], rows: int, random: np.random.Generator, size: int
) -> NDArray[np.float64]:
    total = counts.sum()
    if not total or not rows:
        return np.zeros((len(counts), size))
    return np.asarray(random.multinomial(rows, counts / total, size).T * (total / rows))


def _matrix_of(cells: NDArray[np.float64], matrix: Matrix) -> Matrix:
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


def _skew(measure: Measure, matrix: Matrix, *, by_class: bool) -> float:
    """How the metric reacts to leaving out one row of each cell."""
    if isinstance(matrix, ClassMatrix):
        return 0.0
    names = [f.name for f in fields(matrix)[:6]]
    counts = _counts(matrix, names)
    squares = counts if matrix.squares is None else _counts(matrix.squares, names)
    weight = np.divide(squares, counts, out=np.zeros(6), where=counts > 0)  # of one row
    with np.errstate(invalid="ignore", divide="ignore"):
        left_out = [
            float(measure(replace(matrix, **{name: max(count - row, 0)}))) if count else 0.0
            for name, count, row in zip(names, counts, weight, strict=True)
        ]
    values = np.where(np.isfinite(left_out), left_out, 0.0)
    deviations = np.zeros(6)
    for cells in [[0, 1, 4], [2, 3, 5]] if by_class else [[0, 1, 2, 3, 4, 5]]:
        rows = counts[cells]
        if rows.any():
            deviations[cells] = rows @ values[cells] / rows.sum() - values[cells]
    rows = np.divide(counts**2, squares, out=np.zeros(6), where=squares > 0)
    return float(acceleration(deviations[:, None], rows)[0])


def _counts(matrix: ConfusionMatrix, names: list[str]) -> NDArray[np.float64]:
    return np.array([float(getattr(matrix, name)) for name in names])


# The delta method: metrics of many classes, and averages over classes.
#
# To first order a metric moves by its slopes times the changes of the counts, whose covariance is
# that of a multinomial draw of rows (Agresti 2013, Categorical Data Analysis, section 16.1; for
# averages of F measures Takahashi et al. 2022, doi:10.1007/s10489-021-02635-5). The variance V says
# how many rows n = p(1 - p) / V of a plain share p would be known as well, and the interval is
# Wilson's for these: unlike p ± 1.96 √V it stays within the metric's range and is not too short
# near its ends. Where a cell is empty, 1/2 is added to every cell for V.

DELTA_METHOD = "delta method, Wilson"
ROUNDING = 1e-18
"""Less variance than this is what rounding leaves of none."""
STEP = float(np.cbrt(np.finfo(np.float64).eps))
"""Of a central difference, as a share of the cell: its two errors are then about equal."""


def _delta_variance(
    metric: Callable[[Numbers], Any], table: Numbers, *, fixed_classes: bool = False
) -> float:
    """The variance of a metric, to first order.

    Args:
        metric: Takes a table of counts, or many along the last axis, and returns their values.
        table: Actual classes down, predicted ones across; a last column may be rejected rows.
        fixed_classes: Whether the totals of the actual classes are given, not drawn.

    Example:
        >>> accuracy = lambda t: (t[0, 0] + t[1, 1]) / t.sum(axis=(0, 1))
        >>> round(_delta_variance(accuracy, np.array([[40.0, 10], [20, 30]])), 6)  # 0.7 * 0.3 / 100
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


def _delta_interval(
    value: float, variance: float, limits: tuple[float, float], level: float = 0.95
) -> tuple[float, float]:
    """The interval of a value with this variance, inside the limits of its metric.

    Example:
        >>> [round(end, 4) for end in _delta_interval(0.7, 0.0021, (0.0, 1.0))]
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
        return with_spread(estimate, no_spread(f"no interval: {why}"), confidence.level)
    rejections = matrix.rejections
    table = np.column_stack(
        [matrix.counts, np.zeros(len(matrix.classes)) if rejections is None else rejections]
    ).astype(np.float64)

    def averaged(tables: Numbers) -> Numbers:
        return _averaged(measure, how, tables)

    variance = _delta_variance(averaged, table, fixed_classes=confidence.by_class)
    limits = measure.low, measure.high
    low, high = _delta_interval(estimate.value, variance, limits, confidence.level)
    if math.isnan(low):
        return with_spread(estimate, no_spread("no interval: its variance is 0"), confidence.level)
    ends = Spread(min(low, estimate.value), max(high, estimate.value), DELTA_METHOD)
    return with_spread(estimate, ends, confidence.level)


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
