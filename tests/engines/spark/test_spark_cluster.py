"""A real standalone cluster: master and worker are processes of their own on this machine."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tradeoff as to

SUBMITTED = """
import json, sys
import tradeoff as to
from tradeoff.sources.spark_session import spark_session, spark_table

with spark_session(sys.argv[1]) as started:
    table = spark_table(started, sys.argv[2])
    found = to.evaluate(table, actual="actual", score=["exact", "fine"], segment="part", bins=5000)
    executors = started.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
exact, fine = found.rankings["exact"], found.rankings["fine"]
pairs = 2 * int(fine.positives) * int(fine.negatives)
print(json.dumps({
    "executors": executors,
    "exact": [column.tolist() for column in exact.tally],
    "parts": {part: ranking.rows for part, ranking in found.segments["exact"].items()},
    "bounds": [c.twice_pairs_won() / pairs for c in (fine.worst_case, fine.best_case)],
}))
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    pytest.fail(f"nothing listens on port {port}")


@contextmanager
def running(role, *options, home, folder):
    """A master or worker, ended with all that it started."""
    program = ["bash", str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{role}"]
    web = ["--host", "127.0.0.1", "--webui-port", str(free_port())]
    environment = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    with (folder / role).open("w") as log:
        process = subprocess.Popen(
            [*program, *web, *options],
            stdout=log,
            stderr=log,
            env={**os.environ, **environment},
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)
        with_children_ended(process.pid)


def with_children_ended(group):
    """Executors end with their worker; one that does not is not left behind."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.fixture(scope="module")
def cluster(spark, tmp_path_factory):  # noqa: ARG001 - where Spark cannot run, this is skipped too
    import pyspark

    home, folder = Path(pyspark.__file__).parent, tmp_path_factory.mktemp("cluster")
    port, places = free_port(), {}
    places = {"home": home, "folder": folder}
    address = f"spark://127.0.0.1:{port}"
    work = ["--cores", "2", "--memory", "1g", "--work-dir", str(folder / "work")]
    with running("master.Master", "--port", str(port), **places):
        wait_for(port)
        with running("worker.Worker", *work, address, **places):
            yield address


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    actual = rng.random(60_000) < 0.3
    score = rng.normal(size=60_000) + actual
    part = np.where(np.arange(60_000) % 3, "north", "south")
    return pl.DataFrame({"actual": actual, "exact": score.round(2), "fine": score, "part": part})


@pytest.fixture(scope="module")
def answer(cluster, rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    rows.write_parquet(path)
    command = [sys.executable, "-c", SUBMITTED, cluster, str(path)]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_work_is_done_by_an_executor_of_the_cluster(answer):
    assert answer["executors"] == 1


def test_a_cluster_counts_as_memory_does(answer, rows):
    expected = to.evaluate(rows, actual="actual", score="exact").ranking

    results = [np.array(column) for column in answer["exact"]]

    assert np.array_equal(results[0], expected.thresholds)
    assert np.array_equal(results[1], expected.true_positives)
    assert np.array_equal(results[2], expected.false_positives)


def test_a_cluster_knows_segments(answer):
    assert answer["parts"] == {"north": 40_000, "south": 20_000}


def test_bounds_of_a_cluster_hold_the_exact_area(answer, rows):
    lowest, highest = answer["bounds"]

    assert lowest <= to.auc(rows["actual"], rows["fine"]) <= highest
    assert 0 < highest - lowest < 2e-3
