"""Costs of decisions in words."""

import tradeoff as to
from tradeoff.core.costs import matrix_expenses
from tradeoff.views.costs import expenses_section
from tradeoff.wording import Wording

MATRIX = to.ConfusionMatrix(7, 2, 4, 1, positive="yes", negative="no")


def test_costs_are_those_of_the_decisions_and_of_trivial_ones():
    outlay = matrix_expenses(MATRIX, to.Costs(fp=1, fn=5))

    section = expenses_section(outlay, MATRIX, "these decisions", Wording("cases", "EUR"))

    assert section.lines == (
        "On these data, this costs EUR 0.6429 per case more than predicting yes for every case.",
    )
    assert section.table[0] == ("", "per case", "per 1,000", "in total")
    assert [(row[0], row[3]) for row in section.table[1:4]] == [
        ("these decisions", "EUR 14"),
        ("predict all yes", "EUR 5"),
        ("predict all no", "EUR 45"),
    ]


def test_the_default_words_are_rows_without_a_currency():
    section = expenses_section(matrix_expenses(MATRIX, to.Costs(fp=1, fn=5)), MATRIX)

    assert section.table[0][1] == "per row"
    assert section.table[1][0] == "at this threshold"
    assert section.table[-1][0] == "all rows correct"
