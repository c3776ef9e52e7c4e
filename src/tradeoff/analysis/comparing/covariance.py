"""The areas of several models on the same rows, and how they vary together.

DeLong, DeLong & Clarke-Pearson 1988 (doi:10.2307/2531595) from the placements of rows; for
several rows of one patient or user Obuchowski 1997 (doi:10.2307/2533958).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.paired import PairedRanking


@dataclass(frozen=True, eq=False)
class Areas:
    """The areas of several models and their covariance."""

    models: tuple[str, ...]
    values: NDArray[np.float64]
    covariance: NDArray[np.float64]
    method: str


def areas(paired: PairedRanking) -> Areas:
    """The areas and their covariance; NaN with fewer than two rows in a class."""
    _demand_both(paired)
    sides = _components(paired)
    weights = _class_weights(paired)
    values = np.clip(np.array([np.average(own, weights=weights[0]) for own in sides[0]]), 0, 1)
    for side in sides:
        np.subtract(side, values[:, None], out=side)  # in place: with many models these are large
    if paired.clusters is not None:
        covariance = _clustered(paired, paired.clusters, sides, weights)
        return Areas(paired.models, values, covariance, "Obuchowski")
    within = [
        _within(side, own, importance=paired.importance)
        for side, own in zip(sides, weights, strict=True)
    ]
    return Areas(paired.models, values, within[0] + within[1], "DeLong")


def _components(paired: PairedRanking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Placements of positive rows and of negative rows, one line a model."""
    positives = int(np.count_nonzero(paired.positive_rows))
    models = paired.models
    up = np.empty((len(models), positives))
    down = np.empty((len(models), paired.rows - positives))
    for at, name in enumerate(models):
        up[at], down[at] = paired.placements(name)
    return up, down


def _class_weights(paired: PairedRanking) -> list[NDArray[Any] | None]:
    if paired.weights is None:
        return [None, None]
    return [paired.weights[own] for own in (paired.positive_rows, ~paired.positive_rows)]


def _within(
    away: NDArray[np.float64], weights: NDArray[Any] | None, *, importance: bool
) -> NDArray[np.float64]:
    """What one class adds to the covariance of the areas."""
    rows = float(away.shape[1] if weights is None else weights.sum())
    if weights is None:
        return _over_rows(away @ away.T, rows, rows)
    if not importance:
        return _over_rows((away * weights) @ away.T, rows, rows)
    squares = weights.astype(np.float64) ** 2
    effective = rows**2 / float(squares.sum())
    # The sum of squares stands for `effective` equal rows.
    return _over_rows((away * squares) @ away.T * (effective / rows) ** 2, effective, effective)


def _over_rows(products: NDArray[Any], rows: float, trials: float) -> NDArray[np.float64]:
    if trials <= 1:
        return np.full(products.shape, np.nan)
    return np.asarray(products / (rows * (trials - 1)))


def _clustered(
    paired: PairedRanking,
    clusters: NDArray[np.intp],
    sides: tuple[NDArray[np.float64], NDArray[np.float64]],
    weights: list[NDArray[Any] | None],
) -> NDArray[np.float64]:
    """Deviations summed within each cluster first: rows of one cluster move together."""
    size = int(clusters.max()) + 1
    own = [paired.positive_rows, ~paired.positive_rows]
    sums, seen, totals = [], [], []
    for side, rows, weight in zip(sides, own, weights, strict=True):
        codes = clusters[rows]
        weighed = side if weight is None else side * weight
        sums.append(np.array([np.bincount(codes, line, minlength=size) for line in weighed]))
        seen.append(len(np.unique(codes)))
        totals.append(float(len(codes) if weight is None else weight.sum()))
    if min(seen) < 2:
        return np.full((len(paired.models),) * 2, np.nan)
    up, down = sums[0] / totals[0], sums[1] / totals[1]
    both = size / (size - 1)
    across = up @ down.T
    return np.asarray(
        up @ up.T * seen[0] / (seen[0] - 1)
        + down @ down.T * seen[1] / (seen[1] - 1)
        + (across + across.T) * both
    )


def _demand_both(paired: PairedRanking) -> None:
    for there, name in (
        (paired.positive_rows.any(), paired.positive),
        (not paired.positive_rows.all(), paired.negative),
    ):
        if not there:
            raise InputError(f"Areas are compared on rows of both classes: no row is {name!r}.")
