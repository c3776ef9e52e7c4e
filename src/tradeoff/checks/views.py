"""Findings of checks as text and JSON, and the warnings and notes shown with other results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tradeoff.checks import Finding
from tradeoff.checks.registry import CHECKS, LEVELS, CheckedRows
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.wording import Wording

CHECK_SCHEMA = "tradeoff/check/1"


@shows(CheckedRows, "sections")
def check_sections(checked: CheckedRows) -> list[Section]:
    """Text sections of check(): number of findings, then each finding with its advice.

    Example:
        >>> check_sections(CheckedRows(14, (), ()))[0].lines
        ('14 rows: no problems found.',)
    """
    findings = checked.findings
    lines = [f"{checked.wording.count(checked.rows)}: {_finding_counts(findings)}."]
    if checked.looked_at and not findings:
        titles = [CHECKS[name].title for name in checked.looked_at if name in CHECKS]
        lines.append(f"Checked for: {checked.wording.rephrase(', '.join(titles))}.")
    return [
        Section("", tuple(lines)),
        *(_finding_section(finding, checked.wording) for finding in findings),
    ]


@shows(CheckedRows, "document")
def check_document(checked: CheckedRows) -> dict[str, Any]:
    """JSON document of check()."""
    return {
        "schema": CHECK_SCHEMA,
        "rows": checked.rows,
        "checks": list(checked.looked_at),
        "findings": [finding_document(finding) for finding in checked.findings],
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    """JSON object of one finding of a check; `where` is null if it concerns all models.

    Example:
        >>> from tradeoff.checks import Finding
        >>> finding_document(Finding("no_rows", "error", "There are no rows.", "Look."))["where"]
    """
    return {
        "name": finding.name,
        "level": finding.level,
        "where": finding.where or None,
        "sentence": finding.sentence,
        "advice": finding.advice,
    }


def _finding_section(finding: Finding, wording: Wording) -> Section:
    name = finding.name
    title = wording.rephrase(CHECKS[name].title) if name in CHECKS else name.replace("_", " ")
    where = f" ({finding.where})" if finding.where else ""
    heading = f"{finding.level.capitalize()}: {title}{where}"
    return Section(heading, (finding.sentence, f"What to do: {finding.advice}"))


def _finding_counts(findings: Sequence[Finding]) -> str:
    if not findings:
        return "no problems found"
    counts = {level: sum(finding.level == level for finding in findings) for level in LEVELS}
    parts = [
        f"{count} {level}{'' if count == 1 else 's'}" for level, count in counts.items() if count
    ]
    return ", ".join(parts)


def warnings_section(findings: Iterable[Finding]) -> list[Section]:
    """Text section of the warnings found by checks, for the top of a result; without notes.

    Example:
        >>> from tradeoff.checks import Finding
        >>> warnings_section([Finding("a", "warning", "Odd scores.", "Look again.")])[0].lines
        ('Warning: Odd scores. Look again.',)
    """
    lines = tuple(
        f"{finding.level.capitalize()}: {finding.sentence} {finding.advice}"
        for finding in findings
        if finding.is_serious
    )
    return [Section("", lines)] if lines else []
