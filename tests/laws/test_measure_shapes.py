"""What metrics say of their own shape, found again by brute force over all operating points."""

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

import tradeoff as to
from tradeoff.errors import TradeoffError

CLASS_TOTALS = ((12, 15), (15, 12), (10, 10), (3, 20), (20, 3))
FEWEST = 12
"""A shape is judged by at least so many points that have a value."""
ROUNDING = 1e-12
TWO_CLASSES = [name for name, m in to.METRICS.items() if m.kind == "metric"]


@cache
def surfaces(name):
    """Both rates and the metric at every operating point, with every parameter that it takes."""
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
    """The metric as it is, and with each of its parameters moved as far as it lets them be."""
    defaults = {key: 0.2 for key, value in measure.parameters.items() if value is None}
    yield measure.with_parameters(**defaults) if defaults else measure
    for key, value in measure.parameters.items():
        for other in (-1.0, 0.3) if isinstance(value, int | float) else ():
            try:
                moved = measure.with_parameters(**{key: other})
                if any(np.isfinite(values).any() for *_, values in surfaces_of(moved)):
                    yield moved
            except TradeoffError:
                continue


def steps(values):
    """What one more true positive does, and what one more false positive does."""
    with np.errstate(invalid="ignore"):
        return values[1:] - values[:-1], values[:, 1:] - values[:, :-1]


def never_falls(changes):
    return not (changes[~np.isnan(changes)] < -ROUNDING).any()


def is_directed(name):
    sign = {"higher": 1, "lower": -1, None: 0}[to.METRICS[name].better]
    return bool(sign) and all(
        never_falls(sign * by_hits) and never_falls(-sign * by_alarms)
        for *_, values in surfaces(name)
        for by_hits, by_alarms in [steps(values)]
    )


def is_ratio(name):
    return all(_is_linear_fractional(*surface) for surface in surfaces(name))


def _is_linear_fractional(tpr, fpr, values):
    """Whether (a x + b y + c) / (d x + e y + g) fits, with a denominator that keeps its sign."""
    finite = np.isfinite(values)
    if finite.sum() < FEWEST:
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


def is_sweeping(name):
    return is_ratio(name) and all(_goes_one_way(values) for *_, values in surfaces(name))


def _goes_one_way(values):
    finite = values[np.isfinite(values)]
    by_hits, by_alarms = steps(values)
    ways = (never_falls(sign * by_hits) and never_falls(sign * by_alarms) for sign in (1, -1))
    return finite.max() > finite.min() and any(ways)


@pytest.mark.parametrize("name", to.METRICS)
def test_metrics_declared_as_ratios_of_linear_functions_are(name):
    assert to.METRICS[name].is_ratio == is_ratio(name)


@pytest.mark.parametrize("name", to.METRICS)
def test_metrics_declared_as_directed_never_worsen_with_fewer_errors(name):
    assert to.METRICS[name].monotone == is_directed(name)


@pytest.mark.parametrize("name", to.METRICS)
def test_metrics_declared_as_sweeping_are_monotonic_along_a_ranking(name):
    assert to.METRICS[name].monotone_along_ranking == is_sweeping(name)


def is_reached_by_calls(name):
    """Whether no row that is called positive makes a metric worse, the positives being on top.

    A metric of which neither end is better is held below its target.
    """
    (measure, *_) = variants(to.METRICS[name])
    sign = 1 if measure.better == "higher" else -1
    moves = []
    for positives, negatives in CLASS_TOTALS:
        called = np.arange(positives + negatives + 1.0)
        tp = np.minimum(called, positives)
        fp = called - tp
        matrix = to.ConfusionMatrix(tp, positives - tp, fp, negatives - fp)
        values = np.broadcast_to(measure(matrix), tp.shape).astype(float)
        moves.append(sign * np.diff(values[np.isfinite(values)]))
    changes = np.concatenate(moves)
    return never_falls(changes) and bool((changes > ROUNDING).any())


@pytest.mark.parametrize("name", to.METRICS)
def test_metrics_declared_as_reached_by_calls_reach_targets_with_more_predicted_positives(name):
    assert to.METRICS[name].reached_by_more_positives == is_reached_by_calls(name)


CELLS = ("true_positives", "false_negatives", "false_positives", "true_negatives")
TOTALS = ("positives", "negatives", "rows", "predicted_positives", "predicted_negatives")


@cache
def small_matrices():
    counts = np.array(list(product(range(4), repeat=4)), float)[1:]
    return to.ConfusionMatrix(*counts.T)


def is_share(values, total):
    """Whether a metric is the sum of some cells over a total, and undefined where that is 0."""
    matrix = small_matrices()
    whole = getattr(matrix, total)
    if not np.array_equal(np.isnan(values), whole == 0):
        return False
    parts = (c for size in range(1, 4) for c in combinations(CELLS, size))
    sums = (sum(getattr(matrix, cell) for cell in cells) for cells in parts)
    return any(np.allclose((values * whole)[whole > 0], part[whole > 0]) for part in sums)


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_proportions_declare_their_denominator(name):
    measure = to.METRICS[name]
    values = np.broadcast_to(measure(small_matrices()), len(small_matrices().rows))
    totals = [total for total in TOTALS if is_share(values, total)]

    if measure.parameters:  # a share for some of them is none for others
        assert not measure.trials
    elif name in {"rejection_rate", "coverage"}:  # these matrices reject no row
        assert measure.trials == "rows"
    elif measure.trials:
        assert measure.trials in totals or measure.trials == "decided"
    else:
        assert not totals
