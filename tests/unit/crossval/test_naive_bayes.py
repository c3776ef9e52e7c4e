"""Naive Bayes for numbers and categories, by hand and against scikit-learn."""

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from tradeoff.crossval.naive_bayes import NaiveBayes

RANDOM = np.random.default_rng(0)
ACTUAL = RANDOM.random(300) < 0.3
NUMBERS = RANDOM.normal(size=(300, 3)) + ACTUAL[:, None]
CODES = RANDOM.integers(0, 4, (300, 2)).astype(float)
WEIGHTS = RANDOM.integers(0, 4, 300)


def test_category_proportions_are_laplace_smoothed():
    # yes: category 0 in two of two rows, with 1 added to each count 3/4; no: 2/4.
    model = NaiveBayes({0: 2}).fit([[0], [0], [1], [0]], ["yes", "yes", "no", "no"])

    probabilities = model.predict_proba([[0]])[0]

    assert model.classes_.tolist() == ["no", "yes"]
    assert probabilities == pytest.approx([(1 / 2) / (1 / 2 + 3 / 4), (3 / 4) / (1 / 2 + 3 / 4)])


def test_on_numbers_it_equals_scikit_learns_gaussian_naive_bayes():
    probabilities = NaiveBayes().fit(NUMBERS, ACTUAL).predict_proba(NUMBERS)
    expected = GaussianNB().fit(NUMBERS, ACTUAL).predict_proba(NUMBERS)

    assert probabilities == pytest.approx(expected, abs=1e-7)  # they add a sliver to every variance


def test_on_categories_it_equals_scikit_learns_categorical_naive_bayes():
    probabilities = NaiveBayes({0: 4, 1: 4}).fit(CODES, ACTUAL).predict_proba(CODES)
    expected = CategoricalNB(min_categories=4).fit(CODES, ACTUAL).predict_proba(CODES)

    assert probabilities == pytest.approx(expected, abs=1e-12)


def test_integer_weights_equal_repeated_rows():
    features = np.column_stack([NUMBERS, CODES])
    model = NaiveBayes({3: 4, 4: 4})

    weighted = model.fit(features, ACTUAL, WEIGHTS).predict_proba(features)
    repeated = model.fit(np.repeat(features, WEIGHTS, axis=0), np.repeat(ACTUAL, WEIGHTS))

    assert weighted == pytest.approx(repeated.predict_proba(features), abs=1e-12)


def test_missing_values_are_ignored():
    features = np.column_stack([NUMBERS, np.full(300, np.nan), CODES])
    with_missing = features.copy()
    with_missing[:, 2] = np.nan

    full_model = NaiveBayes({4: 4, 5: 4}).fit(features, ACTUAL)
    reduced_model = NaiveBayes({2: 4, 3: 4}).fit(np.delete(features, [2, 3], axis=1), ACTUAL)

    assert full_model.predict_proba(with_missing) == pytest.approx(
        reduced_model.predict_proba(np.delete(with_missing, [2, 3], axis=1)), abs=1e-12
    )


def test_a_class_without_values_has_the_distribution_of_all_rows():
    rows = [[1.0], [3.0], [np.nan], [np.nan]]
    model = NaiveBayes().fit(rows, [0, 0, 1, 1])

    assert model.predict_proba([[1.0], [9.0]]) == pytest.approx(np.full((2, 2), 0.5))


def test_large_offsets_do_not_change_the_probabilities():
    expected = NaiveBayes().fit(NUMBERS, ACTUAL).predict_proba(NUMBERS)
    probabilities = NaiveBayes().fit(NUMBERS + 2.0**26, ACTUAL).predict_proba(NUMBERS + 2.0**26)

    assert probabilities == pytest.approx(expected, abs=1e-5)


def test_an_unseen_category_is_ignored():
    model = NaiveBayes({0: 2}).fit([[0], [1]], [0, 1])

    assert model.predict_proba([[7]])[0] == pytest.approx([0.5, 0.5])


def test_constant_columns_and_single_rows_of_a_class_can_be_fitted():
    model = NaiveBayes().fit([[5.0, 1.0], [5.0, 2.0]], [0, 1])

    assert model.predict([[5.0, 1.1], [5.0, 1.9]]).tolist() == [0, 1]
