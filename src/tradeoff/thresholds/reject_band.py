"""The best band of scores to leave undecided, and how it is searched for."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix, counts_of
from tradeoff.core.costs import AnyCosts, Bills, Costs, RowCosts
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, as_number
from tradeoff.measures.curves.bounds import only_between_bins
from tradeoff.measures.metrics.costs import demand_gamma
from tradeoff.measures.registry import METRICS
from tradeoff.results import Result
from tradeoff.text import count
from tradeoff.thresholds.criteria import SLACK
from tradeoff.thresholds.identical import Interval, identical, rounded
from tradeoff.thresholds.out_of_sample import (
    OutOfSample,
    bagged,
    band_out_of_sample,
)
from tradeoff.uncertainty.confidence import USUAL, Confidence, Progress

# The cheapest band of a ranking, found exactly from running minima.
#
# Rows before place `upper` of the ranking are called positive, rows after place `lower` negative,
# rows between are rejected. What a band costs is a sum of one part that depends on its upper end
# and one that depends on its lower end, so the best upper end for every lower end is a running
# minimum: of all places so far, or of those that a limit leaves.


MOST_TIES = 1000
"""Of so many equally good bands under a limit, the one that rejects least is returned."""
MOST_LOOKED_UP = 1 << 28
"""Rows up to which a table of their places is worth its memory."""
SHORT = 64
"""Windows shorter than this are searched by doubling, longer ones from anchor to anchor."""


def _cheapest_band(bills: Bills, rows: NDArray[Any], limit: float | None) -> tuple[int, int]:
    """The two ends of the cheapest band; of equal ones that which rejects least."""
    above = bills.called_positive - bills.rejected
    below = bills.rejected - bills.called_negative
    slack = SLACK * max(
        np.abs(bills.called_positive).max(), np.abs(bills.called_negative).max(), 1.0
    )
    if limit is None:
        least = np.minimum.accumulate(above)
    else:
        if limit < 0:
            raise InputError("More rows than this are rejected already: none may be added.")
        first = _first_within(rows, limit)
        least = _window_minima(above, first)
    totals = least + below
    ends = np.flatnonzero(totals <= totals.min() + slack)
    if limit is None:
        # A place that is the least so far is as good an upper end as any before it.
        good = np.flatnonzero(above <= least + slack)
        starts = good[np.searchsorted(good, ends, "right") - 1]
    else:
        ends = ends[:MOST_TIES]
        windows = ((above[first[end] : end + 1] <= least[end] + slack, first[end]) for end in ends)
        starts = np.array([np.flatnonzero(equal)[-1] + start for equal, start in windows])
    smallest = int(np.argmin(rows[ends] - rows[starts]))
    return int(starts[smallest]), int(ends[smallest])


def _first_within(rows: NDArray[Any], limit: float) -> NDArray[np.intp]:
    """For each place, the first one from which at most `limit` rows lie between."""
    wanted = np.maximum(np.ceil(rows - limit), 0) if rows.dtype.kind == "i" else rows - limit
    if rows.dtype.kind != "i" or rows[-1] > MOST_LOOKED_UP:
        return np.searchsorted(rows, wanted, "left")
    # The place of each row is a table, and looking up is quicker than searching.
    table = np.repeat(np.arange(len(rows)), np.diff(rows, prepend=-1))
    found: NDArray[np.intp] = table[wanted.astype(np.intp)]
    return found


def _window_minima(values: NDArray[np.float64], first: NDArray[np.intp]) -> NDArray[np.float64]:
    """The least value from `first`, which never falls, up to each place."""
    size = len(values)
    if float((np.arange(size) - first).mean()) < SHORT:
        return _short_window_minima(values, first)
    result = np.empty(size)
    anchor = 0
    while anchor < size:
        # All windows that hold the anchor: a part before it and a part from it on.
        stop = int(np.searchsorted(first, anchor, "right"))
        start = int(first[anchor])
        before = np.minimum.accumulate(values[start : anchor + 1][::-1])[::-1]
        after = np.minimum.accumulate(values[anchor:stop])
        result[anchor:stop] = np.minimum(before[first[anchor:stop] - start], after)
        anchor = stop
    return result


def _short_window_minima(
    values: NDArray[np.float64], first: NDArray[np.intp]
) -> NDArray[np.float64]:
    """The same by windows whose length doubles."""
    places = np.arange(len(values))
    power = np.floor(np.log2(places - first + 1)).astype(np.intp)
    result = np.empty(len(values))
    window = values.copy()  # the least of the 2**k values from each place on
    for k in range(int(power.max()) + 1):
        mine = np.flatnonzero(power == k)
        result[mine] = np.minimum(window[first[mine]], window[mine - (1 << k) + 1])
        step = 1 << k
        window[: len(window) - step] = np.minimum(window[: len(window) - step], window[step:])
    return result


class Band(NamedTuple):
    """Positive from `upper` on, negative below `lower`, rejected between.

    Where low scores are positive: positive up to `upper`, negative above `lower`.
    """

    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class BandSearch:
    """What makes a band the best: costs, or gamma, under a limit of rows to reject."""

    costs: AnyCosts
    gamma: float | None = None
    limit: float | None = None

    def places(self, ranking: Ranking, prevalence: float | None) -> tuple[int, int]:
        """The upper and the lower end of the best band."""
        rows = ranking.tally.true_positives + ranking.tally.false_positives
        return _cheapest_band(self.costs.bills(ranking.at_prevalence(prevalence)), rows, self.limit)

    def worth(self, ranking: Ranking, upper: int, lower: int, prevalence: float | None) -> float:
        """What a band costs per case, or its E(gamma)."""
        seen = ranking.at_prevalence(prevalence)
        matrix = seen.banded(upper, lower)
        if self.gamma is not None:
            measure = METRICS["rejection_tradeoff"].with_parameters(gamma=self.gamma)
            return float(measure(matrix))
        return self.costs.bills(seen).banded(upper, lower) / float(matrix.rows)


@dataclass(frozen=True, eq=False, repr=False)
class BandDecision(Result, views="tradeoff.thresholds.views", charts="tradeoff.thresholds.chart"):
    """A band of scores that are left undecided, why it was chosen, and what follows from it.

    `value` is what was minimised: expected cost per case, or E(gamma). `calibrated` is the band
    that the same costs would ask for if scores were true probabilities.
    """

    ranking: Ranking
    criterion: str
    search: BandSearch
    upper_place: int
    lower_place: int
    prevalence: float | None = None
    calibrated: Band | None = None
    notes: tuple[str, ...] = field(default=())
    confidence: Confidence | None = USUAL
    out_of_sample: OutOfSample | str | None = None

    @property
    def value(self) -> float:
        """What was minimised, on these rows (at the prevalence, if one was given)."""
        places = self.upper_place, self.lower_place
        return self.search.worth(self.ranking, *places, self.prevalence)

    @property
    def band(self) -> Band:
        """The band itself; both ends are equal when nothing is rejected."""
        upper = float(self.ranking.thresholds[self.upper_place])
        if self.upper_place == self.lower_place:
            return Band(upper, upper)
        return Band(float(self.ranking.thresholds[self.lower_place]), upper)

    @property
    def upper_decides_identically(self) -> Interval:
        """All upper ends that call the same rows positive."""
        return identical(self.ranking, self.upper_place)

    @property
    def lower_decides_identically(self) -> Interval:
        """All lower ends that call the same rows negative."""
        return identical(self.ranking, self.lower_place)

    @property
    def suggestion(self) -> Band:
        """A round band that decides the same."""
        ends = (self.lower_decides_identically, self.upper_decides_identically)
        lower, upper = (rounded(self.ranking, interval) for interval in ends)
        return Band(lower, upper)

    @property
    def confusion(self) -> ConfusionMatrix:
        """The matrix with its rejected rows, as counted."""
        return self.ranking.banded(self.upper_place, self.lower_place)

    @property
    def coverage(self) -> float:
        """The share of rows that are decided."""
        return float(METRICS["coverage"](self.confusion))

    def columns(self) -> dict[str, list[Any]]:
        """The decision in one line."""
        facts = {"criterion": str(self.criterion), "value": self.value, **self.band._asdict()}
        facts |= {"coverage": self.coverage, **counts_of(self.confusion)}
        return {"model": [self.ranking.name], **{key: [fact] for key, fact in facts.items()}}

    def check(
        self,
        *,
        replicates: int | None = None,
        seed: int = 0,
        level: float = 0.95,
        progress: Progress | None = None,
    ) -> OutOfSample:
        """What choosing a band like this is worth on other rows, by out-of-bag bootstrap."""
        return band_out_of_sample(self, *bagged(self.ranking, level, replicates, seed, progress))

    def __repr__(self) -> str:
        """One line: the band and what it brings."""
        lower, upper = self.band
        between = f"from {lower:g} to below {upper:g}"
        if self.ranking.lower_is_positive:
            between = f"above {upper:g} up to {lower:g}"
        told = f"rejected {between}" if lower != upper else f"none rejected, line at {upper:g}"
        return (
            f"BandDecision({told}: coverage {self.coverage:.4g}, "
            f"{self.criterion} = {self.value:.4g})"
        )


def best_band(  # noqa: PLR0913 - each is a different way to ask
    ranking: Ranking,
    *,
    gamma: float | None = None,
    costs: AnyCosts | None = None,
    coverage: float | None = None,
    capacity: float | None = None,
    prevalence: float | None = None,
) -> BandDecision:
    """The best band to reject.

    Args:
        ranking: The scored rows.
        gamma: Minimise E(gamma), errors weighing gamma against hits.
        costs: Minimise expected cost; needs a cost of rejecting unless rejection is limited.
        coverage: At least this share of rows must be decided.
        capacity: At most so many rows can be rejected (reviewed by hand).
        prevalence: The share of positives where the band will be used.

    With a coverage or capacity alone, errors are minimised.
    """
    if not ranking.distinct:
        raise InputError("There are no scored rows to choose a band for.")
    if gamma is not None:
        gamma = as_number(gamma, "gamma")
    if gamma is not None and costs is not None:
        raise InputError("Give gamma or costs, not both.")
    limit = _limit(ranking, coverage, capacity)
    paid, criterion = _costs(gamma, costs, limited=limit is not None)
    search = BandSearch(paid, gamma, limit)
    upper, lower = search.places(ranking, prevalence)
    notes = (_full(ranking, limit, upper, lower),) if limit is not None else ()
    if not ranking.exact:
        notes = (*notes, only_between_bins(ranking))
    calibrated = _calibrated(paid, limit)
    if calibrated is not None and ranking.lower_is_positive:
        calibrated = Band(1 - calibrated.lower, 1 - calibrated.upper)  # on the scale of scores
    return BandDecision(ranking, criterion, search, upper, lower, prevalence, calibrated, notes)


def _costs(gamma: float | None, costs: AnyCosts | None, *, limited: bool) -> tuple[AnyCosts, str]:
    if gamma is not None:
        demand_gamma(gamma)
        # gamma * L - A = (1 + gamma) * L + R - 1
        return Costs(1 + gamma, 1 + gamma, rejected=1.0), f"rejection_tradeoff(gamma={gamma:g})"
    if costs is None:
        if not limited:
            raise InputError(
                "Say what rejecting costs (gamma, or costs with `rejected`), or how much may be "
                "rejected (coverage or capacity)."
            )
        return Costs(), "error_rate"
    if costs.fixed:
        raise InputError("A fixed cost plays no part in a band: leave it out.")
    if not (costs.allow_rejection or limited):
        raise InputError(
            "These costs say nothing of rejecting: give `rejected`, or limit it by coverage or "
            "capacity."
        )
    return costs, "expected_cost"


def _limit(ranking: Ranking, coverage: float | None, capacity: float | None) -> float | None:
    """How many rows may be rejected."""
    if coverage is not None and capacity is not None:
        raise InputError("Give a coverage or a capacity, not both.")
    if capacity is not None:
        capacity = as_number(capacity, "A capacity")
    if coverage is not None:
        coverage = as_number(coverage, "A coverage")
        if not 0 <= coverage <= 1:
            raise InputError(f"A coverage is a share from 0 to 1, not {coverage:g}.")
        matrix = ranking.at_place(0)
        # The least number of rows that is enough, not the share: 0.9995 of 2,000 is 1,999.
        needed = coverage * matrix.rows * (1 - SLACK)
        whole = ranking.is_counted
        return float(matrix.rows - (math.ceil(needed) if whole else needed) - matrix.rejected)
    if capacity is not None and not capacity >= 0:
        raise InputError(f"A capacity is 0 rows or more, not {capacity:g}.")
    return None if capacity is None else min(capacity, float(ranking.total))


def _calibrated(costs: AnyCosts, limit: float | None) -> Band | None:
    """Chow's rule for true probabilities: reject where that is cheaper than either class."""
    if limit is not None or isinstance(costs, RowCosts):
        return None
    positive, negative = costs.undecided
    alarm, hit = costs.alarm - negative, positive - costs.found
    passed, miss = negative - costs.passed, costs.missed - positive
    upper = alarm / (alarm + hit) if alarm + hit else math.nan
    lower = passed / (passed + miss) if passed + miss else math.nan
    if not lower < upper:
        return Band(costs.calibrated_threshold, costs.calibrated_threshold)
    return Band(lower, upper)


def _full(ranking: Ranking, limit: float, upper: int, lower: int) -> str:
    rejected = ranking.banded(upper, lower).rejected - ranking.at_place(0).rejected
    return f"{count(rejected)} of at most {count(math.floor(limit))} rows are rejected"
