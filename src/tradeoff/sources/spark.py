"""Tables of Spark, ranked where they lie: Spark groups and counts, and groups alone come back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.concordance import Pairs
from tradeoff.core.models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.core.regions import Region, regions_of
from tradeoff.errors import InputError
from tradeoff.sources.classes import class_name
from tradeoff.sources.columns import Columns
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.policy import NO_WEIGHTS, Batch, Missing, RowPolicy
from tradeoff.sources.pushdown import Faults, counted_models
from tradeoff.sources.spark_queries import (
    CELL,
    FRACTIONAL,
    LONG_DECIMAL,
    LONG_INTEGER,
    NAN,
    REAL,
    WHOLE,
    block_of,
    keys_of,
    kinds_of,
    literal,
    lost,
    prepared,
    scale_of,
    sums,
    weight_faults,
)

# Rows of a Spark table, counted in groups by one query.
#
# A few small questions tell how many rows there are and where their scores crowd. Then one query
# counts the rows of all models: by score where scores repeat, by cells of `core.regions` where
# they are more than a ranking keeps. What comes back are counts and quantiles, never rows.


FIRST = 20_000
"""Rows that are looked at first: if there are no more, each score is a group."""
SAMPLE = 40_000
QUANTILES = 1000
FEWEST_CELLS = 1000
REPEATED = 0.9
"""Scores repeat where fewer than this share of the first rows differ."""
WEIGHED = ("weight", "squares")


@dataclass(frozen=True, eq=False)
class SparkEngine:
    """A prepared table of Spark: few small questions, and then one query for all models."""

    table: Any
    columns: Columns
    kinds: Mapping[str, str]
    most: int

    @property
    def _scores(self) -> list[str]:
        return [f"score_{place}" for place in range(len(self.columns.models))]

    @cached_property
    def _first(self) -> _First:
        first = _first_rows(self.table, self.columns, self._scores)
        if not first.rows:
            raise InputError("The Spark table has no rows.")
        return first

    @cached_property
    def _answers(self) -> _Answers:
        """One look at all rows."""
        first = self._first
        repeated = [
            name
            for name in self._scores
            if first.rows > FIRST and first.distinct[name] < REPEATED * first.rows
        ]
        return _answers(self.table, self.columns, self.kinds, repeated)

    def total(self) -> int:
        """How many rows there are."""
        return self._answers.rows

    def faults(self) -> Faults:
        """What cannot be counted with."""
        return self._answers.faults

    @cached_property
    def _whole_weights(self) -> bool:
        """Whether all weights are whole numbers that integers can add up."""
        columns, answers = self.columns, self._answers
        whole = columns.weight is not None and not answers.fractional
        # Sums of integers must not overflow, nor may floats have lost one.
        is_integer = self.kinds.get(columns.weight or "") in {*WHOLE, "boolean"}
        return whole and answers.weight < (2**62 if is_integer else 2**53)

    @cached_property
    def cells(self) -> Cells:
        """Where scores crowd, by a sample; none for models whose scores repeat."""
        first, answers, most = self._first, self._answers, self.most
        limit = min(most, 4 * most / first.parts)
        binned = [
            name
            for name in self._scores
            if first.rows > FIRST and answers.distinct.get(name, most + 1) > limit
        ]
        if not binned:
            return Cells(first.common, [None] * len(self._scores))
        sample = self.table.sample(min(1.0, SAMPLE / answers.rows), seed=1)
        cells = max(FEWEST_CELLS, min(most // 2, 2 * most // first.parts))
        common, regions = _crowded(sample, first.common, binned, cells)
        return Cells(common, [regions.get(name) for name in self._scores])

    def groups(self) -> dict[str, Batch]:
        """The rows of each model by score where scores repeat, else by cells."""
        return self._groups

    @cached_property
    def _groups(self) -> dict[str, Batch]:
        answer = self._query().collect()
        return {
            name: self._model([row for row in answer if row["model"] == place], name)
            for place, name in enumerate(self.columns.models)
        }

    @property
    def _parts(self) -> list[str]:
        """What tells groups apart besides scores: `other` is NULL for rows of a common class.

        Rows of weight 0 stay by themselves: they count for nothing, but show that a fold is there.
        """
        idle = [] if self.columns.weight is None else ["idle"]
        return [
            "other",
            *(role for role in keys_of(self.columns) if role != "actual"),
            *idle,
        ]

    @property
    def _sums(self) -> dict[str, str]:
        return sums(weighted=self.columns.weight is not None)

    def _query(self) -> Any:
        """Groups as a few rows of long arrays, which come back far faster than as many rows."""
        from functools import reduce

        from pyspark.sql.functions import collect_list, spark_partition_id

        # A branch for each model keeps the generated code small: Java leaves methods of more than
        # 8,000 bytes uncompiled.
        branches = [
            self._model_groups(place, regions) for place, regions in enumerate(self.cells.regions)
        ]
        groups = reduce(lambda first, second: first.unionAll(second), branches)
        return groups.groupBy(spark_partition_id().alias("part"), "model", *self._parts).agg(
            *(collect_list(name).alias(name) for name in self._sums)
        )

    def _model_groups(self, place: int, regions: tuple[Region, ...] | None) -> Any:
        from pyspark.sql.functions import col, expr, lit, struct, when

        rows = self.table.withColumnRenamed(f"score_{place}", "score")
        if self.columns.weight is not None:
            kind = "BIGINT" if self._whole_weights else "DOUBLE"
            rows = rows.withColumn("weight", col("weight").cast(kind))
            rows = rows.withColumn("idle", col("weight") == 0)
            rows = rows.withColumn("score", expr(f"IF(idle, {NAN}, score)"))
        if regions is None:
            rows = rows.withColumn("cell", col("score"))
        else:
            rows = rows.withColumn("scale", expr(scale_of(regions)))
            rows = rows.withColumn("cell", expr(CELL))
        first, is_common = lit(False), lit(False)
        if self.cells.common:
            first = col("actual").eqNullSafe(lit(self.cells.common[0]))
            is_common = first | col("actual").eqNullSafe(lit(self.cells.common[-1]))
        rows = rows.withColumn("first", first).withColumn(
            "other", when(~is_common, struct("actual"))
        )
        grouped = rows.groupBy("cell", *self._parts).agg(
            *(expr(sql).alias(name) for name, sql in self._sums.items())
        )
        return grouped.select(lit(place).alias("model"), *self._parts, *self._sums)

    def _model(self, answer: Sequence[Any], name: str) -> Batch:
        """The groups of one model, parted into those of each class."""
        pieces = [piece for row in answer for piece in _pieces(row, self.cells.common)]
        sizes = [piece.size for piece in pieces]

        def key(role: str, values: Sequence[Any]) -> NDArray[Any]:
            return np.repeat(_typed(values, self.kinds[keys_of(self.columns)[role]]), sizes)

        def numbers(what: str) -> NDArray[Any]:
            return np.concatenate(
                [np.zeros(0, np.int64), *(piece.numbers[what] for piece in pieces)]
            )

        parts: dict[str, Any] = {
            role: key(role, [piece.row[role] for piece in pieces])
            for role in ("fold", "segment")
            if role in keys_of(self.columns)
        }
        weights = () if self.columns.weight is None else WEIGHED
        weighted: dict[str, Any] = {what: numbers(what) for what in weights}
        return Batch(
            key("actual", [piece.actual for piece in pieces]),
            numbers("low").astype(np.float64),
            highest=numbers("high").astype(np.float64),
            sizes=numbers("rows"),
            whole_weights=self._whole_weights,
            ties=self._answers.ties.get(name, 0),
            **weighted,
            **parts,
        )


class Cells(NamedTuple):
    """The commonest classes, and the regions of each model's scores that are counted by cells."""

    common: Sequence[Any]
    regions: Sequence[tuple[Region, ...] | None]


