"""What `tradeoff sql` prints for PostgreSQL, run there."""

import numpy as np
import pyarrow as pa
import pytest
from strategies import columns

import tradeoff as to
from tradeoff.sources.counts_query import CountsRequest, counts_query

pytestmark = pytest.mark.database
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


def run_query(postgres, rows, **more):
    """The result of the query as a table; the rows themselves were put there by Ibis."""
    postgres.create_table("t;x", rows, temp=True)
    cursor = postgres.raw_sql(
        counts_query(CountsRequest('"t;x"', ACTUAL, SCORE, **more), "postgresql")
    )
    names = [column.name for column in cursor.description]
    lines = cursor.fetchall()
    cursor.close()
    return pa.table(dict(zip(names, zip(*lines, strict=True), strict=True)))


@pytest.mark.parametrize("digits", [None, 3])
def test_counts_of_postgresql_make_the_ranking_of_the_rows(postgres, rows, digits):
    options = {"actual": ACTUAL, "score": SCORE, "missing": "drop", "digits": digits}

    counts = run_query(postgres, rows, digits=digits)

    ours = to.evaluate(counts, weight="rows", weight_means="frequency", **options)
    assert columns(ours.ranking) == columns(to.evaluate(rows, **options).ranking)


def test_postgresql_sums_weights(postgres, rows):
    options = {"actual": ACTUAL, "score": SCORE, "missing": "drop", "weight": "w"}

    counts = run_query(postgres, rows, weight="w")

    ours = to.evaluate(counts, weight_means="frequency", **options)
    assert columns(ours.ranking) == columns(
        to.evaluate(rows, weight_means="frequency", **options).ranking
    )
