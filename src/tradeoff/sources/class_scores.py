"""Actual classes and one score for each class, checked, become rows of a many-class classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from tradeoff.core.class_scores import ClassScores
from tradeoff.errors import InputError, did_you_mean, listed
from tradeoff.sources.classes import Labels, class_name, first_rows, missing_rows
from tradeoff.sources.columns import as_column, require_same_index
from tradeoff.sources.policy import (
    Fault,
    as_scores,
    as_weights,
    require_classes,
    require_equal_lengths,
)
from tradeoff.sources.read import table_columns
from tradeoff.text import rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

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
        by_class = scores if isinstance(scores, Mapping) else {}
        columns = [(f"scores[{name!r}]", values) for name, values in by_class.items()]
        require_same_index(("actual", actual), *columns, ("scores", scores), ("weight", weight))
    named = _named(scores, classes, is_named=data is not None)
    given = _values(actual, named, weight) if data is None else _read(data, actual, named, weight)
    return _checked(given, missing)


@dataclass(frozen=True)
class _Given:
    """Columns as they came, under the names that messages use."""

    actual: NDArray[Any]
    actual_name: str
    scores: dict[str, NDArray[Any]]
    score_names: dict[str, str]
    weight: NDArray[Any] | None
    weight_name: str = "weight"


def _named(scores: Any, classes: Any, *, is_named: bool) -> dict[str, Any]:
    """The column of each class, or its name."""
    if isinstance(scores, Mapping):
        if classes is not None:
            raise InputError(
                "`scores` already says which column belongs to which class: leave `classes` out."
            )
        return _by_class(list(scores), list(scores.values()))
    if is_named:
        if isinstance(scores, str) or not isinstance(scores, list | tuple):
            raise InputError(
                "With data, `scores` is a list of columns or a mapping from classes to columns, "
                f"not {type(scores).__name__!r}."
            )
        return _by_class(scores if classes is None else classes, list(scores))
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
    return _by_class(classes, [table[:, at] for at in range(table.shape[1])])


def _by_class(classes: Any, columns: list[Any]) -> dict[str, Any]:
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


def _values(actual: Any, scores: dict[str, Any], weight: Any) -> _Given:
    names = {name: f"scores[{name!r}]" for name in scores}
    return _Given(
        as_column(actual, "actual"),
        "actual",
        {name: as_column(values, names[name]) for name, values in scores.items()},
        names,
        None if weight is None else as_column(weight, "weight"),
    )


def _read(data: Any, actual: Any, scores: dict[str, Any], weight: Any) -> _Given:
    wanted = [actual, *scores.values(), *([] if weight is None else [weight])]
    columns = table_columns(data, wanted)
    return _Given(
        columns[actual],
        actual,
        {name: columns[column] for name, column in scores.items()},
        dict(scores),
        None if weight is None else columns[weight],
        "weight" if weight is None else weight,
    )


def _checked(given: _Given, missing: MissingScores) -> ClassScores:
    weights = _weights(given)
    places, notes = _with_class(given, weights, missing)
    classes = tuple(given.scores)
    codes = _codes(given.actual[places], classes, given.actual_name, places)
    if len(classes) < 2:
        raise InputError(
            f"Scores of two classes or more are needed, and there are those of {listed(classes)} "
            "alone. To judge one score of two classes, use evaluate(actual=…, score=…)."
        )
    columns, changed = _floats(given, codes, places)
    kept, left_out = _with_scores(columns, given.score_names, places, missing)
    codes = codes[kept]
    return ClassScores(
        tuple(column[kept] for column in columns.values()),
        codes,
        classes,
        None if weights is None else weights[places][kept],
        (*notes, *changed, *left_out, *_absent(codes, classes)),
    )


def _weights(given: _Given) -> NDArray[Any] | None:
    """The weights, once all columns are known to have the same length."""
    for name, column in given.scores.items():
        require_equal_lengths(given.actual, column, given.actual_name, given.score_names[name])
    if given.weight is None:
        return None
    require_equal_lengths(given.actual, given.weight, given.actual_name, given.weight_name)
    return as_weights(given.weight, given.weight_name)


def _floats(
    given: _Given, codes: NDArray[np.intp], places: NDArray[np.intp]
) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """The scores of each class as floats, and what was done to them."""
    columns: dict[str, NDArray[Any]] = {}
    notes: list[str] = []
    actual = given.actual[places]
    for at, (name, column) in enumerate(given.scores.items()):
        known = Labels(codes == at, name, f"not {name}")
        scores = as_scores(column[places], actual, known, given.score_names[name], places)
        columns[name] = scores.values
        notes += scores.notes
    return columns, notes


def _absent(codes: NDArray[np.intp], classes: tuple[str, ...]) -> list[str]:
    """A note on classes that have scores and no rows."""
    found = np.bincount(codes, minlength=len(classes))
    absent = [name for name, size in zip(classes, found, strict=True) if not size]
    if not absent:
        return []
    one = len(absent) == 1
    words = ("class", "its") if one else ("classes", "their")
    return [f"no row has the {words[0]} {listed(absent)}: {words[1]} areas are undefined"]


def _with_class(
    given: _Given, weights: NDArray[Any] | None, missing: MissingScores
) -> tuple[NDArray[np.intp], list[str]]:
    """The numbers of the rows that count: rows of weight 0 do not."""
    counts = np.ones(len(given.actual), np.bool_) if weights is None else weights > 0
    absent = missing_rows(given.actual) & counts
    if not absent.any():
        return np.flatnonzero(counts), []
    size = int(absent.sum())
    if missing == "error":
        require_classes(Fault().add(absent), int(counts.sum()), given.actual_name)
    return np.flatnonzero(counts & ~absent), [f"{rows(size)} without a class: left out"]


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
    columns: dict[str, NDArray[Any]],
    names: dict[str, str],
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
    where = ", ".join(f"`{names[name]}`" for name, gaps in absent.items() if gaps.any())
    raise InputError(
        f"{size:,} of {rows(len(places))} lack a score in {where} (first: "
        f'{first_rows(lacking, places)}). Fill it in, or leave such rows out with missing="drop"; '
        "the output will tell."
    )
