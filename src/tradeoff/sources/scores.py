"""Scores and weights of any type become floats or integers, without losing a digit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.errors import InputError, listed
from tradeoff.sources.labels import Labels, class_name, classes_in, first_rows, missing_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray


LARGEST_WEIGHT = 1e100
"""Squares of weights must have room."""


class Scores(NamedTuple):
    """Scores as float32 or float64, what was done to them, and whether they were classes."""

    values: NDArray[Any]
    notes: tuple[str, ...] = ()
    are_classes: bool = False


def as_scores(score: NDArray[Any], actual: NDArray[Any], known: Labels, name: str) -> Scores:
    """The scores as floats; predicted classes as 1 and 0."""
    kind, size = score.dtype.kind, score.dtype.itemsize
    if kind == "f" and size in {4, 8}:
        return Scores(score)
    if kind in "biuf" and size < 4:
        return Scores(score.astype(np.float32))
    if kind in "iu":
        return Scores(_exact_floats(score, name))
    if kind == "f":
        note = f"{name} was rounded from {score.dtype} to float64"
        return Scores(score.astype(np.float64), (note,))
    if kind not in "OUS":
        raise InputError(f"`{name}` must hold numbers, not {score.dtype}.")
    numbers, odd = _parsed(score, name)
    return _classes_as_scores(score, actual, known, odd, name) if odd.any() else Scores(numbers)


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
    # Sums of integers must not overflow.
    whole = weights.dtype.kind != "f" and float(weights.sum(dtype=np.float64)) < 2**62
    return weights.astype(np.int64 if whole else np.float64, copy=False)


def weight_numbers(weights: NDArray[Any], name: str) -> NDArray[Any]:
    """Weights as numbers, whatever they are; a text that is none is an error."""
    if weights.dtype.kind in "biuf":
        return weights
    numbers, odd = _parsed(weights, name)
    if odd.any():
        raise InputError(f"Weights must be numbers, but {_example(weights, odd)} is none.")
    return numbers


def countable(weights: NDArray[Any]) -> NDArray[np.bool_]:
    """Which weights can be counted with."""
    sized = (weights == 0) | (weights >= 1 / LARGEST_WEIGHT)
    return np.asarray(np.isfinite(weights) & sized & (weights <= LARGEST_WEIGHT))


def _exact_floats(score: NDArray[Any], name: str) -> NDArray[np.float64]:
    floats = score.astype(np.float64)
    # Float64 holds every integer up to 2**53. Beyond, different scores could become equal.
    if score.size and max(abs(int(score.min())), abs(int(score.max()))) > 2**53:
        changed = [int(f) != int(s) for f, s in zip(floats, score, strict=True)]
        _demand_unchanged(np.array(changed), name)
    return floats


def _demand_unchanged(changed: NDArray[np.bool_], name: str) -> None:
    if changed.any():
        raise InputError(
            f"`{name}` holds integers above 2**53 that floating point cannot tell apart (first: "
            f"{first_rows(changed)}). Divide or rank them first."
        )


def _parsed(values: NDArray[Any], name: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Objects and texts as numbers (missing ones as NaN), and which of them are none."""
    numbers = np.full(len(values), np.nan)
    odd = ~missing_rows(values)
    changed = np.zeros(len(values), np.bool_)
    for place in np.flatnonzero(odd).tolist():
        value = values[place]
        try:
            numbers[place] = float(value)
        except (TypeError, ValueError, OverflowError):
            continue
        odd[place] = False
        changed[place] = isinstance(value, int) and int(numbers[place]) != value
    _demand_unchanged(changed, name)
    return numbers, odd


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
