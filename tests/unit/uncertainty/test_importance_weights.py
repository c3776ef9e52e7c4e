"""Importance weights: neither equal weights nor the scale of weights affects estimates."""

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

AUC_METHODS = list(methods_by_name("areas"))

ACTUAL, SCORES = two_models()
WEIGHTS = np.random.default_rng(5).integers(1, 9, len(ACTUAL)) / 4
SCALES = [2.0**-12, 2.0**-7, 1000.0]
"""Exact for these weights, which are multiples of 1/4; with 2⁻⁷, they add up to about 1."""
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


def weighted_comparison(weights, **options):
    return to.compare(
        actual=ACTUAL, score=SCORES, weight=weights, **{"weight_means": "importance", **options}
    )


WEIGHTED = weighted_evaluation(WEIGHTS)
UNWEIGHTED = to.evaluate(actual=ACTUAL, score=SCORES["a"])


def limits(estimate):
    return estimate.low, estimate.high


def columns(rows):
    positive, scores, weights = (np.array(column) for column in zip(*rows, strict=True))
    assume(positive.any() and not positive.all() and len(np.unique(scores)) > 1)
    return positive, scores, weights


@given(ROWS, st.sampled_from(AUC_METHODS), st.sampled_from([0.01, 0.5, 100.0]))
def test_the_scale_of_weights_does_not_change_auc_intervals(rows, method, scale):
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


@given(ROWS, st.sampled_from(AUC_METHODS))
def test_equal_weights_leave_auc_intervals_unchanged(rows, method):
    positive, scores, _ = columns(rows)
    equal = to.evaluate(actual=positive, score=scores, weight=np.full(len(scores), 0.3)).ranking
    plain = to.evaluate(actual=positive, score=scores).ranking

    interval, expected = (auc_interval(ranking, method=method) for ranking in (equal, plain))

    assert limits(interval) == pytest.approx(limits(expected), nan_ok=True, abs=1e-9)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", METRICS)
def test_the_scale_of_weights_does_not_change_metric_intervals(name, scale):
    estimate, rescaled = (
        evaluation.metric(name, 0.5, replicates=200)
        for evaluation in (WEIGHTED, weighted_evaluation(WEIGHTS * scale))
    )

    assert estimate.has_interval
    assert limits(rescaled) == pytest.approx(limits(estimate), rel=1e-6)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("method", [None, "bootstrap", "bca"])
@pytest.mark.parametrize("name", ["average_precision", "ks"])
def test_the_scale_of_weights_does_not_change_summary_intervals(name, method, scale):
    estimate, rescaled = (
        evaluation.summary(name, method=method, replicates=200)
        for evaluation in (WEIGHTED, weighted_evaluation(WEIGHTS * scale))
    )

    assert estimate.low < estimate.value < estimate.high
    assert limits(rescaled) == pytest.approx(limits(estimate), rel=1e-6)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_the_scale_of_weights_does_not_change_differences(method, scale):
    difference, rescaled = (
        weighted_comparison(w).difference("a", "b", method=method, replicates=100)
        for w in (WEIGHTS, WEIGHTS * scale)
    )

    assert rescaled.value == pytest.approx(difference.value)
    assert limits(rescaled) == pytest.approx(limits(difference), rel=1e-6)


@pytest.mark.parametrize("weight", [1.0, 0.25, 3.7])
@pytest.mark.parametrize("name", list(to.METRICS))
def test_equal_weights_leave_metric_intervals_unchanged(name, weight):
    options = {"at": 0.2} if name == "net_benefit" else {}
    equal = weighted_evaluation(np.full(len(ACTUAL), weight)).metric(name, 0.5, **options)
    plain = UNWEIGHTED.metric(name, 0.5, **options)

    assert equal.value == pytest.approx(plain.value)
    assert limits(equal) == pytest.approx(limits(plain), rel=1e-9, abs=1e-12, nan_ok=True)
    assert (equal.method, equal.note) == (plain.method, plain.note)


@pytest.mark.parametrize("name", ["brier", "average_precision", "equal_error_rate", "partial_auc"])
def test_equal_weights_leave_summary_intervals_unchanged(name):
    scores = 1 / (1 + np.exp(-SCORES["a"]))
    equal, plain = (
        to.evaluate(actual=ACTUAL, score=scores, **options).summary(name)
        for options in ({"weight": np.full(len(ACTUAL), 0.25)}, {})
    )

    assert limits(equal) == pytest.approx(limits(plain), rel=1e-9)


@pytest.mark.parametrize("name", ["adjusted_rand_index", "krippendorffs_alpha", "chi_squared"])
@pytest.mark.parametrize("scale", SCALES)
def test_the_scale_of_importance_weights_does_not_change_values(name, scale):
    estimate, rescaled = (
        evaluation.metric(name, 0.5)
        for evaluation in (WEIGHTED, weighted_evaluation(WEIGHTS * scale))
    )

    assert rescaled.value == pytest.approx(estimate.value)


