"""Class labels: which rows are positive, from all rows at once or batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, did_you_mean, format_list
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.sql_quoting import quote_name, quote_string
from tradeoff.sources.text_values import (
    INTEGER_PATTERN,
    MAX_EXACT_INTEGER,
    NUMBER_PATTERN,
    is_integer,
    is_number,
    loses_digits,
    loses_digits_sql,
    matches_sql,
)

# Which rows are positive is decided in this module and nowhere else.


@dataclass(frozen=True)
class Labels:
    """Class labels: a mask of the positive rows, and the names of both classes."""

    positive_rows: NDArray[np.bool_]
    positive: str
    negative: str


def class_labels(actual: NDArray[Any], positive: Any = None, *, name: str = "actual") -> Labels:
    """Determine class labels: which rows are positive, and the names of both classes.

    Classes other than {0, 1}, {-1, 1} and {False, True} require `positive`. With more than two
    classes, all but `positive` are negative.
    """
    actual = datetime_names(actual) if actual.dtype.kind == "M" else actual
    if positive is None:
        return _default_labels(_numeric_classes(actual), actual, name)
    positive_rows = _class_mask(actual, positive)
    if positive_rows.all() or not positive_rows.any():
        return _single_class_labels(actual, positive_rows, positive, name)
    negatives = actual[~positive_rows]
    single_negative = bool((negatives == negatives[0]).all())
    positive_name = class_name(actual[positive_rows.argmax()])  # as written in the data
    if actual.dtype.kind not in "biuf":
        others = negatives[:1] if single_negative else negatives
        require_one_spelling(positive_name, _distinct_values(others), name)
    return Labels(
        positive_rows,
        positive_name,
        class_name(negatives[0]) if single_negative else f"not {positive_name}",
    )


def class_name(value: Any) -> str:
    """Name of a class as people write it: 1.0 becomes "1".

    Example:
        >>> [class_name(x) for x in (1.0, np.True_, "yes", 0.5)]
        ['1', 'True', 'yes', '0.5']
    """
    if isinstance(value, bytes | bytearray):
        return _bytes_name(bytes(value))
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def spelling(name: str) -> str:
    """Name of a class without differences of case and spaces.

    Example:
        >>> spelling(" Not  sure") == spelling("not sure")
        True
    """
    return " ".join(name.split()).casefold()


def require_one_spelling(positive: str, others: Iterable[Any], column: str) -> None:
    """Refuse classes that differ from the positive one only in case or spaces.

    They would count as negative. Classes that are meant to differ so, such as the alleles A and a,
    can still be written as 1 and 0.
    """
    names = {class_name(other) for other in others}
    variants = {other for other in names if spelling(other) == spelling(positive)} - {positive}
    if variants:
        raise InputError(
            f"{column!r} holds {format_list([positive, *sorted(variants)])}, which differ only in "
            "case or spaces: write them alike or, if they are different classes, write 1 for the "
            "positive class and 0 for all others."
        )


def _bytes_name(value: bytes) -> str:
    """Bytes decoded as UTF-8, or written in hexadecimal if they are not valid UTF-8."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return "".join(f"\\x{byte:02X}" for byte in value)


def datetime_names(datetimes: NDArray[Any]) -> NDArray[Any]:
    """Names of classes that are dates or times, formatted as in DuckDB; None if missing."""
    present_datetimes = datetimes[~np.isnat(datetimes)]
    are_dates = bool((present_datetimes == present_datetimes.astype("datetime64[D]")).all())
    names = np.datetime_as_string(datetimes, unit="D" if are_dates else "us").astype(object)
    if not are_dates:
        names[:] = [name.replace("T", " ").rstrip("0").rstrip(".") for name in names]
    names[np.isnat(datetimes)] = None
    return names


def distinct_class_names(values: NDArray[Any]) -> list[str]:
    """Sorted names of the classes that occur in a column."""
    if values.dtype.kind == "O":
        return sorted({class_name(value) for value in values})
    return [class_name(value) for value in np.unique(values)]


def _distinct_values(values: NDArray[Any]) -> Iterable[Any]:
    """Values of a column of text without repetitions, if they can be hashed."""
    if values.dtype.kind != "O":
        return np.unique(values)
    try:
        return set(values.tolist())
    except TypeError:  # mutable bytes
        return values


