"""Displays in the style of scikit-learn, against its own numbers."""

import pickle

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn import metrics
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.svm import LinearSVC

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.sklearn import displays

mpl.use("agg")
KINDS = {
    display.kind: display
    for name in to.__all__
    if name.endswith("Display")
    for display in [getattr(to, name)]
    if issubclass(display, displays.ScoreDisplay)
}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(300, 5, flip_y=0.2, random_state=0)  # noqa: N806
    return X, np.where(y == 1, "ill", "well")


@pytest.fixture(scope="module")
def fitted(data):
    return LogisticRegression().fit(*data)


@pytest.fixture(scope="module")
def cv_results(data):
    return cross_validate(
        LogisticRegression(), *data, cv=4, return_estimator=True, return_indices=True
    )


def axes():
    return Figure().subplots()


def test_a_roc_display_has_scikit_learns_points(data, fitted):
    X, y = data  # noqa: N806
    scores = fitted.predict_proba(X)[:, 0]
    display = displays.RocCurveDisplay.from_predictions(y, scores, pos_label="ill", ax=axes())

    fpr, tpr, _ = metrics.roc_curve(y, scores, pos_label="ill", drop_intermediate=False)
    assert display.line_.get_xdata() == pytest.approx(fpr)
    assert display.line_.get_ydata() == pytest.approx(tpr)
    area = metrics.roc_auc_score(y == "ill", scores)
    assert display.evaluation.auc.value == pytest.approx(area)
    assert display.figure_ is display.ax_.figure


def test_a_weighted_roc_display_has_scikit_learns_points(data, fitted):
    X, y = data  # noqa: N806
    scores, weight = fitted.predict_proba(X)[:, 0], np.random.default_rng(0).random(len(y))
    display = displays.RocCurveDisplay.from_predictions(
        y == "ill", scores, sample_weight=weight, ax=axes()
    )

    fpr, tpr, _ = metrics.roc_curve(
        y == "ill", scores, sample_weight=weight, drop_intermediate=False
    )
    assert display.line_.get_xdata() == pytest.approx(fpr)
    assert display.line_.get_ydata() == pytest.approx(tpr)


def test_a_det_display_has_scikit_learns_error_rates(data, fitted):
    X, y = data  # noqa: N806
    scores = fitted.predict_proba(X)[:, 0]
    display = displays.DetCurveDisplay.from_predictions(y == "ill", scores, ax=axes())

    fpr, fnr, _ = metrics.det_curve(y == "ill", scores)
    x, y = display.line_.get_xdata(), display.line_.get_ydata()
    points = set(zip(x.round(9), y.round(9), strict=True))
    inside = (fpr > x.min()) & (fnr > y.min()) & (fpr < x.max()) & (fnr < y.max())
    assert inside.sum() > 50
    expected = zip(fpr[inside].round(9), fnr[inside].round(9), strict=True)
    assert all(point in points for point in expected)


@pytest.mark.parametrize("positive", ["ill", "well"])
@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC()])
def test_an_estimator_is_scored_for_its_pos_label(data, model, positive):
    X, y = data  # noqa: N806
    model.fit(X, y)
    display = displays.RocCurveDisplay.from_estimator(model, X, y, pos_label=positive, ax=axes())

    expected = metrics.RocCurveDisplay.from_estimator(model, X, y, pos_label=positive, ax=axes())
    assert display.evaluation.auc.value == pytest.approx(expected.roc_auc)
    assert display.evaluation.ranking.positive == positive
    assert display.ax_.get_legend().get_texts()[0].get_text().startswith(type(model).__name__)


def test_the_default_positive_class_is_the_estimators_second(data, fitted):
    display = displays.RocCurveDisplay.from_estimator(fitted, *data, ax=axes())

    assert display.evaluation.ranking.positive == "well"


@pytest.mark.parametrize("name", KINDS)
def test_every_display_has_all_three_constructors(data, fitted, cv_results, name):
    kind = KINDS[name]
    kind.from_predictions(data[1] == "ill", fitted.predict_proba(data[0])[:, 0], ax=axes())
    kind.from_estimator(fitted, *data, ax=axes())
    display = kind.from_cv_results(cv_results, *data, ax=axes())

    assert display.ax_.get_title(loc="left")
    assert set(display.evaluation.folds["LogisticRegression"]) == {"0", "1", "2", "3"}


def test_a_cross_validated_roc_display_has_scikit_learns_folds(data, cv_results):
    X, y = data  # noqa: N806
    display = displays.RocCurveDisplay.from_cv_results(cv_results, X, y, pos_label="ill", ax=axes())

    theirs = metrics.RocCurveDisplay.from_cv_results(cv_results, X, y, pos_label="ill", ax=axes())
    folds = display.evaluation.folds["LogisticRegression"]
    ours = [display.evaluation.average("roc").folds[fold].area().value for fold in folds]
    assert ours == pytest.approx(theirs.roc_auc)
    fold_lines = [line for line in display.ax_.lines if line.get_gid() == "tradeoff:fold:0"]
    assert len(fold_lines) == 4
    assert display.chart.legend_title == "Mean AUC"
    assert display.line_.get_label() == f"LogisticRegression {np.mean(ours):.3f}"


