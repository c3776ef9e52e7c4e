"""Whether rows can be trusted before anything is made of them: check()."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

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
from tradeoff.sources.columns import as_column
from tradeoff.sources.policy import countable, demand_equal_lengths, scored_rows, weight_numbers
from tradeoff.sources.read import is_path
from tradeoff.sources.roles import roles_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


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
    **options: Any,
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
        options: `positive`, `missing`, `lower_is_positive`, `digits` and `weight_means`, as for
            `evaluate`.

    Example:
        >>> check(actual=[0, 1] * 20, score=[0.5] * 40)
        CheckedRows(40 rows: 1 error)
    """
    columns = {"actual": actual, "weight": weight, "row_id": row_id}
    if against is not None and data is None:
        raise InputError("`against` is a second table: pass the first as a table, too.")
    groups_too = {**columns, "fold": fold, "segment": segment}
    mine = _Table.of(data, score, groups_too, options, "these rows")
    other = (
        None if against is None else _Table.of(against, score, columns, options, "the other rows")
    )
    return CheckedRows(mine.rows, tuple(_findings(mine, other)), _looked_at(mine, other))


@dataclass(frozen=True, eq=False)
class _Table:
    """Columns as they were given, nothing left out, and how rows shall be read."""

    name: str
    actual: NDArray[Any]
    scores: Mapping[str, NDArray[Any]]
    values: Mapping[str, NDArray[Any] | None]
    names: Mapping[str, str]
    options: Mapping[str, Any]

    @staticmethod
    def of(
        data: Any, score: Any, columns: Mapping[str, Any], options: Mapping[str, Any], called: str
    ) -> _Table:
        roles = roles_of(data, score, columns)
        named = roles.names["actual"]
        actual = as_column(roles.values["actual"], named)

        def column(values: Any, name: str) -> NDArray[Any]:
            found = as_column(values, name)
            demand_equal_lengths(actual, found, named, name)
            return found

        return _Table(
            Path(data).name if is_path(data) else called,
            actual,
            {name: column(values, name) for name, values in roles.scores.items()},
            {
                role: None if values is None else column(values, roles.names[role])
                for role, values in roles.values.items()
            },
            roles.names,
            options,
        )

    @property
    def rows(self) -> int:
        return len(self.actual)

    @property
    def missing(self) -> str:
        return str(self.options.get("missing", "error"))

    @cached_property
    def given(self) -> GivenRows:
        ids, folds, weights = (self.values.get(role) for role in ("row_id", "fold", "weight"))
        no_class = missing_rows(self.actual)
        return GivenRows(
            np.where(no_class, NO_CLASS, _names(self.actual)),
            no_class,
            None if ids is None else _sortable(ids),
            None if ids is None else missing_rows(ids),
            None if weights is None else weight_numbers(weights, self.names["weight"]),
            None if folds is None else _sortable(folds),
            allowed=self.missing == "drop",
        )

    def given_scores(self, given: GivenRows) -> list[GivenScores]:
        """Each column of scores, and the classes in it where it holds texts."""
        found = []
        for name, column in self.scores.items():
            absent = missing_rows(column)
            predicted = _texts(column[~absent])
            allowed = self.missing != "error"
            found.append(GivenScores(name, absent, given.classes, predicted, allowed))
        return found

    def ranked(self, models: list[str], positive: str | None = None) -> RankedModels:
        """The rows that can be ranked, by some columns of scores."""
        keep = ~missing_rows(self.actual)
        if self.given.weights is not None:
            keep &= countable(self.given.weights)
        own = {role: None if v is None else v[keep] for role, v in self.values.items()}
        options = {**self.options, "missing": "drop" if self.missing == "error" else self.missing}
        if positive is not None:
            options["positive"] = positive
        rows = {
            name: scored_rows(
                self.actual[keep],
                self.scores[name][keep],
                weight=own["weight"],
                name=name,
                actual_name=self.names["actual"],
                weight_name=self.names["weight"],
                **options,
            )
            for name in models
        }
        fold, segment = own.get("fold"), own.get("segment")
        return RankedModels(
            {name: model.ranking() for name, model in rows.items()},
            groups.folds(rows, fold, self.actual[keep], self.names.get("fold", "fold")),
            groups.segments(rows, segment, self.actual[keep], self.names.get("segment", "segment")),
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
    ids, has_other = mine.values["row_id"] is not None, other is not None
    needs = {
        "duplicate_ids": ids,
        "missing_ids": ids,
        "shared_ids": ids and has_other,
        "unseen_classes": has_other,
        "wrong_weights": mine.values["weight"] is not None,
    }
    given = {f"{role}s": mine.values[role] is not None for role in ("fold", "segment")}
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
