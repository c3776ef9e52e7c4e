"""Comparing models on the same rows: over all pairs of rows, by hand, by enumeration, by law."""

import math
from itertools import product

import numpy as np
import pytest
from brute_force import delong, obuchowski, pairs_won, two_models
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.stats.normal import below, quantile, simultaneous_reach

ACTUAL, SCORES = two_models()
FAIR = to.compare(actual=ACTUAL, score=SCORES)
THREE = to.compare(
    actual=ACTUAL, score={**SCORES, "c": np.round(SCORES["a"] + SCORES["b"], 1), "d": -SCORES["b"]}
)
SMALL = st.integers(0, 4).map(float)
ROWS = st.lists(st.tuples(st.booleans(), SMALL, SMALL, st.integers(0, 3)), min_size=5, max_size=25)


def columns(rows):
    positive, a, b, extra = (np.array(own) for own in zip(*rows, strict=True))
    assume(min(positive.sum(), (~positive).sum()) >= 2)
    return positive, a, b, extra


def ends(found):
    return found.low, found.high


@given(ROWS)
def test_the_covariance_is_that_of_all_pairs_of_rows(rows):
    positive, a, b, _ = columns(rows)
    values, covariance = delong([a, b], positive)

    own = to.compare(actual=positive, score={"a": a, "b": b}).areas

    assert own.values == pytest.approx(values, abs=1e-12)
    assert own.covariance == pytest.approx(covariance, abs=1e-12)
    assert own.method == "DeLong"


@given(ROWS)
def test_the_covariance_of_clusters_is_that_of_the_paper(rows):
    positive, a, b, clusters = columns(rows)
    assume(min(len(np.unique(clusters[side])) for side in (positive, ~positive)) >= 2)
    values, covariance = obuchowski([a, b], positive, clusters)

    own = to.compare(actual=positive, score={"a": a, "b": b}, cluster=clusters).areas

    assert own.values == pytest.approx(values, abs=1e-12)
    assert own.covariance == pytest.approx(covariance, abs=1e-12)
    assert own.method == "Obuchowski"


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_the_scale_of_scores_do_not_matter(rows, random):
    positive, a, b, _ = columns(rows)
    order = list(range(len(a)))
    random.shuffle(order)

    own = to.compare(actual=positive, score={"a": a, "b": b}).areas
    same = to.compare(
        actual=positive[order], score={"a": np.exp(a[order]), "b": 7 + b[order] ** 3}
    ).areas

    assert same.covariance == pytest.approx(own.covariance, abs=1e-12)


@settings(max_examples=25)
@given(ROWS)
def test_low_scores_that_are_positive_are_high_ones_negated(rows):
    positive, a, b, _ = columns(rows)
    own = to.compare(actual=positive, score={"a": a, "b": b})
    turned = to.compare(actual=positive, score={"a": -a, "b": -b}, lower_is_positive=True)

    assert turned.areas.covariance.tolist() == own.areas.covariance.tolist()
    for method in ("bootstrap", "permutation"):
        one, two = (
            c.difference("a", "b", "tpr", at=("threshold", at), method=method, replicates=20)
            for c, at in ((own, 2), (turned, -2))
        )
        np.testing.assert_equal(
            (two.value, two.low, two.high, two.p_value), (one.value, one.low, one.high, one.p_value)
        )


@given(ROWS)
def test_whole_weights_count_rows(rows):
    positive, a, b, weights = columns(rows)
    kept = weights > 0
    assume(min(weights[positive].sum(), weights[~positive].sum()) >= 2)

    weighted = to.compare(
        actual=positive[kept], score={"a": a[kept], "b": b[kept]}, weight=weights[kept]
    ).areas
    repeated = to.compare(
        actual=np.repeat(positive, weights),
        score={"a": np.repeat(a, weights), "b": np.repeat(b, weights)},
    ).areas

    assert weighted.covariance == pytest.approx(repeated.covariance, abs=1e-12)


def test_whole_weights_count_rows_in_draws():
    four = to.compare(actual=ACTUAL, score=SCORES, weight=np.full(len(ACTUAL), 4))
    repeated = to.compare(
        actual=np.repeat(ACTUAL, 4), score={n: np.repeat(own, 4) for n, own in SCORES.items()}
    )

    for metric in ("auc", "brier"):
        errors = [
            c.difference("a", "b", metric, method="bootstrap", replicates=600).standard_error
            for c in (four, repeated)
        ]
        assert errors[0] == pytest.approx(errors[1], rel=0.15)


