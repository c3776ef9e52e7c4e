"""scikit-learn on synthetic data: ties, extremes, weights of 0, two rows, one score."""

import math

import numpy as np
import pytest
from golden.reference import document, number, table

import tradeoff as to

SETS = [
    "a1_probabilities",
    "a2_heavy_ties",
    "a3_perfect",
    "a4_inverted",
    "a5_extreme",
    "a6_tiny_n2",
    "a6b_tiny_n2_tied",
    "a6c_constant",
    "a7_imbalanced",
    "a8_zero_weights",
]
KINDS = ["unweighted", "weighted"]
TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}

every_set = pytest.mark.parametrize("name", SETS)
both_kinds = pytest.mark.parametrize("kind", KINDS)


def evaluated(name, kind):
    rows = table(f"syn_{name}_data.csv")
    weight = rows["weight"] if kind == "weighted" else None
    return to.evaluate(actual=rows["label"], score=rows["score"], weight=weight)


def expected(name, kind):
    return document(f"syn_{name}_sk_summary.json")[kind]


def same(ours, theirs):
    return ours == pytest.approx(number(theirs), rel=1e-12, abs=1e-12, nan_ok=True)


@every_set
@both_kinds
def test_roc_points(name, kind):
    curve = evaluated(name, kind).curve("roc")
    sklearn = table(f"syn_{name}_sk_roc_{kind}.csv")

    np.testing.assert_array_equal(curve.ranking.thresholds, sklearn["threshold"] + 0.0)
    np.testing.assert_allclose(curve.x, sklearn["fpr"], **TOLERANCE)
    np.testing.assert_allclose(curve.y, sklearn["tpr"], **TOLERANCE)


@every_set
@both_kinds
def test_precision_recall_points(name, kind):
    curve = evaluated(name, kind).curve(x="recall", y="precision")
    sklearn = {k: v[::-1] for k, v in table(f"syn_{name}_sk_pr_{kind}.csv").items()}

    np.testing.assert_allclose(curve.y[1:], sklearn["precision"][1:], **TOLERANCE)
    np.testing.assert_allclose(curve.x[1:], sklearn["recall"][1:], **TOLERANCE)
    # At "none" scikit-learn adds a precision of 1; here it is undefined.
    assert (sklearn["precision"][0], sklearn["recall"][0]) == (1, 0)
    assert np.isnan(curve.y[0])


@every_set
@both_kinds
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("auc", "roc_auc"),
        ("partial_auc_mcclish(high=0.05)", "roc_auc_max_fpr_0.05"),
        ("partial_auc_mcclish(high=0.1)", "roc_auc_max_fpr_0.1"),
        ("partial_auc_mcclish(high=0.2)", "roc_auc_max_fpr_0.2"),
        ("partial_auc_mcclish(high=0.5)", "roc_auc_max_fpr_0.5"),
        ("partial_auc_mcclish(high=1)", "roc_auc_max_fpr_1.0"),
        ("average_precision", "average_precision"),
        ("pr_trapezoid", "pr_auc_trapezoid"),
    ],
)
def test_areas(name, kind, ours, theirs):
    evaluation = evaluated(name, kind)

    assert same(float(evaluation.summary(ours)), expected(name, kind)[theirs])


@every_set
@both_kinds
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("brier", "brier"),
        ("log_loss", "log_loss"),
        ("brier_skill_score", "d2_brier"),
        ("log_loss_skill_score", "d2_log_loss"),
    ],
)
def test_probability_scores(name, kind, ours, theirs):
    estimate, sklearn = evaluated(name, kind).summary(ours), expected(name, kind)

    # scikit-learn was not asked where scores are no probabilities; there ours is undefined too.
    assert estimate.is_defined == (theirs in sklearn)
    assert same(estimate.value, sklearn.get(theirs, math.nan))


@every_set
@both_kinds
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("accuracy", "accuracy"),
        ("precision", "precision"),
        ("recall", "recall"),
        ("specificity", "specificity"),
        ("npv", "npv"),
        ("f0.5", "fbeta_0.5"),
        ("f1", "fbeta_1"),
        ("f2", "fbeta_2"),
        ("jaccard", "jaccard"),
        ("balanced_accuracy", "balanced_accuracy"),
        ("youden_j", "balanced_accuracy_adjusted"),
        ("kappa", "cohen_kappa"),
    ],
)
def test_metrics_at_a_threshold(name, kind, ours, theirs):
    sklearn = expected(name, kind)["at_threshold"]
    estimate = evaluated(name, kind).metric(ours, threshold=sklearn["threshold"])

    assert same(estimate.value, sklearn[theirs])


@every_set
@both_kinds
def test_matthews_is_undefined_where_sklearn_says_0(name, kind):
    sklearn = expected(name, kind)["at_threshold"]
    matrix = evaluated(name, kind).at(sklearn["threshold"])
    empty_margin = not (matrix.counts.sum(axis=0).all() and matrix.counts.sum(axis=1).all())
    ours = to.METRICS["matthews_correlation"](matrix)

    assert np.isnan(ours) == empty_margin
    assert same(0.0 if empty_margin else float(ours), sklearn["matthews"])


@every_set
@both_kinds
def test_likelihood_ratios_are_infinite_where_sklearn_says_nan(name, kind):
    sklearn = expected(name, kind)["at_threshold"]
    matrix = evaluated(name, kind).at(sklearn["threshold"])
    positive, negative = map(number, sklearn["likelihood_ratios_plus_minus"])
    ours = float(to.METRICS["positive_likelihood_ratio"](matrix))

    assert same(math.nan if math.isinf(ours) else ours, positive)
    assert same(float(to.METRICS["negative_likelihood_ratio"](matrix)), negative)


@every_set
def test_auc_by_pairs_equals_mann_whitney(name):
    ranking = evaluated(name, "unweighted").ranking
    u = document(f"syn_{name}_sk_summary.json")["mannwhitneyu"]["U_pos"]

    assert ranking.twice_pairs_won() == 2 * u


@every_set
def test_ks_is_the_two_sample_statistic_where_the_curve_lies_above(name):
    evaluation = evaluated(name, "unweighted")
    statistic = document(f"syn_{name}_sk_summary.json")["ks_2samp"]["statistic"]
    curve = evaluation.curve("roc")
    below = (curve.x - curve.y).max()

    assert max(float(evaluation.summary("ks")), below) == pytest.approx(statistic, rel=1e-12)
