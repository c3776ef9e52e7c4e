"""The command line on segments."""

import csv
import io
import json

import pytest
from click.testing import CliRunner
from command_line import SAH

from tradeoff.cli import main
from tradeoff.cli.program import COMMANDS

BY = [*SAH, "--segment", "gender", "--threshold", "0.3"]


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setitem(COMMANDS, "segments", ("segments", "Each part of the population."))

    def running(*arguments):
        done = CliRunner().invoke(main, ["segments", *arguments])
        return done.exit_code, done.output

    return running


def test_the_worst_segment_and_the_largest_gap_are_named(run):
    code, out = run(*BY, "--metric", "auc")
    assert code == 0
    first = [line.split()[0] for line in out.splitlines() if line]
    assert out.startswith("AUC by segment, worst first\n  The largest gap, 0.0527, is between ")
    assert first.index("Female") < first.index("Male")
    assert "The largest gap, 0.0527, is between Male and Female" in out
    assert "it is not significant" in out


def test_by_default_three_metrics_are_shown(run):
    _, out = run(*BY, "--format", "json")
    names = [metric["metric"] for metric in json.loads(out)["metrics"]]
    rates = ["true_positive_rate", "false_positive_rate"]
    assert names == ["auc", *(f"{name} at threshold 0.3" for name in rates)]


def test_json_has_every_gap(run):
    code, out = run(*SAH, "--segment", "wfns", "--metric", "tpr", "--format", "json")
    document = json.loads(out)
    assert code == 0
    assert [segment["name"] for segment in document["segments"]] == ["1", "2", "3", "4", "5"]
    (metric,) = document["metrics"]
    assert len(metric["gaps"]) == 10
    values = [abs(gap["value"]) for gap in metric["gaps"]]
    assert values == sorted(values, reverse=True)
    assert metric["worst"] == metric["estimates"][0]["segment"]


def test_csv_has_a_line_for_each_segment(run):
    _, out = run(*BY, "--metric", "auc", "--metric", "mcc", "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(out)))
    assert [(line["metric"], line["segment"]) for line in lines[:2]] == [
        ("auc", "Female"),
        ("auc", "Male"),
    ]
    assert float(lines[0]["value"]) == pytest.approx(0.72)
    assert len(lines) == 4


def test_markdown_is_a_table(run):
    _, out = run(*BY, "--metric", "tpr", "--format", "markdown")
    assert "| segment | rows | positive | value (95% CI) |" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (SAH, "Missing option '--segment'"),
        ([*BY, "--score", "ndka"], "one model"),
        ([*BY, "--metric", "percision"], "Did you mean"),
    ],
)
def test_invalid_use_is_an_error_message_and_exit_code_2(run, arguments, message):
    code, out = run(*arguments)
    assert code == 2
    assert message in out
