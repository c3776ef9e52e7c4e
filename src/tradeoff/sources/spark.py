"""Rankings of Spark tables: Spark groups and counts the rows; only groups are fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.concordance import Pairs
from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.core.regions import Region, choose_regions
from tradeoff.errors import InputError
from tradeoff.sources.classes import class_name
from tradeoff.sources.columns import Columns
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.pushdown import Faults, rankings_from_engine
from tradeoff.sources.row_policy import EXACT_WITHOUT_WEIGHTS, Missing, RowPolicy
from tradeoff.sources.row_rules import Batch
from tradeoff.sources.spark_errors import SESSION_STOPPED, translate_spark_errors
from tradeoff.sources.spark_queries import (
    CELL_SQL,
    FLOAT_KINDS,
    FRACTIONAL_WEIGHTS_SQL,
    INTEGER_KINDS,
    LONG_DECIMAL,
    LONG_INTEGER,
    NAN,
    block_sql,
    column_kinds,
    double_literal,
    group_sums_sql,
    key_columns,
    lost_scores_sql,
    prepared_columns_sql,
    scale_sql,
    weight_faults_sql,
)

# Rows of a Spark table, counted in groups by one query.
#
# A few small queries determine the number of rows and where scores are dense. Then one query counts
# the rows of all models: by score if scores repeat, else by cells of `core.regions`. Only counts
# and quantiles are fetched, never rows.


PROBE_ROWS = 20_000
"""Number of rows of the first probe; tables with no more rows are grouped by score."""
SAMPLE_ROWS = 40_000
"""Approximate number of rows of the sample that shows where scores are dense."""
QUANTILE_STEPS = 1000
MIN_CELLS = 1000
MAX_DISTINCT_PROPORTION = 0.9
"""Scores count as repeated if the proportion of distinct scores in the first rows is smaller."""
WEIGHT_SUMS = ("weight", "squares")


@dataclass(frozen=True, eq=False)
class SparkEngine:
    """Engine of a Spark table: a few small queries, then a single query for all models."""

    table: Any
    columns: Columns
    kinds: Mapping[str, str]
    max_thresholds: int

    @property
    def _score_columns(self) -> list[str]:
        return [f"score_{index}" for index in range(len(self.columns.models))]

    @cached_property
    def _first_rows(self) -> _FirstRows:
        first_rows = _probe_first_rows(self.table, self.columns, self._score_columns)
        if not first_rows.rows:
            raise InputError("The Spark table has no rows.")
        return first_rows

    @cached_property
    def _summary(self) -> _TableSummary:
        """Summary of all rows, in one query."""
        probe = self._first_rows
        repeated_scores = [
            name
            for name in self._score_columns
            if probe.rows > PROBE_ROWS
            and probe.distinct_scores[name] < MAX_DISTINCT_PROPORTION * probe.rows
        ]
        return _summarize_table(self.table, self.columns, self.kinds, repeated_scores)

    def total(self) -> int:
        """Number of rows."""
        return self._summary.rows

    def faults(self) -> Faults:
        """Numbers of invalid rows."""
        return self._summary.faults

    @cached_property
    def _has_whole_weights(self) -> bool:
        """Whether weights are whole numbers whose sum fits into integers."""
        columns, summary = self.columns, self._summary
        whole = columns.weight is not None and not summary.fractional_weights
        # Sums of integers must not overflow, and sums of floats must be exact.
        is_integer = self.kinds.get(columns.weight or "") in {*INTEGER_KINDS, "boolean"}
        return whole and summary.total_weight < (2**62 if is_integer else 2**53)

    @cached_property
    def cell_plan(self) -> CellPlan:
        """Cells that fit the density of scores in a sample; none for models whose scores repeat."""
        probe, summary, max_cells = self._first_rows, self._summary, self.max_thresholds
        limit = min(max_cells, 4 * max_cells / probe.subgroups)
        binned_scores = [
            name
            for name in self._score_columns
            if probe.rows > PROBE_ROWS and summary.distinct_scores.get(name, max_cells + 1) > limit
        ]
        if not binned_scores:
            return CellPlan(probe.common_classes, [None] * len(self._score_columns))
        sample = self.table.sample(min(1.0, SAMPLE_ROWS / summary.rows), seed=1)
        cells = max(MIN_CELLS, min(max_cells // 2, 2 * max_cells // probe.subgroups))
        common_classes, regions = _dense_regions(sample, probe.common_classes, binned_scores, cells)
        return CellPlan(common_classes, [regions.get(name) for name in self._score_columns])

    def groups(self) -> dict[str, Batch]:
        """Each model's rows grouped by score if scores repeat, else by cell."""
        return self._groups

    @cached_property
    def _groups(self) -> dict[str, Batch]:
        results = self._groups_query().collect()
        return {
            name: self._model_batch([row for row in results if row["model"] == index], name)
            for index, name in enumerate(self.columns.models)
        }

    @property
    def _group_keys(self) -> list[str]:
        """Grouping columns other than scores; `other` is NULL for rows of a frequent class.

        Rows of weight 0 form separate groups: they are not counted, but their folds are listed.
        """
        weight_key = [] if self.columns.weight is None else ["zero_weight"]
        return [
            "other",
            *(role for role in key_columns(self.columns) if role != "actual"),
            *weight_key,
        ]

    @property
    def _sums(self) -> dict[str, str]:
        return group_sums_sql(weighted=self.columns.weight is not None)

    def _groups_query(self) -> Any:
        """Query that returns groups as a few rows of long arrays, which are fetched faster."""
        from functools import reduce

        from pyspark.sql.functions import collect_list, spark_partition_id

        # One branch per model keeps the generated code small: Java does not compile methods of more
        # than 8,000 bytes.
        branches = [
            self._model_groups(index, regions)
            for index, regions in enumerate(self.cell_plan.regions)
        ]
        groups = reduce(lambda first, second: first.unionAll(second), branches)
        return groups.groupBy(spark_partition_id().alias("part"), "model", *self._group_keys).agg(
            *(collect_list(name).alias(name) for name in self._sums)
        )

    def _model_groups(self, index: int, regions: tuple[Region, ...] | None) -> Any:
        from pyspark.sql.functions import col, expr, lit, struct, when

        rows = self.table.withColumnRenamed(f"score_{index}", "score")
        if self.columns.weight is not None:
            kind = "BIGINT" if self._has_whole_weights else "DOUBLE"
            rows = rows.withColumn("weight", col("weight").cast(kind))
            rows = rows.withColumn("zero_weight", col("weight") == 0)
            rows = rows.withColumn("score", expr(f"IF(zero_weight, {NAN}, score)"))
        if regions is None:
            rows = rows.withColumn("cell", col("score"))
        else:
            rows = rows.withColumn("scale", expr(scale_sql(regions)))
            rows = rows.withColumn("cell", expr(CELL_SQL))
        first, is_common = lit(False), lit(False)
        if self.cell_plan.common_classes:
            first = col("actual").eqNullSafe(lit(self.cell_plan.common_classes[0]))
            is_common = first | col("actual").eqNullSafe(lit(self.cell_plan.common_classes[-1]))
        rows = rows.withColumn("first", first).withColumn(
            "other", when(~is_common, struct("actual"))
        )
        grouped = rows.groupBy("cell", *self._group_keys).agg(
            *(expr(sql).alias(name) for name, sql in self._sums.items())
        )
        return grouped.select(lit(index).alias("model"), *self._group_keys, *self._sums)

    def _model_batch(self, results: Sequence[Any], name: str) -> Batch:
        """Groups of one model, split by class."""
        class_groups = [
            group
            for row in results
            for group in _groups_by_class(row, self.cell_plan.common_classes)
        ]
        sizes = [group.size for group in class_groups]

        def key(role: str, values: Sequence[Any]) -> NDArray[Any]:
            return np.repeat(_key_array(values, self.kinds[key_columns(self.columns)[role]]), sizes)

        def numbers(sum_name: str) -> NDArray[Any]:
            return np.concatenate(
                [np.zeros(0, np.int64), *(group.numbers[sum_name] for group in class_groups)]
            )

        group_columns: dict[str, Any] = {
            role: key(role, [group.row[role] for group in class_groups])
            for role in ("fold", "segment")
            if role in key_columns(self.columns)
        }
        weight_sums = () if self.columns.weight is None else WEIGHT_SUMS
        weight_columns: dict[str, Any] = {sum_name: numbers(sum_name) for sum_name in weight_sums}
        return Batch(
            key("actual", [group.actual for group in class_groups]),
            numbers("low").astype(np.float64),
            max_score=numbers("high").astype(np.float64),
            sizes=numbers("rows"),
            whole_weights=self._has_whole_weights,
            ties=self._summary.ties.get(name, 0),
            **weight_columns,
            **group_columns,
        )


