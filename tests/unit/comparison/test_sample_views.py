"""Comparisons between samples on screen, in JSON, as CSV and as a chart."""

import csv

import pandas as pd

import tradeoff as to

THEN = pd.DataFrame({"y": [0, 0, 1, 0, 1, 1], "p": [1, 2, 3, 4, 5, 6], "q": [2, 1, 6, 5, 4, 3]})
NOW = pd.DataFrame({"y": [0, 1, 0, 1], "p": [1, 2, 3, 4], "q": [2, 1, 4, 3]})
SAMPLES = {"then": THEN, "now": NOW}


def test_each_sample_is_a_line_with_its_prevalence(tmp_path):
    path = tmp_path / "now.csv"
    NOW.to_csv(path, index=False)
    lines = str(to.compare_samples({"then": THEN, "now": path}, "p", actual="y")).splitlines()

    assert lines[0].startswith("Independent samples: then and now, each with rows of its own.")
    assert any(line.startswith("now: ") and line.endswith("now.csv.") for line in lines)
    assert any(line.split()[:4] == ["then", "6", "3", "(50.0%)"] for line in lines)
    assert any(line.startswith("now − then: AUC 0.750 − 0.889 = −0.14 (") for line in lines)


def test_several_models_are_named_with_their_sample():
    text = str(to.compare_samples(SAMPLES, ["p", "q"], actual="y"))

    assert "p now − p then" in text
    assert "q now − q then" in text


def test_samples_with_the_same_counts_have_a_note():
    shuffled = THEN.sample(frac=1, random_state=1)
    notes = to.compare_samples({"a": THEN, "b": shuffled}, "p", actual="y").to_dict()["notes"]

    assert "if they are the same rows, they are not independent" in notes[0]
    assert "same rows" not in str(to.compare_samples(SAMPLES, "p", actual="y").to_dict()["notes"])


def test_tables_have_a_row_for_each_difference():
    compared = to.compare_samples(SAMPLES, ["p", "q"], actual="y")
    rows = list(csv.DictReader(compared.to_csv().splitlines()))

    assert [row["first"] for row in rows] == ["p now", "q now"]
    assert [len(column) for column in compared.columns().values()] == [2] * len(compared.columns())
    assert compared.chart().y.names == ("p now − p then", "q now − q then")
