"""Rows that lie elsewhere are counted there: lazy frames and databases, cells that fit, groups.

What comes back are counts by score, or by stretches of scores where these are too many; never
rows, but for a few that tell where scores crowd.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from tradeoff.core.bins import order_of, score_of
from tradeoff.core.grouped import Counted, ranking_of
from tradeoff.core.models import RankedModels
from tradeoff.core.regions import LARGEST, Region, regions_of
from tradeoff.errors import ColumnError, InputError, TradeoffError
from tradeoff.sources import groups
from tradeoff.sources.classes import Labels, labels, missing_rows
from tradeoff.sources.columns import FRACTION, as_column, series_column, without_idle_zeros
from tradeoff.sources.options import BUDGET
from tradeoff.sources.policy import LARGEST_WEIGHT, scored_rows, ties_note
from tradeoff.text import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.core.regions import Region
    from tradeoff.sources.options import Choices, Columns
    from tradeoff.sources.policy import Missing


# Rows that were counted where they lie: groups of them, checked, become rankings.
#
# The conventions, notes and sentences are those of `arrays` and `groups`; only the numbers of rows
# cannot be told, as no row is at hand.


WEIGHT_FAULTS = (
    "missing or infinite",
    "negative",
    f"above {LARGEST_WEIGHT:g}",
    f"below {1 / LARGEST_WEIGHT:g}",
)
"""What may be wrong with weights, in the order in which it is told."""


class CountedRows(NamedTuple):
    """Groups of one model's rows: arrays of equal length, the groups in any order.

    Rows of a group share their class, fold and segment; their scores lie from `low` to `high`
    (float64; NaN where the score is missing). Rows of weight 0 are groups of their own, or absent.
    Missing classes, folds and segments are None among objects and NaN among floats.
    """

    actual: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]
    rows: NDArray[Any]
    weight: NDArray[Any] | None = None
    """The sum of the weights of each group."""
    squares: NDArray[Any] | None = None
    """The sum of their squares."""
    fold: NDArray[Any] | None = None
    segment: NDArray[Any] | None = None
    ties: int = 0
    """Different scores that are equal as floats."""


def ranked_models(
    models: Mapping[str, CountedRows],
    columns: Columns,
    choices: Choices,
    *,
    whole_weights: bool = True,
    most: int = BUDGET,
) -> RankedModels:
    """The rankings of counted rows, each with at most so many thresholds.

    Args:
        models: The counted rows of each model.
        columns: What messages call the columns.
        choices: What the caller chose about rows.
        whole_weights: Whether the column of weights holds integers.
        most: How many thresholds a ranking may keep.

    Example:
        >>> from tradeoff.sources.options import Choices, Columns
        >>> counted = CountedRows(*map(np.array, ([0, 1, 1], [0.2, 0.2, 0.9], [0.2, 0.2, 0.9])),
        ...     rows=np.array([30, 10, 20]))
        >>> found = ranked_models({"model": counted}, Columns("bought", ["model"]), Choices())
        >>> found.rankings["model"]
        Ranking(model: 60 rows, 30 '1' and 30 '0', 2 distinct scores)
    """
    checked = {
        name: _Checking(name, columns.actual, choices, most).checked(
            counted, _weighing(counted, choices, whole=whole_weights)
        )
        for name, counted in models.items()
    }
    return RankedModels(
        {name: model.ranking() for name, model in checked.items()},
        _by_fold(checked, str(columns.fold)),
        _by_segment(checked, str(columns.segment)),
    )


def demand_weights(faults: Sequence[int], total: int) -> None:
    """Every weight can be counted with; `faults` are how many rows have each of WEIGHT_FAULTS."""
    for wrong, what in zip(faults, WEIGHT_FAULTS, strict=True):
        if wrong:
            raise InputError(
                f"{wrong:,} of {total:,} weights are {what}. "
                "A weight says how often a row counts: 0 or more."
            )


class _Weighing(NamedTuple):
    """The weights of groups as they are counted with, and what is said of them."""

    weight: NDArray[Any] | None
    notes: tuple[str, ...]
    importance: bool


@dataclass(frozen=True, eq=False)
class _Checked:
    """Checked groups of one model, and which of them are ranked or rejected."""

    counted: CountedRows
    positive_groups: NDArray[np.bool_]
    ranked: NDArray[np.bool_]
    rejected: NDArray[np.bool_]
    importance: bool
    most: int
    described: dict[str, Any]

    def among(self, which: NDArray[np.bool_]) -> _Checked:
        return replace(self, ranked=self.ranked & which, rejected=self.rejected & which)

    def ranking(self) -> Ranking:
        counted = self.counted
        ranking = self._ranked(counted.rows if counted.weight is None else counted.weight)
        if self.importance:
            ranking = replace(ranking, squares=self._ranked(counted.squares))
        return ranking.within(self.most)

    def _ranked(self, counts: Any) -> Ranking:
        at, away = self.ranked, self.rejected
        ranked, rejected = self.positive_groups[at], self.positive_groups[away]
        return ranking_of(
            Counted(
                self.counted.low[at],
                self.counted.high[at],
                np.where(ranked, counts[at], 0),
                np.where(ranked, 0, counts[at]),
            ),
            int(self.counted.rows[at | away].sum()),
            rejected_positives=counts[away][rejected].sum(),
            rejected_negatives=counts[away][~rejected].sum(),
            **self.described,
        )


class _Parted(NamedTuple):
    """The groups of a model by the values of a column, which `groups` puts in order."""

    model: _Checked
    codes: NDArray[np.intp]

    def among(self, values: NDArray[np.bool_]) -> _Checked:
        return self.model.among(values[self.codes])


def _weighing(counted: CountedRows, choices: Choices, *, whole: bool) -> _Weighing:
    """What `scored_rows` makes of weights like these: one row stands for all."""
    weight = counted.weight
    if weight is not None:
        # As floats, sums of integers are exact up to here.
        limit = 2**62 if weight.dtype.kind in "iu" else 2**53
        whole = whole and float(weight.sum(dtype=np.float64)) < limit
        weight = weight.astype(np.int64 if whole else np.float64, copy=False)
    alike = (
        None
        if weight is None
        else np.full(1, 1 if _all_ones(counted, choices.missing) else 2 if whole else 2.5)
    )
    row = scored_rows(
        [1], [0.0], weight=alike, weight_means=choices.weight_means, missing=choices.missing
    )
    return _Weighing(weight, row.notes, row.importance)


def _all_ones(counted: CountedRows, missing: Missing) -> bool:
    """Weights that add up to their number, and so do their squares, are 1 each."""
    kept = _kept(counted, missing)
    sums = (one for one in (counted.weight, counted.squares) if one is not None)
    return all(bool((one[kept] == counted.rows[kept]).all()) for one in sums)


def _kept(counted: CountedRows, missing: Missing) -> NDArray[np.bool_]:
    """Groups that count: those of weight 0 do not, nor those without a class if they may go."""
    weight = counted.weight
    kept = np.ones(len(counted.rows), np.bool_) if weight is None else weight > 0
    return kept & ~missing_rows(counted.actual) if missing == "drop" else kept


class _Checking(NamedTuple):
    """How the groups of one model are checked."""

    name: str
    actual: str
    choices: Choices
    most: int

    def checked(self, counted: CountedRows, weighing: _Weighing) -> _Checked:
        missing, lower = self.choices.missing, self.choices.lower_is_positive
        counted = counted._replace(weight=weighing.weight)
        kept = _kept(counted, missing)
        absent = missing_rows(counted.actual)
        known = self._labels(counted, kept, absent & kept)
        unscored = np.isnan(counted.low) & kept
        ties = (ties_note(self.name, counted.ties),) if counted.ties else ()
        notes = (*self._unclassed(counted, absent), *ties, *weighing.notes, *self._rounded())
        notes += self._unscored(counted, kept, unscored)
        if missing == "negative":
            last = np.inf if lower else -np.inf
            low, high = (np.where(unscored, last, one) for one in (counted.low, counted.high))
            counted = counted._replace(low=low, high=high)
        return _Checked(
            counted,
            known.positive_rows,
            kept & ~(unscored & (missing != "negative")),
            unscored & (missing == "reject"),
            weighing.importance,
            self.most,
            {
                "positive": known.positive,
                "negative": known.negative,
                "name": self.name,
                "lower_is_positive": lower,
                "notes": notes,
            },
        )

    def _labels(
        self, counted: CountedRows, kept: NDArray[np.bool_], absent: NDArray[np.bool_]
    ) -> Labels:
        """Which groups are positive; those that are not kept are not."""
        if absent.any():
            total = rows(int(counted.rows[kept].sum()))
            raise InputError(
                f"{int(counted.rows[absent].sum()):,} of {total} have no class in "
                f"{self.actual!r}. A row without its actual class cannot be judged: fill it in, or "
                'leave such rows out with missing="drop".'
            )
        classes, codes = _distinct(counted.actual[kept])
        known = labels(classes, self.choices.positive, name=self.actual)
        positive_groups = np.zeros(len(kept), np.bool_)
        positive_groups[kept] = known.positive_rows[codes]
        return replace(known, positive_rows=positive_groups)

    def _unclassed(self, counted: CountedRows, absent: NDArray[np.bool_]) -> tuple[str, ...]:
        if self.choices.missing != "drop" or not absent.any():
            return ()
        return (f"{rows(int(counted.rows[absent].sum()))} without a class: left out",)

    def _rounded(self) -> tuple[str, ...]:
        digits = self.choices.digits
        return () if digits is None else (f"{self.name} was rounded to {digits} decimals",)

    def _unscored(
        self, counted: CountedRows, kept: NDArray[np.bool_], unscored: NDArray[np.bool_]
    ) -> tuple[str, ...]:
        """What becomes of rows without a score; an error, unless they may be."""
        size = int(counted.rows[unscored].sum())
        if not size:
            return ()
        if self.choices.missing == "error":
            raise InputError(
                f"{size:,} of {int(counted.rows[kept].sum()):,} scores in `{self.name}` are "
                'missing. Fill them in, or say missing="drop", "reject" (undecided) or "negative" '
                "(ranked last); the output will tell."
            )
        done = {"drop": "left out", "reject": "counted as rejected", "negative": "ranked last"}
        return (f"{rows(size)} without a score: {done[self.choices.missing]}",)


def _by_fold(models: Mapping[str, _Checked], name: str) -> dict[str, groups.Rankings]:
    found: dict[str, groups.Rankings] = {}
    for model, checked in models.items():
        column = checked.counted.fold
        if column is None:
            return {}
        absent = missing_rows(column)
        if absent.any():
            raise InputError(
                f"{rows(int(checked.counted.rows[absent].sum()))} without a fold in {name!r}: "
                "each row belongs to the fold that it was tested in."
            )
        values, codes = _distinct(column)
        parted = cast("Any", {model: _Parted(checked, codes)})
        found |= groups.folds(parted, values, values, name)
    return found


def _by_segment(models: Mapping[str, _Checked], name: str) -> dict[str, groups.Rankings]:
    found: dict[str, groups.Rankings] = {}
    for model, checked in models.items():
        column = checked.counted.segment
        if column is None:
            return {}
        values, codes = _distinct(column)
        parted = cast("Any", {model: _Parted(checked, codes)})
        found |= groups.segments(parted, values, values, name)
    return found


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The different values, and which of them each is."""
    if values.dtype.kind != "O":
        found, codes = np.unique(values, return_inverse=True)
        return found, codes
    places: dict[Any, int] = {}
    given = [places.setdefault(value, len(places)) for value in values.tolist()]
    found = np.empty(len(places), dtype=object)
    found[:] = list(places)
    return found, np.array(given, np.intp)


