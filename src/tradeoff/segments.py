"""Metrics by segment, and the gaps between segments with simultaneous confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, suggest_arguments
from tradeoff.formatting import (
    format_count,
    format_level,
    format_number,
    format_percent,
    with_minus_signs,
)
from tradeoff.measures.estimate import Estimate, estimate_columns
from tradeoff.measures.registry import Better, Measure, is_summary
from tradeoff.measures.vocabulary import Vocabulary, name_label
from tradeoff.measures.vocabulary_measures import vocabulary_measures
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.estimate_text import (
    format_estimate,
    format_signed_interval,
    format_significant,
)
from tradeoff.render.json_csv import format_csv, json_number, json_value
from tradeoff.render.sections import Section
from tradeoff.results import ByValue, Result, Tabular, shows
from tradeoff.stats.normal import critical_value, normal_cdf
from tradeoff.stats.simultaneous import simultaneous_critical_value
from tradeoff.thresholds.operating_threshold import (
    OperatingThreshold,
    operating_threshold_document,
    require_thresholds,
    threshold_sentences,
)
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.estimates import question_estimate
from tradeoff.uncertainty.question import THRESHOLD, Question, build_question

MAX_SIMULATED_PAIRS = 120
"""With more pairs, normal deviates are not simulated: Bonferroni's bound is close enough."""
METHOD = "MOVER, all pairs together"


@dataclass(frozen=True, eq=False)
class Gap(ByValue):
    """Gap between two segments in one metric, with a simultaneous confidence interval.

    Example:
        >>> Gap("women", "men", 0.15, 0.02, 0.28)
        Gap(women - men: 0.1500, from 0.0200 to 0.2800)
    """

    better: str
    worse: str
    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def is_significant(self) -> bool:
        """Whether the segments differ significantly, adjusted for all pairs."""
        return self.low > 0 or self.high < 0

    def __repr__(self) -> str:
        """One line: the segments, their gap and its interval."""
        interval = ""
        if not math.isnan(self.low):
            interval = f", from {format_number(self.low)} to {format_number(self.high)}"
        return f"Gap({self.better} - {self.worse}: {format_number(self.value)}{interval})"


