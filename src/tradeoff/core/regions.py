"""Stretches of scores for engines that can multiply and group, but not look at a float's bits.

A sample tells where scores crowd. Each region between two of its quantiles has a scale, a power
of two, and a score's cell there is `sign(score) * (floor(abs(score) * scale) + 1)`: as products
with powers of two are exact, scores of one cell share their leading bits, as those of `bins` do.
Rows are grouped by scale and cell; the lowest and highest score of each group say how fine it is.
0 is a cell of its own: where lower scores are positive, its neighbours above have another sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import high_ends, order_of, score_of

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

REGIONS = 64
FINEST = 1000
"""Bits of the largest scale: scales stay far from where floats end."""
MOST_CELLS = 62
"""Bits of a cell's number: some engines make integers of what they round down."""
STEP = 54
"""Bits between the scales of neighbouring bands of a region."""
LARGEST = float(np.finfo(np.float64).max)


class Region(NamedTuple):
    """Scores from `low` on, up to the next region's, are cut at multiples of 1 / `scale`."""

    low: float
    scale: float


def regions_of(sample: Ranking, cells: int) -> tuple[Region, ...]:
    """Regions from the lowest scores to the highest, in which about so many cells are occupied.

    Args:
        sample: Some of the rows, ranked; the first region begins at -inf all the same.
        cells: How many there may be, a thousand or more.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.linspace(0, 1, 1000)
        >>> regions = regions_of(Ranking.of(scores, scores > 0.5), 1 << 20)
        >>> [region for region in regions if region.low == 0.5]
        [Region(low=0.5, scale=2097152.0)]
    """
    ends = _stretches(sample)
    if not ends.size:
        return (Region(-math.inf, 1.0),)
    borders = [-math.inf, *ends[0, 1:].tolist()]
    return guarded(tuple(map(Region, borders, _scales(ends, cells // REGIONS).tolist())))


def _stretches(sample: Ranking) -> NDArray[np.float64]:
    """The ends of a few bins of the sample, rising; those of infinite scores are left out."""
    few = sample.within(REGIONS)
    sign = -1 if sample.lower_is_positive else 1
    finite = np.isfinite(few.thresholds[1:])
    orders = order_of(sign * few.thresholds[1:])[finite]
    levels = (np.zeros(few.distinct, np.uint8) if few.levels is None else few.levels[1:])[finite]
    highs = high_ends(orders, levels)
    shift = levels.astype(np.uint64)
    ends = sign * score_of(np.stack([highs >> shift << shift, highs]))
    # Beyond the largest floats there are only NaNs.
    ends = np.clip(np.nan_to_num(ends, nan=sign * LARGEST), -LARGEST, LARGEST)
    return np.sort(np.sort(ends, axis=0), axis=1)


def _scales(ends: NDArray[Any], cells: int) -> NDArray[Any]:
    """Powers of two that cut each stretch into so many cells."""
    with np.errstate(over="ignore"):
        width = np.maximum(ends[1] - ends[0], np.abs(ends).max(axis=0) / 2**52)
    bits = np.log2(cells) - np.frexp(np.minimum(width, LARGEST))[1] + 1
    return np.asarray(np.ldexp(1.0, np.clip(bits, -FINEST, FINEST).astype(int)))


def guarded(regions: Sequence[Region]) -> tuple[Region, ...]:
    """The same regions, cut where the scale would not fit: products stay from 1 to 2**62.

    Below 1 lies a cell that reaches down to 0 over any number of powers of two. Its scores share
    so few leading bits that their bin would swallow cells far away. Far above, PostgreSQL refuses
    products that overflow, and Ibis makes integers of 64 bits of what is rounded down. Regions
    reach beyond the scores that they were made for, so both happen; near those nothing changes.

    Example:
        >>> first, second, third, *_ = guarded((Region(2.0**-30, 2.0**20),))
        >>> (first.scale, second.scale, third.scale) == (2.0**74, 2.0**20, 2.0**-34)
        True
        >>> (second.low, third.low) == (2.0**-20, 2.0**42)
        True
    """
    ends = [region.low for region in regions[1:]] + [math.inf]
    return tuple(
        piece for region, end in zip(regions, ends, strict=True) for piece in _pieces(region, end)
    )


def _pieces(region: Region, end: float) -> Iterator[Region]:
    """One region from its low to an end, in pieces whose scales are safe there."""
    bands = list(_bands(region.scale))
    sizes = [size for size, _ in bands[:-1]]
    borders = sorted({border for size in sizes for border in (-size, size)})
    lows = [region.low, *(border for border in borders if region.low < border < end)]
    for low, high in zip(lows, [*lows[1:], end], strict=True):
        farthest = max(abs(low), abs(high))
        yield Region(low, next(scale for size, scale in bands if farthest <= size))


def _bands(scale: float) -> Iterator[tuple[float, float]]:
    """Sizes up to which scores of a region are multiplied by which scale, rising."""
    bits = int(math.log2(scale))
    for finer in range(bits + (FINEST - bits) // STEP * STEP, bits, -STEP):
        yield math.ldexp(1.0, STEP - finer), math.ldexp(1.0, finer)
    while MOST_CELLS - bits < 1024:
        yield math.ldexp(1.0, MOST_CELLS - bits), math.ldexp(1.0, bits)
        bits -= STEP
    yield math.inf, math.ldexp(1.0, bits)
