"""Pairs of classes of a multiclass classifier, most confusable first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tradeoff.core.confusion import ClassMatrix
from tradeoff.formatting import format_count, format_number
from tradeoff.measures.estimate import Estimate
from tradeoff.multiclass.areas import PairAreas, RowsByClass, effective_rows
from tradeoff.stats.proportions import wilson_interval
from tradeoff.wording import quote_class


@dataclass(frozen=True, repr=False)
class Pair:
    """Pair of classes: separability of their scores, and rows predicted as the other class.

    `separability` is the mean of `first_above`, the probability that a row of the first class has
    a higher score for that class than a row of the second, and of `second_above`, the same with the
    classes exchanged. `confused` is the proportion of both classes' rows predicted as the other.
    """

    first: str
    second: str
    separability: Estimate
    first_above: Estimate
    second_above: Estimate
    first_called_second: Any
    second_called_first: Any
    confused: Estimate

    def __repr__(self) -> str:
        """One line: the classes, their separability and the number of confused rows."""
        confused = format_count(self.first_called_second + self.second_called_first)
        return (
            f"Pair({self.first!r} and {self.second!r}: separability "
            f"{format_number(self.separability.value)}, {confused} confused)"
        )


COMPARED_DECIMALS = 12
"""Number of decimals to which values are rounded before pairs are compared."""


def confusable_pairs(
    groups: RowsByClass, areas: Sequence[PairAreas], matrix: ClassMatrix, level: float = 0.95
) -> list[Pair]:
    """All pairs of classes, the least separable first and undefined ones last.

    Among equally separable pairs, those with the higher proportion of confused rows come first.

    Example:
        >>> from tradeoff.multiclass.areas import pair_areas
        >>> from tradeoff.multiclass.areas import RowsByClass
        >>> from tradeoff.multiclass.multiclass import class_matrix, predicted_classes
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([[3.0, 2, 1, 0], [1, 3, 1, 0], [0, 0, 1, 2]])
        >>> rows = ClassScores(tuple(scores), np.array([0, 0, 1, 2]), ("a", "b", "c"))
        >>> groups, matrix = RowsByClass.of(rows), class_matrix(rows, predicted_classes(rows).codes)
        >>> confusable_pairs(groups, pair_areas(groups)[0], matrix)[0]
        Pair('a' and 'b': separability 0.6250, 2 confused)
    """
    pairs = [_pair(groups, pair_areas, matrix, level) for pair_areas in areas]
    return sorted(pairs, key=_confusability_key)


def _confusability_key(pair: Pair) -> tuple[float, float]:
    # Weighted sums are rounded: pairs that differ by that alone are tied.
    separability = round(pair.separability.value, COMPARED_DECIMALS)
    confused = round(pair.confused.value, COMPARED_DECIMALS)
    return (
        math.inf if math.isnan(separability) else separability,
        math.inf if math.isnan(confused) else -confused,
    )


def _pair(groups: RowsByClass, areas: PairAreas, matrix: ClassMatrix, level: float) -> Pair:
    first, second = areas.first, areas.second
    first_called_second_count = matrix.counts[first, second]
    second_called_first_count = matrix.counts[second, first]
    return Pair(
        groups.classes[first],
        groups.classes[second],
        areas.mean.estimate("separability", level),
        areas.first_above.estimate("auc", level),
        areas.second_above.estimate("auc", level),
        first_called_second_count,
        second_called_first_count,
        _confused_proportion(
            groups,
            (first, second),
            float(first_called_second_count + second_called_first_count),
            level,
        ),
    )


def _confused_proportion(
    groups: RowsByClass, pair: tuple[int, int], confused_rows: float, level: float
) -> Estimate:
    """Proportion of confused rows among those of both classes, with a Wilson interval."""
    total = float(groups.totals[list(pair)].sum())
    if not total:
        names = " or ".join(quote_class(groups.classes[code]) for code in pair)
        reason = f"no row belongs to class {names}"
        return Estimate("confused", math.nan, reason=reason)
    # Sums of real-valued weights may differ in the last digit.
    proportion = min(confused_rows / total, 1.0)
    rows = total
    if groups.weights is not None:
        weights = np.concatenate([groups.weights[groups.span(code)] for code in pair])
        rows = effective_rows(weights, len(weights))
    low, high = (float(limit) for limit in wilson_interval(proportion * rows, rows, level))
    return Estimate("confused", proportion, low=low, high=high, level=level, method="Wilson")
