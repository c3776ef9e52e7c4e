"""Bins at size: how many there are, how much they cost, and where they lie."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.merge import merge_rankings

RANDOM = np.random.default_rng(0)
SIZE = 200_000
SHAPES = {
    "even": RANDOM.random(SIZE),
    "rare": RANDOM.beta(0.1, 50, SIZE),
    "logits": RANDOM.normal(size=SIZE),
    "any size": 10.0 ** RANDOM.uniform(-300, 300, SIZE) * RANDOM.choice([-1, 1], SIZE),
}
POSITIVE = RANDOM.random(SIZE) < 0.1


def width(ranking):
    return 2 * to.SUMMARIES["auc"].estimate(ranking).within


@pytest.mark.parametrize("shape", SHAPES)
def test_bins_follow_the_rows_and_not_the_range(shape):
    # With bins of equal mass the unknown pairs are about one in as many as there are bins.
    binned = to.Ranking.of(SHAPES[shape], POSITIVE).within(1000)

    assert 700 < binned.distinct <= 1000
    assert width(binned) < 1.5 / binned.distinct


def test_a_score_that_many_rows_have_stays_by_itself():
    scores = np.where(RANDOM.random(SIZE) < 0.5, 0.25, RANDOM.random(SIZE))
    binned = to.Ranking.of(scores, POSITIVE).within(1000)
    place = binned.thresholds.tolist().index(0.25)

    assert binned.levels[place] == 0
    assert width(binned) < 1.5 / 1000


def test_few_scores_are_left_alone():
    ranking = to.Ranking.of(SHAPES["even"].round(2), POSITIVE)

    assert ranking.within(1000) is ranking
    assert ranking.exact


def test_a_stream_keeps_to_its_size_and_its_bounds():
    whole = to.Ranking.of(SHAPES["logits"], POSITIVE)
    merged = to.Ranking.of(np.empty(0), np.empty(0, bool))
    for chunk in range(0, SIZE, 10_000):
        part = slice(chunk, chunk + 10_000)
        merged = (merged + to.Ranking.of(SHAPES["logits"][part], POSITIVE[part])).within(2000)

    assert merged.rows == SIZE
    assert merged.distinct <= 2000
    auc = to.SUMMARIES["auc"].estimate(merged)
    assert abs(auc.value - float(to.SUMMARIES["auc"](whole))) <= auc.within < 0.005


def test_weights_keep_their_squares():
    weights = RANDOM.random(SIZE)
    e = to.evaluate(actual=POSITIVE, score=SHAPES["even"], weight=weights)
    binned = e.ranking.within(100)

    assert binned.squares.distinct == binned.distinct
    assert binned.squares.positives == e.ranking.squares.positives


def test_binned_rankings_are_saved_whole(tmp_path):
    binned = to.Ranking.of(SHAPES["rare"], POSITIVE).within(500)
    binned.save(tmp_path / "part.ranking")

    assert to.Ranking.load(tmp_path / "part.ranking") == binned


def test_many_parts_are_added_at_once():
    parts = [to.Ranking.of(SHAPES["even"][i::20], POSITIVE[i::20]) for i in range(20)]

    assert merge_rankings(parts) == to.Ranking.of(SHAPES["even"], POSITIVE)


def test_the_largest_finite_score_may_share_a_bin_with_infinity():
    scores = np.array([0.0, 1.0, -1.0, np.finfo(float).max, np.inf])
    positive = np.array([True, False, False, False, False])
    whole = to.Ranking.of(scores, positive)
    binned = whole.within(4)

    assert binned.distinct < whole.distinct
    assert binned.worst_case.twice_pairs_won() <= whole.twice_pairs_won()
    assert whole.twice_pairs_won() <= binned.best_case.twice_pairs_won()
