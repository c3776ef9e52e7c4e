"""Curves that treat scores as probabilities: net benefit and predictive values."""

from __future__ import annotations

from typing import Any

import numpy as np

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves.curve import Axis, Curve
from tradeoff.measures.curves.registry import register_curve
from tradeoff.measures.probabilities import require_probabilities

PREVALENCES = np.linspace(0, 1, 201)


@register_curve(
    "net benefit at each threshold probability, compared with treating all or none",
    title="Decision curve (net benefit)",
    rank=11,
    aliases=("dca", "decision_curve", "decision_curve_analysis"),
)
def net_benefit(ranking: Ranking, standardized: bool = False) -> Curve:
    """Net benefit at each threshold probability (decision curve analysis).

    Args:
        ranking: Ranking whose scores are probabilities.
        standardized: Whether to divide by the prevalence, so that the maximum is 1.
    """
    p = require_probabilities(ranking, "Net benefit").values
    total = float(ranking.total)
    prevalence = float(ranking.at_place(0).positives) / total
    divisor = total * prevalence if standardized else total
    if not divisor:
        raise InputError("Standardized net benefit needs positive rows.")
    below_one = slice(
        int(np.searchsorted(-p, -1.0, "right")), None
    )  # at 1 a false positive has infinite weight
    true_positives = ranking.true_positives[1:][below_one]
    false_positives = ranking.false_positives[1:][below_one]
    thresholds = p[below_one]
    treat_all_counts = float(ranking.positives), float(ranking.negatives)

    def benefit(t: Any, tp: Any, fp: Any) -> Any:
        return (tp - fp * (t / (1 - t))) / divisor

    def height(t: Any) -> Any:
        indices = np.searchsorted(-p, np.negative(t), "right")
        t = np.where((t >= 0) & (t < 1), t, np.nan)
        return benefit(t, ranking.true_positives[indices], ranking.false_positives[indices])

    name = "standardized_net_benefit" if standardized else "net_benefit"
    maximum = 1.0 if standardized else prevalence
    return Curve(
        "net_benefit",
        ranking,
        Axis("threshold", thresholds),
        Axis(name, benefit(thresholds, true_positives, false_positives), "higher"),
        formula=height,
        also=(
            Axis("treat_all", benefit(thresholds, *treat_all_counts), "higher"),
            Axis("treat_none", np.zeros(len(thresholds)), "higher"),
        ),
        ideal=((0.0, maximum), (1.0, maximum)),
        table=lambda: {"true_positives": true_positives, "false_positives": false_positives},
    )


@register_curve(
    "positive and negative predictive value at any prevalence",
    title="Predictive values by prevalence",
    chance="uninformative test",
    ideal="",
    axes={
        "precision": "Predictive value",
        "prevalence": "Prevalence|share of {positive} in the population",
    },
    has_thresholds=False,
    rank=17,
)
def predictive_values(ranking: Ranking, threshold: float = 0.5) -> Curve:
    """Positive and negative predictive value against the prevalence, at one threshold."""
    matrix = ranking.at(threshold).as_floats()
    if not (matrix.positives and matrix.negatives):
        raise InputError("Predictive values by prevalence need rows of both classes.")

    def positive(prevalence: Any) -> Any:
        true = matrix.true_positives / matrix.positives * prevalence
        return _proportion(true, matrix.false_positives / matrix.negatives * (1 - prevalence))

    def negative(prevalence: Any) -> Any:
        true = matrix.true_negatives / matrix.negatives * (1 - prevalence)
        return _proportion(true, matrix.false_negatives / matrix.positives * prevalence)

    return Curve(
        "predictive_values",
        ranking,
        Axis("prevalence", PREVALENCES),
        Axis("precision", positive(PREVALENCES), "higher"),
        formula=positive,
        also=(Axis("negative_predictive_value", negative(PREVALENCES), "higher"),),
        chance=((0.0, 0.0), (1.0, 1.0)),
        ideal=((0.0, 1.0), (1.0, 1.0)),
    )


def _proportion(true: Any, false: Any) -> Any:
    """Proportion of true among true and false predictions."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return true / (true + false)
