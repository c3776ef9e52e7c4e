"""Dates and times in columns, as numbers that can be ordered and learned from."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError
from tradeoff.sources.labels import first_rows, missing_rows
from tradeoff.text import plain, rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

YEAR_FIRST = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}\S*)?")
OTHER_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2}")
SECONDS = 86_400


def days_of(texts: Iterable[str]) -> list[float] | None:
    """Days since 1970 of dates or times, the year first; None unless all are such.

    Example:
        >>> days_of(["1970-01-03", "1970-01-01 12:00"]), days_of(["3.1.1970"])
        ([2.0, 0.5], None)
    """
    found = []
    for text in texts:
        if not YEAR_FIRST.fullmatch(text):
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        found.append(known.timestamp() / SECONDS)
    return found


def are_other_dates(texts: Iterable[str]) -> bool:
    """Whether texts look like dates of which nobody can say what is the day and what the month."""
    return all(OTHER_DATE.fullmatch(text) for text in texts)


def times_of(column: NDArray[Any], name: str) -> NDArray[Any]:
    """A column of times as numbers; what cannot be ordered is an error."""
    missing = np.isnat(column) if column.dtype.kind == "M" else missing_rows(column)
    if missing.any():
        raise InputError(
            f"{rows(int(missing.sum()))} without a time in {name!r} (first: {first_rows(missing)}):"
            " fill them in, or leave such rows out."
        )
    if column.dtype.kind in "biufM":
        return column
    distinct, codes = np.unique([str(value) for value in column], return_inverse=True)
    numbers = _numbers(distinct.tolist()) or days_of(distinct.tolist())
    if numbers is None:
        raise InputError(
            f"Column {name!r} holds {plain(distinct[0])!r}, which is no time that can be ordered: "
            "write numbers, or dates with the year first, 2024-05-31."
        )
    return np.array(numbers)[codes]


def _numbers(texts: list[str]) -> list[float] | None:
    try:
        return [float(text) for text in texts]
    except ValueError:
        return None
