"""Rankings that the population may well have, from what the rows say of its shares.

How well is a number of rows: as many equal and independent ones would know a share as precisely.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.sort import Tally
from tradeoff.stats.normal import quantile, simultaneous_quantile

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking

    Floats = NDArray[np.float64]

ROUNDING = 1e-9
"""Errors that go together altogether are taken apart by so much, or no root could be drawn."""


class Share(NamedTuple):
    """A share at each place of a ranking, and how many rows would know it as well."""

    seen: Floats
    rows: Floats

    def moved(self, z: Any, *, exact: bool) -> Floats:
        """The share z standard errors away, which never falls from one place to the next.

        By Jeffreys' quantiles (Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286), or by
        `exact` ones, which are never too near (Clopper & Pearson 1934, doi:10.2307/2331986). A
        share of 0 is not moved down, nor one of 1 up.

        Example:
            >>> ten = Share(np.array([0.0, 1.0]), np.array([10.0, 10.0]))
            >>> ten.moved(-1.96, exact=True).round(4).tolist()  # 0.025 ** (1 / 10) = 0.6915
            [0.0, 0.6915]
        """
        from scipy.special import betaincinv, ndtr

        columns = (self.seen, self.rows, np.broadcast_to(z, self.seen.shape))
        changes = np.append(True, np.any([own[1:] != own[:-1] for own in columns], axis=0))
        seen, rows, away = (own[changes] for own in columns)
        up = away > 0
        more, fewer = (up, ~up) if exact else (0.5, 0.5)
        ends = betaincinv(seen * rows + more, (1 - seen) * rows + fewer, ndtr(away))
        ends = np.where((seen == 0) & ~up | (seen == 1) & up, seen, ends)
        return np.asarray(np.maximum.accumulate(ends)[np.cumsum(changes) - 1])


class Shares(NamedTuple):
    """The three shares that make a ranking. The prevalence has one place."""

    prevalence: Share
    found: Share
    alarms: Share


def _shares_of(ranking: Ranking) -> Shares:
    """The shares of independent rows; weights by their linearised variances."""
    totals = _totals(ranking)
    prevalence = totals[:1] / totals.sum()
    seen = (
        prevalence,
        ranking.true_positives / totals[0],
        ranking.false_positives / totals[1],
    )
    rows = totals.sum(), *totals
    if ranking.squares is None:
        return Shares(
            *(Share(own, np.full(len(own), n)) for own, n in zip(seen, rows, strict=True))
        )
    squares, squared = ranking.squares, _totals(ranking.squares)
    above = squared[:1], squares.true_positives, squares.false_positives
    every = squared.sum(), *squared
    return Shares(*(_weighed(*of_share) for of_share in zip(seen, rows, above, every, strict=True)))


def _shares_in_clusters(ranking: Ranking, paired: PairedRanking) -> tuple[Shares, Floats]:
    """The shares of rows in clusters, and at each place what makes dependent errors of others.

    Variances are those of the clusters' sums of residuals.
    """
    totals, above = _by_cluster(ranking, paired)
    size = totals.shape[1]
    sums = totals.sum(axis=1)
    prevalence = sums[:1] / sums.sum()
    of_prevalence = (totals[0] - prevalence * totals.sum(axis=0)) / sums.sum()
    rates = np.empty((2, len(ranking)))
    covariances = np.empty((len(ranking), 3, 3))
    for place, rows in enumerate(above):
        rates[:, place] = np.minimum(rows.sum(axis=1) / sums, 1)
        residuals = (rows - rates[:, place, None] * totals) / sums[:, None]
        apart = np.vstack([of_prevalence, residuals])
        covariances[place] = apart @ apart.T * size / (size - 1)
    variances = np.einsum("ijj->ji", covariances)
    of_class = sums**2 / (totals**2).sum(axis=1)
    shares = Shares(
        _known(prevalence, variances[0, :1], sums.sum() ** 2 / (totals.sum(axis=0) ** 2).sum()),
        _known(rates[0], variances[1], of_class[0]),
        _known(rates[1], variances[2], of_class[1]),
    )
    return shares, _roots(covariances)


def _totals(ranking: Ranking) -> Floats:
    """All rows of both classes, rejected ones included."""
    positives = ranking.positives + ranking.rejected_positives
    return np.array([positives, ranking.negatives + ranking.rejected_negatives], np.float64)


def _weighed(seen: Floats, total: float, squares: Floats, squared_total: float) -> Share:
    """A share of weights, of which the sums of squares at or above each place are known.

    Where none or all rows are found, the next one missing would weigh as much as those at that end,
    or as rows do on average if that is more.
    """
    spread = squares * (1 - seen) ** 2 + (squared_total - squares) * seen**2
    usual = squared_total / total
    found, others = seen > 0, seen < seen[-1]
    ends = np.full(len(seen), total / usual)
    if found.any() and others.any():
        first, last = np.argmax(found), np.flatnonzero(others)[-1]
        at_top = squares[first] / (seen[first] * total)
        at_bottom = (squares[-1] - squares[last]) / ((seen[-1] - seen[last]) * total)
        ends = np.where(found, total / max(usual, at_bottom), total / max(usual, at_top))
    return _known(seen, spread / total**2, ends)


def _known(seen: Floats, variance: Floats, rows_at_ends: Any) -> Share:
    """A share of as many rows as have its variance; where it is 0 or 1 that tells nothing."""
    rows = np.array(np.broadcast_to(rows_at_ends, seen.shape), np.float64)
    np.divide(seen * (1 - seen), variance, out=rows, where=(seen > 0) & (seen < 1))
    return Share(seen, rows)


def _by_cluster(ranking: Ranking, paired: PairedRanking) -> tuple[Floats, Iterator[Floats]]:
    """Rows of both classes by cluster: all of them, and those at or above each place."""
    (scores,) = paired.scores.values()
    clusters = np.asarray(paired.clusters)
    size = int(clusters.max()) + 1
    weights = np.ones(paired.rows) if paired.weights is None else paired.weights.astype(float)
    sign = -1 if ranking.lower_is_positive else 1
    thresholds = sign * ranking.thresholds[1:]
    place = 1 + np.searchsorted(-thresholds, -sign * scores.astype(np.float64), "left")
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(ranking) + 1))

    def summed(rows: NDArray[np.intp]) -> Floats:
        sides = (paired.positive_rows[rows], ~paired.positive_rows[rows])
        return np.array(
            [np.bincount(clusters[rows], weights[rows] * own, minlength=size) for own in sides]
        )

    def above() -> Iterator[Floats]:
        rows = np.zeros((2, size))
        for start, stop in pairwise(starts):
            rows = rows + summed(order[start:stop])
            yield rows

    return summed(order), above()


def _roots(covariances: Floats) -> Floats:
    """Cholesky factors of the correlations at each place: the prevalence goes by itself."""
    scales = np.sqrt(np.einsum("ijj->ij", covariances))
    both = np.einsum("ij,ik->ijk", scales, scales)
    apart = np.broadcast_to(np.eye(3), covariances.shape)
    correlations = np.divide(covariances, both, out=apart.copy(), where=both > 0)
    return np.asarray(np.linalg.cholesky((1 - ROUNDING) * correlations + ROUNDING * apart))


# Rankings that the population may well have: the one seen, with its shares moved within reason.
#
# At a threshold three shares say all: the prevalence, the true and the false positive rate. They
# err independently, so the plausible ones fill an ellipsoid around those seen, as in a profile
# likelihood (for ROC curves: Claeskens, Jing, Peng & Zhou 2003, Canadian Journal of Statistics 31,
# 173-190). Moved the same way at every threshold, they make another ranking; all such rankings
# together hold the curve of the population.


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
            shares, roots = _shares_of(ranking), None
        else:
            shares, roots = _shares_in_clusters(ranking, paired)
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
