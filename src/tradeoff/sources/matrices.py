"""Counts, predicted classes and joint counts become confusion matrices or rankings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import REJECTED, ClassMatrix, ConfusionMatrix, Rows
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError, did_you_mean, listed
from tradeoff.sources.classes import class_name, first_rows, labels, missing_rows
from tradeoff.sources.columns import as_column, require_same_index
from tradeoff.sources.policy import as_weights, require_equal_lengths

# The MAP rule: for each observed value, the class with the larger joint probability.


@dataclass(frozen=True)
class MapRule:
    """Which class is chosen for each observed value, and what comes of it."""

    choices: tuple[str, ...]
    matrix: ConfusionMatrix | ClassMatrix


def map_rule(joint: Any, classes: Sequence[str]) -> MapRule:
    """Choose for each observed value the class that occurs most often with it.

    Ties go to the class named first.

    Args:
        joint: One row for each observed value, one column for each class: counts or probabilities.
        classes: The names of the columns, positive class first.

    Example:
        >>> rule = map_rule([[10, 30], [40, 20]], ["+", "-"])
        >>> rule.choices
        ('-', '+')
        >>> rule.matrix
        ConfusionMatrix(40 of 50 '+' found, 20 of 50 '-' called '+')
    """
    table = np.asarray(joint)
    if table.ndim != 2 or table.shape[1] != len(classes) or len(classes) < 2:
        raise InputError(
            f"The joint table needs one column for each of the {len(classes)} classes (two or "
            f"more) and one row for each observed value; its shape is {table.shape}."
        )
    if not np.isfinite(table).all() or (table < 0).any():
        raise InputError("Joint counts or probabilities must be numbers of 0 or more.")
    chosen = table.argmax(axis=1)
    counts = np.zeros((len(classes), len(classes)), table.dtype)
    for row, choice in zip(table, chosen, strict=True):
        counts[:, choice] += row
    matrix = ClassMatrix(counts, tuple(classes))
    choices = tuple(classes[choice] for choice in chosen)
    return MapRule(choices, _two_class(matrix) if len(classes) == 2 else matrix)


def _two_class(matrix: ClassMatrix) -> ConfusionMatrix:
    """A two-class table as the matrix that metrics know; the first class is positive."""
    return matrix.one_against_rest(matrix.classes[0])


def matrix_of_counts(
    table: Any,
    classes: Sequence[str] | None = None,
    *,
    rows: Rows = "actual",
    positive: str | None = None,
) -> ConfusionMatrix | ClassMatrix:
    """A confusion matrix from counts, weights or proportions.

    Args:
        table: Rows of numbers, or text such as "7 2; 4 1". One column more than classes (one row
            more, with rows="predicted") holds the rejected.
        classes: Names in the order of the table; without them: positive, negative or 1, 2, 3 …
        rows: Whether the table's rows are actual or predicted classes.
        positive: Which of two classes is positive; the first, if not said. With more classes the
            result is this class against the rest.

    Example:
        >>> matrix_of_counts("1 4; 2 7", ["no", "yes"], positive="yes")
        ConfusionMatrix(7 of 9 'yes' found, 4 of 5 'no' called 'yes')
    """
    given = _numbers(table)
    if rows not in {"actual", "predicted"}:
        raise InputError(f'`rows` is "actual" or "predicted", not {rows!r}.')
    counts = given.T if rows == "predicted" else given
    size = len(counts)
    if size < 2 or counts.shape[1] not in {size, size + 1}:
        extra = "row" if rows == "predicted" else "column"
        raise InputError(
            f"A table of {given.shape[0]} × {given.shape[1]} numbers is no confusion matrix: it "
            f"needs as many columns as rows (at least two), or one {extra} more for the rejected."
        )
    names = _names(classes, size)
    rejections = counts[:, size] if counts.shape[1] > size else None
    if rejections is not None and REJECTED in names:
        raise InputError(f"With a column of rejected rows no class can be called {REJECTED!r}.")
    matrix = ClassMatrix(counts[:, :size], names, rejections)
    if positive is not None and positive not in names:
        raise InputError(
            f"There is no class {positive!r}.{did_you_mean(positive, names)} "
            f"The classes are {listed(names)}."
        )
    if size == 2 or positive is not None:
        return matrix.one_against_rest(positive or names[0])
    return matrix


def ranking_of_matrix(matrix: ConfusionMatrix, name: str = "rule") -> Ranking:
    """A rule that only has a confusion matrix, as a ranking with the scores 1 and 0.

    Its ROC curve is one point between the ends, its AUC the area of those two segments.

    Example:
        >>> ranking_of_matrix(matrix_of_counts("63 37; 28 72"), "A")
        Ranking(A: 200 rows, 100 'positive' and 100 'negative', 2 distinct scores)
    """
    return ranking_of_ratings(
        [matrix.false_negatives, matrix.true_positives],
        [matrix.true_negatives, matrix.false_positives],
        [0.0, 1.0],
        name=name,
        positive=matrix.positive,
        negative=matrix.negative,
        rejected_positives=matrix.rejected_positives,
        rejected_negatives=matrix.rejected_negatives,
    )


def ranking_of_ratings(
    positives: Sequence[float],
    negatives: Sequence[float],
    ratings: Sequence[float] | None = None,
    **described: Any,
) -> Ranking:
    """Counts by category of a rating scale, from the least to the most positive, as a ranking.

    Args:
        positives: Positive rows of each category.
        negatives: Negative rows of each category.
        ratings: The scores of the categories, rising; 1, 2, 3, … if not given.
        described: Names and notes of the ranking.

    Example:
        >>> scale = ranking_of_ratings([3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
        >>> scale
        Ranking(score: 109 rows, 51 'positive' and 58 'negative', 5 distinct scores)
    """
    found, others = (np.asarray(counts) for counts in (positives, negatives))
    if found.ndim != 1 or found.shape != others.shape or not found.size:
        raise InputError("A rating scale needs as many counts of positives as of negatives.")
    for counts in (found, others):
        if counts.dtype.kind not in "iuf" or not np.isfinite(counts).all() or (counts < 0).any():
            raise InputError("Counts must be 0 or more, and none may be missing.")
    scores = np.arange(1.0, len(found) + 1) if ratings is None else np.asarray(ratings, np.float64)
    if scores.shape != found.shape or not (np.diff(scores) > 0).all():
        raise InputError("Ratings rise from the least to the most positive, one a category.")
    whole = all(np.array_equal(counts, np.floor(counts)) for counts in (found, others))
    fits = float(found.sum(dtype=np.float64)) + float(others.sum(dtype=np.float64)) < 2**62
    kind = np.int64 if whole and fits else np.float64
    kept = (found + others) > 0
    columns = [
        np.concatenate([[kind(0)], np.cumsum(counts[kept][::-1].astype(kind))])
        for counts in (found, others)
    ]
    thresholds = np.concatenate([[np.inf], scores[kept][::-1]])
    rejected = described.get("rejected_positives", 0) + described.get("rejected_negatives", 0)
    rows = round(float(columns[0][-1] + columns[1][-1] + rejected))
    return Ranking(Tally(thresholds, columns[0], columns[1]), rows, **described)


def matrix_of_joint_counts(
    table: Any, classes: Sequence[str] | None = None
) -> tuple[tuple[str, ...], ConfusionMatrix | ClassMatrix]:
    """What the MAP rule chooses for each row of a joint table, and the matrix that follows.

    Rows are observed values, columns classes (the first one positive).
    """
    counts = _numbers(table)
    rule = map_rule(counts, _names(classes, counts.shape[1]))
    return rule.choices, rule.matrix


def _names(classes: Sequence[str] | None, size: int) -> tuple[str, ...]:
    if classes is None:
        return ("positive", "negative") if size == 2 else tuple(str(i + 1) for i in range(size))
    names = tuple(map(str, classes))
    if len(names) != size or len(set(names)) != size or not all(names):
        raise InputError(
            f"{size} classes need {size} different names, not {listed(names)} ({len(names)})."
        )
    return names


def _numbers(table: Any) -> NDArray[Any]:
    if isinstance(table, str):
        table = [re.split(r"[\s,]+", line.strip()) for line in re.split(r"[;\n]", table.strip())]
        table = [[_number(cell) for cell in line] for line in table]
    if all(hasattr(line, "__len__") for line in table) and len(set(map(len, table))) > 1:
        sizes = listed([len(line) for line in table])
        raise InputError(f"The table's rows have {sizes} numbers; all need the same.")
    counts = np.asarray(table)
    if counts.ndim != 2 or counts.dtype.kind not in "biuf":
        raise InputError("A confusion matrix is a table of numbers, for example [[7, 2], [4, 1]].")
    if not np.isfinite(counts).all() or (counts < 0).any():
        raise InputError("Counts must be 0 or more, and none may be missing.")
    total = sum(map(float, counts.ravel()))
    if np.isinf(total):
        raise InputError("The counts add up to more than a number can hold.")
    # Sums of integers must not overflow; floats hold these with 16 digits.
    return counts.astype(np.float64) if total > 2**62 else counts


def _number(cell: str) -> float:
    try:
        return int(cell)
    except ValueError:
        pass
    try:
        return float(cell)
    except ValueError:
        raise InputError(f'{cell!r} is not a count. Write a table as "7 2; 4 1".') from None


# Actual and predicted classes become a confusion matrix.


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
    require_equal_lengths(actual, predicted, "actual", "predicted")
    weights = None
    if weight is not None:
        weights = as_weights(as_column(weight, "weight"), "weight")
        require_equal_lengths(actual, weights, "actual", "weight")
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
