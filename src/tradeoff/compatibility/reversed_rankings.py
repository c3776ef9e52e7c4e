"""Rankings in the reversed direction or of the negative class, as other tools use them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally


def reversed_ranking(ranking: Ranking) -> Ranking:
    """Ranking in the reversed direction, with low instead of high scores positive.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.4, 0.2]), np.array([True, False, False]))
        >>> reverse = reversed_ranking(ranking)
        >>> reverse.thresholds.tolist(), reverse.false_positives.tolist()
        ([-inf, 0.2, 0.4, 0.9], [0, 1, 2, 2])
    """
    first_threshold = np.inf if ranking.lower_is_positive else -np.inf
    thresholds = np.concatenate([[first_threshold], ranking.thresholds[:0:-1]])
    tally = Tally(
        thresholds, _counts_below(ranking.true_positives), _counts_below(ranking.false_positives)
    )
    squares = None if ranking.squares is None else reversed_ranking(ranking.squares)
    lower_is_positive = not ranking.lower_is_positive
    return replace(ranking, tally=tally, lower_is_positive=lower_is_positive, squares=squares)


def negative_class_ranking(ranking: Ranking) -> Ranking:
    """Ranking of the negative class: it becomes positive, and the direction is reversed."""
    reverse = reversed_ranking(ranking)
    thresholds, true_positives, false_positives = reverse.tally
    return replace(
        reverse,
        tally=Tally(thresholds, false_positives, true_positives),
        positive=ranking.negative,
        negative=ranking.positive,
        rejected_positives=ranking.rejected_negatives,
        rejected_negatives=ranking.rejected_positives,
        squares=None if ranking.squares is None else negative_class_ranking(ranking.squares),
    )


def _counts_below(counts: NDArray[Any]) -> NDArray[Any]:
    """Cumulative counts from the other end of the ranking."""
    return np.asarray(counts[-1] - counts[::-1])
