"""Example data, matrices however they are typed, and points in ROC space, on the command line."""

import json
import shlex
from pathlib import Path

import pytest
from command_line import SCRATCH, output, run

import tradeoff as to

HERE = Path(SCRATCH.name)
FOUR = ["--point", "A=0.28,0.63", "--point", "B=77%,77%", "--point", "C=24 76; 88 12"]
FOUR += ["--point", "D=0.12,0.76"]


def test_the_data_sets_are_listed_described_and_written():
    listed = output("datasets")
    asah = output("datasets", "asah")

    assert all(name in listed for name in to.datasets)
    assert "tradeoff datasets asah -o asah.csv" in listed
    assert "Source: Turck" in asah
    assert "Licence: GPL" in asah
    assert "s100b" in asah
    assert "Wrote my.csv" in output("datasets", "asah", "-o", "my.csv")
    assert (HERE / "my.csv").read_bytes() == to.datasets["asah"].path.read_bytes()
    assert json.loads(output("datasets", "--format", "json"))["schema"] == "tradeoff/datasets/1"
    assert output("datasets", "five", "--format", "csv").startswith("score,actual\n0.44,1\n")


@pytest.mark.parametrize("name", [d.name for d in to.datasets.by_name.values() if d.example])
def test_the_command_that_a_data_set_suggests_runs(name):
    data = to.datasets[name]
    written = output("datasets", name, "-o", data.file)
    code, out, err = run(*shlex.split(data.example))

    assert f"tradeoff {data.example}" in written
    assert (code, err) == (0, "")
    assert len(out) > 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wether"], "Did you mean 'weather'?"),
        (["asah", "-o", "asah.xlsx"], "asah is written as .csv"),
        (["-o", "asah.csv"], "tradeoff datasets asah -o asah.csv"),
        (["asah", "-o", "nowhere/asah.csv"], "cannot be written"),
    ],
)
def test_a_data_set_that_cannot_be_written_is_explained(arguments, message):
    code, _, err = run("datasets", *arguments)

    assert code == 2
    assert message in " ".join(err.split())


def test_a_missing_file_of_an_examples_name_is_offered():
    code, _, err = run("evaluate", "none/delong1988.csv", "--actual", "popind", "--score", "alb")

    assert code == 2
    assert "tradeoff datasets delong1988 -o delong1988.csv" in err


@pytest.mark.parametrize(
    "table",
    [
        ["7 2; 4 1"],
        ["[7 2; 4 1]"],
        ["[[7, 2], [4, 1]]"],
        ["7", "2", "4", "1"],
        ["7 2;", "4 1"],
        ["--tp", "7", "--fp", "4", "--fn", "2", "--tn", "1"],
        ["7 4; 2 1", "--rows", "predicted"],
    ],
)
def test_a_matrix_is_understood_however_it_is_typed(table):
    shown = output("matrix", *table, "--classes", "yes,no")
    rows = "predicted" if "--rows" in table else "actual"

    assert f"Confusion matrix (rows: {rows} classes" in shown
    assert "positive class: yes" in shown
    assert "recall (sensitivity)  0.778" in shown
    assert "14 rows, 8 predicted correctly" in shown


@pytest.mark.parametrize(
    ("table", "rows", "layout"),
    [
        ("10 30; 40 20", "values", ["value 1  10  30          -", "value 2  40  20          +"]),
        ("10 40; 30 20", "classes", ["+               10       40", "predicted        -        +"]),
    ],
)
def test_a_joint_table_is_shown_as_it_was_understood(table, rows, layout):
    shown = output("matrix", table, "--joint", "--rows", rows, "--classes", "+,-")

    assert f"Joint table (rows: {'classes' if rows == 'classes' else 'observed values'}" in shown
    assert all(line in shown for line in layout)
    assert "actual +           40           10" in shown
    assert "actual -           20           30" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["7", "2", "4"], "3 numbers cannot be divided"),
        ([], 'Missing a table: "7 2; 4 1", or --tp'),
        (["--tp", "1", "--fp", "2"], "add --fn and --tn"),
        (["7 2; 4 1", "--tn", "2"], "not both"),
        (["7 2; 4 1", "--rows", "classes"], "add --joint"),
        (["7 2; 4 1", "--joint", "--rows", "actual"], "--rows values or --rows classes"),
        (["7", "2", "4", "x"], "'x' is not a count"),
        (["scores.csv"], "tradeoff evaluate scores.csv"),
    ],
)
def test_a_table_that_is_not_understood_is_explained(arguments, message):
    code, _, err = run("matrix", *arguments)

    assert code == 2
    assert message in " ".join(err.split())


def test_points_are_drawn_in_roc_space_without_a_file():
    shown = output("plot", "--chart", "roc", *FOUR)

    assert all(f"● {name}" in shown for name in "ABCD")
    assert "better than guessing: C." in shown


def test_points_are_drawn_with_their_hull_and_as_a_picture():
    assert "convex hull (area 0.82)" in output("plot", *FOUR, "--hull")
    assert output("plot", *FOUR, "-o", "four.svg") == "four.svg: Points in ROC space."
    assert (HERE / "four.svg").stat().st_size > 1000


def test_points_are_added_to_curves():
    path = to.datasets["asah"].path
    shown = output("plot", path, "--actual", "poor", "--score", "s100b", *FOUR)

    assert "s100b 0.731 (0.619–0.820)" in shown
    assert "● D" in shown


def test_a_hull_of_points_needs_no_file():
    assert "D is best for every ratio of costs." in output("hull", *FOUR)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["plot", "--point", "A"], "NAME=FPR,TPR"),
        (["plot", "--point", "A=28,63"], "between 0 and 1"),
        (["plot", "--chart", "gains", *FOUR], "--chart roc"),
        (["plot", *FOUR, "--point", "A=0.1,0.2"], "Two points are called 'A'"),
        (["hull", *FOUR, "--point", "A=0.1,0.2"], "Two models are called 'A'"),
    ],
)
def test_a_point_that_cannot_be_drawn_is_explained(arguments, message):
    code, _, err = run(*arguments)

    assert code == 2
    assert message in " ".join(err.split())
