"""Confidence intervals for clustered rows, such as several rows per patient or user."""

import math

import numpy as np
import pytest
from brute_force import obuchowski, two_models
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import scored

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.uncertainty.auc import auc_logit_interval

ACTUAL, SCORES = two_models()
PATIENTS = np.arange(len(ACTUAL)) // 4
BY_PATIENT = to.evaluate(actual=ACTUAL, score=SCORES["a"], cluster=PATIENTS)
SINGLE_ROW_CLUSTERS = to.evaluate(actual=ACTUAL, score=SCORES["a"], cluster=np.arange(len(ACTUAL)))
PLAIN = to.evaluate(actual=ACTUAL, score=SCORES["a"])
FEW_REPLICATES = {"replicates": 200}


def limits(estimate):
    return estimate.low, estimate.high


def repeat_rows(times, **options):
    """Evaluate repeated rows, with the copies of each row in one cluster."""
    return to.evaluate(
        actual=np.repeat(ACTUAL, times),
        score=np.repeat(SCORES["a"], times),
        cluster=np.repeat(np.arange(len(ACTUAL)), times),
        **options,
    )


def test_the_auc_interval_uses_obuchowskis_variance():
    (auc,), ((variance,),) = obuchowski([SCORES["a"]], ACTUAL, PATIENTS)

    estimate = BY_PATIENT.auc

    assert estimate.value == pytest.approx(auc)
    assert limits(estimate) == pytest.approx(auc_logit_interval(auc, variance, 0.95))
    assert estimate.method == "Obuchowski on the logit scale"


def test_the_gini_coefficient_is_twice_the_auc_minus_one():
    auc, gini = BY_PATIENT.auc, BY_PATIENT.summary("gini")

    assert limits(gini) == pytest.approx((2 * auc.low - 1, 2 * auc.high - 1))


def test_clusters_of_one_row_are_independent_rows():
    estimate = SINGLE_ROW_CLUSTERS.summary("auc")

    assert limits(estimate) == pytest.approx(limits(PLAIN.summary("auc", method="delong-logit")))


@pytest.mark.parametrize("times", [2, 7])
def test_copies_of_rows_within_a_cluster_do_not_narrow_intervals(times):
    assert limits(repeat_rows(times).auc) == pytest.approx(limits(SINGLE_ROW_CLUSTERS.auc))
    for compute in (
        lambda e: e.summary("average_precision", **FEW_REPLICATES),
        lambda e: e.metric("tpr", 0.5, **FEW_REPLICATES),
        lambda e: e.estimate("tpr", at=("fpr", 0.2), **FEW_REPLICATES),
    ):
        once, repeated = compute(SINGLE_ROW_CLUSTERS), compute(repeat_rows(times))
        assert limits(repeated) == pytest.approx(limits(once))
        assert "cluster" in repeated.method


def test_correlated_rows_in_a_cluster_widen_intervals():
    # The four rows of a patient share a deviation: together they tell little more than one.
    random = np.random.default_rng(3)
    patient_effects = np.repeat(random.normal(0, 1.5, 60), 4)
    actual = np.repeat(np.arange(60) % 2, 4)
    rows = {"actual": actual, "score": actual + patient_effects + random.normal(0, 0.3, 240)}
    patients = np.repeat(np.arange(60), 4)

    independent, clustered = to.evaluate(**rows), to.evaluate(**rows, cluster=patients)

    for compute in (lambda e: e.auc, lambda e: e.metric("tpr", 0.5)):
        narrow, wide = (float(np.subtract(*limits(compute(e)))) for e in (independent, clustered))
        assert wide / narrow > 1.5


def test_clusters_do_not_change_values_at_another_prevalence():
    clustered, plain = BY_PATIENT.at_prevalence(0.05), PLAIN.at_prevalence(0.05)

    for estimate, expected in (
        (clustered.metric("precision", 0.5, **FEW_REPLICATES), plain.metric("precision", 0.5)),
        (
            clustered.summary("average_precision", **FEW_REPLICATES),
            plain.summary("average_precision", **FEW_REPLICATES),
        ),
    ):
        assert estimate.value == pytest.approx(expected.value)
        assert estimate.low < estimate.value < estimate.high
    assert clustered.auc.value == pytest.approx(plain.auc.value)


def test_clusters_do_not_change_values():
    for name in ("auc", "average_precision", "brier", "ks"):
        assert (
            BY_PATIENT.summary(name, **FEW_REPLICATES).value
            == PLAIN.summary(name, level=None).value
        )
    for name in ("tpr", "f1", "mcc", "lift"):
        assert BY_PATIENT.metric(name, 0.4, **FEW_REPLICATES).value == PLAIN.metric(name, 0.4).value


