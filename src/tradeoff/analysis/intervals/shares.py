"""What rows say of a population: its prevalence, both rates at every threshold, and how well.

How well is a number of rows: as many equal and independent ones would know a share as precisely.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

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


def shares_of(ranking: Ranking) -> Shares:
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


def shares_in_clusters(ranking: Ranking, paired: PairedRanking) -> tuple[Shares, Floats]:
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
