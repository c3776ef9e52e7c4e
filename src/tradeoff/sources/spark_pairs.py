"""All pairs of rows, counted in Spark by every score, where rankings keep cells.

One query sorts the rows within stretches of scores and adds up what each stretch needs to know of
itself; what lies below it are whole numbers, which are put together here without rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from tradeoff.core.concordance import Pairs
from tradeoff.core.ranking import Ranking
from tradeoff.core.regions import Region
from tradeoff.errors import InputError
from tradeoff.sources import spark_queries as queries
from tradeoff.sources.classes import class_name
from tradeoff.sources.options import NO_WEIGHTS
from tradeoff.sources.policy import Missing

if TYPE_CHECKING:
    from tradeoff.core.models import RankedModels
    from tradeoff.sources.spark import SparkEngine

HALF = 1 << 31
"""Squares are added up in two parts, as their sum would not fit into 64 bits."""
MOST_ROWS = 1 << 30
EVERYTHING = Region(float("-inf"), 1.0)

SUMS = {
    "positives": "sum(p)",
    "negatives": "sum(n)",
    "won": "sum(p * below)",
    "lost": "sum(n * beneath)",
    "won_high": f"sum(p * (below * below div {HALF}L))",
    "won_low": f"sum(p * (below * below % {HALF}L))",
    "lost_high": f"sum(n * (beneath * beneath div {HALF}L))",
    "lost_low": f"sum(n * (beneath * beneath % {HALF}L))",
}


class Stretch(NamedTuple):
    """Rows of neighbouring scores, and sums over them of what lies below within the stretch.

    A row's `below` is twice the rows of the other class that score lower, ties once.
    """

    positives: int
    negatives: int
    won: int
    lost: int
    won_squares: int
    lost_squares: int


def recounted(
    models: RankedModels,
    engine: SparkEngine,
    missing: Missing,
) -> RankedModels:
    """The rankings with pairs by every score, where cells had lost some."""
    binned = models.with_lost_pairs
    if not binned:
        return models
    if engine.columns.weight is not None:
        raise InputError(NO_WEIGHTS)
    kind = engine.kinds[engine.columns.actual]
    branches = [
        _query(engine, ranking, _positives(engine.groups()[name].actual, kind, ranking), missing)
        for name, ranking in binned.items()
    ]
    answer = reduce(lambda first, second: first.unionAll(second), branches).collect()
    exact = {
        name: ranking.with_pairs(pairs_of(_stretches(answer, name, ranking)))
        for name, ranking in binned.items()
    }
    return replace(models, rankings={**models.rankings, **exact})


def pairs_of(stretches: Sequence[Stretch]) -> Pairs:
    """All pairs, from stretches in the order of how positive their scores are, the least first.

    Example:
        >>> pairs_of([Stretch(0, 2, 0, 0, 0, 0), Stretch(1, 1, 0, 2, 0, 4)])
        Pairs(twice_won=4, of_positives=0.0, of_negatives=0.6666666666666666)
    """
    positives, negatives = (sum(one[side] for one in stretches) for side in (0, 1))
    lower_positives = lower_negatives = won = won_squares = lost_squares = 0
    for one in stretches:
        own = 2 * lower_negatives
        won += one.won + own * one.positives
        won_squares += one.won_squares + 2 * own * one.won + own**2 * one.positives
        # A negative row loses to the positives that are not below it.
        above = 2 * (positives - lower_positives)
        lost_squares += one.lost_squares - 2 * above * one.lost + above**2 * one.negatives
        lower_positives += one.positives
        lower_negatives += one.negatives
    return Pairs(
        won,
        (positives * won_squares - won**2) / (4 * negatives**2 * positives),
        (negatives * lost_squares - won**2) / (4 * positives**2 * negatives),
    )


def _query(
    engine: SparkEngine, ranking: Ranking, positives: Sequence[Any], missing: Missing
) -> Any:
    """One row for each stretch of a model's scores."""
    from pyspark.sql.functions import col, expr, lit
    from pyspark.sql.window import Window

    place = engine.columns.models.index(ranking.name)
    sign = -1 if ranking.lower_is_positive else 1
    rows = engine.table.select(
        col(f"score_{place}").alias("score"),
        col("actual").isin(list(positives)).alias("positive"),
    ).where("positive IS NOT NULL")
    if missing == "negative":
        last = queries.literal(-sign * float("inf"))
        rows = rows.withColumn("score", expr(f"IF(isnan(score), {last}, score)"))
    rows = rows.where("NOT isnan(score)").withColumn(
        "block", expr(queries.block_of(engine.cells.regions[place] or (EVERYTHING,)))
    )
    # All of a stretch comes to one place first: the grouping and the sums then move nothing.
    counted = (
        rows.repartition("block")
        .groupBy("block", "score")
        .agg(expr("count_if(positive)").alias("p"), expr("count_if(NOT positive)").alias("n"))
    )
    rising = col("score") if sign > 0 else col("score").desc()
    upwards = Window.partitionBy("block").orderBy(rising).rowsBetween(Window.unboundedPreceding, 0)
    below = counted.withColumns(
        {
            "below": 2 * expr("sum(n)").over(upwards) - col("n"),
            "beneath": 2 * expr("sum(p)").over(upwards) - col("p"),
        }
    )
    return below.groupBy("block").agg(
        lit(ranking.name).alias("model"), *(expr(sql).alias(what) for what, sql in SUMS.items())
    )


def _positives(classes: NDArray[Any], kind: str, ranking: Ranking) -> list[Any]:
    """The values that the positive class has in the table."""
    there = {value for value in classes.tolist() if value is not None}
    found = [value for value in there if class_name(value) == ranking.positive]
    # Where some are missing, truths came as floats.
    return [bool(value) for value in found] if kind == "boolean" else found


def _stretches(answer: Sequence[Any], name: str, ranking: Ranking) -> list[Stretch]:
    """The stretches of a model, the least positive scores first."""
    own = sorted(
        (row for row in answer if row["model"] == name),
        key=lambda row: row["block"],
        reverse=ranking.lower_is_positive,
    )
    if any(row["positives"] + row["negatives"] >= MOST_ROWS for row in own):
        raise InputError(
            f"`exact` cannot sort more than {MOST_ROWS:,} rows of neighbouring scores: leave it "
            "out, and bounds of the area are told."
        )
    return [
        Stretch(
            row["positives"],
            row["negatives"],
            row["won"],
            row["lost"],
            row["won_high"] * HALF + row["won_low"],
            row["lost_high"] * HALF + row["lost_low"],
        )
        for row in own
    ]
