"""Segments have the same names, in the same order, whatever the source."""

import datetime as dt

import duckdb
import numpy as np
import polars as pl
import pytest

import tradeoff as to

SIZE = 60
ROWS = pl.DataFrame(
    {
        "y": [i % 2 for i in range(SIZE)],
        "p": [i / SIZE for i in range(SIZE)],
        "w": [0 if i % 3 == 0 else 2 for i in range(SIZE)],
    }
)
COLUMNS = {
    "integers": [i % 3 for i in range(SIZE)],
    "numbers": [(i % 3) / 2 - 0.5 for i in range(SIZE)],
    "whole numbers": [float(i % 12) for i in range(SIZE)],
    "booleans": [i % 3 == 0 for i in range(SIZE)],
    "days": [dt.date(2024, 1, 1 + i % 3) for i in range(SIZE)],
    "times": [dt.datetime(2024, 1, 1 + i % 3, i % 2) for i in range(SIZE)],  # noqa: DTZ001
    "texts": [f"s{i % 12}" for i in range(SIZE)],
    "numbers in texts": [str(i % 12) for i in range(SIZE)],
}


def with_missing_values(values):
    return [None if i % 5 == 0 else value for i, value in enumerate(values)]


SEGMENT_COLUMNS = COLUMNS | {
    f"{name}, some missing": with_missing_values(values) for name, values in COLUMNS.items()
}


def names(source, **options):
    return list(to.evaluate(source, actual="y", score="p", segment="s", **options).segments["p"])


@pytest.mark.parametrize("kind", SEGMENT_COLUMNS)
def test_every_source_gives_the_same_names(kind, tmp_path):
    rows = ROWS.with_columns(s=pl.Series(SEGMENT_COLUMNS[kind]))
    path = tmp_path / "rows.parquet"
    rows.write_parquet(path)
    with duckdb.connect() as connection:
        results = {
            "polars": names(rows),
            "lazy polars": names(rows.lazy()),
            "a file": names(path),
            "batches": names(path, memory="400MB"),
            "a relation": names(connection.sql(f"FROM '{path}'")),
        }

    assert len(set(map(tuple, results.values()))) == 1, results


CSV_COLUMNS = [kind for kind in SEGMENT_COLUMNS if "times" not in kind]


@pytest.mark.parametrize("kind", CSV_COLUMNS)
def test_csv_files_give_the_same_names(kind, tmp_path):
    rows = ROWS.with_columns(s=pl.Series(SEGMENT_COLUMNS[kind]))
    rows.write_csv(tmp_path / "rows.csv")
    read, batches = names(tmp_path / "rows.csv"), names(tmp_path / "rows.csv", memory="400MB")

    assert read == batches == names(rows)


def test_dates_are_formatted_without_times():
    days = np.array(["2024-01-02", "2024-01-01", "NaT"], "datetime64[us]")
    evaluation = to.evaluate(actual=[1, 0, 1], score=[0.9, 0.1, 0.5], segment=days)

    assert list(evaluation.segments["score"]) == ["2024-01-01", "2024-01-02", "(no value)"]


@pytest.mark.parametrize("options", [{}, {"memory": "400MB"}])
def test_a_fold_whose_rows_all_have_weight_0_is_listed(options, tmp_path):
    rows = ROWS.with_columns(fold=pl.Series([i % 3 for i in range(SIZE)]))
    rows.write_parquet(tmp_path / "rows.parquet")
    read = {"actual": "y", "score": "p", "weight": "w", "fold": "fold"}
    evaluation = to.evaluate(tmp_path / "rows.parquet", **read, **options)

    assert (
        list(evaluation.folds["p"]) == list(to.evaluate(rows, **read).folds["p"]) == ["0", "1", "2"]
    )


def test_the_number_of_a_row_without_a_fold_includes_rows_left_out(tmp_path):
    rows = ROWS.with_columns(fold=pl.Series([None if i == 7 else 1 for i in range(SIZE)]))
    rows.write_parquet(tmp_path / "rows.parquet")

    with pytest.raises(to.TradeoffError, match=r"1 row without a fold in 'fold' \(first: row 8\)"):
        to.evaluate(
            tmp_path / "rows.parquet", actual="y", score="p", weight="w", fold="fold", bins=100
        )