def _numeric_classes(actual: NDArray[Any]) -> NDArray[Any] | None:
    """Classes as a numeric array; None if some are not numbers."""
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
        is_one = numbers == 1
        # Either all classes are 0 or 1, or all are -1 or 1.
        other_nonzero = int(np.count_nonzero(numbers)) - int(np.count_nonzero(is_one))
        if not other_nonzero:
            return Labels(is_one, "1", "0")
        if (
            other_nonzero + int(np.count_nonzero(is_one)) == len(is_one)
            and (is_one | (numbers == -1)).all()
        ):
            return Labels(is_one, "1", "-1")
    names = distinct_class_names(actual)
    if len(names) > 2:
        raise InputError(
            f"{name!r} holds {len(names):,} classes, {format_list(names, 6)}: say which one is "
            f"positive (the others are then negative), for example positive={names[0]!r}."
        )
    raise InputError(
        f"{name!r} holds {format_list(names)}: say which one is positive, "
        f"for example positive={names[-1]!r}."
    )


def _class_mask(actual: NDArray[Any], positive: Any) -> NDArray[np.bool_]:
    if actual.dtype.kind == "b":
        booleans = {"true": True, "1": True, "false": False, "0": False}
        boolean = booleans.get(class_name(positive).casefold())
        return np.zeros(len(actual), np.bool_) if boolean is None else np.asarray(actual == boolean)
    if actual.dtype.kind in "iuf":
        number = _parse_class_number(positive)
        if number is None:
            return np.zeros(len(actual), np.bool_)
        return np.asarray(actual == number)
    is_exact_match = np.asarray(actual == positive, dtype=np.bool_)
    if is_exact_match.ndim == 1 and is_exact_match.any():
        return is_exact_match
    name = class_name(positive)
    return np.fromiter((class_name(value) == name for value in actual), np.bool_, len(actual))


def _parse_class_number(value: Any) -> int | float | None:
    """Parse a class as a number; integers stay integers because floats would round large ones."""
    for number_type in (int, float):
        try:
            number = number_type(value)
        except (TypeError, ValueError, OverflowError):
            continue
        if isinstance(value, str) or number == value:
            return number
    return None


def _single_class_labels(
    actual: NDArray[Any], positive_rows: NDArray[np.bool_], positive: Any, name: str
) -> Labels:
    """Labels of rows that are all positive or all negative; an error if `positive` is misspelt."""
    positive_name = class_name(positive)
    if positive_rows.any() or not actual.size:
        return Labels(positive_rows, positive_name, f"not {positive_name}")
    names = distinct_class_names(actual)
    if len(names) > 1 or spelling(names[0]) == spelling(positive_name):
        raise InputError(
            f"{positive_name!r} does not occur in {name!r}.{did_you_mean(positive_name, names)} "
            f"Its {'classes are' if len(names) > 1 else 'only class is'} {format_list(names)}."
        )
    return Labels(positive_rows, positive_name, names[0])


MAX_CLASSES = 1000
"""Maximum number of classes that are collected; messages list only a few of them."""
PROBE_ROWS = 10_000
"""Number of rows at the start of a column from which its classes are guessed."""
MAX_FREQUENT_CELLS = 8
"""Maximum number of frequent cell values that are compared as strings."""
EXACT_INTEGER, NONINTEGER, INEXACT_INTEGER = range(3)
"""Kinds of cells: integer, other number, integer that float64 would round."""
POSITIVE_OFFSET, TEXT = 3, 6
"""Offset that marks cells of the positive class; kind of a cell that is not a number."""
BOOLEAN_CODES = {"true": 1, "1": 1, "false": 0, "0": 0}


class ColumnIsText(Exception):  # noqa: N818 - not an error: a second pass follows
    """The class column holds strings, although its first rows looked numeric or boolean."""


