"""Values mean the same however they are read: in memory, in batches, by a query or an engine."""

import datetime as dt
import json
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.errors import InputError, TradeoffError
from tradeoff.sources.duckdb_relations import duckdb_relation, typed_relation

LARGE = 2**53
BATCH_OPTIONS = {"memory": "400MB"}


def reading_modes(path):
    """Sources and options for every way of reading a file."""
    return {
        "in memory": (path, {}),
        "batches": (path, BATCH_OPTIONS),
        "a query": (to.Query(f"FROM '{path}'"), {}),
        "a table": (to.Query("FROM kept", database_copy(path)), {}),
    }


def database_copy(path):
    database = path.with_suffix(".duckdb")
    if not database.exists():
        with duckdb.connect(str(database)) as connection:
            # Use the package's own reader: DuckDB's type inference is not tested here.
            table = typed_relation(duckdb_relation(connection, path), path, ["y", "s"])
            connection.execute(f"CREATE TABLE kept AS {table.sql_query()}")
    return database


def outcome(source, **options):
    """Classes, thresholds and notes of the rows, or the type of the error."""
    try:
        ranking = to.evaluate(source, actual="y", score="s", **options).ranking
    except TradeoffError as problem:
        return type(problem)
    classes = (ranking.positive, ranking.negative, ranking.positives, ranking.negatives)
    return classes, ranking.thresholds.tolist(), ranking.notes


def common_outcome(path, positive):
    outcomes = {
        name: outcome(source, positive=positive, **options)
        for name, (source, options) in reading_modes(path).items()
    }
    assert len(set(map(str, outcomes.values()))) == 1, outcomes
    return outcomes["in memory"]


CELLS = [
    "1", "0", "1.0", "0.0", "+1", "-1", "01", "007", "7", "0x1F", "31", "1_000", "1000", "1e3",
    "nan", "inf", "true", "False", "TRUE", "yes", "NA", "", " 1", str(LARGE), str(LARGE + 1),
    f"{LARGE}.0", str(2**63), str(2**64 + 1), "0.1", "0.10", "#3", "'x'", "x",
]  # fmt: skip


