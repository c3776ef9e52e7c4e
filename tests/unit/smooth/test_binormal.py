"""Binormal ROC curves: worked by hand, and against brute force, pROC and simulation."""

import math

import numpy as np
import pytest
from golden.reference import document, table
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from smooth_cases import SIXTY, binormal_sample, every_marker, marker_ranking, ranked
from strategies import scored

from tradeoff.measures.registry import Undefined
from tradeoff.smooth import binormal
from tradeoff.smooth.binormal import Binormal, fit_binormal, score_categories
from tradeoff.smooth.curve import smooth_roc
from tradeoff.stats.normal import bivariate_normal_cdf

# The binormal model


def test_the_binormal_area_curve_and_inverse_worked_by_hand():
    model = Binormal(a=1.5, b=0.75)

    assert model.area == pytest.approx(float(ndtr(1.5 / 1.25)), rel=1e-14)
    assert model.tpr(0.5) == pytest.approx(float(ndtr(1.5)), rel=1e-14)
    assert model.fpr(0.5) == pytest.approx(float(ndtr(-2.0)), rel=1e-14)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.3, 4.0), (-0.7, 0.2), (2.0, 0.6)])
def test_partial_areas_of_the_binormal_model_are_integrals(a, b):
    model = Binormal(a, b)
    quantiles = np.linspace(ndtri(0.1), ndtri(0.35), 20_001)
    heights = ndtr(a + b * quantiles) * np.exp(-(quantiles**2) / 2) / math.sqrt(2 * math.pi)

    assert model.area_between(0.1, 0.35) == pytest.approx(
        np.trapezoid(heights, quantiles), abs=1e-9
    )
    assert model.area_between(0, 1) == model.area
    parts = model.area_between(0, 0.2) + model.area_between(0.2, 1)
    assert parts == pytest.approx(model.area, abs=1e-14)


def test_the_bivariate_normal_cdf_worked_by_hand():
    # Quadrants: 1/4 + asin(r) / 2π. Without correlation, a product.
    assert bivariate_normal_cdf(np.zeros(()), np.zeros(()), 0.5) == pytest.approx(1 / 3, rel=1e-14)
    assert bivariate_normal_cdf(np.array(0.3), np.array(-1.2), 0.0) == pytest.approx(
        float(ndtr(0.3) * ndtr(-1.2)), rel=1e-12
    )
    # Otherwise, integrate the conditional probability of the second variable over the first.
    x = np.linspace(-9, 0, 20_001)
    integrand = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) * ndtr((1.0 + 0.6 * x) / 0.8)
    assert bivariate_normal_cdf(np.array(0.0), np.array(1.0), -0.6) == pytest.approx(
        np.trapezoid(integrand, x), abs=1e-8
    )


def test_adjacent_scores_of_one_class_form_one_category():
    positives, negatives = score_categories(
        ranked([9, 8, 7, 6, 6, 5, 4, 3], [1, 1, 0, 1, 0, 0, 0, 1])
    )

    assert positives.tolist() == [2, 0, 1, 0, 1]
    assert negatives.tolist() == [0, 1, 1, 2, 0]


def test_many_scores_become_categories_of_similar_size_without_splitting_ties():
    score, positive = binormal_sample(1.0, 1.0, 3000, 9000, seed=1)
    score = score.round(2)
    positives, negatives = score_categories(ranked(score, positive), max_categories=40)
    sizes = (positives / positives.sum() + negatives / negatives.sum()) / 2

    assert (positives.sum(), negatives.sum()) == (3000, 9000)
    assert 35 <= len(positives) <= 40
    assert sizes.max() < 2.2 / 40
    thresholds = np.unique(score)[::-1]
    at_or_above = {int((score >= s).sum()) for s in thresholds}
    assert set(np.cumsum(positives + negatives).astype(int).tolist()) <= at_or_above


