"""Row numbers in messages, counted from 1: "rows 2 and 3"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import format_list
from tradeoff.sources.text_values import is_integer


def format_first_rows(mask: NDArray[np.bool_], row_indices: NDArray[np.intp] | None = None) -> str:
    """Format the row numbers (from 1) of the first three rows in a mask, for a message.

    Example:
        >>> format_first_rows(np.array([False, True, True]))
        'rows 2 and 3'
    """
    indices = np.flatnonzero(mask)[:3]
    return format_row_numbers(
        ((indices if row_indices is None else row_indices[indices]) + 1).tolist()
    )


def format_row_numbers(numbers: Sequence[int]) -> str:
    """Format row numbers for a message: "row 2", "rows 2 and 3"."""
    return f"row{'' if len(numbers) == 1 else 's'} {format_list(numbers)}"


def as_integers(values: NDArray[Any]) -> NDArray[Any]:
    """Row identifiers as integers if all of them are written as integers, else unchanged.

    Example:
        >>> as_integers(np.array(["12", "3"], object)), as_integers(np.array(["007"], object))
        (array([12,  3]), array(['007'], dtype=object))
    """
    cells = values.tolist()
    are_integers = all(isinstance(cell, str) and is_integer(cell) for cell in cells)
    if not cells or not are_integers or max(map(len, cells)) > 18:
        return values
    return np.array([int(cell) for cell in cells], np.int64)
