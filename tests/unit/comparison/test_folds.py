"""Tests on fold values: worked by hand, by their distributions, and with invalid values."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tradeoff.comparison.folds import SAME_VALUES, bayesian_rope, corrected_t, five_by_two
from tradeoff.errors import InputError, UnknownName

FIRST = [0.82, 0.85, 0.80, 0.84, 0.83]
SECOND = [0.80, 0.82, 0.81, 0.80, 0.81]
PAIRS = [[0.1, 0.2], [0.0, 0.1], [0.1, 0.0], [0.0, 0.1], [0.2, 0.0]]
ZEROS = np.zeros((5, 2))
TENTHS = st.integers(-9, 9).map(lambda tenth: tenth / 10)
FOLDS = st.lists(st.tuples(TENTHS, TENTHS), min_size=2, max_size=12)


def correlated_differences(shape, correlation, seed):
    """Differences with mean 0, correlated as the tests assume."""
    random = np.random.default_rng(seed)
    shared = random.normal(size=(shape[0], 1))
    return math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * random.normal(size=shape)


def test_the_corrected_t_test_worked_by_hand():
    # Differences 0.1, 0.2, 0.6: mean 0.3, variance 0.07, times 1/3 + 1/2.
    difference, test = corrected_t([0.4, 0.4, 0.7], [0.3, 0.2, 0.1])
    t = 0.3 / math.sqrt(0.07 * 5 / 6)

    assert difference.value == pytest.approx(0.3)
    assert (test.statistic, test.degrees) == (pytest.approx(t), 2)
    assert test.p_value == pytest.approx(1 - t / math.sqrt(t**2 + 2))  # Student's, 2 degrees
    critical = 0.95 * math.sqrt(2 / (1 - 0.95**2))
    half_width = critical * math.sqrt(0.07 * 5 / 6)
    assert [difference.low, difference.high] == pytest.approx([0.3 - half_width, 0.3 + half_width])
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
def test_the_variance_is_corrected_for_shared_training_rows(design, ratio):
    differences = np.array([0.1, 0.3, -0.1, 0.2, 0.0, 0.4])
    test = corrected_t(differences, np.zeros(6), **design).test

    assert test.degrees == 5
    assert test.statistic == pytest.approx(0.15 / math.sqrt(0.035 * (1 / 6 + ratio)))


@given(FOLDS)
def test_swapping_the_models_negates_the_statistic_and_keeps_the_p_value(folds):
    first, second = np.array(folds).T
    (difference, test), (swapped, swapped_test) = (
        corrected_t(first, second),
        corrected_t(second, first),
    )
    rope, swapped_rope = bayesian_rope(first, second, 0.05), bayesian_rope(second, first, 0.05)

    assert swapped.value == pytest.approx(-difference.value)
    assert [swapped.low, swapped.high] == pytest.approx(
        [-difference.high, -difference.low], nan_ok=True
    )
    assert [swapped_test.statistic, swapped_test.p_value] == pytest.approx(
        [-test.statistic, test.p_value], nan_ok=True
    )
    assert swapped_test.reason is None or test.reason is not None
    assert [
        swapped_rope.first_better,
        swapped_rope.equivalent,
        swapped_rope.second_better,
    ] == pytest.approx([rope.second_better, rope.equivalent, rope.first_better], nan_ok=True)


def test_the_corrected_t_test_keeps_its_level_where_the_usual_t_test_does_not():
    differences = correlated_differences((2500, 10), 1 / 10, seed=2)
    tests = [corrected_t(row, np.zeros(10)) for row in differences]

    assert 0.038 < np.mean([test.p_value <= 0.05 for _, test in tests]) < 0.062
    assert 0.938 < np.mean([e.low <= 0 <= e.high for e, _ in tests]) < 0.962
    uncorrected_t = differences.mean(axis=1) / (differences.std(axis=1, ddof=1) / math.sqrt(10))
    assert np.mean(np.abs(uncorrected_t) > 2.262) > 0.1


def test_the_corrected_t_test_of_repeated_cross_validation_keeps_its_level():
    # Five runs of four folds, all as correlated as two folds of one run.
    differences = correlated_differences((2500, 20), 1 / 4, seed=3)
    rejections = [
        corrected_t(row, np.zeros(20), runs=5).test.p_value <= 0.05 for row in differences
    ]

    assert 0.038 < np.mean(rejections) < 0.062


def test_the_five_by_two_tests_worked_by_hand():
    # The squares of all ten differences sum to 0.12; around the means of their runs, to 0.04.
    f, t = five_by_two(PAIRS, ZEROS), five_by_two(PAIRS, ZEROS, method="t")

    assert f.statistic == pytest.approx(0.12 / (2 * 0.04))
    assert t.statistic == pytest.approx(0.1 / math.sqrt(0.04 / 5))
    assert t.degrees == 5
    # The upper tail of F with 10 and 5 degrees of freedom is a finite sum.
    x = 5 / (5 + 10 * 1.5)
    terms = (math.gamma(2.5 + j) / math.factorial(j) * (1 - x) ** j for j in range(5))
    assert f.p_value == pytest.approx(x**2.5 / math.gamma(2.5) * sum(terms))
    # So is that of t with 5 degrees of freedom.
    angle = math.atan(t.statistic / math.sqrt(5))
    inside = angle + math.sin(angle) * (math.cos(angle) + 2 / 3 * math.cos(angle) ** 3)
    assert t.p_value == pytest.approx(1 - 2 / math.pi * inside)


@given(st.lists(st.tuples(TENTHS, TENTHS), min_size=5, max_size=5), st.randoms())
def test_the_five_by_two_f_test_does_not_depend_on_the_order_of_models_or_folds(pairs, random):
    differences = np.array(pairs)
    ordered = five_by_two(differences, ZEROS)
    shuffled = [list(pair) for pair in pairs]
    random.shuffle(shuffled)
    for pair in shuffled:
        random.shuffle(pair)

    for other in (five_by_two(ZEROS, differences), five_by_two(shuffled, ZEROS)):
        assert [other.statistic, other.p_value] == pytest.approx(
            [ordered.statistic, ordered.p_value], nan_ok=True
        )
    t, swapped = (
        five_by_two(*sides, "t") for sides in ((differences, ZEROS), (ZEROS, differences))
    )
    assert [swapped.statistic, swapped.p_value] == pytest.approx(
        [-t.statistic, t.p_value], nan_ok=True
    )


def test_both_five_by_two_tests_are_conservative():
    # For ten independent differences, F is distributed as (1 + F(5, 5)) / 2, which exceeds the
    # critical value of 4.735 in 1.75% of cases, not 5%. The first difference is also part of t's
    # denominator, which shrinks large values: 2.83%.
    samples = np.random.default_rng(6).normal(size=(3000, 5, 2))
    rejection_rates = {
        method: np.mean(
            [five_by_two(differences, ZEROS, method).p_value <= 0.05 for differences in samples]
        )
        for method in ("f", "t")
    }

    assert rejection_rates["f"] == pytest.approx(0.0175, abs=0.0095)
    assert rejection_rates["t"] == pytest.approx(0.0283, abs=0.012)


def test_probabilities_of_a_rope_worked_by_hand():
    # Two folds: Student's t with one degree of freedom is Cauchy's distribution. Differences 0.1
    # and 0.3: mean 0.2, variance 0.02, times 1/2 + 1.
    rope = bayesian_rope([0.5, 0.8], [0.4, 0.5], 0.05)
    scale = math.sqrt(0.02 * 1.5)

    def posterior_cdf(x):
        return 0.5 + math.atan((x - 0.2) / scale) / math.pi

    assert rope.second_better == pytest.approx(posterior_cdf(-0.05))
    assert rope.equivalent == pytest.approx(posterior_cdf(0.05) - posterior_cdf(-0.05))
    assert rope.first_better == pytest.approx(1 - posterior_cdf(0.05))
    half_width = scale * math.tan(math.pi * 0.475)
    assert [rope.value, rope.low, rope.high] == pytest.approx(
        [0.2, 0.2 - half_width, 0.2 + half_width]
    )
    assert (rope.correlation, rope.level, rope.is_defined) == (0.5, 0.95, True)


@given(FOLDS, st.floats(0, 0.5))
def test_rope_probabilities_sum_to_one_and_a_wider_rope_is_more_probable(folds, width):
    first, second = np.array(folds).T
    narrow, wide = (bayesian_rope(first, second, rope) for rope in (width, width + 0.1))
    assume(narrow.is_defined)

    for rope in (narrow, wide):
        probabilities = [rope.first_better, rope.equivalent, rope.second_better]
        assert sum(probabilities) == pytest.approx(1)
        assert min(probabilities) >= 0
    assert wide.equivalent >= narrow.equivalent - 1e-12


def test_an_empty_rope_has_the_one_sided_p_value_of_the_corrected_t_test():
    test = corrected_t(FIRST, SECOND).test
    rope = bayesian_rope(FIRST, SECOND, 0)

    assert rope.second_better == pytest.approx(test.p_value / 2)
    assert rope.equivalent == pytest.approx(0, abs=1e-12)
    repeated_folds = np.tile(FIRST, 2), np.tile(SECOND, 2)
    by_runs = bayesian_rope(*repeated_folds, 0, runs=2)
    assert by_runs == bayesian_rope(*repeated_folds, 0, correlation=0.2)
    assert by_runs.second_better == pytest.approx(
        corrected_t(*repeated_folds, runs=2).test.p_value / 2
    )


def test_folds_with_undefined_values_are_left_out_and_reported():
    first, second = [*FIRST, math.nan, 0.9, math.inf], [*SECOND, 0.8, math.nan, math.inf]
    difference, test = corrected_t(first, second, test_share=0.2)
    expected, expected_test = corrected_t(FIRST, SECOND, test_share=0.2)

    assert [difference.value, difference.low] == [expected.value, expected.low]
    assert (test.p_value, test.degrees) == (expected_test.p_value, 4)
    assert test.note == "left out: 3 of 8 folds, where a model has no value"
    assert difference.note == test.note
    # The design stays that of eight folds.
    eighths = corrected_t(FIRST, SECOND, test_rows=1, train_rows=7).test
    assert corrected_t(first, second).test.p_value == pytest.approx(eighths.p_value)
    rope = bayesian_rope(first, second, 0.01)
    assert rope.note == test.note
    assert rope == bayesian_rope(first, second, 0.01, correlation=1 / 8)


def test_fewer_than_two_defined_folds_leave_the_test_undefined():
    difference, test = corrected_t([0.8, math.nan], [0.7, 0.9])

    assert test.reason == "fewer than 2 folds have values for both models"
    assert math.isnan(test.p_value)
    assert difference.value == pytest.approx(0.1)
    assert not difference.has_interval
    nothing = corrected_t([math.nan] * 3, FIRST[:3]).difference
    assert nothing.reason == test.reason
    rope = bayesian_rope([math.nan] * 3, FIRST[:3], 0.1)
    assert repr(rope) == "Rope(undefined: fewer than 2 folds have values for both models)"


def test_constant_differences_leave_the_test_undefined():
    # 0.9 - 0.8 and 0.8 - 0.7 differ in the last digit only, which is rounding error.
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


def test_identical_models_have_a_p_value_of_one():
    difference, test = corrected_t(FIRST, FIRST)

    assert (test.statistic, test.p_value, test.note) == (0.0, 1.0, SAME_VALUES)
    assert (difference.value, difference.has_interval, difference.note) == (0.0, False, SAME_VALUES)
    rope = bayesian_rope(FIRST, FIRST, 0.0)
    assert (rope.first_better, rope.equivalent, rope.second_better) == (0.0, 1.0, 0.0)
    for method in ("f", "t"):
        same = five_by_two(PAIRS, PAIRS, method)
        assert (same.statistic, same.p_value, same.note) == (0.0, 1.0, SAME_VALUES)
    incomplete = corrected_t([*FIRST, math.nan], [*FIRST, 0.5]).test
    assert incomplete.note == f"{SAME_VALUES}; left out: 1 of 6 folds, where a model has no value"


def test_the_five_by_two_test_needs_every_fold():
    broken = np.array(PAIRS)
    broken[2, 1] = math.nan

    assert five_by_two(broken, ZEROS).reason == "a model has no value in 1 of 10 folds"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: corrected_t(FIRST, SECOND[:4]), "they have 5 and 4 values"),
        (lambda: corrected_t([0.8], [0.7]), "At least 2 folds"),
        (lambda: corrected_t([], []), "At least 2 folds"),
        (lambda: corrected_t([FIRST, FIRST], [SECOND, SECOND]), "in one dimension"),
        (lambda: corrected_t(0.8, 0.7), "in one dimension"),
        (lambda: corrected_t(["high", "low"], [1, 2]), "must be numbers"),
        (lambda: corrected_t(FIRST, SECOND, runs=2), "5 values are not 2 runs"),
        (lambda: corrected_t(FIRST, SECOND, runs=5), "at least 2 each"),
        (lambda: corrected_t(FIRST, SECOND, runs=0), "integer of 1 or more"),
        (lambda: corrected_t(FIRST, SECOND, runs=2.5), "integer of 1 or more"),
        (lambda: corrected_t(FIRST, SECOND, test_share=1.0), "between 0 and 1"),
        (lambda: corrected_t(FIRST, SECOND, test_rows=5), "both test_rows and train_rows"),
        (lambda: corrected_t(FIRST, SECOND, test_rows=5, train_rows=0), "above 0"),
        (lambda: corrected_t(FIRST, SECOND, test_rows=5, test_share=0.1), "not both"),
        (lambda: corrected_t(FIRST, SECOND, level=95), "0.95"),
        (lambda: bayesian_rope(FIRST, SECOND, -0.1), "finite and 0 or more"),
        (lambda: bayesian_rope(FIRST, SECOND, math.nan), "finite and 0 or more"),
        (lambda: bayesian_rope(FIRST, SECOND, "wide"), "rope must be a number"),
        (lambda: bayesian_rope(FIRST, SECOND, 0.1, correlation=1.0), "below 1"),
        (lambda: bayesian_rope(FIRST, SECOND, 0.1, runs=3), "5 values are not 3 runs"),
        (lambda: five_by_two(FIRST, SECOND), "five rows of two"),
        (lambda: five_by_two(PAIRS[:4], PAIRS[:4]), "five rows of two"),
        (lambda: five_by_two(PAIRS, ZEROS.T), "five rows of two"),
        (lambda: five_by_two([[1, 2], [3]], ZEROS), "the same number of folds"),
    ],
)
def test_invalid_fold_values_are_refused_with_a_reason(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_an_unknown_method_names_the_known_ones():
    with pytest.raises(UnknownName, match="'f' and 't'"):
        five_by_two(PAIRS, ZEROS, method="z")


def test_a_rope_prints_as_one_line():
    expected = "Rope(first better 76.5%, equivalent 19.8%, second better 3.8%)"

    assert repr(bayesian_rope(FIRST, SECOND, 0.01)) == expected
