"""How sure Cohen's kappa is."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError
from tradeoff.stats.normal import quantile
from tradeoff.stats.ratios import as_counts

DUST = 1e-28
"""Less variance of one row than this is none: rounding leaves so much behind."""


class Kappa(NamedTuple):
    """Cohen's kappa, its standard error and the ends of its interval; NaN where undefined."""

    kappa: float
    standard_error: float
    low: float
    high: float


def kappa_interval(counts: Any, level: float = 0.95) -> Kappa:
    """Agreement beyond chance and how sure it is (Fleiss, Cohen & Everitt 1969).

    The variance for many rows, doi:10.1037/h0028106. Where it comes out as 0 the data do not tell
    how sure kappa is: with perfect agreement, or when all predictions (or all actual classes) are
    the same. The standard error and the interval are then undefined, not 0.

    Args:
        counts: A square matrix: row i, column j counts rows of class i that are called j.
        level: How sure the interval shall be.

    Example:
        >>> [round(part, 4) for part in kappa_interval([[10, 5], [15, 70]])]
        [0.3846, 0.1088, 0.1714, 0.5978]
    """
    z = quantile(level)
    (table,) = as_counts(counts=counts)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or table.shape[0] < 2:
        raise InputError(
            "Kappa needs a square matrix of counts, with a row and a column for each of 2 or more "
            f"classes, not one of shape {table.shape}."
        )
    rows = float(table.sum())
    if not rows:
        return Kappa(math.nan, math.nan, math.nan, math.nan)
    shares = table / rows
    # Disagreement, counted and by chance: 1 - chance would lose digits where one class is rare.
    off = ~np.eye(len(shares), dtype=np.bool_)
    expected = float(np.outer(shares.sum(axis=1), shares.sum(axis=0))[off].sum())
    if not expected:
        return Kappa(math.nan, math.nan, math.nan, math.nan)
    kappa = 1 - float(shares[off].sum()) / expected
    variance = _variance(shares, kappa)
    if variance <= DUST:
        return Kappa(kappa, math.nan, math.nan, math.nan)
    error = math.sqrt(variance / rows) / expected
    return Kappa(kappa, error, max(kappa - z * error, -1.0), min(kappa + z * error, 1.0))


def _variance(shares: NDArray[np.float64], kappa: float) -> float:
    """What one row adds to the variance of kappa, before division by (1 - chance)²."""
    # A row of class i that is called j draws the margins "called i" and "of class j" along.
    margins = shares.sum(axis=0)[:, None] + shares.sum(axis=1)[None, :]
    pulls = np.eye(len(shares)) - margins * (1 - kappa)
    middle = float((shares * pulls).sum())
    return float((shares * (pulls - middle) ** 2).sum())
