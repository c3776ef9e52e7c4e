"""torchmetrics: two classes, several classes, agreement and association; it has no weights."""

from __future__ import annotations

import math
import warnings
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING, Any

import numpy as np

import tradeoff as to
from peers.data import class_scored_rows, classified_rows, unweighted_rows
from peers.judging import Convention, follows_their_rule, near, undefined_here
from peers.quantities import area_of_classes, average, by_class, metric, summary

if TYPE_CHECKING:
    from peers.data import ClassifiedRows, ClassScoredRows, ScoredRows
    from peers.judging import Verdicts

NAME = "torchmetrics"
PRECISION = 1e-5
"""It counts and divides in single precision."""
AT_A_THRESHOLD = {
    "accuracy": "binary_accuracy",
    "precision": "binary_precision",
    "true_positive_rate": "binary_recall",
    "true_negative_rate": "binary_specificity",
    "negative_predictive_value": "binary_negative_predictive_value",
    "f_measure": "binary_f1_score",
    "critical_success_index": "binary_jaccard_index",
    "matthews_correlation": "binary_matthews_corrcoef",
    "cohens_kappa": "binary_cohen_kappa",
    "error_rate": "binary_hamming_distance",
}
OF_SCORES = {
    "auc": "binary_auroc",
    "average_precision": "binary_average_precision",
    "equal_error_rate": "binary_eer",
}
AVERAGED = {
    "precision": "multiclass_precision",
    "true_positive_rate": "multiclass_recall",
    "true_negative_rate": "multiclass_specificity",
    "f_measure": "multiclass_f1_score",
    "critical_success_index": "multiclass_jaccard_index",
}
OF_CLASSES = {
    "matthews_correlation": "multiclass_matthews_corrcoef",
    "cohens_kappa": "multiclass_cohen_kappa",
}
BINS = 5
SHARES = frozenset(
    {
        "precision",
        "true_positive_rate",
        "true_negative_rate",
        "negative_predictive_value",
        "f_measure",
        "critical_success_index",
    }
)
CONVENTIONS = (
    Convention(
        "0 where a share is 0/0",
        "| 0/0 | NaN with a reason | scikit-learn 0 and a warning, torchmetrics 0",
        SHARES,
        undefined_here(0.0),
    ),
    Convention(
        "0 where there is one class",
        "scikit-learn warns and returns NaN, torchmetrics returns 0; pROC and ROCR raise an error",
        frozenset({"auc", "partial_auc_mcclish"}),
        undefined_here(0.0),
    ),
    Convention(
        "0 without positive rows",
        "| average precision without positives | undefined | scikit-learn 0, as its recall is 1; "
        "torchmetrics 0",
        frozenset({"average_precision"}),
        undefined_here(0.0),
    ),
    Convention(
        "a tiny number added to each margin where one is empty",
        "| Matthews correlation with an empty margin | undefined | scikit-learn 0, "
        "torchmetrics a value",
        frozenset({"matthews_correlation"}),
        lambda number: number.ours_is_undefined and follows_their_rule(number),
    ),
    Convention(
        "undefined classes count as 0 in averages, but classes without any row are left out",
        "scikit-learn counts them as 0, pycm returns None, torchmetrics counts them as 0",
        frozenset(f"{name}, {how}" for name in AVERAGED for how in ("macro", "weighted")),
        follows_their_rule,
    ),
    Convention(
        "the mean of both rates at the nearest threshold; of one class 0 or 1",
        "| equal error rate | where the curve crosses the line of equal errors, between two "
        "thresholds | torchmetrics",
        frozenset({"equal_error_rate"}),
        follows_their_rule,
    ),
    Convention(
        "a score at the border of two bins is in the upper one, and 1 is a bin of its own",
        "| a score at the boundary of two bins of equal width | in the lower bin, as in "
        "scikit-learn | torchmetrics",
        frozenset({"expected_calibration_error", "largest_calibration_error"}),
        follows_their_rule,
    ),
    Convention(
        "natural logarithms",
        "| mutual information, entropies | bits | torchmetrics and scikit-learn use nats",
        frozenset({"mutual_information"}),
        lambda number: near(number.ours * math.log(2), number.theirs, number.precision),
    ),
    Convention(
        "classes that do not occur, or are never predicted, left out",
        "| Cramér's V, Pearson's C with an empty margin | undefined | torchmetrics",
        frozenset({"cramers_v", "pearsons_c"}),
        lambda number: number.ours_is_undefined and follows_their_rule(number),
    ),
)


