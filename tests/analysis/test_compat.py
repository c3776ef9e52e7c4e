"""Other tools' numbers, worked by hand."""

import math

import numpy as np
import pytest

import tradeoff as to
from tradeoff.compatibility import COMPAT, likenesses
from tradeoff.compatibility.registry import swapped, turned

# From the top: 0.9 negative, 0.8 positive, 0.4 two positives and a negative, 0.1 negative.
ACTUAL, SCORE = [0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9]


@pytest.fixture
def rows():
    return to.evaluate(actual=ACTUAL, score=SCORE)


def of_classes(controls, cases, **options):
    actual = [0] * len(controls) + [1] * len(cases)
    return to.evaluate(actual=actual, score=[*controls, *cases], **options)


# scikit-learn


def test_average_precision_is_made_of_steps(rows):
    # Recall 1/3 is gained with precision 1/2, then 2/3 with 3/5.
    assert to.compat(rows, "sklearn:average_precision_score").value == pytest.approx(17 / 30)


def test_the_trapezoid_draws_lines_from_precision_1(rows):
    # (0, 1), (0, 0), (1/3, 1/2), (1, 3/5), (1, 1/2): 1/12 + 11/30.
    found = to.compat(rows, "sklearn:auc(recall, precision)")

    assert found.value == pytest.approx(0.45)


def test_without_positives_scikit_learn_says_0_and_a_half():
    negatives = to.evaluate(actual=[0, 0], score=[0.2, 0.4])

    assert to.compat(negatives, "sklearn:average_precision_score").value == 0
    assert to.compat(negatives, "sklearn:auc(recall, precision)").value == 0.5
    assert to.compat(negatives, "sklearn:roc_auc_score").reason == (
        "scikit-learn gives NaN: only one class is present"
    )
    assert to.compat(negatives, "sklearn:log_loss").reason == (
        "scikit-learn stops: only one class is present"
    )
    assert to.compat(negatives, "sklearn:d2_brier_score").value == -math.inf


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("precision_score", 0.0), ("matthews_corrcoef", 0.0), ("f1_score", 0.0)],
)
def test_where_nothing_is_predicted_scikit_learn_says_0(rows, name, theirs):
    assert to.compat(rows, f"sklearn:{name}", threshold=2).value == theirs


def test_a_likelihood_ratio_over_0_is_nan_there_and_infinite_here():
    perfect = to.evaluate(actual=[1, 0], score=[0.9, 0.1])
    found = {one.peer.name: one for one in likenesses(perfect.ranking, "sklearn")}

    own = found["class_likelihood_ratios LR+"]
    assert own.theirs.reason == "scikit-learn gives NaN: it divides by 0"
    assert own.ours.value == math.inf
    assert own.same is False


def test_infinite_scores_stop_scikit_learn_not_us():
    endless = to.evaluate(actual=[1, 0], score=[math.inf, 0.0])

    found = to.compat(endless, "sklearn:roc_auc_score")

    assert found.reason == "scikit-learn stops: it takes no infinite scores"
    assert float(endless.auc) == 1


def test_a_roc_curve_without_its_middle_points():
    # Four negatives in a row on top, then two positives: only the corners are kept.
    e = to.evaluate(actual=[0, 0, 0, 0, 1, 1], score=[6, 5, 4, 3, 2, 1])

    curve = to.compat_curve(e, "sklearn:roc_curve")

    assert curve["thresholds"].tolist() == [math.inf, 6, 3, 1]
    assert curve["fpr"].tolist() == [0, 0.25, 1, 1]
    assert curve["tpr"].tolist() == [0, 0, 0, 1]


def test_a_roc_curve_of_three_scores_loses_its_middle_where_it_is_straight():
    e = to.evaluate(actual=[1, 0, 1, 0, 1, 0], score=[3, 3, 2, 2, 1, 1])

    assert to.compat_curve(e, "sklearn:roc_curve")["thresholds"].tolist() == [math.inf, 3, 1]


def test_a_det_curve_is_cut_at_both_ends(rows):
    # From 0.4, where every positive is found, up to inf, the only place without a false alarm.
    curve = to.compat_curve(rows, "sklearn:det_curve")

    assert curve["thresholds"].tolist() == [0.4, 0.8, 0.9, math.inf]
    assert curve["fpr"].tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 3, 0])
    assert curve["fnr"].tolist() == pytest.approx([0, 2 / 3, 1, 1])


# pROC


def test_proc_turns_by_medians_not_by_the_area():
    # Medians 5 and 2, so it turns; upright 5 of 9 pairs are won, turned 4 of 9.
    e = of_classes(controls=[1, 5, 5], cases=[2, 2, 9])

    assert float(e.auc) == pytest.approx(5 / 9)
    assert to.compat(e, "proc:auc").value == pytest.approx(4 / 9)
    assert to.compat(e, "proc:auc", direction="<").value == pytest.approx(5 / 9)
    assert to.compat(e, "proc:auc", direction=">").value == pytest.approx(4 / 9)


def test_proc_does_not_turn_where_medians_are_equal():
    # Both medians are 2; 3.5 of 9 pairs are won.
    e = of_classes(controls=[1, 2, 9], cases=[0, 2, 3])

    assert to.compat(e, "proc:auc").value == pytest.approx(3.5 / 9)


@pytest.mark.parametrize(
    ("controls", "cases"),
    [
        # Medians 2.5 and 2.4, although the lower of the two middle rows is 2.2 against 2.3.
        ([0, 2.2, 2.8, 3], [0.1, 2.3, 2.5, 9]),
        # Medians 2.65 and 2.4, although the higher of the two middle rows is 2.7 against 2.8.
        ([0, 2.6, 2.7, 3], [0.1, 2.0, 2.8, 9]),
    ],
)
def test_the_median_of_an_even_class_lies_between_its_two_middle_rows(controls, cases):
    e = of_classes(controls, cases)

    # Upright 9 of 16 pairs are won, and it turns.
    assert float(e.auc) == pytest.approx(9 / 16)
    assert to.compat(e, "proc:auc").value == pytest.approx(7 / 16)


