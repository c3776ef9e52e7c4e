"""Confidence intervals for metrics: by hand, by their properties, and notes if there are none."""

import dataclasses
import math

import numpy as np
import pytest
from brute_force import two_models
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import matrices, scored

import tradeoff as to
from tradeoff import ClassMatrix, ConfusionMatrix
from tradeoff.errors import UnknownName
from tradeoff.measures.mover import Mover
from tradeoff.stats.proportions import wilson_interval
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metric_intervals import metric_with_interval, metrics_with_intervals

MATRIX = ConfusionMatrix(8, 2, 5, 15)


ACTUAL, SCORES = two_models()


EVALUATION = to.evaluate(actual=ACTUAL, score=SCORES["a"])


NON_MONOTONE = {
    "confusion_entropy",
    "cross_entropy",
    "modified_confusion_entropy",
    "mutual_information",
    "random_agreement",
    "uncertainty_coefficient",
}
"""Metrics that are not monotone in a rate, so their intervals may not widen with the level."""


PROPORTIONS = [name for name in to.METRICS if to.METRICS[name].trials]


def estimate_metric(name, matrix=MATRIX, **options):
    return metric_with_interval(to.METRICS.find(name), matrix, Confidence(**options))


def limits(estimate):
    return estimate.low, estimate.high


def test_a_rate_has_wilsons_interval():
    z = 1.959963984540054
    midpoint = (8 + z**2 / 2) / (10 + z**2)
    half_width = z / (10 + z**2) * math.sqrt(8 * 2 / 10 + z**2 / 4)

    estimate = estimate_metric("tpr")

    assert (estimate.value, estimate.level, estimate.method) == (0.8, 0.95, "Wilson")
    assert limits(estimate) == pytest.approx((midpoint - half_width, midpoint + half_width))


@pytest.mark.parametrize(
    ("name", "method", "low"),
    [
        ("clopper-pearson", "Clopper–Pearson", 0.025 ** (1 / 10)),
        ("agresti-coull", "Agresti–Coull", 0.6791127),
        ("jeffreys", "Jeffreys", 0.7828037),
        ("wilson", "Wilson", 10 / (10 + 1.959963984540054**2)),
    ],
)
def test_ten_successes_in_ten_trials_by_every_method(name, method, low):
    estimate = estimate_metric("tpr", ConfusionMatrix(10, 0, 5, 15), method=name)

    assert estimate.method == method
    assert estimate.low == pytest.approx(low, abs=1e-6)
    assert estimate.high == pytest.approx(1.0, abs=2e-4)


@pytest.mark.parametrize("method", ["delong", "hanley-mcneil", None])
def test_a_method_for_aucs_leaves_proportions_to_the_default_method(method):
    assert estimate_metric("tpr", method=method) == estimate_metric("tpr")


def test_the_odds_ratio_interval_is_symmetric_on_the_log_scale():
    estimate = estimate_metric("odds_ratio")
    half_width = 1.959963984540054 * math.sqrt(1 / 8 + 1 / 2 + 1 / 5 + 1 / 15)

    assert estimate.value == 8 * 15 / (2 * 5)
    assert limits(estimate) == pytest.approx(
        (12 * math.exp(-half_width), 12 * math.exp(half_width))
    )


def f1(tp, positives, fp):
    return 2 * tp / (positives + tp + fp)


