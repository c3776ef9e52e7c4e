"""Streaming rankings, built batch by batch, whose size does not grow with the number of rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.even_cells import EvenCells
from tradeoff.core.grid_cells import Grid
from tradeoff.core.merge import merge_rankings
from tradeoff.core.number_types import require_numeric_rows
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError

BATCH_ROWS = 1 << 20
"""Number of rows that are buffered before they are counted."""
BYTES_PER_THRESHOLD = 128
"""Approximate memory per threshold while rankings are merged."""
MIN_CELLS = 1 << 12
MAX_CELLS = 1 << 21
MERGE_FACTOR = 4
"""Parts are merged when they have more thresholds than this multiple of the maximum."""


def probe_size(max_thresholds: int) -> int:
    """Number of rows in the first batch, which shows whether every score can be kept."""
    return max_thresholds + max_thresholds // 8


class GrowingRanking:
    """Streaming ranking of rows added in batches, with at most `most` thresholds.

    It is exact as long as these suffice. A few rows are kept as they are and ranked at the end.
    Many rows are counted in `EvenCells` or in a `Grid` chosen from the first rows; rows that fit
    neither are ranked and merged.

    Args:
        most: Maximum number of thresholds of the ranking.
        waiting: Number of rows buffered at a time.
        lower_is_positive: Whether lower scores indicate the positive class.

    Example:
        >>> growing = GrowingRanking()
        >>> growing.add(np.array([0.9, 0.4]), np.array([True, False]))
        >>> growing.add(np.array([0.4]), np.array([True]))
        >>> growing.ranking(name="model")
        Ranking(model: 3 rows, 2 'positive' and 1 'negative', 2 distinct scores)
    """

    def __init__(
        self, most: int = 1_000_000, *, waiting: int = BATCH_ROWS, lower_is_positive: bool = False
    ) -> None:
        self.most = most
        self.waiting = waiting
        self.first_batch_rows = probe_size(most)
        self.may_use_cells = True
        self.sign = -1 if lower_is_positive else 1
        self._batches: list[tuple[Any, ...]] = []
        self._buffered_rows = 0
        self._parts: list[Ranking] = []
        self._even_cells: EvenCells | None = None
        self._grid: Grid | None = None
        self._grid_fits: bool | None = None  # False: even a grid chosen for a batch did not fit it
        self._may_try_even_cells = True

    def add(
        self,
        scores: NDArray[Any],
        positive: NDArray[np.bool_],
        weights: NDArray[Any] | None = None,
        *,
        importance: bool = False,
    ) -> None:
        """Add valid rows: scores without NaN; weights are frequencies unless `importance` is set.

        The arrays are kept for a while and must not be modified.
        """
        scores, positive, weights = require_numeric_rows(scores, positive, weights)
        scores = -scores if self.sign < 0 else scores
        if weights is None:
            scores, positive = self._count_in_even_cells(scores, positive)
        self._buffer(scores, positive, weights, importance)

    def _count_in_even_cells(
        self, scores: NDArray[Any], positive: NDArray[np.bool_]
    ) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Count rows in `EvenCells`, and return those outside their range."""
        if self._even_cells is None:
            return scores, positive
        outside = self._even_cells.count(scores, positive)
        if not self._even_cells.fits:
            self._parts.append(self._even_cells.ranking())
            self._even_cells = None
        return scores[outside], positive[outside]

    def _buffer(self, scores: NDArray[Any], *columns: Any) -> None:
        if not len(scores):
            return
        self._batches.append((scores, *columns))
        self._buffered_rows += len(scores)
        if self._buffered_rows >= self._batch_size:
            self._process_buffered_rows()

    @property
    def _batch_size(self) -> int:
        """Number of rows to buffer; the first batch must show whether every score can be kept."""
        has_begun = self._even_cells or self._grid or self._parts
        return self.waiting if has_begun else max(self.waiting, self.first_batch_rows)

    @property
    def bytes(self) -> int:
        """Approximate memory in bytes for merging the counted rows, without buffered rows."""
        counts = sum(grid.size for grid in (self._grid, self._even_cells) if grid)
        return BYTES_PER_THRESHOLD * sum(part.distinct for part in self._parts) + 16 * counts

    def shrink(self, most: int) -> None:
        """Reduce the maximum number of thresholds."""
        if most >= self.most:
            return
        self.most = most
        self._parts += self._rankings_of_cells()
        self._grid = self._even_cells = None
        if self._parts:
            self._parts = [merge_rankings(self._parts).within(most)]

    def __iadd__(self, batch: Ranking) -> Self:
        """Add rows that are already ranked."""
        if batch.lower_is_positive != (self.sign < 0):
            raise InputError(
                "These rankings differ in direction: in one of them lower scores are positive."
            )
        self._append_part(self._mirrored(batch, lower_is_positive=False))
        return self

    def ranking(
        self,
        *,
        name: str = "score",
        positive: str = "positive",
        negative: str = "negative",
        notes: tuple[str, ...] = (),
    ) -> Ranking:
        """Ranking of all rows so far; more rows can be added afterwards."""
        self._process_buffered_rows()
        parts = [*self._parts, *self._rankings_of_cells()]
        if not parts:
            empty = np.zeros(0)
            lower_is_positive = self.sign < 0
            ranking = Ranking.of(empty, empty > 0, lower_is_positive=lower_is_positive)
        else:
            ranking = self._mirrored(merge_rankings(parts).within(self.most))
        return replace(ranking, name=name, positive=positive, negative=negative, notes=notes)

    def _mirrored(self, ranking: Ranking, *, lower_is_positive: bool = True) -> Ranking:
        """Ranking with negated thresholds if lower scores mean positive."""
        if self.sign > 0:
            return ranking
        thresholds, *counts = ranking.tally
        tally = Tally(self.sign * thresholds + 0.0, *counts)
        squares = ranking.squares and self._mirrored(
            ranking.squares, lower_is_positive=lower_is_positive
        )
        return replace(ranking, tally=tally, squares=squares, lower_is_positive=lower_is_positive)

    def _process_buffered_rows(self) -> None:
        if not self._buffered_rows:
            return
        batches, self._batches, self._buffered_rows = self._batches, [], 0
        if any(batch[2] is not None for batch in batches):
            scores, positive, weights = (
                np.concatenate(column) for column in list(zip(*batches, strict=True))[:3]
            )
            self._append_part(
                _weighted_ranking(scores, positive, weights, any(batch[3] for batch in batches))
            )
        else:
            self._count([batch[:2] for batch in batches])

    def _count(self, batches: list[tuple[Any, Any]]) -> None:
        uncounted = self._grid.count(batches) if self._grid else None
        if uncounted is None:
            # A grid pays off only if more rows follow; the last batch is usually smaller.
            rows = sum(len(scores) for scores, _ in batches)
            if self.may_use_cells and self._grid_fits is not False and rows >= self._batch_size:
                sample = self._ranking_outside_even_cells(Ranking.of(*_concatenate(batches)))
                if self._try_even_cells(sample):
                    for batch in batches:
                        self._buffer(*self._count_in_even_cells(*batch), None, False)
                    return
                self._grid = self._choose_grid(sample)
                uncounted = self._grid.count(batches)
                self._grid_fits = uncounted is not None
            if uncounted is None:
                self._append_part(Ranking.of(*_concatenate(batches)))
                return
        uncounted_rows = sum(map(np.count_nonzero, uncounted))
        if uncounted_rows:
            remaining_rows = [
                (s[mask], p[mask]) for (s, p), mask in zip(batches, uncounted, strict=True)
            ]
            self._append_part(Ranking.of(*_concatenate(remaining_rows)))
            rows = sum(len(scores) for scores, _ in batches)
            if 2 * uncounted_rows > rows or self._overflows():
                self._grid = self._choose_grid(self._ranking_outside_even_cells())

    def _overflows(self) -> bool:
        return sum(part.distinct for part in self._parts) > self.most

    def _ranking_outside_even_cells(self, *new_parts: Ranking) -> Ranking:
        """Ranking of all rows outside `EvenCells`, from which a new grid is chosen."""
        self._parts += self._grid.rankings() if self._grid else []
        self._grid = None
        return merge_rankings([*self._parts, *new_parts])

    def _rankings_of_cells(self) -> list[Ranking]:
        rankings = self._grid.rankings() if self._grid else []
        return [*rankings, self._even_cells.ranking()] if self._even_cells else rankings

    def _can_be_exact(self, sample: Ranking) -> bool:
        return sample.exact and sample.distinct <= self.most

    def _try_even_cells(self, sample: Ranking) -> bool:
        """Try `EvenCells`, once, if not every score can be kept; return whether they fit."""
        if not self._may_try_even_cells or self._can_be_exact(sample):
            return False
        self._may_try_even_cells = False
        self._even_cells = EvenCells.fitting(sample, self.most)
        return self._even_cells is not None

    def _choose_grid(self, sample: Ranking) -> Grid:
        """Choose a grid for rows like the sample's; it is exact if there are few enough scores."""
        exact = self._can_be_exact(sample)
        cells = min(max(8 * sample.distinct, MIN_CELLS), MAX_CELLS) if exact else self.most // 4
        return Grid(sample, max(cells, MIN_CELLS), exact=exact)

    def _append_part(self, part: Ranking) -> None:
        self._parts.append(part)
        if sum(ranking.distinct for ranking in self._parts) > MERGE_FACTOR * self.most:
            self._parts = [merge_rankings(self._parts).within(self.most)]


def _concatenate(batches: list[tuple[Any, Any]]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    scores, positive = (np.concatenate(column) for column in zip(*batches, strict=True))
    return scores, positive


def _weighted_ranking(
    scores: NDArray[Any], positive: NDArray[np.bool_], weights: NDArray[Any], importance: bool
) -> Ranking:
    ranking = Ranking.of(scores, positive, weights)
    if not importance:
        return ranking
    squared_weights = weights.astype(np.float64) ** 2
    return replace(ranking, squares=Ranking.of(scores, positive, squared_weights))
