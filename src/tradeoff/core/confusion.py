"""Confusion matrices for two or more classes; metrics are computed elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, did_you_mean, format_list, suggest_arguments
from tradeoff.formatting import format_count, printable
from tradeoff.results import MAX_NOTEBOOK_ROWS, Result, find_view, html_table, renderer
from tradeoff.text_layout import align_columns

if TYPE_CHECKING:
    from tradeoff.results import Chart, ChartStyleName

Rows = Literal["actual", "predicted"]
REJECTED = "rejected"
"""The third decision besides predicted positive and predicted negative: undecided."""


class Cell(NamedTuple):
    """One cell of a confusion matrix in long form: actual class, predicted class, count."""

    actual: str
    predicted: str
    count: Any


@dataclass(frozen=True, eq=False)
class ConfusionMatrix(Result, views="tradeoff.views.matrices"):
    """Confusion matrix for two classes: scalars at one threshold, or arrays over thresholds.

    Counts may be weights or proportions. Rejected rows are undecided; they belong to `positives`,
    `negatives` and `rows`, so that the proportions of correct, wrong and rejected rows add up to
    one. `accepted` is the matrix without them. `squares` contains sums of squared weights if rows
    differ in importance. `prevalence_known` is true if the prevalence was given, not estimated.

    Example:
        >>> matrix = ConfusionMatrix(7, 2, 4, 1, positive="yes", negative="no")
        >>> matrix
                       predicted yes   predicted no
          actual yes               7              2
          actual no                4              1
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
        """Actual positives, rejected rows included."""
        return self.true_positives + self.false_negatives + self.rejected_positives

    @property
    def negatives(self) -> Any:
        """Actual negatives, rejected rows included."""
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
        """All rows, rejected rows included."""
        return self.decided + self.rejected

    @property
    def decided(self) -> Any:
        """Rows that were not rejected."""
        return self.predicted_positives + self.predicted_negatives

    @property
    def effective_decided(self) -> Any:
        """Kish's (1965) effective number of rows that were not rejected, at any scale of weights.

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
    def tp(self) -> Any:
        """Short for `true_positives`."""
        return self.true_positives

    @property
    def fp(self) -> Any:
        """Short for `false_positives`."""
        return self.false_positives

    @property
    def fn(self) -> Any:
        """Short for `false_negatives`."""
        return self.false_negatives

    @property
    def tn(self) -> Any:
        """Short for `true_negatives`."""
        return self.true_negatives

    @property
    def correct(self) -> Any:
        """Rows classified correctly."""
        return self.true_positives + self.true_negatives

    @property
    def accepted(self) -> ConfusionMatrix:
        """Confusion matrix without the rejected rows."""
        squares = None if self.squares is None else self.squares.accepted
        return replace(self, rejected_positives=0, rejected_negatives=0, squares=squares)

    @property
    def classes(self) -> tuple[str, str]:
        """Class names, positive first."""
        return self.positive, self.negative

    @property
    def counts(self) -> NDArray[Any]:
        """Counts by actual and predicted class, positive first; a third axis holds thresholds."""
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
        """Expected counts if the proportion `share` of decisions is made as in the other matrix."""
        matrix, other_matrix = self.as_floats(), other.as_floats()
        names = [f.name for f in fields(self)[:6]]
        counts = {
            n: (1 - share) * getattr(matrix, n) + share * getattr(other_matrix, n) for n in names
        }
        return replace(matrix, **counts, squares=None)

    def inverted(self) -> ConfusionMatrix:
        """Confusion matrix of the opposite decisions."""
        return replace(
            self,
            true_positives=self.false_negatives,
            false_negatives=self.true_positives,
            false_positives=self.true_negatives,
            true_negatives=self.false_positives,
            squares=None if self.squares is None else self.squares.inverted(),
        )

    def swapped(self) -> ConfusionMatrix:
        """Confusion matrix with the other class as positive."""
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
        """Cells in long form: actual, predicted, count."""
        return _cells(self)

    def columns(self) -> dict[str, list[Any]]:
        """Cells in long form, as a table; one row per threshold if there are several."""
        return _columns(self)

    def table(self, rows: Rows = "actual", *, positive_first: bool = True) -> list[list[str]]:
        """Confusion matrix as a table of strings with labelled axes, in any common layout."""
        return _table(self, rows, (0, 1) if positive_first else (1, 0))

    @suggest_arguments
    def chart(self, *, rows: Rows = "actual") -> Chart:
        """The matrix as a chart, with actual or predicted classes in its rows."""
        chart: Chart = find_view(self, "chart")(self, rows=rows)
        return chart

    @suggest_arguments
    def plot(
        self, *, rows: Rows = "actual", ax: Any = None, style: ChartStyleName = "default"
    ) -> Any:
        """Plot the chart with matplotlib, on `ax` if given; `style` is "default" or "paper"."""
        return renderer("matplotlib")(self.chart(rows=rows), ax, style)

    def __str__(self) -> str:
        """Confusion matrix as a text table."""
        return repr(self) if np.ndim(self.true_positives) else align_columns(self.table())

    def __repr__(self) -> str:
        """The counts as a small table with actual classes in rows."""
        if np.ndim(self.true_positives):
            return f"ConfusionMatrix(at {np.size(self.true_positives):,} thresholds)"
        counts = np.asarray(self.counts)
        headers = [f"predicted {printable(name, 24)}" for name in self.classes]
        if self.rejected:
            counts, headers = np.column_stack([counts, self.rejections]), [*headers, REJECTED]
        rows = [
            [f"  actual {printable(name, 24)}", *map(format_count, row.tolist())]
            for name, row in zip(self.classes, counts, strict=True)
        ]
        return align_columns([["", *headers], *rows], gap="   ")

    def _repr_html_(self) -> str:
        """The matrix as notebooks show it, with the class names on both axes."""
        if np.ndim(self.true_positives):
            return super()._repr_html_()
        return html_table(self.table(), self._caption())

    def _caption(self) -> str:
        is_scalar = not np.ndim(self.true_positives)
        return f"Confusion matrix of {format_count(self.rows)} rows" if is_scalar else repr(self)


@dataclass(frozen=True, eq=False)
class ClassMatrix(Result, views="tradeoff.views.matrices"):
    """Confusion matrix for any number of classes, with rejected rows.

    Example:
        >>> matrix = ClassMatrix(np.array([[3, 0, 2], [0, 1, 1], [0, 2, 3]]), ("a", "b", "c"))
        >>> matrix.one_against_rest("a")
                         predicted a   predicted not a
          actual a                 3                 2
          actual not a             0                 7
    """

    counts: NDArray[Any]
    classes: tuple[str, ...]
    rejections: NDArray[Any] | None = None

    @property
    def rows(self) -> Any:
        """All rows, rejected rows included."""
        return self.decided + self.rejected

    @property
    def decided(self) -> Any:
        """Rows that were not rejected."""
        return self.counts.sum(axis=(0, 1))

    @property
    def effective_decided(self) -> Any:
        """Effective number of rows that were not rejected: here, simply their number."""
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
        """One-vs-rest 2 × 2 confusion matrix of a class."""
        if name not in self.classes:
            raise InputError(
                f"There is no class {name!r}.{did_you_mean(name, self.classes)} "
                f"The classes are {format_list(self.classes)}."
            )
        index = self.classes.index(name)
        true_positives = self.counts[index, index]
        false_negatives = self.counts[index].sum() - true_positives
        false_positives = self.counts[:, index].sum() - true_positives
        rejections = (
            np.zeros(len(self.classes), int) if self.rejections is None else self.rejections
        )
        others = [c for c in self.classes if c != name]
        return ConfusionMatrix(
            true_positives,
            false_negatives,
            false_positives,
            self.counts.sum() - true_positives - false_negatives - false_positives,
            rejections[index],
            rejections.sum() - rejections[index],
            name,
            others[0] if len(others) == 1 else f"not {name}",
        )

    def cells(self) -> Iterator[Cell]:
        """Cells in long form: actual, predicted, count."""
        return _cells(self)

    def columns(self) -> dict[str, list[Any]]:
        """Cells in long form, as a table."""
        return _columns(self)

    def table(self, rows: Rows = "actual") -> list[list[str]]:
        """Confusion matrix as a table of strings with labelled axes."""
        return _table(self, rows, tuple(range(len(self.classes))))

    @suggest_arguments
    def chart(self, *, rows: Rows = "actual") -> Chart:
        """The matrix as a chart, with actual or predicted classes in its rows."""
        chart: Chart = find_view(self, "chart")(self, rows=rows)
        return chart

    @suggest_arguments
    def plot(
        self, *, rows: Rows = "actual", ax: Any = None, style: ChartStyleName = "default"
    ) -> Any:
        """Plot the chart with matplotlib, on `ax` if given; `style` is "default" or "paper"."""
        return renderer("matplotlib")(self.chart(rows=rows), ax, style)

    def __str__(self) -> str:
        """Confusion matrix as a text table."""
        return align_columns(self.table())

    def _repr_html_(self) -> str:
        """The matrix as notebooks show it, with the class names on both axes."""
        if len(self.classes) > MAX_NOTEBOOK_ROWS:
            return super()._repr_html_()
        return html_table(self.table(), f"Confusion matrix of {format_count(self.rows)} rows")

    def __repr__(self) -> str:
        """One line: number of classes and rows, and how many are correct."""
        correct = f"{format_count(self.correct)} of {format_count(self.rows)} rows correct"
        return f"ClassMatrix({len(self.classes)} classes, {correct})"


def _as_float(counts: Any) -> Any:
    return np.asarray(counts, np.float64)[()]  # scalars stay scalars


def _cells(matrix: ConfusionMatrix | ClassMatrix) -> Iterator[Cell]:
    rejections = matrix.rejections if np.any(matrix.rejected) else None
    for i, actual in enumerate(matrix.classes):
        for j, predicted in enumerate(matrix.classes):
            yield Cell(actual, predicted, matrix.counts[i, j])
        if rejections is not None:
            yield Cell(actual, REJECTED, rejections[i])


def confusion_counts(matrix: ConfusionMatrix) -> dict[str, Any]:
    """Counts of a confusion matrix by name, with rejected rows only if there are any."""
    names = [f.name for f in fields(matrix) if f.name.endswith(("positives", "negatives"))]
    reported_names = [
        n for n in names if not n.startswith("rejected") or np.any(getattr(matrix, n))
    ]
    return {name: getattr(matrix, name) for name in reported_names}


def _columns(matrix: ConfusionMatrix | ClassMatrix) -> dict[str, list[Any]]:
    if isinstance(matrix, ConfusionMatrix) and np.ndim(matrix.true_positives):
        return confusion_counts(matrix)  # one row per threshold
    cells = list(matrix.cells())
    return {key: [getattr(cell, key) for cell in cells] for key in Cell._fields}


def _table(
    matrix: ConfusionMatrix | ClassMatrix, rows: Rows, order: tuple[int, ...]
) -> list[list[str]]:
    names = [printable(matrix.classes[i]) for i in order]
    table = [[format_count(matrix.counts[i, j]) for j in order] for i in order]
    actual = [f"actual {name}" for name in names]
    predicted = [f"predicted {name}" for name in names]
    if matrix.rejected and matrix.rejections is not None:
        predicted.append(REJECTED)
        for line, i in zip(table, order, strict=True):
            line.append(format_count(matrix.rejections[i]))
    if rows == "predicted":
        table = [list(column) for column in zip(*table, strict=True)]
        actual, predicted = predicted, actual
    body = [[name, *line] for name, line in zip(actual, table, strict=True)]
    return [["", *predicted], *body]
