"""Rows that lie elsewhere are counted there: lazy frames and databases, cells that fit, groups.

What comes back are counts by score, or by stretches of scores where these are too many; never
rows, but for a few that tell where scores crowd.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import order_of, score_of
from tradeoff.core.cells import ranking_of_groups
from tradeoff.core.models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.core.regions import LARGEST, Region, regions_of
from tradeoff.errors import ColumnError, InputError, TradeoffError
from tradeoff.sources import groups
from tradeoff.sources.classes import labels, missing_rows
from tradeoff.sources.columns import FRACTION, Columns, as_column, series_column, without_idle_zeros
from tradeoff.sources.options import BUDGET, ReadOptions
from tradeoff.sources.policy import (
    LARGEST_WEIGHT,
    WEIGHT_FAULTS,
    Batch,
    Fault,
    RowPolicy,
    checked,
    distinct,
    no_numbers,
    require_exact,
    require_folds,
    require_weights,
)
from tradeoff.sources.text_cells import SURE


@dataclass(frozen=True)
class Faults:
    """What an engine found that cannot be counted with, in numbers of rows."""

    weights: Sequence[int] = ()
    """Rows with each of `WEIGHT_FAULTS`, if there are weights."""
    integers: Mapping[str, int] = field(default_factory=dict)
    """By model, integers that floating point cannot tell apart."""


class Engine(Protocol):
    """What counts rows where they lie."""

    def total(self) -> int:
        """How many rows there are."""

    def faults(self) -> Faults:
        """What cannot be counted with."""

    def groups(self) -> Mapping[str, Batch]:
        """The rows of each model by class and score, or by cells where scores are too many."""


def counted_models(
    engine: Engine, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> RankedModels:
    """The rankings of rows that an engine counts, each of as many thresholds as may be kept."""
    policy.require_weight_meaning(weighted=columns.weight is not None)
    total, faults = engine.total(), engine.faults()
    weights = map(Fault, faults.weights)
    require_weights(dict(zip(WEIGHT_FAULTS, weights, strict=False)), total)
    for name, rows in faults.integers.items():
        require_exact(Fault(rows), name)
    return ranked_groups(engine.groups(), columns, policy, options.most)


def ranked_groups(
    models: Mapping[str, Batch], columns: Columns, policy: RowPolicy, most: int = BUDGET
) -> RankedModels:
    """The rankings of counted rows, each with at most so many thresholds.

    Args:
        models: The groups of each model.
        columns: What messages call the columns.
        policy: What rows mean.
        most: How many thresholds a ranking may keep.

    Example:
        >>> from tradeoff.sources.columns import Columns
        >>> scores = np.array([0.2, 0.2, 0.9])
        >>> groups = Batch(
        ...     np.array([0, 1, 1]), scores, highest=scores, sizes=np.array([30, 10, 20])
        ... )
        >>> ranked = ranked_groups({"model": groups}, Columns("bought", ["model"]), RowPolicy())
        >>> ranked.rankings["model"]
        Ranking(model: 60 rows, 30 '1' and 30 '0', 2 distinct scores)
    """
    rankings: dict[str, Ranking] = {}
    folds: dict[str, groups.Rankings] = {}
    segments: dict[str, groups.Rankings] = {}
    for name, batch in models.items():
        model = {name: checked(_with_weights(batch), policy, name, columns.actual)}
        rankings[name] = model[name].ranking().within(most)
        if batch.fold is not None:
            absent = missing_rows(batch.fold)
            require_folds(Fault().add(absent, sizes=batch.sizes), str(columns.fold))
            folds |= groups.by_value(model, *distinct(batch.fold), most=most)
        if batch.segment is not None:
            values, codes = distinct(batch.segment)
            segments |= groups.by_value(model, groups.with_names(values), codes, most=most)
    return RankedModels(rankings, folds, segments)


def _with_weights(batch: Batch) -> Batch:
    """Groups with sums of weights as integers, where weights are whole and these can hold them."""
    sums = batch.weight
    if sums is None:
        return batch
    # As floats, sums of integers are exact up to here.
    limit = 2**62 if sums.dtype.kind in "iu" else 2**53
    whole = batch.whole_weights and float(sums.sum(dtype=np.float64)) < limit
    sums = sums.astype(np.int64 if whole else np.float64, copy=False)
    return replace(batch, weight=sums, whole_weights=whole)


# Cells of scores in the words of an engine: `core.regions` for databases and lazy frames.


def _with_cells(frame: Any, regions: Sequence[Region]) -> Any:
    """A Narwhals frame with the `scale` and `cell` of each `score`.

    Infinite scores have cells of their own, as 0 has; missing ones have none.
    """
    import narwhals as nw

    score, size = nw.col("score"), nw.col("score").abs()
    inner = (size > 0.0) & (size <= LARGEST)
    # Floats again, where an engine makes integers; and 1 more, so that each has a sign.
    unit = (size * nw.col("scale")).floor().cast(nw.Float64) + 1.0
    infinite = nw.when(size > 0.0).then(nw.lit(0.5))
    zero = nw.when(size <= 0.0).then(nw.lit(0.0))
    return (
        frame.with_columns(scale=_scale(regions))
        .with_columns(cell=nw.when(inner).then(unit).otherwise(infinite.otherwise(zero)))
        .with_columns(cell=nw.when(score < 0.0).then(-nw.col("cell")).otherwise(nw.col("cell")))
    )


def _scale(regions: Sequence[Region]) -> Any:
    """The scale of a score's region, found by halves: databases look at a few borders only."""
    import narwhals as nw

    if len(regions) == 1:
        return _double(regions[0].scale)
    half = len(regions) // 2
    border = min(regions[half].low, LARGEST)  # infinite scores have cells of their own
    below = nw.when(nw.col("score") < border).then(_scale(regions[:half]))
    return below.otherwise(_scale(regions[half:]))


