"""Scores as probabilities of the positive class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.registry import Undefined
from tradeoff.text import format_count


class Probabilities(NamedTuple):
    """Distinct probabilities, highest first, with the rows of both classes."""

    values: NDArray[np.float64]
    positives: NDArray[Any]
    negatives: NDArray[Any]


def probabilities(ranking: Ranking) -> Probabilities:
    """Scores of a ranking as probabilities; raises `Undefined` where they are none."""
    if not ranking.distinct:
        raise Undefined("every row is rejected" if ranking.rows else "there are no rows")
    if not ranking.exact:
        raise Undefined(f"scores are in {ranking.distinct:,} bins, of which no score is known")
    scores = ranking.thresholds[1:]
    low, high = sorted((scores[0], scores[-1]))
    if low < 0 or high > 1:
        counts = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
        outside = format_count(counts[(scores < 0) | (scores > 1)].sum())
        # Sums of weights are no rows.
        who = (
            f"{outside} of {format_count(counts.sum())} rows" if ranking.is_counted else "some rows"
        )
        raise Undefined(
            f"{who} score outside 0 to 1 (from {low:g} to {high:g}), so scores are not "
            "probabilities"
        )
    p = 1 - scores if ranking.lower_is_positive else scores
    return Probabilities(p, np.diff(ranking.true_positives), np.diff(ranking.false_positives))


def require_probabilities(ranking: Ranking, purpose: str) -> Probabilities:
    """Require scores that are probabilities; the error says what needs them."""
    try:
        return probabilities(ranking)
    except Undefined as why:
        raise InputError(
            f"{purpose} needs probabilities of the positive class, but {why}."
        ) from why
