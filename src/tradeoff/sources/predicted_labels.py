"""Predicted labels (a class per row and model), read from arrays, dataframes or files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import REJECTED, ClassMatrix, ConfusionMatrix
from tradeoff.errors import InputError, format_list
from tradeoff.formatting import format_rows
from tradeoff.sources.classes import class_labels, class_name, spelling
from tradeoff.sources.columns import (
    Columns,
    column_array,
    require_equal_lengths,
    require_same_index,
)
from tradeoff.sources.files import Query
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.read_columns import read_column_values
from tradeoff.sources.row_numbers import format_first_rows
from tradeoff.sources.row_rules import numeric_weights
from tradeoff.wording import ROWS, Wording

MissingLabels = Literal["error", "drop", "reject"]
MISSING_POLICIES = get_args(MissingLabels)
UNDECIDED, MISSING = -1, -2
"""Codes of predictions that are not a class."""


@dataclass(frozen=True, eq=False, repr=False)
class LabelRows:
    """Rows with an actual class and the label predicted by each model.

    `codes` holds the index of each row's actual class in `classes`, `predictions` that of the class
    predicted by each model: `UNDECIDED` if it decides on none, `MISSING` if its prediction is
    missing and left out. With two classes, the first is the positive one (`is_binary`). `wording`
    is what the user calls rows in text.

    Example:
        >>> read_predicted_labels(actual=[1, 0, 1], predicted={"rule": [1, 1, 0]})
        LabelRows(3 rows, predictions of 'rule')
    """

    classes: tuple[str, ...]
    codes: NDArray[np.intp]
    predictions: Mapping[str, NDArray[np.intp]]
    weights: NDArray[Any] | None = None
    is_binary: bool = True
    notes: tuple[str, ...] = ()
    wording: Wording = ROWS

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def is_counted(self) -> bool:
        """Whether rows have no weights, or weights that are frequencies."""
        return self.weights is None or self.weights.dtype.kind == "i"

    def matrix(self, name: str) -> ConfusionMatrix | ClassMatrix:
        """Confusion matrix of a model."""
        matrix = self._class_matrix(name, self.weights)
        if not self.is_binary:
            return matrix
        binary = matrix.one_against_rest(self.classes[0])
        if self.is_counted or self.weights is None:
            return binary
        squares = self._class_matrix(name, self.weights**2).one_against_rest(self.classes[0])
        return replace(binary, squares=squares)

    def shared(self) -> LabelRows:
        """The rows for which every model has a prediction."""
        keep = np.logical_and.reduce([codes != MISSING for codes in self.predictions.values()])
        return replace(
            self,
            codes=self.codes[keep],
            predictions={name: codes[keep] for name, codes in self.predictions.items()},
            weights=None if self.weights is None else self.weights[keep],
        )

    def select(self, *names: str) -> LabelRows:
        """The predictions of some models."""
        return replace(self, predictions={name: self.predictions[name] for name in names})

    def _class_matrix(self, name: str, weights: NDArray[Any] | None) -> ClassMatrix:
        size, predicted = len(self.classes), self.predictions[name]
        keep = predicted != MISSING
        columns = np.where(predicted == UNDECIDED, size, predicted)[keep]
        cells = self.codes[keep] * (size + 1) + columns
        counts: NDArray[Any] = np.zeros(
            size * (size + 1), np.int64 if weights is None else weights.dtype
        )
        np.add.at(counts, cells, 1 if weights is None else weights[keep])
        table = counts.reshape(size, size + 1)
        rejections = table[:, size] if (predicted == UNDECIDED).any() else None
        return ClassMatrix(table[:, :size], self.classes, rejections)

    def __repr__(self) -> str:
        """One line: number of rows and names of the models."""
        names = format_list(self.predictions)
        return f"LabelRows({format_rows(self.rows)}, predictions of {names})"


def read_predicted_labels(  # noqa: PLR0913 - all options of a public function
    data: Any = None,
    *,
    actual: Any,
    predicted: Any,
    positive: Any = None,
    weight: Any = None,
    missing: MissingLabels = "error",
    rejected: Any = None,
    wording: Wording = ROWS,
) -> LabelRows:
    """Read and check predicted labels: for each row, its actual class and that of each model.

    Args:
        data: A table, as for `evaluate`; then the other arguments name its columns. Without data
            they are the values themselves.
        actual: The actual class of each row.
        predicted: The predicted class of each row: one column, or a list of columns or a mapping
            from names to columns for several models.
        positive: The positive class, as for `evaluate`; with more classes, the others are negative.
        weight: The weight of each row; 0 leaves it out.
        missing: What to do with rows without a prediction: "error", "drop" (also rows without an
            actual class) or "reject" (undecided).
        rejected: The value of a prediction that stands for "undecided".
        wording: The user's words for rows.
    """
    if missing not in MISSING_POLICIES:
        raise InputError(
            f"`missing` must be one of {format_list(MISSING_POLICIES)}, not {missing!r}."
        )
    columns = _label_columns(data, actual, predicted, weight)
    title = columns.title("actual")
    actual_values = column_array(columns.actual, title)
    weights = None
    if columns.weight is not None:
        weights = numeric_weights(column_array(columns.weight, columns.title("weight")), "weight")
        require_equal_lengths(actual_values, weights, title, columns.title("weight"))
    labels = {name: column_array(values, name) for name, values in columns.scores.items()}
    for name, values in labels.items():
        require_equal_lengths(actual_values, values, title, name)
    if weights is not None:
        keep = weights > 0
        actual_values, weights = actual_values[keep], weights[keep]
        labels = {name: values[keep] for name, values in labels.items()}
    if not len(actual_values):
        raise InputError("There are no rows to evaluate.")
    notes = []
    absent = missing_rows(actual_values)
    if absent.any():
        notes.append(_missing_class_note(absent, title, missing, wording))
        actual_values = actual_values[~absent]
        weights = None if weights is None else weights[~absent]
        labels = {name: values[~absent] for name, values in labels.items()}
    rows = _label_rows(actual_values, labels, weights, title, positive, missing, rejected, wording)
    return replace(rows, notes=(*notes, *rows.notes))


def source_and_classes(data: Any, actual: Any, predicted: Any) -> tuple[Any, Any]:
    """Source of the labels, if any, and actual classes: either may be the first argument."""
    if predicted is None:
        raise InputError(
            "There are no predicted classes: use evaluate_labels(y, predicted), or "
            'evaluate_labels(table, actual="column", predicted="column").'
        )
    if actual is not None:
        return data, actual
    is_table = isinstance(data, str | os.PathLike | Query) or hasattr(data, "columns")
    if data is None or is_table:
        raise InputError("There are no actual classes: name their column, actual=….")
    return None, data


def _label_columns(data: Any, actual: Any, predicted: Any, weight: Any) -> Columns:
    """Columns with their values; predictions are in the place of scores."""
    if predicted is None or (isinstance(predicted, list | tuple | Mapping) and not predicted):
        raise InputError("There are no predicted classes: predicted=… is missing.")
    if data is not None:
        names = [predicted] if isinstance(predicted, str) else list(predicted)
        return read_column_values(data, Columns(actual, names, weight))
    if not isinstance(predicted, Mapping):
        name = getattr(predicted, "name", None)
        predicted = {name if isinstance(name, str) and name else "predicted": predicted}
    require_same_index(("actual", actual), *predicted.items(), ("weight", weight))
    if actual is None:
        raise InputError("There are no actual classes: actual=… is missing.")
    return Columns(actual, {str(name): values for name, values in predicted.items()}, weight)


def _missing_class_note(
    absent: NDArray[np.bool_], title: str, missing: MissingLabels, wording: Wording
) -> str:
    """Note that rows without an actual class are left out; an error unless they are dropped."""
    count = int(absent.sum())
    if missing != "drop":
        verb = "has" if count == 1 else "have"
        raise InputError(
            f"{count:,} of {wording.count(len(absent))} {verb} no class in {title!r} (first: "
            f"{format_first_rows(absent)}). A row without an actual class cannot be evaluated: "
            'fill in the class, or leave such rows out with missing="drop".'
        )
    return f"{wording.count(count)} without a class: left out"


def _label_rows(  # noqa: PLR0913, PLR0917 - columns and three rules
    actual: NDArray[Any],
    labels: Mapping[str, NDArray[Any]],
    weights: NDArray[Any] | None,
    title: str,
    positive: Any,
    missing: MissingLabels,
    rejected: Any,
    wording: Wording,
) -> LabelRows:
    are_booleans = [values.dtype.kind == "b" for values in (actual, *labels.values())]
    if any(are_booleans) and not all(are_booleans):  # True and 1 are the same class
        actual = _booleans_as_numbers(actual)
        labels = {name: _booleans_as_numbers(values) for name, values in labels.items()}
    actual_names, codes = _name_codes(actual)
    undecided = None if rejected is None else class_name(rejected)
    if undecided in actual_names:
        raise InputError(
            f"{undecided!r} is an actual class in {title!r}: it cannot mean undecided."
        )
    predicted_names: dict[str, tuple[list[str], NDArray[np.intp]]] = {}
    notes = []
    for name, values in labels.items():
        absent = missing_rows(values)
        if absent.any():
            notes.append(_missing_note(absent, name, missing, wording))
        names, name_codes = _name_codes(values[~absent])
        all_codes = np.full(len(values), MISSING if missing == "drop" else UNDECIDED, np.intp)
        all_codes[~absent] = name_codes
        predicted_names[name] = (names, all_codes)
    extra_names = {
        name: [label for label in names if label not in actual_names and label != undecided]
        for name, (names, _) in predicted_names.items()
    }
    classes = list(dict.fromkeys([*actual_names, *(n for e in extra_names.values() for n in e)]))
    is_binary = positive is not None or len(classes) <= 2
    if is_binary:
        binary = class_labels(actual, positive, name=title)
        _require_known_labels(extra_names, actual_names, title, binary.negative)
        others = [name for name in classes if name != binary.positive]
        classes = [binary.positive, *(others or [binary.negative])]
        if REJECTED in classes:
            raise InputError(f"No class can be called {REJECTED!r} if predictions are undecided.")
    else:
        for name, extra in extra_names.items():
            _require_no_scores(labels[name], name, extra, actual_names)
    index = {name: i for i, name in enumerate(classes)}
    predictions = {}
    for name, (names, name_codes) in predicted_names.items():
        by_code = np.array([index.get(n, UNDECIDED) for n in names] or [UNDECIDED], np.intp)
        class_codes = by_code[np.maximum(name_codes, 0)]
        predictions[name] = np.where(name_codes >= 0, class_codes, name_codes)
    actual_codes = np.array([index[name] for name in actual_names], np.intp)[codes]
    return LabelRows(
        tuple(classes), actual_codes, predictions, weights, is_binary, tuple(notes), wording
    )


def _booleans_as_numbers(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(np.int64) if values.dtype.kind == "b" else values


def _name_codes(values: NDArray[Any]) -> tuple[list[str], NDArray[np.intp]]:
    """Names of the classes that occur, and the index of the class of each row."""
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    distinct, codes = np.unique(values, return_inverse=True)
    return [class_name(value) for value in distinct], codes.astype(np.intp)


def _missing_note(
    absent: NDArray[np.bool_], name: str, missing: MissingLabels, wording: Wording
) -> str:
    count = int(absent.sum())
    if missing == "error":
        verb = "is" if count == 1 else "are"
        raise InputError(
            f"{count:,} of {len(absent):,} predictions in {name!r} {verb} missing (first: "
            f'{format_first_rows(absent)}). Choose missing="drop" or missing="reject" (undecided).'
        )
    treatment = "left out" if missing == "drop" else "undecided"
    return f"{wording.count(count)} without a prediction of {name}: {treatment}"


def _require_known_labels(
    extra_names: Mapping[str, list[str]], actual_names: list[str], title: str, negative: str
) -> None:
    """Require that predictions of two classes are written like the actual classes."""
    for name, extra in extra_names.items():
        if not extra or (len(actual_names) < 2 and set(extra) <= {negative}):
            continue
        if len(actual_names) < 2 and len(extra) == 1:
            continue  # the other class occurs among the predictions alone
        spellings = set(map(spelling, actual_names))
        if any(spelling(name) in spellings for name in extra):
            raise InputError(
                f"{name!r} holds {format_list(extra)}, but {title!r} {format_list(actual_names)}: "
                "write the classes alike in both columns."
            )
        raise InputError(
            f"{name!r} holds {format_list(extra, 4)}, which {title!r} does not: its classes are "
            f"{format_list(actual_names)}. For scores, use score=…; if a value means undecided, "
            f"pass rejected={extra[0]!r}."
        )


def _require_no_scores(
    values: NDArray[Any], name: str, extra: list[str], actual_names: list[str]
) -> None:
    """Refuse a column of numbers none of which is an actual class."""
    distinct = len(np.unique(values.astype(str))) if values.dtype.kind == "O" else len(extra)
    if values.dtype.kind == "f" and distinct == len(extra) and len(extra) > len(actual_names):
        raise InputError(
            f"{name!r} looks like scores, not like predicted classes: no value is an actual class "
            f"({format_list(actual_names, 4)}). Pass it as score=…"
        )
