"""Rankings built from counts per cell, and checks that the cells are fine enough.

A cell is a bin: a range of floats that share their leading bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally

MAX_PAIRS_IN_CELLS = 8
"""Maximum proportion of positive–negative pairs that share a cell, times `max_thresholds`."""
MAX_LOST_PAIRS = 64
"""The same for a finished ranking: above it, the cells were too coarse for the rows."""
CROWDING_LIMIT = 1 << 8
"""A cell is crowded if it holds more than this many rows, and more than one in this many."""
HEAVY_MULTIPLE = 64
"""A score with more rows than this multiple of the mean per threshold should be counted exactly."""


def is_fine_enough(
    sample: Ranking, cells: NDArray[np.int64], size: int, max_thresholds: int
) -> bool:
    """Whether cells are fine enough to preserve nearly all of the order of a sample.

    Args:
        sample: Ranking of rows like those to be counted.
        cells: Cell number of each of its scores; `size` or more if the score has no cell.
        size: Number of cells.
        max_thresholds: Maximum number of thresholds.
    """
    counts = [np.diff(column) for column in (sample.true_positives, sample.false_positives)]
    if np.add(*counts).max() * max_thresholds > HEAVY_MULTIPLE * sample.rows:
        return False
    positives, negatives = (
        np.bincount(cells, weights=class_counts, minlength=size + 1)[:size]
        for class_counts in counts
    )
    pair_count = positives.sum() * negatives.sum()
    return bool(
        pair_count
        and max_thresholds * (positives * negatives).sum() <= MAX_PAIRS_IN_CELLS * pair_count
    )


def has_crowded_cell(row_counts: NDArray[np.int64], total: int) -> bool:
    """Whether any cell is crowded: it holds far more than its share of the rows."""
    return bool(row_counts.max(initial=0) > max(total // CROWDING_LIMIT, CROWDING_LIMIT))


def is_too_coarse(ranking: Ranking, max_thresholds: int) -> bool:
    """Whether cells were too coarse: the ranking lost more order than its size requires."""
    if ranking.levels is None or not (ranking.positives and ranking.negatives):
        return False
    is_binned = ranking.levels[1:] > 0
    positives, negatives = (
        np.diff(counts).astype(np.float64)[is_binned]
        for counts in (ranking.true_positives, ranking.false_positives)
    )
    pair_count = float(ranking.positives) * float(ranking.negatives)
    return max_thresholds * float((positives * negatives).sum()) > MAX_LOST_PAIRS * pair_count


def ranking_of_cells(
    scores: NDArray[np.float64],
    levels: NDArray[Any],
    rows: NDArray[np.int64],
    positives: NDArray[np.int64],
) -> Ranking:
    """Build a ranking from counts of rows in disjoint cells, in ascending order.

    Args:
        scores: Lowest score of each cell.
        levels: Number of trailing bits in which the scores of each cell may differ.
        rows: Number of rows in each cell, possibly 0.
        positives: Number of positives in each cell.
    """
    occupied_cells = np.flatnonzero(rows)[::-1]
    cell_rows, cell_positives = (
        np.append([0], counts[occupied_cells]) for counts in (rows, positives)
    )
    tally = Tally(
        np.append([np.inf], scores[occupied_cells]),
        np.cumsum(cell_positives),
        np.cumsum(np.subtract(cell_rows, cell_positives)),
    )
    return Ranking(
        tally, int(cell_rows.sum()), levels=np.append([0], levels[occupied_cells]).astype(np.uint8)
    )
