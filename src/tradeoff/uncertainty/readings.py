"""Intervals of what is read off a curve, where the rows themselves choose the threshold.

The precision at a recall of 0.8, the lift at a depth of 10 %, the equal error rate: the threshold
of such a reading varies from sample to sample. At every threshold the true and the false positive
rate have Wilson's interval. One rate is moved to an end of its interval at all thresholds, or the
prevalence to an end of its own, and the curve is read again; the squared distances from the value
are added, as in `mover`. So the interval includes that the threshold varies.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.core.sort import Tally
from tradeoff.measures.mover import FALSE_POSITIVE_RATE, PREVALENCE, TRUE_POSITIVE_RATE, cells_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking

    Numbers = NDArray[np.float64]
    Reading = Callable[[Ranking], float]


def reading_interval(
    reading: Reading, ranking: Ranking, level: float = 0.95, *, fixed_classes: bool = False
) -> tuple[float, float]:
    """The interval of a reading.

    Args:
        reading: What is read off a ranking; NaN where it is undefined.
        ranking: The rows.
        level: How sure the interval shall be.
        fixed_classes: Class totals are given, so that the prevalence does not vary.

    Example:
        >>> from tradeoff.measures.summaries.areas import equal_error_rate
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.arange(40.0)
        >>> ranking = Ranking.of(scores, scores % 4 + scores / 13 > 3)
        >>> low, high = reading_interval(equal_error_rate, ranking)
        >>> round(low, 3), round(equal_error_rate(ranking), 3), round(high, 3)
        (0.209, 0.35, 0.491)
    """
    value = reading(ranking)
    down, up = 0.0, 0.0
    for both in moved_rankings(ranking, level, fixed_classes=fixed_classes):
        moves = [reading(moved) - value for moved in both]
        known = [move for move in moves if not math.isnan(move)]
        down += max(0.0, *(-move for move in known)) ** 2 if known else math.inf
        up += max(0.0, *known) ** 2 if known else math.inf
    return value - math.sqrt(down), value + math.sqrt(up)


def moved_rankings(
    ranking: Ranking, level: float = 0.95, *, fixed_classes: bool = False
) -> list[tuple[Ranking, Ranking]]:
    """The ranking with one rate, or the prevalence, at the lower and the upper end everywhere."""
    matrices = ranking.confusion
    cells = cells_of(matrices)
    squares = None if matrices.squares is None else cells_of(matrices.squares)
    positives, negatives = float(ranking.positives), float(ranking.negatives)
    tpr = [positives * end for end in TRUE_POSITIVE_RATE.interval(cells, squares, level)]
    fpr = [negatives * end for end in FALSE_POSITIVE_RATE.interval(cells, squares, level)]
    _, true_positives, false_positives = ranking.tally
    moved = [
        (_remade(ranking, tpr[0], false_positives), _remade(ranking, tpr[1], false_positives)),
        (_remade(ranking, true_positives, fpr[0]), _remade(ranking, true_positives, fpr[1])),
    ]
    if not fixed_classes:
        last = cells[:, -1:]
        totals = None if squares is None else squares[:, -1:]
        share = float(PREVALENCE.value(last)[0])
        low, high = (float(end[0]) for end in PREVALENCE.interval(last, totals, level))
        moved.append((_weighed(ranking, share, low), _weighed(ranking, share, high)))
    return moved


def _remade(
    ranking: Ranking, true_positives: NDArray[np.generic], false_positives: NDArray[np.generic]
) -> Ranking:
    """The ranking with other counts; what they lack at either end gets a place of its own."""
    totals = float(ranking.positives), float(ranking.negatives)
    thresholds = ranking.tally.thresholds.astype(np.float64)
    sign = -1.0 if ranking.lower_is_positive else 1.0
    ends = np.nextafter(thresholds[[1, -1]], [sign * np.inf, -sign * np.inf])
    columns = [
        np.concatenate([[0.0], counts.astype(np.float64), [total]])
        for counts, total in zip((true_positives, false_positives), totals, strict=True)
    ]
    tally = Tally(np.concatenate([thresholds[:1], ends[:1], thresholds[1:], ends[1:]]), *columns)
    return replace(ranking, tally=tally, squares=None, known_pairs=None)


def _weighed(ranking: Ranking, share: float, prevalence: float) -> Ranking:
    if not 0 < share < 1:
        return ranking
    return ranking.weighed(prevalence / share, (1 - prevalence) / (1 - share))
