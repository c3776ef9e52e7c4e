"""Spark 3's metrics: areas from binned scores, and its multiclass evaluator for two classes.

Spark bins within each partition; here all rows are in one partition. With more partitions the last
bin of each may be smaller, so areas from binned scores differ, more so with fewer bins.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.compatibility import class_averages
from tradeoff.compatibility.registry import tool_measure
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.probabilities import scores_as_probabilities
from tradeoff.measures.registry import METRICS

TOOL = "Spark"
BINNING_NOTE = (
    "Merges adjacent scores into about numBins bins (bins=) if there are at least two scores per "
    "bin, here in one partition; with fewer than 2,000 distinct scores nothing is merged. In Spark "
    "a score whose rows all have weight 0 still counts for a bin; here such rows are absent"
)
INTERPOLATION_NOTE = (
    "Draws straight lines between precision-recall points, which no classifier follows: often too "
    "optimistic, most of all with ties. A point at recall 0 with the first precision is added"
)
ONE_CLASS_NOTE = (
    "Without positive rows it gives 0, without negative rows 1; here both are undefined"
)
NO_POSITIVES_NOTE = "Without positive rows it gives 0; here that is undefined"
THRESHOLD_NOTE = (
    "Rows at or above each score are positive, as here, from the highest on; a model with "
    "setThreshold predicts positive only above its threshold. A bin has the threshold of its "
    "lowest score"
)


def _bin_indices(distinct: int, bins: int) -> NDArray[np.intp]:
    """Indices of a ranking that remain after binning: the last one of each bin.

    Example:
        >>> _bin_indices(7, 3).tolist(), _bin_indices(5, 3).tolist(), _bin_indices(3, 0).tolist()
        ([2, 4, 6, 7], [1, 2, 3, 4, 5], [1, 2, 3])
    """
    if bins < 0 or bins != int(bins):
        raise InputError(f"Spark's numBins must be a whole number, 0 or more, not {bins}.")
    bin_size = distinct // int(bins) if bins else 1
    indices = np.arange(max(bin_size, 1), distinct + 1, max(bin_size, 1))
    # A remainder forms a smaller last bin.
    is_complete = len(indices) and indices[-1] == distinct
    return indices if is_complete else np.append(indices, distinct)


def _bin_rates(ranking: Ranking, bins: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """False positive rate, recall and precision at each bin; a rate without rows is 0."""
    indices = _bin_indices(ranking.distinct, bins)
    tp = ranking.true_positives[indices].astype(np.float64)
    fp = ranking.false_positives[indices].astype(np.float64)
    fpr = fp / ranking.negatives if ranking.negatives else np.zeros(len(indices))
    recall = tp / ranking.positives if ranking.positives else np.zeros(len(indices))
    return fpr, recall, tp / (tp + fp)


def _roc_points(ranking: Ranking, bins: int) -> tuple[NDArray[Any], NDArray[Any]]:
    fpr, recall, _ = _bin_rates(ranking, bins)
    return np.concatenate([[0.0], fpr, [1.0]]), np.concatenate([[0.0], recall, [1.0]])


def _pr_points(ranking: Ranking, bins: int) -> tuple[NDArray[Any], NDArray[Any]]:
    _, recall, precision = _bin_rates(ranking, bins)
    return np.append(0.0, recall), np.append(precision[:1], precision)


def _area(x: NDArray[Any], y: NDArray[Any]) -> float:
    return float(np.trapezoid(y, x))


@tool_measure(
    TOOL,
    "areaUnderROC",
    ours="auc",
    aliases=("BinaryClassificationMetrics.areaUnderROC",),
    why=f"{BINNING_NOTE}. From PySpark, BinaryClassificationMetrics uses these bins, too. "
    f"{ONE_CLASS_NOTE}.",
)
def area_under_roc(ranking: Ranking, *, bins: int = 1000) -> float:
    """Spark's areaUnderROC."""
    return _area(*_roc_points(ranking, bins))


