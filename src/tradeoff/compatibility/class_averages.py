"""Our class-weighted averages of precision and F-measure, to compare with other tools'."""

from __future__ import annotations

from tradeoff.core.confusion import ClassMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.measures.averages import average
from tradeoff.measures.estimate import Estimate


def weighted_precision(ranking: Ranking, *, threshold: float) -> Estimate:
    """Our weighted average precision over both classes at a threshold."""
    return _weighted(ranking, threshold, "precision")


def weighted_f_measure(ranking: Ranking, *, threshold: float) -> Estimate:
    """Our weighted average F-measure over both classes at a threshold."""
    return _weighted(ranking, threshold, "f_measure")


def _weighted(ranking: Ranking, threshold: float, name: str) -> Estimate:
    matrix = ranking.at(threshold)
    return average(ClassMatrix(matrix.counts, matrix.classes), name, "weighted")
