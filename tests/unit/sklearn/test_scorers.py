"""Scorers in scikit-learn's model selection, against scikit-learn's own and against brute force."""

import math
import pickle

import numpy as np
import pytest
import sklearn
from sklearn import metrics
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from tradeoff import METRICS, SUMMARIES, Costs, evaluate
from tradeoff.errors import InputError, UnknownName
from tradeoff.sklearn.scorers import scorer, scorers

COSTS = Costs(false_positive=1, false_negative=5)
SAME = {
    "auc": "roc_auc",
    "average_precision": "average_precision",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "f1": "f1",
    "precision": "precision",
    "recall": "recall",
    "jaccard": "jaccard",
    "mcc": "matthews_corrcoef",
    "brier": "neg_brier_score",
    "log_loss": "neg_log_loss",
}


@pytest.fixture(scope="module")
def data():
    return make_classification(240, 4, weights=[0.7], flip_y=0.2, random_state=1)


@pytest.fixture(scope="module")
def weights(data):
    return np.random.default_rng(0).uniform(0.5, 3, len(data[1]))


@pytest.fixture(scope="module")
def fitted(data):
    return LogisticRegression().fit(*data)


@pytest.mark.parametrize(("ours", "theirs"), SAME.items())
def test_common_scorers_equal_scikit_learns(data, fitted, ours, theirs):
    expected = metrics.get_scorer(theirs)(fitted, *data)

    assert scorer(ours)(fitted, *data) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), SAME.items())
def test_weighted_scorers_equal_scikit_learns(data, fitted, weights, ours, theirs):
    expected = metrics.get_scorer(theirs)(fitted, *data, sample_weight=weights)

    assert scorer(ours)(fitted, *data, sample_weight=weights) == pytest.approx(expected, abs=1e-12)


def test_decision_function_scores_are_cut_at_zero(data):
    classifier = LinearSVC(random_state=0).fit(*data)

    assert scorer("f1")(classifier, *data) == pytest.approx(
        metrics.get_scorer("f1")(classifier, *data), abs=1e-12
    )
    assert scorer("auc")(classifier, *data) == pytest.approx(
        metrics.get_scorer("roc_auc")(classifier, *data), abs=1e-12
    )
    assert math.isnan(scorer("brier")(classifier, *data))  # they are no probabilities


def test_scorers_use_the_threshold_and_parameters(data, fitted):
    X, y = data  # noqa: N806
    is_positive = fitted.predict_proba(X)[:, 1] >= 0.3

    assert scorer("f1", threshold=0.3)(fitted, X, y) == pytest.approx(
        metrics.f1_score(y, is_positive)
    )
    expected = metrics.fbeta_score(y, is_positive, beta=2)
    for scoring in (
        scorer("f_measure(beta=2)", threshold=0.3),
        scorer("f_measure", beta=2, at=("threshold", 0.3)),
    ):
        assert scoring(fitted, X, y) == pytest.approx(expected)


def test_parameters_may_be_part_of_the_name(data, fitted):
    X, y = data  # noqa: N806
    is_positive = fitted.predict_proba(X)[:, 1] >= 0.2
    benefit = np.mean(is_positive & (y == 1)) - np.mean(is_positive & (y == 0)) * 0.2 / 0.8

    assert scorer("net_benefit(at=0.2)", threshold=0.2)(fitted, X, y) == pytest.approx(benefit)
    by_width = evaluate(actual=y, score=fitted.predict_proba(X)[:, 1]).summary(
        "expected_calibration_error", by="width", level=None
    )
    score = scorer("expected_calibration_error(by=width)")(fitted, X, y)
    assert score == -by_width.value


def test_a_metric_at_a_value_of_another_is_interpolated_on_the_curve(data, fitted):
    X, y = data  # noqa: N806
    fpr, tpr, _ = metrics.roc_curve(y, fitted.predict_proba(X)[:, 1], drop_intermediate=False)

    score = scorer("recall", at=("fpr", 0.105))(fitted, X, y)
    assert score == pytest.approx(np.interp(0.105, fpr, tpr))


