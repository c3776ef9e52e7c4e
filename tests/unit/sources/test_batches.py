"""Rows that differ from the first ones: batches must not lose, round or merge late values."""

import duckdb
import numpy as np
import polars as pl
import pytest

import tradeoff as to
from tradeoff.errors import InputError

LINE_COUNT = 210_000
"""More lines than the sample from which the types of a CSV file are inferred."""


def csv(folder, first, *late, header="y,s,w,g"):
    path = folder / "rows.csv"
    path.write_text(
        "\n".join([header, *[first, first.replace("1", "0", 1)] * (LINE_COUNT // 2), *late])
    )
    return path


def batches(path, **options):
    return to.evaluate(path, **{"actual": "y", "score": "s", "memory": "400MB", **options})


def test_later_files_are_not_rounded_to_the_types_of_the_first(tmp_path):
    scores = np.arange(100) + 0.7
    pl.DataFrame({"y": [0, 1] * 50, "s": range(100)}).write_parquet(tmp_path / "1.parquet")
    pl.DataFrame({"y": [0, 1] * 50, "s": scores}).write_parquet(tmp_path / "2.parquet")
    evaluation = to.evaluate(tmp_path / "*.parquet", actual="y", score="s")

    assert evaluation.ranking.distinct == 200
    assert batches(tmp_path / "*.parquet").ranking == evaluation.ranking


def test_a_late_fractional_weight_is_reported(tmp_path):
    path = csv(tmp_path, "1,0.5,1,a", "1,0.5,0.4,a")

    with pytest.raises(InputError, match="Row 210001 has a fractional weight"):
        batches(path, weight="w")


def test_a_late_fractional_weight_is_accepted_if_weight_means_is_given(tmp_path):
    path = csv(tmp_path, "1,0.5,1,a", "1,0.5,0.4,a")
    ranking = batches(path, weight="w", weight_means="importance").ranking

    assert ranking.positives == pytest.approx(LINE_COUNT / 2 + 0.4)


def test_a_late_string_is_a_segment(tmp_path):
    evaluation = batches(csv(tmp_path, "1,0.5,1,7", "1,0.5,1,other"), segment="g")

    assert [(name, ranking.rows) for name, ranking in evaluation.segments["s"].items()] == [
        ("7", LINE_COUNT),
        ("other", 1),
    ]


@pytest.mark.parametrize("late", ["1,abc,1,a", "1,0.5,1,a,b"])
def test_a_late_bad_line_is_reported_with_its_number(tmp_path, late):
    with pytest.raises(InputError, match=r"rows\.csv, line 210,002"):
        batches(csv(tmp_path, "1,0.5,1,a", late))


def test_a_late_string_among_numeric_classes_is_a_class(tmp_path):
    path = csv(tmp_path, "1,0.5,1,a", "maybe,0.5,1,a")
    read = to.evaluate(path, actual="y", score="s", positive="1").ranking

    assert read.positives == LINE_COUNT // 2
    assert batches(path, positive="1").ranking == read
    for options in ({}, {"memory": "400MB"}):
        with pytest.raises(InputError, match="'y' holds 3 classes, '0', '1' and 'maybe'"):
            to.evaluate(path, actual="y", score="s", **options)


def test_an_error_in_a_query_is_one_sentence():
    query = to.Query("SELECT i % 2 AS y, CASE WHEN i > 900000 THEN error('odd') ELSE i END AS s "
                     "FROM range(1000000) t(i)")  # fmt: skip

    with pytest.raises(InputError, match=r"The query cannot be read: .*odd"):
        batches(query)


def test_an_empty_query_is_reported():
    with pytest.raises(InputError, match="it must be a SELECT"):
        batches(to.Query(""))


def test_large_whole_weights_do_not_overflow(tmp_path):
    rows = {"y": [0, 1] * 3000, "s": range(6000), "w": [2**52] * 6000}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")
    options = {"weight": "w", "weight_means": "frequency"}
    evaluation = batches(tmp_path / "rows.parquet", **options)

    assert evaluation.ranking.positives == pytest.approx(3000 * 2.0**52)
    whole = to.evaluate(tmp_path / "rows.parquet", actual="y", score="s", **options)
    assert evaluation.auc.value == pytest.approx(whole.auc.value)


def test_the_positive_class_may_be_given_as_a_number(tmp_path):
    pl.DataFrame({"y": ["0", "1"] * 5, "s": range(10)}).write_parquet(tmp_path / "rows.parquet")

    assert batches(tmp_path / "rows.parquet", positive=1.0).ranking.positives == 5


def test_segments_that_floats_would_merge_stay_separate(tmp_path):
    rows = {"y": [0, 1, 1], "s": [1, 2, 3], "g": [2**53, 2**53 + 1, 2**53 + 2]}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")

    segments = batches(tmp_path / "rows.parquet", segment="g").segments["s"]
    assert list(segments) == [str(2**53), str(2**53 + 1), str(2**53 + 2)]


def test_segments_with_equal_names_are_merged(tmp_path):
    rows = {"y": [0, 1, 1], "s": [1, 2, 3], "g": ["TRUE", "true", "false"]}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")
    segments = batches(tmp_path / "rows.parquet", segment="g").segments["s"]

    assert {name: ranking.rows for name, ranking in segments.items()} == {"False": 1, "True": 2}


def test_a_source_that_changes_between_passes_is_rejected():
    query = to.Query("SELECT (i % 3 = 0)::INT AS y, hash(i) % 100000 AS s FROM range(200000) t(i) "
                     "WHERE random() < 0.5")  # fmt: skip

    with pytest.raises(InputError, match="the second pass read different rows from the first"):
        batches(query, bins=100, exact=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "dorp"}, "`missing` must be one of"),
        ({"digits": 1.5}, "`digits` must be a whole number"),
        ({"weight": "y", "weight_means": "freq"}, "`weight_means` must be one of"),
        ({"bins": 2}, "at least 4 bins"),
        ({"weight": "y", "exact": True}, "cannot weight"),
    ],
)
def test_options_are_checked_before_rows_are_read(tmp_path, options, message):
    pl.DataFrame({"y": [0, 1], "s": [0.1, 0.2]}).write_parquet(tmp_path / "rows.parquet")

    with pytest.raises(InputError, match=message):
        batches(tmp_path / "rows.parquet", **options)


@pytest.mark.parametrize("kind", ["UBIGINT", "BIGINT"])
def test_large_integer_scores_of_any_type_are_rejected(tmp_path, kind):
    path = tmp_path / "rows.parquet"
    rows = "FROM (VALUES (0, 9007199254740993), (1, 9007199254740992), (1, NULL)) t(y, n)"
    duckdb.sql(f"COPY (SELECT y, n::{kind} AS s {rows}) TO '{path}'")

    with pytest.raises(InputError, match="integers above 2"):
        batches(path, missing="drop")


def test_dates_may_be_classes(tmp_path):
    path = tmp_path / "rows.parquet"
    days = "DATE '2026-01-01' + (i % 2)::INT AS y"
    duckdb.sql(f"FROM range(10) t(i) SELECT {days}, i AS s").write_parquet(str(path))

    assert batches(path, positive="2026-01-02").ranking.positives == 5


def test_a_score_named_twice_is_one_model(tmp_path):
    pl.DataFrame({"y": [0, 1], "s": [0.1, 0.2]}).write_parquet(tmp_path / "rows.parquet")

    assert list(batches(tmp_path / "rows.parquet", score=["s", "s"])) == ["s"]
