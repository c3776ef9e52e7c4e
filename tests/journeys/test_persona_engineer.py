"""An engineer whose pipeline replaces a model: scores are missing, and exit codes decide."""

import json

import numpy as np
import pytest
from command_line import document, output, refusal, run
from ugly_files import logits, missing_predictions, unicode_text

import tradeoff as to

OLD, NEW = "old model", "new model"
CHURN = {name: np.array(column) for name, column in to.datasets["churn"].columns().items()}


@pytest.fixture
def nightly(tmp_path):
    return missing_predictions(tmp_path / "nightly scores.csv")


@pytest.fixture
def columns(nightly):
    return [nightly, "--actual", "churned"]


def clean_auc(model, *, every):
    """AUC of the clean file, without the rows that the nightly job did not score."""
    scored = np.arange(len(CHURN["churned"])) % every != 0
    return to.evaluate(CHURN["churned"][scored] == "yes", CHURN[model][scored]).auc.value


def test_look_says_which_scores_are_missing_and_in_which_class(nightly):
    text = " ".join(output(nightly).split())

    assert "507 distinct, 40 missing" in text
    assert "40 of 2,000 rows have no score in new model (2.4% of class 0, 0.5% of class 1)." in text


@pytest.mark.parametrize("command", ["evaluate", "compare", "gate", "threshold", "gains"])
def test_rows_without_scores_are_refused_with_the_choices(command, columns):
    message = refusal(command, *columns, "--score", f"{OLD},{NEW}")

    assert "40 of 2,000 scores in `new model` are missing (first: rows 1, 51 and 101)." in message
    assert "use --missing drop" in message


def test_the_choice_gives_the_numbers_of_the_rows_that_remain(columns):
    (model,) = document("evaluate", *columns, "--score", NEW, "--missing", "drop")["models"]

    assert model["rows"] == 1960
    assert model["summaries"]["auc"]["value"] == clean_auc("boosting", every=50)


def test_the_gate_decides_on_the_rows_that_both_models_scored(columns):
    both = ["--score", f"{OLD},{NEW}", "--missing", "drop"]
    code, out, err = run("gate", *columns, *both, "--format", "json")
    result = json.loads(out)
    (gate,) = result["gates"]

    assert (code, err, result["verdict"]) == (1, "", "fail")
    assert (result["baseline"], result["candidate"]) == (OLD, NEW)
    assert result["rows"] == 1960
    expected = clean_auc("boosting", every=50) - clean_auc("logistic", every=50)
    assert gate["difference"]["value"] == pytest.approx(expected, rel=1e-9)
    reversed_order = ["--score", f"{NEW},{OLD}", "--missing", "drop"]
    assert run("gate", *columns, *reversed_order)[0] == 0


@pytest.mark.parametrize(
    ("limits", "code", "verdict"),
    [
        (["--at-least", "auc=0.6"], 0, "PASS new model: AUC"),
        (["--at-least", "auc=0.8"], 1, "FAIL new model: AUC"),
        (["--at-least", "auc=0.7"], 3, "INCONCLUSIVE new model: AUC"),
        (["--at-least", "auc=0.7", "--test-on", "value"], 0, "PASS new model: AUC"),
        (
            ["--at-least", "auc=0.6", "--at-most", "brier=0.1"],
            1,
            "FAIL new model against 2 requirements: 1 pass, 1 fail.",
        ),
    ],
)
def test_limits_without_a_baseline_end_in_exit_codes(columns, limits, code, verdict):
    ended, out, err = run("gate", *columns, "--score", NEW, "--missing", "drop", *limits)

    assert (ended, err) == (code, "")
    assert verdict in " ".join(out.split())
    assert f"Exit code {code}." in out


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--score", NEW], "Name two columns of FILE: --score a,b, the baseline first"),
        (["--score", NEW, "--at-least", "auc"], "Write a limit as auc=0.8 or brier=0.1, not 'auc'"),
        (
            ["--score", NEW, "--missing", "drop", "--at-least", "acu=0.8"],
            "No metric is called 'acu'. Did you mean 'auc'?",
        ),
        (["--at-least", "auc=0.8"], "may be scores: name that of the model."),
        (["--score", "newmodel,old model"], "There is no column 'newmodel'. Did you mean"),
        (
            ["--score", OLD, "--margin", "0.01", "--margin", "0.02"],
            "--margin was given twice (0.01 and 0.02); it takes one value.",
        ),
    ],
    ids=["one model", "no limit", "misspelt metric", "no score", "misspelt column", "twice"],
)
def test_slips_are_answered_with_exit_code_2(columns, arguments, answer):
    assert answer in refusal("gate", *columns, *arguments)


def test_raw_outputs_of_a_network_have_no_threshold_that_nobody_chose(tmp_path):
    path = logits(tmp_path / "logits.csv")
    arguments = ["gate", path, "--actual", "churned", "--positive", "Yes"]
    arguments += ["--score", "network output", "--at-least", "recall=0.6"]

    message = refusal(*arguments)
    assert "recall needs a threshold: network output from −9.21024 to 6.21261" in message
    assert "--at threshold=… or --at 'network output'=…" in message
    assert run(*arguments, "--at", "network output=-2.5")[0] == 0


def test_two_months_need_the_same_columns(tmp_path, nightly):
    last_month = unicode_text(tmp_path / "last month.txt")
    arguments = ["compare", "--then", last_month, "--now", nightly, "--actual", "churned"]

    message = refusal(*arguments, "--score", OLD)
    assert "There is no column 'churned'." in message
    assert "both need the same columns." in message


def test_two_months_are_independent_samples(tmp_path, nightly):
    this_month = missing_predictions(tmp_path / "this month.csv", every=7, blank="")
    arguments = ["compare", "--then", nightly, "--now", this_month, "--actual", "churned"]
    (difference,) = document(*arguments, "--score", NEW, "--missing", "drop")["differences"]

    expected = clean_auc("boosting", every=7) - clean_auc("boosting", every=50)
    assert abs(difference["value"]) == pytest.approx(abs(expected), rel=1e-9)
    assert difference["low"] < 0 < difference["high"]


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("gat", "Did you mean 'gate'?"),
        ("nightly score.csv", "Did you mean '{path}'?"),
    ],
)
def test_a_word_that_is_neither_is_answered_by_a_command_or_a_file(nightly, word, answer):
    folder = "" if word == "gat" else f"{nightly.parent}/"

    assert answer.format(path=nightly) in refusal(f"{folder}{word}")
