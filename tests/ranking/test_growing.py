"""Rankings that grow, at size: they stay small, stay exact while they can, and say what is lost."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.external_sort import Pieces, pairs_of
from tradeoff.core.streaming import GrowingRanking
from tradeoff.errors import StorageError

RANDOM = np.random.default_rng(1)
SIZE = 120_000
POSITIVE = RANDOM.random(SIZE) < 0.1
LOGITS = RANDOM.normal(size=SIZE) + POSITIVE
SHARES = 1 / (1 + np.exp(3 - LOGITS))
AUC = to.SUMMARIES["auc"]
SHAPES = {
    "shares": SHARES,
    "float32": SHARES.astype(np.float32),
    "spikes": np.where(
        RANDOM.random(SIZE) < 0.3, 0.0, np.where(RANDOM.random(SIZE) < 0.2, 1, SHARES)
    ),
    "sorted": np.sort(SHARES),
    "narrow": 0.5 + 1e-9 * LOGITS,
    "any size": 10.0 ** (100 * LOGITS).clip(-300, 300),
    "infinite": np.where(RANDOM.random(SIZE) < 0.1, np.inf, -LOGITS),
}


def grown(scores, most, waiting=10_000, weights=None, **choices):
    growing = GrowingRanking(most, waiting=waiting)
    for start in range(0, SIZE, 4096):
        part = slice(start, start + 4096)
        own = None if weights is None else weights[part]
        growing.add(scores[part], POSITIVE[part], own, **choices)
    return growing.ranking()


@pytest.mark.parametrize("shape", SHAPES)
def test_bounds_are_narrow_whatever_the_scores_are_like(shape):
    found = grown(SHAPES[shape], 5000)
    exact = AUC(to.Ranking.of(SHAPES[shape], POSITIVE))
    auc = AUC.estimate(found)

    assert found.rows == SIZE
    assert found.distinct <= 5000
    assert abs(auc.value - exact) <= auc.within < 0.001


@pytest.mark.parametrize("digits", [2, 3])
def test_scores_that_repeat_stay_exact(digits):
    scores = LOGITS.round(digits)
    found = grown(scores, 10_000)

    assert found == to.Ranking.of(scores, POSITIVE)


def test_scores_that_come_late_stay_exact_too():
    scores = np.where(np.arange(SIZE) < SIZE // 2, LOGITS.round(1), LOGITS.round(2))

    assert grown(scores, 10_000) == to.Ranking.of(scores, POSITIVE)


def test_whole_weights_are_counted_exactly():
    weights = RANDOM.integers(1, 4, SIZE)
    scores = LOGITS.round(2)

    assert grown(scores, 10_000, weights=weights) == to.Ranking.of(scores, POSITIVE, weights)


def test_importances_keep_their_squares_also_in_bins():
    weights = RANDOM.random(SIZE) + 0.5
    found = grown(LOGITS, 500, weights=weights, importance=True)

    assert found.squares.distinct == found.distinct <= 500
    assert found.positives == pytest.approx(weights[POSITIVE].sum(), rel=1e-12)
    assert found.squares.positives == pytest.approx((weights[POSITIVE] ** 2).sum(), rel=1e-12)


def test_more_rows_may_come_after_a_look():
    growing = GrowingRanking()
    growing.add(np.array([0.5, 0.1]), np.array([True, False]))
    first = growing.ranking()
    growing.add(np.array([0.3]), np.array([True]))

    assert (first.rows, growing.ranking().rows) == (2, 3)


def test_a_ranking_that_shrinks_keeps_its_rows():
    growing = GrowingRanking(waiting=1000)
    growing.add(LOGITS, POSITIVE)
    growing.shrink(100)

    assert growing.ranking().rows == SIZE
    assert growing.ranking().distinct <= 100


@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.parametrize("lower", [False, True])
def test_pieces_make_the_area_and_its_interval_exact_again(tmp_path, on_disk, lower):
    whole = to.Ranking.of(LOGITS, POSITIVE, lower_is_positive=lower)
    pieces = Pieces(whole.within(100), 7000, tmp_path if on_disk else None)
    for start in range(0, SIZE, 5000):
        pieces.add(LOGITS[start : start + 5000], POSITIVE[start : start + 5000])
    found = to.Evaluation({"m": whole.within(100).with_pairs(pieces.pairs())}).auc
    exact = to.Evaluation({"m": whole}).auc

    assert (found.value, found.within) == (exact.value, 0)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), rel=1e-12)


@pytest.mark.parametrize("heavy", [0.0, np.inf, -np.inf])
@pytest.mark.parametrize("lower", [False, True])
def test_of_rows_that_share_a_score_only_their_number_is_kept(heavy, lower):
    scores = np.where(RANDOM.random(SIZE) < 0.9, heavy, LOGITS)
    whole = to.Ranking.of(scores, POSITIVE, lower_is_positive=lower)
    pieces = Pieces(whole.within(100), 7000)
    pieces.add(scores, POSITIVE)
    kept = sum(len(part) for parts in pieces.cut.parts.values() for part in parts)

    assert kept == np.count_nonzero(scores != heavy)
    assert pieces.pairs().twice_won == whole.twice_pairs_won()


OUTGROWN = {
    "different scores": 0.5 + 1e-9 * LOGITS,
    "few scores": 0.5 + 1e-9 * LOGITS.round(1),
    "one score": np.full(SIZE, 0.5),
    "sorted": 0.5 + 1e-9 * np.sort(LOGITS),
    "infinite": np.full(SIZE, np.inf),
}


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("shape", OUTGROWN)
def test_a_piece_that_outgrew_its_size_is_cut_again(shape, lower, tmp_path):
    scores = np.where(RANDOM.random(SIZE) < 0.9, OUTGROWN[shape], LOGITS)
    whole = to.Ranking.of(scores, POSITIVE, lower_is_positive=lower)
    # Bins of a few rows elsewhere: all that crowds is in one.
    coarse = to.Ranking.of(LOGITS[:200], POSITIVE[:200], lower_is_positive=lower).within(8)
    pieces = Pieces(coarse, 1000, tmp_path)
    pieces.ranking = whole
    pieces.add(scores, POSITIVE)
    found = pieces.pairs()

    assert any(path.name.endswith("again") for path in tmp_path.iterdir())
    assert found.twice_won == whole.twice_pairs_won()
    assert found[1:] == pytest.approx(pairs_of(whole)[1:], rel=1e-9)


def test_pieces_that_cannot_be_written_say_why(tmp_path):
    pieces = Pieces(to.Ranking.of(LOGITS, POSITIVE).within(100), 7000, tmp_path / "gone")

    with pytest.raises(StorageError, match=r"cannot be written: No such file.*TMPDIR"):
        pieces.add(np.tile(LOGITS, 20), np.tile(POSITIVE, 20))


def test_known_pairs_say_nothing_about_other_rows():
    whole = to.Ranking.of(LOGITS, POSITIVE)
    pieces = Pieces(whole.within(100), 7000)
    pieces.add(LOGITS, POSITIVE)
    known = whole.within(100).with_pairs(pieces.pairs())

    assert known.within(50).pairs == known.pairs
    assert (known + known).pairs is None
    assert known.at_prevalence(0.5).pairs is None


def test_known_pairs_are_saved(tmp_path):
    whole = to.Ranking.of(LOGITS, POSITIVE)
    pieces = Pieces(whole.within(100), 7000)
    pieces.add(LOGITS, POSITIVE)
    known = whole.within(100).with_pairs(pieces.pairs())
    known.save(tmp_path / "known.ranking")

    assert to.Ranking.load(tmp_path / "known.ranking") == known
    assert to.Ranking.load(tmp_path / "known.ranking").pairs == known.pairs


@pytest.mark.parametrize("lower", [False, True])
def test_a_stream_takes_rankings_of_batches(lower):
    growing = GrowingRanking(1000, lower_is_positive=lower)
    for start in range(0, SIZE, 10_000):
        part = slice(start, start + 10_000)
        growing += to.Ranking.of(LOGITS[part], POSITIVE[part], lower_is_positive=lower)

    found = growing.ranking()
    auc = AUC.estimate(found)
    exact = AUC(to.Ranking.of(LOGITS, POSITIVE, lower_is_positive=lower))
    assert (found.rows, found.lower_is_positive) == (SIZE, lower)
    assert found.distinct <= 1000
    assert abs(auc.value - exact) <= auc.within


def test_a_stream_takes_no_ranking_that_means_other_scores():
    growing = GrowingRanking()

    with pytest.raises(to.TradeoffError, match="in one of them low is positive"):
        growing += to.Ranking.of(LOGITS, POSITIVE, lower_is_positive=True)
