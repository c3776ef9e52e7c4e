"""Comparing models on different rows: variances add, degrees are Welch's, draws agree."""

import math

import numpy as np
import pytest
from brute_force import delong, two_models

import tradeoff as to
from tradeoff.uncertainty.confidence import Confidence

ROWS = [two_models(90, seed=3), two_models(70, 0.5, seed=4)]
FIRST, SECOND = (
    to.Ranking.of(scores["a"], actual, name=name)
    for name, (actual, scores) in zip(("first", "second"), ROWS, strict=True)
)


def ends(found):
    return found.low, found.high


def ranked(scores, positive, **options):
    return to.Ranking.of(np.asarray(scores, float), np.asarray(positive, bool), **options)


def test_variances_add_and_degrees_are_welchs():
    from scipy.special import stdtr, stdtrit

    parts = [delong([scores["a"]], actual) for actual, scores in ROWS]
    apart = float(parts[0][0][0] - parts[1][0][0])
    own = [float(covariance[0, 0]) for _, covariance in parts]
    degrees = sum(own) ** 2 / (own[0] ** 2 / 89 + own[1] ** 2 / 69)
    error = math.sqrt(sum(own))

    found = to.difference(FIRST, SECOND)

    assert (found.value, found.standard_error) == pytest.approx((apart, error))
    assert found.degrees == pytest.approx(degrees)
    assert found.p_value == pytest.approx(2 * stdtr(degrees, -abs(apart) / error))
    half = stdtrit(degrees, 0.975) * error
    assert ends(found) == pytest.approx((apart - half, apart + half))


def test_swapping_the_rankings_turns_the_difference():
    there, back = to.difference(FIRST, SECOND), to.difference(SECOND, FIRST)

    assert back.value == pytest.approx(-there.value)
    assert ends(back) == pytest.approx((-there.high, -there.low))
    assert back.first_better == pytest.approx(1 - there.first_better)


def test_draws_come_to_what_the_formula_finds():
    drawn = to.difference(FIRST, SECOND, confidence=Confidence(method="bootstrap", replicates=2000))
    formula = to.difference(FIRST, SECOND)

    assert drawn.value == formula.value
    assert drawn.standard_error == pytest.approx(formula.standard_error, rel=0.06)
    assert ends(drawn) == pytest.approx(ends(formula), abs=0.02)


def test_any_number_may_be_compared():
    for metric, asked in (
        ("brier", {}),
        ("tpr", {"at": ("threshold", 0.5)}),
        ("tpr", {"at": ("fpr", 0.2)}),
        ("cost", {"costs": to.Costs(false_negative=4)}),
    ):
        found = to.difference(FIRST, SECOND, metric, confidence=Confidence(replicates=100), **asked)
        assert found.low < found.value < found.high
        assert found.first_better > 0.5 or found.gain <= 0


def test_a_ranking_does_not_differ_from_itself():
    found = to.difference(FIRST, FIRST)

    assert (found.value, found.p_value, found.first_better) == (0, 1, 0.5)
    assert found.low == pytest.approx(-found.high)


def test_the_draws_of_the_second_do_not_follow_the_first():
    # Followed draws would cancel out: the difference would seem certain.
    found = to.difference(FIRST, FIRST, "ks", confidence=Confidence(replicates=200))

    assert found.high - found.low > 0.1


def test_the_same_seed_gives_the_same_answer():
    def ask(seed):
        return ends(
            to.difference(FIRST, SECOND, "ks", confidence=Confidence(seed=seed, replicates=100))
        )

    assert ask(1) == ask(1)
    assert ask(1) != ask(2)


@pytest.mark.parametrize("metric", ["auc", "ks"])
def test_one_row_in_a_class_has_a_difference_but_no_interval(metric):
    found = to.difference(
        ranked([3, 2, 1], [1, 0, 0]), SECOND, metric, confidence=Confidence(replicates=50)
    )

    assert found.is_defined
    assert not found.low > -math.inf
    assert "two rows of each class" in found.note


@pytest.mark.parametrize("metric", ["auc", "ks"])
def test_one_class_is_undefined_with_a_reason(metric):
    found = to.difference(ranked([3, 2, 1], [1, 1, 1]), SECOND, metric)

    assert not found.is_defined
    assert "class" in found.reason


def test_areas_that_do_not_vary_are_told():
    perfect = ranked([4, 3, 2, 1], [1, 1, 0, 0])

    found = to.difference(perfect, perfect)

    assert found.value == 0
    assert math.isnan(found.low)
    assert found.note == "no interval: the areas do not vary"
