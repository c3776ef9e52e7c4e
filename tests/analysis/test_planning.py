"""Planning: pROC's numbers, hand-worked cases, laws, and whether the promised power comes true."""

import math

import numpy as np
import pytest
from golden.reference import document
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from tradeoff.power import Pilot, plan_auc, plan_auc_difference
from tradeoff.power.auc import variance_of_area

PROC = document("proc_power.json")
ONE = [case["result"] for case in PROC["one_sample"]]
TWO = [case["result"] for case in PROC["two_sample"]]


def pilot():
    """What pROC found in the aSAH rows: ndka is the first, s100b the second."""
    first, second = (document(f"proc_{name}_summary.json") for name in ("ndka", "s100b"))
    return Pilot(
        first["delong_variance"],
        second["delong_variance"],
        document("proc_test_paired_s100b_ndka.json")["delong_covariance"],
        positives=41,
        negatives=72,
    )


# One area against chance


@pytest.mark.parametrize("proc", [ONE[0], ONE[4]])
def test_the_power_of_one_area_is_that_of_proc(proc):
    plan = plan_auc(auc=proc["auc"], positives=proc["ncases"], negatives=proc["ncontrols"])

    assert plan.solved == "power"
    assert plan.power == pytest.approx(proc["power"], rel=1e-13)


def test_the_rows_for_one_area_are_those_of_proc():
    plan = plan_auc(auc=0.8, power=0.9, ratio=72 / 41)

    assert plan.positives == pytest.approx(ONE[1]["ncases"], rel=1e-13)
    assert plan.negatives == pytest.approx(ONE[1]["ncontrols"], rel=1e-13)
    assert plan.rows == plan.positives + plan.negatives


def test_the_detectable_area_is_that_of_proc_as_far_as_it_searches():
    plan = plan_auc(positives=41, negatives=72, power=0.9)

    # pROC's root finder stops within 1e-4 of the root; ours is at it.
    assert plan.values["auc"] == pytest.approx(ONE[2]["auc"], abs=1e-6)
    there = plan_auc(auc=plan.values["auc"], positives=41, negatives=72)
    assert there.power == pytest.approx(0.9, rel=1e-12)


def test_the_significance_is_that_of_proc():
    plan = plan_auc(auc=0.7, positives=20, negatives=20, power=0.9, significance=None)

    assert plan.significance == pytest.approx(ONE[3]["sig.level"], rel=1e-13)


def test_the_significance_of_one_area_is_two_sided():
    # At chance itself half of the significance is left on the side that is looked at.
    plan = plan_auc(auc=0.5 + 1e-9, positives=50, significance=0.1)

    assert plan.power == pytest.approx(0.05, abs=1e-6)


def test_the_variance_of_an_area_by_hand():
    assert variance_of_area(0.5, ratio=2.0) == pytest.approx(0.0099 * (8 + 4), rel=1e-14)
    # Φ(0.6 / 1.414): a square of 0.36.
    area = float(ndtr(0.6 / 1.414))
    by_hand = 0.0099 * math.exp(-0.18) * (1.8 + 8 + 8.36)
    assert variance_of_area(area, ratio=1.0) == pytest.approx(by_hand, rel=1e-12)


@given(area=st.floats(0.55, 0.95), ratio=st.floats(0.2, 5), power=st.floats(0.3, 0.99))
def test_what_is_found_gives_back_what_was_given(area, ratio, power):
    found = plan_auc(auc=area, power=power, ratio=ratio)
    again = plan_auc(auc=area, positives=found.positives, ratio=ratio)
    risk = plan_auc(
        auc=area, positives=found.positives, ratio=ratio, power=power, significance=None
    )
    smallest = plan_auc(positives=found.positives, ratio=ratio, power=power)

    assert again.power == pytest.approx(power, rel=1e-9)
    assert risk.significance == pytest.approx(0.05, rel=1e-6)
    assert smallest.values["auc"] == pytest.approx(area, rel=1e-6)


@given(area=st.floats(0.55, 0.93), rows=st.integers(10, 500), ratio=st.floats(0.5, 3))
def test_more_rows_larger_areas_and_more_risk_mean_more_power(area, rows, ratio):
    def power(**changed):
        given = {"auc": area, "positives": rows, "ratio": ratio, "significance": 0.05, **changed}
        return plan_auc(**given).power

    slack = 1e-12
    assert power(positives=2 * rows) >= power() - slack
    assert power(significance=0.1) >= power() - slack
    assert power(ratio=2 * ratio) >= power() - slack or power() < 0.5
    assert power(auc=area + 0.05) >= power() - slack or power() < 0.5


