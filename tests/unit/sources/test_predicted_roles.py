"""Of which column predicted classes are the predictions: inferred only if one has their values."""

import numpy as np
import pytest

from tradeoff.sources.column_summaries import summarize_columns
from tradeoff.sources.predicted_roles import infer_multiclass_predictions, infer_predicted_roles

CLASSES = [0, 1, 1, 0] * 10
WORDS = ["no", "yes", "yes", "no"] * 10
KINDS = ["cat", "dog", "fox", "dog"] * 10
SIDES = ["left", "right"] * 20


def summaries(columns):
    return summarize_columns({name: np.array(column) for name, column in columns.items()})


def inferred(columns, predicted=("m",), **named):
    return infer_predicted_roles(summaries(columns), predicted, **named)


def test_the_class_is_the_column_with_the_values_of_the_predictions():
    roles = inferred({"side": SIDES, "c": CLASSES, "m": CLASSES[::-1], "age": range(40)})

    assert (roles.actual, roles.positive, roles.problem) == ("c", "1", "")
    assert roles.sentence == "class c (1 is positive), predicted class m"


def test_values_that_agree_are_preferred_to_others_beside_them():
    assert inferred({"children": [0, 1, 2, 0] * 10, "c": CLASSES, "m": CLASSES}).actual == "c"
    assert inferred({"c": CLASSES, "m": [1] * 40, "side": SIDES}).actual == "c"


def test_values_may_be_written_in_another_way():
    columns = {"c": CLASSES, "m": [bool(c) for c in CLASSES], "side": SIDES}

    assert inferred(columns).actual == "c"
    assert inferred({"c": WORDS, "m": ["Yes", "No"] * 20}).actual == "c"  # the message follows


def test_undecided_predictions_are_no_class():
    columns = {"c": WORDS, "m": ["no", "yes", "?", "no"] * 10, "side": SIDES}

    assert inferred(columns, rejected="?", positive="yes").actual == "c"


def test_the_positive_class_of_words_is_never_guessed():
    columns = {"c": WORDS, "m": WORDS}

    assert "Which one is positive?" in inferred(columns).problem
    assert inferred(columns, needs_positive=False).problem == ""
    assert inferred(columns, positive="yes").problem == ""


def test_more_classes_need_no_positive_one():
    roles = inferred({"kind": KINDS, "k": KINDS, "l": KINDS[::-1]}, ("k", "l"))

    assert (roles.actual, roles.problem) == ("kind", "")
    assert roles.sentence == "class kind, predicted classes k and l"


def test_several_candidates_are_listed_unless_one_has_a_usual_name():
    columns = {"c": CLASSES, "smoker": CLASSES, "m": CLASSES}

    assert inferred(columns).problem == (
        "Several columns may hold the actual class of 'm': 'c' and 'smoker'."
    )
    assert inferred({"outcome": CLASSES, **columns}).actual == "outcome"
    assert inferred({"c": WORDS, "d": SIDES, "m": ["a", "b"] * 20}, positive="yes").actual == "c"


def test_without_candidates_nothing_is_inferred():
    roles = inferred({"kind": KINDS, "m": CLASSES})

    assert (roles.actual, roles.problem) == (None, "No column holds the classes that 'm' predicts.")


def test_a_named_class_is_kept():
    assert inferred({"c": CLASSES, "d": CLASSES, "m": CLASSES}, actual="d").actual == "d"


@pytest.mark.parametrize("kinds", [KINDS, [1, 2, 3, 2] * 10])
def test_predictions_of_three_classes_are_recognized_by_name(kinds):
    roles = infer_multiclass_predictions(summaries({"kind": kinds, "predicted": kinds[::-1]}))

    assert (roles.actual, roles.predicted) == ("kind", ("predicted",))
    assert infer_multiclass_predictions(summaries({"kind": kinds, "other": kinds})) is None
    assert infer_multiclass_predictions(summaries({"c": WORDS, "predicted": WORDS})) is None
