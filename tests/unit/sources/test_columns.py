"""Columns are matched by position: values without a row order are rejected."""

from array import array
from collections import deque

import numpy as np
import pandas as pd
import pytest

import tradeoff as to
from tradeoff.errors import InputError

ROWS = [1, 0, 1, 0]
UNORDERED = {
    "set": ({0.9, 0.1, 0.4, 0.6}, "is a set, which has no row order: pass a list."),
    "frozenset": (frozenset([1, 2, 3, 4]), "is a frozenset, which has no row order"),
    "dict": (dict(enumerate(ROWS)), "is a dict, which has no row order"),
    "keys": (dict(enumerate(ROWS)).keys(), "is a dict_keys, which has no row order"),
    "values": (dict(enumerate(ROWS)).values(), "is a dict_values, which has no row order"),
    "text": ("1010", "is '1010', not one value per row: pass a list, or the table"),
    "bytes": (b"1010", "is b'1010', not one value per row: pass a list, or the table"),
    "bytearray": (bytearray(b"1010"), "not one value per row: pass a list, or the table"),
    "generator": ((row for row in ROWS), "is a generator, which can be read only once"),
    "map": (map(int, ROWS), "is a map, which can be read only once: pass a list."),
}


@pytest.mark.parametrize(("values", "reason"), UNORDERED.values(), ids=UNORDERED)
@pytest.mark.parametrize(
    ("role", "call"),
    [
        ("actual", lambda values: to.auc(values, ROWS)),
        ("score", lambda values: to.auc(ROWS, values)),
        ("weight", lambda values: to.auc(ROWS, ROWS, weight=values)),
        ("actual", lambda values: to.evaluate(actual=values, score=ROWS)),
        ("model", lambda values: to.evaluate(actual=ROWS, score={"model": values})),
        ("fold", lambda values: to.evaluate(actual=ROWS, score=ROWS, fold=values)),
        ("cluster", lambda values: to.evaluate(actual=ROWS, score=ROWS, cluster=values)),
        ("predicted", lambda values: to.confusion_matrix(ROWS, values)),
        ("actual", lambda values: to.confusion_matrix(values, ROWS)),
        ("actual", lambda values: to.check(actual=values, score=ROWS)),
        (
            "score['0']",
            lambda values: to.evaluate_classes(actual=ROWS, score={0: values, 1: ROWS}),
        ),
    ],
)
def test_values_without_a_row_order_are_rejected(role, call, values, reason):
    with pytest.raises(InputError) as problem:
        call(values)

    assert str(problem.value).startswith(f"`{role}` is ")
    assert reason in str(problem.value)


@pytest.mark.parametrize("classes", [{"a", "b"}, frozenset("ab"), "ab"])
def test_the_classes_of_a_score_table_must_be_ordered(classes):
    with pytest.raises(InputError, match="`classes` must be a list of classes, not "):
        to.evaluate_classes(actual=["a", "b"], score=[[0.9, 0.1], [0.2, 0.8]], classes=classes)


@pytest.mark.parametrize("kind", [list, tuple, np.array, deque, lambda v: array("d", v)])
def test_ordered_containers_are_columns(kind):
    assert to.auc(ROWS, kind([0.9, 0.1, 0.4, 0.6])) == 0.75


PATIENTS = pd.Series(ROWS, index=["p1", "p2", "p3", "p4"])
SHUFFLED = pd.Series([0.9, 0.1, 0.4, 0.6], index=["p3", "p1", "p2", "p4"], name="p")


@pytest.mark.parametrize(
    "call",
    [
        lambda: to.auc(PATIENTS, SHUFFLED),
        lambda: to.evaluate(actual=PATIENTS, score=SHUFFLED),
        lambda: to.compare(actual=PATIENTS, score={"a": PATIENTS, "p": SHUFFLED}),
        lambda: to.evaluate(actual=PATIENTS, score=ROWS, fold=SHUFFLED),
        lambda: to.evaluate(actual=PATIENTS, score=ROWS, cluster=SHUFFLED),
        lambda: to.auc(PATIENTS, ROWS, weight=SHUFFLED),
        lambda: to.confusion_matrix(PATIENTS, SHUFFLED > 0.5),
        lambda: to.evaluate_classes(actual=PATIENTS, score={0: SHUFFLED, 1: PATIENTS}),
        lambda: to.evaluate_classes(
            actual=PATIENTS, score=SHUFFLED.to_frame().assign(q=0.5), classes=[0, 1]
        ),
        lambda: to.check(actual=PATIENTS, score=SHUFFLED),
    ],
)
def test_series_whose_indices_differ_are_never_paired_by_position(call):
    # The AUC would be 0.75 by position, but 0.5 by label (scores 0.1, 0.4, 0.9 and 0.6).
    with pytest.raises(InputError, match=r"differ, first in row 1 \('p1' and 'p3'\)"):
        call()


def test_series_can_be_paired_by_index_or_by_position():
    assert to.auc(PATIENTS, SHUFFLED.reindex(PATIENTS.index)) == 0.5
    assert to.auc(PATIENTS, SHUFFLED.to_numpy()) == 0.75
    assert to.auc(PATIENTS, SHUFFLED.tolist()) == 0.75


def test_the_advice_on_different_indices_is_valid_code():
    with pytest.raises(InputError) as problem:
        to.auc(PATIENTS, SHUFFLED)

    assert str(problem.value) == (
        "The indices of `actual` and `score` differ, first in row 1 ('p1' and 'p3'): align them, "
        "as in score.reindex(actual.index), or pass score.to_numpy() if the rows already "
        "correspond by position."
    )


def test_shuffled_rows_and_new_scores_are_not_paired_by_label():
    # The model scored shuffled rows in that order, so only the positions correspond.
    actual = pd.Series(ROWS).iloc[[2, 0, 3, 1]]
    score = pd.Series([0.9, 0.8, 0.2, 0.1])

    with pytest.raises(InputError, match=r"first in row 1 \(2 and 0\)"):
        to.auc(actual, score)
    assert to.auc(actual, score.to_numpy()) == 1


def test_equal_indices_of_different_types_match():
    labels = pd.Index([0, 1, 2, 3])

    assert to.auc(pd.Series(ROWS), pd.Series([0.9, 0.1, 0.4, 0.6], index=labels)) == 0.75


def test_series_of_different_lengths_are_rejected():
    with pytest.raises(InputError, match="must have the same length"):
        to.auc(PATIENTS, SHUFFLED.iloc[:3])
