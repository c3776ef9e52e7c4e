"""Roles of columns with a score for each of several classes: the actual class, and the scores.

They are inferred if one column holds classes that each have a column of scores of their name, and
no other choice is possible.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tradeoff.errors import format_list
from tradeoff.sources.class_score_names import NamedScores, named_scores, normalized
from tradeoff.sources.column_summaries import ColumnSummary
from tradeoff.sources.role_inference import (
    MAX_CLASSES,
    is_within_unit,
    join_names,
    may_hold_classes,
    prefer_usual_name,
)

MAX_EXAMPLE_CLASSES = 4
"""Maximum number of classes that a message lists."""
PLACEHOLDER = "COLUMN"
"""Stands for the name of a column in a command to be edited."""


@dataclass(frozen=True)
class ClassRoles:
    """Roles of columns: that of the actual class, and the scores of each class.

    Args:
        actual: Column of the actual class; None if it is unclear.
        scores: Column of scores by class; None where it is unclear.
        problem: Why a role is unclear; empty if all are known.
    """

    actual: str | None
    scores: Mapping[str, str | None] = field(default_factory=dict)
    problem: str = ""

    @property
    def sentence(self) -> str:
        """The inferred roles in a few words.

        Example:
            >>> ClassRoles("kind", {"cat": "p_cat", "dog": "p_dog"}).sentence
            'class kind, scores p_cat and p_dog'
        """
        return f"class {self.actual}, scores {join_names([str(s) for s in self.scores.values()])}"


def infer_class_roles(
    summaries: Sequence[ColumnSummary],
    *,
    actual: str | None = None,
    scores: Mapping[str, str] | None = None,
    min_classes: int = 2,
) -> ClassRoles:
    """Roles of columns with a score for each class: those that are named, and the others if clear.

    Args:
        summaries: Summaries of all columns.
        actual: Column of the actual class, if it is named.
        scores: Column of scores by class, if they are named.
        min_classes: Minimum number of classes of a column that is not named.
    """
    if scores:
        return _roles_of_named_scores(summaries, actual, scores)
    candidates = [
        column
        for column in summaries
        if (
            column.name == actual
            if actual is not None
            else column.distinct >= min_classes and may_hold_classes(column)
        )
        and len(column.values) == column.distinct  # all values are listed
    ]
    namings_by_column = {c.name: _ways_of_naming(c, summaries) for c in candidates}
    matching = [
        c for c in candidates if any(naming.is_complete for naming in namings_by_column[c.name])
    ]
    likely = prefer_usual_name(matching or [c for c in candidates if namings_by_column[c.name]])
    if not likely:
        return ClassRoles(actual, {}, _no_scores_problem(candidates, actual))
    class_column = likely[0]
    namings = namings_by_column[class_column.name]
    roles = ClassRoles(class_column.name, namings[0].columns)
    problem = (
        _missing_scores_problem(class_column, namings[0])
        or _several_columns_problem(likely)
        or _several_namings_problem(
            class_column, [naming for naming in namings if naming.is_complete]
        )
    )
    if problem:
        return ClassRoles(roles.actual, roles.scores, problem)
    extra_scores = _scores_of_absent_classes(class_column, namings[0], summaries)
    if extra_scores:
        names = format_list(list(extra_scores.values()))
        is_or_are = "is" if len(extra_scores) == 1 else "are"
        return ClassRoles(
            class_column.name,
            {**namings[0].columns, **extra_scores},
            f"{names} {is_or_are} named like the scores of {class_column.name!r}, which holds no "
            f"{format_list(list(extra_scores))}: name the columns of scores.",
        )
    return roles


def example_class_roles(
    roles: ClassRoles, summaries: Sequence[ColumnSummary]
) -> tuple[str, dict[str, str]]:
    """Roles with likely columns where they are unclear, for a command that the user will edit."""
    likely = prefer_usual_name([c for c in summaries if c.distinct > 2 and may_hold_classes(c)])
    actual = roles.actual or (likely[0].name if likely else PLACEHOLDER)
    classes = next((column.values for column in summaries if column.name == actual), ())
    scores = roles.scores or dict.fromkeys(classes[:MAX_CLASSES] or ["CLASS"])
    return actual, {value: name or PLACEHOLDER for value, name in scores.items()}


def _ways_of_naming(
    class_column: ColumnSummary, summaries: Sequence[ColumnSummary]
) -> list[NamedScores]:
    numeric = [c for c in summaries if _may_hold_scores(c) and c.name != class_column.name]
    return named_scores(
        class_column.values,
        [column.name for column in numeric],
        proportions=[column.name for column in numeric if is_within_unit(column)],
    )


def _may_hold_scores(column: ColumnSummary) -> bool:
    return column.kind == "number" and not column.is_index


def _roles_of_named_scores(
    summaries: Sequence[ColumnSummary], actual: str | None, scores: Mapping[str, str]
) -> ClassRoles:
    """Roles of columns if the scores are named: the actual class has no values but theirs."""
    if actual is not None:
        return ClassRoles(actual, scores)
    candidates = prefer_usual_name(
        [
            column
            for column in summaries
            if may_hold_classes(column)
            and column.name not in scores.values()
            and set(column.values) <= scores.keys()
        ]
    )
    if len(candidates) == 1:
        return ClassRoles(candidates[0].name, scores)
    if candidates:
        return ClassRoles(candidates[0].name, scores, _several_columns_problem(candidates))
    return ClassRoles(None, scores, f"No column holds only {_classes_text(scores)}.")


def _no_scores_problem(candidates: Sequence[ColumnSummary], actual: str | None) -> str:
    """Problem of columns none of which is named after a class."""
    several = prefer_usual_name([column for column in candidates if column.distinct > 2])
    if len(several) == 1:
        (column,) = several
        return (
            f"{column.name!r} holds {_classes_text(column.values)}, but no columns of numbers are "
            f"named after these classes, such as {f'p_{column.values[0]}'!r}."
        )
    if actual is not None and not candidates:
        return f"{actual!r} holds too many values for classes."
    return "No column holds three or more classes that columns of numbers are named after."


def _missing_scores_problem(column: ColumnSummary, naming: NamedScores) -> str:
    """Problem of classes without scores, beside others that have them; empty if all have."""
    missing = [value for value, name in naming.columns.items() if name is None]
    if not missing:
        return ""
    value, name = next((value, name) for value, name in naming.columns.items() if name is not None)
    return (
        f"{_classes_text(missing)} of {column.name!r} {'has' if len(missing) == 1 else 'have'} no "
        f"column of scores, such as {name!r} for {value!r}."
    )


def _several_columns_problem(candidates: Sequence[ColumnSummary]) -> str:
    if len(candidates) < 2:
        return ""
    names = format_list([column.name for column in candidates])
    return f"Several columns may be the actual class: {names}."


def _several_namings_problem(column: ColumnSummary, namings: Sequence[NamedScores]) -> str:
    if len(namings) < 2:
        return ""
    examples = format_list([next(iter(naming.columns.values())) for naming in namings], 4)
    return (
        f"Several columns of scores are named after each class of {column.name!r}, such as "
        f"{examples}: evaluate one model at a time."
    )


def _scores_of_absent_classes(
    class_column: ColumnSummary, naming: NamedScores, summaries: Sequence[ColumnSummary]
) -> dict[str, str]:
    """Further columns named in the same way, which may be scores of classes without rows."""
    if not naming.before and not naming.after:
        return {}
    of_class = [c for c in summaries if c.name in naming.columns.values()]
    are_proportions = all(map(is_within_unit, of_class))
    texts = {
        column.name: text[len(naming.before) : len(text) - len(naming.after)]
        for column in summaries
        if _may_hold_scores(column)
        and column.name != class_column.name
        and column not in of_class
        and (is_within_unit(column) or not are_proportions)
        and (text := normalized(column.name)).startswith(naming.before)
        and text.endswith(naming.after)
        and len(text) > len(naming.before) + len(naming.after)
    }
    return {text: name for name, text in texts.items()}


def _classes_text(classes: Collection[str]) -> str:
    return format_list(list(classes), MAX_EXAMPLE_CLASSES)
