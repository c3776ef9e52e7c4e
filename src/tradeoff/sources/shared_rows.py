"""Shared rows, which every model scored: a paired ranking for comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.paired import PairedRanking
from tradeoff.errors import InputError, format_list
from tradeoff.sources.row_rules import CheckedBatch
from tradeoff.text import format_rows


def rank_shared_rows(
    models: Mapping[str, CheckedBatch], clusters: NDArray[np.intp] | None = None
) -> PairedRanking:
    """Paired ranking of the shared rows: all models' scores on the rows that every model scored."""
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
    """Indices of the rows that every model scored (None: all rows), and notes on other rows."""
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
            f"No row was scored by every model: {', '.join(sizes)}, with no row in common."
        )
    if len(shared) == scored:
        return shared, ()
    left_out = f"{format_rows(scored - len(shared))} left out"
    return shared, (f"{len(shared):,} of {scored:,} rows are scored by every model, {left_out}",)


def _shared_positions(checked: CheckedBatch, shared: NDArray[np.intp] | None) -> Any:
    """Positions of the shared rows among a model's rows; a slice of all if all are shared."""
    if shared is None or len(shared) == len(checked.scores):
        return slice(None)
    return np.searchsorted(checked.row_indices, shared)


def _consecutive_codes(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Cluster codes renumbered from 0 without gaps."""
    return np.asarray(np.unique(codes, return_inverse=True)[1])


def _require_no_rejected(models: Mapping[str, CheckedBatch]) -> None:
    undecided = [name for name, checked in models.items() if checked.undecided is not None]
    if undecided:
        raise InputError(
            f"Rejected rows of {format_list(undecided)} have no score, but clusters and "
            'comparisons need one: use missing="drop" or missing="negative".'
        )
