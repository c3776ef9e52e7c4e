"""Stops of the report's slider: all thresholds; of very many, those that charts and goals need.

Counts at a stop are exact; only the path between two stops is drawn as a straight line. Every
chart keeps its shape to within half a pixel (Ramer 1972, doi:10.1016/S0146-664X(72)80017-0; Douglas
& Peucker 1973). Every vertex of the hull is kept, so that the threshold of lowest cost is among
the stops whatever the costs of errors, and the threshold for every usual target: a recall of 90%, a
false positive rate of 0.1%, the 250 highest scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.thresholds.criteria import SLACK
from tradeoff.views.scales import score_scale, transform_values

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

Points = NDArray[np.float64]
Indices = NDArray[np.intp]

MAX_UNTHINNED_STOPS = 20_000
"""If there are at most this many thresholds, all are kept."""
MAX_FULLY_DRAWN_STOPS = 500
"""If there are at most this many stops, charts draw all of them."""
CHART_PIXELS = 400
"""Width of a chart in pixels; shapes are kept to within half a pixel."""
EVENLY_SPACED_STOPS = 2000
"""Whatever the shapes, neighbouring stops are at most 1 / 2000 of the rows apart."""
MIN_STEP = 0.125 / CHART_PIXELS
"""Points closer than this to the previous one are skipped."""
TOLERANCE = 0.375 / CHART_PIXELS
"""Maximum distance of other points from the line between two stops, as a fraction of the width."""
USUAL_RATES = np.unique(
    np.concatenate(
        [
            np.arange(1, 201) / 200,  # 0.5%, 1%, 1.5% …
            np.arange(1, 100) / 1000,  # 0.1%, 0.2% … and 90.1%, 90.2% …
            1 - np.arange(1, 100) / 1000,
            np.arange(1, 100) / 10_000,  # 0.01%, 0.02% …
        ]
    ).round(6)
)
"""Rates that are usual targets."""


class Stops(NamedTuple):
    """Indices of the thresholds at which a slider stops, and positions among these to draw."""

    indices: Indices
    drawn: Indices


def slider_stops(ranking: Ranking, thresholds: Iterable[float] = ()) -> Stops:
    """The thresholds at which the report's slider stops, including the given ones.

    Example:
        >>> from tradeoff import Ranking
        >>> random = np.random.default_rng(0)
        >>> score = random.normal(size=50_000)
        >>> ranking = Ranking.of(score, random.random(50_000) < 1 / (1 + np.exp(-score)))
        >>> stops = slider_stops(ranking)
        >>> 2000 < len(stops.indices) < 5000, len(stops.drawn) < 700
        (True, True)
    """
    if len(ranking) <= MAX_FULLY_DRAWN_STOPS:
        return Stops(np.arange(len(ranking)), np.arange(len(ranking)))
    drawn = drawn_indices(ranking)
    if len(ranking) - 1 <= MAX_UNTHINNED_STOPS:
        return Stops(np.arange(len(ranking)), drawn)
    given_indices = [ranking.index(threshold) for threshold in thresholds]
    indices = np.unique(
        np.concatenate(
            [
                np.array(given_indices, np.intp),
                drawn,
                _evenly_spaced_indices(ranking),
                *_usual_targets(ranking),
            ]
        )
    )
    return Stops(indices, np.searchsorted(indices, drawn))


def _usual_targets(ranking: Ranking) -> list[Indices]:
    """Indices of the thresholds that reach usual targets, as the criteria choose them."""
    tp, fp = (column.astype(np.float64) for column in ranking.tally[1:])
    rows = tp + fp
    last = len(rows) - 1
    tpr, fpr = (
        column / (float(total) or np.nan)
        for column, total in (
            (tp, ranking.positives + ranking.rejected_positives),
            (fp, ranking.negatives + ranking.rejected_negatives),
        )
    )
    with np.errstate(invalid="ignore"):
        precision = np.nan_to_num(tp / rows)
    best_later_precision = np.maximum.accumulate(precision[::-1])

    def first_with_same(counts: Points, indices: Indices) -> Indices:
        return np.searchsorted(counts, counts[indices])

    # The lowest false positive rate at which recall is high enough, then the highest recall.
    reached = np.searchsorted(np.nan_to_num(tpr), USUAL_RATES - SLACK)
    reached = np.searchsorted(fp, fp[np.minimum(reached, last)], "right") - 1
    # The highest recall at which the other rates are good enough, then the lowest fpr.
    allowed = np.searchsorted(np.nan_to_num(fpr), USUAL_RATES + SLACK, "right") - 1
    precise = last - np.searchsorted(best_later_precision, USUAL_RATES - SLACK)
    capacities = _round_numbers(float(rows[-1]))
    within = np.searchsorted(rows, capacities * (1 + SLACK), "right") - 1
    return [
        first_with_same(tp, reached),
        first_with_same(tp, allowed),
        first_with_same(tp, np.maximum(precise, 0)),
        within,
    ]


def _round_numbers(limit: float) -> Points:
    """Round numbers up to a limit: whole ones below 100, then 100, 105, 110 … 1000, 1050 and on."""
    digits = np.arange(1, 200) / 2
    sizes = [digits * 10.0**power for power in range(1, 12)]
    numbers = np.unique(np.concatenate([np.arange(1, 100), *sizes]))
    return numbers[numbers <= limit]


def drawn_indices(ranking: Ranking) -> Indices:
    """Indices between which every chart is straight, to within half a pixel."""
    charts = chart_shapes(ranking)
    (fpr, tpr), _, (_, lift), (score, _), _ = charts  # all else moves only where these do
    moving_indices = _moving_indices([fpr, tpr, lift, score])
    required_indices = np.union1d(ranking.hull_places, [0, 1, len(ranking) - 1])
    candidates = np.union1d(moving_indices, required_indices)
    points = [np.column_stack([x[candidates], y[candidates]]) for x, y in charts]
    return candidates[_simplify(points, np.searchsorted(candidates, required_indices))]


def chart_shapes(ranking: Ranking) -> list[tuple[Points, Points]]:
    """Curves whose shapes are preserved, scaled to the report's charts.

    They are ROC, PR and lift, and both rates over the score.
    """
    true_positives, false_positives = (column.astype(np.float64) for column in ranking.tally[1:])
    tpr, fpr = (column / (column[-1] or np.nan) for column in (true_positives, false_positives))
    rows = true_positives + false_positives
    with np.errstate(invalid="ignore"):
        precision = true_positives / rows
    precision[0] = precision[1]  # nothing is predicted positive: use the next precision
    lift = precision / (precision.max() or 1.0)
    score = _score_positions(ranking)
    curves = [(fpr, tpr), (tpr, precision), (rows / rows[-1], lift), (score, tpr), (score, fpr)]
    return [(np.nan_to_num(x), np.nan_to_num(y)) for x, y in curves]


def _score_positions(ranking: Ranking) -> Points:
    """Positions of thresholds on the axis of scores, from 0 to 1."""
    scale = score_scale([ranking])
    limits = np.array([scale.low, scale.high])
    low, high = transform_values(limits, scale.kind)
    scores = np.clip(ranking.thresholds, *limits)
    return np.asarray((transform_values(scores, scale.kind) - low) / ((high - low) or 1.0))


def _evenly_spaced_indices(ranking: Ranking) -> Indices:
    """Indices about equally many rows apart, so that the threshold moves smoothly."""
    rows = ranking.tally.true_positives + ranking.tally.false_positives
    targets = np.linspace(0, float(rows[-1]), EVENLY_SPACED_STOPS + 1)
    return np.minimum(np.searchsorted(rows, targets), len(rows) - 1)


def _moving_indices(columns: list[Points]) -> Indices:
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


def _simplify(charts: list[Points], required_indices: Indices) -> Indices:
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
