"""Names and texts as SQL writes them, whatever they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


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
