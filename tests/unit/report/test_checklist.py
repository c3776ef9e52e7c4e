"""Checklists: what the data fill in, and what remains to the author."""

import json

import numpy as np
import pytest

import tradeoff as to
from tradeoff.errors import UnknownName
from tradeoff.report.checklist import Study, checklist_document, checklist_items
from tradeoff.report.guidelines import GUIDELINES
from tradeoff.thresholds.operating_threshold import Goal, operating_thresholds
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE
from tradeoff.wording import Wording

NAN = float("nan")
ACTUAL = ["ill", "ill", "ill", "ill", "well", "well", "well", "well", "well", "well"]
SCORE = [0.9, 0.8, 0.4, NAN, 0.7, 0.3, 0.2, 0.1, 0.6, NAN]
"""At 0.5: 2 true positives, 1 false negative, 2 false positives, 3 true negatives."""


def evaluation(**options):
    return to.evaluate(ACTUAL, {"test": SCORE}, positive="ill", missing="reject", **options)


def study(e, *, confidence=DEFAULT_CONFIDENCE, comparison=None, wording=None, **choices):
    thresholds = operating_thresholds(e.rankings, **choices)
    wording = wording or Wording("patients")
    return Study(e.models, thresholds, confidence, comparison, wording)


def items(e, name="stard-ai", **options):
    return {item.number: item for item in checklist_items(name, study(e, **options))}


def test_the_matrix_and_the_flow_are_counted():
    stard = items(evaluation())

    assert stard["30"].status == "filled in"
    assert stard["30"].text == (
        "test ≥ 0.5: 2 true positives, 2 false positives, 1 false negative, 3 true negatives, "
        "1 “ill” without a result, 1 “well” without a result."
    )
    assert stard["24"].status == "you must state"
    assert stard["24"].text.splitlines() == [
        (
            "test ≥ 0.5: of 10 patients, 4 have a positive result (2 “ill”, 2 “well”), 4 a "
            "negative one (1 “ill”, 3 “well”), 2 none."
        ),
        "Draw the flow of participants, with those who were excluded.",
    ]


def test_indeterminate_results_are_counted_both_ways():
    item = items(evaluation(), confidence=None)["19"]

    assert item.status == "filled in"
    assert item.text.splitlines() == [
        "test ≥ 0.5: 2 patients without a result (1 “ill”, 1 “well”).",
        "Left out: sensitivity 0.667, specificity 0.600.",  # 2 of 3, 3 of 5
        "Counted as wrong: sensitivity 0.500, specificity 0.500.",  # 2 of 4, 3 of 6
    ]


def test_intervals_of_results_counted_as_wrong_are_those_of_the_rates():
    e = evaluation()
    text = items(e)["19"].text.splitlines()[-1]
    recall = e.metric("recall", threshold=0.5)

    assert f"sensitivity {recall.value:.3f} ({recall.low:.3f}–{recall.high:.3f})" in text


def test_rows_that_were_left_out_are_for_the_author():
    e = to.evaluate(ACTUAL, {"test": SCORE}, positive="ill", missing="drop")
    stard = items(e)

    assert stard["19"].status == "you must state"
    assert "2 rows without a score: left out; --missing reject counts them both ways." in (
        stard["19"].text
    )
    assert stard["20"].status == "filled in"
    assert "2 rows without a score: left out." in stard["20"].text


def test_complete_rows_have_no_indeterminate_or_missing_results():
    e = to.evaluate([1, 0, 1, 0], [0.9, 0.2, 0.6, 0.7])
    stard = items(e)

    assert stard["19"].text == "Every patient has a positive or a negative result."
    assert stard["20"].text == "All patients that were read have a class and a score."
    assert {stard["19"].status, stard["20"].status} == {"filled in"}


@pytest.mark.parametrize(
    ("choices", "status", "text"),
    [
        ({"threshold": 0.3}, "you must state", "test ≥ 0.3: the threshold was given."),
        (
            {},
            "filled in",
            "test ≥ 0.5: the conventional threshold of probabilities, not chosen on these data.",
        ),
        (
            {"costs": {"test": to.Costs(fp=1, fn=20)}},
            "filled in",
            "where the cost is lowest on these patients, so it is exploratory, not prespecified.",
        ),
        ({"goal": Goal("youden")}, "filled in", "the best on these patients by Youden's J, so it"),
    ],
)
def test_the_choice_of_the_threshold_is_told_where_it_is_known(choices, status, text):
    item = items(evaluation(), **choices)["15c"]

    assert item.status == status
    assert text in item.text
    assert ("State why" in item.text) == (status == "you must state")


def test_estimates_are_those_of_the_library():
    e = to.evaluate(to.datasets.load("asah"), actual="poor", score=["s100b", "wfns"])
    text = items(e, threshold={"s100b": 0.22, "wfns": 4})["31"].text

    s100b = e["s100b"]
    for name in ("sensitivity", "specificity", "PPV", "NPV"):
        estimate = s100b.metric(name, threshold=0.22)
        shown = f"{name} {estimate.value:.3f} ({estimate.low:.3f}–{estimate.high:.3f})"
        assert shown in text.splitlines()[1]
    assert f"AUC {s100b.auc.value:.3f} ({s100b.auc.low:.3f}–{s100b.auc.high:.3f})" in text
    assert text.splitlines()[0] == "In parentheses: 95% CI."


