"""Charts of decisions and reject bands."""

import numpy as np
import pytest
from chart_cases import ten_rows

from tradeoff.core.costs import Costs
from tradeoff.render.chart import Line, Points
from tradeoff.thresholds.chart import band_chart, decision_chart


@pytest.fixture(scope="module")
def e():
    return ten_rows()


def lines(chart, *roles):
    return [layer for layer in chart.layers if isinstance(layer, Line) and layer.role in roles]


def layer_of_type(chart, kind):
    return next(layer for layer in chart.layers if isinstance(layer, kind))


def test_a_decision_chart_marks_the_optimum_of_its_curve(e):
    for along in ("threshold", "depth"):
        chart = decision_chart(e.best("youden"), along=along)
        mark, (curve,) = layer_of_type(chart, Points), lines(chart, "model")
        assert mark.y[0] == np.nanmax(curve.y)


def test_curves_of_a_band_chart_agree_with_brute_force(e):
    for options in ({"costs": Costs(false_negative=3, rejected=0.2)}, {"gamma": 2.0}):
        decision = e.best_band(**options)
        chart = band_chart(decision)
        upper, lower = lines(chart, "model")
        size = len(decision.ranking)
        expected = [
            decision.search.value_at(decision.ranking, index, decision.lower_index, None)
            for index in range(decision.lower_index + 1)
        ]
        assert sorted(set(upper.y[~np.isnan(upper.y)])) == pytest.approx(sorted(set(expected)))
        expected = [
            decision.search.value_at(decision.ranking, decision.upper_index, index, None)
            for index in range(decision.upper_index, size)
        ]
        assert sorted(set(lower.y[~np.isnan(lower.y)])) == pytest.approx(sorted(set(expected)))
        assert layer_of_type(chart, Points).y.tolist() == [decision.value] * 2
