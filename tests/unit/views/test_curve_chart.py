"""Charts as data: their lines, marks and labels agree with the analysis."""

import math

import numpy as np
import pytest
from chart_cases import ACTUAL, SCORE, ten_rows, three_markers
from hypothesis import given
from strategies import rankings

import tradeoff as to
from tradeoff.core.costs import Costs
from tradeoff.errors import InputError, UnknownName
from tradeoff.evaluation.charts import chart_names, evaluation_chart
from tradeoff.measures.curves.registry import find_curve_kind
from tradeoff.render.chart import Line, Points, Ribbon
from tradeoff.render.estimate_text import format_value_interval


@pytest.fixture(scope="module")
def e():
    return ten_rows()


@pytest.fixture(scope="module")
def sah():
    return three_markers()


@pytest.fixture(scope="module")
def folds():
    rng = np.random.default_rng(3)
    actual = rng.random(300) < 0.4
    score = rng.normal(size=300) + actual
    return to.evaluate(actual=actual, score=score, fold=np.arange(300) % 5)


def lines(chart, *roles):
    return [layer for layer in chart.layers if isinstance(layer, Line) and layer.role in roles]


def of_kind(chart, kind):
    return next(layer for layer in chart.layers if isinstance(layer, kind))


# Curves


@pytest.mark.parametrize("name", [n for n in chart_names() if n != "folds"])
def test_every_named_chart_can_be_created(e, name):
    chart = evaluation_chart(
        e, name, replicates=50, **({"coverage": 0.8} if name == "rejection" else {})
    )

    assert chart.title
    assert chart.layers
    assert chart.x.label or name == "areas"
    assert chart.x.low < chart.x.high
    assert chart.y.low < chart.y.high


def test_a_roc_chart_holds_the_curve_chance_and_the_area(e):
    chart = evaluation_chart(e, "roc")

    (model,) = lines(chart, "model")
    (chance,) = lines(chart, "chance")
    assert (model.x.tolist(), model.y.tolist()) == (
        e.curve("roc").x.tolist(),
        e.curve("roc").y.tolist(),
    )
    assert chance.x.tolist() == [0, 1]
    auc = e.auc
    assert model.label == f"score {auc.value:.3f} ({auc.low:.3f}–{auc.high:.3f})"
    assert chart.legend_title == "AUC (95% CI)"
    assert chart.square
    assert not lines(chart, "ideal")  # it would run along the frame


def test_axis_labels_name_the_users_classes(sah):
    chart = evaluation_chart(sah["s100b"], "roc", level=None)

    assert chart.x.label == "False positive rate (share of 'Good' predicted 'Poor')"
    assert chart.y.label == "True positive rate (recall of 'Poor')"
    assert "113 rows, 41 of them 'Poor'." in chart.caption


def test_a_gains_chart_has_the_line_of_a_perfect_ranking(sah):
    (ideal,) = lines(evaluation_chart(sah["s100b"], "gains"), "ideal")

    assert ideal.x.tolist() == pytest.approx([0, 41 / 113, 1])


@pytest.mark.parametrize("lower", [False, True])
def test_a_curve_over_thresholds_has_the_metrics_value_at_each_threshold(lower):
    e = to.evaluate(actual=ACTUAL, score=SCORE, lower_is_positive=lower)
    (line,) = lines(evaluation_chart(e, x="threshold", y="accuracy"), "model")

    assert line.steps
    assert (np.diff(line.x) >= 0).all()
    for threshold in np.random.default_rng(0).uniform(0, 1, 50):
        at = np.searchsorted(line.x, threshold, "right") - 1  # level up to the next x
        assert line.y[at] == e.metric("accuracy", threshold, level=None).value


def test_precision_is_interpolated_nonlinearly_between_distant_points():
    e = to.evaluate(actual=[1] * 4 + [0] * 4, score=[3, 3, 1, 1, 3, 1, 1, 1])
    (line,) = lines(evaluation_chart(e, "precision_recall"), "model")
    curve = e.curve("precision_recall")

    assert len(line.x) > 20
    inside = ~np.isnan(line.y) & (line.x > 0) & (line.x < 1)
    for x, y in zip(line.x[inside], line.y[inside], strict=True):
        assert y == pytest.approx(curve.y_at(float(x)))


