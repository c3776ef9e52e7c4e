"""Arrays of any numbers as those that rankings are made of, without losing a digit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError

EXACT = 2**53
"""Up to here float64 holds every integer."""


def as_floats(scores: NDArray[Any]) -> NDArray[Any] | None:
    """Scores as float32 or float64; None where they are no numbers, or longer than these.

    Example:
        >>> as_floats(np.array([True, False])), as_floats(np.array([1j]))
        (array([1., 0.], dtype=float32), None)
    """
    kind, size = scores.dtype.kind, scores.dtype.itemsize
    if kind == "f" and size in {4, 8}:
        return scores
    if kind in "biuf" and size < 4:
        return scores.astype(np.float32)
    return scores.astype(np.float64) if kind in "iu" else None


def rounded_rows(scores: NDArray[Any], floats: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Which integers floats do not hold, so that different scores could become equal; None: none.

    Example:
        >>> scores = np.array([2**53 + 1, 2**53 + 2])
        >>> rounded_rows(scores, as_floats(scores))
        array([ True, False])
    """
    if scores.dtype.kind not in "iu" or not scores.size:
        return None
    if max(abs(int(scores.min())), abs(int(scores.max()))) <= EXACT:
        return None
    changed = np.array([int(f) != int(s) for f, s in zip(floats, scores, strict=True)])
    return changed if changed.any() else None


def require_numbers(
    scores: NDArray[Any], positive: NDArray[Any], weights: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[np.bool_], NDArray[Any] | None]:
    """Rows in the types that can be ranked; what is no number is refused."""
    floats = as_floats(scores)
    if floats is None:
        raise InputError(f"Scores to rank are numbers of at most 64 bits, not {scores.dtype}.")
    if rounded_rows(scores, floats) is not None:
        raise InputError(
            "These scores are integers above 2**53, which floating point cannot tell apart: divide "
            "or rank them first."
        )
    if positive.dtype != np.bool_:
        raise InputError(
            f"Which rows are positive is told by booleans, not by {positive.dtype}: write "
            "actual == 1."
        )
    if weights is None:
        return floats, positive, None
    if weights.dtype.kind not in "biuf":
        raise InputError(f"Weights are numbers, not {weights.dtype}.")
    kind = np.float64 if weights.dtype.kind == "f" else np.int64
    return floats, positive, weights.astype(kind, copy=False)
