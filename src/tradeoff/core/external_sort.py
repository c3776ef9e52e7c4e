"""External sort: exact concordant pairs of more rows than fit into memory, by a second pass.

A ranking in bins says where to partition: every piece contains the rows between two of its
thresholds and is small enough to be sorted. Pieces that do not fit into memory together are
written to disk, as plain numbers, in a folder that the caller removes. Of a score that would fill
half a piece by itself, only the number of its rows is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.concordance import Pairs, twice_roc_area
from tradeoff.core.number_types import next_floats
from tradeoff.core.sort import Tally, tally_scores
from tradeoff.errors import InputError, StorageError

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

WAITING = 1 << 21
SCORE = 8
"""Bytes of a score."""
SPLITS = 32
"""Number of parts into which a piece that is too large is split."""


class ExternalSort:
    """Scores of a second pass, partitioned at thresholds of a ranking in bins.

    Args:
        ranking: Ranking of the rows, in bins.
        size: Number of rows of a piece, approximately.
        folder: Folder for pieces on disk; None keeps them in memory.
    """

    def __init__(self, ranking: Ranking, size: int, folder: Path | None = None) -> None:
        self.ranking = ranking
        self.sign = -1 if ranking.lower_is_positive else 1
        rows_above = ranking.true_positives + ranking.false_positives
        heavy = _heavy(ranking, size)
        evenly_spaced = np.searchsorted(rows_above, np.arange(size, rows_above[-1], size))
        indices = np.unique(np.concatenate([evenly_spaced, heavy - 1, heavy]))
        indices = indices[(indices > 0) & (indices < len(rows_above) - 1)]
        borders = self.sign * ranking.thresholds[indices]
        self.cut = PartitionedScores(
            borders, np.searchsorted(indices, heavy).tolist(), size, folder
        )

    def add(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        """Add rows in any order; in the end, all rows that were ranked."""
        self.cut.add(self.sign * scores, positive)

    def pairs(self) -> Pairs:
        """Concordant pairs of all rows, counted piece by piece from the highest scores down."""
        positives, negatives = int(self.ranking.positives), int(self.ranking.negatives)
        approximate_auc = self.ranking.twice_pairs_won() / (2 * positives * negatives)
        twice, above = 0, np.zeros(2, np.int64)
        sums = np.zeros((2, 2))
        for tally in self.cut.tallies():
            if len(tally.thresholds) > 1:
                sums += _moments(tally, above, (positives, negatives), approximate_auc)
                counts = np.array([int(tally.true_positives[-1]), int(tally.false_positives[-1])])
                twice += int(twice_roc_area(*tally[1:])) + 2 * int(above[0]) * int(counts[1])
                above += counts
        if above.tolist() != [positives, negatives]:
            raise InputError(
                f"{self.ranking.name}: the second pass read other rows than the first: the source "
                "changes, or its query returns a random sample."
            )
        correction = twice / (2 * positives * negatives) - approximate_auc
        # The sums of squares were taken around an approximate area.
        spread = (
            sums[1] - 2 * correction * sums[0] + correction**2 * np.array([positives, negatives])
        )
        return Pairs(int(twice), *np.maximum(spread, 0.0).tolist())


class PartitionedScores:
    """Scores partitioned into pieces by value, in memory or on disk, for an external sort.

    Args:
        borders: Lowest scores of all pieces but the last, descending.
        single: Pieces that can contain one score only: their rows are just counted.
        size: Intended number of rows of a piece.
        folder: Folder for pieces on disk; None keeps them in memory.
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
        """Add rows in any order."""
        self._waiting.append((scores, positive))
        self._gathered += len(scores)
        if self._gathered >= self.waiting:
            self._flush()

    def tallies(self) -> Iterator[Tally]:
        """Tally of each piece, from the highest scores down; a piece that is too large in parts."""
        self._flush()
        for piece in range(len(self.borders) + 1):
            if self._is_too_large(piece):
                yield from self._repartition(piece).tallies()
            else:
                yield self._tally(piece)

    def _flush(self) -> None:
        """Sort the waiting rows into their pieces."""
        if not self._gathered:
            return
        waiting, self._waiting, self._gathered = self._waiting, [], 0
        scores = np.concatenate([rows[0] for rows in waiting]).astype(np.float64)
        positive = np.concatenate([rows[1] for rows in waiting])
        for is_positive in (True, False):
            class_scores = np.sort(scores[positive] if is_positive else scores[~positive])
            # From the top: rows at or above the first border, then those above the next one.
            cuts = [len(class_scores), *np.searchsorted(class_scores, self.borders).tolist(), 0]
            for piece, (stop, start) in enumerate(pairwise(cuts)):
                if piece in self.counted:
                    self.counted[piece][not is_positive] += stop - start
                elif stop > start:
                    self._store(piece, is_positive, class_scores[start:stop])

    def _store(self, piece: int, is_positive: bool, scores: NDArray[np.float64]) -> None:
        if self.folder is None:
            self.parts.setdefault((piece, is_positive), []).append(scores)
            return
        try:
            with self._file(piece, is_positive).open("ab") as file:
                file.write(scores.data)  # tofile would not report that the disk is full
        except OSError as problem:
            raise StorageError(
                f"Temporary files in {self.folder.parent} cannot be written: "
                f"{problem.strerror or problem}. Free some space, choose another folder with "
                "TMPDIR, or allow more memory."
            ) from problem

    def _file(self, piece: int, is_positive: bool) -> Path:
        return Path(str(self.folder), f"{piece}-{'positive' if is_positive else 'negative'}")

    def _is_too_large(self, piece: int) -> bool:
        """Whether a piece on disk has far more rows than intended: a bin was too coarse."""
        if self.folder is None:
            return False
        files = [self._file(piece, is_positive) for is_positive in (True, False)]
        return sum(file.stat().st_size for file in files if file.exists()) > 4 * SCORE * self.size

    def _repartition(self, piece: int) -> PartitionedScores:
        """Rows of a piece, partitioned again at quantiles of a sample."""
        folder = Path(str(self.folder), f"{piece}-again")
        folder.mkdir()
        samples = [
            next(self._scores(piece, is_positive), np.zeros(0)) for is_positive in (True, False)
        ]
        partition = PartitionedScores(*_borders(np.concatenate(samples)), self.size, folder)
        for is_positive in (True, False):
            for scores in self._scores(piece, is_positive):
                partition.add(scores, np.full(len(scores), is_positive))
            self._file(piece, is_positive).unlink(missing_ok=True)
        return partition

    def _scores(self, piece: int, is_positive: bool) -> Iterator[NDArray[np.float64]]:
        """Scores of a piece in chunks of at most the intended size."""
        if self.folder is None:
            yield from self.parts.pop((piece, is_positive), [])
            return
        file = self._file(piece, is_positive)
        size = file.stat().st_size if file.exists() else 0
        for start in range(0, size, SCORE * self.size):
            yield np.fromfile(file, np.float64, self.size, offset=start)

    def _tally(self, piece: int) -> Tally:
        if piece in self.counted:
            # The value of the score does not matter: it is one, and above all that follow.
            return Tally(np.array([np.inf, 0.0]), *(np.array([0, n]) for n in self.counted[piece]))
        sides = [
            np.concatenate([np.zeros(0), *self._scores(piece, is_positive)])
            for is_positive in (True, False)
        ]
        positive = np.zeros(sum(map(len, sides)), np.bool_)
        positive[: len(sides[0])] = True
        return tally_scores(np.concatenate(sides), positive)


