"""Cost-based curves: cost curve, Brier curve, expected cost and profit."""

from __future__ import annotations

from typing import Any

import numpy as np

from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves.curve import Axis, Curve, counts_table
from tradeoff.measures.curves.interpolation import LinearInterpolation, linear_interpolation_area
from tradeoff.measures.curves.registry import (
    Quantity,
    find_curve_kind,
    register_curve,
    require_both_classes,
)
from tradeoff.measures.metrics.costs import is_cost_metric
from tradeoff.measures.probabilities import require_probabilities

EQUAL_COSTS = Costs()


@register_curve(
    "lowest expected cost for every mix of prevalence and costs, normalized to the worst",
    title="Cost curve",
    area="area",
    chance="predict all or none positive",
    ideal="",
    has_thresholds=False,
    by_cases=True,
    no_band="it uses the best thresholds of this sample, which are not the best of the population",
    quantities={
        "probability_cost": Quantity("Probability cost PC(+)", 0.0, 1.0),
        "normalized_expected_cost": Quantity("Normalized expected cost", 0.0, zoomed=True),
    },
    rank=8,
    aliases=("drummond_holte",),
)
def cost(ranking: Ranking) -> Curve:
    """Drummond and Holte's cost curve: the lower envelope of all thresholds' lines.

    x is PC(+), the largest possible share of false negatives in the cost; each segment belongs to
    one vertex of the ROC hull, whose threshold is listed with the point where the segment begins.
    """
    require_both_classes(ranking, "cost")
    vertices = ranking.hull_places
    tpr = ranking.true_positives[vertices] / ranking.positives
    fpr = ranking.false_positives[vertices] / ranking.negatives
    rise, run = np.diff(tpr), np.diff(fpr)
    indifference_points = run / (rise + run)  # where both ends of an edge have equal cost
    # For a vertical or horizontal edge it is 0 or 1, where only its last vertex remains.
    x = np.concatenate([[0.0], indifference_points, [1.0]])
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
        LinearInterpolation(x, y),
        chance=((0.0, 0.0), (0.5, 0.5), (1.0, 0.0)),
        ideal=((0.0, 0.0), (1.0, 0.0)),
        table=lambda: {
            "threshold": ranking.thresholds[indices],
            "true_positives": ranking.true_positives[indices],
            "false_positives": ranking.false_positives[indices],
        },
        integral=linear_interpolation_area,
    )


@register_curve(
    "expected cost if the threshold is the probability that the costs imply",
    title="Brier curve",
    area="Brier score",
    summary="brier",
    chance="constant prediction (prevalence)",
    ideal="",
    has_thresholds=False,
    quantities={
        "cost_share": Quantity("Cost share of a false positive", 0.0, 1.0),
        "loss": Quantity("Expected cost", 0.0, zoomed=True),
    },
    rank=15,
)
def brier(ranking: Ranking) -> Curve:
    """Brier curve: expected cost by cost share of a false positive; its area is the Brier score.

    Hernández-Orallo, Flach & Ferri 2011, Brier curves: a new cost-based visualisation of
    classifier performance, ICML 28. The curve jumps at each score, which has a point on both sides.
    """
    p = require_probabilities(ranking, "The Brier curve").values
    total = float(ranking.positives + ranking.negatives)
    # Threshold k applies to cost shares above the next lower probability, up to its own.
    false_negative_cost = (ranking.positives - ranking.tally.true_positives[::-1]) * (2 / total)
    slope = ranking.tally.false_positives[::-1] * (2 / total) - false_negative_cost
    x, y = np.empty((2, 2 * len(false_negative_cost)))
    x[0], x[2::2], x[1:-1:2], x[-1] = 0.0, p[::-1], p[::-1], 1.0
    for side in (slice(0, None, 2), slice(1, None, 2)):
        np.multiply(x[side], slope, out=y[side])
        y[side] += false_negative_cost
    prevalence = float(ranking.positives) / total
    return Curve(
        "brier",
        ranking,
        Axis("cost_share", x),
        Axis("loss", y, "lower"),
        LinearInterpolation(x, y),
        chance=((0.0, 0.0), (prevalence, 2 * prevalence * (1 - prevalence)), (1.0, 0.0)),
        ideal=((0.0, 0.0), (1.0, 0.0)),
        integral=linear_interpolation_area,
    )


@register_curve(
    "average cost per row at each threshold",
    title="Expected cost by threshold",
    rank=9,
)
def expected_cost(ranking: Ranking, costs: Costs = EQUAL_COSTS) -> Curve:
    """Expected cost per row at each threshold: a step function of the distinct scores."""
    cost_per_row = costs.totals(ranking)
    cost_per_row /= float(ranking.total)

    def height(thresholds: Any) -> Any:
        return cost_per_row[ranking.places(thresholds)]

    return Curve(
        "expected_cost",
        ranking,
        Axis("threshold", ranking.thresholds),
        Axis("expected_cost", cost_per_row, "lower"),
        formula=height,
        table=lambda: counts_table(ranking, ranking.confusion),
    )


@register_curve(
    "profit when the highest-scored rows are contacted",
    title="Profit curve",
    chance="contacting at random",
    ideal="",
    axes={"predicted_positive_rate": "Share of {rows} contacted, highest scores first"},
    by_cases=True,
    quantities={
        "profit": Quantity("Profit"),
    },
    rank=10,
)
def profit(ranking: Ranking, costs: Costs = EQUAL_COSTS) -> Curve:
    """Total profit (the negative total cost) by the proportion of rows contacted.

    With a fixed cost there are two points at depth 0: before and after it is paid.
    """
    profits = costs.totals(ranking)
    np.negative(profits, out=profits)
    predicted_positives = ranking.tally.true_positives + ranking.tally.false_positives
    depth = predicted_positives / float(ranking.total)
    indices: Any = slice(None)
    if costs.fixed:
        indices = np.concatenate([[0], np.arange(len(profits))])
        depth, profits = depth[indices], profits[indices]
        profits[1] -= costs.fixed

    def table() -> dict[str, Any]:
        columns = counts_table(ranking, ranking.confusion)
        return {name: values[indices] for name, values in columns.items()}

    return Curve(
        "profit",
        ranking,
        Axis("predicted_positive_rate", depth),
        Axis("profit", profits, "higher"),
        LinearInterpolation(depth, profits),
        chance=(
            (0.0, float(profits[1 if costs.fixed else 0])),
            (float(depth[-1]), float(profits[-1])),
        ),
        table=table,
    )


def with_costs(
    costs: AnyCosts | None, name: str | None, x: str | None, y: Any, parameters: dict[str, Any]
) -> dict[str, Any]:
    """Parameters of a curve, with known costs added if the curve takes them."""
    if name is None:
        metrics = {y} if isinstance(y, str) else set(y or ())
        if costs is not None and any(map(is_cost_metric, metrics)):
            raise InputError(
                f'A metric over {x} does not use these costs: use curve("expected_cost").'
            )
        return parameters
    takes_costs = "costs" in find_curve_kind(name).parameters and costs is not None
    return {**parameters, "costs": costs} if takes_costs else parameters
