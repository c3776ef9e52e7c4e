"""Curves as lines of a chart: steps over thresholds, hyperbolas between points, few points."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.measures.curves.curve import JUST_BEHIND
from tradeoff.measures.curves.registry import THRESHOLD
from tradeoff.presentation.charts.chart import Line, Points, Ribbon
from tradeoff.presentation.charts.scales import spaced
from tradeoff.presentation.charts.thinning import CELLS, kept_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.curves.curve import Curve
    from tradeoff.presentation.charts.chart import Layer, Scale

    Way = tuple[NDArray[np.float64], NDArray[np.float64]]

WIDE = 200
"""A bent way between two points is followed where it is longer than this part of a side."""
BETWEEN = np.linspace(0, 1, 26)[1:-1]


def fitted(layer: Layer, across: Scale, up: Scale) -> Layer:
    """A layer whose lines are light, and of which nothing is infinitely far away.

    Example:
        >>> from tradeoff.presentation.charts.chart import Points, Scale
        >>> scale = Scale("", 0.01, 0.99, "normal")
        >>> fitted(Points(np.array([0.0]), np.array([0.5])), scale, scale).x.tolist()
        [0.01]
    """
    if isinstance(layer, Line):
        return light(layer, across, up)
    if isinstance(layer, Points):
        return replace(layer, x=_clipped(layer.x, across), y=_clipped(layer.y, up))
    if isinstance(layer, Ribbon):
        low, high = _clipped(layer.low, up), _clipped(layer.high, up)
        return replace(layer, x=_clipped(layer.x, across), low=low, high=high)
    return layer


def light(line: Line, across: Scale, up: Scale) -> Line:
    """A line with no more points than can be seen, none beyond the ends of its scales' quantiles.

    Example:
        >>> from tradeoff.presentation.charts.chart import Line, Scale
        >>> x = np.linspace(0, 1, 100_000)
        >>> len(light(Line(x, x), Scale("", 0, 1), Scale("", 0, 1)).x) < 10_000
        True
    """
    x, y = _clipped(line.x, across), _clipped(line.y, up)
    kept = kept_places(_visible(x, across), _visible(y, up))
    x, y = x[kept], y[kept]
    broken = ~(np.isfinite(x) & np.isfinite(y))
    return replace(line, x=np.where(broken, np.nan, x), y=np.where(broken, np.nan, y))


def way(curve: Curve, across: Scale) -> Way:
    """The points of a curve and as many between them as show how it runs from one to the next."""
    if curve.name == "net_benefit" and curve.formula is not None:
        x = np.linspace(0, 1, CELLS + 1)[:-1]
        return x, np.asarray(curve.formula(x), np.float64)
    if curve.name == "bin_lift":
        return np.concatenate([[0.0], curve.x]), np.append(curve.y, curve.y[-1:])
    if is_stepped(curve):
        return steps(curve.ranking, curve.y, across)
    if curve.between is None or curve.between.is_straight or len(curve) < 2:
        return curve.x, curve.y
    return _bent(curve)


def is_stepped(curve: Curve) -> bool:
    """Whether heights stay the same up to the next score, or over a part of the rows."""
    by_score = curve.across.name == THRESHOLD and len(curve) == len(curve.ranking)
    return by_score or curve.name == "bin_lift"


def steps(ranking: Ranking, heights: NDArray[np.float64], across: Scale) -> Way:
    """Heights by threshold from left to right, each level up to the next score.

    A threshold just above a score leaves its rows out, so each score begins the height of the
    place before it (where low scores are positive: its own).

    Example:
        >>> from tradeoff import Ranking
        >>> from tradeoff.presentation.charts.chart import Scale
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> x, y = steps(ranking, np.array([0.0, 1.0, 2.0]), Scale("threshold", 0, 1))
        >>> x.tolist(), y.tolist()
        ([0.0, 0.2, 0.9, 1.0], [2.0, 1.0, 0.0, 0.0])
    """
    scores = ranking.thresholds[1:]
    x = np.concatenate([[across.low], scores[:: 1 if ranking.lower_is_positive else -1]])
    y = heights if ranking.lower_is_positive else heights[::-1]
    x = np.append(np.clip(x, across.low, across.high), across.high)
    return x, np.append(y, y[-1:])


def reference(corners: tuple[tuple[float, float], ...]) -> Way:
    """The corners of a line beside a curve."""
    points = np.array(corners, np.float64).reshape(-1, 2)
    return points[:, 0], points[:, 1]


def on_frame(points: Way, across: Scale, up: Scale) -> bool:
    """Whether a line runs along the frame of the chart, where it would say nothing."""
    x, y = points
    along = np.zeros(len(x) - 1, np.bool_)
    for values, scale in ((x, across), (y, up)):
        for end in (scale.low, scale.high):
            along |= (values[1:] == end) & (values[:-1] == end)
    return bool(along.all())


def _clipped(values: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Logarithms and quantiles are infinite at the ends of what they measure."""
    if scale.kind not in {"log", "normal"}:
        return values
    return np.clip(values, scale.low, scale.high)


def _visible(values: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Values as a scale spaces them; what lies beyond its ends, however far, lies at its ends.

    Infinite ones stay so: there a line breaks.
    """
    ends = spaced(np.array([scale.low, scale.high]), scale.kind)
    places = spaced(values, scale.kind)
    return np.where(np.isfinite(places), np.clip(places, *ends), places)


def _bent(curve: Curve) -> Way:
    """Points between those that lie far apart, along the expected counts of a random mix."""
    between = curve.between
    assert between is not None  # noqa: S101 - `way` asked
    x, y = curve.x, curve.y
    first = np.isnan(y[:-1]) & ~np.isnan(y[1:])
    with np.errstate(invalid="ignore"):
        far = _far(x) | _far(y)
    after = np.flatnonzero(far | first)
    shares = np.concatenate([[JUST_BEHIND], BETWEEN])
    gap, share = np.repeat(after, len(shares)), np.tile(shares, len(after))
    # Just behind a point is a place of its own only where the point has none.
    own = first[gap] | (share != JUST_BEHIND)
    gap, share = gap[own], share[own]
    place = np.concatenate([np.arange(len(x)), gap + share])
    order = np.argsort(place, kind="stable")
    added = (np.asarray(values(gap, share), np.float64) for values in (between.x, between.y))
    across, up = (np.concatenate([old, new])[order] for old, new in zip((x, y), added, strict=True))
    return across, up


def _far(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    known = values[np.isfinite(values)]
    width = float(known.max() - known.min()) if len(known) else 0.0
    return np.asarray(np.abs(np.diff(values)) > width / WIDE)
