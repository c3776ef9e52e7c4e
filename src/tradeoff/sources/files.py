"""What DuckDB reads inside this process: a file, many files, a database, or a query.

CSV, TSV, JSON lines and Parquet are told by their endings, also behind .gz and .zst; a folder or a
pattern with * stands for all files in it. Nothing is reached over the network.
"""

from __future__ import annotations

import glob
import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from tradeoff.errors import InputError, listed
from tradeoff.files import passing_folder
from tradeoff.sources.csv_layout import CsvLayout, csv_layout
from tradeoff.sources.queries import demand_no_guess, with_whole_files
from tradeoff.sources.quoting import quoted, struct, text, texts
from tradeoff.sources.text_cells import as_kind, kinds_of

CSV, PARQUET, JSON = "CSV", "Parquet", "JSON"
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


def _arff_columns(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    from tradeoff.sources.arff import read_arff

    return read_arff(path).columns


WholeReader = Callable[[Any], Mapping[str, Any]]
WHOLE_READERS: dict[str, WholeReader] = {"arff": _arff_columns}
"""Files that DuckDB does not know, by ending: what reads all columns of one, as a whole."""
DATABASES = {"duckdb", "ddb", "db"}
COMPRESSED = {"gz", "zst"}
SOME = 200_000
"""Rows that tell what a column of a text file holds where a later row may still object."""
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


def _source_name(source: Source) -> str:
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
        raise InputError(f"{_source_name(source)} cannot be read: {_reason(problem)}") from problem


def _reason(problem: Exception) -> str:
    """What DuckDB says, without advice on settings that are not the user's to make."""
    if "state machine reached an invalid state" in str(problem):
        return r"its lines end in different ways (\n, \r\n or \r): end all of them in the same way."
    # It tells where and why in the first lines, and its settings after a gap.
    what = " ".join(str(problem).strip().partition("\n\n")[0].split())
    return re.split(r" (?:Possible fixes:|Try (?:setting|increasing) ')", what)[0]


def relation(
    connection: Any,
    source: Source,
    *,
    names: Sequence[str] | None = None,
    types: Mapping[str, str] | None = None,
    skip: bool = False,
) -> Any:
    """The source as a relation, of which nothing is read yet.

    Columns of text files are cells as they are written, of type VARCHAR or JSON: `written` tells
    what they hold.

    Args:
        connection: One that `connected` made for it.
        source: Where rows are.
        names: The columns that are wanted; all, without names.
        types: The types that some columns of a text file must have.
        skip: Leave out lines that cannot be read; `skipping` lists them.
    """
    if isinstance(source, Query):
        return _asked(connection, source)
    if is_database(source):
        return _asked(connection, Query(f"FROM {_only_table(connection, source)}", str(source)))
    files = files_of(source)
    demand_sound(files)
    kind = READERS[_ending(files[0])]
    if kind == CSV:
        sql = _csv(connection, files, types or {}, skip=skip)
    elif kind == JSON:
        sql = _json(connection, files, names, types or {})
    else:
        sql = _parquet(connection, files)
    return connection.sql(f"FROM {sql}")


def typed(table: Any, source: Source, names: Sequence[str]) -> Any:
    """The named columns of a relation, those of text files as what all their cells hold."""
    if not is_text(source):
        return table.project(", ".join(quoted(name) for name in names))
    json = _is_json(source)
    declared = dict(zip(table.columns, map(str, table.types), strict=True))
    kinds = kinds_of(table, [n for n in names if declared[n] == ("JSON" if json else "VARCHAR")])
    return table.project(
        ", ".join(
            f"{as_kind(name, kinds[name], json=json) if name in kinds else quoted(name)} "
            f"AS {quoted(name)}"
            for name in names
        )
    )


def _asked(connection: Any, query: Query) -> Any:
    """What a query gives, in which each file of text is a view of all its rows."""
    tables = {name for (name,) in connection.sql("SELECT name FROM (SHOW TABLES)").fetchall()}
    views: set[str] = set()

    def make_view(name: str) -> bool:
        if name in tables or _raw_ending(Path(name)) not in READERS or not _is_there(name):
            return False
        if name.casefold() not in views:
            table = relation(connection, name)
            table = typed(table, name, table.columns)
            connection.execute(f"CREATE TEMP VIEW {quoted(name)} AS {table.sql_query()}")
            views.add(name.casefold())
        return True

    found = connection.sql(with_whole_files(query.sql, make_view))
    if found is None:
        raise InputError("The query gives no rows: it must be a SELECT.")
    demand_no_guess(connection, found, query.sql)
    return found


def _is_there(name: str) -> bool:
    return Path(name).exists() or (glob.has_magic(name) and bool(glob.glob(name, recursive=True)))  # noqa: PTH207


def _csv(connection: Any, files: Sequence[Path], types: Mapping[str, str], *, skip: bool) -> str:
    """SQL for lines of text; files that are laid out otherwise are joined by their columns."""
    layouts = [(csv_layout(connection, file), file) for file in files]
    hive = _folders_add(file for layout, file in layouts if _is_own(file, layout.names))
    parts = [
        _laid_out(layout, [file for _, file in group], types, f"{hive}{_rejects(skip=skip)}")
        for layout, group in groupby(layouts, key=lambda one: one[0])
    ]
    if len(parts) == 1:
        return parts[0]
    return f"({' UNION ALL BY NAME '.join(f'FROM {part}' for part in parts)})"


def _laid_out(layout: CsvLayout, files: Sequence[Path], types: Mapping[str, str], more: str) -> str:
    # NA is what R and pandas write for a missing value.
    columns = {name: types.get(name, "VARCHAR") for name in layout.names}
    return (
        f"read_csv({_paths(files)}, auto_detect = false, header = true, quote = '\"', "
        f"escape = '\"', comment = '', delim = {text(layout.delimiter)}, skip = {layout.above}, "
        f"nullstr = ['', 'NA'], columns = {struct(columns)}{more})"
    )


def _rejects(*, skip: bool) -> str:
    return ", store_rejects = true" if skip else ""


def _json(
    connection: Any,
    files: Sequence[Path],
    names: Sequence[str] | None,
    types: Mapping[str, str],
) -> str:
    paths = _paths(files)
    found = connection.sql(f"FROM read_json({paths}, hive_partitioning = false)").columns
    if names is None or set(names) - set(found):  # a later row may have another column
        whole = f"FROM read_json({paths}, hive_partitioning = false, sample_size = -1)"
        found = connection.sql(whole).columns
    hive = _folders_add(file for file in files if _is_own(file, found))
    columns = {name: types.get(name, "JSON") for name in found}
    return f"read_json({paths}, columns = {struct(columns)}{hive})"


def _parquet(connection: Any, files: Sequence[Path]) -> str:
    more = ", union_by_name = true" if len(files) > 1 else ""
    in_folders = [file for file in files if _keys(file)]
    own = (file for file in in_folders if _is_own(file, _parquet_names(connection, file)))
    # By itself DuckDB would take the types of the first file for all.
    return f"read_parquet({_paths(files)}{more}{_folders_add(own)})"


def _parquet_names(connection: Any, file: Path) -> list[str]:
    sql = f"FROM read_parquet({_paths([file])}, hive_partitioning = false)"
    names: list[str] = connection.sql(sql).columns
    return names


def _keys(file: Path) -> set[str]:
    """The columns that folders called column=value would add."""
    return {part.partition("=")[0].casefold() for part in file.parts[:-1] if "=" in part}


def _is_own(file: Path, names: Sequence[str]) -> bool:
    """Whether a file has a column itself that a folder would add."""
    return not _keys(file).isdisjoint(map(str.casefold, names))


def _folders_add(own: Iterable[Path]) -> str:
    """Folders add no columns where files have them: what a file says wins."""
    return ", hive_partitioning = false" if any(True for _ in own) else ""


def _paths(files: Sequence[Path]) -> str:
    return texts(_literally(str(file)) for file in files)


def is_csv(source: Source) -> bool:
    """Whether a source is lines of text with delimiters."""
    return _reader(source) == CSV


def _is_json(source: Source) -> bool:
    """Whether a source is records of JSON."""
    return _reader(source) == JSON


def is_text(source: Source) -> bool:
    """Whether a source is text, which has cells and no types."""
    return is_csv(source) or _is_json(source)


def is_parquet(source: Source) -> bool:
    """Whether a source is one or more Parquet files."""
    return _reader(source) == PARQUET


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
    connection: Any, source: str | os.PathLike[str] | Files, name: str, columns: Sequence[str]
) -> None:
    """DuckDB renames the second of two equal columns to name_1, so look at the file itself."""
    if f"{name}_1" not in columns or _is_json(source) or is_database(source):
        return
    for path in files_of(source):
        if is_csv(source):
            header: Sequence[str] = csv_layout(connection, path).header
        else:
            header = _parquet_header(connection, path)
        if header.count(name) > 1:
            raise InputError(f"{path} has several columns called {name!r}: rename them.")