@settings(max_examples=20)
@given(scored(scores=st.integers(0, 4).map(lambda n: n / 4), min_size=6), st.integers(2, 5))
def test_intervals_contain_the_value_and_stay_in_range(rows, clusters):
    scores, positive, _ = rows
    assume(positive.any() and not positive.all())
    evaluation = to.evaluate(
        actual=positive, score=scores, cluster=np.arange(len(positive)) % clusters
    )
    measures = [("tpr", evaluation.metric), ("mcc", evaluation.metric)]
    measures += [(name, evaluation.summary) for name in ("auc", "brier", "ks", "average_precision")]

    for name, compute in measures:
        measure = (to.METRICS if compute == evaluation.metric else to.SUMMARIES).find(name)
        estimate = compute(name, replicates=60)
        if estimate.has_interval:
            assert measure.low <= estimate.low <= estimate.value + 1e-9
            assert estimate.value - 1e-9 <= estimate.high <= measure.high


def test_the_bound_for_a_perfect_auc_depends_on_the_number_of_clusters():
    # Six positives in two patients, six negatives in three.
    estimate = to.evaluate(
        actual=[1] * 6 + [0] * 6, score=range(12, 0, -1), cluster=list("aaabbb" + "ccddee")
    ).auc

    assert limits(estimate) == (pytest.approx(0.025 ** (1 / 2)), 1.0)
    assert estimate.method == "exact-type bound over clusters"


def test_clusters_may_have_names_of_any_kind():
    names = np.array([f"patient {number}" for number in PATIENTS], dtype=object)

    for column in (names, names.tolist(), PATIENTS * 10.5, PATIENTS + 7):
        evaluation = to.evaluate(actual=ACTUAL, score=SCORES["a"], cluster=column)
        assert limits(evaluation.auc) == pytest.approx(limits(BY_PATIENT.auc))


def test_all_rows_in_one_cluster_are_refused():
    with pytest.raises(InputError, match="All rows belong to the same cluster, 'clinic'"):
        to.evaluate(actual=ACTUAL, score=SCORES["a"], cluster=["clinic"] * len(ACTUAL))


@pytest.mark.parametrize("name", ["auc", "average_precision", "brier"])
def test_a_single_cluster_with_positive_weights_has_no_interval(name):
    # The rows of the other cluster have a weight of 0.
    weights = np.where(PATIENTS == 0, 0, 1)
    evaluation = to.evaluate(
        actual=ACTUAL, score=SCORES["a"], weight=weights, cluster=PATIENTS.clip(max=1)
    )

    estimate = evaluation.summary(name, **FEW_REPLICATES)

    assert estimate.is_defined
    assert not estimate.has_interval
    assert "no interval" in estimate.note


def test_a_class_in_a_single_cluster_leaves_the_auc_without_an_interval():
    estimate = to.evaluate(
        actual=[1, 1, 0, 0, 0, 0], score=[6, 3, 5, 4, 2, 1], cluster=list("aabbcc")
    ).auc

    assert not estimate.has_interval
    assert estimate.note == "no interval: two clusters with rows of each class are needed"


@pytest.mark.parametrize(
    ("cluster", "message"),
    [
        (["a", None, "b", "b"], r"1 row without a cluster in 'cluster' \(first: row 2\)"),
        (["a", "b"], "`actual` .4 rows. and `cluster` .2 rows. must have the same length"),
    ],
)
def test_every_row_belongs_to_a_cluster(cluster, message):
    with pytest.raises(InputError, match=message):
        to.evaluate(actual=[0, 1, 0, 1], score=[1, 2, 3, 4], cluster=cluster)


def test_clusters_follow_dropped_rows():
    scores = SCORES["a"].copy()
    scores[PATIENTS == 3] = math.nan
    is_scored = PATIENTS != 3

    dropped = to.evaluate(actual=ACTUAL, score=scores, cluster=PATIENTS, missing="drop")
    expected = to.evaluate(
        actual=ACTUAL[is_scored], score=scores[is_scored], cluster=PATIENTS[is_scored]
    )

    assert limits(dropped.auc) == limits(expected.auc)


def test_differences_account_for_clusters():
    comparison = to.compare(actual=ACTUAL, score=SCORES, cluster=PATIENTS)
    _, covariance = obuchowski(list(SCORES.values()), ACTUAL, PATIENTS)

    formula = comparison.difference("a", "b")
    bootstrapped = comparison.difference("a", "b", method="bootstrap", replicates=1000)

    assert formula.standard_error**2 == pytest.approx(
        covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    )
    assert bootstrapped.standard_error == pytest.approx(formula.standard_error, rel=0.1)
    assert "cluster" in bootstrapped.method
