"""Sessions that we start ourselves, each in a process of its own: a process has room for one."""

import json
import subprocess
import sys

import polars as pl
import pytest

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.sources.spark_session import spark_session, spark_table

ROWS = pl.DataFrame({"actual": [0, 1, 1, 0], "score": [0.1, 0.4, 0.8, 0.4]})

LOCAL = """
import json, sys
import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.sources.spark_session import spark_session, spark_table

with spark_session("local[1]") as started:
    table = spark_table(started, sys.argv[1])
    context = started.sparkContext
    ranking = to.evaluate(table, actual="actual", score="score").ranking
    told = {"name": context.appName, "master": context.master}
    told["found"] = ranking.true_positives.tolist()
try:
    to.evaluate(table, actual="actual", score="score")
except InputError as problem:
    told["stopped"] = str(problem)
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def ran(spark, tmp_path_factory):  # noqa: ARG001 - where Spark cannot run, this is skipped too
    folder = tmp_path_factory.mktemp("rows")
    ROWS.write_parquet(folder / "rows.parquet")
    command = [sys.executable, "-c", LOCAL, "rows.parquet"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, cwd=folder
    )
    return done, [file.name for file in folder.iterdir()]


def test_a_session_is_started_on_a_master_and_ranks(ran):
    answers = json.loads(ran[0].stdout)

    assert (answers["name"], answers["master"]) == ("tradeoff", "local[1]")
    assert answers["found"] == [0, 1, 2, 2]


def test_a_session_writes_nothing_of_its_own(ran):
    done, files = ran

    assert done.stderr == ""
    assert files == ["rows.parquet"]


def test_a_table_whose_session_has_stopped_is_an_error(ran):
    answers = json.loads(ran[0].stdout)

    assert answers["stopped"].startswith("The Spark session of this table has stopped")


def test_a_session_that_runs_is_used_and_left_running(spark):
    with spark_session("local[1]") as session:
        assert session is spark

    assert spark.range(3).count() == 3


@pytest.mark.parametrize("name", ["rows.parquet", "rows.csv", "rows.jsonl"])
def test_files_are_read_by_how_they_end(spark, tmp_path, name):
    {"parquet": ROWS.write_parquet, "csv": ROWS.write_csv, "jsonl": ROWS.write_ndjson}[
        name.split(".")[1]
    ](tmp_path / name)

    table = spark_table(spark, str(tmp_path / name))

    ranking = to.evaluate(table, actual="actual", score="score").ranking
    assert ranking.true_positives.tolist() == [0, 1, 2, 2]


@pytest.mark.parametrize("pattern", ["*.orc", "", "*"])
def test_patterns_and_folders_are_read(spark, tmp_path, pattern):
    spark.createDataFrame(ROWS.rows(), ROWS.columns).write.orc(str(tmp_path / "rows"))

    table = spark_table(spark, str(tmp_path / "rows" / pattern))

    assert table.count() == 4


def test_a_table_may_be_named(spark):
    spark.createDataFrame(ROWS.rows(), ROWS.columns).createOrReplaceTempView("named_rows")

    assert spark_table(spark, "named_rows").count() == 4


@pytest.mark.parametrize("path", ["nothing.parquet", "folder/*.csv"])
def test_a_file_that_is_not_there_is_an_error(spark, tmp_path, path):
    with pytest.raises(InputError, match=r"Spark cannot read the table: .*does not exist"):
        spark_table(spark, str(tmp_path / path))


def test_a_name_that_spark_does_not_know_is_an_error(spark):
    with pytest.raises(InputError, match="'no_such_table' is neither a table in Spark"):
        spark_table(spark, "no_such_table")


def test_a_folder_without_tables_is_an_error(spark, tmp_path):
    with pytest.raises(InputError, match="contains no file that Spark can read"):
        spark_table(spark, str(tmp_path))


UNSTARTED = """
from tradeoff.errors import InputError
from tradeoff.sources.spark_session import spark_session
try:
    with spark_session({master!r}):
        pass
except InputError as problem:
    print(problem)
"""


def refused(master, **environment):
    """What a session that cannot start says; without an environment, ours is kept."""
    command = [sys.executable, "-c", UNSTARTED.format(master=master)]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment or None, timeout=60
    ).stdout


def test_without_java_a_sentence_says_so():
    message = refused("local[1]", PATH="/nowhere")

    assert message.startswith("Spark needs Java 17 or later, and there is none on the PATH")


def test_java_home_without_java_is_named():
    message = refused("local[1]", JAVA_HOME="/nowhere")

    assert "there is none in JAVA_HOME (/nowhere)" in message


def test_a_master_that_does_not_answer_is_an_error():
    message = refused("spark://127.0.0.1:1")

    assert message.startswith("No Spark master responds at 'spark://127.0.0.1:1'")
