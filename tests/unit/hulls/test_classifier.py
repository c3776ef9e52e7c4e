"""Classifiers at any point of a hull: predictions, files, invalid inputs."""

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


def test_a_classifier_reaches_any_point_of_the_hull(tmp_path):
    rng = np.random.default_rng(1)
    actual = rng.random(20_000) < 0.3
    scores = {
        "a": rng.normal(size=20_000) + actual,
        "b": np.where(actual, rng.normal(size=20_000) + 1, rng.normal(size=20_000)),
    }
    e = to.evaluate(actual=actual, score=scores)
    hull = e.hull()

    for target in (0.0, 0.013, 0.2, 0.77, 1.0):
        classifier = hull.classifier(fpr=target)
        is_positive = classifier.positive_rows(scores, seed=4)
        assert classifier.fpr == pytest.approx(target, abs=1e-12)
        assert is_positive[~actual].mean() == pytest.approx(target, abs=0.01)
        assert is_positive[actual].mean() == pytest.approx(classifier.tpr, abs=0.02)
    classifier = hull.classifier(tpr=0.8)
    assert classifier.tpr == pytest.approx(0.8)
    classifier.save(tmp_path / "mix.json")
    loaded = to.CombinedClassifier.load(tmp_path / "mix.json")
    assert loaded == classifier
    np.testing.assert_array_equal(loaded.decide(scores, seed=9), classifier.decide(scores, seed=9))
    assert set(classifier.decide(scores)) == {"True", "False"}


def test_randomizing_between_two_models_follows_the_seed():
    classifier = to.CombinedClassifier(
        to.hull({"A": POINTS["A"]}).vertices[1].rule,
        to.hull({"D": POINTS["D"]}).vertices[1].rule,
        0.25,
        0.24,
        0.66,
        "yes",
        "no",
    )
    scores = {"A": np.zeros(10_000), "D": np.ones(10_000)}

    shares = [(classifier.decide(scores, seed=seed) == "yes").mean() for seed in (0, 0, 1)]

    assert shares[0] == shares[1] != shares[2]
    assert shares[0] == pytest.approx(0.25, abs=0.02)
    # Predicted classes may replace scores.
    labels = {"A": np.array(["no", "yes"]), "D": np.array(["no", "yes"])}
    assert classifier.decide(labels).tolist() == ["no", "yes"]


def test_a_hull_classifier_respects_lower_is_positive():
    e = to.evaluate(actual=[1, 0, 1, 0], score=[1, 4, 2, 3], lower_is_positive=True)
    classifier = e.hull().classifier(tpr=1.0)

    assert classifier.decide([0.5, 2.5]).tolist() == ["1", "0"]
    assert repr(classifier) == "CombinedClassifier(score <= 2 (100%): fpr 0.0000, tpr 1.0000)"
    for fpr, expected in ((0.0, "1"), (1.0, "1")):
        assert e.hull().classifier(fpr=fpr).decide([1.0])[0] == expected


def test_invalid_inputs_of_a_hull_classifier_are_refused(tmp_path):
    hull = to.hull({"A": POINTS["A"], "D": POINTS["D"]})
    classifier = to.CombinedClassifier(hull.vertices[1].rule, hull.vertices[1].rule, 0.5, 0.1, 0.8)

    with pytest.raises(ColumnError, match="no column 'D'"):
        classifier.decide({"E": [1.0]})
    with pytest.raises(InputError, match="missing"):
        classifier.decide({"D": np.array([math.nan, 1.0])})
    with pytest.raises(InputError, match="Give either fpr or tpr"):
        hull.classifier()
    with pytest.raises(InputError, match="between 0 and 1"):
        hull.classifier(fpr=1.5)
    path = tmp_path / "bad.json"
    for text, message in [
        ("{", "not JSON"),
        ("[]", "schema"),
        (json.dumps({"schema": "tradeoff/classifier/1"}), "its first is missing"),
    ]:
        path.write_text(text)
        with pytest.raises(StorageError, match=message):
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
        ({"second.model": 7}, "its second.model must be a string, not 7"),
        ({"first": "a"}, "its first.model is missing"),
        ({"positive": None}, "its positive must be a string, not None"),
        ({"negative": "yes"}, "both of its classes are called 'yes'"),
        ({"Share": 0.5}, "it has an unknown field 'Share'"),
        ({"schema": "tradeoff/calibration/1"}, "its schema is 'tradeoff/calibration/1'"),
    ],
)
def test_an_invalid_classifier_file_is_refused(change, reason, tmp_path):
    path = tmp_path / "policy.json"
    document = json.loads(json.dumps(SAVED))
    for name, value in change.items():
        *parents, field = name.split(".")
        (document[parents[0]] if parents else document)[field] = value
    path.write_text(json.dumps(document))

    with pytest.raises(StorageError) as problem:
        to.CombinedClassifier.load(path)

    refusal = f"{path} is not a classifier that this version can read: {reason}"
    assert str(problem.value).startswith(refusal)


def test_a_valid_classifier_file_is_loaded(tmp_path):
    (tmp_path / "policy.json").write_text(json.dumps(SAVED))

    classifier = to.CombinedClassifier.load(tmp_path / "policy.json")

    assert (classifier.fpr, classifier.share) == (0.1, 0.25)
    assert classifier.second.threshold == -np.inf
    assert not classifier.first.lower_is_positive
