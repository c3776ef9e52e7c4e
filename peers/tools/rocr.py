"""ROCR, in R: every measure at every cutoff, areas, the convex hull, costs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

import tradeoff as to
from peers.data import unweighted_rows
from peers.judging import Convention, follows_their_rule
from peers.quantities import summary
from peers.tools import r

if TYPE_CHECKING:
    from peers.data import ScoredRows
    from peers.judging import Verdicts

NAME = "ROCR"
PRECISION = 1e-9
MEASURES = {
    "acc": "accuracy",
    "err": "error_rate",
    "fpr": "false_positive_rate",
    "tpr": "true_positive_rate",
    "fnr": "false_negative_rate",
    "tnr": "true_negative_rate",
    "ppv": "precision",
    "npv": "negative_predictive_value",
    "pcfall": "false_discovery_rate",
    "pcmiss": "false_omission_rate",
    "rpp": "predicted_positive_rate",
    "rnp": "predicted_negative_rate",
    "phi": "matthews_correlation",
    "mi": "mutual_information",
    "chisq": "chi_squared",
    "odds": "odds_ratio",
    "lift": "lift",
    "f": "f_measure",
    "f alpha": "f_measure(beta=2)",
    "cost": "expected_cost(cost_fn=5)",
}
COUNTS = {
    "tp": "true_positives",
    "fn": "false_negatives",
    "fp": "false_positives",
    "tn": "true_negatives",
}
OF_SCORES = {
    "auc": "auc",
    "rmse": "root_mean_squared_error",
    "mxe": "log_loss",
    "partial_auc": "partial_auc(high=0.3)",
}
MOST_INTERPOLATED = 2
"""Where a tie holds more positives than this, ROCR's aucpr adds points that are out of place."""
CONVENTIONS = (
    Convention(
        "NaN where no positive is found",
        "| F, Fowlkes–Mallows without true positives | 0 if there is any error | pROC and ROCR NaN",
        frozenset({"f_measure", "f_measure(beta=2)"}),
        lambda number: number.ours == 0 and number.theirs_is_undefined,
    ),
    Convention(
        "NaN where all rows are called the same",
        "| mutual information if only one class is predicted | 0 | ROCR NaN",
        frozenset({"mutual_information"}),
        lambda number: number.ours == 0 and number.theirs_is_undefined,
    ),
    Convention(
        "infinite where an actual class was given a probability of 0",
        "| scikit-learn also clips, silently; ROCR returns infinity",
        frozenset({"log_loss"}),
        lambda number: number.theirs == math.inf and math.isfinite(number.ours),
    ),
    Convention(
        "the trapezoid over the fewest negatives at each recall",
        "| ROCR applies the trapezoidal rule to the fewest negatives at each recall",
        frozenset({"pr_trapezoid"}),
        follows_their_rule,
    ),
)


def version() -> str:
    """As installed."""
    return r.package_version("ROCR")


def compare(verdicts: Verdicts) -> None:
    """All sets are handed to one R."""
    table = [
        ["data", "actual", "score"],
        *(
            [rows.name, actual, repr(score)]
            for rows in unweighted_rows()
            for actual, score in zip(rows.actual.tolist(), rows.score.tolist(), strict=True)
        ),
    ]
    answers = r.ask("rocr.R", {"scored": table})
    for rows in unweighted_rows():
        _scored(verdicts, rows, answers[rows.name])


def _scored(verdicts: Verdicts, rows: ScoredRows, told: dict[str, np.ndarray]) -> None:
    ranking = rows.ranking
    if "cutoff" not in told:  # it stops where there is one class
        verdicts.compare("auc", rows, summary("auc", ranking), told["auc"])
        return
    verdicts.compare("cutoffs", rows, ranking.thresholds, told["cutoff"])
    matrices = ranking.confusion
    for theirs, ours in COUNTS.items():
        verdicts.compare(f"counts {theirs}", rows, getattr(matrices, ours), told[theirs])
    for theirs, ours in MEASURES.items():
        verdicts.compare(ours, rows, to.METRICS.find(ours)(matrices), told[theirs])
    for theirs, ours in OF_SCORES.items():
        verdicts.compare(ours, rows, summary(ours, ranking), told[theirs])
    _precision_recall(verdicts, rows, told)
    if "hull x" in told:
        area = np.trapezoid(told["hull y"], told["hull x"])
        verdicts.compare("auc_hull", rows, summary("auc_hull", ranking), area)


def _precision_recall(verdicts: Verdicts, rows: ScoredRows, told: dict[str, np.ndarray]) -> None:
    """Break-even and trapezoid, where ROCR's own are what their names say."""
    matrices = rows.ranking.confusion
    hits, alarms = matrices.true_positives, matrices.false_positives
    even = (matrices.predicted_positives == matrices.positives) & (hits > 0)
    if even.any():  # else ROCR gives what its root finder leaves, which is near 0
        ours = summary("break_even", rows.ranking)
        verdicts.compare("break_even", rows, ours, told["prbe"].max())
    if np.diff(hits).max() <= MOST_INTERPOLATED:
        recall, places = np.unique(hits, return_index=True)
        with np.errstate(invalid="ignore"):
            precision = recall / (recall + alarms[places])
        precision[0] = 1
        by_their_rule = np.trapezoid(precision, recall / recall[-1])
        ours = summary("pr_trapezoid", rows.ranking)
        verdicts.compare("pr_trapezoid", rows, ours, told["aucpr"], by_their_rule)
