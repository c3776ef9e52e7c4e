"""Wrapped classifiers: what they decide against doing it by hand."""

import copy

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from wrapped import hulled, mixed

from tradeoff import Costs, evaluate
from tradeoff.errors import InputError, UnknownName
from tradeoff.hulls.classifier import CombinedClassifier, Rule
from tradeoff.sklearn import HullClassifier, RejectingClassifier, ThresholdedClassifier
from tradeoff.sklearn.scorers import scorer

COSTS = Costs(false_negative=5)
PLAIN = LogisticRegression()


def thresholded(estimator, **choices):
    return ThresholdedClassifier(estimator, **{"pos_label": "yes"} | choices)


def rejecting(estimator, lower, upper, **choices):
    return RejectingClassifier(estimator, lower, upper, **{"pos_label": "yes"} | choices)


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(240, 4, weights=[0.7], flip_y=0.2, random_state=1)  # noqa: N806
    return X, np.where(y == 1, "yes", "no")


@pytest.fixture(scope="module")
def scores(data):
    return LogisticRegression().fit(*data).predict_proba(data[0])[:, 1]


@pytest.fixture(scope="module")
def weights(data):
    return np.random.default_rng(0).uniform(0.5, 3, len(data[1]))


def test_rows_are_positive_from_the_threshold_on(data, scores):
    X, y = data  # noqa: N806
    line = float(np.sort(scores)[100])  # a score itself: at the line is positive
    ours = thresholded(LogisticRegression(), threshold=line).fit(X, y)
    peer = FixedThresholdClassifier(LogisticRegression(), threshold=line).fit(X, y)

    np.testing.assert_array_equal(ours.predict(X), np.where(scores >= line, "yes", "no"))
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
    np.testing.assert_array_equal(ours.predict_proba(X)[:, 1], scores)
    assert (ours.threshold_, ours.decision_, ours.n_features_in_) == (line, None, 4)
    assert ours.classes_.tolist() == ["no", "yes"]


def test_without_a_threshold_the_estimator_decides_as_ever(data):
    for own in (LogisticRegression(), LinearSVC(random_state=0)):
        wrapped = thresholded(own).fit(*data)
        np.testing.assert_array_equal(wrapped.predict(data[0]), own.fit(*data).predict(data[0]))
    assert wrapped.threshold_ == 0
    assert not hasattr(wrapped, "predict_proba")
    assert hasattr(wrapped, "decision_function")


def test_another_positive_class_turns_the_scores(data, scores):
    X, y = data  # noqa: N806
    ours = thresholded(LogisticRegression(), threshold=0.8, pos_label="no").fit(X, y)

    np.testing.assert_array_equal(ours.predict(X), np.where(1 - scores >= 0.8, "no", "yes"))


@pytest.mark.parametrize(
    "classifier",
    [
        ThresholdedClassifier(PLAIN, threshold=0.3),
        ThresholdedClassifier(PLAIN, by="youden"),
        ThresholdedClassifier(PLAIN, costs=COSTS),
        RejectingClassifier(PLAIN, 0.2, 0.6),
    ],
    ids=str,
)
@pytest.mark.parametrize("names", [("Bad", "Good"), (1, 2), (0, 2)])
def test_classes_that_do_not_explain_themselves_must_be_told(data, classifier, names):
    X, y = data  # noqa: N806
    classes = np.where(y == "yes", *names[::-1])

    with pytest.raises(InputError) as problem:
        clone(classifier).fit(X, classes)

    classes_named = f"'{names[0]}' and '{names[1]}'"
    assert str(problem.value) == (
        f"The classes of LogisticRegression are {classes_named}: say which one is positive, for "
        f"example pos_label={names[0]!r}."
    )
    for name in names:
        fitted_classifier = clone(classifier).set_params(pos_label=name).fit(X, classes)
        assert fitted_classifier.pos_label_ == name


@pytest.mark.parametrize("names", [(0, 1), (-1, 1), (False, True), (0.0, 1.0)])
def test_1_and_true_are_positive_untold(data, names):
    X, y = data  # noqa: N806
    classes = np.where(y == "yes", names[1], names[0])

    assert ThresholdedClassifier(PLAIN, by="youden").fit(X, classes).pos_label_ == 1


