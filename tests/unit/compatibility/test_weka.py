"""Weka's values, worked by hand."""

import math

import pytest

import tradeoff as to

# From the top: 0.9 negative, 0.8 positive, 0.4 two positives and a negative, 0.1 negative.
ACTUAL, SCORE = [0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9]


@pytest.fixture
def rows():
    return to.evaluate(actual=ACTUAL, score=SCORE)


def test_wekas_threshold_curve_worked_by_hand(rows):
    curve = to.compat_curve(rows, "weka:ThresholdCurve")

    assert curve["Threshold"].tolist() == pytest.approx([0.1, 0.4, 0.8, 0.9, 0.90001])
    assert curve["True Positives"].tolist() == [3, 3, 1, 0, 0]
    assert curve["False Positives"].tolist() == [3, 2, 1, 1, 0]
    assert curve["Precision"].tolist() == pytest.approx([1 / 2, 3 / 5, 1 / 2, 0, 0])
    assert curve["Fallout"].tolist() == pytest.approx([1 / 2, 2 / 5, 1 / 2, 1, 0])
    assert curve["FMeasure"].tolist() == pytest.approx([2 / 3, 3 / 4, 2 / 5, 0, 0])
    assert curve["Sample Size"].tolist() == pytest.approx([1, 5 / 6, 1 / 3, 1 / 6, 0])
    # One row would hold half a positive by chance: less than 1, so no lift.
    assert curve["Lift"].tolist() == pytest.approx([1, 1.2, 1, math.nan, math.nan], nan_ok=True)


def test_wekas_weighted_prc_area_averages_both_classes(rows):
    # Positives 17/30; negatives 2/3: a third each with precision 1, 2/4 and 3/6.
    estimate = to.compat(rows, "weka:Weighted Avg. PRC Area")

    assert estimate.value == pytest.approx((17 / 30 + 2 / 3) / 2)


@pytest.mark.parametrize("name", ["Precision", "F-Measure", "MCC"])
def test_weka_shows_a_question_mark_without_predicted_positives_and_0_in_older_versions(rows, name):
    estimate = to.compat(rows, f"weka:{name}", threshold=2)

    assert estimate.reason == "Weka shows ?: it divides 0 by 0"
    assert to.compat(rows, f"weka:{name}", threshold=2, older=True).value == 0


def test_wekas_kappa_of_one_class_is_1():
    negatives = to.evaluate(actual=[0, 0], score=[0.2, 0.4])

    assert to.compat(negatives, "weka:Kappa statistic").value == 1


def test_wekas_mean_absolute_error_worked_by_hand():
    # 0.1 for the positive row, 0.3 for the negative one.
    e = to.evaluate(actual=[1, 0], score=[0.9, 0.3])

    assert to.compat(e, "weka:Mean absolute error").value == pytest.approx(0.2)
