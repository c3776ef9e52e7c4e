"""Views of metrics and summaries: tables, explanations and JSON documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.formatting import format_count, with_minus_sign
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.formula import format_formula, is_expression, substituted_formula
from tradeoff.measures.registry import Measure, lookup_key
from tradeoff.render.estimate_text import (
    MIN_SIGNIFICANT_DIGITS,
    format_estimate,
    format_estimate_percent,
    note_sentence,
)
from tradeoff.render.json_csv import json_number
from tradeoff.render.sections import Section
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.estimates import (
    matrix_estimates,
    summary_estimates,
)
from tradeoff.wording import ROWS, Wording


def explanation_sections(
    measure: Measure, subject: ConfusionMatrix | Ranking | None, wording: Wording = ROWS
) -> list[Section]:
    """Explanation of a measure: formula, aliases, range, meaning, differences from other tools."""
    facts = [
        ("formula", format_formula(measure.formula)),
        ("also called", ", ".join([*measure.aliases, *measure.presets]) or "no other name"),
        ("range", f"{_limit(measure.low)} to {_limit(measure.high)}, {_direction(measure)}"),
        ("undefined when", measure.undefined.replace("{", "").replace("}", "")),
        ("in other tools", measure.others),
        ("source", measure.source),
    ]
    table = (("", ""), *(fact for fact in facts if fact[1]))
    title = measure.label
    if lookup_key(title) != lookup_key(measure.name):
        title = f"{title} ({measure.name})"
    sections = [Section(title, table=table, prose_last=True)]
    if subject is not None:
        sections.append(Section("Value", lines=_worked_example(measure, subject, wording)))
    return sections


KIND_HEADINGS = {"metric": "Metrics", "summary": "Threshold-free measures"}


def registry_sections(measures: Iterable[Measure]) -> list[Section]:
    """Text sections that list measures by family."""
    families: dict[str, list[tuple[str, ...]]] = {}
    for m in measures:
        names = ", ".join([*m.aliases, *m.presets])
        row = (
            m.name,
            f"{format_formula(m.formula)}  [{names}]" if names else format_formula(m.formula),
        )
        families.setdefault(f"{KIND_HEADINGS[m.kind]}: {m.family}", [("", "")]).append(row)
    return [Section(name, table=tuple(rows), prose_last=True) for name, rows in families.items()]


def measures_section(  # noqa: PLR0913 - what is shown, and how it is worded and rounded
    heading: str,
    measures: Sequence[Measure],
    subjects: Mapping[str, Any],
    estimates: Mapping[str, Mapping[str, Estimate]],
    wording: Wording = ROWS,
    *,
    digits: int = MIN_SIGNIFICANT_DIGITS,
) -> Section:
    """Table of measures: with their counts for one model, with a column each for several.

    `digits` is the number of significant digits of proportions.
    """
    if len(subjects) == 1:
        (subject,), (values,) = subjects.values(), estimates.values()
        return _measures_with_counts(heading, measures, subject, values, wording, digits=digits)
    table: list[tuple[str, ...]] = [("", *subjects)]
    labels_by_note: dict[str, list[str]] = {}
    for measure in measures:
        row = {name: estimates[name][measure.name] for name in subjects}
        cells = (measure_cell(measure, estimate, digits) for estimate in row.values())
        table.append((measure.label, *cells))
        for note in dict.fromkeys(e.note for e in row.values() if e.note):
            names = [name for name, e in row.items() if e.note == note]
            labels = [measure.label]
            if len(names) < len(row):
                labels = [f"{measure.label} of {name}" for name in names]
            labels_by_note.setdefault(note, []).extend(labels)
    notes = tuple(_shared_note(labels, note) for note, labels in labels_by_note.items())
    return Section(heading, notes, tuple(table))


def _shared_note(labels: Sequence[str], note: str) -> str:
    """Sentence for a note that several estimates share."""
    if len(labels) == 1:
        return note_sentence(labels[0], note)
    reason = note.removeprefix("no interval: ")
    note = note if reason == note else f"no interval ({reason})"
    return f"{', '.join(labels[:-1])} and {labels[-1]}: {note}."


def measure_cell(measure: Measure, estimate: Estimate, digits: int) -> str:
    """Value and interval of a measure, with this number of digits if it is a proportion."""
    is_proportion = measure.low >= -1 and measure.high <= 1
    return format_estimate(estimate, digits if is_proportion else MIN_SIGNIFICANT_DIGITS)


def _measures_with_counts(  # noqa: PLR0913 - as measures_section
    heading: str,
    measures: Sequence[Measure],
    subject: Any,
    estimates: Mapping[str, Estimate],
    wording: Wording,
    *,
    digits: int,
) -> Section:
    table = [("", "", "")]
    for measure in measures:
        estimate = estimates[measure.name]
        cell = measure_cell(measure, estimate, digits)
        table.append((measure.label, cell, _remark(measure, estimate, subject, wording)))
    return Section(heading, (), tuple(table), left=2, prose_last=True)


def _remark(measure: Measure, estimate: Estimate, subject: Any, wording: Wording) -> str:
    """The counts behind a proportion, the reason for an undefined value, or a note."""
    if not estimate.is_defined:
        return estimate.reason or ""
    if estimate.note:
        return estimate.note
    total = getattr(subject, measure.trials, None) if measure.trials else None
    if total is None or not _is_counted(subject):
        return ""
    positive, negative = subject.classes[:2]
    row_label = {
        "positives": f"actual {positive}",
        "negatives": f"actual {negative}",
        "predicted_positives": f"predicted {positive}",
        "predicted_negatives": f"predicted {negative}",
        "decided": f"decided {wording.units}",
    }.get(measure.trials, wording.units)
    count = round(estimate.value * float(total), 6)
    return f"{format_count(count)} of {format_count(float(total))} {row_label}"


def _is_counted(matrix: ConfusionMatrix | ClassMatrix) -> bool:
    """Whether all cells are whole numbers, unlike sums of weights."""
    return all(float(cell.count).is_integer() for cell in matrix.cells())


def _interpretation(
    measure: Measure, estimate: Estimate, subject: Any, wording: Wording = ROWS
) -> str:
    """What the value of a measure means for these rows, or why it is undefined."""
    if not estimate.is_defined:
        return f"undefined: {estimate.reason}"
    share = format_estimate_percent(estimate)
    sentence = measure.sentence_for(subject, estimate.value_text, share, wording)
    return f"{sentence} ({estimate.note})" if estimate.note else sentence


def _worked_example(measure: Measure, subject: Any, wording: Wording) -> tuple[str, ...]:
    is_metric = measure.kind == "metric"
    estimates = matrix_estimates if is_metric else summary_estimates
    estimate = estimates([measure], subject)[measure.name]
    lines = []
    value = repr(estimate) if estimate.is_defined else "undefined"
    if isinstance(subject, ConfusionMatrix) and is_expression(measure):
        lines.append(f"{substituted_formula(measure, subject)} = {value}")
    elif estimate.is_defined:
        lines.append(f"{measure.label} = {value}")
    return (*lines, f"{_interpretation(measure, estimate, subject, wording)}.")


def _limit(value: float) -> str:
    return with_minus_sign(f"{value:.4g}")


def _direction(measure: Measure) -> str:
    return f"{measure.better} is better" if measure.better else "neither direction is better"


def measure_document(measure: Measure) -> dict[str, Any]:
    """JSON document of a metric or summary."""
    return {
        "name": measure.name,
        "kind": measure.kind,
        "family": measure.family,
        "formula": measure.formula,
        "aliases": [*measure.aliases, *measure.presets],
        "better": measure.better,
        "low": json_number(measure.low),
        "high": json_number(measure.high),
        "parameters": dict(measure.parameters),
        "sentence": measure.sentence,
        "undefined": measure.undefined or None,
        "other_tools": measure.others or None,
        "source": measure.source or None,
    }


def sampling_document(confidence: Confidence | None) -> dict[str, Any]:
    """JSON entry on how the rows behind measures were sampled."""
    return {} if confidence is None else {"sampling": confidence.sampling}
