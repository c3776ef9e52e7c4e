"""Wrapped classifiers: predictions and learned thresholds against brute force."""

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


def thresholded(estimator, **options):
    return ThresholdedClassifier(estimator, **{"pos_label": "yes"} | options)


def rejecting(estimator, lower, upper, **options):
    return RejectingClassifier(estimator, lower, upper, **{"pos_label": "yes"} | options)


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


def test_scores_at_or_above_the_threshold_are_positive(data, scores):
    X, y = data  # noqa: N806
    threshold = float(np.sort(scores)[100])  # a score itself: at the threshold is positive
    ours = thresholded(LogisticRegression(), threshold=threshold).fit(X, y)
    peer = FixedThresholdClassifier(LogisticRegression(), threshold=threshold).fit(X, y)

    np.testing.assert_array_equal(ours.predict(X), np.where(scores >= threshold, "yes", "no"))
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
    np.testing.assert_array_equal(ours.predict_proba(X)[:, 1], scores)
    assert (ours.threshold_, ours.decision_, ours.n_features_in_) == (threshold, None, 4)
    assert ours.classes_.tolist() == ["no", "yes"]


def test_without_a_threshold_predictions_are_the_estimators(data):
    for estimator in (LogisticRegression(), LinearSVC(random_state=0)):
        wrapped = thresholded(estimator).fit(*data)
        np.testing.assert_array_equal(
            wrapped.predict(data[0]), estimator.fit(*data).predict(data[0])
        )
    assert wrapped.threshold_ == 0
    assert not hasattr(wrapped, "predict_proba")
    assert hasattr(wrapped, "decision_function")


def test_another_positive_class_has_complementary_scores(data, scores):
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
def test_ambiguous_classes_need_a_pos_label(data, classifier, names):
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
def test_1_and_true_are_positive_by_default(data, names):
    X, y = data  # noqa: N806
    classes = np.where(y == "yes", names[1], names[0])

    assert ThresholdedClassifier(PLAIN, by="youden").fit(X, classes).pos_label_ == 1


@pytest.mark.parametrize("names", [("Bad", "Good"), ("Good", "Other")])
def test_symmetric_rules_need_no_pos_label(data, names):
    X, y = data  # noqa: N806
    classes = np.where(y == "yes", *names)

    for classifier in (ThresholdedClassifier(PLAIN), RejectingClassifier(PLAIN, 0.3, 0.7)):
        unnamed = clone(classifier).fit(X, classes)
        for name in names:
            named = clone(classifier).set_params(pos_label=name).fit(X, classes)
            np.testing.assert_array_equal(named.predict(X), unnamed.predict(X))


def test_a_classifier_from_a_decision_has_its_threshold_and_confusion_matrix(data, scores):
    X, y = data  # noqa: N806
    decision = evaluate(actual=y, score=scores, positive="yes").best(costs=COSTS)
    classifier = ThresholdedClassifier.from_decision(LogisticRegression(), decision).fit(X, y)

    assert classifier.threshold_ == decision.threshold
    assert classifier.decision_ is decision
    matrix = decision.confusion
    assert (classifier.predict(X) == "yes").sum() == matrix.predicted_positives
    assert ((classifier.predict(X) == "yes") & (y == "yes")).sum() == matrix.true_positives


def test_a_classifier_from_a_decision_has_its_positive_class(data, scores):
    X, y = data  # noqa: N806
    numbers = np.where(y == "yes", 1, 0)
    decision = evaluate(actual=numbers, score=1 - scores, positive=0).best("youden")
    classifier = ThresholdedClassifier.from_decision(LogisticRegression(), decision).fit(X, numbers)

    assert classifier.pos_label_ == 0
    assert (classifier.predict(X) == 0).sum() == decision.confusion.predicted_positives
    with pytest.raises(InputError, match="say which one is meant with pos_label"):
        ThresholdedClassifier.from_decision(LogisticRegression(), decision).fit(X, y)
    relabelled = ThresholdedClassifier.from_decision(LogisticRegression(), decision, pos_label="no")
    np.testing.assert_array_equal(
        relabelled.fit(X, y).predict(X) == "no", classifier.predict(X) == 0
    )


def test_a_threshold_is_learned_from_out_of_fold_scores(data):
    X, y = data  # noqa: N806
    out_of_fold = cross_val_predict(LogisticRegression(), X, y, cv=4, method="predict_proba")[:, 1]
    ours = thresholded(LogisticRegression(), by="cost", costs=COSTS, cv=4).fit(X, y)

    def cost(threshold):
        is_positive = out_of_fold >= threshold
        return np.sum(is_positive & (y == "no")) + 5 * np.sum(~is_positive & (y == "yes"))

    assert cost(ours.threshold_) == min(map(cost, [*out_of_fold, np.inf]))
    assert ours.decision_.value == pytest.approx(cost(ours.threshold_) / len(y))
    np.testing.assert_array_equal(
        ours.predict(X) == "yes", ours.predict_proba(X)[:, 1] >= ours.threshold_
    )


