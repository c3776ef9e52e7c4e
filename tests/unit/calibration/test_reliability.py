"""Reliability diagrams: by hand and by simulation."""

import math
from dataclasses import replace

import numpy as np
import pytest

import tradeoff as to
from tradeoff.calibration import reliability as diagrams
from tradeoff.calibration.reliability import reliability
from tradeoff.errors import InputError
from tradeoff.measures.summaries.decomposition import isotonic_pools

FOUR = to.Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))


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


def test_the_band_of_two_scores_is_that_of_two_binomial_proportions():
    # 1,000 rows at 0.2 and 0.8 never swap, so the band is that of a binomial share.
    scores = np.repeat([0.2, 0.8], 1000)
    diagram = reliability(to.Ranking.of(scores, np.arange(2000) % 5 == 0), replicates=4000)

    half_width = 1.96 * math.sqrt(0.16 / 1000)
    assert diagram.band_low == pytest.approx([0.2 - half_width, 0.8 - half_width], abs=0.002)
    assert diagram.band_high == pytest.approx([0.2 + half_width, 0.8 + half_width], abs=0.002)


def test_the_consistency_band_covers_calibrated_probabilities_at_its_level():
    random = np.random.default_rng(3)
    scores = random.beta(1, 2, 200)
    inside = []
    for _ in range(300):
        ranking = to.Ranking.of(scores, random.random(200) < scores)
        # The band follows from the scores alone, so one is enough.
        if not inside:
            band = reliability(ranking, level=0.9).band_columns()
        fitted = isotonic_pools(ranking).fitted[::-1]
        inside.append((fitted >= band["low"] - 1e-12) & (fitted <= band["high"] + 1e-12))

    assert 0.89 < np.mean(inside) < 0.93


def test_miscalibrated_probabilities_leave_the_consistency_band():
    random = np.random.default_rng(4)
    scores = random.random(2000)
    ranking = to.Ranking.of(scores, random.random(2000) < scores**3)
    band = reliability(ranking, replicates=200).band_columns()

    assert (band["fitted"] < band["low"]).mean() > 0.8


def test_a_confidence_band_follows_the_fit_and_has_no_width_without_positives():
    random = np.random.default_rng(5)
    scores = random.random(500)
    ranking = to.Ranking.of(scores, (random.random(500) < scores**2) & (scores > 0.2))
    wide = reliability(ranking, bands="confidence", replicates=300)
    narrow = reliability(ranking, bands="confidence", replicates=300, level=0.5)

    without_positives = wide.scores < 0.2
    assert (wide.band_high[without_positives] == 0).all()
    assert (wide.band_low <= narrow.band_low).all()
    assert (narrow.band_high <= wide.band_high).all()
    assert ((wide.band_low <= wide.fitted) & (wide.fitted <= wide.band_high)).mean() > 0.95


def test_the_same_seed_gives_the_same_band_in_batches_of_any_size(monkeypatch):
    first = reliability(FOUR, replicates=100).band_columns()
    monkeypatch.setattr(diagrams, "BATCH_SIZE", 7)
    second = reliability(FOUR, replicates=100).band_columns()
    other = reliability(FOUR, replicates=100, seed=1, level=0.3).band_columns()

    assert all((first[name] == second[name]).all() for name in first)
    assert (other["high"] != reliability(FOUR, replicates=100, level=0.3).band_high).any()


def test_lower_is_positive_gives_the_same_diagram():
    mirrored = to.Ranking.of(
        np.array([0.125, 0.25, 0.625, 0.875]), np.array([1, 0, 1, 0], bool), lower_is_positive=True
    )
    ranking = to.Ranking.of(np.array([0.875, 0.75, 0.375, 0.125]), np.array([1, 0, 1, 0], bool))

    for method in ("columns", "band_columns"):
        first, second = (getattr(reliability(r), method)() for r in (mirrored, ranking))
        assert all((first[name] == second[name]).all() for name in first)


def test_grouping_adjacent_scores_hardly_changes_the_band(monkeypatch):
    random = np.random.default_rng(6)
    scores = random.beta(0.5, 3, 1800)
    ranking = to.Ranking.of(scores, random.random(1800) < scores)
    ungrouped = reliability(ranking, replicates=400)
    monkeypatch.setattr(diagrams, "MAX_GROUPS", 500)
    grouped = reliability(ranking, replicates=400)

    sizes = diagrams._group_adjacent(np.sort(scores), np.ones(1800, int), np.sort(scores)).rows
    assert sizes.sum() == 1800
    assert 250 < len(sizes) <= 502
    for name in ("band_low", "band_high"):
        expected = np.interp(grouped.scores, ungrouped.scores, getattr(ungrouped, name))
        assert np.abs(expected - getattr(grouped, name)).mean() < 0.015


def test_bands_of_weighted_rows_are_refused():
    weighted = to.Ranking.of(np.array([0.9, 0.1]), np.array([True, False]), np.array([0.5, 1.5]))
    importance_weighted = replace(FOUR, squares=FOUR)

    for ranking in (weighted, importance_weighted, FOUR.at_prevalence(0.1)):
        with pytest.raises(InputError, match="leave them out with bands=None"):
            reliability(ranking)
        assert len(reliability(ranking, bands=None).rows) > 1