@dataclass(frozen=True, eq=False)
class BySegment(Tabular):
    """Estimates of one metric in every segment, worst first, and the gaps between segments.

    `gaps` are those of all pairs of segments with a value and an interval, largest first: the
    better segment's value minus the worse one's. Their intervals hold simultaneously at `level`,
    so the largest gap may be interpreted although it was selected.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> parts = {"men": Estimate("auc", 0.7), "women": Estimate("auc", 0.8)}
        >>> BySegment("auc", "higher", 0.95, parts).worst
        'men'
    """

    metric: str
    better: Better
    level: float
    estimates: Mapping[str, Estimate]
    gaps: tuple[Gap, ...] = field(default=())
    method: str = METHOD
    label: str = field(default="", compare=False)

    @property
    def metric_label(self) -> str:
        """The metric as it was requested, otherwise its usual label."""
        return self.label or name_label(self.metric)

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per segment, worst first."""
        size = len(self.estimates)
        return {"metric": [self.metric] * size, **estimate_columns(self.estimates, "segment")}

    def __repr__(self) -> str:
        """One line: the metric and the worst segment."""
        return f"BySegment({self.metric} in {len(self.estimates)} segments, worst: {self.worst})"

    @property
    def worst(self) -> str | None:
        """Segment with the worst value; None if no segment has a value."""
        return next(
            (name for name, estimate in self.estimates.items() if estimate.is_defined), None
        )

    @property
    def largest_gap(self) -> Gap | None:
        """Largest gap between two segments; None if fewer than two can be compared."""
        return self.gaps[0] if self.gaps else None

    @property
    def undefined(self) -> dict[str, str]:
        """Segments without a value or an interval, and why."""
        return {
            name: estimate.reason or estimate.note or "no interval"
            for name, estimate in self.estimates.items()
            if not (estimate.is_defined and estimate.has_interval)
        }


@suggest_arguments
def by_segment(
    segments: Any,
    metrics: Sequence[str | Measure] = ("auc",),
    *,
    threshold: float | None = None,
    confidence: Confidence | None = None,
    vocabulary: Vocabulary = "general",
) -> list[BySegment]:
    """Metrics and summaries by segment with confidence intervals, and the gaps between segments.

    Each segment has its usual interval. The interval of a gap combines those of its two segments,
    each at a higher level (the method of variance estimates recovery: Newcombe 1998, Zou & Donner
    2008, doi:10.1002/sim.3095), which suits proportions of 0 or 1 and skewed measures. The critical
    value is that of the largest of all pairwise differences between independent segments, as in the
    Tukey–Kramer method, but with a separate variance for each segment.

    Args:
        segments: An evaluation of one model with segments, or its rankings by segment.
        metrics: Names of metrics (at the threshold) and summaries such as "auc".
        threshold: Threshold of the metrics; by default that of the evaluation, or 0.5 for rankings
            by probabilities.
        confidence: Level and method of the intervals.
        vocabulary: Which names to use for metrics, except those requested by another name.

    Example:
        >>> import tradeoff as to
        >>> e = to.evaluate(
        ...     actual=[0, 1] * 40, score=[0.1, 0.9, 0.9, 0.1, *[0.2, 0.7] * 38], segment=[1] * 40
        ...     + [2] * 40,
        ... )
        >>> recall = by_segment(e, ["recall"])[0]
        >>> recall.worst, recall.largest_gap.value.__round__(4)
        ('1', 0.05)
    """
    if hasattr(segments, "segments"):
        if threshold is None:
            threshold = segments.operating_threshold
        segments = segments.segments.get(segments.ranking.name, {})
    if not isinstance(segments, Mapping):
        raise InputError(
            "Segments are rankings by name: pass evaluate(…, segment=…), or its segments[model]."
        )
    if not segments:
        raise InputError("There are no segments: name the column that defines them.")
    confidence = confidence or Confidence()
    return [
        _measure_by_segment(segments, _question(measure, segments, threshold), confidence)
        for measure in vocabulary_measures(_without_duplicates(metrics), vocabulary)
    ]


@dataclass(frozen=True, eq=False)
class Segments(Result, views="tradeoff.segments"):
    """Segment analysis of one model: its rankings and several metrics by segment.

    `threshold` is that of the metrics, and why it was used.
    """

    model: str
    rankings: Mapping[str, Ranking]
    metrics: tuple[BySegment, ...]
    threshold: OperatingThreshold | None = None

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per metric and segment, worst first."""
        tables = [metric.columns() for metric in self.metrics]
        return {key: [cell for table in tables for cell in table[key]] for key in tables[0]}

    def __repr__(self) -> str:
        """One line: the model and the numbers of metrics and segments."""
        size = f"{len(self.metrics)} metrics in {len(self.rankings)} segments"
        return f"Segments({self.model}: {size})"


def _without_duplicates(metrics: Sequence[str | Measure]) -> list[str | Measure]:
    """The metrics, without repeated names."""
    by_name = {metric if isinstance(metric, str) else metric.name: metric for metric in metrics}
    return list(by_name.values())


def _question(
    measure: str | Measure, segments: Mapping[str, Ranking], threshold: float | None
) -> Question:
    name = measure if isinstance(measure, str) else measure.name
    if is_summary(name):
        return build_question(measure)
    # All segments have the same threshold.
    (value, *_) = require_thresholds(segments, threshold, name, argument="threshold=…").values()
    return build_question(measure, at=(THRESHOLD, value))


def _measure_by_segment(
    segments: Mapping[str, Ranking], question: Question, confidence: Confidence
) -> BySegment:
    estimates = _segment_estimates(segments, question, confidence)
    names = sorted(estimates, key=lambda name: _worst_first_key(estimates[name], question.better))
    return BySegment(
        question.name,
        question.better,
        confidence.level,
        {name: estimates[name] for name in names},
        tuple(_gaps(segments, estimates, question, confidence)),
        label=question.label,
    )


def _segment_estimates(
    segments: Mapping[str, Ranking], question: Question, confidence: Confidence
) -> dict[str, Estimate]:
    return {
        name: question_estimate(question, ranking, confidence) for name, ranking in segments.items()
    }


