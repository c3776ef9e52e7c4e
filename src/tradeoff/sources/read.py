"""Whether rows are held, read in batches or counted elsewhere; columns of files as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.columns import as_column
from tradeoff.sources.csv_errors import (
    demand_columns,
    demand_whole,
)
from tradeoff.sources.duckdb_types import exact_kinds, named
from tradeoff.sources.files import (
    Query,
    connected,
    files_of,
    is_database,
    is_text,
    relation,
    told,
    typed,
)
from tradeoff.sources.quoting import quoted

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from tradeoff.core.models import RankedModels
    from tradeoff.sources.files import Source
    from tradeoff.sources.options import Choices, Columns, Effort


# Columns of whatever holds some: a dataframe of any library, or a file.


def is_path(data: Any) -> bool:
    """Whether a table is named by where its file lies, or asked for by a query."""
    from tradeoff.sources.files import Files, Query

    return isinstance(data, str | Files | Query) or hasattr(data, "__fspath__")


def source_of(data: Any) -> Any:
    """A table as it is; a list of paths as one source of many files."""
    from tradeoff.sources.files import Files

    if isinstance(data, list | tuple) and data and all(map(is_path, data)):
        return Files(tuple(map(str, data)))
    return data


def table_columns(data: Any, names: list[Any] | None) -> dict[str, NDArray[Any]]:
    """The named columns of a dataframe, or of the file at a path; all of them without names."""
    if is_path(data):
        _demand_texts(names, "file")
        return file_columns(data, names)
    from tradeoff.sources.columns import frame_columns

    _demand_texts(names, "dataframe")
    return frame_columns(data, names)


def declared_values(data: Any) -> dict[str, tuple[str, ...]]:
    """The values that a table declares for its columns of categories, seen or not.

    ARFF files and categorical columns of dataframes do so.
    """
    if is_path(data):
        return declared_in_file(data)
    from tradeoff.sources.columns import declared_in_frame

    return declared_in_frame(data)


def _demand_texts(names: list[Any] | None, kind: str) -> None:
    """Columns are named; values themselves need no source."""
    for name in names or ():
        if not isinstance(name, str):
            raise InputError(
                f"With a {kind}, columns are named by text, not by {type(name).__name__!r}. Name "
                f"them, or pass the values themselves as actual= and score= without the {kind}."
            )


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


# Which sources count their rows themselves or are gone through in batches, and which are read.


LARGE = 64 << 20
"""Files of more bytes are gone through in batches."""


def counting(
    data: Any, columns: Columns, choices: Choices, effort: Effort
) -> Callable[[], RankedModels] | None:
    """How the rankings of a source are found without holding its rows; None: read it instead."""
    if effort.hold:
        return None
    if is_path(data):
        return _of_files(data, columns, choices, effort)
    from tradeoff.sources.pushdown import is_lazy
    from tradeoff.sources.spark import is_spark

    if is_spark(data):
        return lambda: _in_spark(data, columns, choices, effort)
    if is_lazy(data):
        return lambda: _in_place(data, columns, choices, effort)
    return None


def demand_rows(data: Any) -> None:
    """Rows themselves can be had: a Spark table may have any number of them."""
    from tradeoff.sources.spark import is_spark

    if is_spark(data):
        raise InputError(
            "This looks at rows themselves, of which a Spark table may have any number: collect "
            "those that it needs first, for example with toPandas()."
        )


def _in_place(data: Any, columns: Columns, choices: Choices, effort: Effort) -> RankedModels:
    from tradeoff.sources.pushdown import lazy_models

    if effort.exact:
        raise InputError(
            "`exact` goes through rows twice, which lazy frames do not: ask for more `bins`."
        )
    return lazy_models(data, columns, choices, effort.most)


def _in_spark(data: Any, columns: Columns, choices: Choices, effort: Effort) -> RankedModels:
    from tradeoff.sources.spark import spark_models

    return spark_models(data, columns, choices, effort.most, exact=effort.exact)


def _of_files(
    data: Any, columns: Columns, choices: Choices, effort: Effort
) -> Callable[[], RankedModels] | None:
    if is_arff(data):
        if effort.is_asked_for:
            raise InputError(f"{data} is read as a whole: ARFF files know no batches.")
        return None
    if not (effort.is_asked_for or _is_large(data)):
        return None
    from tradeoff.sources.stream import scanned_models

    return lambda: scanned_models(data, columns, choices, effort)


def _is_large(data: Any) -> bool:
    """Whether there are so many bytes that rows should not all be held; a query may be anything."""
    if isinstance(data, Query):
        return True
    if is_database(data):
        return True
    return sum(file.stat().st_size for file in files_of(data)) > LARGE
