"""pROC's intervals and tests on the aSAH markers and on synthetic scores.

Formulas agree to 1e-9. Where both draw rows again they agree as far as 10,000 draws of theirs and a
few thousand of ours can: limits to about 0.01, p-values to about 0.02. A rate can only be a whole
number of rows, so where a percentile falls between two rows the programs may be a row apart.
"""

from functools import cache

import numpy as np
import pytest
from golden.reference import document, table

import tradeoff as to
from tradeoff.uncertainty.auc import hanley_mcneil, placements
from tradeoff.uncertainty.bootstrap import RankedRows, bootstrap
from tradeoff.uncertainty.confidence import Confidence

MARKERS = ("s100b", "ndka")
POSITIVES, NEGATIVES = 41, 72
PAIRED = document("proc_test_paired_s100b_ndka.json")
UNPAIRED = document("proc_test_unpaired_s100b_by_gender.json")
SYNTHETIC = document("syn_a_proc_delong.json")
SINGLE = document("py_delong_and_metric_ci.json")
every_marker = pytest.mark.parametrize("marker", MARKERS)


def near(expected, rel=1e-9):
    return pytest.approx(expected, rel=rel, abs=1e-12)


@cache
def evaluated(marker):
    rows = table("proc_aSAH_data.csv")
    return to.evaluate(actual=rows["poor"], score=rows[marker])


@cache
def compared():
    rows = table("proc_aSAH_data.csv")
    return to.compare(actual=rows["poor"], score={name: rows[name] for name in MARKERS})


@cache
def by_gender():
    rows = table("proc_aSAH_data.csv")
    found = []
    for gender in ("Male", "Female"):
        own = rows["gender"] == gender
        evaluation = to.evaluate(actual=rows["poor"][own], score=rows["s100b"][own])
        found.append(evaluation.ranking.named(gender))
    return found


@cache
def synthetic(name):
    rows = table(f"{name}_data.csv")
    return to.evaluate(actual=rows["label"], score=rows["score"])


@cache
def synthetic_pairs():
    rows = table("syn_a_paired_scores_data.csv")
    names = ("score_a", "score_b", "score_c")
    return to.compare(actual=rows["label"], score={name: rows[name] for name in names})


def ends(estimate):
    return [estimate.low, estimate.high]


@every_marker
def test_delongs_variance_and_intervals(marker):
    proc, evaluation = document(f"proc_{marker}_summary.json"), evaluated(marker)

    assert placements(evaluation.ranking).variance == near(proc["delong_variance"])
    for level, expected in proc["delong_ci"].items():
        found = evaluation.summary("auc", method="delong", level=float(level))
        assert (ends(found), found.method) == (near(expected), "DeLong")


@every_marker
def test_hanley_and_mcneil_come_close_to_obuchowski(marker):
    # Both know nothing but the area and the class sizes; one model is exponential, one binormal.
    proc = document(f"proc_{marker}_summary.json")

    variance = hanley_mcneil(proc["auc"], POSITIVES, NEGATIVES)

    assert variance == pytest.approx(proc["obuchowski_variance"], rel=0.07)


def test_the_paired_test():
    proc = PAIRED["delong_two_sided"]
    found = compared().difference("s100b", "ndka")

    assert compared().areas.covariance[0, 1] == near(PAIRED["delong_covariance"])
    assert compared().areas.values == near(list(proc["estimate"].values()))
    assert found.statistic == near(proc["statistic"]["Z"])
    assert found.p_value == near(proc["p_value"])
    assert ends(found) == near(proc["conf_int"])


def test_one_sided_p_values_follow_from_who_is_better():
    found = compared().difference("s100b", "ndka")

    assert 1 - found.first_better == near(PAIRED["delong_greater"]["p_value"])
    assert found.first_better == near(PAIRED["delong_less"]["p_value"])


def test_the_paired_difference_at_ninety_percent():
    proc = PAIRED["delong_two_sided_conf90"]

    assert ends(compared().difference("s100b", "ndka", level=0.9)) == near(proc["conf_int"])


def test_the_unpaired_test():
    proc = UNPAIRED["delong_two_sided"]
    men, women = by_gender()
    found = to.difference(men, women)

    assert [placements(own).variance for own in (men, women)] == near(
        [UNPAIRED["var_1"], UNPAIRED["var_2"]]
    )
    assert [found.first_value, found.second_value] == near([UNPAIRED["auc_1"], UNPAIRED["auc_2"]])
    assert found.statistic == near(proc["statistic"]["D"])
    assert found.degrees == near(proc["parameter"]["df"])
    assert found.p_value == near(proc["p_value"])
    assert found.first_better == near(UNPAIRED["delong_less"]["p_value"])