def test_proc_sees_scores_and_not_which_end_we_call_positive():
    lower = of_classes(controls=[1, 5, 5], cases=[2, 2, 9], lower_is_positive=True)

    assert to.compat(lower, "proc:auc").value == pytest.approx(4 / 9)
    assert to.compat(lower, "proc:auc", direction="<").value == pytest.approx(5 / 9)


def test_proc_reports_the_middle_between_two_scores(rows):
    # Youden's index is best (1/3) at 0.4; the next lower score is 0.1.
    own = {one.peer.name: one for one in likenesses(rows.ranking, "proc")}["coords best youden"]

    assert own.theirs.value == 0.25
    assert own.ours.value == 0.4


def test_proc_lists_every_best_threshold():
    # -Inf and Inf have sensitivity + specificity 1, as good as it gets; turned or not.
    e = to.evaluate(actual=[0, 1], score=[0.5, 0.5])

    found = to.compat(e, "proc:coords best")

    assert found.value == -math.inf
    assert found.note == "pROC lists 2 that are as good: -inf, inf"


def test_proc_weighs_costs_and_prevalence(rows):
    # A miss costs a tenth of a false alarm: calling nothing positive is best.
    found = to.compat(rows, "proc:coords best youden", relative_cost=0.1)

    assert found.value == math.inf


def test_a_middle_tells_two_neighbouring_numbers_apart():
    # Between 1 and the next number lies none: the middle would round to 1, which is below.
    above = np.nextafter(1.0, 2.0)
    e = to.evaluate(actual=[1, 0], score=[above, 1.0])

    assert to.compat_curve(e, "proc:coords all")["threshold"].tolist() == [
        -math.inf,
        above,
        math.inf,
    ]


def test_proc_gives_na_below_the_diagonal():
    # The best score is a negative row's: no area up to fpr 0.3, McClish (1 - 0.045 / 0.255) / 2.
    e = to.evaluate(actual=ACTUAL, score=SCORE)
    asked = {"partial_auc": (1.0, 0.7)}
    found = to.compat(e, "proc:auc(partial.auc.correct)", **asked)

    assert to.compat(e, "proc:auc(partial.auc)", **asked).value == 0
    assert found.reason == "pROC gives NA: the curve lies below the diagonal there"
    beside = COMPAT.find("proc:auc(partial.auc.correct)").with_parameters(**asked).beside(e.ranking)
    assert beside.value == pytest.approx((1 - 0.045 / 0.255) / 2)


def test_procs_interval_has_no_width_at_1():
    e = of_classes(controls=[1, 2, 3], cases=[4, 5, 6])

    assert to.compat(e, "proc:ci.auc lower").value == 1
    assert to.compat(e, "proc:ci.auc upper").value == 1


def test_proc_needs_two_rows_of_each_class():
    e = of_classes(controls=[1], cases=[2, 3])

    assert to.compat(e, "proc:ci.auc lower").reason == (
        "pROC gives NA: it needs two rows of each class"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"actual": [1, 1], "score": [1, 2]}, "pROC stops: the response must have two levels"),
        ({"actual": [1, 0], "score": [math.inf, 2]}, "pROC gives NaN: a score is infinite"),
        ({"actual": [1, 0], "score": [1, 2], "weight": [0.5, 1.5]}, "pROC has no weights"),
    ],
)
def test_what_proc_does_not_take(options, said):
    assert to.compat(to.evaluate(**options), "proc:auc").reason == said


# Weka


def test_wekas_threshold_curve(rows):
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


def test_wekas_weighted_area_is_of_both_classes(rows):
    # Positives 17/30; negatives 2/3: a third each with precision 1, 2/4 and 3/6.
    found = to.compat(rows, "weka:Weighted Avg. PRC Area")

    assert found.value == pytest.approx((17 / 30 + 2 / 3) / 2)


@pytest.mark.parametrize("name", ["Precision", "F-Measure", "MCC"])
def test_where_nothing_is_predicted_weka_shows_a_question_mark_and_once_0(rows, name):
    now = to.compat(rows, f"weka:{name}", threshold=2)

    assert now.reason == "Weka shows ?: it divides 0 by 0"
    assert to.compat(rows, f"weka:{name}", threshold=2, older=True).value == 0


def test_wekas_kappa_of_one_class_is_1():
    negatives = to.evaluate(actual=[0, 0], score=[0.2, 0.4])

    assert to.compat(negatives, "weka:Kappa statistic").value == 1


def test_wekas_absolute_error():
    # 0.1 for the positive row, 0.3 for the negative one.
    e = to.evaluate(actual=[1, 0], score=[0.9, 0.3])

    assert to.compat(e, "weka:Mean absolute error").value == pytest.approx(0.2)


# Turning


def test_turning_twice_changes_nothing(rows):
    ranking = rows.ranking

    assert turned(turned(ranking)) == ranking
    assert swapped(swapped(ranking)) == ranking


def test_a_turned_ranking_is_that_of_low_scores(rows):
    low = to.evaluate(actual=ACTUAL, score=SCORE, lower_is_positive=True).ranking
    other = turned(rows.ranking)

    assert other.thresholds.tolist() == low.thresholds.tolist()
    assert other.true_positives.tolist() == low.true_positives.tolist()
    assert other.false_positives.tolist() == low.false_positives.tolist()
