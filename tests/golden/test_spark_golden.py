"""Spark's numbers and curves against those of Spark itself."""

from functools import cache

import numpy as np
import pytest
from golden.reference import document, table

import tradeoff as to
from tradeoff.compatibility import COMPAT

AREAS = document("spark_areas.json")["areas"]
CURVES = document("spark_curves.json")["curves"]
PREDICTIONS = document("spark_predictions.json")["predictions"]
LOG_LOSS = document("spark_predictions.json")["log_loss"]
TREE = document("spark_predictions.json")["decision_tree"]

WEKA = ("actual", "score_pos", "yes")
FILES = {
    "syn_a_paired_scores b": ("syn_a_paired_scores_data.csv", "label", "score_b", 1),
    "syn_a_paired_scores c": ("syn_a_paired_scores_data.csv", "label", "score_c", 1),
    "rocr_simple": ("rocr_simple_data.csv", "label", "prediction", 1),
    "rocr_simple_rounded1": ("rocr_simple_rounded1_data.csv", "label", "prediction", 1),
    "proc_s100b": ("proc_aSAH_data.csv", "poor", "s100b", 1),
    "weka_nb_nominal": ("weka_nb_nominal_predictions.csv", *WEKA),
    "weka_nb_nominal_weighted": ("weka_nb_nominal_weighted_predictions.csv", *WEKA),
}
PLACES = np.arange(5003)
WRITTEN = {
    "positives": {"actual": [1, 1, 1], "score": [0.2, 0.4, 0.7]},
    "negatives": {"actual": [0, 0, 0], "score": [0.2, 0.4, 0.7]},
    "certain": {"actual": [1, 0, 1, 0, 1], "score": [1.0, 1.0, 0.0, 0.0, 1.0]},
    "zero_on_top": {"actual": [0, 1, 0], "score": [0.9, 0.5, 0.5], "weight": [0.0, 1.0, 1.0]},
    # More than two scores for each of a thousand bins; positives become more frequent.
    "long": {"actual": (PLACES**2 % 10007 < 2 * PLACES).astype(int), "score": PLACES},
}
ZERO_WEIGHTS = "syn_a8_zero_weights weighted"
ZERO_ON_TOP = "zero_on_top weighted"
# Rows of weight 0 are absent here; their places on Spark's curves have tests of their own.
CASES = [case for case in AREAS if case not in {ZERO_WEIGHTS, ZERO_ON_TOP}]
BINS = ["0", "3", "10", "1000"]
BY_THRESHOLD = {
    "precisionByThreshold": ("spark:precisionByThreshold", {}),
    "recallByThreshold": ("spark:recallByThreshold", {}),
    "fMeasureByThreshold": ("spark:fMeasureByThreshold", {}),
    "fMeasureByThreshold(2)": ("spark:fMeasureByThreshold", {"beta": 2.0}),
}
OF_PREDICTIONS = ["accuracy", "f1", "weightedPrecision", "weightedRecall"]
# Rows above 1/2, above the middle score, above nothing (inf) and all (-inf) are predicted positive.
PREDICTED = [(case, at) for case, listed in PREDICTIONS.items() for at in range(len(listed))]
DRAWN = [(case, bins) for case in CASES for bins in CURVES[case]]

every_case = pytest.mark.parametrize("case", CASES)
every_drawing = pytest.mark.parametrize(("case", "bins"), DRAWN)
both_areas = pytest.mark.parametrize("area", ["areaUnderROC", "areaUnderPR"])


def same(theirs):
    return pytest.approx(theirs, rel=1e-12, abs=0)


@cache
def evaluated(case):
    name = case.removesuffix(" weighted")
    if name in WRITTEN:
        return to.evaluate(**WRITTEN[name], positive=1)
    file, actual, score, positive = FILES.get(name, (f"{name}_data.csv", "label", "score", 1))
    rows = table(file)
    weight = rows["weight"] if name != case else None
    return to.evaluate(actual=rows[actual], score=rows[score], weight=weight, positive=positive)


def test_every_number_and_curve_of_spark_is_compared_with_it():
    areas = {"areaUnderROC", "areaUnderPR", "areaUnderROC(numBins=0)", "areaUnderPR(numBins=0)"}
    curves = {"roc", "pr", "precisionByThreshold", "recallByThreshold", "fMeasureByThreshold"}

    assert {measure.name for measure in COMPAT.select("spark")} == {
        *areas,
        *OF_PREDICTIONS,
        "logLoss",
    }
    assert {measure.name for measure in COMPAT.select("spark", "curve")} == curves


