"""Smooth ROC curves: binormal and kernel models against hand, brute force, pROC and simulation."""

import math

import numpy as np
import pytest
from golden.reference import document, table
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from smooth_cases import SIXTY, drawn, every_marker, marker_ranking, ranked
from strategies import scored

from tradeoff.measures.registry import Undefined
from tradeoff.smooth import binormal
from tradeoff.smooth.binormal import Binormal, both_below, categories, fit_binormal
from tradeoff.smooth.curve import smooth_roc

# The binormal model


def test_the_binormal_area_curve_and_its_inverse_by_hand():
    model = Binormal(a=1.5, b=0.75)

    assert model.area == pytest.approx(float(ndtr(1.5 / 1.25)), rel=1e-14)
    assert model.tpr(0.5) == pytest.approx(float(ndtr(1.5)), rel=1e-14)
    assert model.fpr(0.5) == pytest.approx(float(ndtr(-2.0)), rel=1e-14)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.3, 4.0), (-0.7, 0.2), (2.0, 0.6)])
def test_partial_areas_of_the_binormal_model_are_integrals(a, b):
    model = Binormal(a, b)
    places = np.linspace(ndtri(0.1), ndtri(0.35), 20_001)
    heights = ndtr(a + b * places) * np.exp(-(places**2) / 2) / math.sqrt(2 * math.pi)

    assert model.area_between(0.1, 0.35) == pytest.approx(np.trapezoid(heights, places), abs=1e-9)
    assert model.area_between(0, 1) == model.area
    parts = model.area_between(0, 0.2) + model.area_between(0.2, 1)
    assert parts == pytest.approx(model.area, abs=1e-14)


def test_both_below_at_hand_worked_places():
    # Quadrants: 1/4 + asin(r) / 2π. Without correlation, a product.
    assert both_below(np.zeros(()), np.zeros(()), 0.5) == pytest.approx(1 / 3, rel=1e-14)
    assert both_below(np.array(0.3), np.array(-1.2), 0.0) == pytest.approx(
        float(ndtr(0.3) * ndtr(-1.2)), rel=1e-12
    )
    # Otherwise the integral over the first of what is left to the second.
    x = np.linspace(-9, 0, 20_001)
    left = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) * ndtr((1.0 + 0.6 * x) / 0.8)
    assert both_below(np.array(0.0), np.array(1.0), -0.6) == pytest.approx(
        np.trapezoid(left, x), abs=1e-8
    )


def test_neighbouring_scores_of_one_class_are_one_category():
    up, down = categories(ranked([9, 8, 7, 6, 6, 5, 4, 3], [1, 1, 0, 1, 0, 0, 0, 1]))

    assert up.tolist() == [2, 0, 1, 0, 1]
    assert down.tolist() == [0, 1, 1, 2, 0]


def test_many_scores_become_about_equal_categories_and_no_tie_is_parted():
    score, positive = drawn(1.0, 1.0, 3000, 9000, seed=1)
    score = score.round(2)
    up, down = categories(ranked(score, positive), most=40)
    sizes = (up / up.sum() + down / down.sum()) / 2

    assert (up.sum(), down.sum()) == (3000, 9000)
    assert 35 <= len(up) <= 40
    assert sizes.max() < 2.2 / 40
    falling = np.unique(score)[::-1]
    at_or_above = {int((score >= s).sum()) for s in falling}
    assert set(np.cumsum(up + down).astype(int).tolist()) <= at_or_above


def test_three_categories_are_fitted_exactly():
    # Two cut points and two numbers for four rates: the model passes through both points.
    tpr, fpr = np.array([0.5, 0.8]), np.array([0.1, 0.4])
    score = np.repeat([3.0, 2.0, 1.0] * 2, [50, 30, 20, 10, 30, 60])
    model = fit_binormal(ranked(score, np.arange(200) < 100))

    b = (ndtri(0.8) - ndtri(0.5)) / (ndtri(0.4) - ndtri(0.1))
    assert model.b == pytest.approx(b, rel=1e-9)
    assert model.a == pytest.approx(-b * ndtri(0.1), rel=1e-9)
    assert model.tpr(fpr) == pytest.approx(tpr, rel=1e-9)


