"""Intervals of metrics at a threshold: by hand, by laws, and what is said where there is none."""

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
from tradeoff.errors import InputError, UnknownName
from tradeoff.measures.mover import MovedShares
from tradeoff.stats.proportions import wilson
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metrics import sure_metric, sure_metrics
from tradeoff.uncertainty.question import ask

MATRIX = ConfusionMatrix(8, 2, 5, 15)
ACTUAL, SCORES = two_models()
FAIR = to.evaluate(actual=ACTUAL, score=SCORES["a"])
TURNING = {
    "confusion_entropy",
    "cross_entropy",
    "modified_confusion_entropy",
    "mutual_information",
    "random_agreement",
    "uncertainty_coefficient",
}
"""Metrics that rise and fall again as a share grows: a wider interval need not reach farther."""
SHARES = [name for name in to.METRICS if to.METRICS[name].trials]


def sure(name, matrix=MATRIX, **asked):
    return sure_metric(to.METRICS.find(name), matrix, Confidence(**asked))


def ends(found):
    return found.low, found.high


def test_a_rate_has_wilsons_interval():
    z = 1.959963984540054
    middle = (8 + z**2 / 2) / (10 + z**2)
    half = z / (10 + z**2) * math.sqrt(8 * 2 / 10 + z**2 / 4)

    found = sure("tpr")

    assert (found.value, found.level, found.method) == (0.8, 0.95, "Wilson")
    assert ends(found) == pytest.approx((middle - half, middle + half))


@pytest.mark.parametrize(
    ("name", "method", "low"),
    [
        ("clopper-pearson", "Clopper–Pearson", 0.025 ** (1 / 10)),
        ("agresti-coull", "Agresti–Coull", 0.6791127),
        ("jeffreys", "Jeffreys", 0.7828037),
        ("wilson", "Wilson", 10 / (10 + 1.959963984540054**2)),
    ],
)
def test_ten_of_ten_by_every_method(name, method, low):
    found = sure("tpr", ConfusionMatrix(10, 0, 5, 15), method=name)

    assert found.method == method
    assert found.low == pytest.approx(low, abs=1e-6)
    assert found.high == pytest.approx(1.0, abs=2e-4)


@pytest.mark.parametrize("method", ["delong", "hanley-mcneil", None])
def test_a_method_for_areas_leaves_shares_to_their_usual_one(method):
    assert sure("tpr", method=method) == sure("tpr")


def test_the_odds_ratio_is_symmetric_on_the_logarithm():
    found = sure("odds_ratio")
    half = 1.959963984540054 * math.sqrt(1 / 8 + 1 / 2 + 1 / 5 + 1 / 15)

    assert found.value == 8 * 15 / (2 * 5)
    assert ends(found) == pytest.approx((12 * math.exp(-half), 12 * math.exp(half)))


def f1(tp, positives, fp):
    return 2 * tp / (positives + tp + fp)


def test_the_f_measure_by_hand_from_the_shares_that_it_is_made_of():
    # Prevalence 10/30, recall 8/10 and false positive rate 5/20, each with Wilson's interval;
    # F1 with one of them at an end, the distances from F1 = 16/23 squared and added.
    value = f1(8, 10, 5)
    shares = [[float(end) for end in wilson(*own)] for own in ((10, 30), (8, 10), (5, 20))]
    moved = [
        [f1(0.8 * 30 * end, 30 * end, 0.25 * 30 * (1 - end)) for end in shares[0]],
        [f1(10 * end, 10, 5) for end in shares[1]],
        [f1(8, 10, 20 * end) for end in shares[2]],
    ]
    down, up = (
        math.sqrt(sum(max(sign * (own - value) for own in both) ** 2 for both in moved))
        for sign in (-1, 1)
    )

    found = sure("f1")

    assert (found.value, found.method) == (pytest.approx(16 / 23), "MOVER")
    assert ends(found) == pytest.approx((value - down, value + up))
    assert ends(found) == pytest.approx((0.4280, 0.8469), abs=1e-4)


