"""The rows that several models share, drawn again: each draw ranks all models on the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.uncertainty.bootstrap import Drawn, in_blocks, thinned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import Question


@dataclass(frozen=True, eq=False)
class PairedDraws:
    """Rows ready to be drawn: where each stands in each model's ranking, scores merged if many.

    `codes` has one line a model. A row that is negative stands behind all places, so that one
    count serves both classes.
    """

    paired: PairedRanking
    patterns: tuple[Ranking, ...]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, paired: PairedRanking, *questions: Question) -> PairedDraws:
        """Find the places once: no draw sorts anything."""
        patterns = tuple(
            thinned(own, keep=[question.places(own) for question in questions])
            for own in paired.rankings.values()
        )
        codes = np.empty((len(patterns), paired.rows), np.int32)
        for line, name, pattern in zip(codes, paired.models, patterns, strict=True):
            line[:] = _places(pattern, paired.scores[name])
            line[~paired.positive_rows] += len(pattern)
        return cls(paired, patterns, codes)

    def judged(
        self, judge: Callable[[Sequence[Drawn]], NDArray[Any]], confidence: Confidence
    ) -> NDArray[np.float64]:
        """What `judge` says of each draw: one line a draw."""
        return in_blocks(
            lambda random, size: judge(self._draw(random, size, confidence)), confidence
        )

    def _draw(self, random: np.random.Generator, size: int, confidence: Confidence) -> list[Drawn]:
        counts = [np.empty((size, 2 * len(pattern))) for pattern in self.patterns]
        for at in range(size):
            rows, weights = self._rows(random, by_class=confidence.by_class)
            for line, codes in zip(counts, self.codes, strict=True):
                own = codes if rows is None else codes[rows]
                line[at] = np.bincount(own, weights, minlength=line.shape[1])
        return [
            _drawn(pattern, line, whole=self.paired.weights is None)
            for pattern, line in zip(self.patterns, counts, strict=True)
        ]

    def _rows(
        self, random: np.random.Generator, *, by_class: bool
    ) -> tuple[NDArray[np.intp] | None, NDArray[Any] | None]:
        """The rows of one draw (None: all of them) and what each counts (None: once)."""
        paired = self.paired
        if paired.clusters is not None:
            clusters = int(paired.clusters.max()) + 1
            times = np.bincount(random.integers(0, clusters, clusters), minlength=clusters)
            own = times[paired.clusters]
            return None, own if paired.weights is None else own * paired.weights
        if paired.weights is not None and not paired.importance:
            return None, self._drawn_times(random, by_class=by_class)
        if by_class:
            found, others = self._by_class
            parts = [own[random.integers(0, len(own), len(own))] for own in (found, others)]
            rows = np.concatenate(parts)
        else:
            rows = random.integers(0, paired.rows, paired.rows)
        return rows, None if paired.weights is None else paired.weights[rows]

    def _drawn_times(self, random: np.random.Generator, *, by_class: bool) -> NDArray[Any]:
        """How often each row is drawn, where it was seen as often as its weight says."""
        weights = np.asarray(self.paired.weights, np.float64)
        times = np.zeros(len(weights), np.int64)
        for own in self._by_class if by_class else (slice(None),):
            total = weights[own].sum()
            times[own] = random.multinomial(round(total), weights[own] / total)
        return times

    @property
    def _by_class(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        positive = self.paired.positive_rows
        return np.flatnonzero(positive), np.flatnonzero(~positive)


def _drawn(pattern: Ranking, counts: NDArray[np.float64], *, whole: bool) -> Drawn:
    size = len(pattern)
    kind: Any = np.int64 if whole else np.float64
    found, alarms = (
        np.cumsum(own, axis=1).astype(kind) for own in (counts[:, :size], counts[:, size:])
    )
    return Drawn(pattern, found, alarms, np.zeros((len(counts), 2), np.int64))


def _places(pattern: Ranking, scores: NDArray[Any]) -> NDArray[np.intp]:
    """The place where each score is first called positive."""
    sign = 1 if pattern.lower_is_positive else -1
    thresholds = sign * pattern.thresholds[1:]
    return 1 + np.searchsorted(thresholds, sign * scores.astype(np.float64), "left")
