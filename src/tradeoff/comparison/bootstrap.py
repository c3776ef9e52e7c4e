"""Differences of models in any number, by drawing the rows that they share again."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.comparison.difference import Difference, held_together, varying_normally
from tradeoff.stats.normal import Largest
from tradeoff.uncertainty.paired_bootstrap import PairedDraws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.bootstrap import Drawn
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import Question


ROUNDING = 1e-12


def drawn_differences(
    paired: PairedRanking,
    question: Question,
    confidence: Confidence,
    *,
    simultaneous: bool = False,
) -> list[Difference]:
    """All pairs by drawing the shared rows again."""
    estimates = [question.estimate(ranking) for ranking in paired.rankings.values()]
    values = np.array([one.value for one in estimates])
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
    fewest = min(own for ranking in paired.rankings.values() for own in ranking.effective_rows)
    if fewest < 2:
        return [replace(one, note="no interval: it needs two rows of each class") for one in plain]
    draws = PairedDraws.of(paired, question)

    def judge(drawn: Sequence[Drawn]) -> NDArray[Any]:
        return np.array(
            [
                [question.estimate(own).value for own in together]
                for together in zip(*drawn, strict=True)
            ]
        )

    replicates = draws.judged(judge, confidence)
    drawn = "clusters" if paired.clusters is not None else "paired rows"
    first, second = np.array(pairs).T
    with np.errstate(invalid="ignore"):  # two infinite values have no difference
        apart = replicates[:, first] - replicates[:, second]
    found = [from_draws(one, apart[:, at], confidence, drawn) for at, one in enumerate(plain)]
    return _together(found, apart) if simultaneous else found


def from_draws(
    one: Difference, draws: NDArray[np.float64], confidence: Confidence, of: str
) -> Difference:
    """A difference that varies as its draws do, normally: interval and p-value have one error."""
    if not one.is_defined:
        return one
    if math.isinf(one.value):
        return replace(one, note="no interval: the difference is infinite")
    method = f"bootstrap of {of}, {len(draws):,} draws, seed {confidence.seed}"
    one = replace(one, method=method)
    known = draws[~np.isnan(draws)]
    failed = len(draws) - len(known)
    note = f"{failed:,} of {len(draws):,} draws had no value and were left out" if failed else None
    if len(known) < 2 or 2 * failed > len(draws):
        return replace(one, note=f"no interval: {note}")
    if not np.isfinite(known).all():
        return replace(one, note="no interval: some draws are infinite")
    if np.ptp(known) <= ROUNDING * np.abs(known).max():
        same = "the two are alike in every draw"
        note = "no interval: every draw gives the same value" if one.value else same
        return replace(one, standard_error=0.0, note=note)
    error = float(known.std(ddof=1))
    return varying_normally(replace(one, note=note), error)


def _together(found: list[Difference], apart: NDArray[np.float64]) -> list[Difference]:
    """Intervals that hold together: the largest deviation of each draw, in standard errors."""
    errors = np.array([one.standard_error for one in found])
    away = np.abs(apart - np.nanmean(apart, axis=0)) / np.where(errors > 0, errors, np.nan)
    largest = np.nanmax(np.where(np.isnan(away), 0.0, away), axis=1)
    return held_together(found, Largest(largest))
