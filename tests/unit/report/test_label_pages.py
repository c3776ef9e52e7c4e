"""The report of predicted labels: no threshold, but a matrix and a point in ROC space."""

import numpy as np
import pytest
from report_cases import Scripts

import tradeoff as to
from tradeoff.report.static_summary import CHART_WIDTH


@pytest.fixture
def page(tmp_path):
    random = np.random.default_rng(0)
    actual = np.where(random.random(80) < 0.4, "ill", "well")
    guesses = np.where(random.random(80) < 0.8, actual, np.where(actual == "ill", "well", "ill"))
    e = to.evaluate_labels(
        actual, {"rule": guesses, "coin": random.permutation(actual)}, positive="ill"
    )
    path = tmp_path / "page.html"
    e.report(path)
    return e, path.read_text("utf-8")


def test_the_document_holds_the_matrix_and_the_point(page):
    e, text = page
    document = Scripts(text).document()
    matrix = e["rule"].matrix
    model = document["models"][0]
    found, alarms = np.cumsum(model["found"]), np.cumsum(model["alarms"])

    assert document["labels_only"]
    assert (found[1], alarms[1]) == (matrix.true_positives, matrix.false_positives)
    for key, name in (("fpr", "false_positive_rate"), ("tpr", "true_positive_rate")):
        estimate = e["rule"].metric(name)
        point = model["point"][key]
        assert (point["value"], point["low"], point["high"]) == pytest.approx(
            (estimate.value, estimate.low, estimate.high)
        )
    assert [summary["name"] for summary in model["summaries"]] == ["auc"]
    assert model["recommendation"] is None
    assert model["bands"]["roc"] is None
    assert list(document["charts"]) == ["roc"]
    assert document["charts"]["roc"]["caption"] == "Crosses: 95% CI."


def test_no_sentence_speaks_of_a_threshold_to_move(page):
    document = Scripts(page[1]).document()
    abouts = [document["threshold_about"], document["models_about"]]
    sentences = " ".join([document["opening"]["sentence"], *abouts, *document["how"]])

    assert "there is no threshold to choose" in sentences
    assert "slider" not in sentences
    assert "score is at or above" not in sentences
    assert "can be moved" not in page[1]
    assert document["warnings"] == []


def test_without_scripts_the_points_are_drawn(page):
    e, text = page
    summary = text.partition("<noscript>")[2].partition("</noscript>")[0]

    assert summary.count("<svg") == 1
    assert f'width="{CHART_WIDTH}"' in summary
    assert "ROC plane" in summary
    assert f"<td>{e['rule'].matrix.true_positives}</td>" in summary
