"""Other tools' numbers against those tools: scikit-learn itself, pROC's and Weka's results."""

import math
import warnings

import numpy as np
import pytest
from golden.reference import document, number, table
from sklearn import metrics as sk

import tradeoff as to
from tradeoff.compatibility import COMPAT, tool_numbers

SETS = [
    "a1_probabilities",
    "a2_heavy_ties",
    "a3_perfect",
    "a4_inverted",
    "a5_extreme",
    "a6_tiny_n2",
    "a6b_tiny_n2_tied",
    "a6c_constant",
    "a7_imbalanced",
    "a8_zero_weights",
]
KINDS = ["unweighted", "weighted"]
RUNS = ["nominal", "nominal_posno", "nominal_weighted", "breastcancer"]
TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}

every_set = pytest.mark.parametrize("name", SETS)
both_kinds = pytest.mark.parametrize("kind", KINDS)
every_run = pytest.mark.parametrize("run", RUNS)


def same(theirs):
    return pytest.approx(number(theirs), rel=1e-9, abs=1e-12, nan_ok=True)


def rows_of(name, kind):
    rows = table(f"syn_{name}_data.csv")
    weight = rows["weight"] if kind == "weighted" else np.ones(len(rows["label"]))
    return rows["label"].astype(int), rows["score"], weight


def evaluated(name, kind):
    actual, score, weight = rows_of(name, kind)
    return to.evaluate(actual=actual, score=score, weight=weight if kind == "weighted" else None)


def middle_score(name):
    return float(np.median(table(f"syn_{name}_data.csv")["score"]))


# scikit-learn, run here


def pr_auc(actual, score, weight):
    precision, recall, _ = sk.precision_recall_curve(actual, score, sample_weight=weight)
    return sk.auc(recall, precision)


OF_RANKINGS = {
    "roc_auc_score": lambda y, s, w: sk.roc_auc_score(y, s, sample_weight=w),
    "roc_auc_score(max_fpr)": lambda y, s, w: sk.roc_auc_score(y, s, sample_weight=w, max_fpr=0.1),
    "average_precision_score": lambda y, s, w: sk.average_precision_score(y, s, sample_weight=w),
    "auc(recall, precision)": pr_auc,
}
OF_PROBABILITIES = {
    "brier_score_loss": lambda y, s, w: sk.brier_score_loss(y, s, sample_weight=w),
    "log_loss": lambda y, s, w: sk.log_loss(y, s, sample_weight=w),
    "d2_log_loss_score": lambda y, s, w: sk.d2_log_loss_score(y, s, sample_weight=w),
    "d2_brier_score": lambda y, s, w: sk.d2_brier_score(y, s, sample_weight=w),
}
AT_A_THRESHOLD = {
    "accuracy_score": sk.accuracy_score,
    "zero_one_loss": sk.zero_one_loss,
    "precision_score": sk.precision_score,
    "recall_score": sk.recall_score,
    "f1_score": sk.f1_score,
    "fbeta_score": lambda y, p, **w: sk.fbeta_score(y, p, beta=2, **w),
    "jaccard_score": sk.jaccard_score,
    "matthews_corrcoef": sk.matthews_corrcoef,
    "cohen_kappa_score": sk.cohen_kappa_score,
    "balanced_accuracy_score": sk.balanced_accuracy_score,
    "class_likelihood_ratios LR+": lambda y, p, **w: sk.class_likelihood_ratios(y, p, **w)[0],
    "class_likelihood_ratios LR-": lambda y, p, **w: sk.class_likelihood_ratios(y, p, **w)[1],
}
PROBABILITIES = ["a1_probabilities", "a3_perfect", "a4_inverted", "a6_tiny_n2", "a6c_constant"]


def test_every_number_of_scikit_learn_is_compared_with_it():
    compared = {*OF_RANKINGS, *OF_PROBABILITIES, *AT_A_THRESHOLD}

    assert {measure.name for measure in COMPAT.select("sklearn")} == compared


