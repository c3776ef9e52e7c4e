"""Rows in a real PostgreSQL server are counted there, through Ibis."""

import numpy as np
import pyarrow as pa
import pytest
from counted_rows import ROLES, ROWS, from_arrays, read_by, require_equal

import tradeoff as to
from tradeoff.sources import pushdown
from tradeoff.sources.pushdown import is_lazy_frame

pytestmark = pytest.mark.database
lazy_models = read_by(pushdown.lazy_frame_rankings)

INF, NAN = np.inf, np.nan


@pytest.fixture
def query(postgres):
    """A function that gives the rows of a query, made a view that goes with the connection."""

    def make_view(sql, kind="VIEW"):
        postgres.raw_sql(f"CREATE TEMPORARY {kind} asked AS {sql}").close()
        return postgres.table("asked")

    return make_view


@pytest.mark.parametrize("divisor", [1, 8])
@pytest.mark.parametrize("lower", [False, True])
def test_a_table_is_counted_as_arrays_are(postgres, divisor, lower):
    columns = {
        **ROWS,
        "weight": [weight if divisor == 1 else weight / 8 for weight in ROWS["weight"]],
    }
    data = postgres.create_table("rows", pa.table(columns), temp=True)
    options = {"missing": "drop", "lower_is_positive": lower}

    models = lazy_models(data, **ROLES, weight="weight", positive="yes", **options)

    assert is_lazy_frame(data)
    require_equal(models, from_arrays(columns, **options))


@pytest.mark.parametrize("missing", ["drop", "reject", "negative"])
def test_missing_scores_are_treated_as_told(postgres, missing):
    columns = {role: values[5:] for role, values in ROWS.items()}
    data = postgres.create_table("rows", pa.table(columns), temp=True)

    models = lazy_models(data, **ROLES, weight="weight", positive="yes", missing=missing)

    require_equal(models, from_arrays(columns, missing=missing))


@pytest.mark.parametrize(
    ("kind", "scores"),
    [
        ("real", [0.5, 0.25, 0.5]),
        ("numeric(9, 3)", [1.125, -2.5, 1.125]),
        ("smallint", [3, -7, 3]),
        ("bigint", [2**53, -(2**53), 2**53]),
        ("boolean", [True, False, True]),
    ],
)
def test_scores_of_every_type_keep_their_values(query, kind, scores):
    texts = ", ".join(f"'{score}'" for score in scores)
    data = query(
        f"SELECT i % 2 AS y, (ARRAY[{texts}])[i]::{kind} AS p "  # noqa: S608 - of this test
        "FROM generate_series(1, 3) AS i"
    )

    models = lazy_models(data, actual="y", score=["p"])

    expected = to.evaluate(actual=[1, 0, 1], score={"p": [float(score) for score in scores]})
    assert models.rankings["p"] == expected.ranking


def test_a_view_is_a_table_too(query):
    data = query("SELECT i % 2 = 0 AS bad, i % 5 / 4.0 AS p FROM generate_series(0, 999) AS i")

    ranking = lazy_models(data, actual="bad", score=["p"]).rankings["p"]

    assert (ranking.rows, ranking.positives, ranking.distinct) == (1000, 500, 5)


MILLION = """
    SELECT i % 10 = 0 AS bad, sin(i) * sin(i) + CASE WHEN i % 10 = 0 THEN 0.1 ELSE 0 END AS p
    FROM generate_series(1, 1000000) AS i
"""


