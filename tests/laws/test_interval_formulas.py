"""Which metrics need a formula of their own for intervals, found by brute force."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

import tradeoff as to
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metrics import metrics_with_intervals

CLASS_TOTALS = ((12, 15), (15, 12), (10, 10), (3, 20), (20, 3), (7, 9), (2, 11))
FEWEST = 500
"""Metrics are compared on at least so many matrices for which both have a value."""
ROUNDING = 1e-9
SEEN = ((9, 3, 4, 11), (6, 4, 1, 9), (12, 0, 5, 10), (2, 1, 3, 17), (8, 7, 0, 12), (5, 5, 5, 5))


@cache
def grid():
    """All matrices of some class totals, as one."""
    parts = []
    for positives, negatives in CLASS_TOTALS:
        tp, fp = np.meshgrid(np.arange(positives + 1.0), np.arange(negatives + 1.0))
        parts.append([tp.ravel(), positives - tp.ravel(), fp.ravel(), negatives - fp.ravel()])
    return to.ConfusionMatrix(*np.concatenate(parts, axis=1))


@cache
def values(name):
    matrices = grid()
    metric_values = np.asarray(to.METRICS[name](matrices), float)
    return np.broadcast_to(metric_values, matrices.true_positives.shape)


def direction(first, second):
    """1 where two metrics order all matrices alike, -1 where the other way round, else 0."""
    defined = ~np.isnan(first) & ~np.isnan(second)
    if defined.sum() < FEWEST:
        return 0
    x, y = first[defined], second[defined]
    return next((sign for sign in (1, -1) if _rise_together(x, sign * y)), 0)


def _rise_together(x, y):
    order = np.lexsort((y, x))
    return not _steps(y[order], -1).any() and bool(
        (_steps(x[order], 1) == _steps(y[order], 1)).all()
    )


def _steps(values, sign):
    """Where neighbours rise (or fall) by more than rounding; infinite ones are equal."""
    before, after = values[:-1], values[1:]
    with np.errstate(invalid="ignore"):
        return (before != after) & (sign * (after - before) > ROUNDING)


@cache
def intervals(matrix):
    metrics = to.METRICS.values()
    return metrics_with_intervals(metrics, to.ConfusionMatrix(*matrix), Confidence())


def inside(name, matrix):
    """Which matrices an interval holds, and which are so near an end that rounding may decide."""
    interval = intervals(matrix)[name]
    metric_values = values(name)
    near = [
        np.isclose(metric_values, end, rtol=1e-7, atol=1e-7)
        for end in (interval.low, interval.high)
    ]
    return (metric_values >= interval.low) & (metric_values <= interval.high), near[0] | near[1]


ALIKE = [
    (first, second)
    for first, second in combinations(to.METRICS, 2)
    if to.METRICS[first].interval and to.METRICS[second].interval
    if direction(values(first), values(second))
]


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_intervals_of_metrics_that_order_matrices_alike_contain_the_same_matrices(first, second):
    for matrix in SEEN:
        if not all(intervals(matrix)[name].has_interval for name in (first, second)):
            continue
        (first_inside, first_near), (second_inside, second_near) = (
            inside(first, matrix),
            inside(second, matrix),
        )
        defined = ~np.isnan(values(first)) & ~np.isnan(values(second)) & ~first_near & ~second_near

        assert (first_inside == second_inside)[defined].all(), matrix


def test_known_metrics_that_order_matrices_alike_are_detected():
    assert ("odds_ratio", "yules_q") in ALIKE
    assert ("balanced_accuracy", "youden_j") in ALIKE


def depends_on_one_share(name, share):
    """Whether a metric is a function of that share and of nothing else, and no share itself."""
    measure, of = to.METRICS[name], values(share)
    metric_values = values(name)
    defined = np.isfinite(metric_values) & ~np.isnan(of)
    if measure.trials or defined.sum() < FEWEST or np.ptp(metric_values[defined]) < ROUNDING:
        return False
    order = np.argsort(of[defined], kind="stable")
    x, y = of[defined][order], metric_values[defined][order]
    return not ((np.diff(x) < ROUNDING) & (np.abs(np.diff(y)) > ROUNDING)).any()


@pytest.mark.parametrize("name", to.METRICS)
@pytest.mark.parametrize("share", ["prevalence", "predicted_positive_rate"])
def test_a_function_of_one_proportion_has_the_interval_of_that_proportion(name, share):
    if not depends_on_one_share(name, share):
        return

    assert to.METRICS[name].interval is not None
    for matrix in SEEN:
        assert intervals(matrix)[name].method == "Wilson"
