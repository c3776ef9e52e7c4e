"""Find the missing values in a column: None, NaN or NaT."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def missing_rows(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Mask of rows with a missing value (None, NaN or NaT)."""
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind == "M":
        return np.asarray(np.isnat(values))
    # Most object columns hold only strings, which is quick to check.
    if values.dtype.kind != "O" or set(map(type, values.tolist())) == {str}:
        return np.zeros(len(values), np.bool_)
    return np.fromiter((_is_missing(value) for value in values), np.bool_, len(values))


def missing_rows_or_none(values: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Mask of rows with a missing value; None if no value is missing."""
    if values.dtype.kind not in "fMO" or not values.size:
        return None
    # The minimum is NaN if any value is NaN, and needs no temporary array.
    if values.dtype.kind == "f" and not np.isnan(values.min()):
        return None
    missing = missing_rows(values)
    return missing if missing.any() else None


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))
