"""Confidence intervals of the AUC, and the covariance of several AUCs on the same rows.

A positive row's *placement* is the share of negatives that score below it (ties half); a negative
row's the share of positives above it. Their means are the area, their variances its uncertainty
(DeLong, DeLong & Clarke-Pearson 1988, doi:10.2307/2531595). The default puts these variances into
the exact formula for the variance of a Mann-Whitney statistic and computes the interval on the
logit scale (Pohar Perme & Manevski 2019, doi:10.1177/0962280218814556);
docs/explanation/areas-study.md compares its coverage with that of other methods.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.stats.interval_methods import (
    default_method,
    interval_method,
    methods_by_name,
    require_level,
)
from tradeoff.stats.normal import critical_value
from tradeoff.threads import cache_blocks

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking


# Covariance of the AUCs of several models on the same rows.
#
# DeLong, DeLong & Clarke-Pearson 1988 (doi:10.2307/2531595) from the placements of rows; for
# clustered rows, such as several of one patient, Obuchowski 1997 (doi:10.2307/2533958).


@dataclass(frozen=True, eq=False)
class AucCovariance:
    """AUCs of several models on the same rows, and their covariance matrix."""

    models: tuple[str, ...]
    values: NDArray[np.float64]
    covariance: NDArray[np.float64]
    method: str


def auc_covariance(paired: PairedRanking) -> AucCovariance:
    """DeLong covariance matrix of several AUCs; Obuchowski's where rows are clustered.

    NaN with fewer than two rows in a class.
    """
    _require_both_classes(paired)
    placements = _placements_by_class(paired)
    weights = _class_weights(paired)
    values = np.clip(
        np.array([np.average(model, weights=weights[0]) for model in placements[0]]), 0, 1
    )
    for side in placements:
        np.subtract(side, values[:, None], out=side)  # in place: with many models these are large
    if paired.clusters is not None:
        covariance = _clustered_covariance(paired, paired.clusters, placements, weights)
        return AucCovariance(paired.models, values, covariance, "Obuchowski")
    by_class = [
        _class_covariance(deviations, class_weights, importance=paired.importance)
        for deviations, class_weights in zip(placements, weights, strict=True)
    ]
    return AucCovariance(paired.models, values, by_class[0] + by_class[1], "DeLong")


def _placements_by_class(paired: PairedRanking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Placements of positive and of negative rows; one array row per model."""
    positives = int(np.count_nonzero(paired.positive_rows))
    models = paired.models
    of_positives = np.empty((len(models), positives))
    of_negatives = np.empty((len(models), paired.rows - positives))
    for index, name in enumerate(models):
        of_positives[index], of_negatives[index] = paired.placements(name)
    return of_positives, of_negatives


def _class_weights(paired: PairedRanking) -> list[NDArray[Any] | None]:
    if paired.weights is None:
        return [None, None]
    return [paired.weights[mask] for mask in (paired.positive_rows, ~paired.positive_rows)]


def _class_covariance(
    deviations: NDArray[np.float64], weights: NDArray[Any] | None, *, importance: bool
) -> NDArray[np.float64]:
    """Contribution of one class to the covariance of the AUCs."""
    rows = float(deviations.shape[1] if weights is None else weights.sum())
    if weights is None:
        return _scaled_covariance(deviations @ deviations.T, rows, rows)
    if not importance:
        return _scaled_covariance((deviations * weights) @ deviations.T, rows, rows)
    squares = weights.astype(np.float64) ** 2
    effective = rows**2 / float(squares.sum())
    # The sum of squares stands for `effective` equal rows.
    products = (deviations * squares) @ deviations.T * (effective / rows) ** 2
    return _scaled_covariance(products, effective, effective)


def _scaled_covariance(products: NDArray[Any], rows: float, trials: float) -> NDArray[np.float64]:
    if trials <= 1:
        return np.full(products.shape, np.nan)
    return np.asarray(products / (rows * (trials - 1)))


