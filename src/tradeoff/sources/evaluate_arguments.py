"""Arguments of `evaluate`: the source, its actual classes and scores, and inferred columns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.class_roles import ClassRoles, infer_class_roles
from tradeoff.sources.classes import class_name
from tradeoff.sources.column_patterns import expand_columns, needs_expansion
from tradeoff.sources.columns import is_frame
from tradeoff.sources.files import Query, is_file_or_query
from tradeoff.sources.predicted_labels import source_and_classes
from tradeoff.sources.predicted_roles import infer_predicted_roles
from tradeoff.sources.read import as_source
from tradeoff.sources.read_columns import read_column_names
from tradeoff.sources.role_inference import Roles, infer_roles
from tradeoff.sources.spark import is_spark
from tradeoff.sources.table_summary import TableSummary, summarize_table
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


def resolve_class_columns(
    data: Any, actual: Any, score: Any, classes: Any
) -> tuple[Any, Any, Any, ClassRoles | None]:
    """Source, actual classes and scores of `evaluate_classes`, and the roles if inferred."""
    is_list = isinstance(score, list | tuple) and all(isinstance(name, str) for name in score)
    scores = {name: name for name in score} if is_list else score
    are_names = isinstance(scores, Mapping) and all(isinstance(v, str) for v in scores.values())
    if (
        (score is None or (are_names and actual is None))
        and (actual is None or isinstance(actual, str))
        and classes is None
        and _is_table(data)
    ):
        named = {class_name(value): name for value, name in (scores or {}).items()}
        actual, columns, roles = complete_class_columns(data, actual, named)
        return as_source(data), actual, columns, roles
    return *resolve_source_and_actual(data, actual, score), score, None


def resolve_predicted_columns(
    data: Any, actual: Any, predicted: Any, positive: Any, rejected: Any
) -> tuple[Any, Any, Roles | None]:
    """Source and actual classes of `evaluate_labels`, and the roles if they were inferred."""
    names = [predicted] if isinstance(predicted, str) else predicted
    are_names = isinstance(names, list | tuple) and all(isinstance(n, str) for n in names)
    if actual is not None or not (are_names and names and _is_table(data)):
        return *source_and_classes(data, actual, predicted), None
    actual, roles = complete_predicted_columns(
        data, None, names, positive=positive, rejected=rejected
    )
    return as_source(data), actual, roles


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
    table = summarize_with(data, actual, scores)
    roles = infer_roles(
        table.columns,
        actual=actual,
        scores=scores,
        positive=None if positive is None else str(positive),
    )
    if roles.problem or roles.actual is None:
        raise UnclearRoles(roles, table.columns, table.title)
    return roles.actual, list(roles.scores), roles


def complete_predicted_columns(  # noqa: PLR0913 - all that the caller may name
    data: Any,
    actual: str | None,
    predicted: Sequence[str],
    *,
    positive: Any = None,
    rejected: Any = None,
    needs_positive: bool = True,
) -> tuple[str, Roles | None]:
    """Column of the actual class of predicted classes, and the roles if it was inferred."""
    if actual is not None:
        return actual, None
    table = summarize_with(as_source(data), actual, predicted)
    roles = infer_predicted_roles(
        table.columns,
        predicted,
        positive=None if positive is None else str(positive),
        rejected=None if rejected is None else class_name(rejected),
        needs_positive=needs_positive,
    )
    if roles.problem or roles.actual is None:
        raise UnclearRoles(roles, table.columns, table.title)
    return roles.actual, roles


def complete_class_columns(
    data: Any, actual: str | None, scores: Mapping[str, str] | None
) -> tuple[str, dict[str, str], ClassRoles | None]:
    """Columns of the actual class and of the scores of each class, and the roles if inferred."""
    if actual is not None and scores:
        return actual, dict(scores), None
    table = summarize_with(as_source(data), actual, list((scores or {}).values()))
    roles = infer_class_roles(table.columns, actual=actual, scores=scores)
    if roles.problem or roles.actual is None:
        raise UnclearRoles(roles, table.columns, table.title)
    columns = {value: name for value, name in roles.scores.items() if name is not None}
    return roles.actual, columns, roles


def summarize_with(data: Any, actual: str | None, others: Sequence[str]) -> TableSummary:
    """Summary of a table, which must have the columns that the caller names."""
    table = summarize_table(data)
    names = [column.name for column in table.columns]
    for name in [*([] if actual is None else [actual]), *others]:
        if name not in names:
            raise ColumnError.missing(name, names)
    return table
