"""The normal distribution: quantiles, tails, and the levels that people ask for."""

from __future__ import annotations

from tradeoff.analysis.special import normal_quantile
from tradeoff.errors import InputError, as_number


def demand_level(level: float) -> float:
    """A level such as 0.95.

    Example:
        >>> demand_level(95)
        Traceback (most recent call last):
        tradeoff.errors.InputError: A level lies between 0 and 1, not at 95 (95 % is 0.95).
    """
    if not 0 < as_number(level, "A level") < 1:
        percent = f" ({level:g} % is {level / 100:g})" if 1 < level < 100 else ""
        raise InputError(f"A level lies between 0 and 1, not at {level:g}{percent}.")
    return float(level)


def quantile(level: float) -> float:
    """How many standard errors an interval of this level reaches to each side.

    Example:
        >>> round(quantile(0.95), 4)
        1.96
    """
    # The lower tail: 1 - tail would lose digits.
    return -normal_quantile((1 - demand_level(level)) / 2)


def two_sided(z: float) -> float:
    """The probability of a deviation at least as large, in either direction.

    Example:
        >>> round(two_sided(1.96), 4)
        0.05
    """
    from scipy.special import ndtr

    return float(2 * ndtr(-abs(z)))


def below(z: float) -> float:
    """The probability of a smaller value."""
    from scipy.special import ndtr

    return float(ndtr(z))
