"""pROC's values, worked by hand."""

import math

import numpy as np
import pytest

import tradeoff as to
from tradeoff.compatibility import COMPAT, tool_numbers

# From the top: 0.9 negative, 0.8 positive, 0.4 two positives and a negative, 0.1 negative.
ACTUAL, SCORE = [0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9]


@pytest.fixture
def rows():
    return to.evaluate(actual=ACTUAL, score=SCORE)


def evaluation_of(controls, cases, **options):
    actual = [0] * len(controls) + [1] * len(cases)
    return to.evaluate(actual=actual, score=[*controls, *cases], **options)


def test_proc_chooses_the_direction_by_medians_not_by_the_auc():
    # Medians 5 and 2, so it reverses the scores; 5 of 9 pairs are concordant, reversed 4 of 9.
    e = evaluation_of(controls=[1, 5, 5], cases=[2, 2, 9])

    assert float(e.auc) == pytest.approx(5 / 9)
    assert to.compat(e, "proc:auc").value == pytest.approx(4 / 9)
    assert to.compat(e, "proc:auc", direction="<").value == pytest.approx(5 / 9)
    assert to.compat(e, "proc:auc", direction=">").value == pytest.approx(4 / 9)


def test_proc_keeps_the_direction_where_medians_are_equal():
    # Both medians are 2; 3.5 of 9 pairs are concordant.
    e = evaluation_of(controls=[1, 2, 9], cases=[0, 2, 3])

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
def test_the_median_of_an_even_number_of_rows_is_the_mean_of_the_middle_two(controls, cases):
    e = evaluation_of(controls, cases)

    # 9 of 16 pairs are concordant, and it reverses the scores.
    assert float(e.auc) == pytest.approx(9 / 16)
    assert to.compat(e, "proc:auc").value == pytest.approx(7 / 16)


def test_procs_direction_ignores_lower_is_positive():
    lower = evaluation_of(controls=[1, 5, 5], cases=[2, 2, 9], lower_is_positive=True)

    assert to.compat(lower, "proc:auc").value == pytest.approx(4 / 9)
    assert to.compat(lower, "proc:auc", direction="<").value == pytest.approx(5 / 9)


def test_procs_best_threshold_is_the_midpoint_of_two_scores(rows):
    # Youden's index is best (1/3) at 0.4; the next lower score is 0.1.
    youden = {
        comparison.measure.name: comparison for comparison in tool_numbers(rows.ranking, "proc")
    }["coords best youden"]

    assert youden.theirs.value == 0.25
    assert youden.ours.value == 0.4


def test_proc_lists_every_best_threshold():
    # -Inf and Inf have sensitivity + specificity 1, the optimum, reversed or not.
    e = to.evaluate(actual=[0, 1], score=[0.5, 0.5])

    estimate = to.compat(e, "proc:coords best")

    assert estimate.value == -math.inf
    assert estimate.note == "pROC lists 2 equally good thresholds: −inf, inf"


def test_procs_best_threshold_depends_on_the_relative_cost(rows):
    # A false negative costs a tenth of a false positive: predicting no row positive is best.
    estimate = to.compat(rows, "proc:coords best youden", relative_cost=0.1)

    assert estimate.value == math.inf


def test_the_midpoint_of_adjacent_floating_point_numbers_separates_them():
    # Between 1 and the next number lies none: the midpoint would round to 1, which is below.
    above = np.nextafter(1.0, 2.0)
    e = to.evaluate(actual=[1, 0], score=[above, 1.0])

    assert to.compat_curve(e, "proc:coords all")["threshold"].tolist() == [
        -math.inf,
        above,
        math.inf,
    ]


def test_proc_gives_na_for_a_corrected_partial_auc_below_the_diagonal():
    # The best score is a negative row's: no area up to fpr 0.3, McClish (1 - 0.045 / 0.255) / 2.
    e = to.evaluate(actual=ACTUAL, score=SCORE)
    options = {"partial_auc": (1.0, 0.7)}
    estimate = to.compat(e, "proc:auc(partial.auc.correct)", **options)

    assert to.compat(e, "proc:auc(partial.auc)", **options).value == 0
    assert estimate.reason == "pROC gives NA: the curve lies below the diagonal there"
    measure = COMPAT.find("proc:auc(partial.auc.correct)").with_parameters(**options)
    assert measure.our_estimate(e.ranking).value == pytest.approx((1 - 0.045 / 0.255) / 2)


def test_procs_interval_of_an_auc_of_1_has_no_width():
    e = evaluation_of(controls=[1, 2, 3], cases=[4, 5, 6])

    assert to.compat(e, "proc:ci.auc lower").value == 1
    assert to.compat(e, "proc:ci.auc upper").value == 1


def test_proc_needs_two_rows_of_each_class():
    e = evaluation_of(controls=[1], cases=[2, 3])

    assert to.compat(e, "proc:ci.auc lower").reason == (
        "pROC gives NA: it needs two rows of each class"
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"actual": [1, 1], "score": [1, 2]}, "pROC fails: the response must have two levels"),
        ({"actual": [1, 0], "score": [math.inf, 2]}, "pROC gives NaN: a score is infinite"),
        (
            {"actual": [1, 0], "score": [1, 2], "weight": [0.5, 1.5]},
            "pROC does not support weights",
        ),
    ],
)
def test_input_that_proc_refuses_has_a_reason(options, reason):
    assert to.compat(to.evaluate(**options), "proc:auc").reason == reason
