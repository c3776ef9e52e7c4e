"""Unpaired comparison: models or segments evaluated on different rows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison.bootstrap import difference_from_resamples
from tradeoff.comparison.difference import Difference, metric_parameters
from tradeoff.core.costs import AnyCosts
from tradeoff.core.ranking import Ranking
from tradeoff.core.resampled_rankings import Resamples
from tradeoff.errors import suggest_arguments
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import Measure, is_summary
from tradeoff.thresholds.operating_threshold import require_thresholds
from tradeoff.uncertainty.auc import auc_covariance, largest_placement_variances
from tradeoff.uncertainty.bootstrap import RankedRows, SharedRows, bootstrap, coarsen_ranking
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.question import (
    THRESHOLD,
    Question,
    build_question,
)

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking

TOO_FEW_CLUSTERS = "no interval: two clusters with rows of each class are needed"
TOO_FEW_ROWS = "no interval: two rows of each class are needed"
SEED_OFFSET = 1_000_003
"""Added to the seed of the second ranking, so that both are resampled independently."""


@suggest_arguments
def difference(  # noqa: PLR0913 - rankings, metric, method
    first: Ranking,
    second: Ranking,
    metric: str | Measure = "auc",
    *,
    at: tuple[str, float] | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    confidence: Confidence | None = None,
    beta: float | None = None,
    weight: float | None = None,
    alpha: float | None = None,
    gamma: float | None = None,
    dominance: float | None = None,
    low: float | None = None,
    high: float | None = None,
    along: str | None = None,
    bins: int | None = None,
    by: str | None = None,
    threshold: float | None = None,
) -> Difference:
    """Unpaired difference in a metric between rankings of different rows, first minus second.

    AUCs are compared using DeLong's variances and Welch's degrees of freedom (as in pROC), other
    metrics by a bootstrap of the rows of each ranking.

    Args:
        first: A ranking.
        second: A ranking of other rows.
        metric: Any summary or metric, or "cost" with `costs`.
        at: Operating point at which a metric is evaluated: ("threshold", 0.5), or the value of
            another metric, ("fpr", 0.1). By default 0.5 for probabilities; other scores need one.
        costs: Costs of the outcomes, for "cost".
        prevalence: Prevalence where the model will be used.
        confidence: Level, number of resamples and seed.
        beta: For the F measure: how much more recall counts than precision.
        weight: For the distance to perfect: the weight of false negatives.
        alpha: For the weighted error rate: the weight of a false positive.
        gamma: For the rejection trade-off: the weight of an error.
        dominance: For the index of balanced accuracy.
        low: For a partial AUC: the lower limit.
        high: For a partial AUC: the upper limit.
        along: For a partial AUC: the axis of the limits, "fpr" or "tpr".
        bins: For calibration errors: the number of bins.
        by: For calibration errors: bins with equal "rows" or of equal "width".
        threshold: For the AURC: the threshold.

    Example:
        >>> import tradeoff as to
        >>> a = to.evaluate(actual=[0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6]).ranking.named("a")
        >>> b = to.evaluate(actual=[0, 1, 0, 0, 1, 1], score=[1, 2, 3, 4, 5, 6]).ranking.named("b")
        >>> difference(a, b).value.__round__(4)
        0.1111
    """
    confidence = confidence or Confidence()
    parameters = metric_parameters(
        beta=beta,
        weight=weight,
        alpha=alpha,
        gamma=gamma,
        dominance=dominance,
        low=low,
        high=high,
        along=along,
        bins=bins,
        by=by,
        threshold=threshold,
    )
    name = metric if isinstance(metric, str) else metric.name
    if at is None and not is_summary(name):
        rankings = {first.name: first, second.name: second}
        (value, *_) = require_thresholds(
            rankings, None, name, argument='at=("threshold", …)'
        ).values()
        at = (THRESHOLD, value)
    question = build_question(metric, at=at, costs=costs, prevalence=prevalence, **parameters)
    return unpaired_difference(first, second, question, confidence)


def unpaired_difference(
    first: Ranking,
    second: Ranking,
    question: Question,
    confidence: Confidence,
    clusters: tuple[PairedRanking | None, PairedRanking | None] = (None, None),
) -> Difference:
    """Unpaired difference in one metric; intervals account for `clusters` of rows."""
    if question.name == "auc" and not confidence.is_bootstrap:
        return _delong_difference(first, second, confidence.level, question.label, clusters)
    return _bootstrap_difference(first, second, question, confidence, clusters)


def _delong_difference(
    first: Ranking,
    second: Ranking,
    level: float,
    label: str,
    clusters: tuple[PairedRanking | None, PairedRanking | None],
) -> Difference:
    from scipy.special import stdtr, stdtrit

    estimates = [build_question("auc").estimate(ranking) for ranking in (first, second)]
    result = Difference(
        first.name,
        second.name,
        "auc",
        estimates[0].value,
        estimates[1].value,
        level=level,
        method="DeLong, unpaired" if clusters == (None, None) else "Obuchowski, unpaired",
        reason=estimates[0].reason or estimates[1].reason,
        label=label,
    )
    if not result.is_defined:
        return result
    result = replace(result, note=_bins_note(estimates))
    if min(*first.effective_rows, *second.effective_rows) < 2:
        return replace(result, note=TOO_FEW_ROWS)
    sizes = [_auc_variance(*pair) for pair in zip((first, second), clusters, strict=True)]
    variances = [variance for variance, _ in sizes]
    if any(math.isnan(variance) for variance in variances):
        return replace(result, note=TOO_FEW_CLUSTERS)
    bin_uncertainty = sum(estimate.within for estimate in estimates)
    if not sum(variances) > 0:
        return replace(result, note="no interval: the AUCs have no variance")
    terms = [v**2 / (n - 1) for v, n in sizes]
    degrees_of_freedom = sum(variances) ** 2 / sum(terms)
    standard_error = math.sqrt(sum(variances))
    # A difference that the bins could explain favours neither model.
    certain_difference = max(abs(result.value) - bin_uncertainty, 0.0)
    t = math.copysign(certain_difference, result.value) / standard_error
    critical_t = float(stdtrit(degrees_of_freedom, (1 + level) / 2))
    half_width = critical_t * standard_error + bin_uncertainty
    return replace(
        result,
        low=result.value - half_width,
        high=result.value + half_width,
        statistic=t,
        p_value=float(2 * stdtr(degrees_of_freedom, -abs(t))),
        first_better=float(stdtr(degrees_of_freedom, t)),
        standard_error=standard_error,
        degrees=degrees_of_freedom,
    )


def _auc_variance(ranking: Ranking, clusters: PairedRanking | None) -> tuple[float, float]:
    """Variance of an AUC, and the number of independent rows or clusters it is based on."""
    if clusters is None:
        return largest_placement_variances(ranking).variance, sum(ranking.effective_rows)
    variance = float(auc_covariance(clusters).covariance[0, 0])
    return variance, float(len(np.unique(np.asarray(clusters.clusters))))


def _bins_note(estimates: list[Estimate]) -> str | None:
    width = sum(estimate.within for estimate in estimates)
    return f"scores are binned: the exact difference is within ±{width:.2g}" if width else None


def _bootstrap_difference(
    first: Ranking,
    second: Ranking,
    question: Question,
    confidence: Confidence,
    clusters: tuple[PairedRanking | None, PairedRanking | None],
) -> Difference:
    rankings = (first, second)
    estimates = [question.estimate(ranking) for ranking in rankings]
    result = Difference(
        first.name,
        second.name,
        question.name,
        estimates[0].value,
        estimates[1].value,
        level=confidence.level,
        better=question.better,
        label=question.label,
        reason=estimates[0].reason or estimates[1].reason,
    )
    if not result.is_defined:
        return result
    if not (first.exact and second.exact):
        reason = "no interval: the bootstrap needs scores that are not binned"
        return replace(result, note="; ".join(filter(None, [_bins_note(estimates), reason])))
    if min(*first.effective_rows, *second.effective_rows) < 2:
        return replace(result, note=TOO_FEW_ROWS)

    def resampled_values(resamples: Resamples) -> NDArray[Any]:
        return np.array([question.estimate(ranking).value for ranking in resamples])

    seeds = (confidence.seed, confidence.seed + SEED_OFFSET)
    values = []
    for ranking, rows, seed in zip(rankings, clusters, seeds, strict=True):
        seeded = replace(confidence, seed=seed)
        if rows is None:
            coarse_ranking = coarsen_ranking(ranking, keep=[question.indices(ranking)])
            values.append(bootstrap(RankedRows(coarse_ranking), resampled_values, seeded))
        else:
            shared = SharedRows.of(rows, question)
            values.append(bootstrap(shared, lambda models: resampled_values(models[0]), seeded))
    unit = "unpaired rows" if clusters == (None, None) else "unpaired clusters"
    return difference_from_resamples(result, values[0] - values[1], confidence, unit)
