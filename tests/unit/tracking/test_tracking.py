"""Entries logged to MLflow, read back from a file store."""

import duckdb
import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_back import artefact, document, few_numbers, undefined
from report_cases import Scripts

import tradeoff as to
from tradeoff import tracking
from tradeoff.errors import InputError
from tradeoff.schemas import json_schema


def test_summaries_and_metrics_at_the_threshold_are_logged(client, logged):
    metrics = client.get_run(logged).data.metrics

    # One of four pairs is discordant; at 0.5 one yes and one no are predicted yes.
    assert metrics["auc"] == 0.75
    assert metrics["true_positive_rate"] == 0.5
    assert metrics["precision"] == 0.5
    assert metrics["accuracy"] == 0.5


def test_all_numbers_of_the_document_are_logged_on_request(client, evaluation):
    run = to.log_to_mlflow(evaluation, metrics="all", report=False)
    (model,) = document(client, run, "tradeoff/evaluation.json")["models"]
    numbers = {**model["summaries"], **model["at"]["metrics"]}
    metrics = client.get_run(run).data.metrics
    undefined_names = {entry["measure"] for entry in undefined(client, run)}

    assert len(numbers) == len(to.METRICS) + len(to.SUMMARIES)
    assert {name: metrics.get(name) for name in numbers} == {
        name: number["value"] for name, number in numbers.items()
    }
    assert undefined_names == set(numbers) - set(metrics)


DEFAULT_METRICS = {
    *("auc", "average_precision", "brier", "log_loss"),
    *("accuracy", "balanced_accuracy", "true_positive_rate", "true_negative_rate", "precision"),
    *("negative_predictive_value", "f_measure", "matthews_correlation", "false_positive_rate"),
}


def test_the_measures_that_people_know_are_logged_by_default(client, logged):
    metrics = client.get_run(logged).data.metrics

    assert {n for n in metrics if not n.endswith(("_low", "_high"))} == DEFAULT_METRICS
    assert len(metrics) < 40
    (model,) = document(client, logged, "tradeoff/evaluation.json")["models"]
    assert len(model["at"]["metrics"]) == len(to.METRICS)


def test_the_expected_cost_is_logged_if_costs_are_known(client):
    with_costs = to.evaluate(
        actual=[0, 1, 0, 1], score=[0.1, 0.8, 0.6, 0.4], costs=to.Costs(fp=1, fn=5)
    )
    run = to.log_to_mlflow(with_costs, report=False)

    assert client.get_run(run).data.metrics["expected_cost"] == (1 + 5) / 4


def test_requested_measures_keep_their_names_and_have_intervals(client, evaluation):
    names = ["recall", "roc_auc", "lift"]
    run = to.log_to_mlflow(evaluation, metrics=names, report=False)
    metrics = client.get_run(run).data.metrics

    assert set(names) <= set(metrics)
    assert "true_positive_rate" not in metrics
    recall = evaluation.metric("recall")
    assert (metrics["recall"], metrics["recall_low"]) == (recall.value, recall.low)


def test_an_unknown_measure_is_refused_before_a_run_is_started(client, evaluation):
    runs = len(client.search_runs(["0"]))
    with pytest.raises(to.TradeoffError, match="Did you mean 'recall'"):
        to.log_to_mlflow(evaluation, metrics=["recal"])

    assert len(client.search_runs(["0"])) == runs


def test_main_measures_are_logged_with_their_intervals(client, logged, evaluation):
    metrics = client.get_run(logged).data.metrics
    precision = evaluation.metric("precision")

    assert (metrics["auc_low"], metrics["auc_high"]) == (evaluation.auc.low, evaluation.auc.high)
    assert (metrics["precision_low"], metrics["precision_high"]) == (precision.low, precision.high)
    assert "lift_low" not in metrics


def test_infinite_numbers_are_listed_as_undefined(client, logged):
    # tpr = fpr: 1 / (tpr - fpr) is infinite.
    assert "number_needed_to_diagnose" not in client.get_run(logged).data.metrics
    assert {
        "model": "score",
        "measure": "number_needed_to_diagnose",
        "reason": "infinite",
    } in undefined(client, logged)


def test_undefined_numbers_are_listed_with_their_reason(client):
    run = to.log_to_mlflow(few_numbers(), threshold=2, report=False)
    metrics = client.get_run(run).data.metrics

    assert not {"precision", "auc", "precision_low"} & set(metrics)
    assert {
        "model": "score",
        "measure": "precision",
        "reason": "nothing is predicted 1",
    } in undefined(client, run)


