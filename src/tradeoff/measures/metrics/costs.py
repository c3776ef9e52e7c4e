"""Costs of outcomes: expected cost per row, with rejection, and net benefit."""

from __future__ import annotations

import math
from typing import Any

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.errors import InputError
from tradeoff.measures.metrics.overall import NO_ROWS
from tradeoff.measures.registry import METRICS, metric

REAL_LINE = (-math.inf, math.inf)


@metric(
    formula="(tp * cost_tp + fn * cost_fn + fp * cost_fp + tn * cost_tn "
    "+ rp * cost_rp + rn * cost_rn) / n",
    family="costs",
    range=REAL_LINE,
    linear=True,
    better="lower",
    aliases=("average_cost", "misclassification_cost"),
    sentence="the mean cost per row is {value}",
    axis="Expected cost per {row}",
    undefined=NO_ROWS,
    others="Benefits are negative costs. Weka's avgCost and ROCR's `cost` are the same without "
    "rejection.",
)
def expected_cost(  # noqa: PLR0913 - one per outcome
    m: ConfusionMatrix,
    *,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    cost_tp: float = 0.0,
    cost_tn: float = 0.0,
    cost_rp: float = 0.0,
    cost_rn: float = 0.0,
) -> Any:
    _require_finite(cost_fp, cost_fn, cost_tp, cost_tn, cost_rp, cost_rn)
    positives = m.true_positives * cost_tp + m.false_negatives * cost_fn
    negatives = m.false_positives * cost_fp + m.true_negatives * cost_tn
    rejected = m.rejected_positives * cost_rp + m.rejected_negatives * cost_rn
    return (positives + negatives + rejected) / m.rows


@metric(
    formula="(gamma * (fp + fn) - (tp + tn)) / n",
    family="costs",
    range=(-1.0, math.inf),
    linear=True,
    better="lower",
    aliases=("e_gamma",),
    sentence="with errors weighted {gamma} to 1, errors minus correct decisions are {value} "
    "per row",
    undefined=NO_ROWS,
    others="Minimizing it is the same as minimizing (1 + gamma) * error_rate + rejection_rate.",
    monotone=True,
)
def rejection_tradeoff(m: ConfusionMatrix, *, gamma: float = 1.0) -> Any:
    require_gamma(gamma)
    return (gamma * (m.decided - m.correct) - m.correct) / m.rows


@metric(
    formula="(fn + alpha * fp) / n",
    family="costs",
    range=(0.0, math.inf),
    linear=True,
    better="lower",
    aliases=("e_alpha",),
    sentence="with false positives weighted {alpha} to 1, the weighted error per row is {value}",
    undefined=NO_ROWS,
    monotone=True,
)
def weighted_error_rate(m: ConfusionMatrix, *, alpha: float = 1.0) -> Any:
    _require_finite(alpha)
    if alpha < 0:
        raise InputError(
            f"alpha, the weight of a false positive, must be 0 or more, not {alpha:g}."
        )
    return (m.false_negatives + alpha * m.false_positives) / m.rows


@metric(
    formula="tp / n - fp / n * at / (1 - at)",
    family="costs",
    range=(-math.inf, 1.0),
    linear=True,
    better="higher",
    sentence="treating the rows predicted {positive} has a net benefit of {value} true positives "
    "per row at a threshold probability of {at}",
    undefined="it needs a threshold probability, as in net_benefit(at=0.2)",
    others="In a decision curve `at` is the threshold itself: see the net_benefit curve.",
    source="Vickers & Elkin 2006, doi:10.1177/0272989X06295361",
    monotone=True,
)
def net_benefit(m: ConfusionMatrix, *, at: float | None = None) -> Any:
    if at is None:  # a matrix has no threshold
        return m.true_positives * math.nan
    if not 0 <= at < 1:
        raise InputError(
            f"The threshold probability of net benefit must be at least 0 and below 1, not {at:g}."
        )
    return m.true_positives / m.rows - m.false_positives / m.rows * at / (1 - at)


def require_gamma(gamma: float) -> None:
    """Require a finite, non-negative gamma, the cost weight of errors."""
    if not (gamma >= 0 and math.isfinite(gamma)):
        raise InputError(
            f"gamma, the weight of an error relative to a correct decision, must be 0 or more, not "
            f"{gamma:g}: below 0, errors would be rewarded."
        )


def _require_finite(*costs: float) -> None:
    if not all(map(math.isfinite, costs)):
        raise InputError("Costs must be finite numbers; benefits are negative costs.")


def is_cost_metric(name: str | None) -> bool:
    """Whether a metric is an expected cost: if the costs are known, its curve is the cost curve."""
    return name is not None and METRICS.knows(name) and METRICS.find(name).takes_costs
