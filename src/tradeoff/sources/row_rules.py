"""Rules for valid rows (classes, scores, weights, missing values), and their error messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import isnan, nan
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.number_types import inexact_integers, scores_as_floats
from tradeoff.core.ranking import Ranking, ranking_of_groups
from tradeoff.errors import InputError, format_list
from tradeoff.formatting import format_rows
from tradeoff.sources.classes import Labels, class_labels, class_name, distinct_class_names
from tradeoff.sources.columns import column_array, require_equal_lengths, require_same_index
from tradeoff.sources.missing_values import missing_rows, missing_rows_or_none
from tradeoff.sources.row_numbers import format_row_numbers
from tradeoff.sources.text_values import MAX_EXACT_INTEGER, has_decimal_comma, is_integer
from tradeoff.wording import ROWS, Wording

# Lossless conversion of scores and weights of any type to floats or integers.


MAX_WEIGHT = 1e100
"""Maximum weight, so that squares do not overflow; its inverse is the minimum positive weight."""


class Scores(NamedTuple):
    """Numeric scores (float32 or float64), notes on them, and whether they were classes."""

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
    """Convert scores to floats; predicted classes become 1 and 0.

    `indices` are the indices of the rows in the source.
    """
    floats = scores_as_floats(score)
    if floats is not None:
        is_rounded = inexact_integers(score, floats)
        if is_rounded is not None:
            require_exact_scores(Fault().add(is_rounded, indices), name)
        return Scores(floats)
    kind = score.dtype.kind
    if kind == "f":
        note = f"{name} was rounded from {score.dtype} to float64"
        return Scores(score.astype(np.float64), (note,))
    if kind not in "OUS":
        raise InputError(f"`{name}` must hold numbers, not {score.dtype}.")
    numbers, is_invalid = _parse_numbers(score, name, indices)
    if is_invalid.any():
        require_decimal_points(_first_invalid(score, is_invalid), name)
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


def valid_weight_mask(weights: NDArray[Any]) -> NDArray[np.bool_]:
    """Mask of valid weights: finite, non-negative, neither too small nor too large."""
    is_large_enough = (weights == 0) | (weights >= 1 / MAX_WEIGHT)
    return np.asarray(np.isfinite(weights) & is_large_enough & (weights <= MAX_WEIGHT))


def _count_float_ties(values: NDArray[Any], numbers: NDArray[np.float64]) -> int:
    """Number of distinct decimals, including those in strings, that become ties as float64."""
    decimals = {value for value in values.tolist() if isinstance(value, str | Decimal)}
    if len(decimals) <= len(np.unique(numbers)):  # the usual case
        return 0
    exact_values = {Decimal(value) for value in decimals if not isnan(float(value))}
    return len(exact_values) - len({float(value) for value in exact_values})


def _parse_numbers(
    values: NDArray[Any], name: str, indices: NDArray[np.intp] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Parse objects and strings as numbers (NaN if missing); also return a mask of non-numbers."""
    missing = missing_rows(values).tolist()
    numbers = [
        nan if is_missing else _parse_number(value)
        for value, is_missing in zip(values.tolist(), missing, strict=True)
    ]
    is_invalid = np.array([number is None for number in numbers], np.bool_)
    is_rounded = [
        _is_rounded(value, number) for value, number in zip(values.tolist(), numbers, strict=True)
    ]
    require_exact_scores(Fault().add(np.array(is_rounded, np.bool_), indices), name)
    return np.array([nan if number is None else number for number in numbers]), is_invalid


def _parse_number(value: Any) -> float | None:
    """Parse a number; None for anything else, including digits of other scripts."""
    if isinstance(value, np.complexfloating):
        return None  # NumPy would convert it to a float, with a warning
    if isinstance(value, str) and not value.isascii():
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _is_rounded(value: Any, number: float | None) -> bool:
    """Whether float64 rounds an integer, which may be given as a string."""
    if number is None or not abs(number) >= MAX_EXACT_INTEGER:
        return False
    is_whole = isinstance(value, int) or (isinstance(value, str) and is_integer(value))
    return is_whole and int(number) != int(value)


