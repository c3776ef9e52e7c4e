"""Summary of the report for readers without scripts, such as previews of e-mail attachments.

It has the recommendation, the confusion matrix where the page opens, the models and two charts, all
as plain HTML without styles, and is at most 25 kB whatever the number of rows and models.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError
from tradeoff.formatting import printable
from tradeoff.measures.curves import named_curve
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.vocabulary_measures import vocabulary_metrics
from tradeoff.render.estimate_text import format_value_interval
from tradeoff.render.sections import Section
from tradeoff.render.svg import chart_svg
from tradeoff.thresholds.decision import Decision
from tradeoff.thresholds.views import summary_sections
from tradeoff.uncertainty.bootstrap import coarsen_ranking
from tradeoff.views.curve_chart import Mark, curve_chart
from tradeoff.views.matrices import matrix_metrics_section, matrix_table_section
from tradeoff.views.score_chart import scores_chart

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.vocabulary import Vocabulary
    from tradeoff.render.chart import Chart
    from tradeoff.thresholds.decision import Decisions
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.wording import Wording

MAX_CURVES = 3
MAX_LISTED_MODELS = 20
MAX_LINES = 12
MAX_CURVE_THRESHOLDS = 400
CHART_WIDTH = 360


@dataclass(frozen=True)
class SummaryContent:
    """What a summary shows: all models, and more of the one that the page opens with."""

    document: Mapping[str, Any]
    rankings: Mapping[str, Ranking]
    model: str
    threshold: float
    threshold_text: str
    decisions: Decisions | None
    prevalence: float | None
    confidence: Confidence | None
    vocabulary: Vocabulary
    wording: Wording
    label_chart: Chart | None = None


def static_summary(content: SummaryContent) -> str:
    """HTML of a summary that needs neither scripts nor styles."""
    document = content.document
    lines = [document["lead"], *document["warnings"]]
    parts = [f"<h1>{_text(document['title'])}</h1>", _paragraphs(lines)]
    parts += map(_section_html, _sections(content))
    parts += map(_chart_html, _charts(content))
    if content.label_chart is None:
        parts.append("<p>With scripts enabled, the threshold can be moved on this page.</p>")
    return "".join(parts)


def _sections(content: SummaryContent) -> Iterable[Section]:
    document, ranking = content.document, content.rankings[content.model]
    decisions = [d for d in content.decisions or () if isinstance(d, Decision)]
    if not decisions or document["opening"]["reason"] == "given":
        yield Section(lines=(document["opening"]["sentence"],))
    if decisions:
        yield from summary_sections(decisions, content.decisions.differences)  # type: ignore[union-attr]
    model = printable(content.model, 60)
    heading = model
    if content.label_chart is None:
        sign = "≤" if ranking.lower_is_positive else "≥"
        heading = f"{model}: score {sign} {content.threshold_text}"
    table = matrix_table_section(ranking.at(content.threshold).table())
    yield Section(heading, table=table.table)
    yield matrix_metrics_section(
        "",
        vocabulary_metrics(content.vocabulary),
        ranking.at_prevalence(content.prevalence).at(content.threshold),
        content.confidence,
        content.vocabulary,
        content.wording,
    )
    if len(content.rankings) > 1:
        yield _models_section(document)


def _models_section(document: Mapping[str, Any]) -> Section:
    """Table of the models' summaries, such as the AUC, with their intervals."""
    models = document["models"][:MAX_LISTED_MODELS]
    names = [summary["name"] for summary in models[0]["summaries"]]
    shown = [
        index
        for index, _ in enumerate(names)
        if any(model["summaries"][index]["value"] is not None for model in models)
    ]
    labels = document["labels"]
    header = ("", *(labels.get(names[index], names[index].replace("_", " ")) for index in shown))
    rows = [
        (model["name"], *(_summary_text(model["summaries"][index]) for index in shown))
        for model in models
    ]
    omitted = len(document["models"]) - len(models)
    lines = (f"and {omitted:,} more models",) if omitted else ()
    return Section("Models", lines, (header, *rows))


def _summary_text(summary: Mapping[str, Any]) -> str:
    return format_value_interval(*_value_and_limits(summary))


def _value_and_limits(summary: Mapping[str, Any]) -> tuple[float, float, float]:
    """Value of a summary and the limits of its interval; NaN if unknown."""
    value, low, high = (
        math.nan if summary.get(key) is None else float(summary[key])
        for key in ("value", "low", "high")
    )
    return value, low, high


def _charts(content: SummaryContent) -> Iterable[Chart]:
    """ROC curves of a few models, and the scores of the one that the page opens with."""
    if content.label_chart is not None:
        yield content.label_chart
        return
    names = [content.model, *(name for name in content.rankings if name != content.model)]
    marks = {content.model: [Mark(content.threshold)]}
    curves = {}
    for name in names[:MAX_CURVES]:
        ranking = content.rankings[name]
        index = ranking.index(content.threshold) if name == content.model else 0
        coarse = coarsen_ranking(ranking, MAX_CURVE_THRESHOLDS, [[index]])
        try:
            curves[name] = named_curve(coarse, "roc")
        except InputError:  # rows of one class only
            return
    yield curve_chart(curves, areas=_areas(content.document), marks=marks)
    yield scores_chart(content.rankings[content.model], marks=marks[content.model])


def _areas(document: Mapping[str, Any]) -> dict[str, Estimate]:
    """The AUC of each model, as in the document."""
    return {
        model["name"]: Estimate("auc", value, low=low, high=high, level=document["level"])
        for model in document["models"]
        for summary in model["summaries"]
        if summary["name"] == "auc"
        for value, low, high in [_value_and_limits(summary)]
    }


def _chart_html(chart: Chart) -> str:
    return f"<figure>{chart_svg(chart, width=CHART_WIDTH)}</figure>"


def _section_html(section: Section) -> str:
    heading = f"<h2>{_text(section.heading)}</h2>" if section.heading else ""
    return heading + _paragraphs(section.lines[:MAX_LINES]) + _table_html(section.table)


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{_text(line)}</p>" for line in lines if line)


def _table_html(table: Sequence[Sequence[str]]) -> str:
    """A plain table: its first row and its first column are headers."""
    if not table:
        return ""
    rows = []
    for position, row in enumerate(table):
        tags = ["th", *("th" if position == 0 else "td" for _ in row[1:])]
        cells = [f"<{tag}>{_text(cell)}</{tag}>" for tag, cell in zip(tags, row, strict=True)]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _text(text: str) -> str:
    return escape(printable(text, 400))
