"""ROC hulls as text, JSON and charts, with the decision map of who is best where."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tradeoff.core.ranking import Ranking
from tradeoff.hulls.hull import Hull, Vertex
from tradeoff.measures.curves import named_curve
from tradeoff.render.chart import Chart, Layer, Line, Points, Scale
from tradeoff.render.sections import Section
from tradeoff.render.values import json_number
from tradeoff.results import shows
from tradeoff.text import format_number, format_threshold, printable
from tradeoff.views.chart_labels import axis_label, model_label, rows_caption
from tradeoff.views.curve_chart import curve_chart, model_lines

MAX_LABELS = 8
MIN_LABEL_WIDTH = 0.07
"""A range of the decision map narrower than this has no room for a label."""


def hull_chart(hull: Hull, rankings: Mapping[str, Ranking], slope: float | None = None) -> Chart:
    """Chart of ROC curves with their convex hull, its vertices labelled if they are few.

    Args:
        hull: The hull of these models.
        rankings: The ranking of each model.
        slope: The slope of the iso-cost line to draw.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.35, 0.4, 0.8])
        >>> hull_chart(e.hull(), e.rankings).layers[-1].texts
        ('score ≥ 0.8', 'score ≥ 0.35')
    """
    curves = {name: named_curve(ranking, "roc") for name, ranking in rankings.items()}
    chart = curve_chart(curves, lines=hull_lines(hull, slope))
    owned = [vertex for vertex in hull.vertices if vertex.model is not None]
    labelled = owned if len(owned) <= MAX_LABELS else []
    texts = tuple(_format_rule(vertex) if vertex in labelled else "" for vertex in owned)
    x, y = (np.array([getattr(v, name) for v in owned]) for name in ("fpr", "tpr"))
    vertices = Points(x, y, texts, "hull")
    never = [printable(name, 32) for name in hull.models if name not in hull.owners]
    never_best = f"Never best: {', '.join(never[:5])}. " if never else ""
    caption = f"Whatever mistakes cost, a point of the hull is best. {never_best}" + rows_caption(
        next(iter(rankings.values()))
    )
    layers = (*chart.layers, vertices)
    return Chart("ROC convex hull", chart.x, chart.y, layers, caption, square=True)


def decision_map_chart(
    hull: Hull, rankings: Mapping[str, Ranking], probability_cost: float | None = None
) -> Chart:
    """Chart of the decision map: least normalized cost over PC(+), and the rule that has it.

    Args:
        hull: The hull of all models.
        rankings: The ranking of each model.
        probability_cost: The PC(+) of the actual costs and prevalence, to be marked.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.35, 0.4, 0.8])
        >>> chart = decision_map_chart(e.hull(), e.rankings)
        >>> chart.layers[-1].texts
        ('score ≥ 0.8', 'score ≥ 0.35')
    """
    ranking = next(iter(rankings.values()))
    layers: list[Layer] = [
        Line(np.array([0, 0.5, 1]), np.array([0, 0.5, 0]), "chance", "flag all or none")
    ]
    curves = {name: named_curve(ranking, "cost") for name, ranking in rankings.items()}
    if len(curves) > 1:
        layers += model_lines([(model_label(n), [Line(c.x, c.y)]) for n, c in curves.items()])
    ranges = hull.decision_map()
    x = np.array([ranges[0].start, *(best.stop for best in ranges)])
    y = np.array([ranges[0].cost_at_start, *(best.cost_at_stop for best in ranges)])
    layers.append(Line(x, y, "hull", "least cost"))
    layers.append(Points(x[1:-1], y[1:-1], ("",) * (len(x) - 2), "hull"))
    wide = [best for best in ranges if best.stop - best.start >= MIN_LABEL_WIDTH]
    middle = np.array([(best.start + best.stop) / 2 for best in wide])
    height = np.array([best.vertex.cost(at) for best, at in zip(wide, middle, strict=True)])
    labels = tuple(_format_rule(best.vertex) for best in wide)
    layers.append(Points(middle, height, labels, "iso"))
    top = max(float(y.max(initial=0.0)), *(float(np.max(curve.y)) for curve in curves.values()))
    if probability_cost is not None:
        least = min(vertex.cost(probability_cost) for vertex in hull.vertices)
        label = f"these costs: PC(+) = {probability_cost:.3g}"
        mark = np.array([probability_cost]), np.array([least])
        layers.append(Points(*mark, ("",), "mark", label))
    x_scale = Scale(axis_label("probability_cost", ranking), 0.0, 1.0)
    y_scale = Scale(
        axis_label("normalized_expected_cost", ranking), 0.0, min(0.55, 1.25 * top or 0.55)
    )
    caption = (
        "PC(+) combines prevalence and costs: to the right, false negatives matter more. "
        f"{rows_caption(ranking)}"
    )
    return Chart("Which model is best for which costs", x_scale, y_scale, tuple(layers), caption)


def _format_rule(vertex: Vertex) -> str:
    if vertex.model is None or math.isinf(vertex.threshold):
        return "flag none" if vertex.tpr == 0 else "flag all"
    sign = "≤" if vertex.lower_is_positive else "≥"
    return f"{printable(vertex.model, 20)} {sign} {vertex.threshold:.3g}"


HULL = "tradeoff/hull/1"
DEFINITIONS = (
    (
        "PC(+) = prevalence · cost of a false negative / (that + (1 − prevalence) · cost of a "
        "false positive)."
    ),
    "Cost is normalized: 1 if every row were misclassified.",
    "Largest regret: the most that a fixed choice costs above the best one, over all PC(+).",
)


@shows(Hull, "sections")
def hull_sections(hull: Hull) -> list[Section]:
    """Text of a ROC hull: the best rules if costs are known, then all vertices."""
    head = (
        *("model", "threshold", "FPR", "TPR", "best for PC(+)", "cost there", "largest regret"),
        "",
    )
    ranges = {best.vertex: best for best in hull.decision_map()}
    chosen = hull.chosen or ()
    rows = []
    for vertex in hull.vertices:
        best = ranges.get(vertex)
        limits = (
            ("", "")
            if best is None
            else (
                f"{_short(best.start)} to {_short(best.stop)}",
                f"{_short(best.cost_at_start)} to {_short(best.cost_at_stop)}",
            )
        )
        rows.append(
            (
                vertex.model or "",
                _format_threshold(vertex),
                _short(vertex.fpr),
                _short(vertex.tpr),
                *limits,
                _short(hull.largest_regret(vertex)),
                "best" if vertex in chosen else "",
            )
        )
    never = [name for name in hull.models if name not in hull.owners]
    lines = [] if hull.chosen is None else [_chosen_sentence(hull)]
    lines.append(_area_sentence(hull))
    lines += [f"{name} is never best: another model or a mix always is." for name in never]
    return [
        Section("", tuple(lines)),
        Section("", (), (head, *rows)),
        Section("", DEFINITIONS),
    ]


def _chosen_sentence(hull: Hull) -> str:
    rules = []
    for vertex in hull.chosen or ():
        sign = "≤" if vertex.lower_is_positive else "≥"
        model = f"{vertex.model} {sign} " if vertex.model else ""
        rules.append(f"{model}{_format_threshold(vertex)}")
    if len(rules) == 1:
        return f"Best for these costs and prevalences: {rules[0]}."
    return f"Can be best for these costs and prevalences: {', '.join(rules)}."


def _short(value: float) -> str:
    return format_number(value, 3)


@shows(Hull, "document")
def hull_document(hull: Hull) -> dict[str, Any]:
    """JSON document of a ROC hull."""
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
                **_vertex_document(vertex),
                "slope_to_next": None if slope is None else json_number(slope),
                "largest_regret": hull.largest_regret(vertex),
            }
            for vertex, slope in zip(hull.vertices, slopes, strict=True)
        ],
        "decision_map": [
            {
                **_vertex_document(best.vertex),
                "from": best.start,
                "to": best.stop,
                "cost_from": best.cost_at_start,
                "cost_to": best.cost_at_stop,
            }
            for best in hull.decision_map()
        ],
        "best": [_vertex_document(vertex) for vertex in hull.chosen or ()],
    }


def _area_sentence(hull: Hull) -> str:
    if hull.area_at_best is None:
        return f"ROC convex hull: area {_short(hull.area)}."
    return (
        f"ROC convex hull of binned scores: area {_short(hull.area)}, at most "
        f"{_short(hull.area_at_best)} without bins, with vertices that may belong to other models."
    )


def _vertex_document(vertex: Vertex) -> dict[str, Any]:
    return {
        "model": vertex.model,
        "threshold": json_number(vertex.threshold),
        "false_positive_rate": vertex.fpr,
        "true_positive_rate": vertex.tpr,
        "shared_with": list(vertex.shared),
    }


def _format_threshold(vertex: Vertex) -> str:
    if math.isinf(vertex.threshold):
        return "flag none" if vertex.tpr == 0 else "flag all"
    return format_threshold(vertex.threshold)


def hull_lines(hull: Hull, slope: float | None = None) -> list[Line]:
    """Chart lines of a ROC hull and of the iso-cost line with this slope that touches it."""
    x, y = (np.array([getattr(v, name) for v in hull.vertices]) for name in ("fpr", "tpr"))
    lines = [Line(x, y, "hull", f"convex hull (area {hull.area:.2f})")]
    if slope is None:
        return lines
    if math.isinf(slope):
        return [*lines, Line(np.zeros(2), np.array([0.0, 1.0]), "iso", "equal cost")]
    _, intercept = hull.iso_line(slope)
    right = min((1 - intercept) / slope, 1.0) if slope else 1.0
    x = np.array([0.0 if intercept >= 0 else -intercept / slope, right])
    return [*lines, Line(x, intercept + slope * x, "iso", f"equal cost (slope {slope:.3g})")]