class NumericClasses:
    """Classes of a numeric or boolean column, read in batches."""

    def __init__(
        self, relation: Any, name: str, positive: Any, cast: str, *, is_boolean: bool
    ) -> None:
        self.name = name
        self.is_boolean = is_boolean
        self.positive = positive
        self.expression = f"{quote_name(name)}{cast}"
        self.is_bigint = cast == "::BIGINT"
        self.dtype: Any = np.bool_ if is_boolean else None
        self.values_seen: set[float] = set()
        first_values = np.array(
            [row[0] for row in _first_values(relation, quote_name(name))], object
        )
        first_values = first_values[~missing_rows(first_values)]
        if len(first_values) and positive is not None and self._positive_value() is None:
            class_labels(first_values, positive, name=name)

    @property
    def one_is_positive(self) -> bool:
        """Whether 1 is the positive class."""
        return self._positive_value() == 1

    def positive_mask(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Mask of the positive rows of a batch."""
        positive_value = self._positive_value()
        if (
            positive_value == 1
            and values.dtype.itemsize == 1
            and values.view(np.uint8).max(initial=0) <= 1
        ):
            # An array of bytes 0 and 1 can be viewed as booleans.
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

    def labels(self) -> Labels:
        """Labels of the distinct classes; an error if the positive class must be named."""
        return class_labels(
            np.array(sorted(self.values_seen), self.dtype), self.positive, name=self.name
        )

    def _positive_value(self) -> float | None:
        if self.positive is None:
            return 1
        if self.is_boolean:
            return BOOLEAN_CODES.get(str(self.positive).casefold())
        return _parse_class_number(self.positive)

    def _record_values(self, values: NDArray[Any], is_positive: NDArray[np.bool_]) -> None:
        """Record the classes of a batch; usually none is new, which is quick to check."""
        recorded_rows = int(np.count_nonzero(is_positive))
        positive_value = self._positive_value()
        if recorded_rows and positive_value is not None:
            self.values_seen.add(positive_value)
        for other in self.values_seen - {positive_value}:
            recorded_rows += int(np.count_nonzero(values == other))
        if recorded_rows < len(values) and len(self.values_seen) < MAX_CLASSES:
            self.values_seen |= set(np.unique(values[~is_positive])[:MAX_CLASSES].tolist())


class TextClasses:
    """Classes of a string column, read in batches and compared by DuckDB.

    Args:
        relation: The rows.
        name: The column.
        positive: The positive class, if the caller named one.
        string_sql: SQL expression for the column as strings.
        may_be_boolean: Whether to treat a column whose only values are true and false, in any case,
            as boolean.
    """

    one_is_positive = False

    def __init__(
        self, relation: Any, name: str, positive: Any, string_sql: str, *, may_be_boolean: bool
    ) -> None:
        self.name = name
        self.relation = relation
        first_values = [row[0] for row in _first_values(relation, string_sql) if row[0] is not None]
        # A string column whose only values are true and false counts as boolean.
        is_boolean = bool(first_values) and {word.casefold() for word in first_values} <= {
            "true",
            "false",
        }
        self.is_boolean = is_boolean = is_boolean and may_be_boolean
        if first_values and positive is None and not is_boolean:
            # The positive class must be named; the message lists the classes.
            classes = (
                first_values if may_be_boolean else sorted(_distinct_strings(relation, string_sql))
            )
            class_labels(np.array(classes, object), None, name=name)
        if not is_boolean and class_name(positive) in first_values:  # before all rows are read
            require_one_spelling(class_name(positive), first_values, name)
        self.positive = positive
        self.column_sql = column_sql = f"lower({string_sql})" if is_boolean else string_sql
        positive_value = class_name(positive)
        if is_boolean:
            code = BOOLEAN_CODES.get("true" if positive is None else str(positive).casefold())
            positive_value = "neither" if code is None else ("false", "true")[code]
        other_classes = [
            word
            for word in first_values
            if (word.casefold() if is_boolean else word) != positive_value
        ]
        self.other_class = (
            (other_classes[0].casefold() if is_boolean else other_classes[0])
            if other_classes
            else None
        )
        other_class_sql = (
            ""
            if self.other_class is None
            else f"WHEN {column_sql} = {quote_string(self.other_class)} THEN 0 "
        )
        boolean_sql = f"WHEN {column_sql} IN ('true', 'false') THEN 2 " if is_boolean else ""
        self.expression = (
            f"(CASE WHEN {column_sql} = {quote_string(positive_value)} THEN 1 {other_class_sql}"
            f"{boolean_sql}WHEN {column_sql} IS NULL THEN NULL "
            f"ELSE {3 if is_boolean else 2} END)::TINYINT"
        )
        self.positive_value = positive_value
        self.codes_seen: set[int] = set()

    def positive_mask(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Mask of the positive rows of a batch."""
        self.codes_seen |= set(
            np.flatnonzero(np.bincount(values.astype(np.intp), minlength=3)).tolist()
        )
        if 3 in self.codes_seen:
            raise ColumnIsText
        return np.asarray(values == 1)

    def labels(self) -> Labels:
        """Labels of the distinct classes; an error if the positive class must be named."""
        classes = {1: self.positive_value, 0: self.other_class}
        names = [
            str(classes[code]) for code in sorted(self.codes_seen, reverse=True) if code in classes
        ]
        if 2 in self.codes_seen:
            names = _distinct_strings(self.relation, self.column_sql)
            names += (
                [self.positive_value]
                if 1 in self.codes_seen and self.positive_value not in names
                else []
            )
        if self.is_boolean:
            values = np.array([word == "true" for word in names], np.bool_)
            return class_labels(values, self.positive, name=self.name)
        return class_labels(np.array(sorted(names), object), self.positive, name=self.name)


class NumericTextClasses:
    """Classes of a column that starts with numbers in a text file, read in batches.

    Its cells are compared as written, so that no digit is lost. If a later cell is not a number, or
    no numeric type can represent it, the whole column is treated as strings.
    """

    one_is_positive = False

    def __init__(self, relation: Any, name: str, positive: Any) -> None:
        self.name, self.positive, self.relation = name, positive, relation
        self.cell_sql = f"{quote_name(name)}::VARCHAR"
        self.positive_value = 1 if positive is None else _parse_class_number(positive)
        cells = [row[0] for row in _first_values(relation, self.cell_sql) if row[0] is not None]
        numbers = [cell for cell in cells if is_number(cell) and not isnan(float(cell))]
        if numbers and positive is not None and self.positive_value is None:
            class_labels(_distinct_numbers(numbers), positive, name=name)
        self.frequent_cells = numbers[:MAX_FREQUENT_CELLS]
        self.kind_by_code = np.array([*range(TEXT + 1), *map(self._cell_kind, self.frequent_cells)])
        self.codes_seen: set[int] = set()
        self.expression = self._cell_code_sql()

    def _cell_kind(self, cell: str) -> int:
        kind = (
            (INEXACT_INTEGER if loses_digits(cell) else EXACT_INTEGER)
            if is_integer(cell)
            else NONINTEGER
        )
        return kind + POSITIVE_OFFSET if _parse_number(cell) == self.positive_value else kind

    def _cell_code_sql(self) -> str:
        cell = self.cell_sql
        frequent_cells_sql = " ".join(
            f"WHEN {cell} = {quote_string(cell_text)} THEN {TEXT + 1 + index}"
            for index, cell_text in enumerate(self.frequent_cells)
        )
        integer_sql, float_sql = f"TRY_CAST({cell} AS BIGINT)", f"TRY_CAST({cell} AS DOUBLE)"
        positive_value_sql = "NULL" if self.positive_value is None else repr(self.positive_value)
        positive_value_sql = (
            f"{quote_string(positive_value_sql)}::DOUBLE"
            if isinstance(self.positive_value, float)
            else positive_value_sql
        )
        offset_sql = f"CASE WHEN {{}} = {positive_value_sql} THEN {POSITIVE_OFFSET} ELSE 0 END"
        return (
            f"(CASE {frequent_cells_sql} WHEN {cell} IS NULL THEN NULL "
            f"WHEN NOT {matches_sql(cell, NUMBER_PATTERN)} THEN {TEXT} "
            f"WHEN NOT {matches_sql(cell, INTEGER_PATTERN)} THEN "
            f"CASE WHEN isnan({float_sql}) THEN NULL "
            f"ELSE {NONINTEGER} + {offset_sql.format(float_sql)} END "
            f"WHEN {integer_sql} IS NULL THEN {TEXT} "
            f"ELSE CASE WHEN {loses_digits_sql(cell)} THEN {INEXACT_INTEGER} "
            f"ELSE {EXACT_INTEGER} END + "
            f"{offset_sql.format(integer_sql)} END)::TINYINT"
        )

    def positive_mask(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Mask of the positive rows of a batch."""
        codes = values.astype(np.intp)
        self.codes_seen |= set(np.flatnonzero(np.bincount(codes)).tolist())
        kinds = self.kind_by_code[list(self.codes_seen)]
        if TEXT in kinds or {NONINTEGER, INEXACT_INTEGER} <= set(
            (kinds % POSITIVE_OFFSET).tolist()
        ):
            raise ColumnIsText
        return np.asarray((self.kind_by_code >= POSITIVE_OFFSET)[codes])

    def labels(self) -> Labels:
        """Labels of the distinct classes; an error if the positive class must be named."""
        cells = [self.frequent_cells[code - TEXT - 1] for code in self.codes_seen if code > TEXT]
        if len(cells) < len(self.codes_seen):  # rare cells require a query
            cells += [
                cell for cell in _distinct_strings(self.relation, self.cell_sql) if is_number(cell)
            ]
        has_positive = bool((self.kind_by_code[list(self.codes_seen)] >= POSITIVE_OFFSET).any())
        return class_labels(
            _distinct_numbers(cells, [self.positive_value] if has_positive else []),
            self.positive,
            name=self.name,
        )


def _parse_number(cell: str) -> int | float:
    return int(cell) if is_integer(cell) else float(cell)


def _distinct_numbers(cells: list[str], other_numbers: Sequence[Any] = ()) -> NDArray[Any]:
    """Distinct numbers among the cells, without NaN."""
    numbers = {_parse_number(cell) for cell in cells if not isnan(float(cell))}
    return np.array(sorted(numbers | set(other_numbers)))


def _distinct_strings(relation: Any, column: str) -> list[str]:
    """Distinct strings of a column, at most `MAX_CLASSES`."""
    rows = relation.project(f"{column} AS c").distinct().limit(MAX_CLASSES).fetchall()
    return [row[0] for row in rows if row[0] is not None]


def _first_values(relation: Any, column: str) -> list[tuple[Any, ...]]:
    """Distinct values in the first rows of a column."""
    first_rows = relation.project(f"{column} AS c").limit(PROBE_ROWS).distinct().order("c")
    rows: list[tuple[Any, ...]] = first_rows.fetchall()
    return rows