def test_displays_share_axes_like_scikit_learns(data, fitted):
    first = displays.RocCurveDisplay.from_estimator(fitted, *data, name="one", ax=axes())
    second = displays.RocCurveDisplay.from_estimator(fitted, *data, name="two", ax=first.ax_)

    assert len(second.lines_) == 2
    assert second.lines_[0].get_color() != second.line_.get_color()
    assert second.line_.get_label().startswith("two")


def test_a_display_can_be_plotted_again_under_another_name(data, fitted):
    display = displays.RocCurveDisplay.from_estimator(fitted, *data, threshold=0.5, ax=axes())
    renamed = display.plot(axes(), name="renamed")

    assert renamed.line_.get_label().startswith("renamed")
    assert len(renamed.ax_.texts) == 1  # the threshold is still marked
    assert display.plot().line_.get_label().startswith("LogisticRegression")


def test_a_confusion_matrix_display_has_scikit_learns_counts(data, fitted):
    X, y = data  # noqa: N806
    predicted = fitted.predict(X)
    display = displays.ConfusionMatrixDisplay.from_predictions(y, predicted, ax=axes())
    from_estimator = displays.ConfusionMatrixDisplay.from_estimator(fitted, X, y, ax=axes())

    expected = metrics.confusion_matrix(y, predicted, labels=["well", "ill"])
    assert display.confusion_matrix.counts.tolist() == expected.tolist()
    assert from_estimator.confusion_matrix.counts.tolist() == expected.tolist()
    with pytest.raises(AttributeError, match="no line"):
        display.line_  # noqa: B018


def test_a_confusion_matrix_display_takes_many_classes():
    rng = np.random.default_rng(0)
    y, predicted = rng.integers(0, 5, (2, 200))
    display = displays.ConfusionMatrixDisplay.from_predictions(y, predicted, ax=axes())

    expected = metrics.confusion_matrix(y, predicted)
    assert display.confusion_matrix.counts.tolist() == expected.tolist()


def test_actual_classes_may_be_a_series_or_a_list(data, cv_results):
    import pandas as pd

    X, y = data  # noqa: N806
    for actual in (pd.Series(y, index=range(1000, 1300)), list(y)):
        display = displays.RocCurveDisplay.from_cv_results(cv_results, X, actual, ax=axes())
        assert display.evaluation.ranking.rows == 300


def test_invalid_inputs_are_refused_with_a_reason(data, fitted):
    X, y = data  # noqa: N806
    roc = displays.RocCurveDisplay
    with pytest.raises(InputError, match="for example pos_label='well'"):
        roc.from_predictions(y, X[:, 0])
    with pytest.raises(InputError, match="not a fitted classifier"):
        roc.from_estimator(LogisticRegression(), X, y)
    with pytest.raises(InputError, match="pos_label='sick' is not one of"):
        roc.from_estimator(fitted, X, y, pos_label="sick")
    with pytest.raises(InputError, match="response_method must be one of"):
        roc.from_estimator(fitted, X, y, response_method="predict")
    with pytest.raises(InputError, match="has no predict_proba"):
        roc.from_estimator(LinearSVC().fit(X, y), X, y, response_method="predict_proba")
    with pytest.raises(InputError, match="return_estimator=True"):
        roc.from_cv_results({"test_score": []}, X, y)
    with pytest.raises(InputError, match="has 3 classes"):
        roc.from_estimator(LogisticRegression().fit(X, np.arange(300) % 3), X, y)


def test_exported_displays_exist_and_unknown_ones_raise():
    exported = [name for name in to.__all__ if name.endswith("Display")]

    assert all(getattr(to, name) is getattr(displays, name) for name in exported)
    for name in ("NothingDisplay", "RocCurve", "Display2"):
        with pytest.raises(AttributeError, match=name):
            getattr(to, name)


def test_every_curve_has_a_display():
    assert set(KINDS) == {*to.CURVES, "scores"}


def test_displays_are_classes_and_can_be_pickled(data, fitted):
    display = to.RocCurveDisplay.from_estimator(fitted, *data, ax=axes())
    copied = pickle.loads(pickle.dumps(display))  # noqa: S301 - our own bytes

    assert isinstance(display, to.RocCurveDisplay)
    assert not isinstance(display, to.KsDisplay)
    assert repr(copied) == repr(display) == "RocCurveDisplay(ROC curve)"
    assert copied.evaluation.auc == display.evaluation.auc
    assert isinstance(display.plot(axes()), to.RocCurveDisplay)


def test_a_misspelt_argument_names_the_right_one():
    with pytest.raises(TypeError, match=r"no argument 'treshold'\. Did you mean 'threshold'"):
        to.RocCurveDisplay.from_predictions([0, 1], [0.1, 0.2], treshold=0.5)
