"""Differences of models in any number, by resampling the rows that they share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison.difference import Difference, held_together, varying_normally
from tradeoff.core.resamples import Resamples
from tradeoff.stats.normal import Largest
from tradeoff.uncertainty.bootstrap import SharedRows, bootstrap

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import Question


ROUNDING = 1e-12


def bootstrap_differences(
    paired: PairedRanking,
    question: Question,
    confidence: Confidence,
    *,
    simultaneous: bool = False,
) -> list[Difference]:
    """Differences of all pairs by a paired bootstrap."""
    estimates = [question.estimate(ranking) for ranking in paired.rankings.values()]
    values = np.array([estimate.value for estimate in estimates])
    pairs = list(combinations(range(len(values)), 2))
    plain = [
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
        return plain
    fewest = min(min(ranking.effective_rows) for ranking in paired.rankings.values())
    if fewest < 2:
        note = "no interval: it needs two rows of each class"
        return [replace(difference, note=note) for difference in plain]

    def answers(models: Sequence[Resamples]) -> NDArray[Any]:
        return np.array(
            [
                [question.estimate(ranking).value for ranking in rankings]
                for rankings in zip(*models, strict=True)
            ]
        )

    resampled = bootstrap(SharedRows.of(paired, question), answers, confidence)
    unit = "clusters" if paired.clusters is not None else "paired rows"
    first, second = np.array(pairs).T
    with np.errstate(invalid="ignore"):  # two infinite values have no difference
        differences = resampled[:, first] - resampled[:, second]
    intervals = [
        from_resamples(difference, differences[:, at], confidence, unit)
        for at, difference in enumerate(plain)
    ]
    return _together(intervals, differences) if simultaneous else intervals


def from_resamples(
    difference: Difference, values: NDArray[np.float64], confidence: Confidence, unit: str
) -> Difference:
    """A difference that varies as its resamples do, normally: interval and p have one error."""
    if not difference.is_defined:
        return difference
    if math.isinf(difference.value):
        return replace(difference, note="no interval: the difference is infinite")
    method = f"bootstrap of {unit}, {len(values):,} draws, seed {confidence.seed}"
    difference = replace(difference, method=method)
    defined = values[~np.isnan(values)]
    failed = len(values) - len(defined)
    note = f"{failed:,} of {len(values):,} draws had no value and were left out" if failed else None
    if len(defined) < 2 or 2 * failed > len(values):
        return replace(difference, note=f"no interval: {note}")
    if not np.isfinite(defined).all():
        return replace(difference, note="no interval: some draws are infinite")
    if np.ptp(defined) <= ROUNDING * np.abs(defined).max():
        same = "the two are alike in every draw"
        note = "no interval: every draw gives the same value" if difference.value else same
        return replace(difference, standard_error=0.0, note=note)
    return varying_normally(replace(difference, note=note), float(defined.std(ddof=1)))


def _together(intervals: list[Difference], values: NDArray[np.float64]) -> list[Difference]:
    """Intervals that hold together: the largest deviation of each resample, in standard errors."""
    errors = np.array([difference.standard_error for difference in intervals])
    deviations = np.abs(values - np.nanmean(values, axis=0)) / np.where(errors > 0, errors, np.nan)
    largest = np.nanmax(np.where(np.isnan(deviations), 0.0, deviations), axis=1)
    return held_together(intervals, Largest(largest))
