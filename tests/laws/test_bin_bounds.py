"""Bounds for binned rankings hold for every order of the rows inside the bins."""

import math
from itertools import chain, product

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import UGLY, scored

import tradeoff as to
from tradeoff.core.sort import Tally
from tradeoff.measures.curves import any_curve
from tradeoff.measures.curves.bin_bounds import height_in_bins, is_bounded, is_reading_bounded
from tradeoff.stats.interval_methods import methods_by_name
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.auc import auc_interval
from tradeoff.uncertainty.question import build_question

AREA_METHODS = list(methods_by_name("areas"))

ROWS = scored(UGLY, min_size=2, max_size=120)
MAX_BINS = st.integers(4, 40)
MANY_ROWS = scored(st.floats(-5, 5), min_size=15, max_size=60)
"""Rows with more scores than the smallest number of bins."""
FEW_BINS = st.integers(4, 8)
TOLERANCE = 1e-9
BOUNDED_SUMMARIES = [name for name, measure in to.SUMMARIES.items() if measure.is_bounded]
BOUNDED = [name for name, measure in to.METRICS.items() if is_bounded(measure)]
PAIRS = [
    (x_name, name)
    for x_name in ("fpr", "depth", "precision", "npv")
    for name in ("tpr", "fnr", "precision", "lift", "f1", "mcc", "kappa", "tnr", "odds_ratio")
    if is_reading_bounded(to.METRICS[x_name], to.METRICS[name])
]
COUNTS = st.tuples(st.integers(0, 2), st.integers(0, 2)).filter(any)
"""Numbers of positive and negative rows in a small bin."""


def ranked(rows):
    return to.Ranking.of(rows[0], rows[1])


def best_threshold_or_none(ranking, by):
    """The best threshold, or None if there is none."""
    try:
        return best_threshold(ranking, by)
    except to.TradeoffError:
        return None


def ranking_of_groups(groups, levels=None):
    """A ranking of groups of tied rows, from the highest score down."""
    true_positives, false_positives = (np.cumsum([0, *side]) for side in zip(*groups, strict=True))
    thresholds = np.concatenate([[np.inf], 10.0 - np.arange(len(groups))])
    return to.Ranking(
        Tally(thresholds, true_positives, false_positives),
        int(true_positives[-1] + false_positives[-1]),
        levels=levels,
    )


def refinements(positives, negatives):
    """All orders of the rows of a bin, as groups of tied rows."""
    if not (positives or negatives):
        return [()]
    return [
        ((true_positives, false_positives), *rest)
        for true_positives in range(positives + 1)
        for false_positives in range(negatives + 1)
        if true_positives or false_positives
        for rest in refinements(positives - true_positives, negatives - false_positives)
    ]


def every_order(bins):
    return [
        ranking_of_groups([*chain(*parts)]) for parts in product(*(refinements(*b) for b in bins))
    ]


def holds(bounded, exact, tolerance=TOLERANCE):
    """Whether an estimate from binned scores, if defined, bounds the exact value."""
    if not bounded.is_defined:
        return True
    return exact.is_defined and (
        bounded.value == exact.value
        or abs(bounded.value - exact.value) <= bounded.within + tolerance
    )


@pytest.mark.parametrize("name", BOUNDED_SUMMARIES)
@given(st.lists(COUNTS, min_size=1, max_size=2))
@settings(max_examples=15)
def test_bounds_of_summaries_contain_the_exact_value_for_every_order_within_bins(name, bins):
    binned = ranking_of_groups(bins, np.array([0] + [1] * len(bins), np.uint8))
    estimate = to.SUMMARIES[name].estimate(binned)

    exact = [to.SUMMARIES[name].estimate(order) for order in every_order(bins)]

    assert all(value.is_defined == estimate.is_defined for value in exact)
    assert all(holds(estimate, value) for value in exact)


