"""Curves against Weka, ROCR, pROC, kds and scikit-plot."""

import numpy as np
import pytest
from golden.reference import document, table

import tradeoff as to

EXACT = {"rtol": 1e-12, "atol": 1e-12}
ROCR = ["rocr_simple", "rocr_simple_rounded1"]


def rocr(name):
    rows = table(f"{name}_data.csv")
    return to.evaluate(actual=rows["label"], score=rows["prediction"])


def synthetic(name):
    rows = table(f"{name}_data.csv")
    return to.evaluate(actual=rows["label"], score=rows["score"])


@pytest.mark.parametrize(
    ("name", "positive"),
    [
        ("weka_nb_nominal", "yes"),
        ("weka_nb_nominal_posno", "no"),
        ("weka_nb_nominal_weighted", "yes"),
        ("weka_nb_breastcancer", "recurrence-events"),
    ],
)
def test_wekas_cost_lines_are_the_rates_and_ours_is_their_envelope(name, positive):
    rows, weka = table(f"{name}_predictions.csv"), table(f"{name}_cost_curve.csv")
    weight = rows["weight"] if "weighted" in name else None
    evaluated = to.evaluate(
        actual=rows["actual"], score=rows["score_pos"], positive=positive, weight=weight
    )
    det = evaluated.curve("det")
    left, right = weka["normalized_expected_cost"].reshape(-1, 2).T

    # Weka lists thresholds from low to high: a line from (0, fpr) to (1, fnr) for each.
    np.testing.assert_allclose(left[::-1], det.x, **EXACT)
    np.testing.assert_allclose(right[::-1], det.y, **EXACT)
    cost = evaluated.curve("cost")
    for at in np.linspace(0, 1, 41):
        lowest = ((1 - at) * left + at * right).min()
        assert cost.y_at(at) == pytest.approx(lowest, abs=1e-12)


@pytest.mark.parametrize("name", ROCR)
def test_the_hull_is_rocrs(name):
    hull = rocr(name).hull()
    ours = np.array([(vertex.fpr, vertex.tpr) for vertex in hull.vertices])
    theirs = table(f"{name}_convex_hull.csv")

    np.testing.assert_allclose(ours, np.column_stack([theirs["fpr"], theirs["tpr"]]), **EXACT)


@pytest.mark.parametrize("name", ROCR)
def test_the_cost_curve_is_rocrs_expected_cost(name):
    cost, theirs = rocr(name).curve("cost"), table(f"{name}_expected_cost.csv")
    # Where points of the hull lie on one line, ROCR repeats the break point, but for rounding.
    new = np.append(True, np.diff(theirs["prob_cost"]) > 1e-12)

    np.testing.assert_allclose(cost.x, theirs["prob_cost"][new], **EXACT)
    np.testing.assert_allclose(cost.y, theirs["normalized_expected_cost"][new], **EXACT)
    assert new.all() == (name == "rocr_simple")


@pytest.mark.parametrize("name", ROCR)
def test_costs_at_every_cutoff_are_rocrs(name):
    parameters = document(f"{name}_summary.json")["parameters"]
    costs = to.Costs(parameters["cost_fp"], parameters["cost_fn"])
    theirs = table(f"{name}_by_cutoff.csv")
    ours = rocr(name).curve("expected_cost", costs=costs).y

    np.testing.assert_allclose(ours, theirs["cost_weighted"], **EXACT)
    np.testing.assert_allclose(rocr(name).curve("expected_cost").y, theirs["cost_default"], **EXACT)


def test_calibration_in_windows_is_rocrs():
    window = document("rocr_simple_summary.json")["parameters"]["calibration_window"]
    theirs = table("rocr_simple_calibration_error.csv")
    curve = rocr("rocr_simple").curve("calibration", by="window", window=window)

    error = np.abs(curve.y - curve.x)[::-1]

    # 151 windows of 50 of the 200 rows; ROCR lists them from the highest scores on.
    np.testing.assert_allclose(error, theirs["abs_calibration_error"], **EXACT)


