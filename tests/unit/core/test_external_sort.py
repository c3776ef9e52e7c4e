"""Pieces of rows on disk: exact areas, ties, sizes, errors."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.concordance import concordant_pairs
from tradeoff.core.external_sort import ExternalSort
from tradeoff.errors import StorageError

RANDOM = np.random.default_rng(1)


SIZE = 120_000


POSITIVE = RANDOM.random(SIZE) < 0.1


LOGITS = RANDOM.normal(size=SIZE) + POSITIVE


@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.parametrize("lower", [False, True])
def test_pieces_make_the_area_and_its_interval_exact_again(tmp_path, on_disk, lower):
    whole = to.Ranking.of(LOGITS, POSITIVE, lower_is_positive=lower)
    pieces = ExternalSort(whole.within(100), 7000, tmp_path if on_disk else None)
    for start in range(0, SIZE, 5000):
        pieces.add(LOGITS[start : start + 5000], POSITIVE[start : start + 5000])
    auc = to.Evaluation({"m": whole.within(100).with_pairs(pieces.pairs())}).auc
    exact = to.Evaluation({"m": whole}).auc

    assert (auc.value, auc.within) == (exact.value, 0)
    assert (auc.low, auc.high) == pytest.approx((exact.low, exact.high), rel=1e-12)


@pytest.mark.parametrize("heavy", [0.0, np.inf, -np.inf])
@pytest.mark.parametrize("lower", [False, True])
def test_of_rows_that_share_a_score_only_their_number_is_kept(heavy, lower):
    scores = np.where(RANDOM.random(SIZE) < 0.9, heavy, LOGITS)
    whole = to.Ranking.of(scores, POSITIVE, lower_is_positive=lower)
    pieces = ExternalSort(whole.within(100), 7000)
    pieces.add(scores, POSITIVE)
    stored = sum(len(part) for parts in pieces.partition.parts.values() for part in parts)

    assert stored == np.count_nonzero(scores != heavy)
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
    pieces = ExternalSort(coarse, 1000, tmp_path)
    pieces.ranking = whole
    pieces.add(scores, POSITIVE)
    pairs = pieces.pairs()

    assert any(path.name.endswith("again") for path in tmp_path.iterdir())
    assert pairs.twice_won == whole.twice_pairs_won()
    assert pairs[1:] == pytest.approx(concordant_pairs(whole)[1:], rel=1e-9)


def test_pieces_that_cannot_be_written_say_why(tmp_path):
    pieces = ExternalSort(to.Ranking.of(LOGITS, POSITIVE).within(100), 7000, tmp_path / "gone")

    with pytest.raises(StorageError, match=r"cannot be written: No such file.*TMPDIR"):
        pieces.add(np.tile(LOGITS, 20), np.tile(POSITIVE, 20))
