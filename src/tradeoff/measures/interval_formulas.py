"""Confidence intervals for single metrics by published formulas or from other metrics' intervals.

`@metric(interval=…)` takes one of these functions, which returns None if its formula does not apply
to a matrix, so that MOVER is used instead. The report's page has a function of the same name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from tradeoff.measures.estimate import ConfidenceInterval, missing_interval
from tradeoff.measures.mover import METHOD as MOVER_METHOD
from tradeoff.measures.mover import (
    PREVALENCE,
    TRUE_POSITIVE_RATE,
    Mover,
    Proportion,
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

ACTUAL_POSITIVE_PROPORTION, PREDICTED_POSITIVE_PROPORTION = (
    Proportion((0, 1), (3, 4)),
    Proportion((0, 3), (1, 4)),
)
"""Proportions of positives and of predicted positives among rows that are not rejected."""
DIFFERENCE_MAY_BE_ZERO = "no interval: it is the reciprocal of a difference that may be 0"


def _class_counts(mover: Mover) -> tuple[float, float, float, float]:
    """True positives, positives, false positives, negatives, scaled to effective sample sizes."""
    matrix = mover.matrix
    counts = []
    for hits_name, total_name, side in (
        ("true_positives", "positives", "positives"),
        ("false_positives", "negatives", "negatives"),
    ):
        hits, rows = float(getattr(matrix, hits_name)), float(getattr(matrix, total_name))
        if matrix.squares is not None and rows:
            trials = _class_trials(mover, side)
            # Rounding must not make hits exceed trials.
            hits, rows = min(hits * trials / rows, trials), trials
        counts += [hits, rows]
    return counts[0], counts[1], counts[2], counts[3]


def _class_trials(mover: Mover, side: str) -> float:
    """Effective number of rows behind a rate over all rows of a class."""
    proportions = {"positives": Proportion((0,), (1, 2)), "negatives": Proportion((3,), (4, 5))}
    squares = mover.matrix.squares
    return float(
        proportions[side].trials(
            confusion_cells(mover.matrix), None if squares is None else confusion_cells(squares)
        )
    )


def odds(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the odds ratio, by Woolf's logit method."""
    return _odds_ratio_interval(mover, float)


