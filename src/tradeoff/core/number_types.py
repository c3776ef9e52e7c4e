"""Lossless conversion of scores, classes and weights to the number types of rankings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError

MAX_EXACT_INTEGER = 2**53
"""Up to this value, float64 represents every integer exactly."""


def next_floats(values: NDArray[Any], toward: Any) -> NDArray[Any]:
    """Next float after each value towards `toward`; beyond the largest float, infinity.

    Example:
        >>> next_floats(np.array([1.0, np.finfo(float).max]), np.inf)
        array([ 1., inf])
    """
    with np.errstate(over="ignore"):
        return np.asarray(np.nextafter(values, toward))


def scores_as_floats(scores: NDArray[Any]) -> NDArray[Any] | None:
    """Convert scores to float32 or float64; None if they are not numbers of at most 64 bits.

    Example:
        >>> scores_as_floats(np.array([True, False])), scores_as_floats(np.array([1j]))
        (array([1., 0.], dtype=float32), None)
    """
    kind, size = scores.dtype.kind, scores.dtype.itemsize
    if kind == "f" and size in {4, 8}:
        return scores
    if kind in "biuf" and size < 4:
        return scores.astype(np.float32)
    return scores.astype(np.float64) if kind in "iu" else None


def inexact_integers(scores: NDArray[Any], floats: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Mask of integer scores that float64 cannot represent exactly; None if there are none.

    Example:
        >>> scores = np.array([2**53 + 1, 2**53 + 2])
        >>> inexact_integers(scores, scores_as_floats(scores))
        array([ True, False])
    """
    if scores.dtype.kind not in "iu" or not scores.size:
        return None
    if max(abs(int(scores.min())), abs(int(scores.max()))) <= MAX_EXACT_INTEGER:
        return None
    is_inexact = np.array([int(f) != int(s) for f, s in zip(floats, scores, strict=True)])
    return is_inexact if is_inexact.any() else None


def require_numeric_rows(
    scores: NDArray[Any], positive: NDArray[Any], weights: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[np.bool_], NDArray[Any] | None]:
    """Convert scores, classes and weights to types that can be ranked, or raise an InputError."""
    floats = scores_as_floats(scores)
    if floats is None:
        raise InputError(f"Scores to rank must be numbers of at most 64 bits, not {scores.dtype}.")
    if inexact_integers(scores, floats) is not None:
        raise InputError(
            "These scores are integers above 2**53, which float64 cannot distinguish: divide or "
            "rank them first."
        )
    if positive.dtype != np.bool_:
        raise InputError(
            f"Positive rows must be marked by booleans, not by {positive.dtype}: write actual == 1."
        )
    if weights is None:
        return floats, positive, None
    if weights.dtype.kind not in "biuf":
        raise InputError(f"Weights must be numbers, not {weights.dtype}.")
    dtype = np.float64 if weights.dtype.kind == "f" else np.int64
    return floats, positive, weights.astype(dtype, copy=False)
