"""Read and check class scores (one per class and row) from arrays, dataframes or files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.class_scores import ClassScores
from tradeoff.errors import InputError, did_you_mean, format_list
from tradeoff.formatting import format_rows
from tradeoff.sources.classes import Labels, class_name
from tradeoff.sources.columns import (
    Columns,
    column_array,
    require_equal_lengths,
    require_same_index,
    values_array,
)
from tradeoff.sources.missing_values import missing_rows_or_none
from tradeoff.sources.numeric_columns import numeric_scores
from tradeoff.sources.read_columns import read_column_values
from tradeoff.sources.row_numbers import format_first_rows
from tradeoff.sources.row_policy import RowPolicy
from tradeoff.sources.row_rules import RowCheck, numeric_weights
from tradeoff.wording import ROWS, Wording

MissingScores = Literal["error", "drop"]
MISSING_POLICIES = get_args(MissingScores)


def read_class_scores(  # noqa: PLR0913 - all options of a public function
    data: Any = None,
    *,
    actual: Any,
    score: Any,
    classes: Sequence[Any] | None = None,
    weight: Any = None,
    missing: MissingScores = "error",
    wording: Wording = ROWS,
) -> ClassScores:
    """Read and check class scores: for each row, its actual class and one score per class.

    Args:
        data: A dataframe of any library or the path of a CSV, Parquet or JSON file; then `actual`,
            `score` and `weight` name its columns. Without data they are the values themselves.
        actual: The class of each row.
        score: A mapping from each class to its column, or a table with one column per class
            (with `data`, a list of columns).
        classes: The class of each column of such a table, in order. A list of columns needs
            them only if the columns are not named after the classes.
        weight: Weight of each row; 0 leaves it out. Integers are frequencies, other numbers
            importance weights.
        missing: What to do with rows without a class or without a score: "error" or "drop".
        wording: The user's words for rows.

    Example:
        >>> scores = {"cat": [0.9, 0.4, 0.2], "dog": [0.1, 0.6, 0.8]}
        >>> read_class_scores(actual=["cat", "cat", "dog"], score=scores)
        ClassScores(3 rows of 'cat' and 'dog')
        >>> table = [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]
        >>> read_class_scores(actual=[0, 0, 1], score=table, classes=[0, 1])
        ClassScores(3 rows of '0' and '1')
    """
    if missing not in MISSING_POLICIES:
        raise InputError(
            f"`missing` must be one of {format_list(MISSING_POLICIES)}, not {missing!r}."
        )
    if data is None:
        scores_by_class = score.items() if isinstance(score, Mapping) else ()
        named_columns = [(f"score[{name!r}]", values) for name, values in scores_by_class]
        require_same_index(("actual", actual), *named_columns, ("score", score), ("weight", weight))
    score_columns = _columns_by_class(score, classes, has_data=data is not None)
    columns, titles = _column_arrays(data, actual, score_columns, weight)
    return _check_class_scores(columns, titles, missing, wording)


def _columns_by_class(scores: Any, classes: Any, *, has_data: bool) -> dict[str, Any]:
    """Score column of each class, or the column's name."""
    if isinstance(scores, Mapping):
        if classes is not None:
            raise InputError("`score` already maps classes to columns: leave `classes` out.")
        return _named_columns(list(scores), list(scores.values()))
    if has_data:
        if isinstance(scores, str) or not isinstance(scores, list | tuple):
            raise InputError(
                "With data, `score` is a list of columns or a mapping from classes to columns, "
                f"not {type(scores).__name__!r}."
            )
        return _named_columns(scores if classes is None else classes, list(scores))
    return _table_columns(scores, classes)


def _table_columns(scores: Any, classes: Any) -> dict[str, Any]:
    if isinstance(scores, list | tuple):
        try:
            table = np.asarray(scores)
        except ValueError as problem:
            raise InputError("The rows of `score` have different lengths.") from problem
    else:
        table = values_array(scores, "score")
    if table.ndim != 2:
        raise InputError(
            "`score` must be a mapping from classes to columns, or a table with one column per "
            f"class, but its shape is {table.shape}."
        )
    if classes is None:
        raise InputError(
            f"`score` has {table.shape[1]} columns without names: list their classes in "
            "`classes`, in the same order."
        )
    return _named_columns(classes, [table[:, column] for column in range(table.shape[1])])


def _named_columns(classes: Any, columns: list[Any]) -> dict[str, Any]:
    if isinstance(classes, str | set | frozenset):
        raise InputError(f"`classes` must be a list of classes, not {classes!r}.")
    names = [class_name(name) for name in classes]
    if len(names) != len(columns):
        raise InputError(
            f"`classes` names {len(names)} classes, but `score` has {len(columns)} columns."
        )
    repeated_names = sorted({name for name in names if names.count(name) > 1})
    if repeated_names:
        raise InputError(
            f"Each class needs exactly one column of scores; there are several for "
            f"{format_list(repeated_names)}."
        )
    if not names:
        raise InputError("`score` is empty: give each class a column of scores.")
    return dict(zip(names, columns, strict=True))


