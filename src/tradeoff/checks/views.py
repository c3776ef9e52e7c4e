"""Findings for readers: on top of results, or by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tradeoff.checks import Finding, findings_of
from tradeoff.checks.registry import CHECKS, LEVELS, CheckedRows
from tradeoff.core.models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.measures.registry import SUMMARIES
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.text import count, threshold
from tradeoff.text import rows as rows_of

# Findings about scored rows for readers: what is the matter, where, and what to do.


CHECK = "tradeoff/check/1"


@shows(CheckedRows, "sections")
def check_sections(checked: CheckedRows) -> list[Section]:
    """How many findings there are, and each with what to do about it.

    Example:
        >>> check_sections(CheckedRows(14, (), ()))[0].lines
        ('14 rows: nothing was found that speaks against using them.',)
    """
    findings = checked.findings
    lines = [f"{rows_of(checked.rows)}: {_summed(findings)}."]
    if checked.looked_at and not findings:
        phrases = [CHECKS[name].phrase for name in checked.looked_at if name in CHECKS]
        lines.append(f"Looked whether {'; '.join(phrases)}.")
    return [Section("Check of the rows", tuple(lines)), *map(_section, findings)]


@shows(CheckedRows, "document")
def check_document(checked: CheckedRows) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "schema": CHECK,
        "rows": checked.rows,
        "checks": list(checked.looked_at),
        "findings": [finding_document(finding) for finding in checked.findings],
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    """One finding for other programs; `where` is null where it concerns all models.

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


def _section(finding: Finding) -> Section:
    name = finding.name.replace("_", " ")
    where = f" ({finding.where})" if finding.where else ""
    heading = f"{finding.level.capitalize()}: {name}{where}"
    return Section(heading, (finding.sentence, f"What to do: {finding.advice}"))


def _summed(found: Sequence[Finding]) -> str:
    if not found:
        return "nothing was found that speaks against using them"
    sizes = {level: sum(one.level == level for one in found) for level in LEVELS}
    parts = [f"{size} {level}{'' if size == 1 else 's'}" for level, size in sizes.items() if size]
    return ", ".join(parts)


def warnings_section(found: Iterable[Finding]) -> list[Section]:
    """A short section for the top of an evaluation; none where only notes were found.

    Example:
        >>> from tradeoff.checks import Finding
        >>> warnings_section([Finding("a", "warning", "Odd scores.", "Look again.")])[0].lines
        ('Warning: Odd scores. Look again.',)
    """
    lines = [
        f"{one.level.capitalize()}: {one.sentence} {one.advice}" for one in found if one.matters
    ]
    return [Section("Before you read on", tuple(lines))] if lines else []


def notes_section(notes: Sequence[str]) -> list[Section]:
    """Notes as a list; none is no section."""
    return [Section("Notes", tuple(f"- {note}." for note in notes))] if notes else []


def notes_of(models: Sequence[Ranking]) -> list[str]:
    """What sources told about the rows, each once, what bins cost, whether models share rows."""
    notes = list(dict.fromkeys(note for ranking in models for note in ranking.notes))
    notes += [bins_note(ranking) for ranking in models if not ranking.exact]
    if len({ranking.rows for ranking in models}) > 1:
        notes.append("the models were judged on different rows, so do not compare their numbers")
    return notes


def bins_note(ranking: Ranking) -> str:
    """What is certain about a ranking whose scores are in bins, and what is not."""
    told = f"{ranking.name}: scores are in {count(ranking.distinct)} bins, whose counts are exact"
    if not (ranking.positives and ranking.negatives):
        return told
    auc = SUMMARIES["auc"].estimate(ranking)
    if ranking.pairs is not None:
        return f"{told}; the AUC was counted by all scores"
    return f"{told}; the AUC by all scores is within ±{auc.within:.2g} of {auc.written}"


def _inside(ranking: Ranking, at: float) -> str | None:
    """How many rows may be called wrongly because a threshold lies inside a bin."""
    place = ranking.index(at) + 1
    if ranking.levels is None or place >= len(ranking) or not ranking.is_inside(at, place):
        return None
    found = ranking.tally.true_positives[place] - ranking.tally.true_positives[place - 1]
    alarms = ranking.tally.false_positives[place] - ranking.tally.false_positives[place - 1]
    return (
        f"{ranking.name}: {threshold(at)} lies inside a bin; of its {count(found)} "
        f"{ranking.positive} and {count(alarms)} {ranking.negative} rows some may score higher, "
        "and are counted as lower"
    )


def remarks(models: Sequence[Ranking]) -> list[str]:
    """Notes and findings together, where no section stands on top."""
    found = findings_of(RankedModels({ranking.name: ranking for ranking in models}))
    return [*notes_of(models), *(one.sentence.removesuffix(".") for one in found if one.matters)]


def line_notes(models: Sequence[Ranking], at: float) -> list[str]:
    """Doubts about a threshold: it lies inside a bin, or nobody chose it."""
    notes = [note for ranking in models if (note := _inside(ranking, at))]
    if at != 0.5:
        return notes
    for ranking in models:
        scores = ranking.thresholds[np.isfinite(ranking.thresholds)]
        if len(scores) and (scores.min() < 0 or scores.max() > 1):
            low, high = threshold(float(scores.min())), threshold(float(scores.max()))
            notes.append(
                f"{ranking.name} runs from {low} to {high}, so 0.5 may not be the line you mean"
            )
    return notes
