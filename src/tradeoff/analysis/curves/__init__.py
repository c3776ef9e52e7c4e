"""Curves along a ranking. A new kind is one function with `@named` in one of these files."""

from tradeoff.analysis.curves import bins, calibration, costly, probability, rates, rejecting
from tradeoff.analysis.curves.kinds import CURVES, curve, named_curve

__all__ = [
    "CURVES",
    "bins",
    "calibration",
    "costly",
    "curve",
    "named_curve",
    "probability",
    "rates",
    "rejecting",
]
