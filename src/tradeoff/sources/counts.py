"""Tables of counts, in any of the usual layouts, become confusion matrices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.map_rule import map_rule
from tradeoff.errors import InputError, did_you_mean, listed
from tradeoff.ranking.confusion import REJECTED, ClassMatrix, ConfusionMatrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tradeoff.ranking.confusion import Rows


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
