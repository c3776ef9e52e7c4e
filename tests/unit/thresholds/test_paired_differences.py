"""Differences between models that choose their thresholds: paired, with re-chosen thresholds."""

import numpy as np
import polars as pl
import pytest

import tradeoff as to
from tradeoff.thresholds.decision import Decision

COSTS = to.Costs(fp=1, fn=4)


def markers(seed, size=300, shifts=(1.6, 0.8), correlation=0.5):
    """Normal markers of decreasing strength, correlated within each class."""
    random = np.random.default_rng(seed)
    actual = random.random(size) < 0.3
    common, *own = random.normal(size=(len(shifts) + 1, size))
    weights = np.sqrt(correlation), np.sqrt(1 - correlation)
    names = "strong", "weak", "weakest"
    return actual, {
        name: shift * actual + weights[0] * common + weights[1] * noise
        for name, shift, noise in zip(names, shifts, own, strict=False)
    }


def test_the_best_model_is_first_and_others_have_their_difference_to_it():
    actual, scores = markers(1)
    reordered = {"weak": scores["weak"], "strong": scores["strong"]}
    decisions = to.evaluate(actual=actual, score=reordered).thresholds(costs=COSTS)
    strong, weak = decisions
    difference = decisions.differences["weak"]

    assert (strong.ranking.name, weak.ranking.name) == ("strong", "weak")
    assert decisions.best is strong
    assert list(decisions.differences) == ["weak"]
    expected = [d.out_of_sample.estimate.value for d in (weak, strong)]
    assert difference.value == pytest.approx(expected[0] - expected[1])
    assert 0 < difference.low < difference.value < difference.high
    assert decisions.columns()["model"] == ["strong", "weak"]
    assert decisions.columns()["difference"][1] == difference.value


def test_a_model_and_its_copy_do_not_differ():
    actual, scores = markers(2)
    scores = {"a": scores["strong"], "b": 10 * scores["strong"]}
    differences = to.evaluate(actual=actual, score=scores).thresholds("youden").differences

    assert differences["b"].value == 0
    assert differences["b"].low == differences["b"].high == 0


def test_higher_is_better_for_youden():
    actual, scores = markers(3)
    decisions = to.evaluate(actual=actual, score=scores).thresholds("youden")

    assert decisions.best.ranking.name == "strong"
    assert decisions.differences["weak"].value < 0


def test_models_that_reach_a_target_are_ranked_by_what_it_leaves():
    actual, scores = markers(4)
    reordered = {"weak": scores["weak"], "strong": scores["strong"]}
    decisions = to.evaluate(actual=actual, score=reordered).thresholds("tpr", target=0.9)
    best = decisions.best

    assert best.ranking.name == "strong"
    assert decisions.differences["weak"].name == "false_positive_rate"
    assert decisions.differences["weak"].value > 0
    assert 0 < best.out_of_sample.objective.value < decisions["weak"].out_of_sample.expected


def test_the_best_of_several_models_is_a_decision_with_its_out_of_sample_value():
    actual, scores = markers(5)
    decision = to.evaluate(actual=actual, score=scores).best(costs=COSTS)

    assert isinstance(decision, Decision)
    assert repr(decision).startswith("Decision(strong >= ")
    assert repr(decision).endswith(" on new data)")


def test_without_a_check_models_are_ranked_on_these_rows_and_not_compared():
    actual, scores = markers(6)
    decisions = to.evaluate(actual=actual, score=scores).thresholds("youden", check=False)

    assert decisions.best.value == max(d.value for d in decisions)
    assert decisions.differences == {}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"missing": "drop"}, "did not score the same rows"),
        ({"missing": "reject"}, "rejected rows of 'weak' have no score"),
    ],
)
def test_models_that_scored_different_rows_are_not_compared(options, reason):
    actual, scores = markers(7)
    scores["weak"] = np.where(np.arange(300) < 5, np.nan, scores["weak"])
    decisions = to.evaluate(actual=actual, score=scores, **options).thresholds("youden")

    assert reason in decisions.differences
    assert reason in str(decisions).replace("\n", " ")


def test_saved_rankings_are_ranked_but_not_compared():
    actual, scores = markers(8)
    e = to.Evaluation(to.evaluate(actual=actual, score=scores).rankings)

    decisions = e.thresholds("youden")
    assert decisions.differences == "they need the rows in memory"
    footnote = "Differences between models are not shown: they need the rows in memory."
    assert footnote in str(decisions)


def test_costs_may_differ_by_row():
    actual, scores = markers(11, size=1000)
    amounts = np.random.default_rng(0).gamma(2, 2, 1000)
    table = {"y": actual, "amount": amounts, **scores}
    costs = to.Costs(fp=1, fn="amount")
    e = to.evaluate(pl.DataFrame(table), actual="y", score=["weak", "strong"], costs=costs)
    decisions = e.thresholds()

    assert decisions.best.ranking.name == "strong"
    assert decisions.differences["weak"].low > 0


def test_clusters_widen_the_interval():
    actual, scores = markers(9, size=100)
    rows = np.repeat(np.arange(100), 4)
    repeated = {name: values[rows] for name, values in scores.items()}
    widths = []
    for cluster in (None, rows):
        e = to.evaluate(actual=actual[rows], score=repeated, cluster=cluster)
        difference = e.thresholds("youden").differences["weak"]
        widths.append(difference.high - difference.low)

    assert widths[1] > 1.5 * widths[0]


def test_results_are_the_same_in_every_run_and_with_many_scores():
    actual, scores = markers(10, size=4000)  # more distinct scores than resamples keep
    e = to.evaluate(actual=actual, score=scores)
    first, second = (e.thresholds(costs=COSTS).differences["weak"] for _ in range(2))

    assert first == second
    assert first.low > 0


def test_the_interval_is_as_wide_as_differences_vary_from_sample_to_sample():
    values, half_widths = [], []
    for seed in range(30):
        actual, scores = markers(100 + seed, size=150)
        e = to.evaluate(actual=actual, score={name: scores[name] for name in ("strong", "weak")})
        decisions = e.thresholds(costs=COSTS, replicates=60)
        sign = 1 if decisions.best.ranking.name == "strong" else -1
        (difference,) = decisions.differences.values()
        values.append(sign * difference.value)
        half_widths.append((difference.high - difference.low) / 2)

    assert 0.8 < np.mean(half_widths) / (1.96 * np.std(values, ddof=1)) < 1.6
