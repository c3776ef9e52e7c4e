"""One model on two different sets of rows, or two models on different rows: no row is shared."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison.bootstrap import from_resamples
from tradeoff.comparison.comparison import ComparisonSummary
from tradeoff.comparison.difference import Difference
from tradeoff.core.costs import AnyCosts
from tradeoff.core.ranking import Ranking
from tradeoff.core.resamples import Resamples
from tradeoff.measures.estimate import Estimate
from tradeoff.stats.paired_labels import holm
from tradeoff.uncertainty.auc import widest_placements
from tradeoff.uncertainty.bootstrap import RankedRows, bootstrap, thinned
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.question import Question, applying, ask

TOO_FEW = "no interval: it needs two rows of each class"
OTHER_SEED = 1_000_003
"""The second ranking's resamples must not follow the first's."""


def difference(
    first: Ranking,
    second: Ranking,
    metric: str = "auc",
    *,
    at: tuple[str, float] | None = None,
    confidence: Confidence | None = None,
    **asked: Any,
) -> Difference:
    """One ranking minus another, of rows that have nothing to do with each other.

    Areas by DeLong's variances with Welch's degrees of freedom (as in pROC), every other number
    by resampling the rows of each.

    Example:
        >>> import tradeoff as to
        >>> a = to.evaluate(actual=[0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6]).ranking.named("a")
        >>> b = to.evaluate(actual=[0, 1, 0, 0, 1, 1], score=[1, 2, 3, 4, 5, 6]).ranking.named("b")
        >>> difference(a, b).value.__round__(4)
        0.1111
    """
    confidence = confidence or Confidence()
    question = ask(metric, at=at, **asked)
    if question.name == "auc" and not confidence.draws:
        return _by_delong(first, second, confidence.level)
    return _by_bootstrap(first, second, question, confidence)


def compare_segments(  # noqa: PLR0913 - whose, in what, where
    segments: Mapping[str, Ranking],
    metrics: Sequence[str] = ("auc",),
    *,
    by: str = "",
    at: tuple[str, float] | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    confidence: Confidence | None = None,
) -> ComparisonSummary:
    """One model between segments, all pairs of them: different rows, so unpaired."""
    asked = {"at": at, "prevalence": prevalence, "costs": costs}
    rankings = [ranking.named(name) for name, ranking in segments.items()]
    differences: list[Difference] = []
    for metric in metrics:
        choices = applying(metric, asked)
        in_metric = [
            difference(*pair, metric, confidence=confidence, **choices)
            for pair in combinations(rankings, 2)
        ]
        adjusted = holm([one.p_value for one in in_metric])
        differences += [
            replace(one, adjusted=float(p)) for one, p in zip(in_metric, adjusted, strict=True)
        ]
    return ComparisonSummary(None, tuple(differences), by=by, segments=tuple(segments))


def _by_delong(first: Ranking, second: Ranking, level: float) -> Difference:
    from scipy.special import stdtr, stdtrit

    estimates = [ask("auc").estimate(ranking) for ranking in (first, second)]
    found = Difference(
        first.name,
        second.name,
        "auc",
        estimates[0].value,
        estimates[1].value,
        level=level,
        method="DeLong, unpaired",
        reason=estimates[0].reason or estimates[1].reason,
    )
    if not found.is_defined:
        return found
    found = replace(found, note=_in_bins(estimates))
    if min(*first.effective_rows, *second.effective_rows) < 2:
        return replace(found, note=TOO_FEW)
    variances = [widest_placements(ranking).variance for ranking in (first, second)]
    unknown = sum(estimate.within for estimate in estimates)
    if not sum(variances) > 0:
        return replace(found, note="no interval: the areas do not vary")
    rows = [sum(ranking.effective_rows) for ranking in (first, second)]
    pairs = list(zip(variances, rows, strict=True))
    degrees = sum(variances) ** 2 / sum(v**2 / (n - 1) for v, n in pairs)
    error = math.sqrt(sum(variances))
    # What bins leave open speaks for neither.
    t = math.copysign(max(abs(found.value) - unknown, 0.0), found.value) / error
    half = float(stdtrit(degrees, (1 + level) / 2)) * error + unknown
    return replace(
        found,
        low=found.value - half,
        high=found.value + half,
        statistic=t,
        p_value=float(2 * stdtr(degrees, -abs(t))),
        first_better=float(stdtr(degrees, t)),
        standard_error=error,
        degrees=degrees,
    )


def _in_bins(estimates: list[Estimate]) -> str | None:
    unknown = sum(estimate.within for estimate in estimates)
    return f"the exact difference is within ±{unknown:.2g}: scores are in bins" if unknown else None


def _by_bootstrap(
    first: Ranking, second: Ranking, question: Question, confidence: Confidence
) -> Difference:
    rankings = (first, second)
    exact = [question.estimate(ranking) for ranking in rankings]
    found = Difference(
        first.name,
        second.name,
        question.name,
        exact[0].value,
        exact[1].value,
        level=confidence.level,
        better=question.better,
        reason=exact[0].reason or exact[1].reason,
    )
    if not found.is_defined:
        return found
    if not (first.exact and second.exact):
        told = "no interval: rows are drawn again where no scores are in bins"
        return replace(found, note="; ".join(filter(None, [_in_bins(exact), told])))
    if min(*first.effective_rows, *second.effective_rows) < 2:
        return replace(found, note=TOO_FEW)

    def answers(resamples: Resamples) -> NDArray[Any]:
        return np.array([question.estimate(own).value for own in resamples])

    coarse = [thinned(ranking, keep=[question.places(ranking)]) for ranking in rankings]
    seeds = (confidence.seed, confidence.seed + OTHER_SEED)
    values = [
        bootstrap(RankedRows(ranking), answers, replace(confidence, seed=seed))
        for ranking, seed in zip(coarse, seeds, strict=True)
    ]
    return from_resamples(found, values[0] - values[1], confidence, "unpaired rows")
