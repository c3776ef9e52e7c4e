"""What is certain about numbers of a ranking whose scores are in bins: exact bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.analysis.registry import Undefined

if TYPE_CHECKING:
    from tradeoff.ranking.ranking import Ranking


class Bounds(NamedTuple):
    """Between these lies the number that all scores, told apart, would give."""

    low: float
    high: float


def auc_bounds(ranking: Ranking) -> Bounds:
    """The area under the ROC curve if every unknown pair were lost, and if it were won.

    Pairs of rows in one bin are unknown; those of one score are ties and count half, as ever.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> scores = np.arange(100) / 100
        >>> binned = Ranking.of(scores, np.arange(100) % 3 == 0).within(8)
        >>> low, high = auc_bounds(binned)
        >>> low < auc_bounds(Ranking.of(scores, np.arange(100) % 3 == 0)).low < high
        True
    """
    if not (ranking.positives and ranking.negatives):
        raise Undefined("rows of one class have no area")
    pairs = _fraction(ranking.positives) * _fraction(ranking.negatives)
    won = _fraction(ranking.twice_pairs_won()) / 2
    unknown = Fraction(_unknown_pairs(ranking)) / 2
    return Bounds(_down((won - unknown) / pairs), _up((won + unknown) / pairs))


def _unknown_pairs(ranking: Ranking) -> int | float:
    """Pairs of a positive and a negative row that lie in one bin of several scores."""
    if ranking.levels is None:
        return 0
    spread = np.flatnonzero(ranking.levels)
    positives, negatives = (
        column[spread] - column[spread - 1]
        for column in (ranking.tally.true_positives, ranking.tally.false_positives)
    )
    # Python's numbers: the products of counts are exact at any size.
    pairs = zip(positives.tolist(), negatives.tolist(), strict=True)
    unknown: int | float = sum(p * n for p, n in pairs)
    return unknown


def _fraction(value: Any) -> Fraction:
    """Of Python's own numbers: NumPy's would overflow inside."""
    return Fraction(value.item() if isinstance(value, np.generic) else value)


def _down(value: Fraction) -> float:
    found = float(value)
    return max(float(np.nextafter(found, -np.inf)) if Fraction(found) > value else found, 0.0)


def _up(value: Fraction) -> float:
    found = float(value)
    return min(float(np.nextafter(found, np.inf)) if Fraction(found) < value else found, 1.0)
