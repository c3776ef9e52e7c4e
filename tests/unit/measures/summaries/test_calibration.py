"""Calibration errors and other registered summaries of calibration."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import rankings

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.measures.registry import SUMMARIES
from tradeoff.measures.summaries import calibration
from tradeoff.measures.summaries.decomposition import decompose

PROBABILITIES = st.integers(0, 10).map(lambda tenths: tenths / 10)
FOUR = to.Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))


def summary(name, ranking, **parameters):
    assert calibration.__name__ == SUMMARIES[name].function.__module__
    return SUMMARIES[name].with_parameters(**parameters).estimate(ranking)


def test_calibration_errors_by_hand():
    scores = np.array([0.1, 0.3, 0.6, 0.8])
    ranking = to.Ranking.of(scores, np.array([False, True, True, False]))

    # Bins {0.1, 0.3} and {0.6, 0.8}: means 0.2 and 0.7, proportions 1/2 and 1/2.
    assert summary("ece", ranking, bins=2).value == pytest.approx((0.3 + 0.2) / 2)
    assert summary("mce", ranking, bins=2).value == pytest.approx(0.3)
    # Three bins of equal width: {0.1, 0.3}, {0.6}, {0.8}.
    by_width = summary("ece", ranking, bins=3, by="width").value
    assert by_width == pytest.approx((2 * 0.3 + 0.4 + 0.8) / 4)
    error = summary("debiased_calibration_error", ranking, bins=2)
    assert (error.value, error.note) == (
        0.0,
        "set to 0, as the squared error after noise correction is -0.1850",
    )


@pytest.mark.parametrize("weight", [1.0, 0.1, 0.3, 0.7, 1 / 3])
def test_equal_weights_leave_bins_as_they_are(weight):
    # The middle of the two rows at 0.5 lies on a bin edge: they belong to the bin of 0.8. Errors
    # |0.2 - 0| and |(0.5 + 0.5 + 0.8)/3 - 1/3|, weighted 1 to 3: 0.2/4 + (3/4)(4/15) = 0.25.
    scores, positive = np.array([0.2, 0.5, 0.5, 0.8]), np.array([False, False, False, True])
    ranking = to.Ranking.of(scores, positive, np.full(4, weight))

    assert summary("ece", ranking, bins=2).value == pytest.approx(0.25)
    assert summary("mce", ranking, bins=2).value == pytest.approx(0.6 - 1 / 3)


@given(
    st.lists(st.tuples(PROBABILITIES, st.booleans()), min_size=1, max_size=200),
    st.sampled_from([0.1, 0.3, 0.7, 1 / 3, 1e-90, 12345.678]),
    st.integers(1, 12),
)
def test_equal_real_weights_change_no_calibration_error(rows, weight, bins):
    scores, positive = np.array(rows).T
    plain = to.Ranking.of(scores, positive.astype(bool))
    weighted = to.Ranking.of(scores, positive.astype(bool), np.full(len(rows), weight))

    for name in ("ece", "mce"):
        expected = summary(name, plain, bins=bins).value
        assert summary(name, weighted, bins=bins).value == pytest.approx(expected, abs=1e-9)


def test_the_debiased_error_by_hand():
    scores, positive = np.repeat([0.1, 0.9], 10), np.arange(20) % 10 < np.repeat([1, 2], 10)
    error = summary("debiased_calibration_error", to.Ranking.of(scores, positive), bins=2)

    squared = (0.7**2 - 0.16 / 9) / 2 + (0 - 0.09 / 9) / 2
    assert (error.value, error.note) == (pytest.approx(math.sqrt(squared)), None)


def test_the_debiased_error_of_calibrated_probabilities_is_0_about_half_the_time():
    random = np.random.default_rng(7)
    scores = random.random(400)
    rankings = [to.Ranking.of(scores, random.random(400) < scores) for _ in range(200)]

    is_zero = [summary("debiased_calibration_error", r).value == 0 for r in rankings]
    assert 0.4 < np.mean(is_zero) < 0.7
    assert np.mean([summary("ece", r).value for r in rankings]) > 0.03


@given(rankings(scores=PROBABILITIES, min_size=1), st.integers(1, 12))
def test_the_largest_error_is_no_smaller_than_the_mean_error(ranking, bins):
    for by in ("rows", "width"):
        mean = summary("ece", ranking, bins=bins, by=by).value
        assert 0 <= mean <= summary("mce", ranking, bins=bins, by=by).value + 1e-12
    in_one_bin = summary("ece", ranking, bins=1).value
    assume(ranking.positives)
    ratio = summary("o_e_ratio", ranking)
    assume(ratio.is_defined)
    expected = float(ranking.positives) / ratio.value
    assert in_one_bin == pytest.approx(abs(expected - ranking.positives) / ranking.rows, abs=1e-9)


@pytest.mark.parametrize("name", [n for n in dir(calibration) if n in SUMMARIES])
def test_summaries_without_rows_or_probabilities_are_undefined_with_a_reason(name):
    empty = to.Ranking.of(np.array([]), np.array([], bool))
    scores = to.Ranking.of(np.array([3.0, 0.5]), np.array([True, False]))

    assert summary(name, empty).reason == "there are no rows"
    assert "outside 0 to 1" in summary(name, scores).reason


def test_invalid_bins_and_undefined_errors_have_a_message():
    with pytest.raises(InputError, match="must be 'rows' or 'width', not 'window'"):
        summary("ece", FOUR, by="window")
    with pytest.raises(InputError, match=r"whole number, 1 or more, not 2\.5"):
        summary("ece", FOUR, bins=2.5)
    assert "single row" in summary("debiased_calibration_error", FOUR).reason
    weighted = replace(FOUR, squares=FOUR)
    assert "importance weights" in summary("debiased_calibration_error", weighted, bins=2).reason


def test_the_components_of_the_decomposition_are_registered_summaries():
    assert summary("miscalibration", FOUR).value == decompose(FOUR).miscalibration
    assert summary("discrimination", FOUR).value == decompose(FOUR).discrimination
