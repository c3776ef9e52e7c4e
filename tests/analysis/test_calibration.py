"""Parts of scores and reliability diagrams: by hand, by brute force, by simulation."""

import math
from dataclasses import replace

import numpy as np
import pytest
from golden.reference import table
from hypothesis import given
from hypothesis import strategies as st
from strategies import rankings, scored

import tradeoff as to
from tradeoff.calibration import reliability as diagrams
from tradeoff.calibration.reliability import reliability
from tradeoff.errors import InputError
from tradeoff.measures.registry import SUMMARIES
from tradeoff.measures.summaries.decomposition import decompose, pools
from tradeoff.stats.isotonic import pooled_shares

PROBABILITIES = st.integers(0, 10).map(lambda tenths: tenths / 10)
FOUR = to.Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))


def brute_force(shares, rows):
    """Each fitted value is the largest, over beginnings, of the smallest mean from there on."""
    size = len(rows)

    def mean(first, last):
        run = slice(first, last + 1)
        return np.average(shares[run], weights=rows[run])

    return [max(min(mean(j, k) for k in range(i, size)) for j in range(i + 1)) for i in range(size)]


def golden(name):
    rows = table(f"{name}_data.csv")
    return rows[next(k for k in ("score", "prediction") if k in rows)], rows["label"] > 0, rows


def test_four_rows_by_hand():
    # The middle two are pooled: corrected probabilities are 1, 1/2, 1/2, 0.
    parts = decompose(FOUR)

    assert parts.value == pytest.approx((0.1**2 + 0.8**2 + 0.6**2 + 0.1**2) / 4)
    assert parts.miscalibration == pytest.approx(1.02 / 4 - 0.5 / 4)
    assert (parts.discrimination, parts.uncertainty) == (0.125, 0.25)

    parts = decompose(FOUR, "log_loss")
    assert parts.uncertainty == pytest.approx(math.log(2))
    assert parts.discrimination == pytest.approx(math.log(2) / 2)
    own = -(2 * math.log(0.9) + math.log(0.2) + math.log(0.4)) / 4
    assert parts.miscalibration == pytest.approx(own - math.log(2) / 2)


# scikit-learn 1.9.1: brier_score_loss and log_loss of the scores, of IsotonicRegression's
# predictions on the same rows, and of the prevalence.
@pytest.mark.parametrize(
    ("name", "weighted", "score", "expected"),
    [
        ("syn_a1_probabilities", False, "brier", (0.016458640213861397, 0.0650886169386169)),
        ("syn_a1_probabilities", False, "log_loss", (0.0524799363552414, 0.16031223697209718)),
        ("syn_a1_probabilities", True, "brier", (0.028449147928360563, 0.06485719717044025)),
        ("syn_a1_probabilities", True, "log_loss", (0.08265157605952189, 0.16437681536611415)),
        ("syn_a7_imbalanced", False, "brier", (0.0011201139850029202, 0.0009708724850029217)),
        ("syn_a7_imbalanced", True, "log_loss", (0.02262158900454733, 0.016529373625607333)),
        ("rocr_simple", False, "log_loss", (0.14055973495847868, 0.2750791741644902)),
    ],
)
def test_parts_are_those_of_scikit_learns_isotonic_regression(name, weighted, score, expected):
    scores, positive, rows = golden(name)
    parts = decompose(to.Ranking.of(scores, positive, rows["weight"] if weighted else None), score)

    assert (parts.miscalibration, parts.discrimination) == pytest.approx(expected, abs=1e-12)


@given(rankings(scores=PROBABILITIES, min_size=1), st.sampled_from(["brier", "log_loss"]))
def test_parts_add_up_to_the_score_and_none_is_negative(ranking, score):
    parts = decompose(ranking, score)

    whole = parts.miscalibration - parts.discrimination + parts.uncertainty
    assert whole == pytest.approx(parts.value, abs=1e-12)
    assert parts.value == SUMMARIES[score](ranking)
    assert min(parts.miscalibration, parts.discrimination, parts.uncertainty) >= 0


@given(rankings(scores=PROBABILITIES, min_size=1))
def test_swapping_classes_and_scores_changes_no_part(ranking):
    mirrored = to.Ranking(
        ranking.tally._replace(thresholds=np.append(-np.inf, 1 - ranking.thresholds[1:])),
        ranking.rows,
        lower_is_positive=True,
    )
    for score in ("brier", "log_loss"):
        own, other = decompose(ranking, score), decompose(mirrored, score)
        assert own.miscalibration == pytest.approx(other.miscalibration, abs=1e-12)
        assert own.discrimination == pytest.approx(other.discrimination, abs=1e-12)


