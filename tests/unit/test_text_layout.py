"""Tables keep to the width that is asked for."""

from tradeoff.text_layout import display_width, format_table

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
