"""Naive Bayes for numeric and categorical columns, as an estimator for scikit-learn.

scikit-learn is an optional dependency: import this module only where the classifier is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tradeoff.errors import extra_required

with extra_required("Naive Bayes"):
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.validation import check_is_fitted, validate_data

Numbers = NDArray[np.float64]

MIN_RELATIVE_VARIANCE = 1e-9
"""Smallest variance within a class, relative to the variance of the column."""


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes with normal distributions for numbers and relative frequencies for categories.

    Category counts start at 1 (Laplace smoothing), so that a category that never occurs in a class
    does not rule that class out. Missing values (NaN) are ignored in training and prediction.

    Args:
        categories: Number of categories of each categorical column, by column index from 0; their
            codes are integers from 0. All other columns are numeric.

    Attributes:
        classes_: The classes in ascending order, as in the columns of `predict_proba`.

    Example:
        >>> rows = [[0, 30.0], [0, 31.0], [1, 12.0], [1, np.nan]]
        >>> model = NaiveBayes({0: 2}).fit(rows, ["yes", "yes", "no", "no"])
        >>> model.predict([[0, np.nan], [1, 12.0]]).tolist()
        ['yes', 'no']
    """

    def __init__(self, categories: Mapping[int, int] | None = None) -> None:
        self.categories = categories

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> NaiveBayes:  # noqa: N803 - scikit-learn passes these by name
        """Fit the model to rows, their classes and, optionally, their weights."""
        from sklearn.utils.multiclass import check_classification_targets
        from sklearn.utils.validation import _check_sample_weight

        rows, actual = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(actual)
        weights = _check_sample_weight(
            sample_weight, rows, dtype=np.float64, ensure_non_negative=True
        )
        self.classes_, codes = np.unique(actual, return_inverse=True)
        class_weights = np.zeros((len(rows), len(self.classes_)))
        class_weights[np.arange(len(rows)), codes] = weights
        with np.errstate(divide="ignore"):
            self.class_log_prior_ = np.log(class_weights.sum(axis=0) / class_weights.sum())
        sizes = self.categories or {}
        self.numeric_columns_ = [index for index in range(rows.shape[1]) if index not in sizes]
        self._fit_normals(rows[:, self.numeric_columns_], class_weights)
        self.log_frequencies_ = {
            index: _log_frequencies(rows[:, index], class_weights, size)
            for index, size in sizes.items()
        }
        return self

    def _fit_normals(self, columns: Numbers, class_weights: Numbers) -> None:
        is_present = ~np.isnan(columns)
        # Without centring, squares of large values would lose the digits in which they differ.
        self.centre_ = np.where(
            is_present.any(axis=0), np.nanmean(_fill_empty_columns(columns), axis=0), 0.0
        )
        values = np.where(is_present, columns - self.centre_, 0.0)
        weight_by_class = class_weights.T @ is_present
        total_weight = class_weights.sum(axis=1) @ is_present
        sums, squares = class_weights.T @ values, class_weights.T @ values**2
        mean, mean_square = (
            _ratio(sums.sum(axis=0), total_weight),
            _ratio(squares.sum(axis=0), total_weight),
        )
        variance = mean_square - mean**2
        # A class without values gets the mean and variance of all rows.
        self.means_ = np.where(weight_by_class > 0, _ratio(sums, weight_by_class), mean)
        class_variance = _ratio(squares, weight_by_class) - _ratio(sums, weight_by_class) ** 2
        min_variance = np.where(variance > 0, MIN_RELATIVE_VARIANCE * variance, 1.0)
        self.variances_ = np.maximum(
            np.where(weight_by_class > 0, class_variance, variance), min_variance
        )

    def predict_log_proba(self, X: Any) -> Numbers:  # noqa: N803
        """Logarithm of the probability of each class (columns) for each row."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        log_probabilities = np.tile(self.class_log_prior_, (len(rows), 1))
        columns = rows[:, self.numeric_columns_] - self.centre_
        is_present = ~np.isnan(columns)
        values = np.where(is_present, columns, 0.0)
        for index, (means, variances) in enumerate(zip(self.means_, self.variances_, strict=True)):
            minus_twice_log_density = (values - means) ** 2 / variances + np.log(
                2 * np.pi * variances
            )
            log_probabilities[:, index] -= 0.5 * np.sum(
                minus_twice_log_density, axis=1, where=is_present
            )
        for index, log_frequencies in self.log_frequencies_.items():
            has_category = _has_category(rows[:, index], log_frequencies.shape[1])
            log_probabilities[has_category] += log_frequencies[
                :, rows[has_category, index].astype(np.intp)
            ].T
        max_log_probability = log_probabilities.max(axis=1, keepdims=True)
        return np.asarray(
            log_probabilities
            - max_log_probability
            - np.log(np.exp(log_probabilities - max_log_probability).sum(1, keepdims=True))
        )

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The probability of each class (columns, in the order of `classes_`) for each row."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The most probable class of each row; the first one in case of ties."""
        indices = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[indices])

    def __sklearn_tags__(self) -> Any:
        """scikit-learn tags: missing values are allowed."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _log_frequencies(column: Numbers, class_weights: Numbers, size: int) -> Numbers:
    """Log relative frequency of each category in each class, with counts that start at 1."""
    has_category = _has_category(column, size)
    codes = column[has_category].astype(np.intp)
    counts = 1 + np.array(
        [
            np.bincount(codes, column_weights, size)
            for column_weights in class_weights[has_category].T
        ]
    )
    return np.asarray(np.log(counts / counts.sum(axis=1, keepdims=True)))


def _has_category(column: Numbers, size: int) -> NDArray[np.bool_]:
    """Mask of rows with a valid category code; NaN fails both comparisons."""
    return np.asarray((column >= 0) & (column < size))


def _ratio(numerator: Numbers, denominator: Numbers) -> Numbers:
    """Ratio of two arrays, 0 where the denominator is 0."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _fill_empty_columns(columns: Numbers) -> Numbers:
    """The columns, with zeros in empty ones, whose mean would raise a warning."""
    return np.where(np.isnan(columns).all(axis=0), 0.0, columns)