def test_average_precision_is_bounded_by_hand():
    # One positive, then a bin of two positives and one negative. At best both positives tie
    # above the negative: 1. At worst the negative is first: (1 + 2/3 + 3/4) / 3 = 0.80556, which
    # the integral bounds by (1 + 1.5 / 2.5 * 2 + 0.8 - log(1.8)) / 3 = 0.80407.
    binned = ranking_of_groups([(1, 0), (2, 1)], np.array([0, 0, 1], np.uint8))

    estimate = to.SUMMARIES["average_precision"].estimate(binned)

    assert estimate.value + estimate.within == pytest.approx(1.0)
    assert estimate.value - estimate.within == pytest.approx((3.0 - math.log(1.8)) / 3)


@given(ROWS, MAX_BINS, st.floats(0.05, 20))
def test_bounds_of_average_precision_hold_for_weights(rows, max_bins, up):
    whole = ranked(rows).weighed(up, 1 / up)
    assume(whole.positives)
    estimate = to.SUMMARIES["average_precision"].estimate(whole.within(max_bins))

    assert holds(estimate, to.SUMMARIES["average_precision"].estimate(whole))


@pytest.mark.parametrize(("x_name", "name"), PAIRS)
@given(rows=ROWS, max_bins=MAX_BINS, value=st.floats(0, 1))
@settings(max_examples=15)
def test_bounds_of_values_read_off_a_curve_contain_the_exact_value(
    x_name, name, rows, max_bins, value
):
    whole = ranked(rows)
    assume(whole.positives and whole.negatives)
    question = build_question(name, at=(x_name, value))

    assert holds(question.estimate(whole.within(max_bins)), question.estimate(whole))


@pytest.mark.parametrize("x_name", ["fpr", "tpr", "depth", "precision"])
@pytest.mark.parametrize("name", ["tpr", "fpr", "precision", "lift", "f1", "expected_cost"])
@given(rows=ROWS, max_bins=MAX_BINS, data=st.data())
@settings(max_examples=12)
def test_bounds_of_values_at_the_points_of_a_curve_contain_the_exact_value(
    x_name, name, rows, max_bins, data
):
    whole = ranked(rows)
    assume(whole.positives and whole.negatives)
    values = np.unique(to.METRICS[x_name](whole.confusion))
    value = data.draw(st.sampled_from(values[~np.isnan(values)].tolist()))
    question = build_question(name, at=(x_name, value))

    assert holds(question.estimate(whole.within(max_bins)), question.estimate(whole))


@pytest.mark.parametrize("x_name", ["fpr", "tpr", "depth"])
@given(rows=ROWS, max_bins=MAX_BINS, value=st.floats(0.01, 0.99))
def test_rates_along_a_ranking_always_have_bounds(x_name, rows, max_bins, value):
    whole = ranked(rows)
    assume(whole.positives and whole.negatives)

    for name in ("tpr", "fpr", "accuracy"):
        assert build_question(name, at=(x_name, value)).estimate(whole.within(max_bins)).is_defined


@pytest.mark.parametrize("name", BOUNDED)
@given(rows=ROWS, max_bins=MAX_BINS, data=st.data())
@settings(max_examples=10)
def test_bounds_of_metrics_at_a_threshold_inside_a_bin_contain_the_exact_value(
    name, rows, max_bins, data
):
    whole = ranked(rows)
    threshold = data.draw(st.sampled_from(whole.thresholds.tolist()))
    question = build_question(name, at=("threshold", threshold))

    assert holds(question.estimate(whole.within(max_bins)), question.estimate(whole))


@given(ROWS, MAX_BINS, st.integers(1, 9), st.integers(1, 9), st.sampled_from([0, 5]))
def test_the_cheapest_cost_lies_between_the_best_bin_end_and_the_bound(
    rows, max_bins, fp, fn, fixed
):
    whole = ranked(rows)
    assume(whole.positives and whole.negatives)
    costs = to.Costs(false_positive=fp, false_negative=fn, fixed=fixed)
    best = best_threshold(whole.within(max_bins), costs=costs)

    exact = best_threshold(whole, costs=costs).value

    assert best.at_best - TOLERANCE <= exact <= best.value + TOLERANCE


