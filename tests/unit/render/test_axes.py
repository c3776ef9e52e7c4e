"""Axes of drawn charts: ticks and scales."""

import numpy as np
import pytest
from drawn_charts import (
    NAN,
)
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.render.axes import Axis
from tradeoff.render.chart import Scale


@pytest.mark.parametrize(
    ("scale", "texts"),
    [
        (Scale("", 0, 1), ["0.0", "0.5", "1.0"]),
        (Scale("", 0, 1, "share"), ["0%", "50%", "100%"]),
        (Scale("", 0.1, 0.2, "share"), ["10%", "15%", "20%"]),
        (Scale("", -40, 37), ["−40", "−20", "0", "20"]),
        (Scale("", 0, 3e-7), ["0", "2e-07"]),
        (Scale("", 0, 25_000), ["0", "20,000"]),
        (Scale("", 1, 1e4, "log"), ["1", "100", "10,000"]),
        (Scale("", 2, 5, "log"), ["2", "4"]),
        (Scale("", 0.01, 0.99, "normal"), ["1%", "50%", "99%"]),
        (Scale("", 0, 1, "normal"), ["0.1%", "50%", "99.9%"]),
        (Scale("", 0, 3, "names", ("a", "b", "c")), ["a", "b", "c"]),
        (Scale("", 5, 5), ["4.5", "5.0", "5.5"]),
        (Scale("", NAN, np.inf), ["0.0", "0.5", "1.0"]),
    ],
)
def test_ticks_are_round_numbers(scale, texts):
    assert [tick.text for tick in Axis.from_scale(scale).ticks(2)] == texts


@given(
    st.floats(-1e12, 1e12),
    st.floats(1e-9, 1e12),
    st.sampled_from(["plain", "share"]),
    st.integers(1, 12),
)
def test_ticks_lie_inside_the_axis_in_increasing_order(low, span, kind, count):
    if low + span <= low:
        return
    positions = [
        tick.position for tick in Axis.from_scale(Scale("", low, low + span, kind)).ticks(count)
    ]

    assert all(-1e-6 <= position <= 1 + 1e-6 for position in positions)
    assert positions == sorted(positions)
    assert len(positions) <= 2 * count + 8


def test_log_and_normal_quantile_scales_are_spaced_by_their_function():
    log = Axis.from_scale(Scale("", 1, 100, "log")).positions([1, 10, 100, 0])
    normal = Axis.from_scale(Scale("", 0.1, 0.9, "normal")).positions([0.1, 0.5, 0.9, 0])

    assert log[:3] == pytest.approx([0, 0.5, 1])
    assert normal[:3] == pytest.approx([0, 0.5, 1])
    assert log[3] < -1
    assert normal[3] < -1