def _clustered_covariance(
    paired: PairedRanking,
    clusters: NDArray[np.intp],
    deviations: tuple[NDArray[np.float64], NDArray[np.float64]],
    weights: list[NDArray[Any] | None],
) -> NDArray[np.float64]:
    """Obuchowski's covariance: deviations are summed within each cluster first."""
    size = int(clusters.max()) + 1
    masks = [paired.positive_rows, ~paired.positive_rows]
    sums, cluster_counts, totals = [], [], []
    for side, mask, weight in zip(deviations, masks, weights, strict=True):
        codes = clusters[mask]
        weighted = side if weight is None else side * weight
        sums.append(np.array([np.bincount(codes, model, minlength=size) for model in weighted]))
        cluster_counts.append(len(np.unique(codes)))
        totals.append(float(len(codes) if weight is None else weight.sum()))
    if min(cluster_counts) < 2:
        return np.full((len(paired.models),) * 2, np.nan)
    positive, negative = sums[0] / totals[0], sums[1] / totals[1]
    both = size / (size - 1)
    cross = positive @ negative.T
    return np.asarray(
        positive @ positive.T * cluster_counts[0] / (cluster_counts[0] - 1)
        + negative @ negative.T * cluster_counts[1] / (cluster_counts[1] - 1)
        + (cross + cross.T) * both
    )


def _require_both_classes(paired: PairedRanking) -> None:
    for has_rows, name in (
        (paired.positive_rows.any(), paired.positive),
        (not paired.positive_rows.all(), paired.negative),
    ):
        if not has_rows:
            raise InputError(f"Comparing AUCs needs rows of both classes: no row is {name!r}.")


Limits = tuple[float, float]
"""The lower and the upper limit of an interval."""
ROUNDING = 1e-12
BOUND = "exact-type bound"


class PlacementVariances(NamedTuple):
    """The AUC and the variance of placements within each class, over effective numbers of rows."""

    area: float
    positives: float
    negatives: float
    positive_variance: float
    negative_variance: float

    @property
    def variance(self) -> float:
        """DeLong's variance of the AUC."""
        return self.positive_variance / self.positives + self.negative_variance / self.negatives


def placement_variances(ranking: Ranking) -> PlacementVariances:
    """Variances of the placements behind DeLong's variance of an AUC.

    NaN with fewer than two rows in a class.
    """
    positives, negatives = float(ranking.positives), float(ranking.negatives)
    area = float(ranking.twice_pairs_won()) / (2 * positives * negatives)
    if not ranking.is_counted and abs(area - round(area)) < ROUNDING:
        area = float(round(area))  # sums of real weights stray: every pair is won, or lost
    rows = ranking.effective_rows
    sums = _squared_deviations(ranking, area)
    variances = [
        s * n / (total**2) * n / (n - 1) if n > 1 else math.nan
        for s, n, total in zip(sums, rows, (positives, negatives), strict=True)
    ]
    return PlacementVariances(min(max(area, 0.0), 1.0), *rows, *variances)


def _squared_deviations(ranking: Ranking, area: float) -> NDArray[np.float64]:
    """Sums of squared deviations of the placements of each class from the AUC."""
    if ranking.pairs is not None:
        return np.array([ranking.pairs.positive_squares, ranking.pairs.negative_squares])
    _, true_positives, false_positives = ranking.tally
    squares = None if ranking.squares is None else ranking.squares.tally[1:]
    deviations = _exact_deviations(ranking) if ranking.is_counted else _deviations(ranking, area)
    sums = np.zeros(2)
    for start, stop in cache_blocks((0, ranking.distinct)):
        part = slice(start, stop + 1)
        above, below = deviations(true_positives[part], false_positives[part])
        cumulative = (true_positives, false_positives) if squares is None else squares
        weights = [np.diff(side[part].astype(np.float64)) for side in cumulative]
        sums += [weights[0] @ above**2, weights[1] @ below**2]
    return sums


Deviations = Callable[
    ["NDArray[Any]", "NDArray[Any]"], tuple["NDArray[np.float64]", "NDArray[np.float64]"]
]
"""Deviations from the AUC of the placements of positives and of negatives at each score."""


def _deviations(ranking: Ranking, area: float) -> Deviations:
    positives, negatives = float(ranking.positives), float(ranking.negatives)

    def deviations(true_positives: NDArray[Any], false_positives: NDArray[Any]) -> Any:
        above = 1 - (false_positives[1:] + false_positives[:-1]) / (2 * negatives) - area
        return above, (true_positives[1:] + true_positives[:-1]) / (2 * positives) - area

    return deviations


