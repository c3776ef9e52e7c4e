"""Hulls of many models and points: hand-worked, who owns what, classifiers at any point."""

import json
import math

import numpy as np
import pytest

import tradeoff as to
from tradeoff.errors import ColumnError, InputError, StorageError

TABLES = {
    "A": "63 37; 28 72",
    "B": "77 23; 77 23",
    "C": "24 76; 88 12",
    "D": "76 24; 12 88",
}
POINTS = {name: to.ranking_of_matrix(to.matrix_of_counts(t), name) for name, t in TABLES.items()}


def test_published_tables_are_points_with_two_segments():
    for name, (fpr, tpr) in {"A": (0.28, 0.63), "B": (0.77, 0.77), "C": (0.88, 0.24)}.items():
        matrix = POINTS[name].at(1.0)
        assert (to.METRICS["fpr"](matrix), to.METRICS["tpr"](matrix)) == (fpr, tpr)
        area = to.SUMMARIES["auc"](POINTS[name])
        assert area == pytest.approx((tpr + 1 - fpr) / 2)
        assert area == pytest.approx(to.METRICS["balanced_accuracy"](matrix))


def test_the_best_of_four_tables_owns_the_hull():
    hull = to.hull(POINTS)

    assert hull.owners == ("D",)
    assert [(v.fpr, v.tpr) for v in hull.vertices] == [(0, 0), (0.12, 0.76), (1, 1)]
    assert hull.slopes == pytest.approx((0.76 / 0.12, 0.24 / 0.88))
    assert hull.area == pytest.approx((0.76 + 0.88) / 2)
    inverted = to.ranking_of_matrix(to.matrix_of_counts(TABLES["C"]).inverted(), "C inverted")
    both = to.hull({"D": POINTS["D"], "C inverted": inverted})
    assert both.vertices[1].shared == ("C inverted",)


def test_two_models_share_a_hull():
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
    # With equal costs the edge itself has the paying slope: both ends are equally good.
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
    # The first never finds more than half: at PC(+) = 1 it costs half, the best nothing.
    assert [hull.largest_regret(v) for v in hull.vertices] == [1.0, 0.5, 0.5, 1.0]
    assert hull.largest_regret(hull.vertices[1], 0.0, 0.5) == 0


def test_any_point_of_the_hull_is_a_classifier(tmp_path):
    rng = np.random.default_rng(1)
    actual = rng.random(20_000) < 0.3
    scores = {
        "a": rng.normal(size=20_000) + actual,
        "b": np.where(actual, rng.normal(size=20_000) + 1, rng.normal(size=20_000)),
    }
    e = to.evaluate(actual=actual, score=scores)
    hull = e.hull()

    for wanted in (0.0, 0.013, 0.2, 0.77, 1.0):
        mix = hull.classifier(fpr=wanted)
        called = mix.positive_rows(scores, seed=4)
        assert mix.fpr == pytest.approx(wanted, abs=1e-12)
        assert called[~actual].mean() == pytest.approx(wanted, abs=0.01)
        assert called[actual].mean() == pytest.approx(mix.tpr, abs=0.02)
    mix = hull.classifier(tpr=0.8)
    assert mix.tpr == pytest.approx(0.8)
    mix.save(tmp_path / "mix.json")
    loaded = to.CombinedClassifier.load(tmp_path / "mix.json")
    assert loaded == mix
    np.testing.assert_array_equal(loaded.decide(scores, seed=9), mix.decide(scores, seed=9))
    assert set(mix.decide(scores)) == {"True", "False"}


def test_switching_between_two_models_follows_the_seed():
    mix = to.CombinedClassifier(
        to.hull({"A": POINTS["A"]}).vertices[1].rule,
        to.hull({"D": POINTS["D"]}).vertices[1].rule,
        0.25,
        0.24,
        0.66,
        "yes",
        "no",
    )
    scores = {"A": np.zeros(10_000), "D": np.ones(10_000)}

    shares = [(mix.decide(scores, seed=seed) == "yes").mean() for seed in (0, 0, 1)]

    assert shares[0] == shares[1] != shares[2]
    assert shares[0] == pytest.approx(0.25, abs=0.02)
    # Predicted classes do in place of scores.
    labels = {"A": np.array(["no", "yes"]), "D": np.array(["no", "yes"])}
    assert mix.decide(labels).tolist() == ["no", "yes"]


def test_low_scores_may_be_the_positive_ones():
    e = to.evaluate(actual=[1, 0, 1, 0], score=[1, 4, 2, 3], lower_is_positive=True)
    classifier = e.hull().classifier(tpr=1.0)

    assert classifier.decide([0.5, 2.5]).tolist() == ["1", "0"]
    assert repr(classifier) == "CombinedClassifier(score <= 2 (100%): fpr 0.0000, tpr 1.0000)"
    for point, answer in ((0.0, "1"), (1.0, "1")):
        assert e.hull().classifier(fpr=point).decide([1.0])[0] == answer


