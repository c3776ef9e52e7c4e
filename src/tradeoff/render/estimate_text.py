"""Estimates as text with a confidence interval: "0.83 (0.71–0.91)", "+0.12 (−0.05 to +0.29)"."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tradeoff.formatting import MINUS_SIGN, format_level, format_percent
from tradeoff.measures.estimate import Estimate

MIN_SIGNIFICANT_DIGITS = 3
CLINICAL_DIGITS = 2
"""Significant digits of proportions in tables of clinical studies, where samples are small."""
MAX_DECIMALS = 15
MIN_WIDTH = 4
"""Smallest width of an interval as text, in units of the last decimal."""
PERCENT_RESOLUTION = 1e-4
"""Uncertainties up to this leave the one decimal place of a percentage unchanged."""


def format_estimate(estimate: Estimate, digits: int = MIN_SIGNIFICANT_DIGITS) -> str:
    """Value of an estimate with its interval in parentheses, for a narrow column.

    With fewer digits than usual, a value is still never rounded to 0 or 1.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> format_estimate(Estimate("auc", 0.7314, low=0.62034, high=0.8194, level=0.95))
        '0.731 (0.620–0.819)'
        >>> format_estimate(Estimate("brier", 0.0836, low=0.08311, high=0.0841, level=0.95))
        '0.0836 (0.0831–0.0841)'
        >>> format_estimate(Estimate("recall", 0.8293, low=0.687, high=0.914, level=0.95), digits=2)
        '0.83 (0.69–0.91)'
    """
    if not estimate.within:
        return format_value_interval(estimate.value, estimate.low, estimate.high, digits)
    if not estimate.has_interval:
        return estimate.value_text
    separator = " to " if estimate.low < 0 else "–"
    return f"{estimate.value_text} ({separator.join(estimate.limits_text)})"


def format_interval(estimate: Estimate) -> str:
    """Limits of an estimate's interval, "0.6 to 0.8"; an empty string if there is no interval.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> format_interval(Estimate("auc", 0.7314, low=0.62034, high=0.8194, level=0.95))
        '0.6203 to 0.8194'
    """
    if not estimate.has_interval:
        return ""
    return " to ".join(estimate.limits_text)


def format_estimate_percent(estimate: Estimate) -> str:
    """Value of an estimate in percent, with no more digits than are known for certain.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> format_estimate_percent(Estimate("auc", 0.89861))
        '89.9%'
        >>> format_estimate_percent(Estimate("auc", 0.89861, within=0.02))
        '90%'
    """
    if not estimate.within > PERCENT_RESOLUTION:
        return format_percent(estimate.value)
    return (
        f"{replace(estimate, value=100 * estimate.value, within=100 * estimate.within).value_text}%"
    )


def format_value_interval(
    value: float, low: float, high: float, digits: int = MIN_SIGNIFICANT_DIGITS
) -> str:
    """Value with its confidence interval in parentheses, by default to three significant digits.

    More digits are shown if fewer would blur the interval.

    Example:
        >>> format_value_interval(0.7314, 0.62034, 0.8194)
        '0.731 (0.620–0.819)'
        >>> format_value_interval(0.99912, 0.99905, 0.99918), format_value_interval(0, 0, 0.00425)
        ('0.99912 (0.99905–0.99918)', '0 (0–0.00425)')
    """
    if math.isnan(value):
        return "undefined"
    decimals = _decimal_places(value, low, high, digits)
    while digits < MIN_SIGNIFICANT_DIGITS and _is_rounded_to_whole(value, decimals):
        decimals += 1
    if math.isnan(low) or math.isnan(high):
        return _format_fixed(value, decimals)
    # A limit of 0 beside a value of 0 is written without the decimals of the other limit.
    texts = [
        "0" if value == number == 0 else _format_fixed(number, decimals)
        for number in (value, low, high)
    ]
    separator = " to " if min(low, high) < 0 or math.isinf(high) else "–"
    return f"{texts[0]} ({separator.join(texts[1:])})"


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
    """Value of an estimate with at least `digits` significant digits and no exponent.

    Example:
        >>> [format_significant(x) for x in (3.1296, 0.4, 12345.6, -0.02, 0.0, math.nan)]
        ['3.13', '0.400', '12,346', '−0.0200', '0', 'undefined']
    """
    if math.isnan(value):
        return "undefined"
    return "0" if value == 0 else _format_fixed(value, _significant_decimal_places(value, digits))


def _is_rounded_to_whole(value: float, decimals: int) -> bool:
    """Whether a value between 0 and 1 would be rounded to either of them."""
    return decimals < MAX_DECIMALS and 0 < value < 1 and round(value, decimals) in {0, 1}


def _side_of_bound(value: float, bound: float) -> int:
    return (value > bound) - (value < bound)


def _decimal_places(
    value: float, low: float, high: float, digits: int = MIN_SIGNIFICANT_DIGITS
) -> int:
    """Decimal places for some significant digits, or more if these would blur the interval.

    An interval is at least `MIN_WIDTH` units of the last decimal wide.
    """
    limits = [limit for limit in (low, high) if math.isfinite(limit)]
    largest = max((abs(x) for x in (value, *limits) if math.isfinite(x)), default=0.0)
    width = max(limits) - min(limits) if len(limits) == 2 else 0.0
    decimals = _significant_decimal_places(largest, digits)
    if largest == 1:  # a proportion: the same decimals as those below 1
        decimals = digits
    if width > 1e-12 * largest:
        while decimals < MAX_DECIMALS and width < MIN_WIDTH * 10.0**-decimals:
            decimals += 1
    return decimals


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


def interval_legend(estimates: Iterable[Mapping[str, Estimate]]) -> tuple[str, ...]:
    """Sentences that explain the intervals of measures in parentheses, if there are any."""
    levels = {e.level for by_name in estimates for e in by_name.values() if e.has_interval}
    return tuple(f"In parentheses: {format_level(level)} CI." for level in levels if level)


def note_sentence(label: str, note: str) -> str:
    """Sentence for the note on an estimate: "AUC has no interval: …" or "AUC: …".

    Example:
        >>> note_sentence("Brier score", "no interval: two rows of each class are needed")
        'Brier score has no interval: two rows of each class are needed.'
    """
    return f"{label} has {note}." if note.startswith("no interval") else f"{label}: {note}."
