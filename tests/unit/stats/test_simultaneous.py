"""Coverage of simultaneous bands for order statistics, by hand and by simulation."""

import numpy as np
import pytest
from scipy.special import betaincinv

from tradeoff.stats.simultaneous import (
    _approximate_band_coverage,
    band_coverage,
    band_critical_value,
)


def test_coverage_for_one_row():
    assert band_coverage(1, 0.025) == pytest.approx(1 - 2 * 0.025)


def test_coverage_for_two_rows_by_hand():
    # The smaller of two uniform numbers is below b1 with probability tail = 1 - (1 - b1)², the
    # larger below b2 with b2² = tail; by symmetry the upper limits are c1 = 1 - b2, c2 = 1 - b1.
    # The pair has density 2 where u1 < u2. For u1 up to b2, u2 lies between b2 and c2; for u1 from
    # b2 to c1, between u1 and c2: a rectangle and a trapezium.
    tail = 0.02
    b1, b2 = 1 - np.sqrt(1 - tail), np.sqrt(tail)
    c1, c2 = 1 - b2, 1 - b1
    rectangle = (b2 - b1) * (c2 - b2)
    trapezium = ((c2 - b2) ** 2 - (c2 - c1) ** 2) / 2

    assert band_coverage(2, tail) == pytest.approx(2 * (rectangle + trapezium))


@pytest.mark.parametrize(("rows", "tail"), [(7, 0.01), (40, 0.002), (300, 0.005)])
def test_coverage_agrees_with_simulation(rows, tail):
    ranks = np.arange(1, rows + 1)
    low = betaincinv(ranks, rows - ranks + 1, tail)
    samples = np.sort(np.random.default_rng(5).random((20_000, rows)), axis=1)
    coverage = ((samples >= low) & (samples <= 1 - low[::-1])).all(axis=1).mean()

    # Four standard errors of 20,000 simulations.
    assert band_coverage(rows, tail) == pytest.approx(coverage, abs=4 * np.sqrt(0.25 / 20_000))


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("rows", [1, 2, 15, 320])
def test_bands_have_the_requested_coverage(rows, level):
    from scipy.special import ndtr

    z = band_critical_value(rows, level)

    assert level <= band_coverage(rows, float(ndtr(-z))) < level + 0.004


def test_coverage_is_extrapolated_beyond_a_thousand_rows():
    # -log(coverage) rises by nearly the same amount with every doubling of rows.
    for z in (2.8, 3.3):
        from scipy.special import ndtr

        exact = band_coverage(4000, float(ndtr(-z)))
        assert np.log(_approximate_band_coverage(4000, z)) == pytest.approx(np.log(exact), rel=0.02)


def test_critical_values_rise_with_the_rows_rounded_to_two_digits():
    sizes = [1, 3, 10, 99, 1000, 1001, 10**5, 10**8]
    critical_values = [band_critical_value(rows, 0.95) for rows in sizes]

    assert critical_values == sorted(critical_values)
    assert critical_values[-1] < 4
    assert band_critical_value(341, 0.95) == band_critical_value(350, 0.95)
    assert band_critical_value(0.3, 0.95) == band_critical_value(1, 0.95)
