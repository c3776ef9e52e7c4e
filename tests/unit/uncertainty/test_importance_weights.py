"""Weights that say how much a row matters: equal ones say nothing, their scale does not matter."""

import numpy as np
import pytest
from brute_force import two_models
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import logit

import tradeoff as to
from tradeoff.stats.interval_methods import methods_by_name
from tradeoff.stats.proportions import wilson_interval
from tradeoff.uncertainty.auc import auc_interval

AREA_METHODS = list(methods_by_name("areas"))

ACTUAL, SCORES = two_models()
WEIGHTS = np.random.default_rng(5).integers(1, 9, len(ACTUAL)) / 4
SCALES = [2.0**-12, 2.0**-7, 1000.0]
"""Exact for these weights, which are quarters: 2⁻⁷ makes them add to about 1."""
METRICS = ("tpr", "precision", "accuracy", "f1", "mcc", "odds_ratio", "youden_j", "lift")
ROWS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 4).map(float), st.floats(0.1, 10)),
    min_size=5,
    max_size=30,
)


def weighted_evaluation(weights, **options):
    return to.evaluate(
        actual=ACTUAL,
        score=SCORES["a"],
        weight=weights,
        **{"weight_means": "importance", **options},
    )


def compared(weights, **options):
    return to.compare(
        actual=ACTUAL, score=SCORES, weight=weights, **{"weight_means": "importance", **options}
    )


IMPORTANCE = weighted_evaluation(WEIGHTS)
PLAIN = to.evaluate(actual=ACTUAL, score=SCORES["a"])


def limits(estimate):
    return estimate.low, estimate.high


def columns(rows):
    positive, scores, weights = (np.array(column) for column in zip(*rows, strict=True))
    assume(positive.any() and not positive.all() and len(np.unique(scores)) > 1)
    return positive, scores, weights


@given(ROWS, st.sampled_from(AREA_METHODS), st.sampled_from([0.01, 0.5, 100.0]))
def test_the_scale_of_weights_does_not_matter_for_areas(rows, method, scale):
    positive, scores, weights = columns(rows)
    original, rescaled = (
        to.evaluate(actual=positive, score=scores, weight=w, weight_means="importance").ranking
        for w in (weights, weights * scale)
    )
    assume(abs(min(original.effective_rows) - 2) > 1e-6)

    interval, rescaled_interval = (
        auc_interval(ranking, method=method) for ranking in (original, rescaled)
    )

    assert (rescaled_interval.method, rescaled_interval.reason) == (
        interval.method,
        interval.reason,
    )
    assert limits(rescaled_interval) == pytest.approx(limits(interval), nan_ok=True, abs=1e-9)


@given(ROWS, st.sampled_from(AREA_METHODS))
def test_equal_weights_leave_auc_intervals_unchanged(rows, method):
    positive, scores, _ = columns(rows)
    equal = to.evaluate(actual=positive, score=scores, weight=np.full(len(scores), 0.3)).ranking
    plain = to.evaluate(actual=positive, score=scores).ranking

    interval, expected = (auc_interval(ranking, method=method) for ranking in (equal, plain))

    assert limits(interval) == pytest.approx(limits(expected), nan_ok=True, abs=1e-9)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", METRICS)
def test_the_scale_of_weights_does_not_matter_for_metrics(name, scale):
    estimate, rescaled = (
        evaluation.metric(name, 0.5, replicates=200)
        for evaluation in (IMPORTANCE, weighted_evaluation(WEIGHTS * scale))
    )

    assert estimate.has_interval
    assert limits(rescaled) == pytest.approx(limits(estimate), rel=1e-6)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("method", [None, "bootstrap", "bca"])
@pytest.mark.parametrize("name", ["average_precision", "ks"])
def test_the_scale_of_weights_does_not_matter_for_summaries(name, method, scale):
    estimate, rescaled = (
        evaluation.summary(name, method=method, replicates=200)
        for evaluation in (IMPORTANCE, weighted_evaluation(WEIGHTS * scale))
    )

    assert estimate.low < estimate.value < estimate.high
    assert limits(rescaled) == pytest.approx(limits(estimate), rel=1e-6)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_the_scale_of_weights_does_not_matter_for_differences(method, scale):
    difference, rescaled = (
        compared(w).difference("a", "b", method=method, replicates=100)
        for w in (WEIGHTS, WEIGHTS * scale)
    )

    assert rescaled.value == pytest.approx(difference.value)
    assert limits(rescaled) == pytest.approx(limits(difference), rel=1e-6)


@pytest.mark.parametrize("weight", [1.0, 0.25, 3.7])
@pytest.mark.parametrize("name", list(to.METRICS))
def test_equal_weights_leave_metric_intervals_unchanged(name, weight):
    options = {"at": 0.2} if name == "net_benefit" else {}
    equal = weighted_evaluation(np.full(len(ACTUAL), weight)).metric(name, 0.5, **options)
    plain = PLAIN.metric(name, 0.5, **options)

    assert equal.value == pytest.approx(plain.value)
    assert limits(equal) == pytest.approx(limits(plain), rel=1e-9, abs=1e-12, nan_ok=True)
    assert (equal.method, equal.note) == (plain.method, plain.note)


