"""pycm's overall and class statistics of a 2 × 2 and a 3 × 3 matrix."""

import math

import numpy as np
import pytest
from golden.reference import document

import tradeoff as to
from tradeoff.measures.averages import average
from tradeoff.measures.metrics.information import confusion_entropies

MATRICES = ["pycm_matrix_1", "pycm_matrix_2"]
every_matrix = pytest.mark.parametrize("name", MATRICES)

OVERALL = {
    "Overall ACC": "accuracy",
    "Overall RACC": "random_agreement",
    "Overall RACCU": "unbiased_random_agreement",
    "Kappa": "cohens_kappa",
    "Gwet AC1": "gwets_ac1",
    "Bennett S": "bennetts_s",
    "Kappa Unbiased": "scotts_pi",
    "Scott PI": "scotts_pi",
    "Kappa No Prevalence": "prevalence_adjusted_kappa",
    "Chi-Squared": "chi_squared",
    "Phi-Squared": "phi_squared",
    "Cramer V": "cramers_v",
    "Response Entropy": "predicted_entropy",
    "Reference Entropy": "actual_entropy",
    "Cross Entropy": "cross_entropy",
    "Joint Entropy": "joint_entropy",
    "Conditional Entropy": "conditional_entropy",
    "Mutual Information": "mutual_information",
    "KL Divergence": "kl_divergence",
    "Lambda A": "lambda_actual",
    "Lambda B": "lambda_predicted",
    "Hamming Loss": "error_rate",
    "NIR": "no_information_rate",
    "Overall CEN": "confusion_entropy",
    "Overall MCEN": "modified_confusion_entropy",
    "Overall MCC": "matthews_correlation",
    "CBA": "class_balance_accuracy",
    "RCI": "uncertainty_coefficient",
    "Pearson C": "pearsons_c",
    "ARI": "adjusted_rand_index",
    "Bangdiwala B": "bangdiwalas_b",
    "Krippendorff Alpha": "krippendorffs_alpha",
}
BY_CLASS = {
    "TPR": "true_positive_rate",
    "TNR": "true_negative_rate",
    "PPV": "precision",
    "NPV": "negative_predictive_value",
    "FNR": "false_negative_rate",
    "FPR": "false_positive_rate",
    "FDR": "false_discovery_rate",
    "FOR": "false_omission_rate",
    "ACC": "accuracy",
    "F1": "f_measure",
    "F0.5": "f0.5",
    "F2": "f2",
    "MCC": "matthews_correlation",
    "BM": "youden_j",
    "MK": "markedness",
    "NLR": "negative_likelihood_ratio",
    "PRE": "prevalence",
    "TOPR": "predicted_positive_rate",
    "G": "fowlkes_mallows",
    "ERR": "error_rate",
    "J": "jaccard",
    "IS": "information_score",
    "AUC": "balanced_accuracy",
    "sInd": "similarity_index",
    "dInd": "plain_distance_to_perfect",
    "GI": "youden_j",
    "LS": "lift",
    "BCD": "bray_curtis_dissimilarity",
    "OP": "optimized_precision",
    "IBA": "index_of_balanced_accuracy(dominance=1)",
    "GM": "geometric_mean",
    "OC": "overlap_coefficient",
    "OOC": "ochiai",
    "AUPR": "kulczynski",
    "ICSI": "classification_success_index",
    "BB": "braun_blanquet",
    "AGM": "adjusted_geometric_mean",
    "AGF": "adjusted_f_measure",
}
# pycm says None for a ratio with an empty denominator; here it is infinite.
RATIOS = {"PLR": "positive_likelihood_ratio", "DOR": "odds_ratio"}
MACRO = {
    "TPR": "tpr",
    "TNR": "tnr",
    "FPR": "fpr",
    "FNR": "fnr",
    "PPV": "ppv",
    "NPV": "npv",
    "ACC": "accuracy",
    "F1": "f1",
}


def matrix_of(pycm):
    classes = pycm["classes"]
    cells = pycm["matrix_actual_then_predicted"]
    return to.ClassMatrix(
        np.array([[cells[a][p] for p in classes] for a in classes]), tuple(classes)
    )


