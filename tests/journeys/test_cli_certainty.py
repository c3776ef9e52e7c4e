"""The command line on how sure numbers are and which model is better."""

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import jsonschema
import numpy as np
import pytest
from command_line import COSTS, GOLDEN, SAH, WEATHER, listen, output, run
from snapshot import matches

import tradeoff as to
from tradeoff.schemas import json_schema

TWO = [*SAH, "--score", "ndka"]
PROBABILITIES = [
    str(GOLDEN / "syn_a1_probabilities_data.csv"),
    *("--actual", "label", "--score", "score"),
]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("help_compare.txt", ["compare", "--help"]),
        ("help_power.txt", ["power", "--help"]),
        ("compare.txt", ["compare", *TWO, "--score", "wfns", "--margin", "0.05"]),
        ("compare.md", ["compare", *TWO, "--format", "markdown", "--test", "equal"]),
        (
            "compare_cost.txt",
            ["compare", *TWO, "--metric", "cost", *COSTS, "--at", "threshold=0.2"],
        ),
        ("compare_by.txt", ["compare", *SAH, "--by", "gender"]),
        ("calibration.txt", ["calibration", *PROBABILITIES]),
        ("smooth.txt", ["curve", *SAH, "--smooth", "binormal", "--format", "text"]),
        ("power.txt", ["power", "--auc", "0.8", "--second", "0.85", "--power", "0.9"]),
        (
            "evaluate_cluster.txt",
            ["evaluate", *SAH, "--cluster", "age", "--level", "0.9", "--replicates", "200"],
        ),
    ],
)
def test_screens_match_their_approved_snapshots(name, arguments):
    assert matches(name, output(*arguments, COLUMNS="100"))


@pytest.fixture
def animals(tmp_path):
    random = np.random.default_rng(0)
    actual = random.integers(0, 3, 90)
    scores = random.normal(size=(90, 3)).round(3)
    scores[np.arange(90), actual] += 1.5
    path = tmp_path / "animals.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["kind", "p_cat", "dog", "fox"])
        names = np.array(["cat", "dog", "fox"])
        writer.writerows([names[a], *s] for a, s in zip(actual, scores.tolist(), strict=True))
    return [
        str(path),
        "--actual",
        "kind",
        "--score",
        "cat=p_cat",
        "--score",
        "dog",
        "--score",
        "fox",
    ]


def test_several_classes_have_averages_and_pairwise_areas(animals):
    assert matches("classes.txt", output("classes", *animals, COLUMNS="100"))
    document = json.loads(output("classes", *animals, "--format", "json"))

    assert document["classes"] == ["cat", "dog", "fox"]
    assert set(document["areas"]) == {"hand_till", "macro", "weighted", "micro"}
    assert len(document["pairs"]) == 3


def test_json_numbers_carry_their_intervals():
    document = json.loads(output("evaluate", *WEATHER, "--format", "json", "--level", "0.9"))

    jsonschema.validate(document, json_schema())
    model = document["models"][0]
    estimates = [*model["summaries"].values(), *model["at"]["metrics"].values()]
    sure = [e for e in estimates if "low" in e]
    assert len(sure) > 95
    assert {e["level"] for e in sure} == {0.9}
    assert all(
        e["low"] is None or e["value"] is None or e["low"] <= e["value"] + 1e-12 for e in sure
    )
    assert all("method" in e for e in sure)


def test_intervals_can_be_left_out():
    text = output("evaluate", *WEATHER, "--no-intervals")
    document = json.loads(output("evaluate", *WEATHER, "--no-intervals", "--format", "json"))

    assert "CI" not in text
    assert document["models"][0]["summaries"]["auc"] == {
        "label": "AUC",
        "value": pytest.approx(26 / 45),
    }


def test_a_comparison_follows_the_published_schema():
    options = ["--metric", "auc", "--metric", "ks", "--margin", "0.1", "--test", "mcnemar"]
    options += ["--replicates", "100", "--at", "threshold=0.5"]
    document = json.loads(output("compare", *TWO, *options, "--format", "json"))

    jsonschema.validate(document, json_schema("comparison"))
    assert [d["metric"] for d in document["differences"]] == ["auc", "ks"]
    assert len(document["margins"]) == 4
    assert len(document["tests"]) == 1
    by = json.loads(output("compare", *SAH, "--by", "gender", "--format", "json"))
    jsonschema.validate(by, json_schema("comparison"))


