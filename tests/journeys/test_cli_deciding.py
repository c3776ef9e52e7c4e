"""The command line where it decides: thresholds, bands, hulls, curves, folds, costs."""

import csv
import json
import re

import jsonschema
import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from command_line import COSTS, SAH, WEATHER, output, run

from tradeoff.cli import main
from tradeoff.cli.program import COMMANDS
from tradeoff.measures.curves import CURVES
from tradeoff.schemas import json_schema
from tradeoff.thresholds.criteria import listed_criteria


def test_a_decision_follows_its_published_schema():
    for options in (
        ["--by", "youden"],
        [*COSTS, "--prevalence", "0.02", "--tolerance", "0.01"],
        ["--cost-fp", "100"],
        ["--by", "tpr", "--target", "0.9", "--no-check"],
    ):
        document = json.loads(output("threshold", *SAH, *options, "--format", "json"))
        jsonschema.validate(document, json_schema("decision"))
    assert document["criterion"] == "true_positive_rate >= 0.9"
    band = json.loads(output("threshold", *SAH, "--reject", "--gamma", "3", "--format", "json"))
    assert band["honest"]["value"] > band["value"]
    assert band["honest"]["upper"][0] <= band["upper"] <= band["honest"]["upper"][1]
    dear = json.loads(output("threshold", *SAH, "--cost-fp", "100", "--format", "json"))
    assert dear["threshold"] is None or dear["threshold"] > 0.5
    many = json.loads(output("threshold", *SAH, "--score", "ndka", "--format", "json"))
    assert [d["model"] for d in many["decisions"]] == ["s100b", "ndka"]
    for decision in many["decisions"]:
        jsonschema.validate(decision, json_schema("decision"))


def test_details_follow_the_published_schema():
    options = ["--fold", "gender", "--segment", "wfns", *COSTS, "--prevalence", "0.1"]
    document = json.loads(output("evaluate", *SAH, *options, "--format", "json"))

    jsonschema.validate(document, json_schema())
    model = document["models"][0]
    assert document["prevalence"] == 0.1
    assert model["at"]["metrics"]["prevalence"]["value"] == pytest.approx(0.1)
    assert model["at"]["confusion"]["true_positives"] == 12  # counts stay what was counted
    assert [fold["name"] for fold in model["folds"]] == ["Female", "Male"]
    assert model["expenses"]["per_case"] == pytest.approx(model["expenses"]["total"] / 113)


@pytest.mark.parametrize("name", sorted(CURVES))
def test_every_named_curve_is_written_in_every_format(name):
    def within(*options):
        done = CliRunner().invoke(main, ["curve", *WEATHER, "--curve", name, *options])
        assert done.exit_code == 0
        return done.stdout

    table = list(csv.DictReader(within().splitlines()))
    document = json.loads(within("--format", "json"))

    assert len(table) == len(document["columns"][document["y"]]) > 2
    assert {document["x"], document["y"]} <= set(table[0])
    assert name.split("_")[0] in within("--format", "text")
    assert within("--format", "markdown").startswith("## ")


def test_the_help_of_curve_names_every_curve():
    listing = output("curve", "--help").replace("\n", " ")

    assert all(name in listing for name in CURVES)


def test_average_curves_name_the_folds_left_out(file):
    rows = file("y,s,f\n1,.9,a\n0,.2,a\n1,.4,b\n0,.6,b\n1,.5,c\n")
    read = [rows, "--actual", "y", "--score", "s", "--fold", "f"]
    code, out, err = run("curve", *read, "--band", "sd")

    assert (code, err) == (0, "tradeoff: fold c is left out: every row belongs to class 1.\n")
    assert out.splitlines()[0] == "false_positive_rate,true_positive_rate,band_low,band_high"
    document = json.loads(output("curve", *read, "--average", "threshold", "--format", "json"))
    assert (document["method"], document["folds"]) == ("threshold", ["a", "b"])
    assert document["left_out"] == [{"fold": "c", "reason": "every row belongs to class 1"}]
    assert document["area"]["value"] == pytest.approx(0.75)
    text = output("evaluate", *read)
    assert "Fold c is excluded from the mean: every row belongs to class 1." in text


