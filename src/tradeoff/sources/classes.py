"""Which rows are positive: from all classes at once, or as they are met batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, did_you_mean, listed
from tradeoff.sources.quoting import quoted, text
from tradeoff.sources.text_cells import (
    INTEGER,
    NUMBER,
    SURE,
    is_integer,
    is_number,
    loses_digits,
    losing_digits,
    written_as,
)

# Which rows are positive. This module alone decides it.


@dataclass(frozen=True)
class Labels:
    """Which rows are positive, and what the two classes are called."""

    positive_rows: NDArray[np.bool_]
    positive: str
    negative: str


def labels(actual: NDArray[Any], positive: Any = None, *, name: str = "actual") -> Labels:
    """Decide which rows are positive, of rows that have a class.

    Without `positive`, only {0, 1}, {-1, 1} and {False, True} explain themselves; any other
    classes need it. With more than two classes, all but `positive` are negative.
    """
    actual = moment_names(actual) if actual.dtype.kind == "M" else actual
    if positive is None:
        return _self_explaining(_as_numbers(actual), actual, name)
    positive_rows = _equal_to(actual, positive)
    if positive_rows.all() or not positive_rows.any():
        return _one_class(actual, positive_rows, positive, name)
    others = actual[~positive_rows]
    only = bool((others == others[0]).all())
    wanted = class_name(actual[positive_rows.argmax()])  # as the data write it
    return Labels(positive_rows, wanted, class_name(others[0]) if only else f"not {wanted}")


def class_name(value: Any) -> str:
    """The name of a class as people write it: 1.0 is 1.

    Example:
        >>> [class_name(x) for x in (1.0, np.True_, "yes", 0.5)]
        ['1', 'True', 'yes', '0.5']
    """
    if isinstance(value, bytes | bytearray):
        return _text_of(bytes(value))
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _text_of(value: bytes) -> str:
    """Bytes as the text that they mostly are; others stay apart, as their numbers."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return "".join(f"\\x{byte:02X}" for byte in value)


def moment_names(moments: NDArray[Any]) -> NDArray[Any]:
    """Days, or days and times where there are any, as DuckDB writes them; None where missing."""
    known = moments[~np.isnat(moments)]
    days = bool((known == known.astype("datetime64[D]")).all())
    written = np.datetime_as_string(moments, unit="D" if days else "us").astype(object)
    if not days:
        written[:] = [text.replace("T", " ").rstrip("0").rstrip(".") for text in written]
    written[np.isnat(moments)] = None
    return written


def classes_in(values: NDArray[Any]) -> list[str]:
    """The names of all classes that occur, numbers in their order."""
    if values.dtype.kind == "O":
        return sorted({class_name(value) for value in values})
    return [class_name(value) for value in np.unique(values)]


