"""Tables and sentences as text."""

import pytest

from tradeoff.formatting import display_width, format_percent, format_table

TABLE = [
    ("tool", "value", "why"),
    ("a long name of a measure", "0.7314", "it counts each tie as one half, as the trapezoid does"),
]


def test_sentences_that_do_not_fit_beside_a_table_follow_below_its_rows():
    wide = format_table(TABLE, prose_last=True)
    narrow = format_table(TABLE, prose_last=True, width=40)

    assert wide[1].endswith("0.7314  it counts each tie as one half, as the trapezoid does")
    assert narrow[2:] == [
        "a long name of a measure  0.7314",
        "    it counts each tie as one half, as",
        "    the trapezoid does",
    ]


def test_no_line_of_a_table_is_wider_than_asked_for():
    for width in range(40, 120):
        lines = format_table(TABLE, prose_last=True, width=width)
        assert max(map(display_width, lines)) <= width


@pytest.mark.parametrize(
    ("proportion", "text"),
    [
        (0.9996, "99.96%"),
        (0.99999999, "99.999999%"),
        (1.0004, "100.04%"),
        (0.9994, "99.9%"),
        (0.1 + 0.2 + 0.7 - 1e-16, "100%"),
        (4e-6, "0.0004%"),
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
