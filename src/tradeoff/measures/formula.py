"""Formulas of measures as text: readable or exact, formatted, or with counts substituted.

The report's page compiles the same formulas to programs: see `report.page_formulas`.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.formatting import format_count, format_screen_number
from tradeoff.measures.registry import METRICS, Measure, format_parameter

WORD_PATTERN = r"[A-Za-z_]\w*"


def _xlog2y(x: Any, y: Any) -> Any:
    """Multiply x by log2(y); 0 where x is 0, whatever y is.

    Example:
        >>> float(_xlog2y(0.5, 0.25)), float(_xlog2y(0, 0))
        (-1.0, 0.0)
    """
    logs = np.log2(np.where(np.equal(x, 0), 1.0, y))
    return x * logs


def _entropy(*proportions: Any) -> Any:
    """Entropy of proportions in bits, -Σ p · log2(p).

    Example:
        >>> float(_entropy(0.5, 0.25, 0.25, 0))
        1.5
    """
    return 0.0 - np.sum([_xlog2y(p, p) for p in proportions], axis=0)


def _pair_count(unit: Any, *group_sizes: Any) -> Any:
    """Number of pairs of rows within groups, where each row counts as `unit`.

    Example:
        >>> float(_pair_count(1, 4)), float(_pair_count(1, 4, 2)), float(_pair_count(0.5, 2))
        (6.0, 7.0, 1.5)
    """
    return np.sum([size * (size - unit) / 2 for size in group_sizes], axis=0)


def _number_of_rows(rows: Any) -> Any:
    """Number of rows; undefined for a matrix of proportions.

    Example:
        >>> float(_number_of_rows(14)), float(_number_of_rows(1.0))
        (14.0, nan)
    """
    return np.where(np.greater(rows, 1), rows, np.nan)[()]


def _if_zero(value: Any, then: Any, otherwise: Any) -> Any:
    """Take one expression where a value is 0, and another elsewhere.

    Example:
        >>> float(_if_zero(0.0, 1, 2)), float(_if_zero(float("nan"), 1, 2))
        (1.0, 2.0)
    """
    return np.where(np.equal(value, 0), then, otherwise)[()]


FUNCTIONS: dict[str, Any] = {
    "sqrt": np.sqrt,
    "log": np.log,
    "log2": np.log2,
    "abs": np.abs,
    "min": np.minimum,
    "max": np.maximum,
    "pi": math.pi,
    "xlog2y": _xlog2y,
    "entropy": _entropy,
    "pairs": _pair_count,
    "counted": _number_of_rows,
    "if_zero": _if_zero,
}
"""Functions and constants that formulas use besides counts, parameters and metrics."""


def formula_symbols(matrix: ConfusionMatrix) -> dict[str, Any]:
    """Symbols used in formulas ("tp", "P", "n", …), with their values for a confusion matrix."""
    return {
        "tp": matrix.true_positives,
        "fn": matrix.false_negatives,
        "fp": matrix.false_positives,
        "tn": matrix.true_negatives,
        "rp": matrix.rejected_positives,
        "rn": matrix.rejected_negatives,
        "P": matrix.positives,
        "N": matrix.negatives,
        "n": matrix.rows,
        "d": matrix.decided,
        "e": matrix.effective_decided,
    }


SYMBOLS = frozenset(formula_symbols(ConfusionMatrix(0, 0, 0, 0)))


def is_expression(measure: Measure) -> bool:
    """Whether a measure's formula is an expression of counts, not merely a description."""
    return bool(readable_formula(measure))


def readable_formula(measure: Measure) -> str:
    """Formula of a measure as the most readable expression; empty if it has only a description."""
    for formula in (measure.formula, measure.two_classes):
        if formula and _is_expression(formula, measure):
            return formula
    return ""


def exact_formula(measure: Measure) -> str:
    """Formula of a measure as an expression that is exact for every matrix; empty if none."""
    return measure.two_classes or readable_formula(measure)


def _is_expression(formula: str, measure: Measure) -> bool:
    symbols = {*SYMBOLS, *FUNCTIONS, *measure.parameters}
    return all(word in symbols or METRICS.knows(word) for word in re.findall(WORD_PATTERN, formula))


def substituted_formula(measure: Measure, matrix: ConfusionMatrix) -> str:
    """Formula of a measure with the counts of a matrix substituted.

    Example:
        >>> from tradeoff.core.confusion import ConfusionMatrix
        >>> substituted_formula(METRICS["precision"], ConfusionMatrix(7, 2, 4, 1))
        '7 / (7 + 4)'
        >>> substituted_formula(METRICS["actual_entropy"], ConfusionMatrix(7, 2, 4, 1))
        'entropy((7 + 2) / 14, (4 + 1) / 14)'
    """
    symbols = formula_symbols(matrix)

    def substitute(match: re.Match[str]) -> str:
        word = match[0]
        if word in symbols:
            return format_count(symbols[word])
        if word in measure.parameters:
            parameter = measure.parameters[word]
            return word if parameter is None else format_parameter(parameter)
        if word in FUNCTIONS:
            return word
        return (
            format_screen_number(float(METRICS.find(word)(matrix))) if METRICS.knows(word) else word
        )

    return format_formula(
        re.sub(WORD_PATTERN, substitute, readable_formula(measure) or measure.formula)
    )


def format_formula(formula: str) -> str:
    """Typeset a formula for display, with √, · and ².

    Example:
        >>> format_formula("sqrt(tpr * precision)"), format_formula("2 * beta**2")
        ('√(tpr · precision)', '2 · beta²')
    """
    text = formula.replace("sqrt", "√").replace("**2", "²").replace("pi", "π")
    return text.replace(" * ", " · ").replace(" - ", " − ")