def test_the_options_are_logged_as_parameters(client, logged):
    assert client.get_run(logged).data.params == {
        "tradeoff.threshold": "0.5",
        "tradeoff.positive": "yes",
        "tradeoff.level": "0.95",
        "tradeoff.version": to.__version__,
        "tradeoff.rows": "4",
    }


def test_the_document_follows_its_schema(client, logged, evaluation):
    logged_document = document(client, logged, "tradeoff/evaluation.json")

    jsonschema.validate(logged_document, json_schema("evaluation"))
    assert logged_document == evaluation.to_dict(0.5)


def test_the_logged_ranking_can_be_loaded(client, logged, evaluation):
    ranking = to.Ranking.load(artefact(client, logged, "tradeoff/rankings/score.ranking"))

    assert ranking.rows == 4
    assert ranking.positive == "yes"
    assert np.array_equal(ranking.tally, evaluation.ranking.tally)


def test_the_report_is_logged_as_html(client, logged):
    with open(artefact(client, logged, "tradeoff/report.html"), encoding="utf-8") as file:  # noqa: PTH123
        page = file.read()

    assert page.lower().startswith("<!doctype html>")
    assert Scripts(page).document()["schema"] == "tradeoff/report/2"


def test_the_report_can_be_left_out(client):
    run = to.log_to_mlflow(few_numbers(), report=False)

    assert sorted(file.path for file in client.list_artifacts(run, "tradeoff")) == [
        "tradeoff/evaluation.json",
        "tradeoff/rankings",
        "tradeoff/undefined.json",
    ]


def test_names_of_models_become_valid_and_stay_unique(client):
    scores = {"a/../b": [0.9, 0.4], "a_.._b": [0.1, 0.2], "<script>": [1, 0], "ü": [0, 1]}

    run = to.log_to_mlflow(to.evaluate(actual=[1, 1], score=scores))

    data = client.get_run(run).data
    assert {key: name for key, name in data.tags.items() if not key.startswith("mlflow.")} == {
        "a_.._b/tradeoff.model": "a_.._b",
        "a_.._b-2/tradeoff.model": "a/../b",
        "_script_/tradeoff.model": "<script>",
        "u/tradeoff.model": "ü",
    }
    # At 0.5 the positive rows are: 0.9 alone, none, the first, the second.
    assert data.metrics["a_.._b-2/true_positive_rate"] == 0.5
    assert data.metrics["a_.._b/true_positive_rate"] == 0.0
    assert data.params["u/tradeoff.rows"] == "2"
    path = artefact(client, run, "tradeoff/rankings/a_.._b-2.ranking")
    assert to.Ranking.load(path).name == "a/../b"


def test_names_that_differ_in_case_only_stay_unique():
    assert tracking._Names.for_models(["tree", "Tree"], "").keys == {
        "tree": "tree",
        "Tree": "Tree-2",
    }


@given(names=st.lists(st.text(max_size=120), unique=True, max_size=6))
def test_any_names_become_valid_and_stay_unique(names):
    from mlflow.utils.validation import _validate_metric_name

    names_in_mlflow = tracking._Names.for_models(names, "x" * 100)
    entries = [
        names_in_mlflow.entry_name(name, "symmetric_extremal_dependence_index") for name in names
    ]

    assert [_validate_metric_name(entry) for entry in entries] == [None] * len(names)
    assert max(map(len, entries), default=0) <= 250
    assert len({key.casefold() for key in names_in_mlflow.keys.values()}) == len(names)


def test_line_breaks_in_class_names_are_replaced(client):
    run = to.log_to_mlflow(
        to.evaluate(actual=["a\nb", "a\nb"], score=[0.1, 0.2], positive="a\nb"), report=False
    )

    assert client.get_run(run).data.params["tradeoff.positive"] == "a?b"


def test_no_threshold_is_chosen_silently(client):
    scores = {"p": [0.1, 0.4, 0.35, 0.8], "marker": [10, 40, 35, 80]}
    e = to.evaluate(actual=[0, 1, 0, 1], score=scores)
    with pytest.raises(InputError, match=r"marker from 10 to 80 .* Give threshold={'marker': …}"):
        to.log_to_mlflow(e, report=False)

    run = to.log_to_mlflow(e, threshold={"marker": 38}, report=False)
    params = client.get_run(run).data.params
    assert (params["p/tradeoff.threshold"], params["marker/tradeoff.threshold"]) == ("0.5", "38.0")
    given = to.evaluate(actual=[0, 1, 0, 1], score=scores["marker"], threshold=38)
    run = to.log_to_mlflow(given, report=False)
    assert client.get_run(run).data.params["tradeoff.threshold"] == "38.0"


