"""Power of AUCs: pROC's numbers, hand-worked cases, laws and simulated power."""

import math

import numpy as np
import pytest
from golden.reference import DATA, document
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.power import Pilot, plan_auc, plan_auc_difference
from tradeoff.power.auc import planned_auc_variance

PROC = document("proc_power.json")
ONE_AUC = [case["result"] for case in PROC["one_sample"]]
TWO_AUCS = [case["result"] for case in PROC["two_sample"]]


def pilot():
    """Variances in pROC's aSAH data: ndka is the first model, s100b the second."""
    first, second = (document(f"proc_{name}_summary.json") for name in ("ndka", "s100b"))
    return Pilot(
        first["delong_variance"],
        second["delong_variance"],
        document("proc_test_paired_s100b_ndka.json")["delong_covariance"],
        positives=41,
        negatives=72,
    )


# One AUC against chance


@pytest.mark.parametrize("proc", [ONE_AUC[0], ONE_AUC[4]])
def test_the_power_for_one_auc_equals_procs(proc):
    plan = plan_auc(auc=proc["auc"], positives=proc["ncases"], negatives=proc["ncontrols"])

    assert plan.solved == "power"
    assert plan.power == pytest.approx(proc["power"], rel=1e-13)


def test_the_rows_for_one_auc_equal_procs():
    plan = plan_auc(auc=0.8, power=0.9, ratio=72 / 41)

    assert plan.positives == pytest.approx(ONE_AUC[1]["ncases"], rel=1e-13)
    assert plan.negatives == pytest.approx(ONE_AUC[1]["ncontrols"], rel=1e-13)
    assert plan.rows == plan.positives + plan.negatives


def test_the_detectable_auc_equals_procs_within_its_tolerance():
    plan = plan_auc(positives=41, negatives=72, power=0.9)

    # pROC's root finder stops within 1e-4 of the root, ours at the root.
    assert plan.values["auc"] == pytest.approx(ONE_AUC[2]["auc"], abs=1e-6)
    solution = plan_auc(auc=plan.values["auc"], positives=41, negatives=72)
    assert solution.power == pytest.approx(0.9, rel=1e-12)


def test_the_significance_level_equals_procs():
    plan = plan_auc(auc=0.7, positives=20, negatives=20, power=0.9, significance=None)

    assert plan.significance == pytest.approx(ONE_AUC[3]["sig.level"], rel=1e-13)


def test_the_significance_level_for_one_auc_is_two_sided():
    # At chance, half of the significance level is in the tail that counts as power.
    plan = plan_auc(auc=0.5 + 1e-9, positives=50, significance=0.1)

    assert plan.power == pytest.approx(0.05, abs=1e-6)


def test_the_planned_variance_of_an_auc_worked_by_hand():
    assert planned_auc_variance(0.5, ratio=2.0) == pytest.approx(0.0099 * (8 + 4), rel=1e-14)
    # An AUC of Φ(0.6 / 1.414) has a squared shift of 0.36.
    area = float(ndtr(0.6 / 1.414))
    expected = 0.0099 * math.exp(-0.18) * (1.8 + 8 + 8.36)
    assert planned_auc_variance(area, ratio=1.0) == pytest.approx(expected, rel=1e-12)


@given(area=st.floats(0.55, 0.95), ratio=st.floats(0.2, 5), power=st.floats(0.3, 0.99))
def test_each_solved_quantity_gives_back_the_others(area, ratio, power):
    plan = plan_auc(auc=area, power=power, ratio=ratio)
    power_plan = plan_auc(auc=area, positives=plan.positives, ratio=ratio)
    significance_plan = plan_auc(
        auc=area, positives=plan.positives, ratio=ratio, power=power, significance=None
    )
    auc_plan = plan_auc(positives=plan.positives, ratio=ratio, power=power)

    assert power_plan.power == pytest.approx(power, rel=1e-9)
    assert significance_plan.significance == pytest.approx(0.05, rel=1e-6)
    assert auc_plan.values["auc"] == pytest.approx(area, rel=1e-6)


