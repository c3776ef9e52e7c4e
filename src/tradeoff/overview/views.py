"""Text and JSON of overviews: the columns with their likely roles, problems, next commands."""

from __future__ import annotations

from typing import Any

from tradeoff.checks.registry import Finding
from tradeoff.checks.views import finding_document
from tradeoff.formatting import format_rows, printable
from tradeoff.overview.overview import CHECKED_FOR, Overview
from tradeoff.render.json_csv import json_number
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.sources.class_roles import infer_class_roles
from tradeoff.sources.column_lines import role_text, values_text
from tradeoff.sources.column_summaries import ColumnSummary
from tradeoff.sources.predicted_roles import infer_multiclass_predictions
from tradeoff.sources.role_inference import Roles, likely_role

OVERVIEW_SCHEMA = "tradeoff/overview/1"


@shows(Overview, "sections")
def overview_sections(overview: Overview) -> list[Section]:
    """Sections of an overview: columns, what is unclear, problems, next commands."""
    count = len(overview.summaries)
    heading = (
        f"{printable(overview.source, 200)}   {format_rows(overview.rows)}, {count:,} "
        f"column{'s' * (count != 1)}"
    )
    header = ("", "", "", "")
    rows = [
        (printable(c.name), c.kind, values_text(c), role_text(c, overview.roles, flags=True))
        for c in overview.summaries
    ]
    return [
        Section(lines=(heading,)),
        Section(table=(header, *rows), left=3, prose_last=True),
        *_lines_section(_reading_lines(overview)),
        *_lines_section(_problem_lines(overview)),
        Section("Next:", overview.commands, verbatim=True),
    ]


def _lines_section(lines: list[str]) -> list[Section]:
    return [Section(lines=tuple(lines))] if lines else []


def _reading_lines(overview: Overview) -> list[str]:
    """How the file was read, and of how many rows the columns are described."""
    lines = [f"Read with {', '.join(overview.notes)}."] if overview.notes else []
    if overview.summarized_rows < overview.rows:
        lines.append(
            f"The columns are described from the first {format_rows(overview.summarized_rows)}."
        )
    return lines


def _problem_lines(overview: Overview) -> list[str]:
    lines, roles = [], overview.roles
    if (roles.problem and roles.actual is None) or not roles.scores:
        problem = _multiclass_line(overview) or roles.problem
        lines.append(problem.replace("decimal=','", "--decimal ,"))  # as commands say
    if overview.checked is None:
        return lines
    findings = _shown_findings(overview)
    if not findings:
        return [*lines, f"No problems found ({CHECKED_FOR} were checked)."]
    return [
        *lines,
        *(f"{f.level.capitalize()}{_where(f)}: {f.sentence} {f.advice}" for f in findings),
    ]


def _multiclass_line(overview: Overview) -> str:
    """Columns of three or more classes and their scores or predictions; empty without."""
    if overview.roles.actual is not None:
        return ""
    classes = infer_class_roles(overview.summaries, min_classes=3)
    if classes.actual is not None and None not in classes.scores.values():
        return classes.problem or f"More than two classes: {printable(classes.sentence, 200)}."
    predictions = infer_multiclass_predictions(overview.summaries)
    if predictions is None:
        return ""
    return f"More than two classes: {printable(predictions.sentence, 200)}."


def _where(finding: Finding) -> str:
    return f" ({printable(finding.where)})" if finding.where else ""


def _shown_findings(overview: Overview) -> list[Finding]:
    """Findings, without those that depend on a positive class that is not known."""
    if overview.checked is None:
        return []
    is_known = overview.roles.positive is not None
    return [f for f in overview.checked.findings if is_known or f.name != "wrong_class"]


@shows(Overview, "document")
def overview_document(overview: Overview) -> dict[str, Any]:
    """JSON document of an overview."""
    roles = overview.roles
    return {
        "schema": OVERVIEW_SCHEMA,
        "source": overview.source,
        "rows": overview.rows,
        "summarized_rows": overview.summarized_rows,
        "columns": [_column_document(column, roles) for column in overview.summaries],
        "actual": roles.actual,
        "positive": roles.positive,
        "scores": list(roles.scores),
        "problem": roles.problem or None,
        "notes": list(overview.notes),
        "findings": [finding_document(finding) for finding in _shown_findings(overview)],
        "commands": list(overview.commands),
    }


def _column_document(column: ColumnSummary, roles: Roles) -> dict[str, Any]:
    return {
        "name": column.name,
        "type": column.kind,
        "missing": column.missing,
        "distinct": column.distinct,
        "values": [{"value": value, "rows": rows} for value, rows in column.counts],
        "low": None if column.low is None else json_number(column.low),
        "high": None if column.high is None else json_number(column.high),
        "role": likely_role(column, roles) or None,
    }
