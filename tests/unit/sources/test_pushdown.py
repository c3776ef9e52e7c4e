"""Rows counted by their engine give the same rankings as the rows themselves."""

from datetime import date
from decimal import Decimal
from itertools import product

import dask.dataframe as dd
import duckdb
import ibis
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from counted_rows import (
    ROLES,
    ROWS,
    THREE_CLASSES,
    WEIGHTS,
    from_arrays,
    read_by,
    require_equal,
    rows,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import scored

import tradeoff as to
from tradeoff.core.regions import Region, split_unsafe_regions
from tradeoff.sources import pushdown
from tradeoff.sources.pushdown import is_lazy_frame

lazy_models = read_by(pushdown.lazy_frame_rankings)
ENGINES = {
    "polars": lambda table: pl.from_arrow(table).lazy(),
    "duckdb": duckdb.from_arrow,
    "ibis": ibis.memtable,
    "dask": lambda table: dd.from_pandas(
        table.to_pandas(types_mapper=pd.ArrowDtype), npartitions=2
    ),
}
EAGER_LIBRARIES = {
    "pandas": lambda table: table.to_pandas(),
    "polars": pl.from_arrow,
    "pyarrow": lambda table: table,
}
STRING_TYPES = {"actual": pa.string(), "segment": pa.string()}
FAST_ENGINES = ("polars", "duckdb", "ibis")
DISTRIBUTIONS = (
    "normal",
    "probabilities",
    "sorted",
    "far apart",
    "tiny to huge",
    "spikes",
    "near 0",
)
every_engine = pytest.mark.parametrize("engine", ENGINES)
INF, NAN = np.inf, np.nan


def table(columns):
    return pa.table(
        {
            name: pa.array(values, STRING_TYPES.get(name), from_pandas=False)
            for name, values in columns.items()
        }
    )


def frame(engine, columns):
    return ENGINES[engine](table(columns))


@every_engine
@pytest.mark.parametrize("missing", ["drop", "reject", "negative"])
@pytest.mark.parametrize("divisor", [1, 8])
def test_every_engine_gives_the_rankings_of_arrays(engine, missing, divisor):
    labelled = [index for index, name in enumerate(ROWS["actual"]) if name is not None]
    columns = {role: [values[index] for index in labelled] for role, values in ROWS.items()}
    columns["weight"] = [
        weight if divisor == 1 else weight / divisor for weight in columns["weight"]
    ]

    models = lazy_models(
        frame(engine, columns), **ROLES, weight="weight", positive="yes", missing=missing
    )

    require_equal(models, from_arrays(columns, missing=missing))


@every_engine
def test_every_engine_leaves_out_rows_without_a_class(engine):
    models = lazy_models(
        frame(engine, ROWS), **ROLES, weight="weight", positive="yes", missing="drop"
    )

    require_equal(models, from_arrays(ROWS, missing="drop"))


@pytest.mark.parametrize("library", EAGER_LIBRARIES)
def test_eager_frames_give_the_same_rankings(library):
    columns = {role: values for role, values in ROWS.items() if role != "weight"}
    models = lazy_models(frame("duckdb", columns), **ROLES, positive="yes", missing="drop")

    data = EAGER_LIBRARIES[library](table(columns))
    e = to.evaluate(data, **{**ROLES, "score": "score"}, positive="yes", missing="drop")

    require_equal(models, e)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("kind", WEIGHTS)
@given(data=st.data(), lower=st.booleans())
@settings(max_examples=20)
def test_engines_give_the_rankings_of_random_rows(engine, kind, data, lower):
    given_rows = data.draw(
        rows(WEIGHTS[kind].map(lambda weight: weight + 1), THREE_CLASSES).filter(
            lambda columns: "yes" in columns["actual"]
        )
    )
    options = {"missing": "drop", "lower_is_positive": lower}

    models = lazy_models(
        frame(engine, given_rows), **ROLES, weight="weight", positive="yes", **options
    )

    require_equal(models, from_arrays(given_rows, **options))


@every_engine
def test_several_models_from_one_frame(engine):
    columns = {"y": [1, 0, 1, 0], "a": [4.0, 3.0, 2.0, 1.0], "b": [1.0, 2.0, 3.0, 3.0]}

    models = lazy_models(frame(engine, columns), actual="y", score=["a", "b"])

    assert models.rankings == {
        name: to.evaluate(pd.DataFrame(columns), actual="y", score=name).ranking for name in "ab"
    }
    assert (models.folds, models.segments) == ({}, {})


@every_engine
@pytest.mark.parametrize(
    "scores",
    [
        pa.array([0.1, 0.2, 0.1, None], pa.float32()),
        pa.array([3, -7, 3, None], pa.int64()),
        pa.array([3, 255, 3, None], pa.uint8()),
        pa.array([Decimal("1.25"), Decimal("0.10"), Decimal("1.25"), None], pa.decimal128(9, 2)),
        pa.array([True, False, True, None]),
    ],
    ids=["float32", "int64", "uint8", "decimal", "boolean"],
)
def test_scores_of_every_type_keep_their_values(engine, scores):
    data = ENGINES[engine](pa.table({"y": [1, 0, 0, 1], "p": scores}))

    models = lazy_models(data, actual="y", score=["p"], missing="drop")

    values = [float(value) for value in scores.to_pylist()[:3]]
    expected = np.array(values, np.float32 if scores.type == pa.float32() else np.float64)
    e = to.evaluate(actual=[1, 0, 0], score=expected)
    assert models.rankings["p"].thresholds.tolist() == e.ranking.thresholds.tolist()
    assert models.rankings["p"].true_positives.tolist() == e.ranking.true_positives.tolist()


@every_engine
def test_the_largest_exact_integers_are_valid_scores(engine):
    data = frame(engine, {"y": [1, 0], "p": [2**53, -(2**53)]})

    ranking = lazy_models(data, actual="y", score=["p"]).rankings["p"]

    assert ranking.thresholds.tolist() == [INF, 2.0**53, -(2.0**53)]


@every_engine
@pytest.mark.parametrize(
    ("actual", "positive", "names"),
    [
        ([True, False, True], None, ("True", "False")),
        ([True, False, None], None, ("True", "False")),
        ([-1, 1, 1], None, ("1", "-1")),
        ([1.0, 0.0, 0.0], None, ("1", "0")),
        ([3, 4, 5], 3, ("3", "not 3")),
    ],
)
def test_classes_of_every_type_have_the_expected_names(engine, actual, positive, names):
    data = ENGINES[engine](pa.table({"y": pa.array(actual), "p": [0.5, 0.25, 0.75]}))

    models = lazy_models(data, actual="y", score=["p"], positive=positive, missing="drop")

    assert (models.rankings["p"].positive, models.rankings["p"].negative) == names


@every_engine
def test_segments_may_be_dates_and_folds_numbers(engine):
    days = [date(2024, 2, 10), date(2024, 2, 9), None]
    data = frame(engine, {"y": [1, 0, 1], "p": [0.5, 0.25, 0.75], "day": days, "k": [10, 9, 10]})

    models = lazy_models(data, actual="y", score=["p"], segment="day", fold="k")

    assert list(models.segments["p"]) == ["2024-02-09", "2024-02-10", "(no value)"]
    assert list(models.folds["p"]) == ["9", "10"]


def test_categories_are_strings():
    data = pl.LazyFrame(
        {"y": ["a", "b"], "p": [0.5, 0.25]}, schema={"y": pl.Enum(["b", "a"]), "p": pl.Float64}
    )

    assert lazy_models(data, actual="y", score=["p"], positive="a").rankings["p"].positive == "a"


@every_engine
def test_names_from_data_are_never_sql(engine):
    name = 'p"; DROP TABLE x; --'
    data = frame(engine, {"y'": [1, 0], name: [0.9, 0.1]})

    ranking = lazy_models(data, actual="y'", score=[name]).rankings[name]

    assert (ranking.rows, ranking.twice_pairs_won(), ranking.name) == (2, 2, name)


@every_engine
def test_an_empty_frame_gives_an_empty_ranking(engine):
    data = ENGINES[engine](
        pa.table({"y": pa.array([], pa.int64()), "p": pa.array([], pa.float64())})
    )

    assert lazy_models(data, actual="y", score=["p"]).rankings["p"] == (
        to.evaluate(actual=[], score={"p": []}).ranking
    )


def distinct_scores(kind, size=4000):
    """Many distinct scores with a given distribution, and which rows are positive."""
    generator = np.random.default_rng(7)
    positive = generator.random(size) < 0.2
    draws = generator.normal(size=size) + positive
    scores = {
        "normal": draws,
        "probabilities": 1 / (1 + np.exp(6 - 4 * draws)),
        "sorted": np.sort(draws),
        "far apart": np.where(np.arange(size) < 400, 1e9 * draws, 1e-9 * draws),
        "tiny to huge": draws * 10.0 ** generator.integers(-300, 300, size),
        "spikes": np.where(generator.random(size) < 0.3, 0.0, draws),
    }
    scores["near 0"] = np.append(scores["probabilities"][:-3], [5e-12, 1e-10, 1.4e-8])
    return {"y": positive, "p": scores[kind]}


@pytest.mark.parametrize(
    ("engine", "kind"), [*product(FAST_ENGINES, DISTRIBUTIONS), ("dask", "normal")]
)
def test_bounds_from_bins_contain_the_exact_value(engine, kind):
    columns = distinct_scores(kind)
    exact = to.evaluate(actual=columns["y"], score=columns["p"]).ranking

    ranking = lazy_models(
        frame(engine, columns), actual="y", score=["p"], bins=500, probe_rows=400
    ).rankings["p"]

    assert not ranking.exact
    assert ranking.distinct <= 500
    assert (ranking.rows, ranking.positives, ranking.negatives) == (
        exact.rows,
        exact.positives,
        exact.negatives,
    )
    lowest, highest = ranking.worst_case.twice_pairs_won(), ranking.best_case.twice_pairs_won()
    assert lowest <= exact.twice_pairs_won() <= highest


@given(rows=scored(min_size=9, max_size=40), lower=st.booleans())
@settings(max_examples=20)
def test_counts_at_bin_thresholds_are_exact(rows, lower):
    scores, positive, _ = rows
    exact = to.evaluate(actual=positive, score=scores, lower_is_positive=lower).ranking
    data = pl.LazyFrame({"y": positive, "p": scores})

    models = lazy_models(data, actual="y", score=["p"], lower_is_positive=lower, bins=4)

    ranking = models.rankings["p"]
    matrices = [exact.at(threshold) for threshold in ranking.thresholds[1:]]
    assert ranking.true_positives[1:].tolist() == [m.true_positives for m in matrices]
    assert ranking.false_positives[1:].tolist() == [m.false_positives for m in matrices]


def lost_pair_proportion(ranking):
    best, worst = (case.twice_pairs_won() for case in (ranking.best_case, ranking.worst_case))
    return (best - worst) / (2 * ranking.positives * ranking.negatives)


@pytest.mark.parametrize("kind", ["normal", "sorted", "far apart", "near 0", "tiny to huge"])
def test_cells_fit_the_scores_even_if_the_first_rows_are_unrepresentative(kind):
    models = lazy_models(
        frame("duckdb", distinct_scores(kind)), actual="y", score=["p"], bins=500, probe_rows=400
    )

    # With 500 equally populated bins, 1 / 500 of the pairs would be lost.
    assert lost_pair_proportion(models.rankings["p"]) < 3 / 500


@given(
    bits=st.integers(-1000, 1000),
    score=st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False).filter(bool),
)
def test_a_scaled_score_fits_into_64_bits(bits, score):
    lows, scales = np.array(split_unsafe_regions((Region(-INF, 2.0**bits),))).T

    size = abs(score) * scales[np.searchsorted(lows, score, "right") - 1]

    # Only scores too small for the largest scale give less than 1.
    assert min(1, abs(score) * 2.0**946) <= size <= 2.0**62


