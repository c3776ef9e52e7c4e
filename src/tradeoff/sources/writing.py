"""Tables to files: columns as Parquet or CSV, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError, StorageError
from tradeoff.ranking.writing import write_atomically
from tradeoff.sources.folders import passing_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray


def write_table(columns: Mapping[str, NDArray[Any]], path: str | os.PathLike[str]) -> None:
    r"""Write columns to a file that ends in .parquet or .csv.

    Example:
        >>> import tempfile, numpy as np
        >>> path = tempfile.mkdtemp() + "/scores.csv"
        >>> write_table({"row": np.arange(2), "score": np.array([0.5, 0.25])}, path)
        >>> Path(path).read_text()
        'row,score\n0,0.5\n1,0.25\n'
    """
    ending = Path(path).suffix.lower()
    if ending not in {".parquet", ".csv"}:
        raise InputError(f"{path} should end in .parquet or .csv.")
    import duckdb

    with passing_folder() as folder, duckdb.connect(":memory:") as connection:
        made = folder / f"table{ending}"
        try:
            table = _relation(connection, dict(columns))
            if ending == ".parquet":
                table.write_parquet(str(made))
            else:
                table.write_csv(str(made))
        except duckdb.Error as problem:
            raise StorageError(f"{path} cannot be written: {problem}.") from problem
        content = made.read_bytes()
    write_atomically(path, lambda file: file.write(content))


def _relation(connection: Any, given_columns: dict[str, NDArray[Any]]) -> Any:  # noqa: ARG001
    """The columns as DuckDB sees them: it finds the argument by its name in the query."""
    return connection.sql("FROM given_columns")