# Cells of scores in the words of an engine: `core.regions` for databases and lazy frames.


def with_cells(frame: Any, regions: Sequence[Region]) -> Any:
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
        return double(regions[0].scale)
    half = len(regions) // 2
    border = min(regions[half].low, LARGEST)  # infinite scores have cells of their own
    below = nw.when(nw.col("score") < border).then(_scale(regions[:half]))
    return below.otherwise(_scale(regions[half:]))


def double(value: float) -> Any:
    """A number as a Narwhals expression: PostgreSQL takes one with a point as a decimal."""
    import narwhals as nw

    return nw.lit(1).cast(nw.Float64) * value


# Cells that fit scores which nobody has at hand: chosen, counted, and chosen again if need be.


GROUPS = 8_000_000
"""More groups than these are not fetched."""

FEWEST_CELLS = 1024
ATTEMPTS = 4
BAD_FIT = 4
"""How many times the loss of cells of equal mass makes others worth a search."""

HEAVIEST = 256
"""Groups of a larger part of all rows than one in these are looked into."""

POINTS = 64


def counted_by_cells(
    count: Callable[[tuple[Region, ...]], CountedRows],
    probe: CountedRows,
    positive: Any,
    most: int,
) -> CountedRows:
    """The counts of cells that fit a ranking of at most so many thresholds.

    Where the probe was no fair part of all rows, the counts themselves lead to better cells.

    Args:
        count: Counts all rows by the cells of regions; of more than GROUPS groups, any GROUPS + 1.
        probe: Some of the rows, or counts of them.
        positive: The positive class, if it was named.
        most: How many thresholds a ranking may have.
    """
    cells = max(min(2 * most, GROUPS // (4 * _parts(probe))), FEWEST_CELLS)
    best: tuple[float, CountedRows] | None = None
    for _ in range(ATTEMPTS):
        probe = count(regions_of(_ranking(_spread(probe), positive), cells))
        if len(probe.rows) > GROUPS:
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
            f"The rows fall into more than {GROUPS:,} groups of scores, folds and segments: name a "
            "fold or segment of fewer values."
        )
    return best[1]


def expected_scores(probe: CountedRows) -> float:
    """How many different scores there are in all, judged by how often some of them repeat."""
    known = ~np.isnan(probe.low)
    size = int(probe.rows[known].sum())
    repeated = size - len(np.unique(probe.low[known]))
    # Of n rows drawn from D equally frequent scores, n² / 2D meet one that was there before.
    return size**2 / (2 * repeated) if repeated else np.inf


def _parts(counted: CountedRows) -> int:
    """How many folds and segments there are among some rows."""
    columns = [column for column in (counted.fold, counted.segment) if column is not None]
    found = set(zip(*(column.tolist() for column in columns), strict=True)) if columns else ()
    return max(len(found), 1)


def _spread(counted: CountedRows) -> CountedRows:
    """Groups as single scores: rows of a large group may lie anywhere between its ends."""
    share = counted.rows / max(int(counted.rows.sum()), 1)
    large = (share > 1 / HEAVIEST) & (counted.low < counted.high)
    ends = counted.low[large], counted.high[large]
    points = [_between(low, high) for low, high in zip(*ends, strict=True)]
    scores = np.concatenate([counted.low[~large], *points])

    return CountedRows(
        np.concatenate([counted.actual[~large], np.repeat(counted.actual[large], POINTS)]),
        scores,
        scores,
        np.concatenate([POINTS * counted.rows[~large], np.repeat(counted.rows[large], POINTS)]),
    )


def _between(low: float, high: float) -> NDArray[np.float64]:
    """Scores from low to high: half of them in equal steps, half in equal ratios."""
    orders = order_of(np.array([low, high]))
    steps = np.linspace(0, float(orders[1] - orders[0]), POINTS // 2).astype(np.uint64)
    near = score_of(orders[0] + np.minimum(steps, orders[1] - orders[0]))
    return np.concatenate([np.linspace(low, high, POINTS // 2), near])


def _ranking(counted: CountedRows, positive: Any) -> Ranking:
    """Some rows, ranked to see where scores crowd: their classes matter where they are known."""
    # Infinite scores have cells of their own wherever others crowd.
    finite = np.isfinite(counted.low) & np.isfinite(counted.high)
    there = finite & ~missing_rows(counted.actual)
    try:
        positives = labels(counted.actual[there], positive).positive_rows
    except InputError:  # classes that these rows alone do not explain
        positives = np.zeros(int(there.sum()), np.bool_)
    own = counted.rows[there]
    low, high = counted.low[there], counted.high[there]
    groups = Counted(low, high, np.where(positives, own, 0), np.where(positives, 0, own))
    return ranking_of(groups, int(own.sum()))


def _loss(ranking: Ranking) -> float:
    """The share of pairs of a positive and a negative row that lie in one bin."""
    if ranking.levels is None:
        return 0.0
    found, alarms = (np.diff(column).astype(np.float64) for column in ranking.tally[1:])
    pairs = float(ranking.positives) * float(ranking.negatives)
    return float((found * alarms)[ranking.levels[1:] > 0].sum()) / max(pairs, 1.0)


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
        >>> from tradeoff.sources.options import Choices, Columns
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
    if total <= min(2 * most, GROUPS):
        return model.by_score()
    probe = model.probed()
    if expected_scores(probe) <= 2 * most:
        found = model.by_score()
        if len(found.rows) <= GROUPS:
            return found
        probe = found
    return counted_by_cells(model.by_cell, probe, positive, most)


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
        found = self._collected(grouped.select(*told).head(GROUPS + 1))
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
