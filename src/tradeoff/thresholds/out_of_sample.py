"""What a choice is worth on rows that it was not made on: out-of-bag bootstrap.

A threshold or band is chosen on rows drawn again and judged on those left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError
from tradeoff.measures.estimate import Estimate
from tradeoff.results import ByValue
from tradeoff.thresholds.identical import Interval, rounded
from tradeoff.uncertainty.out_of_bag import draw_again

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.thresholds.decision import Decision
    from tradeoff.thresholds.reject_band import BandDecision

METHOD = "out-of-bag bootstrap"


@dataclass(frozen=True, eq=False)
class Check(ByValue):
    """How a way of choosing thresholds fares on rows that it did not see.

    `honest` is its mean value there, `standard_error` how much the value at the chosen threshold
    varies from draw to draw, `value` the range of these values, `thresholds` the range in which the
    chosen thresholds fall. `within` are the thresholds no worse than the chosen one by more than a
    standard error.
    """

    apparent: float
    honest: Estimate
    standard_error: float
    value: Interval
    thresholds: Interval
    level: float
    within: tuple[Interval, ...]
    suggestion: float
    replicates: int
    failed: int
    seed: int


@dataclass(frozen=True, eq=False)
class BandCheck(ByValue):
    """How a way of choosing bands fares on rows that it did not see.

    `value` is the range of values at the chosen band from draw to draw, `lower` and `upper` those
    in which the ends of the chosen bands fall.
    """

    apparent: float
    honest: Estimate
    standard_error: float
    value: Interval
    lower: Interval
    upper: Interval
    level: float
    replicates: int
    failed: int
    seed: int


def check_threshold(
    decision: Decision, *, replicates: int | None, seed: int, level: float
) -> Check:
    """Choose a threshold again on drawn rows, judge it on the others."""
    criterion, prevalence = decision.criterion, decision.prevalence

    def judge(drawn: Ranking, left: Ranking) -> tuple[float, float, float]:
        if not (_usable(drawn, prevalence) and _usable(left, prevalence)):
            return math.nan, math.nan, math.nan
        drawn, left = drawn.at_prevalence(prevalence), left.at_prevalence(prevalence)
        again = criterion.worth(drawn, decision.place)
        try:
            place = int(criterion.places(drawn)[0])
        except InputError:  # a target that these rows cannot reach
            return math.nan, math.nan, again
        return float(drawn.thresholds[place]), criterion.worth(left, place), again

    _demand_level(level)
    outcomes = draw_again(decision.ranking, judge, replicates=replicates, seed=seed)
    chosen, outside, again = np.array(outcomes).T
    error = _deviation(again)
    within = decision.within(error) if math.isfinite(error) else ()
    own = [run for run in within if _inside(decision.threshold, run)]
    return Check(
        decision.value,
        _mean(criterion.about, outside),
        error,
        _range(again, again, level),
        _range(chosen, outside, level),
        level,
        within,
        rounded(decision.ranking, own[0] if own else decision.decides_identically),
        len(outcomes),
        int(np.isnan(outside).sum()),
        seed,
    )


def check_band(
    decision: BandDecision, *, replicates: int | None, seed: int, level: float
) -> BandCheck:
    """Choose a band again on drawn rows, judge it on the others."""
    search, prevalence = decision.search, decision.prevalence

    def judge(drawn: Ranking, left: Ranking) -> tuple[float, float, float, float]:
        if not (_usable(drawn, prevalence) and _usable(left, prevalence)):
            return math.nan, math.nan, math.nan, math.nan
        upper, lower = search.places(drawn, prevalence)
        again = search.worth(drawn, decision.upper_place, decision.lower_place, prevalence)
        low, high = (float(drawn.thresholds[place]) for place in (lower, upper))
        return low, high, search.worth(left, upper, lower, prevalence), again

    _demand_level(level)
    outcomes = draw_again(decision.ranking, judge, replicates=replicates, seed=seed)
    lower, upper, outside, again = np.array(outcomes).T
    return BandCheck(
        decision.value,
        _mean(decision.criterion, outside),
        _deviation(again),
        _range(again, again, level),
        _range(lower, outside, level),
        _range(upper, outside, level),
        level,
        len(outcomes),
        int(np.isnan(outside).sum()),
        seed,
    )


def out_of_sample(
    decision: Decision | BandDecision, replicates: int | None, seed: int, level: float
) -> Any:
    """The out-of-sample estimate of a decision, or the reason why there is none."""
    try:
        return decision.check(replicates=replicates, seed=seed, level=level)
    except InputError as why:
        return str(why)


def _usable(side: Ranking, prevalence: float | None) -> bool:
    """Whether a side has rows, and of both classes if they must be weighed."""
    if prevalence is None:
        return bool(side.positives or side.negatives)
    return bool(side.positives and side.negatives)


def _demand_level(level: float) -> None:
    if not 0 < level < 1:
        raise InputError(f"A level lies between 0 and 1, not at {level:g}.")


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
