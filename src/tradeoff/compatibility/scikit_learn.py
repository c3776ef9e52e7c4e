"""scikit-learn's numbers (1.9), by its own rules for ends, ties and 0/0."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.compatibility.registry import like
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, SUMMARIES, Undefined

TOOL = "scikit-learn"
CLIPPED = (
    "Probabilities are kept 2.2e-16 away from 0 and 1, as here; there, those held as float32 are "
    "kept 1.2e-7 away, which is not repeated."
)
PREDICTED = (
    "Computed for score >= threshold; predict() of its own models calls a probability of exactly "
    "1/2 negative."
)


def _finite(ranking: Ranking) -> Ranking:
    """The ranking, if scikit-learn would take its scores."""
    if not np.isfinite(ranking.thresholds[1:]).all():
        raise Undefined(f"{TOOL} stops: it takes no infinite scores")
    return ranking


def _summary(ranking: Ranking, name: str, **parameters: Any) -> Estimate:
    measure = SUMMARIES.find(name)
    return (measure.with_parameters(**parameters) if parameters else measure).estimate(ranking)


def _probabilities(ranking: Ranking, name: str) -> float:
    """A summary of probabilities; the only reason not to have one is that scores are none."""
    found = _summary(_finite(ranking), name)
    if not found.is_defined:
        raise Undefined(f"{TOOL} stops: {found.reason}")
    return found.value


def _demand_both(ranking: Ranking, does: str) -> None:
    if not (ranking.positives and ranking.negatives):
        raise Undefined(f"{TOOL} {does}: only one class is present")


def _demand_float64(ranking: Ranking) -> None:
    if ranking.thresholds.dtype != np.float64:
        raise Undefined(f"{TOOL} clips float32 otherwise, which is not repeated here: pass float64")


def _at(ranking: Ranking, threshold: float) -> ConfusionMatrix:
    """What scikit-learn would be told: the predicted classes of rows that have a score."""
    return ranking.at(threshold).accepted


def _metric(ranking: Ranking, threshold: float, name: str, instead: float) -> float:
    return float(METRICS.find(name)(_at(ranking, threshold), undefined=instead))


@like(
    TOOL,
    "roc_auc_score",
    ours="auc",
    agrees=True,
    why="Counts ties half, as here. With one class it warns and gives NaN.",
)
def roc_auc_score(ranking: Ranking) -> float:
    _demand_both(_finite(ranking), "gives NaN")
    return _summary(ranking, "auc").value


def _mcclish(ranking: Ranking, *, max_fpr: float) -> Estimate:
    return _summary(ranking, "partial_auc_mcclish", high=max_fpr)


@like(
    TOOL,
    "roc_auc_score(max_fpr)",
    ours="partial_auc_mcclish",
    our=_mcclish,
    agrees=True,
    why="Not the area up to that false positive rate but McClish's rescaling of it, in which 1/2 "
    "is chance. The raw area is `partial_auc` here.",
)
def roc_auc_score_max_fpr(ranking: Ranking, *, max_fpr: float = 0.1) -> Estimate:
    _demand_both(_finite(ranking), "gives NaN")
    return _mcclish(ranking, max_fpr=max_fpr)


@like(
    TOOL,
    "average_precision_score",
    ours="average_precision",
    agrees=True,
    why="Steps, not lines: each recall gained counts with the precision there, as here. Without "
    "positive rows it says 0; here that is undefined.",
)
def average_precision_score(ranking: Ranking) -> float:
    return _summary(_finite(ranking), "average_precision").value if ranking.positives else 0.0


@like(
    TOOL,
    "auc(recall, precision)",
    ours="average_precision",
    also=("pr_auc",),
    why="Draws straight lines between precision-recall points, which no classifier follows: often "
    "too optimistic, most of all with ties. A point at recall 0 with precision 1 is added. The "
    "same number is `pr_trapezoid` here. Without positive rows it says 1/2.",
)
def auc_of_precision_recall(ranking: Ranking) -> float:
    return _summary(_finite(ranking), "pr_trapezoid").value if ranking.positives else 0.5


@like(
    TOOL,
    "brier_score_loss",
    ours="brier",
    agrees=True,
    why="The mean squared error of the probability of the positive class, as here. It stops where "
    "scores leave [0, 1]; here the number is undefined then.",
)
def brier_score_loss(ranking: Ranking) -> float:
    return _probabilities(ranking, "brier")


@like(
    TOOL,
    "log_loss",
    ours="log_loss",
    agrees=True,
    why=f"{CLIPPED} With one class it stops; here the number is given.",
)
def log_loss(ranking: Ranking) -> float:
    _demand_both(ranking, "stops")
    _demand_float64(ranking)
    return _probabilities(ranking, "log_loss")


@like(
    TOOL,
    "d2_log_loss_score",
    ours="log_loss_skill_score",
    agrees=True,
    why=f"Compared with always saying the prevalence, as here. {CLIPPED}",
)
def d2_log_loss_score(ranking: Ranking) -> float:
    _demand_both(ranking, "stops")
    _demand_float64(ranking)
    return _probabilities(ranking, "log_loss_skill_score")


@like(
    TOOL,
    "d2_brier_score",
    ours="brier_skill_score",
    agrees=True,
    why="Compared with always saying the prevalence, as here. With one class it says minus "
    "infinity, of one row NaN; here that is undefined.",
)
def d2_brier_score(ranking: Ranking) -> float:
    if ranking.rows < 2:
        raise Undefined(f"{TOOL} gives NaN: it takes two rows or more")
    if ranking.positives and ranking.negatives:
        return _probabilities(ranking, "brier_skill_score")
    return -math.inf if _probabilities(ranking, "brier") else math.nan


@like(
    TOOL,
    "accuracy_score",
    ours="accuracy",
    agrees=True,
    why=f"The share of rows predicted rightly, as here. {PREDICTED}",
)
def accuracy_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _metric(ranking, threshold, "accuracy", math.nan)


@like(
    TOOL,
    "zero_one_loss",
    ours="error_rate",
    agrees=True,
    why=f"The share of rows predicted wrongly, as here. {PREDICTED}",
)
def zero_one_loss(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _metric(ranking, threshold, "error_rate", math.nan)


@like(
    TOOL,
    "precision_score",
    ours="precision",
    agrees=True,
    why="Where nothing is predicted positive it warns and says 0 (zero_division); here that is "
    "undefined."
    f" {PREDICTED}",
)
def precision_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _metric(ranking, threshold, "precision", 0.0)


@like(
    TOOL,
    "recall_score",
    ours="true_positive_rate",
    agrees=True,
    why="Without positive rows it warns and says 0 (zero_division); here that is undefined."
    f" {PREDICTED}",
)
def recall_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _metric(ranking, threshold, "true_positive_rate", 0.0)


@like(
    TOOL,
    "f1_score",
    ours="f_measure",
    agrees=True,
    why="0 as soon as there is an error and no hit, as here. Where there is neither it says 0 "
    "(zero_division); here that is undefined."
    f" {PREDICTED}",
)
def f1_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _metric(ranking, threshold, "f_measure", 0.0)


def _f_measure(ranking: Ranking, *, beta: float, threshold: float) -> Estimate:
    return METRICS.find("f_measure").with_parameters(beta=beta).estimate(ranking.at(threshold))


@like(
    TOOL,
    "fbeta_score",
    ours="f_measure",
    our=_f_measure,
    agrees=True,
    why=f"Recall weighs beta times as much as precision, as here. 0/0 is 0 there. {PREDICTED}",
)
def fbeta_score(ranking: Ranking, *, beta: float = 2.0, threshold: float = 0.5) -> float:
    measure = METRICS.find("f_measure").with_parameters(beta=beta)
    return float(measure(_at(ranking, threshold), undefined=0.0))


@like(
    TOOL,
    "jaccard_score",
    ours="critical_success_index",
    agrees=True,
    why=f"Hits among all rows that are positive or called so, as here. 0/0 is 0 there. {PREDICTED}",
)
def jaccard_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _metric(ranking, threshold, "critical_success_index", 0.0)


@like(
    TOOL,
    "matthews_corrcoef",
    ours="matthews_correlation",
    agrees=True,
    why=f"Where a class is empty or never predicted it says 0; here that is undefined. {PREDICTED}",
)
def matthews_corrcoef(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _metric(ranking, threshold, "matthews_correlation", 0.0)


@like(
    TOOL,
    "cohen_kappa_score",
    ours="cohens_kappa",
    agrees=True,
    why="Agreement beyond what the margins explain, as here. Where all rows are of one class and "
    "called that, both are undefined."
    f" {PREDICTED}",
)
def cohen_kappa_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _metric(ranking, threshold, "cohens_kappa", math.nan)


@like(
    TOOL,
    "balanced_accuracy_score",
    ours="balanced_accuracy",
    agrees=True,
    why="The mean recall of both classes, as here. A class without rows is left out there; here "
    "the number is undefined then."
    f" {PREDICTED}",
)
def balanced_accuracy_score(ranking: Ranking, *, threshold: float = 0.5) -> float:
    matrix = _at(ranking, threshold)
    both = [METRICS.find(name)(matrix) for name in ("true_positive_rate", "true_negative_rate")]
    return float(np.nanmean(both))


@like(
    TOOL,
    "class_likelihood_ratios LR+",
    ours="positive_likelihood_ratio",
    also=("positive_likelihood_ratio",),
    agrees=True,
    why=f"NaN where no negative row is called positive; here x/0 is infinite. {PREDICTED}",
)
def positive_likelihood_ratio(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _ratio(ranking, threshold, "positive_likelihood_ratio")


@like(
    TOOL,
    "class_likelihood_ratios LR-",
    ours="negative_likelihood_ratio",
    also=("negative_likelihood_ratio",),
    agrees=True,
    why=f"NaN where no negative row is called negative; here x/0 is infinite. {PREDICTED}",
)
def negative_likelihood_ratio(ranking: Ranking, *, threshold: float = 0.5) -> float:
    return _ratio(ranking, threshold, "negative_likelihood_ratio")


def _ratio(ranking: Ranking, threshold: float, name: str) -> float:
    value = _metric(ranking, threshold, name, math.nan)
    if not math.isfinite(value):
        raise Undefined(f"{TOOL} gives NaN: it divides by 0")
    return value


# scikit-learn's curves (1.9): the columns that its functions return, in their order.


Columns = dict[str, Any]


@like(
    TOOL,
    "roc_curve",
    ours=None,
    gives="curve",
    why="The first threshold is inf, as here. Points in the middle of a straight piece are left "
    "out unless drop_intermediate=False; here a curve keeps every point.",
)
def roc_curve(ranking: Ranking, *, drop_intermediate: bool = True) -> Columns:
    """False and true positive rate from (0, 0) on, with thresholds."""
    found, alarms = _counts(_finite(ranking))
    kept = np.ones(len(found), bool)
    if drop_intermediate and ranking.distinct > 2:
        # A corner is where either count bends; (0, 0) is added after the dropping.
        bends = (np.diff(found[1:], 2) != 0) | (np.diff(alarms[1:], 2) != 0)
        kept = np.concatenate([[True, True], bends, [True]])
    return {
        "fpr": _share(alarms, ranking.negatives)[kept],
        "tpr": _share(found, ranking.positives)[kept],
        "thresholds": _falling(ranking)[kept],
    }


@like(
    TOOL,
    "precision_recall_curve",
    ours=None,
    gives="curve",
    why="Rises with the threshold, and an added point (recall 0, precision 1) without a threshold "
    "(NaN here) closes it. Here precision where nothing is predicted is undefined.",
)
def precision_recall_curve(ranking: Ranking) -> Columns:
    """Precision and recall, the highest recall first."""
    found, alarms = _counts(_finite(ranking))
    precision = found[1:] / (found + alarms)[1:]
    recall = found[1:] / ranking.positives if ranking.positives else np.ones(ranking.distinct)
    return {
        "precision": np.append(precision[::-1], 1.0),
        "recall": np.append(recall[::-1], 0.0),
        "thresholds": np.append(_falling(ranking)[:0:-1], np.nan),
    }


@like(
    TOOL,
    "det_curve",
    ours=None,
    gives="curve",
    why="Runs from the last threshold that finds every positive row to the first without a false "
    "alarm, so its ends are cut off; here the curve keeps both ends.",
)
def det_curve(ranking: Ranking) -> Columns:
    """False positive and false negative rate, thresholds rising."""
    if not (ranking.positives and ranking.negatives):
        raise Undefined(f"{TOOL} stops: only one class is present")
    found, alarms = _counts(_finite(ranking))
    first = int(np.searchsorted(alarms, 0, "right")) - 1
    last = int(np.searchsorted(found, found[-1])) + 1
    part = slice(first, last)
    return {
        "fpr": (alarms[part] / ranking.negatives)[::-1],
        "fnr": ((ranking.positives - found[part]) / ranking.positives)[::-1],
        "thresholds": _falling(ranking)[part][::-1],
    }


def _counts(ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any]]:
    return ranking.true_positives, ranking.false_positives


def _falling(ranking: Ranking) -> NDArray[np.float64]:
    """Thresholds as scikit-learn was told: where low scores are positive, of the negated ones."""
    return -ranking.thresholds if ranking.lower_is_positive else ranking.thresholds


def _share(counts: NDArray[Any], of: Any) -> NDArray[np.float64]:
    return np.asarray(counts / of if of else np.full(len(counts), np.nan))