def _worst_first_key(estimate: Estimate, better: Better) -> tuple[bool, float]:
    """Sort key of segments: worst first, undefined last."""
    value = -estimate.value if better == "lower" else estimate.value
    return not estimate.is_defined, value if estimate.is_defined else 0.0


def _gaps(
    segments: Mapping[str, Ranking],
    estimates: Mapping[str, Estimate],
    question: Question,
    confidence: Confidence,
) -> list[Gap]:
    names = [
        name
        for name, estimate in estimates.items()
        if estimate.has_interval and math.isfinite(estimate.value)
    ]
    if len(names) < 2:
        return []
    z = critical_value(confidence.level)
    standard_errors = [(estimates[name].high - estimates[name].low) / (2 * z) for name in names]
    simultaneous_confidence = replace(
        confidence, level=_simultaneous_level(standard_errors, confidence)
    )
    compared_segments = {name: segments[name] for name in names}
    simultaneous_estimates = _segment_estimates(
        compared_segments, question, simultaneous_confidence
    )
    gaps = [
        _gap(simultaneous_estimates[first], simultaneous_estimates[second], first, second, question)
        for first, second in combinations(names, 2)
    ]
    return sorted(gaps, key=lambda gap: -abs(gap.value))


def _simultaneous_level(standard_errors: list[float], confidence: Confidence) -> float:
    """Confidence level per pair at which the intervals of all pairs hold simultaneously."""
    pairs = list(combinations(range(len(standard_errors)), 2))
    bonferroni_level = 1 - (1 - confidence.level) / len(pairs)
    if len(pairs) == 1 or len(pairs) > MAX_SIMULATED_PAIRS:
        return bonferroni_level
    if not np.isfinite(standard_errors).all():
        return bonferroni_level
    contrasts = np.zeros((len(pairs), len(standard_errors)))
    for index, (first, second) in enumerate(pairs):
        contrasts[index, [first, second]] = 1, -1
    covariance = (contrasts * np.square(standard_errors)) @ contrasts.T
    z = simultaneous_critical_value(covariance, confidence.level, confidence.seed)
    return min(2 * normal_cdf(z) - 1, bonferroni_level)


def _gap(
    first: Estimate, second: Estimate, first_name: str, second_name: str, question: Question
) -> Gap:
    """Gap: the better segment's value minus the worse one's, negative if lower is better."""
    if _worst_first_key(first, question.better) < _worst_first_key(second, question.better):
        first, second, first_name, second_name = second, first, second_name, first_name
    value = first.value - second.value
    lower = value - math.hypot(first.value - first.low, second.high - second.value)
    upper = value + math.hypot(first.high - first.value, second.value - second.low)
    # Uncertainty due to binning is not random, so it adds up.
    bin_uncertainty = first.within + second.within
    return Gap(first_name, second_name, value, lower - bin_uncertainty, upper + bin_uncertainty)


# Views of a segment analysis.


SCHEMA = "tradeoff/segments/1"
MAX_GAPS_SHOWN = 10


@shows(Segments, "sections")
def segments_sections(segments: Segments) -> list[Section]:
    """Text sections of a segment analysis: a table of segments and one of gaps per metric."""
    has_threshold = segments.threshold is not None and any(
        not is_summary(metric.metric.partition(" ")[0]) for metric in segments.metrics
    )
    sentences = (
        threshold_sentences({segments.model: segments.threshold})
        if has_threshold and segments.threshold is not None
        else []
    )
    return [
        *([Section(lines=tuple(sentences))] if sentences else []),
        *(
            section
            for metric in segments.metrics
            for section in (_estimates_section(metric, segments.rankings), *_gaps_section(metric))
        ),
    ]


@shows(Segments, "document")
def segments_document(segments: Segments) -> dict[str, Any]:
    """JSON document of a segment analysis."""
    return {
        "schema": SCHEMA,
        "model": segments.model,
        **(
            {}
            if segments.threshold is None
            else {"threshold": operating_threshold_document(segments.threshold)}
        ),
        "segments": [
            {
                "name": name,
                "rows": ranking.rows,
                "positives": json_value(ranking.positives),
                "negatives": json_value(ranking.negatives),
            }
            for name, ranking in segments.rankings.items()
        ],
        "metrics": [_metric_document(metric) for metric in segments.metrics],
    }


