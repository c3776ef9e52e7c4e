"""How far a band must reach at each row so that it holds a whole distribution function.

A band that gives every order statistic the same small chance of leaving it is narrow where few
rows are left, which a band of fixed width (Kolmogorov, Smirnov) is not. It is called one of *equal
local levels*: Weine, McPeek & Abney 2023, doi:10.18637/jss.v106.i10.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tradeoff.stats.normal import quantile

MOST_ROWS = 1000
"""Up to so many rows chances are exact. They fall evenly with the logarithm of further rows."""

FARTHEST = 4.0
"""Standard errors that a whole band may reach beyond an interval at one place."""

HALVINGS = 12


def simultaneous_quantile(rows: float, level: float) -> float:
    """Standard errors to each side of every order statistic that hold all of them at the level.

    Rows are rounded up to two digits, so that rankings of about the same size share an answer.

    Example:
        >>> round(simultaneous_quantile(1, 0.95), 2), round(simultaneous_quantile(1000, 0.95), 2)
        (1.96, 3.27)
    """
    unit = 10 ** max(math.floor(math.log10(max(rows, 1))) - 1, 0)
    return _quantile(max(math.ceil(rows / unit), 1) * unit, level)


@lru_cache(maxsize=1024)
def _quantile(rows: int, level: float) -> float:
    least = quantile(level)
    most = least + FARTHEST
    for _ in range(HALVINGS):
        middle = (least + most) / 2
        if _chance(rows, middle) < level:
            least = middle
        else:
            most = middle
    return most


def _chance(rows: int, z: float) -> float:
    """The chance that all order statistics lie inside the band, also of very many rows."""
    from scipy.special import ndtr

    tail = float(ndtr(-z))
    if rows <= MOST_ROWS:
        return chance_inside(rows, tail)
    fewer, more = (chance_inside(own, tail) for own in (MOST_ROWS // 2, MOST_ROWS))
    if not fewer * more:
        return 0.0
    return float(more * (more / fewer) ** math.log2(rows / MOST_ROWS))


def chance_inside(rows: int, tail: float) -> float:
    """The chance that no order statistic of uniform rows lies in either of its own two tails.

    The number of rows below t is followed from 0 to 1 as a Poisson process that must stay between
    two boundaries and end at all rows (Moscovich & Nadler 2017, doi:10.1016/j.spl.2016.11.027).

    Example:
        >>> round(chance_inside(1, 0.025), 6)
        0.95
    """
    from scipy.special import betaincinv

    ranks = np.arange(1, rows + 1)
    lowest = betaincinv(ranks, rows - ranks + 1, tail)
    highest = 1 - lowest[::-1]
    times = np.append(np.unique(np.concatenate([lowest, highest])), 1.0)
    most = np.searchsorted(lowest, times, "left")
    least = np.searchsorted(highest, times, "right")
    log_factorials = np.concatenate([[0.0], np.cumsum(np.log(ranks))])

    def poisson(mean: float, up_to: int) -> NDArray[np.float64]:
        # Rows that come together so rarely do not change the chance.
        counts = np.arange(min(up_to, int(mean + 12 * math.sqrt(mean) + 20)) + 1)
        return np.asarray(np.exp(counts * math.log(mean) - mean - log_factorials[counts]))

    chances, fewest = np.ones(1), 0
    for step, upper, lower in zip(np.diff(times, prepend=0.0), most, least, strict=True):
        room = upper - fewest
        chances = np.convolve(chances, poisson(rows * step, room))[: room + 1]
        chances, fewest = chances[lower - fewest :], lower
        if not len(chances):
            return 0.0
    all_rows = rows * math.log(rows) - rows - log_factorials[rows]
    return float(chances[-1] / math.exp(all_rows))