class _First(NamedTuple):
    """What the first rows are like: how many, with how many different scores and parts."""

    rows: int
    distinct: dict[str, int]
    parts: int
    common: list[Any]


def _first_rows(table: Any, columns: Columns, scores: Sequence[str]) -> _First:
    """Look at the first rows, of which counts by class come back."""
    from pyspark.sql.functions import expr

    parts = ", ".join(role for role in keys_of(columns) if role != "actual")
    questions = [
        "count(1)",
        f"count(DISTINCT struct({parts}))" if parts else "1",
        *(f"count(DISTINCT {name})" for name in scores),
    ]
    grouped = table.limit(FIRST + 1).groupBy("actual").agg(*map(expr, questions)).collect()
    answers = sorted((tuple(row) for row in grouped), key=lambda row: -row[1])
    distinct = {name: sum(row[3 + i] for row in answers) for i, name in enumerate(scores)}
    return _First(
        sum(row[1] for row in answers),
        distinct,
        max((row[2] for row in answers), default=1),
        [row[0] for row in answers if row[0] is not None][:2],
    )


def _crowded(
    sample: Any, common: Sequence[Any], scores: Sequence[str], cells: int
) -> tuple[list[Any], dict[str, tuple[Region, ...]]]:
    """Where scores of either class crowd, by quantiles of some rows; and the commonest classes."""
    from pyspark.sql.functions import col, expr, lit

    first = col("actual").eqNullSafe(lit(common[0])) if common else lit(False)
    shares = ", ".join(f"{place / QUANTILES}D" for place in range(QUANTILES + 1))
    questions = [
        "mode(actual)",
        *(
            f"percentile_approx(IF(isnan({name}), NULL, {name}), array({shares}), 10000)"
            for name in scores
        ),
    ]
    grouped = sample.groupBy(first.alias("first")).agg(*map(expr, questions)).collect()
    answers = sorted((tuple(row) for row in grouped), key=lambda row: not row[0])
    regions = {}
    for place, name in enumerate(scores, 2):
        sides = [(row[0], row[place]) for row in answers if row[place] is not None]
        some = np.concatenate([np.zeros(0), *(np.array(side) for _, side in sides)])
        positive = np.repeat(
            [bool(is_first) for is_first, _ in sides], [len(side) for _, side in sides]
        )
        regions[name] = regions_of(Ranking.of(some, positive.astype(np.bool_)), cells)
    classes = [row[1] for row in answers if row[1] is not None]
    return list(dict.fromkeys([*classes, *common]))[:2], regions