# Two areas


def test_the_rows_for_two_areas_are_those_of_proc():
    plan = plan_auc_difference(
        first=TWO[0]["auc1"], second=TWO[0]["auc2"], power=0.9, pilot=pilot()
    )

    assert plan.positives == pytest.approx(TWO[0]["ncases"], rel=1e-12)
    assert plan.negatives == pytest.approx(TWO[0]["ncontrols"], rel=1e-12)
    assert "233 positive and 408 negative rows that both models score are needed" in str(plan)


def test_the_power_for_two_areas_is_that_of_proc():
    plan = plan_auc_difference(
        first=TWO[1]["auc1"], second=TWO[1]["auc2"], positives=41, negatives=72, pilot=pilot()
    )

    assert plan.power == pytest.approx(TWO[1]["power"], rel=1e-12)


def test_two_areas_from_assumptions_by_hand():
    own, other = variance_of_area(0.75, 2.0), variance_of_area(0.8, 2.0)
    equal, actual = 2 * own * 0.4, own + other - 1.2 * math.sqrt(own * other)
    z, reach = -ndtri(0.025), ndtri(0.8)
    plan = plan_auc_difference(first=0.75, second=0.8, power=0.8, correlation=0.6, ratio=2.0)

    positives = (z * math.sqrt(equal) + reach * math.sqrt(actual)) ** 2 / 0.05**2
    assert plan.positives == pytest.approx(positives, rel=1e-12)
    assert plan.rows == pytest.approx(3 * positives, rel=1e-12)


def test_different_rows_for_each_model_are_independent_and_counted_twice():
    paired = plan_auc_difference(first=0.7, second=0.8, power=0.9, correlation=0.0)
    apart = plan_auc_difference(first=0.7, second=0.8, power=0.9, paired=False)

    assert apart.positives == paired.positives
    assert apart.rows == 2 * paired.rows
    assert "for each of the two models" in str(apart)


def test_without_knowledge_areas_on_the_same_rows_are_correlated_by_a_half():
    assumed, said = (
        plan_auc_difference(first=0.7, second=0.8, power=0.9, **given)
        for given in ({}, {"correlation": 0.5})
    )

    assert assumed == said
    assert "correlated by 0.5" in str(assumed)


def test_the_smallest_detectable_difference_has_the_power():
    found = plan_auc_difference(first=0.7, positives=80, power=0.8, ratio=1.5)
    second = found.values["second"]
    back = plan_auc_difference(first=0.7, second=second, positives=80, ratio=1.5)
    less = plan_auc_difference(first=0.7, second=second - 0.01, positives=80, ratio=1.5)

    assert found.values["difference"] == second - 0.7 > 0
    assert back.power == pytest.approx(0.8, rel=1e-9)
    assert less.power < 0.8


def test_with_a_pilot_the_smallest_difference_is_in_closed_form():
    known = pilot()
    plan = plan_auc_difference(first=0.61, positives=300, power=0.9, pilot=known)
    own, other, both = known.first_variance, known.second_variance, known.covariance
    spread = -ndtri(0.025) * math.sqrt(2 * own - 2 * both)
    spread += ndtri(0.9) * math.sqrt(own + other - 2 * both)

    assert plan.values["difference"] == pytest.approx(spread * math.sqrt(41 / 300), rel=1e-9)
    assert plan.negatives == pytest.approx(300 * 72 / 41)


def test_the_significance_of_two_areas_can_be_found():
    plan = plan_auc_difference(first=0.7, second=0.8, positives=60, power=0.7, significance=None)
    back = plan_auc_difference(first=0.7, second=0.8, positives=60, significance=plan.significance)

    assert back.power == pytest.approx(0.7, rel=1e-12)


