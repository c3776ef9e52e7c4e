"""The command line on other tools' numbers."""

import csv
import io
import json

import pytest
from click.testing import CliRunner
from command_line import SAH, WEATHER

from tradeoff.cli import main
from tradeoff.compatibility import COMPAT


def run(*arguments):
    done = CliRunner().invoke(main, ["compat", *arguments])
    return done.exit_code, done.output


def test_every_tool_has_a_table():
    code, out = run(*WEATHER)

    assert code == 0
    assert out.startswith("score_pos: 41 of 49 numbers agree with other tools.\n")
    assert "14 rows, 9 of them yes; threshold 0.5." in out
    headings = [line for line in out.splitlines() if line in {"scikit-learn", "pROC", "Spark"}]
    assert headings == ["scikit-learn", "pROC", "Spark"]


def test_a_single_tool_can_be_selected_by_any_of_its_names():
    code, out = run(*WEATHER, "--tool", "sklearn")

    assert code == 0
    assert "average_precision_score  " in out
    assert "ThresholdCurve" not in out
    assert "areaUnderPR" not in out


def test_a_missing_number_has_a_reason():
    _, out = run(*WEATHER, "--tool", "proc", "--format", "markdown")

    assert "| undefined | 0.4737 | no | pROC gives NA: the curve lies below the diagonal" in out


def test_json_has_both_numbers_and_the_reason():
    code, out = run(*SAH, "--tool", "weka", "--threshold", "0.2", "--format", "json")
    document = json.loads(out)

    assert code == 0
    assert document["schema"] == "tradeoff/compat/1"
    assert (document["model"], document["rows"], document["threshold"]) == ("s100b", 113, 0.2)
    (weka,) = document["tools"]
    numbers = {number["name"]: number for number in weka["numbers"]}
    # 26 of 41 patients who did badly have at least 0.2, as in pROC's coordinates.
    assert numbers["TP Rate"]["value"] == pytest.approx(26 / 41)
    assert numbers["TP Rate"]["ours"]["name"] == "true_positive_rate"
    assert numbers["TP Rate"]["same"] is True
    assert numbers["TP Rate"]["parameters"] == {"threshold": 0.2, "older": False}
    # Scores above 1 are no probabilities, so there is no error of probabilities.
    assert numbers["Mean absolute error"]["value"] is None
    assert "outside 0 to 1" in numbers["Mean absolute error"]["reason"]
    assert numbers["Mean absolute error"]["ours"] is None


def test_an_infinite_threshold_is_spelled_out():
    code, out = run(*WEATHER, "--tool", "sklearn", "--threshold", "inf", "--format", "json")
    document = json.loads(out)

    assert (code, document["threshold"]) == (0, "inf")
    numbers = {number["name"]: number for number in document["tools"][0]["numbers"]}
    assert numbers["recall_score"]["parameters"] == {"threshold": "inf"}
    assert numbers["recall_score"]["value"] == 0


def test_csv_has_a_line_for_each_number():
    _, out = run(*SAH, "--format", "csv")
    lines = {(line["tool"], line["name"]): line for line in csv.DictReader(io.StringIO(out))}

    assert len(lines) == len(COMPAT.select())
    proc = lines["pROC", "coords best youden"]
    assert (proc["part"], proc["same"]) == ("best threshold", "no")
    assert float(proc["value"]) == pytest.approx(0.205)
    # The middle between the scores 0.19 and 0.22; ours is the higher of them.
    assert float(proc["our_value"]) == pytest.approx(0.22)
    assert lines["Spark", "areaUnderROC(numBins=0)"]["agrees"] == "yes"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*WEATHER, "--tool", "wekka"], "There is no tool 'wekka'. Did you mean 'Weka'"),
        ([*SAH, "--score", "ndka"], "one model: give FILE and exactly one --score"),
        ([*SAH, "--threshold", "high"], "Invalid value for '--threshold'"),
    ],
)
def test_invalid_use_is_an_error_message_and_exit_code_2(arguments, message):
    code, out = run(*arguments)

    assert code == 2
    assert message in out
