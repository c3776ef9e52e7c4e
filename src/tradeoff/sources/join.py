"""Two tables of scores, an old model's and a new one's, brought to the rows that both have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.classes import class_name, first_rows, missing_rows
from tradeoff.sources.read import table_columns
from tradeoff.text import plain, rows

BASELINE, CANDIDATE = "baseline", "candidate"
MOST = 3
"""So many examples tell what is wrong."""

Table = dict[str, "NDArray[Any]"]


@dataclass(frozen=True, eq=False)
class Joined:
    """The rows that two tables share, in the order of the baseline's.

    `weight` and `cluster` are the baseline's columns. `notes` tell what was left out.
    """

    actual: NDArray[Any]
    baseline: NDArray[Any]
    candidate: NDArray[Any]
    weight: NDArray[Any] | None = None
    cluster: NDArray[Any] | None = None
    notes: tuple[str, ...] = ()


def joined(  # noqa: PLR0913 - two tables and the columns they are read by
    baseline: Any,
    candidate: Any,
    *,
    actual: str,
    score: str,
    candidate_score: str | None = None,
    on: str | None = None,
    weight: str | None = None,
    cluster: str | None = None,
) -> Joined:
    """Join two dataframes or files by a column of ids, or row by row where none is named.

    Args:
        baseline: The table of the old model: a dataframe of any library, or a path.
        candidate: The table of the new one.
        actual: The column of the actual class, in both.
        score: The column of the scores.
        candidate_score: The candidate's column, where it is called otherwise.
        on: The column of ids, in both. Without it the tables must list the same rows in the
            same order.
        weight: The baseline's column of weights.
        cluster: The baseline's column of patients, users or other units.

    Example:
        >>> import pandas as pd
        >>> old = pd.DataFrame({"id": [1, 2, 3], "y": [0, 1, 1], "p": [0.2, 0.6, 0.7]})
        >>> new = pd.DataFrame({"id": [3, 1, 9], "y": [1, 0, 0], "p": [0.9, 0.1, 0.3]})
        >>> found = joined(old, new, actual="y", score="p", on="id")
        >>> found.baseline.tolist(), found.candidate.tolist()
        ([0.2, 0.7], [0.1, 0.9])
        >>> found.notes
        ('2 rows are in both; 1 of the baseline and 1 of the candidate are left out',)
    """
    own = [on] if on is not None else []
    extra = [name for name in (weight, cluster) if name is not None]
    theirs = score if candidate_score is None else candidate_score
    old = _columns(baseline, [*own, actual, score, *extra], BASELINE)
    new = _columns(candidate, [*own, actual, theirs], CANDIDATE)
    if on is None:
        notes = _demand_same_rows(len(old[actual]), len(new[actual]))
    else:
        old, new, notes = _shared(old, new, on)
    _demand_same_classes(old, new, actual, on)
    return Joined(
        old[actual],
        old[score],
        new[theirs],
        None if weight is None else old[weight],
        None if cluster is None else old[cluster],
        notes,
    )


def _columns(data: Any, names: Sequence[str], table: str) -> Table:
    """The columns of one of the two tables; what is missing is told of which."""
    try:
        return table_columns(data, list(names))
    except ColumnError as problem:
        raise ColumnError(f"In the {table}: {problem}") from problem


def _demand_same_rows(old: int, new: int) -> tuple[str, ...]:
    if old != new:
        raise InputError(
            f"The baseline has {rows(old)} and the candidate {rows(new)}: which belong together? "
            "Name a column of ids that both have."
        )
    return ("no column of ids was named: the rows of both belong together in the order they have",)


def _shared(old: Table, new: Table, on: str) -> tuple[Table, Table, tuple[str, ...]]:
    """The rows whose id both tables have."""
    for columns, table in ((old, BASELINE), (new, CANDIDATE)):
        _demand_ids(columns[on], on, table)
    ours, theirs = _comparable_ids(old[on], new[on])
    for ids, table in ((ours, BASELINE), (theirs, CANDIDATE)):
        _demand_unique(ids, on, table)
    _, here, there = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    if not len(here):
        raise InputError(
            f"No id of {on!r} is in both: the baseline has {_examples(ours)}, the candidate "
            f"{_examples(theirs)}."
        )
    order = np.argsort(here)
    here, there = here[order], there[order]
    kept = [
        {name: column[places] for name, column in columns.items()}
        for columns, places in ((old, here), (new, there))
    ]
    return kept[0], kept[1], _left_out(len(here), len(ours), len(theirs))


def _left_out(shared: int, old: int, new: int) -> tuple[str, ...]:
    if shared == old == new:
        return ()
    are = "row is" if shared == 1 else "rows are"
    left = f"{old - shared:,} of the baseline and {new - shared:,} of the candidate are left out"
    return (f"{shared:,} {are} in both; {left}",)


def _demand_ids(ids: NDArray[Any], on: str, table: str) -> None:
    absent = missing_rows(ids)
    if absent.any():
        raise InputError(
            f"{rows(int(absent.sum()))} of the {table} without an id in {on!r} (first: "
            f"{first_rows(absent)}): without one a row cannot be joined."
        )


def _demand_unique(ids: NDArray[Any], on: str, table: str) -> None:
    found, times = np.unique(ids, return_counts=True)
    again = found[times > 1]
    if len(again):
        word = "id occurs" if len(again) == 1 else "ids occur"
        raise InputError(
            f"{len(again):,} {word} more than once in {on!r} of the {table}, "
            f"{_examples(again)}: each row needs an id of its own."
        )


def _comparable_ids(ours: NDArray[Any], theirs: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Ids as whole numbers where both are, else as text: floats would confuse large numbers."""
    if ours.dtype.kind == theirs.dtype.kind and ours.dtype.kind in "iuUM":
        return ours, theirs
    return _as_text(ours), _as_text(theirs)


