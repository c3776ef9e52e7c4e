"""Class labels: which rows are positive, from all rows at once or batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, did_you_mean, format_list
from tradeoff.sources.sql_quoting import quote_name, quote_text
from tradeoff.sources.text_values import (
    INTEGER,
    MAX_EXACT_INTEGER,
    NUMBER,
    is_integer,
    is_number,
    loses_digits,
    loses_digits_sql,
    matches_sql,
)

# This module alone decides which rows are positive.


@dataclass(frozen=True)
class Labels:
    """Class labels: the positive rows and the names of the two classes."""

    positive_rows: NDArray[np.bool_]
    positive: str
    negative: str


def class_labels(actual: NDArray[Any], positive: Any = None, *, name: str = "actual") -> Labels:
    """Class labels of rows: which are positive, and the names of both classes.

    Classes other than {0, 1}, {-1, 1} and {False, True} need `positive`. With more than two
    classes, all but `positive` are negative.
    """
    actual = datetime_names(actual) if actual.dtype.kind == "M" else actual
    if positive is None:
        return _default_labels(_numeric_classes(actual), actual, name)
    positive_rows = _rows_of_class(actual, positive)
    if positive_rows.all() or not positive_rows.any():
        return _single_class_labels(actual, positive_rows, positive, name)
    negatives = actual[~positive_rows]
    single_negative = bool((negatives == negatives[0]).all())
    positive_name = class_name(actual[positive_rows.argmax()])  # as the data write it
    return Labels(
        positive_rows,
        positive_name,
        class_name(negatives[0]) if single_negative else f"not {positive_name}",
    )


def class_name(value: Any) -> str:
    """Name of a class as people write it: 1.0 is 1.

    Example:
        >>> [class_name(x) for x in (1.0, np.True_, "yes", 0.5)]
        ['1', 'True', 'yes', '0.5']
    """
    if isinstance(value, bytes | bytearray):
        return _bytes_text(bytes(value))
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _bytes_text(value: bytes) -> str:
    """Bytes decoded as UTF-8, or escaped as hexadecimal where they are no text."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return "".join(f"\\x{byte:02X}" for byte in value)


def datetime_names(datetimes: NDArray[Any]) -> NDArray[Any]:
    """Dates and times as class names, formatted as DuckDB does; None where missing."""
    present = datetimes[~np.isnat(datetimes)]
    only_dates = bool((present == present.astype("datetime64[D]")).all())
    texts = np.datetime_as_string(datetimes, unit="D" if only_dates else "us").astype(object)
    if not only_dates:
        texts[:] = [text.replace("T", " ").rstrip("0").rstrip(".") for text in texts]
    texts[np.isnat(datetimes)] = None
    return texts


def distinct_class_names(values: NDArray[Any]) -> list[str]:
    """Names of all classes that occur, sorted."""
    if values.dtype.kind == "O":
        return sorted({class_name(value) for value in values})
    return [class_name(value) for value in np.unique(values)]


