"""Percentages and p-values as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.formatting import format_number, format_p_value, format_percent, format_threshold


@pytest.mark.parametrize(
    ("proportion", "text"),
    [
        (0.9996, "> 99.9%"),
        (199_799 / 199_806, "> 99.9%"),
        (1.0004, "100.04%"),
        (0.9994, "99.9%"),
        (0.1 + 0.2 + 0.7 - 1e-16, "100%"),
        (4e-5, "0.004%"),
        (4e-6, "< 0.001%"),
        (0.0, "0%"),
    ],
)
def test_a_percentage_is_0_or_100_only_if_the_proportion_is_0_or_1(proportion, text):
    assert format_percent(proportion) == text


def test_whole_percentages_are_not_rounded_to_0_or_100():
    assert [format_percent(x, 0) for x in (0.996, 0.004, 0.5, 1)] == [
        "99.6%",
        "0.4%",
        "50%",
        "100%",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [(2e-5, "0.00002"), (1.5e-6, "0.0000015"), (-3e-5, "-0.00003"), (2e-7, "2e-07")],
)
def test_numbers_down_to_a_millionth_have_no_exponent(value, text):
    assert format_number(value) == text
    assert float(format_threshold(value).replace("−", "-")) == value
    assert ("e" in format_threshold(value)) == ("e" in text)


# P-values


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.2500, "0.25"),
        (0.0101, "0.01"),
        (0.00996, "0.010"),
        (0.0012, "0.001"),
        (0.001, "0.001"),
        (0.00099, "< 0.001"),
        (0.0, "< 0.001"),
        (0.04996, "0.04996"),
        (0.0496, "0.0496"),
        (0.0449, "0.04"),
        (0.05, "0.05"),
        (0.0504, "0.0504"),
        (0.0549, "0.055"),
        (0.9949, "0.99"),
        (0.9951, "> 0.99"),
        (1.0, "1.00"),
    ],
)
def test_p_values_are_printed_as_in_journals_and_never_as_005_by_rounding(p, text):
    assert format_p_value(p) == text


@given(p=st.floats(0, 1), significance=st.sampled_from([0.1, 0.05, 0.01, 0.005, 1 - 0.95]))
def test_a_printed_p_value_is_significant_if_and_only_if_the_p_value_is(p, significance):
    level = round(significance, 12)
    if abs(p - level) < 1e-11 or p < 0.001 or p > 0.99:
        return
    assert (float(format_p_value(p, significance)) < level) == (p < level)
