"""What DuckDB reads inside this process: a file, many files, a database, or a query.

CSV, TSV, JSON lines and Parquet are told by their endings, also behind .gz and .zst; a folder or a
pattern with * stands for all files in it. Nothing is reached over the network.
"""

from __future__ import annotations

import csv
import glob
import gzip
import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError, listed
from tradeoff.sources.folders import passing_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Booleans are no candidate: DuckDB takes yes and no for them, and the user's own class names would
# be lost. NA is what R and pandas write for a missing value.
CSV = """read_csv($files, header = true, sample_size = {sample}, nullstr = ['', 'NA'],
                  auto_type_candidates = ['BIGINT', 'DOUBLE', 'VARCHAR'] {more})"""
PARQUET = "read_parquet($files {more})"
JSON = "read_json($files, sample_size = {sample})"
READERS = {
    "csv": CSV,
    "tsv": CSV,
    "txt": CSV,
    "parquet": PARQUET,
    "pq": PARQUET,
    "json": JSON,
    "jsonl": JSON,
    "ndjson": JSON,
}
DATABASES = {"duckdb", "ddb", "db"}
COMPRESSED = {"gz", "zst"}
WHOLE = -1
"""All lines decide a column's type: a late text must not surprise."""
SOME = 200_000
AHEAD = "32MB"
"""What DuckDB may read while rows are counted: with less it waits for us."""


@dataclass(frozen=True)
class Query:
    """A question to DuckDB, about a database file or about files that it names itself.

    Example:
        >>> Query("SELECT * FROM 'scores/*.parquet' WHERE day > '2026-01-01'").name
        'The query'
    """

    sql: str
    database: str | os.PathLike[str] | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return "The query"


@dataclass(frozen=True)
class Files:
    """Several files of one kind, named one by one."""

    paths: tuple[str, ...]

    def __str__(self) -> str:
        """What messages call them."""
        return f"{self.paths[0]} and {len(self.paths) - 1:,} more"


Source = str | os.PathLike[str] | Files | Query


def is_database(path: object) -> bool:
    """Whether a path is that of a database file."""
    return Path(str(path)).suffix.lstrip(".").lower() in DATABASES


def source_name(source: Source) -> str:
    """What messages call a source."""
    return source.name if isinstance(source, Query) else str(source)


@contextmanager
def connected(source: Source, memory: int | None = None) -> Iterator[Any]:
    """A connection that can read the source, in about so many bytes; what it spills is removed."""
    import duckdb

    # Without extensions DuckDB cannot reach the network, whatever a file's name looks like.
    settings: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    if memory is not None:
        settings["memory_limit"] = f"{memory}B"
    database = source.database if isinstance(source, Query) else source
    on_file = database is not None and is_database(database)
    if on_file:
        _demand_readable(Path(str(database)))
    with passing_folder() as folder, told(source):
        settings["temp_directory"] = str(folder)
        where = str(database) if on_file else ":memory:"
        with duckdb.connect(where, read_only=on_file, config=settings) as connection:
            connection.execute("SET enable_progress_bar = false")  # it would stand in our output
            connection.execute(f"SET streaming_buffer_size = '{AHEAD}'")
            yield connection


@contextmanager
def told(source: Source) -> Iterator[None]:
    """What goes wrong inside DuckDB is one sentence that names the source."""
    import duckdb

    try:
        yield
    except duckdb.Error as problem:
        # DuckDB tells where and why in the first lines, and its settings after a gap.
        what = " ".join(str(problem).strip().partition("\n\n")[0].split())
        raise InputError(f"{source_name(source)} cannot be read: {what}") from problem


def relation(
    connection: Any, source: Source, *, sample: int = WHOLE, types: Any = None, skip: bool = False
) -> Any:
    """The source as a relation, of which nothing is read yet.

    Args:
        connection: One that `connected` made for it.
        source: Where rows are.
        sample: How many lines of a text file decide on the types of its columns.
        types: The types that some columns of a CSV file must have.
        skip: Leave out lines that cannot be read; `rejected_lines` lists them.
    """
    if isinstance(source, Query):
        found = connection.sql(source.sql)
        if found is None:
            raise InputError("The query gives no rows: it must be a SELECT.")
        return found
    if is_database(source):
        return connection.sql(f"FROM {_only_table(connection, source)}")
    files = files_of(source)
    more = ""
    if types:
        pairs = ", ".join(f"{text(name)}: '{kind}'" for name, kind in types.items())
        more += f", types = {{{pairs}}}"
    if skip:
        more += ", store_rejects = true"
    reader = READERS[_ending(files[0])]
    if reader is PARQUET:  # by itself it would take the types of the first file for all
        more = ", union_by_name = true" if len(files) > 1 else ""
    reader = reader.format(sample=sample, more=more)
    return connection.sql(f"FROM {reader}", params={"files": [_literally(str(f)) for f in files]})