def test_recall_with_weights_correlated_with_the_outcome_by_hand():
    # Four positives: true positives with weights 1 and 3, misses with 2 and 2; p = 4/8.
    # V = (1² + 3²)(1/2)² / 8² + (2² + 2²)(1/2)² / 8² = 4.5 / 64; n = p(1 - p) / V = 3.5556,
    # which equals Kish's 64 / 18. With a true positive of weight 7 and a miss of weight 1:
    # V = (49 / 64 + 49 / 64) / 64, n = (7 / 64) / V = 4.5714, while Kish's would be 64 / 50.
    for weights, p, n in (([1, 3, 2, 2], 0.5, 64 / 18), ([7, 1], 7 / 8, 7 / (98 / 64))):
        predictions = [1, 1, 0, 0] if len(weights) == 4 else [1, 0]
        e = to.evaluate(
            actual=[*[1] * len(predictions), 0, 0],
            score=[*predictions, 0, 0],
            weight=[*weights, 1, 1],
            weight_means="importance",
        )
        estimate = e.metric("tpr", 0.5)
        assert estimate.value == pytest.approx(p)
        assert limits(estimate) == pytest.approx(
            tuple(float(limit) for limit in wilson_interval(p * n, n))
        )


def test_equal_weights_leave_differences_unchanged():
    equal = weighted_comparison(np.full(len(ACTUAL), 3.5)).areas
    plain = to.compare(actual=ACTUAL, score=SCORES).areas

    assert equal.covariance == pytest.approx(plain.covariance)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_equal_weights_leave_bootstrap_intervals_nearly_unchanged(method):
    equal, plain = (
        evaluation.summary("auc", method=method, replicates=2000)
        for evaluation in (weighted_evaluation(np.full(len(ACTUAL), 0.25)), UNWEIGHTED)
    )

    assert limits(equal) == pytest.approx(limits(plain), abs=0.02)


@pytest.mark.parametrize("weight_means", ["importance", "frequency"])
@pytest.mark.parametrize("name", ["average_precision", "auc"])
def test_bootstrap_intervals_do_not_depend_on_the_type_of_integer_weights(name, weight_means):
    integer_weights = (4 * WEIGHTS).astype(np.int64)

    as_integers, as_floats = (
        weighted_evaluation(w, weight_means=weight_means).summary(
            name, method="bootstrap", replicates=1000
        )
        for w in (integer_weights, integer_weights.astype(np.float64))
    )

    width, expected_width = (estimate.high - estimate.low for estimate in (as_integers, as_floats))
    assert width == pytest.approx(expected_width, rel=0.15)


def test_unequal_weights_widen_intervals():
    unequal_weights = np.where(np.arange(len(ACTUAL)) % 10 == 0, 30.0, 1.5)

    for compute in (
        lambda e: e.summary("ks", replicates=300),
        lambda e: e.metric("tpr", 0.5),
        lambda e: e.metric("f1", 0.5),
    ):
        wide, narrow = (
            np.subtract(*limits(compute(evaluation)))
            for evaluation in (weighted_evaluation(unequal_weights), UNWEIGHTED)
        )
        assert wide / narrow > 1.3


def test_unequal_weights_widen_auc_intervals():
    # The AUCs differ, 0.86 and 0.72, so widths are weighted_comparison on the logit scale.
    unequal_weights = np.where(np.arange(len(ACTUAL)) % 10 == 0, 30.0, 1.5)

    wide, narrow = (
        np.subtract(*logit(limits(evaluation.auc)))
        for evaluation in (weighted_evaluation(unequal_weights), UNWEIGHTED)
    )

    assert wide / narrow > 2


def test_the_covariance_of_weighted_rows_by_hand():
    # Σw²d² · n / (W² (n - 1)) in each class, with Kish's effective size n = W² / Σw².
    comparison = weighted_comparison(WEIGHTS)
    expected = np.zeros((2, 2))
    for index, mask in enumerate((ACTUAL, ~ACTUAL)):
        w = WEIGHTS[mask]
        deviations = np.array([comparison.paired.placements(name)[index] for name in ("a", "b")])
        deviations -= comparison.areas.values[:, None]
        n = w.sum() ** 2 / (w**2).sum()
        expected += (deviations * w**2) @ deviations.T * n / (w.sum() ** 2 * (n - 1))

    assert comparison.areas.covariance == pytest.approx(expected)
    ranking = comparison.rankings["a"]
    assert comparison.areas.values[0] == pytest.approx(to.SUMMARIES["auc"](ranking))


def test_weights_that_sum_to_1_are_not_mistaken_for_proportions():
    estimate = weighted_evaluation(WEIGHTS / WEIGHTS.sum()).metric("accuracy", 0.5)

    assert estimate.has_interval
    assert estimate.note is None or "proportions" not in estimate.note