def test_three_categories_are_fitted_exactly():
    # Two cut points and two parameters fit four rates: the model passes through both points.
    tpr, fpr = np.array([0.5, 0.8]), np.array([0.1, 0.4])
    score = np.repeat([3.0, 2.0, 1.0] * 2, [50, 30, 20, 10, 30, 60])
    model = fit_binormal(ranked(score, np.arange(200) < 100))

    b = (ndtri(0.8) - ndtri(0.5)) / (ndtri(0.4) - ndtri(0.1))
    assert model.b == pytest.approx(b, rel=1e-9)
    assert model.a == pytest.approx(-b * ndtri(0.1), rel=1e-9)
    assert model.tpr(fpr) == pytest.approx(tpr, rel=1e-9)


@pytest.mark.parametrize(("a", "b"), [(1.5, 0.7), (0.5, 1.6), (-0.4, 1.0)])
def test_maximum_likelihood_recovers_the_simulated_parameters(a, b):
    model = fit_binormal(ranked(*binormal_sample(a, b, 60_000, 60_000, seed=2)))
    errors = np.sqrt(np.diag(model.covariance))

    assert errors.max() < 0.015
    assert abs(model.a - a) < 3 * errors[0]
    assert abs(model.b - b) < 3 * errors[1]


def test_the_gradient_is_zero_at_the_maximum_and_matches_finite_differences(monkeypatch):
    positives, negatives = score_categories(marker_ranking("s100b"))
    iterates = []
    line_search = binormal._line_search
    monkeypatch.setattr(
        binormal,
        "_line_search",
        lambda *arguments: iterates.append(line_search(*arguments)[0]) or (iterates[-1], True),
    )
    model = fit_binormal(marker_ranking("s100b"))
    maximum = iterates[-1]

    assert maximum[:2].tolist() == [model.a, model.b]
    assert np.abs(binormal.score_and_information(maximum, positives, negatives)[0]).max() < 1e-9
    for parameters in (maximum, iterates[0]):
        gradient, information = binormal.score_and_information(parameters, positives, negatives)
        for i, unit in enumerate(np.eye(len(parameters)) * 1e-6):
            likelihoods = [
                binormal.log_likelihood(parameters + s * unit, positives, negatives)
                for s in (1, -1)
            ]
            assert gradient[i] == pytest.approx((likelihoods[0] - likelihoods[1]) / 2e-6, abs=2e-6)
    # Along a and b the information is the curvature.
    step = 1e-5 * np.eye(len(maximum))[0]
    forward, backward = (
        binormal.score_and_information(maximum + s * step, positives, negatives)[0] for s in (1, -1)
    )
    information = binormal.score_and_information(maximum, positives, negatives)[1]
    assert information[0] == pytest.approx((backward - forward) / 2e-5, rel=1e-5, abs=1e-4)


def test_no_other_parameters_are_more_likely():
    positives, negatives = score_categories(SIXTY)
    model = fit_binormal(SIXTY)

    def profile(a, b):
        # The best cut points for fixed a and b, by Newton's method.
        tpr, fpr = (np.cumsum(c)[:-1] / c.sum() for c in (positives, negatives))
        inside = (tpr > 0) & (tpr < 1) & (fpr > 0) & (fpr < 1)
        parameters = binormal._starting_values(positives, negatives, tpr[inside], fpr[inside])
        parameters[:2] = a, b
        for _ in range(30):
            gradient, information = binormal.score_and_information(parameters, positives, negatives)
            step = np.concatenate([[0, 0], np.linalg.solve(information[2:, 2:], gradient[2:])])
            parameters, _ = binormal._line_search(parameters, step, positives, negatives)
        return binormal.log_likelihood(parameters, positives, negatives)

    best = profile(model.a, model.b)
    steps = [(0.02, 0), (-0.02, 0), (0, 0.02), (0, -0.02), (0.3, -0.2)]
    assert max(profile(model.a + a_step, model.b + b_step) for a_step, b_step in steps) < best


