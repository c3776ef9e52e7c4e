"""Upper convex hull of a ranking's ROC points, by exact cross products of counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_UNSAMPLED_POINTS = 1200
"""Up to this many points, the hull is computed from all of them at once."""
SAMPLE_STEP = 16
"""With more points, the hull of every SAMPLE_STEP-th point is computed first."""


def hull_indices(true_positives: NDArray[Any], false_positives: NDArray[Any]) -> NDArray[np.intp]:
    """Indices of the vertices of the ROC convex hull, from the first point to the last.

    Collinear points between two vertices are left out.
    """
    # Few points lie above the hull of a sample. The highest above each edge is added to the chain
    # until no point is left above it.
    last = len(true_positives) - 1
    if last <= max(MAX_UNSAMPLED_POINTS, SAMPLE_STEP):
        return upper_hull(true_positives, false_positives, np.arange(last + 1))
    sample = np.append(np.arange(0, last, SAMPLE_STEP), last)
    chain = sample[hull_indices(true_positives[sample], false_positives[sample])]
    candidates = _candidate_indices(true_positives, false_positives, sample, chain)
    while len(candidates):
        edges = _edge_indices(candidates, chain)
        heights = _heights_above(
            true_positives,
            false_positives,
            (true_positives[candidates], false_positives[candidates]),
            chain,
            edges,
        )
        candidates, heights, edges = (
            column[heights > 0] for column in (candidates, heights, edges)
        )
        highest = _highest_of_each_edge(heights, edges)
        chain = upper_hull(true_positives, false_positives, np.union1d(chain, candidates[highest]))
        candidates = np.delete(candidates, highest)
    return chain


def upper_hull(
    true_positives: NDArray[Any], false_positives: NDArray[Any], indices: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Upper convex hull of a selection of ROC points, by the monotone chain algorithm."""
    # Python integers, as their products are exact at any size.
    xs, ys = false_positives[indices].tolist(), true_positives[indices].tolist()
    chain = [0]
    # The last edge and its end are local variables: this loop dominates the cost of a hull.
    x2, y2, run, rise = xs[0], ys[0], 0, 1
    for vertex, (x, y) in enumerate(zip(xs, ys, strict=True)):
        # A tiny weight may be lost to rounding: repeated points are skipped.
        if x == x2 and y == y2:
            continue
        while len(chain) > 1 and run * (y - y2) >= (x - x2) * rise:
            chain.pop()
            x2, y2 = xs[chain[-1]], ys[chain[-1]]
            if len(chain) > 1:
                run, rise = x2 - xs[chain[-2]], y2 - ys[chain[-2]]
        chain.append(vertex)
        run, rise, x2, y2 = x - x2, y - y2, x, y
    vertices: NDArray[np.intp] = indices[np.array(chain)]
    return vertices


def _candidate_indices(
    true_positives: NDArray[Any],
    false_positives: NDArray[Any],
    sample: NDArray[np.intp],
    chain: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Indices of points between sampled points that may lie above the hull.

    The curve never goes down or left, so no point between two sampled points lies above the second
    or to the left of the first. If that corner is not above the hull, none of these points is.
    """
    corners = true_positives[sample[1:]], false_positives[sample[:-1]]
    starts = sample[:-1][
        _heights_above(
            true_positives, false_positives, corners, chain, _edge_indices(sample[:-1], chain)
        )
        > 0
    ]
    indices = (starts[:, None] + np.arange(1, SAMPLE_STEP)).ravel()
    candidates: NDArray[np.intp] = indices[indices < sample[-1]]
    return candidates


def _edge_indices(indices: NDArray[np.intp], chain: NDArray[np.intp]) -> NDArray[np.intp]:
    """Index of the hull edge that spans each point."""
    return np.minimum(np.searchsorted(chain, indices, "right") - 1, len(chain) - 2)


def _heights_above(
    true_positives: NDArray[Any],
    false_positives: NDArray[Any],
    points: tuple[NDArray[Any], NDArray[Any]],
    chain: NDArray[np.intp],
    edges: NDArray[np.intp],
) -> NDArray[Any]:
    """Heights of points above their hull edges, up to a positive factor."""
    # Integer products are exact if they fit into 64 bits.
    is_exact = (
        true_positives.dtype.kind == "i"
        and 2 * int(true_positives[-1]) * int(false_positives[-1]) <= np.iinfo(np.int64).max
    )
    dtype = np.int64 if is_exact else np.float64
    y, x = true_positives[chain].astype(dtype), false_positives[chain].astype(dtype)
    rise, run = np.diff(y)[edges], np.diff(x)[edges]
    return run * (points[0] - y[edges]) - rise * (points[1] - x[edges])


def _highest_of_each_edge(heights: NDArray[Any], edges: NDArray[np.intp]) -> NDArray[np.intp]:
    """Index of the highest point above each hull edge; the first one if there are ties."""
    if not len(edges):
        return edges
    starts = np.flatnonzero(np.concatenate([[True], edges[1:] != edges[:-1]]))
    sizes = np.diff(np.append(starts, len(edges)))
    maxima = np.flatnonzero(heights == np.repeat(np.maximum.reduceat(heights, starts), sizes))
    _, first = np.unique(edges[maxima], return_index=True)
    return maxima[first]
