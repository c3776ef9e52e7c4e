"""Weka's cross-validation and naive Bayes, prediction for prediction."""

import math
from importlib.resources import files

import numpy as np
import pytest
from golden.reference import DATA, document, table
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict

import tradeoff as to
from tradeoff.crossval.folds import weka_splits
from tradeoff.crossval.weka_naive_bayes import WekaNaiveBayes
from tradeoff.errors import InputError
from tradeoff.sources.arff import read_arff

TEMPERATURE = [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]


HUMIDITY = [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91]


def weka_order(codes, folds=10, seed=1):
    return np.concatenate([test for _, test in weka_splits(codes, folds, seed)])


@pytest.fixture(scope="module")
def weather():
    return read_arff(files("tradeoff.data") / "weather.arff")


@pytest.fixture(scope="module")
def rows(weather):
    return np.column_stack([weather.columns[a.name] for a in weather.attributes[:-1]])


@pytest.fixture(scope="module")
def play(weather):
    return weather.columns["play"]


def predictions(rows, play, weights):
    """The tested rows in Weka's order, and P(no), P(yes) of each."""
    order, probabilities = [], []
    for train, test in weka_splits((play == "no").astype(int)):
        model = WekaNaiveBayes().fit(rows[train], play[train], weights[train])
        order += test.tolist()
        probabilities.append(model.predict_proba(rows[test]))
    return np.array(order), np.concatenate(probabilities)


@pytest.mark.parametrize(
    ("name", "positive", "is_weighted"),
    [
        ("weka_nb_nominal", 1, False),
        ("weka_nb_nominal_posno", 0, False),
        ("weka_nb_nominal_weighted", 1, True),
    ],
)
def test_every_prediction_equals_wekas(rows, play, name, positive, is_weighted):
    weights = 1.0 + np.arange(14) % 3 if is_weighted else np.ones(14)
    order, probabilities = predictions(rows, play, weights)
    weka = table(f"{name}_predictions.csv")

    assert play[order].tolist() == weka["actual"].tolist()
    assert weights[order].tolist() == weka["weight"].tolist()
    np.testing.assert_allclose(probabilities[:, positive], weka["score_pos"], rtol=0, atol=1e-15)
    predicted = np.array(["no", "yes"])[probabilities.argmax(axis=1)]
    assert predicted.tolist() == weka["predicted"].tolist()


def test_predictions_on_breast_cancer_equal_wekas_to_the_last_digit():
    # Nine rows have missing values, and some declared values never occur.
    validation = to.cross_validate(
        DATA / "breast_cancer.arff",
        actual="Class",
        positive="recurrence-events",
        models=["weka-naive-bayes"],
        way="weka",
    )
    weka = table("weka_nb_breastcancer_predictions.csv")
    summary = document("weka_nb_breastcancer_summary.json")

    order = weka_order((validation.actual == "recurrence-events").astype(int))
    assert validation.actual[order].tolist() == weka["actual"].tolist()
    assert validation.scores["weka-naive-bayes"][order].tolist() == weka["score_pos"].tolist()
    assert validation.evaluation.auc.value == pytest.approx(
        summary["roc_area_from_curve"], abs=1e-12
    )
    assert validation.evaluation.at(0.5).counts.tolist() == [[37, 48], [33, 168]]


def test_the_confusion_matrix_and_the_auc_equal_wekas(rows, play):
    order, probabilities = predictions(rows, play, np.ones(14))
    e = to.evaluate(actual=play[order], score=probabilities[:, 1], positive="yes")
    matrix = e.at(0.5)

    assert (matrix.true_positives, matrix.false_negatives) == (7, 2)
    assert (matrix.false_positives, matrix.true_negatives) == (4, 1)
    assert float(e.auc) == 26 / 45
    summary = document("weka_nb_nominal_summary.json")
    assert float(e.auc) == pytest.approx(summary["per_class"]["positive"]["roc_area"], abs=1e-15)


def test_folds_and_classifier_work_in_scikit_learns_cross_validation(rows, play):
    codes = (play == "no").astype(int)
    model = clone(WekaNaiveBayes())
    probabilities = cross_val_predict(
        model, rows, play, cv=list(weka_splits(codes)), method="predict_proba"
    )

    weka = table("weka_nb_nominal_predictions.csv")["score_pos"]
    np.testing.assert_allclose(probabilities[weka_order(codes), 1], weka, rtol=0, atol=1e-12)


