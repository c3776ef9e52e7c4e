"""Weka 3.8's metrics (and those of older versions): areas, class table, threshold curve."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tradeoff.compatibility import class_averages
from tradeoff.compatibility.registry import tool_measure
from tradeoff.compatibility.reversed_rankings import negative_class_ranking
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.measures.probabilities import scores_as_probabilities
from tradeoff.measures.registry import METRICS, SUMMARIES, Undefined

TOOL = "Weka"
LAST_STEP = 1e-5
"""Distance from the highest score to the last threshold of Weka's curve."""
ZERO_DIVISION_NOTE = "0/0 is shown as ?, in older versions (older=True) as 0"


def _require_defined(value: float) -> float:
    if math.isnan(value):
        raise Undefined(f"{TOOL} shows ?: it divides 0 by 0")
    return float(value)


def _accepted_matrix(ranking: Ranking, threshold: float) -> ConfusionMatrix:
    return ranking.at(threshold).accepted


def _metric(ranking: Ranking, threshold: float, name: str, *, older: bool) -> float:
    zero_division = 0.0 if older else math.nan
    return _require_defined(
        METRICS.find(name)(_accepted_matrix(ranking, threshold), undefined=zero_division)
    )


def _f_measure(matrix: ConfusionMatrix, *, older: bool) -> float:
    """F-measure as in Weka: undefined if precision or recall is."""
    if not older and not (matrix.predicted_positives and matrix.positives):
        return math.nan
    return float(METRICS.find("f_measure")(matrix, undefined=0.0))


@tool_measure(
    TOOL,
    "Area under ROC",
    ours="auc",
    aliases=("ROC Area", "getROCArea"),
    agrees=True,
    why="The Mann–Whitney statistic, with each tie counted as one half, as here. With one class it "
    "is shown as ?.",
)
def area_under_roc(ranking: Ranking) -> float:
    """Weka's Area under ROC."""
    return _require_defined(SUMMARIES.find("auc")(ranking))


@tool_measure(
    TOOL,
    "Weighted Avg. ROC Area",
    ours="auc",
    agrees=True,
    why="Both classes have the same area, because their probabilities sum to 1, so the weighted "
    "average is that area.",
)
def weighted_area_under_roc(ranking: Ranking) -> float:
    """Weka's Weighted Avg. ROC Area."""
    return _require_defined(SUMMARIES.find("auc")(ranking))


@tool_measure(
    TOOL,
    "Area under PRC",
    ours="average_precision",
    aliases=("PRC Area", "getPRCArea"),
    agrees=True,
    why="Steps, not lines: the average precision, as here. Without positive rows it is shown as "
    "?. Weka 3.6 does not have it.",
)
def area_under_prc(ranking: Ranking) -> float:
    """Weka's Area under PRC."""
    return _require_defined(SUMMARIES.find("average_precision")(ranking))


@tool_measure(
    TOOL,
    "Weighted Avg. PRC Area",
    ours=None,
    why="The average precisions of both classes, each as positive in turn, weighted by their rows. "
    "The negative class has a different value, so this is not that of the positive class.",
)
def weighted_area_under_prc(ranking: Ranking) -> float:
    """Weka's Weighted Avg. PRC Area."""
    measure = SUMMARIES.find("average_precision")
    rankings = [r for r in (ranking, negative_class_ranking(ranking)) if r.positives]
    rows = [float(ranking.positives) for ranking in rankings]
    values = [float(measure(ranking)) for ranking in rankings]
    return sum(value * size for value, size in zip(values, rows, strict=True)) / sum(rows)


