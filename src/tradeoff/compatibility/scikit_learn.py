"""scikit-learn 1.9's metrics and curves, by its rules for endpoints, ties and 0/0."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.compatibility.registry import tool_measure
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, SUMMARIES, Undefined

TOOL = "scikit-learn"
CLIPPING_NOTE = (
    "Probabilities are clipped to 2.2e-16 from 0 and 1, as here; scikit-learn clips float32 at "
    "1.2e-7, which is not reproduced."
)
PREDICTION_NOTE = (
    "Computed for score >= threshold; predict() of scikit-learn's models takes a probability of "
    "exactly 1/2 as negative."
)


def _require_finite_scores(ranking: Ranking) -> Ranking:
    """The ranking, if its scores are finite, as scikit-learn requires."""
    if not np.isfinite(ranking.thresholds[1:]).all():
        raise Undefined(f"{TOOL} fails: it accepts no infinite scores")
    return ranking


def _summary(ranking: Ranking, name: str, **parameters: Any) -> Estimate:
    measure = SUMMARIES.find(name)
    return (measure.with_parameters(**parameters) if parameters else measure).estimate(ranking)


def _probability_summary(ranking: Ranking, name: str) -> float:
    """Summary of probabilities; undefined only if the scores are not probabilities."""
    estimate = _summary(_require_finite_scores(ranking), name)
    if not estimate.is_defined:
        raise Undefined(f"{TOOL} fails: {estimate.reason}")
    return estimate.value


def _require_both_classes(ranking: Ranking, response: str) -> None:
    if not (ranking.positives and ranking.negatives):
        raise Undefined(f"{TOOL} {response}: only one class is present")


def _require_float64(ranking: Ranking) -> None:
    if ranking.thresholds.dtype != np.float64:
        raise Undefined(f"{TOOL} clips float32 differently, which is not reproduced: pass float64")


def _accepted_matrix(ranking: Ranking, threshold: float) -> ConfusionMatrix:
    """Confusion matrix of the rows with a score, as scikit-learn has no rejected rows."""
    return ranking.at(threshold).accepted


def _metric(ranking: Ranking, threshold: float, name: str, zero_division: float) -> float:
    return float(METRICS.find(name)(_accepted_matrix(ranking, threshold), undefined=zero_division))


@tool_measure(
    TOOL,
    "roc_auc_score",
    ours="auc",
    agrees=True,
    why="Counts each tie as one half, as here. With one class it warns and gives NaN.",
)
def roc_auc_score(ranking: Ranking) -> float:
    """scikit-learn's roc_auc_score."""
    _require_both_classes(_require_finite_scores(ranking), "gives NaN")
    return _summary(ranking, "auc").value


def _mcclish_auc(ranking: Ranking, *, max_fpr: float) -> Estimate:
    return _summary(ranking, "partial_auc_mcclish", high=max_fpr)


@tool_measure(
    TOOL,
    "roc_auc_score(max_fpr)",
    ours="partial_auc_mcclish",
    our_function=_mcclish_auc,
    agrees=True,
    why="Not the area up to that false positive rate but McClish's correction of it, for which "
    "chance is 1/2. The raw area is `partial_auc` here.",
)
def roc_auc_score_max_fpr(ranking: Ranking, *, max_fpr: float = 0.1) -> Estimate:
    """scikit-learn's roc_auc_score(max_fpr)."""
    _require_both_classes(_require_finite_scores(ranking), "gives NaN")
    return _mcclish_auc(ranking, max_fpr=max_fpr)


@tool_measure(
    TOOL,
    "average_precision_score",
    ours="average_precision",
    agrees=True,
    why="Steps, not lines: each increase in recall is weighted by the precision there, as here. "
    "Without positive rows it gives 0; here that is undefined.",
)
def average_precision_score(ranking: Ranking) -> float:
    """scikit-learn's average_precision_score."""
    return (
        _summary(_require_finite_scores(ranking), "average_precision").value
        if ranking.positives
        else 0.0
    )


