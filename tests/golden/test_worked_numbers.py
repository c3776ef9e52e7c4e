"""Examples from teaching texts, worked by hand."""

import math
from math import inf, isnan, sqrt

import numpy as np
import pytest

import tradeoff as to
from tradeoff.measures.curves import named_curve
from tradeoff.thresholds.decision import best_threshold

NINETEEN = [
    *(".95+", ".93+", ".93-", ".88+", ".86+", ".85+", ".82+", ".80+", ".80-", ".79+"),
    *(".77-", ".76+", ".73+", ".65-", ".63+", ".58-", ".56+", ".49-", ".48+"),
]


def metric(name, matrix):
    return float(to.METRICS[name](matrix))


@pytest.mark.parametrize(("size", "responders", "lift"), [(100_000, 400, 4.0), (400_000, 800, 2.0)])
def test_mail_out(size, responders, lift):
    # 1,000 respondents in 1,000,000; the subset's rate over the overall rate of 0.1%.
    matrix = to.ConfusionMatrix(
        responders, 1000 - responders, size - responders, 999_000 - size + responders
    )

    assert metric("lift", matrix) == pytest.approx(lift)


def test_nineteen_ranked_predictions():
    scores = [float(row[:-1]) for row in NINETEEN]
    e = to.evaluate(actual=[row[-1] for row in NINETEEN], score=scores, positive="+")

    assert (e.ranking.positives, e.ranking.negatives, e.ranking.distinct) == (13, 6, 17)
    assert float(e.auc) == 49 / 78
    assert (e.at(0.80).true_positives, e.at(0.80).false_positives) == (7, 2)


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2, inf])
def test_everything_called_negative(beta):
    matrix = to.ConfusionMatrix(0, 5, 0, 995)

    assert metric("accuracy", matrix) == 0.995
    assert metric("tpr", matrix) == 0
    assert metric("g_mean_1", matrix) == metric("g_mean_2", matrix) == 0
    assert float(to.METRICS["f_measure"].with_parameters(beta=beta)(matrix)) == 0


def test_only_the_distance_tells_two_useless_classifiers_apart():
    a, b = to.ConfusionMatrix(0, 5, 100, 895), to.ConfusionMatrix(0, 5, 10, 985)

    for name in ("g_mean_1", "g_mean_2", "f_measure"):
        assert metric(name, a) == metric(name, b) == 0
    assert metric("distance_to_perfect", b) < metric("distance_to_perfect", a)
    # Both miss every positive: sqrt(1/2 + 1/2 (fp/N)²).
    assert metric("distance_to_perfect", b) == pytest.approx(sqrt(0.5 + 0.5 * (10 / 995) ** 2))


@pytest.mark.parametrize(
    ("table", "accuracy", "tpr", "tnr"),
    [
        ("0.25 0.25; 0.25 0.25", 0.5, 0.5, 0.5),
        ("0.4 0.1; 0.1 0.4", 0.8, 0.8, 0.8),
        ("0.25 0.5; 0 0.25", 0.5, 1 / 3, 1.0),
        ("0.4 0; 0.2 0.4", 0.8, 1.0, 2 / 3),
    ],
)
def test_matrices_of_proportions_that_accuracy_cannot_order(table, accuracy, tpr, tnr):
    matrix = to.matrix_of_counts(table, ["+", "-"])

    assert metric("accuracy", matrix) == pytest.approx(accuracy)
    assert metric("tpr", matrix) == pytest.approx(tpr)
    assert metric("tnr", matrix) == pytest.approx(tnr)


def test_the_map_rule():
    rule = to.map_rule([[10, 30], [40, 20]], ["+", "-"])

    assert rule.choices == ("-", "+")
    assert (rule.matrix.counts / 100).tolist() == [[0.4, 0.1], [0.2, 0.3]]
    expected = {
        "accuracy": 0.7,
        "error_rate": 0.3,
        "sensitivity": 0.8,
        "specificity": 0.6,
        "balanced_accuracy": 0.7,
        "precision": 2 / 3,
        "f1": 8 / 11,
    }
    assert {name: metric(name, rule.matrix) for name in expected} == pytest.approx(expected)


