"""Names that users type for metrics, curves and charts, and suggestions for unknown names."""

from collections import Counter
from typing import get_args

import pytest

import tradeoff as to
from tradeoff.evaluation.charts import CHARTS
from tradeoff.measures.curves import CURVES as NAMED_CURVES
from tradeoff.measures.registry import CHART_NAMES, find_measure, find_measures, lookup_key
from tradeoff.measures.vocabulary import Vocabulary

E = to.evaluate([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.38])
METRICS = {
    "true_positive_rate": "recall sensitivity sens tpr pod hit_rate recall_score",
    "false_positive_rate": "fallout fall-out FALL_OUT fpr",
    "accuracy": "acc accuracy_score",
    "geometric_mean": "gmean g_mean G-mean",
    "markedness": "mk",
    "frequency_bias": "bias",
    "predicted_positive_rate": "ppcr",
    "true_negative_rate": "specificity spec tnr",
    "precision": "ppv positive_predictive_value precision_score",
    "negative_predictive_value": "npv",
    "false_discovery_rate": "fdr",
    "false_omission_rate": "for",
    "positive_likelihood_ratio": "lr+ LR+ lr_plus",
    "negative_likelihood_ratio": "lr- LR− LR– lr_minus",
    "odds_ratio": "dor",
    "matthews_correlation": "mcc phi matthews_corrcoef",
    "cohens_kappa": "kappa cohen_kappa cohen_kappa_score",
    "f_measure": "f1 F1 f1_score F-measure",
    "f_measure(beta=2)": "f2",
    "youden_j": "j youden tss informedness bm pss",
    "critical_success_index": "csi iou threat_score jaccard jaccard_score",
    "balanced_accuracy": "bacc balanced_accuracy_score",
}
SUMMARIES = {
    "auc": "auroc roc_auc c_statistic c_index AUC cstat c-stat roc_auc_score area_under_the_curve",
    "pr_area": "aupr auprc pr_auc prauc",
    "average_precision": "ap average_precision_score",
    "brier": "brier_score_loss",
    "partial_auc": "pauc",
    "ks": "KS kolmogorov_smirnov",
    "brier_skill_score": "bss",
    "expected_calibration_error": "ece",
    "log_loss": "logloss Log-Loss logarithmic_loss binary_cross_entropy logistic_loss",
}
CURVES = {
    "roc": ["ROC", "roc curve", "roc_plot"],
    "precision_recall": ["pr", "prc", "Precision-Recall curve", "pr curve"],
    "net_benefit": ["dca", "decision curve", "decision_curve_analysis"],
    "lift": ["lift chart", "lift curve"],
    "gains": ["cumulative gains", "gains chart", "CAP", "gain", "gain chart", "response curve"],
    "ks": ["KS chart", "kolmogorov-smirnov", "K-S", "youden"],
    "calibration": ["reliability diagram", "calibration plot"],
    "bin_lift": ["decile chart"],
}


@pytest.mark.parametrize(("name", "aliases"), METRICS.items())
def test_metrics_have_the_names_that_users_type(name, aliases):
    assert {E.metric(alias).name for alias in aliases.split()} == {name}


@pytest.mark.parametrize(("name", "aliases"), SUMMARIES.items())
def test_summaries_have_the_names_that_users_type(name, aliases):
    assert {E.summary(alias).name for alias in aliases.split()} == {name}


@pytest.mark.parametrize(("name", "aliases"), CURVES.items())
def test_curves_and_their_charts_have_the_names_that_users_type(name, aliases):
    chart = E.chart(name)

    assert {E.curve(alias).name for alias in aliases} == {name}
    assert all(E.chart(alias) == chart for alias in aliases)


def test_charts_have_the_names_that_users_type():
    for name in ("confusion_matrix", "cm", "confusion matrix"):
        assert E.chart(name) == E.chart("matrix")
    assert E.chart("score distribution") == E.chart("scores")
    assert E.chart("rocch") == E.chart("ROC hull") == E.chart("hull")
    assert E.chart("decision curve") != E.chart("decision")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: E.metric("percison"), "Did you mean 'precision'"),
        (lambda: E.metric("completeness"), "Did you mean 'true_positive_rate'"),
        (lambda: E.metric("mistakes"), "Did you mean 'error_rate'"),
        (lambda: E.metric("fp"), r"'fp' is a count, not a metric: e.at\(threshold\).fp.*'fpr'"),
        (lambda: E.metric("true_negatives"), "The rate is 'tnr'"),
        (lambda: E.metric("xyzzy"), "No metric is called 'xyzzy'. `tradeoff metrics` lists"),
        (lambda: E.summary("reliability"), "Did you mean 'expected_calibration_error'"),
        (lambda: E.metric("map"), "Did you mean 'average_precision'"),
        (lambda: E.metric("hits"), "Did you mean 'true_positive_rate'"),
        (lambda: E.metric("top_decile_lift"), "Did you mean 'lift'"),
        (
            lambda: E.metric("loss"),
            "Did you mean 'log_loss', 'log_loss_skill_score' or 'error_rate'",
        ),
        (lambda: E.metric("wat"), "No metric is called 'wat'. `tradeoff metrics` lists"),
        (lambda: E.metric("acu"), "Did you mean 'auc'"),
        (
            lambda: E.metric("pr"),
            "is a curve, not a metric: `tradeoff curve --curve precision_recall`",
        ),
        (lambda: E.metric("roc"), r"e.curve\('roc'\). Did you mean 'auc'"),
        (
            lambda: E.metric("confusion_matrix"),
            "is a chart, not a metric: `tradeoff plot --chart matrix`",
        ),
        (lambda: E.curve("rocch"), "is a chart, not a curve: `tradeoff plot --chart hull`"),
        (lambda: E.curve("sensitivity"), r"e.curve\(x='threshold', y='sensitivity'\)"),
        (lambda: E.chart("ppv"), r"e.chart\(x='threshold', y='ppv'\)"),
        (lambda: E.chart("auroc"), r"e.chart\('areas', summary='auroc'\)"),
        (lambda: E.curve("false alarms"), "Did you mean 'roc'"),
        (lambda: E.chart("distributions of classes"), "Did you mean 'scores'"),
    ],
)
def test_an_unknown_name_suggests_similar_ones(call, message):
    with pytest.raises(to.TradeoffError, match=message):
        call()