def test_csv_has_a_line_for_each_difference():
    out = output("compare", *TWO, "--score", "wfns", "--format", "csv")
    lines = list(csv.DictReader(out.splitlines()))

    assert [(line["first"], line["second"]) for line in lines] == [
        ("s100b", "ndka"),
        ("s100b", "wfns"),
        ("ndka", "wfns"),
    ]
    assert float(lines[0]["statistic"]) == pytest.approx(1.39077002573558, abs=1e-9)


def test_the_same_seed_gives_the_same_answer():
    arguments = ["compare", *TWO, "--metric", "ks", "--replicates", "100", "--format", "json"]

    assert output(*arguments, "--seed", "3") == output(*arguments, "--seed", "3")
    assert output(*arguments, "--seed", "3") != output(*arguments, "--seed", "4")


def test_a_saved_calibration_map_can_be_loaded(tmp_path):
    path = tmp_path / "map.json"
    code, _, err = run("calibration", *PROBABILITIES, "--save", path, "--map", "platt")

    assert (code, "Saved to" in err) == (0, True)
    assert to.CalibrationMap.load(path)([0.5]).shape == (1,)


def test_a_band_adds_two_columns_to_a_curve():
    out = output("curve", *SAH, "--band", "simultaneous", "--replicates", "200")
    lines = list(csv.DictReader(out.splitlines()))

    assert list(lines[0])[-2:] == ["band_low", "band_high"]
    banded = [line for line in lines if line["band_low"]]
    assert len(banded) == len({line["false_positive_rate"] for line in lines})
    assert all(
        float(line["band_low"]) <= float(line["true_positive_rate"]) <= float(line["band_high"])
        for line in banded
    )


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_a_curve_names_the_method_of_its_band(kind):
    document = json.loads(output("curve", *SAH, "--band", kind, "--format", "json"))
    text = output("curve", *SAH, "--band", kind, "--format", "text")

    assert (document["band"]["kind"], document["band"]["level"]) == (kind, 0.95)
    assert "Claeskens, Jing, Peng & Zhou 2003" in document["band"]["method"]
    assert f"95% {kind} confidence band: " in text
    assert json.loads(output("curve", *SAH, "--format", "json"))["band"] is None


def test_a_bootstrap_band_is_requested_by_name():
    arguments = ["curve", *SAH, "--band", "bootstrap", "--replicates", "50", "--format", "json"]
    document = json.loads(output(*arguments, "--seed", "3"))

    assert document["band"]["kind"] == "pointwise"
    assert "50 resamples, seed 3" in document["band"]["method"]


def test_a_curve_without_a_valid_band_says_so():
    code, out, err = run("curve", *SAH, "--curve", "risk_coverage", "--band", "simultaneous")

    assert (code, out) == (2, "")
    assert "The risk_coverage curve has no band of guaranteed coverage, as rejected rows lie" in err
    assert "--band bootstrap" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", *SAH], "A comparison needs two models"),
        (["compare", *TWO, "--metric", "aux"], "No metric is called 'aux'"),
        (["compare", *TWO, "--at", "fpr"], "Write a point as fpr=0.1"),
        (["compare", *TWO, "--method", "delong", "--metric", "tpr", "--at", "fpr=2"], "is never 2"),
        (["evaluate", *SAH, "--level", "95"], "write --level 0.95"),
        (["evaluate", *SAH, "--method", "wilsn"], "Did you mean 'wilson'?"),
        (["evaluate", *SAH, "--cluster", "outcome_of_nobody"], "There is no column"),
        (["power", "--auc", "0.8"], "add --power 0.9 or --positives 100"),
        (["power"], "Nothing to plan"),
        (["calibration", *SAH], "not a probability"),
        (["calibration", *PROBABILITIES, "--map", "platt"], "--save"),
        (["curve", *SAH, "--smooth", "binormal", "--curve", "lift"], "--smooth fits the ROC"),
    ],
)
def test_invalid_arguments_are_an_error_message(arguments, message):
    code, out, err = run(*arguments)

    assert message in out + err
    assert "Traceback" not in err
    assert code == (2 if "is never" not in message else code)


