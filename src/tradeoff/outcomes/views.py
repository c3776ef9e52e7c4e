"""Text sections and JSON document of the rows of an outcome."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tradeoff.formatting import format_count, format_exact_threshold, printable
from tradeoff.outcomes.outcome_rows import OutcomeRows
from tradeoff.render.json_csv import json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows

ROWS_SCHEMA = "tradeoff/rows/1"
PLURALS = {
    "rejected": "rejected",
    "error": "errors",
    "predicted positive": "predicted positive",
    "predicted negative": "predicted negative",
}


@shows(OutcomeRows, "sections")
def outcome_rows_sections(rows: OutcomeRows) -> list[Section]:
    """Text sections of outcome rows: their number, and those nearest to the threshold."""
    lines = [_headline(rows)]
    table = _cells(rows.table)
    notes = tuple(f"{note[0].upper()}{note[1:]}." for note in rows.notes)
    sections = [Section(lines=tuple(lines))]
    if len(table) > 1:
        sections.append(Section(table=table, left=_left_columns(rows)))
    return [*sections, *([Section(lines=notes)] if notes else [])]


def _headline(rows: OutcomeRows) -> str:
    """First sentence: "42 of 200 customers are false negatives (…); the 20 nearest …"."""
    verb = "is" if rows.size == 1 else "are"
    counts = f"{format_count(rows.size)} of {rows.wording.count(rows.total)}"
    sentence = f"{counts} {verb} {outcome_words(rows)}"
    if rows.rule:
        sentence += f" ({rows.rule})"
    listed = len(rows)
    if not rows.size or not listed:
        return f"{sentence}."
    order = ", nearest to the threshold first" if rows.rule else ", closest decisions first"
    if "distance" not in rows.table and "margin" not in rows.table:
        order = ""
    if listed < rows.size:
        return f"{sentence}; the first {format_count(listed)}{order}:"
    return f"{sentence}{order}:"


def outcome_words(rows: OutcomeRows) -> str:
    """The outcome in words, with the names of the classes."""
    if rows.outcome in PLURALS or not rows.rule:
        return PLURALS.get(rows.outcome, rows.outcome)
    positive, negative = map(printable, rows.classes)
    is_positive = rows.outcome in {"true positive", "false negative"}
    actual = positive if is_positive else negative
    predicted = positive if rows.outcome.endswith("positive") else negative
    noun = f"a {rows.outcome}" if rows.size == 1 else f"{rows.outcome}s"
    return f"{noun}, actual {actual} and predicted {predicted}"


def _cells(table: Any) -> tuple[tuple[str, ...], ...]:
    """Rows of the table as text."""
    columns = [[_cell(name, value) for value in _values(v)] for name, v in table.items()]
    return (tuple(table), *zip(*columns, strict=True))


def _values(column: Any) -> Sequence[Any]:
    values: Sequence[Any] = column.tolist() if isinstance(column, np.ndarray) else column
    return values


def _cell(name: str, value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if name in {"distance", "margin"}:
        return f"{value:.3g}"
    return format_exact_threshold(value) if isinstance(value, float) else printable(value)


def _left_columns(rows: OutcomeRows) -> int:
    """Number of columns that identify a row, which come first."""
    return list(rows.table).index("row")


@shows(OutcomeRows, "document")
def outcome_rows_document(rows: OutcomeRows) -> dict[str, Any]:
    """JSON document of the rows of an outcome."""
    columns = {name: _values(values) for name, values in rows.table.items()}
    return {
        "schema": ROWS_SCHEMA,
        "outcome": rows.outcome,
        "model": rows.model or None,
        "threshold": None if rows.threshold is None else json_value(rows.threshold),
        "classes": list(rows.classes),
        "total": rows.total,
        "size": rows.size,
        "rows": [
            {name: json_value(value) for name, value in zip(columns, cells, strict=True)}
            for cells in zip(*columns.values(), strict=True)
        ],
        "notes": list(rows.notes),
    }
