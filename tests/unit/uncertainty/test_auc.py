"""Confidence intervals for the AUC: checked by hand, over all pairs of rows, and at any size."""

import math

import numpy as np
import pytest
from brute_force import delong, exact_delong, ranking_of_counts
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import scored

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.stats.interval_methods import methods_by_name
from tradeoff.stats.normal import critical_value
from tradeoff.uncertainty.auc import (
    PlacementVariances,
    auc_coverage_note,
    auc_interval,
    auc_logit_interval,
    hanley_mcneil_variance,
    perme_manevski_variance,
    placement_variances,
    shrunken_delong_variance,
)

AUC_METHODS = list(methods_by_name("areas"))

TIED = st.integers(-3, 3).map(float)
SYMMETRIC = [name for name in AUC_METHODS if name != "hanley-mcneil"]
every_method = pytest.mark.parametrize("method", AUC_METHODS)


def build_ranking(scores, positive, weights=None, **options):
    return to.Ranking.of(np.asarray(scores, float), np.asarray(positive, bool), weights, **options)


def has_two_of_each_class(positive):
    return min(np.count_nonzero(positive), np.count_nonzero(~positive)) >= 2


SIX_ROWS = build_ranking([6, 5, 4, 3, 2, 1], [1, 1, 0, 1, 0, 0])
"""The positives outrank 3, 3 and 2 of the 3 negatives, which rank below 2, 3 and 3 positives."""


def test_six_rows_by_hand():
    variances = placement_variances(SIX_ROWS)

    assert (variances.area, variances.positives, variances.negatives) == (8 / 9, 3, 3)
    assert variances.positive_variance == pytest.approx(1 / 27)  # of 1, 1 and 2/3
    assert variances.negative_variance == pytest.approx(1 / 27)
    assert variances.variance == pytest.approx(2 / 81)


def test_delongs_interval_by_hand():
    half_width = 1.959963984540054 * math.sqrt(2) / 9

    interval = auc_interval(SIX_ROWS, method="delong")

    # Truncated at 1.
    assert (interval.low, interval.high) == pytest.approx((8 / 9 - half_width, 1.0))


def test_the_logit_interval_by_hand():
    half_width = 1.959963984540054 * math.sqrt(2 / 81) / (8 / 81)
    expected = [1 / (1 + math.exp(-(math.log(8) + x))) for x in (-half_width, half_width)]

    interval = auc_interval(SIX_ROWS, method="delong-logit")

    assert [interval.low, interval.high] == pytest.approx(expected)


def test_the_default_interval_of_pohar_perme_and_manevski_by_hand():
    # Placements have a variance of 1/27 in both classes, so the variance of the AUC is
    # (2 · 1/27 + 2 · 1/27 + 8/9 · 1/9) / 9 = 20/729. auRoc's DL.corr gives 0.2301405 and 0.9953508.
    half_width = 1.959963984540054 * math.sqrt(20 / 729) / (8 / 81)
    expected = [1 / (1 + math.exp(-(math.log(8) + x))) for x in (-half_width, half_width)]

    interval = auc_interval(SIX_ROWS)

    assert perme_manevski_variance(placement_variances(SIX_ROWS)) == pytest.approx(20 / 729)
    assert [interval.low, interval.high] == pytest.approx(expected)
    assert expected == pytest.approx([0.230140509426, 0.995350804594])
    assert interval.method == "Pohar Perme–Manevski on the logit scale"


@pytest.mark.parametrize(
    ("scores", "positive"),
    [([4, 3, 2, 1], [1, 0, 0, 1]), ([2, 1, 1, 1], [1, 0, 1, 0]), ([2, 2, 1], [1, 1, 0])],
)
def test_the_mann_whitney_variance_over_all_pairs(scores, positive):
    # ((n - 1) S₊ + (m - 1) S₋ + A (1 - A)) / (m n) with concordant pairs counted one by one.
    positives, negatives = (np.array(scores, float)[np.array(positive) == c] for c in (1, 0))
    differences = np.subtract.outer(positives, negatives)
    wins = (differences > 0) + (differences == 0) / 2
    area, (m, n) = wins.mean(), wins.shape
    variances = [
        means.var(ddof=1) if len(means) > 1 else 0.0 for means in (wins.mean(1), wins.mean(0))
    ]
    expected = ((n - 1) * variances[0] + (m - 1) * variances[1] + area * (1 - area)) / (m * n)

    assert perme_manevski_variance(PlacementVariances(area, m, n, *variances)) == pytest.approx(
        expected
    )