def test_shares_as_scores_have_no_miscalibration():
    scores = np.repeat([0.25, 0.5, 1.0], [4, 2, 3])
    ranking = to.Ranking.of(scores, np.array([1, 0, 0, 0, 1, 0, 1, 1, 1], bool))

    assert decompose(ranking).miscalibration == 0
    assert decompose(ranking, "log_loss").miscalibration == pytest.approx(0, abs=1e-15)


def test_a_certain_and_wrong_probability_is_clipped_and_the_note_tells():
    ranking = to.Ranking.of(np.array([0.0, 1.0, 0.5]), np.array([1, 1, 0], bool))
    parts = decompose(ranking, "log_loss")

    assert math.isfinite(parts.value)
    assert parts.note == "clipped: 1 actual classes were given probability 0"
    assert decompose(ranking).note is None


def test_one_class_is_all_miscalibration():
    ranking = to.Ranking.of(np.array([0.9, 0.7]), np.array([True, True]))

    for score in ("brier", "log_loss"):
        parts = decompose(ranking, score)
        assert parts.miscalibration == pytest.approx(parts.value)
        assert (parts.discrimination, parts.uncertainty) == (0, 0)


def test_a_vanishing_weight_leaves_no_score_without_a_pool():
    scores, weights = np.array([0.9, 0.5, 0.1]), np.array([1e20, 1e20, 1.0])
    ranking = to.Ranking.of(scores, np.array([True, False, False]), weights)

    assert pools(ranking).fitted.tolist() == [1.0, 0.0, 0.0]
    assert decompose(ranking).miscalibration == pytest.approx((0.01 + 0.25) / 2)


@pytest.mark.parametrize("score", [2.0, -0.5])
def test_only_probabilities_can_be_decomposed(score):
    with pytest.raises(InputError, match="A decomposition needs probabilities"):
        decompose(to.Ranking.of(np.array([score, 0.5]), np.array([True, False])))