@tool_measure(
    TOOL,
    "areaUnderPR",
    ours="average_precision",
    aliases=("BinaryClassificationMetrics.areaUnderPR",),
    why=f"{INTERPOLATION_NOTE}. {BINNING_NOTE}. {NO_POSITIVES_NOTE}.",
)
def area_under_pr(ranking: Ranking, *, bins: int = 1000) -> float:
    """Spark's areaUnderPR."""
    return _area(*_pr_points(ranking, bins))


@tool_measure(
    TOOL,
    "areaUnderROC(numBins=0)",
    ours="auc",
    agrees=True,
    why="No scores are merged, and each tie counts as one half, as here. In Scala, "
    f"BinaryClassificationMetrics on (score, label) pairs gives this value. {ONE_CLASS_NOTE}.",
)
def exact_area_under_roc(ranking: Ranking) -> float:
    """Spark's areaUnderROC(numBins=0)."""
    return _area(*_roc_points(ranking, 0))


@tool_measure(
    TOOL,
    "areaUnderPR(numBins=0)",
    ours="average_precision",
    why=f"{INTERPOLATION_NOTE}; versions before 2.3 gave it precision 1. No scores are merged. "
    f"{NO_POSITIVES_NOTE}.",
)
def exact_area_under_pr(ranking: Ranking) -> float:
    """Spark's areaUnderPR(numBins=0)."""
    return _area(*_pr_points(ranking, 0))


@tool_measure(
    TOOL,
    "roc",
    ours=None,
    kind="curve",
    why=f"{BINNING_NOTE}. (0, 0) is prepended, and (1, 1) is appended although it is already "
    "there.",
)
def roc(ranking: Ranking, *, bins: int = 1000) -> dict[str, Any]:
    """Spark's roc: false positive rate and true positive rate."""
    fpr, tpr = _roc_points(ranking, bins)
    return {"FPR": fpr, "TPR": tpr}


@tool_measure(TOOL, "pr", ours=None, kind="curve", why=f"{INTERPOLATION_NOTE}. {BINNING_NOTE}.")
def pr(ranking: Ranking, *, bins: int = 1000) -> dict[str, Any]:
    """Spark's pr: recall and precision."""
    recall, precision = _pr_points(ranking, bins)
    return {"recall": recall, "precision": precision}


def _bin_thresholds(ranking: Ranking, bins: int) -> NDArray[np.float64]:
    return np.asarray(ranking.thresholds[_bin_indices(ranking.distinct, bins)], np.float64)


@tool_measure(
    TOOL, "precisionByThreshold", ours=None, kind="curve", why=f"{THRESHOLD_NOTE}. {BINNING_NOTE}."
)
def precision_by_threshold(ranking: Ranking, *, bins: int = 1000) -> dict[str, Any]:
    """Spark's precisionByThreshold: threshold and precision."""
    _, _, precision = _bin_rates(ranking, bins)
    return {"threshold": _bin_thresholds(ranking, bins), "precision": precision}


@tool_measure(
    TOOL,
    "recallByThreshold",
    ours=None,
    kind="curve",
    why=f"{THRESHOLD_NOTE}. {BINNING_NOTE}. Without positive rows it is 0.",
)
def recall_by_threshold(ranking: Ranking, *, bins: int = 1000) -> dict[str, Any]:
    """Spark's recallByThreshold: threshold and recall."""
    _, recall, _ = _bin_rates(ranking, bins)
    return {"threshold": _bin_thresholds(ranking, bins), "recall": recall}


@tool_measure(
    TOOL,
    "fMeasureByThreshold",
    ours=None,
    kind="curve",
    why=f"{THRESHOLD_NOTE}. {BINNING_NOTE}. 0/0 is 0.",
)
def f_measure_by_threshold(
    ranking: Ranking, *, beta: float = 1.0, bins: int = 1000
) -> dict[str, Any]:
    """Spark's fMeasureByThreshold: threshold and F-measure."""
    _, recall, precision = _bin_rates(ranking, bins)
    denominator = beta**2 * precision + recall
    numerator = (1 + beta**2) * precision * recall
    f_measure = np.divide(
        numerator, denominator, out=np.zeros(len(denominator)), where=denominator > 0
    )
    return {"threshold": _bin_thresholds(ranking, bins), "F-measure": f_measure}


