"""Runs of MLflow that are logged to, and invalid input."""

import os
import subprocess
import sys

import pytest
from reading_back import document, few_numbers

import tradeoff as to
from tradeoff import tracking
from tradeoff.errors import InputError


def test_the_active_run_is_used_and_left_open(mlflow, client):
    with mlflow.start_run() as run:
        run_id = to.log_to_mlflow(few_numbers(), report=False)

        assert run_id == run.info.run_id
        assert client.get_run(run_id).info.status == "RUNNING"
        assert mlflow.active_run().info.run_id == run_id


def test_a_run_given_by_id_is_used_and_its_status_kept(mlflow, client):
    with mlflow.start_run() as run:
        pass

    with mlflow.start_run() as active:
        run_id = to.log_to_mlflow(few_numbers(), report=False, run_id=run.info.run_id)

    assert run_id == run.info.run_id
    assert client.get_run(run_id).info.status == "FINISHED"
    assert "accuracy" in client.get_run(run_id).data.metrics
    assert client.get_run(active.info.run_id).data.metrics == {}


def test_without_an_active_run_one_is_started_and_ended(mlflow, client, logged):
    assert client.get_run(logged).info.status == "FINISHED"
    assert mlflow.active_run() is None


def test_a_started_run_is_marked_failed_if_logging_fails(mlflow, client, monkeypatch):
    def raise_no_space(*_):
        raise OSError("no space left")

    monkeypatch.setattr(mlflow.MlflowClient, "log_artifacts", raise_no_space)
    with pytest.raises(OSError, match="no space left"):
        to.log_to_mlflow(few_numbers(), report=False)

    last = client.search_runs(["0"], max_results=1)[0]
    assert last.info.status == "FAILED"
    assert mlflow.active_run() is None


def test_a_prefix_separates_evaluations_of_one_run(mlflow, client):
    with mlflow.start_run() as run:
        to.log_to_mlflow(few_numbers(), report=False, threshold=0.3, prefix="train/")
        to.log_to_mlflow(few_numbers(), report=False, threshold=0.5, prefix="test/")

    data = client.get_run(run.info.run_id).data
    assert data.metrics["train/true_positive_rate"] == 1.0
    assert data.metrics["test/true_positive_rate"] == 0.5
    assert data.params["train/tradeoff.threshold"] == "0.3"
    point = document(client, run.info.run_id, "test/tradeoff/evaluation.json")["models"][0]["at"]
    assert point["threshold"] == 0.5


def test_a_run_with_another_threshold_is_refused_and_unchanged(mlflow, client):
    with mlflow.start_run() as run:
        mlflow.log_param("tradeoff.threshold", 0.25)

        with pytest.raises(
            InputError, match=r"already has tradeoff.threshold = 0.25.*prefix=\"test/\""
        ):
            to.log_to_mlflow(few_numbers())

    assert client.get_run(run.info.run_id).data.metrics == {}


def test_the_same_evaluation_can_be_logged_twice(mlflow, client):
    with mlflow.start_run():
        to.log_to_mlflow(few_numbers(), report=False)
        run = to.log_to_mlflow(few_numbers(), report=False)

    assert len(client.get_metric_history(run, "accuracy")) == 2


def test_many_entries_are_logged_in_batches(mlflow, client):
    names = [f"m{number}" for number in range(1701)]
    with mlflow.start_run() as run:
        tracking._send(
            mlflow,
            client,
            run.info.run_id,
            [(name, 1.0, 0) for name in names],
            dict.fromkeys(names[:101], "p"),
            dict.fromkeys(names[:201], "t" * 6000),
        )

    data = client.get_run(run.info.run_id).data
    assert data.metrics == dict.fromkeys(names, 1.0)
    assert data.params == dict.fromkeys(names[:101], "p")
    assert data.tags["m200"] == "t" * 500


@pytest.mark.parametrize("prefix", ["../", "/", "a//", "./", "a:", "ü", "a\n", "x" * 101])
def test_an_invalid_prefix_is_refused(prefix):
    with pytest.raises(InputError, match='as in "test/"'):
        to.log_to_mlflow(few_numbers(), prefix=prefix)


def test_invalid_input_is_refused_before_a_run_is_started(client):
    runs_before = len(client.search_runs(["0"]))

    with pytest.raises(InputError, match="a comparison or a cross-validation, not str"):
        to.log_to_mlflow("scores.csv")
    with pytest.raises(InputError, match="threshold is NaN"):
        to.log_to_mlflow(few_numbers(), threshold=float("nan"))
    with pytest.raises(InputError, match="MLflow has no run 'none'"):
        to.log_to_mlflow(few_numbers(), run_id="none")
    with pytest.raises(InputError, match=r"MLflow has no run '\.\./up'"):
        to.log_to_mlflow(few_numbers(), run_id="../up")

    assert len(client.search_runs(["0"])) == runs_before


def test_an_unsupported_store_is_refused_with_a_remedy(monkeypatch, tmp_path):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "other").as_uri())
    monkeypatch.delenv("MLFLOW_ALLOW_FILE_STORE")

    with pytest.raises(InputError, match=r"kind 'file'.*MLFLOW_ALLOW_FILE_STORE=true"):
        to.log_to_mlflow(few_numbers())


def test_a_password_in_the_tracking_uri_is_not_repeated(monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "unknown://me:secret@there")

    with pytest.raises(InputError, match="kind 'unknown'") as raised:
        to.log_to_mlflow(few_numbers())

    assert "secret" not in str(raised.value)


def test_an_unreachable_store_raises_mlflows_own_error(mlflow, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:1")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")

    with pytest.raises(mlflow.exceptions.MlflowException, match="failed with exception"):
        to.log_to_mlflow(few_numbers(), run_id="none")


def test_importing_mlflow_sends_no_telemetry():
    code = (
        "from tradeoff import tracking; tracking._mlflow(); import os; "
        "from mlflow.telemetry.client import get_telemetry_client; "
        "print(get_telemetry_client(), 'MLFLOW_DISABLE_TELEMETRY' in os.environ)"
    )

    process = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
    )

    assert process.stdout.split() == ["None", "False"]
