"""Write tables as Parquet or CSV files, by way of a temporary DuckDB database."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tradeoff.errors import InputError, StorageError
from tradeoff.files.atomic_write import write_atomically
from tradeoff.files.temporary_files import temporary_folder


def write_table(columns: Mapping[str, NDArray[Any]], path: str | os.PathLike[str]) -> None:
    r"""Write columns to a .parquet or .csv file.

    Example:
        >>> import tempfile, numpy as np
        >>> path = tempfile.mkdtemp() + "/scores.csv"
        >>> write_table({"row": np.arange(2), "score": np.array([0.5, 0.25])}, path)
        >>> Path(path).read_text()
        'row,score\n0,0.5\n1,0.25\n'
    """
    with table_writer(path) as writer:
        writer.add(columns)
        writer.write()


TABLE_ENDINGS = (".parquet", ".csv")


def require_table_path(path: str | os.PathLike[str]) -> None:
    """Require a file name that ends in .parquet or .csv."""
    if Path(path).suffix.lower() not in TABLE_ENDINGS:
        raise InputError(f"{path} should end in .parquet or .csv.")


class TableWriter:
    """Rows collected in a temporary database, to be written to one file in any order."""

    def __init__(self, path: str | os.PathLike[str], folder: Path, connection: Any) -> None:
        self.path, self.folder, self.connection = path, folder, connection
        self.is_empty = True

    def add(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Add rows to the file, given as columns; columns of objects contain strings."""
        relation = _duckdb_relation(self.connection, dict(columns))
        if self.is_empty:
            relation.create("collected_rows")
            self.is_empty = False
        else:
            relation.insert_into("collected_rows")

    def clear(self) -> None:
        """Remove all collected rows."""
        self.connection.execute("DROP TABLE IF EXISTS collected_rows")
        self.is_empty = True

    def value(self, sql: str) -> Any:
        """Value of an SQL aggregate over the collected rows."""
        ((value,),) = self.connection.sql(f"SELECT {sql} FROM collected_rows").fetchall()  # noqa: S608 - the caller's SQL
        return value

    def write(self, select: str = "FROM collected_rows") -> None:
        """Write the rows that an SQL query of `collected_rows` selects, atomically."""
        import duckdb

        ending = Path(self.path).suffix.lower()
        file = self.folder / f"table{ending}"
        try:
            relation = self.connection.sql(select)
            if ending == ".parquet":
                relation.write_parquet(str(file))
            else:
                relation.write_csv(str(file))
        except duckdb.Error as problem:
            raise StorageError(f"{self.path} cannot be written: {problem}.") from problem
        with file.open("rb") as source:
            write_atomically(self.path, lambda target: shutil.copyfileobj(source, target, 1 << 20))


@contextmanager
def table_writer(path: str | os.PathLike[str]) -> Iterator[TableWriter]:
    """Context manager that collects rows on disk for a .parquet or .csv file."""
    require_table_path(path)
    import duckdb

    with temporary_folder() as folder, duckdb.connect(str(folder / "rows.duckdb")) as connection:
        connection.execute("SET enable_progress_bar = false")
        yield TableWriter(path, folder, connection)


def _duckdb_relation(connection: Any, table_columns: dict[str, NDArray[Any]]) -> Any:
    """DuckDB relation of the columns; DuckDB finds the argument by its name in the query.

    Columns of objects are read as strings even if all their values are missing.
    """
    relation = connection.sql("FROM table_columns")
    names = [name.replace('"', '""') for name in table_columns]
    kinds = [getattr(values, "dtype", None) for values in table_columns.values()]
    return relation.project(
        ", ".join(
            f'"{name}"::VARCHAR AS "{name}"'
            if kind is not None and kind.kind == "O"
            else f'"{name}"'
            for name, kind in zip(names, kinds, strict=True)
        )
    )
