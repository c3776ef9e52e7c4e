"""Smooth ROC curves: the kernel model, and what both models share."""

import math

import numpy as np
import pytest
from golden.reference import table
from hypothesis import given
from scipy.special import ndtr
from smooth_cases import SIXTY, drawn, every_marker, every_model, marker_ranking, ranked
from strategies import scored

from tradeoff.errors import InputError, UnknownName
from tradeoff.smooth import kernel
from tradeoff.smooth.binormal import Binormal
from tradeoff.smooth.curve import SmoothCurve, smooth_roc
from tradeoff.smooth.kernel import Hills, Kernel, fit_kernel

# The kernel model


def test_two_hills_by_hand():
    model = Kernel(Hills(np.ones(1), np.ones(1), 0.6), Hills(np.zeros(1), np.ones(1), 0.8))

    assert model.area == pytest.approx(float(ndtr(1.0)), rel=1e-14)
    assert model.tpr(0.5) == pytest.approx(float(ndtr(1 / 0.6)), rel=1e-12)
    assert model.fpr(0.5) == pytest.approx(float(ndtr(-1 / 0.8)), rel=1e-12)
    # One hill each is a binormal model with a = 1/0.6 and b = 0.8/0.6.
    same = Binormal(1 / 0.6, 0.8 / 0.6)
    assert model.area_between(0.05, 0.3) == pytest.approx(same.area_between(0.05, 0.3), rel=1e-10)


@every_marker
def test_the_kernel_area_is_the_mean_over_all_pairs_of_rows(marker):
    rows = table("proc_aSAH_data.csv")
    up, down = rows[marker][rows["poor"] == 1], rows[marker][rows["poor"] != 1]
    widths = [
        0.9 * min(own.std(ddof=1), np.subtract(*np.quantile(own, [0.75, 0.25])) / 1.34)
        * len(own) ** -0.2
        for own in (up, down)
    ]  # fmt: skip
    pairs = [ndtr((p - n) / math.hypot(*widths)) for p in up for n in down]
    curve = smooth_roc(marker_ranking(marker), "kernel", replicates=50)

    assert curve.parameters["bandwidth_positive"].value == pytest.approx(widths[0], rel=1e-12)
    assert curve.parameters["bandwidth_negative"].value == pytest.approx(widths[1], rel=1e-12)
    assert curve.area.value == pytest.approx(np.mean(pairs), rel=1e-12)
    for threshold in np.quantile(rows[marker], [0.2, 0.5, 0.9]):
        rates = [
            ndtr((own - threshold) / width).mean()
            for own, width in ((down, widths[1]), (up, widths[0]))
        ]
        assert curve.y_at(rates[0]) == pytest.approx(rates[1], rel=1e-10)
        assert curve.x_at(rates[1]) == pytest.approx(rates[0], rel=1e-10)


def test_the_kernel_partial_area_is_the_integral_of_the_curve():
    curve = smooth_roc(SIXTY, "kernel", replicates=10)
    at = np.linspace(0.1, 0.4, 4001)

    by_sum = np.trapezoid(curve.fit.tpr(at), at)
    assert curve.partial_area(0.1, 0.4).value == pytest.approx(by_sum, abs=1e-8)
    assert curve.partial_area().value == pytest.approx(curve.area.value, rel=1e-12)


def test_merged_scores_hardly_change_the_kernel_curve(monkeypatch):
    ranking = ranked(*drawn(1.0, 0.8, 2000, 4000, seed=8))
    merged = fit_kernel(ranking)
    monkeypatch.setattr(kernel, "MOST", 10_000)
    whole = fit_kernel(ranking)
    at = np.linspace(0.005, 0.99, 12)

    assert len(merged.positives.scores) < len(whole.positives.scores) == 2000
    assert merged.negatives.counts.sum() == 4000
    assert merged.positives.width == whole.positives.width
    assert merged.area == pytest.approx(whole.area, abs=1e-6)
    assert merged.tpr(at) == pytest.approx(whole.tpr(at), abs=1e-4)


