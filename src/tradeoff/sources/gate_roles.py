"""Roles of columns that a gate compares: the scores of baseline and candidate, and the ID column.

Which of two models is the baseline is inferred only from a word in its name, such as old or
champion, beside one for the candidate. The ID column has the same name in both tables, and names
each row of both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tradeoff.errors import format_list
from tradeoff.sources.role_inference import Roles, infer_roles, names_rows
from tradeoff.sources.table_summary import TableSummary
from tradeoff.sources.unclear_roles import UnclearRoles

BASELINE_WORDS = {
    *("baseline", "champion", "control", "current", "existing", "incumbent", "old", "previous"),
    *("prod", "production", "reference"),
}
CANDIDATE_WORDS = {"candidate", "challenger", "new", "next", "proposed"}


@dataclass(frozen=True)
class GateRoles:
    """Roles of the columns of a gate.

    Args:
        roles: Class and scores: those of the baseline, if there is one, and of the candidate.
        on: The ID column on which two tables are joined.
    """

    roles: Roles
    on: str | None = None

    @property
    def sentence(self) -> str:
        """The inferred roles in a few words.

        Example:
            >>> GateRoles(Roles("churned", ("p_old", "p_new"), "1")).sentence
            'class churned (1 is positive), baseline p_old, candidate p_new'
            >>> GateRoles(Roles("churned", ("p", "p"), "1"), "id").sentence
            'class churned (1 is positive), score p, rows joined on id'
        """
        roles, joined = self.roles, "" if self.on is None else f", rows joined on {self.on}"
        if len(set(roles.scores)) < 2:
            return f"{replace(roles, scores=roles.scores[:1]).sentence}{joined}"
        models = f"baseline {roles.scores[0]}, candidate {roles.scores[-1]}"
        return f"{roles.class_text}, {models}{joined}"


def infer_gate_roles(
    table: TableSummary,
    *,
    actual: str | None = None,
    scores: Sequence[str] = (),
    positive: str | None = None,
    has_baseline: bool = True,
) -> GateRoles:
    """Roles of columns of one table with the scores of a candidate and, perhaps, a baseline."""
    roles = infer_roles(table.columns, actual=actual, scores=scores, positive=positive)
    if roles.scores and not scores:
        roles = _ordered_models(roles, table) if has_baseline else _single_model(roles, table)
    _require_clear(roles, table)
    return GateRoles(roles)


def infer_joined_roles(  # noqa: PLR0913 - all that the caller may name
    baseline: TableSummary,
    candidate: TableSummary,
    *,
    actual: str | None = None,
    score: str | None = None,
    candidate_score: str | None = None,
    positive: str | None = None,
    on: str | None = None,
) -> GateRoles:
    """Roles of columns of two tables, with the rows of a baseline and of a candidate."""
    roles = infer_roles(
        baseline.columns,
        actual=actual,
        scores=[] if score is None else [score],
        positive=positive,
    )
    inferred_on = _id_column(roles, baseline, candidate) if on is None else None
    flags = () if inferred_on is None else ("--on", inferred_on)
    _require_clear(roles, baseline, flags)
    if roles.actual not in [column.name for column in candidate.columns]:
        problem = (
            f"{roles.actual!r}, the class in {baseline.title}, is no column of {candidate.title}: "
            "give both columns the same name."
        )
        _require_clear(replace(roles, positive=positive, problem=problem), candidate, flags)
    named_score = score if candidate_score is None else candidate_score
    candidate_roles = infer_roles(
        candidate.columns,
        actual=roles.actual,
        scores=[] if named_score is None else [named_score],
        positive=roles.positive,
    )
    _require_clear(candidate_roles, candidate, flags)
    shared = tuple(name for name in roles.scores if name in candidate_roles.scores)
    if len(shared) == 1 and named_score is None:  # the score has the same name in both
        roles, candidate_roles = (replace(r, scores=shared) for r in (roles, candidate_roles))
    scores = (
        *_single_model(roles, baseline, flags).scores,
        *_single_model(candidate_roles, candidate, flags).scores,
    )
    return GateRoles(replace(roles, scores=scores), on or inferred_on)


def _ordered_models(roles: Roles, table: TableSummary) -> Roles:
    """Roles with the score of the baseline first; an error if it is unclear which one that is."""
    if len(roles.scores) < 2:
        problem = (
            f"A gate compares two models, but only {roles.scores[0]!r} could be a score: name "
            "another one, or limits, as in --at-least auc=0.8."
        )
        raise _unclear(roles, problem, table, ("--at-least", "auc=0.8"))
    baseline, candidate = (
        [name for name in roles.scores if words & set(re.findall(r"[a-z]+", name.casefold()))]
        for words in (BASELINE_WORDS, CANDIDATE_WORDS)
    )
    if len(roles.scores) == 2 and len(baseline) == len(candidate) == 1 and baseline != candidate:
        return replace(roles, scores=(*baseline, *candidate))
    problem = (
        f"{format_list(roles.scores)} may be scores: name two of them, that of the baseline first."
    )
    raise _unclear(roles, problem, table)


def _single_model(roles: Roles, table: TableSummary, flags: Sequence[str] = ()) -> Roles:
    """Roles with one score; an error if there are several."""
    if len(roles.scores) > 1:
        problem = f"{format_list(roles.scores)} may be scores: name that of the model."
        raise _unclear(roles, problem, table, flags)
    return roles


def _id_column(roles: Roles, baseline: TableSummary, candidate: TableSummary) -> str | None:
    """The column that names the rows of both tables, if there is one; else None."""
    candidate_ids = _id_columns(candidate)
    shared = [name for name in _id_columns(baseline) if name in candidate_ids]
    if len(shared) > 1:
        problem = f"{format_list(shared)} may identify the rows: name one of them, --on."
        raise _unclear(roles, problem, baseline, ("--on", shared[0]))
    return shared[0] if shared else None


def _id_columns(table: TableSummary) -> list[str]:
    return [c.name for c in table.columns if names_rows(c) and not c.missing]


def _require_clear(roles: Roles, table: TableSummary, flags: Sequence[str] = ()) -> None:
    """Raise an error that lists the columns of a table if their roles are unclear."""
    if roles.problem or roles.actual is None:
        raise UnclearRoles(roles, table.columns, table.title, flags)


def _unclear(
    roles: Roles, problem: str, table: TableSummary, flags: Sequence[str] = ()
) -> UnclearRoles:
    """Error with a problem of models or IDs, beside that of other roles, if there is one."""
    roles = replace(roles, problem=f"{problem} {roles.problem}".rstrip())
    return UnclearRoles(roles, table.columns, table.title, flags)