def _double(value: float) -> Any:
    """A number as a Narwhals expression: PostgreSQL takes one with a point as a decimal."""
    import narwhals as nw

    return nw.lit(1).cast(nw.Float64) * value


# Cells that fit scores which nobody has at hand: chosen, counted, and chosen again if need be.


FEWEST_CELLS = 1024
ATTEMPTS = 4
BAD_FIT = 4
"""How many times the loss of cells of equal mass makes others worth a search."""

HEAVIEST = 256
"""Groups of a larger part of all rows than one in these are looked into."""

POINTS = 64


def _counted_by_cells(
    count: Callable[[tuple[Region, ...]], Batch], probe: Batch, positive: Any, options: ReadOptions
) -> Batch:
    """The counts of cells that fit a ranking of at most so many thresholds.

    Where the probe was no fair part of all rows, the counts themselves lead to better cells.

    Args:
        count: Counts all rows by the cells of regions; of more groups than may be fetched, any.
        probe: Some of the rows, or counts of them.
        positive: The positive class, if it was named.
        options: How many groups may be fetched, and how many thresholds a ranking may have.
    """
    limit = options.groups
    cells = max(min(2 * options.most, limit // (4 * _parts(probe))), FEWEST_CELLS)
    best: tuple[float, Batch] | None = None
    for _ in range(ATTEMPTS):
        probe = count(regions_of(_ranking(_spread(probe), positive), cells))
        if len(probe.actual) > limit:
            cells = max(cells // 4, FEWEST_CELLS)
            continue
        loss = _loss(_ranking(probe, positive))
        before = np.inf if best is None else best[0]
        if best is None or loss < best[0]:
            best = loss, probe
        if loss <= BAD_FIT / cells or loss > before / 2:
            break
    if best is None:
        raise InputError(
            f"The rows fall into more than {limit:,} groups of scores, folds and segments: name a "
            "fold or segment of fewer values."
        )
    return best[1]


def _expected_scores(probe: Batch) -> float:
    """How many different scores there are in all, judged by how often some of them repeat."""
    scores = probe.score[~np.isnan(probe.score)]
    repeated = len(scores) - len(np.unique(scores))
    # Of n rows drawn from D equally frequent scores, n² / 2D meet one that was there before.
    return len(scores) ** 2 / (2 * repeated) if repeated else np.inf


def _parts(batch: Batch) -> int:
    """How many folds and segments there are among some rows."""
    columns = [column for column in (batch.fold, batch.segment) if column is not None]
    parts = set(zip(*(column.tolist() for column in columns), strict=True)) if columns else ()
    return max(len(parts), 1)


def _spread(batch: Batch) -> Batch:
    """Groups as single scores: rows of a large group may lie anywhere between its ends."""
    low, high, sizes = _ends(batch)
    large = (sizes / max(int(sizes.sum()), 1) > 1 / HEAVIEST) & (low < high)
    points = [_between(*ends) for ends in zip(low[large], high[large], strict=True)]
    scores = np.concatenate([low[~large], *points])
    return Batch(
        np.concatenate([batch.actual[~large], np.repeat(batch.actual[large], POINTS)]),
        scores,
        sizes=np.concatenate([POINTS * sizes[~large], np.repeat(sizes[large], POINTS)]),
    )


def _ends(batch: Batch) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The lowest and highest score of each group, and its size; a row is a group of one."""
    high = batch.score if batch.highest is None else batch.highest
    sizes = np.ones(len(high), np.int64) if batch.sizes is None else batch.sizes
    return batch.score, high, sizes


def _between(low: float, high: float) -> NDArray[np.float64]:
    """Scores from low to high: half of them in equal steps, half in equal ratios."""
    orders = order_of(np.array([low, high]))
    steps = np.linspace(0, float(orders[1] - orders[0]), POINTS // 2).astype(np.uint64)
    near = score_of(orders[0] + np.minimum(steps, orders[1] - orders[0]))
    return np.concatenate([np.linspace(low, high, POINTS // 2), near])


def _ranking(batch: Batch, positive: Any) -> Ranking:
    """Some rows, ranked to see where scores crowd: their classes matter where they are known."""
    low, high, sizes = _ends(batch)
    # Infinite scores have cells of their own wherever others crowd.
    finite = np.isfinite(low) & np.isfinite(high) & ~missing_rows(batch.actual)
    try:
        positives = labels(batch.actual[finite], positive).positive_rows
    except InputError:  # classes that these rows alone do not explain
        positives = np.zeros(int(finite.sum()), np.bool_)
    sizes = sizes[finite]
    counts = np.where(positives, sizes, 0), np.where(positives, 0, sizes)
    return ranking_of_groups(low[finite], high[finite], *counts, int(sizes.sum()))


def _loss(ranking: Ranking) -> float:
    """The share of pairs of a positive and a negative row that lie in one bin."""
    if ranking.levels is None:
        return 0.0
    positives, negatives = (np.diff(column).astype(np.float64) for column in ranking.tally[1:])
    pairs = float(ranking.positives) * float(ranking.negatives)
    return float((positives * negatives)[ranking.levels[1:] > 0].sum()) / max(pairs, 1.0)


KEYS = ("actual", "fold", "segment")
SPARK = ("pyspark", "sqlframe")


def is_lazy(frame: Any) -> bool:
    """Whether a frame's rows lie elsewhere: a DuckDB relation, a polars LazyFrame, Ibis, Dask.

    Example:
        >>> import polars as pl
        >>> is_lazy(pl.LazyFrame({"score": [0.5]})), is_lazy(pl.DataFrame({"score": [0.5]}))
        (True, False)
    """
    import narwhals as nw

    try:
        table = nw.from_native(frame, pass_through=True)
    except nw.exceptions.NarwhalsError:
        return False  # reading it will tell why
    return isinstance(table, nw.LazyFrame) and not str(table.implementation.value).startswith(SPARK)


def lazy_models(
    frame: Any, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> RankedModels:
    """The rankings of the rows of a lazy frame, which are counted where they lie.

    They are exact where there are no more different scores than may be kept, else certified bins.

    Example:
        >>> import duckdb
        >>> from tradeoff.sources.columns import Columns
        >>> rows = duckdb.sql("SELECT i % 2 AS bad, i % 5 / 4 AS p FROM range(1000) AS t(i)")
        >>> models = lazy_models(rows, Columns("bad", ["p"]), RowPolicy(), ReadOptions())
        >>> models.rankings["p"]
        Ranking(p: 1,000 rows, 500 '1' and 500 '0', 5 distinct scores)
    """
    if policy.digits is not None:
        raise InputError(
            "`digits` rounds rows that are at hand: round the scores in the query, or collect "
            "the rows first."
        )
    if options.exact:
        raise InputError(
            "`exact` goes through rows twice, which lazy frames do not: ask for more `bins`."
        )
    engine = LazyEngine.of(frame, columns, policy.positive, options)
    return counted_models(engine, columns, policy, options)


@dataclass(frozen=True, eq=False)
class LazyEngine:
    """A lazy frame that Narwhals knows, and which of its columns play a part."""

    frame: Any
    kinds: Mapping[str, Any]
    columns: Columns
    positive: Any
    options: ReadOptions

    @staticmethod
    def of(frame: Any, columns: Columns, positive: Any, options: ReadOptions) -> LazyEngine:
        """A frame that has the columns."""
        import narwhals as nw

        lazy = nw.from_native(frame)
        kinds = dict(_answered(lazy.collect_schema))
        for name in columns.names:
            if name not in kinds:
                raise ColumnError.missing(name, kinds)
        return LazyEngine(lazy, kinds, columns, positive, options)

    def total(self) -> int:
        """How many rows there are."""
        return self._total

    @cached_property
    def _total(self) -> int:
        import narwhals as nw

        return int(_collected(self.frame.select(rows=nw.len()))["rows"][0])

    def faults(self) -> Faults:
        """What cannot be counted with."""
        sizes, models = self._fault_sizes, enumerate(self.columns.models)
        weights = [sizes.get(what, 0) for what in WEIGHT_FAULTS]
        return Faults(weights, {name: sizes.get(f"large_{place}", 0) for place, name in models})

    @cached_property
    def _fault_sizes(self) -> dict[str, int]:
        """How many rows have what may be wrong: one look, where there is something to see."""
        import narwhals as nw

        conditions: dict[str, Any] = {}
        weight = self.columns.weight
        if weight is not None:
            number = self._number(weight)
            conditions |= dict(zip(WEIGHT_FAULTS, _faulty(number), strict=True))
            if self.kinds[weight].is_float():
                # Larger ones are whole, and some engines make integers of floors.
                small = nw.when(number.abs() < float(SURE)).then(number)
                conditions["fractional"] = small != small.floor()
        for place, name in enumerate(self.columns.models):
            if self.kinds[name].is_integer():
                far = (nw.col(name) > SURE) | (nw.col(name) < -SURE)
                conditions[f"large_{place}"] = far
        if not conditions:
            return {}
        marks = {
            what: nw.when(holds).then(nw.lit(1)).otherwise(nw.lit(0))
            for what, holds in conditions.items()
        }
        sums = self.frame.select(**marks).select(*(nw.col(what).sum() for what in marks))
        return {what: int(np.nan_to_num(size[0])) for what, size in _collected(sums).items()}

    def groups(self) -> dict[str, Batch]:
        """The rows of each model by score, or by cells where there are too many scores."""
        kind = self.kinds.get(self.columns.weight)
        whole = not self._fault_sizes.get("fractional") and not (kind and kind.is_decimal())
        models = {name: self._scored(name) for name in self.columns.models}
        return {
            name: replace(self._grouped(model), ties=self._ties(name), whole_weights=whole)
            for name, model in models.items()
        }

    def _grouped(self, model: _Scored) -> Batch:
        options = self.options
        if self.total() <= min(2 * options.most, options.groups):
            return model.by_score()
        probe = model.probe()
        if _expected_scores(probe) <= 2 * options.most:
            batch = model.by_score()
            if len(batch.actual) <= options.groups:
                return batch
            probe = batch
        return _counted_by_cells(model.by_cell, probe, self.positive, options)

    def _scored(self, name: str) -> _Scored:
        """The columns that a model needs, each of a type that every engine can group by."""
        import narwhals as nw

        keys = [role for role in KEYS if getattr(self.columns, role) is not None]
        columns = {role: self._key(getattr(self.columns, role)) for role in keys}
        if self.columns.weight is not None:
            columns["weight"] = self._number(self.columns.weight)
        frame = self.frame.select(score=self._number(name, of_text=True), **columns)
        if self.columns.weight is None:
            return _Scored(frame, name, str(self.kinds[name]), tuple(keys), self.options)
        weight = nw.col("weight")
        # Rows of weight 0 stay by themselves: they count for nothing, but show a fold.
        idle = nw.when(weight == 0.0).then(nw.lit(1)).otherwise(nw.lit(0))
        frame = frame.with_columns(idle=idle, squares=weight * weight)
        return _Scored(frame, name, str(self.kinds[name]), (*keys, "idle"), self.options)

    def _number(self, name: str, *, of_text: bool = False) -> Any:
        """A column as floats; what is none is missing."""
        import narwhals as nw

        kind, column = self.kinds[name], nw.col(name)
        if kind == nw.Boolean:  # which not every engine makes a float of
            return nw.when(column).then(_double(1.0)).otherwise(nw.when(~column).then(_double(0.0)))
        if not kind.is_numeric() and not (of_text and kind == nw.String):
            raise InputError(no_numbers(name, kind))
        wide = column.cast(nw.Float64)
        has_nan = kind.is_float() or kind == nw.String
        return nw.when(~wide.is_nan()).then(wide) if has_nan else wide

    def _ties(self, name: str) -> int:
        """How many different decimals become equal as floats."""
        import narwhals as nw

        if not self.kinds[name].is_decimal():
            return 0
        return self._distinct(nw.col(name)) - self._distinct(nw.col(name).cast(nw.Float64))

    def _distinct(self, values: Any) -> int:
        """How many different values there are, missing ones apart.

        Not by `n_unique`, for which Narwhals casts truths to integers: PostgreSQL refuses.
        """
        import narwhals as nw

        different = self.frame.select(value=values).filter(~nw.col("value").is_null()).unique()
        return int(_collected(different.select(rows=nw.len()))["rows"][0])

    def _key(self, name: str) -> Any:
        """A column of classes, folds or segments."""
        import narwhals as nw

        kind, column = self.kinds[name], nw.col(name)
        if kind.is_nested():
            raise InputError(f"Column {name!r} holds {kind}, not one value a row.")
        if kind.is_decimal():
            return column.cast(nw.String if self._ties(name) else nw.Float64)
        if kind.is_numeric() or kind in (nw.Boolean, nw.String, nw.Binary):
            return column
        text = column.cast(nw.String)
        if kind != nw.Datetime:
            return text
        filled_up = text.str.contains(FRACTION)
        return nw.when(filled_up).then(without_idle_zeros(text)).otherwise(text)


def _faulty(weight: Any) -> tuple[Any, ...]:
    """Which weights have each of `WEIGHT_FAULTS`, as Narwhals expressions."""
    return (
        weight.is_null() | (weight > LARGEST) | (weight < -LARGEST),
        weight < 0.0,
        weight > LARGEST_WEIGHT,
        (weight > 0.0) & (weight < 1 / LARGEST_WEIGHT),
    )


class _Scored(NamedTuple):
    """The columns of one model: its `score`, what rows are grouped by, and `weight`, if any."""

    frame: Any
    name: str
    kind: str
    keys: tuple[str, ...]
    options: ReadOptions

    def probe(self) -> Batch:
        """The first rows, each a group."""
        keys = [key for key in self.keys if key in KEYS]
        some = self._collected(self.frame.select("score", *keys).head(self.options.probe))
        return _as_batch(some)

    def by_score(self) -> Batch:
        """The rows of each score; where there are more groups than may be fetched, some of them."""
        return self._grouped(self.frame, ("score",), {})

    def by_cell(self, regions: tuple[Region, ...]) -> Batch:
        """The rows of each cell; where there are more groups than may be fetched, some of them."""
        import narwhals as nw

        score = nw.col("score")
        ends = {"low": score.min(), "high": score.max()}
        return self._grouped(_with_cells(self.frame, regions), ("scale", "cell"), ends)

    def _grouped(self, frame: Any, by: tuple[str, ...], ends: dict[str, Any]) -> Batch:
        import narwhals as nw

        weights = ("weight", "squares") if "idle" in self.keys else ()
        sums = {f"{name}_sum": nw.col(name).sum() for name in weights}
        grouped = frame.group_by(*self.keys, *by).agg(nw.len().alias("rows"), **ends, **sums)
        answers = [*self.keys, *(() if ends else by), "rows", *ends, *sums]
        return _as_batch(self._collected(grouped.select(*answers).head(self.options.groups + 1)))

    def _collected(self, frame: Any) -> dict[str, NDArray[Any]]:
        """The answer of an engine, which may find a text that is no number."""
        try:
            return _collected(frame)
        except InputError as problem:
            if self.kind != "String":
                raise
            raise InputError(no_numbers(self.name, self.kind)) from problem


def _as_batch(answer: dict[str, NDArray[Any]]) -> Batch:
    def numbers(*names: str) -> Any:
        columns = (answer[name].astype(np.float64) for name in names if name in answer)
        return next(columns, None)

    return Batch(
        answer["actual"],
        numbers("low", "score"),
        numbers("weight_sum"),
        highest=numbers("high", "score"),
        sizes=answer["rows"].astype(np.int64) if "rows" in answer else None,
        squares=numbers("squares_sum"),
        fold=answer.get("fold"),
        segment=answer.get("segment"),
    )


def _collected(frame: Any) -> dict[str, NDArray[Any]]:
    """The columns of what a lazy frame comes to, by nothing but its own library."""
    import narwhals as nw

    if frame.implementation is nw.Implementation.DUCKDB:
        answer = _answered(frame.to_native().fetchnumpy)
        return {name: _hashable(as_column(values, name)) for name, values in answer.items()}
    # Polars would otherwise hold all rows in memory.
    polars = frame.implementation is nw.Implementation.POLARS
    table = _answered(lambda: frame.collect(**({"engine": "streaming"} if polars else {})))
    return {name: series_column(table[name]) for name in table.columns}


def _hashable(column: NDArray[Any]) -> NDArray[Any]:
    """DuckDB gives bytes that could be changed, which nothing can be looked up by."""
    if column.dtype.kind == "O":
        column[:] = [bytes(v) if isinstance(v, bytearray) else v for v in column.tolist()]
    return column


def _answered(question: Callable[[], Any]) -> Any:
    """The answer of an engine; its complaints, of whatever kind, become a sentence."""
    try:
        return question()
    except TradeoffError:
        raise
    except Exception as problem:  # each engine has exceptions of its own
        reason = next(iter(str(problem).strip().splitlines()), type(problem).__name__).rstrip(". ")
        raise InputError(f"The rows cannot be counted where they lie: {reason}.") from problem
