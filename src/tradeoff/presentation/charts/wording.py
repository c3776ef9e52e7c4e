"""What stands on charts: titles, the two sides in words, the names in a legend."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tradeoff.measures.registry import METRICS
from tradeoff.text import count, plain

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.estimate import Estimate
    from tradeoff.presentation.charts.chart import Kind

LONGEST_NAME = 32
LONGEST_CLASS = 24
UNNAMED = frozenset({"positive", "1", "True", "true", "1.0"})
TITLES = {
    "roc": "ROC curve",
    "precision_recall": "Precision and recall",
    "precision_recall_gain": "Precision gain and recall gain",
    "gains": "Cumulative gains",
    "lift": "Lift",
    "bin_lift": "Lift by tenths of the rows",
    "det": "Detection error trade-off",
    "ks": "How far apart the classes are",
    "cost": "Cost curve",
    "expected_cost": "Expected cost by threshold",
    "profit": "Profit",
    "net_benefit": "Net benefit (decision curve)",
    "brier": "Brier curve",
    "predictive_values": "Predictive values by prevalence",
    "calibration": "Reliability diagram",
    "accuracy_rejection": "Accuracy when the least certain are rejected",
    "risk_coverage": "Errors by share of rows decided",
}
REFERENCES = {
    "cost": ("call all or none", ""),
    "brier": ("prevalence for everybody", ""),
    "predictive_values": ("a useless test", ""),
    "accuracy_rejection": ("rejecting at random", "rejecting mistakes first"),
    "risk_coverage": ("rejecting at random", "rejecting mistakes first"),
    "profit": ("contacting at random", ""),
    "calibration": ("", "honest probabilities"),
}
"""What the lines of chance and of perfection are called, where those words do not fit."""
AREAS = {
    "roc": "AUC",
    "precision_recall": "area",
    "precision_recall_gain": "area",
    "cost": "area",
    "brier": "Brier score",
    "risk_coverage": "area",
}
"""Curves whose area says something, and what it is called."""
PERCENT = frozenset(
    {
        "true_positive_rate",
        "false_positive_rate",
        "true_negative_rate",
        "false_negative_rate",
        "precision",
        "negative_predictive_value",
        "false_discovery_rate",
        "false_omission_rate",
        "accuracy",
        "error_rate",
        "rejection_rate",
        "coverage",
        "accepted_accuracy",
        "accepted_error_rate",
        "prevalence",
        "predicted_positive_rate",
        "predicted_negative_rate",
        "depth",
        "mean_score",
        "positive_share",
    }
)
"""Shares of rows, which people read in percent."""


WORDS = {
    "true_positive_rate": "share of {positive} found (true positive rate)",
    "false_positive_rate": "share of {negative} called {one} (false positive rate)",
    "false_negative_rate": "share of {positive} missed (false negative rate)",
    "true_negative_rate": "share of {negative} passed (true negative rate)",
    "precision": "share of {positive} among rows called so (precision)",
    "predicted_positive_rate": "share of rows called {one} (depth)",
    "depth": "share of rows, best first (depth)",
    "lift": "times as many as by chance (lift)",
    "bin_lift": "times as many as by chance (lift of each part)",
    "youden_j": "difference of the two rates (Youden's J)",
    "rejection_rate": "share of rows rejected",
    "coverage": "share of rows decided (coverage)",
    "accepted_accuracy": "accuracy of decided rows",
    "accepted_error_rate": "error rate of decided rows (risk)",
    "expected_cost": "expected cost per row",
    "profit": "profit",
    "threshold": "threshold",
    "mean_score": "predicted probability{of}",
    "positive_share": "share of {positive} among such rows",
    "probability_cost": "share of misses in the cost of deciding all wrongly, PC(+)",
    "normalized_expected_cost": "expected cost as a share of the worst",
    "cost_share": "share of a false alarm in the cost",
    "loss": "expected cost",
}
"""What one side of a chart measures."""
OWN_WORDS = {
    ("precision_recall", "true_positive_rate"): "share of {positive} found (recall)",
    ("gains", "predicted_positive_rate"): "share of rows taken, best first (depth)",
    ("lift", "predicted_positive_rate"): "share of rows taken, best first (depth)",
    ("profit", "predicted_positive_rate"): "share of rows contacted, best first (depth)",
    ("predictive_values", "precision"): "share of calls that are right",
    ("predictive_values", "prevalence"): "share of {positive} in the population (prevalence)",
    ("ks", "youden_j"): "share",
}
"""… and where a curve calls it something else."""


def side(name: str, ranking: Ranking, curve: str = "") -> str:
    """What one side of a chart measures, in words and in the user's class names.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([1.0]), np.array([True]), positive="yes", negative="no")
        >>> side("true_positive_rate", ranking)
        "share of 'yes' found (true positive rate)"
        >>> side("matthews_correlation", ranking)
        'matthews correlation'
    """
    positive, negative = classes(ranking)
    words = OWN_WORDS.get((curve, name)) or WORDS.get(name)
    if words is None:
        return name.replace("_", " ")
    of = "" if ranking.positive in UNNAMED else f" of {positive}"
    return words.format(positive=positive, negative=negative, one=_one(ranking), of=of)


def classes(ranking: Ranking) -> tuple[str, str]:
    """The two classes as axes name them: quoted if they have names of their own."""
    if ranking.positive in UNNAMED:
        return "positives", "negatives"
    return _quoted(ranking.positive), _quoted(ranking.negative)


def scale_kind(name: str) -> Kind:
    """Shares of rows are read in percent, all else as it is."""
    return "share" if name in PERCENT else "plain"


def limits(name: str) -> tuple[float, float]:
    """What a quantity can be; infinite where it has no bounds.

    Example:
        >>> limits("precision"), limits("lift"), limits("probability_cost")
        ((0.0, 1.0), (0.0, inf), (0.0, 1.0))
    """
    if name in PERCENT or name in {"probability_cost", "cost_share"}:
        return 0.0, 1.0
    if METRICS.knows(name):
        measure = METRICS.find(name)
        return measure.low, measure.high
    if name in {"bin_lift", "normalized_expected_cost", "loss"}:
        return 0.0, math.inf
    return -math.inf, math.inf


def legend(name: str, area: Estimate | None = None, called: str = "AUC") -> str:
    """A model in a legend, with its area.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> legend("naive_bayes", Estimate("auc", 0.8217, low=0.7555, high=0.88, level=0.95))
        'naive_bayes (AUC 0.82, 0.76–0.88)'
        >>> legend("naive_bayes", Estimate("auc", math.nan, reason="no row is yes"))
        'naive_bayes (no AUC)'
    """
    shown = plain(name, LONGEST_NAME)
    if area is None:
        return shown
    if not area.is_defined:
        return f"{shown} (no {called})"
    ends = f", {area.low:.2f}–{area.high:.2f}" if area.has_interval else ""
    return f"{shown} ({called} {area.value:.2f}{ends})"


def rule(ranking: Ranking, threshold: float, way: str = "") -> str:
    """A threshold as a label says it.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> rule(Ranking.of(np.array([1.0]), np.array([True])), 0.2054, "youden")
        'youden: ≥ 0.205'
    """
    sign = "≤" if ranking.lower_is_positive else "≥"
    told = f"{plain(way)}: " if way else ""
    at = "none" if threshold == (-math.inf if sign == "≤" else math.inf) else f"{threshold:.3g}"
    return f"{told}{at}" if at == "none" else f"{told}{sign} {at}"


def about_rows(ranking: Ranking) -> str:
    """A sentence on how many rows there are.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> about_rows(Ranking.of(np.array([1.0, 2.0]), np.array([True, False]), positive="yes"))
        "2 rows, 1 of them 'yes'."
    """
    positives = ranking.positives + ranking.rejected_positives
    named = "positive" if ranking.positive in UNNAMED else _quoted(ranking.positive)
    if ranking.is_counted:
        return f"{count(ranking.total)} rows, {count(positives)} of them {named}."
    total = float(ranking.total)
    share = f", {100 * float(positives) / total:.3g} % of the weight {named}" if total else ""
    return f"{count(ranking.rows)} rows{share}."


def _quoted(name: str) -> str:
    return f"'{plain(name, LONGEST_CLASS)}'"


def _one(ranking: Ranking) -> str:
    return "positive" if ranking.positive in UNNAMED else _quoted(ranking.positive)
