"""Conventions on which established tools disagree."""

import math

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.sort import Tally

# The data on which other tools were compared.
ACTUAL = [0, 1, 1, 0, 1, 0]
SCORE = [0.1, 0.4, 0.4, 0.4, 0.8, 0.9]


@pytest.fixture
def evaluation():
    return to.evaluate(actual=ACTUAL, score=SCORE)


def test_equal_scores_are_predicted_together(evaluation):
    # 0.4 is shared by two positives and a negative: no threshold can separate them.
    assert evaluation.ranking.thresholds.tolist() == [math.inf, 0.9, 0.8, 0.4, 0.1]
    assert evaluation.ranking.true_positives.tolist() == [0, 0, 1, 3, 3]
    assert evaluation.ranking.false_positives.tolist() == [0, 1, 1, 2, 3]


def test_positive_means_at_or_above_the_threshold(evaluation):
    assert evaluation.at(0.4).true_positives == 3
    assert evaluation.at(np.nextafter(0.4, 1)).true_positives == 1
    assert evaluation.at(math.inf).predicted_positives == 0
    assert evaluation.at(-math.inf).predicted_negatives == 0


def test_areas_by_hand(evaluation):
    # Concordant pairs: 0.8 beats 0.1 and 0.4; each 0.4 beats 0.1 and ties once: 2 + 2·1.5 = 5 of 9.
    assert float(evaluation.auc) == 5 / 9
    assert float(evaluation.summary("auc_pessimistic")) == 4 / 9
    assert float(evaluation.summary("auc_optimistic")) == 6 / 9
    # AP: 1/3 · 1/2 + 2/3 · 3/5.
    assert float(evaluation.summary("average_precision")) == pytest.approx(1 / 6 + 2 / 5)


def test_partial_areas_by_hand(evaluation):
    assert float(evaluation.summary("partial_auc", high=0.3)) == 0
    assert float(evaluation.summary("partial_auc_share", high=0.3)) == 0
    mcclish = evaluation.summary("partial_auc_mcclish", high=0.3)
    assert float(mcclish) == pytest.approx((1 - 0.045 / 0.255) / 2)
    assert "below the diagonal" in mcclish.note


def test_the_interpolated_precision_recall_area_by_hand(evaluation):
    # From (tp 0, fp 1) to (1, 1): precision x/(x+1), area 1 - ln 2. From (1, 1) to (3, 2): x over
    # 3x/2 + 1/2, area 4/3 - (2/9) ln(5/2). Divided by the three positives.
    by_hand = (1 - math.log(2) + 4 / 3 - 2 / 9 * math.log(5 / 2)) / 3

    assert float(evaluation.summary("pr_area")) == pytest.approx(by_hand)


def test_lift_by_hand(evaluation):
    lift = to.METRICS["lift"](evaluation.ranking.confusion)

    assert np.isnan(lift[0])
    assert lift[1:].tolist() == pytest.approx([0, 1, 1.2, 1])


@pytest.mark.parametrize(
    ("actual", "score", "area"),
    [
        ([1, 0, 0, 1], [2, 5, 10, 10], 0.375),
        ([1, 0, 1, 0], [9, 9, 5, 5], 0.5),
        ([0, 1, 0, 1], [3, 3, 3, 3], 0.5),
        ([0, 0, 1, 1], [1, 2, 3, 4], 1.0),
        ([1, 1, 0, 0], [1, 2, 3, 4], 0.0),
    ],
)
def test_ties_count_half(actual, score, area):
    assert to.auc(actual, score) == area


def test_large_logits_keep_their_order():
    rng = np.random.default_rng(7)
    logits, actual = rng.uniform(97, 99, 50), rng.integers(0, 2, 50)

    assert to.auc(actual, logits) == to.auc(actual, logits - 98)


@pytest.mark.parametrize(
    ("counts", "expected"), [((50_000, 5_000, 5_000, 50_000), 9 / 11), ((10**18,) * 4, 0.0)]
)
def test_matthews_does_not_overflow(counts, expected):
    assert to.METRICS["mcc"](to.ConfusionMatrix(*counts)) == pytest.approx(expected)


