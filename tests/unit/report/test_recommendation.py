"""What the report recommends: the library's decision for the costs or the goal, in a few words."""

from dataclasses import replace

import numpy as np
import pytest
from report_cases import report_of

import tradeoff as to
from tradeoff.thresholds.operating_threshold import Goal


def test_the_recommendation_is_the_decision_of_the_costs():
    random = np.random.default_rng(7)
    actual = random.random(600) < 0.3
    scores = {"a": random.random(600), "b": (actual + random.random(600)) / 2}
    costs = to.Costs(fp=1, fn=5)
    e = to.evaluate(actual=actual, score=scores, costs=costs)
    decisions = e.thresholds()
    report = report_of(e)
    model = report["models"][1]
    recommendation = model["recommendation"]
    best = decisions["b"]

    assert report["best"] == 1
    assert report["opening"]["reason"] == "costs"
    assert recommendation["threshold"] == best.threshold
    assert recommendation["rule"] == "lowest cost"
    assert recommendation["measure"] == {"name": "expected_cost", "label": "cost per row"}
    assert recommendation["value"] == best.value
    assert [recommendation["low"], recommendation["high"]] == [*best.out_of_sample.value]
    assert recommendation["new_data"] == best.out_of_sample.estimate.value
    assert recommendation["about"] == "out-of-bag bootstrap, 200 resamples, seed 0"
    assert recommendation["equivalent"] == [*best.equivalent_thresholds]
    assert recommendation["simplest"] == best.suggestion
    assert recommendation["simplest_as_good"] == best.out_of_sample.suggestion
    assert recommendation["resampled"] == [*best.out_of_sample.thresholds]
    low, high = recommendation["as_good"]
    assert low <= best.threshold <= high


@pytest.mark.parametrize(
    ("goal", "rule", "measure"),
    [
        (Goal("recall", 0.9), "recall ≥ 90%", "recall"),
        (Goal("fpr", 0.05), "fpr ≤ 5%", "fpr"),
        (Goal("capacity", 30), "at most 30 rows predicted positive", "recall (sensitivity)"),
        (Goal("depth", 0.25), "share predicted positive ≤ 25%", "recall (sensitivity)"),
        (Goal("youden"), "highest Youden's J", "Youden's J"),
        (Goal("f1"), "highest f1", "f1"),
    ],
)
def test_the_goal_is_said_in_a_few_words(goal, rule, measure):
    random = np.random.default_rng(8)
    actual = random.random(300) < 0.4
    e = to.evaluate(actual=actual, score=(actual + random.random(300)) / 2)
    report = report_of(replace(e, goal=goal))
    recommendation = report["models"][0]["recommendation"]

    assert report["opening"]["reason"] == "goal"
    assert recommendation["rule"] == rule
    assert recommendation["measure"]["label"] == measure


def test_without_costs_or_a_goal_nothing_is_recommended():
    report = report_of(to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8]))

    assert report["models"][0]["recommendation"] is None
    assert report["best"] == 0
    assert report["opening"]["reason"] == "probability"


def test_where_low_scores_are_positive_limits_ascend():
    actual = [1, 1, 1, 0, 1, 0, 0, 0]
    e = to.evaluate(actual=actual, score=[1, 2, 3, 4, 5, 6, 7, 8], lower_is_positive=True)
    recommendation = report_of(replace(e, goal=Goal("youden")))["models"][0]["recommendation"]

    assert recommendation["threshold"] == 3
    assert recommendation["equivalent"] == [3, 4]
    assert recommendation["simplest"] == 3


def test_a_goal_that_predicts_nothing_positive_has_no_finite_threshold():
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.9, 0.2, 0.8, 0.1], costs=to.Costs(fp=9, fn=1))
    recommendation = report_of(e)["models"][0]["recommendation"]

    assert recommendation["threshold"] == "inf"
    assert recommendation["equivalent"] == [0.9, "inf"]


def test_without_an_estimate_the_reason_is_given():
    e = to.evaluate(actual=[1, 1, 1], score=[0.3, 0.4, 0.5], positive=1, costs=to.Costs())
    recommendation = report_of(e)["models"][0]["recommendation"]

    assert recommendation["value"] == 0
    assert recommendation["about"]
