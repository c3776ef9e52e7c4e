"""Pushdown: the engines of lazy frames and databases count their own rows.

Only counts are fetched: by score or, if there are too many distinct scores, by cell (a narrow range
of scores). Rows are never fetched, apart from a small probe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking, ranking_of_groups
from tradeoff.core.regions import MAX_FLOAT, Region, choose_regions
from tradeoff.core.sort_keys import scores_of_integers, sortable_integers
from tradeoff.errors import ColumnError, InputError, TradeoffError
from tradeoff.sources import groups
from tradeoff.sources.classes import class_labels
from tradeoff.sources.columns import (
    FRACTIONAL_SECONDS,
    Columns,
    column_array,
    normalize_datetime_column,
    series_array,
)
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.options import DEFAULT_MAX_THRESHOLDS, ReadOptions
from tradeoff.sources.row_messages import (
    MAX_WEIGHT,
    WEIGHT_FAULTS,
    Fault,
    non_numeric_column_message,
    require_exact_scores,
    require_folds,
    require_valid_weights,
)
from tradeoff.sources.row_policy import RowPolicy
from tradeoff.sources.row_rules import Batch, check_batch
from tradeoff.sources.text_values import MAX_EXACT_INTEGER


@dataclass(frozen=True)
class Faults:
    """Counts of invalid rows, as reported by an engine."""

    weight_faults: Sequence[int] = ()
    """Number of rows with each of `WEIGHT_FAULTS`, if there are weights."""
    rounded_integers: Mapping[str, int] = field(default_factory=dict)
    """Number of integers that float64 rounds, by model."""


class Engine(Protocol):
    """Engine that counts its own rows, such as a database or Spark."""

    def total(self) -> int:
        """Number of rows."""

    def faults(self) -> Faults:
        """Counts of invalid rows."""

    def groups(self) -> Mapping[str, Batch]:
        """Each model's rows grouped by class and score, or by class and cell."""