@every_set
@both_kinds
@pytest.mark.parametrize("function", OF_RANKINGS)
def test_scikit_learns_areas(name, kind, function):
    theirs = OF_RANKINGS[function](*rows_of(name, kind))

    assert to.compat(evaluated(name, kind), f"sklearn:{function}").value == same(theirs)


@pytest.mark.parametrize("name", PROBABILITIES)
@both_kinds
@pytest.mark.parametrize("function", OF_PROBABILITIES)
def test_scikit_learns_probability_scores(name, kind, function):
    theirs = OF_PROBABILITIES[function](*rows_of(name, kind))

    assert to.compat(evaluated(name, kind), f"sklearn:{function}").value == same(theirs)


@every_set
@both_kinds
@pytest.mark.parametrize("function", AT_A_THRESHOLD)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_metrics(name, kind, function):
    actual, score, weight = rows_of(name, kind)
    threshold = middle_score(name)
    predicted = (score >= threshold).astype(int)
    theirs = AT_A_THRESHOLD[function](actual, predicted, sample_weight=weight)

    ours = to.compat(evaluated(name, kind), f"sklearn:{function}", threshold=threshold)

    assert ours.value == same(theirs)


@every_set
@pytest.mark.parametrize("function", AT_A_THRESHOLD)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_metrics_where_nothing_is_predicted_positive(name, function):
    actual, score, _ = rows_of(name, "unweighted")
    theirs = AT_A_THRESHOLD[function](actual, np.zeros(len(score), int))

    ours = to.compat(evaluated(name, "unweighted"), f"sklearn:{function}", threshold=math.inf)

    assert ours.value == same(theirs)


@every_set
@both_kinds
@pytest.mark.parametrize("drop", [True, False])
def test_scikit_learns_roc_curve(name, kind, drop):
    actual, score, weight = rows_of(name, kind)
    theirs = sk.roc_curve(actual, score, sample_weight=weight, drop_intermediate=drop)
    ours = to.compat_curve(evaluated(name, kind), "sklearn:roc_curve", drop_intermediate=drop)

    np.testing.assert_allclose(list(ours.values()), theirs, **TOLERANCE)


@every_set
@both_kinds
def test_scikit_learns_precision_recall_curve(name, kind):
    actual, score, weight = rows_of(name, kind)
    precision, recall, thresholds = sk.precision_recall_curve(actual, score, sample_weight=weight)
    ours = to.compat_curve(evaluated(name, kind), "sklearn:precision_recall_curve")

    np.testing.assert_allclose(ours["precision"], precision, **TOLERANCE)
    np.testing.assert_allclose(ours["recall"], recall, **TOLERANCE)
    np.testing.assert_allclose(ours["thresholds"][:-1], thresholds, **TOLERANCE)


@every_set
@both_kinds
def test_scikit_learns_det_curve(name, kind):
    actual, score, weight = rows_of(name, kind)
    theirs = sk.det_curve(actual, score, sample_weight=weight)
    ours = to.compat_curve(evaluated(name, kind), "sklearn:det_curve")

    np.testing.assert_allclose(list(ours.values()), theirs, **TOLERANCE)


@pytest.mark.parametrize("actual", [[0, 0, 0], [1, 1, 1], [0], [1]])
@pytest.mark.parametrize("function", [*OF_RANKINGS, "brier_score_loss", "d2_brier_score"])
def test_scikit_learn_on_one_class(actual, function):
    score = [0.2, 0.4, 0.7][: len(actual)]
    with warnings.catch_warnings(action="ignore"):
        theirs = (OF_RANKINGS | OF_PROBABILITIES)[function](actual, np.array(score), None)

    ours = to.compat(to.evaluate(actual=actual, score=score, positive=1), f"sklearn:{function}")

    assert ours.value == same(theirs)


@pytest.mark.parametrize("actual", [[0, 0, 0], [1, 1, 1]])
@pytest.mark.parametrize("function", AT_A_THRESHOLD)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_metrics_on_one_class(actual, function):
    theirs = AT_A_THRESHOLD[function](actual, [0, 0, 1])
    e = to.evaluate(actual=actual, score=[0.2, 0.4, 0.7], positive=1)

    assert to.compat(e, f"sklearn:{function}").value == same(theirs)


