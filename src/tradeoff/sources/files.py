"""CSV, Parquet and JSON files, read by DuckDB inside this process: their columns as arrays."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.columns import as_column

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from numpy.typing import NDArray

# The whole file decides a column's type: a late text must not surprise. Booleans are no candidate:
# DuckDB takes yes and no for them, and the user's own class names would be lost.
# NA is what R and pandas write for a missing value.
CSV = """
    FROM read_csv(?, header = true, sample_size = -1, nullstr = ['', 'NA'],
                  auto_type_candidates = ['BIGINT', 'DOUBLE', 'VARCHAR'])
"""
PARQUET = "FROM read_parquet(?)"
JSON = "FROM read_json(?, sample_size = -1)"
QUERIES = {
    "csv": CSV,
    "tsv": CSV,
    "txt": CSV,
    "parquet": PARQUET,
    "pq": PARQUET,
    "json": JSON,
    "jsonl": JSON,
    "ndjson": JSON,
}
COMPRESSED = {"gz", "zst"}


def file_columns(
    path: str | os.PathLike[str], names: Sequence[str] | None
) -> dict[str, NDArray[Any]]:
    """The named columns of a file (all, without names), which is read by its ending."""
    if _is_arff(path):
        return _arff_columns(path, names)
    import duckdb

    query = _query(Path(path))
    # Without extensions DuckDB cannot reach the network, whatever the file's name looks like.
    settings: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    with duckdb.connect(":memory:", config=settings) as connection:
        try:
            table = connection.sql(query, params=[_literally(str(path))])
            names = table.columns if names is None else names
            for name in names:
                if name not in table.columns:
                    raise ColumnError.missing(name, table.columns)
                if f"{name}_1" in table.columns and query is CSV:
                    _demand_single(Path(path), name)
            chosen = [duckdb.ColumnExpression(name) for name in dict.fromkeys(names)]
            columns = table.select(*chosen).fetchnumpy()
        except duckdb.Error as problem:
            # DuckDB tells where and why in the first lines, and its settings after a gap.
            what = " ".join(str(problem).strip().partition("\n\n")[0].split())
            raise InputError(f"{path} cannot be read: {what}") from problem
    return {name: _as_booleans(as_column(columns[name], name)) for name in columns}


def declared_in_file(path: str | os.PathLike[str]) -> dict[str, tuple[str, ...]]:
    """The values that an ARFF file declares for its nominal columns; other files declare none."""
    if not _is_arff(path):
        return {}
    from tradeoff.sources.arff import read_arff

    attributes = read_arff(path, header_alone=True).attributes
    return {one.name: one.values for one in attributes if one.kind == "nominal"}


def _is_arff(path: str | os.PathLike[str]) -> bool:
    return str(path).lower().endswith((".arff", ".arff.gz"))


def _arff_columns(
    path: str | os.PathLike[str], names: Sequence[str] | None
) -> dict[str, NDArray[Any]]:
    from tradeoff.sources.arff import read_arff

    columns = read_arff(path).columns
    for name in names or ():
        if name not in columns:
            raise ColumnError.missing(name, columns)
    return columns if names is None else {name: columns[name] for name in names}


def _literally(path: str) -> str:
    """The path of just this file: DuckDB would take *, ? and [ for patterns."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in path)


def _demand_single(path: Path, name: str) -> None:
    """DuckDB renames the second of two equal columns to name_1, so look at the header itself."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig") as file:
        header = file.readline()
    if any(next(csv.reader([header], delimiter=d)).count(name) > 1 for d in ",;\t|"):
        raise InputError(f"{path} has several columns called {name!r}: rename them.")


def _as_booleans(column: NDArray[Any]) -> NDArray[Any]:
    """A text column of true and false alone explains itself, as a column of booleans would."""
    if (
        column.dtype.kind != "O"
        or not len(column)
        or not all(str(v).casefold() in {"true", "false"} for v in column)
    ):
        return column
    return np.array([str(value).casefold() == "true" for value in column])


def _query(path: Path) -> str:
    if not path.exists():
        raise InputError(f"There is no file {str(path)!r}.")
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder; name a file in it.")
    endings = [ending.lstrip(".").lower() for ending in path.suffixes]
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    ending = endings[-1] if endings else ""
    if ending not in QUERIES:
        raise InputError(
            f"{str(path)!r} ends in {ending!r}, which is none of {', '.join(QUERIES)} (each also "
            "with .gz or .zst) and arff (also with .gz)."
        )
    if not path.stat().st_size:
        raise InputError(f"{str(path)!r} is empty.")
    return QUERIES[ending]
