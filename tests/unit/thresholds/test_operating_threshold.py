"""The operating threshold: the one given, the best for costs or a goal, 0.5, or Youden's."""

import math

import numpy as np
import pytest

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.thresholds.operating_threshold import (
    Goal,
    OperatingThreshold,
    goal_of,
    has_probabilities,
    operating_threshold,
    operating_thresholds,
    require_thresholds,
    threshold_sentences,
    thresholds_by_model,
)

ACTUAL = [0, 0, 1, 0, 1, 1]
PROBABILITIES = [0.1, 0.3, 0.35, 0.6, 0.7, 0.9]
MARKER = [3, 8, 12, 20, 40, 60]


def ranking(scores, actual=ACTUAL, **options):
    return to.evaluate(actual=actual, score=scores, **options).ranking


@pytest.mark.parametrize(
    ("scores", "is_probability"),
    [
        (PROBABILITIES, True),
        ([0, 0, 1, 0, 1, 1], True),
        ([-1e-9, 0, 0.5, 0.2, 1, 1 + 1e-9], True),  # sums of rounded numbers
        ([0.1, 0.2, 0.3, 0.4, 0.5, 1.01], False),
        ([-0.1, 0.2, 0.3, 0.4, 0.5, 0.6], False),
        (MARKER, False),
        ([100 * p for p in PROBABILITIES], False),
        ([0.1, 0.2, 0.3, 0.4, 0.5, math.inf], False),
    ],
)
def test_scores_within_0_and_1_are_probabilities(scores, is_probability):
    assert has_probabilities(ranking(scores)) is is_probability


def test_probabilities_keep_one_half_and_it_is_not_provisional():
    threshold = operating_threshold(ranking(PROBABILITIES))

    assert (threshold.value, threshold.reason) == (0.5, "convention")
    assert not threshold.is_provisional


@pytest.mark.parametrize("scores", [MARKER, [100 * p for p in PROBABILITIES]])
def test_other_scores_and_percentages_get_youdens_threshold_provisionally(scores):
    threshold = operating_threshold(ranking(scores))

    assert threshold.value == to.Evaluation({"m": ranking(scores)}).best("youden").threshold
    assert threshold.reason == "youden"
    assert threshold.is_provisional


def test_costs_choose_the_threshold_of_lowest_cost():
    # By hand, at >= 0.35: one false positive (0.6) costs 1; no positive is missed.
    threshold = operating_threshold(ranking(PROBABILITIES), costs=to.Costs(fp=1, fn=5))

    assert (threshold.value, threshold.reason) == (0.35, "cost")
    # At >= 0.7, two of three positives are found without a false positive: one miss costs 1.
    assert operating_threshold(ranking(PROBABILITIES), costs=to.Costs(fp=5, fn=1)).value == 0.7


def test_a_goal_chooses_before_costs_do():
    goal = Goal("fpr", 0.0)
    threshold = operating_threshold(ranking(PROBABILITIES), costs=to.Costs(fn=5), goal=goal)

    assert (threshold.value, threshold.reason) == (0.7, "goal")


def test_a_prevalence_weights_costs_and_is_no_goal():
    probabilities = ranking(PROBABILITIES)
    rare = operating_threshold(probabilities, costs=to.Costs(fn=5), prevalence=0.01)

    assert operating_threshold(probabilities, prevalence=0.01).value == 0.5
    assert rare.value == 0.7  # with so few positives, false positives cost more than misses


def test_a_given_threshold_is_used_whatever_else_is_known():
    threshold = operating_threshold(ranking(MARKER), threshold=0.5, costs=to.Costs())

    assert (threshold.value, threshold.reason) == (0.5, "given")


def test_with_one_class_nothing_can_be_chosen():
    threshold = operating_threshold(ranking([3, 12], actual=[0, 0]))

    assert (threshold.value, threshold.reason) == (0.5, "arbitrary")
    assert threshold.is_provisional


def test_models_without_a_given_threshold_have_their_default():
    rankings = to.evaluate(
        actual=ACTUAL, score={"p": PROBABILITIES, "s": MARKER, "t": MARKER}
    ).rankings
    thresholds = operating_thresholds(rankings, threshold={"t": 10})

    assert [t.reason for t in thresholds.values()] == ["convention", "youden", "given"]
    assert thresholds["t"].value == 10


