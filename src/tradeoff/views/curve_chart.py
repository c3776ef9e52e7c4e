"""Curves of one or several models, or averaged over folds, as charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves import CURVES
from tradeoff.measures.curves.average import AverageCurve, Spread
from tradeoff.measures.curves.curve import JUST_BEHIND, Axis, Curve
from tradeoff.measures.curves.curve import Line as LineOf
from tradeoff.measures.curves.registry import THRESHOLD, kind_of
from tradeoff.measures.estimate import Estimate
from tradeoff.render.chart import Bars, Chart, Layer, Line, Points, Ribbon, Scale
from tradeoff.render.thinning import CELLS, kept_places
from tradeoff.results import shows
from tradeoff.text import plain
from tradeoff.views.scales import (
    about_rows,
    error_scale,
    legend,
    metric_scale,
    rule,
    score_scale,
    side,
    spaced,
)

if TYPE_CHECKING:
    from tradeoff.uncertainty.curve_bands import Band

    Way = tuple[NDArray[np.float64], NDArray[np.float64]]


# Curves as lines of a chart: steps over thresholds, hyperbolas between points, few points.


WIDE = 200
"""A bent way between two points is followed where it is longer than this part of a side."""
BETWEEN = np.linspace(0, 1, 26)[1:-1]


def _fitted(layer: Layer, across: Scale, up: Scale) -> Layer:
    """A layer whose lines are light, and of which nothing is infinitely far away.

    Example:
        >>> from tradeoff.render.chart import Points, Scale
        >>> scale = Scale("", 0.01, 0.99, "normal")
        >>> _fitted(Points(np.array([0.0]), np.array([0.5])), scale, scale).x.tolist()
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
        >>> from tradeoff.render.chart import Line, Scale
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
    if _is_stepped(curve):
        return steps(curve.ranking, curve.y, across)
    if curve.between is None or curve.between.is_straight or len(curve) < 2:
        return curve.x, curve.y
    return _bent(curve)


def _is_stepped(curve: Curve) -> bool:
    """Whether heights stay the same up to the next score, or over a part of the rows."""
    by_score = curve.across.name == THRESHOLD and len(curve) == len(curve.ranking)
    return by_score or curve.name == "bin_lift"


