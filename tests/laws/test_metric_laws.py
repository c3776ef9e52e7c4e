"""Properties of every metric. New metrics are covered as soon as they are registered."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from strategies import columns, matrices, rankings

import tradeoff as to
from tradeoff.measures.formula import (
    FUNCTIONS,
    exact_formula,
    formula_symbols,
    is_expression,
    readable_formula,
)

ALL = list(to.METRICS)
every_metric = pytest.mark.parametrize("name", ALL)
REQUIRED_PARAMETERS = {"net_benefit": {"at": 0.3}}  # parameters without which a metric is undefined

# Not functions of proportions alone: a statistic that grows with n, small-sample corrections.
DEPEND_ON_SIZE = {"chi_squared", "krippendorffs_alpha", "adjusted_rand_index"}


def on_all_small_matrices(name, *, swapped=False):
    """Values of a metric on all small matrices, or with the classes swapped."""
    cells = np.array(list(itertools.product((0.0, 1.0, 2.0, 5.0), repeat=4))).T
    matrix = to.ConfusionMatrix(*cells)
    measure = to.METRICS[name].with_parameters(**REQUIRED_PARAMETERS.get(name, {}))
    values = measure(matrix.swapped() if swapped else matrix)
    return np.broadcast_to(values, matrix.true_positives.shape)


def same_when_swapped(name, other):
    first, second = on_all_small_matrices(name), on_all_small_matrices(other, swapped=True)
    return np.allclose(first, second, equal_nan=True)


# Metrics that do not depend on which class is positive, found by brute force, and pairs of metrics
# that are exchanged with the classes.
SYMMETRIC = [name for name in ALL if same_when_swapped(name, name)]
SWAPPED = [
    (name, other)
    for name, other in itertools.combinations([n for n in ALL if n not in SYMMETRIC], 2)
    if same_when_swapped(name, other)
]


def test_known_symmetric_metrics_and_swapped_pairs_are_detected():
    assert {name for name in ALL if to.METRICS[name].any_classes} <= set(SYMMETRIC)
    assert "balanced_accuracy" in SYMMETRIC
    assert ("true_positive_rate", "true_negative_rate") in SWAPPED


def violations(law, names=ALL):
    """Metrics that violate a law; each example is drawn once for all of them."""
    return [name for name in names if not law(to.METRICS[name])]


def close(first, second):
    return first == pytest.approx(second, rel=1e-9, abs=1e-9, nan_ok=True)


@given(matrix=matrices(rejected=True))
def test_a_metric_stays_in_its_range(matrix):
    def law(metric):
        value = metric(matrix)
        return math.isnan(value) or metric.low - 1e-9 <= value <= metric.high + 1e-9

    assert violations(law) == []


@given(matrix=matrices(rejected=True))
def test_undefined_metrics_have_a_reason_with_the_users_class_names(matrix):
    def law(metric):
        estimate = metric.estimate(matrix)
        if estimate.is_defined:
            return estimate.reason is None
        return estimate.reason and "{" not in estimate.reason

    assert violations(law) == []


@given(ranking=rankings())
def test_values_at_thresholds_agree_with_values_along_the_ranking(ranking):
    matrices_at = [ranking.at(threshold) for threshold in ranking.thresholds[1:]]

    def law(metric):
        along = np.broadcast_to(metric(ranking.confusion), ranking.thresholds.shape)
        return close(list(along[1:]), [metric(matrix) for matrix in matrices_at])

    assert violations(law) == []


@given(matrix=matrices())
def test_a_matrix_of_proportions_has_the_values_of_its_counts(matrix):
    assume(matrix.rows)
    shares = to.ConfusionMatrix(*(cell.count / matrix.rows for cell in matrix.cells()))
    names = [name for name in ALL if name not in DEPEND_ON_SIZE]

    assert violations(lambda metric: close(metric(shares), metric(matrix)), names) == []


@given(matrix=matrices())
def test_symmetric_metrics_do_not_depend_on_which_class_is_positive(matrix):
    swapped = matrix.swapped()

    assert violations(lambda metric: close(metric(matrix), metric(swapped)), SYMMETRIC) == []


@given(matrix=matrices())
def test_swapping_the_classes_swaps_the_rates(matrix):
    swapped = matrix.swapped()
    broken = [
        (name, other)
        for name, other in SWAPPED
        if not close(to.METRICS[name](matrix), to.METRICS[other](swapped))
    ]

    assert broken == []


@pytest.mark.parametrize(
    "parts",
    [
        ("true_positive_rate", "false_negative_rate"),
        ("true_negative_rate", "false_positive_rate"),
        ("precision", "false_discovery_rate"),
        ("negative_predictive_value", "false_omission_rate"),
        ("accepted_accuracy", "accepted_error_rate"),
        ("predicted_positive_rate", "predicted_negative_rate"),
        ("balanced_accuracy", "balanced_error_rate"),
    ],
)
@given(matrix=matrices())
def test_complements_add_to_one(parts, matrix):
    total = sum(to.METRICS[name](matrix) for name in parts)

    assert math.isnan(total) or total == pytest.approx(1)


@given(matrices(rejected=True))
def test_right_wrong_and_rejected_add_to_one(matrix):
    names = ("accuracy", "error_rate", "rejection_rate")
    total = sum(to.METRICS[name](matrix) for name in names)

    assert math.isnan(total) or total == pytest.approx(1)


@given(matrices())
def test_accuracy_is_the_mean_of_the_class_rates_weighted_by_prevalence(matrix):
    prevalence, tpr, tnr = (to.METRICS[n](matrix) for n in ("prevalence", "tpr", "tnr"))
    mean = prevalence * tpr + (1 - prevalence) * tnr

    assert math.isnan(mean) or mean == pytest.approx(to.METRICS["accuracy"](matrix))


@given(matrix=matrices())
def test_no_matrix_is_better_than_a_perfect_one(matrix):
    perfect = to.ConfusionMatrix(matrix.positives, 0, 0, matrix.negatives)

    def law(metric):
        best, value = metric(perfect), metric(matrix)
        sign = {"higher": 1, "lower": -1, None: 0}[metric.better]
        unknown = math.isnan(best) or math.isnan(value) or sign == 0
        return unknown or sign * best >= sign * value - 1e-9

    assert violations(law) == []


def evaluate_formula(formula, metric, matrix):
    """Evaluate a formula in Python: counts, parameters, functions, other metrics by name."""

    class Symbols(dict):
        def __missing__(self, name):
            return to.METRICS[name](matrix)

    numbers = {**formula_symbols(matrix), **metric.parameters}
    symbols = Symbols(
        FUNCTIONS | {key: np.asarray(value, float)[()] for key, value in numbers.items()}
    )
    with np.errstate(all="ignore"):
        return eval(formula, {"__builtins__": {}}, symbols)  # noqa: S307


@given(matrix=matrices(rejected=True))
def test_the_printed_formula_agrees_with_the_function(matrix):
    def law(metric):
        metric = metric.with_parameters(**REQUIRED_PARAMETERS.get(metric.name, {}))
        formula_value, value = (
            evaluate_formula(readable_formula(metric), metric, matrix),
            metric(matrix),
        )
        # If the formula is 0/0, or a special case is defined otherwise, the metric's text says so.
        unknown = math.isnan(formula_value) or math.isnan(value)
        return (
            unknown or close(value, formula_value) or f"{value:.0f} by definition" in metric.others
        )

    assert violations(law) == []


@given(matrix=matrices(rejected=True))
def test_the_exact_expression_agrees_with_the_function_also_where_undefined(matrix):
    def law(metric):
        metric = metric.with_parameters(**REQUIRED_PARAMETERS.get(metric.name, {}))
        formula_value, value = (
            evaluate_formula(exact_formula(metric), metric, matrix),
            metric(matrix),
        )
        # Corrections for small samples are differences of nearly equal numbers.
        tolerance = 1e-9 if metric.name in DEPEND_ON_SIZE else 1e-12
        return formula_value == pytest.approx(value, rel=1e-12, abs=tolerance, nan_ok=True)

    assert violations(law) == []


@pytest.mark.parametrize("beta", [0.0, 0.5, 2.0, math.inf])
@given(matrix=matrices(rejected=True))
def test_the_exact_expression_of_the_f_measure_holds_for_every_beta(beta, matrix):
    metric = to.METRICS["f_measure"].with_parameters(beta=beta)
    formula_value, value = evaluate_formula(exact_formula(metric), metric, matrix), metric(matrix)

    assert formula_value == pytest.approx(value, rel=1e-12, nan_ok=True)


@every_metric
def test_the_exact_expression_agrees_with_the_function_on_small_matrices(name):
    metric = to.METRICS[name].with_parameters(**REQUIRED_PARAMETERS.get(name, {}))
    cells = np.array(list(itertools.product((0, 1, 3), (0, 1, 3), (0, 1, 3), (0, 1, 3), (0, 2))))
    matrix = to.ConfusionMatrix(*cells.T.astype(float), rejected_negatives=cells[:, 3] % 2)
    formula_value, value = evaluate_formula(exact_formula(metric), metric, matrix), metric(matrix)

    assert formula_value == pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True)


def test_every_metric_has_an_expression_for_two_classes():
    assert not [name for name in ALL if not is_expression(to.METRICS[name])]
    assert not is_expression(replace(to.METRICS["chi_squared"], two_classes=""))


@given(rankings(min_size=1))
def test_the_first_row_of_a_ranking_predicts_no_positives(ranking):
    first = to.ConfusionMatrix(0, ranking.positives, 0, ranking.negatives)

    assert columns(ranking)[1][0] == columns(ranking)[2][0] == 0
    assert np.isnan(to.METRICS["precision"](first))
