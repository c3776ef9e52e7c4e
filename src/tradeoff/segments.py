"""Numbers by segment and the gaps between segments: computed, and shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.estimate import Estimate, estimate_columns
from tradeoff.measures.registry import Better
from tradeoff.render.sections import Section
from tradeoff.render.values import (
    as_csv,
    estimate_document,
    finite,
    interval,
    percent_of,
    plain_number,
)
from tradeoff.results import ByValue, Result, Tabular, shows
from tradeoff.stats.normal import below, quantile, simultaneous_reach
from tradeoff.text import count, number, share
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.estimates import answer
from tradeoff.uncertainty.question import THRESHOLD, Question, ask, is_summary

MOST_PAIRS = 120
"""Beyond so many pairs normal deviates are no longer drawn: Bonferroni's bound is near enough."""
METHOD = "MOVER, all pairs together"


@dataclass(frozen=True, eq=False)
class Gap(ByValue):
    """The difference of two segments in one number; its interval holds together with all others.

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
    def is_sure(self) -> bool:
        """Whether the segments surely differ, all pairs considered."""
        return self.low > 0 or self.high < 0

    def __repr__(self) -> str:
        """One line: who, how far apart, how sure."""
        ends = ""
        if not math.isnan(self.low):
            ends = f", from {number(self.low)} to {number(self.high)}"
        return f"Gap({self.better} - {self.worse}: {number(self.value)}{ends})"


@dataclass(frozen=True, eq=False)
class BySegment(Tabular):
    """One number in every segment, the worst first, and the gaps between segments.

    `gaps` are of all pairs of segments that have a value and an interval, the largest first: the
    better segment's value minus the worse one's. Their intervals hold together with probability
    `level`, so the largest may be read though it was chosen for being the largest.

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

    def columns(self) -> dict[str, list[Any]]:
        """One line a segment, the worst first."""
        size = len(self.estimates)
        return {"metric": [self.metric] * size, **estimate_columns(self.estimates, "segment")}

    def __repr__(self) -> str:
        """One line: the metric and the worst segment."""
        return f"BySegment({self.metric} in {len(self.estimates)} segments, worst: {self.worst})"

    @property
    def worst(self) -> str | None:
        """The segment with the worst value; None where none has one."""
        return next((name for name, one in self.estimates.items() if one.is_defined), None)

    @property
    def largest_gap(self) -> Gap | None:
        """The two segments that are furthest apart; None with fewer than two to compare."""
        return self.gaps[0] if self.gaps else None

    @property
    def undefined(self) -> dict[str, str]:
        """Segments that no gap considers, and why."""
        return {
            name: one.reason or one.note or "no interval"
            for name, one in self.estimates.items()
            if not (one.is_defined and one.has_interval)
        }


def by_segment(
    segments: Any,
    metrics: Sequence[str] = ("auc",),
    *,
    threshold: float = 0.5,
    confidence: Confidence | None = None,
    **asked: Any,
) -> list[BySegment]:
    """Metrics and summaries in each segment with intervals, and the gaps between segments.

    Each segment's interval is its usual one. The interval of a gap joins those of its two
    segments, each taken at a wider reach (the method of variance estimates recovery: Newcombe
    1998, Zou & Donner 2008, doi:10.1002/sim.3095), so that shares of 0 or 1 and skewed numbers
    are treated fairly. The reach is that of the largest of all pairs' differences when segments
    vary independently, as in Tukey's and Kramer's method but with each segment's own variance.

    Args:
        segments: An evaluation of one model with segments, or its rankings by segment.
        metrics: Names of metrics (at the threshold) and summaries such as "auc".
        threshold: Where metrics are taken.
        confidence: How sure intervals shall be, and how they are found.
        asked: Parameters of the measure, for example beta=2.

    Example:
        >>> import tradeoff as to
        >>> e = to.evaluate(
        ...     actual=[0, 1] * 40, score=[0.1, 0.9, 0.9, 0.1, *[0.2, 0.7] * 38], segment=[1] * 40
        ...     + [2] * 40,
        ... )
        >>> found = by_segment(e, ["recall"])[0]
        >>> found.worst, found.largest_gap.value.__round__(4)
        ('1', 0.05)
    """
    if hasattr(segments, "segments"):
        segments = segments.segments.get(segments.ranking.name, {})
    if not isinstance(segments, Mapping):
        raise InputError(
            "Segments are rankings by name: pass evaluate(…, segment=…), or its segments[model]."
        )
    if not segments:
        raise InputError("There are no segments: say which column tells them apart.")
    confidence = confidence or Confidence()
    return [
        _one(segments, _question(name, threshold, asked), confidence)
        for name in dict.fromkeys(metrics)
    ]


