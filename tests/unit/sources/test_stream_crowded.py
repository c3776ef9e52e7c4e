"""Later scores dense where the first were sparse: rows are read again, and bounds stay narrow."""

import numpy as np
import polars as pl
import pytest

import tradeoff as to
from tradeoff.core.cells import is_too_coarse
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.sources.columns import Columns
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.read import read
from tradeoff.sources.row_policy import RowPolicy

RANDOM = np.random.default_rng(6)
SIZE = 60_000
POSITIVE = RANDOM.random(SIZE) < 0.3
LOGITS = RANDOM.normal(size=SIZE) + POSITIVE
LATE = np.arange(SIZE) >= 6000
PROBABILITIES = 1 / (1 + np.exp(-LOGITS))
MISLEADING_SCORES = {
    "dense scores": np.where(LATE, 0.5 + 1e-7 * LOGITS, PROBABILITIES),
    "a default score": np.where(LATE & (RANDOM.random(SIZE) < 0.6), 0.5, PROBABILITIES),
    "negative scores": np.where(LATE, -0.25 + 1e-7 * LOGITS, LOGITS),
}
BINS = 4000


SMALL_BATCHES = ReadOptions(
    bins=BINS, max_batch_rows=1500, max_buffered_rows=4500, min_rows_for_cells=0
)
"""Options that buffer few rows, so that cells are chosen from the first rows."""


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("distribution", MISLEADING_SCORES)
def test_bounds_are_narrow_whatever_the_first_rows(distribution, lower, tmp_path):
    scores = MISLEADING_SCORES[distribution]
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


def test_a_single_pass_may_leave_bins_too_coarse():
    growing = to.GrowingRanking(BINS, waiting=4500)
    for start in range(0, SIZE, 1500):
        part = slice(start, start + 1500)
        growing.add(MISLEADING_SCORES["dense scores"][part], POSITIVE[part])
    ranking = growing.ranking()

    assert is_too_coarse(ranking, BINS)
    assert not is_too_coarse(to.Ranking.of(PROBABILITIES, POSITIVE).within(BINS), BINS)
