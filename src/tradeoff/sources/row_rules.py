"""Row policy: rules for valid scores, weights and missing values, and their messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import isnan, nan
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.cells import ranking_of_groups
from tradeoff.core.number_types import inexact_integers, scores_as_floats
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, format_list
from tradeoff.sources.classes import (
    Labels,
    class_labels,
    class_name,
    distinct_class_names,
    format_row_numbers,
    missing_rows,
)
from tradeoff.sources.columns import column_array, require_same_index
from tradeoff.sources.text_values import MAX_EXACT_INTEGER, is_integer
from tradeoff.text import format_rows

# Conversion of scores and weights of any type to floats or integers, without loss.


LARGEST_WEIGHT = 1e100
"""Squares of weights must not overflow."""


class Scores(NamedTuple):
    """Numeric scores (float32 or float64), notes, and whether they were predicted classes."""

    values: NDArray[Any]
    notes: tuple[str, ...] = ()
    are_classes: bool = False


def numeric_scores(
    score: NDArray[Any],
    actual: NDArray[Any],
    labels: Labels,
    name: str,
    indices: NDArray[np.intp] | None = None,
) -> Scores:
    """Convert scores to floats; predicted classes become 1 and 0. `indices` number the rows."""
    floats = scores_as_floats(score)
    if floats is not None:
        rounded = inexact_integers(score, floats)
        if rounded is not None:
            require_exact(Fault().add(rounded, indices), name)
        return Scores(floats)
    kind = score.dtype.kind
    if kind == "f":
        note = f"{name} was rounded from {score.dtype} to float64"
        return Scores(score.astype(np.float64), (note,))
    if kind not in "OUS":
        raise InputError(f"`{name}` must hold numbers, not {score.dtype}.")
    numbers, is_invalid = _parse_numbers(score, name, indices)
    if is_invalid.any():
        example = _format_example(score, is_invalid, indices)
        return _predicted_classes_as_scores(score, actual, labels.positive, example, name)
    ties = _count_float_ties(score, numbers)
    return Scores(numbers, (ties_note(name, ties),) if ties else ())


def _are_whole_numbers(weights: NDArray[Any]) -> bool:
    """Whether all weights are whole numbers."""
    return weights.dtype.kind != "f" or bool((weights == np.floor(weights)).all())


def parse_weights(weights: NDArray[Any], name: str) -> NDArray[Any]:
    """Parse weights of any type as numbers."""
    if weights.dtype.kind in "biuf":
        return weights
    if weights.dtype.kind not in "OUS":
        raise InputError(f"Weights must be numbers, not {weights.dtype}.")
    numbers, is_invalid = _parse_numbers(weights, name)
    if is_invalid.any():
        raise InputError(non_numeric_weight_message(_format_example(weights, is_invalid)))
    return numbers


def valid_weights(weights: NDArray[Any]) -> NDArray[np.bool_]:
    """Mask of valid weights: finite, not negative, neither too small nor too large."""
    large_enough = (weights == 0) | (weights >= 1 / LARGEST_WEIGHT)
    return np.asarray(np.isfinite(weights) & large_enough & (weights <= LARGEST_WEIGHT))


def _count_float_ties(values: NDArray[Any], numbers: NDArray[np.float64]) -> int:
    """Number of different decimals, also in texts, that are tied as float64."""
    decimals = {value for value in values.tolist() if isinstance(value, str | Decimal)}
    if len(decimals) <= len(np.unique(numbers)):  # the usual case
        return 0
    exact = {Decimal(value) for value in decimals if not isnan(float(value))}
    return len(exact) - len({float(value) for value in exact})


def _parse_numbers(
    values: NDArray[Any], name: str, indices: NDArray[np.intp] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Parse objects and texts as numbers (missing: NaN), and a mask of those that are none."""
    missing = missing_rows(values).tolist()
    numbers = [
        nan if is_missing else _parse_number(value)
        for value, is_missing in zip(values.tolist(), missing, strict=True)
    ]
    is_invalid = np.array([number is None for number in numbers], np.bool_)
    rounded = [
        _is_rounded(value, number) for value, number in zip(values.tolist(), numbers, strict=True)
    ]
    require_exact(Fault().add(np.array(rounded, np.bool_), indices), name)
    return np.array([nan if number is None else number for number in numbers]), is_invalid


