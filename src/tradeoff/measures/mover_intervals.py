"""MOVER confidence intervals of any two-class metric, from those of its rates.

Rows drawn at random are three independent shares: the prevalence, the share of positives that is
predicted positive, and that share of negatives; where rows are rejected, also the share of either
class that is. Every count follows from them, and so every metric is a function of them. Each share
has Wilson's interval. The distance that the metric moves when one share moves to the worse end of
its interval is squared, and the squares are added: the method of variance estimates recovery
(MOVER; Newcombe 1998, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I; Zou &
Donner 2008, doi:10.1002/sim.3095). Empty cells need no rule of their own, as a share of 0 has an
interval too. Where class totals are fixed or the prevalence is known, the prevalence does not vary
and the rates of the two classes are all that is left.

Counts may be arrays: one interval for each matrix.
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
    Reading = Callable[[Ranking], float]

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
class Share:
    """A proportion in a confusion matrix: the cells of its hits and of its misses."""

    hits: tuple[int, ...]
    misses: tuple[int, ...]

    def value(self, cells: Numbers) -> Numbers:
        """The share; NaN where there are no rows."""
        hits, misses = self._sums(cells)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(hits / (hits + misses))

    def trials(self, cells: Numbers, squares: Numbers | None) -> Numbers:
        """The number of rows; with weights, of equally weighted rows that would know as much.

        That is p(1 - p) / V with the linearised variance V = Σ w² (x - p)² / (Σ w)², and Kish's
        (Σ w)² / Σ w² where p is 0 or 1. Weights of 1 give the number of rows.
        """
        hits, misses = self._sums(cells)
        total = hits + misses
        if squares is None:
            return np.asarray(total)
        of_hits, of_misses = self._sums(squares)
        with np.errstate(invalid="ignore", divide="ignore"):
            p, q = hits / total, misses / total
            linearised = p * q / (of_hits * q**2 + of_misses * p**2)
            at_end = (hits == 0) | (misses == 0)
            return np.asarray(total**2 * np.where(at_end, 1 / (of_hits + of_misses), linearised))

    def interval(
        self, cells: Numbers, squares: Numbers | None, level: float
    ) -> tuple[Numbers, Numbers]:
        """Wilson's interval; all from 0 to 1 where there are no rows."""
        trials = self.trials(cells, squares)
        with np.errstate(invalid="ignore", divide="ignore"):
            hits = np.where(self._sums(cells)[1] == 0, trials, self.value(cells) * trials)
            low, high = wilson_interval(hits, trials, level)
        return np.where(trials > 0, low, 0.0), np.where(trials > 0, high, 1.0)

    def moved(self, cells: Numbers, share: Numbers) -> Numbers:
        """The cells if this share were another one and all else stayed as it is."""
        hits, misses = self._sums(cells)
        total = hits + misses
        table = cells.copy()
        with np.errstate(invalid="ignore", divide="ignore"):
            for part, before, after in (
                (self.hits, hits, share * total),
                (self.misses, misses, (1 - share) * total),
            ):
                for cell in part:
                    scaled = cells[cell] * (after / before)
                    table[cell] = np.where(before > 0, scaled, after / len(part))
        return table

    def influence(self, cells: Numbers) -> Numbers:
        """How far one more row in each cell moves the share."""
        p = np.nan_to_num(self.value(cells))
        total = sum(self._sums(cells))
        moves = np.zeros_like(cells)
        with np.errstate(invalid="ignore", divide="ignore"):
            moves[list(self.hits)] = np.where(total > 0, (1 - p) / total, 0.0)
            moves[list(self.misses)] = np.where(total > 0, -p / total, 0.0)
        return moves

    def _sums(self, cells: Numbers) -> tuple[Numbers, Numbers]:
        return cells[list(self.hits)].sum(axis=0), cells[list(self.misses)].sum(axis=0)


PREVALENCE = Share((0, 1, 2), (3, 4, 5))
TRUE_POSITIVE_RATE, FALSE_POSITIVE_RATE = Share((0,), (1,)), Share((3,), (4,))
REJECTION = (Share((2,), (0, 1)), Share((5,), (3, 4)))
"""The rejected share of the positives, and of the negatives."""


