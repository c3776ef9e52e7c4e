"""Bootstrap resamples of a ranking as arrays: many rankings of the same scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally


@dataclass(frozen=True, eq=False)
class Resamples:
    """Bootstrap resamples of a ranking: one array row per resample, one column per threshold.

    Scalars of a ranking, such as its number of positives, are column vectors here, with one value
    per resample, so that all counts broadcast.
    """

    original: Ranking
    tally: Tally
    rejected_positives: NDArray[Any]
    rejected_negatives: NDArray[Any]

    @classmethod
    def of_counts(
        cls,
        original: Ranking,
        positives: NDArray[Any],
        negatives: NDArray[Any],
        rejected: tuple[NDArray[Any], NDArray[Any]] | None = None,
    ) -> Resamples:
        """Resamples with the given numbers of positives and negatives at each score."""
        zeros = np.zeros((len(positives), 1), np.int64)
        cumulative_counts = (_cumulative(counts) for counts in (positives, negatives))
        return cls(
            original,
            Tally(original.tally.thresholds, *cumulative_counts),
            *(rejected or (zeros, zeros)),
        )

    @property
    def true_positives(self) -> NDArray[Any]:
        """Positive rows at or above each threshold."""
        return self.tally.true_positives

    @property
    def false_positives(self) -> NDArray[Any]:
        """Negative rows at or above each threshold."""
        return self.tally.false_positives

    @property
    def positives(self) -> NDArray[Any]:
        """Number of ranked positives in each resample."""
        return self.true_positives[:, -1:]

    @property
    def negatives(self) -> NDArray[Any]:
        """Number of ranked negatives in each resample."""
        return self.false_positives[:, -1:]

    @property
    def total(self) -> NDArray[Any]:
        """Number of rows in each resample, including rejected ones."""
        rejected = self.rejected_positives + self.rejected_negatives
        return np.asarray(self.positives + self.negatives + rejected)

    @property
    def is_counted(self) -> bool:
        """Whether counts are whole numbers of rows, not sums of real-valued weights."""
        return self.true_positives.dtype.kind == "i"

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of resamples and thresholds."""
        return self.true_positives.shape

    def matrices(self, indices: Any) -> ConfusionMatrix:
        """Confusion matrices of selected resamples at selected indices (slices or a mask)."""
        columns = (self.positives, self.negatives, self.rejected_positives, self.rejected_negatives)
        positives, negatives, *rejected = (
            np.broadcast_to(column, self.shape)[indices] for column in columns
        )
        true_positives, false_positives = (
            self.true_positives[indices],
            self.false_positives[indices],
        )
        return ConfusionMatrix(
            true_positives,
            positives - true_positives,
            false_positives,
            negatives - false_positives,
            *rejected,
        )

    def at_place(self, index: int | NDArray[np.intp]) -> ConfusionMatrix:
        """Confusion matrices at one index, or at one index per resample (a column)."""
        indices = np.broadcast_to(index, (len(self), 1))
        true_positives, false_positives = (
            np.take_along_axis(counts, indices, 1) for counts in self.tally[1:]
        )
        rejected = self.rejected_positives, self.rejected_negatives
        return ConfusionMatrix(
            true_positives,
            self.positives - true_positives,
            false_positives,
            self.negatives - false_positives,
            *rejected,
        )

    def at_prevalence(self, prevalence: float | None) -> Resamples:
        """Resamples reweighted to another prevalence; NaN where a class is missing."""
        if prevalence is None:
            return self
        positives = self.positives + self.rejected_positives
        negatives = self.negatives + self.rejected_negatives
        total = positives + negatives
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.weighed(
                prevalence * total / positives, (1 - prevalence) * total / negatives
            )

    def weighed(
        self, positive_factor: NDArray[np.float64], negative_factor: NDArray[np.float64]
    ) -> Resamples:
        """Resamples with the counts of each class multiplied by a factor per resample."""
        with np.errstate(invalid="ignore"):
            tally = Tally(
                self.tally.thresholds,
                self.true_positives * positive_factor,
                self.false_positives * negative_factor,
            )
            rejected = (
                self.rejected_positives * positive_factor,
                self.rejected_negatives * negative_factor,
            )
        return Resamples(self.original, tally, *rejected)

    def aucs(self) -> NDArray[np.float64]:
        """AUC of each resample; NaN where a class is missing."""
        y, x = (counts.astype(np.float64) for counts in self.tally[1:])
        twice_areas = np.einsum("ij,ij->i", np.diff(x, axis=1), y[:, 1:] + y[:, :-1])
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(twice_areas / (2 * y[:, -1] * x[:, -1]))

    def __len__(self) -> int:
        """Number of resamples."""
        return len(self.tally.true_positives)

    def __iter__(self) -> Iterator[Ranking]:
        """Each resample as a ranking of the scores it contains."""
        for replicate in range(len(self)):
            yield self._ranking(replicate, drop_empty_scores(self._tally(replicate)))

    def ranking(self, replicate: int) -> Ranking:
        """One resample as a ranking of all scores of the original ranking."""
        return self._ranking(replicate, self._tally(replicate))

    def _tally(self, replicate: int) -> Tally:
        thresholds, true_positives, false_positives = self.tally
        return Tally(thresholds, true_positives[replicate], false_positives[replicate])

    def _ranking(self, replicate: int, tally: Tally) -> Ranking:
        return replace(
            self.original,
            tally=tally,
            levels=None,  # all rows of a bin are resampled with its score
            rejected_positives=self.rejected_positives[replicate, 0],
            rejected_negatives=self.rejected_negatives[replicate, 0],
            squares=None,
        )


AnyRanking = Ranking | Resamples
"""A ranking, or many resamples of it."""


def drop_empty_scores(tally: Tally) -> Tally:
    """Drop the scores that no row of a resample has from its tally."""
    rows = tally.true_positives + tally.false_positives
    occupied = np.empty(len(rows), np.bool_)
    occupied[0] = True
    np.not_equal(rows[1:], rows[:-1], out=occupied[1:])
    return tally if occupied.all() else Tally(*(column[occupied] for column in tally))


def _cumulative(counts: NDArray[Any]) -> NDArray[Any]:
    """Cumulative sums along each row, after a column of zeros."""
    zeros = np.zeros((len(counts), 1), counts.dtype)
    # Faster than a cumulative sum into part of an array.
    return np.concatenate([zeros, np.cumsum(counts, axis=1)], axis=1)
