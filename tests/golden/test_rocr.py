"""ROCR at every cutoff of its example data, and of a rounded copy with many ties."""

import numpy as np
import pytest
from golden.reference import document, table

import tradeoff as to

SETS = ["rocr_simple", "rocr_simple_rounded1"]
every_set = pytest.mark.parametrize("name", SETS)
TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}


def evaluated(name):
    rows = table(f"{name}_data.csv")
    return to.evaluate(actual=rows["label"], score=rows["prediction"])


@every_set
def test_counts_at_every_cutoff(name):
    ranking, rocr = evaluated(name).ranking, table(f"{name}_by_cutoff.csv")
    ours = ranking.confusion

    np.testing.assert_allclose(ranking.thresholds, rocr["cutoff"], rtol=1e-15)
    for count, column in (
        (ours.true_positives, "tp"),
        (ours.false_positives, "fp"),
        (ours.true_negatives, "tn"),
        (ours.false_negatives, "fn"),
    ):
        np.testing.assert_array_equal(count, rocr[column])


@every_set
@pytest.mark.parametrize(
    ("metric", "column"),
    [
        ("accuracy", "acc"),
        ("error_rate", "err"),
        ("fpr", "fpr"),
        ("tpr", "tpr"),
        ("fnr", "fnr"),
        ("tnr", "tnr"),
        ("precision", "ppv"),
        ("npv", "npv"),
        ("false_discovery_rate", "pcfall"),
        ("false_omission_rate", "pcmiss"),
        ("depth", "rpp"),
        ("predicted_negative_rate", "rnp"),
        ("mcc", "phi"),
        ("chi_squared", "chisq"),
        ("lift", "lift"),
        ("odds_ratio", "odds"),
        ("f_measure", "f"),
        ("mutual_information", "mi"),
    ],
)
def test_metrics_at_every_cutoff(name, metric, column):
    ours = to.METRICS.find(metric)(evaluated(name).ranking.confusion)
    rocr = table(f"{name}_by_cutoff.csv")[column]
    # Where nothing (or everything) is predicted positive ROCR says NaN for these; they have
    # values by the conventions here: F is 0 without hits, an uninformative matrix tells 0 bits.
    defined = ~np.isnan(rocr) | (metric not in {"f_measure", "mutual_information"})

    np.testing.assert_allclose(ours[defined], rocr[defined], **TOLERANCE)
    assert (ours[~defined] == 0).all()


@every_set
def test_rocrs_alpha_is_another_beta(name):
    alpha = document(f"{name}_summary.json")["parameters"]["f_alpha"]
    metric = to.METRICS["f_measure"].with_parameters(beta=(1 / alpha - 1) ** 0.5)

    ours = metric(evaluated(name).ranking.confusion)

    np.testing.assert_allclose(ours[1:], table(f"{name}_by_cutoff.csv")["f_alpha"][1:], rtol=1e-12)


@every_set
def test_summaries(name):
    evaluation, rocr = evaluated(name), document(f"{name}_summary.json")

    assert float(evaluation.auc) == pytest.approx(rocr["auc"], rel=1e-12)
    raw = evaluation.summary("partial_auc", high=rocr["auc_fpr_stop"]["fpr_stop"])
    assert float(raw) == pytest.approx(rocr["auc_fpr_stop"]["value"], rel=1e-12)
    rmse = float(evaluation.summary("rmse"))
    assert rmse == pytest.approx(rocr["rmse"], rel=1e-12)
