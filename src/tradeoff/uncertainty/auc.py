"""Confidence intervals for the AUC, and the covariance between AUCs on the same rows.

A positive row's *placement* is the proportion of negatives that score below it (each tie counts as
one half); a negative row's is the proportion of positives that score above it. Their mean is the
AUC, and their variances determine its variance (DeLong, DeLong & Clarke-Pearson 1988,
doi:10.2307/2531595). The default method inserts these variances into the exact formula for the
variance of a Mann-Whitney statistic and computes the interval on the logit scale (Pohar Perme &
Manevski 2019, doi:10.1177/0962280218814556); docs/explanation/areas-study.md compares its coverage
with that of other methods.
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


# Covariance between the AUCs of several models on the same rows.
#
# DeLong, DeLong & Clarke-Pearson 1988 (doi:10.2307/2531595) from the placements of rows; for
# clustered rows, such as several per patient, Obuchowski 1997 (doi:10.2307/2533958).


@dataclass(frozen=True, eq=False)
class AucCovariance:
    """AUCs of several models on the same rows, and their covariance matrix."""

    models: tuple[str, ...]
    values: NDArray[np.float64]
    covariance: NDArray[np.float64]
    method: str


def auc_covariance(paired: PairedRanking) -> AucCovariance:
    """DeLong covariance matrix of several AUCs; Obuchowski's if rows are clustered.

    It is NaN if a class has fewer than two rows.
    """
    _require_both_classes(paired)
    placements = _placements_by_class(paired)
    weights = _class_weights(paired)
    values = np.clip(
        np.array([np.average(model, weights=weights[0]) for model in placements[0]]), 0, 1
    )
    for class_placements in placements:  # in place: large with many models
        np.subtract(class_placements, values[:, None], out=class_placements)
    if paired.clusters is not None:
        covariance = _clustered_covariance(paired, paired.clusters, placements, weights)
        return AucCovariance(paired.models, values, covariance, "Obuchowski")
    by_class = [
        _class_covariance(deviations, class_weights, importance=paired.importance)
        for deviations, class_weights in zip(placements, weights, strict=True)
    ]
    return AucCovariance(paired.models, values, by_class[0] + by_class[1], "DeLong")


def _placements_by_class(paired: PairedRanking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Placements of the positives and of the negatives; one array row per model."""
    positives = int(np.count_nonzero(paired.positive_rows))
    models = paired.models
    positive_placements = np.empty((len(models), positives))
    negative_placements = np.empty((len(models), paired.rows - positives))
    for index, name in enumerate(models):
        positive_placements[index], negative_placements[index] = paired.placements(name)
    return positive_placements, negative_placements


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
    effective_rows = rows**2 / float(squares.sum())
    products = (deviations * squares) @ deviations.T * (effective_rows / rows) ** 2
    return _scaled_covariance(products, effective_rows, effective_rows)


def _scaled_covariance(
    products: NDArray[Any], rows: float, sample_size: float
) -> NDArray[np.float64]:
    if sample_size <= 1:
        return np.full(products.shape, np.nan)
    return np.asarray(products / (rows * (sample_size - 1)))


def _clustered_covariance(
    paired: PairedRanking,
    clusters: NDArray[np.intp],
    deviations: tuple[NDArray[np.float64], NDArray[np.float64]],
    weights: list[NDArray[Any] | None],
) -> NDArray[np.float64]:
    """Obuchowski's covariance: deviations are first summed within each cluster."""
    size = int(clusters.max()) + 1
    masks = [paired.positive_rows, ~paired.positive_rows]
    sums, cluster_counts, totals = [], [], []
    for class_deviations, mask, class_weights in zip(deviations, masks, weights, strict=True):
        codes = clusters[mask]
        weighted = class_deviations if class_weights is None else class_deviations * class_weights
        sums.append(np.array([np.bincount(codes, model, minlength=size) for model in weighted]))
        cluster_counts.append(len(np.unique(codes)))
        totals.append(float(len(codes) if class_weights is None else class_weights.sum()))
    if min(cluster_counts) < 2:
        return np.full((len(paired.models),) * 2, np.nan)
    positives, negatives = sums[0] / totals[0], sums[1] / totals[1]
    correction = size / (size - 1)
    cross_products = positives @ negatives.T
    return np.asarray(
        positives @ positives.T * cluster_counts[0] / (cluster_counts[0] - 1)
        + negatives @ negatives.T * cluster_counts[1] / (cluster_counts[1] - 1)
        + (cross_products + cross_products.T) * correction
    )