def _predicted_classes_as_scores(
    score: NDArray[Any], actual: NDArray[Any], positive: str, example: str, name: str
) -> Scores:
    """Predicted classes as scores 1 and 0, which give a single operating point."""
    missing = missing_rows(score)
    names = np.array([class_name(value) for value in score], dtype=object)
    classes = {*distinct_class_names(actual), positive}
    if not set(names[~missing].tolist()) <= classes:
        raise InputError(
            f"{non_numeric_score_message(name, example)}. (Scores may also be predicted "
            f"classes, here {format_list(sorted(classes))}.)"
        )
    values = np.where(names == positive, 1.0, 0.0)
    values[missing] = np.nan
    note = f"{name} holds predicted classes, treated as 1 for {positive} and 0 otherwise"
    return Scores(values, (note,), are_classes=True)


def _first_invalid(values: NDArray[Any], is_invalid: NDArray[np.bool_]) -> str:
    return class_name(values[int(np.flatnonzero(is_invalid)[0])])


def _format_example(
    values: NDArray[Any], is_invalid: NDArray[np.bool_], indices: NDArray[np.intp] | None = None
) -> str:
    first = int(np.flatnonzero(is_invalid)[0])
    row = first if indices is None else int(indices[first])
    return f"{class_name(values[first])!r} in row {row + 1}"


Missing = Literal["error", "drop", "reject", "negative"]
MISSING_POLICIES = get_args(Missing)
WeightMeans = Literal["frequency", "importance"]
MISSING_SCORE_TREATMENTS = {
    "drop": "left out",
    "reject": "counted as rejected",
    "negative": "ranked last",
}
"""How rows without a score are treated, as worded in notes."""