def missing_rows(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Rows without a value: NaN among numbers, None or NaN among texts."""
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind == "M":
        return np.asarray(np.isnat(values))
    # Most columns of objects hold texts alone, which is quick to see.
    if values.dtype.kind != "O" or set(map(type, values.tolist())) == {str}:
        return np.zeros(len(values), np.bool_)
    return np.fromiter((_is_missing(value) for value in values), np.bool_, len(values))


def first_rows(which: NDArray[np.bool_], places: NDArray[np.intp] | None = None) -> str:
    """Where the first of some rows are, counted from 1 (before any were left out).

    Example:
        >>> first_rows(np.array([False, True, True]))
        'rows 2 and 3'
    """
    found = np.flatnonzero(which)[:3]
    return numbered(((found if places is None else places[found]) + 1).tolist())


def numbered(numbers: Sequence[int]) -> str:
    """Rows by their numbers."""
    return f"row{'' if len(numbers) == 1 else 's'} {listed(numbers)}"


def _as_numbers(actual: NDArray[Any]) -> NDArray[Any] | None:
    """Classes given as numbers, also inside an array of objects; None for anything else."""
    if actual.dtype.kind in "biuf":
        return actual
    if actual.dtype.kind == "O" and all(isinstance(v, int | float | np.number) for v in actual):
        return np.array(actual.tolist())
    return None


def _self_explaining(numbers: NDArray[Any] | None, actual: NDArray[Any], name: str) -> Labels:
    if not actual.size:
        return Labels(np.zeros(0, np.bool_), "positive", "negative")
    if numbers is not None and numbers.dtype.kind == "b":
        return Labels(numbers, "True", "False")
    if numbers is not None:
        ones = numbers == 1
        # All that is not 0 is 1; or nothing is 0, and all that is not 1 is -1.
        others = int(np.count_nonzero(numbers)) - int(np.count_nonzero(ones))
        if not others:
            return Labels(ones, "1", "0")
        if others + int(np.count_nonzero(ones)) == len(ones) and (ones | (numbers == -1)).all():
            return Labels(ones, "1", "-1")
    found = classes_in(actual)
    if len(found) > 2:
        raise InputError(
            f"{name!r} holds {len(found):,} classes, {listed(found, 6)}: say which one is positive "
            f"(the others are then negative), for example positive={found[0]!r}."
        )
    raise InputError(
        f"{name!r} holds {listed(found)}: say which one is positive, "
        f"for example positive={found[-1]!r}."
    )


def _equal_to(actual: NDArray[Any], positive: Any) -> NDArray[np.bool_]:
    if actual.dtype.kind == "b":
        words = {"true": True, "1": True, "false": False, "0": False}
        truth = words.get(class_name(positive).casefold())
        return np.zeros(len(actual), np.bool_) if truth is None else np.asarray(actual == truth)
    if actual.dtype.kind in "iuf":
        number = _as_class_number(positive)
        if number is None:
            return np.zeros(len(actual), np.bool_)
        return np.asarray(actual == number)
    exact = np.asarray(actual == positive, dtype=np.bool_)
    if exact.ndim == 1 and exact.any():
        return exact
    wanted = class_name(positive)
    return np.fromiter((class_name(value) == wanted for value in actual), np.bool_, len(actual))


def _as_class_number(value: Any) -> int | float | None:
    """A class as a number: an integer where it is one, since floats would confuse large ones."""
    for kind in (int, float):
        try:
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            continue
        if isinstance(value, str) or number == value:
            return number
    return None


def _one_class(
    actual: NDArray[Any], positive_rows: NDArray[np.bool_], positive: Any, name: str
) -> Labels:
    """All rows alike: legal, unless the named class is a slip of the pen."""
    wanted = class_name(positive)
    if positive_rows.any() or not actual.size:
        return Labels(positive_rows, wanted, f"not {wanted}")
    found = classes_in(actual)
    if len(found) > 1:
        raise InputError(
            f"No row of {name!r} is {wanted!r}.{did_you_mean(wanted, found)} "
            f"Its classes are {listed(found)}."
        )
    return Labels(positive_rows, wanted, found[0])


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


MANY = 1000
"""Messages list a few classes; that there are more is all one needs to know."""
PROBE = 10_000
FEW = 8
"""Classes of so many spellings are told apart at a glance."""
INTEGRAL, REAL, LOSING = range(3)
"""What a cell is: an integer, another number, or an integer that is another one as a float."""
POSITIVE, TEXT = 3, 6
"""Added where it is of the positive class; and a cell that is no number."""
TRUE_OR_FALSE = {"true": 1, "1": 1, "false": 0, "0": 0}


class TextsAfterAll(Exception):  # noqa: N818 - a finding, and no error
    """The first rows looked like numbers or truths, and a later one is none: all are texts."""


class NumberedClasses:
    """A column of numbers or booleans."""

    def __init__(
        self, relation: Any, name: str, positive: Any, width: str, *, boolean: bool
    ) -> None:
        self.name = name
        self.boolean = boolean
        self.given = positive
        self.expression = f"{quoted(name)}{width}"
        self.whole = width == "::BIGINT"
        self.kind: Any = np.bool_ if boolean else None
        self.found: set[float] = set()
        first = np.array([row[0] for row in _few(relation, quoted(name))], object)
        first = first[~missing_rows(first)]
        if len(first) and positive is not None and self._wanted() is None:
            labels(first, positive, name=name)

    @property
    def are_bits(self) -> bool:
        """Whether 1 is positive, so that classes of 0 and 1 say it by themselves."""
        return self._wanted() == 1

    def positives(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows are positive."""
        wanted = self._wanted()
        if wanted == 1 and values.dtype.itemsize == 1 and values.view(np.uint8).max(initial=0) <= 1:
            # Bytes of 0 and 1 are booleans, as they stand.
            positive = values.view(np.bool_)
            self.found |= {1} if positive.any() else set()
            self.found |= set() if positive.all() else {0}
            return positive
        if self.whole and values.dtype.kind == "f" and np.abs(values).max(initial=0) >= SURE:
            raise TextsAfterAll  # missing ones have made floats of all
        if values.dtype == np.float32:
            self.kind = np.float32
        positive = np.asarray(values == (np.nan if wanted is None else wanted))
        self._learn(values, positive)
        return positive

    def names(self) -> Labels:
        """The two classes by their names, or an error where rows do not say which is positive."""
        return labels(np.array(sorted(self.found), self.kind), self.given, name=self.name)

    def _wanted(self) -> float | None:
        if self.given is None:
            return 1
        if self.boolean:
            return TRUE_OR_FALSE.get(str(self.given).casefold())
        return _as_class_number(self.given)

    def _learn(self, values: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        """Remember classes; mostly there is nothing new, which is quick to see."""
        seen = int(np.count_nonzero(positive))
        wanted = self._wanted()
        if seen and wanted is not None:
            self.found.add(wanted)
        for other in self.found - {wanted}:
            seen += int(np.count_nonzero(values == other))
        if seen < len(values) and len(self.found) < MANY:
            self.found |= set(np.unique(values[~positive])[:MANY].tolist())


class NamedClasses:
    """A column of texts: DuckDB compares them, so that they need not be fetched.

    Args:
        relation: The rows.
        name: The column.
        positive: The class that the caller named.
        texts: SQL for its texts.
        may_be_truths: Take true and false alone for booleans, however they are written.
    """

    are_bits = False

    def __init__(
        self, relation: Any, name: str, positive: Any, texts: str, *, may_be_truths: bool
    ) -> None:
        self.name = name
        self.relation = relation
        first = [row[0] for row in _few(relation, texts) if row[0] is not None]
        # A text column of true and false alone explains itself, as one of booleans would.
        words = bool(first) and {w.casefold() for w in first} <= {"true", "false"}
        self.boolean = words = words and may_be_truths
        if first and positive is None and not words:
            # Texts do not explain themselves: the message lists those of all rows, where it can.
            known = first if may_be_truths else sorted(_distinct(relation, texts))
            labels(np.array(known, object), None, name=name)
        self.given = positive
        self.column = column = f"lower({texts})" if words else texts
        wanted = class_name(positive)
        if words:
            truth = TRUE_OR_FALSE.get("true" if positive is None else str(positive).casefold())
            wanted = "neither" if truth is None else ("false", "true")[truth]
        others = [word for word in first if (word.casefold() if words else word) != wanted]
        self.only = (others[0].casefold() if words else others[0]) if others else None
        second = "" if self.only is None else f"WHEN {column} = {text(self.only)} THEN 0 "
        truths = f"WHEN {column} IN ('true', 'false') THEN 2 " if words else ""
        self.expression = (
            f"(CASE WHEN {column} = {text(wanted)} THEN 1 {second}{truths}"
            f"WHEN {column} IS NULL THEN NULL ELSE {3 if words else 2} END)::TINYINT"
        )
        self.wanted = wanted
        self.found: set[int] = set()

    def positives(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows are positive."""
        self.found |= set(np.flatnonzero(np.bincount(values.astype(np.intp), minlength=3)).tolist())
        if 3 in self.found:
            raise TextsAfterAll
        return np.asarray(values == 1)

    def names(self) -> Labels:
        """The two classes by their names."""
        known = {1: self.wanted, 0: self.only}
        names = [str(known[code]) for code in sorted(self.found, reverse=True) if code in known]
        if 2 in self.found:
            names = _distinct(self.relation, self.column)
            names += [self.wanted] if 1 in self.found and self.wanted not in names else []
        if self.boolean:
            truths = np.array([word == "true" for word in names], np.bool_)
            return labels(truths, self.given, name=self.name)
        return labels(np.array(sorted(names), object), self.given, name=self.name)


class WrittenClasses:
    """A column of a text file that holds numbers as far as one can see.

    They are compared as they are written, so that no digit of a large one is lost. A later cell
    that is no number makes texts of them all, as does one that no type would keep apart.
    """

    are_bits = False

    def __init__(self, relation: Any, name: str, positive: Any) -> None:
        self.name, self.given, self.relation = name, positive, relation
        self.cell = f"{quoted(name)}::VARCHAR"
        self.wanted = 1 if positive is None else _as_class_number(positive)
        cells = [row[0] for row in _few(relation, self.cell) if row[0] is not None]
        numbers = [cell for cell in cells if is_number(cell) and not isnan(float(cell))]
        if numbers and positive is not None and self.wanted is None:
            labels(_numbers(numbers), positive, name=name)
        self.frequent = numbers[:FEW]
        self.codes = np.array([*range(TEXT + 1), *map(self._code, self.frequent)])
        self.found: set[int] = set()
        self.expression = self._expression()

    def _code(self, cell: str) -> int:
        sort = (LOSING if loses_digits(cell) else INTEGRAL) if is_integer(cell) else REAL
        return sort + POSITIVE if _number(cell) == self.wanted else sort

    def _expression(self) -> str:
        cell = self.cell
        frequent = " ".join(
            f"WHEN {cell} = {text(written)} THEN {TEXT + 1 + place}"
            for place, written in enumerate(self.frequent)
        )
        whole, real = f"TRY_CAST({cell} AS BIGINT)", f"TRY_CAST({cell} AS DOUBLE)"
        wanted = "NULL" if self.wanted is None else repr(self.wanted)
        wanted = f"{text(wanted)}::DOUBLE" if isinstance(self.wanted, float) else wanted
        positive = f"CASE WHEN {{}} = {wanted} THEN {POSITIVE} ELSE 0 END"
        return (
            f"(CASE {frequent} WHEN {cell} IS NULL THEN NULL "
            f"WHEN NOT {written_as(cell, NUMBER)} THEN {TEXT} "
            f"WHEN NOT {written_as(cell, INTEGER)} THEN "
            f"CASE WHEN isnan({real}) THEN NULL ELSE {REAL} + {positive.format(real)} END "
            f"WHEN {whole} IS NULL THEN {TEXT} "
            f"ELSE CASE WHEN {losing_digits(cell)} THEN {LOSING} ELSE {INTEGRAL} END + "
            f"{positive.format(whole)} END)::TINYINT"
        )

    def positives(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows are positive."""
        codes = values.astype(np.intp)
        self.found |= set(np.flatnonzero(np.bincount(codes)).tolist())
        sorts = self.codes[list(self.found)]
        if TEXT in sorts or {REAL, LOSING} <= set((sorts % POSITIVE).tolist()):
            raise TextsAfterAll
        return np.asarray((self.codes >= POSITIVE)[codes])

    def names(self) -> Labels:
        """The two classes by their names, or an error where rows do not say which is positive."""
        cells = [self.frequent[code - TEXT - 1] for code in self.found if code > TEXT]
        if len(cells) < len(self.found):  # rare ones are asked for
            cells += [cell for cell in _distinct(self.relation, self.cell) if is_number(cell)]
        met = bool((self.codes[list(self.found)] >= POSITIVE).any())
        return labels(_numbers(cells, [self.wanted] if met else []), self.given, name=self.name)


def _number(cell: str) -> int | float:
    return int(cell) if is_integer(cell) else float(cell)


def _numbers(cells: list[str], more: Sequence[Any] = ()) -> NDArray[Any]:
    """The different numbers, of which no cell is NaN."""
    numbers = {_number(cell) for cell in cells if not isnan(float(cell))}
    return np.array(sorted(numbers | set(more)))


def _distinct(relation: Any, column: str) -> list[str]:
    """The classes that occur, up to many."""
    found = relation.project(f"{column} AS c").distinct().limit(MANY).fetchall()
    return [row[0] for row in found if row[0] is not None]


def _few(relation: Any, column: str) -> list[tuple[Any, ...]]:
    """The classes among the first rows."""
    few = relation.project(f"{column} AS c").limit(PROBE).distinct().order("c")
    rows: list[tuple[Any, ...]] = few.fetchall()
    return rows
