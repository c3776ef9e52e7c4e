"""External sort in memory and on disk: exact AUCs, ties, oversized pieces and errors."""

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
def test_the_auc_and_its_interval_become_exact(tmp_path, on_disk, lower):
    whole = to.Ranking.of(LOGITS, POSITIVE, lower_is_positive=lower)
    external_sort = ExternalSort(whole.within(100), 7000, tmp_path if on_disk else None)
    for start in range(0, SIZE, 5000):
        external_sort.add(LOGITS[start : start + 5000], POSITIVE[start : start + 5000])
    auc = to.Evaluation({"m": whole.within(100).with_pairs(external_sort.pairs())}).auc
    exact = to.Evaluation({"m": whole}).auc

    assert (auc.value, auc.within) == (exact.value, 0)
    assert (auc.low, auc.high) == pytest.approx((exact.low, exact.high), rel=1e-12)


@pytest.mark.parametrize("frequent_score", [0.0, np.inf, -np.inf])
@pytest.mark.parametrize("lower", [False, True])
def test_rows_of_a_frequent_score_are_counted_but_not_stored(frequent_score, lower):
    scores = np.where(RANDOM.random(SIZE) < 0.9, frequent_score, LOGITS)
    whole = to.Ranking.of(scores, POSITIVE, lower_is_positive=lower)
    external_sort = ExternalSort(whole.within(100), 7000)
    external_sort.add(scores, POSITIVE)
    stored = sum(len(part) for parts in external_sort.partition.parts.values() for part in parts)

    assert stored == np.count_nonzero(scores != frequent_score)
    assert external_sort.pairs().twice_won == whole.twice_pairs_won()


CROWDED_SCORES = {
    "different scores": 0.5 + 1e-9 * LOGITS,
    "few scores": 0.5 + 1e-9 * LOGITS.round(1),
    "one score": np.full(SIZE, 0.5),
    "sorted": 0.5 + 1e-9 * np.sort(LOGITS),
    "infinite": np.full(SIZE, np.inf),
}


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("shape", CROWDED_SCORES)
def test_a_piece_that_is_too_large_is_partitioned_again(shape, lower, tmp_path):
    scores = np.where(RANDOM.random(SIZE) < 0.9, CROWDED_SCORES[shape], LOGITS)
    whole = to.Ranking.of(scores, POSITIVE, lower_is_positive=lower)
    # Bins chosen from few rows: one of them contains all of the crowded scores.
    coarse = to.Ranking.of(LOGITS[:200], POSITIVE[:200], lower_is_positive=lower).within(8)
    external_sort = ExternalSort(coarse, 1000, tmp_path)
    external_sort.ranking = whole
    external_sort.add(scores, POSITIVE)
    pairs = external_sort.pairs()

    assert any(path.name.endswith("again") for path in tmp_path.iterdir())
    assert pairs.twice_won == whole.twice_pairs_won()
    assert pairs[1:] == pytest.approx(concordant_pairs(whole)[1:], rel=1e-9)


def test_write_errors_are_reported(tmp_path):
    external_sort = ExternalSort(
        to.Ranking.of(LOGITS, POSITIVE).within(100), 7000, tmp_path / "gone"
    )

    with pytest.raises(StorageError, match=r"cannot be written: No such file.*TMPDIR"):
        external_sort.add(np.tile(LOGITS, 20), np.tile(POSITIVE, 20))
