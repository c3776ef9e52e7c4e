"""Nominal and numeric columns for Weka's classifiers, and the base class of these classifiers.

scikit-learn is an optional dependency: import this module only where a classifier is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tradeoff.errors import InputError, extra_required, format_list
from tradeoff.formatting import printable

with extra_required("This model"):
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import check_classification_targets

Numbers = NDArray[np.float64]


class Column(NamedTuple):
    """A column for Weka: its name (for an array, its index), its values and any declared values."""

    name: Any
    values: NDArray[Any]
    declared_values: Sequence[Any] | None = None


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Training rows for Weka: columns and weights, and the classes of the rows that have one."""

    columns: list[Column]
    weights: Numbers
    has_class: NDArray[np.bool_]
    classes: NDArray[Any]
    codes: NDArray[np.intp]  # of the rows that have a class

    @staticmethod
    def from_arrays(rows: Any, actual: ArrayLike, sample_weight: ArrayLike | None) -> LabelledRows:
        """Training rows; fails unless each has one class (possibly missing) and one weight."""
        columns = _to_columns(rows)
        if not columns:
            raise InputError("There is no column to learn from.")
        labels = _one_dimensional_array(actual)
        weights = _weights(sample_weight, len(labels))
        for column in columns:
            if len(column.values) != len(labels):
                raise InputError(
                    f"Column {column.name!r} has {len(column.values):,} rows, but there are "
                    f"{len(labels):,} class labels: each row needs one."
                )
        has_class = ~weka_missing_mask(labels)
        if not has_class.any():
            raise InputError("There is no row with a class to learn from.")
        if not weights[has_class].any():
            raise InputError("Every weight is zero: give at least one row a weight above 0.")
        present_labels = _sortable_classes(labels[has_class])
        check_classification_targets(present_labels)
        classes, codes = np.unique(present_labels, return_inverse=True)
        return LabelledRows(columns, weights, has_class, classes, codes)


@dataclass(frozen=True, eq=False)
class NominalValues:
    """The possible values of a nominal column, and the code of each."""

    name: Any
    codes_by_value: dict[Any, int]
    is_declared: bool

    @staticmethod
    def from_column(column: Column) -> NominalValues:
        """The declared values of a column or, without any, the values that occur in it."""
        if column.declared_values is not None:
            values = column.declared_values
        else:
            values = column.values[~weka_missing_mask(column.values)].tolist()
        codes_by_value = {value: code for code, value in enumerate(dict.fromkeys(values))}
        return NominalValues(column.name, codes_by_value, column.declared_values is not None)

    def codes(self, column: NDArray[Any]) -> NDArray[np.intp]:
        """The code of each value, -1 if missing or unknown; undeclared values raise an error."""
        is_present = ~weka_missing_mask(column)
        codes = np.full(len(column), -1, dtype=np.intp)
        codes[is_present] = [
            self.codes_by_value.get(value, -1) for value in column[is_present].tolist()
        ]
        if self.is_declared and (unknown := np.flatnonzero(is_present & (codes < 0))).size:
            raise InputError(
                f"Column {self.name!r} has the value {printable(column[unknown[0]])!r} in row "
                f"{unknown[0] + 1:,}, which is not declared. Its values are "
                f"{format_list(self.codes_by_value)}: "
                "correct the row, or declare the value."
            )
        return codes


class WekaClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of Weka's classifiers, which take nominal and numeric columns."""

    def __init__(self, values: Mapping[Any, Sequence[Any]] | None = None) -> None:
        self.values = values

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803 - scikit-learn passes these by name
        """The most probable class of each row; the first one in case of ties."""
        probabilities = self.predict_proba(X)
        return np.asarray(self.classes_[probabilities.argmax(axis=1)])

    def __sklearn_tags__(self) -> Any:
        """scikit-learn tags: missing values, categories and strings are allowed."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _to_columns(rows: Any) -> list[Column]:
    """The columns of a dataframe, an array or a list of rows."""
    if hasattr(rows, "columns"):
        return [
            Column(name, _one_dimensional_array(rows[name]), _declared_values(rows[name]))
            for name in rows.columns
        ]
    if hasattr(rows, "toarray"):
        raise InputError("The rows must be a dense table, not a sparse one: call toarray().")
    table = rows if isinstance(rows, np.ndarray) else np.array(rows, dtype=object)
    if table.ndim != 2:
        raise InputError(
            f"The rows must be a table, an array of 2 dimensions, not of {table.ndim}."
        )
    if table.dtype.kind == "c":
        raise InputError("Complex data not supported: give real numbers.")
    return [Column(index, table[:, index]) for index in range(table.shape[1])]


def columns_to_predict(rows: Any, trained_count: int) -> list[Column]:
    """The columns of rows to predict; raises unless there are as many as in training."""
    columns = _to_columns(rows)
    if len(columns) != trained_count:
        raise InputError(
            f"The rows have {len(columns)} columns, but the model was trained on {trained_count}."
        )
    return columns


def weka_numeric_values(name: Any, column: NDArray[Any]) -> Numbers:
    """The values of a column without missing values, converted to numbers."""
    try:
        converted = column.astype(np.float64)
    except (TypeError, ValueError):
        text = next(value for value in column.tolist() if isinstance(value, str))
        raise InputError(
            f"Column {name!r} was numeric in training but now holds {printable(text)!r}: give it "
            "values of the same kind."
        ) from None
    if not np.isfinite(converted).all():
        raise InputError(
            f"Column {name!r} has infinite values: replace them, or leave out the column."
        )
    return converted


def is_numeric(column: Column) -> bool:
    """Whether Weka treats a column as numeric: no declared values, and all values are numbers."""
    if column.declared_values is not None:
        return False
    values = column.values[~weka_missing_mask(column.values)]
    if values.dtype.kind in "iuf":
        return True
    number_types = int | float | np.integer | np.floating
    return values.dtype.kind == "O" and all(
        isinstance(value, number_types) and not isinstance(value, bool) for value in values.tolist()
    )


def weka_missing_mask(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Mask of values that Weka treats as missing: None, NaN, NA and NaT."""
    if column.dtype.kind == "f":
        return np.asarray(np.isnan(column))
    if column.dtype.kind != "O":
        return np.zeros(len(column), dtype=np.bool_)
    return np.array([_is_missing(value) for value in column.tolist()], dtype=np.bool_)


def _is_missing(value: Any) -> bool:
    # pandas' NA cannot be compared, and pandas may not be installed: recognize it by its name.
    return (
        value is None
        or (isinstance(value, float) and value != value)  # noqa: PLR0124
        or type(value).__name__ in {"NAType", "NaTType"}
    )


def _declared_values(series: Any) -> Sequence[Any] | None:
    if type(series.dtype).__name__ in {"CategoricalDtype", "Enum"}:
        return list(series.dtype.categories)
    return None


def _one_dimensional_array(values: Any) -> NDArray[Any]:
    column = np.asarray(values)
    if column.ndim != 1:
        raise InputError(f"One value per row is needed, not an array of {column.ndim} dimensions.")
    if column.dtype.kind in "biuf":
        return column
    listed_values = values.to_list() if hasattr(values, "to_list") else column.tolist()
    objects = np.empty(len(column), dtype=object)
    objects[:] = listed_values
    return objects


def _sortable_classes(actual: NDArray[Any]) -> NDArray[Any]:
    """Classes as an array with a native type, which is sorted as in scikit-learn."""
    return np.array(actual.tolist()) if actual.dtype.kind == "O" else actual


def _weights(sample_weight: ArrayLike | None, row_count: int) -> Numbers:
    if sample_weight is None:
        return np.ones(row_count)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (row_count,) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise InputError(
            f"Weights must be {row_count:,} finite, non-negative numbers, one per row."
        )
    return weights
