"""Inference of the columns that the caller did not name, from the first rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tradeoff.errors import ColumnError
from tradeoff.sources.column_summaries import ColumnSummary, summarize_columns
from tradeoff.sources.columns import is_frame
from tradeoff.sources.files import is_file_or_query
from tradeoff.sources.read import (
    FirstRows,
    as_source,
    read_column_names,
    read_first_rows,
    resolve_source_and_actual,
)
from tradeoff.sources.roles import (
    Roles,
    UnclearRoles,
    expand_columns,
    infer_roles,
    needs_expansion,
)
from tradeoff.sources.spark import is_spark

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


def resolve_columns(
    data: Any, actual: Any, score: Any, positive: Any
) -> tuple[Any, Any, Any, Roles | None]:
    """Source, actual classes and scores, from the arguments of `evaluate`, and inferred roles.

    With a table, columns that are not named are inferred, and names of scores may be patterns.
    """
    names = [score] if isinstance(score, str) else score
    are_names = score is None or (
        isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
    )
    if (
        are_names
        and (actual is None or isinstance(actual, str))
        and (score is None or actual is None or needs_expansion(names))
        and _is_table(data)
    ):
        actual, columns, roles = complete_columns(data, actual, names or (), positive)
        return data, actual, columns, roles
    return *resolve_source_and_actual(data, actual, score), score, None


def _is_table(data: Any) -> bool:
    """Whether data is a table in memory or in files, and not the actual classes."""
    if isinstance(data, list | tuple):  # classes may be words: a file of this name must exist
        return bool(data) and all(isinstance(name, str) and Path(name).exists() for name in data)
    return is_file_or_query(data) or (not is_spark(data) and is_frame(data))


def complete_columns(
    data: Any, actual: Any, scores: Sequence[str], positive: Any
) -> tuple[str, list[str], Roles | None]:
    """Columns of the actual class and of the scores; those that are not named are inferred.

    The third value holds the roles if any was inferred. `UnclearRoles` is raised if the columns do
    not show them.
    """
    data = as_source(data)
    if scores and needs_expansion(scores):
        scores = expand_columns(scores, read_column_names(data))
    if actual is not None and scores:
        return actual, list(scores), None
    table = summarize_table(data)
    names = [column.name for column in table.columns]
    for name in [*([] if actual is None else [actual]), *scores]:
        if name not in names:
            raise ColumnError.missing(name, names)
    roles = infer_roles(
        table.columns,
        actual=actual,
        scores=scores,
        positive=None if positive is None else str(positive),
    )
    if roles.problem or roles.actual is None:
        raise UnclearRoles(roles, table.columns, table.title)
    return roles.actual, list(roles.scores), roles