@pytest.mark.parametrize(
    ("metric", "method"),
    [("auc", "delong"), ("auc", "bootstrap"), ("brier", "bootstrap"), ("brier", None)],
)
def test_swapping_the_models_turns_the_difference(metric, method):
    there = FAIR.difference("a", "b", metric, method=method, replicates=200)
    back = FAIR.difference("b", "a", metric, method=method, replicates=200)

    assert back.value == -there.value
    assert ends(back) == pytest.approx((-there.high, -there.low))
    assert back.statistic == pytest.approx(-there.statistic)
    assert back.p_value == pytest.approx(there.p_value)
    assert back.first_better == pytest.approx(1 - there.first_better)
    assert back.gain == -there.gain


def test_a_lower_brier_score_is_a_gain():
    found = FAIR.difference("a", "b", "brier", replicates=200)

    assert found.gain == -found.value == found.second_value - found.first_value
    assert (found.first_better > 0.5) == (found.gain > 0)


def test_draws_come_to_what_delong_finds():
    formula = FAIR.difference("a", "b")
    drawn = FAIR.difference("a", "b", method="bootstrap", replicates=1500)

    assert drawn.value == pytest.approx(formula.value)
    assert drawn.standard_error == pytest.approx(formula.standard_error, rel=0.08)
    assert ends(drawn) == pytest.approx(ends(formula), abs=0.012)
    assert drawn.first_better == pytest.approx(formula.first_better, abs=0.03)


def test_two_areas_are_equal_as_often_as_their_difference_is_none():
    z = FAIR.difference("a", "b").statistic
    found = FAIR.equal()

    assert (found.statistic, found.degrees) == (pytest.approx(z**2), 1)
    assert found.p_value == pytest.approx(FAIR.difference("a", "b").p_value)


def test_many_areas_are_compared_by_one_chi_squared_number():
    from scipy.special import chdtrc

    steps = np.array([[1, -1, 0, 0], [1, 0, -1, 0], [1, 0, 0, -1]])  # any basis will do
    values, covariance = delong(list(THREE.paired.scores.values()), ACTUAL)
    apart = steps @ values
    expected = apart @ np.linalg.solve(steps @ covariance @ steps.T, apart)

    found = THREE.equal()

    assert (found.statistic, found.degrees) == (pytest.approx(expected), 3)
    assert found.p_value == pytest.approx(float(chdtrc(3, expected)))


def test_a_contrast_is_a_weighted_sum():
    weights = {"c": 1, "a": -0.5, "b": -0.5}
    own = np.array([-0.5, -0.5, 1, 0])
    values, covariance = delong(list(THREE.paired.scores.values()), ACTUAL)

    found = THREE.contrast(weights)

    assert found.value == pytest.approx(own @ values)
    assert found.standard_error == pytest.approx(math.sqrt(own @ covariance @ own))
    assert (found.first, found.second) == ("c", "(0.5 a + 0.5 b)")
    assert ends(THREE.contrast({"a": 1, "b": -1})) == pytest.approx(
        ends(THREE.difference("a", "b"))
    )


def test_weights_of_a_contrast_are_numbers():
    with pytest.raises(InputError, match="number, not 'much'"):
        THREE.contrast({"a": "much", "b": -1})


def test_all_pairs_are_adjusted_together():
    found = THREE.differences()
    p_values = sorted(one.p_value for one in found)
    expected = np.maximum.accumulate([p * (6 - i) for i, p in enumerate(p_values)]).clip(max=1)

    assert [(one.first, one.second) for one in found][:3] == [("a", "b"), ("a", "c"), ("a", "d")]
    assert sorted(one.adjusted for one in found) == pytest.approx(expected.tolist())


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_intervals_that_hold_together_are_wider_but_not_as_wide_as_bonferronis(method):
    plain = THREE.differences(method=method, replicates=400)
    together = THREE.differences(method=method, replicates=400, simultaneous=True)

    for one, wide in zip(plain, together, strict=True):
        reach = (wide.high - wide.low) / 2 / one.standard_error
        assert quantile(0.95) < reach < quantile(1 - 0.05 / 6) + 0.1
        assert "simultaneous" in wide.method


def test_independent_intervals_hold_together_as_sidak_says():
    found = simultaneous_reach(np.diag([1.0, 4.0, 9.0]), 0.9)

    assert found == pytest.approx(quantile(0.9 ** (1 / 3)), abs=0.02)
    assert simultaneous_reach(np.ones((3, 3)), 0.9) == pytest.approx(quantile(0.9), abs=0.02)


@pytest.mark.parametrize("margin", [0.02, 0.2])
def test_margins_by_hand(margin):
    found = FAIR.difference("a", "b")
    worse, same = FAIR.not_worse("b", "a", margin), FAIR.equivalent("a", "b", margin)

    error = found.standard_error
    assert worse.p_value == pytest.approx(below((found.value - margin) / error))
    assert same.p_value == pytest.approx(below((abs(found.value) - margin) / error))
    # The two one-sided tests at 5 % are the 90 % interval staying inside the margin.
    inside = FAIR.difference("a", "b", level=0.9)
    assert same.shown == (-margin < inside.low and inside.high < margin)


