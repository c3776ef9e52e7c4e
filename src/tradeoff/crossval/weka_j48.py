"""C4.5 decision trees identical to those of Weka 3.6's J48, as an estimator for scikit-learn.

Highest gain ratio among splits with at least the mean gain: Quinlan (1993), "C4.5: Programs for
Machine Learning", chapter 2; missing values in chapter 3. The penalty for choosing a cut: Quinlan
(1996), "Improved use of continuous attributes in C4.5", Journal of Artificial Intelligence
Research 4. Tolerances and bounds on cuts are those of Weka.

scikit-learn is an optional dependency: import this module only where the classifier is used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any, NamedTuple

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

with extra_required("J48"):
    from sklearn.utils.validation import check_is_fitted

Indices = NDArray[np.intp]

MIN_LEAF_WEIGHT = 2
"""At least two branches must have at least this weight."""
TOLERANCE = 1e-6
"""Weights, gains and errors that differ by less are treated as equal."""
MIN_GAP = 1e-5
"""Smallest distance between two values that can have a cut between them."""
GAIN_TOLERANCE = 1e-3
"""Splits with a gain at most this far below the mean are still considered."""
MANY_VALUES_PER_ROW = 0.3
"""Columns with at least this many values per row are excluded from the mean gain."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Training rows of a C4.5 tree.

    `matrix` has a column for each attribute: numbers or codes of values, NaN if missing. `sizes`
    holds the number of values of each nominal column, and 0 for numeric ones. `all_rows` also
    contains rows without a class: a cut may lie at a value of any row.
    """

    matrix: Numbers
    sizes: tuple[int, ...]
    class_codes: Indices
    class_count: int
    all_rows: Numbers

    def class_weights(self, node_rows: NodeRows) -> Numbers:
        """The weight of each class among the rows of a node."""
        return _weight_sums(
            self.class_codes[node_rows.indices], node_rows.weights, self.class_count
        )


class NodeRows(NamedTuple):
    """Rows of a tree node, by their indices, each with its weight in this node.

    A row with a missing value goes into several branches, with a fraction of its weight in each.
    """

    indices: Indices
    weights: Numbers


@dataclass(frozen=True, eq=False)
class Split:
    """A split of a tree node on one column: by its values, or by whether they exceed a cut."""

    column: int
    branch_count: int
    cut: float | None
    gain: float
    gain_ratio: float

    def find_branches(self, values: Numbers) -> Indices:
        """The branch of each value, -1 if it is missing."""
        missing = np.isnan(values)
        if self.cut is None:
            return np.where(missing, -1, values).astype(np.intp)
        is_above = values - self.cut > TOLERANCE
        return np.where(missing, -1, is_above).astype(np.intp)

    def class_weights(self, examples: Examples, node_rows: NodeRows) -> Numbers:
        """The weight of each class (columns) in each branch (rows).

        Rows with a missing value are distributed in proportion to the other rows.
        """
        branches = self.find_branches(examples.matrix[node_rows.indices, self.column])
        is_present = branches >= 0
        counts = _branch_class_weights(
            branches[is_present],
            examples.class_codes[node_rows.indices[is_present]],
            node_rows.weights[is_present],
            (self.branch_count, examples.class_count),
        )
        if is_present.all():
            return counts
        missing = examples.class_weights(
            NodeRows(node_rows.indices[~is_present], node_rows.weights[~is_present])
        )
        return np.asarray(counts + np.outer(_branch_proportions(counts), missing))

    def branch_rows(
        self, matrix: Numbers, node_rows: NodeRows, proportions: Numbers
    ) -> list[NodeRows]:
        """The rows of each branch; `proportions` splits the rows with a missing value."""
        branches = self.find_branches(matrix[node_rows.indices, self.column])
        missing = branches < 0
        branch_rows = []
        for branch, proportion in enumerate(proportions.tolist()):
            is_in_branch = branches == branch
            if proportion > TOLERANCE:
                is_in_branch |= missing
            weights = (
                np.where(missing[is_in_branch], proportion, 1.0) * node_rows.weights[is_in_branch]
            )
            branch_rows.append(NodeRows(node_rows.indices[is_in_branch], weights))
        return branch_rows


def _branch_proportions(counts: Numbers) -> Numbers:
    """The proportion of the weight in each branch; equal proportions if there is no weight."""
    totals = counts.sum(axis=1)
    if totals.sum() < TOLERANCE:
        return np.full(len(totals), 1 / len(totals))
    return np.asarray(totals / totals.sum())


def choose_split(examples: Examples, node_rows: NodeRows) -> Split | None:
    """Choose the best C4.5 split of the rows of a node; None if the node becomes a leaf."""
    class_weights = examples.class_weights(node_rows)
    weight = class_weights.sum()
    is_small = 2 * MIN_LEAF_WEIGHT - weight > TOLERANCE
    if is_small or weight - class_weights.max() < TOLERANCE:
        return None
    splits = [
        split
        for column in range(len(examples.sizes))
        if (split := _split_on_column(examples, node_rows, column)) is not None
    ]
    max_values = MANY_VALUES_PER_ROW * len(examples.all_rows) - TOLERANCE
    # If every column has many values, all of them count towards the mean.
    all_have_many = all(size >= max_values for size in examples.sizes)
    gains = [s.gain for s in splits if all_have_many or examples.sizes[s.column] < max_values]
    if not gains:
        return None
    min_gain = sum(gains) / len(gains) - GAIN_TOLERANCE
    best = None
    for split in splits:
        ratio = best.gain_ratio if best else 0.0
        if split.gain >= min_gain and split.gain_ratio > ratio + TOLERANCE:
            best = split
    return best and _cut_at_value(best, examples.all_rows)


def _split_on_column(examples: Examples, node_rows: NodeRows, column: int) -> Split | None:
    values = examples.matrix[node_rows.indices, column]
    is_present = ~np.isnan(values)
    class_codes = examples.class_codes[node_rows.indices]
    rows = _KnownValues(
        values[is_present],
        class_codes[is_present],
        node_rows.weights[is_present],
        examples.class_count,
        float(node_rows.weights.sum()),
    )
    size = examples.sizes[column]
    return rows.nominal_split(column, size) if size else rows.numeric_split(column)


@dataclass(frozen=True, eq=False)
class _KnownValues:
    """The values of one column that are not missing at a node."""

    values: Numbers
    class_codes: Indices
    weights: Numbers
    class_count: int
    weight: float  # of all rows, including those without a value

    def nominal_split(self, column: int, size: int) -> Split | None:
        shape = (size, self.class_count)
        counts = _branch_class_weights(
            self.values.astype(np.intp), self.class_codes, self.weights, shape
        )
        if (MIN_LEAF_WEIGHT - counts.sum(axis=1) < TOLERANCE).sum() < 2:
            return None
        gain = float(self._gains(counts[None])[0])
        return Split(column, size, None, gain, self._gain_ratio(counts, gain))

    def numeric_split(self, column: int) -> Split | None:
        # Each side needs a tenth of the average class weight, but at least 2 and at most 25.
        min_weight = min(max(0.1 * self.weights.sum() / self.class_count, MIN_LEAF_WEIGHT), 25.0)
        if 2 * min_weight - len(self.values) > TOLERANCE:
            return None
        order = np.argsort(self.values, kind="stable")
        values = self.values[order]
        last = np.flatnonzero(values[:-1] + MIN_GAP < values[1:])
        weight_below = np.zeros((len(order), self.class_count))
        weight_below[np.arange(len(order)), self.class_codes[order]] = self.weights[order]
        weight_below = np.cumsum(weight_below, axis=0)
        counts = np.stack([weight_below[last], weight_below[-1] - weight_below[last]], axis=1)
        is_allowed = (min_weight - counts.sum(axis=2) < TOLERANCE).all(axis=1)
        last, counts = last[is_allowed], counts[is_allowed]
        index = _first_best(gains := self._gains(counts), 0.0)
        if index is None:
            return None
        # Encoding the choice among the cuts costs log2(number of cuts) bits.
        gain = float(gains[index]) - math.log2(len(last)) / self.weight
        if gain < TOLERANCE:
            return None
        low, high = values[last[index] : last[index] + 2].tolist()
        middle = low / 2 + high / 2  # the sum could overflow
        cut = middle if middle < high else low
        return Split(column, 2, cut, gain, self._gain_ratio(counts[index], gain))

    def _gains(self, counts: Numbers) -> Numbers:
        """Information gain in bits per row of each candidate split (first axis)."""
        known_weight = self.weights.sum()
        bits_before = _bits(known_weight) - _bits(counts[:1].sum(axis=1)).sum()
        bits_after = (_bits(counts.sum(axis=2)) - _bits(counts).sum(axis=2)).sum(axis=1)
        gains = known_weight / self.weight * (bits_before - bits_after)
        return np.asarray(np.where(np.abs(gains) < TOLERANCE, 0.0, gains / known_weight))

    def _gain_ratio(self, counts: Numbers, gain: float) -> float:
        """The gain divided by the split information; missing values form their own branch."""
        branches = counts.sum(axis=1)
        missing = self.weight - branches.sum()
        bits = _bits(self.weight) - _bits(branches).sum() - _bits(missing)
        return 0.0 if abs(bits) < TOLERANCE else float(gain / (bits / self.weight))


def _branch_class_weights(
    branches: Indices, class_codes: Indices, weights: Numbers, shape: tuple[int, int]
) -> Numbers:
    cells = branches * shape[1] + class_codes
    return _weight_sums(cells, weights, shape[0] * shape[1]).reshape(shape)


def _weight_sums(cells: Indices, weights: Numbers, size: int) -> Numbers:
    return np.asarray(np.bincount(cells, weights, size), dtype=np.float64)


def _bits(weights: Numbers | float) -> Numbers:
    """The weights times their binary logarithms, 0 where there is no weight."""
    positive_weights = np.where(np.asarray(weights) < TOLERANCE, 1.0, weights)
    return np.asarray(positive_weights * np.log2(positive_weights))


def _first_best(candidates: Numbers, start: float) -> int | None:
    """Index of the largest value above `start`; the first one of those that are nearly equal.

    Each must exceed the best one before it by more than TOLERANCE, so that near ties, including
    values that differ only by rounding error, are broken as in Weka.
    """
    index, best = None, start
    while (is_better := candidates - best > TOLERANCE).any():
        index = int(is_better.argmax())
        best = float(candidates[index])
    return index


def _cut_at_value(split: Split, all_rows: Numbers) -> Split:
    """Move the cut of a split down to the nearest value that occurs in any row."""
    if split.cut is None:
        return split
    values = all_rows[:, split.column]
    values = values[values - split.cut < TOLERANCE]
    return replace(split, cut=float(values[_first_best(values, -np.inf)]))


# C4.5 trees: growing, collapsing, pruning by estimated errors, and class probabilities.
#
# Quinlan (1993), "C4.5: Programs for Machine Learning", chapters 3 and 4; Witten, Frank and Hall
# (2011), "Data Mining", 3rd edition, section 6.1.


CONFIDENCE_FACTOR = 0.25
"""A leaf's error rate is the upper limit of a one-sided interval with level 1 minus this."""
Z = NormalDist().inv_cdf(1 - CONFIDENCE_FACTOR)
PRUNING_TOLERANCE = 0.1
"""A subtree must save more estimated errors than this compared with a simpler one."""
COLLAPSE_TOLERANCE = 1e-3
"""A subtree that saves at most this many errors on its own rows becomes a leaf."""


