"""Cells that fit scores which nobody has at hand: chosen, counted, and chosen again if need be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.bins import order_of, score_of
from tradeoff.core.grouped import Counted, ranking_of
from tradeoff.core.regions import Region, regions_of
from tradeoff.errors import InputError
from tradeoff.sources.counted import CountedRows
from tradeoff.sources.labels import labels, missing_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking

GROUPS = 8_000_000
"""More groups than these are not fetched."""

FEWEST_CELLS = 1024
ATTEMPTS = 4
BAD_FIT = 4
"""How many times the loss of cells of equal mass makes others worth a search."""

HEAVIEST = 256
"""Groups of a larger part of all rows than one in these are looked into."""

POINTS = 64


def counted_by_cells(
    count: Callable[[tuple[Region, ...]], CountedRows],
    probe: CountedRows,
    positive: Any,
    most: int,
) -> CountedRows:
    """The counts of cells that fit a ranking of at most so many thresholds.

    Where the probe was no fair part of all rows, the counts themselves lead to better cells.

    Args:
        count: Counts all rows by the cells of regions; of more than GROUPS groups, any GROUPS + 1.
        probe: Some of the rows, or counts of them.
        positive: The positive class, if it was named.
        most: How many thresholds a ranking may have.
    """
    cells = max(min(2 * most, GROUPS // (4 * _parts(probe))), FEWEST_CELLS)
    best: tuple[float, CountedRows] | None = None
    for _ in range(ATTEMPTS):
        probe = count(regions_of(_ranking(_spread(probe), positive), cells))
        if len(probe.rows) > GROUPS:
            cells = max(cells // 4, FEWEST_CELLS)
            continue
        loss = _loss(_ranking(probe, positive))
        before = np.inf if best is None else best[0]
        if best is None or loss < best[0]:
            best = loss, probe
        if loss <= BAD_FIT / cells or loss > before / 2:
            break
    if best is None:
        raise InputError(
            f"The rows fall into more than {GROUPS:,} groups of scores, folds and segments: name a "
            "fold or segment of fewer values."
        )
    return best[1]


def expected_scores(probe: CountedRows) -> float:
    """How many different scores there are in all, judged by how often some of them repeat."""
    known = ~np.isnan(probe.low)
    size = int(probe.rows[known].sum())
    repeated = size - len(np.unique(probe.low[known]))
    # Of n rows drawn from D equally frequent scores, n² / 2D meet one that was there before.
    return size**2 / (2 * repeated) if repeated else np.inf


def _parts(counted: CountedRows) -> int:
    """How many folds and segments there are among some rows."""
    columns = [column for column in (counted.fold, counted.segment) if column is not None]
    found = set(zip(*(column.tolist() for column in columns), strict=True)) if columns else ()
    return max(len(found), 1)


def _spread(counted: CountedRows) -> CountedRows:
    """Groups as single scores: rows of a large group may lie anywhere between its ends."""
    share = counted.rows / max(int(counted.rows.sum()), 1)
    large = (share > 1 / HEAVIEST) & (counted.low < counted.high)
    ends = counted.low[large], counted.high[large]
    points = [_between(low, high) for low, high in zip(*ends, strict=True)]
    scores = np.concatenate([counted.low[~large], *points])

    return CountedRows(
        np.concatenate([counted.actual[~large], np.repeat(counted.actual[large], POINTS)]),
        scores,
        scores,
        np.concatenate([POINTS * counted.rows[~large], np.repeat(counted.rows[large], POINTS)]),
    )


def _between(low: float, high: float) -> NDArray[np.float64]:
    """Scores from low to high: half of them in equal steps, half in equal ratios."""
    orders = order_of(np.array([low, high]))
    steps = np.linspace(0, float(orders[1] - orders[0]), POINTS // 2).astype(np.uint64)
    near = score_of(orders[0] + np.minimum(steps, orders[1] - orders[0]))
    return np.concatenate([np.linspace(low, high, POINTS // 2), near])


def _ranking(counted: CountedRows, positive: Any) -> Ranking:
    """Some rows, ranked to see where scores crowd: their classes matter where they are known."""
    # Infinite scores have cells of their own wherever others crowd.
    finite = np.isfinite(counted.low) & np.isfinite(counted.high)
    there = finite & ~missing_rows(counted.actual)
    try:
        positives = labels(counted.actual[there], positive).positive_rows
    except InputError:  # classes that these rows alone do not explain
        positives = np.zeros(int(there.sum()), np.bool_)
    own = counted.rows[there]
    low, high = counted.low[there], counted.high[there]
    groups = Counted(low, high, np.where(positives, own, 0), np.where(positives, 0, own))
    return ranking_of(groups, int(own.sum()))


def _loss(ranking: Ranking) -> float:
    """The share of pairs of a positive and a negative row that lie in one bin."""
    if ranking.levels is None:
        return 0.0
    found, alarms = (np.diff(column).astype(np.float64) for column in ranking.tally[1:])
    pairs = float(ranking.positives) * float(ranking.negatives)
    return float((found * alarms)[ranking.levels[1:] > 0].sum()) / max(pairs, 1.0)
