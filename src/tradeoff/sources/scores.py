"""Scores and weights of any type become floats or integers, without losing a digit."""

from __future__ import annotations

from decimal import Decimal
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.core.numbers import as_floats, rounded_rows
from tradeoff.errors import InputError, listed
from tradeoff.sources.labels import Labels, class_name, classes_in, first_rows, missing_rows
from tradeoff.sources.written import SURE, is_integer

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