def _require_both_classes(paired: PairedRanking) -> None:
    for has_rows, name in (
        (paired.positive_rows.any(), paired.positive),
        (not paired.positive_rows.all(), paired.negative),
    ):
        if not has_rows:
            raise InputError(
                f"Comparing AUCs needs rows of both classes, but no row belongs to class {name!r}."
            )


Limits = tuple[float, float]
"""Lower and upper limit of an interval."""
ROUNDING_TOLERANCE = 1e-12
"""An AUC with real-valued weights that is this close to 0 or 1 counts as exactly 0 or 1."""
PERFECT_AUC_METHOD = "exact-type bound"


class PlacementVariances(NamedTuple):
    """The AUC, and the effective number of rows and variance of placements in each class."""

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
    """Variances of placements by class, from which DeLong's variance of the AUC is computed.

    They are NaN if the class has fewer than two rows.
    """
    positives, negatives = float(ranking.positives), float(ranking.negatives)
    area = float(ranking.twice_pairs_won()) / (2 * positives * negatives)
    if not ranking.is_counted and abs(area - round(area)) < ROUNDING_TOLERANCE:
        area = float(round(area))  # all pairs are concordant, or discordant, up to rounding error
    rows = ranking.effective_rows
    sums = _squared_deviations(ranking, area)
    variances = [
        s * n / (total**2) * n / (n - 1) if n > 1 else math.nan
        for s, n, total in zip(sums, rows, (positives, negatives), strict=True)
    ]
    return PlacementVariances(min(max(area, 0.0), 1.0), *rows, *variances)


def _squared_deviations(ranking: Ranking, area: float) -> NDArray[np.float64]:
    """Sums of squared deviations of placements from the AUC, by class."""
    if ranking.pairs is not None:
        return np.array([ranking.pairs.positive_squares, ranking.pairs.negative_squares])
    _, true_positives, false_positives = ranking.tally
    squares = None if ranking.squares is None else ranking.squares.tally[1:]
    deviations = (
        _exact_deviation_function(ranking)
        if ranking.is_counted
        else _deviation_function(ranking, area)
    )
    sums = np.zeros(2)
    for start, stop in cache_blocks((0, ranking.distinct)):
        part = slice(start, stop + 1)
        positive_deviations, negative_deviations = deviations(
            true_positives[part], false_positives[part]
        )
        cumulative = (true_positives, false_positives) if squares is None else squares
        weights = [np.diff(counts[part].astype(np.float64)) for counts in cumulative]
        sums += [weights[0] @ positive_deviations**2, weights[1] @ negative_deviations**2]
    return sums


DeviationFunction = Callable[
    ["NDArray[Any]", "NDArray[Any]"], tuple["NDArray[np.float64]", "NDArray[np.float64]"]
]
"""Deviations of placements from the AUC at each score, by class, from cumulative counts."""


def _deviation_function(ranking: Ranking, area: float) -> DeviationFunction:
    positives, negatives = float(ranking.positives), float(ranking.negatives)

    def deviations(true_positives: NDArray[Any], false_positives: NDArray[Any]) -> Any:
        return (
            1 - (false_positives[1:] + false_positives[:-1]) / (2 * negatives) - area,
            (true_positives[1:] + true_positives[:-1]) / (2 * positives) - area,
        )

    return deviations


def _exact_deviation_function(ranking: Ranking) -> DeviationFunction:
    """Exact deviations for whole counts, without cancellation if placements are close to the AUC.

    Both are integers over 2 · P · N, which are subtracted before anything is rounded.
    """
    positives, negatives = int(ranking.positives), int(ranking.negatives)
    twice_pairs, twice_pairs_won = 2 * positives * negatives, ranking.twice_pairs_won()
    fits_int64 = twice_pairs <= np.iinfo(np.int64).max
    dtype: Any = np.int64 if fits_int64 else object  # Python's integers

    def deviations(true_positives: NDArray[Any], false_positives: NDArray[Any]) -> Any:
        tp, fp = true_positives.astype(dtype), false_positives.astype(dtype)
        positive_deviations = positives * (2 * negatives - fp[1:] - fp[:-1]) - twice_pairs_won
        negative_deviations = negatives * (tp[1:] + tp[:-1]) - twice_pairs_won
        return (
            positive_deviations.astype(np.float64) / twice_pairs,
            negative_deviations.astype(np.float64) / twice_pairs,
        )

    return deviations


