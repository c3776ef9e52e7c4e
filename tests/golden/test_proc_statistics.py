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
from tradeoff.uncertainty.auc import hanley_mcneil_variance, placement_variances
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
    rankings = []
    for gender in ("Male", "Female"):
        mask = rows["gender"] == gender
        evaluation = to.evaluate(actual=rows["poor"][mask], score=rows["s100b"][mask])
        rankings.append(evaluation.ranking.named(gender))
    return rankings


@cache
def synthetic(name):
    rows = table(f"{name}_data.csv")
    return to.evaluate(actual=rows["label"], score=rows["score"])


@cache
def synthetic_pairs():
    rows = table("syn_a_paired_scores_data.csv")
    names = ("score_a", "score_b", "score_c")
    return to.compare(actual=rows["label"], score={name: rows[name] for name in names})


def limits(estimate):
    return [estimate.low, estimate.high]


@every_marker
def test_delongs_variance_and_intervals(marker):
    proc, evaluation = document(f"proc_{marker}_summary.json"), evaluated(marker)

    assert placement_variances(evaluation.ranking).variance == near(proc["delong_variance"])
    for level, expected in proc["delong_ci"].items():
        estimate = evaluation.summary("auc", method="delong", level=float(level))
        assert (limits(estimate), estimate.method) == (near(expected), "DeLong")


@every_marker
def test_hanley_and_mcneil_come_close_to_obuchowski(marker):
    # Both know nothing but the area and the class sizes; one model is exponential, one binormal.
    proc = document(f"proc_{marker}_summary.json")

    variance = hanley_mcneil_variance(proc["auc"], POSITIVES, NEGATIVES)

    assert variance == pytest.approx(proc["obuchowski_variance"], rel=0.07)


def test_the_paired_test():
    proc = PAIRED["delong_two_sided"]
    difference = compared().difference("s100b", "ndka")

    assert compared().areas.covariance[0, 1] == near(PAIRED["delong_covariance"])
    assert compared().areas.values == near(list(proc["estimate"].values()))
    assert difference.statistic == near(proc["statistic"]["Z"])
    assert difference.p_value == near(proc["p_value"])
    assert limits(difference) == near(proc["conf_int"])


def test_one_sided_p_values_follow_from_who_is_better():
    difference = compared().difference("s100b", "ndka")

    assert 1 - difference.first_better == near(PAIRED["delong_greater"]["p_value"])
    assert difference.first_better == near(PAIRED["delong_less"]["p_value"])


def test_the_paired_difference_at_ninety_percent():
    proc = PAIRED["delong_two_sided_conf90"]

    assert limits(compared().difference("s100b", "ndka", level=0.9)) == near(proc["conf_int"])


def test_the_unpaired_test():
    proc = UNPAIRED["delong_two_sided"]
    men, women = by_gender()
    difference = to.difference(men, women)

    assert [placement_variances(ranking).variance for ranking in (men, women)] == near(
        [UNPAIRED["var_1"], UNPAIRED["var_2"]]
    )
    assert [difference.first_value, difference.second_value] == near(
        [UNPAIRED["auc_1"], UNPAIRED["auc_2"]]
    )
    assert difference.statistic == near(proc["statistic"]["D"])
    assert difference.degrees == near(proc["parameter"]["df"])
    assert difference.p_value == near(proc["p_value"])
    assert difference.first_better == near(UNPAIRED["delong_less"]["p_value"])


@pytest.mark.parametrize(
    "name", [key for key, proc in SYNTHETIC["sets"].items() if proc["delong_variance"] != "NA"]
)
def test_synthetic_areas(name):
    proc, evaluation = SYNTHETIC["sets"][name], synthetic(name)
    estimate = evaluation.summary("auc", method="delong")

    assert estimate.value == near(proc["auc"])
    assert placement_variances(evaluation.ranking).variance == near(proc["delong_variance"])
    if name == "syn_a6c_constant":  # pROC is certain of 0.5 here
        assert not estimate.has_interval
        assert estimate.note == "no interval: every row has the same score"
    else:
        assert limits(estimate) == near(proc["delong_ci_0.95"])


