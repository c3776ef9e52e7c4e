"""Formulas of measures: as text, as expressions, and with counts substituted."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.measures.registry import METRICS, Measure, format_parameter
from tradeoff.text import format_count, format_number

WORD = r"[A-Za-z_]\w*"


def xlog2y(x: Any, y: Any) -> Any:
    """Multiply x by log2(y): 0 where x is 0, whatever y is.

    Example:
        >>> float(xlog2y(0.5, 0.25)), float(xlog2y(0, 0))
        (-1.0, 0.0)
    """
    logs = np.log2(np.where(np.equal(x, 0), 1.0, y))
    return x * logs


def entropy(*shares: Any) -> Any:
    """Entropy -Σ p · log2(p) of shares, for formulas.

    Example:
        >>> float(entropy(0.5, 0.25, 0.25, 0))
        1.5
    """
    return 0.0 - np.sum([xlog2y(p, p) for p in shares], axis=0)


def pairs(unit: Any, *rows: Any) -> Any:
    """Number of pairs of rows within groups, for formulas.

    Example:
        >>> float(pairs(1, 4)), float(pairs(1, 4, 2)), float(pairs(0.5, 2))
        (6.0, 7.0, 1.5)
    """
    return np.sum([size * (size - unit) / 2 for size in rows], axis=0)


def number_of_rows(rows: Any) -> Any:
    """Number of rows for formulas; undefined for a matrix of proportions.

    Example:
        >>> float(number_of_rows(14)), float(number_of_rows(1.0))
        (14.0, nan)
    """
    return np.where(np.greater(rows, 1), rows, np.nan)[()]


def if_zero(value: Any, then: Any, otherwise: Any) -> Any:
    """Conditional in formulas: one expression where a value is 0, another elsewhere.

    Example:
        >>> float(if_zero(0.0, 1, 2)), float(if_zero(float("nan"), 1, 2))
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
    "xlog2y": xlog2y,
    "entropy": entropy,
    "pairs": pairs,
    "counted": number_of_rows,
    "if_zero": if_zero,
}
"""The words that formulas use beside counts, parameters and metrics."""


def formula_symbols(matrix: ConfusionMatrix) -> dict[str, Any]:
    """Letters that formulas use, with their values for a confusion matrix."""
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


LETTERS = frozenset(formula_symbols(ConfusionMatrix(0, 0, 0, 0)))


def is_expression(measure: Measure) -> bool:
    """Whether a formula can be evaluated with counts, and is no mere description."""
    return bool(readable_formula(measure))


def readable_formula(measure: Measure) -> str:
    """Formula of a measure as an expression for readers; empty if there is none."""
    for formula in (measure.formula, measure.two_classes):
        if formula and _is_known(formula, measure):
            return formula
    return ""


def exact_formula(measure: Measure) -> str:
    """Formula of a measure whose value is exact for every matrix; empty if there is none."""
    return measure.two_classes or readable_formula(measure)


def _is_known(formula: str, measure: Measure) -> bool:
    symbols = {*LETTERS, *FUNCTIONS, *measure.parameters}
    return all(word in symbols or METRICS.knows(word) for word in re.findall(WORD, formula))


def substituted_formula(measure: Measure, matrix: ConfusionMatrix) -> str:
    """Formula of a measure with the counts in place of letters.

    Example:
        >>> from tradeoff.core.confusion import ConfusionMatrix
        >>> substituted_formula(METRICS["precision"], ConfusionMatrix(7, 2, 4, 1))
        '7 / (7 + 4)'
        >>> substituted_formula(METRICS["actual_entropy"], ConfusionMatrix(7, 2, 4, 1))
        'entropy((7 + 2) / 14, (4 + 1) / 14)'
    """
    letters = formula_symbols(matrix)

    def value(match: re.Match[str]) -> str:
        word = match[0]
        if word in letters:
            return format_count(letters[word])
        if word in measure.parameters:
            parameter = measure.parameters[word]
            return word if parameter is None else format_parameter(parameter)
        if word in FUNCTIONS:
            return word
        return format_number(float(METRICS.find(word)(matrix))) if METRICS.knows(word) else word

    return format_formula(re.sub(WORD, value, readable_formula(measure) or measure.formula))


def format_formula(formula: str) -> str:
    """Format a formula as in print.

    Example:
        >>> format_formula("sqrt(tpr * precision)"), format_formula("2 * beta**2")
        ('√(tpr · precision)', '2 · beta²')
    """
    text = formula.replace("sqrt", "√").replace("**2", "²").replace("pi", "π")
    return text.replace(" * ", " · ").replace(" - ", " − ")