@pytest.mark.parametrize("names", [("Bad", "Good"), ("Good", "Other")])
def test_what_is_the_same_for_both_classes_need_not_be_told(data, names):
    X, y = data  # noqa: N806
    classes = np.where(y == "yes", *names)

    for classifier in (ThresholdedClassifier(PLAIN), RejectingClassifier(PLAIN, 0.3, 0.7)):
        unnamed = clone(classifier).fit(X, classes)
        for name in names:
            named = clone(classifier).set_params(pos_label=name).fit(X, classes)
            np.testing.assert_array_equal(named.predict(X), unnamed.predict(X))


def test_a_decision_is_applied_as_it_was_made(data, scores):
    X, y = data  # noqa: N806
    decision = evaluate(actual=y, score=scores, positive="yes").best(costs=COSTS)
    made = ThresholdedClassifier.from_decision(LogisticRegression(), decision).fit(X, y)

    assert made.threshold_ == decision.threshold
    assert made.decision_ is decision
    called = decision.confusion
    assert (made.predict(X) == "yes").sum() == called.predicted_positives
    assert ((made.predict(X) == "yes") & (y == "yes")).sum() == called.true_positives


def test_a_decision_knows_its_positive_class_by_name(data, scores):
    X, y = data  # noqa: N806
    numbers = np.where(y == "yes", 1, 0)
    about_no = evaluate(actual=numbers, score=1 - scores, positive=0).best("youden")
    made = ThresholdedClassifier.from_decision(LogisticRegression(), about_no).fit(X, numbers)

    assert made.pos_label_ == 0
    assert (made.predict(X) == 0).sum() == about_no.confusion.predicted_positives
    with pytest.raises(InputError, match="say which one is meant with pos_label"):
        ThresholdedClassifier.from_decision(LogisticRegression(), about_no).fit(X, y)
    chosen = ThresholdedClassifier.from_decision(LogisticRegression(), about_no, pos_label="no")
    np.testing.assert_array_equal(chosen.fit(X, y).predict(X) == "no", made.predict(X) == 0)


def test_a_threshold_is_learned_on_rows_that_the_model_did_not_see(data):
    X, y = data  # noqa: N806
    unseen = cross_val_predict(LogisticRegression(), X, y, cv=4, method="predict_proba")[:, 1]
    ours = thresholded(LogisticRegression(), by="cost", costs=COSTS, cv=4).fit(X, y)

    def cost(line):
        called = unseen >= line
        return np.sum(called & (y == "no")) + 5 * np.sum(~called & (y == "yes"))

    assert cost(ours.threshold_) == min(map(cost, [*unseen, np.inf]))
    assert ours.decision_.value == pytest.approx(cost(ours.threshold_) / len(y))
    np.testing.assert_array_equal(
        ours.predict(X) == "yes", ours.predict_proba(X)[:, 1] >= ours.threshold_
    )


@pytest.mark.parametrize(
    "choices",
    [
        {"by": "youden"},
        {"by": "precision", "target": 0.6},
        {"by": "f_measure(beta=2)"},
        {"costs": COSTS, "prevalence": 0.1},
    ],
)
def test_thresholds_are_learned_as_an_evaluation_chooses_them(data, choices):
    X, y = data  # noqa: N806
    unseen = cross_val_predict(LinearSVC(), X, y, cv=5, method="decision_function")
    ours = thresholded(LinearSVC(), **choices).fit(X, y)

    expected = evaluate(actual=y, score=unseen, positive="yes").best(**choices)
    assert ours.threshold_ == expected.threshold


def test_costs_may_differ_from_row_to_row(data):
    X, y = data  # noqa: N806
    amounts = np.random.default_rng(1).uniform(1, 20, len(y))
    costs = Costs(false_negative=amounts)
    unseen = cross_val_predict(GaussianNB(), X, y, cv=5, method="predict_proba")[:, 1]
    ours = thresholded(GaussianNB(), costs=costs).fit(X, y)

    def cost(line):
        called = unseen >= line
        return np.sum(called & (y == "no")) + amounts[~called & (y == "yes")].sum()

    assert cost(ours.threshold_) == pytest.approx(min(map(cost, [*unseen, np.inf])))


