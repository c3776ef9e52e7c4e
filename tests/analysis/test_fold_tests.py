"""Tests over folds: by hand, by their distributions, and on what cannot be compared."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tradeoff.comparison.folds import SAME, bayesian_rope, corrected_t, five_by_two
from tradeoff.errors import InputError, UnknownName

FIRST = [0.82, 0.85, 0.80, 0.84, 0.83]
SECOND = [0.80, 0.82, 0.81, 0.80, 0.81]
PAIRS = [[0.1, 0.2], [0.0, 0.1], [0.1, 0.0], [0.0, 0.1], [0.2, 0.0]]
ZEROS = np.zeros((5, 2))
TENTHS = st.integers(-9, 9).map(lambda tenth: tenth / 10)
FOLDS = st.lists(st.tuples(TENTHS, TENTHS), min_size=2, max_size=12)


def folds_that_share_rows(shape, correlation, seed):
    """Differences without a true one, as correlated as the tests suppose."""
    random = np.random.default_rng(seed)
    shared = random.normal(size=(shape[0], 1))
    return math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * random.normal(size=shape)


def test_the_corrected_t_by_hand():
    # Differences 0.1, 0.2, 0.6: mean 0.3, variance 0.07, times 1/3 + 1/2.
    difference, test = corrected_t([0.4, 0.4, 0.7], [0.3, 0.2, 0.1])
    t = 0.3 / math.sqrt(0.07 * 5 / 6)

    assert difference.value == pytest.approx(0.3)
    assert (test.statistic, test.degrees) == (pytest.approx(t), 2)
    assert test.p_value == pytest.approx(1 - t / math.sqrt(t**2 + 2))  # Student's, 2 degrees
    critical = 0.95 * math.sqrt(2 / (1 - 0.95**2))
    half = critical * math.sqrt(0.07 * 5 / 6)
    assert [difference.low, difference.high] == pytest.approx([0.3 - half, 0.3 + half])
    assert (difference.level, difference.method) == (0.95, "corrected t")


@pytest.mark.parametrize(
    ("design", "ratio"),
    [
        ({}, 1 / 5),
        ({"runs": 2}, 1 / 2),
        ({"runs": 3}, 1),
        ({"test_share": 0.25}, 1 / 3),
        ({"test_rows": 30, "train_rows": 120}, 1 / 4),
    ],
)
def test_the_variance_counts_what_folds_share(design, ratio):
    apart = np.array([0.1, 0.3, -0.1, 0.2, 0.0, 0.4])
    test = corrected_t(apart, np.zeros(6), **design).test

    assert test.degrees == 5
    assert test.statistic == pytest.approx(0.15 / math.sqrt(0.035 * (1 / 6 + ratio)))


@given(FOLDS)
def test_exchanging_models_turns_the_sign_and_keeps_p(folds):
    first, second = np.array(folds).T
    (one, test), (other, turned) = corrected_t(first, second), corrected_t(second, first)
    rope, back = bayesian_rope(first, second, 0.05), bayesian_rope(second, first, 0.05)

    assert other.value == pytest.approx(-one.value)
    assert [other.low, other.high] == pytest.approx([-one.high, -one.low], nan_ok=True)
    assert [turned.statistic, turned.p_value] == pytest.approx(
        [-test.statistic, test.p_value], nan_ok=True
    )
    assert turned.reason is None or test.reason is not None
    assert [back.first_better, back.equivalent, back.second_better] == pytest.approx(
        [rope.second_better, rope.equivalent, rope.first_better], nan_ok=True
    )


def test_the_corrected_t_keeps_its_level_where_the_usual_one_does_not():
    apart = folds_that_share_rows((2500, 10), 1 / 10, seed=2)
    found = [corrected_t(row, np.zeros(10)) for row in apart]

    assert 0.038 < np.mean([test.p_value <= 0.05 for _, test in found]) < 0.062
    assert 0.938 < np.mean([e.low <= 0 <= e.high for e, _ in found]) < 0.962
    usual = apart.mean(axis=1) / (apart.std(axis=1, ddof=1) / math.sqrt(10))
    assert np.mean(np.abs(usual) > 2.262) > 0.1


def test_the_corrected_t_of_repeated_cross_validation_holds_its_level():
    # Five runs of four folds, all as correlated as two folds of one run.
    apart = folds_that_share_rows((2500, 20), 1 / 4, seed=3)
    small = [corrected_t(row, np.zeros(20), runs=5).test.p_value <= 0.05 for row in apart]

    assert 0.038 < np.mean(small) < 0.062


def test_five_by_two_by_hand():
    # The squares of all ten differences add to 0.12; around the means of their runs, to 0.04.
    f, t = five_by_two(PAIRS, ZEROS), five_by_two(PAIRS, ZEROS, method="t")

    assert f.statistic == pytest.approx(0.12 / (2 * 0.04))
    assert t.statistic == pytest.approx(0.1 / math.sqrt(0.04 / 5))
    assert t.degrees == 5
    # The tail of F with 10 and 5 degrees, as the finite sum that it is.
    x = 5 / (5 + 10 * 1.5)
    terms = (math.gamma(2.5 + j) / math.factorial(j) * (1 - x) ** j for j in range(5))
    assert f.p_value == pytest.approx(x**2.5 / math.gamma(2.5) * sum(terms))
    # And that of t with 5.
    angle = math.atan(t.statistic / math.sqrt(5))
    inside = angle + math.sin(angle) * (math.cos(angle) + 2 / 3 * math.cos(angle) ** 3)
    assert t.p_value == pytest.approx(1 - 2 / math.pi * inside)


@given(st.lists(st.tuples(TENTHS, TENTHS), min_size=5, max_size=5), st.randoms())
def test_five_by_two_does_not_depend_on_names_nor_f_on_the_order(pairs, random):
    apart = np.array(pairs)
    one = five_by_two(apart, ZEROS)
    mixed = [list(pair) for pair in pairs]
    random.shuffle(mixed)
    for pair in mixed:
        random.shuffle(pair)

    for other in (five_by_two(ZEROS, apart), five_by_two(mixed, ZEROS)):
        assert [other.statistic, other.p_value] == pytest.approx(
            [one.statistic, one.p_value], nan_ok=True
        )
    t, turned = (five_by_two(*sides, "t") for sides in ((apart, ZEROS), (ZEROS, apart)))
    assert [turned.statistic, turned.p_value] == pytest.approx(
        [-t.statistic, t.p_value], nan_ok=True
    )


def test_both_tests_of_five_by_two_are_careful():
    # Of ten independent differences, F is (1 + F of 5 and 5 degrees) / 2 and so passes its limit of
    # 4.735 in 1.75 of 100 cases, not 5. The first difference is also part of the spread that t
    # divides by, so that large ones are held back: 2.83 of 100.
    apart = np.random.default_rng(6).normal(size=(3000, 5, 2))
    small = {
        method: np.mean([five_by_two(one, ZEROS, method).p_value <= 0.05 for one in apart])
        for method in ("f", "t")
    }

    assert small["f"] == pytest.approx(0.0175, abs=0.0095)
    assert small["t"] == pytest.approx(0.0283, abs=0.012)


def test_probabilities_around_a_rope_by_hand():
    # Two folds: Student's with one degree is Cauchy's. Differences 0.1 and 0.3: mean 0.2,
    # variance 0.02, times 1/2 + 1.
    rope = bayesian_rope([0.5, 0.8], [0.4, 0.5], 0.05)
    scale = math.sqrt(0.02 * 1.5)

    def below(x):
        return 0.5 + math.atan((x - 0.2) / scale) / math.pi

    assert rope.second_better == pytest.approx(below(-0.05))
    assert rope.equivalent == pytest.approx(below(0.05) - below(-0.05))
    assert rope.first_better == pytest.approx(1 - below(0.05))
    reach = scale * math.tan(math.pi * 0.475)
    assert [rope.value, rope.low, rope.high] == pytest.approx([0.2, 0.2 - reach, 0.2 + reach])
    assert (rope.correlation, rope.level, rope.is_defined) == (0.5, 0.95, True)


@given(FOLDS, st.floats(0, 0.5))
def test_the_three_probabilities_add_to_one_and_a_wider_rope_holds_more(folds, width):
    first, second = np.array(folds).T
    narrow, wide = (bayesian_rope(first, second, rope) for rope in (width, width + 0.1))
    assume(narrow.is_defined)

    for rope in (narrow, wide):
        parts = [rope.first_better, rope.equivalent, rope.second_better]
        assert sum(parts) == pytest.approx(1)
        assert min(parts) >= 0
    assert wide.equivalent >= narrow.equivalent - 1e-12


def test_without_a_rope_belief_and_test_say_the_same():
    test = corrected_t(FIRST, SECOND).test
    rope = bayesian_rope(FIRST, SECOND, 0)

    assert rope.second_better == pytest.approx(test.p_value / 2)
    assert rope.equivalent == pytest.approx(0, abs=1e-12)
    apart = np.tile(FIRST, 2), np.tile(SECOND, 2)
    by_runs = bayesian_rope(*apart, 0, runs=2)
    assert by_runs == bayesian_rope(*apart, 0, correlation=0.2)
    assert by_runs.second_better == pytest.approx(corrected_t(*apart, runs=2).test.p_value / 2)


def test_folds_without_a_value_are_left_out_and_counted():
    first, second = [*FIRST, math.nan, 0.9, math.inf], [*SECOND, 0.8, math.nan, math.inf]
    difference, test = corrected_t(first, second, test_share=0.2)
    own, alone = corrected_t(FIRST, SECOND, test_share=0.2)

    assert [difference.value, difference.low] == [own.value, own.low]
    assert (test.p_value, test.degrees) == (alone.p_value, 4)
    assert test.note == "left out: 3 of 8 folds, where a model has no value"
    assert difference.note == test.note
    # The design stays that of eight folds.
    eighths = corrected_t(FIRST, SECOND, test_rows=1, train_rows=7).test
    assert corrected_t(first, second).test.p_value == pytest.approx(eighths.p_value)
    rope = bayesian_rope(first, second, 0.01)
    assert rope.note == test.note
    assert rope == bayesian_rope(first, second, 0.01, correlation=1 / 8)


def test_too_few_folds_with_values_leave_the_test_undefined():
    difference, test = corrected_t([0.8, math.nan], [0.7, 0.9])

    assert test.reason == "fewer than 2 folds have values of both models"
    assert math.isnan(test.p_value)
    assert difference.value == pytest.approx(0.1)
    assert not difference.has_interval
    nothing = corrected_t([math.nan] * 3, FIRST[:3]).difference
    assert nothing.reason == test.reason
    rope = bayesian_rope([math.nan] * 3, FIRST[:3], 0.1)
    assert repr(rope) == "Rope(undefined: fewer than 2 folds have values of both models)"


def test_the_same_difference_everywhere_cannot_be_judged():
    # 0.9 - 0.8 and 0.8 - 0.7 differ in their last digit, which is no spread.
    first, second = [0.9, 0.8, 0.3], [0.8, 0.7, 0.2]
    difference, test = corrected_t(first, second)

    assert "every fold has the same difference, 0.1000" in test.reason
    assert math.isnan(test.statistic)
    assert difference.value == pytest.approx(0.1)
    assert not difference.has_interval
    assert difference.note == test.reason
    rope = bayesian_rope(first, second, 0.01)
    assert rope.reason == test.reason
    assert math.isnan(rope.first_better)
    pairs = [[0.9, 0.8]] * 5, [[0.8, 0.7]] * 5
    assert "the same difference" in five_by_two(*pairs).reason


def test_models_without_any_difference_are_equal():
    difference, test = corrected_t(FIRST, FIRST)

    assert (test.statistic, test.p_value, test.note) == (0.0, 1.0, SAME)
    assert (difference.value, difference.has_interval, difference.note) == (0.0, False, SAME)
    rope = bayesian_rope(FIRST, FIRST, 0.0)
    assert (rope.first_better, rope.equivalent, rope.second_better) == (0.0, 1.0, 0.0)
    for method in ("f", "t"):
        same = five_by_two(PAIRS, PAIRS, method)
        assert (same.statistic, same.p_value, same.note) == (0.0, 1.0, SAME)
    with_gap = corrected_t([*FIRST, math.nan], [*FIRST, 0.5]).test
    assert with_gap.note == f"{SAME}; left out: 1 of 6 folds, where a model has no value"


def test_five_by_two_needs_every_fold():
    broken = np.array(PAIRS)
    broken[2, 1] = math.nan

    assert five_by_two(broken, ZEROS).reason == "1 of 10 folds have no value of both models"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: corrected_t(FIRST, SECOND[:4]), "there are 5 and 4"),
        (lambda: corrected_t([0.8], [0.7]), "2 folds or more"),
        (lambda: corrected_t([], []), "2 folds or more"),
        (lambda: corrected_t([FIRST, FIRST], [SECOND, SECOND]), "one after the other"),
        (lambda: corrected_t(0.8, 0.7), "one after the other"),
        (lambda: corrected_t(["high", "low"], [1, 2]), "are numbers"),
        (lambda: corrected_t(FIRST, SECOND, runs=2), "5 values cannot be 2 runs"),
        (lambda: corrected_t(FIRST, SECOND, runs=5), "2 or more each"),
        (lambda: corrected_t(FIRST, SECOND, runs=0), "whole number from 1"),
        (lambda: corrected_t(FIRST, SECOND, runs=2.5), "whole number from 1"),
        (lambda: corrected_t(FIRST, SECOND, test_share=1.0), "between 0 and 1"),
        (lambda: corrected_t(FIRST, SECOND, test_rows=5), "both test_rows and train_rows"),
        (lambda: corrected_t(FIRST, SECOND, test_rows=5, train_rows=0), "more than 0"),
        (lambda: corrected_t(FIRST, SECOND, test_rows=5, test_share=0.1), "not both"),
        (lambda: corrected_t(FIRST, SECOND, level=95), "0.95"),
        (lambda: bayesian_rope(FIRST, SECOND, -0.1), "from 0 on"),
        (lambda: bayesian_rope(FIRST, SECOND, math.nan), "from 0 on"),
        (lambda: bayesian_rope(FIRST, SECOND, "wide"), "A rope is a number"),
        (lambda: bayesian_rope(FIRST, SECOND, 0.1, correlation=1.0), "below 1"),
        (lambda: bayesian_rope(FIRST, SECOND, 0.1, runs=3), "5 values cannot be 3 runs"),
        (lambda: five_by_two(FIRST, SECOND), "five rows of two"),
        (lambda: five_by_two(PAIRS[:4], PAIRS[:4]), "five rows of two"),
        (lambda: five_by_two(PAIRS, ZEROS.T), "five rows of two"),
        (lambda: five_by_two([[1, 2], [3]], ZEROS), "equally many"),
    ],
)
def test_what_cannot_be_compared_says_why(wrong, told):
    with pytest.raises(InputError, match=told):
        wrong()


def test_an_unknown_method_names_the_known_ones():
    with pytest.raises(UnknownName, match="'f' and 't'"):
        five_by_two(PAIRS, ZEROS, method="z")


def test_a_rope_prints_as_one_line():
    expected = "Rope(first better 76.5 %, as good 19.8 %, second better 3.8 %)"

    assert repr(bayesian_rope(FIRST, SECOND, 0.01)) == expected
