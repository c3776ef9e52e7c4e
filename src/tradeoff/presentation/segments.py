"""Numbers by segment for readers: the worst segment first, and the gaps between segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.render.sections import Section
from tradeoff.render.values import (
    as_csv,
    estimate_document,
    finite,
    interval,
    percent_of,
    plain_number,
)
from tradeoff.text import count, number, share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tradeoff.analysis.segments import BySegment, Gap
    from tradeoff.core.ranking import Ranking

SEGMENTS = "tradeoff/segments/1"
MOST_GAPS = 10


def segments_sections(found: Sequence[BySegment], segments: Mapping[str, Ranking]) -> list[Section]:
    """For each metric a table of segments and one of gaps."""
    return [section for one in found for section in (_values(one, segments), *_gaps(one))]


def segments_document(
    found: Sequence[BySegment], segments: Mapping[str, Ranking], model: str
) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "schema": SEGMENTS,
        "model": model,
        "segments": [
            {
                "name": name,
                "rows": own.rows,
                "positives": plain_number(own.positives),
                "negatives": plain_number(own.negatives),
            }
            for name, own in segments.items()
        ],
        "metrics": [_metric(one) for one in found],
    }


def segments_csv(found: Sequence[BySegment]) -> str:
    """One line for each metric and segment.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> from tradeoff.analysis.segments import BySegment
        >>> print(segments_csv([BySegment("auc", "higher", 0.95, {"men": Estimate("auc", 0.7)})]))
        metric,segment,value,low,high,level,reason
        auc,men,0.7,,,0.95,
    """
    head = ["metric", "segment", "value", "low", "high", "level", "reason"]
    lines = [
        [one.metric, name, own.value, own.low, own.high, one.level, own.reason]
        for one in found
        for name, own in one.estimates.items()
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


def _gaps(found: BySegment) -> list[Section]:
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
