"""Trees in the manner of C4.5: grown, collapsed, pruned by estimated errors, asked for classes.

Quinlan (1993), "C4.5: Programs for Machine Learning", chapters 3 and 4; Witten, Frank and Hall
(2011), "Data Mining", 3rd edition, section 6.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.training.c45_splits import (
    NEGLIGIBLE,
    Examples,
    Part,
    Split,
    branch_shares,
    choose_split,
)

if TYPE_CHECKING:
    from tradeoff.training.c45_splits import Numbers

CONFIDENCE = 0.25
"""The error rate of a leaf is taken at the upper end of a one-sided interval of 1 minus this."""
Z = NormalDist().inv_cdf(1 - CONFIDENCE)
WORTHWHILE = 0.1
"""A subtree must save more estimated errors than this over a simpler one."""
COLLAPSE_TOLERANCE = 1e-3
"""A subtree that saves no more errors than this on its own rows is no subtree."""


@dataclass(frozen=True, eq=False)
class Node:
    """A leaf, or a split with a branch for each of its outcomes.

    `counts` holds the weight of each class (columns) in each branch (rows; one for a leaf).
    """

    part: Part
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
        """How many leaves the tree has, empty ones too."""
        return sum(branch.leaves for branch in self.branches) if self.split else 1

    @property
    def nodes(self) -> int:
        """How many nodes the tree has, its leaves included."""
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


def grown(examples: Examples, part: Part) -> Node:
    """A tree that is split for as long as a split gains something."""
    split = choose_split(examples, part)
    if split is None:
        return _leaf(examples, part)
    counts = split.class_weights(examples, part)
    parts = split.parts(examples.matrix, part, branch_shares(counts))
    return Node(part, counts, split, tuple(grown(examples, own) for own in parts))


def collapsed(node: Node) -> Node:
    """The tree without subtrees that save no errors on the rows they were learned from."""
    if node.split is None:
        return node
    if node.errors() >= node.errors_as_leaf() - COLLAPSE_TOLERANCE:
        return node.as_leaf()
    return Node(node.part, node.counts, node.split, tuple(map(collapsed, node.branches)))


def pruned(node: Node, examples: Examples) -> Node:
    """The tree with subtrees replaced, where fewer errors are estimated, from the leaves up.

    What replaces a subtree is a leaf, or its largest branch raised into its place.
    """
    if node.split is None:
        return node
    branches = tuple(pruned(branch, examples) for branch in node.branches)
    node = Node(node.part, node.counts, node.split, branches)
    sizes = node.counts.sum(axis=1)
    # Of equally large branches the last.
    largest = int(np.flatnonzero(sizes > sizes.max() - NEGLIGIBLE)[-1])
    raised = refilled(branches[largest], examples, node.part)
    as_leaf, as_tree = estimated_errors(node.class_weights), node.estimated_errors()
    as_raised = raised.estimated_errors()
    most = WORTHWHILE + NEGLIGIBLE
    if as_leaf - as_tree < most and as_leaf - as_raised < most:
        return node.as_leaf()
    return pruned(raised, examples) if as_raised - as_tree < most else node


def refilled(node: Node, examples: Examples, part: Part) -> Node:
    """The same questions, asked of other rows."""
    if node.split is None:
        return _leaf(examples, part)
    counts = node.split.class_weights(examples, part)
    parts = node.split.parts(examples.matrix, part, branch_shares(counts))
    branches = tuple(
        refilled(branch, examples, own) for branch, own in zip(node.branches, parts, strict=True)
    )
    return Node(part, counts, node.split, branches)


def estimated_errors(class_weights: Numbers) -> float:
    """The errors of a leaf at the upper end of an interval for its error rate.

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
    return errors + _more_errors(weight, errors)


def _more_errors(weight: float, errors: float) -> float:
    if errors < 1:
        at_none = weight * (1 - CONFIDENCE ** (1 / weight))
        if errors == 0:
            return float(at_none)
        return float(at_none + errors * (_more_errors(weight, 1.0) - at_none))
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    rate = (errors + 0.5) / weight
    spread = np.sqrt(rate / weight - rate**2 / weight + Z**2 / (4 * weight**2))
    upper = (rate + Z**2 / (2 * weight) + Z * spread) / (1 + Z**2 / weight)
    return float(upper * weight - errors)


def class_shares(tree: Node, matrix: Numbers) -> Numbers:
    """The probability of each class (columns) for each row: the shares at its leaf.

    A row whose value is missing goes into every branch, by the share of the learned rows there.
    """
    found = np.zeros((len(matrix), len(tree.class_weights)))
    places = np.arange(len(matrix))
    _add_shares(found, tree, matrix, Part(places, np.ones(len(matrix))), tree.class_weights)
    return found


def _add_shares(found: Numbers, node: Node, matrix: Numbers, part: Part, outer: Numbers) -> None:
    """`outer` are the class weights one node up, of which an empty leaf makes use."""
    if node.split is None:
        weights = node.class_weights if node.weight >= NEGLIGIBLE else outer
        found[part.places] += part.weights[:, None] * (weights / weights.sum())
        return
    parts = node.split.parts(matrix, part, branch_shares(node.counts))
    for branch, own in zip(node.branches, parts, strict=True):
        if len(own.places):
            _add_shares(found, branch, matrix, own, node.class_weights)


def _leaf(examples: Examples, part: Part) -> Node:
    return Node(part, examples.class_weights(part)[None])
