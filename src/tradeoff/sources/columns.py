"""One column of anything, as a NumPy array of one dimension. Looks at no value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def as_column(values: Any, name: str) -> NDArray[Any]:
    """The values as an array; missing numbers are NaN, missing texts None."""
    column: NDArray[Any] = values if isinstance(values, np.ndarray) else _converted(values)
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
    if number and (series.dtype.is_decimal() or series.null_count()):
        series = series.cast(nw.Float64)
    elif not number and series.dtype not in (nw.String, nw.Object):
        at_a_time = series.dtype == nw.Datetime
        series = series.cast(nw.String)
        # Some libraries write fractions of seconds also where there are none.
        series = series.str.replace(r"\.0+$", "") if at_a_time else series
    return np.asarray(series.to_numpy())


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
