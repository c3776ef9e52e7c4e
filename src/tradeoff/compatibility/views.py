"""Comparison with other tools as text, JSON and CSV: both values, and why they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tradeoff.compatibility import TOOLS, ToolComparison, ToolNumber
from tradeoff.formatting import (
    format_count,
    format_screen_number,
    format_threshold,
)
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.json_csv import format_csv, json_threshold, json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows

COMPAT_SCHEMA = "tradeoff/compat/1"
YES_NO = {True: "yes", False: "no", None: ""}


@shows(ToolComparison, "sections")
def compat_sections(comparison: ToolComparison) -> list[Section]:
    """Text of a comparison with other tools: how many values agree, and a table per tool."""
    numbers, ranking = comparison.numbers, comparison.ranking
    comparable = [number for number in numbers if number.same is not None]
    same_count = sum(number.same is True for number in comparable)
    lines = (
        f"{ranking.name}: {same_count} of {len(comparable)} numbers agree with other tools.",
        (
            f"{ranking.wording.count(ranking.rows)}, {format_count(ranking.positives)} of them "
            f"{ranking.positive}; threshold {format_threshold(comparison.threshold)}."
        ),
    )
    tables = [
        _tool_section(tool, [number for number in numbers if number.measure.tool == tool])
        for tool in TOOLS
    ]
    return [Section("", lines), *(table for table in tables if table.table[1:])]


@shows(ToolComparison, "document")
def compat_document(comparison: ToolComparison) -> dict[str, Any]:
    """JSON document of a comparison with other tools."""
    numbers, ranking = comparison.numbers, comparison.ranking
    tools = [tool for tool in TOOLS if any(number.measure.tool == tool for number in numbers)]
    return {
        "schema": COMPAT_SCHEMA,
        "model": ranking.name,
        "rows": ranking.rows,
        "positive": ranking.positive,
        "negative": ranking.negative,
        "positives": json_value(ranking.positives),
        "negatives": json_value(ranking.negatives),
        "threshold": json_threshold(comparison.threshold),
        "tools": [
            {
                "tool": tool,
                "numbers": [_number_document(n) for n in numbers if n.measure.tool == tool],
            }
            for tool in tools
        ],
    }


@shows(ToolComparison, "csv")
def compat_csv(comparison: ToolComparison) -> str:
    """CSV of a comparison with other tools, one row per number.

    Example:
        >>> import numpy as np
        >>> from tradeoff.compatibility import compare_tools
        >>> from tradeoff.core.ranking import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.2]), np.array([True, False]))
        >>> compat_csv(compare_tools(ranking, "sklearn")).splitlines()[1]
        'scikit-learn,roc_auc_score,1.0,,auc,,1.0,yes,yes'
    """
    head = ("tool", "name", "value", "reason", "ours", "part", "our_value", "same", "agrees")
    rows = [
        [
            number.measure.tool,
            number.measure.name,
            number.theirs.value,
            number.theirs.reason,
            number.measure.ours,
            number.measure.part,
            number.ours.value if number.ours else None,
            YES_NO[number.same],
            YES_NO[number.measure.agrees],
        ]
        for number in comparison.numbers
    ]
    return format_csv(head, rows)


def _number_document(number: ToolNumber) -> dict[str, Any]:
    ours = None
    if number.ours is not None:
        part = {"part": number.measure.part} if number.measure.part else {}
        ours = {"name": number.ours.name, **part, **estimate_document(number.ours)}
    return {
        "name": number.measure.name,
        "parameters": {
            key: _json_parameter(value) for key, value in number.measure.parameters.items()
        },
        **estimate_document(
            replace(number.theirs, label="")
        ),  # the document names the tool instead
        "ours": ours,
        "same": number.same,
        "agrees": number.measure.agrees,
        "why": number.measure.why,
    }


def _json_parameter(value: Any) -> Any:
    return json_threshold(value) if isinstance(value, float) else value


def _tool_section(tool: str, numbers: Sequence[ToolNumber]) -> Section:
    head = (tool, "our name", "theirs", "ours", "same", "why")
    rows = [
        (
            number.measure.name,
            _our_name(number),
            format_screen_number(number.theirs.value),
            format_screen_number(number.ours.value) if number.ours else "",
            YES_NO[number.same],
            _explanation(number),
        )
        for number in numbers
    ]
    return Section(tool, (), (head, *rows), left=2, prose_last=True)


def _our_name(number: ToolNumber) -> str:
    if number.ours is None:
        return "-"
    return (
        f"{number.ours.name} ({number.measure.part})" if number.measure.part else number.ours.name
    )


def _explanation(number: ToolNumber) -> str:
    """A note on these rows, if any, and the tool's convention."""
    note = number.theirs.reason or number.theirs.note
    return f"{note}. {number.measure.why}" if note else number.measure.why
