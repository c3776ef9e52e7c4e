"""Reject bands: the best interval of scores to leave undecided (classification with rejection)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix, confusion_counts
from tradeoff.core.costs import AnyCosts, Costs, CumulativeCosts, RowCosts
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, require_number
from tradeoff.formatting import format_count
from tradeoff.measures.curves.bin_bounds import between_bins_note
from tradeoff.measures.metrics.costs import require_gamma
from tradeoff.measures.registry import METRICS
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.results import Result
from tradeoff.thresholds.criteria import SLACK
from tradeoff.thresholds.identical import Interval, identical_thresholds, roundest_threshold
from tradeoff.thresholds.out_of_sample import (
    OutOfSample,
    band_out_of_sample,
    out_of_sample_plan,
)
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence, ProgressCallback
from tradeoff.wording import Wording

# The cost of a band is a term that depends on its upper threshold plus a term that depends on its
# lower threshold. So the best upper threshold for every lower one is a running minimum, or a
# sliding-window minimum if the number of rejected rows is limited. The search is exact.


MAX_TIES = 1000
"""Maximum number of tied bands to compare for the narrowest, if rejection is limited."""
MAX_TABLE_ROWS = 1 << 28
"""Maximum number of rows for which a lookup table of their indices is worth its memory."""
SHORT_WINDOW_LENGTH = 64
"""If windows are shorter than this on average, minima are found by doubling the window length."""


def _lowest_cost_band(
    cumulative_costs: CumulativeCosts, cumulative_rows: NDArray[Any], limit: float | None
) -> tuple[int, int]:
    """Indices of the lowest-cost reject band; if several are tied, of the narrowest one."""
    upper_terms = cumulative_costs.predicted_positive - cumulative_costs.rejected
    lower_terms = cumulative_costs.rejected - cumulative_costs.predicted_negative
    slack = SLACK * max(
        np.abs(cumulative_costs.predicted_positive).max(),
        np.abs(cumulative_costs.predicted_negative).max(),
        1.0,
    )
    if limit is None:
        lowest_upper_terms = np.minimum.accumulate(upper_terms)
    else:
        if limit < 0:
            raise InputError(
                "More rows than this are rejected already, so no others can be rejected."
            )
        first_indices = _first_indices_within(cumulative_rows, limit)
        lowest_upper_terms = _window_minima(upper_terms, first_indices)
    totals = lowest_upper_terms + lower_terms
    lower_indices = np.flatnonzero(totals <= totals.min() + slack)
    if limit is None:
        # An index that attains the running minimum is as good an upper threshold as any before it.
        minima = np.flatnonzero(upper_terms <= lowest_upper_terms + slack)
        upper_indices = minima[np.searchsorted(minima, lower_indices, "right") - 1]
    else:
        lower_indices = lower_indices[:MAX_TIES]
        windows = (
            (
                upper_terms[first_indices[lower] : lower + 1] <= lowest_upper_terms[lower] + slack,
                first_indices[lower],
            )
            for lower in lower_indices
        )
        upper_indices = np.array(
            [np.flatnonzero(is_tied)[-1] + first_index for is_tied, first_index in windows]
        )
    narrowest_index = int(
        np.argmin(cumulative_rows[lower_indices] - cumulative_rows[upper_indices])
    )
    return int(upper_indices[narrowest_index]), int(lower_indices[narrowest_index])


def _first_indices_within(cumulative_rows: NDArray[Any], limit: float) -> NDArray[np.intp]:
    """For each index, the first index with at most `limit` rows between the two."""
    min_rows = (
        np.maximum(np.ceil(cumulative_rows - limit), 0)
        if cumulative_rows.dtype.kind == "i"
        else cumulative_rows - limit
    )
    if cumulative_rows.dtype.kind != "i" or cumulative_rows[-1] > MAX_TABLE_ROWS:
        return np.searchsorted(cumulative_rows, min_rows, "left")
    # A lookup table from rows to indices is faster than a binary search.
    table = np.repeat(np.arange(len(cumulative_rows)), np.diff(cumulative_rows, prepend=-1))
    indices: NDArray[np.intp] = table[min_rows.astype(np.intp)]
    return indices


def _window_minima(
    values: NDArray[np.float64], first_indices: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Sliding-window minima: each window starts at `first_indices` and ends at its own index."""
    size = len(values)
    if float((np.arange(size) - first_indices).mean()) < SHORT_WINDOW_LENGTH:
        return _short_window_minima(values, first_indices)
    result = np.empty(size)
    anchor = 0
    while anchor < size:
        # Each window that contains the anchor has a part up to it and a part from it on.
        stop = int(np.searchsorted(first_indices, anchor, "right"))
        start = int(first_indices[anchor])
        minima_before = np.minimum.accumulate(values[start : anchor + 1][::-1])[::-1]
        minima_after = np.minimum.accumulate(values[anchor:stop])
        result[anchor:stop] = np.minimum(
            minima_before[first_indices[anchor:stop] - start], minima_after
        )
        anchor = stop
    return result