def test_differences_and_methods_come_from_the_comparison():
    columns = {"actual": "poor", "score": ["s100b", "ndka"]}
    e = to.evaluate(to.datasets.load("asah"), **columns)
    comparison = to.compare(to.datasets.load("asah"), **columns)
    stard = items(e, comparison=comparison)

    assert "s100b − ndka: AUC +0.119 (−0.049 to +0.288), adjusted p = 0.16." in stard["31"].text
    assert "Differences in AUC: DeLong; p-values adjusted by Holm's method." in stard["18"].text
    assert "sensitivity, specificity, PPV, NPV: Wilson" in stard["18"].text
    assert "tradeoff" in stard["18"].text


def test_without_intervals_estimates_remain_to_be_stated():
    stard = items(evaluation(), confidence=None)

    assert stard["31"].status == "you must state"
    assert "Give estimates of accuracy with confidence intervals." in stard["31"].text
    assert stard["18"].status == "you must state"


def test_segments_and_folds_are_listed():
    random = np.random.default_rng(0)
    actual, score = random.random(300) < 0.4, random.random(300)
    part = np.where(np.arange(300) < 200, "large", "small")
    e = to.evaluate(actual, score, segment=part, fold=np.arange(300) % 3)
    stard, tripod = items(e), items(e, "tripod-ai")

    assert "score ≥ 0.5, large (200 patients): AUC" in stard["21"].text
    assert "Accuracy is reported for 2 segments: large, small." in stard["23"].text
    aucs = [to.evaluate(actual[k::3], score[k::3]).auc.value for k in range(3)]
    span = f"from {min(aucs):.3f} to {max(aucs):.3f}, mean {np.mean(aucs):.3f}"
    assert tripod["23b"].text == f"score over 3 folds: AUC {span}."
    assert tripod["23b"].status == "filled in"


def test_without_segments_and_folds_the_author_is_told_how_to_add_them():
    stard, tripod = items(evaluation()), items(evaluation(), "tripod-ai")

    assert stard["21"].status == "you must state"
    assert "--segment" in stard["21"].text
    assert tripod["23b"].status == "you must state"


def test_calibration_is_for_probabilities():
    scores = {"p": [0.1, 0.4, 0.35, 0.8, 0.6, 0.2], "marker": [1, 9, 3, 12, 4, 2]}
    tripod = items(to.evaluate([0, 1, 0, 1, 1, 0], scores), "tripod-ai")

    assert "p: observed/expected ratio 1.22" in tripod["23a"].text  # 3 of 2.45 expected
    assert "marker: no calibration, as it returns no probabilities." in tripod["23a"].text
    assert "p returns probabilities from 0.1 to 0.8." in tripod["15"].text
    assert "marker returns scores from 1 to 12." in tripod["15"].text


def test_models_on_different_rows_have_their_own_counts():
    rankings = {
        "a": to.evaluate([0, 1, 1], [0.1, 0.6, 0.9]).ranking,
        "b": to.evaluate([0, 1], [0.1, 0.6]).ranking,
    }
    text = items(to.Evaluation(rankings))["22"].text

    assert "a: 3 patients: 2 “1” and 1 “0”." in text
    assert "b: 2 patients: 1 “1” and 1 “0”." in text


def test_many_models_are_counted_not_listed():
    random = np.random.default_rng(0)
    e = to.evaluate(random.random(80) < 0.5, {f"m{i}": random.random(80) for i in range(11)})
    text = items(e)["30"].text

    assert "m7 ≥ 0.5" in text
    assert "m8 ≥ 0.5" not in text
    assert "And 3 more models: see the table of models." in text


def test_low_scores_that_are_positive_are_told():
    e = to.evaluate([1, 1, 0, 0], [0.1, 0.2, 0.7, 0.9], lower_is_positive=True)

    assert items(e, threshold=0.3)["30"].text.startswith("score ≤ 0.3: 2 true positives")


@pytest.mark.parametrize(("actual", "score"), [([1, 1], [0.2, 0.7]), ([0], [0.5])])
def test_rows_of_one_class_say_what_is_undefined(actual, score):
    e = to.evaluate(actual, score)
    for name in GUIDELINES:
        document = checklist_document(name, study(e))
        assert "undefined (" in json.dumps(document, allow_nan=False)


def test_predicted_labels_have_no_threshold():
    e = to.evaluate_labels(
        ["ill", "well", "ill", "well"], ["ill", "ill", "ill", "well"], positive="ill"
    )
    (name,) = e.rankings
    models = to.Evaluation(e.rankings).models
    labels = Study(
        models, operating_thresholds(models.rankings, threshold=0.5), None, has_thresholds=False
    )
    stard = {item.number: item for item in checklist_items("stard-ai", labels)}

    assert stard["15c"].text == "The models return classes: there is no threshold."
    assert stard["30"].text.startswith(f"{name}: 2 true positives, 1 false positive, 0 false neg")
    assert "AUC" not in stard["31"].text


def test_the_report_holds_the_checklist(tmp_path):
    e = evaluation()
    document = e._page_document(checklist="tripod-ai")

    assert document["checklist"]["title"].startswith("TRIPOD+AI 2024")
    assert len(document["checklist"]["items"]) == 52
    assert set(document["checklist"]["items"][0]) == {"number", "topic", "status", "text"}
    assert e._page_document()["checklist"] is None
    e.report(tmp_path / "page.html", checklist="stard-ai")
    with pytest.raises(
        UnknownName, match=r"No checklist is called 'stard'\. Checklists: 'stard-ai'"
    ):
        e.report(tmp_path / "page.html", checklist="stard")


def test_names_from_data_are_shortened_and_without_control_characters():
    e = to.evaluate([0, 1], {"m\x1b[31m" + "x" * 99: [0.2, 0.9]})
    text = items(e)["30"].text

    assert text.startswith("m?[31mxxx")
    assert len(text) < 160
