"""Intervals and tests of statsmodels 0.15 and SciPy 1.17, and of confidenceinterval 1.0.5."""

import numpy as np
import pytest
from golden.reference import document, number, table

import tradeoff as to
from tradeoff.core.confusion import ClassMatrix
from tradeoff.stats.paired_labels import mcnemar_test
from tradeoff.stats.proportions import newcombe_interval, proportion_interval
from tradeoff.stats.ratios import odds_ratio_interval
from tradeoff.stats.significance import holm_adjusted

TESTS = document("sm_tests.json")
SHARES = {
    "wilson": "wilson",
    "beta": "clopper-pearson",
    "jeffreys": "jeffreys",
    "agresti_coull": "agresti-coull",
}


def near(expected, rel=1e-9):
    return pytest.approx(expected, rel=rel, abs=1e-12, nan_ok=True)


def cases(kind):
    return pytest.mark.parametrize("case", TESTS[kind], ids=lambda case: str(case.get("table", "")))


@pytest.mark.parametrize("theirs", SHARES)
def test_intervals_of_shares(theirs):
    rows = table("sm_proportion_confint.csv")
    chosen = np.array([name.strip("'") == theirs for name in rows["method"]])
    assert chosen.sum() == 33

    for hits, trials, tail, low, high in zip(
        *(rows[column][chosen] for column in ("count", "nobs", "alpha", "low", "high")), strict=True
    ):
        ends = proportion_interval(hits, trials, 1 - tail, SHARES[theirs])
        assert [float(end) for end in ends] == near([low, high])


@cases("mcnemar")
def test_mcnemar(case):
    (_, only_first), (only_second, _) = case["table"]

    for theirs, ours in (
        ("exact", "exact"),
        ("chi2_corrected", "chi-squared, corrected"),
        ("chi2_uncorrected", "chi-squared"),
    ):
        test = mcnemar_test(only_first, only_second, ours)
        assert test.statistic == near(case[theirs]["statistic"])
        assert test.p_value == near(case[theirs]["pvalue"])


@cases("two_proportions")
def test_two_shares_of_different_rows(case):
    counts = [case[key] for key in ("count1", "nobs1", "count2", "nobs2")]

    assert [float(end) for end in newcombe_interval(*counts)] == near(case["diff_ci_newcomb"])


@pytest.mark.parametrize(
    "case", [case for case in TESTS["multipletests"] if case["method"] == "holm"]
)
def test_several_tests_at_once(case):
    assert holm_adjusted(case["p"]).tolist() == near(case["p_adjusted"])


@cases("kappa")
def test_cohens_kappa(case):
    counts = np.array(case["table"])
    matrix = ClassMatrix(counts, tuple("abcdefgh"[: len(counts)]))

    assert float(to.METRICS["cohens_kappa"](matrix)) == near(case["kappa"])


@cases("odds_ratio_table2x2")
def test_odds_ratio(case):
    (tp, fn), (fp, tn) = case["table"]
    interval = odds_ratio_interval(tp, fn, fp, tn)

    assert float(interval.value) == near(number(case["oddsratio"]))
    ends = [number(end) for end in case["ci_0.95"]]
    assert [float(interval.low), float(interval.high)] == near(ends)


@pytest.mark.parametrize(
    ("theirs", "metric", "hits", "trials"),
    [
        ("accuracy_score", "accuracy", ("tp", "tn"), ("tp", "fn", "fp", "tn")),
        ("ppv_score", "precision", ("tp",), ("tp", "fp")),
        ("npv_score", "npv", ("tn",), ("tn", "fn")),
        ("tpr_score", "tpr", ("tp",), ("tp", "fn")),
        ("tnr_score", "tnr", ("tn",), ("tn", "fp")),
        ("fpr_score", "fpr", ("fp",), ("fp", "tn")),
    ],
)
def test_intervals_of_metrics_at_a_threshold(theirs, metric, hits, trials):
    metrics = document("py_delong_and_metric_ci.json")["threshold_metrics"][theirs]
    rows = table("syn_a1_probabilities_data.csv")
    matrix = to.evaluate(actual=rows["label"], score=rows["score"]).at(0.5)
    cells = {
        "tp": matrix.true_positives,
        "fn": matrix.false_negatives,
        "fp": matrix.false_positives,
        "tn": matrix.true_negatives,
    }
    hit, of = (sum(cells[cell] for cell in some) for some in (hits, trials))

    for name, ours in SHARES.items():
        low, high = proportion_interval(hit, of, 0.95, ours)
        assert [float(low), float(high)] == near(metrics[name]["ci"])
        # confidenceinterval adds 1e-7 to the denominator of rates, though not of accuracy, and so
        # its rates are too low by about 1e-9. Its intervals come from the counts themselves.
        added = 0.0 if metric == "accuracy" else 1e-7
        assert metrics[name]["value"] == pytest.approx(hit / (of + added), rel=1e-15)
        assert float(to.METRICS[metric](matrix)) == pytest.approx(hit / of, rel=1e-15)
