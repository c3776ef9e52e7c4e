"""Views of tables of cut-offs: text sections and JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tradeoff.core.ranking import Ranking
from tradeoff.formatting import (
    format_count,
    format_level,
    format_percent,
    format_threshold,
    printable,
)
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import Measure
from tradeoff.render.estimate_documents import estimates_document
from tradeoff.render.estimate_text import CLINICAL_DIGITS, MIN_SIGNIFICANT_DIGITS
from tradeoff.render.json_csv import confusion_document, json_threshold, json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.thresholds.cutoffs import Cutoffs, CutoffTable, OutOfBagCutoff
from tradeoff.views.measures import measure_cell, sampling_document

SCHEMA = "tradeoff/cutoffs/1"
PREDICTIVE_VALUES = {"precision", "negative_predictive_value"}


@shows(Cutoffs, "sections")
def cutoffs_sections(result: Cutoffs) -> list[Section]:
    """Text sections of a table of cut-offs: one table per model, with the rows and prevalence."""
    return [
        Section(lines=(_rows_line(result),)),
        *(_table_section(table, result) for table in result.tables),
        *(
            _out_of_bag_section(table.ranking, table.out_of_bag)
            for table in result.tables
            if table.out_of_bag is not None
        ),
        Section(lines=(_prevalence_line(result),)),
    ]


def _rows_line(result: Cutoffs) -> str:
    ranking = result.tables[0].ranking
    positives = f"{format_count(float(ranking.positives))} positive"
    line = f"{ranking.wording.count(ranking.rows)}, {positives} ({printable(ranking.positive)})."
    if result.confidence is not None:
        line += f" In parentheses: {format_level(result.confidence.level)} CI."
    return line


def _table_section(table: CutoffTable, result: Cutoffs) -> Section:
    sign = "≤" if table.ranking.lower_is_positive else "≥"
    is_clinical = result.vocabulary in {"clinical", "general"}
    digits = CLINICAL_DIGITS if is_clinical else MIN_SIGNIFICANT_DIGITS
    names = [f"{printable(table.ranking.name)} {sign}", "TP", "FP", "FN", "TN"]
    header = (*names, *(measure.label for measure in result.measures))
    rows = [
        (
            f"{format_threshold(cutoff.threshold)} {cutoff.label}".rstrip(),
            *(
                format_count(float(count))
                for count in (
                    cutoff.confusion.true_positives,
                    cutoff.confusion.false_positives,
                    cutoff.confusion.false_negatives,
                    cutoff.confusion.true_negatives,
                )
            ),
            *_cells(result.measures, cutoff.estimates, digits),
        )
        for cutoff in table.cutoffs
    ]
    if table.out_of_bag is not None:
        label = f"{table.out_of_bag.label}, out of bag"
        cells = _cells(result.measures, table.out_of_bag.estimates, digits)
        rows.append((label, "", "", "", "", *cells))
    notes = tuple(f"Note: {note}." for note in table.notes)
    return Section(lines=notes, table=(header, *rows))


def _cells(
    measures: Sequence[Measure], estimates: Mapping[str, Estimate], digits: int
) -> list[str]:
    return [measure_cell(measure, estimates[measure.name], digits) for measure in measures]


def _out_of_bag_section(ranking: Ranking, estimate: OutOfBagCutoff) -> Section:
    """Text section that explains the row of out-of-bag values."""
    low, high = (format_threshold(limit) for limit in estimate.thresholds)
    units = ranking.wording.units
    sentence = (
        f"Out of bag: the cut-off of {printable(ranking.name)} is chosen on each of "
        f"{estimate.replicates:,} bootstrap resamples and evaluated on the {units} left out of it. "
        f"In {format_level(estimate.level)} of the resamples it is between {low} and {high}."
    )
    return Section(lines=(sentence,))


def _prevalence_line(result: Cutoffs) -> str:
    ranking = result.tables[0].ranking
    positives = float(ranking.positives) + float(ranking.rejected_positives)
    total = float(ranking.total)
    observed = format_percent(positives / total) if total else "undefined"
    counts = f"{format_count(positives)} of {format_count(total)}"
    labels = [m.label for m in result.measures if m.name in PREDICTIVE_VALUES]
    subject = " and ".join(labels) or "The values"
    if result.prevalence is not None:
        return (
            f"{subject} hold at a prevalence of {format_percent(result.prevalence)}; in the "
            f"{ranking.wording.units} it is {observed} ({counts})."
        )
    if not labels:
        return f"Prevalence {observed} ({counts})."
    return f"Prevalence {observed} ({counts}); {subject} hold at this prevalence."


@shows(Cutoffs, "document")
def cutoffs_document(result: Cutoffs) -> dict[str, Any]:
    """JSON document of a table of cut-offs."""
    ranking = result.tables[0].ranking
    return {
        "schema": SCHEMA,
        "positive": ranking.positive,
        "negative": ranking.negative,
        "rows": ranking.rows,
        "positives": json_value(ranking.positives),
        "negatives": json_value(ranking.negatives),
        **({} if result.prevalence is None else {"prevalence": result.prevalence}),
        **sampling_document(result.confidence),
        "models": [_table_document(table) for table in result.tables],
    }


def _table_document(table: CutoffTable) -> dict[str, Any]:
    out_of_bag = table.out_of_bag
    return {
        "name": table.ranking.name,
        "rule": f"score {'<=' if table.ranking.lower_is_positive else '>='} cut-off",
        "cutoffs": [
            {
                "cutoff": json_threshold(cutoff.threshold),
                "label": cutoff.label,
                "confusion": confusion_document(cutoff.confusion),
                "metrics": estimates_document(cutoff.estimates),
            }
            for cutoff in table.cutoffs
        ],
        **({} if out_of_bag is None else {"out_of_bag": _out_of_bag_document(out_of_bag)}),
        "notes": [*table.ranking.notes, *table.notes],
    }


def _out_of_bag_document(estimate: OutOfBagCutoff) -> dict[str, Any]:
    return {
        "criterion": estimate.label,
        "low": json_threshold(estimate.thresholds.low),
        "high": json_threshold(estimate.thresholds.high),
        "level": estimate.level,
        "resamples": estimate.replicates,
        "seed": estimate.seed,
        "metrics": estimates_document(estimate.estimates),
    }