@pytest.mark.parametrize("name", ["brier", "average_precision", "equal_error_rate", "partial_auc"])
def test_equal_weights_leave_summary_intervals_unchanged(name):
    scores = 1 / (1 + np.exp(-SCORES["a"]))
    equal, plain = (
        to.evaluate(actual=ACTUAL, score=scores, **more).summary(name)
        for more in ({"weight": np.full(len(ACTUAL), 0.25)}, {})
    )

    assert limits(equal) == pytest.approx(limits(plain), rel=1e-9)


@pytest.mark.parametrize("name", ["adjusted_rand_index", "krippendorffs_alpha", "chi_squared"])
@pytest.mark.parametrize("scale", SCALES)
def test_the_scale_of_importance_weights_does_not_change_values(name, scale):
    estimate, rescaled = (
        evaluation.metric(name, 0.5)
        for evaluation in (IMPORTANCE, weighted_evaluation(WEIGHTS * scale))
    )

    assert rescaled.value == pytest.approx(estimate.value)


def test_recall_with_weights_correlated_with_the_outcome_by_hand():
    # Four positives: found with weights 1 and 3, missed with 2 and 2; p = 4/8.
    # V = (1² + 3²)(1/2)² / 8² + (2² + 2²)(1/2)² / 8² = 4.5 / 64; n = p(1 - p) / V = 3.5556,
    # which is Kish's 64 / 18 here; of one found with weight 7 and one missed with 1 it is not:
    # V = (49 / 64 + 49 / 64) / 64, n = (7 / 64) / V = 4.5714 where Kish says 64 / 50.
    for weights, p, n in (([1, 3, 2, 2], 0.5, 64 / 18), ([7, 1], 7 / 8, 7 / (98 / 64))):
        hit = [1, 1, 0, 0] if len(weights) == 4 else [1, 0]
        e = to.evaluate(
            actual=[*[1] * len(hit), 0, 0],
            score=[*hit, 0, 0],
            weight=[*weights, 1, 1],
            weight_means="importance",
        )
        estimate = e.metric("tpr", 0.5)
        assert estimate.value == pytest.approx(p)
        assert limits(estimate) == pytest.approx(
            tuple(float(end) for end in wilson_interval(p * n, n))
        )


def test_equal_weights_leave_differences_unchanged():
    equal = compared(np.full(len(ACTUAL), 3.5)).areas
    plain = to.compare(actual=ACTUAL, score=SCORES).areas

    assert equal.covariance == pytest.approx(plain.covariance)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_bootstrap_intervals_with_equal_weights_are_about_those_without(method):
    equal, plain = (
        evaluation.summary("auc", method=method, replicates=2000)
        for evaluation in (weighted_evaluation(np.full(len(ACTUAL), 0.25)), PLAIN)
    )

    assert limits(equal) == pytest.approx(limits(plain), abs=0.02)


@pytest.mark.parametrize("means", ["importance", "frequency"])
@pytest.mark.parametrize("name", ["average_precision", "auc"])
def test_bootstrap_intervals_do_not_depend_on_the_type_of_whole_weights(name, means):
    # The type in which a number is stored must not decide what it means.
    whole = (4 * WEIGHTS).astype(np.int64)

    as_integers, as_floats = (
        weighted_evaluation(w, weight_means=means).summary(
            name, method="bootstrap", replicates=1000
        )
        for w in (whole, whole.astype(np.float64))
    )

    width, expected = (estimate.high - estimate.low for estimate in (as_integers, as_floats))
    assert width == pytest.approx(expected, rel=0.15)


def test_unequal_importance_makes_intervals_wider():
    heavy = np.where(np.arange(len(ACTUAL)) % 10 == 0, 30.0, 1.5)

    for ask in (
        lambda e: e.summary("ks", replicates=300),
        lambda e: e.metric("tpr", 0.5),
        lambda e: e.metric("f1", 0.5),
    ):
        wide, narrow = (
            np.subtract(*limits(ask(evaluation)))
            for evaluation in (weighted_evaluation(heavy), PLAIN)
        )
        assert wide / narrow > 1.3


def test_unequal_importance_makes_intervals_of_areas_wider():
    # The areas differ, 0.86 and 0.72, so widths are compared where they mean the same: as logits.
    heavy = np.where(np.arange(len(ACTUAL)) % 10 == 0, 30.0, 1.5)

    wide, narrow = (
        np.subtract(*logit(limits(evaluation.auc)))
        for evaluation in (weighted_evaluation(heavy), PLAIN)
    )

    assert wide / narrow > 2


def test_the_covariance_of_weighted_rows_by_hand():
    # Σw²d² · n / (W² (n - 1)) in each class, with n = W² / Σw² rows that say as much.
    comparison = compared(WEIGHTS)
    expected = np.zeros((2, 2))
    for side, at in ((ACTUAL, 0), (~ACTUAL, 1)):
        w = WEIGHTS[side]
        deviations = np.array([comparison.paired.placements(name)[at] for name in ("a", "b")])
        deviations -= comparison.areas.values[:, None]
        n = w.sum() ** 2 / (w**2).sum()
        expected += (deviations * w**2) @ deviations.T * n / (w.sum() ** 2 * (n - 1))

    assert comparison.areas.covariance == pytest.approx(expected)
    area = comparison.rankings["a"]
    assert comparison.areas.values[0] == pytest.approx(to.SUMMARIES["auc"](area))


def test_weights_that_sum_to_1_are_not_proportions():
    estimate = weighted_evaluation(WEIGHTS / WEIGHTS.sum()).metric("accuracy", 0.5)

    assert estimate.has_interval
    assert estimate.note is None or "proportions" not in estimate.note
