"""Out-of-sample estimates for chosen thresholds and reject bands, by out-of-bag bootstrap.

A threshold or band is chosen on the rows of a resample and evaluated on those left out of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.core.resampled_rankings import Resamples
from tradeoff.errors import InputError
from tradeoff.measures.estimate import Estimate
from tradeoff.results import ByValue
from tradeoff.thresholds.identical import Interval, roundest_threshold
from tradeoff.uncertainty.bootstrap import BaggedRows, bootstrap
from tradeoff.uncertainty.confidence import Confidence, ProgressCallback

if TYPE_CHECKING:
    from tradeoff.thresholds.decision import Decision
    from tradeoff.thresholds.reject_band import BandDecision

METHOD = "out-of-bag bootstrap"


@dataclass(frozen=True, eq=False)
class OutOfSample(ByValue):
    """Out-of-sample estimate for a way of choosing a threshold or reject band.

    `estimate` is the mean value of the criterion on out-of-bag rows. For the choice made on all
    rows, `standard_error` is the standard deviation of its value over resamples, and `value` the
    percentile interval. `chosen` holds the percentile intervals of the threshold chosen on each
    resample, or of the lower and upper thresholds of the band. For a threshold, `within` holds the
    intervals of thresholds that are worse by at most one standard error, and `suggestion` is the
    roundest number in the interval that contains the chosen threshold. If the criterion is a
    target, `objective` is the out-of-bag mean of the metric that it leaves to be optimised.
    """

    apparent: float
    estimate: Estimate
    standard_error: float
    value: Interval
    chosen: tuple[Interval, ...]
    level: float
    replicates: int
    failed: int
    seed: int
    within: tuple[Interval, ...] = ()
    suggestion: float = math.nan
    objective: Estimate | None = None

    @property
    def expected(self) -> float:
        """Out-of-sample value by which models are compared; NaN if there is none."""
        return (self.objective or self.estimate).value

    @property
    def thresholds(self) -> Interval:
        """Percentile interval of the thresholds chosen on the resamples."""
        (thresholds,) = self.chosen
        return thresholds

    @property
    def lower(self) -> Interval:
        """Percentile interval of the lower thresholds of the bands chosen on the resamples."""
        return self.chosen[0]

    @property
    def upper(self) -> Interval:
        """Percentile interval of the upper thresholds of the bands chosen on the resamples."""
        return self.chosen[-1]


Bags = tuple["Resamples", "Resamples"]
"""Bootstrap resamples (in bag), and the rows left out of each (out of bag)."""


def out_of_sample_plan(
    ranking: Ranking,
    level: float,
    replicates: int | None,
    seed: int,
    progress: ProgressCallback | None,
) -> tuple[BaggedRows, Confidence]:
    """Rows to resample for an out-of-sample estimate, and settings of the out-of-bag bootstrap."""
    rows = BaggedRows.of(ranking)
    replicates = rows.replicates if replicates is None else replicates
    return rows, Confidence(level, replicates=replicates, seed=seed, progress=progress)


def threshold_out_of_sample(
    decision: Decision, rows: BaggedRows, confidence: Confidence
) -> OutOfSample:
    """Out-of-sample estimate for a threshold: chosen on each resample, evaluated out of bag."""
    criterion, prevalence = decision.criterion, decision.prevalence

    def outcomes(bags: Bags) -> NDArray[np.float64]:
        in_bag, out_of_bag = (resamples.at_prevalence(prevalence) for resamples in bags)
        best = criterion.best(in_bag)
        index = best.argmax(axis=1)[:, np.newaxis]
        columns = (
            decision.ranking.thresholds[index],
            criterion.value_at(out_of_bag, index),
            criterion.value_at(in_bag, decision.index),
            criterion.objective_at(out_of_bag, index),
        )
        values = np.concatenate(columns, axis=1)
        # A target that these rows cannot reach.
        is_unreachable = ~best.any(axis=1)
        for column in (0, 1, 3):
            values[is_unreachable, column] = math.nan
        values[~_usable_resamples(bags, prevalence)] = math.nan
        return values

    values = bootstrap(
        rows, outcomes, confidence, parallel=rows.is_large, block_size=rows.block_size
    )
    summary = _summary(decision.value, criterion.measure, values[:, :3], confidence)
    objective = None
    if criterion.objective is not None:
        objective = _mean_estimate(criterion.objective_name, values[:, 3])
    standard_error = summary.standard_error
    within = decision.within(standard_error) if math.isfinite(standard_error) else ()
    containing_intervals = (
        interval for interval in within if _contains(interval, decision.threshold)
    )
    interval = next(containing_intervals, decision.equivalent_thresholds)
    suggestion = roundest_threshold(decision.ranking, interval)
    return replace(summary, within=within, suggestion=suggestion, objective=objective)


def band_out_of_sample(
    decision: BandDecision, rows: BaggedRows, confidence: Confidence
) -> OutOfSample:
    """Out-of-sample estimate for a reject band: chosen on each resample, evaluated out of bag."""
    search, prevalence = decision.search, decision.prevalence

    def outcome(in_bag: Ranking, out_of_bag: Ranking) -> tuple[float, float, float, float]:
        upper, lower = search.best_indices(in_bag, prevalence)
        in_bag_value = search.value_at(
            in_bag, decision.upper_index, decision.lower_index, prevalence
        )
        low, high = (float(in_bag.thresholds[index]) for index in (lower, upper))
        return low, high, search.value_at(out_of_bag, upper, lower, prevalence), in_bag_value

    def outcomes(bags: Bags) -> NDArray[np.float64]:
        values = np.full((len(bags[0]), 4), math.nan)
        for index in np.flatnonzero(_usable_resamples(bags, prevalence)).tolist():
            values[index] = outcome(*(resamples.ranking(index) for resamples in bags))
        return values

    values = bootstrap(
        rows, outcomes, confidence, parallel=rows.is_large, block_size=rows.block_size
    )
    return _summary(decision.value, decision.criterion, values, confidence)


def _summary(
    apparent: float, name: str, outcomes: NDArray[np.float64], confidence: Confidence
) -> OutOfSample:
    """Summary of the outcomes on all resamples.

    Columns of `outcomes`: the thresholds chosen, their out-of-bag value, and the in-bag value of
    the choice made on all rows.
    """
    *thresholds, out_of_bag_values, in_bag_values = outcomes.T
    return OutOfSample(
        apparent,
        _mean_estimate(name, out_of_bag_values),
        _standard_deviation(in_bag_values),
        _percentile_interval(in_bag_values, in_bag_values, confidence.level),
        tuple(
            _percentile_interval(column, out_of_bag_values, confidence.level)
            for column in thresholds
        ),
        confidence.level,
        len(outcomes),
        int(np.isnan(out_of_bag_values).sum()),
        confidence.seed,
    )


AnyDecision = TypeVar("AnyDecision", "Decision", "BandDecision")


def with_out_of_sample(
    decision: AnyDecision, replicates: int | None, confidence: Confidence
) -> AnyDecision:
    """A copy of a decision with its out-of-sample estimate, or the reason why there is none."""
    try:
        estimate: OutOfSample | str = decision.check(
            replicates=replicates,
            seed=confidence.seed,
            level=confidence.level,
            progress=confidence.progress,
        )
    except InputError as error:
        estimate = str(error)
    return replace(decision, out_of_sample=estimate)


def _usable_resamples(bags: Bags, prevalence: float | None) -> NDArray[np.bool_]:
    """Mask of resamples with rows both in and out of the bag; with a prevalence, of each class."""
    class_masks = [
        (resamples.positives[:, 0] > 0, resamples.negatives[:, 0] > 0) for resamples in bags
    ]
    has_rows = np.logical_or if prevalence is None else np.logical_and
    return np.logical_and(*(has_rows(*masks) for masks in class_masks))


def _mean_estimate(name: str, values: NDArray[np.float64]) -> Estimate:
    if np.isnan(values).all():
        reason = "no bootstrap resample left out rows on which the choice could be evaluated"
        return Estimate(name, math.nan, reason=reason)
    return Estimate(name, float(np.nanmean(values)))


def _standard_deviation(values: NDArray[np.float64]) -> float:
    is_defined = ~np.isnan(values)
    if is_defined.sum() < 2 or np.isinf(values).any():
        return math.nan
    return float(np.nanstd(values, ddof=1))


def _percentile_interval(
    values: NDArray[np.float64], out_of_bag_values: NDArray[np.float64], level: float
) -> Interval:
    """Percentile interval of values over the resamples that have an out-of-bag value."""
    values = values[~np.isnan(out_of_bag_values)]
    if not len(values):
        return Interval(math.nan, math.nan)
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail], method="inverted_cdf")
    return Interval(float(low), float(high))


def _contains(interval: Interval, threshold: float) -> bool:
    low, high = sorted(interval)
    return low <= threshold <= high
