"""Hulls for readers: who is best where."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tradeoff.render.sections import Section
from tradeoff.render.values import finite
from tradeoff.text import number, threshold

if TYPE_CHECKING:
    from tradeoff.analysis.hulls import Hull, Vertex

HULL = "tradeoff/hull/1"
TRIVIAL = "all or none"
MEANING = (
    "PC(+) is the share that misses would have in the cost if all were decided wrongly: "
    "prevalence · cost of a miss, over that plus (1 − prevalence) · cost of a false alarm."
)


def hull_sections(hull: Hull, chosen: tuple[Vertex, ...] = (), question: str = "") -> list[Section]:
    """The vertices with the range in which each is best; `chosen` answer a question about costs."""
    head = (
        *("model", "threshold", "fpr", "tpr", "best for PC(+) from", "to", "cost there"),
        *("largest regret", ""),
    )
    best = {stretch.vertex: stretch for stretch in hull.decision_map()}
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
    if question:
        names = [f"{vertex.model or TRIVIAL} at {_at(vertex)}" for vertex in chosen]
        sections.append(Section(question, (f"Can be best: {', '.join(names)}.",)))
    return sections


def hull_document(hull: Hull, chosen: tuple[Vertex, ...] = ()) -> dict[str, Any]:
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
        "best": [_vertex(vertex) for vertex in chosen],
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
