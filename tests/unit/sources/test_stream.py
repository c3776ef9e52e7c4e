"""Files streamed in batches give the are_equal rankings as files read into memory."""

import gzip
from functools import cache

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.columns import Columns
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.read import read

RANDOM = np.random.default_rng(3)
SIZE = 3000
POSITIVE = RANDOM.random(SIZE) < 0.3
SCORE = (RANDOM.normal(size=SIZE) + POSITIVE).round(2)
ROWS = pl.DataFrame(
    {
        "class": np.where(POSITIVE, "yes", "no"),
        "number": POSITIVE.astype(int),
        "truth": POSITIVE,
        "sign": np.where(POSITIVE, 1, -1),
        "words": np.where(POSITIVE, "true", "False"),
        "many": np.where(POSITIVE, "a", RANDOM.choice(["b", "c", "d"], SIZE)),
        "score": SCORE,
        "other": -SCORE,
        "whole": (SCORE * 100).astype(int),
        "gaps": [None if i % 50 == 3 else float(s) for i, s in enumerate(SCORE)],
        "times": RANDOM.integers(0, 4, SIZE),
        "importance": RANDOM.random(SIZE),
        "part": RANDOM.choice(["a", "b", "c10", "c9"], SIZE),
        "some": [None if i % 70 == 1 else str(i % 3) for i in range(SIZE)],
        "fold": RANDOM.integers(1, 12, SIZE),
    }
)
ARGUMENTS = {
    "strings": {"actual": "class", "positive": "yes", "score": "score"},
    "two models": {"actual": "number", "score": ["score", "other"]},
    "booleans": {"actual": "truth", "score": "score"},
    "booleans, false is positive": {"actual": "truth", "positive": "false", "score": "score"},
    "signs": {"actual": "sign", "score": "score"},
    "true and false": {"actual": "words", "score": "score"},
    "four classes": {"actual": "many", "positive": "a", "score": "score"},
    "zero is positive": {"actual": "number", "positive": 0, "score": "score"},
    "whole scores": {"actual": "number", "score": "whole"},
    "dropped": {"actual": "number", "score": "gaps", "missing": "drop"},
    "rejected": {"actual": "number", "score": "gaps", "missing": "reject", "segment": "part"},
    "negative": {"actual": "number", "score": "gaps", "missing": "negative"},
    "weights": {"actual": "number", "score": "score", "weight": "times"},
    "weights by fold": {"actual": "number", "score": "score", "weight": "times", "fold": "fold"},
    "segments and folds": {"actual": "number", "score": "score", "segment": "part", "fold": "fold"},
    "missing segments": {"actual": "number", "score": "score", "segment": "some"},
    "lower is positive": {"actual": "number", "score": "score", "lower_is_positive": True},
    "rounded": {"actual": "number", "score": "score", "digits": 1},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The are_equal rows in files of each kind."""
    directory = tmp_path_factory.mktemp("rows")
    ROWS.write_parquet(directory / "rows.parquet")
    ROWS.write_csv(directory / "rows.csv")
    ROWS.write_csv(directory / "rows.tsv", separator="\t")
    ROWS.write_ndjson(directory / "rows.jsonl")
    (directory / "rows.csv.gz").write_bytes(gzip.compress((directory / "rows.csv").read_bytes()))
    (directory / "parts").mkdir()
    ROWS[:1000].write_parquet(directory / "parts" / "1.parquet")
    ROWS[1000:].write_parquet(directory / "parts" / "2.parquet")
    with duckdb.connect(str(directory / "rows.duckdb")) as connection:
        connection.execute(f"CREATE TABLE scores AS FROM '{directory / 'rows.parquet'}'")
    return directory


def are_equal(first, second):
    return (first.rankings, first.folds, first.segments) == (
        second.rankings,
        second.folds,
        second.segments,
    )


KINDS = ["rows.parquet", "rows.csv", "rows.tsv", "rows.csv.gz", "rows.jsonl", "rows.duckdb"]


@pytest.mark.parametrize("case", ARGUMENTS)
@pytest.mark.parametrize("kind", [*KINDS, "parts", "parts/*.parquet"])
def test_batches_give_the_rankings_of_the_whole_file(folder, kind, case):
    whole = "rows.csv" if ".csv" in kind or ".tsv" in kind else "rows.parquet"
    batches = to.evaluate(str(folder / kind), memory="400MB", **ARGUMENTS[case])

    assert are_equal(batches, read_whole(folder / whole, case))


@cache
def read_whole(path, case):
    return to.evaluate(path, **ARGUMENTS[case])


def test_a_query_gives_the_rankings_of_its_rows(folder):
    query = to.Query(f"FROM '{folder / 'rows.parquet'}' WHERE part = 'a'")
    options = {"actual": "number", "score": "score"}

    assert are_equal(to.evaluate(query, **options), to.evaluate(ROWS.filter(part="a"), **options))


def test_a_query_may_read_a_database(folder):
    query = to.Query("SELECT number, score FROM scores", folder / "rows.duckdb")
    options = {"actual": "number", "score": "score"}

    assert are_equal(to.evaluate(query, **options), to.evaluate(ROWS, **options))


def test_sums_of_importances_agree_up_to_rounding(folder):
    options = {"actual": "number", "score": "gaps", "weight": "importance", "missing": "reject"}
    ranking = to.evaluate(folder / "rows.parquet", memory="400MB", **options).ranking
    read = to.evaluate(ROWS, **options).ranking

    assert ranking.true_positives == pytest.approx(read.true_positives, rel=1e-12)
    assert ranking.squares.false_positives == pytest.approx(read.squares.false_positives, rel=1e-12)
    assert ranking.rejected_negatives == pytest.approx(read.rejected_negatives, rel=1e-12)
    assert ranking.notes == read.notes


@given(st.integers(1, 700))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_batches_of_any_size_give_the_same_counts(folder, size):
    columns = Columns("number", ["score", "other"], segment="part")
    options = ReadOptions(memory="400MB", max_batch_rows=size)
    models = read(folder / "rows.parquet", columns, options=options).models

    arguments = {"actual": "number", "score": ["score", "other"], "segment": "part"}
    assert are_equal(models, to.evaluate(ROWS, **arguments))


def test_binned_rankings_have_bounds_and_an_exact_auc_on_request(folder):
    options = {"actual": "number", "score": "score"}
    whole = to.evaluate(ROWS, **options)
    binned = to.evaluate(folder / "rows.parquet", bins=50, **options)
    exact = to.evaluate(folder / "rows.parquet", bins=50, exact=True, **options)

    assert binned.ranking.distinct <= 50
    assert abs(binned.auc.value - whole.auc.value) <= binned.auc.within
    assert (exact.auc.value, exact.auc.within) == (whole.auc.value, 0)
    assert exact.auc.low == pytest.approx(whole.auc.low, rel=1e-12)


def test_many_segments_are_counted_within_the_memory_limit(tmp_path):
    size = 400_000
    positive = RANDOM.random(size) < 0.5
    rows = {"y": positive, "s": RANDOM.random(size), "g": RANDOM.integers(0, 200, size)}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")
    evaluation = to.evaluate(
        tmp_path / "rows.parquet", actual="y", score="s", segment="g", memory="400MB"
    )
    sizes = np.bincount(rows["g"])

    assert [ranking.rows for ranking in evaluation.segments["s"].values()] == sizes.tolist()
    assert list(evaluation.segments["s"])[:3] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"actual": "number", "score": "gaps"},
            "60 of 3,000 scores in `gaps` are missing .first: rows 4, 54 and 104.",
        ),
        (
            {"actual": "some", "score": "score", "positive": "1"},
            "43 of 3,000 rows have no class in 'some' .first: rows 2, 72 and 142.",
        ),
        (
            {"actual": "number", "score": "score", "fold": "some"},
            "43 rows without a fold in 'some' .first: rows 2, 72 and 142.",
        ),
        (
            {"actual": "number", "score": "class"},
            "`class` must hold numbers, but '(yes|no)' in row 1 is not a number",
        ),
        ({"actual": "class", "score": "score"}, "say which one is positive"),
        (
            {"actual": "class", "score": "score", "positive": "maybe"},
            "'maybe' does not occur in 'class'",
        ),
        (
            {"actual": "number", "score": "score", "positive": "yes"},
            "'yes' does not occur in 'number'",
        ),
        ({"actual": "fold", "score": "score"}, "'fold' holds 11 classes"),
        ({"actual": "number", "score": "score", "weight": "other"}, "weights are negative"),
    ],
)
def test_invalid_rows_are_reported_with_their_numbers(folder, options, message):
    with pytest.raises(InputError, match=message):
        to.evaluate(folder / "rows.parquet", memory="400MB", **options)


def test_a_missing_column_is_reported(folder):
    with pytest.raises(ColumnError, match=r"There is no column 'scores'. Did you mean 'score'"):
        to.evaluate(folder / "rows.parquet", actual="number", score="scores", memory="400MB")


def test_memory_limits_concern_only_files():
    with pytest.raises(
        InputError, match="`memory` concerns only files, but these rows are not from a file"
    ):
        to.evaluate(actual=[0, 1], score=[0.1, 0.2], memory="1GB")


def test_integers_that_floats_cannot_distinguish_are_rejected(tmp_path):
    rows = {"y": [0, 1], "s": [2**53, 2**53 + 1]}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")

    with pytest.raises(InputError, match="integers above 2"):
        to.evaluate(tmp_path / "rows.parquet", actual="y", score="s", memory="400MB")


def test_a_list_of_files_is_one_source(folder):
    options = {"actual": "number", "score": "score"}
    paths = [folder / "parts" / "1.parquet", folder / "parts" / "2.parquet"]

    assert are_equal(to.evaluate(paths, **options), to.evaluate(ROWS, **options))


def test_binned_rows_in_memory_may_have_exact_aucs():
    options = {"actual": "number", "score": "score"}
    whole = to.evaluate(ROWS, **options).auc
    evaluation = to.evaluate(ROWS, bins=50, exact=True, **options)

    assert evaluation.ranking.distinct <= 50
    assert (evaluation.auc.value, evaluation.auc.within) == (whole.value, 0)
    assert evaluation.auc.low == pytest.approx(whole.low, rel=1e-12)


def test_clusters_need_all_rows_at_once(folder):
    with pytest.raises(InputError, match="clusters and costs by row need all rows at once"):
        to.evaluate(
            folder / "rows.parquet", actual="number", score="score", cluster="fold", memory="400MB"
        )


def test_a_large_file_gives_the_same_bins_in_every_run(tmp_path):
    size = 1_500_000
    rows = {"y": RANDOM.random(size) < 0.5, "s": RANDOM.random(size)}
    pl.DataFrame(rows).write_parquet(tmp_path / "rows.parquet")
    results = [
        to.evaluate(tmp_path / "rows.parquet", actual="y", score="s", memory="1GB").ranking
        for _ in range(2)
    ]

    assert not results[0].exact
    assert results[0] == results[1]


@pytest.mark.parametrize("options", [{}, {"bins": 100}])
def test_columns_of_a_file_must_be_given_by_name(folder, options):
    with pytest.raises(
        InputError, match="With a file, columns must be named by strings, not by 'dict'"
    ):
        to.evaluate(folder / "rows.parquet", actual="number", score={"x": "score"}, **options)
