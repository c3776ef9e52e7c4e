"""Which columns a gate compares: the baseline is never guessed, and rows are joined on an ID."""

import numpy as np
import pandas as pd
import pytest

from tradeoff.sources.gate_roles import infer_gate_roles, infer_joined_roles
from tradeoff.sources.table_summary import summarize_table
from tradeoff.sources.unclear_roles import UnclearRoles

ROWS = 40
CLASSES = [0, 1, 1, 0] * 10
WORDS = ["no", "yes", "yes", "no"] * 10
SCORES = (np.arange(ROWS) * 7 % ROWS / ROWS).tolist()
IDS = (np.arange(ROWS) * 13 % 997).tolist()


def table(**columns):
    return summarize_table(pd.DataFrame(columns))


def problem(function, *arguments, **options):
    with pytest.raises(UnclearRoles) as error:
        function(*arguments, **options)
    return error.value


@pytest.mark.parametrize(
    ("names", "models"),
    [
        (("p_old", "p_new"), ("p_old", "p_new")),
        (("p new", "p old"), ("p old", "p new")),
        (("challenger", "Champion"), ("Champion", "challenger")),
    ],
)
def test_words_show_which_model_is_the_baseline(names, models):
    gate = infer_gate_roles(table(y=CLASSES, **dict.fromkeys(names, SCORES)))

    assert (gate.roles.actual, gate.roles.scores) == ("y", models)
    assert gate.sentence == (
        f"class y (1 is positive), baseline {models[0]}, candidate {models[1]}"
    )


@pytest.mark.parametrize(
    "names", [("a", "b"), ("p_old", "p_b"), ("old", "new", "c"), ("a", "bold")]
)
def test_without_them_the_baseline_is_asked_for(names):
    error = problem(infer_gate_roles, table(y=CLASSES, **dict.fromkeys(names, SCORES)))

    assert error.roles.problem.endswith("name two of them, that of the baseline first.")


def test_all_that_is_unclear_is_said_at_once():
    error = problem(infer_gate_roles, table(y=WORDS, a=SCORES, b=SCORES))

    assert "that of the baseline first. 'y' holds 'no' and 'yes'. Which one" in error.roles.problem


def test_named_scores_are_kept_in_their_order():
    gate = infer_gate_roles(table(y=CLASSES, new=SCORES, old=SCORES), scores=["new", "old"])

    assert gate.roles.scores == ("new", "old")


def test_one_model_has_limits():
    single, several = table(y=CLASSES, p=SCORES), table(y=CLASSES, p_a=SCORES, p_b=SCORES)
    error = problem(infer_gate_roles, single)

    assert "only 'p' could be a score" in error.roles.problem
    assert error.flags == ("--at-least", "auc=0.8")
    assert infer_gate_roles(single, has_baseline=False).sentence == (
        "class y (1 is positive), score p"
    )
    assert "name that of the model" in str(problem(infer_gate_roles, several, has_baseline=False))


def test_two_tables_are_joined_on_the_id_that_both_have():
    old, new = table(id=IDS, y=CLASSES, p=SCORES), table(id=IDS[::-1], y=CLASSES, p=SCORES)
    gate = infer_joined_roles(old, new)

    assert gate.sentence == "class y (1 is positive), score p, rows joined on id"
    assert infer_joined_roles(old, new, on="id").on == "id"


@pytest.mark.parametrize(
    "columns",
    [{}, {"key": IDS}, {"id": [1, 1] * 20}, {"id": [float("nan"), *IDS[1:]]}, {"n": range(ROWS)}],
)
def test_without_such_an_id_they_are_not(columns):
    old = table(id=IDS, n=range(ROWS), y=CLASSES, p=SCORES)

    assert infer_joined_roles(old, table(y=CLASSES, p=SCORES, **columns)).on is None


def test_two_such_ids_are_asked_for():
    old = table(patient_id=IDS, row_id=IDS, y=CLASSES, p=SCORES)
    error = problem(infer_joined_roles, old, old)

    assert error.roles.problem == (
        "'patient_id' and 'row_id' may identify the rows: name one of them, --on."
    )
    assert error.flags == ("--on", "patient_id")


def test_the_candidate_may_call_its_score_otherwise():
    old, new = table(y=CLASSES, p=SCORES), table(y=CLASSES, q=SCORES)

    assert infer_joined_roles(old, new).roles.scores == ("p", "q")
    assert infer_joined_roles(old, new, candidate_score="q").roles.scores == ("p", "q")


def test_a_score_of_the_same_name_is_that_of_both():
    old = table(y=CLASSES, p_a=SCORES, p_b=SCORES)
    new = table(y=CLASSES, p_c=SCORES, p_b=SCORES)

    assert infer_joined_roles(old, new).roles.scores == ("p_b", "p_b")
    assert "'p_a' and 'p_b' may be scores" in str(problem(infer_joined_roles, old, old))


def test_the_class_has_the_same_name_in_both():
    old, new = table(id=IDS, y=CLASSES, p=SCORES), table(id=IDS, churned=CLASSES, p=SCORES)
    error = problem(infer_joined_roles, old, new)

    assert error.roles.problem == (
        "'y', the class in the table, is no column of the table: give both columns the same name."
    )
    assert error.flags == ("--on", "id")


def test_the_positive_class_of_words_is_never_guessed():
    old = table(y=WORDS, p=SCORES)

    assert "Which one is positive?" in str(problem(infer_joined_roles, old, old))
    assert infer_joined_roles(old, old, positive="yes").roles.positive == "yes"
