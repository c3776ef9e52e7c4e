"""Confusion matrices and rankings read from tables of counts, or from predicted classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import REJECTED, ClassMatrix, ConfusionMatrix, Rows
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError, did_you_mean, format_list, suggest_arguments
from tradeoff.formatting import format_rows
from tradeoff.sources.classes import class_labels, class_name
from tradeoff.sources.columns import column_array, require_equal_lengths, require_same_index
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.row_numbers import format_first_rows
from tradeoff.sources.row_rules import numeric_weights

# The MAP rule: for each observed value, the class with the largest joint probability.


JointRows = Literal["values", "classes"]
"""Meaning of the rows of a joint table: observed values, or classes as in some lectures."""


@dataclass(frozen=True)
class MapRule:
    """MAP rule: the class chosen for each observed value, and the rule's confusion matrix.

    `joint` is the joint table, with a row for each observed value and a column for each class.
    """

    choices: tuple[str, ...]
    matrix: ConfusionMatrix | ClassMatrix
    joint: tuple[tuple[float, ...], ...] = ()
    classes: tuple[str, ...] = ()


@suggest_arguments
def map_rule(
    joint: Any, classes: Sequence[str] | None = None, *, rows: JointRows = "values"
) -> MapRule:
    """MAP rule and its confusion matrix from joint counts: the most frequent class for each value.

    Ties go to the class listed first.

    Args:
        joint: Counts or probabilities of each observed value and class: rows of numbers, or a
            string such as "10 30; 40 20".
        classes: The names of the classes, with the positive class first; by default positive and
            negative, or 1, 2, 3, …
        rows: Whether the rows of the table are observed "values", or "classes" as in lectures.

    Example:
        >>> rule = map_rule([[10, 30], [40, 20]], ["+", "-"])
        >>> rule.choices
        ('-', '+')
        >>> rule.matrix
                     predicted +   predicted -
          actual +            40            10
          actual -            20            30
        >>> map_rule("10 40; 30 20", ["+", "-"], rows="classes") == rule
        True
    """
    if rows not in {"values", "classes"}:
        raise InputError(f'`rows` must be "values" or "classes", not {rows!r}.')
    table = _count_table(joint)
    table = table.T if rows == "classes" else table
    classes = _class_names(classes, table.shape[1])
    if table.ndim != 2 or table.shape[1] != len(classes) or len(classes) < 2:
        raise InputError(
            f"The joint table needs one column for each of the {len(classes)} classes (two or "
            f"more) and one row for each observed value; its shape is {table.shape}."
        )
    choice_indices = table.argmax(axis=1)
    counts = np.zeros((len(classes), len(classes)), table.dtype)
    for row, choice in zip(table, choice_indices, strict=True):
        counts[:, choice] += row
    matrix = ClassMatrix(counts, tuple(classes))
    choices = tuple(classes[choice] for choice in choice_indices)
    joint_rows = tuple(map(tuple, table.tolist()))
    result = _first_against_rest(matrix) if len(classes) == 2 else matrix
    return MapRule(choices, result, joint_rows, tuple(classes))


def _first_against_rest(matrix: ClassMatrix) -> ConfusionMatrix:
    """Confusion matrix of two classes, with the first class as positive."""
    return matrix.one_against_rest(matrix.classes[0])


def matrix_of_counts(
    table: Any,
    classes: Sequence[str] | None = None,
    *,
    rows: Rows = "actual",
    positive: str | None = None,
) -> ConfusionMatrix | ClassMatrix:
    """Confusion matrix from a table of counts, weights or proportions.

    Args:
        table: Rows of numbers, or a string such as "7 2; 4 1" or "[7 2; 4 1]". An additional column
            (with rows="predicted", an additional row) holds the rejected rows. Numbers that are
            not divided into rows ("7 2 4 1") are read row by row.
        classes: Class names in the order of the table; by default positive and negative, or 1, 2,
            3, …
        rows: Whether the table's rows are "actual" or "predicted" classes.
        positive: The positive class; with two classes, the first by default. With more classes the
            result is this class against the rest.

    Example:
        >>> matrix_of_counts("1 4; 2 7", ["no", "yes"], positive="yes")
                       predicted yes   predicted no
          actual yes               7              2
          actual no                4              1
    """
    table_counts = _count_table(table)
    if rows not in {"actual", "predicted"}:
        raise InputError(f'`rows` must be "actual" or "predicted", not {rows!r}.')
    counts = table_counts.T if rows == "predicted" else table_counts
    size = len(counts)
    if size < 2 or counts.shape[1] not in {size, size + 1}:
        dimension = "row" if rows == "predicted" else "column"
        raise InputError(
            f"A table of {table_counts.shape[0]} × {table_counts.shape[1]} numbers is not a "
            f"confusion matrix: it needs as many columns as rows (at least two), or "
            f"one more {dimension} for rejected rows."
        )
    names = _class_names(classes, size)
    rejections = counts[:, size] if counts.shape[1] > size else None
    if rejections is not None and REJECTED in names:
        raise InputError(f"With a column of rejected rows, no class can be called {REJECTED!r}.")
    matrix = ClassMatrix(counts[:, :size], names, rejections)
    if positive is not None and positive not in names:
        raise InputError(
            f"There is no class {positive!r}.{did_you_mean(positive, names)} "
            f"The classes are {format_list(names)}."
        )
    if size == 2 or positive is not None:
        return matrix.one_against_rest(positive or names[0])
    return matrix


def ranking_of_matrix(matrix: ConfusionMatrix, name: str = "rule") -> Ranking:
    """Ranking, with scores 1 and 0, for a rule known only by its confusion matrix.

    Its ROC curve has one point between the corners.

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


