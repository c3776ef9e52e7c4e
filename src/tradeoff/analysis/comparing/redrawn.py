"""Differences of models in any number, by drawing the rows that they share again."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.comparing.difference import Difference, widened
from tradeoff.analysis.comparing.drawing import PairedDraws
from tradeoff.analysis.intervals.normal import two_sided
from tradeoff.analysis.intervals.percentiles import spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.analysis.intervals.drawing import Drawn
    from tradeoff.analysis.questions import Question
    from tradeoff.ranking.paired import PairedRanking


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
    rough = np.array([question.estimate(own).value for own in draws.patterns])
    drawn = "clusters" if paired.clusters is not None else "paired rows"
    first, second = np.array(pairs).T
    with np.errstate(invalid="ignore"):  # two infinite values have no difference
        apart, of_patterns = (
            replicates[:, first] - replicates[:, second],
            rough[first] - rough[second],
        )
    found = [
        from_draws(one, apart[:, at], of_patterns[at], confidence, drawn)
        for at, one in enumerate(plain)
    ]
    return _together(found, apart, confidence) if simultaneous else found


def from_draws(
    one: Difference, draws: NDArray[np.float64], rough: float, confidence: Confidence, of: str
) -> Difference:
    """What draws of a difference say about it; `rough` is the difference of merged scores."""
    if not one.is_defined:
        return one
    if math.isinf(one.value):
        return replace(one, note="no interval: the difference is infinite")
    ends = spread(draws, rough, confidence, shift=one.value - rough)
    known = draws[~np.isnan(draws)]
    error = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    kind = "bootstrap" if confidence.method == "bootstrap" else "bias-corrected bootstrap"
    method = f"{kind} of {of}, {len(draws):,} draws, seed {confidence.seed}"
    if not error > 0:
        same = one.value == 0 and error == 0
        note = "the two are alike in every draw" if same else ends.note
        return replace(one, method=method, note=note, standard_error=error)
    moved = known + (one.value - rough)
    wins = (moved < 0 if one.better == "lower" else moved > 0).mean() + (moved == 0).mean() / 2
    z = one.value / error
    return replace(
        one,
        low=ends.low,
        high=ends.high,
        statistic=z,
        p_value=two_sided(z),
        first_better=float(wins) if one.better else math.nan,
        method=method,
        standard_error=error,
        note=ends.note,
    )


def _together(
    found: list[Difference], apart: NDArray[np.float64], confidence: Confidence
) -> list[Difference]:
    """Intervals that hold together: the largest deviation of each draw, in standard errors."""
    errors = np.array([one.standard_error for one in found])
    away = np.abs(apart - np.nanmean(apart, axis=0)) / np.where(errors > 0, errors, np.nan)
    largest = np.nanmax(np.where(np.isnan(away), 0.0, away), axis=1)
    reach = float(np.quantile(largest, confidence.level))
    return widened(found, reach)
