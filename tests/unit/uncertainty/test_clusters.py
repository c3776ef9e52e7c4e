"""Several rows of one patient or user: intervals go by cluster, and say so."""

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
EACH_ALONE = to.evaluate(actual=ACTUAL, score=SCORES["a"], cluster=np.arange(len(ACTUAL)))
PLAIN = to.evaluate(actual=ACTUAL, score=SCORES["a"])
DRAWN = {"replicates": 200}


def limits(estimate):
    return estimate.low, estimate.high


def copied(times, **options):
    """Every row so many times, and known to be the same."""
    return to.evaluate(
        actual=np.repeat(ACTUAL, times),
        score=np.repeat(SCORES["a"], times),
        cluster=np.repeat(np.arange(len(ACTUAL)), times),
        **options,
    )


def test_the_variance_of_the_auc_is_that_over_clusters():
    (area,), ((variance,),) = obuchowski([SCORES["a"]], ACTUAL, PATIENTS)

    estimate = BY_PATIENT.auc

    assert estimate.value == pytest.approx(area)
    assert limits(estimate) == pytest.approx(auc_logit_interval(area, variance, 0.95))
    assert estimate.method == "Obuchowski on the logit scale"


def test_the_gini_coefficient_is_twice_the_area_less_one():
    area, gini = BY_PATIENT.auc, BY_PATIENT.summary("gini")

    assert limits(gini) == pytest.approx((2 * area.low - 1, 2 * area.high - 1))


def test_rows_alone_in_their_cluster_are_independent_rows():
    estimate = EACH_ALONE.summary("auc")

    assert limits(estimate) == pytest.approx(limits(PLAIN.summary("auc", method="delong-logit")))


@pytest.mark.parametrize("times", [2, 7])
def test_copies_of_rows_within_a_cluster_do_not_narrow_intervals(times):
    assert limits(copied(times).auc) == pytest.approx(limits(EACH_ALONE.auc))
    for ask in (
        lambda e: e.summary("average_precision", **DRAWN),
        lambda e: e.metric("tpr", 0.5, **DRAWN),
        lambda e: e.estimate("tpr", at=("fpr", 0.2), **DRAWN),
    ):
        once, repeated = ask(EACH_ALONE), ask(copied(times))
        assert limits(repeated) == pytest.approx(limits(once))
        assert "cluster" in repeated.method


def test_correlated_rows_in_a_cluster_widen_intervals():
    # Each patient's four rows share a deviation, so there are fewer facts than rows.
    random = np.random.default_rng(3)
    shared = np.repeat(random.normal(0, 1.5, 60), 4)
    actual = np.repeat(np.arange(60) % 2, 4)
    rows = {"actual": actual, "score": actual + shared + random.normal(0, 0.3, 240)}
    patients = np.repeat(np.arange(60), 4)

    alone, together = to.evaluate(**rows), to.evaluate(**rows, cluster=patients)

    for ask in (lambda e: e.auc, lambda e: e.metric("tpr", 0.5)):
        width, wide = (float(np.subtract(*limits(ask(e)))) for e in (alone, together))
        assert wide / width > 1.5


def test_metrics_at_a_prevalence_keep_their_value():
    at, plain = BY_PATIENT.at_prevalence(0.05), PLAIN.at_prevalence(0.05)

    for estimate, expected in (
        (at.metric("precision", 0.5, **DRAWN), plain.metric("precision", 0.5)),
        (at.summary("average_precision", **DRAWN), plain.summary("average_precision", **DRAWN)),
    ):
        assert estimate.value == pytest.approx(expected.value)
        assert estimate.low < estimate.value < estimate.high
    assert at.auc.value == pytest.approx(plain.auc.value)


def test_the_value_is_that_of_the_ranking():
    for name in ("auc", "average_precision", "brier", "ks"):
        assert BY_PATIENT.summary(name, **DRAWN).value == PLAIN.summary(name, level=None).value
    for name in ("tpr", "f1", "mcc", "lift"):
        assert BY_PATIENT.metric(name, 0.4, **DRAWN).value == PLAIN.metric(name, 0.4).value


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

    for name, ask in measures:
        measure = (to.METRICS if ask == evaluation.metric else to.SUMMARIES).find(name)
        estimate = ask(name, replicates=60)
        if estimate.has_interval:
            assert measure.low <= estimate.low <= estimate.value + 1e-9
            assert estimate.value - 1e-9 <= estimate.high <= measure.high


def test_the_bound_of_a_perfect_area_depends_on_its_number_of_clusters():
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


@pytest.mark.parametrize("ask", ["auc", "average_precision", "brier"])
def test_a_single_cluster_with_weight_has_no_interval(ask):
    # The second cluster's rows count nothing.
    weights = np.where(PATIENTS == 0, 0, 1)
    evaluation = to.evaluate(
        actual=ACTUAL, score=SCORES["a"], weight=weights, cluster=PATIENTS.clip(max=1)
    )

    estimate = evaluation.summary(ask, **DRAWN)

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


def test_differences_are_resampled_by_cluster_too():
    c = to.compare(actual=ACTUAL, score=SCORES, cluster=PATIENTS)
    _, covariance = obuchowski(list(SCORES.values()), ACTUAL, PATIENTS)

    formula = c.difference("a", "b")
    bootstrapped = c.difference("a", "b", method="bootstrap", replicates=1000)

    assert formula.standard_error**2 == pytest.approx(
        covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    )
    assert bootstrapped.standard_error == pytest.approx(formula.standard_error, rel=0.1)
    assert "cluster" in bootstrapped.method
