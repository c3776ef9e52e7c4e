"""Quoting of names and strings in SQL, and parsing of quoted table names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tradeoff.errors import InputError


def quote_name(name: str) -> str:
    """Quote the name of a column or table in SQL.

    Example:
        >>> quote_name('p"; DROP TABLE x')
        '"p""; DROP TABLE x"'
    """
    return '"' + name.replace('"', '""') + '"'


def quote_string(value: str) -> str:
    """Quote a string as an SQL literal.

    Example:
        >>> quote_string("it's")
        "'it''s'"
    """
    return "'" + value.replace("'", "''") + "'"


def quote_string_list(values: Iterable[str]) -> str:
    """Quote strings as a list in DuckDB's SQL."""
    return f"[{', '.join(map(quote_string, values))}]"


def quote_string_struct(fields: Mapping[str, str]) -> str:
    """Quote names and strings as a struct in DuckDB's SQL."""
    items = (f"{quote_string(name)}: {quote_string(value)}" for name, value in fields.items())
    return f"{{{', '.join(items)}}}"


TABLE_NAME_PART = re.compile(r'"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|([^."`][^.]*)', re.DOTALL)


def table_name_parts(name: str) -> list[tuple[str, bool]]:
    """Split an SQL table name at its dots; return each part and whether it was quoted.

    Example:
        >>> table_name_parts('scores."march.2024"')
        [('scores', False), ('march.2024', True)]
    """
    parts, position = [], 0
    while match := TABLE_NAME_PART.match(name, position):
        double_quoted, backtick_quoted, unquoted = match.groups("")
        quoted = double_quoted.replace('""', '"') or backtick_quoted.replace("``", "`")
        parts.append((unquoted, False) if unquoted else (quoted, True))
        position = match.end()
        if position == len(name) and all(part for part, _ in parts):
            return parts
        if name[position : position + 1] != ".":
            break
        position += 1
    raise InputError(
        f"{name!r} is not a table name: write table, schema.table or database.schema.table, and a "
        'part that contains a dot or a quote in double quotes, as in schema."my.table".'
    )
