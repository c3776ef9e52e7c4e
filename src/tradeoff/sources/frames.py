"""Dataframes of any library that Narwhals knows, eager or lazy: their columns as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.columns import series_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


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
