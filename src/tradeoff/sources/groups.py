"""Group rows by a column: rankings by fold and by segment, and cluster codes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import format_rows
from tradeoff.sources.classes import class_name, datetime_names
from tradeoff.sources.columns import column_array, require_equal_lengths
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.row_messages import Fault, require_folds
from tradeoff.sources.row_numbers import format_first_rows
from tradeoff.sources.row_rules import CheckedBatch
from tradeoff.sources.text_values import is_integer, is_number, loses_digits

NO_VALUE = "(no value)"
Rankings = dict[str, "Ranking"]


def rankings_by_fold(
    models: Mapping[str, CheckedBatch], column: Any, actual: Any, name: str
) -> dict[str, Rankings]:
    """Rankings of each model by fold; every row must have a fold."""
    if column is None:
        return {}
    values = _group_column(column, actual, name)
    require_folds(Fault().add(missing_rows(values)), name)
    return rankings_by_group(models, values)


def rankings_by_segment(
    models: Mapping[str, CheckedBatch], column: Any, actual: Any, name: str
) -> dict[str, Rankings]:
    """Rankings of each model by segment; rows without a segment form a group of their own."""
    if column is None:
        return {}
    return rankings_by_group(models, name_missing_group(_group_column(column, actual, name)))


def name_missing_group(values: NDArray[Any]) -> NDArray[Any]:
    """Give missing values of a group column a name, so that their rows form a group."""
    missing = missing_rows(values)
    if not missing.any():
        return values
    names = np.array([class_name(value) for value in values], dtype=object)
    names[missing] = NO_VALUE
    return names


def _group_column(column: Any, actual: Any, name: str) -> Any:
    values = column_array(column, name)
    require_equal_lengths(column_array(actual, "actual"), values, "actual", name)
    return datetime_names(values) if values.dtype.kind == "M" else values


def rankings_by_group(
    models: Mapping[str, CheckedBatch],
    values: Any,
    codes: NDArray[np.intp] | None = None,
    *,
    max_thresholds: int | None = None,
) -> dict[str, Rankings]:
    """Rankings of each model in each group of a column, with groups in natural order.

    With `codes`, `values` are the distinct values, and each code is the index of a row's value.
    `max_thresholds` limits the number of thresholds in each ranking.
    """
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    unique_values, row_codes = np.unique(values, return_inverse=True)
    row_codes = row_codes if codes is None else row_codes[codes]
    names = {class_name(value): code for code, value in enumerate(unique_values)}
    if values.dtype.kind == "U":
        names = {name: names[name] for name in sorted(names, key=_natural_sort_key)}

    def group_ranking(batch: CheckedBatch, code: int) -> Ranking:
        ranking = batch.restricted_to(row_codes == code).ranking()
        return ranking if max_thresholds is None else ranking.within(max_thresholds)

    return {
        model: {name: group_ranking(batch, code) for name, code in names.items()}
        for model, batch in models.items()
    }


def ordered_group_names(values: Iterable[str], *, are_numbers: bool) -> dict[str, str]:
    """Map the values of groups, given as strings, to the groups' names, in natural order.

    Example:
        >>> ordered_group_names(["10.0", "2.0"], are_numbers=True)
        {'2.0': '2', '10.0': '10'}
    """
    distinct_values = set(values)
    present_values = distinct_values - {NO_VALUE}
    if are_numbers and _are_exact_numbers(present_values):
        names = {value: _number_name(value) for value in sorted(present_values, key=_parse_number)}
    elif {value.casefold() for value in present_values} <= {"true", "false"}:
        names = {value: value.capitalize() for value in sorted(present_values, key=str.casefold)}
    else:
        names = {value: value for value in sorted(present_values, key=_natural_sort_key)}
    if NO_VALUE in distinct_values:
        names[NO_VALUE] = NO_VALUE
        return dict(sorted(names.items(), key=lambda item: _natural_sort_key(item[1])))
    return names


def _number_name(value: str) -> str:
    number = _parse_number(value)
    return str(number) if isinstance(number, int) else class_name(number)


def _parse_number(value: str) -> int | float:
    """Parse a number; integers stay integers because floats would round large ones."""
    return int(value) if is_integer(value) else float(value)


def _are_exact_numbers(values: Iterable[str]) -> bool:
    """Whether all strings are numbers that can be parsed without creating ties."""
    values = list(values)
    if not all(map(is_number, values)):
        return False
    return all(map(is_integer, values)) or not any(map(loses_digits, values))


def _natural_sort_key(name: str) -> list[tuple[bool, int, str]]:
    """Sort key for natural order, in which fold 2 comes before fold 10."""
    parts = [part.lstrip("0") for part in re.split(r"([0-9]+)", name)]
    return [
        (index % 2 == 0, len(part) if index % 2 else 0, part) for index, part in enumerate(parts)
    ]


def cluster_codes(column: Any, actual: Any, name: str) -> NDArray[np.intp]:
    """Integer code of each row's cluster, from the cluster column."""
    values = column_array(column, name)
    require_equal_lengths(column_array(actual, "actual"), values, "actual", name)
    missing = missing_rows(values)
    if missing.any():
        raise InputError(
            f"{format_rows(int(missing.sum()))} without a cluster in {name!r} (first: "
            f"{format_first_rows(missing)}): fill in the cluster."
        )
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    unique_values, codes = np.unique(values, return_inverse=True)
    if len(unique_values) == 1 and len(values) > 1:
        raise InputError(
            f"All rows belong to the same cluster, {class_name(unique_values[0])!r}, so the "
            "variation between clusters cannot be estimated. Name a column of patients or users "
            f"instead of {name!r}."
        )
    return np.asarray(codes)
