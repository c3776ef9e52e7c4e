"""Which column plays which part: values themselves, or the columns of a table that are named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError
from tradeoff.sources.columns import require_same_index
from tradeoff.sources.read import table_columns

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, eq=False)
class Roles:
    """The values of each model's score and of each role, and what messages call them."""

    scores: Mapping[str, Any]
    values: Mapping[str, Any]
    names: Mapping[str, str]


def roles_of(data: Any, score: Any, roles: Mapping[str, Any]) -> Roles:
    """Scores by model, and what was given (or named, where there is a table) for each role.

    Every row needs an actual class; other roles may be None.

    Example:
        >>> roles_of(None, [0.9, 0.1], {"actual": [1, 0], "weight": None}).scores
        {'score': [0.9, 0.1]}
    """
    if roles["actual"] is None:
        raise InputError("Say what the actual classes are: actual=… is missing.")
    if data is None:
        models = score if isinstance(score, Mapping) else {_name_of(score): score}
        scores = {str(name): values for name, values in models.items()}
        require_same_index(*roles.items(), *scores.items())
        return Roles(scores, roles, {role: role for role in roles})
    wanted: Sequence[str] = list(score) if isinstance(score, list | tuple) else [score]
    if not wanted:
        raise InputError("Name at least one column of scores.")
    named = {role: name for role, name in roles.items() if name is not None}
    columns = table_columns(data, [*named.values(), *wanted])
    values = {role: columns[named[role]] if role in named else None for role in roles}
    names = {role: str(named.get(role, role)) for role in roles}
    return Roles({name: columns[name] for name in wanted}, values, names)


def _name_of(values: Any) -> str:
    """A pandas or polars series brings its own name."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else "score"
