"""Association between predicted and actual classes: coefficients from several fields."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.measures.metrics.agreement import EMPTY_MARGIN, margins
from tradeoff.measures.metrics.combined import SIGNED_RANGE
from tradeoff.measures.metrics.rates import UNIT_RANGE, false_positive_rate, true_positive_rate
from tradeoff.measures.registry import metric

if TYPE_CHECKING:
    from tradeoff.measures.metrics.agreement import AnyMatrix


@metric(
    usual_label="chi-squared",
    formula="sum over cells of (count - expected)**2 / expected, without continuity correction",
    two_classes="e * phi_squared",
    family="association",
    range=(0.0, inf),
    better="higher",
    aliases=("chisq", "chi2"),
    sentence="the chi-squared statistic against independence is {value}",
    undefined=EMPTY_MARGIN,
    any_classes=True,
    no_interval="it grows with the number of rows; see phi-squared",
)
def chi_squared(m: AnyMatrix) -> Any:
    return m.effective_decided * phi_squared(m)


@metric(
    usual_label="phi-squared",
    formula="chi_squared / (tp + fn + fp + tn)",
    two_classes="(tp * tn - fp * fn)**2 / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))",
    family="association",
    range=(0.0, inf),
    better="higher",
    sentence="the mean square contingency is {value}",
    undefined=EMPTY_MARGIN,
    any_classes=True,
    minimal_at_independence=True,
)
def phi_squared(m: AnyMatrix) -> Any:
    actual, predicted = margins(m)
    expected = actual[:, None] * predicted[None, :]
    return ((m.counts / m.decided - expected) ** 2 / expected).sum(axis=(0, 1))


@metric(
    usual_label="Cramér's V",
    formula="sqrt(phi_squared / (classes - 1))",
    two_classes="sqrt(phi_squared)",
    family="association",
    range=UNIT_RANGE,
    better="higher",
    sentence="Cramér's V is {value}",
    undefined=EMPTY_MARGIN,
    any_classes=True,
    source="Cramér 1946, Mathematical Methods of Statistics, chapter 21",
    minimal_at_independence=True,
)
def cramers_v(m: AnyMatrix) -> Any:
    return np.sqrt(phi_squared(m) / (len(m.classes) - 1))


@metric(
    usual_label="Pearson's C",
    formula="sqrt(phi_squared / (1 + phi_squared))",
    family="association",
    range=UNIT_RANGE,
    better="higher",
    aliases=("pearson_c", "contingency_coefficient"),
    sentence="Pearson's contingency coefficient is {value}",
    undefined=EMPTY_MARGIN,
    any_classes=True,
    minimal_at_independence=True,
)
def pearsons_c(m: AnyMatrix) -> Any:
    contingency = phi_squared(m)
    return np.sqrt(contingency / (1 + contingency))


@metric(
    usual_label="lambda (actual)",
    formula="(sum of column maxima - largest row) / (decided rows - largest row)",
    two_classes="(max(tp, fp) + max(fn, tn) - max(tp + fn, fp + tn)) / (d - max(tp + fn, fp + tn))",
    family="association",
    range=UNIT_RANGE,
    better="higher",
    aliases=("lambda_a",),
    sentence="knowing the prediction removes {share} of the errors in guessing the actual class",
    undefined="all decided rows are of one class",
    any_classes=True,
    source="Goodman & Kruskal 1954, doi:10.1080/01621459.1954.10501231",
    no_interval="it is not smooth, so its estimate is not normally distributed",
)
def lambda_actual(m: AnyMatrix) -> Any:
    largest = m.counts.sum(axis=1).max(axis=0)
    return (m.counts.max(axis=0).sum(axis=0) - largest) / (m.decided - largest)


@metric(
    usual_label="lambda (predicted)",
    formula="(sum of row maxima - largest column) / (decided rows - largest column)",
    two_classes="(max(tp, fn) + max(fp, tn) - max(tp + fp, fn + tn)) / (d - max(tp + fp, fn + tn))",
    family="association",
    range=UNIT_RANGE,
    better="higher",
    aliases=("lambda_b",),
    sentence="knowing the actual class removes {share} of the errors in guessing the prediction",
    undefined="all decided rows are predicted as one class",
    any_classes=True,
    source="Goodman & Kruskal 1954, doi:10.1080/01621459.1954.10501231",
    no_interval="it is not smooth, so its estimate is not normally distributed",
)
def lambda_predicted(m: AnyMatrix) -> Any:
    largest = m.counts.sum(axis=0).max(axis=0)
    return (m.counts.max(axis=1).sum(axis=0) - largest) / (m.decided - largest)


@metric(
    usual_label="Gilbert skill score",
    formula="(tp - c) / (tp + fp + fn - c), c = (tp + fp) * (tp + fn) / (tp + fn + fp + tn)",
    two_classes="(tp - (tp + fp) * (tp + fn) / d) / (tp + fp + fn - (tp + fp) * (tp + fn) / d)",
    family="association",
    range=(-1 / 3, 1.0),
    better="higher",
    aliases=("equitable_threat_score", "ets", "gss"),
    sentence="the critical success index beyond chance is {value}",
    undefined="no row is {positive} or predicted {positive}, or all rows are both",
    source="Gilbert 1884, American Meteorological Journal 1, 166-172",
    ratio=True,
    monotone=True,
)
def gilbert_skill_score(m: ConfusionMatrix) -> Any:
    hits = m.true_positives
    chance = m.predicted_positives * (hits + m.false_negatives) / m.decided
    return (hits - chance) / (hits + m.false_positives + m.false_negatives - chance)


@metric(
    formula="(log(fpr) - log(tpr)) / (log(fpr) + log(tpr))",
    family="association",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("edi",),
    sentence="the extremal dependence index, designed for rare classes, is {value}",
    undefined="fpr or tpr is 0, or both are 1, or all rows are of one class",
    source="Ferro & Stephenson 2011, doi:10.1175/WAF-D-10-05030.1",
    depends_on_prevalence=False,
    monotone=True,
)
def extremal_dependence_index(m: ConfusionMatrix) -> Any:
    tpr, fpr = np.log(true_positive_rate(m)), np.log(false_positive_rate(m))
    return (fpr - tpr) / (fpr + tpr)


@metric(
    formula="(log(fpr) - log(tpr) - log(1 - fpr) + log(1 - tpr)) / "
    "(log(fpr) + log(tpr) + log(1 - fpr) + log(1 - tpr))",
    family="association",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("sedi",),
    sentence="the symmetric extremal dependence index is {value}",
    undefined="fpr or tpr is 0 or 1, or all rows are of one class",
    source="Ferro & Stephenson 2011, doi:10.1175/WAF-D-10-05030.1",
    depends_on_prevalence=False,
    monotone=True,
)
def symmetric_extremal_dependence_index(m: ConfusionMatrix) -> Any:
    tpr, fpr = true_positive_rate(m), false_positive_rate(m)
    log_errors, log_hits = np.log(fpr) + np.log1p(-tpr), np.log(tpr) + np.log1p(-fpr)
    return (log_errors - log_hits) / (log_errors + log_hits)


@metric(
    usual_label="Bray–Curtis dissimilarity",
    formula="abs(fp - fn) / (2 * n)",
    family="association",
    range=(0.0, 0.5),
    better="lower",
    aliases=("bcd",),
    sentence="the dissimilarity of actual and predicted class counts is {value}",
    undefined="there are no rows",
    no_interval="its estimate is not normally distributed if both errors are equally frequent",
)
def bray_curtis_dissimilarity(m: ConfusionMatrix) -> Any:
    return np.abs(m.false_positives - m.false_negatives) / (2 * m.rows)


@metric(
    formula="tpr + precision - 1",
    family="association",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("icsi",),
    sentence="the individual classification success index of {positive} is {value}",
    undefined="no row is {positive}, or nothing is predicted {positive}",
    source="Labatut & Cherifi 2011, arXiv:1207.3790",
    monotone=True,
)
def classification_success_index(m: ConfusionMatrix) -> Any:
    return true_positive_rate(m) + m.true_positives / m.predicted_positives - 1
