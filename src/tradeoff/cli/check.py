"""`tradeoff check`: whether a file's rows can be trusted before anything is made of them."""

from __future__ import annotations

import sys
from typing import Any

import click

from tradeoff.cli.command import InputPath, command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import fold_option, format_option, reading, segment_option


@command()
@reading()
@click.option("--id", "row_id", metavar="COLUMN", help="What tells rows apart.")
@fold_option
@segment_option
@click.option("--against", type=InputPath(), help="Another file with the same columns.")
@format_option("text", "json", "markdown")
def check(
    *,
    file: Any,
    query: str | None,
    table: str | None,
    scores: tuple[str, ...],
    form: str,
    **asked: Any,
) -> None:
    """Whether rows can be trusted: labels as scores, leaks, missing values, copies, drift.

    Ends with 0 if there are at most notes, with 1 if there are warnings or errors.
    """
    from tradeoff.checks.check import check as look
    from tradeoff.cli.source import demand_columns, source_of

    demand_columns(asked["actual"], scores)
    result = look(source_of(file, query, table), score=list(dict.fromkeys(scores)), **asked)
    emit(result, form)
    if not result.trusted:
        sys.exit(1)