def test_not_worse_by_a_margin_by_hand():
    own, other = variance_of_area(0.8, 1.0), variance_of_area(0.79, 1.0)
    actual = own + other - 2 * 0.7 * math.sqrt(own * other)
    plan = plan_auc_difference(
        first=0.8, second=0.79, margin=0.05, power=0.8, correlation=0.7, significance=0.025
    )

    positives = (-ndtri(0.025) + ndtri(0.8)) ** 2 * actual / 0.04**2
    assert plan.what == "non-inferiority of an AUC"
    assert plan.positives == pytest.approx(positives, rel=1e-12)
    assert "not worse than one of 0.80 by 0.05 or more" in str(plan)
    assert "one-sided significance 2.5 %" in str(plan)
    back = plan_auc_difference(
        first=0.8,
        second=0.79,
        margin=0.05,
        positives=plan.positives,
        correlation=0.7,
        significance=0.025,
    )
    assert back.power == pytest.approx(0.8, rel=1e-12)


@given(first=st.floats(0.55, 0.8), correlation=st.floats(0, 0.9), gain=st.floats(0.03, 0.15))
def test_more_correlation_and_larger_differences_need_fewer_rows(first, correlation, gain):
    def positives(**changed):
        given = {"second": first + gain, "correlation": correlation, **changed}
        return plan_auc_difference(first=first, power=0.8, **given).positives

    assert positives(correlation=correlation + 0.05) < positives()
    assert positives(second=first + gain + 0.02) < positives()
    assert plan_auc_difference(first=first, second=first + gain, power=0.9,
                               correlation=correlation).positives > positives()  # fmt: skip


# Whether it comes true


def placements(scores, positive):
    """For each row, the share of the other class that it beats, by comparing every pair."""
    up, down = scores[positive], scores[~positive]
    wins = (up[:, None] > down) + 0.5 * (up[:, None] == down)
    return wins.mean(axis=1), wins.mean(axis=0)


def delong(models, positive):
    """The areas of models and their covariance matrix (DeLong and others 1988)."""
    parts = [placements(scores, positive) for scores in models]
    areas = np.array([up.mean() for up, _ in parts])
    of_positives, of_negatives = (np.cov([part[side] for part in parts]) for side in (0, 1))
    return areas, of_positives / positive.sum() + of_negatives / (~positive).sum()


def two_models(rng, positives, negatives, shifts, correlation=0.6):
    """Normal scores of two models on the same rows."""
    size = positives + negatives
    common, own = rng.normal(size=size), rng.normal(size=(2, size))
    positive = np.arange(size) < positives
    scores = math.sqrt(correlation) * common + math.sqrt(1 - correlation) * own
    return scores + np.multiply.outer(shifts, positive), positive


def test_the_promised_power_against_chance_comes_true():
    area, runs = 0.7, 400
    plan = plan_auc(auc=area, power=0.8, ratio=1.5)
    positives, negatives = round(plan.positives), round(plan.negatives)
    rng = np.random.default_rng(11)
    found = 0
    for _ in range(runs):
        shift = math.sqrt(2) * ndtri(area)
        models, positive = two_models(rng, positives, negatives, np.array([shift, shift]))
        areas, variance = delong(models, positive)
        found += (areas[0] - 0.5) / math.sqrt(variance[0, 0]) > 1.96

    # Four standard errors of a share of 400 are 0.08.
    assert found / runs == pytest.approx(0.8, abs=0.08)


def test_the_promised_power_of_a_comparison_comes_true():
    shifts = math.sqrt(2) * ndtri(np.array([0.7, 0.8]))
    rng = np.random.default_rng(12)
    areas, variance = delong(*two_models(rng, 1500, 1500, shifts))
    known = Pilot(variance[0, 0], variance[1, 1], variance[0, 1], positives=1500, negatives=1500)
    plan = plan_auc_difference(first=0.7, second=0.8, power=0.8, pilot=known)
    size, runs, found = round(plan.positives), 300, 0
    correlation = variance[0, 1] / math.sqrt(variance[0, 0] * variance[1, 1])
    assumed = plan_auc_difference(first=0.7, second=0.8, power=0.8, correlation=correlation)
    for _ in range(runs):
        areas, variance = delong(*two_models(rng, size, size, shifts))
        error = math.sqrt(variance[0, 0] + variance[1, 1] - 2 * variance[0, 1])
        found += (areas[1] - areas[0]) / error > 1.96

    assert found / runs == pytest.approx(0.8, abs=0.09)
    assert assumed.positives == pytest.approx(plan.positives, rel=0.1)
