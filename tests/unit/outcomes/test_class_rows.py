"""Rows of a cell of a k × k matrix."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.errors import InputError

RNG = np.random.default_rng(2)
KINDS = np.array(["cat", "dog", "fox"])
ACTUAL = KINDS[RNG.integers(0, 3, 300)]
SCORES = {name: RNG.random(300) + 0.4 * (name == ACTUAL) for name in KINDS.tolist()}
PREDICTED = KINDS[np.argmax(list(SCORES.values()), axis=0)]


def test_a_cell_lists_the_closest_errors_first():
    rows = to.class_rows(ACTUAL, SCORES, actual_class="cat", predicted_class="dog", nearest=None)

    cell = np.flatnonzero((ACTUAL == "cat") & (PREDICTED == "dog"))
    margins = SCORES["dog"][cell] - SCORES["cat"][cell]
    order = np.argsort(margins)
    assert rows.columns()["row"].tolist() == (cell[order] + 1).tolist()
    assert rows.columns()["margin"] == pytest.approx(margins[order])


@pytest.mark.parametrize(
    ("cell", "mask"),
    [
        ({}, ACTUAL != PREDICTED),
        ({"actual_class": "fox"}, (ACTUAL == "fox") & (PREDICTED != "fox")),
        ({"predicted_class": "fox"}, PREDICTED == "fox"),
        (
            {"actual_class": "fox", "predicted_class": "fox"},
            (ACTUAL == "fox") & (PREDICTED == "fox"),
        ),
    ],
)
def test_scores_and_predicted_labels_give_the_same_rows(cell, mask):
    by_scores = to.class_rows(ACTUAL, SCORES, **cell, nearest=None)
    by_labels = to.class_rows(actual=ACTUAL, predicted=PREDICTED, **cell, nearest=None)

    assert sorted(by_scores.columns()["row"].tolist()) == (np.flatnonzero(mask) + 1).tolist()
    assert by_labels.columns()["row"].tolist() == (np.flatnonzero(mask) + 1).tolist()


def test_rows_without_a_score_keep_the_numbers_of_the_others():
    scores = {"a": [0.1, None, 0.2], "b": [0.9, 0.5, 0.8]}

    rows = to.class_rows(["a", "a", "a"], scores, missing="drop")

    assert rows.columns()["row"].tolist() == [3, 1]


def test_an_unknown_class_names_the_known_ones():
    with pytest.raises(InputError, match="There is no class 'wolf'"):
        to.class_rows(ACTUAL, SCORES, actual_class="wolf")


def test_a_missing_label_is_an_error():
    with pytest.raises(InputError, match="1 of 2 rows without a class in 'predicted'"):
        to.class_rows(actual=["a", "b"], predicted=["a", None])