def test_the_mover_interval_of_the_f_measure_by_hand():
    # Prevalence 10/30, recall 8/10 and false positive rate 5/20, each with Wilson's interval:
    # F1 with one of them at a limit; squared distances from F1 = 16/23 are summed.
    value = f1(8, 10, 5)
    limits_by_rate = [
        [float(limit) for limit in wilson_interval(*counts)]
        for counts in ((10, 30), (8, 10), (5, 20))
    ]
    f1_at_limits = [
        [f1(0.8 * 30 * p, 30 * p, 0.25 * 30 * (1 - p)) for p in limits_by_rate[0]],
        [f1(10 * recall, 10, 5) for recall in limits_by_rate[1]],
        [f1(8, 10, 20 * fpr) for fpr in limits_by_rate[2]],
    ]
    lower_distance, upper_distance = (
        math.sqrt(sum(max(sign * (f - value) for f in pair) ** 2 for pair in f1_at_limits))
        for sign in (-1, 1)
    )

    estimate = estimate_metric("f1")

    assert (estimate.value, estimate.method) == (pytest.approx(16 / 23), "MOVER")
    assert limits(estimate) == pytest.approx((value - lower_distance, value + upper_distance))
    assert limits(estimate) == pytest.approx((0.4280, 0.8469), abs=1e-4)


def test_with_fixed_class_totals_the_prevalence_does_not_vary():
    random, by_class, known_prevalence = (
        estimate_metric("f1", sampling="random"),
        estimate_metric("f1", sampling="by class"),
        estimate_metric("f1", dataclasses.replace(MATRIX, prevalence_known=True)),
    )

    assert (
        limits(by_class)
        == limits(known_prevalence)
        == limits(estimate_metric("f1", sampling="by class"))
    )
    assert (
        limits(random)
        == limits(estimate_metric("f1", sampling="random"))
        == limits(estimate_metric("f1"))
    )
    assert random.low < by_class.low < by_class.high < random.high


def test_an_unknown_sampling_is_refused():
    assert Confidence(sampling="by-class").by_class
    with pytest.raises(UnknownName, match="There is no sampling 'stratified'"):
        Confidence(sampling="stratified")


@pytest.mark.parametrize("name", PROPORTIONS)
@given(matrix=matrices(rejected=True))
def test_mover_intervals_for_class_rates_are_wilson_intervals(name, matrix):
    measure = to.METRICS[name]
    if measure.trials not in {"positives", "negatives"} or matrix.rejected:
        return
    estimate = estimate_metric(name, matrix)
    if estimate.has_interval:
        low, high = Mover.of(matrix).interval(measure)
        assert (low, high) == pytest.approx(limits(estimate), abs=1e-9)


@given(matrices())
def test_metrics_independent_of_prevalence_ignore_the_number_of_negatives(matrix):
    assume(min(matrix.positives, matrix.negatives) > 0)
    tripled = dataclasses.replace(
        matrix,
        false_positives=3 * matrix.false_positives,
        true_negatives=3 * matrix.true_negatives,
    )
    for name, measure in to.METRICS.items():
        if not measure.depends_on_prevalence:
            value, tripled_value = measure(matrix), measure(tripled)
            np.testing.assert_allclose(value, tripled_value, rtol=1e-9, atol=1e-12, err_msg=name)


def test_every_metric_that_depends_on_prevalence_changes_with_it():
    lower_prevalence = ConfusionMatrix(8, 2, 15, 45)
    parameters = {"net_benefit": {"at": 0.2}}
    dependent = [
        m.with_parameters(**parameters.get(name, {}))
        for name, m in to.METRICS.items()
        if m.depends_on_prevalence and name not in {"rejection_rate", "coverage"}
    ]
    other, other_lower = ConfusionMatrix(8, 2, 1, 5), ConfusionMatrix(8, 2, 3, 15)

    unchanged = {
        m.name
        for m in dependent
        if m(MATRIX) == pytest.approx(m(lower_prevalence), rel=1e-9)
        and m(other) == pytest.approx(m(other_lower), rel=1e-9)
    }
    assert unchanged == set()


@pytest.mark.parametrize("name", [n for n, m in to.METRICS.items() if m.no_interval])
def test_metrics_without_a_reliable_interval_have_a_note_instead(name):
    estimate = estimate_metric(name)

    assert not estimate.has_interval
    assert estimate.note == f"no interval: {to.METRICS[name].no_interval}"
    bootstrapped = estimate_metric(name, method="bootstrap", replicates=50)
    assert (
        not bootstrapped.has_interval
        or "coverage of the interval is below its level" in bootstrapped.note
    )