@tool_measure(
    TOOL,
    "Correctly Classified Instances",
    ours="accuracy",
    agrees=True,
    aliases=("pctCorrect",),
    why="The proportion of rows classified correctly, as here; Weka also writes it in percent. At "
    "exactly 1/2 it predicts the class that the file lists first.",
)
def correctly_classified(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """Weka's Correctly Classified Instances."""
    return _metric(ranking, threshold, "accuracy", older=False)


@tool_measure(
    TOOL,
    "Kappa statistic",
    ours="cohens_kappa",
    agrees=True,
    why="Agreement beyond what the margins explain, as here. If all rows are of one class and are "
    "predicted as that class, Weka gives 1; here it is undefined.",
)
def kappa_statistic(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """Weka's Kappa statistic."""
    return float(METRICS.find("cohens_kappa")(_accepted_matrix(ranking, threshold), undefined=1.0))


@tool_measure(
    TOOL,
    "TP Rate",
    ours="true_positive_rate",
    aliases=("Recall",),
    agrees=True,
    why=f"tp / P, as here. {ZERO_DIVISION_NOTE}.",
)
def tp_rate(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    """Weka's TP Rate."""
    return _metric(ranking, threshold, "true_positive_rate", older=older)


@tool_measure(
    TOOL,
    "FP Rate",
    ours="false_positive_rate",
    agrees=True,
    why=f"fp / N, as here; not what Weka's curve calls Fallout. {ZERO_DIVISION_NOTE}.",
)
def fp_rate(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    """Weka's FP Rate."""
    return _metric(ranking, threshold, "false_positive_rate", older=older)


@tool_measure(
    TOOL,
    "Precision",
    ours="precision",
    agrees=True,
    why=f"tp / (tp + fp), as here. {ZERO_DIVISION_NOTE}.",
)
def precision(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    """Weka's Precision."""
    return _metric(ranking, threshold, "precision", older=older)


@tool_measure(
    TOOL,
    "F-Measure",
    ours="f_measure",
    agrees=True,
    why="The harmonic mean of precision and recall, so it is shown as ? if nothing is predicted "
    "positive; here it is 0, as every positive row is missed. Older versions (older=True) also "
    "give 0.",
)
def f_measure(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    """Weka's F-Measure."""
    return _require_defined(_f_measure(_accepted_matrix(ranking, threshold), older=older))


@tool_measure(
    TOOL,
    "MCC",
    ours="matthews_correlation",
    agrees=True,
    why="If a class is empty or never predicted it is shown as ?, undefined as here; older "
    "versions (older=True) give 0. Weka 3.6 does not have it.",
)
def mcc(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    """Weka's MCC."""
    return _metric(ranking, threshold, "matthews_correlation", older=older)


AVERAGE_NOTE = (
    "The values of both classes, weighted by their rows. If it is undefined for a class that has "
    "rows, Weka shows ? for the average; tradeoff leaves such a class out and says so"
)


@tool_measure(
    TOOL,
    "Weighted Avg. Precision",
    ours="precision",
    our_function=class_averages.class_weighted_precision,
    part="weighted average",
    agrees=True,
    why=f"{AVERAGE_NOTE}.",
)
def weighted_precision(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    """Weka's Weighted Avg. Precision."""
    measure, zero_division = METRICS.find("precision"), 0.0 if older else math.nan
    matrices = _matrices(ranking, threshold)
    return _require_defined(
        _weighted_average(
            matrices, [float(measure(matrix, undefined=zero_division)) for matrix in matrices]
        )
    )


@tool_measure(
    TOOL,
    "Weighted Avg. F-Measure",
    ours="f_measure",
    our_function=class_averages.class_weighted_f_measure,
    part="weighted average",
    agrees=True,
    why=f"{AVERAGE_NOTE}.",
)
def weighted_f_measure(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    """Weka's Weighted Avg. F-Measure."""
    matrices = _matrices(ranking, threshold)
    return _require_defined(
        _weighted_average(matrices, [_f_measure(matrix, older=older) for matrix in matrices])
    )


def _matrices(ranking: Ranking, threshold: float) -> tuple[ConfusionMatrix, ConfusionMatrix]:
    matrix = _accepted_matrix(ranking, threshold)
    return matrix, matrix.swapped()


def _weighted_average(
    matrices: tuple[ConfusionMatrix, ConfusionMatrix], values: list[float]
) -> float:
    """Mean over the classes with rows, weighted by their rows."""
    rows = [float(matrix.positives) for matrix in matrices]
    pairs = zip(values, rows, strict=True)
    return sum(value * weight for value, weight in pairs if weight) / sum(rows)


@tool_measure(
    TOOL,
    "Root mean squared error",
    ours="root_mean_squared_error",
    agrees=True,
    why="Over the probabilities of both classes, which for two classes is the root of the Brier "
    "score, as here.",
)
def root_mean_squared_error(ranking: Ranking) -> float:
    """Weka's Root mean squared error."""
    scores_as_probabilities(ranking)
    return float(SUMMARIES.find("root_mean_squared_error")(ranking))


@tool_measure(
    TOOL,
    "Mean absolute error",
    ours=None,
    why="The mean distance of the probability from the actual class. There is no such measure "
    "here: it rewards probabilities of 0 and 1 over calibrated ones.",
)
def mean_absolute_error(ranking: Ranking) -> float:
    """Weka's Mean absolute error."""
    p, positives, negatives = scores_as_probabilities(ranking)
    return float((positives * (1 - p) + negatives * p).sum() / (positives + negatives).sum())


@tool_measure(
    TOOL,
    "ThresholdCurve",
    ours=None,
    aliases=("getCurve",),
    kind="curve",
    why="In ascending order, from all rows predicted positive to none; that last point has the "
    "threshold highest score + 1e-5 (here it is the first, at inf). Its precision is 0 (here "
    "undefined), Fallout is fp / (tp + fp) (false_discovery_rate here), and Lift is missing if "
    "fewer than one true positive is expected by chance.",
)
def threshold_curve(ranking: Ranking) -> dict[str, Any]:
    """Weka's ThresholdCurve: all columns of ThresholdCurve.getCurve, in its order."""
    ascending = ranking.matrices(slice(None, None, -1)).accepted.as_floats()
    tp, fp = ascending.true_positives, ascending.false_positives
    scores = ranking.thresholds[:0:-1]
    scores = 1 - scores if ranking.lower_is_positive else scores
    depth = (tp + fp) / ascending.rows
    expected = depth * ascending.positives

    def metric(name: str) -> Any:
        return METRICS.find(name)(ascending, undefined=0.0)

    with np.errstate(divide="ignore", invalid="ignore"):
        lift = np.where(expected < 1, np.nan, tp / expected)
    return {
        "True Positives": tp,
        "False Negatives": ascending.false_negatives,
        "False Positives": fp,
        "True Negatives": ascending.true_negatives,
        "False Positive Rate": metric("false_positive_rate"),
        "True Positive Rate": metric("true_positive_rate"),
        "Precision": metric("precision"),
        "Recall": metric("true_positive_rate"),
        "Fallout": metric("false_discovery_rate"),
        "FMeasure": metric("f_measure"),
        "Sample Size": depth,
        "Lift": lift,
        "Threshold": np.append(scores, scores[-1] + LAST_STEP),
    }
