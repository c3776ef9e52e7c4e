"""Comparing models on the same rows: brute force, hand-worked cases, enumeration and laws."""

import math
from itertools import product

import numpy as np
import pytest
from brute_force import delong, obuchowski, pairs_won, two_models
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.stats.normal import critical_value, normal_cdf
from tradeoff.stats.simultaneous import simultaneous_critical_value

ACTUAL, SCORES = two_models()
TWO_MODELS = to.compare(actual=ACTUAL, score=SCORES)
FOUR_MODELS = to.compare(
    actual=ACTUAL, score={**SCORES, "c": np.round(SCORES["a"] + SCORES["b"], 1), "d": -SCORES["b"]}
)
SMALL = st.integers(0, 4).map(float)
ROWS = st.lists(st.tuples(st.booleans(), SMALL, SMALL, st.integers(0, 3)), min_size=5, max_size=25)


def columns(rows):
    positive, a, b, extra = (np.array(column) for column in zip(*rows, strict=True))
    assume(min(positive.sum(), (~positive).sum()) >= 2)
    return positive, a, b, extra


def interval_limits(difference):
    return difference.low, difference.high


@given(ROWS)
def test_the_delong_covariance_agrees_with_brute_force_over_all_pairs(rows):
    positive, a, b, _ = columns(rows)
    values, covariance = delong([a, b], positive)

    areas = to.compare(actual=positive, score={"a": a, "b": b}).areas

    assert areas.values == pytest.approx(values, abs=1e-12)
    assert areas.covariance == pytest.approx(covariance, abs=1e-12)
    assert areas.method == "DeLong"


@given(ROWS)
def test_the_clustered_covariance_agrees_with_obuchowskis_formula(rows):
    positive, a, b, clusters = columns(rows)
    assume(min(len(np.unique(clusters[side])) for side in (positive, ~positive)) >= 2)
    values, covariance = obuchowski([a, b], positive, clusters)

    areas = to.compare(actual=positive, score={"a": a, "b": b}, cluster=clusters).areas

    assert areas.values == pytest.approx(values, abs=1e-12)
    assert areas.covariance == pytest.approx(covariance, abs=1e-12)
    assert areas.method == "Obuchowski"


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_the_scale_of_scores_do_not_matter(rows, random):
    positive, a, b, _ = columns(rows)
    order = list(range(len(a)))
    random.shuffle(order)

    areas = to.compare(actual=positive, score={"a": a, "b": b}).areas
    transformed = to.compare(
        actual=positive[order], score={"a": np.exp(a[order]), "b": 7 + b[order] ** 3}
    ).areas

    assert transformed.covariance == pytest.approx(areas.covariance, abs=1e-12)


@settings(max_examples=15)
@given(ROWS)
def test_lower_is_positive_equals_negated_scores(rows):
    positive, a, b, _ = columns(rows)
    original = to.compare(actual=positive, score={"a": a, "b": b})
    negated = to.compare(actual=positive, score={"a": -a, "b": -b}, lower_is_positive=True)

    assert negated.areas.covariance.tolist() == original.areas.covariance.tolist()
    for method in ("bootstrap", "permutation"):
        first, second = (
            c.difference("a", "b", "tpr", at=("threshold", at), method=method, replicates=20)
            for c, at in ((original, 2), (negated, -2))
        )
        np.testing.assert_equal(
            (second.value, second.low, second.high, second.p_value),
            (first.value, first.low, first.high, first.p_value),
        )


@given(ROWS)
def test_integer_weights_equal_repeated_rows(rows):
    positive, a, b, weights = columns(rows)
    has_weight = weights > 0
    assume(min(weights[positive].sum(), weights[~positive].sum()) >= 2)

    weighted = to.compare(
        actual=positive[has_weight],
        score={"a": a[has_weight], "b": b[has_weight]},
        weight=weights[has_weight],
    ).areas
    repeated = to.compare(
        actual=np.repeat(positive, weights),
        score={"a": np.repeat(a, weights), "b": np.repeat(b, weights)},
    ).areas

    assert weighted.covariance == pytest.approx(repeated.covariance, abs=1e-12)


def test_integer_weights_equal_repeated_rows_in_the_bootstrap():
    weighted = to.compare(actual=ACTUAL, score=SCORES, weight=np.full(len(ACTUAL), 4))
    repeated = to.compare(
        actual=np.repeat(ACTUAL, 4), score={n: np.repeat(scores, 4) for n, scores in SCORES.items()}
    )

    for metric in ("auc", "brier"):
        standard_errors = [
            c.difference("a", "b", metric, method="bootstrap", replicates=600).standard_error
            for c in (weighted, repeated)
        ]
        assert standard_errors[0] == pytest.approx(standard_errors[1], rel=0.15)


@pytest.mark.parametrize(
    ("metric", "method"),
    [("auc", "delong"), ("auc", "bootstrap"), ("brier", "bootstrap"), ("brier", None)],
)
def test_swapping_the_models_negates_the_difference(metric, method):
    difference = TWO_MODELS.difference("a", "b", metric, method=method, replicates=200)
    swapped = TWO_MODELS.difference("b", "a", metric, method=method, replicates=200)

    assert swapped.value == -difference.value
    assert interval_limits(swapped) == pytest.approx((-difference.high, -difference.low))
    assert swapped.statistic == pytest.approx(-difference.statistic)
    assert swapped.p_value == pytest.approx(difference.p_value)
    assert swapped.first_better == pytest.approx(1 - difference.first_better)
    assert swapped.gain == -difference.gain


