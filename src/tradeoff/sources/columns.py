"""Columns of a data set: their roles, conversion to NumPy arrays, equal lengths and indices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import ColumnError, InputError
from tradeoff.formatting import format_rows, printable

FRACTIONAL_SECONDS = r"\.[0-9]+$"
ROLES = ("actual", "weight", "fold", "segment", "cluster")


@dataclass(frozen=True, eq=False)
class Columns:
    """Column of each role (actual class, scores, weight, ...): a name, or the values themselves.

    Args:
        actual: The class of each row.
        scores: Names of the score columns, or a single name; or the values themselves, as a
            mapping from models or for a single model.
        weight: The weight of each row.
        fold: The fold of each row.
        segment: The segment of each row.
        cluster: The cluster of each row.
        others: Columns of other roles, by role.
        titles: Column names for messages, by role, where they differ from the role.
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
        """Column of each role, without scores."""
        return {role: getattr(self, role) for role in ROLES} | dict(self.others)

    def title(self, role: str) -> str:
        """Name of the column with a role, for messages."""
        return self.titles.get(role, role)

    @property
    def models(self) -> list[Any]:
        """Score columns, without repeated names."""
        scores = list(self.scores) if isinstance(self.scores, list | tuple) else [self.scores]
        return list(dict.fromkeys(scores)) if all(isinstance(n, str) for n in scores) else scores

    @property
    def are_named(self) -> bool:
        """Whether the columns in `names` are all given by name."""
        return bool(self.models) and all(isinstance(name, str) for name in self.names)

    @property
    def names(self) -> list[str]:
        """Names of the columns of the actual class, scores, weight, fold and segment."""
        others = (self.weight, self.fold, self.segment)
        return [self.actual, *self.models, *(name for name in others if name is not None)]


def column_array(values: Any, name: str) -> NDArray[Any]:
    """Convert a column (series, list or array) to a one-dimensional array; missing: NaN or None."""
    column = values_array(values, name)
    if column.ndim == 1:
        return column
    if column.ndim == 2 and 1 in column.shape:
        return column.ravel()
    remedy = "Pass one column, for example scores[:, 1]." if column.ndim == 2 else "Pass a list."
    raise InputError(f"`{name}` must have one dimension, but its shape is {column.shape}. {remedy}")


def values_array(values: Any, name: str) -> NDArray[Any]:
    """Convert column values (series, list, array or tensor) to an array of the same shape.

    Series are those of pandas, polars and pyarrow, of any type; other libraries' arrays and tensors
    are read through `__array__` or DLPack, without copying where that is possible.
    """
    if not isinstance(values, np.ndarray):
        _require_order(values, name)
        values = _to_array(values, name)
    array: NDArray[Any] = values
    if type(array) is not np.ndarray:
        array = _masked_array(array) if isinstance(array, np.ma.MaskedArray) else np.asarray(array)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def _require_order(values: Any, name: str) -> None:
    """Require values that list rows in order, unlike strings, sets and dicts.

    Example:
        >>> _require_order({0.9, 0.1}, "score")
        Traceback (most recent call last):
        tradeoff.errors.InputError: `score` is a set, which has no row order: pass a list.
    """
    kind = type(values).__name__
    if isinstance(values, str | bytes | bytearray):
        raise InputError(
            f"`{name}` is {printable(repr(values))}, not one value per row: pass a list, or the "
            "table that has a column of this name."
        )
    if isinstance(values, AbstractSet | Mapping | MappingView):
        raise InputError(f"`{name}` is a {kind}, which has no row order: pass a list.")
    if isinstance(values, Iterator):
        raise InputError(f"`{name}` is a {kind}, which can be read only once: pass a list.")


