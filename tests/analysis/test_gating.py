"""Gates: pass, fail or inconclusive, and how many rows an open question needs."""

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
from tradeoff.gates.claim import OUTCOMES, gate, judged, worst
from tradeoff.gates.gate import Gates
from tradeoff.gates.views import gate_notes

ACTUAL = np.array([0, 1] * 30)
OLD = np.array([0.2, 0.7, 0.4, 0.6, 0.55, 0.45] * 10) + np.arange(60) / 1000


def difference(low, high, better="higher", **more):
    middle = (low + high) / 2
    return Difference("new", "old", "auc", 0.5 + middle, 0.5, low, high, better=better, **more)


def compared(old=OLD, new=OLD, actual=ACTUAL, **options):
    return to.compare(actual=actual, score={"old": old, "new": new}, **options)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.009, 0.02, "pass"),
        (-0.01, 0.02, "pass"),  # worse by just the margin is not worse by more than it
        (-0.02, 0.02, "inconclusive"),
        (-0.02, -0.01, "inconclusive"),  # the upper end is just allowed
        (-0.03, -0.011, "fail"),
        (-0.008, -0.002, "pass"),  # surely worse, but by less than the margin
    ],
)
def test_the_interval_is_held_against_minus_the_margin(low, high, expected):
    assert judged(difference(low, high), 0.01, rows=100).verdict == expected


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
def test_superior_asks_for_more_than_the_margin(low, high, expected):
    assert judged(difference(low, high), 0.01, rows=100, superior=True).verdict == expected


def test_where_lower_is_better_the_interval_is_turned():
    worse = difference(0.02, 0.04, better="lower")

    found = judged(worse, 0.01, rows=100)

    assert found.verdict == "fail"
    assert (found.low, found.high) == (-0.04, -0.02)
    assert "lower is better" in found.sentence
    assert judged(worse, 0.05, rows=100).verdict == "pass"


def test_the_detectable_difference_and_the_rows_needed_by_hand():
    # (1.959964 + 0.841621) · 0.01 = 0.02801585; to bring it down to 0.01 takes 7.84888 times
    # the rows.
    found = judged(difference(-0.0196, 0.0196, standard_error=0.01), 0.01, rows=1000)

    assert found.verdict == "inconclusive"
    assert found.detectable == pytest.approx(0.02801585, abs=1e-8)
    assert (found.needed, found.assumed_alike) == (7849, True)
    assert "about 7,849 rows would settle it" in found.sentence
    assert "the two are alike" in found.sentence


def test_with_so_many_rows_a_model_as_good_passes_four_times_in_five():
    # Normal theory: the lower end is gain − 1.96 · error; the gain of equal models is 0 ± error.
    first = judged(difference(-0.0196, 0.0196, standard_error=0.01), 0.01, rows=10**8)
    error = 0.01 * math.sqrt(first.rows / first.needed)
    needed_gain = -0.01 + 1.959963984540054 * error

    assert 0.5 * math.erfc(needed_gain / error / math.sqrt(2)) == pytest.approx(0.8, abs=1e-6)


def test_rows_needed_go_by_what_is_seen_where_these_rows_would_show_equal_models():
    # Detectable 0.0028 is below the margin 0.01, so equal models would have passed. Seen is a gain
    # of −0.009, which is 0.001 from −0.01: (2.801585)² as many rows.
    found = judged(difference(-0.011, -0.007, standard_error=0.001), 0.01, rows=1000)

    assert (found.needed, found.assumed_alike) == (7849, False)
    assert "as far apart as here" in found.sentence


def test_better_needs_rows_for_the_gain_that_is_seen():
    found = judged(difference(-0.01, 0.03, standard_error=0.01), 0.0, rows=100, superior=True)

    # The seen gain is 0.01, a standard error.
    assert (found.needed, found.assumed_alike) == (785, False)


def test_no_number_of_rows_is_told_where_the_gain_lies_on_the_edge_or_all_is_settled():
    on_the_edge = judged(difference(-0.02, 0.02, standard_error=0.01), 0.0, rows=100)
    settled = judged(difference(-0.005, 0.005, standard_error=0.002), 0.01, rows=100)

    assert on_the_edge.verdict == "inconclusive"
    assert math.isnan(on_the_edge.needed)
    assert "settle" not in on_the_edge.sentence
    assert settled.detectable > 0
    assert math.isnan(settled.needed)


