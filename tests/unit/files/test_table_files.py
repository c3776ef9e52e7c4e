"""Columns written as Parquet or CSV files."""

import duckdb
import numpy as np
import pytest

from tradeoff.errors import InputError
from tradeoff.files.table_files import table_writer, write_table

COLUMNS = {"id": np.array(["a", None, 'c"'], object), "the score": np.array([0.5, 0.25, np.nan])}


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_a_table_is_read_back_as_it_was(ending, tmp_path):
    path = tmp_path / f"table{ending}"
    write_table(COLUMNS, path)
    rows = duckdb.sql(f"FROM '{path}'").fetchall()

    assert [row[0] for row in rows] == ["a", None, 'c"']
    assert rows[1][1] == 0.25


def test_objects_that_are_all_missing_remain_text(tmp_path):
    path = tmp_path / "table.parquet"
    write_table({"id": np.array([None, None], object)}, path)

    assert duckdb.sql(f"DESCRIBE FROM '{path}'").fetchall()[0][1] == "VARCHAR"


def test_rows_are_collected_in_parts_and_written_in_any_order(tmp_path):
    path = tmp_path / "table.csv"
    with table_writer(path) as writer:
        writer.add({"score": np.array([0.2, 0.9])})
        writer.add({"score": np.array([0.5])})
        largest = writer.value("max(score)")
        writer.write("FROM collected_rows ORDER BY score DESC")

    assert largest == 0.9
    assert path.read_text().split() == ["score", "0.9", "0.5", "0.2"]


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"should end in \.parquet or \.csv"):
        write_table(COLUMNS, tmp_path / "table.xlsx")
