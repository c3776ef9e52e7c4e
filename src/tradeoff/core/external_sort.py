"""Pieces: all scores once more, in as many parts as memory demands, so that pairs are exact.

A ranking in bins tells where to cut: every piece holds the rows between two of its thresholds,
small enough to be sorted. Pieces that do not fit into memory together wait on disk, as plain
numbers, in a folder that the caller removes. Of a score that would fill half a piece by itself,
only the number of its rows is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.concordance import Pairs, twice_area
from tradeoff.core.sort import Tally, tally
from tradeoff.errors import InputError, StorageError

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

WAITING = 1 << 21
SCORE = 8
"""The bytes of a score."""
AGAIN = 32
"""In how many parts a piece that is too large is cut."""


class Pieces:
    """The scores of each class, cut at thresholds of a ranking of the same rows.

    Args:
        ranking: The rows, in bins.
        size: How many rows a piece has, or little more.
        folder: Where pieces wait; None: in memory.
    """

    def __init__(self, ranking: Ranking, size: int, folder: Path | None = None) -> None:
        self.ranking = ranking
        self.sign = -1 if ranking.lower_is_positive else 1
        seen = ranking.true_positives + ranking.false_positives
        heavy = _heavy(ranking, size)
        even = np.searchsorted(seen, np.arange(size, seen[-1], size))
        at = np.unique(np.concatenate([even, heavy - 1, heavy]))
        at = at[(at > 0) & (at < len(seen) - 1)]
        borders = self.sign * ranking.thresholds[at]
        self.cut = Cut(borders, np.searchsorted(at, heavy).tolist(), size, folder)

    def add(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        """Add rows: in the end, those that were ranked, in any order."""
        self.cut.add(self.sign * scores, positive)

    def pairs(self) -> Pairs:
        """All pairs, counted piece by piece from the highest scores down."""
        positives, negatives = int(self.ranking.positives), int(self.ranking.negatives)
        about = self.ranking.twice_pairs_won() / (2 * positives * negatives)
        twice, above = 0, np.zeros(2, np.int64)
        sums = np.zeros((2, 2))
        for own in self.cut.tallies():
            if len(own.thresholds) > 1:
                sums += _moments(own, above, (positives, negatives), about)
                found = np.array([int(own.true_positives[-1]), int(own.false_positives[-1])])
                twice += int(twice_area(*own[1:])) + 2 * int(above[0]) * int(found[1])
                above += found
        if above.tolist() != [positives, negatives]:
            raise InputError(
                f"{self.ranking.name}: the second passage met other rows than the first: the "
                "source changes, or its query is a sample."
            )
        off = twice / (2 * positives * negatives) - about
        # The area was only about known when squares were added up.
        spread = sums[1] - 2 * off * sums[0] + off**2 * np.array([positives, negatives])
        return Pairs(int(twice), *np.maximum(spread, 0.0).tolist())


class Cut:
    """Rows cut into pieces that wait, in memory or on disk.

    Args:
        borders: The lowest scores of all pieces but the last, falling.
        single: Pieces that can hold one score alone: their rows are only counted.
        size: How many rows a piece should have.
        folder: Where pieces wait; None: in memory.
    """

    def __init__(
        self, borders: NDArray[Any], single: Iterable[int], size: int, folder: Path | None
    ) -> None:
        self.borders, self.size, self.folder = borders, size, folder
        self.counted = {piece: [0, 0] for piece in single}
        self.waiting = min(max(size // 4, 1 << 14), WAITING)
        self.parts: dict[tuple[int, bool], list[NDArray[Any]]] = {}
        self._waiting: list[tuple[NDArray[Any], NDArray[np.bool_]]] = []
        self._gathered = 0

    def add(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        """Add rows, in any order."""
        self._waiting.append((scores, positive))
        self._gathered += len(scores)
        if self._gathered >= self.waiting:
            self._take_in()

    def tallies(self) -> Iterator[Tally]:
        """The rows of each piece, from the highest scores down; one that is too large in parts."""
        self._take_in()
        for piece in range(len(self.borders) + 1):
            if self._outgrew(piece):
                yield from self._cut_again(piece).tallies()
            else:
                yield self._tally(piece)

    def _take_in(self) -> None:
        if not self._gathered:
            return
        waiting, self._waiting, self._gathered = self._waiting, [], 0
        scores = np.concatenate([rows[0] for rows in waiting]).astype(np.float64)
        positive = np.concatenate([rows[1] for rows in waiting])
        for is_positive in (True, False):
            own = np.sort(scores[positive] if is_positive else scores[~positive])
            # From the top: rows at or above the first border, then those above the next one.
            cuts = [len(own), *np.searchsorted(own, self.borders).tolist(), 0]
            for piece, (stop, start) in enumerate(pairwise(cuts)):
                if piece in self.counted:
                    self.counted[piece][not is_positive] += stop - start
                elif stop > start:
                    self._keep(piece, is_positive, own[start:stop])

    def _keep(self, piece: int, is_positive: bool, scores: NDArray[np.float64]) -> None:
        if self.folder is None:
            self.parts.setdefault((piece, is_positive), []).append(scores)
            return
        try:
            with self._file(piece, is_positive).open("ab") as file:
                file.write(scores.data)  # tofile would not say that the disk is full
        except OSError as problem:
            raise StorageError(
                f"Rows that wait on disk in {self.folder.parent} cannot be written: "
                f"{problem.strerror or problem}. Free some space, choose another folder with "
                "TMPDIR, or allow more memory."
            ) from problem

    def _file(self, piece: int, is_positive: bool) -> Path:
        return Path(str(self.folder), f"{piece}-{'positive' if is_positive else 'negative'}")

    def _outgrew(self, piece: int) -> bool:
        """Whether a piece on disk has far more rows than it should: a bin was too coarse."""
        if self.folder is None:
            return False
        files = [self._file(piece, is_positive) for is_positive in (True, False)]
        return sum(file.stat().st_size for file in files if file.exists()) > 4 * SCORE * self.size

    def _cut_again(self, piece: int) -> Cut:
        """The rows of a piece, cut where some of them lie."""
        folder = Path(str(self.folder), f"{piece}-again")
        folder.mkdir()
        some = [next(self._scores(piece, own), np.zeros(0)) for own in (True, False)]
        again = Cut(*_borders(np.concatenate(some)), self.size, folder)
        for is_positive in (True, False):
            for scores in self._scores(piece, is_positive):
                again.add(scores, np.full(len(scores), is_positive))
            self._file(piece, is_positive).unlink(missing_ok=True)
        return again

    def _scores(self, piece: int, is_positive: bool) -> Iterator[NDArray[np.float64]]:
        """The scores of a piece, as many at a time as it should have."""
        if self.folder is None:
            yield from self.parts.pop((piece, is_positive), [])
            return
        file = self._file(piece, is_positive)
        size = file.stat().st_size if file.exists() else 0
        for start in range(0, size, SCORE * self.size):
            yield np.fromfile(file, np.float64, self.size, offset=start)

    def _tally(self, piece: int) -> Tally:
        if piece in self.counted:
            # Which score it is does not matter: it is one, and above all that follow.
            return Tally(np.array([np.inf, 0.0]), *(np.array([0, n]) for n in self.counted[piece]))
        sides = [
            np.concatenate([np.zeros(0), *self._scores(piece, is_positive)])
            for is_positive in (True, False)
        ]
        positive = np.zeros(sum(map(len, sides)), np.bool_)
        positive[: len(sides[0])] = True
        return tally(np.concatenate(sides), positive)


def _borders(some: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[int]]:
    """Where to cut rows like these, and which pieces then hold one score alone."""
    ends = np.sort(some)[:: max(len(some) // AGAIN, 1)]
    scores, times = np.unique(ends, return_counts=True)
    heavy = scores[times > 1]
    borders = np.unique(np.concatenate([scores, np.nextafter(heavy, np.inf)]))[::-1]
    return borders, np.flatnonzero(np.isin(borders, heavy)).tolist()


def _heavy(ranking: Ranking, size: int) -> NDArray[np.intp]:
    """Places of single scores that so many rows share that they would fill half a piece."""
    rows = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
    single = np.ones(len(rows), np.bool_) if ranking.levels is None else ranking.levels[1:] == 0
    return np.flatnonzero(single & (2 * rows > size)) + 1


def pairs_of(ranking: Ranking) -> Pairs:
    """The pairs of a ranking that is exact itself."""
    totals = int(ranking.positives), int(ranking.negatives)
    twice = int(ranking.twice_pairs_won())
    area = twice / (2 * totals[0] * totals[1])
    sums = _moments(ranking.tally, np.zeros(2, np.int64), totals, area)
    return Pairs(twice, *sums[1].tolist())


def _moments(
    own: Tally, above: NDArray[np.int64], totals: tuple[int, int], about: float
) -> NDArray[np.float64]:
    """Sums of how far placements are from about the area, and of their squares, by class."""
    found = own.true_positives.astype(np.float64) + above[0]
    alarms = own.false_positives.astype(np.float64) + above[1]
    off = [
        1 - (alarms[1:] + alarms[:-1]) / (2 * totals[1]) - about,
        (found[1:] + found[:-1]) / (2 * totals[0]) - about,
    ]
    rows = [np.diff(found), np.diff(alarms)]
    return np.array([[n @ x**power for n, x in zip(rows, off, strict=True)] for power in (1, 2)])
