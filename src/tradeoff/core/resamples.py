"""Resamples of a ranking: many rankings of the same scores at once, as arrays."""

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
    """Many rankings of the scores of `pattern`: one line a resample, one column a threshold.

    What a ranking has once, such as its positives, is here a column of one number a resample, so
    that all counts broadcast.
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
        """Ranked positive rows."""
        return self.true_positives[:, -1:]

    @property
    def negatives(self) -> NDArray[Any]:
        """Ranked negative rows."""
        return self.false_positives[:, -1:]

    @property
    def total(self) -> NDArray[Any]:
        """All rows, rejected ones included."""
        rejected = self.rejected_positives + self.rejected_negatives
        return np.asarray(self.positives + self.negatives + rejected)

    @property
    def is_counted(self) -> bool:
        """Whether counts are whole rows, not sums of real weights."""
        return self.true_positives.dtype.kind == "i"

    @property
    def shape(self) -> tuple[int, ...]:
        """How many resamples and places there are."""
        return self.true_positives.shape

    def matrices(self, places: Any) -> ConfusionMatrix:
        """The confusion matrices at some resamples and places (slices, or a mask)."""
        columns = (self.positives, self.negatives, self.rejected_positives, self.rejected_negatives)
        positives, negatives, *rejected = (
            np.broadcast_to(column, self.shape)[places] for column in columns
        )
        found, alarms = self.true_positives[places], self.false_positives[places]
        return ConfusionMatrix(found, positives - found, alarms, negatives - alarms, *rejected)

    def at_place(self, place: int | NDArray[np.intp]) -> ConfusionMatrix:
        """The confusion matrices at one place, or at a place of each resample (a column)."""
        places = np.broadcast_to(place, (len(self), 1))
        found, alarms = (np.take_along_axis(side, places, 1) for side in self.tally[1:])
        rejected = self.rejected_positives, self.rejected_negatives
        return ConfusionMatrix(
            found, self.positives - found, alarms, self.negatives - alarms, *rejected
        )

    def at_prevalence(self, prevalence: float | None) -> Resamples:
        """The same rows where positives are this share of them; NaN where a class is missing."""
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
        """The rows of each class counted as many times as the factor of their resample says."""
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
        return Resamples(self.pattern, tally, *rejected)

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

    def ranking(self, line: int) -> Ranking:
        """One resample as a ranking of all scores of the pattern."""
        return self._ranking(line, self._tally(line))

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


AnyRanking = Ranking | Resamples
"""One ranking, or many whose counts have one line each."""


def occupied(tally: Tally) -> Tally:
    """The tally without scores that no row has."""
    rows = tally.true_positives + tally.false_positives
    there = np.empty(len(rows), np.bool_)
    there[0] = True
    np.not_equal(rows[1:], rows[:-1], out=there[1:])
    return tally if there.all() else Tally(*(column[there] for column in tally))


def _cumulative(counts: NDArray[Any]) -> NDArray[Any]:
    """Sums from the first column on, behind a column of 0."""
    nothing = np.zeros((len(counts), 1), counts.dtype)
    return np.concatenate([nothing, np.cumsum(counts, axis=1)], axis=1)  # quicker than into a part
