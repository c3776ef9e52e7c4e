"""How sure areas under the ROC curve are: by hand, over all pairs of rows, and at any size."""

import math

import numpy as np
import pytest
from brute_force import counted, delong, exact_delong
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import scored

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.stats.interval_methods import methods_by_name
from tradeoff.stats.normal import quantile
from tradeoff.uncertainty.auc import (
    Placements,
    area_interval,
    caution,
    hanley_mcneil,
    logit_ends,
    perme_manevski,
    placements,
    shrunk,
)

AREA_METHODS = list(methods_by_name("areas"))

TIED = st.integers(-3, 3).map(float)
SYMMETRIC = [name for name in AREA_METHODS if name != "hanley-mcneil"]
every_method = pytest.mark.parametrize("method", AREA_METHODS)


def ranked(scores, positive, weights=None, **options):
    return to.Ranking.of(np.asarray(scores, float), np.asarray(positive, bool), weights, **options)


def two_of_each(positive):
    return min(np.count_nonzero(positive), np.count_nonzero(~positive)) >= 2


SIX = ranked([6, 5, 4, 3, 2, 1], [1, 1, 0, 1, 0, 0])
"""Positives beat 3, 3 and 2 of 3 negatives, negatives are beaten by 2, 3 and 3 of 3 positives."""


def test_six_rows_by_hand():
    found = placements(SIX)

    assert (found.area, found.positives, found.negatives) == (8 / 9, 3, 3)
    assert found.of_positives == pytest.approx(1 / 27)  # of 1, 1 and 2/3
    assert found.of_negatives == pytest.approx(1 / 27)
    assert found.variance == pytest.approx(2 / 81)


def test_delongs_interval_by_hand():
    half = 1.959963984540054 * math.sqrt(2) / 9

    found = area_interval(SIX, method="delong")

    assert (found.low, found.high) == pytest.approx((8 / 9 - half, 1.0))  # cut at 1


def test_the_logit_interval_by_hand():
    half = 1.959963984540054 * math.sqrt(2 / 81) / (8 / 81)
    expected = [1 / (1 + math.exp(-(math.log(8) + step))) for step in (-half, half)]

    found = area_interval(SIX, method="delong-logit")

    assert [found.low, found.high] == pytest.approx(expected)


def test_the_default_is_that_of_pohar_perme_and_manevski_by_hand():
    # Placements of both classes vary by 1/27, so the variance of 3 × 3 pairs is
    # (2 · 1/27 + 2 · 1/27 + 8/9 · 1/9) / 9 = 20/729. auRoc's DL.corr gives 0.2301405 and 0.9953508.
    half = 1.959963984540054 * math.sqrt(20 / 729) / (8 / 81)
    expected = [1 / (1 + math.exp(-(math.log(8) + step))) for step in (-half, half)]

    found = area_interval(SIX)

    assert perme_manevski(placements(SIX)) == pytest.approx(20 / 729)
    assert [found.low, found.high] == pytest.approx(expected)
    assert expected == pytest.approx([0.230140509426, 0.995350804594])
    assert found.method == "Pohar Perme–Manevski on the logit scale"


@pytest.mark.parametrize(
    ("scores", "positive"),
    [([4, 3, 2, 1], [1, 0, 0, 1]), ([2, 1, 1, 1], [1, 0, 1, 0]), ([2, 2, 1], [1, 1, 0])],
)
def test_the_exact_formula_over_all_pairs(scores, positive):
    # ((n - 1) S₊ + (m - 1) S₋ + A (1 - A)) / (m n) with wins counted pair by pair.
    up, down = (np.array(scores, float)[np.array(positive) == side] for side in (1, 0))
    wins = (np.subtract.outer(up, down) > 0) + (np.subtract.outer(up, down) == 0) / 2
    area, (m, n) = wins.mean(), wins.shape
    spread = [own.var(ddof=1) if len(own) > 1 else 0.0 for own in (wins.mean(1), wins.mean(0))]
    expected = ((n - 1) * spread[0] + (m - 1) * spread[1] + area * (1 - area)) / (m * n)

    assert perme_manevski(Placements(area, m, n, *spread)) == pytest.approx(expected)


@given(scored(scores=TIED, min_size=4))
def test_the_default_adds_what_single_pairs_vary_to_delongs_variance(rows):
    scores, positive, _ = rows
    assume(two_of_each(positive))
    placed = placements(ranked(scores, positive))
    pairs = placed.area * (1 - placed.area) - placed.of_positives - placed.of_negatives

    more = perme_manevski(placed) - placed.variance

    assert more == pytest.approx(pairs / (placed.positives * placed.negatives), abs=1e-12)


def test_with_many_rows_the_default_is_delongs():
    placed = Placements(0.9, 1e6, 1e6, 0.01, 0.02)

    assert perme_manevski(placed) == pytest.approx(placed.variance, rel=1e-5)


