"""Intervals that all hold together, not each by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tradeoff.analysis.intervals.normal import quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.analysis.intervals.confidence import Confidence

DRAWS = 100_000


def simultaneous_reach(covariance: NDArray[np.float64], confidence: Confidence) -> float:
    """How many standard errors all intervals must reach to hold together.

    The level's quantile of the largest of correlated normal deviates, by drawing them.

    Example:
        >>> from tradeoff.analysis.intervals.confidence import Confidence
        >>> round(simultaneous_reach(np.array([[2.0]]), Confidence()), 1)
        2.0
    """
    errors = np.sqrt(np.diag(covariance))
    known = errors > 0
    if np.isnan(covariance).any() or not known.any():
        return quantile(confidence.level)
    own = covariance[np.ix_(known, known)] / np.outer(errors[known], errors[known])
    values, vectors = np.linalg.eigh(own)
    root = vectors * np.sqrt(values.clip(min=0))
    random = np.random.default_rng(confidence.seed)
    drawn = random.standard_normal((DRAWS, len(own))) @ root.T
    return float(np.quantile(np.abs(drawn).max(axis=1), confidence.level))