@every_matrix
@pytest.mark.parametrize("theirs", OVERALL)
def test_overall_statistics(name, theirs):
    pycm = document(f"{name}.json")

    ours = to.METRICS[OVERALL[theirs]](matrix_of(pycm))

    assert ours == pytest.approx(pycm["overall_stat"][theirs], rel=1e-12, abs=1e-12)


@every_matrix
@pytest.mark.parametrize("theirs", BY_CLASS)
def test_class_statistics(name, theirs):
    pycm = document(f"{name}.json")
    matrix, metric = matrix_of(pycm), to.METRICS.find(BY_CLASS[theirs])

    ours = {cls: float(metric(matrix.one_against_rest(cls))) for cls in matrix.classes}

    assert ours == pytest.approx(pycm["class_stat"][theirs], rel=1e-12, abs=1e-12)


@every_matrix
@pytest.mark.parametrize("theirs", RATIOS)
def test_ratios_are_infinite_where_pycm_says_none(name, theirs):
    pycm = document(f"{name}.json")
    matrix, metric = matrix_of(pycm), to.METRICS[RATIOS[theirs]]

    ours = {cls: float(metric(matrix.one_against_rest(cls))) for cls in matrix.classes}

    values = pycm["class_stat"][theirs]
    expected = {cls: math.inf if v == "None" else v for cls, v in values.items()}
    assert ours == pytest.approx(expected, rel=1e-12)


@every_matrix
def test_discriminant_power_takes_natural_logarithms_pycm_decimal_ones(name):
    pycm = document(f"{name}.json")
    matrix, metric = matrix_of(pycm), to.METRICS["discriminant_power"]
    values = pycm["class_stat"]["DP"]

    ours = {cls: float(metric(matrix.one_against_rest(cls))) for cls in matrix.classes}

    expected = {c: math.inf if v == "None" else v * math.log(10) for c, v in values.items()}
    assert ours == pytest.approx(expected, rel=1e-12)


@every_matrix
@pytest.mark.parametrize("theirs", MACRO)
def test_averages(name, theirs):
    pycm = document(f"{name}.json")
    matrix, metric = matrix_of(pycm), to.METRICS.find(MACRO[theirs])

    macro = float(average(matrix, metric, "macro"))

    assert macro == pytest.approx(pycm["overall_stat"][f"{theirs} Macro"], rel=1e-12)


@every_matrix
@pytest.mark.parametrize("theirs", sorted(set(MACRO) - {"ACC"}))
def test_micro_averages(name, theirs):
    pycm = document(f"{name}.json")
    matrix, metric = matrix_of(pycm), to.METRICS.find(MACRO[theirs])

    micro = float(average(matrix, metric, "micro"))

    assert micro == pytest.approx(pycm["overall_stat"][f"{theirs} Micro"], rel=1e-12)


@every_matrix
def test_areas_of_one_point_averaged(name):
    pycm = document(f"{name}.json")
    matrix, metric = matrix_of(pycm), to.METRICS["balanced_accuracy"]

    assert float(average(matrix, metric, "macro")) == pytest.approx(pycm["overall_stat"]["AUNU"])
    assert float(average(matrix, metric, "weighted")) == pytest.approx(pycm["overall_stat"]["AUNP"])


@every_matrix
def test_classification_success_averaged(name):
    pycm = document(f"{name}.json")

    ours = average(matrix_of(pycm), "classification_success_index", "macro")

    assert float(ours) == pytest.approx(pycm["overall_stat"]["CSI"], rel=1e-12)


@every_matrix
@pytest.mark.parametrize(("theirs", "remove_hits"), [("CEN", False), ("MCEN", True)])
def test_confusion_entropy_of_each_class(name, theirs, remove_hits):
    pycm = document(f"{name}.json")
    matrix = matrix_of(pycm)

    _, ours = confusion_entropies(matrix.counts.astype(float), remove_hits=remove_hits)

    values = pycm["class_stat"][theirs]
    expected = [values[cls] for cls in matrix.classes]
    assert ours.tolist() == pytest.approx(expected, rel=1e-12)
