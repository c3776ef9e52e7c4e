"""Command `tradeoff look`: the columns of a file, their likely roles, and what to do next."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import command, option_group
from tradeoff.cli.emit import emit
from tradeoff.cli.options import file_argument, file_options, format_option
from tradeoff.cli.source import parse_source


@command(examples=["churn.csv", "study.xlsx --sheet Results", "- < churn.csv"])
@file_argument
@option_group(
    "Input",
    click.option(
        "--query",
        metavar="SQL",
        help="Look at the rows that DuckDB returns for this query.",
    ),
    click.option("--table", metavar="NAME", help="Table to look at if FILE is a database."),
)
@file_options
@option_group(
    "Columns",
    click.option("--actual", metavar="COLUMN", help="Column of the actual class, if known."),
    click.option(
        "--score",
        multiple=True,
        metavar="COLUMN",
        help="Column of scores, if known; a,b or 'p_*' for several.",
    ),
    click.option("--positive", metavar="CLASS", help="The positive class, if known."),
)
@format_option("text", "json", "markdown", "csv")
def look_command(
    *, file: Any, query: str | None, table: str | None, output_format: str, **columns: Any
) -> None:
    """Look at a file: its columns, their likely roles, problems, and what to do next.

    `tradeoff FILE` is short for `tradeoff look FILE`.
    """
    from tradeoff.overview.overview import look

    emit(look(parse_source(file, query, table), **columns), output_format)
