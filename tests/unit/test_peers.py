"""Comparison with the values of other programs; `make peers` runs the programs themselves."""

import math
from importlib import import_module

import pytest
from peers.__main__ import TOOLS
from peers.judging import Convention, FailedTest, Verdicts, follows_their_rule, undefined_here

STATED = "| 0/0 | NaN with a reason | scikit-learn 0 and a warning"


def zero_for_undefined(*quantities):
    return Convention("0 where undefined", STATED, frozenset(quantities), undefined_here(0.0))


@pytest.mark.parametrize("name", TOOLS)
def test_every_convention_of_a_program_is_documented(name):
    # A convention that conventions.md does not state cannot be made.
    tool = import_module(f"peers.tools.{name}")

    assert all(convention.quantities for convention in tool.CONVENTIONS)


def test_a_convention_that_is_not_documented_is_refused():
    with pytest.raises(ValueError, match=r"conventions\.md does not say"):
        Convention("as they please", "nobody states this", frozenset({"auc"}), undefined_here(0.0))


def test_numbers_equal_to_nine_digits_or_both_undefined_agree():
    verdicts = Verdicts(())
    verdicts.compare("auc", "rows", [0.5, math.nan, math.inf], [0.5 + 1e-10, math.nan, math.inf])

    assert (verdicts.tried, verdicts.same, verdicts.wrong) == (3, 3, [])


@pytest.mark.parametrize(
    ("ours", "theirs"), [(0.5, 0.5 + 1e-8), (math.nan, 0.5), (0.0, math.nan), (math.inf, 1e300)]
)
def test_a_difference_without_a_convention_is_a_disagreement(ours, theirs):
    verdicts = Verdicts((zero_for_undefined("auc"),))
    verdicts.compare("auc", "rows", ours, theirs)

    assert [(number.ours, number.theirs) for number in verdicts.wrong] == [
        (pytest.approx(ours, nan_ok=True), pytest.approx(theirs, nan_ok=True))
    ]


def test_a_convention_explains_its_own_quantities_only():
    verdicts = Verdicts((zero_for_undefined("precision"),))
    verdicts.compare("precision", "rows", math.nan, 0.0)
    verdicts.compare("recall", "rows", math.nan, 0.0)

    assert verdicts.explained.total() == 1
    assert [number.quantity for number in verdicts.wrong] == ["recall"]


def test_a_convention_by_rule_must_reproduce_the_other_number():
    rule = Convention("0 in averages", STATED, frozenset({"macro"}), follows_their_rule)
    verdicts = Verdicts((rule,))
    verdicts.compare("macro", "rows", 0.75, 0.5, by_their_rule=0.5)
    verdicts.compare("macro", "rows", 0.75, 0.5, by_their_rule=0.6)
    verdicts.compare("macro", "rows", 0.75, 0.5)

    assert (verdicts.explained.total(), len(verdicts.wrong)) == (1, 2)


def test_unused_conventions_are_reported():
    convention = zero_for_undefined("precision")
    verdicts = Verdicts((convention,))
    assert verdicts.unused == [convention]

    verdicts.compare("precision", "rows", math.nan, 0.0)

    assert verdicts.unused == []


def test_arrays_of_different_lengths_disagree():
    verdicts = Verdicts(())
    verdicts.compare("roc_curve fpr", "rows", [0.0, 0.5, 1.0], [0.0, 1.0])

    assert [str(number) for number in verdicts.wrong] == [
        "roc_curve fpr, how many of rows: here 3.0, there 2.0"
    ]


def test_at_most_five_examples_of_each_quantity_are_listed():
    verdicts = Verdicts(())
    verdicts.compare("auc", "rows", [0.0] * 20, [1.0] * 20)
    verdicts.wrong.append(FailedTest("::test_roc", "here 0, there 1"))

    assert [number.quantity for number in verdicts.examples()] == ["auc"] * 5 + ["::test_roc"]