def test_a_lower_brier_score_is_a_gain():
    difference = TWO_MODELS.difference("a", "b", "brier", replicates=200)

    assert difference.gain == -difference.value == difference.second_value - difference.first_value
    assert (difference.first_better > 0.5) == (difference.gain > 0)


def test_the_bootstrap_agrees_with_delong():
    formula = TWO_MODELS.difference("a", "b")
    bootstrapped = TWO_MODELS.difference("a", "b", method="bootstrap", replicates=1500)

    assert bootstrapped.value == pytest.approx(formula.value)
    assert bootstrapped.standard_error == pytest.approx(formula.standard_error, rel=0.08)
    assert interval_limits(bootstrapped) == pytest.approx(interval_limits(formula), abs=0.012)
    assert bootstrapped.first_better == pytest.approx(formula.first_better, abs=0.03)


def test_the_equality_test_of_two_aucs_is_the_test_of_their_difference():
    z = TWO_MODELS.difference("a", "b").statistic
    test = TWO_MODELS.equality_test()

    assert (test.statistic, test.degrees) == (pytest.approx(z**2), 1)
    assert test.p_value == pytest.approx(TWO_MODELS.difference("a", "b").p_value)


def test_several_aucs_are_compared_by_one_chi_squared_statistic():
    from scipy.special import chdtrc

    contrasts = np.array([[1, -1, 0, 0], [1, 0, -1, 0], [1, 0, 0, -1]])  # any basis will do
    values, covariance = delong(list(FOUR_MODELS.paired.scores.values()), ACTUAL)
    differences = contrasts @ values
    expected = differences @ np.linalg.solve(contrasts @ covariance @ contrasts.T, differences)

    test = FOUR_MODELS.equality_test()

    assert (test.statistic, test.degrees) == (pytest.approx(expected), 3)
    assert test.p_value == pytest.approx(float(chdtrc(3, expected)))


def test_a_contrast_is_a_weighted_sum():
    weights = {"c": 1, "a": -0.5, "b": -0.5}
    vector = np.array([-0.5, -0.5, 1, 0])
    values, covariance = delong(list(FOUR_MODELS.paired.scores.values()), ACTUAL)

    contrast = FOUR_MODELS.contrast(weights)

    assert contrast.value == pytest.approx(vector @ values)
    assert contrast.standard_error == pytest.approx(math.sqrt(vector @ covariance @ vector))
    assert (contrast.first, contrast.second) == ("c", "(0.5 a + 0.5 b)")
    assert interval_limits(FOUR_MODELS.contrast({"a": 1, "b": -1})) == pytest.approx(
        interval_limits(FOUR_MODELS.difference("a", "b"))
    )


def test_weights_of_a_contrast_must_be_numbers():
    with pytest.raises(InputError, match="number, not 'much'"):
        FOUR_MODELS.contrast({"a": "much", "b": -1})


def test_p_values_of_all_pairs_are_adjusted_by_holm():
    differences = FOUR_MODELS.differences()
    p_values = sorted(difference.p_value for difference in differences)
    expected = np.maximum.accumulate([p * (6 - i) for i, p in enumerate(p_values)]).clip(max=1)

    assert [(difference.first, difference.second) for difference in differences][:3] == [
        ("a", "b"),
        ("a", "c"),
        ("a", "d"),
    ]
    assert sorted(difference.adjusted for difference in differences) == pytest.approx(
        expected.tolist()
    )


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_simultaneous_intervals_are_wider_than_single_ones_but_narrower_than_bonferronis(method):
    plain = FOUR_MODELS.differences(method=method, replicates=400)
    simultaneous = FOUR_MODELS.differences(method=method, replicates=400, simultaneous=True)

    for single, joint in zip(plain, simultaneous, strict=True):
        critical = (joint.high - joint.low) / 2 / single.standard_error
        assert critical_value(0.95) < critical < critical_value(1 - 0.05 / 6) + 0.1
        assert "simultaneous" in joint.method


def test_the_simultaneous_critical_value_of_independent_estimates_is_sidaks():
    critical = simultaneous_critical_value(np.diag([1.0, 4.0, 9.0]), 0.9)

    assert critical == pytest.approx(critical_value(0.9 ** (1 / 3)), abs=0.02)
    assert simultaneous_critical_value(np.ones((3, 3)), 0.9) == pytest.approx(
        critical_value(0.9), abs=0.02
    )


