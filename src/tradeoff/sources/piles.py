"""Rankings in the making: one pile of rows for each model, and each of its folds and segments."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.core.sort import Tally
from tradeoff.core.streaming import BYTES, WAITING, GrowingRanking

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.sources.ranked import Choices, Effort

BYTES_PER_ROW = 64
ENOUGH_FOR_CELLS = 1 << 17
"""A grid of cells takes some megabytes, whatever it counts; those of whole models are few."""
FEWEST = 1000
"""However little memory there is, a ranking keeps so many thresholds."""


class Rows(NamedTuple):
    """Checked rows of one batch; scores may be missing where `absent` says so."""

    scores: NDArray[Any]
    positive: NDArray[np.bool_]
    weights: NDArray[Any] | None = None
    absent: NDArray[np.bool_] | None = None

    def among(self, which: Any) -> Rows:
        """Some of them."""
        weights = None if self.weights is None else self.weights[which]
        absent = None if self.absent is None else self.absent[which]
        return Rows(self.scores[which], self.positive[which], weights, absent)


class PileKey(NamedTuple):
    """Whose rows a pile holds; all rows of a model where it is of no fold or segment."""

    model: str
    role: str = ""
    value: str = ""


@dataclass(eq=False)
class Pile:
    """The rows of one ranking; those without a score may be rejected, and are only counted then."""

    growing: GrowingRanking
    rejected_rows: int = 0
    rejected: NDArray[Any] = field(default_factory=lambda: np.zeros((2, 2)))

    def add(self, rows: Rows, missing: str, *, importance: bool) -> None:
        """Rows without a score are left out or rejected; those that rank last have one by now."""
        if rows.absent is not None and rows.absent.any():
            if missing == "reject":
                self._reject(rows.among(rows.absent))
            rows = rows.among(~rows.absent)
        self.growing.add(*rows[:3], importance=importance)

    def _reject(self, rows: Rows) -> None:
        own = np.ones(len(rows.positive)) if rows.weights is None else rows.weights
        self.rejected_rows += len(rows.positive)
        for power in (1, 2):
            counted = own.astype(np.float64) ** power
            positives = counted[rows.positive].sum()
            self.rejected[power - 1] += positives, counted.sum() - positives

    def ranking(self, *, whole: bool, **described: Any) -> Ranking:
        """The rows so far; `whole` says that weights are whole numbers, or that there are none."""
        found = self.growing.ranking(**described)
        kind: Any = int if whole else float
        own, squared = (
            {"rejected_positives": kind(p), "rejected_negatives": kind(n)} for p, n in self.rejected
        )
        rows = found.rows + self.rejected_rows
        squares = found.squares and replace(found.squares, rows=rows, **described, **squared)
        return replace(found, rows=rows, squares=squares, **own)


def as_frequencies(ranking: Ranking) -> Ranking:
    """The ranking of weights that are whole numbers after all: they count rows."""
    thresholds, *counts = ranking.tally
    tally = Tally(thresholds, *(np.round(column).astype(np.int64) for column in counts))
    rows = replace(
        ranking,
        tally=tally,
        rejected_positives=int(ranking.rejected_positives),
        rejected_negatives=int(ranking.rejected_negatives),
        squares=None,
    )
    return rows.with_pairs(ranking.pairs)


class Piles:
    """All piles of one passage, which share the memory that there is."""

    def __init__(
        self,
        choices: Choices,
        effort: Effort,
        *,
        importance: bool,
        in_cells: bool = True,
    ) -> None:
        self.choices, self.effort, self.importance = choices, effort, importance
        self.in_cells = in_cells
        self.piles: dict[PileKey, Pile] = {}
        self.room = effort.share
        self._shared = 0
        self._met: dict[str, set[str]] = {}

    def add(self, model: str, rows: Rows, parts: Mapping[tuple[str, str], Any]) -> None:
        """Add the rows of a batch, to the pile of all and to those of the parts they are in."""
        missing = self.choices.missing
        self._pile(PileKey(model)).add(rows, missing, importance=self.importance)
        for (role, value), which in parts.items():
            own = self._pile(PileKey(model, role, value))
            own.add(rows.among(which), missing, importance=self.importance)
        self._keep_to_room()

    def take(self, model: str, ranking: Ranking) -> None:
        """Add rows that are ranked already."""
        self._pile(PileKey(model)).growing += ranking
        self._keep_to_room()

    def ranking(self, key: PileKey, *, whole: bool, **described: Any) -> Ranking:
        """The ranking of a pile; that of no rows, where none came."""
        return self._pile(key).ranking(whole=whole, **described)

    def meet(self, role: str, values: Iterable[str]) -> None:
        """Take note of folds or segments, which are there even if none of their rows counts."""
        self._met.setdefault(role, set()).update(values)

    def values(self, role: str) -> set[str]:
        """The folds or segments that were met."""
        return self._met.get(role, set())

    def _pile(self, key: PileKey) -> Pile:
        if key not in self.piles:
            lower = self.choices.lower_is_positive
            most = min(self.effort.most, max(self.room // BYTES, FEWEST))
            growing = GrowingRanking(most, lower_is_positive=lower)
            self.piles[key] = Pile(growing)
            # All are looked at again only when they are half as many more.
            if len(self.piles) > 1.5 * self._shared:
                self._share()
            else:
                self._give(key)
        return self.piles[key]

    def most(self, model: str) -> int:
        """How many thresholds the ranking of a model may have, by now."""
        return self._pile(PileKey(model)).growing.most

    def _share(self) -> None:
        """The more piles there are, the fewer rows may wait in each."""
        self._shared = len(self.piles)
        for key in self.piles:
            self._give(key)

    def _give(self, key: PileKey) -> None:
        rows = max(self.room // int(1.5 * self._shared) // BYTES_PER_ROW, FEWEST)
        growing = self.piles[key].growing
        growing.waiting = min(rows, WAITING)
        growing.counts_in_cells = self.in_cells and (not key.role or rows >= ENOUGH_FOR_CELLS)
        growing.first = min(rows, growing.most)

    def _keep_to_room(self) -> None:
        """Where rankings grow larger than there is room for, all keep fewer thresholds."""
        if sum(pile.growing.bytes for pile in self.piles.values()) < self.room:
            return
        each = self.room // BYTES // len(self.piles) // 2
        for pile in self.piles.values():
            pile.growing.shrink(max(each, FEWEST))