ENDS = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted)
MARGINS = st.floats(0, 1)


@given(ENDS, MARGINS, MARGINS)
def test_a_wider_margin_never_makes_a_verdict_worse_and_never_eases_superiority(ends, one, other):
    small, large = sorted([one, other])

    def place(margin, superior):
        verdict = judged(difference(*ends), margin, rows=9, superior=superior).verdict
        return OUTCOMES.index(verdict)

    assert place(large, superior=False) <= place(small, superior=False)
    assert place(large, superior=True) >= place(small, superior=True)
    assert place(small, superior=False) <= place(small, superior=True)


@given(ENDS, MARGINS, st.booleans())
def test_a_metric_and_its_negative_get_the_same_verdict(ends, margin, superior):
    low, high = ends
    up = judged(difference(low, high), margin, rows=9, superior=superior)
    down = judged(difference(-high, -low, better="lower"), margin, rows=9, superior=superior)

    assert up.verdict == down.verdict
    assert (up.low, up.high) == (down.low, down.high)


def test_the_worst_of_all_verdicts_counts():
    for verdicts in product(OUTCOMES, repeat=3):
        expected = next(one for one in ("fail", "inconclusive", "pass") if one in verdicts)
        assert worst(verdicts) == expected
    with pytest.raises(InputError, match="needs a metric"):
        worst([])


def test_areas_are_gated_by_delong_as_in_proc():
    # pROC: Z = 1.3908 for the areas 0.7313686 and 0.6119580 of s100b and ndka.
    columns = table("proc_aSAH_data.csv")
    scores = {name: columns[name] for name in ("s100b", "ndka")}
    comparison = to.compare(actual=columns["poor"], score=scores)

    found = gate(comparison, "ndka", "s100b", margin=0.3)
    error = (0.7313686 - 0.6119580) / 1.39077

    assert found.verdict == "pass"
    assert found.detectable == pytest.approx(2.8015852 * error, rel=1e-4)
    assert found.low == pytest.approx(0.6119580 - 0.7313686 - 1.959964 * error, rel=1e-4)
    assert gate(comparison, "ndka", "s100b", margin=0.28).verdict == "inconclusive"
    assert gate(comparison, "ndka", "s100b", margin=0.0, level=0.5).verdict == "fail"


def test_a_metric_at_a_point_and_costs_are_gated_by_drawing_rows_again():
    new = np.where(ACTUAL == 1, 0.9, 0.1)
    comparison = compared(new=new)
    costs = to.Costs(false_negative=5)

    for metric, asked in [
        ("tpr", {"at": ("fpr", 0.1)}),
        ("brier", {}),
        ("cost", {"costs": costs, "at": ("threshold", 0.5)}),
    ]:
        better = gate(comparison, "new", "old", metric, replicates=200, superior=True, **asked)
        worse = gate(comparison, "old", "new", metric, replicates=200, **asked)
        assert (better.verdict, worse.verdict) == ("pass", "fail"), metric
        assert better.difference.gain > 0.01


@pytest.mark.parametrize("metric", ["auc", "brier", "accuracy"])
def test_a_model_passes_against_its_own_copy_but_is_not_better(metric):
    comparison = compared()

    for margin in (0.0, 0.01):
        found = gate(comparison, "new", "old", metric, margin=margin, replicates=50)
        assert (found.verdict, found.low, found.high) == ("pass", 0, 0)
        assert "the same" in found.difference.note
    better = gate(comparison, "new", "old", metric, margin=0.0, superior=True, replicates=50)
    assert better.verdict == "fail"


def test_the_same_order_is_the_same_area_but_not_the_same_accuracy():
    comparison = compared(new=OLD**3)

    assert gate(comparison, "new", "old", margin=0).verdict == "pass"
    assert gate(comparison, "new", "old", "accuracy", margin=0).verdict != "pass"


