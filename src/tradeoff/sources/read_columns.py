"""Read columns of dataframes, files and queries: their names, values and declared categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.columns import (
    Columns,
    column_array,
    first_frame_rows,
    frame_categories,
    frame_column_names,
    frame_columns,
    require_same_index,
)
from tradeoff.sources.csv_errors import explain_csv_errors, require_file_columns
from tradeoff.sources.duckdb_relations import (
    duckdb_connection,
    duckdb_relation,
    translate_duckdb_errors,
    typed_relation,
)
from tradeoff.sources.duckdb_types import lossless_types, typed_columns_sql
from tradeoff.sources.files import Source, is_file_or_query, is_text, whole_file_reader
from tradeoff.sources.sql_quoting import quote_name


def read_column_values(data: Any, columns: Columns) -> Columns:
    """Read the values of the column of each role; without data, `columns` already holds values.

    The actual class is required; other roles may be None.

    Example:
        >>> read_column_values(None, Columns([1, 0], [0.9, 0.1])).scores
        {'score': [0.9, 0.1]}
    """
    if columns.actual is None:
        raise InputError("There are no actual classes: actual=… is missing.")
    roles, scores = columns.roles, columns.scores
    if data is None:
        models = scores if isinstance(scores, Mapping) else {_series_name(scores): scores}
        values = {str(name): column for name, column in models.items()}
        require_same_index(*roles.items(), *values.items())
        return replace(columns, scores=values)
    if isinstance(scores, list | tuple) and not scores:
        raise InputError("Name at least one column of scores.")
    names = {role: name for role, name in roles.items() if name is not None}
    table = read_table_columns(data, [*names.values(), *columns.models])
    values = {role: table[name] for role, name in names.items()}
    others = {role: values.pop(role, None) for role in columns.others}
    return Columns(
        scores={name: table[name] for name in columns.models},
        others=others,
        titles={role: str(name) for role, name in names.items()},
        **values,
    )


def _series_name(values: Any) -> str:
    """Name of a pandas or polars series; for other values "score"."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else "score"


def read_table_columns(data: Any, names: list[Any] | None) -> dict[str, NDArray[Any]]:
    """Read the named columns of a dataframe or file; all of them if `names` is None."""
    if is_file_or_query(data):
        _require_string_names(names, "file")
        return read_file_columns(data, names)
    _require_string_names(names, "dataframe")
    return frame_columns(data, names)


@dataclass(frozen=True, eq=False)
class FirstRows:
    """First rows read from a table, and the number of rows that it has."""

    columns: Mapping[str, NDArray[Any]]
    rows: int
    total: int


def read_first_rows(data: Any, limit: int) -> FirstRows:
    """Read all columns of the first rows of a dataframe, file or query, and count its rows."""
    require_rows_in_memory(data)
    if is_file_or_query(data):
        return _first_file_rows(data, limit)
    columns, total = first_frame_rows(data, limit)
    return FirstRows(columns, min(limit, total), total)


def _first_file_rows(source: Source, limit: int) -> FirstRows:
    if whole_file_reader(source):
        columns = read_file_columns(source, None)
        total = len(next(iter(columns.values()), ()))
        return FirstRows({name: c[:limit] for name, c in columns.items()}, min(limit, total), total)
    columns = read_file_columns(source, None, limit=limit)
    total = rows = len(next(iter(columns.values()), ()))
    if rows == limit:
        with duckdb_connection(source) as connection, translate_duckdb_errors(source):
            table = duckdb_relation(connection, source)
            ((total,),) = table.aggregate("count(*)").fetchall()
    return FirstRows(columns, rows, total)


def read_column_names(data: Any) -> list[str]:
    """Read the names of the columns of a dataframe, file or query."""
    if not is_file_or_query(data):
        return frame_column_names(data)
    if read_whole := whole_file_reader(data):
        return list(read_whole())
    with duckdb_connection(data) as connection, translate_duckdb_errors(data):
        names: list[str] = duckdb_relation(connection, data).columns
    return names


def read_declared_categories(data: Any) -> dict[str, tuple[str, ...]]:
    """Read the categories that a table declares for its columns, whether they occur or not.

    ARFF files and categorical columns of dataframes declare categories.
    """
    if is_file_or_query(data):
        return _file_categories(data)
    return frame_categories(data)


def _require_string_names(names: list[Any] | None, kind: str) -> None:
    """Require that columns are named by strings."""
    for name in names or ():
        if not isinstance(name, str):
            raise InputError(
                f"With a {kind}, columns must be named by strings, not by {type(name).__name__!r}. "
                "Name them, or pass the values themselves as actual= and score= without the "
                f"{kind}."
            )


def read_file_columns(
    source: Source, names: Sequence[str] | None, *, limit: int | None = None
) -> dict[str, NDArray[Any]]:
    """Read the named columns of a file or query, all if `names` is None, up to a number of rows."""
    if read_whole := whole_file_reader(source):
        columns = read_whole()
        for name in names or ():
            if name not in columns:
                raise ColumnError.missing(name, columns)
        return {name: columns[name] for name in (columns if names is None else names)}
    with (
        duckdb_connection(source) as connection,
        translate_duckdb_errors(source),
        explain_csv_errors(source, names or ()),
    ):
        table = duckdb_relation(connection, source, names=names)
        names = list(dict.fromkeys(table.columns if names is None else names))
        require_file_columns(connection, source, names, table.columns)
        if limit is not None:
            table = table.limit(limit)
        if is_text(source):  # parsed once, scanned twice
            connection.execute(
                f"CREATE TEMP TABLE cells AS {_select_columns(table, names).sql_query()}"
            )
            table = connection.table("cells")
        table = typed_relation(table, source, names)
        columns = table.project(typed_columns_sql(names, lossless_types(table, names))).fetchnumpy()
    return {name: _parse_booleans(column_array(columns[name], name)) for name in columns}


def _select_columns(table: Any, names: Sequence[str]) -> Any:
    return table.project(", ".join(map(quote_name, names)))


def _file_categories(path: Source) -> dict[str, tuple[str, ...]]:
    """Categories declared by an ARFF file; other files declare none."""
    if not str(path).lower().endswith((".arff", ".arff.gz")):
        return {}
    from tradeoff.sources.arff import read_arff

    attributes = read_arff(str(path), header_only=True).attributes
    return {
        attribute.name: attribute.values for attribute in attributes if attribute.kind == "nominal"
    }


def _parse_booleans(column: NDArray[Any]) -> NDArray[Any]:
    """Parse a string column as booleans if its only values are true and false."""
    if column.dtype.kind != "O":
        return column
    present_values = (value for value in column if value is not None)
    if not all(str(value).casefold() in {"true", "false"} for value in present_values):
        return column
    if all(value is None for value in column):
        return column
    booleans = [None if value is None else str(value).casefold() == "true" for value in column]
    return np.array(booleans)


def require_rows_in_memory(data: Any) -> None:
    """Require a source whose rows fit into memory, unlike a Spark table."""
    from tradeoff.sources.spark import is_spark

    if is_spark(data):
        raise InputError(
            "This needs the rows themselves, and a Spark table may have too many of them: collect "
            "the rows needed first, for example with toPandas()."
        )
