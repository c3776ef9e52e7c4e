"""The simulated data sets: reproducible, and of the shape that such files have."""

import pytest

import tradeoff as to
from tradeoff.data.generate import GENERATED, csv_text
from tradeoff.data.registry import FOLDER, GENERATED_SOURCE


@pytest.mark.parametrize("name", GENERATED)
def test_the_files_are_those_that_the_script_writes(name):
    assert (FOLDER / f"{name}.csv").read_text() == csv_text(list(GENERATED[name]()))
    assert to.datasets[name].source == GENERATED_SOURCE


def test_a_fifth_of_the_customers_leave_and_one_model_is_clearly_better():
    models = to.compare(
        to.datasets["churn"], actual="churned", positive="yes", score=["logistic", "boosting"]
    )
    difference = models.difference("logistic", "boosting")
    e = to.evaluate(to.datasets["churn"], actual="churned", positive="yes", score="logistic")

    assert 0.2 < e.metric("prevalence").value < 0.25
    assert 0.75 < e.auc.value < 0.85
    assert difference.low > 0.05


def test_few_customers_order():
    e = to.evaluate(to.datasets["mailing"], actual="responded", score="score")

    assert 0.04 < e.metric("prevalence").value < 0.07
    assert 0.65 < e.auc.value < 0.75


def test_the_probabilities_of_the_three_classes_add_up_to_one():
    triage = to.datasets["triage"]
    columns = ["p_home", "p_ward", "p_icu"]
    totals = sum(triage[column] for column in columns)
    scores = {column[2:]: triage[column] for column in columns}

    assert totals == pytest.approx(1)
    assert 0.8 < to.evaluate_classes(actual=triage["actual"], score=scores).area().value < 0.9
