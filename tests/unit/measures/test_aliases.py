"""Names that people type for metrics, curves and charts; and what unknown ones suggest."""

import pytest

import tradeoff as to

E = to.evaluate([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.38])
METRICS = {
    "true_positive_rate": "recall sensitivity sens tpr pod hit_rate",
    "true_negative_rate": "specificity spec tnr",
    "precision": "ppv positive_predictive_value",
    "negative_predictive_value": "npv",
    "false_discovery_rate": "fdr",
    "false_omission_rate": "for",
    "positive_likelihood_ratio": "lr+ lr_plus",
    "negative_likelihood_ratio": "lr- lr_minus",
    "odds_ratio": "dor",
    "matthews_correlation": "mcc phi",
    "cohens_kappa": "kappa cohen_kappa",
    "f_measure": "f1 F1",
    "f_measure(beta=2)": "f2",
    "youden_j": "j youden tss informedness",
    "critical_success_index": "csi iou threat_score jaccard",
    "balanced_accuracy": "bacc",
}
SUMMARIES = {
    "auc": "auroc roc_auc c_statistic c_index AUC",
    "pr_area": "aupr auprc pr_auc",
    "average_precision": "ap",
    "ks": "KS kolmogorov_smirnov",
    "brier_skill_score": "bss",
    "expected_calibration_error": "ece",
    "log_loss": "logloss",
}
CURVES = {
    "roc": ["ROC", "roc curve", "roc_plot"],
    "precision_recall": ["pr", "prc", "Precision-Recall curve", "pr curve"],
    "net_benefit": ["dca", "decision curve", "decision_curve_analysis"],
    "lift": ["lift chart", "lift curve"],
    "gains": ["cumulative gains", "gains chart", "CAP"],
    "ks": ["KS chart", "kolmogorov-smirnov"],
    "calibration": ["reliability diagram", "calibration plot"],
    "bin_lift": ["decile chart"],
}


@pytest.mark.parametrize(("name", "aliases"), METRICS.items())
def test_metrics_have_the_names_that_people_type(name, aliases):
    assert {E.metric(alias).name for alias in aliases.split()} == {name}


@pytest.mark.parametrize(("name", "aliases"), SUMMARIES.items())
def test_summaries_have_the_names_that_people_type(name, aliases):
    assert {E.summary(alias).name for alias in aliases.split()} == {name}


@pytest.mark.parametrize(("name", "aliases"), CURVES.items())
def test_curves_and_their_charts_have_the_names_that_people_type(name, aliases):
    chart = E.chart(name)

    assert {E.curve(alias).name for alias in aliases} == {name}
    assert all(E.chart(alias) == chart for alias in aliases)


def test_charts_have_the_names_that_people_type():
    for name in ("confusion_matrix", "cm", "confusion matrix"):
        assert E.chart(name) == E.chart("matrix")
    assert E.chart("score distribution") == E.chart("scores")
    assert E.chart("decision curve") != E.chart("decision")


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda: E.metric("percison"), "Did you mean 'precision'"),
        (lambda: E.metric("completeness"), "Did you mean 'true_positive_rate'"),
        (lambda: E.metric("mistakes"), "Did you mean 'error_rate'"),
        (lambda: E.metric("fp"), r"'fp' is a count, not a metric: e.at\(threshold\).fp.*'fpr'"),
        (lambda: E.metric("true_negatives"), "The rate is 'tnr'"),
        (lambda: E.metric("xyzzy"), "No metric is called 'xyzzy'. `tradeoff metrics` lists"),
        (lambda: E.summary("reliability"), "Did you mean 'expected_calibration_error'"),
        (lambda: E.curve("false alarms"), "Did you mean 'roc'"),
        (lambda: E.chart("distributions of classes"), "Did you mean 'scores'"),
    ],
)
def test_an_unknown_name_suggests_near_ones(question, message):
    with pytest.raises(to.TradeoffError, match=message):
        question()


def test_counts_have_short_names():
    matrix = E.at(0.36)

    assert (matrix.tp, matrix.fp, matrix.fn, matrix.tn) == (1, 1, 1, 1)
