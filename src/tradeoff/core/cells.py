"""Rows that are counted in cells: whether these are fine enough, and the ranking that they make.

A cell is a bin: a stretch of floats that share their leading bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import common_levels
from tradeoff.core.merge import tally_of_bins
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally

UNSURE = 8
"""Of so many pairs of a positive and a negative as there may be thresholds, no more than this may
be in one cell."""
COARSE = 64
"""If it is more than this, cells were not meant for these rows."""
FULL = 1 << 8
"""No cell may hold more than this part of all rows."""
HEAVY = 64
"""A score with more rows than so many thresholds should be known by name."""


def are_fine(known: Ranking, places: NDArray[np.int64], size: int, most: int) -> bool:
    """Whether in these cells little is lost of the order of known rows.

    Args:
        known: Rows like those to come.
        places: The cell of each of its scores; those from `size` on are none.
        size: How many cells there are.
        most: How many thresholds may be kept.
    """
    counts = [np.diff(own) for own in (known.true_positives, known.false_positives)]
    if np.add(*counts).max() * most > HEAVY * known.rows:
        return False
    own, other = (np.bincount(places, weights=rows, minlength=size + 1)[:size] for rows in counts)
    pairs = own.sum() * other.sum()
    return bool(pairs and most * (own * other).sum() <= UNSURE * pairs)


def is_crowded(rows: NDArray[np.int64], total: int) -> bool:
    """Whether one cell holds far more rows than its share."""
    return bool(rows.max(initial=0) > max(total // FULL, FULL))


def is_coarse(ranking: Ranking, most: int) -> bool:
    """Whether a ranking of at most so many thresholds could tell far more than it does."""
    if ranking.levels is None or not (ranking.positives and ranking.negatives):
        return False
    wide = ranking.levels[1:] > 0
    own, other = (
        np.diff(counts).astype(np.float64)[wide]
        for counts in (ranking.true_positives, ranking.false_positives)
    )
    pairs = float(ranking.positives) * float(ranking.negatives)
    return most * float((own * other).sum()) > COARSE * pairs


def ranking_of_cells(
    scores: NDArray[np.float64],
    levels: NDArray[Any],
    rows: NDArray[np.int64],
    positives: NDArray[np.int64],
) -> Ranking:
    """The ranking of cells that are apart, from the lowest up.

    Args:
        scores: The lowest score of each.
        levels: How many last bits its scores do not share.
        rows: How many rows it holds; there may be none.
        positives: How many of them are positive.
    """
    there = np.flatnonzero(rows)[::-1]
    own, found = (np.append([0], counts[there]) for counts in (rows, positives))
    tally = Tally(
        np.append([np.inf], scores[there]), np.cumsum(found), np.cumsum(np.subtract(own, found))
    )
    return Ranking(tally, int(own.sum()), levels=np.append([0], levels[there]).astype(np.uint8))


def ranking_of_groups(  # noqa: PLR0913 - a column each
    low: NDArray[Any],
    high: NDArray[Any],
    positives: NDArray[Any],
    negatives: NDArray[Any],
    rows: int,
    *,
    lower_is_positive: bool = False,
    **described: Any,
) -> Ranking:
    """The ranking of rows that were counted in groups: exact where no group holds two scores.

    Groups come in any order. Their rows score from `low` to `high`; all of them are one score
    where these are equal. Stretches that several groups were cut by must be nested or apart as
    those of `bins` are: floats that share their leading bits. Counts are rows, or sums of weights.

    Example:
        >>> import numpy as np
        >>> ranking = ranking_of_groups(*map(np.array, ([0.2, 0.5], [0.2, 0.6], [0, 3], [4, 1])), 8)
        >>> ranking, ranking.exact
        (Ranking(score: 8 rows, 3 'positive' and 5 'negative', 2 bins of scores), False)
    """
    sign = -1 if lower_is_positive else 1
    lowest = sign * (high if lower_is_positive else low)
    levels = common_levels(sign * low, sign * high)
    tally, levels = tally_of_bins(lowest, levels, positives, negatives, sign=sign)
    described["levels"] = levels if levels.any() else None
    return Ranking(tally, rows, lower_is_positive=lower_is_positive, **described)
