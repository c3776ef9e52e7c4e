"""`tradeoff sql`: the query that makes a ranking where the rows lie."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.options import fold_option, segment_option
from tradeoff.sources.sql import DIALECTS, Counting, counts_query

EXAMPLES = """\b
Examples:
  tradeoff sql --table scores.predictions --actual bought --score model_a
  tradeoff sql --table t --actual y --score p --dialect postgresql | psql --csv > counts.csv
  tradeoff sql --table 'lake."march.2024"' --actual y --score p --digits 4 --dialect spark
"""


@command(epilog=EXAMPLES)
@click.option(
    "--table",
    required=True,
    metavar="NAME",
    help="The table, as schema.table; a part with a dot of its own stands in double quotes.",
)
@click.option("--actual", required=True, metavar="COLUMN", help="The actual class.")
@click.option("--score", required=True, metavar="COLUMN", help="The score of the positive class.")
@click.option(
    "--positive", metavar="CLASS", help="Which class is positive, told where counts are read."
)
@click.option("--weight", metavar="COLUMN", help="What each row counts.")
@click.option(
    "--weight-means",
    type=click.Choice(["frequency", "importance"]),
    help="What a weight says; with --weight it must be told.",
)
@segment_option
@fold_option
@click.option(
    "--digits",
    type=click.IntRange(0, 15),
    help="Round scores to so many decimals: fewer lines where nearly all scores differ.",
)
@click.option(
    "--dialect",
    type=click.Choice(list(DIALECTS)),
    default="duckdb",
    show_default=True,
    help="The database that shall understand it.",
)
@click.option(
    "--keep-case",
    is_flag=True,
    help="Snowflake: names are stored as written, not in upper case.",
)
def sql(*, dialect: str, weight_means: str | None, **asked: Any) -> None:
    """The query that counts rows by score and class in your own database.

    Its result, saved as CSV or Parquet, is evaluated as the rows would be; a comment on top says
    how. Only counts leave the database.
    """
    if asked["weight"] is None and weight_means is not None:
        raise click.UsageError("--weight-means says what weights mean: give --weight too.")
    if asked["weight"] is not None and weight_means is None:
        raise click.UsageError(
            "Say what weights mean, which a query cannot see: --weight-means frequency (how often "
            "a row was seen) or importance (how much it matters)."
        )
    if asked["keep_case"] and dialect != "snowflake":
        raise click.UsageError("--keep-case goes with --dialect snowflake: others keep it anyway.")
    click.echo(counts_query(Counting(weight_means=weight_means or "frequency", **asked), dialect))