@pytest.mark.parametrize("name", ["no_information_rate", "actual_entropy"])
def test_metrics_of_class_totals_have_an_interval_only_under_random_sampling(name):
    estimate = estimate_metric(name)

    assert estimate.low < estimate.value < estimate.high
    assert not estimate_metric(name, sampling="by class").has_interval


def test_the_interval_for_the_class_entropy_by_hand():
    # Wilson's interval for 10 of 30 is 0.1923 to 0.5122. It contains 1/2, where entropy is 1 bit.
    low, high = (float(limit) for limit in wilson_interval(10, 30))
    min_entropy = -low * math.log2(low) - (1 - low) * math.log2(1 - low)

    assert low < 0.5 < high
    assert limits(estimate_metric("actual_entropy")) == pytest.approx((min_entropy, 1.0))


def test_intervals_for_weak_associations_reach_0():
    weak = ConfusionMatrix(6, 4, 10, 10)  # 60% and 50%

    for name in ("cramers_v", "mutual_information", "phi_squared", "uncertainty_coefficient"):
        assert estimate_metric(name, weak).low == 0.0


def test_a_perfect_f_measure_on_few_rows_has_a_lower_limit_below_1():
    # Every bootstrap resample would have a perfect F measure, too.
    estimate = estimate_metric("f_measure", ConfusionMatrix(10, 0, 0, 10))

    assert (estimate.value, estimate.high) == (1.0, 1.0)
    assert estimate.low < 0.95


@settings(max_examples=40)
@given(matrices(rejected=True), st.floats(0.5, 0.98))
def test_intervals_contain_the_value_stay_in_range_and_widen_with_the_level(matrix, level):
    measures = [to.METRICS[name] for name in to.METRICS]
    narrow, wide = (
        metrics_with_intervals(measures, matrix, Confidence(level=confidence_level, replicates=60))
        for confidence_level in (level, (1 + level) / 2)
    )

    for measure in measures:
        inner, outer = narrow[measure.name], wide[measure.name]
        assert not inner.has_interval or inner.is_defined
        assert inner.has_interval or not inner.is_defined or inner.note
        if inner.has_interval:
            assert inner.low <= inner.value <= inner.high
            assert measure.low - 1e-9 <= inner.low <= inner.high <= measure.high + 1e-9
        if inner.has_interval and outer.has_interval and measure.name not in NON_MONOTONE:
            tolerance = 1e-9 * max(1, abs(inner.value)) if math.isfinite(inner.value) else 0
            assert measure.low - tolerance <= outer.low <= inner.low + tolerance
            assert inner.low - tolerance <= inner.value <= inner.high + tolerance
            assert inner.high <= outer.high + tolerance
            assert outer.high <= measure.high + tolerance


@given(matrices(), st.sampled_from(PROPORTIONS))
def test_every_defined_proportion_has_an_interval(matrix, name):
    estimate = estimate_metric(name, matrix)

    assert estimate.has_interval == estimate.is_defined


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize(
    "counts", [(3, 0, 1, 2), (3, 0, 0, 3), (0, 3, 0, 3), (1, 0, 0, 1), (2, 1, 0, 0), (5, 2, 0, 9)]
)
def test_small_matrices_are_resampled_without_a_warning(counts, stratified, method):
    # Odds ratios and similar metrics are infinite in many of these resamples.
    measures = [to.METRICS[name] for name in to.METRICS]
    confidence = Confidence(
        method=method, sampling="by class" if stratified else "random", replicates=80
    )

    for name, estimate in metrics_with_intervals(
        measures, ConfusionMatrix(*counts), confidence
    ).items():
        assert math.isnan(estimate.low) == math.isnan(estimate.high), name
        assert not estimate.has_interval or estimate.low <= estimate.high, name