def test_weights_reach_the_estimator_and_the_choice(data, weights):
    X, y = data  # noqa: N806
    ours = thresholded(LogisticRegression(), costs=COSTS, cv=StratifiedKFold(3))
    ours.fit(X, y, sample_weight=weights)
    unseen = np.zeros(len(y))
    for train, test in StratifiedKFold(3).split(X, y):
        model = LogisticRegression().fit(X[train], y[train], sample_weight=weights[train])
        unseen[test] = model.predict_proba(X[test])[:, 1]
    expected = evaluate(actual=y, score=unseen, positive="yes", weight=weights).best(costs=COSTS)

    assert ours.threshold_ == expected.threshold
    whole = LogisticRegression().fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(ours.predict_proba(X), whole.predict_proba(X))


def test_weights_for_an_estimator_that_takes_none_are_refused(data, weights):
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())

    with pytest.raises(InputError, match="wrap its last step"):
        thresholded(pipeline).fit(*data, sample_weight=weights)


def test_weights_are_routed_through_a_pipeline(data, weights):
    wrapped = thresholded(LogisticRegression(), threshold=0.3)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(StandardScaler(), wrapped.set_fit_request(sample_weight=True))
        scaler = pipeline[0].set_fit_request(sample_weight=False)
        pipeline.fit(*data, sample_weight=weights)
    rows = scaler.transform(data[0])
    expected = LogisticRegression().fit(rows, data[1], sample_weight=weights)
    np.testing.assert_array_equal(pipeline.predict_proba(data[0]), expected.predict_proba(rows))


def test_frozen_estimators_stay_as_they_are(data, weights):
    X, y = data  # noqa: N806
    before = LogisticRegression().fit(X[:120], y[:120])
    told = before.coef_.copy()
    ours = thresholded(FrozenEstimator(before), costs=COSTS)
    ours.fit(X[120:], y[120:], sample_weight=weights[120:])
    unseen = before.predict_proba(X[120:])[:, 1]
    expected = evaluate(actual=y[120:], score=unseen, positive="yes", weight=weights[120:])

    np.testing.assert_array_equal(before.coef_, told)
    assert ours.threshold_ == expected.best(costs=COSTS).threshold


def test_dataframes_are_split_and_their_columns_remembered(data):
    X, y = data  # noqa: N806
    frame = pd.DataFrame(X, columns=list("abcd"))
    ours = thresholded(LogisticRegression(), by="youden").fit(frame, pd.Series(y))

    assert ours.feature_names_in_.tolist() == list("abcd")
    plain = thresholded(LogisticRegression(), by="youden").fit(X, y)
    assert ours.threshold_ == plain.threshold_


def test_a_search_can_look_for_thresholds_and_inner_parameters(data):
    X, y = data  # noqa: N806
    grid = {"threshold": [0.1, 0.3, 0.5], "estimator__C": [0.1, 1]}
    wrapped = thresholded(LogisticRegression())
    scoring = scorer("auc", pos_label="yes")
    search = GridSearchCV(wrapped, grid, scoring=scoring, cv=3).fit(X, y)

    assert set(search.best_params_) == set(grid)
    by_hand = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, scoring="roc_auc", cv=3)
    assert search.best_score_ == pytest.approx(by_hand.fit(X, y).best_score_)


@pytest.mark.parametrize("kind", ["given", "decision", "learned", "band", "mixed"])
def test_a_saved_pipeline_predicts_the_same(tmp_path, data, scores, kind):
    X, y = data  # noqa: N806
    e = evaluate(actual=y, score={"a": scores, "b": -X[:, 0]}, positive="yes")
    about_no = evaluate(actual=y, score=1 - scores, positive="no")
    plain = LogisticRegression()
    last = {
        "given": thresholded(plain, threshold=0.3),
        "decision": ThresholdedClassifier.from_decision(plain, about_no.best(costs=COSTS)),
        "learned": thresholded(plain, costs=COSTS),
        "band": rejecting(plain, 0.2, 0.6),
        "mixed": HullClassifier([("a", plain), ("b", GaussianNB())], e.hull().classifier(fpr=0.2)),
    }[kind]
    pipeline = make_pipeline(StandardScaler(), last).fit(X, y)
    joblib.dump(pipeline, tmp_path / "model.joblib")
    again = joblib.load(tmp_path / "model.joblib")

    np.testing.assert_array_equal(again.predict(X), pipeline.predict(X))
    assert len(set(again.predict(X))) > 1
    np.testing.assert_array_equal(clone(again).fit(X, y).predict(X), pipeline.predict(X))