def test_weights_are_logged_with_the_ranking(client):
    weighted = to.evaluate(
        actual=[1, 1, 1], score=[0.9, 0.4, 0.3], weight=[1.5, 0.25, 0.25], weight_means="importance"
    )

    run = to.log_to_mlflow(weighted, report=False)

    ranking = to.Ranking.load(artefact(client, run, "tradeoff/rankings/score.ranking"))
    # 1.5 of a weight of 2 is predicted positive.
    assert client.get_run(run).data.metrics["true_positive_rate"] == 0.75
    assert ranking.squares.true_positives.tolist() == [0, 2.25, 2.3125, 2.375]


def test_folds_are_logged_as_steps(client):
    folds = to.evaluate(
        actual=[1, 0, 1, 1, 0, 1],
        score=[0.9, 0.1, 0.8, 0.3, 0.6, 0.7],
        fold=["a", "a", "b", "b", "c", "c"],
    )

    run = to.log_to_mlflow(folds, report=False)

    steps = client.get_metric_history(run, "auc_by_fold")
    assert [(entry.step, entry.value) for entry in steps] == [(1, 1.0), (3, 1.0)]
    rates = client.get_metric_history(run, "true_positive_rate_by_fold")
    assert [(entry.step, entry.value) for entry in rates] == [(1, 1.0), (2, 0.5), (3, 1.0)]
    (one_class_fold,) = [entry for entry in undefined(client, run) if entry["measure"] == "auc"]
    assert one_class_fold == {
        "model": "score",
        "measure": "auc",
        "reason": "every ranked row belongs to class 1; both classes are needed",
        "fold": "b",
    }


def test_a_comparison_is_logged_with_its_differences_and_level(client):
    comparison = to.compare(
        actual=[0, 0, 1, 0, 1, 1],
        score={"new": [1, 2, 3, 4, 5, 6], "old": [2, 1, 6, 5, 4, 3]},
        level=0.9,
    )

    run = to.log_to_mlflow(comparison, threshold=4)

    comparison_document = document(client, run, "tradeoff/comparison.json")
    logged = client.get_run(run).data
    jsonschema.validate(comparison_document, json_schema("comparison"))
    # 8 of 9 pairs are concordant for new, 7 of 9 for old.
    assert comparison_document["differences"][0]["value"] == pytest.approx(1 / 9)
    assert logged.metrics["new/auc"] == 8 / 9
    assert logged.metrics["old/auc"] == 7 / 9
    assert logged.metrics["new/auc_low"] == comparison.area("new").low
    assert logged.params["tradeoff.level"] == "0.9"


def test_models_that_cannot_be_compared_are_logged_with_the_reason(client):
    comparison = to.compare(actual=[1, 1], score={"new": [1, 2], "old": [2, 1]})

    run = to.log_to_mlflow(comparison, threshold=2, report=False)

    assert document(client, run, "tradeoff/evaluation.json")["notes"] == [
        (
            "the models are not compared: Comparing AUCs needs rows of both classes, but no row "
            "belongs to class '0'"
        )
    ]
    assert "tradeoff/comparison.json" not in [
        file.path for file in client.list_artifacts(run, "tradeoff")
    ]


def test_intervals_of_a_logged_comparison_respect_clusters(client):
    comparison = to.compare(
        actual=[1, 1, 1, 1],
        score={"new": [0, 0, 1, 1], "old": [1, 1, 0, 0]},
        cluster=["a", "a", "b", "b"],
    )

    run = to.log_to_mlflow(comparison, report=False)

    new, _ = document(client, run, "tradeoff/evaluation.json")["models"]
    # Four independent rows would have an interval.
    assert new["at"]["metrics"]["accuracy"] == {
        "label": "accuracy",
        "value": 0.5,
        "note": "no interval: two clusters with rows of each class are needed",
    }


def test_a_cross_validation_is_logged_with_its_scores(client):
    random = np.random.default_rng(0)
    ill = np.arange(40) % 2
    validation = to.cross_validate(
        pd.DataFrame({"age": random.normal(ill), "ill": ill}),
        actual="ill",
        models=["tree", "dummy"],
        folds=2,
        jobs=1,
    )

    run = to.log_to_mlflow(validation)

    scores = duckdb.read_parquet(artefact(client, run, "tradeoff/scores.parquet"))
    comparison_document = document(client, run, "tradeoff/comparison.json")
    assert scores.columns == ["row", "fold", "ill", "tree", "dummy"]
    assert scores.fetchnumpy()["tree"].tolist() == validation.scores["tree"].tolist()
    assert (
        comparison_document["differences"][0]["value"]
        == validation.comparison().difference("tree", "dummy").value
    )
    assert len(client.get_metric_history(run, "tree/auc_by_fold")) == 2