def test_no_metric_overflows_for_counts_of_1e18():
    huge = to.ConfusionMatrix(*(np.int64(10**18 * k) for k in (4, 1, 2, 1)))
    small = to.ConfusionMatrix(4, 1, 2, 1)
    names = set(to.METRICS) - {"chi_squared", "krippendorffs_alpha", "adjusted_rand_index"}

    for name in names:
        parameters = {"at": 0.3} if name == "net_benefit" else {}
        metric = to.METRICS[name].with_parameters(**parameters)
        assert metric(huge) == pytest.approx(metric(small), rel=1e-9), name


def test_the_area_of_rankings_too_large_for_64_bits_is_exact():
    half = 4 * 10**9
    tally = Tally(
        np.array([np.inf, 2.0, 1.0]), np.array([0, half, 2 * half]), np.array([0, 0, 2 * half])
    )
    ranking = to.Ranking(tally, rows=4 * half)

    # Half the positives beat all negatives, the rest tie with all: 1/2 + 1/4.
    assert to.SUMMARIES["auc"](ranking) == 0.75
    assert ranking.twice_pairs_won() == 2 * 3 * half * half


def test_with_a_single_class_undefined_metrics_have_a_reason():
    e = to.evaluate(actual=[1, 1, 1], score=[0.2, 0.7, 0.9])

    assert e.auc.reason == "every ranked row belongs to class 1; both classes are needed"
    assert float(e.summary("average_precision")) == 1
    assert float(e.metric("recall")) == pytest.approx(2 / 3)
    assert e.metric("fpr").reason == "no row is 0"
    assert math.isnan(to.auc([0, 0], [0.1, 0.2]))


@pytest.mark.parametrize("counts", [(0, 226, 0, 0), (226, 0, 0, 0), (0, 0, 226, 0), (0, 0, 0, 226)])
def test_the_geometric_means_of_one_class_are_undefined(counts):
    # For (0, 226, 0, 0), 226 missed positives, tpr is 0 but tnr is 0/0, so the mean is undefined.
    matrix = to.ConfusionMatrix(*counts)

    for name in ("geometric_mean", "adjusted_geometric_mean"):
        estimate = to.METRICS[name].estimate(matrix)
        assert (estimate.is_defined, estimate.reason) == (False, "all rows are of one class")


def test_the_geometric_mean_of_both_classes_is_0_where_one_is_never_found():
    assert to.METRICS["geometric_mean"](to.ConfusionMatrix(0, 5, 1, 94)) == 0
    assert to.METRICS["geometric_mean"](to.ConfusionMatrix(5, 0, 95, 0)) == 0


def test_the_adjusted_geometric_mean_is_0_where_no_positive_is_found():
    # Batuwita & Palade 2009: (GM + tnr · N/n) / (1 + N/n) where tpr > 0, else 0. Otherwise,
    # predicting all rows negative with 95% negatives would give (0 + 1 · 0.95) / 1.95 = 0.487.
    agm = to.METRICS["adjusted_geometric_mean"]

    assert agm(to.ConfusionMatrix(0, 5, 0, 95)) == 0
    # tpr 1/5, tnr 1, GM √(1/5): (0.4472 + 0.95) / 1.95.
    assert agm(to.ConfusionMatrix(1, 4, 0, 95)) == pytest.approx((0.2**0.5 + 0.95) / 1.95)


def test_no_rows_give_zero_counts_and_reasons():
    e = to.evaluate(actual=[], score=[])

    assert e.at(0.5).rows == 0
    assert e.auc.reason == "there are no rows"
    assert all(to.METRICS[name].estimate(e.at(0.5)).reason for name in to.METRICS)


def test_infinite_scores_are_ordinary_ranks():
    e = to.evaluate(actual=[1, 0, 0], score=[np.inf, 0.0, -np.inf])

    assert float(e.auc) == 1
    assert e.at(np.inf).true_positives == 1
    assert e.ranking.thresholds.tolist() == [np.inf, np.inf, 0, -np.inf]


def test_nearly_equal_scores_are_distinct_unless_rounded():
    actual, score = [1, 0], [0.1 + 0.2, 0.3]

    assert to.auc(actual, score) == 1
    rounded = to.evaluate(actual=actual, score=score, digits=12)
    assert float(rounded.auc) == 0.5
    assert rounded.ranking.notes == ("score was rounded to 12 decimals",)


