"""Binned rankings of many rows: number and placement of bins, and bounds on the AUC."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.merge import merge_rankings

RANDOM = np.random.default_rng(0)
SIZE = 200_000
SHAPES = {
    "uniform": RANDOM.random(SIZE),
    "rare": RANDOM.beta(0.1, 50, SIZE),
    "logits": RANDOM.normal(size=SIZE),
    "any magnitude": 10.0 ** RANDOM.uniform(-300, 300, SIZE) * RANDOM.choice([-1, 1], SIZE),
}
POSITIVE = RANDOM.random(SIZE) < 0.1


def auc_range_width(ranking):
    return 2 * to.SUMMARIES["auc"].estimate(ranking).within


@pytest.mark.parametrize("shape", SHAPES)
def test_bins_adapt_to_the_density_of_rows(shape):
    # With bins of equal mass, the proportion of pairs of unknown order is about 1 / bins.
    binned = to.Ranking.of(SHAPES[shape], POSITIVE).within(1000)

    assert 700 < binned.distinct <= 1000
    assert auc_range_width(binned) < 1.5 / binned.distinct


def test_a_frequent_score_keeps_a_bin_of_its_own():
    scores = np.where(RANDOM.random(SIZE) < 0.5, 0.25, RANDOM.random(SIZE))
    binned = to.Ranking.of(scores, POSITIVE).within(1000)
    index = binned.thresholds.tolist().index(0.25)

    assert binned.levels[index] == 0
    assert auc_range_width(binned) < 1.5 / 1000


def test_few_scores_are_not_binned():
    ranking = to.Ranking.of(SHAPES["uniform"].round(2), POSITIVE)

    assert ranking.within(1000) is ranking
    assert ranking.exact


def test_merging_and_binning_chunks_respects_the_size_limit_and_the_auc_bounds():
    whole = to.Ranking.of(SHAPES["logits"], POSITIVE)
    merged = to.Ranking.of(np.empty(0), np.empty(0, bool))
    for chunk in range(0, SIZE, 10_000):
        part = slice(chunk, chunk + 10_000)
        merged = (merged + to.Ranking.of(SHAPES["logits"][part], POSITIVE[part])).within(2000)

    assert merged.rows == SIZE
    assert merged.distinct <= 2000
    auc = to.SUMMARIES["auc"].estimate(merged)
    assert abs(auc.value - float(to.SUMMARIES["auc"](whole))) <= auc.within < 0.005


def test_binning_keeps_the_sums_of_squared_weights():
    weights = RANDOM.random(SIZE)
    e = to.evaluate(actual=POSITIVE, score=SHAPES["uniform"], weight=weights)
    binned = e.ranking.within(100)

    assert binned.squares.distinct == binned.distinct
    assert binned.squares.positives == e.ranking.squares.positives


def test_binned_rankings_survive_saving_and_loading(tmp_path):
    binned = to.Ranking.of(SHAPES["rare"], POSITIVE).within(500)
    binned.save(tmp_path / "part.ranking")

    assert to.Ranking.load(tmp_path / "part.ranking") == binned


def test_many_parts_are_merged_at_once():
    parts = [to.Ranking.of(SHAPES["uniform"][i::20], POSITIVE[i::20]) for i in range(20)]

    assert merge_rankings(parts) == to.Ranking.of(SHAPES["uniform"], POSITIVE)


def test_the_largest_finite_score_may_share_a_bin_with_infinity():
    scores = np.array([0.0, 1.0, -1.0, np.finfo(float).max, np.inf])
    positive = np.array([True, False, False, False, False])
    whole = to.Ranking.of(scores, positive)
    binned = whole.within(4)

    assert binned.distinct < whole.distinct
    assert binned.worst_case.twice_pairs_won() <= whole.twice_pairs_won()
    assert whole.twice_pairs_won() <= binned.best_case.twice_pairs_won()
