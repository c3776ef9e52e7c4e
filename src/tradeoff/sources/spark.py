"""Tables of Spark, ranked where they lie: Spark groups and counts, and groups alone come back."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError
from tradeoff.sources import spark_queries as queries
from tradeoff.sources.arrays import scored_rows
from tradeoff.sources.counted import ranked_models
from tradeoff.sources.ranked import BUDGET, Columns, RankedModels
from tradeoff.sources.spark_counting import counting
from tradeoff.sources.spark_pairs import recounted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tradeoff.ranking.ranking import Ranking
    from tradeoff.sources.arrays import Missing, WeightMeans

GONE = "The Spark session of this table has stopped: start one, and read the table again."


def is_spark(frame: Any) -> bool:
    """Whether this is a DataFrame of Spark; asks without importing it.

    Example:
        >>> is_spark([0.5])
        False
    """
    kind = type(frame)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql.")


def spark_models(  # noqa: PLR0913 - the border: every choice a caller has about rows
    frame: Any,
    *,
    actual: str,
    score: Sequence[str],
    weight: str | None = None,
    fold: str | None = None,
    segment: str | None = None,
    positive: Any = None,
    weight_means: WeightMeans | None = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
    most: int = BUDGET,
    exact: bool = False,
) -> RankedModels:
    """The rankings of the models whose scores are columns of a Spark table.

    The choices are those of `tradeoff.evaluate`. The table is read a few times: what is costly to
    compute is worth `cache()`.

    Args:
        frame: A DataFrame of Spark.
        actual: The column of classes.
        score: The columns of scores, one a model.
        weight: The column of weights.
        fold: The column of folds.
        segment: The column of segments.
        positive: The positive class.
        weight_means: What weights mean.
        missing: What to do with rows without a score.
        lower_is_positive: Low scores speak for the positive class.
        digits: Round scores to so many decimals first.
        most: How many thresholds a ranking keeps.
        exact: Sort all rows in Spark once more, so that areas are exact although rankings are not.
    """
    scored_rows([1], [0.0], missing=missing, digits=digits)  # one row stands for all: what is legal
    columns = Columns(actual, tuple(dict.fromkeys(score)), weight, fold, segment)
    with told():
        demand_running(frame)
        kinds = queries.kinds_of(columns, frame.dtypes)
        table = frame.selectExpr(*queries.prepared(columns, kinds, digits))
        query = counting(table, columns, kinds, most)
        counted = query.counted()
    models = ranked_models(
        counted,
        positive=positive,
        weight_means=weight_means,
        whole_weights=query.whole,
        missing=missing,
        lower_is_positive=lower_is_positive,
        actual_name=actual,
        fold_name=fold or "fold",
        segment_name=segment or "segment",
        most=most,
    )
    if exact:
        with told():
            models = recounted(models, query, counted, missing)
    return models if digits is None else _rounded(models, digits)


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


def _rounded(models: RankedModels, digits: int) -> RankedModels:
    """The same rankings, which say that scores were rounded before what became of missing ones."""

    def noted(ranking: Ranking) -> Ranking:
        note = f"{ranking.name} was rounded to {digits} decimals"
        before = [one for one in ranking.notes if " without a score: " not in one]
        after = [one for one in ranking.notes if " without a score: " in one]
        return replace(ranking, notes=(*before, note, *after))

    def grouped(parts: Any) -> Any:
        return {
            model: {part: noted(ranking) for part, ranking in rankings.items()}
            for model, rankings in parts.items()
        }

    rankings = {name: noted(ranking) for name, ranking in models.rankings.items()}
    return RankedModels(rankings, grouped(models.folds), grouped(models.segments))
