"""Decision trees as Weka 3.6's J48 makes them, as an estimator for scikit-learn.

scikit-learn is an extra: import this module only where the classifier is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tradeoff.crossval.c45 import Examples, Part, class_shares, collapsed, grown, pruned
from tradeoff.crossval.weka_columns import (
    Column,
    LabelledRows,
    NominalValues,
    Numbers,
    columns_to_predict,
    is_numeric,
    missing,
    numbers,
)


class WekaJ48(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The C4.5 tree that `weka.classifiers.trees.J48` of Weka 3.6 learns by default.

    Made to repeat results that were obtained with Weka; where there is nothing to repeat,
    scikit-learn's own classifiers are the better choice. What Weka does (`-C 0.25 -M 2`):

    - A nominal column (texts, booleans, categories) has a branch for each value, declared or seen;
      a numeric one is cut in two. The split of the highest gain ratio is taken among those that
      gain at least the average. A cut pays for having been chosen among many.
    - At least two branches have a weight of 2 or more; a cut leaves more on either side where
      there are many rows.
    - A row with a missing value goes into every branch, by the share of the other rows there, in
      learning and in predicting.
    - A subtree becomes a leaf, or its largest branch takes its place, where that is estimated to
      err no more: each leaf's error rate is taken at the upper end of a one-sided interval of
      75 %.
    - Probabilities are the shares of the classes at the leaf; a leaf that no row reached has those
      of the node above it.

    Weights count as so many rows, but for the few rules of Weka that go by the number of rows.
    Rows without a class are not learned from; a cut may still lie at one of their values, as in
    Weka. A class that Weka's file declares and no row has is not known here, and then cuts may
    leave other numbers of rows than Weka's.

    Args:
        values: The values of nominal columns, by the column's name (or its place from 0 in an
            array), as the header of an ARFF file declares them. The categories of a dataframe
            column are taken as declared. A value that is not declared is then an error. Of other
            columns the values are those learned from, and any other value is taken as missing.

    Attributes:
        classes_: The classes, in rising order: the columns of `predict_proba`.
        tree_: The tree, a `tradeoff.crossval.c45.Node`.

    Example:
        >>> rows = [["sunny", 30], ["sunny", 31], ["rainy", 12], ["rainy", 14]]
        >>> model = WekaJ48().fit(rows, ["yes", "yes", "no", "no"])
        >>> model.predict([["rainy", 30]]).tolist(), model.tree_.leaves
        (['no'], 2)
    """

    def __init__(self, values: Mapping[Any, Sequence[Any]] | None = None) -> None:
        self.values = values

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> WekaJ48:  # noqa: N803 - scikit-learn passes these by name
        """Learn from rows, their classes and, if there are any, their weights."""
        rows = LabelledRows.of(X, y, sample_weight)
        declared = self.values or {}
        columns = [
            Column(name, column, declared.get(name, values))
            for name, column, values in rows.columns
        ]
        self.classes_ = rows.classes
        self.n_features_in_ = len(columns)
        self.columns_ = [
            _kind(Column(name, column[rows.has_class], values)) for name, column, values in columns
        ]
        table = self._matrix(columns, len(rows.weights))
        sizes = tuple(
            len(kind.places) if isinstance(kind, NominalValues) else 0 for kind in self.columns_
        )
        examples = Examples(table[rows.has_class], sizes, rows.codes, len(self.classes_), table)
        part = Part(np.arange(len(rows.codes)), rows.weights[rows.has_class])
        self.tree_ = pruned(collapsed(grown(examples, part)), examples)
        return self

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The probability of each class (a column each, as in `classes_`) for each row."""
        check_is_fitted(self)
        columns = columns_to_predict(X, self.n_features_in_)
        rows = len(columns[0].values) if columns else 0
        return class_shares(self.tree_, self._matrix(columns, rows))

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

    def _matrix(self, columns: list[Column], rows: int) -> Numbers:
        """Numbers and the places of values, NaN where they are missing or were never learned."""
        matrix = np.full((rows, len(columns)), np.nan)
        for at, (kind, column) in enumerate(zip(self.columns_, columns, strict=True)):
            if isinstance(kind, NominalValues):
                codes = kind.codes(column.values)
                matrix[codes >= 0, at] = codes[codes >= 0]
            elif kind == "numeric":
                known = ~missing(column.values)
                matrix[known, at] = numbers(column.name, column.values[known])
        return matrix


def _kind(column: Column) -> NominalValues | str:
    """The values of a nominal column; "numeric", or "empty" where no row has a value."""
    if column.declared is None and missing(column.values).all():
        return "empty"
    return "numeric" if is_numeric(column) else NominalValues.of(column)
