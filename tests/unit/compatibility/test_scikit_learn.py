"""scikit-learn's values, worked by hand."""

import math

import pytest

import tradeoff as to
from tradeoff.compatibility import tool_numbers

# From the top: 0.9 negative, 0.8 positive, 0.4 two positives and a negative, 0.1 negative.
ACTUAL, SCORE = [0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9]


@pytest.fixture
def rows():
    return to.evaluate(actual=ACTUAL, score=SCORE)


def test_average_precision_sums_steps(rows):
    # Recall 1/3 is gained with precision 1/2, then 2/3 with 3/5.
    assert to.compat(rows, "sklearn:average_precision_score").value == pytest.approx(17 / 30)


def test_the_trapezoidal_area_starts_at_precision_1(rows):
    # (0, 1), (0, 0), (1/3, 1/2), (1, 3/5), (1, 1/2): 1/12 + 11/30.
    estimate = to.compat(rows, "sklearn:auc(recall, precision)")

    assert estimate.value == pytest.approx(0.45)


def test_scikit_learns_numbers_without_positives():
    negatives = to.evaluate(actual=[0, 0], score=[0.2, 0.4])

    assert to.compat(negatives, "sklearn:average_precision_score").value == 0
    assert to.compat(negatives, "sklearn:auc(recall, precision)").value == 0.5
    assert to.compat(negatives, "sklearn:roc_auc_score").reason == (
        "scikit-learn gives NaN: only one class is present"
    )
    assert to.compat(negatives, "sklearn:log_loss").reason == (
        "scikit-learn fails: only one class is present"
    )
    assert to.compat(negatives, "sklearn:d2_brier_score").value == -math.inf


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("precision_score", 0.0), ("matthews_corrcoef", 0.0), ("f1_score", 0.0)],
)
def test_scikit_learn_gives_0_without_predicted_positives(rows, name, theirs):
    assert to.compat(rows, f"sklearn:{name}", threshold=2).value == theirs


def test_a_likelihood_ratio_over_0_is_nan_in_scikit_learn_and_infinite_in_ours():
    perfect = to.evaluate(actual=[1, 0], score=[0.9, 0.1])
    comparisons = {
        comparison.measure.name: comparison
        for comparison in tool_numbers(perfect.ranking, "sklearn")
    }

    ratio = comparisons["class_likelihood_ratios LR+"]
    assert ratio.theirs.reason == "scikit-learn gives NaN: it divides by 0"
    assert ratio.ours.value == math.inf
    assert ratio.same is False


def test_infinite_scores_fail_in_scikit_learn_only():
    infinite = to.evaluate(actual=[1, 0], score=[math.inf, 0.0])

    estimate = to.compat(infinite, "sklearn:roc_auc_score")

    assert estimate.reason == "scikit-learn fails: it accepts no infinite scores"
    assert float(infinite.auc) == 1


def test_scikit_learns_roc_curve_drops_collinear_points():
    # Four negatives in a row on top, then two positives: only the corners are kept.
    e = to.evaluate(actual=[0, 0, 0, 0, 1, 1], score=[6, 5, 4, 3, 2, 1])

    curve = to.compat_curve(e, "sklearn:roc_curve")

    assert curve["thresholds"].tolist() == [math.inf, 6, 3, 1]
    assert curve["fpr"].tolist() == [0, 0.25, 1, 1]
    assert curve["tpr"].tolist() == [0, 0, 0, 1]


def test_scikit_learns_roc_curve_of_three_collinear_points_keeps_the_ends():
    e = to.evaluate(actual=[1, 0, 1, 0, 1, 0], score=[3, 3, 2, 2, 1, 1])

    assert to.compat_curve(e, "sklearn:roc_curve")["thresholds"].tolist() == [math.inf, 3, 1]


def test_scikit_learns_det_curve_is_cut_at_both_ends(rows):
    # From 0.4, where recall is 1, up to inf, the only threshold without a false positive.
    curve = to.compat_curve(rows, "sklearn:det_curve")

    assert curve["thresholds"].tolist() == [0.4, 0.8, 0.9, math.inf]
    assert curve["fpr"].tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 3, 0])
    assert curve["fnr"].tolist() == pytest.approx([0, 2 / 3, 1, 1])