def _borders(sample: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[int]]:
    """Borders at which to partition rows like the sample's, and which pieces hold one score."""
    quantiles = np.sort(sample)[:: max(len(sample) // SPLITS, 1)]
    scores, multiplicities = np.unique(quantiles, return_counts=True)
    heavy = scores[multiplicities > 1]
    borders = np.unique(np.concatenate([scores, next_floats(heavy, np.inf)]))[::-1]
    return borders, np.flatnonzero(np.isin(borders, heavy)).tolist()


def _heavy(ranking: Ranking, size: int) -> NDArray[np.intp]:
    """Indices of single scores whose rows would fill half a piece."""
    rows = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
    single = np.ones(len(rows), np.bool_) if ranking.levels is None else ranking.levels[1:] == 0
    return np.flatnonzero(single & (2 * rows > size)) + 1


def exact_pairs(ranking: Ranking) -> Pairs:
    """Concordant pairs of a ranking without bins."""
    totals = int(ranking.positives), int(ranking.negatives)
    twice = int(ranking.twice_pairs_won())
    auc = twice / (2 * totals[0] * totals[1])
    sums = _moments(ranking.tally, np.zeros(2, np.int64), totals, auc)
    return Pairs(twice, *sums[1].tolist())


def _moments(
    tally: Tally, above: NDArray[np.int64], totals: tuple[int, int], approximate_auc: float
) -> NDArray[np.float64]:
    """Sums of placements around the approximate AUC, and of their squares, by class."""
    true_positives = tally.true_positives.astype(np.float64) + above[0]
    false_positives = tally.false_positives.astype(np.float64) + above[1]
    deviations = [
        1 - (false_positives[1:] + false_positives[:-1]) / (2 * totals[1]) - approximate_auc,
        (true_positives[1:] + true_positives[:-1]) / (2 * totals[0]) - approximate_auc,
    ]
    rows = [np.diff(true_positives), np.diff(false_positives)]
    return np.array(
        [[n @ x**power for n, x in zip(rows, deviations, strict=True)] for power in (1, 2)]
    )