@given(st.lists(st.sampled_from(CELLS), min_size=2, max_size=6), st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_classes_in_a_csv_file_are_the_same_however_read(tmp_path, classes, data):
    lines = "".join(f'"{name}",{i / 8}\n' for i, name in enumerate(classes))
    path = tmp_path / "rows.csv"
    path.with_suffix(".duckdb").unlink(missing_ok=True)
    path.write_text(f"y,s\n{lines}")

    common_outcome(path, data.draw(st.sampled_from([None, *classes])))


JSON_VALUES = [1, 0, 1.0, True, False, "true", "1", "yes", LARGE, LARGE + 1, 0.5, "é", 2**64, None]


@given(st.lists(st.sampled_from(JSON_VALUES), min_size=2, max_size=6), st.data())
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_classes_in_a_json_file_are_the_same_however_read(tmp_path, classes, data):
    path = tmp_path / "rows.jsonl"
    path.with_suffix(".duckdb").unlink(missing_ok=True)
    rows = [{"y": value, "s": i / 8} for i, value in enumerate(classes)]
    path.write_text("\n".join(map(json.dumps, rows)))

    common_outcome(path, data.draw(st.sampled_from([None, *map(str, classes)])))


TIMES = [dt.datetime(2024, 1, day, 10, 0, 1, part) for day, part in ((1, 0), (2, 500_000))]  # noqa: DTZ001
PARQUET_CLASSES = {
    "days": (pa.array([dt.date(2024, 1, 1), dt.date(2024, 1, 2)]), "2024-01-02"),
    "times": (pa.array(TIMES), "2024-01-02 10:00:01.5"),
    "nanoseconds": (pa.array(TIMES, pa.timestamp("ns")), "2024-01-02 10:00:01.5"),
    "midnights": (pa.array([dt.datetime(2024, 1, d) for d in (1, 2)]), "2024-01-02 00:00:00"),  # noqa: DTZ001
    "bytes": (pa.array([b"no", "né".encode()], pa.binary()), "né"),
    "bytes that are no text": (pa.array([b"\xaa", b"\xab"], pa.binary()), r"\xAB"),
    "large integers": (pa.array([LARGE, LARGE + 1]), str(LARGE + 1)),
    "large integers, one missing": (pa.array([LARGE, LARGE + 1, None]), str(LARGE + 1)),
    "unsigned": (pa.array([2**64 - 2, 2**64 - 1], pa.uint64()), str(2**64 - 1)),
    "decimals": (pa.array([Decimal("1.5"), Decimal("2.0")], pa.decimal128(5, 1)), "2"),
    "long decimals": (
        pa.array([Decimal(LARGE), Decimal(LARGE + 1)], pa.decimal128(38, 0)),
        str(LARGE + 1),
    ),
    "float32": (pa.array([0.1, 0.2], pa.float32()), "0.2"),
    "categories": (pa.array(["no", "yes"]).dictionary_encode(), "yes"),
    "truths": (pa.array([False, True]), "true"),
}


def parquet(folder, actual, scores=(0.25, 0.75, 0.5)):
    path = folder / "rows.parquet"
    scores = scores if isinstance(scores, pa.Array) else pa.array(scores[: len(actual)])
    pq.write_table(pa.table({"y": actual, "s": scores}), path)
    return path


@pytest.mark.parametrize("kind", PARQUET_CLASSES)
def test_classes_in_a_parquet_file_have_the_same_names_however_read(tmp_path, kind):
    values, positive = PARQUET_CLASSES[kind]
    path = parquet(tmp_path, values)
    sources = {"in memory": path, "a query": to.Query(f"FROM '{path}'")}
    sources |= {"polars": pl.read_parquet(path), "lazy polars": pl.scan_parquet(path)}
    connection = duckdb.connect()
    sources["a relation"] = connection.sql(f"FROM '{path}'")
    if kind == "unsigned":
        del sources["lazy polars"], sources["a relation"]
    results = {
        name: outcome(
            source,
            positive=positive,
            missing="drop",
            **(BATCH_OPTIONS if name == "batches" else {}),
        )
        for name, source in sources.items()
    }

    classes = results["in memory"][0]
    assert classes[2:] == (1, 1), results
    assert classes[0].casefold() == positive.casefold()
    assert {
        name: outcome_of_source[0] for name, outcome_of_source in results.items()
    } == dict.fromkeys(results, classes)


def test_segments_at_midnight_have_the_same_names_however_read(tmp_path):
    path = tmp_path / "rows.parquet"
    at = [dt.datetime(2024, 1, day) for day in (1, 2)]  # noqa: DTZ001
    pq.write_table(pa.table({"y": [0, 1], "s": [0.25, 0.75], "at": at}), path)
    options = {"actual": "y", "score": "s", "segment": "at"}

    names = [list(to.evaluate(path, **options, **way).segments["s"]) for way in ({}, BATCH_OPTIONS)]
    assert names[0] == names[1] == ["2024-01-01 00:00:00", "2024-01-02 00:00:00"]


def test_datetime_classes_in_arrays_have_readable_names():
    datetimes = np.array(["2024-01-01T10:00:01.5", "2024-01-02T10:00"], "datetime64[us]")
    ranking = to.evaluate(
        actual=datetimes, score=[0.9, 0.1], positive="2024-01-01 10:00:01.5"
    ).ranking

    assert (ranking.positives, ranking.negative) == (1, "2024-01-02 10:00:00")


@pytest.mark.parametrize("text", ["0.75", "1e-3", " 7 ", "007", "1_000", "inf", "-.5"])
def test_numeric_strings_are_scores_however_read(tmp_path, text):
    path = parquet(tmp_path, pa.array([0, 1]), pa.array(["0.25", text]))
    results = common_outcome(path, None)

    assert set(results[1][1:]) == {0.25, float(text)}
    if "_" not in text:
        assert (
            outcome(pl.scan_parquet(path).with_columns(pl.col("s").str.strip_chars()))[:2]
            == results[:2]
        )


@pytest.mark.parametrize("text", ["0x1F", "abc", "", "1 000", "١"])
def test_other_strings_are_rejected_as_scores_however_read(tmp_path, text):
    path = parquet(tmp_path, pa.array([0, 1]), pa.array(["0.25", text]))

    assert common_outcome(path, None) is InputError


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    ("scores", "is_refused"), [([LARGE, LARGE + 1], True), ([LARGE, LARGE + 2, 2**60], False)]
)
def test_large_integers_are_scores_if_floats_represent_them(tmp_path, kind, scores, is_refused):
    rows = pl.DataFrame({"y": [0, 1, 1][: len(scores)], "s": scores})
    path = tmp_path / f"rows.{kind}"
    {"csv": rows.write_csv, "jsonl": rows.write_ndjson, "parquet": rows.write_parquet}[kind](path)

    assert (common_outcome(path, None) is InputError) == is_refused


