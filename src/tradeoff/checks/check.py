"""check(): runs all checks of scored rows, before the rows are evaluated."""

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
    RawRows,
    RawScores,
    ranking_findings,
    row_findings,
    worst_level,
)
from tradeoff.checks.registry import LEVELS, CheckedRows
from tradeoff.checks.rows import NO_CLASS
from tradeoff.core.ranked_models import RankedModels
from tradeoff.errors import InputError, suggest_arguments
from tradeoff.measures.probabilities import MAX_ROUNDING_ERROR
from tradeoff.sources import groups
from tradeoff.sources.classes import class_name
from tradeoff.sources.columns import Columns, column_array, require_equal_lengths
from tradeoff.sources.evaluate_arguments import resolve_columns
from tradeoff.sources.files import is_file_or_query, source_name
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.numeric_columns import parse_weights, valid_weight_mask
from tradeoff.sources.read import check_model_columns
from tradeoff.sources.read_columns import read_column_values, read_table_columns
from tradeoff.sources.row_policy import Missing, RowPolicy, WeightMeans
from tradeoff.wording import Wording

PREDICTED_COLUMNS = ("predicted", "predicted_class", "predicted class", "Predicted")
"""Usual names of a column of predicted classes; Weka's is the first."""
SUBJECTS = ("rows", "scores", "ranking", "folds", "segments", "files")


@suggest_arguments
def check(  # noqa: PLR0913 - each is a column or a choice that only the caller knows
    data: Any = None,
    score: Any = None,
    *,
    actual: Any = None,
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
    unit: str = "rows",
) -> CheckedRows:
    """Check scored rows for problems: labels used as scores, leakage, duplicates, drift and others.

    Args:
        data: The actual class of each row, or a table, as for `evaluate`.
        score: The scores, of one or more models.
        actual: The actual class of each row.
        weight: The weight of each row.
        row_id: The identifier of each row.
        fold: The test fold of each row.
        segment: The segment of the population that each row belongs to.
        against: Another table with the same columns, for example last year's.
        positive: The positive class, as for `evaluate`.
        weight_means: Whether weights are frequencies or importances, as for `evaluate`.
        missing: What to do with rows without a score, as for `evaluate`.
        lower_is_positive: Whether lower scores indicate the positive class.
        digits: Number of decimals to which scores are rounded first.
        unit: Plural noun for what the rows represent in text, such as "customers".

    Example:
        >>> check([0, 1] * 20, [0.5] * 40)
        CheckedRows(40 rows: 1 error)
    """
    data, actual, score, _ = resolve_columns(data, actual, score, positive)
    if against is not None and data is None:
        raise InputError("`against` is a second table: pass the first as a table, too.")
    columns = Columns(actual, score, weight, fold, segment, others={"row_id": row_id})
    policy = RowPolicy(positive, weight_means, missing, lower_is_positive, digits, Wording(unit))
    table = _Table.read(data, columns, policy, "these rows")
    ungrouped_columns = replace(columns, fold=None, segment=None)
    other = (
        None
        if against is None
        else _Table.read(against, ungrouped_columns, policy, "the other rows")
    )
    findings, checks = tuple(_findings(table, other)), _applicable_checks(table, other)
    return CheckedRows(table.rows, findings, checks, policy.wording)


@dataclass(frozen=True, eq=False)
class _Table:
    """Unfiltered columns of a table to be checked, and the rules for reading its rows.

    `source` is the table itself, if there is one: it may have further columns.
    """

    name: str
    columns: Columns
    policy: RowPolicy
    source: Any = None

    @staticmethod
    def read(data: Any, columns: Columns, policy: RowPolicy, default_name: str) -> _Table:
        """Read the columns of a dataframe or file; data not from a file get the default name."""
        columns = read_column_values(data, columns)
        actual = column_array(columns.actual, title := columns.title("actual"))

        def column(values: Any, name: str) -> NDArray[Any]:
            array = column_array(values, name)
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
        name = Path(source_name(data)).name if is_file_or_query(data) else default_name
        return _Table(name, columns, policy, data)

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
        """Number of rows."""
        return len(self.actual)

    @cached_property
    def raw_rows(self) -> RawRows:
        """The columns that the checks of rows examine."""
        ids, folds, weights = (self.columns.roles[role] for role in ("row_id", "fold", "weight"))
        no_class = missing_rows(self.actual)
        return RawRows(
            np.where(no_class, NO_CLASS, _value_names(self.actual)),
            no_class,
            None if ids is None else _sortable_values(ids),
            None if ids is None else missing_rows(ids),
            None if weights is None else parse_weights(weights, self.columns.title("weight")),
            None if folds is None else _sortable_values(folds),
            missing_allowed=self.policy.missing == "drop",
            wording=self.policy.wording,
        )

    def raw_scores(self, rows: RawRows) -> list[RawScores]:
        """Each score column, with its predicted classes if it holds strings."""
        missing_allowed = self.policy.missing != "error"
        columns = []
        for name, column in self.scores.items():
            is_missing = missing_rows(column)
            predicted_classes = _distinct_strings(column[~is_missing])
            raw = RawScores(
                name,
                is_missing,
                rows.classes,
                predicted_classes,
                missing_allowed,
                wording=self.policy.wording,
            )
            columns.append(self._with_predicted_column(raw, column))
        return columns

    def _with_predicted_column(self, raw: RawScores, column: NDArray[Any]) -> RawScores:
        """Scores with the table's predicted classes, if they may be the probabilities of these."""
        values = _numbers(column)
        if self.source is None or values is None or not np.nanmax(values, initial=0) > 0:
            return raw
        class_count = len(self.raw_rows.distinct_classes)
        if not np.nanmin(values, initial=1) >= 1 / max(class_count, 2) - MAX_ROUNDING_ERROR:
            return raw
        for name in PREDICTED_COLUMNS:
            try:
                predicted = read_table_columns(self.source, [name])[name]
            except InputError:
                continue
            return replace(
                raw,
                values=values,
                predicted=_value_names(predicted),
                predicted_name=name,
                positive="" if self.policy.positive is None else class_name(self.policy.positive),
            )
        return raw

    def ranked_models(self, models: list[str], positive: str | None = None) -> RankedModels:
        """Rankings of the given score columns, from the rows that can be ranked."""
        is_rankable = ~missing_rows(self.actual)
        if self.raw_rows.weights is not None:
            is_rankable &= valid_weight_mask(self.raw_rows.weights)
        columns, policy = self.columns, self.policy
        arrays = {role: None if v is None else v[is_rankable] for role, v in columns.roles.items()}
        actual, fold, segment = (arrays[role] for role in ("actual", "fold", "segment"))
        rankable_columns = replace(
            columns,
            actual=actual,
            weight=arrays["weight"],
            scores={name: self.scores[name][is_rankable] for name in models},
        )
        if policy.missing == "error":
            policy = replace(policy, missing="drop")
        if positive is not None:
            policy = replace(policy, positive=positive)
        rows = check_model_columns(rankable_columns, policy)
        return RankedModels(
            {name: model.ranking() for name, model in rows.items()},
            groups.rankings_by_fold(rows, fold, actual, columns.title("fold")),
            groups.rankings_by_segment(rows, segment, actual, columns.title("segment")),
        ).with_wording(self.policy.wording)


