"""Curves of what decisions cost or bring."""

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
    demand_both_classes,
    find_kind,
    named,
)
from tradeoff.measures.registry import METRICS

EQUAL = Costs()


@named(
    "the least expected cost for every mix of prevalence and costs, as shares of the worst",
    title="Cost curve",
    area="area",
    chance="call all or none",
    ideal="",
    has_thresholds=False,
    by_cases=True,
    no_band="it follows the best threshold of these rows, which is not the best of all rows",
    quantities={
        "probability_cost": Quantity(
            "share of misses in the cost of deciding all wrongly, PC(+)", 0.0, 1.0
        ),
        "normalized_expected_cost": Quantity(
            "expected cost as a share of the worst", 0.0, zoomed=True
        ),
    },
    rank=8,
)
def cost(ranking: Ranking) -> Curve:
    """Drummond and Holte's cost curve: the lower envelope of all thresholds' lines.

    x is PC(+), the share that misses could have in the cost; each stretch belongs to one vertex of
    the ROC hull, whose threshold stands beside the point where it takes over.
    """
    demand_both_classes(ranking, "cost")
    vertices = ranking.hull_places
    up = ranking.true_positives[vertices] / ranking.positives
    right = ranking.false_positives[vertices] / ranking.negatives
    rise, run = np.diff(up), np.diff(right)
    turns = run / (rise + run)  # where both ends of an edge cost the same
    # A vertical or level edge turns at the very end, where its last vertex is the only one.
    x = np.concatenate([[0.0], turns, [1.0]])
    owner = np.concatenate([np.arange(len(vertices)), [len(vertices) - 1]])
    y = (1 - up[owner] - right[owner]) * x + right[owner]
    kept = np.concatenate([x[1:] != x[:-1], [True]])
    places = vertices[owner][kept]
    x, y = x[kept], y[kept]
    return Curve(
        "cost",
        ranking,
        Axis("probability_cost", x),
        Axis("normalized_expected_cost", y, "lower"),
        Straight(x, y),
        chance=((0.0, 0.0), (0.5, 0.5), (1.0, 0.0)),
        ideal=((0.0, 0.0), (1.0, 0.0)),
        table=lambda: {
            "threshold": ranking.thresholds[places],
            "true_positives": ranking.true_positives[places],
            "false_positives": ranking.false_positives[places],
        },
        integral=trapezoids,
    )


@named(
    "what one case costs on average at each threshold",
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


@named(
    "what is earned when the best-scored part of the rows is contacted",
    title="Profit",
    chance="contacting at random",
    ideal="",
    axes={"predicted_positive_rate": "share of rows contacted, best first (depth)"},
    by_cases=True,
    quantities={
        "profit": Quantity("profit"),
    },
    rank=10,
)
def profit(ranking: Ranking, costs: Costs = EQUAL) -> Curve:
    """Total profit (the negative of total cost) over the share of rows contacted.

    With a fixed cost there are two points at depth 0: before it is paid, and after.
    """
    earned = costs.totals(ranking)
    np.negative(earned, out=earned)
    taken = ranking.tally.true_positives + ranking.tally.false_positives
    depth = taken / float(ranking.total)
    places: Any = slice(None)
    if costs.fixed:
        places = np.concatenate([[0], np.arange(len(earned))])
        depth, earned = depth[places], earned[places]
        earned[1] -= costs.fixed

    def table() -> dict[str, Any]:
        columns = counts_table(ranking, ranking.confusion)
        return {name: values[places] for name, values in columns.items()}

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


def asks_for_cost(name: str | None) -> bool:
    """Whether a metric is asked for to which known costs give a better answer."""
    return name is not None and METRICS.knows(name) and METRICS.find(name).takes_costs


def with_costs(
    own: AnyCosts | None, name: str | None, x: str | None, y: Any, parameters: dict[str, Any]
) -> dict[str, Any]:
    """A curve's parameters, with known costs where it takes some."""
    if name is None:
        wanted = {y} if isinstance(y, str) else set(y or ())
        if own is not None and any(map(asks_for_cost, wanted)):
            raise InputError(
                f'A metric over {x} does not know these costs: ask for curve("expected_cost").'
            )
        return parameters
    takes = "costs" in find_kind(name).parameters and own is not None
    return {**parameters, "costs": own} if takes else parameters
