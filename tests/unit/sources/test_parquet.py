"""Large Parquet files are counted by numbers of cells: the same rows and classes, certified."""

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
SHARES = 1 / (1 + np.exp(3 - RANDOM.normal(size=SIZE) - POSITIVE))
OTHER = 1 / (1 + np.exp(2 - RANDOM.normal(size=SIZE)))
BINS = 5000


@pytest.fixture
def by_codes(monkeypatch):
    """For each source that is read, whether it was counted by codes."""
    used_codes = []

    def spied(*arguments):
        ranking = coded(*arguments)
        used_codes.append(ranking is not None)
        return ranking

    coded = stream.parquet_ranking
    monkeypatch.setattr(stream, "parquet_ranking", spied)
    return used_codes


def frame(**columns):
    return pl.DataFrame({"actual": POSITIVE.astype(np.int8), "score": SHARES} | columns)


def evaluated(rows, folder, score="score", **options):
    path = folder / "rows.parquet"
    rows.write_parquet(path)
    return to.evaluate(path, actual="actual", score=score, bins=BINS, **options)


KINDS = {
    "bytes": frame(),
    "long": frame(actual=POSITIVE.astype(np.int64)),
    "booleans": frame(actual=POSITIVE),
    "float32": frame(score=SHARES.astype(np.float32)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_counts_are_those_of_all_rows(kind, tmp_path, by_codes):
    rows = KINDS[kind]
    ranking = evaluated(rows, tmp_path).ranking
    whole = to.evaluate(rows, actual="actual", score="score").ranking
    places = whole.places(ranking.thresholds[1:])

    assert by_codes == [True]
    assert (ranking.rows, ranking.positive, ranking.negative) == (
        SIZE,
        whole.positive,
        whole.negative,
    )
    assert ranking.distinct <= BINS
    assert ranking.true_positives[1:].tolist() == whole.true_positives[places].tolist()
    assert ranking.false_positives[1:].tolist() == whole.false_positives[places].tolist()


def test_the_area_is_certified(tmp_path, by_codes):
    auc = evaluated(frame(), tmp_path).auc
    exact = to.evaluate(actual=POSITIVE, score=SHARES).auc

    assert by_codes == [True]
    assert 0 < auc.within < 0.001
    assert abs(auc.value - exact.value) <= auc.within


def test_the_exact_area_is_that_of_all_rows(tmp_path, by_codes):
    auc = evaluated(frame(), tmp_path, exact=True).auc

    assert by_codes == [True]
    assert (auc.value, auc.within) == (to.evaluate(actual=POSITIVE, score=SHARES).auc.value, 0)


def test_progress_is_told(tmp_path, by_codes):
    progress = []
    frame().write_parquet(tmp_path / "rows.parquet")
    options = ReadOptions(bins=BINS, progress=lambda *done: progress.append(done))
    read(tmp_path / "rows.parquet", Columns("actual", "score"), options=options).rank()

    assert by_codes == [True]
    assert progress[-1] == (SIZE, SIZE)


OTHERWISE = {
    "a gap": frame(score=[*SHARES[1:], None]),
    "a class is missing": frame(actual=[*POSITIVE[1:].astype(int), None]),
    "a third class": frame(actual=[*POSITIVE[1:].astype(int), 2]),
    "a score of 0": frame(score=[*SHARES[1:], 0.0]),
    "NaN": frame(score=[*SHARES[1:], np.nan]),
    "NaN at once": frame(score=[np.nan, *SHARES[1:]]),
    "denormal scores": frame(score=SHARES * 1e-307),
    "crowds that come late": frame(
        score=np.where(np.arange(SIZE) < 8000, SHARES, 0.5 + SHARES * 1e-9)
    ),
    "a score that comes late, and often": frame(
        score=np.where((np.arange(SIZE) < 8000) | (OTHER < 0.1), SHARES, 0.5)
    ),
    "few scores": frame(score=SHARES.round(3)),
    "classes that are no whole numbers": frame(actual=[*POSITIVE[1:].astype(float), 0.5]),
}


@pytest.mark.parametrize("kind", OTHERWISE)
def test_other_rows_are_looked_at_one_by_one(kind, tmp_path, by_codes):
    options = {"positive": 1, "missing": "drop"}
    ranking = evaluated(OTHERWISE[kind], tmp_path, **options).ranking
    whole = to.evaluate(OTHERWISE[kind], actual="actual", score="score", **options).ranking

    assert True not in by_codes
    assert (ranking.rows, ranking.positives) == (whole.rows, whole.positives)
    assert ranking.notes == whole.notes


def test_the_row_without_a_score_is_named(tmp_path, by_codes):
    with pytest.raises(
        InputError, match=r"^1 of 30,000 scores in `score` is missing \(first: row 30000\)"
    ):
        evaluated(OTHERWISE["NaN"], tmp_path)

    assert by_codes == [False]
