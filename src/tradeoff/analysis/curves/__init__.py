"""Curves along a ranking. A new kind is one function with `@named` in one of these files."""

from tradeoff.analysis.curves import bins, calibration, costly, probability, rates, rejecting
from tradeoff.analysis.curves.costly import EXPECTED_COST, with_costs
from tradeoff.analysis.curves.kinds import CURVES, any_curve, curve, find_kind, named_curve

__all__ = [
    "CURVES",
    "EXPECTED_COST",
    "any_curve",
    "bins",
    "calibration",
    "costly",
    "curve",
    "find_kind",
    "named_curve",
    "probability",
    "rates",
    "rejecting",
    "with_costs",
]