def test_too_many_groups_are_counted_in_coarser_cells():
    data = frame("duckdb", distinct_scores("sorted"))
    models = lazy_models(data, actual="y", score=["p"], bins=1000, probe_rows=400, max_groups=3000)

    assert models.rankings["p"].rows == 4000


def test_too_many_segments_are_rejected():
    data = frame("duckdb", distinct_scores("normal") | {"who": np.arange(4000)})

    with pytest.raises(to.TradeoffError, match=r"^The rows form more than 1,500 groups"):
        lazy_models(
            data, actual="y", score=["p"], segment="who", bins=500, probe_rows=400, max_groups=1500
        )


def test_repeated_scores_stay_exact_for_any_number_of_rows():
    columns = distinct_scores("normal")
    columns["p"] = np.round(columns["p"], 2)

    models = lazy_models(
        frame("duckdb", columns), actual="y", score=["p"], bins=1000, probe_rows=400
    )

    assert models.rankings["p"] == to.evaluate(
        actual=columns["y"], score=columns["p"]
    ).ranking.named("p")


@pytest.mark.parametrize(
    ("changed_columns", "options", "message"),
    [
        ({}, {"score": ["pp"]}, r"no column 'pp'\. Did you mean 'p'"),
        ({}, {"actual": "z"}, r"no column 'z'"),
        ({"p": ["a", "b", "c"]}, {}, r"`p` must hold numbers, but its type is String: convert"),
        ({"p": [[0.5], [0.25], []]}, {}, r"`p` must hold numbers, but its type is List"),
        ({"y": [[1], [0], [1]]}, {}, r"Column 'y' holds List.*not one value per row"),
        (
            {"p": [1, 2, 2**53 + 1]},
            {},
            r"`p` holds integers above 2\*\*53 that .* distinguish\. Divide",
        ),
        ({"p": [0.5, None, NAN]}, {}, r"2 of 3 scores in `p` are missing\. Fill them in"),
        ({"y": [0, 1, None]}, {}, r"1 of 3 rows has no class in 'y'\. A row without"),
        ({"y": ["a", "b", "b"]}, {}, r"'y' holds 'a' and 'b': say which one is positive"),
        ({"w": ["1", "2", "3"]}, {"weight": "w"}, r"`w` must hold numbers"),
        ({"w": [1.0, None, NAN]}, {"weight": "w"}, r"2 of 3 weights are missing or infinite\."),
        ({"w": [1.0, INF, 1.0]}, {"weight": "w"}, r"1 of 3 weights is missing or infinite\."),
        ({"w": [3, -1, 1]}, {"weight": "w"}, r"1 of 3 weights is negative\."),
        ({"w": [1e101, 1.0, 1.0]}, {"weight": "w"}, r"1 of 3 weights is above 1e\+100"),
        ({"w": [1e-101, 1.0, 1.0]}, {"weight": "w"}, r"1 of 3 weights is below 1e-100"),
        ({"k": ["1", None, "2"]}, {"fold": "k"}, r"1 row without a fold in 'k': each row"),
        ({}, {"digits": 2}, r"`digits` rounds scores in memory"),
        ({}, {"missing": "ignore"}, r"`missing` must be one of"),
        ({}, {"weight_means": "frequency"}, r"`weight_means` says what the weights mean"),
    ],
)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_bad_input_is_one_sentence(engine, changed_columns, options, message):
    columns = {"y": [1, 0, 1], "p": [0.5, 0.25, 0.75], **changed_columns}
    data = ENGINES[engine](pa.table({name: pa.array(values) for name, values in columns.items()}))

    with pytest.raises(to.TradeoffError, match=message):
        lazy_models(data, **{"actual": "y", "score": ["p"], **options})