@dataclass(frozen=True, eq=False)
class Node:
    """A node of a C4.5 tree: a leaf, or a split with a branch for each of its outcomes.

    `counts` holds the weight of each class (columns) in each branch (rows; a leaf has one row).
    """

    node_rows: NodeRows
    counts: Numbers
    split: Split | None = None
    branches: tuple[Node, ...] = ()

    @cached_property
    def class_weights(self) -> Numbers:
        """The weight of each class."""
        return np.asarray(self.counts.sum(axis=0))

    @cached_property
    def weight(self) -> float:
        """The weight of all rows."""
        return float(self.counts.sum())

    @property
    def leaf_count(self) -> int:
        """Number of leaves of the tree, including empty ones."""
        return sum(branch.leaf_count for branch in self.branches) if self.split else 1

    @property
    def node_count(self) -> int:
        """Number of nodes of the tree, including leaves."""
        return 1 + sum(branch.node_count for branch in self.branches)

    def as_leaf(self) -> Node:
        """This node without its branches."""
        return Node(self.node_rows, self.class_weights[None])

    def errors_as_leaf(self) -> float:
        """The weight of the rows that are not in the most frequent class."""
        return float(self.weight - self.class_weights.max())

    def errors(self) -> float:
        """The weight of the training rows that the tree misclassifies."""
        if self.split is None:
            return self.errors_as_leaf()
        return sum(branch.errors() for branch in self.branches)

    def estimated_errors(self) -> float:
        """The errors expected on new rows, summed over the leaves."""
        if self.split is None:
            return estimate_leaf_errors(self.class_weights)
        return sum(branch.estimated_errors() for branch in self.branches)


