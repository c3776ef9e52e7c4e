"""Properties of curves, hulls and averages, over random rankings."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import rankings, scored

import tradeoff as to
from tradeoff.cli.program import main
from tradeoff.errors import InputError
from tradeoff.evaluation.charts import chart_names
from tradeoff.hulls.hull import hull
from tradeoff.measures.curves import CURVES, curve_of_metrics, named_curve
from tradeoff.measures.curves.average import average_curve
from tradeoff.measures.curves.registry import QUANTITIES, UNNAMED_CURVE_KIND
from tradeoff.views.scales import scale_range

SMALL_SCORES = st.integers(-4, 4).map(float)
PROBABILITIES = st.integers(0, 10).map(lambda tenths: tenths / 10)
both_classes = rankings(scores=PROBABILITIES, min_size=2).filter(
    lambda r: r.positives and r.negatives
)
RANK_CURVES = ["roc", "precision_recall", "gains", "lift", "det"]
close = {"rel": 1e-9, "abs": 1e-9}


@pytest.mark.parametrize("name", sorted(CURVES))
@given(ranking=both_classes)
@settings(max_examples=25)
def test_every_curve_has_axes_columns_and_a_line(name, ranking):
    curve_by_name = named_curve(ranking, name)
    columns = curve_by_name.columns()
    assert (
        curve_by_name.name == name
    )  # else it loses its title, its description and its name in documents

    assert {len(values) for values in columns.values()} == {len(curve_by_name)}
    assert {curve_by_name.across.name, curve_by_name.up.name} <= set(columns)
    for line in (curve_by_name.chance, curve_by_name.ideal):
        assert line is None or all(math.isfinite(v) for point in line for v in point)
    area = curve_by_name.area()
    assert area.is_defined == (area.reason is None)


@pytest.mark.parametrize("name", [n for n, m in to.METRICS.items() if m.linear])
@given(ranking=both_classes, share=st.integers(0, 10), data=st.data())
@settings(max_examples=15)
def test_linear_metrics_of_a_mixture_are_mixtures_of_metrics(name, ranking, share, data):
    first, second = (
        ranking.at_place(data.draw(st.integers(0, ranking.distinct))) for _ in range(2)
    )
    metric = to.METRICS[name].with_parameters(at=0.3) if name == "net_benefit" else to.METRICS[name]
    mixed = metric(first.mixed(second, share / 10))

    straight = (1 - share / 10) * metric(first) + share / 10 * metric(second)
    assert mixed == pytest.approx(straight, **close)


@pytest.mark.parametrize("name", RANK_CURVES)
@given(ranking=both_classes)
@settings(max_examples=25)
def test_a_curve_passes_through_its_own_points(name, ranking):
    curve_by_name = named_curve(ranking, name)

    for x, y in zip(curve_by_name.x, curve_by_name.y, strict=True):
        if math.isnan(x) or math.isnan(y):
            continue
        better = max if curve_by_name.up.better == "higher" else min
        ys = [
            v
            for u, v in zip(curve_by_name.x, curve_by_name.y, strict=True)
            if u == x and not math.isnan(v)
        ]
        assert curve_by_name.y_at(x) == pytest.approx(better(ys), **close)


@given(ranking=both_classes, x=st.integers(0, 20))
def test_between_points_precision_is_that_of_the_expected_counts(ranking, x):
    recall = x / 20
    pr_curve = named_curve(ranking, "precision_recall")
    value = pr_curve.y_at(recall)

    true_positives = recall * float(ranking.positives)
    candidates = []
    steps = zip(ranking.true_positives, ranking.false_positives, strict=True)
    points = list(steps)
    for (t0, f0), (t1, f1) in pairwise(points):
        if t0 < t1 and t0 <= true_positives <= t1:
            false_positives = f0 + (f1 - f0) * (true_positives - t0) / (t1 - t0)
            if true_positives + false_positives > 0:
                candidates.append(true_positives / (true_positives + false_positives))
        elif t0 == t1 == true_positives:
            candidates += [t / (t + f) for t, f in ((t0, f0), (t1, f1)) if t + f]
    expected = max(candidates) if candidates else math.nan
    assert value == pytest.approx(expected, nan_ok=True, **close)


@given(both_classes)
def test_areas_equal_the_summaries(ranking):
    auc = to.SUMMARIES["auc"](ranking)
    assert named_curve(ranking, "roc").area().value == pytest.approx(auc, **close)
    assert named_curve(ranking, "det").area().value == pytest.approx(1 - auc, **close)
    for name, summary in [("precision_recall", "pr_area"), ("brier", "brier")]:
        area = named_curve(ranking, name).area()
        assert area.value == pytest.approx(to.SUMMARIES[summary](ranking), **close)
    # Positives precede each other half of the time: gains area = auc * (1 - p) + p / 2.
    p = ranking.positives / ranking.rows
    gains = named_curve(ranking, "gains").area().value
    assert gains == pytest.approx(auc * (1 - p) + p / 2, **close)


@given(both_classes, st.integers(0, 10), st.integers(1, 10))
def test_parts_of_an_area_add_up(ranking, start, size):
    cut, end = start / 20, (start + size) / 20
    for name in ("roc", "precision_recall", "brier", "risk_coverage"):
        curve_by_name = named_curve(ranking, name)
        parts = [
            curve_by_name.area(cut, end).value,
            curve_by_name.area(end, 1.0).value if end < 1 else 0.0,
        ]
        whole = curve_by_name.area(cut, 1.0).value
        assert sum(parts) == pytest.approx(whole, **close)


@given(both_classes, st.integers(0, 20))
def test_the_cost_curve_is_the_minimum_over_all_thresholds(ranking, x):
    at = x / 20
    det = named_curve(ranking, "det")
    lines = (1 - at) * det.x + at * det.y

    assert named_curve(ranking, "cost").y_at(at) == pytest.approx(lines.min(), **close)


@given(both_classes)
def test_rejection_curves_match_the_metrics_of_the_accepted_rows(ranking):
    for name, x, y in [
        ("risk_coverage", "coverage", "accepted_error_rate"),
        ("accuracy_rejection", "rejection_rate", "accepted_accuracy"),
    ]:
        columns = named_curve(ranking, name).columns()
        matrices = to.ConfusionMatrix(
            columns["true_positives"],
            columns["false_negatives"],
            columns["false_positives"],
            columns["true_negatives"],
            columns["rejected_positives"],
            columns["rejected_negatives"],
        )
        for metric in (x, y):
            values = to.METRICS[metric](matrices)
            np.testing.assert_allclose(columns[metric], values, atol=1e-12)
        # The accepted rows are those at least this far from one half.
        for distance, decided in zip(columns["distance"], matrices.decided, strict=True):
            far = np.abs(ranking.thresholds[1:] - 0.5) >= distance
            rows = np.diff(ranking.confusion.predicted_positives)
            assert rows[far].sum() == decided


@given(both_classes, st.sampled_from([2.0**-10, 8.0, 2.0**900]))
def test_rejection_curves_do_not_depend_on_the_scale_of_scores(ranking, scale):
    scores = np.concatenate([ranking.thresholds[:1], ranking.thresholds[1:] * scale])
    scaled = replace(ranking, tally=ranking.tally._replace(thresholds=scores))

    for name in ("risk_coverage", "accuracy_rejection"):
        first = named_curve(ranking, name, threshold=0.25)
        second = named_curve(scaled, name, threshold=0.25 * scale)
        np.testing.assert_allclose(first.y, second.y, atol=1e-12)


@given(both_classes, st.sampled_from(["rows", "width", "isotonic"]), st.integers(1, 12))
def test_calibration_bins_contain_every_row_once_and_split_no_score(ranking, by, bins):
    columns = named_curve(ranking, "calibration", by=by, bins=bins).columns()

    assert columns["rows"].sum() == ranking.rows
    assert columns["positives"].sum() == ranking.positives
    assert (columns["low"] <= columns["mean_score"] + 1e-12).all()
    assert (columns["high"] >= columns["mean_score"] - 1e-12).all()
    assert (columns["low"][1:] > columns["high"][:-1]).all()
    if by == "isotonic":
        assert (np.diff(columns["positive_share"]) > 0).all()


@given(both_classes, st.integers(1, 12))
def test_lift_bins_contain_every_row_once(ranking, bins):
    assume(bins <= ranking.rows)
    columns = named_curve(ranking, "bin_lift", bins=bins).columns()

    assert columns["rows"].sum() == ranking.rows
    assert columns["rows"].max() - columns["rows"].min() <= 1
    assert columns["positives"].sum() == pytest.approx(float(ranking.positives))
    assert (columns["parted"] <= columns["rows"]).all()
    assert columns["lift"][-1] == pytest.approx(1.0)


@given(scored(scores=SMALL_SCORES, min_size=2))
def test_increasing_transformations_of_scores_leave_rank_curves_unchanged(rows):
    assume(rows[1].any() and not rows[1].all())
    plain, other = (to.Ranking.of(s, rows[1]) for s in (rows[0], np.exp(rows[0]) * 3 - 1))

    for name in [*RANK_CURVES, "cost", "precision_recall_gain"]:
        first, second = named_curve(plain, name), named_curve(other, name)
        np.testing.assert_array_equal(first.x, second.x)
        np.testing.assert_array_equal(first.y, second.y)
    assert [v.tpr for v in hull({"m": plain}).vertices] == [
        v.tpr for v in hull({"m": other}).vertices
    ]


@given(both_classes)
def test_the_hull_is_never_below_the_curve_and_is_the_isotonic_regression(ranking):
    from scipy.optimize import isotonic_regression

    places = ranking.hull_places
    tpr, fpr = ranking.true_positives, ranking.false_positives
    heights = np.interp(fpr, fpr[places], tpr[places])
    at_jump = np.array([tpr[places][fpr[places] == x].max(initial=-1) for x in fpr])
    assert (np.maximum(heights, at_jump) >= tpr - 1e-9).all()
    # Pool adjacent violators: the slope of each edge gives the calibrated probability of its rows.
    positives = np.diff(tpr)
    rows = positives + np.diff(fpr)
    fitted = isotonic_regression(positives / rows, weights=rows, increasing=False).x
    shares = np.diff(tpr[places]) / (np.diff(tpr[places]) + np.diff(fpr[places]))
    np.testing.assert_allclose(fitted, np.repeat(shares, np.diff(places)), atol=1e-12)


@given(st.lists(both_classes, min_size=1, max_size=3))
@settings(max_examples=50)
def test_the_hull_of_several_models_lies_above_all_and_touches_them(models):
    named = {f"m{i}": ranking for i, ranking in enumerate(models)}
    common = hull(named)
    x, y = [v.fpr for v in common.vertices], [v.tpr for v in common.vertices]

    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    assert all(a > b for a, b in zip(common.slopes, common.slopes[1:], strict=False))
    for ranking in models:
        fpr = ranking.false_positives / ranking.negatives
        tpr = ranking.true_positives / ranking.positives
        for slope in (*common.slopes, 0.5, 1.0, 2.0):
            if math.isfinite(slope):
                highest = max(b - slope * a for a, b in zip(x, y, strict=True))
                assert (tpr - slope * fpr).max() <= highest + 1e-9
    for vertex in common.vertices:
        if vertex.model in named:
            matrix = named[vertex.model].at(vertex.threshold)
            assert to.METRICS["fpr"](matrix) == vertex.fpr
            assert to.METRICS["tpr"](matrix) == vertex.tpr


@given(st.lists(both_classes, min_size=1, max_size=2), st.integers(1, 9), st.integers(1, 6))
def test_the_hull_contains_the_cheapest_point_for_all_costs(models, prior, miss):
    named = {f"m{i}": ranking for i, ranking in enumerate(models)}
    costs, prevalence = to.Costs(false_negative=float(miss)), prior / 10
    best = hull(named).best(costs, prevalence)

    def cost(fpr, tpr):
        return prevalence * miss * (1 - tpr) + (1 - prevalence) * fpr

    cheapest = min(_cheapest(ranking, cost) for ranking in models)
    assert best
    assert all(cost(v.fpr, v.tpr) == pytest.approx(cheapest, **close) for v in best)


def _cheapest(ranking, cost):
    fpr = ranking.false_positives / ranking.negatives
    tpr = ranking.true_positives / ranking.positives
    return cost(fpr, tpr).min()


random_folds = st.lists(both_classes, min_size=1, max_size=4).map(
    lambda models: {str(i): ranking for i, ranking in enumerate(models)}
)


@given(random_folds)
def test_the_area_of_the_vertical_average_is_the_mean_area(folds):
    average = average_curve(folds, "roc")
    areas = [to.SUMMARIES["auc"](ranking) for ranking in folds.values()]

    assert average.area().value == pytest.approx(np.mean(areas), abs=1e-12)
    assert np.trapezoid(average.y, average.x) == pytest.approx(np.mean(areas), abs=1e-12)
    assert (np.diff(average.x) >= 0).all()
    assert (average.x[0], average.y[0]) == (0, 0)
    assert average.y[-1] == pytest.approx(1, abs=1e-12)
    horizontal = average_curve(folds, "roc", method="horizontal")
    assert horizontal.area().value == pytest.approx(np.mean(areas), abs=1e-12)


@given(random_folds, st.integers(0, 19))
def test_between_breakpoints_the_vertical_average_is_the_mean_height(folds, at):
    x = (at + 0.4321) / 20
    for name in ("roc", "gains", "det", "precision_recall", "lift", "brier"):
        average = average_curve(folds, name)
        heights = [c.y_at(x) for c in average.folds.values()]
        assume(not any(np.isclose(c.x, x).any() for c in average.folds.values()))
        assert average.y_at(x) == pytest.approx(np.mean(heights), **close)
        # The table of the average can be interpolated linearly if the curves are linear.
        if name in {"roc", "gains", "det", "brier"}:
            height = np.interp(x, average.x, average.y)
            assert height == pytest.approx(np.mean(heights), **close)


@given(random_folds)
def test_the_threshold_average_uses_the_step_function_of_each_fold(folds):
    for name in ("roc", "precision_recall", "gains"):
        average = average_curve(folds, name, method="threshold")
        for place in range(1, len(average)):
            t = average.thresholds[place]
            for axis, values in (("across", average.x), ("up", average.y)):
                metric = to.METRICS[getattr(next(iter(average.folds.values())), axis).name]
                fold_values = [metric(ranking.at(t)) for ranking in folds.values()]
                assert values[place] == pytest.approx(np.nanmean(fold_values), **close)


@given(both_classes)
def test_a_curve_over_thresholds_is_a_step_function(ranking):
    precision_curve = curve_of_metrics(ranking, x="threshold", y="precision")

    for t in (-0.5, 0.05, 0.5, 0.95, 1.5):
        value = to.METRICS["precision"](ranking.at(t))
        assert precision_curve.y_at(t) == pytest.approx(value, nan_ok=True)


@given(both_classes)
def test_net_benefit_follows_its_formula_at_every_probability(ranking):
    net_benefit = named_curve(ranking, "net_benefit")
    n = ranking.rows

    for t in (0.0, 0.05, 0.3, 0.5, 0.9, 0.97):
        matrix = ranking.at(t)
        value = Fraction(int(matrix.true_positives)) - Fraction(int(matrix.false_positives)) * (
            Fraction(t) / (1 - Fraction(t))
        )
        assert net_benefit.y_at(t) == pytest.approx(float(value / n), **close)
    standardized = named_curve(ranking, "net_benefit", standardized=True)
    np.testing.assert_allclose(standardized.y * ranking.positives / n, net_benefit.y, atol=1e-12)


def test_a_curve_is_a_dataframe_of_any_library():
    e = to.evaluate(actual=[1, 0, 1], score=[0.9, 0.5, 0.2])
    curves = e.curve(x="threshold", y=["precision", "recall"])

    names = list(curves.columns())
    assert names[-3:] == ["true_negatives", "precision", "true_positive_rate"]
    assert list(curves.to_pandas().columns) == curves.to_polars().columns == names
    assert curves.to_arrow().column_names == names
    assert curves.to_pandas()["true_positive_rate"].tolist() == [0, 0.5, 0.5, 1]
    with pytest.raises(InputError, match="one y"):
        e.curve(x="fpr", y=["precision", "recall"])


def test_curve_ranks_are_unique_and_help_lists_every_curve_and_chart():
    ranks = [kind.rank for kind in to.CURVES.values() if kind.rank != UNNAMED_CURVE_KIND.rank]

    assert len(set(ranks)) == len(ranks)
    for command, names in (("curve", to.CURVES), ("plot", chart_names())):
        words = CliRunner().invoke(main, [command, "--help"]).output.replace(",", " ").split()

        assert {name.strip(".") for name in names} <= {word.strip(".();") for word in words}


@pytest.mark.parametrize("name", sorted(CURVES))
@given(ranking=both_classes)
@settings(max_examples=20)
def test_an_axis_is_a_metric_or_a_declared_quantity_and_stays_in_its_range(name, ranking):
    curve_by_name = named_curve(ranking, name)
    for axis in (curve_by_name.across, curve_by_name.up):
        finite = axis.values[np.isfinite(axis.values)]
        low, high = scale_range(axis.name)

        assert axis.name in QUANTITIES or to.METRICS.knows(axis.name)
        assert not len(finite) or low - 1e-9 <= finite.min() <= finite.max() <= high + 1e-9


def test_no_quantity_shares_a_name_with_a_measure():
    quantities = {name for kind in CURVES.values() for name in kind.quantities}

    assert {name for name in quantities if to.METRICS.knows(name)} == {"depth"}
    assert scale_range("depth") == scale_range("predicted_positive_rate")
