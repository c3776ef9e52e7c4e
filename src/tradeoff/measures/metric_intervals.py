"""Confidence intervals of metrics by published formulas, or from those of other metrics.

`@metric(interval=…)` names the function; it gives None where it does not hold for a matrix, which
leaves the metric to MOVER. The report's page has a function of the same name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from tradeoff.measures.estimate import ConfidenceInterval, missing_interval
from tradeoff.measures.mover_intervals import METHOD as MOVER
from tradeoff.measures.mover_intervals import (
    PREVALENCE,
    TRUE_POSITIVE_RATE,
    MovedShares,
    Share,
    confusion_cells,
)
from tradeoff.measures.registry import METRICS
from tradeoff.stats.normal import critical_value
from tradeoff.stats.proportions import newcombe_interval
from tradeoff.stats.ratios import (
    likelihood_ratio_interval,
    odds_ratio_interval,
    predictive_value_interval,
)

ACTUAL_POSITIVE, PREDICTED_POSITIVE = Share((0, 1), (3, 4)), Share((0, 3), (1, 4))
"""The positive and the predicted positive share of the decided rows."""
NO_DIFFERENCE = "no interval: the difference that it is the reciprocal of may be 0"


def _class_counts(moved: MovedShares) -> tuple[float, float, float, float]:
    """True positives, positives, false positives, negatives, as equally weighted rows."""
    matrix = moved.matrix
    counts = []
    for hits, total, squares in (
        ("true_positives", "positives", "positives"),
        ("false_positives", "negatives", "negatives"),
    ):
        part, rows = float(getattr(matrix, hits)), float(getattr(matrix, total))
        if matrix.squares is not None and rows:
            trials = _class_trials(moved, squares)
            # Rounding must not make hits more than trials.
            part, rows = min(part * trials / rows, trials), trials
        counts += [part, rows]
    return counts[0], counts[1], counts[2], counts[3]


def _class_trials(moved: MovedShares, which: str) -> float:
    """How many equally weighted rows a rate over all rows of a class is worth."""
    cells = {"positives": Share((0,), (1, 2)), "negatives": Share((3,), (4, 5))}
    squares = moved.matrix.squares
    return float(
        cells[which].trials(
            confusion_cells(moved.matrix), None if squares is None else confusion_cells(squares)
        )
    )


def odds(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the odds ratio, by Woolf."""
    return _of_odds(moved, float)


