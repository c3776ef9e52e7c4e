"""Features of a table: numbers, dates as numbers, and all other columns as categories.

One matrix of floats holds all of them (a category is coded by its index among the values of its
column, and missing values are NaN), so that folds are selected without copying strings. The codes
do not depend on the target, so nothing is learned here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError
from tradeoff.formatting import format_rows, printable
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.row_numbers import format_first_rows

# Dates and times in columns are converted to numbers.


YEAR_FIRST_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}\S*)?")
AMBIGUOUS_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2}")
SECONDS_PER_DAY = 86_400


def _days_since_1970(texts: Iterable[str]) -> list[float] | None:
    """Dates or times in ISO format as days since 1970; None if any string is neither.

    Example:
        >>> _days_since_1970(["1970-01-03", "1970-01-01 12:00"]), _days_since_1970(["3.1.1970"])
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


def _look_like_ambiguous_dates(texts: Iterable[str]) -> bool:
    """Whether all strings look like dates in which day and month are ambiguous."""
    return all(AMBIGUOUS_DATE.fullmatch(text) for text in texts)


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
    numbers = _parse_numbers(distinct.tolist()) or _days_since_1970(distinct.tolist())
    if numbers is None:
        raise InputError(
            f"Column {name!r} holds {printable(distinct[0])!r}, which is not a time that can be "
            "ordered: write numbers, or dates with the year first, as in 2024-05-31."
        )
    return np.array(numbers)[codes]


def _parse_numbers(texts: list[str]) -> list[float] | None:
    try:
        return [float(text) for text in texts]
    except ValueError:
        return None


NO_DECLARED_VALUES: Mapping[str, Sequence[str]] = {}


@dataclass(frozen=True, eq=False)
class Features:
    """Features of a table: one column of `matrix` per feature.

    `categories` holds the values of each categorical column, and None for each numeric one.
    """

    names: tuple[str, ...]
    matrix: NDArray[np.float64]
    categories: tuple[tuple[str, ...] | None, ...]
    notes: tuple[str, ...] = ()

    @property
    def numeric_columns(self) -> list[int]:
        """Indices of the numeric columns."""
        return [index for index, values in enumerate(self.categories) if values is None]

    @property
    def categorical_columns(self) -> list[int]:
        """Indices of the categorical columns."""
        return [index for index, values in enumerate(self.categories) if values is not None]

    def as_values(self) -> NDArray[Any]:
        """The features as they were read: numbers and strings, None for missing values."""
        table = np.empty(self.matrix.shape, dtype=object)
        for index, values in enumerate(self.categories):
            column = self.matrix[:, index]
            is_present = ~np.isnan(column)
            table[is_present, index] = (
                column[is_present]
                if values is None
                else np.array(values, dtype=object)[column[is_present].astype(np.intp)]
            )
        return table


def make_features(
    columns: Mapping[str, NDArray[Any]], declared: Mapping[str, Sequence[str]] = NO_DECLARED_VALUES
) -> Features:
    """Convert the columns of a table, without its target, to features.

    A column's declared values are its categories, in that order, even if they do not occur.

    Example:
        >>> features = make_features({"age": np.array([31, 54]), "sex": np.array(["f", "m"])})
        >>> features.matrix.tolist(), features.categories
        ([[31.0, 0.0], [54.0, 1.0]], (None, ('f', 'm')))
    """
    names, matrix_columns, categories, notes = [], [], [], []
    for name, column in columns.items():
        numbers, values = _feature(column, declared.get(name))
        if np.isnan(numbers).all():
            notes.append(f"column {name!r} is left out because it has no values")
            continue
        if (infinite := np.isinf(numbers)).any():
            raise InputError(
                f"Column {name!r} has infinite values (first: {format_first_rows(infinite)}): "
                "replace them, or leave out the column."
            )
        if values is not None and _look_like_ambiguous_dates(values):
            notes.append(
                f"column {name!r} is read as categories, not dates; write dates with the year "
                "first, as in 2024-05-31"
            )
        names.append(name)
        matrix_columns.append(numbers)
        categories.append(values)
    if not names:
        raise InputError(
            "There is no column to learn from: the table needs at least one besides the class."
        )
    return Features(tuple(names), np.column_stack(matrix_columns), tuple(categories), tuple(notes))


def _feature(
    column: NDArray[Any], declared: Sequence[str] | None
) -> tuple[NDArray[np.float64], tuple[str, ...] | None]:
    if column.dtype.kind in "uif" and declared is None:
        return column.astype(np.float64), None
    if column.dtype.kind == "M":  # days since 1970
        days = column.astype("datetime64[s]").astype(np.float64) / 86_400
        return np.where(np.isnat(column), np.nan, days), None
    missing = np.array([value is None or value != value for value in column], np.bool_)  # noqa: PLR0124
    if column.dtype.kind == "O" and declared is None and all(map(_is_number, column[~missing])):
        return np.array(
            [np.nan if m else float(v) for v, m in zip(column, missing, strict=True)]
        ), None
    texts = np.array([str(value) for value in column[~missing]], dtype=np.str_)
    distinct, codes = np.unique(texts, return_inverse=True)
    numbers = np.full(len(column), np.nan)
    dates = None if declared is not None else _days_since_1970(distinct.tolist())
    if dates:
        numbers[~missing] = np.array(dates)[codes]
        return numbers, None
    values = tuple(dict.fromkeys([*(declared or ()), *distinct.tolist()]))
    codes_by_value = {value: code for code, value in enumerate(values)}
    numbers[~missing] = np.array(
        [codes_by_value[value] for value in distinct.tolist()], np.float64
    )[codes]
    return numbers, values


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
