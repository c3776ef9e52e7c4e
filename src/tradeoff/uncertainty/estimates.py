"""Any number with its interval: metrics, summaries, costs; rows independent or in clusters."""

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
from tradeoff.core.resamples import Resamples
from tradeoff.measures.averages import Average, average
from tradeoff.measures.curves.bounds import corners, place_inside, spread_over
from tradeoff.measures.estimate import Estimate, Spread, no_spread
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.uncertainty.auc import BOUND, areas, logit_ends, perfect_bound
from tradeoff.uncertainty.bootstrap import SharedRows, bootstrap, percentile_interval
from tradeoff.uncertainty.confidence import USUAL, Confidence
from tradeoff.uncertainty.metrics import Matrix, sure_average, sure_metric, sure_metrics
from tradeoff.uncertainty.question import THRESHOLD, Question, cost_inside, question_of
from tradeoff.uncertainty.summaries import (
    inside,
    of_area,
    sure_summaries,
    sure_summary,
    with_spread,
)

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking


# How sure numbers are when several rows belong to one patient, user or machine.
#
# Rows of one cluster resemble each other, so there is less to learn from them than from as many
# independent ones: whole clusters are resampled, and areas vary by cluster (Obuchowski).


def sure_answers(
    asked: Mapping[str, Question], paired: PairedRanking, confidence: Confidence
) -> dict[str, Estimate]:
    """Answers for one model, by name, with intervals that respect clusters."""
    (ranking,) = paired.rankings.values()
    found = {name: question.estimate(ranking) for name, question in asked.items()}
    drawn = {}
    for name, question in asked.items():
        if not found[name].is_defined:
            continue
        measure = question.measure
        if measure is not None and measure.no_interval and not confidence.draws:
            note = f"no interval: {measure.no_interval}"
            ends = no_spread(note)
            found[name] = with_spread(found[name], ends, confidence.level)
        elif (line := of_area(question)) and not confidence.draws:
            ends = _area(paired, line, confidence.level)
            found[name] = with_spread(found[name], ends, confidence.level)
        else:
            drawn[name] = question
    if drawn:
        for name, ends in _spreads(drawn, paired, confidence).items():
            found[name] = with_spread(found[name], ends, confidence.level)
    return found


def _area(paired: PairedRanking, line: tuple[float, float], level: float) -> Spread:
    own = areas(paired)
    area, variance = float(own.values[0]), float(own.covariance[0, 0])
    factor, constant = line
    if math.isnan(variance):
        why = "no interval: it needs two clusters with rows of each class"
        return no_spread(why)
    if area in {0.0, 1.0}:
        low, high = perfect_bound(area, _fewest_clusters(paired), level)
        method = f"{BOUND} over clusters"
    elif not variance:
        return no_spread("no interval: the area does not vary")
    else:
        low, high = logit_ends(area, variance, level)
        method = "Obuchowski on the logit scale"
    return Spread(factor * low + constant, factor * high + constant, method)


def _fewest_clusters(paired: PairedRanking) -> int:
    """How many clusters have rows of the class that fewer have."""
    clusters = np.asarray(paired.clusters)
    sides = (paired.positive_rows, ~paired.positive_rows)
    return min(len(np.unique(clusters[side])) for side in sides)


def _spreads(
    asked: Mapping[str, Question], paired: PairedRanking, confidence: Confidence
) -> dict[str, Spread]:
    if _fewest_clusters(paired) < 2:
        why = no_spread("no interval: it needs two clusters with each class")
        return dict.fromkeys(asked, why)
    questions = list(asked.values())
    shared = SharedRows.of(paired, *questions)

    def answers(models: Sequence[Resamples]) -> NDArray[Any]:
        return np.array([[q.estimate(own).value for q in questions] for own in models[0]])

    values = bootstrap(shared, answers, confidence)
    (ranking,) = paired.rankings.values()
    found = {}
    for at, (name, question) in enumerate(asked.items()):
        exact = question.estimate(ranking).value
        rough = question.estimate(shared.patterns[0]).value
        ends = percentile_interval(values[:, at], rough, confidence, shift=exact - rough)
        method = f"cluster bootstrap, {len(values):,} draws, seed {confidence.seed}"
        found[name] = inside(ends._replace(method=method), question)
    return found


# How sure the cost of a case is.


NAME = "expected_cost"
BY_ROW = "no interval: costs differ from row to row"


