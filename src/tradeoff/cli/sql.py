"""Command `tradeoff sql`: a query that counts rows by score and class in a database."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.options import fold_option, segment_option
from tradeoff.sources.counts_query import DIALECTS, CountsRequest, counts_query

EXAMPLES = (
    "--table scores.predictions --actual bought --score model_a",
    "--table t --actual y --score p --dialect postgresql | psql --csv > counts.csv",
    "--table 'lake.\"march.2024\"' --actual y --score p --digits 4 --dialect spark",
)


@command(examples=EXAMPLES)
@click.option(
    "--table",
    required=True,
    metavar="NAME",
    help="The table, as schema.table; quote a part that contains a dot.",
)
@click.option("--actual", required=True, metavar="COLUMN", help="Column of the actual class.")
@click.option(
    "--score", required=True, metavar="COLUMN", help="Column of scores for the positive class."
)
@click.option(
    "--positive",
    metavar="CLASS",
    help="The positive class; it is needed only when the counts are read.",
)
@click.option("--weight", metavar="COLUMN", help="Column of row weights.")
@click.option(
    "--weight-means",
    type=click.Choice(["frequency", "importance"]),
    help="Whether weights are frequencies or importance weights; required with --weight.",
)
@segment_option
@fold_option
@click.option(
    "--digits",
    type=click.IntRange(0, 15),
    help="Round scores to this many decimals, so that fewer rows are returned.",
)
@click.option(
    "--dialect",
    type=click.Choice(list(DIALECTS)),
    default="duckdb",
    show_default=True,
    help="SQL dialect of the database.",
)
@click.option(
    "--keep-case",
    is_flag=True,
    help="Snowflake: keep the case of names.",
)
def sql_command(*, dialect: str, weight_means: str | None, **options: Any) -> None:
    """Print a query that counts rows by score and class in your database.

    Save its result as CSV or Parquet and evaluate that file instead of the rows; a comment at the
    top of the query explains how. Only counts leave the database.
    """
    if options["weight"] is None and weight_means is not None:
        raise click.UsageError("--weight-means needs --weight.")
    if options["weight"] is not None and weight_means is None:
        raise click.UsageError(
            "With --weight, add --weight-means frequency (the number of identical rows) or "
            "importance (how much a row matters)."
        )
    if options["keep_case"] and dialect != "snowflake":
        raise click.UsageError(
            "--keep-case needs --dialect snowflake; other dialects always keep the case."
        )
    click.echo(
        counts_query(CountsRequest(weight_means=weight_means or "frequency", **options), dialect)
    )