# Not frozen, nor are the batches below: freezing would take a fifth of the time of a small `auc`.
@dataclass
class RowPolicy:
    """Row policy: how `evaluate` treats classes, weights, scores and missing values."""

    positive: Any = None
    weight_means: WeightMeans | None = None
    missing: Missing = "error"
    lower_is_positive: bool = False
    digits: int | None = None
    wording: Wording = field(default=ROWS, compare=False)

    def __post_init__(self) -> None:
        """Reject invalid options."""
        if self.missing not in MISSING_POLICIES:
            raise InputError(
                f"`missing` must be one of {format_list(MISSING_POLICIES)}, not {self.missing!r}."
            )
        digits = self.digits
        if digits is not None and not (isinstance(digits, int) and 0 <= digits <= 15):
            raise InputError(f"`digits` must be a whole number from 0 to 15, not {digits!r}.")

    def require_weight_meaning(self, *, weighted: bool) -> None:
        """Require that `weight_means`, if given, is valid and that there are weights."""
        if self.weight_means is None:
            return
        if not weighted:
            raise InputError("`weight_means` says what the weights mean: pass `weight` as well.")
        if self.weight_means not in get_args(WeightMeans):
            raise InputError(
                f"`weight_means` must be one of {format_list(get_args(WeightMeans))}, not "
                f"{self.weight_means!r}."
            )

    def are_importances(self, *, whole_weights: bool) -> bool:
        """Whether weights are importance weights; by default, whole weights are frequencies."""
        return not whole_weights if self.weight_means is None else self.weight_means == "importance"

    @property
    def last_score(self) -> float:
        """Score that ranks after all others."""
        return np.inf if self.lower_is_positive else -np.inf

    def round_scores(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Round scores to `digits` decimals, if requested."""
        digits = self.digits
        return scores if digits is None else np.round(scores.astype(np.float64, copy=False), digits)


DEFAULT_POLICY = RowPolicy()
EXACT_WITHOUT_WEIGHTS = "`exact` counts pairs of rows, which it cannot weight: leave `weight` out."
MAX_EXAMPLE_ROWS = 3
"""Maximum number of row numbers listed in a message."""


@dataclass
class Fault:
    """Rows that break a rule: their number and, if rows are numbered, the first row numbers."""

    rows: int = 0
    first_rows: list[int] = field(default_factory=list)

    def add(
        self,
        mask: NDArray[np.bool_],
        indices: NDArray[np.intp] | None = None,
        *,
        start: int = 0,
        sizes: NDArray[Any] | None = None,
    ) -> Fault:
        """Add the rows of a batch in `mask`; `start` is the number of rows before the batch.

        Groups of rows have `sizes` but no row numbers.
        """
        self.rows += _count_rows(mask, sizes)
        if sizes is None and len(self.first_rows) < MAX_EXAMPLE_ROWS:
            examples = np.flatnonzero(mask)[: MAX_EXAMPLE_ROWS - len(self.first_rows)]
            self.first_rows += (
                (examples if indices is None else indices[examples]) + start + 1
            ).tolist()
        return self

    @property
    def location(self) -> str:
        """The first row numbers in parentheses, for a message; empty if rows are not numbered."""
        return f" (first: {format_row_numbers(self.first_rows)})" if self.first_rows else ""


# Each rule about rows has one message, whatever the source.


NO_FAULTS = Fault()
NO_CLASS, NO_FOLD = "no class", "no fold"
WEIGHT_FAULTS = (
    "missing or infinite",
    "negative",
    f"above {MAX_WEIGHT:g}",
    f"below {1 / MAX_WEIGHT:g}",
)
"""Faults of weights, in the order in which they are reported."""


def _weight_fault_masks(weights: NDArray[Any]) -> Iterator[NDArray[np.bool_]]:
    """Mask of the weights with each of `WEIGHT_FAULTS`, in that order."""
    yield ~np.isfinite(weights)
    yield weights < 0
    yield weights > MAX_WEIGHT
    yield (weights > 0) & (weights < 1 / MAX_WEIGHT)


def _is_or_are(count: int) -> str:
    return "is" if count == 1 else "are"


def require_valid_weights(faults: Mapping[str, Fault], total: int) -> None:
    """Require that no weight has any of `WEIGHT_FAULTS`."""
    for fault_name in WEIGHT_FAULTS:
        fault = faults.get(fault_name, NO_FAULTS)
        if fault.rows:
            raise InputError(
                f"{fault.rows:,} of {total:,} weights {_is_or_are(fault.rows)} {fault_name}"
                f"{fault.location}. A weight says how often a row counts: it must be a finite "
                "number of 0 or more."
            )


def _require_classes(fault: Fault, total: int, name: str) -> None:
    """Require an actual class for every row that counts."""
    if fault.rows:
        verb = "has" if fault.rows == 1 else "have"
        raise InputError(
            f"{fault.rows:,} of {format_rows(total)} {verb} no class "
            f"in {name!r}{fault.location}. A row without an actual class cannot be evaluated: fill "
            'in the class, or leave such rows out with missing="drop".'
        )


def _require_scores(fault: Fault, total: int, name: str) -> None:
    """Require a score for every row that counts."""
    if fault.rows:
        raise InputError(
            f"{fault.rows:,} of {total:,} scores in `{name}` {_is_or_are(fault.rows)} missing"
            f"{fault.location}. Fill {'it' if fault.rows == 1 else 'them'} in, or use "
            'missing="drop", missing="reject" (undecided) or missing="negative" (ranked last); the '
            "output reports how many rows are affected."
        )


def require_exact_scores(fault: Fault, name: str) -> None:
    """Require that float64 represents integer scores exactly."""
    if fault.rows:
        raise InputError(
            f"`{name}` holds integers above 2**53 that floating point cannot distinguish"
            f"{fault.location}. Divide them or replace them by ranks first."
        )


def require_folds(fault: Fault, name: str) -> None:
    """Require a fold for every row, even if its weight is 0."""
    if fault.rows:
        raise InputError(
            f"{format_rows(fault.rows)} without a fold in {name!r}{fault.location}: each row "
            "belongs to the fold in which it was tested, so fill in the fold."
        )


def non_numeric_score_message(name: str, example: str) -> str:
    """Message that a score is not a number, with an example; the caller adds the remedy."""
    return f"`{name}` must hold numbers, but {example} is not a number"


def require_decimal_points(cell: str, name: str) -> None:
    """Refuse a score that is written with a decimal comma, with the remedy.

    Example:
        >>> require_decimal_points("0,73", "p")
        Traceback (most recent call last):
        tradeoff.errors.InputError: Scores in 'p' look like '0,73' (decimal comma): read the file \
with decimal=',', or convert them to numbers.
    """
    if has_decimal_comma(cell):
        raise InputError(
            f"Scores in {name!r} look like {cell!r} (decimal comma): read the file with "
            "decimal=',', or convert them to numbers."
        )


def non_numeric_column_message(name: str, kind: object) -> str:
    """Message that a column of a database has no numeric type."""
    return (
        f"`{name}` must hold numbers, but its type is {kind}: convert it to numbers in the query "
        "(predicted classes to 1 and 0), or collect the rows first."
    )


def non_numeric_weight_message(example: str) -> str:
    """Message that a weight is not a number, with an example."""
    return f"Weights must be numbers, but {example} is not a number."


# Notes on the treatment of rows.


def ties_note(name: str, ties: int) -> str:
    """Note on distinct scores that become ties as float64.

    Example:
        >>> ties_note("score", 3)
        'score has more digits than float64 keeps: 3 scores are tied with a different one'
    """
    subject = "score is" if ties == 1 else "scores are"
    return (
        f"{name} has more digits than float64 keeps: {ties:,} {subject} tied with a different one"
    )


def _weight_meaning_note(*, importance: bool) -> str:
    """Note on the default interpretation of weights."""
    if importance:
        return "weights are treated as importances, as they are not whole numbers"
    return "weights are treated as frequencies, as they are whole numbers"


@dataclass(eq=False)
class Batch:
    """Batch of unchecked rows of one model, or of groups of rows: arrays of equal length.

    The rows of a group have the same class, fold and segment, and scores from `score` to
    `max_score` (float64; NaN if the score is missing). `sizes` are the numbers of rows of the
    groups, `weight` and `squares` the sums of their weights and squared weights. Groups may be in
    any order; rows of weight 0 form groups of their own, or are absent. For single rows,
    `max_score`, `sizes` and `squares` are None. Missing classes, folds and segments are None in
    arrays of objects and NaN in arrays of floats.
    """

    actual: NDArray[Any]
    score: NDArray[Any]
    weight: NDArray[Any] | None = None
    max_score: NDArray[Any] | None = None
    sizes: NDArray[Any] | None = None
    squares: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None
    segment: NDArray[Any] | None = None
    whole_weights: bool = True
    ties: int = 0
    """Number of distinct scores that became ties when an engine converted them to float64."""


@dataclass(eq=False)
class CheckedBatch:
    """Batch of checked rows of one model, or of groups of rows, ready to be ranked.

    `indices` are the indices of the rows in the source if some were left out; `rejected_mask`
    marks the rows without a score that count as rejected. Groups are as in `Batch`.
    """

    scores: NDArray[Any]
    labels: Labels
    weights: NDArray[Any] | None = None
    indices: NDArray[np.intp] | None = None
    rejected_mask: NDArray[np.bool_] | None = None
    name: str = "score"
    lower_is_positive: bool = False
    notes: tuple[str, ...] = ()
    importance: bool = False  # whether weights are importance weights, not frequencies
    max_score: NDArray[Any] | None = None
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
    def scored(self) -> CheckedBatch:
        """Rows with a score."""
        if self.rejected_mask is None:
            return self
        return replace(self.select(~self.rejected_mask), rejected_mask=None)

    @property
    def rejected(self) -> CheckedBatch | None:
        """Rows without a score that count as rejected."""
        if self.rejected_mask is None:
            return None
        return replace(self.select(self.rejected_mask), rejected_mask=None)

    def restricted_to(self, mask: NDArray[np.bool_]) -> CheckedBatch:
        """Rows selected by a mask over all rows of the source."""
        return self.select(mask[self.row_indices])

    def select(self, selection: Any) -> CheckedBatch:
        """Rows selected by indices in this batch, or by a mask of its rows."""

        def select_column(column: NDArray[Any] | None) -> Any:
            return None if column is None else column[selection]

        labels = self.labels
        return replace(
            self,
            scores=self.scores[selection],
            labels=Labels(labels.positive_rows[selection], labels.positive, labels.negative),
            weights=select_column(self.weights),
            indices=self.row_indices[selection],
            rejected_mask=select_column(self.rejected_mask),
            max_score=select_column(self.max_score),
            sizes=select_column(self.sizes),
            squares=select_column(self.squares),
        )

    def counts(self, power: int = 1) -> tuple[Any, Any]:
        """Numbers of positives and negatives; with weights, sums of a power of their weights."""
        counts = self._counts(power)
        counts = np.ones(len(self.scores), np.int64) if counts is None else counts
        positives = counts[self.labels.positive_rows].sum()
        return positives, counts.sum() - positives

    def _counts(self, power: int) -> NDArray[Any] | None:
        """Weight of each row or group to a power; squares are floats, lest integers overflow."""
        if self.sizes is not None:
            counts = self.sizes if self.weights is None else self.weights
            return counts if power == 1 else self.squares
        if self.weights is None or power == 1:
            return self.weights
        return self.weights.astype(np.float64) ** power

    def ranking(self) -> Ranking:
        """Ranking of the rows."""
        scored, rejected = self.scored, self.rejected
        ranking = scored.ranking_with_rejected(rejected)
        if not self.importance:
            return ranking
        return replace(ranking, squares=scored.ranking_with_rejected(rejected, 2))

    def ranking_with_rejected(self, rejected: CheckedBatch | None, power: int = 1) -> Ranking:
        """Ranking of rows with scores, to which the counts of rejected rows are added."""
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
        if counts is None or self.max_score is None:
            return Ranking.of(
                self.scores,
                labels.positive_rows,
                counts,
                rejected_rows=rejected_rows,
                **description,
            )
        return ranking_of_groups(
            self.scores,
            self.max_score,
            np.where(labels.positive_rows, counts, 0),
            np.where(labels.positive_rows, 0, counts),
            self.row_count + rejected_rows,
            **description,
        )


class RowCheck:
    """Checks the rows of a source against a row policy, in one or more batches.

    Rows that break a rule are counted and reported by `require_valid`, so that messages do not
    depend on how rows are read.
    """

    def __init__(
        self, policy: RowPolicy, actual_name: str = "actual", fold_name: str = "fold"
    ) -> None:
        self.policy, self.actual_name, self.fold_name = policy, actual_name, fold_name
        self.rows = self.counted_rows = self.unlabelled_rows = 0
        self.faults: dict[str, Fault] = {}
        self.missing_scores: dict[str, Fault] = {}
        self.total_weight = 0.0
        self.has_non_unit_weights = self.has_fractional_weights = False

    @property
    def is_valid(self) -> bool:
        """Whether no row so far breaks a rule."""
        return not self.faults and not (self.missing_scores and self.policy.missing == "error")

    def require_weights_and_classes(self) -> None:
        """Require valid weights, and a class for every row."""
        if self.faults:
            require_valid_weights(self.faults, self.rows)
            class_fault = self.faults.get(NO_CLASS, NO_FAULTS)
            _require_classes(class_fault, self.counted_rows, self.actual_name)

    def require_valid(self) -> None:
        """Require that no row breaks a rule."""
        self.require_weights_and_classes()
        if self.policy.missing == "error":
            for name, fault in self.missing_scores.items():
                _require_scores(fault, self.counted_rows, name)
        require_folds(self.faults.get(NO_FOLD, NO_FAULTS), self.fold_name)

    def _record_fault(
        self, rule: str, mask: NDArray[np.bool_], *, start: int, sizes: Any = None
    ) -> None:
        """Record the rows of a batch that break a rule."""
        if mask.any():
            self.faults.setdefault(rule, Fault()).add(mask, start=start, sizes=sizes)

    def record_missing_folds(self, missing: NDArray[np.bool_], start: int) -> None:
        """Record the rows without a fold in a batch; `start` is the number of rows before it."""
        self._record_fault(NO_FOLD, missing, start=start)

    def check_weights(self, weights: NDArray[Any]) -> None:
        """Check the weights of the next batch."""
        min_weight = 1 / MAX_WEIGHT if weights.dtype.kind == "f" else 0
        # Minimum and maximum suffice in the usual case of no fault; NaN fails both comparisons.
        if not (weights.min(initial=1) >= min_weight and weights.max(initial=1) <= MAX_WEIGHT):
            for rule, mask in zip(WEIGHT_FAULTS, _weight_fault_masks(weights), strict=True):
                self._record_fault(rule, mask, start=self.rows)
        self.total_weight += float(weights.sum(dtype=np.float64))
        self.has_fractional_weights = self.has_fractional_weights or not _are_whole_numbers(weights)

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
            missing: Mask of rows without a class; None: all rows have one.
            weights: Weight of each row or group.
            size: Number of rows or groups.
            sizes: Number of rows of each group.

        Returns:
            The mask; None if all rows count.
        """
        start, drops_missing = self.rows, self.policy.missing == "drop"
        keep = None if weights is None or weights.min(initial=1) > 0 else weights > 0
        has_class = None
        if missing is not None:
            has_class = ~missing if keep is None else keep & ~missing
            if drops_missing:
                self.unlabelled_rows += _count_rows(missing, sizes)
            else:
                is_unlabelled = missing if keep is None else missing & keep
                self._record_fault(NO_CLASS, is_unlabelled, start=start, sizes=sizes)
        self.rows += size if sizes is None else int(sizes.sum())
        counted_mask = has_class if drops_missing and has_class is not None else keep
        if counted_mask is not None:
            self.counted_rows += _count_rows(counted_mask, sizes)
        else:
            self.counted_rows += size if sizes is None else int(sizes.sum())
        return keep if has_class is None else has_class

    def resolve_missing_scores(self, batch: CheckedBatch, start: int = 0) -> CheckedBatch:
        """Apply the policy to rows without a score; `start` is as in `Fault.add`."""
        missing = missing_rows_or_none(batch.scores)
        if missing is None:
            return batch
        fault = self.missing_scores.setdefault(batch.name, Fault())
        fault.add(missing, batch.indices, start=start, sizes=batch.sizes)
        if self.policy.missing == "reject":
            return replace(batch, rejected_mask=missing)
        if self.policy.missing != "negative":
            return batch.select(~missing)
        last, max_score = self.policy.last_score, batch.max_score
        return replace(
            batch,
            scores=np.where(missing, last, batch.scores),
            max_score=None if max_score is None else np.where(missing, last, max_score),
        )

    def notes(
        self, name: str, score_notes: Iterable[str] = (), *, importance: bool = False
    ) -> tuple[str, ...]:
        """Notes on the treatment of a model's rows, including the given notes on its scores."""
        policy, notes = self.policy, []
        if self.unlabelled_rows:
            notes.append(f"{policy.wording.count(self.unlabelled_rows)} without a class: left out")
        notes += score_notes
        if self.has_non_unit_weights and policy.weight_means is None:
            notes.append(_weight_meaning_note(importance=importance))
        if policy.digits is not None:
            notes.append(f"{name} was rounded to {policy.digits} decimals")
        if name in self.missing_scores:
            rows = policy.wording.count(self.missing_scores[name].rows)
            notes.append(f"{rows} without a score: {MISSING_SCORE_TREATMENTS[policy.missing]}")
        return tuple(notes)


def check_rows(  # noqa: PLR0913 - columns, and their names in output and messages
    actual: Any,
    score: Any,
    policy: RowPolicy = DEFAULT_POLICY,
    *,
    weight: Any = None,
    name: str = "score",
    actual_name: str = "actual",
    weight_name: str = "weight",
) -> CheckedBatch:
    """Check one model's rows against a row policy; columns may come from any dataframe library."""
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
    """Check a batch of one model's rows or groups against a row policy; weights must be valid."""
    actual, score, weights, sizes = batch.actual, batch.score, batch.weight, batch.sizes
    check, indices = RowCheck(policy, actual_name), None
    policy.require_weight_meaning(weighted=weights is not None)
    importance = weights is not None and policy.are_importances(whole_weights=batch.whole_weights)
    keep = check.kept_rows(missing_rows_or_none(actual), weights, size=len(actual), sizes=sizes)
    if check.faults:
        check.require_weights_and_classes()
    max_score, squares = batch.max_score, batch.squares
    if keep is not None:
        indices = np.flatnonzero(keep)
        actual, score = actual[keep], score[keep]
        weights, sizes, max_score, squares = (
            None if column is None else column[keep]
            for column in (weights, sizes, max_score, squares)
        )
    if weights is not None or squares is not None:
        # All weights are 1 if the weights of each group, and their squares, sum to its size.
        weight_sums = (column for column in (weights, squares) if column is not None)
        group_sizes = 1 if sizes is None else sizes
        check.has_non_unit_weights = any(
            bool((column != group_sizes).any()) for column in weight_sums
        )
    classes = class_labels(actual, policy.positive, name=actual_name)
    scores = numeric_scores(score, actual, classes, name, indices)
    if scores.are_classes and policy.lower_is_positive:
        raise InputError(
            f"`{name}` holds predicted classes, which have no direction: leave "
            "lower_is_positive out."
        )
    rows = CheckedBatch(
        policy.round_scores(scores.values) if sizes is None else scores.values,
        classes,
        weights,
        indices,
        name=name,
        lower_is_positive=policy.lower_is_positive,
        importance=importance,
        max_score=max_score,
        sizes=sizes,
        squares=squares,
    )
    rows = check.resolve_missing_scores(rows)
    if check.faults or check.missing_scores:
        check.require_valid()
    ties = (ties_note(name, batch.ties),) if batch.ties else ()
    notes = check.notes(name, scores.notes + ties, importance=importance)
    return replace(rows, notes=notes) if notes else rows


def numeric_weights(weights: NDArray[Any], name: str) -> NDArray[Any]:
    """Valid weights as int64; as float64 if some are fractional or their sum is very large."""
    weights, check = parse_weights(weights, name), RowCheck(DEFAULT_POLICY)
    check.check_weights(weights)
    require_valid_weights(check.faults, len(weights))
    # Sums of integers must not overflow; as floats they are exact up to this limit.
    limit = 2**53 if weights.dtype.kind == "f" else 2**62
    whole = not check.has_fractional_weights and check.total_weight < limit
    return weights.astype(np.int64 if whole else np.float64, copy=False)


def _count_rows(mask: NDArray[np.bool_], sizes: NDArray[Any] | None) -> int:
    """Number of rows selected by a mask over rows or groups."""
    return int(np.count_nonzero(mask) if sizes is None else sizes[mask].sum())
