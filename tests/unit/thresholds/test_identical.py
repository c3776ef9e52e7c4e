"""The roundest threshold among those that give identical predictions."""

import math

from hypothesis import assume, given
from hypothesis import strategies as st

from tradeoff.thresholds.identical import roundest_number


@given(low=st.floats(-1e6, 1e6), gap=st.floats(1e-9, 1e6))
def test_the_roundest_number_lies_in_the_interval_and_is_about_as_short_as_its_limit(low, gap):
    high = low + gap
    assume(high > low)
    threshold = roundest_number(low, high)

    assert low < threshold <= high
    assert len(repr(threshold)) <= len(repr(high)) + 2


def test_roundest_numbers_of_intervals_worked_by_hand():
    assert [roundest_number(0.1, 0.2), roundest_number(0.19, 0.21), roundest_number(7.0, 13.0)] == [
        0.2,
        0.2,
        10.0,
    ]
    assert [roundest_number(1234.0, 1299.0), roundest_number(-0.031, -0.0302)] == [1250.0, -0.0305]
    assert [roundest_number(-math.inf, math.inf), roundest_number(5e-324, 1e-323)] == [
        math.inf,
        1e-323,
    ]
