"""Rows by the value of a column: folds, segments and clusters; rows that all models share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.paired import PairedRanking
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, listed
from tradeoff.sources.classes import class_name, first_rows, missing_rows, moment_names
from tradeoff.sources.columns import as_column
from tradeoff.sources.policy import CheckedBatch, Fault, require_equal_lengths, require_folds
from tradeoff.sources.text_cells import is_integer, is_number, loses_digits
from tradeoff.text import rows

NO_VALUE = "(no value)"
Rankings = dict[str, "Ranking"]


def folds(
    models: Mapping[str, CheckedBatch], column: Any, actual: Any, name: str
) -> dict[str, Rankings]:
    """The rankings of each model by fold, if there are any; a row without a fold is an error."""
    if column is None:
        return {}
    values = _column(column, actual, name)
    require_folds(Fault().add(missing_rows(values)), name)
    return by_value(models, values)


def segments(
    models: Mapping[str, CheckedBatch], column: Any, actual: Any, name: str
) -> dict[str, Rankings]:
    """The rankings of each model by segment, if there are any.

    Rows without one are a segment of their own.
    """
    if column is None:
        return {}
    return by_value(models, with_names(_column(column, actual, name)))


def with_names(values: NDArray[Any]) -> NDArray[Any]:
    """Segments, where missing ones have a name too."""
    absent = missing_rows(values)
    if not absent.any():
        return values
    named = np.array([class_name(value) for value in values], dtype=object)
    named[absent] = NO_VALUE
    return named


def _column(column: Any, actual: Any, name: str) -> Any:
    values = as_column(column, name)
    require_equal_lengths(as_column(actual, "actual"), values, "actual", name)
    return moment_names(values) if values.dtype.kind == "M" else values


def by_value(
    models: Mapping[str, CheckedBatch],
    values: Any,
    codes: NDArray[np.intp] | None = None,
    *,
    most: int | None = None,
) -> dict[str, Rankings]:
    """The rankings of each model by the values of a column, in order.

    Where there are `codes`, these tell for each row which of the values it has; `most` is how many
    thresholds a ranking may keep.
    """
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    different, code = np.unique(values, return_inverse=True)
    code = code if codes is None else code[codes]
    names = {class_name(value): place for place, value in enumerate(different)}
    if values.dtype.kind == "U":
        names = {name: names[name] for name in sorted(names, key=_as_people_count)}

    def ranking(checked: CheckedBatch, place: int) -> Ranking:
        ranking = checked.among(code == place).ranking()
        return ranking if most is None else ranking.within(most)

    return {
        model: {name: ranking(checked, place) for name, place in names.items()}
        for model, checked in models.items()
    }


def in_order(values: Iterable[str], *, numbers: bool) -> dict[str, str]:
    """Values of a column as texts, in order, with the names of their groups.

    Example:
        >>> in_order(["10.0", "2.0"], numbers=True)
        {'2.0': '2', '10.0': '10'}
    """
    given = set(values)
    there = given - {NO_VALUE}
    if numbers and _are_numbers(there):
        names = {value: _number_name(value) for value in sorted(there, key=_as_number)}
    elif {value.casefold() for value in there} <= {"true", "false"}:
        names = {value: value.capitalize() for value in sorted(there, key=str.casefold)}
    else:
        names = {value: value for value in sorted(there, key=_as_people_count)}
    if NO_VALUE in given:
        names[NO_VALUE] = NO_VALUE
        return dict(sorted(names.items(), key=lambda named: _as_people_count(named[1])))
    return names


def _number_name(value: str) -> str:
    number = _as_number(value)
    return str(number) if isinstance(number, int) else class_name(number)


def _as_number(value: str) -> int | float:
    """Integers as they are, since floats would confuse large ones."""
    return int(value) if is_integer(value) else float(value)


def _are_numbers(values: Iterable[str]) -> bool:
    """Whether all are written as numbers, and floats would confuse none with another."""
    values = list(values)
    if not all(map(is_number, values)):
        return False
    return all(map(is_integer, values)) or not any(map(loses_digits, values))


def _as_people_count(name: str) -> list[tuple[bool, int, str]]:
    """A key by which fold 2 comes before fold 10; of more digits the longer number is larger."""
    parts = [part.lstrip("0") for part in re.split(r"([0-9]+)", name)]
    return [
        (place % 2 == 0, len(part) if place % 2 else 0, part) for place, part in enumerate(parts)
    ]


# The rows that several models share, and the clusters that rows belong to.


def paired_ranking(
    models: Mapping[str, CheckedBatch], clusters: NDArray[np.intp] | None = None
) -> PairedRanking:
    """The scores of all models for the rows that every one of them scored."""
    _require_decided(models)
    notes = tuple(dict.fromkeys(note for checked in models.values() for note in checked.notes))
    shared, left_out = _shared(models)
    where = {name: _at(checked, shared) for name, checked in models.items()}
    name, first = next(iter(models.items()))
    codes = clusters if clusters is None or shared is None else clusters[shared]
    return PairedRanking(
        {name: checked.scores[where[name]] for name, checked in models.items()},
        first.labels.positive_rows[where[name]],
        None if first.weights is None else first.weights[where[name]],
        None if codes is None else _without_gaps(codes),
        first.labels.positive,
        first.labels.negative,
        first.lower_is_positive,
        first.importance,
        notes + left_out,
    )


def _shared(
    models: Mapping[str, CheckedBatch],
) -> tuple[NDArray[np.intp] | None, tuple[str, ...]]:
    """The rows that every model scored (None: all there are), and what is to be told of others."""
    if all(checked.places is None for checked in models.values()):
        return None, ()
    places = [checked.own_places for checked in models.values()]
    times = np.bincount(np.concatenate(places))
    shared, seen = np.flatnonzero(times == len(models)), int(np.count_nonzero(times))
    if not len(shared):
        sizes = [f"{name} {rows(len(some))}" for name, some in zip(models, places, strict=True)]
        raise InputError(f"No row is scored by every model: {', '.join(sizes)}, none of them both.")
    if len(shared) == seen:
        return shared, ()
    left = f"{rows(seen - len(shared))} left out"
    return shared, (f"{len(shared):,} of {seen:,} rows are scored by every model, {left}",)


def cluster_codes(column: Any, actual: Any, name: str) -> NDArray[np.intp]:
    """A number for the cluster of each row."""
    values = as_column(column, name)
    require_equal_lengths(as_column(actual, "actual"), values, "actual", name)
    absent = missing_rows(values)
    if absent.any():
        raise InputError(
            f"{rows(int(absent.sum()))} without a cluster in {name!r} (first: "
            f"{first_rows(absent)}): each row belongs to one."
        )
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    found, codes = np.unique(values, return_inverse=True)
    if len(found) == 1 and len(values) > 1:
        raise InputError(
            f"All rows belong to one cluster, {class_name(found[0])!r}: what varies between "
            f"clusters cannot be seen. Name a column of patients or users, not {name!r}."
        )
    return np.asarray(codes)


def _at(checked: CheckedBatch, shared: NDArray[np.intp] | None) -> Any:
    """Where shared rows stand among a model's own; nothing is copied where all are shared."""
    if shared is None or len(shared) == len(checked.scores):
        return slice(None)
    return np.searchsorted(checked.own_places, shared)


def _without_gaps(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Numbers from 0 without gaps, where rows were left out."""
    return np.asarray(np.unique(codes, return_inverse=True)[1])


def _require_decided(models: Mapping[str, CheckedBatch]) -> None:
    undecided = [name for name, checked in models.items() if checked.undecided is not None]
    if undecided:
        raise InputError(
            f"Rejected rows of {listed(undecided)} have no score, which clusters and comparisons "
            'need: say missing="drop" or "negative".'
        )