def _as_text(values: NDArray[Any]) -> NDArray[Any]:
    """What people would write: 7, 7.0 and "7" are the same id, or the same class."""
    return np.array([class_name(value) for value in values.tolist()], dtype=np.str_)


def _demand_same_classes(old: Table, new: Table, actual: str, on: str | None) -> None:
    """A row has one actual class: where the tables disagree, one of them is wrong."""
    differ = _differ(old[actual], new[actual])
    if not differ.any():
        return
    examples = []
    for at in np.flatnonzero(differ)[:MOST]:
        row = f"row {at + 1}" if on is None else f"id {_quoted(old[on][at])}"
        seen = [_quoted(columns[actual][at]) for columns in (old, new)]
        examples.append(f"{row} is {seen[0]} in the baseline but {seen[1]} in the candidate")
    advice = (
        "Do both list the same rows in the same order? Name a column of ids if they do not."
        if on is None
        else "A row has one actual class: put it right in one of them."
    )
    raise InputError(
        f"The actual classes in {actual!r} differ in {int(differ.sum()):,} of {rows(len(differ))}: "
        f"{'; '.join(examples)}. {advice}"
    )


def _differ(ours: NDArray[Any], theirs: NDArray[Any]) -> NDArray[np.bool_]:
    """Where classes are not the same; a class that both lack is."""
    absent, lacking = missing_rows(ours), missing_rows(theirs)
    numbers = all(values.dtype.kind in "biuf" for values in (ours, theirs))
    if numbers or ours.dtype.kind == theirs.dtype.kind == "U":
        apart = np.asarray(ours != theirs)
    else:
        apart = _as_text(ours) != _as_text(theirs)
    return np.asarray((apart & ~absent & ~lacking) | (absent != lacking))


def _examples(ids: NDArray[Any]) -> str:
    shown = [_quoted(value) for value in ids[:MOST].tolist()]
    return ", ".join([*shown, f"{len(ids) - MOST:,} more"] if len(ids) > MOST else shown)


def _quoted(value: Any) -> str:
    if isinstance(value, str | bytes):
        return repr(plain(class_name(value)))
    return "missing" if value is None or value != value else class_name(value)  # noqa: PLR0124 - NaN
