"""Our numbers under scikit-learn's names and signatures.

Each adapter gets the arguments of a call to the function that it stands for. It raises `NotOurs`
where we have no such number (several labels a row, sums in place of shares, other libraries'
arrays), and calls `follow` where it puts scikit-learn's answer for what is undefined here.
"""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

import tradeoff as to
from tradeoff.sources.classes import class_name

if TYPE_CHECKING:
    from collections.abc import Callable

ADAPTERS: dict[str, Callable[..., Any]] = {}
FOLLOWED: set[str] = set()
"""Conventions of scikit-learn that the running test has met."""
Call = dict[str, Any]
"""The arguments of one call, by name."""


class NotOurs(Exception):  # noqa: N818 - nothing is wrong: scikit-learn answers by itself
    """There is no such number here."""


def stands_for(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter an adapter under the names of the functions that it replaces."""

    def enter(adapter: Callable[..., Any]) -> Callable[..., Any]:
        ADAPTERS.update(dict.fromkeys(names, adapter))
        return adapter

    return enter


def follow(convention: str, value: Any, instead: Any) -> Any:
    """Our value, or scikit-learn's where ours is undefined."""
    if not math.isnan(value):
        return value
    FOLLOWED.add(convention)
    return instead


# Predicted classes


class Classified:
    """Actual and predicted classes of rows, counted by us, in scikit-learn's order."""

    def __init__(self, actual: Any, predicted: Any, weight: Any = None, labels: Any = None) -> None:
        self.actual, self.predicted = _classes(actual), _classes(predicted)
        self.occurring = np.unique(np.concatenate([self.actual, self.predicted]))
        self.labels = self.occurring if labels is None else _classes(labels)
        self.weight = None if weight is None else np.asarray(weight)
        if self.weight is not None and (self.weight < 0).any():
            raise NotOurs
        self._counts = {
            (cell.actual, cell.predicted): cell.count for cell in self._matrix().cells()
        }

    def _matrix(self) -> Any:
        positive = None if len(self.occurring) > 2 else self.actual[0]
        if self.weight is not None and positive is not None:
            weighing = self.actual[self.weight > 0]
            positive = weighing[0] if len(weighing) else None
        return to.confusion_matrix(
            self.actual, self.predicted, positive=positive, weight=self.weight
        )

    def counts(self, labels: Any) -> np.ndarray:
        """Actual × predicted, of these labels."""
        names = [class_name(label) for label in labels]
        cells = [self._counts.get(pair, 0) for pair in product(names, names)]
        return np.array(cells).reshape(len(names), len(names))

    @property
    def matrix(self) -> to.ClassMatrix:
        """Of all labels that occur or were given."""
        extra = [label for label in self.labels if label not in self.occurring]
        labels = [*self.occurring, *extra]
        return to.ClassMatrix(self.counts(labels), tuple(class_name(label) for label in labels))

    def against_rest(self, label: Any) -> to.ConfusionMatrix:
        """One label against all others."""
        return self.matrix.one_against_rest(class_name(label))

    @property
    def all_labels(self) -> bool:
        """Whether averages are over every class of the matrix."""
        return len(self.labels) == len(self.matrix.classes)


def _classes(values: Any) -> np.ndarray:
    """One class a row, as an array of NumPy."""
    if "torch" in type(values).__module__ or "array_api" in type(values).__module__:
        raise NotOurs
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        raise NotOurs from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1 or not len(array) or array.dtype.kind not in "biufUSO":
        raise NotOurs
    if array.dtype.kind == "O":
        array = np.array([_plain(value) for value in array])
    return array


def _plain(value: Any) -> Any:
    if isinstance(value, str | bytes | int | float | np.generic):
        return value
    raise NotOurs


def metric(name: str, matrix: Any) -> float:
    """A metric under its name here."""
    return float(to.METRICS.find(name)(matrix))


@stands_for("confusion_matrix")
def confusion_matrix(call: Call) -> np.ndarray:
    if call["normalize"] is not None:
        raise NotOurs
    rows = Classified(call["y_true"], call["y_pred"], call["sample_weight"], call["labels"])
    return rows.counts(rows.labels)


@stands_for("multilabel_confusion_matrix")
def multilabel_confusion_matrix(call: Call) -> np.ndarray:
    if call["samplewise"]:
        raise NotOurs
    rows = Classified(call["y_true"], call["y_pred"], call["sample_weight"], call["labels"])
    return np.array([rows.against_rest(label).counts[::-1, ::-1] for label in rows.labels])


@stands_for("accuracy_score")
def accuracy_score(call: Call) -> float:
    rows = Classified(call["y_true"], call["y_pred"], call["sample_weight"])
    return metric("accuracy", rows.matrix) if call["normalize"] else float(rows.matrix.correct)


@stands_for("zero_one_loss")
def zero_one_loss(call: Call) -> float:
    rows = Classified(call["y_true"], call["y_pred"], call["sample_weight"])
    wrong = float(rows.matrix.rows - rows.matrix.correct)
    return metric("error_rate", rows.matrix) if call["normalize"] else wrong


@stands_for("hamming_loss")
def hamming_loss(call: Call) -> float:
    return metric(
        "error_rate", Classified(call["y_true"], call["y_pred"], call["sample_weight"]).matrix
    )


@stands_for("matthews_corrcoef")
def matthews_corrcoef(call: Call) -> float:
    matrix = Classified(call["y_true"], call["y_pred"], call["sample_weight"]).matrix
    return follow("Matthews", metric("matthews_correlation", matrix), 0.0)


@stands_for("cohen_kappa_score")
def cohen_kappa_score(call: Call) -> float:
    if call["weights"] is not None:
        raise NotOurs
    rows = Classified(call["y1"], call["y2"], call["sample_weight"], call["labels"])
    matrix = to.ClassMatrix(rows.counts(rows.labels), tuple(map(class_name, rows.labels)))
    value = metric("cohens_kappa", matrix)
    return call["replace_undefined_by"] if math.isnan(value) else value


@stands_for("balanced_accuracy_score")
def balanced_accuracy_score(call: Call) -> float:
    matrix = Classified(call["y_true"], call["y_pred"], call["sample_weight"]).matrix
    value = to.average(matrix, "recall", "macro").value  # of the classes that have rows
    if not call["adjusted"]:
        return value
    present = int((matrix.counts.sum(axis=1) > 0).sum())
    if present == 1:  # chance is always right
        raise NotOurs
    return (value - 1 / present) / (1 - 1 / present)


@stands_for("class_likelihood_ratios")
def class_likelihood_ratios(call: Call) -> tuple[float, float]:
    rows = Classified(call["y_true"], call["y_pred"], call["sample_weight"], call["labels"])
    if len(rows.labels) != 2 or not isinstance(call["replace_undefined_by"], float | int):
        raise NotOurs
    matrix = rows.against_rest(rows.labels[1])
    ratios = [metric(name, matrix) for name in ("lr+", "lr-")]
    instead = float(call["replace_undefined_by"])
    finite = [value if math.isfinite(value) else math.nan for value in ratios]
    if any(math.isinf(value) for value in ratios):
        FOLLOWED.add("x/0")
    first, second = (instead if math.isnan(value) else value for value in finite)
    return first, second


@stands_for("precision_recall_fscore_support")
def precision_recall_fscore_support(call: Call) -> tuple[Any, ...]:
    if not math.isfinite(call["beta"]):
        raise NotOurs
    names = ("precision", "recall", f"f_measure(beta={call['beta']})")
    averaged = [_averaged(name, call) for name in names]
    if call["average"] is not None:
        return (*averaged, None)
    rows = _rows_with_labels(call)
    return (*averaged, [rows.against_rest(label).positives for label in rows.labels])


@stands_for("jaccard_score")
def jaccard_score(call: Call) -> Any:
    return _averaged("jaccard", call)


def _rows_with_labels(call: Call) -> Classified:
    labels = [call["pos_label"]] if call["average"] == "binary" else call["labels"]
    return Classified(call["y_true"], call["y_pred"], call["sample_weight"], labels)


def _averaged(name: str, call: Call) -> Any:
    """One number a class, or their average, with scikit-learn's number for 0/0."""
    if call["average"] == "samples":
        raise NotOurs
    rows = _rows_with_labels(call)
    instead = 0.0 if call["zero_division"] == "warn" else float(call["zero_division"])
    parts = [rows.against_rest(label) for label in rows.labels]
    values = [metric(name, part) for part in parts]
    if call["average"] == "micro":
        total = to.ConfusionMatrix(*np.sum([_cells(part) for part in parts], axis=0))
        return follow("0/0", metric(name, total), instead)
    if call["average"] in {"macro", "weighted"} and not np.isnan(values).any() and rows.all_labels:
        value = to.average(rows.matrix, name, call["average"]).value
        return value if not math.isnan(value) else instead
    values = [follow("0/0", value, instead) for value in values]
    if call["average"] is None:
        return values
    if call["average"] == "binary":
        return values[0]
    weights = [float(part.positives) if call["average"] == "weighted" else 1.0 for part in parts]
    return _mean_of_defined(np.array(values), np.array(weights), instead)


def _cells(part: to.ConfusionMatrix) -> list[float]:
    return [float(count) for count in part.counts.ravel()]


def _mean_of_defined(values: np.ndarray, weights: np.ndarray, instead: float) -> float:
    """Without classes for which zero_division is NaN, as scikit-learn has it."""
    defined = ~np.isnan(values)
    if not defined.any() or not weights[defined].sum():
        return instead if weights.any() or math.isnan(instead) else float(np.mean(values))
    return float(np.average(values[defined], weights=weights[defined]))


# Scores


def evaluated(call: Call, score: str = "y_score", positive: Any = None) -> to.Evaluation:
    """The rows as an evaluation; scikit-learn's positive class is 1 if none is named."""
    actual = _classes(call["y_true"])
    scores = np.asarray(call[score])
    if scores.ndim == 2 and scores.shape[1] == 2 and np.allclose(scores.sum(axis=1), 1):
        scores = scores[:, 1]
    if scores.ndim != 1 or scores.dtype.kind not in "iuf" or len(np.unique(actual)) > 2:
        raise NotOurs
    weight = call.get("sample_weight")
    if weight is not None and (np.asarray(weight) < 0).any():
        raise NotOurs
    positive = 1 if positive is None else positive
    return to.evaluate(actual=actual == positive, score=scores, weight=weight)


@stands_for("_binary_roc_auc_score")
def binary_roc_auc_score(call: Call) -> float:
    """The one that all averages over classes and pairs are made of."""
    whole = np.unique(_classes(call["y_true"]))
    found = evaluated(call, positive=whole[-1])
    high = call["max_fpr"]
    if high is None or high == 1:
        return float(to.SUMMARIES["auc"](found.ranking))
    return float(to.SUMMARIES["partial_auc_mcclish"].with_parameters(high=high)(found.ranking))


@stands_for("average_precision_score")
def average_precision_score(call: Call) -> float:
    value = float(
        to.SUMMARIES["average_precision"](evaluated(call, positive=call["pos_label"]).ranking)
    )
    return follow("no positives", value, 0.0)


@stands_for("roc_curve")
def roc_curve(call: Call) -> tuple[np.ndarray, ...]:
    found = evaluated(call, positive=call["pos_label"])
    return _curve(found, "roc_curve", drop_intermediate=bool(call["drop_intermediate"]))


@stands_for("precision_recall_curve")
def precision_recall_curve(call: Call) -> tuple[np.ndarray, ...]:
    if call["drop_intermediate"]:
        raise NotOurs
    precision, recall, thresholds = _curve(
        evaluated(call, positive=call["pos_label"]), "precision_recall_curve"
    )
    return precision, recall, thresholds[:-1]


@stands_for("det_curve")
def det_curve(call: Call) -> tuple[np.ndarray, ...]:
    if call["drop_intermediate"]:
        raise NotOurs
    return _curve(evaluated(call, positive=call["pos_label"]), "det_curve")


def _curve(found: to.Evaluation, name: str, **choices: Any) -> tuple[np.ndarray, ...]:
    return tuple(to.compat_curve(found, f"sklearn:{name}", **choices).values())


@stands_for("confusion_matrix_at_thresholds")
def confusion_matrix_at_thresholds(call: Call) -> tuple[np.ndarray, ...]:
    ranking = evaluated(call, positive=call["pos_label"]).ranking
    matrices = ranking.confusion
    counts = (
        matrices.true_negatives,
        matrices.false_positives,
        matrices.false_negatives,
        matrices.true_positives,
    )
    return (*(np.asarray(count)[1:] for count in counts), ranking.thresholds[1:])


# Probabilities


def _probabilities(call: Call, name: str) -> float:
    """A summary of probabilities in double precision, of classes that are named or 0 and 1."""
    if np.asarray(call["y_proba"]).dtype != np.float64 or call.get("labels") is not None:
        raise NotOurs
    classes = np.unique(_classes(call["y_true"]))
    if len(classes) != 2:
        raise NotOurs
    positive = call.get("pos_label")
    found = evaluated(call, "y_proba", classes[1] if positive is None else positive)
    return float(to.SUMMARIES[name](found.ranking))


@stands_for("brier_score_loss")
def brier_score_loss(call: Call) -> float:
    if call["scale_by_half"] not in {"auto", True}:
        raise NotOurs
    return _probabilities(call, "brier")


@stands_for("d2_brier_score")
def d2_brier_score(call: Call) -> float:
    return _probabilities(call, "brier_skill_score")


@stands_for("log_loss")
def log_loss(call: Call) -> float:
    if not call["normalize"]:
        raise NotOurs
    return _probabilities(call, "log_loss")


@stands_for("d2_log_loss_score")
def d2_log_loss_score(call: Call) -> float:
    return _probabilities(call, "log_loss_skill_score")


# Clusterings


def _two_labellings(call: Call) -> to.ClassMatrix:
    """Clusters are numbered, whatever they are called: their names need not be alike."""
    both = (_classes(call[name]) for name in ("labels_true", "labels_pred"))
    first, second = (np.unique(labels, return_inverse=True)[1] for labels in both)
    return Classified(first, second).matrix


@stands_for("adjusted_rand_score")
def adjusted_rand_score(call: Call) -> float:
    return follow("one class", metric("adjusted_rand_index", _two_labellings(call)), 1.0)


@stands_for("mutual_info_score")
def mutual_info_score(call: Call) -> float:
    if call["contingency"] is not None:
        raise NotOurs
    FOLLOWED.add("nats")
    return metric("mutual_information", _two_labellings(call)) * math.log(2)
