"""Gates: pass, fail or inconclusive, and the rows needed for a conclusive verdict."""

import math
from itertools import product

import numpy as np
import pytest
from golden.reference import table
from hypothesis import given
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.comparison.difference import Difference
from tradeoff.errors import InputError, UnknownName
from tradeoff.gates.gate import Gates
from tradeoff.gates.verdict import OUTCOMES, verdict_on_difference, verdict_on_models, worst_verdict
from tradeoff.gates.views import gate_notes

ACTUAL = np.array([0, 1] * 30)
OLD = np.array([0.2, 0.7, 0.4, 0.6, 0.55, 0.45] * 10) + np.arange(60) / 1000


def difference(low, high, better="higher", **fields):
    middle = (low + high) / 2
    return Difference("new", "old", "auc", 0.5 + middle, 0.5, low, high, better=better, **fields)


def comparison_of(old=OLD, new=OLD, actual=ACTUAL, **options):
    return to.compare(actual=actual, score={"old": old, "new": new}, **options)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.009, 0.02, "pass"),
        (-0.01, 0.02, "pass"),  # worse by just the margin is not worse by more than it
        (-0.02, 0.02, "inconclusive"),
        (-0.02, -0.01, "inconclusive"),  # the upper limit is just allowed
        (-0.03, -0.011, "fail"),
        (-0.008, -0.002, "pass"),  # significantly worse, but by less than the margin
    ],
)
def test_non_inferiority_compares_the_interval_with_minus_the_margin(low, high, expected):
    assert verdict_on_difference(difference(low, high), 0.01, rows=100).verdict == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.011, 0.02, "pass"),
        (0.01, 0.02, "inconclusive"),
        (0.005, 0.02, "inconclusive"),
        (-0.02, 0.01, "fail"),  # at most the margin is never more than it
        (-0.02, 0.005, "fail"),
    ],
)
def test_superiority_needs_an_interval_above_the_margin(low, high, expected):
    assert (
        verdict_on_difference(difference(low, high), 0.01, rows=100, superior=True).verdict
        == expected
    )


def test_the_interval_is_negated_where_lower_is_better():
    worse = difference(0.02, 0.04, better="lower")

    outcome = verdict_on_difference(worse, 0.01, rows=100)

    assert outcome.verdict == "fail"
    assert (outcome.low, outcome.high) == (-0.04, -0.02)
    assert "lower is better" in outcome.sentence
    assert verdict_on_difference(worse, 0.05, rows=100).verdict == "pass"


def test_the_detectable_difference_and_the_rows_needed_worked_by_hand():
    # (1.959964 + 0.841621) · 0.01 = 0.02801585; to bring it down to 0.01 takes 7.84888 times
    # the rows.
    outcome = verdict_on_difference(
        difference(-0.0196, 0.0196, standard_error=0.01), 0.01, rows=1000
    )

    assert outcome.verdict == "inconclusive"
    assert outcome.detectable == pytest.approx(0.02801585, abs=1e-8)
    assert (outcome.needed, outcome.assumed_alike) == (7849, True)
    assert "about 7,849 rows are needed" in outcome.sentence
    assert "the models truly are equal" in outcome.sentence


def test_with_the_rows_needed_an_equal_model_passes_with_80_percent_power():
    # Normal theory: the lower limit is gain − 1.96 · error; the gain of equal models is 0 ± error.
    first = verdict_on_difference(
        difference(-0.0196, 0.0196, standard_error=0.01), 0.01, rows=10**8
    )
    error = 0.01 * math.sqrt(first.rows / first.needed)
    gain_limit = -0.01 + 1.959963984540054 * error

    assert 0.5 * math.erfc(gain_limit / error / math.sqrt(2)) == pytest.approx(0.8, abs=1e-6)


def test_rows_needed_assume_the_observed_gain_where_equal_models_would_have_passed():
    # Detectable 0.0028 is below the margin 0.01, so equal models would have passed. The observed
    # gain is −0.009, which is 0.001 from −0.01: (2.801585)² as many rows.
    outcome = verdict_on_difference(
        difference(-0.011, -0.007, standard_error=0.001), 0.01, rows=1000
    )

    assert (outcome.needed, outcome.assumed_alike) == (7849, False)
    assert "truly differ as observed" in outcome.sentence


def test_rows_needed_for_superiority_assume_the_observed_gain():
    outcome = verdict_on_difference(
        difference(-0.01, 0.03, standard_error=0.01), 0.0, rows=100, superior=True
    )

    # The observed gain is 0.01, one standard error.
    assert (outcome.needed, outcome.assumed_alike) == (785, False)