def test_a_margin_is_above_0():
    for ask in (FAIR.not_worse, FAIR.equivalent):
        with pytest.raises(InputError, match=r"A margin is above 0, not -0\.1"):
            ask("a", "b", -0.1)


def test_exchanges_come_to_what_all_of_them_would():
    # Nine rows: 512 ways to exchange ranks, of which 4,000 are drawn.
    positive = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0], bool)
    a, b = np.array([9, 8, 7, 3, 6, 5, 4, 2, 1.0]), np.array([9, 2, 5, 6, 8, 7, 3, 4, 1.0])
    found = to.compare(actual=positive, score={"a": a, "b": b}).difference(
        "a", "b", method="permutation", replicates=4000
    )

    def area(scores):
        return pairs_won(scores, positive).mean()

    apart = []
    for swap in product([False, True], repeat=9):
        one, two = np.where(swap, [b, a], [a, b])
        apart.append(abs(area(one) - area(two)))
    expected = np.mean(np.array(apart) >= abs(area(a) - area(b)) - 1e-12)

    assert found.value == pytest.approx(area(a) - area(b))
    assert found.p_value == pytest.approx(expected, abs=0.03)


def test_exchanges_of_decisions_come_to_what_all_of_them_would():
    # Two models that disagree on 8 of 20 rows, all positive: 7 times for the first.
    a = np.concatenate([np.ones(15), np.zeros(5)])
    b = a.copy()
    b[:7], b[19] = 0, 1
    positive = np.arange(20) >= 0
    positive[10:15] = False
    found = to.compare(actual=positive, score={"a": a, "b": b}).difference(
        "a", "b", "tpr", at=("threshold", 0.5), method="permutation", replicates=4000
    )

    assert found.value == pytest.approx(6 / 15)
    assert found.p_value == pytest.approx(18 / 256, abs=0.02)  # 0, 1, 7 or 8 of 8 tosses


def test_models_that_rank_alike_do_not_differ():
    c = to.compare(actual=ACTUAL, score={"a": SCORES["a"], "b": np.exp(SCORES["a"])})

    for method in ("delong", "bootstrap", "permutation"):
        found = c.difference("a", "b", method=method, replicates=50)
        assert found.value == 0
        assert not found.p_value < 1
    assert c.venkatraman("a", "b", replicates=50).p_value == 1
    assert c.venkatraman("a", "b", replicates=50).statistic == 0


def test_venkatramans_statistic_by_hand():
    # Positives less negatives up to each rank: 1 0 1 0 and -1 0 1 0.
    c = to.compare(actual=[1, 0, 1, 0], score={"a": [1, 2, 3, 4], "b": [2, 1, 3, 4]})

    assert c.venkatraman("a", "b", replicates=10).statistic == 2


def test_venkatramans_statistic_does_not_depend_on_the_order_of_tied_rows():
    order = np.random.default_rng(0).permutation(len(ACTUAL))
    again = to.compare(
        actual=ACTUAL[order], score={name: own[order] for name, own in SCORES.items()}
    )

    assert again.venkatraman("a", "b", replicates=10).statistic == pytest.approx(
        FAIR.venkatraman("a", "b", replicates=10).statistic
    )


@pytest.mark.parametrize(
    "options",
    [{"weight": np.arange(1, len(ACTUAL) + 1)}, {"cluster": np.arange(len(ACTUAL)) // 2}],
    ids=["weights", "clusters"],
)
def test_venkatramans_test_needs_independent_rows_that_count_once(options):
    with pytest.raises(InputError, match=r"count once|independent"):
        to.compare(actual=ACTUAL, score=SCORES, **options).venkatraman("a", "b")


def test_venkatramans_test_needs_both_classes():
    one_class = to.compare(actual=["y"] * 3, positive="y", score={"a": [1, 2, 3], "b": [3, 2, 1]})

    with pytest.raises(InputError, match="both classes"):
        one_class.venkatraman("a", "b")


def test_unknown_models_and_ways_are_told():
    named = to.compare(actual=ACTUAL, score={"forest": SCORES["a"], "logistic": SCORES["b"]})

    with pytest.raises(UnknownName, match=r"called 'forrest'\. Did you mean 'forest'\?"):
        named.difference("forrest", "logistic")
    with pytest.raises(UnknownName, match=r"called 'delon'\. Did you mean 'delong'\?"):
        named.difference("forest", "logistic", method="delon")
    with pytest.raises(InputError, match="DeLong's test compares areas, not brier"):
        named.difference("forest", "logistic", "brier", method="delong")
