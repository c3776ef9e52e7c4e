"""Paired bootstrap of differences between models: the rows that they share are resampled."""

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


ROUNDING_TOLERANCE = 1e-12
"""Largest relative difference that is attributed to rounding."""


def bootstrap_differences(
    paired: PairedRanking,
    questions: Sequence[Question],
    confidence: Confidence,
    *,
    simultaneous: bool = False,
) -> list[Difference]:
    """Differences between all pairs of models, with intervals from a paired bootstrap.

    `questions` are those of the models: the same ones, except for their thresholds.
    """
    question = questions[0]
    rankings = paired.rankings.values()
    estimates = [q.estimate(ranking) for q, ranking in zip(questions, rankings, strict=True)]
    values = np.array([estimate.value for estimate in estimates])
    pairs = list(combinations(range(len(values)), 2))
    point_differences = [
        Difference(
            paired.models[i],
            paired.models[j],
            question.name,
            float(values[i]),
            float(values[j]),
            level=confidence.level,
            better=question.better,
            label=question.label,
            reason=estimates[i].reason or estimates[j].reason,
        )
        for i, j in pairs
    ]
    if np.isnan(values).all():
        return point_differences
    smallest_class_rows = min(min(ranking.effective_rows) for ranking in paired.rankings.values())
    if smallest_class_rows < 2:
        note = "no interval: two rows of each class are needed"
        return [replace(difference, note=note) for difference in point_differences]

    def values_by_model(resamples_by_model: Sequence[Resamples]) -> NDArray[Any]:
        return np.array(
            [
                [q.estimate(r).value for q, r in zip(questions, resampled_rankings, strict=True)]
                for resampled_rankings in zip(*resamples_by_model, strict=True)
            ]
        )

    resampled_values = bootstrap(SharedRows.of(paired, *questions), values_by_model, confidence)
    unit = "clusters" if paired.clusters is not None else "paired rows"
    first, second = np.array(pairs).T
    with np.errstate(invalid="ignore"):  # two infinite values have no difference
        resampled_differences = resampled_values[:, first] - resampled_values[:, second]
    intervals = [
        difference_from_resamples(difference, resampled_differences[:, index], confidence, unit)
        for index, difference in enumerate(point_differences)
    ]
    return (
        _with_simultaneous_intervals(intervals, resampled_differences)
        if simultaneous
        else intervals
    )


def difference_from_resamples(
    difference: Difference, values: NDArray[np.float64], confidence: Confidence, unit: str
) -> Difference:
    """Add to a difference the interval and p-value from its bootstrap standard error."""
    if not difference.is_defined:
        return difference
    if math.isinf(difference.value):
        return replace(difference, note="no interval: the difference is infinite")
    method = f"bootstrap of {unit}, {len(values):,} resamples, seed {confidence.seed}"
    difference = replace(difference, method=method)
    defined_values = values[~np.isnan(values)]
    undefined_count = len(values) - len(defined_values)
    note = None
    if undefined_count:
        note = f"undefined in {undefined_count:,} of {len(values):,} resamples, which are left out"
    if len(defined_values) < 2 or 2 * undefined_count > len(values):
        return replace(difference, note=f"no interval: {note}")
    if not np.isfinite(defined_values).all():
        return replace(difference, note="no interval: infinite in some resamples")
    if np.ptp(defined_values) <= ROUNDING_TOLERANCE * np.abs(defined_values).max():
        note = "both models have equal values in every resample"
        if difference.value:
            note = "no interval: every resample gives the same difference"
        return replace(difference, standard_error=0.0, note=note)
    return with_normal_interval(replace(difference, note=note), float(defined_values.std(ddof=1)))


def _with_simultaneous_intervals(
    intervals: list[Difference], values: NDArray[np.float64]
) -> list[Difference]:
    """Add simultaneous intervals, from the largest standardized deviation in each resample."""
    standard_errors = np.array([difference.standard_error for difference in intervals])
    deviations = np.abs(values - np.nanmean(values, axis=0)) / np.where(
        standard_errors > 0, standard_errors, np.nan
    )
    largest_deviations = np.nanmax(np.where(np.isnan(deviations), 0.0, deviations), axis=1)
    return simultaneous_intervals(intervals, LargestDeviation(largest_deviations))