@pytest.mark.parametrize(
    "options",
    [
        {"by": "youden"},
        {"by": "precision", "target": 0.6},
        {"by": "f_measure(beta=2)"},
        {"costs": COSTS, "prevalence": 0.1},
    ],
)
def test_learned_thresholds_equal_those_of_an_evaluation(data, options):
    X, y = data  # noqa: N806
    out_of_fold = cross_val_predict(LinearSVC(), X, y, cv=5, method="decision_function")
    ours = thresholded(LinearSVC(), **options).fit(X, y)

    expected = evaluate(actual=y, score=out_of_fold, positive="yes").best(**options)
    assert ours.threshold_ == expected.threshold


def test_costs_may_differ_from_row_to_row(data):
    X, y = data  # noqa: N806
    amounts = np.random.default_rng(1).uniform(1, 20, len(y))
    costs = Costs(false_negative=amounts)
    out_of_fold = cross_val_predict(GaussianNB(), X, y, cv=5, method="predict_proba")[:, 1]
    ours = thresholded(GaussianNB(), costs=costs).fit(X, y)

    def cost(threshold):
        is_positive = out_of_fold >= threshold
        return np.sum(is_positive & (y == "no")) + amounts[~is_positive & (y == "yes")].sum()

    assert cost(ours.threshold_) == pytest.approx(min(map(cost, [*out_of_fold, np.inf])))


def test_weights_reach_the_estimator_and_the_threshold(data, weights):
    X, y = data  # noqa: N806
    ours = thresholded(LogisticRegression(), costs=COSTS, cv=StratifiedKFold(3))
    ours.fit(X, y, sample_weight=weights)
    out_of_fold = np.zeros(len(y))
    for train, test in StratifiedKFold(3).split(X, y):
        model = LogisticRegression().fit(X[train], y[train], sample_weight=weights[train])
        out_of_fold[test] = model.predict_proba(X[test])[:, 1]
    expected = evaluate(actual=y, score=out_of_fold, positive="yes", weight=weights).best(
        costs=COSTS
    )

    assert ours.threshold_ == expected.threshold
    full_fit = LogisticRegression().fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(ours.predict_proba(X), full_fit.predict_proba(X))


def test_weights_for_an_estimator_without_sample_weight_are_refused(data, weights):
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


def test_frozen_estimators_are_not_refitted(data, weights):
    X, y = data  # noqa: N806
    estimator = LogisticRegression().fit(X[:120], y[:120])
    coefficients = estimator.coef_.copy()
    ours = thresholded(FrozenEstimator(estimator), costs=COSTS)
    ours.fit(X[120:], y[120:], sample_weight=weights[120:])
    scores = estimator.predict_proba(X[120:])[:, 1]
    expected = evaluate(actual=y[120:], score=scores, positive="yes", weight=weights[120:])

    np.testing.assert_array_equal(estimator.coef_, coefficients)
    assert ours.threshold_ == expected.best(costs=COSTS).threshold


def test_dataframes_are_split_and_their_feature_names_stored(data):
    X, y = data  # noqa: N806
    frame = pd.DataFrame(X, columns=list("abcd"))
    ours = thresholded(LogisticRegression(), by="youden").fit(frame, pd.Series(y))

    assert ours.feature_names_in_.tolist() == list("abcd")
    from_arrays = thresholded(LogisticRegression(), by="youden").fit(X, y)
    assert ours.threshold_ == from_arrays.threshold_


def test_a_grid_search_can_tune_thresholds_and_inner_parameters(data):
    X, y = data  # noqa: N806
    grid = {"threshold": [0.1, 0.3, 0.5], "estimator__C": [0.1, 1]}
    wrapped = thresholded(LogisticRegression())
    scoring = scorer("auc", pos_label="yes")
    search = GridSearchCV(wrapped, grid, scoring=scoring, cv=3).fit(X, y)

    assert set(search.best_params_) == set(grid)
    expected = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, scoring="roc_auc", cv=3)
    assert search.best_score_ == pytest.approx(expected.fit(X, y).best_score_)