@pytest.mark.parametrize(
    "name", [key for key, proc in SYNTHETIC["sets"].items() if proc["delong_variance"] != "NA"]
)
def test_synthetic_areas(name):
    proc, evaluation = SYNTHETIC["sets"][name], synthetic(name)
    found = evaluation.summary("auc", method="delong")

    assert found.value == near(proc["auc"])
    assert placements(evaluation.ranking).variance == near(proc["delong_variance"])
    if name == "syn_a6c_constant":  # pROC is certain of 0.5 here
        assert not found.has_interval
        assert found.note == "no interval: every row has the same score"
    else:
        assert ends(found) == near(proc["delong_ci_0.95"])


@pytest.mark.parametrize(
    "name", [key for key, proc in SYNTHETIC["sets"].items() if proc["delong_variance"] == "NA"]
)
def test_two_rows_have_no_interval_here_nor_there(name):
    found = synthetic(name).summary("auc", method="delong")

    assert found.value == SYNTHETIC["sets"][name]["auc"]
    assert not found.has_interval
    assert found.note == "no interval: it needs two rows of each class"


def test_a_perfect_ranking_is_not_certain_unless_delong_is_asked_for():
    # pROC: from 1 to 1. Here the usual method gives the bound of as many successes in a row.
    evaluation = synthetic("syn_a3_perfect")
    rows = min(evaluation.ranking.effective_rows)
    found = evaluation.auc

    assert (found.high, found.method) == (1.0, "exact-type bound")
    assert found.low == near(0.025 ** (1 / rows))


@pytest.mark.parametrize("pair", SYNTHETIC["paired"], ids=lambda pair: f"{pair['1']} {pair['2']}")
def test_synthetic_pairs(pair):
    found = synthetic_pairs().difference(pair["1"], pair["2"])

    assert [found.first_value, found.second_value] == near([pair["auc1"], pair["auc2"]])
    assert found.statistic == near(pair["z_sign_is_auc1_minus_auc2"])
    assert found.p_value == near(pair["p_two_sided"])
    assert ends(found) == near(pair["difference_ci_0.95"])


@pytest.mark.parametrize("name", SINGLE["auc_ci_0.95"])
def test_confidenceinterval_agrees_in_single_precision(name):
    theirs, found = SINGLE["auc_ci_0.95"][name], synthetic(name).summary("auc", method="delong")

    assert found.value == pytest.approx(theirs["auc"], abs=1e-6)
    assert ends(found) == pytest.approx(theirs["ci"], abs=1e-6)


@pytest.mark.parametrize(
    "pair", SINGLE["paired_tests"], ids=lambda pair: f"{pair['1']} {pair['2']}"
)
def test_mlstatkit_agrees_with_the_opposite_sign(pair):
    found = synthetic_pairs().difference(pair["1"], pair["2"])
    own = [synthetic_pairs().rankings[pair[key]] for key in "12"]

    assert -found.statistic == near(pair["z_sign_is_auc2_minus_auc1"])
    assert found.p_value == near(pair["p_two_sided"])
    assert found.standard_error**2 == near(pair["variance_of_difference"])
    for ranking, key in zip(own, ("ci1_0.95", "ci2_0.95"), strict=True):
        evaluation = to.Evaluation({"own": ranking})
        assert ends(evaluation.summary("auc", method="delong")) == near(pair[key])


@every_marker
@pytest.mark.parametrize(
    ("stratified", "key"),
    [(True, "bootstrap_ci_0.95_stratified"), (False, "bootstrap_ci_0.95_unstratified")],
)
def test_bootstrap_intervals_of_areas(marker, stratified, key):
    proc = document(f"proc_{marker}_summary.json")["stochastic"][key]
    found = evaluated(marker).summary(
        "auc", method="bootstrap", replicates=4000, sampling="by class" if stratified else "random"
    )

    assert ends(found) == pytest.approx(proc, abs=0.01)
    assert ("stratified" in found.method) == stratified


@every_marker
def test_the_bootstrap_variance_of_an_area(marker):
    proc = document(f"proc_{marker}_summary.json")["stochastic"]["bootstrap_variance_stratified"]
    auc = to.SUMMARIES["auc"]

    draws = bootstrap(
        RankedRows(evaluated(marker).ranking),
        lambda drawn: np.array([auc(own) for own in drawn]),
        Confidence(replicates=4000),
    )

    assert draws.var(ddof=1) == pytest.approx(proc, rel=0.07)  # three of its standard errors


@every_marker
def test_the_bootstrap_interval_of_a_corrected_partial_area(marker):
    stochastic = document(f"proc_{marker}_summary.json")["stochastic"]
    proc = stochastic["pauc_spec_1_0.9_corrected_bootstrap_ci_0.95"]
    found = evaluated(marker).summary(
        "partial_auc_mcclish", low=0.0, high=0.1, method="bootstrap", replicates=2000
    )

    assert found.value == near(proc["estimate"])
    assert ends(found) == pytest.approx(proc["ci"], abs=0.01)


