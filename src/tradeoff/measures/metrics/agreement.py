"""Chance-corrected agreement between actual and predicted classes, for two classes or more."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.measures.metrics.combined import SIGNED_RANGE
from tradeoff.measures.metrics.overall import accepted_accuracy
from tradeoff.measures.metrics.rates import UNIT_RANGE
from tradeoff.measures.registry import metric

AnyMatrix = ConfusionMatrix | ClassMatrix

EMPTY_MARGIN = "a row or column of the confusion matrix is empty"
ONE_CLASS_ONLY = "all decided rows are of one class and predicted as that class"


class Margins(NamedTuple):
    """Marginal proportions of the rows that are not rejected; classes along the first axis."""

    actual: NDArray[Any]
    predicted: NDArray[Any]


def margins(m: AnyMatrix) -> Margins:
    """Marginal proportions of actual and predicted classes, which determine chance agreement."""
    counts = m.counts
    return Margins(counts.sum(axis=1) / m.decided, counts.sum(axis=0) / m.decided)


@metric(
    usual_label="chance agreement (Cohen)",
    formula="sum over classes of actual proportion * predicted proportion",
    two_classes="(tp + fn) / d * ((tp + fp) / d) + (fp + tn) / d * ((fn + tn) / d)",
    family="agreement",
    range=UNIT_RANGE,
    better=None,
    aliases=("racc",),
    sentence="chance agreement with the same margins is {share} of the decided rows",
    undefined="every row is rejected",
    any_classes=True,
    ratio=True,
)
def random_agreement(m: AnyMatrix) -> Any:
    actual, predicted = margins(m)
    return (actual * predicted).sum(axis=0)


@metric(
    usual_label="chance agreement (Scott)",
    formula="sum over classes of ((actual proportion + predicted proportion) / 2)**2",
    two_classes="(((tp + fn) / d + (tp + fp) / d) / 2)**2 "
    "+ (((fp + tn) / d + (fn + tn) / d) / 2)**2",
    family="agreement",
    range=UNIT_RANGE,
    better=None,
    aliases=("raccu",),
    sentence="chance agreement with averaged margins is {share} of the decided rows",
    undefined="every row is rejected",
    any_classes=True,
    no_interval="its estimate is not normally distributed where both classes are equally frequent",
)
def unbiased_random_agreement(m: AnyMatrix) -> Any:
    actual, predicted = margins(m)
    return (((actual + predicted) / 2) ** 2).sum(axis=0)


@metric(
    usual_label="Cohen's kappa",
    formula="(accepted_accuracy - random_agreement) / (1 - random_agreement)",
    family="agreement",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("heidke_skill_score", "kappa", "cohen_kappa", "cohen_kappa_score", "hss"),
    sentence="{share} of the possible agreement beyond chance is achieved",
    undefined=ONE_CLASS_ONLY,
    any_classes=True,
    source="Cohen 1960, doi:10.1177/001316446002000104",
    ratio=True,
    monotone=True,
)
def cohens_kappa(m: AnyMatrix) -> Any:
    return _agreement_beyond_chance(m, random_agreement(m))


@metric(
    usual_label="Scott's pi",
    formula="(accepted_accuracy - unbiased_random_agreement) / (1 - unbiased_random_agreement)",
    family="agreement",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("kappa_unbiased", "fleiss_kappa"),
    sentence="Scott's pi, agreement beyond chance with shared margins, is {value}",
    undefined=ONE_CLASS_ONLY,
    any_classes=True,
    source="Scott 1955, doi:10.1086/266577",
    monotone=True,
)
def scotts_pi(m: AnyMatrix) -> Any:
    return _agreement_beyond_chance(m, unbiased_random_agreement(m))


@metric(
    usual_label="Gwet's AC1",
    formula="(accepted_accuracy - e) / (1 - e), e = sum of q * (1 - q) / (classes - 1), "
    "q = (actual proportion + predicted proportion) / 2",
    two_classes="(accepted_accuracy + unbiased_random_agreement - 1) / unbiased_random_agreement",
    family="agreement",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("gwet_ac1", "ac1"),
    sentence="Gwet's AC1, chance-corrected agreement that is robust to rare classes, is {value}",
    undefined="every row is rejected",
    any_classes=True,
    source="Gwet 2008, doi:10.1348/000711006X126600",
    monotone=True,
)
def gwets_ac1(m: AnyMatrix) -> Any:
    actual, predicted = margins(m)
    mean = (actual + predicted) / 2
    return _agreement_beyond_chance(m, (mean * (1 - mean)).sum(axis=0) / (len(m.classes) - 1))


@metric(
    usual_label="Bennett's S",
    formula="(accepted_accuracy - 1/classes) / (1 - 1/classes)",
    two_classes="2 * accepted_accuracy - 1",
    family="agreement",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("bennett_s", "s_score"),
    sentence="agreement beyond that of uniform guessing is {value}",
    undefined="every row is rejected",
    any_classes=True,
    source="Bennett, Alpert & Goldstein 1954, doi:10.1086/266520",
    ratio=True,
    monotone=True,
)
def bennetts_s(m: AnyMatrix) -> Any:
    return _agreement_beyond_chance(m, 1 / len(m.classes))


@metric(
    formula="2 * accepted_accuracy - 1",
    family="agreement",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("pabak", "kappa_no_prevalence"),
    sentence="twice the accuracy minus one is {value}",
    undefined="every row is rejected",
    any_classes=True,
    others="For two classes, kappa adjusted for prevalence and bias. For more classes Bennett's S "
    "is that; this form is pycm's.",
    source="Byrt, Bishop & Carlin 1993, doi:10.1016/0895-4356(93)90018-V",
    ratio=True,
    monotone=True,
)
def prevalence_adjusted_kappa(m: AnyMatrix) -> Any:
    return 2 * accepted_accuracy(m) - 1


@metric(
    usual_label="Krippendorff's alpha",
    formula="1 - observed / expected disagreement, expected for pairs of the 2n values without "
    "replacement",
    two_classes="1 - (2 * counted(e) - 1) * (fp + fn) * (d / e) "
    "/ ((2 * tp + fp + fn) * (2 * tn + fp + fn))",
    family="agreement",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("krippendorff_alpha", "alpha"),
    sentence="Krippendorff's alpha for nominal classes is {value}",
    undefined=ONE_CLASS_ONLY + ", or these are proportions, not counts",
    any_classes=True,
    others="Corrects for small samples with n(n−1), so it needs counts, not proportions.",
    source="Krippendorff 2011, Computing Krippendorff's Alpha-Reliability",
    monotone=True,
)
def krippendorffs_alpha(m: AnyMatrix) -> Any:
    rows = m.effective_decided
    values = np.where(rows > 1, 2 * rows, np.nan)  # proportions have no sample size
    class_totals = (m.counts.sum(axis=1) + m.counts.sum(axis=0)) * (rows / m.decided)
    expected = (values**2 - (class_totals**2).sum(axis=0)) / (values * (values - 1))
    return 1 - (1 - accepted_accuracy(m)) / expected


@metric(
    usual_label="Bangdiwala's B",
    formula="sum of diagonal**2 / sum of actual count * predicted count",
    two_classes="(tp**2 + tn**2) / ((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn))",
    family="agreement",
    range=UNIT_RANGE,
    better="higher",
    aliases=("bangdiwala_b",),
    sentence="Bangdiwala's B, the agreement shown in an agreement chart, is {value}",
    undefined="no class is both actual and predicted",
    any_classes=True,
    source="Bangdiwala & Shankar 2013, BMC Medical Research Methodology 13",
)
def bangdiwalas_b(m: AnyMatrix) -> Any:
    counts = m.counts
    diagonal = np.einsum("ii...->i...", counts)
    return (diagonal**2).sum(axis=0) / (counts.sum(axis=1) * counts.sum(axis=0)).sum(axis=0)


@metric(
    usual_label="adjusted Rand index",
    formula="(pairs together in both partitions - expected) / (mean over partitions of pairs "
    "together - expected)",
    # Pairs of effective rows, in units of (e / d)² / 2: x · (x − d / e) for each group size x.
    two_classes="(pairs(d / e, tp, fn, fp, tn) "
    "- pairs(d / e, tp + fn, fp + tn) * pairs(d / e, tp + fp, fn + tn) "
    "/ pairs(d / e, d * (counted(e) / e))) "
    "/ ((pairs(d / e, tp + fn, fp + tn) + pairs(d / e, tp + fp, fn + tn)) / 2 "
    "- pairs(d / e, tp + fn, fp + tn) * pairs(d / e, tp + fp, fn + tn) "
    "/ pairs(d / e, d * (counted(e) / e)))",
    family="agreement",
    range=(-0.5, 1.0),
    better="higher",
    aliases=("ari",),
    sentence="the adjusted Rand index of the two partitions is {value}",
    in_sklearn=1.0,
    undefined="both partitions are trivial, or these are proportions, not counts",
    any_classes=True,
    others="Counts pairs of rows, so it needs counts, not proportions.",
    source="Hubert & Arabie 1985, doi:10.1007/BF01908075",
    no_interval="its estimate is not normally distributed near 0",
)
def adjusted_rand_index(m: AnyMatrix) -> Any:
    rows = m.effective_decided
    counts = m.counts * (rows / m.decided)
    joint_pairs = _pair_count(counts).sum(axis=(0, 1))
    actual_pairs, predicted_pairs = (
        _pair_count(counts.sum(axis=axis)).sum(axis=0) for axis in (1, 0)
    )
    expected = actual_pairs * predicted_pairs / np.where(rows > 1, _pair_count(rows), np.nan)
    return (joint_pairs - expected) / ((actual_pairs + predicted_pairs) / 2 - expected)


@metric(
    usual_label="MCC",
    formula="(tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))",
    family="agreement",
    range=SIGNED_RANGE,
    better="higher",
    aliases=("mcc", "phi", "phi_coefficient", "mat", "matthews", "matthews_corrcoef"),
    sentence="the correlation of actual and predicted classes is {value}",
    undefined=EMPTY_MARGIN,
    any_classes=True,
    others="scikit-learn returns 0 if a margin is empty. For more than two classes this is "
    "Gorodkin's R_K.",
    source="Matthews 1975, doi:10.1016/0005-2795(75)90109-9; Gorodkin 2004, "
    "doi:10.1016/j.compbiolchem.2004.09.006",
    in_sklearn=0.0,
    monotone=True,
    headline={"tables": 11, "page": 8},
)
def matthews_correlation(m: AnyMatrix) -> Any:
    counts = m.counts
    actual, predicted = counts.sum(axis=1), counts.sum(axis=0)
    if len(m.classes) == 2:  # the general form loses digits by cancellation
        covariance = counts[0, 0] * counts[1, 1] - counts[0, 1] * counts[1, 0]
        # Square roots before the product: counts of 1e100 must not overflow.
        return covariance / (np.sqrt(actual[0] * actual[1]) * np.sqrt(predicted[0] * predicted[1]))
    covariance = m.correct * m.decided - (actual * predicted).sum(axis=0)
    variances = [m.decided**2 - (margin**2).sum(axis=0) for margin in (actual, predicted)]
    return covariance / (np.sqrt(variances[0]) * np.sqrt(variances[1]))


@metric(
    formula="mean over classes of diagonal / max(actual count, predicted count)",
    two_classes="(tp / max(tp + fn, tp + fp) + tn / max(fp + tn, fn + tn)) / 2",
    family="agreement",
    range=UNIT_RANGE,
    better="higher",
    aliases=("cba",),
    sentence="the mean over classes of the lower of precision and recall is {value}",
    undefined="a class neither occurs nor is predicted",
    any_classes=True,
    source="Mosley 2013, thesis, Iowa State University",
    no_interval="it is not smooth, so its estimate is not normally distributed",
    monotone=True,
)
def class_balance_accuracy(m: AnyMatrix) -> Any:
    counts = m.counts
    diagonal = np.einsum("ii...->i...", counts)
    return (diagonal / np.maximum(counts.sum(axis=1), counts.sum(axis=0))).mean(axis=0)


def _agreement_beyond_chance(m: AnyMatrix, expected: Any) -> Any:
    """Agreement beyond chance, as a proportion of the maximum possible."""
    return (accepted_accuracy(m) - expected) / (1 - expected)


def _pair_count(count: Any) -> Any:
    """Number of pairs of rows in a group of `count` rows."""
    return count * (count - 1) / 2
