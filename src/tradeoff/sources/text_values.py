"""Values in text files: which cells are numbers, and column types inferred from all cells.

CSV files have no types, and JSON files may have a different type in each row. A column is numeric
if every cell is written as a number; 0x1F, 1_000 and 007 are strings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tradeoff.sources.sql_quoting import quote_name, quote_string

INTEGER_PATTERN = r"\s*[+-]?(0|[1-9][0-9]*)\s*"
NUMBER_PATTERN = (
    r"\s*[+-]?(((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|(?i:inf(inity)?|nan))\s*"
)
COMMA_NUMBER_PATTERN = r"\s*[+-]?((0|[1-9][0-9]*)(,[0-9]*)?|,[0-9]+)([eE][+-]?[0-9]+)?\s*"
"""A number with a decimal comma."""
SPACES_BEFORE_PERCENT = (" ", "\u00a0", "\u202f")
"""Spaces that may precede a percent sign: breaking, no-break and narrow no-break."""
PERCENT_PATTERN = f"[{''.join(SPACES_BEFORE_PERCENT)}]?%[ ]*$"
"""A percent sign at the end of a cell, which a space may precede."""
MAX_EXACT_INTEGER = 1 << 53
"""Up to this integer, float64 represents every integer exactly."""
EXACT_DIGITS = 15
"""Number of significant decimal digits that float64 always preserves."""
STRINGS, NUMBERS, INTEGERS, BOOLEANS = "VARCHAR", "DOUBLE", "BIGINT", "BOOLEAN"


def is_number(cell: str) -> bool:
    """Whether a cell of a text file is written as a number.

    Example:
        >>> [is_number(cell) for cell in ("1", "+.5e-3", " 2. ", "nan", "0x1F", "1_000", "007")]
        [True, True, True, True, False, False, False]
    """
    return re.fullmatch(NUMBER_PATTERN, cell, re.ASCII) is not None


def is_integer(cell: str) -> bool:
    """Whether a cell of a text file is written as an integer.

    Example:
        >>> is_integer("-9007199254740993"), is_integer("1.0"), is_integer("1e3")
        (True, False, False)
    """
    return re.fullmatch(INTEGER_PATTERN, cell, re.ASCII) is not None


def loses_digits(cell: str) -> bool:
    """Whether a cell of a text file is an integer that float64 would round.

    Example:
        >>> loses_digits("9007199254740993"), loses_digits("9007199254740992")
        (True, False)
    """
    return is_integer(cell) and int(float(cell)) != int(cell)


def has_decimal_comma(cell: str) -> bool:
    """Whether a cell of a text file is a number with a decimal comma.

    Example:
        >>> [has_decimal_comma(cell) for cell in ("0,73", "1e-3", "1,234,567", "a,b")]
        [True, False, False, False]
    """
    return "," in cell and re.fullmatch(COMMA_NUMBER_PATTERN, cell, re.ASCII) is not None


def plain_number_sql(cell: str, *, has_comma: bool, is_percentage: bool) -> str:
    """SQL for a cell with a decimal point and without a percent sign: 73,1 % becomes 73.1e-2.

    A cell that is written in another way than the first ones becomes a string that says so: where
    decimals have commas, 1.234 may be a thousand, and 73 is not 73%. The exponent makes the
    conversion to a number round only once.
    """
    conditions = []
    number = f"replace({cell}, ',', '.')" if has_comma else cell
    if is_percentage:
        conditions.append(f"WHEN NOT contains({cell}, '%') THEN 'no percent sign in ' || {cell}")
    if has_comma:
        conditions.append(f"WHEN contains({cell}, '.') THEN 'decimal point in ' || {cell}")
    if is_percentage:
        # Looking for a sign is four times as fast in DuckDB as translating all characters.
        conditions += [
            f"WHEN contains({cell}, '{space}%') THEN replace({number}, '{space}%', 'e-2')"
            for space in SPACES_BEFORE_PERCENT
        ]
        number = f"replace({number}, '%', 'e-2')"
    return f"CASE {' '.join(conditions)} ELSE {number} END"


def matches_sql(column: str, pattern: str) -> str:
    """SQL condition that a text cell matches the pattern `INTEGER_PATTERN` or `NUMBER_PATTERN`."""
    return f"regexp_full_match({column}, {quote_string(pattern)})"


def loses_digits_sql(column: str) -> str:
    """SQL condition that a text cell is an integer that float64 would round."""
    as_integer, as_float = (f"TRY_CAST({column} AS {kind})" for kind in ("HUGEINT", "DOUBLE"))
    return _all_sql(
        f"length({column}) > {EXACT_DIGITS}",
        f"NOT contains({column}, '.')",
        matches_sql(column, INTEGER_PATTERN),
        f"{as_integer} IS DISTINCT FROM TRY_CAST({as_float} AS HUGEINT)",
    )


def _all_sql(*conditions: str) -> str:
    """SQL conjunction that is evaluated from left to right, unlike AND."""
    first, *others = conditions
    return f"CASE WHEN {first} THEN {_all_sql(*others)} ELSE false END" if others else first


def cell_kinds(table: Any, names: Sequence[str]) -> dict[str, str]:
    """Infer the type of each text column from all its cells: integer, number, boolean or string."""
    if not names:
        return {}
    aliases = [f"c{index}" for index in range(len(names))]
    cells = ", ".join(
        f"{quote_name(name)}::VARCHAR AS {alias}"
        for name, alias in zip(names, aliases, strict=True)
    )
    result = table.project(cells).aggregate(
        ", ".join(_column_summary_sql(alias) for alias in aliases)
    )
    (results,) = result.fetchall()
    kinds = {
        name: _column_kind(*results[4 * index : 4 * index + 4]) for index, name in enumerate(names)
    }
    columns_of_long_cells = [
        name for index, name in enumerate(names) if (results[4 * index + 3] or 0) > EXACT_DIGITS
    ]
    return kinds | _long_number_kinds(table, {name: kinds[name] for name in columns_of_long_cells})


def _column_summary_sql(column: str) -> str:
    """SQL aggregates of a text column, as `_column_kind` takes them.

    The widest kind of cell is 0 for integers, 1 for numbers and 2 for strings.
    """
    has_fraction = " OR ".join(f"contains({column}, '{mark}')" for mark in ".eEnN")
    is_number = matches_sql(column, NUMBER_PATTERN)
    widest_kind = f"CASE WHEN NOT {is_number} THEN 2 WHEN {has_fraction} THEN 1 ELSE 0 END"
    are_booleans = f"bool_and({column} IN ('true', 'false'))"
    return f"count({column}), max({widest_kind}), {are_booleans}, max(length({column}))"


def _column_kind(
    cell_count: int, widest_kind: int | None, are_booleans: bool | None, _: int | None
) -> str:
    if not cell_count:
        return NUMBERS
    return BOOLEANS if are_booleans else (INTEGERS, NUMBERS, STRINGS)[widest_kind or 0]


def _long_number_kinds(table: Any, kinds: Mapping[str, str]) -> dict[str, str]:
    """Columns of long numbers that remain strings, as no numeric type represents them exactly."""
    integers = [name for name, kind in kinds.items() if kind == INTEGERS]
    numbers = [name for name, kind in kinds.items() if kind == NUMBERS]
    checks = [
        f"bool_or({cell} IS NOT NULL AND TRY_CAST({cell} AS BIGINT) IS NULL)"
        for cell in map(_cell_sql, integers)
    ]
    checks += [f"bool_or({loses_digits_sql(cell)})" for cell in map(_cell_sql, numbers)]
    if not checks:
        return {}
    (results,) = table.aggregate(", ".join(checks)).fetchall()
    string_columns = [
        name for name, is_lossy in zip([*integers, *numbers], results, strict=True) if is_lossy
    ]
    string_columns += [name for name, ties in count_cell_ties(table, numbers).items() if ties]
    return dict.fromkeys(string_columns, STRINGS)


def count_cell_ties(table: Any, names: Sequence[str]) -> dict[str, int]:
    """Count distinct numbers in text cells that become ties as float64, by column."""
    # A quick check first: it counts 0.5 and 0.50 as distinct, although they are equal.
    candidates = [name for name, size in _excess_over_floats(table, names, str).items() if size > 0]
    return {
        name: max(size, 0)
        for name, size in _excess_over_floats(table, candidates, _decimal_sql).items()
    }


def _excess_over_floats(
    table: Any, names: Sequence[str], exact_sql: Callable[[str], str]
) -> dict[str, int]:
    """Number of distinct cells minus the number of distinct floats, by column."""
    if not names:
        return {}
    expressions = (
        f"count(DISTINCT {exact_sql(cell)}) - count(DISTINCT TRY_CAST({cell} AS DOUBLE))"
        for cell in map(_cell_sql, names)
    )
    (counts,) = table.aggregate(", ".join(expressions)).fetchall()
    return dict(zip(names, counts, strict=True))


def _cell_sql(name: str) -> str:
    return f"{quote_name(name)}::VARCHAR"


def columns_with_excess_digits(table: Any, names: Sequence[str]) -> list[str]:
    """Text columns in which some number has more digits than float64 preserves."""
    if not names:
        return []
    checks = (f"bool_or({_has_excess_digits_sql(_cell_sql(name))})" for name in names)
    (results,) = table.aggregate(", ".join(checks)).fetchall()
    return [
        name for name, has_excess_digits in zip(names, results, strict=True) if has_excess_digits
    ]


def _has_excess_digits_sql(cell: str) -> str:
    """SQL condition that a number without an exponent has more digits than float64 preserves."""
    as_float = f"TRY_CAST({cell} AS DOUBLE)::VARCHAR"
    return _all_sql(
        f"length({cell}) > {EXACT_DIGITS + 2}",
        f"contains({cell}, '.')",
        f"NOT contains({cell}, 'e')",
        f"NOT contains({cell}, 'E')",
        f"{as_float} <> {cell}",
        f"{_strip_zeros_sql(as_float)} <> {_strip_zeros_sql(cell)}",
        f"{_digits_sql(as_float)} <> {_digits_sql(cell)}",
    )


def _strip_zeros_sql(cell: str) -> str:
    """SQL for a number without leading and trailing zeros."""
    return f"rtrim(rtrim(ltrim(trim({cell}), '+0'), '0'), '.')"


def _digits_sql(cell: str) -> str:
    """SQL for the digits of a number without its decimal point."""
    digits = f"regexp_replace(regexp_replace({cell}, '[eE].*', ''), '[^0-9]', '', 'g')"
    return f"trim({digits}, '0')"


def _decimal_sql(cell: str) -> str:
    """SQL for a number with all its digits, in canonical form."""
    is_plain = _all_sql(
        f"length({cell}) > {EXACT_DIGITS + 2}",
        f"contains({cell}, '.')",
        f"NOT contains(lower({cell}), 'e')",
    )
    as_float = f"TRY_CAST({cell} AS DOUBLE)::VARCHAR"
    return _strip_zeros_sql(f"CASE WHEN {is_plain} THEN {cell} ELSE {as_float} END")


def cell_value_sql(name: str, kind: str, *, json: bool) -> str:
    """SQL that converts the cells of a text column to its type."""
    if kind == STRINGS:
        return cell_string_sql(name, json=json)
    return f"{quote_name(name)}::VARCHAR::{kind}"


def cell_string_sql(name: str, *, json: bool) -> str:
    """SQL for the cells of a text column as strings; JSON strings without quotes."""
    return f"({quote_name(name)} ->> '$')" if json else f"{quote_name(name)}::VARCHAR"
