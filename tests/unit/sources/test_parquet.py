"""Large Parquet files are counted by cell codes, which gives exact counts and certified AUCs."""

import numpy as np
import polars as pl
import pytest

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.sources import stream
from tradeoff.sources.columns import Columns
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.read import read

RANDOM = np.random.default_rng(4)
SIZE = 30_000
POSITIVE = RANDOM.random(SIZE) < 0.2
PROBABILITIES = 1 / (1 + np.exp(3 - RANDOM.normal(size=SIZE) - POSITIVE))
OTHER_PROBABILITIES = 1 / (1 + np.exp(2 - RANDOM.normal(size=SIZE)))
BINS = 5000


@pytest.fixture
def used_codes(monkeypatch):
    """For each source read, whether it was counted by cell codes."""
    was_coded = []

    def record(*arguments):
        ranking = parquet_ranking(*arguments)
        was_coded.append(ranking is not None)
        return ranking

    parquet_ranking = stream.parquet_ranking
    monkeypatch.setattr(stream, "parquet_ranking", record)
    return was_coded


def frame(**columns):
    return pl.DataFrame({"actual": POSITIVE.astype(np.int8), "score": PROBABILITIES} | columns)


def evaluate(rows, folder, score="score", **options):
    path = folder / "rows.parquet"
    rows.write_parquet(path)
    return to.evaluate(path, actual="actual", score=score, bins=BINS, **options)


KINDS = {
    "bytes": frame(),
    "long": frame(actual=POSITIVE.astype(np.int64)),
    "booleans": frame(actual=POSITIVE),
    "float32": frame(score=PROBABILITIES.astype(np.float32)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_counts_equal_those_of_the_exact_ranking(kind, tmp_path, used_codes):
    rows = KINDS[kind]
    ranking = evaluate(rows, tmp_path).ranking
    whole = to.evaluate(rows, actual="actual", score="score").ranking
    places = whole.places(ranking.thresholds[1:])

    assert used_codes == [True]
    assert (ranking.rows, ranking.positive, ranking.negative) == (
        SIZE,
        whole.positive,
        whole.negative,
    )
    assert ranking.distinct <= BINS
    assert ranking.true_positives[1:].tolist() == whole.true_positives[places].tolist()
    assert ranking.false_positives[1:].tolist() == whole.false_positives[places].tolist()


def test_the_auc_is_within_its_certified_bounds(tmp_path, used_codes):
    auc = evaluate(frame(), tmp_path).auc
    exact = to.evaluate(actual=POSITIVE, score=PROBABILITIES).auc

    assert used_codes == [True]
    assert 0 < auc.within < 0.001
    assert abs(auc.value - exact.value) <= auc.within


def test_the_exact_auc_equals_that_of_all_rows(tmp_path, used_codes):
    auc = evaluate(frame(), tmp_path, exact=True).auc

    assert used_codes == [True]
    assert (auc.value, auc.within) == (
        to.evaluate(actual=POSITIVE, score=PROBABILITIES).auc.value,
        0,
    )


def test_progress_is_reported(tmp_path, used_codes):
    progress = []
    frame().write_parquet(tmp_path / "rows.parquet")
    options = ReadOptions(bins=BINS, progress=lambda *counts: progress.append(counts))
    read(tmp_path / "rows.parquet", Columns("actual", "score"), options=options).rank()

    assert used_codes == [True]
    assert progress[-1] == (SIZE, SIZE)


UNSUITABLE_ROWS = {
    "a missing score": frame(score=[*PROBABILITIES[1:], None]),
    "a class is missing": frame(actual=[*POSITIVE[1:].astype(int), None]),
    "a third class": frame(actual=[*POSITIVE[1:].astype(int), 2]),
    "a score of 0": frame(score=[*PROBABILITIES[1:], 0.0]),
    "NaN": frame(score=[*PROBABILITIES[1:], np.nan]),
    "NaN in the first row": frame(score=[np.nan, *PROBABILITIES[1:]]),
    "denormal scores": frame(score=PROBABILITIES * 1e-307),
    "late scores close together": frame(
        score=np.where(np.arange(SIZE) < 8000, PROBABILITIES, 0.5 + PROBABILITIES * 1e-9)
    ),
    "a frequent late score": frame(
        score=np.where((np.arange(SIZE) < 8000) | (OTHER_PROBABILITIES < 0.1), PROBABILITIES, 0.5)
    ),
    "few distinct scores": frame(score=PROBABILITIES.round(3)),
    "a fractional class": frame(actual=[*POSITIVE[1:].astype(float), 0.5]),
}


@pytest.mark.parametrize("kind", UNSUITABLE_ROWS)
def test_unsuitable_rows_are_read_in_batches(kind, tmp_path, used_codes):
    options = {"positive": 1, "missing": "drop"}
    ranking = evaluate(UNSUITABLE_ROWS[kind], tmp_path, **options).ranking
    whole = to.evaluate(UNSUITABLE_ROWS[kind], actual="actual", score="score", **options).ranking

    assert True not in used_codes
    assert (ranking.rows, ranking.positives) == (whole.rows, whole.positives)
    assert ranking.notes == whole.notes


def test_the_row_without_a_score_is_reported(tmp_path, used_codes):
    with pytest.raises(
        InputError, match=r"^1 of 30,000 scores in `score` is missing \(first: row 30000\)"
    ):
        evaluate(UNSUITABLE_ROWS["NaN"], tmp_path)

    assert used_codes == [False]