def test_with_fixed_class_totals_the_prevalence_has_a_note_instead_of_an_interval():
    estimate = estimate_metric("prevalence", sampling="by class")

    assert not estimate.has_interval
    assert estimate.note == "no interval: class totals are fixed"
    assert not estimate_metric("prevalence", method="bootstrap", sampling="by class").has_interval
    assert estimate_metric("prevalence", method="bootstrap").has_interval


def test_a_rate_that_is_constant_over_resamples_has_no_bootstrap_interval():
    estimate = estimate_metric("tpr", ConfusionMatrix(10, 0, 5, 15), method="bootstrap")

    assert not estimate.has_interval
    assert estimate.note.startswith("no interval: ")
    assert "totals" not in estimate.note


def test_a_matrix_of_proportions_has_no_intervals():
    estimate = estimate_metric("accuracy", ConfusionMatrix(0.4, 0.1, 0.2, 0.3))

    assert estimate.value == pytest.approx(0.7)
    assert not estimate.has_interval
    assert estimate.note == "no interval: a matrix of proportions does not give the number of rows"


def test_an_undefined_metric_keeps_its_reason():
    estimate = EVALUATION.metric("precision", 1e9)

    assert not estimate.has_interval
    assert estimate.reason


@given(scored(min_size=1, scores=st.integers(-2, 2).map(float)), st.sampled_from(list(to.METRICS)))
def test_integer_weights_equal_repeated_rows(rows, name):
    scores, positive, weights = rows
    assume(weights.any())
    repeated = to.Ranking.of(np.repeat(scores, weights), np.repeat(positive, weights))
    has_weight = weights > 0
    weighted = to.Ranking.of(scores[has_weight], positive[has_weight], weights[has_weight])

    np.testing.assert_equal(
        limits(estimate_metric(name, weighted.at(0.5), replicates=20)),
        limits(estimate_metric(name, repeated.at(0.5), replicates=20)),
    )


def test_low_scores_as_positive_equal_negated_scores():
    negated = to.evaluate(actual=ACTUAL, score=-SCORES["a"], lower_is_positive=True)

    for name in ("tpr", "f1", "mcc", "odds_ratio"):
        assert limits(negated.metric(name, -0.5)) == limits(EVALUATION.metric(name, 0.5))


def test_intervals_for_three_classes():
    matrix = ClassMatrix(np.array([[20, 3, 2], [4, 30, 1], [0, 5, 35]]), ("a", "b", "c"))

    accuracy, kappa, mcc = (estimate_metric(name, matrix) for name in ("accuracy", "kappa", "mcc"))

    z2 = 1.959963984540054**2
    midpoint = (85 + z2 / 2) / (100 + z2)
    assert accuracy.low + accuracy.high == pytest.approx(2 * midpoint)
    assert kappa.method == mcc.method == "delta method, Wilson"
    assert kappa.low < kappa.value < kappa.high
    assert mcc.low < mcc.value < mcc.high


def test_precision_at_another_prevalence_has_mercaldos_interval():
    estimate = EVALUATION.estimate("precision", at=("threshold", 0.5), prevalence=0.05)
    reweighted = EVALUATION.at_prevalence(0.05).metric("precision", 0.5)

    assert limits(estimate) == limits(reweighted)
    assert estimate.low < estimate.value == reweighted.value < estimate.high
    assert "Mercaldo" in estimate.method


def test_the_expected_cost_has_an_interval():
    costs = to.Costs(false_positive=1, false_negative=5)
    estimate = EVALUATION.estimate("cost", costs=costs, at=("threshold", 0.5), replicates=200)
    matrix = EVALUATION.at(0.5)

    mean_cost = (matrix.false_positives + 5 * matrix.false_negatives) / matrix.rows
    assert estimate.value == pytest.approx(mean_cost)
    assert estimate.low < estimate.value < estimate.high
