"""Hulls of several models and points, worked by hand."""

import math

import numpy as np
import pytest

import tradeoff as to
from tradeoff.errors import InputError

TABLES = {
    "A": "63 37; 28 72",
    "B": "77 23; 77 23",
    "C": "24 76; 88 12",
    "D": "76 24; 12 88",
}


POINTS = {name: to.ranking_of_matrix(to.matrix_of_counts(t), name) for name, t in TABLES.items()}


def test_the_roc_of_a_confusion_matrix_is_one_point_with_balanced_accuracy_as_area():
    for name, (fpr, tpr) in {"A": (0.28, 0.63), "B": (0.77, 0.77), "C": (0.88, 0.24)}.items():
        matrix = POINTS[name].at(1.0)
        assert (to.METRICS["fpr"](matrix), to.METRICS["tpr"](matrix)) == (fpr, tpr)
        area = to.SUMMARIES["auc"](POINTS[name])
        assert area == pytest.approx((tpr + 1 - fpr) / 2)
        assert area == pytest.approx(to.METRICS["balanced_accuracy"](matrix))


def test_the_hull_of_four_matrices_is_that_of_the_best():
    hull = to.hull(POINTS)

    assert hull.owners == ("D",)
    assert [(v.fpr, v.tpr) for v in hull.vertices] == [(0, 0), (0.12, 0.76), (1, 1)]
    assert hull.slopes == pytest.approx((0.76 / 0.12, 0.24 / 0.88))
    assert hull.area == pytest.approx((0.76 + 0.88) / 2)
    inverted = to.ranking_of_matrix(to.matrix_of_counts(TABLES["C"]).inverted(), "C inverted")
    both = to.hull({"D": POINTS["D"], "C inverted": inverted})
    assert both.vertices[1].shared == ("C inverted",)


def test_the_hull_of_two_models_worked_by_hand():
    # One is good at the start, the other at the end.
    actual = [1, 1, 0, 1, 0, 1, 0, 0]
    e = to.evaluate(
        actual=actual,
        score={"early": [8, 7, 6, 1, 5, 2, 4, 3], "late": [3, 2, 8, 7, 5, 6, 1, 0]},
    )
    hull = e.hull()

    assert [(v.model, v.threshold) for v in hull.vertices] == [
        (None, math.inf),
        ("early", 7.0),
        ("late", 2.0),
        (None, -math.inf),
    ]
    assert [(v.fpr, v.tpr) for v in hull.vertices[1:3]] == [(0, 0.5), (0.5, 1)]
    assert hull.slopes == (math.inf, 1.0, 0.0)
    # With equal costs the edge has the slope of the iso-cost lines: both its vertices are optimal.
    assert [v.model for v in hull.best(to.Costs(), 0.5)] == ["early", "late"]
    assert [v.model for v in hull.best(to.Costs(), 0.1)] == ["early"]
    assert [v.model for v in hull.best(to.Costs(false_negative=3), 0.5)] == ["late"]
    assert [v.model for v in hull.best(to.Costs(), (0.1, 0.9))] == ["early", "late"]
    assert hull.best([to.Costs(), to.Costs(false_negative=3)], 0.1) == hull.vertices[1:2]
    assert hull.iso_line(1.0) == (1.0, 0.5)
    spans = [(s.vertex.model, s.start, s.stop) for s in hull.decision_map()]
    assert spans == [("early", 0.0, 0.5), ("late", 0.5, 1.0)]
    assert hull.regret(hull.vertices[2], 0.25) == pytest.approx(0.5 * 0.75 - 0.5 * 0.25)
    assert hull.regret(hull.vertices[1], 0.25) == 0
    # The first has a recall of at most one half: at PC(+) = 1 it costs half, the best nothing.
    assert [hull.largest_regret(v) for v in hull.vertices] == [1.0, 0.5, 0.5, 1.0]
    assert hull.largest_regret(hull.vertices[1], 0.0, 0.5) == 0


def test_a_ranking_of_rating_counts_equals_that_of_its_rows():
    # Hanley & McNeil 1982: 109 images rated from definitely normal to definitely abnormal.
    scale = to.ranking_of_ratings([3, 2, 2, 11, 33], [33, 6, 6, 11, 2], positive="abnormal")

    assert to.SUMMARIES["auc"](scale) == pytest.approx(0.8932, abs=5e-5)
    assert scale.thresholds.tolist() == [math.inf, 5, 4, 3, 2, 1]
    assert scale.at(4).true_positives == 44
    rows = to.evaluate(
        actual=np.repeat([1, 0], [51, 58]),
        score=np.concatenate([
            np.repeat([1.0, 2, 3, 4, 5], [3, 2, 2, 11, 33]),
            np.repeat([1.0, 2, 3, 4, 5], [33, 6, 6, 11, 2]),
        ]),
    )  # fmt: skip
    np.testing.assert_array_equal(rows.ranking.true_positives, scale.true_positives)
    np.testing.assert_array_equal(rows.ranking.false_positives, scale.false_positives)
    shares = to.ranking_of_ratings([0.1, 0.4], [0.3, 0.2])
    assert to.SUMMARIES["auc"](shares) == pytest.approx(
        (0.4 * 0.3 + (0.1 * 0.3 + 0.4 * 0.2) / 2) / 0.25
    )
    for arguments, message in [
        (([1, 2], [1]), "one count of positives"),
        (([1, -2], [1, 1]), "non-negative"),
        (([1, 2], [1, 1], [2, 1]), "Ratings must increase"),
    ]:
        with pytest.raises(InputError, match=message):
            to.ranking_of_ratings(*arguments)


def test_a_ranking_of_a_matrix_keeps_its_rejected_rows():
    rule = to.ranking_of_matrix(to.matrix_of_counts("7 2 1; 4 1 0", ["yes", "no"]), "rule")

    assert rule.at(1.0) == to.matrix_of_counts("7 2 1; 4 1 0", ["yes", "no"])
    assert rule.rows == 15


def test_a_hull_takes_lists_of_rankings_evaluations_and_matrices():
    e = to.evaluate(actual=[0, 1, 0, 1], score={"a": [0.1, 0.35, 0.4, 0.8], "b": [1, 0, 0, 1]})
    rule = to.matrix_of_counts(TABLES["D"])
    named = to.hull({**e.rankings, "matrix 1": to.ranking_of_matrix(rule, "matrix 1")})

    assert to.hull(list(POINTS.values())) == to.hull(POINTS)
    assert to.hull([e, rule]) == named
    assert to.hull([*e.rankings.values(), rule]) == named
    assert to.hull({"D": rule}).owners == ("D",)
    assert to.hull({"first": e["a"], "both": e}).models == ("first", "both: a", "both: b")
    assert to.hull([rule, e, rule]).models == ("matrix 1", "a", "b", "matrix 2")


def test_a_list_of_models_of_the_same_name_or_of_something_else_is_refused():
    e = to.evaluate(actual=[0, 1], score=[0, 1])

    with pytest.raises(InputError, match=r"Two models are called 'score': pass a mapping"):
        to.hull([e, e])
    for wrong in ([0.5], {"a": 0.5}, 3, "roc"):
        with pytest.raises(InputError, match="needs rankings, evaluations or confusion matrices"):
            to.hull(wrong)
    with pytest.raises(InputError, match="at least one model"):
        to.hull([])
