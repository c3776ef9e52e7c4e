"""Join of two tables of scores, a baseline's and a candidate's, on their shared rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.classes import class_name, format_first_rows, missing_rows
from tradeoff.sources.read import table_columns
from tradeoff.text import format_rows, printable

BASELINE, CANDIDATE = "baseline", "candidate"
MAX_EXAMPLES = 3
"""Examples listed in a message."""

Table = dict[str, "NDArray[Any]"]


@dataclass(frozen=True, eq=False)
class JoinedTables:
    """Rows shared by a baseline and a candidate table, in the order of the baseline.

    `weight` and `cluster` are the baseline's columns; `notes` say what was left out.
    """

    actual: NDArray[Any]
    baseline: NDArray[Any]
    candidate: NDArray[Any]
    weight: NDArray[Any] | None = None
    cluster: NDArray[Any] | None = None
    notes: tuple[str, ...] = ()


def join_tables(  # noqa: PLR0913 - two tables and their columns
    baseline: Any,
    candidate: Any,
    *,
    actual: str,
    score: str,
    candidate_score: str | None = None,
    on: str | None = None,
    weight: str | None = None,
    cluster: str | None = None,
) -> JoinedTables:
    """Join two tables of scores by a column of ids, or row by row without one.

    Args:
        baseline: The table of the old model: a dataframe of any library, or a path.
        candidate: The table of the new one.
        actual: The column of the actual class, in both.
        score: The column of the scores.
        candidate_score: The candidate's score column, if it has another name.
        on: The column of ids, in both. Without it the tables must list the same rows in the
            same order.
        weight: The baseline's column of weights.
        cluster: The baseline's column of patients, users or other units.

    Example:
        >>> import pandas as pd
        >>> old = pd.DataFrame({"id": [1, 2, 3], "y": [0, 1, 1], "p": [0.2, 0.6, 0.7]})
        >>> new = pd.DataFrame({"id": [3, 1, 9], "y": [1, 0, 0], "p": [0.9, 0.1, 0.3]})
        >>> joined = join_tables(old, new, actual="y", score="p", on="id")
        >>> joined.baseline.tolist(), joined.candidate.tolist()
        ([0.2, 0.7], [0.1, 0.9])
        >>> joined.notes
        ('2 rows are in both; 1 of the baseline and 1 of the candidate are left out',)
    """
    key_columns = [on] if on is not None else []
    extra_columns = [name for name in (weight, cluster) if name is not None]
    candidate_column = score if candidate_score is None else candidate_score
    old_columns = _table_columns(baseline, [*key_columns, actual, score, *extra_columns], BASELINE)
    new_columns = _table_columns(candidate, [*key_columns, actual, candidate_column], CANDIDATE)
    if on is None:
        notes = _require_equal_lengths(len(old_columns[actual]), len(new_columns[actual]))
    else:
        old_columns, new_columns, notes = _shared_rows(old_columns, new_columns, on)
    _require_same_classes(old_columns, new_columns, actual, on)
    return JoinedTables(
        old_columns[actual],
        old_columns[score],
        new_columns[candidate_column],
        None if weight is None else old_columns[weight],
        None if cluster is None else old_columns[cluster],
        notes,
    )


def _table_columns(data: Any, names: Sequence[str], table: str) -> Table:
    """Columns of one of the two tables; errors name the table."""
    try:
        return table_columns(data, list(names))
    except ColumnError as problem:
        raise ColumnError(f"In the {table}: {problem}") from problem


def _require_equal_lengths(old: int, new: int) -> tuple[str, ...]:
    if old != new:
        raise InputError(
            f"The baseline has {format_rows(old)} and the candidate {format_rows(new)}: which "
            "belong together? "
            "Name a column of ids that both have."
        )
    return ("no column of ids was named: rows are paired in the order of the tables",)


def _shared_rows(old: Table, new: Table, on: str) -> tuple[Table, Table, tuple[str, ...]]:
    """Rows whose id is in both tables."""
    for columns, table in ((old, BASELINE), (new, CANDIDATE)):
        _require_ids(columns[on], on, table)
    old_ids, new_ids = _comparable_ids(old[on], new[on])
    for ids, table in ((old_ids, BASELINE), (new_ids, CANDIDATE)):
        _require_unique_ids(ids, on, table)
    _, old_rows, new_rows = np.intersect1d(
        old_ids, new_ids, assume_unique=True, return_indices=True
    )
    if not len(old_rows):
        raise InputError(
            f"No id of {on!r} is in both: the baseline has {_format_examples(old_ids)}, the "
            f"candidate {_format_examples(new_ids)}."
        )
    order = np.argsort(old_rows)
    old_rows, new_rows = old_rows[order], new_rows[order]
    shared = [
        {name: column[rows] for name, column in columns.items()}
        for columns, rows in ((old, old_rows), (new, new_rows))
    ]
    return shared[0], shared[1], _left_out_note(len(old_rows), len(old_ids), len(new_ids))


def _left_out_note(shared: int, old: int, new: int) -> tuple[str, ...]:
    if shared == old == new:
        return ()
    subject = "row is" if shared == 1 else "rows are"
    left_out = (
        f"{old - shared:,} of the baseline and {new - shared:,} of the candidate are left out"
    )
    return (f"{shared:,} {subject} in both; {left_out}",)


def _require_ids(ids: NDArray[Any], on: str, table: str) -> None:
    missing = missing_rows(ids)
    if missing.any():
        raise InputError(
            f"{format_rows(int(missing.sum()))} of the {table} without an id in {on!r} (first: "
            f"{format_first_rows(missing)}): fill it in, as rows are joined by it."
        )


def _require_unique_ids(ids: NDArray[Any], on: str, table: str) -> None:
    unique, counts = np.unique(ids, return_counts=True)
    repeated = unique[counts > 1]
    if len(repeated):
        subject = "id occurs" if len(repeated) == 1 else "ids occur"
        raise InputError(
            f"{len(repeated):,} {subject} more than once in {on!r} of the {table}, "
            f"{_format_examples(repeated)}: each row needs a unique id."
        )


def _comparable_ids(
    old_ids: NDArray[Any], new_ids: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Ids of one type: integers if both are, else text, as floats would round large numbers."""
    if old_ids.dtype.kind == new_ids.dtype.kind and old_ids.dtype.kind in "iuUM":
        return old_ids, new_ids
    return _texts(old_ids), _texts(new_ids)