def _exact_deviations(ranking: Ranking) -> Deviations:
    """Deviations of counted rows, without cancellation where placements are close to the AUC.

    All of them are whole numbers over 2 · P · N, which are subtracted before anything is rounded.
    """
    positives, negatives = int(ranking.positives), int(ranking.negatives)
    pairs, won = 2 * positives * negatives, ranking.twice_pairs_won()
    wide: Any = np.int64 if pairs <= np.iinfo(np.int64).max else object  # Python's integers

    def deviations(true_positives: NDArray[Any], false_positives: NDArray[Any]) -> Any:
        tp, fp = true_positives.astype(wide), false_positives.astype(wide)
        above = positives * (2 * negatives - fp[1:] - fp[:-1]) - won
        below = negatives * (tp[1:] + tp[:-1]) - won
        return above.astype(np.float64) / pairs, below.astype(np.float64) / pairs

    return deviations


def logit_interval(area: float, variance: float, level: float) -> Limits:
    """Confidence interval of an AUC on the logit scale, so never outside 0 to 1."""
    middle = math.log(area / (1 - area))
    half = critical_value(level) * math.sqrt(variance) / (area * (1 - area))
    return _inverse_logit(middle - half), _inverse_logit(middle + half)


def _inverse_logit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0


def _wald_interval(area: float, variance: float, level: float) -> Limits:
    """Symmetric around the AUC, cut at 0 and 1, as in pROC."""
    half = critical_value(level) * math.sqrt(variance)
    return max(area - half, 0.0), min(area + half, 1.0)


IntervalFunction = Callable[[float, float, float], Limits]
"""The interval that follows from an AUC, its variance and a level."""
Variance = Callable[[PlacementVariances], float]


class AucMethod(NamedTuple):
    """An interval method of AUCs: the variance, and the interval that follows from it."""

    label: str
    variance: Callable[[PlacementVariances], float]
    interval: IntervalFunction


def _auc_method(
    name: str, label: str, interval: IntervalFunction, *, aliases: tuple[str, ...] = ()
) -> Callable[[Variance], Variance]:
    """Register a variance of an AUC as an interval method."""

    def register(variance: Variance) -> Variance:
        method = AucMethod(label, variance, interval)
        interval_method(name, of="areas", label=label, aliases=aliases)(method)
        return variance

    return register


@_auc_method(
    "perme-manevski",
    "Pohar Perme–Manevski on the logit scale",
    logit_interval,
    aliases=("logit",),
)
def perme_manevski_variance(placements: PlacementVariances) -> float:
    """Variance of an AUC by Pohar Perme & Manevski, as in auRoc's `DL.corr`.

    A Mann-Whitney statistic of m positive and n negative rows has the variance
    ((n - 1) S₊ + (m - 1) S₋ + A (1 - A)) / (m n), with S₊ and S₋ those of placements.

    Example:
        >>> round(perme_manevski_variance(PlacementVariances(0.8, 10, 20, 0.05, 0.03)), 6)
        0.0069
    """
    area, positives, negatives, positive_variance, negative_variance = placements
    sums = (negatives - 1) * positive_variance + (positives - 1) * negative_variance
    return (sums + area * (1 - area)) / (positives * negatives)


@_auc_method("delong-logit", "DeLong on the logit scale", logit_interval)
@_auc_method("delong", "DeLong", _wald_interval)
def _delong_variance(placements: PlacementVariances) -> float:
    return placements.variance


@_auc_method(
    "delong-logit-shrunk",
    "DeLong on the logit scale, variance shrunk towards Hanley–McNeil",
    logit_interval,
)
def shrunken_delong_variance(placements: PlacementVariances) -> float:
    """DeLong's variance of an AUC, shrunk towards Hanley & McNeil's where rows are few.

    The variance in each class is averaged with that of Hanley & McNeil's model (see
    `_model_variance`), whose weight is the square root of the class's rows. Its coverage is good
    (docs/explanation/areas-study.md) but it is published nowhere (docs/decisions/0010).
    """
    model = _model_variance(placements.area)

    def shrink(variance: float, rows: float) -> float:
        weight = math.sqrt(rows)
        return ((rows - 1) * variance + weight * model) / (rows - 1 + weight) / rows

    return shrink(placements.positive_variance, placements.positives) + shrink(
        placements.negative_variance, placements.negatives
    )