class CellPlan(NamedTuple):
    """Plan of cells: the most frequent classes, and each model's regions of scores, if any."""

    common_classes: Sequence[Any]
    regions: Sequence[tuple[Region, ...] | None]


class _FirstRows(NamedTuple):
    """Counts of the first rows of a Spark table, and the most frequent classes among them."""

    rows: int
    distinct_scores: dict[str, int]
    subgroups: int
    common_classes: list[Any]


def _probe_first_rows(table: Any, columns: Columns, scores: Sequence[str]) -> _FirstRows:
    """Count the first rows of a Spark table by class."""
    from pyspark.sql.functions import expr

    parts = ", ".join(role for role in key_columns(columns) if role != "actual")
    expressions = [
        "count(1)",
        f"count(DISTINCT struct({parts}))" if parts else "1",
        *(f"count(DISTINCT {name})" for name in scores),
    ]
    grouped = table.limit(PROBE_ROWS + 1).groupBy("actual").agg(*map(expr, expressions)).collect()
    results = sorted((tuple(row) for row in grouped), key=lambda row: -row[1])
    distinct = {name: sum(row[3 + i] for row in results) for i, name in enumerate(scores)}
    return _FirstRows(
        sum(row[1] for row in results),
        distinct,
        max((row[2] for row in results), default=1),
        [row[0] for row in results if row[0] is not None][:2],
    )