def auc_logit_interval(area: float, variance: float, level: float) -> Limits:
    """Confidence interval for an AUC on the logit scale, so that it lies between 0 and 1."""
    logit = math.log(area / (1 - area))
    half_width = critical_value(level) * math.sqrt(variance) / (area * (1 - area))
    return _inverse_logit(logit - half_width), _inverse_logit(logit + half_width)


def _inverse_logit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0


def _wald_interval(area: float, variance: float, level: float) -> Limits:
    """Wald interval for an AUC: symmetric, truncated at 0 and 1, as in pROC."""
    half_width = critical_value(level) * math.sqrt(variance)
    return max(area - half_width, 0.0), min(area + half_width, 1.0)


IntervalFunction = Callable[[float, float, float], Limits]
"""Interval for an AUC, from its value, variance and level."""
VarianceFunction = Callable[[PlacementVariances], float]
"""Variance of an AUC, from the variances of placements."""


class AucMethod(NamedTuple):
    """An interval method for AUCs: a variance estimator, and the interval computed from it."""

    label: str
    variance: VarianceFunction
    interval: IntervalFunction


def _auc_method(
    name: str, label: str, interval: IntervalFunction, *, aliases: tuple[str, ...] = ()
) -> Callable[[VarianceFunction], VarianceFunction]:
    """Register a variance function as an interval method for AUCs."""

    def register(variance: VarianceFunction) -> VarianceFunction:
        method = AucMethod(label, variance, interval)
        interval_method(name, of="areas", label=label, aliases=aliases)(method)
        return variance

    return register


@_auc_method(
    "perme-manevski",
    "Pohar Perme–Manevski on the logit scale",
    auc_logit_interval,
    aliases=("logit",),
)
def perme_manevski_variance(variances: PlacementVariances) -> float:
    """Variance of an AUC by Pohar Perme & Manevski, as in auRoc's `DL.corr`.

    The Mann-Whitney statistic of m positives and n negatives has the variance
    ((n - 1) S₊ + (m - 1) S₋ + A (1 - A)) / (m n), where S₊ and S₋ are the variances of placements.

    Example:
        >>> round(perme_manevski_variance(PlacementVariances(0.8, 10, 20, 0.05, 0.03)), 6)
        0.0069
    """
    area, positives, negatives, positive_variance, negative_variance = variances
    sums = (negatives - 1) * positive_variance + (positives - 1) * negative_variance
    return (sums + area * (1 - area)) / (positives * negatives)


@_auc_method("delong-logit", "DeLong on the logit scale", auc_logit_interval)
@_auc_method("delong", "DeLong", _wald_interval)
def _delong_variance(variances: PlacementVariances) -> float:
    return variances.variance


@_auc_method(
    "delong-logit-shrunk",
    "DeLong on the logit scale, variance shrunk towards Hanley–McNeil",
    auc_logit_interval,
)
def shrunken_delong_variance(variances: PlacementVariances) -> float:
    """DeLong's variance of an AUC, shrunk towards Hanley & McNeil's if rows are few.

    The variance in each class is averaged with that of Hanley & McNeil's model (see
    `_model_variance`), whose weight is the square root of the class size. Coverage is good
    (docs/explanation/areas-study.md), but the method is unpublished (docs/decisions/0010).
    """
    model_variance = _model_variance(variances.area)

    def shrink(variance: float, rows: float) -> float:
        weight = math.sqrt(rows)
        return ((rows - 1) * variance + weight * model_variance) / (rows - 1 + weight) / rows

    return shrink(variances.positive_variance, variances.positives) + shrink(
        variances.negative_variance, variances.negatives
    )


def hanley_mcneil_variance(area: float, positives: float, negatives: float) -> float:
    """Hanley & McNeil's variance of an AUC, from its value and the class sizes alone.

    1982, doi:10.1148/radiology.143.1.7063747.

    Example:
        >>> round(hanley_mcneil_variance(0.8, 50, 50) ** 0.5, 4)
        0.0445
    """
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)  # as in the paper
    sums = (positives - 1) * (q1 - area**2) + (negatives - 1) * (q2 - area**2)
    return (area * (1 - area) + sums) / (positives * negatives)


