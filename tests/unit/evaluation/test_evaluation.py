"""Defaults of an evaluation: interval options, prevalence and threshold."""

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


def test_the_prevalence_of_an_evaluation_applies_to_all_its_results():
    rare, reweighted = to.evaluate(**ROWS, prevalence=0.05), E.at_prevalence(0.05)

    for name in ("precision", "lift", "negative_predictive_value"):
        assert rare.metric(name).value == reweighted.metric(name).value
    assert rare.summary("average_precision").value == reweighted.summary("average_precision").value
    assert rare.curve("precision_recall") == reweighted.curve("precision_recall")
    assert rare.chart("precision_recall") == reweighted.chart("precision_recall")
    costs = to.Costs(false_negative=5)
    assert rare.best(costs=costs) == E.best(costs=costs, prevalence=0.05)
    assert rare.expenses(costs=costs) == E.expenses(costs=costs, prevalence=0.05)
    assert rare.estimate("precision", at=("fpr", 0.1)) == E.estimate(
        "precision", at=("fpr", 0.1), prevalence=0.05
    )


def test_a_prevalence_does_not_change_the_counts():
    assert to.evaluate(**ROWS, prevalence=0.05).at(0.5) == E.at(0.5)


def test_the_threshold_of_an_evaluation_is_the_default_of_its_methods():
    low = to.evaluate(**ROWS, threshold=0.2)

    assert low.at() == E.at(0.2)
    assert low.metric("recall") == E.metric("recall", 0.2)
    assert low.to_dict() == E.to_dict(0.2)
    assert str(low) != str(E)


def test_interval_options_of_an_evaluation_are_defaults_of_its_methods():
    wide = to.evaluate(**ROWS, level=0.99, sampling="by class")

    assert wide.auc == E.summary("auc", level=0.99, sampling="by class")
    assert wide.summary("auc", level=0.95, sampling="random") == E.auc
    assert not to.evaluate(**ROWS, level=None).auc.has_interval
    assert to.evaluate(**ROWS, level=None).summary("auc", level=0.95) == E.auc


def test_one_of_several_models_keeps_the_options():
    both = to.evaluate(actual=ACTUAL, score={"a": SCORE, "b": -SCORE}, level=0.8, threshold=0.3)

    assert both["a"].auc.level == 0.8
    assert both["a"].at() == E.at(0.3)


@pytest.mark.parametrize(
    ("options", "arguments"),
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
def test_an_evaluation_prints_like_the_evaluate_command(options, arguments):
    e = to.evaluate(SAH[0], actual="poor", score="s100b", **arguments)
    text = CliRunner().invoke(main, ["evaluate", *SAH, *options], env={"COLUMNS": "100"}).output
    document = CliRunner().invoke(main, ["evaluate", *SAH, *options, "--format", "json"]).output

    assert text.startswith(f"{e}\n")
    assert json.loads(document) == json.loads(json.dumps(e.to_dict()))


def test_results_print_like_their_commands():
    e = to.evaluate(SAH[0], actual="poor", score="s100b")
    both = to.compare(SAH[0], actual="poor", score=["s100b", "ndka"])

    def output(*command):
        return CliRunner().invoke(main, list(command), env={"COLUMNS": "100"}).output

    assert output("threshold", *SAH).startswith(f"{e.thresholds()}\n")
    assert output("compare", *SAH, "--score", "ndka").startswith(f"{both}\n\n")
    assert output("hull", *SAH).startswith(f"{e.hull()}\n\n")
    checked = to.check(SAH[0], actual="poor", score="s100b")
    assert output("check", *SAH).startswith(f"{checked}\n\n")
    assert output("curve", *SAH, "--format", "text") == f"{e.curve_estimate('roc')}\n"
