"""Bootstrap percentile intervals by hand, plain and corrected for bias and skewness, with notes."""

import math

import numpy as np
import pytest

from tradeoff.uncertainty.bootstrap import bca_acceleration, percentile_interval
from tradeoff.uncertainty.confidence import Confidence


def limits(interval):
    return interval.low, interval.high


@pytest.mark.parametrize(("level", "low", "high"), [(0.9, 5, 95), (0.5, 25, 75), (0.98, 1, 99)])
def test_percentiles_by_hand(level, low, high):
    interval = percentile_interval(
        np.arange(101.0), 50.0, Confidence(level=level, method="bootstrap")
    )

    assert limits(interval) == pytest.approx((low, high))
    assert interval.method == "percentile bootstrap, 101 resamples, seed 0"


def test_bias_correction_by_hand():
    # 60.5 of 101 replicates lie below 60: both tails shift by twice that normal deviate.
    from scipy.special import ndtr, ndtri

    bias = ndtri(60.5 / 101)
    expected = 100 * ndtr(2 * bias + ndtri(np.array([0.05, 0.95])))

    interval = percentile_interval(np.arange(101.0), 60.0, Confidence(level=0.9))

    assert limits(interval) == pytest.approx(tuple(expected))


def test_acceleration_shifts_both_tails_by_efrons_formula():
    from scipy.special import ndtr, ndtri

    deviates = ndtri(np.array([0.05, 0.95]))
    expected = 100 * ndtr(deviates / (1 - 0.1 * deviates))

    interval = percentile_interval(
        np.arange(101.0), 50.0, Confidence(level=0.9, method="bca"), acceleration=0.1
    )

    assert limits(interval) == pytest.approx(tuple(expected))
    assert interval.method.startswith("BCa bootstrap")


def test_replicates_all_on_one_side_of_the_value_give_the_basic_bootstrap_interval():
    interval = percentile_interval(np.arange(101.0), 90.0, Confidence(level=0.9))

    assert limits(interval) == (2 * 90 - 95, 2 * 90 - 5)
    assert interval.method.startswith("basic")


def test_a_shift_is_added_to_both_limits():
    original, shifted = (
        percentile_interval(np.arange(101.0), 50.0, Confidence(), shift=by) for by in (0.0, 0.25)
    )

    assert limits(shifted) == (original.low + 0.25, original.high + 0.25)


def test_infinite_replicates_give_infinite_limits_without_a_warning():
    replicates = np.concatenate([np.arange(80.0), np.full(21, np.inf)])

    for value in (40.0, 79.0, np.inf):
        interval = percentile_interval(replicates, value, Confidence(method="bca"))
        assert interval.low <= value <= interval.high == math.inf


def test_undefined_replicates_are_counted_in_the_note():
    replicates = np.concatenate([np.arange(90.0), np.full(10, np.nan)])

    interval = percentile_interval(replicates, 45.0, Confidence(method="bootstrap"))

    assert interval.note == "undefined in 10 of 100 resamples"
    assert not math.isnan(interval.low)


def test_mostly_undefined_replicates_give_no_interval():
    replicates = np.concatenate([np.arange(40.0), np.full(60, np.nan)])

    interval = percentile_interval(replicates, 20.0, Confidence())

    assert math.isnan(interval.low)
    assert interval.note == "undefined in 60 of 100 resamples"


def test_the_acceleration_of_a_mean_is_a_sixth_of_its_skewness():
    deviations = np.array([[-1.0], [-1.0], [2.0]])

    assert bca_acceleration(deviations, np.array([1, 1, 1])) == pytest.approx(6 / (6 * 6**1.5))
    assert bca_acceleration(deviations[1:], np.array([2, 1])) == pytest.approx(6 / (6 * 6**1.5))
    assert bca_acceleration(np.zeros((3, 1)), np.ones(3)).tolist() == [0.0]
