"""Formatting of numbers, tables and sentences as text, independent of metrics and rankings."""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal
from typing import Any

MAX_SENTENCE_LENGTH = 1000
"""Length to which sentences are truncated, as names from data can be of any length."""
JOINERS = "\u200c\u200d"
"""Invisible characters that join letters and emoji, or keep them apart."""
ROUNDING_ERROR = 1e-13
"""Relative difference to 1 of proportions that are equal to 1 but for rounding errors."""
MIN_ROUNDED_SUM, MAX_ROUNDED_SUM = 1e5, 1e15
"""Between these values, sums of weights are rounded and formatted like counts."""

MIN_DECIMAL_EXPONENT = -6
"""Smaller numbers than 10 to this power are written with an exponent."""
MIN_PERCENT = 0.001
"""Smaller percentages above 0 are written as less than this."""


def format_digits(value: float, digits: int) -> str:
    """Format a number with significant digits; exponents only below a millionth and if too large.

    Example:
        >>> [format_digits(x, 3) for x in (0.5, 2 / 3, 0.00002, 0.0000001234, 1234567.0)]
        ['0.5', '0.667', '0.00002', '1.23e-07', '1.23e+06']
    """
    text = f"{value:.{digits}g}"
    _, _, exponent = text.partition("e")
    if exponent and MIN_DECIMAL_EXPONENT <= int(exponent) < 0:
        return f"{Decimal(text):f}"
    return text


MINUS_SIGN = "−"


def with_minus_sign(text: str) -> str:
    """A formatted number with a minus sign instead of a hyphen, as all screens have it.

    Example:
        >>> with_minus_sign("-2e-09"), with_minus_sign("0.5")
        ('−2e-09', '0.5')
    """
    return f"{MINUS_SIGN}{text[1:]}" if text.startswith("-") else text


def with_minus_signs(label: str) -> str:
    """A label with minus signs before its negative numbers, as all screens have them.

    Example:
        >>> with_minus_signs("recall at thresholds log-odds -1, b -2.5")
        'recall at thresholds log-odds −1, b −2.5'
    """
    return re.sub(r"(?<= )-(?=\d)", MINUS_SIGN, label)


def format_number(value: float | None, digits: int = 4) -> str:
    """Format a measured number: rounded, or `undefined` for NaN; with a hyphen, as in Python.

    Example:
        >>> [format_number(x) for x in (26 / 45, 1.0, float("inf"), float("nan"), 1234567.89)]
        ['0.5778', '1.0000', 'inf', 'undefined', '1,234,568']
        >>> format_number(0.00002), format_number(2e-9)
        ('0.00002', '2e-09')
    """
    if value is None or math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value and abs(value) < 10.0**-digits:
        return format_digits(value, 2)
    value += 0.0  # no negative zero
    whole_digits = len(str(int(abs(value))))
    return f"{value:,.{max(digits + 1 - whole_digits, 0)}f}"


def format_screen_number(value: float | None, digits: int = 4) -> str:
    """Format a measured number as `format_number` does, with the minus sign of screens.

    Example:
        >>> format_screen_number(-0.25), format_screen_number(float("nan"))
        ('−0.2500', 'undefined')
    """
    return with_minus_sign(format_number(value, digits))


def format_amount(value: float) -> str:
    """Format a quantity that may or may not be whole: 67, not 67.000.

    Example:
        >>> [format_amount(x) for x in (67.0, 0.0, 67.25, 1 / 3, float("nan"))]
        ['67', '0', '67.250', '0.3333', 'undefined']
    """
    return format_count(value) if float(value).is_integer() else format_screen_number(float(value))


def format_count(value: float) -> str:
    """Format a count or a sum of weights: whole numbers without a decimal point.

    Example:
        >>> [format_count(x) for x in (12345, 7.0, 0.25, 2728100.3)]
        ['12,345', '7', '0.25', '2,728,100']
    """
    if float(value).is_integer():
        return with_minus_sign(f"{int(value):,}")
    if MIN_ROUNDED_SUM < abs(value) < MAX_ROUNDED_SUM:
        return with_minus_sign(f"{float(value):,.0f}")
    text = f"{float(value):,.6g}" if abs(value) >= 1 else format_digits(float(value), 6)
    return with_minus_sign(text)


def format_threshold(value: float) -> str:
    """Format a threshold, rounded for reading; machine-readable tables have all its digits.

    Example:
        >>> [format_threshold(x) for x in (0.5, 0.9264480613897305, float("inf"))]
        ['0.5', '0.926448', 'inf']
    """
    return with_minus_sign(format_digits(value, 6))


def format_exact_threshold(value: float) -> str:
    """Format a threshold to be entered elsewhere, with enough digits for the same predictions.

    Example:
        >>> [format_exact_threshold(x) for x in (0.5, 20.0, 0.9264480613897305)]
        ['0.5', '20', '0.9264480613897305']
    """
    short_text = f"{value:.6g}"
    exact_text = repr(float(value)).removesuffix(".0")
    return with_minus_sign(short_text if float(short_text) == value else exact_text)