def test_a_closed_database_is_reported():
    connection = duckdb.connect()
    data = connection.sql("SELECT 1 AS y, 0.5 AS p")
    connection.close()

    with pytest.raises(to.TradeoffError, match=r"^The engine cannot count the rows: "):
        lazy_models(data, actual="y", score=["p"])


def test_a_query_that_fails_during_execution_is_reported():
    data = duckdb.sql("SELECT 1 AS y, CAST(x AS DOUBLE) AS p FROM (VALUES ('0.5'), ('?')) AS t(x)")

    with pytest.raises(to.TradeoffError, match=r"^The engine cannot count the rows: "):
        lazy_models(data, actual="y", score=["p"])


@pytest.mark.parametrize("engine", ENGINES)
def test_frames_of_every_engine_are_lazy(engine):
    data = frame(engine, {"y": [1, 0]})

    assert is_lazy_frame(data)
    assert is_lazy_frame(nw.from_native(data))


@pytest.mark.parametrize("library", EAGER_LIBRARIES)
def test_frames_in_memory_are_not_lazy(library):
    assert not is_lazy_frame(EAGER_LIBRARIES[library](table({"y": [1, 0]})))


@pytest.mark.parametrize("value", [None, "rows.csv", [1, 2], np.zeros(3)])
def test_other_objects_are_not_lazy_frames(value):
    assert not is_lazy_frame(value)