def test_estimates_of_numeric_columns_equal_those_that_weka_prints(play):
    # What Weka prints for its weather data with numbers, to four decimals.
    table = np.column_stack([TEMPERATURE, HUMIDITY])
    model = WekaNaiveBayes().fit(table, play)
    temperature, humidity = model.columns_

    assert model.class_prior_.tolist() == [6 / 16, 10 / 16]
    assert round(temperature.precision, 4) == 1.9091
    assert temperature.means.round(4).tolist() == [74.8364, 72.9697]
    assert temperature.standard_deviations.round(4).tolist() == [7.384, 5.2304]
    assert round(humidity.precision, 4) == 3.4444
    assert humidity.means.round(4).tolist() == [86.1111, 78.8395]
    assert humidity.standard_deviations.round(4).tolist() == [9.2424, 9.8023]


def test_the_training_accuracy_on_numeric_weather_equals_wekas(rows, play):
    # Weka: 92.8571% correct on the training data.
    table = rows.copy()
    table[:, 1], table[:, 2] = TEMPERATURE, HUMIDITY

    assert (WekaNaiveBayes().fit(table, play).predict(table) == play).sum() == 13


def test_a_nominal_prediction_worked_by_hand():
    # Counts from 1: yes has a 3/4, b 1/4 (of 2 rows and 2 values), no has b 2/3, a 1/3.
    model = WekaNaiveBayes().fit([["a"], ["a"], ["b"]], ["yes", "yes", "no"])
    yes, no = 3 / 5 * 3 / 4, 2 / 5 * 1 / 3

    assert model.classes_.tolist() == ["no", "yes"]
    np.testing.assert_allclose(
        model.predict_proba([["a"]]), [[no / (yes + no), yes / (yes + no)]], rtol=1e-15
    )
    np.testing.assert_allclose(model.predict_proba([[None]]), [[2 / 5, 3 / 5]], rtol=1e-15)


def test_declared_values_without_rows_are_smoothed_too():
    model = WekaNaiveBayes(values={0: ["a", "b", "c"]}).fit([["a"], ["b"]], [1, 0])
    # Each class: its own value 2/4, the two others 1/4.
    np.testing.assert_allclose(model.predict_proba([["a"]]), [[1 / 3, 2 / 3]])
    np.testing.assert_allclose(model.predict_proba([["c"]]), [[1 / 2, 1 / 2]])

    with pytest.raises(InputError, match="Column 0 has the value 'd' in row 2"):
        model.predict_proba([["a"], ["d"]])
    with pytest.raises(InputError, match="which is not declared"):
        WekaNaiveBayes(values={0: ["a"]}).fit([["a"], ["b"]], [1, 0])


def test_an_unseen_value_is_treated_as_missing():
    model = WekaNaiveBayes().fit([["a", 1], ["b", 2]], [1, 0])

    np.testing.assert_array_equal(
        model.predict_proba([["new", 1]]), model.predict_proba([[None, 1]])
    )


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_dataframes_declare_their_categories(library):
    frames = pytest.importorskip(library)
    values = ["a", "b", "c"]
    kind = frames.CategoricalDtype(values) if library == "pandas" else frames.Enum(values)
    x = frames.Series(["a", "b", None, "a"], dtype=kind)
    frame = frames.DataFrame({"x": x, "n": [1.0, 2.0, None, 4.0], "t": ["u", None, "v", "u"]})
    y = [1, 0, 0, 1]
    array = np.array(
        [["a", 1.0, "u"], ["b", 2.0, None], [None, None, "v"], ["a", 4.0, "u"]], dtype=object
    )
    expected = WekaNaiveBayes(values={0: values}).fit(array, y).predict_proba(array)

    np.testing.assert_array_equal(WekaNaiveBayes().fit(frame, y).predict_proba(frame), expected)


@given(st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(any))
def test_integer_weights_equal_repeated_rows(weights):
    table = np.array(
        [["a", 1.0], ["b", 2.5], ["a", None], ["c", 4.0], [None, 7.0], ["b", 2.0]], dtype=object
    )
    actual = np.array(["x", "y", "x", "y", "x", "y"])
    # A row of weight 0 still declares its values; rows are repeated, so all are kept once more.
    weights = np.array(weights) + 1
    weighted = WekaNaiveBayes().fit(table, actual, sample_weight=weights)
    repeated = WekaNaiveBayes().fit(np.repeat(table, weights, axis=0), np.repeat(actual, weights))

    np.testing.assert_allclose(
        weighted.predict_proba(table), repeated.predict_proba(table), rtol=1e-9
    )


