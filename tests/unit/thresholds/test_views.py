"""The text of a decision: one threshold, and the thresholds that are about as good."""

import re

import numpy as np
import pytest

import tradeoff as to
from tradeoff.formatting import format_threshold
from tradeoff.thresholds.identical import Interval
from tradeoff.thresholds.views import _format_intervals

RANDOM = np.random.default_rng(5)
ACTUAL = RANDOM.random(400) < 0.3
NOISE = RANDOM.random(400)
INFORMATIVE = ACTUAL + RANDOM.normal(size=400)


def text(score, actual=ACTUAL, **criterion):
    return str(to.evaluate(actual, score).thresholds(**criterion)).replace("\n", " ")


def headline_threshold(decision):
    return re.search(r"≥ (\S+)\.$", str(decision).splitlines()[0])[1]


@pytest.mark.parametrize(
    "score", [INFORMATIVE, INFORMATIVE.round(1), INFORMATIVE / 1e6, NOISE * 1e9]
)
def test_headline_and_table_show_the_threshold_of_the_decision(score):
    decision = to.evaluate(ACTUAL, score).best("youden_j")
    lines = str(decision).splitlines()

    headline = headline_threshold(decision)
    (row,) = (line for line in lines if line.startswith("score "))
    assert headline == row.split()[1]
    assert float(headline) == pytest.approx(decision.threshold, rel=1e-5)


def test_a_shown_threshold_makes_the_predictions_of_the_decision():
    # 0.1234567 in six digits is 0.123457: above the score itself.
    e = to.evaluate([0, 0, 1, 1], [0.1, 0.1234561, 0.1234567, 0.9])
    decision = e.best("youden_j")

    assert decision.threshold == 0.1234567
    assert e.at(float(headline_threshold(decision))) == e.at(0.1234567)


def test_a_band_names_its_own_thresholds():
    decision = to.evaluate(ACTUAL, INFORMATIVE.round(2)).best_band(gamma=3)
    first = str(decision).splitlines()[0]

    assert all(format_threshold(limit) in first for limit in decision.band)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "criterion",
    [{"by": "youden_j"}, {"costs": to.Costs(fp=1, fn=1)}, {"costs": to.Costs(fp=1, fn=3)}],
)
def test_ranges_of_near_random_scores_are_few_and_make_sense(seed, criterion):
    random = np.random.default_rng(seed)
    screen = text(random.random(120).round(2), random.random(120) < 0.3, **criterion)
    sentences = screen.partition("* out-of-bag")[0]

    assert " none are" not in sentences
    assert "is none" not in sentences
    assert "1 more ranges" not in sentences
    assert "error (0)" not in sentences
    (near,) = re.findall(r"Thresholds ([^T;:]*?) (?:are|cost) at most one", sentences) or [""]
    assert near.count(",") <= 2


def test_an_unbounded_range_ends_where_all_rows_are_predicted_alike():
    rare = RANDOM.random(400) < 0.05
    nobody = text(NOISE, rare, costs=to.Costs(fp=1, fn=1))

    assert "(or predict False for every row) cost at most one standard error" in nobody
    assert "to predicting False for every row." in nobody


def test_one_range_more_is_singular():
    decision = to.evaluate([0, 0, 1, 1], [1, 2, 3, 4]).best("youden_j")
    ranges = [Interval(low, low + 0.5) for low in (8, 6, 4, 2)]

    assert _format_intervals(ranges, decision) == (
        "above 2 up to 2.5, above 4 up to 4.5, above 6 up to 6.5 and 1 more range"
    )


def test_without_a_standard_error_nothing_is_said_about_it():
    perfect = text(ACTUAL.astype(float), costs=to.Costs(fp=1, fn=1))

    assert "standard error" not in perfect


@pytest.fixture(name="aneurysms", scope="module")
def _aneurysms():
    return to.evaluate(to.datasets.load("asah"), actual="poor", score=["s100b", "ndka"])


def words(result):
    return " ".join(str(result).split())


@pytest.mark.parametrize(
    ("by", "target", "label"),
    [("youden", None, "Youden's J"), ("tpr", 0.9, "recall (sensitivity)")],
)
def test_the_criterion_has_one_interval_by_the_method_of_its_metric(aneurysms, by, target, label):
    decision = aneurysms["s100b"].thresholds(by, target=target, replicates=20).best
    lines = str(decision).splitlines()

    (row,) = (line for line in lines if line.startswith("s100b "))
    (metric,) = (line for line in lines if line.strip().startswith(f"{label}  "))
    interval = re.search(r"0\.\d+ \(\S+\)", metric)[0]
    assert interval in row
    method = "Newcombe" if by == "youden" else "Wilson"
    assert f"CI on these data: {method}." in lines


def test_a_cost_has_the_interval_of_the_bootstrap(aneurysms):
    (decision,) = aneurysms["s100b"].thresholds(costs=to.Costs(fp=1, fn=5), replicates=50)
    low, high = decision.out_of_sample.value

    assert f"{decision.value:.3f} ({low:.3f}–{high:.3f})" in words(decision)
    assert "CI on these data: percentile bootstrap." in words(decision)


def test_without_a_bootstrap_the_criterion_still_has_its_interval(aneurysms):
    text = words(aneurysms["s100b"].thresholds(check=False))

    assert "Youden's J (95% CI)" in text
    assert "0.22 0.440 (0.254–0.590)" in text


def test_a_reject_band_has_one_interval(aneurysms):
    text = words(aneurysms["s100b"].best_band(coverage=0.9))

    assert "Lowest error rate: 0.221 (0.155–0.306) on these data" in text
    assert "error rate 0.221 (0.155–0.306) 25 of 113 rows" in text
    assert "CI on these data: Wilson." in text


def test_rules_for_comparison_have_all_rates(aneurysms):
    # 41 of 113 patients have a poor outcome.
    text = str(aneurysms.thresholds(costs=to.Costs(fp=1, fn=5), check=False))
    rows = {line[:13]: line.split() for line in text.splitlines()}

    assert rows["predict all 1"][-4:] == ["113", "(100%)", "100%", "36.3%"]
    assert rows["predict all 0"][-4:] == ["0", "(0%)", "0%", "undefined"]


def test_negative_thresholds_have_a_minus_sign():
    decision = to.evaluate([0, 0, 1, 1], [-2.5, -1.5, -1.25, 0.5]).best("youden")

    assert words(decision).startswith("Highest Youden's J: predict 1 where score ≥ −1.25.")
    assert not re.search(r"(?<![\w(])-\d", str(decision))
    assert decision.to_dict()["threshold"] == -1.25
    assert ",-1.25," in decision.to_csv()
