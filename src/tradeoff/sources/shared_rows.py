"""Rank models on the rows that all of them scored, for paired comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.paired import PairedRanking
from tradeoff.errors import InputError, format_list
from tradeoff.formatting import format_rows
from tradeoff.sources.row_rules import CheckedBatch
from tradeoff.wording import ROWS, Wording


def rank_shared_rows(
    models: Mapping[str, CheckedBatch],
    clusters: NDArray[np.intp] | None = None,
    wording: Wording = ROWS,
) -> PairedRanking:
    """Paired ranking of the shared rows: all models' scores on the rows that every model scored."""
    _require_no_rejected_rows(models)
    notes = tuple(dict.fromkeys(note for batch in models.values() for note in batch.notes))
    shared_indices, left_out_notes = _shared_rows(models, wording)
    positions = {name: _shared_positions(batch, shared_indices) for name, batch in models.items()}
    first_name, first_batch = next(iter(models.items()))
    cluster_codes = (
        clusters if clusters is None or shared_indices is None else clusters[shared_indices]
    )
    return PairedRanking(
        {name: batch.scores[positions[name]] for name, batch in models.items()},
        first_batch.labels.positive_rows[positions[first_name]],
        None if first_batch.weights is None else first_batch.weights[positions[first_name]],
        None if cluster_codes is None else _consecutive_codes(cluster_codes),
        first_batch.labels.positive,
        first_batch.labels.negative,
        first_batch.lower_is_positive,
        first_batch.importance,
        notes + left_out_notes,
        wording,
    )


def _shared_rows(
    models: Mapping[str, CheckedBatch], wording: Wording
) -> tuple[NDArray[np.intp] | None, tuple[str, ...]]:
    """Indices of the rows that every model scored (None: all rows), and notes on other rows."""
    if all(batch.indices is None for batch in models.values()):
        return None, ()
    indices = [batch.row_indices for batch in models.values()]
    counts = np.bincount(np.concatenate(indices))
    shared_indices = np.flatnonzero(counts == len(models))
    scored_count = int(np.count_nonzero(counts))
    if not len(shared_indices):
        sizes = [
            f"{name} {format_rows(len(model_rows))}"
            for name, model_rows in zip(models, indices, strict=True)
        ]
        raise InputError(
            f"No row was scored by every model: {', '.join(sizes)}, with no row in common."
        )
    if len(shared_indices) == scored_count:
        return shared_indices, ()
    shared = f"{len(shared_indices):,} of {wording.count(scored_count)}"
    left_out = wording.count(scored_count - len(shared_indices))
    return shared_indices, (f"{shared} are scored by every model, {left_out} left out",)


def _shared_positions(batch: CheckedBatch, shared_indices: NDArray[np.intp] | None) -> Any:
    """Positions of the shared rows among a model's rows; a slice of all if all are shared."""
    if shared_indices is None or len(shared_indices) == len(batch.scores):
        return slice(None)
    return np.searchsorted(batch.row_indices, shared_indices)


def _consecutive_codes(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Cluster codes renumbered from 0 without gaps."""
    return np.asarray(np.unique(codes, return_inverse=True)[1])


def _require_no_rejected_rows(models: Mapping[str, CheckedBatch]) -> None:
    models_with_rejected_rows = [
        name for name, batch in models.items() if batch.rejected_mask is not None
    ]
    if models_with_rejected_rows:
        raise InputError(
            f"Rejected rows of {format_list(models_with_rejected_rows)} have no score, but "
            'clusters and comparisons need one: use missing="drop" or missing="negative".'
        )