def _parquet_header(connection: Any, path: Path) -> list[str]:
    """The names of a file's columns, as they stand in it; those of nested fields are left out."""
    fields = iter(
        connection.sql(f"FROM parquet_schema({_paths([path])})")
        .project("name, coalesce(num_children, 0)")
        .fetchall()[1:]
    )

    def skip(children: int) -> None:
        for _ in range(children):
            skip(next(fields)[1])

    names = []
    for name, children in fields:
        names.append(name)
        skip(children)
    return names


def _only_table(connection: Any, source: Source) -> str:
    names = [name for (name,) in connection.sql("SELECT name FROM (SHOW TABLES)").fetchall()]
    if len(names) != 1:
        has = f"the tables {listed(names)}: say which one (--table)" if names else "no table"
        raise InputError(f"{_source_name(source)} has {has}.")
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
            f"with .gz or .zst), duckdb and {', '.join(WHOLE_READERS)} (also with .gz)."
        )
    return ending


def _raw_ending(path: Path) -> str:
    endings = [ending.lstrip(".").lower() for ending in path.suffixes]
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    return endings[-1] if endings else ""


def whole_reader(source: Any) -> WholeReader | None:
    """What reads one file as a whole; None where DuckDB reads it."""
    is_file = isinstance(source, str | os.PathLike)
    return WHOLE_READERS.get(_raw_ending(Path(source))) if is_file else None