def test_no_rows_needed_are_reported_for_a_gain_at_the_margin_or_a_clear_verdict():
    at_margin = verdict_on_difference(difference(-0.02, 0.02, standard_error=0.01), 0.0, rows=100)
    clear = verdict_on_difference(difference(-0.005, 0.005, standard_error=0.002), 0.01, rows=100)

    assert at_margin.verdict == "inconclusive"
    assert math.isnan(at_margin.needed)
    assert "rows are needed" not in at_margin.sentence
    assert clear.detectable > 0
    assert math.isnan(clear.needed)


INTERVALS = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted)
MARGINS = st.floats(0, 1)


@given(INTERVALS, MARGINS, MARGINS)
def test_a_wider_margin_eases_non_inferiority_and_never_superiority(interval, first, second):
    small, large = sorted([first, second])

    def severity(margin, superior):
        verdict = verdict_on_difference(
            difference(*interval), margin, rows=9, superior=superior
        ).verdict
        return OUTCOMES.index(verdict)

    assert severity(large, superior=False) <= severity(small, superior=False)
    assert severity(large, superior=True) >= severity(small, superior=True)
    assert severity(small, superior=False) <= severity(small, superior=True)


@given(INTERVALS, MARGINS, st.booleans())
def test_a_metric_and_its_negative_get_the_same_verdict(interval, margin, superior):
    low, high = interval
    gain = verdict_on_difference(difference(low, high), margin, rows=9, superior=superior)
    loss = verdict_on_difference(
        difference(-high, -low, better="lower"), margin, rows=9, superior=superior
    )

    assert gain.verdict == loss.verdict
    assert (gain.low, gain.high) == (loss.low, loss.high)


def test_the_worst_verdict_decides():
    for verdicts in product(OUTCOMES, repeat=3):
        expected = next(
            verdict for verdict in ("fail", "inconclusive", "pass") if verdict in verdicts
        )
        assert worst_verdict(verdicts) == expected
    with pytest.raises(InputError, match="at least one metric"):
        worst_verdict([])


def test_aucs_are_gated_by_delong_as_in_proc():
    # pROC: Z = 1.3908 for the AUCs of s100b (0.7313686) and ndka (0.6119580).
    columns = table("proc_aSAH_data.csv")
    scores = {name: columns[name] for name in ("s100b", "ndka")}
    comparison = to.compare(actual=columns["poor"], score=scores)

    outcome = verdict_on_models(comparison, "ndka", "s100b", margin=0.3)
    standard_error = (0.7313686 - 0.6119580) / 1.39077

    assert outcome.verdict == "pass"
    assert outcome.detectable == pytest.approx(2.8015852 * standard_error, rel=1e-4)
    assert outcome.low == pytest.approx(0.6119580 - 0.7313686 - 1.959964 * standard_error, rel=1e-4)
    assert verdict_on_models(comparison, "ndka", "s100b", margin=0.28).verdict == "inconclusive"
    assert verdict_on_models(comparison, "ndka", "s100b", margin=0.0, level=0.5).verdict == "fail"


def test_metrics_at_a_point_and_costs_are_gated_by_the_bootstrap():
    new = np.where(ACTUAL == 1, 0.9, 0.1)
    comparison = comparison_of(new=new)
    costs = to.Costs(false_negative=5)

    for metric, options in [
        ("tpr", {"at": ("fpr", 0.1)}),
        ("brier", {}),
        ("cost", {"costs": costs, "at": ("threshold", 0.5)}),
    ]:
        better = verdict_on_models(
            comparison, "new", "old", metric, replicates=200, superior=True, **options
        )
        worse = verdict_on_models(comparison, "old", "new", metric, replicates=200, **options)
        assert (better.verdict, worse.verdict) == ("pass", "fail"), metric
        assert better.difference.gain > 0.01


@pytest.mark.parametrize("metric", ["auc", "brier", "accuracy"])
def test_a_copy_of_a_model_passes_non_inferiority_and_fails_superiority(metric):
    comparison = comparison_of()

    for margin in (0.0, 0.01):
        outcome = verdict_on_models(comparison, "new", "old", metric, margin=margin, replicates=50)
        assert (outcome.verdict, outcome.low, outcome.high) == ("pass", 0, 0)
        assert "the same" in outcome.difference.note
    better = verdict_on_models(
        comparison, "new", "old", metric, margin=0.0, superior=True, replicates=50
    )
    assert better.verdict == "fail"


def test_a_monotone_transformation_keeps_the_auc_but_not_the_accuracy():
    comparison = comparison_of(new=OLD**3)

    assert verdict_on_models(comparison, "new", "old", margin=0).verdict == "pass"
    assert verdict_on_models(comparison, "new", "old", "accuracy", margin=0).verdict != "pass"


