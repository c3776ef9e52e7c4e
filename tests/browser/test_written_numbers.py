"""Numbers in a page are written, digit by digit, as the library writes them."""

import math

import numpy as np
import pytest

from browser.conftest import ask
from tradeoff import text
from tradeoff.measures.estimate import Estimate
from tradeoff.render import values
from tradeoff.report.page import part
from tradeoff.thresholds import views

pytestmark = pytest.mark.browser


@pytest.fixture
def page(page):
    """An empty page with the numbers in it."""
    page.add_script_tag(content=part("numbers.js"))
    return page


def numbers():
    """Numbers of all sizes, with many that lie right between two roundings."""
    random = np.random.default_rng(3)
    sizes = 10.0 ** random.integers(-12, 24, 1500) * random.uniform(0, 10, 1500)
    ties = [k / 2**power for power in range(1, 16) for k in (1, 3, 5, 7, 13, 12345, 99999)]
    halves = [10.0**power * k for power in range(-6, 7) for k in (0.5, 1.5, 2.5, 9.5, 9.99995)]
    edges = [0, 1, 99.95, 999.5, 0.0001, 9.9995e-05, 1e21, 1e22, 123456789, 0.1, 1 / 3]
    shares = random.integers(0, 500, 500) / random.integers(500, 1000, 500)
    found = np.array([*sizes, *ties, *halves, *edges, *shares, *np.round(sizes[:300], 2)])
    return np.concatenate([found, -found]).tolist()


@pytest.mark.parametrize(
    ("function", "same"),
    [
        ("number", text.number),
        ("count", text.count),
        ("amount", text.amount),
        ("threshold", text.threshold),
        ("written", views.written),
        ("share", text.share),
        ("percentOf", values.percent_of),
    ],
)
def test_numbers_are_written_as_the_library_writes_them(page, function, same):
    own = numbers()
    written = ask(page, f"(values) => values.map((value) => Numbers.{function}(value))", own)

    assert written == [same(value) for value in own]


def test_what_is_no_number_is_written_as_the_library_writes_it(page):
    odd = "[NaN, Infinity, -Infinity, -0]"
    functions = ["number", "count", "threshold", "share", "percentOf", "amount"]
    written = ask(
        page,
        f"(names) => names.map((name) => {odd}.map((value) => Numbers[name](value)))",
        functions,
    )
    same = [text.number, text.count, text.threshold, text.share, values.percent_of, text.amount]
    expected = [[write(v) for v in (math.nan, math.inf, -math.inf, -0.0)] for write in same]

    assert written == expected
    assert ask(page, "(values) => values.map((value) => Numbers.rows(value))", [1, 0, 12345]) == [
        text.rows(size) for size in (1, 0, 12345)
    ]


def test_intervals_are_written_as_the_library_writes_them(page):
    own = np.array(numbers())[:1500]
    ends = np.column_stack([own, own * 0.9, own * 1.1]).tolist()
    written = ask(
        page,
        """(all) => all.map(([value, low, high]) =>
            [Numbers.interval(low, high), Numbers.brief({ value, low, high })])""",
        ends,
    )
    estimates = [Estimate("x", value, low=low, high=high) for value, low, high in ends]

    assert written == [[values.interval(e), values.brief(e)] for e in estimates]
    nothing = "() => [Numbers.interval(NaN, 1), Numbers.brief({ value: 0.5, low: NaN, high: NaN })]"
    assert ask(page, nothing, None) == ["", "0.5000"]
