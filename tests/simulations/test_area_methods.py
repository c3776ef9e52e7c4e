"""The study of intervals for areas: its populations, its methods, and its word on the default."""

import re

import numpy as np
import pytest
from scipy import stats
from simulations.area_methods import (
    CUTS,
    LEVEL,
    METHODS,
    POPULATIONS,
    Sets,
    Z,
    likelihood,
    likelihood_ratio,
    newcombe,
    newcombe_variance,
    perme_manevski_shift,
    rating_shares,
    sample_sets,
    shifted,
    solved,
)
from simulations.area_study import AREAS, DEFAULT, PAGE, measured

import tradeoff as to
from tradeoff.stats.interval_methods import default_method
from tradeoff.uncertainty import auc

SIX = Sets(np.array([[1.0, 2, 3, 4, 5, 6]]), np.array([[0, 0, 1, 0, 1, 1]], bool))
"""Positives beat 2, 3 and 3 of 3 negatives: the area is 8/9."""

OURS = {
    "DeLong": "delong",
    "DeLong, logit": "delong-logit",
    "Pohar Perme–Manevski": "perme-manevski",
    "DeLong, logit, shrunk": "delong-logit-shrunk",
}


@pytest.mark.parametrize("population", POPULATIONS)
@pytest.mark.parametrize("area", AREAS)
def test_populations_have_the_requested_auc(population, area):
    random = np.random.default_rng(3)

    positive, negative = POPULATIONS[population][0](area, random, 200_000)

    # U / (m n) varies by less than 1 / (4 min(m, n)): one standard error is below 0.0012.
    auc_estimate = stats.mannwhitneyu(positive, negative).statistic / 200_000**2
    assert auc_estimate == pytest.approx(area, abs=0.004)


def test_ratings_have_five_levels_and_shares_that_add_to_one():
    positive, negative = rating_shares(1.3)

    assert len(positive) == len(negative) == len(CUTS) + 1
    assert positive.sum() == pytest.approx(1)
    assert negative[::-1] == pytest.approx(positive)  # cut around the middle of both


def test_solved_inverts_an_increasing_function():
    assert solved(np.square, 0.25, 3) == pytest.approx(0.5)


def test_class_totals_are_random_and_sets_without_two_rows_of_a_class_are_left_out():
    data_sets = sample_sets("normal", 50, 0.05, 0.7, sets=2000)

    # Fewer than two of 50 rows at 5% are positive in 0.95⁵⁰ + 50 · 0.05 · 0.95⁴⁹ = 27.9% of sets.
    assert 1 - len(data_sets.m) / 2000 == pytest.approx(0.279, abs=0.035)
    assert data_sets.m.min() == 2
    assert data_sets.m.max() >= 6
    assert (data_sets.m + data_sets.n == 50).all()


@pytest.mark.parametrize("population", POPULATIONS)
@pytest.mark.parametrize("name", OURS)
def test_the_methods_of_the_study_are_those_of_the_library(population, name):
    sets = sample_sets(population, 50, 0.1, 0.85, sets=40)

    low, high = METHODS[name](sets)

    for at in range(len(sets.area)):
        ranking = to.Ranking.of(sets.scores[at].astype(float), sets.positive[at])
        interval = auc.auc_interval(ranking, LEVEL, OURS[name])
        assert (low[at], high[at]) == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_newcombes_method_5_by_hand():
    # N* = (3 + 3)/2 - 1 = 2. At each end θ the area of 8/9 is z standard errors away, with
    # V = θ(1-θ)(1 + 2(1-θ)/(2-θ) + 2θ/(1+θ)) / 9. At θ = 1/2: 1/4 · (1 + 2/3 + 2/3) / 9 = 7/108.
    assert newcombe_variance(0.5, 3, 3) == pytest.approx(7 / 108)

    (low,), (high,) = newcombe(SIX)

    for end in (low, high):
        assert (8 / 9 - end) ** 2 == pytest.approx(Z**2 * newcombe_variance(end, 3, 3))
    assert (low, high) == pytest.approx((0.401007857911, 0.988370185014))  # auRoc's "newcombe"


def test_newcombes_limits_are_roots_of_his_quartic():
    # (A - θ)² m n (2 - θ)(1 + θ) = z² θ (1 - θ) ((2 - θ)(1 + θ) + N* ((1 - θ)(1 + θ) + θ (2 - θ)))
    sets = sample_sets("normal", 100, 0.3, 0.85, sets=5)
    x = np.polynomial.Polynomial([0, 1])

    for area, m, n, *ends in zip(sets.area, sets.m, sets.n, *newcombe(sets), strict=True):
        half = (m + n) / 2 - 1
        left = (area - x) ** 2 * (m * n) * (2 - x) * (1 + x)
        right = (2 - x) * (1 + x) + half * ((1 - x) * (1 + x) + x * (2 - x))
        roots = (left - Z**2 * x * (1 - x) * right).roots()
        assert [abs(roots - end).min() for end in ends] == pytest.approx([0, 0], abs=1e-9)