def brute_force_cost(y, scores, thresholds):
    return [
        (np.sum((scores >= t) & (y == 0)) + 5 * np.sum((scores < t) & (y == 1))) / len(y)
        for t in thresholds
    ]


def test_cost_scores_are_negated_costs_per_row(data, fitted):
    X, y = data  # noqa: N806
    scores = fitted.predict_proba(X)[:, 1]
    at_half, at_fifth = brute_force_cost(y, scores, [0.5, 0.2])
    cheapest = min(brute_force_cost(y, scores, [*scores, np.inf]))

    assert scorer("cost", costs=COSTS)(fitted, X, y) == pytest.approx(-at_half)
    assert scorer("cost", costs=COSTS, threshold=0.2)(fitted, X, y) == pytest.approx(-at_fifth)
    assert scorer("expected_cost", costs=COSTS, threshold=0.2)(fitted, X, y) == pytest.approx(
        -at_fifth
    )
    assert scorer("cost", costs=COSTS, by="cheapest")(fitted, X, y) == pytest.approx(-cheapest)


def test_cost_scores_at_a_prevalence_follow_from_the_error_rates(data, fitted):
    X, y = data  # noqa: N806
    is_positive = fitted.predict_proba(X)[:, 1] >= 0.2
    fpr, fnr = is_positive[y == 0].mean(), 1 - is_positive[y == 1].mean()

    score = scorer("cost", costs=COSTS, threshold=0.2, prevalence=0.1)(fitted, X, y)
    assert score == pytest.approx(-(0.9 * fpr + 0.1 * 5 * fnr))


@pytest.mark.parametrize("by", ["cheapest", None])
def test_a_grid_search_by_cost_picks_what_brute_force_picks(data, by):
    X, y = data  # noqa: N806
    depths, folds = [1, 2, 3, 6], StratifiedKFold(3)
    tree = DecisionTreeClassifier(random_state=0, min_samples_leaf=5)
    scoring = scorer("cost", costs=COSTS, by=by)
    search = GridSearchCV(tree, {"max_depth": depths}, scoring=scoring, cv=folds).fit(X, y)

    def cost(depth):
        fold_costs = []
        for train, test in folds.split(X, y):
            model = clone(tree).set_params(max_depth=depth).fit(X[train], y[train])
            scores = model.predict_proba(X[test])[:, 1]
            thresholds = [0.5] if by is None else [*scores, np.inf]
            fold_costs.append(min(brute_force_cost(y[test], scores, thresholds)))
        return np.mean(fold_costs)

    costs = [cost(depth) for depth in depths]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], -np.array(costs))
    assert search.best_params_["max_depth"] == depths[int(np.argmin(costs))]


def test_scores_are_negated_and_named_neg_where_lower_is_better():
    assert repr(scorer("brier")) == "Scorer(neg_brier)"
    assert repr(scorer("f1", threshold=0.3)) == "Scorer(f_measure at threshold 0.3)"
    assert repr(scorer("cost", costs=COSTS)) == "Scorer(neg_expected_cost)"
    assert repr(scorer("cost", costs=COSTS, by="cheapest")) == (
        "Scorer(neg_expected_cost at the cheapest threshold)"
    )
    signs = {name: scorer(name).sign for name in (*METRICS, *SUMMARIES)}
    for name, measure in (*METRICS.items(), *SUMMARIES.items()):
        assert signs[name] == (-1 if measure.better == "lower" else 1)


def test_all_scorers_equal_the_evaluation(data, fitted):
    X, y = data  # noqa: N806
    e = evaluate(actual=y, score=fitted.predict_proba(X)[:, 1])
    all_scorers = scorers()

    assert len(all_scorers) == len(METRICS) + len(SUMMARIES)
    for name, scoring in all_scorers.items():
        measure = name.removeprefix("neg_")
        matrix, ranking = e.at(0.5), e.ranking
        expected = METRICS[measure](matrix) if measure in METRICS else SUMMARIES[measure](ranking)
        np.testing.assert_allclose(scoring(fitted, X, y), scoring.sign * expected, err_msg=name)