def test_calibration_in_windows_shares_ties_where_rocr_depends_on_the_order_of_rows():
    name = "rocr_simple_rounded1"
    window = document(f"{name}_summary.json")["parameters"]["calibration_window"]
    theirs = table(f"{name}_calibration_error.csv")["abs_calibration_error"]
    curve = rocr(name).curve("calibration", by="window", window=window)
    ours = np.abs(curve.y - curve.x)[::-1]

    assert len(ours) == len(theirs)
    # Windows whose borders part no tie are the same; elsewhere the order of rows decides there.
    flagged = np.cumsum(np.diff(rocr(name).ranking.confusion.predicted_positives))
    borders = {0, *flagged.tolist()}
    whole = [i for i in range(len(ours)) if {i, i + window} <= borders]
    np.testing.assert_allclose(ours[whole], theirs[whole], **EXACT)
    assert not np.allclose(ours, theirs)


@pytest.mark.parametrize("name", ["rocr_simple", "syn_a1_probabilities"])
def test_the_decile_table_is_that_of_kds(name):
    evaluated = rocr(name) if name in ROCR else synthetic(name)
    ours, kds = evaluated.curve("bin_lift").columns(), table(f"kds_{name}_decile_table.csv")

    for column, theirs, unit in [
        ("bin", "decile", 1),
        ("rows", "cnt_cust", 1),
        ("positives", "cnt_resp", 1),
        ("negatives", "cnt_non_resp", 1),
        ("highest", "prob_max", 1),
        ("lowest", "prob_min", 1),
        ("mean_score", "prob_avg", 1),
        ("positive_share", "resp_rate", 100),
        ("cumulative_rows", "cum_cust", 1),
        ("cumulative_positives", "cum_resp", 1),
        ("depth", "cum_cust_pct", 100),
        ("gain", "cum_resp_pct", 100),
        ("lift", "lift", 1),
        ("ks", "KS", 100),
    ]:
        # kds rounds to 12 digits.
        np.testing.assert_allclose(
            ours[column] * unit, kds[theirs], rtol=0, atol=1e-10, err_msg=column
        )
    assert (ours["parted"] == 0).all()


@pytest.mark.parametrize("name", ["syn_a2_heavy_ties", "syn_a7_imbalanced"])
def test_deciles_of_ties_are_expected_values_where_kds_depends_on_the_order_of_rows(name):
    ours = synthetic(name).curve("bin_lift").columns()
    kds = table(f"kds_{name}_decile_table.csv")

    np.testing.assert_array_equal(ours["rows"], kds["cnt_cust"])
    assert ours["cumulative_positives"][-1] == kds["cum_resp"][-1]
    whole = (ours["parted"] == 0) & (np.arange(10) > 0)
    np.testing.assert_allclose(ours["positives"][whole], kds["cnt_resp"][whole], atol=1e-9)
    assert (ours["parted"] > 0).any()


@pytest.mark.parametrize("name", ["rocr_simple", "syn_a1_probabilities", "syn_a2_heavy_ties"])
def test_gains_are_those_of_scikit_plot(name):
    evaluated = rocr(name) if name in ROCR else synthetic(name)
    gains, theirs = evaluated.curve("gains"), table(f"skplot_{name}_cumulative_gain.csv")
    depth, gain = theirs["fraction_of_sample"], theirs["gain"]
    # One point a row there, in an order that ties leave open: compare where a score ends.
    at = np.searchsorted(depth, gains.x - 1e-12)

    np.testing.assert_allclose(depth[at], gains.x, **EXACT)
    np.testing.assert_allclose(gain[at], gains.y, **EXACT)


@pytest.mark.parametrize("marker", ["s100b", "ndka"])
def test_coordinates_at_every_threshold_are_procs(marker):
    rows, proc = table("proc_aSAH_data.csv"), table(f"proc_{marker}_coords_all.csv")
    ranking = to.evaluate(actual=rows["poor"], score=rows[marker]).ranking
    falling = {name: values[::-1] for name, values in proc.items()}

    # pROC's thresholds are midpoints, ours the scores themselves: the same decisions.
    middles = falling["threshold"][1:-1]
    assert (ranking.thresholds[1:-1] > middles).all()
    assert (ranking.thresholds[2:] < middles).all()
    for metric, column in [
        ("tpr", "sensitivity"),
        ("tnr", "specificity"),
        ("accuracy", "accuracy"),
        ("precision", "ppv"),
        ("npv", "npv"),
        ("fdr", "fdr"),
        ("fnr", "fnr"),
        ("error_rate", "1-accuracy"),
    ]:
        values = to.METRICS[metric](ranking.confusion)
        np.testing.assert_allclose(values, falling[column], **EXACT, err_msg=metric)
    # pROC's youden lacks the minus 1, its distance the root.
    youden = to.METRICS["youden_j"](ranking.confusion)
    distance = to.METRICS["plain_distance_to_perfect"](ranking.confusion)
    np.testing.assert_allclose(youden + 1, falling["youden"], **EXACT)
    np.testing.assert_allclose(distance**2, falling["closest.topleft"], **EXACT)