def test_marked_thresholds_lie_on_the_curve_labelled_by_their_criterion(sah):
    model = sah["s100b"]
    chart = evaluation_chart(model, "roc", threshold=[0.2, 0.5], by="youden")

    marks = of_kind(chart, Points)
    best = model.best("youden")
    assert marks.texts == ("≥ 0.2", "≥ 0.5", f"youden: ≥ {best.threshold:.3g}")
    rates = [(model.metric("fpr", t).value, model.metric("tpr", t).value) for t in (0.2, 0.5)]
    assert np.column_stack([marks.x, marks.y])[:2] == pytest.approx(np.array(rates))


def test_marks_lie_on_a_profit_curve_with_a_fixed_cost(e):
    costs = Costs(false_positive=1, true_positive=-3, fixed=2)
    chart = evaluation_chart(e, "profit", costs=costs, threshold=0.5)

    marks = of_kind(chart, Points)
    matrix = e.at(0.5)
    assert marks.y.tolist() == [-costs.total(matrix)]
    assert marks.x.tolist() == [matrix.predicted_positives / matrix.rows]


def test_thresholds_cannot_be_marked_on_a_curve_without_thresholds(e):
    with pytest.raises(InputError, match="points of the cost curve are not thresholds"):
        evaluation_chart(e, "cost", threshold=0.5)


def test_a_threshold_that_is_a_parameter_of_the_curve_is_not_marked(e):
    chart = evaluation_chart(e, "predictive_values", threshold=0.3)

    curve = e.curve("predictive_values", threshold=0.3)
    assert lines(chart, "model")[0].y[100] == curve.y[100]


def test_bands_are_those_of_the_evaluation(sah):
    model = sah["s100b"]
    ribbon = of_kind(evaluation_chart(model, "roc", band="pointwise", replicates=100), Ribbon)

    band = model.band("roc", replicates=100)
    assert ribbon.low.tolist() == band.low.tolist()
    assert ribbon.label == "95% confidence band (pointwise)"


def test_the_iso_cost_line_touches_the_hull_from_above(sah):
    chart = evaluation_chart(sah, "roc", hull=True, costs=Costs(false_negative=3))

    (hull,), (iso,) = lines(chart, "hull"), lines(chart, "iso")
    slope = np.diff(iso.y)[0] / np.diff(iso.x)[0]
    assert slope == pytest.approx(Costs(false_negative=3).slope(41 / 113))
    above = iso.y[0] + slope * (hull.x - iso.x[0]) - hull.y
    assert above.min() == pytest.approx(0, abs=1e-12)


def test_of_fifty_models_those_of_largest_auc_are_named_and_the_rest_counted():
    rng = np.random.default_rng(0)
    actual = rng.random(60) < 0.5
    e = to.evaluate(actual=actual, score={f"m{i}": rng.normal(size=60) for i in range(50)})
    chart = evaluation_chart(e, "roc")

    named = lines(chart, "model")
    rest = lines(chart, "fold")
    aucs = {name: e[name].auc.value for name in e.rankings}
    best = sorted(aucs, key=aucs.get, reverse=True)[:8]
    assert [line.order for line in named] == list(range(8))
    assert [line.label.split()[0] for line in named] == best
    assert len(rest) == 42
    assert [line.label for line in rest if line.label] == ["and 42 more"]
    assert "Of 50 models, the 8 of largest AUC are named." in chart.caption


def test_eight_models_keep_their_order():
    rng = np.random.default_rng(0)
    actual = rng.random(60) < 0.5
    e = to.evaluate(actual=actual, score={f"m{i}": rng.normal(size=60) for i in range(8)})

    named = lines(evaluation_chart(e, "gains"), "model")
    assert [line.label for line in named] == [f"m{i}" for i in range(8)]


