"""Weka's threshold curves and evaluations of naive Bayes."""

import numpy as np
import pytest
from golden.reference import document, table

import tradeoff as to

RUNS = ["nominal", "nominal_posno", "nominal_weighted", "breastcancer"]
TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}


def evaluated(run):
    rows, summary = table(f"weka_nb_{run}_predictions.csv"), document(f"weka_nb_{run}_summary.json")
    weight = rows["weight"] if run == "nominal_weighted" else None
    evaluation = to.evaluate(
        actual=rows["actual"], score=rows["score_pos"], positive=summary["positive"], weight=weight
    )
    return evaluation, summary


def curves(run):
    """Ours and Weka's, both from "none predicted positive" on: Weka lists them the other way."""
    evaluation, _ = evaluated(run)
    theirs = {
        name: column[::-1] for name, column in table(f"weka_nb_{run}_threshold_curve.csv").items()
    }
    return evaluation.ranking, theirs


@pytest.mark.parametrize("run", RUNS)
def test_counts_at_every_threshold(run):
    ranking, weka = curves(run)
    ours = ranking.confusion

    for name in ("true_positives", "false_negatives", "false_positives", "true_negatives"):
        np.testing.assert_allclose(getattr(ours, name), weka[name], **TOLERANCE)


@pytest.mark.parametrize("run", RUNS)
def test_thresholds_but_for_the_row_none(run):
    ranking, weka = curves(run)

    np.testing.assert_array_equal(ranking.thresholds[1:], weka["threshold"][1:])
    # Weka closes its curve just above the highest score; here "none" is inf.
    assert weka["threshold"][0] == pytest.approx(ranking.thresholds[1] + 1e-5, abs=1e-12)


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("false_positive_rate", "false_positive_rate"),
        ("true_positive_rate", "true_positive_rate"),
        ("predicted_positive_rate", "sample_size"),
        ("f_measure", "fmeasure"),
    ],
)
def test_metrics_at_every_threshold(run, name, column):
    ranking, weka = curves(run)

    np.testing.assert_allclose(to.METRICS[name](ranking.confusion), weka[column], **TOLERANCE)


@pytest.mark.parametrize("run", RUNS)
def test_precision_is_undefined_where_weka_writes_0(run):
    ranking, weka = curves(run)
    ours = to.METRICS["precision"](ranking.confusion)

    assert np.isnan(ours[0])
    assert weka["precision"][0] == 0
    np.testing.assert_allclose(ours[1:], weka["precision"][1:], **TOLERANCE)


@pytest.mark.parametrize("run", RUNS)
def test_what_weka_calls_fallout_is_the_false_discovery_rate(run):
    ranking, weka = curves(run)
    ours = to.METRICS["false_discovery_rate"](ranking.confusion)

    np.testing.assert_allclose(ours[1:], weka["fallout"][1:], **TOLERANCE)


@pytest.mark.parametrize("run", RUNS)
def test_lift_is_given_also_where_weka_leaves_it_out(run):
    ranking, weka = curves(run)
    ours = to.METRICS["lift"](ranking.confusion)
    by_chance = to.METRICS["depth"](ranking.confusion) * ranking.positives
    has_lift = by_chance >= 1

    np.testing.assert_allclose(ours[has_lift], weka["lift"][has_lift], **TOLERANCE)
    # Weka gives no lift where chance would find less than one positive row.
    assert np.isnan(weka["lift"][~has_lift]).all()
    assert np.isnan(ours).tolist() == [True] + [False] * (len(ours) - 1)


@pytest.mark.parametrize("run", RUNS)
def test_matrix_at_one_half(run):
    evaluation, weka = evaluated(run)
    matrix = evaluation.at(0.5)

    expected = weka["confusion_rows_actual_cols_predicted_order_pos_neg"]
    np.testing.assert_allclose(matrix.counts, expected, **TOLERANCE)


@pytest.mark.parametrize("run", RUNS)
def test_summary_numbers(run):
    evaluation, weka = evaluated(run)
    matrix = evaluation.at(0.5)
    metrics = {name: to.METRICS.find(name)(matrix) for name in ("accuracy", "error_rate", "kappa")}

    assert float(evaluation.auc) == pytest.approx(weka["roc_area_from_curve"], rel=1e-12)
    assert 100 * metrics["accuracy"] == pytest.approx(weka["pct_correct"], rel=1e-12)
    assert 100 * metrics["error_rate"] == pytest.approx(weka["pct_incorrect"], rel=1e-12)
    assert metrics["kappa"] == pytest.approx(weka["kappa"], abs=1e-12)
    rmse = float(evaluation.summary("root_mean_squared_error"))
    assert rmse == pytest.approx(weka["root_mean_squared_error"], rel=1e-12)


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("side", ["positive", "negative"])
def test_both_classes(run, side):
    evaluation, weka = evaluated(run)
    matrix = evaluation.at(0.5) if side == "positive" else evaluation.at(0.5).swapped()
    expected = weka["per_class"][side]
    names = {
        "tp_rate": "true_positive_rate",
        "fp_rate": "false_positive_rate",
        "tn_rate": "true_negative_rate",
        "fn_rate": "false_negative_rate",
        "precision": "precision",
        "f_measure": "f_measure",
    }

    ours = {theirs: float(to.METRICS[name](matrix)) for theirs, name in names.items()}

    assert ours == pytest.approx({key: expected[key] for key in names}, rel=1e-12)


def test_the_rule_at_three_quarters_is_not_wekas_threshold_instance():
    evaluation, weka = evaluated("nominal")

    ours = evaluation.at(0.75)

    assert to.METRICS["true_positive_rate"](ours) == pytest.approx(5 / 9)
    assert to.METRICS["false_positive_rate"](ours) == pytest.approx(1 / 5)
    # Weka returns the row with the largest threshold below 0.75: a different operating point.
    assert weka["threshold_instance_for_0.75"]["fpr"] == pytest.approx(2 / 5)
