"""Text sections, JSON documents and charts of ROC hulls and their decision maps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tradeoff.core.ranking import Ranking
from tradeoff.formatting import (
    format_percent,
    format_screen_number,
    format_threshold,
    printable,
    with_minus_sign,
)
from tradeoff.hulls.hull import Hull, Vertex
from tradeoff.measures.curves import named_curve
from tradeoff.measures.estimate import Estimate
from tradeoff.render.chart import Chart, Layer, Line, Points, Scale
from tradeoff.render.estimate_text import format_significant
from tradeoff.render.json_csv import json_number
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.views.chart_labels import axis_label, model_label, rows_caption
from tradeoff.views.curve_chart import (
    EMPTY_MAPPING,
    curve_chart,
    leading_models,
    model_lines,
    named_models_sentences,
)

MAX_LABELS = 8
MIN_LABELLED_WIDTH = 0.07
"""Ranges in the decision map that are narrower than this get no label."""


def hull_chart(
    hull: Hull,
    rankings: Mapping[str, Ranking],
    slope: float | None = None,
    *,
    areas: Mapping[str, Estimate] = EMPTY_MAPPING,
) -> Chart:
    """Chart of ROC curves with their convex hull, its vertices labelled if there are few.

    Args:
        hull: The hull of these models.
        rankings: The ranking of each model.
        slope: The slope of the iso-cost line to draw.
        areas: The AUC of each model with its interval, for the labels.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.35, 0.4, 0.8])
        >>> hull_chart(e.hull(), e.rankings).layers[-1].texts
        ('score ≥ 0.8', 'score ≥ 0.35')
    """
    curves = {name: named_curve(ranking, "roc") for name, ranking in rankings.items()}
    chart = curve_chart(curves, areas=areas, lines=hull_lines(hull, slope))
    vertices = [vertex for vertex in hull.vertices if vertex.model is not None]
    has_labels = len(vertices) <= MAX_LABELS
    labels = tuple(_format_rule(hull, vertex) if has_labels else "" for vertex in vertices)
    x, y = (np.array([getattr(v, name) for v in vertices]) for name in ("fpr", "tpr"))
    points = Points(x, y, labels, "hull")
    never_best = [printable(name, 32) for name in hull.models if name not in hull.owners]
    sentences = ["For any costs of errors, a point on the hull is best."]
    if never_best:
        sentences.append(f"Never best: {', '.join(never_best[:5])}.")
    sentences.append(rows_caption(next(iter(rankings.values()))))
    caption = " ".join(sentences)
    layers = (*chart.layers, points)
    return replace(chart, title="ROC convex hull", layers=layers, caption=caption)


def decision_map_chart(
    hull: Hull, rankings: Mapping[str, Ranking], probability_cost: float | None = None
) -> Chart:
    """Chart of the decision map: lowest normalized cost by PC(+), and the rule that attains it.

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
    trivial_rules = (
        f"predict all {_class_label(hull.positive)} or all {_class_label(hull.negative)}"
    )
    layers: list[Layer] = [
        Line(np.array([0, 0.5, 1]), np.array([0, 0.5, 0]), "chance", trivial_rules)
    ]
    names = leading_models(rankings)
    curves = {name: named_curve(rankings[name], "cost") for name in names}
    if len(curves) > 1:
        layers += model_lines([(model_label(n), [Line(c.x, c.y)]) for n, c in curves.items()])
    ranges = hull.decision_map()
    x = np.array([ranges[0].start, *(best_range.stop for best_range in ranges)])
    y = np.array([ranges[0].cost_at_start, *(best_range.cost_at_stop for best_range in ranges)])
    layers.append(Line(x, y, "hull", "lowest cost"))
    layers.append(Points(x[1:-1], y[1:-1], ("",) * (len(x) - 2), "hull"))
    wide_ranges = [
        best_range
        for best_range in ranges
        if best_range.stop - best_range.start >= MIN_LABELLED_WIDTH
    ]
    midpoints = np.array([(best_range.start + best_range.stop) / 2 for best_range in wide_ranges])
    costs = [
        best_range.vertex.cost(x) for best_range, x in zip(wide_ranges, midpoints, strict=True)
    ]
    labels = tuple(_format_rule(hull, best_range.vertex) for best_range in wide_ranges)
    layers.append(Points(midpoints, np.array(costs), labels, "iso"))
    highest_cost = max(
        float(y.max(initial=0.0)), *(float(np.max(curve.y)) for curve in curves.values())
    )
    if probability_cost is not None:
        lowest_cost = min(vertex.cost(probability_cost) for vertex in hull.vertices)
        label = f"these costs: PC(+) = {probability_cost:.3g}"
        point = np.array([probability_cost]), np.array([lowest_cost])
        layers.append(Points(*point, ("",), "mark", label))
    x_scale = Scale(axis_label("probability_cost", ranking), 0.0, 1.0)
    y_scale = Scale(
        axis_label("normalized_expected_cost", ranking), 0.0, min(0.55, 1.25 * highest_cost or 0.55)
    )
    caption = (
        "PC(+) combines prevalence and costs: to the right, false negatives matter more. "
        f"{' '.join([*named_models_sentences(len(curves)), rows_caption(ranking)])}"
    )
    return Chart("Which rule is best for which costs", x_scale, y_scale, tuple(layers), caption)


