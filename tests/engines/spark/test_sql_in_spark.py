"""What `tradeoff sql` prints for Spark, run there."""

import numpy as np
import pyarrow as pa
import pytest
from strategies import columns

import tradeoff as to
from tradeoff.sources.counts_query import CountsRequest, counts_query

ACTUAL = 'it\'s "so"; DROP TABLE x --'
SCORE = "p\\n `new`\nSELECT 1; -- a.b"


@pytest.fixture
def rows():
    random = np.random.default_rng(7)
    score = random.normal(size=2000)
    score[:1500] = np.round(score[:1500], 2)
    score[:6] = [np.nan, np.nan, np.inf, -np.inf, 1e300, 1e-300]
    actual = (random.normal(size=2000) < score).astype(int)
    return pa.table({ACTUAL: actual, SCORE: score, "w": random.integers(0, 4, 2000)})


def run_query(spark, rows, **more):
    lines = list(zip(*(column.to_pylist() for column in rows.columns), strict=True))
    spark.createDataFrame(lines, rows.column_names).createOrReplaceTempView("t")
    frame = spark.sql(counts_query(CountsRequest("t", ACTUAL, SCORE, **more), "spark"))
    return pa.table(dict(zip(frame.columns, zip(*frame.collect(), strict=True), strict=True)))


@pytest.mark.parametrize("digits", [None, 3])
def test_counts_of_spark_make_the_ranking_of_the_rows(spark, rows, digits):
    options = {"actual": ACTUAL, "score": SCORE, "missing": "drop", "digits": digits}

    counts = run_query(spark, rows, digits=digits)

    ours = to.evaluate(counts, weight="rows", weight_means="frequency", **options)
    assert columns(ours.ranking) == columns(to.evaluate(rows, **options).ranking)


def test_spark_sums_weights(spark, rows):
    options = {"actual": ACTUAL, "score": SCORE, "missing": "drop", "weight": "w"}

    counts = run_query(spark, rows, weight="w")

    ours = to.evaluate(counts, weight_means="frequency", **options)
    assert columns(ours.ranking) == columns(
        to.evaluate(rows, weight_means="frequency", **options).ranking
    )
