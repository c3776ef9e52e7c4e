"""Which classes are taken for each other: every pair, most confusable first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tradeoff.core.confusion import ClassMatrix
from tradeoff.measures.estimate import Estimate
from tradeoff.multiclass.areas import Groups, PairAreas, effective_rows
from tradeoff.stats.proportions import wilson
from tradeoff.text import count, number


@dataclass(frozen=True, repr=False)
class Pair:
    """Two classes: how well their scores part them, and how many rows are called by the other.

    `separability` is the mean of `first_above`, the probability that a row of the first class has
    a higher score for it than a row of the second, and of `second_above`, the same the other way
    round. `confused` is the share of the rows of both classes that are called by the other's name.
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
        """One line: the classes, how well they are parted, and how many rows are confused."""
        confused = count(self.first_called_second + self.second_called_first)
        return (
            f"Pair({self.first!r} and {self.second!r}: separability "
            f"{number(self.separability.value)}, {confused} confused)"
        )


def confusable_pairs(
    groups: Groups, areas: Sequence[PairAreas], matrix: ClassMatrix, level: float = 0.95
) -> list[Pair]:
    """Every pair of classes, the least separable first; undefined ones last.

    Where pairs are parted equally well, those with the larger share of confused rows come first.

    Example:
        >>> from tradeoff.multiclass.areas import pair_areas
        >>> from tradeoff.multiclass.areas import Groups
        >>> from tradeoff.multiclass.multiclass import class_matrix, largest
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([[3.0, 2, 1, 0], [1, 3, 1, 0], [0, 0, 1, 2]])
        >>> rows = ClassScores(tuple(scores), np.array([0, 0, 1, 2]), ("a", "b", "c"))
        >>> groups, matrix = Groups.of(rows), class_matrix(rows, largest(rows).codes)
        >>> confusable_pairs(groups, pair_areas(groups)[0], matrix)[0]
        Pair('a' and 'b': separability 0.6250, 2 confused)
    """
    pairs = [_pair(groups, own, matrix, level) for own in areas]
    return sorted(pairs, key=_by_confusion)


def _by_confusion(pair: Pair) -> tuple[float, float]:
    parted, confused = pair.separability.value, pair.confused.value
    return (
        math.inf if math.isnan(parted) else parted,
        math.inf if math.isnan(confused) else -confused,
    )


def _pair(groups: Groups, areas: PairAreas, matrix: ClassMatrix, level: float) -> Pair:
    first, second = areas.first, areas.second
    there, back = matrix.counts[first, second], matrix.counts[second, first]
    return Pair(
        groups.classes[first],
        groups.classes[second],
        areas.both.estimate("separability", level),
        areas.first_above.estimate("auc", level),
        areas.second_above.estimate("auc", level),
        there,
        back,
        _share(groups, (first, second), float(there + back), level),
    )


def _share(groups: Groups, pair: tuple[int, int], confused: float, level: float) -> Estimate:
    """The share of the rows of both classes, with a Wilson interval."""
    total = float(groups.totals[list(pair)].sum())
    if not total:
        reason = f"no row is {groups.classes[pair[0]]} or {groups.classes[pair[1]]}"
        return Estimate("confused", math.nan, reason=reason)
    share = min(confused / total, 1.0)  # sums of real weights may differ in their last digit
    rows = total
    if groups.weights is not None:
        weights = np.concatenate([groups.weights[groups.span(at)] for at in pair])
        rows = effective_rows(weights, len(weights))
    low, high = (float(end) for end in wilson(share * rows, rows, level))
    return Estimate("confused", share, low=low, high=high, level=level, method="Wilson")