def hanley_mcneil_variance(area: float, positives: float, negatives: float) -> float:
    """Hanley & McNeil's variance of an AUC, from its value and the numbers of rows alone.

    1982, doi:10.1148/radiology.143.1.7063747.

    Example:
        >>> round(hanley_mcneil_variance(0.8, 50, 50) ** 0.5, 4)
        0.0445
    """
    above, below = area / (2 - area), 2 * area**2 / (1 + area)
    sums = (positives - 1) * (above - area**2) + (negatives - 1) * (below - area**2)
    return (area * (1 - area) + sums) / (positives * negatives)


@_auc_method("hanley-mcneil", "Hanley–McNeil", _wald_interval)
def _hanley_mcneil(placements: PlacementVariances) -> float:
    return hanley_mcneil_variance(placements.area, placements.positives, placements.negatives)


def _model_variance(area: float) -> float:
    """Variance of placements in Hanley & McNeil's model, averaged over its two classes."""
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


def perfect_auc_interval(area: float, rows: float, level: float) -> Limits:
    """Confidence interval of an AUC of exactly 0 or 1, where every estimated variance is 0.

    That of as many successes in a row as the smaller class has `rows` (Clopper & Pearson 1934): so
    many pairs have no row in common.
    """
    bound = ((1 - require_level(level)) / 2) ** (1 / rows)
    return (bound, 1.0) if area == 1 else (0.0, 1 - bound)


FEW_ROWS = (10, 30)
"""Rows in the smaller class below which the default falls far short, and short, of its level."""
FEW_DISCORDANT = 6
"""It also does where the discordant (or concordant) pairs come from fewer rows than this."""
COVERAGE = ((82, 99), (79, 98), (84, 96))
"""The lowest and highest coverage of the default in each of these three cases, in percent."""


def coverage_note(placements: PlacementVariances) -> str | None:
    """Note on the coverage of the default AUC interval where it misses its level; else None.

    The numbers are measured: docs/explanation/areas-study.md.

    Example:
        >>> coverage_note(PlacementVariances(0.8, 15, 85, 0.05, 0.03))
        'with fewer than 30 rows in a class, the coverage of 95% intervals is 79 to 98%'
        >>> coverage_note(PlacementVariances(0.8, 150, 850, 0.05, 0.03))
    """
    rows = min(placements.positives, placements.negatives)
    discordant_rows = rows * min(placements.area, 1 - placements.area)
    if rows < FEW_ROWS[0]:
        case, coverage = f"with fewer than {FEW_ROWS[0]} rows in a class", COVERAGE[0]
    elif rows < FEW_ROWS[1]:
        case, coverage = f"with fewer than {FEW_ROWS[1]} rows in a class", COVERAGE[1]
    elif 0 < discordant_rows < FEW_DISCORDANT:
        pairs = "discordant" if placements.area > 0.5 else "concordant"
        case, coverage = f"with so few {pairs} pairs", COVERAGE[2]
    else:
        return None
    low, high = coverage
    return f"{case}, the coverage of 95% intervals is {low} to {high}%"


class AucInterval(NamedTuple):
    """Confidence interval of an AUC, with its method and a note; or why there is none."""

    low: float
    high: float
    method: str
    reason: str | None = None
    note: str | None = None


def auc_interval(ranking: Ranking, level: float = 0.95, method: str | None = None) -> AucInterval:
    """Confidence interval of the AUC of a ranking, by the default method or another one."""
    require_level(level)
    methods, usual = methods_by_name("areas"), default_method("areas")
    method = usual.name if method is None else method
    if method not in methods:
        raise UnknownName(
            f"There is no AUC interval method {method!r}.{did_you_mean(method, methods)} "
            f"There are {format_list(methods)}."
        )
    formula: AucMethod = methods[method].function
    if min(ranking.effective_rows) < 2:
        return AucInterval(math.nan, math.nan, formula.label, "two rows of each class are needed")
    if ranking.distinct == 1:
        return AucInterval(math.nan, math.nan, formula.label, "every row has the same score")
    placements = placement_variances(ranking)
    interval = _interval(ranking, placements, formula, level)
    if interval.reason or formula is not usual.function:
        return interval
    return interval._replace(note=coverage_note(placements))


