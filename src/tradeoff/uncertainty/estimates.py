"""Estimates with confidence intervals of metrics, summaries and costs; rows may be clustered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ClassMatrix
from tradeoff.core.costs import AnyCosts, Costs, expenses
from tradeoff.core.ranking import Ranking
from tradeoff.core.resampled_rankings import Resamples
from tradeoff.measures.averages import Average, average
from tradeoff.measures.curves.bin_bounds import (
    bin_corner_matrices,
    estimate_inside_bin,
    split_bin_index,
)
from tradeoff.measures.estimate import ConfidenceInterval, Estimate, missing_interval
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.uncertainty.auc import BOUND, auc_covariance, logit_interval, perfect_auc_interval
from tradeoff.uncertainty.bootstrap import SharedRows, bootstrap, percentile_interval
from tradeoff.uncertainty.confidence import USUAL, Confidence
from tradeoff.uncertainty.metrics import (
    Matrix,
    average_with_interval,
    metric_with_interval,
    metrics_with_intervals,
)
from tradeoff.uncertainty.question import THRESHOLD, Question, cost_inside_bin, measure_question
from tradeoff.uncertainty.summaries import (
    clip_interval,
    linear_in_auc,
    summaries_with_intervals,
    summary_with_interval,
    with_interval,
)

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking


# Intervals of clustered rows: several rows of one patient, user or machine.
#
# Rows of one cluster resemble each other, so they carry less information than as many independent
# ones: whole clusters are resampled, and AUCs have Obuchowski's variance.


def clustered_estimates(
    questions: Mapping[str, Question], paired: PairedRanking, confidence: Confidence
) -> dict[str, Estimate]:
    """Estimates for one model with confidence intervals that respect clusters of rows."""
    (ranking,) = paired.rankings.values()
    estimates = {name: question.estimate(ranking) for name, question in questions.items()}
    resampled = {}
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
            resampled[name] = question
    if resampled:
        for name, interval in _cluster_bootstrap(resampled, paired, confidence).items():
            estimates[name] = with_interval(estimates[name], interval, confidence.level)
    return estimates


def _clustered_auc_interval(
    paired: PairedRanking, coefficients: tuple[float, float], level: float
) -> ConfidenceInterval:
    areas = auc_covariance(paired)
    area, variance = float(areas.values[0]), float(areas.covariance[0, 0])
    factor, constant = coefficients
    if math.isnan(variance):
        return missing_interval("no interval: two clusters with rows of each class are needed")
    if area in {0.0, 1.0}:
        low, high = perfect_auc_interval(area, _fewest_clusters(paired), level)
        method = f"{BOUND} over clusters"
    elif not variance:
        return missing_interval("no interval: the variance of the AUC is 0")
    else:
        low, high = logit_interval(area, variance, level)
        method = "Obuchowski on the logit scale"
    return ConfidenceInterval(factor * low + constant, factor * high + constant, method)


def _fewest_clusters(paired: PairedRanking) -> int:
    """The smaller of the numbers of clusters with positives and with negatives."""
    clusters = np.asarray(paired.clusters)
    masks = (paired.positive_rows, ~paired.positive_rows)
    return min(len(np.unique(clusters[mask])) for mask in masks)


def _cluster_bootstrap(
    questions: Mapping[str, Question], paired: PairedRanking, confidence: Confidence
) -> dict[str, ConfidenceInterval]:
    if _fewest_clusters(paired) < 2:
        missing = missing_interval("no interval: two clusters with each class are needed")
        return dict.fromkeys(questions, missing)
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
        exact = question.estimate(ranking).value
        coarse = question.estimate(shared.patterns[0]).value
        interval = percentile_interval(values[:, index], coarse, confidence, shift=exact - coarse)
        intervals[name] = clip_interval(interval._replace(method=method), question)
    return intervals


# The expected cost per case.


NAME = "expected_cost"
BY_ROW = "no interval: costs differ from row to row"


def cost_estimate(
    ranking: Ranking,
    costs: AnyCosts,
    threshold: float,
    confidence: Confidence | None = USUAL,
    prevalence: float | None = None,
) -> Estimate:
    """Estimate of the expected cost per case at a threshold, with a confidence interval.

    Costs that differ from row to row have no interval.
    """
    spent = expenses(ranking, costs, threshold, prevalence)
    if not spent.rows:
        return METRICS[NAME].estimate(ranking.at(threshold))
    plain = Estimate(NAME, float(spent.total / spent.rows))
    if not isinstance(costs, Costs) or costs.columns:
        return plain if confidence is None else replace(plain, note=BY_ROW)
    weighted = ranking.at_prevalence(prevalence)
    if confidence is None:
        return cost_inside_bin(plain, weighted, costs, threshold)
    rejected = costs.undecided
    measure = METRICS[NAME].with_parameters(
        cost_tp=costs.found,
        cost_fn=costs.missed,
        cost_fp=costs.alarm,
        cost_tn=costs.passed,
        cost_rp=rejected[0],
        cost_rn=rejected[1],
    )
    index = split_bin_index(weighted, threshold)
    if index is None:
        estimate = metric_with_interval(measure, weighted.at(threshold), confidence)
        return _shift_cost(estimate, plain.value)
    by_corner = [
        _shift_cost(
            metric_with_interval(measure, corner, confidence),
            float(costs.total(corner)) / spent.rows,
        )
        for corner in bin_corner_matrices(weighted, index)
    ]
    return estimate_inside_bin(None, by_corner, weighted)


def _shift_cost(estimate: Estimate, value: float) -> Estimate:
    """Fixed costs shift the value and both limits alike."""
    fixed = value - estimate.value
    low, high = estimate.low + fixed, estimate.high + fixed
    return replace(estimate, name=NAME, value=value, low=low, high=high)


Estimates = dict[str, "Estimate"]
"""Estimates by the name of their measure. Where `confidence` is None they have no intervals."""


def matrix_estimates(
    measures: Iterable[Measure], matrix: Matrix, confidence: Confidence | None = USUAL
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
    confidence: Confidence | None = USUAL,
    clusters: PairedRanking | None = None,
) -> Estimates:
    """Estimates of metrics at a threshold; intervals respect `clusters` of rows, if any."""
    measures = list(measures)
    if confidence is not None and clusters is not None:
        questions = {m.name: measure_question(m, at=(THRESHOLD, threshold)) for m in measures}
        return clustered_estimates(questions, clusters, confidence)
    index = split_bin_index(ranking, threshold)
    if index is None:
        return matrix_estimates(measures, ranking.at(threshold), confidence)
    by_corner = [
        matrix_estimates(measures, corner, confidence)
        for corner in bin_corner_matrices(ranking, index)
    ]
    return {
        m.name: estimate_inside_bin(m, [corner[m.name] for corner in by_corner], ranking)
        for m in measures
    }


def summary_estimates(
    measures: Iterable[Measure],
    ranking: Ranking,
    confidence: Confidence | None = USUAL,
    clusters: PairedRanking | None = None,
) -> Estimates:
    """Estimates of summaries of a ranking; intervals respect `clusters` of rows, if any."""
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
    confidence: Confidence | None = USUAL,
    clusters: PairedRanking | None = None,
) -> Estimate:
    """Estimate that answers a question to a ranking, with its confidence interval."""
    if confidence is None:
        return question.estimate(ranking)
    if clusters is not None:
        return clustered_estimates({"": question}, clusters, confidence)[""]
    if question.measure is not None and question.threshold is not None:
        weighted = ranking.at_prevalence(question.prevalence)
        estimates = metric_estimates([question.measure], weighted, question.threshold, confidence)
        return estimates[question.measure.name]
    return summary_with_interval(question, ranking, confidence)
