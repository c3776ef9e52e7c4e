"""Thinned lines keep their shape, breaks and extremes."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.evaluation.charts import evaluation_chart
from tradeoff.render.thinning import thin_line


def test_a_million_points_become_few_and_keep_the_shape():
    x = np.linspace(0, 1, 1_000_000)
    y = np.sin(40 * x) + (np.random.default_rng(0).random(len(x)) - 0.5) / 10

    kept_x, heights = thin_line(x, y)

    assert len(kept_x) <= 4 * 2001
    assert (heights.min(), heights.max()) == (y.min(), y.max())
    # Every point lies between the kept extremes of its own column.
    columns, kept_columns = (np.floor(values * 2000).astype(int) for values in (x, kept_x))
    low, high = np.full(2001, np.inf), np.full(2001, -np.inf)
    np.minimum.at(low, kept_columns, heights)
    np.maximum.at(high, kept_columns, heights)
    assert ((low[columns] <= y) & (y <= high[columns])).all()


def test_a_thinned_roc_curve_deviates_by_at_most_a_two_thousandth():
    rng = np.random.default_rng(1)
    actual = rng.random(200_000) < 0.3
    curve = to.evaluate(actual=actual, score=rng.normal(size=len(actual)) + actual).curve("roc")

    x, y = thin_line(curve.x, curve.y)

    assert len(x) < 10_000
    at = rng.random(500)
    # Both increase: the true height lies between those drawn one column to the left and right.
    low, high = (np.interp(at + d, x, y) for d in (-1 / 2000, 1 / 2000))
    true = np.array([curve.y_at(float(x_value)) for x_value in at])
    assert ((low <= true) & (true <= high)).all()


def test_breaks_of_a_thinned_line_stay_breaks():
    x = np.linspace(0, 1, 50_000)
    y = x.copy()
    y[20_000:30_000] = np.nan

    fewer, heights = thin_line(x, y)

    gap = np.flatnonzero(np.isnan(heights))
    assert len(gap)
    assert np.isnan(fewer[gap]).all()
    assert fewer[gap[0] - 1] == x[19_999]
    assert fewer[gap[-1] + 1] == x[30_000]


def test_a_closed_line_keeps_its_shape():
    turn = np.linspace(0, 40 * np.pi, 400_000)
    x, y = turn * np.cos(turn), turn * np.sin(turn)

    fewer, heights = thin_line(x, y)

    assert len(fewer) <= 20_000
    radius = np.hypot(fewer, heights)
    assert np.abs(np.diff(radius)).max() < radius.max() / 50


@given(st.integers(0, 10**6), st.lists(st.floats(-5, 5) | st.just(math.nan), min_size=1))
def test_no_extreme_of_a_line_is_thinned_away(seed, heights):
    y = np.random.default_rng(seed).permutation(np.resize(heights, 6000))

    _, kept_y = thin_line(np.arange(len(y)) / len(y), y)

    defined = y[~np.isnan(y)]
    if len(defined):
        assert (np.nanmin(kept_y), np.nanmax(kept_y)) == (defined.min(), defined.max())


def test_a_chart_of_a_huge_curve_has_few_points():
    rng = np.random.default_rng(2)
    actual = rng.random(300_000) < 0.3
    e = to.evaluate(actual=actual, score=rng.normal(size=len(actual)) + actual)
    for name in ("roc", "det", "precision_recall", "expected_cost", "lift"):
        chart = evaluation_chart(e, name, level=None)
        assert sum(len(line.x) for line in chart.layers) < 12_000


def test_a_line_that_begins_far_outside_is_thinned_over_what_is_visible():
    # Recall gain, 1 - (prevalence / (1 - prevalence)) · fn / tp, begins at -5,000 or so and is
    # drawn from 0 to 1: a two-thousandth of its whole range would hold all that is seen.
    rng = np.random.default_rng(3)
    actual = rng.random(20_000) < 0.5
    e = to.evaluate(actual=actual, score=rng.normal(size=len(actual)) + actual)
    curve = e.curve("precision_recall_gain")
    in_range = curve.x >= 0
    assert curve.x[np.isfinite(curve.x)].min() < -1000

    chart = evaluation_chart(e, "precision_recall_gain", level=None)
    line = next(layer for layer in chart.layers if layer.role == "model")

    visible = (line.x >= 0) & np.isfinite(line.y)
    assert 1000 < visible.sum() < in_range.sum() / 2
    heights = np.interp(curve.x[in_range], line.x[visible], line.y[visible])
    rising = np.diff(curve.x[in_range]) >= 0
    assert rising.all()
    assert np.abs(heights - curve.y[in_range]).max() < 0.01
