"""Actual classes and one score for each class, checked, become rows of a many-class classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.class_scores import ClassScores
from tradeoff.errors import InputError, did_you_mean, listed
from tradeoff.sources.classes import Labels, class_name, first_rows
from tradeoff.sources.columns import Columns, as_column, require_same_index
from tradeoff.sources.policy import (
    RowCheck,
    RowPolicy,
    absent_rows,
    as_scores,
    as_weights,
    require_equal_lengths,
)
from tradeoff.sources.read import column_values
from tradeoff.text import rows

MissingScores = Literal["error", "drop"]
TREATMENTS = get_args(MissingScores)


def class_rows(  # noqa: PLR0913 - the border: every choice a caller has about rows
    data: Any = None,
    *,
    actual: Any,
    scores: Any,
    classes: Sequence[Any] | None = None,
    weight: Any = None,
    missing: MissingScores = "error",
) -> ClassScores:
    """Check the rows of a classifier that gives every class a score.

    Args:
        data: A dataframe of any library or the path of a CSV, Parquet or JSON file; then `actual`,
            `scores` and `weight` name its columns. Without it they are the values themselves.
        actual: The class of each row.
        scores: A mapping from each class to its column; or a table with a row for each row and a
            column for each class (with `data`, a list of columns).
        classes: The classes of the columns of such a table, in their order. A list of columns
            needs them only where the columns are not called like the classes.
        weight: What each row counts; 0 leaves it out. Integers say how often a row was seen,
            real numbers how much it matters.
        missing: What to do with rows without a class or without a score: "error" or "drop".

    Example:
        >>> scores = {"cat": [0.9, 0.4, 0.2], "dog": [0.1, 0.6, 0.8]}
        >>> class_rows(actual=["cat", "cat", "dog"], scores=scores)
        ClassScores(3 rows of 'cat' and 'dog')
        >>> table = [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]
        >>> class_rows(actual=[0, 0, 1], scores=table, classes=[0, 1])
        ClassScores(3 rows of '0' and '1')
    """
    if missing not in TREATMENTS:
        raise InputError(f"`missing` is one of {listed(TREATMENTS)}, not {missing!r}.")
    if data is None:
        series = scores.items() if isinstance(scores, Mapping) else ()
        named = [(f"scores[{name!r}]", values) for name, values in series]
        require_same_index(("actual", actual), *named, ("scores", scores), ("weight", weight))
    by_class = _by_class(scores, classes, is_named=data is not None)
    columns, titles = _columns(data, actual, by_class, weight)
    return _checked(columns, titles, missing)


def _by_class(scores: Any, classes: Any, *, is_named: bool) -> dict[str, Any]:
    """The column of each class, or its name."""
    if isinstance(scores, Mapping):
        if classes is not None:
            raise InputError(
                "`scores` already says which column belongs to which class: leave `classes` out."
            )
        return _zipped(list(scores), list(scores.values()))
    if is_named:
        if isinstance(scores, str) or not isinstance(scores, list | tuple):
            raise InputError(
                "With data, `scores` is a list of columns or a mapping from classes to columns, "
                f"not {type(scores).__name__!r}."
            )
        return _zipped(scores if classes is None else classes, list(scores))
    return _columns_of(scores, classes)


def _columns_of(scores: Any, classes: Any) -> dict[str, Any]:
    try:
        table = scores if isinstance(scores, np.ma.MaskedArray) else np.asarray(scores)
    except ValueError as problem:
        raise InputError("The rows of `scores` have different lengths.") from problem
    if table.ndim != 2:
        raise InputError(
            "`scores` is a mapping from classes to columns, or a table with a column for each "
            f"class; this one has the shape {table.shape}."
        )
    if classes is None:
        raise InputError(
            f"`scores` has {table.shape[1]} columns without names: say which classes they belong "
            "to, in their order, with `classes`."
        )
    return _zipped(classes, [table[:, at] for at in range(table.shape[1])])


def _zipped(classes: Any, columns: list[Any]) -> dict[str, Any]:
    if isinstance(classes, str | set | frozenset):
        raise InputError(f"`classes` is a list of classes, not {classes!r}.")
    names = [class_name(name) for name in classes]
    if len(names) != len(columns):
        raise InputError(
            f"`classes` names {len(names)} classes, but `scores` has {len(columns)} columns."
        )
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise InputError(f"Each class has one column of scores; {listed(repeated)} came twice.")
    if not names:
        raise InputError("`scores` holds no class: give each class a column of scores.")
    return dict(zip(names, columns, strict=True))


def _columns(
    data: Any, actual: Any, by_class: Mapping[str, Any], weight: Any
) -> tuple[Columns, dict[str, str]]:
    """Columns of equal length, scores by class, and what messages call the scores."""
    if data is None:
        titles = {name: f"scores[{name!r}]" for name in by_class}
        values = Columns(
            actual, {titles[name]: column for name, column in by_class.items()}, weight
        )
    else:
        titles = dict(by_class)
        values = column_values(data, Columns(actual, list(by_class.values()), weight))
    actual = as_column(values.actual, values.title("actual"))

    def as_array(column: Any, title: str) -> NDArray[Any]:
        array = as_column(column, title)
        require_equal_lengths(actual, array, values.title("actual"), title)
        return array

    scores = {name: as_array(values.scores[title], title) for name, title in titles.items()}
    weights = None if values.weight is None else as_array(values.weight, values.title("weight"))
    return replace(values, actual=actual, scores=scores, weight=weights), titles


def _checked(columns: Columns, titles: Mapping[str, str], missing: MissingScores) -> ClassScores:
    actual, classes, weights = columns.actual, tuple(columns.scores), columns.weight
    weights = None if weights is None else as_weights(weights, columns.title("weight"))
    check = RowCheck(RowPolicy(missing=missing), columns.title("actual"))
    keep = check.keep(absent_rows(actual), weights, size=len(actual))
    check.require_known()
    places = np.arange(len(actual)) if keep is None else np.flatnonzero(keep)
    actual = actual[places]
    codes = _codes(actual, classes, columns.title("actual"), places)
    if len(classes) < 2:
        raise InputError(
            f"Scores of two classes or more are needed, and there are those of {listed(classes)} "
            "alone. To judge one score of two classes, use evaluate(actual=…, score=…)."
        )
    scores = [
        as_scores(column[places], actual, Labels(codes == at, name, ""), titles[name], places)
        for at, (name, column) in enumerate(columns.scores.items())
    ]
    by_title = dict(zip(titles.values(), (column.values for column in scores), strict=True))
    scored, left_out = _with_scores(by_title, places, missing)
    changes = (*(note for column in scores for note in column.notes), *left_out)
    codes = codes[scored]
    return ClassScores(
        tuple(column.values[scored] for column in scores),
        codes,
        classes,
        None if weights is None else weights[places][scored],
        (*check.notes("", changes), *_absent(codes, classes)),
    )


def _absent(codes: NDArray[np.intp], classes: tuple[str, ...]) -> list[str]:
    """A note on classes that have scores and no rows."""
    found = np.bincount(codes, minlength=len(classes))
    absent = [name for name, size in zip(classes, found, strict=True) if not size]
    if not absent:
        return []
    one = len(absent) == 1
    words = ("class", "its") if one else ("classes", "their")
    return [f"no row has the {words[0]} {listed(absent)}: {words[1]} areas are undefined"]


def _codes(
    actual: NDArray[Any], classes: tuple[str, ...], name: str, places: NDArray[np.intp]
) -> NDArray[np.intp]:
    """The place of each row's class among those that have scores."""
    if actual.dtype.kind == "O":
        actual = np.array([class_name(value) for value in actual], dtype=np.str_)
    values, found = np.unique(actual, return_inverse=True)
    own = [class_name(value) for value in values]
    known = {known: at for at, known in enumerate(classes)}
    strange = [one for one in own if one not in known]
    if not strange:
        return np.array([known[one] for one in own], np.intp)[found]
    first = first_rows(np.isin(found, [own.index(one) for one in strange]), places)
    hints = [(one, did_you_mean(one, classes)) for one in strange[:3]]
    close = "".join(f" For {one!r}:{hint}" for one, hint in hints if hint)
    many = "class" if len(strange) == 1 else "classes"
    raise InputError(
        f"There are no scores for the {many} {listed(strange, 6)} of {name!r} (first: {first})."
        f"{hints[0][1] if len(strange) == 1 else close} There are scores for {listed(classes)}."
    )


def _with_scores(
    columns: Mapping[str, NDArray[Any]],
    places: NDArray[np.intp],
    missing: MissingScores,
) -> tuple[NDArray[np.bool_], list[str]]:
    """The rows that have a score for every class."""
    absent = {name: np.isnan(column) for name, column in columns.items()}
    lacking = np.logical_or.reduce(list(absent.values()))
    size = int(lacking.sum())
    if not size:
        return ~lacking, []
    if missing == "drop":
        return ~lacking, [f"{rows(size)} without a score for every class: left out"]
    where = ", ".join(f"`{name}`" for name, gaps in absent.items() if gaps.any())
    raise InputError(
        f"{size:,} of {rows(len(places))} lack a score in {where} (first: "
        f'{first_rows(lacking, places)}). Fill it in, or leave such rows out with missing="drop"; '
        "the output will tell."
    )