def log_odds(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the logarithm of the odds ratio."""
    return _of_odds(moved, _log)


def effect_size(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the log odds ratio in standard deviations of a logistic distribution."""
    return _of_odds(moved, lambda odds: math.sqrt(3) / math.pi * _log(odds))


def association(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of (odds ratio - 1) / (odds ratio + 1)."""
    return _of_odds(moved, _from_odds)


def colligation(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the same of the root of the odds ratio."""
    return _of_odds(moved, lambda odds: _from_odds(math.sqrt(odds)))


def _of_odds(moved: MovedShares, scale: Callable[[float], float]) -> ConfidenceInterval | None:
    """A rising function of the odds ratio."""
    if moved.matrix.rejected:
        return None
    tp, positives, fp, negatives = _class_counts(moved)
    ratio = odds_ratio_interval(tp, positives - tp, fp, negatives - fp, moved.level)
    return ConfidenceInterval(scale(float(ratio.low)), scale(float(ratio.high)), str(ratio.method))


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def _from_odds(odds: float) -> float:
    return 1 - 2 / (1 + odds)


def positive_likelihood(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of LR+: by MOVER where finite, else by its logarithm, 1/2 added to every cell."""
    if moved.matrix.false_positives or not moved.matrix.true_positives:
        return None
    ratio = likelihood_ratio_interval(*_class_counts(moved), moved.level)
    return ConfidenceInterval(float(ratio.low), float(ratio.high), str(ratio.method))


def negative_likelihood(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of LR-, as that of LR+."""
    if moved.matrix.true_negatives or not moved.matrix.false_negatives or moved.matrix.rejected:
        return None
    tp, positives, fp, negatives = _class_counts(moved)
    ratio = likelihood_ratio_interval(
        positives - tp, positives, negatives - fp, negatives, moved.level
    )
    return ConfidenceInterval(float(ratio.low), float(ratio.high), str(ratio.method))


def difference_of_rates(moved: MovedShares) -> ConfidenceInterval:
    """Interval of the difference of two shares of different rows, by Newcombe."""
    low, high = (float(end) for end in newcombe_interval(*_class_counts(moved), moved.level)[-2:])
    return ConfidenceInterval(low, high, "Newcombe")


def mean_of_rates(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the mean of both classes' rates of being right."""
    if moved.matrix.rejected:
        return None
    low, high, method, _ = difference_of_rates(moved)
    return ConfidenceInterval((1 + low) / 2, (1 + high) / 2, method)


def mean_of_errors(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the mean of both classes' rates of being wrong."""
    return _complement(mean_of_rates(moved))


def _complement(share: ConfidenceInterval | None) -> ConfidenceInterval | None:
    return share and share._replace(low=1 - share.high, high=1 - share.low)


def reciprocal_difference(moved: MovedShares) -> ConfidenceInterval:
    """Interval of one over the difference of two rates."""
    return _reciprocal(difference_of_rates(moved))


def reciprocal_markedness(moved: MovedShares) -> ConfidenceInterval:
    """Interval of one over markedness, which varies as MOVER says."""
    return _reciprocal(_by_mover(moved, "markedness"))


def _reciprocal(difference: ConfidenceInterval) -> ConfidenceInterval:
    if difference.low <= 0 <= difference.high:
        return missing_interval(NO_DIFFERENCE)
    return difference._replace(low=1 / difference.high, high=1 / difference.low)


def log_lift(moved: MovedShares) -> ConfidenceInterval:
    """Interval of the logarithm of the lift to base 2."""
    low, high, method, _ = _by_mover(moved, "lift")
    return ConfidenceInterval(_log(low) / math.log(2), _log(high) / math.log(2), method)


def likelihood_gain(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of 1 - 1 / (positive likelihood ratio): the prevalence cancels out."""
    ratio = positive_likelihood(moved) or _by_mover(moved, "positive_likelihood_ratio")
    low, high = (1 - 1 / end if end else -math.inf for end in (ratio.low, ratio.high))
    return ConfidenceInterval(low, high, ratio.method)


def recall_gain(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of 1 - exp(logit of prevalence - logit of recall), each logit nearly normal."""
    if moved.matrix.rejected or not (moved.matrix.positives and moved.matrix.negatives):
        return None
    cells = confusion_cells(moved.matrix)
    squares = None if moved.matrix.squares is None else confusion_cells(moved.matrix.squares)
    hits, misses = float(cells[0]), float(cells[1])
    trials = float(TRUE_POSITIVE_RATE.trials(cells, squares))
    is_empty = not (hits and misses)
    counts = [part * trials / (hits + misses) + 0.5 * is_empty for part in (hits, misses)]
    variance = 1 / counts[0] + 1 / counts[1]
    prevalence = float(PREVALENCE.value(cells))
    if not moved.fixed_classes:
        rows = float(PREVALENCE.trials(cells, squares))
        variance += 1 / (rows * prevalence * (1 - prevalence))
    middle = math.log(prevalence / (1 - prevalence)) + math.log(counts[1] / counts[0])
    half = critical_value(moved.level) * math.sqrt(variance)
    value = float(METRICS["recall_gain"](moved.matrix))
    low, high = 1 - math.exp(middle + half), 1 - math.exp(middle - half)
    method = "logit, with 1/2 added" if is_empty else "logit"
    return ConfidenceInterval(min(low, value), max(high, value), method)


def larger_share(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the share of the larger class."""
    return _of_one_share(moved, ACTUAL_POSITIVE, lambda share: max(share, 1 - share))


def actual_entropy(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the entropy of the classes."""
    return _of_one_share(moved, ACTUAL_POSITIVE, _binary_entropy)


def predicted_entropy(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the entropy of the predicted classes."""
    return _of_one_share(moved, PREDICTED_POSITIVE, _binary_entropy)


def _of_one_share(
    moved: MovedShares, share: Share, scale: Callable[[float], float]
) -> ConfidenceInterval | None:
    """A function of one share that turns at one half and nowhere else."""
    if moved.fixed_classes:
        return None
    cells, squares = confusion_cells(moved.matrix), moved.matrix.squares
    ends = share.interval(cells, None if squares is None else confusion_cells(squares), moved.level)
    low, high = (float(end) for end in ends)
    values = [scale(point) for point in (low, high, min(max(0.5, low), high))]
    return ConfidenceInterval(min(values), max(values), "Wilson")


def _binary_entropy(share: float) -> float:
    return -sum(p * math.log2(p) for p in (share, 1 - share) if p > 0)


def overlap_with_fewer(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of true positives among predicted positives or positives, whichever are fewer."""
    return _overlap(moved, larger=False)


def overlap_with_more(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of true positives among predicted positives or positives, whichever are more."""
    return _overlap(moved, larger=True)


def _overlap(moved: MovedShares, *, larger: bool) -> ConfidenceInterval | None:
    matrix = moved.matrix
    by_class = (matrix.positives > matrix.predicted_positives) == larger
    if moved.fixed_classes and not by_class:
        return None
    share = Share((0,), (1, 2)) if by_class else Share((0,), (3,))
    squares = None if matrix.squares is None else confusion_cells(matrix.squares)
    low, high = share.interval(confusion_cells(matrix), squares, moved.level)
    return ConfidenceInterval(float(low), float(high), "Wilson")


def positive_predictive(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the precision at a prevalence that is known or fixed."""
    return _predictive(moved, "positive")


def negative_predictive(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the negative predictive value at a prevalence that is known or fixed."""
    return _predictive(moved, "negative")


def _predictive(
    moved: MovedShares, which: Literal["positive", "negative"]
) -> ConfidenceInterval | None:
    matrix = moved.matrix
    if matrix.rejected or not (matrix.positives and matrix.negatives):
        return None
    prevalence = float(matrix.positives / matrix.rows)
    value = predictive_value_interval(*_class_counts(moved), prevalence, moved.level, which)
    return ConfidenceInterval(float(value.low), float(value.high), f"Mercaldo, {value.method}")


def false_discovery(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the false discovery rate."""
    return _complement(positive_predictive(moved))


def false_omission(moved: MovedShares) -> ConfidenceInterval | None:
    """Interval of the false omission rate."""
    return _complement(negative_predictive(moved))


def _by_mover(moved: MovedShares, name: str) -> ConfidenceInterval:
    low, high = (float(end) for end in moved.interval(METRICS[name]))
    return ConfidenceInterval(low, high, MOVER)