def test_what_is_saved_holds_no_scores_of_rows(data, scores):
    decision = evaluate(actual=data[1], score=scores, positive="yes").best("youden")
    for made in (
        ThresholdedClassifier.from_decision(LogisticRegression(), decision),
        thresholded(LogisticRegression(), by="youden"),
    ):
        copied = copy.deepcopy(made.fit(*data))
        assert made.decision_ is not None
        assert copied.decision_ is None
        assert copied.decision is None
        assert copied.threshold_ == made.threshold_


def test_a_band_is_rejected(data, scores):
    X, y = data  # noqa: N806
    ours = rejecting(LogisticRegression(), 0.2, 0.6).fit(X, y)
    by_hand = np.where(scores >= 0.6, "yes", np.where(scores < 0.2, "no", "rejected"))

    np.testing.assert_array_equal(ours.predict(X), by_hand)
    assert ours.classes_.tolist() == ["no", "yes"]
    assert ours.score(X, y) == pytest.approx(np.mean(by_hand == y))
    assert {"no", "yes", "rejected"} == set(ours.predict(X))


def test_a_decided_band_is_applied_as_it_was_made(data, scores):
    X, y = data  # noqa: N806
    decision = evaluate(actual=y, score=scores, positive="yes").best_band(coverage=0.8)
    made = RejectingClassifier.from_decision(LogisticRegression(), decision).fit(X, y)
    called, matrix = made.predict(X), decision.confusion

    assert (called == "rejected").sum() == matrix.rejected > 0
    assert ((called == "yes") & (y == "no")).sum() == matrix.false_positives
    assert ((called == "no") & (y == "yes")).sum() == matrix.false_negatives


def test_a_decided_band_knows_its_positive_class(data, scores):
    X, y = data  # noqa: N806
    decision = evaluate(actual=y, score=1 - scores, positive="no").best_band(coverage=0.8)
    made = RejectingClassifier.from_decision(LogisticRegression(), decision).fit(X, y)

    assert made.pos_label_ == "no"
    assert (made.predict(X) == "no").sum() == decision.confusion.predicted_positives


def test_the_label_of_rejected_rows_keeps_its_type(data):
    X, y = data  # noqa: N806
    numbers = np.where(y == "yes", 1, 0)
    as_number = RejectingClassifier(PLAIN, 0.2, 0.6, rejected=-1).fit(X, numbers)
    as_text = RejectingClassifier(PLAIN, 0.2, 0.6).fit(X, numbers)

    assert as_number.predict(X).dtype.kind == "i"
    assert set(as_number.predict(X)) == {0, 1, -1}
    assert set(as_text.predict(X)) == {0, 1, "rejected"}
    with pytest.raises(InputError, match="is a class already"):
        rejecting(LogisticRegression(), 0.2, 0.6, rejected="no").fit(X, y)
    with pytest.raises(InputError, match="above its upper end"):
        rejecting(LogisticRegression(), 0.6, 0.2).fit(X, y)


def test_a_hull_decides_as_the_combined_classifier_does(data, scores):
    X, y = data  # noqa: N806
    bayes = GaussianNB().fit(X, y).predict_proba(X)[:, 1]
    models = {"line": scores, "bayes": bayes}
    hull = evaluate(actual=y, score=models, positive="yes").hull()
    pairs = [("line", LogisticRegression()), ("bayes", GaussianNB())]

    for fpr in (0.0, 0.03, 0.11, 0.27, 0.5, 1.0):
        rule = hull.classifier(fpr=fpr)
        made = HullClassifier(pairs, rule, random_state=7).fit(X, y)
        np.testing.assert_array_equal(made.predict(X), rule.decide(models, seed=7))
        assert set(made.estimators_) == set(rule.models or ("line",))


