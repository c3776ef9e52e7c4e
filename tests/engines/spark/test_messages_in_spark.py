"""Spark says of rows that break a rule what every other source says."""

import polars as pl
import pytest
from rules_of_rows import GOOD, NOTES, RULES, without_numbers

import tradeoff as to

ROLES = {"actual": "y", "score": "p"}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_one_message(both, rule):
    changed, options, message = RULES[rule]
    _, table = both(pl.DataFrame(GOOD | changed))

    with pytest.raises(to.TradeoffError) as problem:
        to.evaluate(table, **ROLES | options)

    assert str(problem.value) == without_numbers(message)


@pytest.mark.parametrize("done", NOTES)
def test_what_was_done_has_one_note(both, done):
    changed, options, notes = NOTES[done]
    _, table = both(pl.DataFrame(GOOD | changed))

    assert list(to.evaluate(table, **ROLES | options).ranking.notes) == notes