def test_the_kernel_interval_is_that_of_rows_drawn_again():
    curves = [smooth_roc(SIXTY, "kernel", seed=seed) for seed in (0, 0, 1)]
    model = curves[0].fit
    rng = np.random.default_rng(99)
    pairs, areas = model.pairs(), []
    for _ in range(800):
        up, down = (rng.integers(0, len(own.scores), len(own.scores))
                    for own in (model.positives, model.negatives))  # fmt: skip
        areas.append(pairs[np.ix_(up, down)].mean())

    assert curves[0].area == curves[1].area
    assert curves[0].area != curves[2].area
    assert curves[0].area.low < curves[0].area.value < curves[0].area.high
    low, high = np.quantile(areas, [0.025, 0.975])
    assert curves[0].area.low == pytest.approx(low, abs=0.02)
    assert curves[0].area.high == pytest.approx(high, abs=0.02)


def test_the_logit_scale_is_the_plain_scale_of_logits():
    logits, positive = drawn(1.0, 1.0, 30, 40, seed=9)
    probabilities = 1 / (1 + np.exp(-logits))
    plain, bent = (
        smooth_roc(ranked(logits, positive), "kernel"),
        smooth_roc(ranked(probabilities, positive), "kernel", scale="logit"),
    )

    assert bent.area.value == pytest.approx(plain.area.value, rel=1e-12)
    assert bent.area.low == pytest.approx(plain.area.low, rel=1e-12)
    assert smooth_roc(ranked(probabilities, positive), "kernel").area.value != pytest.approx(
        plain.area.value, rel=1e-6
    )


def test_low_scores_can_be_positive_in_a_kernel_model():
    score, positive = drawn(1.0, 1.0, 30, 40, seed=9)
    high = smooth_roc(ranked(score, positive), "kernel")
    low = smooth_roc(ranked(-score, positive, lower_is_positive=True), "kernel")

    assert low.area == high.area
    assert low.true_positive_rate.tolist() == high.true_positive_rate.tolist()


def test_the_kernel_area_does_not_depend_on_the_unit_even_a_huge_one():
    score, positive = drawn(1.0, 1.0, 30, 40, seed=9)
    plain = smooth_roc(ranked(score, positive), "kernel")
    huge = smooth_roc(ranked(score * 2.0**1000, positive), "kernel")

    assert huge.area == plain.area
    assert huge.parameters["bandwidth_positive"].value == pytest.approx(
        plain.parameters["bandwidth_positive"].value * 2.0**1000
    )


@pytest.mark.parametrize(
    ("score", "positive", "choices", "told"),
    [
        ([3, 3, 2, 1], [1, 1, 0, 0], {}, "every row that is positive has the same score"),
        ([3, 2, 1, 1], [1, 1, 0, 0], {}, "every row that is negative has the same score"),
        ([math.inf, 2, 1, 0], [1, 1, 0, 0], {}, "infinite"),
        ([1.0, 0.8, 0.3, 0.2], [1, 1, 0, 0], {"scale": "logit"}, "exactly 0 or 1"),
        ([1.5, 0.8, 0.3, -2], [1, 1, 0, 0], {"scale": "logit"}, "runs from -2 to 1.5"),
        ([1e-200, 0, 1, -1], [1, 1, 0, 0], {}, "no spread to smooth"),
        ([1, 2], [1, 1], {}, "both classes"),
        ([], [], {}, "no rows"),
    ],
)
def test_rows_without_a_kernel_model_say_why(score, positive, choices, told):
    curve = smooth_roc(ranked(score, positive), "kernel", **choices)

    assert told in curve.area.reason
    assert "kernel model of score is undefined" in repr(curve)
    assert math.isnan(curve.x_at(0.5))


def test_real_weights_have_a_kernel_model_without_interval():
    score, positive = drawn(1.0, 1.0, 30, 40, seed=9)
    weighted = smooth_roc(ranked(score, positive, np.ones(70)), "kernel")

    assert weighted.area.value == smooth_roc(ranked(score, positive), "kernel").area.value
    assert not weighted.area.has_interval
    assert "cannot be drawn again" in weighted.area.note


