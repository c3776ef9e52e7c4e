"""Rankings of rows counted in cells, and whether cells are fine enough.

A cell is a bin: a range of floats that share their leading bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import common_levels
from tradeoff.core.merge import merge_bins
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally

UNSURE = 8
"""Most pairs of a positive and a negative within one cell, per maximum number of thresholds."""
COARSE = 64
"""With more than this, cells do not suit these rows."""
FULL = 1 << 8
"""No cell may hold more than this part of all rows."""
HEAVY = 64
"""A score with more rows than so many thresholds should be counted exactly."""


def is_fine_enough(sample: Ranking, cells: NDArray[np.int64], size: int, maximum: int) -> bool:
    """Whether counting in these cells loses little of the order of the sample's rows.

    Args:
        sample: Ranking of rows like those to come.
        cells: Cell of each of its scores; values from `size` on mean none.
        size: Number of cells.
        maximum: Maximum number of thresholds.
    """
    counts = [np.diff(positives) for positives in (sample.true_positives, sample.false_positives)]
    if np.add(*counts).max() * maximum > HEAVY * sample.rows:
        return False
    positives, negatives = (
        np.bincount(cells, weights=class_counts, minlength=size + 1)[:size]
        for class_counts in counts
    )
    pairs = positives.sum() * negatives.sum()
    return bool(pairs and maximum * (positives * negatives).sum() <= UNSURE * pairs)


def has_crowded_cell(rows: NDArray[np.int64], total: int) -> bool:
    """Whether one cell contains far more than its share of the rows."""
    return bool(rows.max(initial=0) > max(total // FULL, FULL))


def is_too_coarse(ranking: Ranking, maximum: int) -> bool:
    """Whether a ranking has lost far more order than its number of thresholds requires."""
    if ranking.levels is None or not (ranking.positives and ranking.negatives):
        return False
    wide = ranking.levels[1:] > 0
    positives, negatives = (
        np.diff(counts).astype(np.float64)[wide]
        for counts in (ranking.true_positives, ranking.false_positives)
    )
    pairs = float(ranking.positives) * float(ranking.negatives)
    return maximum * float((positives * negatives).sum()) > COARSE * pairs


def ranking_of_cells(
    scores: NDArray[np.float64],
    levels: NDArray[Any],
    rows: NDArray[np.int64],
    positives: NDArray[np.int64],
) -> Ranking:
    """Ranking of rows counted in disjoint cells, given from the lowest cell up.

    Args:
        scores: Lowest score of each cell.
        levels: Number of low bits in which its scores may differ.
        rows: Number of rows in it, possibly 0.
        positives: Number of positives in it.
    """
    occupied = np.flatnonzero(rows)[::-1]
    cell_rows, cell_positives = (np.append([0], counts[occupied]) for counts in (rows, positives))
    tally = Tally(
        np.append([np.inf], scores[occupied]),
        np.cumsum(cell_positives),
        np.cumsum(np.subtract(cell_rows, cell_positives)),
    )
    return Ranking(
        tally, int(cell_rows.sum()), levels=np.append([0], levels[occupied]).astype(np.uint8)
    )


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
    """Ranking of rows counted in groups: exact where every group has a single score.

    Groups come in any order. Their rows score from `low` to `high`, which are equal for a single
    score. Their ranges must be nested or disjoint as those of `bins` are: floats that share their
    leading bits. Counts are rows, or sums of weights.

    Example:
        >>> import numpy as np
        >>> ranking = ranking_of_groups(*map(np.array, ([0.2, 0.5], [0.2, 0.6], [0, 3], [4, 1])), 8)
        >>> ranking, ranking.exact
        (Ranking(score: 8 rows, 3 'positive' and 5 'negative', 2 bins of scores), False)
    """
    sign = -1 if lower_is_positive else 1
    lowest = sign * (high if lower_is_positive else low)
    levels = common_levels(sign * low, sign * high)
    tally, levels = merge_bins(lowest, levels, positives, negatives, sign=sign)
    described["levels"] = levels if levels.any() else None
    return Ranking(tally, rows, lower_is_positive=lower_is_positive, **described)
