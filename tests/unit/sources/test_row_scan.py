"""Rows with their identifiers reach a consumer alike, from memory and in batches."""

import numpy as np
import pytest

from tradeoff.errors import InputError
from tradeoff.sources.columns import Columns
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.row_policy import RowPolicy
from tradeoff.sources.row_scan import RowConsumer, scan_rows

TABLE = "id,y,p\nx1,true,.9\nx2,false,\nx3,true,.4\nx4,false,.3\n"


class Collector(RowConsumer):
    """Keeps all rows; counts how often the source was read."""

    def __init__(self):
        self.reads = 0

    def start(self):
        self.reads += 1
        self.batches = []

    def add(self, rows):
        self.batches.append(rows)

    def values(self, name):
        return np.concatenate([getattr(rows, name) for rows in self.batches]).tolist()


def collected(path, ids=("id",), missing="reject", **options):
    collector = Collector()
    classes = scan_rows(
        path,
        Columns("y", ["p"]),
        RowPolicy(missing=missing),
        ReadOptions(**options),
        list(ids),
        collector,
    )
    return classes, collector


@pytest.mark.parametrize("options", [{}, {"memory": "500MB", "max_batch_rows": 2}])
def test_numbers_ids_classes_and_rejected_rows_are_the_same_however_rows_are_read(
    tmp_path, options
):
    path = tmp_path / "rows.csv"
    path.write_text(TABLE)

    classes, rows = collected(path, **options)
    dropped = collected(path, missing="drop", **options)[1]

    assert (classes.positive, classes.negative) == ("True", "False")
    assert classes.notes == ("1 row without a score: counted as rejected",)
    assert rows.values("row_numbers") == [1, 2, 3, 4]
    assert rows.values("undecided") == [False, True, False, False]
    assert rows.values("positive_rows") == [True, False, True, False]
    assert [name for batch in rows.batches for name in batch.ids["id"]] == ["x1", "x2", "x3", "x4"]
    assert dropped.values("row_numbers") == [1, 3, 4]
    assert [name for batch in dropped.batches for name in batch.ids["id"]] == ["x1", "x3", "x4"]


def test_a_column_that_turns_out_to_hold_text_is_read_again_from_the_start(tmp_path):
    path = tmp_path / "late.csv"
    late = "".join(f"r{row},{'true' if row % 2 else 'false'},.5\n" for row in range(20_000))
    path.write_text(f"id,y,p\n{late}z,other,.1\n")
    collector = Collector()

    scan_rows(
        path,
        Columns("y", ["p"]),
        RowPolicy(positive="true"),
        ReadOptions(memory="500MB"),
        ["id"],
        collector,
    )

    assert collector.reads == 2
    assert len(collector.values("scores")) == 20_001


@pytest.mark.parametrize("options", [{}, {"memory": "500MB"}])
def test_an_unknown_id_column_is_named(tmp_path, options):
    path = tmp_path / "rows.csv"
    path.write_text(TABLE)

    with pytest.raises(InputError, match="There is no column 'ID_'"):
        collected(path, ids=["ID_"], **options)
