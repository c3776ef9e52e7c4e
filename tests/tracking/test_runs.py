"""Into which run of MLflow things are logged, and what is refused."""

import os
import subprocess
import sys

import pytest

import tradeoff as to
from tracking.reading_back import document, few_numbers
from tradeoff import tracking
from tradeoff.errors import InputError


def test_the_active_run_is_used_and_left_open(mlflow, client):
    with mlflow.start_run() as run:
        found = to.log_to_mlflow(few_numbers(), report=False)

        assert found == run.info.run_id
        assert client.get_run(found).info.status == "RUNNING"
        assert mlflow.active_run().info.run_id == found


def test_a_named_run_is_used_and_its_state_left_alone(mlflow, client):
    with mlflow.start_run() as run:
        pass

    with mlflow.start_run() as active:
        found = to.log_to_mlflow(few_numbers(), report=False, run_id=run.info.run_id)

    assert found == run.info.run_id
    assert client.get_run(found).info.status == "FINISHED"
    assert "accuracy" in client.get_run(found).data.metrics
    assert client.get_run(active.info.run_id).data.metrics == {}


def test_without_a_run_one_is_started_and_ended(mlflow, client, logged):
    assert client.get_run(logged).info.status == "FINISHED"
    assert mlflow.active_run() is None


def test_a_run_that_was_started_here_fails_if_the_store_does(mlflow, client, monkeypatch):
    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(mlflow.MlflowClient, "log_artifacts", full)
    with pytest.raises(OSError, match="no space left"):
        to.log_to_mlflow(few_numbers(), report=False)

    last = client.search_runs(["0"], max_results=1)[0]
    assert last.info.status == "FAILED"
    assert mlflow.active_run() is None


def test_a_prefix_keeps_evaluations_of_one_run_apart(mlflow, client):
    with mlflow.start_run() as run:
        to.log_to_mlflow(few_numbers(), report=False, threshold=0.3, prefix="train/")
        to.log_to_mlflow(few_numbers(), report=False, threshold=0.5, prefix="test/")

    found = client.get_run(run.info.run_id).data
    assert found.metrics["train/true_positive_rate"] == 1.0
    assert found.metrics["test/true_positive_rate"] == 0.5
    assert found.params["train/tradeoff.threshold"] == "0.3"
    at = document(client, run.info.run_id, "test/tradeoff/evaluation.json")["models"][0]["at"]
    assert at["threshold"] == 0.5


def test_a_run_that_holds_another_threshold_is_left_alone(mlflow, client):
    with mlflow.start_run() as run:
        mlflow.log_param("tradeoff.threshold", 0.25)

        with pytest.raises(
            InputError, match=r"holds tradeoff.threshold = 0.25 already.*prefix=\"test/\""
        ):
            to.log_to_mlflow(few_numbers())

    assert client.get_run(run.info.run_id).data.metrics == {}


def test_logging_again_is_allowed(mlflow, client):
    with mlflow.start_run():
        to.log_to_mlflow(few_numbers(), report=False)
        run = to.log_to_mlflow(few_numbers(), report=False)

    assert len(client.get_metric_history(run, "accuracy")) == 2


def test_many_entries_go_in_parts(mlflow, client):
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

    found = client.get_run(run.info.run_id).data
    assert found.metrics == dict.fromkeys(names, 1.0)
    assert found.params == dict.fromkeys(names[:101], "p")
    assert found.tags["m200"] == "t" * 500


@pytest.mark.parametrize("prefix", ["../", "/", "a//", "./", "a:", "ü", "a\n", "x" * 101])
def test_a_prefix_that_is_no_name_is_refused(prefix):
    with pytest.raises(InputError, match='"test/" is one'):
        to.log_to_mlflow(few_numbers(), prefix=prefix)


def test_what_cannot_be_logged_is_refused_before_a_run_is_started(client):
    before = len(client.search_runs(["0"]))

    with pytest.raises(InputError, match="a comparison or a cross-validation, not str"):
        to.log_to_mlflow("scores.csv")
    with pytest.raises(InputError, match="threshold is missing"):
        to.log_to_mlflow(few_numbers(), threshold=float("nan"))
    with pytest.raises(InputError, match="MLflow has no run 'none'"):
        to.log_to_mlflow(few_numbers(), run_id="none")
    with pytest.raises(InputError, match=r"MLflow has no run '\.\./up'"):
        to.log_to_mlflow(few_numbers(), run_id="../up")

    assert len(client.search_runs(["0"])) == before


def test_a_store_that_does_not_open_says_which_do(monkeypatch, tmp_path):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "other").as_uri())
    monkeypatch.delenv("MLFLOW_ALLOW_FILE_STORE")

    with pytest.raises(InputError, match=r"kind 'file'.*MLFLOW_ALLOW_FILE_STORE=true"):
        to.log_to_mlflow(few_numbers())


def test_a_password_in_the_address_is_not_repeated(monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "unknown://me:secret@there")

    with pytest.raises(InputError, match="kind 'unknown'") as caught:
        to.log_to_mlflow(few_numbers())

    assert "secret" not in str(caught.value)


def test_a_store_that_is_away_speaks_for_itself(mlflow, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:1")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")

    with pytest.raises(mlflow.exceptions.MlflowException, match="failed with exception"):
        to.log_to_mlflow(few_numbers(), run_id="none")


def test_without_mlflow_the_message_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)

    with pytest.raises(InputError, match=r'pip install "tradeoff\[mlflow\]"'):
        to.log_to_mlflow(few_numbers())


def test_mlflow_sends_nothing_about_its_use_where_tradeoff_imports_it():
    code = (
        "from tradeoff import tracking; tracking._mlflow(); import os; "
        "from mlflow.telemetry.client import get_telemetry_client; "
        "print(get_telemetry_client(), 'MLFLOW_DISABLE_TELEMETRY' in os.environ)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
    )

    assert done.stdout.split() == ["None", "False"]
