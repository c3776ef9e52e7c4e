"""Naive Bayes for numeric and categorical columns, as an estimator for scikit-learn.

scikit-learn is an extra: import this module only where the classifier is used.
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

LEAST_VARIANCE_SHARE = 1e-9
"""Least variance within a class, as a share of the column's variance: no value is certain."""


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes with normal distributions for numbers and relative frequencies for categories.

    Every count of a category starts at 1 (Laplace), so that a category that never occurs in a class
    does not rule it out. Missing values (NaN) are ignored in learning and in predicting.

    Args:
        categories: Number of categories of a column, by its index from 0; their codes are whole
            numbers from 0. Columns that are not named here hold numbers.

    Attributes:
        classes_: The classes, in rising order: the columns of `predict_proba`.

    Example:
        >>> rows = [[0, 30.0], [0, 31.0], [1, 12.0], [1, np.nan]]
        >>> model = NaiveBayes({0: 2}).fit(rows, ["yes", "yes", "no", "no"])
        >>> model.predict([[0, np.nan], [1, 12.0]]).tolist()
        ['yes', 'no']
    """

    def __init__(self, categories: Mapping[int, int] | None = None) -> None:
        self.categories = categories

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> NaiveBayes:  # noqa: N803 - scikit-learn passes these by name
        """Learn from rows, their classes and, if there are any, their weights."""
        from sklearn.utils.multiclass import check_classification_targets
        from sklearn.utils.validation import _check_sample_weight

        rows, actual = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(actual)
        weights = _check_sample_weight(
            sample_weight, rows, dtype=np.float64, ensure_non_negative=True
        )
        self.classes_, codes = np.unique(actual, return_inverse=True)
        member = np.zeros((len(rows), len(self.classes_)))
        member[np.arange(len(rows)), codes] = weights
        with np.errstate(divide="ignore"):
            self.class_log_prior_ = np.log(member.sum(axis=0) / member.sum())
        sizes = self.categories or {}
        self.numbers_ = [at for at in range(rows.shape[1]) if at not in sizes]
        self._learn_numbers(rows[:, self.numbers_], member)
        self.log_shares_ = {at: _log_shares(rows[:, at], member, sizes[at]) for at in sizes}
        return self

    def _learn_numbers(self, columns: Numbers, member: Numbers) -> None:
        present = ~np.isnan(columns)
        # Far from 0, squares would lose the digits in which values differ.
        self.centre_ = np.where(
            present.any(axis=0), np.nanmean(_without_empty(columns), axis=0), 0.0
        )
        values = np.where(present, columns - self.centre_, 0.0)
        class_weight = member.T @ present
        total_weight = member.sum(axis=1) @ present
        sums, squares = member.T @ values, member.T @ values**2
        mean, mean_square = (
            _share(sums.sum(axis=0), total_weight),
            _share(squares.sum(axis=0), total_weight),
        )
        variance = mean_square - mean**2
        # A class without values is treated like all rows.
        self.means_ = np.where(class_weight > 0, _share(sums, class_weight), mean)
        class_variance = _share(squares, class_weight) - _share(sums, class_weight) ** 2
        least_variance = np.where(variance > 0, LEAST_VARIANCE_SHARE * variance, 1.0)
        self.variances_ = np.maximum(
            np.where(class_weight > 0, class_variance, variance), least_variance
        )

    def predict_log_proba(self, X: Any) -> Numbers:  # noqa: N803
        """Logarithm of the probability of each class for each row."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        log_probabilities = np.tile(self.class_log_prior_, (len(rows), 1))
        columns = rows[:, self.numbers_] - self.centre_
        present = ~np.isnan(columns)
        values = np.where(present, columns, 0.0)
        for index, (means, variances) in enumerate(zip(self.means_, self.variances_, strict=True)):
            log_density_terms = (values - means) ** 2 / variances + np.log(2 * np.pi * variances)
            log_probabilities[:, index] -= 0.5 * np.sum(log_density_terms, axis=1, where=present)
        for index, shares in self.log_shares_.items():
            has_category = _has_category(rows[:, index], shares.shape[1])
            log_probabilities[has_category] += shares[
                :, rows[has_category, index].astype(np.intp)
            ].T
        highest = log_probabilities.max(axis=1, keepdims=True)
        return np.asarray(
            log_probabilities
            - highest
            - np.log(np.exp(log_probabilities - highest).sum(1, keepdims=True))
        )

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The probability of each class (a column each, as in `classes_`) for each row."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The most probable class of each row; of equally probable ones the first."""
        most = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most])

    def __sklearn_tags__(self) -> Any:
        """Tags for scikit-learn: missing values are allowed."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _log_shares(column: Numbers, member: Numbers, size: int) -> Numbers:
    """Logarithm of the share of each category in each class, every count starting at 1."""
    has_category = _has_category(column, size)
    codes = column[has_category].astype(np.intp)
    counts = 1 + np.array(
        [np.bincount(codes, class_weights, size) for class_weights in member[has_category].T]
    )
    return np.asarray(np.log(counts / counts.sum(axis=1, keepdims=True)))


def _has_category(column: Numbers, size: int) -> NDArray[np.bool_]:
    """Mask of rows that have a category; NaN is neither above nor below."""
    return np.asarray((column >= 0) & (column < size))


def _share(part: Numbers, whole: Numbers) -> Numbers:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _without_empty(columns: Numbers) -> Numbers:
    """Columns with zeros where all values are missing: a mean of none would warn."""
    return np.where(np.isnan(columns).all(axis=0), 0.0, columns)
