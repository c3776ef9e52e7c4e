"""What is where; columns and frames of any library as NumPy arrays. Looks at no value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import ColumnError, InputError
from tradeoff.text import plain

FRACTION = r"\.[0-9]+$"
ROLES = ("actual", "weight", "fold", "segment", "cluster")


@dataclass(frozen=True, eq=False)
class Columns:
    """What plays which part: the names of a table's columns, or the values themselves.

    Args:
        actual: The class of each row.
        scores: Names of columns, or one; or values by model, or those of one model.
        weight: What each row counts.
        fold: The fold of each row.
        segment: The segment of each row.
        cluster: The cluster of each row.
        others: Columns that play another part, by its name.
        titles: What messages call the values of a role, where that is not the role itself.
    """

    actual: Any
    scores: Any
    weight: Any = None
    fold: Any = None
    segment: Any = None
    cluster: Any = None
    others: Mapping[str, Any] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def roles(self) -> dict[str, Any]:
        """What plays each part, scores apart."""
        return {role: getattr(self, role) for role in ROLES} | dict(self.others)

    def title(self, role: str) -> str:
        """What messages call the column of a role."""
        return self.titles.get(role, role)

    @property
    def models(self) -> list[Any]:
        """The columns of scores, each once, where these are names."""
        scores = list(self.scores) if isinstance(self.scores, list | tuple) else [self.scores]
        return list(dict.fromkeys(scores)) if all(isinstance(n, str) for n in scores) else scores

    @property
    def are_named(self) -> bool:
        """Whether these can be names of columns."""
        return bool(self.models) and all(isinstance(name, str) for name in self.names)

    @property
    def names(self) -> list[str]:
        """All columns that are counted by."""
        others = (self.weight, self.fold, self.segment)
        return [self.actual, *self.models, *(name for name in others if name is not None)]


def as_column(values: Any, name: str) -> NDArray[Any]:
    """The values as an array; missing numbers are NaN, missing texts None."""
    if not isinstance(values, np.ndarray):
        _require_order(values, name)
        values = _converted(values)
    column: NDArray[Any] = values
    if type(column) is not np.ndarray:
        column = _filled(column) if isinstance(column, np.ma.MaskedArray) else np.asarray(column)
    if not column.dtype.isnative:
        column = column.astype(column.dtype.newbyteorder("="))
    if column.ndim == 1:
        return column
    if column.ndim == 2 and 1 in column.shape:
        return column.ravel()
    advice = "Pass one column, for example scores[:, 1]." if column.ndim == 2 else "Pass a list."
    raise InputError(f"`{name}` must have one dimension, but its shape is {column.shape}. {advice}")


def _require_order(values: Any, name: str) -> None:
    """Values belong to rows by their place, which texts, sets and dicts do not have.

    Example:
        >>> _require_order({0.9, 0.1}, "score")
        Traceback (most recent call last):
        tradeoff.errors.InputError: `score` is a set, which has no order of rows: pass a list.
    """
    kind = type(values).__name__
    if isinstance(values, str | bytes | bytearray):
        raise InputError(
            f"`{name}` is {plain(repr(values))}, not one value a row: pass a list, or the table "
            "that has a column of this name."
        )
    if isinstance(values, AbstractSet | Mapping | MappingView):
        raise InputError(f"`{name}` is a {kind}, which has no order of rows: pass a list.")
    if isinstance(values, Iterator):
        raise InputError(f"`{name}` is a {kind}, which can be read only once: pass a list.")


def require_same_index(*columns: tuple[str, Any]) -> None:
    """Series with an index (pandas) must have the same one: rows are paired by place.

    Aligning them instead would be a guess. Scores that a model gave for shuffled rows have a new
    index 0, 1, 2 …, whose labels are those of other rows.
    """
    indexed = [
        (name, values.index)
        for name, values in columns
        if hasattr(getattr(values, "index", None), "equals")
    ]
    for name, index in indexed[1:]:
        first_name, first = indexed[0]
        if len(index) != len(first) or index is first or index.equals(first):
            continue  # other lengths have a message of their own
        row, (ours, theirs) = next(
            (row, labels)
            for row, labels in enumerate(zip(first, index, strict=True), 1)
            if labels[0] != labels[1]
        )
        raise InputError(
            f"The indices of `{first_name}` and `{name}` differ, first in row {row} "
            f"({plain(repr(ours))} and {plain(repr(theirs))}): bring both to one order, as in "
            f"{name}.reindex({first_name}.index), or pass {name}.to_numpy() if their rows already "
            "belong together."
        )


def _converted(values: Any) -> NDArray[Any]:
    if isinstance(values, list | tuple | range):
        return _from_list(values)
    import narwhals as nw

    series = nw.from_native(values, allow_series=True, pass_through=True)
    if isinstance(series, nw.Series):
        return series_column(series)
    if hasattr(values, "__array__"):
        return np.asarray(values)
    return _from_list(list(values) if hasattr(values, "__iter__") else [values])


def series_column(series: Any) -> NDArray[Any]:
    """A Narwhals series as an array."""
    import narwhals as nw

    if series.dtype.is_nested():
        raise InputError(f"Column {series.name!r} holds {series.dtype}, not one value a row.")
    number = series.dtype.is_numeric() or series.dtype == nw.Boolean
    if (series.dtype.is_integer() or series.dtype == nw.Boolean) and series.null_count():
        # As floats, large integers would lose digits, and booleans their names.
        return np.array(series.to_list(), dtype=object)
    if series.dtype == nw.Binary:
        return _objects(series.to_list())
    if series.dtype.is_decimal():
        floats = series.cast(nw.Float64)
        # Where floats would tie some, each stays what it is.
        if floats.n_unique() < series.n_unique():
            return _objects(series.to_list())
        series = floats
    elif number and series.null_count():
        series = series.cast(nw.Float64)
    elif not number and series.dtype not in (nw.String, nw.Object):
        at_a_time = series.dtype == nw.Datetime
        series = series.cast(nw.String)
        if at_a_time:
            series = series.zip_with(~series.str.contains(FRACTION), without_idle_zeros(series))
    return np.asarray(series.to_numpy())


def without_idle_zeros(moments: Any) -> Any:
    """Times with `FRACTION` as DuckDB and Spark write them, 10:00:01.5, of a Narwhals column.

    Other libraries fill up fractions of seconds with zeros, also where there are none.
    """
    return moments.str.replace_all("0+$", "").str.replace_all(r"\.$", "")


def _objects(values: list[Any]) -> NDArray[Any]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _from_list(values: Any) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError as problem:
        raise InputError(
            "The rows of a list have different lengths; pass plain values."
        ) from problem
    # NumPy would turn None or a number among texts into text; keep what was given.
    if array.dtype.kind in "US" and not all(isinstance(value, str | bytes) for value in values):
        return np.array(values, dtype=object)
    return array


def _filled(values: Any) -> NDArray[Any]:
    if not np.ma.is_masked(values):
        return np.asarray(values.data)
    if values.dtype.kind == "f":
        return np.asarray(values.filled(np.nan))
    if values.dtype.kind == "M":
        return np.asarray(values.filled(np.datetime64("NaT")))
    # Not filled(None): to NumPy that means its own filler, the text "?".
    column = np.asarray(values.data).astype(object)
    column[np.ma.getmaskarray(values)] = None
    return column


# Dataframes of any library that Narwhals knows, eager or lazy: their columns as arrays.


def frame_columns(frame: Any, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    """The named columns of a dataframe (all, without names); a lazy one is asked for these only."""
    import narwhals as nw

    try:
        return _columns(nw.from_native(frame, pass_through=True), frame, names)
    except nw.exceptions.NarwhalsError as problem:
        raise InputError(f"The dataframe cannot be read: {problem}") from problem


def _columns(known: Any, frame: Any, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    import narwhals as nw

    if not isinstance(known, nw.DataFrame | nw.LazyFrame):
        raise InputError(
            f"{type(frame).__name__!r} is no dataframe that can be read. Pass a pandas, polars, "
            "pyarrow or DuckDB table, a path, or arrays as actual= and score=."
        )
    found = known.collect_schema().names()
    if names is None and (odd := [name for name in found if not isinstance(name, str)]):
        raise InputError(f"Columns are named by texts, not by {odd[0]!r}: rename them.")
    names = found if names is None else names
    for name in names:
        if name not in found:
            raise ColumnError.missing(name, found)
    table = known.select(*dict.fromkeys(names))
    if isinstance(table, nw.LazyFrame):
        table = table.collect()
    return {name: series_column(table[name]) for name in dict.fromkeys(names)}


def declared_in_frame(frame: Any) -> dict[str, tuple[str, ...]]:
    """The categories of a dataframe's categorical columns; a lazy one is not asked."""
    import narwhals as nw

    known = nw.from_native(frame, pass_through=True)
    if not isinstance(known, nw.DataFrame):
        return {}
    kinds = (nw.Categorical, nw.Enum)
    named = [name for name, kind in known.schema.items() if isinstance(kind, kinds)]
    return {name: tuple(map(str, known[name].cat.get_categories().to_list())) for name in named}
