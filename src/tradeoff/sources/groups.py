"""Groups of rows by a column: folds, segments, clusters; and the rows that all models share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.paired import PairedRanking
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, format_list
from tradeoff.sources.classes import class_name, datetime_names, format_first_rows, missing_rows
from tradeoff.sources.columns import column_array
from tradeoff.sources.row_rules import CheckedBatch, Fault, require_equal_lengths, require_folds
from tradeoff.sources.text_values import is_integer, is_number, loses_digits
from tradeoff.text import format_rows

NO_VALUE = "(no value)"
Rankings = dict[str, "Ranking"]


def rankings_by_fold(
    models: Mapping[str, CheckedBatch], column: Any, actual: Any, name: str
) -> dict[str, Rankings]:
    """Rankings of each model by fold; every row needs a fold."""
    if column is None:
        return {}
    values = _group_column(column, actual, name)
    require_folds(Fault().add(missing_rows(values)), name)
    return rankings_by_value(models, values)


def rankings_by_segment(
    models: Mapping[str, CheckedBatch], column: Any, actual: Any, name: str
) -> dict[str, Rankings]:
    """Rankings of each model by segment; rows without a value form their own segment."""
    if column is None:
        return {}
    return rankings_by_value(models, name_missing_segments(_group_column(column, actual, name)))


def name_missing_segments(values: NDArray[Any]) -> NDArray[Any]:
    """Replace missing segments by a name."""
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


def rankings_by_value(
    models: Mapping[str, CheckedBatch],
    values: Any,
    codes: NDArray[np.intp] | None = None,
    *,
    max_thresholds: int | None = None,
) -> dict[str, Rankings]:
    """Rankings of each model by the groups of a column, in natural order.

    `codes` are the index of each row's value, if `values` are distinct; `max_thresholds` limits
    each ranking.
    """
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    unique_values, row_codes = np.unique(values, return_inverse=True)
    row_codes = row_codes if codes is None else row_codes[codes]
    names = {class_name(value): code for code, value in enumerate(unique_values)}
    if values.dtype.kind == "U":
        names = {name: names[name] for name in sorted(names, key=_natural_sort_key)}

    def ranking(checked: CheckedBatch, code: int) -> Ranking:
        ranking = checked.restricted_to(row_codes == code).ranking()
        return ranking if max_thresholds is None else ranking.within(max_thresholds)

    return {
        model: {name: ranking(checked, code) for name, code in names.items()}
        for model, checked in models.items()
    }


def ordered_group_names(values: Iterable[str], *, numbers: bool) -> dict[str, str]:
    """Names of groups by their values as text, in natural order.

    Example:
        >>> ordered_group_names(["10.0", "2.0"], numbers=True)
        {'2.0': '2', '10.0': '10'}
    """
    distinct_values = set(values)
    present = distinct_values - {NO_VALUE}
    if numbers and _are_exact_numbers(present):
        names = {value: _number_name(value) for value in sorted(present, key=_parse_number)}
    elif {value.casefold() for value in present} <= {"true", "false"}:
        names = {value: value.capitalize() for value in sorted(present, key=str.casefold)}
    else:
        names = {value: value for value in sorted(present, key=_natural_sort_key)}
    if NO_VALUE in distinct_values:
        names[NO_VALUE] = NO_VALUE
        return dict(sorted(names.items(), key=lambda item: _natural_sort_key(item[1])))
    return names


def _number_name(value: str) -> str:
    number = _parse_number(value)
    return str(number) if isinstance(number, int) else class_name(number)


def _parse_number(value: str) -> int | float:
    """Parse a number; integers stay integers, as floats would round large ones."""
    return int(value) if is_integer(value) else float(value)


def _are_exact_numbers(values: Iterable[str]) -> bool:
    """Whether all texts are numbers that float64 represents without ties."""
    values = list(values)
    if not all(map(is_number, values)):
        return False
    return all(map(is_integer, values)) or not any(map(loses_digits, values))


def _natural_sort_key(name: str) -> list[tuple[bool, int, str]]:
    """Natural sort key, by which fold 2 comes before fold 10."""
    parts = [part.lstrip("0") for part in re.split(r"([0-9]+)", name)]
    return [
        (index % 2 == 0, len(part) if index % 2 else 0, part) for index, part in enumerate(parts)
    ]


# Rows shared by several models, and clusters.


def paired_ranking(
    models: Mapping[str, CheckedBatch], clusters: NDArray[np.intp] | None = None
) -> PairedRanking:
    """Paired ranking: the scores of all models on the rows that all of them scored."""
    _require_no_rejected(models)
    notes = tuple(dict.fromkeys(note for checked in models.values() for note in checked.notes))
    shared, left_out_notes = _shared_rows(models)
    positions = {name: _shared_positions(checked, shared) for name, checked in models.items()}
    name, first = next(iter(models.items()))
    cluster_codes = clusters if clusters is None or shared is None else clusters[shared]
    return PairedRanking(
        {name: checked.scores[positions[name]] for name, checked in models.items()},
        first.labels.positive_rows[positions[name]],
        None if first.weights is None else first.weights[positions[name]],
        None if cluster_codes is None else _consecutive_codes(cluster_codes),
        first.labels.positive,
        first.labels.negative,
        first.lower_is_positive,
        first.importance,
        notes + left_out_notes,
    )


def _shared_rows(
    models: Mapping[str, CheckedBatch],
) -> tuple[NDArray[np.intp] | None, tuple[str, ...]]:
    """Indices of the rows that every model scored (None: all), and notes on the others."""
    if all(checked.indices is None for checked in models.values()):
        return None, ()
    indices = [checked.row_indices for checked in models.values()]
    counts = np.bincount(np.concatenate(indices))
    shared, scored = np.flatnonzero(counts == len(models)), int(np.count_nonzero(counts))
    if not len(shared):
        sizes = [
            f"{name} {format_rows(len(model_rows))}"
            for name, model_rows in zip(models, indices, strict=True)
        ]
        raise InputError(
            f"No row is scored by every model: {', '.join(sizes)}, with no row in common."
        )
    if len(shared) == scored:
        return shared, ()
    left_out = f"{format_rows(scored - len(shared))} left out"
    return shared, (f"{len(shared):,} of {scored:,} rows are scored by every model, {left_out}",)


def cluster_codes(column: Any, actual: Any, name: str) -> NDArray[np.intp]:
    """Integer code of each row's cluster."""
    values = column_array(column, name)
    require_equal_lengths(column_array(actual, "actual"), values, "actual", name)
    missing = missing_rows(values)
    if missing.any():
        raise InputError(
            f"{format_rows(int(missing.sum()))} without a cluster in {name!r} (first: "
            f"{format_first_rows(missing)}): fill it in."
        )
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    unique_values, codes = np.unique(values, return_inverse=True)
    if len(unique_values) == 1 and len(values) > 1:
        raise InputError(
            f"All rows belong to one cluster, {class_name(unique_values[0])!r}: the variation "
            f"between clusters cannot be estimated. Name a column of patients or users "
            f"instead of {name!r}."
        )
    return np.asarray(codes)


def _shared_positions(checked: CheckedBatch, shared: NDArray[np.intp] | None) -> Any:
    """Positions of the shared rows among a model's rows; a full slice if all are shared."""
    if shared is None or len(shared) == len(checked.scores):
        return slice(None)
    return np.searchsorted(checked.row_indices, shared)


def _consecutive_codes(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Renumber cluster codes from 0 without gaps."""
    return np.asarray(np.unique(codes, return_inverse=True)[1])


def _require_no_rejected(models: Mapping[str, CheckedBatch]) -> None:
    undecided = [name for name, checked in models.items() if checked.undecided is not None]
    if undecided:
        raise InputError(
            f"Rejected rows of {format_list(undecided)} have no score, which clusters and "
            "comparisons "
            'need: say missing="drop" or "negative".'
        )
