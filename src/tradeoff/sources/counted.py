"""Rows that were counted where they lie: groups of them, checked, become rankings.

The conventions, notes and sentences are those of `arrays` and `groups`; only the numbers of rows
cannot be told, as no row is at hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from tradeoff.core.grouped import Counted, ranking_of
from tradeoff.core.models import RankedModels
from tradeoff.errors import InputError
from tradeoff.sources import groups
from tradeoff.sources.arrays import scored_rows
from tradeoff.sources.labels import Labels, labels, missing_rows
from tradeoff.sources.ranked import BUDGET
from tradeoff.sources.scores import LARGEST_WEIGHT, ties_note
from tradeoff.text import rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.sources.arrays import Missing
    from tradeoff.sources.ranked import Choices, Columns

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
        >>> from tradeoff.sources.ranked import Choices, Columns
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
