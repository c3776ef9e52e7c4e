"""Notes on how an unusual CSV file is read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from tradeoff.sources.csv_layout import csv_layout
from tradeoff.sources.duckdb_relations import duckdb_connection
from tradeoff.sources.files import (
    Query,
    Source,
    given_csv_format,
    is_csv,
    is_database,
    source_files,
    whole_file_reader,
)


def reading_notes(source: Source) -> list[str]:
    """Notes on how an unusual CSV file is read: its encoding, delimiter and numbers."""
    if isinstance(source, Query) or is_database(source) or whole_file_reader(source):
        return []
    if not is_csv(source):
        return []
    with ExitStack() as stack:
        file = source_files(source)[0]
        is_zstd = file.suffix.lower() == ".zst"  # which only DuckDB can decompress
        connection = stack.enter_context(duckdb_connection(source)) if is_zstd else None
        layout = csv_layout(connection, file, given_csv_format(source))
    notes = [] if layout.encoding == "utf-8" else [f"text encoding {layout.encoding}"]
    if layout.delimiter not in {",", "\t"}:
        notes.append(f"columns separated by {layout.delimiter!r}")
    for names, description in (
        (layout.comma_columns, "decimal commas in {}"),
        (layout.percent_columns, "percentages in {} as proportions"),
    ):
        if names:
            listed = [repr(name) for name in layout.names if name in names]
            notes.append(description.format(_joined(listed)))
    return notes


def _joined(names: Sequence[str], max_names: int = 4) -> str:
    more = len(names) - max_names
    return ", ".join(names[:max_names]) + (f" and {more:,} more" if more > 0 else "")
