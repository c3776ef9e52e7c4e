"""The upper convex hull of a ranking's ROC points, by exact cross products of counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FEW = 1200
"""So many points go through the plain algorithm."""
STEP = 16
"""Of more, every so many-th go first."""


def hull_places(up: NDArray[Any], right: NDArray[Any]) -> NDArray[np.intp]:
    """Places of the hull's vertices among points that go up and right, from first to last.

    Points on a straight line between two others are not vertices.
    """
    # The hull of a sample leaves few points above it. Of these, the farthest above each edge join
    # the chain, until none is left.
    last = len(up) - 1
    if last <= max(FEW, STEP):
        return upper_chain(up, right, np.arange(last + 1))
    sample = np.append(np.arange(0, last, STEP), last)
    chain = sample[hull_places(up[sample], right[sample])]
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
    # Python's numbers: the products of counts are exact at any size.
    xs, ys = right[places].tolist(), up[places].tolist()
    chain = [0]
    # The last edge and its end stand in plain variables: this loop is what a hull costs.
    x2, y2, across, rise = xs[0], ys[0], 0, 1
    for at, (x, y) in enumerate(zip(xs, ys, strict=True)):
        # A tiny weight may vanish beside large ones: steps that go nowhere are no steps.
        if x == x2 and y == y2:
            continue
        while len(chain) > 1 and across * (y - y2) >= (x - x2) * rise:
            chain.pop()
            x2, y2 = xs[chain[-1]], ys[chain[-1]]
            if len(chain) > 1:
                across, rise = x2 - xs[chain[-2]], y2 - ys[chain[-2]]
        chain.append(at)
        across, rise, x2, y2 = x - x2, y - y2, x, y
    kept: NDArray[np.intp] = places[np.array(chain)]
    return kept


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
