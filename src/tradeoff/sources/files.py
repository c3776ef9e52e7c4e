"""Columns of files as arrays: ARFF by our own reader, all else by DuckDB inside this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import ColumnError
from tradeoff.sources.columns import as_column
from tradeoff.sources.kinds import exact_kinds, named
from tradeoff.sources.quoting import quoted
from tradeoff.sources.relations import (
    Query,
    connected,
    demand_single,
    is_csv,
    is_parquet,
    is_text,
    relation,
    told,
    typed,
)
from tradeoff.sources.skipping import demand_everywhere, demand_lines, demand_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tradeoff.sources.relations import Source


def file_columns(source: Source, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    """The named columns of a file or query (all, without names); a file is read by its ending."""
    if is_arff(source):
        return _arff_columns(source, names)
    with connected(source) as connection, told(source), demand_whole(source, names or ()):
        table = relation(connection, source, names=names)
        names = list(dict.fromkeys(table.columns if names is None else names))
        demand_columns(connection, source, names, table.columns)
        if is_text(source):  # read once, and looked at twice
            connection.execute(f"CREATE TEMP TABLE cells AS {_chosen(table, names).sql_query()}")
            table = connection.table("cells")
        table = typed(table, source, names)
        columns = table.project(named(names, exact_kinds(table, names))).fetchnumpy()
    return {name: _as_booleans(as_column(columns[name], name)) for name in columns}


def _chosen(table: Any, names: Sequence[str]) -> Any:
    return table.project(", ".join(map(quoted, names)))


def demand_columns(
    connection: Any, source: Source, names: Sequence[str], found: Sequence[str]
) -> None:
    """Every column is there, once, in every file."""
    if is_parquet(source) or is_csv(source):
        demand_everywhere(source, names)
    for name in names:
        if name not in found:
            demand_lines(source, names)
            raise ColumnError.missing(name, found)
        if not isinstance(source, Query):
            demand_single(connection, source, name, found)


def declared_in_file(path: str | os.PathLike[str]) -> dict[str, tuple[str, ...]]:
    """The values that an ARFF file declares for its nominal columns; other files declare none."""
    if not is_arff(path):
        return {}
    from tradeoff.sources.arff import read_arff

    attributes = read_arff(path, header_alone=True).attributes
    return {one.name: one.values for one in attributes if one.kind == "nominal"}


def is_arff(source: object) -> bool:
    """Whether a path is that of an ARFF file."""
    return str(source).lower().endswith((".arff", ".arff.gz"))


def _arff_columns(path: Any, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    from tradeoff.sources.arff import read_arff

    columns = read_arff(path).columns
    for name in names or ():
        if name not in columns:
            raise ColumnError.missing(name, columns)
    return columns if names is None else {name: columns[name] for name in names}


def _as_booleans(column: NDArray[Any]) -> NDArray[Any]:
    """A text column of true and false alone explains itself, as a column of booleans would."""
    if column.dtype.kind != "O":
        return column
    present = (value for value in column if value is not None)
    if not all(str(value).casefold() in {"true", "false"} for value in present):
        return column
    if all(value is None for value in column):
        return column
    truth = [None if value is None else str(value).casefold() == "true" for value in column]
    return np.array(truth)
