"""Which model is best where: the common hull of ROC curves, and the map of least cost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.measures.curves import named_curve
from tradeoff.render.chart import Chart, Line, Points, Scale
from tradeoff.text import plain
from tradeoff.views.curve_chart import curve_chart, model_lines
from tradeoff.views.scales import about_rows, legend, side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tradeoff.analysis.hulls import Hull, Vertex
    from tradeoff.core.ranking import Ranking
    from tradeoff.render.chart import Layer

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
    chart = curve_chart(curves, hull=hull, slope=slope)
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
