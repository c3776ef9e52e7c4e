"""Which column holds several classes, and which their scores: inferred only if it is clear."""

import numpy as np
import pytest

from tradeoff.sources.class_roles import example_class_roles, infer_class_roles
from tradeoff.sources.column_summaries import summarize_columns

ROWS = 40
KINDS = ["cat", "dog", "fox", "dog"] * 10
SCORES = (np.arange(ROWS) * 7 % ROWS / ROWS).tolist()
P_SCORES = {"p_cat": SCORES, "p_dog": SCORES, "P_Fox": SCORES}
P_COLUMNS = {"cat": "p_cat", "dog": "p_dog", "fox": "P_Fox"}


def summaries(columns):
    return summarize_columns({name: np.array(column) for name, column in columns.items()})


def inferred(columns, **named):
    return infer_class_roles(summaries(columns), **named)


def test_columns_are_recognized_by_the_names_of_the_classes():
    roles = inferred({"id": range(ROWS), "kind": KINDS, **P_SCORES})

    assert (roles.actual, roles.scores, roles.problem) == ("kind", P_COLUMNS, "")
    assert roles.sentence == "class kind, scores p_cat, p_dog and P_Fox"


def test_classes_may_be_numbers_and_many():
    numbers = [i % 20 for i in range(ROWS)]
    roles = inferred({"digit": numbers} | {f"p{i}": SCORES for i in range(20)})

    assert roles.actual == "digit"
    assert len(roles.scores) == 20


def test_two_classes_are_too_few_if_there_must_be_three():
    columns = {"c": ["no", "yes"] * 20, "p_no": SCORES, "p_yes": SCORES}

    assert inferred(columns).scores == {"no": "p_no", "yes": "p_yes"}
    assert inferred(columns, min_classes=3).actual is None


def test_predictions_are_not_the_actual_class():
    assert inferred({"predicted": KINDS[::-1], "kind": KINDS, **P_SCORES}).actual == "kind"


def test_a_named_class_column_is_kept():
    columns = {"kind": KINDS, "guess": KINDS[::-1], **P_SCORES}

    assert "may be the actual class: 'kind' and 'guess'" in inferred(columns).problem
    assert inferred(columns, actual="guess").scores == P_COLUMNS
    assert inferred({"class": KINDS, "guess": KINDS, **P_SCORES}).actual == "class"


def test_named_scores_show_the_class_column():
    columns = {"kind": KINDS, "side": ["left", "right"] * 20, "a": SCORES, "b": SCORES, "c": SCORES}
    scores = {"cat": "a", "dog": "b", "fox": "c"}

    assert inferred(columns, scores=scores).actual == "kind"
    assert inferred(columns, scores=scores | {"emu": "a"}).actual == "kind"
    assert inferred(columns, scores={"cat": "a", "dog": "b"}).problem == (
        "No column holds only 'cat' and 'dog'."
    )


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        (
            P_SCORES | {f"q_{kind}": SCORES for kind in P_COLUMNS},
            "Several columns of scores are named after each class of 'kind', such as 'p_cat'",
        ),
        (
            {"p_cat": SCORES, "p_dog": SCORES},
            "'fox' of 'kind' has no column of scores, such as 'p_cat' for 'cat'.",
        ),
        (
            P_SCORES | {"p_emu": [0.0] * ROWS},
            "'p_emu' is named like the scores of 'kind', which holds no 'emu': name the columns",
        ),
        (
            {"x": SCORES, "p_cat": SCORES},
            "'kind' holds 'cat', 'dog' and 'fox', but no columns of numbers are named after",
        ),
    ],
)
def test_what_is_unclear_is_said(columns, problem):
    assert inferred({"kind": KINDS, **columns}).problem.startswith(problem)


def test_a_column_of_another_range_is_no_score_of_a_further_class():
    assert inferred({"kind": KINDS, **P_SCORES, "p_age": range(ROWS)}).problem == ""


def test_without_classes_nothing_is_inferred():
    roles = inferred({"c": ["no", "yes"] * 20, "p": SCORES})

    assert roles.problem == (
        "No column holds three or more classes that columns of numbers are named after."
    )


@pytest.mark.parametrize(
    ("columns", "example"),
    [
        ({"p_cat": SCORES, "p_dog": SCORES}, {"cat": "p_cat", "dog": "p_dog", "fox": "COLUMN"}),
        ({"x": SCORES}, dict.fromkeys(P_COLUMNS, "COLUMN")),
    ],
)
def test_an_example_has_a_place_for_each_score(columns, example):
    table = summaries({"kind": KINDS, **columns})

    assert example_class_roles(infer_class_roles(table), table) == ("kind", example)


def test_an_example_without_classes_has_places_only():
    table = summaries({"p": SCORES})

    assert example_class_roles(infer_class_roles(table), table) == ("COLUMN", {"CLASS": "COLUMN"})
