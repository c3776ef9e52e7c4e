"""Normal distribution: critical values, p-values and the cumulative distribution function."""

from __future__ import annotations

from functools import cache

from tradeoff.stats.interval_methods import require_level
from tradeoff.stats.special import normal_quantile


@cache
def critical_value(level: float) -> float:
    """Two-sided critical value of the standard normal distribution, such as 1.96 at 95%.

    Example:
        >>> round(critical_value(0.95), 4)
        1.96
    """
    # From the lower tail: 1 - tail would lose digits.
    return -normal_quantile((1 - require_level(level)) / 2)


def two_sided_p_value(z: float) -> float:
    """Two-sided p-value for a standard normal test statistic.

    Example:
        >>> round(two_sided_p_value(1.96), 4)
        0.05
    """
    from scipy.special import ndtr

    return float(2 * ndtr(-abs(z)))


def normal_cdf(z: float) -> float:
    """Cumulative distribution function of the standard normal distribution."""
    from scipy.special import ndtr

    return float(ndtr(z))