@given(area=st.floats(0.55, 0.93), rows=st.integers(10, 500), ratio=st.floats(0.5, 3))
def test_power_grows_with_rows_auc_and_significance_level(area, rows, ratio):
    def power(**changes):
        parameters = {
            "auc": area,
            "positives": rows,
            "ratio": ratio,
            "significance": 0.05,
            **changes,
        }
        return plan_auc(**parameters).power

    slack = 1e-12
    assert power(positives=2 * rows) >= power() - slack
    assert power(significance=0.1) >= power() - slack
    assert power(ratio=2 * ratio) >= power() - slack or power() < 0.5
    assert power(auc=area + 0.05) >= power() - slack or power() < 0.5


# Two AUCs


def test_the_rows_for_two_aucs_equal_procs():
    plan = plan_auc_difference(
        first=TWO_AUCS[0]["auc1"], second=TWO_AUCS[0]["auc2"], power=0.9, pilot=pilot()
    )

    assert plan.positives == pytest.approx(TWO_AUCS[0]["ncases"], rel=1e-12)
    assert plan.negatives == pytest.approx(TWO_AUCS[0]["ncontrols"], rel=1e-12)
    assert "233 positive and 408 negative rows scored by both models are needed" in str(plan)


def test_the_power_for_two_aucs_equals_procs():
    plan = plan_auc_difference(
        first=TWO_AUCS[1]["auc1"],
        second=TWO_AUCS[1]["auc2"],
        positives=41,
        negatives=72,
        pilot=pilot(),
    )

    assert plan.power == pytest.approx(TWO_AUCS[1]["power"], rel=1e-12)


def test_the_rows_for_two_aucs_of_assumed_correlation_worked_by_hand():
    first, second = planned_auc_variance(0.75, 2.0), planned_auc_variance(0.8, 2.0)
    null_variance, variance = 2 * first * 0.4, first + second - 1.2 * math.sqrt(first * second)
    z, z_power = -ndtri(0.025), ndtri(0.8)
    plan = plan_auc_difference(first=0.75, second=0.8, power=0.8, correlation=0.6, ratio=2.0)

    positives = (z * math.sqrt(null_variance) + z_power * math.sqrt(variance)) ** 2 / 0.05**2
    assert plan.positives == pytest.approx(positives, rel=1e-12)
    assert plan.rows == pytest.approx(3 * positives, rel=1e-12)


def test_unpaired_plans_are_independent_and_count_rows_of_both_models():
    paired = plan_auc_difference(first=0.7, second=0.8, power=0.9, correlation=0.0)
    unpaired = plan_auc_difference(first=0.7, second=0.8, power=0.9, paired=False)

    assert unpaired.positives == paired.positives
    assert unpaired.rows == 2 * paired.rows
    assert "for each of the two models" in str(unpaired)


def test_the_default_correlation_of_paired_aucs_is_one_half():
    default, explicit = (
        plan_auc_difference(first=0.7, second=0.8, power=0.9, **options)
        for options in ({}, {"correlation": 0.5})
    )

    assert default == explicit
    assert "assumed to be 0.5" in str(default)


def test_the_smallest_detectable_difference_has_the_power():
    plan = plan_auc_difference(first=0.7, positives=80, power=0.8, ratio=1.5)
    second = plan.values["second"]
    check = plan_auc_difference(first=0.7, second=second, positives=80, ratio=1.5)
    smaller = plan_auc_difference(first=0.7, second=second - 0.01, positives=80, ratio=1.5)

    assert plan.values["difference"] == second - 0.7 > 0
    assert check.power == pytest.approx(0.8, rel=1e-9)
    assert smaller.power < 0.8


def test_the_detectable_difference_with_a_pilot_has_a_closed_form():
    pilot_study = pilot()
    plan = plan_auc_difference(first=0.61, positives=300, power=0.9, pilot=pilot_study)
    first_variance, second_variance, covariance = (
        pilot_study.first_variance,
        pilot_study.second_variance,
        pilot_study.covariance,
    )
    scaled_difference = -ndtri(0.025) * math.sqrt(2 * first_variance - 2 * covariance)
    scaled_difference += ndtri(0.9) * math.sqrt(first_variance + second_variance - 2 * covariance)

    assert plan.values["difference"] == pytest.approx(
        scaled_difference * math.sqrt(41 / 300), rel=1e-9
    )
    assert plan.negatives == pytest.approx(300 * 72 / 41)