def test_rejecting_the_doubtful_region_leaves_no_errors():
    # The rule x > 5 errs ten times, always between 5 and 7.
    x = np.array([2] * 40 + [6] * 20 + [9] * 40)
    actual = np.array(["-"] * 40 + ["+", "-"] * 10 + ["+"] * 40)
    called = np.where(x > 5, "+", "-")
    all_decided = to.confusion_matrix(actual, called, positive="+")
    doubtful = to.confusion_matrix(
        actual, np.where(x == 6, "?", called), positive="+", rejected="?"
    )

    assert metric("error_rate", all_decided) == 0.1
    assert metric("error_rate", doubtful) == 0
    assert metric("accuracy", doubtful) < metric("accuracy", all_decided)
    assert metric("rejection_rate", doubtful) == 0.2
    assert metric("accepted_accuracy", doubtful) == 1


def test_lift_of_a_response_model():
    # 1,000 responders among 5,000 contacted: lift at depth j is Y(j) / (0.2 j).
    actual = np.repeat([1, 0, 1, 0], [600, 400, 400, 3600])
    score = np.repeat([0.9, 0.9, 0.4, 0.4], [600, 400, 400, 3600])
    e = to.evaluate(actual=actual, score=score)

    assert float(e.metric("lift", threshold=0.9)) == pytest.approx(600 / (0.2 * 1000))


def test_weather_data():
    from golden.reference import table

    rows = table("weka_nb_nominal_predictions.csv")
    e = to.evaluate(actual=rows["actual"], score=rows["score_pos"], positive="yes")

    assert e.at(0.5).counts.tolist() == [[7, 2], [4, 1]]
    assert float(e.metric("tpr")) == pytest.approx(7 / 9)
    assert float(e.metric("fpr")) == pytest.approx(4 / 5)
    assert len(e.curve("roc")) == 15
    assert float(e.auc) == pytest.approx(26 / 45, rel=1e-15)


@pytest.mark.parametrize(
    ("counts", "fpr", "tpr"),
    [
        ((63, 37, 28, 72), 0.28, 0.63),
        ((77, 23, 77, 23), 0.77, 0.77),
        ((24, 76, 88, 12), 0.88, 0.24),
        ((76, 24, 12, 88), 0.12, 0.76),
    ],
)
def test_four_points_of_roc_space(counts, fpr, tpr):
    matrix = to.ConfusionMatrix(*counts)

    assert (metric("fpr", matrix), metric("tpr", matrix)) == pytest.approx((fpr, tpr))


def test_a_classifier_below_the_diagonal_inverts_to_a_good_one():
    c, d = to.ConfusionMatrix(24, 76, 88, 12), to.ConfusionMatrix(76, 24, 12, 88)

    assert c.inverted() == d
    assert metric("youden_j", to.ConfusionMatrix(77, 23, 77, 23)) == 0


def test_five_cases():
    e = to.evaluate(actual=[1, 0, 1, 0, 1], score=[0.44, 0.29, 0.98, 0.69, 0.07])
    roc = e.curve("roc")

    assert e.at(0.5).counts.tolist() == [[1, 2], [1, 1]]
    assert roc.x.tolist() == pytest.approx([0, 0, 1 / 2, 1 / 2, 1, 1])
    assert roc.y.tolist() == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 1])
    assert float(e.auc) == 1 / 2


def test_seven_questions_about_a_table():
    matrix = to.matrix_of_counts("7 2; 4 1", ["yes", "no"])
    answers = {
        "accuracy": 8 / 14,  # how often right
        "precision": 7 / 11,  # when it says yes, how often right
        "prevalence": 9 / 14,  # how often is yes
        "tpr": 7 / 9,  # when yes, how often does it say yes
        "fpr": 4 / 5,  # when no, how often does it say yes
        "specificity": 1 / 5,  # when no, how often does it say no
        "error_rate": 6 / 14,  # how often wrong
    }

    assert {name: metric(name, matrix) for name in answers} == pytest.approx(answers)


def test_sentences_use_the_users_classes():
    matrix = to.ConfusionMatrix(80, 20, 5, 95, positive="cancer", negative="healthy")
    measure = to.METRICS["sensitivity"]

    assert (
        measure.sentence_for(matrix, "0.8", "80%")
        == "of the rows that are cancer, 80% are predicted cancer"
    )


