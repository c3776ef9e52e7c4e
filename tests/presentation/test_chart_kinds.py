"""Charts that are no curves: scores, matrices, calibration, decisions, hulls, comparisons."""

import math

import numpy as np
import pytest
from chart_cases import ten_rows, three_markers
from hypothesis import given
from strategies import rankings

import tradeoff as to
from tradeoff.comparison.difference import Difference
from tradeoff.comparison.views import differences_chart, estimates_chart
from tradeoff.core.costs import Costs
from tradeoff.errors import InputError
from tradeoff.evaluation.charts import chart_of
from tradeoff.render.chart import Bars, Cells, Line, Points, Ranges, Ribbon, Scale
from tradeoff.thresholds.chart import band_chart, decision_chart
from tradeoff.views.matrices import matrix_chart
from tradeoff.views.score_chart import scores_chart


@pytest.fixture(scope="module")
def e():
    return ten_rows()


@pytest.fixture(scope="module")
def sah():
    return three_markers()


def lines(chart, *roles):
    return [one for one in chart.layers if isinstance(one, Line) and one.role in roles]


def of_kind(chart, kind):
    return next(layer for layer in chart.layers if isinstance(layer, kind))


# Scores


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
def test_shares_of_a_class_add_up_to_one(ranking):
    for bars in scores_chart(ranking).layers:
        assert isinstance(bars, Bars)
        assert bars.heights.sum() == pytest.approx(1)
        assert (np.diff(bars.edges) > 0).all()


def test_infinite_scores_are_in_the_outermost_bars_and_told():
    e = to.evaluate(actual=[0, 1, 1], score=[-math.inf, 0.5, math.inf])
    chart = scores_chart(e.ranking)

    assert chart.layers[0].heights[0] == 1
    assert chart.layers[1].heights[-1] == 0.5
    assert "2 lie beyond the scale" in chart.caption


def test_scores_that_are_all_tied_are_one_bar():
    chart = scores_chart(to.evaluate(actual=[0, 1, 1], score=[7.0, 7.0, 7.0]).ranking)

    assert [np.count_nonzero(bars.heights) for bars in chart.layers] == [1, 1]
    assert chart.x.low < 7 < chart.x.high


def test_few_grades_have_a_bar_each(sah):
    negative, positive = scores_chart(sah["wfns"].ranking).layers

    assert negative.edges.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert positive.heights[-1] == pytest.approx(18 / 41)


def test_very_skewed_scores_are_spaced_by_logarithm(sah):
    assert scores_chart(sah["ndka"].ranking).x.kind == "log"
    assert scores_chart(sah["s100b"].ranking).x.kind == "plain"


def test_one_far_score_does_not_squeeze_all_others():
    rng = np.random.default_rng(0)
    score = np.append(rng.normal(size=400), 1e9)
    chart = scores_chart(to.evaluate(actual=np.arange(401) % 2, score=score).ranking)

    assert chart.x.high < 10
    assert "beyond the scale" in chart.caption


def test_a_band_and_thresholds_are_shown_among_scores(e):
    chart = chart_of(e, "scores", threshold=0.5, undecided=(0.6, 0.4))

    assert of_kind(chart, Ribbon).x.tolist() == [0.4, 0.6]
    assert lines(chart, "mark")[0].x.tolist() == [0.5, 0.5]


# Matrices


def test_a_matrix_tells_counts_and_shares_of_the_actual_class():
    matrix = to.ConfusionMatrix(7, 2, 4, 1, 1, 0, positive="yes", negative="no")
    chart = matrix_chart(matrix)

    cells = of_kind(chart, Cells)
    assert cells.texts == (
        ("7 (70 %)", "2 (20 %)", "1 (10 %)"),
        ("4 (80 %)", "1 (20 %)", "0 (0 %)"),
    )
    assert chart.x.names == ("yes", "no", "rejected")
    assert chart.y.names == ("yes", "no")
    turned = matrix_chart(matrix, rows="predicted")
    assert turned.y.names == chart.x.names
    assert of_kind(turned, Cells).texts[2] == ("1 (10 %)", "0 (0 %)")


def test_fifty_classes_leave_empty_cells_empty():
    matrix = to.ClassMatrix(np.diag(np.arange(50)), tuple(f"c{i}" for i in range(50)))
    cells = of_kind(matrix_chart(matrix), Cells)

    assert sum(bool(text) for line in cells.texts for text in line) == 49
    assert cells.texts[7][7] == "7"
    assert np.isnan(cells.shares[0]).all()  # no row of this class


def test_a_matrix_is_at_the_threshold_that_is_asked_for(sah):
    one = sah["s100b"]
    best = one.best("youden")
    cells = of_kind(chart_of(one, "matrix", by="youden"), Cells)

    assert cells.texts[0][0].startswith(f"{best.confusion.true_positives} ")


# Calibration, decisions, hulls, comparisons


def test_a_reliability_diagram_has_its_bins_and_band(e):
    chart = chart_of(e, "calibration")

    assert of_kind(chart, Ribbon).label == "95 % band if probabilities were right"
    bins = e.curve("calibration", by="isotonic")
    assert of_kind(chart, Points).y.tolist() == bins.y.tolist()
    assert not any(isinstance(x, Ribbon) for x in chart_of(e, "calibration", bands=None).layers)


def test_weighed_rows_have_a_reliability_diagram_without_a_band(e):
    chart = chart_of(e, "calibration", prevalence=0.2)

    assert not any(isinstance(layer, Ribbon) for layer in chart.layers)


