"""Confidence region of a ranking: the rankings that the population may plausibly have.

The precision of a rate is given as an effective number of equal, independent rows.
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
from tradeoff.stats.normal import critical_value
from tradeoff.stats.simultaneous import band_critical_value

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking

    Floats = NDArray[np.float64]

ROUNDING = 1e-9
"""Added to the diagonal of correlations, so that perfectly correlated errors have a root."""


class RateEstimate(NamedTuple):
    """A rate at each threshold of a ranking, and its effective numbers of rows."""

    value: Floats
    rows: Floats

    def moved(self, z: Any, *, exact: bool) -> Floats:
        """The rate moved by z standard errors; it never falls from one threshold to the next.

        By Jeffreys' quantiles (Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286), or by
        `exact` ones, which are conservative (Clopper & Pearson 1934, doi:10.2307/2331986). A rate
        of 0 is not moved down, nor one of 1 up.

        Example:
            >>> ten = RateEstimate(np.array([0.0, 1.0]), np.array([10.0, 10.0]))
            >>> ten.moved(-1.96, exact=True).round(4).tolist()  # 0.025 ** (1 / 10) = 0.6915
            [0.0, 0.6915]
        """
        from scipy.special import betaincinv, ndtr

        columns = (self.value, self.rows, np.broadcast_to(z, self.value.shape))
        differs = [column[1:] != column[:-1] for column in columns]
        changes = np.append(True, np.any(differs, axis=0))
        value, rows, distance = (column[changes] for column in columns)
        is_upper = distance > 0
        hits, misses = (is_upper, ~is_upper) if exact else (0.5, 0.5)
        limits = betaincinv(value * rows + hits, (1 - value) * rows + misses, ndtr(distance))
        limits = np.where((value == 0) & ~is_upper | (value == 1) & is_upper, value, limits)
        return np.asarray(np.maximum.accumulate(limits)[np.cumsum(changes) - 1])


class RateEstimates(NamedTuple):
    """The three rates that determine a ranking. The prevalence is a single value."""

    prevalence: RateEstimate
    tpr: RateEstimate
    fpr: RateEstimate


def _independent_rates(ranking: Ranking) -> RateEstimates:
    """Rates of independent rows; weights by their linearised variances."""
    totals = _class_totals(ranking)
    prevalence = totals[:1] / totals.sum()
    value = (
        prevalence,
        ranking.true_positives / totals[0],
        ranking.false_positives / totals[1],
    )
    rows = totals.sum(), *totals
    if ranking.squares is None:
        return RateEstimates(
            *(
                RateEstimate(rate, np.full(len(rate), n))
                for rate, n in zip(value, rows, strict=True)
            )
        )
    squares, squared = ranking.squares, _class_totals(ranking.squares)
    above = squared[:1], squares.true_positives, squares.false_positives
    every = squared.sum(), *squared
    columns = zip(value, rows, above, every, strict=True)
    return RateEstimates(*(_weighted_rate(*column) for column in columns))


def _clustered_rates(ranking: Ranking, paired: PairedRanking) -> tuple[RateEstimates, Floats]:
    """Rates of clustered rows, and roots of the correlations of their errors at each threshold.

    Variances are those of the clusters' sums of residuals.
    """
    totals, above = _cluster_counts(ranking, paired)
    size = totals.shape[1]
    sums = totals.sum(axis=1)
    prevalence = sums[:1] / sums.sum()
    prevalence_residuals = (totals[0] - prevalence * totals.sum(axis=0)) / sums.sum()
    rates = np.empty((2, len(ranking)))
    covariances = np.empty((len(ranking), 3, 3))
    for index, rows in enumerate(above):
        rates[:, index] = np.minimum(rows.sum(axis=1) / sums, 1)
        rate_residuals = (rows - rates[:, index, None] * totals) / sums[:, None]
        residuals = np.vstack([prevalence_residuals, rate_residuals])
        covariances[index] = residuals @ residuals.T * size / (size - 1)
    variances = np.einsum("ijj->ji", covariances)
    class_rows = sums**2 / (totals**2).sum(axis=1)
    estimates = RateEstimates(
        _rate_of_variance(
            prevalence, variances[0, :1], sums.sum() ** 2 / (totals.sum(axis=0) ** 2).sum()
        ),
        _rate_of_variance(rates[0], variances[1], class_rows[0]),
        _rate_of_variance(rates[1], variances[2], class_rows[1]),
    )
    return estimates, _correlation_roots(covariances)


def _class_totals(ranking: Ranking) -> Floats:
    """All rows of both classes, rejected ones included."""
    positives = ranking.positives + ranking.rejected_positives
    return np.array([positives, ranking.negatives + ranking.rejected_negatives], np.float64)


def _weighted_rate(
    value: Floats, total: float, squares: Floats, squared_total: float
) -> RateEstimate:
    """A rate of weighted rows, from the sums of squared weights at or above each threshold.

    Where the rate is 0 or 1, the next row is taken to weigh as much as those at that end, or as
    rows do on average if that is more.
    """
    squared_deviations = squares * (1 - value) ** 2 + (squared_total - squares) * value**2
    mean_weight = squared_total / total
    has_above, has_below = value > 0, value < value[-1]
    end_rows = np.full(len(value), total / mean_weight)
    if has_above.any() and has_below.any():
        first, last = np.argmax(has_above), np.flatnonzero(has_below)[-1]
        at_top = squares[first] / (value[first] * total)
        at_bottom = (squares[-1] - squares[last]) / ((value[-1] - value[last]) * total)
        bottom_rows, top_rows = (total / max(mean_weight, w) for w in (at_bottom, at_top))
        end_rows = np.where(has_above, bottom_rows, top_rows)
    return _rate_of_variance(value, squared_deviations / total**2, end_rows)


def _rate_of_variance(value: Floats, variance: Floats, end_rows: Any) -> RateEstimate:
    """A rate with the effective rows of its variance; with `end_rows` where it is 0 or 1."""
    rows = np.array(np.broadcast_to(end_rows, value.shape), np.float64)
    np.divide(value * (1 - value), variance, out=rows, where=(value > 0) & (value < 1))
    return RateEstimate(value, rows)


def _cluster_counts(ranking: Ranking, paired: PairedRanking) -> tuple[Floats, Iterator[Floats]]:
    """Rows of both classes by cluster: all of them, and those at or above each threshold."""
    (scores,) = paired.scores.values()
    clusters = np.asarray(paired.clusters)
    size = int(clusters.max()) + 1
    weights = np.ones(paired.rows) if paired.weights is None else paired.weights.astype(float)
    sign = -1 if ranking.lower_is_positive else 1
    thresholds = sign * ranking.thresholds[1:]
    indices = 1 + np.searchsorted(-thresholds, -sign * scores.astype(np.float64), "left")
    order = np.argsort(indices, kind="stable")
    starts = np.searchsorted(indices[order], np.arange(len(ranking) + 1))

    def sums(rows: NDArray[np.intp]) -> Floats:
        masks = (paired.positive_rows[rows], ~paired.positive_rows[rows])
        return np.array(
            [np.bincount(clusters[rows], weights[rows] * mask, minlength=size) for mask in masks]
        )

    def above() -> Iterator[Floats]:
        rows = np.zeros((2, size))
        for start, stop in pairwise(starts):
            rows = rows + sums(order[start:stop])
            yield rows

    return sums(order), above()


def _correlation_roots(covariances: Floats) -> Floats:
    """Cholesky factors of the correlations at each threshold, the prevalence first."""
    scales = np.sqrt(np.einsum("ijj->ij", covariances))
    both = np.einsum("ij,ik->ijk", scales, scales)
    identity = np.broadcast_to(np.eye(3), covariances.shape)
    correlations = np.divide(covariances, both, out=identity.copy(), where=both > 0)
    return np.asarray(np.linalg.cholesky((1 - ROUNDING) * correlations + ROUNDING * identity))


# The confidence region of a ranking.
#
# At a threshold three rates determine all: the prevalence, the true and the false positive rate.
# Their errors are independent, so the plausible ones fill an ellipsoid around the observed ones, as
# in a profile likelihood (for ROC curves: Claeskens, Jing, Peng & Zhou 2003, Canadian Journal of
# Statistics 31, 173-190). Moved the same way at every threshold, they make another ranking; the
# curves of all such rankings together enclose that of the population.


TURNS = 24
"""Directions around the circle of both rates; a polygon of so many sides is a circle to 1%."""

TILTS = 12
"""Steps from the lowest prevalence to the highest; half as many where the rates are ordered, since
looking for the threshold already makes bands of such curves a little wider."""

DIGITS = 44
"""Binary digits of moved counts."""

Direction = tuple[float, float, float]
"""Unit vector: moves of the prevalence, the true and the false positive rate."""


@dataclass(frozen=True, eq=False)
class ConfidenceRegion:
    """Confidence region of a ranking: its rates moved in all directions as far as a level allows.

    `reach` is that distance for each rate in standard errors. The errors of clustered rows are
    correlated: `roots` then turns independent directions into correlated ones at each threshold.
    """

    ranking: Ranking
    rates: RateEstimates
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
        simultaneous: bool = False,
        paired: PairedRanking | None = None,
    ) -> ConfidenceRegion:
        """The region of a level, for each threshold alone or simultaneous over all of them."""
        clusters = None if paired is None else paired.clusters
        if paired is None or clusters is None:
            rates, roots = _independent_rates(ranking), None
        else:
            rates, roots = _clustered_rates(ranking, paired)
        reach = [critical_value(level)] * 3
        if simultaneous:
            reach[1:] = (band_critical_value(float(rate.rows[0]), level) for rate in rates[1:])
            reach[0] = max(reach)
        if clusters is not None:
            reach = [_t_quantile(z, int(clusters.max())) for z in reach]
        return cls(ranking, rates, tuple(reach), simultaneous, roots)

    def rankings(self, *, prevalence: bool, ordered: bool) -> Iterator[Ranking]:
        """Rankings on the boundary of the region, in all directions.

        Args:
            prevalence: Whether the prevalence moves, too.
            ordered: Whether a higher TPR and a lower FPR are always better: it is then enough to
                move the rates apart or towards each other.
        """
        for direction in _directions(prevalence=prevalence, ordered=ordered):
            yield self._ranking(*self._moved_rates(direction))

    def _moved_rates(self, direction: Direction) -> Iterator[Floats]:
        """The rates moved in one direction."""
        if self.roots is not None:
            steps = (self.roots @ np.array(direction) * self.reach).T
            for rate, step in zip(self.rates, steps, strict=True):
                yield rate.moved(step[: len(rate.value)], exact=self.exact)
            return
        for index, rate in enumerate(self.rates):
            z = round(direction[index] * self.reach[index], 9)
            if (index, z) not in self.moves:  # many directions move one rate alike
                moved = rate.moved(z, exact=self.exact) if z else rate.value
                self.moves[index, z] = moved
            yield self.moves[index, z]

    def _ranking(self, prevalence: Floats, tpr: Floats, fpr: Floats) -> Ranking:
        ranking, total = self.ranking, float(self.ranking.total)
        # Multiples of one small power of two: what is added and taken away leaves no rounding.
        unit = 2.0 ** (math.frexp(total)[1] - DIGITS)
        positives = total * float(prevalence[0])
        sides = (
            (tpr, positives, ranking.rejected_positives),
            (fpr, total - positives, ranking.rejected_negatives),
        )
        counts, rejected = [], []
        for rate, rows, undecided in sides:
            # However rates are moved, no threshold has more than all rows or fewer than none.
            above = rows * np.concatenate([[0.0], rate, [rate[-1] if undecided else 1.0]])
            counts.append(np.round(above / unit) * unit)
            rejected.append(round(rows / unit) * unit - counts[-1][-1])
        return replace(
            ranking,
            tally=Tally(_extended_thresholds(ranking), *counts),
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
            tpr, fpr = (round(float(part), 12) for part in (np.cos(turn), np.sin(turn)))
            if not ordered or tpr * fpr <= 0:
                yield float(np.sin(tilt)), tpr * float(np.cos(tilt)), fpr * float(np.cos(tilt))
    if prevalence:
        yield from ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0))


def _extended_thresholds(ranking: Ranking) -> Floats:
    """The thresholds with one more at either end: above and below all possible scores."""
    sign = -1 if ranking.lower_is_positive else 1
    scores = sign * ranking.thresholds[1:]
    highest = float(np.finfo(np.float64).max)
    low, high = -highest, highest
    if (np.abs(scores - sign * 0.5) <= 0.5).all():
        low, high = sorted((0.0, float(sign)))  # probabilities stay probabilities
    above, below = max(high, scores[0]), min(low, scores[-1])
    return np.asarray(sign * np.concatenate([[np.inf, above], scores, [below]]))


def _t_quantile(z: float, degrees_of_freedom: int) -> float:
    """The t quantile of a normal one, as standard errors of clusters are estimated themselves."""
    from scipy.special import ndtr, stdtrit

    return float(-stdtrit(degrees_of_freedom, ndtr(-z)))