def test_where_class_totals_are_given_the_prevalence_does_not_vary():
    random, by_class, known = (
        sure("f1", sampling="random"),
        sure("f1", sampling="by class"),
        sure("f1", dataclasses.replace(MATRIX, prevalence_known=True)),
    )

    assert ends(by_class) == ends(known) == ends(sure("f1", sampling="by class"))
    assert ends(random) == ends(sure("f1", sampling="random")) == ends(sure("f1"))
    assert random.low < by_class.low < by_class.high < random.high


def test_sampling_is_said_in_words_that_are_known():
    assert Confidence(sampling="by-class").by_class
    with pytest.raises(UnknownName, match="No sampling is called 'stratified'"):
        Confidence(sampling="stratified")


@pytest.mark.parametrize("name", SHARES)
@given(matrix=matrices(rejected=True))
def test_shares_of_random_rows_by_mover_are_nearly_wilsons(name, matrix):
    """Both are valid; where they differ, it is by how they round a share of one class."""
    measure = to.METRICS[name]
    if measure.trials not in {"positives", "negatives"} or matrix.rejected:
        return
    found = sure(name, matrix)
    if found.has_interval:
        low, high = MovedShares.of(matrix).interval(measure)
        assert (low, high) == pytest.approx(ends(found), abs=1e-9)


@given(matrices())
def test_whether_a_metric_mixes_the_classes_is_what_the_registry_says(matrix):
    # Twice as many negatives change all that mixes the classes, for some matrix, and nothing else.
    assume(min(matrix.positives, matrix.negatives) > 0)
    more = dataclasses.replace(
        matrix,
        false_positives=3 * matrix.false_positives,
        true_negatives=3 * matrix.true_negatives,
    )
    for name, measure in to.METRICS.items():
        if not measure.mixes_classes:
            one, other = measure(matrix), measure(more)
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, err_msg=name)


def test_every_metric_that_mixes_the_classes_changes_with_the_prevalence():
    more = ConfusionMatrix(8, 2, 15, 45)
    parameters = {"net_benefit": {"at": 0.2}}
    mixing = [
        m.with_parameters(**parameters.get(name, {}))
        for name, m in to.METRICS.items()
        if m.mixes_classes and name not in {"rejection_rate", "coverage"}
    ]
    other, less = ConfusionMatrix(8, 2, 1, 5), ConfusionMatrix(8, 2, 3, 15)

    same = {
        m.name
        for m in mixing
        if m(MATRIX) == pytest.approx(m(more), rel=1e-9)
        and m(other) == pytest.approx(m(less), rel=1e-9)
    }
    assert same == set()


@pytest.mark.parametrize("name", [n for n, m in to.METRICS.items() if m.no_interval])
def test_what_has_no_interval_that_can_be_trusted_has_none_and_says_why(name):
    found = sure(name)

    assert not found.has_interval
    assert found.note == f"no interval: {to.METRICS[name].no_interval}"
    asked = sure(name, method="bootstrap", replicates=50)
    assert not asked.has_interval or "less often than it says" in asked.note


@pytest.mark.parametrize("name", ["no_information_rate", "actual_entropy"])
def test_numbers_of_the_classes_alone_vary_with_the_rows(name):
    found = sure(name)

    assert found.low < found.value < found.high
    assert not sure(name, sampling="by class").has_interval


def test_the_entropy_of_the_classes_by_hand():
    # Wilson's interval of 10 in 30 is 0.1923 to 0.5122: it holds one half, where entropy is 1 bit.
    low, high = (float(end) for end in wilson(10, 30))
    least = -low * math.log2(low) - (1 - low) * math.log2(1 - low)

    assert low < 0.5 < high
    assert ends(sure("actual_entropy")) == pytest.approx((least, 1.0))


