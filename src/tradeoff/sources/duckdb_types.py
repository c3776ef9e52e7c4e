"""DuckDB's types, and what a value of each is called: one name, whatever the way in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tradeoff.errors import InputError
from tradeoff.sources.quoting import quoted
from tradeoff.sources.text_cells import SURE_DIGITS, ties_of_cells

INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
REALS = {"FLOAT", "DOUBLE"}
LONG = {"UBIGINT", "HUGEINT", "UHUGEINT"}
DECIMAL = "DECIMAL"
NUMBERS = INTEGERS | REALS | LONG | {DECIMAL}
NESTED = {"STRUCT", "MAP", "UNION", "LIST", "ARRAY"}


def types_of(table: Any) -> dict[str, str]:
    """The type of each column of a relation, as DuckDB writes it."""
    return dict(zip(table.columns, map(str, table.types), strict=True))


def kind_of(declared: str) -> str:
    """A type without what is said in brackets.

    Example:
        >>> kind_of("DECIMAL(20,19)"), kind_of("INTEGER[]"), kind_of("STRUCT(a INTEGER)")
        ('DECIMAL', 'LIST', 'STRUCT')
    """
    return "LIST" if declared.endswith("]") else declared.partition("(")[0]


def exact_kinds(table: Any, names: Sequence[str]) -> dict[str, str]:
    """The kinds of columns; wide numbers are those of a type that keeps them apart, or texts."""
    declared = types_of(table)
    checks = {name: check for name in names if (check := _check(name, declared[name]))}
    kinds = {name: kind_of(declared[name]) for name in names}
    if checks:
        (kept,) = table.aggregate(", ".join(checks.values())).fetchall()
        for name, keeps in zip(checks, kept, strict=True):
            narrow = "DOUBLE" if kinds[name] == DECIMAL else "BIGINT"
            kinds[name] = narrow if keeps is not False else "VARCHAR"
    return kinds | {name: "DOUBLE" for name, kind in kinds.items() if kind == DECIMAL}


def _check(name: str, declared: str) -> str | None:
    """SQL for whether all values of a wide column are kept by a usual type."""
    column, kind = quoted(name), kind_of(declared)
    if kind in LONG:
        return f"bool_and(TRY_CAST({column} AS BIGINT) IS NOT NULL OR {column} IS NULL)"
    if _is_long_decimal(declared):
        return f"count(DISTINCT {column}) = count(DISTINCT {column}::DOUBLE)"
    return None


def _is_long_decimal(declared: str) -> bool:
    """Whether a decimal has more digits than a float keeps."""
    digits = re.match(r"DECIMAL\((\d+)", declared)
    return digits is not None and int(digits[1]) > SURE_DIGITS


def ties_of(table: Any, names: Sequence[str]) -> dict[str, int]:
    """How many different decimals of columns become equal as floats; texts may be decimals."""
    declared = types_of(table)
    ties = ties_of_cells(table, [name for name in names if declared[name] == "VARCHAR"])
    return ties | _ties_of_decimals(table, [n for n in names if _is_long_decimal(declared[n])])


def _ties_of_decimals(table: Any, long: Sequence[str]) -> dict[str, int]:
    if not long:
        return {}
    questions = (
        f"count(DISTINCT {quoted(name)}) - count(DISTINCT {quoted(name)}::DOUBLE)" for name in long
    )
    (ties,) = table.aggregate(", ".join(questions)).fetchall()
    return dict(zip(long, ties, strict=True))


def _as_value(name: str, kind: str) -> str:
    """SQL for a column of numbers, truths or texts as it is, and all else by its name."""
    column = quoted(name)
    if kind in NESTED:
        raise InputError(f"Column {name!r} holds {kind}, not one value a row.")
    if kind in {*REALS, *INTEGERS, "BOOLEAN"}:
        return f"{column}::{kind}"
    return as_name(name, kind)


def as_name(name: str, kind: str) -> str:
    """SQL for the names of a column's values, as people write them."""
    column = quoted(name)
    if kind in NESTED:
        raise InputError(f"Column {name!r} holds {kind}, not one value a row.")
    if kind != "BLOB":
        return f"{column}::VARCHAR"
    # Bytes are mostly texts of which nobody said so; what is none keeps its bytes apart.
    return (
        f"coalesce(TRY(decode({column})), regexp_replace(hex({column}), '(..)', '\\\\x\\1', 'g'))"
    )


def named(names: Sequence[str], kinds: Mapping[str, str]) -> str:
    """SQL for columns under their own names, as values or their names."""
    return ", ".join(f"{_as_value(name, kinds[name])} AS {quoted(name)}" for name in names)
