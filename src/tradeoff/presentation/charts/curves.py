"""One kind of curve of one or several models, with what is drawn beside it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.errors import InputError
from tradeoff.measures.curves import CURVES
from tradeoff.measures.curves.registry import THRESHOLD
from tradeoff.presentation.charts.chart import Bars, Chart, Line, Points, Ribbon
from tradeoff.presentation.charts.lines import fitted, is_stepped, on_frame, reference, steps, way
from tradeoff.presentation.charts.scales import error_scale, metric_scale, score_scale
from tradeoff.presentation.charts.wording import (
    AREAS,
    REFERENCES,
    TITLES,
    about_rows,
    legend,
    rule,
    side,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from tradeoff.analysis.hulls import Hull
    from tradeoff.measures.curves.curve import Axis, Curve
    from tradeoff.measures.curves.curve import Line as LineOf
    from tradeoff.measures.estimate import Estimate
    from tradeoff.presentation.charts.chart import Layer, Scale
    from tradeoff.uncertainty.curve_bands import Band

MOST_NAMED = 10
"""Models that a legend names; the lines of all others are thin, and counted in one entry."""
SQUARE = frozenset({"roc", "precision_recall", "precision_recall_gain", "gains", "det"})
UNMARKED = frozenset(
    {"cost", "brier", "bin_lift", "calibration", "accuracy_rejection", "risk_coverage"}
    | {"predictive_values"}
)
"""Curves whose points are no thresholds."""
NO_MARKS: Mapping[str, Any] = {}


class Mark(NamedTuple):
    """A threshold to be shown on a curve, and how it was chosen."""

    threshold: float
    way: str = ""


def curve_chart(  # noqa: PLR0913 - each is a layer of its own
    curves: Mapping[str, Curve],
    *,
    areas: Mapping[str, Estimate] = NO_MARKS,
    bands: Mapping[str, Band] = NO_MARKS,
    marks: Mapping[str, Sequence[Mark]] = NO_MARKS,
    hull: Hull | None = None,
    slope: float | None = None,
) -> Chart:
    """Curves of one kind as a chart.

    Args:
        curves: By model; lines beside them (chance, a perfect ranking) are drawn where all share
            them.
        areas: What legends tell of each model; the curves' own areas if not given.
        bands: How sure each curve is.
        marks: Thresholds to show on each curve.
        hull: The convex hull of ROC curves.
        slope: With a hull, that of the line of equal cost which touches it.

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
    layers += [ribbon_of(band, list(curves).index(name)) for name, band in bands.items()]
    layers += model_lines(
        [(labels[name], _lines(one, across, len(curves) == 1)) for name, one in curves.items()]
    )
    if hull is not None:
        layers += hull_lines(hull, slope)
    for order, (name, chosen) in enumerate(marks.items()):
        layers.append(_marked(curves[name], chosen, order))
    if first.name == "bin_lift" and len(curves) == 1:
        layers[-1] = _bars(first, labels[first.ranking.name])
    lit = (fitted(one, across, up) for one in layers)
    title = TITLES.get(first.name, _title(first))
    found_by = [f"Band: {one.method}." for one in list(bands.values())[:1]]
    caption = " ".join([*_sentence(first), *found_by, about_rows(first.ranking)])
    return Chart(title, across, up, tuple(lit), caption, first.name in SQUARE)


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


def ribbon_of(band: Band, order: int = 0) -> Ribbon:
    """A band around a curve."""
    label = f"{100 * band.level:g} % band ({band.kind})" if not order else ""
    return Ribbon(band.x, band.low, band.high, label=label, order=order)


def hull_lines(hull: Hull, slope: float | None = None) -> list[Line]:
    """The hull, and the line of equal cost that touches it where this slope is what pays."""
    x, y = (np.array([getattr(v, name) for v in hull.vertices]) for name in ("fpr", "tpr"))
    lines = [Line(x, y, "hull", f"convex hull (area {hull.area:.2f})")]
    if slope is None:
        return lines
    if math.isinf(slope):
        return [*lines, Line(np.zeros(2), np.array([0.0, 1.0]), "iso", "equal cost")]
    _, height = hull.iso_line(slope)
    end = min((1 - height) / slope, 1.0) if slope else 1.0
    ends = np.array([0.0 if height >= 0 else -height / slope, end])
    return [*lines, Line(ends, height + slope * ends, "iso", f"equal cost (slope {slope:.3g})")]


def _label(name: str, curve: Curve, areas: Mapping[str, Estimate]) -> str:
    if curve.name not in AREAS:
        return legend(name)
    return legend(name, areas.get(name) or curve.area(), AREAS[curve.name])


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
    if beside and name not in TITLES:
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
    found = [Line(*way(curve, across), steps=is_stepped(curve))]
    if not alone or not curve.also or curve.name == "net_benefit":
        return found
    found[0] = replace(found[0], label=_quantity(curve.up, curve))
    for axis in curve.also:
        points = steps(curve.ranking, axis.values, across) if is_stepped(curve) else None
        x, y = points or (curve.x, axis.values)
        found.append(Line(x, y, label=_quantity(axis, curve), steps=is_stepped(curve)))
    return found


def _quantity(axis: Axis, curve: Curve) -> str:
    return side(axis.name, curve.ranking)


def _references(curve: Curve, across: Scale, up: Scale) -> list[Line]:
    names = REFERENCES.get(curve.name, ("chance", "perfect ranking"))
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
        points = reference(corners)
        if not on_frame(points, across, up):
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
        lines.append(Line(*reference(curve.ideal), "ideal", "treat just those in need"))
    return lines


def _marked(curve: Curve, marks: Sequence[Mark], order: int) -> Points:
    """Points of a curve at thresholds, each with its rule beside it."""
    if curve.name in UNMARKED:
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