@pytest.mark.parametrize("kind", ["given", "decision", "learned", "band", "mixed"])
def test_a_saved_pipeline_predicts_the_same(tmp_path, data, scores, kind):
    X, y = data  # noqa: N806
    e = evaluate(actual=y, score={"a": scores, "b": -X[:, 0]}, positive="yes")
    negated_evaluation = evaluate(actual=y, score=1 - scores, positive="no")
    plain = LogisticRegression()
    classifier = {
        "given": thresholded(plain, threshold=0.3),
        "decision": ThresholdedClassifier.from_decision(
            plain, negated_evaluation.best(costs=COSTS)
        ),
        "learned": thresholded(plain, costs=COSTS),
        "band": rejecting(plain, 0.2, 0.6),
        "mixed": HullClassifier([("a", plain), ("b", GaussianNB())], e.hull().classifier(fpr=0.2)),
    }[kind]
    pipeline = make_pipeline(StandardScaler(), classifier).fit(X, y)
    joblib.dump(pipeline, tmp_path / "model.joblib")
    loaded = joblib.load(tmp_path / "model.joblib")

    np.testing.assert_array_equal(loaded.predict(X), pipeline.predict(X))
    assert len(set(loaded.predict(X))) > 1
    np.testing.assert_array_equal(clone(loaded).fit(X, y).predict(X), pipeline.predict(X))


def test_copies_of_a_classifier_hold_no_scores_of_rows(data, scores):
    decision = evaluate(actual=data[1], score=scores, positive="yes").best("youden")
    for classifier in (
        ThresholdedClassifier.from_decision(LogisticRegression(), decision),
        thresholded(LogisticRegression(), by="youden"),
    ):
        copied = copy.deepcopy(classifier.fit(*data))
        assert classifier.decision_ is not None
        assert copied.decision_ is None
        assert copied.decision is None
        assert copied.threshold_ == classifier.threshold_


def test_scores_inside_the_band_are_rejected(data, scores):
    X, y = data  # noqa: N806
    ours = rejecting(LogisticRegression(), 0.2, 0.6).fit(X, y)
    expected = np.where(scores >= 0.6, "yes", np.where(scores < 0.2, "no", "rejected"))

    np.testing.assert_array_equal(ours.predict(X), expected)
    assert ours.classes_.tolist() == ["no", "yes"]
    assert ours.score(X, y) == pytest.approx(np.mean(expected == y))
    assert {"no", "yes", "rejected"} == set(ours.predict(X))


def test_a_classifier_from_a_band_decision_has_its_confusion_matrix(data, scores):
    X, y = data  # noqa: N806
    decision = evaluate(actual=y, score=scores, positive="yes").best_band(coverage=0.8)
    classifier = RejectingClassifier.from_decision(LogisticRegression(), decision).fit(X, y)
    predictions, matrix = classifier.predict(X), decision.confusion

    assert (predictions == "rejected").sum() == matrix.rejected > 0
    assert ((predictions == "yes") & (y == "no")).sum() == matrix.false_positives
    assert ((predictions == "no") & (y == "yes")).sum() == matrix.false_negatives


def test_a_classifier_from_a_band_decision_has_its_positive_class(data, scores):
    X, y = data  # noqa: N806
    decision = evaluate(actual=y, score=1 - scores, positive="no").best_band(coverage=0.8)
    classifier = RejectingClassifier.from_decision(LogisticRegression(), decision).fit(X, y)

    assert classifier.pos_label_ == "no"
    assert (classifier.predict(X) == "no").sum() == decision.confusion.predicted_positives


def test_the_label_of_rejected_rows_keeps_its_type(data):
    X, y = data  # noqa: N806
    numbers = np.where(y == "yes", 1, 0)
    with_number = RejectingClassifier(PLAIN, 0.2, 0.6, rejected=-1).fit(X, numbers)
    with_text = RejectingClassifier(PLAIN, 0.2, 0.6).fit(X, numbers)

    assert with_number.predict(X).dtype.kind == "i"
    assert set(with_number.predict(X)) == {0, 1, -1}
    assert set(with_text.predict(X)) == {0, 1, "rejected"}
    with pytest.raises(InputError, match="is already a class"):
        rejecting(LogisticRegression(), 0.2, 0.6, rejected="no").fit(X, y)
    with pytest.raises(InputError, match="above its upper limit"):
        rejecting(LogisticRegression(), 0.6, 0.2).fit(X, y)