@_auc_method("hanley-mcneil", "Hanley–McNeil", _wald_interval)
def _variance_by_hanley_mcneil(variances: PlacementVariances) -> float:
    return hanley_mcneil_variance(variances.area, variances.positives, variances.negatives)


def _model_variance(area: float) -> float:
    """Variance of placements in Hanley & McNeil's model, averaged over the two classes."""
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


def perfect_auc_interval(area: float, rows: float, level: float) -> Limits:
    """Confidence interval for an AUC of exactly 0 or 1, where all variance estimates are 0.

    It is the Clopper–Pearson interval for `rows` successes in `rows` trials, where `rows` is the
    size of the smaller class: so many pairs can be formed without using a row twice.
    """
    bound = ((1 - require_level(level)) / 2) ** (1 / rows)
    return (bound, 1.0) if area == 1 else (0.0, 1 - bound)


SMALL_CLASS_ROWS = (10, 30)
"""Sizes of the smaller class below which coverage is far too low, and somewhat too low."""
MIN_DISCORDANT_ROWS = 6
"""Coverage is also too low if fewer rows account for the discordant (or concordant) pairs."""
COVERAGE_RANGES = ((82, 99), (79, 98), (84, 96))
"""Lowest and highest coverage of the default method in each of these three cases, in percent."""


def auc_coverage_note(variances: PlacementVariances) -> str | None:
    """Note on the coverage of the default AUC interval if it misses the level, else None.

    The coverage was simulated: docs/explanation/areas-study.md.

    Example:
        >>> auc_coverage_note(PlacementVariances(0.8, 15, 85, 0.05, 0.03))
        'with fewer than 30 rows in a class, the coverage of 95% intervals is 79 to 98%'
        >>> auc_coverage_note(PlacementVariances(0.8, 150, 850, 0.05, 0.03))
    """
    rows = min(variances.positives, variances.negatives)
    discordant_rows = rows * min(variances.area, 1 - variances.area)
    if rows < SMALL_CLASS_ROWS[0]:
        case, coverage = (
            f"with fewer than {SMALL_CLASS_ROWS[0]} rows in a class",
            COVERAGE_RANGES[0],
        )
    elif rows < SMALL_CLASS_ROWS[1]:
        case, coverage = (
            f"with fewer than {SMALL_CLASS_ROWS[1]} rows in a class",
            COVERAGE_RANGES[1],
        )
    elif 0 < discordant_rows < MIN_DISCORDANT_ROWS:
        pairs = "discordant" if variances.area > 0.5 else "concordant"
        case, coverage = f"with so few {pairs} pairs", COVERAGE_RANGES[2]
    else:
        return None
    low, high = coverage
    return f"{case}, the coverage of 95% intervals is {low} to {high}%"


class AucInterval(NamedTuple):
    """Confidence interval for an AUC, with its method and a note, or why there is none."""

    low: float
    high: float
    method: str
    reason: str | None = None
    note: str | None = None


def auc_interval(ranking: Ranking, level: float = 0.95, method: str | None = None) -> AucInterval:
    """Confidence interval for the AUC of a ranking, by the default or a named method."""
    require_level(level)
    methods, default = methods_by_name("areas"), default_method("areas")
    name = default.name if method is None else method
    if name not in methods:
        raise UnknownName(
            f"There is no AUC interval method {name!r}.{did_you_mean(name, methods)} "
            f"Available methods: {format_list(methods)}."
        )
    auc_method: AucMethod = methods[name].function
    if min(ranking.effective_rows) < 2:
        reason = f"two {ranking.wording.units} of each class are needed"
        return AucInterval(math.nan, math.nan, auc_method.label, reason)
    if ranking.distinct == 1:
        reason = f"every {ranking.wording.unit} has the same score"
        return AucInterval(math.nan, math.nan, auc_method.label, reason)
    variances = placement_variances(ranking)
    interval = _interval_by_method(ranking, variances, auc_method, level)
    if interval.reason or auc_method is not default.function:
        return interval
    note = auc_coverage_note(variances)
    return interval._replace(note=note and ranking.wording.rephrase(note))


