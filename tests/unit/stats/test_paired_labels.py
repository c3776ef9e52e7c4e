"""McNemar's and Cochran's tests: exact arithmetic, published values and nominal levels."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.errors import InputError, UnknownName
from tradeoff.stats.paired_labels import (
    MCNEMAR_METHODS,
    cochran_q_test,
    mcnemar_test,
    paired_difference_interval,
)

COUNT = st.integers(0, 40)
every_method = pytest.mark.parametrize("method", MCNEMAR_METHODS)


def test_published_mcnemar_tests():
    # Data of Bentur et al. and Cavo et al., as analysed by Fagerland, Lydersen & Laake.
    assert mcnemar_test(1, 7).p_value == pytest.approx(0.0391, abs=5e-5)
    assert mcnemar_test(1, 7, "exact").p_value == pytest.approx(0.0703, abs=5e-5)
    assert mcnemar_test(6, 16).p_value == pytest.approx(0.034690, abs=5e-7)
    assert mcnemar_test(6, 16, "exact").p_value == pytest.approx(0.052479, abs=5e-7)
    assert mcnemar_test(6, 16, "chi-squared").p_value == pytest.approx(0.033006, abs=5e-7)
    assert mcnemar_test(6, 16, "chi-squared, corrected").p_value == pytest.approx(
        0.055009, abs=5e-7
    )


@given(COUNT, COUNT)
def test_mcnemar_against_exact_fractions(first, second):
    rows = first + second
    probabilities = [Fraction(math.comb(rows, k), 2**rows) for k in range(rows + 1)]
    observed = probabilities[first]
    exact = sum(p for p in probabilities if p <= observed)
    mid = exact - sum(p for p in probabilities if p == observed) / 2

    assert mcnemar_test(first, second, "exact").p_value == pytest.approx(float(exact), rel=1e-12)
    if rows:
        assert mcnemar_test(first, second).p_value == pytest.approx(float(mid), rel=1e-12)


@every_method
def test_without_discordant_rows_the_p_value_is_1(method):
    test = mcnemar_test(0, 0, method)

    assert (test.statistic, test.p_value) == (0.0, 1.0)
    assert test.note == "both models are right on the same rows"


@every_method
@given(first=COUNT, second=COUNT)
def test_mcnemar_does_not_depend_on_which_model_is_first(method, first, second):
    first_test, second_test = (
        mcnemar_test(first, second, method),
        mcnemar_test(second, first, method),
    )

    assert (first_test.statistic, first_test.p_value) == (
        second_test.statistic,
        second_test.p_value,
    )
    assert 0 <= first_test.p_value <= 1


def test_mcnemar_of_a_billion_rows():
    difference, rows = 60_000, 2 * 10**9
    first, second = (rows - difference) // 2, (rows + difference) // 2
    chi_squared_p_value = mcnemar_test(first, second, "chi-squared").p_value

    assert chi_squared_p_value == pytest.approx(0.1797, abs=1e-4)
    assert mcnemar_test(first, second).p_value == pytest.approx(chi_squared_p_value, rel=1e-7)
    assert 0 < mcnemar_test(first, second, "exact").p_value - chi_squared_p_value < 1e-4
    assert mcnemar_test(10**9, 10**9).p_value == pytest.approx(1, abs=1e-4)
    assert mcnemar_test(0, 10**9).p_value == 0.0


@pytest.mark.parametrize("discordance", [0.05, 0.2, 0.6])
@pytest.mark.parametrize("rows", [15, 60])
def test_mid_p_keeps_its_level_and_is_more_powerful_than_the_exact_test(rows, discordance):
    # The joint distribution of the two counts under the null hypothesis.
    size = {"mid-p": 0.0, "exact": 0.0}
    for n in range(rows + 1):
        probability = math.comb(rows, n) * discordance**n * (1 - discordance) ** (rows - n)
        for k, method in itertools.product(range(n + 1), size):
            if mcnemar_test(k, n - k, method).p_value <= 0.05:
                size[method] += probability * math.comb(n, k) / 2**n

    assert size["exact"] <= size["mid-p"] <= 0.0505


def test_cochrans_q_by_hand():
    # 16, 8 and 8 rows wrong; 34 = 3 · 32 - (3 · 9 + 6 · 4 + 11): 2 · (3 · 384 - 32²) / 34.
    patterns = [[0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 1, 1], [0, 1, 0, 1, 0, 0, 1]]
    counts = [3, 3, 1, 9, 2, 2, 80]
    test = cochran_q_test(patterns, counts)

    assert test.statistic == pytest.approx(256 / 34)
    assert test.p_value == pytest.approx(math.exp(-128 / 34))  # chi-squared with 2 degrees
    assert test.degrees == 2
    rows = np.repeat(np.array(patterns, bool), counts, axis=1)
    assert cochran_q_test(rows) == test
    assert cochran_q_test(~rows).statistic == pytest.approx(test.statistic)


@given(COUNT, COUNT, COUNT, COUNT)
def test_cochrans_q_of_two_models_is_mcnemars_test(both, first, second, neither):
    q = cochran_q_test([[1, 1, 0, 0], [1, 0, 1, 0]], [both, first, second, neither])
    mcnemar = mcnemar_test(first, second, "chi-squared")

    assert [q.statistic, q.p_value] == pytest.approx([mcnemar.statistic, mcnemar.p_value])
    assert (q.degrees, q.note is None) == (1, mcnemar.note is None)


def test_cochrans_q_keeps_its_level():
    random = np.random.default_rng(8)
    right = random.random((600, 4, 200)) < random.uniform(0.2, 0.95, (600, 1, 200))
    rejections = [cochran_q_test(sample).p_value <= 0.05 for sample in right]

    assert 0.03 < np.mean(rejections) < 0.07


def test_models_that_agree_on_all_rows_do_not_differ():
    for right in (np.ones((3, 5)), np.zeros((3, 5)), np.zeros((3, 0))):
        test = cochran_q_test(right)
        assert (test.statistic, test.p_value) == (0.0, 1.0)
        assert test.note == "all models are right on the same rows"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mcnemar_test(-1, 3), "only_first is -1"),
        (lambda: mcnemar_test(1, 2.5), "not sums of weights: only_second is 2.5"),
        (lambda: mcnemar_test([1, 2], 3), "A single number is needed for only_first"),
        (lambda: mcnemar_test(math.nan, 3), "only_first is nan"),
        (lambda: mcnemar_test("five", 3), "only_first is 'five'"),
        (lambda: cochran_q_test([[1, 0, 1]]), "at least 2 models"),
        (lambda: cochran_q_test([1, 0, 1]), "at least 2 models"),
        (lambda: cochran_q_test([[1, 0], [2, 0]]), "given as 0 and 1"),
        (lambda: cochran_q_test([[1, 0], [math.nan, 0]]), "given as 0 and 1"),
        (lambda: cochran_q_test([[1, 0], [1, 0]], [3]), "each of the 2 columns"),
        (lambda: cochran_q_test([[1, 0], [1, 0]], [3, 0.5]), "counts is 0.5"),
    ],
)
def test_invalid_counts_raise_an_error(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_an_unknown_method_suggests_known_ones():
    with pytest.raises(UnknownName, match="Did you mean 'mid-p'"):
        mcnemar_test(1, 2, "midp")


# Differences between proportions of the same rows


@pytest.mark.parametrize(
    ("table", "interval"),
    [
        # Fagerland, Lydersen & Laake 2014: airway hyper-responsiveness, Newcombe square-and-add
        ((1, 1, 7, 12), (-0.507, -0.026)),
        # Two Wilson intervals of 5/10 and 4/10 without correlation: worked by hand
        ((2, 3, 2, 3), (-0.2898, 0.4509)),
    ],
)
def test_paired_differences_have_newcombes_interval(table, interval):
    assert paired_difference_interval(*table) == pytest.approx(interval, abs=5e-4)


def test_the_interval_of_equal_labels_contains_zero_and_is_narrower_if_they_agree():
    agreeing = paired_difference_interval(40, 0, 0, 60)
    independent = paired_difference_interval(16, 24, 24, 36)

    assert agreeing[0] < 0 < agreeing[1]
    assert agreeing[1] - agreeing[0] < (independent[1] - independent[0]) / 2
    assert np.isnan(paired_difference_interval(0, 0, 0, 0)).all()


def test_swapping_the_models_mirrors_the_interval():
    low, high = paired_difference_interval(30, 12, 5, 9)

    assert paired_difference_interval(30, 5, 12, 9) == pytest.approx((-high, -low))