@tool_measure(
    TOOL,
    "auc(recall, precision)",
    ours="average_precision",
    aliases=("pr_auc",),
    why="Draws straight lines between precision-recall points, which no classifier follows: often "
    "too optimistic, most of all with ties. A point at recall 0 with precision 1 is added. The "
    "same value is `pr_trapezoid` here. Without positive rows it gives 1/2.",
)
def auc_of_precision_recall(ranking: Ranking) -> float:
    """scikit-learn's auc(recall, precision)."""
    return (
        _summary(_require_finite_scores(ranking), "pr_trapezoid").value
        if ranking.positives
        else 0.5
    )


@tool_measure(
    TOOL,
    "brier_score_loss",
    ours="brier",
    agrees=True,
    why="The mean squared error of the probability of the positive class, as here. It fails if "
    "any score is outside [0, 1]; here it is undefined.",
)
def brier_score_loss(ranking: Ranking) -> float:
    """scikit-learn's brier_score_loss."""
    return _probability_summary(ranking, "brier")


@tool_measure(
    TOOL,
    "log_loss",
    ours="log_loss",
    agrees=True,
    why=f"{CLIPPING_NOTE} With one class it fails; here the value is given.",
)
def log_loss(ranking: Ranking) -> float:
    """scikit-learn's log_loss."""
    _require_both_classes(ranking, "fails")
    _require_float64(ranking)
    return _probability_summary(ranking, "log_loss")


@tool_measure(
    TOOL,
    "d2_log_loss_score",
    ours="log_loss_skill_score",
    agrees=True,
    why=f"Compared with always predicting the prevalence, as here. {CLIPPING_NOTE}",
)
def d2_log_loss_score(ranking: Ranking) -> float:
    """scikit-learn's d2_log_loss_score."""
    _require_both_classes(ranking, "fails")
    _require_float64(ranking)
    return _probability_summary(ranking, "log_loss_skill_score")


@tool_measure(
    TOOL,
    "d2_brier_score",
    ours="brier_skill_score",
    agrees=True,
    why="Compared with always predicting the prevalence, as here. With one class it gives minus "
    "infinity, for one row NaN; here that is undefined.",
)
def d2_brier_score(ranking: Ranking) -> float:
    """scikit-learn's d2_brier_score."""
    if ranking.rows < 2:
        raise Undefined(f"{TOOL} gives NaN: it needs at least two rows")
    if ranking.positives and ranking.negatives:
        return _probability_summary(ranking, "brier_skill_score")
    return -math.inf if _probability_summary(ranking, "brier") else math.nan


@tool_measure(
    TOOL,
    "accuracy_score",
    ours="accuracy",
    agrees=True,
    why=f"The proportion of rows classified correctly, as here. {PREDICTION_NOTE}",
)
def accuracy_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """scikit-learn's accuracy_score."""
    return _metric(ranking, threshold, "accuracy", math.nan)


