"""Intervals for the difference between independent proportions: published values, coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.errors import InputError
from tradeoff.stats.proportions import newcombe_interval

COUNT = st.integers(0, 40)


def test_a_published_interval_for_independent_proportions():
    # Newcombe 1998, example (d): 5 of 56 against 0 of 29.
    assert [round(float(end), 4) for end in newcombe_interval(5, 56, 0, 29)] == [-0.0381, 0.1926]


@given(COUNT, COUNT, COUNT, COUNT)
def test_exchanging_the_samples_negates_the_interval(h1, m1, h2, m2):
    counts, exchanged_counts = (h1, h1 + m1, h2, h2 + m2), (h2, h2 + m2, h1, h1 + m1)
    low, high = newcombe_interval(*counts)
    negated = [-float(end) for end in newcombe_interval(*exchanged_counts)[::-1]]

    assert [float(low), float(high)] == pytest.approx(negated, nan_ok=True)
    assert math.isnan(low) == (not (h1 + m1 and h2 + m2))
    assert math.isnan(low) or -1 <= low <= high <= 1


def test_counts_may_be_arrays():
    hits = np.array([[7, 56], [0, 9]])
    counts = (hits, np.array([[9, 70], [5, 9]]), np.array([1, 48]), np.array([5, 80]))

    intervals = newcombe_interval(*counts)
    for i, j in np.ndindex(2, 2):
        interval = newcombe_interval(hits[i, j], counts[1][i, j], counts[2][j], counts[3][j])
        assert [float(end[i, j]) for end in intervals] == pytest.approx(
            [float(end) for end in interval]
        )


def test_intervals_have_their_nominal_coverage():
    hits = np.arange(31)[:, None], np.arange(26)[None, :]
    low, high = newcombe_interval(hits[0], 30, hits[1], 25)
    for p1, p2 in ((0.9, 0.8), (0.5, 0.3), (0.7, 0.7)):
        probabilities = np.outer(_binomial(30, p1), _binomial(25, p2))
        coverage = probabilities[(low <= p1 - p2) & (p1 - p2 <= high)].sum()
        assert 0.94 < coverage < 0.98


def _binomial(trials, p):
    return [math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1)]


@pytest.mark.parametrize(
    ("counts", "message"),
    [((5, 4, 1, 2), "more hits1 than trials1"), ((1, 2, 3, 2), "more hits2 than trials2")],
)
def test_more_hits_than_trials_are_refused(counts, message):
    with pytest.raises(InputError, match=message):
        newcombe_interval(*counts)
