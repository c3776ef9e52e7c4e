"""Consistency of the intervals of related metrics, which are found by brute force."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

import tradeoff as to
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metric_intervals import metrics_with_intervals

CLASS_TOTALS = ((12, 15), (15, 12), (10, 10), (3, 20), (20, 3), (7, 9), (2, 11))
MIN_MATRICES = 500
"""Minimum number of matrices with values of both metrics for comparing them."""
ROUNDING = 1e-9
OBSERVED_CELLS = (
    (9, 3, 4, 11),
    (6, 4, 1, 9),
    (12, 0, 5, 10),
    (2, 1, 3, 17),
    (8, 7, 0, 12),
    (5, 5, 5, 5),
)


@cache
def grid():
    """All confusion matrices with some class totals, as one array-valued matrix."""
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
    """1 if two metrics order all matrices alike, -1 if in reverse order, else 0."""
    defined = ~np.isnan(first) & ~np.isnan(second)
    if defined.sum() < MIN_MATRICES:
        return 0
    x, y = first[defined], second[defined]
    return next((sign for sign in (1, -1) if _rise_together(x, sign * y)), 0)


def _rise_together(x, y):
    order = np.lexsort((y, x))
    return not _steps(y[order], -1).any() and bool(
        (_steps(x[order], 1) == _steps(y[order], 1)).all()
    )


def _steps(values, sign):
    """Where successive values rise (or fall) by more than rounding; equal infinities do not."""
    before, after = values[:-1], values[1:]
    with np.errstate(invalid="ignore"):
        return (before != after) & (sign * (after - before) > ROUNDING)


@cache
def intervals(matrix):
    metrics = to.METRICS.values()
    return metrics_with_intervals(metrics, to.ConfusionMatrix(*matrix), Confidence())


def inside(name, matrix):
    """Matrices inside an interval, and those so near a limit that rounding may decide."""
    interval = intervals(matrix)[name]
    metric_values = values(name)
    near = [
        np.isclose(metric_values, end, rtol=1e-7, atol=1e-7)
        for end in (interval.low, interval.high)
    ]
    return (metric_values >= interval.low) & (metric_values <= interval.high), near[0] | near[1]


EQUIVALENT_PAIRS = [
    (first, second)
    for first, second in combinations(to.METRICS, 2)
    if to.METRICS[first].interval and to.METRICS[second].interval
    if direction(values(first), values(second))
]


@pytest.mark.parametrize(("first", "second"), EQUIVALENT_PAIRS)
def test_intervals_of_metrics_that_order_matrices_alike_contain_the_same_matrices(first, second):
    for matrix in OBSERVED_CELLS:
        if not all(intervals(matrix)[name].has_interval for name in (first, second)):
            continue
        (first_inside, first_near), (second_inside, second_near) = (
            inside(first, matrix),
            inside(second, matrix),
        )
        defined = ~np.isnan(values(first)) & ~np.isnan(values(second)) & ~first_near & ~second_near

        assert (first_inside == second_inside)[defined].all(), matrix


def test_known_metrics_that_order_matrices_alike_are_detected():
    assert ("odds_ratio", "yules_q") in EQUIVALENT_PAIRS
    assert ("balanced_accuracy", "youden_j") in EQUIVALENT_PAIRS


def depends_on_one_proportion(name, share):
    """Whether a metric is a function of that proportion alone, and not a proportion itself."""
    measure, proportions = to.METRICS[name], values(share)
    metric_values = values(name)
    defined = np.isfinite(metric_values) & ~np.isnan(proportions)
    if measure.trials or defined.sum() < MIN_MATRICES or np.ptp(metric_values[defined]) < ROUNDING:
        return False
    order = np.argsort(proportions[defined], kind="stable")
    x, y = proportions[defined][order], metric_values[defined][order]
    return not ((np.diff(x) < ROUNDING) & (np.abs(np.diff(y)) > ROUNDING)).any()


@pytest.mark.parametrize("name", to.METRICS)
@pytest.mark.parametrize("share", ["prevalence", "predicted_positive_rate"])
def test_a_function_of_one_proportion_has_the_interval_of_that_proportion(name, share):
    if not depends_on_one_proportion(name, share):
        return

    assert to.METRICS[name].interval is not None
    for matrix in OBSERVED_CELLS:
        assert intervals(matrix)[name].method == "Wilson"
