"""Rankings on the command line: counts are shared, never rows."""

import json

import jsonschema
import numpy as np
import pytest
from command_line import SAH, WEATHER, run, told

from tradeoff.schemas import json_schema


@pytest.fixture
def parts(tmp_path):
    random = np.random.default_rng(0)
    score = random.random(3000)
    actual = (random.random(3000) < score).astype(int)
    places = []
    for number in range(3):
        lines = [f"{y},{s!r}" for y, s in zip(actual, score.tolist(), strict=True)][number::3]
        place = tmp_path / f"part{number}.csv"
        place.write_text("\n".join(["y,p", *lines]) + "\n")
        places.append(place)
    return tmp_path, places


def evaluated(*arguments):
    return json.loads(told("evaluate", *arguments, "--format", "json", "--replicates", "20"))


def test_merged_parts_are_evaluated_as_one_file_would_be(parts):
    folder, places = parts
    whole = folder / "whole.csv"
    lines = [line for place in places for line in place.read_text().splitlines()[1:]]
    whole.write_text("\n".join(["y,p", *lines]) + "\n")
    for place in places:
        told("rank", place, "--actual", "y", "--score", "p", "-o", place.with_suffix(".ranking"))
    rankings = [place.with_suffix(".ranking") for place in places]
    told("merge", *rankings, "-o", folder / "merged.ranking")

    assert evaluated(folder / "merged.ranking") == evaluated(whole, "--actual", "y", "--score", "p")


def test_bins_say_what_they_cost(parts):
    folder, places = parts
    out = told(
        *("rank", places[0], "--actual", "y", "--score", "p", "--bins", "100"),
        *("-o", folder / "few.ranking"),
    )
    text = told("evaluate", folder / "few.ranking", "--no-intervals")

    assert "the AUC by all scores is within ±" in out
    assert "scores are in " in text
    document = evaluated(folder / "few.ranking")
    jsonschema.validate(document, json_schema())
    assert document["models"][0]["exact"] is False
    summaries = document["models"][0]["summaries"]
    assert 0 < summaries["auc"]["within"] < 0.01
    assert "scores are in " in summaries["brier"]["reason"]


def test_a_threshold_inside_a_bin_is_told(parts):
    folder, places = parts
    columns = ["--actual", "y", "--score", "p", "--bins", "20"]
    told("rank", places[0], *columns, "-o", folder / "few.ranking")

    text = told("evaluate", folder / "few.ranking", "--no-intervals", "--threshold", "0.51")

    assert "0.51 lies inside a bin" in " ".join(text.split())


def test_every_command_takes_a_ranking(tmp_path):
    told("rank", *WEATHER, "--output", tmp_path / "w.ranking")
    ranking = tmp_path / "w.ranking"

    assert told("curve", ranking).splitlines()[0].startswith("threshold,")
    assert "when the score is ≥ 0.7" in told("threshold", ranking, "--by", "youden", "--no-check")
    assert "actual yes" in told("evaluate", ranking)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rank", *SAH, "--score", "ndka", "-o", "x.ranking"], "give --score once"),
        (["rank", *SAH[:-2], "-o", "x.ranking"], "Missing option '--score'"),
        (["evaluate", SAH[0], "--score", "ndka"], "Missing option '--actual'"),
        (["merge", "none.ranking", "-o", "x.ranking"], "none.ranking cannot be read"),
        (["merge", SAH[0], "-o", "x.ranking"], "is not a ranking"),
        (["evaluate", "x.ranking", "--actual", "y"], "leave --actual and --score out"),
    ],
)
def test_wrong_use_is_one_sentence(arguments, said):
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert said in err


def test_rows_are_needed_to_compare_and_to_list(tmp_path):
    told("rank", *WEATHER, "--output", tmp_path / "w.ranking")

    for arguments in (["compare"], ["evaluate", "--predictions"]):
        code, _, err = run(arguments[0], tmp_path / "w.ranking", *arguments[1:])
        assert code == 2
        assert "Traceback" not in err


def test_probabilities_cannot_be_judged_in_bins(parts):
    folder, places = parts
    columns = ["--actual", "y", "--score", "p", "--bins", "20"]
    told("rank", places[0], *columns, "-o", folder / "few.ranking")

    code, out, err = run("calibration", folder / "few.ranking")

    assert (code, out) == (2, "")
    assert "bins, of which no score is known" in err


def test_costs_decide_on_a_ranking_as_on_its_rows(tmp_path):
    told("rank", *SAH, "-o", tmp_path / "sah.ranking")
    asked = ("--cost-fp", "1", "--cost-fn", "20", "--no-check")
    found = told("threshold", tmp_path / "sah.ranking", *asked)

    assert found == told("threshold", *SAH, *asked)


@pytest.mark.parametrize(
    "asked",
    [["--segment", "gender"], ["--fold", "k"], ["--weight", "w"], ["--exact"], ["--digits", "2"],
     ["--memory", "1GB"], ["--missing", "drop"], ["--table", "x"], ["--bad-rows", "skip"]],
)  # fmt: skip
def test_what_is_about_rows_is_refused_of_a_ranking(tmp_path, asked):
    told("rank", *SAH, "-o", tmp_path / "sah.ranking")
    code, _, err = run("evaluate", tmp_path / "sah.ranking", *asked)

    assert code == 2
    assert f"has counts and no rows: leave {asked[0]} out" in err


def test_a_sum_of_different_models_says_so(tmp_path):
    told("rank", *SAH, "-o", tmp_path / "one.ranking")
    told("rank", *SAH[:-1], "ndka", "-o", tmp_path / "two.ranking")
    text = told("merge", tmp_path / "one.ranking", tmp_path / "two.ranking", "-o", tmp_path / "m")

    assert "Note: rankings of 'ndka' and 's100b' were added up." in text