@dataclass(frozen=True, eq=False)
class MovedShares:
    """A confusion matrix with each proportion moved across its interval, for MOVER.

    `moved` has the shares along its first axis and points of their intervals along its second:
    both ends, and between them the points where a metric may turn (see `_turning_points`).
    `directions` are the signs of these moves. `correlations` are those of the shares; None where
    they vary independently.
    """

    matrix: ConfusionMatrix
    level: float
    fixed_classes: bool
    moved: ConfusionMatrix
    directions: Numbers
    correlations: Numbers | None

    @classmethod
    def of(
        cls, matrix: ConfusionMatrix, level: float = 0.95, *, fixed_classes: bool = False
    ) -> MovedShares:
        """Move every share of a matrix; `fixed_classes` holds the prevalence where it is."""
        cells = confusion_cells(matrix)
        squares = None if matrix.squares is None else confusion_cells(matrix.squares)
        shares = [TRUE_POSITIVE_RATE, FALSE_POSITIVE_RATE]
        shares += [] if fixed_classes else [PREVALENCE]
        shares += REJECTION if np.any(cells[[2, 5]]) else ()
        tables, directions = [], []
        for share in shares:
            low, high = share.interval(cells, squares, level)
            turns = [np.clip(point, low, high) for point in _turning_points(share, cells)]
            points = [low, high, *turns]
            middle = np.nan_to_num(share.value(cells), nan=0.5)
            tables.append([share.moved(cells, point) for point in points])
            directions.append([np.sign(point - middle) for point in points])
        return cls(
            matrix,
            level,
            fixed_classes,
            _matrix(np.moveaxis(np.array(tables), 2, 0), matrix),
            np.array(directions),
            None if squares is None else _correlations(shares, cells, squares),
        )

    def interval(self, measure: Measure) -> tuple[Any, Any]:
        """The ends of a metric's interval, which hold its value.

        Example:
            >>> import tradeoff as to
            >>> from tradeoff.core.confusion import ConfusionMatrix
            >>> ends = MovedShares.of(ConfusionMatrix(20, 10, 15, 55)).interval(to.METRICS["f1"])
            >>> [round(float(end), 4) for end in ends]
            [0.4597, 0.731]
        """
        value = np.asarray(measure(self.matrix), np.float64)
        with np.errstate(invalid="ignore"):
            moves = np.asarray(measure(self.moved), np.float64) - value
            low = np.maximum(value - self._added(-moves), measure.low)
            high = np.minimum(value + self._added(moves), measure.high)
        return np.fmin(low, value)[()], np.fmax(high, value)[()]

    def _added(self, moves: Numbers) -> Numbers:
        """How far the shares together move a metric, moves in the wanted direction being above 0.

        Where a share moves the metric to where it is undefined, there is no limit.
        """
        moves = np.broadcast_to(moves, self.directions.shape)
        farthest = np.argmax(np.nan_to_num(moves, nan=-np.inf), axis=1)[:, None]
        far = np.maximum(np.take_along_axis(moves, farthest, axis=1)[:, 0], 0.0)
        far = np.where(np.isnan(moves).all(axis=1), np.inf, far)
        if self.correlations is None or np.isinf(far).any():
            return np.asarray(np.sqrt((far**2).sum(axis=0)))
        signed = far * np.take_along_axis(self.directions, farthest, axis=1)[:, 0]
        total = np.einsum("i...,ij...,j...->...", signed, self.correlations, signed)
        return np.asarray(np.sqrt(np.maximum(total, 0.0)))


def _turning_points(share: Share, cells: Numbers) -> tuple[Numbers, Numbers]:
    """Interior points of a proportion's interval where a metric may be extreme.

    Entropy is largest at one half, and association is 0 where both classes are predicted positive
    at the same rate.
    """
    half = np.full(cells.shape[1:], 0.5)
    others = {
        TRUE_POSITIVE_RATE: FALSE_POSITIVE_RATE,
        FALSE_POSITIVE_RATE: TRUE_POSITIVE_RATE,
    }
    if share not in others:
        return half, half
    return half, np.nan_to_num(others[share].value(cells), nan=0.5)


def _correlations(shares: list[Share], cells: Numbers, squares: Numbers) -> Numbers:
    """Correlations of the proportions: 0, unless weights depend on the outcome."""
    moves = np.array([share.influence(cells) for share in shares])
    covariance = np.einsum("ic...,jc...,c...->ij...", moves, moves, squares)
    errors = np.sqrt(np.einsum("ii...->i...", covariance))
    errors = np.where(errors > 0, errors, np.inf)
    correlations = covariance / (errors[:, None] * errors[None])
    np.einsum("ii...->i...", correlations)[...] = 1.0
    return np.asarray(correlations)