def test_the_chosen_point_of_a_decision_is_the_best_of_its_line(e):
    for along in ("threshold", "depth"):
        chart = decision_chart(e.best("youden"), along=along)
        mark, (line,) = of_kind(chart, Points), lines(chart, "model")
        assert mark.y[0] == np.nanmax(line.y)


def test_moving_one_end_of_a_band_costs_what_the_search_says(e):
    for asked in ({"costs": Costs(false_negative=3, rejected=0.2)}, {"gamma": 2.0}):
        decision = e.best_band(**asked)
        chart = band_chart(decision)
        upper, lower = lines(chart, "model")
        size = len(decision.ranking)
        brute = [
            decision.search.worth(decision.ranking, place, decision.lower_place, None)
            for place in range(decision.lower_place + 1)
        ]
        assert sorted(set(upper.y[~np.isnan(upper.y)])) == pytest.approx(sorted(set(brute)))
        brute = [
            decision.search.worth(decision.ranking, decision.upper_place, place, None)
            for place in range(decision.upper_place, size)
        ]
        assert sorted(set(lower.y[~np.isnan(lower.y)])) == pytest.approx(sorted(set(brute)))
        assert of_kind(chart, Points).y.tolist() == [decision.value] * 2


def test_the_decision_map_is_the_least_cost_of_any_vertex(sah):
    (envelope,) = lines(chart_of(sah, "decision_map"), "hull")

    hull = sah.hull()
    for x in np.linspace(0, 1, 30):
        least = min(vertex.cost(x) for vertex in hull.vertices)
        assert np.interp(x, envelope.x, envelope.y) == pytest.approx(least)


def test_differences_are_drawn_around_zero_also_without_intervals():
    known = Difference("a", "b", "auc", 0.8, 0.7, low=0.02, high=0.18)
    unknown = Difference("a", "c", "auc", math.nan, 0.7)
    chart = differences_chart([known, unknown])

    ranges = of_kind(chart, Ranges)
    assert ranges.value.tolist()[0] == pytest.approx(0.1)
    assert math.isnan(ranges.low[1])
    assert chart.x.low < 0 < chart.x.high
    assert chart.y.names == ("a − b", "a − c")


def test_a_model_without_an_area_says_why():
    e = to.evaluate(actual=[1, 1], score={"m": [1, 2]})
    chart = chart_of(e, "areas")

    assert "m: " in chart.caption


def test_charts_of_nothing_are_refused():
    with pytest.raises(InputError, match="at least one"):
        differences_chart([])
    with pytest.raises(InputError, match="at least one"):
        estimates_chart({}, "AUC")


def test_a_scale_of_probabilities_is_whole():
    ranking = to.evaluate(actual=[0, 1], score=[0.3, 0.6]).ranking

    assert scores_chart(ranking).x == Scale("score (score)", 0.0, 1.0)


def test_whatever_the_library_answers_with_has_a_chart():
    random = np.random.default_rng(0)
    actual = random.random(60) < 0.5
    scores = {"a": random.random(60) + actual, "b": random.random(60)}
    e = to.evaluate(actual=actual, score=scores, fold=np.arange(60) % 3)
    one, c = e["a"], to.compare(actual=actual, score=scores)
    many = to.confusion_matrix(["x", "y", "z"], ["x", "z", "z"])
    band = one.best_band(costs=to.Costs(rejected=0.1))
    answers = [e, one.best("youden"), band, c, one.at(0.5), many, one.curve("lift"), one.average()]

    assert [to.chart(answer).title for answer in answers] == [
        "ROC curve",
        "Youden's J by threshold",
        "Expected cost by the ends of the band",
        "Differences in AUC",
        "Confusion matrix",
        "Confusion matrix",
        "Lift",
        "ROC curve over folds",
    ]
    assert to.chart(e, "gains").title == "Cumulative gains"
    with pytest.raises(InputError, match="No chart of a float is known"):
        to.chart(0.5)


def test_a_line_stands_beside_the_bar_of_a_single_score():
    e = to.evaluate(actual=[0, 0, 1, 1, 1], score=[1, 2, 3, 4, 5])
    lower = to.evaluate(actual=[1, 1, 0], score=[1, 2, 3], lower_is_positive=True)

    def line(evaluation, at):
        return float(to.chart(evaluation, "scores", threshold=at).layers[-1].x[0])

    assert [line(e, at) for at in (3, 2.1, 5, 6)] == [2.5, 2.5, 4.5, 5.5]
    assert [line(lower, at) for at in (1, 2.5, 3)] == [1.5, 2.5, 3.5]


def test_lines_beside_curves_are_drawn_where_all_models_share_them():
    actual = [0, 1, 0, 1, 1]
    scores = {"a": [0.1, 0.9, 0.6, 0.8, 0.3], "b": [0.9, 0.1, 0.6, 0.4, 0.3]}
    e = to.evaluate(actual=actual, score=scores)

    def roles(evaluation, name):
        return {layer.role for layer in to.chart(evaluation, name).layers}

    assert "chance" in roles(e, "roc")
    assert "chance" in roles(e["a"], "accuracy_rejection")
    assert roles(e, "accuracy_rejection") == {"model"}  # they differ in accuracy, so in guessing


def test_costs_mark_where_one_is_on_the_decision_map():
    e = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.35, 0.4, 0.8])
    mark = to.chart(e, "decision_map", costs=to.Costs(false_negative=3)).layers[-1]

    assert mark.label == "these costs: PC(+) = 0.75"
    assert float(mark.x[0]) == 0.75


def test_axes_must_be_axes():
    e = to.evaluate(actual=[0, 1], score=[0.1, 0.4])
    with pytest.raises(InputError, match="`ax` is matplotlib's axes, not 3"):
        e.plot("roc", ax=3)
