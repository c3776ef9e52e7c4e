"""Confidence region for a ranking: the rankings that are plausible for the population.

The precision of a rate is expressed as an effective number of independent rows of equal weight.
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

IDENTITY_WEIGHT = 1e-9
"""Weight of the identity mixed into correlation matrices, so that all have a Cholesky factor."""


class RateEstimate(NamedTuple):
    """A rate at each threshold of a ranking, and the effective number of rows behind it."""

    value: Floats
    rows: Floats

    def shift(self, z: Any, *, exact: bool) -> Floats:
        """Shift the rate by z normal deviates, so that it does not decrease over thresholds.

        It uses Jeffreys quantiles (Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286), or
        `exact` ones, which are conservative (Clopper & Pearson 1934, doi:10.2307/2331986). A rate
        of 0 is not shifted down, nor a rate of 1 up.

        Example:
            >>> rate = RateEstimate(np.array([0.0, 1.0]), np.array([10.0, 10.0]))
            >>> rate.shift(-1.96, exact=True).round(4).tolist()  # 0.025 ** (1 / 10) = 0.6915
            [0.0, 0.6915]
        """
        from scipy.special import betaincinv, ndtr

        columns = (self.value, self.rows, np.broadcast_to(z, self.value.shape))
        column_changes = [column[1:] != column[:-1] for column in columns]
        is_change = np.append(True, np.any(column_changes, axis=0))
        value, rows, distance = (column[is_change] for column in columns)
        is_upper = distance > 0
        alpha, beta = (is_upper, ~is_upper) if exact else (0.5, 0.5)
        successes, failures = value * rows, (1 - value) * rows
        limits = betaincinv(successes + alpha, failures + beta, ndtr(distance))
        limits = np.where((value == 0) & ~is_upper | (value == 1) & is_upper, value, limits)
        return np.asarray(np.maximum.accumulate(limits)[np.cumsum(is_change) - 1])


class RateEstimates(NamedTuple):
    """Estimates of the three rates that determine a ranking; the prevalence is a single value."""

    prevalence: RateEstimate
    tpr: RateEstimate
    fpr: RateEstimate


def _independent_rates(ranking: Ranking) -> RateEstimates:
    """Estimate the rates of independent rows; with weights, by linearised variances."""
    totals = _class_totals(ranking)
    prevalence = totals[:1] / totals.sum()
    rates = (
        prevalence,
        ranking.true_positives / totals[0],
        ranking.false_positives / totals[1],
    )
    rows = totals.sum(), *totals
    if ranking.squares is None:
        return RateEstimates(
            *(
                RateEstimate(rate, np.full(len(rate), n))
                for rate, n in zip(rates, rows, strict=True)
            )
        )
    squares, class_squares = ranking.squares, _class_totals(ranking.squares)
    squares_above = class_squares[:1], squares.true_positives, squares.false_positives
    total_squares = class_squares.sum(), *class_squares
    columns = zip(rates, rows, squares_above, total_squares, strict=True)
    return RateEstimates(*(_weighted_rate(*column) for column in columns))


def _clustered_rates(ranking: Ranking, paired: PairedRanking) -> tuple[RateEstimates, Floats]:
    """Estimate the rates of clustered rows, and Cholesky factors of their error correlations.

    Variances come from the sums of residuals within clusters.
    """
    totals, cumulative_counts = _cluster_counts(ranking, paired)
    size = totals.shape[1]
    sums = totals.sum(axis=1)
    prevalence = sums[:1] / sums.sum()
    prevalence_residuals = (totals[0] - prevalence * totals.sum(axis=0)) / sums.sum()
    rates = np.empty((2, len(ranking)))
    covariances = np.empty((len(ranking), 3, 3))
    for index, rows in enumerate(cumulative_counts):
        rates[:, index] = np.minimum(rows.sum(axis=1) / sums, 1)
        rate_residuals = (rows - rates[:, index, None] * totals) / sums[:, None]
        residuals = np.vstack([prevalence_residuals, rate_residuals])
        covariances[index] = residuals @ residuals.T * size / (size - 1)
    variances = np.einsum("ijj->ji", covariances)
    class_rows = sums**2 / (totals**2).sum(axis=1)
    estimates = RateEstimates(
        _rate_with_variance(
            prevalence, variances[0, :1], sums.sum() ** 2 / (totals.sum(axis=0) ** 2).sum()
        ),
        _rate_with_variance(rates[0], variances[1], class_rows[0]),
        _rate_with_variance(rates[1], variances[2], class_rows[1]),
    )
    return estimates, _correlation_factors(covariances)


def _class_totals(ranking: Ranking) -> Floats:
    """Total number of rows of each class, including rejected rows."""
    positives = ranking.positives + ranking.rejected_positives
    return np.array([positives, ranking.negatives + ranking.rejected_negatives], np.float64)


def _weighted_rate(
    value: Floats, total: float, squares: Floats, squared_total: float
) -> RateEstimate:
    """Estimate a rate of weighted rows, given sums of squared weights at or above thresholds.

    Where the rate is 0 or 1, the next row is assumed to weigh as much as the rows at that end, or
    as much as the average row if that is heavier.
    """
    squared_deviations = squares * (1 - value) ** 2 + (squared_total - squares) * value**2
    mean_weight = squared_total / total
    has_rows_above, has_rows_below = value > 0, value < value[-1]
    rows_at_ends = np.full(len(value), total / mean_weight)
    if has_rows_above.any() and has_rows_below.any():
        first, last = np.argmax(has_rows_above), np.flatnonzero(has_rows_below)[-1]
        top_weight = squares[first] / (value[first] * total)
        bottom_weight = (squares[-1] - squares[last]) / ((value[-1] - value[last]) * total)
        bottom_rows, top_rows = (total / max(mean_weight, w) for w in (bottom_weight, top_weight))
        rows_at_ends = np.where(has_rows_above, bottom_rows, top_rows)
    return _rate_with_variance(value, squared_deviations / total**2, rows_at_ends)


def _rate_with_variance(value: Floats, variance: Floats, rows_at_ends: Any) -> RateEstimate:
    """Rate estimate with the effective number of rows for a variance; `rows_at_ends` at 0 or 1."""
    rows = np.array(np.broadcast_to(rows_at_ends, value.shape), np.float64)
    np.divide(value * (1 - value), variance, out=rows, where=(value > 0) & (value < 1))
    return RateEstimate(value, rows)


def _cluster_counts(ranking: Ranking, paired: PairedRanking) -> tuple[Floats, Iterator[Floats]]:
    """Numbers of rows of both classes by cluster: in total, and at or above each threshold."""
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

    def cumulative_sums() -> Iterator[Floats]:
        running_sums = np.zeros((2, size))
        for start, stop in pairwise(starts):
            running_sums = running_sums + sums(order[start:stop])
            yield running_sums

    return sums(order), cumulative_sums()


def _correlation_factors(covariances: Floats) -> Floats:
    """Cholesky factors of the correlation matrix at each threshold, with the prevalence first."""
    standard_errors = np.sqrt(np.einsum("ijj->ij", covariances))
    products = np.einsum("ij,ik->ijk", standard_errors, standard_errors)
    identity = np.broadcast_to(np.eye(3), covariances.shape)
    correlations = np.divide(covariances, products, out=identity.copy(), where=products > 0)
    return np.asarray(
        np.linalg.cholesky((1 - IDENTITY_WEIGHT) * correlations + IDENTITY_WEIGHT * identity)
    )


# The confidence region for a ranking.
#
# At a threshold, three rates determine everything: the prevalence, the true and the false positive
# rate. Their errors are independent, so the plausible rates fill an ellipsoid around the observed
# ones, as in a profile likelihood (for ROC curves: Claeskens, Jing, Peng & Zhou 2003, Canadian
# Journal of Statistics 31, 173-190). Rates shifted in the same direction at every threshold form
# another ranking; together, the curves of all such rankings enclose that of the population.


RATE_DIRECTIONS = 24
"""Directions in the plane of both rates: a polygon with 24 sides is a circle to within 1%."""

PREVALENCE_STEPS = 12
"""Number of steps from the lowest to the highest prevalence.

