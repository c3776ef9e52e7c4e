"""From replicates to an interval: percentiles, plain or corrected for bias and skew (BCa)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tradeoff.measures.estimate import Spread
from tradeoff.stats.normal import quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.uncertainty.confidence import Confidence


BIASED = 0.25
"""Fewer draws than this share on one side of the value say that draws are biased, not skewed."""


def spread(
    values: NDArray[np.float64],
    value: float,
    confidence: Confidence,
    *,
    skew: float = 0.0,
    shift: float = 0.0,
) -> Spread:
    """The interval that replicates of a number span.

    Args:
        values: The number for each replicate; NaN where it was undefined.
        value: The number for the rows themselves.
        confidence: The level, and whether to correct.
        skew: For BCa, how the number's deviations are skewed, see `skew_of`.
        shift: What to add to the ends.
    """
    known = values[~np.isnan(values)]
    failed = len(values) - len(known)
    note = f"{failed:,} of {len(values):,} resamples had no value" if failed else None
    method = f"{describe(confidence)}, {len(values):,} resamples, seed {confidence.seed}"
    if len(known) < 2 or 2 * failed > len(values):
        return Spread(math.nan, math.nan, method, note)
    if known.min() == known.max():
        return Spread(
            math.nan, math.nan, method, "no interval: every resample gives the same value"
        )
    tails = np.array([(1 - confidence.level) / 2, (1 + confidence.level) / 2])
    if confidence.method != "bootstrap" and np.isfinite(known).all() and math.isfinite(value):
        below = (known < value).mean() + (known == value).mean() / 2
        if not BIASED < below < 1 - BIASED:
            low, high = (end + shift for end in _turned(known, value, tails))
            return Spread(low, high, f"basic {method}", note)
        tails = _corrected(below, tails, skew)
    # Infinite ratios are values like others: the nearest replicate, no mean of two.
    how: Literal["linear", "nearest"] = "linear" if np.isfinite(known).all() else "nearest"
    low, high = (float(end) + shift for end in np.quantile(known, tails, method=how))
    return Spread(low, high, method, note)


def normal_spread(values: NDArray[np.float64], value: float, confidence: Confidence) -> Spread:
    """As many standard errors to each side as the level asks for, the error being the replicates'.

    For numbers that are nearly normal but for a few rows, where percentiles of resamples are too
    narrow (docs/explanation/coverage.md).
    """
    known = values[np.isfinite(values)]
    if len(known) < 2 or 2 * len(known) < len(values) or known.min() == known.max():
        return Spread(math.nan, math.nan, "", "no interval: resamples do not tell how it varies")
    half = quantile(confidence.level) * float(known.std(ddof=1))
    method = (
        f"bootstrap standard error, {len(values):,} resamples, seed {confidence.seed}"
        f"{', stratified by class' if confidence.by_class else ''}"
    )
    failed = len(values) - len(known)
    note = f"{failed:,} of {len(values):,} resamples had no value" if failed else None
    return Spread(value - half, value + half, method, note)


def _turned(
    known: NDArray[np.float64], value: float, tails: NDArray[np.float64]
) -> tuple[float, float]:
    """Where most draws lie on one side, their bias is taken off twice: tails cannot tell.

    The value itself stays inside.
    """
    high, low = (2 * value - float(end) for end in np.quantile(known, tails))
    return min(low, value), max(high, value)


def describe(confidence: Confidence) -> str:
    """The method in words."""
    kinds = {"bca": "BCa bootstrap", "bootstrap": "percentile bootstrap"}
    kind = kinds.get(confidence.method or "", "bias-corrected bootstrap")
    return f"{kind}, stratified by class" if confidence.by_class else kind


def skew_of(left_out: NDArray[np.float64], rows: NDArray[Any]) -> NDArray[np.float64]:
    """The acceleration of BCa from jackknife deviations: those of one row, seen on `rows` rows.

    The deviations (lines; one column a number) are from the mean of their own class.
    """
    away = np.nan_to_num(left_out)
    squares, cubes = (rows @ away**power for power in (2, 3))
    skew = np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(squares), where=squares > 0)
    return np.asarray(skew)


def _corrected(below: float, tails: NDArray[np.float64], skew: float) -> NDArray[np.float64]:
    """Tails moved for median bias and for skew (Efron 1987, doi:10.1080/01621459.1987.10478410)."""
    from scipy.special import ndtr, ndtri

    bias = ndtri(below)
    moved = bias + ndtri(tails)
    return np.asarray(ndtr(bias + moved / (1 - skew * moved)))
