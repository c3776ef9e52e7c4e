"""Join a baseline's and a candidate's table of scores on the rows that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import ColumnError, InputError
from tradeoff.formatting import format_rows, printable
from tradeoff.sources.classes import class_name
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.read_columns import read_table_columns
from tradeoff.sources.row_numbers import format_first_rows

BASELINE, CANDIDATE = "baseline", "candidate"
MAX_EXAMPLES = 3
"""Maximum number of examples listed in a message."""

Table = dict[str, "NDArray[Any]"]


@dataclass(frozen=True, eq=False)
class JoinedTables:
    """Rows shared by a baseline and a candidate table, in the order of the baseline.

    `weight` and `cluster` are columns of the baseline; `notes` report rows that were left out.
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
    """Join two tables of scores on an ID column, or row by row without one.

    Args:
        baseline: The table of the old model: a dataframe of any library, or a path.
        candidate: The table of the new model.
        actual: The column of the actual class, in both tables.
        score: The column of the scores.
        candidate_score: The candidate's score column, if its name differs.
        on: The ID column, in both tables. Without it the tables must list the same rows in the
            same order.
        weight: The weight column of the baseline.
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
    baseline_columns = _table_columns(
        baseline, [*key_columns, actual, score, *extra_columns], BASELINE
    )
    candidate_columns = _table_columns(
        candidate, [*key_columns, actual, candidate_column], CANDIDATE
    )
    if on is None:
        notes = _require_equal_lengths(
            len(baseline_columns[actual]), len(candidate_columns[actual])
        )
    else:
        baseline_columns, candidate_columns, notes = _shared_rows(
            baseline_columns, candidate_columns, on
        )
    _require_same_classes(baseline_columns, candidate_columns, actual, on)
    return JoinedTables(
        baseline_columns[actual],
        baseline_columns[score],
        candidate_columns[candidate_column],
        None if weight is None else baseline_columns[weight],
        None if cluster is None else baseline_columns[cluster],
        notes,
    )


def _table_columns(data: Any, names: Sequence[str], table_name: str) -> Table:
    """Columns of one of the two tables; errors name the table."""
    try:
        return read_table_columns(data, list(names))
    except ColumnError as problem:
        raise ColumnError(f"In the {table_name}: {problem}") from problem


def _require_equal_lengths(baseline_rows: int, candidate_rows: int) -> tuple[str, ...]:
    """Require tables of equal length, and return the note that rows are paired by position."""
    if baseline_rows != candidate_rows:
        raise InputError(
            f"The baseline has {format_rows(baseline_rows)} and the candidate "
            f"{format_rows(candidate_rows)}: name an ID column of both tables to match them."
        )
    return ("no ID column was named: rows are paired in the order of the tables",)


def _shared_rows(
    baseline: Table, candidate: Table, on: str
) -> tuple[Table, Table, tuple[str, ...]]:
    """Rows whose ID is in both tables, and a note on the others."""
    for columns, table_name in ((baseline, BASELINE), (candidate, CANDIDATE)):
        _require_ids(columns[on], on, table_name)
    baseline_ids, candidate_ids = _comparable_ids(baseline[on], candidate[on])
    for ids, table_name in ((baseline_ids, BASELINE), (candidate_ids, CANDIDATE)):
        _require_unique_ids(ids, on, table_name)
    _, baseline_rows, candidate_rows = np.intersect1d(
        baseline_ids, candidate_ids, assume_unique=True, return_indices=True
    )
    if not len(baseline_rows):
        raise InputError(
            f"The tables share no ID in {on!r}: the baseline has {_format_examples(baseline_ids)}, "
            f"the candidate {_format_examples(candidate_ids)}."
        )
    order = np.argsort(baseline_rows)
    baseline_rows, candidate_rows = baseline_rows[order], candidate_rows[order]
    shared = [
        {name: column[rows] for name, column in columns.items()}
        for columns, rows in ((baseline, baseline_rows), (candidate, candidate_rows))
    ]
    return (
        shared[0],
        shared[1],
        _left_out_note(len(baseline_rows), len(baseline_ids), len(candidate_ids)),
    )


def _left_out_note(shared_rows: int, baseline_rows: int, candidate_rows: int) -> tuple[str, ...]:
    if shared_rows == baseline_rows == candidate_rows:
        return ()
    subject = "row is" if shared_rows == 1 else "rows are"
    left_out_rows = (
        f"{baseline_rows - shared_rows:,} of the baseline and "
        f"{candidate_rows - shared_rows:,} of the candidate"
    )
    return (f"{shared_rows:,} {subject} in both; {left_out_rows} are left out",)


def _require_ids(ids: NDArray[Any], on: str, table_name: str) -> None:
    missing = missing_rows(ids)
    if missing.any():
        raise InputError(
            f"{format_rows(int(missing.sum()))} of the {table_name} without an ID in {on!r} "
            f"(first: {format_first_rows(missing)}): fill it in, as rows are joined on it."
        )


def _require_unique_ids(ids: NDArray[Any], on: str, table_name: str) -> None:
    unique_ids, counts = np.unique(ids, return_counts=True)
    repeated_ids = unique_ids[counts > 1]
    if len(repeated_ids):
        subject = "ID occurs" if len(repeated_ids) == 1 else "IDs occur"
        raise InputError(
            f"{len(repeated_ids):,} {subject} more than once in {on!r} of the {table_name}, "
            f"{_format_examples(repeated_ids)}: each row needs a unique ID."
        )


def _comparable_ids(
    baseline_ids: NDArray[Any], candidate_ids: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """IDs of both tables as the same type: strings, unless both are integers, strings or dates."""
    if baseline_ids.dtype.kind == candidate_ids.dtype.kind and baseline_ids.dtype.kind in "iuUM":
        return baseline_ids, candidate_ids
    # As floats, large integers would be rounded.
    return _as_strings(baseline_ids), _as_strings(candidate_ids)


def _as_strings(values: NDArray[Any]) -> NDArray[Any]:
    """Values as strings: 7, 7.0 and "7" are the same ID or class."""
    return np.array([class_name(value) for value in values.tolist()], dtype=np.str_)


def _require_same_classes(baseline: Table, candidate: Table, actual: str, on: str | None) -> None:
    """Require each row to have the same actual class in both tables."""
    is_different = _class_differences(baseline[actual], candidate[actual])
    if not is_different.any():
        return
    examples = []
    for index in np.flatnonzero(is_different)[:MAX_EXAMPLES]:
        row = f"row {index + 1}" if on is None else f"ID {_format_value(baseline[on][index])}"
        values = [_format_value(columns[actual][index]) for columns in (baseline, candidate)]
        examples.append(f"{row} is {values[0]} in the baseline but {values[1]} in the candidate")
    remedy = (
        "Do both list the same rows in the same order? If not, name an ID column."
        if on is None
        else "A row has only one actual class: correct one of the tables."
    )
    raise InputError(
        f"The actual classes in {actual!r} differ in {int(is_different.sum()):,} of "
        f"{format_rows(len(is_different))}: "
        f"{'; '.join(examples)}. {remedy}"
    )


def _class_differences(baseline: NDArray[Any], candidate: NDArray[Any]) -> NDArray[np.bool_]:
    """Mask of rows whose classes differ; classes missing in both tables count as equal."""
    baseline_missing, candidate_missing = missing_rows(baseline), missing_rows(candidate)
    are_numeric = all(values.dtype.kind in "biuf" for values in (baseline, candidate))
    if are_numeric or baseline.dtype.kind == candidate.dtype.kind == "U":
        is_unequal = np.asarray(baseline != candidate)
    else:
        is_unequal = _as_strings(baseline) != _as_strings(candidate)
    return np.asarray(
        (is_unequal & ~baseline_missing & ~candidate_missing)
        | (baseline_missing != candidate_missing)
    )


def _format_examples(ids: NDArray[Any]) -> str:
    examples = [_format_value(value) for value in ids[:MAX_EXAMPLES].tolist()]
    return ", ".join(
        [*examples, f"{len(ids) - MAX_EXAMPLES:,} more"] if len(ids) > MAX_EXAMPLES else examples
    )


def _format_value(value: Any) -> str:
    if isinstance(value, str | bytes):
        return repr(printable(class_name(value)))
    return "missing" if value is None or value != value else class_name(value)  # noqa: PLR0124 - NaN
