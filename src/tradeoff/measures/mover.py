"""MOVER confidence intervals for any two-class metric, from those for its rates.

A random sample has three independent proportions: the prevalence, the proportion of positives that
are predicted positive, and the same for negatives; if rows are rejected, also the proportion of
each class that is rejected. They determine all counts, so every metric is a function of them.
Each proportion has a Wilson interval. One proportion at a time is moved to the worse limit of its
interval; the resulting changes in the metric are squared and added. This is the method of
variance estimates recovery (MOVER; Newcombe 1998,
doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I; Zou & Donner 2008,
doi:10.1002/sim.3095). Empty cells need no special treatment, as a proportion of 0 also has an
interval. If class totals are fixed or the prevalence is known, the prevalence does not vary and
only the rates of the two classes remain.

Counts may be arrays: one interval per matrix.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.number_types import next_floats
from tradeoff.core.sort import Tally
from tradeoff.stats.proportions import wilson_interval

if TYPE_CHECKING:
    from tradeoff.core.confusion import ConfusionMatrix
    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.registry import Measure

    Numbers = NDArray[np.float64]
    ReadingFunction = Callable[[Ranking], float]

METHOD = "MOVER"
CELLS = (
    "true_positives",
    "false_negatives",
    "rejected_positives",
    "false_positives",
    "true_negatives",
    "rejected_negatives",
)


@dataclass(frozen=True)
class Proportion:
    """A proportion that MOVER varies: indices of a matrix's cells that are hits, and misses."""

    hits: tuple[int, ...]
    misses: tuple[int, ...]

    def value(self, cells: Numbers) -> Numbers:
        """The proportion; NaN where there are no rows."""
        hits, misses = self._sums(cells)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(hits / (hits + misses))

    def trials(self, cells: Numbers, squares: Numbers | None) -> Numbers:
        """The number of rows; with weights, the effective sample size.

        That is p(1 - p) / V with the linearized variance V = Σ w² (x - p)² / (Σ w)², and Kish's
        (Σ w)² / Σ w² where p is 0 or 1. Weights of 1 give the number of rows.
        """
        hits, misses = self._sums(cells)
        total = hits + misses
        if squares is None:
            return np.asarray(total)
        squared_hits, squared_misses = self._sums(squares)
        with np.errstate(invalid="ignore", divide="ignore"):
            p, q = hits / total, misses / total
            linearized = p * q / (squared_hits * q**2 + squared_misses * p**2)
            is_extreme = (hits == 0) | (misses == 0)
            kish = 1 / (squared_hits + squared_misses)
            return np.asarray(total**2 * np.where(is_extreme, kish, linearized))

    def interval(
        self, cells: Numbers, squares: Numbers | None, level: float
    ) -> tuple[Numbers, Numbers]:
        """Wilson's interval; the whole range from 0 to 1 where there are no rows."""
        trials = self.trials(cells, squares)
        with np.errstate(invalid="ignore", divide="ignore"):
            hits = np.where(self._sums(cells)[1] == 0, trials, self.value(cells) * trials)
            low, high = wilson_interval(hits, trials, level)
        return np.where(trials > 0, low, 0.0), np.where(trials > 0, high, 1.0)

    def shift(self, cells: Numbers, proportion: Numbers) -> Numbers:
        """The cells if only this proportion changed to another value."""
        hits, misses = self._sums(cells)
        total = hits + misses
        shifted = cells.copy()
        with np.errstate(invalid="ignore", divide="ignore"):
            for part, before, after in (
                (self.hits, hits, proportion * total),
                (self.misses, misses, (1 - proportion) * total),
            ):
                for cell in part:
                    scaled = cells[cell] * (after / before)
                    shifted[cell] = np.where(before > 0, scaled, after / len(part))
        return shifted

    def influence(self, cells: Numbers) -> Numbers:
        """Change in the proportion per additional row in each cell."""
        p = np.nan_to_num(self.value(cells))
        total = sum(self._sums(cells))
        changes = np.zeros_like(cells)
        with np.errstate(invalid="ignore", divide="ignore"):
            changes[list(self.hits)] = np.where(total > 0, (1 - p) / total, 0.0)
            changes[list(self.misses)] = np.where(total > 0, -p / total, 0.0)
        return changes

    def _sums(self, cells: Numbers) -> tuple[Numbers, Numbers]:
        return cells[list(self.hits)].sum(axis=0), cells[list(self.misses)].sum(axis=0)


PREVALENCE = Proportion((0, 1, 2), (3, 4, 5))
TRUE_POSITIVE_RATE, FALSE_POSITIVE_RATE = Proportion((0,), (1,)), Proportion((3,), (4,))
REJECTED_PROPORTIONS = (Proportion((2,), (0, 1)), Proportion((5,), (3, 4)))
"""Rejected proportion of the positives, and of the negatives."""


