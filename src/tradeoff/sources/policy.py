"""The rules for rows: legal scores and weights, missing values, and rows that can be ranked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import isnan, nan
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.cells import ranking_of_groups
from tradeoff.core.numbers import as_floats, rounded_rows
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, listed
from tradeoff.sources.classes import (
    Labels,
    class_name,
    classes_in,
    labels,
    missing_rows,
    numbered,
)
from tradeoff.sources.columns import as_column, require_same_index
from tradeoff.sources.text_cells import SURE, is_integer
from tradeoff.text import rows

# Scores and weights of any type become floats or integers, without losing a digit.


LARGEST_WEIGHT = 1e100
"""Squares of weights must have room."""


class Scores(NamedTuple):
    """Scores as float32 or float64, what was done to them, and whether they were classes."""

    values: NDArray[Any]
    notes: tuple[str, ...] = ()
    are_classes: bool = False


def as_scores(
    score: NDArray[Any],
    actual: NDArray[Any],
    classes: Labels,
    name: str,
    places: NDArray[np.intp] | None = None,
) -> Scores:
    """The scores as floats; predicted classes as 1 and 0. `places` are the rows' own numbers."""
    floats = as_floats(score)
    if floats is not None:
        changed = rounded_rows(score, floats)
        if changed is not None:
            require_exact(Fault().add(changed, places), name)
        return Scores(floats)
    kind = score.dtype.kind
    if kind == "f":
        note = f"{name} was rounded from {score.dtype} to float64"
        return Scores(score.astype(np.float64), (note,))
    if kind not in "OUS":
        raise InputError(f"`{name}` must hold numbers, not {score.dtype}.")
    numbers, odd = _parsed(score, name, places)
    if odd.any():
        example = _example(score, odd, places)
        return _classes_as_scores(score, actual, classes.positive, example, name)
    ties = _ties(score, numbers)
    return Scores(numbers, (ties_note(name, ties),) if ties else ())


def _are_whole(weights: NDArray[Any]) -> bool:
    """Whether weights are whole numbers, in whatever type they are stored."""
    return weights.dtype.kind != "f" or bool((weights == np.floor(weights)).all())


def weight_numbers(weights: NDArray[Any], name: str) -> NDArray[Any]:
    """Weights as numbers, whatever they are; a text that is none is an error."""
    if weights.dtype.kind in "biuf":
        return weights
    if weights.dtype.kind not in "OUS":
        raise InputError(f"Weights must be numbers, not {weights.dtype}.")
    numbers, odd = _parsed(weights, name)
    if odd.any():
        raise InputError(no_weight(_example(weights, odd)))
    return numbers


def countable(weights: NDArray[Any]) -> NDArray[np.bool_]:
    """Which weights can be counted with."""
    sized = (weights == 0) | (weights >= 1 / LARGEST_WEIGHT)
    return np.asarray(np.isfinite(weights) & sized & (weights <= LARGEST_WEIGHT))


def _ties(values: NDArray[Any], numbers: NDArray[np.float64]) -> int:
    """How many different decimals are equal as floats; a text may be one."""
    written = {value for value in values.tolist() if isinstance(value, str | Decimal)}
    if len(written) <= len(np.unique(numbers)):  # mostly there is nothing to see
        return 0
    exact = {Decimal(value) for value in written if not isnan(float(value))}
    return len(exact) - len({float(value) for value in exact})


