"""Confusion matrices: what was predicted against what was there. No metric is computed here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, did_you_mean, listed
from tradeoff.results import Result
from tradeoff.text import aligned, count, plain

Rows = Literal["actual", "predicted"]
REJECTED = "rejected"
"""The third outcome beside predicted positive and predicted negative: left undecided."""


class Cell(NamedTuple):
    """One cell in long form, which nobody can transpose by mistake."""

    actual: str
    predicted: str
    count: Any


@dataclass(frozen=True, eq=False)
class ConfusionMatrix(Result, views="tradeoff.views.matrices"):
    """The outcomes of a two-class decision: scalars at one threshold, or arrays at all of them.

    Counts may be weights or proportions. Rejected rows were left undecided; they belong to
    `positives`, `negatives` and `rows`, so that correct, wrong and rejected shares add to one.
    `accepted` is the same matrix without them. `squares` holds sums of squared weights where rows
    differ in importance. `prevalence_known` tells that the share of positives was given, not
    estimated from these rows.

    Example:
        >>> matrix = ConfusionMatrix(7, 2, 4, 1, positive="yes", negative="no")
        >>> matrix
        ConfusionMatrix(7 of 9 'yes' found, 4 of 5 'no' called 'yes')
        >>> print(matrix)
                    predicted yes  predicted no
        actual yes              7             2
        actual no               4             1
    """

    true_positives: Any
    false_negatives: Any
    false_positives: Any
    true_negatives: Any
    rejected_positives: Any = 0
    rejected_negatives: Any = 0
    positive: str = "positive"
    negative: str = "negative"
    squares: ConfusionMatrix | None = None
    prevalence_known: bool = False

    @property
    def positives(self) -> Any:
        """Rows that are positive, rejected ones included."""
        return self.true_positives + self.false_negatives + self.rejected_positives

    @property
    def negatives(self) -> Any:
        """Rows that are negative, rejected ones included."""
        return self.false_positives + self.true_negatives + self.rejected_negatives

    @property
    def predicted_positives(self) -> Any:
        """Rows predicted positive."""
        return self.true_positives + self.false_positives

    @property
    def predicted_negatives(self) -> Any:
        """Rows predicted negative."""
        return self.false_negatives + self.true_negatives

    @property
    def rejected(self) -> Any:
        """Rows left undecided."""
        return self.rejected_positives + self.rejected_negatives

    @property
    def rows(self) -> Any:
        """All rows: decided and rejected."""
        return self.decided + self.rejected

    @property
    def decided(self) -> Any:
        """Rows that were not rejected."""
        return self.predicted_positives + self.predicted_negatives

    @property
    def effective_decided(self) -> Any:
        """Decided rows: equally weighted ones that say as much (Kish 1965), so the unit is none.

        Example:
            >>> rows = ConfusionMatrix(0.5, 1.5, 1, 1, squares=ConfusionMatrix(0.25, 2.25, 1, 1))
            >>> float(rows.effective_decided)  # 4² / 4.5
            3.5555555555555554
        """
        if self.squares is None:
            return self.decided
        squares = np.asarray(self.squares.decided, np.float64)
        decided = np.asarray(self.decided, np.float64)
        return np.divide(decided**2, squares, out=np.zeros_like(decided), where=squares > 0)[()]

    @property
    def correct(self) -> Any:
        """Rows classified correctly."""
        return self.true_positives + self.true_negatives

    @property
    def accepted(self) -> ConfusionMatrix:
        """The decided rows alone."""
        squares = None if self.squares is None else self.squares.accepted
        return replace(self, rejected_positives=0, rejected_negatives=0, squares=squares)

    @property
    def classes(self) -> tuple[str, str]:
        """Positive first."""
        return self.positive, self.negative

    @property
    def counts(self) -> NDArray[Any]:
        """Actual × predicted, positive first; thresholds, if any, along the last axis."""
        cells = [
            [self.true_positives, self.false_negatives],
            [self.false_positives, self.true_negatives],
        ]
        return np.array([np.broadcast_arrays(*row) for row in cells])

    @property
    def rejections(self) -> NDArray[Any]:
        """Rejected rows of each class, positive first."""
        return np.array(np.broadcast_arrays(self.rejected_positives, self.rejected_negatives))

    def as_floats(self) -> ConfusionMatrix:
        """The same counts as float64: products of large integers would overflow."""
        return replace(self, **{f.name: _as_float(getattr(self, f.name)) for f in fields(self)[:6]})

    def mixed(self, other: ConfusionMatrix, share: Any) -> ConfusionMatrix:
        """The expected counts when this share of decisions is made as in the other matrix."""
        own, others = self.as_floats(), other.as_floats()
        names = [f.name for f in fields(self)[:6]]
        counts = {n: (1 - share) * getattr(own, n) + share * getattr(others, n) for n in names}
        return replace(own, **counts, squares=None)

    def inverted(self) -> ConfusionMatrix:
        """The opposite decision for every row: a classifier worse than guessing turns better."""
        return replace(
            self,
            true_positives=self.false_negatives,
            false_negatives=self.true_positives,
            false_positives=self.true_negatives,
            true_negatives=self.false_positives,
            squares=None if self.squares is None else self.squares.inverted(),
        )

    def swapped(self) -> ConfusionMatrix:
        """The same decisions seen from the other class."""
        return ConfusionMatrix(
            self.true_negatives,
            self.false_positives,
            self.false_negatives,
            self.true_positives,
            self.rejected_negatives,
            self.rejected_positives,
            self.negative,
            self.positive,
            None if self.squares is None else self.squares.swapped(),
            self.prevalence_known,
        )

    def cells(self) -> Iterator[Cell]:
        """Long form: actual, predicted, count."""
        return _cells(self)

    def columns(self) -> dict[str, list[Any]]:
        """Long form as a table."""
        return _columns(self)

    def table(self, rows: Rows = "actual", *, positive_first: bool = True) -> list[list[str]]:
        """The matrix in any of the usual layouts, names on both axes, as cells of text."""
        return _table(self, rows, (0, 1) if positive_first else (1, 0))

    def __str__(self) -> str:
        """The matrix as a person reads it."""
        return repr(self) if np.ndim(self.true_positives) else aligned(self.table())

    def __repr__(self) -> str:
        """One line with the four counts (and the rejected, if any)."""
        if np.ndim(self.true_positives):
            return f"ConfusionMatrix(at {np.size(self.true_positives):,} thresholds)"
        rejected = f", {count(self.rejected)} rejected" if self.rejected else ""
        return (
            f"ConfusionMatrix({count(self.true_positives)} of {count(self.positives)} "
            f"{self.positive!r} found, {count(self.false_positives)} of {count(self.negatives)} "
            f"{self.negative!r} called {self.positive!r}{rejected})"
        )


@dataclass(frozen=True, eq=False)
class ClassMatrix(Result, views="tradeoff.views.matrices"):
    """The confusion matrix of any number of classes, with a rejected column.

    Example:
        >>> matrix = ClassMatrix(np.array([[3, 0, 2], [0, 1, 1], [0, 2, 3]]), ("a", "b", "c"))
        >>> matrix.one_against_rest("a")
        ConfusionMatrix(3 of 5 'a' found, 0 of 7 'not a' called 'a')
    """

    counts: NDArray[Any]
    classes: tuple[str, ...]
    rejections: NDArray[Any] | None = None

    @property
    def rows(self) -> Any:
        """All rows: decided and rejected."""
        return self.decided + self.rejected

    @property
    def decided(self) -> Any:
        """Rows that were not rejected."""
        return self.counts.sum(axis=(0, 1))

    @property
    def effective_decided(self) -> Any:
        """Decided rows."""
        return self.decided

    @property
    def correct(self) -> Any:
        """Rows classified correctly."""
        return np.trace(self.counts)

    @property
    def rejected(self) -> Any:
        """Rows left undecided."""
        return 0 if self.rejections is None else self.rejections.sum(axis=0)

    def as_floats(self) -> ClassMatrix:
        """The same counts as float64: products of large integers would overflow."""
        rejections = None if self.rejections is None else self.rejections.astype(np.float64)
        return ClassMatrix(self.counts.astype(np.float64), self.classes, rejections)

    def one_against_rest(self, name: str) -> ConfusionMatrix:
        """The 2 × 2 matrix of one class: it is positive, all others together are negative."""
        if name not in self.classes:
            raise InputError(
                f"There is no class {name!r}.{did_you_mean(name, self.classes)} "
                f"The classes are {listed(self.classes)}."
            )
        at = self.classes.index(name)
        hit = self.counts[at, at]
        missed = self.counts[at].sum() - hit
        alarms = self.counts[:, at].sum() - hit
        rejections = (
            np.zeros(len(self.classes), int) if self.rejections is None else self.rejections
        )
        others = [c for c in self.classes if c != name]
        return ConfusionMatrix(
            hit,
            missed,
            alarms,
            self.counts.sum() - hit - missed - alarms,
            rejections[at],
            rejections.sum() - rejections[at],
            name,
            others[0] if len(others) == 1 else f"not {name}",
        )

    def cells(self) -> Iterator[Cell]:
        """Long form: actual, predicted, count."""
        return _cells(self)

    def columns(self) -> dict[str, list[Any]]:
        """Long form as a table."""
        return _columns(self)

    def table(self, rows: Rows = "actual") -> list[list[str]]:
        """The matrix with names on both axes, as cells of text."""
        return _table(self, rows, tuple(range(len(self.classes))))

    def __str__(self) -> str:
        """The matrix as a person reads it."""
        return aligned(self.table())

    def __repr__(self) -> str:
        """One line: how many classes and rows, and how many were right."""
        right = f"{count(self.correct)} of {count(self.rows)} rows right"
        return f"ClassMatrix({len(self.classes)} classes, {right})"


def _as_float(counts: Any) -> Any:
    return np.asarray(counts, np.float64)[()]  # scalars stay scalars


def _cells(matrix: ConfusionMatrix | ClassMatrix) -> Iterator[Cell]:
    rejections = matrix.rejections if np.any(matrix.rejected) else None
    for i, actual in enumerate(matrix.classes):
        for j, predicted in enumerate(matrix.classes):
            yield Cell(actual, predicted, matrix.counts[i, j])
        if rejections is not None:
            yield Cell(actual, REJECTED, rejections[i])


def counts_of(matrix: ConfusionMatrix) -> dict[str, Any]:
    """The counts by name, those of rejected rows where there are any."""
    names = [f.name for f in fields(matrix) if f.name.endswith(("positives", "negatives"))]
    kept = [n for n in names if not n.startswith("rejected") or np.any(getattr(matrix, n))]
    return {name: getattr(matrix, name) for name in kept}


def _columns(matrix: ConfusionMatrix | ClassMatrix) -> dict[str, list[Any]]:
    if isinstance(matrix, ConfusionMatrix) and np.ndim(matrix.true_positives):
        return counts_of(matrix)  # one line a threshold
    cells = list(matrix.cells())
    return {key: [getattr(cell, key) for cell in cells] for key in Cell._fields}


def _table(
    matrix: ConfusionMatrix | ClassMatrix, rows: Rows, order: tuple[int, ...]
) -> list[list[str]]:
    names = [plain(matrix.classes[i]) for i in order]
    table = [[count(matrix.counts[i, j]) for j in order] for i in order]
    actual = [f"actual {name}" for name in names]
    predicted = [f"predicted {name}" for name in names]
    if matrix.rejected and matrix.rejections is not None:
        predicted.append(REJECTED)
        for line, i in zip(table, order, strict=True):
            line.append(count(matrix.rejections[i]))
    if rows == "predicted":
        table = [list(column) for column in zip(*table, strict=True)]
        actual, predicted = predicted, actual
    body = [[name, *line] for name, line in zip(actual, table, strict=True)]
    return [["", *predicted], *body]
