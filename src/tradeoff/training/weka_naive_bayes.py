"""Naive Bayes with the estimates of Weka 3.6, as an estimator for scikit-learn.

scikit-learn is an extra: import this module only where the classifier is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tradeoff.errors import InputError, listed
from tradeoff.text import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]

SMALLEST = 1e-75
"""No single value makes a class less likely than by this factor; products are kept above it."""
LARGER = 1e75
"""What all products of a row are multiplied by when they have become too small."""
DEFAULT_PRECISION = 0.01
"""The distance between values of a column in which all values are equal."""
NOTHING = 1e-10
"""A standard deviation up to this says nothing about scale."""


@dataclass(frozen=True, eq=False)
class NominalColumn:
    """How often each value occurs in each class, every count starting at 1 (Laplace)."""

    name: str
    places: dict[Any, int]
    shares: Numbers  # a row for each class, a column for each value
    is_declared: bool

    def likelihood(self, column: NDArray[Any], known: NDArray[np.bool_]) -> Numbers:
        """The probability of each row's value in each class; NaN where it tells nothing."""
        found = np.full((len(column), len(self.shares)), np.nan)
        codes = _codes(self, column, known)
        found[codes >= 0] = self.shares[:, codes[codes >= 0]].T
        return found


@dataclass(frozen=True, eq=False)
class NumericColumn:
    """A normal distribution for each class, over values rounded to a precision."""

    name: str
    precision: float
    means: Numbers
    deviations: Numbers

    def likelihood(self, column: NDArray[Any], known: NDArray[np.bool_]) -> Numbers:
        """The probability of the interval that each row's value is rounded to, in each class."""
        from scipy.special import ndtr

        found = np.full((len(column), len(self.means)), np.nan)
        values = _rounded(_as_numbers(self.name, column[known]), self.precision)
        from_mean = values[:, None] - self.means
        half = self.precision / 2
        found[known] = ndtr((from_mean + half) / self.deviations) - ndtr(
            (from_mean - half) / self.deviations
        )
        return found


class WekaNaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes as `weka.classifiers.bayes.NaiveBayes` of Weka 3.6 estimates it by default.

    Made to repeat results that were obtained with Weka; where there is nothing to repeat,
    scikit-learn's own classifiers are the better choice. What Weka does:

    - A nominal column (texts, booleans, categories): the share of each value in each class, with
      1 added to every count. The values are those declared, seen or not.
    - A numeric column: a normal distribution in each class. Values are rounded to a precision, the
      mean distance between neighbouring distinct values; a standard deviation is at least a sixth
      of it (John and Langley 1995, "Estimating continuous distributions in Bayesian classifiers").
    - The share of each class also starts at a count of 1. Weights count as so many rows.
    - Missing values (None, NaN) are skipped, in learning and in predicting; rows without a class
      are not learned from.

    Args:
        values: The values of nominal columns, by the column's name (or its place from 0 in an
            array), as the header of an ARFF file declares them. The categories of a dataframe
            column are taken as declared. A value that is not declared is then an error. Of other
            columns the values are those learned from, and any other value is skipped as missing.

    Attributes:
        classes_: The classes, in rising order: the columns of `predict_proba`.

    Example:
        >>> rows = np.array([["sunny", 30], ["sunny", 31], ["rainy", 12]], dtype=object)
        >>> model = WekaNaiveBayes().fit(rows, ["yes", "yes", "no"])
        >>> model.predict(rows).tolist()
        ['yes', 'yes', 'no']
    """

    def __init__(self, values: Mapping[Any, Sequence[Any]] | None = None) -> None:
        self.values = values

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> WekaNaiveBayes:  # noqa: N803 - scikit-learn passes these by name
        """Learn from rows, their classes and, if there are any, their weights."""
        columns = _columns(X)
        actual = _one_column(y)
        weights = _weights(sample_weight, len(actual))
        for name, column, _ in columns:
            if len(column) != len(actual):
                raise InputError(
                    f"Column {name!r} has {len(column):,} rows and there are "
                    f"{len(actual):,} classes: each row needs one."
                )
        has_class = ~_missing(actual)
        if not has_class.any():
            raise InputError("There is no row with a class to learn from.")
        self.classes_, codes = np.unique(_sortable(actual[has_class]), return_inverse=True)
        self.n_features_in_ = len(columns)
        counts = 1 + np.bincount(codes, weights[has_class], len(self.classes_))
        self.class_prior_ = counts / counts.sum()
        learner = _Learner(codes, weights[has_class], len(self.classes_))
        declared = self.values or {}
        self.columns_ = [
            learner.learn(name, column[has_class], declared.get(name, values))
            for name, column, values in columns
        ]
        return self

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The probability of each class (a column each, as in `classes_`) for each row."""
        check_is_fitted(self)
        columns = _columns(X)
        if len(columns) != self.n_features_in_:
            raise InputError(
                f"The rows have {len(columns)} columns and {self.n_features_in_} were learned from."
            )
        rows = len(columns[0][1]) if columns else 0
        found = np.tile(self.class_prior_, (rows, 1))
        for learned, (_, column, _) in zip(self.columns_, columns, strict=True):
            if learned is not None:
                _multiply(found, learned.likelihood(column, ~_missing(column)))
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The most probable class of each row; of equally probable ones the first."""
        probabilities = self.predict_proba(X)
        return np.asarray(self.classes_[probabilities.argmax(axis=1)])

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may hand to this classifier."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


@dataclass(frozen=True, eq=False)
class _Learner:
    """The rows' classes and weights, with which every column is learned."""

    codes: NDArray[np.intp]
    weights: Numbers
    classes: int

    def learn(
        self, name: Any, column: NDArray[Any], declared: Sequence[Any] | None
    ) -> NominalColumn | NumericColumn | None:
        known = ~_missing(column)
        if declared is None and not known.any():
            return None  # it would be the same for every class
        if declared is None and _is_numeric(column[known]):
            return self._numeric(name, column, known)
        return self._nominal(name, column, known, declared)

    def _nominal(
        self,
        name: Any,
        column: NDArray[Any],
        known: NDArray[np.bool_],
        declared: Sequence[Any] | None,
    ) -> NominalColumn:
        values = column[known].tolist() if declared is None else declared
        places = {value: place for place, value in enumerate(dict.fromkeys(values))}
        empty = NominalColumn(name, places, np.empty((0, 0)), declared is not None)
        at = _codes(empty, column, known)[known]
        counts = np.ones((self.classes, len(places)))
        np.add.at(counts, (self.codes[known], at), self.weights[known])
        shares = counts / counts.sum(axis=1, keepdims=True)
        return NominalColumn(name, places, shares, declared is not None)

    def _numeric(self, name: Any, column: NDArray[Any], known: NDArray[np.bool_]) -> NumericColumn:
        values = _as_numbers(name, column[known])
        precision = _precision(values)
        values = _rounded(values, precision)
        codes, weights = self.codes[known], self.weights[known]

        def total(amounts: Numbers) -> Numbers:
            return np.bincount(codes, amounts, self.classes).astype(np.float64)

        sums, weight = total(values * weights), total(weights)
        # A class without values stays where Weka starts: a narrow distribution around 0.
        some = np.where(weight > 0, weight, 1.0)
        means = sums / some
        deviations = np.sqrt(np.abs(total(values * values * weights) - means * sums) / some)
        narrowest = precision / 6
        deviations = np.where(deviations > NOTHING, np.maximum(narrowest, deviations), narrowest)
        return NumericColumn(name, precision, means, deviations)


def _precision(values: Numbers) -> float:
    """The mean distance between neighbouring distinct values."""
    distinct = np.unique(values)
    if len(distinct) < 2:
        return DEFAULT_PRECISION
    # The same sum as Weka's, one distance after the other, to its last digit.
    return float(np.cumsum(np.diff(distinct))[-1] / (len(distinct) - 1))


def _rounded(values: Numbers, precision: float) -> Numbers:
    return np.asarray(np.rint(values / precision) * precision)