@tool_measure(
    TOOL,
    "zero_one_loss",
    ours="error_rate",
    agrees=True,
    why=f"The proportion of rows misclassified, as here. {PREDICTION_NOTE}",
)
def zero_one_loss(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """scikit-learn's zero_one_loss."""
    return _metric(ranking, threshold, "error_rate", math.nan)


@tool_measure(
    TOOL,
    "precision_score",
    ours="precision",
    agrees=True,
    why="If nothing is predicted positive it warns and gives 0 (zero_division); here that is "
    f"undefined. {PREDICTION_NOTE}",
)
def precision_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """scikit-learn's precision_score."""
    return _metric(ranking, threshold, "precision", 0.0)


@tool_measure(
    TOOL,
    "recall_score",
    ours="true_positive_rate",
    agrees=True,
    why="Without positive rows it warns and gives 0 (zero_division); here that is undefined."
    f" {PREDICTION_NOTE}",
)
def recall_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """scikit-learn's recall_score."""
    return _metric(ranking, threshold, "true_positive_rate", 0.0)


@tool_measure(
    TOOL,
    "f1_score",
    ours="f_measure",
    agrees=True,
    why="0 if there are errors but no true positives, as here. Without either it gives 0 "
    "(zero_division); here that is undefined."
    f" {PREDICTION_NOTE}",
)
def f1_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """scikit-learn's f1_score."""
    return _metric(ranking, threshold, "f_measure", 0.0)


def _f_measure(ranking: Ranking, *, beta: float, threshold: float) -> Estimate:
    return METRICS.find("f_measure").with_parameters(beta=beta).estimate(ranking.at(threshold))


@tool_measure(
    TOOL,
    "fbeta_score",
    ours="f_measure",
    our_function=_f_measure,
    agrees=True,
    why="Recall has beta times the weight of precision, as here. In scikit-learn 0/0 is 0. "
    f"{PREDICTION_NOTE}",
)
def fbeta_score(ranking: Ranking, *, beta: float = 2.0, threshold: float = 0.5) -> float:
    """scikit-learn's fbeta_score."""
    measure = METRICS.find("f_measure").with_parameters(beta=beta)
    return float(measure(_accepted_matrix(ranking, threshold), undefined=0.0))


@tool_measure(
    TOOL,
    "jaccard_score",
    ours="critical_success_index",
    agrees=True,
    why=(
        "True positives among all rows that are positive or predicted positive, as here. In "
        f"scikit-learn 0/0 is 0. {PREDICTION_NOTE}"
    ),
)
def jaccard_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """scikit-learn's jaccard_score."""
    return _metric(ranking, threshold, "critical_success_index", 0.0)


@tool_measure(
    TOOL,
    "matthews_corrcoef",
    ours="matthews_correlation",
    agrees=True,
    why=(
        "If a class is empty or never predicted it gives 0; here that is undefined. "
        f"{PREDICTION_NOTE}"
    ),
)
def matthews_corrcoef(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """scikit-learn's matthews_corrcoef."""
    return _metric(ranking, threshold, "matthews_correlation", 0.0)


@tool_measure(
    TOOL,
    "cohen_kappa_score",
    ours="cohens_kappa",
    agrees=True,
    why="Agreement beyond what the margins explain, as here. If all rows are of one class and are "
    "predicted as that class, both are undefined."
    f" {PREDICTION_NOTE}",
)
def cohen_kappa_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """scikit-learn's cohen_kappa_score."""
    return _metric(ranking, threshold, "cohens_kappa", math.nan)


@tool_measure(
    TOOL,
    "balanced_accuracy_score",
    ours="balanced_accuracy",
    agrees=True,
    why="The mean recall of both classes, as here. scikit-learn leaves out a class without "
    "rows; here it is undefined."
    f" {PREDICTION_NOTE}",
)
def balanced_accuracy_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """scikit-learn's balanced_accuracy_score."""
    matrix = _accepted_matrix(ranking, threshold)
    recalls = [METRICS.find(name)(matrix) for name in ("true_positive_rate", "true_negative_rate")]
    return float(np.nanmean(recalls))


@tool_measure(
    TOOL,
    "class_likelihood_ratios LR+",
    ours="positive_likelihood_ratio",
    aliases=("positive_likelihood_ratio",),
    agrees=True,
    why=f"NaN if there are no false positives; here x/0 is infinite. {PREDICTION_NOTE}",
)
def positive_likelihood_ratio(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """LR+ of scikit-learn's class_likelihood_ratios."""
    return _finite_ratio(ranking, threshold, "positive_likelihood_ratio")


@tool_measure(
    TOOL,
    "class_likelihood_ratios LR-",
    ours="negative_likelihood_ratio",
    aliases=("negative_likelihood_ratio",),
    agrees=True,
    why=f"NaN if there are no true negatives; here x/0 is infinite. {PREDICTION_NOTE}",
)
def negative_likelihood_ratio(ranking: Ranking, *, threshold: float = 0.5) -> float:
    """LR- of scikit-learn's class_likelihood_ratios."""
    return _finite_ratio(ranking, threshold, "negative_likelihood_ratio")


def _finite_ratio(ranking: Ranking, threshold: float, name: str) -> float:
    value = _metric(ranking, threshold, name, math.nan)
    if not math.isfinite(value):
        raise Undefined(f"{TOOL} gives NaN: it divides by 0")
    return value


Columns = dict[str, Any]


@tool_measure(
    TOOL,
    "roc_curve",
    ours=None,
    kind="curve",
    why="The first threshold is inf, as here. Collinear points are dropped unless "
    "drop_intermediate=False; here a curve keeps every point.",
)
def roc_curve(ranking: Ranking, *, drop_intermediate: bool = True) -> Columns:
    """scikit-learn's roc_curve: false and true positive rates from (0, 0) on, with thresholds."""
    tp, fp = _counts(_require_finite_scores(ranking))
    is_kept = np.ones(len(tp), bool)
    if drop_intermediate and ranking.distinct > 2:
        # Keep points where either count changes slope; (0, 0) is added afterwards.
        is_corner = (np.diff(tp[1:], 2) != 0) | (np.diff(fp[1:], 2) != 0)
        is_kept = np.concatenate([[True, True], is_corner, [True]])
    return {
        "fpr": _rate(fp, ranking.negatives)[is_kept],
        "tpr": _rate(tp, ranking.positives)[is_kept],
        "thresholds": _descending_thresholds(ranking)[is_kept],
    }


@tool_measure(
    TOOL,
    "precision_recall_curve",
    ours=None,
    kind="curve",
    why="In ascending order of the threshold, with an added last point (recall 0, precision 1) "
    "without a threshold (NaN here). Here precision is undefined if nothing is predicted positive.",
)
def precision_recall_curve(ranking: Ranking) -> Columns:
    """scikit-learn's precision_recall_curve: precision and recall, the highest recall first."""
    tp, fp = _counts(_require_finite_scores(ranking))
    precision = tp[1:] / (tp + fp)[1:]
    recall = tp[1:] / ranking.positives if ranking.positives else np.ones(ranking.distinct)
    return {
        "precision": np.append(precision[::-1], 1.0),
        "recall": np.append(recall[::-1], 0.0),
        "thresholds": np.append(_descending_thresholds(ranking)[:0:-1], np.nan),
    }


@tool_measure(
    TOOL,
    "det_curve",
    ours=None,
    kind="curve",
    why="Runs from the last threshold with full recall to the first without a false positive, "
    "so it is truncated; here the curve keeps both ends.",
)
def det_curve(ranking: Ranking) -> Columns:
    """scikit-learn's det_curve: false positive and false negative rates, thresholds ascending."""
    if not (ranking.positives and ranking.negatives):
        raise Undefined(f"{TOOL} fails: only one class is present")
    tp, fp = _counts(_require_finite_scores(ranking))
    first = int(np.searchsorted(fp, 0, "right")) - 1
    last = int(np.searchsorted(tp, tp[-1])) + 1
    part = slice(first, last)
    return {
        "fpr": (fp[part] / ranking.negatives)[::-1],
        "fnr": ((ranking.positives - tp[part]) / ranking.positives)[::-1],
        "thresholds": _descending_thresholds(ranking)[part][::-1],
    }


def _counts(ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any]]:
    return ranking.true_positives, ranking.false_positives


def _descending_thresholds(ranking: Ranking) -> NDArray[np.float64]:
    """Thresholds in scikit-learn's order: negated if low scores are positive."""
    return -ranking.thresholds if ranking.lower_is_positive else ranking.thresholds


def _rate(counts: NDArray[Any], total: Any) -> NDArray[np.float64]:
    return np.asarray(counts / total if total else np.full(len(counts), np.nan))
