"""The rules for rows: legal scores and weights, missing values, and rows that can be ranked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from tradeoff.core.numbers import as_floats, rounded_rows
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, listed
from tradeoff.sources.classes import (
    Labels,
    class_name,
    classes_in,
    first_rows,
    labels,
    missing_rows,
)
from tradeoff.sources.columns import as_column, require_same_index
from tradeoff.sources.text_cells import SURE, is_integer
from tradeoff.text import rows

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Scores and weights of any type become floats or integers, without losing a digit.


LARGEST_WEIGHT = 1e100
"""Squares of weights must have room."""


class Scores(NamedTuple):
    """Scores as float32 or float64, what was done to them, and whether they were classes."""

    values: NDArray[Any]
    notes: tuple[str, ...] = ()
    are_classes: bool = False


def as_scores(score: NDArray[Any], actual: NDArray[Any], known: Labels, name: str) -> Scores:
    """The scores as floats; predicted classes as 1 and 0."""
    floats = as_floats(score)
    if floats is not None:
        rounded = rounded_rows(score, floats)
        if rounded is not None:
            _demand_unchanged(rounded, name)
        return Scores(floats)
    kind = score.dtype.kind
    if kind == "f":
        note = f"{name} was rounded from {score.dtype} to float64"
        return Scores(score.astype(np.float64), (note,))
    if kind not in "OUS":
        raise InputError(f"`{name}` must hold numbers, not {score.dtype}.")
    numbers, odd = _parsed(score, name)
    if odd.any():
        return _classes_as_scores(score, actual, known, odd, name)
    ties = _ties(score, numbers)
    return Scores(numbers, (ties_note(name, ties),) if ties else ())


def as_weights(weights: NDArray[Any], name: str, *, start: int = 0) -> NDArray[Any]:
    """Weights as int64, or float64 where they are real or very large; all of them 0 or more.

    `start` is how many rows came before these.
    """
    weights = weight_numbers(weights, name)
    for wrong, what in (
        (~np.isfinite(weights), "missing or infinite"),
        (weights < 0, "negative"),
        (weights > LARGEST_WEIGHT, f"above {LARGEST_WEIGHT:g}"),
        ((weights > 0) & (weights < 1 / LARGEST_WEIGHT), f"below {1 / LARGEST_WEIGHT:g}"),
    ):
        if wrong.any():
            raise InputError(
                f"{int(wrong.sum()):,} of {len(weights):,} weights are {what} (first: "
                f"{first_rows(wrong, start=start)}). A weight says how often a row counts: 0 or "
                "more."
            )
    return as_counts(weights) if are_whole(weights) else weights.astype(np.float64, copy=False)


def are_whole(weights: NDArray[Any]) -> bool:
    """Whether weights are whole numbers, in whatever type they are stored."""
    return weights.dtype.kind != "f" or bool((weights == np.floor(weights)).all())


def as_counts(weights: NDArray[Any]) -> NDArray[Any]:
    """Whole weights as int64; as float64 where their sum would not fit."""
    fits = float(weights.sum(dtype=np.float64)) < (2**53 if weights.dtype.kind == "f" else 2**62)
    return weights.astype(np.int64 if fits else np.float64, copy=False)


def weight_numbers(weights: NDArray[Any], name: str) -> NDArray[Any]:
    """Weights as numbers, whatever they are; a text that is none is an error."""
    if weights.dtype.kind in "biuf":
        return weights
    if weights.dtype.kind not in "OUS":
        raise InputError(f"Weights must be numbers, not {weights.dtype}.")
    numbers, odd = _parsed(weights, name)
    if odd.any():
        raise InputError(f"Weights must be numbers, but {_example(weights, odd)} is none.")
    return numbers


def countable(weights: NDArray[Any]) -> NDArray[np.bool_]:
    """Which weights can be counted with."""
    sized = (weights == 0) | (weights >= 1 / LARGEST_WEIGHT)
    return np.asarray(np.isfinite(weights) & sized & (weights <= LARGEST_WEIGHT))


def _demand_unchanged(changed: NDArray[np.bool_], name: str) -> None:
    if changed.any():
        raise InputError(large_integers(name, f" (first: {first_rows(changed)})"))


def large_integers(name: str, first: str = "") -> str:
    """What is wrong with integers that would become other ones."""
    return (
        f"`{name}` holds integers above 2**53 that floating point cannot tell apart{first}. "
        "Divide or rank them first."
    )


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


def _ties(values: NDArray[Any], numbers: NDArray[np.float64]) -> int:
    """How many different decimals are equal as floats; a text may be one."""
    written = {value for value in values.tolist() if isinstance(value, str | Decimal)}
    if len(written) <= len(np.unique(numbers)):  # mostly there is nothing to see
        return 0
    exact = {Decimal(value) for value in written if not isnan(float(value))}
    return len(exact) - len({float(value) for value in exact})


def _parsed(values: NDArray[Any], name: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
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
    _demand_unchanged(np.array(changed, np.bool_), name)
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
    score: NDArray[Any], actual: NDArray[Any], known: Labels, odd: NDArray[np.bool_], name: str
) -> Scores:
    """Predicted classes in place of scores: one operating point."""
    absent = missing_rows(score)
    names = np.array([class_name(value) for value in score], dtype=object)
    classes = {*classes_in(actual), known.positive}
    if not set(names[~absent].tolist()) <= classes:
        raise InputError(
            f"`{name}` must hold numbers, but {_example(score, odd)} is none (scores may also be "
            f"predicted classes, here {listed(sorted(classes))})."
        )
    values = np.where(names == known.positive, 1.0, 0.0)
    values[absent] = np.nan
    note = f"{name} holds predicted classes, taken as 1 for {known.positive} and 0 otherwise"
    return Scores(values, (note,), are_classes=True)


def _example(values: NDArray[Any], odd: NDArray[np.bool_]) -> str:
    first = int(np.flatnonzero(odd)[0])
    return f"{class_name(values[first])!r} in row {first + 1}"


Missing = Literal["error", "drop", "reject", "negative"]
TREATMENTS = get_args(Missing)
WeightMeans = Literal["frequency", "importance"]


@dataclass(frozen=True)
class RejectedRows:
    """Rows without a score that count as undecided."""

    places: NDArray[np.intp]
    positive_rows: NDArray[np.bool_]
    weights: NDArray[Any] | None = None

    def counts(self, power: int = 1) -> tuple[Any, Any]:
        """How many of each class (their weights to a power, where rows have weights)."""
        weights = self.weights
        none = np.ones(len(self.places), np.int64)
        counted = none if weights is None else _powered(weights, power)
        positives = counted[self.positive_rows].sum()
        return positives, counted.sum() - positives

    def among(self, rows: NDArray[np.bool_]) -> RejectedRows:
        """Those that are among some of all rows."""
        kept = rows[self.places]
        weights = None if self.weights is None else self.weights[kept]
        return RejectedRows(self.places[kept], self.positive_rows[kept], weights)


@dataclass(frozen=True)
class ScoredRows:
    """Checked rows of one model: nothing after this looks for mistakes in them."""

    scores: NDArray[Any]
    labels: Labels
    weights: NDArray[Any] | None = None
    places: NDArray[np.intp] | None = None  # the rows' own numbers, where some were left out
    name: str = "score"
    lower_is_positive: bool = False
    rejected: RejectedRows | None = None
    notes: tuple[str, ...] = ()
    importance: bool = False  # weights say how much a row matters, not how often it was seen

    @property
    def row_count(self) -> int:
        """How many rows there are, those included that were rejected."""
        return len(self.scores) + (len(self.rejected.places) if self.rejected else 0)

    @property
    def own_places(self) -> NDArray[np.intp]:
        """The number of each row among all rows read, from 0."""
        return np.arange(len(self.scores)) if self.places is None else self.places

    def among(self, rows: NDArray[np.bool_]) -> ScoredRows:
        """Those that are among some of all rows read."""
        kept = rows[self.own_places]
        known = self.labels
        return replace(
            self,
            scores=self.scores[kept],
            labels=Labels(known.positive_rows[kept], known.positive, known.negative),
            weights=None if self.weights is None else self.weights[kept],
            places=self.own_places[kept],
            rejected=None if self.rejected is None else self.rejected.among(rows),
        )

    def ranking(self) -> Ranking:
        """The rows, ranked."""
        ranking = self._ranked()
        return replace(ranking, squares=self._ranked(2)) if self.importance else ranking

    def _ranked(self, power: int = 1) -> Ranking:
        none = (0, 0)
        rejected = self.rejected
        rejected_positives, rejected_negatives = rejected.counts(power) if rejected else none
        count = len(rejected.places) if rejected else 0
        return Ranking.of(
            self.scores,
            self.labels.positive_rows,
            None if self.weights is None else _powered(self.weights, power),
            lower_is_positive=self.lower_is_positive,
            rejected_rows=count,
            positive=self.labels.positive,
            negative=self.labels.negative,
            name=self.name,
            rejected_positives=rejected_positives,
            rejected_negatives=rejected_negatives,
            notes=self.notes,
        )


def scored_rows(  # noqa: PLR0913 - the border: every choice a caller has about rows
    actual: Any,
    score: Any,
    *,
    positive: Any = None,
    weight: Any = None,
    weight_means: WeightMeans | None = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
    name: str = "score",
    actual_name: str = "actual",
    weight_name: str = "weight",
) -> ScoredRows:
    """Check one model's rows.

    The choices are those of `tradeoff.evaluate`. The last three are what the columns are called
    in output and messages.
    """
    if missing not in TREATMENTS:
        raise InputError(f"`missing` is one of {listed(TREATMENTS)}, not {missing!r}.")
    require_same_index((actual_name, actual), (name, score), (weight_name, weight))
    actual, score = as_column(actual, actual_name), as_column(score, name)
    demand_equal_lengths(actual, score, actual_name, name)
    weights = None if weight is None else _weights(weight, actual, actual_name, weight_name)
    if weights is None and weight_means is not None:
        raise InputError("`weight_means` says what weights mean: give `weight` too.")
    importance = _are_importances(weights, weight_means)
    keep, notes = _kept(actual, weights, missing)
    places = None
    if keep is not None and not keep.all():
        actual, score, places = actual[keep], score[keep], np.flatnonzero(keep)
        weights = None if weights is None else weights[keep]
    known = labels(actual, positive, name=actual_name, places=places)
    scores = as_scores(score, actual, known, name)
    if scores.are_classes and lower_is_positive:
        raise InputError(
            f"`{name}` holds predicted classes, which are neither low nor high: leave "
            "lower_is_positive out."
        )
    checked = ScoredRows(
        scores.values,
        known,
        weights,
        places,
        name,
        lower_is_positive,
        notes=notes + scores.notes + _weighing(weights, weight_means, importance=importance),
        importance=importance,
    )
    return _without_missing(checked if digits is None else _rounded(checked, digits), missing)


def demand_equal_lengths(
    actual: NDArray[Any], other: NDArray[Any], actual_name: str, name: str
) -> None:
    """Every row needs both."""
    if len(actual) != len(other):
        raise InputError(
            f"`{actual_name}` ({rows(len(actual))}) and `{name}` ({rows(len(other))}) must have "
            "the same length."
        )


def _weights(weight: Any, actual: NDArray[Any], actual_name: str, name: str) -> NDArray[Any]:
    weights = as_column(weight, name)
    demand_equal_lengths(actual, weights, actual_name, name)
    return as_weights(weights, name)


def _weighing(
    weights: NDArray[Any] | None, means: WeightMeans | None, *, importance: bool
) -> tuple[str, ...]:
    """How weights were taken, where nobody said."""
    if weights is None or means is not None or (weights == 1).all():
        return ()
    return (weighing_note(importance=importance),)


def weighing_note(*, importance: bool) -> str:
    """How weights were taken."""
    if importance:
        return "weights are taken as importances, as they are no whole numbers"
    return "weights are taken as frequencies, as they are whole numbers"


def _powered(weights: NDArray[Any], power: int) -> NDArray[Any]:
    """Weights, or their squares, which integers might not hold."""
    return weights if power == 1 else weights.astype(np.float64) ** power


def _are_importances(weights: NDArray[Any] | None, means: WeightMeans | None) -> bool:
    """Whole weights count how often a row was seen, real ones say how much it matters."""
    if means not in (None, *get_args(WeightMeans)):
        raise InputError(
            f"`weight_means` is one of {listed(get_args(WeightMeans))}, not {means!r}."
        )
    if weights is None:
        return False
    return not are_whole(weights) if means is None else means == "importance"


def _kept(
    actual: NDArray[Any], weights: NDArray[Any] | None, missing: Missing
) -> tuple[NDArray[np.bool_] | None, tuple[str, ...]]:
    """Rows that count: those of weight 0 do not, nor those without a class if they may go."""
    keep = None if weights is None else weights > 0
    if missing != "drop" or not (absent := missing_rows(actual)).any():
        return keep, ()
    note = f"{rows(int(absent.sum()))} without a class: left out"
    return (~absent if keep is None else keep & ~absent), (note,)


def _rounded(checked: ScoredRows, digits: int) -> ScoredRows:
    if not isinstance(digits, int) or not 0 <= digits <= 15:
        raise InputError(f"`digits` is a whole number from 0 to 15, not {digits!r}.")
    scores = np.round(checked.scores.astype(np.float64), digits)
    return _changed(checked, f"{checked.name} was rounded to {digits} decimals", scores=scores)


def _without_missing(checked: ScoredRows, missing: Missing) -> ScoredRows:
    scores = checked.scores
    # The minimum is NaN when any score is, and needs no array of its own.
    if not scores.size or not np.isnan(scores.min()):
        return checked
    absent = np.isnan(scores)
    size = int(absent.sum())
    if missing == "error":
        raise InputError(
            f"{size:,} of {len(scores):,} scores in `{checked.name}` are missing (first: "
            f"{first_rows(absent, checked.places)}). Fill them in, or say missing="
            '"drop", "reject" (undecided) or "negative" (ranked last); the output will tell.'
        )
    if missing == "negative":
        last = np.inf if checked.lower_is_positive else -np.inf
        note = f"{rows(size)} without a score: ranked last"
        return _changed(checked, note, scores=np.where(absent, last, scores))
    known, weights = checked.labels, checked.weights
    places = checked.own_places
    kept = {
        "scores": scores[~absent],
        "labels": Labels(known.positive_rows[~absent], known.positive, known.negative),
        "weights": None if weights is None else weights[~absent],
        "places": places[~absent],
    }
    if missing == "drop":
        return _changed(checked, f"{rows(size)} without a score: left out", **kept)
    rejected = RejectedRows(
        places[absent],
        known.positive_rows[absent],
        None if weights is None else weights[absent],
    )
    note = f"{rows(size)} without a score: counted as rejected"
    return _changed(checked, note, **kept, rejected=rejected)


def _changed(checked: ScoredRows, note: str, **fields: Any) -> ScoredRows:
    return replace(checked, notes=(*checked.notes, note), **fields)
