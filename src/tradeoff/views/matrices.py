"""Confusion matrices as charts and documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import REJECTED, ClassMatrix, ConfusionMatrix, Rows
from tradeoff.errors import InputError
from tradeoff.measures.averages import AVERAGES
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.measures.vocabulary import label
from tradeoff.render.chart import Cells, Chart, Scale
from tradeoff.render.sections import Section
from tradeoff.render.values import estimates_document, format_estimate, json_value
from tradeoff.results import shows
from tradeoff.text import format_count, printable
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.uncertainty.estimates import average_estimates, matrix_estimates
from tradeoff.views.measures import (
    interval_legend,
    matrix_measures,
    sampling_document,
)

MATRIX = "tradeoff/matrix/1"
FEW_CLASSES = 12
"""With more classes a cell has no room for a percentage, and empty ones stay empty."""


@shows(ClassMatrix, "chart")
@shows(ConfusionMatrix, "chart")
def matrix_chart(
    matrix: ConfusionMatrix | ClassMatrix, *, rows: Rows = "actual", title: str = "Confusion matrix"
) -> Chart:
    """A confusion matrix: counts, shares of the actual class as shades, rejected rows beside them.

    Args:
        matrix: Of two or more classes.
        rows: What stands on the left: "actual" or "predicted" classes.
        title: What stands above it.

    Example:
        >>> from tradeoff import ConfusionMatrix
        >>> chart = matrix_chart(ConfusionMatrix(7, 2, 4, 1, positive="yes", negative="no"))
        >>> chart.layers[0].texts
        (('7 (78%)', '2 (22%)'), ('4 (80%)', '1 (20%)'))
        >>> chart.x.names, chart.x.label
        (('yes', 'no'), 'Predicted class')
    """
    if np.ndim(matrix.counts) != 2:
        raise InputError("A chart is of one matrix: choose a threshold first.")
    if rows not in {"actual", "predicted"}:
        raise InputError(f'`rows` is "actual" or "predicted", not {rows!r}.')
    counts = np.asarray(matrix.counts, np.float64)
    own = tuple(printable(name, 24) for name in matrix.classes)
    called = own
    if np.any(matrix.rejected) and matrix.rejections is not None:
        counts = np.column_stack([counts, np.asarray(matrix.rejections, np.float64)])
        called = (*own, REJECTED)
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = counts / totals
    texts = _texts(counts, shares, detailed=len(own) <= FEW_CLASSES)
    left, across = (
        Scale("Actual class", 0, len(own), "names", own),
        Scale("Predicted class", 0, len(called), "names", called),
    )
    if rows == "predicted":
        shares, texts, left, across = shares.T, texts.T, across, left
    cells = Cells(shares, tuple(tuple(line) for line in texts.tolist()))
    right = _share(float(matrix.correct), float(matrix.rows))
    caption = (
        f"{format_count(matrix.correct)} of {format_count(matrix.rows)} rows are right{right}. "
        "Shades and "
        "percentages are of the rows of each actual class."
    )
    return Chart(title, across, left, (cells,), caption, square=len(own) == len(called))


def _share(part: float, whole: float) -> str:
    return f" ({100 * part / whole:.3g}%)" if whole else ""


def _texts(
    counts: NDArray[np.float64], shares: NDArray[np.float64], *, detailed: bool
) -> NDArray[Any]:
    texts = np.empty(counts.shape, dtype=object)
    for place, value in np.ndenumerate(counts):
        share = shares[place]
        if not detailed:
            texts[place] = format_count(value) if value else ""
        else:
            texts[place] = format_count(value) + (
                "" if np.isnan(share) else f" ({100 * share:.0f}%)"
            )
    return texts


@shows(ClassMatrix, "document")
@shows(ConfusionMatrix, "document")
def matrix_document(
    matrix: ConfusionMatrix | ClassMatrix, confidence: Confidence | None = DEFAULT_CONFIDENCE
) -> dict[str, Any]:
    """The cells in long form and every metric; for many classes also by class."""
    any_classes = isinstance(matrix, ClassMatrix)
    chosen = [m for m in METRICS.values() if m.any_classes or not any_classes]
    document: dict[str, Any] = {
        "schema": MATRIX,
        "classes": list(matrix.classes),
        "cells": [{**cell._asdict(), "count": json_value(cell.count)} for cell in matrix.cells()],
        **sampling_document(confidence),
        "metrics": estimates_document(matrix_estimates(chosen, matrix, confidence)),
    }
    if isinstance(matrix, ClassMatrix):
        document["by_class"] = {
            name: estimates_document(
                matrix_estimates(METRICS.values(), matrix.one_against_rest(name), confidence)
            )
            for name in matrix.classes
        }
        document["averages"] = {
            how: estimates_document(average_estimates(METRICS.values(), matrix, how, confidence))
            for how in AVERAGES
        }
    return document


@shows(ClassMatrix, "sections")
@shows(ConfusionMatrix, "sections")
def matrix_sections(
    matrix: ConfusionMatrix | ClassMatrix,
    *,
    rows: Rows = "actual",
    positive_first: bool = True,
    everything: bool = False,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
) -> list[Section]:
    """A matrix by itself, in the layout it came in, with its metrics."""
    if isinstance(matrix, ConfusionMatrix):
        chosen = list(METRICS.values()) if everything else METRICS.headlines("tables")
        table = matrix.table(rows, positive_first=positive_first)
        return [
            table_section(table),
            matrix_measures("Metrics", chosen, matrix, confidence),
        ]
    overall = [m for m in METRICS.values() if m.any_classes]
    if not everything:
        overall = [m for m in overall if m.family in {"all rows", "agreement"}]
    per_class = [m for m in METRICS.headlines("tables") if not m.any_classes]
    return [
        table_section(matrix.table(rows)),
        _classes_section(matrix, per_class, confidence),
        matrix_measures("All classes together", overall, matrix, confidence),
    ]


def _classes_section(
    matrix: ClassMatrix, measures: Sequence[Measure], confidence: Confidence | None
) -> Section:
    found = {
        name: matrix_estimates(measures, matrix.one_against_rest(name), confidence)
        for name in matrix.classes
    }
    averages = {how: average_estimates(measures, matrix, how, confidence) for how in AVERAGES}
    head = ("", *matrix.classes, *AVERAGES)
    lines = [
        (
            label(measure),
            *(format_estimate(found[name][measure.name]) for name in matrix.classes),
            *(format_estimate(averages[how][measure.name]) for how in AVERAGES),
        )
        for measure in measures
    ]
    notes = {name: estimate.note for name, estimate in averages["macro"].items()}
    partial = [f"{name}: {note}." for name, note in notes.items() if note and "averaged" in note]
    if partial:
        partial.insert(0, "Averages leave out classes for which a metric is undefined.")
    said = (*interval_legend(found.values()), *partial)
    return Section("Each class against the rest", said, (head, *lines))


def table_section(cells: list[list[str]]) -> Section:
    """A confusion matrix in some layout."""
    return Section("Confusion matrix", table=tuple(map(tuple, cells)))
