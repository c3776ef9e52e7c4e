"""Where a command's rows come from: files, a database, a query, Spark, or a saved ranking."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.progress import rows_bar, spinner

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.sources.read import Scored
    from tradeoff.uncertainty.confidence import Confidence

EFFORT = ("memory", "bins", "exact", "bad_rows")
ROLES = ("weight", "fold", "segment", "cluster")


def has_source(given: dict[str, Any]) -> bool:
    """Whether a command was told where rows are."""
    return given["file"] is not None or given["query"] is not None


def source_of(file: Any, query: str | None = None, table: str | None = None) -> Any:
    """What the library reads for FILE, --query and --table."""
    from tradeoff.sources.files import Query, is_database
    from tradeoff.sources.quoting import quoted

    if query is not None and table is not None:
        raise click.UsageError("Give --query or --table: a query names its own table.")
    if query is not None:
        if file is not None and not is_database(file):
            raise click.UsageError(
                "With --query, FILE is a DuckDB database; other files are named in the query."
            )
        return Query(query, file)
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    if table is None:
        return file
    if not is_database(file):
        raise click.UsageError("--table is of a DuckDB database: FILE ends in none of its endings.")
    return Query(f"FROM {quoted(table)}", file)


def demand_columns(actual: str | None, scores: Sequence[str]) -> None:
    """Rows cannot be read without these."""
    for given, flag in ((actual, "--actual"), (scores, "--score")):
        if not given:
            raise click.UsageError(f"Missing option '{flag}'.")


def read_source(
    file: Any, *, actual: str | None, scores: Sequence[str], hold: bool = False, **given: Any
) -> Scored:
    """The rows that a command was asked to read, or the saved ranking.

    `hold` says that the command needs the rows themselves, however many there are.
    """
    from tradeoff.errors import InputError
    from tradeoff.sources.columns import Columns
    from tradeoff.sources.options import ReadOptions
    from tradeoff.sources.policy import RowPolicy
    from tradeoff.sources.read import read, read_ranking

    engine, master = given.pop("engine", "duckdb"), given.pop("master", None)
    query, table = given.pop("query", None), given.pop("table", None)
    effort = {name: given.pop(name) for name in EFFORT if name in given}
    if str(file).endswith(".ranking"):
        if actual is not None or scores:
            raise click.UsageError(
                "A saved ranking has no columns: leave --actual and --score out."
            )
        _demand_no_rows({**given, **effort, "query": query, "table": table, "master": master})
        return read_ranking(file, given.get("costs"))
    demand_columns(actual, scores)
    with rows_bar() as told, ExitStack() as stack:
        if engine == "spark":
            _demand_files_alone(effort)
            stack.enter_context(spinner("Spark starts and counts"))
            source = _in_spark(stack, file, query, table, master)
        else:
            if master is not None:
                raise click.UsageError("--master is Spark's: say --engine spark.")
            source = source_of(file, query, table)
        options = ReadOptions(**effort, progress=told, hold=hold)
        roles = {role: given.pop(role, None) for role in ROLES}
        columns = Columns(actual, list(scores), **roles)
        costs = given.pop("costs", None)
        scored = read(source, columns, RowPolicy(**given), options, costs)
        # Rows that are held need not be ranked to be counted: a comparison ranks them itself.
        counts = (
            scored.row_counts
            if hold
            else {name: ranking.rows for name, ranking in scored.models.rankings.items()}
        )
    if not any(counts.values()):
        raise InputError(f"{file or 'The query'} has no rows to evaluate.")
    return scored


def read_evaluation(**source: Any) -> Evaluation:
    """The models of the rows that a command was asked to read."""
    from tradeoff.evaluation.evaluation import Evaluation

    return Evaluation(read_source(**source).models)


def read_comparison(confidence: Confidence, **source: Any) -> Comparison:
    """The models of these rows, compared on those that they share."""
    from tradeoff.comparison.comparison import Comparison

    return Comparison(read_source(hold=True, **source).paired, confidence)


def _demand_no_rows(given: dict[str, Any]) -> None:
    """What is about rows cannot be asked of counts."""
    usual = {"missing": "error", "bad_rows": "stop"}
    for name, value in given.items():
        if name != "costs" and value not in {None, False, usual.get(name)}:
            raise click.UsageError(
                f"A saved ranking has counts and no rows: leave --{name.replace('_', '-')} out."
            )


def _demand_files_alone(effort: dict[str, Any]) -> None:
    """Spark looks after its own memory, and reads files its own way."""
    if effort.get("memory") is not None or effort.get("bad_rows", "stop") != "stop":
        raise click.UsageError("--memory and --bad-rows are DuckDB's: Spark has its own settings.")


def _in_spark(
    stack: ExitStack, file: Any, query: str | None, table: str | None, master: str | None
) -> Any:
    """A frame of a session that ends with the command."""
    from tradeoff.sources.spark_session import session, spark_table

    own = stack.enter_context(session(master))
    if query is not None:
        return own.sql(query)
    if table is None and file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    return spark_table(own, table or str(file))
