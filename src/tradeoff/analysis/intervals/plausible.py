"""Rankings that the population may well have: the one seen, with its shares moved within reason.

At a threshold three shares say all: the prevalence, the true and the false positive rate. They err
independently, so the plausible ones fill an ellipsoid around those seen, as in a profile likelihood
(for ROC curves: Claeskens, Jing, Peng & Zhou 2003, Canadian Journal of Statistics 31, 173-190).
Moved the same way at every threshold, they make another ranking; all such rankings together hold
the curve of the population.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.analysis.intervals.shares import shares_in_clusters, shares_of
from tradeoff.core.sort import Tally
from tradeoff.stats.local_levels import simultaneous_quantile
from tradeoff.stats.normal import quantile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tradeoff.analysis.intervals.shares import Shares
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking

    Floats = NDArray[np.float64]

TURNS = 24
"""Directions around the circle of both rates; so many sides are a circle to 1 %."""

TILTS = 12
"""Steps from the lowest prevalence to the highest; half as many where the rates are ordered, since
looking for the threshold already makes bands of such curves a little wider."""

DIGITS = 44
"""Binary digits of moved counts."""

Direction = tuple[float, float, float]
"""How far the prevalence, the true and the false positive rate are moved: together by 1."""


@dataclass(frozen=True, eq=False)
class Plausible:
    """Rankings around one, moved in all directions as far as a level allows.

    `reach` says how many standard errors that is for each share. Rows in clusters err together:
    `roots` then turns independent directions into dependent ones, place by place.
    """

    ranking: Ranking
    shares: Shares
    reach: tuple[float, ...]
    exact: bool
    roots: Floats | None = None
    moves: dict[tuple[int, float], Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        ranking: Ranking,
        level: float,
        *,
        everywhere: bool = False,
        paired: PairedRanking | None = None,
    ) -> Plausible:
        """Those of a level, at each threshold by itself or everywhere at once."""
        clusters = None if paired is None else paired.clusters
        if paired is None or clusters is None:
            shares, roots = shares_of(ranking), None
        else:
            shares, roots = shares_in_clusters(ranking, paired)
        reach = [quantile(level)] * 3
        if everywhere:
            reach[1:] = (simultaneous_quantile(float(own.rows[0]), level) for own in shares[1:])
            reach[0] = max(reach)
        if clusters is not None:
            reach = [_estimated(z, int(clusters.max())) for z in reach]
        return cls(ranking, shares, tuple(reach), everywhere, roots)

    def rankings(self, *, prevalence: bool, ordered: bool) -> Iterator[Ranking]:
        """Rankings in directions from all around.

        Args:
            prevalence: Whether the prevalence moves, too.
            ordered: Whether more hits and fewer alarms are always better: it is then enough to
                move the rates apart or towards each other.
        """
        for direction in _directions(prevalence=prevalence, ordered=ordered):
            yield self._ranking(*self._moved(direction))

    def _moved(self, direction: Direction) -> Iterator[Floats]:
        """The shares in one direction."""
        if self.roots is not None:
            steps = (self.roots @ np.array(direction) * self.reach).T
            for share, step in zip(self.shares, steps, strict=True):
                yield share.moved(step[: len(share.seen)], exact=self.exact)
            return
        for which, share in enumerate(self.shares):
            z = round(direction[which] * self.reach[which], 9)
            if (which, z) not in self.moves:  # many directions move one share alike
                moved = share.moved(z, exact=self.exact) if z else share.seen
                self.moves[which, z] = moved
            yield self.moves[which, z]

    def _ranking(self, prevalence: Floats, found: Floats, alarms: Floats) -> Ranking:
        ranking, total = self.ranking, float(self.ranking.total)
        # Multiples of one small power of two: what is added and taken away leaves no rounding.
        unit = 2.0 ** (math.frexp(total)[1] - DIGITS)
        positives = total * float(prevalence[0])
        sides = (
            (found, positives, ranking.rejected_positives),
            (alarms, total - positives, ranking.rejected_negatives),
        )
        counts, rejected = [], []
        for share, rows, undecided in sides:
            # However shares are moved, no threshold finds more than all rows or less than none.
            above = rows * np.concatenate([[0.0], share, [share[-1] if undecided else 1.0]])
            counts.append(np.round(above / unit) * unit)
            rejected.append(round(rows / unit) * unit - counts[-1][-1])
        return replace(
            ranking,
            tally=Tally(_with_ends(ranking), *counts),
            rejected_positives=rejected[0],
            rejected_negatives=rejected[1],
            squares=None,
            known_pairs=None,
        )


def _directions(*, prevalence: bool, ordered: bool) -> Iterator[Direction]:
    steps = TILTS // 2 if ordered else TILTS
    tilts = np.pi * (np.arange(1, steps) / steps - 0.5)  # without the poles
    for tilt in tilts if prevalence else [0.0]:
        for turn in 2 * np.pi * np.arange(TURNS) / TURNS:
            up, right = (round(float(part), 12) for part in (np.cos(turn), np.sin(turn)))
            if not ordered or up * right <= 0:
                yield float(np.sin(tilt)), up * float(np.cos(tilt)), right * float(np.cos(tilt))
    if prevalence:
        yield from ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0))


def _with_ends(ranking: Ranking) -> Floats:
    """The thresholds with one more at either end: above all rows that could be, and below them."""
    sign = -1 if ranking.lower_is_positive else 1
    scores = sign * ranking.thresholds[1:]
    highest = float(np.finfo(np.float64).max)
    low, high = -highest, highest
    if (np.abs(scores - sign * 0.5) <= 0.5).all():
        low, high = sorted((0.0, float(sign)))  # scores that may be probabilities stay some
    above, below = max(high, scores[0]), min(low, scores[-1])
    return np.asarray(sign * np.concatenate([[np.inf, above], scores, [below]]))


def _estimated(z: float, others: int) -> float:
    """As many standard errors, where their size is itself estimated from one cluster and others."""
    from scipy.special import ndtr, stdtrit

    return float(-stdtrit(others, ndtr(-z)))
