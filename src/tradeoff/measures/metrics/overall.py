"""Metrics over all rows: accuracy, error rate, rejection, prevalence, predicted positives."""

from __future__ import annotations

from typing import Any

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.measures import interval_formulas
from tradeoff.measures.metrics.rates import UNIT_RANGE
from tradeoff.measures.registry import metric

ALL_REJECTED = "every row is rejected"
NO_ROWS = "there are no rows"


@metric(
    formula="(tp + tn) / n",
    family="all rows",
    range=UNIT_RANGE,
    trials="rows",
    linear=True,
    better="higher",
    aliases=("fraction_correct", "hit_fraction", "acc", "accuracy_score"),
    sentence="{share} of all rows are classified correctly",
    undefined=NO_ROWS,
    any_classes=True,
    others="Rejected rows count as not correct here; `accepted_accuracy` leaves them out.",
    monotone=True,
    headline={"tables": 1, "parts": 4, "band": 1, "page": 5, "matrix": 5, "tracking": 1},
)
def accuracy(m: ConfusionMatrix | ClassMatrix) -> Any:
    return m.correct / m.rows


@metric(
    formula="(fp + fn) / n",
    family="all rows",
    range=UNIT_RANGE,
    trials="rows",
    linear=True,
    better="lower",
    aliases=("misclassification_rate", "zero_one_loss", "hamming_loss", "err"),
    sentence="{share} of all rows are misclassified",
    undefined=NO_ROWS,
    any_classes=True,
    others="Weka's Evaluation.errorRate() returns the average cost once a cost matrix is set.",
    monotone=True,
    headline={"tables": 2, "band": 2},
)
def error_rate(m: ConfusionMatrix | ClassMatrix) -> Any:
    return (m.decided - m.correct) / m.rows


@metric(
    formula="(rp + rn) / n",
    family="all rows",
    range=UNIT_RANGE,
    trials="rows",
    linear=True,
    better=None,
    sentence="{share} of all rows are left undecided",
    axis="Share of {rows} rejected",
    undefined=NO_ROWS,
    any_classes=True,
    headline={"band": 3},
)
def rejection_rate(m: ConfusionMatrix | ClassMatrix) -> Any:
    return m.rejected / m.rows


@metric(
    formula="(tp + fn + fp + tn) / n",
    two_classes="d / n",
    family="all rows",
    range=UNIT_RANGE,
    trials="rows",
    linear=True,
    better=None,
    aliases=("accepted_share",),
    sentence="{share} of all rows are decided",
    axis="Coverage (share of {rows} decided)",
    undefined=NO_ROWS,
    any_classes=True,
)
def coverage(m: ConfusionMatrix | ClassMatrix) -> Any:
    return m.decided / m.rows


@metric(
    formula="(tp + tn) / (tp + fn + fp + tn)",
    two_classes="(tp + tn) / d",
    family="all rows",
    range=UNIT_RANGE,
    trials="decided",
    better="higher",
    aliases=("selective_accuracy", "observed_agreement"),
    sentence="of the rows that were decided, {share} are classified correctly",
    axis="Accuracy of decided {rows}",
    undefined=ALL_REJECTED,
    any_classes=True,
    monotone=True,
    headline={"band": 4},
    zoomed=True,
)
def accepted_accuracy(m: ConfusionMatrix | ClassMatrix) -> Any:
    return m.correct / m.decided


@metric(
    formula="(fp + fn) / (tp + fn + fp + tn)",
    family="all rows",
    range=UNIT_RANGE,
    trials="decided",
    better="lower",
    aliases=("selective_risk",),
    sentence="of the rows that were decided, {share} are misclassified",
    axis="Risk (error rate of decided {rows})",
    undefined=ALL_REJECTED,
    any_classes=True,
    monotone=True,
    headline={"band": 5},
    zoomed=True,
)
def accepted_error_rate(m: ConfusionMatrix | ClassMatrix) -> Any:
    return (m.decided - m.correct) / m.decided


@metric(
    formula="P / n",
    family="all rows",
    range=UNIT_RANGE,
    trials="rows",
    better=None,
    aliases=("base_rate", "prior", "pre"),
    sentence="{share} of all rows are {positive}",
    undefined=NO_ROWS,
    headline={"tables": 8},
)
def prevalence(m: ConfusionMatrix) -> Any:
    return m.positives / m.rows


@metric(
    formula="(tp + fp) / n",
    family="all rows",
    range=UNIT_RANGE,
    trials="rows",
    linear=True,
    better=None,
    aliases=("depth", "rate_of_positive_predictions", "detection_prevalence", "rpp", "ppcr"),
    sentence="{share} of all rows are predicted {positive}",
    axis="Share of {rows} predicted {one}",
    undefined=NO_ROWS,
    others="Weka calls it Sample Size.",
    monotone_along_ranking=True,
)
def predicted_positive_rate(m: ConfusionMatrix) -> Any:
    return m.predicted_positives / m.rows


@metric(
    formula="(tn + fn) / n",
    family="all rows",
    range=UNIT_RANGE,
    trials="rows",
    linear=True,
    better=None,
    aliases=("rate_of_negative_predictions", "rnp"),
    sentence="{share} of all rows are predicted {negative}",
    undefined=NO_ROWS,
    monotone_along_ranking=True,
    reached_by_more_positives=True,
)
def predicted_negative_rate(m: ConfusionMatrix) -> Any:
    return m.predicted_negatives / m.rows


@metric(
    formula="tp / n",
    family="all rows",
    range=UNIT_RANGE,
    trials="rows",
    linear=True,
    better="higher",
    sentence="{share} of all rows are {positive} and predicted {positive}",
    undefined=NO_ROWS,
    others="The name is caret's; some fields use it for the true positive rate.",
    monotone=True,
    monotone_along_ranking=True,
    reached_by_more_positives=True,
)
def detection_rate(m: ConfusionMatrix) -> Any:
    return m.true_positives / m.rows


@metric(
    usual_label="no-information rate",
    formula="max(tp + fn, fp + tn) / (tp + fn + fp + tn)",
    two_classes="max(tp + fn, fp + tn) / d",
    family="all rows",
    range=UNIT_RANGE,
    better=None,
    aliases=("nir", "majority_share"),
    sentence="always predicting the larger class would be correct for {share} of the decided rows",
    undefined=ALL_REJECTED,
    any_classes=True,
    ratio=True,
    interval=interval_formulas.larger_share,
)
def no_information_rate(m: ConfusionMatrix | ClassMatrix) -> Any:
    return m.counts.sum(axis=1).max(axis=0) / m.decided
