"""Averages of a two-class metric over many classes: macro, weighted and micro."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.errors import UnknownName, format_list, suggest_arguments
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, Measure

Average = Literal["macro", "weighted", "micro"]
AVERAGES: tuple[Average, ...] = ("macro", "weighted", "micro")


@suggest_arguments
def by_class(matrix: ClassMatrix, measure: Measure | str) -> dict[str, Estimate]:
    """Two-class metric of each class against all others, from which averages are computed.

    Example:
        >>> import numpy as np
        >>> from tradeoff.core.confusion import ClassMatrix
        >>> matrix = ClassMatrix(np.array([[3, 0, 2], [0, 1, 1], [0, 2, 3]]), ("a", "b", "c"))
        >>> by_class(matrix, "recall")["b"]
        0.500
        >>> average(matrix, "recall", "macro")
        0.567
    """
    measure = METRICS.find(measure) if isinstance(measure, str) else measure
    return {name: measure.estimate(matrix.one_against_rest(name)) for name in matrix.classes}


@suggest_arguments
def average(matrix: ClassMatrix, measure: Measure | str, how: Average) -> Estimate:
    """Average of a two-class metric over all classes: macro, micro or weighted.

    Args:
        matrix: Confusion matrix of any number of classes.
        measure: A two-class metric, or its name.
        how: "macro" is the mean over classes, "weighted" weights each class by its number of
            actual rows, "micro" sums the one-against-rest matrices first. Classes whose metric is
            undefined are left out, and the note says how many were averaged.
    """
    if how not in AVERAGES:
        raise UnknownName(
            f"No average is called {how!r}. Available averages: {format_list(AVERAGES)}."
        )
    measure = METRICS.find(measure) if isinstance(measure, str) else measure
    floats = matrix.as_floats()  # each row counts once per class: integer sums could overflow
    matrices = [floats.one_against_rest(name) for name in matrix.classes]
    if how == "micro":
        return measure.estimate(_sum_of_matrices(matrices))
    values = np.array([float(measure(class_matrix)) for class_matrix in matrices])
    weights = np.array(
        [1.0 if how == "macro" else float(class_matrix.positives) for class_matrix in matrices]
    )
    defined = ~np.isnan(values) & (weights > 0)
    if not defined.any():
        return Estimate(
            measure.name, math.nan, reason="it is undefined for every class", label=measure.label
        )
    if {-math.inf, math.inf} <= set(values[defined].tolist()):
        reason = "it is infinite for some classes and minus infinite for others"
        return Estimate(measure.name, math.nan, reason=reason, label=measure.label)
    value = float(np.average(values[defined], weights=weights[defined]))
    left_out = int((~defined).sum())
    note = f"{len(matrices) - left_out} of {len(matrices)} classes averaged" if left_out else None
    return Estimate(measure.name, value, note=note, label=measure.label)


def _sum_of_matrices(matrices: list[ConfusionMatrix]) -> ConfusionMatrix:
    names = ("true_positives", "false_negatives", "false_positives", "true_negatives")
    rejected = ("rejected_positives", "rejected_negatives")
    return ConfusionMatrix(
        *(sum(getattr(matrix, name) for matrix in matrices) for name in names + rejected)
    )
