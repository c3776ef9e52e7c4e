"""Numbers in a page are written, digit by digit, as the library writes them."""

import math

import numpy as np
import pytest

from browser.conftest import ask
from tradeoff import formatting
from tradeoff.measures.estimate import Estimate
from tradeoff.render.estimate_text import (
    CLINICAL_DIGITS,
    format_estimate,
    format_interval,
    format_signed_interval,
    format_value_interval,
)
from tradeoff.report.page import page_file

pytestmark = pytest.mark.browser


@pytest.fixture
def page(page):
    """An empty page with the numbers in it."""
    page.add_script_tag(content=page_file("numbers.js"))
    return page


def numbers():
    """Numbers of all sizes, with many that lie right between two roundings."""
    random = np.random.default_rng(3)
    sizes = 10.0 ** random.integers(-12, 24, 1500) * random.uniform(0, 10, 1500)
    ties = [k / 2**power for power in range(1, 16) for k in (1, 3, 5, 7, 13, 12345, 99999)]
    halves = [10.0**power * k for power in range(-6, 7) for k in (0.5, 1.5, 2.5, 9.5, 9.99995)]
    edges = [0, 1, 99.95, 999.5, 0.0001, 9.9995e-05, 1e21, 1e22, 123456789, 0.1, 1 / 3]
    near_one = [0.9996, 0.99999999, 1.0004, 1 - 1e-16, 1 - 1e-12]
    shares = random.integers(0, 500, 500) / random.integers(500, 1000, 500)
    positive_numbers = np.array(
        [*sizes, *ties, *halves, *edges, *near_one, *shares, *np.round(sizes[:300], 2)]
    )
    return np.concatenate([positive_numbers, -positive_numbers]).tolist()


@pytest.mark.parametrize(
    ("function", "same"),
    [
        ("number", formatting.format_number),
        ("count", formatting.format_count),
        ("amount", formatting.format_amount),
        ("threshold", formatting.format_threshold),
        ("percent", formatting.format_percent),
    ],
)
def test_numbers_are_written_as_the_library_writes_them(page, function, same):
    samples = numbers()
    written = ask(page, f"(values) => values.map((value) => Numbers.{function}(value))", samples)

    assert written == [same(value) for value in samples]


def test_infinite_and_undefined_numbers_are_written_as_the_library_writes_them(page):
    odd = "[NaN, Infinity, -Infinity, -0]"
    functions = ["number", "count", "threshold", "percent", "amount"]
    written = ask(
        page,
        f"(names) => names.map((name) => {odd}.map((value) => Numbers[name](value)))",
        functions,
    )
    same = [
        formatting.format_number,
        formatting.format_count,
        formatting.format_threshold,
        formatting.format_percent,
        formatting.format_amount,
    ]
    expected = [[write(v) for v in (math.nan, math.inf, -math.inf, -0.0)] for write in same]

    assert written == expected


def test_intervals_are_written_as_the_library_writes_them(page):
    centres = np.array(numbers())[:1500]
    intervals = np.column_stack([centres, centres * 0.9, centres * 1.1]).tolist()
    written = ask(
        page,
        """(all) => all.map(([value, low, high]) =>
            [Numbers.interval(low, high), Numbers.estimate({ value, low, high })])""",
        intervals,
    )
    estimates = [Estimate("x", value, low=low, high=high) for value, low, high in intervals]

    assert written == [[format_interval(e), format_estimate(e)] for e in estimates]
    nothing = """() => [
        Numbers.interval(NaN, 1), Numbers.estimate({ value: 0.5, low: NaN, high: NaN })]"""
    assert ask(page, nothing, None) == ["", "0.500"]


def test_intervals_with_two_digits_are_written_as_in_a_table_of_cutoffs(page):
    centres = np.concatenate([np.array(numbers())[:800], np.linspace(0, 1, 400)])
    intervals = [
        [value, low, high]
        for value in centres.tolist()
        for low, high in ((0.9 * value, 1.1 * value), (max(value - 0.07, 0), min(value + 0.02, 1)))
        if low <= value <= high
    ]
    written = ask(
        page,
        f"""(all) => all.map(([value, low, high]) =>
            Numbers.estimate({{ value, low, high }}, {CLINICAL_DIGITS}))""",
        intervals,
    )

    assert written == [format_value_interval(*limits, CLINICAL_DIGITS) for limits in intervals]


def test_differences_are_written_with_their_signs_as_the_library_writes_them(page):
    random = np.random.default_rng(5)
    values = np.concatenate([np.array(numbers())[:800], random.normal(size=400)])
    widths = np.abs(values) * random.uniform(0.1, 2, len(values))
    limits = np.column_stack([values, values - widths, values + widths]).tolist()
    limits += [[0.0, -0.135, 0.149], [0.451, 0.160, 0.741], [0.001, -0.0004, 0.0021]]
    written = ask(
        page,
        "(all) => all.map(([value, low, high]) => Numbers.difference({ value, low, high }))",
        limits,
    )

    assert written == [format_signed_interval(*row) for row in limits]
    alone = "() => Numbers.difference({ value: -0.25, low: NaN, high: NaN })"
    assert ask(page, alone, None) == format_signed_interval(-0.25, math.nan, math.nan)