class _Answers(NamedTuple):
    """How many rows there are, what they weigh, and about how many scores some models have."""

    rows: int
    weight: float
    distinct: dict[str, int]
    ties: dict[str, int]
    fractional: int
    faults: Faults


def _answers(
    table: Any, columns: Columns, kinds: Mapping[str, str], repeated: Sequence[str]
) -> _Answers:
    """One look at all rows, which also finds what cannot be counted with."""
    from pyspark.sql.functions import expr

    exact = {
        place: kinds[name]
        for place, name in enumerate(columns.models)
        if f"exact_{place}" in table.columns
    }
    faults = (
        []
        if columns.weight is None
        else [*weight_faults(), "sum(CAST(weight AS DOUBLE))", FRACTIONAL]
    )
    questions = [
        "count(1)",
        *faults,
        *(lost(place, kind) for place, kind in exact.items()),
        *(f"approx_count_distinct({name}, 0.02)" for name in repeated),
    ]
    answers = list(table.agg(*map(expr, questions)).collect()[0])
    rows = answers.pop(0)
    weight, fractional, weights = 0.0, 0, Faults().weights
    if faults:
        weights, weight, fractional, answers = answers[:4], answers[4], answers[5], answers[6:]
    ties: dict[str, int] = {}
    integers: dict[str, int] = {}
    texts: dict[str, int] = {}
    for (place, kind), number in zip(exact.items(), answers, strict=False):
        numbers = {LONG_DECIMAL: ties, "string": texts}.get(kind, integers)
        numbers[columns.models[place]] = number
    _require_numbers(texts)
    distinct = dict(zip(repeated, answers[len(exact) :], strict=True))
    return _Answers(rows, weight, distinct, ties, fractional, Faults(weights, integers))