def _interval(
    ranking: Ranking, placements: PlacementVariances, formula: AucMethod, level: float
) -> AucInterval:
    lowest, highest = _auc_bounds_in_bins(ranking)
    if lowest < highest:
        return _interval_in_bins(ranking, formula, level, placements, (lowest, highest))
    area = placements.area
    if formula.interval is logit_interval and area in {0.0, 1.0}:
        rows = min(placements.positives, placements.negatives)
        return AucInterval(*perfect_auc_interval(area, rows, level), BOUND)
    variance = formula.variance(placements)
    return AucInterval(*formula.interval(area, variance, level), formula.label)


def _auc_bounds_in_bins(ranking: Ranking) -> Limits:
    """The lowest and the highest AUC over all orders of the rows inside bins."""
    if ranking.exact or ranking.pairs is not None:
        return 0.0, 0.0
    pairs = 2 * float(ranking.positives) * float(ranking.negatives)
    cases = (ranking.worst_case, ranking.best_case)
    lowest, highest = (float(case.twice_pairs_won()) / pairs for case in cases)
    return lowest, highest


def _interval_in_bins(
    ranking: Ranking,
    formula: AucMethod,
    level: float,
    placements: PlacementVariances,
    bounds: Limits,
) -> AucInterval:
    """An interval that contains that of every order inside bins.

    At a fixed variance the lower limit rises with the AUC and then falls (on the logit scale, near
    1), and the upper limit falls and then rises, so both are extreme where the AUC is. The variance
    is the largest that any order allows: that of `_widened` placements, and for what depends on the
    AUC itself no more than a slope of half a row's share of its class.
    """
    lowest, highest = bounds
    if formula.interval is logit_interval and not 0 < lowest < highest < 1:
        reason = "some order of the rows inside bins wins, or loses, every pair"
        return AucInterval(math.nan, math.nan, formula.label, reason)
    widened = _widened(ranking, placements, highest - lowest)
    slack = (highest - lowest) * (1 / placements.positives + 1 / placements.negatives) / 4
    variance = max(formula.variance(widened._replace(area=area)) for area in bounds) + slack
    intervals = [formula.interval(area, variance, level) for area in bounds]
    low, high = min(low for low, _ in intervals), max(high for _, high in intervals)
    return AucInterval(low, high, f"{formula.label}, for every order")


def largest_placement_variances(ranking: Ranking) -> PlacementVariances:
    """Variances of placements for DeLong's AUC variance; the largest over orders inside bins."""
    lowest, highest = _auc_bounds_in_bins(ranking)
    placements = placement_variances(ranking)
    return _widened(ranking, placements, highest - lowest) if lowest < highest else placements


def _widened(
    ranking: Ranking, placements: PlacementVariances, open_area: float
) -> PlacementVariances:
    """The largest variances of placements that any order inside bins allows.

    A placement is at most half its bin's share of the other class off, and the AUC half of what
    is open, so by Minkowski's inequality their deviations grow by no more than the root of the
    squares of both, added.
    """
    counts = [np.diff(side.astype(np.float64)) for side in ranking.tally[1:]]
    squares = counts
    if ranking.squares is not None:
        squares = [np.diff(side.astype(np.float64)) for side in ranking.squares.tally[1:]]
    levels = ranking.levels
    is_bin = levels[1:] > 0 if levels is not None else np.zeros(len(counts[0]), bool)
    totals = float(ranking.positives), float(ranking.negatives)
    rows = placements.positives, placements.negatives
    variances = placements.positive_variance, placements.negative_variance
    widened = []
    for side, other in ((0, 1), (1, 0)):
        shift = is_bin * counts[other] / (2 * totals[other]) + open_area / 2
        excess = float(squares[side] @ shift**2) * rows[side] ** 2 / totals[side] ** 2
        excess /= rows[side] - 1
        widened.append((math.sqrt(variances[side]) + math.sqrt(excess)) ** 2)
    return placements._replace(positive_variance=widened[0], negative_variance=widened[1])
