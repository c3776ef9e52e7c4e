"""DuckDB's column types, and SQL that converts the values of each type without loss."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tradeoff.errors import InputError
from tradeoff.sources.sql_quoting import quote_name
from tradeoff.sources.text_values import EXACT_DIGITS, count_cell_ties

INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
FLOATS = {"FLOAT", "DOUBLE"}
WIDE_INTEGERS = {"UBIGINT", "HUGEINT", "UHUGEINT"}
DECIMAL = "DECIMAL"
NUMBERS = INTEGERS | FLOATS | WIDE_INTEGERS | {DECIMAL}
NESTED_TYPES = {"STRUCT", "MAP", "UNION", "LIST", "ARRAY"}


def column_types(table: Any) -> dict[str, str]:
    """DuckDB type of each column of a relation."""
    return dict(zip(table.columns, map(str, table.types), strict=True))


def type_name(declared_type: str) -> str:
    """Name of a DuckDB type without its parameters.

    Example:
        >>> type_name("DECIMAL(20,19)"), type_name("INTEGER[]"), type_name("STRUCT(a INTEGER)")
        ('DECIMAL', 'LIST', 'STRUCT')
    """
    return "LIST" if declared_type.endswith("]") else declared_type.partition("(")[0]


def lossless_types(table: Any, names: Sequence[str]) -> dict[str, str]:
    """DuckDB types that represent the columns without loss; wide numbers may become strings."""
    declared_types = column_types(table)
    checks = {
        name: check for name in names if (check := _lossless_check_sql(name, declared_types[name]))
    }
    types = {name: type_name(declared_types[name]) for name in names}
    if checks:
        (results,) = table.aggregate(", ".join(checks.values())).fetchall()
        for name, is_lossless in zip(checks, results, strict=True):
            narrow_type = "DOUBLE" if types[name] == DECIMAL else "BIGINT"
            types[name] = narrow_type if is_lossless is not False else "VARCHAR"
    return types | {name: "DOUBLE" for name, kind in types.items() if kind == DECIMAL}


def _lossless_check_sql(name: str, declared_type: str) -> str | None:
    """SQL that checks whether BIGINT or DOUBLE represents a wide column without loss."""
    column, kind = quote_name(name), type_name(declared_type)
    if kind in WIDE_INTEGERS:
        return f"bool_and(TRY_CAST({column} AS BIGINT) IS NOT NULL OR {column} IS NULL)"
    if _is_long_decimal(declared_type):
        return f"count(DISTINCT {column}) = count(DISTINCT {column}::DOUBLE)"
    return None


def _is_long_decimal(declared_type: str) -> bool:
    """Whether a DECIMAL type has more digits than float64 preserves."""
    digits = re.match(r"DECIMAL\((\d+)", declared_type)
    return digits is not None and int(digits[1]) > EXACT_DIGITS


def count_column_ties(table: Any, names: Sequence[str]) -> dict[str, int]:
    """Count the distinct values of each DECIMAL or VARCHAR column that become ties as float64."""
    declared_types = column_types(table)
    ties = count_cell_ties(table, [name for name in names if declared_types[name] == "VARCHAR"])
    return ties | _count_decimal_ties(
        table, [name for name in names if _is_long_decimal(declared_types[name])]
    )


def _count_decimal_ties(table: Any, names: Sequence[str]) -> dict[str, int]:
    if not names:
        return {}
    expressions = (
        f"count(DISTINCT {quote_name(name)}) - count(DISTINCT {quote_name(name)}::DOUBLE)"
        for name in names
    )
    (ties,) = table.aggregate(", ".join(expressions)).fetchall()
    return dict(zip(names, ties, strict=True))


def _value_sql(name: str, kind: str) -> str:
    """SQL for the values of a column: numbers and booleans as they are, others as strings."""
    column = quote_name(name)
    if kind in NESTED_TYPES:
        raise InputError(f"Column {name!r} holds {kind}, not one value per row.")
    if kind in {*FLOATS, *INTEGERS, "BOOLEAN"}:
        return f"{column}::{kind}"
    return value_string_sql(name, kind)


def value_string_sql(name: str, kind: str) -> str:
    """SQL for the values of a column of the given DuckDB type, as strings."""
    column = quote_name(name)
    if kind in NESTED_TYPES:
        raise InputError(f"Column {name!r} holds {kind}, not one value per row.")
    if kind != "BLOB":
        return f"{column}::VARCHAR"
    # Most BLOBs are UTF-8 strings; others are written as hexadecimal bytes.
    return (
        f"coalesce(TRY(decode({column})), regexp_replace(hex({column}), '(..)', '\\\\x\\1', 'g'))"
    )


def typed_columns_sql(names: Sequence[str], kinds: Mapping[str, str]) -> str:
    """SQL that selects columns by name, as values of their DuckDB types."""
    return ", ".join(f"{_value_sql(name, kinds[name])} AS {quote_name(name)}" for name in names)
