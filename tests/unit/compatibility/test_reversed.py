"""Reversed rankings and rankings of the negative class."""

import pytest

import tradeoff as to
from tradeoff.compatibility.reversed_rankings import negative_class_ranking, reversed_ranking

# From the top: 0.9 negative, 0.8 positive, 0.4 two positives and a negative, 0.1 negative.
ACTUAL, SCORE = [0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9]


@pytest.fixture
def rows():
    return to.evaluate(actual=ACTUAL, score=SCORE)


def test_reversing_twice_gives_the_same_ranking(rows):
    ranking = rows.ranking

    assert reversed_ranking(reversed_ranking(ranking)) == ranking
    assert negative_class_ranking(negative_class_ranking(ranking)) == ranking


def test_a_reversed_ranking_equals_that_of_lower_is_positive(rows):
    expected = to.evaluate(actual=ACTUAL, score=SCORE, lower_is_positive=True).ranking
    reverse = reversed_ranking(rows.ranking)

    assert reverse.thresholds.tolist() == expected.thresholds.tolist()
    assert reverse.true_positives.tolist() == expected.true_positives.tolist()
    assert reverse.false_positives.tolist() == expected.false_positives.tolist()