def test_an_area_between_0_and_1_always_has_an_interval():
    # Both positives beat one negative of two, so placements do not vary: DeLong's variance is 0,
    # that of the exact formula (0 + 1 · 1/2 + 1/4) / 4 = 3/16.
    ranking = ranked([3, 2, 2, 1], [0, 1, 1, 0])

    assert perme_manevski(placements(ranking)) == pytest.approx(3 / 16)
    assert area_interval(ranking).low == pytest.approx(logit_ends(0.5, 3 / 16, 0.95)[0])


def test_the_shrunk_variance_by_hand():
    # Hanley & McNeil's model for 8/9: variances A/(2-A) - A² = 8/810 and 2A²/(1+A) - A² = 64/1377;
    # their mean counts as √3 rows beside the 2 degrees of freedom of the rows themselves.
    model = (8 / 810 + 64 / 1377) / 2
    mixed = (2 / 27 + math.sqrt(3) * model) / (2 + math.sqrt(3))

    assert shrunk(placements(SIX)) == pytest.approx(2 * mixed / 3)


def test_shrinking_is_forgotten_with_many_rows():
    placed = Placements(0.9, 1e8, 1e8, 0.01, 0.02)

    assert shrunk(placed) == pytest.approx(placed.variance, rel=1e-3)


@pytest.mark.parametrize("name", ["logit", "delong-logit", "delong", "hanley-mcneil"])
def test_names_of_earlier_versions_are_accepted(name):
    found = to.evaluate(actual=[0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6]).summary(
        "auc", method=name
    )

    assert found.method == methods_by_name("areas")[name].label


@pytest.mark.parametrize(
    ("positives", "area", "said"),
    [
        (9, 0.8, "with fewer than 10 rows in a class, 95 % intervals held in 82 to 99 % of trials"),
        (
            29,
            0.8,
            "with fewer than 30 rows in a class, 95 % intervals held in 79 to 98 % of trials",
        ),
        (50, 0.9, "with so few pairs lost, 95 % intervals held in 84 to 96 % of trials"),
        (50, 0.1, "with so few pairs won, 95 % intervals held in 84 to 96 % of trials"),
        (50, 0.8, None),
        (50, 1.0, None),
    ],
)
def test_few_rows_are_told_with_how_often_the_interval_held(positives, area, said):
    # 50 rows of an area of 0.9 stand for 5 that lose their pairs, of 0.8 for 10.
    assert caution(Placements(area, positives, 1000, 0.05, 0.05)) == said
    assert caution(Placements(area, 1000, positives, 0.05, 0.05)) == said


def test_the_output_says_how_far_the_interval_of_few_rows_can_be_trusted():
    evaluation = to.evaluate(actual=[0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])

    assert "held in 82 to 99 % of trials" in evaluation.auc.note
    assert "held in 82 to 99 % of trials" in evaluation.summary("gini").note
    assert evaluation.summary("auc", method="delong").note is None


def test_with_many_rows_nothing_needs_to_be_said():
    random = np.random.default_rng(1)
    actual = np.arange(200) < 60

    found = to.evaluate(actual=actual, score=random.normal(actual.astype(float)))

    assert found.auc.note is None


def test_hanley_and_mcneil_by_hand():
    # Q1 = 0.8/1.2 and Q2 = 2·0.64/1.8 (equation 2 of the paper).
    q1, q2 = 0.8 / 1.2, 1.28 / 1.8
    expected = (0.8 * 0.2 + 49 * (q1 - 0.64) + 29 * (q2 - 0.64)) / 1500

    assert hanley_mcneil(0.8, 50, 30) == pytest.approx(expected)


def test_a_perfect_ranking_is_as_sure_as_its_smaller_class():
    found = area_interval(ranked([9, 8, 7, 3, 2, 1, 0], [1, 1, 1, 0, 0, 0, 0]))
    lost = area_interval(ranked([9, 8, 7, 3, 2, 1, 0], [0, 0, 0, 0, 1, 1, 1]))

    assert (found.low, found.high) == (pytest.approx(0.025 ** (1 / 3)), 1.0)
    assert (lost.low, lost.high) == (0.0, pytest.approx(1 - 0.025 ** (1 / 3)))
    assert found.method == lost.method == "exact-type bound"


@given(scored(scores=TIED, min_size=4))
def test_the_variance_is_that_of_all_pairs_of_rows(rows):
    scores, positive, _ = rows
    assume(two_of_each(positive))
    (area,), ((variance,),) = delong([scores], positive)

    found = placements(ranked(scores, positive))

    assert found.area == pytest.approx(area, abs=1e-12)
    assert found.variance == pytest.approx(variance, abs=1e-12)


@given(
    scored(scores=TIED, min_size=4),
    st.randoms(use_true_random=False),
    st.sampled_from(AREA_METHODS),
)
def test_the_order_of_rows_does_not_matter(rows, random, method):
    scores, positive, _ = rows
    order = list(range(len(scores)))
    random.shuffle(order)

    again = area_interval(ranked(scores[order], positive[order]), method=method)

    np.testing.assert_equal(again, area_interval(ranked(scores, positive), method=method))