def test_unknown_words_are_refused():
    with pytest.raises(InputError, match="`score` is one of 'brier' and 'log_loss'"):
        decompose(FOUR, "logloss")
    with pytest.raises(InputError, match="`bands` is one of"):
        reliability(FOUR, bands="consistent")
    with pytest.raises(InputError, match="20 replicates or more"):
        reliability(FOUR, replicates=2)
    with pytest.raises(InputError, match=r"95 % is 0\.95"):
        reliability(FOUR, level=95)
    with pytest.raises(InputError, match="no rows"):
        reliability(to.Ranking.of(np.array([]), np.array([], bool)))


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1, max_size=9))
def test_pooling_is_the_largest_smallest_mean(groups):
    rows = np.array([size for size, _ in groups])
    positives = np.array([min(size, hits) for size, hits in groups])
    both = np.array([positives, positives[::-1] * rows // rows[::-1]])

    fitted = pooled_shares(both, rows)

    for line, own in zip(fitted, both, strict=True):
        np.testing.assert_allclose(line, brute_force(own / rows, rows), atol=1e-12)


@given(scored(scores=st.integers(-4, 4).map(float), min_size=1))
def test_pooling_counts_is_the_hull_of_the_ranking(data):
    ranking = to.Ranking.of(data[0], data[1])
    positives = np.diff(ranking.true_positives)[::-1]
    rows = positives + np.diff(ranking.false_positives)[::-1]

    fitted = pooled_shares(positives[None], rows)[0]

    np.testing.assert_allclose(fitted, pools(ranking).fitted[::-1], atol=1e-12)


def test_a_long_cascade_of_violators_is_one_pool():
    positives = np.append(np.arange(1, 301), 0)
    rows = np.append(np.full(300, 300), 10**9)

    assert set(pooled_shares(positives[None], rows)[0]) == {positives.sum() / rows.sum()}


def test_a_diagram_has_bins_and_a_band():
    diagram = reliability(FOUR, replicates=200)

    assert list(diagram.columns()) == [
        *("low", "high", "mean_score", "positive_share", "rows", "positives"),
    ]
    assert diagram.low.tolist() == [0.1, 0.4, 0.9]
    assert diagram.high.tolist() == [0.1, 0.8, 0.9]
    assert diagram.mean_score == pytest.approx([0.1, 0.6, 0.9])
    assert diagram.columns()["rows"].tolist() == [1, 2, 1]
    band = diagram.band_columns()
    assert list(band) == ["score", "fitted", "low", "high"]
    assert band["score"].tolist() == [0.1, 0.4, 0.8, 0.9]
    assert band["fitted"].tolist() == [0.0, 0.5, 0.5, 1.0]
    assert repr(reliability(FOUR, bands=None)) == "Reliability(3 bins)"
    assert np.isnan(reliability(FOUR, bands=None).band_low).all()


def test_two_scores_have_the_band_of_two_shares():
    # 1,000 rows at 0.2 and 0.8 never swap, so the band is that of a binomial share.
    scores = np.repeat([0.2, 0.8], 1000)
    diagram = reliability(to.Ranking.of(scores, np.arange(2000) % 5 == 0), replicates=4000)

    half = 1.96 * math.sqrt(0.16 / 1000)
    assert diagram.band_low == pytest.approx([0.2 - half, 0.8 - half], abs=0.002)
    assert diagram.band_high == pytest.approx([0.2 + half, 0.8 + half], abs=0.002)


def test_right_probabilities_stay_inside_their_consistency_band_as_often_as_it_says():
    random = np.random.default_rng(3)
    scores = random.beta(1, 2, 200)
    inside = []
    for _ in range(300):
        ranking = to.Ranking.of(scores, random.random(200) < scores)
        # The band follows from the scores alone, so one is enough.
        if not inside:
            band = reliability(ranking, level=0.9).band_columns()
        fitted = pools(ranking).fitted[::-1]
        inside.append((fitted >= band["low"] - 1e-12) & (fitted <= band["high"] + 1e-12))

    assert 0.89 < np.mean(inside) < 0.93


def test_wrong_probabilities_leave_the_consistency_band():
    random = np.random.default_rng(4)
    scores = random.random(2000)
    ranking = to.Ranking.of(scores, random.random(2000) < scores**3)
    band = reliability(ranking, replicates=200).band_columns()

    assert (band["fitted"] < band["low"]).mean() > 0.8


def test_a_confidence_band_follows_the_line_and_has_no_width_at_zero():
    random = np.random.default_rng(5)
    scores = random.random(500)
    ranking = to.Ranking.of(scores, (random.random(500) < scores**2) & (scores > 0.2))
    wide = reliability(ranking, bands="confidence", replicates=300)
    narrow = reliability(ranking, bands="confidence", replicates=300, level=0.5)

    sure = wide.scores < 0.2
    assert (wide.band_high[sure] == 0).all()
    assert (wide.band_low <= narrow.band_low).all()
    assert (narrow.band_high <= wide.band_high).all()
    assert ((wide.band_low <= wide.fitted) & (wide.fitted <= wide.band_high)).mean() > 0.95


def test_the_same_seed_gives_the_same_band_in_batches_of_any_size(monkeypatch):
    first = reliability(FOUR, replicates=100).band_columns()
    monkeypatch.setattr(diagrams, "BATCH", 7)
    second = reliability(FOUR, replicates=100).band_columns()
    other = reliability(FOUR, replicates=100, seed=1, level=0.3).band_columns()

    assert all((first[name] == second[name]).all() for name in first)
    assert (other["high"] != reliability(FOUR, replicates=100, level=0.3).band_high).any()


def test_low_scores_may_be_the_positive_ones():
    mirrored = to.Ranking.of(
        np.array([0.125, 0.25, 0.625, 0.875]), np.array([1, 0, 1, 0], bool), lower_is_positive=True
    )
    own = to.Ranking.of(np.array([0.875, 0.75, 0.375, 0.125]), np.array([1, 0, 1, 0], bool))

    for table_of in ("columns", "band_columns"):
        first, second = (getattr(reliability(r), table_of)() for r in (mirrored, own))
        assert all((first[name] == second[name]).all() for name in first)


def test_many_scores_are_drawn_in_groups_that_change_little(monkeypatch):
    random = np.random.default_rng(6)
    scores = random.beta(0.5, 3, 1800)
    ranking = to.Ranking.of(scores, random.random(1800) < scores)
    each = reliability(ranking, replicates=400)
    monkeypatch.setattr(diagrams, "MOST_GROUPS", 500)
    grouped = reliability(ranking, replicates=400)

    sizes = diagrams._grouped(np.sort(scores), np.ones(1800, int), np.sort(scores)).rows
    assert sizes.sum() == 1800
    assert 250 < len(sizes) <= 502
    for name in ("band_low", "band_high"):
        at = np.interp(grouped.scores, each.scores, getattr(each, name))
        assert np.abs(at - getattr(grouped, name)).mean() < 0.015


def test_bands_need_rows_not_weights():
    weighted = to.Ranking.of(np.array([0.9, 0.1]), np.array([True, False]), np.array([0.5, 1.5]))
    matters = replace(FOUR, squares=FOUR)

    for ranking in (weighted, matters, FOUR.at_prevalence(0.1)):
        with pytest.raises(InputError, match="weights have no rows: ask for bands=None"):
            reliability(ranking)
        assert len(reliability(ranking, bands=None).rows) > 1
