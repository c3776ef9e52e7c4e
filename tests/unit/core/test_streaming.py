"""Streaming rankings of many rows: limited size, exact counts where possible, AUC bounds."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.external_sort import ExternalSort
from tradeoff.core.streaming import GrowingRanking

RANDOM = np.random.default_rng(1)


SIZE = 120_000


POSITIVE = RANDOM.random(SIZE) < 0.1


LOGITS = RANDOM.normal(size=SIZE) + POSITIVE


PROBABILITIES = 1 / (1 + np.exp(3 - LOGITS))


AUC = to.SUMMARIES["auc"]


SHAPES = {
    "probabilities": PROBABILITIES,
    "float32": PROBABILITIES.astype(np.float32),
    "spikes": np.where(
        RANDOM.random(SIZE) < 0.3, 0.0, np.where(RANDOM.random(SIZE) < 0.2, 1, PROBABILITIES)
    ),
    "sorted": np.sort(PROBABILITIES),
    "narrow": 0.5 + 1e-9 * LOGITS,
    "any magnitude": 10.0 ** (100 * LOGITS).clip(-300, 300),
    "infinite": np.where(RANDOM.random(SIZE) < 0.1, np.inf, -LOGITS),
}


def stream(scores, most, waiting=10_000, weights=None, **options):
    growing = GrowingRanking(most, waiting=waiting)
    for start in range(0, SIZE, 4096):
        part = slice(start, start + 4096)
        part_weights = None if weights is None else weights[part]
        growing.add(scores[part], POSITIVE[part], part_weights, **options)
    return growing.ranking()


@pytest.mark.parametrize("shape", SHAPES)
def test_auc_bounds_are_narrow_for_scores_of_any_distribution(shape):
    ranking = stream(SHAPES[shape], 5000)
    exact = AUC(to.Ranking.of(SHAPES[shape], POSITIVE))
    auc = AUC.estimate(ranking)

    assert ranking.rows == SIZE
    assert ranking.distinct <= 5000
    assert abs(auc.value - exact) <= auc.within < 0.001


@pytest.mark.parametrize("digits", [2, 3])
def test_repeated_scores_are_counted_exactly(digits):
    scores = LOGITS.round(digits)
    ranking = stream(scores, 10_000)

    assert ranking == to.Ranking.of(scores, POSITIVE)


def test_new_scores_in_later_batches_are_counted_exactly():
    scores = np.where(np.arange(SIZE) < SIZE // 2, LOGITS.round(1), LOGITS.round(2))

    assert stream(scores, 10_000) == to.Ranking.of(scores, POSITIVE)


def test_integer_weights_are_counted_exactly():
    weights = RANDOM.integers(1, 4, SIZE)
    scores = LOGITS.round(2)

    assert stream(scores, 10_000, weights=weights) == to.Ranking.of(scores, POSITIVE, weights)


def test_binning_keeps_the_squares_of_importance_weights():
    weights = RANDOM.random(SIZE) + 0.5
    ranking = stream(LOGITS, 500, weights=weights, importance=True)

    assert ranking.squares.distinct == ranking.distinct <= 500
    assert ranking.positives == pytest.approx(weights[POSITIVE].sum(), rel=1e-12)
    assert ranking.squares.positives == pytest.approx((weights[POSITIVE] ** 2).sum(), rel=1e-12)


def test_rows_can_be_added_after_a_ranking_was_requested():
    growing = GrowingRanking()
    growing.add(np.array([0.5, 0.1]), np.array([True, False]))
    first = growing.ranking()
    growing.add(np.array([0.3]), np.array([True]))

    assert (first.rows, growing.ranking().rows) == (2, 3)


def test_shrinking_keeps_all_rows():
    growing = GrowingRanking(waiting=1000)
    growing.add(LOGITS, POSITIVE)
    growing.shrink(100)

    assert growing.ranking().rows == SIZE
    assert growing.ranking().distinct <= 100


def test_known_pairs_are_dropped_when_rows_or_weights_change():
    whole = to.Ranking.of(LOGITS, POSITIVE)
    external_sort = ExternalSort(whole.within(100), 7000)
    external_sort.add(LOGITS, POSITIVE)
    exact = whole.within(100).with_pairs(external_sort.pairs())

    assert exact.within(50).pairs == exact.pairs
    assert (exact + exact).pairs is None
    assert exact.at_prevalence(0.5).pairs is None


def test_known_pairs_are_saved(tmp_path):
    whole = to.Ranking.of(LOGITS, POSITIVE)
    external_sort = ExternalSort(whole.within(100), 7000)
    external_sort.add(LOGITS, POSITIVE)
    exact = whole.within(100).with_pairs(external_sort.pairs())
    exact.save(tmp_path / "known.ranking")

    assert to.Ranking.load(tmp_path / "known.ranking") == exact
    assert to.Ranking.load(tmp_path / "known.ranking").pairs == exact.pairs


@pytest.mark.parametrize("lower", [False, True])
def test_rankings_of_batches_can_be_added(lower):
    growing = GrowingRanking(1000, lower_is_positive=lower)
    for start in range(0, SIZE, 10_000):
        part = slice(start, start + 10_000)
        growing += to.Ranking.of(LOGITS[part], POSITIVE[part], lower_is_positive=lower)

    ranking = growing.ranking()
    auc = AUC.estimate(ranking)
    exact = AUC(to.Ranking.of(LOGITS, POSITIVE, lower_is_positive=lower))
    assert (ranking.rows, ranking.lower_is_positive) == (SIZE, lower)
    assert ranking.distinct <= 1000
    assert abs(auc.value - exact) <= auc.within


def test_a_ranking_with_the_opposite_direction_is_refused():
    growing = GrowingRanking()

    with pytest.raises(to.TradeoffError, match="in one of them lower scores are positive"):
        growing += to.Ranking.of(LOGITS, POSITIVE, lower_is_positive=True)
