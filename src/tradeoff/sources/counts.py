"""Tables of counts, in any of the usual layouts, become confusion matrices or rankings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.map_rule import map_rule
from tradeoff.core.confusion import REJECTED, ClassMatrix, ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError, did_you_mean, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tradeoff.core.confusion import Rows


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
