"""How sure the cost of a case is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tradeoff.analysis.intervals.metrics import sure_metric
from tradeoff.analysis.questions import cost_inside
from tradeoff.core.costs import Costs, expenses
from tradeoff.measures.curves.bounds import corners, place_inside, spread_over
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS

if TYPE_CHECKING:
    from tradeoff.analysis.intervals.finding import Intervals
    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.ranking import Ranking

NAME = "expected_cost"
BY_ROW = "no interval: costs differ from row to row"


def sure_cost(
    ranking: Ranking,
    costs: AnyCosts,
    threshold: float,
    intervals: Intervals,
    prevalence: float | None = None,
) -> Estimate:
    """The expected cost of a case at a threshold, with its interval where costs are constant."""
    spent = expenses(ranking, costs, threshold, prevalence)
    if not spent.rows:
        return METRICS[NAME].estimate(ranking.at(threshold))
    plain = Estimate(NAME, float(spent.here / spent.rows))
    if not isinstance(costs, Costs) or costs.columns:
        return plain if intervals.confidence is None else replace(plain, note=BY_ROW)
    seen = ranking.at_prevalence(prevalence)
    if intervals.confidence is None:
        return cost_inside(plain, seen, costs, threshold)
    rejected = costs.undecided
    measure = METRICS[NAME].with_parameters(
        cost_tp=costs.found,
        cost_fn=costs.missed,
        cost_fp=costs.alarm,
        cost_tn=costs.passed,
        cost_rp=rejected[0],
        cost_rn=rejected[1],
    )
    place = place_inside(seen, threshold)
    if place is None:
        found = sure_metric(measure, seen.at(threshold), intervals.confidence)
        return _paid(found, plain.value)
    each = [
        _paid(
            sure_metric(measure, corner, intervals.confidence),
            float(costs.total(corner)) / spent.rows,
        )
        for corner in corners(seen, place)
    ]
    return spread_over(None, each, seen)


def _paid(found: Estimate, value: float) -> Estimate:
    """What is paid once for all shifts the value and both ends alike."""
    fixed = value - found.value
    return replace(found, name=NAME, value=value, low=found.low + fixed, high=found.high + fixed)
