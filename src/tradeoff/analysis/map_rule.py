"""The MAP rule: for each observed value, the class with the larger joint probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


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
    return MapRule(choices, two_class(matrix) if len(classes) == 2 else matrix)


def two_class(matrix: ClassMatrix) -> ConfusionMatrix:
    """A two-class table as the matrix that metrics know; the first class is positive."""
    return matrix.one_against_rest(matrix.classes[0])