def test_costs_may_stand_in_columns(file):
    rows = file("y,s,amount\n1,.9,10\n0,.8,20\n1,.3,400\n0,.1,7\n")
    read = [rows, "--actual", "y", "--score", "s", "--cost-fn", "amount", "--cost-fp", "3"]

    document = json.loads(output("threshold", *read, "--format", "json"))

    assert (document["threshold"], document["expenses"]["total"]) == (0.3, 3.0)
    text = output("evaluate", *read)
    assert "in total" in text
    assert "Lowest cost on these rows: 0.750 per row, at threshold 0.3." in text


def test_a_campaign_on_the_command_line(file):
    lines = [f"{int(i < 4)},{1 - i / 20}" for i in range(20)]
    rows = file("y,s\n" + "\n".join(lines))
    options = ["--cost-tp", "-15", "--cost-contact", "2", "--cost-fixed", "10"]

    document = json.loads(
        output("threshold", rows, "--actual", "y", "--score", "s", *options, "--format", "json")
    )

    assert document["confusion"]["true_positives"] == 4
    assert document["confusion"]["false_positives"] == 0
    assert document["expenses"]["total"] == 10 + 4 * 2 - 4 * 15


def test_a_classifier_is_saved(tmp_path):
    code, _, err = run(
        "hull", *SAH, "--score", "ndka", "--fpr", "0.1", "--save", tmp_path / "c.json"
    )

    assert code == 0
    assert "Saved to" in err
    assert json.loads((tmp_path / "c.json").read_text())["schema"] == "tradeoff/classifier/1"


def test_every_command_is_listed_and_explains_itself():
    listing = output("--help")

    for name, (_, purpose) in COMMANDS.items():
        command = main.get_command(None, name)
        assert command.name == name
        assert command.help
        assert f"{name} " in listing
        assert purpose in listing
    assert main.get_command(None, "nonsense") is None


def test_the_help_of_threshold_names_every_criterion():
    listing = " ".join(output("threshold", "--help").split())

    assert all(way in listing for way in listed_criteria())


def test_the_printed_threshold_gives_the_same_decisions_when_typed(tmp_path):
    random = np.random.default_rng(1)
    positive = random.random(50_000) < 0.2
    # So close that six digits do not tell scores apart.
    scores = 0.5 + 1e-7 * (random.normal(size=50_000) + positive)
    pl.DataFrame({"y": positive.astype(int), "s": scores}).write_parquet(tmp_path / "rows.parquet")
    source = (tmp_path / "rows.parquet", "--actual", "y", "--score", "s")
    text = output("threshold", *source, "--cost-fn", "4", "--no-check")
    typed = re.search(r"where s ≥ (\S+)\.", text)[1]
    chosen = json.loads(
        output("threshold", *source, "--cost-fn", "4", "--no-check", "--format", "json")
    )
    evaluation = json.loads(output("evaluate", *source, "--threshold", typed, "--format", "json"))

    assert len(typed) > 8
    assert "0.5 up to 0.5 " not in text
    assert evaluation["models"][0]["at"]["confusion"] == chosen["confusion"]


def test_a_threshold_that_costs_as_much_as_none_on_new_data_says_so():
    lines = output("threshold", *SAH, *COSTS).splitlines()

    assert lines[1] == "Predicting 1 for every row costs 0.637: no more than this threshold."
    assert "no more than" not in output("threshold", *SAH, "--cost-fp", "1", "--cost-fn", "1")


def test_the_optimum_of_calibrated_probabilities_is_not_given_for_other_scores():
    sentence = "If the scores were calibrated probabilities"

    assert sentence not in output("threshold", *SAH, *COSTS)
    assert sentence in output("threshold", *WEATHER, *COSTS)