def ranking_of_ratings(  # noqa: PLR0913 - counts and their names
    positives: Sequence[float],
    negatives: Sequence[float],
    ratings: Sequence[float] | None = None,
    *,
    name: str = "score",
    positive: str = "positive",
    negative: str = "negative",
    rejected_positives: float = 0,
    rejected_negatives: float = 0,
) -> Ranking:
    """Ranking from counts for each category of a rating scale, least positive first.

    Args:
        positives: Number of positive rows in each category.
        negatives: Number of negative rows in each category.
        ratings: Increasing scores of the categories; 1, 2, 3, … by default.
        name: Name of the model.
        positive: Name of the positive class.
        negative: Name of the negative class.
        rejected_positives: Number of positive rows without a rating.
        rejected_negatives: Number of negative rows without a rating.

    Example:
        >>> scale = ranking_of_ratings([3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
        >>> scale
        Ranking(score: 109 rows, 51 'positive' and 58 'negative', 5 distinct scores)
    """
    positive_counts, negative_counts = (np.asarray(counts) for counts in (positives, negatives))
    if (
        positive_counts.ndim != 1
        or positive_counts.shape != negative_counts.shape
        or not positive_counts.size
    ):
        raise InputError(
            "A rating scale needs one count of positives and one of negatives per category."
        )
    for counts in (positive_counts, negative_counts):
        if counts.dtype.kind not in "iuf" or not np.isfinite(counts).all() or (counts < 0).any():
            raise InputError("Counts must be non-negative, with none missing.")
    scores = (
        np.arange(1.0, len(positive_counts) + 1)
        if ratings is None
        else np.asarray(ratings, np.float64)
    )
    if scores.shape != positive_counts.shape or not (np.diff(scores) > 0).all():
        raise InputError("Ratings must increase from the least to the most positive category.")
    are_whole = all(
        np.array_equal(counts, np.floor(counts)) for counts in (positive_counts, negative_counts)
    )
    fits_int64 = (
        float(positive_counts.sum(dtype=np.float64)) + float(negative_counts.sum(dtype=np.float64))
        < 2**62
    )
    dtype = np.int64 if are_whole and fits_int64 else np.float64
    is_occupied = (positive_counts + negative_counts) > 0
    cumulative_counts = [
        np.concatenate([[dtype(0)], np.cumsum(counts[is_occupied][::-1].astype(dtype))])
        for counts in (positive_counts, negative_counts)
    ]
    thresholds = np.concatenate([[np.inf], scores[is_occupied][::-1]])
    rejected_total = rejected_positives + rejected_negatives
    rows = round(float(cumulative_counts[0][-1] + cumulative_counts[1][-1] + rejected_total))
    return Ranking(
        Tally(thresholds, cumulative_counts[0], cumulative_counts[1]),
        rows,
        positive,
        negative,
        name,
        rejected_positives=rejected_positives,
        rejected_negatives=rejected_negatives,
    )


