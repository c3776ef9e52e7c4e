"""Notes on rankings and thresholds, and the section that shows them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tradeoff.checks import ranking_findings
from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.formatting import format_count, format_threshold
from tradeoff.measures.registry import SUMMARIES
from tradeoff.render.sections import Section


def notes_section(notes: Sequence[str]) -> list[Section]:
    """Section "Notes" with one note per line; empty list if there are no notes."""
    return [Section("Notes", tuple(f"- {note}." for note in notes))] if notes else []


def ranking_notes(models: Sequence[Ranking]) -> list[str]:
    """Notes on rankings: their sources, binned scores, and differing numbers of rows."""
    notes = list(dict.fromkeys(note for ranking in models for note in ranking.notes))
    notes += [bins_note(ranking) for ranking in models if not ranking.exact]
    if len({ranking.rows for ranking in models}) > 1:
        units = models[0].wording.units
        notes.append(
            f"the models were evaluated on different {units}, so do not compare their metrics"
        )
    return notes


def bins_note(ranking: Ranking) -> str:
    """Note on a ranking with binned scores: how exact its counts and AUC are."""
    note = (
        f"{ranking.name}: the scores are in {format_count(ranking.distinct)} bins, whose "
        "counts are exact"
    )
    if not (ranking.positives and ranking.negatives):
        return note
    auc = SUMMARIES["auc"].estimate(ranking)
    if ranking.pairs is not None:
        return f"{note}; the AUC was computed from all scores"
    return f"{note}; the AUC of the unbinned scores is within ±{auc.within:.2g} of {auc.value_text}"


def _inside_bin_note(ranking: Ranking, threshold: float) -> str | None:
    """Note that a threshold lies inside a bin, whose rows are then counted as lower."""
    index = ranking.index(threshold) + 1
    if ranking.levels is None or index >= len(ranking) or not ranking.is_inside(threshold, index):
        return None
    tally = ranking.tally
    positives = tally.true_positives[index] - tally.true_positives[index - 1]
    negatives = tally.false_positives[index] - tally.false_positives[index - 1]
    return (
        f"{ranking.name}: {format_threshold(threshold)} lies inside a bin; of its "
        f"{ranking.wording.units} "
        f"({format_count(positives)} of class {ranking.positive}, {format_count(negatives)} of "
        f"class {ranking.negative}), some may score higher, but all are counted as lower"
    )


def notes_and_warnings(models: Sequence[Ranking]) -> list[str]:
    """Notes on rankings and warnings of checks, for results that have no section of warnings."""
    findings = ranking_findings(RankedModels({ranking.name: ranking for ranking in models}))
    warnings = [finding.sentence.removesuffix(".") for finding in findings if finding.is_serious]
    return [*ranking_notes(models), *warnings]


def threshold_notes(models: Sequence[Ranking], threshold: float) -> list[str]:
    """Notes on a threshold: inside a bin, or 0.5 applied to scores outside 0 to 1."""
    notes = [note for ranking in models if (note := _inside_bin_note(ranking, threshold))]
    if threshold != 0.5:
        return notes
    for ranking in models:
        scores = ranking.thresholds[np.isfinite(ranking.thresholds)]
        if len(scores) and (scores.min() < 0 or scores.max() > 1):
            low, high = format_threshold(float(scores.min())), format_threshold(float(scores.max()))
            notes.append(
                f"{ranking.name} ranges from {low} to {high}, so 0.5 may not be a useful threshold"
            )
    return notes