def format_threshold_pair(lower: float, upper: float) -> tuple[str, str]:
    """Format two thresholds with enough digits to distinguish them.

    Example:
        >>> format_threshold_pair(0.25, 0.31234567), format_threshold_pair(0.31234561, 0.31234567)
        (('0.25', '0.312346'), ('0.3123456', '0.3123457'))
    """
    formatted = (format_threshold(lower), format_threshold(upper))
    for digits in range(7, 18):
        if lower == upper or formatted[0] != formatted[1]:
            break
        lower_text, upper_text = (f"{value:.{digits}g}" for value in (lower, upper))
        formatted = (with_minus_sign(lower_text), with_minus_sign(upper_text))
    return formatted


def format_percent(value: float, decimals: int = 1) -> str:
    """Format a proportion as a percentage: 0% and 100% only if it is exactly 0 or 1.

    Example:
        >>> [format_percent(x) for x in (7 / 9, 1.0, 0.00042, 0.9996, 1e-6)]
        ['77.8%', '100%', '0.042%', '> 99.9%', '< 0.001%']
    """
    percent = 100 * value
    if math.isclose(percent, 100, rel_tol=ROUNDING_ERROR, abs_tol=0) or percent == 0:
        return f"{percent:.0f}%"
    if 0 < percent < MIN_PERCENT:
        return f"< {MIN_PERCENT:g}%"
    if abs(percent) < 10.0**-decimals:
        return f"{with_minus_sign(format_digits(percent, 2))}%"
    text = f"{percent:.{decimals}f}"
    while float(text) == 100:
        if percent < 100 and decimals >= 1:
            return f"> {100 - 10.0**-decimals:.{decimals}f}%"
        decimals += 1
        text = f"{percent:.{decimals}f}"
    return with_minus_sign(f"{text}%")


def format_level(level: float) -> str:
    """Format a confidence level in percent.

    Example:
        >>> format_level(0.95), format_level(0.9999999)
        ('95%', '99.99999%')
    """
    return f"{100 * level:.10g}%"


UNDEFINED_P_VALUE = "–"
MIN_P_VALUE = 0.001
"""Smallest p-value that is written in digits."""
MAX_P_VALUE = 0.99
"""P-values that would be rounded to 1 are written as larger than this."""


def format_p_value(p: float, significance: float = 0.05) -> str:
    """Format a p-value as journals print them, with enough digits to see if it is significant.

    Below 0.001 it is "< 0.001"; below 0.01 it has three decimals, otherwise two, and more where
    rounding would make it equal to 0.05 or another significance level although it is not.

    Example:
        >>> [format_p_value(p) for p in (0.1643, 0.02, 0.0037, 1e-12, 0.9996, float("nan"))]
        ['0.16', '0.02', '0.004', '< 0.001', '> 0.99', '–']
        >>> [format_p_value(p) for p in (0.0451, 0.0496, 0.05, 0.0504, 0.0538)]
        ['0.045', '0.0496', '0.05', '0.0504', '0.054']
    """
    if math.isnan(p):
        return UNDEFINED_P_VALUE
    if p < MIN_P_VALUE:
        return f"< {MIN_P_VALUE:g}"
    if 1 > p > MAX_P_VALUE and f"{p:.2f}" == "1.00":
        return f"> {MAX_P_VALUE:g}"
    decimals = 3 if p < 0.01 else 2
    for level in (0.05, round(significance, 12)):  # 1 - 0.95 is not exactly 0.05
        while decimals < 12 and round(p, 12) != level and round(p, decimals) == level:
            decimals += 1
    return f"{p:.{decimals}f}"


def format_p_relation(p: float, significance: float = 0.05) -> str:
    """Format a p-value with its relation sign, to follow the letter p: "= 0.16" or "< 0.001".

    Example:
        >>> [f"p {format_p_relation(p)}" for p in (0.1643, 0.0004, 0.9996)]
        ['p = 0.16', 'p < 0.001', 'p > 0.99']
    """
    text = format_p_value(p, significance)
    return text if text.startswith(("<", ">")) else f"= {text}"


def format_rows(size: int) -> str:
    """Format a number of rows: "1 row", "1,000 rows".

    Example:
        >>> format_rows(1), format_rows(1000)
        ('1 row', '1,000 rows')
    """
    return f"{size:,} row{'' if size == 1 else 's'}"


def printable(value: Any, max_length: int = 60) -> str:
    r"""Format a name from the data as a line of text: shortened, without escape codes.

    Example:
        >>> printable("yes\x1b[31m\nno")
        'yes?[31m?no'
    """
    text = str(value)
    if len(text) > max_length:
        text = f"{text[: max_length // 2]}…{text[len(text) - (max_length - 1) // 2 :]}"
    return "".join("?" if _is_control_character(c) else c for c in text)


def _is_control_character(character: str) -> bool:
    """Whether a character is a control character; joiners of letters and emoji are allowed."""
    return unicodedata.category(character).startswith("C") and character not in JOINERS
