"""The same rows from every source give the same ranking."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import columns

import tradeoff as to

ROWS = {
    "play": ["yes", "no", "yes", "no", "yes", "yes"],
    "p_yes": [0.9, 0.9, 0.25, -0.5, 0.1 + 0.2, 1e-300],
    "w": [1, 2, 0, 3, 1, 1],
}


def csv_file(rows, folder, name="rows.csv", separator=","):
    path = folder / name
    lines = zip(*rows.values(), strict=True)
    text = [separator.join(rows), *(separator.join(map(str, line)) for line in lines)]
    path.write_text("\n".join(text) + "\n")
    return path


def parquet_file(rows, folder):
    path = folder / "rows.parquet"
    pq.write_table(pa.table(rows), path)
    return path


def european_file(rows, folder):
    """Semicolons, decimal commas and the code page of Windows."""
    path = folder / "rows.csv"
    lines = [
        ";".join(map(str, line)).replace(".", ",") for line in zip(*rows.values(), strict=True)
    ]
    path.write_bytes(
        "\r\n".join([*[f"{';'.join(rows)};größe"], *(f"{r};1" for r in lines)]).encode("cp1252")
    )
    return path


def stata_file(rows, folder):
    path = folder / "rows.dta"
    pyreadstat.write_dta(pd.DataFrame(rows), str(path))
    return path


def spss_file(rows, folder):
    path = folder / "rows.sav"
    pyreadstat.write_sav(pd.DataFrame(rows), str(path))
    return path


def json_file(rows, folder):
    path = folder / "rows.jsonl"
    path.write_text(pd.DataFrame(rows).to_json(orient="records", lines=True, double_precision=15))
    return path


def in_encoding(encoding, path):
    path.write_text(path.read_text(), encoding=encoding)
    return path


SOURCES = {
    "pandas": lambda rows, _: pd.DataFrame(rows),
    "pandas categorical": lambda rows, _: pd.DataFrame(rows).astype({"play": "category"}),
    "pandas pyarrow": lambda rows, _: pd.DataFrame(rows).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda rows, _: pl.DataFrame(rows),
    "polars lazy": lambda rows, _: pl.LazyFrame(rows),
    "polars enum": lambda rows, _: pl.DataFrame(rows).with_columns(
        pl.col("play").cast(pl.Enum(["yes", "no"]))
    ),
    "pyarrow": lambda rows, _: pa.table(rows),
    "duckdb": lambda rows, _: duckdb.from_arrow(pa.table(rows)),
    "csv": csv_file,
    "tsv": lambda rows, folder: csv_file(rows, folder, "rows.tsv", "\t"),
    "parquet": parquet_file,
    "European csv": european_file,
    "quoted decimal commas": lambda rows, folder: to.File(
        csv_file(rows | {"p_yes": [f'"{p!r}"'.replace(".", ",") for p in rows["p_yes"]]}, folder),
        decimal=",",
    ),
    "UTF-16": lambda rows, folder: in_encoding("utf-16", csv_file(rows, folder)),
    "Stata": stata_file,
    "SPSS": spss_file,
}
every_source = pytest.mark.parametrize("source", SOURCES)


@every_source
@pytest.mark.parametrize("weight", [None, "w"])
def test_every_source_gives_the_ranking_of_arrays(source, weight, tmp_path):
    from_arrays = to.evaluate(
        actual=ROWS["play"],
        score=ROWS["p_yes"],
        positive="yes",
        weight=None if weight is None else ROWS[weight],
    )

    data = SOURCES[source](ROWS, tmp_path)
    e = to.evaluate(data, actual="play", score="p_yes", positive="yes", weight=weight)

    assert columns(e.ranking) == columns(from_arrays.ranking)
    assert (e.ranking.positive, e.ranking.negative, e.ranking.name) == ("yes", "no", "p_yes")


@every_source
def test_a_missing_column_is_reported_with_a_suggestion(source, tmp_path):
    with pytest.raises(to.TradeoffError, match=r"no column .p_yess.\. Did you mean .p_yes."):
        to.evaluate(SOURCES[source](ROWS, tmp_path), actual="play", score="p_yess", positive="yes")


@given(
    scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=20),
    seed=st.integers(0, 99),
)
@settings(max_examples=15)
def test_files_and_frames_keep_every_digit(tmp_path_factory, scores, seed):
    actual = np.random.default_rng(seed).integers(0, 2, len(scores)).tolist()
    rows = {"actual": actual, "score": scores}
    expected = columns(to.evaluate(actual=actual, score=scores).ranking)
    folder = tmp_path_factory.mktemp("rows")

    for source in ("pandas", "polars lazy", "pyarrow", "duckdb", "csv", "parquet"):
        e = to.evaluate(SOURCES[source](rows, folder), actual="actual", score="score")
        assert columns(e.ranking) == expected, source


@pytest.mark.parametrize(
    "wrap",
    [list, tuple, np.array, pd.Series, pl.Series, pa.array, lambda x: pa.chunked_array([x])],
)
def test_columns_may_be_any_kind_of_sequence(wrap):
    e = to.evaluate(actual=wrap([1, 0, 1, 0]), score=wrap([0.9, 0.8, 0.7, 0.1]))

    assert float(e.auc) == 0.75


@pytest.mark.parametrize(
    ("kind", "scores"),
    [
        (np.float64, [0.9, 0.2, 0.5]),
        (np.float32, [0.9, 0.2, 0.5]),
        (np.float16, [0.9, 0.2, 0.5]),
        (np.longdouble, [0.9, 0.25, 0.5]),
        (">f8", [0.9, 0.2, 0.5]),
        (">i4", [-3, 7, 0]),
        (np.int64, [-3, 7, 2**53]),
        (np.int32, [-3, 7, 0]),
        (np.uint8, [3, 255, 0]),
        (np.uint64, [3, 255, 0]),
        (np.bool_, [True, False, True]),
    ],
)
def test_scores_of_every_type_keep_their_values(kind, scores):
    scores = np.array(scores, kind)
    e = to.evaluate(actual=[1, 0, 1], score=scores)

    expected = sorted({float(score) for score in scores}, reverse=True)
    assert e.ranking.thresholds[1:].tolist() == expected


@pytest.mark.parametrize(
    "missing",
    [
        pd.Series([0.5, None, 0.2]),
        pd.Series([0.5, None, 0.2], dtype="Float64"),
        pl.Series([0.5, None, 0.2]),
        pa.array([0.5, None, 0.2]),
        [0.5, None, 0.2],
        np.ma.array([0.5, 9.0, 0.2], mask=[0, 1, 0]),
    ],
)
def test_missing_scores_are_detected_in_every_kind_of_column(missing):
    with pytest.raises(to.TradeoffError, match=r"1 of 3 scores in `score` is missing.*row 2"):
        to.evaluate(actual=[1, 0, 1], score=missing)


def test_several_models_from_one_frame():
    frame = pd.DataFrame({"y": [1, 0, 1, 0], "a": [4, 3, 2, 1], "b": [1, 2, 3, 4]})
    e = to.evaluate(frame, actual="y", score=["a", "b"])

    assert [float(e[name].auc) for name in e] == [0.75, 0.25]
    with pytest.raises(to.TradeoffError, match="2 models, 'a' and 'b': choose one"):
        _ = e.auc
    with pytest.raises(to.TradeoffError, match="No model is called 'c'"):
        e["c"]


def test_names_from_data_are_never_sql(tmp_path):
    name = 'p"; DROP TABLE x; --'
    path = parquet_file({"y": [1, 0], name: [0.9, 0.1]}, tmp_path)

    assert float(to.evaluate(path, actual="y", score=name).auc) == 1


def test_json_lines_and_compressed_files(tmp_path):
    import gzip

    rows = {"y": [1, 0, 1], "p": [0.9, 0.1, 0.3]}
    packed = tmp_path / "rows.csv.gz"
    packed.write_bytes(gzip.compress(csv_file(rows, tmp_path).read_bytes()))

    for path in (json_file(rows, tmp_path), packed):
        assert float(to.evaluate(path, actual="y", score="p").auc) == 1