def test_missing_scores_of_one_model_are_reported(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("y,a,b\n1,0.9,0.8\n0,0.1,\n1,0.6,0.7\n0,0.2,0.3\n0,0.4,0.1\n")
    arguments = ["compare", path, "--actual", "y", "--score", "a", "--score", "b"]
    code, _, err = run(*arguments)

    assert code == 2
    assert "1 of 5 scores in `b` is missing (first: row 2)" in err
    text = output(*arguments, "--missing", "drop")
    assert "4 of 5 rows are scored by every model, 1 row left out" in text


def test_a_cluster_column_must_hold_clusters(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("y,a,who\n1,0.9,x\n0,0.1,x\n1,0.6,x\n")
    code, _, err = run("evaluate", path, "--actual", "y", "--score", "a", "--cluster", "who")

    assert code == 2
    assert "All rows belong to the same cluster, 'x'" in err


def test_ctrl_c_stops_with_a_message_and_only_terminals_have_a_progress_bar():
    arguments = ["compare", *TWO, "--metric", "h_measure", "--replicates", "200000"]
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "tradeoff", *arguments],
        stdout=subprocess.PIPE,
        stderr=child,
        env={**os.environ, "TERM": "xterm"},
        preexec_fn=listen,  # noqa: PLW1509 - no thread of ours holds a lock
    )
    os.close(child)
    screen = b""
    started = time.monotonic()
    while b"Bootstrap resamples" not in screen and time.monotonic() - started < 60:
        screen += os.read(parent, 4096)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    while True:
        try:
            part = os.read(parent, 4096)
        except OSError:
            break
        if not part:
            break
        screen += part
    os.close(parent)

    assert process.returncode == 130
    assert b"stopped" in screen
    assert b"Traceback" not in screen
    assert out == b""


@pytest.mark.parametrize(
    ("metric", "reason"),
    [("positive_likelihood_ratio", "minus infinite"), ("brier", "scores outside 0 to 1")],
)
def test_an_undefined_difference_has_a_reason_and_no_numbers(metric, reason, tmp_path):
    # At 0.7 the first model finds one of each class; the second only positives: x / 0.
    rows = "y,a,c\n1,2,.9\n0,2,.1\n1,.6,.8\n0,.1,.2\n1,.3,.3\n0,.2,.4\n"
    (tmp_path / "rows.csv").write_text(rows)
    columns = ["--actual", "y", "--score", "a", "--score", "c", "--metric", metric]
    point = [] if metric == "brier" else ["--at", "threshold=0.7"]
    options = ["--replicates", "50", "--format", "json"]

    document = json.loads(output("compare", tmp_path / "rows.csv", *columns, *point, *options))

    jsonschema.validate(document, json_schema("comparison"))
    difference = document["differences"][0]
    assert reason in difference["reason"]
    assert difference["value"] is difference["first_better"] is difference["standard_error"] is None


def test_a_comparison_of_few_rows_notes_the_coverage_of_its_intervals(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("actual,a,b\n1,9,8\n0,8,2\n1,7,9\n0,3,4\n0,2,5\n1,4,7\n")

    out = output("compare", rows, "--actual", "actual", "--score", "a", "--score", "b")

    few = "with fewer than 10 rows in a class, the coverage of 95% intervals is 82 to 99%."
    assert f"a, b: {few}" in out


def test_simultaneous_intervals_come_with_p_values_that_agree_with_them():
    three = ["compare", SAH[0], "--actual", "poor"]
    three += [part for name in ("s100b", "ndka", "wfns") for part in ("--score", name)]

    text = output(*three, "--simultaneous")
    document = json.loads(output(*three, "--simultaneous", "--format", "json"))

    assert "p (simultaneous)" in text
    for difference in document["differences"]:
        assert difference["p_value_holm"] is None
        small = difference["p_value_simultaneous"] < 1 - difference["level"]
        assert small == (difference["low"] > 0 or difference["high"] < 0)
    jsonschema.validate(document, json_schema("comparison"))


def test_reweighted_proportions_show_no_counts_of_rows():
    counted = output("evaluate", *SAH, "--threshold", "0.3")
    reweighted = output("evaluate", *SAH, "--threshold", "0.3", "--prevalence", "0.1")

    assert "21 of 41 actual 1" in counted
    assert re.search(r"\d of [\d.]+ actual", reweighted) is None


def test_at_another_prevalence_the_proportion_predicted_positive_fits_the_precision():
    text = output("threshold", *SAH, "--by", "youden", "--prevalence", "0.1")

    assert re.search(r"s100b +0\.22 .* 23\.8% +63\.4% +26\.6%", text)


@pytest.mark.parametrize(
    ("rows", "arguments"),
    [
        ("0,1.7976931348623157e308\n1,1\n0,0\n1,-1e308\n1,inf\n", ["evaluate", "--all"]),
        ("1,.9\n1,.8\n0,.2\n0,.1\n1,.7\n0,.3\n", ["threshold", "--by", "odds_ratio"]),
    ],
)
def test_extreme_scores_and_infinite_values_warn_of_nothing_internal(rows, arguments, file):
    path = file("y,s\n" + rows)

    # Warnings are errors in tests.
    assert run(arguments[0], path, "--actual", "y", "--score", "s", *arguments[1:])[0] == 0
