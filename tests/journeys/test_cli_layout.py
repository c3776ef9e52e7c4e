"""Screens give the answer first, at most ten rows unless asked, and what to do next at the end."""

import json
import re

import numpy as np
import pytest
from command_line import GOLDEN, SAH, WEATHER, output, run
from snapshot import matches

import tradeoff as to
from tradeoff.render.estimate_text import format_signed_interval

TWO = [*SAH, "--score", "ndka"]
PROBABILITIES = [
    str(GOLDEN / "syn_a1_probabilities_data.csv"),
    *("--actual", "label", "--score", "score"),
]
HINTS = [
    ["compare", *TWO],
    ["segments", *SAH, "--segment", "gender"],
    ["check", *SAH],
    ["calibration", *PROBABILITIES],
    ["hull", *TWO],
    ["gate", *TWO],
    ["power", "--auc", "0.8", "--power", "0.9"],
    ["power", "--share", "0.9", "--half-width", "0.05"],
    ["matrix", "7 2; 4 1"],
    ["evaluate", *SAH],
    ["threshold", *SAH],
]


@pytest.fixture(scope="module")
def churn(tmp_path_factory):
    """Arguments for a file of 2,000 customers with two models, one of them better."""
    random = np.random.default_rng(1)
    x, z = random.normal(size=(2, 2000))
    churned = random.random(2000) < 1 / (1 + np.exp(1.8 - 1.3 * x - 0.8 * z))
    columns = {
        "churned": np.where(churned, "yes", "no"),
        "logistic": (1 / (1 + np.exp(1.8 - 1.3 * x - 0.8 * z))).round(6),
        "boosting": (1 / (1 + np.exp(1.6 - 1.6 * x - random.normal(size=2000)))).round(3),
        "copy": (1 / (1 + np.exp(1.6 - 1.2 * x - 0.7 * z + random.normal(size=2000) / 9))).round(6),
    }
    path = tmp_path_factory.mktemp("churn") / "churn.csv"
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join([",".join(columns), *rows]) + "\n", encoding="utf-8")
    return [str(path), "--actual", "churned", "--positive", "yes"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("segments.txt", ["segments", *SAH, "--segment", "gender", "--metric", "auc"]),
        ("hull_details.txt", ["hull", *TWO, "--details"]),
        ("calibration_details.txt", ["calibration", *PROBABILITIES, "--details", "--band", "none"]),
        ("rank.txt", ["rank", *SAH, "--output", "rows.ranking"]),
        ("gate.txt", ["gate", *TWO]),
    ],
)
def test_screens_match_their_approved_snapshots(name, arguments):
    _, out, _ = run(*arguments, COLUMNS="100")

    assert matches(name, out.rstrip("\n"))


@pytest.mark.parametrize("arguments", HINTS, ids=lambda arguments: " ".join(arguments[:2])[:16])
def test_text_ends_with_what_to_do_next(arguments):
    _, out, _ = run(*arguments, COLUMNS="200")
    suggestions = out.rpartition("\n\n")[2]

    assert re.match(r"[A-Z][^:\n]*: -|[A-Z][^:\n]*:\n  tradeoff ", suggestions)


@pytest.mark.parametrize("arguments", HINTS, ids=lambda arguments: " ".join(arguments[:2])[:16])
def test_json_and_markdown_end_with_the_result(arguments):
    _, document, _ = run(*arguments, "--format", "json")
    json.loads(document)
    if arguments[0] != "power":
        _, text, _ = run(*arguments, "--format", "markdown")
        assert " · " not in text


def test_the_first_line_of_an_evaluation_fits_and_the_better_model_is_named(churn):
    out = output("evaluate", *churn, "--score", "logistic", "--score", "boosting", COLUMNS="80")
    first = out.splitlines()[0]

    assert first.startswith("2,000 rows, ")
    assert first.endswith("In parentheses: 95% CI.")
    (line,) = (line for line in out.splitlines() if line.startswith("logistic is better: AUC +"))
    assert " ".join(out.split()).count("(DeLong, same rows).") == 1
    assert len(line) <= 80


