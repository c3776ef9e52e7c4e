"""Stops of the report's slider: all thresholds, or those that its charts need if there are many.

Counts at a stop are exact; only the path between two stops is drawn as a straight line. Every
chart keeps its shape to within half a pixel (Ramer 1972, doi:10.1016/S0146-664X(72)80017-0; Douglas
& Peucker 1973), and every vertex of the hull is kept, so that the threshold of lowest cost is among
the stops whatever the costs of errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

    Points = NDArray[np.float64]

MAX_UNTHINNED_STOPS = 1000
"""If there are at most this many thresholds, all are kept."""
CHART_PIXELS = 400
"""Width of a chart in pixels; shapes are kept to within half a pixel."""
EVENLY_SPACED_STOPS = 250
"""Whatever the shapes, neighbouring stops are at most 1 / 250 of the rows apart."""
MIN_STEP = 0.125 / CHART_PIXELS
"""Points closer than this to the previous one are skipped."""
TOLERANCE = 0.375 / CHART_PIXELS
"""Maximum distance of other points from the line between two stops, as a fraction of the width."""


def slider_stops(ranking: Ranking, thresholds: Iterable[float] = ()) -> NDArray[np.intp]:
    """Indices of the thresholds at which the report's slider stops, including the given ones.

    Example:
        >>> from tradeoff import Ranking
        >>> random = np.random.default_rng(0)
        >>> score = random.normal(size=20_000)
        >>> ranking = Ranking.of(score, random.random(20_000) < 1 / (1 + np.exp(-score)))
        >>> 250 < len(slider_stops(ranking)) < 900
        True
    """
    if len(ranking) - 1 <= MAX_UNTHINNED_STOPS:
        return np.arange(len(ranking))
    given_indices = [ranking.index(threshold) for threshold in thresholds]
    required_parts = [np.array([0, 1, len(ranking) - 1, *given_indices]), ranking.hull_places]
    required_parts.append(_evenly_spaced_indices(ranking))
    charts = chart_shapes(ranking)
    (fpr, tpr), _, (_, lift) = charts  # depth and precision move only where these do
    moving_indices = _moving_indices([fpr, tpr, lift])
    required_indices = np.unique(np.concatenate(required_parts))
    candidates = np.union1d(moving_indices, required_indices)
    points = [np.column_stack([x[candidates], y[candidates]]) for x, y in charts]
    return candidates[_simplify(points, np.searchsorted(candidates, required_indices))]


def chart_shapes(ranking: Ranking) -> list[tuple[Points, Points]]:
    """Curves whose shapes the stops preserve, scaled to the report's charts: ROC, PR and lift."""
    true_positives, false_positives = (column.astype(np.float64) for column in ranking.tally[1:])
    tpr, fpr = (column / (column[-1] or np.nan) for column in (true_positives, false_positives))
    rows = true_positives + false_positives
    with np.errstate(invalid="ignore"):
        precision = true_positives / rows
    precision[0] = precision[1]  # nothing is predicted positive: use the next precision
    lift = precision / (precision.max() or 1.0)
    curves = [(fpr, tpr), (tpr, precision), (rows / rows[-1], lift)]
    return [(np.nan_to_num(x), np.nan_to_num(y)) for x, y in curves]


def _evenly_spaced_indices(ranking: Ranking) -> NDArray[np.intp]:
    """Indices about equally many rows apart, so that the threshold moves smoothly."""
    rows = ranking.tally.true_positives + ranking.tally.false_positives
    targets = np.linspace(0, float(rows[-1]), EVENLY_SPACED_STOPS + 1)
    return np.minimum(np.searchsorted(rows, targets), len(rows) - 1)


def _moving_indices(columns: list[Points]) -> NDArray[np.intp]:
    """Indices at which some coordinate has moved by another `MIN_STEP` in total."""
    is_new: Any = np.zeros(len(columns[0]), np.bool_)
    is_new[[0, -1]] = True
    for column in columns:
        path = np.abs(np.diff(column, prepend=column[0]))
        np.cumsum(path, out=path)
        path /= MIN_STEP
        cell = path.astype(np.int64)
        is_new[1:] |= cell[1:] != cell[:-1]
    return np.flatnonzero(is_new)


def _simplify(charts: list[Points], required_indices: NDArray[np.intp]) -> NDArray[np.intp]:
    """Indices, with the required ones, between which all charts are straight within `TOLERANCE`.

    All charts share these indices: a corner that one chart needs can spoil a straight stretch of
    another, so each stretch is judged by the chart with the largest deviation.
    """
    indices = required_indices.tolist()
    stretches = list(pairwise(indices))
    while stretches:
        first, last = stretches.pop()
        if last - first < 2:
            continue
        distances = np.max([_distances(points[first : last + 1]) for points in charts], axis=0)
        farthest = int(np.argmax(distances))
        if distances[farthest] > TOLERANCE:
            indices.append(first + farthest)
            stretches += [(first, first + farthest), (first + farthest, last)]
    return np.sort(np.array(indices, np.intp))


def _distances(points: Points) -> Points:
    """Distances of points from the segment between the first and the last of them."""
    offsets = points - points[0]
    chord = offsets[-1]
    length = float(chord @ chord)
    if length:
        offsets -= np.clip(offsets @ chord / length, 0, 1)[:, None] * chord
    return np.asarray(np.hypot(offsets[:, 0], offsets[:, 1]))