@pytest.mark.parametrize(
    "name", [key for key, proc in SYNTHETIC["sets"].items() if proc["delong_variance"] == "NA"]
)
def test_two_rows_have_no_interval_here_nor_there(name):
    estimate = synthetic(name).summary("auc", method="delong")

    assert estimate.value == SYNTHETIC["sets"][name]["auc"]
    assert not estimate.has_interval
    assert estimate.note == "no interval: two rows of each class are needed"


def test_a_perfect_ranking_is_not_certain_unless_delong_is_asked_for():
    # pROC: from 1 to 1. Here the usual method gives the bound of as many successes in a row.
    evaluation = synthetic("syn_a3_perfect")
    rows = min(evaluation.ranking.effective_rows)
    estimate = evaluation.auc

    assert (estimate.high, estimate.method) == (1.0, "exact-type bound")
    assert estimate.low == near(0.025 ** (1 / rows))


@pytest.mark.parametrize("pair", SYNTHETIC["paired"], ids=lambda pair: f"{pair['1']} {pair['2']}")
def test_synthetic_pairs(pair):
    difference = synthetic_pairs().difference(pair["1"], pair["2"])

    assert [difference.first_value, difference.second_value] == near([pair["auc1"], pair["auc2"]])
    assert difference.statistic == near(pair["z_sign_is_auc1_minus_auc2"])
    assert difference.p_value == near(pair["p_two_sided"])
    assert limits(difference) == near(pair["difference_ci_0.95"])


@pytest.mark.parametrize("name", SINGLE["auc_ci_0.95"])
def test_confidenceinterval_agrees_in_single_precision(name):
    theirs, estimate = SINGLE["auc_ci_0.95"][name], synthetic(name).summary("auc", method="delong")

    assert estimate.value == pytest.approx(theirs["auc"], abs=1e-6)
    assert limits(estimate) == pytest.approx(theirs["ci"], abs=1e-6)


@pytest.mark.parametrize(
    "pair", SINGLE["paired_tests"], ids=lambda pair: f"{pair['1']} {pair['2']}"
)
def test_mlstatkit_agrees_with_the_opposite_sign(pair):
    difference = synthetic_pairs().difference(pair["1"], pair["2"])
    rankings = [synthetic_pairs().rankings[pair[key]] for key in "12"]

    assert -difference.statistic == near(pair["z_sign_is_auc2_minus_auc1"])
    assert difference.p_value == near(pair["p_two_sided"])
    assert difference.standard_error**2 == near(pair["variance_of_difference"])
    for ranking, key in zip(rankings, ("ci1_0.95", "ci2_0.95"), strict=True):
        evaluation = to.Evaluation({"model": ranking})
        assert limits(evaluation.summary("auc", method="delong")) == near(pair[key])


@every_marker
@pytest.mark.parametrize(
    ("stratified", "key"),
    [(True, "bootstrap_ci_0.95_stratified"), (False, "bootstrap_ci_0.95_unstratified")],
)
def test_bootstrap_intervals_of_areas(marker, stratified, key):
    proc = document(f"proc_{marker}_summary.json")["stochastic"][key]
    estimate = evaluated(marker).summary(
        "auc", method="bootstrap", replicates=4000, sampling="by class" if stratified else "random"
    )

    assert limits(estimate) == pytest.approx(proc, abs=0.01)
    assert ("stratified" in estimate.method) == stratified


@every_marker
def test_the_bootstrap_variance_of_an_area(marker):
    proc = document(f"proc_{marker}_summary.json")["stochastic"]["bootstrap_variance_stratified"]
    auc = to.SUMMARIES["auc"]

    draws = bootstrap(
        RankedRows(evaluated(marker).ranking),
        lambda resamples: np.array([auc(resample) for resample in resamples]),
        Confidence(replicates=4000),
    )

    assert draws.var(ddof=1) == pytest.approx(proc, rel=0.07)  # three of its standard errors