def _column_arrays(
    data: Any, actual: Any, score_columns: Mapping[str, Any], weight: Any
) -> tuple[Columns, dict[str, str]]:
    """Columns as arrays of equal length, and the display name of each score column."""
    if data is None:
        titles = {name: f"score[{name!r}]" for name in score_columns}
        values = Columns(
            actual, {titles[name]: column for name, column in score_columns.items()}, weight
        )
    else:
        titles = dict(score_columns)
        values = read_column_values(data, Columns(actual, list(score_columns.values()), weight))
    actual = column_array(values.actual, values.title("actual"))

    def equal_length_array(column: Any, title: str) -> NDArray[Any]:
        array = column_array(column, title)
        require_equal_lengths(actual, array, values.title("actual"), title)
        return array

    scores = {
        name: equal_length_array(values.scores[title], title) for name, title in titles.items()
    }
    weights = (
        None if values.weight is None else equal_length_array(values.weight, values.title("weight"))
    )
    return replace(values, actual=actual, scores=scores, weight=weights), titles


def _check_class_scores(
    columns: Columns, titles: Mapping[str, str], missing: MissingScores, wording: Wording
) -> ClassScores:
    actual, classes, weights = columns.actual, tuple(columns.scores), columns.weight
    weights = None if weights is None else numeric_weights(weights, columns.title("weight"))
    check = RowCheck(RowPolicy(missing=missing, wording=wording), columns.title("actual"))
    keep = check.kept_rows(missing_rows_or_none(actual), weights, size=len(actual))
    check.require_weights_and_classes()
    row_indices = np.arange(len(actual)) if keep is None else np.flatnonzero(keep)
    actual = actual[row_indices]
    codes = _class_codes(actual, classes, columns.title("actual"), row_indices)
    if len(classes) < 2:
        raise InputError(
            f"Scores for at least two classes are needed, not only for {format_list(classes)}. To "
            "evaluate one score with two classes, use evaluate(actual=…, score=…)."
        )
    scores = [
        numeric_scores(
            column[row_indices], actual, Labels(codes == code, name, ""), titles[name], row_indices
        )
        for code, (name, column) in enumerate(columns.scores.items())
    ]
    scores_by_title = dict(zip(titles.values(), (column.values for column in scores), strict=True))
    has_all_scores, drop_notes = _rows_with_all_scores(
        scores_by_title, row_indices, missing, wording
    )
    score_notes = (*(note for column in scores for note in column.notes), *drop_notes)
    codes = codes[has_all_scores]
    return ClassScores(
        tuple(column.values[has_all_scores] for column in scores),
        codes,
        classes,
        None if weights is None else weights[row_indices][has_all_scores],
        (*check.notes("", score_notes), *_absent_classes_note(codes, classes, wording)),
        row_indices[has_all_scores],
        wording,
    )


def _absent_classes_note(
    codes: NDArray[np.intp], classes: tuple[str, ...], wording: Wording
) -> list[str]:
    """Note on classes with scores but without rows."""
    counts = np.bincount(codes, minlength=len(classes))
    absent_classes = [name for name, size in zip(classes, counts, strict=True) if not size]
    if not absent_classes:
        return []
    is_single = len(absent_classes) == 1
    noun, verb = ("class", "its AUC is") if is_single else ("classes", "their AUCs are")
    return [f"no {wording.units} of {noun} {format_list(absent_classes)}: {verb} undefined"]


def _class_codes(
    actual: NDArray[Any], classes: tuple[str, ...], column: str, row_indices: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Index of each row's class among the classes that have scores."""
    if actual.dtype.kind == "O":
        actual = np.array([class_name(value) for value in actual], dtype=np.str_)
    values, codes = np.unique(actual, return_inverse=True)
    names = [class_name(value) for value in values]
    class_codes = {name: code for code, name in enumerate(classes)}
    unknown_classes = [name for name in names if name not in class_codes]
    if not unknown_classes:
        return np.array([class_codes[name] for name in names], np.intp)[codes]
    first_rows = format_first_rows(
        np.isin(codes, [names.index(name) for name in unknown_classes]), row_indices
    )
    hints = [(name, did_you_mean(name, classes)) for name in unknown_classes[:3]]
    suggestions = "".join(f" For {name!r}:{hint}" for name, hint in hints if hint)
    noun = "class" if len(unknown_classes) == 1 else "classes"
    raise InputError(
        f"There are no scores for {noun} {format_list(unknown_classes, 6)} of {column!r} "
        f"(first: {first_rows}).{hints[0][1] if len(unknown_classes) == 1 else suggestions} "
        f"Available scores: {format_list(classes)}."
    )


def _rows_with_all_scores(
    columns: Mapping[str, NDArray[Any]],
    row_indices: NDArray[np.intp],
    missing: MissingScores,
    wording: Wording,
) -> tuple[NDArray[np.bool_], list[str]]:
    """Mask of the rows with a score for every class, and notes on the other rows."""
    missing_by_column = {name: np.isnan(column) for name, column in columns.items()}
    is_incomplete = np.logical_or.reduce(list(missing_by_column.values()))
    incomplete_rows = int(is_incomplete.sum())
    if not incomplete_rows:
        return ~is_incomplete, []
    if missing == "drop":
        return ~is_incomplete, [
            f"{wording.count(incomplete_rows)} without a score for every class: left out"
        ]
    incomplete_columns = ", ".join(
        f"`{name}`" for name, mask in missing_by_column.items() if mask.any()
    )
    verb = "lacks" if incomplete_rows == 1 else "lack"
    raise InputError(
        f"{incomplete_rows:,} of {format_rows(len(row_indices))} {verb} a score in "
        f"{incomplete_columns} (first: {format_first_rows(is_incomplete, row_indices)}). Fill it "
        'in, or leave such rows out with missing="drop"; the output reports how many rows are '
        "affected."
    )