def test_the_binormal_fit_depends_on_ranks_only():
    score, positive = binormal_sample(1.2, 0.8, 40, 60, seed=3)
    plain = fit_binormal(ranked(score, positive))
    transformed = fit_binormal(ranked(np.exp(3 * score), positive))
    negated = fit_binormal(ranked(-score, positive, lower_is_positive=True))

    assert (plain.a, plain.b) == (transformed.a, transformed.b) == (negated.a, negated.b)


@every_marker
def test_swapped_classes_and_negated_scores_mirror_the_model(marker):
    rows = table("proc_aSAH_data.csv")
    original = fit_binormal(ranked(rows[marker], rows["poor"] == 1))
    mirrored = fit_binormal(ranked(-rows[marker], rows["poor"] != 1))

    assert (mirrored.a, mirrored.b) == pytest.approx(
        (original.a / original.b, 1 / original.b), rel=1e-9
    )
    assert mirrored.area == pytest.approx(original.area, rel=1e-10)
    assert mirrored.standard_error() == pytest.approx(original.standard_error(), rel=1e-7)


@every_marker
def test_the_binormal_regression_equals_procs(marker):
    # pROC computes Obuchowski's variance from its regression of specificity on sensitivity, whose
    # coefficients it takes for the parameters of the model: a/b and 1/b.
    ranking, proc = marker_ranking(marker), document(f"proc_{marker}_summary.json")
    model = fit_binormal(ranking, how="regression")
    a, b = model.a / model.b, 1 / model.b
    ratio = ranking.negatives / ranking.positives
    base = math.exp(-(a**2) / (1 + b**2)) / (2 * math.pi * (1 + b**2))
    variance = base * (1 + b**2 / ratio + a**2 / 2)
    variance += base * (a * b / (1 + b**2)) ** 2 * b**2 * (1 + ratio) / (2 * ratio)

    assert variance / ranking.positives == pytest.approx(proc["obuchowski_variance"], rel=1e-12)


@every_marker
def test_real_ties_give_an_area_and_error_close_to_the_empirical(marker):
    curve, proc = smooth_roc(marker_ranking(marker)), document(f"proc_{marker}_summary.json")

    assert curve.area.value == pytest.approx(proc["auc"], abs=0.012)
    assert curve.standard_error == pytest.approx(math.sqrt(proc["delong_variance"]), rel=0.06)
    assert curve.area.low == pytest.approx(proc["delong_ci"]["0.95"][0], abs=0.02)
    assert curve.area.high == pytest.approx(proc["delong_ci"]["0.95"][1], abs=0.02)


def test_the_interval_covers_the_true_area_and_the_band_the_true_rate():
    true_model, runs, covered_areas, covered_rates = Binormal(1.2, 0.8), 200, 0, 0
    for seed in range(runs):
        curve = smooth_roc(ranked(*binormal_sample(1.2, 0.8, 40, 60, seed=1000 + seed)), points=6)
        covered_areas += curve.area.low <= true_model.area <= curve.area.high
        low, high = curve.band
        covered_rates += low[1] <= true_model.tpr(0.2) <= high[1]

    # 95% of 200 are 190, give or take 3 (one standard error).
    assert 180 <= covered_areas <= 199
    assert 180 <= covered_rates <= 199


def test_standard_errors_follow_from_the_covariance_by_hand():
    model = Binormal(1.0, 1.0, np.array([[0.04, 0.01], [0.01, 0.02]]))
    # z = a/√(1 + b²) has the gradient (1/√2, -1/√8): 0.04/2 + 0.02/8 - 2 · 0.01/4.
    standard_error = math.sqrt(0.0175)
    z = 1 / math.sqrt(2)

    assert model.standard_error() == pytest.approx(
        standard_error * math.exp(-0.25) / math.sqrt(2 * math.pi)
    )
    low, high = model.area_interval(0.9)
    assert low == pytest.approx(float(ndtr(z - 1.6448536269514722 * standard_error)))
    assert high == pytest.approx(float(ndtr(z + 1.6448536269514722 * standard_error)))
    lows, highs = model.band(np.array([0.0, 0.5, 1.0]), 0.9)
    assert lows.tolist() == pytest.approx([0, float(ndtr(1 - 1.6448536269514722 * 0.2)), 1])
    assert highs.tolist() == pytest.approx([0, float(ndtr(1 + 1.6448536269514722 * 0.2)), 1])