def grow_tree(examples: Examples, node_rows: NodeRows) -> Node:
    """Grow a C4.5 decision tree, splitting nodes as long as this gains information."""
    split = choose_split(examples, node_rows)
    if split is None:
        return _leaf(examples, node_rows)
    counts = split.class_weights(examples, node_rows)
    branch_rows = split.branch_rows(examples.matrix, node_rows, _branch_proportions(counts))
    return Node(
        node_rows,
        counts,
        split,
        tuple(grow_tree(examples, rows_of_branch) for rows_of_branch in branch_rows),
    )


def collapse_tree(node: Node) -> Node:
    """Collapse subtrees of a C4.5 tree that save no errors on their training rows."""
    if node.split is None:
        return node
    if node.errors() >= node.errors_as_leaf() - COLLAPSE_TOLERANCE:
        return node.as_leaf()
    return Node(node.node_rows, node.counts, node.split, tuple(map(collapse_tree, node.branches)))


def prune_tree(node: Node, examples: Examples) -> Node:
    """Prune a C4.5 tree from the leaves up, by the errors estimated for new rows.

    A subtree is replaced by a leaf or by its largest branch (subtree raising).
    """
    if node.split is None:
        return node
    branches = tuple(prune_tree(branch, examples) for branch in node.branches)
    node = Node(node.node_rows, node.counts, node.split, branches)
    sizes = node.counts.sum(axis=1)
    # The last one of equally large branches.
    largest = int(np.flatnonzero(sizes > sizes.max() - TOLERANCE)[-1])
    raised_branch = _apply_splits(branches[largest], examples, node.node_rows)
    leaf_errors, tree_errors = estimate_leaf_errors(node.class_weights), node.estimated_errors()
    raised_errors = raised_branch.estimated_errors()
    max_increase = PRUNING_TOLERANCE + TOLERANCE
    if leaf_errors - tree_errors < max_increase and leaf_errors - raised_errors < max_increase:
        return node.as_leaf()
    return (
        prune_tree(raised_branch, examples) if raised_errors - tree_errors < max_increase else node
    )


