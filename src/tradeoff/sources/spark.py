"""Tables of Spark, ranked where they lie: Spark groups and counts, and groups alone come back."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError
from tradeoff.sources import spark_queries as queries
from tradeoff.sources.arrays import scored_rows
from tradeoff.sources.counted import ranked_models
from tradeoff.sources.ranked import BUDGET
from tradeoff.sources.spark_counting import counting
from tradeoff.sources.spark_pairs import recounted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tradeoff.core.models import RankedModels
    from tradeoff.sources.ranked import Choices, Columns

GONE = "The Spark session of this table has stopped: start one, and read the table again."


def is_spark(frame: Any) -> bool:
    """Whether this is a DataFrame of Spark; asks without importing it.

    Example:
        >>> is_spark([0.5])
        False
    """
    kind = type(frame)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql.")


def spark_models(
    frame: Any, columns: Columns, choices: Choices, most: int = BUDGET, *, exact: bool = False
) -> RankedModels:
    """The rankings of the models whose scores are columns of a Spark table.

    The table is read a few times: what is costly to compute is worth `cache()`.

    Args:
        frame: A DataFrame of Spark.
        columns: Which column plays which part.
        choices: What the caller chose about rows.
        most: How many thresholds a ranking keeps.
        exact: Sort all rows in Spark once more, so that areas are exact although rankings are not.
    """
    # One row stands for all: what is legal.
    scored_rows([1], [0.0], missing=choices.missing, digits=choices.digits)
    columns = columns._replace(scores=tuple(dict.fromkeys(columns.scores)))
    with told():
        demand_running(frame)
        kinds = queries.kinds_of(columns, frame.dtypes)
        table = frame.selectExpr(*queries.prepared(columns, kinds, choices.digits))
        query = counting(table, columns, kinds, most)
        counted = query.counted()
    models = ranked_models(counted, columns, choices, whole_weights=query.whole, most=most)
    if exact:
        with told():
            models = recounted(models, query, counted, choices.missing)
    return models


@contextmanager
def told() -> Iterator[None]:
    """What goes wrong inside Spark, in one sentence."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError) as problem:
        if isinstance(problem, ConnectionError) or "stopped SparkContext" in str(problem):
            raise InputError(GONE) from problem
        raise InputError(f"Spark cannot read the table: {reason_of(problem)}.") from problem


def reason_of(problem: Exception) -> str:
    """What went wrong, out of the many lines that Java has to say about it."""
    java = getattr(problem, "java_exception", None)
    said = str(problem if java is None else java.getMessage()).strip() or type(problem).__name__
    return said.splitlines()[0].rpartition("Exception: ")[2].rstrip(".")


def demand_running(frame: Any) -> None:
    """A table is of no use without its session."""
    context = getattr(frame.sparkSession, "_sc", None)  # a remote session has none
    if context is not None and (context._jsc is None or context._jsc.sc().isStopped()):  # noqa: SLF001 - Spark has no public word for it
        raise InputError(GONE)
