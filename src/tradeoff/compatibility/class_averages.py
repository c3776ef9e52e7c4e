"""tradeoff's class-weighted averages of precision and F-measure, to compare with other tools."""

from __future__ import annotations

from tradeoff.core.confusion import ClassMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.measures.averages import average
from tradeoff.measures.estimate import Estimate


def class_weighted_precision(ranking: Ranking, *, threshold: float) -> Estimate:
    """Class-weighted average of precision at a threshold, as tradeoff computes it."""
    return _weighted_average(ranking, threshold, "precision")


def class_weighted_f_measure(ranking: Ranking, *, threshold: float) -> Estimate:
    """Class-weighted average of the F-measure at a threshold, as tradeoff computes it."""
    return _weighted_average(ranking, threshold, "f_measure")


def _weighted_average(ranking: Ranking, threshold: float, name: str) -> Estimate:
    matrix = ranking.at(threshold)
    return average(ClassMatrix(matrix.counts, matrix.classes), name, "weighted")
