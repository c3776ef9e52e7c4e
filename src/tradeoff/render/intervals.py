"""Values formatted with their confidence interval: "0.83 (0.71–0.91)", "+0.12 (−0.05 to +0.29)"."""

from __future__ import annotations

import math

MINUS_SIGN = "−"
MIN_SIGNIFICANT_DIGITS = 3
MAX_DECIMALS = 15


def format_ci_label(level: float) -> str:
    """Label of a confidence interval, such as "95% CI".

    Example:
        >>> format_ci_label(0.95), format_ci_label(0.999)
        ('95% CI', '99.9% CI')
    """
    return f"{100 * level:.10g}% CI"


def format_value_interval(value: float, low: float, high: float) -> str:
    """Value with its confidence interval in parentheses, with at least three significant digits.

    Example:
        >>> format_value_interval(0.7314, 0.62034, 0.8194)
        '0.731 (0.620–0.819)'
        >>> format_value_interval(0.99912, 0.99905, 0.99918)
        '0.99912 (0.99905–0.99918)'
    """
    if math.isnan(value):
        return "undefined"
    decimals = _decimal_places(value, low, high)
    if math.isnan(low) or math.isnan(high):
        return _format_fixed(value, decimals)
    limits = [_format_fixed(limit, decimals) for limit in (low, high)]
    separator = " to " if min(low, high) < 0 or math.isinf(high) else "–"
    return f"{_format_fixed(value, decimals)} ({separator.join(limits)})"


def format_signed_interval(value: float, low: float, high: float, bound: float = 0.0) -> str:
    """Difference with its confidence interval in parentheses, each with its sign.

    Enough decimals are shown to see on which side of `bound` each limit lies.

    Example:
        >>> format_signed_interval(-0.0923, -0.1742, -0.0104, bound=-0.01)
        '−0.0923 (−0.1742 to −0.0104)'
        >>> format_signed_interval(0.11886, -0.0489, 0.2866)
        '+0.119 (−0.049 to +0.287)'
        >>> format_signed_interval(0.0, math.nan, math.nan)
        '0'
    """
    if math.isnan(value):
        return "undefined"
    decimals = _decimal_places(value, low, high)
    while decimals < MAX_DECIMALS and any(
        math.isfinite(limit)
        and _side_of_bound(round(limit, decimals), bound) != _side_of_bound(limit, bound)
        for limit in (low, high)
    ):
        decimals += 1
    if math.isnan(low) or math.isnan(high):
        return _format_signed(value, decimals)
    limits = " to ".join(_format_signed(limit, decimals) for limit in (low, high))
    return f"{_format_signed(value, decimals)} ({limits})"


def format_significant(value: float, digits: int = MIN_SIGNIFICANT_DIGITS) -> str:
    """Value with at least `digits` significant digits, as in an interval, and no exponent.

    Example:
        >>> [format_significant(x) for x in (3.1296, 0.4, 12345.6, -0.02, 0.0, math.nan)]
        ['3.13', '0.400', '12,346', '−0.0200', '0', 'undefined']
    """
    if math.isnan(value):
        return "undefined"
    return "0" if value == 0 else _format_fixed(value, _significant_decimal_places(value, digits))


def _side_of_bound(value: float, bound: float) -> int:
    return (value > bound) - (value < bound)


def _decimal_places(value: float, low: float, high: float) -> int:
    """Decimal places for three significant digits of the value and two of the interval's width."""
    limits = [limit for limit in (low, high) if math.isfinite(limit)]
    largest = max((abs(x) for x in (value, *limits) if math.isfinite(x)), default=0.0)
    width = max(limits) - min(limits) if len(limits) == 2 else 0.0
    decimals = _significant_decimal_places(largest, MIN_SIGNIFICANT_DIGITS)
    return (
        max(decimals, _significant_decimal_places(width, 2))
        if width > 1e-12 * largest
        else decimals
    )


def _significant_decimal_places(value: float, digits: int) -> int:
    if not value or not math.isfinite(value):
        return digits
    rounded = float(f"{abs(value):.{digits - 1}e}")
    return min(max(digits - 1 - math.floor(math.log10(rounded)), 0), MAX_DECIMALS)


def _format_fixed(value: float, decimals: int) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS_SIGN}∞"
    text = f"{abs(value):,.{decimals}f}"
    is_zero = not text.strip("0.,")
    return text if value >= 0 or is_zero else f"{MINUS_SIGN}{text}"


def _format_signed(value: float, decimals: int) -> str:
    text = _format_fixed(value, decimals)
    if not text.strip("0.,"):
        return "0"
    return text if text.startswith(MINUS_SIGN) else f"+{text}"