def log_odds(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the log odds ratio, by Woolf's logit method."""
    return _odds_ratio_interval(mover, _log)


def effect_size(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the discriminant power, sqrt(3) / pi times the log odds ratio."""
    return _odds_ratio_interval(mover, lambda odds: math.sqrt(3) / math.pi * _log(odds))


def association(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for Yule's Q, (OR - 1) / (OR + 1), from that for the odds ratio."""
    return _odds_ratio_interval(mover, _yule)


def colligation(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for Yule's Y: like Q, with the square root of the odds ratio."""
    return _odds_ratio_interval(mover, lambda odds: _yule(math.sqrt(odds)))


def _odds_ratio_interval(
    mover: Mover, scale: Callable[[float], float]
) -> ConfidenceInterval | None:
    """Confidence interval for an increasing function of the odds ratio."""
    if mover.matrix.rejected:
        return None
    tp, positives, fp, negatives = _class_counts(mover)
    ratio = odds_ratio_interval(tp, positives - tp, fp, negatives - fp, mover.level)
    return ConfidenceInterval(scale(float(ratio.low)), scale(float(ratio.high)), str(ratio.method))


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def _yule(ratio: float) -> float:
    return 1 - 2 / (1 + ratio)


def positive_likelihood(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for an infinite LR+: log method with 1/2 added to each cell."""
    if mover.matrix.false_positives or not mover.matrix.true_positives:
        return None
    ratio = likelihood_ratio_interval(*_class_counts(mover), mover.level)
    return ConfidenceInterval(float(ratio.low), float(ratio.high), str(ratio.method))


def negative_likelihood(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for an infinite LR-: log method with 1/2 added to each cell."""
    if mover.matrix.true_negatives or not mover.matrix.false_negatives or mover.matrix.rejected:
        return None
    tp, positives, fp, negatives = _class_counts(mover)
    ratio = likelihood_ratio_interval(
        positives - tp, positives, negatives - fp, negatives, mover.level
    )
    return ConfidenceInterval(float(ratio.low), float(ratio.high), str(ratio.method))


def difference_of_rates(mover: Mover) -> ConfidenceInterval:
    """Confidence interval for the difference between TPR and FPR, by Newcombe's method."""
    low, high = (
        float(limit) for limit in newcombe_interval(*_class_counts(mover), mover.level)[-2:]
    )
    return ConfidenceInterval(low, high, "Newcombe")


def mean_of_rates(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for balanced accuracy."""
    if mover.matrix.rejected:
        return None
    low, high, method, _ = difference_of_rates(mover)
    return ConfidenceInterval((1 + low) / 2, (1 + high) / 2, method)


def mean_of_errors(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the balanced error rate."""
    return _complement_interval(mean_of_rates(mover))


def _complement_interval(interval: ConfidenceInterval | None) -> ConfidenceInterval | None:
    return interval and interval._replace(low=1 - interval.high, high=1 - interval.low)


def reciprocal_difference(mover: Mover) -> ConfidenceInterval:
    """Confidence interval for the number needed to diagnose, 1 / (TPR - FPR)."""
    return _reciprocal_interval(difference_of_rates(mover))


def reciprocal_markedness(mover: Mover) -> ConfidenceInterval:
    """Confidence interval for the reciprocal of markedness."""
    return _reciprocal_interval(_mover_interval(mover, "markedness"))


def _reciprocal_interval(difference: ConfidenceInterval) -> ConfidenceInterval:
    if difference.low <= 0 <= difference.high:
        return missing_interval(DIFFERENCE_MAY_BE_ZERO)
    return difference._replace(low=1 / difference.high, high=1 / difference.low)


def log_lift(mover: Mover) -> ConfidenceInterval:
    """Confidence interval for the binary logarithm of the lift."""
    low, high, method, _ = _mover_interval(mover, "lift")
    return ConfidenceInterval(_log(low) / math.log(2), _log(high) / math.log(2), method)


def likelihood_gain(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for precision gain, 1 - 1 / LR+, in which the prevalence cancels out."""
    ratio = positive_likelihood(mover) or _mover_interval(mover, "positive_likelihood_ratio")
    low, high = (1 - 1 / limit if limit else -math.inf for limit in (ratio.low, ratio.high))
    return ConfidenceInterval(low, high, ratio.method)


def recall_gain(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for recall gain, from the logits of prevalence and recall."""
    if mover.matrix.rejected or not (mover.matrix.positives and mover.matrix.negatives):
        return None
    cells = confusion_cells(mover.matrix)
    squares = None if mover.matrix.squares is None else confusion_cells(mover.matrix.squares)
    hits, misses = float(cells[0]), float(cells[1])
    trials = float(TRUE_POSITIVE_RATE.trials(cells, squares))
    has_empty_cell = not (hits and misses)
    counts = [part * trials / (hits + misses) + 0.5 * has_empty_cell for part in (hits, misses)]
    variance = 1 / counts[0] + 1 / counts[1]
    prevalence = float(PREVALENCE.value(cells))
    if not mover.fixed_classes:
        rows = float(PREVALENCE.trials(cells, squares))
        variance += 1 / (rows * prevalence * (1 - prevalence))
    center = math.log(prevalence / (1 - prevalence)) + math.log(counts[1] / counts[0])
    half_width = critical_value(mover.level) * math.sqrt(variance)
    value = float(METRICS["recall_gain"](mover.matrix))
    low, high = 1 - math.exp(center + half_width), 1 - math.exp(center - half_width)
    method = "logit, with 1/2 added" if has_empty_cell else "logit"
    return ConfidenceInterval(min(low, value), max(high, value), method)


def larger_share(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the proportion of the larger class."""
    return _proportion_interval(mover, ACTUAL_POSITIVE_PROPORTION, lambda p: max(p, 1 - p))


def actual_entropy(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the entropy of the actual classes."""
    return _proportion_interval(mover, ACTUAL_POSITIVE_PROPORTION, _binary_entropy)


def predicted_entropy(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the entropy of the predicted classes."""
    return _proportion_interval(mover, PREDICTED_POSITIVE_PROPORTION, _binary_entropy)


def _proportion_interval(
    mover: Mover, proportion: Proportion, scale: Callable[[float], float]
) -> ConfidenceInterval | None:
    """Confidence interval for a function of one proportion, monotone on either side of 1/2."""
    if mover.fixed_classes:
        return None
    cells, squares = confusion_cells(mover.matrix), mover.matrix.squares
    squared_cells = None if squares is None else confusion_cells(squares)
    limits = proportion.interval(cells, squared_cells, mover.level)
    low, high = (float(limit) for limit in limits)
    values = [scale(point) for point in (low, high, min(max(0.5, low), high))]
    return ConfidenceInterval(min(values), max(values), "Wilson")


def _binary_entropy(proportion: float) -> float:
    return -sum(p * math.log2(p) for p in (proportion, 1 - proportion) if p > 0)


def overlap_with_fewer(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for TP / min(positives, predicted positives), by Wilson's method."""
    return _overlap_interval(mover, larger=False)


def overlap_with_more(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for TP / max(positives, predicted positives), by Wilson's method."""
    return _overlap_interval(mover, larger=True)


def _overlap_interval(mover: Mover, *, larger: bool) -> ConfidenceInterval | None:
    matrix = mover.matrix
    by_class = (matrix.positives > matrix.predicted_positives) == larger
    if mover.fixed_classes and not by_class:
        return None
    proportion = Proportion((0,), (1, 2)) if by_class else Proportion((0,), (3,))
    squares = None if matrix.squares is None else confusion_cells(matrix.squares)
    low, high = proportion.interval(confusion_cells(matrix), squares, mover.level)
    return ConfidenceInterval(float(low), float(high), "Wilson")


def positive_predictive(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for precision at a known or fixed prevalence, by Mercaldo's method."""
    return _predictive_value_interval(mover, "positive")


def negative_predictive(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the NPV at a known or fixed prevalence, by Mercaldo's method."""
    return _predictive_value_interval(mover, "negative")


def _predictive_value_interval(
    mover: Mover, side: Literal["positive", "negative"]
) -> ConfidenceInterval | None:
    matrix = mover.matrix
    if matrix.rejected or not (matrix.positives and matrix.negatives):
        return None
    prevalence = float(matrix.positives / matrix.rows)
    value = predictive_value_interval(*_class_counts(mover), prevalence, mover.level, side)
    return ConfidenceInterval(float(value.low), float(value.high), f"Mercaldo, {value.method}")


def false_discovery(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the false discovery rate, 1 - precision."""
    return _complement_interval(positive_predictive(mover))


def false_omission(mover: Mover) -> ConfidenceInterval | None:
    """Confidence interval for the false omission rate, 1 - NPV."""
    return _complement_interval(negative_predictive(mover))


def _mover_interval(mover: Mover, name: str) -> ConfidenceInterval:
    low, high = (float(limit) for limit in mover.interval(METRICS[name]))
    return ConfidenceInterval(low, high, MOVER_METHOD)
