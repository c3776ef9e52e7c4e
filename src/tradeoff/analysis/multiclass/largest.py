"""The class with the largest score is the one that is predicted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tradeoff.core.confusion import ClassMatrix
from tradeoff.text import rows as number_of_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.class_scores import ClassScores


class Largest(NamedTuple):
    """The place of each row's predicted class, and which rows several classes had a claim to."""

    codes: NDArray[np.intp]
    tied: NDArray[np.bool_]


def largest(rows: ClassScores) -> Largest:
    """Predict the class with the largest score; on a tie, the one that is listed first.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.4, 0.8])
        >>> largest(ClassScores(scores, np.array([0, 0, 1]), ("a", "b"))).codes.tolist()
        [0, 0, 1]
    """
    best = rows.scores[0].astype(np.float64)
    codes, tied = np.zeros(rows.rows, np.intp), np.zeros(rows.rows, np.bool_)
    for at, column in enumerate(rows.scores[1:], start=1):
        higher = column > best
        tied = np.where(higher, False, tied | (column == best))
        codes[higher] = at
        best[higher] = column[higher]
    return Largest(codes, tied)


def class_matrix(rows: ClassScores, predicted: NDArray[np.intp]) -> ClassMatrix:
    """Count the predicted classes against the actual ones.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.4, 0.8])
        >>> rows = ClassScores(scores, np.array([0, 1, 1]), ("a", "b"))
        >>> class_matrix(rows, largest(rows).codes)
        ClassMatrix(2 classes, 2 of 3 rows right)
    """
    size = len(rows.classes)
    cells = rows.codes * size + predicted
    return ClassMatrix(rows.added_up(cells, size * size).reshape(size, size), rows.classes)


def tie_note(rows: ClassScores, tied: NDArray[np.bool_]) -> str | None:
    """How many rows have no single largest score; nothing where every row has one."""
    if not tied.any():
        return None
    seen = rows.weights if rows.is_counted else None
    number = tied.sum() if seen is None else seen[tied].sum()
    return (
        f"{number_of_rows(int(number))} with the same largest score for several classes: "
        "the class that is listed first is predicted"
    )
