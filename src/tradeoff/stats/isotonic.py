"""Isotonic regression of proportions by pooling adjacent violators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def isotonic_proportions(positives: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    """Isotonic regression of positives / rows, by pooling adjacent violators.

    Adjacent groups are pooled wherever the proportion does not increase, in all replicates at once,
    until it increases everywhere.

    Args:
        positives: Counts of the groups in order, one row per replicate.
        rows: Sizes of the groups, above 0, the same for every replicate.

    Example:
        >>> isotonic_proportions(np.array([[0, 2, 1, 3]]), np.array([2, 2, 2, 3])).tolist()
        [[0.0, 0.75, 0.75, 1.0]]
    """
    replicates, size = positives.shape
    hits = positives.astype(np.float64).ravel()
    weights = np.tile(np.asarray(rows, np.float64), replicates)
    starts = np.arange(hits.size)
    while True:
        proportions = hits / weights
        is_start = np.append(True, proportions[1:] > proportions[:-1])
        is_start |= starts % size == 0  # no pool spans two replicates
        if is_start.all():
            break
        pool_starts = np.flatnonzero(is_start)
        hits, weights = (np.add.reduceat(column, pool_starts) for column in (hits, weights))
        starts = starts[pool_starts]
    sizes = np.diff(np.append(starts, replicates * size))
    return np.repeat(proportions, sizes).reshape(replicates, size)
