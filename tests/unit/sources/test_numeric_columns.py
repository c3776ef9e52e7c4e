"""Scores and weights of any type as numbers."""

from decimal import Decimal

import numpy as np
import pytest

from tradeoff.errors import InputError
from tradeoff.sources.classes import class_labels
from tradeoff.sources.numeric_columns import numeric_scores, parse_weights, valid_weight_mask

ACTUAL = np.array([1, 0, 1])
LABELS = class_labels(ACTUAL, 1)


def scores_of(values):
    return numeric_scores(np.asarray(values), ACTUAL, LABELS, "p")


def test_numbers_written_as_text_are_scores():
    assert scores_of(["0.5", "1e-3", " 2 "]).values.tolist() == [0.5, 0.001, 2.0]


def test_decimals_that_become_equal_are_noted():
    scores = scores_of(np.array([Decimal("0.1"), Decimal("0.10000000000000000001"), 1.0], object))

    assert scores.notes == (
        "p has more digits than float64 keeps: 1 score is tied with a different one",
    )


def test_integers_beyond_the_exact_range_are_refused():
    with pytest.raises(InputError, match=r"\(first: row 2\)"):
        scores_of(np.array([1, 2**53 + 1, 3]))


def test_a_decimal_comma_is_named():
    with pytest.raises(InputError, match="look like '0,5' \\(decimal comma\\)"):
        scores_of(["0,5", "0,7", "1"])


def test_weights_written_as_text_are_numbers():
    assert parse_weights(np.array(["2", "0.5"]), "w").tolist() == [2.0, 0.5]


def test_weights_that_are_words_are_refused_with_the_row():
    with pytest.raises(InputError, match="'many' in row 2"):
        parse_weights(np.array(["2", "many"]), "w")


def test_weights_are_valid_between_0_and_the_largest():
    weights = np.array([0, 1e-101, 1e-100, 1, 1e100, 1e101, -1, np.nan, np.inf])

    assert valid_weight_mask(weights).tolist() == [True, False, True, True, True] + [False] * 4
