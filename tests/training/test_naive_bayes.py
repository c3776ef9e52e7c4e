"""Naive Bayes for numbers and categories, by hand and beside scikit-learn's two."""

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from tradeoff.crossval.naive_bayes import NaiveBayes

RANDOM = np.random.default_rng(0)
ACTUAL = RANDOM.random(300) < 0.3
NUMBERS = RANDOM.normal(size=(300, 3)) + ACTUAL[:, None]
CODES = RANDOM.integers(0, 4, (300, 2)).astype(float)
WEIGHTS = RANDOM.integers(0, 4, 300)


def test_shares_start_at_1_and_numbers_are_normal():
    # yes: category 0 twice of two; with 1 added to each of two counts 3/4, no: 1/4 and 2/4.
    model = NaiveBayes({0: 2}).fit([[0], [0], [1], [0]], ["yes", "yes", "no", "no"])

    found = model.predict_proba([[0]])[0]

    assert model.classes_.tolist() == ["no", "yes"]
    assert found == pytest.approx([(1 / 2) / (1 / 2 + 3 / 4), (3 / 4) / (1 / 2 + 3 / 4)])


def test_on_numbers_alone_it_is_scikit_learns():
    ours = NaiveBayes().fit(NUMBERS, ACTUAL).predict_proba(NUMBERS)
    theirs = GaussianNB().fit(NUMBERS, ACTUAL).predict_proba(NUMBERS)

    assert ours == pytest.approx(theirs, abs=1e-7)  # they add a sliver to every variance


def test_on_categories_alone_it_is_scikit_learns():
    ours = NaiveBayes({0: 4, 1: 4}).fit(CODES, ACTUAL).predict_proba(CODES)
    theirs = CategoricalNB(min_categories=4).fit(CODES, ACTUAL).predict_proba(CODES)

    assert ours == pytest.approx(theirs, abs=1e-12)


def test_a_weight_of_2_is_the_row_twice():
    both = np.column_stack([NUMBERS, CODES])
    model = NaiveBayes({3: 4, 4: 4})

    weighted = model.fit(both, ACTUAL, WEIGHTS).predict_proba(both)
    repeated = model.fit(np.repeat(both, WEIGHTS, axis=0), np.repeat(ACTUAL, WEIGHTS))

    assert weighted == pytest.approx(repeated.predict_proba(both), abs=1e-12)


def test_missing_values_tell_nothing():
    known = np.column_stack([NUMBERS, np.full(300, np.nan), CODES])
    holes = known.copy()
    holes[:, 2] = np.nan

    whole = NaiveBayes({4: 4, 5: 4}).fit(known, ACTUAL)
    without = NaiveBayes({2: 4, 3: 4}).fit(np.delete(known, [2, 3], axis=1), ACTUAL)

    assert whole.predict_proba(holes) == pytest.approx(
        without.predict_proba(np.delete(holes, [2, 3], axis=1)), abs=1e-12
    )


def test_a_class_without_values_is_taken_to_be_like_all_rows():
    rows = [[1.0], [3.0], [np.nan], [np.nan]]
    model = NaiveBayes().fit(rows, [0, 0, 1, 1])

    assert model.predict_proba([[1.0], [9.0]]) == pytest.approx(np.full((2, 2), 0.5))


def test_values_far_from_0_keep_their_digits():
    near = NaiveBayes().fit(NUMBERS, ACTUAL).predict_proba(NUMBERS)
    far = NaiveBayes().fit(NUMBERS + 2.0**26, ACTUAL).predict_proba(NUMBERS + 2.0**26)

    assert far == pytest.approx(near, abs=1e-5)


def test_a_category_that_was_never_learned_is_no_reason_to_fail():
    model = NaiveBayes({0: 2}).fit([[0], [1]], [0, 1])

    assert model.predict_proba([[7]])[0] == pytest.approx([0.5, 0.5])


def test_constant_columns_and_one_row_a_class_are_no_reason_to_fail():
    model = NaiveBayes().fit([[5.0, 1.0], [5.0, 2.0]], [0, 1])

    assert model.predict([[5.0, 1.1], [5.0, 1.9]]).tolist() == [0, 1]
