"""Views of predicted labels: text sections, tables, JSON documents and points in the ROC plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tradeoff.comparison.views import difference_document, differences_sections
from tradeoff.errors import InputError, UnknownName
from tradeoff.evaluation.labels import LabelComparison, LabelEvaluation
from tradeoff.formatting import (
    format_count,
    format_level,
    format_percent,
    printable,
)
from tradeoff.measures.registry import METRICS
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.render.chart import Chart, Layer, Line, Points, Scale
from tradeoff.render.estimate_documents import estimates_document
from tradeoff.render.estimate_text import CLINICAL_DIGITS, MIN_SIGNIFICANT_DIGITS, format_estimate
from tradeoff.render.json_csv import json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.views.diagnostic import diagnostic_table_section
from tradeoff.views.matrices import matrix_sections, matrix_table_section
from tradeoff.views.measures import measures_section, sampling_document

LABELS_SCHEMA = "tradeoff/labels/1"
COMPARISON_SCHEMA = "tradeoff/label_comparison/1"
ROC_POINT = ("false_positive_rate", "true_positive_rate")
POINT_SENTENCE = (
    "Labels have no threshold: each model is one point in the ROC plane, and the area below the "
    "lines from the corners to this point is its balanced accuracy."
)


@shows(LabelEvaluation, "sections")
def label_sections(
    evaluation: LabelEvaluation,
    *,
    everything: bool = False,
    metric: Sequence[str] = (),
    vocabulary: Vocabulary = "general",
) -> list[Section]:
    """Text of an evaluation of labels: rows, confusion matrices, metrics and ROC points."""
    if not evaluation.is_binary:
        return _multiclass_sections(evaluation, vocabulary, everything=everything)
    measures = evaluation.measures(metric, vocabulary, everything=everything)
    if evaluation.prevalence is not None:
        measures = [measure for measure in measures if measure.name != "prevalence"]
    digits = CLINICAL_DIGITS if vocabulary == "clinical" else MIN_SIGNIFICANT_DIGITS
    matrices, estimates = evaluation.reweighted_matrices, evaluation.estimates(measures)
    at_prevalence = ""
    if evaluation.prevalence is not None:
        at_prevalence = f" at a prevalence of {format_percent(evaluation.prevalence)}"
    return [
        Section(lines=_rows_lines(evaluation)),
        *(_matrix_section(evaluation, name, vocabulary) for name in evaluation),
        measures_section(
            f"Metrics{at_prevalence}",
            measures,
            matrices,
            estimates,
            evaluation.rows.wording,
            digits=digits,
        ),
        *(() if metric else [_roc_points_section(evaluation, vocabulary, digits)]),
    ]


def _rows_lines(evaluation: LabelEvaluation) -> tuple[str, ...]:
    matrix = next(iter(evaluation.binary_matrices.values()))
    rows, positives = float(matrix.rows), float(matrix.positives)
    share = f", {format_percent(positives / rows)}" if rows else ""
    weighted = "" if evaluation.rows.weights is None else " (sums of weights)"
    size = evaluation.rows.wording.count(evaluation.rows.rows)
    line = (
        f"{size}, {format_count(positives)} positive "
        f"({printable(matrix.positive)}{share}){weighted}."
    )
    if evaluation.confidence is not None:
        line += f" In parentheses: {format_level(evaluation.confidence.level)} CI."
    return (line, *(f"Note: {note}." for note in evaluation.rows.notes))


def _matrix_section(evaluation: LabelEvaluation, name: str, vocabulary: Vocabulary) -> Section:
    matrix = evaluation.binary_matrices[name]
    label = printable(name)
    if vocabulary == "clinical":
        results = tuple(f"{label} {printable(predicted)}" for predicted in matrix.classes)
        section = diagnostic_table_section(matrix, (results[0], results[1]))
        return replace(section, heading=f"{label} against the actual class")
    section = matrix_table_section(matrix.table())
    return replace(section, heading=f"{label}: predicted and actual classes")


def _roc_points_section(
    evaluation: LabelEvaluation, vocabulary: Vocabulary, digits: int
) -> Section:
    measures = [METRICS[name].in_vocabulary(vocabulary) for name in ROC_POINT]
    estimates = evaluation.estimates(measures)
    header = ("", *(measure.label for measure in measures))
    rows = [
        (name, *(format_estimate(values[measure.name], digits) for measure in measures))
        for name, values in estimates.items()
    ]
    return Section("Point in the ROC plane", (POINT_SENTENCE,), (header, *rows))


def _multiclass_sections(
    evaluation: LabelEvaluation, vocabulary: Vocabulary, *, everything: bool
) -> list[Section]:
    sections = [Section(lines=tuple(f"Note: {note}." for note in evaluation.rows.notes))]
    for name, matrix in evaluation.matrices.items():
        first, *others = matrix_sections(
            matrix,
            everything=everything,
            confidence=evaluation.confidence,
            vocabulary=vocabulary,
            wording=evaluation.rows.wording,
        )
        lines = (f"{printable(name)}: {first.lines[0]}", *first.lines[1:])
        sections += [replace(first, lines=lines), *others]
    return sections if evaluation.rows.notes else sections[1:]


@shows(LabelEvaluation, "columns")
def label_columns(
    evaluation: LabelEvaluation, *, metric: Sequence[str] = (), vocabulary: Vocabulary = "general"
) -> dict[str, list[Any]]:
    """Tidy table of an evaluation of labels: one row per model and metric."""
    measures = evaluation.measures(metric, vocabulary)
    rows = [
        [
            *(name, measure, estimate.value),
            *(
                [estimate.low, estimate.high, estimate.level, estimate.method]
                if estimate.has_interval
                else [None] * 4
            ),
            *(estimate.reason or estimate.note, estimate.label),
        ]
        for name, estimates in evaluation.estimates(measures).items()
        for measure, estimate in estimates.items()
    ]
    header = ("model", "measure", "value", "low", "high", "level", "method", "note", "label")
    columns = zip(*rows, strict=True) if rows else ([] for _ in header)
    return {name: list(column) for name, column in zip(header, columns, strict=True)}


@shows(LabelEvaluation, "document")
def label_document(
    evaluation: LabelEvaluation, *, metric: Sequence[str] = (), vocabulary: Vocabulary = "general"
) -> dict[str, Any]:
    """JSON document of an evaluation of labels."""
    measures = evaluation.measures(metric, vocabulary)
    estimates = evaluation.estimates(measures)
    is_binary, classes = evaluation.is_binary, evaluation.classes
    positive = {"positive": classes[0]} if is_binary else {}
    prevalence = {} if evaluation.prevalence is None else {"prevalence": evaluation.prevalence}
    return {
        "schema": LABELS_SCHEMA,
        "classes": list(classes),
        **positive,
        **prevalence,
        "rows": evaluation.rows.rows,
        **sampling_document(evaluation.confidence),
        "models": [
            {
                "name": name,
                "cells": [
                    {**cell._asdict(), "count": json_value(cell.count)} for cell in matrix.cells()
                ],
                "metrics": estimates_document(estimates[name]),
            }
            for name, matrix in evaluation.matrices.items()
        ],
        "notes": list(evaluation.rows.notes),
    }


@shows(LabelEvaluation, "chart")
def label_chart(evaluation: LabelEvaluation, name: str = "roc") -> Chart:
    """Chart of an evaluation of labels: points in the ROC plane with intervals, or one matrix."""
    if name == "matrix":
        return evaluation.matrix.chart()
    if name != "roc":
        raise UnknownName(f'Predicted labels have the charts "roc" and "matrix", not {name!r}.')
    if not evaluation.is_binary:
        raise InputError('With more than two classes there is no ROC plane: use chart("matrix").')
    measures = [METRICS[rate] for rate in ROC_POINT]
    layers: list[Layer] = [Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), "chance", "chance")]
    for order, (model, values) in enumerate(evaluation.estimates(measures).items()):
        x, y = (values[rate] for rate in ROC_POINT)
        for across, up in (
            ((x.low, x.high), (y.value, y.value)),
            ((x.value,) * 2, (y.low, y.high)),
        ):
            if x.has_interval and y.has_interval:
                layers.append(Line(np.array(across), np.array(up), order=order))
        layers.append(
            Points(np.array([x.value]), np.array([y.value]), (printable(model, 24),), order=order)
        )
    negative, positive = (printable(c, 24) for c in reversed(evaluation.classes[:2]))
    level = evaluation.confidence
    caption = "" if level is None else f"Crosses: {format_level(level.level)} CI."
    return Chart(
        "ROC plane",
        Scale(f"False positive rate ({negative} predicted {positive})", 0, 1, "share"),
        Scale(f"True positive rate ({positive} predicted {positive})", 0, 1, "share"),
        tuple(layers),
        caption,
        square=True,
    )


@shows(LabelComparison, "sections")
def comparison_sections(comparison: LabelComparison) -> list[Section]:
    """Text of a comparison of labels: rows, metrics of each model and their differences."""
    rows = comparison.rows
    scorers = "both models" if len(rows.predictions) == 2 else "all models"
    level = format_level(comparison.confidence.level)
    positives = ""
    if rows.is_binary:
        count = rows.codes == 0
        total = count.sum() if rows.weights is None else rows.weights[count].sum()
        positives = f", {format_count(float(total))} positive ({printable(rows.classes[0])})"
    line = (
        f"{rows.wording.count(rows.rows)} with predictions of {scorers}{positives}. In "
        f"parentheses: {level} CI."
    )
    estimates = LabelEvaluation(rows, comparison.confidence).estimates(comparison.measures)
    table = [("", *(measure.label for measure in comparison.measures))]
    table += [
        (name, *(format_estimate(values[measure.name]) for measure in comparison.measures))
        for name, values in estimates.items()
    ]
    return [
        Section(lines=(line, *(f"Note: {note}." for note in rows.notes))),
        Section(table=tuple(table)),
        *differences_sections(comparison.differences, rows.rows, rows.wording),
    ]


@shows(LabelComparison, "document")
def comparison_document(comparison: LabelComparison) -> dict[str, Any]:
    """JSON document of a comparison of labels."""
    rows = comparison.rows
    estimates = LabelEvaluation(rows, comparison.confidence).estimates(comparison.measures)
    return {
        "schema": COMPARISON_SCHEMA,
        "classes": list(rows.classes),
        **({"positive": rows.classes[0]} if rows.is_binary else {}),
        "rows": rows.rows,
        "models": [
            {"name": name, "metrics": estimates_document(values)}
            for name, values in estimates.items()
        ],
        "differences": [difference_document(difference) for difference in comparison.differences],
        "notes": list(rows.notes),
    }