@pytest.mark.parametrize("marker", ["s100b", "ndka"])
def test_reading_between_points_is_procs(marker):
    rows, proc = table("proc_aSAH_data.csv"), document(f"proc_{marker}_summary.json")
    roc = to.evaluate(actual=rows["poor"], score=rows[marker]).curve("roc")

    for point in proc["coords_at_specificity"]["points"]:
        tpr = roc.y_at(1 - point["specificity"])
        assert tpr == pytest.approx(point["sensitivity"], rel=1e-12)
    for point in proc["coords_at_sensitivity"]["points"]:
        fpr = roc.x_at(point["sensitivity"])
        assert 1 - fpr == pytest.approx(point["specificity"], rel=1e-12)


@pytest.mark.parametrize("name", ["syn_a1_probabilities", "syn_a7_imbalanced"])
def test_calibration_by_width_and_error_curves_are_scikit_learns(name):
    sk, evaluated = document(f"{name}_sk_summary.json"), synthetic(name)
    calibration = evaluated.curve("calibration", by="width", bins=5)
    by_width = sk["calibration_curve_5_uniform"]
    np.testing.assert_allclose(calibration.x, by_width["mean_predicted"], **EXACT)
    np.testing.assert_allclose(calibration.y, by_width["fraction_positive"], **EXACT)
    det = evaluated.curve("det").columns()
    # scikit-learn leaves out the end points at which nothing more changes.
    theirs = sk["det_curve"]
    at = [np.flatnonzero(det["threshold"] == t)[0] for t in theirs["threshold"] if np.isfinite(t)]
    finite = np.isfinite(theirs["threshold"])
    np.testing.assert_allclose(
        det["false_positive_rate"][at], np.array(theirs["fpr"])[finite], **EXACT
    )
    np.testing.assert_allclose(
        det["false_negative_rate"][at], np.array(theirs["fnr"])[finite], **EXACT
    )


@pytest.mark.parametrize("marker", ["s100b", "ndka"])
def test_the_best_thresholds_under_costs_and_priors_are_procs(marker):
    rows, proc = table("proc_aSAH_data.csv"), document(f"proc_{marker}_summary.json")
    evaluated = to.evaluate(actual=rows["poor"], score=rows[marker])

    for best in proc["coords_best"]:
        if best["method"] != "youden":
            continue
        # Maximising sens + r * spec with r = (1 - prev) / (cost * prev) is minimising the cost.
        costs = to.Costs(false_negative=best["relative_cost_fn_over_fp"])
        decision = evaluated.best(costs=costs, prevalence=best["prevalence"])
        ours = [evaluated.at(t) for t in (decision.threshold, *decision.ties)]
        counts = sorted((m.true_positives, m.false_positives) for m in ours)
        assert counts == sorted((p["tp"], p["fp"]) for p in best["points"])
    settings = ("closest.topleft", 1, 0.5)
    keys = ("method", "relative_cost_fn_over_fp", "prevalence")
    plain = next(b for b in proc["coords_best"] if tuple(b[key] for key in keys) == settings)
    decision = evaluated.best("plain_distance")
    assert decision.confusion.true_positives == plain["points"][0]["tp"]
    assert decision.value**2 == pytest.approx(plain["points"][0]["closest.topleft"], rel=1e-12)


def test_wekas_costs():
    rows, weka = table("weka_nb_nominal_predictions.csv"), document("weka_nb_nominal_summary.json")
    evaluated = to.evaluate(actual=rows["actual"], score=rows["score_pos"], positive="yes")
    spent = evaluated.expenses(0.5, costs=to.Costs(false_positive=2, false_negative=5))

    assert spent.total == weka["total_cost"]
    assert spent.total / spent.rows == pytest.approx(weka["avg_cost"], rel=1e-12)
