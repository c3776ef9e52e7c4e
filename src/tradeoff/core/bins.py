"""Bins: neighbouring scores taken together, so that a ranking keeps to a size.

A bin is a stretch of floats whose order-preserving integers share their leading bits; its *level*
is how many bits they do not share (0: one score, nothing lost). Two such stretches are nested or
apart, never crossed, so that rankings binned by themselves still add up. The counts at a bin's
lowest score stay exact; what is lost is the order of rows inside it, and nothing else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.sort import Tally

Orders = NDArray[np.uint64]
Levels = NDArray[np.uint8]

SIGN = np.uint64(1 << 63)
COARSEST = 63
FEWEST_BINS = 4
UNBOUNDED = 65
"""The bit length of a difference to a key that is not there."""


class Groups(NamedTuple):
    """Where groups of neighbouring scores end, from the highest score down, and their levels."""

    last: NDArray[np.intp]
    levels: Levels


def order_of(scores: NDArray[Any]) -> Orders:
    """Integers that rise as scores do; -0 and 0 are one score.

    Example:
        >>> order = order_of(np.array([-np.inf, -1.0, -0.0, 0.0, 1e-300, np.inf]))
        >>> np.diff(order.astype(object)).tolist() == sorted(np.diff(order.astype(object)).tolist())
        False
        >>> bool((order[1:] >= order[:-1]).all()), bool(order[2] == order[3])
        (True, True)
    """
    bits = (scores.astype(np.float64) + 0.0).view(np.uint64)
    negative = (bits >> np.uint64(63)).astype(np.bool_)
    return np.where(negative, ~bits, bits | SIGN)


def score_of(orders: Orders) -> NDArray[np.float64]:
    """The scores that `order_of` made integers of.

    Example:
        >>> score_of(order_of(np.array([-1.5, 0.0, 2.0]))).tolist()
        [-1.5, 0.0, 2.0]
    """
    return np.where(orders & SIGN, orders ^ SIGN, ~orders).view(np.float64)


def coarsened(
    orders: Orders, mass: NDArray[np.float64], levels: Levels | None, most: int
) -> Groups:
    """At most so many groups, each of little mass where there are many scores.

    Args:
        orders: Falling.
        mass: At or above each: the share of positives plus that of negatives.
        levels: Those of bins that are to be taken together, if there are any.
        most: How many groups there may be, 4 or more.
    """
    own = np.zeros(len(orders), np.uint8) if levels is None else levels
    if len(orders) <= most:
        return Groups(np.arange(len(orders)), own)
    parts = most
    while parts > 1:
        found = _within(orders, mass, own, parts)
        if len(found.last) <= most:
            return found
        # Spikes are followed by up to a bin a bit: with fewer parts there are fewer of all.
        parts = min(parts - 1, int(0.95 * parts * most / len(found.last)))
    return _grouped(orders, np.full(len(orders), COARSEST, np.uint8), own)


def _within(orders: Orders, mass: NDArray[np.float64], own: Levels, parts: int) -> Groups:
    """The groups that so many parts of equal mass lead to."""
    borders, heavy = _borders(orders, mass, parts)
    if not len(borders):
        return _grouped(orders, np.full(len(orders), COARSEST, np.uint8), own)
    first = _grouped(orders, np.maximum(own, _finest(orders, borders, heavy)), own)
    firsts = orders[first.last]
    found = _grouped(
        firsts, np.maximum(first.levels, _levels(firsts, borders, heavy)), first.levels
    )
    return Groups(first.last[found.last], found.levels)


def _finest(orders: Orders, borders: Orders, heavy: NDArray[np.bool_]) -> Levels:
    """A level that hardly any bin will be finer than: what is closer goes together at once.

    Scores around those that stay alone are left to be looked at one by one.
    """
    if len(borders) < 2:
        return np.zeros(len(orders), np.uint8)
    level = max(int(np.quantile(_bit_length(borders[1:] ^ borders[:-1]), 0.02)) - 2, 0)
    lows = np.unique(borders[heavy] >> np.uint64(level)) << np.uint64(level)
    highs = lows | np.uint64((1 << level) - 1)
    ends = len(orders) - np.searchsorted(orders[::-1], lows)
    starts = len(orders) - np.searchsorted(orders[::-1], highs, "right")
    steps = [np.bincount(at, minlength=len(orders) + 1)[:-1] for at in (starts, ends)]
    return np.where(np.cumsum(steps[0] - steps[1]) > 0, 0, level).astype(np.uint8)


def _borders(
    orders: Orders, mass: NDArray[np.float64], parts: int
) -> tuple[Orders, NDArray[np.bool_]]:
    """Scores between parts of equal mass, rising, and which of them are heavier than a part."""
    step = float(mass[-1]) / parts
    at = np.searchsorted(mass, step * np.arange(1, parts))
    at = at[np.append([True], at[1:] != at[:-1])]
    at = at[at < len(orders)]
    before = np.where(at > 0, mass[at - 1], 0.0)
    return orders[at][::-1], (mass[at] - before >= step)[::-1]


def _levels(orders: Orders, borders: Orders, heavy: NDArray[np.bool_]) -> Levels:
    """The coarsest level at which each score's bin holds no two of the borders between parts.

    Scores that alone are heavier than a part stay alone.
    """
    after = np.searchsorted(borders, orders, side="right")

    def apart(places: NDArray[np.intp]) -> NDArray[np.int64]:
        there = (places >= 0) & (places < len(borders))
        kept = np.where(there, places, 0)
        return np.where(there, _bit_length(orders ^ borders[kept]), UNBOUNDED)

    def is_heavy(places: NDArray[np.intp]) -> NDArray[np.bool_]:
        there = (places >= 0) & (places < len(borders))
        return there & heavy[np.where(there, places, 0)]

    below, above = apart(after - 1), apart(after)
    found = np.minimum(np.maximum(below, above), np.minimum(apart(after - 2), apart(after + 1)))
    found = np.where(is_heavy(after - 1), np.minimum(found, below), found)
    found = np.where(is_heavy(after), np.minimum(found, above), found)
    return np.asarray(np.clip(found - 1, 0, COARSEST), np.uint8)


def _grouped(orders: Orders, levels: Levels, own: Levels) -> Groups:
    """Groups of scores in the same bin; a bin of one member is as fine as that."""
    prefixes = orders >> levels.astype(np.uint64)
    ends = np.append((prefixes[1:] != prefixes[:-1]) | (levels[1:] != levels[:-1]), [True])
    last = np.flatnonzero(ends)
    alone = np.diff(last, prepend=-1) == 1
    return Groups(last, np.where(alone, own[last], levels[last]).astype(np.uint8))


def common_levels(lows: NDArray[Any], highs: NDArray[Any]) -> Levels:
    """The level of the finest bin that holds both of two scores; 0 where they are one.

    Example:
        >>> common_levels(np.array([0.5, 0.5]), np.array([0.5, 0.75])).tolist()
        [0, 52]
    """
    levels = _bit_length(order_of(lows) ^ order_of(highs))
    if levels.size and levels.max() > COARSEST:
        raise ValueError("no bin holds scores on both sides of 0")
    return levels.astype(np.uint8)


def opened(tally: Tally, levels: Levels, *, positives_first: bool, sign: int) -> Tally:
    """The tally if in every bin the rows of one class ranked above those of the other."""
    spread = np.flatnonzero(levels)
    first = 1 if positives_first else 2
    between = [
        # A bin holds two floats or more, so that there is one above its lowest score.
        sign * np.nextafter(sign * tally.thresholds[spread], np.inf),
        *(tally[column][spread if column == first else spread - 1] for column in (1, 2)),
    ]
    return Tally(
        *(np.insert(column, spread, own) for column, own in zip(tally, between, strict=True))
    )


def high_ends(orders: Orders, levels: Levels) -> Orders:
    """The highest score that each bin could hold."""
    return orders | _inside(levels)


def _inside(levels: Levels) -> Orders:
    """The bits that scores of a bin do not share."""
    return (np.uint64(1) << levels.astype(np.uint64)) - np.uint64(1)


def joined(orders: Orders, levels: Levels) -> Groups:
    """Groups of equal scores and nested bins among those of several rankings.

    Args:
        orders: Sorted by their high ends, falling.
        levels: The level of each; 0 for single scores.
    """
    # From the top down, what ends below all that came before begins a new group: stretches that
    # lie in each other have the outer one first, and none are crossed.
    lowest = np.minimum.accumulate(orders & ~_inside(levels))
    last = np.flatnonzero(np.append(high_ends(orders, levels)[1:] < lowest[:-1], [True]))
    starts = np.append([0], last[:-1] + 1)
    return Groups(last, np.maximum.reduceat(levels, starts).astype(np.uint8))


def _bit_length(values: Orders) -> NDArray[np.int64]:
    """How many bits each needs; halves of 32 bits are exact as floats."""
    high = (values >> np.uint64(32)).astype(np.float64)
    low = (values & np.uint64(0xFFFFFFFF)).astype(np.float64)
    return np.where(high > 0, np.frexp(high)[1] + 32, np.frexp(low)[1]).astype(np.int64)