def test_the_significance_level_for_two_aucs_is_solved():
    plan = plan_auc_difference(first=0.7, second=0.8, positives=60, power=0.7, significance=None)
    check = plan_auc_difference(first=0.7, second=0.8, positives=60, significance=plan.significance)

    assert check.power == pytest.approx(0.7, rel=1e-12)


def test_the_rows_for_non_inferiority_worked_by_hand():
    first_variance, second_variance = (
        planned_auc_variance(0.8, 1.0),
        planned_auc_variance(0.79, 1.0),
    )
    variance = (
        first_variance + second_variance - 2 * 0.7 * math.sqrt(first_variance * second_variance)
    )
    plan = plan_auc_difference(
        first=0.8, second=0.79, margin=0.05, power=0.8, correlation=0.7, significance=0.025
    )

    positives = (-ndtri(0.025) + ndtri(0.8)) ** 2 * variance / 0.04**2
    assert plan.what == "non-inferiority of an AUC"
    assert plan.positives == pytest.approx(positives, rel=1e-12)
    assert "not worse than one of 0.80 by 0.05 or more" in str(plan)
    assert "one-sided significance level 2.5%" in str(plan)
    check = plan_auc_difference(
        first=0.8,
        second=0.79,
        margin=0.05,
        positives=plan.positives,
        correlation=0.7,
        significance=0.025,
    )
    assert check.power == pytest.approx(0.8, rel=1e-12)


@given(first=st.floats(0.55, 0.8), correlation=st.floats(0, 0.9), gain=st.floats(0.03, 0.15))
def test_more_correlation_and_larger_differences_need_fewer_rows(first, correlation, gain):
    def positives(**changes):
        parameters = {"second": first + gain, "correlation": correlation, **changes}
        return plan_auc_difference(first=first, power=0.8, **parameters).positives

    assert positives(correlation=correlation + 0.05) < positives()
    assert positives(second=first + gain + 0.02) < positives()
    assert plan_auc_difference(first=first, second=first + gain, power=0.9,
                               correlation=correlation).positives > positives()  # fmt: skip


# Simulated power


def placements(scores, positive):
    """Placements of positives and of negatives, by comparing every pair of rows."""
    positive_scores, negative_scores = scores[positive], scores[~positive]
    wins = (positive_scores[:, None] > negative_scores) + 0.5 * (
        positive_scores[:, None] == negative_scores
    )
    return wins.mean(axis=1), wins.mean(axis=0)


def delong(models, positive):
    """AUCs of models and their covariance matrix (DeLong et al. 1988)."""
    by_model = [placements(scores, positive) for scores in models]
    areas = np.array([positive_placements.mean() for positive_placements, _ in by_model])
    positive_covariance, negative_covariance = map(np.cov, zip(*by_model, strict=True))
    return areas, positive_covariance / positive.sum() + negative_covariance / (~positive).sum()


def two_models(rng, positives, negatives, shifts, correlation=0.6):
    """Normal scores of two models on the same rows."""
    size = positives + negatives
    shared, independent = rng.normal(size=size), rng.normal(size=(2, size))
    positive = np.arange(size) < positives
    scores = math.sqrt(correlation) * shared + math.sqrt(1 - correlation) * independent
    return scores + np.multiply.outer(shifts, positive), positive


def test_the_planned_power_against_chance_holds_in_simulation():
    area, runs = 0.7, 400
    plan = plan_auc(auc=area, power=0.8, ratio=1.5)
    positives, negatives = round(plan.positives), round(plan.negatives)
    rng = np.random.default_rng(11)
    rejections = 0
    for _ in range(runs):
        shift = math.sqrt(2) * ndtri(area)
        models, positive = two_models(rng, positives, negatives, np.array([shift, shift]))
        areas, variance = delong(models, positive)
        rejections += (areas[0] - 0.5) / math.sqrt(variance[0, 0]) > 1.96

    # Four standard errors of a proportion of 400 runs are 0.08.
    assert rejections / runs == pytest.approx(0.8, abs=0.08)