def version() -> str:
    """As installed."""
    return installed_version("torchmetrics")


def compare(verdicts: Verdicts) -> None:
    """Everything that both have."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for rows in unweighted_rows():
            _at_a_threshold(verdicts, rows)
            _of_scores(verdicts, rows)
        for classified in classified_rows():
            _of_classes(verdicts, classified)
        for scored in class_scored_rows():
            _areas_of_classes(verdicts, scored)


def told(name: str, *values: Any, **choices: Any) -> Any:
    """What torchmetrics says of doubles and whole classes."""
    import torch
    from torchmetrics.functional import classification, clustering, nominal

    ask = next(
        getattr(module, name)
        for module in (classification, nominal, clustering)
        if hasattr(module, name)
    )
    answer = ask(*(torch.tensor(value) for value in values), **choices)
    return answer.numpy()


def _at_a_threshold(verdicts: Verdicts, rows: ScoredRows) -> None:
    for ours, theirs in AT_A_THRESHOLD.items():
        value = told(theirs, rows.predicted, rows.actual)
        rule = _matthews(rows.matrix) if ours == "matthews_correlation" else None
        verdicts.compare(ours, rows, metric(ours, rows.matrix), value, rule)
    for beta in (0.5, 2.0):
        value = told("binary_fbeta_score", rows.predicted, rows.actual, beta=beta)
        verdicts.compare("f_measure", rows, metric(f"f_measure(beta={beta})", rows.matrix), value)
    counts = told("binary_confusion_matrix", rows.predicted, rows.actual)
    verdicts.compare("counts", rows, rows.matrix.counts, counts[::-1, ::-1])


def _matthews(matrix: to.ConfusionMatrix) -> float:
    """With the smallest float32 beside 1 added to each margin."""
    tiny = float(np.finfo(np.float32).eps)
    right, wrong = matrix.correct, matrix.rows - matrix.correct
    margins = (
        matrix.positives,
        matrix.negatives,
        matrix.predicted_positives,
        matrix.predicted_negatives,
    )
    if not wrong:
        return 1.0
    if not right:
        return -1.0
    return math.sqrt(tiny) * (right - wrong) / math.sqrt(math.prod(m + tiny for m in margins))


def _of_scores(verdicts: Verdicts, rows: ScoredRows) -> None:
    for ours, theirs in OF_SCORES.items():
        value = told(theirs, rows.score, rows.actual)
        rule = _nearest_error_rate(rows) if ours == "equal_error_rate" else None
        verdicts.compare(ours, rows, summary(ours, rows.ranking), value, rule)
    value = told("binary_auroc", rows.score, rows.actual, max_fpr=0.3)
    ours = summary("partial_auc_mcclish(high=0.3)", rows.ranking)
    verdicts.compare("partial_auc_mcclish", rows, ours, value)
    shares, gaps = _upper_bins(rows)
    for norm, name, rule in (
        ("l1", "expected_calibration_error", (shares * gaps).sum()),
        ("max", "largest_calibration_error", gaps.max()),
    ):
        value = told("binary_calibration_error", rows.score, rows.actual, n_bins=BINS, norm=norm)
        ours = summary(f"{name}(bins={BINS}, by=width)", rows.ranking)
        verdicts.compare(name, rows, ours, value, rule)


def _nearest_error_rate(rows: ScoredRows) -> float:
    """Where both rates are nearest to each other, at a threshold; an undefined rate is 0.

    In single precision, which decides where two thresholds are as near.
    """
    matrices = rows.ranking.confusion
    fpr, tpr = (
        np.nan_to_num(to.METRICS[name](matrices), nan=0.0).astype(np.float32)
        for name in ("fpr", "tpr")
    )
    fnr = 1 - tpr
    nearest = np.argmin(np.abs(fpr - fnr))
    return float(fpr[nearest] + fnr[nearest]) / 2


def _upper_bins(rows: ScoredRows) -> tuple[np.ndarray, np.ndarray]:
    """Shares of rows and gaps of bins that hold their lower border."""
    places = np.digitize(rows.score, np.arange(BINS + 1) / BINS)
    counts, scores, positives = (
        np.bincount(places, values) for values in (None, rows.score, rows.actual)
    )
    seen = counts > 0
    gaps = np.abs(scores[seen] - positives[seen]) / counts[seen]
    return counts[seen] / counts.sum(), gaps


def _of_classes(verdicts: Verdicts, rows: ClassifiedRows) -> None:
    if rows.classes < 3:
        return
    values, classes = (rows.predicted, rows.actual), {"num_classes": rows.classes}
    for ours, theirs in AVERAGED.items():
        each = told(theirs, *values, average="none", **classes)
        verdicts.compare(ours, rows, by_class(ours, rows.matrix), each)
        for how in ("macro", "weighted", "micro"):
            value = told(theirs, *values, average=how, **classes)
            rule = _average(rows, ours, how)
            verdicts.compare(f"{ours}, {how}", rows, average(ours, rows.matrix, how), value, rule)
    for ours, theirs in OF_CLASSES.items():
        value = told(theirs, *values, **classes)
        rule = 0.0 if ours == "matthews_correlation" else None
        verdicts.compare(ours, rows, metric(ours, rows.matrix), value, rule)
    verdicts.compare(
        "accuracy",
        rows,
        metric("accuracy", rows.matrix),
        told("multiclass_accuracy", *values, average="micro", **classes),
    )
    if (rows.counts.sum(axis=0) + rows.counts.sum(axis=1)).all():
        _association(verdicts, rows)  # it fails where a number between others is no class


def _average(rows: ClassifiedRows, name: str, how: str) -> float | None:
    """By its rule: 0/0 is 0, and a class without any row has no weight."""
    actual, predicted = rows.counts.sum(axis=1), rows.counts.sum(axis=0)
    if how == "micro":
        return None
    weights = (actual + predicted > 0) if how == "macro" else actual
    zeros = np.nan_to_num(by_class(name, rows.matrix), nan=0.0)
    return float(np.average(zeros, weights=weights))


def _association(verdicts: Verdicts, rows: ClassifiedRows) -> None:
    """Predicted classes beside actual ones, as two nominal variables or two clusterings."""
    for ours, theirs, choices in (
        ("cramers_v", "cramers_v", {"bias_correction": False}),
        ("pearsons_c", "pearsons_contingency_coefficient", {}),
        ("uncertainty_coefficient", "theils_u", {}),
        ("adjusted_rand_index", "adjusted_rand_score", {}),
        ("mutual_information", "mutual_info_score", {}),
    ):
        value = told(theirs, rows.actual, rows.predicted, **choices)
        rule = _without_empty(rows, ours)
        verdicts.compare(ours, rows, metric(ours, rows.matrix), value, rule)


def _without_empty(rows: ClassifiedRows, name: str) -> float | None:
    """Cramér's V and Pearson's C of the table without its empty lines and columns."""
    table = rows.counts[rows.counts.any(axis=1)][:, rows.counts.any(axis=0)].astype(float)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    phi_squared = ((table - expected) ** 2 / expected).sum() / table.sum()
    smaller = min(table.shape) - 1
    if name == "cramers_v":
        return math.sqrt(phi_squared / smaller) if smaller else math.nan
    return math.sqrt(phi_squared / (1 + phi_squared)) if name == "pearsons_c" else None


def _areas_of_classes(verdicts: Verdicts, rows: ClassScoredRows) -> None:
    classes = {"num_classes": rows.chances.shape[1]}
    for how in ("macro", "weighted"):
        value = told("multiclass_auroc", rows.chances, rows.actual, average=how, **classes)
        verdicts.compare(f"auc, {how}", rows, area_of_classes(how, rows.judged), value)
    for name, ours in (
        ("multiclass_auroc", "auc"),
        ("multiclass_average_precision", "average_precision"),
    ):
        each = told(name, rows.chances, rows.actual, average="none", **classes)
        values = [summary(ours, ranking) for ranking in rows.judged.rankings.values()]
        verdicts.compare(ours, rows, values, each)