@given(scored(scores=TIED, min_size=4))
def test_the_default_variance_exceeds_delongs_by_a_term_for_single_pairs(rows):
    scores, positive, _ = rows
    assume(has_two_of_each_class(positive))
    variances = placement_variances(build_ranking(scores, positive))
    pair_variance = (
        variances.area * (1 - variances.area)
        - variances.positive_variance
        - variances.negative_variance
    )

    excess = perme_manevski_variance(variances) - variances.variance

    assert excess == pytest.approx(
        pair_variance / (variances.positives * variances.negatives), abs=1e-12
    )


def test_the_default_variance_tends_to_delongs():
    variances = PlacementVariances(0.9, 1e6, 1e6, 0.01, 0.02)

    assert perme_manevski_variance(variances) == pytest.approx(variances.variance, rel=1e-5)


def test_an_auc_between_0_and_1_always_has_an_interval():
    # Both positives outrank one of two negatives, so their placements do not vary, but the default
    # variance is (0 + 1 · 1/2 + 1/4) / 4 = 3/16.
    ranking = build_ranking([3, 2, 2, 1], [0, 1, 1, 0])

    assert perme_manevski_variance(placement_variances(ranking)) == pytest.approx(3 / 16)
    assert auc_interval(ranking).low == pytest.approx(auc_logit_interval(0.5, 3 / 16, 0.95)[0])


def test_the_shrunk_variance_by_hand():
    # Hanley & McNeil's model for 8/9: variances A/(2-A) - A² = 8/810 and 2A²/(1+A) - A² = 64/1377;
    # their mean counts as √3 rows beside the 2 degrees of freedom of the rows themselves.
    model = (8 / 810 + 64 / 1377) / 2
    mixed = (2 / 27 + math.sqrt(3) * model) / (2 + math.sqrt(3))

    assert shrunken_delong_variance(placement_variances(SIX_ROWS)) == pytest.approx(2 * mixed / 3)


def test_variance_shrinkage_vanishes_with_many_rows():
    variances = PlacementVariances(0.9, 1e8, 1e8, 0.01, 0.02)

    assert shrunken_delong_variance(variances) == pytest.approx(variances.variance, rel=1e-3)


@pytest.mark.parametrize("name", ["logit", "delong-logit", "delong", "hanley-mcneil"])
def test_method_names_of_earlier_versions_are_accepted(name):
    estimate = to.evaluate(actual=[0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6]).summary(
        "auc", method=name
    )

    assert estimate.method == methods_by_name("areas")[name].label


@pytest.mark.parametrize(
    ("positives", "area", "note"),
    [
        (9, 0.8, "with fewer than 10 rows in a class, the coverage of 95% intervals is 82 to 99%"),
        (
            29,
            0.8,
            "with fewer than 30 rows in a class, the coverage of 95% intervals is 79 to 98%",
        ),
        (50, 0.9, "with so few discordant pairs, the coverage of 95% intervals is 84 to 96%"),
        (50, 0.1, "with so few concordant pairs, the coverage of 95% intervals is 84 to 96%"),
        (50, 0.8, None),
        (50, 1.0, None),
    ],
)
def test_few_rows_have_a_note_with_the_simulated_coverage(positives, area, note):
    # With 50 rows, an AUC of 0.9 corresponds to 5 discordant rows, and an AUC of 0.8 to 10.
    assert auc_coverage_note(PlacementVariances(area, positives, 1000, 0.05, 0.05)) == note
    assert auc_coverage_note(PlacementVariances(area, 1000, positives, 0.05, 0.05)) == note


def test_estimates_from_few_rows_have_a_coverage_note():
    evaluation = to.evaluate(actual=[0, 0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5, 6])

    assert "coverage of 95% intervals is 82 to 99%" in evaluation.auc.note
    assert "coverage of 95% intervals is 82 to 99%" in evaluation.summary("gini").note
    assert evaluation.summary("auc", method="delong").note is None


