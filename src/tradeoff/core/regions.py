"""Regions of scores with scaled cells, for engines that can multiply but not read float bits.

A sample shows where scores are dense. Each region between two of its quantiles has a scale, a power
of two, and a score's cell there is `sign(score) * (floor(abs(score) * scale) + 1)`: as products
with powers of two are exact, the scores in a cell share their leading bits, as those in a bin do.
Rows are grouped by scale and cell; the lowest and highest score of each group show how fine it is.
0 has a cell of its own, as the scores on either side of it differ in sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import highest_integers
from tradeoff.core.sort_keys import scores_of_integers, sortable_integers

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

MAX_REGIONS = 64
MAX_SCALE_BITS = 1000
"""Binary logarithm of the largest scale, well within the range of floats."""
MAX_CELL_BITS = 62
"""Maximum number of bits in a cell number: some engines convert it to a 64-bit integer."""
BAND_BITS = 54
"""Binary logarithm of the ratio between the scales of adjacent bands in a region."""
MAX_FLOAT = float(np.finfo(np.float64).max)


class Region(NamedTuple):
    """Region of scores from `low` up to the next region, with cells of width 1 / `scale`."""

    low: float
    scale: float


def choose_regions(sample: Ranking, cells: int) -> tuple[Region, ...]:
    """Choose regions, from the lowest scores up, with about `cells` occupied cells in total.

    Args:
        sample: Ranking of some of the rows; the first region starts at -inf regardless.
        cells: Approximate number of cells, a thousand or more.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.linspace(0, 1, 1000)
        >>> regions = choose_regions(Ranking.of(scores, scores > 0.5), 1 << 20)
        >>> [region for region in regions if region.low == 0.5]
        [Region(low=0.5, scale=2097152.0)]
    """
    bounds = _bin_bounds(sample)
    if not bounds.size:
        return (Region(-math.inf, 1.0),)
    borders = [-math.inf, *bounds[0, 1:].tolist()]
    return split_unsafe_regions(
        tuple(map(Region, borders, _scales(bounds, cells // MAX_REGIONS).tolist()))
    )


def _bin_bounds(sample: Ranking) -> NDArray[np.float64]:
    """Bounds of a few bins of the sample, ascending, without infinite scores."""
    binned = sample.within(MAX_REGIONS)
    sign = -1 if sample.lower_is_positive else 1
    is_finite = np.isfinite(binned.thresholds[1:])
    integers = sortable_integers(sign * binned.thresholds[1:])[is_finite]
    levels = (np.zeros(binned.distinct, np.uint8) if binned.levels is None else binned.levels[1:])[
        is_finite
    ]
    highs = highest_integers(integers, levels)
    shift = levels.astype(np.uint64)
    bounds = sign * scores_of_integers(np.stack([highs >> shift << shift, highs]))
    # Only NaNs lie beyond the largest floats.
    bounds = np.clip(np.nan_to_num(bounds, nan=sign * MAX_FLOAT), -MAX_FLOAT, MAX_FLOAT)
    return np.sort(np.sort(bounds, axis=0), axis=1)


def _scales(bounds: NDArray[Any], cells: int) -> NDArray[Any]:
    """Powers of two that, as scales, divide each bin into about `cells` cells."""
    with np.errstate(over="ignore"):
        width = np.maximum(bounds[1] - bounds[0], np.abs(bounds).max(axis=0) / 2**52)
    bits = np.log2(cells) - np.frexp(np.minimum(width, MAX_FLOAT))[1] + 1
    return np.asarray(np.ldexp(1.0, np.clip(bits, -MAX_SCALE_BITS, MAX_SCALE_BITS).astype(int)))


def split_unsafe_regions(regions: Sequence[Region]) -> tuple[Region, ...]:
    """Split regions where scaled scores would leave the safe range from 1 to 2**62.

    Below 1, a single cell extends down to 0 over any number of powers of two. Its scores share so
    few leading bits that their bin would include distant cells. Far above, PostgreSQL rejects
    products that overflow, and Ibis converts rounded-down values to 64-bit integers. Both can
    happen, as regions extend beyond the scores for which they were chosen; near these scores
    nothing changes.

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
    """Split a region that extends to `end` into pieces with safe scales."""
    bands = list(_bands(region.scale))
    limits = [limit for limit, _ in bands[:-1]]
    borders = sorted({border for limit in limits for border in (-limit, limit)})
    lows = [region.low, *(border for border in borders if region.low < border < end)]
    for low, high in zip(lows, [*lows[1:], end], strict=True):
        magnitude = max(abs(low), abs(high))
        yield Region(low, next(scale for limit, scale in bands if magnitude <= limit))


def _bands(scale: float) -> Iterator[tuple[float, float]]:
    """Yield upper limits for the magnitudes of scores, ascending, and the scale up to each."""
    bits = int(math.log2(scale))
    for finer_bits in range(
        bits + (MAX_SCALE_BITS - bits) // BAND_BITS * BAND_BITS, bits, -BAND_BITS
    ):
        yield math.ldexp(1.0, BAND_BITS - finer_bits), math.ldexp(1.0, finer_bits)
    while MAX_CELL_BITS - bits < 1024:
        yield math.ldexp(1.0, MAX_CELL_BITS - bits), math.ldexp(1.0, bits)
        bits -= BAND_BITS
    yield math.inf, math.ldexp(1.0, bits)
