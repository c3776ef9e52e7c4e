"""Summaries of discrimination over all thresholds: AUC, Gini, KS, equal error rate."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.concordance import Ties
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.measures.estimate import ConfidenceInterval, Subject
from tradeoff.measures.registry import Undefined, summary
from tradeoff.stats.special import incomplete_beta, kolmogorov_quantile

UNIT_RANGE = (0.0, 1.0)


def curve_reading_interval(subject: Subject) -> ConfidenceInterval:
    """Confidence interval for a summary read off a curve, such as the equal error rate."""
    return subject.reading()


def _optimistic_auc_interval(subject: Subject) -> ConfidenceInterval:
    return subject.area(_break_ties(subject.ranking, positives_first=True))


def _pessimistic_auc_interval(subject: Subject) -> ConfidenceInterval:
    return subject.area(_break_ties(subject.ranking, positives_first=False))


def _break_ties(ranking: Ranking, *, positives_first: bool) -> Ranking:
    """Break the ties of a ranking so that the rows of one class come first."""
    _, tp, fp = ranking.tally
    squares = ranking.squares
    is_tied = (np.diff(tp) > 0) & (np.diff(fp) > 0)
    if not is_tied.any():
        return ranking
    order = np.sort(np.concatenate([np.arange(len(tp)), np.flatnonzero(is_tied) + 0.5]))
    before, after = np.floor(order).astype(np.intp), np.ceil(order).astype(np.intp)

    def split(source: Ranking) -> Ranking:
        positive_order, negative_order = (after, before) if positives_first else (before, after)
        tally = Tally(
            np.asarray(source.tally.thresholds[after]),
            source.tally.true_positives[positive_order],
            source.tally.false_positives[negative_order],
        )
        return replace(source, tally=tally, squares=None, levels=None, known_pairs=None)

    return replace(split(ranking), squares=None if squares is None else split(squares))


def _smirnov_interval(subject: Subject) -> ConfidenceInterval:
    """Conservative interval from the distribution of the two-sample Kolmogorov–Smirnov statistic.

    The largest difference is chosen on the same rows, so it is biased upwards. The interval is
    valid nevertheless (Smirnov 1939), but wider than necessary.
    """
    positives, negatives = subject.ranking.effective_rows
    half_width = kolmogorov_quantile(1 - subject.level) * math.sqrt(1 / positives + 1 / negatives)
    method = "Kolmogorov–Smirnov bound, conservative"
    return ConfidenceInterval(
        max(subject.value - half_width, 0.0), min(subject.value + half_width, 1.0), method
    )


@summary(
    usual_label="AUC",
    formula="P(score of a positive > score of a negative) + P(equal) / 2",
    family="ranking",
    range=UNIT_RANGE,
    better="higher",
    aliases=(
        "area_under_roc",
        "roc_auc_score",
        "area_under_curve",
        "area_under_the_curve",
        "c_statistic",
        "c_stat",
        "concordance",
        "roc_auc",
        "auroc",
        "auc_roc",
        "c_index",
    ),
    sentence="a random {positive} row ranks above a random {negative} row {share} of the time",
    others="Never flipped to exceed 1/2, unlike pROC by default, and never computed from bins, "
    "unlike Spark, H2O and TFMA.",
    source="Hanley & McNeil 1982, doi:10.1148/radiology.143.1.7063747",
    respects_dominance=True,
    depends_on_prevalence=False,
    linear_in_auc=(1.0, 0.0),
    headline={"tables": 1, "models": 1, "tracking": 1, "opening": 1},
)
def auc(ranking: Ranking) -> float:
    return _concordance(ranking, "half")


@summary(
    usual_label="AUC (optimistic)",
    formula="P(score of a positive >= score of a negative)",
    family="ranking",
    range=UNIT_RANGE,
    better="higher",
    sentence="if every tie counted as concordant, the AUC would be {value}",
    others="RapidMiner's optimistic AUC.",
    respects_dominance=True,
    depends_on_prevalence=False,
    interval=_optimistic_auc_interval,
)
def auc_optimistic(ranking: Ranking) -> float:
    return _concordance(ranking, "won")


@summary(
    usual_label="AUC (pessimistic)",
    formula="P(score of a positive > score of a negative)",
    family="ranking",
    range=UNIT_RANGE,
    better="higher",
    sentence="if every tie counted as discordant, the AUC would be {value}",
    others="RapidMiner's pessimistic AUC.",
    respects_dominance=True,
    depends_on_prevalence=False,
    interval=_pessimistic_auc_interval,
)
def auc_pessimistic(ranking: Ranking) -> float:
    return _concordance(ranking, "lost")


@summary(
    usual_label="Gini coefficient",
    formula="2 * auc - 1",
    family="ranking",
    range=(-1.0, 1.0),
    better="higher",
    aliases=("accuracy_ratio", "somers_d", "gini_coefficient"),
    sentence="the Gini coefficient of the ranking is {value}",
    others="Not the Gini impurity of decision trees.",
    respects_dominance=True,
    depends_on_prevalence=False,
    linear_in_auc=(2.0, -1.0),
    headline={"tables": 2},
)
def gini(ranking: Ranking) -> float:
    return 2 * auc(ranking) - 1


@summary(
    usual_label="KS statistic",
    formula="max over thresholds of tpr - fpr",
    family="ranking",
    range=UNIT_RANGE,
    better="higher",
    aliases=("kolmogorov_smirnov", "ks_statistic"),
    sentence="the largest difference between tpr and fpr is {value}",
    others="The two-sample test takes the largest absolute difference: the same value only if the "
    "ROC curve lies above the diagonal there.",
    respects_dominance=True,
    depends_on_prevalence=False,
    interval=_smirnov_interval,
    headline={"tables": 3, "models": 2},
)
def ks(ranking: Ranking) -> float:
    require_ranked_classes(ranking)
    tpr, fpr = rates(ranking)
    return float((tpr - fpr).max())


@summary(
    usual_label="H-measure",
    formula="1 - expected cost / expected cost of the better trivial classifier, where the cost "
    "share of a false positive ~ Beta(1 + prevalence, 2 - prevalence)",
    family="ranking",
    range=UNIT_RANGE,
    better="higher",
    aliases=("h",),
    sentence="averaged over cost ratios, {share} of the loss of the best trivial classifier is "
    "avoided",
    others="Hand's first proposal was Beta(2, 2), which does not depend on the prevalence; R's "
    "hmeasure uses another Beta by default.",
    source="Hand & Anagnostopoulos 2014, A better Beta for the H measure of classification "
    "performance, Pattern Recognition Letters 40",
    respects_dominance=True,
    no_interval="its estimate is biased upwards, and no valid interval is known",
    headline={"tables": 5},
)
def h_measure(ranking: Ranking) -> float:
    require_ranked_classes(ranking)
    tpr, fpr = (rate[ranking.hull_places] for rate in rates(ranking))
    prevalence = float(ranking.positives / (ranking.positives + ranking.negatives))
    # Vertex i is cheapest for costs between the indifference points of its two edges.
    rise, run = prevalence * np.diff(tpr), (1 - prevalence) * np.diff(fpr)
    # With weights, rounding may leave a rise or run of 0 slightly negative.
    limits = np.clip(np.concatenate([[1.0], rise / (rise + run), [0.0]]), 0.0, 1.0)
    cost = _expected_cost(tpr, fpr, limits, prevalence)
    corners = np.array([0.0, 1.0])
    trivial = _expected_cost(corners, corners, np.array([1.0, prevalence, 0.0]), prevalence)
    return float(np.clip(1 - cost / trivial, 0.0, 1.0))


@summary(
    usual_label="ROC hull AUC",
    formula="area under the convex hull of the ROC points",
    family="ranking",
    range=UNIT_RANGE,
    better="higher",
    aliases=("auch", "roc_hull_area"),
    sentence="with random mixtures of thresholds, the AUC would be {value}",
    source="Provost & Fawcett 2001, doi:10.1023/A:1007601015854",
    respects_dominance=True,
    depends_on_prevalence=False,
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def auc_hull(ranking: Ranking) -> float:
    require_ranked_classes(ranking)
    tpr, fpr = (rate[ranking.hull_places] for rate in rates(ranking))
    return float(np.trapezoid(tpr, fpr))


@summary(
    formula="false positive rate where it equals the false negative rate",
    family="ranking",
    range=UNIT_RANGE,
    better="lower",
    aliases=("eer",),
    sentence="where both error rates are equal, each is {share}",
    others="Interpolated linearly between points, so a random mixture of two thresholds attains "
    "it.",
    respects_dominance=True,
    depends_on_prevalence=False,
    interval=curve_reading_interval,
)
def equal_error_rate(ranking: Ranking) -> float:
    require_ranked_classes(ranking)
    tpr, fpr = rates(ranking)
    return float(np.interp(0.0, fpr - (1 - tpr), fpr))


def is_significantly_worse_than_chance(ranking: Ranking) -> bool:
    """Whether the AUC is significantly below 0.5."""
    if not (ranking.positives and ranking.negatives):
        return False
    positives, negatives = ranking.effective_rows
    # The standard error of the Mann–Whitney statistic for uninformative scores.
    standard_error = np.sqrt((positives + negatives + 1) / (12 * positives * negatives))
    return bool(auc(ranking) + 1.96 * standard_error < 0.5)


def _expected_cost(
    tpr: NDArray[Any], fpr: NDArray[Any], limits: NDArray[Any], prevalence: float
) -> float:
    """Lowest expected cost, averaged over the cost c of a false positive (a miss costs 1 - c)."""
    a, b = 1 + prevalence, 2 - prevalence
    false_positive_costs = -np.diff(incomplete_beta(a + 1, b, limits)) * a / (a + b)
    false_negative_costs = -np.diff(incomplete_beta(a, b + 1, limits)) * b / (a + b)
    false_positives = false_positive_costs * (1 - prevalence) * fpr
    return float((false_positives + false_negative_costs * prevalence * (1 - tpr)).sum())


def require_ranked_classes(ranking: Ranking) -> None:
    """Require ranked rows of both classes, as the AUC does; raise `Undefined` otherwise."""
    if not ranking.rows:
        raise Undefined("there are no rows")
    if not ranking.positives:
        raise Undefined(
            f"no ranked row belongs to class {ranking.positive}; both classes are needed"
        )
    if not ranking.negatives:
        raise Undefined(
            f"every ranked row belongs to class {ranking.positive}; both classes are needed"
        )


def _concordance(ranking: Ranking, ties: Ties) -> float:
    """Proportion of pairs in which the positive row ranks higher; `ties`: how ties count."""
    require_ranked_classes(ranking)
    # Python integers divide exactly at any size; weights are floats and may round to above 1.
    pairs = 2 * ranking.positives.item() * ranking.negatives.item()
    return float(min(max(ranking.twice_pairs_won(ties=ties) / pairs, 0.0), 1.0))


def rates(ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any]]:
    """True and false positive rates at every threshold: the ROC points that determine the areas."""
    return (
        ranking.true_positives / ranking.positives,
        ranking.false_positives / ranking.negatives,
    )