@pytest.mark.parametrize("function", ["log_loss", "d2_log_loss_score"])
def test_scikit_learn_stops_on_one_class_where_we_say_that_it_stops(function):
    e = to.evaluate(actual=[0, 0], score=[0.2, 0.4], positive=1)

    assert to.compat(e, f"sklearn:{function}").reason.startswith("scikit-learn fails")
    with pytest.raises(ValueError, match="only one label"):
        OF_PROBABILITIES[function]([0, 0], np.array([0.2, 0.4]), None)


@pytest.mark.parametrize("function", OF_PROBABILITIES)
def test_scikit_learn_stops_where_scores_are_no_probabilities(function):
    e = to.evaluate(actual=[0, 1], score=[2.0, 3.0])

    assert to.compat(e, f"sklearn:{function}").reason.startswith("scikit-learn fails: 2 of 2 rows")
    with pytest.raises(ValueError, match="greater than 1"):
        OF_PROBABILITIES[function]([0, 1], np.array([2.0, 3.0]), None)


# What is said to agree does


@every_set
@both_kinds
def test_what_agrees_is_the_same_wherever_both_are_defined(name, kind):
    ranking = evaluated(name, kind).ranking
    numbers = tool_numbers(ranking, threshold=middle_score(name))
    agreeing = [number for number in numbers if number.measure.agrees]
    both = [n for n in agreeing if n.theirs.is_defined and n.ours.is_defined]

    assert len(both) > 20
    assert [n.measure.key for n in both if not n.same and math.isfinite(n.ours.value)] == []


# pROC


def proc_set(name):
    return document("syn_a_proc_delong.json")["sets"][f"syn_{name}"]


def proc_marker(marker):
    rows = table("proc_aSAH_data.csv")
    evaluation = to.evaluate(actual=rows["poor"], score=rows[marker])
    return evaluation, document(f"proc_{marker}_summary.json")


@every_set
def test_procs_choice_of_direction(name):
    e, proc = evaluated(name, "unweighted"), proc_set(name)
    expected = {"<": proc["auc"], ">": 1 - proc["auc"]}[proc["auto_direction"]]

    assert to.compat(e, "proc:auc").value == same(expected)
    assert to.compat(e, "proc:auc", direction="<").value == same(proc["auc"])


def test_proc_detects_both_directions_among_the_sets():
    assert {proc_set(name)["auto_direction"] for name in SETS} == {"<", ">"}


@every_set
def test_procs_intervals(name):
    e, proc = evaluated(name, "unweighted"), proc_set(name)
    low, high = ({"NA": math.nan}.get(end, end) for end in proc["delong_ci_0.95"])

    assert to.compat(e, "proc:ci.auc lower", direction="<").value == same(low)
    assert to.compat(e, "proc:ci.auc upper", direction="<").value == same(high)


@every_set
def test_procs_partial_areas(name):
    e, proc = evaluated(name, "unweighted"), proc_set(name)
    corrected = {"NA": math.nan}.get(
        proc["pauc_spec_1_0.9_corrected"], proc["pauc_spec_1_0.9_corrected"]
    )
    sens = {"partial_auc": (1.0, 0.8), "focus": "sensitivity"}

    def partial_area(which, **options):
        return to.compat(e, f"proc:auc({which})", direction="<", **options).value

    assert partial_area("partial.auc") == same(proc["pauc_spec_1_0.9"])
    assert partial_area("partial.auc.correct") == same(corrected)
    assert partial_area("partial.auc", **sens) == same(proc["pauc_sens_1_0.8"])