Half as many suffice for curves on which a higher TPR and a lower FPR are always better: searching
over thresholds already makes their bands slightly wider.
"""

BINARY_DIGITS = 44
"""Number of binary digits to which shifted counts are rounded."""

Direction = tuple[float, float, float]
"""Unit vector of shifts: in prevalence, true positive rate and false positive rate."""


@dataclass(frozen=True, eq=False)
class ConfidenceRegion:
    """Confidence region for a ranking: its rates, shifted in all directions up to a level.

    `radii` are these distances for each rate, in standard errors. With clustered rows, errors are
    correlated: `cholesky_factors` then map independent directions to correlated ones.
    """

    ranking: Ranking
    rates: RateEstimates
    radii: tuple[float, ...]
    exact: bool
    cholesky_factors: Floats | None = None
    cached_rates: dict[tuple[int, float], Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        ranking: Ranking,
        level: float,
        *,
        simultaneous: bool = False,
        paired: PairedRanking | None = None,
    ) -> ConfidenceRegion:
        """Confidence region at a level, pointwise or simultaneous over all thresholds."""
        clusters = None if paired is None else paired.clusters
        if paired is None or clusters is None:
            rates, cholesky_factors = _independent_rates(ranking), None
        else:
            rates, cholesky_factors = _clustered_rates(ranking, paired)
        radii = [critical_value(level)] * 3
        if simultaneous:
            radii[1:] = (band_critical_value(float(rate.rows[0]), level) for rate in rates[1:])
            radii[0] = max(radii)
        if clusters is not None:
            radii = [_t_quantile(z, int(clusters.max())) for z in radii]
        return cls(ranking, rates, tuple(radii), simultaneous, cholesky_factors)

    def rankings(self, *, vary_prevalence: bool, is_ordered: bool) -> Iterator[Ranking]:
        """Yield the rankings on the boundary of the region, in all directions.

        Args:
            vary_prevalence: Whether the prevalence is shifted as well.
            is_ordered: Whether a higher TPR and a lower FPR are always better: it then suffices to
                shift the rates apart or towards each other.
        """
        for direction in _directions(vary_prevalence=vary_prevalence, is_ordered=is_ordered):
            yield self._ranking(*self._shift_rates(direction))

    def _shift_rates(self, direction: Direction) -> Iterator[Floats]:
        """Yield the rates, shifted in one direction."""
        if self.cholesky_factors is not None:
            steps = (self.cholesky_factors @ np.array(direction) * self.radii).T
            for rate, step in zip(self.rates, steps, strict=True):
                yield rate.shift(step[: len(rate.value)], exact=self.exact)
            return
        for index, rate in enumerate(self.rates):
            z = round(direction[index] * self.radii[index], 9)
            if (
                index,
                z,
            ) not in self.cached_rates:  # many directions shift a rate by the same amount
                shifted_rate = rate.shift(z, exact=self.exact) if z else rate.value
                self.cached_rates[index, z] = shifted_rate
            yield self.cached_rates[index, z]

    def _ranking(self, prevalence: Floats, tpr: Floats, fpr: Floats) -> Ranking:
        ranking, total = self.ranking, float(self.ranking.total)
        # Counts are multiples of one small power of two, so that their sums are exact.
        unit = 2.0 ** (math.frexp(total)[1] - BINARY_DIGITS)
        positives = total * float(prevalence[0])
        classes = (
            (tpr, positives, ranking.rejected_positives),
            (fpr, total - positives, ranking.rejected_negatives),
        )
        counts, rejected = [], []
        for rate, rows, class_rejected in classes:
            # Whatever the shift, counts stay between 0 and the number of rows.
            last_rate = rate[-1] if class_rejected else 1.0
            rows_above = rows * np.concatenate([[0.0], rate, [last_rate]])
            counts.append(np.round(rows_above / unit) * unit)
            rejected.append(round(rows / unit) * unit - counts[-1][-1])
        return replace(
            ranking,
            tally=Tally(_extended_thresholds(ranking), *counts),
            rejected_positives=rejected[0],
            rejected_negatives=rejected[1],
            squares=None,
            known_pairs=None,
        )


def _directions(*, vary_prevalence: bool, is_ordered: bool) -> Iterator[Direction]:
    steps = PREVALENCE_STEPS // 2 if is_ordered else PREVALENCE_STEPS
    latitudes = np.pi * (np.arange(1, steps) / steps - 0.5)  # without the poles
    longitudes = 2 * np.pi * np.arange(RATE_DIRECTIONS) / RATE_DIRECTIONS
    for latitude in latitudes if vary_prevalence else [0.0]:
        height, radius = float(np.sin(latitude)), float(np.cos(latitude))
        for longitude in longitudes:
            tpr, fpr = (round(float(x), 12) for x in (np.cos(longitude), np.sin(longitude)))
            if not is_ordered or tpr * fpr <= 0:
                yield height, tpr * radius, fpr * radius
    if vary_prevalence:
        yield from ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0))


def _extended_thresholds(ranking: Ranking) -> Floats:
    """Thresholds, extended by one above and one below all possible scores."""
    sign = -1 if ranking.lower_is_positive else 1
    scores = sign * ranking.thresholds[1:]
    max_float = float(np.finfo(np.float64).max)
    low, high = -max_float, max_float
    if (np.abs(scores - sign * 0.5) <= 0.5).all():
        low, high = sorted((0.0, float(sign)))  # probabilities stay probabilities
    above, below = max(high, scores[0]), min(low, scores[-1])
    return np.asarray(sign * np.concatenate([[np.inf, above], scores, [below]]))


def _t_quantile(z: float, degrees_of_freedom: int) -> float:
    """Quantile of t for a normal quantile, as standard errors over clusters are estimated."""
    from scipy.special import ndtr, stdtrit

    return float(-stdtrit(degrees_of_freedom, ndtr(-z)))