@pytest.mark.slow
def test_a_million_different_scores_become_bins_whose_bounds_hold_the_exact_value(query):
    data = query(MILLION, "TABLE")
    rows = data.to_pyarrow()
    exact = to.evaluate(actual=rows["bad"], score=rows["p"]).ranking

    ranking = lazy_models(data, actual="bad", score=["p"], bins=50_000).rankings["p"]

    assert exact.distinct > 900_000
    assert ranking.distinct <= 50_000
    assert (ranking.rows, ranking.positives) == (1_000_000, 100_000)
    lowest, highest = ranking.worst_case.twice_pairs_won(), ranking.best_case.twice_pairs_won()
    assert lowest <= exact.twice_pairs_won() <= highest
    # Bins of equal mass would leave one pair in 50,000 open.
    assert (highest - lowest) / (2 * 100_000 * 900_000) < 3 / 50_000


WIDE = """
    SELECT i % 2 AS y,
        CAST(
            CASE WHEN i % 3 = 0 THEN '-' ELSE '' END || i || 'e' || (i % 600 - 310) AS float8
        ) AS p
    FROM generate_series(1, 3000) AS i
"""


def test_scores_from_tiny_to_huge_are_no_overflow(query):
    data = query(WIDE)
    rows = data.to_pyarrow()
    exact = to.evaluate(actual=rows["y"], score=rows["p"]).ranking

    ranking = lazy_models(data, actual="y", score=["p"], bins=200).rankings["p"]

    lowest, highest = ranking.worst_case.twice_pairs_won(), ranking.best_case.twice_pairs_won()
    assert lowest <= exact.twice_pairs_won() <= highest


def test_names_from_data_are_never_sql(postgres):
    name = 'p"; DROP TABLE kept; --'
    postgres.create_table("kept", pa.table({"y'": [1, 0], name: [0.9, 0.1]}), temp=True)

    ranking = lazy_models(postgres.table("kept"), actual="y'", score=[name]).rankings[name]

    assert (ranking.rows, ranking.name) == (2, name)
    assert "kept" in postgres.list_tables()


def test_a_query_that_returns_nothing_is_an_empty_ranking(query):
    data = query("SELECT 1 AS y, 0.5 AS p WHERE false")

    ranking = lazy_models(data, actual="y", score=["p"]).rankings["p"]

    assert (ranking.rows, ranking.distinct) == (0, 0)


@pytest.mark.parametrize(
    ("sql", "options", "message"),
    [
        ("SELECT 1 AS y, 0.5 AS p", {"score": ["q"]}, r"no column 'q'"),
        ("SELECT 1 AS y, 'high'::text AS p", {}, r"`p` must hold numbers, but its type is String"),
        ("SELECT 1 AS y, ARRAY[0.5] AS p", {}, r"`p` must hold numbers, but its type is List"),
        ("SELECT NULL::int AS y, 0.5 AS p", {}, r"1 of 1 row has no class in 'y'"),
        ("SELECT 1 AS y, 'NaN'::float8 AS p", {}, r"1 of 1 scores in `p` is missing"),
        ("SELECT 1 AS y, 9007199254740993 AS p", {}, r"`p` holds integers above 2\*\*53"),
        ("SELECT 1 AS y, 0.5 AS p, -1 AS w", {"weight": "w"}, "1 of 1 weights is negative"),
        ("SELECT 1 AS y, 0.5 AS p, 1e200 AS w", {"weight": "w"}, r"weights is above 1e\+100"),
        ("SELECT 1 / (i - 1) AS y, 0.5 AS p FROM generate_series(0, 1) AS i", {}, "division by"),
    ],
)
def test_bad_input_is_one_sentence(query, sql, options, message):
    with pytest.raises(to.TradeoffError, match=message) as raised:
        lazy_models(query(sql), **{"actual": "y", "score": ["p"], **options})

    assert "\n" not in str(raised.value)


def test_a_server_that_is_gone_is_told_in_one_sentence(server):
    data = server.connect().create_table("kept", pa.table({"y": [1], "p": [0.5]}), temp=True)
    server.stop()

    try:
        with pytest.raises(to.TradeoffError, match="engine cannot count the rows: ") as raised:
            lazy_models(data, actual="y", score=["p"])
    finally:
        server.start()

    assert "\n" not in str(raised.value)