def _dense_regions(
    sample: Any, common_classes: Sequence[Any], scores: Sequence[str], cells: int
) -> tuple[list[Any], dict[str, tuple[Region, ...]]]:
    """The most frequent classes, and regions of dense scores from sample quantiles."""
    from pyspark.sql.functions import col, expr, lit

    first = col("actual").eqNullSafe(lit(common_classes[0])) if common_classes else lit(False)
    probabilities = ", ".join(f"{step / QUANTILE_STEPS}D" for step in range(QUANTILE_STEPS + 1))
    expressions = [
        "mode(actual)",
        *(
            f"percentile_approx(IF(isnan({name}), NULL, {name}), array({probabilities}), 10000)"
            for name in scores
        ),
    ]
    grouped = sample.groupBy(first.alias("first")).agg(*map(expr, expressions)).collect()
    results = sorted((tuple(row) for row in grouped), key=lambda row: not row[0])
    regions = {}
    for column, name in enumerate(scores, 2):
        quantiles_by_class = [(row[0], row[column]) for row in results if row[column] is not None]
        quantiles = np.concatenate(
            [np.zeros(0), *(np.array(values) for _, values in quantiles_by_class)]
        )
        is_positive = np.repeat(
            [bool(is_first) for is_first, _ in quantiles_by_class],
            [len(values) for _, values in quantiles_by_class],
        )
        regions[name] = choose_regions(Ranking.of(quantiles, is_positive.astype(np.bool_)), cells)
    classes = [row[1] for row in results if row[1] is not None]
    return list(dict.fromkeys([*classes, *common_classes]))[:2], regions


class _TableSummary(NamedTuple):
    """Summary of a Spark table: rows, total weight, distinct scores, ties and faults."""

    rows: int
    total_weight: float
    distinct_scores: dict[str, int]
    ties: dict[str, int]
    fractional_weights: int
    faults: Faults


