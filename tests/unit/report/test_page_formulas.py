"""Metrics as programs: compiled expressions, and the catalogue of the page."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import matrices

import tradeoff as to
from tradeoff.measures.formula import FUNCTIONS, formula_symbols
from tradeoff.measures.registry import Registry
from tradeoff.report import page_formulas
from tradeoff.report.page_formulas import compile_formula, metric_catalogue, metric_program
from tradeoff.uncertainty.confidence import Confidence

ARITHMETIC = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
}


def compute(program, measure, matrix):
    """Value of a program, computed in Python independently of the page."""
    if program is None:
        return math.nan
    if isinstance(program, int | float):
        return np.float64(program)
    if isinstance(program, str):
        letters = formula_symbols(matrix)
        if program in letters:
            return np.float64(letters[program])
        metric = to.METRICS[program]
        return compute(metric_program(metric), metric, matrix)
    word, *operands = program
    if word == "parameter":
        return np.float64(measure.parameters[operands[0]])
    values = [compute(operand, measure, matrix) for operand in operands]
    return (ARITHMETIC | FUNCTIONS)[word](*values)


@pytest.mark.parametrize("name", list(to.METRICS))
@given(matrix=matrices(rejected=True))
@settings(max_examples=10)
def test_a_program_computes_its_metric(name, matrix):
    measure = to.METRICS[name]
    if name == "net_benefit":
        measure = measure.with_parameters(at=0.3)
    with np.errstate(all="ignore"):
        value = compute(metric_program(measure), measure, matrix)

    assert value == pytest.approx(measure(matrix), rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("expression", "program"),
    [
        ("tp / (tp + fp)", ["/", "tp", ["+", "tp", "fp"]]),
        ("1 - recall - 2", ["-", ["-", 1, "true_positive_rate"], 2]),
        ("-tp * -2", ["*", ["-", 0, "tp"], -2]),
        ("beta**-2", ["**", ["parameter", "beta"], -2]),
        ("max(d, 0.5) * pi", ["*", ["max", "d", 0.5], math.pi]),
        ("pairs(1, n)", ["/", ["*", "n", ["-", "n", 1]], 2]),
        ("entropy(P, N)", ["-", 0, ["+", ["xlog2y", "P", "P"], ["xlog2y", "N", "N"]]]),
    ],
)
def test_expressions_become_programs(expression, program):
    assert compile_formula(expression, ["beta"]) == program


@pytest.mark.parametrize(
    "expression",
    [
        "sum of it",
        "unheard_of / 2",
        "beta",  # no parameter of this metric
        "f2",  # a preset is no metric of its own
        "tp.real",
        "tp < 2",
        "tp % 2",
        "+tp",
        "True",
        "'tp'",
        "sin(tp)",
        "sqrt(tp, fp)",
        "max(tp)",
        "entropy()",
        "sqrt(x=tp)",
        "__import__('os')",
        "",
    ],
)
def test_other_expressions_are_refused(expression):
    with pytest.raises(ValueError, match=r"not an? \w+|not allowed"):
        compile_formula(expression)


def test_every_function_of_formulas_can_be_compiled():
    assert {*page_formulas.FUNCTION_ARITIES, *page_formulas.MACROS, "pi"} == set(FUNCTIONS)


def test_every_registered_metric_is_in_the_catalogue():
    assert [entry["name"] for entry in metric_catalogue()["metrics"]] == list(to.METRICS)


def test_a_metric_without_a_computable_formula_is_left_out(monkeypatch):
    registry = Registry("metric", "metrics")
    registry.add(to.METRICS["precision"])
    registry.add(replace(to.METRICS["chi_squared"], two_classes=""))
    monkeypatch.setattr(page_formulas, "METRICS", registry)

    assert [entry["name"] for entry in metric_catalogue()["metrics"]] == ["precision"]


def test_the_catalogue_is_strict_json_and_small():
    written = json.dumps(
        metric_catalogue(), allow_nan=False, ensure_ascii=False, separators=(",", ":")
    ).encode()

    assert len(written) <= 42_000


def test_the_catalogue_has_the_registrys_facts_about_each_metric():
    catalogue = metric_catalogue(Confidence(0.9, sampling="by class"))
    by_name = {entry["name"]: entry for entry in catalogue["metrics"]}

    assert (catalogue["level"], catalogue["by_class"]) == (0.9, True)
    assert catalogue["z"] == pytest.approx(1.6448536269514722)
    assert by_name["true_positive_rate"] == {
        "name": "true_positive_rate",
        "family": "rates",
        "formula": "tp / P",
        "program": ["/", "tp", "P"],
        "aliases": [
            "recall",
            "sensitivity",
            "hit_rate",
            "recall_score",
            "probability_of_detection",
            "tpr",
            "sens",
            "pod",
        ],
        "better": "higher",
        "sentence": "of the rows that are {positive}, {share} are predicted {positive}",
        "undefined": "no row is {positive}",
        "headline": {"page": 1, "matrix": 1, "parts": 1},
        "trials": "positives",
        "low": 0,
        "high": 1,
    }
    assert by_name["f_measure"]["parameters"] == {"beta": 1.0}
    assert by_name["f_measure"]["presets"]["f2"] == {"beta": 2.0}
    assert by_name["net_benefit"]["parameters"] == {"at": None}
    assert (by_name["lift"]["low"], by_name["lift"]["high"]) == (0, None)
    assert by_name["gilbert_skill_score"]["low"] == -1 / 3
    assert by_name["bennetts_s"]["expression"] == "2 · accepted_accuracy − 1"
    assert "expression" not in by_name["geometric_mean"]  # its formula can be filled in
    assert {name for name, entry in by_name.items() if "no_interval" in entry} == {
        name for name, measure in to.METRICS.items() if measure.no_interval
    }