def _require_numbers(texts: Mapping[str, int]) -> None:
    for name, size in texts.items():
        if size:
            raise InputError(
                f"`{name}` must hold numbers, but {size:,} of its texts are none, or integers that "
                "floating point would change. Cast the column in Spark first."
            )


class _Piece(NamedTuple):
    """Groups of one class out of one row of the answer, which holds those of two."""

    row: Any
    actual: Any
    numbers: dict[str, NDArray[Any]]

    @property
    def size(self) -> int:
        return len(self.numbers["rows"])


def _pieces(row: Any, common: Sequence[Any]) -> Iterator[_Piece]:
    """The groups of the commonest class, and those of the other one (or of a rare one)."""
    rest = common[-1] if row["other"] is None else row["other"]["actual"]
    firsts = np.array(row["firsts"])
    rows = {"first": firsts, "rest": np.array(row["rows"]) - firsts}
    for whose, actual in (("first", common[0] if common else None), ("rest", rest)):
        some = rows[whose] > 0
        names = {name: f"{name}_{whose}" for name in WEIGHED if f"{name}_{whose}" in row}
        values = {name: row[its] for name, its in {"low": "low", "high": "high", **names}.items()}
        numbers = {name: np.array(column)[some] for name, column in values.items()}
        if some.any():
            yield _Piece(row, actual, {**numbers, "rows": rows[whose][some]})


def _typed(values: Sequence[Any], kind: str) -> NDArray[Any]:
    """Classes, folds or segments as frames give them: missing numbers as NaN, others as None."""
    if kind in WHOLE and None not in values:
        return np.array(values, np.int64)
    if kind == "boolean" and None not in values:
        return np.array(values, np.bool_)
    if kind in {*REAL, "decimal", LONG_DECIMAL, "boolean"}:
        return np.array(values, np.float64)
    column = np.empty(len(values), dtype=object)
    is_whole = kind == LONG_INTEGER
    column[:] = [int(v) if is_whole and v is not None else v for v in values]
    return column


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
    frame: Any, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> RankedModels:
    """The rankings of the models whose scores are columns of a Spark table.

    The table is read a few times: what is costly to compute is worth `cache()`. With `exact`, all
    rows are sorted in Spark once more, so that areas are exact although rankings are not.
    """
    with one_sentence():
        _require_running(frame)
        kinds = kinds_of(columns, frame.dtypes)
        table = frame.selectExpr(*prepared(columns, kinds, policy.digits))
        engine = SparkEngine(table, columns, kinds, options.most)
        models = counted_models(engine, columns, policy, options)
        return _recounted(models, engine, policy.missing) if options.exact else models


@contextmanager
def one_sentence() -> Iterator[None]:
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
    text = str(problem if java is None else java.getMessage()).strip() or type(problem).__name__
    return text.splitlines()[0].rpartition("Exception: ")[2].rstrip(".")


def _require_running(frame: Any) -> None:
    """A table is of no use without its session."""
    context = getattr(frame.sparkSession, "_sc", None)  # a remote session has none
    if context is not None and (context._jsc is None or context._jsc.sc().isStopped()):  # noqa: SLF001 - Spark has no public word for it
        raise InputError(GONE)


# All pairs of rows, counted by every score, where rankings keep cells.
#
# One query sorts the rows within stretches of scores and adds up what each stretch needs to know of
# itself; what lies below it are whole numbers, which are put together here without rounding.

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


def _recounted(
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
        last = literal(-sign * float("inf"))
        rows = rows.withColumn("score", expr(f"IF(isnan(score), {last}, score)"))
    rows = rows.where("NOT isnan(score)").withColumn(
        "block", expr(block_of(engine.cells.regions[place] or (EVERYTHING,)))
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
