"""Naive Bayes with the same estimates as Weka 3.6, as an estimator for scikit-learn.

scikit-learn is an optional dependency: import this module only where the classifier is used.
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
    weka_missing_mask,
    weka_numeric_values,
)
from tradeoff.errors import extra_required

with extra_required("Naive Bayes"):
    from sklearn.utils.validation import check_is_fitted

MIN_LIKELIHOOD = 1e-75
"""Lower limit of the likelihood of a value in a class; smaller products are rescaled."""
RESCALING_FACTOR = 1e75
"""Factor that multiplies the products of a row when they become too small."""
DEFAULT_PRECISION = 0.01
"""Precision of a column whose values are all equal."""
MAX_NEGLIGIBLE_DEVIATION = 1e-10
"""Standard deviations up to this are replaced by the smallest one allowed."""


@dataclass(frozen=True, eq=False)
class NominalColumn:
    """Weka's relative frequency of each value in each class, with Laplace smoothing."""

    values: NominalValues
    frequencies: Numbers  # one row per class, one column per value

    def likelihood(self, column: NDArray[Any]) -> Numbers:
        """Probability of each row's value in each class; NaN for missing values."""
        probabilities = np.full((len(column), len(self.frequencies)), np.nan)
        codes = self.values.codes(column)
        probabilities[codes >= 0] = self.frequencies[:, codes[codes >= 0]].T
        return probabilities


@dataclass(frozen=True, eq=False)
class NumericColumn:
    """Weka's normal distribution in each class, for values rounded to a precision."""

    name: str
    precision: float
    means: Numbers
    standard_deviations: Numbers

    def likelihood(self, column: NDArray[Any]) -> Numbers:
        """Probability, in each class, of the rounding interval of each row's value."""
        from scipy.special import ndtr

        probabilities = np.full((len(column), len(self.means)), np.nan)
        is_present = ~weka_missing_mask(column)
        values = _round_to_precision(
            weka_numeric_values(self.name, column[is_present]), self.precision
        )
        distances_from_mean = values[:, None] - self.means
        half_width = self.precision / 2
        probabilities[is_present] = ndtr(
            (distances_from_mean + half_width) / self.standard_deviations
        ) - ndtr((distances_from_mean - half_width) / self.standard_deviations)
        return probabilities


