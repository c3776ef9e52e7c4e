"""A ranking seen from its other end, or from the negative class."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.sort import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking


def turned(ranking: Ranking) -> Ranking:
    """The same rows ranked the other way round: where high scores meant positive, low ones do.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.4, 0.2]), np.array([True, False, False]))
        >>> turned(ranking).thresholds.tolist(), turned(ranking).false_positives.tolist()
        ([-inf, 0.2, 0.4, 0.9], [0, 1, 2, 2])
    """
    none = np.inf if ranking.lower_is_positive else -np.inf
    thresholds = np.concatenate([[none], ranking.thresholds[:0:-1]])
    tally = Tally(thresholds, _back(ranking.true_positives), _back(ranking.false_positives))
    squares = None if ranking.squares is None else turned(ranking.squares)
    lower = not ranking.lower_is_positive
    return replace(ranking, tally=tally, lower_is_positive=lower, squares=squares)


def swapped(ranking: Ranking) -> Ranking:
    """The ranking of the negative class: its rows are wanted, and the other end comes first."""
    other = turned(ranking)
    thresholds, found, alarms = other.tally
    return replace(
        other,
        tally=Tally(thresholds, alarms, found),
        positive=ranking.negative,
        negative=ranking.positive,
        rejected_positives=ranking.rejected_negatives,
        rejected_negatives=ranking.rejected_positives,
        squares=None if ranking.squares is None else swapped(ranking.squares),
    )


def _back(counts: NDArray[Any]) -> NDArray[Any]:
    """Counts from the other end: what lies below is now above."""
    return np.asarray(counts[-1] - counts[::-1])