def test_several_scorers_work_in_one_cross_validation(data):
    scoring = scorers("auc", "f1", "brier", threshold=0.4)
    results = cross_validate(LogisticRegression(), *data, scoring=scoring, cv=3)
    expected = cross_val_score(LogisticRegression(), *data, scoring="neg_brier_score", cv=3)

    assert list(scoring) == ["auc", "f_measure at threshold 0.4", "neg_brier"]
    np.testing.assert_allclose(results["test_neg_brier"], expected)


def test_the_positive_class_is_the_pos_label(data):
    X, y = data  # noqa: N806
    classes = np.where(y == 1, "ill", "well")
    fitted = LogisticRegression().fit(X, classes)

    recall = scorer("recall", pos_label="ill")(fitted, X, classes)
    assert recall == pytest.approx(
        metrics.recall_score(classes, fitted.predict(X), pos_label="ill")
    )
    specificity = scorer("specificity", pos_label="well")(fitted, X, classes)
    assert specificity == pytest.approx(recall)
    classifier = LinearSVC(random_state=0).fit(X, classes)
    assert scorer("auc", pos_label="ill")(classifier, X, classes) == pytest.approx(
        scorer("auc", pos_label="well")(classifier, X, classes)
    )


@pytest.mark.parametrize("names", [("Bad", "Good"), (1, 2), (0, 2)])
def test_a_scorer_of_ambiguous_classes_needs_a_pos_label(data, names):
    X, y = data  # noqa: N806
    classes = np.where(y == 1, names[1], names[0])
    fitted = LogisticRegression().fit(X, classes)

    with pytest.raises(InputError) as problem:
        scorer("recall")(fitted, X, classes)

    assert str(problem.value) == (
        f"The classes of LogisticRegression are '{names[0]}' and '{names[1]}': say which one is "
        f"positive, for example pos_label={names[0]!r}."
    )
    with pytest.raises(InputError, match="say which one is positive"):
        cross_val_score(fitted, X, classes, scoring=scorer("recall"), cv=2, error_score="raise")


@pytest.mark.parametrize("names", [(0, 1), (-1, 1), (False, True)])
def test_1_is_positive_by_default(data, names):
    X, y = data  # noqa: N806
    classes = np.where(y == 1, names[1], names[0])
    fitted = LogisticRegression().fit(X, classes)

    expected = metrics.recall_score(classes, fitted.predict(X), pos_label=names[1])
    assert scorer("recall")(fitted, X, classes) == pytest.approx(expected)


def test_undefined_scores_are_nan_or_the_requested_value(data):
    X, y = data  # noqa: N806
    never_positive = DummyClassifier(strategy="constant", constant=0).fit(X, y)

    assert math.isnan(scorer("precision")(never_positive, X, y))
    assert scorer("precision", undefined="scikit-learn")(never_positive, X, y) == 0
    assert scorer("precision", undefined=1)(never_positive, X, y) == 1
    assert scorer("fdr", undefined=1)(never_positive, X, y) == -1
    assert math.isnan(
        scorer("cost", costs=COSTS, undefined="scikit-learn")(never_positive, X, y * 0)
    )


@pytest.mark.parametrize(
    "scoring",
    [
        scorer("auc"),
        scorer("auc", prevalence=0.1),
        scorer("precision", prevalence=0.1),
        scorer("cost", costs=COSTS),
        scorer("cost", costs=COSTS, by="cheapest"),
    ],
    ids=str,
)
def test_scores_of_rows_of_one_class_are_nan(data, fitted, scoring):
    X, y = data  # noqa: N806

    for label in (0, 1):
        assert math.isnan(scoring(fitted, X[y == label], y[y == label]))


def test_a_grid_search_warns_of_undefined_scores(data):
    constant = DummyClassifier(strategy="constant")
    search = GridSearchCV(constant, {"constant": [0, 1]}, scoring=scorer("precision"), cv=2)

    with pytest.warns(UserWarning, match="non-finite"):
        search.fit(*data)
    assert search.best_params_ == {"constant": 1}


