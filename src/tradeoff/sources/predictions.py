"""Actual and predicted classes become a confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.confusion import REJECTED, ClassMatrix, ConfusionMatrix
from tradeoff.errors import InputError
from tradeoff.sources.arrays import demand_equal_lengths
from tradeoff.sources.columns import as_column, require_same_index
from tradeoff.sources.labels import class_name, first_rows, labels, missing_rows
from tradeoff.sources.scores import as_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray


def confusion_matrix(
    actual: Any, predicted: Any, *, positive: Any = None, weight: Any = None, rejected: Any = None
) -> ConfusionMatrix | ClassMatrix:
    """Count what was predicted against what was there.

    Args:
        actual: The class of each row.
        predicted: The predicted class of each row.
        positive: The positive class. Two classes other than 0/1, -1/1 and booleans need it; with
            more, it gives this class against the rest.
        weight: What each row counts; 0 leaves it out.
        rejected: The predicted value that means "left undecided".

    Example:
        >>> confusion_matrix(["a", "b", "a"], ["a", "?", "b"], positive="a", rejected="?")
        ConfusionMatrix(1 of 2 'a' found, 0 of 1 'b' called 'a', 1 rejected)
    """
    require_same_index(("actual", actual), ("predicted", predicted), ("weight", weight))
    actual, predicted = as_column(actual, "actual"), as_column(predicted, "predicted")
    demand_equal_lengths(actual, predicted, "actual", "predicted")
    weights = None
    if weight is not None:
        weights = as_weights(as_column(weight, "weight"), "weight")
        demand_equal_lengths(actual, weights, "actual", "weight")
        keep = weights > 0
        actual, predicted, weights = actual[keep], predicted[keep], weights[keep]
    actual, predicted = _one_kind(actual, predicted)
    _demand_classes(actual, "actual")
    _demand_classes(predicted, "predicted")
    (own, rows), (called, columns) = _coded(actual), _coded(predicted)
    undecided = None if rejected is None else class_name(rejected)
    _demand_sense(own, called, undecided, predicted)
    classes = list(dict.fromkeys([*own, *(name for name in called if name != undecided)]))
    known = labels(actual, positive) if positive is not None or len(classes) <= 2 else None
    if known is not None and len(classes) < 2:
        classes = list(dict.fromkeys([known.positive, known.negative, *classes]))
    places = {name: place for place, name in enumerate(classes)}
    size = len(classes)
    to_row = np.array([places[name] for name in own], np.intp)
    to_column = np.array([places.get(name, size) for name in called], np.intp)
    cells = to_row[rows] * (size + 1) + to_column[columns] if len(actual) else rows
    counts = _counted(cells, weights, size * (size + 1)).reshape(size, size + 1)
    rejections = None if undecided is None else counts[:, size]
    matrix = ClassMatrix(counts[:, :size], tuple(classes), rejections)
    return matrix if known is None else matrix.one_against_rest(known.positive)


def _one_kind(actual: NDArray[Any], predicted: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Booleans beside numbers are 1 and 0."""
    kinds = actual.dtype.kind + predicted.dtype.kind
    if kinds != "bb" and "b" in kinds and set(kinds) <= set("biuf"):
        return actual.astype(np.float64), predicted.astype(np.float64)
    return actual, predicted


def _demand_sense(
    own: list[str], called: list[str], undecided: str | None, predicted: NDArray[Any]
) -> None:
    if undecided in own:
        raise InputError(f"rejected={undecided!r} is also an actual class: name them differently.")
    if undecided is not None and REJECTED in own:
        raise InputError(f"With rejected rows no class can be called {REJECTED!r}.")
    if predicted.dtype.kind == "f" and own and not set(own) & set(called):
        raise InputError(
            "No predicted value is an actual class: these look like scores. "
            "Use evaluate(actual=…, score=…)."
        )


def _coded(values: NDArray[Any]) -> tuple[list[str], NDArray[np.intp]]:
    """The classes that occur, in order, and the place of each row's class among them."""
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    found, places = np.unique(values, return_inverse=True)
    return [class_name(value) for value in found], places


def _counted(cells: NDArray[np.intp], weights: NDArray[Any] | None, size: int) -> NDArray[Any]:
    if weights is None or weights.dtype.kind == "f":
        return np.bincount(cells, weights, minlength=size)
    counts = np.zeros(size, np.int64)
    np.add.at(counts, cells, weights)  # bincount would turn integer weights into floats
    return counts


def _demand_classes(values: NDArray[Any], name: str) -> None:
    absent = missing_rows(values)
    if absent.any():
        raise InputError(
            f"{int(absent.sum()):,} of {len(absent):,} rows have no {name} class (first: "
            f"{first_rows(absent)}). Leave them out; for undecided predictions, give them a name "
            "such as '?' and pass rejected='?'."
        )
