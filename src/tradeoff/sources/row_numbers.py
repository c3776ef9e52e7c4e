"""Row numbers in messages, counted from 1: "rows 2 and 3"."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import format_list


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