def rankings_from_engine(
    engine: Engine, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> RankedModels:
    """Rankings from an engine that counts its own rows."""
    policy.require_weight_meaning(weighted=columns.weight is not None)
    total, faults = engine.total(), engine.faults()
    weight_faults = map(Fault, faults.weight_faults)
    require_valid_weights(dict(zip(WEIGHT_FAULTS, weight_faults, strict=False)), total)
    for name, rows in faults.rounded_integers.items():
        require_exact_scores(Fault(rows), name)
    return rankings_from_engine_groups(engine.groups(), columns, policy, options.max_thresholds)


def rankings_from_engine_groups(
    models: Mapping[str, Batch],
    columns: Columns,
    policy: RowPolicy,
    max_thresholds: int = DEFAULT_MAX_THRESHOLDS,
) -> RankedModels:
    """Rankings from groups of rows counted by an engine, each with a limited number of thresholds.

    Args:
        models: The groups of rows of each model.
        columns: Names of the columns, for messages.
        policy: The row policy.
        max_thresholds: Maximum number of thresholds in a ranking.

    Example:
        >>> from tradeoff.sources.columns import Columns
        >>> scores = np.array([0.2, 0.2, 0.9])
        >>> groups = Batch(
        ...     np.array([0, 1, 1]), scores, max_score=scores, sizes=np.array([30, 10, 20])
        ... )
        >>> columns = Columns("bought", ["model"])
        >>> rankings_from_engine_groups({"model": groups}, columns, RowPolicy()).rankings["model"]
        Ranking(model: 60 rows, 30 '1' and 30 '0', 2 distinct scores)
    """
    rankings: dict[str, Ranking] = {}
    folds: dict[str, groups.Rankings] = {}
    segments: dict[str, groups.Rankings] = {}
    for name, batch in models.items():
        checked_batch = check_batch(_integer_weights(batch), policy, name, columns.actual)
        rankings[name] = checked_batch.ranking().within(max_thresholds)
        if batch.fold is not None:
            missing = missing_rows(batch.fold)
            require_folds(Fault().add(missing, sizes=batch.sizes), str(columns.fold))
            folds |= groups.rankings_by_group(
                {name: checked_batch},
                *_distinct_values(batch.fold),
                max_thresholds=max_thresholds,
            )
        if batch.segment is not None:
            values, codes = _distinct_values(batch.segment)
            segments |= groups.rankings_by_group(
                {name: checked_batch},
                groups.name_missing_group(values),
                codes,
                max_thresholds=max_thresholds,
            )
    return RankedModels(rankings, folds, segments)


def _distinct_values(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Distinct values of a column, and the index of each row's value."""
    if values.dtype.kind != "O":
        return np.unique(values, return_inverse=True)
    indices: dict[Any, int] = {}
    codes = np.array([indices.setdefault(v, len(indices)) for v in values.tolist()], np.intp)
    unique_values = np.empty(len(indices), dtype=object)
    unique_values[:] = list(indices)
    return unique_values, codes


def _integer_weights(batch: Batch) -> Batch:
    """Convert the weight sums of groups to integers, if all are whole and do not overflow."""
    sums = batch.weight
    if sums is None:
        return batch
    # Up to this limit, sums of integers are exact as floats.
    limit = 2**62 if sums.dtype.kind in "iu" else 2**53
    are_whole = batch.whole_weights and float(sums.sum(dtype=np.float64)) < limit
    sums = sums.astype(np.int64 if are_whole else np.float64, copy=False)
    return replace(batch, weight=sums, whole_weights=are_whole)


# Score cells (`core.regions`) as expressions for databases and lazy frames.


def _add_cells(frame: Any, regions: Sequence[Region]) -> Any:
    """Add the `scale` and `cell` of each `score` to a Narwhals frame.

    Infinite scores and 0 have separate cells; missing scores have none.
    """
    import narwhals as nw

    score, magnitude = nw.col("score"), nw.col("score").abs()
    is_finite = (magnitude > 0.0) & (magnitude <= MAX_FLOAT)
    # Cast to floats, as floor gives integers in some engines; add 1 so that each cell has a sign.
    cell = (magnitude * nw.col("scale")).floor().cast(nw.Float64) + 1.0
    infinite_cell = nw.when(magnitude > 0.0).then(nw.lit(0.5))
    zero_cell = nw.when(magnitude <= 0.0).then(nw.lit(0.0))
    return (
        frame.with_columns(scale=_scale_expression(regions))
        .with_columns(
            cell=nw.when(is_finite).then(cell).otherwise(infinite_cell.otherwise(zero_cell))
        )
        .with_columns(cell=nw.when(score < 0.0).then(-nw.col("cell")).otherwise(nw.col("cell")))
    )


def _scale_expression(regions: Sequence[Region]) -> Any:
    """Expression for the scale of a score's region, found by bisection in few comparisons."""
    import narwhals as nw

    if len(regions) == 1:
        return _float_literal(regions[0].scale)
    half = len(regions) // 2
    boundary = min(regions[half].low, MAX_FLOAT)  # infinite scores have separate cells
    lower_half = nw.when(nw.col("score") < boundary).then(_scale_expression(regions[:half]))
    return lower_half.otherwise(_scale_expression(regions[half:]))


def _float_literal(value: float) -> Any:
    """Float as a Narwhals expression: PostgreSQL would treat a literal as a decimal."""
    import narwhals as nw

    return nw.lit(1).cast(nw.Float64) * value


# Cells that fit the scores: chosen from a probe, counted by the engine, and refined if necessary.


MIN_CELLS = 1024
MAX_COUNTING_PASSES = 4
"""Maximum number of times that rows are counted, each time by different cells."""

MAX_LOSS_RATIO = 4
"""Maximum accepted loss of pairs, as a multiple of the loss with equally populated cells."""

MAX_GROUP_PROPORTION = 1 / 256
"""Groups with a larger proportion of all rows are replaced with evenly spread scores."""

SPREAD_SCORES = 64
"""Number of scores that replace a large group."""


def _count_by_cells(
    count_cells: Callable[[tuple[Region, ...]], Batch],
    probe: Batch,
    positive: Any,
    options: ReadOptions,
) -> Batch:
    """Count rows by cells that suit a ranking of limited size.

    If the probe was not representative, better cells are derived from the counts themselves.

    Args:
        count_cells: Function that counts all rows by the cells of regions, up to the maximum
            number of groups.
        probe: Some of the rows, or their counts.
        positive: The positive class, if named.
        options: Maximum numbers of groups and thresholds.
    """
    limit = options.max_groups
    cells = max(min(2 * options.max_thresholds, limit // (4 * _count_subgroups(probe))), MIN_CELLS)
    best: tuple[float, Batch] | None = None
    for _ in range(MAX_COUNTING_PASSES):
        probe = count_cells(choose_regions(_probe_ranking(_spread_groups(probe), positive), cells))
        if len(probe.actual) > limit:
            cells = max(cells // 4, MIN_CELLS)
            continue
        loss = _lost_pair_proportion(_probe_ranking(probe, positive))
        previous_loss = np.inf if best is None else best[0]
        if best is None or loss < best[0]:
            best = loss, probe
        if loss <= MAX_LOSS_RATIO / cells or loss > previous_loss / 2:
            break
    if best is None:
        raise InputError(
            f"The rows form more than {limit:,} groups of scores, folds and segments: name a fold "
            "or segment column with fewer distinct values."
        )
    return best[1]


def _estimate_distinct_scores(probe: Batch) -> float:
    """Estimate the number of distinct scores of all rows from the repetitions in a probe."""
    scores = probe.score[~np.isnan(probe.score)]
    repeat_count = len(scores) - len(np.unique(scores))
    # Of n rows with D equally frequent scores, about n² / 2D repeat an earlier score.
    return len(scores) ** 2 / (2 * repeat_count) if repeat_count else np.inf


def _count_subgroups(batch: Batch) -> int:
    """Number of combinations of a fold and a segment that occur."""
    columns = [column for column in (batch.fold, batch.segment) if column is not None]
    subgroups = set(zip(*(column.tolist() for column in columns), strict=True)) if columns else ()
    return max(len(subgroups), 1)


def _spread_groups(batch: Batch) -> Batch:
    """Replace large groups with scores spread between their bounds."""
    low, high, sizes = _group_bounds(batch)
    is_large = (sizes / max(int(sizes.sum()), 1) > MAX_GROUP_PROPORTION) & (low < high)
    spread_scores = [
        _spread_scores(*bounds) for bounds in zip(low[is_large], high[is_large], strict=True)
    ]
    scores = np.concatenate([low[~is_large], *spread_scores])
    return Batch(
        np.concatenate([batch.actual[~is_large], np.repeat(batch.actual[is_large], SPREAD_SCORES)]),
        scores,
        sizes=np.concatenate(
            [SPREAD_SCORES * sizes[~is_large], np.repeat(sizes[is_large], SPREAD_SCORES)]
        ),
    )


def _group_bounds(batch: Batch) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Lowest score, highest score and size of each group; a row is a group of one."""
    high = batch.score if batch.max_score is None else batch.max_score
    sizes = np.ones(len(high), np.int64) if batch.sizes is None else batch.sizes
    return batch.score, high, sizes


def _spread_scores(low: float, high: float) -> NDArray[np.float64]:
    """Scores from low to high: half of them in equal steps, half in equal ratios."""
    bounds = sortable_integers(np.array([low, high]))
    steps = np.linspace(0, float(bounds[1] - bounds[0]), SPREAD_SCORES // 2).astype(np.uint64)
    geometric_scores = scores_of_integers(bounds[0] + np.minimum(steps, bounds[1] - bounds[0]))
    return np.concatenate([np.linspace(low, high, SPREAD_SCORES // 2), geometric_scores])


def _probe_ranking(batch: Batch, positive: Any) -> Ranking:
    """Ranking of a probe sample, which shows where scores are dense."""
    low, high, sizes = _group_bounds(batch)
    # Infinite scores have separate cells.
    is_finite = np.isfinite(low) & np.isfinite(high) & ~missing_rows(batch.actual)
    try:
        positives = class_labels(batch.actual[is_finite], positive).positive_rows
    except InputError:  # the probe alone does not determine the positive class
        positives = np.zeros(int(is_finite.sum()), np.bool_)
    sizes = sizes[is_finite]
    counts = np.where(positives, sizes, 0), np.where(positives, 0, sizes)
    return ranking_of_groups(low[is_finite], high[is_finite], *counts, int(sizes.sum()))


def _lost_pair_proportion(ranking: Ranking) -> float:
    """Proportion of positive-negative pairs whose two rows fall into the same bin."""
    if ranking.levels is None:
        return 0.0
    positives, negatives = (np.diff(column).astype(np.float64) for column in ranking.tally[1:])
    pairs = float(ranking.positives) * float(ranking.negatives)
    return float((positives * negatives)[ranking.levels[1:] > 0].sum()) / max(pairs, 1.0)


GROUP_KEYS = ("actual", "fold", "segment")
SPARK_BACKENDS = ("pyspark", "sqlframe")


def is_lazy_frame(frame: Any) -> bool:
    """Whether a frame is lazy and its engine can count rows: DuckDB, lazy polars, Ibis, Dask.

    Example:
        >>> import polars as pl
        >>> rows = pl.DataFrame({"score": [0.5]})
        >>> is_lazy_frame(rows.lazy()), is_lazy_frame(rows)
        (True, False)
    """
    import narwhals as nw

    try:
        table = nw.from_native(frame, pass_through=True)
    except nw.exceptions.NarwhalsError:
        return False  # reading it reports the reason
    return isinstance(table, nw.LazyFrame) and not str(table.implementation.value).startswith(
        SPARK_BACKENDS
    )


def lazy_frame_rankings(
    frame: Any, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> RankedModels:
    """Rankings of a lazy frame, whose engine counts the rows.

    They are exact if the number of distinct scores permits, else binned with certified bounds.

    Example:
        >>> import duckdb
        >>> from tradeoff.sources.columns import Columns
        >>> rows = duckdb.sql("SELECT i % 2 AS bad, i % 5 / 4 AS p FROM range(1000) AS t(i)")
        >>> models = lazy_frame_rankings(rows, Columns("bad", ["p"]), RowPolicy(), ReadOptions())
        >>> models.rankings["p"]
        Ranking(p: 1,000 rows, 500 '1' and 500 '0', 5 distinct scores)
    """
    if policy.digits is not None:
        raise InputError(
            "`digits` rounds scores in memory: round them in the query, or collect the rows first."
        )
    if options.exact:
        raise InputError(
            "`exact` reads rows twice, which lazy frames do not support: increase `bins`."
        )
    engine = LazyEngine.from_frame(frame, columns, policy.positive, options)
    return rankings_from_engine(engine, columns, policy, options)


@dataclass(frozen=True, eq=False)
class LazyEngine:
    """Engine of a lazy frame that Narwhals supports."""

    frame: Any
    kinds: Mapping[str, Any]
    columns: Columns
    positive: Any
    options: ReadOptions

    @staticmethod
    def from_frame(frame: Any, columns: Columns, positive: Any, options: ReadOptions) -> LazyEngine:
        """Engine of a lazy frame, which must have the columns."""
        import narwhals as nw

        lazy_frame = nw.from_native(frame)
        kinds = dict(_run_query(lazy_frame.collect_schema))
        for name in columns.names:
            if name not in kinds:
                raise ColumnError.missing(name, kinds)
        return LazyEngine(lazy_frame, kinds, columns, positive, options)

    def total(self) -> int:
        """Number of rows."""
        return self._total

    @cached_property
    def _total(self) -> int:
        import narwhals as nw

        return int(_collect(self.frame.select(rows=nw.len()))["rows"][0])

    def faults(self) -> Faults:
        """Counts of invalid rows."""
        counts = self._fault_counts
        weight_faults = [counts.get(fault, 0) for fault in WEIGHT_FAULTS]
        rounded_integers = {
            name: counts.get(f"large_{index}", 0) for index, name in enumerate(self.columns.models)
        }
        return Faults(weight_faults, rounded_integers)

    @cached_property
    def _fault_counts(self) -> dict[str, int]:
        """Number of rows with each fault, counted by one query."""
        import narwhals as nw

        conditions: dict[str, Any] = {}
        weight = self.columns.weight
        if weight is not None:
            number = self._float_column(weight)
            conditions |= dict(zip(WEIGHT_FAULTS, _weight_fault_expressions(number), strict=True))
            if self.kinds[weight].is_float():
                # Larger floats are whole, and floor overflows in some engines.
                small_numbers = nw.when(number.abs() < float(MAX_EXACT_INTEGER)).then(number)
                conditions["fractional"] = small_numbers != small_numbers.floor()
        for index, name in enumerate(self.columns.models):
            if self.kinds[name].is_integer():
                is_large = (nw.col(name) > MAX_EXACT_INTEGER) | (nw.col(name) < -MAX_EXACT_INTEGER)
                conditions[f"large_{index}"] = is_large
        if not conditions:
            return {}
        indicators = {
            fault: nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))
            for fault, condition in conditions.items()
        }
        sums = self.frame.select(**indicators).select(
            *(nw.col(fault).sum() for fault in indicators)
        )
        return {fault: int(np.nan_to_num(count[0])) for fault, count in _collect(sums).items()}

    def groups(self) -> dict[str, Batch]:
        """Each model's rows grouped by score, or by cell if there are too many distinct scores."""
        kind = self.kinds.get(self.columns.weight)
        whole_weights = not self._fault_counts.get("fractional") and not (
            kind and kind.is_decimal()
        )
        models = {name: self._model_frame(name) for name in self.columns.models}
        return {
            name: replace(
                self._count_groups(model), ties=self._count_ties(name), whole_weights=whole_weights
            )
            for name, model in models.items()
        }

    def _count_groups(self, model: _ModelFrame) -> Batch:
        options = self.options
        if self.total() <= min(2 * options.max_thresholds, options.max_groups):
            return model.count_by_score()
        probe = model.probe()
        if _estimate_distinct_scores(probe) <= 2 * options.max_thresholds:
            batch = model.count_by_score()
            if len(batch.actual) <= options.max_groups:
                return batch
            probe = batch
        return _count_by_cells(model.count_by_cell, probe, self.positive, options)

    def _model_frame(self, name: str) -> _ModelFrame:
        """Columns of one model, with types that every engine can group by."""
        import narwhals as nw

        keys = [role for role in GROUP_KEYS if getattr(self.columns, role) is not None]
        columns = {role: self._key_column(getattr(self.columns, role)) for role in keys}
        if self.columns.weight is not None:
            columns["weight"] = self._float_column(self.columns.weight)
        frame = self.frame.select(score=self._float_column(name, allow_strings=True), **columns)
        if self.columns.weight is None:
            return _ModelFrame(frame, name, str(self.kinds[name]), tuple(keys), self.options)
        weight = nw.col("weight")
        # Rows of weight 0 form separate groups: they are not counted, but their folds are listed.
        has_zero_weight = nw.when(weight == 0.0).then(nw.lit(1)).otherwise(nw.lit(0))
        frame = frame.with_columns(zero_weight=has_zero_weight, squares=weight * weight)
        return _ModelFrame(frame, name, str(self.kinds[name]), (*keys, "zero_weight"), self.options)

    def _float_column(self, name: str, *, allow_strings: bool = False) -> Any:
        """Expression of a column as floats, with NaN as missing."""
        import narwhals as nw

        kind, column = self.kinds[name], nw.col(name)
        if kind == nw.Boolean:  # not every engine casts it to float
            return (
                nw.when(column)
                .then(_float_literal(1.0))
                .otherwise(nw.when(~column).then(_float_literal(0.0)))
            )
        if not kind.is_numeric() and not (allow_strings and kind == nw.String):
            raise InputError(non_numeric_column_message(name, kind))
        floats = column.cast(nw.Float64)
        has_nan = kind.is_float() or kind == nw.String
        return nw.when(~floats.is_nan()).then(floats) if has_nan else floats

    def _count_ties(self, name: str) -> int:
        """Number of distinct decimals that become ties as float64."""
        import narwhals as nw

        if not self.kinds[name].is_decimal():
            return 0
        return self._count_distinct(nw.col(name)) - self._count_distinct(
            nw.col(name).cast(nw.Float64)
        )

    def _count_distinct(self, values: Any) -> int:
        """Number of distinct values, without missing ones.

        `n_unique` is not used: Narwhals would cast booleans to integers, which PostgreSQL refuses.
        """
        import narwhals as nw

        distinct_values = (
            self.frame.select(value=values).filter(~nw.col("value").is_null()).unique()
        )
        return int(_collect(distinct_values.select(rows=nw.len()))["rows"][0])

    def _key_column(self, name: str) -> Any:
        """Expression of a column of classes, folds or segments, to group by."""
        import narwhals as nw

        kind, column = self.kinds[name], nw.col(name)
        if kind.is_nested():
            raise InputError(f"Column {name!r} holds {kind}, not one value per row.")
        if kind.is_decimal():
            return column.cast(nw.String if self._count_ties(name) else nw.Float64)
        if kind.is_numeric() or kind in (nw.Boolean, nw.String, nw.Binary):
            return column
        text = column.cast(nw.String)
        if kind != nw.Datetime:
            return text
        is_padded = text.str.contains(FRACTIONAL_SECONDS)
        return nw.when(is_padded).then(normalize_datetime_column(text)).otherwise(text)


def _weight_fault_expressions(weight: Any) -> tuple[Any, ...]:
    """Narwhals conditions for `WEIGHT_FAULTS`, in that order."""
    return (
        weight.is_null() | (weight > MAX_FLOAT) | (weight < -MAX_FLOAT),
        weight < 0.0,
        weight > MAX_WEIGHT,
        (weight > 0.0) & (weight < 1 / MAX_WEIGHT),
    )


class _ModelFrame(NamedTuple):
    """Frame of one model: `score`, group keys, and `weight` if there is one."""

    frame: Any
    name: str
    kind: str
    keys: tuple[str, ...]
    options: ReadOptions

    def probe(self) -> Batch:
        """Probe of the first rows, each a group of its own."""
        keys = [key for key in self.keys if key in GROUP_KEYS]
        result = self._collect(self.frame.select("score", *keys).head(self.options.probe_rows))
        return _batch_of_groups(result)

    def count_by_score(self) -> Batch:
        """Count rows by score; the result is truncated if there are too many groups."""
        return self._count_groups(self.frame, ("score",), {})

    def count_by_cell(self, regions: tuple[Region, ...]) -> Batch:
        """Count rows by cell; the result is truncated if there are too many groups."""
        import narwhals as nw

        score = nw.col("score")
        bounds = {"low": score.min(), "high": score.max()}
        return self._count_groups(_add_cells(self.frame, regions), ("scale", "cell"), bounds)

    def _count_groups(
        self, frame: Any, score_keys: tuple[str, ...], bounds: dict[str, Any]
    ) -> Batch:
        import narwhals as nw

        weights = ("weight", "squares") if "zero_weight" in self.keys else ()
        sums = {f"{name}_sum": nw.col(name).sum() for name in weights}
        grouped = frame.group_by(*self.keys, *score_keys).agg(
            nw.len().alias("rows"), **bounds, **sums
        )
        result_columns = [*self.keys, *(() if bounds else score_keys), "rows", *bounds, *sums]
        return _batch_of_groups(
            self._collect(grouped.select(*result_columns).head(self.options.max_groups + 1))
        )

    def _collect(self, frame: Any) -> dict[str, NDArray[Any]]:
        """Collect a result; if strings are not numbers, the error says so."""
        try:
            return _collect(frame)
        except InputError as error:
            if self.kind != "String":
                raise
            raise InputError(non_numeric_column_message(self.name, self.kind)) from error


def _batch_of_groups(result: dict[str, NDArray[Any]]) -> Batch:
    def numbers(*names: str) -> Any:
        columns = (result[name].astype(np.float64) for name in names if name in result)
        return next(columns, None)

    return Batch(
        result["actual"],
        numbers("low", "score"),
        numbers("weight_sum"),
        max_score=numbers("high", "score"),
        sizes=result["rows"].astype(np.int64) if "rows" in result else None,
        squares=numbers("squares_sum"),
        fold=result.get("fold"),
        segment=result.get("segment"),
    )


def _collect(frame: Any) -> dict[str, NDArray[Any]]:
    """Collect a lazy frame with its own library, as a dictionary of arrays."""
    import narwhals as nw

    if frame.implementation is nw.Implementation.DUCKDB:
        result = _run_query(frame.to_native().fetchnumpy)
        return {name: _with_bytes(column_array(values, name)) for name, values in result.items()}
    # Without streaming, polars would keep all rows in memory.
    is_polars = frame.implementation is nw.Implementation.POLARS
    table = _run_query(lambda: frame.collect(**({"engine": "streaming"} if is_polars else {})))
    return {name: series_array(table[name]) for name in table.columns}


def _with_bytes(column: NDArray[Any]) -> NDArray[Any]:
    """Replace DuckDB's mutable bytearrays with bytes, which are hashable."""
    if column.dtype.kind == "O":
        column[:] = [bytes(v) if isinstance(v, bytearray) else v for v in column.tolist()]
    return column


def _run_query(query: Callable[[], Any]) -> Any:
    """Run a query on an engine; any exception becomes a one-sentence `InputError`."""
    try:
        return query()
    except TradeoffError:
        raise
    except Exception as error:  # each engine has its own exceptions
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(". ")
        raise InputError(f"The engine cannot count the rows: {reason}.") from error
