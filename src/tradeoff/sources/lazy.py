"""Frames whose rows lie elsewhere, in a database or in files: they are counted there.

What comes back are counts by score, or by stretches of scores where these are too many; never
rows, but for a few that tell where scores crowd.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.core.regions import LARGEST
from tradeoff.errors import ColumnError, InputError, TradeoffError
from tradeoff.sources import fitting_cells
from tradeoff.sources.columns import FRACTION, as_column, series_column, without_idle_zeros
from tradeoff.sources.counted import WEIGHT_FAULTS, CountedRows, demand_weights, ranked_models
from tradeoff.sources.engine_cells import double, with_cells
from tradeoff.sources.ranked import BUDGET
from tradeoff.sources.scores import LARGEST_WEIGHT
from tradeoff.text import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from tradeoff.core.models import RankedModels
    from tradeoff.core.regions import Region
    from tradeoff.sources.ranked import Choices, Columns

PROBED = 100_000
"""Rows that are looked at to learn where scores crowd."""

KEYS = ("actual", "fold", "segment")
NO_NUMBERS = (
    "`{name}` must hold numbers, but its type is {kind}: turn it into numbers in the query "
    "(predicted classes into 1 and 0), or collect the rows first."
)
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
        known = nw.from_native(frame, pass_through=True)
    except nw.exceptions.NarwhalsError:
        return False  # reading it will tell why
    return isinstance(known, nw.LazyFrame) and not str(known.implementation.value).startswith(SPARK)


def lazy_models(frame: Any, columns: Columns, choices: Choices, most: int = BUDGET) -> RankedModels:
    """The rankings of the rows of a lazy frame, which are counted where they lie.

    They are exact where there are no more different scores than `most`, else certified bins.

    Example:
        >>> import duckdb
        >>> from tradeoff.sources.ranked import Choices, Columns
        >>> rows = duckdb.sql("SELECT i % 2 AS bad, i % 5 / 4 AS p FROM range(1000) AS t(i)")
        >>> lazy_models(rows, Columns("bad", ["p"]), Choices()).rankings["p"]
        Ranking(p: 1,000 rows, 500 '1' and 500 '0', 5 distinct scores)
    """
    if choices.digits is not None:
        raise InputError(
            "`digits` rounds rows that are at hand: round the scores in the query, or collect "
            "the rows first."
        )
    roles = {role: getattr(columns, role) for role in ("actual", "weight", "fold", "segment")}
    table = _Table.of(frame, {role: name for role, name in roles.items() if name is not None})
    total = table.total()
    models = {name: table.scored(name) for name in table.known(columns.scores)}
    counted = {
        name: _counted(model, total, choices.positive, most)._replace(ties=table.ties(name))
        for name, model in models.items()
    }
    return ranked_models(counted, columns, choices, whole_weights=table.whole_weights, most=most)


def _counted(model: _Scored, total: int, positive: Any, most: int) -> CountedRows:
    """The rows of one model by score, or by cells where there are too many scores."""
    if total <= min(2 * most, fitting_cells.GROUPS):
        return model.by_score()
    probe = model.probed()
    if fitting_cells.expected_scores(probe) <= 2 * most:
        found = model.by_score()
        if len(found.rows) <= fitting_cells.GROUPS:
            return found
        probe = found
    return fitting_cells.counted_by_cells(model.by_cell, probe, positive, most)


class _Table(NamedTuple):
    """A lazy frame, the types of its columns, and which of them play a part."""

    frame: Any
    kinds: dict[str, Any]
    roles: dict[str, str]

    @classmethod
    def of(cls, frame: Any, roles: dict[str, str]) -> _Table:
        import narwhals as nw

        known = nw.from_native(frame)
        table = cls(known, dict(_asked(known.collect_schema)), roles)
        table.known(roles.values())
        return table

    def known(self, names: Iterable[str]) -> list[str]:
        """Names of columns, each of which is there."""
        wanted = list(names)
        for name in wanted:
            if name not in self.kinds:
                raise ColumnError.missing(str(name), self.kinds)
        return wanted

    def total(self) -> int:
        """How many rows there are."""
        import narwhals as nw

        return int(_collected(self.frame.select(rows=nw.len()))["rows"][0])

    @property
    def whole_weights(self) -> bool:
        import narwhals as nw

        name = self.roles.get("weight", "")
        kind = self.kinds.get(name)
        if kind is None or kind.is_integer() or kind == nw.Boolean:
            return True
        if not kind.is_float():
            return False
        weight = nw.col(name)
        fractional = self.frame.filter(weight != weight.floor()).select(rows=nw.len())
        return not _collected(fractional)["rows"][0]

    def scored(self, name: str) -> _Scored:
        """The columns that a model needs, each of a type that every engine can group by."""
        import narwhals as nw

        keys = [role for role in KEYS if role in self.roles]
        columns = {role: self._key(self.roles[role]) for role in keys}
        sums = []
        if self.kinds[name].is_integer():
            own = nw.col(name)
            far = (own > 2**53) | (own < -(2**53))
            columns["beyond"] = nw.when(far).then(nw.lit(1)).otherwise(nw.lit(0))
            sums.append("beyond")
        if "weight" in self.roles:
            columns["weight"] = self._number(self.roles["weight"])
            keys.append("fault")
            sums += ["weight", "squares"]
        frame = self.frame.select(score=self._number(name, of_text=True), **columns)
        if "weight" in self.roles:
            own = nw.col("weight")
            frame = frame.with_columns(fault=_fault(own)).with_columns(
                squares=nw.when(nw.col("fault") == 0).then(own * own).otherwise(nw.lit(0.0))
            )
        return _Scored(frame, name, str(self.kinds[name]), tuple(keys), tuple(sums))

    def _number(self, name: str, *, of_text: bool = False) -> Any:
        """A column as floats; what is none is missing."""
        import narwhals as nw

        kind, own = self.kinds[name], nw.col(name)
        if kind == nw.Boolean:  # which not every engine makes a float of
            return nw.when(own).then(double(1.0)).otherwise(nw.when(~own).then(double(0.0)))
        if not kind.is_numeric() and not (of_text and kind == nw.String):
            raise InputError(NO_NUMBERS.format(name=name, kind=kind))
        wide = own.cast(nw.Float64)
        has_nan = kind.is_float() or kind == nw.String
        return nw.when(~wide.is_nan()).then(wide) if has_nan else wide

    def ties(self, name: str) -> int:
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

        distinct = self.frame.select(value=values).filter(~nw.col("value").is_null()).unique()
        return int(_collected(distinct.select(rows=nw.len()))["rows"][0])

    def _key(self, name: str) -> Any:
        """A column of classes, folds or segments."""
        import narwhals as nw

        kind, own = self.kinds[name], nw.col(name)
        if kind.is_nested():
            raise InputError(f"Column {name!r} holds {kind}, not one value a row.")
        if kind.is_decimal():
            return own.cast(nw.String if self.ties(name) else nw.Float64)
        if kind.is_numeric() or kind in (nw.Boolean, nw.String, nw.Binary):
            return own
        text = own.cast(nw.String)
        if kind != nw.Datetime:
            return text
        filled_up = text.str.contains(FRACTION)
        return nw.when(filled_up).then(without_idle_zeros(text)).otherwise(text)


def _fault(weight: Any) -> Any:
    """Which of WEIGHT_FAULTS a weight has, counted from 1; 0: none; -1: the weight is 0."""
    import narwhals as nw

    tests = (
        weight.is_null() | (weight > LARGEST) | (weight < -LARGEST),
        weight < 0.0,
        weight > LARGEST_WEIGHT,
        (weight > 0.0) & (weight < 1 / LARGEST_WEIGHT),
    )
    found = nw.when(weight == 0.0).then(nw.lit(-1)).otherwise(nw.lit(0))
    for number, test in reversed(list(enumerate(tests, 1))):
        found = nw.when(test).then(nw.lit(number)).otherwise(found)
    return found


class _Scored(NamedTuple):
    """The columns of one model: its `score`, what rows are grouped by, and what is added up."""

    frame: Any
    name: str
    kind: str
    keys: tuple[str, ...]
    sums: tuple[str, ...]

    def probed(self) -> CountedRows:
        """The first rows, each a group."""
        own = [key for key in self.keys if key in KEYS]
        found = self._collected(self.frame.select("score", *own).head(PROBED))
        found["rows"] = np.ones(len(found["score"]), np.int64)
        return _as_counted(found)

    def by_score(self) -> CountedRows:
        """The rows of each score; where there are more than GROUPS, some of them."""
        return self._grouped(self.frame, ("score",), {})

    def by_cell(self, regions: tuple[Region, ...]) -> CountedRows:
        """The rows of each cell; where there are more than GROUPS, some of them."""
        import narwhals as nw

        score = nw.col("score")
        ends = {"low": score.min(), "high": score.max()}
        return self._grouped(with_cells(self.frame, regions), ("scale", "cell"), ends)

    def _grouped(self, frame: Any, by: tuple[str, ...], ends: dict[str, Any]) -> CountedRows:
        import narwhals as nw

        sums = {f"{name}_sum": nw.col(name).sum() for name in self.sums}
        grouped = frame.group_by(*self.keys, *by).agg(nw.len().alias("rows"), **ends, **sums)
        told = [*self.keys, *(() if ends else by), "rows", *ends, *sums]
        found = self._collected(grouped.select(*told).head(fitting_cells.GROUPS + 1))
        self._demand_sound(found)
        return _as_counted(found)

    def _collected(self, frame: Any) -> dict[str, NDArray[Any]]:
        """The answer of an engine, which may find a text that is no number."""
        try:
            return _collected(frame)
        except InputError as problem:
            if self.kind != "String":
                raise
            raise InputError(NO_NUMBERS.format(name=self.name, kind=self.kind)) from problem

    def _demand_sound(self, found: dict[str, NDArray[Any]]) -> None:
        if "fault" in found:
            counts = np.bincount(
                found["fault"].astype(np.int64) + 1, found["rows"], len(WEIGHT_FAULTS) + 2
            )
            demand_weights(counts[2:].astype(np.int64).tolist(), int(found["rows"].sum()))
        beyond = int(found.get("beyond_sum", np.zeros(1)).sum())
        if beyond:
            raise InputError(
                f"`{self.name}` holds integers above 2**53 that floating point cannot tell apart "
                f"({rows(beyond)}). Divide or rank them first."
            )


def _as_counted(found: dict[str, NDArray[Any]]) -> CountedRows:
    numbers: dict[str, Any] = {
        name: found[own].astype(np.float64)
        for name, own in (("weight", "weight_sum"), ("squares", "squares_sum"))
        if own in found
    }
    return CountedRows(
        found["actual"],
        found["low" if "low" in found else "score"].astype(np.float64),
        found["high" if "high" in found else "score"].astype(np.float64),
        found["rows"].astype(np.int64),
        fold=found.get("fold"),
        segment=found.get("segment"),
        **numbers,
    )


def _collected(frame: Any) -> dict[str, NDArray[Any]]:
    """The columns of what a lazy frame comes to, by nothing but its own library."""
    import narwhals as nw

    if frame.implementation is nw.Implementation.DUCKDB:
        found = _asked(frame.to_native().fetchnumpy)
        return {name: _hashable(as_column(values, name)) for name, values in found.items()}
    # Polars would otherwise hold all rows in memory.
    polars = frame.implementation is nw.Implementation.POLARS
    table = _asked(lambda: frame.collect(**({"engine": "streaming"} if polars else {})))
    return {name: series_column(table[name]) for name in table.columns}


def _hashable(column: NDArray[Any]) -> NDArray[Any]:
    """DuckDB gives bytes that could be changed, which nothing can be looked up by."""
    if column.dtype.kind == "O":
        column[:] = [bytes(one) if isinstance(one, bytearray) else one for one in column.tolist()]
    return column


def _asked(question: Callable[[], Any]) -> Any:
    """The answer of an engine; its complaints, of whatever kind, become a sentence."""
    try:
        return question()
    except TradeoffError:
        raise
    except Exception as problem:  # each engine has exceptions of its own
        told = next(iter(str(problem).strip().splitlines()), type(problem).__name__).rstrip(". ")
        raise InputError(f"The rows cannot be counted where they lie: {told}.") from problem