def _class_names(classes: Sequence[str] | None, size: int) -> tuple[str, ...]:
    if classes is None:
        return ("positive", "negative") if size == 2 else tuple(str(i + 1) for i in range(size))
    names = tuple(map(str, classes))
    if len(names) != size or len(set(names)) != size or not all(names):
        raise InputError(
            f"{size} classes need {size} different names, not {format_list(names)} ({len(names)})."
        )
    return names


def _count_table(table: Any) -> NDArray[Any]:
    if isinstance(table, str):
        table = _parse_table(table)
    if not any(hasattr(line, "__len__") for line in table):
        table = _divide_into_rows(list(table))
    if all(hasattr(line, "__len__") for line in table) and len(set(map(len, table))) > 1:
        sizes = format_list([len(line) for line in table])
        raise InputError(
            f"The table's rows have {sizes} numbers, but all rows need the same number."
        )
    counts = np.asarray(table)
    if counts.ndim != 2 or counts.dtype.kind not in "biuf":
        raise InputError("A confusion matrix is a table of numbers, for example [[7, 2], [4, 1]].")
    if not np.isfinite(counts).all() or (counts < 0).any():
        raise InputError("Counts must be non-negative, with none missing.")
    total = sum(map(float, counts.ravel()))
    if np.isinf(total):
        raise InputError("The sum of the counts exceeds the range of floating point.")
    # Sums of integers must not overflow; floats preserve about 16 digits.
    return counts.astype(np.float64) if total > 2**62 else counts


def _parse_table(text: str) -> list[list[float]]:
    """Rows of numbers from text; rows end with a semicolon, a line or a bracket.

    Example:
        >>> _parse_table("[7 2; 4 1]") == _parse_table("[[7, 2], [4, 1]]") == [[7, 2], [4, 1]]
        True
        >>> _parse_table("7 2 4 1")
        [[7, 2], [4, 1]]
    """
    lines = [line.strip(" \t,[]()") for line in re.split(r"[;\n]|\]\s*,?\s*\[", text.strip())]
    while len(lines) > 1 and not lines[-1]:
        lines.pop()
    table = [[_parse_count(cell) for cell in re.split(r"[\s,]+", line)] for line in lines]
    return _divide_into_rows(table[0]) if len(table) == 1 else table


def _divide_into_rows(numbers: list[Any]) -> list[list[Any]]:
    """Divide numbers into the rows of a square table, or of one with a column of rejected rows."""
    for size in range(2, len(numbers)):
        for columns in (size, size + 1):
            if size * columns == len(numbers):
                return [numbers[i : i + columns] for i in range(0, len(numbers), columns)]
    raise InputError(
        f"{len(numbers)} number{'s' * (len(numbers) != 1)} cannot be divided into the rows of a "
        'confusion matrix: two classes have 4 numbers, three have 9. Write rows as "7 2; 4 1".'
    )


def _parse_count(cell: str) -> float:
    try:
        return int(cell)
    except ValueError:
        pass
    try:
        return float(cell)
    except ValueError:
        raise InputError(f'{cell!r} is not a count. Write a table as "7 2; 4 1".') from None


# Confusion matrix from actual and predicted classes.