@given(rows=scored(max_size=30))
def test_any_rows_have_a_kernel_model_or_a_reason(rows):
    curve = smooth_roc(ranked(rows[0], rows[1]), "kernel", replicates=5, points=11)

    if curve.area.is_defined:
        assert 0 <= curve.area.value <= 1
        assert (np.diff(curve.true_positive_rate) >= -1e-12).all()
    else:
        assert curve.area.reason


# Both


def test_a_model_that_does_not_fit_the_rows_is_told():
    logs, positive = drawn(0.6, 1.0, 300, 700, seed=13)
    skewed = ranked(np.exp(3 * logs), positive)

    assert "area of the rows themselves is 0.6" in smooth_roc(skewed, "kernel").notes[0]
    assert smooth_roc(ranked(logs, positive), "kernel").notes == ()
    assert smooth_roc(skewed, "binormal").notes == ()


@every_model
def test_a_smooth_curve_carries_the_name_of_its_model(model):
    curve = smooth_roc(SIXTY, model)

    assert isinstance(curve, SmoothCurve)
    assert curve.model == f"{model} model"
    assert repr(curve).startswith(f"SmoothCurve({model} model of score: area = ")
    assert model in curve.area.name
    assert model in curve.partial_area(0, 0.1).name


@every_model
def test_a_smooth_curve_rises_from_corner_to_corner_and_reads_both_ways(model):
    curve = smooth_roc(SIXTY, model, points=101)
    columns = curve.columns()

    assert len(curve) == 101
    assert columns["true_positive_rate"][[0, -1]].tolist() == [0, 1]
    assert (np.diff(columns["true_positive_rate"]) > 0).all()
    assert curve.y_at(0.25) == pytest.approx(columns["true_positive_rate"][25], rel=1e-12)
    assert curve.x_at(curve.y_at(0.25)) == pytest.approx(0.25, rel=1e-9)
    assert np.trapezoid(*list(columns.values())[1::-1]) == pytest.approx(
        curve.area.value, abs=0.002
    )
    assert math.isnan(curve.y_at(1.2))
    assert math.isnan(curve.x_at(math.nan))
    assert list(curve.to_pandas().columns) == list(columns)


def test_the_band_encloses_the_binormal_curve_and_widens_with_the_level():
    narrow, wide = (smooth_roc(SIXTY, level=level).columns() for level in (0.5, 0.99))

    inner = slice(1, -1)
    assert (narrow["low"][inner] < narrow["true_positive_rate"][inner]).all()
    assert (narrow["high"][inner] > narrow["true_positive_rate"][inner]).all()
    assert (wide["low"][inner] < narrow["low"][inner]).all()
    assert (wide["high"][inner] > narrow["high"][inner]).all()


@pytest.mark.parametrize(
    ("asked", "problem", "told"),
    [
        ({"model": "binormale"}, UnknownName, "Did you mean 'binormal'"),
        ({"model": "kernel", "scales": "logit"}, UnknownName, "Did you mean 'scale'"),
        ({"model": "binormal", "seed": 1}, UnknownName, "binormal model there is no 'seed'"),
        ({"how": "likelyhood"}, UnknownName, "Did you mean 'likelihood'"),
        ({"model": "kernel", "scale": "log"}, UnknownName, "no scale 'log'"),
        ({"level": 95}, InputError, "95 % is 0.95"),
        ({"points": 1}, InputError, "2 points or more"),
        ({"model": "kernel", "replicates": 1}, InputError, "2 times or more"),
        ({"model": "kernel", "seed": -1}, InputError, "from 0 on"),
    ],
)
def test_wrong_choices_say_what_there_is(asked, problem, told):
    with pytest.raises(problem, match=told):
        smooth_roc(SIXTY, **asked)


@pytest.mark.parametrize(("low", "high"), [(0.3, 0.1), (-0.1, 0.2), (0.5, 1.5), (0.2, 0.2)])
def test_a_partial_area_needs_two_rates_in_order(low, high):
    with pytest.raises(InputError, match="0 <= low < high <= 1"):
        smooth_roc(SIXTY).partial_area(low, high)
