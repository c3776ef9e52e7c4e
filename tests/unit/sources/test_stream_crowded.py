"""Rows that crowd where the first did not: they are gone through again, and bounds are narrow."""

import numpy as np
import polars as pl
import pytest

import tradeoff as to
from tradeoff.core.cells import is_too_coarse
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.sources.columns import Columns
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.read import read
from tradeoff.sources.row_rules import RowPolicy

RANDOM = np.random.default_rng(6)
SIZE = 60_000
POSITIVE = RANDOM.random(SIZE) < 0.3
LOGITS = RANDOM.normal(size=SIZE) + POSITIVE
LATE = np.arange(SIZE) >= 6000
SHARES = 1 / (1 + np.exp(-LOGITS))
MISLEADING = {
    "a crowd": np.where(LATE, 0.5 + 1e-7 * LOGITS, SHARES),
    "a default score": np.where(LATE & (RANDOM.random(SIZE) < 0.6), 0.5, SHARES),
    "negative scores": np.where(LATE, -0.25 + 1e-7 * LOGITS, LOGITS),
}
BINS = 4000


SMALL_BATCHES = ReadOptions(
    bins=BINS, max_batch_rows=1500, max_buffered_rows=4500, min_rows_for_cells=0
)
"""Few rows wait, so that the first ones choose."""


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("shape", MISLEADING)
def test_bounds_are_narrow_whatever_came_first(shape, lower, tmp_path):
    scores = MISLEADING[shape]
    rows = pl.DataFrame({"y": POSITIVE.astype(int), "s": scores, "part": LATE})
    rows.write_parquet(tmp_path / "rows.parquet", statistics=False)
    options = {"actual": "y", "score": "s", "segment": "part", "lower_is_positive": lower}
    columns, policy = Columns("y", "s", segment="part"), RowPolicy(lower_is_positive=lower)
    evaluation = Evaluation(read(tmp_path / "rows.parquet", columns, policy, SMALL_BATCHES).models)
    exact = to.evaluate(rows, **options)

    assert evaluation.ranking.rows == SIZE
    assert evaluation.ranking.distinct <= BINS
    assert abs(evaluation.auc.value - exact.auc.value) <= evaluation.auc.within < 0.005
    assert [ranking.rows for ranking in evaluation.segments["s"].values()] == [6000, SIZE - 6000]


def test_a_stream_cannot_be_gone_through_again():
    growing = to.GrowingRanking(BINS, waiting=4500)
    for start in range(0, SIZE, 1500):
        part = slice(start, start + 1500)
        growing.add(MISLEADING["a crowd"][part], POSITIVE[part])
    ranking = growing.ranking()

    assert is_too_coarse(ranking, BINS)
    assert not is_too_coarse(to.Ranking.of(SHARES, POSITIVE).within(BINS), BINS)