def test_many_rows_have_no_coverage_note():
    random = np.random.default_rng(1)
    actual = np.arange(200) < 60

    evaluation = to.evaluate(actual=actual, score=random.normal(actual.astype(float)))

    assert evaluation.auc.note is None


def test_hanley_and_mcneils_variance_by_hand():
    # Q1 = 0.8/1.2 and Q2 = 2·0.64/1.8 (equation 2 of the paper).
    q1, q2 = 0.8 / 1.2, 1.28 / 1.8
    expected = (0.8 * 0.2 + 49 * (q1 - 0.64) + 29 * (q2 - 0.64)) / 1500

    assert hanley_mcneil_variance(0.8, 50, 30) == pytest.approx(expected)


def test_the_bound_for_a_perfect_ranking_depends_on_the_smaller_class():
    perfect = auc_interval(build_ranking([9, 8, 7, 3, 2, 1, 0], [1, 1, 1, 0, 0, 0, 0]))
    inverted = auc_interval(build_ranking([9, 8, 7, 3, 2, 1, 0], [0, 0, 0, 0, 1, 1, 1]))

    assert (perfect.low, perfect.high) == (pytest.approx(0.025 ** (1 / 3)), 1.0)
    assert (inverted.low, inverted.high) == (0.0, pytest.approx(1 - 0.025 ** (1 / 3)))
    assert perfect.method == inverted.method == "exact-type bound"


@given(scored(scores=TIED, min_size=4))
def test_delongs_variance_equals_that_over_all_pairs_of_rows(rows):
    scores, positive, _ = rows
    assume(has_two_of_each_class(positive))
    (area,), ((variance,),) = delong([scores], positive)

    variances = placement_variances(build_ranking(scores, positive))

    assert variances.area == pytest.approx(area, abs=1e-12)
    assert variances.variance == pytest.approx(variance, abs=1e-12)


@given(
    scored(scores=TIED, min_size=4),
    st.randoms(use_true_random=False),
    st.sampled_from(AUC_METHODS),
)
def test_the_order_of_rows_does_not_matter(rows, random, method):
    scores, positive, _ = rows
    order = list(range(len(scores)))
    random.shuffle(order)

    shuffled = auc_interval(build_ranking(scores[order], positive[order]), method=method)

    np.testing.assert_equal(shuffled, auc_interval(build_ranking(scores, positive), method=method))


@given(scored(scores=TIED, min_size=4), st.sampled_from(AUC_METHODS))
def test_only_the_order_of_scores_matters(rows, method):
    scores, positive, _ = rows

    rescaled = auc_interval(build_ranking(np.exp(scores) - 3, positive), method=method)

    np.testing.assert_equal(rescaled, auc_interval(build_ranking(scores, positive), method=method))


@given(scored(scores=TIED, min_size=4), st.sampled_from(AUC_METHODS))
def test_low_scores_as_positive_equal_negated_scores(rows, method):
    scores, positive, _ = rows

    negated = auc_interval(build_ranking(-scores, positive, lower_is_positive=True), method=method)

    np.testing.assert_equal(negated, auc_interval(build_ranking(scores, positive), method=method))


@given(scored(scores=TIED, min_size=4), st.sampled_from(SYMMETRIC))
def test_negated_scores_mirror_the_interval(rows, method):
    scores, positive, _ = rows
    assume(has_two_of_each_class(positive) and len(np.unique(scores)) > 1)

    interval = auc_interval(build_ranking(scores, positive), method=method)
    mirrored = auc_interval(build_ranking(-scores, positive), method=method)

    assert (mirrored.low, mirrored.high) == pytest.approx(
        (1 - interval.high, 1 - interval.low), abs=1e-9
    )


@given(scored(scores=TIED, min_size=4), st.sampled_from(AUC_METHODS))
def test_integer_weights_equal_repeated_rows(rows, method):
    scores, positive, weights = rows
    has_weight = weights > 0
    weighted = build_ranking(scores[has_weight], positive[has_weight], weights[has_weight])

    repeated = build_ranking(*(np.repeat(column, weights) for column in (scores, positive)))

    np.testing.assert_equal(
        auc_interval(weighted, method=method), auc_interval(repeated, method=method)
    )


