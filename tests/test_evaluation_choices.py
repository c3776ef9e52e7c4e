"""How sure to be, at which prevalence and where: decided once, when rows are evaluated."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from command_line import SAH

import tradeoff as to
from tradeoff.cli import main

RANDOM = np.random.default_rng(3)
ACTUAL = RANDOM.random(300) < 0.3
SCORE = 1 / (1 + np.exp(1 - RANDOM.normal(size=300) - 1.5 * ACTUAL))
ROWS = {"actual": ACTUAL, "score": SCORE}
E = to.evaluate(**ROWS)


def test_a_prevalence_holds_for_all_that_is_asked():
    rare, weighed = to.evaluate(**ROWS, prevalence=0.05), E.at_prevalence(0.05)

    for name in ("precision", "lift", "negative_predictive_value"):
        assert rare.metric(name).value == weighed.metric(name).value
    assert rare.summary("average_precision").value == weighed.summary("average_precision").value
    assert rare.curve("precision_recall") == weighed.curve("precision_recall")
    assert rare.chart("precision_recall") == weighed.chart("precision_recall")
    costs = to.Costs(false_negative=5)
    assert rare.best(costs=costs) == E.best(costs=costs, prevalence=0.05)
    assert rare.expenses(costs=costs) == E.expenses(costs=costs, prevalence=0.05)
    assert rare.estimate("precision", at=("fpr", 0.1)) == E.estimate(
        "precision", at=("fpr", 0.1), prevalence=0.05
    )


def test_counts_stay_as_they_were_seen():
    assert to.evaluate(**ROWS, prevalence=0.05).at(0.5) == E.at(0.5)


def test_a_threshold_is_the_one_that_is_not_named():
    low = to.evaluate(**ROWS, threshold=0.2)

    assert low.at() == E.at(0.2)
    assert low.metric("recall") == E.metric("recall", 0.2)
    assert low.to_dict() == E.to_dict(0.2)
    assert str(low) != str(E)


def test_choices_about_intervals_hold_until_others_are_made():
    wide = to.evaluate(**ROWS, level=0.99, sampling="by class")

    assert wide.auc == E.summary("auc", level=0.99, sampling="by class")
    assert wide.summary("auc", level=0.95, sampling="random") == E.auc
    assert not to.evaluate(**ROWS, level=None).auc.has_interval
    assert to.evaluate(**ROWS, level=None).summary("auc", level=0.95) == E.auc


def test_a_model_of_several_keeps_the_choices():
    both = to.evaluate(actual=ACTUAL, score={"a": SCORE, "b": -SCORE}, level=0.8, threshold=0.3)

    assert both["a"].auc.level == 0.8
    assert both["a"].at() == E.at(0.3)


@pytest.mark.parametrize(
    ("options", "choices"),
    [
        ([], {}),
        (["--prevalence", "0.1"], {"prevalence": 0.1}),
        (["--threshold", "0.2", "--level", "0.9"], {"threshold": 0.2, "level": 0.9}),
        (["--no-intervals"], {"level": None}),
        (
            ["--sampling", "by-class", "--method", "jeffreys"],
            {"sampling": "by class", "method": "jeffreys"},
        ),
    ],
)
def test_python_says_what_the_command_prints(options, choices):
    e = to.evaluate(SAH[0], actual="poor", score="s100b", **choices)
    text = CliRunner().invoke(main, ["evaluate", *SAH, *options]).output
    document = CliRunner().invoke(main, ["evaluate", *SAH, *options, "--format", "json"]).output

    assert f"{e}\n" == text
    assert json.loads(document) == json.loads(json.dumps(e.to_dict()))


def test_python_says_what_the_other_commands_print():
    e = to.evaluate(SAH[0], actual="poor", score="s100b")
    both = to.compare(SAH[0], actual="poor", score=["s100b", "ndka"])

    def printed(*command):
        return CliRunner().invoke(main, list(command)).output

    assert printed("threshold", *SAH) == f"{e.thresholds()}\n"
    assert printed("compare", *SAH, "--score", "ndka") == f"{both}\n"
    assert printed("hull", *SAH) == f"{e.hull()}\n"
    assert printed("check", *SAH) == f"{to.check(SAH[0], actual='poor', score='s100b')}\n"
    assert printed("curve", *SAH, "--format", "text") == f"{e.curve_estimate('roc')}\n"
