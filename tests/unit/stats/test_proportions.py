"""Intervals for the difference of independent proportions: published ones, and their promises."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.errors import InputError
from tradeoff.stats.proportions import newcombe_interval

COUNT = st.integers(0, 40)


def test_a_published_interval_of_independent_shares():
    # Newcombe 1998, example (d): 5 of 56 against 0 of 29.
    assert [round(float(end), 4) for end in newcombe_interval(5, 56, 0, 29)] == [-0.0381, 0.1926]


@given(COUNT, COUNT, COUNT, COUNT)
def test_independent_differences_turn_with_their_rows(h1, m1, h2, m2):
    one, other = (h1, h1 + m1, h2, h2 + m2), (h2, h2 + m2, h1, h1 + m1)
    low, high = newcombe_interval(*one)
    turned = [-float(end) for end in newcombe_interval(*other)[::-1]]

    assert [float(low), float(high)] == pytest.approx(turned, nan_ok=True)
    assert math.isnan(low) == (not (h1 + m1 and h2 + m2))
    assert math.isnan(low) or -1 <= low <= high <= 1


def test_independent_shares_may_be_arrays():
    hits = np.array([[7, 56], [0, 9]])
    counts = (hits, np.array([[9, 70], [5, 9]]), np.array([1, 48]), np.array([5, 80]))

    many = newcombe_interval(*counts)
    for at in np.ndindex(2, 2):
        one = newcombe_interval(hits[at], counts[1][at], counts[2][at[1]], counts[3][at[1]])
        assert [float(end[at]) for end in many] == pytest.approx([float(end) for end in one])


def test_independent_intervals_cover_what_they_promise():
    hits = np.arange(31)[:, None], np.arange(26)[None, :]
    low, high = newcombe_interval(hits[0], 30, hits[1], 25)
    for one, other in ((0.9, 0.8), (0.5, 0.3), (0.7, 0.7)):
        chance = np.outer(_binomial(30, one), _binomial(25, other))
        covered = chance[(low <= one - other) & (one - other <= high)].sum()
        assert 0.94 < covered < 0.98


def _binomial(rows, share):
    return [math.comb(rows, k) * share**k * (1 - share) ** (rows - k) for k in range(rows + 1)]


@pytest.mark.parametrize(
    ("counts", "message"),
    [((5, 4, 1, 2), "more hits1 than trials1"), ((1, 2, 3, 2), "more hits2 than trials2")],
)
def test_more_hits_than_trials_are_refused(counts, message):
    with pytest.raises(InputError, match=message):
        newcombe_interval(*counts)
