"""Columns of files as arrays."""

import tradeoff as to


def test_booleans_in_a_csv_file_need_no_positive_class(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("y,p\nTRUE,0.9\nfalse,0.1\ntrue,0.3\n")

    assert to.evaluate(path, actual="y", score="p").ranking.positive == "True"
