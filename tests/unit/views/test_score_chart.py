"""Histograms of scores."""

import math

import numpy as np
import pytest
from chart_cases import ten_rows, three_markers
from hypothesis import given
from strategies import rankings

import tradeoff as to
from tradeoff.evaluation.charts import evaluation_chart
from tradeoff.render.chart import Bars, Line, Ribbon
from tradeoff.views.score_chart import scores_chart


@pytest.fixture(scope="module")
def e():
    return ten_rows()


@pytest.fixture(scope="module")
def sah():
    return three_markers()


def lines(chart, *roles):
    return [layer for layer in chart.layers if isinstance(layer, Line) and layer.role in roles]


def of_kind(chart, kind):
    return next(layer for layer in chart.layers if isinstance(layer, kind))


def test_each_class_is_a_histogram_of_its_own_rows():
    ranking = to.evaluate(actual=[1, 1, 1, 0], score=[0.1, 0.6, 0.6, 0.4]).ranking
    negative, positive = scores_chart(ranking, bins=2).layers

    assert negative.edges.tolist() == [0, 0.5, 1]
    assert negative.heights.tolist() == [1, 0]
    assert positive.heights.tolist() == pytest.approx([1 / 3, 2 / 3])


def test_weights_count_in_histograms():
    ranking = to.evaluate(actual=[1, 1, 0], score=[0.1, 0.6, 0.4], weight=[3.5, 0.5, 1]).ranking
    positive = scores_chart(ranking, bins=2).layers[1]

    assert positive.heights.tolist() == pytest.approx([0.875, 0.125])


@given(rankings(min_size=1))
def test_proportions_of_a_class_sum_to_one(ranking):
    for bars in scores_chart(ranking).layers:
        assert isinstance(bars, Bars)
        assert bars.heights.sum() == pytest.approx(1)
        assert (np.diff(bars.edges) > 0).all()


def test_infinite_scores_are_in_the_outermost_bars_and_noted():
    e = to.evaluate(actual=[0, 1, 1], score=[-math.inf, 0.5, math.inf])
    chart = scores_chart(e.ranking)

    assert chart.layers[0].heights[0] == 1
    assert chart.layers[1].heights[-1] == 0.5
    assert "2 lie outside the scale" in chart.caption


def test_scores_that_are_all_tied_are_one_bar():
    chart = scores_chart(to.evaluate(actual=[0, 1, 1], score=[7.0, 7.0, 7.0]).ranking)

    assert [np.count_nonzero(bars.heights) for bars in chart.layers] == [1, 1]
    assert chart.x.low < 7 < chart.x.high


def test_a_few_distinct_scores_have_a_bar_each(sah):
    negative, positive = scores_chart(sah["wfns"].ranking).layers

    assert negative.edges.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert positive.heights[-1] == pytest.approx(18 / 41)


def test_very_skewed_scores_have_a_logarithmic_scale(sah):
    assert scores_chart(sah["ndka"].ranking).x.kind == "log"
    assert scores_chart(sah["s100b"].ranking).x.kind == "plain"


def test_an_outlier_does_not_squeeze_the_histogram():
    rng = np.random.default_rng(0)
    score = np.append(rng.normal(size=400), 1e9)
    chart = scores_chart(to.evaluate(actual=np.arange(401) % 2, score=score).ranking)

    assert chart.x.high < 10
    assert "outside the scale" in chart.caption


def test_a_band_and_thresholds_are_shown_among_scores(e):
    chart = evaluation_chart(e, "scores", threshold=0.5, undecided=(0.6, 0.4))

    assert of_kind(chart, Ribbon).x.tolist() == [0.4, 0.6]
    assert lines(chart, "mark")[0].x.tolist() == [0.5, 0.5]
