"""Naive Bayes with the estimates of Weka 3.6, as an estimator for scikit-learn.

scikit-learn is an extra: import this module only where the classifier is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tradeoff.crossval.weka_columns import (
    Column,
    LabelledRows,
    NominalValues,
    Numbers,
    WekaClassifier,
    columns_to_predict,
    is_numeric,
    missing,
    numbers,
)
from tradeoff.errors import extra_required

with extra_required("Naive Bayes"):
    from sklearn.utils.validation import check_is_fitted

LEAST_LIKELIHOOD = 1e-75
"""Least likelihood of a single value in a class; products are kept above it."""
RESCALE = 1e75
"""Factor by which the products of a row are multiplied when they become too small."""
DEFAULT_PRECISION = 0.01
"""Precision of a column in which all values are equal."""
NEGLIGIBLE_DEVIATION = 1e-10
"""Standard deviations up to this are replaced by the least one."""


@dataclass(frozen=True, eq=False)
class NominalColumn:
    """Relative frequency of each value in each class, every count starting at 1 (Laplace)."""

    values: NominalValues
    shares: Numbers  # a row for each class, a column for each value

    def likelihood(self, column: NDArray[Any]) -> Numbers:
        """The probability of each row's value in each class; NaN where it is missing."""
        probabilities = np.full((len(column), len(self.shares)), np.nan)
        codes = self.values.codes(column)
        probabilities[codes >= 0] = self.shares[:, codes[codes >= 0]].T
        return probabilities


@dataclass(frozen=True, eq=False)
class NumericColumn:
    """A normal distribution for each class, over values rounded to a precision."""

    name: str
    precision: float
    means: Numbers
    deviations: Numbers

    def likelihood(self, column: NDArray[Any]) -> Numbers:
        """The probability of the interval that each row's value is rounded to, in each class."""
        from scipy.special import ndtr

        probabilities = np.full((len(column), len(self.means)), np.nan)
        present = ~missing(column)
        values = _rounded(numbers(self.name, column[present]), self.precision)
        from_mean = values[:, None] - self.means
        half = self.precision / 2
        probabilities[present] = ndtr((from_mean + half) / self.deviations) - ndtr(
            (from_mean - half) / self.deviations
        )
        return probabilities


class WekaNaiveBayes(WekaClassifier):
    """Naive Bayes as `weka.classifiers.bayes.NaiveBayes` of Weka 3.6 estimates it by default.

    It reproduces results obtained with Weka; for anything else, scikit-learn's classifiers are the
    better choice. What Weka does:

    - A nominal column (texts, booleans, categories): the share of each value in each class, with
      1 added to every count. The values are those declared, seen or not.
    - A numeric column: a normal distribution in each class. Values are rounded to a precision, the
      mean distance between neighbouring distinct values; a standard deviation is at least a sixth
      of it (John and Langley 1995, "Estimating continuous distributions in Bayesian classifiers").
    - The share of each class also starts at a count of 1. Weights count as so many rows.
    - Missing values (None, NaN) are skipped, in learning and in predicting; rows without a class
      are not learned from.

    Args:
        values: The values of nominal columns, by the column's name (or its index from 0 in an
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

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> WekaNaiveBayes:  # noqa: N803 - scikit-learn passes these by name
        """Learn from rows, their classes and, if there are any, their weights."""
        rows = LabelledRows.of(X, y, sample_weight)
        self.classes_ = rows.classes
        self.n_features_in_ = len(rows.columns)
        weights = rows.weights[rows.has_class]
        counts = 1 + np.bincount(rows.codes, weights, len(self.classes_))
        self.class_prior_ = counts / counts.sum()
        learner = _Learner(rows.codes, weights, len(self.classes_))
        declared = self.values or {}
        self.columns_ = [
            learner.learn(Column(name, column[rows.has_class], declared.get(name, values)))
            for name, column, values in rows.columns
        ]
        return self

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The probability of each class (a column each, as in `classes_`) for each row."""
        check_is_fitted(self)
        columns = columns_to_predict(X, self.n_features_in_)
        rows = len(columns[0].values) if columns else 0
        probabilities = np.tile(self.class_prior_, (rows, 1))
        for learned, column in zip(self.columns_, columns, strict=True):
            if learned is not None:
                _multiply(probabilities, learned.likelihood(column.values))
        return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class _Learner:
    """The rows' classes and weights, with which every column is learned."""

    codes: NDArray[np.intp]
    weights: Numbers
    classes: int

    def learn(self, column: Column) -> NominalColumn | NumericColumn | None:
        if column.declared is None and missing(column.values).all():
            return None  # it would be the same for every class
        return self._numeric(column) if is_numeric(column) else self._nominal(column)

    def _nominal(self, column: Column) -> NominalColumn:
        values = NominalValues.of(column)
        value_codes = values.codes(column.values)
        present = value_codes >= 0
        counts = np.ones((self.classes, len(values.places)))
        np.add.at(counts, (self.codes[present], value_codes[present]), self.weights[present])
        return NominalColumn(values, counts / counts.sum(axis=1, keepdims=True))

    def _numeric(self, column: Column) -> NumericColumn:
        present = ~missing(column.values)
        values = numbers(column.name, column.values[present])
        precision = _precision(values)
        values = _rounded(values, precision)
        codes, weights = self.codes[present], self.weights[present]

        def total(amounts: Numbers) -> Numbers:
            return np.bincount(codes, amounts, self.classes).astype(np.float64)

        sums, weight = total(values * weights), total(weights)
        # A class without values stays where Weka starts: a narrow distribution around 0.
        divisor = np.where(weight > 0, weight, 1.0)
        means = sums / divisor
        deviations = np.sqrt(np.abs(total(values * values * weights) - means * sums) / divisor)
        narrowest = precision / 6
        deviations = np.where(
            deviations > NEGLIGIBLE_DEVIATION, np.maximum(narrowest, deviations), narrowest
        )
        return NumericColumn(column.name, precision, means, deviations)


def _precision(values: Numbers) -> float:
    """The mean distance between neighbouring distinct values."""
    distinct = np.unique(values)
    if len(distinct) < 2:
        return DEFAULT_PRECISION
    # The same sum as Weka's, one distance after the other, to its last digit.
    return float(np.cumsum(np.diff(distinct))[-1] / (len(distinct) - 1))


def _rounded(values: Numbers, precision: float) -> Numbers:
    return np.asarray(np.rint(values / precision) * precision)


def _multiply(probabilities: Numbers, likelihood: Numbers) -> None:
    """Multiply probabilities in place, and rescale a row before all of them underflow."""
    present = ~np.isnan(likelihood[:, 0])
    products = probabilities[present] * np.maximum(LEAST_LIKELIHOOD, likelihood[present])
    products[products.max(axis=1, initial=0.0) < LEAST_LIKELIHOOD] *= RESCALE
    probabilities[present] = products
