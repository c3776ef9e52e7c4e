"""Hulls for readers: who is best where, as text, document, chart and map."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tradeoff.core.ranking import Ranking
from tradeoff.hulls.hull import Hull, Vertex
from tradeoff.measures.curves import named_curve
from tradeoff.render.chart import Chart, Layer, Line, Points, Scale
from tradeoff.render.sections import Section
from tradeoff.render.values import finite
from tradeoff.results import shows
from tradeoff.text import number, plain, threshold
from tradeoff.views.curve_chart import curve_chart, model_lines
from tradeoff.views.scales import (
    about_rows,
    legend,
    side,
)

MOST_TEXTS = 8
NARROW = 0.07
"""A stretch of the map narrower than this has no room for its name."""


def hull_chart(hull: Hull, rankings: Mapping[str, Ranking], slope: float | None = None) -> Chart:
    """ROC curves under their common hull, its vertices named where they are few.

    Args:
        hull: Of these models.
        rankings: The models.
        slope: That of the line of equal cost to draw: what pays.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.35, 0.4, 0.8])
        >>> hull_chart(e.hull(), e.rankings).layers[-1].texts
        ('score ≥ 0.8', 'score ≥ 0.35')
    """
    curves = {name: named_curve(one, "roc") for name, one in rankings.items()}
    chart = curve_chart(curves, lines=hull_lines(hull, slope))
    owned = [vertex for vertex in hull.vertices if vertex.model is not None]
    shown = owned if len(owned) <= MOST_TEXTS else []
    texts = tuple(_rule(vertex) if vertex in shown else "" for vertex in owned)
    x, y = (np.array([getattr(v, name) for v in owned]) for name in ("fpr", "tpr"))
    vertices = Points(x, y, texts, "hull")
    never = [plain(name, 32) for name in hull.models if name not in hull.owners]
    told = f"Never best: {', '.join(never[:5])}. " if never else ""
    caption = f"Whatever mistakes cost, a point of the hull is best. {told}" + about_rows(
        next(iter(rankings.values()))
    )
    layers = (*chart.layers, vertices)
    return Chart("ROC convex hull", chart.x, chart.y, layers, caption, square=True)


def decision_map_chart(
    hull: Hull, rankings: Mapping[str, Ranking], here: float | None = None
) -> Chart:
    """The least cost for every share of misses in it, and which model at which threshold has it.

    Args:
        hull: Of all models.
        rankings: Those of the models.
        here: The share of misses, PC(+), that costs and prevalence make; it is marked.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.35, 0.4, 0.8])
        >>> chart = decision_map_chart(e.hull(), e.rankings)
        >>> chart.layers[-1].texts
        ('score ≥ 0.8', 'score ≥ 0.35')
    """
    ranking = next(iter(rankings.values()))
    layers: list[Layer] = [
        Line(np.array([0, 0.5, 1]), np.array([0, 0.5, 0]), "chance", "call all or none")
    ]
    curves = {name: named_curve(one, "cost") for name, one in rankings.items()}
    if len(curves) > 1:
        layers += model_lines([(legend(n), [Line(c.x, c.y)]) for n, c in curves.items()])
    stretches = hull.decision_map()
    x = np.array([stretches[0].start, *(s.stop for s in stretches)])
    y = np.array([stretches[0].cost_at_start, *(s.cost_at_stop for s in stretches)])
    layers.append(Line(x, y, "hull", "least cost"))
    layers.append(Points(x[1:-1], y[1:-1], ("",) * (len(x) - 2), "hull"))
    wide = [s for s in stretches if s.stop - s.start >= NARROW]
    middle = np.array([(s.start + s.stop) / 2 for s in wide])
    height = np.array([s.vertex.cost(m) for s, m in zip(wide, middle, strict=True)])
    layers.append(Points(middle, height, tuple(_rule(s.vertex) for s in wide), "iso"))
    top = max(float(y.max(initial=0.0)), *_tops(curves))
    if here is not None:
        best = min(v.cost(here) for v in hull.vertices)
        label = f"these costs: PC(+) = {here:.3g}"
        layers.append(Points(np.array([here]), np.array([best]), ("",), "mark", label))
    across = Scale(side("probability_cost", ranking), 0.0, 1.0)
    up = Scale(side("normalized_expected_cost", ranking), 0.0, min(0.55, 1.25 * top or 0.55))
    caption = (
        f"PC(+) weighs prevalence and costs: to the right misses matter more. {about_rows(ranking)}"
    )
    return Chart("Which model is best for which costs", across, up, tuple(layers), caption)


def _tops(curves: Mapping[str, object]) -> Sequence[float]:
    return [float(np.max(getattr(one, "y"))) for one in curves.values()]  # noqa: B009


def _rule(vertex: Vertex) -> str:
    if vertex.model is None or math.isinf(vertex.threshold):
        return "call none" if vertex.tpr == 0 else "call all"
    sign = "≤" if vertex.lower_is_positive else "≥"
    return f"{plain(vertex.model, 20)} {sign} {vertex.threshold:.3g}"


# Hulls for readers: who is best where.


HULL = "tradeoff/hull/1"
TRIVIAL = "all or none"
MEANING = (
    "PC(+) is the share that misses would have in the cost if all were decided wrongly: "
    "prevalence · cost of a miss, over that plus (1 − prevalence) · cost of a false alarm."
)


@shows(Hull, "sections")
def hull_sections(hull: Hull) -> list[Section]:
    """The vertices with the range in which each is best; `chosen` answer a question about costs."""
    head = (
        *("model", "threshold", "fpr", "tpr", "best for PC(+) from", "to", "cost there"),
        *("largest regret", ""),
    )
    best = {stretch.vertex: stretch for stretch in hull.decision_map()}
    chosen = hull.chosen or ()
    lines = []
    for vertex in hull.vertices:
        stretch = best.get(vertex)
        limits = (
            ("", "", "")
            if stretch is None
            else (
                number(stretch.start),
                number(stretch.stop),
                f"{number(stretch.cost_at_start)} to {number(stretch.cost_at_stop)}",
            )
        )
        mark = "best" if vertex in chosen else ""
        lines.append(
            (
                vertex.model or TRIVIAL,
                _at(vertex),
                number(vertex.fpr),
                number(vertex.tpr),
                *limits,
                number(hull.largest_regret(vertex)),
                mark,
            )
        )
    never = [name for name in hull.models if name not in hull.owners]
    said = [
        MEANING,
        "Regret: how much more a fixed choice costs than the best one, at most, over all PC(+).",
        _area(hull),
    ]
    said += [f"{name} is never best: another model, or a mix, always is." for name in never]
    sections = [Section("ROC convex hull", tuple(said), (head, *lines))]
    if hull.chosen is not None:
        names = [f"{vertex.model or TRIVIAL} at {_at(vertex)}" for vertex in chosen]
        question = "For these costs and prevalences"
        sections.append(Section(question, (f"Can be best: {', '.join(names)}.",)))
    return sections


@shows(Hull, "document")
def hull_document(hull: Hull) -> dict[str, Any]:
    """The same for other programs."""
    slopes = [*hull.slopes, None]
    open_area = {} if hull.area_at_best is None else {"area_at_best": hull.area_at_best}
    return {
        "schema": HULL,
        "positive": hull.positive,
        "models": list(hull.models),
        "owners": list(hull.owners),
        "area": hull.area,
        **open_area,
        "vertices": [
            {
                **_vertex(vertex),
                "slope_to_next": None if slope is None else finite(slope),
                "largest_regret": hull.largest_regret(vertex),
            }
            for vertex, slope in zip(hull.vertices, slopes, strict=True)
        ],
        "decision_map": [
            {
                **_vertex(stretch.vertex),
                "from": stretch.start,
                "to": stretch.stop,
                "cost_from": stretch.cost_at_start,
                "cost_to": stretch.cost_at_stop,
            }
            for stretch in hull.decision_map()
        ],
        "best": [_vertex(vertex) for vertex in hull.chosen or ()],
    }


def _area(hull: Hull) -> str:
    if hull.area_at_best is None:
        return f"The area under the hull is {number(hull.area)}."
    most = number(hull.area_at_best)
    return (
        f"The area under the hull of these thresholds is {number(hull.area)}; scores are in bins, "
        f"and by all scores it is {most} at most, with vertices that may belong to other models."
    )


def _vertex(vertex: Vertex) -> dict[str, Any]:
    return {
        "model": vertex.model,
        "threshold": finite(vertex.threshold),
        "false_positive_rate": vertex.fpr,
        "true_positive_rate": vertex.tpr,
        "shared_with": list(vertex.shared),
    }


def _at(vertex: Vertex) -> str:
    if math.isinf(vertex.threshold):
        return "none" if vertex.tpr == 0 else "all"
    return threshold(vertex.threshold)


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