@given(scored(scores=TIED, min_size=4), st.sampled_from(AUC_METHODS), st.floats(0.5, 0.98))
def test_intervals_contain_the_auc_stay_in_0_to_1_and_widen_with_the_level(rows, method, level):
    scores, positive, _ = rows
    assume(has_two_of_each_class(positive) and len(np.unique(scores)) > 1)
    ranking = build_ranking(scores, positive)
    area = placement_variances(ranking).area

    narrow, wide = (
        auc_interval(ranking, confidence, method) for confidence in (level, (1 + level) / 2)
    )

    assert 0 <= wide.low <= narrow.low <= area + 1e-12
    assert area - 1e-12 <= narrow.high <= wide.high <= 1


@every_method
def test_a_class_with_one_row_has_no_interval(method):
    interval = auc_interval(build_ranking([3, 2, 1], [1, 0, 0]), method=method)

    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert interval.reason == "two rows of each class are needed"


@every_method
def test_an_empty_ranking_has_no_interval(method):
    interval = auc_interval(build_ranking([], []), method=method)

    assert math.isnan(interval.low)
    assert interval.reason == "two rows of each class are needed"


@every_method
def test_equal_scores_have_no_interval(method):
    interval = auc_interval(build_ranking([1, 1, 1, 1], [1, 0, 1, 0]), method=method)

    assert math.isnan(interval.low)
    assert interval.reason == "every row has the same score"


def test_a_single_class_has_no_auc_and_no_interval():
    estimate = to.evaluate(actual=["yes"] * 3, score=[1, 2, 3], positive="yes").auc

    assert not estimate.is_defined
    assert not estimate.has_interval
    assert "both classes are needed" in estimate.reason


@pytest.mark.parametrize("level", [0, 1, -0.2, 1.5, 95, math.nan])
def test_a_level_lies_between_0_and_1(level):
    with pytest.raises(InputError, match="A level must be between 0 and 1"):
        auc_interval(SIX_ROWS, level)


def test_a_level_in_percent_is_refused_with_the_fraction():
    with pytest.raises(InputError, match=r"not 99\.5 \(99\.5% is 0\.995\)"):
        critical_value(99.5)


def test_an_unknown_method_suggests_the_nearest_one():
    with pytest.raises(UnknownName, match=r"method 'delon'\. Did you mean 'delong'\?"):
        auc_interval(SIX_ROWS, method="delon")


@pytest.mark.parametrize(
    ("scale", "dtype"), [(10**4, np.int32), (10**7, np.int64), (10**12, np.int64)]
)
def test_the_variance_is_accurate_at_any_size(scale, dtype):
    # 5 million, 5 billion and 500 trillion rows with 1,000 distinct scores.
    random = np.random.default_rng(0)
    factors = np.linspace(1.2, 0.2, 1000)
    positives, negatives = (
        (random.integers(scale // 10, scale, 1000) * class_factors).astype(np.int64)
        for class_factors in (factors, factors[::-1])
    )
    area, variance = exact_delong(positives, negatives)

    variances = placement_variances(ranking_of_counts(positives, negatives, dtype))

    assert variances.area == pytest.approx(float(area), rel=1e-12)
    assert variances.variance == pytest.approx(float(variance), rel=1e-12)


def test_no_digits_are_lost_in_a_nearly_perfect_ranking_of_25_million_rows():
    positives, negatives = [5_000_000, 5, 0, 3], [0, 3, 2, 20_000_000]
    area, variance = exact_delong(positives, negatives)

    variances = placement_variances(ranking_of_counts(positives, negatives))

    assert 1 - variances.area == pytest.approx(float(1 - area), rel=1e-9)
    assert variances.variance == pytest.approx(float(variance), rel=1e-9)


def test_logit_limits_stay_in_0_to_1_with_a_large_variance():
    assert auc_logit_interval(0.999999, 0.24, 0.999999) == (0.0, 1.0)
