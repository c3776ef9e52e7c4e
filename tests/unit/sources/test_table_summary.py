"""The summary of a table looks at its first rows only."""

import numpy as np
import polars as pl

import tradeoff as to
from tradeoff.sources.table_summary import MAX_ROWS


def test_only_the_first_rows_of_a_long_table_are_summarized(tmp_path):
    rows = MAX_ROWS + 10
    frame = pl.DataFrame({"y": np.arange(rows) % 2, "p": np.arange(rows) * 7 % rows / rows})
    frame.write_csv(tmp_path / "rows.csv")

    for data in (frame, frame.lazy(), tmp_path / "rows.csv"):
        overview = to.look(data)
        assert (overview.rows, overview.summarized_rows) == (rows, MAX_ROWS)
    assert to.evaluate(tmp_path / "rows.csv").ranking.rows == rows
