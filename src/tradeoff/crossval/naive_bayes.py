"""Naive Bayes for columns of both kinds, numbers and categories, as an estimator for scikit-learn.

scikit-learn is an extra: import this module only where the classifier is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

Numbers = NDArray[np.float64]

NARROWEST = 1e-9
"""The least variance of a class, as a share of the column's own: no value is ever certain."""


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes with normal distributions for numbers and counted shares for categories.

    Every count of a category starts at 1 (Laplace), so that one that a class never had does not
    rule it out. Missing values (NaN) tell nothing, in learning and in predicting.

    Args:
        categories: How many categories a column has, by its place from 0; their codes are whole
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
        known = ~np.isnan(columns)
        # Far from 0, squares would lose the digits that tell values apart.
        self.centre_ = np.where(known.any(axis=0), np.nanmean(_any(columns), axis=0), 0.0)
        values = np.where(known, columns - self.centre_, 0.0)
        size = member.T @ known
        whole = member.sum(axis=1) @ known
        total, squares = member.T @ values, member.T @ values**2
        mean, mean_square = _share(total.sum(axis=0), whole), _share(squares.sum(axis=0), whole)
        variance = mean_square - mean**2
        # A class without values is taken to be like all rows.
        self.means_ = np.where(size > 0, _share(total, size), mean)
        own = _share(squares, size) - _share(total, size) ** 2
        least = np.where(variance > 0, NARROWEST * variance, 1.0)
        self.variances_ = np.maximum(np.where(size > 0, own, variance), least)

    def predict_log_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The logarithm of the probability of each class for each row."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        found = np.tile(self.class_log_prior_, (len(rows), 1))
        columns = rows[:, self.numbers_] - self.centre_
        known = ~np.isnan(columns)
        values = np.where(known, columns, 0.0)
        for at, (means, variances) in enumerate(zip(self.means_, self.variances_, strict=True)):
            far = (values - means) ** 2 / variances + np.log(2 * np.pi * variances)
            found[:, at] -= 0.5 * np.sum(far, axis=1, where=known)
        for at, shares in self.log_shares_.items():
            held = _held(rows[:, at], shares.shape[1])
            found[held] += shares[:, rows[held, at].astype(np.intp)].T
        highest = found.max(axis=1, keepdims=True)
        return np.asarray(found - highest - np.log(np.exp(found - highest).sum(1, keepdims=True)))

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The probability of each class (a column each, as in `classes_`) for each row."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The most probable class of each row; of equally probable ones the first."""
        most = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most])

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may hand to this classifier."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _log_shares(column: Numbers, member: Numbers, size: int) -> Numbers:
    """The logarithm of the share of each category in each class, every count starting at 1."""
    held = _held(column, size)
    codes = column[held].astype(np.intp)
    counts = 1 + np.array([np.bincount(codes, own, size) for own in member[held].T])
    return np.asarray(np.log(counts / counts.sum(axis=1, keepdims=True)))


def _held(column: Numbers, size: int) -> NDArray[np.bool_]:
    """Rows whose category is known; NaN compares as neither."""
    return np.asarray((column >= 0) & (column < size))


def _share(part: Numbers, whole: Numbers) -> Numbers:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _any(columns: Numbers) -> Numbers:
    """Columns of which each has a value: a mean of none would warn."""
    return np.where(np.isnan(columns).all(axis=0), 0.0, columns)
