"""No line is wider than the terminal, and no word is broken, at 60 to 200 columns."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from command_line import GOLDEN, SAH, WEATHER, run

from tradeoff.cli.program import COMMANDS
from tradeoff.text_layout import display_width

WIDTHS = (60, 100, 200)
TWO = [*SAH, "--score", "ndka"]
COSTS = ["--cost-fp", "1", "--cost-fn", "5"]
PROBABILITIES = [str(GOLDEN / "syn_a1_probabilities_data.csv"), "--actual", "label"]
MATRIX = "7 2 1; 4 1 2; 1 1 9"
LONG_NAMES = [f"gradient_boosting_machine_with_calibrated_probabilities_{n}" for n in (2023, 2024)]
COPIED = {"sql", "completion"}
"""Commands whose output is to be copied: its lines stay as they are."""

SCREENS = [
    ["evaluate", *TWO],
    ["evaluate", *TWO, "--all", "--methods"],
    ["evaluate", *SAH, "--segment", "wfns", "--fold", "gender", *COSTS],
    ["evaluate", *WEATHER, "--predictions", "--chart"],
    ["compare", *TWO, "--margin", "0.05", "--test", "mcnemar", "--at", "threshold=0.5"],
    ["compare", *TWO, "--metric", "recall", "--at", "s100b=0.2", "--at", "ndka=11"],
    ["threshold", *TWO, "--details", "ndka", "--by", "tpr", "--target", "0.9"],
    ["compare", *SAH, "--by", "gender"],
    ["crossval", SAH[0], "--actual", "poor", "--leave-out", "outcome", "--model", "naive-bayes"],
    ["check", *WEATHER],
    ["look", SAH[0]],
    ["plot", *TWO],
    ["segments", *SAH, "--segment", "wfns"],
    ["gate", *TWO],
    ["curve", *SAH, "--format", "text"],
    ["threshold", *TWO, *COSTS],
    ["threshold", *SAH, *COSTS],
    ["threshold", *SAH, "--reject", "--gamma", "3"],
    ["cutoffs", *TWO, "--out-of-bag", "--replicates", "20"],
    ["evaluate", *TWO, "--vocabulary", "clinical"],
    ["gains", *TWO, "--cost-contact", "1", "--value", "3"],
    ["gains", *SAH, "--unit", "patients", "--currency", "EUR", *COSTS],
    ["rows", *SAH, "--threshold", "0.5", "--outcome", "fn", "--id", "outcome"],
    ["hull", *TWO],
    ["hull", *TWO, "--details"],
    ["calibration", *PROBABILITIES, "--score", "score"],
    ["calibration", *PROBABILITIES, "--score", "score", "--details", "--replicates", "50"],
    ["power", "--auc", "0.8", "--second", "0.85", "--power", "0.9"],
    ["matrix", MATRIX, "--all"],
    ["matrix", MATRIX, "--classes", ",".join(f"{name}_class" for name in "abc")],
    ["matrix", MATRIX, "--classes", ",".join([*LONG_NAMES, "c"])],
    ["matrix", "10 40; 30 20", "--joint", "--rows", "classes"],
    ["plot", "--point", "A=0.28,0.63", "--point", "a_rather_long_name=0.9,0.95", "--hull"],
    ["datasets"],
    ["metrics"],
    ["compat", *SAH],
    ["validate"],
    ["validate", "--certified"],
    ["explain", "precision", *WEATHER],
    ["schema"],
    ["demo"],
    ["rank", *SAH, "-o", "rows.ranking"],
    ["merge", "rows.ranking", "-o", "all.ranking"],
    ["report", *SAH, "--output", "page.html"],
]
OTHER_COMMANDS = {"classes", "page"}
"""Commands with tests of their own below."""


@pytest.fixture(scope="module")
def long_names(tmp_path_factory):
    """Arguments for a file with two models of very long and similar names."""
    with Path(SAH[0]).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    path = tmp_path_factory.mktemp("widths") / "long.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["poor", *LONG_NAMES, "gender"])
        writer.writerows([row["poor"], row["s100b"], row["ndka"], row["gender"]] for row in rows)
    return [str(path), "--actual", "poor", *(x for name in LONG_NAMES for x in ("--score", name))]


def lines_that_are_too_wide(width, *arguments):
    code, out, err = run(*arguments, COLUMNS=str(width))
    assert code in {0, 1, 3}, err
    lines = [line for line in out.splitlines() if not line.startswith("  tradeoff ")]  # to copy
    return [line for line in lines if display_width(line) > width]


def test_every_command_is_among_the_screens():
    shown = {arguments[0] for arguments in SCREENS}

    assert shown | OTHER_COMMANDS | COPIED == set(COMMANDS)


@pytest.mark.parametrize("arguments", SCREENS, ids=lambda arguments: " ".join(arguments[:1]))
def test_no_line_is_wider_than_the_terminal(arguments):
    for width in WIDTHS:
        assert lines_that_are_too_wide(width, *arguments) == []


def test_the_page_without_data_fits(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for width in WIDTHS:
        assert lines_that_are_too_wide(width, "page", "-o", "judge.html") == []


def test_many_classes_fit(tmp_path):
    random = np.random.default_rng(0)
    names = ["cat", "dog", "a_rather_long_name_of_a_third_class_of_animals"]
    path = tmp_path / "animals.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["kind", *names])
        writer.writerows(
            [names[i % 3], *random.normal(size=3).round(3).tolist()] for i in range(90)
        )
    scores = [argument for name in names for argument in ("--score", name)]
    for width in WIDTHS:
        assert lines_that_are_too_wide(width, "classes", path, "--actual", "kind", *scores) == []


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate"],
        ["evaluate", "--all", "--methods"],
        ["compare"],
        ["threshold"],
        ["cutoffs"],
        ["hull"],
        ["gate"],
        ["plot"],
    ],
    ids=" ".join,
)
def test_long_names_of_models_fit_and_remain_distinguishable(command, long_names):
    name, *options = command
    for width in WIDTHS:
        assert lines_that_are_too_wide(width, name, *long_names, *options) == []
    _, out, _ = run("evaluate", *long_names, COLUMNS="60")
    rows = re.findall(r"^(\S*…\S*)  0\.", out, re.MULTILINE)
    assert len(set(rows)) == 2


def test_shortened_names_are_given_in_full_below_the_table(long_names):
    _, out, _ = run("threshold", *long_names, "--no-check", COLUMNS="80")

    for name in LONG_NAMES:
        (short,) = re.findall(rf"^(\S*…\S*):\s+{name}$", out, re.MULTILINE)
        assert out.count(short) > 1


@pytest.mark.parametrize("width", [60, 80])
def test_no_word_of_a_table_is_broken(width):
    _, wide, _ = run("evaluate", *SAH, "--all", COLUMNS="200")
    _, narrow, _ = run("evaluate", *SAH, "--all", COLUMNS=str(width))

    assert set(narrow.split()) <= set(wide.split())


def test_the_demo_fits_one_screen():
    _, out, _ = run("demo", COLUMNS="80")

    assert len(out.splitlines()) <= 30
