"""Tests of predicted classes, against exact arithmetic, published numbers and their promises."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.errors import InputError, UnknownName
from tradeoff.stats.paired_labels import MCNEMAR_METHODS, cochran_q_test, mcnemar_test

COUNT = st.integers(0, 40)
every_method = pytest.mark.parametrize("method", MCNEMAR_METHODS)


def test_published_mcnemar_tests():
    # Bentur et al. and Cavo et al., as Fagerland, Lydersen & Laake work them out.
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
    chances = [Fraction(math.comb(rows, k), 2**rows) for k in range(rows + 1)]
    seen = chances[first]
    exact = sum(chance for chance in chances if chance <= seen)
    mid = exact - sum(chance for chance in chances if chance == seen) / 2

    assert mcnemar_test(first, second, "exact").p_value == pytest.approx(float(exact), rel=1e-12)
    if rows:
        assert mcnemar_test(first, second).p_value == pytest.approx(float(mid), rel=1e-12)


@every_method
def test_rows_on_which_all_agree_say_nothing(method):
    test = mcnemar_test(0, 0, method)

    assert (test.statistic, test.p_value) == (0.0, 1.0)
    assert test.note == "both models are right on the same rows"


@every_method
@given(first=COUNT, second=COUNT)
def test_mcnemar_does_not_depend_on_which_model_is_first(method, first, second):
    one, other = mcnemar_test(first, second, method), mcnemar_test(second, first, method)

    assert (one.statistic, one.p_value) == (other.statistic, other.p_value)
    assert 0 <= one.p_value <= 1


def test_mcnemar_of_a_thousand_million_rows():
    apart, rows = 60_000, 2 * 10**9
    first, second = (rows - apart) // 2, (rows + apart) // 2
    by_chance = mcnemar_test(first, second, "chi-squared").p_value

    assert by_chance == pytest.approx(0.1797, abs=1e-4)
    assert mcnemar_test(first, second).p_value == pytest.approx(by_chance, rel=1e-7)
    assert 0 < mcnemar_test(first, second, "exact").p_value - by_chance < 1e-4
    assert mcnemar_test(10**9, 10**9).p_value == pytest.approx(1, abs=1e-4)
    assert mcnemar_test(0, 10**9).p_value == 0.0


@pytest.mark.parametrize("parted", [0.05, 0.2, 0.6])
@pytest.mark.parametrize("rows", [15, 60])
def test_mid_p_keeps_its_level_and_finds_more_than_the_exact_test(rows, parted):
    # The whole distribution of the two counts when both models are equally good.
    size = {"mid-p": 0.0, "exact": 0.0}
    for n in range(rows + 1):
        chance = math.comb(rows, n) * parted**n * (1 - parted) ** (rows - n)
        for k, method in itertools.product(range(n + 1), size):
            if mcnemar_test(k, n - k, method).p_value <= 0.05:
                size[method] += chance * math.comb(n, k) / 2**n

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
    own = mcnemar_test(first, second, "chi-squared")

    assert [q.statistic, q.p_value] == pytest.approx([own.statistic, own.p_value])
    assert (q.degrees, q.note is None) == (1, own.note is None)


def test_cochrans_q_keeps_its_level():
    random = np.random.default_rng(8)
    right = random.random((600, 4, 200)) < random.uniform(0.2, 0.95, (600, 1, 200))
    small = [cochran_q_test(one).p_value <= 0.05 for one in right]

    assert 0.03 < np.mean(small) < 0.07


def test_models_that_agree_everywhere_are_not_told_apart():
    for right in (np.ones((3, 5)), np.zeros((3, 5)), np.zeros((3, 0))):
        test = cochran_q_test(right)
        assert (test.statistic, test.p_value) == (0.0, 1.0)
        assert test.note == "all models are right on the same rows"


@pytest.mark.parametrize(
    ("wrong", "told"),
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
def test_what_cannot_be_tested_says_why(wrong, told):
    with pytest.raises(InputError, match=told):
        wrong()


def test_an_unknown_method_names_the_known_ones():
    with pytest.raises(UnknownName, match="Did you mean 'mid-p'"):
        mcnemar_test(1, 2, "midp")
