"""Isotonic regression of proportions by pooling adjacent violators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def isotonic_shares(positives: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    """Isotonic regression of positives / rows, by pooling adjacent violators.

    Wherever a group's share is not above that of the group before, both are pooled. All such
    neighbours are pooled at once, for all lines at once, until none is left.

    Args:
        positives: Counts of the groups in order, one line per replicate.
        rows: Sizes of the groups, above 0, the same for every line.

    Example:
        >>> isotonic_shares(np.array([[0, 2, 1, 3]]), np.array([2, 2, 2, 3])).tolist()
        [[0.0, 0.75, 0.75, 1.0]]
    """
    lines, size = positives.shape
    hits = positives.astype(np.float64).ravel()
    weights = np.tile(np.asarray(rows, np.float64), lines)
    starts = np.arange(hits.size)
    while True:
        shares = hits / weights
        begins = np.append(True, shares[1:] > shares[:-1])
        begins |= starts % size == 0  # no pool spans two lines
        if begins.all():
            break
        first = np.flatnonzero(begins)
        hits, weights = (np.add.reduceat(column, first) for column in (hits, weights))
        starts = starts[first]
    sizes = np.diff(np.append(starts, lines * size))
    return np.repeat(shares, sizes).reshape(lines, size)
