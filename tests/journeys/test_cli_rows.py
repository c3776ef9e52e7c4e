"""Rows of an outcome from the command line."""

import csv
import json

import pytest
from command_line import GOLDEN, SAH, run

FN = [*SAH, "--threshold", "0.22", "--outcome", "fn"]
ANIMALS = "id,kind,cat,dog,fox,guess\n" + "".join(
    f"{row},{kind},{cat},{dog},{fox},{guess}\n"
    for row, kind, cat, dog, fox, guess in [
        ("a1", "cat", 6, 2, 1, "cat"),
        ("a2", "cat", 2, 3, 1, "dog"),
        ("a3", "dog", 5, 4, 1, "cat"),
        ("a4", "fox", 0, 1, 5, "fox"),
        ("a5", "cat", 1, 9, 1, "dog"),
    ]
)
KINDS = ["--actual", "kind", "--score", "cat", "--score", "dog", "--score", "fox"]


def test_false_negatives_are_listed_nearest_to_the_threshold_first():
    code, out, err = run("rows", *FN, "--nearest", "3", "--unit", "patients")

    # By hand: of 41 patients with a poor outcome, 15 have s100b < 0.22 (Youden's threshold).
    assert (code, err) == (0, "")
    headline = " ".join(out.split("\n\n")[0].split())
    assert headline.startswith("15 of 113 patients are false negatives, actual 1 and predicted 0")
    assert [line.split()[1] for line in out.splitlines() if line.strip()[:1].isdigit()][-3:] == [
        "0.16", "0.14", "0.13",
    ]  # fmt: skip


def test_ids_are_printed_only_when_asked_for():
    _, without, _ = run("rows", *FN)
    _, with_ids, _ = run("rows", *FN, "--id", "wfns", "--id", "age")

    assert "age" not in without
    assert "wfns  age" in with_ids


def test_twenty_rows_are_listed_unless_more_are_asked_for():
    for arguments, count in (([], 20), (["--nearest", "3"], 3), (["--nearest", "500"], 58)):
        _, out, _ = run(
            "rows", *SAH, "--threshold", "0.22", "--outcome", "tn", *arguments, "--format", "json"
        )
        document = json.loads(out)
        assert (len(document["rows"]), document["size"]) == (count, 58)


def test_the_file_holds_all_rows(tmp_path):
    path = tmp_path / "fn.csv"

    code, out, _ = run("rows", *FN, "--id", "age", "-o", path)

    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert code == 0
    assert out.startswith("Wrote ")
    assert len(rows) == 15
    distances = [float(row["distance"]) for row in rows]
    assert distances == sorted(distances)


def test_several_classes_name_a_cell_by_scores_or_by_labels(tmp_path):
    path = tmp_path / "animals.csv"
    path.write_text(ANIMALS)

    cell = ["--actual-class", "cat", "--predicted-class", "dog", "--id", "id"]
    _, by_scores, _ = run("rows", path, *KINDS, *cell, "--format", "csv")
    labels = ["--actual", "kind", "--predicted", "guess"]
    _, by_labels, _ = run("rows", path, *labels, *cell, "--format", "csv")
    _, errors, _ = run("rows", path, *labels, "--format", "json")
    _, inferred, _ = run("rows", path, "--predicted", "guess", *cell, "--format", "csv")

    assert by_scores.splitlines()[1:] == ["a2,2,cat,dog,1.0", "a5,5,cat,dog,8.0"]
    assert by_labels.splitlines()[1:] == ["a2,2,cat,dog", "a5,5,cat,dog"]
    assert inferred == by_labels
    assert [row["row"] for row in json.loads(errors)["rows"]] == [2, 3, 5]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*SAH], "Say which rows, with --outcome: fn, fp, tp, tn"),
        ([*SAH, "--outcome", "fnn"], "No outcome is called 'fnn'. Did you mean 'fn'?"),
        ([*SAH, "--score", "ndka", "--outcome", "fn"], "Rows are listed for one model"),
        ([*SAH, "--outcome", "fn", "--band", "0.3"], "--band takes two thresholds"),
        ([*SAH, "--outcome", "fn", "--id", "patient"], "There is no column 'patient'."),
        ([*SAH, "--outcome", "fn", "-o", "x.txt"], "x.txt should end in .parquet or .csv."),
        (
            [GOLDEN / "proc_aSAH_data.csv", "--actual", "poor", "--outcome", "fn"],
            "No column is named like a score",
        ),
    ],
)
def test_every_wrong_request_says_what_to_type_next(arguments, message):
    code, _, err = run("rows", *arguments)

    assert code == 2
    assert message in " ".join(err.split())


def test_a_saved_ranking_has_no_rows(tmp_path):
    run("rank", *SAH, "-o", tmp_path / "a.ranking")

    code, _, err = run("rows", tmp_path / "a.ranking", "--outcome", "fn")

    assert code == 2
    assert "A saved ranking holds counts, not rows: name the data." in " ".join(err.split())


@pytest.mark.parametrize("width", ["100", "80", "60"])
def test_screens_fit_the_terminal(width):
    _, out, _ = run("rows", *FN, "--id", "age", COLUMNS=width)

    assert max(map(len, out.splitlines())) <= int(width)