@pytest.mark.parametrize("margin", [0.02, 0.2])
def test_non_inferiority_and_equivalence_worked_by_hand(margin):
    difference = TWO_MODELS.difference("a", "b")
    non_inferiority, equivalence = (
        TWO_MODELS.not_worse("b", "a", margin),
        TWO_MODELS.equivalent("a", "b", margin),
    )

    standard_error = difference.standard_error
    assert non_inferiority.p_value == pytest.approx(
        normal_cdf((difference.value - margin) / standard_error)
    )
    assert equivalence.p_value == pytest.approx(
        normal_cdf((abs(difference.value) - margin) / standard_error)
    )
    # The two one-sided tests at 5% are the 90% interval staying inside the margin.
    interval = TWO_MODELS.difference("a", "b", level=0.9)
    assert equivalence.shown == (-margin < interval.low and interval.high < margin)


def test_a_margin_must_be_above_0():
    for claim in (TWO_MODELS.not_worse, TWO_MODELS.equivalent):
        with pytest.raises(InputError, match=r"margin must be above 0, not -0\.1"):
            claim("a", "b", -0.1)


def test_the_permutation_p_value_agrees_with_all_permutations():
    # Nine rows: 512 permutations, sampled 4,000 times.
    positive = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0], bool)
    a, b = np.array([9, 8, 7, 3, 6, 5, 4, 2, 1.0]), np.array([9, 2, 5, 6, 8, 7, 3, 4, 1.0])
    difference = to.compare(actual=positive, score={"a": a, "b": b}).difference(
        "a", "b", method="permutation", replicates=4000
    )

    def area(scores):
        return pairs_won(scores, positive).mean()

    differences = []
    for swap in product([False, True], repeat=9):
        first, second = np.where(swap, [b, a], [a, b])
        differences.append(abs(area(first) - area(second)))
    expected = np.mean(np.array(differences) >= abs(area(a) - area(b)) - 1e-12)

    assert difference.value == pytest.approx(area(a) - area(b))
    assert difference.p_value == pytest.approx(expected, abs=0.03)


def test_the_permutation_p_value_of_a_rate_agrees_with_the_binomial_one():
    # Two models that disagree on 8 of 20 rows, all positive: 7 times for the first.
    a = np.concatenate([np.ones(15), np.zeros(5)])
    b = a.copy()
    b[:7], b[19] = 0, 1
    positive = np.arange(20) >= 0
    positive[10:15] = False
    difference = to.compare(actual=positive, score={"a": a, "b": b}).difference(
        "a", "b", "tpr", at=("threshold", 0.5), method="permutation", replicates=4000
    )

    assert difference.value == pytest.approx(6 / 15)
    assert difference.p_value == pytest.approx(18 / 256, abs=0.02)  # 0, 1, 7 or 8 of 8 tosses


def test_models_that_rank_alike_do_not_differ():
    c = to.compare(actual=ACTUAL, score={"a": SCORES["a"], "b": np.exp(SCORES["a"])})

    for method in ("delong", "bootstrap", "permutation"):
        difference = c.difference("a", "b", method=method, replicates=50)
        assert difference.value == 0
        assert not difference.p_value < 1
    assert c.venkatraman("a", "b", replicates=50).p_value == 1
    assert c.venkatraman("a", "b", replicates=50).statistic == 0


def test_venkatramans_statistic_by_hand():
    # Positives less negatives up to each rank: 1 0 1 0 and -1 0 1 0.
    c = to.compare(actual=[1, 0, 1, 0], score={"a": [1, 2, 3, 4], "b": [2, 1, 3, 4]})

    assert c.venkatraman("a", "b", replicates=10).statistic == 2


def test_venkatramans_statistic_does_not_depend_on_the_order_of_tied_rows():
    order = np.random.default_rng(0).permutation(len(ACTUAL))
    shuffled = to.compare(
        actual=ACTUAL[order], score={name: scores[order] for name, scores in SCORES.items()}
    )

    assert shuffled.venkatraman("a", "b", replicates=10).statistic == pytest.approx(
        TWO_MODELS.venkatraman("a", "b", replicates=10).statistic
    )


@pytest.mark.parametrize(
    "options",
    [{"weight": np.arange(1, len(ACTUAL) + 1)}, {"cluster": np.arange(len(ACTUAL)) // 2}],
    ids=["weights", "clusters"],
)
def test_venkatramans_test_refuses_weights_and_clusters(options):
    with pytest.raises(InputError, match=r"weights|independent"):
        to.compare(actual=ACTUAL, score=SCORES, **options).venkatraman("a", "b")


def test_venkatramans_test_needs_both_classes():
    one_class = to.compare(actual=["y"] * 3, positive="y", score={"a": [1, 2, 3], "b": [3, 2, 1]})

    with pytest.raises(InputError, match="both classes"):
        one_class.venkatraman("a", "b")


def test_unknown_models_and_methods_are_refused_with_a_suggestion():
    named = to.compare(actual=ACTUAL, score={"forest": SCORES["a"], "logistic": SCORES["b"]})

    with pytest.raises(UnknownName, match=r"called 'forrest'\. Did you mean 'forest'\?"):
        named.difference("forrest", "logistic")
    with pytest.raises(UnknownName, match=r"comparison method 'delon'\. Did you mean 'delong'\?"):
        named.difference("forest", "logistic", method="delon")
    with pytest.raises(InputError, match="DeLong's test compares AUCs, not brier"):
        named.difference("forest", "logistic", "brier", method="delong")
