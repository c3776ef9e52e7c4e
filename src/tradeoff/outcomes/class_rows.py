"""Rows of a cell of a k × k confusion matrix, the closest decisions first."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.class_scores import ClassScores
from tradeoff.errors import InputError, did_you_mean, format_list, suggest_arguments
from tradeoff.files.table_files import require_table_path, write_table
from tradeoff.formatting import format_rows
from tradeoff.outcomes.outcome_rows import (
    DEFAULT_NEAREST,
    OutcomeRows,
    columns_as_arrays,
    id_title,
    require_count,
)
from tradeoff.sources.class_scores import MissingScores, read_class_scores
from tradeoff.sources.classes import class_name
from tradeoff.sources.columns import column_array, require_equal_lengths
from tradeoff.sources.evaluate_arguments import resolve_source_and_actual
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.read_columns import read_table_columns
from tradeoff.sources.row_numbers import format_first_rows
from tradeoff.sources.row_scan import id_columns
from tradeoff.wording import Wording


@suggest_arguments
def class_rows(  # noqa: PLR0913 - options that only the caller can choose
    data: Any = None,
    score: Any = None,
    *,
    actual: Any = None,
    predicted: Any = None,
    actual_class: Any = None,
    predicted_class: Any = None,
    classes: Sequence[Any] | None = None,
    ids: str | Sequence[str] | Mapping[str, Any] = (),
    nearest: int | None = DEFAULT_NEAREST,
    path: str | os.PathLike[str] | None = None,
    missing: MissingScores = "error",
    unit: str = "rows",
) -> OutcomeRows:
    """The rows of a cell of a k × k confusion matrix, the closest decisions first.

    The class with the highest score is predicted (the first in a tie). The margin of an error
    is how much its score exceeds that of the actual class; that of a correct decision, how much it
    exceeds the next.

    Args:
        data: A table, or the actual class of each row, as for `evaluate_classes`.
        score: A mapping from classes to their scores (or columns), as for `evaluate_classes`.
        actual: The actual class of each row, or its column.
        predicted: The predicted class of each row, or its column, instead of scores; rows are then
            listed in their order in the source.
        actual_class: Only rows of this class; by default, rows of any class.
        predicted_class: Only rows predicted to be of this class; by default, only misclassified
            rows are listed.
        classes: The classes of the columns of a table of scores.
        ids: Columns that identify a row, or a mapping from names to values.
        nearest: Number of rows to list; None for all.
        path: Also write all these rows to this .csv or .parquet file.
        missing: What to do with rows without a class or a score: "error" or "drop".
        unit: Plural noun for what the rows represent, such as "patients".

    Example:
        >>> scores = {"a": [0.7, 0.2, 0.1], "b": [0.2, 0.3, 0.6], "c": [0.1, 0.5, 0.3]}
        >>> rows = class_rows(["a", "b", "c"], scores, actual_class="b")
        >>> rows.columns()["predicted"], rows.columns()["row"].tolist()
        (['c'], [2])
    """
    require_count(nearest)
    wording = Wording(unit)
    if path is not None:
        require_table_path(path)
    if (score is None) == (predicted is None):
        raise InputError("Give the scores of the classes, or the predicted classes: not both.")
    if predicted is not None:
        rows = _labelled_rows(data, actual, predicted)
    else:
        data, actual = resolve_source_and_actual(data, actual, score)
        rows = _scored_classes(
            read_class_scores(
                data,
                actual=actual,
                score=score,
                classes=classes,
                missing=missing,
                wording=wording,
            )
        )
    selected = rows.indices_of(actual_class, predicted_class)
    order = np.argsort(rows.margins[selected], kind="stable")
    selected = selected[order]
    identifiers = id_columns(data, [ids] if isinstance(ids, str) else ids)

    def table(indices: NDArray[np.intp]) -> dict[str, Any]:
        source_rows = rows.row_indices[indices]
        columns: dict[str, Any] = {
            id_title(name): values[source_rows] for name, values in identifiers.items()
        }
        columns |= {"row": source_rows.astype(np.int64) + 1}
        columns |= {"actual": [rows.classes[code] for code in rows.actual[indices]]}
        columns |= {"predicted": [rows.classes[code] for code in rows.predicted[indices]]}
        return columns | ({"margin": rows.margins[indices]} if rows.has_margins else {})

    if path is not None:
        write_table(columns_as_arrays(table(selected)), path)
    cell = ", ".join(
        f"{word} {name}"
        for word, name in (("actual", actual_class), ("predicted", predicted_class))
        if name is not None
    )
    if actual_class is not None and predicted_class is None:
        cell += ", predicted otherwise"
    return OutcomeRows(
        cell or "error",
        "",
        "",
        len(rows.actual),
        len(selected),
        table(selected[:nearest]),
        classes=rows.classes,
        notes=rows.notes,
        path=None if path is None else str(path),
        wording=wording,
    )


@dataclass(frozen=True, eq=False)
class _ClassDecisions:
    """Actual and predicted class of each row, as indices of `classes`, and margins."""

    classes: tuple[str, ...]
    actual: NDArray[np.intp]
    predicted: NDArray[np.intp]
    margins: NDArray[np.float64]
    row_indices: NDArray[np.intp]
    has_margins: bool
    notes: tuple[str, ...] = ()

    def indices_of(self, actual_class: Any, predicted_class: Any) -> NDArray[np.intp]:
        """Indices of the rows of a cell; all misclassified rows if no class is given."""
        if actual_class is None and predicted_class is None:
            return np.flatnonzero(self.actual != self.predicted)
        mask = np.ones(len(self.actual), np.bool_)
        if actual_class is not None:
            mask &= self.actual == self._code(actual_class)
        if predicted_class is not None:
            mask &= self.predicted == self._code(predicted_class)
        elif actual_class is not None:
            mask &= self.actual != self.predicted
        return np.flatnonzero(mask)

    def _code(self, value: Any) -> int:
        name = class_name(value)
        if name not in self.classes:
            raise InputError(
                f"There is no class {name!r}.{did_you_mean(name, self.classes)} "
                f"The classes are {format_list(self.classes)}."
            )
        return self.classes.index(name)


def _scored_classes(rows: ClassScores) -> _ClassDecisions:
    """Decisions for the class with the highest score, with their margins."""
    scores = np.stack([column.astype(np.float64) for column in rows.scores])
    predicted = scores.argmax(axis=0)
    places = np.arange(rows.rows)
    top = scores[predicted, places]
    scores[predicted, places] = -np.inf
    is_error = predicted != rows.codes
    rivals = np.where(is_error, scores[rows.codes, places], scores.max(axis=0))
    indices = places if rows.indices is None else rows.indices
    with np.errstate(invalid="ignore"):
        margins = top - rivals
    return _ClassDecisions(rows.classes, rows.codes, predicted, margins, indices, True, rows.notes)


def _labelled_rows(data: Any, actual: Any, predicted: Any) -> _ClassDecisions:
    """Decisions given as predicted labels; rows without a class are an error."""
    if data is not None:
        table = read_table_columns(data, [actual, predicted])
        names = str(actual), str(predicted)
        columns = [table[name] for name in names]
    else:
        names = "actual", "predicted"
        columns = [column_array(actual, names[0]), column_array(predicted, names[1])]
    require_equal_lengths(columns[0], columns[1], names[0], names[1])
    for column, name in zip(columns, names, strict=True):
        is_missing = missing_rows(column)
        if is_missing.any():
            raise InputError(
                f"{int(is_missing.sum()):,} of {format_rows(len(column))} without a class in "
                f"{name!r} (first: {format_first_rows(is_missing)}): fill it in, or leave such "
                "rows out first."
            )
    labels = [np.array([class_name(value) for value in column], object) for column in columns]
    classes = tuple(sorted({*labels[0].tolist(), *labels[1].tolist()}))
    positions = {name: position for position, name in enumerate(classes)}
    codes = [np.array([positions[name] for name in column], np.intp) for column in labels]
    size = len(codes[0])
    return _ClassDecisions(
        classes, codes[0], codes[1], np.zeros(size), np.arange(size), has_margins=False
    )
