"""Findings of checks as text and JSON, and the warnings and notes shown with other results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tradeoff.checks import Finding, ranking_findings
from tradeoff.checks.registry import CHECKS, LEVELS, CheckedRows
from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.measures.registry import SUMMARIES
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.text import format_count, format_rows, format_threshold

CHECK = "tradeoff/check/1"


@shows(CheckedRows, "sections")
def check_sections(checked: CheckedRows) -> list[Section]:
    """Text of check(): number of findings, then each finding with its advice.

    Example:
        >>> check_sections(CheckedRows(14, (), ()))[0].lines
        ('14 rows: no problems found.',)
    """
    findings = checked.findings
    lines = [f"{format_rows(checked.rows)}: {_finding_counts(findings)}."]
    if checked.looked_at and not findings:
        phrases = [CHECKS[name].phrase for name in checked.looked_at if name in CHECKS]
        lines.append(f"Checked for: {', '.join(phrases)}.")
    return [Section("", tuple(lines)), *map(_finding_section, findings)]


@shows(CheckedRows, "document")
def check_document(checked: CheckedRows) -> dict[str, Any]:
    """JSON document of check()."""
    return {
        "schema": CHECK,
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


def _finding_section(finding: Finding) -> Section:
    name = finding.name.replace("_", " ")
    where = f" ({finding.where})" if finding.where else ""
    heading = f"{finding.level.capitalize()}: {name}{where}"
    return Section(heading, (finding.sentence, f"What to do: {finding.advice}"))


def _finding_counts(findings: Sequence[Finding]) -> str:
    if not findings:
        return "no problems found"
    sizes = {level: sum(finding.level == level for finding in findings) for level in LEVELS}
    parts = [f"{size} {level}{'' if size == 1 else 's'}" for level, size in sizes.items() if size]
    return ", ".join(parts)


def warnings_section(findings: Iterable[Finding]) -> list[Section]:
    """Section "Warnings" for the top of an evaluation, with all findings that are no mere notes.

    Example:
        >>> from tradeoff.checks import Finding
        >>> warnings_section([Finding("a", "warning", "Odd scores.", "Look again.")])[0].lines
        ('Warning: Odd scores. Look again.',)
    """
    lines = [
        f"{finding.level.capitalize()}: {finding.sentence} {finding.advice}"
        for finding in findings
        if finding.matters
    ]
    return [Section("Warnings", tuple(lines))] if lines else []


def notes_section(notes: Sequence[str]) -> list[Section]:
    """Section "Notes" with one note per line; none without notes."""
    return [Section("Notes", tuple(f"- {note}." for note in notes))] if notes else []


def ranking_notes(models: Sequence[Ranking]) -> list[str]:
    """Notes of the sources about their rows, on binned scores, and on differing rows."""
    notes = list(dict.fromkeys(note for ranking in models for note in ranking.notes))
    notes += [bins_note(ranking) for ranking in models if not ranking.exact]
    if len({ranking.rows for ranking in models}) > 1:
        notes.append("the models were evaluated on different rows, so do not compare their metrics")
    return notes


def bins_note(ranking: Ranking) -> str:
    """Note on a ranking with binned scores: how exact its counts and its AUC are."""
    note = (
        f"{ranking.name}: scores are in {format_count(ranking.distinct)} bins, whose counts are "
        "exact"
    )
    if not (ranking.positives and ranking.negatives):
        return note
    auc = SUMMARIES["auc"].estimate(ranking)
    if ranking.pairs is not None:
        return f"{note}; the AUC was computed from all scores"
    return f"{note}; the AUC of the unbinned scores is within ±{auc.within:.2g} of {auc.value_text}"


def _inside_bin_note(ranking: Ranking, at: float) -> str | None:
    """Note that a threshold lies inside a bin, whose rows then count as lower."""
    index = ranking.index(at) + 1
    if ranking.levels is None or index >= len(ranking) or not ranking.is_inside(at, index):
        return None
    tally = ranking.tally
    positives = tally.true_positives[index] - tally.true_positives[index - 1]
    negatives = tally.false_positives[index] - tally.false_positives[index - 1]
    return (
        f"{ranking.name}: {format_threshold(at)} lies inside a bin; of its "
        f"{format_count(positives)} "
        f"{ranking.positive} and {format_count(negatives)} {ranking.negative} rows some may "
        "score higher, "
        "but are counted as lower"
    )


def notes_and_warnings(models: Sequence[Ranking]) -> list[str]:
    """Notes on rankings together with the warnings of checks, for results without a section."""
    findings = ranking_findings(RankedModels({ranking.name: ranking for ranking in models}))
    warnings = [finding.sentence.removesuffix(".") for finding in findings if finding.matters]
    return [*ranking_notes(models), *warnings]


def threshold_notes(models: Sequence[Ranking], at: float) -> list[str]:
    """Notes on a threshold: it lies inside a bin, or 0.5 is applied to scores beyond 0 to 1."""
    notes = [note for ranking in models if (note := _inside_bin_note(ranking, at))]
    if at != 0.5:
        return notes
    for ranking in models:
        scores = ranking.thresholds[np.isfinite(ranking.thresholds)]
        if len(scores) and (scores.min() < 0 or scores.max() > 1):
            low, high = format_threshold(float(scores.min())), format_threshold(float(scores.max()))
            notes.append(
                f"{ranking.name} ranges from {low} to {high}, so 0.5 may not be a useful threshold"
            )
    return notes
