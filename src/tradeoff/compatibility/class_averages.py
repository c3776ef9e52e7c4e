"""Our averages over both classes, beside which other tools' stand."""

from __future__ import annotations

from tradeoff.core.confusion import ClassMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.measures.averages import average
from tradeoff.measures.estimate import Estimate


def weighted_precision(ranking: Ranking, *, threshold: float) -> Estimate:
    """The precisions of both classes, weighed by their rows."""
    return _weighted(ranking, threshold, "precision")


def weighted_f_measure(ranking: Ranking, *, threshold: float) -> Estimate:
    """The F-measures of both classes, weighed by their rows."""
    return _weighted(ranking, threshold, "f_measure")


def _weighted(ranking: Ranking, threshold: float, name: str) -> Estimate:
    matrix = ranking.at(threshold)
    return average(ClassMatrix(matrix.counts, matrix.classes), name, "weighted")
