"""One way to ask for numbers with their intervals, be rows independent or in clusters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tradeoff.analysis.intervals.class_averages import sure_average
from tradeoff.analysis.intervals.clustered import sure_answers
from tradeoff.analysis.intervals.confidence import Confidence
from tradeoff.analysis.intervals.metrics import Matrix, sure_metrics
from tradeoff.analysis.intervals.summaries import sure_summaries, sure_summary
from tradeoff.analysis.questions import THRESHOLD, question_of
from tradeoff.measures.averages import average
from tradeoff.measures.curves.bounds import corners, place_inside, spread_over

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tradeoff.analysis.questions import Question
    from tradeoff.core.confusion import ClassMatrix
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.averages import Average
    from tradeoff.measures.estimate import Estimate
    from tradeoff.measures.registry import Measure

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
