"""Spark on the command line and behind `tradeoff.evaluate`."""

import os
import pty
import subprocess
import sys
from functools import partial

import polars as pl
import pytest
from command_line import GOLDEN, output, run_process

import tradeoff as to
from tradeoff.errors import InputError

pytestmark = pytest.mark.spark
SAH = GOLDEN / "proc_aSAH_data.csv"
ASKED = ("--actual", "poor", "--score", "s100b", "--score", "ndka", "--segment", "gender")
ENGINE = ("--engine", "spark", "--master", "local[2]")
spark_output = partial(output, run=run_process)  # a process has room for one session


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """The aneurysm data as Parquet."""
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    pl.read_csv(SAH, null_values="NA").write_parquet(path)
    return path


def test_spark_prints_what_duckdb_prints(table):
    screen = spark_output("evaluate", table, *ASKED)
    comparison = "".join(line + "\n\n" for line in screen.splitlines() if " − " in line)

    assert "s100b − ndka" in comparison
    # Comparing AUCs takes both scores of each row, and rows stay in Spark.
    assert spark_output("evaluate", table, *ASKED, *ENGINE) == screen.replace(comparison, "")


def test_a_terminal_sees_that_spark_works(table):
    parent, child = pty.openpty()
    arguments = ("evaluate", table, "--actual", "poor", "--score", "s100b", *ENGINE)
    process = subprocess.Popen(
        [sys.executable, "-m", "tradeoff", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=child,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(child)
    screen = b""
    while b"Spark is starting and counting" not in screen and process.poll() is None:
        screen += os.read(parent, 4096)
    process.kill()
    process.communicate()
    os.close(parent)

    assert b"Spark is starting and counting" in screen


def test_a_query_is_asked_of_spark(table):
    query = f"FROM parquet.`{table}` SELECT * WHERE gender = 'Male'"
    output = spark_output(
        "evaluate", "--query", query, "--actual", "poor", "--score", "s100b", *ENGINE
    )

    assert output.startswith("42 rows")


def test_a_ranking_comes_out_of_spark(table, tmp_path):
    arguments = ("--actual", "poor", "--score", "s100b")
    spark_output("rank", table, *arguments, *ENGINE, "-o", tmp_path / "spark.ranking")
    spark_output("rank", table, *arguments, "-o", tmp_path / "duckdb.ranking")

    rankings = [to.Ranking.load(tmp_path / f"{who}.ranking") for who in ("spark", "duckdb")]
    assert rankings[0] == rankings[1]


def test_a_master_that_does_not_answer_is_one_sentence(table):
    code, out, err = run_process(
        "evaluate", table, "--actual", "poor", "--score", "s100b",
        "--engine", "spark", "--master", "spark://127.0.0.1:1",
    )  # fmt: skip

    assert (code, out) == (2, "")
    assert err.startswith("tradeoff: No Spark master responds at 'spark://127.0.0.1:1'")


def test_missing_java_is_one_sentence(table, tmp_path):
    code, _, err = run_process(
        "evaluate", table, "--actual", "poor", "--score", "s100b", *ENGINE,
        JAVA_HOME=str(tmp_path),
    )  # fmt: skip

    assert code == 2
    assert "Spark needs Java 17 or later, and there is none in JAVA_HOME" in err


def test_evaluate_takes_a_frame_of_spark(spark, table):
    frame = spark.read.parquet(str(table))
    evaluation = to.evaluate(frame, actual="poor", score=["s100b", "ndka"], segment="gender")
    read = to.evaluate(table, actual="poor", score=["s100b", "ndka"], segment="gender")

    assert (evaluation.rankings, evaluation.segments) == (read.rankings, read.segments)
    assert evaluation["s100b"].auc == read["s100b"].auc


def test_what_looks_at_rows_is_refused(spark, table):
    frame = spark.read.parquet(str(table))

    with pytest.raises(InputError, match="needs the rows themselves"):
        to.compare(frame, actual="poor", score=["s100b", "ndka"])
