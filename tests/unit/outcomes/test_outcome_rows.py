"""Rows of an outcome, from memory and from files that are read in batches."""

import csv

import numpy as np
import pandas as pd
import pytest

import tradeoff as to
from tradeoff.errors import InputError

N = 3000
RNG = np.random.default_rng(5)
SCORE = np.round(RNG.random(N), 3)
ACTUAL = np.where(RNG.random(N) < SCORE, "yes", "no")
CUSTOMERS = [f"{i:05d}" for i in range(N)]
TABLE = pd.DataFrame({"customer no": CUSTOMERS, "bought": ACTUAL, "p": SCORE})
COLUMNS = {"actual": "bought", "positive": "yes", "score": "p"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "mail.csv"
    TABLE.to_csv(path, index=False)
    return path


def expected(outcome, threshold=0.5):
    """Row numbers of an outcome by brute force, nearest to the threshold first."""
    actual, predicted = ACTUAL == "yes", threshold <= SCORE
    masks = {
        "tp": actual & predicted,
        "fn": actual & ~predicted,
        "fp": ~actual & predicted,
        "tn": ~actual & ~predicted,
        "error": actual != predicted,
        "predicted positive": predicted,
    }
    rows = np.flatnonzero(masks[outcome])
    return (rows[np.argsort(np.abs(SCORE[rows] - threshold), kind="stable")] + 1).tolist()


@pytest.mark.parametrize("memory", [None, "500MB"], ids=["in memory", "in batches"])
@pytest.mark.parametrize("outcome", ["tp", "fn", "fp", "tn", "error", "predicted positive"])
def test_the_nearest_rows_of_each_outcome_are_those_of_brute_force(path, outcome, memory):
    rows = to.outcome_rows(
        path,
        **COLUMNS,
        outcome=outcome,
        threshold=0.4,
        ids="customer no",
        memory=memory,
        nearest=30,
    )

    everything = expected(outcome, 0.4)
    assert (rows.size, rows.total) == (len(everything), N)
    assert rows.columns()["row"].tolist() == everything[:30]
    assert list(rows.columns()["customer no"]) == [CUSTOMERS[row - 1] for row in everything[:30]]


@pytest.mark.parametrize("memory", [None, "500MB"], ids=["in memory", "in batches"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_file_holds_all_rows_in_order_whatever_is_listed(path, tmp_path, ending, memory):
    output = tmp_path / f"fn{ending}"

    to.outcome_rows(
        path, **COLUMNS, outcome="fn", ids="customer no", nearest=2, path=output, memory=memory
    )

    kinds = {"customer no": str}
    table = pd.read_csv(output, dtype=kinds) if ending == ".csv" else pd.read_parquet(output)
    assert table["row"].tolist() == expected("fn")
    assert table["customer no"].tolist() == [CUSTOMERS[row - 1] for row in expected("fn")]
    assert set(table["actual"]) == {"yes"}
    assert set(table["predicted"]) == {"no"}
    assert list(table) == ["customer no", "row", "score", "actual", "predicted", "distance"]


def test_only_the_nearest_rows_are_kept_while_a_file_is_read(path, monkeypatch):
    from tradeoff.outcomes import outcome_rows as module
    from tradeoff.sources.options import ReadOptions

    monkeypatch.setattr(module, "MIN_BUFFERED_ROWS", 5)
    monkeypatch.setattr(
        module, "ReadOptions", lambda memory, **_: ReadOptions(memory, max_batch_rows=100)
    )

    rows = to.outcome_rows(path, **COLUMNS, outcome="tn", memory="500MB", nearest=7)

    assert rows.columns()["row"].tolist() == expected("tn")[:7]


def test_dataframes_and_arrays_are_sources_too():
    from_frame = to.outcome_rows(TABLE, **COLUMNS, outcome="fp", ids=["customer no"])
    from_arrays = to.outcome_rows(
        ACTUAL, SCORE, positive="yes", outcome="fp", ids={"customer no": CUSTOMERS}
    )

    assert from_frame.columns()["row"].tolist() == expected("fp")[:20]
    assert from_arrays.columns()["customer no"].tolist() == [
        CUSTOMERS[row - 1] for row in expected("fp")[:20]
    ]


def test_ids_are_written_as_they_are(tmp_path):
    path = tmp_path / "ids.csv"
    path.write_text("id,no,row,y,p\n1.10,7,a,1,.2\n007,8,b,1,.1\n")

    table = to.outcome_rows(
        path, "p", actual="y", outcome="fn", ids=["id", "no", "row"]
    ).columns()  # fmt: skip

    assert list(table["id"]) == ["1.10", "007"]
    assert table["no"].tolist() == [7, 8]
    assert list(table["id_row"]) == ["a", "b"]
    assert table["row"].tolist() == [1, 2]


def test_rows_without_a_score_are_rejected_and_come_last(tmp_path):
    path = tmp_path / "missing.csv"
    path.write_text("id,y,p\na,1,\nb,0,.45\nc,1,.9\nd,1,.41\n")

    def rejected(**options):
        return to.outcome_rows(
            path, "p", actual="y", outcome="rejected", missing="reject", ids="id", **options
        ).columns()

    assert list(rejected()["id"]) == ["a"]
    assert list(rejected(band=(0.4, 0.5))["id"]) == ["d", "b", "a"]
    assert list(rejected(band=(0.4, 0.5), memory="500MB")["id"]) == ["d", "b", "a"]


def test_low_scores_may_be_positive():
    rows = to.outcome_rows(
        [1, 1, 0, 0], [0.1, 0.7, 0.2, 0.9], outcome="tp", threshold=0.5, lower_is_positive=True
    )
    band = to.outcome_rows(
        [1, 1, 0, 0], [0.1, 0.7, 0.2, 0.9], outcome="rejected", band=(0.15, 0.5),
        lower_is_positive=True,
    )  # fmt: skip

    assert rows.columns()["row"].tolist() == [1]
    assert band.columns()["row"].tolist() == [3]


def test_rows_left_out_keep_the_numbers_of_the_others(tmp_path):
    path = tmp_path / "weights.csv"
    path.write_text("y,p,w\n1,.2,0\n1,,1\n1,.3,1\n,.1,1\n1,.4,1\n")

    for memory in (None, "500MB"):
        rows = to.outcome_rows(
            path, "p", actual="y", weight="w", outcome="fn", missing="drop", memory=memory
        )
        assert rows.columns()["row"].tolist() == [5, 3]


def test_cells_that_look_like_formulas_or_sql_are_text(tmp_path):
    path, output = tmp_path / "odd.csv", tmp_path / "out.csv"
    odd = ["o'hara\"; DROP TABLE x;--", "<b>x</b>"]
    pd.DataFrame({"a'\"b": odd, "class": ["it's", "it's"], "p": [0.1, 0.2]}).to_csv(
        path, index=False
    )

    to.outcome_rows(
        path, "p", actual="class", positive="it's", outcome="fn", ids="a'\"b", path=output
    )

    with output.open() as file:
        rows = list(csv.DictReader(file))
    assert [row["a'\"b"] for row in rows] == odd[::-1]
    assert rows[0]["actual"] == "it's"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"outcome": "fnn"}, "No outcome is called 'fnn'"),
        ({"outcome": "fn", "nearest": -1}, "`nearest` must be a whole number"),
        ({"outcome": "fn", "band": (0.6, 0.3)}, "is empty: give the lower first"),
        ({"outcome": "fn", "path": "x.xlsx"}, "x.xlsx should end in .parquet or .csv"),
        ({"outcome": "fn", "ids": "customer"}, "There is no column 'customer'. Did you mean"),
        ({"outcome": "fn", "order": "row"}, '`order` must be "nearest" or "score"'),
        ({"outcome": "fn", "score": ["p", "p2"]}, "Rows are listed for one model"),
    ],
)
@pytest.mark.parametrize("memory", [None, "500MB"], ids=["in memory", "in batches"])
def test_impossible_requests_are_refused(path, options, message, memory):
    with pytest.raises(InputError, match=message):
        to.outcome_rows(path, memory=memory, **(COLUMNS | options))