def confusion_cells(matrix: ConfusionMatrix) -> Numbers:
    """The six cells of a confusion matrix as an array, in the order of `CELLS`."""
    counts = [np.asarray(getattr(matrix, name), np.float64) for name in CELLS]
    return np.array(np.broadcast_arrays(*counts))


def _matrix(cells: Numbers, matrix: ConfusionMatrix) -> ConfusionMatrix:
    """Other cells of the same rows, with the mean weight of the decided rows."""
    counts = dict(zip(CELLS, cells, strict=True))
    if matrix.squares is None:
        return replace(matrix, **counts)
    total = np.asarray(matrix.decided, np.float64)
    weight = np.asarray(matrix.squares.decided, np.float64) / np.where(total > 0, total, 1.0)
    squares = replace(
        matrix, **{name: cell * weight for name, cell in counts.items()}, squares=None
    )
    return replace(matrix, **counts, squares=squares)


# Intervals of what is read off a curve, where the rows themselves choose the threshold.
#
# The precision at a recall of 0.8, the lift at a depth of 10%, the equal error rate: the threshold
# of such a reading varies from sample to sample. At every threshold the true and the false positive
# rate have Wilson's interval. One rate is moved to an end of its interval at all thresholds, or the
# prevalence to an end of its own, and the curve is read again; the squared distances from the value
# are added. So the interval includes that the threshold varies.


def reading_interval(
    reading: Reading, ranking: Ranking, level: float = 0.95, *, fixed_classes: bool = False
) -> tuple[float, float]:
    """MOVER confidence interval of a reading off a curve, such as precision at a recall.

    Args:
        reading: What is read off a ranking; NaN where it is undefined.
        ranking: The rows.
        level: How sure the interval shall be.
        fixed_classes: Class totals are given, so that the prevalence does not vary.

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
    for moved_pair in _moved_rankings(ranking, level, fixed_classes=fixed_classes):
        moves = [reading(moved) - value for moved in moved_pair]
        defined = [move for move in moves if not math.isnan(move)]
        squared_down += max(0.0, *(-move for move in defined)) ** 2 if defined else math.inf
        squared_up += max(0.0, *defined) ** 2 if defined else math.inf
    return value - math.sqrt(squared_down), value + math.sqrt(squared_up)


def _moved_rankings(
    ranking: Ranking, level: float = 0.95, *, fixed_classes: bool = False
) -> list[tuple[Ranking, Ranking]]:
    """Rankings with one rate, or the prevalence, at the limits of its interval."""
    matrices = ranking.confusion
    cells = confusion_cells(matrices)
    squares = None if matrices.squares is None else confusion_cells(matrices.squares)
    positives, negatives = float(ranking.positives), float(ranking.negatives)
    tpr = [positives * end for end in TRUE_POSITIVE_RATE.interval(cells, squares, level)]
    fpr = [negatives * end for end in FALSE_POSITIVE_RATE.interval(cells, squares, level)]
    _, true_positives, false_positives = ranking.tally
    moved = [
        (_remade(ranking, tpr[0], false_positives), _remade(ranking, tpr[1], false_positives)),
        (_remade(ranking, true_positives, fpr[0]), _remade(ranking, true_positives, fpr[1])),
    ]
    if not fixed_classes:
        last = cells[:, -1:]
        totals = None if squares is None else squares[:, -1:]
        share = float(PREVALENCE.value(last)[0])
        low, high = (float(end[0]) for end in PREVALENCE.interval(last, totals, level))
        moved.append((_weighed(ranking, share, low), _weighed(ranking, share, high)))
    return moved


def _remade(
    ranking: Ranking, true_positives: NDArray[np.generic], false_positives: NDArray[np.generic]
) -> Ranking:
    """The ranking with other counts; what they lack at either end gets a threshold of its own."""
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


def _weighed(ranking: Ranking, share: float, prevalence: float) -> Ranking:
    if not 0 < share < 1:
        return ranking
    return ranking.weighed(prevalence / share, (1 - prevalence) / (1 - share))
