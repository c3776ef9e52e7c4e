"""Arguments of public functions: by position, by name, misspelt, short and long."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import tradeoff as to

ACTUAL = [0, 0, 1, 0, 1, 1]
SCORES = {"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, 6, 5, 4, 3]}


def test_arrays_can_be_passed_by_position_or_by_name():
    by_name = to.evaluate(actual=ACTUAL, score=SCORES["a"])
    assert to.evaluate(ACTUAL, SCORES["a"]) == by_name
    assert to.evaluate(ACTUAL, score=SCORES["a"]) == by_name
    assert to.evaluate(pd.DataFrame({"y": ACTUAL}), SCORES["a"]).auc == by_name.auc
    assert to.compare(ACTUAL, SCORES) == to.compare(actual=ACTUAL, score=SCORES)
    classes, scores = ["a", "b", "a"], {"a": [0.7, 0.2, 0.4], "b": [0.3, 0.8, 0.6]}
    assert to.evaluate_classes(classes, scores) == to.evaluate_classes(actual=classes, score=scores)


def test_column_names_can_be_passed_by_position():
    table = pd.DataFrame({"y": ACTUAL, **SCORES})
    assert to.evaluate(table, "a", actual="y") == to.evaluate(table, actual="y", score="a")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: to.evaluate(ACTUAL), "There are no scores"),
        (lambda: to.evaluate(score=SCORES["a"]), "no actual classes"),
        (lambda: to.evaluate(pd.DataFrame({"y": ACTUAL}), score="p"), "no column 'p'"),
        (lambda: to.evaluate("rows.csv", score=["p", "q"]), "no file 'rows.csv'"),
        (lambda: to.compare("rows.csv", SCORES), "no actual classes"),
    ],
)
def test_missing_arguments_are_named(call, message):
    with pytest.raises(to.TradeoffError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: to.evaluate(ACTUAL, SCORES["a"], positve=1), "evaluate.*'positve'.*'positive'"),
        (lambda: to.compare(ACTUAL, SCORES, pos_label=1), "compare.*'pos_label'.*'positive'"),
        (lambda: to.auc(ACTUAL, SCORES["a"], sample_weight=ACTUAL), "auc.*'weight'"),
        (lambda: to.Costs(false_postive=1), r"^Costs\(\) has no .*'false_positive'"),
        (lambda: to.evaluate(ACTUAL, SCORES["a"], zzz=1), "Its arguments are 'data', 'score'"),
    ],
)
def test_a_misspelt_argument_names_the_right_one(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_a_type_error_of_the_input_is_quoted():
    class Odd:
        def __len__(self):
            raise TypeError("from inside")

        __array__ = __iter__ = __len__

    with pytest.raises(to.TradeoffError, match=r"\(from inside\): pass a NumPy array or a list"):
        to.auc(Odd(), [1, 2])


def test_short_and_long_names_of_costs_are_the_same():
    short = to.Costs(fp=1, fn=5, tp=-2, tn=-1, rp=3, rn=4)
    assert short == to.Costs(
        false_positive=1,
        false_negative=5,
        true_positive=-2,
        true_negative=-1,
        rejected_positive=3,
        rejected_negative=4,
    )
    assert to.Costs(1, 5) == to.Costs(fp=1, fn=5) == to.Costs(fn=5)
    assert dataclasses.replace(short, fixed=2).false_negative == 5
    assert to.Costs(contact=1, tp=-3).false_negative == 0
    assert to.Costs(fn=np.array([1.0, 2.0])).columns.keys() == {"false_negative"}
    with pytest.raises(to.TradeoffError, match="false_negative and fn are the same cost"):
        to.Costs(false_negative=5, fn=5)