@dataclass(frozen=True, eq=False)
class Mover:
    """MOVER confidence intervals for any metric of a confusion matrix.

    `shifted` holds the matrices with one proportion changed: proportions along the first axis,
    points of their intervals along the second (both limits, and the points between them at which a
    metric may have an extremum, see `_turning_points`). `directions` holds the signs of these
    changes, `correlations` the correlations between proportions; None if they are independent.
    """

    matrix: ConfusionMatrix
    level: float
    fixed_classes: bool
    shifted: ConfusionMatrix
    directions: Numbers
    correlations: Numbers | None

    @classmethod
    def of(
        cls, matrix: ConfusionMatrix, level: float = 0.95, *, fixed_classes: bool = False
    ) -> Mover:
        """Shift each proportion to its confidence limits; `fixed_classes` fixes the prevalence."""
        cells = confusion_cells(matrix)
        squares = None if matrix.squares is None else confusion_cells(matrix.squares)
        proportions = [TRUE_POSITIVE_RATE, FALSE_POSITIVE_RATE]
        proportions += [] if fixed_classes else [PREVALENCE]
        proportions += REJECTED_PROPORTIONS if np.any(cells[[2, 5]]) else ()
        tables, directions = [], []
        for proportion in proportions:
            low, high = proportion.interval(cells, squares, level)
            turning_points = [
                np.clip(point, low, high) for point in _turning_points(proportion, cells)
            ]
            points = [low, high, *turning_points]
            value = np.nan_to_num(proportion.value(cells), nan=0.5)
            tables.append([proportion.shift(cells, point) for point in points])
            directions.append([np.sign(point - value) for point in points])
        return cls(
            matrix,
            level,
            fixed_classes,
            _matrix_with_cells(np.moveaxis(np.array(tables), 2, 0), matrix),
            np.array(directions),
            None if squares is None else _correlations(proportions, cells, squares),
        )

    def interval(self, measure: Measure) -> tuple[Any, Any]:
        """Confidence limits for a metric; its value lies between them.

        Example:
            >>> import tradeoff as to
            >>> from tradeoff.core.confusion import ConfusionMatrix
            >>> limits = Mover.of(ConfusionMatrix(20, 10, 15, 55)).interval(to.METRICS["f1"])
            >>> [round(float(limit), 4) for limit in limits]
            [0.4597, 0.731]
        """
        value = np.asarray(measure(self.matrix), np.float64)
        with np.errstate(invalid="ignore"):
            changes = np.asarray(measure(self.shifted), np.float64) - value
            low = np.maximum(value - self._combined_change(-changes), measure.low)
            high = np.minimum(value + self._combined_change(changes), measure.high)
        return np.fmin(low, value)[()], np.fmax(high, value)[()]

    def _combined_change(self, changes: Numbers) -> Numbers:
        """Change in a metric due to all proportions together, in the direction of positive changes.

        If a shifted proportion makes the metric undefined, there is no limit.
        """
        changes = np.broadcast_to(changes, self.directions.shape)
        largest_change = np.argmax(np.nan_to_num(changes, nan=-np.inf), axis=1)[:, None]
        distances = np.maximum(np.take_along_axis(changes, largest_change, axis=1)[:, 0], 0.0)
        distances = np.where(np.isnan(changes).all(axis=1), np.inf, distances)
        if self.correlations is None or np.isinf(distances).any():
            return np.asarray(np.sqrt((distances**2).sum(axis=0)))
        signed_distances = (
            distances * np.take_along_axis(self.directions, largest_change, axis=1)[:, 0]
        )
        variance = np.einsum(
            "i...,ij...,j...->...", signed_distances, self.correlations, signed_distances
        )
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def _turning_points(proportion: Proportion, cells: Numbers) -> tuple[Numbers, Numbers]:
    """Interior points of a proportion's interval where a metric may have an extremum.

    Entropy is largest at one half, and association is 0 if both classes are predicted positive at
    the same rate.
    """
    half = np.full(cells.shape[1:], 0.5)
    opposite = {
        TRUE_POSITIVE_RATE: FALSE_POSITIVE_RATE,
        FALSE_POSITIVE_RATE: TRUE_POSITIVE_RATE,
    }
    if proportion not in opposite:
        return half, half
    return half, np.nan_to_num(opposite[proportion].value(cells), nan=0.5)


def _correlations(proportions: list[Proportion], cells: Numbers, squares: Numbers) -> Numbers:
    """Correlations between the proportions; they are 0 unless weights depend on the outcome."""
    influences = np.array([proportion.influence(cells) for proportion in proportions])
    covariance = np.einsum("ic...,jc...,c...->ij...", influences, influences, squares)
    standard_errors = np.sqrt(np.einsum("ii...->i...", covariance))
    standard_errors = np.where(standard_errors > 0, standard_errors, np.inf)
    correlations = covariance / (standard_errors[:, None] * standard_errors[None])
    np.einsum("ii...->i...", correlations)[...] = 1.0
    return np.asarray(correlations)


def confusion_cells(matrix: ConfusionMatrix) -> Numbers:
    """Array of the six cells of a confusion matrix for MOVER, in the order of `CELLS`."""
    counts = [np.asarray(getattr(matrix, name), np.float64) for name in CELLS]
    return np.array(np.broadcast_arrays(*counts))


