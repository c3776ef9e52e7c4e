"""Metrics that combine several rates: means, distances, differences, F-measures."""

from __future__ import annotations

from typing import Any

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.errors import InputError
from tradeoff.measures import interval_formulas
from tradeoff.measures.metrics.overall import accuracy
from tradeoff.measures.metrics.rates import (
    UNIT_RANGE,
    false_positive_rate,
    negative_predictive_value,
    precision,
    true_negative_rate,
    true_positive_rate,
)
from tradeoff.measures.registry import metric

ONE_CLASS = "all rows are of one class"
ONE_PREDICTED_CLASS = "all rows are predicted as one class"
NO_POSITIVE_AND_NONE_PREDICTED = "no row is {positive} or predicted {positive}"
NO_POSITIVE_OR_NONE_PREDICTED = "no row is {positive}, or nothing is predicted {positive}"
SIGNED_RANGE = (-1.0, 1.0)


@metric(
    formula="(tpr + tnr) / 2",
    family="combined",
    range=UNIT_RANGE,
    linear=True,
    better="higher",
    aliases=("auc_of_one_point", "bacc", "balanced_acc", "balanced_accuracy_score"),
    sentence="averaged over both classes, {share} of rows are classified correctly",
    undefined=ONE_CLASS,
    others="Equals the AUC of a ROC curve with a single point.",
    depends_on_prevalence=False,
    monotone=True,
    interval=interval_formulas.mean_of_rates,
    headline={"tables": 9},
)
def balanced_accuracy(m: ConfusionMatrix) -> Any:
    return (true_positive_rate(m) + true_negative_rate(m)) / 2


@metric(
    formula="(fpr + fnr) / 2",
    family="combined",
    range=UNIT_RANGE,
    linear=True,
    better="lower",
    aliases=("half_total_error_rate", "ber", "hter"),
    sentence="averaged over both classes, {share} of rows are misclassified",
    undefined=ONE_CLASS,
    depends_on_prevalence=False,
    monotone=True,
    interval=interval_formulas.mean_of_errors,
)
def balanced_error_rate(m: ConfusionMatrix) -> Any:
    return (false_positive_rate(m) + m.false_negatives / m.positives) / 2


@metric(
    usual_label="F1",
    formula="(1 + beta**2) * tp / (beta**2 * P + tp + fp)",
    two_classes="if_zero(tp, 0 / (P - tp + fp), "
    "tp / (tp + (P - tp) / (1 + beta**-2) + fp * (1 - 1 / (1 + beta**-2))))",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    aliases=("f1", "f1_score", "f_score", "f_beta", "fbeta_score", "dice", "sorensen_dice", "f"),
    presets={"f2": {"beta": 2.0}, "f0.5": {"beta": 0.5}, "f_half": {"beta": 0.5}},
    sentence="precision and recall have the weighted harmonic mean {value} (beta {beta})",
    undefined=NO_POSITIVE_AND_NONE_PREDICTED,
    others="0 without true positives, even if precision is 0/0, for which pROC and ROCR return "
    "NaN. ROCR's alpha is 1 / (1 + beta²).",
    source="van Rijsbergen 1979, Information Retrieval, chapter 7",
    in_sklearn=0.0,
    ratio=True,
    monotone=True,
    headline={"tables": 10, "page": 6, "tracking": 5},
    title="F-measure",
)
def f_measure(m: ConfusionMatrix, *, beta: float = 1.0) -> Any:
    if not beta >= 0:
        raise InputError(f"beta of the F-measure must be 0 or more, not {beta:g}.")
    # beta²/(1 + beta²) instead of beta²: an infinite beta then simply gives recall.
    weight = 0.0 if beta == 0 else 1 / (1 + np.float64(beta) ** -2)
    misses = m.positives - m.true_positives
    value = m.true_positives / (
        m.true_positives + weight * misses + (1 - weight) * m.false_positives
    )
    return np.where((m.true_positives == 0) & (misses + m.false_positives > 0), 0.0, value)


@metric(
    usual_label="Fowlkes–Mallows",
    formula="sqrt(tpr * precision)",
    two_classes="if_zero(tp, 0 / (P - tp + fp), tp / sqrt(P * (tp + fp)))",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    aliases=("g_mean_1", "g_measure", "ochiai", "otsuka_ochiai"),
    sentence="precision and recall have the geometric mean {value}",
    undefined=NO_POSITIVE_AND_NONE_PREDICTED,
    others="0 without true positives, even if precision is 0/0.",
    source="Fowlkes & Mallows 1983, doi:10.1080/01621459.1983.10478008",
    monotone=True,
)
def fowlkes_mallows(m: ConfusionMatrix) -> Any:
    value = m.true_positives / np.sqrt(m.positives * m.predicted_positives)
    errors = m.positives - m.true_positives + m.false_positives
    return np.where((m.true_positives == 0) & (errors > 0), 0.0, value)


