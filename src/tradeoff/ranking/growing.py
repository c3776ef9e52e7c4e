"""A ranking that grows batch by batch and stays small, however many rows come."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tradeoff.errors import InputError
from tradeoff.ranking.adding import added
from tradeoff.ranking.grid import Grid
from tradeoff.ranking.kernel import Tally
from tradeoff.ranking.ranking import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

WAITING = 1 << 19
"""Rows that wait until there are enough of them to be worth the work."""
BYTES = 128
"""What a threshold takes while rankings are added."""
FEWEST_CELLS = 1 << 12
MOST_CELLS = 1 << 21
ROOM = 4
"""How many times the thresholds it may keep a ranking has at times."""


class GrowingRanking:
    """Rows are added; what is kept are at most `most` thresholds, exact as long as they suffice.

    Few rows are kept as they are and ranked at the end. Many are counted in a `Grid` that the
    first of them have chosen; those that do not fit it are ranked and added.

    Args:
        most: How many thresholds the ranking may have.
        waiting: How many rows are gathered at a time.
        lower_is_positive: Low scores speak for the positive class.

    Example:
        >>> growing = GrowingRanking()
        >>> growing.add(np.array([0.9, 0.4]), np.array([True, False]))
        >>> growing.add(np.array([0.4]), np.array([True]))
        >>> growing.ranking(name="model")
        Ranking(model: 3 rows, 2 'positive' and 1 'negative', 2 distinct scores)
    """

    def __init__(
        self, most: int = 1_000_000, *, waiting: int = WAITING, lower_is_positive: bool = False
    ) -> None:
        self.most = most
        self.waiting = waiting
        self.first = most
        self.counts_in_cells = True
        self.sign = -1 if lower_is_positive else 1
        self._batches: list[tuple[Any, ...]] = []
        self._gathered = 0
        self._parts: list[Ranking] = []
        self._grid: Grid | None = None
        self._fits: bool | None = None  # False: even a grid chosen for a batch did not fit it

    def add(
        self,
        scores: NDArray[Any],
        positive: NDArray[np.bool_],
        weights: NDArray[Any] | None = None,
        *,
        importance: bool = False,
    ) -> None:
        """Add checked rows: scores without NaN; weights are importances, or else frequencies.

        The arrays are kept for a while and must not change.
        """
        scores = -scores if self.sign < 0 else scores
        self._batches.append((scores, positive, weights, importance))
        self._gathered += len(scores)
        if self._gathered >= self._enough:
            self._take_in()

    @property
    def _enough(self) -> int:
        """How many rows are worth the work: the first shall show whether scores can be kept."""
        return self.waiting if self._grid or self._parts else max(self.waiting, self.first)

    @property
    def bytes(self) -> int:
        """About how much memory it takes to add up what is held; rows that wait are not counted."""
        counts = self._grid.size if self._grid else 0
        return BYTES * sum(part.distinct for part in self._parts) + 16 * counts

    def shrink(self, most: int) -> None:
        """Keep fewer thresholds from now on."""
        if most >= self.most:
            return
        self.most = most
        self._parts += self._grid.rankings() if self._grid else []
        self._grid = None
        if self._parts:
            self._parts = [added(self._parts).within(most)]

    def __iadd__(self, batch: Ranking) -> Self:
        """Add rows that are ranked already."""
        if batch.lower_is_positive != (self.sign < 0):
            raise InputError(
                "These rankings mean different scores: in one of them low is positive."
            )
        self._keep(self._turned(batch, lower=False))
        return self

    def ranking(self, **described: Any) -> Ranking:
        """All rows so far; more may still be added."""
        self._take_in()
        parts = [*self._parts, *(self._grid.rankings() if self._grid else ())]
        if not parts:
            nothing = np.zeros(0)
            lower = self.sign < 0
            return Ranking.of(nothing, nothing > 0, lower_is_positive=lower, **described)
        whole = added(parts).within(self.most)
        return replace(self._turned(whole), **described)

    def _turned(self, ranking: Ranking, *, lower: bool = True) -> Ranking:
        """Thresholds as they were given, or all high ones positive, as they are held."""
        if self.sign > 0:
            return ranking
        high = ranking.tally
        tally = Tally(self.sign * high.thresholds + 0.0, high.true_positives, high.false_positives)
        squares = ranking.squares and self._turned(ranking.squares, lower=lower)
        return replace(ranking, tally=tally, squares=squares, lower_is_positive=lower)

    def _take_in(self) -> None:
        if not self._gathered:
            return
        batches, self._batches, self._gathered = self._batches, [], 0
        if any(batch[2] is not None for batch in batches):
            scores, positive, weights = (
                np.concatenate(c) for c in list(zip(*batches, strict=True))[:3]
            )
            self._keep(_weighed(scores, positive, weights, any(batch[3] for batch in batches)))
        else:
            self._count([batch[:2] for batch in batches])

    def _count(self, batches: list[tuple[Any, Any]]) -> None:
        strays = self._grid.count(batches) if self._grid else None
        if strays is None:
            # A grid pays where more is to come: the last batch is smaller, as a rule.
            rows = sum(len(scores) for scores, _ in batches)
            if self.counts_in_cells and self._fits is not False and rows >= self._enough:
                self._grid = self._chosen(Ranking.of(*_joined(batches)))
                strays = self._grid.count(batches)
                self._fits = strays is not None
            if strays is None:
                self._keep(Ranking.of(*_joined(batches)))
                return
        left = sum(map(np.count_nonzero, strays))
        if left:
            odd = [(s[own], p[own]) for (s, p), own in zip(batches, strays, strict=True)]
            self._keep(Ranking.of(*_joined(odd)))
            rows = sum(len(scores) for scores, _ in batches)
            if 2 * left > rows or self._overflows():
                self._grid = self._chosen()

    def _overflows(self) -> bool:
        return sum(part.distinct for part in self._parts) > self.most

    def _chosen(self, *more: Ranking) -> Grid:
        """A grid for rows like those so far; it knows every score, as long as these may be kept."""
        self._parts += self._grid.rankings() if self._grid else []
        known = added([*self._parts, *more])
        exact = known.exact and known.distinct <= self.most
        cells = min(max(8 * known.distinct, FEWEST_CELLS), MOST_CELLS) if exact else self.most // 4
        return Grid(known, max(cells, FEWEST_CELLS), exact=exact)

    def _keep(self, part: Ranking) -> None:
        self._parts.append(part)
        if sum(one.distinct for one in self._parts) > ROOM * self.most:
            self._parts = [added(self._parts).within(self.most)]


def _joined(batches: list[tuple[Any, Any]]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    scores, positive = (np.concatenate(column) for column in zip(*batches, strict=True))
    return scores, positive


def _weighed(
    scores: NDArray[Any], positive: NDArray[np.bool_], weights: NDArray[Any], importance: bool
) -> Ranking:
    ranking = Ranking.of(scores, positive, weights)
    if not importance:
        return ranking
    squared = weights.astype(np.float64) ** 2
    return replace(ranking, squares=Ranking.of(scores, positive, squared))
