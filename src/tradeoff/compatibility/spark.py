"""Spark's numbers (3.x): areas from bins of scores, and its multiclass evaluator for two classes.

Spark bins within each partition; here all rows are one partition. With more partitions the last
bin of each may be smaller, and areas of joined scores differ, more with fewer bins.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.compatibility import class_averages
from tradeoff.compatibility.registry import like
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.probabilities import probabilities
from tradeoff.measures.registry import METRICS

TOOL = "Spark"
BINNED = (
    "Joins neighbouring scores into about numBins bins (bins=) as soon as there are two scores a "
    "bin, counted in one partition here; below 2,000 distinct scores nothing is joined. A score "
    "whose rows all weigh 0 still takes a place in a bin there; here such rows are absent"
)
LINES = (
    "Draws straight lines between precision-recall points, which no classifier follows: often too "
    "optimistic, most of all with ties. A point at recall 0 with the first precision is added"
)
ONE_CLASS = "Without positive rows it says 0, without negative rows 1; here both are undefined"
NO_POSITIVES = "Without positive rows it says 0; here that is undefined"
BY_THRESHOLD = (
    "At or above each score, as here, from the highest on; a model with setThreshold predicts "
    "positive above its threshold alone. A bin stands at its lowest score"
)


def _bin_places(distinct: int, bins: int) -> NDArray[np.intp]:
    """Places of a ranking that are left: the last of each run of joined scores.

    Example:
        >>> _bin_places(7, 3).tolist(), _bin_places(5, 3).tolist(), _bin_places(3, 0).tolist()
        ([2, 4, 6, 7], [1, 2, 3, 4, 5], [1, 2, 3])
    """
    if bins < 0 or bins != int(bins):
        raise InputError(f"Spark's numBins is a whole number from 0 on, not {bins}.")
    joined = distinct // int(bins) if bins else 1
    ends = np.arange(max(joined, 1), distinct + 1, max(joined, 1))
    # Division leaves a rest: a last, smaller bin.
    return ends if len(ends) and ends[-1] == distinct else np.append(ends, distinct)


def _points(ranking: Ranking, bins: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """False positive rate, recall and precision at each bin; a rate of no rows is 0."""
    places = _bin_places(ranking.distinct, bins)
    found = ranking.true_positives[places].astype(np.float64)
    alarms = ranking.false_positives[places].astype(np.float64)
    fpr = alarms / ranking.negatives if ranking.negatives else np.zeros(len(places))
    recall = found / ranking.positives if ranking.positives else np.zeros(len(places))
    return fpr, recall, found / (found + alarms)


def _roc(ranking: Ranking, bins: int) -> tuple[NDArray[Any], NDArray[Any]]:
    fpr, recall, _ = _points(ranking, bins)
    return np.concatenate([[0.0], fpr, [1.0]]), np.concatenate([[0.0], recall, [1.0]])


def _pr(ranking: Ranking, bins: int) -> tuple[NDArray[Any], NDArray[Any]]:
    _, recall, precision = _points(ranking, bins)
    return np.append(0.0, recall), np.append(precision[:1], precision)


def _area(x: NDArray[Any], y: NDArray[Any]) -> float:
    return float(np.trapezoid(y, x))


@like(
    TOOL,
    "areaUnderROC",
    ours="auc",
    also=("BinaryClassificationMetrics.areaUnderROC",),
    why=f"{BINNED}. From PySpark BinaryClassificationMetrics has these bins too. {ONE_CLASS}.",
)
def area_under_roc(ranking: Ranking, *, bins: int = 1000) -> float:
    return _area(*_roc(ranking, bins))


@like(
    TOOL,
    "areaUnderPR",
    ours="average_precision",
    also=("BinaryClassificationMetrics.areaUnderPR",),
    why=f"{LINES}. {BINNED}. {NO_POSITIVES}.",
)
def area_under_pr(ranking: Ranking, *, bins: int = 1000) -> float:
    return _area(*_pr(ranking, bins))


@like(
    TOOL,
    "areaUnderROC(numBins=0)",
    ours="auc",
    agrees=True,
    why="No scores are joined, and ties count half, as here. In Scala BinaryClassificationMetrics "
    f"of pairs of score and label gives this one. {ONE_CLASS}.",
)
def exact_area_under_roc(ranking: Ranking) -> float:
    return _area(*_roc(ranking, 0))


@like(
    TOOL,
    "areaUnderPR(numBins=0)",
    ours="average_precision",
    why=f"{LINES}; versions before 2.3 gave it precision 1. No scores are joined. {NO_POSITIVES}.",
)
def exact_area_under_pr(ranking: Ranking) -> float:
    return _area(*_pr(ranking, 0))


@like(
    TOOL,
    "roc",
    ours=None,
    gives="curve",
    why=f"{BINNED}. (0, 0) is put in front and (1, 1) behind, although it is there already.",
)
def roc(ranking: Ranking, *, bins: int = 1000) -> dict[str, Any]:
    """False positive rate and true positive rate."""
    fpr, tpr = _roc(ranking, bins)
    return {"FPR": fpr, "TPR": tpr}


@like(TOOL, "pr", ours=None, gives="curve", why=f"{LINES}. {BINNED}.")
def pr(ranking: Ranking, *, bins: int = 1000) -> dict[str, Any]:
    """Recall and precision."""
    recall, precision = _pr(ranking, bins)
    return {"recall": recall, "precision": precision}


def _by_threshold(ranking: Ranking, bins: int) -> NDArray[np.float64]:
    return np.asarray(ranking.thresholds[_bin_places(ranking.distinct, bins)], np.float64)


@like(TOOL, "precisionByThreshold", ours=None, gives="curve", why=f"{BY_THRESHOLD}. {BINNED}.")
def precision_by_threshold(ranking: Ranking, *, bins: int = 1000) -> dict[str, Any]:
    """Threshold and precision."""
    _, _, precision = _points(ranking, bins)
    return {"threshold": _by_threshold(ranking, bins), "precision": precision}


@like(
    TOOL,
    "recallByThreshold",
    ours=None,
    gives="curve",
    why=f"{BY_THRESHOLD}. {BINNED}. Without positive rows it is 0.",
)
def recall_by_threshold(ranking: Ranking, *, bins: int = 1000) -> dict[str, Any]:
    """Threshold and recall."""
    _, recall, _ = _points(ranking, bins)
    return {"threshold": _by_threshold(ranking, bins), "recall": recall}


@like(
    TOOL,
    "fMeasureByThreshold",
    ours=None,
    gives="curve",
    why=f"{BY_THRESHOLD}. {BINNED}. 0/0 is 0.",
)
def f_measure_by_threshold(
    ranking: Ranking, *, beta: float = 1.0, bins: int = 1000
) -> dict[str, Any]:
    """Threshold and F-measure."""
    _, recall, precision = _points(ranking, bins)
    below = beta**2 * precision + recall
    above = (1 + beta**2) * precision * recall
    f_measure = np.divide(above, below, out=np.zeros(len(below)), where=below > 0)
    return {"threshold": _by_threshold(ranking, bins), "F-measure": f_measure}


PREDICTED = (
    "Spark's models predict positive above the threshold, and this is computed so; here rows at it "
    "are positive too"
)


def _above(ranking: Ranking, threshold: float) -> ConfusionMatrix:
    """The matrix where rows at the threshold are predicted negative."""
    place = ranking.index(threshold)
    is_at = place > 0 and float(ranking.thresholds[place]) == float(threshold)
    return ranking.at_place(place - is_at).accepted


@like(
    TOOL,
    "accuracy",
    ours="accuracy",
    also=("MulticlassClassificationEvaluator accuracy",),
    why=f"The share predicted rightly, as here. {PREDICTED}.",
)
def accuracy(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return float(METRICS.find("accuracy")(_above(ranking, threshold)))


@like(
    TOOL,
    "f1",
    ours="f_measure",
    our=class_averages.weighted_f_measure,
    part="weighted average",
    also=("MulticlassClassificationEvaluator f1",),
    why="Its default metric is not the F-measure of the positive class but the average over both "
    f"classes, weighed by their rows. 0/0 is 0 there. {PREDICTED}.",
)
def f1(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _weighed(ranking, threshold, "f_measure")


@like(
    TOOL,
    "weightedPrecision",
    ours="precision",
    our=class_averages.weighted_precision,
    part="weighted average",
    also=("MulticlassClassificationEvaluator weightedPrecision",),
    why="The average over both classes, weighed by their rows. A class that is never predicted "
    f"counts as 0; ours leaves it out and says so. {PREDICTED}.",
)
def weighted_precision(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _weighed(ranking, threshold, "precision")


@like(
    TOOL,
    "weightedRecall",
    ours="accuracy",
    also=("MulticlassClassificationEvaluator weightedRecall",),
    why=f"The recalls of all classes, weighed by their rows, are the accuracy. {PREDICTED}.",
)
def weighted_recall(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _weighed(ranking, threshold, "true_positive_rate")


@like(
    TOOL,
    "logLoss",
    ours="log_loss",
    also=("MulticlassClassificationEvaluator logLoss",),
    why="The mean of -log(probability of the actual class), as here, but probabilities are kept "
    "1e-15 (eps=) away from 0 and 1; here 2.2e-16, which punishes a certain mistake more.",
)
def log_loss(ranking: Ranking, *, eps: float = 1e-15) -> float:
    p, positives, negatives = probabilities(ranking)
    if not 0 < eps < 0.5:
        raise InputError(f"Spark's eps lies between 0 and 0.5, not at {eps}.")
    # The probability of the other class is clipped as such: 1 - eps loses digits of eps.
    of_positives, of_negatives = (np.clip(own, eps, 1 - eps) for own in (p, 1 - p))
    losses = positives * -np.log(of_positives) + negatives * -np.log(of_negatives)
    return float(losses.sum() / (positives + negatives).sum())


def _weighed(ranking: Ranking, threshold: float, name: str) -> float:
    """A metric of both classes, weighed by their rows; where undefined it is 0."""
    matrix = _above(ranking, threshold)
    both = (matrix, matrix.swapped())
    rows = [float(own.positives) for own in both]
    values = [float(METRICS.find(name)(own, undefined=0.0)) for own in both]
    return sum(v * n for v, n in zip(values, rows, strict=True)) / sum(rows)
