"""Curves along a ranking. Each named curve is a function decorated with `@register_curve`."""

from tradeoff.measures.curves import bin_lift, calibration, costs, probabilities, rates, rejection
from tradeoff.measures.curves.costs import with_costs
from tradeoff.measures.curves.registry import (
    CURVES,
    any_curve,
    curve_of_metrics,
    find_curve_kind,
    named_curve,
    ranked_curve_names,
)
from tradeoff.measures.metrics.costs import is_cost_metric

__all__ = [
    "CURVES",
    "any_curve",
    "bin_lift",
    "calibration",
    "costs",
    "curve_of_metrics",
    "find_curve_kind",
    "is_cost_metric",
    "named_curve",
    "probabilities",
    "ranked_curve_names",
    "rates",
    "rejection",
    "with_costs",
]
