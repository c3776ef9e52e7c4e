"""Tables that DuckDB reads have the columns that are written in the file."""

import json

import polars as pl
import pytest

import tradeoff as to
from tradeoff.errors import ColumnError

ROW_COUNT = 22_000
"""More rows than DuckDB samples by default (20,480)."""


def test_a_nested_field_is_not_a_duplicate_column(tmp_path):
    rows = {"y": [0, 1], "s": [0.1, 0.2], "s_1": [{"s": 1}, {"s": 2}]}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")

    assert to.evaluate(tmp_path / "rows.parquet", actual="y", score="s").ranking.rows == 2


def test_a_column_that_first_occurs_late_in_json_is_found(tmp_path):
    rows = [{"y": i % 2} for i in range(ROW_COUNT)]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, [*rows, {"y": 1, "s": 0.5}])))

    ranking = to.evaluate(path, actual="y", score="s", memory="400MB", missing="drop").ranking
    assert ranking.rows == 1
    with pytest.raises(ColumnError, match="no column 't'"):
        to.evaluate(path, actual="y", score="t", memory="400MB")