def test_association_may_be_none_where_rates_may_be_equal():
    weak = ConfusionMatrix(6, 4, 10, 10)  # 60 % and 50 %

    for name in ("cramers_v", "mutual_information", "phi_squared", "uncertainty_coefficient"):
        assert sure(name, weak).low == 0.0


def test_nothing_missed_in_ten_rows_is_no_certainty():
    # Bootstrap resamples would find all ten every time.
    found = sure("f_measure", ConfusionMatrix(10, 0, 0, 10))

    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low < 0.95


@settings(max_examples=40)
@given(matrices(rejected=True), st.floats(0.5, 0.98))
def test_intervals_hold_their_value_inside_the_range_and_grow_with_the_level(matrix, level):
    measures = [to.METRICS[name] for name in to.METRICS]
    narrow, wide = (
        sure_metrics(measures, matrix, Confidence(level=own, replicates=60))
        for own in (level, (1 + level) / 2)
    )

    for measure in measures:
        inner, outer = narrow[measure.name], wide[measure.name]
        assert not inner.has_interval or inner.is_defined
        assert inner.has_interval or not inner.is_defined or inner.note
        if inner.has_interval:
            assert inner.low <= inner.value <= inner.high
            assert measure.low <= inner.low <= inner.high <= measure.high + 1e-9
        if inner.has_interval and outer.has_interval and measure.name not in TURNING:
            slack = 1e-9 * max(1, abs(inner.value)) if math.isfinite(inner.value) else 0
            assert measure.low - slack <= outer.low <= inner.low + slack
            assert inner.low - slack <= inner.value <= inner.high + slack
            assert inner.high <= outer.high + slack
            assert outer.high <= measure.high + slack


@given(matrices(), st.sampled_from(SHARES))
def test_shares_of_defined_metrics_always_have_an_interval(matrix, name):
    found = sure(name, matrix)

    assert found.has_interval == found.is_defined


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize(
    "counts", [(3, 0, 1, 2), (3, 0, 0, 3), (0, 3, 0, 3), (1, 0, 0, 1), (2, 1, 0, 0), (5, 2, 0, 9)]
)
def test_small_matrices_are_drawn_again_without_a_complaint(counts, stratified, method):
    # Odds ratios and the like are infinite in many of these draws.
    measures = [to.METRICS[name] for name in to.METRICS]
    confidence = Confidence(
        method=method, sampling="by class" if stratified else "random", replicates=80
    )

    for name, found in sure_metrics(measures, ConfusionMatrix(*counts), confidence).items():
        assert math.isnan(found.low) == math.isnan(found.high), name
        assert not found.has_interval or found.low <= found.high, name


def test_a_metric_that_class_totals_alone_decide_has_no_interval_and_says_so():
    found = sure("prevalence", sampling="by class")

    assert not found.has_interval
    assert found.note == "no interval: class totals are taken as given"
    assert not sure("prevalence", method="bootstrap", sampling="by class").has_interval
    assert sure("prevalence", method="bootstrap").has_interval


def test_a_rate_that_no_draw_changes_is_not_blamed_on_class_totals():
    found = sure("tpr", ConfusionMatrix(10, 0, 5, 15), method="bootstrap")

    assert not found.has_interval
    assert found.note.startswith("no interval: ")
    assert "totals" not in found.note


def test_proportions_do_not_say_how_many_rows():
    found = sure("accuracy", ConfusionMatrix(0.4, 0.1, 0.2, 0.3))

    assert found.value == pytest.approx(0.7)
    assert not found.has_interval
    assert found.note == "no interval: proportions do not tell how many rows they come from"


def test_an_undefined_metric_keeps_its_reason():
    found = FAIR.metric("precision", 1e9)

    assert not found.has_interval
    assert found.reason


