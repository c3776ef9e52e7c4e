"""Comparison of a model between segments of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from tradeoff.comparison.comparison import ComparisonSummary
from tradeoff.comparison.difference import Difference
from tradeoff.comparison.unpaired import difference
from tradeoff.core.costs import AnyCosts
from tradeoff.core.ranking import Ranking
from tradeoff.errors import suggest_arguments
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.measures.vocabulary_measures import vocabulary_measures
from tradeoff.stats.significance import holm_adjusted
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.question import question_options


@suggest_arguments
def compare_segments(  # noqa: PLR0913 - segments, metrics, costs
    segments: Mapping[str, Ranking],
    metrics: Sequence[str] = ("auc",),
    *,
    by: str = "",
    at: tuple[str, float] | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    confidence: Confidence | None = None,
    vocabulary: Vocabulary = "general",
) -> ComparisonSummary:
    """Compare one model across segments: unpaired differences between all pairs of segments."""
    options = {"at": at, "prevalence": prevalence, "costs": costs}
    rankings = [ranking.named(name) for name, ranking in segments.items()]
    differences: list[Difference] = []
    for metric in vocabulary_measures(metrics, vocabulary):
        metric_options = question_options(metric, options)
        metric_differences = [
            difference(*pair, metric, confidence=confidence, **metric_options)
            for pair in combinations(rankings, 2)
        ]
        p_values = holm_adjusted([d.p_value for d in metric_differences])
        differences += [
            replace(d, adjusted=float(p)) for d, p in zip(metric_differences, p_values, strict=True)
        ]
    return ComparisonSummary(None, tuple(differences), by=by, segments=tuple(segments))
