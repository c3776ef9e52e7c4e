"""Bootstrap of the differences of models, resampling the rows that they have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison.difference import Difference, simultaneous_intervals, with_normal_interval
from tradeoff.core.resampled_rankings import Resamples
from tradeoff.stats.simultaneous import LargestDeviation
from tradeoff.uncertainty.bootstrap import SharedRows, bootstrap

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import Question


ROUNDING = 1e-12
"""Relative differences up to this are due to rounding."""


def bootstrap_differences(
    paired: PairedRanking,
    question: Question,
    confidence: Confidence,
    *,
    simultaneous: bool = False,
) -> list[Difference]:
    """Differences of all pairs of models, with intervals by a paired bootstrap."""
    estimates = [question.estimate(ranking) for ranking in paired.rankings.values()]
    values = np.array([estimate.value for estimate in estimates])
    pairs = list(combinations(range(len(values)), 2))
    without_intervals = [
        Difference(
            paired.models[i],
            paired.models[j],
            question.name,
            float(values[i]),
            float(values[j]),
            level=confidence.level,
            better=question.better,
            reason=estimates[i].reason or estimates[j].reason,
        )
        for i, j in pairs
    ]
    if np.isnan(values).all():
        return without_intervals
    class_rows = min(min(ranking.effective_rows) for ranking in paired.rankings.values())
    if class_rows < 2:
        note = "no interval: two rows of each class are needed"
        return [replace(difference, note=note) for difference in without_intervals]

    def values_by_model(models: Sequence[Resamples]) -> NDArray[Any]:
        return np.array(
            [
                [question.estimate(ranking).value for ranking in rankings]
                for rankings in zip(*models, strict=True)
            ]
        )

    resampled = bootstrap(SharedRows.of(paired, question), values_by_model, confidence)
    unit = "clusters" if paired.clusters is not None else "paired rows"
    first, second = np.array(pairs).T
    with np.errstate(invalid="ignore"):  # two infinite values have no difference
        differences = resampled[:, first] - resampled[:, second]
    intervals = [
        difference_from_resamples(difference, differences[:, index], confidence, unit)
        for index, difference in enumerate(without_intervals)
    ]
    return _simultaneous(intervals, differences) if simultaneous else intervals


def difference_from_resamples(
    difference: Difference, values: NDArray[np.float64], confidence: Confidence, unit: str
) -> Difference:
    """Add to a difference the interval and p-value of its bootstrap standard error."""
    if not difference.is_defined:
        return difference
    if math.isinf(difference.value):
        return replace(difference, note="no interval: the difference is infinite")
    method = f"bootstrap of {unit}, {len(values):,} resamples, seed {confidence.seed}"
    difference = replace(difference, method=method)
    defined = values[~np.isnan(values)]
    undefined = len(values) - len(defined)
    note = None
    if undefined:
        note = f"undefined in {undefined:,} of {len(values):,} resamples, which are left out"
    if len(defined) < 2 or 2 * undefined > len(values):
        return replace(difference, note=f"no interval: {note}")
    if not np.isfinite(defined).all():
        return replace(difference, note="no interval: infinite in some resamples")
    if np.ptp(defined) <= ROUNDING * np.abs(defined).max():
        note = "both models have equal values in every resample"
        if difference.value:
            note = "no interval: every resample gives the same difference"
        return replace(difference, standard_error=0.0, note=note)
    return with_normal_interval(replace(difference, note=note), float(defined.std(ddof=1)))


def _simultaneous(intervals: list[Difference], values: NDArray[np.float64]) -> list[Difference]:
    """Simultaneous intervals from the largest deviation in each resample, in standard errors."""
    errors = np.array([difference.standard_error for difference in intervals])
    deviations = np.abs(values - np.nanmean(values, axis=0)) / np.where(errors > 0, errors, np.nan)
    largest = np.nanmax(np.where(np.isnan(deviations), 0.0, deviations), axis=1)
    return simultaneous_intervals(intervals, LargestDeviation(largest))
