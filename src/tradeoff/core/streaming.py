"""A ranking that grows batch by batch and stays small, however many rows come."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.even_cells import EvenCells
from tradeoff.core.grid_cells import Grid
from tradeoff.core.merge import added
from tradeoff.core.numbers import require_numbers
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError

WAITING = 1 << 20
"""Rows that wait until there are enough of them to be worth the work."""
BYTES = 128
"""What a threshold takes while rankings are added."""
FEWEST_CELLS = 1 << 12
MOST_CELLS = 1 << 21
ROOM = 4
"""How many times the thresholds it may keep a ranking has at times."""


def first_rows(most: int) -> int:
    """How many rows are looked at first: if so many scores cannot all be kept, they show it."""
    return most + most // 8


class GrowingRanking:
    """Rows are added; what is kept are at most `most` thresholds, exact as long as they suffice.

    Few rows are kept as they are and ranked at the end. Many are counted in `EvenCells` or in a
    `Grid`, which the first of them have chosen; those that do not fit are ranked and added.

    Args:
        most: How many thresholds the ranking may have.
        waiting: How many rows are gathered at a time.
        lower_is_positive: Lower scores mean positive.

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
        self.first = first_rows(most)
        self.counts_in_cells = True
        self.sign = -1 if lower_is_positive else 1
        self._batches: list[tuple[Any, ...]] = []
        self._gathered = 0
        self._parts: list[Ranking] = []
        self._even: EvenCells | None = None
        self._grid: Grid | None = None
        self._fits: bool | None = None  # False: even a grid chosen for a batch did not fit it
        self._may_be_even = True

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
        scores, positive, weights = require_numbers(scores, positive, weights)
        scores = -scores if self.sign < 0 else scores
        if weights is None:
            scores, positive = self._not_in_even_cells(scores, positive)
        self._gather(scores, positive, weights, importance)

    def _not_in_even_cells(
        self, scores: NDArray[Any], positive: NDArray[np.bool_]
    ) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Count rows that lie in even cells, and give back the others."""
        if self._even is None:
            return scores, positive
        elsewhere = self._even.count(scores, positive)
        if not self._even.fits:
            self._parts.append(self._even.ranking())
            self._even = None
        return scores[elsewhere], positive[elsewhere]

    def _gather(self, scores: NDArray[Any], *more: Any) -> None:
        if not len(scores):
            return
        self._batches.append((scores, *more))
        self._gathered += len(scores)
        if self._gathered >= self._enough:
            self._take_in()

    @property
    def _enough(self) -> int:
        """How many rows are worth the work: the first shall show whether scores can be kept."""
        begun = self._even or self._grid or self._parts
        return self.waiting if begun else max(self.waiting, self.first)

    @property
    def bytes(self) -> int:
        """About how much memory it takes to add up what is held; rows that wait are not counted."""
        counts = sum(own.size for own in (self._grid, self._even) if own)
        return BYTES * sum(part.distinct for part in self._parts) + 16 * counts

    def shrink(self, most: int) -> None:
        """Keep fewer thresholds from now on."""
        if most >= self.most:
            return
        self.most = most
        self._parts += self._rankings_of_cells()
        self._grid = self._even = None
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
        parts = [*self._parts, *self._rankings_of_cells()]
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
                known = self._known(Ranking.of(*_joined(batches)))
                if self._choose_even_cells(known):
                    for batch in batches:
                        self._gather(*self._not_in_even_cells(*batch), None, False)
                    return
                self._grid = self._chosen(known)
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
                self._grid = self._chosen(self._known())

    def _overflows(self) -> bool:
        return sum(part.distinct for part in self._parts) > self.most

    def _known(self, *more: Ranking) -> Ranking:
        """All rows that are not in even cells, for which a new grid can be chosen."""
        self._parts += self._grid.rankings() if self._grid else []
        self._grid = None
        return added([*self._parts, *more])

    def _rankings_of_cells(self) -> list[Ranking]:
        found = self._grid.rankings() if self._grid else []
        return [*found, self._even.ranking()] if self._even else found

    def _may_be_kept(self, known: Ranking) -> bool:
        return known.exact and known.distinct <= self.most

    def _choose_even_cells(self, known: Ranking) -> bool:
        """Try even cells where scores cannot be kept; once is enough."""
        if not self._may_be_even or self._may_be_kept(known):
            return False
        self._may_be_even = False
        self._even = EvenCells.fitting(known, self.most)
        return self._even is not None

    def _chosen(self, known: Ranking) -> Grid:
        """A grid for rows like those known; it knows every score, as long as these may be kept."""
        exact = self._may_be_kept(known)
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