def _summarize_table(
    table: Any, columns: Columns, kinds: Mapping[str, str], repeated_scores: Sequence[str]
) -> _TableSummary:
    """Summarize all rows of a Spark table, including their faults, by one query."""
    from pyspark.sql.functions import expr

    exact_score_kinds = {
        index: kinds[name]
        for index, name in enumerate(columns.models)
        if f"exact_{index}" in table.columns
    }
    fault_expressions = (
        []
        if columns.weight is None
        else [*weight_faults_sql(), "sum(CAST(weight AS DOUBLE))", FRACTIONAL_WEIGHTS_SQL]
    )
    expressions = [
        "count(1)",
        *fault_expressions,
        *(lost_scores_sql(index, kind) for index, kind in exact_score_kinds.items()),
        *(f"approx_count_distinct({name}, 0.02)" for name in repeated_scores),
    ]
    results = list(table.agg(*map(expr, expressions)).collect()[0])
    rows = results.pop(0)
    total_weight, fractional_weights, weight_faults = 0.0, 0, Faults().weight_faults
    if fault_expressions:
        weight_faults, results = results[:4], results[4:]
        total_weight, fractional_weights, *results = results
    ties: dict[str, int] = {}
    rounded_integers: dict[str, int] = {}
    invalid_strings: dict[str, int] = {}
    for (index, kind), count in zip(exact_score_kinds.items(), results, strict=False):
        counts = {LONG_DECIMAL: ties, "string": invalid_strings}.get(kind, rounded_integers)
        counts[columns.models[index]] = count
    _require_numbers(invalid_strings)
    distinct_scores = dict(zip(repeated_scores, results[len(exact_score_kinds) :], strict=True))
    faults = Faults(weight_faults, rounded_integers)
    return _TableSummary(rows, total_weight, distinct_scores, ties, fractional_weights, faults)


def _require_numbers(invalid_strings: Mapping[str, int]) -> None:
    for name, count in invalid_strings.items():
        if count:
            raise InputError(
                f"`{name}` must hold numbers, but {count:,} of its strings "
                f"{'is not a number' if count == 1 else 'are not numbers'}, or "
                f"{'an integer' if count == 1 else 'integers'} that floating point would round. "
                "Cast the column in Spark first."
            )


class _ClassGroups(NamedTuple):
    """Groups of one class, from a row of the query result, which holds groups of two classes."""

    row: Any
    actual: Any
    numbers: dict[str, NDArray[Any]]

    @property
    def size(self) -> int:
        return len(self.numbers["rows"])


def _groups_by_class(row: Any, common_classes: Sequence[Any]) -> Iterator[_ClassGroups]:
    """Groups of the most frequent class, and those of the other class of the row."""
    other_class = common_classes[-1] if row["other"] is None else row["other"]["actual"]
    first_counts = np.array(row["first_rows"])
    rows = {"first": first_counts, "rest": np.array(row["rows"]) - first_counts}
    for side, actual in (
        ("first", common_classes[0] if common_classes else None),
        ("rest", other_class),
    ):
        is_occupied = rows[side] > 0
        names = {name: f"{name}_{side}" for name in WEIGHT_SUMS if f"{name}_{side}" in row}
        values = {
            name: row[column_name]
            for name, column_name in {"low": "low", "high": "high", **names}.items()
        }
        numbers = {name: np.array(column)[is_occupied] for name, column in values.items()}
        if is_occupied.any():
            yield _ClassGroups(row, actual, {**numbers, "rows": rows[side][is_occupied]})


def _key_array(values: Sequence[Any], kind: str) -> NDArray[Any]:
    """Classes, folds or segments from Spark as an array; missing: NaN for numbers, else None."""
    if kind in INTEGER_KINDS and None not in values:
        return np.array(values, np.int64)
    if kind == "boolean" and None not in values:
        return np.array(values, np.bool_)
    if kind in {*FLOAT_KINDS, "decimal", LONG_DECIMAL, "boolean"}:
        return np.array(values, np.float64)
    column = np.empty(len(values), dtype=object)
    is_integer = kind == LONG_INTEGER
    column[:] = [int(v) if is_integer and v is not None else v for v in values]
    return column


