"""Charts by name: reliability, hulls, comparisons, and invalid charts."""

import math

import numpy as np
import pytest
from chart_cases import ten_rows, three_markers

import tradeoff as to
from tradeoff.comparison.difference import Difference
from tradeoff.comparison.views import differences_chart, estimates_chart
from tradeoff.errors import InputError
from tradeoff.evaluation.charts import evaluation_chart
from tradeoff.render.chart import Intervals, Line, Points, Ribbon, Scale
from tradeoff.views.score_chart import scores_chart


@pytest.fixture(scope="module")
def e():
    return ten_rows()


@pytest.fixture(scope="module")
def sah():
    return three_markers()


def lines(chart, *roles):
    return [layer for layer in chart.layers if isinstance(layer, Line) and layer.role in roles]


def layer_of_type(chart, kind):
    return next(layer for layer in chart.layers if isinstance(layer, kind))


def test_a_reliability_diagram_has_its_bins_and_band(e):
    chart = evaluation_chart(e, "calibration")

    assert layer_of_type(chart, Ribbon).label == "95% consistency band"
    bins = e.curve("calibration", by="isotonic")
    assert layer_of_type(chart, Points).y.tolist() == bins.y.tolist()
    assert not any(
        isinstance(x, Ribbon) for x in evaluation_chart(e, "calibration", bands=None).layers
    )


def test_a_reliability_diagram_at_another_prevalence_has_no_band(e):
    chart = evaluation_chart(e, "calibration", prevalence=0.2)

    assert not any(isinstance(layer, Ribbon) for layer in chart.layers)


def test_the_decision_map_is_the_lowest_cost_over_the_vertices(sah):
    (envelope,) = lines(evaluation_chart(sah, "decision_map"), "hull")

    hull = sah.hull()
    for x in np.linspace(0, 1, 30):
        least = min(vertex.cost(x) for vertex in hull.vertices)
        assert np.interp(x, envelope.x, envelope.y) == pytest.approx(least)


def test_a_difference_chart_includes_zero_and_undefined_differences():
    defined = Difference("a", "b", "auc", 0.8, 0.7, low=0.02, high=0.18)
    undefined = Difference("a", "c", "auc", math.nan, 0.7)
    chart = differences_chart([defined, undefined])

    ranges = layer_of_type(chart, Intervals)
    assert ranges.values.tolist()[0] == pytest.approx(0.1)
    assert math.isnan(ranges.low[1])
    assert chart.x.low < 0 < chart.x.high
    assert chart.y.names == ("a − b", "a − c")


def test_a_chart_gives_the_reason_for_an_undefined_auc():
    e = to.evaluate(actual=[1, 1], score={"m": [1, 2]})
    chart = evaluation_chart(e, "areas")

    assert "m: " in chart.caption


def test_empty_charts_are_refused():
    with pytest.raises(InputError, match="at least one"):
        differences_chart([])
    with pytest.raises(InputError, match="at least one"):
        estimates_chart({}, "AUC")


def test_the_axis_of_probabilities_runs_from_0_to_1():
    ranking = to.evaluate(actual=[0, 1], score=[0.3, 0.6]).ranking

    assert scores_chart(ranking).x == Scale("Score (score)", 0.0, 1.0)


def test_every_result_has_a_chart():
    random = np.random.default_rng(0)
    actual = random.random(60) < 0.5
    scores = {"a": random.random(60) + actual, "b": random.random(60)}
    e = to.evaluate(actual=actual, score=scores, fold=np.arange(60) % 3)
    evaluation, comparison = e["a"], to.compare(actual=actual, score=scores)
    matrix = to.confusion_matrix(["x", "y", "z"], ["x", "z", "z"])
    band = evaluation.best_band(costs=to.Costs(rejected=0.1))
    results = [
        e,
        evaluation.best("youden"),
        band,
        comparison,
        evaluation.at(0.5),
        matrix,
        evaluation.curve("lift"),
        evaluation.average(),
    ]

    assert [result.chart().title for result in results] == [
        "ROC curve",
        "Youden's J by threshold",
        "Expected cost by the thresholds of the band",
        "Differences in AUC",
        "Confusion matrix",
        "Confusion matrix",
        "Lift curve",
        "ROC curve over folds",
    ]
    assert e.chart("gains").title == "Cumulative gains"


def test_the_threshold_line_lies_between_bars_of_discrete_scores():
    e = to.evaluate(actual=[0, 0, 1, 1, 1], score=[1, 2, 3, 4, 5])
    lower = to.evaluate(actual=[1, 1, 0], score=[1, 2, 3], lower_is_positive=True)

    def threshold_line(evaluation, at):
        return float(evaluation.chart("scores", threshold=at).layers[-1].x[0])

    assert [threshold_line(e, at) for at in (3, 2.1, 5, 6)] == [2.5, 2.5, 4.5, 5.5]
    assert [threshold_line(lower, at) for at in (1, 2.5, 3)] == [1.5, 2.5, 3.5]


def test_the_chance_line_is_drawn_only_where_all_models_share_it():
    actual = [0, 1, 0, 1, 1]
    scores = {"a": [0.1, 0.9, 0.6, 0.8, 0.3], "b": [0.9, 0.1, 0.6, 0.4, 0.3]}
    e = to.evaluate(actual=actual, score=scores)

    def roles(evaluation, name):
        return {layer.role for layer in evaluation.chart(name).layers}

    assert "chance" in roles(e, "roc")
    assert "chance" in roles(e["a"], "accuracy_rejection")
    assert roles(e, "accuracy_rejection") == {"model"}  # they differ in accuracy, so in guessing


def test_costs_are_marked_on_the_decision_map():
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.35, 0.4, 0.8])
    mark = e.chart("decision_map", costs=to.Costs(false_negative=3)).layers[-1]

    assert mark.label == "these costs: PC(+) = 0.75"
    assert float(mark.x[0]) == 0.75


def test_axes_must_be_matplotlib_axes():
    e = to.evaluate(actual=[0, 1], score=[0.1, 0.4])
    with pytest.raises(InputError, match="`ax` must be matplotlib axes, not 3"):
        e.plot("roc", ax=3)


def test_a_misspelt_option_names_the_right_one():
    e = to.evaluate(actual=[0, 1], score=[0.1, 0.4])

    with pytest.raises(TypeError, match=r"plot\(\) has no argument 'treshold'.*'threshold'"):
        e.plot("roc", treshold=0.3)
    with pytest.raises(TypeError, match=r"chart\(\) has no argument 'alogn'.*'along'"):
        e.best("youden").chart(alogn="depth")