def test_perfect_models_on_few_rows_are_inconclusive():
    # Both are perfect; with 30 rows of each class they may still differ by 1 − 0.05^(1/30) = 9.5%.
    old = np.where(ACTUAL == 1, 0.9, 0.1)
    comparison = comparison_of(old=old, new=old + np.arange(60) / 1000)
    half_width = 1 - 0.05 ** (1 / 30)

    for metric, span in [("auc", 1), ("accuracy", 1), ("mcc", 2)]:
        outcome = verdict_on_models(comparison, "new", "old", metric, margin=0.01, replicates=50)
        assert outcome.verdict == "inconclusive"
        assert (outcome.low, outcome.high) == pytest.approx((-span * half_width, span * half_width))
        assert outcome.needed == math.ceil(60 * span * half_width / 0.01)
        assert f"about {outcome.needed:,.0f} rows are needed" in outcome.sentence
        assert (
            verdict_on_models(comparison, "new", "old", metric, margin=0.2, replicates=50).verdict
            == "pass"
        )
    costs = to.Costs(false_negative=5)
    cost_gate = verdict_on_models(comparison, "new", "old", "cost", costs=costs, replicates=50)
    assert cost_gate.high == pytest.approx(5 * half_width)


def test_few_rows_of_a_class_are_noted_once_for_both_models():
    five_rows = comparison_of(
        old=[0.1, 0.4, 0.35, 0.8, 0.3], new=[0.2, 0.5, 0.6, 0.9, 0.1], actual=[0, 0, 1, 1, 0]
    )

    notes = gate_notes(Gates(five_rows, (verdict_on_models(five_rows, "new", "old"),)))

    assert notes == ["Only 2 rows belong to class 1, so rates and AUCs will be very imprecise"]
    sixty_rows = comparison_of(new=OLD + np.sin(np.arange(60)) / 10)
    assert gate_notes(Gates(sixty_rows, (verdict_on_models(sixty_rows, "new", "old"),))) == []


def test_few_clusters_are_noted():
    clusters = np.repeat(np.arange(5), 12)
    outcome = verdict_on_models(comparison_of(new=OLD[::-1], cluster=clusters), "new", "old")

    assert outcome.notes == (
        "the shared rows come from only 5 clusters: too few for a reliable interval",
    )


def test_one_class_is_inconclusive_with_a_reason():
    comparison = comparison_of([0.1, 0.2, 0.3], [0.2, 0.1, 0.3], [1, 1, 1])

    outcome = verdict_on_models(comparison, "new", "old", "tnr")

    assert outcome.verdict == "inconclusive"
    assert math.isnan(outcome.detectable)
    assert outcome.sentence == (
        "Inconclusive: the difference in tnr at threshold 0.5 is undefined: no row is 0."
    )
    with pytest.raises(InputError, match="rows of both classes"):
        verdict_on_models(comparison, "new", "old")


def test_one_row_of_a_class_is_inconclusive_whatever_the_margin():
    comparison = comparison_of([0.1, 0.2, 0.3], [0.2, 0.1, 0.3], [0, 1, 0])

    outcome = verdict_on_models(comparison, "new", "old", margin=0.99)

    assert outcome.verdict == "inconclusive"
    assert "two rows of each class are needed" in outcome.sentence


def test_aucs_without_variance_are_inconclusive():
    # One model ranks all rows correctly, the other none: no variance, and no verdict.
    comparison = comparison_of([4, 3, 2, 1], [1, 2, 3, 4], [0, 0, 1, 1])

    assert verdict_on_models(comparison, "new", "old", superior=True).verdict == "inconclusive"


def test_invalid_gates_are_refused_with_a_reason():
    comparison = comparison_of(new=OLD[::-1])

    for margin in (-0.01, math.nan, math.inf):
        with pytest.raises(InputError, match="margin must be 0 or more"):
            verdict_on_models(comparison, "new", "old", margin=margin)
    with pytest.raises(InputError, match="The margin must be a number"):
        verdict_on_models(comparison, "new", "old", margin="0.1")
    with pytest.raises(InputError, match="compared with itself"):
        verdict_on_models(comparison, "new", "new")
    with pytest.raises(InputError, match="Neither higher nor lower values"):
        verdict_on_models(comparison, "new", "old", "prevalence", replicates=50)
    with pytest.raises(UnknownName, match="No model is called 'newer'"):
        verdict_on_models(comparison, "newer", "old")


def test_sentences_state_the_claim_and_its_verdict():
    failing = difference(-0.3, -0.2, standard_error=0.02)

    assert verdict_on_difference(failing, 0.01, rows=9).sentence.endswith(
        "new is worse by more than 0.01."
    )
    assert verdict_on_difference(failing, 0.0, rows=9).sentence.endswith("new is worse.")
    better = verdict_on_difference(failing, 0.01, rows=9, superior=True)
    assert better.sentence.endswith("new is not better by more than 0.01.")
    passing = verdict_on_difference(difference(0.2, 0.3), 0.01, rows=9, superior=True)
    assert passing.sentence == (
        "Pass: AUC is 0.7500 for new and 0.5000 for old, a difference of 0.2500 (95% CI "
        "0.2000 to 0.3000). new is better by more than 0.01."
    )
