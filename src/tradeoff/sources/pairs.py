"""The rows that several models share, and the clusters that rows belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.paired import PairedRanking
from tradeoff.errors import InputError, listed
from tradeoff.sources.arrays import demand_equal_lengths
from tradeoff.sources.columns import as_column
from tradeoff.sources.labels import class_name, first_rows, missing_rows
from tradeoff.text import rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tradeoff.sources.arrays import ScoredRows


def paired_ranking(
    models: Mapping[str, ScoredRows], clusters: NDArray[np.intp] | None = None
) -> PairedRanking:
    """The scores of all models for the rows that every one of them scored."""
    _demand_decided(models)
    notes = tuple(dict.fromkeys(note for checked in models.values() for note in checked.notes))
    shared, told = _shared(models)
    kept = {name: _at(checked, shared) for name, checked in models.items()}
    name, first = next(iter(models.items()))
    own = clusters if clusters is None or shared is None else clusters[shared]
    return PairedRanking(
        {name: checked.scores[kept[name]] for name, checked in models.items()},
        first.labels.positive_rows[kept[name]],
        None if first.weights is None else first.weights[kept[name]],
        None if own is None else _numbered(own),
        first.labels.positive,
        first.labels.negative,
        first.lower_is_positive,
        first.importance,
        notes + told,
    )


def _shared(
    models: Mapping[str, ScoredRows],
) -> tuple[NDArray[np.intp] | None, tuple[str, ...]]:
    """The rows that every model scored (None: all there are), and what is to be told of others."""
    if all(checked.places is None for checked in models.values()):
        return None, ()
    places = [checked.own_places for checked in models.values()]
    times = np.bincount(np.concatenate(places))
    shared, seen = np.flatnonzero(times == len(models)), int(np.count_nonzero(times))
    if not len(shared):
        sizes = [f"{name} {rows(len(own))}" for name, own in zip(models, places, strict=True)]
        raise InputError(f"No row is scored by every model: {', '.join(sizes)}, none of them both.")
    if len(shared) == seen:
        return shared, ()
    left = f"{rows(seen - len(shared))} left out"
    return shared, (f"{len(shared):,} of {seen:,} rows are scored by every model, {left}",)


def cluster_codes(column: Any, actual: Any, name: str) -> NDArray[np.intp]:
    """A number for the cluster of each row."""
    values = as_column(column, name)
    demand_equal_lengths(as_column(actual, "actual"), values, "actual", name)
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


def _at(checked: ScoredRows, shared: NDArray[np.intp] | None) -> Any:
    """Where shared rows stand among a model's own; nothing is copied where all are shared."""
    if shared is None or len(shared) == len(checked.scores):
        return slice(None)
    return np.searchsorted(checked.own_places, shared)


def _numbered(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Numbers from 0 without gaps, where rows were left out."""
    return np.asarray(np.unique(codes, return_inverse=True)[1])


def _demand_decided(models: Mapping[str, ScoredRows]) -> None:
    undecided = [name for name, checked in models.items() if checked.rejected is not None]
    if undecided:
        raise InputError(
            f"Rejected rows of {listed(undecided)} have no score, which clusters and comparisons "
            'need: say missing="drop" or "negative".'
        )
