"""Actual classes and scores, checked, become rows that can be ranked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from tradeoff.errors import InputError, listed
from tradeoff.ranking.ranking import Ranking
from tradeoff.sources.columns import as_column
from tradeoff.sources.labels import Labels, class_name, first_rows, labels, missing_rows
from tradeoff.text import rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

Missing = Literal["error", "drop", "reject", "negative"]
TREATMENTS = get_args(Missing)


@dataclass(frozen=True)
class ScoredRows:
    """Checked rows of one model: nothing after this looks for mistakes in them."""

    scores: NDArray[Any]
    labels: Labels
    weights: NDArray[Any] | None = None
    places: NDArray[np.intp] | None = None  # the rows' own numbers, where some were left out
    name: str = "score"
    lower_is_positive: bool = False
    rejected: tuple[int, Any, Any] = (0, 0, 0)
    notes: tuple[str, ...] = ()

    def ranking(self) -> Ranking:
        """The rows, ranked."""
        count, rejected_positives, rejected_negatives = self.rejected
        ranking = Ranking.of(
            self.scores,
            self.labels.positive_rows,
            self.weights,
            lower_is_positive=self.lower_is_positive,
            rejected_rows=count,
            positive=self.labels.positive,
            negative=self.labels.negative,
            name=self.name,
            rejected_positives=rejected_positives,
            rejected_negatives=rejected_negatives,
            notes=self.notes,
        )
        if any("classes" in note for note in self.notes) or len(self.scores) < 3:
            return ranking
        if ranking.distinct == 1:
            note = f"{self.name} is the same for every row, so it ranks nothing"
            return replace(ranking, notes=(*self.notes, note))
        if ranking.distinct == 2:
            note = (
                f"{self.name} has only two values, like predicted classes: one point of a ROC curve"
            )
            return replace(ranking, notes=(*self.notes, note))
        return ranking


def scored_rows(  # noqa: PLR0913 - the border: every choice a caller has about rows
    actual: Any,
    score: Any,
    *,
    positive: Any = None,
    weight: Any = None,
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
    actual, score = as_column(actual, actual_name), as_column(score, name)
    demand_equal_lengths(actual, score, actual_name, name)
    weights = None if weight is None else checked_weights(as_column(weight, weight_name), actual)
    keep = None if weights is None else weights > 0
    if missing == "drop":
        absent = missing_rows(actual)
        keep = _both(keep, ~absent) if absent.any() else keep
    places = None
    if keep is not None and not keep.all():
        actual, score, places = actual[keep], score[keep], np.flatnonzero(keep)
        weights = None if weights is None else weights[keep]
    known = labels(actual, positive, name=actual_name, places=places)
    scores, notes = _as_scores(score, known, name)
    if digits is not None:
        scores = np.round(scores.astype(np.float64), digits)
        notes = (*notes, f"{name} was rounded to {digits} decimals")
    checked = ScoredRows(scores, known, weights, places, name, lower_is_positive, notes=notes)
    return _without_missing(checked, missing)


def demand_equal_lengths(
    actual: NDArray[Any], other: NDArray[Any], actual_name: str, name: str
) -> None:
    """Every row needs both."""
    if len(actual) != len(other):
        raise InputError(
            f"`{actual_name}` ({rows(len(actual))}) and `{name}` ({rows(len(other))}) must have "
            "the same length."
        )


def _both(first: NDArray[np.bool_] | None, second: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return second if first is None else first & second


def _as_scores(
    score: NDArray[Any], known: Labels, name: str
) -> tuple[NDArray[Any], tuple[str, ...]]:
    """The scores as float32 or float64, without losing a digit."""
    kind, size = score.dtype.kind, score.dtype.itemsize
    if kind == "f" and size in {4, 8}:
        return score, ()
    if (kind in "biu" and size < 4) or (kind == "f" and size < 4):
        return score.astype(np.float32), ()
    if kind in "iu":
        return _exact_floats(score, name), ()
    if kind == "f":
        return score.astype(np.float64), (f"{name} was rounded from {score.dtype} to float64",)
    if kind not in "OUS":
        raise InputError(f"`{name}` must hold numbers, not {score.dtype}.")
    numbers, odd = _parsed(score)
    if not odd.any():
        return numbers, ()
    return _labels_as_scores(score, known, odd, name)


def _exact_floats(score: NDArray[Any], name: str) -> NDArray[np.float64]:
    floats = score.astype(np.float64)
    # Float64 holds every integer up to 2**53. Beyond, different scores could become equal.
    if score.size and max(abs(int(score.min())), abs(int(score.max()))) > 2**53:
        changed = np.array([int(f) != int(s) for f, s in zip(floats, score, strict=True)])
        if changed.any():
            raise InputError(
                f"`{name}` holds integers above 2**53 that floating point cannot tell apart "
                f"(first: {first_rows(changed)}). Divide or rank them first."
            )
    return floats


def _parsed(values: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Objects and texts as numbers (None as NaN), and which of them are none."""
    numbers = np.full(len(values), np.nan)
    odd = ~missing_rows(values)
    for place in np.flatnonzero(odd).tolist():
        try:
            numbers[place] = float(values[place])
        except (TypeError, ValueError):
            continue
        odd[place] = False
    return numbers, odd


