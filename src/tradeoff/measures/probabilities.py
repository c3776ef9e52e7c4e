"""Scores read as probabilities of the positive class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.registry import Undefined
from tradeoff.text import count


class Probabilities(NamedTuple):
    """Each distinct probability, highest first, with its rows of both classes."""

    values: NDArray[np.float64]
    positives: NDArray[Any]
    negatives: NDArray[Any]


def probabilities(ranking: Ranking) -> Probabilities:
    """The scores as probabilities; `Undefined` tells why they are none."""
    if not ranking.distinct:
        raise Undefined("every row is rejected" if ranking.rows else "there are no rows")
    if not ranking.exact:
        raise Undefined(f"scores are in {ranking.distinct:,} bins, of which no score is known")
    scores = ranking.thresholds[1:]
    low, high = sorted((scores[0], scores[-1]))
    if low < 0 or high > 1:
        counts = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
        outside = count(counts[(scores < 0) | (scores > 1)].sum())
        # Sums of weights are no rows.
        who = f"{outside} of {count(counts.sum())} rows" if ranking.is_counted else "some rows"
        raise Undefined(
            f"{who} score outside 0 to 1 (from {low:g} to {high:g}), so scores are not "
            "probabilities"
        )
    p = 1 - scores if ranking.lower_is_positive else scores
    return Probabilities(p, np.diff(ranking.true_positives), np.diff(ranking.false_positives))


def demand_probabilities(ranking: Ranking, purpose: str) -> Probabilities:
    """The scores as probabilities, or an error that says what needed them."""
    try:
        return probabilities(ranking)
    except Undefined as why:
        raise InputError(
            f"{purpose} needs probabilities of the positive class, but {why}."
        ) from why