def _parse_number(value: Any) -> float | None:
    """Parse a number; None for anything else, also for digits of other scripts."""
    if isinstance(value, np.complexfloating):
        return None  # NumPy would make a float of it, and warn
    if isinstance(value, str) and not value.isascii():
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _is_rounded(value: Any, number: float | None) -> bool:
    """Whether float64 rounds an integer, also one written as text."""
    if number is None or not abs(number) >= MAX_EXACT_INTEGER:
        return False
    is_whole = isinstance(value, int) or (isinstance(value, str) and is_integer(value))
    return is_whole and int(number) != int(value)


def _predicted_classes_as_scores(
    score: NDArray[Any], actual: NDArray[Any], positive: str, example: str, name: str
) -> Scores:
    """Predicted classes as scores 1 and 0: one operating point."""
    missing = missing_rows(score)
    names = np.array([class_name(value) for value in score], dtype=object)
    classes = {*distinct_class_names(actual), positive}
    if not set(names[~missing].tolist()) <= classes:
        raise InputError(
            f"{non_numeric_score_message(name, example)} (scores may also be predicted "
            f"classes, here {format_list(sorted(classes))})."
        )
    values = np.where(names == positive, 1.0, 0.0)
    values[missing] = np.nan
    note = f"{name} holds predicted classes, treated as 1 for {positive} and 0 otherwise"
    return Scores(values, (note,), are_classes=True)


def _format_example(
    values: NDArray[Any], is_invalid: NDArray[np.bool_], indices: NDArray[np.intp] | None = None
) -> str:
    first = int(np.flatnonzero(is_invalid)[0])
    row = first if indices is None else int(indices[first])
    return f"{class_name(values[first])!r} in row {row + 1}"


Missing = Literal["error", "drop", "reject", "negative"]
MISSING_OPTIONS = get_args(Missing)
WeightMeans = Literal["frequency", "importance"]
MISSING_OUTCOMES = {"drop": "left out", "reject": "counted as rejected", "negative": "ranked last"}
"""Treatment of rows without a score, as notes describe it."""