PREDICTION_NOTE = (
    "Spark's models predict positive only above the threshold, as reproduced here; tradeoff's own "
    "metrics count rows at the threshold as positive, too"
)


def _matrix_above(ranking: Ranking, threshold: float) -> ConfusionMatrix:
    """Confusion matrix with rows at the threshold predicted negative."""
    index = ranking.index(threshold)
    is_at_score = index > 0 and float(ranking.thresholds[index]) == float(threshold)
    return ranking.at_place(index - is_at_score).accepted


@tool_measure(
    TOOL,
    "accuracy",
    ours="accuracy",
    aliases=("MulticlassClassificationEvaluator accuracy",),
    why=f"The proportion of rows classified correctly, as here. {PREDICTION_NOTE}.",
)
def accuracy(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """Spark's accuracy."""
    return float(METRICS.find("accuracy")(_matrix_above(ranking, threshold)))


@tool_measure(
    TOOL,
    "f1",
    ours="f_measure",
    our_function=class_averages.class_weighted_f_measure,
    part="weighted average",
    aliases=("MulticlassClassificationEvaluator f1",),
    why="Its default metric is not the F-measure of the positive class but the average over both "
    f"classes, weighted by their rows. In Spark 0/0 is 0. {PREDICTION_NOTE}.",
)
def f1(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """Spark's f1."""
    return _weighted_metric(ranking, threshold, "f_measure")


@tool_measure(
    TOOL,
    "weightedPrecision",
    ours="precision",
    our_function=class_averages.class_weighted_precision,
    part="weighted average",
    aliases=("MulticlassClassificationEvaluator weightedPrecision",),
    why="The average over both classes, weighted by their rows. A class that is never predicted "
    f"counts as 0; tradeoff leaves it out and says so. {PREDICTION_NOTE}.",
)
def weighted_precision(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """Spark's weightedPrecision."""
    return _weighted_metric(ranking, threshold, "precision")


@tool_measure(
    TOOL,
    "weightedRecall",
    ours="accuracy",
    aliases=("MulticlassClassificationEvaluator weightedRecall",),
    why=f"The weighted mean recall of all classes equals the accuracy. {PREDICTION_NOTE}.",
)
def weighted_recall(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """Spark's weightedRecall."""
    return _weighted_metric(ranking, threshold, "true_positive_rate")


@tool_measure(
    TOOL,
    "logLoss",
    ours="log_loss",
    aliases=("MulticlassClassificationEvaluator logLoss",),
    why="The mean of -log(probability of the actual class), as here, but probabilities are clipped "
    "to [1e-15, 1 − 1e-15] (eps=); here at 2.2e-16, which penalizes confident errors more.",
)
def log_loss(ranking: Ranking, *, eps: float = 1e-15) -> float:
    """Spark's logLoss."""
    p, positives, negatives = scores_as_probabilities(ranking)
    if not 0 < eps < 0.5:
        raise InputError(f"Spark's eps must be between 0 and 0.5, not {eps}.")
    # The probabilities of both classes are clipped separately: 1 - eps loses digits of eps.
    positive_p, negative_p = (np.clip(values, eps, 1 - eps) for values in (p, 1 - p))
    losses = positives * -np.log(positive_p) + negatives * -np.log(negative_p)
    return float(losses.sum() / (positives + negatives).sum())


def _weighted_metric(ranking: Ranking, threshold: float, name: str) -> float:
    """Weighted average of a metric over both classes; 0 where undefined."""
    matrix = _matrix_above(ranking, threshold)
    matrices = (matrix, matrix.swapped())
    rows = [float(matrix.positives) for matrix in matrices]
    values = [float(METRICS.find(name)(matrix, undefined=0.0)) for matrix in matrices]
    return sum(value * size for value, size in zip(values, rows, strict=True)) / sum(rows)