@every_marker
def test_the_bootstrap_interval_of_a_corrected_partial_area(marker):
    stochastic = document(f"proc_{marker}_summary.json")["stochastic"]
    proc = stochastic["pauc_spec_1_0.9_corrected_bootstrap_ci_0.95"]
    estimate = evaluated(marker).summary(
        "partial_auc_mcclish", low=0.0, high=0.1, method="bootstrap", replicates=2000
    )

    assert estimate.value == near(proc["estimate"])
    assert limits(estimate) == pytest.approx(proc["ci"], abs=0.01)


def assert_a_row_or_two_apart(ours, theirs, rows):
    """Both programs draw, and percentiles of whole rows jump: mostly they agree altogether."""
    deviation = np.abs(np.asarray(ours) - theirs)

    assert deviation.max() <= 2 / rows + 1e-9
    assert deviation.mean() < 0.01


@every_marker
def test_sensitivity_at_given_specificities(marker):
    proc = table(f"proc_{marker}_ci_se_stochastic.csv")
    options = {"method": "bootstrap", "replicates": 4000, "sampling": "by class"}
    band = evaluated(marker).band("roc", at=1 - proc["at"], **options)

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
    estimates = [
        evaluated(marker).metric(rate, threshold, method="bootstrap", replicates=4000)
        for threshold in proc["threshold"]
    ]
    vary = np.array([estimate.has_interval for estimate in estimates])
    intervals = [estimate for estimate in estimates if estimate.has_interval]

    # Where every resample is the same, pROC gives an interval of no width and we give none.
    assert (proc[f"{key}_low"] == proc[f"{key}_high"]).tolist() == (~vary).tolist()
    assert_a_row_or_two_apart(
        [interval.low for interval in intervals], proc[f"{key}_low"][vary], rows
    )
    assert_a_row_or_two_apart(
        [interval.high for interval in intervals], proc[f"{key}_high"][vary], rows
    )


@pytest.mark.parametrize(
    ("key", "metric", "options"),
    [
        ("bootstrap_auc", "auc", {"method": "bootstrap"}),
        ("bootstrap_pauc_spec_1_0.9", "partial_auc", {"low": 0.0, "high": 0.1}),
        ("method_sensitivity_0.9", "tnr", {"at": ("tpr", 0.9)}),
        ("method_specificity_0.9", "tpr", {"at": ("tnr", 0.9)}),
    ],
)
def test_paired_bootstrap_tests(key, metric, options):
    proc = PAIRED["stochastic"][key]
    difference = compared().difference("s100b", "ndka", metric, replicates=1200, **options)

    assert difference.statistic == pytest.approx(proc["statistic"]["D"], rel=0.08)
    assert difference.p_value == pytest.approx(proc["p_value"], abs=0.02)
    if key == "bootstrap_pauc_spec_1_0.9":
        values = [difference.first_value, difference.second_value]
        assert values == near(list(proc["estimate"].values()))


def test_the_unpaired_bootstrap_test():
    proc = UNPAIRED["stochastic"]["bootstrap_auc"]
    confidence = Confidence(method="bootstrap", replicates=4000)
    difference = to.difference(*by_gender(), confidence=confidence)

    assert difference.statistic == pytest.approx(proc["statistic"]["D"], rel=0.08)
    assert difference.p_value == pytest.approx(proc["p_value"], abs=0.02)


def test_venkatramans_paired_test():
    # pROC ranks equal scores in the order of the rows, so it is given scores that do not tie.
    proc, rows = PAIRED["stochastic"]["venkatraman"], table("proc_aSAH_data.csv")
    ranks = {name: np.argsort(np.argsort(rows[name], kind="stable")) for name in MARKERS}
    test = to.compare(actual=rows["poor"], score=ranks).venkatraman(*MARKERS, replicates=4000)

    assert test.statistic == proc["statistic"]["E"] == 692
    assert test.p_value == pytest.approx(proc["p_value"], abs=0.03)


def test_venkatramans_paired_test_where_scores_tie():
    proc = PAIRED["stochastic"]["venkatraman"]
    test = compared().venkatraman(*MARKERS, replicates=4000)

    assert test.statistic == pytest.approx(proc["statistic"]["E"], rel=0.04)
    assert test.p_value == pytest.approx(proc["p_value"], abs=0.03)