def test_wrong_probabilities_of_0_and_1_are_counted():
    e = to.evaluate(actual=[1, 0, 1], score=[0.0, 0.5, 1.0])
    estimate = e.summary("log_loss")

    assert estimate.note.startswith("clipped: 1 row has probability 0 for the actual class")
    assert estimate.value == pytest.approx((-math.log(np.finfo(float).eps) - math.log(0.5)) / 3)


def test_scores_that_are_not_probabilities_have_no_brier_score():
    estimate = to.evaluate(actual=[1, 0], score=[2.5, -1]).summary("brier")

    assert not estimate.is_defined
    assert "from −1 to 2.5" in estimate.reason


def test_if_low_scores_are_positive_the_brier_score_uses_their_complements():
    high = to.evaluate(actual=[1, 0, 1], score=[0.9, 0.4, 0.3])
    low = to.evaluate(actual=[1, 0, 1], score=[0.1, 0.6, 0.7], lower_is_positive=True)

    for name in ("brier", "log_loss", "auc"):
        assert float(low.summary(name)) == pytest.approx(float(high.summary(name)))


@pytest.mark.parametrize(
    ("missing", "auc", "rejected", "rows"),
    [("drop", 1.0, 0, 3), ("reject", 1.0, 2, 5), ("negative", (4 + 0.5) / 6, 0, 5)],
)
def test_missing_scores_are_handled_by_the_chosen_policy(missing, auc, rejected, rows):
    # Negative: both end at the bottom and tie with each other; two positives above all.
    e = to.evaluate(actual=[1, 1, 0, 1, 0], score=[0.9, 0.8, 0.3, np.nan, np.nan], missing=missing)

    assert float(e.auc) == pytest.approx(auc)
    assert e.at(0.5).rejected == rejected
    assert e.ranking.rows == rows
    assert len(e.ranking.notes) == 1


def test_rejected_rows_count_among_all_rows_but_not_among_accepted_rows():
    matrix = to.ConfusionMatrix(6, 2, 1, 9, rejected_positives=2, rejected_negatives=0)

    assert to.METRICS["tpr"](matrix) == 6 / 10
    assert to.METRICS["tpr"](matrix.accepted) == 6 / 8
    assert to.METRICS["accuracy"](matrix) == 15 / 20
    assert to.METRICS["accuracy"](matrix.accepted) == 15 / 18


def test_macro_averages_leave_undefined_classes_out_and_say_so():
    from tradeoff.measures.averages import average

    matrix = to.ClassMatrix(np.array([[3, 1, 0], [1, 5, 0], [0, 0, 0]]), ("a", "b", "c"))
    recall = average(matrix, to.METRICS["recall"], "macro")

    assert float(recall) == pytest.approx((3 / 4 + 5 / 6) / 2)
    assert recall.note == "2 of 3 classes averaged"


def test_thresholds_and_inputs_are_left_untouched():
    score = np.array([0.3, 0.1, 0.2])
    before = score.copy()
    e = to.evaluate(actual=[1, 0, 1], score=score)

    assert score.tolist() == before.tolist()
    with pytest.raises(ValueError, match="read-only"):
        e.ranking.thresholds[0] = 0


@pytest.mark.parametrize(
    ("name", "undefined", "expected"),
    [
        ("precision", 0, 0.0),
        ("precision", 1, 1.0),
        ("precision", "scikit-learn", 0.0),
        ("mcc", "scikit-learn", 0.0),
        ("lift", 0, 0.0),
    ],
)
def test_undefined_metrics_can_be_replaced_with_a_note(name, undefined, expected):
    e = to.evaluate(actual=[1, 0], score=[0.2, 0.1])
    estimate = e.metric(name, threshold=0.5, undefined=undefined)

    assert estimate.value == expected
    assert estimate.note.startswith("undefined (")
    assert e.metric("accuracy", undefined=undefined).note is None


def test_metrics_that_scikit_learn_lacks_stay_undefined():
    e = to.evaluate(actual=[1, 0], score=[0.2, 0.1])

    assert not e.metric("lift", threshold=0.5, undefined="scikit-learn").is_defined
