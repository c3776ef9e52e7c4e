"""External sort: concordant pairs of more rows than fit into memory, counted in a second pass.

A binned ranking determines where to partition: every piece contains the rows between two of its
thresholds and is small enough to be sorted. If the pieces do not fit into memory together, they are
written to disk as raw floats, in a folder that the caller removes. If the rows of a single score
would fill half a piece, only their number is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.concordance import Pairs, placement_sums, twice_pairs_from_counts
from tradeoff.core.number_types import next_floats
from tradeoff.core.sort import Tally, tally_scores
from tradeoff.errors import InputError, StorageError

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

MAX_BUFFERED_ROWS = 1 << 21
SCORE_BYTES = 8
PARTS_PER_SPLIT = 32
"""Number of parts into which a piece that is too large is split."""


class ExternalSort:
    """Scores of a second pass, partitioned at thresholds of a binned ranking.

    Args:
        ranking: Binned ranking of the rows.
        size: Approximate number of rows in a piece.
        folder: Folder for pieces on disk; None keeps them in memory.
    """

    def __init__(self, ranking: Ranking, size: int, folder: Path | None = None) -> None:
        self.ranking = ranking
        self.sign = -1 if ranking.lower_is_positive else 1
        rows_above = ranking.true_positives + ranking.false_positives
        heavy_indices = _heavy_score_indices(ranking, size)
        quantile_indices = np.searchsorted(rows_above, np.arange(size, rows_above[-1], size))
        indices = np.unique(np.concatenate([quantile_indices, heavy_indices - 1, heavy_indices]))
        indices = indices[(indices > 0) & (indices < len(rows_above) - 1)]
        borders = self.sign * ranking.thresholds[indices]
        self.partition = PartitionedScores(
            borders, np.searchsorted(indices, heavy_indices).tolist(), size, folder
        )

    def add(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        """Add rows, in any order; eventually all rows of the ranking must be added."""
        self.partition.add(self.sign * scores, positive)

    def pairs(self) -> Pairs:
        """Concordant pairs among all rows, counted piece by piece from the highest scores down."""
        positives, negatives = int(self.ranking.positives), int(self.ranking.negatives)
        approximate_auc = self.ranking.twice_pairs_won() / (2 * positives * negatives)
        twice_won, rows_above = 0, np.zeros(2, np.int64)
        sums = np.zeros((2, 2))
        for tally in self.partition.tallies():
            if len(tally.thresholds) > 1:
                sums += placement_sums(tally, rows_above, (positives, negatives), approximate_auc)
                counts = np.array([int(tally.true_positives[-1]), int(tally.false_positives[-1])])
                twice_won += int(twice_pairs_from_counts(*tally[1:]))
                twice_won += 2 * int(rows_above[0]) * int(counts[1])
                rows_above += counts
        if rows_above.tolist() != [positives, negatives]:
            raise InputError(
                f"{self.ranking.name}: the second pass read different rows from the first: either "
                "the source is changing, or its query returns a random sample."
            )
        correction = twice_won / (2 * positives * negatives) - approximate_auc
        # The sums of squares were computed around an approximate AUC.
        squares = (
            sums[1] - 2 * correction * sums[0] + correction**2 * np.array([positives, negatives])
        )
        return Pairs(int(twice_won), *np.maximum(squares, 0.0).tolist())


class PartitionedScores:
    """Scores partitioned by value into pieces, in memory or on disk, for an external sort.

    Args:
        borders: Lowest scores of all pieces but the last, descending.
        single_score_pieces: Pieces that can contain only one score, whose rows are only counted.
        size: Intended number of rows in a piece.
        folder: Folder for pieces on disk; None keeps them in memory.
    """

    def __init__(
        self,
        borders: NDArray[Any],
        single_score_pieces: Iterable[int],
        size: int,
        folder: Path | None,
    ) -> None:
        self.borders, self.size, self.folder = borders, size, folder
        self.class_counts = {piece: [0, 0] for piece in single_score_pieces}
        self.max_buffered_rows = min(max(size // 4, 1 << 14), MAX_BUFFERED_ROWS)
        self.parts: dict[tuple[int, bool], list[NDArray[Any]]] = {}
        self._buffer: list[tuple[NDArray[Any], NDArray[np.bool_]]] = []
        self._buffered_rows = 0

    def add(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        """Add rows, in any order."""
        self._buffer.append((scores, positive))
        self._buffered_rows += len(scores)
        if self._buffered_rows >= self.max_buffered_rows:
            self._flush()

    def tallies(self) -> Iterator[Tally]:
        """Tally of each piece, from the highest scores down; a piece that is too large is split."""
        self._flush()
        for piece in range(len(self.borders) + 1):
            if self._is_too_large(piece):
                yield from self._repartition(piece).tallies()
            else:
                yield self._tally(piece)

    def _flush(self) -> None:
        """Distribute the buffered rows among their pieces."""
        if not self._buffered_rows:
            return
        buffer, self._buffer, self._buffered_rows = self._buffer, [], 0
        scores = np.concatenate([rows[0] for rows in buffer]).astype(np.float64)
        positive = np.concatenate([rows[1] for rows in buffer])
        for is_positive in (True, False):
            class_scores = np.sort(scores[positive] if is_positive else scores[~positive])
            # From the top: rows at or above the first border, then those at or above the next one.
            cuts = [len(class_scores), *np.searchsorted(class_scores, self.borders).tolist(), 0]
            for piece, (stop, start) in enumerate(pairwise(cuts)):
                if piece in self.class_counts:
                    self.class_counts[piece][not is_positive] += stop - start
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
        """Whether a piece on disk has far more rows than intended, because a bin was too coarse."""
        if self.folder is None:
            return False
        files = [self._file(piece, is_positive) for is_positive in (True, False)]
        return (
            sum(file.stat().st_size for file in files if file.exists())
            > 4 * SCORE_BYTES * self.size
        )

    def _repartition(self, piece: int) -> PartitionedScores:
        """Partition the rows of a piece again, at quantiles of a sample."""
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
        for start in range(0, size, SCORE_BYTES * self.size):
            yield np.fromfile(file, np.float64, self.size, offset=start)

    def _tally(self, piece: int) -> Tally:
        if piece in self.class_counts:
            # The value of the piece's only score does not matter.
            return Tally(
                np.array([np.inf, 0.0]), *(np.array([0, n]) for n in self.class_counts[piece])
            )
        class_scores = [
            np.concatenate([np.zeros(0), *self._scores(piece, is_positive)])
            for is_positive in (True, False)
        ]
        positive = np.zeros(sum(map(len, class_scores)), np.bool_)
        positive[: len(class_scores[0])] = True
        return tally_scores(np.concatenate(class_scores), positive)


def _borders(sample: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[int]]:
    """Borders at which to partition rows like the sample's, and the single-score pieces."""
    quantiles = np.sort(sample)[:: max(len(sample) // PARTS_PER_SPLIT, 1)]
    scores, multiplicities = np.unique(quantiles, return_counts=True)
    heavy_scores = scores[multiplicities > 1]
    borders = np.unique(np.concatenate([scores, next_floats(heavy_scores, np.inf)]))[::-1]
    return borders, np.flatnonzero(np.isin(borders, heavy_scores)).tolist()


def _heavy_score_indices(ranking: Ranking, size: int) -> NDArray[np.intp]:
    """Indices of scores whose rows would each fill half a piece."""
    rows = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
    is_single = np.ones(len(rows), np.bool_) if ranking.levels is None else ranking.levels[1:] == 0
    return np.flatnonzero(is_single & (2 * rows > size)) + 1
