"""Differences: the interval excludes 0 exactly if the p-value is small."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.comparison.bootstrap import difference_from_resamples
from tradeoff.comparison.difference import Difference
from tradeoff.stats.simultaneous import LargestDeviation
from tradeoff.uncertainty.confidence import Confidence

SCORE = st.integers(0, 6).map(float)
ROWS = st.lists(st.tuples(st.booleans(), SCORE, SCORE, SCORE), min_size=8, max_size=40)
LEVEL = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])
SEED = st.integers(0, 99)
RESAMPLES = {"replicates": 120}
OPTIONS = [
    {"metric": "auc", "method": "bootstrap"},
    {"metric": "average_precision", "method": "bootstrap"},
    {"metric": "average_precision"},
    {"metric": "accuracy", "at": ("threshold", 3.0), "method": "bootstrap"},
    {"metric": "accuracy", "at": ("threshold", 3.0)},
]


def comparison_of(rows, **options):
    """Comparison of three models; the first often follows the class, so that they differ."""
    positive, a, b, c = (np.array(column) for column in zip(*rows, strict=True))
    assume(min(positive.sum(), (~positive).sum()) >= 2)
    scores = {"a": a + 2 * positive, "b": b, "c": c + positive}
    return to.compare(actual=positive, score=scores, **options)


def excludes_zero(difference):
    """Whether the interval excludes 0."""
    return difference.low > 0 or difference.high < 0


def agree(difference, p_value):
    """Whether p is small exactly if the interval excludes 0; without an interval it is not."""
    if math.isnan(difference.low):
        return math.isnan(difference.high) and not p_value < 1 - difference.level
    return (p_value < 1 - difference.level) == excludes_zero(difference)


@given(ROWS, LEVEL)
def test_differences_of_areas_agree_with_their_p_values(rows, level):
    for difference in comparison_of(rows).differences(level=level):
        assert agree(difference, difference.p_value)


@given(ROWS, LEVEL, st.tuples(*[st.integers(-2, 2)] * 3))
def test_contrasts_agree_with_their_p_values(rows, level, weights):
    difference = comparison_of(rows).contrast(dict(zip("abc", weights, strict=True)), level)

    assert agree(difference, difference.p_value)


@given(ROWS, LEVEL)
def test_differences_by_cluster_agree_with_their_p_values(rows, level):
    for difference in comparison_of(rows, cluster=np.arange(len(rows)) // 2).differences(
        level=level
    ):
        assert agree(difference, difference.p_value)


@given(ROWS, ROWS, LEVEL)
def test_unpaired_differences_agree_with_their_p_values(rows, others, level):
    first, second = comparison_of(rows).rankings["a"], comparison_of(others).rankings["b"]

    difference = to.difference(first, second, confidence=Confidence(level))

    assert agree(difference, difference.p_value)


@pytest.mark.parametrize("options", OPTIONS)
@given(rows=ROWS, level=LEVEL, seed=SEED)
@settings(max_examples=30)
def test_bootstrap_differences_agree_with_their_p_values(options, rows, level, seed):
    for difference in comparison_of(rows).differences(
        **options, level=level, seed=seed, **RESAMPLES
    ):
        assert agree(difference, difference.p_value)


@given(ROWS, ROWS, LEVEL, SEED)
@settings(max_examples=30)
def test_bootstrap_unpaired_differences_agree_with_their_p_values(rows, others, level, seed):
    first, second = comparison_of(rows).rankings["a"], comparison_of(others).rankings["b"]
    confidence = Confidence(level, seed=seed, **RESAMPLES)

    difference = to.difference(first, second, "average_precision", confidence=confidence)

    assert agree(difference, difference.p_value)


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
@given(rows=ROWS, level=LEVEL, seed=SEED)
@settings(max_examples=30)
def test_simultaneous_intervals_agree_with_adjusted_p_values(method, rows, level, seed):
    differences = comparison_of(rows).differences(
        method=method, level=level, simultaneous=True, seed=seed, **RESAMPLES
    )

    for difference in differences:
        assert agree(difference, difference.adjusted)


@given(ROWS, LEVEL)
def test_simultaneous_comparison_makes_no_p_value_smaller(rows, level):
    for difference in comparison_of(rows).differences(level=level, simultaneous=True):
        # The adjusted one is simulated 100,000 times, so four standard errors are below 0.007.
        assert not difference.adjusted < difference.p_value - 0.007


@given(ROWS)
@settings(max_examples=20)
def test_a_permutation_test_has_a_p_value_and_no_interval(rows):
    difference = comparison_of(rows).difference("a", "b", method="permutation", replicates=40)

    assert math.isnan(difference.low)
    assert math.isnan(difference.high)
    assert math.isnan(difference.value) or 0 < difference.p_value <= 1


@given(
    st.lists(st.integers(0, 20).map(float), min_size=1, max_size=60),
    st.floats(0.01, 0.99),
    st.integers(0, 20).map(float),
)
def test_critical_values_of_the_largest_deviation_agree_with_its_p_values(resamples, level, z):
    largest = LargestDeviation(np.array(resamples))

    assert (largest.p_value(z) < 1 - level) == (z > largest.critical_value(level))


def test_the_largest_deviation_of_nineteen_resamples_by_hand():
    # Deviations 1 … 19: one of them is at least 19, so p = (1 + 1)/20; beyond 19, p = 1/20. Only
    # the latter is below 10%, so the critical value is 19; below 20%, two may be larger: 17.
    largest = LargestDeviation(np.arange(1.0, 20.0))

    assert (largest.p_value(19), largest.p_value(-19.5), largest.p_value(0)) == (0.1, 0.05, 1)
    assert (largest.critical_value(0.9), largest.critical_value(0.8)) == (19, 17)
    assert largest.critical_value(0.99) == math.inf  # 19 resamples are too few


def test_the_interval_and_p_value_of_resamples_by_hand():
    # Resamples 0.1, 0.2, 0.3 have standard deviation 0.1: a difference of 0.3 is 3 standard errors.
    plain = Difference("a", "b", "brier", 0.5, 0.2, level=0.9, better="lower")

    difference = difference_from_resamples(
        plain, np.array([0.1, 0.2, np.nan, 0.3]), Confidence(0.9), "paired rows"
    )

    assert difference.standard_error == pytest.approx(0.1)
    assert (difference.low, difference.high) == pytest.approx((0.3 - 0.1644854, 0.3 + 0.1644854))
    assert (difference.statistic, difference.p_value) == pytest.approx((3, 0.002699796))
    assert difference.first_better == pytest.approx(
        0.001349898
    )  # lower is better, the first is higher
    assert difference.method == "bootstrap of paired rows, 4 resamples, seed 0"
    assert difference.note == "undefined in 1 of 4 resamples, which are left out"


@pytest.mark.parametrize(
    ("resamples", "reason"),
    [
        (
            [0.1, math.nan, math.nan],
            "no interval: undefined in 2 of 3 resamples, which are left out",
        ),
        ([0.1, 0.2, math.inf], "no interval: infinite in some resamples"),
        ([0.1, 0.1, 0.1], "no interval: every resample gives the same difference"),
    ],
)
def test_uninformative_resamples_give_neither_interval_nor_p_value(resamples, reason):
    plain = Difference("a", "b", "lift", 0.5, 0.2)

    difference = difference_from_resamples(plain, np.array(resamples), Confidence(), "paired rows")

    assert math.isnan(difference.low)
    assert math.isnan(difference.p_value)
    assert difference.note == reason