def _interval_by_method(
    ranking: Ranking, variances: PlacementVariances, auc_method: AucMethod, level: float
) -> AucInterval:
    lowest, highest = _auc_bounds_in_bins(ranking)
    if lowest < highest:
        return _interval_in_bins(ranking, auc_method, level, variances, (lowest, highest))
    area = variances.area
    if auc_method.interval is auc_logit_interval and area in {0.0, 1.0}:
        rows = min(variances.positives, variances.negatives)
        return AucInterval(*perfect_auc_interval(area, rows, level), PERFECT_AUC_METHOD)
    variance = auc_method.variance(variances)
    return AucInterval(*auc_method.interval(area, variance, level), auc_method.label)


def _auc_bounds_in_bins(ranking: Ranking) -> Limits:
    """Lowest and highest AUC over all orders of the rows inside bins."""
    if ranking.exact or ranking.pairs is not None:
        return 0.0, 0.0
    pairs = 2 * float(ranking.positives) * float(ranking.negatives)
    cases = (ranking.worst_case, ranking.best_case)
    lowest, highest = (float(case.twice_pairs_won()) / pairs for case in cases)
    return lowest, highest


def _interval_in_bins(
    ranking: Ranking,
    auc_method: AucMethod,
    level: float,
    variances: PlacementVariances,
    bounds: Limits,
) -> AucInterval:
    """Interval that contains the intervals for all orders of the rows inside bins.

    At a fixed variance, the lower limit rises with the AUC and then falls (on the logit scale, near
    1), and the upper limit falls and then rises, so both are extreme where the AUC is. The variance
    is the largest that any order allows: that of `_max_variances`, plus a bound on the terms that
    depend on the AUC itself, whose slope is at most half a row's proportion of its class.
    """
    lowest, highest = bounds
    if auc_method.interval is auc_logit_interval and not 0 < lowest < highest < 1:
        reason = "some order of the rows inside bins has an AUC of 0 or 1"
        return AucInterval(math.nan, math.nan, auc_method.label, reason)
    max_variances = _max_variances(ranking, variances, highest - lowest)
    slack = (highest - lowest) * (1 / variances.positives + 1 / variances.negatives) / 4
    candidates = [auc_method.variance(max_variances._replace(area=area)) for area in bounds]
    variance = max(candidates) + slack
    intervals = [auc_method.interval(area, variance, level) for area in bounds]
    low, high = min(low for low, _ in intervals), max(high for _, high in intervals)
    return AucInterval(low, high, f"{auc_method.label}, for every order")


def largest_placement_variances(ranking: Ranking) -> PlacementVariances:
    """Upper bounds on the placement variances of an AUC over all orders of the rows inside bins."""
    lowest, highest = _auc_bounds_in_bins(ranking)
    variances = placement_variances(ranking)
    return _max_variances(ranking, variances, highest - lowest) if lowest < highest else variances


def _max_variances(
    ranking: Ranking, variances: PlacementVariances, auc_range: float
) -> PlacementVariances:
    """Largest variances of placements that any order of the rows inside bins allows.

    A placement is off by at most half its bin's proportion of the other class, and the AUC by at
    most half its range. By Minkowski's inequality, the root of the sum of squared deviations grows
    by at most the root of the sum, over rows, of the square of both bounds added together.
    """
    counts = [np.diff(cumulative.astype(np.float64)) for cumulative in ranking.tally[1:]]
    squares = counts
    if ranking.squares is not None:
        squares = [
            np.diff(cumulative.astype(np.float64)) for cumulative in ranking.squares.tally[1:]
        ]
    levels = ranking.levels
    is_bin = levels[1:] > 0 if levels is not None else np.zeros(len(counts[0]), bool)
    totals = float(ranking.positives), float(ranking.negatives)
    rows = variances.positives, variances.negatives
    class_variances = variances.positive_variance, variances.negative_variance
    max_variances = []
    for this, other in ((0, 1), (1, 0)):
        shift = is_bin * counts[other] / (2 * totals[other]) + auc_range / 2
        excess = float(squares[this] @ shift**2) * rows[this] ** 2 / totals[this] ** 2
        excess /= rows[this] - 1
        max_variances.append((math.sqrt(class_variances[this]) + math.sqrt(excess)) ** 2)
    return variances._replace(
        positive_variance=max_variances[0], negative_variance=max_variances[1]
    )