def test_the_planned_power_of_a_comparison_holds_in_simulation():
    shifts = math.sqrt(2) * ndtri(np.array([0.7, 0.8]))
    rng = np.random.default_rng(12)
    areas, variance = delong(*two_models(rng, 1500, 1500, shifts))
    pilot_study = Pilot(
        variance[0, 0], variance[1, 1], variance[0, 1], positives=1500, negatives=1500
    )
    plan = plan_auc_difference(first=0.7, second=0.8, power=0.8, pilot=pilot_study)
    size, runs, rejections = round(plan.positives), 300, 0
    correlation = variance[0, 1] / math.sqrt(variance[0, 0] * variance[1, 1])
    assumed = plan_auc_difference(first=0.7, second=0.8, power=0.8, correlation=correlation)
    for _ in range(runs):
        areas, variance = delong(*two_models(rng, size, size, shifts))
        standard_error = math.sqrt(variance[0, 0] + variance[1, 1] - 2 * variance[0, 1])
        rejections += (areas[1] - areas[0]) / standard_error > 1.96

    assert rejections / runs == pytest.approx(0.8, abs=0.09)
    assert assumed.positives == pytest.approx(plan.positives, rel=0.1)


# Pilot studies from their rows


def sah_rows():
    data = str(DATA / "proc_aSAH_data.csv")
    return to.compare(data, ["s100b", "ndka"], actual="poor").paired


def test_a_pilot_from_rows_has_procs_variances_and_covariance():
    pilot_of_rows = Pilot.of(sah_rows(), "ndka", "s100b")
    proc = pilot()

    for name in ("first_variance", "second_variance", "covariance", "positives", "negatives"):
        assert getattr(pilot_of_rows, name) == pytest.approx(getattr(proc, name), rel=1e-12)
    assert pilot_of_rows.first_auc == pytest.approx(TWO_AUCS[0]["auc1"], rel=1e-12)
    assert pilot_of_rows.correlation == pytest.approx(-0.259129929018196, rel=1e-12)


@pytest.mark.parametrize("proc", TWO_AUCS[2:4])
def test_the_rows_after_a_pilot_equal_procs(proc):
    plan = plan_auc_difference(pilot=Pilot.of(sah_rows()), power=proc["power"])

    assert plan.positives == pytest.approx(proc["ncases"], rel=1e-12)
    assert plan.negatives == pytest.approx(proc["ncontrols"], rel=1e-12)
    assert plan.values["first"] == pytest.approx(proc["auc1"], rel=1e-12)


def test_the_power_of_a_pilot_repeated_equals_procs():
    plan = plan_auc_difference(pilot=Pilot.of(sah_rows()), positives=41)

    assert plan.power == pytest.approx(TWO_AUCS[4]["power"], rel=1e-12)


def test_an_assumed_correlation_of_a_half_asks_for_far_fewer_rows_than_the_pilot():
    pilot_of_rows = Pilot.of(sah_rows())
    aucs = {"first": pilot_of_rows.first_auc, "second": pilot_of_rows.second_auc}

    assumed = plan_auc_difference(**aucs, power=0.8, ratio=72 / 41)
    assert math.ceil(assumed.positives) == 64
    assert plan_auc_difference(pilot=pilot_of_rows, power=0.8).positives > 2 * assumed.positives


def test_the_aucs_of_a_pilot_may_be_replaced():
    plan = plan_auc_difference(first=0.8, second=0.7, pilot=Pilot.of(sah_rows()), power=0.8)

    assert (plan.values["first"], plan.values["second"]) == (0.8, 0.7)


def test_a_pilot_needs_two_models_and_two_rows_of_each_class():
    rows = sah_rows()

    with pytest.raises(InputError, match="A pilot compares two models, not 1"):
        Pilot.of(rows.select_models("ndka"))
    with pytest.raises(UnknownName, match="No model is called 'S100b'"):
        Pilot.of(rows, "S100b", "ndka")
    with pytest.raises(InputError, match="two rows of each class"):
        Pilot.of(to.compare([0, 0, 1], {"a": [1, 2, 3], "b": [2, 1, 3]}).paired)
    with pytest.raises(InputError, match="Give the expected AUC of the first model"):
        plan_auc_difference(second=0.8, power=0.9)
