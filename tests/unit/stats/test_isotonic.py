"""Isotonic regression by pooling adjacent violators."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import scored

import tradeoff as to
from tradeoff.measures.summaries.decomposition import isotonic_pools
from tradeoff.stats.isotonic import isotonic_proportions


def brute_force(shares, rows):
    """Isotonic regression by the max-min formula."""
    size = len(rows)

    def mean(first, last):
        run = slice(first, last + 1)
        return np.average(shares[run], weights=rows[run])

    return [max(min(mean(j, k) for k in range(i, size)) for j in range(i + 1)) for i in range(size)]


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1, max_size=9))
def test_isotonic_proportions_equal_the_max_min_formula(groups):
    rows = np.array([size for size, _ in groups])
    positives = np.array([min(size, successes) for size, successes in groups])
    samples = np.array([positives, positives[::-1] * rows // rows[::-1]])

    fitted = isotonic_proportions(samples, rows)

    for proportions, counts in zip(fitted, samples, strict=True):
        np.testing.assert_allclose(proportions, brute_force(counts / rows, rows), atol=1e-12)


@given(scored(scores=st.integers(-4, 4).map(float), min_size=1))
def test_isotonic_proportions_equal_the_slopes_of_the_roc_hull(data):
    ranking = to.Ranking.of(data[0], data[1])
    positives = np.diff(ranking.true_positives)[::-1]
    rows = positives + np.diff(ranking.false_positives)[::-1]

    fitted = isotonic_proportions(positives[None], rows)[0]

    np.testing.assert_allclose(fitted, isotonic_pools(ranking).fitted[::-1], atol=1e-12)


def test_a_long_cascade_of_violators_is_one_pool():
    positives = np.append(np.arange(1, 301), 0)
    rows = np.append(np.full(300, 300), 10**9)

    assert set(isotonic_proportions(positives[None], rows)[0]) == {positives.sum() / rows.sum()}