# Not frozen, like the batches below: freezing would take a fifth of the time of `auc` of few rows.
@dataclass
class RowPolicy:
    """Row policy: positive class, meaning of weights, missing values, as in `evaluate`."""

    positive: Any = None
    weight_means: WeightMeans | None = None
    missing: Missing = "error"
    lower_is_positive: bool = False
    digits: int | None = None

    def __post_init__(self) -> None:
        """Reject invalid options."""
        if self.missing not in MISSING_OPTIONS:
            raise InputError(
                f"`missing` is one of {format_list(MISSING_OPTIONS)}, not {self.missing!r}."
            )
        digits = self.digits
        if digits is not None and not (isinstance(digits, int) and 0 <= digits <= 15):
            raise InputError(f"`digits` is a whole number from 0 to 15, not {digits!r}.")

    def require_weight_meaning(self, *, weighted: bool) -> None:
        """Require that a meaning of weights is valid, and only given with weights."""
        if self.weight_means is None:
            return
        if not weighted:
            raise InputError("`weight_means` says what weights mean: give `weight` too.")
        if self.weight_means not in get_args(WeightMeans):
            raise InputError(
                f"`weight_means` is one of {format_list(get_args(WeightMeans))}, not "
                f"{self.weight_means!r}."
            )

    def are_importances(self, *, whole: bool) -> bool:
        """Whether weights are importances; by default whole weights are frequencies."""
        return not whole if self.weight_means is None else self.weight_means == "importance"

    @property
    def last(self) -> float:
        """Score that ranks last."""
        return np.inf if self.lower_is_positive else -np.inf

    def rounded(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Scores rounded to `digits` decimals."""
        digits = self.digits
        return scores if digits is None else np.round(scores.astype(np.float64, copy=False), digits)


DEFAULT_POLICY = RowPolicy()
EXACT_WITHOUT_WEIGHTS = "`exact` counts pairs of rows and cannot weight them: leave `weight` out."
EXAMPLE_ROWS = 3
"""Row numbers listed in a message."""


@dataclass
class Fault:
    """Rows that break a rule: their count and the first row numbers, if rows are numbered."""

    rows: int = 0
    first: list[int] = field(default_factory=list)

    def add(
        self,
        mask: NDArray[np.bool_],
        indices: NDArray[np.intp] | None = None,
        *,
        start: int = 0,
        sizes: NDArray[Any] | None = None,
    ) -> Fault:
        """Add rows of a batch that starts after `start` rows; groups have `sizes` instead."""
        self.rows += _count_rows(mask, sizes)
        if sizes is None and len(self.first) < EXAMPLE_ROWS:
            examples = np.flatnonzero(mask)[: EXAMPLE_ROWS - len(self.first)]
            self.first += (
                (examples if indices is None else indices[examples]) + start + 1
            ).tolist()
        return self

    @property
    def where(self) -> str:
        """Text with the first row numbers."""
        return f" (first: {format_row_numbers(self.first)})" if self.first else ""


# One message for each rule about rows, whatever the source.


NO_FAULTS = Fault()
NO_CLASS, NO_FOLD = "no class", "no fold"
WEIGHT_FAULTS = (
    "missing or infinite",
    "negative",
    f"above {LARGEST_WEIGHT:g}",
    f"below {1 / LARGEST_WEIGHT:g}",
)
"""Faults of weights, in the order in which they are reported."""


def _weight_fault_masks(weights: NDArray[Any]) -> Iterator[NDArray[np.bool_]]:
    """Mask of weights for each of `WEIGHT_FAULTS`."""
    yield ~np.isfinite(weights)
    yield weights < 0
    yield weights > LARGEST_WEIGHT
    yield (weights > 0) & (weights < 1 / LARGEST_WEIGHT)


def require_weights(faults: Mapping[str, Fault], total: int) -> None:
    """Require valid weights: none of `WEIGHT_FAULTS`."""
    for fault_name in WEIGHT_FAULTS:
        fault = faults.get(fault_name, NO_FAULTS)
        if fault.rows:
            raise InputError(
                f"{fault.rows:,} of {total:,} weights are {fault_name}{fault.where}. A weight "
                "says how often a row counts: correct it to 0 or more."
            )


def _require_classes(fault: Fault, total: int, name: str) -> None:
    """Require an actual class of every row that counts."""
    if fault.rows:
        raise InputError(
            f"{fault.rows:,} of {format_rows(total)} have no class in {name!r}{fault.where}. A row "
            "without its actual class cannot be evaluated: fill it in, or leave such rows out with "
            'missing="drop".'
        )


def _require_scores(fault: Fault, total: int, name: str) -> None:
    """Require a score of every row that counts."""
    if fault.rows:
        raise InputError(
            f"{fault.rows:,} of {total:,} scores in `{name}` are missing{fault.where}. Fill them "
            'in, or say missing="drop", "reject" (undecided) or "negative" (ranked last); the '
            "output reports how many rows that concerns."
        )


def require_exact(fault: Fault, name: str) -> None:
    """Require integer scores that float64 represents exactly."""
    if fault.rows:
        raise InputError(
            f"`{name}` holds integers above 2**53 that floating point cannot tell apart"
            f"{fault.where}. Divide or rank them first."
        )


def require_folds(fault: Fault, name: str) -> None:
    """Require a fold of every row, also of those with weight 0."""
    if fault.rows:
        raise InputError(
            f"{format_rows(fault.rows)} without a fold in {name!r}{fault.where}: each row "
            "belongs to the "
            "fold in which it was tested, so fill it in."
        )


def non_numeric_score_message(name: str, example: str) -> str:
    """Message about scores that are not numbers; the caller adds the remedy."""
    return f"`{name}` must hold numbers, but {example} is none"


def non_numeric_column_message(name: str, kind: object) -> str:
    """Message about a score column whose database type is not numeric."""
    return (
        f"`{name}` must hold numbers, but its type is {kind}: convert it to numbers in the query "
        "(predicted classes into 1 and 0), or collect the rows first."
    )


def non_numeric_weight_message(example: str) -> str:
    """Message about weights that are not numbers."""
    return f"Weights must be numbers, but {example} is none."


# Notes on how rows were treated.


def ties_note(name: str, ties: int) -> str:
    """Note on scores that float64 ties although they differ.

    Example:
        >>> ties_note("score", 3)
        'score has more digits than float64 keeps: 3 scores are tied with a different one'
    """
    subject = "score is" if ties == 1 else "scores are"
    return (
        f"{name} has more digits than float64 keeps: {ties:,} {subject} tied with a different one"
    )


def _weight_meaning_note(*, importance: bool) -> str:
    """Note on how weights were interpreted by default."""
    if importance:
        return "weights are treated as importances, as they are not whole numbers"
    return "weights are treated as frequencies, as they are whole numbers"


@dataclass(eq=False)
class Batch:
    """Rows of one model, or groups of rows, before they are checked: arrays of equal length.

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
    """Different scores that are tied as float64, where an engine converted them."""


@dataclass(eq=False)
class CheckedBatch:
    """Checked rows of one model, or groups of rows, ready to be ranked.

    `indices` are the rows' indices in the source if some were left out; `undecided` masks rows
    without a score that count as rejected. Groups are as in `Batch`.
    """

    scores: NDArray[Any]
    labels: Labels
    weights: NDArray[Any] | None = None
    indices: NDArray[np.intp] | None = None
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
        """Number of rows, including rejected ones."""
        return len(self.scores) if self.sizes is None else int(self.sizes.sum())

    @property
    def row_indices(self) -> NDArray[np.intp]:
        """Index of each row in the source, from 0."""
        return np.arange(len(self.scores)) if self.indices is None else self.indices

    @property
    def decided(self) -> CheckedBatch:
        """Rows with a score."""
        if self.undecided is None:
            return self
        return replace(self.select(~self.undecided), undecided=None)

    @property
    def rejected(self) -> CheckedBatch | None:
        """Rows without a score that count as rejected."""
        if self.undecided is None:
            return None
        return replace(self.select(self.undecided), undecided=None)

    def restricted_to(self, rows: NDArray[np.bool_]) -> CheckedBatch:
        """Rows selected by a mask over all rows of the source."""
        return self.select(rows[self.row_indices])

    def select(self, selection: Any) -> CheckedBatch:
        """Rows selected by indices or a mask over this batch."""

        def select(column: NDArray[Any] | None) -> Any:
            return None if column is None else column[selection]

        labels = self.labels
        return replace(
            self,
            scores=self.scores[selection],
            labels=Labels(labels.positive_rows[selection], labels.positive, labels.negative),
            weights=select(self.weights),
            indices=self.row_indices[selection],
            undecided=select(self.undecided),
            highest=select(self.highest),
            sizes=select(self.sizes),
            squares=select(self.squares),
        )

    def counts(self, power: int = 1) -> tuple[Any, Any]:
        """Sums of positives and negatives (of weights to a power, if weighted)."""
        counts = self._counts(power)
        counts = np.ones(len(self.scores), np.int64) if counts is None else counts
        positives = counts[self.labels.positive_rows].sum()
        return positives, counts.sum() - positives

    def _counts(self, power: int) -> NDArray[Any] | None:
        """Weight of each row or group to a power, as floats: squares might overflow integers."""
        if self.sizes is not None:
            counts = self.sizes if self.weights is None else self.weights
            return counts if power == 1 else self.squares
        if self.weights is None or power == 1:
            return self.weights
        return self.weights.astype(np.float64) ** power

    def ranking(self) -> Ranking:
        """Ranking of the rows."""
        decided, rejected = self.decided, self.rejected
        ranking = decided.ranking_with_rejected(rejected)
        if not self.importance:
            return ranking
        return replace(ranking, squares=decided.ranking_with_rejected(rejected, 2))

    def ranking_with_rejected(self, rejected: CheckedBatch | None, power: int = 1) -> Ranking:
        """Ranking of scored rows, with the counts of rejected rows."""
        labels, counts = self.labels, self._counts(power)
        zero = 0 if counts is None or self.sizes is None else counts.dtype.type(0)
        rejected_positives, rejected_negatives, rejected_rows = zero, zero, 0
        if rejected is not None:
            rejected_positives, rejected_negatives = rejected.counts(power)
            rejected_rows = rejected.row_count
        description: dict[str, Any] = {
            "lower_is_positive": self.lower_is_positive,
            "positive": labels.positive,
            "negative": labels.negative,
            "name": self.name,
            "notes": self.notes,
            "rejected_positives": rejected_positives,
            "rejected_negatives": rejected_negatives,
        }
        if counts is None or self.highest is None:
            return Ranking.of(
                self.scores,
                labels.positive_rows,
                counts,
                rejected_rows=rejected_rows,
                **description,
            )
        return ranking_of_groups(
            self.scores,
            self.highest,
            np.where(labels.positive_rows, counts, 0),
            np.where(labels.positive_rows, 0, counts),
            self.row_count + rejected_rows,
            **description,
        )


class RowCheck:
    """Check of the rows of a source against a row policy, in one or many batches.

    Rows that break a rule are counted, so that messages are the same however rows are read;
    `require_valid` reports them.
    """

    def __init__(self, policy: RowPolicy, actual: str = "actual", fold: str = "fold") -> None:
        self.policy, self.actual, self.fold = policy, actual, fold
        self.rows = self.counted = self.without_class = 0
        self.faults: dict[str, Fault] = {}
        self.missing_scores: dict[str, Fault] = {}
        self.total_weight = 0.0
        self.unequal = self.fractional = False

    @property
    def is_valid(self) -> bool:
        """Whether no row has broken a rule so far."""
        return not self.faults and not (self.missing_scores and self.policy.missing == "error")

    def require_weights_and_classes(self) -> None:
        """Require valid weights and a class of every row."""
        if self.faults:
            require_weights(self.faults, self.rows)
            _require_classes(self.faults.get(NO_CLASS, NO_FAULTS), self.counted, self.actual)

    def require_valid(self) -> None:
        """Require that no row has broken a rule."""
        self.require_weights_and_classes()
        if self.policy.missing == "error":
            for name, fault in self.missing_scores.items():
                _require_scores(fault, self.counted, name)
        require_folds(self.faults.get(NO_FOLD, NO_FAULTS), self.fold)

    def _record_fault(
        self, rule: str, mask: NDArray[np.bool_], *, start: int, sizes: Any = None
    ) -> None:
        """Record the rows of a batch that break a rule."""
        if mask.any():
            self.faults.setdefault(rule, Fault()).add(mask, start=start, sizes=sizes)

    def record_missing_folds(self, missing: NDArray[np.bool_], start: int) -> None:
        """Record the rows of a batch without a fold."""
        self._record_fault(NO_FOLD, missing, start=start)

    def check_weights(self, weights: NDArray[Any]) -> None:
        """Check the weights of the next batch."""
        smallest = 1 / LARGEST_WEIGHT if weights.dtype.kind == "f" else 0
        # Minimum and maximum show the usual case, no fault; NaN fails both comparisons.
        if not (weights.min(initial=1) >= smallest and weights.max(initial=1) <= LARGEST_WEIGHT):
            for rule, mask in zip(WEIGHT_FAULTS, _weight_fault_masks(weights), strict=True):
                self._record_fault(rule, mask, start=self.rows)
        self.total_weight += float(weights.sum(dtype=np.float64))
        self.fractional = self.fractional or not _are_whole_numbers(weights)

    def kept_rows(
        self,
        missing: NDArray[np.bool_] | None,
        weights: NDArray[Any] | None,
        *,
        size: int,
        sizes: NDArray[Any] | None = None,
    ) -> NDArray[np.bool_] | None:
        """Mask of the rows of the next batch that count: with a class and a positive weight.

        Args:
            missing: Mask of rows without a class; None: all have one.
            weights: Their weights.
            size: Number of rows or groups.
            sizes: Number of rows of each group.

        Returns:
            None if all of them count.
        """
        start, drops_missing = self.rows, self.policy.missing == "drop"
        keep = None if weights is None or weights.min(initial=1) > 0 else weights > 0
        has_class = None
        if missing is not None:
            has_class = ~missing if keep is None else keep & ~missing
            if drops_missing:
                self.without_class += _count_rows(missing, sizes)
            else:
                unlabelled = missing if keep is None else missing & keep
                self._record_fault(NO_CLASS, unlabelled, start=start, sizes=sizes)
        self.rows += size if sizes is None else int(sizes.sum())
        count_mask = has_class if drops_missing and has_class is not None else keep
        if count_mask is not None:
            self.counted += _count_rows(count_mask, sizes)
        else:
            self.counted += size if sizes is None else int(sizes.sum())
        return keep if has_class is None else has_class

    def resolve_missing_scores(self, batch: CheckedBatch, start: int = 0) -> CheckedBatch:
        """Treat rows without a score by the policy; `start` rows precede the batch."""
        missing = missing_rows_or_none(batch.scores)
        if missing is None:
            return batch
        fault = self.missing_scores.setdefault(batch.name, Fault())
        fault.add(missing, batch.indices, start=start, sizes=batch.sizes)
        if self.policy.missing == "reject":
            return replace(batch, undecided=missing)
        if self.policy.missing != "negative":
            return batch.select(~missing)
        last, highest = self.policy.last, batch.highest
        return replace(
            batch,
            scores=np.where(missing, last, batch.scores),
            highest=None if highest is None else np.where(missing, last, highest),
        )

    def notes(
        self, name: str, changes: Iterable[str] = (), *, importance: bool = False
    ) -> tuple[str, ...]:
        """Notes on how the rows of a model were treated; `changes` are notes on its scores."""
        policy, notes = self.policy, []
        if self.without_class:
            notes.append(f"{format_rows(self.without_class)} without a class: left out")
        notes += changes
        if self.unequal and policy.weight_means is None:
            notes.append(_weight_meaning_note(importance=importance))
        if policy.digits is not None:
            notes.append(f"{name} was rounded to {policy.digits} decimals")
        if name in self.missing_scores:
            size = self.missing_scores[name].rows
            notes.append(f"{format_rows(size)} without a score: {MISSING_OUTCOMES[policy.missing]}")
        return tuple(notes)


def check_rows(  # noqa: PLR0913 - columns, and what they are called in output and messages
    actual: Any,
    score: Any,
    policy: RowPolicy = DEFAULT_POLICY,
    *,
    weight: Any = None,
    name: str = "score",
    actual_name: str = "actual",
    weight_name: str = "weight",
) -> CheckedBatch:
    """Check the rows of one model by the row policy, from columns of any library."""
    require_same_index((actual_name, actual), (name, score), (weight_name, weight))
    actual, score = column_array(actual, actual_name), column_array(score, name)
    require_equal_lengths(actual, score, actual_name, name)
    if weight is None:
        return check_batch(Batch(actual, score), policy, name, actual_name)
    weights = column_array(weight, weight_name)
    require_equal_lengths(actual, weights, actual_name, weight_name)
    weights = numeric_weights(weights, weight_name)
    batch = Batch(actual, score, weights, whole_weights=_are_whole_numbers(weights))
    return check_batch(batch, policy, name, actual_name)


def check_batch(batch: Batch, policy: RowPolicy, name: str, actual_name: str) -> CheckedBatch:
    """Check a batch of rows or groups of one model, whose weights are valid."""
    actual, score, weights, sizes = batch.actual, batch.score, batch.weight, batch.sizes
    check, indices = RowCheck(policy, actual_name), None
    policy.require_weight_meaning(weighted=weights is not None)
    importance = weights is not None and policy.are_importances(whole=batch.whole_weights)
    keep = check.kept_rows(missing_rows_or_none(actual), weights, size=len(actual), sizes=sizes)
    if check.faults:
        check.require_weights_and_classes()
    highest, squares = batch.highest, batch.squares
    if keep is not None:
        indices = np.flatnonzero(keep)
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
    classes = class_labels(actual, policy.positive, name=actual_name)
    scores = numeric_scores(score, actual, classes, name, indices)
    if scores.are_classes and policy.lower_is_positive:
        raise InputError(
            f"`{name}` holds predicted classes, which have no direction: leave "
            "lower_is_positive out."
        )
    rows = CheckedBatch(
        policy.rounded(scores.values) if sizes is None else scores.values,
        classes,
        weights,
        indices,
        name=name,
        lower_is_positive=policy.lower_is_positive,
        importance=importance,
        highest=highest,
        sizes=sizes,
        squares=squares,
    )
    rows = check.resolve_missing_scores(rows)
    if check.faults or check.missing_scores:
        check.require_valid()
    ties = (ties_note(name, batch.ties),) if batch.ties else ()
    notes = check.notes(name, scores.notes + ties, importance=importance)
    return replace(rows, notes=notes) if notes else rows


def require_counted(ranking: Ranking) -> None:
    """Require a ranking of unweighted rows, whose pairs can be counted."""
    if not ranking.is_counted:
        raise InputError(EXACT_WITHOUT_WEIGHTS)


def numeric_weights(weights: NDArray[Any], name: str) -> NDArray[Any]:
    """Validated weights as int64, or as float64 if they are real or very large."""
    weights, check = parse_weights(weights, name), RowCheck(DEFAULT_POLICY)
    check.check_weights(weights)
    require_weights(check.faults, len(weights))
    # Sums of integers must fit, and as floats they are exact up to here.
    limit = 2**53 if weights.dtype.kind == "f" else 2**62
    whole = not check.fractional and check.total_weight < limit
    return weights.astype(np.int64 if whole else np.float64, copy=False)


def missing_rows_or_none(values: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Mask of rows with a missing value; None if there is none."""
    if values.dtype.kind not in "fMO" or not values.size:
        return None
    # The minimum is NaN if any value is, and needs no temporary array.
    if values.dtype.kind == "f" and not np.isnan(values.min()):
        return None
    missing = missing_rows(values)
    return missing if missing.any() else None


def _count_rows(mask: NDArray[np.bool_], sizes: NDArray[Any] | None) -> int:
    """Number of rows in a mask of rows or groups."""
    return int(np.count_nonzero(mask) if sizes is None else sizes[mask].sum())


def distinct_values(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Distinct values of a column, and the code of each row."""
    if values.dtype.kind != "O":
        return np.unique(values, return_inverse=True)
    indices: dict[Any, int] = {}
    codes = np.array([indices.setdefault(v, len(indices)) for v in values.tolist()], np.intp)
    unique_values = np.empty(len(indices), dtype=object)
    unique_values[:] = list(indices)
    return unique_values, codes


def require_equal_lengths(
    actual: NDArray[Any], other: NDArray[Any], actual_name: str, name: str
) -> None:
    """Require two columns of equal length."""
    if len(actual) != len(other):
        raise InputError(
            f"`{actual_name}` ({format_rows(len(actual))}) and `{name}` "
            f"({format_rows(len(other))}) must have "
            "the same length."
        )