@pytest.mark.parametrize(
    ("threshold", "error", "message"),
    [
        ({"merker": 12}, UnknownName, "no model has this name. Did you mean 'marker'?"),
        ({"marker": "high"}, InputError, "The threshold of marker must be a number"),
        ({"marker": math.nan}, InputError, "The threshold of marker is NaN"),
        (math.nan, InputError, "A threshold is NaN"),
        ("0.5", InputError, "must be a number, not '0.5'"),
    ],
)
def test_a_threshold_that_makes_no_sense_is_an_error(threshold, error, message):
    with pytest.raises(error) as problem:
        thresholds_by_model(threshold, ["marker"])
    assert message in str(problem.value)


def test_a_target_needs_a_criterion():
    assert goal_of(None, None) is None
    assert goal_of("tpr", 0.9) == Goal("tpr", 0.9)
    with pytest.raises(InputError, match="name it, as in by='tpr'"):
        goal_of(None, 0.9)


def test_conclusions_never_rest_on_a_threshold_that_nobody_gave():
    rankings = to.evaluate(actual=ACTUAL, score={"p": PROBABILITIES, "s": MARKER}).rankings

    assert require_thresholds({"p": rankings["p"]}, None, "recall") == {"p": 0.5}
    assert require_thresholds(rankings, 10, "recall") == {"p": 10, "s": 10}
    with pytest.raises(InputError) as problem:
        require_thresholds(rankings, None, "recall")
    assert str(problem.value) == (
        "recall needs a threshold: s from 3 to 60 is not a probability, so 0.5 would be arbitrary. "
        "Give at=(\"threshold\", {'s': …}); `tradeoff threshold` recommends thresholds."
    )


def test_sentences_name_models_only_where_they_differ():
    convention, given = OperatingThreshold(0.5, "convention"), OperatingThreshold(12, "given")

    (sentence,) = threshold_sentences({"a": convention, "b": convention})
    assert sentence.startswith("Threshold: 0.5, the conventional one for probabilities")
    assert threshold_sentences({"a": given, "b": given}) == []
    assert threshold_sentences({"a": convention, "b": given}) == [
        (
            "Threshold: a 0.5, the conventional one for probabilities; name costs or a goal for a "
            "better one."
        ),
        "Threshold: b 12, as given.",
    ]


def test_everything_of_an_evaluation_is_at_its_operating_threshold():
    e = to.evaluate(actual=ACTUAL, score=MARKER, costs=to.Costs(fn=5))

    assert e.operating_threshold == 12
    assert e.at() == e.at(12)
    assert e.metric("recall").value == e.metric("recall", threshold=12).value == 1
    assert e.estimate("recall").value == 1
    assert e.expenses().total == e.expenses(12).total == 1
    at = e.to_dict()["models"][0]["at"]
    assert (at["threshold"], at["reason"], at["provisional"]) == (12, "cost", False)
    assert e.columns()["threshold"][-1] == 12


def test_an_evaluation_takes_a_threshold_for_each_model():
    scores = {"p": PROBABILITIES, "s": MARKER}
    e = to.evaluate(actual=ACTUAL, score=scores, threshold={"p": 0.35, "s": 12})

    assert e["p"].at() == e["s"].at() == e["p"].at(0.35)
    assert [model["at"]["threshold"] for model in e.to_dict()["models"]] == [0.35, 12]
    with pytest.raises(UnknownName, match="Did you mean 's'"):
        to.evaluate(actual=ACTUAL, score=scores, threshold={"S": 12})


def test_the_matrix_of_a_chart_is_that_of_the_operating_threshold():
    e = to.evaluate(actual=ACTUAL, score=MARKER)

    assert e.chart("matrix") == e.chart("matrix", threshold=e.operating_threshold)


def test_the_report_opens_at_the_operating_thresholds():
    scores = {"p": PROBABILITIES, "s": MARKER}
    e = to.evaluate(actual=ACTUAL, score=scores)
    page = e._page_document()
    costly = e._page_document(costs=to.Costs(fn=5))
    nobody = e["p"]._page_document(costs=to.Costs(fp=100), prevalence=0.001)

    assert (page["threshold"], [m["opening"] for m in page["models"]]) == (0.5, [None, 40])
    assert page["threshold_about"].startswith("Threshold: p 0.5, the conventional one")
    assert "Provisional threshold: s 40" in page["threshold_about"]
    assert [m["opening"] for m in costly["models"]] == [0.35, 12]
    assert page["decisions"] is None
    assert [row[0] for row in costly["decisions"]["rows"][:2]] == ["p", "s"]
    assert (nobody["threshold"], nobody["models"][0]["opening"]) == (0.5, 0.7)


def test_probabilities_of_which_some_are_missing_keep_one_half():
    e = to.evaluate([1, 0, 1, 0], [0.9, 0.2, np.nan, 0.4], missing="negative")

    assert e.operating_threshold == 0.5
    assert e.operating_thresholds["score"].reason == "convention"
