"""Summaries of precision-recall and risk-coverage curves, such as average precision."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.measures.curves.interpolation import ratio_area
from tradeoff.measures.curves.rejection import risk_area
from tradeoff.measures.estimate import ConfidenceInterval, Subject, missing_interval
from tradeoff.measures.registry import Undefined, summary
from tradeoff.measures.summaries.areas import SHARE, curve_reading_interval, require_ranked_classes
from tradeoff.stats.normal import critical_value

Numbers = NDArray[np.float64]


def _bounds_in_bins(ranking: Ranking) -> tuple[float, float]:
    """Lowest and highest average precision over every order inside bins.

    Every positive row counts with the precision where its tie ends. With t hits and f alarms there,
    that is t / (t + f), the larger the more hits and the fewer alarms. At the most, all positives
    of a bin share a score above its negatives: the best case. At the least the j-th of them, after
    a hits before the bin, has but a + j hits, and all F alarms up to the bin's end. Its x / (x + F)
    at x = a + j is no less than the mean between a + j - 1/2 and a + j + 1/2, being concave, so the
    sum is no less than the integral from a + 1/2 on. Parts of real weights can be of any size:
    there the sum is no less than the integral from a on, as the ratio rises.
    """
    tp, predicted = _positive_counts(ranking)
    gained, fp = np.diff(tp), (predicted - tp)[1:]
    start = tp[:-1] + (0.5 if ranking.is_counted else 0.0)
    below = start + fp
    # P - F log(1 + P / (a + F)), such that no digits are lost where F is much larger than P.
    grown = np.divide(gained, below, out=np.zeros(len(gained)), where=below > 0)
    least = gained * np.where(below > 0, start / np.where(below > 0, below, 1), 1.0)
    least += fp * (grown - np.log1p(grown))
    tied = _at_tie_ends(tp, predicted)
    spread = np.zeros(len(gained), bool) if ranking.levels is None else ranking.levels[1:] > 0
    # The bound may exceed the tie's own value by nothing but rounding.
    low = np.where(spread, np.minimum(least, tied), tied).sum() / tp[-1]
    return float(low), average_precision(ranking.best_case)


def _by_influences(subject: Subject) -> ConfidenceInterval:
    """Interval on the logit scale, from the variance of influences.

    A positive row is counted among those at or above its own score, which makes average precision
    too large; the mean over the other rows alone is not. The interval reaches from the lower end
    by the one to the upper end by the other.
    """
    ranking, value = subject.ranking, subject.value
    if not 0 < value < 1:
        return missing_interval(f"no interval: the value is {value:g}")
    tp, fp = (side.astype(np.float64) for side in ranking.tally[1:])
    positives, total, predicted = np.diff(tp), tp[-1], (tp + fp)[1:]
    has_rows = predicted > 0
    precision = np.divide(tp[1:], predicted, out=np.zeros(len(predicted)), where=has_rows)
    average = float(positives @ precision) / total
    square = np.where(has_rows, predicted, 1.0) ** 2
    of_positives = precision - average + _from_here(positives * fp[1:] / square)
    of_negatives = -_from_here(positives * tp[1:] / square)
    rows = tp[-1] + fp[-1]
    variance = subject.mean_variance(of_positives * rows / total, of_negatives * rows / total)
    unbiased = value - average + _leaving_out(ranking, tp, predicted, positives)
    half = critical_value(subject.level) * math.sqrt(variance)
    ends = [_logit_ends(middle, half) for middle in (value, unbiased)]
    return ConfidenceInterval(
        min(low for low, _ in ends), max(high for _, high in ends), "influence function, logit"
    )


def _from_here(values: Numbers) -> Numbers:
    """Sums of each value and all below it in the ranking."""
    return np.cumsum(values[::-1])[::-1]


def _leaving_out(ranking: Ranking, tp: Numbers, predicted: Numbers, positives: Numbers) -> float:
    """Average precision where no positive row counts itself."""
    weight = np.ones(len(positives))
    if ranking.squares is not None:
        squares = np.diff(ranking.squares.tally.true_positives.astype(np.float64))
        weight = np.divide(squares, positives, out=weight, where=positives > 0)
    others, among = tp[1:] - weight, predicted - weight
    share = float(ranking.positives / (ranking.positives + ranking.negatives))
    alone = among <= weight * 1e-9
    precision = np.where(alone, share, np.clip(others, 0, None) / np.where(alone, 1.0, among))
    return float(positives @ np.clip(precision, 0, 1)) / float(tp[-1])


def _logit_ends(middle: float, half: float) -> tuple[float, float]:
    middle = min(max(middle, 1e-9), 1 - 1e-9)
    centre, reach = math.log(middle / (1 - middle)), half / (middle * (1 - middle))
    return _expit(centre - reach), _expit(centre + reach)


def _expit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0


def _by_plain_jackknife(subject: Subject) -> ConfidenceInterval:
    return subject.jackknife(log=False)


def _by_jackknife(subject: Subject) -> ConfidenceInterval:
    return subject.jackknife(log=True)


@summary(
    formula="sum over thresholds of (recall gained) * precision",
    family="precision and recall",
    range=SHARE,
    better="higher",
    aliases=("ap", "average_precision_score"),
    in_sklearn=0.0,
    sentence="precision, averaged over the {positive} rows, is {value}",
    others="Not the trapezoid, which is too optimistic: that is `pr_trapezoid`.",
    source="Davis & Goadrich 2006, doi:10.1145/1143844.1143874",
    in_bins=_bounds_in_bins,
    interval=_by_influences,
    headline={"tables": 4, "models": 3, "tracking": 2, "opening": 2},
)
def average_precision(ranking: Ranking) -> float:
    tp, predicted = _positive_counts(ranking)
    area = _at_tie_ends(tp, predicted).sum() / tp[-1]
    return float(min(area, 1.0))  # sums of real weights may stray past 1


@summary(
    formula="area under precision over recall, interpolated along the expected counts",
    family="precision and recall",
    range=SHARE,
    better="higher",
    aliases=("auprc", "aucpr", "aupr", "pr_auc", "auc_pr"),
    sentence="the area under the precision-recall curve is {value}",
    others="The hyperbola between two points is integrated exactly, as PRROC and precrec do.",
    source="Davis & Goadrich 2006, doi:10.1145/1143844.1143874; Keilwagen, Grosse & Grau 2014, "
    "doi:10.1371/journal.pone.0092209",
    by_dominance=True,
    interval=_by_influences,
)
def pr_area(ranking: Ranking) -> float:
    tp, predicted = _positive_counts(ranking)
    return ratio_area(tp, predicted, tp / tp[-1])


@summary(
    formula="trapezoids under (recall, precision), from the added point (0, 1)",
    family="precision and recall",
    range=SHARE,
    better="higher",
    sentence="scikit-learn's auc(recall, precision) is {value}",
    others="A compatibility value: no classifier attains the straight lines between points. "
    "ROCR starts differently where a negative row has the highest score.",
    interval=_by_influences,
)
def pr_trapezoid(ranking: Ranking) -> float:
    tp, predicted = _positive_counts(ranking)
    recall = tp / tp[-1]
    precision = np.concatenate([[1.0], tp[1:] / predicted[1:]])
    return float(np.trapezoid(precision, recall))


@summary(
    formula="area under precision gain over recall gain, from recall gain 0 on",
    family="precision and recall",
    range=(-np.inf, 1.0),
    better="higher",
    aliases=("auprg",),
    sentence="the area under the precision-recall-gain curve is {value}",
    source="Flach & Kull 2015, Precision-Recall-Gain curves: PR analysis done right, NIPS 28",
    by_dominance=True,
    interval=_by_jackknife,
)
def pr_gain_area(ranking: Ranking) -> float:
    require_ranked_classes(ranking)
    tp, predicted = _positive_counts(ranking)
    fp = predicted - tp
    share = tp[-1] / predicted[-1]
    odds = share / (1 - share)
    # Recall gain is 0 where this share of the positives is found; gains run straight from there.
    first = share * tp[-1]
    inside = tp > first
    ups = np.concatenate([[first], tp[inside]])
    overs = np.concatenate([[np.interp(first, tp, fp)], fp[inside]])
    return float(np.trapezoid(1 - odds * overs / ups, 1 - odds * (tp[-1] - ups) / ups))


@summary(
    formula="precision where it equals recall: as many rows are taken as are positive",
    family="precision and recall",
    range=SHARE,
    better="higher",
    aliases=("prbe", "r_precision"),
    sentence="of as many top-scored rows as there are {positive} rows, {share} are {positive}",
    others="The expected value within ties; ROCR's prbe is that of the nearest cut-off.",
    by_dominance=True,
    interval=curve_reading_interval,
)
def break_even(ranking: Ranking) -> float:
    tp, predicted = _positive_counts(ranking)
    return float(np.interp(tp[-1], predicted, tp) / tp[-1])


def _at_tie_ends(tp: NDArray[np.float64], predicted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Positives of each tie times the precision at its end; 0 without rows."""
    hits = np.diff(tp) * tp[1:]
    return np.divide(hits, predicted[1:], out=np.zeros(len(hits)), where=predicted[1:] > 0)


def _positive_counts(ranking: Ranking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """True positives and predicted positives at each threshold, as floats."""
    if not ranking.positives:
        raise Undefined(f"no ranked row is {ranking.positive}" if ranking.rows else "no rows")
    tp = ranking.true_positives.astype(np.float64)
    return tp, tp + ranking.false_positives


@summary(
    formula="area under the error rate of decided rows over the share decided, those farthest "
    "from the threshold first",
    family="rejection",
    range=SHARE,
    better="lower",
    aliases=("area_under_risk_coverage",),
    sentence="deciding the most certain rows first, the mean error rate is {value}",
    others="The exact area; many tools use the mean over rows, which is slightly larger.",
    source="Geifman & El-Yaniv 2017, Selective classification for deep neural networks, NIPS 30",
    interval=_by_plain_jackknife,
)
def aurc(ranking: Ranking, *, threshold: float = 0.5) -> float:
    if not ranking.distinct:
        raise Undefined("every row is rejected" if ranking.rows else "there are no rows")
    return risk_area(ranking, threshold)