def test_a_rule_without_scores_is_one_point_whose_area_is_the_balanced_accuracy():
    actual, called = ["a", "a", "a", "b", "b"], ["a", "a", "b", "b", "a"]
    e = to.evaluate(actual=actual, score=called, positive="a")

    assert float(e.auc) == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert float(e.auc) == pytest.approx(metric("balanced_accuracy", e.at(0.5)))
    assert len(e.curve("roc")) == 3


def test_precision_at_none_is_undefined_not_one():
    e = to.evaluate(actual=[0, 1], score=[0.2, 0.7])

    assert isnan(e.curve(x="recall", y="precision").y[0])


def test_mailing_a_subset_can_beat_mailing_everybody():
    # Of 1,000,000 people 1,000 respond; the best 100,000 hold 400 of them, the next 300,000 another
    # 400. A letter costs 0.25: the first part pays if a respondent brings more than 62.50, the
    # second from 187.50 on, the last 600,000 from 750 on.
    scale = to.ranking_of_ratings([200, 400, 400], [599_800, 299_600, 99_600])
    subsets = {50: math.inf, 100: 3.0, 300: 2.0, 1000: 1.0}

    for worth, threshold in subsets.items():
        costs = to.Costs(0, 0, true_positive=-worth, contact=0.25)
        decision = best_threshold(scale, costs=costs)
        assert decision.threshold == threshold
        letters = decision.confusion.predicted_positives
        responders = decision.confusion.true_positives
        assert -decision.value * 1e6 == pytest.approx(worth * responders - 0.25 * letters)
    lift = named_curve(scale, "lift")
    assert (lift.y_at(0.1), lift.y_at(0.4)) == (pytest.approx(4.0), pytest.approx(2.0))
    gains = named_curve(scale, "gains")
    assert gains.x_at(0.8) == pytest.approx(0.4)  # the depth that holds 800 respondents
    # Everybody: 1,000 respondents at 250,000 for letters; with a fixed cost nobody may be best.
    fixed = to.Costs(0, 0, true_positive=-1000, contact=0.25, fixed=1e6)
    assert best_threshold(scale, costs=fixed).threshold == math.inf


def test_accuracy_cannot_order_what_the_hull_can():
    tables = {
        "M1": "0.25 0.25; 0.25 0.25",
        "M2": "0.4 0.1; 0.1 0.4",
        "M3": "0.25 0.5; 0 0.25",
        "M4": "0.4 0; 0.2 0.4",
    }
    rules = {n: to.ranking_of_matrix(to.matrix_of_counts(t), n) for n, t in tables.items()}

    # M3 and M1 are equally accurate, but M1 is never best; M2 and M4 are each best somewhere.
    assert to.hull({n: rules[n] for n in ("M1", "M3")}).owners == ("M3",)
    assert to.hull({n: rules[n] for n in ("M2", "M4")}).owners == ("M2", "M4")
    assert to.hull(rules).owners == ("M3", "M2", "M4")


def test_gains_of_the_nineteen_predictions():
    scores = [float(row[:-1]) for row in NINETEEN]
    e = to.evaluate(actual=[row[-1] for row in NINETEEN], score=scores, positive="+")
    gains = e.curve("gains")

    assert gains.y_at(9 / 19) == pytest.approx(7 / 13)  # the best nine hold seven
    assert gains.y_at(2.5 / 19) == pytest.approx(1.75 / 13)  # inside the tie of 0.93
    assert gains.ideal == ((0, 0), (13 / 19, 1), (1, 1))


def test_the_likelihood_ratio_is_the_slope_of_the_hull():
    # P(x=1 | +) = 0.8, P(x=1 | -) = 0.4: the MAP rule compares their ratio with the priors'.
    rule = to.ranking_of_ratings([10, 40], [30, 20], [0, 1])
    slopes = to.hull({"x": rule}).slopes

    assert slopes == pytest.approx((2.0, 0.2 / 0.6))
    for prior, called in [(0.2, []), (0.5, [1]), (0.9, [0, 1])]:
        ratio = (1 - prior) / prior
        best = to.hull({"x": rule}).at_slope(ratio)[0]
        assert best.tpr == pytest.approx({0: 0, 1: 0.8, 2: 1.0}[len(called)])
