"""Closed-form intervals for summaries: by hand, against the bootstrap, and by their properties."""

import math

import numpy as np
import pytest
from brute_force import two_models
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import kolmogi, stdtrit

import tradeoff as to
from tradeoff.measures.summaries.areas import _break_ties
from tradeoff.uncertainty.estimates import question_estimate
from tradeoff.uncertainty.question import build_question
from tradeoff.uncertainty.summary_intervals import Moments, hall_interval, moments

ACTUAL, SCORES = two_models()
EVALUATION = to.evaluate(actual=ACTUAL, score=SCORES["a"])
RANDOM = np.random.default_rng(11)
LARGE_ACTUAL = RANDOM.random(3000) < 0.1
PROBABILITIES = 1 / (1 + np.exp(2.5 - RANDOM.normal(size=3000) - 1.5 * LARGE_ACTUAL))
LARGE = to.evaluate(actual=LARGE_ACTUAL, score=PROBABILITIES)


def limits(estimate):
    return estimate.low, estimate.high


def width(estimate):
    return estimate.high - estimate.low


def test_the_brier_score_is_a_mean_over_rows():
    # Four rows with squared errors .01, .16, .09, .04: mean .075, variance of the mean .013/3/4.
    e = to.evaluate(actual=[1, 1, 0, 0], score=[0.9, 0.6, 0.3, 0.2])
    errors = np.array([0.01, 0.16, 0.09, 0.04])
    deviations = errors - errors.mean()
    variance = (deviations**2).sum() / 3 / 4
    skewness = (deviations**3).sum() / 4**3 / ((deviations**2).sum() / 4**2) ** 1.5
    estimate = e.summary("brier")

    brier_moments = moments(e.ranking, (1 - SCORE) ** 2, SCORE**2, by_class=False)
    assert (brier_moments.variance, brier_moments.skewness) == pytest.approx((variance, skewness))
    critical_t = stdtrit(3, 0.975)
    cubes = [1 + skewness * (t - skewness / 6) for t in (critical_t, -critical_t)]
    low, high = (
        0.075 - math.sqrt(variance) * 3 * (math.copysign(abs(cube) ** (1 / 3), cube) - 1) / skewness
        for cube in cubes
    )
    assert estimate.value == pytest.approx(0.075)
    assert limits(estimate) == pytest.approx((max(low, 0), high))


SCORE = np.array([0.9, 0.6, 0.3, 0.2])


def test_without_skewness_halls_interval_is_students():
    low, high = hall_interval(0.5, Moments(0.01, 0.0, 10))

    assert (low, high) == pytest.approx(
        (0.5 - stdtrit(9, 0.975) / 10, 0.5 + stdtrit(9, 0.975) / 10)
    )


@pytest.mark.parametrize(
    "name", ["brier", "log_loss", "average_precision", "partial_auc", "pr_gain_area"]
)
def test_closed_form_intervals_of_many_rows_are_as_wide_as_bootstrap_intervals(name):
    closed, resampled = LARGE.summary(name), LARGE.summary(name, method="bootstrap")

    assert width(closed) == pytest.approx(width(resampled), rel=0.15)


@pytest.mark.parametrize(
    "name", ["brier", "log_loss", "root_mean_squared_error", "average_precision", "break_even"]
)
def test_random_class_totals_widen_intervals_for_summaries_that_depend_on_prevalence(name):
    random, by_class = (LARGE.summary(name, sampling=s) for s in ("random", "by class"))

    assert width(random) > 1.02 * width(by_class)


def test_clusters_of_one_row_give_intervals_about_as_wide_as_independent_rows():
    clustered = to.evaluate(actual=LARGE_ACTUAL, score=PROBABILITIES, cluster=np.arange(3000))

    assert width(clustered.summary("brier")) == pytest.approx(
        width(LARGE.summary("brier")), rel=0.1
    )


def test_a_known_prevalence_does_not_vary():
    reweighted = LARGE.at_prevalence(0.3)

    by_class = reweighted.summary("brier", sampling="by class")
    assert limits(reweighted.summary("brier")) == limits(by_class)


def test_the_interval_for_the_pr_gain_area_is_a_jackknife_interval():
    # The distance of the area from 1 is skewed, its logarithm less so: the interval is Hall's for
    # ln(1 - area), by the delta method, with variance and skewness from the jackknife.
    area = to.SUMMARIES["pr_gain_area"]
    actual, score = ACTUAL[:30], SCORES["a"][:30]
    e = to.evaluate(actual=actual, score=score)
    leave_one_out = np.array(
        [area(to.Ranking.of(np.delete(score, row), np.delete(actual, row))) for row in range(30)]
    )
    influences = 29 * (leave_one_out.mean() - leave_one_out)
    distance = 1 - area(e.ranking)
    variance = (influences**2).mean() / 29
    skewness = (influences**3).mean() / (influences**2).mean() ** 1.5 / math.sqrt(30)
    low, high = hall_interval(math.log(distance), Moments(variance / distance**2, -skewness, 30))
    estimate = e.summary("pr_gain_area")

    assert limits(estimate) == pytest.approx((1 - math.exp(high), 1 - math.exp(low)))
    assert estimate.method == "jackknife, log, Hall"


def test_too_few_positives_leave_the_pr_gain_area_without_an_interval():
    # Four positives among 100 rows, the first at the top: its removal changes the area greatly.
    actual = np.isin(np.arange(100), [0, 16, 24, 57])
    estimate = to.evaluate(actual=actual, score=np.arange(100.0)[::-1]).summary("pr_gain_area")

    assert math.isfinite(estimate.value)
    assert not estimate.has_interval
    assert "single rows have too much influence" in estimate.note