def test_a_hook_below_the_chance_line_is_noted():
    hooked = smooth_roc(ranked(*binormal_sample(0.4, 0.3, 500, 500, seed=6)))
    proper = smooth_roc(ranked(*binormal_sample(1.0, 1.0, 500, 500, seed=6)))

    assert "below it from there on" in hooked.notes[0]
    b = hooked.parameters["b"].value
    crossing = float(ndtr(hooked.parameters["a"].value / (1 - b)))
    assert f"rate of {crossing:.3g} " in hooked.notes[0]
    assert hooked.y_at(crossing) == pytest.approx(crossing)
    assert proper.notes == ()


def test_a_regression_fit_has_no_interval_and_says_why():
    curve = smooth_roc(SIXTY, how="regression")

    assert curve.area.is_defined
    assert not curve.area.has_interval
    assert "gives no standard error" in curve.area.note
    assert math.isnan(curve.standard_error)
    assert list(curve.columns()) == ["false_positive_rate", "true_positive_rate"]


@pytest.mark.parametrize(
    ("score", "positive", "reason"),
    [
        ([3, 2, 1, 0], [1, 1, 0, 0], "needs two thresholds"),
        ([0, 1, 2, 3], [1, 1, 0, 0], "needs two thresholds"),
        ([1, 1, 1, 1], [1, 0, 1, 0], "needs two thresholds"),
        ([2, 2, 1, 1], [1, 0, 1, 0], "needs two thresholds"),
        # Positives above and below all negatives: the curve is horizontal in between.
        ([5, 4, 3, 2, 1], [1, 0, 0, 0, 1], "needs two thresholds"),
        ([1, 2], [1, 1], "both classes"),
        ([1, 2], [0, 0], "both classes"),
        ([1], [1], "both classes"),
        ([], [], "no rows"),
    ],
)
@pytest.mark.parametrize("how", ["likelihood", "regression"])
def test_degenerate_rows_have_no_binormal_model_and_a_reason(score, positive, reason, how):
    curve = smooth_roc(ranked(score, positive), how=how)

    assert not curve.area.is_defined
    assert reason in curve.area.reason
    assert "binormal model of score is undefined" in repr(curve)
    assert np.isnan(curve.true_positive_rate).all()
    assert math.isnan(curve.y_at(0.5))
    assert curve.partial_area(0, 0.1).reason == curve.area.reason


@given(rows=scored(scores=st.integers(-4, 6).map(float), max_size=40), weighted=st.booleans())
@settings(max_examples=150)
def test_any_rows_have_a_binormal_model_or_a_reason(rows, weighted):
    # Two thresholds inside the unit square are enough for a maximum, which must be reached.
    score, positive, weight = rows
    ranking = ranked(score, positive, weight * 0.37 if weighted else None)
    try:
        model = fit_binormal(ranking)
    except Undefined as why:
        assert "settle" not in str(why)  # noqa: PT017
        return
    assert model.b > 0
    assert 0 <= model.area <= 1
    assert np.linalg.eigvalsh(model.covariance).min() > 0


def test_real_weights_are_treated_as_row_counts_with_a_note():
    score, positive = binormal_sample(1.0, 1.0, 30, 30, seed=5)
    integer = smooth_roc(ranked(score, positive, np.full(60, 2, np.int64)))
    weighted = smooth_roc(ranked(score, positive, np.full(60, 2.0)))

    assert weighted.area.value == pytest.approx(integer.area.value, rel=1e-12)
    assert weighted.area.low == pytest.approx(integer.area.low, rel=1e-9)
    assert any("real weights" in note for note in weighted.notes)