def is_csv(source: Source) -> bool:
    """Whether a source is lines of text with delimiters."""
    return _reader(source) is CSV


def is_parquet(source: Source) -> bool:
    """Whether a source is one or more Parquet files."""
    return _reader(source) is PARQUET


def row_count(connection: Any, source: Source) -> int | None:
    """How many rows there will be, where files tell."""
    if isinstance(source, Query) or not is_parquet(source):
        return None
    files = [str(file) for file in files_of(source)]
    counted = connection.cursor().sql(
        "SELECT sum(num_rows) FROM parquet_file_metadata($files)", params={"files": files}
    )
    return int(counted.fetchall()[0][0])


def _reader(source: Source) -> str | None:
    if isinstance(source, Query) or is_database(source):
        return None
    return READERS[_ending(files_of(source)[0])]


def files_of(source: str | os.PathLike[str] | Files) -> list[Path]:
    """The files that a path, a folder or a pattern stands for, all of one kind."""
    found = _found(source)
    kinds = {READERS[_ending(_demand_readable(file))] for file in found}
    if len(kinds) > 1:
        raise InputError(
            f"{str(source)!r} has files of several kinds ({listed(_endings(found))}): name those "
            "of one kind, for example with a pattern."
        )
    return found


def _found(source: str | os.PathLike[str] | Files) -> list[Path]:
    if isinstance(source, Files):
        return [path for one in source.paths for path in _found(one)]
    path = Path(source)
    if path.is_dir():
        found = [p for p in sorted(path.rglob("*")) if p.is_file() and not _is_hidden(p, path)]
        found = [p for p in found if _raw_ending(p) in READERS]
        if not found:
            raise InputError(
                f"{str(path)!r} is a folder without files that can be read: {', '.join(READERS)}."
            )
    elif path.exists() or not glob.has_magic(str(source)):
        found = [path]
    else:
        found = [Path(p) for p in sorted(glob.glob(str(source), recursive=True))]  # noqa: PTH207
        found = [p for p in found if p.is_file()]
        if not found:
            raise InputError(f"No file is named like {str(source)!r}.")
    return found


def demand_single(
    source: str | os.PathLike[str] | Files, name: str, columns: Sequence[str]
) -> None:
    """DuckDB renames the second of two equal columns to name_1, so look at the header itself."""
    if f"{name}_1" not in columns or not is_csv(source):
        return
    path = files_of(source)[0]
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig") as file:
        header = file.readline()
    if any(next(csv.reader([header], delimiter=d)).count(name) > 1 for d in ",;\t|"):
        raise InputError(f"{path} has several columns called {name!r}: rename them.")


def quoted(name: str) -> str:
    """A column or table by its name, whatever it is made of."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text as SQL writes it."""
    return "'" + value.replace("'", "''") + "'"


def _only_table(connection: Any, source: Source) -> str:
    names = [name for (name,) in connection.sql("SELECT name FROM (SHOW TABLES)").fetchall()]
    if len(names) != 1:
        has = f"the tables {listed(names)}: say which one (--table)" if names else "no table"
        raise InputError(f"{source_name(source)} has {has}.")
    return quoted(names[0])


def _is_hidden(path: Path, folder: Path) -> bool:
    """Spark and others write marks such as _SUCCESS beside the rows."""
    return any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)


def _literally(path: str) -> str:
    """The path of just this file: DuckDB would take *, ? and [ for patterns."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in path)


def _demand_readable(path: Path) -> Path:
    if not path.exists():
        raise InputError(f"There is no file {str(path)!r}.")
    if not os.access(path, os.R_OK):
        raise InputError(f"{str(path)!r} may not be read: you have no permission.")
    if not path.stat().st_size:
        raise InputError(f"{str(path)!r} is empty.")
    return path


def _ending(path: Path) -> str:
    ending = _raw_ending(path)
    if ending not in READERS:
        raise InputError(
            f"{str(path)!r} ends in {ending!r}, which is none of {', '.join(READERS)} (each also "
            "with .gz or .zst), duckdb and arff (also with .gz)."
        )
    return ending


def _raw_ending(path: Path) -> str:
    endings = [ending.lstrip(".").lower() for ending in path.suffixes]
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    return endings[-1] if endings else ""


def _endings(files: Sequence[Path]) -> list[str]:
    return sorted({_raw_ending(file) for file in files})
