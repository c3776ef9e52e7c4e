"""Decision trees as Weka 3.6's J48 makes them, as an estimator for scikit-learn.

Gain ratio among splits of at least mean gain: Quinlan (1993), "C4.5: Programs for Machine
Learning", chapter 2; missing values in chapter 3. The charge for the choice of a cut: Quinlan
(1996), "Improved use of continuous attributes in C4.5", Journal of Artificial Intelligence
Research 4. Tolerances and the bounds on cuts are those that Weka keeps to.

scikit-learn is an extra: import this module only where the classifier is used.
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
    missing,
    numbers,
)
from tradeoff.errors import extra_required

with extra_required("J48"):
    from sklearn.utils.validation import check_is_fitted

Places = NDArray[np.intp]

SMALLEST_LEAF = 2
"""At least two branches must have this weight."""
NEGLIGIBLE = 1e-6
"""Weights, gains and errors that differ by less count as equal."""
LEAST_GAP = 1e-5
"""Least distance between two values with a cut between them."""
GAIN_TOLERANCE = 1e-3
"""A gain this far below the mean is still considered."""
MANY_VALUES = 0.3
"""Columns with at least this many values per row do not count for the mean gain."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows to learn from.

    `matrix` has a column for each attribute: numbers, or the codes of values, NaN where missing.
    `sizes` holds the number of values of each nominal column, and 0 for numeric ones.
    `all_rows` are those of `matrix` and the ones without a class: a cut is at a value of any row.
    """

    matrix: Numbers
    sizes: tuple[int, ...]
    class_codes: Places
    classes: int
    all_rows: Numbers

    def class_weights(self, part: NodeRows) -> Numbers:
        """The weight of each class in a part."""
        return _weight_sums(self.class_codes[part.places], part.weights, self.classes)


class NodeRows(NamedTuple):
    """Some of the rows, by their indices, each with its weight in this part.

    A row whose value is missing goes into several branches, with a fraction of its weight in each.
    """

    places: Places
    weights: Numbers


@dataclass(frozen=True, eq=False)
class Split:
    """A split of a decision tree: by the values of one column, or by whether it exceeds a cut."""

    column: int
    branches: int
    cut: float | None
    gain: float
    gain_ratio: float

    def branch_of(self, values: Numbers) -> Places:
        """The branch that each value belongs to, -1 where it is missing."""
        missing = np.isnan(values)
        if self.cut is None:
            return np.where(missing, -1, values).astype(np.intp)
        above = values - self.cut > NEGLIGIBLE
        return np.where(missing, -1, above).astype(np.intp)

    def class_weights(self, examples: Examples, part: NodeRows) -> Numbers:
        """The weight of each class (columns) in each branch (rows).

        Rows without the value are shared among the branches as the others are.
        """
        branches = self.branch_of(examples.matrix[part.places, self.column])
        present = branches >= 0
        counts = _branch_class_weights(
            branches[present],
            examples.class_codes[part.places[present]],
            part.weights[present],
            (self.branches, examples.classes),
        )
        if present.all():
            return counts
        missing = examples.class_weights(NodeRows(part.places[~present], part.weights[~present]))
        return np.asarray(counts + np.outer(_branch_shares(counts), missing))

    def parts(self, matrix: Numbers, part: NodeRows, shares: Numbers) -> list[NodeRows]:
        """The rows of each branch; `shares` says how those without the value are divided."""
        branches = self.branch_of(matrix[part.places, self.column])
        missing = branches < 0
        parts = []
        for branch, share in enumerate(shares.tolist()):
            in_branch = branches == branch
            if share > NEGLIGIBLE:
                in_branch |= missing
            weights = np.where(missing[in_branch], share, 1.0) * part.weights[in_branch]
            parts.append(NodeRows(part.places[in_branch], weights))
        return parts


def _branch_shares(counts: Numbers) -> Numbers:
    """The share of the weight that goes into each branch; equal shares where there is none."""
    totals = counts.sum(axis=1)
    if totals.sum() < NEGLIGIBLE:
        return np.full(len(totals), 1 / len(totals))
    return np.asarray(totals / totals.sum())


def choose_split(examples: Examples, part: NodeRows) -> Split | None:
    """The best split of a part, None where it is to be a leaf."""
    totals = examples.class_weights(part)
    weight = totals.sum()
    is_small = 2 * SMALLEST_LEAF - weight > NEGLIGIBLE
    if is_small or weight - totals.max() < NEGLIGIBLE:
        return None
    splits = [
        split
        for column in range(len(examples.sizes))
        if (split := _split_of(examples, part, column)) is not None
    ]
    few = MANY_VALUES * len(examples.all_rows) - NEGLIGIBLE
    # Where every column has many values, none is left out of the mean.
    all_have_many = all(size >= few for size in examples.sizes)
    gains = [s.gain for s in splits if all_have_many or examples.sizes[s.column] < few]
    if not gains:
        return None
    least = sum(gains) / len(gains) - GAIN_TOLERANCE
    best = None
    for split in splits:
        ratio = best.gain_ratio if best else 0.0
        if split.gain >= least and split.gain_ratio > ratio + NEGLIGIBLE:
            best = split
    return best and _cut_at_value(best, examples.all_rows)


def _split_of(examples: Examples, part: NodeRows, column: int) -> Split | None:
    values = examples.matrix[part.places, column]
    present = ~np.isnan(values)
    class_codes = examples.class_codes[part.places]
    rows = _KnownValues(
        values[present],
        class_codes[present],
        part.weights[present],
        examples.classes,
        float(part.weights.sum()),
    )
    size = examples.sizes[column]
    return rows.nominal_split(column, size) if size else rows.numeric_split(column)


@dataclass(frozen=True, eq=False)
class _KnownValues:
    """The values of one column at a node where they are not missing."""

    values: Numbers
    class_codes: Places
    weights: Numbers
    classes: int
    weight: float  # of all rows, those without a value included

    def nominal_split(self, column: int, size: int) -> Split | None:
        shape = (size, self.classes)
        counts = _branch_class_weights(
            self.values.astype(np.intp), self.class_codes, self.weights, shape
        )
        if (SMALLEST_LEAF - counts.sum(axis=1) < NEGLIGIBLE).sum() < 2:
            return None
        gain = float(self._gains(counts[None])[0])
        return Split(column, size, None, gain, self._gain_ratio(counts, gain))

    def numeric_split(self, column: int) -> Split | None:
        # A tenth of what a class has on average must be on either side, if that is 2 to 25.
        least = min(max(0.1 * self.weights.sum() / self.classes, SMALLEST_LEAF), 25.0)
        if 2 * least - len(self.values) > NEGLIGIBLE:
            return None
        order = np.argsort(self.values, kind="stable")
        values = self.values[order]
        last = np.flatnonzero(values[:-1] + LEAST_GAP < values[1:])
        below = np.zeros((len(order), self.classes))
        below[np.arange(len(order)), self.class_codes[order]] = self.weights[order]
        below = np.cumsum(below, axis=0)
        counts = np.stack([below[last], below[-1] - below[last]], axis=1)
        is_wide = (least - counts.sum(axis=2) < NEGLIGIBLE).all(axis=1)
        last, counts = last[is_wide], counts[is_wide]
        index = _first_best(gains := self._gains(counts), 0.0)
        if index is None:
            return None
        # Encoding which of the cuts was chosen takes this many bits.
        gain = float(gains[index]) - math.log2(len(last)) / self.weight
        if gain < NEGLIGIBLE:
            return None
        low, high = values[last[index] : last[index] + 2].tolist()
        middle = low / 2 + high / 2  # the sum could overflow
        cut = middle if middle < high else low
        return Split(column, 2, cut, gain, self._gain_ratio(counts[index], gain))

    def _gains(self, counts: Numbers) -> Numbers:
        """Bits gained for each row by each candidate (first axis), over all rows."""
        known_weight = self.weights.sum()
        before = _bits(known_weight) - _bits(counts[:1].sum(axis=1)).sum()
        after = (_bits(counts.sum(axis=2)) - _bits(counts).sum(axis=2)).sum(axis=1)
        gains = known_weight / self.weight * (before - after)
        return np.asarray(np.where(np.abs(gains) < NEGLIGIBLE, 0.0, gains / known_weight))

    def _gain_ratio(self, counts: Numbers, gain: float) -> float:
        """The gain over the bits of the split itself; missing values are a branch of their own."""
        branches = counts.sum(axis=1)
        missing = self.weight - branches.sum()
        bits = _bits(self.weight) - _bits(branches).sum() - _bits(missing)
        return 0.0 if abs(bits) < NEGLIGIBLE else float(gain / (bits / self.weight))


def _branch_class_weights(
    branches: Places, class_codes: Places, weights: Numbers, shape: tuple[int, int]
) -> Numbers:
    cells = branches * shape[1] + class_codes
    return _weight_sums(cells, weights, shape[0] * shape[1]).reshape(shape)


def _weight_sums(cells: Places, weights: Numbers, size: int) -> Numbers:
    return np.asarray(np.bincount(cells, weights, size), dtype=np.float64)


def _bits(weights: Numbers | float) -> Numbers:
    """The weights times their binary logarithms, 0 where there is no weight."""
    some = np.where(np.asarray(weights) < NEGLIGIBLE, 1.0, weights)
    return np.asarray(some * np.log2(some))


def _first_best(candidates: Numbers, start: float) -> int | None:
    """Index of the largest number above `start`; of those that hardly differ the first.

    Each must exceed the best before it by more than NEGLIGIBLE, so that near ties, also of numbers
    that differ by rounding only, are broken as in Weka.
    """
    index, best = None, start
    while (better := candidates - best > NEGLIGIBLE).any():
        index = int(better.argmax())
        best = float(candidates[index])
    return index


def _cut_at_value(split: Split, all_rows: Numbers) -> Split:
    """The split with its cut at the largest value up to it that occurs in any row."""
    if split.cut is None:
        return split
    values = all_rows[:, split.column]
    values = values[values - split.cut < NEGLIGIBLE]
    return replace(split, cut=float(values[_first_best(values, -np.inf)]))


# Trees as of C4.5: grown, collapsed, pruned by estimated errors; class probabilities of rows.
#
# Quinlan (1993), "C4.5: Programs for Machine Learning", chapters 3 and 4; Witten, Frank and Hall
# (2011), "Data Mining", 3rd edition, section 6.1.


CONFIDENCE = 0.25
"""Error rates of leaves are upper ends of one-sided intervals at 1 minus this."""
Z = NormalDist().inv_cdf(1 - CONFIDENCE)
WORTHWHILE = 0.1
"""A subtree must save more estimated errors than this over a simpler one."""
COLLAPSE_TOLERANCE = 1e-3
"""A subtree that saves no more errors than this on its own rows becomes a leaf."""


@dataclass(frozen=True, eq=False)
class Node:
    """A leaf, or a split with a branch for each of its outcomes.

    `counts` holds the weight of each class (columns) in each branch (rows; one for a leaf).
    """

    part: NodeRows
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
    def leaves(self) -> int:
        """Number of leaves of the tree, empty ones included."""
        return sum(branch.leaves for branch in self.branches) if self.split else 1

    @property
    def nodes(self) -> int:
        """Number of nodes of the tree, leaves included."""
        return 1 + sum(branch.nodes for branch in self.branches)

    def as_leaf(self) -> Node:
        """This node without its branches."""
        return Node(self.part, self.class_weights[None])

    def errors_as_leaf(self) -> float:
        """The weight of the rows that the most frequent class is wrong about."""
        return float(self.weight - self.class_weights.max())

    def errors(self) -> float:
        """The weight of the learned rows that the tree is wrong about."""
        if self.split is None:
            return self.errors_as_leaf()
        return sum(branch.errors() for branch in self.branches)

    def estimated_errors(self) -> float:
        """The errors to be expected on other rows, summed over the leaves."""
        if self.split is None:
            return estimated_errors(self.class_weights)
        return sum(branch.estimated_errors() for branch in self.branches)


def grow_tree(examples: Examples, part: NodeRows) -> Node:
    """Grow a decision tree: split as long as a split gains information."""
    split = choose_split(examples, part)
    if split is None:
        return _leaf(examples, part)
    counts = split.class_weights(examples, part)
    parts = split.parts(examples.matrix, part, _branch_shares(counts))
    return Node(
        part, counts, split, tuple(grow_tree(examples, branch_part) for branch_part in parts)
    )


def collapse(node: Node) -> Node:
    """The tree without subtrees that save no errors on the rows they were learned from."""
    if node.split is None:
        return node
    if node.errors() >= node.errors_as_leaf() - COLLAPSE_TOLERANCE:
        return node.as_leaf()
    return Node(node.part, node.counts, node.split, tuple(map(collapse, node.branches)))


def prune(node: Node, examples: Examples) -> Node:
    """The tree with subtrees replaced, where fewer errors are estimated, from the leaves up.

    What replaces a subtree is a leaf, or its largest branch raised into its place.
    """
    if node.split is None:
        return node
    branches = tuple(prune(branch, examples) for branch in node.branches)
    node = Node(node.part, node.counts, node.split, branches)
    sizes = node.counts.sum(axis=1)
    # Of equally large branches the last.
    largest = int(np.flatnonzero(sizes > sizes.max() - NEGLIGIBLE)[-1])
    raised = _with_rows(branches[largest], examples, node.part)
    as_leaf, as_tree = estimated_errors(node.class_weights), node.estimated_errors()
    as_raised = raised.estimated_errors()
    most = WORTHWHILE + NEGLIGIBLE
    if as_leaf - as_tree < most and as_leaf - as_raised < most:
        return node.as_leaf()
    return prune(raised, examples) if as_raised - as_tree < most else node


def _with_rows(node: Node, examples: Examples, part: NodeRows) -> Node:
    """The same tree of splits with other rows."""
    if node.split is None:
        return _leaf(examples, part)
    counts = node.split.class_weights(examples, part)
    parts = node.split.parts(examples.matrix, part, _branch_shares(counts))
    branches = tuple(
        _with_rows(branch, examples, branch_part)
        for branch, branch_part in zip(node.branches, parts, strict=True)
    )
    return Node(part, counts, node.split, branches)


def estimated_errors(class_weights: Numbers) -> float:
    """Errors of a leaf at the upper end of a confidence interval for its error rate.

    Wilson's interval with a continuity correction; below one error, between that of one error and
    the exact 1 - CONFIDENCE^(1/n) of none.

    Example:
        >>> round(estimated_errors(np.array([2.0, 0.0])), 4)  # 2 · (1 - √0.25)
        1.0
    """
    weight = float(class_weights.sum())
    if weight < NEGLIGIBLE:
        return 0.0
    errors = weight - float(class_weights.max())
    return errors + _additional_errors(weight, errors)


def _additional_errors(weight: float, errors: float) -> float:
    if errors < 1:
        at_none = weight * (1 - CONFIDENCE ** (1 / weight))
        if errors == 0:
            return float(at_none)
        return float(at_none + errors * (_additional_errors(weight, 1.0) - at_none))
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    rate = (errors + 0.5) / weight
    spread = np.sqrt(rate / weight - rate**2 / weight + Z**2 / (4 * weight**2))
    upper = (rate + Z**2 / (2 * weight) + Z * spread) / (1 + Z**2 / weight)
    return float(upper * weight - errors)


def _class_shares(tree: Node, matrix: Numbers) -> Numbers:
    """The probability of each class (columns) for each row: the shares at its leaf.

    A row whose value is missing goes into every branch, by the share of the learned rows there.
    """
    shares = np.zeros((len(matrix), len(tree.class_weights)))
    places = np.arange(len(matrix))
    _add_shares(shares, tree, matrix, NodeRows(places, np.ones(len(matrix))), tree.class_weights)
    return shares


def _add_shares(
    shares: Numbers, node: Node, matrix: Numbers, part: NodeRows, outer: Numbers
) -> None:
    """`outer` are the class weights one node up, of which an empty leaf makes use."""
    if node.split is None:
        weights = node.class_weights if node.weight >= NEGLIGIBLE else outer
        shares[part.places] += part.weights[:, None] * (weights / weights.sum())
        return
    parts = node.split.parts(matrix, part, _branch_shares(node.counts))
    for branch, branch_part in zip(node.branches, parts, strict=True):
        if len(branch_part.places):
            _add_shares(shares, branch, matrix, branch_part, node.class_weights)


def _leaf(examples: Examples, part: NodeRows) -> Node:
    return Node(part, examples.class_weights(part)[None])


class WekaJ48(WekaClassifier):
    """The C4.5 tree that `weka.classifiers.trees.J48` of Weka 3.6 learns by default.

    It reproduces results obtained with Weka; for anything else, scikit-learn's classifiers are the
    better choice. What Weka does (`-C 0.25 -M 2`):

    - A nominal column (texts, booleans, categories) has a branch for each value, declared or seen;
      a numeric one is cut in two. The split of the highest gain ratio is taken among those that
      gain at least the average. A cut pays for having been chosen among many.
    - At least two branches have a weight of 2 or more; a cut leaves more on either side where
      there are many rows.
    - A row with a missing value goes into every branch, by the share of the other rows there, in
      learning and in predicting.
    - A subtree becomes a leaf, or its largest branch takes its place, where that is estimated to
      err no more: each leaf's error rate is taken at the upper end of a one-sided interval of
      75%.
    - Probabilities are the shares of the classes at the leaf; a leaf that no row reached has those
      of the node above it.

    Weights count as so many rows, but for the few rules of Weka that go by the number of rows.
    Rows without a class are not learned from; a cut may still lie at one of their values, as in
    Weka. A class that Weka's file declares and no row has is not known here, and then cuts may
    leave other numbers of rows than Weka's.

    Args:
        values: The values of nominal columns, by the column's name (or its index from 0 in an
            array), as the header of an ARFF file declares them. The categories of a dataframe
            column are taken as declared. A value that is not declared is then an error. Of other
            columns the values are those learned from, and any other value is taken as missing.

    Attributes:
        classes_: The classes, in rising order: the columns of `predict_proba`.
        tree_: The tree, a `Node`.

    Example:
        >>> rows = [["sunny", 30], ["sunny", 31], ["rainy", 12], ["rainy", 14]]
        >>> model = WekaJ48().fit(rows, ["yes", "yes", "no", "no"])
        >>> model.predict([["rainy", 30]]).tolist(), model.tree_.leaves
        (['no'], 2)
    """

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
        part = NodeRows(np.arange(len(rows.codes)), rows.weights[rows.has_class])
        self.tree_ = prune(collapse(grow_tree(examples, part)), examples)
        return self

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """The probability of each class (a column each, as in `classes_`) for each row."""
        check_is_fitted(self)
        columns = columns_to_predict(X, self.n_features_in_)
        rows = len(columns[0].values) if columns else 0
        return _class_shares(self.tree_, self._matrix(columns, rows))

    def _matrix(self, columns: list[Column], rows: int) -> Numbers:
        """Numbers and codes of values, NaN where they are missing or were never learned."""
        matrix = np.full((rows, len(columns)), np.nan)
        for at, (kind, column) in enumerate(zip(self.columns_, columns, strict=True)):
            if isinstance(kind, NominalValues):
                codes = kind.codes(column.values)
                matrix[codes >= 0, at] = codes[codes >= 0]
            elif kind == "numeric":
                present = ~missing(column.values)
                matrix[present, at] = numbers(column.name, column.values[present])
        return matrix


def _kind(column: Column) -> NominalValues | str:
    """The values of a nominal column; "numeric", or "empty" where no row has a value."""
    if column.declared is None and missing(column.values).all():
        return "empty"
    return "numeric" if is_numeric(column) else NominalValues.of(column)