@pytest.mark.parametrize(("a", "b"), [(1.5, 0.7), (0.5, 1.6), (-0.4, 1.0)])
def test_the_likelihood_finds_the_numbers_the_rows_were_drawn_from(a, b):
    model = fit_binormal(ranked(*drawn(a, b, 60_000, 60_000, seed=2)))
    errors = np.sqrt(np.diag(model.covariance))

    assert errors.max() < 0.015
    assert abs(model.a - a) < 3 * errors[0]
    assert abs(model.b - b) < 3 * errors[1]


def test_the_gradient_is_zero_at_the_maximum_and_right_elsewhere(monkeypatch):
    up, down = categories(marker_ranking("s100b"))
    found = []
    advance = binormal._advance
    monkeypatch.setattr(
        binormal, "_advance", lambda *given: found.append(advance(*given)[0]) or (found[-1], True)
    )
    model = fit_binormal(marker_ranking("s100b"))
    best = found[-1]

    assert best[:2].tolist() == [model.a, model.b]
    assert np.abs(binormal.slopes(best, up, down)[0]).max() < 1e-9
    for numbers in (best, found[0]):
        gradient, information = binormal.slopes(numbers, up, down)
        for i, unit in enumerate(np.eye(len(numbers)) * 1e-6):
            ends = [binormal.log_likelihood(numbers + s * unit, up, down) for s in (1, -1)]
            assert gradient[i] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=2e-6)
    # Along a and b the information is the curvature.
    ahead, behind = (binormal.slopes(best + s * 1e-5 * np.eye(len(best))[0], up, down)[0]
                     for s in (1, -1))  # fmt: skip
    information = binormal.slopes(best, up, down)[1]
    assert information[0] == pytest.approx((behind - ahead) / 2e-5, rel=1e-5, abs=1e-4)


def test_no_other_numbers_are_more_likely():
    up, down = categories(SIXTY)
    model = fit_binormal(SIXTY)

    def profile(a, b):
        # The best cut points for fixed a and b, by Newton's steps among them alone.
        tpr, fpr = (np.cumsum(c)[:-1] / c.sum() for c in (up, down))
        inside = (tpr > 0) & (tpr < 1) & (fpr > 0) & (fpr < 1)
        numbers = binormal._start(up, down, tpr[inside], fpr[inside])
        numbers[:2] = a, b
        for _ in range(30):
            gradient, information = binormal.slopes(numbers, up, down)
            step = np.concatenate([[0, 0], np.linalg.solve(information[2:, 2:], gradient[2:])])
            numbers, _ = binormal._advance(numbers, step, up, down)
        return binormal.log_likelihood(numbers, up, down)

    best = profile(model.a, model.b)
    moves = [(0.02, 0), (-0.02, 0), (0, 0.02), (0, -0.02), (0.3, -0.2)]
    assert max(profile(model.a + more, model.b + wider) for more, wider in moves) < best


def test_only_the_order_of_the_scores_counts():
    score, positive = drawn(1.2, 0.8, 40, 60, seed=3)
    plain = fit_binormal(ranked(score, positive))
    bent = fit_binormal(ranked(np.exp(3 * score), positive))
    turned = fit_binormal(ranked(-score, positive, lower_is_positive=True))

    assert (plain.a, plain.b) == (bent.a, bent.b) == (turned.a, turned.b)


@every_marker
def test_swapped_classes_and_negated_scores_mirror_the_model(marker):
    rows = table("proc_aSAH_data.csv")
    there = fit_binormal(ranked(rows[marker], rows["poor"] == 1))
    back = fit_binormal(ranked(-rows[marker], rows["poor"] != 1))

    assert (back.a, back.b) == pytest.approx((there.a / there.b, 1 / there.b), rel=1e-9)
    assert back.area == pytest.approx(there.area, rel=1e-10)
    assert back.standard_error() == pytest.approx(there.standard_error(), rel=1e-7)


@every_marker
def test_the_regression_is_the_one_of_proc(marker):
    # pROC's Obuchowski variance is computed from its regression line. It takes the line of the
    # specificity over the sensitivity for the numbers of the model, that is a/b and 1/b.
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
    true, runs, area, height = Binormal(1.2, 0.8), 200, 0, 0
    for seed in range(runs):
        curve = smooth_roc(ranked(*drawn(1.2, 0.8, 40, 60, seed=1000 + seed)), points=6)
        area += curve.area.low <= true.area <= curve.area.high
        low, high = curve.band
        height += low[1] <= true.tpr(0.2) <= high[1]

    # 95 % of 200 are 190, give or take 3 (one standard error).
    assert 180 <= area <= 199
    assert 180 <= height <= 199