def require_same_index(*columns: tuple[str, Any]) -> None:
    """Require columns that are pandas series to have equal indices: rows are paired by position.

    Aligning the series instead would be a guess: the scores that a model returns for shuffled rows
    often have a new index 0, 1, 2 …, whose labels belong to other rows.
    """
    indices = [
        (name, values.index)
        for name, values in columns
        if hasattr(getattr(values, "index", None), "equals")
    ]
    for name, index in indices[1:]:
        first_name, first_index = indices[0]
        if len(index) != len(first_index) or index is first_index or index.equals(first_index):
            continue  # unequal lengths are reported elsewhere
        row, (first_label, label) = next(
            (row, labels)
            for row, labels in enumerate(zip(first_index, index, strict=True), 1)
            if labels[0] != labels[1]
        )
        raise InputError(
            f"The indices of `{first_name}` and `{name}` differ, first in row {row} "
            f"({printable(repr(first_label))} and {printable(repr(label))}): align them, as in "
            f"{name}.reindex({first_name}.index), or pass {name}.to_numpy() if the rows already "
            "correspond by position."
        )


def require_equal_lengths(
    actual: NDArray[Any], other: NDArray[Any], actual_name: str, name: str
) -> None:
    """Require two columns to have equal length."""
    if len(actual) != len(other):
        raise InputError(
            f"`{actual_name}` ({format_rows(len(actual))}) and `{name}` "
            f"({format_rows(len(other))}) must have the same "
            "length."
        )


def _to_array(values: Any, name: str) -> NDArray[Any]:
    if isinstance(values, list | tuple | range):
        if len(values) and _is_tensor(values[0]):
            return _list_array([_tensor_array(value, name) for value in values])
        return _list_array(values)
    import narwhals as nw

    series = nw.from_native(values, allow_series=True, pass_through=True)
    if isinstance(series, nw.Series):
        return series_array(series)
    if _is_tensor(values):
        return _tensor_array(values, name)
    return _list_array(list(values) if hasattr(values, "__iter__") else [values])


def _is_tensor(values: Any) -> bool:
    """Whether values are an array or tensor of a library other than NumPy."""
    return not isinstance(values, np.ndarray | np.generic | type) and (
        hasattr(values, "__array__") or hasattr(values, "__dlpack__")
    )


def _tensor_array(values: Any, name: str) -> NDArray[Any]:
    """Convert an array or tensor of another library, detached from any gradient.

    PyTorch refuses to convert tensors that need a gradient or hold bfloat16, a type that NumPy
    lacks; as float32, these have the same values.
    """
    if getattr(values, "requires_grad", False):
        values = values.detach()
    if str(getattr(values, "dtype", "")) == "torch.bfloat16":
        values = values.float()
    try:
        return np.asarray(values) if hasattr(values, "__array__") else np.from_dlpack(values)
    except (RuntimeError, TypeError, ValueError, BufferError) as problem:
        kind = printable(type(values).__name__)
        device = getattr(values, "device", None)
        if device is not None and str(device) != "cpu":
            raise InputError(
                f"`{name}` is a {kind} on the device {printable(str(device))}: copy it to the main "
                f"memory, as in {name}.cpu()."
            ) from problem
        reason = printable(str(problem).partition("\n")[0].rstrip("."), 100)
        raise InputError(
            f"`{name}` is a {kind} that NumPy cannot read ({reason}): pass a NumPy array or a list."
        ) from problem


def series_array(series: Any) -> NDArray[Any]:
    """Convert a column that is a Narwhals series to a NumPy array."""
    import narwhals as nw

    if series.dtype.is_nested():
        raise InputError(f"Column {series.name!r} holds {series.dtype}, not one value per row.")
    is_number = series.dtype.is_numeric() or series.dtype == nw.Boolean
    if (series.dtype.is_integer() or series.dtype == nw.Boolean) and series.null_count():
        # As floats, large integers would be rounded and booleans would lose their names.
        return np.array(series.to_list(), dtype=object)
    if series.dtype == nw.Binary:
        return _object_array(series.to_list())
    if series.dtype.is_decimal():
        floats = series.cast(nw.Float64)
        # Keep decimals if distinct ones would be tied as floats.
        if floats.n_unique() < series.n_unique():
            return _object_array(series.to_list())
        series = floats
    elif is_number and series.null_count():
        series = series.cast(nw.Float64)
    elif not is_number and series.dtype not in (nw.String, nw.Object):
        is_datetime = series.dtype == nw.Datetime
        series = series.cast(nw.String)
        if is_datetime:
            series = series.zip_with(
                ~series.str.contains(FRACTIONAL_SECONDS), normalize_datetime_column(series)
            )
    return np.asarray(series.to_numpy())