def test_scorers_survive_pickling_and_cloning(data, fitted):
    for scoring in (
        scorer("f_measure", beta=2, at=("fpr", 0.1)),
        scorer("cost", costs=COSTS, by="cheapest", prevalence=0.2),
    ):
        loaded = pickle.loads(pickle.dumps(scoring))  # noqa: S301 - our own bytes
        assert loaded == scoring
        assert hash(loaded) == hash(scoring)
        assert loaded(fitted, *data) == scoring(fitted, *data)
        search = clone(GridSearchCV(LogisticRegression(), {"C": [1]}, scoring=scoring))
        assert search.scoring == scoring


def test_a_grid_search_passes_weights_to_one_scorer_and_to_several(data, weights):
    X, y = data  # noqa: N806
    for scoring, key in ((scorer("brier"), "score"), (scorers("auc", "brier"), "neg_brier")):
        search = GridSearchCV(
            LogisticRegression(), {"C": [1]}, scoring=scoring, cv=StratifiedKFold(2), refit=False
        ).fit(X, y, sample_weight=weights)
        expected = []
        for train, test in StratifiedKFold(2).split(X, y):
            model = LogisticRegression().fit(X[train], y[train], sample_weight=weights[train])
            expected.append(
                metrics.brier_score_loss(
                    y[test], model.predict_proba(X[test])[:, 1], sample_weight=weights[test]
                )
            )
        assert search.cv_results_[f"mean_test_{key}"][0] == pytest.approx(-np.mean(expected))


def test_metadata_are_routed_on_request(data, weights):
    plain, weighted = (
        scorer("auc").set_score_request(sample_weight=is_requested)
        for is_requested in (False, True)
    )
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=False)
        results = cross_validate(
            model,
            *data,
            scoring={"plain": plain, "weighted": weighted},
            params={"sample_weight": weights},
            cv=2,
        )
    assert not np.isclose(results["test_plain"], results["test_weighted"]).any()
    first_train, first_test = next(StratifiedKFold(2).split(*data))
    X, y = data  # noqa: N806
    fitted = LogisticRegression().fit(X[first_train], y[first_train])
    expected = weighted(fitted, X[first_test], y[first_test], weights[first_test])
    assert results["test_weighted"][0] == expected


def test_pipelines_are_scored(data):
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    scores = cross_val_score(pipeline, *data, scoring=scorer("auc"), cv=3)

    np.testing.assert_allclose(
        scores, cross_val_score(pipeline, *data, scoring="roc_auc", cv=3), rtol=1e-12
    )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"name": "acu"}, UnknownName, "acu"),
        ({"name": "auc", "threshold": 0.3}, InputError, "takes no `at`"),
        ({"name": "f1", "threshold": 0.3, "at": ("fpr", 0.1)}, InputError, "not both"),
        ({"name": "f1", "threshold": "high"}, InputError, "a number, not"),
        ({"name": "f1", "costs": COSTS}, InputError, "Costs go with"),
        ({"name": "f1", "by": "cheapest"}, InputError, "cheapest"),
        ({"name": "cost"}, InputError, "Give the costs of the outcomes"),
        ({"name": "cost", "costs": COSTS, "by": "youden"}, InputError, "cheapest"),
        ({"name": "cost", "costs": COSTS, "by": "cheapest", "threshold": 0}, InputError, "both"),
        ({"name": "cost", "costs": COSTS, "beta": 2}, InputError, "no parameter 'beta'"),
        ({"name": "f1", "undefined": "zero"}, InputError, "scikit-learn"),
        (
            {"name": "f1", "response_method": "predict"},
            InputError,
            "response_method must be one of",
        ),
    ],
)
def test_invalid_options_are_refused_when_the_scorer_is_created(options, error, message):
    with pytest.raises(error, match=message):
        scorer(**options)


def test_estimators_that_cannot_be_scored_are_refused(data):
    X, y = data  # noqa: N806

    with pytest.raises(InputError, match="no `classes_`"):
        scorer("auc")(LinearRegression().fit(X, y), X, y)
    multiclass = LogisticRegression().fit(X, np.arange(len(y)) % 3)
    with pytest.raises(InputError, match="has 3 classes, but two are needed"):
        scorer("auc")(multiclass, X, y)
    with pytest.raises(InputError, match="only one class, '0'"):
        scorer("auc")(DummyClassifier().fit(X, y * 0), X, y)