def _texts(values: NDArray[Any]) -> NDArray[Any]:
    """Values as text: 7, 7.0 and "7" are the same id or class."""
    return np.array([class_name(value) for value in values.tolist()], dtype=np.str_)


def _require_same_classes(old: Table, new: Table, actual: str, on: str | None) -> None:
    """Require the same actual class of each row in both tables."""
    differ = _class_differences(old[actual], new[actual])
    if not differ.any():
        return
    examples = []
    for index in np.flatnonzero(differ)[:MAX_EXAMPLES]:
        row = f"row {index + 1}" if on is None else f"id {_format_value(old[on][index])}"
        values = [_format_value(columns[actual][index]) for columns in (old, new)]
        examples.append(f"{row} is {values[0]} in the baseline but {values[1]} in the candidate")
    remedy = (
        "Do both list the same rows in the same order? If not, name a column of ids."
        if on is None
        else "A row has one actual class: correct one of the tables."
    )
    raise InputError(
        f"The actual classes in {actual!r} differ in {int(differ.sum()):,} of "
        f"{format_rows(len(differ))}: "
        f"{'; '.join(examples)}. {remedy}"
    )


def _class_differences(old: NDArray[Any], new: NDArray[Any]) -> NDArray[np.bool_]:
    """Mask of rows whose classes differ; classes missing in both are equal."""
    old_missing, new_missing = missing_rows(old), missing_rows(new)
    numbers = all(values.dtype.kind in "biuf" for values in (old, new))
    if numbers or old.dtype.kind == new.dtype.kind == "U":
        unequal = np.asarray(old != new)
    else:
        unequal = _texts(old) != _texts(new)
    return np.asarray((unequal & ~old_missing & ~new_missing) | (old_missing != new_missing))


def _format_examples(ids: NDArray[Any]) -> str:
    examples = [_format_value(value) for value in ids[:MAX_EXAMPLES].tolist()]
    return ", ".join(
        [*examples, f"{len(ids) - MAX_EXAMPLES:,} more"] if len(ids) > MAX_EXAMPLES else examples
    )


def _format_value(value: Any) -> str:
    if isinstance(value, str | bytes):
        return repr(printable(class_name(value)))
    return "missing" if value is None or value != value else class_name(value)  # noqa: PLR0124 - NaN
