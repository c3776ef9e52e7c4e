"""Bins of adjacent scores, which limit the number of thresholds of a ranking.

A bin is a range of floats whose order-preserving integers share their leading bits; its *level* is
the number of trailing bits in which they may differ (0: a single score, with nothing lost). Two
such ranges are either nested or disjoint, so rankings that were binned separately can still be
merged. Counts at the lowest score of a bin stay exact; only the order of rows inside it is lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.number_types import next_floats
from tradeoff.core.sort import Tally
from tradeoff.core.sort_keys import Integers, sortable_integers

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

Levels = NDArray[np.uint8]

MAX_LEVEL = 63
MIN_BINS = 4
NO_BORDER_BIT_LENGTH = 65
"""Bit length used where there is no border: greater than that of any integer."""


class BinGroups(NamedTuple):
    """Bins of adjacent scores, highest first: the last index of each bin, and its level."""

    last_indices: NDArray[np.intp]
    levels: Levels


def coarsen_bins(
    integers: Integers, mass: NDArray[np.float64], levels: Levels | None, max_bins: int
) -> BinGroups:
    """Merge adjacent scores into at most `max_bins` bins, finer where scores are dense.

    Args:
        integers: Sortable integers of the scores, descending.
        mass: Proportion of positives plus proportion of negatives at or above each score.
        levels: Levels of the bins to be merged, if the scores are already binned.
        max_bins: Maximum number of bins, 4 or more.
    """
    fine_levels = np.zeros(len(integers), np.uint8) if levels is None else levels
    if len(integers) <= max_bins:
        return BinGroups(np.arange(len(integers)), fine_levels)
    parts = max_bins
    while parts > 1:
        groups = _bins_of_equal_mass(integers, mass, fine_levels, parts)
        if len(groups.last_indices) <= max_bins:
            return groups
        # A spike may need one bin per bit around it; fewer parts give fewer such bins.
        parts = min(parts - 1, int(0.95 * parts * max_bins / len(groups.last_indices)))
    return _group_by_prefix(integers, np.full(len(integers), MAX_LEVEL, np.uint8), fine_levels)


def _bins_of_equal_mass(
    integers: Integers, mass: NDArray[np.float64], levels: Levels, parts: int
) -> BinGroups:
    """Bins around the borders between parts of equal mass."""
    borders, is_heavy = _part_borders(integers, mass, parts)
    if not len(borders):
        return _group_by_prefix(integers, np.full(len(integers), MAX_LEVEL, np.uint8), levels)
    coarse_groups = _group_by_prefix(
        integers, np.maximum(levels, _initial_levels(integers, borders, is_heavy)), levels
    )
    group_integers = integers[coarse_groups.last_indices]
    fine_groups = _group_by_prefix(
        group_integers,
        np.maximum(coarse_groups.levels, _coarsest_levels(group_integers, borders, is_heavy)),
        coarse_groups.levels,
    )
    return BinGroups(coarse_groups.last_indices[fine_groups.last_indices], fine_groups.levels)


def _initial_levels(integers: Integers, borders: Integers, is_heavy: NDArray[np.bool_]) -> Levels:
    """Levels of a first grouping, whose bins are finer than almost all of the final ones.

    Scores that get a bin of their own, and those around them, are left for the second pass.
    """
    if len(borders) < 2:
        return np.zeros(len(integers), np.uint8)
    level = max(int(np.quantile(_bit_length(borders[1:] ^ borders[:-1]), 0.02)) - 2, 0)
    lows = np.unique(borders[is_heavy] >> np.uint64(level)) << np.uint64(level)
    highs = lows | np.uint64((1 << level) - 1)
    ends = len(integers) - np.searchsorted(integers[::-1], lows)
    starts = len(integers) - np.searchsorted(integers[::-1], highs, "right")
    start_counts, end_counts = (
        np.bincount(indices, minlength=len(integers) + 1)[:-1] for indices in (starts, ends)
    )
    return np.where(np.cumsum(start_counts - end_counts) > 0, 0, level).astype(np.uint8)


def _part_borders(
    integers: Integers, mass: NDArray[np.float64], parts: int
) -> tuple[Integers, NDArray[np.bool_]]:
    """Borders between parts of equal mass, ascending, and a mask of those heavier than a part."""
    step = float(mass[-1]) / parts
    indices = np.searchsorted(mass, step * np.arange(1, parts))
    indices = indices[np.append([True], indices[1:] != indices[:-1])]
    indices = indices[indices < len(integers)]
    mass_above = np.where(indices > 0, mass[indices - 1], 0.0)
    return integers[indices][::-1], (mass[indices] - mass_above >= step)[::-1]


def _coarsest_levels(integers: Integers, borders: Integers, is_heavy: NDArray[np.bool_]) -> Levels:
    """Coarsest level at which the bin of each score contains at most one border between parts.

    A score that outweighs a part by itself keeps a bin of its own.
    """
    next_borders = np.searchsorted(borders, integers, side="right")

    def differing_bits(indices: NDArray[np.intp]) -> NDArray[np.int64]:
        exists = (indices >= 0) & (indices < len(borders))
        valid_indices = np.where(exists, indices, 0)
        return np.where(
            exists, _bit_length(integers ^ borders[valid_indices]), NO_BORDER_BIT_LENGTH
        )

    def has_heavy_border(indices: NDArray[np.intp]) -> NDArray[np.bool_]:
        exists = (indices >= 0) & (indices < len(borders))
        return exists & is_heavy[np.where(exists, indices, 0)]

    bits_below, bits_above = differing_bits(next_borders - 1), differing_bits(next_borders)
    bits = np.minimum(
        np.maximum(bits_below, bits_above),
        np.minimum(differing_bits(next_borders - 2), differing_bits(next_borders + 1)),
    )
    bits = np.where(has_heavy_border(next_borders - 1), np.minimum(bits, bits_below), bits)
    bits = np.where(has_heavy_border(next_borders), np.minimum(bits, bits_above), bits)
    return np.asarray(np.clip(bits - 1, 0, MAX_LEVEL), np.uint8)


def _group_by_prefix(integers: Integers, levels: Levels, fine_levels: Levels) -> BinGroups:
    """Group scores that share their leading bits; a single score keeps its finer level."""
    prefixes = integers >> levels.astype(np.uint64)
    ends = np.append((prefixes[1:] != prefixes[:-1]) | (levels[1:] != levels[:-1]), [True])
    last_indices = np.flatnonzero(ends)
    is_single = np.diff(last_indices, prepend=-1) == 1
    group_levels = np.where(is_single, fine_levels[last_indices], levels[last_indices])
    return BinGroups(last_indices, group_levels.astype(np.uint8))


def common_levels(lows: NDArray[Any], highs: NDArray[Any]) -> Levels:
    """Levels of the finest bins that contain both scores of each pair; 0 if they are equal.

    Example:
        >>> common_levels(np.array([0.5, 0.5]), np.array([0.5, 0.75])).tolist()
        [0, 52]
    """
    levels = _bit_length(sortable_integers(lows) ^ sortable_integers(highs))
    if levels.size and levels.max() > MAX_LEVEL:
        raise ValueError("no bin contains scores on both sides of 0")
    return levels.astype(np.uint8)


def split_bins_by_class(tally: Tally, levels: Levels, *, positives_first: bool, sign: int) -> Tally:
    """Tally in which the rows of one class rank above those of the other in every bin."""
    bin_indices = np.flatnonzero(levels)
    first_column = 1 if positives_first else 2
    inserted_values = [
        # A bin spans at least two floats, so the next float above its lowest score is inside.
        sign * next_floats(sign * tally.thresholds[bin_indices], np.inf),
        *(
            tally[column][bin_indices if column == first_column else bin_indices - 1]
            for column in (1, 2)
        ),
    ]
    return Tally(
        *(
            np.insert(column, bin_indices, values)
            for column, values in zip(tally, inserted_values, strict=True)
        )
    )


def highest_integers(integers: Integers, levels: Levels) -> Integers:
    """Highest score that each bin could contain, as a sortable integer."""
    return integers | _trailing_bit_mask(levels)


def _trailing_bit_mask(levels: Levels) -> Integers:
    """Bit mask of the trailing bits in which the scores of a bin may differ."""
    return (np.uint64(1) << levels.astype(np.uint64)) - np.uint64(1)


def group_nested_bins(integers: Integers, levels: Levels) -> BinGroups:
    """Group equal scores and nested bins of several rankings.

    Args:
        integers: Sortable integers, descending by the highest score of their bin.
        levels: Level of each bin; 0 for a single score.
    """
    # From the top down, a bin that lies entirely below all previous ones starts a new group: of
    # two nested bins, the outer one comes first, and bins do not overlap otherwise.
    lowest = np.minimum.accumulate(integers & ~_trailing_bit_mask(levels))
    ends = np.append(highest_integers(integers, levels)[1:] < lowest[:-1], [True])
    last_indices = np.flatnonzero(ends)
    starts = np.append([0], last_indices[:-1] + 1)
    return BinGroups(last_indices, np.maximum.reduceat(levels, starts).astype(np.uint8))


def _bit_length(values: Integers) -> NDArray[np.int64]:
    """Bit length of each integer, from its 32-bit halves, which floats represent exactly."""
    high = (values >> np.uint64(32)).astype(np.float64)
    low = (values & np.uint64(0xFFFFFFFF)).astype(np.float64)
    return np.where(high > 0, np.frexp(high)[1] + 32, np.frexp(low)[1]).astype(np.int64)


def extreme_rankings(ranking: Ranking) -> tuple[Ranking, Ranking]:
    """Rankings with the worst and the best order of rows inside bins, and their squared weights."""
    worst, best = ranking.worst_case, ranking.best_case
    if ranking.squares is None or ranking.levels is None:
        return worst, best
    squares = replace(ranking.squares, levels=ranking.levels)
    return (
        replace(worst, squares=squares.worst_case),
        replace(best, squares=squares.best_case),
    )


def split_bin_index(ranking: Ranking, threshold: float) -> int | None:
    """Index of the bin that a threshold splits; None if there is none."""
    index = ranking.index(threshold) + 1
    is_inside = index < len(ranking) and ranking.is_inside(threshold, index)
    return index if is_inside else None
