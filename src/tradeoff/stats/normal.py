"""Normal distribution: critical values, p-values and the cumulative distribution function."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

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


def normal_cdf(z: float) -> float:
    """Cumulative distribution function of the standard normal distribution."""
    from scipy.special import ndtr

    return float(ndtr(z))


def bivariate_normal_cdf(
    h: NDArray[np.float64], k: NDArray[np.float64], correlation: float
) -> NDArray[np.float64]:
    """Bivariate normal probability P(X < h and Y < k) for binormal models (Owen 1956)."""
    from scipy.special import ndtr, owens_t

    scale = np.sqrt(1 - correlation**2)
    # A negligible shift avoids 0/0.
    h, k = np.where(h == 0, 1e-200, h), np.where(k == 0, 1e-200, k)
    with np.errstate(over="ignore"):
        slopes = (k / h - correlation) / scale, (h / k - correlation) / scale
    correction = np.where((h < 0) != (k < 0), 0.5, 0.0)
    return np.asarray(
        (ndtr(h) + ndtr(k)) / 2 - owens_t(h, slopes[0]) - owens_t(k, slopes[1]) - correction
    )
