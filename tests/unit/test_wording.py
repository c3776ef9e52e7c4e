"""The user's words for rows and amounts."""

import pytest

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.wording import ROWS, Wording


@pytest.mark.parametrize(
    ("units", "unit"),
    [
        ("customers", "customer"),
        ("companies", "company"),
        ("batches", "batch"),
        ("losses", "loss"),
        ("boxes", "box"),
        ("houses", "house"),
        ("people", "person"),
        ("sheep", "sheep"),
        ("loan applications", "loan application"),
        ("ox/oxen", "ox"),
    ],
)
def test_the_singular_follows_from_the_plural_or_is_given(units, unit):
    assert Wording(units).unit == unit
    assert Wording(units).count(1) == f"1 {unit}"
    assert Wording(units).count(2000) == f"2,000 {Wording(units).units}"


def test_the_default_is_rows_without_a_currency():
    assert (ROWS.count(1), ROWS.count(2), ROWS.amount(1389.4)) == ("1 row", "2 rows", "1,389")


def test_codes_stand_before_a_space_and_symbols_before_the_number():
    assert Wording(currency="EUR").amount(-1194) == "EUR −1,194"
    assert Wording(currency="$").amount(-1194) == "−$1,194"
    assert Wording(currency="US$").amount(0.5) == "US$0.50"


@pytest.mark.parametrize("word", ["", "  ", "a\nb", "x\x1b[31m", "w" * 41])
def test_words_that_do_not_fit_into_a_sentence_are_refused(word):
    with pytest.raises(InputError, match="is a word of 1 to 40 printable characters"):
        Wording(word)


def test_the_words_of_an_evaluation_do_not_change_its_numbers():
    rows = [1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]

    customers = to.evaluate(*rows, unit="customers", currency="EUR")

    assert customers == to.evaluate(*rows)
    assert "4 customers, 2 positive" in str(customers)
    decisions = str(customers.thresholds(costs=to.Costs(fn=2)))
    assert "Expected cost on new data: EUR 0.913 per customer." in decisions
    assert "for every row" not in decisions
    assert "per row" not in decisions