@given(scored(scores=TIED, min_size=4), st.sampled_from(AREA_METHODS))
def test_only_the_order_of_scores_matters(rows, method):
    scores, positive, _ = rows

    again = area_interval(ranked(np.exp(scores) - 3, positive), method=method)

    np.testing.assert_equal(again, area_interval(ranked(scores, positive), method=method))


@given(scored(scores=TIED, min_size=4), st.sampled_from(AREA_METHODS))
def test_low_scores_that_are_positive_are_high_ones_negated(rows, method):
    scores, positive, _ = rows

    again = area_interval(ranked(-scores, positive, lower_is_positive=True), method=method)

    np.testing.assert_equal(again, area_interval(ranked(scores, positive), method=method))


@given(scored(scores=TIED, min_size=4), st.sampled_from(SYMMETRIC))
def test_turning_a_ranking_round_turns_its_interval(rows, method):
    scores, positive, _ = rows
    assume(two_of_each(positive) and len(np.unique(scores)) > 1)

    found = area_interval(ranked(scores, positive), method=method)
    turned = area_interval(ranked(-scores, positive), method=method)

    assert (turned.low, turned.high) == pytest.approx((1 - found.high, 1 - found.low), abs=1e-9)


@given(scored(scores=TIED, min_size=4), st.sampled_from(AREA_METHODS))
def test_whole_weights_count_rows(rows, method):
    scores, positive, weights = rows
    kept = weights > 0
    weighted = ranked(scores[kept], positive[kept], weights[kept])

    repeated = ranked(*(np.repeat(own, weights) for own in (scores, positive)))

    np.testing.assert_equal(
        area_interval(weighted, method=method), area_interval(repeated, method=method)
    )


@given(scored(scores=TIED, min_size=4), st.sampled_from(AREA_METHODS), st.floats(0.5, 0.98))
def test_intervals_hold_the_area_inside_0_to_1_and_grow_with_the_level(rows, method, level):
    scores, positive, _ = rows
    assume(two_of_each(positive) and len(np.unique(scores)) > 1)
    ranking = ranked(scores, positive)
    area = placements(ranking).area

    narrow, wide = (area_interval(ranking, own, method) for own in (level, (1 + level) / 2))

    assert 0 <= wide.low <= narrow.low <= area + 1e-12
    assert area - 1e-12 <= narrow.high <= wide.high <= 1


@every_method
def test_a_class_with_one_row_has_no_interval(method):
    found = area_interval(ranked([3, 2, 1], [1, 0, 0]), method=method)

    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert found.reason == "it needs two rows of each class"


@every_method
def test_no_rows_have_no_interval(method):
    found = area_interval(ranked([], []), method=method)

    assert math.isnan(found.low)
    assert found.reason == "it needs two rows of each class"


@every_method
def test_equal_scores_have_no_interval(method):
    found = area_interval(ranked([1, 1, 1, 1], [1, 0, 1, 0]), method=method)

    assert math.isnan(found.low)
    assert found.reason == "every row has the same score"


def test_one_class_has_no_area_and_no_interval():
    found = to.evaluate(actual=["yes"] * 3, score=[1, 2, 3], positive="yes").auc

    assert not found.is_defined
    assert not found.has_interval
    assert "both classes are needed" in found.reason


@pytest.mark.parametrize("level", [0, 1, -0.2, 1.5, 95, math.nan])
def test_a_level_lies_between_0_and_1(level):
    with pytest.raises(InputError, match="A level lies between 0 and 1"):
        area_interval(SIX, level)


def test_percents_are_recognised():
    with pytest.raises(InputError, match=r"not at 99\.5 \(99\.5 % is 0\.995\)"):
        quantile(99.5)


def test_an_unknown_method_is_told_with_the_nearest_one():
    with pytest.raises(UnknownName, match=r"called 'delon'\. Did you mean 'delong'\?"):
        area_interval(SIX, method="delon")


@pytest.mark.parametrize(
    ("scale", "kind"), [(10**4, np.int32), (10**7, np.int64), (10**12, np.int64)]
)
def test_the_variance_is_exact_at_any_size(scale, kind):
    # 5 million, 5 billion and 500 trillion rows with 1,000 different scores.
    random = np.random.default_rng(0)
    falling = np.linspace(1.2, 0.2, 1000)
    up, down = (
        (random.integers(scale // 10, scale, 1000) * side).astype(np.int64)
        for side in (falling, falling[::-1])
    )
    area, variance = exact_delong(up, down)

    found = placements(counted(up, down, kind))

    assert found.area == pytest.approx(float(area), rel=1e-12)
    assert found.variance == pytest.approx(float(variance), rel=1e-12)


def test_a_nearly_perfect_ranking_of_25_million_rows_keeps_its_digits():
    up, down = [5_000_000, 5, 0, 3], [0, 3, 2, 20_000_000]
    area, variance = exact_delong(up, down)

    found = placements(counted(up, down))

    assert 1 - found.area == pytest.approx(float(1 - area), rel=1e-9)
    assert found.variance == pytest.approx(float(variance), rel=1e-9)


def test_logit_ends_stay_inside_however_unsure():
    assert logit_ends(0.999999, 0.24, 0.999999) == (0.0, 1.0)