def test_what_a_classifier_refuses(tmp_path):
    hull = to.hull({"A": POINTS["A"], "D": POINTS["D"]})
    mix = to.CombinedClassifier(hull.vertices[1].rule, hull.vertices[1].rule, 0.5, 0.1, 0.8)

    with pytest.raises(ColumnError, match="no column 'D'"):
        mix.decide({"E": [1.0]})
    with pytest.raises(InputError, match="missing"):
        mix.decide({"D": np.array([math.nan, 1.0])})
    with pytest.raises(InputError, match="either the wanted fpr"):
        hull.classifier()
    with pytest.raises(InputError, match="between 0 and 1"):
        hull.classifier(fpr=1.5)
    path = tmp_path / "bad.json"
    for text, told in [
        ("{", "not JSON"),
        ("[]", "schema"),
        (json.dumps({"schema": "tradeoff/classifier/1"}), "its first is missing"),
    ]:
        path.write_text(text)
        with pytest.raises(StorageError, match=told):
            to.CombinedClassifier.load(path)
    with pytest.raises(StorageError, match="cannot be read"):
        to.CombinedClassifier.load(tmp_path / "none.json")
    one_class = to.evaluate(actual=[1, 1], score=[0.1, 0.2])
    with pytest.raises(InputError, match="one class only"):
        one_class.hull()
    with pytest.raises(InputError, match="between 0 and 1"):
        hull.best(to.Costs(), 1.0)


SAVED = {
    "schema": "tradeoff/classifier/1",
    "first": {"model": "a", "threshold": 0.4, "lower_is_positive": False},
    "second": {"model": None, "threshold": "-inf", "lower_is_positive": False},
    "share": 0.25,
    "fpr": 0.1,
    "tpr": 0.8,
    "positive": "yes",
    "negative": "no",
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"fpr": -3}, "its fpr must be a number from 0 to 1, not -3"),
        ({"tpr": 1.5}, "its tpr must be a number from 0 to 1, not 1.5"),
        ({"share": True}, "its share must be a number from 0 to 1, not True"),
        ({"share": "0.5"}, "its share must be a number from 0 to 1, not '0.5'"),
        ({"first.threshold": True}, "its first.threshold must be a number, not True"),
        ({"first.threshold": "0.4"}, "its first.threshold must be a number, not '0.4'"),
        ({"first.threshold": "nan"}, "its first.threshold must be a number, not 'nan'"),
        (
            {"first.lower_is_positive": "false"},
            "its first.lower_is_positive must be true or false, not 'false'",
        ),
        (
            {"second.lower_is_positive": 1},
            "its second.lower_is_positive must be true or false, not 1",
        ),
        ({"second.model": 7}, "its second.model must be text, not 7"),
        ({"first": "a"}, "its first.model is missing"),
        ({"positive": None}, "its positive must be text, not None"),
        ({"negative": "yes"}, "both of its classes are called 'yes'"),
        ({"Share": 0.5}, "it has an unknown field 'Share'"),
        ({"schema": "tradeoff/calibration/1"}, "its schema is 'tradeoff/calibration/1'"),
    ],
)
def test_a_saved_classifier_that_makes_no_sense_is_refused(change, reason, tmp_path):
    path = tmp_path / "policy.json"
    document = json.loads(json.dumps(SAVED))
    for name, value in change.items():
        *inside, field = name.split(".")
        (document[inside[0]] if inside else document)[field] = value
    path.write_text(json.dumps(document))

    with pytest.raises(StorageError) as problem:
        to.CombinedClassifier.load(path)

    refusal = f"{path} is not a classifier that this version can read: {reason}"
    assert str(problem.value).startswith(refusal)


def test_a_saved_classifier_in_order_is_read(tmp_path):
    (tmp_path / "policy.json").write_text(json.dumps(SAVED))

    classifier = to.CombinedClassifier.load(tmp_path / "policy.json")

    assert (classifier.fpr, classifier.share) == (0.1, 0.25)
    assert classifier.second.threshold == -np.inf
    assert not classifier.first.lower_is_positive


def test_a_rating_scale_is_a_ranking():
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
    for bad, told in [
        (([1, 2], [1]), "as many counts"),
        (([1, -2], [1, 1]), "0 or more"),
        (([1, 2], [1, 1], [2, 1]), "Ratings rise"),
    ]:
        with pytest.raises(InputError, match=told):
            to.ranking_of_ratings(*bad)


def test_rejected_rows_stay_with_a_rule():
    rule = to.ranking_of_matrix(to.matrix_of_counts("7 2 1; 4 1 0", ["yes", "no"]), "rule")

    assert rule.at(1.0) == to.matrix_of_counts("7 2 1; 4 1 0", ["yes", "no"])
    assert rule.rows == 15