class WekaNaiveBayes(WekaClassifier):
    """Naive Bayes as estimated by `weka.classifiers.bayes.NaiveBayes` of Weka 3.6 by default.

    It reproduces results obtained with Weka; for anything else, scikit-learn's classifiers are the
    better choice. What Weka does:

    - A nominal column (strings, booleans, categories): the relative frequency of each value in each
      class, with 1 added to every count. Declared values count even if they do not occur.
    - A numeric column: a normal distribution in each class. Values are rounded to a precision, the
      mean distance between adjacent distinct values; each standard deviation is at least a sixth
      of it (John and Langley 1995, "Estimating continuous distributions in Bayesian classifiers").
    - Class counts also start at 1. A row of weight w counts as w rows.
    - Missing values (None, NaN) are skipped in training and prediction; rows without a class are
      ignored in training.

    Args:
        values: Declared values of nominal columns, by column name (for an array, by index from 0),
            as in the header of an ARFF file. The categories of a dataframe column count as
            declared. A value that is not declared is then an error. In other nominal columns, a
            value that did not occur in training is skipped like a missing one.

    Attributes:
        classes_: The classes in ascending order, as in the columns of `predict_proba`.

    Example:
        >>> rows = np.array([["sunny", 30], ["sunny", 31], ["rainy", 12]], dtype=object)
        >>> model = WekaNaiveBayes().fit(rows, ["yes", "yes", "no"])
        >>> model.predict(rows).tolist()
        ['yes', 'yes', 'no']
    """

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> WekaNaiveBayes:  # noqa: N803 - scikit-learn passes these by name
        """Fit the model to rows, their classes and, optionally, their weights."""
        rows = LabelledRows.from_arrays(X, y, sample_weight)
        self.classes_ = rows.classes
        self.n_features_in_ = len(rows.columns)
        weights = rows.weights[rows.has_class]
        counts = 1 + np.bincount(rows.codes, weights, len(self.classes_))
        self.class_prior_ = counts / counts.sum()
        fitter = _ColumnFitter(rows.codes, weights, len(self.classes_))
        declared = self.values or {}
        self.columns_ = [
            fitter.fit(Column(name, column[rows.has_class], declared.get(name, values)))
            for name, column, values in rows.columns
        ]
        return self

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The probability of each class (columns, in the order of `classes_`) for each row."""
        check_is_fitted(self)
        columns = columns_to_predict(X, self.n_features_in_)
        rows = len(columns[0].values) if columns else 0
        probabilities = np.tile(self.class_prior_, (rows, 1))
        for fitted_column, column in zip(self.columns_, columns, strict=True):
            if fitted_column is not None:
                _multiply(probabilities, fitted_column.likelihood(column.values))
        return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class _ColumnFitter:
    """Fits the distributions of each column, given the classes and weights of the rows."""

    codes: NDArray[np.intp]
    weights: Numbers
    class_count: int

    def fit(self, column: Column) -> NominalColumn | NumericColumn | None:
        if column.declared_values is None and weka_missing_mask(column.values).all():
            return None  # without values, a column does not discriminate between classes
        return self._fit_numeric(column) if is_numeric(column) else self._fit_nominal(column)

    def _fit_nominal(self, column: Column) -> NominalColumn:
        values = NominalValues.from_column(column)
        value_codes = values.codes(column.values)
        is_present = value_codes >= 0
        counts = np.ones((self.class_count, len(values.codes_by_value)))
        np.add.at(
            counts, (self.codes[is_present], value_codes[is_present]), self.weights[is_present]
        )
        return NominalColumn(values, counts / counts.sum(axis=1, keepdims=True))

    def _fit_numeric(self, column: Column) -> NumericColumn:
        is_present = ~weka_missing_mask(column.values)
        values = weka_numeric_values(column.name, column.values[is_present])
        precision = _precision(values)
        values = _round_to_precision(values, precision)
        codes, weights = self.codes[is_present], self.weights[is_present]

        def class_sums(amounts: Numbers) -> Numbers:
            return np.bincount(codes, amounts, self.class_count).astype(np.float64)

        sums, weight = class_sums(values * weights), class_sums(weights)
        # A class without values keeps Weka's initial estimate: a narrow distribution around 0.
        divisor = np.where(weight > 0, weight, 1.0)
        means = sums / divisor
        standard_deviations = np.sqrt(
            np.abs(class_sums(values * values * weights) - means * sums) / divisor
        )
        min_standard_deviation = precision / 6
        standard_deviations = np.where(
            standard_deviations > MAX_NEGLIGIBLE_DEVIATION,
            np.maximum(min_standard_deviation, standard_deviations),
            min_standard_deviation,
        )
        return NumericColumn(column.name, precision, means, standard_deviations)


def _precision(values: Numbers) -> float:
    """The mean distance between adjacent distinct values."""
    distinct = np.unique(values)
    if len(distinct) < 2:
        return DEFAULT_PRECISION
    # Distances are summed one after the other, which equals Weka's sum to the last digit.
    return float(np.cumsum(np.diff(distinct))[-1] / (len(distinct) - 1))


def _round_to_precision(values: Numbers, precision: float) -> Numbers:
    return np.asarray(np.rint(values / precision) * precision)


def _multiply(probabilities: Numbers, likelihood: Numbers) -> None:
    """Multiply probabilities in place, rescaling a row before all its products underflow."""
    is_present = ~np.isnan(likelihood[:, 0])
    products = probabilities[is_present] * np.maximum(MIN_LIKELIHOOD, likelihood[is_present])
    products[products.max(axis=1, initial=0.0) < MIN_LIKELIHOOD] *= RESCALING_FACTOR
    probabilities[is_present] = products