@pytest.mark.parametrize(
    ("name", "summary", "title"),
    [
        ("precision_recall", "pr_area", "Area (95% CI)"),
        ("precision_recall_gain", "pr_gain_area", "Area (95% CI)"),
        ("brier", "brier", "Brier score (95% CI)"),
        ("risk_coverage", "aurc", "Area (95% CI)"),
    ],
)
def test_labels_hold_the_interval_of_the_summary_that_equals_the_area(name, summary, title):
    rng = np.random.default_rng(0)
    actual = rng.random(200) < 0.4
    e = to.evaluate(actual=actual, score=1 / (1 + np.exp(-rng.normal(size=200) - actual)))
    chart = evaluation_chart(e, name)

    estimate = e.summary(summary)
    assert estimate.value == pytest.approx(e.curve(name).area().value)
    assert lines(chart, "model")[0].label == "score " + format_value_interval(
        estimate.value, estimate.low, estimate.high
    )
    assert chart.legend_title == title


def test_an_area_at_another_threshold_has_no_interval(e):
    chart = evaluation_chart(e, "risk_coverage", threshold=0.3)

    area = e.curve("risk_coverage", threshold=0.3).area()
    assert lines(chart, "model")[0].label == f"score {area.value:.3f}"
    assert chart.legend_title == "Area"


def test_folds_of_more_than_three_models_have_no_bands():
    rng = np.random.default_rng(0)
    actual = rng.random(60) < 0.5
    models = {f"m{i}": rng.normal(size=60) for i in range(9)}
    e = to.evaluate(actual=actual, score=models, fold=np.arange(60) % 3)
    chart = evaluation_chart(e, "folds")

    assert not [layer for layer in chart.layers if isinstance(layer, Ribbon)]
    assert len(lines(chart, "average")) == 8
    assert [line.label for line in lines(chart, "fold")] == ["and 1 more"]
    assert evaluation_chart(e, "folds", band="sd").layers[-2].order == 7


def test_a_name_of_a_thousand_letters_is_shortened():
    e = to.evaluate(actual=[0, 1], score={"a" * 1000: [1, 2]})

    assert all(len(layer.label) < 80 for layer in evaluation_chart(e, "roc").layers)


@pytest.mark.parametrize("name", ["roc", "gains", "det", "lift", "scores", "matrix", "areas"])
@pytest.mark.parametrize("actual", [[1, 1, 1], [0, 0, 0], [1]])
def test_a_chart_of_rows_of_one_class_says_so(name, actual):
    e = to.evaluate(actual=actual, score=[0.2, 0.5, 0.9][: len(actual)])
    chart = evaluation_chart(e, name)

    assert chart.layers
    if name == "roc":
        assert lines(chart, "model")[0].label == "score (no AUC)"


@given(rankings(min_size=1))
def test_any_ranking_can_be_drawn(ranking):
    evaluation = to.Evaluation({"m": ranking})
    for name in ("roc", "scores", "ks", "lift", "matrix", "expected_cost"):
        chart = evaluation_chart(evaluation, name, level=None)
        assert math.isfinite(chart.x.low)
        assert chart.x.low < chart.x.high < math.inf
        assert chart.y.low < chart.y.high < math.inf


def test_several_metrics_over_the_threshold_are_several_lines(e):
    chart = evaluation_chart(e, x="threshold", y=["precision", "recall"])

    assert len(lines(chart, "model")) == 2
    assert chart.y.label == "Value"


def test_det_curves_are_spaced_by_normal_quantiles_and_stay_inside(e):
    chart = evaluation_chart(e, "det")

    (line,) = lines(chart, "model")
    assert (chart.x.kind, chart.y.kind) == ("normal", "normal")
    assert (line.x >= chart.x.low).all()
    assert (line.y <= chart.y.high).all()


def test_net_benefit_is_drawn_between_treating_all_and_none(e):
    chart = evaluation_chart(e, "net_benefit")

    assert [line.label for line in lines(chart, "chance", "iso")] == ["treat all", "treat none"]
    (model,) = lines(chart, "model")
    assert model.y[0] == pytest.approx(0.5)  # at 0 everybody is treated
    assert model.y[900] == pytest.approx(float(e.curve("net_benefit").formula(0.45)))


# Names and options


