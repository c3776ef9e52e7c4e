"""Rates of one actual or predicted class: sensitivity, specificity, precision, NPV."""

from __future__ import annotations

from typing import Any

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.measures import interval_formulas
from tradeoff.measures.registry import metric

UNIT_RANGE = (0.0, 1.0)
NO_POSITIVE = "no row is {positive}"
NO_NEGATIVE = "no row is {negative}"
NONE_PREDICTED_POSITIVE = "nothing is predicted {positive}"
NONE_PREDICTED_NEGATIVE = "nothing is predicted {negative}"


@metric(
    formula="tp / P",
    family="rates",
    range=UNIT_RANGE,
    trials="positives",
    linear=True,
    better="higher",
    aliases=(
        "recall",
        "sensitivity",
        "hit_rate",
        "recall_score",
        "probability_of_detection",
        "tpr",
        "sens",
        "pod",
    ),
    sentence="of the rows that are {positive}, {share} are predicted {positive}",
    axis="True positive rate (recall{of})",
    undefined=NO_POSITIVE,
    others="scikit-learn's recall_score returns 0 with a warning when no row is positive.",
    in_sklearn=0.0,
    depends_on_prevalence=False,
    monotone=True,
    monotone_along_ranking=True,
    headline={"tables": 3, "parts": 1, "band": 6, "page": 1, "matrix": 1, "tracking": 3},
    reached_by_more_positives=True,
)
def true_positive_rate(m: ConfusionMatrix) -> Any:
    return m.true_positives / m.positives


@metric(
    formula="fp / N",
    family="rates",
    range=UNIT_RANGE,
    trials="negatives",
    linear=True,
    better="lower",
    aliases=("fall_out", "false_alarm_rate", "probability_of_false_detection", "fpr", "pofd"),
    sentence="of the rows that are {negative}, {share} are predicted {positive}",
    axis="False positive rate|share of {negative} predicted {one}",
    undefined=NO_NEGATIVE,
    others="Weka's column called fallout is fp / (tp + fp), the false discovery rate, as is the "
    "false alarm *ratio* of meteorology.",
    depends_on_prevalence=False,
    monotone=True,
    monotone_along_ranking=True,
    headline={"tables": 4, "parts": 2, "band": 7, "page": 2, "matrix": 2, "tracking": 4},
)
def false_positive_rate(m: ConfusionMatrix) -> Any:
    return m.false_positives / m.negatives


@metric(
    formula="tn / N",
    family="rates",
    range=UNIT_RANGE,
    trials="negatives",
    linear=True,
    better="higher",
    aliases=("specificity", "selectivity", "correct_rejection_rate", "tnr", "spec"),
    sentence="of the rows that are {negative}, {share} are predicted {negative}",
    axis="True negative rate (specificity)",
    undefined=NO_NEGATIVE,
    depends_on_prevalence=False,
    monotone=True,
    monotone_along_ranking=True,
    headline={"tables": 5},
)
def true_negative_rate(m: ConfusionMatrix) -> Any:
    return m.true_negatives / m.negatives


@metric(
    formula="fn / P",
    family="rates",
    range=UNIT_RANGE,
    trials="positives",
    linear=True,
    better="lower",
    aliases=("miss_rate", "fnr"),
    sentence="of the rows that are {positive}, {share} are missed",
    axis="False negative rate|share of {positive} missed",
    undefined=NO_POSITIVE,
    depends_on_prevalence=False,
    monotone=True,
    monotone_along_ranking=True,
    reached_by_more_positives=True,
)
def false_negative_rate(m: ConfusionMatrix) -> Any:
    return m.false_negatives / m.positives


@metric(
    formula="tp / (tp + fp)",
    family="predictive values",
    range=UNIT_RANGE,
    trials="predicted_positives",
    better="higher",
    aliases=(
        "positive_predictive_value",
        "ppv",
        "success_ratio",
        "confidence",
        "prec",
        "precision_score",
        "response_rate",
    ),
    sentence="of the rows predicted {positive}, {share} are {positive}",
    axis="Precision|share of {positive} among predicted {one}",
    undefined=NONE_PREDICTED_POSITIVE,
    others="If nothing is predicted positive, Weka writes 0; scikit-learn's precision_score "
    "returns 0 with a warning, and its precision_recall_curve adds a point with precision 1; ROCR "
    "and pROC return NaN.",
    in_sklearn=0.0,
    monotone=True,
    interval=interval_formulas.positive_predictive,
    headline={"tables": 6, "parts": 3, "band": 8, "page": 3, "matrix": 3, "tracking": 2},
)
def precision(m: ConfusionMatrix) -> Any:
    return m.true_positives / m.predicted_positives


@metric(
    usual_label="NPV",
    formula="tn / (tn + fn)",
    family="predictive values",
    range=UNIT_RANGE,
    trials="predicted_negatives",
    better="higher",
    aliases=("npv",),
    sentence="of the rows predicted {negative}, {share} are {negative}",
    undefined=NONE_PREDICTED_NEGATIVE,
    monotone=True,
    interval=interval_formulas.negative_predictive,
    headline={"tables": 7, "band": 9, "page": 4, "matrix": 4},
    reached_by_more_positives=True,
)
def negative_predictive_value(m: ConfusionMatrix) -> Any:
    return m.true_negatives / m.predicted_negatives


@metric(
    formula="fp / (tp + fp)",
    family="predictive values",
    range=UNIT_RANGE,
    trials="predicted_positives",
    better="lower",
    aliases=("false_alarm_ratio", "prediction_conditioned_fallout", "fdr"),
    sentence="of the rows predicted {positive}, {share} are {negative}",
    undefined=NONE_PREDICTED_POSITIVE,
    others="Not the false alarm *rate*, which divides by the negative rows. Weka calls it fallout.",
    monotone=True,
    interval=interval_formulas.false_discovery,
)
def false_discovery_rate(m: ConfusionMatrix) -> Any:
    return m.false_positives / m.predicted_positives


@metric(
    formula="fn / (tn + fn)",
    family="predictive values",
    range=UNIT_RANGE,
    trials="predicted_negatives",
    better="lower",
    aliases=("prediction_conditioned_miss", "for"),
    sentence="of the rows predicted {negative}, {share} are {positive}",
    undefined=NONE_PREDICTED_NEGATIVE,
    monotone=True,
    interval=interval_formulas.false_omission,
    reached_by_more_positives=True,
)
def false_omission_rate(m: ConfusionMatrix) -> Any:
    return m.false_negatives / m.predicted_negatives
