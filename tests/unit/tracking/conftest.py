"""Fixtures: a file store of MLflow in a temporary folder, and a logged evaluation."""

import pytest

import tradeoff as to


@pytest.fixture(scope="module", autouse=True)
def _store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mlflow") / "store"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MLFLOW_TRACKING_URI", folder.as_uri())
        patch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
        patch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
        yield


@pytest.fixture
def mlflow():
    import mlflow

    return mlflow


@pytest.fixture
def client(mlflow):
    return mlflow.MlflowClient()


@pytest.fixture(scope="module")
def evaluation():
    return to.evaluate(
        actual=["yes", "no", "yes", "no"], score=[0.9, 0.6, 0.4, 0.1], positive="yes"
    )


@pytest.fixture(scope="module")
def logged(evaluation):
    return to.log_to_mlflow(evaluation, threshold=0.5)
