"""Results as tidy tables: one line an observation, for any dataframe library and for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Literal

from tradeoff.errors import InputError
from tradeoff.text import count, number, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

Library = Literal["pandas", "polars", "pyarrow"]
SHOWN = 60
"""So many lines of a table are shown in a notebook."""


class Tabular:
    """What has a tidy table; `columns()` is all that a result needs to say of itself."""

    def columns(self) -> Mapping[str, Any]:
        """The table: its columns by name, one line an observation."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The table as a pandas dataframe."""
        return as_frame(self.columns(), "pandas")

    def to_polars(self) -> Any:
        """The table as a polars dataframe."""
        return as_frame(self.columns(), "polars")

    def to_arrow(self) -> Any:
        """The table as a pyarrow table."""
        return as_frame(self.columns(), "pyarrow")

    def _repr_html_(self) -> str:
        """The table as notebooks show it; names from data are text."""
        return as_html(self.columns(), repr(self))


def as_frame(columns: Mapping[str, Any], library: Library) -> Any:
    """Columns as a dataframe of a library that is installed."""
    import narwhals as nw

    try:
        return nw.from_dict(dict(columns), backend=library).to_native()
    except ModuleNotFoundError as problem:
        raise InputError(f"{library} is not installed: columns() has the same table.") from problem


def as_html(columns: Mapping[str, Any], caption: str) -> str:
    """A table in HTML, its first lines if there are many.

    Example:
        >>> as_html({"model": ["a<b"], "auc": [0.75]}, "Two & more")
        '<table><caption>Two &amp; more</caption><thead><tr><th>model</th><th>auc</th></tr></thead>\
<tbody><tr><td>a&lt;b</td><td>0.7500</td></tr></tbody></table>'
    """
    size = len(next(iter(columns.values()), ()))
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = zip(*(column[:SHOWN] for column in columns.values()), strict=True)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_written(value))}</td>' for value in line)}</tr>"
        for line in lines
    )
    more = f"<p>The first {SHOWN} of {size:,} lines.</p>" if size > SHOWN else ""
    said = escape(plain(caption, 300))
    return (
        f"<table><caption>{said}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{more}"
    )


def _written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return plain(value, 300)
    if isinstance(value, bool) or type(value).__name__.startswith("bool"):
        return str(bool(value))
    whole = isinstance(value, int) or type(value).__name__.startswith(("int", "uint"))
    return count(value) if whole else number(float(value))