def test_counts_have_short_names():
    matrix = E.at(0.36)

    assert (matrix.tp, matrix.fp, matrix.fn, matrix.tn) == (1, 1, 1, 1)


MEASURES = [*to.METRICS.values(), *to.SUMMARIES.values()]


@pytest.mark.parametrize("vocabulary", get_args(Vocabulary))
def test_every_printed_label_is_accepted_as_a_name(vocabulary):
    labels = {measure.name: measure.label_in(vocabulary) for measure in MEASURES}

    assert {name: find_measure(label).name for name, label in labels.items()} == {
        name: name for name in labels
    }


def test_no_name_has_two_meanings():
    names = [
        {
            lookup_key(name)
            for name in (
                measure.name,
                *measure.aliases,
                *measure.presets,
                *(measure.label_in(vocabulary) for vocabulary in get_args(Vocabulary)),
            )
        }
        for measure in MEASURES
    ]
    counts = Counter(key for keys in names for key in keys)

    assert [key for key, count in counts.items() if count > 1] == []


def test_no_name_of_a_curve_or_chart_has_two_meanings():
    aliases = [(kind.name, alias) for kind in NAMED_CURVES.values() for alias in kind.aliases]
    aliases += [(chart, alias) for chart, names in CHART_NAMES.items() for alias in names]
    names = dict.fromkeys((*NAMED_CURVES, *CHARTS))
    keys = [lookup_key(alias) for _, alias in aliases] + [lookup_key(name) for name in names]

    assert [key for key, count in Counter(keys).items() if count > 1] == []
    assert {name: CHARTS[name].aliases for name in CHART_NAMES} == CHART_NAMES


def test_a_measure_is_labelled_with_the_requested_name():
    assert [measure.label for measure in find_measures(["sensitivity", "Recall", "ppv"])] == [
        "sensitivity",
        "Recall",
        "ppv",
    ]
    assert find_measure("f1").with_parameters(beta=2).label == "f1(beta=2)"
    assert find_measure("recall").in_vocabulary("clinical").label == "recall"
    assert to.METRICS["recall"].label == "recall (sensitivity)"
    assert to.METRICS["recall"].in_vocabulary("clinical").label == "sensitivity"
    assert (find_measure("auc").label, find_measure("balanced_accuracy").label) == (
        "AUC",
        "balanced accuracy",
    )
    assert find_measure("recall") == find_measure("sensitivity")


def test_estimates_are_labelled_with_the_requested_name():
    sensitivity = E.metric("sensitivity", threshold=0.36)

    assert (sensitivity.name, sensitivity.label) == ("true_positive_rate", "sensitivity")
    assert sensitivity.to_csv().splitlines()[0].startswith("name,label,value")
    assert sensitivity.to_dict()["label"] == "sensitivity"
    assert sensitivity == E.metric("recall", threshold=0.36)
    assert E.summary("auroc").label == "auroc"
    assert E.auc.label == "AUC"
    assert E.metric("sensitivity", threshold=9, undefined=0.5).label == "sensitivity"
    assert E.estimate("ppv", at=("fall_out", 0.5)).label == "ppv where fall_out = 0.5"
    assert E.metric("average_cost", costs=to.Costs(fn=2)).label == "average_cost"


def test_axes_and_charts_are_labelled_with_the_requested_names():
    chart = E.chart(x="fall_out", y="sensitivity")
    curve = E.curve(x="specificity", y="ppv")

    assert (chart.title, chart.x.label, chart.y.label) == (
        "Sensitivity by fall out",
        "Fall out",
        "Sensitivity",
    )
    assert (curve.across.label, curve.up.label) == ("specificity", "ppv")
    assert repr(curve) == "Curve(ppv over specificity, of score, 5 points)"
    assert {key: curve.to_dict()[key] for key in ("x", "x_label", "y", "y_label")} == {
        "x": "true_negative_rate",
        "x_label": "specificity",
        "y": "precision",
        "y_label": "ppv",
    }
    lines = E.chart(x="threshold", y=["ppv", "sensitivity"]).layers
    assert [line.label for line in lines] == ["ppv", "Sensitivity"]
    assert E.chart("areas", summary="auroc").title == "auroc of each model"
    assert E.chart(x="false_positive_rate", y="true_positive_rate").x.label.startswith("False")
