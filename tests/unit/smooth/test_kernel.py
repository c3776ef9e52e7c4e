"""Smooth ROC curves by the kernel model."""

import math

import numpy as np
import pytest
from golden.reference import table
from hypothesis import given
from scipy.special import ndtr
from smooth_cases import SIXTY, binormal_sample, every_marker, marker_ranking, ranked
from strategies import scored

from tradeoff.smooth import kernel
from tradeoff.smooth.binormal import Binormal
from tradeoff.smooth.curve import smooth_roc
from tradeoff.smooth.kernel import Kernel, KernelDensity, fit_kernel


def test_two_gaussian_kernels_worked_by_hand():
    model = Kernel(
        KernelDensity(np.ones(1), np.ones(1), 0.6), KernelDensity(np.zeros(1), np.ones(1), 0.8)
    )

    assert model.area == pytest.approx(float(ndtr(1.0)), rel=1e-14)
    assert model.tpr(0.5) == pytest.approx(float(ndtr(1 / 0.6)), rel=1e-12)
    assert model.fpr(0.5) == pytest.approx(float(ndtr(-1 / 0.8)), rel=1e-12)
    # One kernel each is a binormal model with a = 1/0.6 and b = 0.8/0.6.
    expected = Binormal(1 / 0.6, 0.8 / 0.6)
    assert model.area_between(0.05, 0.3) == pytest.approx(
        expected.area_between(0.05, 0.3), rel=1e-10
    )


@every_marker
def test_the_kernel_area_is_the_mean_over_all_pairs_of_rows(marker):
    rows = table("proc_aSAH_data.csv")
    positives, negatives = rows[marker][rows["poor"] == 1], rows[marker][rows["poor"] != 1]
    widths = [
        0.9 * min(scores.std(ddof=1), np.subtract(*np.quantile(scores, [0.75, 0.25])) / 1.34)
        * len(scores) ** -0.2
        for scores in (positives, negatives)
    ]  # fmt: skip
    pairs = [ndtr((p - n) / math.hypot(*widths)) for p in positives for n in negatives]
    curve = smooth_roc(marker_ranking(marker), "kernel", replicates=50)

    assert curve.parameters["bandwidth_positive"].value == pytest.approx(widths[0], rel=1e-12)
    assert curve.parameters["bandwidth_negative"].value == pytest.approx(widths[1], rel=1e-12)
    assert curve.area.value == pytest.approx(np.mean(pairs), rel=1e-12)
    for threshold in np.quantile(rows[marker], [0.2, 0.5, 0.9]):
        rates = [
            ndtr((scores - threshold) / width).mean()
            for scores, width in ((negatives, widths[1]), (positives, widths[0]))
        ]
        assert curve.y_at(rates[0]) == pytest.approx(rates[1], rel=1e-10)
        assert curve.x_at(rates[1]) == pytest.approx(rates[0], rel=1e-10)


def test_the_kernel_partial_area_is_the_integral_of_the_curve():
    curve = smooth_roc(SIXTY, "kernel", replicates=10)
    grid = np.linspace(0.1, 0.4, 4001)

    integral = np.trapezoid(curve.fit.tpr(grid), grid)
    assert curve.partial_area(0.1, 0.4).value == pytest.approx(integral, abs=1e-8)
    assert curve.partial_area().value == pytest.approx(curve.area.value, rel=1e-12)


def test_merged_scores_hardly_change_the_kernel_curve(monkeypatch):
    ranking = ranked(*binormal_sample(1.0, 0.8, 2000, 4000, seed=8))
    merged = fit_kernel(ranking)
    monkeypatch.setattr(kernel, "MAX_SCORES", 10_000)
    unmerged = fit_kernel(ranking)
    grid = np.linspace(0.005, 0.99, 12)

    assert len(merged.positives.scores) < len(unmerged.positives.scores) == 2000
    assert merged.negatives.counts.sum() == 4000
    assert merged.positives.width == unmerged.positives.width
    assert merged.area == pytest.approx(unmerged.area, abs=1e-6)
    assert merged.tpr(grid) == pytest.approx(unmerged.tpr(grid), abs=1e-4)


