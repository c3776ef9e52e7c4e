"""Comparing models on different rows: variances add, degrees are Welch's, the bootstrap agrees."""

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


def interval_limits(difference):
    return difference.low, difference.high


def ranked(scores, positive, **options):
    return to.Ranking.of(np.asarray(scores, float), np.asarray(positive, bool), **options)


def test_variances_add_and_degrees_are_welchs():
    from scipy.special import stdtr, stdtrit

    estimates = [delong([scores["a"]], actual) for actual, scores in ROWS]
    expected = float(estimates[0][0][0] - estimates[1][0][0])
    variances = [float(covariance[0, 0]) for _, covariance in estimates]
    degrees = sum(variances) ** 2 / (variances[0] ** 2 / 89 + variances[1] ** 2 / 69)
    standard_error = math.sqrt(sum(variances))

    difference = to.difference(FIRST, SECOND)

    assert (difference.value, difference.standard_error) == pytest.approx(
        (expected, standard_error)
    )
    assert difference.degrees == pytest.approx(degrees)
    assert difference.p_value == pytest.approx(2 * stdtr(degrees, -abs(expected) / standard_error))
    half_width = stdtrit(degrees, 0.975) * standard_error
    assert interval_limits(difference) == pytest.approx(
        (expected - half_width, expected + half_width)
    )


def test_swapping_the_rankings_negates_the_difference():
    difference, swapped = to.difference(FIRST, SECOND), to.difference(SECOND, FIRST)

    assert swapped.value == pytest.approx(-difference.value)
    assert interval_limits(swapped) == pytest.approx((-difference.high, -difference.low))
    assert swapped.first_better == pytest.approx(1 - difference.first_better)


def test_the_bootstrap_agrees_with_the_formula():
    bootstrapped = to.difference(
        FIRST, SECOND, confidence=Confidence(method="bootstrap", replicates=2000)
    )
    formula = to.difference(FIRST, SECOND)

    assert bootstrapped.value == formula.value
    assert bootstrapped.standard_error == pytest.approx(formula.standard_error, rel=0.06)
    assert interval_limits(bootstrapped) == pytest.approx(interval_limits(formula), abs=0.02)


def test_any_metric_may_be_compared():
    for metric, options in (
        ("brier", {}),
        ("tpr", {"at": ("threshold", 0.5)}),
        ("tpr", {"at": ("fpr", 0.2)}),
        ("cost", {"costs": to.Costs(false_negative=4)}),
    ):
        difference = to.difference(
            FIRST, SECOND, metric, confidence=Confidence(replicates=100), **options
        )
        assert difference.low < difference.value < difference.high
        assert difference.first_better > 0.5 or difference.gain <= 0


def test_a_ranking_does_not_differ_from_itself():
    difference = to.difference(FIRST, FIRST)

    assert (difference.value, difference.p_value, difference.first_better) == (0, 1, 0.5)
    assert difference.low == pytest.approx(-difference.high)


def test_the_two_rankings_are_resampled_independently():
    # With the same resamples for both, the difference would have no variance.
    difference = to.difference(FIRST, FIRST, "ks", confidence=Confidence(replicates=200))

    assert difference.high - difference.low > 0.1


def test_the_same_seed_gives_the_same_interval():
    def seeded_limits(seed):
        return interval_limits(
            to.difference(FIRST, SECOND, "ks", confidence=Confidence(seed=seed, replicates=100))
        )

    assert seeded_limits(1) == seeded_limits(1)
    assert seeded_limits(1) != seeded_limits(2)


@pytest.mark.parametrize("metric", ["auc", "ks"])
def test_one_row_in_a_class_has_a_difference_but_no_interval(metric):
    difference = to.difference(
        ranked([3, 2, 1], [1, 0, 0]), SECOND, metric, confidence=Confidence(replicates=50)
    )

    assert difference.is_defined
    assert not difference.low > -math.inf
    assert "two rows of each class" in difference.note


@pytest.mark.parametrize("metric", ["auc", "ks"])
def test_one_class_is_undefined_with_a_reason(metric):
    difference = to.difference(ranked([3, 2, 1], [1, 1, 1]), SECOND, metric)

    assert not difference.is_defined
    assert "class" in difference.reason


def test_aucs_without_variance_have_no_interval_and_a_note():
    perfect = ranked([4, 3, 2, 1], [1, 1, 0, 0])

    difference = to.difference(perfect, perfect)

    assert difference.value == 0
    assert math.isnan(difference.low)
    assert difference.note == "no interval: the AUCs have no variance"
