"""Curves along a ranking. A new kind is one function with `@named` in one of these files."""

from tradeoff.measures.curves import bin_lift, calibration, costs, probabilities, rates, rejection
from tradeoff.measures.curves.costs import asks_for_cost, with_costs
from tradeoff.measures.curves.registry import (
    CURVES,
    any_curve,
    curve,
    find_kind,
    named_curve,
    ranked_names,
)

__all__ = [
    "CURVES",
    "any_curve",
    "asks_for_cost",
    "bin_lift",
    "calibration",
    "costs",
    "curve",
    "find_kind",
    "named_curve",
    "probabilities",
    "ranked_names",
    "rates",
    "rejection",
    "with_costs",
]
