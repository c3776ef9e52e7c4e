"""Normal quantiles, and intervals and p-values that hold for several numbers together."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, as_number
from tradeoff.stats.special import normal_quantile

# The normal distribution: quantiles, tails, and the levels that people ask for.


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


@cache
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


DRAWS = 100_000


class Largest(NamedTuple):
    """Draws of the largest of several deviations, in standard errors, where nothing differs.

    One deviation's p-value is the share of draws in which any is as large; the draw as it was found
    belongs to them, so p is never 0. Intervals reach as far as needed for both to agree: 0 is left
    out exactly where p is below one minus the level.

    Example:
        >>> largest = Largest(np.arange(1.0, 100.0))
        >>> largest.p_value(91.0), largest.reach(0.9)
        (0.1, 91.0)
    """

    draws: NDArray[np.float64]

    def p_value(self, deviation: float) -> float:
        """How often the largest deviation is at least this large."""
        as_large = np.count_nonzero(self.draws >= abs(deviation))
        return float((1 + as_large) / (1 + len(self.draws)))

    def reach(self, level: float) -> float:
        """How many standard errors all intervals must reach; infinite where draws are too few."""
        small = (1 + np.arange(len(self.draws))) / (1 + len(self.draws)) < 1 - level
        most = np.count_nonzero(small)  # so many draws and p would no longer be small
        return float(np.sort(self.draws)[-most]) if most else math.inf


def largest_deviation(covariance: NDArray[np.float64], seed: int) -> Largest | None:
    """Draws of the largest of correlated normal deviates; None where none of them varies."""
    errors = np.sqrt(np.diag(covariance))
    known = errors > 0
    if np.isnan(covariance).any() or not known.any():
        return None
    own = covariance[np.ix_(known, known)] / np.outer(errors[known], errors[known])
    values, vectors = np.linalg.eigh(own)
    root = vectors * np.sqrt(values.clip(min=0))
    random = np.random.default_rng(seed)
    drawn = random.standard_normal((DRAWS, len(own))) @ root.T
    return Largest(np.abs(drawn).max(axis=1))


def simultaneous_reach(covariance: NDArray[np.float64], level: float, seed: int = 0) -> float:
    """How many standard errors all intervals must reach to hold together.

    Example:
        >>> round(simultaneous_reach(np.array([[2.0]]), 0.95), 1)
        2.0
    """
    largest = largest_deviation(covariance, seed)
    return quantile(level) if largest is None else largest.reach(level)


# How far a band must reach at each row so that it holds a whole distribution function.
#
# A band that gives every order statistic the same small chance of leaving it is narrow where few
# rows are left, which a band of fixed width (Kolmogorov, Smirnov) is not. It is called one of
# *equal local levels*: Weine, McPeek & Abney 2023, doi:10.18637/jss.v106.i10.

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