@every_case
@pytest.mark.parametrize("bins", BINS)
@both_areas
def test_sparks_areas(case, bins, area):
    estimate = to.compat(evaluated(case), f"spark:{area}", bins=int(bins))

    assert estimate.value == same(AREAS[case][bins][area])


@every_case
@both_areas
def test_sparks_areas_without_bins_by_their_own_names(case, area):
    estimate = to.compat(evaluated(case), f"spark:{area}(numBins=0)")

    assert estimate.value == same(AREAS[case]["0"][area])


def test_only_the_long_rows_are_joined_into_a_thousand_bins():
    changed = [case for case in AREAS if AREAS[case]["0"] != AREAS[case]["1000"]]

    assert changed == ["long"]


@every_drawing
@pytest.mark.parametrize("name", ["roc", "pr"])
def test_sparks_curves(case, bins, name):
    theirs = CURVES[case][bins][name]

    ours = to.compat_curve(evaluated(case), f"spark:{name}", bins=int(bins))

    assert list(ours) == list(theirs)
    np.testing.assert_allclose(list(ours.values()), list(theirs.values()), rtol=1e-12)


@every_drawing
@pytest.mark.parametrize("name", BY_THRESHOLD)
def test_sparks_curves_by_threshold(case, bins, name):
    theirs, (key, parameters) = CURVES[case][bins], BY_THRESHOLD[name]

    ours = to.compat_curve(evaluated(case), key, bins=int(bins), **parameters)

    threshold, values = ours.values()
    assert threshold.tolist() == theirs["threshold"]
    np.testing.assert_allclose(values, theirs[name], rtol=1e-12)


@pytest.mark.parametrize(("case", "at"), PREDICTED)
@pytest.mark.parametrize("name", OF_PREDICTIONS)
def test_sparks_numbers_of_predictions(case, at, name):
    theirs = PREDICTIONS[case][at]

    estimate = to.compat(evaluated(case), f"spark:{name}", threshold=theirs["threshold"])

    assert estimate.value == same(theirs[name])


@pytest.mark.parametrize("case", LOG_LOSS)
@pytest.mark.parametrize("eps", ["1e-15", "0.1"])
def test_sparks_log_loss(case, eps):
    estimate = to.compat(evaluated(case), "spark:logLoss", eps=float(eps))

    assert estimate.value == same(LOG_LOSS[case][eps])


@pytest.mark.parametrize("name", [*OF_PREDICTIONS, "logLoss", "areaUnderROC", "areaUnderPR"])
def test_metrics_of_a_spark_decision_tree_are_those_of_spark(name):
    # Two rows have probability 1/2; Spark's own model predicts them negative.
    e = to.evaluate(actual=TREE["actual"], score=TREE["score"])

    assert list(zip(TREE["score"], TREE["predicted"], strict=True)) == [
        (0.5, 0),
        (0.5, 0),
        (1.0, 1),
        (1.0, 1),
    ]
    assert to.compat(e, f"spark:{name}").value == same(TREE[name])


# Rows of weight 0


@pytest.mark.parametrize("bins", BINS)
@both_areas
def test_scores_of_weight_0_count_in_sparks_bins(bins, area):
    # A weight too small to change any sum keeps the score, as Spark does.
    rows = table("syn_a8_zero_weights_data.csv")
    weight = np.where(rows["weight"] == 0, 1e-50, rows["weight"])
    evaluation = to.evaluate(actual=rows["label"], score=rows["score"], weight=weight)

    estimate = to.compat(evaluation, f"spark:{area}", bins=int(bins))

    assert estimate.value == same(AREAS[ZERO_WEIGHTS][bins][area])


@both_areas
def test_rows_of_weight_0_change_no_area_where_nothing_is_joined(area):
    estimate = to.compat(evaluated(ZERO_WEIGHTS), f"spark:{area}")

    assert estimate.value == same(AREAS[ZERO_WEIGHTS]["1000"][area])


def test_spark_starts_at_precision_1_where_the_highest_score_weighs_0():
    e = evaluated(ZERO_ON_TOP)

    # Spark calls 0/0 a precision of 1: (0, 1) (1, 1/2). Without that row: (0, 1/2) (1, 1/2).
    assert AREAS[ZERO_ON_TOP]["0"]["areaUnderPR"] == 0.75
    assert to.compat(e, "spark:areaUnderPR").value == 0.5
