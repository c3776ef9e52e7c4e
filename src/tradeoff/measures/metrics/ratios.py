"""Ratios without an upper bound: likelihood ratios, odds ratio, lift."""

from __future__ import annotations

from math import inf, pi
from typing import Any

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.measures import interval_formulas
from tradeoff.measures.metrics.combined import (
    NO_POSITIVE_OR_NONE_PREDICTED,
    ONE_CLASS,
    SIGNED_RANGE,
    markedness,
    youden_j,
)
from tradeoff.measures.metrics.overall import prevalence
from tradeoff.measures.metrics.rates import (
    NO_POSITIVE,
    UNIT_RANGE,
    false_negative_rate,
    false_positive_rate,
    precision,
    true_negative_rate,
    true_positive_rate,
)
from tradeoff.measures.registry import metric

FLACH_KULL_2015 = "Flach & Kull 2015, Precision-Recall-Gain curves: PR analysis done right, NIPS 28"
BOTH_PRODUCTS_ZERO = "tp · tn and fp · fn are both 0"


@metric(
    formula="precision / prevalence",
    family="ratios",
    range=(0.0, inf),
    better="higher",
    aliases=("lift_factor", "lift_score"),
    sentence="{positive} is {value} times as frequent among rows predicted {positive} as "
    "among all rows",
    axis="Lift (ratio to chance)",
    undefined=NO_POSITIVE_OR_NONE_PREDICTED,
    others="Weka writes a missing value if fewer than one true positive is expected by chance. The "
    "proportion of positives by depth is called gains, not lift.",
    ratio=True,
    monotone=True,
    headline={"tables": 13, "matrix": 6},
)
def lift(m: ConfusionMatrix) -> Any:
    return precision(m) / prevalence(m)


@metric(
    formula="tpr / fpr",
    family="ratios",
    range=(0.0, inf),
    better="higher",
    aliases=("lr_positive", "plr", "lr+", "lr_plus"),
    sentence="rows of class {positive} are {value} times as likely to be predicted "
    "{positive} as rows of class {negative}",
    undefined="nothing is predicted {positive}, or all rows are of one class",
    others="Infinite if there are no false positives; pycm returns None, and scikit-learn NaN.",
    depends_on_prevalence=False,
    ratio=True,
    monotone=True,
    interval=interval_formulas.positive_likelihood,
)
def positive_likelihood_ratio(m: ConfusionMatrix) -> Any:
    return true_positive_rate(m) / false_positive_rate(m)


@metric(
    formula="fnr / tnr",
    family="ratios",
    range=(0.0, inf),
    better="lower",
    aliases=("lr_negative", "nlr", "lr-", "lr_minus"),
    sentence="rows of class {positive} are {value} times as likely to be predicted "
    "{negative} as rows of class {negative}",
    undefined="nothing is predicted {negative}, or all rows are of one class",
    depends_on_prevalence=False,
    ratio=True,
    monotone=True,
    interval=interval_formulas.negative_likelihood,
    reached_by_more_positives=True,
)
def negative_likelihood_ratio(m: ConfusionMatrix) -> Any:
    return false_negative_rate(m) / true_negative_rate(m)


@metric(
    formula="tp * tn / (fp * fn)",
    family="ratios",
    range=(0.0, inf),
    better="higher",
    aliases=("diagnostic_odds_ratio", "dor"),
    sentence="the odds of being predicted {positive} are {value} times as high in class {positive}",
    undefined=BOTH_PRODUCTS_ZERO,
    others="Infinite if one kind of error does not occur; pycm returns None.",
    source="Glas et al. 2003, doi:10.1016/S0895-4356(03)00177-X",
    depends_on_prevalence=False,
    monotone=True,
    interval=interval_formulas.odds,
)
def odds_ratio(m: ConfusionMatrix) -> Any:
    return m.true_positives * m.true_negatives / (m.false_positives * m.false_negatives)


@metric(
    formula="log(tp * tn / (fp * fn))",
    family="ratios",
    range=(-inf, inf),
    better="higher",
    aliases=("lor",),
    sentence="the natural logarithm of the odds ratio is {value}",
    undefined=BOTH_PRODUCTS_ZERO,
    depends_on_prevalence=False,
    monotone=True,
    interval=interval_formulas.log_odds,
)
def log_odds_ratio(m: ConfusionMatrix) -> Any:
    return np.log(odds_ratio(m))


@metric(
    formula="sqrt(3) / pi * log(tp * tn / (fp * fn))",
    family="ratios",
    range=(-inf, inf),
    better="higher",
    aliases=("dp",),
    sentence="the discriminant power is {value} (3 and above is good)",
    undefined=BOTH_PRODUCTS_ZERO,
    others="Uses natural logarithms; pycm uses common ones, which divides the value by ln 10.",
    source="Blakeley, Oddone et al. 1995, Annals of Internal Medicine 122, 360-367",
    depends_on_prevalence=False,
    monotone=True,
    interval=interval_formulas.effect_size,
)
def discriminant_power(m: ConfusionMatrix) -> Any:
    return np.sqrt(3) / pi * log_odds_ratio(m)