def test_a_numeric_prediction_worked_by_hand():
    # Distances 1, 1 and 4: precision 2, so 0, 1, 2 and 6 become 0, 0 (halves to even), 2 and 6.
    model = WekaNaiveBayes().fit([[0.0], [1.0], [2.0], [6.0]], ["x", "x", "y", "y"])

    def normal_cdf(z):
        return (1 + math.erf(z / math.sqrt(2))) / 2

    # x: mean 0 without spread, so a sixth of the precision; y: mean 4, deviation 2. 3 becomes 4.
    x = max(1e-75, normal_cdf((4 + 1) * 3) - normal_cdf((4 - 1) * 3))
    y = normal_cdf(1 / 2) - normal_cdf(-1 / 2)
    expected = x / (x + y)

    column = model.columns_[0]
    assert column.precision == 2
    assert column.standard_deviations.tolist() == [2 / 6, 2]
    probabilities = model.predict_proba([[3.0]])[0]
    assert probabilities[0] == pytest.approx(expected, rel=1e-6, abs=1e-15)
    assert probabilities[1] == pytest.approx(1 - expected, rel=1e-12)


def test_a_standard_deviation_is_at_least_a_sixth_of_the_precision():
    # x: one 1 among 99 zeros deviates by √(0.01 · 0.99) ≈ 0.0995; y: 0 and 1 deviate by 1/2.
    values = [[0.0]] * 99 + [[1.0], [0.0], [1.0]]
    column = WekaNaiveBayes().fit(values, ["x"] * 100 + ["y"] * 2).columns_[0]

    assert column.precision == 1
    assert column.means.tolist() == [0.01, 0.5]
    assert column.standard_deviations.tolist() == [1 / 6, 0.5]


def test_extreme_values_do_not_underflow():
    rng = np.random.default_rng(1)
    table = np.vstack([rng.normal(0, 1, (20, 30)), rng.normal(5, 1, (20, 30))])
    model = WekaNaiveBayes().fit(table, [0] * 20 + [1] * 20)
    probabilities = model.predict_proba(np.full((1, 30), 1e6))

    assert np.isfinite(probabilities).all()
    assert probabilities.sum() == pytest.approx(1)


def test_a_column_of_one_value_has_the_default_precision():
    model = WekaNaiveBayes().fit([[3.0], [3.0], [3.0]], [0, 1, 1])
    column = model.columns_[0]

    assert column.precision == 0.01
    np.testing.assert_allclose(column.standard_deviations, 0.01 / 6)
    np.testing.assert_allclose(model.predict_proba([[3.0]]), [[2 / 5, 3 / 5]])


def test_empty_columns_and_rows_without_a_class_are_ignored():
    table = np.array([["a", None], ["b", None], ["b", None]], dtype=object)
    full_model = WekaNaiveBayes().fit(table, np.array(["x", "y", None], dtype=object))
    reduced_model = WekaNaiveBayes().fit(table[:2, :1], ["x", "y"])

    np.testing.assert_array_equal(
        full_model.predict_proba(table), reduced_model.predict_proba(table[:, :1])
    )


@pytest.mark.parametrize(
    ("x", "y", "weights", "message"),
    [
        ([["a"], ["b"]], [1], None, "each row needs one"),
        ([["a"]], [None], None, "no row with a class"),
        ([["a"]], [1], [-1], "non-negative"),
        ([["a"]], [1], [1, 2], "one per row"),
        ([["a"], ["b"]], [1, 0], [0, 0], "Every weight is zero"),
        (np.empty((2, 0)), [1, 0], None, "no column to learn from"),
        (np.array([[1j], [2j]]), [1, 0], None, "Complex data not supported"),
        (csr_array([[1.0], [0.0]]), [1, 0], None, "not a sparse one"),
        ([[np.inf], [1.0]], [1, 0], None, "infinite"),
        (["a", "b"], [1, 0], None, "must be a table"),
        ([["a"]], [[1]], None, "One value per row"),
    ],
)
def test_invalid_training_data_are_refused(x, y, weights, message):
    with pytest.raises(InputError, match=message):
        WekaNaiveBayes().fit(x, y, weights)


def test_rows_to_predict_must_have_the_columns_of_the_training_data():
    model = WekaNaiveBayes().fit([[1.0, "a"], [2.0, "b"]], [0, 1])

    with pytest.raises(InputError, match="1 columns, but the model was trained on 2"):
        model.predict([[1.0]])
    with pytest.raises(InputError, match="numeric in training but now holds 'x'"):
        model.predict(np.array([["x", "a"]], dtype=object))