@metric(
    formula="sqrt(tpr * tnr)",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    aliases=("g_mean_2", "g_mean"),
    sentence="sensitivity and specificity have the geometric mean {value}",
    undefined=ONE_CLASS,
    source="Kubat & Matwin 1997, Proc. ICML, 179-186",
    depends_on_prevalence=False,
    monotone=True,
)
def geometric_mean(m: ConfusionMatrix) -> Any:
    return np.sqrt(true_positive_rate(m) * true_negative_rate(m))


@metric(
    formula="sqrt(weight * (1 - tpr)**2 + (1 - weight) * fpr**2)",
    family="combined",
    range=UNIT_RANGE,
    better="lower",
    aliases=("acd", "weighted_distance"),
    sentence="the weighted distance to the top-left corner of the ROC plot is {value} (weight "
    "{weight} on false negatives)",
    undefined=ONE_CLASS,
    others="The weights sum to 1, so the maximum is 1; that of the unweighted distance is √2.",
    depends_on_prevalence=False,
    monotone=True,
)
def distance_to_perfect(m: ConfusionMatrix, *, weight: float = 0.5) -> Any:
    if not 0 <= weight <= 1:
        raise InputError(f"The weight of a distance must be between 0 and 1, not {weight:g}.")
    misses = 1 - true_positive_rate(m)
    return np.sqrt(weight * misses**2 + (1 - weight) * false_positive_rate(m) ** 2)


@metric(
    usual_label="distance to perfect (unweighted)",
    formula="sqrt((1 - tpr)**2 + fpr**2)",
    family="combined",
    range=(0.0, 2.0**0.5),
    better="lower",
    aliases=("closest_top_left", "plain_distance"),
    sentence="the distance to the top-left corner of the ROC plot is {value}",
    undefined=ONE_CLASS,
    others="pROC's closest.topleft is the square of this distance.",
    depends_on_prevalence=False,
    monotone=True,
)
def plain_distance_to_perfect(m: ConfusionMatrix) -> Any:
    return np.hypot(1 - true_positive_rate(m), false_positive_rate(m))


@metric(
    usual_label="Youden's J",
    formula="tpr - fpr",
    family="combined",
    range=SIGNED_RANGE,
    linear=True,
    better="higher",
    aliases=(
        "informedness",
        "peirce_skill_score",
        "true_skill_statistic",
        "hanssen_kuipers",
        "j_index",
        "j",
        "youden",
        "youden_index",
        "bm",
        "pss",
        "tss",
    ),
    sentence="the proportion predicted {positive} is {value} higher in class {positive} than in "
    "class {negative}",
    axis="Youden's J (TPR − FPR)",
    undefined=ONE_CLASS,
    others="pROC's youden is sensitivity + specificity, without the minus 1.",
    source="Youden 1950, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
    depends_on_prevalence=False,
    monotone=True,
    interval=interval_formulas.difference_of_rates,
    headline={"tables": 12, "page": 7, "matrix": 7},
    title="Youden's J",
)
def youden_j(m: ConfusionMatrix) -> Any:
    return true_positive_rate(m) - false_positive_rate(m)


@metric(
    formula="precision + npv - 1",
    family="combined",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("delta_p", "clayton_skill_score", "mk"),
    sentence="rows predicted {positive} are {positive} more often than other rows, by {value}",
    undefined=ONE_PREDICTED_CLASS,
    source="Powers 2011, arXiv:2010.16061",
    monotone=True,
)
def markedness(m: ConfusionMatrix) -> Any:
    return precision(m) + negative_predictive_value(m) - 1


@metric(
    formula="tp / (tp + fp + P - tp)",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    aliases=(
        "threat_score",
        "jaccard",
        "csi",
        "iou",
        "intersection_over_union",
        "jaccard_index",
        "jaccard_score",
    ),
    sentence="of the rows that are {positive} or predicted {positive}, {share} are both",
    undefined=NO_POSITIVE_AND_NONE_PREDICTED,
    in_sklearn=0.0,
    ratio=True,
    monotone=True,
)
def critical_success_index(m: ConfusionMatrix) -> Any:
    return m.true_positives / (m.positives + m.false_positives)


@metric(
    usual_label="P4",
    formula="4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn))",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    sentence="precision, recall, specificity and npv have the harmonic mean {value}",
    undefined="no row is classified correctly, or all are and they are of one class",
    source="Sitarz 2022, arXiv:2210.11997",
    monotone=True,
)
def p4(m: ConfusionMatrix) -> Any:
    product = 4 * m.true_positives * m.true_negatives
    correct = m.true_positives + m.true_negatives
    return product / (product + correct * (m.false_positives + m.false_negatives))


