"""Commands answer in the word that was asked, and in the vocabulary of a field."""

import csv
import io
import json

import jsonschema
import pytest
from command_line import SAH, output
from report_cases import Scripts

from tradeoff.schemas import json_schema

ONE = [*SAH, "--threshold", "0.3"]
TWO = [*SAH, "--score", "ndka"]
FAST = ["--replicates", "20"]


def document_of(*arguments):
    document = json.loads(output(*arguments, "--format", "json"))
    jsonschema.validate(document, json_schema(document["schema"].split("/")[1]))
    return document


def test_json_and_csv_hold_the_measures_asked_for_with_their_labels():
    asked = ["evaluate", *ONE, "--metric", "sensitivity", "--metric", "auroc"]
    model = document_of(*asked)["models"][0]
    lines = list(csv.DictReader(io.StringIO(output(*asked, "--format", "csv"))))

    assert {name: e["label"] for name, e in model["summaries"].items()} == {"auc": "auroc"}
    assert {name: e["label"] for name, e in model["at"]["metrics"].items()} == {
        "true_positive_rate": "sensitivity"
    }
    assert [(line["measure"], line["label"]) for line in lines] == [
        ("auc", "auroc"),
        ("true_positive_rate", "sensitivity"),
    ]


@pytest.mark.parametrize(
    ("vocabulary", "label"),
    [
        ("general", "recall (sensitivity)"),
        ("ml", "recall"),
        ("clinical", "sensitivity"),
        ("marketing", "cumulative response"),
    ],
)
def test_labels_are_those_of_the_vocabulary(vocabulary, label):
    words = ["--vocabulary", vocabulary]
    metrics = document_of("evaluate", *ONE, *words)["models"][0]["at"]["metrics"]
    segments = document_of("segments", *ONE, "--segment", "gender", *words)
    decision = document_of("threshold", *SAH, "--no-check", *words)
    matrix = document_of("matrix", "7 2; 4 1", *words)

    assert len(metrics) == 90
    assert metrics["true_positive_rate"]["label"] == label
    assert segments["metrics"][1]["label"] == f"{label} at threshold 0.3"
    assert decision["metrics"]["true_positive_rate"]["label"] == label
    assert matrix["metrics"]["true_positive_rate"]["label"] == label
    heading = f"{label[0].upper()}{label[1:]} at threshold 0.3 by segment"
    assert heading in output("segments", *ONE, "--segment", "gender", *words)
    assert label in output("matrix", "7 2; 4 1", *words)
    assert label in output("threshold", *SAH, "--no-check", *words)
    assert "AUC" in output("compare", *TWO, *words)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["evaluate", *ONE, "--metric", "fall_out"], "fall_out"),
        (
            ["compare", *TWO, "--metric", "sensitivity", "--at", "threshold=0.5", *FAST],
            "sensitivity at threshold 0.5 −0.7",
        ),
        (["compare", *TWO, "--metric", "auroc"], "auroc +0.119"),
        (["compare", *TWO, "--metric", "auroc", "--method", "delong"], "auroc +0.119"),
        (["segments", *ONE, "--segment", "gender", "--metric", "auroc"], "Gaps in auroc"),
        (["threshold", *SAH, "--by", "sensitivity", "--target", "0.8"], "Sensitivity ≥ 0.8"),
        (["threshold", *SAH, "--by", "Youden"], "Highest Youden's J"),
        (["explain", "sensitivity"], "sensitivity (true_positive_rate)"),
        (["plot", *SAH, "--x", "fall_out", "--y", "sensitivity"], "Sensitivity by fall out"),
        (
            ["curve", *SAH, "--x", "specificity", "--y", "ppv", "--format", "text"],
            "ppv over specificity",
        ),
    ],
)
def test_screens_answer_in_the_word_that_was_asked(arguments, text):
    screen = output(*arguments, COLUMNS="120")

    assert text in screen
    assert "true positive rate" not in screen


def test_a_gate_answers_in_the_word_that_was_asked():
    models = [
        "--baseline",
        SAH[0],
        "--candidate",
        SAH[0],
        "--actual",
        "poor",
        "--positive",
        "1",
    ]
    columns = ["--score", "s100b", "--candidate-score", "wfns", "--margin", "1"]
    asked = ["gate", *models, *columns, "--metric", "auroc"]

    assert "auroc" in output(*asked)
    assert document_of(*asked)["gates"][0]["label"] == "auroc"


def test_a_report_shows_the_metrics_asked_for(tmp_path):
    page = tmp_path / "r.html"
    asked = ["--metric", "sensitivity", "--metric", "auroc", "--metric", "f1(beta=2)"]
    output("report", *SAH, "--output", str(page), *asked, "--vocabulary", "clinical")
    document = Scripts(page.read_text("utf-8")).document()
    shown = [entry for entry in document["metrics"] if entry.get("headline", {}).get("page")]

    assert [entry["name"] for entry in shown] == ["true_positive_rate", "f_measure(beta=2)"]
    assert [summary["name"] for summary in document["models"][0]["summaries"]] == ["auc"]
    assert document["labels"]["true_positive_rate"] == "sensitivity"
    assert document["labels"]["f_measure(beta=2)"] == "f1(beta=2)"
    assert document["labels"]["precision"] == "PPV"
    assert document["labels"]["auc"] == "auroc"
