"""The upper convex hull of a ranking's ROC points, by exact cross products of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.ranking.ranking import Ranking

FEW = 256
"""So many points go through the plain algorithm."""
STEP = 16
"""Of more, every so many-th go first."""


def hull_places(ranking: Ranking) -> NDArray[np.intp]:
    """Places in the ranking of the hull's vertices, from (0, 0) to (1, 1).

    Points on a straight line between two others are not vertices.
    """
    return _hull(ranking.tally.true_positives, ranking.tally.false_positives)


def _hull(up: NDArray[Any], right: NDArray[Any]) -> NDArray[np.intp]:
    """The hull of a sample leaves few points above it.

    Of these, the farthest above each edge join the chain, until none is left.
    """
    last = len(up) - 1
    if last <= max(FEW, STEP):
        return upper_chain(up, right, np.arange(last + 1))
    sample = np.append(np.arange(0, last, STEP), last)
    chain = sample[_hull(up[sample], right[sample])]
    waiting = _perhaps_above(up, right, sample, chain)
    while len(waiting):
        edge = _edges(waiting, chain)
        heights = _above(up, right, (up[waiting], right[waiting]), chain, edge)
        waiting, heights, edge = (column[heights > 0] for column in (waiting, heights, edge))
        farthest = _highest_by_edge(heights, edge)
        chain = upper_chain(up, right, np.union1d(chain, waiting[farthest]))
        waiting = np.delete(waiting, farthest)
    return chain


def upper_chain(
    up: NDArray[Any], right: NDArray[Any], places: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Of places in order, those where the way from the first to the last turns right."""
    chain: list[tuple[Any, Any, int]] = []
    # Python's numbers: the products of counts are exact at any size.
    points = zip(right[places].tolist(), up[places].tolist(), places.tolist(), strict=True)
    for x, y, place in points:
        # A tiny weight may vanish beside large ones: steps that go nowhere are no steps.
        if chain and (x, y) == chain[-1][:2]:
            continue
        while len(chain) > 1:
            (x1, y1, _), (x2, y2, _) = chain[-2:]
            if (x2 - x1) * (y - y2) < (x - x2) * (y2 - y1):
                break
            chain.pop()
        chain.append((x, y, place))
    return np.array([place for _, _, place in chain], np.intp)


def _perhaps_above(
    up: NDArray[Any], right: NDArray[Any], sample: NDArray[np.intp], chain: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Places between samples that may lie above the chain.

    The way only goes up and right: all points between two samples lie below the second and right
    of the first. Where that corner is not above the chain, none of them is.
    """
    corners = up[sample[1:]], right[sample[:-1]]
    first = sample[:-1][_above(up, right, corners, chain, _edges(sample[:-1], chain)) > 0]
    places = (first[:, None] + np.arange(1, STEP)).ravel()
    kept: NDArray[np.intp] = places[places < sample[-1]]
    return kept


def _edges(places: NDArray[np.intp], chain: NDArray[np.intp]) -> NDArray[np.intp]:
    """Which edge of the chain stretches over each place."""
    return np.minimum(np.searchsorted(chain, places, "right") - 1, len(chain) - 2)


def _above(
    up: NDArray[Any],
    right: NDArray[Any],
    points: tuple[NDArray[Any], NDArray[Any]],
    chain: NDArray[np.intp],
    edge: NDArray[np.intp],
) -> NDArray[Any]:
    """How far points lie above their edge of the chain, in some unit."""
    # Counts of 32 bits have products of 64, so nothing is rounded.
    fits = up.dtype.kind == "i" and 2 * int(up[-1]) * int(right[-1]) <= np.iinfo(np.int64).max
    kind = np.int64 if fits else np.float64
    y, x = up[chain].astype(kind), right[chain].astype(kind)
    rise, across = np.diff(y)[edge], np.diff(x)[edge]
    return across * (points[0] - y[edge]) - rise * (points[1] - x[edge])


def _highest_by_edge(heights: NDArray[Any], edge: NDArray[np.intp]) -> NDArray[np.intp]:
    """For each edge that has places above it, the first of its highest."""
    if not len(edge):
        return edge
    starts = np.flatnonzero(np.concatenate([[True], edge[1:] != edge[:-1]]))
    sizes = np.diff(np.append(starts, len(edge)))
    highest = np.flatnonzero(heights == np.repeat(np.maximum.reduceat(heights, starts), sizes))
    _, first = np.unique(edge[highest], return_index=True)
    return highest[first]
