"""Columns of times and numbers, written as text, as values that can be ordered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError
from tradeoff.formatting import format_rows, printable
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.row_numbers import format_first_rows

YEAR_FIRST_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}\S*)?")
SECONDS_PER_DAY = 86_400


def time_values(column: NDArray[Any], name: str) -> NDArray[Any]:
    """Convert a column of times to values that can be ordered; raise an error if this fails."""
    missing = np.isnat(column) if column.dtype.kind == "M" else missing_rows(column)
    if missing.any():
        raise InputError(
            f"{format_rows(int(missing.sum()))} without a time in {name!r} (first: "
            f"{format_first_rows(missing)}):"
            " fill them in, or leave out these rows."
        )
    if column.dtype.kind in "biufM":
        return column
    distinct, codes = np.unique([str(value) for value in column], return_inverse=True)
    numbers = parse_numbers(distinct.tolist()) or days_since_1970(distinct.tolist())
    if numbers is None:
        raise InputError(
            f"Column {name!r} holds {printable(distinct[0])!r}, which is not a time that can be "
            "ordered: write numbers, or dates with the year first, as in 2024-05-31."
        )
    return np.array(numbers)[codes]


def days_since_1970(texts: Iterable[str]) -> list[float] | None:
    """Dates or times in ISO format as days since 1970; None if any string is neither.

    Example:
        >>> days_since_1970(["1970-01-03", "1970-01-01 12:00"]), days_since_1970(["3.1.1970"])
        ([2.0, 0.5], None)
    """
    days = []
    for text in texts:
        if not YEAR_FIRST_DATE.fullmatch(text):
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        in_utc = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        days.append(in_utc.timestamp() / SECONDS_PER_DAY)
    return days


def parse_numbers(texts: list[str]) -> list[float] | None:
    """Numbers written as text; None if one of them is not a number."""
    try:
        return [float(text) for text in texts]
    except ValueError:
        return None
