"""Predicted labels as text, JSON and charts: names are text, and the words fit labels."""

import pytest

import tradeoff as to
from tradeoff.errors import UnknownName

E = to.evaluate_labels(["a", "b", "a"], {"<b>rule</b>": ["a", "a", "b"]}, positive="a")


def test_names_from_data_are_text_in_every_format():
    assert "<b>" not in E.to_html()
    assert "<b>" not in E.to_markdown()
    assert E.to_dict()["models"][0]["name"] == "<b>rule</b>"


def test_notes_about_missing_predictions_are_shown():
    labels = {"m": ["a", None, "b"]}
    evaluation = to.evaluate_labels(["a", "b", "a"], labels, positive="a", missing="drop")

    assert "Note: 1 row without a prediction of m: left out." in str(evaluation)
    assert evaluation.to_dict()["notes"] == ["1 row without a prediction of m: left out"]


def test_undecided_rows_have_a_line_or_column_of_their_own():
    labels = ["a", "?", "b"]
    evaluation = to.evaluate_labels(["a", "b", "a"], labels, positive="a", rejected="?")

    assert "rejected" in str(evaluation)
    clinical = evaluation.to_markdown().splitlines()
    assert any("rejected" in line for line in clinical)


def test_the_comparison_lists_values_and_differences():
    labels = {"m": ["a", "b", "a", "b"], "n": ["b", "b", "a", "a"]}
    text = str(to.evaluate_labels(["a", "b", "a", "b"], labels, positive="a").compare())

    assert text.startswith("4 rows with predictions of both models, 2 positive (a).")
    assert "m − n: accuracy +0.500" in text


def test_a_chart_is_of_points_or_of_one_matrix():
    assert E.chart("matrix").title == "Confusion matrix"
    with pytest.raises(UnknownName, match='have the charts "roc" and "matrix"'):
        E.chart("gains")
