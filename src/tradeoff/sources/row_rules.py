"""Rules for valid rows (classes, scores, weights, missing values), checked in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking, ranking_of_groups
from tradeoff.errors import InputError
from tradeoff.sources.classes import Labels, class_labels
from tradeoff.sources.columns import column_array, require_equal_lengths, require_same_index
from tradeoff.sources.missing_values import missing_rows_or_none
from tradeoff.sources.numeric_columns import are_whole_numbers, numeric_scores, parse_weights
from tradeoff.sources.row_messages import (
    MAX_WEIGHT,
    NO_CLASS,
    NO_FAULTS,
    NO_FOLD,
    WEIGHT_FAULTS,
    Fault,
    count_rows,
    require_classes,
    require_folds,
    require_scores,
    require_valid_weights,
    ties_note,
)
from tradeoff.sources.row_policy import DEFAULT_POLICY, MISSING_SCORE_TREATMENTS, RowPolicy


def _weight_fault_masks(weights: NDArray[Any]) -> Iterator[NDArray[np.bool_]]:
    """Mask of the weights with each of `WEIGHT_FAULTS`, in that order."""
    yield ~np.isfinite(weights)
    yield weights < 0
    yield weights > MAX_WEIGHT
    yield (weights > 0) & (weights < 1 / MAX_WEIGHT)


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
            require_classes(class_fault, self.counted_rows, self.actual_name)

    def require_valid(self) -> None:
        """Require that no row breaks a rule."""
        self.require_weights_and_classes()
        if self.policy.missing == "error":
            for name, fault in self.missing_scores.items():
                require_scores(fault, self.counted_rows, name)
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
        self.has_fractional_weights = self.has_fractional_weights or not are_whole_numbers(weights)

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
                self.unlabelled_rows += count_rows(missing, sizes)
            else:
                is_unlabelled = missing if keep is None else missing & keep
                self._record_fault(NO_CLASS, is_unlabelled, start=start, sizes=sizes)
        self.rows += size if sizes is None else int(sizes.sum())
        counted_mask = has_class if drops_missing and has_class is not None else keep
        if counted_mask is not None:
            self.counted_rows += count_rows(counted_mask, sizes)
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
    batch = Batch(actual, score, weights, whole_weights=are_whole_numbers(weights))
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
