"""A value is the same class or score in Spark as it is where rows are held or read in batches."""

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tradeoff as to
from tradeoff.errors import InputError

LARGE = 2**53
TIMES = [dt.datetime(2024, 1, day, 10, 0, 1, part) for day, part in ((1, 0), (2, 500_000))]  # noqa: DTZ001
CLASSES = {
    "days": (pa.array([dt.date(2024, 1, 1), dt.date(2024, 1, 2)]), "2024-01-02"),
    "times": (pa.array(TIMES), "2024-01-02 10:00:01.5"),
    "midnights": (pa.array([dt.datetime(2024, 1, d) for d in (1, 2)]), "2024-01-02 00:00:00"),  # noqa: DTZ001
    "bytes": (pa.array([b"no", "né".encode()], pa.binary()), "né"),
    "bytes that are no text": (pa.array([b"\xaa", b"\xab"], pa.binary()), r"\xAB"),
    "large integers": (pa.array([LARGE, LARGE + 1]), str(LARGE + 1)),
    "large integers, one missing": (pa.array([LARGE, LARGE + 1, None]), str(LARGE + 1)),
    "decimals": (pa.array([Decimal("1.5"), Decimal("2.0")], pa.decimal128(5, 1)), "2"),
    "long decimals": (
        pa.array([Decimal(LARGE), Decimal(LARGE + 1)], pa.decimal128(38, 0)),
        str(LARGE + 1),
    ),
    "zeros and ones of 38 digits": (
        pa.array([Decimal(0), Decimal(1)], pa.decimal128(38, 0)),
        None,
    ),
    "float32": (pa.array([0.1, 0.2], pa.float32()), "0.2"),
    "truths": (pa.array([False, True]), "true"),
    "texts": (pa.array(["0x1F", "31"]), "31"),
}


def written(folder, actual, scores=(0.25, 0.75, 0.5)):
    path = folder / "rows.parquet"
    scores = scores if isinstance(scores, pa.Array) else pa.array(scores[: len(actual)])
    pq.write_table(pa.table({"y": actual, "s": scores}), path)
    return path


def everywhere(spark, path, **options):
    options = {"actual": "y", "score": "s", "missing": "drop", **options}
    table = spark.read.parquet(str(path))
    return {
        "held": to.evaluate(path, **options).ranking,
        "batches": to.evaluate(path, **options, memory="400MB").ranking,
        "Spark": to.evaluate(table, **options).ranking,
    }


@pytest.mark.parametrize("kind", CLASSES)
def test_a_class_has_the_same_name(spark, tmp_path, kind):
    values, positive = CLASSES[kind]
    results = everywhere(spark, written(tmp_path, values), positive=positive)

    assert (results["Spark"].positives, results["Spark"].negatives) == (1, 1)
    assert results["Spark"] == results["held"] == results["batches"]


def test_numbers_in_texts_are_scores(spark, tmp_path):
    texts = pa.array(["0.25", " 1e-3 ", "007", "inf", "-.5"])
    results = everywhere(spark, written(tmp_path, pa.array([0, 1, 0, 1, 1]), texts))

    assert results["Spark"].thresholds[1:].tolist() == [float("inf"), 7, 0.25, 0.001, -0.5]
    assert results["Spark"] == results["held"] == results["batches"]


@pytest.mark.parametrize("text", ["0x1F", "abc", "", "1d", "0x1p3", str(LARGE + 1)])
def test_texts_that_are_no_numbers_are_no_scores(spark, tmp_path, text):
    path = written(tmp_path, pa.array([0, 1]), pa.array(["0.25", text]))

    for source in (path, spark.read.parquet(str(path))):
        with pytest.raises(InputError, match=r"must hold numbers|integers above 2\*\*53"):
            to.evaluate(source, actual="y", score="s")


def test_decimals_that_floats_tie_are_told(spark, tmp_path):
    digits = [Decimal("0.1234567890123456780") + i * Decimal("1e-19") for i in range(4)]
    results = everywhere(spark, written(tmp_path, pa.array([0, 1, 0, 1]), pa.array(digits)))

    note = "s has more digits than float64 keeps: 3 scores are tied with a different one"
    assert results["Spark"].notes == results["held"].notes == results["batches"].notes == (note,)


def test_long_integers_that_floats_tie_are_refused(spark, tmp_path):
    scores = pa.array([Decimal(LARGE), Decimal(LARGE + 1)], pa.decimal128(38, 0))
    path = written(tmp_path, pa.array([0, 1]), scores)

    for options in ({}, {"memory": "400MB"}):
        with pytest.raises(InputError, match=r"`s` holds integers above 2\*\*53"):
            to.evaluate(path, actual="y", score="s", **options)
    with pytest.raises(InputError, match=r"`s` holds integers above 2\*\*53"):
        to.evaluate(spark.read.parquet(str(path)), actual="y", score="s")


def test_lines_of_other_columns_are_told_and_quotes_may_be_doubled(spark, tmp_path):
    from tradeoff.sources.spark_session import spark_table

    path = tmp_path / "rows.csv"
    path.write_text('y,s,note\n1,0.5,"a ""b"", c"\n0,0.25,NA\n')
    assert to.evaluate(spark_table(spark, str(path)), actual="y", score="s").ranking.rows == 2

    path.write_text("y,s\n1,0.5\n0,0.25,7\n")
    with pytest.raises(InputError, match="Spark cannot read the table"):
        to.evaluate(spark_table(spark, str(path)), actual="y", score="s")
