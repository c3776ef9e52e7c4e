"""Any number with its interval: metrics, summaries, costs; rows independent or in clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.costs import Costs, expenses
from tradeoff.measures.averages import average
from tradeoff.measures.curves.bounds import corners, place_inside, spread_over
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS
from tradeoff.uncertainty.auc import BOUND, areas, logit_ends, perfect_bound
from tradeoff.uncertainty.bootstrap import SharedRows, bootstrap, percentile_interval
from tradeoff.uncertainty.confidence import Confidence, Spread
from tradeoff.uncertainty.delta_method import sure_average
from tradeoff.uncertainty.metrics import Matrix, sure_metric, sure_metrics
from tradeoff.uncertainty.question import THRESHOLD, cost_inside, question_of
from tradeoff.uncertainty.summaries import (
    OF_THE_AREA,
    inside,
    sure_summaries,
    sure_summary,
    with_spread,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from tradeoff.core.confusion import ClassMatrix
    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking
    from tradeoff.core.resamples import Resamples
    from tradeoff.measures.averages import Average
    from tradeoff.measures.registry import Measure
    from tradeoff.uncertainty.question import Question


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
            ends = Spread(math.nan, math.nan, "", note)
            found[name] = with_spread(found[name], ends, confidence.level)
        elif question.name in OF_THE_AREA and not confidence.draws:
            ends = _area(paired, question.name, confidence.level)
            found[name] = with_spread(found[name], ends, confidence.level)
        else:
            drawn[name] = question
    if drawn:
        for name, ends in _spreads(drawn, paired, confidence).items():
            found[name] = with_spread(found[name], ends, confidence.level)
    return found


def _area(paired: PairedRanking, name: str, level: float) -> Spread:
    own = areas(paired)
    area, variance = float(own.values[0]), float(own.covariance[0, 0])
    factor, constant = OF_THE_AREA[name]
    if math.isnan(variance):
        why = "no interval: it needs two clusters with rows of each class"
        return Spread(math.nan, math.nan, "", why)
    if area in {0.0, 1.0}:
        low, high = perfect_bound(area, _fewest_clusters(paired), level)
        method = f"{BOUND} over clusters"
    elif not variance:
        return Spread(math.nan, math.nan, "", "no interval: the area does not vary")
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
        why = Spread(math.nan, math.nan, "", "no interval: it needs two clusters with each class")
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


def sure_cost(
    ranking: Ranking,
    costs: AnyCosts,
    threshold: float,
    intervals: Intervals,
    prevalence: float | None = None,
) -> Estimate:
    """The expected cost of a case at a threshold, with its interval where costs are constant."""
    spent = expenses(ranking, costs, threshold, prevalence)
    if not spent.rows:
        return METRICS[NAME].estimate(ranking.at(threshold))
    plain = Estimate(NAME, float(spent.here / spent.rows))
    if not isinstance(costs, Costs) or costs.columns:
        return plain if intervals.confidence is None else replace(plain, note=BY_ROW)
    seen = ranking.at_prevalence(prevalence)
    if intervals.confidence is None:
        return cost_inside(plain, seen, costs, threshold)
    rejected = costs.undecided
    measure = METRICS[NAME].with_parameters(
        cost_tp=costs.found,
        cost_fn=costs.missed,
        cost_fp=costs.alarm,
        cost_tn=costs.passed,
        cost_rp=rejected[0],
        cost_rn=rejected[1],
    )
    place = place_inside(seen, threshold)
    if place is None:
        found = sure_metric(measure, seen.at(threshold), intervals.confidence)
        return _paid(found, plain.value)
    each = [
        _paid(
            sure_metric(measure, corner, intervals.confidence),
            float(costs.total(corner)) / spent.rows,
        )
        for corner in corners(seen, place)
    ]
    return spread_over(None, each, seen)


def _paid(found: Estimate, value: float) -> Estimate:
    """What is paid once for all shifts the value and both ends alike."""
    fixed = value - found.value
    return replace(found, name=NAME, value=value, low=found.low + fixed, high=found.high + fixed)


Estimates = dict[str, "Estimate"]


@dataclass(frozen=True)
class Intervals:
    """How intervals are found: what is asked, and the rows by cluster of models that have them.

    Without a `confidence` numbers come without intervals.
    """

    confidence: Confidence | None = field(default_factory=Confidence)
    clusters: Mapping[str, PairedRanking] = field(default_factory=dict)

    @property
    def for_parts(self) -> Intervals:
        """For folds and segments, whose rows by cluster are not kept."""
        return PLAIN if self.clusters else self

    def of_matrix(self, measures: Iterable[Measure], matrix: Matrix) -> Estimates:
        """Metrics of a matrix."""
        if self.confidence is None:
            return {measure.name: measure.estimate(matrix) for measure in measures}
        return sure_metrics(measures, matrix, self.confidence)

    def averages(self, measures: Iterable[Measure], matrix: ClassMatrix, how: Average) -> Estimates:
        """Two-class metrics averaged over the classes of a matrix."""
        confidence = self.confidence
        if confidence is None:
            return {measure.name: average(matrix, measure, how) for measure in measures}
        return {m.name: sure_average(matrix, m, how, confidence) for m in measures}

    def at(self, measures: Iterable[Measure], ranking: Ranking, threshold: float) -> Estimates:
        """Metrics at a threshold."""
        measures = list(measures)
        if self.confidence is None or ranking.name not in self.clusters:
            return self._at(measures, ranking, threshold)
        asked = {m.name: question_of(m, at=(THRESHOLD, threshold)) for m in measures}
        return sure_answers(asked, self.clusters[ranking.name], self.confidence)

    def _at(self, measures: list[Measure], ranking: Ranking, threshold: float) -> Estimates:
        place = place_inside(ranking, threshold)
        if place is None:
            return self.of_matrix(measures, ranking.at(threshold))
        each = [self.of_matrix(measures, corner) for corner in corners(ranking, place)]
        return {m.name: spread_over(m, [own[m.name] for own in each], ranking) for m in measures}

    def summaries(self, measures: Iterable[Measure], ranking: Ranking) -> Estimates:
        """Summaries of a ranking."""
        if self.confidence is None:
            return {measure.name: measure.estimate(ranking) for measure in measures}
        if ranking.name not in self.clusters:
            return sure_summaries(measures, ranking, self.confidence)
        asked = {m.name: question_of(m) for m in measures}
        return sure_answers(asked, self.clusters[ranking.name], self.confidence)

    def answer(self, question: Question, ranking: Ranking) -> Estimate:
        """Any one number with its interval."""
        if self.confidence is None:
            return question.estimate(ranking)
        if ranking.name in self.clusters:
            paired = self.clusters[ranking.name]
            return sure_answers({"": question}, paired, self.confidence)[""]
        if question.measure is not None and question.threshold is not None:
            seen = ranking.at_prevalence(question.prevalence)
            return self._at([question.measure], seen, question.threshold)[question.measure.name]
        return sure_summary(question, ranking, self.confidence)


PLAIN = Intervals(None)
