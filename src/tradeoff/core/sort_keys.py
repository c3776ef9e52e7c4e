"""Sort keys: unsigned integers in the order of the scores, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.uint64]

SIGN_BIT = np.uint64(1 << 63)


def sortable_integers(scores: NDArray[Any]) -> Integers:
    """Map scores to unsigned integers in the same order, with -0 and 0 equal.

    A bin is a range of these integers that share their leading bits.

    Example:
        >>> order = sortable_integers(np.array([-np.inf, -1.0, -0.0, 0.0, 1e-300, np.inf]))
        >>> np.diff(order.astype(object)).tolist() == sorted(np.diff(order.astype(object)).tolist())
        False
        >>> bool((order[1:] >= order[:-1]).all()), bool(order[2] == order[3])
        (True, True)
    """
    bits = (scores.astype(np.float64) + 0.0).view(np.uint64)
    negative = (bits >> np.uint64(63)).astype(np.bool_)
    return np.where(negative, ~bits, bits | SIGN_BIT)


def scores_of_integers(integers: Integers) -> NDArray[np.float64]:
    """Map sortable integers back to scores: the inverse of `sortable_integers`.

    Example:
        >>> scores_of_integers(sortable_integers(np.array([-1.5, 0.0, 2.0]))).tolist()
        [-1.5, 0.0, 2.0]
    """
    return np.where(integers & SIGN_BIT, integers ^ SIGN_BIT, ~integers).view(np.float64)