@shows(Segments, "csv")
def segments_csv(segments: Segments) -> str:
    """CSV of a segment analysis: one row per metric and segment.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> men = BySegment("auc", "higher", 0.95, {"men": Estimate("auc", 0.7)})
        >>> print(segments_csv(Segments("model", {}, (men,))))
        metric,segment,value,low,high,level,reason
        auc,men,0.7,,,0.95,
    """
    header = ["metric", "segment", "value", "low", "high", "level", "reason"]
    rows = [
        [metric.metric, name, e.value, e.low, e.high, metric.level, e.reason]
        for metric in segments.metrics
        for name, e in metric.estimates.items()
    ]
    return format_csv(header, rows)


def _metric_document(result: BySegment) -> dict[str, Any]:
    return {
        "metric": result.metric,
        "label": result.metric_label,
        "better": result.better,
        "level": result.level,
        "method": result.method,
        "worst": result.worst,
        "estimates": [
            {"segment": name, **estimate_document(estimate)}
            for name, estimate in result.estimates.items()
        ],
        "gaps": [
            {
                "better": gap.better,
                "worse": gap.worse,
                "value": json_number(gap.value),
                "low": json_number(gap.low),
                "high": json_number(gap.high),
                "sure": gap.is_significant,
            }
            for gap in result.gaps
        ],
    }


def _estimates_section(result: BySegment, segments: Mapping[str, Ranking]) -> Section:
    """The largest gap in one metric, and the metric in every segment."""
    has_intervals = any(estimate.has_interval for estimate in result.estimates.values())
    level = f" ({format_level(result.level)} CI)" if has_intervals else ""
    units = next(iter(segments.values())).wording.units
    header = ("segment", units, "positive", f"value{level}", "")
    rows = [
        (
            name,
            format_count(segments[name].rows),
            _format_prevalence(segments[name]),
            format_estimate(estimate),
            estimate.reason or estimate.note or "",
        )
        for name, estimate in result.estimates.items()
    ]
    order = "" if result.better is None else ", worst first"
    heading = f"{_capitalized(with_minus_signs(result.metric_label))} by segment{order}"
    return Section(heading, (_describe_largest_gap(result),), (header, *rows), prose_last=True)


def _gaps_section(result: BySegment) -> list[Section]:
    """Table of the largest gaps in one metric, if there are any."""
    if not result.gaps:
        return []
    heading = f"Gaps in {with_minus_signs(result.metric_label)}"
    rows = [
        (
            f"{gap.better} − {gap.worse}",
            format_signed_interval(gap.value, gap.low, gap.high),
            "significant" if gap.is_significant else "inconclusive",
        )
        for gap in result.gaps[:MAX_GAPS_SHOWN]
    ]
    level = format_level(result.level)
    sentences = [
        f"{level} CIs of all {len(result.gaps)} pairs hold simultaneously ({result.method})."
        if len(result.gaps) > 1
        else f"In parentheses: {level} CI ({result.method.partition(',')[0]})."
    ]
    if len(result.gaps) > MAX_GAPS_SHOWN:
        sentences.append(f"Only the {MAX_GAPS_SHOWN} largest gaps are shown; JSON contains all.")
    return [Section(heading, tuple(sentences), (("", "gap", ""), *rows), prose_last=True)]


def _describe_largest_gap(result: BySegment) -> str:
    largest_gap = result.largest_gap
    if largest_gap is None:
        return "Fewer than two segments have a value and an interval, so there is no gap."
    opening = (
        f"The largest gap, {format_significant(abs(largest_gap.value))}, is between "
        f"{largest_gap.better} and {largest_gap.worse}"
    )
    if largest_gap.is_significant:
        return f"{opening}; it is significant."
    significant_gap = next((gap for gap in result.gaps if gap.is_significant), None)
    if significant_gap is not None:
        return (
            f"{opening}; it is not significant, but {significant_gap.better} and "
            f"{significant_gap.worse} differ significantly."
        )
    remark = ", and no other pair differs significantly" if len(result.gaps) > 1 else ""
    return f"{opening}; it is not significant{remark}."


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _format_prevalence(ranking: Ranking) -> str:
    total = float(ranking.positives) + float(ranking.negatives)
    return format_percent(float(ranking.positives) / total) if total else ""
