"""The user's words for rows and amounts (--unit, --currency) reach every screen."""

import csv
import re
from importlib.resources import files

import pytest
from command_line import run

import tradeoff as to
from tradeoff.wording import Wording

WORDS = ["--unit", "people", "--currency", "EUR"]
CLASSES = ["--actual", "churned", "--positive", "yes"]
ONE = [*CLASSES, "--score", "logistic", "--missing", "drop"]
TWO = [*CLASSES, "--score", "logistic,boosting", "--missing", "drop"]
COSTS = ["--cost-fp", "5", "--cost-fn", "60"]
FAST = ["--replicates", "20"]
TECHNICAL = (
    r"\d+ rows shown",  # rows of a table
    r"\(rows: \w+ classes",  # rows of a confusion matrix
    r"number\s+of\s+rows; see phi-squared",  # a formula
    r"Repeated rows: .*",  # hints on options
    r"several rows of one\s+customer: .*",
    r"nearest 100 · all, to a file: -o rows.csv",
    r"row  +score  actual",  # row numbers
)
"""Rows that are not people."""


@pytest.fixture(scope="module")
def churn(tmp_path_factory):
    """Rows of the churn example, some of which lack a score of one or both models."""
    folder = tmp_path_factory.mktemp("churn")
    with (files("tradeoff") / "data" / "churn.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[:600]
    for index in (3, 7, 9):
        rows[index]["logistic"] = ""
    rows[7]["boosting"] = rows[12]["boosting"] = ""
    for name, part in {"all": rows, "june": rows[:300], "july": rows[300:]}.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(part)
    return folder


COMMANDS = {
    "evaluate": ["evaluate", "all.csv", *TWO, *COSTS, "--segment", "region", "--all"],
    "evaluate by fold": ["evaluate", "all.csv", *TWO, "--fold", "region", "--threshold", "2"],
    "evaluate with clusters": ["evaluate", "all.csv", *ONE, "--cluster", "region", *FAST],
    "evaluate with bins": ["evaluate", "all.csv", *ONE, "--bins", "9", "--threshold", "0.3"],
    "cutoffs": ["cutoffs", "all.csv", *ONE, "--out-of-bag", "--prevalence", "0.1", *FAST],
    "compare": ["compare", "all.csv", *TWO, "--test", "mcnemar", "--margin", "0.1"],
    "compare costs": ["compare", "all.csv", *TWO, "--metric", "cost", *COSTS, *FAST],
    "compare samples": ["compare", "--then", "june.csv", "--now", "july.csv", *ONE],
    "threshold": ["threshold", "all.csv", *TWO, *COSTS, *FAST],
    "capacity": ["threshold", "all.csv", *ONE, "--by", "capacity", "--target", "90", *FAST],
    "band": ["threshold", "all.csv", *ONE, "--reject", "--capacity", "50", *FAST],
    "calibrated band": ["threshold", "all.csv", *ONE, "--reject", "--gamma", "0.1", *FAST],
    "gains": ["gains", "all.csv", *ONE, "--cost-contact", "5", "--value", "60", *FAST],
    "calibration": ["calibration", "all.csv", *ONE, "--details", *FAST],
    "curve": ["curve", "all.csv", *ONE, "--format", "text", "--curve", "calibration"],
    "plot scores": ["plot", "all.csv", *ONE, "--chart", "scores"],
    "plot gains": ["plot", "all.csv", *ONE, "--chart", "gains"],
    "plot profit": ["plot", "all.csv", *ONE, "--chart", "profit", "--value", "9"],
    "segments": ["segments", "all.csv", *ONE, "--segment", "region", *FAST],
    "check": ["check", "all.csv", *CLASSES, "--score", "logistic", "--id", "region"],
    "gate": ["gate", "all.csv", *TWO, *FAST],
    "gate with limits": ["gate", "all.csv", *ONE, "--at-most", "cost=9", *COSTS, *FAST],
    "equal models": [
        *("gate", "--baseline", "all.csv", "--candidate", "all.csv", "--on", "customer"),
        *(*ONE, "--metric", "recall"),
    ],
    "rank": ["rank", "all.csv", *ONE, "--output", "churn.ranking"],
    "explain": ["explain", "precision", "all.csv", *ONE],
    "rows": ["rows", "all.csv", *ONE, "--outcome", "false negative"],
    "labels": ["evaluate", "all.csv", *CLASSES[:2], "--positive", "yes", "--predicted", "churned"],
    "matrix": ["matrix", "7 2; 4 1", *COSTS],
    "classes": [
        *("classes", "all.csv", "--actual", "churned", "--missing", "drop"),
        *("--score", "yes=logistic", "--score", "no=boosting"),
    ],
    "crossval": [
        *("crossval", "all.csv", *CLASSES, "--model", "naive-bayes", "--leave-out", "customer"),
        *("--folds", "3", "--repeats", "2"),
    ],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_screens_speak_of_people_instead_of_rows(name, churn):
    arguments = [str(churn / word) if word.endswith(".csv") else word for word in COMMANDS[name]]
    has_costs = any(word.startswith(("--cost", "--value")) for word in arguments)
    _, out, err = run(*arguments, *(WORDS if has_costs else WORDS[:2]))

    assert err == "" or "saved" in err
    assert re.search(r"\bpeople\b", out), out
    for technical in TECHNICAL:
        out = re.sub(technical, "", out)
    assert re.findall(r".*\b[Rr]ows?\b.*", out) == []


def test_a_saved_ranking_has_the_words_of_the_command_that_reads_it(churn):
    path = churn / "saved.ranking"
    run("rank", churn / "all.csv", *ONE, "--output", path)
    _, out, _ = run("evaluate", path, *WORDS, "--threshold", "0.3")

    assert out.startswith("597 people, 137 positive (yes, 22.9%).")


def test_amounts_have_the_currency_and_the_unit(churn):
    costs = [*TWO, *COSTS, *FAST, *WORDS]
    _, compared, _ = run("compare", churn / "all.csv", *costs, "--metric", "cost")
    _, decided, _ = run("threshold", churn / "all.csv", *costs)

    assert "expected cost at threshold 0.5 (EUR per person)" in compared
    assert "Expected cost per person, EUR" in decided


def test_results_of_the_library_speak_of_customers(churn):
    columns = {"actual": "churned", "positive": "yes", "missing": "drop", "unit": "customers"}
    table = str(churn / "all.csv")
    evaluation = to.evaluate(table, score=["logistic", "boosting"], **columns)
    comparison = to.compare(table, score=["logistic", "boosting"], **columns)
    checked = to.check(table, score="logistic", **columns)
    by_class = to.evaluate_classes(
        table, {"yes": "logistic", "no": "boosting"}, actual="churned", missing="drop", unit="men"
    )

    assert str(evaluation["logistic"].cutoffs()).startswith("597 customers, 137 positive (yes).")
    assert str(comparison).startswith("596 customers scored by both models")
    assert "596 of 599 customers are scored by every model, 3 customers left out" in str(comparison)
    assert str(checked).startswith("600 customers: ")
    assert str(by_class).startswith("596 men of 2 classes: ")
    assert evaluation.wording == Wording("customers")
