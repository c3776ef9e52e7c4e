"""Summaries of the columns of a table: type, values and whether they merely number the rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tradeoff.sources.classes import class_name, datetime_names
from tradeoff.sources.missing_values import missing_rows

ColumnKind = Literal["number", "boolean", "date", "text"]
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}\S*)?")
"""A date, or a date and time, with the year first."""
MAX_LISTED_VALUES = 30
"""Up to this number of distinct values, a summary counts the rows of each."""
MIN_ROWS_OF_INDEX = 3
"""Minimum number of rows from which consecutive integers are taken for row numbers."""


@dataclass(frozen=True)
class ColumnSummary:
    """Summary of the values of a column.

    Args:
        name: Name of the column.
        kind: Whether its values are numbers, booleans, dates or text.
        rows: Number of rows.
        missing: Number of rows without a value.
        distinct: Number of distinct values.
        counts: Rows of each value, in order of the values, if they are few; else of the first ones.
        low: The lowest number; None for text.
        high: The highest number; None for text.
        is_index: Whether it numbers or names the rows and has no name of its own.
        numbers_rows: Whether its values are consecutive integers, in order of the rows.
    """

    name: str
    kind: ColumnKind
    rows: int
    missing: int
    distinct: int
    counts: tuple[tuple[str, int], ...]
    low: float | None = None
    high: float | None = None
    is_index: bool = False
    numbers_rows: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """Names of the values that `counts` lists."""
        return tuple(value for value, _ in self.counts)

    @property
    def is_all_distinct(self) -> bool:
        """Whether no two rows have the same value."""
        return self.distinct > 1 and self.distinct == self.rows - self.missing


def summarize_columns(columns: Mapping[str, NDArray[Any]]) -> list[ColumnSummary]:
    """Summary of each column of a table.

    Example:
        >>> (summary,) = summarize_columns({"churned": np.array(["no", "yes", "no"])})
        >>> summary.kind, summary.counts
        ('text', (('no', 2), ('yes', 1)))
    """
    return [
        _summary(name, column, position) for position, (name, column) in enumerate(columns.items())
    ]


def is_unnamed(name: str, position: int) -> bool:
    """Whether a column has no name; pandas and the CSV reader then name it after its position.

    Example:
        >>> [is_unnamed(name, 0) for name in ("", "Unnamed: 0", "column0", "column1", "id")]
        [True, True, True, False, False]
    """
    return name in {"", f"Unnamed: {position}", f"column{position}", "__index_level_0__"}


def _summary(name: str, column: NDArray[Any], position: int) -> ColumnSummary:
    column = datetime_names(column) if column.dtype.kind == "M" else column
    missing = missing_rows(column)
    values = column[~missing] if missing.any() else column
    kind, values = _typed_values(values)
    counts = _value_counts(values)
    numbers_rows = kind == "number" and not missing.any() and _are_consecutive(values)
    is_number = kind == "number" and len(values) > 0
    identifies_rows = len(counts) == len(values) > 1 or (is_number and _are_row_numbers(counts))
    return ColumnSummary(
        name=name,
        kind=kind,
        rows=len(column),
        missing=int(missing.sum()),
        distinct=len(counts),
        counts=_named_counts(counts),
        low=float(values.min()) if is_number else None,
        high=float(values.max()) if is_number else None,
        is_index=is_unnamed(name, position)
        and (numbers_rows or (position == 0 and identifies_rows)),
        numbers_rows=numbers_rows,
    )


def _typed_values(values: NDArray[Any]) -> tuple[ColumnKind, NDArray[Any]]:
    """Kind of the values of a column, and the values as an array of this kind."""
    if values.dtype.kind == "b":
        return "boolean", values
    if values.dtype.kind in "iuf":
        return "number", values
    if len(values) and all(isinstance(value, bool | np.bool_) for value in values):
        return "boolean", values.astype(np.bool_)
    if len(values) and all(isinstance(value, int | float | np.number) for value in values):
        return "number", values.astype(np.float64)
    if len(values) and all(ISO_DATE.fullmatch(str(value)) for value in values):
        return "date", values
    return "text", values


def _value_counts(values: NDArray[Any]) -> dict[Any, int]:
    """Rows of each distinct value."""
    if values.dtype.kind == "O":
        return dict(Counter(map(class_name, values)))
    distinct, counts = np.unique(values, return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))


def _named_counts(counts: Mapping[Any, int]) -> tuple[tuple[str, int], ...]:
    names = list(counts)[: MAX_LISTED_VALUES + 1] if len(counts) > MAX_LISTED_VALUES else counts
    return tuple((class_name(value), counts[value]) for value in sorted(names))[:MAX_LISTED_VALUES]


def _are_row_numbers(counts: Mapping[Any, int]) -> bool:
    """Whether values are all integers from 0 or 1 to a highest one, as in files put together."""
    low, high = min(counts), max(counts)
    return low in {0, 1} and len(counts) >= MIN_ROWS_OF_INDEX and high - low + 1 == len(counts)


def _are_consecutive(values: NDArray[Any]) -> bool:
    """Whether values are consecutive integers in order, from 0 or 1."""
    if len(values) < MIN_ROWS_OF_INDEX or values[0] not in {0, 1}:
        return False
    return bool((values == np.arange(len(values)) + values[0]).all())
