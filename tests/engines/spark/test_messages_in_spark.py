"""Spark says of rows that break a rule what every other source says."""

import polars as pl
import pytest
from rules_of_rows import NOTES, RULES, VALID_COLUMNS, without_row_numbers

import tradeoff as to

ROLES = {"actual": "y", "score": "p"}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_one_message(both, rule):
    changed, options, message = RULES[rule]
    _, table = both(pl.DataFrame(VALID_COLUMNS | changed))

    with pytest.raises(to.TradeoffError) as problem:
        to.evaluate(table, **ROLES | options)

    assert str(problem.value) == without_row_numbers(message)


@pytest.mark.parametrize("done", NOTES)
def test_what_was_done_has_one_note(both, done):
    changed, options, notes = NOTES[done]
    _, table = both(pl.DataFrame(VALID_COLUMNS | changed))

    assert list(to.evaluate(table, **ROLES | options).ranking.notes) == notes