@pytest.mark.parametrize("by", ["youden", "f", "mcc", "distance", "accuracy", "kappa"])
@given(rows=ROWS, max_bins=MAX_BINS)
def test_no_threshold_is_better_than_the_bound(by, rows, max_bins):
    whole = ranked(rows)
    assume(whole.positives and whole.negatives)
    best = best_threshold_or_none(whole.within(max_bins), by)
    assume(best is not None and best.at_best is not None)

    exact = best_threshold(whole, by).value
    sign = 1 if best.criterion.better == "higher" else -1

    assert sign * best.value - TOLERANCE <= sign * exact <= sign * best.at_best + TOLERANCE


@given(MANY_ROWS, FEW_BINS, st.booleans())
def test_suggested_thresholds_do_not_split_a_bin(rows, max_bins, lower):
    whole = to.Ranking.of(rows[0].round(9), rows[1], lower_is_positive=lower)
    assume(whole.positives and whole.negatives)
    best = best_threshold(whole.within(max_bins), "youden")

    assert whole.at(best.suggestion).true_positives == best.confusion.true_positives
    assert whole.at(best.suggestion).false_positives == best.confusion.false_positives


@pytest.mark.parametrize("method", AREA_METHODS)
@given(rows=st.one_of(ROWS, MANY_ROWS), max_bins=st.integers(4, 30))
@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
def test_the_auc_interval_of_bins_contains_that_of_all_scores(method, rows, max_bins):
    whole = ranked(rows)
    assume(min(whole.positives, whole.negatives) > 1)
    exact = auc_interval(whole, method=method)
    interval = auc_interval(whole.within(max_bins), method=method)
    assume(not math.isnan(interval.low))

    assert interval.low <= exact.low + TOLERANCE
    assert exact.high <= interval.high + TOLERANCE


@pytest.mark.parametrize("method", AREA_METHODS)
@given(rows=st.one_of(ROWS, MANY_ROWS), max_bins=st.integers(4, 30), seed=st.integers(0, 9))
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_the_weighted_auc_interval_of_bins_contains_that_of_all_scores(
    method, rows, max_bins, seed
):
    assume(min(rows[1].sum(), (~rows[1]).sum()) > 2)
    weight = np.random.default_rng(seed).uniform(0.5, 2, len(rows[0]))
    whole = to.evaluate(actual=rows[1], score=rows[0], weight=weight).ranking
    exact = auc_interval(whole, method=method)
    interval = auc_interval(whole.within(max_bins), method=method)
    assume(not math.isnan(interval.low))

    assert interval.low <= exact.low + TOLERANCE
    assert exact.high <= interval.high + TOLERANCE


@pytest.mark.parametrize(
    "name", ["roc", "det", "gains", "precision_recall", "precision_recall_gain", "cost"]
)
@given(rows=ROWS, max_bins=MAX_BINS)
def test_bounds_of_areas_under_curves_contain_the_exact_area(name, rows, max_bins):
    whole = ranked(rows)
    assume(whole.positives and whole.negatives)

    assert holds(any_curve(whole.within(max_bins), name).area(), any_curve(whole, name).area())


@pytest.mark.parametrize("name", ["cost", "profit", "roc", "lift"])
@given(rows=MANY_ROWS, max_bins=FEW_BINS, x=st.floats(0.01, 0.99))
def test_bounds_of_curve_heights_contain_the_exact_height(name, rows, max_bins, x):
    whole = ranked(rows)
    binned = whole.within(max_bins)
    assume(whole.positives and whole.negatives and not binned.exact)
    exact = any_curve(whole, name).y_at(x)

    reading = height_in_bins(any_curve(binned, name), x)

    assert abs(reading.value - exact) <= reading.within + TOLERANCE


@given(MANY_ROWS, FEW_BINS)
def test_the_hull_of_all_scores_lies_between_the_bounds(rows, max_bins):
    whole = ranked(rows)
    binned = whole.within(max_bins)
    assume(whole.positives and whole.negatives and not binned.exact)
    hull = to.Evaluation({"model": binned}).hull()

    exact = to.Evaluation({"model": whole}).hull().area

    assert hull.area - TOLERANCE <= exact <= hull.area_at_best + TOLERANCE
