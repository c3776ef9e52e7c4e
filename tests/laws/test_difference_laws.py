"""A difference, its interval and its p-value agree: p is small exactly where 0 is left out."""

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
DRAWS = {"replicates": 120}
QUESTIONS = [
    {"metric": "auc", "method": "bootstrap"},
    {"metric": "average_precision", "method": "bootstrap"},
    {"metric": "average_precision"},
    {"metric": "accuracy", "at": ("threshold", 3.0), "method": "bootstrap"},
    {"metric": "accuracy", "at": ("threshold", 3.0)},
]


def compared(rows, **options):
    """Three models on the rows; the first often follows the class, so that differences matter."""
    positive, a, b, c = (np.array(column) for column in zip(*rows, strict=True))
    assume(min(positive.sum(), (~positive).sum()) >= 2)
    scores = {"a": a + 2 * positive, "b": b, "c": c + positive}
    return to.compare(actual=positive, score=scores, **options)


def left_out(difference):
    """Whether the interval leaves 0 out."""
    return difference.low > 0 or difference.high < 0


def agree(difference, p_value):
    """Whether p is small exactly where the interval leaves 0 out; without one it is not small."""
    if math.isnan(difference.low):
        return math.isnan(difference.high) and not p_value < 1 - difference.level
    return (p_value < 1 - difference.level) == left_out(difference)


@given(ROWS, LEVEL)
def test_differences_of_areas_agree_with_their_p_values(rows, level):
    for difference in compared(rows).differences(level=level):
        assert agree(difference, difference.p_value)


@given(ROWS, LEVEL, st.tuples(*[st.integers(-2, 2)] * 3))
def test_contrasts_agree_with_their_p_values(rows, level, weights):
    difference = compared(rows).contrast(dict(zip("abc", weights, strict=True)), level)

    assert agree(difference, difference.p_value)


@given(ROWS, LEVEL)
def test_differences_by_cluster_agree_with_their_p_values(rows, level):
    for difference in compared(rows, cluster=np.arange(len(rows)) // 2).differences(level=level):
        assert agree(difference, difference.p_value)


@given(ROWS, ROWS, LEVEL)
def test_unpaired_differences_agree_with_their_p_values(rows, others, level):
    first, second = compared(rows).rankings["a"], compared(others).rankings["b"]

    difference = to.difference(first, second, confidence=Confidence(level))

    assert agree(difference, difference.p_value)


@pytest.mark.parametrize("question", QUESTIONS)
@given(rows=ROWS, level=LEVEL, seed=SEED)
@settings(max_examples=30)
def test_bootstrap_differences_agree_with_their_p_values(question, rows, level, seed):
    for difference in compared(rows).differences(**question, level=level, seed=seed, **DRAWS):
        assert agree(difference, difference.p_value)


@given(ROWS, ROWS, LEVEL, SEED)
@settings(max_examples=30)
def test_bootstrap_unpaired_differences_agree_with_their_p_values(rows, others, level, seed):
    first, second = compared(rows).rankings["a"], compared(others).rankings["b"]
    confidence = Confidence(level, seed=seed, **DRAWS)

    difference = to.difference(first, second, "average_precision", confidence=confidence)

    assert agree(difference, difference.p_value)


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
@given(rows=ROWS, level=LEVEL, seed=SEED)
@settings(max_examples=30)
def test_simultaneous_intervals_agree_with_adjusted_p_values(method, rows, level, seed):
    together = compared(rows).differences(
        method=method, level=level, simultaneous=True, seed=seed, **DRAWS
    )

    for difference in together:
        assert agree(difference, difference.adjusted)


@given(ROWS, LEVEL)
def test_simultaneous_comparison_makes_no_p_value_smaller(rows, level):
    for difference in compared(rows).differences(level=level, simultaneous=True):
        # The adjusted one is drawn: 100,000 times, so four standard errors are below 0.007.
        assert not difference.adjusted < difference.p_value - 0.007


@given(ROWS)
@settings(max_examples=20)
def test_a_permutation_test_has_a_p_value_and_no_interval(rows):
    difference = compared(rows).difference("a", "b", method="permutation", replicates=40)

    assert math.isnan(difference.low)
    assert math.isnan(difference.high)
    assert math.isnan(difference.value) or 0 < difference.p_value <= 1


@given(
    st.lists(st.integers(0, 20).map(float), min_size=1, max_size=60),
    st.floats(0.01, 0.99),
    st.integers(0, 20).map(float),
)
def test_critical_values_of_the_largest_deviation_agree_with_its_p_values(draws, level, z):
    largest = LargestDeviation(np.array(draws))

    assert (largest.p_value(z) < 1 - level) == (z > largest.critical_value(level))


def test_the_largest_deviation_of_nineteen_resamples_by_hand():
    # 19 draws 1 … 19: one as large as 19 or larger gives p = (1 + 1)/20, none 1/20. Below 10% lies
    # only the latter, so all reach 19 standard errors; below 20% up to two may be larger: 17.
    largest = LargestDeviation(np.arange(1.0, 20.0))

    assert (largest.p_value(19), largest.p_value(-19.5), largest.p_value(0)) == (0.1, 0.05, 1)
    assert (largest.critical_value(0.9), largest.critical_value(0.8)) == (19, 17)
    assert largest.critical_value(0.99) == math.inf  # 19 draws cannot tell


def test_the_interval_and_p_value_of_resamples_by_hand():
    # Draws 0.1, 0.2, 0.3 have the standard deviation 0.1, so a difference of 0.3 is 3 errors away.
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
    ("draws", "reason"),
    [
        (
            [0.1, math.nan, math.nan],
            "no interval: undefined in 2 of 3 resamples, which are left out",
        ),
        ([0.1, 0.2, math.inf], "no interval: infinite in some resamples"),
        ([0.1, 0.1, 0.1], "no interval: every resample gives the same difference"),
    ],
)
def test_uninformative_resamples_give_neither_interval_nor_p_value(draws, reason):
    plain = Difference("a", "b", "lift", 0.5, 0.2)

    difference = difference_from_resamples(plain, np.array(draws), Confidence(), "paired rows")

    assert math.isnan(difference.low)
    assert math.isnan(difference.p_value)
    assert difference.note == reason