@metric(
    usual_label="Yule's Q",
    formula="(tp * tn - fp * fn) / (tp * tn + fp * fn)",
    family="ratios",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("odds_ratio_skill_score", "q"),
    sentence="Yule's Q, the odds ratio rescaled to the range from -1 to 1, is {value}",
    undefined=BOTH_PRODUCTS_ZERO,
    depends_on_prevalence=False,
    monotone=True,
    interval=interval_formulas.association,
)
def yules_q(m: ConfusionMatrix) -> Any:
    concordant, discordant = _cell_products(m)
    return (concordant - discordant) / (concordant + discordant)


@metric(
    usual_label="Yule's Y",
    formula="(sqrt(tp * tn) - sqrt(fp * fn)) / (sqrt(tp * tn) + sqrt(fp * fn))",
    family="ratios",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("coefficient_of_colligation",),
    sentence="Yule's Y, the odds ratio rescaled to the range from -1 to 1, is {value}",
    undefined=BOTH_PRODUCTS_ZERO,
    others="pycm's column Y is Youden's J.",
    depends_on_prevalence=False,
    monotone=True,
    interval=interval_formulas.colligation,
)
def yules_y(m: ConfusionMatrix) -> Any:
    concordant, discordant = map(np.sqrt, _cell_products(m))
    return (concordant - discordant) / (concordant + discordant)


@metric(
    formula="sqrt(fpr) / (sqrt(tpr) + sqrt(fpr))",
    family="ratios",
    range=UNIT_RANGE,
    better="lower",
    sentence="below a prevalence of {share}, precision declines steeply",
    undefined="nothing is predicted {positive}, or all rows are of one class",
    source="Balayla 2020, doi:10.1371/journal.pone.0240215",
    depends_on_prevalence=False,
    monotone=True,
)
def prevalence_threshold(m: ConfusionMatrix) -> Any:
    root_tpr, root_fpr = np.sqrt(true_positive_rate(m)), np.sqrt(false_positive_rate(m))
    return root_fpr / (root_tpr + root_fpr)


@metric(
    formula="(tp + fp) / P",
    family="ratios",
    range=(0.0, inf),
    better=None,
    aliases=("bias_score", "bias"),
    sentence="{positive} is predicted {value} times as often as it occurs",
    undefined=NO_POSITIVE,
    ratio=True,
    monotone_along_ranking=True,
)
def frequency_bias(m: ConfusionMatrix) -> Any:
    return m.predicted_positives / m.positives


@metric(
    formula="1 / (tpr - fpr)",
    family="ratios",
    range=(-inf, inf),
    better=None,
    aliases=("nnd",),
    sentence="{value} rows must be tested to detect one more row of class {positive} than by "
    "chance",
    undefined=ONE_CLASS,
    source="Linn & Grunau 2006, doi:10.1186/1742-5573-3-11",
    depends_on_prevalence=False,
    interval=interval_formulas.reciprocal_difference,
)
def number_needed_to_diagnose(m: ConfusionMatrix) -> Any:
    return 1 / youden_j(m)


@metric(
    formula="1 / (precision + npv - 1)",
    family="ratios",
    range=(-inf, inf),
    better=None,
    aliases=("nnp",),
    sentence="{value} rows must be predicted for one more correct prediction than by chance",
    undefined="all rows are predicted as one class",
    source="Linn & Grunau 2006, doi:10.1186/1742-5573-3-11",
    interval=interval_formulas.reciprocal_markedness,
)
def number_needed_to_predict(m: ConfusionMatrix) -> Any:
    return 1 / markedness(m)


def _cell_products(m: ConfusionMatrix) -> tuple[Any, Any]:
    """Products of the diagonal cells, tp · tn, and of the off-diagonal cells, fp · fn."""
    return m.true_positives * m.true_negatives, m.false_positives * m.false_negatives


@metric(
    formula="1 - prevalence / (1 - prevalence) * fp / tp",
    two_classes="1 - P / N * (fp / tp)",
    family="ratios",
    range=(-inf, 1.0),
    better="higher",
    sentence="on the gain scale, where predicting all rows {positive} gives 0, precision is "
    "{value}",
    undefined="all rows are of one class, or nothing is predicted {positive}",
    source=FLACH_KULL_2015,
    depends_on_prevalence=False,
    ratio=True,
    monotone=True,
    interval=interval_formulas.likelihood_gain,
)
def precision_gain(m: ConfusionMatrix) -> Any:
    return _gain(m, m.false_positives)


@metric(
    formula="1 - prevalence / (1 - prevalence) * (P - tp) / tp",
    two_classes="1 - P / N * ((P - tp) / tp)",
    family="ratios",
    range=(-inf, 1.0),
    better="higher",
    sentence="on the gain scale, where a recall equal to the prevalence gives 0, recall is {value}",
    undefined="all rows are of one class",
    source=FLACH_KULL_2015,
    ratio=True,
    monotone=True,
    monotone_along_ranking=True,
    interval=interval_formulas.recall_gain,
    reached_by_more_positives=True,
)
def recall_gain(m: ConfusionMatrix) -> Any:
    return _gain(m, m.positives - m.true_positives)


def _gain(m: ConfusionMatrix, errors: Any) -> Any:
    return 1 - m.positives / m.negatives * (errors / m.true_positives)
