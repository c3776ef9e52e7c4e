"""Names of columns that stand for several: comma-separated names, and patterns such as p_*."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from tradeoff.errors import ColumnError

PATTERN_CHARACTERS = frozenset("*?[")


def expand_columns(names: Iterable[str], available: Sequence[str]) -> list[str]:
    """Names of columns from a list of names, comma-separated names and patterns such as p_*.

    A name that a column has is this column, whatever characters it contains.

    Example:
        >>> expand_columns(["p_*", "a,b"], ["p_x", "p_y", "a", "b"])
        ['p_x', 'p_y', 'a', 'b']
        >>> expand_columns(["a,b"], ["a,b", "a", "b"])
        ['a,b']
    """
    columns: list[str] = []
    for name in names:
        parts = [name] if name in available else [part.strip() for part in name.split(",")]
        for part in filter(None, parts):
            columns += _matching_columns(part, available)
    return list(dict.fromkeys(columns))


def _matching_columns(name: str, available: Sequence[str]) -> list[str]:
    if name in available:
        return [name]
    if not PATTERN_CHARACTERS.isdisjoint(name):
        matches = [column for column in available if fnmatchcase(column, name)]
        if matches:
            return matches
    raise ColumnError.missing(name, available)


def needs_expansion(names: Iterable[str]) -> bool:
    """Whether names may stand for several columns."""
    return any(not (PATTERN_CHARACTERS | {","}).isdisjoint(name) for name in names)
