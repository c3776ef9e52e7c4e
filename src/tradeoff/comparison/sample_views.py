"""Views of comparisons between independent samples: text, JSON documents, CSV and charts."""

from __future__ import annotations

from typing import Any

from tradeoff.checks.notes import notes_section, ranking_notes
from tradeoff.comparison.samples import MAX_PATH_LENGTH, Sample, SampleComparison
from tradeoff.comparison.views import (
    difference_document,
    differences_chart,
    differences_csv,
    differences_sections,
    margins_section,
    verdict_document,
)
from tradeoff.formatting import format_count, format_level, format_percent, printable
from tradeoff.render.chart import Chart
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.estimate_text import format_estimate
from tradeoff.render.json_csv import json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows

SCHEMA = "tradeoff/samples/1"
SAME_COUNTS = (
    "these samples have the same scores and classes: if they are the same rows, they are not "
    "independent"
)


@shows(SampleComparison, "sections")
def sample_sections(comparison: SampleComparison) -> list[Section]:
    """Text sections of a comparison between samples: values, then differences and margins."""
    names = [printable(name) for name in dict.fromkeys(s.sample for s in comparison.samples)]
    files = [
        f"{printable(name)}: {printable(file, MAX_PATH_LENGTH)}."
        for name, file in dict.fromkeys((s.sample, s.file) for s in comparison.samples)
        if file is not None
    ]
    units = comparison.samples[0].ranking.wording.units
    opening = (
        f"Independent samples: {' and '.join(names)}, each with {units} of its own. In "
        f"parentheses: {format_level(comparison.level)} CI."
    )
    return [
        Section(lines=(opening, *files)),
        _values_section(comparison),
        *differences_sections(comparison.differences),
        *([margins_section(comparison.verdicts)] if comparison.verdicts else []),
        *notes_section(sample_notes(comparison)),
    ]


def _values_section(comparison: SampleComparison) -> Section:
    """Table of rows, positives and metrics by sample and model."""
    first = comparison.samples[0]
    labels = [estimate.label or name for name, estimate in first.estimates.items()]
    header = ("", first.ranking.wording.units, "positives", *labels)
    has_models = len({sample.model for sample in comparison.samples}) > 1
    table = []
    for sample in comparison.samples:
        ranking, name = sample.ranking, printable(sample.sample)
        prevalence = format_percent(float(ranking.positives) / float(ranking.total))
        table.append(
            (
                f"{printable(sample.model)} {name}" if has_models else name,
                format_count(ranking.total),
                f"{format_count(ranking.positives)} ({prevalence})",
                *(format_estimate(estimate) for estimate in sample.estimates.values()),
            )
        )
    return Section("", (), (header, *table))


def sample_notes(comparison: SampleComparison) -> list[str]:
    """Notes on the rows and scores of samples, and on samples that may be the same rows."""
    notes = [
        f"{sample.sample}: {note}"
        for sample in comparison.samples
        for note in ranking_notes([sample.ranking])
    ]
    first, *others = comparison.samples
    if any(_has_same_counts(first, sample) for sample in others if sample.model == first.model):
        notes = [SAME_COUNTS, *notes]
    return list(dict.fromkeys(notes))


def _has_same_counts(first: Sample, second: Sample) -> bool:
    """Whether two samples have the same scores and classes, in whatever order."""
    name = first.ranking.name
    return bool(first.ranking == second.ranking.named(name))


@shows(SampleComparison, "document")
def sample_document(comparison: SampleComparison) -> dict[str, Any]:
    """JSON document of a comparison between samples."""
    return {
        "schema": SCHEMA,
        "positive": comparison.samples[0].ranking.positive,
        "samples": [
            {
                "name": sample.sample,
                "file": sample.file,
                "model": sample.model,
                "rows": sample.ranking.rows,
                "positives": json_value(sample.ranking.positives),
                "negatives": json_value(sample.ranking.negatives),
                "metrics": {
                    name: estimate_document(estimate) for name, estimate in sample.estimates.items()
                },
            }
            for sample in comparison.samples
        ],
        "differences": [difference_document(d) for d in comparison.differences],
        "margins": [verdict_document(verdict) for verdict in comparison.verdicts],
        "notes": sample_notes(comparison),
    }


@shows(SampleComparison, "csv")
def sample_csv(comparison: SampleComparison) -> str:
    """CSV of the differences between samples, with the keys of the JSON document."""
    return differences_csv(comparison.differences)


@shows(SampleComparison, "chart")
def sample_chart(comparison: SampleComparison) -> Chart:
    """Forest plot of the differences between samples in the first metric."""
    metric = comparison.differences[0].metric
    return differences_chart([d for d in comparison.differences if d.metric == metric])