def _labels_as_scores(
    score: NDArray[Any], known: Labels, odd: NDArray[np.bool_], name: str
) -> tuple[NDArray[Any], tuple[str, ...]]:
    """Predicted classes in place of scores: one operating point, and the output says so."""
    absent = missing_rows(score)
    names = np.array([class_name(value) for value in score], dtype=object)
    legal = [known.positive, known.negative]
    foreign = ~absent & ~np.isin(names, legal)
    if foreign.any() and not known.negative.startswith("not "):
        raise InputError(
            f"`{name}` must hold numbers, but {_example(score, odd)} is none (and no class "
            f"either: those are {listed(sorted(legal))})."
        )
    scores = np.where(names == known.positive, 1.0, 0.0)
    scores[absent] = np.nan
    note = f"{name} holds predicted classes, not scores: they give one point of a ROC curve"
    return scores, (note,)


def _example(values: NDArray[Any], odd: NDArray[np.bool_]) -> str:
    first = int(np.flatnonzero(odd)[0])
    return f"{class_name(values[first])!r} in row {first + 1}"


def checked_weights(weights: NDArray[Any], actual: NDArray[Any]) -> NDArray[Any]:
    """Weights as int64 or float64, all of them 0 or more."""
    demand_equal_lengths(actual, weights, "actual", "weight")
    if weights.dtype.kind not in "biuf":
        numbers, odd = _parsed(weights)
        if odd.any():
            raise InputError(f"Weights must be numbers, but {_example(weights, odd)} is none.")
        weights = numbers
    kind = np.float64 if weights.dtype.kind == "f" else np.int64
    weights = weights.astype(kind, copy=False)
    for wrong, what in (
        (~np.isfinite(weights), "missing or infinite"),
        (weights < 0, "negative"),
    ):
        if wrong.any():
            raise InputError(
                f"{int(wrong.sum()):,} of {len(weights):,} weights are {what} (first: "
                f"{first_rows(wrong)}). A weight says how often a row counts: 0 or more."
            )
    return weights


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
    counted = np.ones(len(scores), np.int64) if weights is None else weights
    places = np.arange(len(scores)) if checked.places is None else checked.places
    kept = {
        "places": places[~absent],
        "scores": scores[~absent],
        "labels": Labels(known.positive_rows[~absent], known.positive, known.negative),
        "weights": None if weights is None else weights[~absent],
    }
    if missing == "drop":
        return _changed(checked, f"{rows(size)} without a score: left out", **kept)
    positives = counted[absent & known.positive_rows].sum()
    rejected = (size, positives, counted[absent].sum() - positives)
    note = f"{rows(size)} without a score: counted as rejected"
    return _changed(checked, note, **kept, rejected=rejected)


def _changed(checked: ScoredRows, note: str, **fields: Any) -> ScoredRows:
    return replace(checked, notes=(*checked.notes, note), **fields)