def normalize_datetime_column(datetimes: Any) -> Any:
    """Strip trailing zeros from the fractional seconds of datetime strings in a Narwhals column.

    DuckDB and Spark omit these zeros; other libraries pad fractional seconds with them.
    """
    return datetimes.str.replace_all("0+$", "").str.replace_all(r"\.$", "")


def _object_array(values: list[Any]) -> NDArray[Any]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _list_array(values: Any) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError as problem:
        raise InputError(
            "The rows of a list have different lengths; pass one value per row."
        ) from problem
    # NumPy would convert None or a number among strings to a string.
    if array.dtype.kind in "US" and not all(isinstance(value, str | bytes) for value in values):
        return np.array(values, dtype=object)
    return array


def _masked_array(values: Any) -> NDArray[Any]:
    if not np.ma.is_masked(values):
        return np.asarray(values.data)
    if values.dtype.kind == "f":
        return np.asarray(values.filled(np.nan))
    if values.dtype.kind == "M":
        return np.asarray(values.filled(np.datetime64("NaT")))
    # Not filled(None), which NumPy takes to mean its default fill value, "?".
    column = np.asarray(values.data).astype(object)
    column[np.ma.getmaskarray(values)] = None
    return column


# Columns of dataframes from any library that Narwhals supports, eager or lazy.


def frame_columns(frame: Any, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    """Columns of a dataframe as arrays: those in `names`, or all if it is None."""
    import narwhals as nw

    try:
        return _frame_arrays(nw.from_native(frame, pass_through=True), frame, names)
    except nw.exceptions.NarwhalsError as problem:
        raise InputError(f"The dataframe cannot be read: {problem}") from problem


def _frame_arrays(table: Any, frame: Any, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    import narwhals as nw

    if not isinstance(table, nw.DataFrame | nw.LazyFrame):
        raise InputError(
            f"{type(frame).__name__!r} is not a supported dataframe. Pass a pandas, polars, "
            "pyarrow or DuckDB table, a path, or arrays as actual= and score=."
        )
    available_columns = table.collect_schema().names()
    if names is None and (
        invalid_names := [name for name in available_columns if not isinstance(name, str)]
    ):
        raise InputError(
            f"Column names must be strings, not {invalid_names[0]!r}: rename the columns."
        )
    names = available_columns if names is None else names
    for name in names:
        if name not in available_columns:
            raise ColumnError.missing(name, available_columns)
    selection = table.select(*dict.fromkeys(names))
    if isinstance(selection, nw.LazyFrame):
        selection = selection.collect()
    return {name: series_array(selection[name]) for name in dict.fromkeys(names)}


def is_frame(data: Any) -> bool:
    """Whether data is a dataframe of a library that Narwhals knows, eager or lazy."""
    import narwhals as nw

    return isinstance(nw.from_native(data, pass_through=True), nw.DataFrame | nw.LazyFrame)


def frame_column_names(frame: Any) -> list[str]:
    """Names of the columns of a dataframe."""
    import narwhals as nw

    return list(nw.from_native(frame).collect_schema().names())


def first_frame_rows(frame: Any, limit: int) -> tuple[dict[str, NDArray[Any]], int]:
    """All columns of the first rows of a dataframe, and the number of rows that it has."""
    import narwhals as nw

    table = nw.from_native(frame, pass_through=True)
    if isinstance(table, nw.LazyFrame):
        total = int(table.select(nw.len()).collect().item())
        return frame_columns(table.head(limit).collect().to_native(), None), total
    if not isinstance(table, nw.DataFrame):
        return frame_columns(frame, None), 0  # which reports that it is not a dataframe
    return frame_columns(table.head(limit).to_native(), None), len(table)


def frame_categories(frame: Any) -> dict[str, tuple[str, ...]]:
    """Categories of each categorical column of a dataframe; none for a lazy frame."""
    import narwhals as nw

    table = nw.from_native(frame, pass_through=True)
    if not isinstance(table, nw.DataFrame):
        return {}
    category_types = (nw.Categorical, nw.Enum)
    categorical_columns = [
        name for name, kind in table.schema.items() if isinstance(kind, category_types)
    ]
    return {
        name: tuple(map(str, table[name].cat.get_categories().to_list()))
        for name in categorical_columns
    }
