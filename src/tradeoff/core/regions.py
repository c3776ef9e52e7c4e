"""Regions of scores with scaled cells, for engines that can multiply but not read float bits.

A sample shows where scores are dense. Each region between two of its quantiles has a scale, a power
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

from tradeoff.core.bins import highest_integers, scores_of_integers, sortable_integers

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
    """Region of scores from `low` up to the next region, with cells of width 1 / `scale`."""

    low: float
    scale: float


def choose_regions(sample: Ranking, cells: int) -> tuple[Region, ...]:
    """Regions from the lowest scores to the highest with about `cells` occupied cells.

    Args:
        sample: Some of the rows, ranked; the first region begins at -inf all the same.
        cells: How many there may be, a thousand or more.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.linspace(0, 1, 1000)
        >>> regions = choose_regions(Ranking.of(scores, scores > 0.5), 1 << 20)
        >>> [region for region in regions if region.low == 0.5]
        [Region(low=0.5, scale=2097152.0)]
    """
    ends = _bin_bounds(sample)
    if not ends.size:
        return (Region(-math.inf, 1.0),)
    borders = [-math.inf, *ends[0, 1:].tolist()]
    return split_unsafe_regions(
        tuple(map(Region, borders, _scales(ends, cells // REGIONS).tolist()))
    )


def _bin_bounds(sample: Ranking) -> NDArray[np.float64]:
    """Bounds of a few bins of the sample, ascending, without infinite scores."""
    few = sample.within(REGIONS)
    sign = -1 if sample.lower_is_positive else 1
    finite = np.isfinite(few.thresholds[1:])
    orders = sortable_integers(sign * few.thresholds[1:])[finite]
    levels = (np.zeros(few.distinct, np.uint8) if few.levels is None else few.levels[1:])[finite]
    highs = highest_integers(orders, levels)
    shift = levels.astype(np.uint64)
    ends = sign * scores_of_integers(np.stack([highs >> shift << shift, highs]))
    # Beyond the largest floats there are only NaNs.
    ends = np.clip(np.nan_to_num(ends, nan=sign * LARGEST), -LARGEST, LARGEST)
    return np.sort(np.sort(ends, axis=0), axis=1)


def _scales(ends: NDArray[Any], cells: int) -> NDArray[Any]:
    """Powers of two that divide each bin into about `cells` cells."""
    with np.errstate(over="ignore"):
        width = np.maximum(ends[1] - ends[0], np.abs(ends).max(axis=0) / 2**52)
    bits = np.log2(cells) - np.frexp(np.minimum(width, LARGEST))[1] + 1
    return np.asarray(np.ldexp(1.0, np.clip(bits, -FINEST, FINEST).astype(int)))


def split_unsafe_regions(regions: Sequence[Region]) -> tuple[Region, ...]:
    """Regions split where scaled scores would leave the safe range from 1 to 2**62.

    Below 1 lies a cell that reaches down to 0 over any number of powers of two. Its scores share
    so few leading bits that their bin would swallow cells far away. Far above, PostgreSQL refuses
    products that overflow, and Ibis makes integers of 64 bits of what is rounded down. Regions
    reach beyond the scores that they were made for, so both happen; near those nothing changes.

    Example:
        >>> first, second, third, *_ = split_unsafe_regions((Region(2.0**-30, 2.0**20),))
        >>> (first.scale, second.scale, third.scale) == (2.0**74, 2.0**20, 2.0**-34)
        True
        >>> (second.low, third.low) == (2.0**-20, 2.0**42)
        True
    """
    ends = [region.low for region in regions[1:]] + [math.inf]
    return tuple(
        piece
        for region, end in zip(regions, ends, strict=True)
        for piece in _split_region(region, end)
    )


def _split_region(region: Region, end: float) -> Iterator[Region]:
    """One region up to an end, in pieces with safe scales."""
    bands = list(_bands(region.scale))
    sizes = [size for size, _ in bands[:-1]]
    borders = sorted({border for size in sizes for border in (-size, size)})
    lows = [region.low, *(border for border in borders if region.low < border < end)]
    for low, high in zip(lows, [*lows[1:], end], strict=True):
        farthest = max(abs(low), abs(high))
        yield Region(low, next(scale for size, scale in bands if farthest <= size))


def _bands(scale: float) -> Iterator[tuple[float, float]]:
    """Sizes of scores and their scale in a region, ascending."""
    bits = int(math.log2(scale))
    for finer in range(bits + (FINEST - bits) // STEP * STEP, bits, -STEP):
        yield math.ldexp(1.0, STEP - finer), math.ldexp(1.0, finer)
    while MOST_CELLS - bits < 1024:
        yield math.ldexp(1.0, MOST_CELLS - bits), math.ldexp(1.0, bits)
        bits -= STEP
    yield math.inf, math.ldexp(1.0, bits)
