"""Columns of a file as lines of text: name, type, values and likely role."""

from __future__ import annotations

from collections.abc import Sequence

from tradeoff.formatting import printable, with_minus_sign
from tradeoff.sources.column_summaries import ColumnSummary
from tradeoff.sources.role_inference import Roles, likely_positive, likely_role
from tradeoff.text_layout import align_columns


def column_lines(
    summaries: Sequence[ColumnSummary], roles: Roles, *, flags: bool, needs_positive: bool = True
) -> list[str]:
    """One line per column: name, type, values and likely role, in aligned columns."""
    rows = [
        (
            printable(column.name),
            column.kind,
            values_text(column),
            role_text(column, roles, flags=flags, needs_positive=needs_positive),
        )
        for column in summaries
    ]
    return align_columns(rows, left=4).splitlines()


def values_text(column: ColumnSummary) -> str:
    """Values of a column in a few words: counts, range or examples, and how many are distinct.

    Example:
        >>> values_text(ColumnSummary("y", "text", 5, 1, 2, (("no", 3), ("yes", 1))))
        'no 3, yes 1, 1 missing'
    """
    if not column.distinct:
        return "no values"
    missing = f", {column.missing:,} missing" if column.missing else ""
    few = 2 if column.kind == "number" else 4
    if column.distinct <= few:
        values = ", ".join(f"{printable(value, 24)} {rows:,}" for value, rows in column.counts)
        return f"{values}{missing}"
    distinct = "all distinct" if column.is_all_distinct else f"{column.distinct:,} distinct"
    if column.low is not None and column.high is not None:
        return f"{_number_text(column.low)} to {_number_text(column.high)}, {distinct}{missing}"
    examples = ", ".join(printable(value, 16) for value in column.values[:3])
    return f"{examples} …, {distinct}{missing}"


def _number_text(value: float) -> str:
    is_whole = value.is_integer() and abs(value) < 1e15
    return with_minus_sign(f"{int(value):,}" if is_whole else f"{value:.3g}")


def role_text(
    column: ColumnSummary, roles: Roles, *, flags: bool, needs_positive: bool = True
) -> str:
    """Likely role of a column, as shown in lists of columns; empty if it may be anything.

    An example is given in flags of the command line, or else as an argument.
    """
    role = likely_role(column, roles)
    if role == "index":
        return "row index without a name, left out"
    if role != "class" or not column.values or not needs_positive:
        return role
    if roles.positive is not None:
        return f"class, {printable(roles.positive, 24)} is positive"
    example = printable(likely_positive(column), 24)
    example = f"--positive {example}" if flags else f"positive={example!r}"
    return f"class: say which is positive, e.g. {example}"
