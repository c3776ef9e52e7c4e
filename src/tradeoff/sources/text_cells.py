"""Cells of text files as they are written: which are numbers, and what a column of them holds.

CSV files have no types, and JSON files may have another one in each row. A column holds numbers
where every one of its cells is written as one: a sample is no proof. 0x1F, 1_000 and 007 are names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tradeoff.sources.quoting import quoted, text

INTEGER = r"\s*[+-]?(0|[1-9][0-9]*)\s*"
NUMBER = (
    r"\s*[+-]?(((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|(?i:inf(inity)?|nan))\s*"
)
SURE = 1 << 53
"""Floats hold every integer up to here."""
SURE_DIGITS = 15
"""Floats hold every number of so many digits."""
TEXTS, NUMBERS, INTEGERS, TRUTHS = "VARCHAR", "DOUBLE", "BIGINT", "BOOLEAN"


def is_number(cell: str) -> bool:
    """Whether a cell is written as a number.

    Example:
        >>> [is_number(cell) for cell in ("1", "+.5e-3", " 2. ", "nan", "0x1F", "1_000", "007")]
        [True, True, True, True, False, False, False]
    """
    return re.fullmatch(NUMBER, cell, re.ASCII) is not None


def is_integer(cell: str) -> bool:
    """Whether a cell is written as an integer, so that every digit of it counts.

    Example:
        >>> is_integer("-9007199254740993"), is_integer("1.0"), is_integer("1e3")
        (True, False, False)
    """
    return re.fullmatch(INTEGER, cell, re.ASCII) is not None


def loses_digits(cell: str) -> bool:
    """Whether an integer is another one as a float.

    Example:
        >>> loses_digits("9007199254740993"), loses_digits("9007199254740992")
        (True, False)
    """
    return is_integer(cell) and int(float(cell)) != int(cell)


def written_as(column: str, pattern: str) -> str:
    """SQL for whether a cell is written as `INTEGER` or `NUMBER` says."""
    return f"regexp_full_match({column}, {text(pattern)})"


def losing_digits(column: str) -> str:
    """SQL for whether an integer is another one as a float."""
    whole, real = (f"TRY_CAST({column} AS {kind})" for kind in ("HUGEINT", "DOUBLE"))
    return _all(
        f"length({column}) > {SURE_DIGITS}",
        f"NOT contains({column}, '.')",
        written_as(column, INTEGER),
        f"{whole} IS DISTINCT FROM TRY_CAST({real} AS HUGEINT)",
    )


def _all(*conditions: str) -> str:
    """SQL for whether all hold, each asked only where those before do: AND asks them all."""
    first, *others = conditions
    return f"CASE WHEN {first} THEN {_all(*others)} ELSE false END" if others else first


def kinds_of(table: Any, names: Sequence[str]) -> dict[str, str]:
    """What the columns hold by all their cells: integers, numbers, truths of JSON, or texts."""
    if not names:
        return {}
    places = [f"c{place}" for place in range(len(names))]
    cells = ", ".join(
        f"{quoted(name)}::VARCHAR AS {place}" for name, place in zip(names, places, strict=True)
    )
    found = table.project(cells).aggregate(", ".join(_summary(place) for place in places))
    (answers,) = found.fetchall()
    kinds = {name: _kind(*answers[4 * at : 4 * at + 4]) for at, name in enumerate(names)}
    long = [name for at, name in enumerate(names) if (answers[4 * at + 3] or 0) > SURE_DIGITS]
    return kinds | _kinds_of_long(table, {name: kinds[name] for name in long})


def _summary(column: str) -> str:
    """How its cells are written, of the worst: 0 an integer, 1 a number, 2 a text."""
    marks = " OR ".join(f"contains({column}, '{mark}')" for mark in ".eEnN")
    worst = f"CASE WHEN NOT {written_as(column, NUMBER)} THEN 2 WHEN {marks} THEN 1 ELSE 0 END"
    truths = f"bool_and({column} IN ('true', 'false'))"
    return f"count({column}), max({worst}), {truths}, max(length({column}))"


def _kind(cells: int, worst: int | None, truths: bool | None, _: int | None) -> str:
    if not cells:
        return NUMBERS
    return TRUTHS if truths else (INTEGERS, NUMBERS, TEXTS)[worst or 0]


def _kinds_of_long(table: Any, kinds: Mapping[str, str]) -> dict[str, str]:
    """Numbers of many digits stay texts where no type would keep them apart."""
    integers = [name for name, kind in kinds.items() if kind == INTEGERS]
    numbers = [name for name, kind in kinds.items() if kind == NUMBERS]
    losing = [
        f"bool_or({cell} IS NOT NULL AND TRY_CAST({cell} AS BIGINT) IS NULL)"
        for cell in map(_cell, integers)
    ]
    losing += [f"bool_or({losing_digits(cell)})" for cell in map(_cell, numbers)]
    if not losing:
        return {}
    (found,) = table.aggregate(", ".join(losing)).fetchall()
    texts = [name for name, loses in zip([*integers, *numbers], found, strict=True) if loses]
    texts += [name for name, ties in ties_of_cells(table, numbers).items() if ties]
    return dict.fromkeys(texts, TEXTS)


def ties_of_cells(table: Any, names: Sequence[str]) -> dict[str, int]:
    """How many numbers that are written differently, and are different, are equal as floats."""
    # 0.5 and 0.50 are the same number, but it is quick to see that nothing is written twice.
    doubtful = [name for name, size in _counted(table, names, str).items() if size > 0]
    return {name: max(size, 0) for name, size in _counted(table, doubtful, _decimal).items()}


def _counted(table: Any, names: Sequence[str], exact: Callable[[str], str]) -> dict[str, int]:
    """Different cells less different floats."""
    if not names:
        return {}
    questions = (
        f"count(DISTINCT {exact(cell)}) - count(DISTINCT TRY_CAST({cell} AS DOUBLE))"
        for cell in map(_cell, names)
    )
    (sizes,) = table.aggregate(", ".join(questions)).fetchall()
    return dict(zip(names, sizes, strict=True))


def _cell(name: str) -> str:
    return f"{quoted(name)}::VARCHAR"


def longer_than_needed(table: Any, names: Sequence[str]) -> list[str]:
    """Columns of which some number has more digits than its float would be written with."""
    if not names:
        return []
    questions = (f"bool_or({_is_longer_than_needed(_cell(name))})" for name in names)
    (found,) = table.aggregate(", ".join(questions)).fetchall()
    return [name for name, is_longer in zip(names, found, strict=True) if is_longer]


def _is_longer_than_needed(cell: str) -> str:
    """Of numbers with an exponent nobody asks: whoever writes them so has floats."""
    real = f"TRY_CAST({cell} AS DOUBLE)::VARCHAR"
    return _all(
        f"length({cell}) > {SURE_DIGITS + 2}",
        f"contains({cell}, '.')",
        f"NOT contains({cell}, 'e')",
        f"NOT contains({cell}, 'E')",
        f"{real} <> {cell}",
        f"{_without_zeros(real)} <> {_without_zeros(cell)}",
        f"{_digits(real)} <> {_digits(cell)}",
    )


def _without_zeros(cell: str) -> str:
    """SQL for a number without zeros in front and behind."""
    return f"rtrim(rtrim(ltrim(trim({cell}), '+0'), '0'), '.')"


def _digits(cell: str) -> str:
    """SQL for the digits of a number, wherever its point is."""
    digits = f"regexp_replace(regexp_replace({cell}, '[eE].*', ''), '[^0-9]', '', 'g')"
    return f"trim({digits}, '0')"


def _decimal(cell: str) -> str:
    """SQL for a number to all its digits, however it is written."""
    is_plain = _all(
        f"length({cell}) > {SURE_DIGITS + 2}",
        f"contains({cell}, '.')",
        f"NOT contains(lower({cell}), 'e')",
    )
    real = f"TRY_CAST({cell} AS DOUBLE)::VARCHAR"
    return _without_zeros(f"CASE WHEN {is_plain} THEN {cell} ELSE {real} END")


def as_kind(name: str, kind: str, *, json: bool) -> str:
    """SQL for a column of written cells as what it holds."""
    if kind == TEXTS:
        return written_text(name, json=json)
    return f"{quoted(name)}::VARCHAR::{kind}"


def written_text(name: str, *, json: bool) -> str:
    """SQL for the texts of a column; those of JSON files without their quotes."""
    return f"({quoted(name)} ->> '$')" if json else f"{quoted(name)}::VARCHAR"