def test_a_large_integer_among_fractions_is_rejected_too(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(f"y,s\n0,{LARGE + 1}\n1,0.5\n")

    assert common_outcome(path, None) is InputError


# Near 0.123, float64 values are 1.4e-17 apart, but these decimals only 1e-19.
DIGITS = [Decimal("0.1234567890123456780") + i * Decimal("1e-19") for i in range(4)]
TIES_NOTE = "s has more digits than float64 keeps: 3 scores are tied with a different one"


def decimals(folder, values=DIGITS):
    return parquet(folder, pa.array([0, 1, 0, 1][: len(values)]), pa.array(values))


def test_decimals_tied_as_floats_are_noted_however_read(tmp_path):
    path = decimals(tmp_path)
    assert common_outcome(path, None)[2] == (TIES_NOTE,)

    frames = [pl.read_parquet(path), pl.scan_parquet(path), pq.read_table(path)]
    for frame in [*frames, duckdb.connect().sql(f"FROM '{path}'")]:
        assert outcome(frame)[2] == (TIES_NOTE,)
    for values in (DIGITS, list(map(str, DIGITS)), pd.Series(DIGITS)):
        note = to.evaluate(actual=[0, 1, 0, 1], score=values).ranking.notes
        assert note == (TIES_NOTE.replace("s has", "score has", 1),)


def test_digits_in_csv_files_tied_as_floats_are_noted_however_read(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("y,s\n" + "".join(f"{i % 2},{digits}\n" for i, digits in enumerate(DIGITS)))

    assert common_outcome(path, None)[2] == (TIES_NOTE,)


@pytest.mark.parametrize("number_format", ["{:.18e}", "{:.25f}", "{!r}", "{:.17g}"])
def test_insignificant_digits_need_no_note(tmp_path, number_format):
    # Formats of np.savetxt, C and Python; 17 digits always identify a float.
    path = tmp_path / "rows.csv"
    scores = [0.1, 0.30000000000000004, 0.3, 1.0, 1e-7, 0.1]
    lines = (
        f"{float(i % 2):.18e},{number_format.format(score)}\n" for i, score in enumerate(scores)
    )
    path.write_text("y,s\n" + "".join(lines))
    classes, thresholds, notes = common_outcome(path, None)

    assert (classes[:2], notes) == (("1", "0"), ())
    assert thresholds[1:] == sorted(set(scores), reverse=True)


def test_decimals_that_floats_distinguish_need_no_note(tmp_path):
    apart = [Decimal("0.1000000000000000000"), Decimal("0.2000000000000000000")]

    assert common_outcome(decimals(tmp_path, apart), None)[2] == ()
    assert to.evaluate(actual=[0, 1], score=[Decimal("0.50"), Decimal("0.5")]).ranking.notes == ()


def test_the_note_on_one_tied_score_is_singular():
    ranking = to.evaluate(actual=[0, 1], score=DIGITS[:2]).ranking

    assert ranking.notes[0].endswith("keeps: 1 score is tied with a different one")


@pytest.mark.parametrize("mode", ["in memory", "batches", "lazy"])
@pytest.mark.parametrize("whole", [True, False])
def test_whole_weights_are_frequencies_whatever_their_type(mode, whole, tmp_path):
    import polars as pl

    weights = [2.0, 1.0, 3.0, 1.0 if whole else 1.5]
    table = pl.DataFrame({"y": [1, 0, 1, 0], "s": [0.9, 0.6, 0.4, 0.1], "w": weights})
    table.write_parquet(tmp_path / "rows.parquet")
    options = {"actual": "y", "score": "s", "weight": "w"}
    ranking = {
        "in memory": lambda: to.evaluate(table, **options),
        "batches": lambda: to.evaluate(tmp_path / "rows.parquet", memory="1GB", **options),
        "lazy": lambda: to.evaluate(table.lazy(), **options),
    }[mode]().ranking

    assert ranking.is_counted == whole
    assert (ranking.squares is None) == whole
    kind = "frequencies, as they are" if whole else "importances, as they are not"
    assert f"weights are treated as {kind} whole numbers" in ranking.notes