def test_standard_errors_follow_from_the_covariance_by_hand():
    model = Binormal(1.0, 1.0, np.array([[0.04, 0.01], [0.01, 0.02]]))
    # z = a/√(1 + b²); slopes 1/√2 and -1/√8: 0.04/2 + 0.02/8 - 2 · 0.01/4.
    error = math.sqrt(0.0175)
    z = 1 / math.sqrt(2)

    assert model.standard_error() == pytest.approx(error * math.exp(-0.25) / math.sqrt(2 * math.pi))
    low, high = model.area_interval(0.9)
    assert low == pytest.approx(float(ndtr(z - 1.6448536269514722 * error)))
    assert high == pytest.approx(float(ndtr(z + 1.6448536269514722 * error)))
    lows, highs = model.band(np.array([0.0, 0.5, 1.0]), 0.9)
    assert lows.tolist() == pytest.approx([0, float(ndtr(1 - 1.6448536269514722 * 0.2)), 1])
    assert highs.tolist() == pytest.approx([0, float(ndtr(1 + 1.6448536269514722 * 0.2)), 1])


def test_a_hook_below_the_chance_line_is_told():
    wide = smooth_roc(ranked(*drawn(0.4, 0.3, 500, 500, seed=6)))
    even = smooth_roc(ranked(*drawn(1.0, 1.0, 500, 500, seed=6)))

    assert "below it from there on" in wide.notes[0]
    b = wide.parameters["b"].value
    crossing = float(ndtr(wide.parameters["a"].value / (1 - b)))
    assert f"rate of {crossing:.3g} " in wide.notes[0]
    assert wide.y_at(crossing) == pytest.approx(crossing)
    assert even.notes == ()


def test_a_regression_says_that_it_has_no_interval():
    curve = smooth_roc(SIXTY, how="regression")

    assert curve.area.is_defined
    assert not curve.area.has_interval
    assert "does not tell how sure" in curve.area.note
    assert math.isnan(curve.standard_error)
    assert list(curve.columns()) == ["false_positive_rate", "true_positive_rate"]


@pytest.mark.parametrize(
    ("score", "positive", "told"),
    [
        ([3, 2, 1, 0], [1, 1, 0, 0], "needs two thresholds"),
        ([0, 1, 2, 3], [1, 1, 0, 0], "needs two thresholds"),
        ([1, 1, 1, 1], [1, 0, 1, 0], "needs two thresholds"),
        ([2, 2, 1, 1], [1, 0, 1, 0], "needs two thresholds"),
        # Positives above and below all negatives: the curve is a level line.
        ([5, 4, 3, 2, 1], [1, 0, 0, 0, 1], "needs two thresholds"),
        ([1, 2], [1, 1], "both classes"),
        ([1, 2], [0, 0], "both classes"),
        ([1], [1], "both classes"),
        ([], [], "no rows"),
    ],
)
@pytest.mark.parametrize("how", ["likelihood", "regression"])
def test_degenerate_rows_have_no_binormal_model_and_say_why(score, positive, told, how):
    curve = smooth_roc(ranked(score, positive), how=how)

    assert not curve.area.is_defined
    assert told in curve.area.reason
    assert "binormal model of score is undefined" in repr(curve)
    assert np.isnan(curve.true_positive_rate).all()
    assert math.isnan(curve.y_at(0.5))
    assert curve.partial_area(0, 0.1).reason == curve.area.reason


@given(rows=scored(scores=st.integers(-4, 6).map(float), max_size=40), weighted=st.booleans())
@settings(max_examples=150)
def test_any_rows_have_a_binormal_model_or_a_reason(rows, weighted):
    # Two thresholds inside the square are enough for a maximum: the steps must reach it.
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


def test_real_weights_are_taken_for_rows_and_the_note_tells():
    score, positive = drawn(1.0, 1.0, 30, 30, seed=5)
    counted = smooth_roc(ranked(score, positive, np.full(60, 2, np.int64)))
    weighted = smooth_roc(ranked(score, positive, np.full(60, 2.0)))

    assert weighted.area.value == pytest.approx(counted.area.value, rel=1e-12)
    assert weighted.area.low == pytest.approx(counted.area.low, rel=1e-9)
    assert any("real weights" in note for note in weighted.notes)