def missing_rows(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Mask of rows with a missing value (None, NaN or NaT)."""
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind == "M":
        return np.asarray(np.isnat(values))
    # Most object columns hold only texts, which is quick to check.
    if values.dtype.kind != "O" or set(map(type, values.tolist())) == {str}:
        return np.zeros(len(values), np.bool_)
    return np.fromiter((_is_missing(value) for value in values), np.bool_, len(values))


def format_first_rows(mask: NDArray[np.bool_], row_indices: NDArray[np.intp] | None = None) -> str:
    """Format the numbers of the first rows of a mask, from 1, for a message.

    Example:
        >>> format_first_rows(np.array([False, True, True]))
        'rows 2 and 3'
    """
    indices = np.flatnonzero(mask)[:3]
    return format_row_numbers(
        ((indices if row_indices is None else row_indices[indices]) + 1).tolist()
    )


def format_row_numbers(numbers: Sequence[int]) -> str:
    """Format row numbers for a message."""
    return f"row{'' if len(numbers) == 1 else 's'} {format_list(numbers)}"


def _numeric_classes(actual: NDArray[Any]) -> NDArray[Any] | None:
    """Classes as a numeric array; None if they are not all numbers."""
    if actual.dtype.kind in "biuf":
        return actual
    if actual.dtype.kind == "O" and all(isinstance(v, int | float | np.number) for v in actual):
        return np.array(actual.tolist())
    return None


def _default_labels(numbers: NDArray[Any] | None, actual: NDArray[Any], name: str) -> Labels:
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
    names = distinct_class_names(actual)
    if len(names) > 2:
        raise InputError(
            f"{name!r} holds {len(names):,} classes, {format_list(names, 6)}: say which one is "
            "positive "
            f"(the others are then negative), for example positive={names[0]!r}."
        )
    raise InputError(
        f"{name!r} holds {format_list(names)}: say which one is positive, "
        f"for example positive={names[-1]!r}."
    )


def _rows_of_class(actual: NDArray[Any], positive: Any) -> NDArray[np.bool_]:
    if actual.dtype.kind == "b":
        booleans = {"true": True, "1": True, "false": False, "0": False}
        boolean = booleans.get(class_name(positive).casefold())
        return np.zeros(len(actual), np.bool_) if boolean is None else np.asarray(actual == boolean)
    if actual.dtype.kind in "iuf":
        number = _parse_class_number(positive)
        if number is None:
            return np.zeros(len(actual), np.bool_)
        return np.asarray(actual == number)
    exact = np.asarray(actual == positive, dtype=np.bool_)
    if exact.ndim == 1 and exact.any():
        return exact
    name = class_name(positive)
    return np.fromiter((class_name(value) == name for value in actual), np.bool_, len(actual))


def _parse_class_number(value: Any) -> int | float | None:
    """Parse a class as a number; integers stay integers, as floats would round large ones."""
    for kind in (int, float):
        try:
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            continue
        if isinstance(value, str) or number == value:
            return number
    return None


def _single_class_labels(
    actual: NDArray[Any], positive_rows: NDArray[np.bool_], positive: Any, name: str
) -> Labels:
    """Labels of rows of a single class; an error if `positive` looks misspelt."""
    positive_name = class_name(positive)
    if positive_rows.any() or not actual.size:
        return Labels(positive_rows, positive_name, f"not {positive_name}")
    names = distinct_class_names(actual)
    if len(names) > 1:
        raise InputError(
            f"No row of {name!r} is {positive_name!r}.{did_you_mean(positive_name, names)} "
            f"Its classes are {format_list(names)}."
        )
    return Labels(positive_rows, positive_name, names[0])


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


MAX_CLASSES = 1000
"""Messages list only a few classes."""
PROBE_ROWS = 10_000
FREQUENT_CELLS = 8
"""Number of frequent cells that are compared as text."""
WHOLE, REAL, INEXACT = range(3)
"""Kinds of cells: integer, other number, integer that float64 would round."""
POSITIVE, TEXT = 3, 6
"""Added to the kind of cells of the positive class; kind of cells that are no number."""
TRUE_OR_FALSE = {"true": 1, "1": 1, "false": 0, "0": 0}


class ColumnIsText(Exception):  # noqa: N818 - no error, a second pass follows
    """The class column holds text, although its first rows looked numeric or boolean."""


class NumericClasses:
    """Classes of a numeric or boolean column, read in batches."""

    def __init__(
        self, relation: Any, name: str, positive: Any, width: str, *, boolean: bool
    ) -> None:
        self.name = name
        self.boolean = boolean
        self.positive = positive
        self.expression = f"{quote_name(name)}{width}"
        self.is_bigint = width == "::BIGINT"
        self.dtype: Any = np.bool_ if boolean else None
        self.values_seen: set[float] = set()
        first = np.array([row[0] for row in _first_values(relation, quote_name(name))], object)
        first = first[~missing_rows(first)]
        if len(first) and positive is not None and self._positive_value() is None:
            class_labels(first, positive, name=name)

    @property
    def one_is_positive(self) -> bool:
        """Whether 1 is the positive class."""
        return self._positive_value() == 1

    def positives(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Mask of the positive rows of a batch."""
        positive_value = self._positive_value()
        if (
            positive_value == 1
            and values.dtype.itemsize == 1
            and values.view(np.uint8).max(initial=0) <= 1
        ):
            # Bytes of 0 and 1 can be viewed as booleans.
            is_positive = values.view(np.bool_)
            self.values_seen |= {1} if is_positive.any() else set()
            self.values_seen |= set() if is_positive.all() else {0}
            return is_positive
        if (
            self.is_bigint
            and values.dtype.kind == "f"
            and np.abs(values).max(initial=0) >= MAX_EXACT_INTEGER
        ):
            raise ColumnIsText  # missing values have turned integers into floats
        if values.dtype == np.float32:
            self.dtype = np.float32
        is_positive = np.asarray(values == (np.nan if positive_value is None else positive_value))
        self._record_values(values, is_positive)
        return is_positive

    def names(self) -> Labels:
        """Labels of both classes; an error if the positive class must be named."""
        return class_labels(
            np.array(sorted(self.values_seen), self.dtype), self.positive, name=self.name
        )

    def _positive_value(self) -> float | None:
        if self.positive is None:
            return 1
        if self.boolean:
            return TRUE_OR_FALSE.get(str(self.positive).casefold())
        return _parse_class_number(self.positive)

    def _record_values(self, values: NDArray[Any], is_positive: NDArray[np.bool_]) -> None:
        """Record the classes of a batch; usually there is none new, which is quick to check."""
        recorded = int(np.count_nonzero(is_positive))
        positive_value = self._positive_value()
        if recorded and positive_value is not None:
            self.values_seen.add(positive_value)
        for other in self.values_seen - {positive_value}:
            recorded += int(np.count_nonzero(values == other))
        if recorded < len(values) and len(self.values_seen) < MAX_CLASSES:
            self.values_seen |= set(np.unique(values[~is_positive])[:MAX_CLASSES].tolist())


class TextClasses:
    """Classes of a text column, read in batches; DuckDB compares them.

    Args:
        relation: The rows.
        name: The column.
        positive: The positive class, if the caller named one.
        texts: SQL expression for its texts.
        may_be_boolean: Treat a column of true and false alone as boolean, in any case.
    """

    one_is_positive = False

    def __init__(
        self, relation: Any, name: str, positive: Any, texts: str, *, may_be_boolean: bool
    ) -> None:
        self.name = name
        self.relation = relation
        first = [row[0] for row in _first_values(relation, texts) if row[0] is not None]
        # A text column of true and false alone counts as boolean.
        is_boolean = bool(first) and {word.casefold() for word in first} <= {"true", "false"}
        self.boolean = is_boolean = is_boolean and may_be_boolean
        if first and positive is None and not is_boolean:
            # The positive class must be named; the message lists the classes.
            classes = first if may_be_boolean else sorted(_distinct_texts(relation, texts))
            class_labels(np.array(classes, object), None, name=name)
        self.positive = positive
        self.column = column = f"lower({texts})" if is_boolean else texts
        positive_value = class_name(positive)
        if is_boolean:
            code = TRUE_OR_FALSE.get("true" if positive is None else str(positive).casefold())
            positive_value = "neither" if code is None else ("false", "true")[code]
        others = [
            word for word in first if (word.casefold() if is_boolean else word) != positive_value
        ]
        self.only = (others[0].casefold() if is_boolean else others[0]) if others else None
        second = "" if self.only is None else f"WHEN {column} = {quote_text(self.only)} THEN 0 "
        other_boolean = f"WHEN {column} IN ('true', 'false') THEN 2 " if is_boolean else ""
        self.expression = (
            f"(CASE WHEN {column} = {quote_text(positive_value)} THEN 1 {second}{other_boolean}"
            f"WHEN {column} IS NULL THEN NULL ELSE {3 if is_boolean else 2} END)::TINYINT"
        )
        self.positive_value = positive_value
        self.codes_seen: set[int] = set()

    def positives(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Mask of the positive rows of a batch."""
        self.codes_seen |= set(
            np.flatnonzero(np.bincount(values.astype(np.intp), minlength=3)).tolist()
        )
        if 3 in self.codes_seen:
            raise ColumnIsText
        return np.asarray(values == 1)

    def names(self) -> Labels:
        """Labels of both classes."""
        classes = {1: self.positive_value, 0: self.only}
        names = [
            str(classes[code]) for code in sorted(self.codes_seen, reverse=True) if code in classes
        ]
        if 2 in self.codes_seen:
            names = _distinct_texts(self.relation, self.column)
            names += (
                [self.positive_value]
                if 1 in self.codes_seen and self.positive_value not in names
                else []
            )
        if self.boolean:
            values = np.array([word == "true" for word in names], np.bool_)
            return class_labels(values, self.positive, name=self.name)
        return class_labels(np.array(sorted(names), object), self.positive, name=self.name)


class NumericTextClasses:
    """Classes of a text file whose first rows are numbers, read in batches.

    They are compared as written, so that no digit is lost. A later cell that is no number, or
    that no numeric type can represent, makes the whole column text.
    """

    one_is_positive = False

    def __init__(self, relation: Any, name: str, positive: Any) -> None:
        self.name, self.positive, self.relation = name, positive, relation
        self.cell = f"{quote_name(name)}::VARCHAR"
        self.positive_value = 1 if positive is None else _parse_class_number(positive)
        cells = [row[0] for row in _first_values(relation, self.cell) if row[0] is not None]
        numbers = [cell for cell in cells if is_number(cell) and not isnan(float(cell))]
        if numbers and positive is not None and self.positive_value is None:
            class_labels(_distinct_numbers(numbers), positive, name=name)
        self.frequent = numbers[:FREQUENT_CELLS]
        self.codes = np.array([*range(TEXT + 1), *map(self._code, self.frequent)])
        self.codes_seen: set[int] = set()
        self.expression = self._expression()

    def _code(self, cell: str) -> int:
        kind = (INEXACT if loses_digits(cell) else WHOLE) if is_integer(cell) else REAL
        return kind + POSITIVE if _number(cell) == self.positive_value else kind

    def _expression(self) -> str:
        cell = self.cell
        frequent = " ".join(
            f"WHEN {cell} = {quote_text(cell_text)} THEN {TEXT + 1 + index}"
            for index, cell_text in enumerate(self.frequent)
        )
        whole, real = f"TRY_CAST({cell} AS BIGINT)", f"TRY_CAST({cell} AS DOUBLE)"
        value = "NULL" if self.positive_value is None else repr(self.positive_value)
        value = f"{quote_text(value)}::DOUBLE" if isinstance(self.positive_value, float) else value
        positive = f"CASE WHEN {{}} = {value} THEN {POSITIVE} ELSE 0 END"
        return (
            f"(CASE {frequent} WHEN {cell} IS NULL THEN NULL "
            f"WHEN NOT {matches_sql(cell, NUMBER)} THEN {TEXT} "
            f"WHEN NOT {matches_sql(cell, INTEGER)} THEN "
            f"CASE WHEN isnan({real}) THEN NULL ELSE {REAL} + {positive.format(real)} END "
            f"WHEN {whole} IS NULL THEN {TEXT} "
            f"ELSE CASE WHEN {loses_digits_sql(cell)} THEN {INEXACT} ELSE {WHOLE} END + "
            f"{positive.format(whole)} END)::TINYINT"
        )

    def positives(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Mask of the positive rows of a batch."""
        codes = values.astype(np.intp)
        self.codes_seen |= set(np.flatnonzero(np.bincount(codes)).tolist())
        kinds = self.codes[list(self.codes_seen)]
        if TEXT in kinds or {REAL, INEXACT} <= set((kinds % POSITIVE).tolist()):
            raise ColumnIsText
        return np.asarray((self.codes >= POSITIVE)[codes])

    def names(self) -> Labels:
        """Labels of both classes; an error if the positive class must be named."""
        cells = [self.frequent[code - TEXT - 1] for code in self.codes_seen if code > TEXT]
        if len(cells) < len(self.codes_seen):  # rare ones need a query
            cells += [cell for cell in _distinct_texts(self.relation, self.cell) if is_number(cell)]
        has_positive = bool((self.codes[list(self.codes_seen)] >= POSITIVE).any())
        return class_labels(
            _distinct_numbers(cells, [self.positive_value] if has_positive else []),
            self.positive,
            name=self.name,
        )


def _number(cell: str) -> int | float:
    return int(cell) if is_integer(cell) else float(cell)


def _distinct_numbers(cells: list[str], more: Sequence[Any] = ()) -> NDArray[Any]:
    """Distinct numbers among the cells, without NaN."""
    numbers = {_number(cell) for cell in cells if not isnan(float(cell))}
    return np.array(sorted(numbers | set(more)))


def _distinct_texts(relation: Any, column: str) -> list[str]:
    """Distinct texts of a column, at most `MAX_CLASSES`."""
    rows = relation.project(f"{column} AS c").distinct().limit(MAX_CLASSES).fetchall()
    return [row[0] for row in rows if row[0] is not None]


def _first_values(relation: Any, column: str) -> list[tuple[Any, ...]]:
    """Distinct values among the first rows."""
    few = relation.project(f"{column} AS c").limit(PROBE_ROWS).distinct().order("c")
    rows: list[tuple[Any, ...]] = few.fetchall()
    return rows
