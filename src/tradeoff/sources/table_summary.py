"""Inference of the columns that the caller did not name, from the first rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tradeoff.sources.column_summaries import ColumnSummary, summarize_columns
from tradeoff.sources.files import is_file_or_query
from tradeoff.sources.read import as_source
from tradeoff.sources.read_columns import FirstRows, read_first_rows

MAX_ROWS = 100_000
"""Number of rows at the start of a table that are summarized."""


@dataclass(frozen=True)
class TableSummary:
    """Summary of the first rows of a table, from which roles are inferred."""

    title: str
    columns: tuple[ColumnSummary, ...]
    rows: int
    first_rows: FirstRows

    @property
    def is_complete(self) -> bool:
        """Whether the summaries are of all rows."""
        return self.first_rows.rows == self.rows


def summarize_table(data: Any) -> TableSummary:
    """Summarize the columns of a dataframe, file or query, to infer their roles."""
    data = as_source(data)
    first_rows = read_first_rows(data, MAX_ROWS)
    title = str(data) if is_file_or_query(data) else "the table"
    return TableSummary(
        title, tuple(summarize_columns(first_rows.columns)), first_rows.total, first_rows
    )
