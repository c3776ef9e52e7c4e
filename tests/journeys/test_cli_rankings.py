"""Rankings on the command line: counts are shared, never rows."""

import json

import jsonschema
import numpy as np
import pytest
from command_line import SAH, WEATHER, output, run

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
    return json.loads(output("evaluate", *arguments, "--format", "json", "--replicates", "20"))


def test_merged_parts_are_evaluated_as_one_file_would_be(parts):
    folder, places = parts
    whole = folder / "whole.csv"
    lines = [line for place in places for line in place.read_text().splitlines()[1:]]
    whole.write_text("\n".join(["y,p", *lines]) + "\n")
    for place in places:
        output("rank", place, "--actual", "y", "--score", "p", "-o", place.with_suffix(".ranking"))
    rankings = [place.with_suffix(".ranking") for place in places]
    output("merge", *rankings, "-o", folder / "merged.ranking")

    assert evaluated(folder / "merged.ranking") == evaluated(whole, "--actual", "y", "--score", "p")


def test_bins_report_the_bound_on_the_auc(parts):
    folder, places = parts
    out = output(
        *("rank", places[0], "--actual", "y", "--score", "p", "--bins", "100"),
        *("-o", folder / "few.ranking"),
    )
    text = output("evaluate", folder / "few.ranking", "--no-intervals")

    assert "the AUC of the unbinned scores is within ±" in " ".join(out.split())
    assert "scores are in " in text
    document = evaluated(folder / "few.ranking")
    jsonschema.validate(document, json_schema())
    assert document["models"][0]["exact"] is False
    summaries = document["models"][0]["summaries"]
    assert 0 < summaries["auc"]["within"] < 0.01
    assert "scores are in " in summaries["brier"]["reason"]


def test_a_threshold_inside_a_bin_has_a_note(parts):
    folder, places = parts
    columns = ["--actual", "y", "--score", "p", "--bins", "20"]
    output("rank", places[0], *columns, "-o", folder / "few.ranking")

    text = output("evaluate", folder / "few.ranking", "--no-intervals", "--threshold", "0.51")

    assert "0.51 lies inside a bin" in " ".join(text.split())


def test_every_command_takes_a_ranking(tmp_path):
    output("rank", *WEATHER, "--output", tmp_path / "w.ranking")
    ranking = tmp_path / "w.ranking"

    assert output("curve", ranking).splitlines()[0].startswith("threshold,")
    assert "≥ 0.7" in output("threshold", ranking, "--by", "youden", "--no-check")
    assert "actual yes" in output("evaluate", ranking)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rank", *SAH, "--score", "ndka", "-o", "x.ranking"], "give --score once"),
        (["rank", *SAH[:-2], "-o", "x.ranking"], "No column is named like a score"),
        (["evaluate", SAH[0], "--score", "ndka"], "Which one is positive?"),
        (["merge", "none.ranking", "-o", "x.ranking"], "none.ranking cannot be read"),
        (["merge", SAH[0], "-o", "x.ranking"], "is not a ranking"),
        (["evaluate", "x.ranking", "--actual", "y"], "leave out --actual and --score"),
    ],
)
def test_invalid_use_is_an_error_message(arguments, message):
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert message in err


def test_comparing_and_listing_predictions_require_rows(tmp_path):
    output("rank", *WEATHER, "--output", tmp_path / "w.ranking")

    for arguments in (["compare"], ["evaluate", "--predictions"]):
        code, _, err = run(arguments[0], tmp_path / "w.ranking", *arguments[1:])
        assert code == 2
        assert "Traceback" not in err


def test_calibration_is_refused_for_a_binned_ranking(parts):
    folder, places = parts
    columns = ["--actual", "y", "--score", "p", "--bins", "20"]
    output("rank", places[0], *columns, "-o", folder / "few.ranking")

    code, out, err = run("calibration", folder / "few.ranking")

    assert (code, out) == (2, "")
    assert "bins, so single scores are unknown" in err


def test_costs_decide_on_a_ranking_as_on_its_rows(tmp_path):
    output("rank", *SAH, "-o", tmp_path / "sah.ranking")
    options = ("--cost-fp", "1", "--cost-fn", "20", "--no-check")
    text = output("threshold", tmp_path / "sah.ranking", *options)

    assert text == output("threshold", *SAH, *options)


@pytest.mark.parametrize(
    "options",
    [["--segment", "gender"], ["--fold", "k"], ["--weight", "w"], ["--exact"], ["--digits", "2"],
     ["--memory", "1GB"], ["--missing", "drop"], ["--table", "x"], ["--bad-rows", "skip"]],
)  # fmt: skip
def test_options_about_rows_are_refused_for_a_ranking(tmp_path, options):
    output("rank", *SAH, "-o", tmp_path / "sah.ranking")
    code, _, err = run("evaluate", tmp_path / "sah.ranking", *options)

    assert code == 2
    assert f"holds counts, not rows: leave out {options[0]}" in err


def test_merging_rankings_of_different_models_has_a_note(tmp_path):
    output("rank", *SAH, "-o", tmp_path / "one.ranking")
    output("rank", *SAH[:-1], "ndka", "-o", tmp_path / "two.ranking")
    text = output("merge", tmp_path / "one.ranking", tmp_path / "two.ranking", "-o", tmp_path / "m")

    assert "Note: rankings of 'ndka' and 's100b' were merged." in text


def test_models_are_not_compared_where_there_are_only_counts(tmp_path):
    names = ["s100b", "ndka"]
    paths = [tmp_path / f"{name}.ranking" for name in names]
    for name, path in zip(names, paths, strict=True):
        output("rank", *SAH[:-1], name, "--output", path)

    for files in (paths[:1], paths):
        code, _, err = run("compare", *files)
        assert code == 2
        assert "A saved ranking has counts but no rows, and comparisons need rows: name" in err
    code, _, err = run("threshold", *paths)
    assert code == 2
    assert "Name one saved ranking. Several models: tradeoff report;" in err


def test_rows_read_in_batches_have_no_differences_between_models(parts):
    folder, _ = parts
    lines = (folder / "part0.csv").read_text().split()[1:]
    (folder / "two.csv").write_text(
        "\n".join(["y,p,q", *(f"{line},{i * 37 % 101}" for i, line in enumerate(lines))]) + "\n"
    )
    options = ["--actual", "y", "--score", "p", "--score", "q", "--by", "youden"]
    text = output("threshold", folder / "two.csv", *options, "--memory", "400MB")

    assert "Differences between models are not shown: they need the rows in memory." in text