def test_a_hull_classifier_predicts_like_its_combined_classifier(data, scores):
    X, y = data  # noqa: N806
    bayes = GaussianNB().fit(X, y).predict_proba(X)[:, 1]
    models = {"line": scores, "bayes": bayes}
    hull = evaluate(actual=y, score=models, positive="yes").hull()
    pairs = [("line", LogisticRegression()), ("bayes", GaussianNB())]

    for fpr in (0.0, 0.03, 0.11, 0.27, 0.5, 1.0):
        rule = hull.classifier(fpr=fpr)
        classifier = HullClassifier(pairs, rule, random_state=7).fit(X, y)
        np.testing.assert_array_equal(classifier.predict(X), rule.decide(models, seed=7))
        assert set(classifier.estimators_) == set(rule.models or ("line",))


def test_a_mixed_rule_is_randomized_by_the_seed(data):
    classifier = HullClassifier([("a", LogisticRegression()), ("b", GaussianNB())], mixed(0.5))
    classifier.set_params(
        pos_label="yes",
        classifier=CombinedClassifier(
            Rule(None, np.inf), Rule(None, -np.inf), 0.3, 0.3, 0.3, "yes", "no"
        ),
    )
    X, y = data  # noqa: N806
    classifier.fit(X, y)

    assert (classifier.predict(X) == classifier.predict(X)).all()
    assert np.mean(classifier.predict(X) == "yes") == pytest.approx(0.3, abs=0.1)
    other = clone(classifier).set_params(random_state=1).fit(X, y)
    assert (classifier.predict(X) != other.predict(X)).any()
    stream = clone(classifier).set_params(random_state=np.random.RandomState(0)).fit(X, y)
    assert (stream.predict(X) != stream.predict(X)).any()


def test_parameters_of_a_hull_classifiers_models_can_be_set():
    original = hulled(0.5)
    changed = clone(original).set_params(a__var_smoothing=9, b=PLAIN, random_state=3)

    assert changed.get_params()["a__var_smoothing"] == 9
    assert dict(changed.estimators)["b"] is PLAIN
    assert changed.random_state == 3
    assert original.get_params()["a__var_smoothing"] < 1  # the clone's own model was changed
    with pytest.raises(ValueError, match="Invalid parameter"):
        changed.set_params(c__C=1)


def test_decisions_with_lower_is_positive_are_refused(data, scores):
    e = evaluate(actual=data[1], score=-scores, positive="yes", lower_is_positive=True)
    threshold, band = e.best("youden"), e.best_band(coverage=0.9)
    rule = e.hull().classifier(fpr=0.3)

    with pytest.raises(InputError, match="low scores are positive"):
        ThresholdedClassifier.from_decision(LogisticRegression(), threshold).fit(*data)
    with pytest.raises(InputError, match="low scores are positive"):
        RejectingClassifier.from_decision(LogisticRegression(), band)
    with pytest.raises(InputError, match="low scores are positive"):
        HullClassifier([("score", LogisticRegression())], rule).fit(*data)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0.3, "by": "youden"}, "Give only one of"),
        ({"threshold": "high"}, "A threshold must be a number"),
        ({"target": 0.3}, "give the criterion `by`"),
        ({"by": "precisely"}, "No threshold can be chosen"),
        ({"by": "youden", "cv": ShuffleSplit(3, random_state=0)}, "test each row exactly once"),
        ({"by": "tpr"}, "needs a target"),
        ({"costs": Costs(false_negative="amount")}, "not as the name of a column"),
        ({"response_method": "predict"}, "response_method must be one of"),
    ],
)
def test_invalid_options_are_refused_by_fit(data, options, message):
    with pytest.raises(ValueError, match=message):
        thresholded(LogisticRegression(), **options).fit(*data)


def test_estimators_that_cannot_be_wrapped_are_refused(data):
    X, y = data  # noqa: N806

    with pytest.raises(InputError, match=r"Only binary .* multiclass"):
        thresholded(LogisticRegression()).fit(X, np.arange(len(y)) % 3)
    with pytest.raises(InputError, match="has no `classes_`"):
        rejecting(LinearRegression(), 0.1, 0.2).fit(X, np.where(y == "yes", 1, 0))
    with pytest.raises(UnknownName, match=r"model called 'a'.*'aa' and 'b'"):
        HullClassifier([("aa", PLAIN), ("b", PLAIN)], mixed(0.5), pos_label="yes").fit(X, y)
    with pytest.raises(InputError, match="must be pairs"):
        HullClassifier([], mixed(0.5), pos_label="yes").fit(X, y)


def test_learning_a_threshold_needs_rows_of_both_classes(data):
    X, y = data  # noqa: N806
    frozen = FrozenEstimator(LogisticRegression().fit(X, y))

    with pytest.raises(InputError, match="rows of both classes are needed"):
        thresholded(frozen, by="youden", cv=KFold(2)).fit(X[y == "no"], y[y == "no"])
