"""Smooth ROC curves by either model: names, bands, interpolated values, invalid options."""

import math

import numpy as np
import pytest
from smooth_cases import SIXTY, binormal_sample, every_model, ranked

from tradeoff.errors import InputError, UnknownName
from tradeoff.smooth.curve import SmoothCurve, smooth_roc


def test_a_poorly_fitting_model_is_noted():
    logs, positive = binormal_sample(0.6, 1.0, 300, 700, seed=13)
    skewed = ranked(np.exp(3 * logs), positive)

    assert "AUC of the rows is 0.6" in smooth_roc(skewed, "kernel").notes[0]
    assert smooth_roc(ranked(logs, positive), "kernel").notes == ()
    assert smooth_roc(skewed, "binormal").notes == ()


@every_model
def test_a_smooth_curve_names_its_model(model):
    curve = smooth_roc(SIXTY, model)

    assert isinstance(curve, SmoothCurve)
    assert curve.model == f"{model} model"
    assert repr(curve).startswith(f"SmoothCurve({model} model of score: area = ")
    assert model in curve.area.name
    assert model in curve.partial_area(0, 0.1).name


@every_model
def test_a_smooth_curve_rises_from_corner_to_corner_and_has_an_inverse(model):
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
    ("options", "error", "message"),
    [
        ({"model": "binormale"}, UnknownName, "Did you mean 'binormal'"),
        ({"model": "kernel", "scales": "logit"}, UnknownName, "Did you mean 'scale'"),
        ({"model": "binormal", "seed": 1}, UnknownName, "binormal model has no option 'seed'"),
        ({"how": "likelyhood"}, UnknownName, "Did you mean 'likelihood'"),
        ({"model": "kernel", "scale": "log"}, UnknownName, "no scale 'log'"),
        ({"level": 95}, InputError, "95% is 0.95"),
        ({"points": 1}, InputError, "points must be at least 2"),
        ({"model": "kernel", "replicates": 1}, InputError, "replicates must be at least 2"),
        ({"model": "kernel", "seed": -1}, InputError, "non-negative integer"),
    ],
)
def test_invalid_options_are_refused_with_a_remedy(options, error, message):
    with pytest.raises(error, match=message):
        smooth_roc(SIXTY, **options)


@pytest.mark.parametrize(("low", "high"), [(0.3, 0.1), (-0.1, 0.2), (0.5, 1.5), (0.2, 0.2)])
def test_a_partial_area_needs_two_rates_in_order(low, high):
    with pytest.raises(InputError, match="0 <= low < high <= 1"):
        smooth_roc(SIXTY).partial_area(low, high)
