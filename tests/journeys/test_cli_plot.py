"""`tradeoff plot`, as a person uses it."""

import pytest
from click.testing import CliRunner
from command_line import COSTS, GOLDEN, SAH, WEATHER

from tradeoff.cli import main

SYN = [str(GOLDEN / "syn_a1_probabilities_data.csv"), "--actual", "label", "--score", "score"]


def run(*arguments):
    """In this process: a new one for each chart would take a second."""
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return done.exit_code, done.stdout, done.stderr


def output(*arguments):
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    return out.rstrip("\n")


def test_without_an_output_the_chart_is_drawn_in_the_terminal():
    text = output("plot", *SAH, "--score", "ndka", "--width", "70")

    assert "ROC curve" in text
    assert "s100b 0.731 (0.619–0.820)" in text
    assert "false positive rate" in text
    assert max(map(len, text.splitlines())) <= 70


def test_with_an_output_one_line_says_what_was_written(tmp_path):
    path = tmp_path / "roc.png"

    assert output("plot", *WEATHER, "--threshold", "0.5", "--output", path) == f"{path}: ROC curve."
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        (["--chart", "matrix", "--by", "youden"], "26 (63%)"),
        (["--chart", "scores", "--threshold", "0.2"], "≥ 0.2"),
        (["--chart", "decision", "--by", "capacity", "--target", "30"], "at most 30 rows"),
        (["--chart", "roc", "--fold", "gender"], "2 folds"),
        (["--x", "threshold", "--y", "precision", "--y", "recall"], "Value"),
        (["--chart", "hull", *COSTS], "equal cost"),
        (["--chart", "differences", "--score", "ndka"], "s100b − ndka"),
        (["--chart", "areas", "--metric", "gini"], "gini"),
        (["--chart", "roc", "--band", "pointwise", "--replicates", "50"], "95% confidence band"),
        (["--chart", "matrix", "--fold", "gender"], "Predicted class"),
    ],
)
def test_charts_are_requested_by_name(arguments, title):
    assert title in output("plot", *SAH, *arguments)


def test_calibration_is_a_reliability_diagram():
    assert "perfect calibration" in output("plot", *SYN, "--chart", "calibration")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--chart", "rocc"], "No chart is called 'rocc'. Did you mean 'roc'?"),
        (["--output", "roc.jpg"], "roc.jpg ends in .jpg: save a picture as .png, .svg or .pdf."),
        (["--x", "fpr"], "Give both metrics"),
        (["--chart", "gains", "--hull"], "A hull is drawn over ROC curves"),
        (["--average", "vertical"], "No folds were read"),
        (["--output", "a.png", "--width", "4"], "both --width and --height"),
        (["--chart", "differences", "--score", "ndka", "--hull"], "takes only the option --metric"),
    ],
)
def test_invalid_arguments_are_an_error_message(arguments, message):
    code, out, err = run("plot", *SAH, *arguments)

    assert code == 2
    assert not out
    assert message in err
    assert "Traceback" not in err
