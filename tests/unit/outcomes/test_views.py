"""Screens and documents of the rows of an outcome."""

import json

import pytest

import tradeoff as to

ROWS = [1, 1, 0, 1, 0], [0.9, 0.4, 0.3, 0.1, 0.8]


def shown(**options):
    return to.outcome_rows(*ROWS, **options)


@pytest.mark.parametrize(
    ("options", "headline"),
    [
        (
            {"outcome": "fn"},
            "2 of 5 rows are false negatives, actual 1 and predicted 0 (predicted 1 if score ≥",
        ),
        (
            {"outcome": "fp", "unit": "patients"},
            "1 of 5 patients is a false positive, actual 0 and predicted 1 (predicted 1 if",
        ),
        ({"outcome": "fp", "threshold": 2}, "0 of 5 rows are false positives, actual 0 and"),
        ({"outcome": "error", "nearest": 1}, "3 of 5 rows are errors (predicted 1 if score ≥ 0.5)"),
        (
            {"outcome": "rejected", "band": (0.3, 0.5)},
            "2 of 5 rows are rejected (predicted 1 if score ≥ 0.5, 0 if < 0.3), nearest",
        ),
    ],
)
def test_the_first_sentence_counts_the_rows_and_names_the_rule(options, headline):
    text = str(shown(**options)).split("\n\n")[0].replace("\n", " ")

    assert text.startswith(headline)


def test_the_table_lists_ids_first_and_nothing_if_there_are_no_rows():
    lines = str(shown(outcome="fn", ids={"patient": list("abcde")})).splitlines()

    assert lines[-3].split() == ["patient", "row", "score", "actual", "predicted", "distance"]
    assert lines[-2].split() == ["b", "2", "0.4", "1", "0", "0.1"]
    assert "score  actual" not in str(shown(outcome="fp", threshold=2))


def test_names_from_data_are_printed_as_text():
    assert "\x1b" not in str(shown(outcome="fn", ids={"id": ["\x1b[31m"] * 5}))


def test_documents_are_json_and_have_no_infinite_numbers():
    document = shown(outcome="tn", threshold=float("inf")).to_dict()

    assert document["threshold"] is None
    assert json.loads(json.dumps(document, allow_nan=False)) == document
