"""Confusion matrices as charts and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.confusion import REJECTED, ClassMatrix, ConfusionMatrix
from tradeoff.errors import InputError
from tradeoff.measures.averages import AVERAGES
from tradeoff.measures.registry import METRICS
from tradeoff.render.chart import Cells, Chart, Scale
from tradeoff.render.values import (
    estimates_document,
    plain_number,
)
from tradeoff.text import count, plain
from tradeoff.uncertainty.estimates import Intervals
from tradeoff.views.measures import INTERVALS, sampling_document

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from tradeoff.core.confusion import ConfusionMatrix, Rows
    from tradeoff.uncertainty.estimates import Intervals


FEW_CLASSES = 12
"""With more classes a cell has no room for a percentage, and empty ones stay empty."""


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
        (('7 (78 %)', '2 (22 %)'), ('4 (80 %)', '1 (20 %)'))
        >>> chart.x.names, chart.x.label
        (('yes', 'no'), 'predicted class')
    """
    if np.ndim(matrix.counts) != 2:
        raise InputError("A chart is of one matrix: choose a threshold first.")
    if rows not in {"actual", "predicted"}:
        raise InputError(f'`rows` is "actual" or "predicted", not {rows!r}.')
    counts = np.asarray(matrix.counts, np.float64)
    own = tuple(plain(name, 24) for name in matrix.classes)
    called = own
    if np.any(matrix.rejected) and matrix.rejections is not None:
        counts = np.column_stack([counts, np.asarray(matrix.rejections, np.float64)])
        called = (*own, REJECTED)
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = counts / totals
    texts = _texts(counts, shares, detailed=len(own) <= FEW_CLASSES)
    left, across = (
        Scale("actual class", 0, len(own), "names", own),
        Scale("predicted class", 0, len(called), "names", called),
    )
    if rows == "predicted":
        shares, texts, left, across = shares.T, texts.T, across, left
    cells = Cells(shares, tuple(tuple(line) for line in texts.tolist()))
    right = _share(float(matrix.correct), float(matrix.rows))
    caption = (
        f"{count(matrix.correct)} of {count(matrix.rows)} rows are right{right}. Shades and "
        "percentages are of the rows of each actual class."
    )
    return Chart(title, across, left, (cells,), caption, square=len(own) == len(called))


def _share(part: float, whole: float) -> str:
    return f" ({100 * part / whole:.3g} %)" if whole else ""


def _texts(
    counts: NDArray[np.float64], shares: NDArray[np.float64], *, detailed: bool
) -> NDArray[Any]:
    texts = np.empty(counts.shape, dtype=object)
    for place, value in np.ndenumerate(counts):
        share = shares[place]
        if not detailed:
            texts[place] = count(value) if value else ""
        else:
            texts[place] = count(value) + ("" if np.isnan(share) else f" ({100 * share:.0f} %)")
    return texts


def matrix_document(
    matrix: ConfusionMatrix | ClassMatrix, intervals: Intervals = INTERVALS
) -> dict[str, Any]:
    """The cells in long form and every metric; for many classes also by class."""
    any_classes = isinstance(matrix, ClassMatrix)
    chosen = [m for m in METRICS.values() if m.any_classes or not any_classes]
    document: dict[str, Any] = {
        "schema": MATRIX,
        "classes": list(matrix.classes),
        "cells": [{**cell._asdict(), "count": plain_number(cell.count)} for cell in matrix.cells()],
        **sampling_document(intervals),
        "metrics": estimates_document(intervals.of_matrix(chosen, matrix)),
    }
    if isinstance(matrix, ClassMatrix):
        document["by_class"] = {
            name: estimates_document(
                intervals.of_matrix(METRICS.values(), matrix.one_against_rest(name))
            )
            for name in matrix.classes
        }
        document["averages"] = {
            how: estimates_document(intervals.averages(METRICS.values(), matrix, how))
            for how in AVERAGES
        }
    return document


MATRIX = "tradeoff/matrix/1"