def cost_estimate(
    ranking: Ranking,
    costs: AnyCosts,
    threshold: float,
    confidence: Confidence | None = USUAL,
    prevalence: float | None = None,
) -> Estimate:
    """The expected cost of a case at a threshold, with its interval where costs are constant."""
    spent = expenses(ranking, costs, threshold, prevalence)
    if not spent.rows:
        return METRICS[NAME].estimate(ranking.at(threshold))
    plain = Estimate(NAME, float(spent.here / spent.rows))
    if not isinstance(costs, Costs) or costs.columns:
        return plain if confidence is None else replace(plain, note=BY_ROW)
    weighed = ranking.at_prevalence(prevalence)
    if confidence is None:
        return cost_inside(plain, weighed, costs, threshold)
    rejected = costs.undecided
    measure = METRICS[NAME].with_parameters(
        cost_tp=costs.found,
        cost_fn=costs.missed,
        cost_fp=costs.alarm,
        cost_tn=costs.passed,
        cost_rp=rejected[0],
        cost_rn=rejected[1],
    )
    place = place_inside(weighed, threshold)
    if place is None:
        estimate = sure_metric(measure, weighed.at(threshold), confidence)
        return _paid(estimate, plain.value)
    by_corner = [
        _paid(sure_metric(measure, corner, confidence), float(costs.total(corner)) / spent.rows)
        for corner in corners(weighed, place)
    ]
    return spread_over(None, by_corner, weighed)


def _paid(found: Estimate, value: float) -> Estimate:
    """What is paid once for all shifts the value and both ends alike."""
    fixed = value - found.value
    return replace(found, name=NAME, value=value, low=found.low + fixed, high=found.high + fixed)


Estimates = dict[str, "Estimate"]
"""Estimates by the name of their measure. Where `confidence` is None they have no intervals."""


def matrix_estimates(
    measures: Iterable[Measure], matrix: Matrix, confidence: Confidence | None = USUAL
) -> Estimates:
    """Metrics of a matrix."""
    if confidence is None:
        return {measure.name: measure.estimate(matrix) for measure in measures}
    return sure_metrics(measures, matrix, confidence)


def average_estimates(
    measures: Iterable[Measure], matrix: ClassMatrix, how: Average, confidence: Confidence | None
) -> Estimates:
    """Two-class metrics averaged over the classes of a matrix."""
    if confidence is None:
        return {measure.name: average(matrix, measure, how) for measure in measures}
    return {m.name: sure_average(matrix, m, how, confidence) for m in measures}


def metric_estimates(
    measures: Iterable[Measure],
    ranking: Ranking,
    threshold: float,
    confidence: Confidence | None = USUAL,
    clusters: PairedRanking | None = None,
) -> Estimates:
    """Metrics at a threshold; intervals respect the ranking's `clusters` of rows, if it has any."""
    measures = list(measures)
    if confidence is not None and clusters is not None:
        questions = {m.name: question_of(m, at=(THRESHOLD, threshold)) for m in measures}
        return sure_answers(questions, clusters, confidence)
    place = place_inside(ranking, threshold)
    if place is None:
        return matrix_estimates(measures, ranking.at(threshold), confidence)
    by_corner = [
        matrix_estimates(measures, corner, confidence) for corner in corners(ranking, place)
    ]
    return {m.name: spread_over(m, [at[m.name] for at in by_corner], ranking) for m in measures}


def summary_estimates(
    measures: Iterable[Measure],
    ranking: Ranking,
    confidence: Confidence | None = USUAL,
    clusters: PairedRanking | None = None,
) -> Estimates:
    """Summaries of a ranking; intervals respect its `clusters` of rows, if it has any."""
    if confidence is None:
        return {measure.name: measure.estimate(ranking) for measure in measures}
    if clusters is None:
        return sure_summaries(measures, ranking, confidence)
    return sure_answers({m.name: question_of(m) for m in measures}, clusters, confidence)


def answer(
    question: Question,
    ranking: Ranking,
    confidence: Confidence | None = USUAL,
    clusters: PairedRanking | None = None,
) -> Estimate:
    """Any one number with its interval."""
    if confidence is None:
        return question.estimate(ranking)
    if clusters is not None:
        return sure_answers({"": question}, clusters, confidence)[""]
    if question.measure is not None and question.threshold is not None:
        weighed = ranking.at_prevalence(question.prevalence)
        estimates = metric_estimates([question.measure], weighed, question.threshold, confidence)
        return estimates[question.measure.name]
    return sure_summary(question, ranking, confidence)
