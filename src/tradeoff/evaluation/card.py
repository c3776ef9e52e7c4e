"""The card of an evaluation in notebooks: the headline numbers, a ROC curve and the next steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from tradeoff.errors import TradeoffError
from tradeoff.formatting import printable
from tradeoff.render.svg import chart_svg
from tradeoff.results import find_view, html_table

if TYPE_CHECKING:
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.render.sections import Section

MAX_MODELS = 3
"""With more models than this, the card has only the table of summaries."""
MAX_CURVES = 6
MAX_TABLE_ROWS = 20
MAX_LINES = 8
CHART_WIDTH = 340
NEXT_STEPS = {
    "e.at(0.3)": "confusion matrix",
    "e.best(…)": "best threshold",
    "e.plot()": "charts",
    "print(e)": "all as text",
    "e.to_pandas()": "a table",
    'e.report("report.html")': "a page with a movable threshold",
}
"""Calls and what they return; for several models, a card first suggests selecting one."""


def card_html(evaluation: Evaluation) -> str:
    """HTML of an evaluation's card: at most 30 kB, whatever the number of rows and models.

    Example:
        >>> from tradeoff import evaluate
        >>> html = card_html(evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8]))
        >>> html.startswith("<div"), len(html) < 30_000
        (True, True)
    """
    names = list(evaluation)
    # Folds and segments have tables of their own: print(e).
    whole = replace(evaluation, models=replace(evaluation.models, folds={}, segments={}))
    sections = find_view(evaluation, "sections")(whole)
    if len(names) > 1:  # a matrix per model would take too much space
        sections = [section for section in sections if not _is_matrix(section)]
    if len(names) > MAX_MODELS:
        sections = [section for section in sections if not section.heading]
    column = "display:inline-block;vertical-align:top;margin-right:2em"
    return (
        '<div style="max-width:70em">'
        f'<div style="{column}">{_sections_html(sections)}</div>'
        f'<div style="{column}">{_roc_svg(whole, names)}</div>'
        f"<p>{_next_steps(names)}</p></div>"
    )


def _is_matrix(section: Section) -> bool:
    return len(section.table) > 1 and section.table[1][0].startswith("actual ")


def _sections_html(sections: Iterable[Section]) -> str:
    parts = []
    for section in sections:
        if section.heading:
            parts.append(f"<p><b>{_text(section.heading)}</b></p>")
        lines = [_text(line) for line in section.lines[:MAX_LINES]]
        parts += [f"<p>{'<br>'.join(lines)}</p>"] if lines else []
        if section.table:
            parts.append(html_table(section.table[: MAX_TABLE_ROWS + 1]))
            omitted = len(section.table) - 1 - MAX_TABLE_ROWS
            parts += [f"<p>and {omitted:,} more: print(e)</p>"] if omitted > 0 else []
    return "".join(parts)


def _roc_svg(evaluation: Evaluation, names: Sequence[str]) -> str:
    """ROC curves of the first models; nothing if there are none."""
    models = evaluation.models
    if len(names) > MAX_CURVES:
        shown = {name: models.rankings[name] for name in names[:MAX_CURVES]}
        evaluation = replace(evaluation, models=replace(models, rankings=shown))
    try:
        chart = evaluation.chart("roc", level=None)
    except TradeoffError:
        return ""
    return chart_svg(chart, width=CHART_WIDTH, with_caption=False)


def _next_steps(names: Sequence[str]) -> str:
    steps = dict(NEXT_STEPS)
    if len(names) > 1:
        name = printable(repr(names[0]), 40)
        steps = {
            call.replace("e.", f"e[{name}].", 1): gain for call, gain in list(steps.items())[:2]
        }
        steps |= dict(list(NEXT_STEPS.items())[2:])
    return " · ".join(f"<code>{_text(call)}</code> {gain}" for call, gain in steps.items())


def _text(text: str) -> str:
    return escape(printable(text, 400))
