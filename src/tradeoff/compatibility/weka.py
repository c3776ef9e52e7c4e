"""Weka's numbers (3.8, older ones by name): areas, the per-class table, the threshold curve."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tradeoff.compatibility import class_averages
from tradeoff.compatibility.registry import like, swapped
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.measures.probabilities import probabilities
from tradeoff.measures.registry import METRICS, SUMMARIES, Undefined

TOOL = "Weka"
ABOVE = 1e-5
"""How far above the highest score Weka closes its curve."""
QUESTION = "0/0 is shown as ?, in older versions (older=True) as 0"


def _known(value: float) -> float:
    if math.isnan(value):
        raise Undefined(f"{TOOL} shows ?: it divides 0 by 0")
    return float(value)


def _at(ranking: Ranking, threshold: float) -> ConfusionMatrix:
    return ranking.at(threshold).accepted


def _metric(ranking: Ranking, threshold: float, name: str, *, older: bool) -> float:
    instead = 0.0 if older else math.nan
    return _known(METRICS.find(name)(_at(ranking, threshold), undefined=instead))


def _f_measure(matrix: ConfusionMatrix, *, older: bool) -> float:
    """The harmonic mean of precision and recall, and undefined where one of them is."""
    if not older and not (matrix.predicted_positives and matrix.positives):
        return math.nan
    return float(METRICS.find("f_measure")(matrix, undefined=0.0))


@like(
    TOOL,
    "Area under ROC",
    ours="auc",
    also=("ROC Area", "getROCArea"),
    agrees=True,
    why="The Mann-Whitney statistic with ties counted half, as here. With one class it is shown "
    "as ?.",
)
def area_under_roc(ranking: Ranking) -> float:
    return _known(SUMMARIES.find("auc")(ranking))


@like(
    TOOL,
    "Weighted Avg. ROC Area",
    ours="auc",
    agrees=True,
    why="Both classes have the same area, as the probability of one is 1 minus that of the other, "
    "so their weighted average is that area.",
)
def weighted_area_under_roc(ranking: Ranking) -> float:
    return _known(SUMMARIES.find("auc")(ranking))


@like(
    TOOL,
    "Area under PRC",
    ours="average_precision",
    also=("PRC Area", "getPRCArea"),
    agrees=True,
    why="Steps, not lines: the average precision, as here. Without positive rows it is shown as "
    "?. Weka 3.6 does not have it.",
)
def area_under_prc(ranking: Ranking) -> float:
    return _known(SUMMARIES.find("average_precision")(ranking))


@like(
    TOOL,
    "Weighted Avg. PRC Area",
    ours=None,
    why="The average precisions of both classes, each wanted in turn, weighed by their rows. The "
    "negative class has another one, so this is not the number of the positive class.",
)
def weighted_area_under_prc(ranking: Ranking) -> float:
    measure = SUMMARIES.find("average_precision")
    both = [(own, float(own.positives)) for own in (ranking, swapped(ranking)) if own.positives]
    total = sum(rows for _, rows in both)
    return sum(float(measure(own)) * rows for own, rows in both) / total


@like(
    TOOL,
    "Correctly Classified Instances",
    ours="accuracy",
    agrees=True,
    also=("pctCorrect",),
    why="The share predicted rightly, as here; Weka writes it in percent as well. At exactly 1/2 "
    "it predicts the class that the file lists first.",
)
def correctly_classified(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _metric(ranking, threshold, "accuracy", older=False)


@like(
    TOOL,
    "Kappa statistic",
    ours="cohens_kappa",
    agrees=True,
    why="Agreement beyond what the margins explain, as here. Where all rows are of one class and "
    "called that, Weka says 1; here it is undefined.",
)
def kappa_statistic(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return float(METRICS.find("cohens_kappa")(_at(ranking, threshold), undefined=1.0))


@like(
    TOOL,
    "TP Rate",
    ours="true_positive_rate",
    also=("Recall",),
    agrees=True,
    why=f"tp / P, as here. {QUESTION}.",
)
def tp_rate(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    return _metric(ranking, threshold, "true_positive_rate", older=older)


@like(
    TOOL,
    "FP Rate",
    ours="false_positive_rate",
    agrees=True,
    why=f"fp / N, as here; not what Weka's curve calls Fallout. {QUESTION}.",
)
def fp_rate(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    return _metric(ranking, threshold, "false_positive_rate", older=older)


@like(
    TOOL,
    "Precision",
    ours="precision",
    agrees=True,
    why=f"tp / (tp + fp), as here. {QUESTION}.",
)
def precision(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    return _metric(ranking, threshold, "precision", older=older)


@like(
    TOOL,
    "F-Measure",
    ours="f_measure",
    agrees=True,
    why="The harmonic mean of precision and recall, so it is shown as ? where nothing is predicted "
    "positive; here it is 0 then, as every positive row is missed. Older versions (older=True) "
    "say 0 too.",
)
def f_measure(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    return _known(_f_measure(_at(ranking, threshold), older=older))


@like(
    TOOL,
    "MCC",
    ours="matthews_correlation",
    agrees=True,
    why="Where a class is empty or never predicted it is shown as ?, undefined as here; older "
    "versions (older=True) say 0. Weka 3.6 does not have it.",
)
def mcc(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    return _metric(ranking, threshold, "matthews_correlation", older=older)


AVERAGED = (
    "The values of both classes, weighed by their rows. Undefined for a class that has rows, it is "
    "undefined as a whole (?); ours leaves such a class out and says so"
)


@like(
    TOOL,
    "Weighted Avg. Precision",
    ours="precision",
    our=class_averages.weighted_precision,
    part="weighted average",
    agrees=True,
    why=f"{AVERAGED}.",
)
def weighted_precision(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    measure, instead = METRICS.find("precision"), 0.0 if older else math.nan
    both = _both(ranking, threshold)
    return _known(_weighed(both, [float(measure(m, undefined=instead)) for m in both]))


@like(
    TOOL,
    "Weighted Avg. F-Measure",
    ours="f_measure",
    our=class_averages.weighted_f_measure,
    part="weighted average",
    agrees=True,
    why=f"{AVERAGED}.",
)
def weighted_f_measure(ranking: Ranking, *, threshold: float = 0.5, older: bool = False) -> float:
    both = _both(ranking, threshold)
    return _known(_weighed(both, [_f_measure(m, older=older) for m in both]))


def _both(ranking: Ranking, threshold: float) -> tuple[ConfusionMatrix, ConfusionMatrix]:
    matrix = _at(ranking, threshold)
    return matrix, matrix.swapped()


def _weighed(matrices: tuple[ConfusionMatrix, ConfusionMatrix], values: list[float]) -> float:
    """The mean over classes that have rows, each weighed by them."""
    rows = [float(matrix.positives) for matrix in matrices]
    pairs = zip(values, rows, strict=True)
    return sum(value * weight for value, weight in pairs if weight) / sum(rows)


@like(
    TOOL,
    "Root mean squared error",
    ours="root_mean_squared_error",
    agrees=True,
    why="Over the probabilities of both classes, which for two classes is the root of the Brier "
    "score, as here.",
)
def root_mean_squared_error(ranking: Ranking) -> float:
    probabilities(ranking)
    return float(SUMMARIES.find("root_mean_squared_error")(ranking))


@like(
    TOOL,
    "Mean absolute error",
    ours=None,
    why="The mean distance of the probability from the actual class. There is no such measure "
    "here: it rewards probabilities of 0 and 1 over honest ones.",
)
def mean_absolute_error(ranking: Ranking) -> float:
    p, positives, negatives = probabilities(ranking)
    return float((positives * (1 - p) + negatives * p).sum() / (positives + negatives).sum())


@like(
    TOOL,
    "ThresholdCurve",
    ours=None,
    also=("getCurve",),
    gives="curve",
    why="Rises from all rows called positive to none; that last row stands at the highest score + "
    "1e-5 (here the first, at inf). Precision is 0 there (here undefined), Fallout is fp / (tp + "
    "fp) (our false_discovery_rate), and Lift is left out where chance would find less than one "
    "positive row.",
)
def threshold_curve(ranking: Ranking) -> dict[str, Any]:
    """All columns of ThresholdCurve.getCurve, in its order."""
    rising = ranking.matrices(slice(None, None, -1)).accepted.as_floats()
    tp, fp = rising.true_positives, rising.false_positives
    scores = ranking.thresholds[:0:-1]
    scores = 1 - scores if ranking.lower_is_positive else scores
    depth = (tp + fp) / rising.rows
    by_chance = depth * rising.positives

    def shown(name: str) -> Any:
        return METRICS.find(name)(rising, undefined=0.0)

    with np.errstate(divide="ignore", invalid="ignore"):
        lift = np.where(by_chance < 1, np.nan, tp / by_chance)
    return {
        "True Positives": tp,
        "False Negatives": rising.false_negatives,
        "False Positives": fp,
        "True Negatives": rising.true_negatives,
        "False Positive Rate": shown("false_positive_rate"),
        "True Positive Rate": shown("true_positive_rate"),
        "Precision": shown("precision"),
        "Recall": shown("true_positive_rate"),
        "Fallout": shown("false_discovery_rate"),
        "FMeasure": shown("f_measure"),
        "Sample Size": depth,
        "Lift": lift,
        "Threshold": np.append(scores, scores[-1] + ABOVE),
    }
