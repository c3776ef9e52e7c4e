"""Isotonic regression: the rising line nearest to shares, by pooling adjacent violators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def pooled_shares(positives: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    """The rising shares nearest to positives / rows: pool adjacent violators.

    Wherever a group's share is not above that of the group before, both belong to one pool. All
    such neighbours are joined at once, for all lines at once, until none is left.

    Args:
        positives: Counts of the groups in order, one line a replicate.
        rows: The sizes of the groups, above 0, the same for every line.

    Example:
        >>> pooled_shares(np.array([[0, 2, 1, 3]]), np.array([2, 2, 2, 3])).tolist()
        [[0.0, 0.75, 0.75, 1.0]]
    """
    lines, size = positives.shape
    hits = positives.astype(np.float64).ravel()
    weights = np.tile(np.asarray(rows, np.float64), lines)
    starts = np.arange(hits.size)
    while True:
        shares = hits / weights
        begins = np.append(True, shares[1:] > shares[:-1])
        begins |= starts % size == 0  # lines do not touch each other
        if begins.all():
            break
        first = np.flatnonzero(begins)
        hits, weights = (np.add.reduceat(column, first) for column in (hits, weights))
        starts = starts[first]
    sizes = np.diff(np.append(starts, lines * size))
    return np.repeat(shares, sizes).reshape(lines, size)