def test_an_unknown_chart_names_the_closest_one(e):
    with pytest.raises(UnknownName, match=r"No chart is called 'matrx'\. Did you mean 'matrix'"):
        evaluation_chart(e, "matrx")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("matrix", {"hull": True}, r"The matrix chart has no option 'hull'.*'rows'"),
        ("decision_map", {"bins": 3}, "no option 'bins'. Its options are 'costs'"),
        ("roc", {"bins": 3}, "The roc curve takes no parameters: leave out 'bins'"),
        ("gains", {"hull": True}, "drawn over ROC curves"),
        ("roc", {"average": "vertical"}, "No folds were read"),
        ("scores", {"bins": 0}, "bins must be at least 1"),
        ("profit", {"costs": 5}, "Costs must be tradeoff.Costs"),
        ("matrix", {"rows": "left"}, '"actual" or "predicted"'),
        ("decision", {"along": "x"}, 'must be "threshold" or "depth"'),
    ],
)
def test_invalid_chart_options_are_refused(e, name, options, message):
    with pytest.raises(to.TradeoffError, match=message):
        evaluation_chart(e, name, **options)


def test_costs_that_were_read_are_those_of_the_chart():
    costs = Costs(false_negative=5)
    e = to.evaluate(actual=ACTUAL, score=SCORE, costs=costs)

    (line,) = lines(evaluation_chart(e, "expected_cost"), "model")
    assert line.y[-1] == costs.total(e.at(math.inf)) / 10  # nothing is called positive
    best = of_kind(evaluation_chart(e, "decision"), Points)
    assert best.x.tolist() == [e.best().threshold]
    with pytest.raises(InputError, match="does not use these costs"):
        evaluation_chart(e, x="threshold", y="expected_cost")


def test_a_chart_of_a_single_model_requires_a_model_name(sah):
    with pytest.raises(
        InputError, match="for a single model: choose one of 's100b', 'ndka' and 'wfns'"
    ):
        evaluation_chart(sah, "matrix")


def test_a_chart_takes_a_name_or_two_axes(e):
    with pytest.raises(InputError, match="both metrics"):
        evaluation_chart(e, x="fpr")
    with pytest.raises(InputError, match="not all three"):
        evaluation_chart(e, "roc", x="fpr", y="tpr")


def test_a_prevalence_moves_precision(e):
    at_ten_percent, in_data = (
        lines(evaluation_chart(e, "precision_recall", prevalence=p), "chance")[0].y[0]
        for p in (0.1, None)
    )

    assert (at_ten_percent, in_data) == (pytest.approx(0.1), 0.5)


# Folds


def test_folds_are_thin_behind_their_average_and_band(folds):
    chart = evaluation_chart(folds, "folds")

    assert len(lines(chart, "fold")) == 5
    (average,) = lines(chart, "average")
    ribbon = of_kind(chart, Ribbon)
    expected = folds.average("roc")
    assert average.y.tolist() == expected.y.tolist()
    assert np.array_equal(ribbon.low, expected.band("t").low, equal_nan=True)
    assert average.label == f"score {expected.area().value:.3f}"
    assert chart.legend_title == "Mean AUC"


@pytest.mark.parametrize("how", ["vertical", "horizontal", "threshold", "pooled"])
@pytest.mark.parametrize("name", ["roc", "gains"])
def test_any_average_is_a_chart(folds, how, name):
    chart = evaluation_chart(folds, name, average=how)

    assert len(lines(chart, "average")) == 1


def test_an_average_over_thresholds_is_level_up_to_the_next_score(folds):
    chart = evaluation_chart(folds, "expected_cost", average="vertical")

    (line,) = lines(chart, "average")
    fold_curves = [
        find_curve_kind("expected_cost").make(ranking) for ranking in folds.folds["score"].values()
    ]
    for threshold in (-0.5, 0.2, 0.9):
        at = np.searchsorted(line.x, threshold, "right") - 1
        mean = np.mean([float(curve.formula(threshold)) for curve in fold_curves])
        assert line.y[at] == pytest.approx(mean)


def test_a_fold_of_one_class_is_left_out_and_named():
    e = to.evaluate(actual=[0, 1, 0, 1, 1], score=[1, 2, 3, 4, 5], fold=["a", "a", "b", "b", "c"])

    assert (
        "Fold c was left out: every row belongs to class 1." in evaluation_chart(e, "folds").caption
    )
