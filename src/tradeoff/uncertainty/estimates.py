"""Estimates of metrics, summaries and costs with confidence intervals; rows may be clustered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import split_bin_index
from tradeoff.core.confusion import ClassMatrix
from tradeoff.core.costs import AnyCosts, Costs, expenses
from tradeoff.core.ranking import Ranking
from tradeoff.core.resampled_rankings import Resamples
from tradeoff.measures.averages import Average, average
from tradeoff.measures.curves.bin_bounds import bin_corner_matrices, estimate_inside_bin
from tradeoff.measures.estimate import ConfidenceInterval, Estimate, missing_interval
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.uncertainty.auc import (
    PERFECT_AUC_METHOD,
    auc_covariance,
    auc_logit_interval,
    perfect_auc_interval,
)
from tradeoff.uncertainty.bootstrap import SharedRows, bootstrap, percentile_interval
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.uncertainty.metric_intervals import (
    Matrix,
    average_with_interval,
    metric_with_interval,
    metrics_with_intervals,
)
from tradeoff.uncertainty.question import THRESHOLD, Question, cost_answer_in_bin, measure_question
from tradeoff.uncertainty.summary_intervals import (
    clip_interval,
    linear_in_auc,
    summaries_with_intervals,
    summary_with_interval,
    with_interval,
)

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking


# Intervals for clustered rows: several rows per patient, user or machine.
#
# Rows in a cluster resemble each other, so they carry less information than the same number of
# independent rows: whole clusters are resampled, and AUCs have Obuchowski's variance.


TOO_FEW_CLUSTERS = "no interval: two clusters with rows of each class are needed"


def clustered_estimates(
    questions: Mapping[str, Question], paired: PairedRanking, confidence: Confidence
) -> dict[str, Estimate]:
    """Estimates for one model with confidence intervals that account for clusters of rows."""
    (ranking,) = paired.rankings.values()
    estimates = {name: question.estimate(ranking) for name, question in questions.items()}
    resampled_questions = {}
    for name, question in questions.items():
        if not estimates[name].is_defined:
            continue
        measure = question.measure
        if measure is not None and measure.no_interval and not confidence.is_bootstrap:
            interval = missing_interval(f"no interval: {measure.no_interval}")
            estimates[name] = with_interval(estimates[name], interval, confidence.level)
        elif (coefficients := linear_in_auc(question)) and not confidence.is_bootstrap:
            interval = _clustered_auc_interval(paired, coefficients, confidence.level)
            estimates[name] = with_interval(estimates[name], interval, confidence.level)
        else:
            resampled_questions[name] = question
    if resampled_questions:
        for name, interval in _cluster_bootstrap(resampled_questions, paired, confidence).items():
            estimates[name] = with_interval(estimates[name], interval, confidence.level)
    return estimates


def _clustered_auc_interval(
    paired: PairedRanking, coefficients: tuple[float, float], level: float
) -> ConfidenceInterval:
    aucs = auc_covariance(paired)
    auc, variance = float(aucs.values[0]), float(aucs.covariance[0, 0])
    factor, constant = coefficients
    if math.isnan(variance):
        return missing_interval(TOO_FEW_CLUSTERS)
    if auc in {0.0, 1.0}:
        low, high = perfect_auc_interval(auc, _min_clusters(paired), level)
        method = f"{PERFECT_AUC_METHOD} over clusters"
    elif not variance:
        return missing_interval("no interval: the variance of the AUC is 0")
    else:
        low, high = auc_logit_interval(auc, variance, level)
        method = "Obuchowski on the logit scale"
    return ConfidenceInterval(factor * low + constant, factor * high + constant, method)


def _min_clusters(paired: PairedRanking) -> int:
    """Number of clusters with positives or of those with negatives, whichever is smaller."""
    clusters = np.asarray(paired.clusters)
    masks = (paired.positive_rows, ~paired.positive_rows)
    return min(len(np.unique(clusters[mask])) for mask in masks)


def _cluster_bootstrap(
    questions: Mapping[str, Question], paired: PairedRanking, confidence: Confidence
) -> dict[str, ConfidenceInterval]:
    if _min_clusters(paired) < 2:
        return dict.fromkeys(questions, missing_interval(TOO_FEW_CLUSTERS))
    shared = SharedRows.of(paired, *questions.values())

    def estimates(models: Sequence[Resamples]) -> NDArray[Any]:
        return np.array(
            [[q.estimate(resample).value for q in questions.values()] for resample in models[0]]
        )

    values = bootstrap(shared, estimates, confidence)
    method = f"cluster bootstrap, {len(values):,} resamples, seed {confidence.seed}"
    (ranking,) = paired.rankings.values()
    intervals = {}
    for index, (name, question) in enumerate(questions.items()):
        value = question.estimate(ranking).value
        coarse_value = question.estimate(shared.coarse_rankings[0]).value
        interval = percentile_interval(
            values[:, index], coarse_value, confidence, shift=value - coarse_value
        )
        intervals[name] = clip_interval(interval._replace(method=method), question)
    return intervals


# The expected cost per case.


EXPECTED_COST = "expected_cost"
COSTS_DIFFER = "no interval: costs differ from row to row"


def cost_estimate(
    ranking: Ranking,
    costs: AnyCosts,
    threshold: float,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
    prevalence: float | None = None,
) -> Estimate:
    """Estimate of the expected cost per case at a threshold, with a confidence interval.

    There is no interval if costs differ from row to row.
    """
    total_costs = expenses(ranking, costs, threshold, prevalence)
    if not total_costs.rows:
        return METRICS[EXPECTED_COST].estimate(ranking.at(threshold))
    label = METRICS[EXPECTED_COST].label
    estimate = Estimate(EXPECTED_COST, float(total_costs.total / total_costs.rows), label=label)
    if not isinstance(costs, Costs) or costs.columns:
        return estimate if confidence is None else replace(estimate, note=COSTS_DIFFER)
    weighted = ranking.at_prevalence(prevalence)
    if confidence is None:
        return cost_answer_in_bin(estimate, weighted, costs, threshold)
    rejection_costs = costs.undecided
    measure = METRICS[EXPECTED_COST].with_parameters(
        cost_tp=costs.found,
        cost_fn=costs.missed,
        cost_fp=costs.alarm,
        cost_tn=costs.passed,
        cost_rp=rejection_costs[0],
        cost_rn=rejection_costs[1],
    )
    index = split_bin_index(weighted, threshold)
    if index is None:
        variable_cost = metric_with_interval(measure, weighted.at(threshold), confidence)
        return _shift_cost(variable_cost, estimate.value)
    corner_estimates = [
        _shift_cost(
            metric_with_interval(measure, corner, confidence),
            float(costs.total(corner)) / total_costs.rows,
        )
        for corner in bin_corner_matrices(weighted, index)
    ]
    return estimate_inside_bin(None, corner_estimates, weighted)


def _shift_cost(estimate: Estimate, value: float) -> Estimate:
    """Shift an estimated cost and its limits to a value that includes fixed costs."""
    fixed_cost = value - estimate.value
    low, high = estimate.low + fixed_cost, estimate.high + fixed_cost
    return replace(estimate, name=EXPECTED_COST, value=value, low=low, high=high)


Estimates = dict[str, "Estimate"]
"""Estimates by the name of their measure; without intervals if `confidence` is None."""


def matrix_estimates(
    measures: Iterable[Measure], matrix: Matrix, confidence: Confidence | None = DEFAULT_CONFIDENCE
) -> Estimates:
    """Estimates of metrics of a confusion matrix, with confidence intervals."""
    if confidence is None:
        return {measure.name: measure.estimate(matrix) for measure in measures}
    return metrics_with_intervals(measures, matrix, confidence)


def average_estimates(
    measures: Iterable[Measure], matrix: ClassMatrix, how: Average, confidence: Confidence | None
) -> Estimates:
    """Estimates of two-class metrics averaged over classes, with confidence intervals."""
    if confidence is None:
        return {measure.name: average(matrix, measure, how) for measure in measures}
    return {m.name: average_with_interval(matrix, m, how, confidence) for m in measures}


def metric_estimates(
    measures: Iterable[Measure],
    ranking: Ranking,
    threshold: float,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
    clusters: PairedRanking | None = None,
) -> Estimates:
    """Estimates of metrics at a threshold; intervals account for `clusters` of rows, if any."""
    measures = list(measures)
    if confidence is not None and clusters is not None:
        questions = {m.name: measure_question(m, at=(THRESHOLD, threshold)) for m in measures}
        return clustered_estimates(questions, clusters, confidence)
    index = split_bin_index(ranking, threshold)
    if index is None:
        return matrix_estimates(measures, ranking.at(threshold), confidence)
    corner_estimates = [
        matrix_estimates(measures, corner, confidence)
        for corner in bin_corner_matrices(ranking, index)
    ]
    return {
        m.name: estimate_inside_bin(m, [corner[m.name] for corner in corner_estimates], ranking)
        for m in measures
    }


def summary_estimates(
    measures: Iterable[Measure],
    ranking: Ranking,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
    clusters: PairedRanking | None = None,
) -> Estimates:
    """Estimates of summaries of a ranking; intervals account for `clusters` of rows, if any."""
    if confidence is None:
        return {measure.name: measure.estimate(ranking) for measure in measures}
    if clusters is None:
        return summaries_with_intervals(measures, ranking, confidence)
    return clustered_estimates(
        {m.name: measure_question(m) for m in measures}, clusters, confidence
    )


def question_estimate(
    question: Question,
    ranking: Ranking,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
    clusters: PairedRanking | None = None,
) -> Estimate:
    """Estimate that answers a question about a ranking, with its confidence interval."""
    if confidence is None:
        return question.estimate(ranking)
    if clusters is not None:
        return clustered_estimates({"": question}, clusters, confidence)[""]
    if question.measure is not None and question.threshold is not None:
        weighted = ranking.at_prevalence(question.prevalence)
        estimates = metric_estimates([question.measure], weighted, question.threshold, confidence)
        return estimates[question.measure.name]
    return summary_with_interval(question, ranking, confidence)