def _short_window_minima(
    values: NDArray[np.float64], first_indices: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Sliding-window minima for short windows, by doubling the window length."""
    exponents = np.floor(np.log2(np.arange(len(values)) - first_indices + 1)).astype(np.intp)
    result = np.empty(len(values))
    minima = values.copy()  # minimum of the 2**k values from each index on
    for k in range(int(exponents.max()) + 1):
        indices = np.flatnonzero(exponents == k)
        result[indices] = np.minimum(minima[first_indices[indices]], minima[indices - (1 << k) + 1])
        step = 1 << k
        minima[: len(minima) - step] = np.minimum(minima[: len(minima) - step], minima[step:])
    return result


class RejectBand(NamedTuple):
    """Thresholds of a reject band: positive from `upper` on, negative below `lower`.

    Scores in between are rejected. If low scores are positive: positive up to `upper`, negative
    above `lower`.
    """

    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class BandSearch:
    """Objective of the search for a reject band: costs or gamma, and a limit on rejected rows."""

    costs: AnyCosts
    gamma: float | None = None
    limit: float | None = None

    def best_indices(self, ranking: Ranking, prevalence: float | None) -> tuple[int, int]:
        """Indices of the upper and lower thresholds of the best reject band."""
        ranking = ranking.at_prevalence(prevalence)
        rows = ranking.tally.true_positives + ranking.tally.false_positives
        return _lowest_cost_band(self.costs.bills(ranking), rows, self.limit)

    def value_at(self, ranking: Ranking, upper: int, lower: int, prevalence: float | None) -> float:
        """Expected cost per row of a reject band, or its E(gamma)."""
        ranking = ranking.at_prevalence(prevalence)
        matrix = ranking.banded(upper, lower)
        if self.gamma is not None:
            measure = METRICS["rejection_tradeoff"].with_parameters(gamma=self.gamma)
            return float(measure(matrix))
        return self.costs.bills(ranking).total_with_band(upper, lower) / float(matrix.rows)


@dataclass(frozen=True, eq=False, repr=False)
class BandDecision(Result, views="tradeoff.thresholds.views", charts="tradeoff.thresholds.chart"):
    """A chosen reject band, its criterion, and the confusion matrix with rejected rows.

    `value` is what was minimised: expected cost per row, error rate or E(gamma). `calibrated` is
    the optimal band for these costs if the scores were calibrated probabilities (Chow's rule).
    `vocabulary` is the terminology of its views.
    """

    ranking: Ranking
    criterion: str
    search: BandSearch
    upper_index: int
    lower_index: int
    prevalence: float | None = None
    calibrated: RejectBand | None = None
    notes: tuple[str, ...] = field(default=())
    confidence: Confidence | None = DEFAULT_CONFIDENCE
    out_of_sample: OutOfSample | str | None = None
    vocabulary: Vocabulary = field(default="general", compare=False)

    @property
    def wording(self) -> Wording:
        """The user's words for rows and amounts."""
        return self.ranking.wording

    @property
    def value(self) -> float:
        """Value of the minimised criterion on these rows (at `prevalence`, if given)."""
        return self.search.value_at(
            self.ranking, self.upper_index, self.lower_index, self.prevalence
        )

    @property
    def band(self) -> RejectBand:
        """Lower and upper thresholds of the reject band; they are equal if no row is rejected."""
        upper = float(self.ranking.thresholds[self.upper_index])
        if self.upper_index == self.lower_index:
            return RejectBand(upper, upper)
        return RejectBand(float(self.ranking.thresholds[self.lower_index]), upper)

    @property
    def equivalent_upper_thresholds(self) -> Interval:
        """Interval of upper thresholds that predict the same rows positive."""
        return identical_thresholds(self.ranking, self.upper_index)

    @property
    def equivalent_lower_thresholds(self) -> Interval:
        """Interval of lower thresholds that predict the same rows negative."""
        return identical_thresholds(self.ranking, self.lower_index)

    @property
    def suggestion(self) -> RejectBand:
        """The roundest reject band that gives identical predictions."""
        intervals = (self.equivalent_lower_thresholds, self.equivalent_upper_thresholds)
        lower, upper = (roundest_threshold(self.ranking, interval) for interval in intervals)
        return RejectBand(lower, upper)

    @property
    def confusion(self) -> ConfusionMatrix:
        """Confusion matrix with rejected rows."""
        return self.ranking.banded(self.upper_index, self.lower_index)

    @property
    def coverage(self) -> float:
        """Coverage: the proportion of rows that are not rejected."""
        return float(METRICS["coverage"](self.confusion))

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row for the reject band."""
        row = {
            "model": self.ranking.name,
            "criterion": str(self.criterion),
            "value": self.value,
            **self.band._asdict(),
            "coverage": self.coverage,
            **confusion_counts(self.confusion),
        }
        return {key: [value] for key, value in row.items()}

    def check(
        self,
        *,
        replicates: int | None = None,
        seed: int = 0,
        level: float = 0.95,
        progress: ProgressCallback | None = None,
    ) -> OutOfSample:
        """Out-of-sample value of reject bands chosen in this way, by out-of-bag bootstrap."""
        return band_out_of_sample(
            self, *out_of_sample_plan(self.ranking, level, replicates, seed, progress)
        )

    def __repr__(self) -> str:
        """One line: the band, its coverage and the value of the criterion."""
        lower, upper = self.band
        score_range = f"from {lower:g} to below {upper:g}"
        if self.ranking.lower_is_positive:
            score_range = f"above {upper:g} up to {lower:g}"
        rule = (
            f"rejected {score_range}" if lower != upper else f"no row rejected, threshold {upper:g}"
        )
        return (
            f"BandDecision({rule}: coverage {self.coverage:.4g}, "
            f"{self.criterion} = {self.value:.4g})"
        )


def best_band(  # noqa: PLR0913 - objectives and limits
    ranking: Ranking,
    *,
    gamma: float | None = None,
    costs: AnyCosts | None = None,
    coverage: float | None = None,
    capacity: float | None = None,
    prevalence: float | None = None,
) -> BandDecision:
    """The best reject band of a ranking by costs, gamma, coverage or capacity.

    Args:
        ranking: The scored rows.
        gamma: Minimise E(gamma), in which an error weighs gamma times as much as a correct
            decision.
        costs: Minimise expected cost; a cost of rejecting is needed unless rejection is limited.
        coverage: Minimum proportion of rows that must be decided.
        capacity: Maximum number of rows that can be rejected (reviewed by a person).
        prevalence: Prevalence where the band will be used; defaults to that in the rows.

    If only a coverage or a capacity is given, the error rate is minimised.
    """
    if not ranking.distinct:
        raise InputError("There are no scored rows to choose a reject band for.")
    if gamma is not None:
        gamma = require_number(gamma, "gamma")
    if gamma is not None and costs is not None:
        raise InputError("Give gamma or costs, not both.")
    reweighted = ranking.at_prevalence(prevalence)
    limit = _rejection_limit(reweighted, coverage, capacity)
    objective, criterion = _objective(gamma, costs, is_limited=limit is not None)
    search = BandSearch(objective, gamma, limit)
    upper, lower = search.best_indices(ranking, prevalence)
    notes = (_rejection_note(reweighted, limit, upper, lower),) if limit is not None else ()
    if not ranking.exact:
        notes = (*notes, between_bins_note(ranking))
    chow_band = _chow_band(objective, limit)
    if chow_band is not None and ranking.lower_is_positive:
        chow_band = RejectBand(1 - chow_band.lower, 1 - chow_band.upper)
    return BandDecision(ranking, criterion, search, upper, lower, prevalence, chow_band, notes)


def _objective(
    gamma: float | None, costs: AnyCosts | None, *, is_limited: bool
) -> tuple[AnyCosts, str]:
    """Costs to minimise, and the name of the criterion."""
    if gamma is not None:
        require_gamma(gamma)
        # gamma * L - A = (1 + gamma) * L + R - 1
        return Costs(1 + gamma, 1 + gamma, rejected=1.0), f"rejection_tradeoff(gamma={gamma:g})"
    if costs is None:
        if not is_limited:
            raise InputError(
                "Give the cost of rejecting (gamma, or costs with `rejected`) or limit rejection "
                "(coverage or capacity)."
            )
        return Costs(), "error_rate"
    if costs.fixed:
        raise InputError("A fixed cost does not affect the choice of a reject band: leave it out.")
    if not (costs.allow_rejection or is_limited):
        raise InputError(
            "These costs have no cost of rejecting: give `rejected`, or limit rejection by "
            "coverage or capacity."
        )
    return costs, "expected_cost"


def _rejection_limit(
    ranking: Ranking, coverage: float | None, capacity: float | None
) -> float | None:
    """Maximum number of rows that may be rejected; None if it is not limited."""
    if coverage is not None and capacity is not None:
        raise InputError("Give a coverage or a capacity, not both.")
    if capacity is not None:
        capacity = require_number(capacity, "A capacity")
    if coverage is not None:
        coverage = require_number(coverage, "A coverage")
        if not 0 <= coverage <= 1:
            raise InputError(f"coverage must be between 0 and 1, not {coverage:g}.")
        matrix = ranking.at_place(0)
        # Rounded up to whole rows: 0.9995 of 2,000 is 1,999.
        min_decided_rows = coverage * matrix.rows * (1 - SLACK)
        min_decided_rows = math.ceil(min_decided_rows) if ranking.is_counted else min_decided_rows
        return float(matrix.rows - min_decided_rows - matrix.rejected)
    if capacity is not None and not capacity >= 0:
        raise InputError(f"capacity must be 0 or more rows, not {capacity:g}.")
    return None if capacity is None else min(capacity, float(ranking.total))


def _chow_band(costs: AnyCosts, limit: float | None) -> RejectBand | None:
    """Chow's reject band for calibrated probabilities: reject where rejecting costs least."""
    if limit is not None or isinstance(costs, RowCosts):
        return None
    rejected_positive, rejected_negative = costs.undecided
    fp_loss, tp_gain = costs.alarm - rejected_negative, rejected_positive - costs.found
    tn_gain, fn_loss = rejected_negative - costs.passed, costs.missed - rejected_positive
    upper = fp_loss / (fp_loss + tp_gain) if fp_loss + tp_gain else math.nan
    lower = tn_gain / (tn_gain + fn_loss) if tn_gain + fn_loss else math.nan
    if not lower < upper:
        return RejectBand(costs.calibrated_threshold, costs.calibrated_threshold)
    return RejectBand(lower, upper)


def _rejection_note(ranking: Ranking, limit: float, upper: int, lower: int) -> str:
    """Note on how many rows are rejected, and how many could be."""
    rejected = float(ranking.banded(upper, lower).rejected - ranking.at_place(0).rejected)
    if ranking.prevalence_known:  # an expected number of rows
        rejected = round(rejected)
    limit_text = f"{format_count(math.floor(limit))} {ranking.wording.units}"
    return f"{format_count(rejected)} of at most {limit_text} are rejected"