def _format_rule(hull: Hull, vertex: Vertex) -> str:
    if vertex.model is None or math.isinf(vertex.threshold):
        return _format_trivial_rule(hull, vertex)
    sign = "≤" if vertex.lower_is_positive else "≥"
    return f"{printable(vertex.model, 20)} {sign} {with_minus_sign(f'{vertex.threshold:.3g}')}"


def _format_trivial_rule(hull: Hull, vertex: Vertex) -> str:
    """The rule at (0, 0) or (1, 1), where every row is predicted to be of the same class."""
    return f"predict all {_class_label(hull.negative if vertex.tpr == 0 else hull.positive)}"


def _class_label(name: str) -> str:
    return printable(name, 20)


HULL_SCHEMA = "tradeoff/hull/1"
DEFINITIONS = (
    (
        "PC(+) = p·C_FN / (p·C_FN + (1 − p)·C_FP), where p is the prevalence, C_FN the cost of a "
        "false negative and C_FP that of a false positive."
    ),
    "Costs are normalized so that misclassifying every row costs 1.",
    "Largest regret: how much more this choice costs than the best one; maximum over all PC(+).",
)


MAX_RULES = 10
ROUND_RATIOS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 50)
"""Cost ratios whose best rules are shown if there are more than MAX_RULES rules."""


@shows(Hull, "sections")
def hull_sections(hull: Hull, *, details: bool = False) -> list[Section]:
    """Text sections of a ROC hull: which rule is best for which ratio of costs.

    Args:
        hull: The hull.
        details: Show all vertices, with their ranges of PC(+), costs and regrets.
    """
    lines = [_describe_chosen(hull)] if hull.chosen is not None else _describe_owners(hull)
    lines.append(_describe_area(hull))
    if hull.chosen is not None:
        lines += _describe_never_best(hull)
    if details:
        return [
            Section("", tuple(lines)),
            Section("", (), _vertices_table(hull)),
            Section("", DEFINITIONS),
        ]
    return [Section("", tuple(lines)), _rules_section(hull)]


def _describe_owners(hull: Hull) -> list[str]:
    """Sentences on which models are best for some ratio of costs, and which never are."""
    names = [printable(name) for name in hull.owners]
    if len(hull.models) == 1 or not names:
        return []
    if len(names) == 1:
        return [
            f"{names[0]} is best for every ratio of costs.",
            *_describe_never_best(hull),
        ]
    return [
        f"{', '.join(names[:-1])} and {names[-1]} are each best for some ratios of costs.",
        *_describe_never_best(hull),
    ]


def _describe_never_best(hull: Hull) -> list[str]:
    return [
        f"{printable(name)} is never best: another model or a mix of models always is."
        for name in hull.models
        if name not in hull.owners
    ]


def _rules_section(hull: Hull) -> Section:
    """Table of the best rule for each range of the cost ratio of both errors."""
    ranges = [
        (_cost_ratio(hull, best_range.start), _cost_ratio(hull, best_range.stop), best_range.vertex)
        for best_range in hull.decision_map()
    ]
    shown_ranges = ranges
    if len(ranges) > MAX_RULES:
        vertices = dict.fromkeys(hull.chosen or ())
        vertices |= dict.fromkeys(
            vertex for ratio in ROUND_RATIOS for low, high, vertex in ranges if low < ratio <= high
        )
        chosen_vertices = list(vertices)[:MAX_RULES]
        shown_ranges = [entry for entry in ranges if entry[2] in chosen_vertices]
    table = [("FN/FP cost", "model", "threshold", "FPR", "TPR", "")]
    table += [
        (
            _format_ratio_range(low, high),
            printable(vertex.model or ""),
            _format_threshold(hull, vertex),
            _format_value(vertex.fpr),
            _format_value(vertex.tpr),
            "best" if vertex in (hull.chosen or ()) else "",
        )
        for low, high, vertex in shown_ranges
    ]
    share = format_percent(hull.prevalence)
    definition = "cost of a false negative divided by that of a false positive"
    lines = [f"FN/FP cost: {definition}, at a prevalence of {share}."]
    if len(shown_ranges) < len(ranges):
        lines.append(f"{len(shown_ranges)} of {len(ranges)} rules shown.")
    return Section("", tuple(lines), tuple(table), left=2)