@dataclass(frozen=True, eq=False)
class Segments(Result, views="tradeoff.segments"):
    """Several numbers of one model in every segment: its rankings by segment, and each number."""

    model: str
    rankings: Mapping[str, Ranking]
    metrics: tuple[BySegment, ...]

    def columns(self) -> dict[str, list[Any]]:
        """One line a metric and segment, the worst first."""
        tables = [metric.columns() for metric in self.metrics]
        return {key: [cell for table in tables for cell in table[key]] for key in tables[0]}

    def __repr__(self) -> str:
        """One line: the model, and how many metrics and segments."""
        size = f"{len(self.metrics)} metrics in {len(self.rankings)} segments"
        return f"Segments({self.model}: {size})"


def _question(name: str, threshold: float, asked: dict[str, Any]) -> Question:
    return ask(name, at=None if is_summary(name) else (THRESHOLD, threshold), **asked)


def _one(segments: Mapping[str, Ranking], question: Question, confidence: Confidence) -> BySegment:
    found = _answers(segments, question, confidence)
    ordered = sorted(found, key=lambda name: _badness(found[name], question.better))
    return BySegment(
        question.name,
        question.better,
        confidence.level,
        {name: found[name] for name in ordered},
        tuple(_gaps(segments, found, question, confidence)),
    )


def _answers(
    segments: Mapping[str, Ranking], question: Question, confidence: Confidence
) -> dict[str, Estimate]:
    return {name: answer(question, own, confidence) for name, own in segments.items()}


def _badness(estimate: Estimate, better: Better) -> tuple[bool, float]:
    """The worst first, undefined ones last."""
    value = -estimate.value if better == "lower" else estimate.value
    return not estimate.is_defined, value if estimate.is_defined else 0.0


def _gaps(
    segments: Mapping[str, Ranking],
    found: Mapping[str, Estimate],
    question: Question,
    confidence: Confidence,
) -> list[Gap]:
    known = [name for name, one in found.items() if one.has_interval and math.isfinite(one.value)]
    if len(known) < 2:
        return []
    reach = quantile(confidence.level)
    errors = [(found[name].high - found[name].low) / (2 * reach) for name in known]
    wide = replace(confidence, level=_wider(errors, confidence))
    ends = _answers({name: segments[name] for name in known}, question, wide)
    gaps = [_gap(ends[one], ends[other], one, other, question) for one, other in _pairs(known)]
    return sorted(gaps, key=lambda gap: -abs(gap.value))


def _pairs(names: list[str]) -> list[tuple[str, str]]:
    return list(combinations(names, 2))


def _wider(errors: list[float], confidence: Confidence) -> float:
    """The level at which each pair's interval must be taken for all of them to hold together."""
    pairs = list(combinations(range(len(errors)), 2))
    bonferroni = 1 - (1 - confidence.level) / len(pairs)
    if len(pairs) == 1 or len(pairs) > MOST_PAIRS or not np.isfinite(errors).all():
        return bonferroni
    signs = np.zeros((len(pairs), len(errors)))
    for place, (one, other) in enumerate(pairs):
        signs[place, [one, other]] = 1, -1
    covariance = (signs * np.square(errors)) @ signs.T
    return min(
        2 * below(simultaneous_reach(covariance, confidence.level, confidence.seed)) - 1, bonferroni
    )


def _gap(first: Estimate, second: Estimate, one: str, other: str, question: Question) -> Gap:
    """The better segment minus the worse one: below 0 where lower is better."""
    if _badness(first, question.better) < _badness(second, question.better):
        first, second, one, other = second, first, other, one
    value = first.value - second.value
    low = value - math.hypot(first.value - first.low, second.high - second.value)
    high = value + math.hypot(first.high - first.value, second.value - second.low)
    # What bins leave open is no chance that could cancel out.
    unknown = first.within + second.within
    return Gap(one, other, value, low - unknown, high + unknown)


# Numbers by segment for readers: the worst segment first, and the gaps between segments.


SEGMENTS = "tradeoff/segments/1"
MOST_GAPS = 10


