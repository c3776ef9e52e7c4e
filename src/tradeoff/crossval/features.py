"""Features of a table: numbers, dates as numbers, and all other columns as categories.

One matrix of floats holds all of them (a category is coded by its index among the values of its
column, and missing values are NaN), so that folds are selected without copying strings. The codes
do not depend on the target, so nothing is learned here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.crossval.time_columns import days_since_1970
from tradeoff.errors import InputError
from tradeoff.sources.row_numbers import format_first_rows

# Dates and times in columns are converted to numbers.


MAX_CATEGORIES = 50
"""Beyond this number, rare values share one category: ids must not become thousands of columns."""
MISSING_CATEGORY = -1.0
"""The code of a missing value."""
AMBIGUOUS_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2}")


def _look_like_ambiguous_dates(texts: Iterable[str]) -> bool:
    """Whether all strings look like dates in which day and month are ambiguous."""
    return all(AMBIGUOUS_DATE.fullmatch(text) for text in texts)


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
    dates = None if declared is not None else days_since_1970(distinct.tolist())
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


def preprocessing_pipeline(estimator: Any, features: Features) -> Any:
    """Pipeline before a model: median imputation of numbers, one-hot encoding of categories."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline, make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    steps = []
    if features.numeric_columns:
        # A column without values in some fold must keep its index.
        imputer = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
        steps.append(
            ("numbers", make_pipeline(imputer, StandardScaler()), features.numeric_columns)
        )
    if features.categorical_columns:
        imputer = SimpleImputer(strategy="constant", fill_value=MISSING_CATEGORY)
        encoder = OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            max_categories=MAX_CATEGORIES,
            sparse_output=False,
        )
        steps.append(("categories", make_pipeline(imputer, encoder), features.categorical_columns))
    # Explicit step names: make_pipeline would name a class Memory like a parameter of pipelines.
    return Pipeline([("columns", ColumnTransformer(steps)), ("model", estimator)])
