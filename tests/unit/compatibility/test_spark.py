"""Spark's values, worked by hand."""

import math

import pytest

import tradeoff as to
from tradeoff.compatibility import tool_numbers
from tradeoff.errors import InputError

# From the top: 0.9 negative, 0.8 positive, 0.4 two positives and a negative, 0.1 negative.
ACTUAL, SCORE = [0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9]
# Seven distinct scores, from 7 down: + - + + - - -
SEVEN = {"actual": [0, 0, 0, 1, 1, 0, 1], "score": [1, 2, 3, 4, 5, 6, 7]}


@pytest.fixture
def rows():
    return to.evaluate(actual=ACTUAL, score=SCORE)


@pytest.fixture
def seven():
    return to.evaluate(**SEVEN)


def test_spark_merges_scores_into_bins(seven):
    # 7 scores in 3 bins: 2, 2, 2 and the rest of 1. ROC (0, 0) (1/4, 1/3) (1/4, 1) (3/4, 1) (1, 1).
    assert to.compat(seven, "spark:areaUnderROC", bins=3).value == pytest.approx(19 / 24)
    assert float(seven.auc) == pytest.approx(20 / 24)


def test_sparks_precision_recall_area_starts_at_the_first_precision(seven):
    # (0, 1/2) (1/3, 1/2) (1, 3/4): 1/6 + 5/12.
    assert to.compat(seven, "spark:areaUnderPR", bins=3).value == pytest.approx(7 / 12)
    # One point a score: 1/3 + 7/36 + 17/72.
    assert to.compat(seven, "spark:areaUnderPR").value == pytest.approx(55 / 72)


def test_spark_does_not_merge_fewer_than_two_scores_per_bin(seven):
    assert to.compat(seven, "spark:areaUnderROC", bins=4).value == pytest.approx(20 / 24)
    assert to.compat(seven, "spark:areaUnderROC").value == pytest.approx(20 / 24)


def test_sparks_roc_curve_repeats_its_last_point(seven):
    curve = to.compat_curve(seven, "spark:roc", bins=3)

    assert curve["FPR"].tolist() == [0, 0.25, 0.25, 0.75, 1, 1]
    assert curve["TPR"].tolist() == pytest.approx([0, 1 / 3, 1, 1, 1, 1])


def test_sparks_auc_of_one_class_is_0_or_1():
    negatives = to.evaluate(actual=[0, 0], score=[0.2, 0.4])
    positives = to.evaluate(actual=[1, 1], score=[0.2, 0.4])

    assert to.compat(negatives, "spark:areaUnderROC").value == 0
    assert to.compat(positives, "spark:areaUnderROC").value == 1


def test_sparks_f1_is_an_average_over_both_classes(rows):
    # At 0.5: tp 1, fn 2, fp 1, tn 2. F of the positives 2/5, of the negatives 4/7.
    assert to.compat(rows, "spark:f1").value == pytest.approx((2 / 5 + 4 / 7) / 2)
    assert to.compat(rows, "spark:weightedRecall").value == pytest.approx(1 / 2)


def test_a_class_that_is_never_predicted_counts_as_0_in_spark(rows):
    # Nothing is predicted positive: precision 0 for the positives, 1/2 for the negatives.
    comparisons = {
        comparison.measure.name: comparison
        for comparison in tool_numbers(rows.ranking, "spark", threshold=2)
    }

    precision = comparisons["weightedPrecision"]
    assert precision.theirs.value == pytest.approx(1 / 4)
    assert precision.ours.value == pytest.approx(1 / 2)


def test_spark_predicts_positive_above_a_threshold_and_not_at_it(rows):
    # Above 0.4: tp 1, fn 2, fp 1, tn 2. From 0.4 on: tp 3, fn 0, fp 2, tn 1.
    comparisons = {
        comparison.measure.name: comparison
        for comparison in tool_numbers(rows.ranking, "spark", threshold=0.4)
    }

    assert comparisons["accuracy"].theirs.value == pytest.approx(3 / 6)
    assert comparisons["accuracy"].ours.value == pytest.approx(4 / 6)
    assert comparisons["weightedRecall"].theirs.value == pytest.approx(3 / 6)


def test_in_spark_even_an_infinite_score_is_not_above_an_infinite_threshold():
    infinite = to.evaluate(actual=[1, 0], score=[math.inf, 0.0])

    assert to.compat(infinite, "spark:accuracy", threshold=math.inf).value == 0.5
    assert to.compat(infinite, "spark:accuracy", threshold=0.0).value == 1


def test_where_lower_is_positive_spark_predicts_positive_below_a_threshold():
    lower = to.evaluate(actual=[1, 1, 0], score=[0.1, 0.5, 0.9], lower_is_positive=True)

    assert to.compat(lower, "spark:accuracy", threshold=0.5).value == pytest.approx(2 / 3)
    assert to.compat(lower, "spark:accuracy", threshold=0.6).value == 1


def test_sparks_bins_have_their_lowest_score_as_threshold(seven):
    # Bins of 7 6, 5 4, 3 2 and 1: tp 1, 3, 3, 3 and fp 1, 1, 3, 4.
    f_measure = to.compat_curve(seven, "spark:fMeasureByThreshold", bins=3)
    precision = to.compat_curve(seven, "spark:precisionByThreshold", bins=3)
    recall = to.compat_curve(seven, "spark:recallByThreshold", bins=3)

    assert f_measure["threshold"].tolist() == [6, 4, 2, 1]
    assert f_measure["F-measure"].tolist() == pytest.approx([2 / 5, 6 / 7, 6 / 9, 6 / 10])
    assert precision["precision"].tolist() == pytest.approx([1 / 2, 3 / 4, 3 / 6, 3 / 7])
    assert recall["recall"].tolist() == pytest.approx([1 / 3, 1, 1, 1])


def test_sparks_log_loss_clips_probabilities_at_eps():
    # One of two rows is given probability 0, which counts as 1e-15.
    e = to.evaluate(actual=[1, 1], score=[0.0, 1.0], positive=1)

    assert to.compat(e, "spark:logLoss").value == pytest.approx(7.5 * math.log(10), rel=1e-12)
    assert e.summary("log_loss").value == pytest.approx(26 * math.log(2), rel=1e-12)


@pytest.mark.parametrize("eps", [0, 0.5, -1.0, math.nan])
def test_sparks_eps_must_lie_between_0_and_one_half(rows, eps):
    with pytest.raises(InputError, match="Spark's eps must be between 0 and"):
        to.compat(rows, "spark:logLoss", eps=eps)


def test_bins_must_be_a_whole_number(seven):
    with pytest.raises(InputError, match="whole number, 0 or more, not -1"):
        to.compat(seven, "spark:areaUnderROC", bins=-1)