def test_a_mix_is_drawn_by_the_seed(data):
    made = HullClassifier([("a", LogisticRegression()), ("b", GaussianNB())], mixed(0.5))
    made.set_params(
        pos_label="yes",
        classifier=CombinedClassifier(
            Rule(None, np.inf), Rule(None, -np.inf), 0.3, 0.3, 0.3, "yes", "no"
        ),
    )
    X, y = data  # noqa: N806
    made.fit(X, y)

    assert (made.predict(X) == made.predict(X)).all()
    assert np.mean(made.predict(X) == "yes") == pytest.approx(0.3, abs=0.1)
    other = clone(made).set_params(random_state=1).fit(X, y)
    assert (made.predict(X) != other.predict(X)).any()
    stream = clone(made).set_params(random_state=np.random.RandomState(0)).fit(X, y)
    assert (stream.predict(X) != stream.predict(X)).any()


def test_parameters_of_a_hulls_models_can_be_set():
    before = hulled(0.5)
    made = clone(before).set_params(a__var_smoothing=9, b=PLAIN, random_state=3)

    assert made.get_params()["a__var_smoothing"] == 9
    assert dict(made.estimators)["b"] is PLAIN
    assert made.random_state == 3
    assert before.get_params()["a__var_smoothing"] < 1  # the clone's own model was changed
    with pytest.raises(ValueError, match="Invalid parameter"):
        made.set_params(c__C=1)


def test_decisions_on_low_scores_are_refused(data, scores):
    e = evaluate(actual=data[1], score=-scores, positive="yes", lower_is_positive=True)
    threshold, band = e.best("youden"), e.best_band(coverage=0.9)
    rule = e.hull().classifier(fpr=0.3)

    with pytest.raises(InputError, match="calls low scores positive"):
        ThresholdedClassifier.from_decision(LogisticRegression(), threshold).fit(*data)
    with pytest.raises(InputError, match="calls low scores positive"):
        RejectingClassifier.from_decision(LogisticRegression(), band)
    with pytest.raises(InputError, match="calls low scores positive"):
        HullClassifier([("score", LogisticRegression())], rule).fit(*data)


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"threshold": 0.3, "by": "youden"}, "one of the three"),
        ({"threshold": "high"}, "A threshold is a number"),
        ({"target": 0.3}, "say `by` what to choose it"),
        ({"by": "precisely"}, "No threshold can be chosen"),
        ({"by": "youden", "cv": ShuffleSplit(3, random_state=0)}, "must test each row once"),
        ({"by": "tpr"}, "give the target"),
        ({"costs": Costs(false_negative="amount")}, "not by a column's name"),
        ({"response_method": "predict"}, "response_method is one of"),
    ],
)
def test_wrong_choices_are_told_by_fit(data, choices, told):
    with pytest.raises(ValueError, match=told):
        thresholded(LogisticRegression(), **choices).fit(*data)


def test_classifiers_that_cannot_be_wrapped_are_told(data):
    X, y = data  # noqa: N806

    with pytest.raises(InputError, match=r"Only binary .* multiclass"):
        thresholded(LogisticRegression()).fit(X, np.arange(len(y)) % 3)
    with pytest.raises(InputError, match="has no `classes_`"):
        rejecting(LinearRegression(), 0.1, 0.2).fit(X, np.where(y == "yes", 1, 0))
    with pytest.raises(UnknownName, match=r"model called 'a'.*'aa' and 'b'"):
        HullClassifier([("aa", PLAIN), ("b", PLAIN)], mixed(0.5), pos_label="yes").fit(X, y)
    with pytest.raises(InputError, match="are pairs"):
        HullClassifier([], mixed(0.5), pos_label="yes").fit(X, y)


def test_choosing_needs_rows_of_both_classes(data):
    X, y = data  # noqa: N806
    frozen = FrozenEstimator(LogisticRegression().fit(X, y))

    with pytest.raises(InputError, match="rows of both classes are needed"):
        thresholded(frozen, by="youden", cv=KFold(2)).fit(X[y == "no"], y[y == "no"])
