"""Resamples of a ranking: many rankings of the same scores at once, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.sort import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking


@dataclass(frozen=True, eq=False)
class Resamples:
    """Many rankings of the scores of `pattern`: one line a resample, one column a threshold.

    Rejected rows are columns of one number a resample, so that all counts broadcast.
    """

    pattern: Ranking
    tally: Tally
    rejected_positives: NDArray[Any]
    rejected_negatives: NDArray[Any]

    @classmethod
    def of_counts(
        cls,
        pattern: Ranking,
        positives: NDArray[Any],
        negatives: NDArray[Any],
        rejected: tuple[NDArray[Any], NDArray[Any]] | None = None,
    ) -> Resamples:
        """The resamples that have so many positive and negative rows of each score."""
        none = np.zeros((len(positives), 1), np.int64)
        sides = (_cumulative(side) for side in (positives, negatives))
        return cls(pattern, Tally(pattern.tally.thresholds, *sides), *(rejected or (none, none)))

    def areas(self) -> NDArray[np.float64]:
        """The area under the ROC curve of each resample; NaN where a class is missing."""
        y, x = (side.astype(np.float64) for side in self.tally[1:])
        twice = np.einsum("ij,ij->i", np.diff(x, axis=1), y[:, 1:] + y[:, :-1])
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(twice / (2 * y[:, -1] * x[:, -1]))

    def __len__(self) -> int:
        """How many resamples there are."""
        return len(self.tally.true_positives)

    def __iter__(self) -> Iterator[Ranking]:
        """Each resample as a ranking of the scores that it has."""
        for line in range(len(self)):
            yield self._ranking(line, occupied(self._tally(line)))

    def _tally(self, line: int) -> Tally:
        thresholds, true_positives, false_positives = self.tally
        return Tally(thresholds, true_positives[line], false_positives[line])

    def _ranking(self, line: int, tally: Tally) -> Ranking:
        return replace(
            self.pattern,
            tally=tally,
            levels=None,  # rows are resampled with the scores of their bins
            rejected_positives=self.rejected_positives[line, 0],
            rejected_negatives=self.rejected_negatives[line, 0],
            squares=None,
        )


def occupied(tally: Tally) -> Tally:
    """The tally without scores that no row has."""
    rows = tally.true_positives + tally.false_positives
    there = np.empty(len(rows), np.bool_)
    there[0] = True
    np.not_equal(rows[1:], rows[:-1], out=there[1:])
    return tally if there.all() else Tally(*(column[there] for column in tally))


def _cumulative(counts: NDArray[Any]) -> NDArray[Any]:
    column = np.zeros((len(counts), counts.shape[1] + 1), counts.dtype)
    np.cumsum(counts, axis=1, out=column[:, 1:])
    return column
