"""What a choice is worth on rows that it was not made on: out-of-bag bootstrap.

A threshold or band is chosen on the rows of a resample and judged on those that it leaves out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.core.resamples import Resamples
from tradeoff.errors import InputError
from tradeoff.measures.estimate import Estimate
from tradeoff.results import ByValue
from tradeoff.thresholds.identical import Interval, rounded
from tradeoff.uncertainty.bootstrap import BaggedRows, bootstrap
from tradeoff.uncertainty.confidence import Confidence, Progress

if TYPE_CHECKING:
    from tradeoff.thresholds.decision import Decision
    from tradeoff.thresholds.reject_band import BandDecision

METHOD = "out-of-bag bootstrap"


@dataclass(frozen=True, eq=False)
class OutOfSample(ByValue):
    """How a way of choosing thresholds or bands fares on rows that it did not see.

    `estimate` is its mean value there, `standard_error` how much the value at the choice varies
    from resample to resample, `value` the range of these values. `ends` are the ranges in which the
    threshold, or the lower and the upper end of the band, falls when it is chosen on resamples. For
    a threshold, `within` are those no worse than it by more than a standard error, and `suggestion`
    is the roundest of them.
    """

    apparent: float
    estimate: Estimate
    standard_error: float
    value: Interval
    ends: tuple[Interval, ...]
    level: float
    replicates: int
    failed: int
    seed: int
    within: tuple[Interval, ...] = ()
    suggestion: float = math.nan

    @property
    def thresholds(self) -> Interval:
        """The range of chosen thresholds."""
        (thresholds,) = self.ends
        return thresholds

    @property
    def lower(self) -> Interval:
        """The range of lower ends of chosen bands."""
        return self.ends[0]

    @property
    def upper(self) -> Interval:
        """The range of upper ends of chosen bands."""
        return self.ends[-1]


Bags = tuple["Resamples", "Resamples"]
"""The rows in the bag, and those out of it."""


def bagged(
    ranking: Ranking, level: float, replicates: int | None, seed: int, progress: Progress | None
) -> tuple[BaggedRows, Confidence]:
    """The rows to resample, and how often: as is enough for so many, unless told."""
    rows = BaggedRows.of(ranking)
    enough = rows.replicates if replicates is None else replicates
    return rows, Confidence(level, replicates=enough, seed=seed, progress=progress)


def threshold_out_of_sample(
    decision: Decision, rows: BaggedRows, confidence: Confidence
) -> OutOfSample:
    """Choose a threshold on the rows of each resample, judge it on those left out."""
    criterion, prevalence = decision.criterion, decision.prevalence

    def outcomes(bags: Bags) -> NDArray[np.float64]:
        in_bag, out_of_bag = (side.at_prevalence(prevalence) for side in bags)
        best = criterion.best(in_bag)
        place = best.argmax(axis=1)[:, np.newaxis]
        columns = (
            decision.ranking.thresholds[place],
            criterion.worth(out_of_bag, place),
            criterion.worth(in_bag, decision.place),
        )
        values = np.concatenate(columns, axis=1)
        values[~best.any(axis=1), :2] = math.nan  # a target that these rows cannot reach
        values[~_usable(bags, prevalence)] = math.nan
        return values

    values = bootstrap(rows, outcomes, confidence, parallel=rows.is_large, block=rows.block)
    result = _result(decision.value, criterion.about, values, confidence)
    error = result.standard_error
    within = decision.within(error) if math.isfinite(error) else ()
    around = [run for run in within if _inside(decision.threshold, run)]
    simple = rounded(decision.ranking, around[0] if around else decision.decides_identically)
    return replace(result, within=within, suggestion=simple)


def band_out_of_sample(
    decision: BandDecision, rows: BaggedRows, confidence: Confidence
) -> OutOfSample:
    """Choose a band on the rows of each resample, judge it on those left out."""
    search, prevalence = decision.search, decision.prevalence

    def outcome(in_bag: Ranking, out_of_bag: Ranking) -> tuple[float, float, float, float]:
        upper, lower = search.places(in_bag, prevalence)
        again = search.worth(in_bag, decision.upper_place, decision.lower_place, prevalence)
        low, high = (float(in_bag.thresholds[place]) for place in (lower, upper))
        return low, high, search.worth(out_of_bag, upper, lower, prevalence), again

    def outcomes(bags: Bags) -> NDArray[np.float64]:
        values = np.full((len(bags[0]), 4), math.nan)
        for line in np.flatnonzero(_usable(bags, prevalence)).tolist():
            values[line] = outcome(*(side.ranking(line) for side in bags))
        return values

    values = bootstrap(rows, outcomes, confidence, parallel=rows.is_large, block=rows.block)
    return _result(decision.value, decision.criterion, values, confidence)


def _result(
    apparent: float, name: str, outcomes: NDArray[np.float64], confidence: Confidence
) -> OutOfSample:
    """Outcomes are the ends that were chosen, their value out of the bag, the choice's in it."""
    *chosen, outside, again = outcomes.T
    return OutOfSample(
        apparent,
        _mean(name, outside),
        _deviation(again),
        _range(again, again, confidence.level),
        tuple(_range(end, outside, confidence.level) for end in chosen),
        confidence.level,
        len(outcomes),
        int(np.isnan(outside).sum()),
        confidence.seed,
    )


AnyDecision = TypeVar("AnyDecision", "Decision", "BandDecision")


def checked(decision: AnyDecision, replicates: int | None, confidence: Confidence) -> AnyDecision:
    """A decision with its out-of-sample estimate, or with the reason why there is none."""
    try:
        estimate: OutOfSample | str = decision.check(
            replicates=replicates,
            seed=confidence.seed,
            level=confidence.level,
            progress=confidence.progress,
        )
    except InputError as why:
        estimate = str(why)
    return replace(decision, out_of_sample=estimate)


def _usable(bags: Bags, prevalence: float | None) -> NDArray[np.bool_]:
    """Whether either side has rows, and of both classes if they must be weighed."""
    sides = [(side.positives[:, 0] > 0, side.negatives[:, 0] > 0) for side in bags]
    has_rows = np.logical_or if prevalence is None else np.logical_and
    return np.logical_and(*(has_rows(*side) for side in sides))


def _mean(name: str, outside: NDArray[np.float64]) -> Estimate:
    if np.isnan(outside).all():
        reason = "no draw left rows on which a choice could be judged"
        return Estimate(name, math.nan, reason=reason)
    return Estimate(name, float(np.nanmean(outside)))


def _deviation(values: NDArray[np.float64]) -> float:
    return float(np.nanstd(values, ddof=1)) if (~np.isnan(values)).sum() > 1 else math.nan


def _range(chosen: NDArray[np.float64], outside: NDArray[np.float64], level: float) -> Interval:
    """Where the middle part of what was chosen and judged lies."""
    judged = chosen[~np.isnan(outside)]
    if not len(judged):
        return Interval(math.nan, math.nan)
    tail = (1 - level) / 2
    low, high = np.quantile(judged, [tail, 1 - tail], method="inverted_cdf")
    return Interval(float(low), float(high))


def _inside(threshold: float, run: Interval) -> bool:
    low, high = sorted(run)
    return low <= threshold <= high
