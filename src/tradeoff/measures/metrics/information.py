"""Entropies and mutual information of actual and predicted classes, in bits."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.measures import interval_formulas
from tradeoff.measures.metrics.agreement import margins
from tradeoff.measures.metrics.overall import ALL_REJECTED
from tradeoff.measures.metrics.rates import UNIT_RANGE
from tradeoff.measures.metrics.ratios import lift
from tradeoff.measures.registry import metric

if TYPE_CHECKING:
    from tradeoff.measures.metrics.agreement import AnyMatrix


def _entropy(proportions: Any) -> Any:
    """Entropy -Σ p log2 p over the first axis; 0 log 0 is 0."""
    return 0.0 - _times_log2(proportions, proportions).sum(axis=0)  # never -0


@metric(
    formula="sum of -p * log2(p) over actual classes",
    two_classes="entropy((tp + fn) / d, (fp + tn) / d)",
    family="information",
    range=(0.0, inf),
    better=None,
    aliases=("reference_entropy",),
    sentence="the entropy of the actual class is {value} bits",
    undefined=ALL_REJECTED,
    any_classes=True,
    ratio=True,
    interval=interval_formulas.actual_entropy,
)
def actual_entropy(m: AnyMatrix) -> Any:
    return _entropy(margins(m).actual)


@metric(
    formula="sum of -p * log2(p) over predicted classes",
    two_classes="entropy((tp + fp) / d, (fn + tn) / d)",
    family="information",
    range=(0.0, inf),
    better=None,
    aliases=("response_entropy",),
    sentence="the entropy of the predicted class is {value} bits",
    undefined=ALL_REJECTED,
    any_classes=True,
    interval=interval_formulas.predicted_entropy,
)
def predicted_entropy(m: AnyMatrix) -> Any:
    return _entropy(margins(m).predicted)


@metric(
    formula="sum of -p * log2(p) over cells",
    two_classes="entropy(tp / d, fn / d, fp / d, tn / d)",
    family="information",
    range=(0.0, inf),
    better=None,
    sentence="the joint entropy of actual and predicted class is {value} bits",
    undefined=ALL_REJECTED,
    any_classes=True,
    no_interval="its estimate is not normally distributed if all cells are equally frequent",
)
def joint_entropy(m: AnyMatrix) -> Any:
    proportions = m.counts / m.decided
    return _entropy(proportions.reshape(-1, *proportions.shape[2:]))


@metric(
    formula="joint_entropy - actual_entropy",
    two_classes="max(joint_entropy - actual_entropy, 0)",
    family="information",
    range=(0.0, inf),
    better=None,
    sentence="given the actual class, the entropy of the predicted class is {value} bits",
    undefined=ALL_REJECTED,
    any_classes=True,
    no_interval="its estimate is not normally distributed if predictions are balanced",
)
def conditional_entropy(m: AnyMatrix) -> Any:
    return np.maximum(joint_entropy(m) - actual_entropy(m), 0.0)


@metric(
    formula="sum over classes of -actual proportion * log2(predicted proportion)",
    two_classes="0 - (xlog2y((tp + fn) / d, (tp + fp) / d) + xlog2y((fp + tn) / d, (fn + tn) / d))",
    family="information",
    range=(0.0, inf),
    better=None,
    sentence="the cross-entropy of actual relative to predicted class proportions is {value} bits",
    undefined=ALL_REJECTED,
    any_classes=True,
    others="Infinite if a class occurs but is never predicted.",
)
def cross_entropy(m: AnyMatrix) -> Any:
    actual, predicted = margins(m)
    return 0.0 - _times_log2(actual, predicted).sum(axis=0)


@metric(
    usual_label="KL divergence",
    formula="cross_entropy - actual_entropy",
    two_classes="max(cross_entropy - actual_entropy, 0)",
    family="information",
    range=(0.0, inf),
    better="lower",
    sentence="the Kullback–Leibler divergence of actual from predicted class proportions is "
    "{value} bits",
    undefined=ALL_REJECTED,
    any_classes=True,
    no_interval="its estimate is not normally distributed if both distributions agree",
)
def kl_divergence(m: AnyMatrix) -> Any:
    return np.maximum(cross_entropy(m) - actual_entropy(m), 0.0)


@metric(
    formula="actual_entropy + predicted_entropy - joint_entropy",
    two_classes="max(xlog2y(tp / d, tp / d / ((tp + fn) / d * ((tp + fp) / d))) "
    "+ xlog2y(fn / d, fn / d / ((tp + fn) / d * ((fn + tn) / d))) "
    "+ xlog2y(fp / d, fp / d / ((fp + tn) / d * ((tp + fp) / d))) "
    "+ xlog2y(tn / d, tn / d / ((fp + tn) / d * ((fn + tn) / d))), 0)",
    family="information",
    range=(0.0, inf),
    better="higher",
    aliases=("mi",),
    sentence="the prediction carries {value} bits of information about the actual class",
    undefined=ALL_REJECTED,
    any_classes=True,
    others="0 if nothing is predicted positive, for which ROCR returns NaN.",
    minimal_at_independence=True,
)
def mutual_information(m: AnyMatrix) -> Any:
    actual, predicted = margins(m)
    proportions = m.counts / m.decided
    expected = actual[:, None] * predicted[None, :]
    # Σ p log2(p / expected): a difference of entropies would lose small values.
    ratio = np.divide(proportions, expected, out=np.ones_like(proportions), where=proportions > 0)
    bits = (proportions * np.log2(ratio)).sum(axis=(0, 1))
    return np.where(np.isnan(bits), np.nan, np.maximum(bits, 0.0))


@metric(
    formula="mutual_information / actual_entropy",
    family="information",
    range=UNIT_RANGE,
    better="higher",
    aliases=("proficiency", "relative_classifier_information", "rci"),
    sentence="the prediction carries {share} of the information about the actual class",
    undefined="all decided rows are of one class",
    any_classes=True,
    source="Theil 1970, doi:10.1086/224909",
    minimal_at_independence=True,
)
def uncertainty_coefficient(m: AnyMatrix) -> Any:
    return mutual_information(m) / actual_entropy(m)


@metric(
    formula="log2(precision / prevalence)",
    family="information",
    range=(-inf, inf),
    better="higher",
    aliases=("is",),
    sentence="being predicted {positive} adds {value} bits of evidence for {positive}",
    undefined="no row is {positive}, or nothing is predicted {positive}",
    monotone=True,
    interval=interval_formulas.log_lift,
)
def information_score(m: ConfusionMatrix) -> Any:
    return np.log2(lift(m))


@metric(
    formula="sum over classes of proportion * confusion entropy of the class",
    two_classes="(0 - xlog2y(fn, fn / (2 * tp + fn + fp)) - xlog2y(fp, fp / (2 * tp + fn + fp)) "
    "- xlog2y(fn, fn / (2 * tn + fn + fp)) - xlog2y(fp, fp / (2 * tn + fn + fp))) / (2 * d)",
    family="information",
    range=(0.0, inf),
    better="lower",
    aliases=("cen",),
    sentence="the confusion entropy, the spread of errors over classes, is {value}",
    undefined=ALL_REJECTED,
    any_classes=True,
    source="Wei et al. 2010, doi:10.1016/j.eswa.2009.11.040",
)
def confusion_entropy(m: AnyMatrix) -> Any:
    weights, entropies = confusion_entropies(m.counts, remove_hits=False)
    return (weights * entropies).sum(axis=0)


@metric(
    formula="confusion_entropy with the diagonal excluded from the proportions",
    two_classes="(0 - xlog2y(fn, fn / (tp + fn + fp)) - xlog2y(fp, fp / (tp + fn + fp)) "
    "- xlog2y(fn, fn / (tn + fn + fp)) - xlog2y(fp, fp / (tn + fn + fp))) / (2 * d)",
    family="information",
    range=(0.0, inf),
    better="lower",
    aliases=("mcen",),
    sentence="the modified confusion entropy, the spread of errors over classes, is {value}",
    undefined=ALL_REJECTED,
    any_classes=True,
    source="Delgado & Núñez-González 2019, PLoS ONE 14",
)
def modified_confusion_entropy(m: AnyMatrix) -> Any:
    weights, entropies = confusion_entropies(m.counts, remove_hits=True)
    return (weights * entropies).sum(axis=0)


def confusion_entropies(counts: NDArray[Any], *, remove_hits: bool) -> tuple[Any, Any]:
    """Weight of each class and entropy of its errors, for (modified) confusion entropy."""
    classes = len(counts)
    hits = np.einsum("ii...->i...", counts)
    class_totals = counts.sum(axis=1) + counts.sum(axis=0) - (hits if remove_hits else 0)
    off_diagonal = counts * (1 - np.eye(classes)).reshape(
        classes, classes, *[1] * (counts.ndim - 2)
    )
    scale = np.log2(2 * (classes - 1))
    row_proportions = off_diagonal / class_totals[:, None]
    column_proportions = np.swapaxes(off_diagonal, 0, 1) / class_totals[:, None]
    log_sums = _times_log2(row_proportions, row_proportions).sum(axis=1)
    log_sums += _times_log2(column_proportions, column_proportions).sum(axis=1)
    # For two classes the diagonal stays in the total, as in the published weights.
    total = 2 * counts.sum(axis=(0, 1)) - (hits.sum(axis=0) if remove_hits and classes > 2 else 0)
    return class_totals / total, np.where(class_totals > 0, -log_sums / scale, 0.0)


def _times_log2(factor: Any, argument: Any) -> Any:
    """A factor times log2(argument); 0 log 0 is 0, and a positive factor times log 0 is -inf."""
    logs = np.log2(argument, out=np.zeros_like(argument), where=(factor > 0) | np.isnan(argument))
    return factor * logs
