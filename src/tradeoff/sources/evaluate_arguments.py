"""Arguments of `evaluate`: the source, its actual classes and scores, and inferred columns."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.column_patterns import expand_columns, needs_expansion
from tradeoff.sources.columns import is_frame
from tradeoff.sources.files import Query, is_file_or_query
from tradeoff.sources.read import as_source
from tradeoff.sources.read_columns import read_column_names
from tradeoff.sources.role_inference import Roles, infer_roles
from tradeoff.sources.spark import is_spark
from tradeoff.sources.table_summary import summarize_table
from tradeoff.sources.unclear_roles import UnclearRoles


def resolve_source_and_actual(data: Any, actual: Any, score: Any) -> tuple[Any, Any]:
    """Resolve the arguments of `evaluate` to the source, if any, and the actual classes.

    Both evaluate(y, score) and evaluate(table, actual=…) are accepted.
    """
    if score is None:
        raise InputError(
            'There are no scores: use evaluate(y, score), or evaluate(table, actual="column", '
            'score="column").'
        )
    if actual is not None:
        return data, actual
    names = score if isinstance(score, list | tuple) and score else [score]
    are_column_names = all(isinstance(name, str) for name in names)
    if data is None or are_column_names or isinstance(data, str | os.PathLike | Query):
        raise InputError("There are no actual classes: name their column, actual=….")
    return None, data


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
