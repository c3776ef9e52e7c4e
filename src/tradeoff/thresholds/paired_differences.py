"""Paired differences between models at their chosen thresholds, on the rows that they share.

The difference is that of the out-of-bag estimates. Its standard error has two parts, both from
paired resamples: rows vary (each model keeps the threshold chosen on all rows, and the resample
varies), and choices vary (each model chooses again on the resample, and is evaluated on all rows).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import RowCosts
from tradeoff.errors import InputError
from tradeoff.measures.estimate import Estimate
from tradeoff.stats.normal import critical_value
from tradeoff.thresholds.out_of_sample import OutOfSample
from tradeoff.uncertainty.bootstrap import MAX_GROUPS, SharedRows, bootstrap
from tradeoff.uncertainty.confidence import Confidence

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.resampled_rankings import Resamples
    from tradeoff.thresholds.decision import Decision

MAX_SCORES_WITH_COSTS = 20_000
"""Up to this many distinct scores are not merged, so that costs may differ by row."""
METHOD = "out-of-bag difference, paired bootstrap in which each model chooses again"


def paired_differences(
    decisions: Sequence[Decision], paired: PairedRanking, confidence: Confidence
) -> dict[str, Estimate]:
    """Paired difference of each decision from the first one in the criterion's objective, by model.

    Args:
        decisions: Decisions of several models by one criterion, with out-of-sample estimates.
        paired: The rows that all models scored.
        confidence: Level, number of resamples and seed.
    """
    reference, *others = decisions
    if len({type(decision.out_of_sample) for decision in decisions} | {OutOfSample}) > 1:
        raise InputError("Differences between models need an out-of-sample estimate of each.")
    _require_same_rows(decisions, paired)
    have_row_costs = any(isinstance(decision.costs, RowCosts) for decision in decisions)
    shared = SharedRows.of(
        paired.select_models(*(decision.ranking.name for decision in decisions)),
        rankings=[decision.ranking for decision in decisions],
        thresholds=[decision.threshold for decision in decisions],
        max_thresholds=MAX_SCORES_WITH_COSTS if have_row_costs else MAX_GROUPS,
    )
    _require_costs_by_score(decisions, shared)
    values = bootstrap(shared, lambda samples: _outcomes(decisions, shared, samples), confidence)
    at_fixed, at_chosen = np.split(values, 2, axis=1)
    return {
        other.ranking.name: _difference(
            other,
            reference,
            at_fixed[:, column] - at_fixed[:, 0],
            at_chosen[:, column] - at_chosen[:, 0],
            confidence,
        )
        for column, other in enumerate(others, 1)
    }


def _outcomes(
    decisions: Sequence[Decision], shared: SharedRows, samples: Sequence[Resamples]
) -> NDArray[np.float64]:
    """Values on resamples at each model's threshold, then on all rows at the resamples' choices.

    One row per resample; NaN where a value is undefined or no threshold can be chosen.
    """
    at_fixed, at_chosen = [], []
    for decision, coarse, resamples in zip(decisions, shared.coarse_rankings, samples, strict=True):
        criterion = decision.criterion
        weighted = resamples.at_prevalence(decision.prevalence)
        index = coarse.index(decision.threshold)
        at_fixed.append(criterion.objective_at(weighted, index)[:, 0])
        best = criterion.best(weighted)
        values = criterion.objective_values(coarse.at_prevalence(decision.prevalence))
        at_chosen.append(np.where(best.any(axis=1), values[best.argmax(axis=1)], np.nan))
    return np.stack([*at_fixed, *at_chosen], axis=1).astype(np.float64)


def _difference(
    other: Decision,
    reference: Decision,
    at_fixed: NDArray[np.float64],
    at_chosen: NDArray[np.float64],
    confidence: Confidence,
) -> Estimate:
    """Difference between two out-of-bag estimates, with a normal interval from resamples."""
    criterion = other.criterion
    value = _expected(other) - _expected(reference)
    name, label = criterion.objective_name, criterion.objective_label()
    if not math.isfinite(value):
        return Estimate(name, math.nan, "there is no out-of-sample estimate", label=label)
    is_defined = np.isfinite(at_fixed) & np.isfinite(at_chosen)
    undefined_count = int(np.count_nonzero(~is_defined))
    if 2 * undefined_count > len(is_defined) or np.count_nonzero(is_defined) < 2:
        note = f"no interval: undefined in {undefined_count:,} of {len(is_defined):,} resamples"
        return Estimate(name, value, note=note, label=label)
    variances = [column[is_defined].var(ddof=1) for column in (at_fixed, at_chosen)]
    half_width = critical_value(confidence.level) * math.sqrt(sum(variances))
    return Estimate(
        name,
        value,
        low=value - half_width,
        high=value + half_width,
        level=confidence.level,
        method=f"{METHOD} ({len(is_defined):,} resamples, seed {confidence.seed})",
        label=label,
    )


def _expected(decision: Decision) -> float:
    """Out-of-sample value of the objective."""
    out_of_sample = decision.out_of_sample
    return math.nan if not isinstance(out_of_sample, OutOfSample) else out_of_sample.expected


def _require_same_rows(decisions: Sequence[Decision], paired: PairedRanking) -> None:
    """Require that every model was evaluated on the shared rows and on no others."""
    if {decision.ranking.rows for decision in decisions} != {paired.rows}:
        units = paired.wording.units
        raise InputError(f"The models did not score the same {units}, so they are not compared.")


def _require_costs_by_score(decisions: Sequence[Decision], shared: SharedRows) -> None:
    """Require that costs that differ by row still match the scores, which may be merged."""
    for decision, coarse in zip(decisions, shared.coarse_rankings, strict=True):
        if isinstance(decision.costs, RowCosts) and len(coarse) != len(decision.ranking):
            raise InputError(
                f"With costs that differ by row, models with more than {MAX_SCORES_WITH_COSTS:,} "
                "distinct scores are not compared."
            )