def _apply_splits(node: Node, examples: Examples, node_rows: NodeRows) -> Node:
    """Apply the splits of a tree to other rows."""
    if node.split is None:
        return _leaf(examples, node_rows)
    counts = node.split.class_weights(examples, node_rows)
    branch_rows = node.split.branch_rows(examples.matrix, node_rows, _branch_proportions(counts))
    branches = tuple(
        _apply_splits(branch, examples, rows_of_branch)
        for branch, rows_of_branch in zip(node.branches, branch_rows, strict=True)
    )
    return Node(node_rows, counts, node.split, branches)


def estimate_leaf_errors(class_weights: Numbers) -> float:
    """Pessimistic estimate of a leaf's errors, from the upper confidence limit for its error rate.

    The limit is Wilson's with continuity correction; below one error, it is interpolated between
    the limit for one error and the exact limit for none, 1 - CONFIDENCE_FACTOR^(1/n).

    Example:
        >>> round(estimate_leaf_errors(np.array([2.0, 0.0])), 4)  # 2 · (1 - √0.25)
        1.0
    """
    weight = float(class_weights.sum())
    if weight < TOLERANCE:
        return 0.0
    errors = weight - float(class_weights.max())
    return errors + _additional_errors(weight, errors)


def _additional_errors(weight: float, errors: float) -> float:
    if errors < 1:
        zero_error_limit = weight * (1 - CONFIDENCE_FACTOR ** (1 / weight))
        if errors == 0:
            return float(zero_error_limit)
        one_error_limit = _additional_errors(weight, 1.0)
        return float(zero_error_limit + errors * (one_error_limit - zero_error_limit))
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    rate = (errors + 0.5) / weight
    standard_error = np.sqrt(rate / weight - rate**2 / weight + Z**2 / (4 * weight**2))
    upper = (rate + Z**2 / (2 * weight) + Z * standard_error) / (1 + Z**2 / weight)
    return float(upper * weight - errors)


def _class_probabilities(tree: Node, matrix: Numbers) -> Numbers:
    """The probability of each class (columns) for each row: the class frequencies at its leaf.

    A row with a missing value goes into every branch, in proportion to the training rows there.
    """
    probabilities = np.zeros((len(matrix), len(tree.class_weights)))
    indices = np.arange(len(matrix))
    _add_probabilities(
        probabilities, tree, matrix, NodeRows(indices, np.ones(len(matrix))), tree.class_weights
    )
    return probabilities


def _add_probabilities(
    probabilities: Numbers,
    node: Node,
    matrix: Numbers,
    node_rows: NodeRows,
    parent_weights: Numbers,
) -> None:
    """Add the probabilities of the rows of a node; an empty leaf uses its `parent_weights`."""
    if node.split is None:
        weights = node.class_weights if node.weight >= TOLERANCE else parent_weights
        probabilities[node_rows.indices] += node_rows.weights[:, None] * (weights / weights.sum())
        return
    branch_rows = node.split.branch_rows(matrix, node_rows, _branch_proportions(node.counts))
    for branch, rows_of_branch in zip(node.branches, branch_rows, strict=True):
        if len(rows_of_branch.indices):
            _add_probabilities(probabilities, branch, matrix, rows_of_branch, node.class_weights)


