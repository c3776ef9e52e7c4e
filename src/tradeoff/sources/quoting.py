"""Names and texts as SQL writes them, whatever they are made of, and names read from SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tradeoff.errors import InputError


def quoted(name: str) -> str:
    """A column or table by its name.

    Example:
        >>> quoted('p"; DROP TABLE x')
        '"p""; DROP TABLE x"'
    """
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text.

    Example:
        >>> text("it's")
        "'it''s'"
    """
    return "'" + value.replace("'", "''") + "'"


def texts(values: Iterable[str]) -> str:
    """A list of texts."""
    return f"[{', '.join(map(text, values))}]"


def struct(fields: Mapping[str, str]) -> str:
    """Texts by name."""
    return f"{{{', '.join(f'{text(name)}: {text(value)}' for name, value in fields.items())}}}"


TABLE_PART = re.compile(r'"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|([^."`][^.]*)', re.DOTALL)


def table_parts(name: str) -> list[tuple[str, bool]]:
    """The parts of a table's name, which dots separate, and whether each was quoted.

    Example:
        >>> table_parts('scores."march.2024"')
        [('scores', False), ('march.2024', True)]
    """
    parts, at = [], 0
    while found := TABLE_PART.match(name, at):
        double, single, bare = found.groups("")
        within = double.replace('""', '"') or single.replace("``", "`")
        parts.append((bare, False) if bare else (within, True))
        at = found.end()
        if at == len(name) and all(part for part, _ in parts):
            return parts
        if name[at : at + 1] != ".":
            break
        at += 1
    raise InputError(
        f"{name!r} names no table: write table, schema.table or database.schema.table, and a part "
        'that holds a dot or a quote itself in double quotes: schema."my.table".'
    )