@shows(Segments, "sections")
def segments_sections(segments: Segments) -> list[Section]:
    """For each metric a table of segments and one of gaps."""
    return [
        section
        for metric in segments.metrics
        for section in (_values(metric, segments.rankings), *_gaps_section(metric))
    ]


@shows(Segments, "document")
def segments_document(segments: Segments) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "schema": SEGMENTS,
        "model": segments.model,
        "segments": [
            {
                "name": name,
                "rows": own.rows,
                "positives": plain_number(own.positives),
                "negatives": plain_number(own.negatives),
            }
            for name, own in segments.rankings.items()
        ],
        "metrics": [_metric(metric) for metric in segments.metrics],
    }


@shows(Segments, "csv")
def segments_csv(segments: Segments) -> str:
    """One line for each metric and segment.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> men = BySegment("auc", "higher", 0.95, {"men": Estimate("auc", 0.7)})
        >>> print(segments_csv(Segments("model", {}, (men,))))
        metric,segment,value,low,high,level,reason
        auc,men,0.7,,,0.95,
    """
    head = ["metric", "segment", "value", "low", "high", "level", "reason"]
    lines = [
        [metric.metric, name, e.value, e.low, e.high, metric.level, e.reason]
        for metric in segments.metrics
        for name, e in metric.estimates.items()
    ]
    return as_csv(head, lines)


def _metric(found: BySegment) -> dict[str, Any]:
    return {
        "metric": found.metric,
        "better": found.better,
        "level": found.level,
        "method": found.method,
        "worst": found.worst,
        "estimates": [
            {"segment": name, **estimate_document(own)} for name, own in found.estimates.items()
        ],
        "gaps": [
            {
                "better": gap.better,
                "worse": gap.worse,
                "value": finite(gap.value),
                "low": finite(gap.low),
                "high": finite(gap.high),
                "sure": gap.is_sure,
            }
            for gap in found.gaps
        ],
    }


def _values(found: BySegment, segments: Mapping[str, Ranking]) -> Section:
    head = ("segment", "rows", "positive", "value", f"{percent_of(found.level)} interval", "")
    lines = [
        (
            name,
            count(segments[name].rows),
            _prevalence(segments[name]),
            own.written,
            interval(own),
            own.reason or own.note or "",
        )
        for name, own in found.estimates.items()
    ]
    said = () if found.better is None else ("The worst segment comes first.",)
    return Section(f"{found.metric} by segment", said, (head, *lines), prose_last=True)


def _gaps_section(found: BySegment) -> list[Section]:
    largest = found.largest_gap
    if largest is None:
        none = "Fewer than two segments have a value and an interval: there is no gap to tell."
        return [Section(f"Gaps in {found.metric}", (none,))]
    shown = found.gaps[:MOST_GAPS]
    lines = [(gap.better, gap.worse, number(gap.value), _ends(gap), _verdict(gap)) for gap in shown]
    head = ("segment", "minus", "gap", f"{percent_of(found.level)} interval", "")
    said = [
        _sentence(found, largest),
        f"Intervals of all {len(found.gaps)} pairs hold together ({found.method})."
        if len(found.gaps) > 1
        else f"Interval: {found.method.partition(',')[0]}.",
    ]
    if len(found.gaps) > MOST_GAPS:
        said.append(f"The {MOST_GAPS} largest gaps are shown; JSON has all.")
    return [Section(f"Gaps in {found.metric}", tuple(said), (head, *lines), 2, prose_last=True)]


def _sentence(found: BySegment, largest: Gap) -> str:
    apart = (
        f"The largest gap, {number(abs(largest.value))}, is between {largest.better} and "
        f"{largest.worse}"
    )
    if largest.is_sure:
        return f"{apart}: more than chance explains."
    sure = next((gap for gap in found.gaps if gap.is_sure), None)
    if sure is not None:
        return (
            f"{apart}; chance could explain it, but {sure.better} and {sure.worse} surely differ."
        )
    others = ", and no other pair surely differs" if len(found.gaps) > 1 else ""
    return f"{apart}; chance alone could explain it{others}."


def _ends(gap: Gap) -> str:
    return f"{number(gap.low)} to {number(gap.high)}"


def _verdict(gap: Gap) -> str:
    return "surely apart" if gap.is_sure else "not sure"


def _prevalence(ranking: Ranking) -> str:
    total = float(ranking.positives) + float(ranking.negatives)
    return share(float(ranking.positives) / total) if total else ""
