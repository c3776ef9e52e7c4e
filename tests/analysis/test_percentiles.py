"""From resamples to intervals: percentiles by hand, corrected for bias and skew; what is said."""

import math

import numpy as np
import pytest

from tradeoff.uncertainty.bootstrap import acceleration, percentile_interval
from tradeoff.uncertainty.confidence import Confidence


def ends(found):
    return found.low, found.high


@pytest.mark.parametrize(("level", "low", "high"), [(0.9, 5, 95), (0.5, 25, 75), (0.98, 1, 99)])
def test_percentiles_by_hand(level, low, high):
    found = percentile_interval(np.arange(101.0), 50.0, Confidence(level=level, method="bootstrap"))

    assert ends(found) == pytest.approx((low, high))
    assert found.method == "percentile bootstrap, 101 resamples, seed 0"


def test_the_correction_of_bias_by_hand():
    # 60.5 of 101 draws lie below 60: both tails move by twice that normal deviate.
    from scipy.special import ndtr, ndtri

    bias = ndtri(60.5 / 101)
    expected = 100 * ndtr(2 * bias + ndtri(np.array([0.05, 0.95])))

    found = percentile_interval(np.arange(101.0), 60.0, Confidence(level=0.9))

    assert ends(found) == pytest.approx(tuple(expected))


def test_skew_moves_tails_by_efrons_formula():
    from scipy.special import ndtr, ndtri

    deviates = ndtri(np.array([0.05, 0.95]))
    expected = 100 * ndtr(deviates / (1 - 0.1 * deviates))

    found = percentile_interval(
        np.arange(101.0), 50.0, Confidence(level=0.9, method="bca"), skew=0.1
    )

    assert ends(found) == pytest.approx(tuple(expected))
    assert found.method.startswith("BCa bootstrap")


def test_draws_on_one_side_of_the_value_are_turned_round_it():
    found = percentile_interval(np.arange(101.0), 90.0, Confidence(level=0.9))

    assert ends(found) == (2 * 90 - 95, 2 * 90 - 5)
    assert found.method.startswith("basic")


def test_a_shift_moves_both_ends():
    plain, moved = (
        percentile_interval(np.arange(101.0), 50.0, Confidence(), shift=by) for by in (0.0, 0.25)
    )

    assert ends(moved) == (plain.low + 0.25, plain.high + 0.25)


def test_infinite_draws_give_infinite_ends_and_no_warning():
    draws = np.concatenate([np.arange(80.0), np.full(21, np.inf)])

    for value in (40.0, 79.0, np.inf):
        found = percentile_interval(draws, value, Confidence(method="bca"))
        assert found.low <= value <= found.high == math.inf


def test_undefined_draws_are_counted_and_said():
    draws = np.concatenate([np.arange(90.0), np.full(10, np.nan)])

    found = percentile_interval(draws, 45.0, Confidence(method="bootstrap"))

    assert found.note == "10 of 100 resamples had no value"
    assert not math.isnan(found.low)


def test_mostly_undefined_draws_give_no_interval():
    draws = np.concatenate([np.arange(40.0), np.full(60, np.nan)])

    found = percentile_interval(draws, 20.0, Confidence())

    assert math.isnan(found.low)
    assert found.note == "60 of 100 resamples had no value"


def test_the_skew_of_a_mean_is_that_of_its_rows():
    away = np.array([[-1.0], [-1.0], [2.0]])

    assert acceleration(away, np.array([1, 1, 1])) == pytest.approx(6 / (6 * 6**1.5))
    assert acceleration(away[1:], np.array([2, 1])) == pytest.approx(6 / (6 * 6**1.5))
    assert acceleration(np.zeros((3, 1)), np.ones(3)).tolist() == [0.0]