def is_spark(frame: Any) -> bool:
    """Whether an object is a Spark DataFrame, without importing Spark.

    Example:
        >>> is_spark([0.5])
        False
    """
    kind = type(frame)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql.")


def spark_rankings(
    frame: Any, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> RankedModels:
    """Rankings of the models of a Spark table.

    The table is read a few times: `cache()` it if it is expensive to compute. With `exact`, Spark
    also sorts all rows once, for exact AUCs.
    """
    with translate_spark_errors():
        _require_running(frame)
        kinds = column_kinds(columns, frame.dtypes)
        table = frame.selectExpr(*prepared_columns_sql(columns, kinds, policy.digits))
        engine = SparkEngine(table, columns, kinds, options.max_thresholds)
        models = rankings_from_engine(engine, columns, policy, options)
        return _with_exact_pairs(models, engine, policy.missing) if options.exact else models


def _require_running(frame: Any) -> None:
    """Require a running Spark session."""
    context = getattr(frame.sparkSession, "_sc", None)  # a remote session has none
    if context is not None and (context._jsc is None or context._jsc.sc().isStopped()):  # noqa: SLF001 - Spark has no public API for it
        raise InputError(SESSION_STOPPED)


# Exact pair counts for rankings in cells.
#
# One query sorts the rows within blocks of scores and sums over each block; the blocks are then
# combined in integer arithmetic, without rounding.

SPLIT_DIVISOR = 1 << 31
"""Squares are split by this divisor and summed in two parts, lest sums exceed 64 bits."""
MAX_BLOCK_ROWS = 1 << 30
ALL_SCORES = Region(float("-inf"), 1.0)

BLOCK_SUMS = {
    "positives": "sum(p)",
    "negatives": "sum(n)",
    "wins": "sum(p * n_below)",
    "losses": "sum(n * p_below)",
    "win_squares_high": f"sum(p * (n_below * n_below div {SPLIT_DIVISOR}L))",
    "win_squares_low": f"sum(p * (n_below * n_below % {SPLIT_DIVISOR}L))",
    "loss_squares_high": f"sum(n * (p_below * p_below div {SPLIT_DIVISOR}L))",
    "loss_squares_low": f"sum(n * (p_below * p_below % {SPLIT_DIVISOR}L))",
}


class ScoreBlock(NamedTuple):
    """Block of neighbouring scores: counts, and pairs won and lost by positives within the block.

    To `wins`, each positive row contributes twice the number of negative rows below it, plus the
    number tied with it; to `losses`, each negative row contributes the same count of positive rows.
    `win_squares` and `loss_squares` are the sums of the squares of these contributions.
    """

    positives: int
    negatives: int
    wins: int
    losses: int
    win_squares: int
    loss_squares: int


def _with_exact_pairs(
    models: RankedModels,
    engine: SparkEngine,
    missing: Missing,
) -> RankedModels:
    """Rankings whose pair counts are all exact, even where rows were counted by cell."""
    binned_rankings = models.with_lost_pairs
    if not binned_rankings:
        return models
    if engine.columns.weight is not None:
        raise InputError(EXACT_WITHOUT_WEIGHTS)
    kind = engine.kinds[engine.columns.actual]
    branches = [
        _blocks_query(
            engine, ranking, _positive_values(engine.groups()[name].actual, kind, ranking), missing
        )
        for name, ranking in binned_rankings.items()
    ]
    results = reduce(lambda first, second: first.unionAll(second), branches).collect()
    exact_rankings = {
        name: ranking.with_pairs(_pairs_from_blocks(_score_blocks(results, name, ranking)))
        for name, ranking in binned_rankings.items()
    }
    return replace(models, rankings={**models.rankings, **exact_rankings})


def _pairs_from_blocks(blocks: Sequence[ScoreBlock]) -> Pairs:
    """Exact pair counts from blocks of scores, those least indicative of the positive class first.

    Example:
        >>> _pairs_from_blocks([ScoreBlock(0, 2, 0, 0, 0, 0), ScoreBlock(1, 1, 0, 2, 0, 4)])
        Pairs(twice_won=4, positive_squares=0.0, negative_squares=0.6666666666666666)
    """
    positives, negatives = (sum(block[side] for block in blocks) for side in (0, 1))
    lower_positives = lower_negatives = wins = win_squares = loss_squares = 0
    for block in blocks:
        twice_lower_negatives = 2 * lower_negatives
        wins += block.wins + twice_lower_negatives * block.positives
        win_squares += (
            block.win_squares
            + 2 * twice_lower_negatives * block.wins
            + twice_lower_negatives**2 * block.positives
        )
        # A negative row loses to the positives that are not below it.
        twice_upper_positives = 2 * (positives - lower_positives)
        loss_squares += (
            block.loss_squares
            - 2 * twice_upper_positives * block.losses
            + twice_upper_positives**2 * block.negatives
        )
        lower_positives += block.positives
        lower_negatives += block.negatives
    return Pairs(
        wins,
        (positives * win_squares - wins**2) / (4 * negatives**2 * positives),
        (negatives * loss_squares - wins**2) / (4 * positives**2 * negatives),
    )


def _blocks_query(
    engine: SparkEngine, ranking: Ranking, positives: Sequence[Any], missing: Missing
) -> Any:
    """Query with one row for each block of a model's scores."""
    from pyspark.sql.functions import col, expr, lit
    from pyspark.sql.window import Window

    index = engine.columns.models.index(ranking.name)
    sign = -1 if ranking.lower_is_positive else 1
    rows = engine.table.select(
        col(f"score_{index}").alias("score"),
        col("actual").isin(list(positives)).alias("positive"),
    ).where("positive IS NOT NULL")
    if missing == "negative":
        last = double_literal(-sign * float("inf"))
        rows = rows.withColumn("score", expr(f"IF(isnan(score), {last}, score)"))
    rows = rows.where("NOT isnan(score)").withColumn(
        "block", expr(block_sql(engine.cell_plan.regions[index] or (ALL_SCORES,)))
    )
    # Partition by block first, so that grouping and sums need no other shuffle.
    counts = (
        rows.repartition("block")
        .groupBy("block", "score")
        .agg(expr("count_if(positive)").alias("p"), expr("count_if(NOT positive)").alias("n"))
    )
    order = col("score") if sign > 0 else col("score").desc()
    running = Window.partitionBy("block").orderBy(order).rowsBetween(Window.unboundedPreceding, 0)
    pairs = counts.withColumns(
        {
            "n_below": 2 * expr("sum(n)").over(running) - col("n"),
            "p_below": 2 * expr("sum(p)").over(running) - col("p"),
        }
    )
    return pairs.groupBy("block").agg(
        lit(ranking.name).alias("model"),
        *(expr(sql).alias(name) for name, sql in BLOCK_SUMS.items()),
    )


def _positive_values(classes: NDArray[Any], kind: str, ranking: Ranking) -> list[Any]:
    """Values of the positive class in the Spark table."""
    present_values = {value for value in classes.tolist() if value is not None}
    positives = [value for value in present_values if class_name(value) == ranking.positive]
    # Booleans with missing values arrive as floats.
    return [bool(value) for value in positives] if kind == "boolean" else positives


def _score_blocks(results: Sequence[Any], name: str, ranking: Ranking) -> list[ScoreBlock]:
    """Blocks of a model's scores, those least indicative of the positive class first."""
    rows = sorted(
        (row for row in results if row["model"] == name),
        key=lambda row: row["block"],
        reverse=ranking.lower_is_positive,
    )
    if any(row["positives"] + row["negatives"] >= MAX_BLOCK_ROWS for row in rows):
        raise InputError(
            f"`exact` cannot sort more than {MAX_BLOCK_ROWS:,} rows with neighbouring scores: "
            "leave it out to get bounds on the AUC."
        )
    return [
        ScoreBlock(
            row["positives"],
            row["negatives"],
            row["wins"],
            row["losses"],
            row["win_squares_high"] * SPLIT_DIVISOR + row["win_squares_low"],
            row["loss_squares_high"] * SPLIT_DIVISOR + row["loss_squares_low"],
        )
        for row in rows
    ]
