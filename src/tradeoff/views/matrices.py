"""Views of confusion matrices: charts, text sections and JSON documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import REJECTED, ClassMatrix, ConfusionMatrix, Rows
from tradeoff.core.costs import Costs, matrix_expenses
from tradeoff.errors import InputError
from tradeoff.formatting import format_count, format_level, format_percent, printable
from tradeoff.measures.averages import AVERAGES
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.measures.vocabulary_measures import vocabulary_metrics
from tradeoff.render.chart import Cells, Chart, Scale
from tradeoff.render.estimate_documents import estimates_document
from tradeoff.render.estimate_text import format_estimate
from tradeoff.render.json_csv import json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.sources.confusion_matrices import JointRows, MapRule
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.uncertainty.estimates import average_estimates, matrix_estimates
from tradeoff.views.campaigns import campaign_section
from tradeoff.views.costs import expenses_document, expenses_section
from tradeoff.views.measures import (
    measures_section,
    sampling_document,
)
from tradeoff.wording import ROWS, Wording

MATRIX_SCHEMA = "tradeoff/matrix/1"
MAX_CLASSES_WITH_PERCENT = 12
"""With more classes, cells have no room for percentages, and zeros are left blank."""


@shows(ClassMatrix, "chart")
@shows(ConfusionMatrix, "chart")
def matrix_chart(
    matrix: ConfusionMatrix | ClassMatrix, *, rows: Rows = "actual", title: str = "Confusion matrix"
) -> Chart:
    """Chart of a confusion matrix: counts, shaded by their proportion of the actual class.

    Args:
        matrix: Confusion matrix of two or more classes; rejected rows get a column of their own.
        rows: Whether the rows of the chart are the "actual" or the "predicted" classes.
        title: Title above the matrix.

    Example:
        >>> from tradeoff import ConfusionMatrix
        >>> chart = matrix_chart(ConfusionMatrix(7, 2, 4, 1, positive="yes", negative="no"))
        >>> chart.layers[0].texts
        (('7 (78%)', '2 (22%)'), ('4 (80%)', '1 (20%)'))
        >>> chart.x.names, chart.x.label
        (('yes', 'no'), 'Predicted class')
    """
    if np.ndim(matrix.counts) != 2:
        raise InputError("A chart shows a single matrix: choose one threshold first.")
    if rows not in {"actual", "predicted"}:
        raise InputError(f'`rows` must be "actual" or "predicted", not {rows!r}.')
    counts = np.asarray(matrix.counts, np.float64)
    class_names = tuple(printable(name, 24) for name in matrix.classes)
    predicted_names = class_names
    if np.any(matrix.rejected) and matrix.rejections is not None:
        counts = np.column_stack([counts, np.asarray(matrix.rejections, np.float64)])
        predicted_names = (*class_names, REJECTED)
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = counts / totals
    texts = _cell_labels(
        counts, shares, show_percentages=len(class_names) <= MAX_CLASSES_WITH_PERCENT
    )
    row_scale, column_scale = (
        Scale("Actual class", 0, len(class_names), "names", class_names),
        Scale("Predicted class", 0, len(predicted_names), "names", predicted_names),
    )
    if rows == "predicted":
        shares, texts = shares.T, texts.T
        row_scale, column_scale = column_scale, row_scale
    cells = Cells(shares, tuple(tuple(line) for line in texts.tolist()))
    correct = _percent_text(float(matrix.correct), float(matrix.rows))
    caption = (
        f"{format_count(matrix.correct)} of {format_count(matrix.rows)} rows are classified "
        f"correctly{correct}. Shades and percentages are proportions of each actual class."
    )
    return Chart(
        title,
        column_scale,
        row_scale,
        (cells,),
        caption,
        square=len(class_names) == len(predicted_names),
    )


def _percent_text(count: float, total: float) -> str:
    return f" ({format_percent(count / total)})" if total else ""


def _cell_labels(
    counts: NDArray[np.float64], shares: NDArray[np.float64], *, show_percentages: bool
) -> NDArray[Any]:
    texts = np.empty(counts.shape, dtype=object)
    for index, value in np.ndenumerate(counts):
        share = shares[index]
        if not show_percentages:
            texts[index] = format_count(value) if value else ""
        else:
            texts[index] = format_count(value) + (
                "" if np.isnan(share) else f" ({format_percent(float(share), 0)})"
            )
    return texts


@shows(ClassMatrix, "document")
@shows(ConfusionMatrix, "document")
def matrix_document(
    matrix: ConfusionMatrix | ClassMatrix,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
    vocabulary: Vocabulary = "general",
    costs: Costs | None = None,
) -> dict[str, Any]:
    """JSON document of a confusion matrix: cells and metrics, for several classes also by class.

    With costs, it includes the total costs of the decisions and of the alternatives.
    """
    is_multiclass = isinstance(matrix, ClassMatrix)
    metrics = [measure.in_vocabulary(vocabulary) for measure in METRICS.values()]
    measures = [m for m in metrics if m.any_classes or not is_multiclass]
    document: dict[str, Any] = {
        "schema": MATRIX_SCHEMA,
        "classes": list(matrix.classes),
        "cells": [{**cell._asdict(), "count": json_value(cell.count)} for cell in matrix.cells()],
        **sampling_document(confidence),
        "metrics": estimates_document(matrix_estimates(measures, matrix, confidence)),
    }
    if costs is not None:
        incurred_costs = matrix_expenses(_require_two_classes(matrix), costs)
        document["expenses"] = expenses_document(incurred_costs)
    if isinstance(matrix, ClassMatrix):
        document["by_class"] = {
            name: estimates_document(
                matrix_estimates(metrics, matrix.one_against_rest(name), confidence)
            )
            for name in matrix.classes
        }
        document["averages"] = {
            averaging: estimates_document(average_estimates(metrics, matrix, averaging, confidence))
            for averaging in AVERAGES
        }
    return document


@shows(ClassMatrix, "sections")
@shows(ConfusionMatrix, "sections")
def matrix_sections(  # noqa: PLR0913 - one parameter per option
    matrix: ConfusionMatrix | ClassMatrix,
    *,
    rows: Rows = "actual",
    positive_first: bool = True,
    everything: bool = False,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
    vocabulary: Vocabulary = "general",
    costs: Costs | None = None,
    wording: Wording = ROWS,
) -> list[Section]:
    """Text sections of a confusion matrix, in the layout of its input, with its metrics.

    With costs, the first section says what the decisions earn or cost.
    """
    if costs is not None:
        _require_two_classes(matrix)
    if isinstance(matrix, ConfusionMatrix):
        measures = list(METRICS.values()) if everything else _headline_metrics(vocabulary)
        table = matrix.table(rows, positive_first=positive_first)
        return [
            *_costs_sections(matrix, costs, wording),
            _totals_section(matrix, confidence, wording),
            replace(matrix_table_section(table), heading=_layout_heading(matrix, rows)),
            matrix_metrics_section("Metrics", measures, matrix, confidence, vocabulary, wording),
        ]
    overall_measures = [m for m in METRICS.values() if m.any_classes]
    if not everything:
        overall_measures = [m for m in overall_measures if m.family in {"all rows", "agreement"}]
    per_class = [
        m.in_vocabulary(vocabulary) for m in _headline_metrics(vocabulary) if not m.any_classes
    ]
    return [
        _totals_section(matrix, confidence, wording),
        replace(matrix_table_section(matrix.table(rows)), heading=_layout_heading(matrix, rows)),
        _classes_section(matrix, per_class, confidence),
        matrix_metrics_section(
            "All classes together", overall_measures, matrix, confidence, vocabulary, wording
        ),
    ]


def _layout_heading(matrix: ConfusionMatrix | ClassMatrix, rows: Rows) -> str:
    """Heading above a confusion matrix that says how its table was interpreted."""
    columns = "predicted" if rows == "actual" else "actual"
    positive = ""
    if isinstance(matrix, ConfusionMatrix) and matrix.positive != "positive":
        positive = f"; positive class: {printable(matrix.positive, 24)}"
    return f"Confusion matrix (rows: {rows} classes, columns: {columns} classes{positive})"


def map_rule_section(rule: MapRule, *, rows: JointRows = "values") -> Section:
    """Text section of the MAP rule: the joint table as it was interpreted, and the predictions.

    Args:
        rule: The rule.
        rows: Layout of the table: observed "values" or "classes" in its rows.
    """
    values = [f"value {number}" for number in range(1, len(rule.joint) + 1)]
    table = [
        ("", *rule.classes, "predicted"),
        *(
            (value, *map(format_count, counts), choice)
            for value, counts, choice in zip(values, rule.joint, rule.choices, strict=True)
        ),
    ]
    heading = "Joint table (rows: observed values, columns: classes)"
    if rows == "classes":
        table = list(zip(*table, strict=True))
        heading = "Joint table (rows: classes, columns: observed values)"
    return Section(heading, table=tuple(table))


def _costs_sections(
    matrix: ConfusionMatrix, costs: Costs | None, wording: Wording
) -> list[Section]:
    """Profit of a campaign, or costs of the decisions."""
    if costs is None:
        return []
    if costs.contact or costs.true_positive < 0:
        return [campaign_section(matrix, costs, wording)]
    incurred_costs = matrix_expenses(matrix, costs)
    return (
        [expenses_section(incurred_costs, matrix, "these decisions", wording)]
        if incurred_costs.rows
        else []
    )


def _require_two_classes(matrix: ConfusionMatrix | ClassMatrix) -> ConfusionMatrix:
    """Require a matrix of two classes, for which costs are defined."""
    if not isinstance(matrix, ConfusionMatrix):
        raise InputError(
            f"Costs apply to two classes, but this matrix has {len(matrix.classes)}: merge the "
            "others into one first."
        )
    return matrix


def _headline_metrics(vocabulary: Vocabulary) -> list[Measure]:
    """Metrics that a table shows by default: those of the vocabulary, if one is chosen."""
    if vocabulary == "general":
        return METRICS.headlines("tables")
    return vocabulary_metrics(vocabulary)


def _totals_section(
    matrix: ConfusionMatrix | ClassMatrix, confidence: Confidence | None, wording: Wording
) -> Section:
    """Numbers of rows and of correct predictions, and the meaning of the parentheses."""
    rows, correct = float(matrix.rows), float(matrix.correct)
    size = wording.count(rows)
    if not isinstance(matrix, ConfusionMatrix):
        size += f" of {len(matrix.classes)} classes"
    sentence = f"{size}, {format_count(correct)} predicted correctly{_percent_text(correct, rows)}."
    if confidence is not None:
        sentence += f" In parentheses: {format_level(confidence.level)} CI."
    return Section(lines=(sentence,))


def _classes_section(
    matrix: ClassMatrix, measures: Sequence[Measure], confidence: Confidence | None
) -> Section:
    estimates = {
        name: matrix_estimates(measures, matrix.one_against_rest(name), confidence)
        for name in matrix.classes
    }
    averages = {
        averaging: average_estimates(measures, matrix, averaging, confidence)
        for averaging in AVERAGES
    }
    header = ("", *matrix.classes, *AVERAGES)
    table_rows = [
        (
            measure.label,
            *(format_estimate(estimates[name][measure.name]) for name in matrix.classes),
            *(format_estimate(averages[averaging][measure.name]) for averaging in AVERAGES),
        )
        for measure in measures
    ]
    notes = {name: estimate.note for name, estimate in averages["macro"].items()}
    partial_notes = [
        f"{name}: {note}." for name, note in notes.items() if note and "averaged" in note
    ]
    if partial_notes:
        partial_notes.insert(0, "Averages leave out classes for which a metric is undefined.")
    return Section("Each class against the rest", tuple(partial_notes), (header, *table_rows))


def matrix_table_section(cells: list[list[str]]) -> Section:
    """Text section of a confusion matrix that is already laid out as a table."""
    return Section("Confusion matrix", table=tuple(map(tuple, cells)))


def matrix_metrics_section(  # noqa: PLR0913, PLR0917 - what to show, and in which words
    heading: str,
    measures: Sequence[Measure],
    matrix: ConfusionMatrix | ClassMatrix,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
    vocabulary: Vocabulary = "general",
    wording: Wording = ROWS,
) -> Section:
    """Text section of a confusion matrix: a table of its metrics."""
    measures = [measure.in_vocabulary(vocabulary) for measure in measures]
    estimates = {"": matrix_estimates(measures, matrix, confidence)}
    return measures_section(heading, measures, {"": matrix}, estimates, wording)