def test_a_perfect_set_is_moved_until_few_resamples_stay_perfect():
    # auRoc's sample_shift gives 0.725 for these nine rows.
    lower, upper = np.array([1, 2.5, 3, 4.2]), np.array([5, 5.5, 7, 9, 11])
    assert shifted(lower, upper) == pytest.approx(0.725)

    order = np.concatenate([lower, upper])[None]
    won = Sets(order, np.arange(9)[None] >= 4)
    lost = Sets(order, np.arange(9)[None] < 4)

    assert np.ravel(perme_manevski_shift(won)) == pytest.approx([0.725, 1])
    # The classes change places: 0 to 1 - 0.725, and the move is found the other way round.
    assert np.ravel(perme_manevski_shift(lost)) == pytest.approx([0, 1 - shifted(lower, upper)])


def test_the_likelihood_ratio_of_two_values_by_hand():
    # Placements of positives are 1, 1 and 2/3. For a mean of 17/18 their weights are
    # p, p, 1 - 2p with 2p + (1 - 2p) 2/3 = 17/18, so p = 5/12: ratio -2 log(3³ p² (1 - 2p)).
    # Scale: Σ(v - 17/18)²/3 over 3 times DeLong's variance 2/81.
    ratio = -2 * np.log(27 * (5 / 12) ** 2 / 6)
    squares = 2 * (1 / 18) ** 2 + (5 / 18) ** 2
    expected = ratio * squares / 3 / (3 * 2 / 81)

    assert likelihood_ratio(SIX, 17 / 18) == pytest.approx([expected])


def test_empirical_likelihood_ends_where_its_ratio_is_the_quantile():
    sets = sample_sets("normal", 100, 0.3, 0.7, sets=20)

    for end in likelihood(sets):
        assert likelihood_ratio(sets, end) == pytest.approx(np.full(20, Z**2), rel=1e-3)


def _trusted():
    text = PAGE.read_text(encoding="utf-8").split("## How far the default can be trusted")[1]
    lines = re.findall(
        r"^\| ([^|]+) \| \d+ \| ([\d.]+) \| ([\d.]+) \| (\d+) \|$", text, re.MULTILINE
    )
    return {name: (float(least), float(most), int(bad)) for name, least, most, bad in lines}


def test_the_note_on_few_rows_has_the_coverages_of_the_study():
    few, misplaced = auc.SMALL_CLASS_ROWS, auc.MIN_DISCORDANT_ROWS
    names = (
        f"fewer than {few[0]}",
        f"{few[0]} to {few[1] - 1}",
        f"{few[1]} or more, fewer than {misplaced} misplaced",
    )

    trusted = _trusted()

    assert (
        tuple(tuple(round(end) for end in trusted[name][:2]) for name in names)
        == auc.COVERAGE_RANGES
    )


def test_without_a_note_the_default_interval_has_its_nominal_coverage():
    least, most, below = _trusted()[f"{auc.SMALL_CLASS_ROWS[1]} or more, others"]

    assert below == 0
    assert 92 <= least <= most <= 98


def test_the_study_names_the_default_method_of_the_library():
    assert default_method("areas").label.startswith(DEFAULT)
    assert f"The default is **{DEFAULT}**" in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("population", POPULATIONS)
@pytest.mark.parametrize(
    ("rows", "prevalence", "area"),
    [(100, 0.3, 0.7), (300, 0.1, 0.6), (300, 0.3, 0.85), (1000, 0.05, 0.85), (1000, 0.3, 0.95)],
)
def test_the_default_covers_92_to_98_percent_where_there_is_no_note(
    population, rows, prevalence, area
):
    result = measured(population, rows, prevalence, area, 3000, seed=2, methods=[DEFAULT])

    assert 0.92 <= result.cells[DEFAULT].coverage <= 0.98


@pytest.mark.slow
def test_newcombes_method_5_undercovers_where_variances_differ_even_with_many_rows():
    result = measured("unequal", 1000, 0.05, 0.7, 2000, methods=["Newcombe, method 5", DEFAULT])

    assert result.cells["Newcombe, method 5"].coverage < 0.9
    assert result.cells[DEFAULT].coverage > 0.93