def test_models_that_few_rows_cannot_tell_apart_are_not_taken_for_equal():
    # Both find all; with 30 rows of each class up to 1 − 0.05^(1/30) = 9.5 % may yet differ.
    old = np.where(ACTUAL == 1, 0.9, 0.1)
    comparison = compared(old=old, new=old + np.arange(60) / 1000)
    reach = 1 - 0.05 ** (1 / 30)

    for metric, span in [("auc", 1), ("accuracy", 1), ("mcc", 2)]:
        found = gate(comparison, "new", "old", metric, margin=0.01, replicates=50)
        assert found.verdict == "inconclusive"
        assert (found.low, found.high) == pytest.approx((-span * reach, span * reach))
        assert found.needed == math.ceil(60 * span * reach / 0.01)
        assert f"about {found.needed:,.0f} rows would settle it" in found.sentence
        assert gate(comparison, "new", "old", metric, margin=0.2, replicates=50).verdict == "pass"
    costs = to.Costs(false_negative=5)
    spent = gate(comparison, "new", "old", "cost", costs=costs, replicates=50)
    assert spent.high == pytest.approx(5 * reach)


def test_few_rows_of_a_class_are_told_once_for_both_models():
    few = compared(
        old=[0.1, 0.4, 0.35, 0.8, 0.3], new=[0.2, 0.5, 0.6, 0.9, 0.1], actual=[0, 0, 1, 1, 0]
    )

    told = gate_notes(Gates(few, (gate(few, "new", "old"),)))

    assert told == ["Only 2 rows are 1: rates and areas will be very unsure"]
    many = compared(new=OLD + np.sin(np.arange(60)) / 10)
    assert gate_notes(Gates(many, (gate(many, "new", "old"),))) == []


def test_few_clusters_are_told():
    clusters = np.repeat(np.arange(5), 12)
    found = gate(compared(new=OLD[::-1], cluster=clusters), "new", "old")

    assert found.notes == ("the shared rows come from 5 clusters: too few for an interval",)


def test_one_class_is_inconclusive_with_a_reason():
    comparison = compared([0.1, 0.2, 0.3], [0.2, 0.1, 0.3], [1, 1, 1])

    found = gate(comparison, "new", "old", "tnr")

    assert found.verdict == "inconclusive"
    assert math.isnan(found.detectable)
    assert found.sentence == (
        "Inconclusive: true_negative_rate at threshold 0.5 has no difference here: no row is 0."
    )
    with pytest.raises(InputError, match="rows of both classes"):
        gate(comparison, "new", "old")


def test_one_row_of_a_class_is_inconclusive_whatever_the_margin():
    comparison = compared([0.1, 0.2, 0.3], [0.2, 0.1, 0.3], [0, 1, 0])

    found = gate(comparison, "new", "old", margin=0.99)

    assert found.verdict == "inconclusive"
    assert "it needs two rows of each class" in found.sentence


def test_areas_that_do_not_vary_are_no_evidence():
    # One model is always right, the other never: four rows, no spread, and no verdict.
    comparison = compared([4, 3, 2, 1], [1, 2, 3, 4], [0, 0, 1, 1])

    assert gate(comparison, "new", "old", superior=True).verdict == "inconclusive"


def test_what_cannot_be_asked_is_refused():
    comparison = compared(new=OLD[::-1])

    for margin in (-0.01, math.nan, math.inf):
        with pytest.raises(InputError, match="A margin is 0 or more"):
            gate(comparison, "new", "old", margin=margin)
    with pytest.raises(InputError, match="A margin is a number"):
        gate(comparison, "new", "old", margin="0.1")
    with pytest.raises(InputError, match="held against itself"):
        gate(comparison, "new", "new")
    with pytest.raises(InputError, match="neither better high nor low"):
        gate(comparison, "new", "old", "prevalence", replicates=50)
    with pytest.raises(UnknownName, match="No model is called 'newer'"):
        gate(comparison, "newer", "old")


def test_sentences_say_what_was_claimed():
    failing = difference(-0.3, -0.2, standard_error=0.02)

    assert judged(failing, 0.01, rows=9).sentence.endswith("new is worse by more than 0.01.")
    assert judged(failing, 0.0, rows=9).sentence.endswith("new is worse.")
    better = judged(failing, 0.01, rows=9, superior=True)
    assert better.sentence.endswith("new is not better by more than 0.01.")
    passing = judged(difference(0.2, 0.3), 0.01, rows=9, superior=True)
    assert passing.sentence == (
        "Pass: auc is 0.7500 for new, 0.5000 for old: a difference of 0.2500 (95 % interval "
        "0.2000 to 0.3000). new is better by more than 0.01."
    )
