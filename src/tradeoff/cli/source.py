"""Read the input of a command: files, a database, a query, Spark or a saved ranking."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.progress import rows_bar, spinner

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.sources.read import ScoredRows
    from tradeoff.uncertainty.confidence import Confidence

READ_OPTIONS = ("memory", "bins", "exact", "bad_rows")
COLUMN_ROLES = ("weight", "fold", "segment", "cluster")


def has_source(options: dict[str, Any]) -> bool:
    """Whether the options of a command name a source of rows: FILE or --query."""
    return options["file"] is not None or options["query"] is not None


def is_saved_ranking(file: Any) -> bool:
    """Whether FILE, or one of several, is a saved ranking."""
    return any(str(path).endswith(".ranking") for path in getattr(file, "paths", (file,)))


def parse_source(file: Any, query: str | None = None, table: str | None = None) -> Any:
    """Source of rows, from a command's FILE argument and its --query and --table options."""
    from tradeoff.sources.files import Query, is_database
    from tradeoff.sources.sql_quoting import quote_name

    if query is not None and table is not None:
        raise click.UsageError("Give --query or --table: a query names its own table.")
    if query is not None:
        if file is not None and not is_database(file):
            raise click.UsageError(
                "With --query, FILE is a DuckDB database; other files are named in the query, "
                f"as in FROM '{file}'."
            )
        return Query(query, file)
    if file is None:
        raise click.UsageError("Missing argument 'FILE'. A dash (-) reads standard input.")
    if table is None:
        return file
    if not is_database(file):
        raise click.UsageError(
            "--table needs a DuckDB database as FILE: its name ends in .duckdb, .ddb or .db."
        )
    return Query(f"FROM {quote_name(table)}", file)


def require_columns(actual: str | None, scores: Sequence[str]) -> None:
    """Raise a usage error unless --actual and --score of a command are given."""
    for value, flag in ((actual, "--actual"), (scores, "--score")):
        if not value:
            raise click.UsageError(f"Missing option '{flag}'.")


def read_source(
    file: Any, *, actual: str | None, scores: Sequence[str], in_memory: bool = False, **options: Any
) -> ScoredRows:
    """Read the rows or the saved ranking that a command's arguments name, with --unit.

    With `in_memory`, the rows stay in memory, however many there are.
    """
    from tradeoff.cli.options import pop_wording  # options.py imports this module in turn
    from tradeoff.errors import InputError
    from tradeoff.sources.columns import Columns
    from tradeoff.sources.options import ReadOptions
    from tradeoff.sources.read import read, read_ranking
    from tradeoff.sources.row_policy import RowPolicy

    engine, master = options.pop("engine", "duckdb"), options.pop("master", None)
    wording = pop_wording(options)
    query, table = options.pop("query", None), options.pop("table", None)
    read_options = {name: options.pop(name) for name in READ_OPTIONS if name in options}
    if is_saved_ranking(file):
        if len(getattr(file, "paths", ())) > 1:
            raise click.UsageError(
                "Name one saved ranking. Several models: tradeoff report; parts of one model: "
                "tradeoff merge."
            )
        if actual is not None or scores:
            raise click.UsageError(
                "A saved ranking has no columns: leave out --actual and --score."
            )
        _require_no_row_options(
            {**options, **read_options, "query": query, "table": table, "master": master}
        )
        return read_ranking(file, options.get("costs"), wording)
    require_columns(actual, scores)
    with rows_bar() as progress, ExitStack() as stack:
        if engine == "spark":
            _require_no_duckdb_options(read_options)
            stack.enter_context(spinner("Spark is starting and counting"))
            source = _spark_frame(stack, file, query, table, master)
        else:
            if master is not None:
                raise click.UsageError("--master is for Spark: add --engine spark.")
            source = parse_source(file, query, table)
        settings = ReadOptions(**read_options, progress=progress, in_memory=in_memory)
        roles = {role: options.pop(role, None) for role in COLUMN_ROLES}
        columns = Columns(actual, list(scores), **roles)
        costs = options.pop("costs", None)
        scored = read(source, columns, RowPolicy(**options, wording=wording), settings, costs)
        # A comparison ranks rows in memory itself: do not sort them just to count them.
        counts = (
            scored.row_counts
            if in_memory
            else {name: ranking.rows for name, ranking in scored.models.rankings.items()}
        )
    if not any(counts.values()):
        raise InputError(f"{file or 'The query'} has no rows to evaluate.")
    return scored


def read_evaluation(**source: Any) -> Evaluation:
    """Evaluation of the models in the rows that a command reads."""
    from tradeoff.evaluation.evaluation import Evaluation

    return Evaluation(read_source(**source).models)


def read_comparison(confidence: Confidence, **source: Any) -> Comparison:
    """Comparison of the models on the rows that a command reads."""
    from tradeoff.comparison.comparison import Comparison

    return Comparison(read_source(in_memory=True, **source).paired, confidence)


def _require_no_row_options(options: dict[str, Any]) -> None:
    """Raise a usage error if options about rows are given with a saved ranking."""
    defaults = {"missing": "error", "bad_rows": "stop"}
    for name, value in options.items():
        if name != "costs" and value not in {None, False, defaults.get(name)}:
            raise click.UsageError(
                f"A saved ranking holds counts, not rows: leave out --{name.replace('_', '-')}."
            )


def _require_no_duckdb_options(read_options: dict[str, Any]) -> None:
    """Raise a usage error if options that only DuckDB supports are given."""
    if read_options.get("memory") is not None or read_options.get("bad_rows", "stop") != "stop":
        raise click.UsageError(
            "--memory and --bad-rows apply only to DuckDB; Spark has its own settings."
        )


def _spark_frame(
    stack: ExitStack, file: Any, query: str | None, table: str | None, master: str | None
) -> Any:
    """Spark data frame with the rows, in a session that ends with the command."""
    from tradeoff.sources.spark_session import spark_session, spark_table

    spark = stack.enter_context(spark_session(master))
    if query is not None:
        return spark.sql(query)
    if table is None and file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    return spark_table(spark, table or str(file))