@metric(
    usual_label="Kulczynski",
    formula="(tpr + precision) / 2",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    aliases=("kulczynski_2",),
    sentence="precision and recall have the mean {value}",
    undefined=NO_POSITIVE_OR_NONE_PREDICTED,
    others="pycm calls it AUPR, the area under a precision-recall curve of one point.",
    monotone=True,
)
def kulczynski(m: ConfusionMatrix) -> Any:
    return (true_positive_rate(m) + precision(m)) / 2


@metric(
    formula="tp / min(tp + fp, P)",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    aliases=("szymkiewicz_simpson",),
    sentence="actual and predicted {positive} rows overlap by {share} of the smaller group",
    undefined=NO_POSITIVE_OR_NONE_PREDICTED,
    monotone=True,
    interval=interval_formulas.overlap_with_fewer,
)
def overlap_coefficient(m: ConfusionMatrix) -> Any:
    return m.true_positives / np.minimum(m.predicted_positives, m.positives)


@metric(
    usual_label="Braun–Blanquet",
    formula="tp / max(tp + fp, P)",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    sentence="actual and predicted {positive} rows overlap by {share} of the larger group",
    undefined=NO_POSITIVE_AND_NONE_PREDICTED,
    monotone=True,
    interval=interval_formulas.overlap_with_more,
)
def braun_blanquet(m: ConfusionMatrix) -> Any:
    return m.true_positives / np.maximum(m.predicted_positives, m.positives)


@metric(
    formula="accuracy - abs(tnr - tpr) / (tnr + tpr)",
    family="combined",
    range=SIGNED_RANGE,
    better="higher",
    sentence="accuracy, penalized for unequal sensitivity and specificity, is {value}",
    undefined="all rows are of one class, or none is classified correctly",
    source="Ranawana & Palade 2006, doi:10.1109/CEC.2006.1688586",
    no_interval="it is not smooth, so its estimate is not normally distributed",
)
def optimized_precision(m: ConfusionMatrix) -> Any:
    tpr, tnr = true_positive_rate(m), true_negative_rate(m)
    return accuracy(m) - np.abs(tnr - tpr) / (tnr + tpr)


@metric(
    formula="(1 + dominance * (tpr - tnr)) * tpr * tnr",
    family="combined",
    range=(0.0, 1.0),
    better="higher",
    aliases=("iba",),
    sentence="the index of balanced accuracy is {value}",
    undefined=ONE_CLASS,
    others="pycm uses a dominance of 1.",
    source="García, Mollineda & Sánchez 2009, doi:10.1007/978-3-642-02172-5_57",
    depends_on_prevalence=False,
)
def index_of_balanced_accuracy(m: ConfusionMatrix, *, dominance: float = 0.1) -> Any:
    tpr, tnr = true_positive_rate(m), true_negative_rate(m)
    return (1 + dominance * (tpr - tnr)) * tpr * tnr


@metric(
    formula="1 - sqrt(((1 - tpr)**2 + fpr**2) / 2)",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    aliases=("sind",),
    sentence="the similarity to the top-left corner of the ROC plot is {value} (1 is perfect)",
    undefined=ONE_CLASS,
    depends_on_prevalence=False,
    monotone=True,
)
def similarity_index(m: ConfusionMatrix) -> Any:
    return 1 - plain_distance_to_perfect(m) / 2**0.5


@metric(
    formula="(geometric_mean + tnr * N / n) / (1 + N / n)",
    two_classes="if_zero(tpr, 0 * tnr, (geometric_mean + tnr * N / n) / (1 + N / n))",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    aliases=("agm",),
    sentence="the geometric mean, weighted towards specificity by the proportion of {negative}, "
    "is {value}",
    undefined=ONE_CLASS,
    others="0 by definition if there are no true positives.",
    source="Batuwita & Palade 2009, Proc. ICMLA",
    monotone=True,
)
def adjusted_geometric_mean(m: ConfusionMatrix) -> Any:
    tpr, tnr, weight = true_positive_rate(m), true_negative_rate(m), m.negatives / m.rows
    # A classifier without true positives must not profit from true negatives.
    return np.where(tpr == 0, 0 * tnr, (geometric_mean(m) + tnr * weight) / (1 + weight))


@metric(
    usual_label="adjusted F-measure",
    formula="sqrt(F2 of the positive class * F0.5 of the negative class)",
    two_classes="sqrt(5 * tp / (tp + 4 * P + fp) * (5 * tn / (4 * tn + N + 4 * fn)))",
    family="combined",
    range=UNIT_RANGE,
    better="higher",
    aliases=("agf",),
    sentence="the adjusted F-measure, which accounts for both classes, is {value}",
    undefined="one class neither occurs nor is predicted",
    source="Maratea, Petrosino & Manzo 2014, doi:10.1016/j.ins.2013.04.016",
    monotone=True,
)
def adjusted_f_measure(m: ConfusionMatrix) -> Any:
    return np.sqrt(f_measure(m, beta=2.0) * f_measure(m.swapped(), beta=0.5))
