"""look(): the columns of a table, their likely roles, problems, and commands for it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tradeoff.checks.check import check
from tradeoff.checks.registry import CheckedRows
from tradeoff.errors import InputError, suggest_arguments
from tradeoff.results import Result
from tradeoff.sources.class_roles import infer_class_roles
from tradeoff.sources.column_patterns import expand_columns
from tradeoff.sources.column_summaries import ColumnSummary
from tradeoff.sources.files import File, Query, is_file_or_query
from tradeoff.sources.predicted_roles import infer_multiclass_predictions
from tradeoff.sources.read import as_source
from tradeoff.sources.reading_notes import reading_notes
from tradeoff.sources.role_inference import (
    Roles,
    example_roles,
    infer_roles,
    likely_role,
)
from tradeoff.sources.table_summary import TableSummary, summarize_table

CHECKED_FOR = "missing values, reversed, constant and rounded scores, and leaks"


@dataclass(frozen=True, eq=False, repr=False)
class Overview(Result, views="tradeoff.overview.views"):
    """Overview of a table: its columns, their likely roles, problems and next commands.

    Args:
        source: Name of the file, query or dataframe.
        arguments: Arguments of a command that name the source and its file format.
        rows: Number of rows.
        summarized_rows: Number of rows at the start of the table that were summarized.
        summaries: Summary of each column.
        roles: Columns of the class and of the scores, as far as they are clear.
        notes: How the file was read, where this is not obvious.
        checked: Problems found; None if it is unclear what to check.
    """

    source: str
    arguments: tuple[str, ...]
    rows: int
    summarized_rows: int
    summaries: tuple[ColumnSummary, ...]
    roles: Roles
    notes: tuple[str, ...] = ()
    checked: CheckedRows | None = None

    @property
    def is_evaluable(self) -> bool:
        """Whether `evaluate` can infer the columns."""
        return not self.roles.problem and self.roles.actual is not None

    @property
    def commands(self) -> tuple[str, ...]:
        """Suggested commands for the table, complete or to be edited."""
        return tuple(command_line(["tradeoff", *arguments]) for arguments in _next_arguments(self))

    def columns(self) -> dict[str, Any]:
        """One row per column: name, type, missing and distinct values, range, likely role."""
        columns = self.summaries
        return {
            "column": np.array([column.name for column in columns], dtype=object),
            "type": np.array([column.kind for column in columns], dtype=object),
            "missing": np.array([column.missing for column in columns]),
            "distinct": np.array([column.distinct for column in columns]),
            "low": np.array([_or_nan(column.low) for column in columns]),
            "high": np.array([_or_nan(column.high) for column in columns]),
            "role": np.array([likely_role(c, self.roles) for c in columns], dtype=object),
        }

    def __repr__(self) -> str:
        """The text that `tradeoff look` prints."""
        from tradeoff.render.sections import format_text

        return format_text(self.sections())

    def _caption(self) -> str:
        return f"{self.source}: {self.rows:,} rows"


@suggest_arguments
def look(
    data: Any,
    *,
    actual: str | None = None,
    score: str | Sequence[str] = (),
    positive: Any = None,
) -> Overview:
    """Look at a table: its columns, their likely roles, problems, and what to do next.

    Args:
        data: A dataframe, or the path of a file, as for `evaluate`.
        actual: The column of the actual class, if it is known.
        score: The columns of scores, if they are known.
        positive: The positive class, if it is known.

    Example:
        >>> import pyarrow
        >>> visits = {"sepsis": [1, 0, 0, 1], "p_sepsis": [0.9, 0.2, 0.4, 0.3]}
        >>> look(pyarrow.table(visits)).roles.sentence
        'class sepsis (1 is positive), score p_sepsis'
    """
    if isinstance(data, str | os.PathLike) and str(data).endswith(".ranking"):
        raise InputError(f"{data} is a saved ranking, without rows: tradeoff evaluate {data}")
    table = summarize_table(data)
    names = [column.name for column in table.columns]
    scores = expand_columns([score] if isinstance(score, str) else score, names)
    if actual is not None:
        (actual,) = expand_columns([actual], names)
    roles = infer_roles(
        table.columns,
        actual=actual,
        scores=scores,
        positive=None if positive is None else str(positive),
    )
    source = as_source(data)
    return Overview(
        table.title,
        source_arguments(source),
        table.rows,
        table.first_rows.rows,
        table.columns,
        roles,
        tuple(reading_notes(source)) if is_file_or_query(source) else (),
        _checked(table, roles),
    )


def _checked(table: TableSummary, roles: Roles) -> CheckedRows | None:
    """Problems in the rows that were read, if the roles of their columns are known."""
    if roles.actual is None or not roles.scores:
        return None
    positive = roles.positive or example_roles(roles, table.columns)[1]
    columns = table.first_rows.columns
    try:
        return check(
            None,
            {name: columns[name] for name in roles.scores},
            actual=columns[roles.actual],
            positive=positive,
        )
    except InputError:  # `check` itself says why
        return None


def _next_arguments(overview: Overview) -> list[list[str]]:
    """Arguments of the commands that are most useful for a table."""
    source, summaries, roles = overview.arguments, overview.summaries, overview.roles
    of_classes = [class_arguments(roles, summaries), class_label_arguments(roles, summaries)]
    if any(of_classes):
        return [["classes", *source, *arguments] for arguments in of_classes if arguments]
    columns = column_arguments(roles, summaries)
    if roles.scores:
        return [
            ["evaluate", *source, *columns],
            ["threshold", *source, *columns, "--cost-fp", "1", "--cost-fn", "5"],
            ["report", *source, *columns],
            *([["evaluate", *source, *label_arguments(roles, summaries)]] * bool(roles.predicted)),
        ]
    if roles.predicted:
        return [["evaluate", *source, *columns], ["report", *source, *columns]]
    cross_validation = ["crossval", *source, *actual_arguments(roles, summaries)]
    evaluation = ["evaluate", *source, *columns]
    return [cross_validation, evaluation] if roles.actual else [evaluation, cross_validation]


def command_line(arguments: Sequence[str]) -> str:
    """Arguments of a suggested command as typed in a shell, quoted if necessary.

    Example:
        >>> command_line(["tradeoff", "evaluate", "my scores.csv", "--score", "p"])
        "tradeoff evaluate 'my scores.csv' --score p"
    """
    return " ".join(map(_quoted_argument, arguments))


def _quoted_argument(argument: str) -> str:
    if "'" in argument and not set(argument) & set('"$`\\!'):
        return f'"{argument}"'
    return shlex.quote(argument)


def source_arguments(source: Any) -> tuple[str, ...]:
    """Arguments of a suggested command that name a source and, if given, its file format.

    Example:
        >>> source_arguments(File("churn.csv", decimal=","))
        ('churn.csv', '--decimal', ',')
    """
    if isinstance(source, Query):
        return "--query", source.sql, *([] if source.database is None else [str(source.database)])
    if not is_file_or_query(source):
        return ("FILE",)
    if not isinstance(source, File):
        return (str(source),)
    paths = ("-",) if source.title is not None else source.paths
    options = {
        name: getattr(source, name) for name in ("delimiter", "encoding", "decimal", "sheet")
    }
    flags = [
        text
        for name, value in options.items()
        if value is not None
        for text in (f"--{name}", value)
    ]
    return *paths, *flags


def column_arguments(roles: Roles, summaries: Sequence[ColumnSummary]) -> list[str]:
    """Flags of a suggested command that name the columns; unclear roles get a likely column."""
    if roles.predicted and not roles.scores:
        return label_arguments(roles, summaries)
    actual, _, scores = example_roles(roles, summaries)
    return [
        *actual_arguments(roles, summaries),
        *score_arguments(scores),
        *missing_arguments([actual, *scores], summaries),
    ]


def label_arguments(roles: Roles, summaries: Sequence[ColumnSummary]) -> list[str]:
    """Flags of a suggested command that name the class and the predicted classes."""
    actual = example_roles(roles, summaries)[0]
    return [
        *actual_arguments(roles, summaries),
        *(flag for name in roles.predicted for flag in ("--predicted", name)),
        *missing_arguments([actual, *roles.predicted], summaries),
    ]


def actual_arguments(roles: Roles, summaries: Sequence[ColumnSummary]) -> list[str]:
    """Flags of a suggested command that name the class column and, if necessary, its positive."""
    actual, positive, _ = example_roles(roles, summaries)
    column = next((column for column in summaries if column.name == actual), None)
    is_default = column is not None and infer_roles([column], actual=actual).positive == positive
    if positive is None or is_default:
        return ["--actual", actual]
    return ["--actual", actual, "--positive", positive]


def missing_arguments(names: Sequence[str], summaries: Sequence[ColumnSummary]) -> list[str]:
    """Flags of a suggested command that leave out rows without a value in one of its columns."""
    has_gaps = any(column.missing for column in summaries if column.name in names)
    return ["--missing", "drop"] if has_gaps else []


def class_arguments(roles: Roles, summaries: Sequence[ColumnSummary]) -> list[str]:
    """Flags of `tradeoff classes`, if the table has a score for each of several classes."""
    classes = infer_class_roles(summaries, min_classes=3)
    if roles.actual is not None or classes.actual is None or None in classes.scores.values():
        return []
    columns = {value: str(name) for value, name in classes.scores.items()}
    return class_score_arguments(classes.actual, columns, summaries)


def class_score_arguments(
    actual: str, scores: Mapping[str, str], summaries: Sequence[ColumnSummary]
) -> list[str]:
    """Flags of `tradeoff classes` that name the class column and the score of each class.

    Example:
        >>> class_score_arguments("kind", {"cat": "p_cat", "dog": "dog"}, [])
        ['--actual', 'kind', '--score', 'cat=p_cat', '--score', 'dog']
    """
    return [
        *("--actual", actual),
        *(
            flag
            for value, name in scores.items()
            for flag in ("--score", value if value == name else f"{value}={name}")
        ),
        *missing_arguments([actual, *scores.values()], summaries),
    ]


def class_label_arguments(roles: Roles, summaries: Sequence[ColumnSummary]) -> list[str]:
    """Flags of `tradeoff classes`, if the table has predictions of three or more classes."""
    classes = None if roles.actual is not None else infer_multiclass_predictions(summaries)
    if classes is None or classes.actual is None:
        return []
    return [
        *("--actual", classes.actual),
        *(flag for name in classes.predicted for flag in ("--predicted", name)),
        *missing_arguments([classes.actual, *classes.predicted], summaries),
    ]


def score_arguments(scores: Sequence[str]) -> list[str]:
    """Flags of a suggested command that name the scores, separated by commas if possible.

    Example:
        >>> score_arguments(["logistic", "boosting"])
        ['--score', 'logistic,boosting']
    """
    if any("," in name for name in scores):
        return [argument for name in scores for argument in ("--score", name)]
    return ["--score", ",".join(scores)]


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value