def _multiply(found: Numbers, likelihood: Numbers) -> None:
    """Multiply probabilities in place, and keep those of a row from vanishing all together."""
    known = ~np.isnan(likelihood[:, 0])
    products = found[known] * np.maximum(SMALLEST, likelihood[known])
    products[products.max(axis=1, initial=0.0) < SMALLEST] *= LARGER
    found[known] = products


def _codes(
    learned: NominalColumn, column: NDArray[Any], known: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """The place of each value among those of its column, -1 for missing and unseen ones."""
    found = np.full(len(column), -1, dtype=np.intp)
    found[known] = [learned.places.get(value, -1) for value in column[known].tolist()]
    if learned.is_declared and (unknown := np.flatnonzero(known & (found < 0))).size:
        raise InputError(
            f"Column {learned.name!r} has the value {plain(column[unknown[0]])!r} in row "
            f"{unknown[0] + 1:,}, which is not declared. Its values are {listed(learned.places)}: "
            "correct the row, or declare the value."
        )
    return found


def _as_numbers(name: Any, column: NDArray[Any]) -> Numbers:
    try:
        numbers = column.astype(np.float64)
    except (TypeError, ValueError):
        text = next(value for value in column.tolist() if isinstance(value, str))
        raise InputError(
            f"Column {name!r} was learned as numbers and now holds {plain(text)!r}: "
            "give it the same kind of values."
        ) from None
    if not np.isfinite(numbers).all():
        raise InputError(f"Column {name!r} has infinite values; no normal distribution has them.")
    return numbers


def _is_numeric(values: NDArray[Any]) -> bool:
    if values.dtype.kind in "iuf":
        return True
    numbers = int | float | np.integer | np.floating
    return values.dtype.kind == "O" and all(
        isinstance(value, numbers) and not isinstance(value, bool) for value in values.tolist()
    )


def _missing(column: NDArray[Any]) -> NDArray[np.bool_]:
    if column.dtype.kind == "f":
        return np.asarray(np.isnan(column))
    if column.dtype.kind != "O":
        return np.zeros(len(column), dtype=np.bool_)
    return np.array([_is_missing(value) for value in column.tolist()], dtype=np.bool_)


def _is_missing(value: Any) -> bool:
    # pandas' NA cannot be compared, and pandas need not be installed: it is known by its name.
    return (
        value is None
        or (isinstance(value, float) and value != value)  # noqa: PLR0124
        or type(value).__name__ in {"NAType", "NaTType"}
    )


def _columns(rows: Any) -> list[tuple[Any, NDArray[Any], Sequence[Any] | None]]:
    """Each column with its name (its place in an array) and its values, where they are declared."""
    if hasattr(rows, "columns"):
        return [(name, _one_column(rows[name]), _declared(rows[name])) for name in rows.columns]
    table = rows if isinstance(rows, np.ndarray) else np.array(rows, dtype=object)
    if table.ndim != 2:
        raise InputError(f"Rows and columns are needed: a table, not {table.ndim} dimensions.")
    return [(place, table[:, place], None) for place in range(table.shape[1])]


def _declared(series: Any) -> Sequence[Any] | None:
    if type(series.dtype).__name__ in {"CategoricalDtype", "Enum"}:
        return list(series.dtype.categories)
    return None


def _one_column(values: Any) -> NDArray[Any]:
    column = np.asarray(values)
    if column.ndim != 1:
        raise InputError(f"One value a row is needed, not {column.ndim} dimensions.")
    if column.dtype.kind in "biuf":
        return column
    listed_values = values.to_list() if hasattr(values, "to_list") else column.tolist()
    found = np.empty(len(column), dtype=object)
    found[:] = listed_values
    return found


def _sortable(actual: NDArray[Any]) -> NDArray[Any]:
    """Classes as a plain array: sorting is then scikit-learn's own order."""
    return np.array(actual.tolist()) if actual.dtype.kind == "O" else actual


def _weights(given: ArrayLike | None, rows: int) -> Numbers:
    if given is None:
        return np.ones(rows)
    weights = np.asarray(given, dtype=np.float64)
    if weights.shape != (rows,) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise InputError(f"Weights are {rows:,} finite numbers, one a row, and none below 0.")
    return weights