def _parsed(
    values: NDArray[Any], name: str, places: NDArray[np.intp] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Objects and texts as numbers (missing ones as NaN), and which of them are none."""
    absent = missing_rows(values).tolist()
    numbers = [
        nan if missing else _number(value)
        for value, missing in zip(values.tolist(), absent, strict=True)
    ]
    odd = np.array([number is None for number in numbers], np.bool_)
    changed = [
        _is_changed(value, number) for value, number in zip(values.tolist(), numbers, strict=True)
    ]
    require_exact(Fault().add(np.array(changed, np.bool_), places), name)
    return np.array([nan if number is None else number for number in numbers]), odd


def _number(value: Any) -> float | None:
    """A number, or None; digits of other scripts are numbers to Python alone."""
    if isinstance(value, np.complexfloating):
        return None  # NumPy would make a float of it, and warn
    if isinstance(value, str) and not value.isascii():
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _is_changed(value: Any, number: float | None) -> bool:
    """Whether an integer, also one that is written as a text, is another one as a float."""
    if number is None or not abs(number) >= SURE:
        return False
    whole = isinstance(value, int) or (isinstance(value, str) and is_integer(value))
    return whole and int(number) != int(value)


def _classes_as_scores(
    score: NDArray[Any], actual: NDArray[Any], positive: str, odd: str, name: str
) -> Scores:
    """Predicted classes in place of scores: one operating point."""
    absent = missing_rows(score)
    names = np.array([class_name(value) for value in score], dtype=object)
    classes = {*classes_in(actual), positive}
    if not set(names[~absent].tolist()) <= classes:
        raise InputError(
            f"{no_number(name, odd)} (scores may also be predicted classes, here "
            f"{listed(sorted(classes))})."
        )
    values = np.where(names == positive, 1.0, 0.0)
    values[absent] = np.nan
    note = f"{name} holds predicted classes, taken as 1 for {positive} and 0 otherwise"
    return Scores(values, (note,), are_classes=True)


def _example(
    values: NDArray[Any], odd: NDArray[np.bool_], places: NDArray[np.intp] | None = None
) -> str:
    first = int(np.flatnonzero(odd)[0])
    row = first if places is None else int(places[first])
    return f"{class_name(values[first])!r} in row {row + 1}"


Missing = Literal["error", "drop", "reject", "negative"]
TREATMENTS = get_args(Missing)
WeightMeans = Literal["frequency", "importance"]
OUTCOMES = {"drop": "left out", "reject": "counted as rejected", "negative": "ranked last"}
"""What becomes of rows without a score."""


# Not frozen, like the batches below: `auc` of few rows makes each of them once, and freezing
# would take a fifth of its time.
@dataclass
class RowPolicy:
    """What rows mean, as in `tradeoff.evaluate`."""

    positive: Any = None
    weight_means: WeightMeans | None = None
    missing: Missing = "error"
    lower_is_positive: bool = False
    digits: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.missing not in TREATMENTS:
            raise InputError(f"`missing` is one of {listed(TREATMENTS)}, not {self.missing!r}.")
        digits = self.digits
        if digits is not None and not (isinstance(digits, int) and 0 <= digits <= 15):
            raise InputError(f"`digits` is a whole number from 0 to 15, not {digits!r}.")

    def require_weight_meaning(self, *, weighted: bool) -> None:
        """What weights mean can only be said of weights."""
        if self.weight_means is None:
            return
        if not weighted:
            raise InputError("`weight_means` says what weights mean: give `weight` too.")
        if self.weight_means not in get_args(WeightMeans):
            raise InputError(
                f"`weight_means` is one of {listed(get_args(WeightMeans))}, not "
                f"{self.weight_means!r}."
            )

    def are_importances(self, *, whole: bool) -> bool:
        """Whole weights count how often a row was seen, real ones say how much it matters."""
        return not whole if self.weight_means is None else self.weight_means == "importance"

    @property
    def last(self) -> float:
        """The score of rows that rank last."""
        return np.inf if self.lower_is_positive else -np.inf

    def rounded(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Scores of as many decimals as asked for."""
        digits = self.digits
        return scores if digits is None else np.round(scores.astype(np.float64, copy=False), digits)


PLAIN = RowPolicy()
NO_WEIGHTS = "`exact` counts pairs of rows, and cannot weigh them: leave `weight` out."
SHOWN = 3
"""So many rows tell where something is wrong."""


@dataclass
class Fault:
    """Rows that break a rule: how many, and the numbers of the first, where rows have numbers."""

    rows: int = 0
    first: list[int] = field(default_factory=list)

    def add(
        self,
        which: NDArray[np.bool_],
        places: NDArray[np.intp] | None = None,
        *,
        start: int = 0,
        sizes: NDArray[Any] | None = None,
    ) -> Fault:
        """Add some rows of a batch, before which `start` rows came; groups have `sizes` instead."""
        self.rows += _rows_among(which, sizes)
        if sizes is None and len(self.first) < SHOWN:
            some = np.flatnonzero(which)[: SHOWN - len(self.first)]
            self.first += ((some if places is None else places[some]) + start + 1).tolist()
        return self

    @property
    def where(self) -> str:
        """Where the first of them are."""
        return f" (first: {numbered(self.first)})" if self.first else ""


# What is wrong with rows, each told in one place: sources differ in how they find it.


NO_FAULT = Fault()
NO_CLASS, NO_FOLD = "no class", "no fold"
WEIGHT_FAULTS = (
    "missing or infinite",
    "negative",
    f"above {LARGEST_WEIGHT:g}",
    f"below {1 / LARGEST_WEIGHT:g}",
)
"""What may be wrong with weights, in the order in which it is reported."""


def _faulty_weights(weights: NDArray[Any]) -> Iterator[NDArray[np.bool_]]:
    """Which weights have each of `WEIGHT_FAULTS`."""
    yield ~np.isfinite(weights)
    yield weights < 0
    yield weights > LARGEST_WEIGHT
    yield (weights > 0) & (weights < 1 / LARGEST_WEIGHT)


def require_weights(faults: Mapping[str, Fault], total: int) -> None:
    """Every weight can be counted with: there is none of `WEIGHT_FAULTS`."""
    for what in WEIGHT_FAULTS:
        fault = faults.get(what, NO_FAULT)
        if fault.rows:
            raise InputError(
                f"{fault.rows:,} of {total:,} weights are {what}{fault.where}. A weight says how "
                "often a row counts: 0 or more."
            )


def _require_classes(fault: Fault, total: int, name: str) -> None:
    """Every row that counts has a class."""
    if fault.rows:
        raise InputError(
            f"{fault.rows:,} of {rows(total)} have no class in {name!r}{fault.where}. A row "
            "without its actual class cannot be judged: fill it in, or leave such rows out with "
            'missing="drop".'
        )


def _require_scores(fault: Fault, total: int, name: str) -> None:
    """Every row that counts has a score."""
    if fault.rows:
        raise InputError(
            f"{fault.rows:,} of {total:,} scores in `{name}` are missing{fault.where}. Fill them "
            'in, or say missing="drop", "reject" (undecided) or "negative" (ranked last); the '
            "output will tell."
        )


def require_exact(fault: Fault, name: str) -> None:
    """No integer is another one as a float."""
    if fault.rows:
        raise InputError(
            f"`{name}` holds integers above 2**53 that floating point cannot tell apart"
            f"{fault.where}. Divide or rank them first."
        )


def require_folds(fault: Fault, name: str) -> None:
    """Every row has a fold, also those that do not count."""
    if fault.rows:
        raise InputError(
            f"{rows(fault.rows)} without a fold in {name!r}{fault.where}: each row belongs to the "
            "fold that it was tested in."
        )


def no_number(name: str, example: str) -> str:
    """What is wrong with scores that are no numbers; what to do depends on who reads them."""
    return f"`{name}` must hold numbers, but {example} is none"


def no_numbers(name: str, kind: object) -> str:
    """What is wrong with a column of an engine whose type holds no numbers."""
    return (
        f"`{name}` must hold numbers, but its type is {kind}: turn it into numbers in the query "
        "(predicted classes into 1 and 0), or collect the rows first."
    )


def no_weight(example: str) -> str:
    """What is wrong with weights that are no numbers."""
    return f"Weights must be numbers, but {example} is none."


# What was done to rows, as every output tells it.


def ties_note(name: str, ties: int) -> str:
    """What became of scores that differ in a late digit alone.

    Example:
        >>> ties_note("score", 3)
        'score has more digits than float64 keeps: 3 scores are tied with another that differs'
    """
    are = "score is" if ties == 1 else "scores are"
    return (
        f"{name} has more digits than float64 keeps: {ties:,} {are} tied with another that differs"
    )


def _weighing_note(*, importance: bool) -> str:
    """How weights were taken, where nobody said."""
    if importance:
        return "weights are taken as importances, as they are no whole numbers"
    return "weights are taken as frequencies, as they are whole numbers"


@dataclass(eq=False)
class Batch:
    """Rows of one model as a source gives them, or groups of them: arrays of equal length.

    Rows of a group share their class, fold and segment, and score from `score` to `highest`
    (float64; NaN where the score is missing); `sizes` are their numbers of rows, `weight` and
    `squares` the sums of their weights and squared weights. Groups may come in any order; rows of
    weight 0 are groups of their own, or absent. A row is a group of one, and has none of these.
    Missing classes, folds and segments are None among objects and NaN among floats.
    """

    actual: NDArray[Any]
    score: NDArray[Any]
    weight: NDArray[Any] | None = None
    highest: NDArray[Any] | None = None
    sizes: NDArray[Any] | None = None
    squares: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None
    segment: NDArray[Any] | None = None
    whole_weights: bool = True
    ties: int = 0
    """Different scores that are equal as floats, where scores were made floats elsewhere."""


@dataclass(eq=False)
class CheckedBatch:
    """Rows of one model, or groups of them, that count: nothing after this looks for mistakes.

    `places` are the rows' own numbers, where some were left out; `undecided` are those without a
    score that count as rejected. Groups are as in `Batch`.
    """

    scores: NDArray[Any]
    labels: Labels
    weights: NDArray[Any] | None = None
    places: NDArray[np.intp] | None = None
    undecided: NDArray[np.bool_] | None = None
    name: str = "score"
    lower_is_positive: bool = False
    notes: tuple[str, ...] = ()
    importance: bool = False  # weights say how much a row matters, not how often it was seen
    highest: NDArray[Any] | None = None
    sizes: NDArray[Any] | None = None
    squares: NDArray[Any] | None = None

    @property
    def row_count(self) -> int:
        """How many rows there are, those included that were rejected."""
        return len(self.scores) if self.sizes is None else int(self.sizes.sum())

    @property
    def own_places(self) -> NDArray[np.intp]:
        """The number of each row among all rows read, from 0."""
        return np.arange(len(self.scores)) if self.places is None else self.places

    @property
    def decided(self) -> CheckedBatch:
        """The rows that have a score."""
        if self.undecided is None:
            return self
        return replace(self.at(~self.undecided), undecided=None)

    @property
    def rejected(self) -> CheckedBatch | None:
        """The rows without a score that count as undecided."""
        if self.undecided is None:
            return None
        return replace(self.at(self.undecided), undecided=None)

    def among(self, rows: NDArray[np.bool_]) -> CheckedBatch:
        """Those that are among some of all rows read."""
        return self.at(rows[self.own_places])

    def at(self, which: Any) -> CheckedBatch:
        """Some of them, by their places here or a mask."""

        def some(column: NDArray[Any] | None) -> Any:
            return None if column is None else column[which]

        labels = self.labels
        return replace(
            self,
            scores=self.scores[which],
            labels=Labels(labels.positive_rows[which], labels.positive, labels.negative),
            weights=some(self.weights),
            places=self.own_places[which],
            undecided=some(self.undecided),
            highest=some(self.highest),
            sizes=some(self.sizes),
            squares=some(self.squares),
        )

    def counts(self, power: int = 1) -> tuple[Any, Any]:
        """How many of each class (their weights to a power, where rows have weights)."""
        counts = self._counts(power)
        counts = np.ones(len(self.scores), np.int64) if counts is None else counts
        positives = counts[self.labels.positive_rows].sum()
        return positives, counts.sum() - positives

    def _counts(self, power: int) -> NDArray[Any] | None:
        """What each row or group counts; squares of weights might be too large for integers."""
        if self.sizes is not None:
            counts = self.sizes if self.weights is None else self.weights
            return counts if power == 1 else self.squares
        if self.weights is None or power == 1:
            return self.weights
        return self.weights.astype(np.float64) ** power

    def ranking(self) -> Ranking:
        """The rows, ranked."""
        decided, rejected = self.decided, self.rejected
        ranking = decided.ranked_beside(rejected)
        if not self.importance:
            return ranking
        return replace(ranking, squares=decided.ranked_beside(rejected, 2))

    def ranked_beside(self, rejected: CheckedBatch | None, power: int = 1) -> Ranking:
        """Rows that have a score, ranked; those rejected are counted beside them."""
        labels, counts = self.labels, self._counts(power)
        zero = 0 if counts is None or self.sizes is None else counts.dtype.type(0)
        left_positives, left_negatives, left_rows = zero, zero, 0
        if rejected is not None:
            left_positives, left_negatives = rejected.counts(power)
            left_rows = rejected.row_count
        described: dict[str, Any] = {
            "lower_is_positive": self.lower_is_positive,
            "positive": labels.positive,
            "negative": labels.negative,
            "name": self.name,
            "notes": self.notes,
            "rejected_positives": left_positives,
            "rejected_negatives": left_negatives,
        }
        if counts is None or self.highest is None:
            return Ranking.of(
                self.scores, labels.positive_rows, counts, rejected_rows=left_rows, **described
            )
        return ranking_of_groups(
            self.scores,
            self.highest,
            np.where(labels.positive_rows, counts, 0),
            np.where(labels.positive_rows, 0, counts),
            self.row_count + left_rows,
            **described,
        )


class RowCheck:
    """One passage of a policy over the rows of a source, in one batch or in many.

    Rows that break a rule are counted as they come, so that the same is told of them however rows
    are read; `require_sound` tells it.
    """

    def __init__(self, policy: RowPolicy, actual: str = "actual", fold: str = "fold") -> None:
        self.policy, self.actual, self.fold = policy, actual, fold
        self.rows = self.counted = self.without_class = 0
        self.faults: dict[str, Fault] = {}
        self.no_score: dict[str, Fault] = {}
        self.total_weight = 0.0
        self.unequal = self.fractional = False

    @property
    def is_sound(self) -> bool:
        """Whether no row has broken a rule so far."""
        return not self.faults and not (self.no_score and self.policy.missing == "error")

    def require_known(self) -> None:
        """Every weight can be counted with, and every row has a class."""
        if self.faults:
            require_weights(self.faults, self.rows)
            _require_classes(self.faults.get(NO_CLASS, NO_FAULT), self.counted, self.actual)

    def require_sound(self) -> None:
        """No row has broken a rule."""
        self.require_known()
        if self.policy.missing == "error":
            for name, fault in self.no_score.items():
                _require_scores(fault, self.counted, name)
        require_folds(self.faults.get(NO_FOLD, NO_FAULT), self.fold)

    def _find(self, rule: str, which: NDArray[np.bool_], *, start: int, sizes: Any = None) -> None:
        """Count rows of a batch that break a rule."""
        if which.any():
            self.faults.setdefault(rule, Fault()).add(which, start=start, sizes=sizes)

    def find_folds(self, absent: NDArray[np.bool_], start: int) -> None:
        """Look at the folds of a batch."""
        self._find(NO_FOLD, absent, start=start)

    def weigh(self, weights: NDArray[Any]) -> None:
        """Look at the weights of the next batch of rows."""
        least = 1 / LARGEST_WEIGHT if weights.dtype.kind == "f" else 0
        # Mostly there is nothing to find, which two numbers show; NaN is neither.
        if not (weights.min(initial=1) >= least and weights.max(initial=1) <= LARGEST_WEIGHT):
            for rule, wrong in zip(WEIGHT_FAULTS, _faulty_weights(weights), strict=True):
                self._find(rule, wrong, start=self.rows)
        self.total_weight += float(weights.sum(dtype=np.float64))
        self.fractional = self.fractional or not _are_whole(weights)

    def keep(
        self,
        absent: NDArray[np.bool_] | None,
        weights: NDArray[Any] | None,
        *,
        size: int,
        sizes: NDArray[Any] | None = None,
    ) -> NDArray[np.bool_] | None:
        """Which rows of the next batch count: those of weight 0 and those without a class do not.

        Args:
            absent: Which have no class; None: all have one.
            weights: Their weights.
            size: How many rows or groups there are.
            sizes: How many rows each group has.

        Returns:
            None where all of them count.
        """
        start, drops = self.rows, self.policy.missing == "drop"
        keep = None if weights is None or weights.min(initial=1) > 0 else weights > 0
        present = None
        if absent is not None:
            present = ~absent if keep is None else keep & ~absent
            if drops:
                self.without_class += _rows_among(absent, sizes)
            else:
                unknown = absent if keep is None else absent & keep
                self._find(NO_CLASS, unknown, start=start, sizes=sizes)
        self.rows += size if sizes is None else int(sizes.sum())
        total = present if drops and present is not None else keep
        if total is not None:
            self.counted += _rows_among(total, sizes)
        else:
            self.counted += size if sizes is None else int(sizes.sum())
        return keep if present is None else present

    def scored(self, batch: CheckedBatch, start: int = 0) -> CheckedBatch:
        """The batch with what becomes of rows without a score; `start` rows came before it."""
        absent = absent_rows(batch.scores)
        if absent is None:
            return batch
        fault = self.no_score.setdefault(batch.name, Fault())
        fault.add(absent, batch.places, start=start, sizes=batch.sizes)
        if self.policy.missing == "reject":
            return replace(batch, undecided=absent)
        if self.policy.missing != "negative":
            return batch.at(~absent)
        last, highest = self.policy.last, batch.highest
        return replace(
            batch,
            scores=np.where(absent, last, batch.scores),
            highest=None if highest is None else np.where(absent, last, highest),
        )

    def notes(
        self, name: str, changes: Iterable[str] = (), *, importance: bool = False
    ) -> tuple[str, ...]:
        """What was done to the rows of a model; `changes` are what became of its scores."""
        policy, notes = self.policy, []
        if self.without_class:
            notes.append(f"{rows(self.without_class)} without a class: left out")
        notes += changes
        if self.unequal and policy.weight_means is None:
            notes.append(_weighing_note(importance=importance))
        if policy.digits is not None:
            notes.append(f"{name} was rounded to {policy.digits} decimals")
        if name in self.no_score:
            size = self.no_score[name].rows
            notes.append(f"{rows(size)} without a score: {OUTCOMES[policy.missing]}")
        return tuple(notes)


def checked_rows(  # noqa: PLR0913 - columns, and what they are called in output and messages
    actual: Any,
    score: Any,
    policy: RowPolicy = PLAIN,
    *,
    weight: Any = None,
    name: str = "score",
    actual_name: str = "actual",
    weight_name: str = "weight",
) -> CheckedBatch:
    """Check one model's rows."""
    require_same_index((actual_name, actual), (name, score), (weight_name, weight))
    actual, score = as_column(actual, actual_name), as_column(score, name)
    require_equal_lengths(actual, score, actual_name, name)
    if weight is None:
        return checked(Batch(actual, score), policy, name, actual_name)
    weights = as_column(weight, weight_name)
    require_equal_lengths(actual, weights, actual_name, weight_name)
    weights = as_weights(weights, weight_name)
    batch = Batch(actual, score, weights, whole_weights=_are_whole(weights))
    return checked(batch, policy, name, actual_name)


def checked(batch: Batch, policy: RowPolicy, name: str, actual_name: str) -> CheckedBatch:
    """Check the rows or groups of one model, of which every weight can be counted with."""
    actual, score, weights, sizes = batch.actual, batch.score, batch.weight, batch.sizes
    check, places = RowCheck(policy, actual_name), None
    policy.require_weight_meaning(weighted=weights is not None)
    importance = weights is not None and policy.are_importances(whole=batch.whole_weights)
    keep = check.keep(absent_rows(actual), weights, size=len(actual), sizes=sizes)
    if check.faults:
        check.require_known()
    highest, squares = batch.highest, batch.squares
    if keep is not None:
        places = np.flatnonzero(keep)
        actual, score = actual[keep], score[keep]
        weights, sizes, highest, squares = (
            None if column is None else column[keep]
            for column in (weights, sizes, highest, squares)
        )
    if weights is not None or squares is not None:
        # Groups of weights that add up to their number, as do their squares, have weights of 1.
        sums = (column for column in (weights, squares) if column is not None)
        units = 1 if sizes is None else sizes
        check.unequal = any(bool((column != units).any()) for column in sums)
    classes = labels(actual, policy.positive, name=actual_name)
    scores = as_scores(score, actual, classes, name, places)
    if scores.are_classes and policy.lower_is_positive:
        raise InputError(
            f"`{name}` holds predicted classes, which are neither low nor high: leave "
            "lower_is_positive out."
        )
    rows = CheckedBatch(
        policy.rounded(scores.values) if sizes is None else scores.values,
        classes,
        weights,
        places,
        name=name,
        lower_is_positive=policy.lower_is_positive,
        importance=importance,
        highest=highest,
        sizes=sizes,
        squares=squares,
    )
    rows = check.scored(rows)
    if check.faults or check.no_score:
        check.require_sound()
    ties = (ties_note(name, batch.ties),) if batch.ties else ()
    notes = check.notes(name, scores.notes + ties, importance=importance)
    return replace(rows, notes=notes) if notes else rows


def require_counted(ranking: Ranking) -> None:
    """Pairs of rows are counted, and cannot be weighed."""
    if not ranking.is_counted:
        raise InputError(NO_WEIGHTS)


def as_weights(weights: NDArray[Any], name: str) -> NDArray[Any]:
    """Weights as int64, or float64 where they are real or very large; all of them 0 or more."""
    weights, check = weight_numbers(weights, name), RowCheck(PLAIN)
    check.weigh(weights)
    require_weights(check.faults, len(weights))
    # Sums of integers must fit, and as floats they are exact up to here.
    limit = 2**53 if weights.dtype.kind == "f" else 2**62
    whole = not check.fractional and check.total_weight < limit
    return weights.astype(np.int64 if whole else np.float64, copy=False)


def absent_rows(values: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Rows without a value; None where every row has one, which is quick to see."""
    if values.dtype.kind not in "fMO" or not values.size:
        return None
    # The minimum is NaN when any value is, and needs no array of its own.
    if values.dtype.kind == "f" and not np.isnan(values.min()):
        return None
    absent = missing_rows(values)
    return absent if absent.any() else None


def _rows_among(which: NDArray[np.bool_], sizes: NDArray[Any] | None) -> int:
    """How many rows some rows, or some groups of them, are."""
    return int(np.count_nonzero(which) if sizes is None else sizes[which].sum())


def distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The different values, and which of them each is."""
    if values.dtype.kind != "O":
        return np.unique(values, return_inverse=True)
    places: dict[Any, int] = {}
    codes = np.array([places.setdefault(v, len(places)) for v in values.tolist()], np.intp)
    different = np.empty(len(places), dtype=object)
    different[:] = list(places)
    return different, codes


def require_equal_lengths(
    actual: NDArray[Any], other: NDArray[Any], actual_name: str, name: str
) -> None:
    """Every row needs both."""
    if len(actual) != len(other):
        raise InputError(
            f"`{actual_name}` ({rows(len(actual))}) and `{name}` ({rows(len(other))}) must have "
            "the same length."
        )