def _findings(table: _Table, other: _Table | None) -> list[Finding]:
    """Findings in the raw rows and in their rankings, worst first."""
    raw_rows = _with_other_table(table.raw_rows, other)
    findings = row_findings(raw_rows, table.raw_scores(raw_rows))
    unrankable_models = {
        finding.where for finding in findings if finding.name == "unseen_predictions"
    }
    models = [name for name in table.scores if name not in unrankable_models]
    try:
        if models:
            findings += _ranking_findings(table, other, models)
    except InputError as error:
        # Rows that cannot be ranked are a usage error, unless other problems were found as well.
        if worst_level(findings) in {None, "note"}:
            raise
        findings.append(
            Finding("not_ranked", "error", str(error), "Correct this, then check again.")
        )
    return sorted(findings, key=lambda finding: LEVELS.index(finding.level))


def _with_other_table(rows: RawRows, other: _Table | None) -> RawRows:
    """The rows, together with the ids and classes of the other table for comparison."""
    if other is None:
        return rows
    other_rows = other.raw_rows
    other_ids = other_rows.ids
    if other_ids is not None and other_rows.no_id is not None and rows.ids is not None:
        other_ids = other_ids[~other_rows.no_id]
        if other_ids.dtype.kind != rows.ids.dtype.kind:  # 7 and "7" are the same id to users
            other_ids, rows = _value_names(other_ids), replace(rows, ids=_value_names(rows.ids))
    classes = tuple(other_rows.distinct_classes.tolist())
    return replace(rows, other=other.name, other_classes=classes, other_ids=other_ids)


def _ranking_findings(table: _Table, other: _Table | None, models: list[str]) -> list[Finding]:
    ranked_models = table.ranked_models(models)
    if other is None:
        return ranking_findings(ranked_models)
    positive = ranked_models.rankings[models[0]].positive
    other_rankings = other.ranked_models(models, positive).rankings
    names = (table.name, other.name)
    return ranking_findings(ranked_models, against=other_rankings, names=names)


def _applicable_checks(table: _Table, other: _Table | None) -> tuple[str, ...]:
    """Names of the checks whose columns or files are available."""
    columns = table.columns.roles
    has_ids, has_other = columns["row_id"] is not None, other is not None
    check_availability = {
        "duplicate_ids": has_ids,
        "missing_ids": has_ids,
        "shared_ids": has_ids and has_other,
        "unseen_classes": has_other,
        "wrong_weights": columns["weight"] is not None,
    }
    group_availability = {f"{role}s": columns[role] is not None for role in ("fold", "segment")}
    subject_availability = {**group_availability, "files": has_other}
    checks = [
        kind
        for name, kind in CHECKS.items()
        if check_availability.get(name, True) and subject_availability.get(kind.subject, True)
    ]
    return tuple(
        kind.name for kind in sorted(checks, key=lambda kind: SUBJECTS.index(kind.subject))
    )


def _sortable_values(values: NDArray[Any]) -> NDArray[Any]:
    """Values that NumPy can sort: numbers unchanged, strings and other objects as strings."""
    return _value_names(values) if values.dtype.kind in "OSV" else values


def _value_names(values: NDArray[Any]) -> NDArray[Any]:
    """Values as strings, as users write them, including missing values."""
    if values.dtype.kind == "O":
        return np.array([class_name(value) for value in values.tolist()], dtype=np.str_)
    distinct, codes = np.unique(values, return_inverse=True)
    return np.array([class_name(value) for value in distinct], dtype=np.str_)[codes]


def _numbers(column: NDArray[Any]) -> NDArray[np.float64] | None:
    """A score column as numbers; None if it holds anything else."""
    try:
        return np.asarray(column, np.float64)
    except (TypeError, ValueError):
        return None


def _distinct_strings(values: NDArray[Any]) -> tuple[str, ...]:
    """The distinct values of a column of strings; empty if all of them are numbers."""
    if values.dtype.kind not in "OUS":
        return ()
    strings = sorted({str(value) for value in values})
    try:
        [float(string) for string in strings]
    except ValueError:
        return tuple(strings)
    return ()
