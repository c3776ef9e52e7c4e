"""Upper convex hull of a ranking's ROC points, by exact cross products of counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FEW = 1200
"""Up to this many points the plain algorithm is used."""
STEP = 16
"""Of more points, every STEP-th forms the first hull."""


def hull_indices(true_positives: NDArray[Any], false_positives: NDArray[Any]) -> NDArray[np.intp]:
    """Indices of the vertices of the ROC convex hull, from the first point to the last.

    Points on a straight line between two vertices are not vertices.
    """
    # The hull of a sample leaves few points above it. Of these, the farthest above each edge join
    # the chain, until none is left.
    last = len(true_positives) - 1
    if last <= max(FEW, STEP):
        return upper_hull(true_positives, false_positives, np.arange(last + 1))
    sample = np.append(np.arange(0, last, STEP), last)
    chain = sample[hull_indices(true_positives[sample], false_positives[sample])]
    candidates = _candidate_indices(true_positives, false_positives, sample, chain)
    while len(candidates):
        edge = _edges(candidates, chain)
        heights = _heights_above(
            true_positives,
            false_positives,
            (true_positives[candidates], false_positives[candidates]),
            chain,
            edge,
        )
        candidates, heights, edge = (column[heights > 0] for column in (candidates, heights, edge))
        farthest = _highest_of_each_edge(heights, edge)
        chain = upper_hull(true_positives, false_positives, np.union1d(chain, candidates[farthest]))
        candidates = np.delete(candidates, farthest)
    return chain


def upper_hull(
    true_positives: NDArray[Any], false_positives: NDArray[Any], indices: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Upper convex hull of some of the ROC points, by a monotone chain."""
    # Python's numbers: the products of counts are exact at any size.
    xs, ys = false_positives[indices].tolist(), true_positives[indices].tolist()
    chain = [0]
    # The last edge and its end are plain variables: this loop dominates the cost of a hull.
    x2, y2, run, rise = xs[0], ys[0], 0, 1
    for position, (x, y) in enumerate(zip(xs, ys, strict=True)):
        # A tiny weight may vanish beside large ones: repeated points are skipped.
        if x == x2 and y == y2:
            continue
        while len(chain) > 1 and run * (y - y2) >= (x - x2) * rise:
            chain.pop()
            x2, y2 = xs[chain[-1]], ys[chain[-1]]
            if len(chain) > 1:
                run, rise = x2 - xs[chain[-2]], y2 - ys[chain[-2]]
        chain.append(position)
        run, rise, x2, y2 = x - x2, y - y2, x, y
    vertices: NDArray[np.intp] = indices[np.array(chain)]
    return vertices


def _candidate_indices(
    true_positives: NDArray[Any],
    false_positives: NDArray[Any],
    sample: NDArray[np.intp],
    chain: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Indices between samples that may lie above the hull.

    The curve only goes up and right: all points between two samples lie below the second and right
    of the first. Where that corner is not above the hull, none of them is.
    """
    corners = true_positives[sample[1:]], false_positives[sample[:-1]]
    first = sample[:-1][
        _heights_above(true_positives, false_positives, corners, chain, _edges(sample[:-1], chain))
        > 0
    ]
    indices = (first[:, None] + np.arange(1, STEP)).ravel()
    candidates: NDArray[np.intp] = indices[indices < sample[-1]]
    return candidates


def _edges(indices: NDArray[np.intp], chain: NDArray[np.intp]) -> NDArray[np.intp]:
    """Edge of the hull that spans each index."""
    return np.minimum(np.searchsorted(chain, indices, "right") - 1, len(chain) - 2)


def _heights_above(
    true_positives: NDArray[Any],
    false_positives: NDArray[Any],
    points: tuple[NDArray[Any], NDArray[Any]],
    chain: NDArray[np.intp],
    edge: NDArray[np.intp],
) -> NDArray[Any]:
    """Heights of points above their edge of the hull, up to a factor."""
    # Counts of 32 bits have products of 64, so nothing is rounded.
    fits = (
        true_positives.dtype.kind == "i"
        and 2 * int(true_positives[-1]) * int(false_positives[-1]) <= np.iinfo(np.int64).max
    )
    kind = np.int64 if fits else np.float64
    y, x = true_positives[chain].astype(kind), false_positives[chain].astype(kind)
    rise, run = np.diff(y)[edge], np.diff(x)[edge]
    return run * (points[0] - y[edge]) - rise * (points[1] - x[edge])


def _highest_of_each_edge(heights: NDArray[Any], edge: NDArray[np.intp]) -> NDArray[np.intp]:
    """First of the highest points above each edge of the hull."""
    if not len(edge):
        return edge
    starts = np.flatnonzero(np.concatenate([[True], edge[1:] != edge[:-1]]))
    sizes = np.diff(np.append(starts, len(edge)))
    highest = np.flatnonzero(heights == np.repeat(np.maximum.reduceat(heights, starts), sizes))
    _, first = np.unique(edge[highest], return_index=True)
    return highest[first]