def test_the_kernel_interval_agrees_with_a_bootstrap():
    curves = [smooth_roc(SIXTY, "kernel", seed=seed) for seed in (0, 0, 1)]
    model = curves[0].fit
    rng = np.random.default_rng(99)
    pairs, areas = model.pair_probabilities(), []
    for _ in range(800):
        positives, negatives = (
            rng.integers(0, len(density.scores), len(density.scores))
            for density in (model.positives, model.negatives)
        )
        areas.append(pairs[np.ix_(positives, negatives)].mean())

    assert curves[0].area == curves[1].area
    assert curves[0].area != curves[2].area
    assert curves[0].area.low < curves[0].area.value < curves[0].area.high
    low, high = np.quantile(areas, [0.025, 0.975])
    assert curves[0].area.low == pytest.approx(low, abs=0.02)
    assert curves[0].area.high == pytest.approx(high, abs=0.02)


def test_the_logit_scale_equals_a_fit_to_logits():
    logits, positive = binormal_sample(1.0, 1.0, 30, 40, seed=9)
    probabilities = 1 / (1 + np.exp(-logits))
    plain, on_logit_scale = (
        smooth_roc(ranked(logits, positive), "kernel"),
        smooth_roc(ranked(probabilities, positive), "kernel", scale="logit"),
    )

    assert on_logit_scale.area.value == pytest.approx(plain.area.value, rel=1e-12)
    assert on_logit_scale.area.low == pytest.approx(plain.area.low, rel=1e-12)
    assert smooth_roc(ranked(probabilities, positive), "kernel").area.value != pytest.approx(
        plain.area.value, rel=1e-6
    )


def test_lower_is_positive_equals_negated_scores_in_a_kernel_model():
    score, positive = binormal_sample(1.0, 1.0, 30, 40, seed=9)
    high = smooth_roc(ranked(score, positive), "kernel")
    low = smooth_roc(ranked(-score, positive, lower_is_positive=True), "kernel")

    assert low.area == high.area
    assert low.true_positive_rate.tolist() == high.true_positive_rate.tolist()


def test_the_kernel_area_does_not_depend_on_the_unit_of_scores():
    score, positive = binormal_sample(1.0, 1.0, 30, 40, seed=9)
    plain = smooth_roc(ranked(score, positive), "kernel")
    huge = smooth_roc(ranked(score * 2.0**1000, positive), "kernel")

    assert huge.area == plain.area
    assert huge.parameters["bandwidth_positive"].value == pytest.approx(
        plain.parameters["bandwidth_positive"].value * 2.0**1000
    )


@pytest.mark.parametrize(
    ("score", "positive", "options", "reason"),
    [
        ([3, 3, 2, 1], [1, 1, 0, 0], {}, "every row of class 'positive' has the same score"),
        ([3, 2, 1, 1], [1, 1, 0, 0], {}, "every row of class 'negative' has the same score"),
        ([math.inf, 2, 1, 0], [1, 1, 0, 0], {}, "infinite"),
        ([1.0, 0.8, 0.3, 0.2], [1, 1, 0, 0], {"scale": "logit"}, "exactly 0 or 1"),
        ([1.5, 0.8, 0.3, -2], [1, 1, 0, 0], {"scale": "logit"}, "ranges from -2 to 1.5"),
        ([1e-200, 0, 1, -1], [1, 1, 0, 0], {}, "no variance to smooth"),
        ([1, 2], [1, 1], {}, "both classes"),
        ([], [], {}, "no rows"),
    ],
)
def test_degenerate_rows_have_no_kernel_model_and_a_reason(score, positive, options, reason):
    curve = smooth_roc(ranked(score, positive), "kernel", **options)

    assert reason in curve.area.reason
    assert "kernel model of score is undefined" in repr(curve)
    assert math.isnan(curve.x_at(0.5))


def test_real_weights_have_a_kernel_model_without_interval():
    score, positive = binormal_sample(1.0, 1.0, 30, 40, seed=9)
    weighted = smooth_roc(ranked(score, positive, np.ones(70)), "kernel")

    assert weighted.area.value == smooth_roc(ranked(score, positive), "kernel").area.value
    assert not weighted.area.has_interval
    assert "cannot be resampled" in weighted.area.note


@given(rows=scored(max_size=30))
def test_any_rows_have_a_kernel_model_or_a_reason(rows):
    curve = smooth_roc(ranked(rows[0], rows[1]), "kernel", replicates=5, points=11)

    if curve.area.is_defined:
        assert 0 <= curve.area.value <= 1
        assert (np.diff(curve.true_positive_rate) >= -1e-12).all()
    else:
        assert curve.area.reason