def steps(ranking: Ranking, heights: NDArray[np.float64], across: Scale) -> Way:
    """Heights by threshold from left to right, each level up to the next score.

    A threshold just above a score leaves its rows out, so each score begins the height of the
    place before it (where low scores are positive: its own).

    Example:
        >>> from tradeoff import Ranking
        >>> from tradeoff.render.chart import Scale
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


def _reference(corners: tuple[tuple[float, float], ...]) -> Way:
    """The corners of a line beside a curve."""
    points = np.array(corners, np.float64).reshape(-1, 2)
    return points[:, 0], points[:, 1]


def _on_frame(points: Way, across: Scale, up: Scale) -> bool:
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


MOST_NAMED = 10
"""Models that a legend names; the lines of all others are thin, and counted in one entry."""
NO_MARKS: Mapping[str, Any] = {}


class Mark(NamedTuple):
    """A threshold to be shown on a curve, and how it was chosen."""

    threshold: float
    way: str = ""


def curve_chart(
    curves: Mapping[str, Curve],
    *,
    areas: Mapping[str, Estimate] = NO_MARKS,
    bands: Mapping[str, Band] = NO_MARKS,
    marks: Mapping[str, Sequence[Mark]] = NO_MARKS,
    lines: Sequence[Line] = (),
) -> Chart:
    """Curves of one kind as a chart.

    Args:
        curves: By model; lines beside them (chance, a perfect ranking) are drawn where all share
            them.
        areas: What legends tell of each model; the curves' own areas if not given.
        bands: How sure each curve is.
        marks: Thresholds to show on each curve.
        lines: More lines, such as the convex hull of ROC curves.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart = curve_chart({"m": e.curve("roc")}, marks={"m": [Mark(0.4)]})
        >>> [type(layer).__name__ for layer in chart.layers]
        ['Line', 'Line', 'Points']
        >>> chart.layers[1].label
        'm (AUC 1.00)'
    """
    if not curves:
        raise InputError("A chart of curves needs at least one model.")
    first = next(iter(curves.values()))
    across, up = _scales(list(curves.values()))
    labels = {name: _label(name, one, areas) for name, one in curves.items()}
    layers: list[Layer] = [*_references(first, across, up)] if _alike(curves) else []
    layers += [_ribbon_of(band, list(curves).index(name)) for name, band in bands.items()]
    layers += model_lines(
        [(labels[name], _lines(one, across, len(curves) == 1)) for name, one in curves.items()]
    )
    layers += lines
    for order, (name, chosen) in enumerate(marks.items()):
        layers.append(_marked(curves[name], chosen, order))
    if first.name == "bin_lift" and len(curves) == 1:
        layers[-1] = _bars(first, labels[first.ranking.name])
    lit = (_fitted(one, across, up) for one in layers)
    title = kind_of(first.name).title or _title(first)
    found_by = [f"Band: {one.method}." for one in list(bands.values())[:1]]
    caption = " ".join([*_sentence(first), *found_by, about_rows(first.ranking)])
    return Chart(title, across, up, tuple(lit), caption, kind_of(first.name).square)


def _alike(curves: Mapping[str, Curve]) -> bool:
    """Whether guessing and a perfect ranking look the same for all models."""
    first, *others = curves.values()

    def same(one: LineOf | None, other: LineOf | None) -> bool:
        if one is None or other is None or len(one) != len(other):
            return one is other
        return bool(np.allclose(one, other, equal_nan=True))

    return all(same(first.chance, c.chance) and same(first.ideal, c.ideal) for c in others)


def model_lines(models: Sequence[tuple[str, Sequence[Line]]]) -> list[Line]:
    """Lines told apart by order; those of models beyond the tenth are thin and share one entry.

    Example:
        >>> one = Line(np.zeros(1), np.zeros(1))
        >>> lines = model_lines([(f"m{i}", [one]) for i in range(50)])
        >>> lines[0].label, lines[-1].label, lines[-1].role
        ('and 40 more', 'm9', 'model')
    """
    found: list[Line] = []
    named = models if len(models) <= MOST_NAMED + 1 else models[:MOST_NAMED]
    rest = [lines[0] for _, lines in models[len(named) :]]
    for place, line in enumerate(rest):  # behind the others
        found.append(replace(line, role="fold", label="" if place else f"and {len(rest)} more"))
    order = 0
    for label, lines in named:
        for line in lines:
            found.append(replace(line, label=line.label or label, order=order))
            order += line.role == "model"
    return found


def _ribbon_of(band: Band, order: int = 0) -> Ribbon:
    """A band around a curve."""
    label = f"{100 * band.level:g} % band ({band.kind})" if not order else ""
    return Ribbon(band.x, band.low, band.high, label=label, order=order)


def _label(name: str, curve: Curve, areas: Mapping[str, Estimate]) -> str:
    called = kind_of(curve.name).area
    if not called:
        return legend(name)
    return legend(name, areas.get(name) or curve.area(), called)


def _scales(curves: Sequence[Curve]) -> tuple[Scale, Scale]:
    first = curves[0]
    rankings = [one.ranking for one in curves]
    name = first.name
    if name == "det":
        return error_scale(first.across.name, first.ranking), error_scale(
            first.up.name, first.ranking
        )
    beside = first.also if len(curves) == 1 and name != "net_benefit" else ()
    heights = [*(one.y for one in curves), *(axis.values for axis in beside)]
    up = metric_scale(first.up.name, heights, first.ranking, name)
    if beside and not kind_of(name).title:
        up = replace(up, label="value")
    if first.across.name == THRESHOLD:
        across = score_scale(rankings, THRESHOLD)
    else:
        across = metric_scale(first.across.name, [one.x for one in curves], first.ranking, name)
    if name == "net_benefit":
        best = max((first.ideal or ((0.0, 1.0),))[0][1], 1e-9)
        return across, replace(up, low=-best / 4, high=best * 1.1)
    if name == "precision_recall_gain":
        right = [one.y[np.isfinite(one.y) & (one.x >= 0)] for one in curves]
        least = min((float(y.min()) for y in right if len(y)), default=0.0)
        return replace(across, low=0.0, high=1.0), replace(up, low=max(min(least, 0), -1), high=1.0)
    if name in {"cost", "brier"}:
        top = max((float(np.nanmax(one.y)) for one in curves), default=0.5)
        return across, replace(up, high=max(up.high, min(0.55, 1.15 * top)))
    return across, up


def _lines(curve: Curve, across: Scale, alone: bool) -> list[Line]:
    """The curve itself and, of one model alone, further quantities over the same x."""
    found = [Line(*way(curve, across), steps=_is_stepped(curve))]
    if not alone or not curve.also or curve.name == "net_benefit":
        return found
    found[0] = replace(found[0], label=_quantity(curve.up, curve))
    for axis in curve.also:
        points = steps(curve.ranking, axis.values, across) if _is_stepped(curve) else None
        x, y = points or (curve.x, axis.values)
        found.append(Line(x, y, label=_quantity(axis, curve), steps=_is_stepped(curve)))
    return found


def _quantity(axis: Axis, curve: Curve) -> str:
    return side(axis.name, curve.ranking)


def _references(curve: Curve, across: Scale, up: Scale) -> list[Line]:
    kind = kind_of(curve.name)
    names = (kind.chance, kind.ideal)
    if curve.name == "net_benefit":
        return _treated(curve)
    if curve.name == "det":
        x = 1 / (1 + np.exp(-np.linspace(-12, 12, 400)))
        inside = (1 - x >= up.low) & (1 - x <= up.high) & (x >= across.low) & (x <= across.high)
        return [Line(x[inside], 1 - x[inside], "chance", names[0])]
    found = []
    for corners, role, label in (
        (curve.chance, "chance", names[0]),
        (curve.ideal, "ideal", names[1]),
    ):
        if corners is None or not np.isfinite(corners).all():
            continue
        points = _reference(corners)
        if not _on_frame(points, across, up):
            found.append(Line(*points, role, label))  # type: ignore[arg-type]
    return found


def _treated(curve: Curve) -> list[Line]:
    """Treating everybody, nobody, and exactly those who need it."""
    ranking = curve.ranking
    total, positives = float(ranking.total), float(ranking.positives)
    unit = positives if curve.up.name.startswith("standardized") else total
    x = np.linspace(0, 1, 401)[:-1]
    everybody = (positives - float(ranking.negatives) * x / (1 - x)) / unit
    lines = [
        Line(x, everybody, "chance", "treat all"),
        Line(np.array([0.0, 1.0]), np.zeros(2), "iso", "treat none"),
    ]
    if curve.ideal is not None:
        lines.append(Line(*_reference(curve.ideal), "ideal", "treat just those in need"))
    return lines


def _marked(curve: Curve, marks: Sequence[Mark], order: int) -> Points:
    """Points of a curve at thresholds, each with its rule beside it."""
    if not kind_of(curve.name).has_thresholds:
        raise InputError(
            f"The points of the {curve.name} curve are no thresholds: mark them on another chart, "
            'such as "roc" or "scores".'
        )
    ranking = curve.ranking
    places = np.array([ranking.index(mark.threshold) for mark in marks], np.intp)
    # A profit that begins with a fixed cost has one point more: before it is paid.
    places += np.where(places > 0, len(curve) - len(ranking), 0)
    if curve.name == "net_benefit" and curve.formula is not None:
        x = np.array([mark.threshold for mark in marks])
        y = np.asarray(curve.formula(x), np.float64)
    elif curve.across.name == THRESHOLD:
        x, y = np.array([mark.threshold for mark in marks]), curve.y[places]
    else:
        x, y = _seen(curve.x, places), _seen(curve.y, places)
    known = np.isfinite(x) & np.isfinite(y)
    texts = (rule(ranking, mark.threshold, mark.way) for mark in marks)
    shown = tuple(text for text, here in zip(texts, known, strict=True) if here)
    return Points(x[known], y[known], shown, order=order)


def _seen(values: NDArray[np.float64], places: NDArray[np.intp]) -> NDArray[np.float64]:
    return np.asarray(values[places], np.float64)


def _bars(curve: Curve, label: str) -> Bars:
    return Bars(np.concatenate([[0.0], curve.x]), curve.y, label=label)


def _title(curve: Curve) -> str:
    named = [axis.name.replace("_", " ") for axis in (curve.up, *curve.also)]
    return f"{', '.join(named)} by {curve.across.name.replace('_', ' ')}".capitalize()


def _sentence(curve: Curve) -> list[str]:
    return [f"Shows {CURVES[curve.name].sentence}."] if curve.name in CURVES else []


# Folds of a cross-validation: thin curves, their average, and how far they lie apart.


SPREADS = {
    "sd": "one standard deviation",
    "se": "one standard error",
    "t": "{:g} % interval of the mean",
}


def folds_chart(
    averages: Mapping[str, AverageCurve], *, spread: Spread | None = "t", level: float = 0.95
) -> Chart:
    """The average over folds of one or several models.

    Args:
        averages: By model; of one alone the folds' own curves are drawn, too.
        spread: The band around a vertical average, as for `AverageCurve.band`; None: no band.
        level: Of the band "t".

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(
        ...     actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.3], fold=["a", "a", "b", "b"]
        ... )
        >>> chart = folds_chart({"m": e.average("roc")})
        >>> [layer.role for layer in chart.layers]
        ['chance', 'fold', 'fold', 'average', 'average']
        >>> chart.layers[-1].label
        'm (mean AUC 0.50)'
    """
    if not averages:
        raise InputError("A chart of folds needs at least one model.")
    first = next(iter(averages.values()))
    frame = curve_chart(first.folds)
    layers: list[Layer] = [one for one in frame.layers if one.role in {"chance", "ideal", "iso"}]  # type: ignore[union-attr]
    if len(averages) == 1 and first.method != "pooled":
        size = len(first.folds)
        for place, curve in enumerate(first.folds.values()):
            label = "" if place else f"{size} fold{'s' if size > 1 else ''}"
            layers.append(Line(*way(curve, frame.x), "fold", label))
    for order, (name, average) in enumerate(averages.items()):
        layers += _average(name, average, spread, level, order)
    lit = (_fitted(one, frame.x, frame.y) for one in layers)
    how = "all folds pooled" if first.method == "pooled" else f"{first.method} average"
    told = [f"{how.capitalize()} of {len(first.folds)} folds."]
    if first.method == "pooled":
        told = ["All folds pooled into one ranking."]
    told += [f"Fold {plain(f)} is left out: {why}." for f, why in first.left_out.items()]
    title = f"{frame.title} over folds"
    return Chart(title, frame.x, frame.y, tuple(lit), " ".join(told), kind_of(first.name).square)


def _average(
    name: str, average: AverageCurve, spread: Spread | None, level: float, order: int
) -> list[Layer]:
    found: list[Layer] = []
    if spread is not None and average.method == "vertical":
        band = average.band(spread, level=level)
        label = SPREADS[spread].format(100 * level) if not order else ""
        if np.isfinite(band.low).any():
            found.append(Ribbon(band.x, band.low, band.high, "average", label, order))
    called = kind_of(average.name).area
    area = average.area() if called else None
    word = called if average.method == "pooled" else f"mean {called}"
    known = area is not None and area.is_defined
    label = legend(name, area, word) if known else f"{legend(name)}, average"
    stepped = average.x_name == THRESHOLD and average.name != "net_benefit"
    points = _steps(average) if stepped else (average.x, average.y)
    found.append(Line(*points, "average", label, order, stepped))
    return found


def _steps(average: AverageCurve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Heights by threshold from left to right, each level up to the next score of any fold."""
    known = np.isfinite(average.x)
    x, y = average.x[known], average.y[known]
    if len(x) > 1 and x[0] > x[-1]:
        x, y = x[::-1], y[::-1]
    if next(iter(average.folds.values())).ranking.lower_is_positive:
        return x, y
    return x, np.append(y[1:], y[-1:])  # a threshold just above a score leaves its rows out


@shows(Curve, "chart")
def chart_of_curve(curve: Curve, **choices: Any) -> Chart:
    """The curve as it is drawn."""
    return curve_chart({curve.ranking.name: curve}, **choices)


@shows(AverageCurve, "chart")
def average_chart(average: AverageCurve, **choices: Any) -> Chart:
    """The folds and their average."""
    model = next(iter(average.folds.values())).ranking.name
    return folds_chart({model: average}, **choices)