def assert_a_row_or_two_apart(ours, theirs, rows):
    """Both programs draw, and percentiles of whole rows jump: mostly they agree altogether."""
    away = np.abs(np.asarray(ours) - theirs)

    assert away.max() <= 2 / rows + 1e-9
    assert away.mean() < 0.01


@every_marker
def test_sensitivity_at_given_specificities(marker):
    proc = table(f"proc_{marker}_ci_se_stochastic.csv")
    asked = {"method": "bootstrap", "replicates": 4000, "sampling": "by class"}
    band = evaluated(marker).band("roc", at=1 - proc["at"], **asked)

    for ours, theirs in (("low", "low"), ("middle", "median"), ("high", "high")):
        assert_a_row_or_two_apart(getattr(band, ours), proc[theirs], POSITIVES)


@every_marker
def test_specificity_at_given_sensitivities(marker):
    proc = table(f"proc_{marker}_ci_sp_stochastic.csv")
    band = evaluated(marker).band(
        x="tpr", y="tnr", at=proc["at"], method="bootstrap", replicates=1500, sampling="by class"
    )

    for ours, theirs in (("low", "low"), ("middle", "median"), ("high", "high")):
        assert_a_row_or_two_apart(getattr(band, ours), proc[theirs], NEGATIVES)


@every_marker
@pytest.mark.parametrize(
    ("rate", "key", "rows"), [("tnr", "sp", NEGATIVES), ("tpr", "se", POSITIVES)]
)
def test_rates_at_given_thresholds(marker, rate, key, rows):
    proc = table(f"proc_{marker}_ci_thresholds_stochastic.csv")
    found = [
        evaluated(marker).metric(rate, threshold, method="bootstrap", replicates=4000)
        for threshold in proc["threshold"]
    ]
    vary = np.array([one.has_interval for one in found])
    own = [one for one in found if one.has_interval]

    # Where all rows or none are found, every draw says the same: pROC is certain, we are silent.
    assert (proc[f"{key}_low"] == proc[f"{key}_high"]).tolist() == (~vary).tolist()
    assert_a_row_or_two_apart([one.low for one in own], proc[f"{key}_low"][vary], rows)
    assert_a_row_or_two_apart([one.high for one in own], proc[f"{key}_high"][vary], rows)


@pytest.mark.parametrize(
    ("key", "metric", "asked"),
    [
        ("bootstrap_auc", "auc", {"method": "bootstrap"}),
        ("bootstrap_pauc_spec_1_0.9", "partial_auc", {"low": 0.0, "high": 0.1}),
        ("method_sensitivity_0.9", "tnr", {"at": ("tpr", 0.9)}),
        ("method_specificity_0.9", "tpr", {"at": ("tnr", 0.9)}),
    ],
)
def test_paired_bootstrap_tests(key, metric, asked):
    proc = PAIRED["stochastic"][key]
    found = compared().difference("s100b", "ndka", metric, replicates=1200, **asked)

    assert found.statistic == pytest.approx(proc["statistic"]["D"], rel=0.08)
    assert found.p_value == pytest.approx(proc["p_value"], abs=0.02)
    if key == "bootstrap_pauc_spec_1_0.9":
        values = [found.first_value, found.second_value]
        assert values == near(list(proc["estimate"].values()))


def test_the_unpaired_bootstrap_test():
    proc = UNPAIRED["stochastic"]["bootstrap_auc"]
    confidence = Confidence(method="bootstrap", replicates=4000)
    found = to.difference(*by_gender(), confidence=confidence)

    assert found.statistic == pytest.approx(proc["statistic"]["D"], rel=0.08)
    assert found.p_value == pytest.approx(proc["p_value"], abs=0.02)


def test_venkatramans_paired_test():
    # pROC ranks equal scores in the order of the rows, so it is given scores that do not tie.
    proc, rows = PAIRED["stochastic"]["venkatraman"], table("proc_aSAH_data.csv")
    ranks = {name: np.argsort(np.argsort(rows[name], kind="stable")) for name in MARKERS}
    found = to.compare(actual=rows["poor"], score=ranks).venkatraman(*MARKERS, replicates=4000)

    assert found.statistic == proc["statistic"]["E"] == 692
    assert found.p_value == pytest.approx(proc["p_value"], abs=0.03)


def test_venkatramans_paired_test_where_scores_tie():
    proc = PAIRED["stochastic"]["venkatraman"]
    found = compared().venkatraman(*MARKERS, replicates=4000)

    assert found.statistic == pytest.approx(proc["statistic"]["E"], rel=0.04)
    assert found.p_value == pytest.approx(proc["p_value"], abs=0.03)