@every_set
@pytest.mark.parametrize("method", ["youden", "closest.topleft"])
def test_procs_best_thresholds(name, method):
    best = proc_set(name)[f"best_{method.replace('.', '_')}"]
    listed = [float(point["threshold"]) for point in best]
    e = evaluated(name, "unweighted")

    estimate = to.compat(e, f"proc:coords best {method}", direction="<")

    assert estimate.value == same(listed[0])
    expected = f"pROC lists {len(listed)} equally good"
    assert (estimate.note or "pROC lists 1 equally good").startswith(expected)


@pytest.mark.parametrize("marker", ["s100b", "ndka"])
@pytest.mark.parametrize("at", range(10))
def test_procs_best_thresholds_with_weights(marker, at):
    e, proc = proc_marker(marker)
    best = proc["coords_best"][at]
    weights = {"relative_cost": float(best["relative_cost_fn_over_fp"])}

    estimate = to.compat(
        e, f"proc:coords best {best['method']}", prevalence=best["prevalence"], **weights
    )

    assert estimate.value == same(best["points"][0]["threshold"])


@pytest.mark.parametrize("marker", ["s100b", "ndka"])
def test_procs_coordinates(marker):
    e, _ = proc_marker(marker)
    theirs = table(f"proc_{marker}_coords_all.csv")
    ours = to.compat_curve(e, "proc:coords all", direction="<")

    np.testing.assert_allclose(ours["threshold"], theirs["threshold"], **TOLERANCE)
    np.testing.assert_allclose(ours["specificity"], theirs["specificity"], **TOLERANCE)
    np.testing.assert_allclose(ours["sensitivity"], theirs["sensitivity"], **TOLERANCE)


@pytest.mark.parametrize("marker", ["s100b", "ndka"])
@pytest.mark.parametrize("level", ["0.90", "0.95", "0.99"])
def test_procs_intervals_of_the_markers(marker, level):
    e, proc = proc_marker(marker)
    low, high = proc["delong_ci"][level]

    assert to.compat(e, "proc:ci.auc lower", level=float(level)).value == same(low)
    assert to.compat(e, "proc:ci.auc upper", level=float(level)).value == same(high)


# Weka


def weka_run(run):
    rows, summary = table(f"weka_nb_{run}_predictions.csv"), document(f"weka_nb_{run}_summary.json")
    weight = rows["weight"] if run == "nominal_weighted" else None
    evaluation = to.evaluate(
        actual=rows["actual"], score=rows["score_pos"], positive=summary["positive"], weight=weight
    )
    return evaluation, summary


@every_run
def test_wekas_threshold_curve(run):
    e, _ = weka_run(run)
    theirs = table(f"weka_nb_{run}_threshold_curve.csv")
    ours = to.compat_curve(e, "weka:ThresholdCurve")

    # Both have the thirteen columns in Weka's order.
    assert [name.casefold().replace(" ", "_") for name in ours] == list(theirs)
    np.testing.assert_allclose(list(ours.values()), list(theirs.values()), **TOLERANCE)


@every_run
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Area under ROC", "roc_area"),
        ("TP Rate", "tp_rate"),
        ("FP Rate", "fp_rate"),
        ("Precision", "precision"),
        ("Recall", "recall"),
        ("F-Measure", "f_measure"),
    ],
)
def test_wekas_table_of_the_positive_class(run, name, key):
    e, summary = weka_run(run)

    assert to.compat(e, f"weka:{name}").value == same(summary["per_class"]["positive"][key])


@every_run
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Weighted Avg. ROC Area", "roc_area"),
        ("Weighted Avg. Precision", "precision"),
        ("Weighted Avg. F-Measure", "f_measure"),
    ],
)
def test_wekas_weighted_averages(run, name, key):
    e, summary = weka_run(run)

    assert to.compat(e, f"weka:{name}").value == same(summary["weighted_avg"][key])


@every_run
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Kappa statistic", "kappa"),
        ("Mean absolute error", "mean_absolute_error"),
        ("Root mean squared error", "root_mean_squared_error"),
    ],
)
def test_wekas_summary(run, name, key):
    e, summary = weka_run(run)

    assert to.compat(e, f"weka:{name}").value == same(summary[key])
