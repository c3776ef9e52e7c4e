"""Whether rows can be trusted before anything is made of them: check()."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.checks import (
    CHECKS,
    Finding,
    GivenRows,
    GivenScores,
    findings_of,
    findings_of_rows,
    worst_level,
)
from tradeoff.checks.registry import LEVELS, CheckedRows
from tradeoff.core.models import RankedModels
from tradeoff.errors import InputError
from tradeoff.sources import groups
from tradeoff.sources.classes import class_name, missing_rows
from tradeoff.sources.columns import Columns, as_column
from tradeoff.sources.policy import (
    Missing,
    RowPolicy,
    WeightMeans,
    countable,
    require_equal_lengths,
    weight_numbers,
)
from tradeoff.sources.read import checked_models, column_values, is_path

NO_CLASS = "(no class)"
SUBJECTS = ("rows", "scores", "ranking", "folds", "segments", "files")


def check(  # noqa: PLR0913 - each is a column or a choice that only the caller knows
    data: Any = None,
    *,
    actual: Any,
    score: Any,
    weight: Any = None,
    row_id: Any = None,
    fold: Any = None,
    segment: Any = None,
    against: Any = None,
    positive: Any = None,
    weight_means: WeightMeans | None = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
) -> CheckedRows:
    """Look for what makes rows misleading: labels as scores, leaks, copies, drift and the like.

    Args:
        data: A dataframe or a file, as for `evaluate`; without it the rest are values.
        actual: The class of each row.
        score: The scores, of one or more models.
        weight: What each row counts.
        row_id: What tells rows apart.
        fold: The fold in which each row was tested.
        segment: The part of the population that each row belongs to.
        against: Another table with the same columns, for example last year's.
        positive: The positive class, as for `evaluate`.
        weight_means: What weights mean, as for `evaluate`.
        missing: What to do with rows without a score, as for `evaluate`.
        lower_is_positive: Lower scores mean positive.
        digits: Round scores to so many decimals first.

    Example:
        >>> check(actual=[0, 1] * 20, score=[0.5] * 40)
        CheckedRows(40 rows: 1 error)
    """
    if against is not None and data is None:
        raise InputError("`against` is a second table: pass the first as a table, too.")
    columns = Columns(actual, score, weight, fold, segment, others={"row_id": row_id})
    policy = RowPolicy(positive, weight_means, missing, lower_is_positive, digits)
    mine = _Table.of(data, columns, policy, "these rows")
    alone = replace(columns, fold=None, segment=None)
    other = None if against is None else _Table.of(against, alone, policy, "the other rows")
    return CheckedRows(mine.rows, tuple(_findings(mine, other)), _looked_at(mine, other))


@dataclass(frozen=True, eq=False)
class _Table:
    """Columns as they were given, nothing left out, and what rows mean."""

    name: str
    columns: Columns
    policy: RowPolicy

    @staticmethod
    def of(data: Any, columns: Columns, policy: RowPolicy, called: str) -> _Table:
        columns = column_values(data, columns)
        actual = as_column(columns.actual, title := columns.title("actual"))

        def column(values: Any, name: str) -> NDArray[Any]:
            array = as_column(values, name)
            require_equal_lengths(actual, array, title, name)
            return array

        arrays: dict[str, Any] = {
            role: column(values, columns.title(role))
            for role, values in columns.roles.items()
            if values is not None
        }
        scores = {name: column(values, name) for name, values in columns.scores.items()}
        row_id = {"row_id": arrays.pop("row_id", None)}
        columns = replace(columns, scores=scores, others=row_id, **arrays)
        return _Table(Path(data).name if is_path(data) else called, columns, policy)

    @property
    def actual(self) -> NDArray[Any]:
        """The class of each row."""
        actual: NDArray[Any] = self.columns.actual
        return actual

    @property
    def scores(self) -> Mapping[str, NDArray[Any]]:
        """The scores of each model."""
        scores: Mapping[str, NDArray[Any]] = self.columns.scores
        return scores

    @property
    def rows(self) -> int:
        return len(self.actual)

    @cached_property
    def given(self) -> GivenRows:
        ids, folds, weights = (self.columns.roles[role] for role in ("row_id", "fold", "weight"))
        no_class = missing_rows(self.actual)
        return GivenRows(
            np.where(no_class, NO_CLASS, _names(self.actual)),
            no_class,
            None if ids is None else _sortable(ids),
            None if ids is None else missing_rows(ids),
            None if weights is None else weight_numbers(weights, self.columns.title("weight")),
            None if folds is None else _sortable(folds),
            allowed=self.policy.missing == "drop",
        )

    def given_scores(self, given: GivenRows) -> list[GivenScores]:
        """Each column of scores, and the classes in it where it holds texts."""
        found = []
        for name, column in self.scores.items():
            absent = missing_rows(column)
            predicted = _texts(column[~absent])
            allowed = self.policy.missing != "error"
            found.append(GivenScores(name, absent, given.classes, predicted, allowed))
        return found

    def ranked(self, models: list[str], positive: str | None = None) -> RankedModels:
        """The rows that can be ranked, by some columns of scores."""
        keep = ~missing_rows(self.actual)
        if self.given.weights is not None:
            keep &= countable(self.given.weights)
        columns, policy = self.columns, self.policy
        arrays = {role: None if v is None else v[keep] for role, v in columns.roles.items()}
        actual, fold, segment = (arrays[role] for role in ("actual", "fold", "segment"))
        counted = replace(
            columns,
            actual=actual,
            weight=arrays["weight"],
            scores={name: self.scores[name][keep] for name in models},
        )
        if policy.missing == "error":
            policy = replace(policy, missing="drop")
        if positive is not None:
            policy = replace(policy, positive=positive)
        rows = checked_models(counted, policy)
        return RankedModels(
            {name: model.ranking() for name, model in rows.items()},
            groups.folds(rows, fold, actual, columns.title("fold")),
            groups.segments(rows, segment, actual, columns.title("segment")),
        )


def _findings(mine: _Table, other: _Table | None) -> list[Finding]:
    """What the rows themselves show, and then what their rankings do."""
    given = _beside(mine.given, other)
    found = findings_of_rows(given, mine.given_scores(given))
    unseen = {one.where for one in found if one.name == "unseen_predictions"}
    models = [name for name in mine.scores if name not in unseen]
    try:
        if models:
            found += _of_rankings(mine, other, models)
    except InputError as problem:
        # Rows that cannot be ranked are wrong use, unless that is one of several mistakes.
        if worst_level(found) in {None, "note"}:
            raise
        found.append(Finding("not_ranked", "error", str(problem), "Then check again."))
    return sorted(found, key=lambda one: LEVELS.index(one.level))


def _beside(given: GivenRows, other: _Table | None) -> GivenRows:
    """The rows, with what of the other table they are compared with."""
    if other is None:
        return given
    theirs = other.given
    ids = theirs.ids
    if ids is not None and theirs.no_id is not None and given.ids is not None:
        ids = ids[~theirs.no_id]
        if ids.dtype.kind != given.ids.dtype.kind:  # 7 and "7" are the same id to people
            ids, given = _names(ids), replace(given, ids=_names(given.ids))
    classes = tuple(theirs.known_classes.tolist())
    return replace(given, other=other.name, other_classes=classes, other_ids=ids)


def _of_rankings(mine: _Table, other: _Table | None, models: list[str]) -> list[Finding]:
    ranked = mine.ranked(models)
    if other is None:
        return findings_of(ranked)
    second = other.ranked(models, ranked.rankings[models[0]].positive)
    names = (mine.name, other.name)
    return findings_of(ranked, against=second.rankings, names=names)


def _looked_at(mine: _Table, other: _Table | None) -> tuple[str, ...]:
    """The checks for which there was something to look at."""
    columns = mine.columns.roles
    ids, has_other = columns["row_id"] is not None, other is not None
    needs = {
        "duplicate_ids": ids,
        "missing_ids": ids,
        "shared_ids": ids and has_other,
        "unseen_classes": has_other,
        "wrong_weights": columns["weight"] is not None,
    }
    given = {f"{role}s": columns[role] is not None for role in ("fold", "segment")}
    subjects = {**given, "files": has_other}
    made = [
        one for name, one in CHECKS.items() if needs.get(name, True) and subjects.get(one.of, True)
    ]
    return tuple(one.name for one in sorted(made, key=lambda one: SUBJECTS.index(one.of)))


def _sortable(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers and texts as they are; objects of any kind by their names."""
    return _names(values) if values.dtype.kind in "OSV" else values


def _names(values: NDArray[Any]) -> NDArray[Any]:
    """Values as the names that people write; missing ones too."""
    if values.dtype.kind == "O":
        return np.array([class_name(value) for value in values.tolist()], dtype=np.str_)
    distinct, code = np.unique(values, return_inverse=True)
    return np.array([class_name(value) for value in distinct], dtype=np.str_)[code]


def _texts(values: NDArray[Any]) -> tuple[str, ...]:
    """The distinct texts in a column, if it holds any that are no numbers."""
    if values.dtype.kind not in "OUS":
        return ()
    found = sorted({str(value) for value in values})
    try:
        [float(value) for value in found]
    except ValueError:
        return tuple(found)
    return ()
