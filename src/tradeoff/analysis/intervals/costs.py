"""How sure the cost of a case is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tradeoff.analysis.costs import Costs
from tradeoff.analysis.estimate import Estimate
from tradeoff.analysis.expenses import expenses
from tradeoff.analysis.intervals.metrics import sure_metric
from tradeoff.analysis.registry import METRICS

if TYPE_CHECKING:
    from tradeoff.analysis.intervals.finding import Intervals
    from tradeoff.analysis.row_costs import AnyCosts
    from tradeoff.ranking.ranking import Ranking

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
    if intervals.confidence is None:
        return plain
    if not isinstance(costs, Costs) or costs.columns:
        return replace(plain, note=BY_ROW)
    rejected = costs.undecided
    measure = METRICS[NAME].with_parameters(
        cost_tp=costs.found,
        cost_fn=costs.missed,
        cost_fp=costs.alarm,
        cost_tn=costs.passed,
        cost_rp=rejected[0],
        cost_rn=rejected[1],
    )
    found = sure_metric(
        measure, ranking.at_prevalence(prevalence).at(threshold), intervals.confidence
    )
    # What is paid once for all shifts the value and both ends alike.
    fixed = plain.value - found.value
    return replace(
        found, name=NAME, value=plain.value, low=found.low + fixed, high=found.high + fixed
    )