def _leaf(examples: Examples, node_rows: NodeRows) -> Node:
    return Node(node_rows, examples.class_weights(node_rows)[None])


class WekaJ48(WekaClassifier):
    """The C4.5 tree that `weka.classifiers.trees.J48` of Weka 3.6 builds by default.

    It reproduces results obtained with Weka; for anything else, scikit-learn's classifiers are the
    better choice. What Weka does (`-C 0.25 -M 2`):

    - A nominal column (strings, booleans, categories) has a branch for each value, declared or
      observed; a numeric one is cut in two. The split with the highest gain ratio is chosen among
      those with at least the average gain. The gain of a cut is reduced for the choice among cuts.
    - At least two branches have a weight of 2 or more; with many rows, a cut leaves more on either
      side.
    - A row with a missing value goes into every branch, in proportion to the other rows there, in
      training and prediction.
    - A subtree is replaced by a leaf, or by its largest branch, if that is not estimated to make
      more errors: the error rate of each leaf is the upper limit of a one-sided 75% confidence
      interval.
    - Probabilities are the class frequencies at the leaf; a leaf without training rows has those of
      its parent node.

    A row of weight w counts as w rows, except in the few rules of Weka that use the number of rows.
    Rows without a class are ignored in training, but a cut may lie at one of their values, as in
    Weka. A class that Weka's file declares but that never occurs is unknown here; cuts may then
    differ from Weka's in the number of rows that they leave on each side.

    Args:
        values: Declared values of nominal columns, by column name (for an array, by index from 0),
            as in the header of an ARFF file. The categories of a dataframe column count as
            declared. A value that is not declared is then an error. In other nominal columns, a
            value that did not occur in training is treated as missing.

    Attributes:
        classes_: The classes in ascending order, as in the columns of `predict_proba`.
        tree_: The tree, a `Node`.

    Example:
        >>> rows = [["sunny", 30], ["sunny", 31], ["rainy", 12], ["rainy", 14]]
        >>> model = WekaJ48().fit(rows, ["yes", "yes", "no", "no"])
        >>> model.predict([["rainy", 30]]).tolist(), model.tree_.leaf_count
        (['no'], 2)
    """

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> WekaJ48:  # noqa: N803 - scikit-learn passes these by name
        """Fit the tree to rows, their classes and, optionally, their weights."""
        rows = LabelledRows.from_arrays(X, y, sample_weight)
        declared = self.values or {}
        columns = [
            Column(name, column, declared.get(name, values))
            for name, column, values in rows.columns
        ]
        self.classes_ = rows.classes
        self.n_features_in_ = len(columns)
        self.columns_ = [
            _column_kind(Column(name, column[rows.has_class], values))
            for name, column, values in columns
        ]
        table = self._matrix(columns, len(rows.weights))
        sizes = tuple(
            len(kind.codes_by_value) if isinstance(kind, NominalValues) else 0
            for kind in self.columns_
        )
        examples = Examples(table[rows.has_class], sizes, rows.codes, len(self.classes_), table)
        node_rows = NodeRows(np.arange(len(rows.codes)), rows.weights[rows.has_class])
        self.tree_ = prune_tree(collapse_tree(grow_tree(examples, node_rows)), examples)
        return self

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The probability of each class (columns, in the order of `classes_`) for each row."""
        check_is_fitted(self)
        columns = columns_to_predict(X, self.n_features_in_)
        rows = len(columns[0].values) if columns else 0
        return _class_probabilities(self.tree_, self._matrix(columns, rows))

    def _matrix(self, columns: list[Column], rows: int) -> Numbers:
        """Numbers and codes of values, NaN if they are missing or did not occur in training."""
        matrix = np.full((rows, len(columns)), np.nan)
        for index, (kind, column) in enumerate(zip(self.columns_, columns, strict=True)):
            if isinstance(kind, NominalValues):
                codes = kind.codes(column.values)
                matrix[codes >= 0, index] = codes[codes >= 0]
            elif kind == "numeric":
                is_present = ~weka_missing_mask(column.values)
                matrix[is_present, index] = weka_numeric_values(
                    column.name, column.values[is_present]
                )
        return matrix


def _column_kind(column: Column) -> NominalValues | str:
    """The values of a nominal column; otherwise "numeric", or "empty" without any values."""
    if column.declared_values is None and weka_missing_mask(column.values).all():
        return "empty"
    return "numeric" if is_numeric(column) else NominalValues.from_column(column)
