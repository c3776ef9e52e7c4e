"""Declared shapes of metrics, verified by brute force over all operating points."""

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

import tradeoff as to
from tradeoff.errors import TradeoffError

CLASS_TOTALS = ((12, 15), (15, 12), (10, 10), (3, 20), (20, 3))
MIN_POINTS = 12
"""Minimum number of operating points with a value that are needed to judge a shape."""
ROUNDING = 1e-12
TWO_CLASSES = [name for name, m in to.METRICS.items() if m.kind == "metric"]


@cache
def surfaces(name):
    """Both rates and the metric at every operating point, for several parameter values."""
    return [surface for measure in variants(to.METRICS[name]) for surface in surfaces_of(measure)]


def surfaces_of(measure):
    matrices = []
    for positives, negatives in CLASS_TOTALS:
        tp, fp = np.meshgrid(np.arange(positives + 1.0), np.arange(negatives + 1.0), indexing="ij")
        matrix = to.ConfusionMatrix(tp, positives - tp, fp, negatives - fp)
        values = np.broadcast_to(measure(matrix), tp.shape).astype(float)
        matrices.append((tp / positives, fp / negatives, values))
    return matrices


def variants(measure):
    """The metric with its default parameters, and with each of them changed if possible."""
    defaults = {key: 0.2 for key, value in measure.parameters.items() if value is None}
    yield measure.with_parameters(**defaults) if defaults else measure
    for key, value in measure.parameters.items():
        for other in (-1.0, 0.3) if isinstance(value, int | float) else ():
            try:
                variant = measure.with_parameters(**{key: other})
                if any(np.isfinite(values).any() for *_, values in surfaces_of(variant)):
                    yield variant
            except TradeoffError:
                continue


def steps(values):
    """Changes by one more true positive, and by one more false positive."""
    with np.errstate(invalid="ignore"):
        return values[1:] - values[:-1], values[:, 1:] - values[:, :-1]


def never_falls(changes):
    return not (changes[~np.isnan(changes)] < -ROUNDING).any()


def is_monotone(name):
    sign = {"higher": 1, "lower": -1, None: 0}[to.METRICS[name].better]
    return bool(sign) and all(
        never_falls(sign * tp_changes) and never_falls(-sign * fp_changes)
        for *_, values in surfaces(name)
        for tp_changes, fp_changes in [steps(values)]
    )


def is_ratio(name):
    return all(_is_linear_fractional(*surface) for surface in surfaces(name))


def _is_linear_fractional(tpr, fpr, values):
    """Whether (a x + b y + c) / (d x + e y + g) fits, with a denominator of constant sign."""
    finite = np.isfinite(values)
    if finite.sum() < MIN_POINTS:
        return False
    x, y, z = tpr[finite], fpr[finite], values[finite]
    z = z / (np.abs(z).max() or 1)
    straight = np.column_stack([x, y, np.ones_like(x)])
    if _is_dependent(np.column_stack([straight, -z])):
        return True
    both = np.column_stack([straight, -z[:, None] * straight])
    if not _is_dependent(both):
        return False
    denominator = straight @ np.linalg.svd(both)[2][-1][3:]
    return bool((denominator > -1e-9).all() or (denominator < 1e-9).all())


def _is_dependent(columns):
    return np.linalg.svd(columns, compute_uv=False)[-1] < 1e-10 * len(columns)


def is_monotone_along_ranking(name):
    return is_ratio(name) and all(_is_monotone_in_counts(values) for *_, values in surfaces(name))


def _is_monotone_in_counts(values):
    finite = values[np.isfinite(values)]
    tp_changes, fp_changes = steps(values)
    directions = (
        never_falls(sign * tp_changes) and never_falls(sign * fp_changes) for sign in (1, -1)
    )
    return finite.max() > finite.min() and any(directions)


@pytest.mark.parametrize("name", to.METRICS)
def test_ratios_of_linear_functions_are_declared_as_such(name):
    assert to.METRICS[name].is_ratio == is_ratio(name)


@pytest.mark.parametrize("name", to.METRICS)
def test_metrics_that_never_worsen_with_fewer_errors_are_declared_as_such(name):
    assert to.METRICS[name].monotone == is_monotone(name)


@pytest.mark.parametrize("name", to.METRICS)
def test_metrics_that_are_monotone_along_a_ranking_are_declared_as_such(name):
    assert to.METRICS[name].monotone_along_ranking == is_monotone_along_ranking(name)


def is_reached_by_more_positives(name):
    """Whether predicting more rows positive never makes a metric worse on a perfect ranking.

    A metric without a better direction counts as one where lower is better.
    """
    (measure, *_) = variants(to.METRICS[name])
    sign = 1 if measure.better == "higher" else -1
    changes_by_totals = []
    for positives, negatives in CLASS_TOTALS:
        predicted_positives = np.arange(positives + negatives + 1.0)
        tp = np.minimum(predicted_positives, positives)
        fp = predicted_positives - tp
        matrix = to.ConfusionMatrix(tp, positives - tp, fp, negatives - fp)
        values = np.broadcast_to(measure(matrix), tp.shape).astype(float)
        changes_by_totals.append(sign * np.diff(values[np.isfinite(values)]))
    changes = np.concatenate(changes_by_totals)
    return never_falls(changes) and bool((changes > ROUNDING).any())


@pytest.mark.parametrize("name", to.METRICS)
def test_metrics_reached_by_more_predicted_positives_are_declared_as_such(name):
    assert to.METRICS[name].reached_by_more_positives == is_reached_by_more_positives(name)


CELLS = ("true_positives", "false_negatives", "false_positives", "true_negatives")
TOTALS = ("positives", "negatives", "rows", "predicted_positives", "predicted_negatives")


@cache
def small_matrices():
    counts = np.array(list(product(range(4), repeat=4)), float)[1:]
    return to.ConfusionMatrix(*counts.T)


def is_proportion(values, total):
    """Whether a metric is a sum of cells divided by a total, and undefined where that is 0."""
    matrix = small_matrices()
    denominator = getattr(matrix, total)
    if not np.array_equal(np.isnan(values), denominator == 0):
        return False
    is_positive = denominator > 0
    subsets = (cells for size in range(1, 4) for cells in combinations(CELLS, size))
    sums = (sum(getattr(matrix, cell) for cell in cells) for cells in subsets)
    return any(
        np.allclose((values * denominator)[is_positive], numerator[is_positive])
        for numerator in sums
    )


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_proportions_declare_their_denominator(name):
    measure = to.METRICS[name]
    values = np.broadcast_to(measure(small_matrices()), len(small_matrices().rows))
    totals = [total for total in TOTALS if is_proportion(values, total)]

    if measure.parameters:  # it may be a proportion only for some of their values
        assert not measure.trials
    elif name in {"rejection_rate", "coverage"}:  # these matrices have no rejected rows
        assert measure.trials == "rows"
    elif measure.trials:
        assert measure.trials in totals or measure.trials == "decided"
    else:
        assert not totals