def _endings(files: Sequence[Path]) -> list[str]:
    return sorted({_raw_ending(file) for file in files})


# Whether packed files are whole, as far as DuckDB does not look.
#
# It reads past the checksum and the length at the end of a gzip file, and takes a zstd file that
# was cut off for a shorter one. It does check the checksum of a zstd file, where there is one.

PIECE = 1 << 18
ZSTD_FRAME = 0xFD2FB528
ZSTD_SKIPPABLE = 0x184D2A50
"""The first of sixteen marks of frames that hold no rows."""
REPEATED, RESERVED = 1, 3
"""Kinds of blocks: a byte that is repeated, and one that does not exist."""


def demand_sound(files: Iterable[Path]) -> None:
    """Packed files end where they should; gzip files have the checksum that they say."""
    for file in files:
        if file.suffix.lower() in CHECKS:
            state = file.stat()
            _demand_sound(file, state.st_mtime_ns, state.st_size)


@lru_cache
def _demand_sound(path: Path, _changed: int, _size: int) -> None:
    """Look at a file once; again only when it has changed."""
    try:
        CHECKS[path.suffix.lower()](path)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(
            f"{path} is damaged ({str(problem).rstrip('.')}): make or fetch it again."
        ) from problem


def _check_gzip(path: Path) -> None:
    """Unpack it in small pieces, which costs a quarter of what reading it does."""
    with gzip.open(path) as file:
        while file.read(PIECE):
            pass


def _check_zstd(path: Path) -> None:
    """Go from block to block by their lengths, without unpacking any (RFC 8878, section 3.1)."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(0)
        while file.tell() < end:
            mark = _integer(file, 4)
            if mark & ~0xF == ZSTD_SKIPPABLE:
                size = _integer(file, 4)
                file.seek(size, os.SEEK_CUR)
            elif mark == ZSTD_FRAME:
                _pass_frame(file)
            else:
                raise EOFError("it is no zstd file, or has something else at its end")
        if file.tell() > end:
            raise EOFError("it ends in the middle of a block")


def _pass_frame(file: BinaryIO) -> None:
    described = _integer(file, 1)
    is_single = described >> 5 & 1
    of_window = 1 - is_single
    of_dictionary = (0, 1, 2, 4)[described & 3]
    of_content = (is_single, 2, 4, 8)[described >> 6]
    file.seek(of_window + of_dictionary + of_content, os.SEEK_CUR)
    is_last = 0
    while not is_last:
        block = _integer(file, 3)
        is_last, kind, size = block & 1, block >> 1 & 3, block >> 3
        if kind == RESERVED:
            raise EOFError("it has a block of no known kind")
        file.seek(1 if kind == REPEATED else size, os.SEEK_CUR)
    file.seek(4 * (described >> 2 & 1), os.SEEK_CUR)  # the checksum


def _integer(file: BinaryIO, size: int) -> int:
    raw = file.read(size)
    if len(raw) < size:
        raise EOFError("it ends before its last block")
    return int.from_bytes(raw, "little")


CHECKS = {".gz": _check_gzip, ".zst": _check_zstd}
