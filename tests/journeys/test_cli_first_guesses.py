"""What people type first: it works, or the answer names what to type instead."""

import json

import pytest
from command_line import SAH, output, run

import tradeoff as to

TWO = [*SAH, "--score", "ndka"]


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["threshold", *SAH, "--youden"], "Did you mean '--by'?"),
        (["threshold", *SAH, "--metric", "f1"], "Did you mean '--by'?"),
        (["segments", *SAH, "--by", "gender"], "Did you mean '--segment'?"),
        (["plot", *SAH, "--curve", "pr"], "Did you mean '--chart'?"),
        (["gains", *SAH, "--profit", "30"], "Did you mean '--value'?"),
        (["evaluate", *SAH, "--ci", "0.9"], "Did you mean '--level'?"),
        (["evaluate", *SAH, "--marker", "ndka"], "Did you mean '--score'?"),
        (["evaluate", *SAH, "--cutoff", "0.2"], "'--threshold'"),
        (["gate", *TWO, "--min-auc", "0.8"], "Did you mean '--at-least'?"),
        (["threshold", *SAH, "--by", "recall"], "give a target, such as 0.9"),
        (["compare", *TWO, "--cost-fn", "5"], "Costs are used only by --metric cost"),
    ],
)
def test_a_first_guess_is_answered_with_what_to_type(arguments, answer):
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert answer in err.replace("\n", " ")


def test_commands_to_copy_are_never_wrapped(tmp_path):
    path = tmp_path / ("a_long_name_of_a_file_" * 4 + ".csv")
    to.datasets.load("mailing").save(path)
    screen = output("look", path, COLUMNS="60")
    commands = screen.partition("Next:\n")[2].splitlines()

    assert all(line.startswith("  tradeoff ") and str(path) in line for line in commands)
    first_lines = output("evaluate", path, COLUMNS="60").partition("\n\n")[0].splitlines()
    assert first_lines[-1] == f"  tradeoff evaluate {path} --actual responded --score score"


def test_the_extension_of_the_gates_file_is_its_format(tmp_path):
    run("gate", *TWO, "--output", tmp_path / "gate.json")
    run("gate", *TWO, "--output", tmp_path / "gate.txt")
    run("gate", *TWO, "--output", tmp_path / "csv.json", "--format", "csv")

    assert json.loads((tmp_path / "gate.json").read_text())["schema"] == "tradeoff/gate/1"
    assert (tmp_path / "gate.txt").read_text().startswith("INCONCLUSIVE")
    assert "," in (tmp_path / "csv.json").read_text().splitlines()[0]
