"""Summaries of precision-recall and risk-coverage curves: average precision, PR area, AURC."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.measures.curves.interpolation import interpolated_ratio_area
from tradeoff.measures.curves.rejection import risk_area
from tradeoff.measures.estimate import ConfidenceInterval, Subject, missing_interval
from tradeoff.measures.registry import Undefined, summary
from tradeoff.measures.summaries.areas import (
    UNIT_RANGE,
    curve_reading_interval,
    require_ranked_classes,
)
from tradeoff.stats.normal import critical_value

Numbers = NDArray[np.float64]


def _bounds_in_bins(ranking: Ranking) -> tuple[float, float]:
    """Lowest and highest average precision over all orders of rows inside bins.

    Every positive row contributes the precision at the end of its tie. With t true and f false
    positives there, that is t / (t + f), which increases with t and decreases with f. The maximum
    is the best case: in each bin, all positives share a score above its negatives. For the minimum,
    with a true positives above the bin and F false positives at its end, the j-th positive has
    precision x / (x + F) at x = a + j. As this is concave in x, it is at least its mean between
    a + j - 1/2 and a + j + 1/2, so the sum is at least the integral from a + 1/2 on. With real
    weights the steps can be of any size: the sum is then at least the integral from a on, as the
    ratio increases.
    """
    tp, predicted = _positive_counts(ranking)
    bin_positives, fp = np.diff(tp), (predicted - tp)[1:]
    start = tp[:-1] + (0.5 if ranking.is_counted else 0.0)
    denominator = start + fp
    # P - F log(1 + P / (a + F)), arranged to lose no digits if F is much larger than P.
    relative_gain = np.divide(
        bin_positives, denominator, out=np.zeros(len(bin_positives)), where=denominator > 0
    )
    minimum = bin_positives * np.where(
        denominator > 0, start / np.where(denominator > 0, denominator, 1), 1.0
    )
    minimum += fp * (relative_gain - np.log1p(relative_gain))
    precision_sums = _precision_sums(tp, predicted)
    has_several_scores = (
        np.zeros(len(bin_positives), bool) if ranking.levels is None else ranking.levels[1:] > 0
    )
    # The bound exceeds the value of a tie at most by rounding error.
    minimum = np.where(has_several_scores, np.minimum(minimum, precision_sums), precision_sums)
    return float(minimum.sum() / tp[-1]), average_precision(ranking.best_case)


def _influence_interval(subject: Subject) -> ConfidenceInterval:
    """Confidence interval on the logit scale, from the variance of the influence function.

    A positive row counts among the rows at or above its own score, which biases average precision
    upwards; leaving it out removes the bias. The interval is the union of the intervals around
    both values.
    """
    ranking, value = subject.ranking, subject.value
    if not 0 < value < 1:
        return missing_interval(f"no interval: the value is {value:g}")
    tp, fp = (side.astype(np.float64) for side in ranking.tally[1:])
    positives, total, predicted = np.diff(tp), tp[-1], (tp + fp)[1:]
    has_rows = predicted > 0
    precision = np.divide(tp[1:], predicted, out=np.zeros(len(predicted)), where=has_rows)
    average = float(positives @ precision) / total
    squared_rows = np.where(has_rows, predicted, 1.0) ** 2
    positive_influence = precision - average + _reverse_cumsum(positives * fp[1:] / squared_rows)
    negative_influence = -_reverse_cumsum(positives * tp[1:] / squared_rows)
    rows = tp[-1] + fp[-1]
    variance = subject.mean_variance(
        positive_influence * rows / total, negative_influence * rows / total
    )
    unbiased_value = value - average + _leave_one_out_value(ranking, tp, predicted, positives)
    half_width = critical_value(subject.level) * math.sqrt(variance)
    limits = [_logit_limits(center, half_width) for center in (value, unbiased_value)]
    return ConfidenceInterval(
        min(low for low, _ in limits), max(high for _, high in limits), "influence function, logit"
    )


def _reverse_cumsum(values: Numbers) -> Numbers:
    """Cumulative sums from the bottom of the ranking upwards."""
    return np.cumsum(values[::-1])[::-1]


def _leave_one_out_value(
    ranking: Ranking, tp: Numbers, predicted: Numbers, positives: Numbers
) -> float:
    """Average precision with each positive row left out of its own precision."""
    weight = np.ones(len(positives))
    if ranking.squares is not None:
        squares = np.diff(ranking.squares.tally.true_positives.astype(np.float64))
        weight = np.divide(squares, positives, out=weight, where=positives > 0)
    other_positives, other_rows = tp[1:] - weight, predicted - weight
    prevalence = float(ranking.positives / (ranking.positives + ranking.negatives))
    is_alone = other_rows <= weight * 1e-9
    other_precision = np.clip(other_positives, 0, None) / np.where(is_alone, 1.0, other_rows)
    precision = np.where(is_alone, prevalence, other_precision)
    return float(positives @ np.clip(precision, 0, 1)) / float(tp[-1])


def _logit_limits(value: float, half_width: float) -> tuple[float, float]:
    value = min(max(value, 1e-9), 1 - 1e-9)
    center, half_logit_width = math.log(value / (1 - value)), half_width / (value * (1 - value))
    return _expit(center - half_logit_width), _expit(center + half_logit_width)


def _expit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0


def _jackknife_interval(subject: Subject) -> ConfidenceInterval:
    return subject.jackknife(log=False)


def _log_jackknife_interval(subject: Subject) -> ConfidenceInterval:
    return subject.jackknife(log=True)


@summary(
    formula="sum over thresholds of (increase in recall) * precision",
    family="precision and recall",
    range=UNIT_RANGE,
    better="higher",
    aliases=("ap", "average_precision_score"),
    in_sklearn=0.0,
    sentence="precision, averaged over the {positive} rows, is {value}",
    others="Not by the trapezoidal rule, which is too optimistic: for that see `pr_trapezoid`.",
    source="Davis & Goadrich 2006, doi:10.1145/1143844.1143874",
    bounds_in_bins=_bounds_in_bins,
    interval=_influence_interval,
    headline={"tables": 4, "models": 3, "tracking": 2, "opening": 2},
)
def average_precision(ranking: Ranking) -> float:
    tp, predicted = _positive_counts(ranking)
    area = _precision_sums(tp, predicted).sum() / tp[-1]
    return float(min(area, 1.0))  # sums of real weights may round to above 1


@summary(
    usual_label="PR AUC",
    formula="area under the precision-recall curve, interpolated by expected counts",
    family="precision and recall",
    range=UNIT_RANGE,
    better="higher",
    aliases=("auprc", "aucpr", "aupr", "pr_auc", "auc_pr"),
    sentence="the area under the precision-recall curve is {value}",
    others="The hyperbola between two points is integrated exactly, as in PRROC and precrec.",
    source="Davis & Goadrich 2006, doi:10.1145/1143844.1143874; Keilwagen, Grosse & Grau 2014, "
    "doi:10.1371/journal.pone.0092209",
    respects_dominance=True,
    interval=_influence_interval,
)
def pr_area(ranking: Ranking) -> float:
    tp, predicted = _positive_counts(ranking)
    return interpolated_ratio_area(tp, predicted, tp / tp[-1])


@summary(
    usual_label="PR AUC (trapezoidal)",
    formula="trapezoidal rule for precision over recall, with an added point (0, 1)",
    family="precision and recall",
    range=UNIT_RANGE,
    better="higher",
    sentence="scikit-learn's auc(recall, precision) is {value}",
    others="For compatibility only: no classifier attains the straight lines between points. ROCR "
    "starts differently if a negative row has the highest score.",
    interval=_influence_interval,
)
def pr_trapezoid(ranking: Ranking) -> float:
    tp, predicted = _positive_counts(ranking)
    recall = tp / tp[-1]
    precision = np.concatenate([[1.0], tp[1:] / predicted[1:]])
    return float(np.trapezoid(precision, recall))


@summary(
    usual_label="PR gain AUC",
    formula="area under the precision-recall-gain curve, from recall gain 0 on",
    family="precision and recall",
    range=(-np.inf, 1.0),
    better="higher",
    aliases=("auprg",),
    sentence="the area under the precision-recall-gain curve is {value}",
    source="Flach & Kull 2015, Precision-Recall-Gain curves: PR analysis done right, NIPS 28",
    respects_dominance=True,
    interval=_log_jackknife_interval,
)
def pr_gain_area(ranking: Ranking) -> float:
    require_ranked_classes(ranking)
    tp, predicted = _positive_counts(ranking)
    fp = predicted - tp
    prevalence = tp[-1] / predicted[-1]
    odds = prevalence / (1 - prevalence)
    # Recall gain is 0 at a recall equal to the prevalence; from there on it is linear.
    first_tp = prevalence * tp[-1]
    is_inside = tp > first_tp
    tp_inside = np.concatenate([[first_tp], tp[is_inside]])
    fp_inside = np.concatenate([[np.interp(first_tp, tp, fp)], fp[is_inside]])
    precision_gain = 1 - odds * fp_inside / tp_inside
    recall_gain = 1 - odds * (tp[-1] - tp_inside) / tp_inside
    return float(np.trapezoid(precision_gain, recall_gain))


@summary(
    usual_label="break-even point",
    formula="precision where it equals recall, i.e. with as many rows predicted positive as are "
    "positive",
    family="precision and recall",
    range=UNIT_RANGE,
    better="higher",
    aliases=("prbe", "r_precision"),
    sentence="of as many top-scored rows as there are {positive} rows, {share} are {positive}",
    others="Within ties the expected value; ROCR's prbe is the value at the nearest cut-off.",
    respects_dominance=True,
    interval=curve_reading_interval,
)
def break_even(ranking: Ranking) -> float:
    tp, predicted = _positive_counts(ranking)
    return float(np.interp(tp[-1], predicted, tp) / tp[-1])


def _precision_sums(tp: NDArray[np.float64], predicted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Number of positives in each tie, times the precision at its end; 0 without rows."""
    products = np.diff(tp) * tp[1:]
    return np.divide(products, predicted[1:], out=np.zeros(len(products)), where=predicted[1:] > 0)


def _positive_counts(ranking: Ranking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """True positives and predicted positives at each threshold, as floats."""
    if not ranking.positives:
        raise Undefined(
            f"no ranked row belongs to class {ranking.positive}"
            if ranking.rows
            else "there are no rows"
        )
    tp = ranking.true_positives.astype(np.float64)
    return tp, tp + ranking.false_positives


@summary(
    usual_label="AURC",
    formula="area under the risk-coverage curve: error rate of decided rows over the proportion "
    "decided, those farthest from the threshold first",
    family="rejection",
    range=UNIT_RANGE,
    better="lower",
    aliases=("area_under_risk_coverage",),
    sentence="deciding the most certain rows first, the mean error rate is {value}",
    others="The exact area; many tools give the mean over rows, which is slightly larger.",
    source="Geifman & El-Yaniv 2017, Selective classification for deep neural networks, NIPS 30",
    interval=_jackknife_interval,
)
def aurc(ranking: Ranking, *, threshold: float = 0.5) -> float:
    if not ranking.distinct:
        raise Undefined("every row is rejected" if ranking.rows else "there are no rows")
    return risk_area(ranking, threshold)