@given(scored(min_size=1, scores=st.integers(-2, 2).map(float)), st.sampled_from(list(to.METRICS)))
def test_whole_weights_count_rows(rows, name):
    scores, positive, weights = rows
    assume(weights.any())
    repeated = to.Ranking.of(np.repeat(scores, weights), np.repeat(positive, weights))
    kept = weights > 0
    weighted = to.Ranking.of(scores[kept], positive[kept], weights[kept])

    np.testing.assert_equal(
        ends(sure(name, weighted.at(0.5), replicates=20)),
        ends(sure(name, repeated.at(0.5), replicates=20)),
    )


def test_low_scores_that_are_positive_are_high_ones_negated():
    turned = to.evaluate(actual=ACTUAL, score=-SCORES["a"], lower_is_positive=True)

    for name in ("tpr", "f1", "mcc", "odds_ratio"):
        assert ends(turned.metric(name, -0.5)) == ends(FAIR.metric(name, 0.5))


def test_three_classes_have_intervals_too():
    matrix = ClassMatrix(np.array([[20, 3, 2], [4, 30, 1], [0, 5, 35]]), ("a", "b", "c"))

    accuracy, kappa, other = (sure(name, matrix) for name in ("accuracy", "kappa", "mcc"))

    z2 = 1.959963984540054**2
    middle = (85 + z2 / 2) / (100 + z2)
    assert accuracy.low + accuracy.high == pytest.approx(2 * middle)
    assert kappa.method == other.method == "delta method, Wilson"
    assert kappa.low < kappa.value < kappa.high
    assert other.low < other.value < other.high


def test_precision_at_another_prevalence_has_mercaldos_interval():
    plain = FAIR.estimate("precision", at=("threshold", 0.5), prevalence=0.05)
    weighed = FAIR.at_prevalence(0.05).metric("precision", 0.5)

    assert ends(plain) == ends(weighed)
    assert plain.low < plain.value == weighed.value < plain.high
    assert "Mercaldo" in plain.method


@pytest.mark.parametrize(
    "ask_without",
    [
        lambda: FAIR.metric("tpr", level=None),
        lambda: FAIR.summary("auc", level=None),
        lambda: FAIR.estimate("tpr", at=("fpr", 0.1), level=None),
    ],
    ids=["metric", "summary", "estimate"],
)
def test_no_level_means_no_interval(ask_without):
    found = ask_without()

    assert found.is_defined
    assert not found.has_interval


def test_a_metric_where_another_has_a_value_is_read_off_the_curve():
    found = FAIR.estimate("tpr", at=("fpr", 0.1), replicates=200)

    assert found.value == FAIR.curve("roc").y_at(0.1)
    assert found.name == "true_positive_rate where fpr = 0.1"
    assert found.low < found.value < found.high


def test_a_value_that_another_metric_never_has_is_told():
    found = FAIR.estimate("tpr", at=("fpr", 1.5))

    assert not found.is_defined
    assert found.reason == "false_positive_rate never is 1.5"


def test_the_expected_cost_has_an_interval():
    costs = to.Costs(false_positive=1, false_negative=5)
    found = FAIR.estimate("cost", costs=costs, at=("threshold", 0.5), replicates=200)
    matrix = FAIR.at(0.5)

    paid = (matrix.false_positives + 5 * matrix.false_negatives) / matrix.rows
    assert found.value == pytest.approx(paid)
    assert found.low < found.value < found.high


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"name": "auc", "at": ("fpr", 0.1)}, "auc is of the whole ranking: it has no point `at`"),
        ({"name": "cost"}, "Say what outcomes cost"),
        ({"name": "cost", "costs": to.Costs(), "at": ("fpr", 0.1)}, "Costs are compared at a thr"),
        ({"name": "tpr", "at": ("threshold", "0.5")}, "The threshold to look at is a number"),
    ],
)
def test_questions_that_cannot_be_answered(asked, message):
    with pytest.raises(InputError, match=message):
        ask(**asked)


@pytest.mark.parametrize("asked", [{"name": "tprr"}, {"name": "tpr", "at": ("fprr", 0.1)}])
def test_unknown_words_are_told(asked):
    with pytest.raises(UnknownName, match="Did you mean"):
        ask(**asked)
