"""Scores of a ranking as probabilities of the positive class, if they lie between 0 and 1."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import format_count, format_threshold
from tradeoff.measures.registry import Undefined

CALIBRATED = " calibrated by "
"""Marks the note of a ranking whose scores were calibrated; the name of the method follows."""

CALIBRATION_ADVICE = "Calibrate a marker first: --calibrate logistic, or e.calibrated() in Python."


class Probabilities(NamedTuple):
    """Distinct probabilities, highest first, with the number of rows of each class."""

    values: NDArray[np.float64]
    positives: NDArray[Any]
    negatives: NDArray[Any]


def scores_as_probabilities(ranking: Ranking) -> Probabilities:
    """Scores of a ranking as probabilities; raise `Undefined` if they are not probabilities."""
    if not ranking.distinct:
        raise Undefined("every row is rejected" if ranking.rows else "there are no rows")
    if not ranking.exact:
        raise Undefined(f"scores are in {ranking.distinct:,} bins, so single scores are unknown")
    scores = ranking.thresholds[1:]
    low, high = sorted((scores[0], scores[-1]))
    if low < 0 or high > 1:
        counts = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
        outside = counts[(scores < 0) | (scores > 1)].sum()
        # Sums of weights are not numbers of rows.
        subject = "some rows have scores"
        if ranking.is_counted:
            verb = "has a score" if outside == 1 else "have scores"
            subject = f"{format_count(outside)} of {format_count(counts.sum())} rows {verb}"
        limits = f"from {format_threshold(low)} to {format_threshold(high)}"
        raise Undefined(f"{subject} outside 0 to 1 ({limits}), so the scores are not probabilities")
    p = 1 - scores if ranking.lower_is_positive else scores
    return Probabilities(p, np.diff(ranking.true_positives), np.diff(ranking.false_positives))


def require_probabilities(ranking: Ranking, purpose: str) -> Probabilities:
    """Scores of a ranking as probabilities; otherwise raise an error that names the purpose."""
    try:
        return scores_as_probabilities(ranking)
    except Undefined as reason:
        raise InputError(
            f"{purpose} needs probabilities of the positive class, but {reason}. "
            f"{CALIBRATION_ADVICE}"
        ) from reason


def are_probabilities(low: float, high: float) -> bool:
    """Whether scores between these limits are within 0 to 1, up to rounding error."""
    return bool(low >= -MAX_ROUNDING_ERROR and high <= 1 + MAX_ROUNDING_ERROR)


MAX_ROUNDING_ERROR = 1e-6