def _cost_ratio(hull: Hull, probability_cost: float) -> float:
    """Cost of a false negative over that of a false positive, from PC(+)."""
    if probability_cost >= 1:
        return math.inf
    odds = probability_cost / (1 - probability_cost)
    return odds * (1 - hull.prevalence) / hull.prevalence if hull.prevalence else math.inf


def _format_ratio_range(low: float, high: float) -> str:
    if math.isinf(high):
        return f"above {format_significant(low)}" if low else "any"
    if not low:
        return f"up to {format_significant(high)}"
    return f"{format_significant(low)} to {format_significant(high)}"


def _vertices_table(hull: Hull) -> tuple[tuple[str, ...], ...]:
    """Table of all vertices, with their ranges of PC(+), costs and regrets."""
    header = (
        *("model", "threshold", "FPR", "TPR", "best for PC(+)", "cost", "largest regret"),
        "",
    )
    ranges = {best_range.vertex: best_range for best_range in hull.decision_map()}
    rows = []
    for vertex in hull.vertices:
        best_range = ranges.get(vertex)
        range_cells = (
            ("", "")
            if best_range is None
            else (
                _format_range(best_range.start, best_range.stop),
                _format_range(best_range.cost_at_start, best_range.cost_at_stop),
            )
        )
        rows.append(
            (
                vertex.model or "",
                _format_threshold(hull, vertex),
                _format_value(vertex.fpr),
                _format_value(vertex.tpr),
                *range_cells,
                _format_value(hull.largest_regret(vertex)),
                "best" if vertex in (hull.chosen or ()) else "",
            )
        )
    return (header, *rows)


def _describe_chosen(hull: Hull) -> str:
    rules = []
    for vertex in hull.chosen or ():
        sign = "≤" if vertex.lower_is_positive else "≥"
        model = f"{vertex.model} {sign} " if vertex.model else ""
        rules.append(f"{model}{_format_threshold(hull, vertex)}")
    if len(rules) == 1:
        return f"Best for these costs and prevalences: {rules[0]}."
    return f"Possibly best for these costs and prevalences: {', '.join(rules)}."


def _format_value(value: float) -> str:
    return format_screen_number(value, 3)


def _format_range(start: float, stop: float) -> str:
    return f"{_format_value(start)} to {_format_value(stop)}"


@shows(Hull, "document")
def hull_document(hull: Hull) -> dict[str, Any]:
    """JSON document of a ROC hull."""
    slopes = [*hull.slopes, None]
    area_bound = {} if hull.area_at_best is None else {"area_at_best": hull.area_at_best}
    return {
        "schema": HULL_SCHEMA,
        "positive": hull.positive,
        "models": list(hull.models),
        "owners": list(hull.owners),
        "area": hull.area,
        **area_bound,
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
                **_vertex_document(best_range.vertex),
                "from": best_range.start,
                "to": best_range.stop,
                "cost_from": best_range.cost_at_start,
                "cost_to": best_range.cost_at_stop,
            }
            for best_range in hull.decision_map()
        ],
        "best": [_vertex_document(vertex) for vertex in hull.chosen or ()],
    }


def _describe_area(hull: Hull) -> str:
    if hull.area_at_best is None:
        return f"ROC convex hull: area {_format_value(hull.area)}."
    return (
        f"ROC convex hull of binned scores: area {_format_value(hull.area)}, at most "
        f"{_format_value(hull.area_at_best)} without bins, where vertices may belong to other "
        "models."
    )


def _vertex_document(vertex: Vertex) -> dict[str, Any]:
    return {
        "model": vertex.model,
        "threshold": json_number(vertex.threshold),
        "false_positive_rate": vertex.fpr,
        "true_positive_rate": vertex.tpr,
        "shared_with": list(vertex.shared),
    }


def _format_threshold(hull: Hull, vertex: Vertex) -> str:
    if math.isinf(vertex.threshold):
        return _format_trivial_rule(hull, vertex)
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
    right_end = min((1 - intercept) / slope, 1.0) if slope else 1.0
    x = np.array([0.0 if intercept >= 0 else -intercept / slope, right_end])
    return [*lines, Line(x, intercept + slope * x, "iso", f"equal cost (slope {slope:.3g})")]