def test_the_difference_is_that_of_compare(churn):
    scores = ["--score", "logistic", "--score", "boosting"]
    compared = json.loads(output("compare", *churn, *scores, "--format", "json"))
    (difference,) = compared["differences"]
    out = " ".join(output("evaluate", *churn, *scores).split())

    value, low, high = (difference[key] for key in ("value", "low", "high"))
    assert f"AUC {format_signed_interval(value, low, high)}, p < 0.001" in out


def test_models_that_are_alike_are_inconclusive_whichever_comes_first():
    wanted = "s100b − ndka: AUC +0.119 (−0.049 to +0.288), p = 0.16 (DeLong, same rows)."
    for scores in (("s100b", "ndka"), ("ndka", "s100b")):
        options = [argument for name in scores for argument in ("--score", name)]
        out = output("evaluate", *SAH[:3], *options, COLUMNS="120")
        assert f"{wanted} Inconclusive at 95%." in out


def test_of_three_models_the_best_is_compared_with_the_next(churn):
    names = ("boosting", "logistic", "copy")
    options = [argument for name in names for argument in ("--score", name)]
    out = " ".join(output("evaluate", *churn, *options).split())

    assert "boosting" not in out.partition("same rows, Holm)")[0].rpartition("copy ")[2]
    assert "(DeLong, same rows, Holm)" in out


def test_one_metric_that_is_not_the_auc_is_not_compared(churn):
    scores = ["--score", "logistic", "--score", "boosting"]

    assert "same rows" not in output("evaluate", *churn, *scores, "--metric", "recall")
    assert "same rows" in output("evaluate", *churn, *scores, "--metric", "auc")


def test_a_hull_of_many_vertices_shows_ten_rules_unless_all_are_asked_for(churn):
    scores = ["--score", "logistic", "--score", "boosting"]
    brief, full = (output("hull", *churn, *scores, *more) for more in ([], ["--details"]))

    assert brief.startswith("logistic is best for every ratio of costs.\nboosting is never best")
    assert sum(line.endswith(tuple("0123456789")) for line in brief.splitlines()[6:]) <= 10
    assert "of " in brief
    assert len(full.splitlines()) > len(brief.splitlines())


def test_the_rules_of_a_hull_are_those_for_its_cost_ratios(churn):
    e = to.evaluate(churn[0], actual="churned", positive="yes", score=["logistic"])
    hull = e.hull()
    rules = str(hull).partition("FN/FP cost  ")[2].splitlines()
    rows = [line.split() for line in rules if re.match(r"\d", line)]

    assert rows
    for low, _, high, _, threshold, *_ in rows:
        costs = to.Costs(fp=1, fn=float(np.sqrt(float(low) * float(high))))
        assert float(threshold) in [round(v.threshold, 6) for v in hull.best(costs)]


def test_calibration_answers_first_and_lists_ten_bins(churn):
    good, bad = (
        output("calibration", *churn, "--score", name) for name in ("logistic", "boosting")
    )

    assert good.startswith("logistic: no significant miscalibration (Spiegelhalter's z p = ")
    assert bad.startswith("boosting is miscalibrated (Spiegelhalter's z p < 0.001")
    bins = good.partition("Bins of about equal size:\n")[2].partition("\n\n")[0].splitlines()[1:]
    assert len(bins) == 10
    assert len(good.splitlines()) < 30


def test_warnings_are_said_once():
    out = output("evaluate", *WEATHER)

    assert out.count("arning") == 1
    assert "\nWarning: Only 5 rows" in out


def test_a_cross_validation_has_no_table_of_the_curve():
    pytest.importorskip("sklearn")
    _, out, _ = run(
        "crossval", SAH[0], "--actual", "poor", "--leave-out", "outcome", "--model", "naive-bayes"
    )

    assert "false positives" not in out
    assert "The area is" not in out
