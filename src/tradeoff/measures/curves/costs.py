"""Cost curve, expected cost and profit curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves.curve import Axis, Curve, counts_table
from tradeoff.measures.curves.interpolation import Straight, trapezoids
from tradeoff.measures.curves.registry import (
    Quantity,
    find_kind,
    register_curve,
    require_both_classes,
)
from tradeoff.measures.registry import METRICS

EQUAL = Costs()


@register_curve(
    "lowest expected cost for every mix of prevalence and costs, normalized to the worst",
    title="Cost curve",
    area="area",
    chance="all or none positive",
    ideal="",
    has_thresholds=False,
    by_cases=True,
    no_band="it follows the best threshold of these rows, which is not the best of all rows",
    quantities={
        "probability_cost": Quantity("Probability cost PC(+)", 0.0, 1.0),
        "normalized_expected_cost": Quantity("Normalized expected cost", 0.0, zoomed=True),
    },
    rank=8,
    aliases=("drummond_holte",),
)
def cost(ranking: Ranking) -> Curve:
    """Drummond and Holte's cost curve: the lower envelope of all thresholds' lines.

    x is PC(+), the share that misses could have in the cost; each stretch belongs to one vertex of
    the ROC hull, whose threshold stands beside the point where it takes over.
    """
    require_both_classes(ranking, "cost")
    vertices = ranking.hull_places
    tpr = ranking.true_positives[vertices] / ranking.positives
    fpr = ranking.false_positives[vertices] / ranking.negatives
    rise, run = np.diff(tpr), np.diff(fpr)
    turns = run / (rise + run)  # where both ends of an edge cost the same
    # A vertical or level edge turns at the very end, where its last vertex is the only one.
    x = np.concatenate([[0.0], turns, [1.0]])
    vertex_of_point = np.concatenate([np.arange(len(vertices)), [len(vertices) - 1]])
    y = (1 - tpr[vertex_of_point] - fpr[vertex_of_point]) * x + fpr[vertex_of_point]
    is_last_at_x = np.concatenate([x[1:] != x[:-1], [True]])
    indices = vertices[vertex_of_point][is_last_at_x]
    x, y = x[is_last_at_x], y[is_last_at_x]
    return Curve(
        "cost",
        ranking,
        Axis("probability_cost", x),
        Axis("normalized_expected_cost", y, "lower"),
        Straight(x, y),
        chance=((0.0, 0.0), (0.5, 0.5), (1.0, 0.0)),
        ideal=((0.0, 0.0), (1.0, 0.0)),
        table=lambda: {
            "threshold": ranking.thresholds[indices],
            "true_positives": ranking.true_positives[indices],
            "false_positives": ranking.false_positives[indices],
        },
        integral=trapezoids,
    )


@register_curve(
    "average cost per row at each threshold",
    title="Expected cost by threshold",
    rank=9,
)
def expected_cost(ranking: Ranking, costs: Costs = EQUAL) -> Curve:
    """Expected cost per case over the threshold: steps that change at each distinct score."""
    per_case = costs.totals(ranking)
    per_case /= float(ranking.total)

    def height(thresholds: Any) -> Any:
        return per_case[ranking.places(thresholds)]

    return Curve(
        "expected_cost",
        ranking,
        Axis("threshold", ranking.thresholds),
        Axis("expected_cost", per_case, "lower"),
        formula=height,
        table=lambda: counts_table(ranking, ranking.confusion),
    )


@register_curve(
    "profit when the highest-scored rows are contacted",
    title="Profit curve",
    chance="contacting at random",
    ideal="",
    axes={"predicted_positive_rate": "Share of rows contacted, highest scores first"},
    by_cases=True,
    quantities={
        "profit": Quantity("Profit"),
    },
    rank=10,
)
def profit(ranking: Ranking, costs: Costs = EQUAL) -> Curve:
    """Total profit (the negative of total cost) over the share of rows contacted.

    With a fixed cost there are two points at depth 0: before it is paid, and after.
    """
    earned = costs.totals(ranking)
    np.negative(earned, out=earned)
    predicted_positives = ranking.tally.true_positives + ranking.tally.false_positives
    depth = predicted_positives / float(ranking.total)
    indices: Any = slice(None)
    if costs.fixed:
        indices = np.concatenate([[0], np.arange(len(earned))])
        depth, earned = depth[indices], earned[indices]
        earned[1] -= costs.fixed

    def table() -> dict[str, Any]:
        columns = counts_table(ranking, ranking.confusion)
        return {name: values[indices] for name, values in columns.items()}

    return Curve(
        "profit",
        ranking,
        Axis("predicted_positive_rate", depth),
        Axis("profit", earned, "higher"),
        Straight(depth, earned),
        chance=(
            (0.0, float(earned[1 if costs.fixed else 0])),
            (float(depth[-1]), float(earned[-1])),
        ),
        table=table,
    )


def is_cost_metric(name: str | None) -> bool:
    """Whether a metric's curve is better answered by known costs."""
    return name is not None and METRICS.knows(name) and METRICS.find(name).takes_costs


def with_costs(
    costs: AnyCosts | None, name: str | None, x: str | None, y: Any, parameters: dict[str, Any]
) -> dict[str, Any]:
    """Parameters of a curve, with known costs where it takes them."""
    if name is None:
        metrics = {y} if isinstance(y, str) else set(y or ())
        if costs is not None and any(map(is_cost_metric, metrics)):
            raise InputError(
                f'A metric over {x} does not know these costs: ask for curve("expected_cost").'
            )
        return parameters
    takes_costs = "costs" in find_kind(name).parameters and costs is not None
    return {**parameters, "costs": costs} if takes_costs else parameters