@suggest_arguments
def confusion_matrix(
    actual: Any, predicted: Any, *, positive: Any = None, weight: Any = None, rejected: Any = None
) -> ConfusionMatrix | ClassMatrix:
    """Confusion matrix from columns of actual and predicted classes.

    Args:
        actual: The class of each row.
        predicted: The predicted class of each row.
        positive: The positive class, required for two classes other than 0/1, -1/1 and booleans.
            With more classes, the result is this class against the rest.
        weight: The weight of each row; 0 leaves it out.
        rejected: The value of `predicted` that stands for "undecided".

    Example:
        >>> confusion_matrix(["a", "b", "a"], ["a", "?", "b"], positive="a", rejected="?")
                     predicted a   predicted b   rejected
          actual a             1             1          0
          actual b             0             0          1
    """
    require_same_index(("actual", actual), ("predicted", predicted), ("weight", weight))
    actual, predicted = column_array(actual, "actual"), column_array(predicted, "predicted")
    require_equal_lengths(actual, predicted, "actual", "predicted")
    weights = None
    if weight is not None:
        weights = numeric_weights(column_array(weight, "weight"), "weight")
        require_equal_lengths(actual, weights, "actual", "weight")
        keep = weights > 0
        actual, predicted, weights = actual[keep], predicted[keep], weights[keep]
    actual, predicted = _common_type(actual, predicted)
    _require_classes(actual, "actual")
    _require_classes(predicted, "predicted")
    (actual_names, actual_codes), (predicted_names, predicted_codes) = (
        _class_codes(actual),
        _class_codes(predicted),
    )
    rejected_name = None if rejected is None else class_name(rejected)
    _require_distinct_names(actual_names, predicted_names, rejected_name, predicted)
    classes = list(
        dict.fromkeys([*actual_names, *(name for name in predicted_names if name != rejected_name)])
    )
    binary_labels = (
        class_labels(actual, positive) if positive is not None or len(classes) <= 2 else None
    )
    if binary_labels is not None and len(classes) < 2:
        classes = list(dict.fromkeys([binary_labels.positive, binary_labels.negative, *classes]))
    index_by_name = {name: index for index, name in enumerate(classes)}
    size = len(classes)
    row_by_code = np.array([index_by_name[name] for name in actual_names], np.intp)
    column_by_code = np.array([index_by_name.get(name, size) for name in predicted_names], np.intp)
    cell_indices = (
        row_by_code[actual_codes] * (size + 1) + column_by_code[predicted_codes]
        if len(actual)
        else actual_codes
    )
    counts = _cell_counts(cell_indices, weights, size * (size + 1)).reshape(size, size + 1)
    rejections = None if rejected_name is None else counts[:, size]
    matrix = ClassMatrix(counts[:, :size], tuple(classes), rejections)
    return matrix if binary_labels is None else matrix.one_against_rest(binary_labels.positive)


def _common_type(
    actual: NDArray[Any], predicted: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Convert booleans to 1 and 0 if the other column is numeric."""
    kinds = actual.dtype.kind + predicted.dtype.kind
    if kinds != "bb" and "b" in kinds and set(kinds) <= set("biuf"):
        return actual.astype(np.float64), predicted.astype(np.float64)
    return actual, predicted


def _require_distinct_names(
    actual_names: list[str],
    predicted_names: list[str],
    rejected_name: str | None,
    predicted: NDArray[Any],
) -> None:
    if rejected_name in actual_names:
        raise InputError(
            f"rejected={rejected_name!r} is also an actual class: give them different names."
        )
    if rejected_name is not None and REJECTED in actual_names:
        raise InputError(f"With rejected rows, no class can be called {REJECTED!r}.")
    if (
        predicted.dtype.kind == "f"
        and actual_names
        and not set(actual_names) & set(predicted_names)
    ):
        raise InputError(
            "No predicted value is an actual class: the predictions look like scores. "
            "Use evaluate(actual=…, score=…)."
        )


def _class_codes(values: NDArray[Any]) -> tuple[list[str], NDArray[np.intp]]:
    """Names of the classes that occur, and the index of the class of each row."""
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    unique_values, codes = np.unique(values, return_inverse=True)
    return [class_name(value) for value in unique_values], codes


def _cell_counts(
    cell_indices: NDArray[np.intp], weights: NDArray[Any] | None, size: int
) -> NDArray[Any]:
    if weights is None or weights.dtype.kind == "f":
        return np.bincount(cell_indices, weights, minlength=size)
    counts = np.zeros(size, np.int64)
    np.add.at(counts, cell_indices, weights)  # bincount would convert integer weights to floats
    return counts


def _require_classes(values: NDArray[Any], name: str) -> None:
    missing = missing_rows(values)
    missing_count = int(missing.sum())
    if missing_count:
        verb = "has" if missing_count == 1 else "have"
        raise InputError(
            f"{missing_count:,} of {format_rows(len(missing))} {verb} no {name} class "
            f"(first: {format_first_rows(missing)}). Leave such rows out; for undecided "
            "predictions, use a name such as '?' and pass rejected='?'."
        )
