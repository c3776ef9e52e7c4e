"""Scores and weights of any type as numbers, without loss of digits."""

from __future__ import annotations

from decimal import Decimal
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.number_types import inexact_integers, scores_as_floats
from tradeoff.errors import InputError, format_list
from tradeoff.sources.classes import Labels, class_name, distinct_class_names
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.row_messages import (
    MAX_WEIGHT,
    Fault,
    non_numeric_score_message,
    non_numeric_weight_message,
    require_decimal_points,
    require_exact_scores,
    ties_note,
)
from tradeoff.sources.text_values import MAX_EXACT_INTEGER, is_integer


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
    ties = _count_float_ties(score)
    return Scores(numbers, (ties_note(name, ties),) if ties else ())


def are_whole_numbers(weights: NDArray[Any]) -> bool:
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


def _count_float_ties(values: NDArray[Any]) -> int:
    """Number of distinct decimals, including those in strings, that become ties as float64."""
    decimals = {value for value in values.tolist() if isinstance(value, str | Decimal)}
    floats = {float(value) for value in decimals}
    if len(decimals) == len(floats):  # the usual case
        return 0
    exact_values = {Decimal(value) for value in decimals if not isnan(float(value))}
    return len(exact_values) - len({number for number in floats if not isnan(number)})


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
