"""The roundest number in an interval: a threshold that people can remember and type."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal


def roundest(above: float, at_most: float) -> float:
    """The number with the fewest digits in (above, at_most]; the largest of several.

    Example:
        >>> roundest(0.4839, 0.5213), roundest(0.4839, 0.4871), roundest(-7.0, 3.0)
        (0.5, 0.485, 0.0)
        >>> roundest(0.926, math.inf), roundest(-math.inf, 0.07)
        (1.0, 0.0)
    """
    if at_most == -math.inf:
        return at_most
    if math.isinf(at_most):
        return math.inf if math.isinf(above) else _next(above, ROUND_CEILING)
    if math.isinf(above):
        return _next(at_most, ROUND_FLOOR)
    if above < 0 <= at_most:
        return 0.0
    low, high = Decimal(repr(above)), Decimal(repr(at_most))  # as people write them
    # The first place after the point at which two numbers so far apart can differ, or one before.
    digits = -(high - low).adjusted() - 1
    for places in range(digits, digits + 3):
        unit = Decimal(1).scaleb(-places)
        # Multiples of 5 of the next place are rounder than any other of its digits.
        for step in (unit, unit / 2):
            rounded = (high / step).to_integral_value(ROUND_FLOOR) * step
            if rounded > low and above < float(rounded) <= at_most:
                return float(rounded)
    return at_most


def _next(score: float, way: str) -> float:
    """A round number beyond all scores."""
    if way == ROUND_FLOOR and score > 0:
        return 0.0
    digits = 0 if score == 0 else -Decimal(repr(score)).adjusted()
    unit = Decimal(1).scaleb(-digits)
    rounded = (Decimal(repr(score)) / unit).to_integral_value(way) * unit
    if way == ROUND_CEILING and float(rounded) <= score:
        rounded += unit
    return float(rounded) + 0.0