def test_the_interval_for_ks_is_the_kolmogorov_smirnov_bound():
    estimate = EVALUATION.summary("ks")
    positives, negatives = ACTUAL.sum(), (~ACTUAL).sum()
    half_width = kolmogi(0.05) * math.sqrt(1 / positives + 1 / negatives)

    expected = estimate.value - half_width, estimate.value + half_width
    assert limits(estimate) == pytest.approx(expected)
    assert estimate.method == "Kolmogorov–Smirnov bound, conservative"


def test_biased_summaries_have_a_note_instead_of_an_interval():
    for name, measure in to.SUMMARIES.items():
        estimate = LARGE.summary(name)
        assert estimate.has_interval != bool(measure.no_interval), name
        if measure.no_interval:
            assert f"no interval: {measure.no_interval}" in estimate.note
            bootstrapped = LARGE.summary(name, method="bootstrap", replicates=60)
            assert (
                not bootstrapped.has_interval
                or "coverage of the interval is below its level" in bootstrapped.note
            )


def test_partial_aucs_are_consistent_across_their_scales():
    raw, relative, mcclish = (
        LARGE.summary(name, high=0.2)
        for name in ("partial_auc", "partial_auc_share", "partial_auc_mcclish")
    )

    assert limits(raw) == pytest.approx(tuple(0.2 * limit for limit in limits(relative)))
    # The area under the diagonal is 0.02, and the maximum 0.2.
    scaled = ((1 + (limit - 0.02) / 0.18) / 2 for limit in limits(raw))
    assert limits(mcclish) == pytest.approx(tuple(scaled))


def test_the_partial_auc_over_the_full_range_has_delongs_interval():
    full_range = LARGE.summary("partial_auc", high=1.0)

    assert width(full_range) == pytest.approx(
        width(LARGE.summary("auc", method="delong")), rel=0.02
    )


def test_optimistic_and_pessimistic_aucs_are_those_with_ties_broken():
    tied = to.evaluate(actual=ACTUAL, score=np.round(SCORES["a"], 1)).ranking

    for positives_first, name in ((True, "auc_optimistic"), (False, "auc_pessimistic")):
        untied = _break_ties(tied, positives_first=positives_first)
        assert to.SUMMARIES["auc"](untied) == pytest.approx(to.SUMMARIES[name](tied))
        assert (untied.positives, untied.negatives) == (tied.positives, tied.negatives)


@pytest.mark.parametrize(
    ("name", "at"),
    [("lift", ("depth", 0.1)), ("precision", ("tpr", 0.5)), ("tpr", ("fpr", 0.1))],
)
def test_intervals_read_off_a_curve_are_as_wide_as_bootstrap_intervals(name, at):
    closed = LARGE.estimate(name, at=at)
    resampled = LARGE.estimate(name, at=at, method="bootstrap")

    assert closed.method == "MOVER"
    assert width(closed) == pytest.approx(width(resampled), rel=0.25)


def test_an_interval_read_off_the_roc_curve_by_hand():
    # 4 positives and 4 negatives rank + - + - + - + -: where the fpr is 0.5, 3 of 4 positives are
    # found, so the tpr is 0.75. Wilson's interval for 2 of 4 is 0.15 to 0.85, and at such an fpr
    # the tpr is 1/4 and 1; his interval for 3 of 4, the tpr itself, is 0.30 to 0.95.
    ranking = to.evaluate(actual=[1, 0] * 4, score=np.arange(8.0)[::-1]).ranking
    estimate = question_estimate(build_question("tpr", at=("fpr", 0.5)), ranking)

    assert estimate.value == 0.75
    assert estimate.low < 0.75 - math.hypot(0.75 - 0.3006, 0.2)
    assert estimate.high == 1.0


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=8, max_size=40),
    st.sampled_from(
        ["brier", "log_loss", "average_precision", "equal_error_rate", "aurc", "pr_gain_area"]
    ),
    st.floats(0.6, 0.95),
)
def test_intervals_contain_the_value_and_widen_with_the_level(rows, name, level):
    positive, score = (np.array(column) for column in zip(*rows, strict=True))
    assume(min(positive.sum(), (~positive).sum()) >= 2)
    e = to.evaluate(actual=positive, score=(score + 1) / 10)
    narrow, wide = (
        e.summary(name, level=confidence_level) for confidence_level in (level, (1 + level) / 2)
    )
    measure = to.SUMMARIES[name]

    if narrow.has_interval and wide.has_interval:
        assert measure.low <= wide.low <= narrow.low + 1e-9
        assert narrow.low - 1e-9 <= narrow.value <= narrow.high + 1e-9
        assert narrow.high - 1e-9 <= wide.high <= measure.high


def test_the_registry_states_which_summaries_depend_on_prevalence():
    reweighted = LARGE.at_prevalence(0.4)
    for name, measure in to.SUMMARIES.items():
        value = measure(LARGE.ranking)
        is_same = value == pytest.approx(measure(reweighted.ranking), rel=1e-6, abs=1e-9)
        if not np.isnan(value):
            assert is_same != measure.depends_on_prevalence, name


@pytest.mark.parametrize("name", ["brier", "average_precision", "equal_error_rate", "lift"])
def test_a_weight_of_2_equals_a_repeated_row(name):
    weighted = to.evaluate(
        actual=LARGE_ACTUAL, score=PROBABILITIES, weight=np.full(3000, 2)
    ).ranking
    repeated = to.Ranking.of(np.repeat(PROBABILITIES, 2), np.repeat(LARGE_ACTUAL, 2))
    question = build_question(name, at=None if name in to.SUMMARIES else ("depth", 0.1))

    assert limits(question_estimate(question, weighted)) == pytest.approx(
        limits(question_estimate(question, repeated))
    )