def _matrix_with_cells(cells: Numbers, matrix: ConfusionMatrix) -> ConfusionMatrix:
    """Confusion matrix with other cells, and with squared weights in proportion to them."""
    counts = dict(zip(CELLS, cells, strict=True))
    if matrix.squares is None:
        return replace(matrix, **counts)
    total = np.asarray(matrix.decided, np.float64)
    ratio = np.asarray(matrix.squares.decided, np.float64) / np.where(total > 0, total, 1.0)
    squares = replace(matrix, **{name: cell * ratio for name, cell in counts.items()}, squares=None)
    return replace(matrix, **counts, squares=squares)


# Intervals for values read off a curve, at a threshold that depends on the rows.
#
# The precision at a recall of 0.8, the lift at a depth of 10%, the equal error rate: the threshold
# of such a reading varies from sample to sample. At every threshold the true and the false
# positive rate have Wilson intervals. One rate is moved to a limit of its interval at all
# thresholds, or the prevalence to a limit of its own, and the curve is read again; the squared
# distances from the value are added. So the interval includes the variation of the threshold.


def reading_interval(
    reading: ReadingFunction, ranking: Ranking, level: float = 0.95, *, fixed_classes: bool = False
) -> tuple[float, float]:
    """MOVER confidence interval for a value read off a curve, such as precision at a given recall.

    Args:
        reading: Function that reads a value off a ranking; NaN if it is undefined.
        ranking: The rows.
        level: Confidence level.
        fixed_classes: Whether class totals are fixed, so that the prevalence does not vary.

    Example:
        >>> from tradeoff.measures.summaries.areas import equal_error_rate
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.arange(40.0)
        >>> ranking = Ranking.of(scores, scores % 4 + scores / 13 > 3)
        >>> low, high = reading_interval(equal_error_rate, ranking)
        >>> round(low, 3), round(equal_error_rate(ranking), 3), round(high, 3)
        (0.209, 0.35, 0.491)
    """
    value = reading(ranking)
    squared_down, squared_up = 0.0, 0.0
    for limit_rankings in _shifted_rankings(ranking, level, fixed_classes=fixed_classes):
        changes = [reading(shifted) - value for shifted in limit_rankings]
        defined = [change for change in changes if not math.isnan(change)]
        squared_down += max(0.0, *(-change for change in defined)) ** 2 if defined else math.inf
        squared_up += max(0.0, *defined) ** 2 if defined else math.inf
    return value - math.sqrt(squared_down), value + math.sqrt(squared_up)


def _shifted_rankings(
    ranking: Ranking, level: float = 0.95, *, fixed_classes: bool = False
) -> list[tuple[Ranking, Ranking]]:
    """Pairs of rankings with one rate, or the prevalence, at its lower and at its upper limit."""
    matrices = ranking.confusion
    cells = confusion_cells(matrices)
    squares = None if matrices.squares is None else confusion_cells(matrices.squares)
    positives, negatives = float(ranking.positives), float(ranking.negatives)
    tp_limits = [positives * limit for limit in TRUE_POSITIVE_RATE.interval(cells, squares, level)]
    fp_limits = [negatives * limit for limit in FALSE_POSITIVE_RATE.interval(cells, squares, level)]
    _, true_positives, false_positives = ranking.tally
    low_tp, high_tp = (
        _ranking_with_counts(ranking, counts, false_positives) for counts in tp_limits
    )
    low_fp, high_fp = (
        _ranking_with_counts(ranking, true_positives, counts) for counts in fp_limits
    )
    shifted = [(low_tp, high_tp), (low_fp, high_fp)]
    if not fixed_classes:
        last_cells = cells[:, -1:]
        last_squares = None if squares is None else squares[:, -1:]
        prevalence = float(PREVALENCE.value(last_cells)[0])
        low, high = (
            float(limit[0]) for limit in PREVALENCE.interval(last_cells, last_squares, level)
        )
        shifted.append(
            (
                _reweighted_ranking(ranking, prevalence, low),
                _reweighted_ranking(ranking, prevalence, high),
            )
        )
    return shifted


def _ranking_with_counts(
    ranking: Ranking, true_positives: NDArray[np.generic], false_positives: NDArray[np.generic]
) -> Ranking:
    """A ranking with other counts, and points added at both ends for 0 and the totals."""
    totals = float(ranking.positives), float(ranking.negatives)
    thresholds = ranking.tally.thresholds.astype(np.float64)
    sign = -1.0 if ranking.lower_is_positive else 1.0
    ends = next_floats(thresholds[[1, -1]], [sign * np.inf, -sign * np.inf])
    columns = [
        np.concatenate([[0.0], counts.astype(np.float64), [total]])
        for counts, total in zip((true_positives, false_positives), totals, strict=True)
    ]
    tally = Tally(np.concatenate([thresholds[:1], ends[:1], thresholds[1:], ends[1:]]), *columns)
    return replace(ranking, tally=tally, squares=None, known_pairs=None)


def _reweighted_ranking(ranking: Ranking, prevalence: float, target: float) -> Ranking:
    """A ranking reweighted from its prevalence to another one."""
    if not 0 < prevalence < 1:
        return ranking
    return ranking.weighed(target / prevalence, (1 - target) / (1 - prevalence))
